"""READERS: each way in, with good input to begin from and the words its format is made of.

A reader is called with bytes and must come back: with a result, or with the refusal it announces.
"""

from __future__ import annotations

import copy
import gzip
import random
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

from pbem.gamefile import format, keys, public_keys, verify
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.errors import GROUPS, FileRefused
from pbem.gamefile.fold import replay
from pbem.mail import armour, mime, salvage
from pbem.mail.eml import Letter, written
from pbem.mail.inbox import take_in
from pbem.mail.search import GivenFile
from pbem.orders.parse import parse
from pbem.play.systems import opened
from pbem.problems import Refused
from pbem.text.source import Source, render_all
from tests.fuzz import own_files
from tests.fuzz.told import SEEDS, hostile, told_game
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import cases
from tests.gamefile.players import KEYS
from tests.gamefile.toy import open_toy
from tests.mail import envelopes, mail_clients

EXAMPLES = Path(__file__).parents[2] / "examples" / "chapter24"
ENTRIES = mini_game().entries
RAW = format.write(ENTRIES)
SHORT = format.write(ENTRIES[:3])
BLOCK = armour.encode(ENTRIES[4:5])
FIRST_BLOCK = armour.encode(ENTRIES[:1])


Change = Callable[[random.Random, bytes, list[bytes], tuple[bytes, ...]], bytes]


class Reader(NamedTuple):
    """A way in: what is called, what to begin from, what to put in."""

    call: Callable[[bytes], None]
    seeds: tuple[bytes, ...]
    words: tuple[bytes, ...]
    change: Change | None = None
    """A way to change an input that only this reader has; then it is the only one."""
    share: int = 2
    """Of the time there is: more where an input takes long."""
    inputs: int = 40
    """How many of them the suite tries."""


def foreseen(refused: FileRefused) -> None:
    """A refusal must be one that was thought of: not what catches the rest."""
    assert refused.code in GROUPS
    assert refused.__cause__ is None, f"unforeseen: {refused.__cause__!r}"


def game_file(raw: bytes) -> None:
    """Nothing is accepted but what the owners of the keys have signed, which are the seeds."""
    try:
        entries = format.read(raw)
    except FileRefused as refused:
        foreseen(refused)
        return
    report = verify.examine(raw, open_toy)
    if report.is_good:
        assert all(entry.id in signed() for entry in entries)
    for finding in report.findings:
        assert "cannot be judged" not in str(finding.problem.message), str(finding.problem.message)


def signed_file(raw: bytes) -> None:
    """A file whose owner signs anything at all: refused or not, but judged, without rules too."""
    whole, bare = verify.examine(raw, open_toy), verify.examine_without_rules(raw)
    assert bare.is_good or not whole.is_good
    for finding in (*whole.findings, *bare.findings):
        assert "cannot be judged" not in str(finding.problem.message), str(finding.problem.message)


def signed_anew(
    rng: random.Random, raw: bytes, corpus: list[bytes], words: tuple[bytes, ...]
) -> bytes:
    """A file whose last entry, or one before, says something else, signed by its author."""
    entries = format.read(raw)
    at = rng.choice([len(entries) - 1, rng.randrange(len(entries))])
    payload = copy.deepcopy(entries[at].payload)
    for _ in range(rng.choice([1, 1, 2, 3])):
        twisted(rng, payload, rng.choice(ENTRIES).payload)
    by = payload.get("by")
    with suppress(FileRefused):  # outside the domain; that is for the other readers
        entry = sign_entry(KEYS[by] if by in ("A", "B") else KEYS["A"], payload)
        return format.write([*entries[:at], entry])
    return raw


def twisted(rng: random.Random, value: Any, other: Any) -> None:
    """Changes something somewhere inside a plain value, perhaps to what another has there."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    if not keys:
        return
    key = rng.choice(keys)
    inner = value[key]
    if isinstance(inner, dict | list) and inner and rng.random() < 0.85:
        same = isinstance(other, dict) and key in other
        twisted(rng, inner, other[key] if same else other)
    elif rng.random() < 0.2:
        del value[key]
    elif isinstance(inner, list) and rng.random() < 0.5:
        value[key] = inner * 2
    elif isinstance(other, dict) and other and rng.random() < 0.4:
        value[key] = copy.deepcopy(rng.choice(list(other.values())))
    else:
        value[key] = rng.choice([None, True, 0, 1, -1, 2**53 - 1, "", "x", "A", "b" * 64, [], {},
                                 ["a"], {"a": 1}, "../x", "\u00e9\n", 40])  # fmt: skip


@lru_cache(maxsize=1)
def signed() -> frozenset[str]:
    """The ids of all entries in the seeds."""
    found = {entry.id for entry in ENTRIES}
    for raw in READERS["game file"].seeds:
        with suppress(FileRefused):
            found |= {entry.id for entry in format.read(raw)}
    return frozenset(found)


def armoured(raw: bytes) -> None:
    """A block gives back its entries, or nothing."""
    try:
        block = armour.decode(raw.decode("utf-8", "replace"))
    except FileRefused as refused:
        foreseen(refused)
    else:
        assert block.entries == ENTRIES[block.first : block.last + 1]


def salvaged(raw: bytes) -> None:
    try:
        found = salvage.salvage(raw)
    except FileRefused as refused:
        foreseen(refused)
    else:
        assert found.entries == ENTRIES[: len(found.entries)]


def letter(raw: bytes) -> None:
    """A message, a mailbox or a text: the game that comes out is the sample's."""
    try:
        list(mime.read_message(raw).parts)
    except FileRefused as refused:
        foreseen(refused)
    try:
        taken = take_in([GivenFile("letter", raw)], folded)
    except FileRefused as refused:
        assert refused.code in GROUPS
    else:
        entries = taken.game.fold.entries
        assert entries == ENTRIES[: len(entries)]


def folded(raw: bytes, entries: Sequence[Entry] | None = None) -> Any:
    """The fold of a file, of the entries that were read of it before, if they are given: what then
    verifies is what its bytes say.
    """
    fold = replay(format.read(raw) if entries is None else entries, open_toy)
    assert fold.entries == tuple(format.read(raw))
    return SimpleNamespace(fold=fold)


def orders(raw: bytes) -> None:
    """An orders file: read, or every problem of it can be shown."""
    try:
        parse(Source.decode("orders.yaml", raw), verbs())
    except Refused as refused:
        assert refused.problems and len(render_all(refused.problems)) < 200_000


@lru_cache(maxsize=1)
def verbs() -> Any:
    return opened("crusade").system.verbs


def key_file(raw: bytes) -> None:
    for load in (keys.needs_passphrase, keys.load_private, public_keys.load_public):
        try:
            load(raw)
        except FileRefused as refused:
            assert refused.code == "E-KEY"


def messages() -> tuple[bytes, ...]:
    """Mails of every make: ours, with a block in the text, in a mailbox, damaged."""
    packed = written(Letter("s", FIRST_BLOCK, "game.pbem.json.gz", gzip.compress(SHORT, mtime=0)))
    plain = written(Letter("s", "hello\n", "game.pbem.json", SHORT))
    damages = (mail_clients.as_html, mail_clients.replied_to, mail_clients.quoted_printable)
    head = b"From: a\nContent-Type: text/html\n\n"
    return (
        packed,
        plain,
        b"From a\n" + plain + b"\n\nFrom b\n" + packed,
        *(head + change(SHORT.decode()).encode() for change in damages),
        *(change(FIRST_BLOCK).encode() for change in damages),
        head + b"Content-Type: message/rfc822\n\n" + packed,
        *(envelopes.message(part(SHORT)) for part in envelopes.PARTS.values()),
        *(
            stored(envelopes.alone(envelopes.in_base64(SHORT)))
            for stored in envelopes.TRANSPORTS.values()
        ),
    )


def key_files() -> tuple[bytes, ...]:
    key = keys.KeyPair.from_seed(b"\x01" * 32)
    locked = b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n"
    return keys.private_file(key), public_keys.public_line(key.public, "Ana").encode(), locked


JSON_WORDS = (
    b'"payload":', b'"steps":[', b'"seq":', b"{", b"}", b"[", b"]", b",", b'"', b"\\u0000", b"\\",
    b"null", b"true", b"1e9", b"-0", b"NaN", b"9" * 400, b'"do":"say"', b'"pbem-game/1"', b"\xff",
    b"[" * 3000, b"\xef\xbb\xbf", b"\x1f\x8b\x08\0", b'"a":{' * 30, b"\\ud800", b"\n", b"> ",
)  # fmt: skip
MAIL_WORDS = (
    b"From a\n", b"\n\nFrom b\n", b"Content-Type: multipart/mixed; boundary=b\n", b"\n\n", b"--b\n",
    b"--b--", b"Content-Transfer-Encoding: base64\n", b"message/rfc822", b"text/html", b"=3D",
    b"<br>", b"&#x110000;", b"&#" + b"9" * 5000, b"<", b">", b"&nbsp;", b"charset=utf-7", b"\0",
    b"filename*0*=utf-8''%", b"=?utf-8?q?=0A?=", b"=?x?b?!?=", b"\x1f\x8b", b"\xff\xfe", b"=\n",
    b"-----BEGIN PBEM ENTRIES-----", b"-----END PBEM ENTRIES-----", b"Game: ", b"payload", b'"',
    b"--b\n" * 200, b"\xa0", b"> ",
)  # fmt: skip
YAML_WORDS = (
    b"orders:\n", b"  - ", b"play: ", b"{", b"}", b"[", b"]", b": ", b"&a ", b"*a", b"!!python/x",
    b"<<: ", b"? ", b"---\n", b"...\n", b"%YAML", b"'", b'"', b"#", b"\t", b"NO", b"~", b"\\x",
    b"attack: {space: ", b"standing:\n", b"say: ", b"[" * 300, b"{a: " * 60, b"\xe2\x80\xae",
    b"9" * 5000, b"|\n", b"\xff",
)  # fmt: skip
KEY_WORDS = (
    b"-----BEGIN OPENSSH PRIVATE KEY-----", b"-----END OPENSSH PRIVATE KEY-----", b"ssh-ed25519 ",
    b"openssh-key-v1\0", b"none", b"AAAA", b"\n", b"=", b"\xff", b"-----BEGIN PRIVATE KEY-----\n",
    b" ", b"b3BlbnNzaC1rZXktdjEA",
)  # fmt: skip

READERS: Mapping[str, Reader] = {
    "game file": Reader(
        game_file, (RAW, SHORT, gzip.compress(SHORT, mtime=0), *(case.raw for case in cases()
                                                              if len(case.raw) < 60_000)),
        JSON_WORDS),
    "signed file": Reader(signed_file, (RAW, SHORT, *(
        format.write(ENTRIES[:length]) for length in range(4, 12))), (), signed_anew),
    "told game": Reader(told_game, SEEDS, (), hostile, share=6, inputs=2),
    "armour": Reader(
        armoured, (BLOCK.encode(), *(change(BLOCK).encode() for change in
                                     mail_clients.HARMLESS.values())), MAIL_WORDS),
    "salvage": Reader(
        salvaged, (SHORT, mail_clients.quoted(SHORT.decode()).encode(),
                   mail_clients.as_html(SHORT.decode()).encode()), JSON_WORDS + MAIL_WORDS,
        share=4),
    "letter": Reader(letter, messages(), MAIL_WORDS, share=5),
    "orders": Reader(
        orders, tuple(path.read_bytes() for path in sorted(EXAMPLES.glob("*.yaml"))), YAML_WORDS),
    "key file": Reader(key_file, key_files(), KEY_WORDS, share=1),
    "paper": Reader(own_files.on_paper, own_files.sheets(), own_files.PAPER_WORDS, share=1),
    "contacts": Reader(
        own_files.contact_list, own_files.lists(), own_files.CONTACT_WORDS, share=1),
    "plain YAML": Reader(
        own_files.yaml_text, tuple(path.read_bytes() for path in sorted(EXAMPLES.glob("*.yaml"))),
        YAML_WORDS),
    "schemas": Reader(own_files.data_file, own_files.data_files(), own_files.DATA_WORDS),
    "data folder": Reader(
        own_files.data_folder_of, own_files.folders(), own_files.DATA_WORDS, share=3, inputs=3),
    "data folder of areas": Reader(
        partial(own_files.data_folder_of, game="madrid"), own_files.own_files_of("madrid"),
        own_files.DATA_WORDS, share=3, inputs=3),
    "data folder of hexes": Reader(
        partial(own_files.data_folder_of, game="ctv"), own_files.own_files_of("ctv"),
        own_files.DATA_WORDS, share=3, inputs=3),
}  # fmt: skip
