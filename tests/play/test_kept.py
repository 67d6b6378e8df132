"""The luck and the turns of a game that were kept, and told on with what came since: as if all
were read."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.gamefile import journal as j
from pbem.gamefile.format import read, write
from pbem.gamefile.kept import ChainPlace
from pbem.play import summary
from pbem.play.game import Game
from pbem.play.luck import KeptLuck, luck, telling
from pbem.play.snapshot import read_game
from pbem.play.summary import KeptTurns
from pbem.play.turns import is_known, turns
from pbem.value import replace
from tests.replays import campaign

ENTRIES = 64
"""Of the stored Campaign; ten attacks are ordered in them, and the last one is undecided."""
AT = range(3, ENTRIES, 8)


@cache
def whole() -> Game:
    return read_game(write(read(campaign.raw_of())[:ENTRIES]))


def beginning(count: int) -> Game:
    """The game after so many entries, as its luck and its turns see it."""
    fold = whole().fold
    short = replace(fold, entries=fold.entries[:count], journal=fold.journal[:count])
    return replace(whole(), fold=short)


def gone_on(kept: KeptLuck | KeptTurns | None, count: int, *more: j.JournalLine) -> Game:
    """The whole game as it is read where this was kept: only later entries have a journal."""
    journal = (*((),) * count, *whole().fold.journal[count:], more)
    return replace(
        whole(), fold=replace(whole().fold, journal=journal), source=(b"", count), told=kept
    )


def test_the_luck_that_is_kept_goes_on_as_the_whole() -> None:
    assert len(luck(whole()).attacks) > 6
    kept = {count: telling(beginning(count)) for count in AT}
    for count, told in kept.items():
        if told is not None:
            assert told.entries == count and is_known(gone_on(told, count), KeptLuck)
            assert luck(gone_on(told, count)) == luck(whole())
    assert {len(told.luck.attacks) for told in kept.values() if told} >= {0, 1, 3}


def test_no_luck_is_kept_while_an_attack_is_undecided() -> None:
    entry = luck(whole()).attacks[3].entry
    ordered = telling(beginning(entry + 1))
    assert ordered is None and telling(beginning(entry)) is not None


def test_the_turns_that_are_kept_go_on_as_the_whole() -> None:
    found = turns(whole())
    assert len(found) > 2, "it is told on over the end of a turn, and of two"
    last = summary.summary(whole())
    assert last.is_finished and last.turn == summary.summary(whole(), max(found) - 1).turn
    present = summary.telling(whole()).present
    assert present == summary.summary(whole(), max(found)).turn
    for count in AT:
        told = gone_on(summary.telling(beginning(count)), count)
        assert is_known(told, KeptTurns)
        assert summary.summary(told).turn == last.turn
        assert summary.telling(told).present == present


def test_what_lacks_entries_is_not_known() -> None:
    assert is_known(whole(), KeptLuck)
    assert not is_known(gone_on(None, 40), KeptLuck)
    assert not is_known(gone_on(summary.telling(beginning(40)), 40), KeptLuck)


@pytest.mark.parametrize("to, known", [(33, False), (34, True), (35, True)])
def test_what_a_take_back_undid_is_not_known(to: int, known: bool) -> None:
    kept, table = summary.telling(beginning(35)), whole().table
    assert table is not None
    back = j.TakenBack(ChainPlace(ENTRIES, 0), "A", to, table, table)
    assert is_known(gone_on(kept, 35, back), KeptTurns) is known
