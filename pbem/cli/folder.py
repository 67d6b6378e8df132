"""The games of a folder: which files belong to one game, and which of them goes furthest."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from pbem.cli import files, kinds, replay_cache, report, settings
from pbem.cli.keyfiles import shown_public
from pbem.cli.request import Request
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.gamefile.chain import Entry, check_all_intact
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import TAIL, check_begins, first_id, inflated, read
from pbem.gamefile.rotation import is_taken, no_seat
from pbem.gamefile.signers import check_end_signed
from pbem.messages import Said, say
from pbem.platforms import quote
from pbem.play.snapshot import reach, read_game
from pbem.play.systems import DataRefused
from pbem.problems import Problem, Refused, Span, reason
from pbem.value import field, replace, value

if TYPE_CHECKING:
    from pbem.gamefile.fold import Fold

MOST_KEPT = 64 << 20
"""Bytes of files that are kept while a folder is looked at; more of them are read again."""
MOST_UNUSABLE = 32
"""How often the newest file of a game is left out because the rules refuse it."""
MOST_CROSSED = 16
"""How many files of a game that diverge from its newest are compared by the rules of crossing."""
ON_WORD = (b'"opponent"', b"\\u")
"""What a file contains, one or the other, in which a player has named a key for the other one."""
MOST_FILES = 5000
"""The number of files of a folder that are examined."""
Verified = Mapping[str, tuple[Entry, ...]]
"""The files of a folder that this very command has verified, by name, with their entries."""
NONE_YET: Verified = {}
SAME, OLDER, NEWER, FORKED, CROSSED = "same", "older", "newer", "forked", "crossed"
"""The relation of a file to another one of its game."""


@value
class FolderGame:
    """The files of one game in a folder: the longest, and the others by their relation to it.

    `first` is the id of the proposal, `others` the names of files by SAME, OLDER, FORKED and
    CROSSED: those that hold only notes where the entry that counts crossed them.
    """

    first: str
    newest: str
    entries: int
    others: Mapping[str, tuple[str, ...]]


@value
class Listing:
    """The contents of a folder: games, unknown files, and files that cannot be read.

    `left_out` has the faults of files that their game does not need.
    """

    games: tuple[FolderGame, ...]
    strangers: tuple[str, ...]
    unread: tuple[Problem, ...]
    left_out: tuple[Problem, ...] = ()


def only_game(key: files.StrPath | None = None) -> str:
    """The newest file of the only game in this folder; reports what is ignored. `key` is the
    reader's, if it is not the folder's.

    Raises Refused if there is none or more than one, or if its files diverge. If there is a
    game, files that cannot be read are only named and left out: a player who has signed further
    than the newest that is left is warned by their record.
    """
    found = usable(os.curdir, key=key)
    if found.unread and not found.games:
        hint = say("it is not clear which game you mean: name the GAME, or move this file away")
        raise Refused(*(replace(one, code="no-game", hint=hint) for one in found.unread))
    unread = (
        replace(one, message=say("left out: {what}", what=one.message)) for one in found.unread
    )
    report.problems((*found.left_out, *unread), as_json=report.is_for_programs())
    if not found.games:
        raise no_game()
    if len(found.games) > 1:
        newest = (quote(each.newest) for each in found.games)
        raise _which(
            say("there are {number} games in this folder: name the GAME", number=len(found.games)),
            say("one of {newest}; pbem status . lists them", newest=", ".join(newest)),
        )
    (game,) = found.games
    if game.others[FORKED]:
        names = ", ".join(map(quote, (game.newest, *game.others[FORKED])))
        raise _which(
            say("this folder has diverging versions of one game: name the GAME"),
            say(
                "one of {names}; pbem turn with the mail that came says which one counts",
                names=names,
            ),
        )
    return game.newest


def further_than(path: files.StrPath, entries: Sequence[Entry], key: str) -> tuple[Said, ...]:
    """Names the file beside this one that continues its game: nobody goes on from an old one.

    `entries` are those of this one, which was verified just now, and may not be written yet; `key`
    is how the suggested command names the reader's key.
    """
    beside = os.path.dirname(path)
    try:
        found = usable(beside or os.curdir, {os.path.basename(path): tuple(entries)})
    except Refused:
        return ()
    for game in found.games:
        is_of_it = not os.path.lexists(path) and game.first == entries[0].id
        is_older = is_of_it and game.entries > len(entries)
        if is_older or os.path.basename(path) in game.others[OLDER]:
            newest = os.path.join(beside, game.newest)
            return (
                say(
                    "{file} goes further, to entry {entry}; go on with: {command}",
                    file=newest, entry=game.entries - 1,
                    command=f"pbem turn {quote(newest)}{key}",
                ),
            )  # fmt: skip
    return ()


def no_game(where: files.StrPath = "") -> Refused:
    """That there is no game in a folder: in this one, or in the one that was named."""
    span = Span(str(where), 0, 0) if where else None
    return Refused(
        Problem(
            "no-game", say("there is no game in this folder"), span,
            hint=say("name the GAME, or go to its folder; pbem new proposes one"),
        )
    )  # fmt: skip


def _which(message: Said, hint: Said) -> Refused:
    return Refused(Problem("no-game", message, hint=hint))


def usable(
    folder: files.StrPath, verified: Verified = NONE_YET, key: files.StrPath | None = None
) -> Listing:
    """The listing in which the newest file of a game that has others verifies by the rules, too.

    What its opponent signed and no rule allows must not stand in the way of a player's own files.
    MOST_UNUSABLE of them are looked at; with more, the newest is what was found last. Nor is a file
    the newest that holds only what crossed an entry that counts, or in which the other player has
    named another key for the owner of `key`, by default the folder's (W8).
    """
    own = key or settings.here().key
    without: dict[str, Problem] = {}
    crossed: dict[str, str] = {}
    found = listing(folder, verified=verified)
    for _ in range(MOST_UNUSABLE + MOST_CROSSED):
        faults = {
            game.newest: fault
            for game in found.games
            if game.newest not in verified
            and any(game.others.values())
            and (
                (
                    len(without) < MOST_UNUSABLE
                    and (fault := _fault(_path(folder, game.newest), game))
                )
                or (fault := _taken(_path(folder, game.newest), own))
            )
        }
        lost = {
            name: game.first
            for game in found.games
            if game.newest not in faults and game.others[FORKED]
            for name in _crossed(folder, game)
        }
        if not faults and not lost:
            break
        without.update(faults)
        crossed.update(lost)
        found = listing(folder, frozenset((*without, *crossed)), verified)
    games = tuple(
        replace(game, others={**game.others, CROSSED: tuple(
            sorted(name for name, first in crossed.items() if first == game.first)
        )})
        for game in found.games
    )  # fmt: skip
    return replace(found, games=games, left_out=(*found.left_out, *without.values()))


def _taken(path: str, own: files.StrPath | None) -> Problem | None:
    """Why a file is not one to go on from, if another key has the seat of the reader's in it (W8).

    Only a file with a key that was named for another player is examined for that.
    """
    if own is None or not _contains(path, ON_WORD) or (fold := _fold(path)) is None:
        return None
    public = shown_public(own) if os.path.lexists(own) else None
    if public is None or not is_taken(fold.machine, public):
        return None
    fault = no_seat(fold.machine, public).problems[0]
    return replace(
        fault.placed_at(path), message=say("left out: {what}", what=fault.message),
        hint=say("if you asked for the new key, name it with --key"),
    )  # fmt: skip


def _contains(path: str, words: Collection[bytes]) -> bool:
    raw = _content(path)
    return any(word in raw for word in words)


def _crossed(folder: files.StrPath, game: FolderGame) -> list[str]:
    """The files of a game that lose to another one: the newest, or some that diverge from it."""
    from pbem.gamefile.witness import loses

    newest = _fold(_path(folder, game.newest))
    if newest is None:
        return []
    lost: list[str] = []
    for name in game.others[FORKED][:MOST_CROSSED]:
        fold = _fold(_path(folder, name))
        if fold is None:
            continue
        if loses(newest, fold):
            return [game.newest]
        if loses(fold, newest):
            lost.append(name)
    return lost


def _fold(path: str) -> Fold | None:
    """The entries of a file and where they lead, if it verifies."""
    try:
        raw = _content(path)
        kept = replay_cache.load(raw)
        game = read_game(raw, kept, Request().library)
    except Refused:
        return None
    replay_cache.keep_read(raw, game, kept)
    return game.fold


def goes_to(entries: Sequence[Entry]) -> str | None:
    """The file of this folder that goes furthest in a story, and not beyond it."""
    try:
        found = listing(os.curdir)
    except Refused:
        return None
    best: tuple[int, str] | None = None
    ids = [entry.id for entry in entries]
    for game in found.games:
        if game.first != entries[0].id:
            continue
        for name in (game.newest, *(name for each in game.others.values() for name in each)):
            try:
                there = read(_content(name))
            except Refused:
                continue
            if [entry.id for entry in there] == ids[: len(there)]:
                best = max(best or (0, ""), (len(there), name))
    return best[1] if best else None


def _fault(path: str, game: FolderGame) -> Problem | None:
    """Why a file does not verify by the rules, if it does not. One that needs other data may."""
    raw = _content(path)
    kept = replay_cache.load(raw)
    if kept is not None and reach(kept) >= game.entries:
        return None
    try:
        whole = read_game(raw, kept, Request().library)
    except DataRefused:
        return None
    except Refused as refused:
        fault = refused.problems[0]
        return replace(fault.placed_at(path), message=say("left out: {what}", what=fault.message))
    replay_cache.keep_read(raw, whole, kept)
    return None


def listing(
    folder: files.StrPath, without: Collection[str] = (), verified: Verified = NONE_YET
) -> Listing:
    """Everything in a folder, but not below it, in the order of the names; `without` are names
    that are passed over. Raises Refused.
    """
    piles: dict[str, list[_Content]] = {}
    room = MOST_KEPT
    strangers: list[str] = []
    unread: list[Problem] = []
    left_out: list[Problem] = []
    for name in _names(folder):
        path = _path(folder, name)
        if name in without:
            continue
        head = files.beginning(path, kinds.MOST_LOOKED_AT)
        kind = kinds.kind_of(head, name)[0]
        if kind != kinds.GAME:
            is_known = kind or name == SETTINGS_FILE or kinds.is_shown(head)
            strangers += [] if is_known else [name]
            continue
        try:
            raw = _content(path)
            first = _first(raw)
        except Refused as refused:
            unread += (each.placed_at(path) for each in refused.problems)
        else:
            room -= len(raw)
            piles.setdefault(first, []).append(
                _Content(name, path, len(raw), raw if room > 0 else None, verified.get(name))
            )
    games = []
    for first, pile in piles.items():
        pile.sort(key=lambda each: (-each.size, each.name))
        games += _ordered(first, pile, unread, left_out)
    games.sort(key=lambda each: each.newest)
    return Listing(tuple(games), tuple(strangers), tuple(unread), tuple(left_out))


def _names(folder: files.StrPath) -> list[str]:
    """The files of a folder, sorted, without hidden files and subfolders."""
    try:
        with os.scandir(folder) as inside:
            names = sorted(each.name for each in inside if each.name[:1] != "." and _is_file(each))
    except OSError as error:
        where = Span(str(folder), 0, 0)
        raise Refused(
            Problem(
                "no-folder", say("the folder cannot be read: {reason}", reason=reason(error)), where
            )
        ) from None
    if len(names) > MOST_FILES:
        where, hint = Span(str(folder), 0, 0), say("name the GAME, or move old files away")
        raise Refused(
            Problem(
                "E-LIMIT",
                say("there are more than {most_files} files", most_files=format(MOST_FILES, ",")),
                where,
                hint=hint,
            )
        )
    return names


def _is_file(each: os.DirEntry[str]) -> bool:
    """Whether it is a file; a link that leads round in a circle is none."""
    try:
        return each.is_file()
    except OSError:
        return False


def _content(path: str) -> bytes:
    return inflated(files.read_bytes(path, files.GAME_LIMIT, say("the game file")))


def _first(raw: bytes) -> str:
    """The id of the first entry, which all files of a game share.

    Raises FileRefused, also for a damaged first entry, or one that begins no game.
    """
    known = first_id(raw)
    if known is None:
        first = read(raw)[0]
        check_begins(first)
        known = first.id
    return known


@value
class _Content:
    """A game file of a folder: its content is kept while there is room, or else read again."""

    name: str
    path: str
    size: int
    kept: bytes | None = field(repr=False)
    verified: tuple[Entry, ...] | None = None

    @cached_property
    def raw(self) -> bytes:
        """The content. Raises Refused."""
        return _content(self.path) if self.kept is None else self.kept

    @cached_property
    def entries(self) -> tuple[Entry, ...]:
        """The entries, read once, however many files are compared with this one. Raises Refused."""
        return tuple(read(self.raw)) if self.verified is None else self.verified


def _ordered(
    first: str, pile: Sequence[_Content], unread: list[Problem], left_out: list[Problem]
) -> list[FolderGame]:
    """The files of one game, longest first. Faulty files go to the lists."""
    newest: _Content | None = None
    others: dict[str, str] = {}
    for each in pile:
        try:
            sort = _relation(each, newest) if newest else NEWER
            is_changed = sort == SAME and newest is not None and each.raw != newest.raw
            entries = each.entries if is_changed or sort in (NEWER, FORKED) else ()
        except Refused as refused:
            unread += (problem.placed_at(each.path) for problem in refused.problems)
            continue
        if len(pile) > 1 and each.verified is None and (faults := _faults(entries)):
            left_out += (problem.placed_at(each.path) for problem in faults)
        elif sort == NEWER or (sort == SAME and newest is not None and each.size < newest.size):
            # the first, or one with a tighter layout
            others.update({newest.name: OLDER if sort == NEWER else SAME} if newest else {})
            newest = each
        else:
            others[each.name] = sort
    if newest is None:
        return []
    sorts = {
        sort: tuple(sorted(name for name, found in others.items() if found == sort))
        for sort in (SAME, OLDER, FORKED, CROSSED)
    }
    return [FolderGame(first, newest.name, len(newest.entries), sorts)]


def _faults(entries: Sequence[Entry]) -> tuple[Problem, ...]:
    """The fault of the first entry that does not fit its own sum, or that nobody has signed.

    Anyone can append entries to a game: such a file must not count as its newest.
    """
    try:
        check_all_intact(entries)
        check_end_signed(entries)
    except FileRefused as refused:
        return tuple(
            replace(each, message=say("left out: {what}", what=each.message))
            for each in refused.problems
        )
    return ()


def _path(folder: files.StrPath, name: str) -> str:
    return os.path.normpath(os.path.join(folder, name))


def _relation(theirs: _Content, ours: _Content) -> str:
    """The relation of one file of a game to another: SAME, OLDER, NEWER or FORKED.

    Files written here are compared byte for byte, others by the ids of their entries, which are not
    checked here. Raises Refused.
    """
    if theirs.raw == ours.raw:
        return SAME
    tail = len(theirs.raw) - len(TAIL)
    if theirs.raw.endswith(TAIL) and ours.raw.startswith(theirs.raw[:tail] + b","):
        return OLDER
    one, two = ([entry.id for entry in each.entries] for each in (theirs, ours))
    if one == two:
        return SAME
    if one == two[: len(one)]:
        return OLDER
    return NEWER if two == one[: len(two)] else FORKED
