"""The form of a standing policy, checked strictly when it is written: a fault would otherwise only
show when it is too late to mend it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.games.crusade import conditions
from pbem.games.crusade.conditions import Path, listed, word_faults
from pbem.games.crusade.position import Position

RETREAT_WORDS = ("in_supply", "fewest_enemies", "stack_with_fewest", "not_next_to_enemy")
CARDS_ARE_EARLY = "when cards are played"


def example(position: Position, side: Side) -> tuple[str, ...]:
    """A whole policy to be changed to taste; the first line says what it is good for."""
    units = (unit for units in position.stacks.values() for unit in units)
    types = (position.type_of(unit) for unit in units)
    own = dict.fromkeys(each.id for each in types if each.side == side and not each.is_corps)
    return (
        "standing orders answer in the enemy's rounds; without them each answer costs a mail",
        "standing:",
        "  combat_card: none",
        f"  losses: [{', '.join(sorted(own))}]",
        "  cancel_retreat: never",
        "  retreat: toward_supply",
    )


def faults(position: Position, side: Side, policy: Any) -> tuple[Violation, ...]:
    """Everything that is wrong with a policy as written."""
    return tuple(_faults(position, side, policy))


def _faults(position: Position, side: Side, policy: Any) -> Iterator[Violation]:
    if not isinstance(policy, Mapping):
        yield Violation("a standing policy is a mapping", hint="losses: [MIL, POL]")
        return
    for key, written in policy.items():
        check = PARTS.get(key)
        if check is None:
            parts = ", ".join(PARTS)
            yield Violation(f"a policy has no part {key!r}", at=(key,), hint=f"it has {parts}")
        else:
            yield from check(position, side, written, (key,))


def _scope(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, Mapping) or set(written) - {"ask"}:
        yield Violation("a scope says when to ask", at=path, hint="{ask: [{space: [madrid]}]}")
        return
    for place, when in enumerate(_list(written.get("ask", ()))):
        yield from conditions.faults(position, when, (*path, "ask", place), late=True)


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


def _cards(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    for place, clause in enumerate(_list(written)):
        here = (*path, place)
        if not isinstance(clause, Mapping) or "card" not in clause:
            yield Violation("a clause names a card", at=here, hint="{card: R7, slot: r/1/4}")
            continue
        yield from _unknown_keys(clause, ("card", "slot", "when", "target"), here)
        yield from _card_faults(position, side, clause["card"], (*here, "card"))
        slot = clause.get("slot", "table")
        if slot != "table" and slot not in position.decks[side].hand:
            yield Violation(
                f"your hand has no slot {slot!r}", at=(*here, "slot"), hint="table for a kept card"
            )
        when = clause.get("when", {})
        yield from conditions.faults(
            position, when, (*here, "when"), late=False, why=CARDS_ARE_EARLY
        )


def _losses(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, list | tuple):
        yield Violation("losses are a list", at=path, hint="[MIL, POL, INF]")
        return
    for place, line in enumerate(written):
        here = (*path, place)
        if isinstance(line, Mapping) and len(line) == 1 and set(line) <= {"order", "lose_last"}:
            ((key, words),) = line.items()
            yield from word_faults(position, words, (*here, key))
        elif isinstance(line, Mapping):
            yield Violation(
                "a line of losses says order or lose_last", at=here, hint="{lose_last: [AFR]}"
            )
        else:
            yield from (
                Violation(fault.message, here, hint=fault.hint)
                for fault in word_faults(position, (line,), here)
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
        yield from word_faults(position, clause.get("from", ()), (*here, "from"))


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
        yield Violation(
            f"no preference is named {key!r}", at=(*path, key), hint=f"there are {known}"
        )
    elif value is not True:
        yield Violation("true is wanted", at=(*path, key))


def _is_goal(position: Position, goal: Any) -> bool:
    return goal == "supply" or (isinstance(goal, str) and goal in position.tables.spaces)


def _forced(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(written, Mapping):
        yield Violation("forced names cards and what they take", at=path, hint="{N31: [reduced]}")
        return
    for card, words in written.items():
        if card not in FORCING:
            known = ", ".join(FORCING)
            yield Violation(f"{card!r} takes no unit of your choice", at=(*path, card), hint=known)
        yield from word_faults(position, words, (*path, card))


FORCING = ("N31", "R47")
"""The cards that take a unit which its owner chooses."""


def _withdraw(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    if not position.option("18.3.1"):
        yield Violation("withdrawing before combat needs the option 18.3.1", at=path, rule="18.3.1")
    elif isinstance(written, Mapping):
        yield from _unknown_keys(written, ("when",), path)
        when = written.get("when", {})
        yield from conditions.faults(position, when, (*path, "when"), late=False)
    elif not isinstance(written, bool):
        yield Violation("withdraw_first is yes, no, or has a when", at=path)


def _unknown_keys(
    written: Mapping[str, Any], known: tuple[str, ...], path: Path
) -> Iterator[Violation]:
    for key in written:
        if key not in known:
            yield Violation(f"no field {key!r} here", at=(*path, key), hint=", ".join(known))


def _list(value: Any) -> tuple[Any, ...]:
    return tuple(value) if isinstance(value, list | tuple) else (value,)


Part = Callable[[Position, Side, Any, Path], Iterator[Violation]]
PARTS: Mapping[str, Part] = {
    "scope": _scope,
    "combat_card": _combat_card,
    "cards": _cards,
    "losses": _losses,
    "successor": _words,
    "cancel_retreat": _cancel,
    "retreat": _retreat,
    "withdraw_first": _withdraw,
    "forced": _forced,
}
"""The parts of a policy, and what checks each."""
