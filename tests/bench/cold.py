"""Cold commands: each a process of its own, from start to end."""

from __future__ import annotations

import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import median
from time import perf_counter

from tests.bench.game import Files

PBEM = str(Path(sys.executable).with_name("pbem"))


class Cold:
    """One command, run again and again in a folder of its own."""

    def __init__(
        self, words: list[str], environment: Mapping[str, str], output: Path | None,
        folder: Path | None = None,
    ) -> None:  # fmt: skip
        self.words = words
        self.folder = folder
        self.environment = {**os.environ, **environment}
        # What a player has installed is compiled; only the first run, which is not counted, is not.
        self.environment.pop("PYTHONDONTWRITEBYTECODE", None)
        self.output = output
        self.before: Callable[[], None] = lambda: None
        self.times: list[float] = []
        self.cpu: list[float] = []

    def run(self) -> None:
        self.before()
        if self.output:
            self.output.unlink(missing_ok=True)
        started, before = perf_counter(), _cpu_of_children()
        done = subprocess.run(self.words, env=self.environment, cwd=self.folder,
                              capture_output=True, check=False)  # fmt: skip
        self.times.append(perf_counter() - started)
        self.cpu.append(_cpu_of_children() - before)
        assert done.returncode == 0, (self.words, done.stderr.decode())
        assert self.output is None or self.output.exists(), self.words

    @property
    def milliseconds(self) -> float:
        return median(self.times[1:]) * 1000

    @property
    def cpu_milliseconds(self) -> float:
        """What it took of the processor: steadier than the clock where others work beside it."""
        return median(self.cpu[1:]) * 1000


def _cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def apply_of(given: Files, work: Path, *, primed: bool) -> Cold:
    """`pbem apply` of a round. `primed`: the player's last mail was made on this machine too."""
    out = work / "reply.pbem.json"
    words = ["apply", str(given.game), str(given.orders), "--key", str(given.key), "-o", str(out)]
    return _of_a_mail(given, work, words, primed=primed, output=out)


def turn_of(given: Files, work: Path) -> Cold:
    """`pbem turn` of the same round from the mail that brought it: read, judged, signed, mailed."""
    words = ["turn", "reply.eml", "--key", str(given.key), "--orders", str(given.orders), "--yes"]
    return _of_a_mail(given, work, [*words, "--to", "beto@example.org"])


def read_of(given: Files, work: Path) -> Cold:
    """`pbem read` of that mail."""
    return _of_a_mail(given, work, ["read", "reply.eml", "--key", str(given.key)])


def _of_a_mail(
    given: Files, work: Path, words: list[str], *, primed: bool = True, output: Path | None = None
) -> Cold:  # fmt: skip
    """A command of a player who made their last mail here, in a folder with the one that came."""
    out, cache, memory = work / "reply.pbem.json", work / "cache", work / "memory"
    desk = work / "desk"
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

    (kept / "desk").mkdir()
    mail = [PBEM, "mail", str(given.game), "-o", str(kept / "desk" / "reply.eml")]
    subprocess.run(mail, env={**os.environ, **environment}, capture_output=True, check=True)

    def as_it_was() -> None:
        for each in (cache, memory, desk):
            shutil.rmtree(each, ignore_errors=True)
            shutil.copytree(kept / each.name, each)

    timed = Cold([PBEM, *words], environment, output, desk)
    timed.before = as_it_was
    return timed
