"""A game between two keys, which the player for practice plays on both sides: with sealed hands,
where there are any.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.keys import KeyPair
from pbem.play.answer import answer
from pbem.play.game import Game, table_for, tool, with_fold
from pbem.play.now import now
from pbem.play.practice import written
from pbem.play.systems import opened
from pbem.text.source import Source
from tests.play.by_mail import key_of, nonce_of

STANDING = {
    "crusade": Source("standing.yaml", "standing: {combat_card: none, losses: [MIL, POL]}\n"),
    "madrid": None,
    "ctv": Source("standing.yaml", "standing: {losses: [reduced, armour]}\n"),
}
"""What player B seals with each mail, where they have not: so mails must open it, too."""

TERMS: Mapping[str, Mapping[str, Any]] = {
    "ctv": {"scenario": "santander", "options": {"open_units": True}},
}
"""The terms of a game that has no campaign."""


@cache
def keys_of(slug: str) -> Mapping[str, KeyPair]:
    return {player: key_of(f"{player} of the sealed {slug}") for player in "AB"}


@cache
def played(slug: str, entries: int) -> tuple[Game, ...]:
    """The game after each of its entries, from the first on."""
    return tuple(_played(slug, entries))


def _played(slug: str, entries: int) -> Iterator[Game]:
    keys, known = keys_of(slug), opened(slug)
    sides = known.system.sides
    terms = TERMS.get(slug, {"scenario": "campaign"})
    proposal = Proposal(
        ruleset=known.ruleset, data=known.digest, sides={"a": sides[0], "b": sides[1]}, **terms
    )
    game = with_fold(
        propose(keys["A"], keys["B"].public, proposal, table_for, nonce=nonce_of(slug),
                tool=tool()).fold
    )  # fmt: skip
    yield game
    for _ in range(entries):
        pen = game.fold.pen
        if pen is None:
            return
        orders = written(game, keys[pen]) if game.fold.phase == "running" else None
        standing = STANDING[slug] if pen == "B" else None
        game = answer(
            game, keys[pen], orders, fresh=nonce_of(f"fresh {slug}"), standing=standing
        ).game  # fmt: skip
        yield game


def between_mails(slug: str, entries: int) -> tuple[Game, ...]:
    """Seven positions between two mails: two where no dice of the next one have fallen, and five
    where some have, early and late in the game. The last three are much like some of the others.
    """
    keys = keys_of(slug)
    running = [each for each in played(slug, entries) if each.fold.phase == "running"]
    ahead, plain = list[Game](), list[Game]()
    for each in running[:-1]:  # the last has no next entry to compare with
        is_ahead = now(each, keys[each.fold.pen or "A"]).fold.is_ahead
        (ahead if is_ahead else plain).append(each)
    return (plain[3], ahead[1], ahead[3], ahead[-1], plain[4], ahead[2], ahead[-2])
