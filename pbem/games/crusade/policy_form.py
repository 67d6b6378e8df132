"""The shapes of the parts of a standing policy: as a player writes them, and in a document.

What is written is checked strictly, since a fault would otherwise only show when it is too late to
mend it. A document comes out of a game file and may hold anything: with any fault it is none. The
two differ where a hidden hand is named: a player names cards, a document slots (policy_parts.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.codec import Misfit, from_plain
from pbem.engine.model import Side, Violation
from pbem.engine.shapes import (
    NAME,
    TRUE,
    Also,
    ByKind,
    Fields,
    Judged,
    ListOf,
    Many,
    OneField,
    OrWord,
    Path,
    Shape,
    Word,
    meant,
    name,
)
from pbem.games.crusade.conditions import (
    A_LIST,
    LOSS_RANKING,
    LOSS_WORD,
    RANKING,
    UNIT_WORD,
    WHEN,
    WHEN_CARDS,
    WHEN_ROLLED,
)
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import may_discard
from pbem.games.crusade.rules.ranking import FLIP

# --- names --------------------------------------------------------------------------------------


SPACE = name("space", lambda position: position.tables.spaces)
SPACES: Shape = Many(SPACE, numbered=False)
PLACES: Shape = Many(SPACE, numbered=False, once=True)


def _card(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    known = position.tables.cards.get(card) if isinstance(card, str) else None
    if known is None:
        hint = meant(card, position.tables.cards, "a card goes by its id, as R7")
        yield Violation(f"no card is named {card!r}", at=path, hint=hint)
    elif known.side != side or known.kind != "combat":
        yield Violation(f"{card} ({known.title}) is no combat card of yours", at=path)


def _held(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    """A hidden card is named by its slot, so its author must hold it when they write."""
    lies_there = (*position.hand_cards(side), *position.decks[side].table)
    if not position.option("open_hands") and card not in lies_there:
        held = ", ".join(lies_there)
        yield Violation(f"{card} is not in your hand", at=path, rule="8.5.3.1",
                        hint=f"you hold {held}" if held else "your hand is empty")  # fmt: skip


def _in_hand(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    """A card of the own hand, whatever it is."""
    hand = position.hand_cards(side)
    if card not in hand:
        yield Violation(f"{card} is not in your hand", at=path, hint=f"you hold {', '.join(hand)}")


def _may_go(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    if not may_discard(position, card):
        yield Violation(f"{card} is no combat card and may not be discarded",
                        at=path, rule="8.5.3.6")  # fmt: skip


def _slot_name(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, str):
        yield Violation("a slot is a name", at=path)


def _unit(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    units = position.tables.units
    if written != "" and (not isinstance(written, str) or written not in units):
        yield Violation(f"no unit is named {written!r}", at=path, hint=meant(written, units, ""))


COMBAT_CARD, SLOT = Judged(_card, NAME, "card"), Judged(_slot_name, NAME)
UNIT = Judged(_unit, NAME, "unit")
DISCARDS: Shape = Many(Also(Judged(_in_hand, NAME, "card"), _may_go), once=True)
SLOTS: Shape = Many(SLOT)

# --- cards --------------------------------------------------------------------------------------


def _place(position: Position, side: Side, clause: Any, path: Path) -> Iterator[Violation]:
    """The card lies where the clause says; on the table it may come to lie later."""
    if not isinstance(clause, Mapping) or "card" not in clause:
        return
    card, slot = clause["card"], clause.get("slot")
    if any(True for _ in _card(position, side, card, path)):
        return
    if slot is None:
        yield from _held(position, side, card, (*path, "card"))
    elif slot != "table" and slot not in position.decks[side].hand:
        yield Violation(
            f"your hand has no slot {slot!r}", at=(*path, "slot"), hint="table for a kept card"
        )
    elif slot != "table" and position.card_in(slot) not in (None, card):
        lies_there = position.slot_of(side, card)
        yield Violation(f"{slot} does not hold {card}", at=(*path, "slot"),
                        hint=f"it is in {lies_there}" if lies_there else "")  # fmt: skip


def _seen_with_the_card(
    position: Position, side: Side, written: Any, path: Path
) -> Iterator[Violation]:
    return iter(())


PLACE = Judged(_seen_with_the_card, {"type": ["string", "null"]})
"""Where a card lies is judged by the card that lies there."""


def _by_name(position: Position, side: Side, clause: Any, path: Path) -> Iterator[Violation]:
    if isinstance(clause, Mapping) and clause.get("slot") == "table" and "card" not in clause:
        yield Violation("a card on the table goes by its name", at=path)


def _clause(text: str, hint: str, slot: Shape, *needs: str) -> Shape:
    return Fields(
        {"card": COMBAT_CARD, "slot": slot, "when": WHEN_CARDS, "target": UNIT}, text, hint, needs
    )


CARDS: Shape = OrWord(
    ("none",), Also(Many(COMBAT_CARD, once=True, needed=True), Many(Judged(_held, NAME)).faults)
)
SEALED_CARDS: Shape = OrWord(("none",), Many(COMBAT_CARD))
WRITTEN_CLAUSE = _clause("a clause names a card", "{card: R7, when: {any: true}}", PLACE, "card")
CARD_CLAUSES: Shape = Many(Also(WRITTEN_CLAUSE, _place, always=True), needed=True)
SEALED_CLAUSES: Shape = Many(
    Also(_clause("a clause names a slot", "", SLOT, "card", "slot"), _by_name, always=True)
)

# --- combats ------------------------------------------------------------------------------------

LOSSES: Shape = ListOf(
    ByKind(
        mapping=OneField(
            {"order": LOSS_RANKING, "lose_last": RANKING, FLIP: TRUE},
            f"a line of losses says order, lose_last or {FLIP}", "{lose_last: [AFR]}",
        ),
        other=LOSS_WORD,
    ),
    "losses are a list", "[MIL, POL, INF]", once=True, leads=(FLIP,),
)  # fmt: skip
CANCELLING: Shape = OrWord(
    ("never", "always"),
    ListOf(
        Fields({"when": WHEN_ROLLED, "from": LOSS_RANKING}, "a clause has when and from"),
        "cancel_retreat is never, always or a list of clauses",
        "[{when: {space: [madrid]}, from: [MIL]}]",
    ),
)

RETREAT_WORDS = ("in_supply", "fewest_enemies", "stack_with_fewest", "not_next_to_enemy")


def _is_goal(position: Position, goal: Any) -> bool:
    return goal == "supply" or (isinstance(goal, str) and goal in position.tables.spaces)


def _goal(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not _is_goal(position, written):
        hint = meant(written, (*position.tables.spaces, "supply"), "")
        yield Violation(f"no space is named {written!r}", at=path, hint=hint)


def _way(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    goal = written.removeprefix("toward_")
    if written not in RETREAT_WORDS and (goal == written or not _is_goal(position, goal)):
        told = f"toward_supply, toward_ and a space, {', '.join(RETREAT_WORDS)}"
        ways = (*RETREAT_WORDS, *(f"toward_{each}" for each in ("supply", *position.tables.spaces)))
        hint = meant(written, ways, told)
        yield Violation(f"no retreat is named {written!r}", at=path, hint=hint)


GOALS = Many(Judged(_goal, NAME, "space"), numbered=False, needed=True)
PREFERENCES: Mapping[str, Shape] = {
    "toward": GOALS, "into": GOALS, **dict.fromkeys(RETREAT_WORDS, TRUE),
}  # fmt: skip


def _no_preference(key: str) -> Violation:
    hint = meant(key, PREFERENCES, f"there are {', '.join(PREFERENCES)}")
    return Violation(f"no preference is named {key!r}", hint=hint, is_key=True)


PREFERENCE = OneField(
    PREFERENCES, "a preference says one thing", "{toward: madrid}", _no_preference
)
RETREAT: Shape = ByKind(
    "a retreat has sequence and prefer, or is one word",
    mapping=Fields({"sequence": RANKING, "prefer": Many(PREFERENCE, once=True, needed=True)}, ""),
    word=Judged(_way, {"anyOf": [
        {"enum": list(RETREAT_WORDS)}, {"type": "string", "pattern": "^toward_"},
    ]}),
)  # fmt: skip


def may_withdraw(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    """18.3.1: why nobody is ever asked to withdraw, if so."""
    if not position.option("18.3.1"):
        yield Violation("withdrawing before combat needs the option 18.3.1", at=path, rule="18.3.1")


WITHDRAWING: Shape = Also(
    ByKind(
        "withdraw_first is yes, no, or has a when", mapping=Fields({"when": WHEN}, ""), flag=True
    ),
    may_withdraw,
    first=True,
)

# --- what an event demands ----------------------------------------------------------------------

FORCING = ("N31", "R47")
"""The cards that take a unit which its owner chooses."""
LOWEST = "lowest_ops"
"""Of the cards held when the policy is written, the least goes first."""
TAKEN: Mapping[str, Shape] = {
    **dict.fromkeys(FORCING, RANKING),
    "discard": OrWord((LOWEST,), Many(Judged(_in_hand, NAME, "card"), once=True)),
}  # fmt: skip


def _takes_nothing(card: str) -> Violation:
    hint = meant(card, TAKEN, ", ".join(TAKEN))
    return Violation(f"{card!r} takes no unit of your choice", hint=hint, is_key=True)


FORCED: Shape = Fields(
    TAKEN,
    "forced names cards and what they take",
    "{N31: [reduced]}",
    unknown=_takes_nothing,
    behind=RANKING,
)


def _sealed_forced(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    try:
        said = from_plain(Mapping[str, Any], written)  # type: ignore[type-abstract]
    except Misfit as misfit:
        yield Violation(f"forced: {misfit.message}", at=(*path, *misfit.path))
        return
    for card, words in said.items():
        if card == "discard":
            yield from SLOTS.faults(position, side, words, (*path, card))
        elif card in FORCING:
            yield from RANKING.faults(position, side, words, (*path, card))
        else:
            yield Violation(f"{card[:40]!r} takes nothing", at=(*path, card))


SEALED_FORCED: Shape = Judged(_sealed_forced, {"type": "array"})

# --- the end of a turn --------------------------------------------------------------------------

MOST_LINES = 60


def _steps(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if type(written) is not int or written not in (1, 2):
        yield Violation("a unit is rebuilt with one step or two", at=path)


def _count(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if type(written) is not int or not 1 <= written <= 99:
        yield Violation("a number of markers is wanted", at=path)


def _currency(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    known = position.tables.currencies[side]
    if not isinstance(written, str) or written not in known:
        hint = meant(written, known, ", ".join(known))
        yield Violation(f"you have no {written!r} points", at=path, hint=hint)


def _siege(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, str):
        yield Violation("a siege is wanted", at=path, hint=", ".join(position.sieges))


def _purchase(verb: str, fields: Mapping[str, Shape]) -> Shape:
    """What points are spent on; the first field may stand alone."""
    first, shape = next(iter(fields.items()))
    whole = Fields(fields, f"{verb} needs {first}", "", (first,), looks_on=True)
    return ByKind(mapping=whole, other=shape)


USING = Judged(_currency, NAME)
STEPS = Judged(_steps, {"enum": [1, 2]})
COUNT = Judged(_count, {"type": "integer", "minimum": 1, "maximum": 99})
PURCHASES: Mapping[str, Shape] = {
    "replace": _purchase("replace", {"unit": UNIT_WORD, "using": USING}),
    "rebuild": _purchase(
        "rebuild", {"unit": UNIT_WORD, "steps": STEPS, "using": USING, "to": SPACES}
    ),
    "siege": _purchase("siege", {"name": Judged(_siege, NAME)}),
    "reclaim": _purchase("reclaim", {"count": COUNT, "using": USING}),
}
REPLACEMENTS: Shape = ListOf(
    OneField(PURCHASES, "a line says what points are spent on", ", ".join(PURCHASES)),
    f"replacements are a list of {MOST_LINES} lines at most",
    "[{replace: INF}, {rebuild: {unit: POL, steps: 1}}]",
    MOST_LINES,
    needed=False,
)
SURPLUS: Shape = ListOf(UNIT_WORD, A_LIST, once=True, needed=False)
REDRAWING: Shape = Word(
    ("never",), "redraw is never, or left out: then the game asks", rule="15.1.2",
    hint="whether your hand lacks a corps is no public fact, so no policy can tell",
)  # fmt: skip

EFFECTS = ("sabotage", "intelligence", "none")


def _wish(position: Position, side: Side, wish: Any, path: Path) -> Iterator[Violation]:
    if isinstance(wish, Mapping) and set(wish) == {"guerrilla"}:
        if isinstance(wish["guerrilla"], str):
            yield from SPACE.faults(position, side, wish["guerrilla"], path)
        else:
            yield Violation("guerrillas go to one space", at=path)
    elif not isinstance(wish, str) or wish not in EFFECTS:
        hint = f"{', '.join(EFFECTS)}, {{guerrilla: burgos}}"
        yield Violation("that is not what guerrillas do", at=path, hint=hint)


GUERRILLA: Shape = Many(Judged(_wish, {"anyOf": [
    {"enum": list(EFFECTS)},
    {
        "type": "object", "properties": {"guerrilla": {"type": "string"}},
        "required": ["guerrilla"], "additionalProperties": False,
    },
]}), once=True)  # fmt: skip
