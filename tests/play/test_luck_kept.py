"""The luck in a game that was kept, and told on with what came since: as if all were read."""

from __future__ import annotations

from functools import cache

from pbem.gamefile import journal as j
from pbem.gamefile.format import read, write
from pbem.play.game import Game, read_game
from pbem.play.luck import KeptLuck, is_known, luck, telling
from pbem.value import replace
from tests.replays import campaign

ENTRIES = 64
"""Of the stored Campaign; ten attacks are ordered in them, and the last one is undecided."""
AT = range(3, ENTRIES, 4)


@cache
def whole() -> Game:
    return read_game(write(read(campaign.raw_of())[:ENTRIES]))


def beginning(count: int) -> Game:
    """The game after so many entries, as its luck sees it."""
    fold = whole().fold
    short = replace(fold, entries=fold.entries[:count], journal=fold.journal[:count])
    return replace(whole(), fold=short)


def gone_on(kept: KeptLuck | None, count: int, *more: j.JournalLine) -> Game:
    """The whole game as it is read where this was kept: only later entries have a journal."""
    journal = (*((),) * count, *whole().fold.journal[count:], more)
    return replace(
        whole(), fold=replace(whole().fold, journal=journal), source=(b"", count), told=kept
    )


def test_what_is_kept_goes_on_as_the_whole() -> None:
    assert len(luck(whole()).attacks) == 9
    kept = {count: telling(beginning(count)) for count in AT}
    for count, told in kept.items():
        if told is not None:
            assert told.entries == count and is_known(gone_on(told, count))
            assert luck(gone_on(told, count)) == luck(whole())
    assert {len(told.luck.attacks) for told in kept.values() if told} >= {0, 3, 6}


def test_nothing_is_kept_while_an_attack_is_undecided() -> None:
    entry = luck(whole()).attacks[3].entry
    ordered = telling(beginning(entry + 1))
    assert ordered is None and telling(beginning(entry)) is not None


def test_what_lacks_entries_is_not_known() -> None:
    assert is_known(whole())
    assert not is_known(gone_on(None, 40))


def test_what_a_take_back_undid_is_not_known() -> None:
    kept, table = telling(beginning(35)), whole().table
    assert kept is not None and table is not None
    for to, known in ((33, False), (34, True), (35, True)):
        back = j.TakenBack(j.ChainPlace(ENTRIES, 0), "A", to, table, table)
        assert is_known(gone_on(kept, 35, back)) is known
