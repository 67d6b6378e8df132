"""The game out of whatever came by mail: a message, a mailbox, a paste, a damaged file.

Whatever is found is verified before it counts. Where several things are found that contradict each
other nothing is chosen: the player says which one he means.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Any

from pbem.gamefile import armour, format, mime, repairs, witness
from pbem.gamefile.armour import Block
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.salvage import may_be_a_game, salvage
from pbem.play.game import Game
from pbem.problems import Problem, Span
from pbem.value import value

MAX_TEXTS = 8
"""In how many texts of one message a damaged game is looked for."""
MAX_TEXT = 4 << 20
MAX_MISSES = 20
_GZIP = b"\x1f\x8b"
_FIRST_ID = re.compile(rb'\s*\{\s*"id": "([0-9a-f]{64})"')
Verify = Callable[[bytes], Game]


@value
class Sheet:
    """A file as it was given: its name, and what is in it."""

    name: str
    raw: bytes


@value
class Find:
    """Something that holds entries: where it stands, what they are, what was repaired.

    `content` is a whole game file, and `entries` are all of it; or `block` is an armour.
    """

    where: str
    repairs: tuple[str, ...]
    content: bytes = b""
    entries: tuple[Entry, ...] = ()
    block: Block | None = None


@value
class Miss:
    """Something that seemed to hold entries, and why it does not serve."""

    where: str
    refused: FileRefused


@value
class Taken:
    """The verified game, and what there is to say about how it was come by."""

    game: Game
    report: tuple[str, ...]


def take_in(sheets: Sequence[Sheet], verify: Verify, base: tuple[str, Game] | None = None) -> Taken:
    """The one game that the sheets hold; `base` is a game file that was named apart, and its name.

    An armour continues a game that is among the sheets, or the base. Raises FileRefused when
    nothing verifies or when things contradict each other, and whatever `verify` raises.
    """
    finds, misses = _all_finds(sheets, base)
    games, unverified = _verified(finds, verify)
    misses = [*unverified, *misses]
    blocks = _different([find for find in finds if find.block])
    if not games and not blocks:
        raise _nothing(sheets, misses)
    named = [*games, *([(Find(base[0], ()), base[1])] if base else [])]
    if games:
        if base:
            games, others = _of_game(games, base[1])
            misses += others
        found, game = _longest(games)
        if base:
            _held_against(base[1], game, found.where)
    report: list[str] = []
    if games:
        report = [f"found: {found.where}", *_repaired(found)]
    for find in blocks:
        game, told = _continued(find, named, verify)
        named = [(find, game), *named]
        report += told
    return Taken(game, (*report, *(_not_used(miss) for miss in misses)))


# --- looking through what was given ---------------------------------------------------------------


def _all_finds(
    sheets: Sequence[Sheet], base: tuple[str, Game] | None
) -> tuple[list[Find], list[Miss]]:
    """What all sheets hold; mailboxes come last, because the others say which game is meant."""
    finds: list[Find] = []
    misses: list[Miss] = []
    for sheet in sorted(sheets, key=lambda sheet: mime.is_mailbox(sheet.raw)):
        wanted = {_game_of(find) for find in finds if find.entries}
        if base:
            wanted.add(base[1].fold.entries[0].id)
        digits = {_digits_of(find.entries) for find in finds if find.entries}
        if base:
            digits.add(_digits_of(base[1].fold.entries))
        found, missed = _looked_through(sheet, frozenset(wanted | digits))
        finds += found
        misses += missed
    return finds, misses


def _looked_through(sheet: Sheet, wanted: frozenset[str]) -> tuple[list[Find], list[Miss]]:
    try:
        if mime.is_mailbox(sheet.raw):
            return _in_mailbox(sheet, wanted)
        return _in_sheet(sheet.name, sheet.raw)
    except FileRefused as refused:
        return [], [_miss(sheet.name, refused)]


def _in_sheet(name: str, raw: bytes) -> tuple[list[Find], list[Miss]]:
    """What one file holds that is no mailbox: a game file, a message, or a text."""
    if not _is_file(raw) and mime.is_message(raw):
        found, missed = _in_message(name, mime.read_message(raw))
        if found or missed:
            return found, missed
    return _sorted(_in_content(name, raw, "utf-8", is_text=True))


def _in_mailbox(sheet: Sheet, wanted: frozenset[str]) -> tuple[list[Find], list[Miss]]:
    """What the newest message holds that holds the game; if it is an armour alone, also the newest
    whole game.

    `wanted` names games by first entry or digits; empty, if any will do and there is but one.
    """
    misses: list[Miss] = []
    newest: list[Find] = []
    games: dict[str, str] = {}
    messages = mime.in_mailbox(sheet.raw)
    for number in range(len(messages), 0, -1):
        where = f"{sheet.name}, message {number} of {len(messages)}"
        try:
            message = mime.read_message(messages[number - 1])
        except FileRefused as refused:
            misses.append(_miss(where, refused))
            continue
        told = "; ".join(filter(None, (message.subject, message.date)))
        where = f"{where} ({told})" if told else where
        if any(find.entries for find in newest):
            games = {**dict.fromkeys(_begun_in(message), where), **games}
            continue
        found, missed = _in_message(where, message)
        found = [find for find in found if not wanted or _game_of(find) in wanted]
        games = {**{_game_of(find): where for find in found if find.entries}, **games}
        if newest:
            found = [find for find in found if find.entries]
        else:
            misses += missed
        newest += found
        if len(misses) > MAX_MISSES:
            break
    others = [f"{where} (the game that began with {first[:8]})" for first, where in games.items()]
    if len(games) > 1 and not wanted:
        raise _which_one(others)
    return newest, misses


def _begun_in(message: mime.Message) -> Iterator[str]:
    """The first entries of the game files a message has, read from their beginnings alone."""
    for part in message.parts:
        head = part.content[: 4 * len(format.HEAD) + 400]
        if head.startswith(_GZIP):
            with suppress(zlib.error):
                head = zlib.decompressobj(31).decompress(part.content[:1000], len(head))
        found = _FIRST_ID.match(head, len(format.HEAD)) if head.startswith(format.HEAD) else None
        if found:
            yield found[1].decode()


def _game_of(find: Find) -> str:
    """What tells a game from others: its first entry, or the digits that an armour names."""
    return find.entries[0].id if find.entries else find.block.game if find.block else ""


def _digits_of(entries: Sequence[Entry]) -> str:
    return armour.game_digits(entries[min(1, len(entries) - 1)])


def _in_message(name: str, message: mime.Message) -> tuple[list[Find], list[Miss]]:
    texts = [part.content for part in message.parts if not _is_file(part.content)]
    if sum(len(text) for text in texts if may_be_a_game(text)) > MAX_TEXT:
        return [], [Miss(name, FileRefused("E-LIMIT", "the texts of the message are too long",
                         hint="save the attachment alone, and give that"))]  # fmt: skip
    return _sorted(
        each
        for part in message.parts[: mime.MAX_PARTS]
        for each in _in_part(name, part, nested=True)
    )


def _in_part(name: str, part: mime.Part, *, nested: bool) -> Iterator[Find | Miss]:
    """What a leaf of a message holds; a message that was attached as a file is opened too."""
    is_text = part.kind.startswith("text/")
    if part.name:
        where = f"{name}, attachment {part.name}"
    else:
        where = f"{name}, {'the HTML text' if part.kind == 'text/html' else 'the text'}"
    if nested and part.name and not _is_file(part.content) and mime.is_message(part.content):
        for inner in mime.read_message(part.content).parts:
            yield from _in_part(where, inner, nested=False)
    if part.kind == "application/ms-tnef":
        yield Miss(where, FileRefused("E-TRANSPORT", "it is packed in Outlook's own way",
                   hint="ask for the mail as plain text, with the file attached"))  # fmt: skip
    elif is_text or _begins_as_a_game(part.content) or (part.name and not _is_file(part.content)):
        yield from _in_content(where, part.content, part.charset, is_text=is_text)


def _is_file(raw: bytes) -> bool:
    """Whether this begins as a game file does, packed or not."""
    return raw.startswith(_GZIP) or raw[:100].lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def _begins_as_a_game(raw: bytes) -> bool:
    """The same, looking a little into what is packed: not every attachment is meant for us."""
    head = raw[:400]
    if raw.startswith(_GZIP):
        with suppress(zlib.error):
            head = zlib.decompressobj(31).decompress(raw[:1000], len(head))
    return head.startswith(_GZIP) or (_is_file(head) and (b"entries" in head or b"pbem" in head))


def _in_content(where: str, raw: bytes, charset: str, *, is_text: bool) -> Iterator[Find | Miss]:
    """A game file, sound or damaged, or an armour, or both."""
    if is_text and len(raw) <= MAX_TEXT and not _is_file(raw) and b"PBEM" in _letters(raw):
        text = repairs.decoded(raw, charset)
        try:
            block = armour.decode(text)
            yield Find(where, block.repairs, block=block)
        except FileRefused as refused:
            yield _miss(where, refused)
    if may_be_a_game(raw) or (_is_file(raw) and b"pbem-game" in raw):
        try:
            found = salvage(raw, format.read, charset)
            yield Find(where, found.repairs, found.content, tuple(found.verified))
        except FileRefused as refused:
            yield _miss(where, refused)


def _letters(raw: bytes) -> bytes:
    """The text with one byte a letter, as far as it is ASCII."""
    return raw.translate(None, b"\0") if b"\0" in raw[:4] else raw


def _sorted(each: Iterator[Find | Miss]) -> tuple[list[Find], list[Miss]]:
    finds: list[Find] = []
    misses: list[Miss] = []
    for one in each:
        if isinstance(one, Find):
            finds.append(one)
        else:
            misses.append(one)
            if one.refused.code == "E-LIMIT":
                break  # what was made to hurt is not looked through to its end
        if len(finds) + len(misses) >= MAX_TEXTS:
            break
    return finds, misses


def _miss(where: str, refused: FileRefused) -> Miss:
    """A refusal to be kept, without the memory of how it came about, which may be large."""
    refused.__traceback__ = refused.__context__ = refused.__cause__ = None
    return Miss(where, refused)


# --- judging what was found -----------------------------------------------------------------------


def _verified(finds: Sequence[Find], verify: Verify) -> tuple[list[tuple[Find, Game]], list[Miss]]:
    """The games that verify, those that are the same taken once."""
    games: list[tuple[Find, Game]] = []
    misses: list[Miss] = []
    seen: set[tuple[str, ...]] = set()
    for find in finds:
        ids = tuple(entry.id for entry in find.entries)
        if not ids or ids in seen:
            continue
        seen.add(ids)
        try:
            games.append((find, verify(find.content)))
        except FileRefused as refused:
            misses.append(_miss(find.where, refused))
    return games, misses


def _of_game(
    games: list[tuple[Find, Game]], base: Game
) -> tuple[list[tuple[Find, Game]], list[Miss]]:
    """Those that are of the same game as the base, if any are; the others are not meant."""
    first = base.fold.entries[0].id
    same = [each for each in games if each[1].fold.entries[0].id == first]
    others = [
        Miss(find.where, FileRefused("E-GAME", "it is another game"))
        for find, game in games if game.fold.entries[0].id != first
    ]  # fmt: skip
    return (same, others) if same else (games, [])


def _longest(games: Sequence[tuple[Find, Game]]) -> tuple[Find, Game]:
    """The game that goes furthest, if the others are beginnings of it."""
    find, game = max(games, key=lambda each: len(each[1].fold.entries))
    entries = [entry.id for entry in game.fold.entries]
    for _, other in games:
        ids = [entry.id for entry in other.fold.entries]
        if entries[: len(ids)] != ids:
            raise _which_one(_described(*each) for each in games)
    return find, game


def _described(find: Find, game: Game) -> str:
    number = game.fold.fingerprint or f"proposal {game.fold.entries[0].id[:8]}"
    return f"{find.where} (game {number}, entry {len(game.fold.entries) - 1})"


def _which_one(named: Iterable[str]) -> FileRefused:
    return FileRefused(
        "E-TRANSPORT",
        f"games that differ were found: {'; '.join(named)}: which one was meant?",
        hint="give the one that you mean; --game FILE says which game is wanted",
    )


def _different(finds: Sequence[Find]) -> list[Find]:
    """The armours, each once, in the order of their entries."""
    found: dict[tuple[str, ...], Find] = {}
    for find in finds:
        assert find.block is not None
        found.setdefault(tuple(entry.id for entry in find.block.entries), find)
    return sorted(found.values(), key=lambda find: find.block.first if find.block else 0)


def _held_against(base: Game, game: Game, where: str) -> None:
    """Refuses what does not go on from the base: older, of another game, or another story."""
    try:
        witness.compare_files(base.fold.entries, game.fold)
    except FileRefused as refused:
        raise _at(where, refused) from None


def _continued(
    find: Find, games: Sequence[tuple[Find, Game]], verify: Verify
) -> tuple[Game, list[str]]:
    """The game that an armour makes of the one it continues, and what there is to say."""
    block = find.block
    assert block is not None
    held = f"found: {find.where}: {_numbers(block.first, block.last)}"
    if block.first == 0:
        return verify(format.write(block.entries)), [held, *_repaired(find)]
    base = next((each for each in games if _joins(each[1], block)), None)
    if base is None:
        raise _no_base(find, block, games)
    entries = base[1].fold.entries
    if entries[block.first : block.last + 1] == block.entries:
        return base[1], [f"{held}, which the game holds already", *_repaired(find)]
    try:
        game = verify(format.write((*entries[: block.first], *block.entries)))
    except FileRefused as refused:
        raise _at(find.where, refused) from None
    _held_against(base[1], game, find.where)
    return game, [f"{held}, joined to {base[0].where}", *_repaired(find)]


def _joins(game: Game, block: Block) -> bool:
    entries = game.fold.entries
    before = block.entries[0].payload.get("prev")
    return len(entries) >= block.first and entries[block.first - 1].id == before


def _no_base(find: Find, block: Block, games: Sequence[tuple[Find, Game]]) -> FileRefused:
    """Why none of the games will do."""
    holds = f"the block holds {_numbers(block.first, block.last)} only"
    if not games:
        return _at(find.where, FileRefused(
            "E-TRANSPORT", f"{holds}, and there is no game file that they continue",
            hint="name your newest file of that game with --game FILE",
        ))  # fmt: skip
    same = [each for each in games if _digits_of(each[1].fold.entries) == block.game]
    if not same:
        return _at(find.where, FileRefused(
            "E-GAME", f"the block belongs to another game than {games[0][0].where}",
            hint=f"it is of the game {_grouped(block.game)}",
        ))  # fmt: skip
    base, game = max(same, key=lambda each: len(each[1].fold.entries))
    have = len(game.fold.entries) - 1
    if have < block.first - 1:
        missing = _numbers(have + 1, block.first - 1)
        what = f"{holds}, and {base.where} ends with entry {have}: not there: {missing}"
    else:
        what = f"{holds}, which do not follow entry {block.first - 1} of {base.where}"
    return _at(find.where, FileRefused("E-CHAIN", what, hint="ask for the whole file"))


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def _numbers(first: int, last: int) -> str:
    return f"entry {first}" if first == last else f"entries {first} to {last}"


def _nothing(sheets: Sequence[Sheet], misses: Sequence[Miss]) -> FileRefused:
    if misses:
        return _at(misses[0].where, misses[0].refused)
    names = ", ".join(sheet.name for sheet in sheets)
    return FileRefused(
        "E-TRANSPORT", f"no game and no block of entries was found in {names}",
        hint="a game is a file named .pbem.json or .pbem.json.gz; a block begins with "
        + armour.BEGIN,
    )  # fmt: skip


def _repaired(find: Find) -> list[str]:
    return [f"repaired: {', '.join(find.repairs)}"] if find.repairs else []


def _not_used(miss: Miss) -> str:
    return f"not used: {miss.where}: {miss.refused.problems[0].message}"


def _at(where: str, refused: FileRefused) -> FileRefused:
    """The refusal with its place."""
    refused.problems = tuple(
        Problem(each.code, each.message, each.span or Span(where, 0, 0), each.rule, each.hint)
        for each in refused.problems
    )
    return refused


def plain(taken: Taken) -> dict[str, Any]:
    """What was found, for machines."""
    fold = taken.game.fold
    return {"game": fold.game, "fingerprint": fold.fingerprint, "entry": len(fold.entries) - 1,
            "report": list(taken.report)}  # fmt: skip
