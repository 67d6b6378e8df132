"""Finds entries in what came by mail: one reader in layers, from a file down to a block of text.

    bytes -> container -> mailbox -> message -> part -> text -> game file or block

What the bytes are decides what they are read as, not what they are called. Each layer is tolerant,
and where one way of reading finds nothing, the next is tried: the last is to take everything as
text. Every game and every block is found, in whatever order they stand; what is only the beginning
of a game found already is known at a glance, so a mailbox full of one game costs little.

What is found matches its own digests, and nothing more is claimed: `inbox.py` verifies it and
decides which of several finds is meant.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from pbem.gamefile import format
from pbem.gamefile.chain import ZEROS, Entry, check_all_intact
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import game_fingerprint
from pbem.gamefile.signers import Signers, check_end_signed, signed_among
from pbem.mail import armour, codings, containers, mailbox, mime, repairs, sender
from pbem.mail.armour import Block
from pbem.mail.salvage import may_be_a_game, salvage
from pbem.mail.work import A_PART, A_SIGNATURE, JUDGING, MOST, Work
from pbem.messages import Message, Row, Said, marked, say, say_many
from pbem.value import replace, value

MAX_TEXT = 4 << 20
MAX_DEPTH = 8
"""How many containers and messages may be inside each other."""
MAX_GAMES = 64
"""The number of different games, or stories of one, that are kept of what one reading finds: of
each rank, so strangers take no room from a game that is wanted.
"""
MAX_PIECES = 100
"""The number of game files, or of blocks, that are looked at in one text."""
MAX_FEW, MAX_MISSES = 3, 8
"""How many damaged things are named one by one: those of no wanted game, and the others."""
SHARES = (32, 128, 512, 0)
"""The work that a message may take for each of its bytes, time after time.

The first is enough for a sound game, packed as usual. At the end, or alone, a message may take all.
"""
A_LITTLE, A_MESSAGE = 4 * A_PART, MOST // 8
"""The least and the most that a message may take while others wait."""
A_SHAPE = 8
"""The shapes of so many entries are judged in the time of a signature."""
_ENTRY_ENDS = re.compile(re.escape(format.ENTRY_ENDS))
_A_HEAD = 400
STRAY_ZEROS = marked("zero bytes")
"""The repair of a text from which such bytes are left out."""
"""How much of a file tells what it may be."""
_FIELDS, _SHORT, _DIGITS = 8 << 10, 8, 20
"""How much of a message has its header, how many digits of a game our subjects name, and all."""
_GAME_BEGINS = re.compile(rb'\{[\s>|]*+"(?:entries|format)"\s*+:')
_OF_MIME = re.compile(rb"content-t(?:ype|ransfer-encoding)[ \t]*+:", re.I)
_QUOTED = re.compile(rb"^[ \t]*+(?:[>|][ \t]?+)++", re.M)
_QUOTED_MIME = re.compile(rb"(?:^|(?<=\r))[ \t]*+(?:[>|][ \t]?+)++content-t", re.I | re.M)
_A_LITTLE_TEXT = 200
"""No block and no game is so short."""
_SPLIT = rb"(?:[^ -~]{1,4}|<[^<>]{1,20}>|&#?[a-z0-9]{1,6};|=\r?\n)?"
"""What may stand within a word: a sign of several bytes, a tag, an entity, a soft break."""
_NAMES_US = re.compile(_SPLIT.join((b"P", b"B", b"E", b"M")))
_END_BEHIND_END = re.compile(rb"(<(?:br|/p|/div|/tr)\b[^<>]{0,99}>)\r?\n", re.I)
_IN_HTML = re.compile(rb"<(?:html|body|pre|div|br|p)\b|&lt;", re.I)
_LONE_RETURN = re.compile(rb"\r(?!\n)")


@value
class GivenFile:
    """A file as it was given: its name and its content; for a mail of a `folder` also its `number`
    there, from 1, the newest last.
    """

    name: str
    raw: bytes
    folder: str = ""
    number: int = 0


@value
class Find:
    """Something with entries in it: where it was, the entries, the repairs.

    `entries` are all of a whole game file, which is at the beginning of `laid`, `size` bytes of it
    without its tail, laid out by `format.write` and by nobody else; or `block` is an armour. Unless
    they `were_read` of that very file, from its beginning to its end, they are only known to be in
    a longer one, or were read in two parts: the file is read whole before anything is made of it.
    `head` has what the mail that it was in says of its sender.
    """

    where: Said
    repairs: tuple[str, ...] = ()
    laid: bytes = b""
    size: int = 0
    entries: tuple[Entry, ...] = ()
    block: Block | None = None
    were_read: bool = False
    head: bytes = b""
    mail: int = 0

    @property
    def content(self) -> bytes:
        """The game file."""
        return self.laid[: self.size] + format.TAIL


@value
class Miss:
    """Something that seemed to have entries, and why it cannot be used.

    If `is_aside`, it may have none at all: it is told only where nothing else was found. If it
    `is_strange`, nothing in it names a game that is wanted.
    """

    where: Said
    refused: FileRefused
    is_aside: bool = False
    is_strange: bool = False


def look_through(
    sheets: Sequence[GivenFile], wanted: frozenset[str], work: Work
) -> tuple[list[Find], list[Miss]]:
    """Everything with entries in these files, as far as the budget `work` goes, and the misses.

    `wanted` are games, as `names_of` calls them; empty for any game: damaged things of others are
    not told one by one.
    """
    pool = _Pool(sheets, wanted, work)
    pool.search()
    return pool.games.finds(), pool.misses()


def names_of(entries: Sequence[Entry]) -> frozenset[str]:
    """The names of a game: its first entry, its digits as in an armour, and its id.

    The id is in each entry of a file.
    """
    return frozenset((entries[0].id, digits_of(entries), *(entry.id for entry in entries[1:2])))


def rank(entries: Sequence[Entry], wanted: Collection[str]) -> int:
    """How much these entries are wanted: 2 for a game of these names, 1 for another acceptance of
    its proposal, 0 for a game of strangers.
    """
    if entries[0].id not in wanted:
        return 0
    return 2 if len(entries) > 1 and digits_of(entries) in wanted else 1


def digits_of(entries: Sequence[Entry]) -> str:
    """The twenty digits of the game of a file's entries, by their places: what is written in them
    may be anything.
    """
    return game_fingerprint(entries[1].id if len(entries) > 1 else ZEROS).replace(" ", "")


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


def missed(where: Said, refused: FileRefused, *, is_aside: bool = False) -> Miss:
    """A refusal to keep, without its traceback, which may be large."""
    refused.__traceback__ = refused.__context__ = refused.__cause__ = None
    return Miss(where, refused, is_aside)


def few(misses: Sequence[Miss], where: Said) -> list[Miss]:
    """The first of some misses, and one that counts the others, if there are many."""
    if len(misses) <= MAX_MISSES:
        return [*misses]
    more = say_many(
        "more", "{more} more thing that came is damaged",
        "{more} more things that came are damaged", more=len(misses) - MAX_MISSES,
    )  # fmt: skip
    return [*misses[:MAX_MISSES], Miss(where, FileRefused("E-TRANSPORT", more))]


# --- what was found -------------------------------------------------------------------------------


class _Games:
    """What was found so far. What only begins a known game, or goes on from it, is not read again.

    Files as we lay them out are compared as bytes, which costs almost nothing; others by the ids of
    their entries. An id does not cover the signature, so of files with the same ids one is kept,
    with those signatures that hold: copies with others take no room.
    """

    def __init__(self, wanted: frozenset[str] = frozenset()) -> None:
        self._wanted = wanted
        self._games: list[Find] = []
        self._sure: list[set[int]] = []
        """By game: the entries whose signatures are known to hold."""
        self._ends: dict[int, tuple[tuple[Entry, ...], Signers]] = {}
        """By game: its entries when it was last continued, and who may sign behind them."""
        self._older: list[tuple[int, Find, int]] = []
        """The game it begins, where it was, and how many entries it has."""
        self._lengths: set[tuple[int, int]] = set()
        """The games that these begin, with how many entries: the first of each is always kept."""
        self._blocks: dict[Any, Find] = {}
        self.forged: list[Miss] = []
        """What goes on from a game of no name that is wanted, and nobody has signed."""
        self.full: FileRefused | None = None
        """Why something was not kept, if there was too much of it."""
        self.head = b""
        """What the message that is looked through says of its sender."""
        self.mail = 0
        """The number of messages looked through before it, and it."""

    def finds(self) -> list[Find]:
        """Every find: the games, their beginnings that were found too, the blocks."""
        ends = [[end.end() for end in _ENTRY_ENDS.finditer(game.laid)] for game in self._games]
        older = [
            replace(find, laid=self._games[at].laid, size=ends[at][count - 1], were_read=False,
                    entries=self._games[at].entries[:count])
            for at, find, count in self._older
        ]  # fmt: skip
        return [*self._games, *older, *self._blocks.values()]

    def known(self, where: Said, content: bytes, work: Work) -> Find | None:
        """The game in which a game file was found, if one found before begins with it, or it with
        that one.

        Raises FileRefused as `format.read` does for what goes on from a known game, and E-LIMIT.
        """
        size = len(content) - len(format.TAIL)
        if not (content.startswith(format.HEAD) and content.endswith(format.TAIL)):
            return None
        work.spend(len(content))
        for at, game in enumerate(self._games):
            if size <= game.size:
                is_known = size == game.size or game.laid[size : size + 1] == b","
                is_known = is_known and content.endswith(format.ENTRY_ENDS, 0, size)
                if is_known and game.laid.startswith(content[:size]):
                    return self._add_older(at, Find(where), content.count(format.ENTRY_ENDS))
            elif content[game.size : game.size + 1] == b"," and content.startswith(
                game.laid[: game.size]
            ):
                work.spend(JUDGING * (size - game.size))
                try:
                    behind = format.read_behind(content, game.size, game.entries)
                    check_all_intact(behind)
                    self._check_continued(at, behind)
                except FileRefused:
                    return None  # it is read from its beginning: perhaps it can be repaired
                self._add_older(at, game, len(game.entries))
                self._lay(at, Find(where, head=self.head), (*game.entries, *behind))
                return self._games[at]
        return None

    def add_game(self, find: Find, work: Work) -> Find:
        """Adds a game that was read whole; returns the one in which it is found now.

        Raises FileRefused: E-LIMIT if there are too many, and as `check_end_signed` where nobody
        has signed what goes on from a game, or a wanted game besides one of the same rank: anyone
        can make hundreds of them.
        """
        find = replace(find, head=self.head)
        ids, count = [entry.id for entry in find.entries], len(find.entries)
        ranked = rank(find.entries, self._wanted)
        for at, game in enumerate(self._games):
            both = min(count, len(game.entries))
            if ids[both - 1] != game.entries[both - 1].id:
                continue
            if ids[:both] != [entry.id for entry in game.entries[:both]]:
                continue
            mended = self._signed_best(at, find.entries[:both], work)
            if mended != game.entries[:both]:
                try:
                    self._lay(at, game, (*mended, *game.entries[both:]))
                except FileRefused:  # with the signature that holds, the rest fits in no file
                    self._lay(at, find, mended)
            if count > both:
                longer = (*mended, *find.entries[both:])
                work.spend(JUDGING * find.size)
                try:
                    check_end_signed(longer)
                except FileRefused as refused:
                    if not ranked:
                        self.forged.append(missed(find.where, refused))
                    raise
                self._add_older(at, game, both)
                self._lay(at, find, longer)
                return self._games[at]
            return self._add_older(at, find, count)
        others = sum(rank(game.entries, self._wanted) == ranked for game in self._games)
        if others and ranked:
            work.spend(JUDGING * find.size)
            check_end_signed(find.entries)
        if others == MAX_GAMES:
            raise self._filled(
                say("there are more than {max_games} different games", max_games=MAX_GAMES)
            )
        self._games.append(find)
        self._sure.append(set())
        return find

    def add_block(self, find: Find) -> Find:
        """Adds an armour, unless the same was found before.

        However many there are, all are kept: the work of reading them bounds them, and each mail
        has its share of that.
        """
        assert find.block is not None
        which = find.block.first, tuple((entry.id, entry.sig) for entry in find.block.entries)
        if which not in self._blocks:
            self._blocks[which] = replace(find, head=self.head, mail=self.mail)
        return self._blocks[which]

    def _filled(self, why: Said) -> FileRefused:
        if self.full is None:
            self.full = FileRefused(
                "E-LIMIT", why, hint=say("give fewer files or messages at once")
            )
        return self.full

    def _check_continued(self, at: int, behind: Sequence[Entry]) -> None:
        """Refuses, as `check_end_signed`, what goes on from a game, which is not read again."""
        entries = self._games[at].entries
        known, signers = self._ends.get(at, ((), Signers()))
        if known is not entries:
            signers = Signers()
            for entry in entries:
                signers = signers.after(entry)
            self._ends[at] = entries, signers
        for entry in behind:
            signers = signers.after(entry, judged=entry is behind[-1])

    def _signed_best(self, at: int, theirs: Sequence[Entry], work: Work) -> tuple[Entry, ...]:
        """The first entries of a game, each of which is the same in `theirs`, except perhaps for
        its signature: theirs takes the place of one that does not hold.
        """
        ours, sure = self._games[at].entries[: len(theirs)], self._sure[at]
        differ = {number for number, entry in enumerate(theirs)
                  if entry.sig != ours[number].sig and number not in sure}  # fmt: skip
        if not differ:
            return ours
        work.spend(A_SIGNATURE * (len(differ) + len(theirs) // A_SHAPE))
        good = signed_among(ours, differ)
        sure |= good
        bad = differ - good
        return tuple(theirs[each] if each in bad else ours[each] for each in range(len(theirs)))

    def _lay(self, at: int, find: Find, entries: tuple[Entry, ...]) -> None:
        laid = format.write(entries)
        size = len(laid) - len(format.TAIL)
        self._games[at] = replace(find, laid=laid, size=size, entries=entries, were_read=False)

    def _add_older(self, at: int, find: Find, count: int) -> Find:
        """Notes that the first entries of a game were found elsewhere, too; returns the game."""
        is_first = (at, count) not in self._lengths
        self._lengths.add((at, count))
        if is_first or len(self._older) < mailbox.MAX_MESSAGES:
            kept = replace(find, laid=b"", size=0, entries=(), were_read=False)
            self._older.append((at, kept, count))
        return self._games[at]


def _laid_out(entries: Sequence[Entry], work: Work) -> bytes:
    """The file as we lay it out, which may be many times as long as what came."""
    work.spend(format.written_size(entries))
    return format.write(entries)


# --- files and mailboxes --------------------------------------------------------------------------


class _Pool:
    """A search through files and the messages of mailboxes, the newest of these first.

    A message has a share of the budget that grows with its size. If one takes more, all the others
    come first, and then it has a larger share. So what a stranger sends cannot use up what the
    message with the game needs; and those whose header names a wanted game come before the rest.
    """

    def __init__(self, sheets: Sequence[GivenFile], wanted: frozenset[str], work: Work) -> None:
        self._work, self.games = work, _Games(wanted)
        self._names = [name.encode("ascii") for name in wanted]
        self._waiting: list[_Item] = []
        self._left_out: list[Miss] = []
        self._unread: dict[str, int] = {}
        self._more = 0
        for sheet in sheets:
            box = mailbox.mailbox(sheet.raw)
            if box is None:
                inside = sheet.folder or sheet.name
                self._waiting.append(_Item(inside, sheet.name, sheet.number, sheet.raw))
                continue
            if box.left_out:
                left = missed(sheet.name, _too_many(box.left_out))
                self._left_out.append(replace(left, is_strange=True))
            count = len(box.messages)
            self._waiting += [
                _Item(sheet.name, _message_in(sheet.name, number, count), number, raw,
                      is_message=True)
                for number, raw in zip(range(count, 0, -1), reversed(box.messages), strict=True)
            ]  # fmt: skip
        self._short = {name[:_SHORT]: name for name in self._names}
        self._waiting.sort(key=lambda item: not self._named_in_header(item.raw))
        self._sheets = sheets
        self._items: list[_Item] = []

    def search(self) -> None:
        """Searches everything, as far as the budget goes."""
        waiting = self._waiting
        for share in SHARES:
            waiting = self._round(waiting, share)
        for item in waiting:
            self._unread[item.inside] = self._unread.get(item.inside, 0) + 1

    def misses(self) -> list[Miss]:
        """What was damaged, and before that what was not read at all.

        In a mailbox only what is newer than the newest find counts, and if games are wanted, the
        newest of a game that it names: its sender has that game. What names none is strange.
        """
        newest: dict[tuple[str, str], int] = {}
        for item in self._items:
            for name in item.has_found:
                at = item.inside, name
                newest[at] = max(newest.get(at, 0), item.number)
        counted: list[Miss] = []
        others: list[Miss] = []
        in_mailboxes = ""
        order = {name: at for at, sheet in enumerate(self._sheets)
                 for name in (sheet.folder, sheet.name)}  # fmt: skip
        for item in sorted(self._items, key=lambda item: (order[item.inside], -item.number)):
            names = item.names or {_ANY}
            if item.number and all(item.number < newest.get((item.inside, name), 0)
                                   for name in names):  # fmt: skip
                continue
            if item.number and self._names and not item.names:
                others += [replace(miss, is_strange=True) for miss in item.misses]
                in_mailboxes = item.inside
            else:
                counted += item.misses
        full = self.games.full
        told = [miss for miss in counted if not miss.is_aside and miss.refused is not full]
        known = {id(miss.refused) for miss in told}
        told += [miss for miss in self.games.forged if id(miss.refused) not in known]
        aside = [miss for miss in counted if miss.is_aside]
        strange = [miss for miss in others if not miss.is_aside]
        if len(strange) > MAX_FEW:
            what = say(
                "{more} parts of it are damaged, and none of them names the game", more=len(strange)
            )
            strange = [Miss(in_mailboxes, FileRefused("E-TRANSPORT", what), is_strange=True)]
        told = few(told, ", ".join(sheet.name for sheet in self._sheets[:MAX_FEW]))
        unread = [missed(name, _unread(count)) for name, count in self._unread.items()]
        if full is not None:  # what was left out may be the newest, wherever it was
            unread.append(missed(", ".join(sheet.name for sheet in self._sheets[:MAX_FEW]), full))
        return [*unread, *self._left_out, *told, *strange, *aside[:MAX_MISSES]]

    def _named_in_header(self, raw: bytes) -> set[bytes]:
        head = raw[:_FIELDS]
        return {name for short, name in self._short.items() if short in head}

    def _round(self, waiting: Sequence[_Item], share: int) -> list[_Item]:
        """Looks through messages with so much work for a byte; returns those that need more."""
        long: list[_Item] = []
        for at, item in enumerate(waiting):
            if not self._work.left:
                return [*long, *waiting[at:]]
            most = min(max(share * len(item.raw), A_LITTLE), A_MESSAGE)
            if share == SHARES[-1] or len(waiting) == 1:
                most = self._work.left
            if not self._looked_at(item, self._work.share(most)):
                long.append(item)
        return long

    def _looked_at(self, item: _Item, share: Work) -> bool:
        """Looks through a message; returns whether its share was enough, or there is no more."""
        layers = _Layers(self.games, share)
        self.games.head = sender.lines_of(item.raw)
        self.games.mail += 1
        if item.is_message:
            results = list(layers.message_in_mailbox(item.where, item.raw))
        else:
            results = list(layers.in_bytes(item.where, item.raw))
        finds = [each for each in results if isinstance(each, Find)]
        if share.is_spent and self._work.left and not any(find.block is None for find in finds):
            return False
        item.misses = [each for each in results if isinstance(each, Miss)][: 2 * MAX_MISSES]
        item.has_found = {_ANY} if finds else set()
        if self._names:
            item.has_found |= {name for find in finds for name in _digits_named(find)}
        if item.misses and item.number and self._names:
            named = layers.named(self._names, item.raw) | self._named_in_header(item.raw)
            item.names = {_as_digits(name.decode("ascii")) for name in named}
        item.raw = b""
        self._items.append(item)
        return True


class _Item:
    """A file, or a message of a mailbox, and what looking through it has given."""

    def __init__(
        self, inside: str, where: Said, number: int, raw: bytes, *, is_message: bool = False
    ) -> None:
        self.inside, self.where, self.number, self.raw = inside, where, number, raw
        self.is_message = is_message
        self.misses: list[Miss] = []
        self.names: set[str] = set()
        """The wanted games that something in it names, by their digits."""
        self.has_found: set[str] = set()
        """The games that were found in it, by their digits; with _ANY, if there are any."""


_ANY = ""


def _digits_named(find: Find) -> set[str]:
    """A game as the messages name it of which a part was found."""
    if find.block is not None:
        return {find.block.game}
    return {digits_of(find.entries), _as_digits(find.entries[0].id)}


def _as_digits(name: str) -> str:
    """One of `names_of` as digits."""
    return name if len(name) == _DIGITS else game_fingerprint(name).replace(" ", "")


def _message_in(name: str, number: int, count: int) -> str:
    return f"{name}, message {number} of {count}"


def _too_many(left_out: int) -> FileRefused:
    return FileRefused(
        "E-LIMIT",
        say_many(
            "left_out",
            "{left_out} message before its newest {max_messages} was left unread",
            "{left_out} messages before its newest {max_messages} were left unread",
            left_out=left_out, max_messages=mailbox.MAX_MESSAGES,
        ),
        hint=say("save the message itself, and use that"),
    )  # fmt: skip


def _unread(count: int) -> FileRefused:
    return FileRefused(
        "E-LIMIT",
        say_many(
            "unread",
            "{unread} message was left unread, for there is too much to search",
            "{unread} messages were left unread, for there is too much to search",
            unread=count,
        ),
        hint=say("save the message itself, and use that"),
    )


# --- the layers -----------------------------------------------------------------------------------

Results = Iterator[Find | Miss]


class _Layers:
    """Takes bytes apart, layer by layer, within a budget of work."""

    def __init__(self, games: _Games, work: Work) -> None:
        self._games, self._work = games, work
        self._texts: list[bytes] = []

    def named(self, names: Sequence[bytes], raw: bytes) -> set[bytes]:
        """Which games the texts name that were looked at."""
        return {name for name in names if any(name in text for text in (raw, *self._texts))}

    def message_in_mailbox(self, where: Said, raw: bytes) -> Results:
        """What is in a message of a mailbox, which is told with its subject and date."""
        yield from _first_that_finds(
            where,
            lambda: self._message(where, raw, MAX_DEPTH, is_named=True),
            lambda: self._in_text(where, raw, "utf-8", MAX_DEPTH, is_message=True),
        )

    def in_bytes(
        self, where: Said, raw: bytes, charset: str = "utf-8", depth: int = MAX_DEPTH,
        kind: str = "",
    ) -> Results:  # fmt: skip
        """What is in bytes, whatever they are."""
        if depth < 0:
            told = say("what is in it nests deeper than {max_depth}", max_depth=MAX_DEPTH)
            yield missed(where, FileRefused("E-LIMIT", told))
            return
        ways: list[Callable[[], Results]] = []
        narrow = repairs.narrowed(raw)
        if narrow is not raw:
            self._work.spend(len(raw))
            raw, charset = narrow, "utf-8"
        if containers.is_packed(raw):
            ways.append(lambda: self._members(where, raw, charset, depth))
        else:
            ways += self._ways_of_plain(where, raw, charset, depth)
        refused = containers.unreadable(raw, kind)
        if refused is not None:
            aside = missed(where, refused, is_aside=True)
            ways.append(lambda: iter((aside,)))
        yield from _first_that_finds(where, *ways)

    def _ways_of_plain(
        self, where: Said, raw: bytes, charset: str, depth: int
    ) -> list[Callable[[], Results]]:
        ways: list[Callable[[], Results]] = []
        if _is_file(raw):
            if not _begins_as_a_game(raw):
                return ways  # most files attached to mails are not ours
            ways.append(lambda: self._in_text(where, raw, charset, depth))
            return ways
        box = mailbox.mailbox(raw)
        inner = mailbox.in_envelope(raw)
        if box is not None:
            ways.append(lambda: self._mailbox(where, box, depth))
        elif mime.is_message(inner):
            ways.append(lambda: self._message(where, inner, depth))
            ways.append(lambda: self._in_text(where, raw, charset, depth, is_message=True))
            return ways
        elif _OF_MIME.search(raw):
            ways.append(lambda: self._body(where, raw, depth))
        ways.append(lambda: self._in_text(where, raw, charset, depth))
        return ways

    def _members(self, where: Said, raw: bytes, charset: str, depth: int) -> Results:
        """What is in a container."""
        for member in containers.members(raw, self._work):
            if isinstance(member, FileRefused):
                yield missed(where, member, is_aside=True)
                continue
            inside = where
            if member.name:
                inside = say("{file}, in it {name}", file=where, name=member.name)
            if raw.startswith(containers.GZIP) and _is_file(member.content):
                yield from self._in_text(inside, member.content, charset, depth - 1)
            else:
                yield from self.in_bytes(inside, member.content, charset, depth - 1)

    def _mailbox(self, where: Said, box: mailbox.Mailbox, depth: int) -> Results:
        """What is in the messages of a mailbox that is inside something, the newest first."""
        count = len(box.messages)
        for number in range(count, 0, -1):
            inside = say("{file}, message {number} of {count}", file=where, number=number,
                         count=count)  # fmt: skip
            yield from self._message(inside, box.messages[number - 1], depth - 1)
        if box.left_out:
            yield missed(where, _too_many(box.left_out))

    def _message(self, where: Said, raw: bytes, depth: int, *, is_named: bool = False) -> Results:
        message = mime.read_message(raw, self._work)
        if is_named:
            where = _named(where, message)
        yield from self._parts(where, message.parts, depth)

    def _body(self, where: Said, raw: bytes, depth: int) -> Results:
        """What is in a message that has lost its header."""
        parts = mime.read_body(raw, self._work)
        if parts is not None:
            yield from self._parts(where, parts, depth)

    def _parts(self, where: Said, parts: Iterator[mime.Part], depth: int) -> Results:
        """What is in the leaves of a message; a fault among them ends the search there."""
        try:
            for part in parts:
                self._texts.append(part.content)
                yield from self._part(_place(where, part), part, depth)
        except FileRefused as refused:
            yield missed(where, refused)

    def _part(self, where: Said, part: mime.Part, depth: int) -> Results:
        """What is in a leaf: by its label, without it, and with all of it decoded."""
        if part.is_beside:
            # Behind a line that was to end the parts there may be more of them.
            ways = [
                lambda: self._in_text(where, part.content, part.charset, depth),
                lambda: self._body(where, part.content, depth - 1),
            ]
            yield from _first_that_finds(where, *ways[: 2 if depth > 0 else 1])
            return
        ways = [lambda: self.in_bytes(where, part.content, part.charset, depth - 1, part.kind)]
        if part.coding == "base64" and part.is_cut:
            ways.append(lambda: self._decoded_whole(where, part, depth, for_addresses=False))
        if part.coding == "base64" and (b"_" in part.body or b"-" in part.body):
            ways.append(lambda: self._decoded_whole(where, part, depth, for_addresses=True))
        if part.content != part.body and not codings.looks_like_base64(part.body):
            ways.append(lambda: self.in_bytes(where, part.body, part.charset, depth - 1))
        yield from _first_that_finds(where, *ways)

    def _decoded_whole(
        self, where: Said, part: mime.Part, depth: int, *, for_addresses: bool
    ) -> Results:
        """What is in a leaf if all of it is base64, whatever stands between its letters."""
        whole = codings.from_base64(part.body, for_addresses=for_addresses)
        if len(whole) > len(part.content):
            yield from self.in_bytes(where, whole, part.charset, depth - 1)

    # --- texts

    def _in_text(
        self, where: Said, raw: bytes, charset: str, depth: int, *, is_message: bool = False
    ) -> Results:
        """Each game file, sound or damaged, each armour, and what is coded or quoted in a text.

        `is_message`: the text is a whole message, which was read as one.
        """
        letters = _letters(raw)
        has_game = may_be_a_game(letters) or (_is_file(raw) and b"pbem-game" in raw)
        has_block = b"PBEM" in letters or (
            len(raw) > _A_LITTLE_TEXT and _NAMES_US.search(letters) is not None
        )
        has_block = has_block and not _is_file(raw)
        if len(raw) > MAX_TEXT and not _is_file(raw):
            if has_game or has_block:
                yield missed(where, FileRefused(
                    "E-LIMIT", say("the text is too long"),
                    hint=say("save only the attachment, and use that"),
                ))  # fmt: skip
            return
        self._work.spend(len(raw))
        plain, already = raw, tuple[str, ...]()
        if letters is raw:
            if b"\0" in raw:
                plain, already = raw.translate(None, b"\0"), (STRAY_ZEROS,)  # no text has one
            plain = _LONE_RETURN.sub(b"\n", plain) if b"\r" in raw else plain
        if has_block:
            yield from _caught(where, self._blocks(where, plain, charset, already))
        if has_game:
            yield from _caught(where, self._game_files(where, plain, charset, already))
        if not _is_file(raw):
            yield from self._coded(where, raw, depth, is_message=is_message)

    def _coded(self, where: Said, raw: bytes, depth: int, *, is_message: bool) -> Results:
        """What is in a text in a coding of its own, or is a whole mail quoted in it."""
        if depth <= 0:
            return
        if codings.looks_like_base64(raw):
            content, _ = codings.decoded(raw, "base64")
            yield from self.in_bytes(where, content, depth=depth - 1)
        if b"begin " in raw:
            for name, content in codings.uuencoded(raw):
                inside = say(
                    "{file}, in it {name}", file=where, name=name.decode("utf-8", "replace")
                )
                self._work.spend(A_PART + len(content))
                yield from self.in_bytes(inside, content, depth=depth - 1)
        has_mails = is_message
        if _OF_MIME.search(raw):
            is_quoted = _QUOTED_MIME.search(raw) is not None
            plain = _QUOTED.sub(b"", _LONE_RETURN.sub(b"\n", raw)) if is_quoted else raw
            is_read = is_message and plain == raw
            own = len(raw) - len(raw.lstrip(b"\r\n")) if is_read else -1
            mails = mailbox.messages_within(plain)
            has_mails = has_mails or bool(mails)
            yield from self._mails_within(where, plain, mails, depth, own)
            if _IN_HTML.search(raw):
                yield from self._in_source(where, raw, depth)
        if not has_mails and len(raw) > _A_LITTLE_TEXT:
            for content in codings.base64_within(raw):
                self._work.spend(A_PART + len(content))
                if containers.is_packed(content) or may_be_a_game(content) or b"PBEM" in content:
                    yield from self.in_bytes(where, content, depth=depth - 1)

    def _mails_within(
        self, where: Said, raw: bytes, mails: Sequence[tuple[int, int]], depth: int, own: int = -1
    ) -> Results:
        """What is in the mails in a text, except for the one that begins at `own`."""
        for begin, end in mails:
            if begin != own:
                inside = say("{file}, a mail in it", file=where)
                yield from _caught(inside, self._message(inside, raw[begin:end], depth - 1))

    def _in_source(self, where: Said, raw: bytes, depth: int) -> Results:
        """What is in the mail whose source a page shows."""
        self._work.spend(2 * len(raw))
        text = repairs.from_html(repairs.decoded(_END_BEHIND_END.sub(rb"\1", raw)))
        source = text.replace("\xa0", " ").encode("utf-8", "replace").lstrip()
        if source == raw:
            return
        mails = mailbox.messages_within(source)
        yield from self._mails_within(where, source, mails, depth)
        if not mails:
            yield from _first_that_finds(
                where,
                lambda: self._body(where, source, depth - 1),
                lambda: self._coded(where, source, depth - 1, is_message=False),
            )

    def _blocks(self, where: Said, raw: bytes, charset: str, already: tuple[str, ...]) -> Results:
        """Each armour in a text, in which this was repaired already."""
        for block in armour.decode_each(repairs.decoded(raw, charset), self._work, MAX_PIECES):
            if isinstance(block, FileRefused):
                yield missed(where, block)
            else:
                yield self._games.add_block(Find(where, (*already, *block.repairs), block=block))

    def _game_files(
        self, where: Said, raw: bytes, charset: str, already: tuple[str, ...]
    ) -> Results:
        """Each game file in a text, in which this was repaired already: where one begins, the one
        before ends.
        """
        begins = [begin.start() for begin in _GAME_BEGINS.finditer(raw)]
        if len(begins) < 2:
            yield from self._game_file(where, raw, charset, already)
            return
        if len(begins) > MAX_PIECES:
            told = say("it has more game files than are read of one text ({most})", most=MAX_PIECES)
            yield missed(where, FileRefused("E-LIMIT", told))
            begins = begins[: MAX_PIECES + 1]
        ends = [*begins[1:], len(raw)]
        for begin, end in zip([0, *begins[1:]][:MAX_PIECES], ends, strict=False):
            yield from _caught(where, self._game_file(where, raw[begin:end], charset, already))

    def _game_file(
        self, where: Said, raw: bytes, charset: str, already: tuple[str, ...]
    ) -> Results:
        plain = raw.replace(b"\r\n", b"\n") if b"\r\n" in raw[:_A_HEAD] else raw
        known = self._games.known(where, plain, self._work)
        if known is not None:
            yield known
            return
        found = salvage(raw, charset, self._work)
        laid = _laid_out(found.entries, self._work)
        size = len(laid) - len(format.TAIL)
        told = (*already, *found.repairs)
        find = Find(where, told, laid, size, found.entries, were_read=True)
        yield self._games.add_game(find, self._work)


def _first_that_finds(where: Said, *ways: Callable[[], Results]) -> Results:
    """The results of the first way of reading that finds anything; else the misses of one."""
    told: list[Find | Miss] = []
    for way in ways:
        results = list(_caught(where, way()))
        if any(isinstance(each, Find) for each in results):
            yield from results
            return
        if not told or all(isinstance(miss, Miss) and miss.is_aside for miss in told):
            told = [*results, *told]
    yield from told


def _caught(where: Said, results: Results) -> Results:
    """The results, and the refusal that ended them as a miss."""
    try:
        yield from results
    except FileRefused as refused:
        yield missed(where, refused)


def _named(where: Said, message: mime.MailMessage) -> Said:
    told = "; ".join(filter(None, (message.subject, message.date)))
    return f"{where} ({told})" if told else where


def _place(name: Said, part: mime.Part) -> Message:
    if part.name:
        return say("{file}, attachment {name}", file=name, name=part.name)
    if part.kind == "text/html":
        return say("{file}, the HTML text", file=name)
    return say("{file}, the text", file=name)


# --- what bytes look like -------------------------------------------------------------------------


def _is_file(raw: bytes) -> bool:
    """Whether this begins as a game file may."""
    return raw[:100].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _begins_as_a_game(raw: bytes) -> bool:
    """Whether it continues as a game file too."""
    return b"entries" in raw[:_A_HEAD] or b"pbem" in raw[:_A_HEAD] or may_be_a_game(raw)


def _letters(raw: bytes) -> bytes:
    """The text with one byte a letter, as far as it is ASCII."""
    return raw.translate(None, b"\0") if b"\0" in raw[:4] else raw
