"""What sealing costs: a long file with hidden hands, under rules that cost next to nothing."""

from __future__ import annotations

import gzip
from base64 import b64decode
from collections.abc import Callable
from dataclasses import dataclass
from statistics import median
from time import process_time

from pbem.gamefile.canonical import canonical
from pbem.gamefile.chain import pae
from pbem.gamefile.decks import Epoch, check_reply, commitment_of, reply_of
from pbem.gamefile.fold import replay
from pbem.gamefile.format import read, write
from pbem.gamefile.keys import signature_holds
from pbem.gamefile.without_rules import replay_without_rules
from pbem.mail.armour import encode
from tests.gamefile.long_game import long_game, open_long_toy
from tests.gamefile.players import KEYS

ENTRIES = 600
TIMES = 5


@dataclass(frozen=True)
class SealedFile:
    """Milliseconds to check its signatures, to verify it, to seal and check a deck; sizes in kB.

    `armour` is the longest block of one entry; `proof` the longest of those that prove a deck, of
    which every card has a digest of 32 bytes that no packing makes shorter.
    """

    entries: int
    signatures: float
    bare: float
    verify: float
    kilobytes: float
    armour: float
    proof: float
    deck: float


def sealed_file() -> SealedFile:
    raw = write(long_game(ENTRIES).entries)
    plain, proofs = _armours(raw)
    return SealedFile(
        ENTRIES,
        signatures=_milliseconds(_signatures(raw)),
        bare=_milliseconds(lambda: replay_without_rules(read(raw))),
        verify=_milliseconds(lambda: replay(read(raw), open_long_toy)),
        kilobytes=len(gzip.compress(raw, mtime=0)) / 1000,
        armour=max(plain), proof=max(proofs), deck=_deck(),
    )  # fmt: skip


def _signatures(raw: bytes) -> Callable[[], None]:
    """To check every signature of a file and nothing else."""
    signed = [
        (KEYS[entry.by].public, b64decode(entry.sig), pae(canonical(entry.payload)))
        for entry in read(raw)
    ]

    def checked() -> None:
        for public, signature, message in signed:
            assert signature_holds(public, signature, message)

    return checked


def _armours(raw: bytes) -> tuple[list[float], list[float]]:
    """The kB of each entry as armour: of those that prove no deck, and of those that do."""
    plain: list[float] = []
    proofs: list[float] = []
    for entry in read(raw):
        proves = any(step["do"] == "deck_reply" for step in entry.steps)
        (proofs if proves else plain).append(len(encode([entry])) / 1000)
    return plain, proofs


def _deck() -> float:
    cards = tuple(sorted(f"card{number:02d}" for number in range(55)))
    epoch, secret = Epoch("deck", "A", 1, cards, 64, 1), bytes(32)

    def sealed_and_checked() -> None:
        commitment = commitment_of(secret, epoch)
        check_reply(epoch, commitment, 5, reply_of(secret, epoch, 5))

    return _milliseconds(sealed_and_checked)


def _milliseconds(work: Callable[[], object]) -> float:
    times = []
    for _ in range(TIMES):
        started = process_time()
        work()
        times.append((process_time() - started) * 1000)
    return median(times)
