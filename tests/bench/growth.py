"""How commands, files and memory grow with a game: a table, and a picture in build/bench.

python -m tests.bench.growth
"""

from __future__ import annotations

import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from pbem.gamefile.format import read
from tests.bench.active import active_game, cut
from tests.bench.game import HOME

STEP, RUNS = 50, 3
PBEM = str(Path(sys.executable).with_name("pbem"))
PICTURE = HOME / "growth.svg"
MEASURED = ("verify", "status, first seen", "status, seen before")
SMALL_PARENT = """
import os, subprocess, sys
with subprocess.Popen(sys.argv[1:], stdout=subprocess.DEVNULL) as child:
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
print(used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)
sys.exit(child.returncode)
"""
"""A program of a few MB that runs a command: Linux counts among a process's memory what its parent
had when it began."""
COLOURS = ("#1f4e79", "#b5532a", "#4d7c3a")


@dataclass(frozen=True)
class Point:
    """A game of so many entries: seconds of the processor by command, kB of its file packed and of
    what is kept between commands, MB that `verify` needs at most."""

    entries: int
    seconds: Mapping[str, float]
    file: float
    kept: float
    memory: float


def grown() -> Iterator[Point]:
    whole = active_game()
    count = len(read(whole))
    for entries in (*range(STEP, count, STEP), count):
        yield _measured(cut(whole, entries), entries)


def _measured(raw: bytes, entries: int) -> Point:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        game = home / "game.pbem.json"
        game.write_bytes(raw)
        replay = home / "cache" / "pbem" / "replay"
        found: dict[str, list[float]] = {name: [] for name in MEASURED}
        peaks = []
        for _ in range(RUNS):
            shutil.rmtree(replay, ignore_errors=True)
            for name in MEASURED:
                seconds, peak = _run([name.partition(",")[0], str(game)], home)
                found[name].append(seconds)
                if name == "verify":
                    peaks.append(peak)
        kept = sum(each.stat().st_size for each in replay.glob("*.snapshot"))
        return Point(
            entries, {name: median(each) for name, each in found.items()},
            len(gzip.compress(raw, mtime=0)) / 1000, kept / 1000, median(peaks),
        )  # fmt: skip


def _run(words: list[str], home: Path) -> tuple[float, float]:
    """Seconds of the processor and MB of memory that a command takes."""
    environment = {
        **os.environ, "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"),
        "XDG_CONFIG_HOME": str(home / "config"),
    }  # fmt: skip
    words = [sys.executable, "-c", SMALL_PARENT, PBEM, *words]
    done = subprocess.run(words, env=environment, stdout=subprocess.PIPE, check=True)
    seconds, peak = done.stdout.split()
    return float(seconds), float(peak)


def table(points: list[Point]) -> Iterator[str]:
    names = "".join(f"{name:>22}" for name in MEASURED)
    yield f"{'entries':>7}{names}{'file, gzip':>13}{'kept':>10}{'memory':>10}"
    for each in points:
        seconds = "".join(f"{each.seconds[name] * 1000:>19.0f} ms" for name in MEASURED)
        yield (
            f"{each.entries:>7}{seconds}{each.file:>10.0f} kB{each.kept:>7.0f} kB"
            f"{each.memory:>7.0f} MB"
        )


def picture(points: list[Point]) -> str:
    """The seconds over the entries, a line for each command, as SVG."""
    wide, high, left, low = 640, 360, 60, 40
    most = max(max(each.seconds.values()) for each in points)
    longest = points[-1].entries

    def place(entries: int, seconds: float) -> str:
        x = left + (wide - left - 20) * entries / longest
        return f"{x:.0f},{high - low - (high - low - 20) * seconds / most:.0f}"

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        'font-family="sans-serif" font-size="12" role="img">',
        "<title>Seconds of the processor over the entries of a game</title>",
        f'<rect width="{wide}" height="{high}" fill="#fff"/>',
        f'<path d="M{place(0, most)} L{place(0, 0)} L{place(longest, 0)}" fill="none" '
        'stroke="#444"/>',
        f'<text x="4" y="24">{most:.1f} s</text>',
        f'<text x="{wide - 90}" y="{high - 12}">{longest} entries</text>',
    ]
    for number, (name, colour) in enumerate(zip(MEASURED, COLOURS, strict=True)):
        line = " ".join(place(each.entries, each.seconds[name]) for each in points)
        parts += [
            f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>',
            f'<text x="{left + 12}" y="{32 + 18 * number}" fill="{colour}">{name}</text>',
        ]
    return "\n".join((*parts, "</svg>\n"))


def report() -> None:
    """Measures, prints the table and writes the picture."""
    points = list(grown())
    print("\n".join(table(points)))
    PICTURE.write_text(picture(points), encoding="utf-8")
    print(f"written: {PICTURE.relative_to(Path.cwd())}")


if __name__ == "__main__":
    report()
