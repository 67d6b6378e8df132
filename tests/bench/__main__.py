"""`make bench`: speed as ratios, everything measured side by side in one run on one machine.

A cold command is a process of its own, from start to end. Runs of different commands take turns,
so that a machine that slows down slows all of them. Exit status 1 where a target is missed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench import fairness, playouts
from tests.bench.game import HOME, Files, files
from tests.bench.replay import Replay, measured
from tests.bench.sealed import SealedFile, sealed_file
from tests.replays import campaign

RUNS = 15
HERE = Path(__file__).parent
PBEM = str(Path(sys.executable).with_name("pbem"))


@dataclass(frozen=True)
class Row:
    """A line of the report: what, how much, and the most or least it may be, if it is judged."""

    what: str
    value: float
    unit: str
    limit: float | None = None
    least: float | None = None

    @property
    def is_missed(self) -> bool:
        too_much = self.limit is not None and self.value > self.limit
        return too_much or (self.least is not None and self.value < self.least)

    def line(self) -> str:
        target = f"<= {self.limit:g}" if self.limit is not None else ""
        target = f">= {self.least:g}" if self.least is not None else target
        mark = "MISSED" if self.is_missed else "ok" if target else ""
        return f"{self.what:<58} {self.value:>9.2f} {self.unit:<12} {target:<8} {mark}".rstrip()


class Cold:
    """One command, run again and again in a folder of its own."""

    def __init__(
        self, words: list[str], environment: Mapping[str, str], output: Path | None
    ) -> None:
        self.words = words
        self.environment = {**os.environ, **environment}
        self.output = output
        self.before: Callable[[], None] = lambda: None
        self.times: list[float] = []

    def run(self) -> None:
        self.before()
        if self.output:
            self.output.unlink(missing_ok=True)
        started = perf_counter()
        done = subprocess.run(self.words, env=self.environment, capture_output=True, check=False)
        self.times.append(perf_counter() - started)
        assert done.returncode == 0, (self.words, done.stderr.decode())
        assert self.output is None or self.output.exists(), self.words

    @property
    def milliseconds(self) -> float:
        return median(self.times[1:]) * 1000


def commands(given: Files, work: Path) -> dict[str, Cold]:
    """Every cold command by its name; the first run of each warms the disk and is not counted."""
    python, phase = sys.executable, str(HERE / "diplomacy_phase.py")
    saved = HOME / "diplomacy.json"
    if not saved.exists():
        subprocess.run([python, phase, "make", str(saved)], check=True)
    told = {
        "python": Cold([python, "-c", "pass"], {}, None),
        "version": Cold([PBEM, "--version"], {}, None),
        "diplomacy": Cold([python, phase, str(saved), str(work / "d.json")], {}, work / "d.json"),
        "apply": _apply(given, work / "went on", primed=True),
        "apply, first seen": _apply(given, work / "first seen", primed=False),
    }
    return told


def _apply(given: Files, work: Path, *, primed: bool) -> Cold:
    """`pbem apply` of a round. `primed`: the player's last mail was made on this machine too."""
    out, cache, memory = work / "reply.pbem.json", work / "cache", work / "memory"
    work.mkdir()
    environment = {"XDG_CACHE_HOME": str(cache), "XDG_CONFIG_HOME": str(memory)}
    key = ["--key", str(given.key), "-o", str(out)]
    first = Cold([PBEM, "apply", str(given.before), str(given.earlier), *key], environment, out)
    first.run()
    kept = work / "kept"
    shutil.copytree(cache, kept / "cache")
    shutil.copytree(memory, kept / "memory")
    if not primed:
        shutil.rmtree(kept / "cache" / "pbem" / "replay", ignore_errors=True)

    def as_it_was() -> None:
        for each in (cache, memory):
            shutil.rmtree(each)
            shutil.copytree(kept / each.name, each)

    timed = Cold([PBEM, "apply", str(given.game), str(given.orders), *key], environment, out)
    timed.before = as_it_was
    return timed


def cold_rows(cold: Mapping[str, Cold], entries: int) -> list[Row]:
    bare, apply = cold["python"].milliseconds, cold["apply"].milliseconds
    diplomacy, first = cold["diplomacy"].milliseconds, cold["apply, first seen"].milliseconds
    version = cold["version"].milliseconds
    return [
        Row("python -c pass, cold", bare, "ms"),
        Row("pbem --version, cold", version, "ms"),
        Row("  against python -c pass", version / bare, "times", 4),
        Row(f"pbem apply, cold: a round on {entries} entries", apply, "ms"),
        Row("  against python -c pass", apply / bare, "times", 8),
        Row("  against one phase of diplomacy", apply / diplomacy, "times", 1),
        Row("the same, nothing of the game verified here before", first, "ms"),
        Row("  against python -c pass", first / bare, "times"),
        Row("  against one phase of diplomacy", first / diplomacy, "times"),
        Row("diplomacy, cold: load, order, process, save", diplomacy, "ms"),
    ]


def replay_rows(game: Replay, campaign: Replay) -> list[Row]:
    return [
        Row(f"verify of {game.entries} entries, {game.rounds} rounds", game.verify, "ms"),
        Row("  beyond the replay of the rules", game.verify_beyond_rules, "ms an entry", 1),
        Row("  the replay of the rules alone", game.rules_per_round, "ms a round", 5),
        Row("rules replay of a Campaign of 216 rounds", campaign.rules, "ms", 1000),
        Row("  its slowest order", campaign.slowest, "ms", 50),
    ]


def sealed_rows(sealed: SealedFile) -> list[Row]:
    return [
        Row(f"verify of {sealed.entries} sealed entries, rules aside", sealed.verify, "ms", 300),
        Row("  the file, gzipped", sealed.kilobytes, "kB", 250),
        Row("sealing and checking a deck of 55 cards", sealed.deck, "ms", 100),
    ]


def playout_rows() -> list[Row]:
    return [
        Row("random Campaigns, to the end", playouts.campaign_orders(), "orders/s", least=300),
        Row("random games of python-chess", playouts.chess_moves(), "moves/s"),
        Row("diplomacy, in one process", playouts.diplomacy_phases(), "phases/s"),
    ]


def main() -> int:
    given = files()
    with tempfile.TemporaryDirectory() as folder:
        cold = commands(given, Path(folder))
        for _ in range(RUNS + 1):
            for each in cold.values():
                each.run()
    game = measured(given.game.read_bytes())
    found = [
        *cold_rows(cold, game.entries),
        *replay_rows(game, measured(campaign.raw_of(), times=3)),
        *sealed_rows(sealed_file()),
        *playout_rows(),
    ]
    print(f"median of {RUNS} runs, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    for row in found:
        print(row.line())
    uneven = fairness.report()
    missed = [row for row in found if row.is_missed]
    print(f"{len(missed)} missed" if missed else "every target is met")
    return 1 if missed or uneven else 0


if __name__ == "__main__":
    sys.exit(main())
