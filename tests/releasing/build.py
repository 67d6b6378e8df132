"""The files of a release: built again in other folders, they are the same to the byte."""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tarfile
from hashlib import sha256
from pathlib import Path
from typing import Any

from tests.releasing.ready import git


class Differs(Exception):
    """A file that is another one when it is built again."""


def twice(root: Path, folder: Path) -> list[Path]:
    """Builds the last commit of a tree into an empty folder; returns the wheel and the sdist.

    The second build is told another time zone, mask, language and seed, and stands in a folder of
    another name. The wheel is also made from the sdist, as Linux distributions do. Raises Differs.
    """
    epoch = git(root, "log", "-1", "--format=%ct").strip()
    once = _exported(root, folder / "one")
    again = _exported(root, folder / "another" / "tree")
    made = _built(once, folder / "dist", epoch, "sdist", "wheel")
    strange = {"TZ": "Pacific/Kiritimati", "LC_ALL": "C", "PYTHONHASHSEED": "7"}
    _same(made, _built(again, folder / "again", epoch, "sdist", "wheel", mask=0o077, **strange))
    unpacked = folder / "unpacked"
    (sdist,) = (path for path in made if path.name.endswith(".tar.gz"))
    with tarfile.open(sdist) as packed:
        _unpack(packed, unpacked)
    (tree,) = unpacked.iterdir()
    _same([path for path in made if path != sdist], _built(tree, folder / "third", epoch, "wheel"))
    return made


def _exported(root: Path, folder: Path) -> Path:
    """The files of the last commit, and nothing that lies about in the tree."""
    packed = subprocess.run(
        ["git", "archive", "--format=tar", "HEAD"], cwd=root, capture_output=True, check=True
    )
    with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as tree:
        _unpack(tree, folder)
    return folder


def _unpack(packed: tarfile.TarFile, folder: Path) -> None:
    """Takes nothing that leaves the folder, where this Python can say so: 3.11.4 and later."""
    how: dict[str, Any] = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}
    packed.extractall(folder, **how)


def _built(
    tree: Path, folder: Path, epoch: str, *kinds: str, mask: int = 0o022, **more: str
) -> list[Path]:
    words = [word for kind in kinds for word in ("-t", kind)]
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", *words, "-d", folder],
        cwd=tree, env={**os.environ, "SOURCE_DATE_EPOCH": epoch, **more}, umask=mask, check=True,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    return sorted(folder.iterdir())


def _same(first: list[Path], second: list[Path]) -> None:
    if [path.name for path in first] != [path.name for path in second]:
        raise Differs(f"{first} are built again as {second}")
    for one, other in zip(first, second, strict=True):
        if one.read_bytes() != other.read_bytes():
            raise Differs(f"{one} is another file when it is built again, as {other}")


def sums(made: list[Path]) -> str:
    """The checksums as `sha256sum --check` reads them."""
    return "".join(f"{sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
