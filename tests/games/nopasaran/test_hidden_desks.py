"""2.6 at two desks: a battle by mail with counters face down, and whatever leaves a desk or is
shown at the other one, read as the opponent's program could read it: no unit is named while it
lies face down.

Before and after that it is: every unit enters in view, and hides only when it is mixed. So each
mail and each look is searched for those that lie so before it and behind it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any, NamedTuple

import pytest

from pbem.cli import status
from pbem.cli.languages import language
from pbem.engine.model import Side
from pbem.gamefile.format import write as written_out
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import words
from pbem.orders.parse import parse
from pbem.play.dry_run import dry_run
from pbem.play.practice import written
from tests.contract.playing import system
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import IN_CLEAR, Seats, practised
from tests.games.nopasaran.table import N, R
from tests.games.outgoing import TAG, Seat, Sent, holds, inside

SIDES = (N, R)
OF = {N: "Nationalist", R: "Republican"}
LOOKS = (("show", "--digest"), ("verify",))
"""What may be posted, whatever the settings of the folder. A log and a summary tell of the past,
too."""
OWN_LOOKS = (("form",), ("show",), ("show", "--json"))
TOLD = 2
"""So many entries back the log in a mail begins, at most: with the last mail of its reader."""
LOOKED_AT = 5
"""Every so many entries all is looked at; mails are read behind each."""


@cache
def names(unit: str) -> tuple[str, ...]:
    """What a unit is called: by its id, and by its name in both languages."""
    name = system("nopasaran").tables.units[unit].name
    return (unit, *dict.fromkeys(words(name, language(code)) for code in ("en", "es")))


def face_down(seats: Seats) -> frozenset[str]:
    return seats.table.state.position.down.hidden if seats.game.table else frozenset()


def noted(at: int, position: Any, desks: dict[str, Seat]) -> Iterator[tuple[Side, str, str]]:
    """What both players are told of each side's counters that lie face down."""
    for side, (own, other) in zip(SIDES, (("A", "B"), ("B", "A")), strict=True):
        if position.tags_of(side):
            told = (desks[player].looks(at, "status", "game.json", "--lang", "en", *more, sides=())
                    for player, more in ((other, ()), (own, ("--as-opponent",))))  # fmt: skip
            their_notes, as_opponent = (each.raw.decode() for each in told)
            yield side, their_notes, as_opponent


class Kept(NamedTuple):
    """What `pbem status` shows a reader of an order that was sent ahead of its question; and as
    `--json` has those of its author.
    """

    author: Side
    reader: Side
    line: str
    plain: str = ""


def kept_orders(seats: Seats) -> Iterator[Kept]:
    for player, reader in zip("AB", SIDES, strict=True):
        plain = {SIDES["AB".index(by)]: str(its)
                 for by, its in status.kept(seats.game, KEYS[player])["kept"].items()}  # fmt: skip
        for line in map(words, status.lines(seats.game, KEYS[player], player=player)):
            author = next((side for side in SIDES if line.startswith(f"{OF[side]} order kept")), "")
            if author:
                yield Kept(author, reader, line, plain[author])


def checked(seats: Seats, hidden: frozenset[str]) -> Iterator[str]:
    """The next orders for practice, as `pbem check --json` has them, if they name anybody who lies
    face down.
    """
    key = KEYS[seats.pen]
    source = written(seats.game, key) if seats.orders_wanted else None
    if source is not None and any(unit in source.text for unit in hidden):
        file = parse(source, system("nopasaran").verbs)
        yield str(dry_run(seats.game, key, file).plain()["orders"])


class Battle(NamedTuple):
    sent: list[tuple[Sent, frozenset[str]]]
    notes: list[tuple[Side, str, str]]
    """A side whose counters lie face down; what status shows to the other one, and with
    --as-opponent to itself."""
    kept: list[Kept]
    checked: list[str]


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> Battle:
    """All that left both desks and what was seen there, each with those who may not be named; and
    what `pbem status` notes and `pbem check` tells.
    """
    folder = tmp_path_factory.mktemp("desks")
    desks = {player: Seat(folder / player, player) for player in "AB"}
    seats, found, hidden = Seats("desks", is_open=False), list[Any](), list[frozenset[str]]()
    notes, later, orders = list[tuple[Side, str, str]](), list[Kept](), list[str]()
    while seats.fold.phase != "over":
        author = desks[seats.pen]
        practised(seats, IN_CLEAR)
        hidden.append(face_down(seats))
        if any(map(seats.fold.given, "AB")) and hidden[-1]:
            later += kept_orders(seats)
        orders += checked(seats, hidden[-1])
        at, raw = len(seats.fold.entries) - 1, written_out(seats.fold.entries)
        kept = frozenset.intersection(*hidden[-TOLD - 1 :])
        if not kept:
            continue
        for desk in desks.values():
            desk.holds(raw)
        public = partial(author.looks, at, sides=SIDES)
        mail = public("mail", "game.json", "-o", "made")
        told, _, content = mail.raw.partition(b"Subject: ")
        parts = (told, *inside(b"Subject: " + content))
        found += ((mail._replace(raw=each), kept) for each in (*parts[:3], parts[-1]))
        if at % LOOKED_AT or not seats.orders_wanted:
            continue
        found += ((public(command, "game.json", *more), kept) for command, *more in LOOKS)
        found.append((public("show", "--svg", "made", "game.json"), kept))
        own = desks[seats.pen]
        enemy = (SIDES[seats.pen == "A"],)
        found.append((own.board(at, sides=enemy), kept))
        look = partial(own.looks, at, sides=enemy)
        found += ((look(command, "game.json", *more, "--key", "own.key"), kept)
                  for command, *more in OWN_LOOKS)  # fmt: skip
        notes += noted(at, seats.table.state.position, desks)
    return Battle(found, notes, later, orders)


def named(each: Sent, units: frozenset[str]) -> set[str]:
    owners = system("nopasaran").tables.owners
    return {unit for unit in units if owners[unit] in each.sides and holds(each.raw, names(unit))}


@pytest.mark.rule("2.6")
def test_nobody_is_named_while_they_lie_face_down(battle: Battle) -> None:
    found = {
        (each.what, each.entry): units for each, kept in battle.sent if (units := named(each, kept))
    }
    assert found == {}


def test_there_was_something_to_search(battle: Battle) -> None:
    """Who is in view is found in each kind of what leaves; to their own player all are named."""
    sent = battle.sent
    every = frozenset(system("nopasaran").tables.units)
    assert max(len(kept) for _, kept in sent) > 6
    told = {each.what.partition(" ")[0] for each, kept in sent if named(each, every - kept)}
    assert told == {"mail", "show", "board"}
    for look in ("form", "board"):
        own = [(each, kept) for each, kept in sent if each.what.startswith(look)]
        assert any(holds(each.raw, names(unit)) for each, kept in own for unit in kept)


def test_orders_kept_for_later_name_ones_own_counters_alone(battle: Battle) -> None:
    readers = {(each.author, each.reader) for each in battle.kept if "face down" in each.line}
    assert readers == {(N, R)}
    assert {(each.author, each.reader) for each in battle.kept if TAG.search(each.plain)} == readers


def test_orders_are_read_as_they_were_written(battle: Battle) -> None:
    """By the names of one's own counters, as in the file."""
    assert battle.checked and not any(map(TAG.search, battle.checked))


def test_status_notes_on_the_enemy_what_the_enemy_notes_on_oneself(battle: Battle) -> None:
    """What one player's status notes is what the other one is told to be known of them."""
    for side, their_notes, as_opponent in battle.notes:
        heading = f"{OF[side]} counters face down:\n"
        _, found, notes = their_notes.partition(heading)
        own, found_too, known = as_opponent.partition(heading)
        assert found and found_too and notes.startswith(known.rstrip())
        assert f"what the {OF[ENEMY[side]]} player knows of you:" in own
        assert "a counter face down" in " ".join(own.split())
    assert {side for side, _, _ in battle.notes} == {N, R}
