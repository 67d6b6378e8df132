"""Standing orders for the war elsewhere: who leaves, and where battalions go on fighting."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pbem.board.ranking import place_of
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, unless
from pbem.engine.shapes import Word, listed
from pbem.games.ctv.orders import Remain, Uncover, Withdraw
from pbem.games.ctv.policies.covered import HIDE, SHOW, supposing
from pbem.games.ctv.policies.facts import HEXES, RANKING, in_order
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import war
from pbem.games.ctv.tables import AIR, INFANTRY, NATIONALIST, REPUBLICAN
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.games.ctv.stages.turn import Leaving, Remaining


def _leaving(position: Position, stage: Leaving, words: Sequence[str]) -> Order:
    """As many infantry and air units as leave, by the list."""
    leaving = (
        unit
        for type, number in ((INFANTRY, stage.infantry), (AIR, stage.air))
        for unit in in_order(position, words, war.may_leave(position, type))[:number]
    )
    return Withdraw(tuple(leaving))


def _remaining(position: Position, stage: Remaining, hexes: Sequence[str]) -> Order:
    """Battalions in the first hexes of the list where brigades stood, then in the others."""
    number = len(war.battalions(position))
    best = sorted(stage.hexes, key=lambda hex: place_of(hexes, lambda word: int(word == hex)))
    return Remain(tuple(best[:number]))


def _kept_in_the_war(position: Position, stage: Any, policy: Document) -> Iterator[str]:
    """The covered Basque brigade that is shown, if the one that the document means still helps."""
    if policy.get("basques") == SHOW:
        yield from war.keep_in_the_war(supposing(position, policy))[:1]


def _unasked_of_basques(position: Position, side: Side) -> Violation | None:
    """Why a side is never asked to show covered Basques."""
    if position.is_open:
        return Violation(say("no counter lies covered in this game"), rule="5.2", is_key=True)
    if side != REPUBLICAN:
        told = say("only the Republican player is asked for covered Basques")
        return Violation(told, rule="13.2", is_key=True)
    return None


WITHDRAW: Clause = Clause(
    RANKING,
    answers={"withdraw": Answer(lambda position, stage, policy: _leaving(
        position, stage, policy.get("withdraw", ())))},
    unasked=unless(
        lambda position, side: side == NATIONALIST,
        say("only Nationalist units leave for the offensive elsewhere"), "12.3",
    ),
    example=("[reduced, castile]", say("what leaves for the offensive elsewhere, air units too")),
)  # fmt: skip
REMAIN: Clause = Clause(
    HEXES,
    answers={"remain": Answer(lambda position, stage, policy: _remaining(
        position, stage, listed(policy.get("remain", ()))))},
    unasked=unless(
        lambda position, side: side == REPUBLICAN,
        say("only Republican battalions go on fighting"), "13.3",
    ),
    example=("[1518, 1616]", say("where battalions fight on when the Basques surrender")),
)  # fmt: skip
BASQUES: Clause = Clause(
    Word((SHOW, HIDE), say("basques must be show or hide"), say("basques: show")),
    answers={"basques": Answer(lambda position, stage, policy: Uncover(), _kept_in_the_war)},
    unasked=_unasked_of_basques,
    example=("show", say("whether a covered Basque brigade is shown, if that prevents the die for "
                         "the surrender")),
)  # fmt: skip
