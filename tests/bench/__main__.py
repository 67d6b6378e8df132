"""`make bench`: speed as ratios, everything measured side by side in one run on one machine.

A cold command is a process of its own, from start to end. Runs of different commands take turns,
so that a machine that slows down slows all of them. Exit status 1 where a target is missed.
`python -m tests.bench cold` measures the cold commands alone (or turns, replay, whole, sealed,
pieces, active, playouts, views, madrid, santander, nopasaran, instructions, growth);
`--beside <revision>` sets what is measured against another tree (beside.py).
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from pbem.gamefile.format import read
from tests.bench import (
    beside,
    board,
    face_down,
    fairness,
    growth,
    instructions,
    madrid,
    nopasaran,
    pictures,
    pieces,
    playouts,
    santander,
    turns,
    views,
    whole,
)
from tests.bench.active import active_game
from tests.bench.cold import PBEM, Cold, apply_of, read_of, turn_of
from tests.bench.game import HOME, Files, files
from tests.bench.replay import Replay, measured
from tests.bench.sealed import SealedFile, sealed_file
from tests.pace import slowness
from tests.replays import campaign

RUNS = 15
NO_TIME = ("", "kB", "MB", "bytes")
"""Units in which no time is told."""
HERE = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """A line of the report: what, how much, and the most or least it may be, if it is judged.

    A limit is 1.3 times what was measured when it was set, or less: a loss of a third shows.
    """

    what: str
    value: float
    unit: str
    limit: float | None = None
    least: float | None = None
    clock: str = "cpu"
    """`cpu`: time of the processor; `wall`: from start to end, as a player waits."""

    def paced(self, pace: float) -> Row:
        """The row with its limit for a machine that is so many times as slow."""
        if self.unit.startswith(("ms", "us")) and self.limit is not None:
            return replace(self, limit=self.limit * pace)
        if self.unit.endswith("/s") and self.least is not None:
            return replace(self, least=self.least / pace)
        return self

    @property
    def is_missed(self) -> bool:
        too_much = self.limit is not None and self.value > self.limit
        return too_much or (self.least is not None and self.value < self.least)

    def line(self) -> str:
        target = f"<= {self.limit:g}" if self.limit is not None else ""
        target = f">= {self.least:g}" if self.least is not None else target
        mark = "MISSED" if self.is_missed else "ok" if target else ""
        clock = "" if self.unit in NO_TIME else self.clock
        return (
            f"{self.what:<58} {self.value:>9.2f} {self.unit:<12} {clock:<4} {target:<8} {mark}"
        ).rstrip()


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
        "apply": apply_of(given, work / "went on", primed=True),
        "apply, first seen": apply_of(given, work / "first seen", primed=False),
        "turn": turn_of(given, work / "turned"),
        "read": read_of(given, work / "read"),
        "show": _show(given, work / "shown"),
    }
    return told


def _show(given: Files, work: Path) -> Cold:
    """`pbem show` of a game that was looked at here before."""
    environment = {"XDG_CACHE_HOME": str(work / "cache"), "XDG_CONFIG_HOME": str(work / "memory")}
    return Cold([PBEM, "show", str(given.game)], environment, None)


def cold_rows(cold: Mapping[str, Cold], entries: int) -> list[Row]:
    bare, apply = cold["python"].milliseconds, cold["apply"].milliseconds
    diplomacy, first = cold["diplomacy"].milliseconds, cold["apply, first seen"].milliseconds
    version = cold["version"].milliseconds
    drawn = pictures.milliseconds() / cold["apply"].cpu_milliseconds
    cpu = cold["apply"].cpu_milliseconds / cold["python"].cpu_milliseconds
    reading = cold["read"].cpu_milliseconds - cold["version"].cpu_milliseconds
    turned = (cold["turn"].cpu_milliseconds - reading) / cold["apply"].cpu_milliseconds
    return [
        _waited("python -c pass, cold", bare),
        _waited("pbem --version, cold", version),
        _waited("  against python -c pass", version / bare, "times", 2),
        _waited(f"pbem apply, cold: a round on {entries} entries", apply),
        # No limit: a bare Python does nothing at all, and where it starts faster pbem looks slower.
        # The peer below does the same kind of work; `instructions` tells what pbem itself takes.
        _waited("  against python -c pass", apply / bare, "times"),
        Row("  the same in time of the processor", cpu, "times"),
        _waited("  against one phase of diplomacy", apply / diplomacy, "times", 0.4),
        _waited("the same, nothing of the game verified here before", first),
        _waited("  against python -c pass", first / bare, "times"),
        _waited("  against one phase of diplomacy", first / diplomacy, "times"),
        _waited("diplomacy, cold: load, order, process, save", diplomacy),
        _waited("pbem turn, cold: the same round from its mail to the next",
                cold["turn"].milliseconds),
        Row("  without what pbem read takes, against pbem apply", turned, "times", 0.9),
        _waited("pbem show, cold: the same game seen before", cold["show"].milliseconds),
        _waited("  against pbem apply", cold["show"].milliseconds / apply, "times", 1.2),
        Row("the Campaign drawn as SVG, against pbem apply", drawn, "times", 0.2),
    ]  # fmt: skip


def _waited(what: str, value: float, unit: str = "ms", limit: float | None = None) -> Row:
    """A row by the clock on the wall."""
    return Row(what, value, unit, limit, clock="wall")


def replay_rows(game: Replay, campaign: Replay) -> list[Row]:
    return [
        Row(f"verify of {game.entries} entries, {game.rounds} rounds", game.verify, "ms"),
        Row("  beyond the replay of the rules", game.verify_beyond_rules, "ms an entry", 0.65),
        Row("  each of its orders and rolls", game.verify_per_move, "ms a move"),
        Row("  the replay of the rules alone", game.rules_per_round, "ms a round", 1.5),
        Row("rules replay of a Campaign of 216 rounds", campaign.rules, "ms", 150),
        Row("  each of its orders and rolls, rules alone", campaign.rules_per_move, "ms a move"),
        Row("  its slowest order", campaign.slowest, "ms", 1.8),
        Row(f"verify of that Campaign, {campaign.moves} orders and rolls", campaign.verify, "ms"),
        Row("  each of the orders and rolls of that", campaign.verify_per_move, "ms a move"),
    ]


def whole_rows() -> list[Row]:
    """A Campaign verified to its end, against a peer's replay of as many phases."""
    return [
        Row(f"verify a Campaign, {name}, against diplomacy", times, "times", whole.LIMITS[name])
        for name, times in whole.verified().items()
    ]


def sealed_rows(sealed: SealedFile) -> list[Row]:
    return [
        Row(f"verify of {sealed.entries} sealed entries without rules", sealed.bare, "ms", 105),
        Row("  against its signatures alone", sealed.bare / sealed.signatures, "times"),
        Row("  with a toy's rules", sealed.verify, "ms"),
        Row("  the file, gzipped", sealed.kilobytes, "kB", 250),
        Row("  armour of one entry, the longest", sealed.armour, "kB", 1.7),
        Row("  armour of one entry that proves a deck", sealed.proof, "kB"),
        Row("sealing and checking a deck of 55 cards", sealed.deck, "ms", 0.6),
    ]


def pieces_rows() -> list[Row]:
    """Counters face down."""
    limits = {"a mix of 36 counters, made and checked": 1.4, "showing six counters": 0.35}
    return [Row(name, took, "ms", limits[name]) for name, took in pieces.rows().items()]


def active_rows() -> list[Row]:
    """The size of a sealed game of eighteen turns, of which no round is passed over."""
    raw = active_game()
    entries, packed = len(read(raw)), len(gzip.compress(raw, mtime=0))
    return [
        Row(
            f"a sealed Campaign of 216 rounds, {entries} entries, gzipped", packed / 1000, "kB", 100
        ),
        Row("  of each entry", packed / entries, "bytes"),
    ]


def playout_rows() -> list[Row]:
    orders, phases = playouts.campaign_orders(), playouts.diplomacy_phases()
    return [
        Row("random Campaigns, to the end", orders, "orders/s", least=3000),
        Row("  their rounds, against phases of diplomacy", playouts.campaign_rounds() / phases,
            "times", least=1.25),
        Row("random games of python-chess", playouts.chess_moves(), "moves/s"),
        Row("diplomacy, in one process", phases, "phases/s"),
    ]  # fmt: skip


def view_rows() -> list[Row]:
    begun, ended = views.drawn()
    looked, ahead = views.looked(), views.looked_ahead()
    return [
        *(
            Row(
                f"pbem {name}, {views.ENTRIES} entries, against python -c pass",
                looked[name],
                "times",
                limit,
            )
            for name, limit in views.LOOKED.items()
        ),
        *(
            Row(f"pbem {name} with the dice of the next mail, to the file", times, "times", 1.1)
            for name, times in ahead.items()
        ),
        Row("the Campaign as SVG, at its beginning", begun, "kB", 220),
        Row("  at the end of the stored one", ended, "kB", 220),
        Row("the stored Campaign of 216 rounds as one page", views.page(), "MB", 1.2),
        Row("the slowest click of a first round at the board", views.clicks(), "ms", 9),
        *(
            _waited(f"the page of the board, to the whole map of {slug}", painted, "ms", 400)
            for slug in ("crusade", "madrid")
            if (painted := board.painted(slug)) is not None
        ),
        Row("the exact odds of five attacks", views.odds(), "ms", 5.1),
        Row("a Campaign of two bots, against a random one", views.practised(), "times", 3),
        *(
            Row(f"Campaigns of 20 that a bot wins, {slug}", views.won(slug), "", least=19)
            for slug in ("crusade", "madrid")
        ),
    ]


def madrid_rows() -> list[Row]:
    found = madrid.beside()
    (ours, theirs), (whole, other), (apply, its) = found.orders, found.replay, found.apply
    return [
        Row("random orders of Madrid's campaign", ours, "orders/s"),
        Row("  against Crusade's", ours / theirs, "times", least=1),
        Row("rules replay of Madrid's longest campaign", whole, "ms"),
        Row("  against Crusade's of 216 rounds", whole / other, "times", 1),
        Row("  its slowest order", found.slowest, "ms", 0.6),
        Row("pbem apply in Madrid, cold, time of the processor", apply, "ms"),
        Row("  against Crusade's on as many entries", apply / its, "times", 1.1),
    ]


def santander_rows() -> list[Row]:
    found = santander.beside()
    (judging, turn, round), (judged, traced) = found.turn, found.supply
    (ours, theirs), (whole, other), (apply, its) = found.orders, found.replay, found.apply
    proofs, rules, kilobytes = found.covered
    return [
        Row("40 moves and 10 attacks of Santander, judged", judging, "ms"),
        Row("  against a round of Crusade", judging / round, "times", 10),
        Row("  and carried out", turn / round, "times"),
        Row("supply of both sides after one step", judged, "us"),
        Row("  against Crusade's after a space was taken", judged / traced, "times", 0.2),
        Row("random orders of Santander", ours, "orders/s"),
        Row("  against Crusade's", ours / theirs, "times", least=0.5),
        Row("rules replay of Santander's longest stored game", whole, "ms"),
        Row("  against Crusade's of 216 rounds", whole / other, "times", 1),
        Row("pbem apply in Santander, cold, time of the processor", apply, "ms"),
        Row("  against Crusade's on as many entries", apply / its, "times", 1.2),
        Row("proofs of a game with covered counters verified", proofs, "ms"),
        Row("  against its rules", proofs / rules, "times", 0.05),
        Row("  the file, gzipped", kilobytes, "kB", 31),
    ]


def nopasaran_rows() -> list[Row]:
    found = nopasaran.beside()
    down, open = found.face_down, found.open
    (judging, round), (commanded, traced) = found.activation, found.command
    (ours, theirs), (whole, other), (apply, its) = found.orders, found.replay, found.apply
    below, every = (face_down.beside(tops=tops) for tops in (False, True))
    return [
        Row("20 orders, all below the top of a stack face down, read", below.face_down, "ms"),
        Row("  against open counters", below.face_down / below.open, "times", 2),
        Row("  the same of judging them alone", below.judged, "times"),
        Row("  the part for whom a counter may be", below.fields, "", 0.15),
        Row("  all counters face down, against open ones", every.face_down / every.open, "times"),
        Row("20 orders of an activation at the Jarama, judged", judging, "ms"),
        Row("  against a round of Crusade", judging / round, "times", 5),
        Row("command of an army after one of its units has moved", commanded, "us"),
        Row(
            "  against Crusade's supply after a space was taken", commanded / traced, "times", 0.65
        ),
        Row("random orders of the crossing of the Jarama", ours, "orders/s"),
        Row("  against Crusade's", ours / theirs, "times", least=1 / 3),
        Row("rules replay of its longest stored game, seven days", whole, "ms"),
        Row("  against Crusade's of 216 rounds", whole / other, "times", 1.8),
        Row("pbem apply at the Jarama, cold, time of the processor", apply, "ms"),
        Row("  against Crusade's on as many entries", apply / its, "times", 1.3),
        Row("the file of seven days, gzipped, the median", found.kilobytes, "kB", 250),
        Row("  armour of the longest activation", found.armour[1], "kB", 3),
        Row("  armour of the longest morning", found.armour[0], "kB"),
        Row("a game of the bridge, counters face down, an entry", down.entry, "ms"),
        Row("  against one with open counters", down.entry / open.entry, "times", 1.75),
        Row(
            "  its proofs against its rules",
            down.proofs / (down.entry - down.proofs),
            "times",
            0.05,
        ),
        Row("  the file, gzipped", down.kilobytes, "kB", 29),
        Row("  armour of the longest entry", down.armour, "kB", 7),
    ]


def cold_part() -> list[Row]:
    given = files()
    with tempfile.TemporaryDirectory() as folder:
        cold = commands(given, Path(folder))
        for _ in range(RUNS + 1):
            for each in cold.values():
                each.run()
    return cold_rows(cold, len(read(given.game.read_bytes())))


def replay_part() -> list[Row]:
    game = measured(files().game.read_bytes())
    return replay_rows(game, measured(campaign.raw_of(), times=3))


def turn_rows() -> list[Row]:
    """A turn early and late in a game: flat in its length."""
    early, late = turns.measured()
    longer = late.milliseconds / early.milliseconds
    return [
        Row(f"pbem turn behind {late.entries} entries, cold", late.milliseconds, "ms"),
        Row("  without what pbem read takes, against pbem apply", late.beyond, "times", 0.9),
        Row(f"  against one behind {early.entries}", longer, "times", 1.4),
    ]


PARTS: Mapping[str, Callable[[], list[Row]]] = {
    "cold": cold_part,
    "turns": turn_rows,
    "replay": replay_part,
    "whole": whole_rows,
    "sealed": lambda: sealed_rows(sealed_file()),
    "pieces": pieces_rows,
    "active": active_rows,
    "playouts": playout_rows,
    "views": view_rows,
    "madrid": madrid_rows,
    "santander": santander_rows,
    "nopasaran": nopasaran_rows,
}


def main(wanted: list[str]) -> int:
    """Every part, or those whose names are given; with `--beside`, against another revision."""
    if wanted[:1] == ["--beside"]:
        return beside.main(wanted[1], wanted[2:] or PARTS)
    found = [row for name in PARTS if not wanted or name in wanted for row in PARTS[name]()]
    print(f"median of {RUNS} runs, Python {sys.version.split()[0]}, {os.cpu_count()} cores")
    pace = slowness()
    print(f"pace: {pace:.1f} times as slow as the machine on which limits of time were set")
    found = [row.paced(pace) for row in found]
    for row in found:
        print(row.line())
    if not wanted or "instructions" in wanted:
        instructions.main([])
    if not wanted or "growth" in wanted:
        growth.report()
    uneven = fairness.report()
    missed = [row for row in found if row.is_missed]
    print(f"{len(missed)} missed" if missed else "every target is met")
    return 1 if missed or uneven else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
