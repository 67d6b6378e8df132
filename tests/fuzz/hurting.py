"""HURTING: for each way in, inputs that would hurt a reader that goes over anything twice.

An input is made for a size; twice the size must take twice the time, not four times. The size is
such that a sound reader takes some milliseconds, which can be measured and does not last.
"""

from __future__ import annotations

import base64
import gzip
import io
import json
import zipfile
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from pbem.gamefile import contacts, format, keys, paper_key, public_keys
from pbem.gamefile.canonical import canonical, check_domain, parse
from pbem.mail import armour, mime, repairs, salvage
from pbem.mail.inbox import take_in
from pbem.mail.search import GivenFile
from pbem.orders.parse import parse as parse_orders
from pbem.problems import Refused
from pbem.text import plainyaml, yamlsource
from pbem.text.schema import schema_problems
from pbem.text.source import Source, render_all
from pbem.text.wording import shown
from pbem.words import closest
from tests.fuzz.readers import BLOCK, folded, verbs
from tests.gamefile.players import proposed

Read = Callable[[bytes], object]
Make = Callable[[int], bytes]


class Hurting(NamedTuple):
    """A reader, and what is made to hurt it, by what it tries; each for a size in bytes."""

    read: Read
    inputs: Mapping[str, Make]
    size: int = 1 << 16


def rep(text: str, before: str = "", behind: str = "") -> Make:
    """So many bytes of a text over and over, with something in front of it and behind."""

    def made(size: int) -> bytes:
        return (before + text * (size // len(text.encode()) + 1) + behind).encode()

    return made


def numbered(text: str, before: str = "", behind: str = "", gap: str = ",") -> Make:
    """The same with a number in each."""

    def made(size: int) -> bytes:
        count = size // (len(text) + 6) + 1
        return (before + gap.join(text.format(at) for at in range(count)) + behind).encode()

    return made


GAME = '{"entries":[],"format":"pbem-game/1","payload":"'
JSON: Mapping[str, Make] = {
    "many names, the last of them twice": numbered('"a{}":0', "{", ',"z":0,"z":1}'),
    "one name over and over": rep('"a":0,', "{", '"b":0}'),
    "names twice at the end": numbered('"a{0}":0,"a{0}":0', "{", "}"),
    "deep lists": rep("["),
    "deep objects": rep('{"a":'),
    "brackets closed": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
    "a long number": rep("9", "[", "]"),
    "a long text": rep("a", '["', '"]'),
    "a text of escapes": rep("\\u00e9", '["', '"]'),
    "a text of halves": rep("\\ud800", '["', '"]'),
    "a text without end": rep("a", '["'),
    "quotation marks": rep('"'),
    "escaped marks": rep('\\"', '["', '"]'),
    "blanks": rep(" ", "{", "}"),
    "line ends, then a fault": rep("\n", "{", "x}"),
    "little lists": rep("[],", "[", "[]]"),
    "entries of nothing": rep("{},", '{"format":"pbem-game/1","entries":[', "{}]}"),
}
TEXTS: Mapping[str, Make] = {
    "blanks in a broken text": rep(" ", GAME + "a", 'x\n"}'),
    "blanks and tabs by turns": rep(" \t", GAME + "a", 'x\n"}'),
    "returns in a broken text": rep("\r", GAME + "a", 'x\n"}'),
    "line ends in a text": rep("\n", GAME, '"}'),
    "lines of blanks in a text": rep(" " * 60 + "\n", GAME, '"}'),
    "texts broken over lines": rep('"a \n b",', GAME + '",', '"}'),
    "marks of quotation": rep("> ", GAME),
    "lines of quotation": rep("> >> |\n", GAME),
    "blanks before no mark": rep(" ", "payload\n", "x"),
    "signs of equality": rep("=", GAME + "=3D"),
    "equality and blanks": rep("= ", GAME + "=3D"),
    "equality, then blanks": rep(" ", GAME + "=3D=", "x"),
    "coded line ends": rep("=\r\n", GAME),
    "tags begun": rep("<a ", GAME),
    "tags of breaks begun": rep("<br ", GAME),
    "one tag without end": rep("a", GAME + "<br "),
    "comments begun": rep("<!--", GAME),
    "entities begun": rep("&", GAME + "<br>"),
    "entities of numbers": rep("&#", GAME + "<br>"),
    "an entity without end": rep("a", GAME + "<br>&"),
    "a number without end": rep("9", GAME + "<br>&#"),
    "names of entities": rep("&notit;", GAME + "<br>"),
    "back slashes": rep("\\", GAME + "\n"),
    "escaped quotation marks": rep('\\"', GAME + "\n"),
    "curly quotation marks": rep("\u201c", GAME),
    "no-break spaces": rep("\u00a0", GAME),
    "what cannot be seen": rep("\u200b", GAME),
    "braces": rep("{", "payload"),
    "braces and blanks": rep("{ ", "payload"),
    "a brace, then blanks": rep(" ", "payload{", "x"),
    "heads": rep('{"entries"', "payload"),
    "heads with blanks": rep('{ "entries"   ', "payload"),
    "tails": rep('"format" : ', "payload"),
    "tails with blanks": lambda size: b'payload"format"' + b" " * size + b"x",
}
MAIL = "From: a@b\nDate: x\nContent-Type: multipart/mixed; boundary=b\n\n"
INNER = "--b\nContent-Type: multipart/mixed; boundary=c\n\n--c\n"


@cache
def proposal(number: int) -> bytes:
    """A game file that nobody has sent before, honestly signed."""
    return format.write(proposed(nonce=number.to_bytes(16)).entries)


def games(before: str, between: str) -> Make:
    """So many bytes of games that differ, each in a part or a message of its own."""

    def made(size: int) -> bytes:
        count = size // len(proposal(0)) + 1
        return before.encode() + b"".join(
            between.encode() + proposal(number) for number in range(count)
        )

    return made


MAILS: Mapping[str, Make] = {
    "games that differ": games(MAIL, "\n--b\n\n"),
    "games attached": games(MAIL, "\n--b\nContent-Disposition: attachment; filename=a.json\n\n"),
    **{f"text: {name}": (lambda size, make=make: b"From: a\nDate: x\n\n" + make(size))
       for name, make in TEXTS.items()},
    "empty parts": rep("--b\n\n", MAIL),
    "parts of parts": rep(INNER, MAIL),
    "parts that hold nothing": rep("--b\nContent-Type: multipart/mixed; boundary=c\n\n", MAIL),
    "messages in messages": rep("Content-Type: message/rfc822\n\n", "From: a\n"),
    "boundaries inside a line": rep("--b", MAIL),
    "boundaries and blanks": rep("\n--b  ", MAIL),
    "a boundary, then blanks": rep(" ", MAIL + "--b", "x"),
    "hyphens": rep("-", MAIL),
    "a boundary of hyphens": rep("-", MAIL.replace("=b", '="' + "-" * 60 + '"')),
    "long fields": rep("a: b\n", "From: a\n"),
    "fields without end": rep("a", "From: a\n"),
    "folded fields": rep("\n a", "From: a"),
    "blank lines of blanks": rep(" ", "From: a\n", "x"),
    "parameters": rep(";a=b", "From: a\nContent-Type: text/plain", "\n\n" + GAME),
    "marks in parameters": rep(';"', "From: a\nContent-Type: text/plain", "\n\n" + GAME),
    "coded words": rep("=?utf-8?q?=", "From: a\nSubject: ", "\n\n" + GAME),
    "base64 of nothing": rep(
        "!", "From: a\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"),
    "quoted-printable of nothing": rep(
        "= ", "From: a\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\n"),
    "coded games": lambda size: (
        b"From: a\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
        + base64.encodebytes(TEXTS["blanks in a broken text"](size))),
}  # fmt: skip


def zipped_many(count: int) -> bytes:
    """A zip archive of so many small files."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        for at in range(count):
            archive.writestr(str(at), "x")
    return file.getvalue()


MAILBOXES: Mapping[str, Make] = {
    "messages with a game each": games("", "\nFrom x\nFrom: a\n\n"),
    "empty messages": rep("From x\nFrom: a\n\n\n", ""),
    "messages of parts": rep("From x\n" + MAIL + "--b\n\n" * 20 + "\n"),
    "lines that begin as one": rep("From ", "From x\nFrom: a\n\n"),
    "blank lines": rep("\n", "From x\nFrom: a\n\n"),
    "From lines alone": rep("From\n\n", "From x\nFrom: a\n\n"),
    "mails behind each other": rep("From: a\nMIME-Version: 1.0\nContent-Type: text/plain\n\nx\n"),
    "mails quoted": rep("> From: a\n> Content-Type: text/plain\n> \n> x\n", "From: a\n\n"),
    "games behind each other": numbered('{{"entries": [{{"payload": {}}}]}}', gap="\n"),
    "blocks behind each other": rep("-----BEGIN PBEM ENTRIES-----\nGame: 1\n", "Here:\n"),
    "uuencoded files": rep("begin 644 x\n#86)C\nend\n", "From: a\n\n"),
    "uuencode without end": rep("#86)C\n", "From: a\n\nbegin 644 x\n"),
    "padded lines": rep(
        "QQ==\n", "From: a\nContent-Type: text/plain\nContent-Transfer-Encoding: base64\n\n"
    ),
    "gaps": rep("Content-Type: a/b\n\n", "From: a\n"),
    "zip of many": lambda size: zipped_many(size // 100),
    "gzip behind each other": lambda size: gzip.compress(b"x", mtime=0) * (size // 21),
    "winmail.dat of many": lambda size: (
        b"\x78\x9f\x3e\x22\0\0"
        + (b"\x02" + b"\x0f\x80\x06\x00" + b"\x01\0\0\0" + b"x\0\0") * (size // 12)
    ),
    "packed RTF that names all it has": lambda size: (
        b"....\xff\xff\xff\x00LZFu...." + (b"\xff" + b"\x00\x0f" * 8) * (size // 17)
    ),
    "RTF of groups": rep("{\\*\\a ", "{\\rtf1 "),
    "RTF of signs": rep("\\'e9\\u8217?", "{\\rtf1 "),
    "winmail.dat of texts": lambda size: (
        b"\x78\x9f\x3e\x22\0\0\x01\x03\x90\x06\x00"
        + size.to_bytes(4, "little")
        + b"\x1e\0\0\x10\1\0\0\0\1\0\0\0" * (size // 12)
    ),
    "base64 in lines": rep("QUFB" * 15 + "\n", "Here:\n"),
    "a quoted uuencode": rep("> #86)C\n", "> begin 644 x\n"),
    "a page of a mail": rep("<br>x", "<html>Content-Type: a/b<br>"),
    "marks before a block": rep("a> \n", "a> -----BEGIN PBEM ENTRIES-----\na> Game: 1\n"),
    "lines that may begin a game": rep("aaaa{\n"),
    "subjects": rep("From x\nFrom: a\nSubject: " + "=?utf-8?q?=41?=" * 30 + "\n\n\n"),
}
BLOCKS: Mapping[str, Make] = {
    "blocks begun": rep("-----BEGIN PBEM ENTRIES-----\n"),
    "blanks between": rep(" ", "-----BEGIN PBEM ENTRIES-----", "-----END PBEM ENTRIES-----"),
    "ends begun": rep(" -----END PBEM ", "-----BEGIN PBEM ENTRIES-----"),
    "marks": rep("> | ", "-----BEGIN PBEM ENTRIES-----\n", "\n-----END PBEM ENTRIES-----"),
    "lines of marks": rep(">\n", "-----BEGIN PBEM ENTRIES-----\n", "-----END PBEM ENTRIES-----"),
    "names": rep("Game:\n", "-----BEGIN PBEM ENTRIES-----\n", "-----END PBEM ENTRIES-----"),
    "a sound block far behind": rep("\n", "", BLOCK),
    "letters without end": lambda size: BLOCK.replace("\n\n", "\n\n" + "A" * size + "\n").encode(),
    "hyphens": rep("-"),
    "no block, tags": rep("<b ", "PBEM"),
}
YAML: Mapping[str, Make] = {
    "words in brackets": rep("a, ", "orders: [", "a]"),
    "one bracket after another": rep("[a], ", "orders: [", "a]"),
    "pairs in brackets": numbered("a{}: b", "orders: {", "}"),
    "orders without end": rep("- a\n", "orders:\n"),
    "orders that are none": rep("  - {zzz: a}\n", "orders:\n"),
    "keys": numbered("k{}: a", gap="\n"),
    "a key over and over": rep("k: a\n"),
    "doubled keys": numbered("k{0}: a\nk{0}: b", gap="\n"),
    "colons": rep(":", "a"),
    "colons and blanks": rep(": ", "a"),
    "brackets": rep("["),
    "braces": rep("{a: "),
    "dashes": rep("- "),
    "a long word": rep("a", "say: "),
    "blanks": rep(" ", "say: a", "b"),
    "comments": rep(" #", "say: a"),
    "marks": rep("'", "say: "),
    "double marks": rep('"', "say: "),
    "a text in marks": rep("a ", 'say: "', '"'),
    "escapes": rep("\\n", 'say: "', '"'),
    "a text over lines": rep("a\n", 'say: "', '"'),
    "a block of text": rep("  a\n", "say: |\n"),
    "a folded block": rep("  a\n\n", "say: >\n"),
    "anchors": rep("- &a b\n", "orders:\n"),
    "aliases": rep("- *a\n", "orders:\n"),
    "tags": rep("- !a b\n", "orders:\n"),
    "questions": rep("? a\n"),
    "documents": rep("---\n"),
    "tabs": rep("\t", "a: "),
    "units of one type": rep("inf, ", "orders:\n- move: {units: [", "inf]}"),
    "fields unknown": numbered("f{}: a", "orders:\n- move: {", "}"),
    "numbers": rep("9", "entry: "),
}
PAPERS: Mapping[str, Make] = {
    "dots": rep(".", "1"),
    "blanks": rep(" ", "1", "."),
    "blanks in front": rep(" "),
    "groups": rep("1 a\n"),
    "digits": rep("a", "1 "),
    "prints": rep("SHA256:"),
}
CONTACTS: Mapping[str, Make] = {
    **JSON,
    "marks on letters": lambda size: json.dumps({"format": contacts.FORMAT, "contacts": [
        {"name": "a" + "\u0315\u0300" * 2000, "key": "0" * 64}] * (size // 4000 + 1)}).encode(),
}  # fmt: skip
KEYS: Mapping[str, Make] = {
    "begun": rep("-----BEGIN OPENSSH PRIVATE KEY-----"),
    "blanks": rep(" ", "ssh-ed25519 "),
    "words": rep("a ", "ssh-ed25519 "),
    "letters": rep("AAAA", "-----BEGIN OPENSSH PRIVATE KEY-----\n",
                   "\n-----END OPENSSH PRIVATE KEY-----"),
}  # fmt: skip


def _refusing(read: Read) -> Read:
    def called(raw: bytes) -> None:
        with suppress(Refused):
            read(raw)

    return called


def _text(read: Callable[[str], object]) -> Read:
    return lambda raw: read(raw.decode("utf-8", "replace"))


def _every_repair(text: str) -> None:
    for repair in repairs.REPAIRS.values():
        repair(text)


def _salvaged(raw: bytes) -> None:
    salvage.salvage(raw)


def _message(raw: bytes) -> None:
    list(mime.read_message(raw).parts)


def _letter(raw: bytes) -> None:
    take_in([GivenFile("letter", raw)], folded)


def _orders(raw: bytes) -> None:
    try:
        parse_orders(Source.decode("orders.yaml", raw, len(raw)), verbs())
    except Refused as refused:
        render_all(refused.problems)


def _yaml(raw: bytes) -> None:
    _, problems = yamlsource.examine_all(Source.decode("a.yaml", raw, len(raw)))
    render_all(problems)


def _unlike(raw: bytes) -> None:
    """A list that must hold nothing twice, of as many mappings as there are lines."""
    items = [{"a": at} for at in range(raw.count(b"\n"))]
    document = yamlsource.Document(Source("a", ""), items, yamlsource.Mark(0, 0, 0, 0))
    schema_problems(document, {"type": "array", "uniqueItems": True})
    schema_problems(
        yamlsource.Document(Source("a", ""), [*items, items[0]], yamlsource.Mark(0, 0, 0, 0)),
        {"type": "array", "uniqueItems": True},
    )


def _canonical(raw: bytes) -> None:
    value = parse(raw)
    check_domain(value)
    canonical(value)


def _name(raw: bytes) -> None:
    contacts.proper(raw.decode("utf-8", "replace"))


def _key(raw: bytes) -> None:
    for load in (keys.needs_passphrase, keys.load_private, public_keys.load_public, keys.public_in):
        with suppress(Refused):
            load(raw)


HURTING: Mapping[str, Hurting] = {
    "game file": Hurting(_refusing(format.read), {
        **JSON,
        "packed nothing": lambda size: gzip.compress(bytes(size * 64)),
        "packed stores": lambda size: gzip.compress(bytes(range(256)) * (size // 16), 0),
    }, 1 << 15),
    "values": Hurting(_refusing(_canonical), JSON, 1 << 15),
    "repairs": Hurting(_text(_every_repair), TEXTS, 1 << 17),
    "salvage": Hurting(_refusing(_salvaged), TEXTS, 1 << 14),
    "armour": Hurting(_refusing(_text(armour.decode)), BLOCKS, 1 << 17),
    "message": Hurting(_refusing(_message), MAILS, 1 << 18),
    "letter": Hurting(_refusing(_letter), MAILS, 1 << 14),
    "mailbox": Hurting(_refusing(_letter), MAILBOXES, 1 << 16),
    "orders": Hurting(_orders, YAML, 1 << 14),
    "plain YAML": Hurting(_text(plainyaml.read_plainly), YAML, 1 << 15),
    "YAML": Hurting(_yaml, YAML, 1 << 14),
    "schemas": Hurting(_unlike, {"mappings": rep("\n")}, 400),
    "paper": Hurting(_refusing(_text(paper_key.seed_on)), PAPERS, 1 << 16),
    "contacts": Hurting(_refusing(contacts.read), CONTACTS, 1 << 15),
    "names": Hurting(_name, {"marks": rep("\u0315\u0300"), "blanks": rep(" ")}, 1 << 13),
    "key file": Hurting(_key, KEYS, 1 << 17),
    "words shown": Hurting(_text(shown), {"controls": rep("\x1b"), "text": rep("a")}, 1 << 16),
    "words told": Hurting(_text(format.lines), {
        "one word": rep("a"), "hyphens": rep("a-"), "blanks": rep(" ", "a", "b"),
        "lines": rep("a\n"), "dashes": rep("--"), "words": rep("ab "),
    }, 1 << 14),
    "near names": Hurting(
        _text(lambda text: closest(text, ["merida"])), {"marks": rep("\u0315\u0300")}, 1 << 13),
}  # fmt: skip
"""Reader by reader. One that is not here is held to nothing: a test compares with READERS."""
