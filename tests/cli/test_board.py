"""pbem board: what it needs, what it refuses, and the files beside the game."""

from __future__ import annotations

import errno
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.request import Request
from pbem.problems import Refused
from tests.cli.desk import Desk


@pytest.fixture
def sitting(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The outside of a board at the practice game."""
    pytest.importorskip("starlette", reason="the extra `board` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
    from pbem.cli import board_desk

    monkeypatch.chdir(desk.folder)
    found = board_desk.Desk(Request(game_file="solo.json"))
    found.open()
    yield found
    found.close()


def test_without_its_parts_it_says_what_to_install(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pbem.cli.board.find_spec", lambda name: None)
    told = desk.refused(1, "board", "solo.json")
    assert "Starlette and uvicorn" in told
    assert f"{sys.executable} -m pip install 'pbem[board]'" in told


def test_what_cannot_be_played_at_is_refused(desk: Desk) -> None:
    pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
    assert "the game has not begun" in desk.refused(1, "board", "g0.json", "--key", "ana.key")
    assert "needs your key" in desk.refused(2, "board", "g4.json")
    assert "cannot be read" in desk.refused(2, "board", "nowhere.json")


def test_a_draft_is_kept_beside_the_game_and_never_written_over(sitting: Any, desk: Desk) -> None:
    draft = desk.folder / "solo.orders.yaml"
    sitting.save("orders:\n")
    sitting.save("orders: []\n")
    assert draft.read_text() == "orders: []\n" and sitting.open().text == "orders: []\n"
    draft.write_text("# by an editor\n")
    with pytest.raises(Refused, match="already exists, with different content"):
        sitting.save("orders:\n")
    assert draft.read_text() == "# by an editor\n"
    sitting.open()
    assert sitting.put_aside().endswith("solo.orders.1.yaml") and not draft.exists()
    assert (desk.folder / "solo.orders.1.yaml").read_text() == "# by an editor\n"


def test_a_second_board_and_another_game_file_are_noticed(sitting: Any, desk: Desk) -> None:
    from pbem.cli import board_desk

    second = board_desk.Desk(Request(game_file=desk.folder / "solo.json"))
    with pytest.raises(Refused, match="another board is open on this file"):
        second.open()
    assert not sitting.is_replaced()
    os.utime(desk.folder / "solo.json", (1, 1))
    assert sitting.is_replaced()
    sitting.close()
    second.open()
    second.close()


@pytest.fixture
def session(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Ana at the board with her first orders, in a game between two."""
    pytest.importorskip("starlette", reason="the extra `board` is not installed")
    pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
    from pbem.cli import board_desk
    from pbem.desk.session import Session

    monkeypatch.chdir(desk.folder)
    outside = board_desk.Desk(Request(game_file="g2.json", key_file=Path("ana.key")))
    found = Session(outside)
    found.write(found.text + "  - play: {card: N1, for: event}\n")
    yield found
    outside.close()


def test_what_is_signed_is_what_was_judged_not_what_the_file_holds_by_now(
    session: Any, desk: Desk
) -> None:
    session.judged()
    draft = desk.folder / "g2.orders.yaml"
    draft.write_text(draft.read_text() + "say: by another hand\n")
    told = desk.done("log", session.send().files[0])
    assert "Air Bridge" in told and "by another hand" not in told


def test_standing_orders_are_told_before_they_are_sealed(session: Any, desk: Desk) -> None:
    assert session.view()["sealed"] == ""
    desk.write("standing.yaml", "standing: {losses: [MIL]}\n")
    with pytest.raises(Refused, match="have changed"):
        session.send()
    told = "the standing orders of standing.yaml are sealed with it: losses; "
    assert session.view()["sealed"].startswith(told)
    desk.write("standing.yaml", "standing: {losses: [INF]}\n")
    with pytest.raises(Refused, match="have changed"):
        session.send()
    own = session.text
    session.write(own + "standing: {losses: [INF]}\n")
    assert session.view()["sealed"] == "", "those of the draft count in their place"
    session.write(own)
    desk.write("standing.yaml", "standing: {losses: [XYZ]}\n")
    sealed = session.view()["sealed"]
    assert sealed.startswith("standing.yaml:1:1: ") and "\nstanding.yaml:1:21: " in sealed
    desk.write("standing.yaml", "standing: {losses: [MIL]}\n")
    session.view()
    assert session.send().files


def test_a_mail_that_cannot_be_written_undoes_no_signature(
    session: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    session.write(session.text + "  - activate: {attack: [sevilla, huelva]}\n  - done\n")
    monkeypatch.setattr("pbem.cli.board_desk.mail.beside", lambda name: Path("there.eml"))
    desk.write("there.eml", "of yesterday")
    sent = session.send()
    assert sent.lines[-2] == f"written: {sent.files[0]}" and len(sent.files) == 1
    assert sent.lines[-1].startswith(
        "the mail was not written: there.eml: this file already exists"
    )
    assert (desk.folder / "there.eml").read_text() == "of yesterday"
    assert desk.done("verify", sent.files[0])


@pytest.mark.parametrize("call", ["open", "replace"])
def test_a_folder_that_cannot_be_written_loses_nothing(
    sitting: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    """The system says so, whoever asks: permissions do not bind everybody."""

    def refused(*given: Any, **more: Any) -> None:
        raise OSError(errno.EROFS, "Read-only file system")

    sitting.save("orders:\n")
    with monkeypatch.context() as patch:
        patch.setattr(os, call, refused)
        with pytest.raises(Refused, match="cannot be written: read-only file system"):
            sitting.save("orders: []\n")
    assert (desk.folder / "solo.orders.yaml").read_text() == "orders:\n"
    sitting.save("orders: []\n")
    assert (desk.folder / "solo.orders.yaml").read_text() == "orders: []\n"


BROWSER = """#!{python}
import os, stat, sys, urllib.parse, urllib.request
path = urllib.parse.unquote(urllib.parse.urlsplit(sys.argv[-1]).path)
with open("seen.txt", "w") as seen:
    modes = [stat.S_IMODE(os.stat(each).st_mode) for each in (path, os.path.dirname(path))]
    address = open(path).read().partition("url=")[2].partition('"')[0]
    code = urllib.request.urlopen(address).status
    print(" ".join(sys.argv), *map(oct, modes), code, path, sep="\\n", file=seen)
os.rename("seen.txt", "opened.txt")
"""


def test_no_other_user_sees_the_address(today: Desk) -> None:
    """A browser's command line can be read by all: it names a private file. And the board answers
    before it is started.
    """
    pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
    browser = today.folder / "browser"
    browser.write_text(BROWSER.format(python=sys.executable))
    browser.chmod(0o755)
    words = [sys.executable, "-c", "from pbem.cli import main; main()", "board", "solo.json"]
    root = str(Path(__file__).parents[2])
    there = {**os.environ, "BROWSER": f"{browser} %s", "PYTHONPATH": root}
    opened = today.folder / "opened.txt"
    with subprocess.Popen(
        words, cwd=today.folder, env=there, text=True, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    ) as board:  # fmt: skip
        try:
            assert board.stdout is not None
            token = re.search(r"token=(\S{40,})", board.stdout.readline())
            until = time.monotonic() + 60
            while not opened.exists() and time.monotonic() < until:
                time.sleep(0.05)
            line, file, folder, code, path = opened.read_text().splitlines()
            assert token is not None and token[1] not in line
            assert (file, folder, code) == ("0o600", "0o700", "200")
            assert token[1] in Path(path).read_text()
            board.send_signal(signal.SIGINT)
            assert "Traceback" not in board.communicate(timeout=60)[0]
        finally:
            board.kill()
    assert not os.path.exists(path)


def test_it_prints_its_address_and_ends_by_an_interrupt(today: Desk) -> None:
    """The command itself: served to this machine, with a token that is asked for."""
    pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
    words = [sys.executable, "-c", "from pbem.cli import main; main()", "board", "solo.json"]
    hidden = ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER")
    there = {name: each for name, each in os.environ.items() if name not in hidden}
    root = str(Path(__file__).parents[2])
    with subprocess.Popen(
        words, cwd=today.folder, env={**there, "PYTHONPATH": root}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    ) as board:  # fmt: skip
        try:
            assert board.stdout is not None
            address = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S{40,}", board.stdout.readline())
            assert address
            assert "Ctrl-C" in board.stdout.readline()
            assert "no browser was found" in board.stdout.readline()
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(address[0].partition("?")[0], timeout=10)
            assert refused.value.code == 403
            refused.value.close()
            board.send_signal(signal.SIGINT)
            rest = board.communicate(timeout=20)[0]
        finally:
            board.kill()
    assert "the board is closed" in rest and "Traceback" not in rest and board.returncode == 0
