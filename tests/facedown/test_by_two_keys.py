"""A game of Fog on the Ridge through every command, by two keys: each player reads their own story,
everybody the public one, and nobody a tag.

PBEM_GOLDEN=write rewrites the stories in golden/; read the difference before you commit it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator

import pytest

from tests.facedown.desks import TAG, Seat, Shown, placed, registered
from tests.facedown.here import HERE, system

GOLDEN = HERE / "golden"
LOOKS = (
    ("status",), ("show",), ("show", "0302"), ("log",), ("log", "--brief"),
    ("log", "--format", "html"), ("summary",), ("summary", "--format", "bbcode"),
    ("summary", "--format", "html"), ("luck",), ("dice",), ("verify",), ("show", "--since", "4"),
)  # fmt: skip
"""What anybody may call at any time, and the owner of a key with it."""
KEYLESS = ("luck", "dice", "verify")
PICTURES = ("svg", "html")


@pytest.fixture(scope="module", autouse=True)
def fog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with registered(tmp_path_factory.mktemp("registered")):
        yield


def look(*seats: Seat) -> None:
    """All that is to be seen, for everybody and for the owner of each key."""
    for seat in seats:
        for command, *more in LOOKS:
            seat.done(command, "game.json", *more)
            if command not in KEYLESS:
                seat.own(command, "game.json", *more)
        seat.done("show", "game.json", "--digest")
        for kind in PICTURES:
            for key in ((), ("--key", seat.key)):
                seat.file("seen", "show", "game.json", f"--{kind}", "seen", *key)


@pytest.fixture(scope="module")
def played(fog: None, tmp_path_factory: pytest.TempPathFactory) -> tuple[Seat, Seat]:
    """A whole game: its first turn as it is written here, the rest by the practice player."""
    north, south = placed(tmp_path_factory.mktemp("played"))
    for seat in (north, south):
        seat.pbem("form", "game.json", "--key", seat.key)
        seat.pbem("form", "game.json")
    north.writes(south, "mix: {at: [0201]}", "march: {unit: N-F1, path: [0102]}", "halt: none")
    look(north, south)
    while (fold := north.fold()).phase == "running":
        one, other = (north, south) if fold.pen == "A" else (south, north)
        one.pbem("form", "game.json", "--key", one.key)
        one.writes(other, bot=True)
    look(north, south)
    return north, south


def shown(played: tuple[Seat, Seat]) -> Iterator[Shown]:
    """All that a person was shown: JSON is for programs."""
    for seat in played:
        yield from (each for each in seat.shown if "--json" not in each.words)


def test_nobody_is_shown_a_tag(played: tuple[Seat, Seat]) -> None:
    found = {each.words: TAG.findall(each.text) for each in shown(played) if TAG.search(each.text)}
    assert found == {}
    assert len({each.words[0] for each in shown(played)}) > 10, "there was something to search"


def test_only_their_owner_reads_the_names_of_counters_that_were_never_shown(
    played: tuple[Seat, Seat],
) -> None:
    """And nothing that anybody may see has them: mails, logs, summaries, pictures, pages."""
    told = set()
    for each in shown(played):
        for unit, side in system().tables.side_of.items():
            if unit not in each.known and re.search(rf"\b{unit}\b", each.text):
                assert side == each.side and not each.is_public, (each.words, unit)
                told.add((each.words[0], unit))
    assert {"log", "show", "status", "summary", "apply", "form"} <= {name for name, _ in told}


@pytest.mark.parametrize("whose", ["north", "south", "public"])
def test_each_has_a_story_of_one_game(played: tuple[Seat, Seat], whose: str) -> None:
    for seat in played:
        if whose in (seat.side, "public"):
            key = () if whose == "public" else ("--key", seat.key)
            told = seat.done("log", "game.json", *key)
            story = told[told.index("Turn 0\n") :]
            file = GOLDEN / f"{whose}.txt"
            if os.environ.get("PBEM_GOLDEN") == "write":
                file.write_text(story)
            assert story == file.read_text()
            said = f"with what only the {whose.capitalize()} player knows"
            assert (said in told) == (whose != "public")


def test_the_key_of_the_folder_alone_asks_for_no_names(played: tuple[Seat, Seat]) -> None:
    """What is written without --key may be posted, whatever the settings of the folder."""
    north, _ = played
    public = north.done("log", "game.json")
    (north.folder / "pbem.toml").write_text(f'key = "{north.key}"\n')
    try:
        assert north.done("log", "game.json") == public
        plain = north.done("summary", "game.json")
        assert "with what only" not in plain
        assert "with what only" in north.own("summary", "game.json")
        page = ("seen", "show", "game.json", "--html", "seen")
        assert "N-G is set up" not in north.file(*page)
        assert "N-G is set up" in north.file(*page, "--key", north.key)
    finally:
        (north.folder / "pbem.toml").unlink()
