"""Letters made to hurt: refused soon, and without much memory."""

from __future__ import annotations

import base64
import gzip
import time
import tracemalloc
from functools import cache

import pytest

from pbem.gamefile import format
from pbem.gamefile.errors import FileRefused
from pbem.mail import armour
from pbem.mail.inbox import take_in
from pbem.mail.search import GivenFile
from tests.gamefile.mini_game import mini_game
from tests.mail.bombs import ZLIB, bomb
from tests.pace import slowness

SECONDS = 0.4
BYTES = 64 << 20

HEAD = b"From: a@example.org\r\nMIME-Version: 1.0\r\n"
MIXED = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
FILE = b"Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n"


def nested() -> bytes:
    levels = (
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
        for level in range(5000)
    )
    return HEAD + b"".join(levels)


def ten_of(packed: bytes) -> bytes:
    part = b"--b\r\n" + FILE + base64.encodebytes(packed) + b"\r\n"
    return HEAD + MIXED + 10 * part + b"--b--"


def framed(packed: bytes) -> bytes:
    return armour.framed(packed, mini_game().entries[4:5]).encode()


BOMBS = {
    "gzip": bomb,
    "gzip in a mail": lambda: HEAD + FILE + base64.encodebytes(bomb()),
    "gzip of a gzip": lambda: gzip.compress(bomb()),
    "ten gzips in a mail": lambda: ten_of(bomb()),
    "ten gzips that begin as games": lambda: ten_of(bomb(format.HEAD)),
    "armour": lambda: framed(bomb(form=ZLIB)),
    "armour in armour's clothes": lambda: b"\n".join([armour.BEGIN.encode()] * 20_000),
    "nested deep": nested,
    "ten thousand parts": lambda: HEAD + MIXED + b"--b\r\n\r\nx\r\n" * 10_000 + b"--b--",
    "forwarded a thousand times": lambda: HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 1000,
    "huge base64": lambda: HEAD + FILE + base64.encodebytes(b"\x1f\x8b" + bytes(8 << 20)),
    "huge base64 of nothing": lambda: HEAD + FILE + b"QUFB" * (2_900_000),
    "a mailbox of nothing": lambda: b"From a\nSubject: x\n\n\n" * 200_000,
    "a JSON of brackets": lambda: b'{"payload":' + b"[" * 1_000_000,
    "a JSON of members": lambda: b'{"payload":{' + b'"a":1,' * 150_000,
    "a header that goes on": lambda: HEAD + b"X: y\r\n" * 1_000_000,
    "a number": lambda: b'{"payload":' + b"9" * 1_000_000 + b"}",
}


@cache
def made(what: str) -> bytes:
    return BOMBS[what]()


def refused(raw: bytes) -> str:
    with pytest.raises(FileRefused) as caught:
        take_in([GivenFile("bomb", raw)], unasked)
    return caught.value.code


def unasked(raw: bytes, entries: object):
    raise AssertionError("a bomb must not come so far as to be folded")


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_is_refused_soon(what: str):
    raw, limit = made(what), SECONDS * slowness()
    for _ in range(3):
        before = time.process_time()
        assert refused(raw) in (
            "E-LIMIT",
            "E-DAMAGED",
            "E-TRANSPORT",
            "E-SCHEMA",
            "E-CANON",
        )
        spent = time.process_time() - before
        if spent < limit:
            return
    raise AssertionError(spent)


def test_what_is_kept_of_a_refusal_is_small():
    """Not the texts that were being read when it was made."""
    raw = HEAD + MIXED + 6 * (b"--b\r\n\r\n{" + b"payload" * 60_000 + b"\r\n") + b"--b--"
    with pytest.raises(FileRefused) as caught:
        take_in([GivenFile("letter", raw)], unasked)
    seen = caught.value.__traceback__
    while seen:
        for miss in seen.tb_frame.f_locals.get("misses", ()):
            kept = miss.refused
            assert kept.__cause__ is None and kept.__context__ is None
            assert kept is caught.value or kept.__traceback__ is None
        seen = seen.tb_next


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_takes_little_memory(what: str):
    raw = made(what)
    tracemalloc.start()
    try:
        refused(raw)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < BYTES
