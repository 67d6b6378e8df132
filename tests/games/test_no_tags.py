"""No player reads a tag, or a code of what is said of counters face down: neither in a form, nor in
the line of an order, nor where an order is refused, nor in their own orders as `--json` has them.

Games of all by all, with orders that nobody sane would write; what they have written themselves
may be told them.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator

import pytest

from pbem.cli.languages import language
from pbem.engine import kernel
from pbem.engine.codec import to_written
from pbem.engine.model import Order
from pbem.gamefile.in_play import PLAYERS, Asked
from pbem.messages import Said, words
from pbem.orders.fields import kinds_of
from pbem.orders.parse import parse
from pbem.orders.written import order_line
from pbem.play.forms import ways
from pbem.play.order_lines import by_names, said
from pbem.play.prepare import prepare
from pbem.play.table import Table, spelled
from pbem.problems import Refused
from pbem.text.source import Source
from tests.contract.test_hidden_hands import Views, game_seen_by_all
from tests.contract.wild import Wild
from tests.games.outgoing import TAG

CODE = re.compile(
    r"\b\d+ (none|foot|vehicles)\b|'[\w-]+ (foot|vehicles)'|\b(zone|class|top) [\w/]+/"
)
"""What the program of ¡No Pasarán! writes of counters, and how facts are named inside."""
LANGUAGES = tuple(map(language, ("en", "es")))
GAMES = (
    ("ctv", "santander", 1, (), 16), ("nopasaran", "jarama_pindoque", 4, ("secret_set_up",), 1),
)  # fmt: skip
"""Games with counters face down, their seeds and options, and how far apart the questions are that
it asks.
"""


def told(table: Table, by: str, order: Order) -> Iterator[Said]:
    """What a player is told who writes an order, and what their program finds wrong with it."""
    text = f"orders:\n  - {order_line(order)}\n"
    try:
        prepare(parse(Source("orders.yaml", text), table.system.verbs), table, by)
    except Refused as refused:
        for problem in refused.problems:
            yield from (problem.message, problem.hint)
    for fault in kernel.violations(table.state, order):
        yield from (fault.message, fault.hint)


def shown(
    views: Views, waits: Asked, order: Order, rng: random.Random
) -> Iterator[tuple[str, str]]:
    """What a player may read at a question, with what they themselves have written."""
    by, seats = waits.by, views.public.seats
    mine = views.tables[by]
    sent = mine.worded(by, spelled(order))
    for each in LANGUAGES:
        if not waits.is_fixed:  # its player's program answers, and no form is written
            yield "\n".join(ways(mine, each)), ""
        yield from ((words(line, each), "") for line in mine.said_with(sent))
    if not waits.is_fixed:
        yield str(to_written(by_names(mine, order, seats[by]))), ""
    for table in (views.public, mine):
        yield said(table, sent.plain, seats[by]), ""
    tags = tuple(tag for player in PLAYERS for tag in views.public.hand(player))
    names = mine.system.names(mine.state, seats[by], None, answering=False)
    known = tuple(name for kind in _kinds(mine) for name in names.known(kind))
    wild = Wild(rng, (*known, *tags * (1 + len(known) // (1 + len(tags)))))
    decision = mine.decision
    assert decision is not None
    orders = [wild.mutated(each) for each in (sent.meant, sent.meant, order, order)]
    orders += [wild.order(option.order) for option in decision.options]
    for one in orders:
        for message in told(mine, by, one):
            yield from ((words(message, each), order_line(one)) for each in LANGUAGES)


def _kinds(table: Table) -> tuple[str, ...]:
    kinds = (kind for order in table.system.verbs.values() for kind in kinds_of(order).values())
    return tuple(dict.fromkeys(filter(None, kinds)))


def inner_words(text: str, written: str) -> list[str]:
    """The tags and codes in a text that its reader has not written."""
    found = (match[0] for each in (TAG, CODE) for match in each.finditer(text))
    return [each for each in found if each.strip("'") not in written]


@pytest.mark.parametrize("game", GAMES, ids=lambda each: each[0])
def test_nobody_reads_a_tag_or_a_code(game: tuple[str, str, int, tuple[str, ...], int]) -> None:
    slug, scenario, seed, options, stride = game
    rng, found, looked = random.Random(slug), dict[str, str](), 0
    moves = game_seen_by_all(
        slug, scenario, seed, options, whole=True, policies=False, agreeing=False
    )
    for number, (views, _, order) in enumerate(moves):
        waits = views.public.waits()
        if number % stride or order is None or not isinstance(waits, Asked):
            continue
        for text, written in shown(views, waits, order, rng):
            looked += 1
            found |= dict.fromkeys(inner_words(text, written), f"{text} ({written})")
    assert found == {}
    assert looked > 1000
