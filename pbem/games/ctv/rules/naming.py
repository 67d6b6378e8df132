"""How units and hexes are called in messages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from pbem.engine.facedown import by_tag
from pbem.engine.mentions import named_in, of_the_enemy
from pbem.engine.model import Order, Violation
from pbem.engine.tags import is_tag
from pbem.games.ctv.orders import NONE, Retreat, Trade
from pbem.games.ctv.position import ASIDE, ELIMINATED, OUT, SURRENDERED, WITHDRAWN, Position
from pbem.games.ctv.rules.asks import OfASide
from pbem.games.ctv.tables import AIR, COLUMN, ENEMY, PEOPLE
from pbem.messages import Row, Said, say, say_many
from pbem.value import replace

MODIFIERS = {
    "trench": say("trench"), "concentric": say("concentric attack"),
    "below": say("worse than the first column"),
}  # fmt: skip
"""What changes a combat die, in words."""
GROUND = {
    "clear": say("clear ground"), "city": say("city"), "hill": say("hills"),
    "mountain": say("mountains"),
}  # fmt: skip
"""The kinds of ground in words."""


def title(position: Position, unit: str) -> Said:
    """The name of a unit; of a supply column, its number."""
    printed = position.printed(unit)
    if printed.type == COLUMN:
        return say("supply column {number}", number=int(unit.rpartition("-")[2]))
    return say(printed.name)


def called(position: Position, unit: str) -> Said:
    """A unit by name and id, as orders may name it; a covered one by where it lies."""
    if is_tag(unit):
        hex = position.at(unit)
        return say("a covered counter in {hex}", hex=hex) if hex else say("a covered counter")
    return say("{name} ({unit})", name=title(position, unit), unit=unit)


def counted(position: Position, units: Sequence[str]) -> Iterator[Said]:
    """Units by name and id; of covered ones how many lie in each hex."""
    covered = Counter(position.at(unit) for unit in units if is_tag(unit))
    yield from (called(position, unit) for unit in units if not is_tag(unit))
    for hex, number in covered.items():
        yield say_many("number", "{number} covered counter in {hex}",
                       "{number} covered counters in {hex}", number=number, hex=hex)  # fmt: skip


def in_order(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Units in the order of the list, covered counters behind them in that of their tags."""
    units = tuple(units)
    return (*position.board.in_order(units), *sorted(filter(is_tag, units), key=by_tag))


def place(position: Position, hex: str) -> Said:
    """A hex by its number, and its name if it has one."""
    name = position.board.names.get(hex)
    return say("{name} ({hex})", name=name, hex=hex) if name else hex


BY_RULE = {
    "place": "4.1", "move": "8.1", "attack": "10.1", "support": "9.4.1", "losses": "10.3",
    "advance": "10.4", "breakthrough": "10.4.1", "shot_down": "15.1", "withdraw": "12.3",
    "uncover": "13.2", "arrange": "5.2",
}  # fmt: skip
"""The rule by which an order of each verb is about units of one's own."""


def names_what_there_is(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
    """Units of one's own, and hexes of the map. What the other player's program has signed may name
    anything.

    The enemy's are known by name wherever they are, covered or not set up yet. `none` for the hex
    of a retreat is for its rule, which knows where it may lead.
    """
    units, hexes = position.places, position.board.everywhere
    printed, enemy = position.board.units, ENEMY[stage.side]
    named = tuple(named_in(order))
    theirs = tuple(
        each
        for each in named
        if (each.name in units or each.name in printed) and position.side_of(each.name) == enemy
    )
    if theirs:
        fault = of_the_enemy(
            theirs, sum(each.kind == "unit" for each in named),
            called(position, theirs[0].name), PEOPLE[stage.side], PEOPLE[enemy],
        )  # fmt: skip
        yield replace(fault, rule=BY_RULE.get(order.verb, ""))
    told = {each.name for each in theirs}
    for each in named:
        is_unit = each.kind == "unit"
        if each.name in told:
            continue
        stays = each.name == NONE and isinstance(order, Retreat | Trade)
        if each.name not in (units if is_unit else hexes) and (is_unit or not stays):
            name = repr(each.name)
            why = say("there is no unit {name}" if is_unit else "there is no hex {name}", name=name)
            yield Violation(why, each.at, is_key=each.is_key)


WHY_OFF_MAP = {
    ELIMINATED: say("it is eliminated"),
    WITHDRAWN: say("it has left for the offensive elsewhere"),
    SURRENDERED: say("it has laid down its arms"),
    ASIDE: say("it has not come yet"),
    OUT: say("it takes no part in this game"),
}  # fmt: skip
"""Why a ground unit or a column is in no hex, by where it is instead."""


def not_on_map(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an order that names a unit which is in no hex, at its place."""
    why, rule = WHY_OFF_MAP.get(position.places[unit], say("name units on the map")), ""
    if position.printed(unit).type == AIR:
        why, rule = say("air units move nowhere: they support attacks"), "9.1"
    return Violation(
        say("{unit} is not on the map", unit=called(position, unit)), path, rule=rule, hint=why
    )


def named_twice(position: Position, unit: str, path: tuple[str | int, ...]) -> Violation:
    """The fault of an order that names a unit again, at the place of the second one."""
    return Violation(
        say("{unit} is named twice", unit=called(position, unit)), path,
        hint=say("name each unit once"),
    )  # fmt: skip


def in_list(names: Iterable[Said]) -> Row:
    """Names with commas between them."""
    return Row(tuple(names), ", ")
