"""Keys beside the one that signs: the retired one that has the secrets, the spare one."""

from __future__ import annotations

from pbem.cli import files
from pbem.cli.files import StrPath
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import load_public
from pbem.problems import Problem, Refused, Span

_NAMED: dict[str, StrPath] = {}


def name(which: str, path: StrPath | None) -> None:
    """From now on this is the file of a further key (`secrets` or `spare`), or there is none."""
    _NAMED.pop(which, None)
    if path is not None:
        _NAMED[which] = path


def secrets_file() -> StrPath | None:
    """The private key named by --secrets, if one was."""
    return _NAMED.get("secrets")


def spare() -> bytes | None:
    """The public key named by --spare, if one was. Raises Refused for a file that is none."""
    path = _NAMED.get("spare")
    if path is None:
        return None
    try:
        public, _ = load_public(files.read_bytes(path, files.KEY_LIMIT, "the spare key"))
    except FileRefused as refused:
        raise Refused(
            *(
                Problem(each.code, each.message, Span(str(path), 0, 0), each.rule, each.hint)
                for each in refused.problems
            )
        ) from None
    return public
