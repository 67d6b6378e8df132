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
from pbem.mail.work import JUDGING, MOST, Work
from pbem.messages import Message, Row, Said, say, say_many
from pbem.value import value

MAX_FOUND = 8
"""The number of things in a message that may look like entries; the rest is ignored."""
MAX_TEXT = 4 << 20
MAX_MISSES = 20
"""The number of damaged things in a mailbox after which older messages are ignored."""
MAX_FEW = 3
"""The number of damaged things of no wanted game that are named one by one."""
SHARES = (32, 128, 512, 0)
"""The work that a message of a mailbox may take for each of its bytes, time after time.

The first is enough for a sound game, packed as usual. At the end, or alone, a message may take all.
"""
A_MESSAGE = MOST // 8
"""The most that a message may take while others wait."""
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

    where: Said
    repairs: tuple[str, ...] = ()
    content: bytes = b""
    entries: tuple[Entry, ...] = ()
    block: Block | None = None


@value
class Miss:
    """Something that seemed to have entries, and why it cannot be used."""

    where: Said
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


def which_one(named: Iterable[Said]) -> FileRefused:
    """The refusal to choose between things that differ."""
    return FileRefused(
        "E-TRANSPORT",
        say(
            "several different games were found: {named}; which one do you mean?",
            named=Row(tuple(named), "; "),
        ),
        hint=say("choose one; --game FILE says which game you want"),
    )


def missed(where: Said, refused: FileRefused) -> Miss:
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
    box = _Mailbox(sheet, wanted, work)
    box.search()
    if len(box.games) > 1 and not wanted:
        raise which_one(
            say("{where} (the game that began with {first})", where=where, first=first[:8])
            for first, where in box.games.items()
        )
    return box.finds(), box.misses.told()


class _Mailbox:
    """A search through the messages of a mailbox, the newest first, up to one with a whole game.

    A message has a share of the budget that grows with its size. If one takes more, all the others
    come first, and then it has a larger share. So what a stranger sends cannot use up what the
    message with the game needs. `games` are those found, by first entry, and where.
    """

    def __init__(self, sheet: GivenFile, wanted: frozenset[str], work: Work) -> None:
        self._name, self._wanted, self._work = sheet.name, wanted, work
        self._messages = mime.in_mailbox(sheet.raw)
        self._found: dict[int, list[Find]] = {}
        self._newest_game = 0
        self.games: dict[str, str] = {}
        self.misses = _Misses(sheet.name, wanted)

    def search(self) -> None:
        """Searches the messages; the misses say how many were left unread."""
        left: Sequence[int] = range(len(self._messages), 0, -1)
        for share in SHARES:
            left = self._round(left, share)
        unread = len(left)
        for number in range(self._newest_game - 1, 0, -1):
            if self._is_over:
                unread += number
                break
            self._begun_in(number)
        if unread:
            self.misses.stopped(unread)

    def finds(self) -> list[Find]:
        """The finds in the newest message that has any, then the newest whole game."""
        finds: list[Find] = []
        for _, there in sorted(self._found.items(), reverse=True):
            if not any(find.entries for find in finds):
                finds += [find for find in there if find.entries or not finds]
        return finds

    @property
    def _is_over(self) -> bool:
        return self.misses.are_too_many or not self._work.left

    def _round(self, waiting: Sequence[int], share: int) -> list[int]:
        """Looks through messages with so much work for a byte; returns those that need more."""
        long: list[int] = []
        for at, number in enumerate(waiting):
            if number < self._newest_game:
                break
            if self._is_over:
                return [*long, *waiting[at:]]
            most = min(share * len(self._messages[number - 1]), A_MESSAGE)
            if share == SHARES[-1] or len(waiting) == 1:
                most = self._work.left
            if not self._looked_at(number, self._work.share(most)):
                long.append(number)
        return [number for number in long if number > self._newest_game]

    def _looked_at(self, number: int, share: Work) -> bool:
        """Looks through a message; returns whether its share was enough, or there is no more."""
        raw, where, texts = self._messages[number - 1], self._where(number), list[bytes]()
        try:
            message = mime.read_message(raw, share)
        except FileRefused as refused:
            found, misses = list[Find](), [missed(where, refused)]
        else:
            where = _named(where, message)
            found, misses = _in_message(where, message, share)
            texts = [part.content for part in message.parts]
        found = [find for find in found if not self._wanted or _game_of(find) in self._wanted]
        whole = {_game_of(find): where for find in found if find.entries}
        if share.is_spent and self._work.left and not whole:
            return False
        if misses and not any(self._found.values()):
            begun = (first.encode("ascii") for text in texts for first in _begun(text, self._work))
            self.misses.add(misses, (raw, *texts, *begun))
        if whole:
            self._newest_game = number
        self._found[number], self.games = found, {**whole, **self.games}
        return True

    def _begun_in(self, number: int) -> None:
        """Notes which games are in a message older than the one with the whole game."""
        raw, where = self._messages[number - 1], self._where(number)
        try:
            message = mime.read_message(raw, self._work)
        except FileRefused as refused:
            self.misses.add([missed(where, refused)], (raw,))
            return
        begun = (first for part in message.parts for first in _begun(part.content, self._work))
        self.games = {**dict.fromkeys(begun, _named(where, message)), **self.games}

    def _where(self, number: int) -> str:
        return f"{self._name}, message {number} of {len(self._messages)}"


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

    def stopped(self, unread: int) -> None:
        """Notes that so many messages were not read; this is reported first."""
        told = say_many(
            "unread",
            "{unread} older message was left unread, for too much in the newer ones is damaged",
            "{unread} older messages were left unread, for too much in the newer ones is damaged",
            unread=unread,
        )
        if not self.are_too_many:
            told = say_many(
                "unread", "{unread} message was left unread, for there is too much to search",
                "{unread} messages were left unread, for there is too much to search",
                unread=unread,
            )  # fmt: skip
        hint = say("save the message itself, and use that")
        if not self._names:
            hint = say(
                "save the message itself, and use that; --game FILE says which game you want, and "
                "then only that game counts"
            )
        refused = FileRefused("E-LIMIT", told, hint=hint)
        self._first = [Miss(self._mailbox, refused)]

    def told(self) -> list[Miss]:
        """All notes, the reason first."""
        others = self._others
        if self._more > len(others):
            what = say(
                "{more} parts of it are damaged, and none of them names the game", more=self._more
            )
            others = [Miss(self._mailbox, FileRefused("E-TRANSPORT", what))]
        return [*self._first, *self._counted, *others]


def _named(where: str, message: mime.MailMessage) -> str:
    told = "; ".join(filter(None, (message.subject, message.date)))
    return f"{where} ({told})" if told else where


def _begun(raw: bytes, work: Work) -> Iterator[str]:
    """The first entry of a game file, read from its beginning alone."""
    if not _head(raw, _A_HEAD).startswith(format.HEAD):
        return
    head = _head(raw, _AN_ENTRY)
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
        return [], [
            Miss(
                name,
                FileRefused(
                    "E-LIMIT",
                    say("the texts of the message are too long"),
                    hint=say("save only the attachment, and use that"),
                ),
            )
        ]
    return _sorted(
        each for part in message.parts for each in _in_part(name, part, work, may_be_message=True)
    )


def _in_part(
    name: Said, part: mime.Part, work: Work, *, may_be_message: bool
) -> Iterator[Find | Miss]:
    """The finds in a leaf of a message; a message attached as a file is opened too."""
    where = _place(name, part)
    is_file = _is_file(part.content)
    if part.kind == "application/ms-tnef":
        yield Miss(
            where,
            FileRefused(
                "E-TRANSPORT",
                say("it is in Outlook's own format"),
                hint=say("ask for the mail as plain text, with the file attached"),
            ),
        )
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


def _place(name: Said, part: mime.Part) -> Message:
    if part.name:
        return say("{file}, attachment {name}", file=name, name=part.name)
    if part.kind == "text/html":
        return say("{file}, the HTML text", file=name)
    return say("{file}, the text", file=name)


def _in_content(where: Said, raw: bytes, charset: str, work: Work) -> Iterator[Find | Miss]:
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
