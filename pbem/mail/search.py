"""Finds entries in what came by mail: a file, a message, a mailbox, a text.

What is found matches its own digests, and nothing more is claimed: `inbox.py` verifies it and
decides which of several finds is meant.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from pbem.gamefile import format
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.mail import armour, mime, repairs
from pbem.mail.armour import Block
from pbem.mail.salvage import may_be_a_game, salvage
from pbem.mail.work import JUDGING, Work
from pbem.value import value

MAX_FOUND = 8
"""The number of things in a message that may look like entries; the rest is ignored."""
MAX_TEXT = 4 << 20
MAX_MISSES = 20
"""The number of damaged things in a mailbox after which older messages are ignored."""
MAX_FEW = 3
"""The number of damaged things of no wanted game that are named one by one."""
_GZIP = b"\x1f\x8b"
_A_HEAD, _AN_ENTRY = 400, 16 << 10
"""How much of a file tells what it may be, and how much has its first entry whole."""


@value
class GivenFile:
    """A file as it was given: its name and its content."""

    name: str
    raw: bytes


@value
class Find:
    """Something with entries in it: where it was, the entries, the repairs.

    `content` is a whole game file, and `entries` are all of it; or `block` is an armour.
    """

    where: str
    repairs: tuple[str, ...] = ()
    content: bytes = b""
    entries: tuple[Entry, ...] = ()
    block: Block | None = None


@value
class Miss:
    """Something that seemed to have entries, and why it cannot be used."""

    where: str
    refused: FileRefused


def look_through(
    sheet: GivenFile, wanted: frozenset[str], work: Work
) -> tuple[list[Find], list[Miss]]:
    """The finds in a file; in a mailbox, those in the newest message that has the game.

    `wanted` are games, as `names_of` calls them; empty for any game. When the budget `work` is used
    up, earlier finds remain, and the rest counts as a miss.
    """
    try:
        if mime.is_mailbox(sheet.raw):
            return _in_mailbox(sheet, wanted, work)
        return _in_sheet(sheet.name, sheet.raw, work)
    except FileRefused as refused:
        return [], [missed(sheet.name, refused)]


def names_of(entries: Sequence[Entry]) -> frozenset[str]:
    """The names of a game: its first entry, its digits as in an armour, and its id.

    The id is in each entry of a file.
    """
    return frozenset((entries[0].id, digits_of(entries), *(entry.id for entry in entries[1:2])))


def digits_of(entries: Sequence[Entry]) -> str:
    """The twenty digits of the game of a file's entries."""
    return armour.game_digits(entries[min(1, len(entries) - 1)])


def which_one(named: Iterable[str]) -> FileRefused:
    """The refusal to choose between things that differ."""
    return FileRefused(
        "E-TRANSPORT",
        f"games that differ were found: {'; '.join(named)}: which one was meant?",
        hint="choose one; --game FILE says which game you want",
    )


def missed(where: str, refused: FileRefused) -> Miss:
    """A refusal to keep, without its traceback, which may be large."""
    refused.__traceback__ = refused.__context__ = refused.__cause__ = None
    return Miss(where, refused)


def _in_sheet(name: str, raw: bytes, work: Work) -> tuple[list[Find], list[Miss]]:
    """The finds in a file that is no mailbox: a game file, a message, or a text."""
    if not _is_file(raw) and mime.is_message(raw):
        found, misses = _in_message(name, mime.read_message(raw, work), work)
        if found or misses:
            return found, misses
    return _sorted(_in_content(name, raw, "utf-8", work))


# --- mailboxes ------------------------------------------------------------------------------------


def _in_mailbox(
    sheet: GivenFile, wanted: frozenset[str], work: Work
) -> tuple[list[Find], list[Miss]]:
    """The finds in the newest message that has the game.

    If that is only an armour, also the newest whole game. Raises FileRefused (E-TRANSPORT) when
    there are several games and none was asked for.
    """
    finds: list[Find] = []
    misses = _Misses(sheet.name, wanted)
    games: dict[str, str] = {}
    messages = mime.in_mailbox(sheet.raw)
    for number in range(len(messages), 0, -1):
        raw, where = messages[number - 1], f"{sheet.name}, message {number} of {len(messages)}"
        if misses.are_too_many or work.is_spent:
            misses.stopped(number, is_spent=work.is_spent)
            break
        try:
            message = mime.read_message(raw, work)
        except FileRefused as refused:
            misses.add([missed(where, refused)], (raw,))
            continue
        where = _named(where, message)
        if any(find.entries for find in finds):  # the rest only says whether there are other games
            games = {**dict.fromkeys(_begun_in(message, work), where), **games}
            continue
        found, more = _in_message(where, message, work)
        found = [find for find in found if not wanted or _game_of(find) in wanted]
        games = {**{_game_of(find): where for find in found if find.entries}, **games}
        if more and not finds:
            begun = (first.encode("ascii") for first in _begun_in(message, work))
            misses.add(more, (raw, *(part.content for part in message.parts), *begun))
        finds += [find for find in found if find.entries or not finds]
    if len(games) > 1 and not wanted:
        raise which_one(
            f"{where} (the game that began with {first[:8]})" for first, where in games.items()
        )
    return finds, misses.told()


class _Misses:
    """The damaged parts of a mailbox, which anyone may have sent in any number.

    If a game is `wanted`, only those that name it count, because their sender has it.
    """

    def __init__(self, mailbox: str, wanted: frozenset[str]) -> None:
        self._mailbox = mailbox
        self._names = [name.encode("ascii") for name in wanted]
        self._counted: list[Miss] = []
        self._others: list[Miss] = []
        self._more = 0
        self._first: list[Miss] = []

    @property
    def are_too_many(self) -> bool:
        return len(self._counted) > MAX_MISSES

    def add(self, misses: Sequence[Miss], texts: Iterable[bytes]) -> None:
        """Adds those of a message with these texts; how many are kept is limited."""
        if not self._names or any(name in text for text in texts for name in self._names):
            self._counted += misses
            return
        self._more += len(misses)
        self._others += misses[: MAX_FEW - len(self._others)]

    def stopped(self, unread: int, *, is_spent: bool) -> None:
        """Notes that so many older messages were not read; this is reported first."""
        were = "1 older message was" if unread == 1 else f"{unread} older messages were"
        why = (
            "the newer ones take too long" if is_spent else "too much in the newer ones is damaged"
        )
        hint = "save the message itself, and use that"
        if not self._names:
            hint += "; --game FILE says which game you want, and then only that game counts"
        refused = FileRefused("E-LIMIT", f"{were} left unread, for {why}", hint=hint)
        self._first = [Miss(self._mailbox, refused)]

    def told(self) -> list[Miss]:
        """All notes, the reason first."""
        others = self._others
        if self._more > len(others):
            what = f"{self._more} parts of it are damaged, and none of them names the game"
            others = [Miss(self._mailbox, FileRefused("E-TRANSPORT", what))]
        return [*self._first, *self._counted, *others]


def _named(where: str, message: mime.MailMessage) -> str:
    told = "; ".join(filter(None, (message.subject, message.date)))
    return f"{where} ({told})" if told else where


def _begun_in(message: mime.MailMessage, work: Work) -> Iterator[str]:
    """The first entries of the game files in a message, read from their beginnings alone."""
    for part in message.parts:
        if not _head(part.content, _A_HEAD).startswith(format.HEAD):
            continue
        head = _head(part.content, _AN_ENTRY)
        with suppress(FileRefused):  # what is spent ends the search at the next message
            work.spend(JUDGING * len(head))
        found = format.first_id(head)
        if found:
            yield found


def _game_of(find: Find) -> str:
    return find.block.game if find.block else find.entries[0].id


# --- messages and texts ---------------------------------------------------------------------------


def _in_message(name: str, message: mime.MailMessage, work: Work) -> tuple[list[Find], list[Miss]]:
    texts = [part.content for part in message.parts if not _is_file(part.content)]
    if sum(len(text) for text in texts if may_be_a_game(text)) > MAX_TEXT:
        return [], [Miss(name, FileRefused("E-LIMIT", "the texts of the message are too long",
                         hint="save only the attachment, and use that"))]  # fmt: skip
    return _sorted(
        each for part in message.parts for each in _in_part(name, part, work, may_be_message=True)
    )


def _in_part(
    name: str, part: mime.Part, work: Work, *, may_be_message: bool
) -> Iterator[Find | Miss]:
    """The finds in a leaf of a message; a message attached as a file is opened too."""
    where = f"{name}, {_called(part)}"
    is_file = _is_file(part.content)
    if part.kind == "application/ms-tnef":
        yield Miss(where, FileRefused("E-TRANSPORT", "it is in Outlook's own format",
                   hint="ask for the mail as plain text, with the file attached"))  # fmt: skip
    elif may_be_message and part.name and not is_file and mime.is_message(part.content):
        try:
            inside = mime.read_message(part.content, work).parts
        except FileRefused as refused:
            yield missed(where, refused)
            return
        for inner in inside:
            yield from _in_part(where, inner, work, may_be_message=False)
    elif not is_file or _begins_as_a_game(part.content):
        yield from _in_content(where, part.content, part.charset, work)


def _called(part: mime.Part) -> str:
    if part.name:
        return f"attachment {part.name}"
    return "the HTML text" if part.kind == "text/html" else "the text"


def _in_content(where: str, raw: bytes, charset: str, work: Work) -> Iterator[Find | Miss]:
    """A game file, sound or damaged, or an armour, or both."""
    if len(raw) <= MAX_TEXT and not _is_file(raw) and b"PBEM" in _letters(raw):
        try:
            block = armour.decode(repairs.decoded(raw, charset), work)
            yield Find(where, block.repairs, block=block)
        except FileRefused as refused:
            yield missed(where, refused)
    if may_be_a_game(raw) or (_is_file(raw) and b"pbem-game" in raw):
        try:
            found = salvage(raw, format.read, charset, work)
            yield Find(where, found.repairs, found.content, tuple(found.verified))
        except FileRefused as refused:
            yield missed(where, refused)


def _sorted(each: Iterable[Find | Miss]) -> tuple[list[Find], list[Miss]]:
    """The finds and misses, up to the first hostile part."""
    finds: list[Find] = []
    misses: list[Miss] = []
    for one in each:
        if isinstance(one, Find):
            finds.append(one)
        else:
            misses.append(one)
            if one.refused.code == "E-LIMIT":
                break
        if len(finds) + len(misses) >= MAX_FOUND:
            break
    return finds, misses


# --- what bytes look like -------------------------------------------------------------------------


def _is_file(raw: bytes) -> bool:
    """Whether this begins as a game file may, packed or not."""
    return raw.startswith(_GZIP) or raw[:100].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _begins_as_a_game(raw: bytes) -> bool:
    """Whether it continues as a game file too: most files attached to mails are not ours."""
    head = _head(raw, _A_HEAD)
    return head.startswith(_GZIP) or b"entries" in head or b"pbem" in head


def _head(raw: bytes, size: int) -> bytes:
    """The first `size` bytes of a file; packed, if it is packed and damaged."""
    if raw.startswith(_GZIP):
        with suppress(zlib.error):
            return zlib.decompressobj(31).decompress(raw[: 2 * size], size)
    return raw[:size]


def _letters(raw: bytes) -> bytes:
    """The text with one byte a letter, as far as it is ASCII."""
    return raw.translate(None, b"\0") if b"\0" in raw[:4] else raw
