"""How long players took, by their own word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pbem.messages import words
from pbem.play.ledger import NOTICE, ledger, lines, plain


def game_of(*dated: tuple[str, str | None]) -> Any:
    """A game with an entry for each author and time."""
    entries = [
        SimpleNamespace(seq=seq, by=by, payload={"time": time} if time else {})
        for seq, (by, time) in enumerate(dated)
    ]
    sides = {"A": "Republican", "B": "Nationalist"}.__getitem__
    return SimpleNamespace(fold=SimpleNamespace(entries=entries), side_told=sides)


GAME = game_of(
    ("A", "2026-03-01T10:00Z"),
    ("B", "2026-03-01T10:45Z"),
    ("A", None),
    ("B", "2026-03-02T10:00Z"),
    ("A", "2026-03-04T13:30Z"),
    ("A", "2026-03-09T13:30Z"),
    ("B", "2026-03-09T15:35Z"),
    ("A", "2026-03-08T15:35Z"),
)


def test_an_entry_answers_the_one_before_if_both_have_a_time() -> None:
    """Nobody waits for who wrote last, nor where one of the two times is missing."""
    found = {each.entry: (each.after, each.minutes) for each in ledger(GAME)}
    assert found == {
        0: (None, 0), 1: (0, 45), 3: (None, 0), 4: (3, 2 * 1440 + 210), 5: (None, 0), 6: (5, 125),
        7: (6, -1440),
    }  # fmt: skip


def test_what_each_took_and_what_cannot_be_right() -> None:
    assert [*map(words, lines(GAME, ledger(GAME)))] == [
        NOTICE,
        "the Republican player: 5 entries, 4 with a time; all answers (1) took 2 d 3 h, the "
        "longest 2 d 3 h (entry 4)",
        "the Nationalist player: 3 entries, 3 with a time; all answers (2) took 2 h 50 min, the "
        "longest 2 h 5 min (entry 6)",
        "entry 6 says 2026-03-09T15:35Z, and entry 7, which answers it, 2026-03-08T15:35Z: they "
        "cannot both be right",
        "entry 7 of the Republican player says 2026-03-08T15:35Z, earlier than their own entry 5, "
        "2026-03-09T13:30Z",
    ]


def test_a_day_that_is_none_is_counted_on() -> None:
    game = game_of(("A", "2026-02-28T00:00Z"), ("B", "2026-02-31T00:59Z"))
    assert [each.minutes for each in ledger(game)] == [0, 3 * 1440 + 59]


def test_machines_are_told_whose_word_it_is() -> None:
    told = plain(ledger(GAME))
    assert told["notice"] == NOTICE
    assert told["entries"][1] == {
        "entry": 1, "by": "B", "time": "2026-03-01T10:45Z", "answers": 0, "minutes": 45,
    }  # fmt: skip
