"""What in a standing policy can never do anything: a fault when it is written.

Nobody would notice it later: a misspelt terrain in `ask` only means that the player is not asked.
Judged is what a player writes, by the table as it stands; of a sealed document, which is read turns
later, only the form counts (policy_form.py). Each part is looked at when its form is right:
the table says which function looks at it (policy_table.py). The lists of `turn_end` may be empty:
so a player says "nothing".
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.conditions import MOST, compares
from pbem.engine.model import Side, Violation
from pbem.engine.policy_parts import scope_only
from pbem.engine.shapes import Path, listed, meant
from pbem.games.crusade.conditions import FACTS, NUMBER_FACTS, turns_to_come
from pbem.games.crusade.effects.combat_cards import names_a_target, restoring_cards
from pbem.games.crusade.policy_form import may_withdraw
from pbem.games.crusade.position import REMOVED, Position
from pbem.games.crusade.rules.ranking import FLIP, GENERAL, fits, means
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN

Written = Mapping[str, Any]

# --- conditions ---------------------------------------------------------------------------------


def impossible(position: Position, side: Side, when: Written, path: Path) -> Iterator[Violation]:
    """What in a condition of a defender on `side` can never be so, from now on."""
    for key, wanted in when.items():
        here = (*path, key)
        if key == "after":
            yield from impossible(position, side, wanted, here)
        elif wanted in ([], (), {}):
            yield _empty(here)
        elif key in NUMBER_FACTS:
            yield from _out_of_reach(position, key, wanted, here)
        elif key in WORDS:
            yield from _misspelt(key, WORDS[key](position), wanted, here)
        elif key == "any" and not wanted:
            yield Violation("any: false is never so", here, hint="leave the clause out")
        elif key in ("attackers", "defenders"):
            whose = ENEMY[side] if key == "attackers" else side
            yield from _units_that_cannot_be(position, whose, wanted, here)
        elif key == "att_cards":
            yield from _cards_of_the_enemy(position, side, wanted, here)
    yield from _not_adjacent(position, when, path)
    if path[-1] != "after":
        yield from FACTS.contradictions(position, when, path)


def _phases_to_come(position: Position) -> tuple[str, ...]:
    turns = turns_to_come(position)
    return tuple(dict.fromkeys(position.tables.phase_of(turn) for turn in turns))


def _terrains(position: Position) -> tuple[str, ...]:
    return tuple(sorted({space.terrain for space in position.tables.spaces.values()}))


WORDS: Mapping[str, Callable[[Position], tuple[str, ...]]] = {
    "role": lambda position: ("defender",),
    "terrain": _terrains,
    "marker": lambda position: ("none", "position", "trench"),
    "phase": _phases_to_come,
}
"""The words that a fact can be from now on. A policy speaks for the defender alone."""


def _misspelt(key: str, known: Sequence[str], wanted: Any, path: Path) -> Iterator[Violation]:
    for word in listed(wanted):
        if word not in known:
            hint = meant(word, known, f"it can be {', '.join(known)}")
            yield Violation(f"{key} is never {word!r}", path, hint=hint)


def _numbers(position: Position, key: str) -> Sequence[int]:
    """The numbers that a fact can be from now on."""
    if key == "turn":
        return turns_to_come(position)
    if key in ("odds_column", "my_column"):
        tables = position.tables.fire_tables.values()
        return sorted({column[0] for table in tables for column in table.columns})
    if key == "difference":
        return range(-MOST, MOST + 1)
    return range(1 if key in AT_LEAST_ONE else 0, MOST + 1)


AT_LEAST_ONE = ("combat", "steps_left", "count")


def _out_of_reach(position: Position, key: str, wanted: Any, path: Path) -> Iterator[Violation]:
    could = _numbers(position, key)
    if not any(compares(number, wanted) for number in could):
        among = (
            f"one of {', '.join(map(str, could))}" if key.endswith("column")
            else f"from {could[0]} to {could[-1]}" if key == "turn"
            else f"{could[0]} or more" if could[0] >= 0 else "a difference of Loss Numbers"
        )  # fmt: skip
        yield Violation(f"{key} is never {wanted}", path, hint=f"it is {among}")


def _units_that_cannot_be(
    position: Position, whose: Side, wanted: Written, path: Path
) -> Iterator[Violation]:
    for key, said in wanted.items():
        here = (*path, key)
        if said in ([], ()):
            yield _empty(here)
        elif key == "count":
            yield from _out_of_reach(position, "count", said, here)
        else:
            for place, word in enumerate(listed(said)):
                yield from _strangers(position, whose, word, (*here, place))
    yield from _none_of_them(position, whose, wanted, path)


def _none_of_them(
    position: Position, whose: Side, wanted: Written, path: Path
) -> Iterator[Violation]:
    """Of those that may be there alone none is one that must be."""
    if "has" not in wanted or "only" not in wanted:
        return
    units = [unit for unit, kind in position.tables.units.items() if kind.side == whose]
    has, only = listed(wanted["has"]), listed(wanted["only"])

    def meant_by(words: Sequence[str]) -> set[str]:
        return {unit for unit in units if any(means(position, word, unit) for word in words)}

    if meant_by(has) and meant_by(only) and not meant_by(has) & meant_by(only):
        yield Violation("no unit of has is one of only", (*path, "only"),
                        hint="leave one of them out")  # fmt: skip


def _cards_of_the_enemy(
    position: Position, side: Side, wanted: Any, path: Path
) -> Iterator[Violation]:
    for card in listed(wanted):
        known = position.card(card)
        if known.side == side or known.kind != "combat":
            yield Violation(f"{card} ({known.title}) is no combat card of the enemy", path)


def _not_adjacent(position: Position, when: Written, path: Path) -> Iterator[Violation]:
    """No attack goes from these spaces into those."""
    starts, targets = listed(when.get("from", ())), listed(when.get("space", ()))
    near = any(position.are_adjacent(a, b) for a in starts for b in targets)
    if starts and targets and not near:
        yield Violation("no space of from is next to one of space", (*path, "from"))


# --- words for units ----------------------------------------------------------------------------


def _strangers(position: Position, whose: Side, word: str, path: Path) -> Iterator[Violation]:
    """A word that means no unit which a side still has."""
    if word in GENERAL or word == FLIP:
        return
    units = [unit for unit in position.tables.units if means(position, word, unit)]
    theirs = [unit for unit in units if position.tables.units[unit].side == whose]
    if not theirs:
        yield Violation(f"no {whose.capitalize()} unit is meant by {word!r}", path)
    elif all(position.place_of(unit) == REMOVED for unit in theirs):
        yield Violation(f"{word} is out of the game", path)


def _words(position: Position, side: Side, words: Any, path: Path) -> Iterator[Violation]:
    """A ranking: not empty, nothing twice, own units alone."""
    if not words:
        yield _empty(path)
    for place, word in enumerate(words):
        here = (*path, place)
        if word in words[:place]:
            yield Violation(f"{word!r} is named twice", here)
        elif word == FLIP and place:
            yield Violation(f"{FLIP} comes before all other words of the list", here)
        else:
            yield from _strangers(position, side, word, here)


def words_of(
    key: str,
) -> Callable[[Position, Side, Written, Path], Iterator[Violation]]:
    def check(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
        yield from _words(position, side, policy[key], path)

    return check


def _empty(path: Path) -> Violation:
    return Violation("an empty list does nothing", path, hint="leave it out")


# --- cards --------------------------------------------------------------------------------------


def short_cards(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    short = policy["combat_card"]
    if short == "none" and policy.get("cards"):
        yield Violation("none stands beside clauses for cards", path, hint="leave one of them out")
    elif short in ([], ()):
        yield _empty(path)
    yield from _twice(listed(short), path)


def _twice(names: Sequence[Any], path: Path) -> Iterator[Violation]:
    for place, name in enumerate(names):
        if name in names[:place]:
            yield Violation(f"{name} is named twice", (*path, place))


def card_clauses(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    clauses = listed(policy["cards"])
    if not clauses:
        yield _empty(path)
    always = set(listed(policy.get("combat_card", ())))
    for place, clause in enumerate(clauses):
        here, card = (*path, place), clause["card"]
        if card in always:
            yield Violation(f"{card} is used already whenever it can be", (*here, "card"))
        yield from impossible(position, side, clause.get("when", {}), (*here, "when"))
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


def losses(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    lines = policy["losses"]
    words = [line for line in lines if isinstance(line, str)]
    if not lines or words:
        yield from _words(position, side, words, path)
    for place, line in enumerate(lines):
        if isinstance(line, str):
            continue
        if line in lines[:place]:
            yield Violation("this line stands there twice", (*path, place))
        for key, said in line.items():
            if key != FLIP:
                yield from _words(position, side, said, (*path, place, key))


def cancelling(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    written = policy["cancel_retreat"]
    if isinstance(written, str):
        return
    if not written:
        yield Violation("an empty list does nothing", path, hint="cancel_retreat: never")
    covered = False
    for place, clause in enumerate(written):
        here = (*path, place)
        if covered:
            yield Violation("the clause before it always holds, so this is never reached", here)
        if "from" in clause:
            yield from _words(position, side, clause["from"], (*here, "from"))
        yield from impossible(position, side, clause.get("when", {}), (*here, "when"))
        covered |= "from" not in clause and not _narrows(clause)


def retreat(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    written = policy["retreat"]
    if isinstance(written, str):
        return
    if not written:
        yield Violation("this says nothing of a retreat", path, hint="leave it out")
    if "sequence" in written:
        yield from _words(position, side, written["sequence"], (*path, "sequence"))
    if "prefer" in written:
        lines = listed(written["prefer"])
        if not lines:
            yield _empty((*path, "prefer"))
        for place, line in enumerate(lines):
            here = (*path, "prefer", place)
            if line in lines[:place]:
                yield Violation("this preference stands there twice", here)
            if any(value in ([], ()) for value in line.values()):
                yield _empty(here)


def no_rally(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    if side not in {position.card(card).side for card in restoring_cards(position)}:
        yield Violation("no card of yours gives a step back", path, is_key=True)


def nobody_spared(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    if not position.option("18.3.1"):
        yield Violation(
            "nobody is spared without the option 18.3.1", path, rule="18.3.1", is_key=True
        )


def no_withdrawing(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    return may_withdraw(position, side, None, path)


def withdrawing(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    written = policy["withdraw_first"]
    if isinstance(written, Mapping):
        yield from impossible(position, side, written.get("when", {}), (*path, "when"))


TAKES_OF = {"N31": REPUBLICAN, "R47": NATIONALIST}
"""Whose unit is taken by the cards that take one of its owner's choice."""


def forced(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    for card, words in policy["forced"].items():
        here = (*path, card)
        if card == "discard":
            if side != NATIONALIST or not position.option("18.1.9"):
                yield Violation("nothing makes you discard a card", here, rule="18.1.9",
                                hint="guerrillas cost the Nationalists one, by option",
                                is_key=True)  # fmt: skip
            elif not isinstance(words, str):
                yield from _twice(listed(words), here)
        elif TAKES_OF[card] != side:
            yield Violation(f"{card} takes no unit of yours", here, is_key=True)
        else:
            yield from _words(position, side, words, here)


# --- slots and scopes ---------------------------------------------------------------------------


OUTSIDE_OF_COMBAT = {"forced", "lost_card"}


def scope(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    """Conditions that never hold, and scopes that leave nothing to speak on."""
    scope = policy["scope"]
    silent = "so this policy never speaks"
    for key in ("only", "when"):
        if key in scope and not listed(scope[key]):
            yield Violation(f"the scope has no {key}, {silent}", (*path, key), hint="leave it out")
    yield from _twice(listed(scope.get("only", ())), (*path, "only"))
    for key in ("when", "ask"):
        for place, when in enumerate(listed(scope.get(key, ()))):
            yield from impossible(position, side, when, (*path, key, place))
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
            found = list(_strangers(position, side, word, inside))
            yield from found
            if not found and _never_replaced(position, side, word):
                yield Violation(f"{word} never takes replacements", inside, rule="14.1.6")


def _never_replaced(position: Position, side: Side, word: str) -> bool:
    """Whether a word means units of a side, and none that could ever take replacements."""
    units = [unit for unit, one in position.tables.units.items()
             if one.side == side and fits(position, word, unit)]  # fmt: skip
    return bool(units) and not any(position.type_of(unit).rp for unit in units)


def surplus(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    if policy["surplus"]:
        yield from _words(position, side, policy["surplus"], path)


def listed_once(key: str) -> Callable[[Position, Side, Written, Path], Iterator[Violation]]:
    def check(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
        yield from _twice(listed(policy[key]), path)

    return check


def no_guerrillas(position: Position, side: Side, path: Path) -> Iterator[Violation]:
    if side != REPUBLICAN or not position.option("18.1.9"):
        yield Violation("you have no guerrillas", path, rule="18.1.9", is_key=True)


def guerrilla(position: Position, side: Side, policy: Written, path: Path) -> Iterator[Violation]:
    wishes = listed(policy["guerrilla"])
    yield from _twice(wishes, path)
    for place in range(1, len(wishes)):
        if "none" in wishes[:place]:
            yield Violation("none comes before it, so this is never reached", (*path, place))
            return


Vain = Callable[[Position, Side, Written, Path], Iterator[Violation]]
successor: Vain = words_of("successor")
rally: Vain = words_of("rally")
spare: Vain = words_of("spare")
returning: Vain = listed_once("returning")
markers: Vain = listed_once("markers")
discard: Vain = listed_once("discard")
