"""The slot `turn_end`: what a side does between two turns, ordered in advance.

Points are spent from the top of a list, over and over; a purchase that is no longer legal, or too
dear, is passed over. The lists may be empty, which means "nothing".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine import shapes
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, Example, best_by, first_of, unless
from pbem.engine.shapes import NAME, ByKind, Fields, Many, OneField, Shape, Word, listed
from pbem.games.crusade import orders as o
from pbem.games.crusade.clock import now
from pbem.games.crusade.conditions import SPACE_NAME, stranger, unit_word
from pbem.games.crusade.policies.cards import IN_HAND, SLOTS, cards_in, slots_of
from pbem.games.crusade.position import ELIMINATED, ROUNDS, Position
from pbem.games.crusade.rules.options_decks import (
    discards_lie_face_down,
    may_discard,
    not_to_discard,
)
from pbem.games.crusade.rules.ranking import first_named, fits
from pbem.games.crusade.rules.reinforcement import corps_spaces
from pbem.games.crusade.rules.stacking import owner_thins_out
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN
from pbem.messages import marked, say

if TYPE_CHECKING:
    from pbem.games.crusade.stages.draw import Discards
    from pbem.games.crusade.stages.replacements import ReturningCorps, Spending


def is_last_move(position: Position, side: Side) -> bool:
    """Whether a side has the last move of the turn, and so nothing to hide from an enemy who is
    bound for the turn's end.

    In clear it answers at once, and costs no mail.
    """
    return side == REPUBLICAN == position.active and now(position)[1] == ROUNDS


# --- replacement points -------------------------------------------------------------------------

Line = Mapping[str, Any]
"""What points are spent on, by its verb; or one purchase, by the names of its fields."""


def _own(position: Position, side: Side, word: str) -> Iterator[str]:
    """The units of a side that a word means, in stack order."""
    for unit, kind in position.tables.units.items():
        if kind.side == side and fits(position, word, unit):
            yield unit


def _replacing(position: Position, side: Side, line: Line) -> Iterator[Order]:
    worn = filter(position.is_reduced, _own(position, side, line["unit"]))
    return (o.Replace(unit, line.get("using", "")) for unit in worn)


def _rebuilding(position: Position, side: Side, line: Line) -> Iterator[Order]:
    """The more expensive rebuilding first."""
    for unit in _own(position, side, line["unit"]):
        kind = position.type_of(unit)
        if position.place_of(unit) == ELIMINATED:
            wished = listed(line.get("to", ())) or corps_spaces(position, unit)
            for steps in (line["steps"],) if "steps" in line else range(kind.steps, 0, -1):
                for space in wished if kind.is_corps else ("",):
                    yield o.Rebuild(unit, steps, line.get("using", ""), space)


def _supplying(position: Position, side: Side, line: Line) -> Iterator[Order]:
    yield o.Supply(line["name"])


def _reclaiming(position: Position, side: Side, line: Line) -> Iterator[Order]:
    yield o.Reclaim(line["count"], line.get("using", ""))


def _never_replaced(position: Position, side: Side, word: str) -> Iterator[Violation]:
    """The fault of a word for no unit of the side, or for units that never take replacements."""
    yield from stranger(position, side, word)
    kinds = [position.type_of(unit) for unit in _own(position, side, word)]
    if kinds and not any(kind.rp for kind in kinds):
        yield Violation(say("{unit} never takes replacements", unit=word), rule="14.1.6")


def _siege(position: Position, side: Side, written: Any) -> Iterator[Violation]:
    if not isinstance(written, str):
        yield Violation(say("expected a siege"), hint=", ".join(position.sieges))


def _no_siege(position: Position, side: Side, name: str) -> Iterator[Violation]:
    known = position.sieges if side == NATIONALIST else ()
    if name not in known:
        told = say("you have no siege {name} to supply", name=repr(name))
        yield Violation(told, rule="16.1.8", hint=", ".join(known))


def _none_rebuilt(position: Position, side: Side, lines: Sequence[Line]) -> Iterator[Violation]:
    for place, line in enumerate(lines):
        if "reclaim" in line and not position.option("18.2.10"):
            told = say("markers are not rebuilt without option 18.2.10")
            yield Violation(told, (place, "reclaim"), rule="18.2.10", is_key=True)


SPACES, UNIT = Many(SPACE_NAME, numbered=False), unit_word(never=_never_replaced)
USING = shapes.one_of(
    lambda position, side: position.tables.currencies[side], marked("you have no {name} points")
)
COUNT = shapes.fitting(
    lambda said: type(said) is int and 1 <= said <= 99,
    say("expected a number of markers"),
    {"type": "integer", "minimum": 1, "maximum": 99},
)
STEPS = Word((1, 2), say("steps must be 1 or 2"))
Orders = Callable[[Position, Side, Line], Iterable[Order]]
PURCHASES: Mapping[str, tuple[Orders, Mapping[str, Shape]]] = {
    "replace": (_replacing, {"unit": UNIT, "using": USING}),
    "rebuild": (_rebuilding, {"unit": UNIT, "steps": STEPS, "using": USING, "to": SPACES}),
    "siege": (_supplying, {"name": shapes.Judged(_siege, NAME, never=_no_siege)}),
    "reclaim": (_reclaiming, {"count": COUNT, "using": USING}),
}
"""What points are spent on: the orders that a line may mean now, and its fields."""
MOST_LINES = 60


def _purchase(verb: str) -> Shape:
    """How a line is written: its first field may stand alone."""
    _, fields = PURCHASES[verb]
    first = next(iter(fields))
    told = say("{verb} needs {first}", verb=verb, first=first)
    whole = Fields(fields, told, needs=(first,), looks_on=True)
    return ByKind(mapping=whole, other=fields[first])


def _spending(position: Position, stage: Spending, lines: Sequence[Line]) -> Iterator[Order]:
    for verb, said in (purchase for line in lines for purchase in line.items()):
        orders, fields = PURCHASES[verb]
        line = said if isinstance(said, Mapping) else {next(iter(fields)): said}
        yield from orders(position, stage.side, line)


PURCHASE = OneField(
    {verb: _purchase(verb) for verb in PURCHASES},
    say("a line must say what points are spent on"),
    ", ".join(PURCHASES),
)
REPLACEMENTS: Clause = Clause(
    Many(
        PURCHASE,
        say("replacements must be a list of at most {most_lines} lines", most_lines=MOST_LINES),
        say("[{replace: INF}, {rebuild: {unit: POL, steps: 1}}]"),
        MOST_LINES,
        never=_none_rebuilt,
    ),
    first_of(_spending),
    example=("[]", say("in order: [{replace: INF}, {rebuild: POL}]")),
)

# --- spaces: a corps that returns, markers, and a space too full --------------------------------


def _returning(position: Position, stage: ReturningCorps, spaces: Any) -> Iterator[Order]:
    """The corps that is due at each of the spaces."""
    from pbem.games.crusade.stages.replacements import due_corps

    unit = due_corps(position, stage.side)[0]
    return (o.Deploy(unit, space) for space in listed(spaces))


def _never_leaves(position: Position, side: Side, word: str) -> Iterator[Violation]:
    """The fault of a word for no unit of the enemy, where a side never thins out its own."""
    if side == NATIONALIST or not owner_thins_out(position):
        yield from stranger(position, ENEMY[side], word)


PLACES = Many(SPACE_NAME, numbered=False, once=True)
RETURNING: Clause = Clause(PLACES, first_of(_returning))
MARKERS: Clause = Clause(
    PLACES,
    first_of(lambda position, stage, spaces: map(o.RemoveMarker, listed(spaces))),
    example=("[]", say("spaces whose Position or Trench you give up")),
)
SURPLUS: Clause = Clause(
    shapes.ranking(unit_word(never=_never_leaves), needed=False), best_by(first_named)
)

# --- cards --------------------------------------------------------------------------------------


def _discarding(position: Position, stage: Discards, policy: Document) -> Order:
    """The listed cards that are still in the hand, as far as they may be discarded."""
    going = _slots_to_discard(position, stage, policy)
    if not discards_lie_face_down(position):
        cards = [position.known.get(slot) for slot in going]
        going = [card for card in cards if card is not None and may_discard(position, card)]
    return o.Discard(tuple(going)) if going else o.Done()


def _slots_to_discard(position: Position, stage: Discards, policy: Document) -> list[str]:
    hand = position.decks[stage.side].hand
    return [slot for slot in dict.fromkeys(listed(policy.get("discard", ()))) if slot in hand]


def _slots_to_show(position: Position, stage: Discards, policy: Document) -> Iterator[str]:
    """The slots that a discard opens: none if discards are face down."""
    is_dark = discards_lie_face_down(position)
    return iter(() if is_dark else _slots_to_discard(position, stage, policy))


def shown_for_certain(position: Position, side: Side, policy: Document) -> tuple[str, ...]:
    """The slots of the cards that a side without further moves will discard, if they are shown."""
    hand = position.decks[side].hand
    said = () if discards_lie_face_down(position) else listed(policy.get("discard", ()))
    return tuple(slot for slot in dict.fromkeys(said) if slot in hand)


def _could_be_discarded(position: Position, side: Side) -> Example:
    cards = [card for card in position.hand_cards(side) if may_discard(position, card)]
    if not cards:
        return "[]", say("you hold none")
    return "[]", say("some of {cards}", cards=", ".join(cards))


DISCARDED = shapes.Also(IN_HAND, lambda position, side, card: not_to_discard(position, card))
DISCARD: Clause = Clause(
    Many(DISCARDED, once=True),
    answers={"discard": Answer(_discarding, _slots_to_show)},
    sealed=SLOTS,
    seal=slots_of,
    unseal=cards_in,
    example=_could_be_discarded,
)
REDRAW: Clause = Clause(
    Word(
        ("never",),
        say("redraw must be never, or left out so that the game asks"),
        rule="15.1.2",
        hint=say("whether your hand lacks a corps card is hidden, so no policy can depend on it"),
    ),
    unseal=lambda position, side, said: "never",
)
"""The hand is kept, unless all see that it may not be."""

# --- guerrillas ---------------------------------------------------------------------------------

EFFECTS = ("sabotage", "intelligence", "none")
ODD, USUAL = (
    say("that is not something guerrillas can do"),
    say("{effects}, {guerrilla: burgos}", effects=", ".join(EFFECTS)),
)


def _raid(wish: Any) -> Order:
    """An effect of the guerrillas; `none` leaves the corps at home."""
    if isinstance(wish, Mapping):
        return o.Guerrilla("guerrilla", wish["guerrilla"])
    return o.Done() if wish == "none" else o.Guerrilla(wish)


def _behind_none(position: Position, side: Side, wishes: Sequence[Any]) -> Iterator[Violation]:
    told = say("none comes before it")
    yield from [*shapes.unreached(wishes, lambda wish: wish == "none", told)][:1]


GUERRILLA: Clause = Clause(
    Many(
        ByKind(
            ODD,
            USUAL,
            mapping=OneField({"guerrilla": SPACE_NAME}, ODD, USUAL),
            word=Word(EFFECTS, ODD, USUAL),
        ),
        once=True,
        never=_behind_none,
    ),
    first_of(lambda position, stage, wishes: map(_raid, listed(wishes))),
    unasked=unless(
        lambda position, side: side == REPUBLICAN and position.option("18.1.9"),
        say("you have no guerrillas"),
        "18.1.9",
    ),
)
