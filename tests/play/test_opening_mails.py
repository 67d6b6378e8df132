"""How many mails lie between a proposal and the first orders, counted from the files (page 98)."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from pbem.gamefile.chain import Entry
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.format import read, write
from pbem.play import practice
from pbem.play.answer import answer
from pbem.play.game import SHIPPED, opening, with_fold
from pbem.play.systems import opened
from tests.gamefile.players import KEYS, NONCE, TOOL

PAGE = Path(__file__).parents[2] / "pbem" / "decisions" / "0098-whoever-moves-second-proposes.md"
FIRST = {"play": "crusade", "assault": "madrid", "activate": "nopasaran", "move": "ctv"}
"""The verb that begins the first round, behind all set-up."""


def verbs(entry: Entry) -> set[str]:
    """The verbs of the orders in an entry."""
    given = (order for step in entry.steps for order in step.get("list", []))
    return {verb for order in given for verb in order}


def mails_before_orders(slug: str, scenario: str, proposer: str, *options: str) -> int:
    """The mails before the one with the first orders of a round; entries by one author that follow
    each other go in one mail.
    """
    game = opened(slug)
    other = next(side for side in game.system.sides if side != proposer)
    terms = Proposal(game.ruleset, game.digest, scenario, {"a": proposer, "b": other},
                     dict.fromkeys(options, True))  # fmt: skip
    table = opening(SHIPPED)
    fold = propose(KEYS["A"], KEYS["B"].public, terms, table, nonce=NONCE, tool=TOOL).fold
    played = with_fold(fold, library=SHIPPED)
    while not any(FIRST.get(verb) == slug for verb in verbs(played.fold.entries[-1])):
        key = KEYS[str(played.fold.pen)]
        running = played.fold.phase == "running"
        orders = practice.written(played, key) if running else None
        played = answer(played, key, orders, fresh=b"\x22" * 16).game
    entries = read(write(played.fold.entries))  # as they are in the file
    return len([author for author, _ in groupby(entry.by for entry in entries)]) - 1


@pytest.mark.parametrize(
    ("row", "slug", "scenario", "first", "second", "options"),
    [
        ("*Crusade*, campaign", "crusade", "campaign", "nationalist", "republican", ()),
        ("*Madrid*, campaign", "madrid", "campaign", "nationalist", "republican", ()),
        ("*¡No Pasarán!*, the crossing", "nopasaran", "jarama_crossing", "nationalist",
         "republican", ()),
        ("*Santander*, open units", "ctv", "santander", "nationalist", "republican",
         ("open_units",)),
        ("*Santander*, covered units", "ctv", "santander", "nationalist", "republican", ()),
    ],
)  # fmt: skip
def test_the_mails_of_an_opening_are_those_of_the_page(
    row: str, slug: str, scenario: str, first: str, second: str, options: tuple[str, ...]
) -> None:
    found = [mails_before_orders(slug, scenario, side, *options) for side in (first, second)]
    assert found[1] < found[0]
    assert f"| {row} | {found[0]} | {found[1]} |" in PAGE.read_text(encoding="utf-8")
