"""What a turn with hidden hands costs: with policies one mail a round, and nothing at its end."""

from __future__ import annotations

import pytest

from pbem.engine.model import Order
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.prospect import prospect
from pbem.orders.written import orders_text
from pbem.play.answer import answer
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.snapshot import read_game
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.text.source import Source
from tests.play.by_mail import key_of, nonce_of

KEYS = {"A": key_of("ana of twelve"), "B": key_of("beto of twelve")}


def begun() -> Game:
    crusade = opened("crusade")
    proposal = Proposal(
        ruleset=crusade.ruleset, data=crusade.digest, scenario="campaign",
        sides=dict(zip("ab", crusade.system.sides, strict=True)), options={},
    )  # fmt: skip
    proposed = propose(
        KEYS["A"], KEYS["B"].public, proposal, table_for, nonce=nonce_of("twelve"), tool=tool()
    )
    game = with_fold(proposed.fold)
    while game.fold.phase != "running" or not orders_wanted(game):
        game = mail(game, None)
    return game


def orders_wanted(game: Game) -> bool:
    """Whether the next mail can hold orders, behind what its author owes."""
    assert game.fold.pen is not None
    return prospect(game.fold, KEYS[game.fold.pen]).orders_wanted


def mail(game: Game, text: str | None) -> Game:
    """The next entry of whoever has the pen."""
    assert game.fold.pen is not None
    orders = Source("orders.yaml", text) if text else None
    return answer(game, KEYS[game.fold.pen], orders, fresh=nonce_of("accepted")).game


def quiet_round(game: Game) -> tuple[str, str]:
    """The orders of a round in which a player does as little as they may, and the round."""
    assert game.fold.pen is not None
    ahead = prospect(game.fold, KEYS[game.fold.pen])
    table = ahead.in_play
    assert isinstance(table, Table) and ahead.orders_wanted
    asked, orders = table.round(), list[Order]()
    while table.decision is not None and table.round() == asked:
        if table.player_of(table.decision.side) != game.fold.pen:
            break
        orders.append(table.decision.default)
        table = table.take(table.decision.default)
    return orders_text(orders), asked


@pytest.mark.parametrize("enemy_is_bound", [True, False])
def test_a_new_turn_end_is_said_openly_only_to_an_enemy_who_is_bound(enemy_is_bound: bool) -> None:
    """An enemy who could still answer after reading it is not told (page 82)."""
    game = begun()
    for _ in range(20):
        text, asked = quiet_round(game)
        if asked == "1/republican/6":
            break
        text += "standing:\n  combat_card: none\n"
        if asked.endswith("nationalist/6") and enemy_is_bound:
            text += "  turn_end: {discard: []}\n"
        game = mail(game, text)
        while not orders_wanted(game):
            game = mail(game, None)
    game = mail(game, f"{text}standing:\n  combat_card: none\n  turn_end: {{discard: []}}\n")
    (said,) = (step for step in game.fold.entries[-1].steps if step.get("slot") == "turn_end")
    assert ("doc" in said, "box" in said) == (enemy_is_bound, not enemy_is_bound)


@pytest.mark.parametrize("sealed, mails", [(True, 12), (False, 14)])
def test_a_turn_costs_twelve_mails(sealed: bool, mails: int) -> None:
    """Without orders for its end a turn costs two more: markers and discards, asked once each."""
    game, seen = begun(), []
    for _ in range(20):
        text, asked = quiet_round(game)
        if asked == "2/nationalist/1":
            break
        seen.append(asked)
        if sealed:
            text += "standing:\n  combat_card: none\n"
            text += "  turn_end: {discard: []}\n" if asked.endswith("/6") else ""
        game = mail(game, text)
        while not orders_wanted(game):
            seen.append("owed")
            game = mail(game, None)
    assert len(seen) == mails, seen
    game = mail(game, text)  # the reveal, and the first round of the next turn, in one mail
    assert len(game.fold.in_play.hand("A")) == 7
    assert read_game(game.bytes()).fold.head == game.fold.head
