"""Conditions of a standing policy: what they may ask of a combat.

Every fact is public. Facts of EARLY are known when cards are asked for, those of LATE only after
the dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.conditions import (
    A_FLAG,
    A_NUMBER,
    AMOUNT,
    WORDS,
    Condition,
    Fact,
    Facts,
    Sort,
    compares,
    is_among,
    meets,
    names,
)
from pbem.engine.model import Violation
from pbem.engine.shapes import Fields, ListOf, Many, Shape, listed, meant, ranked_word
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.ranking import FLIP, UNIT_WORDS, fits, fits_any, is_word, usual_words
from pbem.games.crusade.rules.winter import is_winter, winter_turns

A_LIST = "a list of units or kinds of units is wanted"


def _word(*more: str) -> Shape:
    return ranked_word(
        is_word, usual_words, "unit or kind of unit", UNIT_WORDS, more=more, names="unit"
    )


UNIT_WORD, LOSS_WORD = _word(), _word(FLIP)
"""A word of a ranking; one of a ranking for losses may also be `flip_before_kill`."""
RANKING: Shape = ListOf(UNIT_WORD, A_LIST)
LOSS_RANKING: Shape = ListOf(LOSS_WORD, A_LIST)


def _units_are(position: Position, units: Sequence[str], wanted: Mapping[str, Any]) -> bool:
    """`has` one of these words, `only` these words, and how many there are (`count`)."""
    words = listed(wanted.get("only", ()))
    return (
        ("has" not in wanted or any(fits_any(position, w, units) for w in listed(wanted["has"])))
        and (not words or all(any(fits(position, w, u) for w in words) for u in units))
        and ("count" not in wanted or compares(len(units), wanted["count"]))
    )


def _not_asked(key: str) -> Violation:
    hint = meant(key, ("has", "only", "count"), "has, only, count")
    return Violation(f"units are not asked for {key!r}", hint=hint, is_key=True)


UNITS = Sort(
    Fields(
        {"has": Many(UNIT_WORD), "only": Many(UNIT_WORD), "count": AMOUNT},
        "units are asked with has, only or count",
        unknown=_not_asked,
    ),
    _units_are,
)
TEXT = Sort(WORDS, is_among)
SPACE = Sort(names("space", lambda position: position.tables.spaces), is_among)
SPACES = Sort(SPACE.shape, meets)
CARDS = Sort(names("card", lambda position: position.tables.cards), meets)


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


EARLY: Mapping[str, Fact] = {
    "any": Fact(A_FLAG, lambda position, combat: True),
    "role": Fact(TEXT, lambda position, combat: "defender"),
    "space": Fact(SPACE, lambda position, combat: combat.space),
    "from": Fact(SPACES, lambda position, combat: combat.from_spaces),
    "attackers": Fact(UNITS, lambda position, combat: combat.attackers(position)),
    "defenders": Fact(UNITS, lambda position, combat: combat.defenders(position)),
    "corps_attacking": Fact(
        A_NUMBER,
        lambda position, combat: _corps(position, combat.attackers(position)),
    ),
    "att_cf": Fact(
        A_NUMBER,
        lambda position, combat: rules.strength(position, combat, combat.attacker),
    ),
    "my_cf": Fact(
        A_NUMBER,
        lambda position, combat: rules.strength(position, combat, combat.defender),
    ),
    "odds_column": Fact(
        A_NUMBER,
        lambda position, combat: _column(position, combat, combat.attacker),
    ),
    "my_column": Fact(
        A_NUMBER, lambda position, combat: _column(position, combat, combat.defender)
    ),
    "att_cards": Fact(CARDS, lambda position, combat: combat.attacker_cards),
    "terrain": Fact(TEXT, lambda position, combat: position.space(combat.space).terrain),
    "marker": Fact(TEXT, _marker),
    "trench": Fact(A_FLAG, _is_trench),
    "armor": Fact(A_FLAG, lambda position, combat: bool(combat.armor)),
    "turn": Fact(A_NUMBER, lambda position, combat: position.turn),
    "phase": Fact(TEXT, lambda position, combat: position.phase),
    "winter": Fact(A_FLAG, lambda position, combat: is_winter(position)),
    "vp_space": Fact(A_FLAG, lambda position, combat: position.space(combat.space).vp > 0),
    "combat": Fact(A_NUMBER, lambda position, combat: combat.number),
}

LATE: Mapping[str, Fact] = {
    "by_attacker": Fact(A_NUMBER, lambda position, combat: combat.by_attacker),
    "by_defender": Fact(A_NUMBER, lambda position, combat: combat.by_defender),
    "difference": Fact(A_NUMBER, lambda position, combat: combat.difference),
    "steps_left": Fact(
        A_NUMBER,
        lambda position, combat: sum(
            position.steps_left(unit) for unit in combat.defenders(position)
        ),
    ),
}


def has_rolled(combat: Combat) -> bool:
    return combat.by_attacker is not None


def turns_to_come(position: Position) -> range:
    last: int = position.tables.sheet(position.scenario)["last_turn"]
    return range(position.turn, last + 1)


def _times(position: Position) -> Iterator[tuple[int, str, bool]]:
    """Every turn that may come, its phase, and whether it is winter."""
    winter = winter_turns(position.tables)
    for turn in turns_to_come(position):
        yield turn, position.tables.phase_of(turn), turn in winter


def _ground(position: Position) -> Iterator[tuple[str, str, bool]]:
    for space in position.tables.spaces.values():
        yield space.id, space.terrain, space.vp > 0


LOSS_NUMBERS = range(21)
"""No fire gives more."""


def _losses(position: Position) -> Iterator[tuple[int, int, int]]:
    for hits in LOSS_NUMBERS:
        yield from ((hits, back, hits - back) for back in LOSS_NUMBERS)


FACTS: Facts = Facts(
    EARLY,
    LATE,
    has_rolled,
    tied={
        ("turn", "phase", "winter"): _times,
        ("space", "terrain", "vp_space"): _ground,
        ("marker", "trench"): lambda position: (
            ("none", False), ("position", False), ("trench", True),
        ),
        ("by_attacker", "by_defender", "difference"): _losses,
    },
)  # fmt: skip
holds = FACTS.holds
NUMBER_FACTS = frozenset(key for key, fact in {**EARLY, **LATE}.items() if fact.sort is A_NUMBER)

WHEN, WHEN_ROLLED = Condition(FACTS, late=False), Condition(FACTS, late=True)
"""Before the dice, and whenever it is asked."""
WHEN_CARDS = Condition(FACTS, late=lambda position: position.option("Q48"),
                       why="when cards are played")  # fmt: skip
"""When combat cards are asked for: by an option after the dice."""
