"""Standing orders for the enemy's activations, and for what follows one's own attacks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pbem.engine.conditions import Condition, clauses_of
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, first_legal, unless
from pbem.engine.shapes import (
    Alternative,
    ByKind,
    Each,
    Fields,
    Many,
    OrWord,
    Schema,
    Shape,
    Word,
    any_of,
    listed,
)
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import (
    NONE,
    Advance,
    Again,
    Build,
    Counterbattery,
    Defend,
    Displace,
    Lead,
    React,
    Retreat,
    Unmask,
    Withdraw,
)
from pbem.games.nopasaran.policies.covered import shows_first
from pbem.games.nopasaran.policies.facts import (
    FACTS,
    HEX,
    HEXES,
    LEADS,
    OF_A_GUN,
    RANKING,
    WHEN,
    WHEN_ROLLED,
    about,
    in_order,
)
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import air, artillery, combat, engineers, retreat, ways
from pbem.games.nopasaran.rules.answers import attackers_left, combat_of, spread
from pbem.games.nopasaran.rules.naming import place
from pbem.games.nopasaran.tables import ENEMY, KINDS
from pbem.messages import say
from pbem.value import value

if TYPE_CHECKING:
    from pbem.games.nopasaran.stages.combat import (
        Advancing,
        Defending,
        Leading,
        Retreating,
        Withdrawing,
    )
    from pbem.games.nopasaran.stages.day import Building
    from pbem.games.nopasaran.stages.fire import Countering
    from pbem.games.nopasaran.stages.scouting import Reacting

ALWAYS, NEVER, ALL, REAR, TOGETHER, BY_ROAD = (
    "always", "never", "all", "rear", "stay_together", "road",
)  # fmt: skip


def _first(position: Position, stage: Any, written: Any) -> Mapping[str, Any] | None:
    """The first of some clauses that holds; None for `never`."""
    clauses = clauses_of(written)
    return next(iter(FACTS.holding(position, about(position, stage), clauses)), None)


def _yes_if(what: str, example: str, when: Condition = WHEN) -> Many | OrWord:
    """never, always, or conditions under which it is done."""
    needs = say("{what} must be never, always, or name when", what=what)
    told = Fields({"when": when}, needs, say(example), ("when",))
    return OrWord((NEVER, ALWAYS), Many(told, once=True, needed=True, never=FACTS.unreached))


# --- retreat before combat ----------------------------------------------------------------------


def _withdrawing(position: Position, stage: Withdrawing, policy: Document) -> Order | None:
    """Goes if a clause holds: to the first of its hexes that is open to all, or as far to the rear
    as all can go; each for itself where no hex is open to all.
    """
    clause = _first(position, stage, policy.get("retreat_before_combat", NEVER))
    if clause is None:
        return Withdraw()
    units = position.units_at(stage.hex, stage.side)
    together = retreat.withdrawals_together(position, units)
    rear = ways.from_rear(position, stage.side)
    wished: Iterable[str] = listed(clause["to"]) if clause.get("to", REAR) != REAR else ()
    backwards = sorted(together, key=lambda hex: (rear.get(hex, len(rear)), hex))
    hexes = [hex for hex in wished if hex in together] or backwards
    courses = [together[hex] for hex in hexes] or [retreat.withdrawals_apart(position, units)]
    orders = [Withdraw(paths) for paths in courses]
    sure = (each for each in orders if retreat.surely_withdraws(position, each.paths))
    found = first_legal(stage, position, sure)
    if found is None and first_legal(stage, position, orders):
        return None  # what may be its author knows
    return found or Withdraw()


A_WITHDRAWAL = Fields(
    {"when": WHEN, "to": OrWord((REAR,), HEXES)},
    say("retreat_before_combat must be never, always, or name when, to, or both"),
    say("{when: {enemy_armour: true}, to: rear}"),
    ("when", "to"),
)
WITHDRAW: Clause = Clause(
    OrWord((NEVER, ALWAYS), Many(A_WITHDRAWAL, once=True, needed=True, never=FACTS.unreached)),
    answers={"retreat_before_combat": Answer(_withdrawing, or_asks=True)},
    example=("never", say("or always, or {when: {enemy_armour: true}}")),
)

# --- support ------------------------------------------------------------------------------------


def _defending(position: Position, stage: Defending, policy: Document) -> Order | None:
    """Supports with what the first clause that holds names; all, where nothing is said."""
    every = stage.whole(position)
    said = policy.get("support")
    if said is None:
        return every
    clause = _first(position, stage, said)
    if clause is None:
        return Defend()
    guns = _some(tuple(every.guns), clause.get("guns", ALL), position)
    air = _some(every.air, clause.get("air", ALL), position)
    return Defend(spread(position, guns), air)


def _some(able: tuple[str, ...], said: Any, position: Position) -> tuple[str, ...]:
    """Those of the able units that are said: all, none, the first few, or each that meets a
    condition.
    """
    if isinstance(said, Mapping):
        return tuple(gun for gun in able if OF_A_GUN.holds(position, gun, said["when"]))
    if isinstance(said, int):
        return able[:said]
    return able if said == ALL else ()


MOST = 20
SOME = OrWord(
    (ALL, NONE),
    Word(tuple(range(MOST + 1)), say("expected a number from 0 to {most}, all or none", most=MOST),
         say("guns: all")),
)  # fmt: skip
WHICH_GUNS = Fields(
    {"when": Condition(OF_A_GUN, late=False, of="gun")},
    say("guns must be all, none, a number, or name when"), say("{when: {points_left: 4+}}"),
    ("when",),
)  # fmt: skip
A_SUPPORT = Fields(
    {"guns": ByKind(mapping=WHICH_GUNS, other=SOME), "air": SOME, "when": WHEN},
    say("support must be all, none, or name guns, air or when"),
    say("{guns: all, air: 1, when: {enemy_troops: 6+}}"),
    ("guns", "air", "when"),
)
SUPPORT: Clause = Clause(
    OrWord((ALL, NONE, ALWAYS, NEVER),
           Many(A_SUPPORT, once=True, needed=True, never=FACTS.unreached)),
    answers={"support": shows_first(_defending)},
    example=("{guns: all, air: all}", say("what supports your defence; all without a word")),
)  # fmt: skip

# --- who leads ----------------------------------------------------------------------------------


def _leading(position: Position, stage: Leading, policy: Document) -> Order | None:
    able = stage.able(position)
    return Lead(in_order(position, listed(policy.get("primary", ())), able)[0]) if able else None


PRIMARY: Clause = Clause(
    OrWord(LEADS, RANKING),
    answers={"primary": Answer(_leading)},
    example=("best", say("which unit leads a combat, and takes the first loss")),
)

# --- guns and scouts ----------------------------------------------------------------------------


def _countering(position: Position, stage: Countering, policy: Document) -> Order | None:
    """Answers with all guns, if a clause holds, the hex with most guns first. A side is also asked
    for guns that may lie face down: where nobody sees one, none answers.
    """
    targets = stage.targets(position)
    if not targets or _first(position, stage, policy.get("counterbattery", NEVER)) is None:
        return Counterbattery()
    hex = max(targets, key=lambda each: len(artillery.can_lose(position, each, only_guns=True)))
    return Counterbattery(artillery.counter_guns(position, stage.side, (hex,)), hex)


COUNTERBATTERY: Clause = Clause(
    _yes_if("counterbattery", "{when: {weather: [clear]}}"),
    answers={"counterbattery": shows_first(_countering)},
    example=("always", say("whether your guns answer those of the enemy")),
)


@CITE.serves("21.2")
def _reacting(position: Position, stage: Reacting, policy: Document) -> Order | None:
    """Attacks with all who can, if a clause holds."""
    if _first(position, stage, policy.get("react", NEVER)) is None:
        return React()
    # reading: standing orders let those react that lie in view.
    able = tuple(unit for unit in stage.able(position) if not is_tag(unit))
    leader = combat.leaders(position, able)
    order = React(able, leader[0] if leader else "")
    return first_legal(stage, position, (order,)) or React()


REACT: Clause = Clause(
    _yes_if("react", "{when: {recon: [tank]}}"),
    answers={"react": Answer(_reacting)},
    example=("{when: {recon: [tank]}}", say("when you attack those who failed to find you")),
)


def _unmasking(position: Position, stage: Any, policy: Document) -> Order | None:
    """Shows all units that could fire, or none."""
    if policy.get("antiaircraft", NONE) == NONE:
        return Unmask()
    guns = air.guns_against(position, ENEMY[stage.side], stage.path)
    return Unmask(tuple(unit for unit in guns if unit in position.down.hidden))


ANTIAIRCRAFT: Clause = Clause(
    Word((ALL, NONE), say("expected all or none"), say("antiaircraft: all")),
    answers={"antiaircraft": shows_first(_unmasking)},
    unasked=unless(lambda position, side: not position.is_open,
                   say("all counters lie open in this game")),
    example=("all", say("whether units face down are shown that fire at aircraft")),
)  # fmt: skip

# --- retreats -----------------------------------------------------------------------------------


def _retreating(position: Position, stage: Retreating, policy: Document) -> Order | None:
    """Loses points in place of all hexes if a clause says so; else goes by the first of its hexes
    that is open, or by road, or as the rules have it.
    """
    units = stage.units
    if _first(position, stage, policy.get("losses_for_retreat", NEVER)) is not None:
        due = min(stage.length, position.troops_of(units))
        stay = Retreat({}, retreat.in_points(position, units, due))
        found = first_legal(stage, position, (stay,))
        if found is not None:
            return found
    ways_back = retreat.retreats(position, units[0], stage.length, units)
    together = [
        dict.fromkeys(units, path) for path in retreat.by_rear(position, stage.side, ways_back)
    ]
    said = policy.get("retreat", ())
    if said and _ranks(said):
        alone = retreat.each_alone(position, units, stage.length, partial(_off_road, position))
        wishes = [WISHES[word] for word in listed(said)]
        best = sorted(
            (*together, alone), key=lambda paths: [wish(position, paths) for wish in wishes]
        )
    else:
        goals = listed(dict(said).get(position.at(units[0]), ()))
        best = sorted(together, key=lambda paths: _wish(position, paths, goals))
    default = retreat.default_retreat(position, units, stage.length)
    sure = (each for each in (*map(Retreat, best), default)
            if retreat.surely_retreats(position, each.paths))  # fmt: skip
    return first_legal(stage, position, sure)


Paths = Mapping[str, tuple[str, ...]]


def _wish(position: Position, paths: Paths, goals: tuple[str, ...]) -> tuple[int, int]:
    """How near a way of all comes to what is wished: its first hex in the list, then by road."""
    unit, path = next(iter(paths.items()))
    place = goals.index(path[0]) if path[0] in goals else len(goals)
    return place, _off_road(position, unit, path[:1])


def _off_road(position: Position, unit: str, path: Sequence[str]) -> int:
    """The steps of a unit's way that no road leads."""
    kind, side = KINDS.index(position.printed(unit).kind), position.side_of(unit)
    return sum(ways.road_cost(position, here, there, kind, side) is None
               for here, there in pairwise((position.at(unit), *path)))  # fmt: skip


WISHES: Mapping[str, Callable[[Position, Paths], int]] = {
    BY_ROAD: lambda position, paths: sum(
        _off_road(position, unit, path) for unit, path in paths.items()
    ),
    TOGETHER: lambda position, paths: len({*paths.values()}),
}
"""What a retreat can be chosen by: the least of these numbers is wished for."""


def _ranks(said: Any) -> bool:
    """Whether words rank the ways, and not hexes."""
    return all(isinstance(each, str) for each in listed(said))


@value
class Retreats(Alternative):
    """What a retreat is written as: words that rank the ways, or for each hex where its units go
    first.
    """

    words: Shape
    hexes: Shape

    def of(self, written: Any) -> Shape:
        return self.hexes if isinstance(written, Mapping) or not _ranks(written) else self.words

    def schema(self, shared: dict[str, Schema]) -> Schema:
        return any_of(self.words.schema(shared), self.hexes.schema(shared))


def _never_next(position: Position, side: Side, said: Any) -> Iterator[Violation]:
    """The faults of hexes that begin no way, for they are not next to the one that is left."""
    for hex, wished in () if _ranks(said) else said:
        near = position.ground.around[hex]
        for at, to in enumerate(listed(wished)):
            if to not in near:
                told = say("{to} is not next to {hex}, and a retreat goes from hex to hex",
                           to=place(position, to), hex=place(position, hex))  # fmt: skip
                hint = say("next to it are {near}", near=tuple(near))
                yield Violation(told, (hex, at), rule="14", hint=hint)


RETREAT: Clause = Clause(
    Retreats(
        Many(Word((BY_ROAD, TOGETHER),
                  say("expected road, stay_together, or hexes with where the units of each go"),
                  say("retreat: [road, stay_together]")), once=True, needed=True),
        Each(HEX, HEXES, say("retreat lists hexes, and where the units of each go first"),
             say("{G13: [G14, H13]}")),
    ),
    answers={"retreat": Answer(_retreating, or_asks=True)},
    vain=lambda position, side, policy: _never_next(position, side, policy["retreat"]),
    example=("[road, stay_together]",
             say("what counts first, or the way from each hex: {G13: [G14, H13]}")),
)  # fmt: skip
FOR_RETREAT: Clause = Clause(
    _yes_if("losses_for_retreat", "{when: {hex: [E12]}}", WHEN_ROLLED),
    example=("never", say("whether points are lost in place of a retreat")),
)  # fmt: skip

# --- the evening --------------------------------------------------------------------------------


def _building(position: Position, stage: Building, policy: Document) -> Order | None:
    """Builds what it says wherever it can; of two kinds the one that is said."""
    said = policy.get("works", NONE)
    if said == NONE:
        return Build()
    able = engineers.buildable(position, stage.side, surely=True)
    return Build({hex: said if said in kinds else kinds[0] for hex, kinds in able.items()})


WORKS: Clause = Clause(
    Word((NONE, "position", "fortification"),
         say("expected none, position or fortification"), say("works: fortification")),
    answers={"works": Answer(_building)},
    example=("fortification", say("what is built where your units have stood idle")),
)  # fmt: skip

# --- what follows one's own attack --------------------------------------------------------------


def _advancing(position: Position, stage: Advancing, said: Any) -> Order | None:
    """As many of those that are named as there is room for, in their order."""
    left = combat.advancing(position, attackers_left(position), combat_of(position).hex)
    if said == NONE:
        return Advance()
    wished = list(left) if said == ALL else in_order(position, listed(said), left)
    for number in range(len(wished), 0, -1):
        found = first_legal(stage, position, (Advance(tuple(wished[:number])),))
        if found is not None:
            return found
    return Advance()


ADVANCE: Clause = Clause(
    ByKind(
        say("advance must be all, none, or a list of units"), say("advance: all"), many=RANKING,
        word=Word((ALL, NONE), say("expected all, none, or a list of units in brackets"),
                  say("advance: all")),
    ),
    answers={"advance": Answer(lambda position, stage, policy: _advancing(
        position, stage, policy.get("advance", NONE)))},
)  # fmt: skip


def _repeating(position: Position, stage: Any, policy: Document) -> Order | None:
    if _first(position, stage, policy.get("again", NEVER)) is None:
        return Again(fall_back=True)
    return Again()


AGAIN: Clause = Clause(
    _yes_if("again", "{when: {result: [SR]}}", WHEN_ROLLED),
    answers={"again": Answer(_repeating)},
)  # fmt: skip


def _displacing(position: Position, stage: Any, policy: Document) -> Order | None:
    """The units that the list puts last go aside first."""
    hex, side = stage.hex, stage.side
    default = retreat.default_displacement(position, hex, side)
    units = [unit for unit in position.units_at(hex, side) if position.troops(unit)]
    last = in_order(position, policy.get("displace", ()), units)[::-1]
    sure = (each for each in (*_ways_aside(position, hex, last), default)
            if retreat.surely_displaces(position, each))  # fmt: skip
    return first_legal(stage, position, sure)


def _ways_aside(position: Position, hex: str, units: list[str]) -> Iterator[Displace]:
    """One unit after another goes aside, the first by itself, then two of them, and so on; without
    those who need not, once the others have gone.
    """
    for number in range(1, len(units) + 1):
        paths = {}
        for unit in units[:number]:
            open_hexes = retreat.asides(position, unit)
            if open_hexes:
                paths[unit] = (open_hexes[0],)
        yield Displace(retreat.no_more_aside(position, hex, paths))


DISPLACE: Clause = Clause(
    RANKING,
    answers={"displace": Answer(_displacing, or_asks=True)},
)
