"""Conditions of a standing policy: what they may ask of a combat, and whether they hold.

Every fact is public. Facts of EARLY are known when cards are asked for, those of LATE only after
the dice.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.model import Violation
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.engagement import Combat
from pbem.games.crusade.rules.ranking import UNIT_WORDS, fits, fits_any, is_word
from pbem.games.crusade.rules.winter import is_winter

Fact = Callable[[Position, Combat], Any]
Path = tuple[str | int, ...]


def _corps(position: Position, units: Sequence[str]) -> int:
    return sum(1 for unit in units if position.type_of(unit).is_corps)


def _column(position: Position, combat: Combat, side: Any) -> int:
    """The least strength that the column stands for."""
    table = position.tables.fire_tables[rules.fire_table(position, combat, side)]
    return table.columns[rules.column(position, combat, side)][0]


def _marker(position: Position, combat: Combat) -> str:
    fort = position.forts.get(combat.space)
    return fort.kind if fort else "none"


def _is_trench(position: Position, combat: Combat) -> bool:
    return _marker(position, combat) == "trench"


EARLY: Mapping[str, tuple[str, Fact]] = {
    "any": ("bool", lambda position, combat: True),
    "role": ("text", lambda position, combat: "defender"),
    "space": ("space", lambda position, combat: combat.space),
    "from": ("spaces", lambda position, combat: combat.from_spaces),
    "attackers": ("units", lambda position, combat: combat.attackers(position)),
    "defenders": ("units", lambda position, combat: combat.defenders(position)),
    "corps_attacking": (
        "number",
        lambda position, combat: _corps(position, combat.attackers(position)),
    ),
    "att_cf": (
        "number",
        lambda position, combat: rules.strength(position, combat, combat.attacker),
    ),
    "my_cf": (
        "number",
        lambda position, combat: rules.strength(position, combat, combat.defender),
    ),
    "odds_column": (
        "number",
        lambda position, combat: _column(position, combat, combat.attacker),
    ),
    "my_column": ("number", lambda position, combat: _column(position, combat, combat.defender)),
    "att_cards": ("cards", lambda position, combat: combat.attacker_cards),
    "terrain": ("text", lambda position, combat: position.space(combat.space).terrain),
    "marker": ("text", _marker),
    "trench": ("bool", _is_trench),
    "armor": ("bool", lambda position, combat: bool(combat.armor)),
    "turn": ("number", lambda position, combat: position.turn),
    "phase": ("text", lambda position, combat: position.phase),
    "winter": ("bool", lambda position, combat: is_winter(position)),
    "vp_space": ("bool", lambda position, combat: position.space(combat.space).vp > 0),
    "combat": ("number", lambda position, combat: combat.number),
}

LATE: Mapping[str, tuple[str, Fact]] = {
    "by_attacker": ("number", lambda position, combat: combat.by_attacker),
    "by_defender": ("number", lambda position, combat: combat.by_defender),
    "difference": ("number", lambda position, combat: combat.difference),
    "steps_left": (
        "number",
        lambda position, combat: sum(
            position.steps_left(unit) for unit in combat.defenders(position)
        ),
    ),
}

NUMBER_FACTS = frozenset(key for key, (sort, _) in {**EARLY, **LATE}.items() if sort == "number")

NUMBER = r"(>=|<=|>|<|==|=)?\s*(-?\d+)"
COMPARE: Mapping[str, Callable[[int, int], bool]] = {
    ">=": lambda have, want: have >= want,
    "<=": lambda have, want: have <= want,
    ">": lambda have, want: have > want,
    "<": lambda have, want: have < want,
    "==": lambda have, want: have == want,
}


# --- whether one holds ------------------------------------------------------------------------


def holds(position: Position, combat: Combat, when: Mapping[str, Any]) -> bool:
    """Whether every fact that a condition names is as it says; of no fact, it holds."""
    return all(_is(position, combat, key, wanted) for key, wanted in when.items())


def _is(position: Position, combat: Combat, key: str, wanted: Any) -> bool:
    if key == "after":
        return combat.by_attacker is not None and holds(position, combat, wanted)
    if key in LATE and combat.by_attacker is None:
        return False
    sort, fact = EARLY.get(key) or LATE[key]
    have = fact(position, combat)
    if sort == "number":
        return compares(have, wanted)
    if sort == "bool":
        return bool(have) == bool(wanted)
    if sort == "units":
        return _units_are(position, have, wanted)
    if sort in ("spaces", "cards"):
        return bool(set(have) & set(listed(wanted)))
    return have in listed(wanted)


def _units_are(position: Position, units: Sequence[str], wanted: Mapping[str, Any]) -> bool:
    """`has` one of these words, `only` these words, and how many there are (`count`)."""
    words = listed(wanted.get("only", ()))
    return (
        ("has" not in wanted or any(fits_any(position, w, units) for w in listed(wanted["has"])))
        and (not words or all(any(fits(position, w, u) for w in words) for u in units))
        and ("count" not in wanted or compares(len(units), wanted["count"]))
    )


def compares(have: int, wanted: Any) -> bool:
    """`>=2`, `<3` or a plain number, which the fact must equal."""
    match = re.fullmatch(NUMBER, str(wanted))
    assert match is not None, wanted
    sign = match[1] or "=="
    return COMPARE["==" if sign == "=" else sign](have, int(match[2]))


def listed(value: Any) -> tuple[Any, ...]:
    """One value or a list of them, as a tuple."""
    return tuple(value) if isinstance(value, list | tuple) else (value,)


# --- what is wrong with one -------------------------------------------------------------------


def faults(
    position: Position, when: Any, path: Path, *, late: bool, why: str = ""
) -> Iterator[Violation]:
    """What is wrong with a condition as written; `late` says whether facts after the dice count."""
    if not isinstance(when, Mapping):
        yield Violation("a condition is a mapping of facts", at=path, hint="{any: true}")
        return
    for key, wanted in when.items():
        here = (*path, key)
        if key == "after" and late:
            yield from faults(position, wanted, here, late=True)
        elif (key in LATE and not late) or key == "after":
            yield Violation(f"{key} is not known yet {why or 'then'}", at=here, is_key=True)
        elif key in EARLY or key in LATE:
            sort = (EARLY.get(key) or LATE[key])[0]
            yield from _misfits(position, sort, wanted, here)
        else:
            known = (*EARLY, *(LATE if late else ()))
            yield Violation(f"no condition is named {key!r}", at=here,
                            hint=f"there are {', '.join(known)}", is_key=True)  # fmt: skip


def _misfits(position: Position, sort: str, wanted: Any, path: Path) -> Iterator[Violation]:
    if sort == "number":
        if isinstance(wanted, bool) or not re.fullmatch(NUMBER, str(wanted)):
            yield Violation("a number, or one with a sign as >=2, is wanted", at=path)
    elif sort == "bool":
        if not isinstance(wanted, bool):
            yield Violation("true or false is wanted", at=path)
    elif sort == "units":
        yield from _unit_misfits(position, wanted, path)
    else:
        known = _known(position, sort)
        for name in listed(wanted):
            if not isinstance(name, str) or (known is not None and name not in known):
                yield Violation(f"no {sort.rstrip('s')} is named {name!r}", at=path)


def _known(position: Position, sort: str) -> Mapping[str, Any] | None:
    """What the names of a sort must be among; None if any word will do."""
    if sort in ("space", "spaces"):
        return position.tables.spaces
    return position.tables.cards if sort == "cards" else None


def _unit_misfits(position: Position, wanted: Any, path: Path) -> Iterator[Violation]:
    if not isinstance(wanted, Mapping):
        yield Violation("units are asked with has, only or count", at=path)
        return
    for key, value in wanted.items():
        if key == "count":
            yield from _misfits(position, "number", value, (*path, key))
        elif key in ("has", "only"):
            yield from word_faults(position, listed(value), (*path, key))
        else:
            yield Violation(f"units are not asked for {key!r}", at=(*path, key),
                            hint="has, only, count", is_key=True)  # fmt: skip


def word_faults(
    position: Position, words: Any, path: Path, *, more: Sequence[str] = ()
) -> Iterator[Violation]:
    """Words of a ranking that can mean no unit of the game; `more` are words that mean none."""
    if not isinstance(words, list | tuple):
        yield Violation("a list of units or kinds of units is wanted", at=path)
        return
    for place, word in enumerate(words):
        if not isinstance(word, str) or (word not in more and not is_word(position, word)):
            yield Violation(
                f"no unit or kind of unit is named {word!r}",
                at=(*path, place),
                hint=", ".join((UNIT_WORDS, *more)),
            )
