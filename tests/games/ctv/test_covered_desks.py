"""5.2 at two desks: a whole game, and every byte that leaves each of them, read as the opponent's
program could read it: no counter that still lies covered is named in it.

What leaves a desk: the entries, the mail with its story, its block and its attachment, and whatever
is made without --key, in both languages: logs, summaries, pictures and pages. What the opponent is
shown at their own desk, with their own key, names their own counters alone.
"""

from __future__ import annotations

from base64 import b64encode
from functools import cache
from urllib.parse import quote

import pytest

from pbem.cli.languages import language
from pbem.gamefile.format import read
from pbem.gamefile.format import write as written_out
from pbem.messages import words
from tests.games import outgoing
from tests.games.ctv.table import system
from tests.games.outgoing import BEGUN, Seat, Sent, inside
from tests.replays import covered

LOOKS = (
    ("log",), ("log", "--brief", "--format", "bbcode"), ("log", "--format", "json"),
    ("log", "--format", "journal"), ("summary",), ("summary", "--format", "html"),
    ("show", "--digest"), ("verify",), ("dice",),
)  # fmt: skip
"""What may be posted, whatever the settings of the folder."""
OWN_LOOKS = (("form",), ("log", "--from", "8"), ("show",), ("show", "--json"), ("status",))
FILES = (("show", "--svg"), ("show", "--html"))
LOOKED_AT = (10,)
"""Entries behind which all that is public is looked at; mails are read behind each."""


SIDES = ("nationalist", "republican")  # of players A and B


def faces() -> dict[str, str]:
    """All counters that may lie covered, each with its side."""
    return {one: side for side, its in system().tables.covered.items() for one in its}


@cache
def names(unit: str) -> tuple[str, ...]:
    """What a counter is called: by its id, and by its name in both languages if it is the only one
    of that name.
    """
    name = system().tables.units[unit].name
    if sum(each.name == name for each in system().tables.units.values()) > 1:
        return (unit,)
    return (unit, *dict.fromkeys(words(name, language(code)) for code in ("en", "es")))


def holds(raw: bytes, unit: str) -> bool:
    """Whether bytes name a counter."""
    return outgoing.holds(raw, names(unit))


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> list[Sent]:
    """All that left both desks in a whole game, and what the opponent saw."""
    folder = tmp_path_factory.mktemp("desks")
    seats = [Seat(folder / player, player) for player in "AB"]
    found = list[Sent]()
    # The last entry is the second audit: behind both nothing is hidden any more.
    *entries, last = read(covered.raw_of())
    assert [step["do"] for step in last.steps] == ["audit"]
    for at, entry in enumerate(entries):
        if at < BEGUN or (at + 1 < len(entries) and entries[at + 1].by == entry.by):
            continue  # one mail takes both
        author, other = seats if entry.by == "A" else reversed(seats)
        for seat in seats:
            seat.holds(written_out(entries[: at + 1]))
        mail = author.looks(at, "mail", "game.json", "-o", "made", sides=SIDES)
        told, _, raw = mail.raw.partition(b"Subject: ")
        found += (mail._replace(raw=each) for each in (told, *inside(b"Subject: " + raw)))
        if at in LOOKED_AT:
            found += (
                author.looks(at, command, "game.json", *more, sides=SIDES)
                for command, *more in LOOKS
            )
            found += (
                author.looks(at, *command, "made", "game.json", sides=SIDES) for command in FILES
            )
            theirs = (SIDES["AB".index(entry.by)],)
            found += (
                other.looks(at, *command, "game.json", "--key", "own.key", sides=theirs)
                for command in OWN_LOOKS
            )
            found.append(other.looks(at, "status", "game.json", "--as-opponent", sides=SIDES))
            found.append(other.board(at, sides=theirs))
    return found


@cache
def still_covered(entry: int) -> frozenset[str]:
    """The counters that nobody has been shown up to an entry."""
    entries = read(covered.raw_of())[: entry + 1]
    shown = {step["card"] for each in entries for step in each.steps if step["do"] == "open"}
    return frozenset(faces()) - shown


@pytest.mark.rule("5.2")
def test_nothing_that_leaves_a_desk_names_a_covered_counter(sent: list[Sent]) -> None:
    found = {
        (each.what, each.entry, unit)
        for each in sent
        for unit in still_covered(each.entry)
        if faces()[unit] in each.sides and holds(each.raw, unit)
    }
    assert found == set()


def test_there_was_something_to_search(sent: list[Sent]) -> None:
    """What is shown is found in each kind of what leaves; most counters lie covered for long."""
    assert len(still_covered(LOOKED_AT[0])) > 20 and still_covered(len(read(covered.raw_of())))
    named = set[str]()
    for each in sent:
        if each.what not in named:
            shown = set(faces()) - still_covered(each.entry)
            named |= {each.what for unit in shown if holds(each.raw, unit)}
    silent = {each.what.partition(" ")[0] for each in sent if each.what not in named}
    assert silent == {"verify", "dice"}
    own = [each for each in sent if each.what.startswith("form")]
    assert any(holds(each.raw, unit) for each in own for unit in still_covered(each.entry))


@pytest.mark.parametrize("unit", ["N-NI-1", "R-HQ-57"])
def test_each_spelling_is_found_and_no_other_counter(unit: str) -> None:
    for name in names(unit):
        for at in range(3):
            assert holds(b64encode(b"x" * at + name.encode() + b"more"), unit)
        for raw in (name.encode(), name.encode().hex().encode(), quote(name).encode()):
            assert holds(b"before " + raw + b" behind", unit)
    assert not holds(f"{unit}0 x{unit}".encode(), unit)
