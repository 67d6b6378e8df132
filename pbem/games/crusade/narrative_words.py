"""How the log lines name units, spaces, cards and numbers, and the register of those lines.

Units appear by their printed name with the id a player writes: "Infantry INF-3", or "Navarra A.C.
(N-NAVARRA)" if there is only one. A unit is at full strength unless it is called reduced.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from pbem.engine.model import Event
from pbem.engine.narration import lines_into
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import NATIONALIST, PEOPLE, REPUBLICAN
from pbem.messages import Message, Said, Thing, WrittenNumber, say, say_many
from pbem.value import replace

Teller = Callable[[Any, Position], Message | None]

LINES: dict[type[Event[Any]], Teller] = {}
"""The narrator of each type of event."""


line = lines_into(LINES)


# --- names --------------------------------------------------------------------------------------

SIDES_TOLD: Mapping[str, Message] = {
    NATIONALIST: say("the Nationalists"),
    REPUBLICAN: say("the Republicans"),
}
OF_SIDE: Mapping[str, Message] = {side: say(word) for side, word in PEOPLE.items()}
"""The adjective of a side: "the Republican draw pile"."""
REDUCED = say("reduced")


def the_space(position: Position, space: str) -> Said:
    """The printed name; a Beach Head is a marker, and takes an article."""
    ground = position.tables.spaces[space]
    return say("the {marker}", marker=say(ground.name)) if ground.dormant else ground.name


def the_spaces(position: Position, spaces: Iterable[str]) -> tuple[Said, ...]:
    """The printed names of several."""
    return tuple(the_space(position, space) for space in spaces)


def the_card(position: Position, card: str) -> Thing:
    """Title and number: "Air Bridge (N1)"."""
    return Thing(card, say(position.card(card).title), is_only=True)


def cards_seen(position: Position, slots: Iterable[str]) -> tuple[Thing, ...]:
    """The cards in these slots that both players know."""
    known = position.known
    return tuple(the_card(position, known[slot]) for slot in slots if slot in known)


def the_unit(position: Position, unit: str) -> tuple[Thing, ...]:
    """The unit without its strength, for lines about a change of strength."""
    kind = position.type_of(unit)
    return (Thing(unit, say(kind.name), kind.count == 1),)


def the_units(position: Position, *units: str) -> tuple[Thing, ...]:
    """Units with their strength, those of a kind together: "Police R-POL-1 and R-POL-2"."""
    ordered = sorted(units, key=lambda unit: _likeness(position, unit))
    return tuple(
        replace(thing, state=REDUCED) if position.is_reduced(unit) else thing
        for unit in ordered
        for thing in the_unit(position, unit)
    )


def _likeness(position: Position, unit: str) -> tuple[int, bool, int]:
    first_of_type = position.tables.units_of_type[
        position.side_of(unit), position.type_of(unit).id
    ][0]
    rank = position.tables.rank
    return rank[first_of_type], position.is_reduced(unit), rank[unit]


def the_siege(position: Position, siege: str) -> Said:
    """The besieged building: "the Alcázar"; Santa María takes no article."""
    rows = position.tables.tables["sieges"]
    name = next(str(row["name"]) for row in rows if row["id"] == siege)
    return name if name.startswith("Santa") else say("the {siege}", siege=say(name))


# --- words --------------------------------------------------------------------------------------


def so_many_cards(number: int) -> Message:
    """The number of cards, where nobody names them."""
    if not number:
        return say("no cards")
    return say_many("number", "{number} card", "{number} cards", number=number)


def amount(halves: int) -> WrittenNumber:
    """Half points as a player writes them: 1½, ½, 2."""
    whole, half = divmod(halves, 2)
    return WrittenNumber(f"{whole or '' if half else whole}{'½' if half else ''}", whole + half)


def the_die(die: int, modified: int) -> Message:
    """The die as it fell, and with its modifiers where they change it."""
    if die == modified:
        return say("die {die}", die=die)
    return say("die {die}, modified to {modified}", die=die, modified=modified)
