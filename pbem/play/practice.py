"""The practice player at a table: orders with their reasons, written like anyone's orders."""

from __future__ import annotations

from pbem.engine.model import Side
from pbem.engine.practice import NO_PRACTICE, chosen
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.shapes import BOTS
from pbem.messages import ENGLISH, Language, say, words
from pbem.orders.written import in_order, orders_text
from pbem.play.answer import answer
from pbem.play.forms import asked_table
from pbem.play.game import Game
from pbem.play.systems import OpenedGame
from pbem.play.table import DiceWanted, Table
from pbem.problems import Problem, Refused
from pbem.text.source import Source

NAME = "the practice player's orders"
"""The name of their text in problems, which would be bugs."""


def against_side(game: OpenedGame, side: str) -> str:
    """The option of a solo game in which pbem plays one of the sides.

    Raises Refused for a game without a practice player.
    """
    if game.system.practice is NO_PRACTICE:
        raise Refused(
            Problem(
                "no-bot",
                say("pbem cannot play {system} yet", system=game.system.title),
                hint=say("without --against you play both sides yourself"),
            )
        )
    return BOTS["AB"[1 - game.system.sides.index(Side(side))]]


def written(
    game: Game, key: KeyPair | None, language: Language = ENGLISH, *, with_standing: bool = True
) -> Source | None:
    """The practice player's orders file for the owner of `key`; in a solo game for the player
    asked.

    None if they are asked nothing. Reasons, in the language of the reader, are given only in a solo
    game: between two players, the opponent would read them. Between these it says its standing
    orders, too, unless some are in force, or there are others (not `with_standing`).
    """
    table = asked_table(game, key)
    if table is None or table.decision is None:
        return None
    text = _text(table, language, with_reasons=game.fold.is_solo)
    if key is not None and with_standing and not game.fold.is_solo:
        text += _standing(game, table, key)
    return Source(NAME, text)


def _standing(game: Game, table: Table, key: KeyPair) -> str:
    """Its standing orders, if no others are in force."""
    player = game.fold.player_of(key.public)
    said = game.fold.machine.pending.policies
    if player is None or any(each.by == player and not each.withdraws for each in said):
        return ""
    found = table.system.practice.standing(table.seats[player])
    return f"standing: {in_order(found)}\n" if found else ""


def _text(table: Table, language: Language, *, with_reasons: bool) -> str:
    """Its orders up to the next roll, the other player's answer, or the next span, and what it
    orders behind that roll or answer.
    """
    assert table.decision is not None
    side, span = table.decision.side, table.round()
    orders, reasons = [], []
    while table.decision and table.decision.side == side and table.round() == span:
        if table.decision.only_shows:
            break  # that takes no order: the entry shows it
        practice, state = table.system.practice, table.state
        given = [chosen(practice, state)]
        table = table.take(given[0].order).once_told(side)
        if isinstance(table.waits(), DiceWanted) or (
            table.decision is not None and table.decision.side != side
        ):
            given += practice.along(practice.veiled(state, side), given[0].order)
        orders += [idea.order for idea in given]
        reasons += [words(idea.why, language) for idea in given if idea.why]
    return orders_text(orders, "\n".join(reasons) if with_reasons else "")


def replied(game: Game, language: Language = ENGLISH) -> Game:
    """The game after every answer its practice player has to give now, of which there may be none.

    Other games are returned unchanged.
    """
    bot = game.fold.bot
    while bot is not None and game.fold.phase == "running" and game.fold.pen == bot:
        game = answer(game, None, written(game, None, language), fresh=b"").game
    return game
