"""What a player looks at: commands, picture, page, click, odds, the player for practice.

All but the commands runs in this process, and everything is measured in seconds of the processor,
which others who work on the machine disturb less than the clock.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from itertools import chain, count, islice
from pathlib import Path
from statistics import median
from time import process_time
from typing import Any

from pbem.cli.pages import as_page
from pbem.cli.pictures import as_svg
from pbem.desk.gesture import Gesture
from pbem.desk.session import Session
from pbem.gamefile.format import read, write
from pbem.gamefile.keys import private_file
from pbem.gamefile.prospect import is_decided_by
from pbem.messages import ENGLISH
from pbem.play.game import Game
from pbem.play.seen import seen
from pbem.play.snapshot import read_game
from tests.bench import practice
from tests.bench.instructions import PBEM, commands, environment_of
from tests.contract.playing import system
from tests.desk.conftest import Drawer, begun
from tests.games.crusade.test_odds import random_attacks
from tests.play.by_mail import key_of
from tests.replays import campaign

TIMES, ATTACKS = 5, 5
ENTRIES = 200


def looked() -> Mapping[str, float]:
    """How many bare Pythons (`python -c pass`) each command takes that looks at a game of about
    `ENTRIES` entries which was seen here before; runs of all of them take turns."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environment = environment_of(home)
        words = {name: [PBEM, *each] for name, each, _ in commands(home, ENTRIES)}
        taken: dict[str, list[float]] = {name: [] for name in ("bare", *LOOKED)}
        for turn in range(TIMES + 1):  # the first keeps what was verified, and is not counted
            for name, times in taken.items():
                used = _processor(words.get(name, ["-c", "pass"]), environment)
                times += [used] if turn else []
        bare = median(taken.pop("bare"))
        return {name: median(times) / bare for name, times in taken.items()}


LOOKED = {
    "status": 7.2,
    "show": 8,
    "dice": 7.2,
    "log": 9.6,
    "mail": 11.3,
    "luck": 8.1,
    "summary": 10.5,
    "form": 8,
    "check": 9,
    "odds": 8,
}
"""The commands, and how many bare Pythons each may take."""


def _processor(words: list[str], environment: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([sys.executable, *words], env=environment, capture_output=True,
                          check=False)  # fmt: skip
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert done.returncode == 0, (words, done.stderr.decode())
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def looked_ahead() -> Mapping[str, float]:
    """What `show` and `status` take of their owner's key where the dice of the next mail are known,
    of what they take of the file as it stands (`--entry`); runs of both take turns."""
    entries = read(campaign.raw_of())
    games = (read_game(write(entries[:cut])) for cut in range(ENTRIES, len(entries)))
    game = next(each for each in games if each.fold.pen and is_decided_by(each.fold, each.fold.pen))
    seed, name = campaign.facts_of()["seed"], {"A": "ana", "B": "beto"}[game.fold.pen or ""]
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environment = environment_of(home)
        key, file = home / "key", home / "game.json"
        key.write_bytes(private_file(key_of(f"{name} campaign {seed}")))
        key.chmod(0o600)
        file.write_bytes(game.bytes())
        filed = ["--entry", str(len(game.fold.entries) - 1)]
        taken: dict[str, tuple[list[float], list[float]]] = {
            each: ([], []) for each in ("show", "status")
        }
        for turn in range(2 * TIMES + 1):  # the first keeps what was verified, and is not counted
            for command, both in taken.items():
                for times, more in zip(both, ([], filed), strict=True):
                    words = [PBEM, command, str(file), "--key", str(key), *more]
                    used = _processor(words, environment)
                    times += [used] if turn else []
        return {name: median(ahead) / median(filed) for name, (ahead, filed) in taken.items()}


def drawn() -> tuple[float, float]:
    """Kilobytes of the Campaign at its beginning as SVG, and at the end of the stored one."""
    found = [
        len(as_svg(game, seen(game, None, None, None), ENGLISH)) / 1000 for game in _campaigns()
    ]
    return found[0], found[1]


def page() -> float:
    """Megabytes of the stored Campaign as one page, with all its moments."""
    *_, game = _campaigns()
    return len(as_page(game, seen(game, None, None, None), ENGLISH)) / 1e6


def _campaigns() -> Iterator[Game]:
    yield begun("crusade")
    yield read_game(campaign.raw_of())


def clicks() -> float:
    """Milliseconds of the slowest click of a first round: judged, and all that the page is told."""
    session = Session(Drawer(begun("crusade")))
    session.view()
    took: list[float] = []

    def click(done: Callable[[], Any]) -> Any:
        took.append(_milliseconds(lambda: found.append((done(), session.view()))))
        return _held(found[-1][0])

    found: list[tuple[Any, Any]] = []
    held = click(lambda: session.choose(None, "card", "N1"))
    click(lambda: session.order(held))
    held = click(lambda: session.begin("activate"))
    held = click(lambda: session.click(held, "sevilla"))
    click(lambda: session.click(held, "huelva"))
    return max(took)


def _held(told: Any) -> Any:
    """What a page holds after a click and gives back with the next."""
    if not isinstance(told, dict):
        return None
    return Gesture(*(told[name] for name in ("verb", "said", "slot", "at", "picked")))


def odds() -> float:
    """Milliseconds of the exact odds of five attacks."""
    found = (random_attacks(seed, ATTACKS) for seed in count(1))
    attacks = list(islice(chain.from_iterable(found), ATTACKS))
    assert len(attacks) == ATTACKS
    tell = system("crusade").odds.of
    return median(
        _milliseconds(lambda: [tell(state, attack) for state, attack in attacks])
        for _ in range(TIMES)
    )


def practised(games: int = 2) -> float:
    """What a Campaign of the player for practice on both sides takes of a random one."""
    sides = system("crusade").sides
    bots = practice.series("crusade", "campaign", range(games), sides)
    return bots.pace / practice.series("crusade", "campaign", range(2 * games), ()).pace


def won(slug: str, games: int = 20) -> int:
    """The games of so many Campaigns that the player for practice wins against a random one, on the
    side on which it wins fewer; `python -m tests.bench.practice` has the other scenarios."""
    seeds = range(games)
    return min(
        practice.series(slug, "campaign", seeds, (side,)).won(side) for side in system(slug).sides
    )


def _milliseconds(work: Callable[[], object]) -> float:
    before = process_time()
    work()
    return (process_time() - before) * 1000
