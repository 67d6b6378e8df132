"""pbem show: the board from either side, at any moment; what is not there is said."""

from __future__ import annotations

import contextlib
import io
import re
import sys
from hashlib import sha256
from pathlib import Path

import pytest

from pbem.cli import screen
from pbem.cli.options import is_game
from pbem.engine.model import Side
from pbem.engine.picture import NO_PICTURE, Board, Calendar, Party, Place, Scene, Spot, Unit
from pbem.games.crusade.picture import CrusadePicture
from pbem.render.maps.digest import digest
from pbem.render.maps.text import Run
from tests.cli.desk import Desk, begin

README = Path(__file__).resolve().parents[2] / "README.md"


def test_the_board_without_a_key(desk: Desk) -> None:
    told = desk.done("show", "g4.json")
    assert told.startswith(" Crusade and Revolution: Campaign      Turn 1, August 1936")
    assert "THE NORTH ---" in told and " N  Oviedo " in told
    assert "cards in hand: 6;" in told and "hidden from you" not in told
    assert max(map(len, told.splitlines())) <= 100


def test_a_key_shows_its_own_hand_and_from_its_own_side_only(keys: Desk) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    hand = re.findall(r"^ {6}(N\d+) ", keys.done("show", "g3.json", "--key", "ana.key"), re.M)
    assert len(hand) == 7 and "N1" in hand
    hand.remove("N1")  # who has it must open the game with it, so it is known to both
    for words in ((), ("--key", "beto.key"), ("--key", "ana.key", "--side", "republican")):
        for more in ((), ("--json",)):
            told = keys.done("show", "g3.json", *words, *more)
            assert not re.search(rf"\b({'|'.join(hand)})\b", told), words
    told = keys.done("show", "g3.json", "--side", "nationalist", "--key", "ana.key")
    assert all(re.search(rf"^ {{6}}{card} ", told, re.M) for card in hand)


def test_the_space_of_the_readme(desk: Desk) -> None:
    shown = desk.done("show", "solo.json", "sevilla")
    assert shown in README.read_text(encoding="utf-8")
    for name in ("Sevilla", "SEVILLA", "sevilla"):
        assert desk.done("show", "solo.json", name) == shown
    assert desk.done("show", "solo.json", "Málaga") == desk.done("show", "solo.json", "malaga")


def test_earlier_moments_and_what_has_changed(desk: Desk) -> None:
    assert desk.done("show", "g4.json", "--entry", "3") == desk.done("show", "g3.json")
    told = desk.done("show", "g4.json", "--since", "2")
    assert "  R-MIL-14: Riotinto to Eliminated, reduced\n" in told
    assert told.endswith("  N-POL-4: Sevilla to Riotinto, reduced\n")
    told = desk.done("show", "g4.json", "--since", "2", "--entry", "3")
    assert told.endswith("  nothing has changed on the board\n")
    found = desk.pbem("show", "g4.json", "--since", "2", "--json").json()
    assert found["since"] == 2 and "INF-15: Sevilla to Riotinto" in found["changes"]


def test_json_of_the_board_and_of_a_space(desk: Desk) -> None:
    found = desk.pbem("show", "g4.json", "--json").json()
    assert found["viewer"] is None and found["entry"] == 4
    assert found["scene"]["places"]["oviedo"]["control"] == "nationalist"
    found = desk.pbem("show", "g4.json", "Oviedo", "--json").json()
    assert found["name"] == "Oviedo" and "gijon" in found["next_to"]
    assert {unit["id"] for unit in found["units"]} == {"INF-5", "N-MIL-1"}


def test_a_name_with_a_slash_is_no_file(desk: Desk) -> None:
    """¡No Pasarán! has units such as R-AMarty/12. What lies in a folder is a file."""
    assert [is_game(Path(each)) for each in ("R-AMarty/12", "../12", "no/12.json")] == [
        False, True, True,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("g4.json", "Madird"), 2, "named 'Madird'\n      hint: did you mean Madrid?"),
        (("g4.json", "9999"), 2, "named '9999'\n      hint: for example "),
        (("g4.json", "beach_head_plan_p"), 2, "no space on the map is named"),
        (("g4.json", "Olala"), 2, "hint: did you mean Santa Olalla?"),
        (("g4.json", "MIL-AST-3"), 2, "MIL-AST-3 is a unit; pbem show GAME"),
        (("g4.json", ""), 2, "no space on the map is named ''"),
        (("g4.json", "x", "--lang", "es"), 2, "en el mapa no hay espacio con el nombre 'x'"),
        (("g4.json", "--side", "republicans"), 2, "did you mean republican?"),
        (("g4.json", "--entry", "9"), 2, "entry 9 is not in the file, which ends with entry 4"),
        (("g4.json", "--since", "9"), 2, "entry 9 is not in the file"),
        (("g4.json", "--since", "4"), 2, "--since 4 is not before entry 4"),
        (("g4.json", "--since", "3", "--entry", "2"), 2, "--since 3 is not before entry 2"),
        (("g4.json", "madrid", "--since", "2"), 2, "leave SPACE out"),
        (("g4.json", "--entry", "1"), 1, "the game has not begun at entry 1"),
        (("g0.json",), 1, "the game has not begun at entry 0: there is no board yet"),
        (("g4.json", "madrid", "--digest"), 2, "a digest covers the whole board"),
        (("g4.json", "--side", "republican", "--digest"), 2, "combine it with --entry only"),
        (("g4.json", "--svg", "map.svg", "--digest"), 2, "combine it with --entry only"),
        (("g4.json", "--since", "2", "--digest"), 2, "combine it with --entry only"),
        (("g0.json", "--digest"), 1, "the game has not begun"),
        (("g4.json", "--key", "eve.key"), 1, "eve.key: this key belongs to neither player"),
    ],
)  # fmt: skip
def test_what_is_not_there_is_said(
    desk: Desk, words: tuple[str, ...], code: int, said: str
) -> None:
    assert said in desk.refused(code, "show", *words)


def test_a_game_without_a_picture_says_so(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = NO_PICTURE.board({})
    monkeypatch.setattr(CrusadePicture, "board", lambda picture, drawing: nothing)
    for words in ((), ("madrid",), ("--svg", "map.svg"), ("--json",)):
        told = desk.refused(1, "show", "g4.json", *words)
        assert "Crusade and Revolution has no board to show in this version" in told


def test_a_digest_is_the_same_for_both_and_anybody_can_hash_it(keys: Desk) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    told = keys.done("show", "g3.json", "--digest")
    *lines, last = told.splitlines(keepends=True)
    found = sha256("".join(lines).encode()).hexdigest()
    assert last == f"digest of these {len(lines)} lines: {found[:4]} {found[4:8]}\n"
    assert max(map(len, told.splitlines())) <= 100
    assert "  N Sevilla                          6  AFR-1, INF-15, N-POL-4\n" in told
    assert "    Oviedo                              isolated, trench\n" in told
    assert "tracks: Victory Points 7, Republican Morale 26\n" in told
    for name in ("ana", "beto"):
        assert keys.done("show", "g3.json", "--digest", "--key", f"{name}.key") == told
    plain = keys.pbem("show", "g3.json", "--digest", "--json").json()
    assert plain["digest"] == f"{found[:4]} {found[4:8]}" and plain["lines"][0] == lines[0].strip()


def test_a_digest_follows_the_board_and_nothing_else(desk: Desk) -> None:
    before, after = (desk.done("show", "g4.json", "--digest", *words).splitlines()
                     for words in (("--entry", "2"), ()))  # fmt: skip
    assert before[-1] != after[-1]
    assert "  R Riotinto                         1  R-MIL-14" in before
    assert any(re.match(r"  N Riotinto  .*\(N-POL-4\)", line) for line in after)
    assert "R Eliminated, 1: R-MIL-14" in after
    board = TwoSpaces.board
    one, other = TwoSpaces.scene("a", "b"), TwoSpaces.scene("b", "a")
    assert digest(board, one, "T", "M") == digest(board, other, "T", "M")
    assert digest(board, one, "T", "M") != digest(board, TwoSpaces.scene("a"), "T", "M")


class TwoSpaces:
    side = Side("red")
    board = Board("T", (Party(side, "Red", "R"),), (Spot("x", "Ford", (0, 0)),), (), Calendar(()))

    @classmethod
    def scene(cls, *units: str) -> Scene:
        found = tuple(Unit(each, cls.side, "", "", "", None, 1, 2) for each in units)
        return Scene(1, {"x": Place(cls.side, found)})


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def printed(stream: io.StringIO) -> str:
    with contextlib.redirect_stdout(stream):
        screen.show([(Run(" N ", "first"), Run(" [bold]\x1b[2J")), (Run("quiet", "dim"),)])
    return stream.getvalue()


def test_colour_only_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without colour nothing is lost, and what a name holds is no markup and no control."""
    pytest.importorskip("rich")
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert printed(io.StringIO()) == " N  [bold]\\x1b[2J\nquiet\n"
    coloured = printed(Terminal())
    assert "\x1b[1;37;44m N \x1b[0m" in coloured and "\x1b[2J" not in coloured
    assert re.sub("\x1b\\[[0-9;]*m", "", coloured) == " N  [bold]\\x1b[2J\nquiet\n"


def test_without_rich_a_terminal_gets_plain_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screen, "find_spec", lambda name: None)
    assert printed(Terminal()) == " N  [bold]\\x1b[2J\nquiet\n"


# --- pictures -----------------------------------------------------------------------------------


def test_a_picture_of_the_board(desk: Desk) -> None:
    assert desk.done("show", "g4.json", "--svg", "map.svg") == "written: map.svg\n"
    made = (desk.folder / "map.svg").read_text(encoding="utf-8")
    assert made.startswith('<svg xmlns="http://www.w3.org/2000/svg"') and len(made) < 300_000
    assert "<title>Oviedo: Nationalist, capital, trench, isolated; INF-5, N-MIL-1</title>" in made
    assert 'class="attack0"' not in made
    desk.done("show", "g4.json", "--svg", "since.svg", "--since", "2")
    since = (desk.folder / "since.svg").read_text(encoding="utf-8")
    assert since.count('class="attack0"') == 2 and since.count(">2:1</text>") == 1
    found = desk.pbem("show", "g4.json", "--svg", "map.svg", "--json").json()
    assert found["written"] == ["map.svg"]


def test_a_picture_shows_no_hidden_card(keys: Desk) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    keys.done("show", "g3.json", "--svg", "mine.svg", "--key", "ana.key")
    keys.done("show", "g3.json", "--svg", "theirs.svg", "--key", "beto.key")
    both = [(keys.folder / name).read_text(encoding="utf-8") for name in ("mine.svg", "theirs.svg")]
    assert all("7 in hand" in each for each in both)
    hand = re.findall(r"^ {6}(N\d+) ", keys.done("show", "g3.json", "--key", "ana.key"), re.M)
    assert not any(re.search(rf"\b{card}\b", both[1]) for card in hand if card != "N1")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("--svg", "nowhere/map.svg"), 1, "the file cannot be written: no such file"),
        (("--svg", "."), 2, "is a directory"),
        (("--svg", "-"), 2, "never written to standard output"),
        (("--svg", "g0.json"), 2, "g0.json: this file already exists, with different content"),
        (("madrid", "--svg", "map.svg"), 2, "are for the whole board: leave SPACE out"),
        (("--png", "nowhere/map.png"), 1, "the file cannot be written"),
    ],
)
def test_a_picture_that_cannot_be_written(
    desk: Desk, words: tuple[str, ...], code: int, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.cli.pictures.as_png", lambda *given: b"png")
    assert said in desk.refused(code, "show", "g4.json", *words)


def test_a_png_is_drawn_where_resvg_is(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.cli.pictures.find_spec", lambda name: None)
    told = desk.refused(1, "show", "g4.json", "--png", "map.png", "--svg", "map.svg")
    assert "resvg-py, which is not installed" in told
    assert f"{sys.executable} -m pip install 'pbem[picture]'" in told
    monkeypatch.undo()
    pytest.importorskip("resvg_py")
    desk.done("show", "g4.json", "--png", "map.png")
    assert (desk.folder / "map.png").read_bytes().startswith(b"\x89PNG\r\n")
