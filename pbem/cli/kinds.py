"""What a file is that was given for another one, and which command takes it."""

from __future__ import annotations

import re

MOST_LOOKED_AT = 4096

_KINDS: tuple[tuple[bytes, str, str], ...] = (
    (rb"-----BEGIN [A-Z ]*PRIVATE KEY-----", "a private key", "--key takes it, and nobody else"),
    (rb"ssh-ed25519 ", "a public key", "pbem new --opponent takes it"),
    (rb"-----BEGIN PBEM", "a pasted block of entries",
     "pbem read {file} --game GAME joins it to the game you have"),
    (rb"(?:#[^\n]*\n|\s)*(?:game|entry|orders|standing|say):", "an orders file",
     "pbem apply GAME {file} takes it, behind the game file"),
    (rb"From \S|(?:[A-Za-z][A-Za-z-]{0,40}: [^\r\n]*\r?\n){1,40}(?:[ \t][^\n]*\n|\r?\n|$)",
     "a message", "pbem read {file} -o game.pbem.json takes the game out of it"),
)  # fmt: skip


def kind_of(raw: bytes, name: str) -> tuple[str, str]:
    """What the bytes are, with its article, and what takes it; empty for what looks like no other.

    Only the beginning is looked at, and `name` stands in what is told.
    """
    head = raw[:MOST_LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n")
    for pattern, what, takes in _KINDS:
        if re.match(pattern, head):
            return what, takes.format(file=name)
    return "", ""
