"""Files of public keys, as ssh-keygen and sites for code write them, a line each."""

from __future__ import annotations

import binascii

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import SSH_KIND, check_public, key_fingerprint, ssh_pack, ssh_text
from pbem.messages import Row, say
from pbem.value import value


def public_line(public: bytes, name: str = "") -> str:
    """The line of a `.pub` file, with its line end; `name` is the comment in it."""
    body = ssh_pack(SSH_KIND) + ssh_pack(public)
    coded = binascii.b2a_base64(body, newline=False).decode("ascii")
    return f"ssh-ed25519 {coded} {name}".rstrip() + "\n"


@value
class PublicKeys:
    """What a file of public keys has, a line each, such as a NAME.keys of a site for code.

    `key` and `name` are the only Ed25519 key in it; `others` counts the lines of other kinds.
    """

    key: bytes
    name: str
    others: int


def load_public(text: bytes) -> PublicKeys:
    """The only Ed25519 key of a file. An empty line is none, and neither is a comment.

    Raises FileRefused (E-KEY) for a file without any or with several, and for a key that fails
    `check_public`.
    """
    try:
        lines = text.decode("utf-8-sig").splitlines()
    except ValueError:
        raise _no_public() from None
    lines = [line for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if len(lines) <= 1:
        return PublicKeys(*_public_in("".join(lines)), 0)
    ours = dict(map(_public_in, (line for line in lines if line.split()[0] == SSH_KIND.decode())))
    if not ours:
        _public_in(lines[0])
        raise _no_public()
    if len(ours) > 1:
        prints = tuple(f"{key_fingerprint(key)} {name}".rstrip() for key, name in ours.items())
        raise FileRefused(
            "E-KEY",
            say("there are {count} Ed25519 keys here, and a player has one", count=len(ours)),
            hint=say(
                "ask them which it is, and put that line into a file of its own: {prints}",
                prints=Row(prints[:MOST_SHOWN], "; "),
            ),
        )
    ((key, name),) = ours.items()
    return PublicKeys(key, name, sum(line.split()[0] != SSH_KIND.decode() for line in lines))


MOST_SHOWN = 8
"""How many keys of one file are listed."""


def _public_in(line: str) -> tuple[bytes, str]:
    """The public key (32 bytes) and the name in a `.pub` line."""
    try:
        words = line.split(None, 2)
        kind, coded = words[0], words[1]
        body = binascii.a2b_base64(coded.encode("ascii"), strict_mode=True)
        name, at = ssh_text(body, 0)
        public, end = ssh_text(body, at)
    except (ValueError, IndexError):
        raise _no_public() from None
    if kind != "ssh-ed25519" or name != SSH_KIND or end != len(body):
        raise FileRefused(
            "E-KEY", say("expected an ssh-ed25519 key, but this is {kind}", kind=ascii(kind[:40]))
        )
    check_public(public)
    return public, words[2].strip() if len(words) > 2 else ""


def _no_public() -> FileRefused:
    return FileRefused(
        "E-KEY",
        say("this is not a public key"),
        hint=say("give the .pub file that pbem keygen wrote"),
    )
