"""The form of a standing policy: of what a player writes, and of the document that is sealed.

What is written is checked strictly, since a fault would otherwise only show when it is too late to
mend it. A document comes out of a game file and may hold anything: with any fault it is none. The
two differ where a hidden hand is named: a player names cards, a document slots (policy_parts.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine.codec import Misfit, from_plain
from pbem.engine.model import Side, Violation
from pbem.games.crusade import conditions
from pbem.games.crusade.conditions import Path, listed, word_faults
from pbem.games.crusade.policy_scope import AT_TURN_END, REACTIONS, TURN_END, UNTIL, is_in_force
from pbem.games.crusade.policy_vain import vain_in
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import may_discard
from pbem.games.crusade.rules.ranking import FLIP
from pbem.value import replace

RETREAT_WORDS = ("in_supply", "fewest_enemies", "stack_with_fewest", "not_next_to_enemy")
CARDS_ARE_EARLY = "when cards are played"


def faults(position: Position, side: Side, policy: Any) -> tuple[Violation, ...]:
    """Everything that is wrong with a policy as written, judged by what its author knows."""
    return tuple(_faults(position, side, policy, WRITTEN, ()))


def document_faults(position: Position, side: Side, document: Any) -> Iterator[Violation]:
    """What is wrong with a document, whatever it is."""
    return _faults(position, side, document, DOCUMENT, ())


def scope_faults(position: Position, slot: str, scope: Any) -> Iterator[Violation]:
    """What is wrong with a public scope, whatever it is."""
    return _scope_of(position, AT_TURN_END if slot == TURN_END else REACTIONS, scope, ())


def misfits(
    position: Position, side: Side, slot: str, parts: tuple[Any, Any, Any]
) -> Iterator[Violation]:
    """What in the scope, the time and the document of a game file no policy can say."""
    scope, until, document = parts
    if scope is not None:
        yield from (
            replace(one, at=("scope", *one.at)) for one in scope_faults(position, slot, scope)
        )
    if until is not None and not UNTIL.fullmatch(until):
        yield Violation(
            "until names a turn, or a round of it", at=("until",), hint="turn 5 round 3"
        )
    if document is not None:
        faults = document_faults(position, side, document)
        yield from (replace(one, at=("doc", *one.at)) for one in faults)


def _faults(
    position: Position, side: Side, policy: Any, parts: Mapping[str, Part], path: Path
) -> Iterator[Violation]:
    if not isinstance(policy, Mapping):
        yield Violation("a standing policy is a mapping", at=path, hint="losses: [MIL, POL]")
        return
    for key, written in policy.items():
        check = parts.get(key)
        if check is None:
            known = ", ".join(parts)
            yield Violation(f"a policy has no part {key!r}", at=(*path, key),
                            hint=f"it has {known}", is_key=True)  # fmt: skip
            continue
        found = list(check(position, side, written, (*path, key)))
        if not found and parts is not DOCUMENT:
            found = list(vain_in(position, side, policy, key, (*path, key)))
        yield from found


# --- slots, scope and time ----------------------------------------------------------------------


def _scope(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    yield from _scope_of(position, REACTIONS, written, path)


def _scope_of(
    position: Position, kinds: tuple[str, ...], written: Any, path: Path
) -> Iterator[Violation]:
    if not isinstance(written, Mapping) or set(written) - {"ask", "only", "when"}:
        yield Violation(
            "a scope says only, when and ask", at=path, hint="{ask: [{space: [madrid]}]}"
        )
        return
    for place, kind in enumerate(listed(written.get("only", ()))):
        if kind not in kinds:
            yield Violation(f"a policy answers no {kind!r}", at=(*path, "only", place),
                            hint=", ".join(kinds))  # fmt: skip
    for key in ("when", "ask"):
        for place, when in enumerate(_list(written.get(key, ()))):
            here = (*path, key, place)
            yield from conditions.faults(position, when, here, late=key == "ask")


def _until(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, str) or not UNTIL.fullmatch(written):
        yield Violation("until names a turn, or a round of it", at=path, hint="turn 5 round 3")
    elif not is_in_force(position, written):
        yield Violation(f"{written} is over", at=path)


SLOT = re.compile(r"[A-Za-z0-9_.-]{1,32}")


def _slot(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, str) or not SLOT.fullmatch(written):
        yield Violation("a slot is a short name of letters and digits", at=path, hint="north")
    elif written == TURN_END:
        yield Violation("turn_end is a part of its own", at=path, hint="turn_end: {discard: []}")


def _slots(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, Mapping):
        yield Violation("slots are policies by name", at=path, hint="{north: {losses: [MIL]}}")
        return
    for name, policy in written.items():
        here = (*path, name)
        if name == TURN_END and policy == WITHDRAWN:
            continue
        yield from (replace(fault, is_key=True) for fault in _slot(position, side, name, here))
        if policy != WITHDRAWN:
            yield from _faults(position, side, policy, IN_A_SLOT, here)


WITHDRAWN = "none"
"""Written for a policy that shall speak no more."""


def _turn_end(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if written != WITHDRAWN:
        yield from _faults(position, side, written, TURN_PARTS, path)


# --- cards --------------------------------------------------------------------------------------


def _combat_card(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if written == "none":
        return
    for place, card in enumerate(listed(written)):
        yield from _card_faults(position, side, card, (*path, place))


def _card_faults(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    known = position.tables.cards.get(card) if isinstance(card, str) else None
    if known is None:
        yield Violation(f"no card is named {card!r}", at=path, hint="a card goes by its id, as R7")
    elif known.side != side or known.kind != "combat":
        yield Violation(f"{card} ({known.title}) is no combat card of yours", at=path)


def _held_faults(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    """A hidden card is named by its slot, so its author must hold it when they write."""
    lies_there = (*position.hand_cards(side), *position.decks[side].table)
    if not position.option("open_hands") and card not in lies_there:
        held = ", ".join(lies_there)
        yield Violation(f"{card} is not in your hand", at=path, rule="8.5.3.1",
                        hint=f"you hold {held}" if held else "your hand is empty")  # fmt: skip


def _written_short(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    found = list(_combat_card(position, side, written, path))
    yield from found
    if not found and written != "none":
        for place, card in enumerate(listed(written)):
            yield from _held_faults(position, side, card, (*path, place))


def _cards(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for place, clause in enumerate(_list(written)):
        here = (*path, place)
        if not isinstance(clause, Mapping) or "card" not in clause:
            yield Violation("a clause names a card", at=here, hint="{card: R7, when: {any: true}}")
            continue
        wrong = list(_card_faults(position, side, clause["card"], (*here, "card")))
        yield from wrong or _place_faults(position, side, clause, here)
        yield from _clause_faults(position, clause, here)


def _place_faults(
    position: Position, side: Side, clause: Mapping[str, Any], path: Path
) -> Iterator[Violation]:
    """The card lies where the clause says; on the table it may come to lie later."""
    card, slot = clause["card"], clause.get("slot")
    if slot is None:
        yield from _held_faults(position, side, card, (*path, "card"))
    elif slot != "table" and slot not in position.decks[side].hand:
        yield Violation(
            f"your hand has no slot {slot!r}", at=(*path, "slot"), hint="table for a kept card"
        )
    elif slot != "table" and position.card_in(slot) not in (None, card):
        lies_there = position.slot_of(side, card)
        yield Violation(f"{slot} does not hold {card}", at=(*path, "slot"),
                        hint=f"it is in {lies_there}" if lies_there else "")  # fmt: skip


def _clause_faults(
    position: Position, clause: Mapping[str, Any], path: Path
) -> Iterator[Violation]:
    """What a clause for a card says beside the card."""
    yield from _unknown_keys(clause, ("card", "slot", "when", "target"), path)
    if clause.get("target", "") not in ("", *position.tables.units):
        yield Violation(f"no unit is named {clause['target']!r}", at=(*path, "target"))
    when = clause.get("when", {})
    late = position.option("Q48")
    yield from conditions.faults(position, when, (*path, "when"), late=late, why=CARDS_ARE_EARLY)


def _documented_cards(
    position: Position, side: Side, written: Any, path: Path
) -> Iterator[Violation]:
    for place, clause in enumerate(_list(written)):
        here = (*path, place)
        if not isinstance(clause, Mapping) or not {"card", "slot"} & set(clause):
            yield Violation("a clause names a slot", at=here)
            continue
        if "card" in clause:
            yield from _card_faults(position, side, clause["card"], (*here, "card"))
        if clause.get("slot", "") == "table" and "card" not in clause:
            yield Violation("a card on the table goes by its name", at=here)
        if not isinstance(clause.get("slot", ""), str):
            yield Violation("a slot is a name", at=(*here, "slot"))
        yield from _clause_faults(position, clause, here)


def _hand_faults(position: Position, side: Side, card: Any, path: Path) -> Iterator[Violation]:
    """A card of the own hand, whatever it is."""
    hand = position.hand_cards(side)
    if card not in hand:
        yield Violation(f"{card} is not in your hand", at=path, hint=f"you hold {', '.join(hand)}")


def _discard(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for place, card in enumerate(listed(written)):
        wrong = list(_hand_faults(position, side, card, (*path, place)))
        yield from wrong
        if not wrong and not may_discard(position, card):
            yield Violation(f"{card} is no combat card and may not be discarded",
                            at=(*path, place), rule="8.5.3.6")  # fmt: skip


def _slot_names(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for place, slot in enumerate(listed(written)):
        if not isinstance(slot, str):
            yield Violation("a slot is a name", at=(*path, place))


# --- combats ------------------------------------------------------------------------------------


def _losses(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, list | tuple):
        yield Violation("losses are a list", at=path, hint="[MIL, POL, INF]")
        return
    for place, line in enumerate(written):
        here = (*path, place)
        if isinstance(line, Mapping) and len(line) == 1 and set(line) <= {"order", "lose_last"}:
            ((key, words),) = line.items()
            more = (FLIP,) if key == "order" else ()
            yield from word_faults(position, words, (*here, key), more=more)
        elif isinstance(line, Mapping) and set(line) == {FLIP}:
            if line[FLIP] is not True:
                yield Violation("true is wanted", at=(*here, FLIP))
        elif isinstance(line, Mapping):
            yield Violation(
                f"a line of losses says order, lose_last or {FLIP}",
                at=here, hint="{lose_last: [AFR]}",
            )  # fmt: skip
        else:
            yield from (
                Violation(fault.message, here, hint=fault.hint)
                for fault in word_faults(position, (line,), here, more=(FLIP,))
            )


def _words(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    yield from word_faults(position, written, path)


def _cancel(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if written in ("never", "always"):
        return
    if not isinstance(written, list | tuple):
        hint = "[{when: {space: [madrid]}, from: [MIL]}]"
        text = "cancel_retreat is never, always or a list of clauses"
        yield Violation(text, at=path, hint=hint)
        return
    for place, clause in enumerate(written):
        here = (*path, place)
        if not isinstance(clause, Mapping):
            yield Violation("a clause has when and from", at=here)
            continue
        yield from _unknown_keys(clause, ("when", "from"), here)
        yield from conditions.faults(position, clause.get("when", {}), (*here, "when"), late=True)
        yield from word_faults(position, clause.get("from", ()), (*here, "from"), more=(FLIP,))


def _retreat(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if isinstance(written, str):
        goal = written.removeprefix("toward_")
        if written not in RETREAT_WORDS and (goal == written or not _is_goal(position, goal)):
            yield Violation(
                f"no retreat is named {written!r}",
                at=path,
                hint=f"toward_supply, toward_ and a space, {', '.join(RETREAT_WORDS)}",
            )
        return
    if not isinstance(written, Mapping):
        yield Violation("a retreat has sequence and prefer, or is one word", at=path)
        return
    yield from _unknown_keys(written, ("sequence", "prefer"), path)
    yield from word_faults(position, written.get("sequence", ()), (*path, "sequence"))
    for place, line in enumerate(_list(written.get("prefer", ()))):
        yield from _preference_faults(position, line, (*path, "prefer", place))


def _preference_faults(position: Position, line: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(line, Mapping) or len(line) != 1:
        yield Violation("a preference says one thing", at=path, hint="{toward: madrid}")
        return
    ((key, value),) = line.items()
    if key in ("toward", "into"):
        for goal in listed(value):
            if not _is_goal(position, goal):
                yield Violation(f"no space is named {goal!r}", at=(*path, key))
    elif key not in RETREAT_WORDS:
        known = ", ".join(("toward", "into", *RETREAT_WORDS))
        yield Violation(f"no preference is named {key!r}", at=(*path, key),
                        hint=f"there are {known}", is_key=True)  # fmt: skip
    elif value is not True:
        yield Violation("true is wanted", at=(*path, key))


def _is_goal(position: Position, goal: Any) -> bool:
    return goal == "supply" or (isinstance(goal, str) and goal in position.tables.spaces)


def _forced(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, Mapping):
        yield Violation("forced names cards and what they take", at=path, hint="{N31: [reduced]}")
        return
    for card, words in written.items():
        if card == "discard":
            for place, name in enumerate(listed(words) if words != LOWEST else ()):
                yield from _hand_faults(position, side, name, (*path, card, place))
            continue
        if card not in FORCING:
            known = ", ".join((*FORCING, "discard"))
            yield Violation(f"{card!r} takes no unit of your choice", at=(*path, card), hint=known,
                            is_key=True)  # fmt: skip
        yield from word_faults(position, words, (*path, card))


def _documented_forced(
    position: Position, side: Side, written: Any, path: Path
) -> Iterator[Violation]:
    try:
        said = from_plain(Mapping[str, Any], written)  # type: ignore[type-abstract]
    except Misfit as misfit:
        yield Violation(f"forced: {misfit.message}", at=(*path, *misfit.path))
        return
    for card, words in said.items():
        if card == "discard":
            yield from _slot_names(position, side, words, (*path, card))
        elif card in FORCING:
            yield from word_faults(position, words, (*path, card))
        else:
            yield Violation(f"{card[:40]!r} takes nothing", at=(*path, card))


FORCING = ("N31", "R47")
"""The cards that take a unit which its owner chooses."""
LOWEST = "lowest_ops"
"""Of the cards held when the policy is written, the least goes first."""


def _withdraw(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not position.option("18.3.1"):
        yield Violation("withdrawing before combat needs the option 18.3.1", at=path, rule="18.3.1")
    elif isinstance(written, Mapping):
        yield from _unknown_keys(written, ("when",), path)
        when = written.get("when", {})
        yield from conditions.faults(position, when, (*path, "when"), late=False)
    elif not isinstance(written, bool):
        yield Violation("withdraw_first is yes, no, or has a when", at=path)


# --- the end of a turn --------------------------------------------------------------------------

PURCHASES: Mapping[str, tuple[str, ...]] = {
    "replace": ("unit", "using"),
    "rebuild": ("unit", "steps", "using", "to"),
    "siege": ("name",),
    "reclaim": ("count", "using"),
}
"""What points are spent on, and what may be said of each; the first field may stand alone."""
MOST_LINES = 60


def _replacements(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, list | tuple) or len(written) > MOST_LINES:
        yield Violation(f"replacements are a list of {MOST_LINES} lines at most", at=path,
                        hint="[{replace: INF}, {rebuild: {unit: POL, steps: 1}}]")  # fmt: skip
        return
    for place, line in enumerate(written):
        here = (*path, place)
        if not isinstance(line, Mapping) or len(line) != 1 or not set(line) <= set(PURCHASES):
            yield Violation("a line says what points are spent on", at=here,
                            hint=", ".join(PURCHASES))  # fmt: skip
            continue
        ((verb, said),) = line.items()
        fields = said if isinstance(said, Mapping) else {PURCHASES[verb][0]: said}
        if PURCHASES[verb][0] not in fields:
            yield Violation(f"{verb} needs {PURCHASES[verb][0]}", at=(*here, verb))
        yield from _unknown_keys(fields, PURCHASES[verb], (*here, verb))
        for name, value in fields.items():
            inside = (*here, verb, name) if isinstance(said, Mapping) else (*here, verb)
            if name in FIELDS:
                yield from FIELDS[name](position, side, value, inside)


def _unit_word(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for fault in word_faults(position, (written,), path):
        yield Violation(fault.message, path, hint=fault.hint)


def _steps(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if type(written) is not int or written not in (1, 2):
        yield Violation("a unit is rebuilt with one step or two", at=path)


def _count(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if type(written) is not int or not 1 <= written <= 99:
        yield Violation("a number of markers is wanted", at=path)


def _currency(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    known = position.tables.currencies[side]
    if written not in known:
        yield Violation(f"you have no {written!r} points", at=path, hint=" ".join(known))


def _siege(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, str):
        yield Violation("a siege is wanted", at=path, hint=", ".join(position.sieges))


def _spaces(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for space in listed(written):
        if not isinstance(space, str) or space not in position.tables.spaces:
            yield Violation(f"no space is named {space!r}", at=path)


def _redraw(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if written != "never":
        yield Violation(
            "redraw is never, or left out: then the game asks", at=path, rule="15.1.2",
            hint="whether your hand lacks a corps is no public fact, so no policy can tell",
        )  # fmt: skip


EFFECTS = ("sabotage", "intelligence", "none")


def _guerrilla(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for place, wish in enumerate(listed(written)):
        here = (*path, place)
        if isinstance(wish, Mapping) and set(wish) == {"guerrilla"}:
            if isinstance(wish["guerrilla"], str):
                yield from _spaces(position, side, wish["guerrilla"], here)
            else:
                yield Violation("guerrillas go to one space", at=here)
        elif wish not in EFFECTS:
            hint = f"{', '.join(EFFECTS)}, {{guerrilla: burgos}}"
            yield Violation("that is not what guerrillas do", at=here, hint=hint)


def _unknown_keys(
    written: Mapping[str, Any], known: tuple[str, ...], path: Path
) -> Iterator[Violation]:
    for key in written:
        if key not in known:
            yield Violation(
                f"no field {key!r} here", at=(*path, key), hint=", ".join(known), is_key=True
            )


def _list(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


Part = Callable[[Position, Side, Any, Path], Iterator[Violation]]
FIELDS: Mapping[str, Part] = {
    "unit": _unit_word,
    "steps": _steps,
    "using": _currency,
    "to": _spaces,
    "name": _siege,
    "count": _count,
}
IN_COMBAT: Mapping[str, Part] = {
    "losses": _losses,
    "successor": _words,
    "cancel_retreat": _cancel,
    "retreat": _retreat,
    "rally": _words,
    "spare": _words,
    "withdraw_first": _withdraw,
}
BETWEEN_TURNS: Mapping[str, Part] = {
    "replacements": _replacements,
    "returning": _spaces,
    "markers": _spaces,
    "surplus": _words,
    "guerrilla": _guerrilla,
}
TURN_PARTS: Mapping[str, Part] = {
    **BETWEEN_TURNS,
    "discard": _discard,
    "redraw": _redraw,
    "until": _until,
}
"""The parts of `turn_end`, as they are written."""
IN_A_SLOT: Mapping[str, Part] = {
    "scope": _scope,
    "until": _until,
    "combat_card": _written_short,
    "cards": _cards,
    **IN_COMBAT,
    "forced": _forced,
}
WRITTEN: Mapping[str, Part] = {
    **IN_A_SLOT,
    "slot": _slot,
    "slots": _slots,
    TURN_END: _turn_end,
}
"""The parts of a policy as it is written, and what checks each."""
DOCUMENT: Mapping[str, Part] = {
    "combat_card": _combat_card,
    "cards": _documented_cards,
    **IN_COMBAT,
    "forced": _documented_forced,
    **BETWEEN_TURNS,
    "discard": _slot_names,
}
"""The parts of a document."""
