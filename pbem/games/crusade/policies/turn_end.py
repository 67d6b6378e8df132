"""The slot `turn_end`: what a side does between two turns, ordered in advance.

Points are spent from the top of a list, over and over; a purchase that is no longer legal, or too
dear, is passed over. The lists may be empty, which means "nothing".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, Side, Violation
from pbem.engine.policy_rows import Answer, Clause, Document, Example, first_of, unless
from pbem.engine.shapes import (
    NAME,
    Also,
    ByKind,
    Fields,
    Judged,
    ListOf,
    Many,
    OneField,
    Shape,
    Word,
    fitting,
    listed,
    one_of,
    unreached,
)
from pbem.games.crusade import orders as o
from pbem.games.crusade.conditions import A_LIST, SPACE_NAME, UNIT_WORD, stranger, unit_word
from pbem.games.crusade.policies.cards import IN_HAND, SLOTS, cards_in, slots_of
from pbem.games.crusade.policies.moment import now
from pbem.games.crusade.position import ELIMINATED, ROUNDS, Position
from pbem.games.crusade.rules.options_decks import discards_lie_face_down, may_discard
from pbem.games.crusade.rules.ranking import first_named, fits
from pbem.games.crusade.rules.reinforcement import corps_spaces
from pbem.games.crusade.rules.stacking import owner_thins_out
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN
from pbem.messages import marked, say
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.games.crusade.stages.draw import Discards
    from pbem.games.crusade.stages.replacements import ReturningCorps, Spending
    from pbem.games.crusade.stages.war_status import Overflow, Surplus


def is_last_move(position: Position, side: Side) -> bool:
    """Whether a side has the last move of the turn, and so nothing to hide.

    Its enemy has written everything before they read it. In clear it answers at once, and costs no
    mail except for discards, whose cards they open in their next one.
    """
    return side == REPUBLICAN == position.active and now(position)[1] == ROUNDS


# --- replacement points -------------------------------------------------------------------------

Line = Mapping[str, Any]


def _own(position: Position, side: Side, word: str) -> Iterator[str]:
    """The units of a side that a word means, in stack order."""
    for unit, kind in position.tables.units.items():
        if kind.side == side and fits(position, word, unit):
            yield unit


def _replacing(position: Position, side: Side, line: Line) -> Iterator[Order]:
    for unit in _own(position, side, line["unit"]):
        if position.is_reduced(unit):
            yield o.Replace(unit, line.get("using", ""))


def _rebuilding(position: Position, side: Side, line: Line) -> Iterator[Order]:
    """The more expensive rebuilding first."""
    for unit in _own(position, side, line["unit"]):
        kind = position.type_of(unit)
        if position.place_of(unit) == ELIMINATED:
            wished = listed(line.get("to", ())) or corps_spaces(position, unit)
            for steps in (line["steps"],) if "steps" in line else range(kind.steps, 0, -1):
                for space in wished if kind.is_corps else ("",):
                    yield o.Rebuild(unit, steps, line.get("using", ""), space)


def _never_replaced(position: Position, side: Side, line: Line) -> Iterator[Violation]:
    """The fault of a word for units that can never take replacements."""
    kinds = [position.type_of(unit) for unit in _own(position, side, line["unit"])]
    if kinds and not any(kind.rp for kind in kinds):
        yield Violation(
            say("{unit} never takes replacements", unit=line["unit"]), ("unit",), rule="14.1.6"
        )


def _no_siege(position: Position, side: Side, line: Line) -> Iterator[Violation]:
    known = position.sieges if side == NATIONALIST else ()
    if line["name"] not in known:
        told = say("you have no siege {name} to supply", name=repr(line["name"]))
        yield Violation(told, rule="16.1.8", hint=", ".join(known))


def _none_rebuilt(position: Position, side: Side, line: Line) -> Iterator[Violation]:
    if not position.option("18.2.10"):
        told = say("markers are not rebuilt without option 18.2.10")
        yield Violation(told, rule="18.2.10", is_key=True)


def _siege(position: Position, side: Side, written: Any) -> Iterator[Violation]:
    if not isinstance(written, str):
        yield Violation(say("expected a siege"), hint=", ".join(position.sieges))


USING = one_of(
    lambda position, side: position.tables.currencies[side], marked("you have no {name} points")
)
COUNT = fitting(
    lambda said: type(said) is int and 1 <= said <= 99,
    say("expected a number of markers"),
    {"type": "integer", "minimum": 1, "maximum": 99},
)


@value
class Purchase:
    """A purchase: its fields, of which the first may stand alone, the orders it may mean now, and
    why it may never mean any.
    """

    fields: Mapping[str, Shape]
    orders: Callable[[Position, Side, Line], Iterable[Order]]
    never: Callable[[Position, Side, Line], Iterator[Violation]]

    def shape(self, verb: str) -> Shape:
        """How a line is written."""
        first, alone = next(iter(self.fields.items()))
        whole = Fields(
            self.fields,
            say("{verb} needs {first}", verb=verb, first=first),
            "",
            (first,),
            looks_on=True,
        )
        return ByKind(mapping=whole, other=alone)

    def line(self, said: Any) -> Line:
        """A line with its fields."""
        return said if isinstance(said, Mapping) else {next(iter(self.fields)): said}


PURCHASES: Mapping[str, Purchase] = {
    "replace": Purchase({"unit": UNIT_WORD, "using": USING}, _replacing, _never_replaced),
    "rebuild": Purchase(
        {
            "unit": UNIT_WORD,
            "steps": Word((1, 2), say("steps must be 1 or 2")),
            "using": USING,
            "to": Many(SPACE_NAME, numbered=False),
        },
        _rebuilding,
        _never_replaced,
    ),
    "siege": Purchase(
        {"name": Judged(_siege, NAME)},
        lambda position, side, line: (o.Supply(line["name"]),),
        _no_siege,
    ),
    "reclaim": Purchase(
        {"count": COUNT, "using": USING},
        lambda position, side, line: (o.Reclaim(line["count"], line.get("using", "")),),
        _none_rebuilt,
    ),
}
MOST_LINES = 60


def _spending(
    position: Position, stage: Spending, lines: Sequence[Mapping[str, Any]]
) -> Iterator[Order]:
    for verb, said in (purchase for line in lines for purchase in line.items()):
        yield from PURCHASES[verb].orders(position, stage.side, PURCHASES[verb].line(said))


def _in_vain(
    position: Position, side: Side, lines: Sequence[Mapping[str, Any]]
) -> Iterator[Violation]:
    """The faults of purchases that are never legal: of a missing siege, or without their option."""
    for place, line in enumerate(lines):
        ((verb, said),) = line.items()
        for fault in PURCHASES[verb].never(position, side, PURCHASES[verb].line(said)):
            inside = fault.at if isinstance(said, Mapping) else ()
            yield replace(fault, at=(place, verb, *inside))


REPLACEMENTS: Clause = Clause(
    ListOf(
        OneField(
            {verb: purchase.shape(verb) for verb, purchase in PURCHASES.items()},
            say("a line must say what points are spent on"),
            ", ".join(PURCHASES),
        ),
        say("replacements must be a list of at most {most_lines} lines", most_lines=MOST_LINES),
        say("[{replace: INF}, {rebuild: {unit: POL, steps: 1}}]"),
        MOST_LINES,
        needed=False,
        never=_in_vain,
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


def _leaving(position: Position, stage: Overflow | Surplus, words: Sequence[str]) -> Order | None:
    """The first unit of the list that is in play leaves the game, or goes to the Reserve."""
    asked = stage.ask(position)
    leaver = first_named(position, words, position.units_in(stage.space))
    return replace(asked.default, unit=leaver) if asked else None


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
    ListOf(unit_word(never=_never_leaves), A_LIST, once=True, needed=False), _leaving
)

# --- cards --------------------------------------------------------------------------------------


def _may_go(position: Position, side: Side, card: Any) -> Iterator[Violation]:
    if not may_discard(position, card):
        told = say("{card} is not a combat card and may not be discarded", card=card)
        yield Violation(told, rule="8.5.3.6")


def _discarding(position: Position, stage: Discards, policy: Document) -> Order:
    """The listed cards that are still in the hand, as far as they may be discarded."""
    slots = _slots_to_discard(position, stage, policy)
    if discards_lie_face_down(position):
        going: tuple[str, ...] = tuple(slots)
    else:
        cards = (position.known.get(slot) for slot in slots)
        going = tuple(card for card in cards if card is not None and may_discard(position, card))
    return o.Discard(going) if going else o.Done()


def _slots_to_discard(position: Position, stage: Discards, policy: Document) -> Iterator[str]:
    hand = position.decks[stage.side].hand
    wished = dict.fromkeys(listed(policy.get("discard", ())))
    return (slot for slot in wished if slot in hand)


def _slots_to_show(position: Position, stage: Discards, policy: Document) -> Iterator[str]:
    """The slots that a discard opens: none if discards are face down."""
    is_dark = discards_lie_face_down(position)
    return iter(()) if is_dark else _slots_to_discard(position, stage, policy)


def _could_be_discarded(position: Position, side: Side) -> Example:
    cards = [card for card in position.hand_cards(side) if may_discard(position, card)]
    if not cards:
        return "[]", say("you hold none")
    return "[]", say("some of {cards}", cards=", ".join(cards))


DISCARD: Clause = Clause(
    Many(Also(IN_HAND, _may_go), once=True),
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


def _wish(position: Position, side: Side, wish: Any) -> Iterator[Violation]:
    if isinstance(wish, Mapping) and set(wish) == {"guerrilla"}:
        if isinstance(wish["guerrilla"], str):
            yield from SPACE_NAME.judge(position, side, wish["guerrilla"])
        else:
            yield Violation(say("guerrillas go to a single space"))
    elif not isinstance(wish, str) or wish not in EFFECTS:
        hint = say("{effects}, {guerrilla: burgos}", effects=", ".join(EFFECTS))
        yield Violation(say("that is not something guerrillas can do"), hint=hint)


def _raid(wish: Any) -> Order:
    """An effect of the guerrillas; `none` leaves the corps at home."""
    if isinstance(wish, Mapping):
        return o.Guerrilla("guerrilla", wish["guerrilla"])
    return o.Done() if wish == "none" else o.Guerrilla(wish)


def _behind_none(position: Position, side: Side, wishes: Sequence[Any]) -> Iterator[Violation]:
    yield from [*unreached(wishes, lambda wish: wish == "none", say("none comes before it"))][:1]


GUERRILLA: Clause = Clause(
    Many(
        Judged(
            _wish,
            {
                "anyOf": [
                    {"enum": list(EFFECTS)},
                    {
                        "type": "object",
                        "properties": {"guerrilla": {"type": "string"}},
                        "required": ["guerrilla"],
                        "additionalProperties": False,
                    },
                ]
            },
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
