"""The facts for conditions of standing orders and of orders given ahead, and the words that rank
units. All counters lie open, so every fact is public.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.board.ranking import ranked
from pbem.engine import shapes
from pbem.engine.conditions import (
    A_FLAG,
    A_NUMBER,
    ALWAYS,
    Condition,
    Fact,
    Facts,
    Sort,
    is_among,
    number,
    words,
)
from pbem.engine.model import PlayerStage, Side, State, Violation
from pbem.games.nopasaran.orders import TYPES
from pbem.games.nopasaran.position import Combat, Position
from pbem.games.nopasaran.rules import factors, reports
from pbem.games.nopasaran.rules.naming import HALVES
from pbem.games.nopasaran.tables import ENEMY, SIDES, TANK
from pbem.messages import either, marked, say
from pbem.value import value

NEXT, FURTHER = "activations", ("activations_2", "activations_3")
"""The slots of the next activations, in their order: one each, for a document has 3000 bytes."""

# --- words that rank units ----------------------------------------------------------------------

BEST, STRONGEST, WEAKEST = "best", "strongest", "weakest"
LEADS = (BEST, STRONGEST, WEAKEST)
"""In front of a list: which of those come first that it does not tell apart."""


def fits(position: Position, word: str, unit: str) -> int:
    """How specifically a word means a unit: 0 not at all, 3 by its name."""
    if word == unit:
        return 3
    printed = position.printed(unit)
    if word in (position.home(unit), position.commander(unit)):
        return 2
    return int(word == printed.type)


def in_order(position: Position, words: Sequence[str], units: Sequence[str]) -> list[str]:
    """Units in the order of a list; of those that it does not tell apart the most effective first,
    or those with the most or fewest troop points.
    """
    lead = words[0] if words and words[0] in LEADS else BEST

    def rank(unit: str) -> tuple[int, int]:
        troops = position.troops(unit)
        if lead == BEST:
            return -factors.effectiveness(position, unit), -troops
        return (-troops, 0) if lead == STRONGEST else (troops, 0)

    first = sorted(position.board.in_order(units), key=rank)
    told = [word for word in words if word not in LEADS]
    return ranked(told, first, lambda word, unit: fits(position, word, unit))


def _known(position: Position) -> tuple[str, ...]:
    board = position.board
    kinds = dict.fromkeys(unit.type for unit in board.units.values())
    return (*kinds, *board.formations, *board.units)


def _stranger(position: Position, side: Side, word: str) -> Iterator[Violation]:
    """The fault of a word that means no unit of a side."""
    own = (unit for unit in position.board.units if position.side_of(unit) == side)
    if not any(fits(position, word, unit) for unit in own):
        yield shapes.matches_none(word, side)


UNIT_WORD = shapes.ranked_word(_known, say("a unit, a formation or a type of units"), _stranger)
"""Of the player's own side."""
RANKING = shapes.ranking(shapes.OrWord(LEADS, UNIT_WORD), LEADS)

# --- hexes --------------------------------------------------------------------------------------

HEX = shapes.name("hex", lambda position: position.ground.hexes, say("a hex such as G13"))
HEXES = shapes.Many(HEX, once=True, needed=True)

# --- what goes on -------------------------------------------------------------------------------


@value
class InQuestion:
    """What a side is asked about: the combat that goes on, or the unit that looked for it."""

    side: Side
    combat: Combat | None
    scout: str = ""

    @property
    def is_rolled(self) -> bool:
        """Whether the dice of the combat have been thrown."""
        return self.combat is not None and bool(self.combat.result)


def subject(state: State[Position]) -> InQuestion | None:
    """What the present question is about; None where nothing goes on."""
    stage = state.agenda[-1]
    assert isinstance(stage, PlayerStage)
    return about(state.position, stage)


def about(position: Position, stage: Any) -> InQuestion | None:
    """What a stage asks about."""
    scout = getattr(stage, "scout", "")
    if position.combat is None and not scout:
        return None
    return InQuestion(stage.side, position.combat, scout)


def is_own_attack(position: Position, side: Side) -> bool:
    """Whether an attack of this side is being resolved."""
    return position.combat is not None and position.combat.side == side


# --- facts --------------------------------------------------------------------------------------


def _hex(position: Position, asked: InQuestion | None) -> str:
    if asked is None:
        return ""
    return asked.combat.hex if asked.combat else position.at(asked.scout)


def _enemy_units(position: Position, asked: InQuestion | None) -> tuple[str, ...]:
    if asked is None:
        return ()
    if asked.combat is None:
        return (asked.scout,)
    if asked.combat.side == asked.side:
        return position.units_at(asked.combat.hex, ENEMY[asked.side])
    return tuple(unit for unit in asked.combat.attackers if position.at(unit))


def _has_armour(position: Position, asked: InQuestion | None) -> bool:
    return any(position.printed(unit).is_armoured for unit in _enemy_units(position, asked))


def _troops(position: Position, asked: InQuestion | None) -> int:
    return position.troops_of(_enemy_units(position, asked))


def _type(position: Position, asked: InQuestion | None) -> str:
    return asked.combat.type if asked and asked.combat else ""


def _scout(position: Position, asked: InQuestion | None) -> str:
    return position.printed(asked.scout).type if asked and asked.scout else ""


def _result(position: Position, asked: InQuestion | None) -> str:
    return asked.combat.result if asked and asked.combat else ""


CONTROL = Sort(
    shapes.Each(
        HEX,
        shapes.Word(SIDES, say("control needs a hex and a side"), either(SIDES)),
        say("control lists hexes and the side that controls each"),
        say("{G13: nationalist}"),
    ),
    lambda position, _, wanted: all(position.control[hex] == side for hex, side in wanted),
)
EMPTY = Sort(
    HEXES,
    lambda position, _, wanted: all(position.holder(hex) is None for hex in shapes.listed(wanted)),
)
SEEN = Sort(
    shapes.Each(
        HEX,
        shapes.Fields({"points": A_NUMBER.shape}, say("seen needs a hex and its points"),
                      say("{G13: {points: <=6}}"), ("points",)),
        say("seen lists hexes and the troop points in each"),
        say("{G13: {points: <=6}}"),
    ),
    lambda position, _, wanted: all(
        (points := reports.troops_known(position, hex)) is not None
        and A_NUMBER.is_so(position, points, said["points"])
        for hex, said in wanted
    ),
)  # fmt: skip
DAY = number(
    lambda position: range(max(position.day, 1), len(position.plain["days"]) + 1),
    lambda days: say("from {first} to {last}", first=days[0], last=days[-1]),
)
ANY = Fact(ALWAYS, lambda position, asked: True, always=True)
OF_THE_TABLE = {
    "day": Fact(DAY, lambda position, asked: position.day),
    "weather": Fact(words(lambda position: tuple(position.board.weather)),
                    lambda position, asked: position.weather),
    "control": Fact(CONTROL, lambda position, asked: position),
    "empty": Fact(EMPTY, lambda position, asked: position),
    "seen": Fact(SEEN, lambda position, asked: position),
}  # fmt: skip
"""What can be asked whatever goes on."""
FACTS = Facts(
    {
        "any": ANY,
        "hex": Fact(Sort(shapes.Many(HEX, numbered=False), is_among), _hex),
        "terrain": Fact(
            words(lambda position: tuple(position.ground.kinds)),
            lambda position, asked: (
                position.terrain(hex).id if (hex := _hex(position, asked)) else ""
            ),
        ),
        "enemy_armour": Fact(A_FLAG, _has_armour, whose=lambda side: ENEMY[side]),
        "enemy_troops": Fact(A_NUMBER, _troops, whose=lambda side: ENEMY[side]),
        "type": Fact(words(lambda position: TYPES), _type),
        "recon": Fact(words(lambda position: ("cavalry", TANK, "armour")), _scout),
        **OF_THE_TABLE,
    },
    {"result": Fact(words(lambda position: tuple(position.board.results)), _result)},
    lambda asked: asked is not None and asked.is_rolled,
    then=marked("behind the dice of the combat"),
)


def _points_left(position: Position, gun: str) -> int:
    return factors.left_to_spend(position, gun) // HALVES


OF_A_GUN = Facts({"points_left": Fact(A_NUMBER, _points_left)}, {}, lambda gun: False)
"""What can be asked of each battery that could support a defence: its points for today."""
WHEN, WHEN_ROLLED = Condition(FACTS, late=False), Condition(FACTS, late=True)
"""Before the dice of the combat, and behind them."""
