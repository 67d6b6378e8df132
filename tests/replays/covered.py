"""A whole game of Santander 1937 with covered counters between two keys, to both audits, as one
signed file.

Its players attack with a few units and march under cover, so that much stays covered for long, and
some of it to the end.
"""

from __future__ import annotations

import gzip
import json
import random
from functools import cache
from typing import Any

from pbem.engine.model import Order
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read
from pbem.gamefile.format import write as written_out
from pbem.games.ctv.orders import Done, Move
from pbem.games.ctv.rules import movement
from pbem.play.game import opening
from pbem.play.table import Table, spelled
from tests.games.ctv.by_mail import LIBRARY, Seats
from tests.games.ctv.test_mails_of_a_turn import attacks, set_up, standing
from tests.replays.stored import HERE, digest

FILE = HERE / "ctv" / "covered.pbem.json.gz"
FACTS = HERE / "ctv" / "covered.json"
SEED = "covered 1"
MARCHES, ATTACKS = 8, 3
"""The most of each in a turn of a side."""


def phase(seats: Seats, rng: random.Random) -> list[Order]:
    """A turn of a side: some marches of covered counters that show nobody, and some attacks."""
    table, side, given = seats.table, seats.side, list[Order]()
    position = table.state.position
    for tag in sorted(position.covered_on_map(side), key=lambda _: rng.random()):
        unit = position.face(tag)
        now = table.state.position
        ways = movement.reachable(now.seen(side), unit) if len(given) < MARCHES else {}
        for hex, path in ways.items():
            order = Move((unit,), path)
            is_under = hex != now.at(tag) and now.units_at(hex, side)
            if not is_under or not table.allows(spelled(order)):
                continue
            if not table.shows(seats.pen, table.worded(seats.pen, spelled(order))):
                given.append(order)
                table = table.take(order)
                break
    return [*given, Done(), *attacks(table.state.position, side, ATTACKS), Done()]


def whole_game(seed: str) -> Seats:
    """Played to its end, and audited by both."""
    seats, rng = Seats(seed, covered=True), random.Random(seed)
    set_up(seats)
    while seats.fold.phase != "over":
        if seats.asked == "movement":
            seats.say(*phase(seats, rng), more=standing(seats.side, covered=True))
        else:
            assert not seats.asked, "everything is said ahead"
            seats.mail()
    while seats.fold.pen is not None and len(seats.fold.machine.hidden.audited) < 2:
        seats.mail()
    return seats


def raw_of() -> bytes:
    return gzip.decompress(FILE.read_bytes())


def folded(raw: bytes) -> Fold:
    return replay(read(raw), opening(LIBRARY))


@cache
def stored() -> Fold:
    """The stored game, folded once for all tests that look at it."""
    return folded(raw_of())


def facts(fold: Fold) -> dict[str, Any]:
    """What is written of the game beside it."""
    assert isinstance(fold.in_play, Table)
    position = fold.in_play.state.position
    return {
        "seed": SEED,
        "data": fold.proposal["data"],
        "entries": len(fold.entries),
        "turn": position.turn,
        "result": list(position.result or ()),
        "digest": digest("ctv", position),
    }


def is_stale() -> bool:
    """Whether the file is of other data or other rules than those of today."""
    try:
        return facts(stored()) != json.loads(FACTS.read_text(encoding="utf-8"))
    except (OSError, FileRefused):
        return True


def refresh(*, check: bool) -> str:
    """Writes the game anew if it is stale; says what was done, or what is to be done."""
    if not is_stale():
        return ""
    if check:
        return f"{FILE.name} is stale: run make golden"
    fold = whole_game(SEED).fold
    FILE.write_bytes(gzip.compress(written_out(fold.entries), mtime=0))
    FACTS.write_text(json.dumps(facts(fold), indent=1) + "\n", encoding="utf-8")
    stored.cache_clear()
    return f"wrote {FILE.name}"
