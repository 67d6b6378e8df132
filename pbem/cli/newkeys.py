"""Keys beside the one that signs: retired ones that have the secrets, the spare one."""

from __future__ import annotations

from pbem.cli import files, kinds
from pbem.cli.files import StrPath
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import load_public
from pbem.problems import Problem, Refused, Span

_NAMED: dict[str, tuple[StrPath, ...]] = {}


def name(which: str, *paths: StrPath) -> None:
    """From now on these are the files of further keys (`secrets` or `spare`), or there are none."""
    _NAMED[which] = paths


def secrets_files() -> tuple[StrPath, ...]:
    """The private keys named by --secrets."""
    return _NAMED.get("secrets", ())


def spare() -> bytes | None:
    """The public key named by --spare, if one was. Raises Refused for a file that is none."""
    paths = _NAMED.get("spare", ())
    if not paths:
        return None
    (path,) = paths
    try:
        raw = kinds.read_as(kinds.PUBLIC, path, files.KEY_LIMIT, "the spare key")
        public, _ = load_public(raw)
    except FileRefused as refused:
        raise Refused(
            *(
                Problem(each.code, each.message, Span(str(path), 0, 0), each.rule, each.hint)
                for each in refused.problems
            )
        ) from None
    return public
