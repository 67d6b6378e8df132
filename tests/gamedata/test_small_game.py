"""The reading of data is the same for a game of which it knows only what the game says itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from pbem.gamedata.check import check, judge, read_folder
from pbem.gamedata.load import UnknownData, load
from pbem.gamedata.overlay import keep, load_kept, load_over
from pbem.gamedata.sources import sources
from pbem.problems import Refused
from pbem.text.source import render_all
from tests.gamedata.small import SLUG, SMALL

Writes = Callable[..., Path]


@pytest.fixture
def laid(tmp_path: Path) -> Writes:
    def write(**files: str) -> Path:
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.yaml"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8")
        return tmp_path

    return write


def test_a_game_without_a_map_or_cards_is_loaded(ours: Path) -> None:
    tables = load(SLUG).tables
    assert set(tables) == {"game", "stones", "scenarios"}
    assert tables["scenarios"]["one"]["first"] == "flint"
    assert "provenance" not in str(tables)
    assert check(ours, SMALL, alone=True) == []


def test_a_game_may_have_no_scenario_files(ours: Path) -> None:
    (ours / "scenarios" / "one.yaml").unlink()
    (ours / "game.yaml").write_text("title: Small\n", "utf-8")
    (ours.parents[1] / "schemas" / SLUG / "scenario.json").unlink()
    assert load(SLUG).tables["scenarios"] == {}
    assert check(ours, SMALL, alone=True) == []


def test_values_are_laid_over_value_by_value(laid: Writes) -> None:
    folder = laid(
        stones="stones: [{id: flint, worth: {red: 5}, shape: [7]}, {id: chalk, absent: true}]\n"
        "pairs: [{a: slate, b: flint, width: 2}]\n"
    )
    stones = load_over(SMALL, folder).tables["stones"]
    assert stones["stones"][0] == {
        "id": "flint", "weight": 2, "worth": {"red": 5, "blue": 2}, "shape": [7],
    }  # fmt: skip
    assert [stone["id"] for stone in stones["stones"]] == ["flint", "slate"]
    assert stones["pairs"] == [{"a": "flint", "b": "slate", "width": 2}]


def test_values_alone_decide_the_digest(laid: Writes) -> None:
    same = laid(stones="# a remark\nstones:\n  - weight: 2\n    id: flint\n")
    assert load_over(SMALL, same).digest == load(SLUG).digest
    other = laid(stones="stones: [{id: flint, weight: 3}]")
    assert load_over(SMALL, other).digest != load(SLUG).digest


def test_a_kept_copy_is_found_until_it_is_changed(laid: Writes) -> None:
    folder = laid(stones="stones: [{id: flint, weight: 3}]")
    data = load_over(SMALL, folder)
    assert keep(SMALL, data.digest, folder)
    assert load_kept(SMALL, data.digest) == data
    with pytest.raises(UnknownData):
        load_kept(SMALL, "0" * 64)


@pytest.mark.parametrize("files, place, reason", [
    ({"stones": "stones: [{id: flnt, weight: 2}]\npairs: [{a: flint, b: marl}]"}, "2:23",
     "no stone is called marl"),
    ({"stones": "stones: [{id: flint, absent: true}]"}, "1:10",
     "the rules name flint, so it cannot be left out"),
    ({"stones": "stones: [{id: flint, hue: 2}]"}, "1:22", "has no field 'hue'"),
    ({"game": "scenarios: [two]"}, "1:13", "there is no scenario 'two'"),
    ({"scenarios__two": "id: one\ntitle: T\nfirst: flint\n"}, "1:5", "the file is called two"),
    ({"scenarios__two": "id: two\ntitle: T\nfirst: flimt\n"}, "3:8", "no stone is called flimt"),
    ({"scenarios__two": "id: two\ntitle: T\nsame_as: three\n"}, "3:10",
     "'three' is not a scenario with its own set-up"),
    ({"cards": "cards: []"}, "", "'cards.yaml' is not a file of a game's data"),
    ({"rules": "rules: []"}, "", "'rules.yaml' is not a file of a game's data"),
])  # fmt: skip
def test_a_slip_is_told_at_its_place(
    laid: Writes, files: dict[str, str], place: str, reason: str
) -> None:
    folder = laid(**files)
    told = render_all(check(folder, SMALL))
    assert reason in told
    file = next(iter(files)).replace("__", "/")
    assert f"{folder / file}.yaml:{place}" in told
    with pytest.raises(Refused):
        load_over(SMALL, folder)


def test_a_scenario_that_shares_a_set_up_is_whole(laid: Writes) -> None:
    folder = laid(scenarios__two="id: two\ntitle: Two\nsame_as: one\nlevel: 5\n")
    assert check(folder, SMALL) == []
    assert load_over(SMALL, folder).tables["scenarios"]["two"] == {
        "id": "two", "title": "Two", "same_as": "one", "level": 5, "first": "flint",
    }  # fmt: skip


def test_only_files_of_the_game_are_read(laid: Writes) -> None:
    folder = laid(stones="stones: []", rulebook="rules: []")
    (folder / "notes.txt").write_text("mine")
    assert list(read_folder(folder, SMALL)) == ["stones.yaml"]


def test_each_value_says_where_it_comes_from(laid: Writes) -> None:
    folder = laid(stones="stones: [{id: chalk, weight: 4}]")
    found = judge(folder, SMALL).whole["stones.yaml"]
    told = [(v.entry, v.key, v.word, v.note) for v in sources("stones.yaml", found, SMALL.accounts)]
    assert told == [
        ("stones flint", "weight", "rebuilt", ""), ("stones slate", "weight", "stated", "1.2"),
        ("stones chalk", "weight", "own", ""),
        ("pairs flint - slate", "", "derived", "from a sum"),
    ]  # fmt: skip
