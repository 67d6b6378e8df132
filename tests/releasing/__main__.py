"""`make release`: refuses what is not ready, tests, builds, installs, plays, and writes dist/.

`make release TRIAL=1` tells what is not ready, leaves the tests out, and writes nothing to dist/:
it is for trying what this does.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from tests.releasing import build, first_game, pythons, ready

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build" / "release"
DIST = ROOT / "dist"
MAILS = 10
"""How long the first game goes on: orders of both players, chosen by pbem, and their dice."""
PASSPHRASE = "correct horse battery staple"


class Unready(SystemExit):
    """What ends a release."""

    def __init__(self, why: str) -> None:
        super().__init__(f"make release: {why}")


class Installed:
    """A player who has nothing but the installed program."""

    def __init__(self, home: Path, program: Path) -> None:
        home.mkdir(parents=True)
        self.home, self._program = home, program

    def typed(self, words: Sequence[str], folder: Path) -> str:
        done = subprocess.run(
            [self._program, *words], cwd=folder, capture_output=True, text=True, check=False,
            encoding="utf-8",
            env={
                "HOME": str(self.home), "PATH": os.defpath, "PYTHONIOENCODING": "utf-8",
                "PBEM_PASSPHRASE": PASSPHRASE, "SYSTEMROOT": os.environ.get("SYSTEMROOT", ""),
            },
        )  # fmt: skip
        if done.returncode:
            told = f"pbem {' '.join(words)} ends with {done.returncode}"
            raise Unready(f"the first game stops: {told}\n{done.stdout}{done.stderr}")
        return done.stdout


def main(trial: bool) -> None:
    """Makes the release of the last commit."""
    found = ready.unready(ROOT, datetime.now(UTC).date())
    for sentence in found:
        print(f"not ready: {sentence}")
    if found and not trial:
        raise Unready("not everything is ready; nothing was made")
    here = pythons.at_hand()
    if trial:
        print("a trial: nothing is tested, and nothing is written to dist/")
    else:
        _tested(here)
    shutil.rmtree(WORK, ignore_errors=True)
    try:
        made = build.twice(ROOT, WORK)
    except build.Differs as difference:
        raise Unready(str(difference)) from None
    print("built three times, the same each time")
    (wheel,) = (path for path in made if path.suffix == ".whl")
    for release in pythons.meant():
        if release in here:
            _played(release, here[release], wheel)
        else:
            print(f"Python {release}: not on this machine, so not tried")
    checked = build.sums(made)
    if not trial:
        shutil.rmtree(DIST, ignore_errors=True)
        DIST.mkdir()
        for path in made:
            shutil.copy(path, DIST)
        (DIST / "SHA256SUMS").write_text(checked, encoding="ascii", newline="\n")
        version = ready.version(ROOT)
        print(f"dist/ has pbem {version}; git tag --sign v{version} marks the commit")
    print(checked, end="")


def _tested(here: dict[str, Path]) -> None:
    """All that is committed but generated, and every test, with each Python that is here.

    Among them are those of tests/releases: the games that were begun with earlier releases.
    """
    _make("check")
    for release, program in here.items():
        folder = ".venv" if release == pythons.OURS else f"build/release-tests/{release}"
        print(f"Python {release}: every test")
        _make("test", f"VENV={folder}", f"PYTHON={program}")


def _make(*words: str) -> None:
    if subprocess.run(["make", "--no-print-directory", *words], cwd=ROOT, check=False).returncode:
        raise Unready(f"make {words[0]} finds something to mend; nothing was made")


def _played(release: str, python: Path, wheel: Path) -> None:
    """Installs the wheel into an empty environment, and plays the first game with it."""
    began = time.monotonic()
    folder = WORK / f"python{release}"
    installed = pythons.environment(python, folder, f"{wheel}[board,picture,colour]")
    program = installed.parent / ("pbem.exe" if installed.suffix == ".exe" else "pbem")
    took = time.monotonic() - began
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    homes = WORK / f"first-game-{release}"
    seats = [Installed(homes / name, program) for name in ("ana", "beto")]
    told = first_game.play(readme, *seats, MAILS)
    print(
        f"Python {release}: installed in {took:.0f} s, and a first game of {MAILS} mails in "
        f"{time.monotonic() - began - took:.0f} s, {len(told)} commands"
    )


if __name__ == "__main__":
    main("--trial" in sys.argv[1:])
