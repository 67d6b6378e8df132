"""The facts for conditions of standing orders and of orders given ahead, and the words that rank
units.

Every fact is public: who fights is seen by both, and no fact asks for a counter that lies covered.
What goes on is an attack; some questions come while there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from pbem.board.ranking import ranked
from pbem.engine import shapes
from pbem.engine.conditions import (
    A_FLAG,
    A_NUMBER,
    ALWAYS,
    COMPARE,
    Condition,
    Fact,
    Facts,
    Sort,
    Tied,
    is_among,
    number,
    words,
)
from pbem.engine.model import PlayerStage, Side, State, Violation
from pbem.games.ctv.position import FAIR, RAIN, Combat, Position
from pbem.games.ctv.rules import bombardment, combat
from pbem.games.ctv.tables import AIR, ARMOUR, ENEMY, INFANTRY, MECHANISED, SIDES
from pbem.messages import either, marked, say
from pbem.value import value

# --- words that rank units ----------------------------------------------------------------------

REDUCED, FULL, DISORGANISED = "reduced", "full", "disorganised"
STATES = (REDUCED, FULL, DISORGANISED)
FORMATIONS: Mapping[str, tuple[str, ...]] = {
    "navarra": ("NI", "NII", "NIII", "NIV", "NV", "NVI"),
    "castile": ("CI", "CII"),
}
"""Words for several divisions at once (2.4)."""
WEAKEST, STRONGEST = "weakest", "strongest"
LEADS = (WEAKEST, STRONGEST)
"""In front of a list: which of those come first that it does not tell apart."""


def fits(position: Position, word: str, unit: str) -> int:
    """How specifically a word means a unit: 0 not at all, 3 by its name."""
    if word == unit:
        return 3
    printed = position.printed(unit)
    if word == printed.division or printed.division in FORMATIONS.get(word, ()):
        return 2
    is_reduced = position.lost.get(unit, 0) > 0 and printed.type != AIR
    state = REDUCED if is_reduced else FULL
    is_disorganised = word == DISORGANISED and position.levels.get(unit, 0) > 0
    return 1 if word in (printed.nation, printed.type, state) or is_disorganised else 0


def in_order(position: Position, words: Sequence[str], units: Sequence[str]) -> list[str]:
    """Units in the order of a list; of those that it does not tell apart, the weakest first, or the
    strongest. All air units are alike.
    """
    flying = [unit for unit in units if position.printed(unit).type == AIR]
    marching = [unit for unit in units if unit not in flying]
    by_strength = [*combat.ranked(position, None, marching), *flying]
    if STRONGEST in words[:1]:
        by_strength.reverse()
    return ranked(words, by_strength, lambda word, unit: fits(position, word, unit))


def named(position: Position, words: Sequence[str], units: Iterable[str]) -> list[str]:
    """The units that a list means, in its order."""
    meant = [unit for unit in units if any(fits(position, word, unit) for word in words)]
    return in_order(position, words, meant)


def _known(position: Position) -> tuple[str, ...]:
    units = position.board.units.values()
    kinds = dict.fromkeys((unit.nation for unit in units if unit.nation), None)
    divisions = dict.fromkeys(unit.division for unit in units if unit.division)
    types = (INFANTRY, MECHANISED, ARMOUR, AIR)
    return (*STATES, *types, *kinds, *FORMATIONS, *divisions, *position.board.units)


def _stranger(position: Position, side: Side, word: str) -> Iterator[Violation]:
    """The fault of a word that means no unit of a side."""
    own = position.board.army[side]
    if word not in STATES and not any(fits(position, word, unit) for unit in own):
        yield shapes.matches_none(word, side)


def _loses_nothing(position: Position, side: Side, word: str) -> Iterator[Violation]:
    yield from _stranger(position, side, word)
    printed = position.board.units.get(word)
    if printed is not None and printed.side == side and not _counts(printed):
        told = say("{unit} has no steps to lose", unit=word)
        yield Violation(told, rule="9.2", hint=say("leave it out"))


def _counts(printed: Any) -> bool:
    return bool(printed.takes_losses) or printed.type == AIR


TOLD = say("a unit, a division, reduced, full, armour, infantry or a nation")

UNIT_WORD = shapes.ranked_word(_known, TOLD, _loses_nothing)
"""Of the player's own side, that can lose steps, attack or be shot down."""
RANKING = shapes.ranking(shapes.OrWord(LEADS, UNIT_WORD), LEADS)
PLAIN_RANKING = shapes.ranking(UNIT_WORD)

# --- hexes --------------------------------------------------------------------------------------

HEX = shapes.name("hex", lambda position: position.board.hexes, say("a hex of land, such as 2010"))
HEXES = shapes.Many(HEX, once=True, needed=True)

# --- what goes on -------------------------------------------------------------------------------


@value
class InAttack:
    """The attack of which a side is asked something."""

    side: Side
    battle: Combat

    @property
    def is_rolled(self) -> bool:
        """Whether its die has been thrown."""
        return bool(self.battle.result)


def subject(state: State[Position]) -> InAttack | None:
    """What the present question is about; None where no attack goes on."""
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    return about(state.position, stage)


def about(position: Position, stage: Any) -> InAttack | None:
    """The attack of which a stage asks."""
    battle = position.battle
    return None if battle is None else InAttack(stage.side, battle)


def is_own_attack(position: Position, side: Side) -> bool:
    """Whether an attack of this side is being resolved."""
    battle = position.battle
    return battle is not None and position.side_of(battle.attackers[0]) == side


# --- facts --------------------------------------------------------------------------------------


def _points(position: Position, asked: InAttack | None) -> int:
    """The bombardment points that the enemy has committed to the attack."""
    if asked is None:
        return 0
    support = asked.battle.support
    theirs = (unit for unit in support if position.side_of(unit) != asked.side)
    return bombardment.points_of(position, theirs)


def _terrain(position: Position, asked: InAttack | None) -> str:
    return position.board.ground[asked.battle.hex] if asked else ""


def _column(position: Position, asked: InAttack | None) -> str:
    """The column of the combat table: that of the die, or before it as things stand."""
    if asked is None:
        return ""
    if asked.is_rolled:
        return asked.battle.column
    return combat.heading_now(position, asked.battle)


def _steps(asked: InAttack | None, *, of_enemy: bool, position: Position) -> int:
    """The steps that the die takes from a side; a breakthrough takes none, for all are lost."""
    if asked is None or "/" not in asked.battle.result:
        return 0
    attacker, defender = map(int, asked.battle.result.split("/"))
    return attacker if is_own_attack(position, asked.side) != of_enemy else defender


ODDS = r"(>=|<=|>|<|==|=)? *([0-9]{1,2}:[0-9]{1,2})"
ODDS_OR_MORE = r" *([0-9]{1,2}:[0-9]{1,2}) *\+ *"


def _odds_or_more(written: Any) -> Any:
    """3:1+ in its stored form: >=3:1."""
    said = isinstance(written, str) and re.fullmatch(ODDS_OR_MORE, written)
    return f">={said[1]}" if said else written


def _columns(position: Position) -> list[str]:
    table = position.board.odds
    return [table.heading(column) for column in range(len(table.columns))]


def _is_at_odds(position: Position, column: str, wanted: Any) -> bool:
    match, columns = re.fullmatch(ODDS, wanted), _columns(position)
    if match is None or column not in columns or match[2] not in columns:
        return False
    sign = match[1] or "=="
    compare = COMPARE["==" if sign == "=" else sign]
    return compare(columns.index(column), columns.index(match[2]))


def _no_such_odds(position: Position, fact: Any, wanted: Any) -> Violation | None:
    if any(_is_at_odds(position, column, wanted) for column in _columns(position)):
        return None
    return Violation(
        say("{fact} is never {wanted}", fact=fact, wanted=wanted), rule="10.2",
        hint=say("the columns are {columns}", columns=tuple(_columns(position))),
    )  # fmt: skip


AT_ODDS = Sort(
    shapes.fitting(
        lambda said: isinstance(said, str) and re.fullmatch(ODDS, said) is not None,
        say("expected a column such as 3:1, or a comparison such as 3:1+ or '<2:1'"),
        {"type": "string", "pattern": f"^({ODDS}|{ODDS_OR_MORE})$"},
        _no_such_odds,
        reads=_odds_or_more,
    ),
    _is_at_odds,
)
HELD = Sort(
    shapes.Each(
        HEX,
        shapes.Word(SIDES, say("held needs a hex and a side"), either(SIDES)),
        say("held lists hexes and the side that holds each"),
        say("{2010: nationalist}"),
    ),
    lambda position, _, wanted: all(position.control[hex] == side for hex, side in wanted),
)
EMPTY = Sort(
    HEXES,
    lambda position, _, wanted: all(
        position.holder(hex) is None for hex in shapes.listed(wanted)
    ),
)  # fmt: skip
TURN = number(
    lambda position: range(
        max(position.turn, 1), position.board.scenarios[position.scenario]["turns"] + 1
    ),
    lambda turns: say("from {first} to {last}", first=turns[0], last=turns[-1]),
)
POINTS, STEPS = A_NUMBER, A_NUMBER

ANY = Fact(ALWAYS, lambda position, asked: True, always=True)
OF_THE_TABLE = {
    "turn": Fact(TURN, lambda position, asked: position.turn),
    "weather": Fact(words(lambda position: (FAIR, RAIN)), lambda position, asked: position.weather),
    "held": Fact(HELD, lambda position, asked: position),
    "empty": Fact(EMPTY, lambda position, asked: position),
}
"""What can be asked whatever goes on."""
FACTS = Facts(
    {
        "any": ANY,
        "hex": Fact(
            Sort(shapes.Many(HEX, numbered=False), is_among),
            lambda position, asked: asked.battle.hex if asked else "",
        ),
        "terrain": Fact(words(lambda position: tuple(position.board.terrain)), _terrain),
        "trench": Fact(
            A_FLAG, lambda position, asked: bool(asked) and asked.battle.hex in position.trenches
        ),
        "points": Fact(POINTS, _points, whose=lambda side: ENEMY[side]),
        "odds": Fact(AT_ODDS, _column),
        **OF_THE_TABLE,
    },
    {
        "own_losses": Fact(
            STEPS, lambda position, asked: _steps(asked, of_enemy=False, position=position)
        ),
        "enemy_losses": Fact(
            STEPS, lambda position, asked: _steps(asked, of_enemy=True, position=position)
        ),
    },
    lambda asked: asked is not None and asked.is_rolled,
    tied={("hex", "terrain"): Tied(lambda position: position.board.ground.items())},
    then=marked("behind the combat die"),
)
WHEN, WHEN_ROLLED = Condition(FACTS, late=False), Condition(FACTS, late=True)
"""Before the combat die, and behind it."""
