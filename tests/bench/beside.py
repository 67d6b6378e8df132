"""`make bench BESIDE=<revision>`: the rows of two trees, measured in turns in one run.

Each tree measures itself, with the bench it has, in processes of its own: rows that both have are
set against each other. A game is played anew under the rules of each tree, so what a row is about
may differ: where it does the rows for each order and roll are judged. The rows of others' programs
say how steady the machine was.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
TREES = ROOT / "build" / "beside"
TURNS = 3
MOST = 1.05
"""How much dearer a row may be than beside it."""
LINE = re.compile(r"(?P<what>\S.{0,57}?) +(?P<value>\d+\.\d\d) (?P<unit>\S+(?: an? \w+)?)")
NUMBER = re.compile(r"\d+")
DEARER, CHEAPER = ("ms", "ms an entry", "ms a round", "ms a move", "kB"), ("orders/s",)
OTHERS = ("python -c pass", "diplomacy", "random games of python-chess")
"""What begins the rows of programs that are none of ours."""

WHOLE = "verify of "
"""What begins the rows of a whole game, which each tree plays anew: with other ids come other dice,
and with them other orders."""
A_ROUND = "ms a round"
"""What a round of such a game takes: rounds of two games hold more and fewer orders."""

Rows = Mapping[str, tuple[float, str]]


class Ratio(NamedTuple):
    """A row of both trees: what it took here and there, and how many times as dear it is here."""

    what: str
    here: float
    there: float
    unit: str
    is_same_game: bool = True

    @property
    def times(self) -> float:
        if not self.here or not self.there:
            return 1.0
        return self.there / self.here if self.unit in CHEAPER else self.here / self.there

    @property
    def is_missed(self) -> bool:
        is_judged = self.is_same_game and not self.what.startswith(OTHERS)
        return self.times > MOST and is_judged

    def line(self) -> str:
        mark = "DEARER" if self.is_missed else "" if self.is_same_game else "another game"
        return (
            f"{self.what:<58} {self.here:>9.2f} {self.there:>9.2f} {self.unit:<12} "
            f"{self.times:>5.2f} {mark}"
        ).rstrip()


def rows(report: str) -> dict[str, tuple[float, str]]:
    """The rows of a report of `tests.bench` that can be compared: value and unit, by what it is."""
    found = (LINE.match(line.strip()) for line in report.splitlines())
    return {
        each["what"]: (float(each["value"]), each["unit"])
        for each in found
        if each is not None and each["unit"] in DEARER + CHEAPER
    }


def ratios(here: Sequence[Rows], there: Sequence[Rows]) -> list[Ratio]:
    """The rows that both trees have, by the medians of all turns; numbers in a name may differ.

    A whole game that the trees have not in common is told and not judged, nor are its rounds: its
    orders and rolls are.
    """
    names = {_alike(what): what for what in there[0]}
    is_common = all(what in there[0] for what in here[0] if what.startswith(WHOLE))
    return [
        Ratio(what, _median(here, what), _median(there, name), unit,
              name == what if what.startswith(WHOLE) else is_common or unit != A_ROUND)
        for what, (_, unit) in here[0].items()
        if (name := names.get(_alike(what)))
    ]  # fmt: skip


def _alike(what: str) -> str:
    return NUMBER.sub("#", what)


def _median(turns: Iterable[Rows], what: str) -> float:
    return median(rows[what][0] for rows in turns if what in rows)


def tree_of(revision: str) -> Path:
    """The files of a revision, laid out once under build/."""
    asked = ["git", "-C", str(ROOT), "rev-parse", "--verify", f"{revision}^{{commit}}"]
    commit = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()
    tree = TREES / commit[:16]
    if not tree.exists():
        beside = tree.with_name(f"{tree.name}.{os.getpid()}")
        beside.mkdir(parents=True)
        packed = ["git", "-C", str(ROOT), "archive", commit]
        content = subprocess.run(packed, capture_output=True, check=True).stdout
        subprocess.run(["tar", "-x", "-C", str(beside)], input=content, check=True)
        beside.rename(tree)
    return tree


def measured(tree: Path, part: str) -> Rows:
    """What a tree says of one part of its bench. Raises RuntimeError where that fails."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.bench", part], cwd=tree, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(tree)}, check=False,
    )  # fmt: skip
    if "Traceback" in done.stderr and f"KeyError: '{part}'" not in done.stderr:
        raise RuntimeError(f"{tree}: {part}: {done.stderr[-2000:]}")
    return rows(done.stdout)


def main(revision: str, parts: Iterable[str]) -> int:
    """Measures this tree and that of a revision in turns; exit status 1 where a row is dearer."""
    trees = ROOT, tree_of(revision)
    print(f"{'':<58} {'here':>9} {revision[:9]:>9} {'':<12} ratio", flush=True)
    missed = 0
    for part in parts:
        turns: list[list[Rows]] = [[], []]
        for turn in range(TURNS):
            for which in (0, 1) if turn % 2 == 0 else (1, 0):
                turns[which].append(measured(trees[which], part))
        if not all(map(all, turns)):
            print(f"{part}: only one of the trees measures it")
            continue
        for each in ratios(*turns):
            print(each.line(), flush=True)
            missed += each.is_missed
    print(f"{missed} dearer than {MOST:g} times" if missed else "nothing is dearer")
    return 1 if missed else 0
