"""¡No Pasarán! beside Crusade and Revolution, in seconds of the processor."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import mean, median
from time import process_time
from typing import Any

from pbem.engine import kernel
from pbem.engine.codec import from_written
from pbem.engine.model import Decision, State
from pbem.gamefile.fold import replay
from pbem.gamefile.format import read
from pbem.gamefile.format import write as written_out
from pbem.gamefile.without_rules import replay_without_rules
from pbem.games.nopasaran.rules import command
from pbem.mail.armour import encode
from pbem.play.game import opening
from pbem.play.systems import SHIPPED
from tests.bench.game import whole_game
from tests.bench.madrid import a_second, applied, beside_crusades, longest, orders_and_seconds
from tests.bench.santander import microseconds, round_of_crusade, supply_of_crusade
from tests.bots import RandomDice
from tests.contract.playing import first_state, playout, system
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.mails import STYLES, Writer

GAMES: tuple[tuple[str, str], ...] = (("nopasaran", "jarama_crossing"), ("crusade", "campaign"))
SEEDS, TIMES, ORDERS = 2, 3, 20
FILES = 3
"""Random games, each a file of its own length: one alone says little."""


@dataclass(frozen=True)
class ByMail:
    """What games between two keys cost: see `Beside`."""

    entry: float
    proofs: float
    kilobytes: float
    armour: float


@dataclass(frozen=True)
class Beside:
    """Milliseconds to judge twenty orders of an activation, and of a round of Crusade; microseconds
    in which it is found who of an army is in command after one of its units has moved, and those of
    Crusade's supply after a space has changed hands; random orders a second of both; milliseconds
    to replay the longest stored game of seven days, and Crusade's of 216 rounds; those of a cold
    apply; kilobytes of a signed file of seven days, packed, the median of some random games, and of
    the armour of the longest entry in all of them, with and without the secrets of a morning. Of
    games of the bridge by mail, with counters face down and open: milliseconds of the processor in
    which an entry is judged again, those in which its proofs are checked, kilobytes of the file,
    packed, and of the armour of its longest entry.
    """

    activation: tuple[float, float]
    command: tuple[float, float]
    orders: tuple[float, float]
    replay: tuple[float, float]
    apply: tuple[float, float]
    kilobytes: float
    armour: tuple[float, float]
    face_down: ByMail
    open: ByMail


def beside() -> Beside:
    """Both games in turns, so that what slows the machine slows both."""
    orders: dict[str, list[tuple[int, float]]] = {slug: [] for slug, _ in GAMES}
    for seed in range(SEEDS):
        for slug, scenario in GAMES:
            orders[slug].append(orders_and_seconds(slug, scenario, seed))
    took, other = beside_crusades(longest(*GAMES[0]))
    lines = [(commanded(), supply_of_crusade()) for _ in range(TIMES)]
    ours, theirs = map(median, zip(*lines, strict=True))
    files = [whole_game("nopasaran", seed) for seed in range(FILES)]
    return Beside(
        (min(judged() for _ in range(TIMES)), round_of_crusade()), (ours, theirs),
        (a_second(orders["nopasaran"]), a_second(orders["crusade"])),
        (median(map(sum, took)), other), applied(("nopasaran", "crusade")),
        median(len(gzip.compress(raw, mtime=0)) / 1000 for raw in files),
        (_longest(files, is_morning=True), _longest(files, is_morning=False)),
        by_mail(is_open=False), by_mail(is_open=True),
    )  # fmt: skip


def by_mail(*, is_open: bool) -> ByMail:
    """The same of some games, the medians, and of the longest entry of all."""
    found = [_measured(_played(f"bench {seed}", is_open=is_open)) for seed in range(FILES)]
    *middle, armour = zip(*found, strict=True)
    return ByMail(*map(median, middle), max(armour))


def _played(seed: str, *, is_open: bool) -> bytes:
    seats = Seats(seed, is_open=is_open)
    writer = Writer(seats, STYLES[0])
    while seats.fold.phase == "running":
        writer.mail()
    return written_out(seats.fold.entries)


def _measured(raw: bytes) -> tuple[float, float, float, float]:
    entries, took = read(raw), list[tuple[float, float]]()
    for _ in range(TIMES):
        begun = process_time()
        replay_without_rules(entries)
        bare = process_time()
        replay(entries, opening(SHIPPED))
        took.append((bare - begun, process_time() - bare))
    proofs, whole = (min(each) * 1000 / len(entries) for each in zip(*took, strict=True))
    armour = max(len(encode([entry])) for entry in entries[1:]) / 1000  # behind the terms
    return whole, proofs, len(gzip.compress(raw, mtime=0)) / 1000, armour


def _longest(files: Sequence[bytes], *, is_morning: bool) -> float:
    """Kilobytes of the longest entry as armour, of those with or without secret choices."""
    return max(
        len(encode([entry])) / 1000
        for raw in files
        for entry in read(raw)
        if any(step["do"] == "seal" for step in entry.steps) == is_morning
    )


def judged() -> float:
    """Milliseconds to judge twenty orders of an activation, at the pace of the stored game."""
    stored = longest(*GAMES[0])
    verbs, dice = system(stored.slug).verbs, RandomDice(stored.dice)
    state: State[Any] = first_state(stored.slug, stored.scenario, stored.options).state
    left, took = iter(stored.orders), list[float]()
    while (wanted := kernel.waits_for(state)) is not None:
        if not isinstance(wanted, Decision):
            state = kernel.roll(state, dice).state
            continue
        ((verb, fields),) = next(left).items()
        order = from_written(verbs[verb], fields)
        if wanted.stage == "action":
            before = process_time()
            kernel.violations(state, order)
            took.append(process_time() - before)
        state = kernel.submit(state, order).state
    return ORDERS * mean(took) * 1000


def commanded() -> float:
    """Microseconds in which the command of an army is found after one step of one of its units."""

    def checks() -> Iterator[Callable[[], Any]]:
        for moment in playout(*GAMES[0], 1):
            position = moment.state.position
            for side in system("nopasaran").sides:
                for unit in tuple(position.on_map(side))[:1]:
                    near = position.ground.around[position.at(unit)]
                    free = [hex for hex in near if hex not in position.stacks]
                    if free:
                        after = _stepped(position, unit, free[0])
                        yield lambda after=after, side=side: [
                            command.in_command(after, each) for each in after.on_map(side)
                        ]

    return microseconds(checks())


def _stepped(position: Any, unit: str, hex: str) -> Any:
    here = position.at(unit)
    stacks = {**position.stacks, hex: (unit,),
              here: tuple(each for each in position.stacks[here] if each != unit)}  # fmt: skip
    return position.but(stacks={hex: units for hex, units in stacks.items() if units})
