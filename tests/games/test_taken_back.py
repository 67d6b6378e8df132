"""After a take-back to any entry both players can go on, whatever was shown since.

What was shown stays known. So the earlier state is one that no game has come to by itself: a
counter that lies open before anybody has set up, a card that both know in a hand just dealt.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping

import pytest

from pbem.engine.codec import to_plain
from pbem.engine.model import Decision
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import prospect
from pbem.play.game import opening, tool
from tests.contract.playing import Player
from tests.facedown import mails as fog
from tests.gamefile.players import KEYS
from tests.games.ctv.by_mail import LIBRARY
from tests.games.madrid import test_cups_by_mail as madrid
from tests.games.nopasaran.random_mails import Players
from tests.games.nopasaran.table import SMALL
from tests.play import sealed_pair
from tests.replays import covered

Pair = Mapping[str, KeyPair]
TURNS = 14
"""Entries of the stored game of Santander that are some turns of it."""
BEHIND = 3
"""So many mails are written after each take-back."""


def written(fold: Fold, keys: Pair, player: str, *orders: dict, **wish: object) -> Fold:
    """The fold after the next entry of a player, as their program writes it."""
    wanted = Wish(orders=orders, **wish)  # type: ignore[arg-type]
    return compose(fold, keys[player], wanted, tool=tool(), fresh=b"\x22" * 16).fold


def taken_back(fold: Fold, keys: Pair, to: int) -> Fold:
    """The fold after a take-back that both agree to."""
    pen = str(fold.pen)
    terms = {"what": "takeback", "to": to, "known_randomness": True}
    asked = written(fold, keys, "AB"[pen == "A"], offer=terms)
    return written(asked, keys, pen, answer=True)


def by_default(fold: Fold, keys: Pair) -> tuple[Fold, str]:
    """The next mail, with the default answer if one is asked for, and to what it was given."""
    pen = str(fold.pen)
    view = prospect(fold, keys[pen])
    asked: Decision | None = getattr(view.in_play, "decision", None)
    if not view.orders_wanted or asked is None:
        return written(fold, keys, pen), ""
    answer = {asked.default.verb: to_plain(asked.default)}
    return written(fold, keys, pen, answer), asked.stage


def of_nopasaran() -> tuple[Fold, Pair]:
    """A secret set-up, and counters of both sides shown since."""
    players = Players(SMALL, 3, "secret_set_up")
    seats = players.seats
    while seats.fold.locked is not None or not {"n", "r"} <= decks_shown(seats.fold):
        players.mail()
    return seats.fold, KEYS


def decks_shown(fold: Fold) -> set[str]:
    """The decks of which a card was opened."""
    return {each.epoch.deck for each in fold.machine.hidden.decks if each.opened}


def of_santander() -> tuple[Fold, Pair]:
    """The stored game with covered counters, some turns on."""
    return replay(read(covered.raw_of())[:TURNS], opening(LIBRARY)), KEYS


def of_crusade() -> tuple[Fold, Pair]:
    """Hidden hands, played by the player for practice."""
    games = sealed_pair.played("crusade", 40)
    open_ones = [each.fold for each in games
                 if each.fold.phase == "running" and each.fold.locked is None]  # fmt: skip
    return open_ones[-1], sealed_pair.keys_of("crusade")


def of_madrid() -> tuple[Fold, Pair]:
    """Chits drawn, played, put back and mixed."""
    return madrid.played().fold, KEYS


def of_fog() -> tuple[Fold, Pair]:
    """Counters face down and ambushes, in a game of the tests."""
    player, rng = Player(1), random.Random(1)
    found = fold = fog.write(fog.begun(), "A", {"place": {"units": fog.NORTH_UP}})
    while fold.phase == "running":
        found = found if fold.locked is not None else fold
        fold = fog.write(fold, str(fold.pen), *fog.answers(fold, player, rng))
    return found, KEYS


GAMES: Mapping[str, Callable[[], tuple[Fold, Pair]]] = {
    "nopasaran": of_nopasaran, "santander": of_santander, "crusade": of_crusade,
    "madrid": of_madrid, "fog": of_fog,
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_both_go_on_after_a_take_back_to_any_entry(game: str) -> None:
    fold, keys = GAMES[game]()
    assert decks_shown(fold), "nothing was shown"
    asked, refused = set[str](), list[str]()
    for to in fold.machine.agreements.quiet:
        now = taken_back(fold, keys, to)
        try:
            for _ in range(BEHIND):
                now, stage = by_default(now, keys)
                asked.add(stage)
        except FileRefused as found:
            refused.append(f"{to}: {found.code} {[*found.problems]}")
    assert refused == []
    assert len(asked) > 2
