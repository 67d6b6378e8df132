"""Prints what two practice players order in a game and what comes of it, and the same of random
orders, each as a digest: `python -m tests.contract.same_game SLUG SCENARIO SEED MOST`, with
these dice, of so many orders.

A set of words has another order in each process. What followed from it would differ from one
player's machine to the other's, and the bot would play another game each time.
"""

from __future__ import annotations

import sys
from hashlib import sha256
from itertools import islice

from pbem.engine import kernel
from pbem.engine.codec import to_written
from pbem.engine.model import Decision
from pbem.engine.practice import chosen
from pbem.engine.public import plain
from pbem.gamefile.canonical import canonical
from tests.bots import RandomDice
from tests.contract.playing import first_state, playout, system


def practised(slug: str, scenario: str, seed: int, most: int) -> str:
    game, dice, told = system(slug), RandomDice(seed), sha256()
    state = first_state(slug, scenario).state
    for _ in range(most):
        asked = kernel.waits_for(state)
        if asked is None:
            break
        if isinstance(asked, Decision):
            order = chosen(game.practice, state).order
            told.update(repr((order.verb, to_written(order))).encode())
            state = kernel.submit(state, order).state
        else:
            state = kernel.roll(state, dice).state
    told.update(canonical(plain(game.public(state.position))))
    return told.hexdigest()


def at_random(slug: str, scenario: str, seed: int, most: int) -> str:
    told, public = sha256(), system(slug).public
    for moment in islice(playout(slug, scenario, seed), most):
        if (order := moment.order) is not None:
            told.update(repr((order.verb, to_written(order))).encode())
        told.update(canonical(plain(public(moment.step.state.position))))
    return told.hexdigest()


if __name__ == "__main__":
    slug, scenario, seed, most = sys.argv[1:]
    for play in (practised, at_random):
        print(play(slug, scenario, int(seed), int(most)))
