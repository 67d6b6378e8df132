"""Recognises files given in place of another kind, and the command that takes them."""

from __future__ import annotations

import os
import re

from pbem.cli import files
from pbem.cli.files import StrPath
from pbem.gamefile.format import HEAD
from pbem.messages import Said, marked, say
from pbem.platforms import quote
from pbem.problems import Problem, Refused, Span
from pbem.value import replace

MOST_LOOKED_AT = 4096

GAME, ORDERS, KEY, PUBLIC, PAPER = "game", "orders", "key", "public", "paper"
MESSAGE, BLOCK, PROOF, REQUEST, CONTACTS = "message", "block", "proof", "request", "contacts"
RULING = "ruling"
OWN, FOREIGN = "own", "foreign"
NO_KEY = say("if you have none yet, pbem keygen --out FILE --name YOU makes one")
"""What to do without a key."""
LOST_KEY = say(
    "{no_key}; one that is lost in a game that has begun is not replaced by keygen alone: pbem key "
    "restore makes it again from paper, pbem rotate GAME --key SPARE.key --to NEW.key signs with "
    "the spare key, and with neither, pbem rotate GAME --ask --to NEW.key asks your opponent, who "
    "can offer new secrets too (pbem offer GAME renew)",
    no_key=NO_KEY,
)
"""What to do where a key should be."""

NO_ORDERS = say("'pbem form' writes one to fill in")
"""What to do without an orders file."""

_WANTED = {
    GAME: marked("a game file"), ORDERS: marked("an orders file"), KEY: marked("your private key"),
    PUBLIC: marked("a public key"), PAPER: marked("the eight groups of a key on paper"),
    RULING: marked("a ruling"),
    MESSAGE: marked("what came by mail"), REQUEST: marked("the request for a new key"),
}  # fmt: skip
_KINDS: tuple[tuple[str, bytes, str, str], ...] = (
    (KEY, rb"-----BEGIN [A-Z ]*PRIVATE KEY-----", marked("a private key"),
     marked("use it with --key and give it to nobody; the file you can give away is the .pub next "
            "to it")),
    (FOREIGN, rb"PuTTY-User-Key-File-", marked("a key in the format of PuTTY (.ppk)"),
     marked("puttygen {file} -O private-openssh -o MY.key makes one that pbem reads; in the window "
            "of PuTTYgen: Conversions, Export OpenSSH key")),
    (FOREIGN, rb"---- BEGIN SSH2 PUBLIC KEY ----", marked("a public key as PuTTY writes it"),
     marked("ssh-keygen -i -f {file} prints it as pbem reads it")),
    (PUBLIC, rb"(?:ssh-(?:ed25519|rsa|dss)|ecdsa-sha2-\S+|sk-\S+@openssh\.com) ",
     marked("a public key"),
     marked("use it with pbem new --opponent; the private key is the file without .pub")),
    (PAPER, rb"pbem key on paper:", marked("a private key on paper"),
     marked("pbem key restore {file} --out MY.key restores the key from it")),
    (BLOCK, rb"-----BEGIN PBEM", marked("a pasted block of entries"),
     marked("pbem read {file} --game GAME adds it to the game you have")),
    (CONTACTS, rb'\{\s*"(?:contacts"\s*:\s*\[|format"\s*:\s*"pbem-contacts/)',
     marked("a list of contacts"),
     marked("pbem contacts lists yours; --opponent takes a name from it")),
    (PROOF, rb'\{\s*"(?:by"\s*:\s*"[AB]"\s*,\s*"common"|format"\s*:\s*"pbem-fork/)',
     marked("the proof of a fork"), marked("pbem prove-fork {file} checks it")),
    (REQUEST, rb'\{\s*"game"\s*:\s*"[0-9a-f]{64}"\s*,\s*"seq"\s*:',
     marked("a request for a new key"),
     marked("pbem rotate GAME --key YOUR.key --for {file} answers it")),
    (RULING, rb'\{\s*"format"\s*:\s*"pbem-ruling/',
     marked("a ruling"), marked("pbem ruling GAME --enter {file} brings it into the game")),
    (OWN, rb'\{"by": "[AB]", "file": |[0-9a-f]{64}\n|process [0-9]+, since ',
     marked("a file that pbem keeps for itself"), marked("no command takes it")),
    (GAME, rb'\{\s*"(?:entries"\s*:|format"\s*:\s*"pbem-game/)|\x1f\x8b', marked("a game file"),
     marked("pbem status {file} shows where the game stands")),
    (ORDERS, rb"(?:#[^\n]*\n|\s)*standing:(?![\s\S]*\norders:)",
     marked("a file of standing orders"),
     marked("the game comes first; as standing.yaml next to it they go with your next mail")),
    (ORDERS, rb"(?:#[^\n]*\n|\s)*(?:game|entry|orders|standing|say):", marked("an orders file"),
     marked("the game comes first: pbem check GAME {file}; pbem turn GAME --orders {file} also "
            "signs it when you confirm")),
    (MESSAGE, rb"From \S|(?:[A-Za-z][A-Za-z-]{0,40}:[^\n]*\n(?:[ \t][^\n]*\n)*){0,60}?"
     rb"(?i:from|date|subject|received|message-id|mime-version|content-type): ",
     marked("a message"), marked("pbem read {file} -o game.pbem.json gets the game out of it")),
)  # fmt: skip
"""Each kind of file written here: its name, how it begins, what it is called, what takes it."""


_DOCUMENTS = (
    (rb"PK\x03\x04(?=.*word/)", marked("a Word document")),
    (rb"PK\x03\x04(?=.*opendocument)", marked("an OpenDocument text")),
    (rb"PK\x03\x04", marked("a packed document or a .zip")),
    (rb"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", marked("a Word document")),
    (rb"\{\\rtf", marked("a document with formats (.rtf)")),
    (rb"%PDF-", marked("a PDF")),
    (rb"(?i:<!doctype|<html)", marked("a page for a browser")),
)
"""How files begin in which people write letters, and what they are called."""


def refuse_document(raw: bytes, path: StrPath) -> None:
    """Raises Refused (`wrong-kind`) for orders written with a program for letters."""
    for pattern, what in _DOCUMENTS:
        if re.match(pattern, raw[:MOST_LOOKED_AT], re.DOTALL):
            told = say("this is {what}, not an orders file", what=say(what))
            hint = say("save it as plain text (UTF-8), for example as orders.yaml")
            raise Refused(Problem("wrong-kind", told, Span(str(path), 0, 0), hint=hint))


_USUAL = {GAME: HEAD, ORDERS: b"orders:", KEY: b"-----BEGIN OPENSSH PRIVATE KEY-----"}
"""How nearly all files of a kind begin; saves a closer look."""


def read_as(
    wanted: str, path: StrPath, limit: int, what: Said, *also: str, without: Said = LOST_KEY
) -> bytes:  # fmt: skip
    """The bytes of a file, like files.read_bytes, unless it is clearly of another kind.

    `wanted` and `also` are the accepted kinds, and `without` is the hint for a key that is not
    there and has no similar name. A file of no known kind is accepted, too: its reader reports
    what is wrong. Raises Refused (`wrong-kind`), also for a file that is too large to be what is
    expected.
    """
    try:
        raw = files.read_bytes(path, limit, what)
    except Refused as refused:
        if any(problem.code == "E-LIMIT" for problem in refused.problems):
            if wanted == ORDERS:
                refuse_document(files.beginning(path, MOST_LOOKED_AT), path)
            refuse_other(files.beginning(path, MOST_LOOKED_AT), path, wanted, *also)
        if wanted in (KEY, ORDERS) and not os.path.lexists(path):
            near = files.meant(path, besides=".pub" if wanted == KEY else "")
            hint = near or (without if wanted == KEY else NO_ORDERS)
            refused.problems = tuple(replace(each, hint=hint) for each in refused.problems)
        raise
    if not raw.startswith(_USUAL.get(wanted, b"\0")):
        if wanted == ORDERS:
            refuse_document(raw, path)
        refuse_other(raw, path, wanted, *also)
    return raw


def refuse_other(raw: bytes, path: StrPath, wanted: str, *also: str) -> None:
    """Raises Refused (`wrong-kind`) for content that is clearly of another kind."""
    kind, what, takes = kind_of(raw, str(path))
    if kind and kind not in (wanted, *also):
        told = say("this is {what}, not {wanted}", what=what, wanted=say(_WANTED[wanted]))
        raise Refused(Problem("wrong-kind", told, Span(str(path), 0, 0), hint=takes))


def is_no_game(raw: bytes) -> bool:
    """Whether no mail can have made this of a game: a picture, notes, a settings file."""
    return bool(raw) and not _bare(raw).startswith(b"{") and not kind_of(raw, "")[0]


def is_shown(raw: bytes) -> bool:
    """Whether it is a picture or a page, which pbem show and pbem log write beside a game."""
    return re.match(rb"\x89PNG\r\n|<svg |<!DOCTYPE html>", raw) is not None


def _bare(raw: bytes) -> bytes:
    return raw[:MOST_LOOKED_AT].lstrip(b"\xef\xbb\xbf \t\r\n")


def kind_of(raw: bytes, name: str) -> tuple[str, Said, Said]:
    """The kind of a file, its name with an article, and what takes it; empty if unknown.

    Only the beginning is examined; `name` is the file's name in the command that takes it.
    """
    head = _bare(raw)
    for kind, pattern, what, takes in _KINDS:
        if re.match(pattern, head):
            return kind, say(what), say(takes, file=quote(name))
    return "", "", ""
