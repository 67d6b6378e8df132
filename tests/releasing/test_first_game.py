"""The first lines of the README lead from the wheel of this version to the first mail."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from pathlib import Path

import pytest

from pbem import __version__
from tests.cli.conftest import at_home
from tests.cli.desk import Desk, fixed_chance
from tests.releasing import first_game, ready

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


class Here:
    """A player whose commands are run in this process."""

    def __init__(self, home: Path, patch: pytest.MonkeyPatch) -> None:
        home.mkdir()
        self.home, self._patch = home, patch

    def typed(self, words: Sequence[str], folder: Path) -> str:
        at_home(self.home, self._patch)
        chance = b"0" if words[0] == "new" else self.home.name[:1].encode()
        more = ["--no-passphrase"] if words[0] == "keygen" else []
        with fixed_chance(chance):
            result = Desk(folder).pbem(*words, *more)
        assert result.code == 0, (words, result)
        return result.out


def test_the_lines_of_the_readme_can_be_pasted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [Here(tmp_path / name, monkeypatch) for name in ("ana", "beto")]
    told = first_game.play(README, *seats, mails=4)
    first = next(at for at, (line, _) in enumerate(told) if line.startswith("pbem mail "))
    ours = [line.split()[1] for line, _ in told[: first + 1]]
    assert ours == ["keygen", "keygen", "init", "init", "new", "mail"]
    assert dict(told)["pbem verify"].startswith("4 entries: every one signed by its author")
    assert (seats[0].home / "games" / "board.html").exists()


@pytest.mark.parametrize("page", ready.PAGES)
def test_the_pages_name_the_wheel_of_this_version(page: str) -> None:
    assert ready.version(ROOT) == __version__
    assert ready._page(ROOT, page, __version__) == []


def test_what_installs_names_the_wheel_of_this_version_and_our_extras() -> None:
    windows, elsewhere = (
        [line for line in first_game.installing(README) if line.startswith(f"{python} -m ")]
        for python in ("py", "python3")
    )
    assert len(windows) + len(elsewhere) == len(first_game.installing(README))
    assert [line.removeprefix("py") for line in windows] == [
        line.removeprefix("python3") for line in elsewhere
    ]
    (wheel,) = (word for word in shlex.split(windows[1]) if ".whl" in word)
    name, extras = wheel.rstrip("]").split("[")
    assert name == f"Downloads/pbem-{__version__}-py3-none-any.whl"
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(re.search(rf"^{extra} = \[", project, re.M) for extra in extras.split(","))


def test_what_asks_for_a_passphrase_ends_what_is_pasted_at_once() -> None:
    """Else the next line would be typed as the passphrase."""
    asking = ("pbem keygen ", "pbem new ", "pbem turn ")
    for block in first_game.blocks(README):
        assert not [line for line in block[:-1] if line.startswith(asking)], block


@pytest.mark.parametrize("sign", list("'$&;|<>^%`\\~*?"))
def test_every_shell_takes_the_lines_in_the_same_way(sign: str) -> None:
    """bash, zsh, fish, PowerShell and the old command line of Windows."""
    assert not [line for line in first_game.lines(README) if sign in line]
