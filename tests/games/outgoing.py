"""What leaves a player's desk, and whether it names what the other player must not know."""

from __future__ import annotations

import email.policy
import gzip
import json
import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator
from email.message import EmailMessage
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from pbem.cli.languages import language
from pbem.cli.request import Request
from pbem.gamefile import fold as fold_of_a_file
from pbem.gamefile.chain import Entry
from pbem.gamefile.format import read
from pbem.gamefile.format import write as written_out
from pbem.gamefile.keys import private_file
from pbem.gamefile.machine import Machine
from pbem.mail import armour
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.gamefile.players import KEYS

BEGUN = 3
"""The first entry behind the terms, which list the counters of both decks."""
LANGUAGES = {"A": "en", "B": "es"}
TAG = re.compile(r"(?<![\w/.])[a-z][a-z0-9_]*([/.])\d+\1\d+(?![\w/])")
"""A counter face down, as files and mails have it."""
WHOLE = rb"(?<![A-Za-z0-9-])%b(?![A-Za-z0-9-])"


class Sent(NamedTuple):
    """Something that left a desk behind an entry, or came to another; none of these sides may be
    read in it.
    """

    sides: tuple[str, ...]
    entry: int
    what: str
    raw: bytes


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


def holds(raw: bytes, names: Iterable[str]) -> bool:
    """Whether bytes have one of these names, and not one that begins or ends with it."""
    for name in names:
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

    def looks(self, entry: int, *words: str, sides: tuple[str, ...]) -> Sent:
        """What a command shows that must go well."""
        with pytest.MonkeyPatch.context() as patch:
            at_home(self.folder, patch)
            patch.setattr(fold_of_a_file, "_fold_entry", folded_once())
            told = self.done(*words).encode()
        if "made" in words:
            told += (self.folder / "made").read_bytes()
            (self.folder / "made").unlink()
        return Sent(sides, entry, " ".join(words), told)

    def board(self, entry: int, *, sides: tuple[str, ...]) -> Sent:
        """What `pbem board` shows its own player: the page, and each order that may be begun."""
        from pbem.cli.board_desk import Desk as Drawer  # it needs the extra `board`
        from pbem.desk.session import Session

        with pytest.MonkeyPatch.context() as patch:
            at_home(self.folder, patch)
            patch.chdir(self.folder)
            drawer = Drawer(Request(game_file="game.json", key_file="own.key"))
            session = Session(drawer, language(LANGUAGES[self.player]))
            page = session.view()
            told = [page, *(session.begin(each["verb"]) for each in page["ask"]["verbs"])]
            drawer.close()
        return Sent(sides, entry, "board", json.dumps(told, ensure_ascii=False).encode())

    def holds(self, raw: bytes) -> None:
        (self.folder / "game.json").write_bytes(raw)
