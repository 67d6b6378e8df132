"""What take-backs cost who reads the file: each entry is folded once, however many there are."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pbem.gamefile import fold as folding
from pbem.gamefile.chain import Entry
from pbem.gamefile.consent import MAX_TAKE_BACKS
from pbem.gamefile.fold import Fold, replay, resume
from pbem.gamefile.machine import Machine
from tests.gamefile.players import opened, resigned, write
from tests.gamefile.toy import open_toy

PASS = {"pass": {}}


def back_step_by_step() -> Fold:
    """Six rounds, and then each of them taken back, the last one first."""
    fold = opened()
    first = len(fold.entries)
    for _ in range(6):
        fold = write(fold, fold.pen or "", PASS)
    for to in range(first + 4, first - 2, -1):
        asker = "AB"[fold.pen == "A"]
        asked = write(fold, asker, offer={"what": "takeback", "to": to})
        fold = write(asked, asked.pen or "", answer=True)
    assert fold.machine.agreements.take_backs == 6
    return fold


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The number of each entry that is judged, once for each time."""
    seen: list[int] = []
    judge = folding.judge_entry

    def counted(machine: Machine, entry: Entry, judge_steps: Callable[..., Machine]) -> Machine:
        seen.append(entry.seq)
        return judge(machine, entry, judge_steps)

    monkeypatch.setattr(folding, "judge_entry", counted)
    return seen


def test_a_whole_file_is_folded_once(folded: list[int]) -> None:
    entries = back_step_by_step().entries
    folded.clear()
    assert replay(entries, open_toy).machine.agreements.take_backs == 6
    assert folded == list(range(len(entries)))


def test_what_was_verified_before_is_folded_again_at_most_once(folded: list[int]) -> None:
    """Its states are not kept, but all that are wanted are met on one way."""
    fold = back_step_by_step()
    at = next(entry.seq for entry in fold.entries if entry.steps[-1]["do"] == "offer")
    before = replay(fold.entries[:at], open_toy)
    folded.clear()
    again = resume(fold.entries, before.machine, at)
    assert again.machine.post() == fold.machine.post()
    assert len(folded) <= len(fold.entries) - at + at


def test_the_position_is_that_of_a_file_that_recalls_by_folding_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fold = back_step_by_step()
    kept = replay(fold.entries, open_toy)
    monkeypatch.setattr(folding, "_gone_back_to", lambda entries: frozenset())
    anew = replay(fold.entries, open_toy)
    assert kept.machine.post() == anew.machine.post() == fold.machine.post()
    assert kept.journal == anew.journal


def test_a_liar_has_no_more_states_kept_than_there_are_take_backs() -> None:
    first = back_step_by_step().entries[-1]
    many = [
        resigned(first, steps=[{"do": "takeback", "to": at} for at in range(100)]) for _ in range(9)
    ]
    assert len(folding._gone_back_to(many)) == MAX_TAKE_BACKS


@pytest.mark.parametrize("steps", [None, 5, [], [5], [{"do": "takeback"}], [{"to": 3}],
                                   [{"do": "takeback", "to": [3]}]])  # fmt: skip
def test_steps_of_any_shape_are_looked_through(steps: object) -> None:
    entry = back_step_by_step().entries[-1]
    payloads = ({**entry.payload, "steps": steps}, steps)
    for payload in payloads:
        wild = Entry(payload, entry.sig, entry.sum)  # type: ignore[arg-type]
        assert folding._gone_back_to([wild]) == frozenset()
