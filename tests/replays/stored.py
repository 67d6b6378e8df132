"""A finished game as it is kept: its orders, the seed of its dice, and what came of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from pbem.engine import kernel
from pbem.engine.codec import from_written, to_written
from pbem.engine.model import Decision, Order, State
from pbem.engine.public import plain
from pbem.gamefile.canonical import canonical
from pbem.games import GAMES
from tests.bots import RandomDice
from tests.contract.kits import Way, kit
from tests.contract.playing import first_state, system

HERE = Path(__file__).parent
Plain = Mapping[str, Any]


WAYS: Mapping[str, Mapping[str, Way]] = {slug: kit(slug).ways for slug in GAMES}
"""Every way each game can end."""


def way_of(
    slug: str, scenario: str, winner: str | None, reason: str, options: Iterable[str] = (),
    orders: Sequence[Plain] = (),
) -> str | None:  # fmt: skip
    """The way a game ended, if it is a known one; with its options, that of another edition."""
    chosen = set(options)
    fitting = [
        name
        for name, way in WAYS[slug].items()
        if way.fits(winner, reason, orders)
        and chosen.issuperset(way.under)
        and way.scenario in ("", scenario)
    ]
    return max(fitting, key=lambda name: WAYS[slug][name].narrowness, default=None)


@dataclass(frozen=True)
class Replay:
    """Orders as players write them, `{verb: fields}`; `digest` is of the public position."""

    slug: str
    scenario: str
    options: tuple[str, ...]
    dice: str
    orders: tuple[Plain, ...]
    winner: str | None
    reason: str
    score: str
    digest: str

    def text(self) -> str:
        """One order a line."""
        head = {
            "scenario": self.scenario, "options": self.options, "dice": self.dice,
            "winner": self.winner, "reason": self.reason, "score": self.score,
            "digest": self.digest,
        }  # fmt: skip
        lines = [f"{json.dumps(key)}: {_text(value)}," for key, value in head.items()]
        orders = ",\n".join(_text(order) for order in self.orders)
        return "{" + "\n".join(lines) + '\n"orders": [\n' + orders + "\n]}\n"


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def way_of_replay(replay: Replay) -> str | None:
    """The way a stored game ended."""
    return way_of(replay.slug, replay.scenario, replay.winner, replay.reason, replay.options,
                  replay.orders)  # fmt: skip


def path_of(slug: str, way: str) -> Path:
    return HERE / slug / f"{way}.json"


def stored(path: Path) -> Replay:
    plain = json.loads(path.read_text(encoding="utf-8"))
    plain["orders"], plain["options"] = tuple(plain["orders"]), tuple(plain["options"])
    return Replay(slug=path.parent.name, **plain)


def written(order: Order) -> Plain:
    return {order.verb: to_written(order)}


def digest(slug: str, position: Any) -> str:
    """Of the position as both players may know it."""
    return sha256(canonical(plain(system(slug).public(position)))).hexdigest()


def finished(
    slug: str, scenario: str, options: tuple[str, ...], dice: str, orders: Iterable[Plain]
) -> Replay:
    """Plays the orders; the game must end with the last of them, and not before."""
    verbs, rolls, given = system(slug).verbs, RandomDice(dice), tuple(orders)
    state: State[Any] = first_state(slug, scenario, options).state
    left = list(reversed(given))
    while (wanted := kernel.waits_for(state)) is not None:
        if isinstance(wanted, Decision):
            ((verb, fields),) = left.pop().items()
            state = kernel.submit(state, from_written(verbs[verb], fields)).state
        else:
            state = kernel.roll(state, rolls).state
    assert not left, f"{len(left)} orders come after the end"
    result = system(slug).result(state.position)
    assert result is not None
    return Replay(
        slug, scenario, options, dice, given, result.winner, result.reason, result.score,
        digest(slug, state.position),
    )  # fmt: skip
