"""Key files: read, and opened with a passphrase; warnings if others can read a private key."""

from __future__ import annotations

import os
import stat
import sys
from contextlib import suppress
from typing import TYPE_CHECKING

from pbem import platforms
from pbem.cli import files, kinds, report, settings
from pbem.cli.files import StrPath
from pbem.cli.report import about
from pbem.cli.request import Misused, Request
from pbem.gamedata import folders, sealed
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import (
    KeyPair,
    Waymarks,
    damaged,
    key_fingerprint,
    load_private,
    needs_passphrase,
    public_in,
    unknown_lock,
)
from pbem.late import Late
from pbem.messages import Said, say
from pbem.platforms import quote
from pbem.problems import Problem, Refused, reason
from pbem.value import replace

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.cli import locked
    from pbem.gamefile import public_keys
else:  # which an open key has no use for, and a game under way
    locked = Late("pbem.cli.locked")
    public_keys = Late("pbem.gamefile.public_keys")

PASSPHRASE_LIMIT = 1024
TRIES = 3
"""How often a passphrase can be typed."""
GAME_NAMES = (".pbem.json", ".pbem.json.gz")
WAYMARK_BYTES = 100


class _Kept(Waymarks):
    """Waymarks in the user's own folder for caches, under the seal of this machine."""

    def read(self, name: str) -> bytes | None:
        return sealed.read(folders.cache("chains", f"{name}.mark"), f"chains/{name}", WAYMARK_BYTES)

    def keep(self, name: str, content: bytes) -> None:
        sealed.keep(folders.cache("chains", f"{name}.mark"), f"chains/{name}", content)


KEPT = _Kept()


def load_key(path: StrPath, request: Request, *, without: Said = kinds.LOST_KEY) -> KeyPair:
    """The key of a file, with the retired ones that --secrets names. `without` is the hint where
    there is no such file.
    """
    return _with_retired(path, read_key(path, without=without), request)


def key_to_look(path: StrPath, request: Request) -> KeyPair:
    """The key to look at a game with. If it is locked, it is opened where a secret is needed, and
    not before: nobody types a passphrase to see what is public. One that was given is used.
    """
    raw = read_key(path)
    if not request.secrets and not _is_given(request) and _is_locked(raw):
        with suppress(FileRefused):  # only some formats show whose a locked key is
            return locked.LockedKey(public_in(raw), lambda: _own(path, raw, request), KEPT)
    return _with_retired(path, raw, request)


def waits_for_typing(key: KeyPair | None, request: Request) -> bool:
    """Whether a key is still locked, and only its owner can open it, by typing the passphrase."""
    if key is None or not getattr(key, "is_closed", False) or _is_given(request):
        return False
    return settings.own().keyring != "yes"


def _with_retired(path: StrPath, raw: bytes, request: Request) -> KeyPair:
    key = replace(_key(path, raw, request), waymarks=KEPT)
    return key.in_place_of(*(_key(each, read_key(each), request) for each in request.secrets))


def _own(path: StrPath, raw: bytes, request: Request) -> KeyPair:
    """A locked key, opened. Raises Refused where it is another than its file says."""
    key = _key(path, raw, request)
    if key.public != public_in(raw):
        with about(path):
            raise damaged()
    return key


def _key(path: StrPath, raw: bytes, request: Request) -> KeyPair:
    if not _is_given(request) and _is_locked(raw):
        from pbem.cli.keyrings import unlocked  # which an open key has no use for

        if kept := unlocked(raw):
            note_readable(path)
            return kept
    _check_lock(raw, path)
    tries, locked = 1, False
    while True:
        try:
            locked = needs_passphrase(raw)
            key = load_private(raw, passphrase_of(path, request) if locked else None)
            break
        except FileRefused as refused:
            found = tuple(problem.placed_at(str(path)) for problem in refused.problems)
            may_again = locked and tries < TRIES
            if not (may_again and is_typed(request)):
                raise Refused(*found) from None
            report.problems(found, as_json=False)
            tries += 1
    note_readable(path)
    return key


def _is_locked(raw: bytes) -> bool:
    try:
        return needs_passphrase(raw)
    except FileRefused:
        return False  # a damaged file is reported where it is opened


def _check_lock(raw: bytes, path: StrPath) -> None:
    """Raises FileRefused (E-KEY) for a lock that no passphrase opens here, before one is asked."""
    with about(path):
        if not (cipher := unknown_lock(raw)):
            return
        raise FileRefused(
            "E-KEY",
            say("the key file is locked with {cipher}, which pbem cannot open", cipher=cipher),
            hint=say(
                "lock it anew with a cipher that it can; the key stays the same: {command}",
                command=f"ssh-keygen -p -Z aes256-ctr -f {quote(str(path))}",
            ),
        )


def read_key(path: StrPath, *, without: Said = kinds.LOST_KEY) -> bytes:
    """The bytes of a private key file. Raises Refused for anything that is clearly not one;
    `without` is the hint where there is no such file.
    """
    return kinds.read_as(kinds.KEY, path, files.KEY_LIMIT, say("the key file"), without=without)


def without_here() -> Said:
    """The hint where a key is not there and no game was named: only a folder with games may have
    lost one.
    """
    return kinds.LOST_KEY if games_in(os.curdir) else kinds.NO_KEY


def shown_public(path: StrPath) -> bytes | None:
    """The public key of a private key file, without its passphrase: as the file shows it, or else
    the `.pub` beside it; None if neither does.
    """
    try:
        return public_in(read_key(path))
    except (Refused, OSError):
        pass
    beside = _public_beside(path)
    return None if beside is None else beside.key


def spare_key(request: Request) -> bytes | None:
    """The public key named by --spare, if any. Raises Refused for a file without one."""
    if request.spare is None:
        return None
    raw = kinds.read_as(kinds.PUBLIC, request.spare, files.KEY_LIMIT, say("the spare key"))
    return public_in_file(request.spare, raw)[0]


def public_in_file(path: StrPath, raw: bytes) -> tuple[bytes, str]:
    """The public key and the name in the content of a file; says which of several it takes.

    Raises FileRefused (E-KEY), placed at the file.
    """
    with report.about(path):
        found = public_keys.load_public(raw)
    if found.others:
        report.warn_once(
            say(
                "note: {path} has more than one key; its only Ed25519 key is taken: {fingerprint}",
                path=str(path),
                fingerprint=key_fingerprint(found.key),
            )
        )
    return found.key, found.name


def passphrase_of(path: StrPath, request: Request) -> bytes:
    """The passphrase of a key file: from a file descriptor, the environment, or the keyboard."""
    given = _given(request)
    if given is None:
        given = _typed(say("Passphrase of {path}", path=str(path)))
    return given


def new_passphrase(request: Request) -> bytes:
    """The passphrase of a new key; if typed, it is typed twice."""
    given = _given(request)
    if given is None:
        given = _typed(say("New passphrase"), twice=True)
    if not given:
        raise Misused(
            say("an empty passphrase protects nothing; use --no-passphrase if you want none")
        )
    return given


def is_typed(request: Request) -> bool:
    """Whether a passphrase is typed at a terminal: then a wrong one can be typed again."""
    return not _is_given(request) and has_terminal()


def _is_given(request: Request) -> bool:
    return request.passphrase_fd is not None or "PBEM_PASSPHRASE" in os.environ


def _given(request: Request) -> bytes | None:
    if request.passphrase_fd is not None:
        return _line_of(request.passphrase_fd)
    given = os.environ.get("PBEM_PASSPHRASE")
    return None if given is None else os.fsencode(given)


def _line_of(handle: int) -> bytes:
    """The first line that comes through a file descriptor."""
    found = b""
    try:
        while b"\n" not in found and len(found) <= PASSPHRASE_LIMIT:
            more = os.read(handle, PASSPHRASE_LIMIT)
            if not more:
                break
            found += more
    except OSError as error:
        raise Misused(
            say(
                "file descriptor {handle} cannot be read: {reason}",
                handle=handle,
                reason=reason(error),
            )
        ) from None
    line = found.partition(b"\n")[0].removesuffix(b"\r")
    if not line or len(line) > PASSPHRASE_LIMIT:
        raise Misused(
            say(
                "file descriptor {handle} gives no passphrase: expected a line of at most {limit} "
                "bytes",
                handle=handle,
                limit=PASSPHRASE_LIMIT,
            )
        )
    return line


def _typed(asking: Said, *, twice: bool = False) -> bytes:
    import click

    if not has_terminal():
        told = say("a passphrase is needed, and there is no terminal to ask for it")
        hint = say("use --passphrase-fd or PBEM_PASSPHRASE")
        if twice:
            hint = say(
                "use --passphrase-fd or PBEM_PASSPHRASE; --no-passphrase makes a key that anybody "
                "can use who has the file"
            )
        raise Refused(Problem("no-terminal", told, hint=hint))
    try:
        text: str = click.prompt(
            report.asking(asking), hide_input=True, confirmation_prompt=twice, err=True,
            default="" if twice else None, show_default=False,
        )  # fmt: skip
    except click.Abort:  # it ends like any other interrupted command
        raise KeyboardInterrupt from None
    return text.encode("utf-8", "surrogateescape")


def has_terminal() -> bool:
    """Whether typed input can be read without showing it: never from a pipe or a file."""
    is_typed = sys.stdin is not None and sys.stdin.isatty()
    return is_typed or platforms.here().has_terminal()


# --- readable by others -------------------------------------------------------------------------


def note_readable(path: StrPath) -> None:
    """Warns on standard error if others on this machine can read a private key.

    It is not a reason to refuse: some file systems have no modes.
    """
    if not platforms.here().has_modes or report.is_for_programs():
        return
    mode = stat.S_IMODE(os.stat(path).st_mode)
    if mode & 0o077:
        report.warn(
            say(
                "note: {path} can be read by others on this machine (mode {mode}); chmod "
                "600 {file} closes it",
                path=path,
                mode=format(mode, "03o"),
                file=os.path.basename(path),
            )
        )


def note_beside_games(path: Path) -> None:
    """Notes that a private key is put next to a game file.

    Game files are attached to mails, and a key in their folder is one wrong click from the
    opponent. But a beginner with two files in one folder does nothing wrong.
    """
    games = games_in(path.parent)
    if games and not report.is_for_programs():
        report.warn(
            say(
                "note: {path} is next to a game file ({game}), and such files go to your "
                "opponent: check what you attach, or keep the key in a folder of its own",
                path=path,
                game=games[0],
            )
        )


def games_in(folder: StrPath) -> list[str]:
    """The files of a folder with the names of games; none where it cannot be read, which is
    reported when something is written there.
    """
    try:
        return sorted(name for name in os.listdir(folder) if name.endswith(GAME_NAMES))
    except OSError:
        return []


# --- a pair of files ----------------------------------------------------------------------------


def public_path(private: Path) -> Path:
    """The path of the public key of a private key file."""
    return private.parent / f"{private.name}.pub"  # a path may be empty, too


def check_free(private: Path) -> None:
    """Raises Misused if a key exists already; notes that it would be next to a game."""
    for path in (private, public_path(private)):
        if os.path.exists(path):
            raise Misused(say("{path} already exists; a key is never overwritten", path=str(path)))
    note_beside_games(private)


def write_pair(private: Path, locked: bytes, public: bytes, name: str) -> None:
    """Writes both files of a key, or neither."""
    files.write_new(private, locked, mode=0o600)
    try:
        line = public_keys.public_line(public, name)
        files.write_new(public_path(private), line.encode())
    except Refused:
        private.unlink()  # half a pair is useless, and would block the next try
        raise


def name_of(key_file: StrPath) -> str:
    """The name in the public key next to a private one; empty if there is none."""
    from pbem.gamefile.contacts import proper

    beside = _public_beside(key_file)
    return "" if beside is None else proper(beside.name)


def _public_beside(key_file: StrPath) -> public_keys.PublicKeys | None:
    """What the public key next to a private one says, if it can be read."""
    beside = f"{os.fspath(key_file)}.pub"
    try:
        return public_keys.load_public(
            files.read_bytes(beside, files.KEY_LIMIT, say("the public key"))
        )
    except Refused:
        return None
