"""Sealed games in which keys are lost, with their secrets or without, played on to the audits."""

from __future__ import annotations

import pytest

from pbem.gamefile import negotiation
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read, write
from pbem.gamefile.generations import generations
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import Renewed
from pbem.gamefile.keys import KeyPair
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.story import story
from pbem.render.formats import rendered
from tests.conftest import FUZZ
from tests.gamefile.knowledge import look_aheads
from tests.play.by_mail import key_of
from tests.play.test_sealed_by_mail import Sealed

OFFER = {"what": "renew"}


class Losing(Sealed):
    """A random game whose players lose their keys; what they had before lies in `drawer`."""

    def __init__(self, seed: str, scenario: str, *options: str) -> None:
        super().__init__(seed, scenario, *options)
        self.drawer: dict[str, list[KeyPair]] = {"A": [], "B": []}

    def lose(self) -> str:
        """Whoever is to write has a new key, by the word of the other, and new secrets."""
        fold, player = self.fold, self.fold.pen
        assert player is not None
        self.drawer[player].append(self.keys[player])
        new = key_of(f"{player} {len(fold.entries)}")
        proof = negotiation.proof_for(fold, player, new)
        fold = negotiation.new_key(
            fold, self.keys[other(player)], new.public.hex(), proof, tool=tool(),
            signed_by="opponent", renew=True,
        )  # fmt: skip
        self.keys[player] = new
        self.fold = compose(fold, new, Wish(answer=True), tool=tool()).fold
        return player

    def mails(self, count: int) -> None:
        for _ in range(count):
            if self.fold.phase == "over":
                return
            self.mail()

    def audit(self, player: str, *, lost: bool) -> None:
        key = self.keys[player]
        if not lost:
            key = key.in_place_of(*self.drawer[player])
        self.fold = compose(self.fold, key, Wish(lost=lost), tool=tool()).fold


def hidden(fold: Fold, player: str) -> int:
    """How many cards of a hand only its player knows."""
    assert fold.in_play is not None
    return len(set(fold.in_play.hand(player)) - set(fold.in_play.known()))


@pytest.mark.parametrize(
    ("seed", "scenario", "losses"),
    [
        ("one", "campaign", (1, 4, 9, 15)),
        ("two", "two_years_of_war", (2, 3, 11, 30)),
        ("three", "war_of_the_columns", (5, 6, 7, 8)),
    ][: 1 if FUZZ == 1 else 3],
)
def test_a_game_goes_on_and_is_audited(seed: str, scenario: str, losses: tuple[int, ...]) -> None:
    """`losses`: how many mails lie between two losses."""
    game = Losing(seed, scenario)
    game.mails(2)  # the acceptance, and the start with its beacon
    for count in losses:
        game.mails(count)
        before = game.fold
        player = game.lose()
        assert game.fold.machine.keys.renewals[-1].of == player
        assert all(old.name != new.name for old, new in changed(before, game.fold, player))
        while game.fold.phase == "running" and is_dealt_anew(game.fold):
            game.mail()
        assert hidden(game.fold, player) >= hidden(before, player)
    game.mails(10)
    raw = write(game.fold.entries)
    assert look_aheads(replay(read(raw), table_for)) == []
    for each, keys in game.drawer.items():
        for generation, key in zip(
            generations(game.fold.machine, each), [*keys, game.keys[each]], strict=True
        ):
            from pbem.gamefile.keys import game_secret

            assert game_secret(key.seed, each, generation.context).hex().encode() not in raw
    if game.fold.phase != "over":
        player = game.fold.pen or "A"
        game.fold = compose(game.fold, game.keys[player], Wish(resign=True), tool=tool()).fold
    game.audit("A", lost=False)
    game.audit("B", lost=True)
    done = replay(read(write(game.fold.entries)), table_for)
    assert not done.is_provisional and done.owed == ()
    assert len(done.machine.hidden.lost) == len(game.drawer["B"])


def is_dealt_anew(fold: Fold) -> bool:
    from pbem.games.crusade.stages.draw import DealtAnew
    from pbem.play.table import Table

    assert isinstance(fold.in_play, Table)
    return any(isinstance(stage, DealtAnew) for stage in fold.in_play.state.agenda)


def changed(before: Fold, after: Fold, player: str):  # type: ignore[no-untyped-def]
    """Every old deck of a player with every one they have now."""
    now = [one for one in after.machine.hidden.decks if one.epoch.by == player]
    then = [one for one in before.machine.hidden.decks if one.epoch.by == player]
    return [(old, new) for old in then for new in now]


def test_the_log_tells_of_it() -> None:
    game = Losing("log", "campaign")
    game.mails(2)
    game.lose()
    told = rendered(story(with_fold(game.fold)))
    flat = " ".join(told.split())
    assert "The Republican player continues with new secrets, made from their present key." in flat
    assert "Beacon 1 is void: it stays unknown and decides nothing." in flat
    assert "The hidden Republican cards are collected to be dealt again." in flat
    assert "offers new secrets to the other: everything they hide is dealt again" in flat
    item = next(one for one in game.fold.told() if isinstance(one, Renewed))
    assert item.burnt == 1 and isinstance(with_fold(game.fold), Game)
