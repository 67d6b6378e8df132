"""Letters made to hurt: refused soon, and without much memory."""

from __future__ import annotations

import base64
import gzip
import time
import tracemalloc
import zlib

import pytest

from pbem.gamefile import format
from pbem.gamefile.errors import FileRefused
from pbem.mail import armour
from pbem.mail.inbox import take_in
from pbem.mail.search import GivenFile
from tests.gamefile.mini_game import mini_game
from tests.pace import slowness

SECONDS = 0.2
BYTES = 64 << 20

HEAD = b"From: a@example.org\r\nMIME-Version: 1.0\r\n"
MIXED = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
FILE = b"Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n"
BOMB = gzip.compress(b" " * 100_000_000, mtime=0)
DRESSED = gzip.compress(format.HEAD + b" " * 100_000_000, mtime=0)
"""One that begins as a game does."""


def nested() -> bytes:
    levels = (
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
        for level in range(5000)
    )
    return HEAD + b"".join(levels)


def framed(packed: bytes) -> bytes:
    return armour.framed(packed, mini_game().entries[4:5]).encode()


BOMBS = {
    "gzip": BOMB,
    "gzip in a mail": HEAD + FILE + base64.encodebytes(BOMB),
    "gzip of a gzip": gzip.compress(BOMB),
    "ten gzips in a mail": HEAD + MIXED + 10 * (
        b"--b\r\n" + FILE + base64.encodebytes(BOMB) + b"\r\n") + b"--b--",
    "ten gzips that begin as games": HEAD + MIXED + 10 * (
        b"--b\r\n" + FILE + base64.encodebytes(DRESSED) + b"\r\n") + b"--b--",
    "armour": framed(zlib.compress(b" " * 100_000_000, 9)),
    "armour in armour's clothes": b"\n".join([armour.BEGIN.encode()] * 20_000),
    "nested deep": nested(),
    "ten thousand parts": HEAD + MIXED + b"--b\r\n\r\nx\r\n" * 10_000 + b"--b--",
    "forwarded a thousand times": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 1000,
    "huge base64": HEAD + FILE + base64.encodebytes(b"\x1f\x8b" + bytes(8 << 20)),
    "huge base64 of nothing": HEAD + FILE + b"QUFB" * (2_900_000),
    "a mailbox of nothing": b"From a\nSubject: x\n\n\n" * 200_000,
    "a JSON of brackets": b'{"payload":' + b"[" * 1_000_000,
    "a JSON of members": b'{"payload":{' + b'"a":1,' * 150_000,
    "a header that goes on": HEAD + b"X: y\r\n" * 1_000_000,
    "a number": b'{"payload":' + b"9" * 1_000_000 + b"}",
}  # fmt: skip


def refused(raw: bytes) -> str:
    with pytest.raises(FileRefused) as caught:
        take_in([GivenFile("bomb", raw)], unasked)
    return caught.value.code


def unasked(raw: bytes):
    raise AssertionError("a bomb must not come so far as to be folded")


@pytest.mark.parametrize("what", BOMBS)
def test_a_bomb_is_refused_soon(what: str):
    limit, spent = SECONDS * slowness(), []
    for _ in range(3):
        before = time.process_time()
        assert refused(BOMBS[what]) in (
            "E-LIMIT",
            "E-DAMAGED",
            "E-TRANSPORT",
            "E-SCHEMA",
            "E-CANON",
        )
        spent.append(time.process_time() - before)
    assert min(spent) < limit


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
    tracemalloc.start()
    try:
        refused(BOMBS[what])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < BYTES
