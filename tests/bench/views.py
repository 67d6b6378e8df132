"""What a player looks at: picture, page, click, odds, the player for practice.

Everything runs in this process and is measured in seconds of the processor, which others who work
on the machine disturb less than the clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain, count, islice
from statistics import median
from time import process_time
from typing import Any

from pbem.cli.pages import as_page
from pbem.cli.pictures import as_svg
from pbem.desk.gesture import Gesture
from pbem.desk.session import Session
from pbem.messages import ENGLISH
from pbem.play.game import Game, read_game
from pbem.play.seen import seen
from tests.bench import practice
from tests.contract.playing import system
from tests.desk.conftest import Drawer, begun
from tests.games.crusade.test_odds import random_attacks
from tests.replays import campaign

TIMES, ATTACKS = 5, 5


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
    bots = practice.series("crusade", "campaign", games, sides)
    return bots.pace / practice.series("crusade", "campaign", 2 * games, ()).pace


def _milliseconds(work: Callable[[], object]) -> float:
    before = process_time()
    work()
    return (process_time() - before) * 1000
