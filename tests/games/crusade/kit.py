"""What the contract suite has to know of Crusade: its accounts, its ways to end, its policies."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from pbem.engine.codec import to_plain
from pbem.gamedata.load import drawing
from pbem.games.crusade.data.facts import is_fact
from pbem.games.crusade.sheet import FURNITURE
from tests.contract.kits import Document, Hidden, Kit, Way
from tests.games.crusade.searches import FIRST, searches
from tests.games.crusade.watch import Watch
from tests.games.crusade.written_out import written_out

TOLD_BY_MARKERS = frozenset({"madrid_settled"})
"""Facts that a scenario tells by the level of a marker."""


def faults(position: Any) -> Iterator[str]:
    """Each unit in one place that exists; each card of a side in one of its places."""
    from pbem.games.crusade.position import OFF_MAP

    if position.counters.keys() != position.tables.units.keys():
        yield "a unit has come from nowhere or is lost"
    for unit, counter in position.counters.items():
        if counter.place not in OFF_MAP and counter.place not in position.tables.spaces:
            yield f"{unit} is in {counter.place!r}, which is no place"
        if counter.reduced and position.type_of(unit).reduced is None:
            yield f"{unit} shows a side it does not have"
    for side, deck in position.decks.items():
        yield from _cards(position, side, deck)
    for flag in position.flags - TOLD_BY_MARKERS:
        if not is_fact(flag, len(position.tables.tables["turns"])):
            yield f"a scenario of an owner could not tell {flag!r}"
    yield from _overlooked(position)
    for slot in position.known:
        if position.known[slot] not in position.tables.cards:
            yield f"{slot} is known to hold {position.known[slot]!r}, which is no card"


def _overlooked(position: Any) -> Iterator[str]:
    """A condition of the whole map that holds and that nobody has looked at yet."""
    from pbem.engine.model import Unfolding
    from pbem.games.crusade.rules.ground import after_control_changes

    if position.result is None:
        story: Unfolding[Any] = Unfolding(position)
        after_control_changes(story, position)
        yield from (f"overlooked: {event}" for event in story.events)


def _cards(position: Any, side: str, deck: Any) -> Iterator[str]:
    slots = (*deck.pile, *deck.hand, *deck.face_down, *deck.retired)
    for slot, times in Tally(slots).items():
        if times > 1:
            yield f"the slot {slot} is {times} times among the cards of the {side}"
    known = [position.known[slot] for slot in slots if slot in position.known]
    for card, times in Tally([*known, *deck.table, *deck.discards, *deck.removed]).items():
        if times > 1:
            yield f"{card} is in {times} places"
        if position.card(card).side != side:
            yield f"{card} is among the cards of the {side}"


def cards(position: Any) -> dict[str, int]:
    """How many cards each side has, wherever they are."""
    return {
        side: sum(
            map(
                len,
                (
                    deck.pile,
                    deck.hand,
                    deck.table,
                    deck.discards,
                    deck.face_down,
                    deck.retired,
                    deck.removed,
                ),
            )
        )
        for side, deck in position.decks.items()
    }


def cards_due(position: Any) -> dict[str, int]:
    """How many cards each side has in all by now: those of the phases that have begun."""
    from pbem.games.crusade.rules.options_decks import phase_of_card

    known = position.tables, position.scenario, position.options, position.turn, position.flags
    if known not in _DUE:
        phases = position.tables.tables["phases"]
        begun = {row["id"] for row in phases if row["first_turn"] <= position.turn} - {"optional"}
        due = [c for c in position.tables.cards.values() if phase_of_card(position, c) in begun]
        _DUE[known] = {side: sum(card.side == side for card in due) for side in position.decks}
    return _DUE[known]


_DUE: dict[Any, dict[str, int]] = {}
"""What `cards_due` has found, for each turn under the options of a game."""


def is_between_rounds(decision: Any) -> bool:
    """Whether no card can be in play: a side is asked for its card of the round."""
    return bool(decision.stage == "action")


IN_BOX = frozenset({"pool", "eliminated", "removed", "display"})
"""Where a unit counts for nothing: its steps are in play everywhere else."""

STEPS: Mapping[str, tuple[int, int]] = {
    "UnitPlaced": (0, 2),
    "UnitReduced": (-1, -1),
    "UnitEliminated": (-2, 0),
    "CorpsReplaced": (0, 0),
    "UnitDisbanded": (-2, 0),
    "UnitRestored": (1, 1),
    "UnitWentAbroad": (-1, 2),
}
"""By how many steps these events may change what is in play; all others by none."""

POINTS: Mapping[str, int] = {
    "ReplacementsRecorded": 1,
    "ReplacementsAdjusted": 1,
    "ReplacementsSpent": -1,
}
"""What each half point of these events does to the account of its currency."""


def accounts(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Units, steps and replacement points change by what the event says, and by nothing else."""
    name = type(event).__name__
    if before.counters is not after.counters:
        named = set(_words(to_plain(event)))
        changed = [unit for unit, at in after.counters.items() if before.counters[unit] != at]
        yield from (f"{name} moves {unit}, which it does not name" for unit in changed
                    if unit not in named)  # fmt: skip
        steps = sum(_steps(after, unit) - _steps(before, unit) for unit in changed)
        least, most = STEPS.get(name, (0, 0))
        if not least <= steps <= most:
            yield f"{name} changes the steps in play by {steps}"
    if before.rp != after.rp:
        if name == "ReplacementsLapsed":
            if not set(after.rp.items()) <= set(before.rp.items()):
                yield f"{name} leaves {after.rp}"
        elif name not in POINTS:
            yield f"{name} changes the replacement points"
        elif sum(after.rp.values()) - sum(before.rp.values()) != POINTS[name] * event.halves:
            yield f"{name} books {event.halves} halves wrongly"


def _steps(position: Any, unit: str) -> int:
    return 0 if position.place_of(unit) in IN_BOX else int(position.steps_left(unit))


def _words(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, list):
        for inner in plain:
            yield from _words(inner)
    elif isinstance(plain, dict):
        for key, inner in plain.items():
            yield key
            yield from _words(inner)


def two_turns_are_over(position: Any) -> bool:
    first: int = position.tables.sheet(position.scenario)["first_turn"]
    return bool(position.turn > first + 1)


POLICIES: tuple[Document, ...] = (
    {},
    {"combat_card": "none", "losses": ["MIL", "POL", "INF", "AFR"], "cancel_retreat": "never",
     "retreat": "toward_supply"},
    {"cancel_retreat": "always", "own": {"advance": "never"}},
    {"losses": ["full"], "rally": ["division"]},
    {"losses": ["full"], "scope": {"only": ["losses"]}},
    {"turn_end": {}},
    {"turn_end": {"replacements": [{"replace": "division"}, {"rebuild": {"unit": "corps"}}],
                  "markers": ["madrid", "zaragoza"], "redraw": "never"}},
    {"losses": "ask", "retreat": "toward_supply", "turn_end": {"markers": "ask"}},
    {"slots": {"west": {"cancel_retreat": "always"}, "standing": "none"}},
)  # fmt: skip


def held(position: Any, side: str) -> tuple[str, ...]:
    """The cards of a hand that this view knows and the public does not."""
    shown = set(position.shown_cards(side))
    return tuple(card for card in position.hand_cards(side) if card not in shown)


def clauses(card: str) -> tuple[Document, ...]:
    return {"combat_card": [card]}, {"turn_end": {"discard": [card]}}


ENDED, TIE, MORALE = "the last turn is over", "the tie is theirs", "Republican Morale stands at"
CITIES, COUP = "every Main City is theirs", "Casado's coup"
GONE = "Republican Morale is gone"

WAYS = {
    "points_nationalist": Way("5.1.1", "nationalist", ENDED, exact=True),
    "points_republican": Way("5.1.1", "republican", ENDED, exact=True),
    "points_drawn": Way("5.1.1", None, ENDED, exact=True),
    "tie_nationalist": Way("19.1.4", "nationalist", TIE),
    "tie_republican": Way("19.2.4", "republican", TIE),
    "morale_nationalist": Way("5.2.2", "nationalist", MORALE),
    "morale_republican": Way("5.2.2", "republican", MORALE),
    "cities_nationalist": Way("5.2.3", "nationalist", CITIES),
    "cities_republican": Way("5.2.3", "republican", CITIES),
    "casado": Way("5.2.4", "nationalist", COUP),
    "morale_gone": Way("18.2.13", "nationalist", GONE),
}
"""How a game ends, in either edition."""


def words(tables: Any) -> Iterator[str]:
    """Cards with their texts, turns, kinds of units, and what the map says of regions and seas;
    spaces are called as they are everywhere."""
    for key in ("title", "text", "limits"):
        yield from (card[key] for card in tables["cards"]["cards"] if key in card)
    yield from (kind["name"] for kind in tables["units"]["types"])
    yield from (marker["name"] for marker in tables["map"]["spaces"] if marker.get("dormant"))
    for table in ("turns", "phases", "sieges"):
        yield from (row["name"] for row in tables["tables"][table])
    picture = drawing("crusade")
    yield from picture["regions"]
    yield from (inset["title"] for inset in picture["insets"])
    yield from (words for _, words, _, _ in picture["texts"])
    yield from (name for name in picture["boxes"] if name not in FURNITURE)
    yield "Beach Head"


KIT = Kit(
    has_works=True,
    has_only_answers=True,
    options=frozenset({"open_hands"}),
    is_long_enough=two_turns_are_over,
    faults=faults,
    accounts=accounts,
    watch=Watch,
    counts=cards,
    due=cards_due,
    is_at_rest=is_between_rounds,
    policies=POLICIES,
    ways=WAYS | {f"first_edition_{name}": replace(way, under=FIRST) for name, way in WAYS.items()},
    searches=searches,
    written_out=written_out,
    words=words,
    alike={"war_of_the_columns": "campaign", "collapse_of_the_northern_front": "two_years_of_war"},
    editions=(FIRST,),
    hidden=Hidden(
        option_off="open_hands",
        names=lambda position, side: position.hand_cards(side),
        held=held,
        secret=lambda position: position.secret,
        is_passive=lambda position: bool(position.round and not position.segment),
        clauses=clauses,
        always={"forced": {"discard": "lowest_ops"}, "turn_end": {"redraw": "never"}},
        fills_up=("campaign", "two_years_of_war"),
        shown_whole=("two_years_of_war", "redraw"),
    ),
)
