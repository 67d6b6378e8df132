"""The conditions of a standing policy: the facts it may ask about.

Every fact is public. Facts of EARLY are known when cards are asked for, those of LATE only after
the dice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.engine.conditions import (
    A_FLAG,
    A_NUMBER,
    ALWAYS,
    MOST,
    Condition,
    Fact,
    Facts,
    Sort,
    Tied,
    amount,
    compares,
    control,
    is_among,
    meets,
    number,
    or_more,
    words,
)
from pbem.engine.model import Side, Violation
from pbem.engine.shapes import (
    Fields,
    Judge,
    Many,
    Shape,
    listed,
    matches_none,
    name,
    ranked_word,
    ranking,
)
from pbem.games.crusade.position import REMOVED, Combat, Position
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.ranking import (
    FLIP,
    GENERAL,
    UNIT_WORDS,
    fits,
    fits_any,
    is_word,
    means,
    usual_words,
)
from pbem.games.crusade.rules.winter import is_winter, winter_turns
from pbem.games.crusade.tables import ENEMY, SIDES
from pbem.messages import Row, either, marked, say


def stranger(position: Position, side: Side, word: str) -> Iterator[Violation]:
    """The fault of a word that means no unit a side still has."""
    if word in GENERAL or word == FLIP:
        return
    units = [unit for unit in position.tables.units if means(position, word, unit)]
    theirs = [unit for unit in units if position.tables.units[unit].side == side]
    if not theirs:
        yield matches_none(
            word, side, say("on the map it has {types}", types=_types_on_the_map(position, side))
        )
    elif all(position.place_of(unit) == REMOVED for unit in theirs):
        yield Violation(say("{word} is out of the game", word=word))


def _types_on_the_map(position: Position, side: Side) -> tuple[str, ...]:
    """The types of the units that a side has on the map, in the order of the table."""
    mine = {
        position.type_of(unit).id for unit, counter in position.counters.items()
        if position.side_of(unit) == side and position.is_open_for_play(counter.place)
    }  # fmt: skip
    return tuple(id for of, id in position.tables.types if of == side and id in mine)


def unit_word(*more: str, never: Judge = stranger) -> Shape:
    """A word of a ranking; `never` finds the words without effect."""
    told = say("{told}, {more}", told=UNIT_WORDS, more=Row(more)) if more else UNIT_WORDS
    known = (lambda position: (*usual_words(position), *more)) if more else usual_words
    return ranked_word(known, told, never, is_word)


UNIT_WORD, LOSS_WORD = unit_word(), unit_word(FLIP)
"""A word of a ranking; one of a ranking for losses may also be `flip_before_kill`."""
RANKING, LOSS_RANKING = ranking(UNIT_WORD), ranking(LOSS_WORD, leads=(FLIP,))


def _units_are(position: Position, units: Sequence[str], wanted: Mapping[str, Any]) -> bool:
    """Units described by `has` (one of these words), `only` (these words) and `count`."""
    words = listed(wanted.get("only", ()))
    return (
        ("has" not in wanted or any(fits_any(position, w, units) for w in listed(wanted["has"])))
        and (not words or all(any(fits(position, w, u) for w in words) for u in units))
        and ("count" not in wanted or compares(len(units), wanted["count"]))
    )


def _none_of_them(position: Position, side: Side, wanted: Mapping[str, Any]) -> Iterator[Violation]:
    """The fault of a condition that requires a unit excluded by its own `only`."""
    if "has" not in wanted or "only" not in wanted:
        return
    units = [unit for unit, kind in position.tables.units.items() if kind.side == side]
    has, only = listed(wanted["has"]), listed(wanted["only"])

    def meant_by(words: Sequence[str]) -> set[str]:
        return {unit for unit in units if any(means(position, word, unit) for word in words)}

    if meant_by(has) and meant_by(only) and not meant_by(has) & meant_by(only):
        told = say("no unit that matches has also matches only")
        yield Violation(told, ("only",), hint=say("leave one of them out"))


FROM_ONE = range(1, MOST + 1)
A_UNIT = Many(UNIT_WORD, needed=True)
UNITS = Sort(
    Fields(
        {"has": A_UNIT, "only": A_UNIT, "count": amount(lambda position: FROM_ONE, or_more)},
        say("a condition on units needs has, only or count"),
        unknown=marked("{key} is not a condition on units"),
        never=_none_of_them,
    ),
    _units_are,
)
SPACE_NAME = name("space", lambda position: position.tables.spaces)
SPACE = Sort(Many(SPACE_NAME, numbered=False), is_among)
SPACES = Sort(SPACE.shape, meets)


CONTROL = control(
    Position.controls,
    SPACE_NAME,
    say("control needs a space and a side"),
    say("spaces"),
    SIDES,
    "madrid",
)
"""The side that controls each of some spaces."""


def _not_the_enemys(position: Position, side: Side, card: str) -> Iterator[Violation]:
    known = position.card(card)
    if known.side == side or known.kind != "combat":
        yield Violation(
            say("{card} ({known}) is not an enemy combat card", card=card, known=known.title)
        )


CARD = name("card", lambda position: position.tables.cards, never=_not_the_enemys)
CARDS = Sort(Many(CARD, numbered=False), meets)


def turns_to_come(position: Position) -> range:
    """The turns from the current one to the last one of the scenario."""
    last: int = position.tables.sheet(position.scenario)["last_turn"]
    return range(position.turn, last + 1)


def _phases_to_come(position: Position) -> tuple[str, ...]:
    return tuple(dict.fromkeys(map(position.tables.phase_of, turns_to_come(position))))


def _terrains(position: Position) -> tuple[str, ...]:
    return tuple(sorted({space.terrain for space in position.tables.spaces.values()}))


def _columns(position: Position) -> list[int]:
    tables = position.tables.fire_tables.values()
    return sorted({column[0] for table in tables for column in table.columns})


TURN = number(
    turns_to_come, lambda turns: say("from {first} to {last}", first=turns[0], last=turns[-1])
)
COLUMN = number(
    _columns, lambda columns: say("one of {columns}", columns=either(map(str, columns)))
)
COUNTED = number(lambda position: FROM_ONE, or_more)
DIFFERENCE = number(
    lambda position: range(-MOST, MOST + 1), lambda numbers: say("a difference of Loss Numbers")
)


def _corps(position: Position, units: Sequence[str]) -> int:
    return sum(1 for unit in units if position.type_of(unit).is_corps)


def _column(position: Position, combat: Combat, side: Any) -> int:
    """The least strength of a column."""
    table = position.tables.fire_tables[rules.fire_table(position, combat, side)]
    return table.columns[rules.column(position, combat, side)][0]


def _marker(position: Position, combat: Combat) -> str:
    fort = position.forts.get(combat.space)
    return fort.kind if fort else "none"


def _is_trench(position: Position, combat: Combat) -> bool:
    return _marker(position, combat) == "trench"


EARLY: Mapping[str, Fact] = {
    "any": Fact(ALWAYS, lambda position, combat: True, always=True),
    "role": Fact(
        words(lambda position: ("defender",)),
        lambda position, combat: "defender",
        always="defender",
    ),
    "space": Fact(SPACE, lambda position, combat: combat.space),
    "from": Fact(SPACES, lambda position, combat: combat.from_spaces),
    "attackers": Fact(
        UNITS, lambda position, combat: combat.attackers(position), whose=lambda side: ENEMY[side]
    ),
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
        COLUMN,
        lambda position, combat: _column(position, combat, combat.attacker),
    ),
    "my_column": Fact(COLUMN, lambda position, combat: _column(position, combat, combat.defender)),
    "att_cards": Fact(CARDS, lambda position, combat: combat.attacker_cards),
    "terrain": Fact(
        words(_terrains), lambda position, combat: position.space(combat.space).terrain
    ),
    "marker": Fact(words(lambda position: ("none", "position", "trench")), _marker),
    "trench": Fact(A_FLAG, _is_trench),
    "armor": Fact(A_FLAG, lambda position, combat: bool(combat.armor)),
    "turn": Fact(TURN, lambda position, combat: position.turn),
    "phase": Fact(words(_phases_to_come), lambda position, combat: position.phase),
    "winter": Fact(A_FLAG, lambda position, combat: is_winter(position)),
    "vp_space": Fact(A_FLAG, lambda position, combat: position.space(combat.space).vp > 0),
    "combat": Fact(COUNTED, lambda position, combat: combat.number),
    "control": Fact(CONTROL, lambda position, combat: position),
}

LATE: Mapping[str, Fact] = {
    "by_attacker": Fact(A_NUMBER, lambda position, combat: combat.by_attacker),
    "by_defender": Fact(A_NUMBER, lambda position, combat: combat.by_defender),
    "difference": Fact(DIFFERENCE, lambda position, combat: combat.difference),
    "steps_left": Fact(
        COUNTED,
        lambda position, combat: sum(
            position.steps_left(unit) for unit in combat.defenders(position)
        ),
    ),
}


def has_rolled(combat: Combat) -> bool:
    """Whether the attackers have fired: late facts count from then on."""
    return combat.by_attacker is not None


def _times(position: Position) -> Iterator[tuple[int, str, bool]]:
    """Every turn to come, its phase, and whether it is winter."""
    winter = winter_turns(position.tables)
    for turn in turns_to_come(position):
        yield turn, position.tables.phase_of(turn), turn in winter


def _ground(position: Position) -> Iterator[tuple[str, str, bool]]:
    for space in position.tables.spaces.values():
        yield space.id, space.terrain, space.vp > 0


def _ways(position: Position) -> Iterator[tuple[tuple[str, ...], str]]:
    """The spaces from which each space can be attacked."""
    for space in position.tables.spaces:
        yield tuple(position.neighbours(space)), space


LOSS_NUMBERS = range(21)
"""The possible Loss Numbers; no fire gives more."""


def _losses(position: Position) -> Iterator[tuple[int, int, int]]:
    for hits in LOSS_NUMBERS:
        yield from ((hits, back, hits - back) for back in LOSS_NUMBERS)


FACTS: Facts = Facts(
    EARLY,
    LATE,
    has_rolled,
    tied={
        ("turn", "phase", "winter"): Tied(_times),
        ("space", "terrain", "vp_space"): Tied(_ground),
        ("from", "space"): Tied(_ways, say("no space of from is next to one of space")),
        ("marker", "trench"): Tied(lambda position: (
            ("none", False), ("position", False), ("trench", True),
        )),
        ("by_attacker", "by_defender", "difference"): Tied(_losses),
    },
    then=marked("after the dice"),
)  # fmt: skip
holds = FACTS.holds

WHEN, WHEN_ROLLED = Condition(FACTS, late=False), Condition(FACTS, late=True)
"""Before the dice, and whenever it is asked."""
WHEN_CARDS = Condition(FACTS, late=lambda position: position.option("Q48"),
                       why=marked("when cards are played"))  # fmt: skip
"""When combat cards are asked for: by an option after the dice."""
