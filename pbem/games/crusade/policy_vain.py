"""What in a standing policy can never do anything: a fault when it is written.

Nobody would notice it later: a misspelt terrain in `ask` only means that the player is not asked.
Judged is what a player writes, by the table as it stands; of a sealed document, which is read turns
later, only the form counts (policy_form.py). Each part is looked at when its form is right:
the table says which function looks at it (policy_table.py). The lists of `turn_end` may be empty:
so a player says "nothing".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.engine.policy_parts import scope_only
from pbem.engine.shapes import Path, listed
from pbem.games.crusade.effects.combat_cards import names_a_target, restoring_cards
from pbem.games.crusade.policy_form import may_withdraw
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.ranking import fits
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN

Written = Mapping[str, Any]

# --- cards --------------------------------------------------------------------------------------


def short_cards(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """`none` beside clauses for cards."""
    if policy["combat_card"] == "none" and policy.get("cards"):
        yield Violation("none stands beside clauses for cards", path, hint="leave one of them out")


def card_clauses(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    """A clause for a card that is played anyway, or behind one that always holds."""
    always = set(listed(policy.get("combat_card", ())))
    for place, clause in enumerate(listed(policy["cards"])):
        here, card = (*path, place), clause["card"]
        if card in always:
            yield Violation(f"{card} is used already whenever it can be", (*here, "card"))
        if not _narrows(clause) and not clause.get("target"):
            always.add(card)
        yield from _targets(position, side, clause, here)


def _targets(position: Position, side: Side, clause: Written, path: Path) -> Iterator[Violation]:
    card, target = clause["card"], clause.get("target", "")
    if not target:
        return
    if not names_a_target(position, card):
        yield Violation(f"{card} ({position.card(card).title}) takes no unit", (*path, "target"),
                        hint="leave the target out")  # fmt: skip
    elif not _could_defect(position, target):
        yield Violation(f"{card} takes police of the enemy, which {target} is not",
                        (*path, "target"))  # fmt: skip


def _could_defect(position: Position, unit: str) -> bool:
    return position.type_of(unit).has("police") and position.side_of(unit) == REPUBLICAN


def _narrows(clause: Written) -> bool:
    """Whether a clause speaks only now and then."""
    return not _is_always(clause.get("when", {}))


def _is_always(when: Written) -> bool:
    return all((key, value) in (("any", True), ("role", "defender")) for key, value in when.items())


# --- combats ------------------------------------------------------------------------------------


def cancelling(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """A clause is not reached behind one that always holds and asks everybody."""
    covered = False
    for place, clause in enumerate(_clauses(policy["cancel_retreat"])):
        if covered:
            told = "the clause before it always holds, so this is never reached"
            yield Violation(told, (*path, place))
        covered |= "from" not in clause and not _narrows(clause)


def _clauses(written: Any) -> tuple[Written, ...]:
    return () if isinstance(written, str) else tuple(written)


def retreat(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """A retreat of which nothing is said."""
    if not policy["retreat"]:
        yield Violation("this says nothing of a retreat", path, hint="leave it out")


def no_rally(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    """Why this side is never asked for a rally, if so."""
    if side not in {position.card(card).side for card in restoring_cards(position)}:
        yield Violation("no card of yours gives a step back", path, is_key=True)


def nobody_spared(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    """Why nobody is ever spared, if so (18.3.1)."""
    if not position.option("18.3.1"):
        yield Violation(
            "nobody is spared without the option 18.3.1", path, rule="18.3.1", is_key=True
        )


def no_withdrawing(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    """Why this side is never asked to withdraw, if so."""
    return may_withdraw(position, side, None, path)


TAKES_OF = {"N31": REPUBLICAN, "R47": NATIONALIST}
"""Whose unit is taken by the cards that take one of its owner's choice."""


def forced(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """Answers to what never happens to this side."""
    for card in policy["forced"]:
        here = (*path, card)
        if card == "discard":
            if side != NATIONALIST or not position.option("18.1.9"):
                yield Violation("nothing makes you discard a card", here, rule="18.1.9",
                                hint="guerrillas cost the Nationalists one, by option",
                                is_key=True)  # fmt: skip
        elif TAKES_OF[card] != side:
            yield Violation(f"{card} takes no unit of yours", here, is_key=True)


# --- slots and scopes ---------------------------------------------------------------------------


OUTSIDE_OF_COMBAT = {"forced", "lost_card"}


def scope(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """Scopes that leave nothing to speak on."""
    scope = policy["scope"]
    silent = "so this policy never speaks"
    for key in ("only", "when"):
        if key in scope and not listed(scope[key]):
            yield Violation(f"the scope has no {key}, {silent}", (*path, key), hint="leave it out")
    asks = listed(scope.get("ask", ()))
    for place, when in enumerate(asks):
        if _is_always(when) and not OUTSIDE_OF_COMBAT & policy.keys():
            yield Violation(f"you are always asked, {silent}", (*path, "ask", place))
    wanted = listed(scope.get("when", ()))
    if wanted and all(when in asks for when in wanted):
        yield Violation(f"ask takes back all of when, {silent}", (*path, "ask"))
    only = scope_only(policy)
    if wanted and only and only <= OUTSIDE_OF_COMBAT:
        yield Violation(f"when is on combats, which only leaves out, {silent}", (*path, "when"))


# --- the end of a turn --------------------------------------------------------------------------


def replacements(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    """Purchases that are never legal: of a siege that is not there, or without an option."""
    for place, line in enumerate(policy["replacements"]):
        ((verb, said),) = line.items()
        here = (*path, place, verb)
        if verb == "siege":
            name = said["name"] if isinstance(said, Mapping) else said
            if side != NATIONALIST or name not in position.sieges:
                known = ", ".join(position.sieges) if side == NATIONALIST else ""
                yield Violation(
                    f"you have no siege {name!r} to supply", here, rule="16.1.8", hint=known
                )
        elif verb == "reclaim":
            if not position.option("18.2.10"):
                yield Violation("markers are not rebuilt without the option 18.2.10", here,
                                rule="18.2.10", is_key=True)  # fmt: skip
        else:
            word = said["unit"] if isinstance(said, Mapping) else said
            inside = (*here, "unit") if isinstance(said, Mapping) else here
            if _never_replaced(position, side, word):
                yield Violation(f"{word} never takes replacements", inside, rule="14.1.6")


def _never_replaced(position: Position, side: Side, word: str) -> bool:
    """Whether a word means units of a side, and none that could ever take replacements."""
    units = [unit for unit, one in position.tables.units.items()
             if one.side == side and fits(position, word, unit)]  # fmt: skip
    return bool(units) and not any(position.type_of(unit).rp for unit in units)


def no_guerrillas(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    """Why this side never sends guerrillas, if so (18.1.9)."""
    if side != REPUBLICAN or not position.option("18.1.9"):
        yield Violation("you have no guerrillas", path, rule="18.1.9", is_key=True)


def guerrilla(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """Wishes behind `none`, which are never reached."""
    wishes = listed(policy["guerrilla"])
    for place in range(1, len(wishes)):
        if "none" in wishes[:place]:
            yield Violation("none comes before it, so this is never reached", (*path, place))
            return
