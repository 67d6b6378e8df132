"""Orders written ahead in games with counters face down, as their author's program writes them,
and what becomes of them whenever one of their kind is asked for.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

from pbem.engine import kernel
from pbem.engine.model import Decision, Order, Side, State
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.stages.cover import Muster
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import words
from pbem.value import replace
from tests.bots import sample
from tests.games.nopasaran.face_down import GAME, VIEWS, FaceDownGame, playout

MOST_KEPT = 60
LONGEST = 6
"""So many hexes a wild path has, at most."""


def tried_in_a_game(
    scenario: str, seed: int, *options: str, practice: bool = False, tries: int = 1
) -> Counter[tuple[str, str]]:
    """A game in which both write orders ahead, at each question `tries` of each sort: what might be
    asked now, wild ones, and those that were written earlier in the same span. Of those that both
    see as legal none is a fault in an audit unless it lapses by a doubt, in every view alike. How
    many of each verb were carried out, or lapsed rightly or in vain.
    """
    rng, found, span = random.Random(f"ahead {seed}"), Counter[tuple[str, str]](), ""
    kept: list[tuple[Side, Order]] = []
    for game in playout(scenario, seed, *options, all_hidden=True, practice=practice, eager=4):
        asked = game.asked
        if not _is_open(game, asked):
            continue
        assert isinstance(asked, Decision)
        position = game.state.position
        if GAME.clock(position).span != span:
            span = GAME.clock(position).span
            kept.clear()  # for they lapse
        fresh = [each for _ in range(tries) for each in written(game, asked, rng)]
        earlier = [order for side, order in kept if side == asked.side]
        for order in (*fresh, *rng.sample(earlier, min(2 * tries, len(earlier)))):
            if asked.takes(order):
                found[order.verb, _becomes(game, asked.side, order)] += 1
        kept += [(asked.side, order) for order in fresh if rng.random() < 0.3]
        del kept[:-MOST_KEPT]
    return found


def _is_open(game: FaceDownGame, asked: object) -> bool:
    """Whether a question is asked that orders ahead could answer."""
    return (
        isinstance(asked, Decision)
        and not (asked.secret or asked.tells_items or asked.only_shows or asked.only_says)
        and not GAME.hidden.must_show(game.state)
    )


def written(game: FaceDownGame, asked: Decision, rng: random.Random) -> Iterator[Order]:
    """Some orders as the program of whoever is asked writes them behind dice. Those that show or
    tell something are left out: that is done when they are written.
    """
    own = game.view(asked.side)
    mine = kernel.waits_for(own)
    assert isinstance(mine, Decision)
    later = State(own.position, (*own.agenda, Muster()), own.seq)
    for order in (
        sample(rng.choice(mine.options), rng),
        sample(rng.choice(asked.options), rng),
        *(wild(own.position.seen(asked.side), asked.side, rng) for _ in range(3)),
    ):
        if order is not None:
            told = GAME.hidden.worded(later, asked.side, order, (order,))
            if not GAME.hidden.shows(own, asked.side, told):
                yield told


def wild(position: Position, side: Side, rng: random.Random) -> Order | None:
    """An order that comes to nobody's mind, about some stack of a side."""
    hex = rng.choice([hex for hex, holder in position.holders.items() if holder == side])
    units, formations = position.stacks[hex], position.board.formations_of[side]
    some = tuple(rng.sample(units, rng.randint(1, len(units))))
    enemies = [near for near in position.ground.around[hex] if position.holder(near) == ENEMY[side]]
    match rng.randrange(10):
        case 0:
            return o.Activate(unit=rng.choice(units))
        case 1:
            kind = rng.choice(("formation", "division"))
            return replace(o.Activate(), **{kind: rng.choice(formations)})
        case 2:
            return o.Arrange(hex, tuple(rng.sample(units, len(units))))
        case 3:
            return o.Build({hex: rng.choice(("position", "fortification"))})
        case 4:
            return o.Mix((hex,))
        case 5:
            return o.Attack(rng.choice(enemies), {hex: some}) if enemies else None
        case _:
            return o.Move(some, _wild_path(position, side, hex, rng))


def _wild_path(
    position: Position, side: Side, hex: str, rng: random.Random
) -> tuple[str, ...]:  # fmt: skip
    """A path that mostly goes by road, or to friends."""
    path: list[str] = []
    for _ in range(rng.randint(1, LONGEST)):
        near = [each for each in position.ground.around[hex]
                if position.holder(each) != ENEMY[side]]  # fmt: skip
        roads = [each for each in near if (hex, each) in position.ground.road_steps]
        friends = [each for each in near if position.holder(each) == side]
        hex = rng.choice(rng.choice((roads, friends, near)) or near or [hex])
        path.append(hex)
    return tuple(path)


def _becomes(game: FaceDownGame, side: Side, written: Order) -> str:
    """What becomes of an order, in view of both."""
    public, views = game.state, [game.view(*sides) for sides in VIEWS]
    order = GAME.pieces.meant(public.position, written)
    doubts = GAME.hidden.doubts(public, order)
    assert all(GAME.hidden.doubts(view, order) == doubts for view in views), order
    if kernel.violations(public, order):
        assert doubts, (order, "it lapses in every view")
        return "illegal"
    faults = {_faults(view, side, order) for view in (game.view(side), views[-1])}
    assert len(faults) == 1, order
    (found,) = faults
    assert doubts or not found, (order, found, "an honest player is accused")
    return "carried out" if not doubts else "rightly" if found else "in vain"


def _faults(view: State[Position], side: Side, order: Order) -> tuple[str, ...]:
    """What an audit finds at fault with an order."""
    closed = GAME.hidden.shows(view, side, order)
    return (*closed, *(words(each.message) for each in kernel.violations(view, order)))
