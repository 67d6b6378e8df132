"""pbem read: extracts the game from what came by mail."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pbem.cli import addresses, files, folder, kinds, opponents, replay_cache, report
from pbem.cli.game_file import keep_data, load_game, name_here
from pbem.cli.languages import language_here
from pbem.cli.options import GAME, takes
from pbem.cli.report import Unverified, about
from pbem.cli.request import KEY, Request
from pbem.cli.seats import check_seat, key_words, own_key, own_seat, player_with
from pbem.cli.seen import (
    against_it,
    check_may_be_newest,
    is_behind,
    remember_read,
    warn_of,
)
from pbem.gamefile.format import entries_alike, inflated, read, write
from pbem.gamefile.in_play import other
from pbem.mail.outgoing import newest
from pbem.messages import say
from pbem.play.fingerprint import in_words, is_to_compare
from pbem.play.next_steps import next_lines, writes_next
from pbem.play.snapshot import read_game
from pbem.play.story import story
from pbem.play.systems import DataRefused
from pbem.play.terms import in_short, terms, to_accept
from pbem.play.terms import plain as plain_terms
from pbem.play.titles import notes, title, which_game
from pbem.problems import Problem, Refused, Span
from pbem.render.formats import rendered
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.gamefile.chain import Entry
    from pbem.gamefile.errors import FileRefused
    from pbem.gamefile.keys import KeyPair
    from pbem.mail.inbox import AllFound, Taken
    from pbem.mail.search import GivenFile
    from pbem.play.game import Game
    from pbem.play.systems import Library

MAILS = click.Path(allow_dash=True, path_type=Path)
"""A file, or a folder of mails."""
PASTED = Path("-")
LETTER_LIMIT = 64 << 20


@click.command("read")
@takes(
    click.argument("given", metavar="FILE...", type=MAILS, nargs=-1, required=True),
    click.option("--game", "base", type=GAME,
                 help="Your file of the game, which a block continues."),
    "data", *KEY, "output", "last", "as_json",
)  # fmt: skip
def command(request: Request, given: tuple[Path, ...], base: Path | None) -> None:
    """Get the game out of an e-mail, a mailbox, pasted text or a damaged file.

    FILE may be a message (.eml, .emlx), a mailbox (mbox), a folder of mails (Maildir, MH), an
    attachment, also in a .zip or a winmail.dat, a saved page, RTF, pasted text (- reads what you
    type), or a game file damaged in the mail. What is known and cannot be read, such as .msg, is
    named with what to do. A pasted block of entries continues a game file: give that too, or name
    it with --game. Nothing is written unless the game verifies. An existing file is replaced only
    if the game continues it.

    Example: pbem read message.eml -o game.pbem.json
    """
    path, game, _ = take(request, given, base)
    if not request.as_json:
        report.tell(*folder.further_than(path, game.fold.entries, key_words(request)))


def take(
    request: Request, given: tuple[Path, ...], base: Path | None, key: KeyPair | None = None,
    found: AllFound | None = None, *, goes_on: bool = False,
) -> tuple[Path, Game, bytes]:  # fmt: skip
    """Does the work of the command; returns the file that was written, the game in it, and what its
    mail says of its sender.

    `key`: the one that the request names, if it is loaded already: a passphrase is asked for once.
    `found`: what was found in the files, if they were searched already. `goes_on`: the caller goes
    on with the game, and refuses an old one whose player is to write. Raises Refused.
    """
    from pbem.mail.inbox import NothingFound, all_in, take_in
    from pbem.mail.search import names_of

    sheets = found.sheets if found is not None else sheets_of(given)
    if found is None and base is None and _has_many(sheets):
        found = all_in(sheets, frozenset().union(*(names_of(each) for _, each in games_here())))
    output = Path(request.output) if request.output is not None else None
    known = (str(base), load_game(base, request)) if base else None
    verify = partial(verified, library=request.library)
    try:
        taken = take_in(sheets, verify, known, _Here(request, output), found=found)
    except DataRefused:
        raise
    except Refused as refused:
        _refuse_other_kinds(sheets)
        if isinstance(refused, NothingFound):  # the wrong file was named
            told = (replace(each, code="no-game") for each in refused.problems)
            raise Refused(*(placed(each, given) for each in told)) from None
        raise Unverified(*(placed(problem, given) for problem in refused.problems)) from None
    return finished(request, taken, given, output, key, goes_on=goes_on)


def sheets_of(given: Sequence[Path]) -> list[GivenFile]:
    """What came: files, and the mails of folders. Raises Refused."""
    from pbem.cli.mail_folders import mails_in

    found: list[GivenFile] = []
    for path in given:
        found += mails_in(path) if os.path.isdir(path) else [sheet_of(path)]
    return found


def sheet_of(path: Path) -> GivenFile:
    """A file that came, for the reader of mails. Raises Refused."""
    from pbem.mail.search import GivenFile

    return GivenFile(str(path), _content(path))


def finished(
    request: Request, taken: Taken, given: tuple[Path, ...], output: Path | None,
    key: KeyPair | None, *, goes_on: bool = False,
) -> tuple[Path, Game, bytes]:  # fmt: skip
    """Writes the game that was taken out of a mail, and tells its news; returns as `take`. A game
    that is older than what its player has seen has none.
    """
    game = taken.game
    keep_data(game.opened, request)
    if key is None:
        player, key = own_seat(game, request)
    else:
        with about(request.key_file or given[0]):
            player = player_with(game, key, request)
    if output is None:
        if player is None:
            check_seat(game, request, given[0])
        with about(given[0]):
            check_may_be_newest(game, player, request, _newest_here)
    with about(given[0]):
        note, against = against_it(game, player, request)
        is_old = against is not None and is_behind(game, against)
        is_refused = is_old and goes_on and writes_next(game, player)
        if against is not None and not is_refused:
            warn_of(against, request, given[0])
        met = opponents.introduced(game, player, None)
    path = output or Path(name_here(game))
    if is_refused and against is not None and not os.path.lexists(path):
        _refuse_before_writing(against, game, player, key, replace(request, game_file=path), given)
    before, is_new = _put(path, game, player)
    remember_read(game, player, request, path)
    written_from = addresses.learnt(game, player, taken.head)
    if request.as_json:
        report.as_json(
            {"file": str(path), "replaced": before, "terms": plain_terms(game), **taken.plain()}
        )
        return path, game, taken.head
    done = say("written: {path}", path=str(path))
    if not is_new:
        done = say("already there: {path}", path=str(path))
    elif before is not None:
        done = say("written: {path}, replacing the one up to entry {entry}", path=str(path),
                   entry=before)  # fmt: skip
    remarks = tuple(
        say("note: {note}", note=line)
        for line in (*met.notes, *([note] if note else []), *written_from)
    )
    if is_old:
        report.tell(*(() if is_refused else (*taken.report, title(game), *remarks, done)))
        return path, game, taken.head
    told = story(game, newest(game)[0].seq if taken.before is None else taken.before)
    report.tell(*taken.report, title(game))
    if game.fold.phase == "proposed":
        report.tell(*terms(game), *to_accept(game, str(path), player))
    elif game.fold.phase == "accepted":
        report.tell(*notes(game), in_short(game))
    elif told.chapters:
        report.tell(*rendered(told, "text", language_here()).rstrip("\n").split("\n")[2:])
    if game.fold.fingerprint:
        report.tell(which_game(game), *(in_words(game) if is_to_compare(game) else ()))
    report.tell(*next_lines(game, player), *remarks, done)
    return path, game, taken.head


def _refuse_before_writing(
    against: FileRefused, game: Game, player: str | None, key: KeyPair | None, request: Request,
    given: tuple[Path, ...],
) -> None:  # fmt: skip
    """Raises the objection to an old game that goes no further, before a file of it is written."""
    from pbem.cli.old_files import refuse_old

    key = key or own_key(game, request)[0]
    refuse_old(against, game, player, request, key=key, mail=given[0])


def _put(path: Path, game: Game, player: str | None) -> tuple[int | None, bool]:
    """Writes the game in our own layout, for a player or for a reader without a key; returns the
    last entry of the game that was replaced, if one was, and whether anything was written.

    An existing file is replaced if the game continues it entry by entry. An entry is known by its
    id: a second signature makes no other one of it. Raises Refused for any other file, and if a
    key of unknown owner has come into the game since.
    """
    entries = game.fold.entries
    content = write(entries)
    there = _beginning_there(path, content, entries) or game_there(path)
    if there is not None and there[0] == content:
        return None, False
    if there is None:
        files.write_new(path, content)
        return None, True
    raw, known = there[0], [entry.id for entry in there[1]]
    own = [entry.id for entry in entries]
    last, ours = len(known) - 1, len(own) - 1
    if known == own:
        files.replace_known(path, raw, content)
        return None, True
    if known == own[: last + 1]:
        _keep_before_a_strange_key(path, game, player, last + 1)
        files.replace_known(path, raw, content)
        return last, True
    if known[: ours + 1] == own:
        what = say(
            "the existing file goes further: to entry {last}; this one goes to entry {ours}",
            last=last,
            ours=ours,
        )
        raise Refused(
            Problem(
                "exists",
                what,
                Span(str(path), 0, 0),
                hint=say("you already have the newer one; to keep both, use another name with -o"),
            )
        )
    files.write_new(path, content)  # which reports the reason
    return None, True


def _keep_before_a_strange_key(path: Path, game: Game, player: str | None, since: int) -> None:
    """Raises Refused if an entry from `since` on names a key for the other player (W8).

    If the key's holder has written with it, they know about it.
    """
    if player is not None:
        return
    for entry in game.fold.entries[since:]:
        if any(step.get("signed_by") == "opponent" for step in entry.steps):
            by, of = (game.called(each) for each in (entry.by, other(entry.by)))
            raise Refused(
                Problem(
                    "exists",
                    say(
                        "the existing file is kept: in entry {seq} of the other one {by} names "
                        "another key for {of}, on their word alone",
                        seq=entry.seq,
                        by=by,
                        of=of,
                    ),
                    Span(str(path), 0, 0),
                    hint=say(
                        "if you have lost nothing, go on from the one you have; if you know of "
                        "that key, say so with --key; to keep both, use another name with -o"
                    ),
                )
            )


def _beginning_there(
    path: Path, content: bytes, entries: Sequence[Entry]
) -> tuple[bytes, tuple[Entry, ...]] | None:
    """The game in an existing file, if its bytes are the beginning of this content, which has these
    entries, or all of it: then they need not be read again.
    """
    if not os.path.exists(path):
        return None
    try:
        raw = files.read_bytes(path, files.GAME_LIMIT, say("the file"))
    except Refused:
        return None
    count = entries_alike(raw, content)
    return (raw, tuple(entries[:count])) if count else None


def game_there(path: Path) -> tuple[bytes, tuple[Entry, ...]] | None:
    """The game in an existing file, if it is one."""
    if not os.path.exists(path):
        return None
    try:
        raw = files.read_bytes(path, files.GAME_LIMIT, say("the file"))
        return raw, tuple(read(raw))
    except Refused:
        return None


def _has_many(sheets: Sequence[GivenFile]) -> bool:
    """Whether there may be mails of several people in what came."""
    from pbem.mail.mailbox import mailbox

    return len(sheets) != 1 or mailbox(sheets[0].raw) is not None


def games_here() -> list[tuple[folder.FolderGame, tuple[Entry, ...]]]:
    """The games of this folder, each with the entries of its newest file. Raises Refused."""
    found = ((each, game_there(Path(each.newest))) for each in folder.usable(os.curdir).games)
    return [(each, there[1]) for each, there in found if there is not None]


def _newest_here(game: Game, request: Request) -> Game | None:
    """The newest file of a game in this folder, if there is one."""
    try:
        games = folder.usable(os.curdir, key=request.key_file).games
    except Refused:
        return None
    names = (each.newest for each in games if each.first == game.fold.entries[0].id)
    name = next(names, None)
    return load_game(name, request) if name is not None else None


class _Here:
    """Finds the game that blocks continue, where only blocks came: what the output replaces, or
    else the newest file of that game in this folder. Each file is read once, however many names
    of games came.
    """

    def __init__(self, request: Request, output: Path | None) -> None:
        self._request, self._output = request, output
        self._loaded: dict[str, tuple[str, Game]] = {}

    def __call__(self, digits: str, first: str) -> tuple[str, Game] | None:
        """Its name, and the game.

        `digits` are those of the game, which a proposal has not yet; `first` is the id of its first
        entry where a block shows it, else empty.

        None where files of the game diverge, or cannot be read: the player says which one is meant.
        """
        from pbem.mail.search import digits_of

        for name, is_one, entries in self._games:
            id0 = entries[0].id
            named_by_first = first or len(entries) == 1
            if first == id0 if named_by_first else digits == digits_of(entries):
                if is_one and name not in self._loaded:
                    self._loaded[name] = name, load_game(name, self._request)
                return self._loaded.get(name)
        return None

    @cached_property
    def _games(self) -> list[tuple[str, bool, tuple[Entry, ...]]]:
        """The names of the files, whether each is the newest of its game, and their entries."""
        there = game_there(self._output) if self._output is not None else None
        found = [(str(self._output), True, there[1])] if there is not None else []
        try:
            games = games_here()
        except Refused:
            return found
        return [
            *found,
            *((each.newest, not each.others[folder.FORKED], entries) for each, entries in games),
        ]


def _refuse_other_kinds(sheets: Sequence[GivenFile]) -> None:
    """Raises Refused (`wrong-kind`) if nothing was found because a file is of another kind."""
    from pbem.mail import armour

    for sheet in sheets:
        if armour.BEGIN.encode() not in sheet.raw:
            kinds.refuse_other(sheet.raw, sheet.name, kinds.MESSAGE, kinds.GAME, kinds.BLOCK)


def _content(path: Path) -> bytes:
    if path == PASTED:
        raw = sys.stdin.buffer.read(LETTER_LIMIT + 1)
        if len(raw) > LETTER_LIMIT:
            raise Unverified(
                Problem(
                    "E-LIMIT",
                    say(
                        "more than {letter_limit} bytes were given",
                        letter_limit=format(LETTER_LIMIT, ","),
                    ),
                )
            )
        return raw
    try:
        return files.read_bytes(path, LETTER_LIMIT, say("the file"))
    except Refused as refused:
        if any(problem.code == "E-LIMIT" for problem in refused.problems):
            raise Unverified(*refused.problems) from None
        raise


def placed(problem: Problem, given: tuple[Path, ...]) -> Problem:
    """The problem with a place, if it has none; with several files, none is blamed."""
    if problem.span or len(given) > 1:
        return problem
    span = Span(str(given[0]), 0, 0)
    return Problem(problem.code, problem.message, span, problem.rule, problem.hint)


def verified(raw: bytes, entries: Sequence[Entry] | None, library: Library) -> Game:
    """The game of a file, packed or not, with its entries if they were read of it already; what
    was examined before is reported again.
    """
    raw = inflated(raw)
    kept = replay_cache.load(raw)
    game = read_game(raw, kept, library, entries)
    replay_cache.keep_read(raw, game, kept)
    if game.source[1] > newest(game)[0].seq:  # what is new here was new before: it is told again
        kept = replay_cache.load(raw, "log")
        game = read_game(raw, kept, library, entries)
        replay_cache.keep_read(raw, game, kept, "log")
    return game
