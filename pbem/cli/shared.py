"""What several commands do alike: the game argument, the key, the record of what was seen."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pbem.cli import files, kept, keyfiles, report
from pbem.cli.newkeys import secrets_file, secrets_option
from pbem.cli.report import Unverified
from pbem.gamefile import witness
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, load_private, needs_passphrase
from pbem.play.game import Game, read_game
from pbem.play.systems import DataRefused, Opened
from pbem.problems import Problem, Refused, Span

if TYPE_CHECKING:
    from pbem.orders.parse import OrdersFile
    from pbem.text.source import Source

F = TypeVar("F", bound=Callable[..., Any])
GAME = click.Path(dir_okay=False, path_type=Path)

HISTORY = frozenset({"E-ROLLBACK", "E-FORK", "E-DOUBLE"})
"""What a record of this machine has against a file that is sound in itself."""

_key_option = click.option(
    "--key", "key_file", type=GAME, help="Your private key file (OpenSSH format)."
)


def key_option(command: F) -> F:
    """`--key`, how its passphrase comes, and the first key of the game where that was replaced."""
    return _key_option(keyfiles.passphrase_option(secrets_option(command)))


json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def _offer(context: click.Context, parameter: click.Parameter, folder: Path | None) -> None:
    from pbem.play.systems import offer

    offer(folder)


data_option = click.option(
    "--data", metavar="DIR", type=click.Path(file_okay=False, path_type=Path), envvar="PBEM_DATA",
    callback=_offer, expose_value=False,
    help="Your own data, laid over ours; also PBEM_DATA. A copy is kept, so once is enough.",
)  # fmt: skip
opponent_option = click.option(
    "--opponent", metavar="NAME", help="Who your opponent is: a contact's name, or his public key "
    "file. His key is pinned to the name; with another key he is refused.",
)  # fmt: skip
last_option = click.option(
    "--last", type=GAME, help="The last file you sent: nothing older passes for new."
)


def load_game(path: Path, *, whole: bool = False) -> Game:
    """The verified game of a file; whatever is wrong with it is placed at the file.

    `whole` wants the happenings of all entries, not only of those that are new here.
    """
    raw = read_game_file(path)
    with unverified(path):
        game = read_game(raw, None if whole else kept.kept(raw))
    keep_data(game.opened)
    return game


def read_game_file(path: Path) -> bytes:
    """The bytes of a game file, unless it is too large to be one."""
    try:
        return files.read_bytes(path, files.GAME_LIMIT, "the game file")
    except Refused as refused:
        if any(problem.code == "E-LIMIT" for problem in refused.problems):
            raise Unverified(*refused.problems) from None
        raise


def keep_data(opened: Opened) -> None:
    """Leaves a copy of the owner's folder, if one was named, to the commands that come later."""
    from pbem.play import systems

    if not systems.keep_data(opened):
        click.echo("note: your data could not be kept; name them with --data each time", err=True)


@contextmanager
def unverified(path: Path) -> Iterator[None]:
    """What is refused inside is the fault of a game file, and has its place there."""
    try:
        yield
    except DataRefused:
        raise
    except Refused as refused:
        raise Unverified(*(_at_file(problem, path) for problem in refused.problems)) from None


@contextmanager
def about(path: Path) -> Iterator[None]:
    """What is refused inside has its place at a file, where it has none of its own."""
    try:
        yield
    except FileRefused as refused:
        refused.problems = tuple(_at_file(problem, path) for problem in refused.problems)
        raise


def _at_file(problem: Problem, path: Path) -> Problem:
    span = problem.span or Span(str(path), 0, 0)
    return Problem(problem.code, problem.message, span, problem.rule, problem.hint)


def load_key(path: Path) -> KeyPair:
    """The key of a file, with the secrets of the first one where --secrets names that.

    Their passphrases come as keyfiles.py tells.
    """
    key, first = _key(path), secrets_file()
    return key if first is None else key.in_place_of(_key(first))


def _key(path: Path) -> KeyPair:
    raw = files.read_bytes(path, files.KEY_LIMIT, "the key file")
    try:
        key = load_private(raw, keyfiles.passphrase_of(path) if needs_passphrase(raw) else None)
    except FileRefused as refused:
        raise Refused(*(_at_file(problem, path) for problem in refused.problems)) from None
    keyfiles.note_readable(path)
    return key


def player_with(game: Game, key: KeyPair | None) -> str | None:
    """The seat of a key, or None without one. Raises FileRefused (E-KEY) for a stranger's key."""
    return game.fold.player_of(key.public) if key else None


def read_source(path: Path) -> Source:
    """The text of an orders file."""
    from pbem.text.source import Source

    return Source.decode(str(path), files.read_bytes(path, files.ORDERS_LIMIT, "the orders file"))


def read_orders(path: Path, game: Game) -> OrdersFile:
    """An orders file, read as a whole. Raises Refused with everything wrong with its form."""
    from pbem.orders.parse import parse
    from pbem.play.answer import meant_for_this_game

    file = parse(read_source(path), game.opened.system.verbs)
    meant_for_this_game(file, game)
    return file


# --- what was seen ------------------------------------------------------------------------------


def check_seen(
    game: Game, player: str | None, last: Path | None, *, proof_beside: Path | None = None
) -> str:
    """Holds the game against what this player saw of it; returns a note when there is no record.

    Raises FileRefused with one of HISTORY; where `proof_beside` is a file, the proof of a fork is
    written into its folder.
    """
    if game.fold.is_solo:
        return ""
    seen = _seen(game, player)
    stories = [load_game(last).fold.entries] if last is not None else []
    try:
        for story in stories:
            witness.compare_files(story, game.fold)
        if seen is not None:
            stories.append(witness.story(seen, game.fold))
            witness.compare(seen, game.fold)
    except FileRefused as refused:
        if proof_beside is None or refused.code not in HISTORY or not stories[-1]:
            raise
        from pbem.cli import evidence

        raise evidence.told(refused, game, player, stories[-1], proof_beside.parent) from None
    if seen is None:
        is_first = player is None or game.fold.phase == "proposed"
        return "" if last or is_first else witness.NO_RECORD
    return ""


def warn_seen(game: Game, player: str | None, last: Path | None, path: Path, as_json: bool) -> str:
    """As `check_seen`, for a command that signs nothing: says what is amiss, and goes on."""
    try:
        return check_seen(game, player, last)
    except FileRefused as refused:
        if refused.code not in HISTORY:
            raise
        warnings = [
            Problem(one.code, f"warning: {one.message}", Span(str(path), 0, 0), one.rule, one.hint)
            for one in refused.problems
        ]
        report.problems(warnings, as_json=as_json)
        return ""


def is_same_answer(before: Game, after: Game, player: str | None) -> bool:
    """Whether the last thing this player saw is the very answer now made again, byte for byte."""
    seen = _seen(before, player)
    last = after.fold.entries[-1]
    return seen is not None and (seen["seq"], seen["id"]) == (last.seq, last.id)


def _seen(game: Game, player: str | None) -> dict[str, Any] | None:
    try:
        seen = json.loads(_seen_file(game, player).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        seen = None
    # A damaged record is as good as none; it is written anew.
    return seen if witness.is_record(seen) else None


def remember(game: Game, player: str | None) -> None:
    """Notes what this player has now seen. A record that cannot be written is no reason to fail."""
    if game.fold.is_solo:
        return
    content = json.dumps(witness.record(game.fold, player), sort_keys=True).encode()
    try:
        files.replace_own(_seen_file(game, player), content)
    except OSError:
        click.echo("note: what was seen could not be recorded", err=True)


def _seen_file(game: Game, player: str | None) -> Path:
    return files.own_folder() / "seen" / f"{witness.name(game.fold)}-{player or 'anyone'}.json"


# --- names of files -----------------------------------------------------------------------------


def file_name(game: Game) -> str:
    """`<game>-<turn>-<nnn>-<from>2<to>.pbem.json`, made from the chain alone."""
    fold = game.fold
    last = fold.entries[-1]
    short = (fold.game or fold.entries[0].id)[:8]
    turn = game.table.state.position.turn if game.table else 0
    sender = last.by.lower()
    receiver = "b" if sender == "a" else "a"
    slug = game.opened.system.slug
    return f"{slug}_{short}-{turn:02}-{last.seq:03}-{sender}2{receiver}.pbem.json"
