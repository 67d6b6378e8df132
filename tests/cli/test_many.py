"""`pbem verify --many`: a folder of games, judged side by side, each named, none in the way."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import shlex
import shutil
import tracemalloc
from collections import deque
from concurrent.futures import FIRST_COMPLETED, Future
from heapq import heappop, heappush
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.cli import ledger, many
from pbem.cli.many import in_a_pool
from pbem.play.season import GOOD, LOST, JudgedFile
from tests.cli.desk import Desk


def good_or_killed(name: str) -> JudgedFile:
    """What a worker makes of a name; it dies of one that says so."""
    if "kill" in name:
        os._exit(1)
    return JudgedFile(name, GOOD)


def lost(name: str) -> JudgedFile:
    return JudgedFile(name, LOST)


def season(desk: Desk) -> None:
    """A folder with a game of two files, a solo game, a damaged file and others' files."""
    folder = desk.folder / "season"
    (folder / "round2").mkdir(parents=True)
    shutil.copy(desk.folder / "g2.json", folder / "early.json")
    (folder / "round2" / "late.gz").write_bytes(
        gzip.compress((desk.folder / "g4.json").read_bytes())
    )
    shutil.copy(desk.folder / "solo.json", folder)
    text = (desk.folder / "g3.json").read_text()
    (folder / "edited.json").write_text(text.replace('"attack"', '"assault"', 1))
    (folder / "notes.txt").write_text("Ana has not paid yet")
    (folder / "orders.yaml").write_text("orders:\n  - done\n")
    os.mkfifo(folder / "pipe")


def test_each_file_of_a_folder_is_named_with_what_became_of_it(desk: Desk):
    season(desk)
    result = desk.pbem("verify", "--many", "season", "--jobs", "2")
    assert result.code == 3
    rows = {line.split()[0]: line for line in result.out.splitlines()}
    assert "does not verify" in rows["edited.json"]
    assert rows["notes.txt"].endswith("skipped: not a game file")
    assert "skipped: this is an orders file" in rows["orders.yaml"]
    assert rows["pipe"].endswith("skipped: the file is not a regular file")
    assert "Turn 1, August 1936" in rows["round2/late.gz"]
    assert rows["early.json"].endswith("an older state of round2/late.gz, 2 entries behind it")
    _, behind = result.out.split("solo.json ")
    assert behind.splitlines()[1].startswith("  a solo game: one person plays both sides")
    assert result.out.endswith("7 files: 3 verified, 1 not good, 3 not a game file\n")
    assert result.err.startswith("season/edited.json: entry 3")
    assert "1 problem" not in result.err


@pytest.mark.parametrize("spelt", [r"pbem-game\/1", r"\u0070bem-game\u002f1"])
def test_a_game_is_one_however_its_json_spells_the_format(desk: Desk, spelt: str):
    """A file that does not verify must not be taken for one of another program."""
    folder = desk.folder / "season"
    folder.mkdir()
    text = (desk.folder / "g3.json").read_text().replace('"attack"', '"assault"', 1)
    (folder / "edited.json").write_text(text.replace("pbem-game/1", spelt))
    result = desk.pbem("verify", "--many", "season", "--jobs", "1")
    assert result.code == 3 and "does not verify" in result.out


def test_programs_get_a_line_of_json_for_each_file(desk: Desk):
    season(desk)
    result = desk.pbem("verify", "--many", "season", "--json")
    assert (result.code, result.err) == (3, "")
    found = {each["file"]: each for each in map(json.loads, result.out.splitlines())}
    assert len(found) == 7
    late = found["round2/late.gz"]
    assert (late["state"], late["entries"], late["phase"]) == ("good", 5, "running")
    assert {each["side"] for each in late["players"].values()} == {"nationalist", "republican"}
    assert late["game"] == found["early.json"]["game"] and late["result"] is None
    assert found["solo.json"]["solo"] is True
    [problem] = found["edited.json"]["problems"]
    assert problem["message"].startswith("entry 3")


def test_two_stories_of_one_game_are_a_fault_of_their_author(desk: Desk):
    (desk.folder / "season").mkdir()
    shutil.copy(desk.folder / "g4.json", desk.folder / "season")
    words = ("resign", "g2.json", "--yes", "--key", "ana.key", "--no-record")
    desk.done(*words, "-o", "season/other.json")
    result = desk.pbem("verify", "--many", "season")
    assert "player A signed another version of this game, from entry 3 on" in result.err
    assert "than the one in g4.json" in result.err
    assert (result.code, result.out.splitlines()[-1]) == (3, "2 files: 1 verified, 1 not good")


def test_the_command_that_proves_a_fork_can_be_copied_from_the_hint(desk: Desk):
    folder = desk.folder / "my season"
    folder.mkdir()
    shutil.copy(desk.folder / "g4.json", folder)
    words = ("resign", "g2.json", "--yes", "--key", "ana.key", "--no-record")
    desk.done(*words, "-o", "my season/other.json")
    told = desk.pbem("verify", "--many", "my season").err
    [hint] = [line for line in told.splitlines() if "prove-fork" in line]
    words = shlex.split(hint.partition("pbem ")[2].partition(" writes the proof")[0])
    assert "proven: player A" in desk.done(*words)


@pytest.mark.parametrize("packed", [False, True])
def test_a_game_that_was_cut_off_is_not_taken_for_a_file_of_another_program(
    desk: Desk, packed: bool
):
    folder = desk.folder / "season"
    folder.mkdir()
    raw = (desk.folder / "g4.json").read_bytes()
    raw = gzip.compress(raw) if packed else raw
    (folder / "ana-beto").write_bytes(raw[: len(raw) // 2])
    result = desk.pbem("verify", "--many", "season")
    assert result.code == 3 and "does not verify" in result.out
    assert "cut off" in result.err


@pytest.mark.parametrize("name", ["empty.pbem.json", "empty.pbem.json.gz"])
def test_an_empty_file_with_the_name_of_a_game_is_not_skipped(desk: Desk, name: str):
    (desk.folder / "season").mkdir()
    (desk.folder / "season" / name).touch()
    result = desk.pbem("verify", "--many", "season")
    assert result.code == 3 and result.err.startswith(f"season/{name}: the file is empty\n")


def test_packed_files_of_other_programs_are_skipped(desk: Desk):
    (desk.folder / "season").mkdir()
    (desk.folder / "season" / "backup.gz").write_bytes(gzip.compress(b"Ana has not paid yet"))
    told = desk.done("verify", "--many", "season")
    assert "backup.gz  skipped: not a game file" in told


def test_a_link_to_a_folder_is_not_followed_but_named(desk: Desk):
    season(desk)
    (desk.folder / "season" / "again").symlink_to("round2")
    told = desk.pbem("verify", "--many", "season").out
    assert "skipped: a link to a folder, which is not followed" in told


def test_without_rules_no_data_are_asked_for(desk: Desk):
    season(desk)
    told = desk.pbem("verify", "--many", "season", "--without-rules").out
    assert told.endswith("7 files: 3 verified, 1 not good, 3 not a game file\n")


def test_a_worker_that_is_killed_takes_nothing_with_it():
    names = [f"file {number}" for number in range(20)]
    names[7] = "kill me"
    names[19] = "kill me, too"
    found = list(in_a_pool(good_or_killed, names, 2, lost))
    assert sorted(each.file for each in found) == sorted(names)
    assert {each.file for each in found if each.state == LOST} == {names[7], names[19]}


def test_a_folder_that_cannot_be_read_is_named(desk: Desk, monkeypatch):
    season(desk)
    listed = os.scandir

    def closed(place):
        if str(place).endswith("round2"):
            raise PermissionError(13, "Permission denied", str(place))
        return listed(place)

    monkeypatch.setattr(os, "scandir", closed)
    result = desk.pbem("verify", "--many", "season")
    assert result.code == 3
    assert "season/round2: the folder cannot be read: permission denied" in result.err
    assert "1 not read" in result.out


def test_an_empty_folder_and_words_that_do_not_fit(desk: Desk):
    (desk.folder / "empty").mkdir()
    assert desk.done("verify", "--many", "empty") == "there are no files here\n"
    for words in (
        ["verify", "g4.json", "--jobs", "2"], ["verify", "--many", "none"],
        ["verify", "--many", "empty", "g4.json"], ["verify", "--many", "g4.json"],
        ["verify", "--many", "empty", "--jobs", "0"],
        ["verify", "--many", "empty", "--jobs", "513"],
    ):  # fmt: skip
        assert "Error: " in desk.refused(2, *words)


def test_no_worker_outlives_the_pool() -> None:
    """The command ends at once when all is told: nobody is there to end the workers then."""
    assert all(each.stands for each in in_a_pool(good_or_killed, ["a", "b"], 2, lost))
    assert multiprocessing.active_children() == []


def test_a_folder_given_as_a_game_names_the_option(desk: Desk):
    (desk.folder / "my season").mkdir()
    told = desk.refused(2, "verify", "my season")
    assert "pbem verify --many 'my season' verifies all games in it" in told


# --- uneven files, many files, and a run that is interrupted ------------------------------------


class Simulated:
    """A pool of processes whose time is counted: any free one takes the next task, a pair of its
    name and its seconds. Whoever waits is told at the end of the first task that is done."""

    def __init__(self, jobs: int) -> None:
        self.jobs, self.now, self.busy = jobs, 0.0, 0.0
        self.queued, self.running = deque[Any](), list[tuple[float, Any, Any]]()

    def submit(self, judge: Any, task: tuple[str, float]) -> Future[str]:
        future = Future[str]()
        self.queued.append((task, future))
        return future

    def wait(self, waiting: Any, return_when: str) -> Any:
        for _ in range(min(self.jobs - len(self.running), len(self.queued))):
            task, future = self.queued.popleft()
            heappush(self.running, (self.now + task[1], task, future))
        self.now, (name, seconds), future = heappop(self.running)
        self.busy += seconds
        future.set_result(name)
        assert future in waiting and return_when == FIRST_COMPLETED
        return SimpleNamespace(done=[future])

    def shutdown(self, *, cancel_futures: bool) -> None: ...

    def __enter__(self) -> Simulated:
        return self

    def __exit__(self, *raised: object) -> None: ...


def simulated(
    patch: pytest.MonkeyPatch, jobs: int, tasks: list[tuple[str, float]]
) -> tuple[list[str], float]:
    """The tasks in the order they are told in, and the part of the time the processes work."""
    pool = Simulated(jobs)
    patch.setattr(many, "_pool", lambda jobs: pool)
    patch.setattr(many, "wait", pool.wait)
    told = list(in_a_pool(str, tasks, jobs, str))
    return told, pool.busy / jobs / pool.now


@pytest.mark.parametrize("jobs", [2, 4, 8])
def test_with_uneven_files_no_worker_idles(jobs: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """One file is as long as a worker's share of all: the others are done beside it meanwhile."""
    tasks = [("long", 40.0), *((f"short {at}", jobs - 1.0) for at in range(40))]
    told, busy = simulated(monkeypatch, jobs, tasks)
    assert busy > 0.95 and sorted(told) == sorted(name for name, _ in tasks)


def test_what_is_done_first_is_told_first(monkeypatch: pytest.MonkeyPatch) -> None:
    tasks = [("long", 3.0), ("short", 1.0), ("short, too", 1.0)]
    assert simulated(monkeypatch, 2, tasks)[0] == ["short", "short, too", "long"]


def test_an_interrupted_run_goes_on_from_its_ledger(desk: Desk, monkeypatch) -> None:
    season(desk)
    words = ("verify", "--many", "season", "--jobs", "1", "--ledger", "season.ledger")
    seen: list[str] = []

    def here(judge, tasks, jobs, lost):
        for task in tasks:
            if len(seen) == 4:
                raise KeyboardInterrupt
            seen.append(task.name)
            yield judge(task)

    with monkeypatch.context() as patch:
        patch.setattr(many, "in_a_pool", here)
        stopped = desk.pbem(*words)
    assert stopped.code == 1 and "stopped" in stopped.err
    judged: list[str] = []
    judge = many.season.judge

    def counted(name, *more, **named):
        judged.append(name)
        return judge(name, *more, **named)

    seen.clear()
    monkeypatch.setattr(many, "in_a_pool", lambda judge, tasks, jobs, lost: map(judge, tasks))
    monkeypatch.setattr(many.season, "judge", counted)
    plain = desk.pbem("verify", "--many", "season")
    everything = len(judged)
    judged.clear()
    again = desk.pbem(*words)
    assert 0 < len(judged) < everything
    assert "as the ledger knows" in again.out and again.code == 3
    told = [line for line in again.out.splitlines() if "ledger" not in line]
    assert sorted(told) == sorted(plain.out.splitlines())
    judged.clear()
    shutil.copy(desk.folder / "g1.json", desk.folder / "season" / "solo.json")  # now another
    changed = desk.pbem(*words)
    assert "solo.json" in judged and "edited.json" in judged and "early.json" not in judged
    assert "4 verified" in changed.out or "3 verified" in changed.out
    as_json = desk.pbem(*words, "--json")
    assert len(as_json.out.splitlines()) == 7


def test_a_ledger_is_of_one_run_and_no_other_file(desk: Desk) -> None:
    season(desk)
    words = ("verify", "--many", "season", "--ledger")
    assert desk.pbem(*words, "season.ledger").code == 3
    told = desk.pbem(*words, "season.ledger", "--without-rules")
    assert told.code == 1 and "of other options" in told.err
    before = (desk.folder / "g4.json").read_bytes()
    told = desk.pbem(*words, "g4.json")
    assert told.code == 1 and "not a ledger" in told.err
    assert (desk.folder / "g4.json").read_bytes() == before
    raw = bytearray((desk.folder / "season.ledger").read_bytes())
    raw[4096:] = bytes(len(raw) - 4096)
    (desk.folder / "season.ledger").write_bytes(raw)
    told = desk.pbem(*words, "season.ledger")
    assert told.code == 1 and "ledger" in told.err and "bug" not in told.err
    assert "--ledger needs --many" in desk.refused(2, "verify", "g4.json", "--ledger", "x")


def test_memory_does_not_grow_with_the_number_of_files(desk: Desk) -> None:
    """The verdicts of 1,000 files take less than a tenth of what they took as objects."""
    facts = {"proven": {"x": list(range(200))}, "stands": "Turn 1"}
    book = ledger.Ledger(None, "test")
    tracemalloc.start()
    try:
        for number in range(1000):
            name = f"round {number % 7}/game {number}.json"
            book.note(name, number)
            book.keep(JudgedFile(name, GOOD, first=f"{number:064}", facts=facts), bytes(32))
        assert list(book.games_of_several()) == [] and book.counted() == {GOOD: 1000}
        assert sum(1 for _ in book.lines()) == 1000
        assert tracemalloc.get_traced_memory()[0] < 1000 * 200
    finally:
        tracemalloc.stop()
        book.close()


def test_a_name_of_any_bytes_is_listed(desk: Desk) -> None:
    (desk.folder / "season").mkdir()
    name = os.fsdecode(b"\xff odd.json")
    shutil.copy(desk.folder / "g4.json", desk.folder / "season" / name)
    assert "1 file: 1 verified" in desk.done("verify", "--many", "season")
