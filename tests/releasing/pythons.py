"""The releases of Python that pbem is for, and those of them that this machine has.

`python -m tests.releasing.pythons` gives each of them that is not the one of the tests an
environment with what pbem needs to run, in build/pythons: there the tests play a small game with
it, and compare what comes out.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = ROOT / "build" / "pythons"
NAMED = re.compile(r'^ *"Programming Language :: Python :: (3\.\d+)",$', re.M)
OURS = "{}.{}".format(*sys.version_info[:2])
"""The release that runs the tests."""
ASKED = "import sys, venv, ensurepip; print('%d.%d' % sys.version_info[:2])"
NEEDED = re.compile(r"^dependencies = \[\n(.*?)^\]$", re.M | re.S)


def meant() -> list[str]:
    """The releases that pyproject.toml names, such as 3.11."""
    return NAMED.findall((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def at_hand() -> dict[str, Path]:
    """A program of each release that works here; a shim of pyenv without one behind it does not."""
    found = {}
    for release in meant():
        for program in _candidates(release):
            if _is(program, release):
                found[release] = program
                break
    return found


def _candidates(release: str) -> Iterator[Path]:
    if release == OURS:
        yield Path(sys.executable)
    name = f"python{release}"
    for folder in (None, "/opt/homebrew/bin", "/usr/local/bin"):
        program = shutil.which(name, path=folder)
        if program:
            yield Path(program)
    for folder in (".pyenv/versions", ".local/share/uv/python"):
        yield from sorted((Path.home() / folder).glob(f"*{release}.*/bin/{name}"))


def _is(program: Path, release: str) -> bool:
    try:
        asked = subprocess.run(
            [program, "-c", ASKED], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return asked.stdout.strip() == release


def inside(folder: Path) -> Path:
    """The Python of an environment."""
    windows = folder / "Scripts" / "python.exe"
    return windows if windows.exists() else folder / "bin" / "python"


def environment(program: Path, folder: Path, *needs: str) -> Path:
    """Makes an empty environment anew, with what it needs; returns its Python."""
    shutil.rmtree(folder, ignore_errors=True)
    subprocess.run([program, "-m", "venv", folder], check=True)
    python = inside(folder)
    pip = [python, "-m", "pip", "-qq", "--disable-pip-version-check", "install"]
    subprocess.run([*pip, *needs], check=True)
    return python


def main() -> None:
    """Makes the environments that are not there yet."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (listed,) = NEEDED.findall(project)
    needs = re.findall(r'^ *"([^"]+)"', listed, re.M)
    here = at_hand()
    for release in meant():
        if release == OURS:
            continue
        if release not in here:
            print(f"Python {release}: not on this machine")
        elif not inside(MADE / release).exists():
            environment(here[release], MADE / release, *needs)
            print(f"Python {release}: ready")


if __name__ == "__main__":
    main()
