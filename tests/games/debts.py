"""What a player is told at their desk before they offer the other one new secrets."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli.languages import language
from pbem.gamefile.fold import Fold
from pbem.gamefile.format import write
from pbem.gamefile.in_play import other
from pbem.messages import words
from pbem.play.debts import wiped_out
from pbem.play.game import with_fold
from tests.cli.conftest import at_home
from tests.gamefile.renewed import rotated
from tests.games.outgoing import LANGUAGES, Seat


def told_before_an_offer(folder: Path, fold: Fold, player: str) -> list[str]:
    """What new secrets would let a player out of who has a new key: the lines of `pbem offer` and,
    the offer being made, of `pbem status`, in the language of the other player.
    """
    seat = Seat(folder, other(player))
    seat.holds(write(rotated(fold, player).entries))
    with pytest.MonkeyPatch.context() as patch:
        at_home(folder, patch)
        offered = seat.done("offer", "game.json", "renew", "--key", "own.key", "-o", "next.json")
        status = seat.done("status", "next.json", "--key", "own.key")
    spoken = language(LANGUAGES[seat.player])
    debts = [words(each, spoken) for each in wiped_out(with_fold(fold), player)]
    assert offered.startswith("".join(f"{each}\n" for each in debts)), offered
    assert " ".join(" ".join(debts).split()) in " ".join(status.split()), status
    return debts
