"""What the standing orders of a player will do once their orders are sent, told before that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.engine.policies import answering
from pbem.gamefile.keys import KeyPair
from pbem.messages import Row, Said, say
from pbem.play.game import Game
from pbem.play.prepare import Prepared, remarks_at
from pbem.play.standing import Part, in_force
from pbem.play.table import Table


def with_orders(
    game: Game, key: KeyPair | None, prepared: Prepared, player: str
) -> tuple[Said, ...]:
    """What the standing orders in force after these orders are sent will answer."""
    return tuple(answers(prepared.table, player, _then_in_force(game, key, prepared, player)))


def _then_in_force(
    game: Game, key: KeyPair | None, prepared: Prepared, player: str
) -> tuple[Part, ...]:
    """In the order in which they are asked: what is in clear first, then the latest."""
    given = tuple(reversed(prepared.policies))
    slots = {part["slot"] for part in given}
    kept = in_force(game, key, player) if key else ()
    parts = (*given, *(part for part in kept if part["slot"] not in slots))
    return tuple(sorted(parts, key=lambda part: not part["clear"]))


def told_of(game: Game, key: KeyPair | None, prepared: Prepared, player: str) -> tuple[Said, ...]:
    """Remarks on what the standing orders in force after these orders are sent will do behind each
    of them, with its place.
    """
    every = _then_in_force(game, key, prepared, player)
    parts = [part for part in every if part["doc"] is not None]
    behind, told = prepared.table.system.advice.behind, list[Said]()
    for each in prepared.tried:
        if not (each.is_ahead or each.is_passed_over):
            told += remarks_at(each.where, behind(each.table.state, each.order, parts))
    return tuple(told)


def answers(table: Table, player: str, parts: Sequence[Part]) -> Iterator[Said]:
    """The answers of standing orders, in sentences, and the questions they leave open."""
    if not parts:
        return  # whoever has none is not told what none of them answers
    found = answering.outlook(
        table.system.policies, table.state.position, table.seats[player], parts
    )
    if not (found.said or found.usual):
        return
    said = tuple(found.said) or say("nothing you name")
    yield say("your standing orders answer {questions}", questions=said)
    if found.usual:
        usual = Row(found.usual)
        yield say("  what you left out is answered by default: {questions}", questions=usual)
    if found.asked:
        yield say("  you are still asked for: {questions}", questions=Row(found.asked))
