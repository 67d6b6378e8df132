"""Beacons: hash chains of secrets, the joint value of both players, and the dice drawn from it.

Both players commit to a chain of values at the start. Beacon n mixes the n-th value of each, so
neither can know or steer it before the other has revealed. Each die has a name; its face is one
HMAC of that name, which anyone can recompute with a shell.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import xor
from typing import Protocol

from pbem.engine.dice import Draw, Ordinals, Roll
from pbem.gamefile.chain import digest
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import NO_WAYMARKS, Waymarks
from pbem.messages import Said, say
from pbem.value import value

LARGEST_UNIFORM = 1 << 24
_INNER, _OUTER = (bytes(byte ^ pad for byte in range(256)) for pad in (0x36, 0x5C))
_LABEL = r"[A-Za-z0-9_.-]{1,32}(/[A-Za-z0-9_.-]{1,32}){0,7}"


def mac(key: bytes, text: str) -> bytes:
    """M of the protocol: HMAC-SHA256 over ASCII text."""
    return hmac.digest(key, text.encode("ascii"), "sha256")


def macs(key: bytes, texts: Iterable[bytes]) -> list[bytes]:
    """M of the protocol under one key (32 bytes) over many ASCII texts, as a deck has.

    The two blocks that the key makes (RFC 2104) are hashed once and not for each text, which is two
    thirds of the work.
    """
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(block.translate(_INNER)).copy
    outer = hashlib.sha256(block.translate(_OUTER)).copy
    found = []
    for text in texts:
        first, second = inner(), outer()
        first.update(text)
        second.update(first.digest())
        found.append(second.digest())
    return found


# --- hash chains


def chain_step(player: str, context: str, index: int, value: str) -> str:
    """Hashes the value at `index` (from 1) of a chain; the result is the value before it, as 64 hex
    digits.
    """
    return digest("pbem1/step", player, context, str(index), value).hex()


@lru_cache(maxsize=4)
def derive_chain(
    gsec: bytes, player: str, context: str, length: int, number: int = 0
) -> tuple[str, ...]:
    """Chain `number` (from 0) of a player: its anchor at 0, then `length` values, in hex."""
    value = mac(gsec, f"pbem1/chain\n{player}\n{number}").hex()
    values = [value]
    # `chain_step`, with what begins all of them hashed once: a cold command makes thousands.
    begun = hashlib.sha256(f"pbem1/step\n{player}\n{context}\n".encode("ascii")).copy
    for index in range(length, 0, -1):
        step = begun()
        step.update(f"{index}\n{value}".encode("ascii"))
        value = step.hexdigest()
        values.append(value)
    return tuple(reversed(values))


AHEAD = 32
"""How many values ahead a waymark is placed: so many are shown before the whole chain is derived
again.
"""


def chain_value(
    gsec: bytes, player: str, context: str, length: int, number: int, index: int, before: str,
    waymarks: Waymarks = NO_WAYMARKS,
) -> str:  # fmt: skip
    """The value at `index` (from 1) of chain `number`; `before` is the value shown just before it.

    Only the owner may know a value before it is shown. So a waymark is covered with a number that
    follows from the secret of the game, a different one for each place. A waymark counts only if it
    leads to `before`.
    """
    name = mac(gsec, f"pbem/waymark\n{number}").hex()
    marked = waymarks.read(name)
    if marked is not None and (place := _place(marked, index, length)):
        value = _covered(gsec, number, place, bytes.fromhex(marked[-66:-2].decode())).hex()
        for at in range(place, index, -1):
            value = chain_step(player, context, at, value)
        if chain_step(player, context, index, value) == before:
            return value
    values = derive_chain(gsec, player, context, length, number)
    if chain_step(player, context, index, values[index]) == before:
        place = min(length, index + AHEAD)
        covered = _covered(gsec, number, place, bytes.fromhex(values[place]))
        waymarks.keep(name, f'[{place},"{covered.hex()}"]'.encode("ascii"))
    return values[index]


def _place(marked: bytes, index: int, length: int) -> int | None:
    """The place of a waymark, where the value at `index` can be reached from it."""
    found = re.fullmatch(rb'\[([1-9][0-9]{0,5}),"[0-9a-f]{64}"\]', marked)
    return int(found[1]) if found and index <= int(found[1]) <= length else None


def _covered(gsec: bytes, number: int, place: int, value: bytes) -> bytes:
    """A value with its cover, or without it again."""
    cover = mac(gsec, f"pbem/waymark\n{number}\n{place}")
    return bytes(map(xor, value, cover))


def place_in_chain(beacon: int, length: int) -> tuple[int, int]:
    """Which chain (from 0) and which index in it (from 1) beacon number `beacon` uses."""
    return (beacon - 1) // length, (beacon - 1) % length + 1


# --- the joint value


def beacon_value(game: str, number: int, value_a: str, value_b: str) -> bytes:
    """R_n, 32 bytes, from the game id and both players' n-th values (hex)."""
    return mac(bytes.fromhex(game), f"pbem1/beacon\n{number}\n{value_a}\n{value_b}")


@value
class BeaconWord:
    """One number taken from a beacon: 0 <= value < size, from the block (32 bytes) of `counter`."""

    label: str
    size: int
    counter: int
    block: bytes
    raw: bytes
    value: int


@value
class DiceRecord:
    """The derivation of one die or sample: enough to print it, and to recompute it with openssl.

    A die has `faces` and `face`; a sample has `of`, `take` and `picked` (positions from 0). `words`
    holds one word for a die, one for each position of a sample.
    """

    beacon: int
    value: bytes
    label: str
    purpose: Said
    words: tuple[BeaconWord, ...]
    faces: int = 0
    face: int = 0
    of: int = 0
    take: int = 0
    picked: tuple[int, ...] = ()

    def commands(self) -> tuple[str, ...]:
        """Shell lines, one for each word, that print the block the word was read from."""
        return tuple(block_command(self.value, word) for word in self.words)


def uniform(value: bytes, label: str, size: int) -> BeaconWord:
    """An unbiased number 0 <= w.value < size named `label` under a beacon's value.

    Blocks are read as big-endian words of 1, 2 or 3 bytes. Words at or above the largest multiple
    of `size` are skipped, so no face is more likely than another. 1 <= size <= 2**24.
    """
    assert 1 <= size <= LARGEST_UNIFORM
    width = 1 if size <= 1 << 8 else 2 if size <= 1 << 16 else 3
    limit = (256**width // size) * size
    counter = 0
    while True:
        block = mac(value, f"pbem1/roll\n{label}\n{counter}")
        for at in range(0, 32 - width + 1, width):
            raw = block[at : at + width]
            word = int.from_bytes(raw, "big")
            if word < limit:
                return BeaconWord(label, size, counter, block, raw, word % size)
        counter += 1


def die(value: bytes, label: str, faces: int = 6) -> int:
    """A face from 1 to `faces`."""
    return 1 + uniform(value, label, faces).value


def sample(
    value: bytes, label: str, of: int, take: int
) -> tuple[tuple[int, ...], tuple[BeaconWord, ...]]:
    """At most `take` different positions out of range(of), in the order drawn, and their words."""
    left, picked, words = list(range(of)), [], []
    for count in range(1, min(take, of) + 1):
        word = uniform(value, f"{label}/{count}", len(left))
        words.append(word)
        picked.append(left.pop(word.value))
    return tuple(picked), tuple(words)


class OpenDice(Protocol):
    """The dice of an open beacon for the fold to roll: those of a file, or made-up ones."""

    @property
    def number(self) -> int:
        """The number of the beacon."""
        ...

    @property
    def records(self) -> Sequence[DiceRecord]:
        """The derivation of each die rolled so far."""
        ...

    def again(self) -> OpenDice:
        """A copy that has used the same labels; what it rolls leaves this one as it is."""
        ...

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        """The outcomes, keyed by the labels as the draws wrote them."""
        ...


class BeaconDice:
    """Dice over one beacon: fills the ordinals, refuses a label used twice, keeps a record."""

    def __init__(self, number: int, value: bytes) -> None:
        self.number = number
        self.value = value
        self.records: list[DiceRecord] = []
        self._ordinals = Ordinals()
        self._used: set[str] = set()

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        """The outcomes, keyed by the labels as the draws wrote them.

        Raises FileRefused (E-LABEL) when a label is malformed or already used with this beacon.
        """
        full = self._ordinals.fill(draw.label for draw in draws)
        return {draw.label: self._one(draw, full[draw.label]) for draw in draws}

    def again(self) -> BeaconDice:
        """A copy that has used the same labels; what it rolls leaves this one as it is."""
        twin = BeaconDice(self.number, self.value)
        twin.records = list(self.records)
        twin._ordinals = self._ordinals.again()
        twin._used = set(self._used)
        return twin

    def _one(self, draw: Draw, label: str) -> Roll:
        self._claim(label)
        if draw.is_sample:
            picked, words = sample(self.value, label, draw.of, draw.take)
            self.records.append(
                DiceRecord(
                    self.number, self.value, label, draw.purpose, words,
                    of=draw.of, take=draw.take, picked=picked,
                )
            )  # fmt: skip
            return Roll(label, draw.purpose, picked=picked)
        word = uniform(self.value, label, draw.faces)
        face = 1 + word.value
        self.records.append(
            DiceRecord(
                self.number, self.value, label, draw.purpose, (word,), faces=draw.faces, face=face
            )
        )
        return Roll(label, draw.purpose, face=face)

    def _claim(self, label: str) -> None:
        if not re.fullmatch(_LABEL, label):
            raise FileRefused(
                "E-LABEL",
                say("{label} is not a label", label=format(ascii(label), ".60")),
                rule="labels",
            )
        if label in self._used:
            raise FileRefused(
                "E-LABEL",
                say(
                    "label {label} is used twice with beacon {number}",
                    label=label,
                    number=self.number,
                ),
                rule="labels",
            )
        self._used.add(label)


# --- by hand


def block_command(value: bytes, word: BeaconWord) -> str:
    """The shell line that prints the block of a word, in hex."""
    return _openssl(f"pbem1/roll\\n{word.label}\\n{word.counter}", value.hex())


def beacon_command(game: str, number: int, value_a: str, value_b: str) -> str:
    """The shell line that prints R_n, in hex."""
    return _openssl(f"pbem1/beacon\\n{number}\\n{value_a}\\n{value_b}", game)


def step_command(player: str, context: str, index: int, value: str) -> str:
    """The shell line that prints what the value at `index` of a chain hashes to, in hex."""
    return f"printf 'pbem1/step\\n{player}\\n{context}\\n{index}\\n{value}' | openssl dgst -sha256"


def _openssl(text: str, key: str) -> str:
    return f"printf '{text}' | openssl dgst -sha256 -mac HMAC -macopt hexkey:{key}"
