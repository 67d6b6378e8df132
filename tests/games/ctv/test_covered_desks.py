"""5.2 at two desks: a whole game, and every byte that leaves each of them, read as the opponent's
program could read it: no counter that still lies covered is named in it.

What leaves a desk: the entries, the mail with its story, its block and its attachment, and whatever
is made without --key, in both languages: logs, summaries, pictures and pages. What the opponent is
shown at their own desk, with their own key, names their own counters alone.
"""

from __future__ import annotations

import email.policy
import gzip
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from pbem.cli.languages import language
from pbem.gamefile import fold as fold_of_a_file
from pbem.gamefile.chain import Entry
from pbem.gamefile.format import read
from pbem.gamefile.format import write as written_out
from pbem.gamefile.keys import private_file
from pbem.gamefile.machine import Machine
from pbem.mail import armour
from pbem.messages import words
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.gamefile.players import KEYS
from tests.games.ctv.table import system
from tests.replays import covered

BEGUN = 3
"""The first entry behind the terms, which list the counters of both decks."""
LANGUAGES = {"A": "en", "B": "es"}
LOOKS = (
    ("log",), ("log", "--brief", "--format", "bbcode"), ("log", "--format", "json"),
    ("log", "--format", "journal"), ("summary",), ("summary", "--format", "html"),
    ("show", "--digest"), ("verify",), ("dice",),
)  # fmt: skip
"""What may be posted, whatever the settings of the folder."""
OWN_LOOKS = (("form",), ("log", "--from", "8"), ("show",), ("show", "--json"), ("status",))
FILES = (("show", "--svg"), ("show", "--html"))
WHOLE = rb"(?<![A-Za-z0-9-])%b(?![A-Za-z0-9-])"
LOOKED_AT = (10,)
"""Entries behind which all that is public is looked at; mails are read behind each."""


class Sent(NamedTuple):
    """Something that left a desk behind an entry, or came to another; none of these sides may be
    read in it.
    """

    sides: tuple[str, ...]
    entry: int
    what: str
    raw: bytes


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


@cache
def spellings(text: str) -> tuple[bytes, ...]:
    """How a text stands in bytes: as it is, escaped as JSON, pages and addresses do, in hex, and in
    base64 at each of its three places.
    """
    plain = text.encode()
    escaped = (text.encode("ascii", each) for each in ("backslashreplace", "xmlcharrefreplace"))
    coded = [b64encode(b"\0" * at + plain)[-(-8 * at // 6) : (at + len(plain)) * 8 // 6]
             for at in range(3)]  # fmt: skip
    hexed = plain.hex().encode()
    spelt = (plain, *escaped, quote(text).encode(), hexed, hexed.upper(), *coded)
    return tuple(dict.fromkeys(spelt))


def holds(raw: bytes, unit: str) -> bool:
    """Whether bytes name a counter, and not one whose name begins or ends with this one's."""
    for name in names(unit):
        for each in spellings(name):
            if each in raw and (each != name.encode() or re.search(WHOLE % re.escape(each), raw)):
                return True
    return False


def inside(raw: bytes) -> Iterator[bytes]:
    """What a mail holds: its lines, its text, its attachment unpacked, and the entries of its
    block. The attachment is the game file, whose first entries list the decks.
    """
    message = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(message, EmailMessage)
    part = message.get_body(("plain",))
    assert part is not None
    text = str(part.get_content())
    yield from (text.encode(), str(message.items()).encode())
    (attached,) = message.iter_attachments()
    content = attached.get_content()
    packed = content.startswith(b"\x1f\x8b")
    content = gzip.decompress(content) if packed else content
    entries = tuple(read(content))
    assert content == written_out(entries), "nothing stands beside the entries"
    block = armour.decode(text).entries if armour.BEGIN in text else ()
    assert not block or block == entries[-len(block) :]
    yield from (entry.body for entry in entries[BEGUN:])


@cache
def folded_once() -> Callable[..., Machine]:
    """Folds an entry as the program does, but each only once: it names all that stand before it."""
    fold, known = fold_of_a_file._fold_entry, dict[str, Machine]()

    def folded(machine: Machine, entry: Entry, *more: Any) -> Machine:
        if entry.id not in known:
            known[entry.id] = fold(machine, entry, *more)
        return known[entry.id]

    return folded


class Seat(Desk):
    """A player's folder, with their key and their language."""

    def __init__(self, folder: Path, player: str) -> None:
        folder.mkdir()
        super().__init__(folder)
        self.player = player
        (folder / "own.key").write_bytes(private_file(KEYS[player]))
        (folder / "own.key").chmod(0o600)
        self.write("pbem.toml", f'key = "own.key"\nlang = "{LANGUAGES[player]}"\n')

    def looks(self, entry: int, *words: str, sides: tuple[str, ...] = SIDES) -> Sent:
        """What a command shows that must go well."""
        with pytest.MonkeyPatch.context() as patch:
            at_home(self.folder, patch)
            patch.setattr(fold_of_a_file, "_fold_entry", folded_once())
            told = self.done(*words).encode()
        if "made" in words:
            told += (self.folder / "made").read_bytes()
            (self.folder / "made").unlink()
        return Sent(sides, entry, " ".join(words), told)

    def holds(self, raw: bytes) -> None:
        (self.folder / "game.json").write_bytes(raw)


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
        mail = author.looks(at, "mail", "game.json", "-o", "made")
        told, _, raw = mail.raw.partition(b"Subject: ")
        found += (mail._replace(raw=each) for each in (told, *inside(b"Subject: " + raw)))
        if at in LOOKED_AT:
            found += (author.looks(at, command, "game.json", *more) for command, *more in LOOKS)
            found += (author.looks(at, *command, "made", "game.json") for command in FILES)
            theirs = (SIDES["AB".index(entry.by)],)
            found += (
                other.looks(at, *command, "game.json", "--key", "own.key", sides=theirs)
                for command in OWN_LOOKS
            )
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
