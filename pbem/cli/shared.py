"""Shared by several commands: the game file, the key, the record of what was seen."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pbem.cli import files, keyfiles, kinds, replay_cache, report, settings
from pbem.cli.files import StrPath
from pbem.cli.report import Unverified
from pbem.cli.request import Misused, Request
from pbem.gamedata import folders
from pbem.gamefile import witness
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import inflated
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.keys import (
    KeyPair,
    key_fingerprint,
    load_private,
    load_public,
    needs_passphrase,
    public_in,
)
from pbem.messages import Row, Said, say
from pbem.play.game import STANDING_FILE, Game, read_game
from pbem.play.systems import DataRefused, OpenedGame
from pbem.problems import Problem, Refused, Span

if TYPE_CHECKING:
    from pbem.orders.parse import OrdersFile
    from pbem.text.source import Source

HISTORY = frozenset({"E-ROLLBACK", "E-FORK", "E-DOUBLE"})
"""Refusals by a record of this machine for a file that is fine in itself."""


def load_game(
    path: StrPath, request: Request, *, whole: bool = False, told: str = ""
) -> Game:  # fmt: skip
    """The verified game of a file; its faults are placed at the file.

    `whole` wants the journals of all entries, not only of those that are new here. With `told`, one
    of TOLD, what is kept of the others replaces them.
    """
    packed = read_game_file(path)
    with unverified(path):
        raw = inflated(packed)
        kept = replay_cache.load(raw, told)
        game = read_game(raw, None if whole else kept, request.library)
    replay_cache.keep_read(raw, game, kept, told)
    if told and not game.source[1]:
        replay_cache.keep_read(raw, game, replay_cache.load(raw))
    keep_data(game.opened, request)
    return game


def read_game_file(path: StrPath, *also: str) -> bytes:
    """The bytes of a game file, unless it is too large to be one, or clearly something else.

    `also` are kinds of kinds.py that are accepted here.
    """
    try:
        raw = kinds.read_as(kinds.GAME, path, files.GAME_LIMIT, say("the game file"), *also)
    except Refused as refused:
        if any(problem.code == "E-LIMIT" for problem in refused.problems):
            raise Unverified(*refused.problems) from None
        raise
    if not also and kinds.is_no_game(raw):  # whoever asks for it again gets the same file
        from shlex import quote

        raise Unverified(
            Problem(
                "E-DAMAGED",
                say("this is not a game file"),
                Span(str(path), 0, 0),
                hint=say("if it came by mail: pbem read {file}", file=quote(str(path))),
            )
        )
    return raw


def keep_data(opened: OpenedGame, request: Request) -> None:
    """Keeps a copy of the owner's folder, if one was named, for later commands."""
    if not request.library.keep(opened):
        report.warn(say("note: your data could not be copied; use --data each time"))


def check_there(game: Game, entry: int) -> None:
    """Raises Misused for the number of an entry that is not in the file."""
    last = len(game.fold.entries) - 1
    if entry > last:
        raise Misused(
            say(
                "entry {entry} is not in the file, which ends with entry {last}",
                entry=entry,
                last=last,
            )
        )


@contextmanager
def unverified(path: StrPath) -> Iterator[None]:
    """Turns refusals inside into faults of a game file, placed there."""
    try:
        yield
    except DataRefused:
        raise
    except Refused as refused:
        raise Unverified(*(_at_file(problem, path) for problem in refused.problems)) from None


@contextmanager
def about(path: StrPath) -> Iterator[None]:
    """Places refusals inside at a file, if they have no place."""
    try:
        yield
    except FileRefused as refused:
        refused.problems = tuple(_at_file(problem, path) for problem in refused.problems)
        raise


def _at_file(problem: Problem, path: StrPath) -> Problem:
    span = problem.span or Span(str(path), 0, 0)
    return Problem(problem.code, problem.message, span, problem.rule, problem.hint)


def load_key(path: StrPath, request: Request) -> KeyPair:
    """The key of a file, with the retired ones that --secrets names.

    See keyfiles.py for their passphrases.
    """
    key = _key(path, request)
    return key.in_place_of(*(_key(each, request) for each in request.secrets))


def _key(path: StrPath, request: Request) -> KeyPair:
    raw = read_key(path)
    tries, locked = 1, False
    while True:
        try:
            locked = needs_passphrase(raw)
            key = load_private(raw, keyfiles.passphrase_of(path, request) if locked else None)
            break
        except FileRefused as refused:
            found = tuple(_at_file(problem, path) for problem in refused.problems)
            may_again = locked and tries < keyfiles.TRIES
            if not (may_again and keyfiles.is_typed(request)):
                raise Refused(*found) from None
            report.problems(found, as_json=False)
            tries += 1
    keyfiles.note_readable(path)
    return key


def read_key(path: StrPath) -> bytes:
    """The bytes of a private key file. Raises Refused for anything that is clearly not one."""
    return kinds.read_as(kinds.KEY, path, files.KEY_LIMIT, say("the key file"))


def own_key(game: Game, request: Request) -> tuple[KeyPair | None, str | None]:
    """The key to view a game with, and the seat of its owner; None without a key.

    The folder's key counts only if it has a seat. Raises Refused for a named key (--key) without
    one.
    """
    path = request.key_file
    if path is None or (settings.is_usual_key(path) and not _has_seat(game, path)):
        return None, None
    key = load_key(path, request)
    with about(path):
        return key, player_with(game, key)


def _has_seat(game: Game, path: StrPath) -> bool:
    """Whether a key has a part in a game, as far as can be seen without its passphrase."""
    if game.fold.is_solo:
        return False
    try:
        return public_in(read_key(path)) in game.fold.machine.keys.publics.values()
    except FileRefused:
        return True  # unknown before it is opened


def key_words(request: Request) -> str:
    """How a suggested command names the key: not at all if the folder does."""
    path = request.key_file
    if path is None or settings.is_usual_key(path):
        return ""
    from shlex import quote

    return f" --key {quote(str(path))}"


def told_key(path: StrPath | None, key: KeyPair | None) -> tuple[Said, ...]:
    """Reports which key signs if the folder names it: its settings may have come with a mail."""
    if key is None or path is None or not settings.is_usual_key(path):
        return ()
    told = say(
        "your key is {path}, as {settings} says: {fingerprint}",
        path=str(path), settings=settings.NAME, fingerprint=key_fingerprint(key.public),
    )  # fmt: skip
    return (told,)


def spare_key(request: Request) -> bytes | None:
    """The public key named by --spare, if any. Raises Refused for a file without one."""
    if request.spare is None:
        return None
    raw = kinds.read_as(kinds.PUBLIC, request.spare, files.KEY_LIMIT, say("the spare key"))
    try:
        public, _ = load_public(raw)
    except FileRefused as refused:
        raise Refused(*(_at_file(each, request.spare) for each in refused.problems)) from None
    return public


def player_with(game: Game, key: KeyPair | None) -> str | None:
    """The seat of a key, or None without one. Raises FileRefused (E-KEY) for a stranger's key."""
    return game.fold.player_of(key.public) if key else None


def read_source(path: StrPath) -> Source:
    """The text of an orders file."""
    from pbem.text.source import Source

    raw = kinds.read_as(kinds.ORDERS, path, files.ORDERS_LIMIT, say("the orders file"))
    return Source.decode(str(path), raw)


def standing_path(path: StrPath) -> str:
    """The path of the standing orders next to a game file."""
    return os.path.join(os.path.dirname(path), STANDING_FILE)


def standing_beside(path: StrPath) -> Source | None:
    """The standing orders next to a game file, if any."""
    beside = standing_path(path)
    return read_source(beside) if os.path.lexists(beside) else None


def orders_needed(orders: StrPath | None, game_file: StrPath) -> StrPath:
    """The orders file that a command requires.

    Raises Misused without one, and Refused if the only file that was named is neither game nor
    orders.
    """
    if orders is None:
        if os.path.isfile(game_file):
            head = files.beginning(game_file, kinds.MOST_LOOKED_AT)
            kinds.refuse_other(head, game_file, kinds.ORDERS, kinds.GAME)
        raise Misused(
            say("Missing argument 'ORDERS': the file with your orders; pbem form writes one")
        )
    return orders


def read_orders(path: StrPath, game: Game) -> OrdersFile:
    """An orders file, read as a whole. Raises Refused with everything wrong with its form."""
    from pbem.play.judged import parsed

    return parsed(read_source(path), game)


# --- what was seen ------------------------------------------------------------------------------


def check_seen(
    game: Game, player: str | None, request: Request, *, proof_beside: StrPath | None = None
) -> Said:
    """Compares the game with what this player saw of it; returns a note.

    The note says that there is no record, or which entry of the player's own was passed over.

    Raises FileRefused with one of HISTORY. If `proof_beside` is a file, the proof of a fork is
    written into its folder.
    """
    if game.fold.is_solo:
        return ""
    seen = _seen(game, player)
    last, over, crossed = request.last, request.pass_over, None
    sent = load_game(last, request).fold if last is not None else None
    stories = []
    try:
        if sent is not None:
            stories.append(sent.entries)
            crossed = witness.compare_files(sent, game.fold, player=player, passing_over=over)
        if seen is not None:
            stories.append(witness.story(seen, game.fold))
            crossed = witness.compare(seen, game.fold, passing_over=over) or crossed
    except FileRefused as refused:
        if proof_beside is None or refused.code not in HISTORY or not stories[-1]:
            raise
        from pbem.cli import evidence

        raise evidence.told(
            refused, game, player, stories[-1], os.path.dirname(proof_beside)
        ) from None
    if crossed is not None:
        from pbem.play import crossed as void

        return say("{notes}", notes=Row(tuple(void.lines(game, crossed)), "; "))
    if seen is None:
        is_first = player is None or game.fold.phase == "proposed"
        return "" if last or is_first else witness.NO_RECORD
    return ""


def warn_seen(game: Game, player: str | None, request: Request, path: StrPath) -> Said:
    """Like `check_seen`, for a command that signs nothing: reports and goes on."""
    note, against = against_it(game, player, request)
    warnings = [
        Problem(
            one.code,
            say("warning: {message}", message=one.message),
            Span(str(path), 0, 0),
            one.rule,
            one.hint,
        )
        for one in against
    ]
    report.problems(warnings, as_json=request.as_json)
    return note


def against_it(
    game: Game, player: str | None, request: Request
) -> tuple[Said, tuple[Problem, ...]]:
    """The note of `check_seen`, and the record's objection to a file."""
    try:
        if player is not None:
            return check_seen(game, player, request), ()
        for anybody in (None, "A", "B"):  # no reader is named: the player who has seen more counts
            check_seen(game, anybody, request)
        return "", ()
    except FileRefused as refused:
        if refused.code not in HISTORY:
            raise
        return "", naming_newer(refused, game, player).problems


def check_newest(game: Game) -> None:
    """Refuses a file that is older than what any player on this machine has written.

    Raises FileRefused (E-ROLLBACK), which names the newer file.
    """
    for player in PLAYERS:
        seen = _seen(game, player)
        if seen is not None:
            try:
                witness.check_not_behind(seen, game.fold)
            except FileRefused as refused:
                raise naming_newer(refused, game, player) from None


def naming_newer(refused: FileRefused, game: Game, player: str | None) -> FileRefused:
    """The refusal of an old file, with the name of the newer one if the record knows it."""
    newer = newer_file(game, player) if refused.code == "E-ROLLBACK" else ""
    refused.problems = tuple(
        Problem(
            one.code,
            one.message,
            one.span,
            one.rule,
            say("{hint} {newer}", hint=one.hint, newer=newer) if newer else one.hint,
        )
        for one in refused.problems
    )
    return refused


def newer_file(game: Game, player: str | None) -> Said:
    """Names the file last written here for a player, if the record knows it."""
    players = PLAYERS if player is None else (player,)
    records = [seen for seen in (_seen(game, each) for each in players) if seen]
    newest = max(records, key=lambda seen: seen["seq"], default=None)
    name = newest.get("file") if newest else None
    if newest is None or not isinstance(name, str) or newest["seq"] < len(game.fold.entries):
        return ""
    from shlex import quote

    return say("({file}, up to entry {entry})", file=quote(name), entry=newest["seq"])


def newer_is_there(game: Game, player: str | None, path: StrPath) -> bool:
    """Whether the file last written here for a player is a different one beside this one."""
    name = (_seen(game, player) or {}).get("file")
    if not isinstance(name, str) or not name or name == os.path.basename(path):
        return False
    return os.path.exists(os.path.join(os.path.dirname(path), os.path.basename(name)))


def is_same_answer(before: Game, after: Game, player: str | None) -> bool:
    """Whether the last entry this player saw is exactly the answer now made again."""
    seen = _seen(before, player)
    last = after.fold.entries[-1]
    return seen is not None and (seen["seq"], seen["id"]) == (last.seq, last.id)


def _seen(game: Game, player: str | None) -> dict[str, Any] | None:
    path = _seen_file(game, player)
    if path is None:
        return None
    try:
        with open(path, encoding="utf-8") as file:
            seen = json.load(file)
    except (OSError, ValueError, RecursionError):
        seen = None
    # A damaged record counts as none; it is written again.
    return seen if witness.is_record(seen) else None


def answer_kept(game: Game, player: str | None) -> Game | None:
    """The game with the recorded answer to exactly this position, if any."""
    from pbem.gamefile.fold import after

    seen = _seen(game, player)
    story = () if seen is None else witness.story(seen, game.fold)
    known = len(game.fold.entries)
    if [each.id for each in story[:known]] != [each.id for each in game.fold.entries]:
        return None
    fold = game.fold
    for entry in story[known:]:
        if entry.by != player:
            return None
        fold = after(fold, entry)
    return game.after(fold) if len(story) > known else None


def remember(game: Game, player: str | None, file: StrPath) -> None:
    """Records what this player has now seen, and in which file it is.

    Raises OSError on failure.
    """
    path = _seen_file(game, player)
    if path is None:
        raise FileNotFoundError("HOME is not set")
    made = {**witness.record(game.fold, player), "file": os.path.basename(file)}
    content = json.dumps(made, sort_keys=True).encode()
    files.replace_own(path, content)


def _seen_file(game: Game, player: str | None) -> str | None:
    folder = folders.config("seen")
    name = f"{witness.name(game.fold)}-{player or 'anyone'}.json"
    return os.path.join(folder, name) if folder is not None else None


# --- what comes next ----------------------------------------------------------------------------


def next_lines(game: Any, player: str | None) -> list[Said]:
    """What is offered, who writes next, and what they owe."""
    from pbem.play import ending, offers
    from pbem.play.owing import owed_words

    if game.fold.phase == "over":
        over = say("the game is over: {outcome}", outcome=ending.explained(game))
        return [over, *_audits(game, player), *offers.lines(game, player)]
    found = offers.lines(game, player)
    for thing in game.fold.owed:
        who = _who(game, thing.by, player)
        verbs = ""
        is_open = game.fold.machine.pending.halt is None and game.table is not None
        if thing.code == "answer" and is_open and game.table.decision is not None:
            verbs = " | ".join(
                dict.fromkeys(option.order.verb for option in game.table.decision.options)
            )
        what = owed_words(thing, game)
        found.append(
            say("to write: {who}: {what} [{verbs}]", who=who, what=what, verbs=verbs)
            if verbs
            else say("to write: {who}: {what}", who=who, what=what)
        )
    return found


def _who(game: Any, writer: str, player: str | None) -> Said:
    """The side of the writer, marked if the writer is this player."""
    side: Said = game.side_told(writer)
    return say("{side} (you)", side=side) if writer == player else side


def _audits(game: Any, player: str | None) -> list[Said]:
    """Who still has to show what they kept hidden, and what depends on it."""
    found: list[Said] = [
        say("to write: {who}: reveal what was kept hidden", who=_who(game, thing.by, player))
        for thing in game.fold.owed
    ]
    if game.fold.is_provisional:
        found.append(
            say("the result is provisional until the winner has revealed what was kept hidden")
            if game.fold.result.get("winner")
            else say("the result is provisional until both players have revealed what was kept "
                     "hidden")
        )  # fmt: skip
    return found


# --- names of files -----------------------------------------------------------------------------


def file_name(game: Game) -> str:
    """`<game>-<turn>-<nnn>-<from>2<to>.pbem.json`, made from the chain alone.

    The game is named by its proposal, so all of its files sort together from the start.
    """
    fold = game.fold
    last = fold.entries[-1]
    short = fold.entries[0].id[:8]
    turn = game.table.clock.turn if game.table else 0
    sender = last.by.lower()
    receiver = "b" if sender == "a" else "a"
    slug = game.opened.system.slug
    return f"{slug}_{short}-{turn:02}-{last.seq:03}-{sender}2{receiver}.pbem.json"
