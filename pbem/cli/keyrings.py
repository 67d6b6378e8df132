"""The passphrase of a key in the system's keyring, for who wants it kept there."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from pbem.cli import report, settings
from pbem.cli.extras import install
from pbem.cli.files import StrPath
from pbem.cli.report import about
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import (
    KeyPair,
    key_fingerprint,
    load_private,
    public_in,
)
from pbem.messages import say
from pbem.problems import Problem, Refused

KEYRING = "keyring"
"""The library of the system's keyring, an extra."""
SERVICE = "pbem"
"""Under this name the keyring keeps passphrases, each by the fingerprint of its key."""


def unlocked(raw: bytes) -> KeyPair | None:
    """A locked key, opened with the passphrase in the keyring, if its owner wants that asked; None
    if it has none, or another.
    """
    if settings.own().keyring != "yes":
        return None
    try:
        found = library().get_password(SERVICE, key_fingerprint(public_in(raw)))
        return load_private(raw, found.encode()) if found else None
    except FileRefused:
        return None  # it was changed since, or the key names no public half: it is typed
    except Refused as refused:  # the library is gone
        report.problems(refused.problems, as_json=False)
    except Exception as error:  # each of its backends has errors of its own
        report.warn(say("note: the keyring gives no passphrase: {reason}", reason=str(error)[:200]))
    return None


def put(path: StrPath, raw: bytes, passphrase: bytes) -> None:
    """Keeps the passphrase of a key, once it has opened the key. Raises Refused if it does not, and
    if the keyring keeps nothing.
    """
    with about(path):
        name = key_fingerprint(load_private(raw, passphrase).public)
    try:
        library().set_password(SERVICE, name, passphrase.decode())
    except Refused:
        raise
    except Exception as error:  # each of its backends has errors of its own
        why = str(error)[:200] or type(error).__name__
        raise Refused(
            Problem("no-keyring", say("the keyring keeps nothing: {reason}", reason=why))
        ) from None


def library() -> Any:
    """The library of the system's keyring. Raises Refused without it."""
    try:
        return import_module(KEYRING)
    except ImportError:
        raise Refused(
            Problem(
                "no-keyring",
                say("the system's keyring needs another library"),
                hint=say("install it: {command}", command=install("keyring")),
            )
        ) from None
