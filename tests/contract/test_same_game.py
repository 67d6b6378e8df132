"""The same orders and dice make the same game on every machine, and the bot orders the same."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.contract.playing import every_game

SEED, MOST = "3", "200"


@pytest.mark.parametrize("game", dict(every_game()).items(), ids="-".join)
def test_no_game_hangs_on_the_order_of_words_in_a_set(game: tuple[str, str]) -> None:
    """Which is another one in each process."""
    command = (sys.executable, "-m", "tests.contract.same_game", *game, SEED, MOST)
    found = {
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": order}, check=True,
                       capture_output=True).stdout
        for order in "12"
    }  # fmt: skip
    assert len(found) == 1 and all(found)
