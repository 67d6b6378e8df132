"""The other system's branch, with stand-ins for what this one lacks: Windows, tried on any machine.

What Windows does with it only Windows can show: examples/installing/windows.md says what was tried.
"""

from __future__ import annotations

import errno
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from pbem import platforms
from pbem.cli import extras, handing, locks
from tests.cli.conftest import at_home
from tests.releasing import first_game
from tests.releasing.test_first_game import README, Here

fcntl = pytest.importorskip("fcntl", reason="the stand-ins are made of what POSIX has")
ROOT = Path(__file__).resolve().parents[1]
BINARY = 1 << 40
"""A flag that this system does not have."""
KNOWS = re.compile(
    r"\bos\.(name|uname|geteuid|getuid|O_[A-Z]+|sep|linesep|startfile|fork|kill\w*)\b"
    r"|\bsys\.(platform|getwindowsversion)\b|/dev/\w+|CONIN\$"
    r"|^ *(import|from) (fcntl|msvcrt|winreg|ctypes|pwd|grp|pty|tty|termios|resource|shlex)\b"
    r'|getattr\(os, "'
)
"""What only the one module may ask."""
ELSEWHERE = {("cli/report.py", "os.O_WRONLY"), ("cli/show.py", "os.sep")}
"""Standard output that is gone is opened to nowhere; a word with a separator is a path."""


def test_one_module_knows_the_system() -> None:
    found = {
        (path.relative_to(ROOT / "pbem").as_posix(), match[0].strip())
        for path in (ROOT / "pbem").rglob("*.py")
        if path.name != "platforms.py"
        for line in path.read_text(encoding="utf-8").splitlines()
        for match in KNOWS.finditer(line)
    }
    assert found == ELSEWHERE


def test_no_text_is_read_or_written_in_the_code_page_of_the_machine() -> None:
    """Nor with its line ends: what is written is bytes, or says how its lines end."""
    calls = re.compile(
        r"(?<![.\w])open\((?!.*\b[rwa]b\b)(?!.*encoding=)|\.write_text\(|\.read_text\(\)"
    )
    found = [
        f"{path}:{number}"
        for path in (ROOT / "pbem").rglob("*.py")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if calls.search(line) and "def " not in line
    ]
    assert found == []


class Msvcrt(ModuleType):
    """Its lock of one byte where the file stands; it ends when the file is closed."""

    LK_NBLCK = 2

    def __init__(self) -> None:
        super().__init__("msvcrt")
        self.held: list[tuple[int, int, int]] = []

    def locking(self, handle: int, mode: int, count: int) -> None:
        assert (mode, count) == (self.LK_NBLCK, 1)
        wanted = (os.fstat(handle).st_ino, os.lseek(handle, 0, os.SEEK_CUR))
        for other, *place in self.held:
            if other != handle and tuple(place) == wanted and _is_open(other, wanted[0]):
                raise PermissionError(errno.EACCES, "Permission denied")
        self.held.append((handle, *wanted))


def _is_open(handle: int, inode: int) -> bool:
    try:
        return os.fstat(handle).st_ino == inode
    except OSError:
        return False


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Msvcrt:
    """A machine that takes itself for Windows: each file that is opened says that it is bytes."""
    lock = Msvcrt()
    opened = os.open

    def bytes_alone(path: str, flags: int, mode: int = 0o777, **more: int) -> int:
        assert flags & BINARY or path in (os.devnull, "CONIN$") or os.path.isdir(path), path
        if os.path.isdir(path):
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return opened(path, flags & ~BINARY, mode, **more)

    monkeypatch.setattr(platforms, "_HERE", [platforms.Windows()])
    monkeypatch.setattr(platforms, "_EXACTLY", BINARY)
    monkeypatch.setattr(os, "open", bytes_alone)
    monkeypatch.setitem(sys.modules, "msvcrt", lock)
    monkeypatch.setitem(sys.modules, "fcntl", None)
    return lock


def test_the_first_game_is_played_there_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: Msvcrt
) -> None:
    seats = [Here(tmp_path / name, monkeypatch) for name in ("ana", "beto")]
    told = first_game.play(README, *seats, mails=3)
    assert dict(told)["pbem verify"].startswith("4 entries: every one signed by its author")
    assert windows.held, "what is signed is signed under a lock"
    for path in (tmp_path / "ana" / "games").iterdir():
        lines = b"\r\n" if path.suffix == ".eml" else b"\n"
        assert lines in path.read_bytes(), path


def test_a_lock_is_held_and_says_by_whom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: Msvcrt
) -> None:
    at_home(tmp_path, monkeypatch)
    handle = locks.held("game", 0)
    with pytest.raises(locks.Busy, match=f"process {os.getpid()}, since") as busy:
        locks.held("game", 0)
    assert Path(busy.value.path).name == "game.lock"
    os.close(handle)
    os.close(locks.held("game", 0))


@pytest.mark.parametrize(
    "word, typed",
    [
        ("game.pbem.json", "game.pbem.json"),
        ("C:\\games\\game.json", "C:\\games\\game.json"),
        ("My games\\a.json", '"My games\\a.json"'),
        ("a&calc", '"a&calc"'),
        ("it's", '"it\'s"'),
        ("", '""'),
    ],
)
def test_a_word_is_typed_as_both_of_its_shells_take_it(word: str, typed: str) -> None:
    assert platforms.Windows().quote(word) == typed
    assert platforms.Windows().words(f"open {typed}") == ["open", word]


def test_a_call_whose_program_has_a_space_is_a_call_in_powershell(
    monkeypatch: pytest.MonkeyPatch, windows: Msvcrt
) -> None:
    monkeypatch.setattr(sys, "executable", "C:\\Program Files\\Python\\python.exe")
    assert extras.install("board") == (
        '& "C:\\Program Files\\Python\\python.exe" -m pip install "pbem[board]"'
    )
    monkeypatch.setattr(sys, "executable", "C:\\pbem\\python.exe")
    assert extras.install("board").startswith("C:\\pbem\\python.exe -m pip")


@pytest.mark.parametrize(
    "told, words",
    [
        ("notepad", ["notepad"]),
        ('"C:\\Program Files\\Mail\\mail.exe" {}', ["C:\\Program Files\\Mail\\mail.exe", "{}"]),
        ("C:\\bin\\msmtp.exe -t", ["C:\\bin\\msmtp.exe", "-t"]),
    ],
)
def test_a_program_is_named_with_the_backslashes_of_its_path(told: str, words: list[str]) -> None:
    assert platforms.Windows().words(told) == words


def test_a_mail_program_in_a_folder_with_a_space_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, windows: Msvcrt
) -> None:
    at_home(tmp_path, monkeypatch)
    monkeypatch.setattr("shutil.which", lambda name: name)
    named = "/Program Files/mail.exe"
    monkeypatch.setenv("PBEM_SEND", f'"{named}" -t')
    assert handing.program().words == (named, "-t")


def test_a_quote_that_is_not_closed_is_no_call(monkeypatch: pytest.MonkeyPatch) -> None:
    for system in (platforms.Windows(), platforms.Posix()):
        with pytest.raises(ValueError, match="losing quotation"):
            system.words('"notepad')


def test_modes_say_nothing_there_and_a_browser_has_a_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "BROWSER"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    shown = tmp_path / "key"
    shown.touch(0o644)
    posix, windows = platforms.Posix(), platforms.Windows()
    assert (posix.has_modes, posix.is_mine(shown.stat()), posix.is_desktop()) == (True,) + (
        False,
    ) * 2
    assert (windows.has_modes, windows.is_mine(shown.stat()), windows.is_desktop()) == (
        False, True, True
    )  # fmt: skip
    shown.chmod(0o600)
    assert posix.is_mine(shown.stat())
    monkeypatch.setattr(sys, "platform", "darwin")
    assert posix.is_desktop()


ANEW = """
from multiprocessing import set_start_method
from pbem.cli.group import run
set_start_method("spawn")
for name in ("one.json", "two.json"):
    try:
        run(["solo", "madrid", "scenario_1", "-o", f"games/{name}"])
    except SystemExit:
        pass
run(["verify", "--many", "games"])
"""


def test_files_are_judged_by_processes_that_begin_anew(tmp_path: Path) -> None:
    """As on Windows, and by default since Python 3.14: a worker inherits nothing."""
    (tmp_path / "games").mkdir()
    done = subprocess.run(
        [sys.executable, "-c", ANEW], cwd=tmp_path, capture_output=True, text=True, check=False,
        env={**os.environ, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("2 files: 2 verified\n")


def test_a_pipe_is_not_waited_for_and_a_link_not_followed(tmp_path: Path) -> None:
    pipe, link = tmp_path / "pipe", tmp_path / "link"
    os.mkfifo(pipe)
    os.close(platforms.reading(pipe))
    link.symlink_to(ROOT / "README.md")
    os.close(platforms.reading(link))
    with pytest.raises(OSError):
        platforms.reading(link, links=False)


def test_here_words_are_quoted_for_a_posix_shell() -> None:
    assert (
        platforms.as_typed(["pbem", "turn", "My game's.json"]) == "pbem turn 'My game'\"'\"'s.json'"
    )
