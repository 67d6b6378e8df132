"""`pbem verify --many`: a folder of games, judged side by side, each named, none in the way."""

from __future__ import annotations

import gzip
import json
import multiprocessing
import os
import shlex
import shutil

import pytest

from pbem.cli.many import in_a_pool
from pbem.play.season import GOOD, LOST, JudgedFile
from tests.cli.desk import Desk


def good_or_killed(name: str) -> JudgedFile:
    """What a worker makes of a name; it dies of one that says so."""
    if "kill" in name:
        os._exit(1)
    return JudgedFile(name, GOOD)


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
    found = list(in_a_pool(good_or_killed, names, 2))
    assert [each.file for each in found] == names
    assert [each.file for each in found if each.state == LOST] == [names[7], names[19]]


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
    assert all(each.stands for each in in_a_pool(good_or_killed, ["a", "b"], 2))
    assert multiprocessing.active_children() == []


def test_a_folder_given_as_a_game_names_the_option(desk: Desk):
    (desk.folder / "my season").mkdir()
    told = desk.refused(2, "verify", "my season")
    assert "pbem verify --many 'my season' verifies all games in it" in told
