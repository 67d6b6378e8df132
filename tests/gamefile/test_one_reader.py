"""Short ways of reading take nothing that the strict reader refuses, and nothing otherwise."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress

import pytest

from pbem.gamefile import format
from pbem.gamefile.errors import FileRefused
from pbem.text.plainyaml import read_plainly
from pbem.text.source import Source
from pbem.text.yamlsource import examine_all
from tests.fuzz.readers import EXAMPLES
from tests.gamefile.mini_game import mini_game

RAW = format.write(mini_game().entries)
KNOWN = 9
LENGTH = len(format.write(mini_game().entries[:KNOWN])) - len(format.TAIL)
SIGNS = b',]}[{": \n\0\xffeE0-'


def changed(raw: bytes, places: list[int], rng: random.Random) -> Iterator[bytes]:
    """A byte put in, taken out, doubled, changed with its neighbour: at each place."""
    for at in places:
        yield raw[:at] + bytes([rng.choice(SIGNS)]) + raw[at:]
        yield raw[:at] + raw[at + 1 :]
        yield raw[:at] + raw[at : at + 1] + raw[at:]
        yield raw[:at] + raw[at + 1 : at + 2] + raw[at : at + 1] + raw[at + 2 :]


def strictly(raw: bytes) -> list | None:
    with suppress(FileRefused):
        return format.read(raw)
    return None


def shortly(raw: bytes, length: int = LENGTH) -> list | None:
    with suppress(FileRefused):
        return format.read_behind(raw, length, mini_game().entries[:KNOWN])
    return None


def alike(raw: bytes) -> bool:
    """Whether the short way takes what the strict one does; says whether both took it."""
    short, strict = shortly(raw), strictly(raw)
    assert short is None or (strict is not None and short == strict[KNOWN:]), raw[LENGTH:][:200]
    return short is not None


def test_what_follows_is_read_as_by_the_strict_reader() -> None:
    assert alike(RAW)
    assert shortly(format.write(mini_game().entries[:KNOWN])) == []
    rng = random.Random(9)
    end = range(LENGTH, LENGTH + 30), range(len(RAW) - 60, len(RAW))
    places = [*end[0], *end[1], *rng.sample(range(LENGTH, len(RAW)), 60)]
    taken = [alike(raw) for raw in changed(RAW, places, rng)]
    assert 5 < sum(taken) < len(taken) - 100


@pytest.mark.parametrize(
    "rest",
    [
        RAW[LENGTH + 1 :],  # the comma is missing
        b"," + format.TAIL,
        b",," + RAW[LENGTH + 1 :],
        b"," + RAW[len(format.HEAD) :] + b" {}",
        RAW[LENGTH:] + RAW[LENGTH:],
        format.TAIL + b" ",
        b" " + format.TAIL,
        b"",
        RAW[LENGTH:].replace(b'"pbem-game/1"', b'"pbem-game/2"'),
        RAW[LENGTH:].replace(b'\n ],\n "format"', b'\n ],\n "entries": [],\n "format"'),
    ],
)
def test_the_joint_is_no_way_in(rest: bytes) -> None:
    alike(RAW[:LENGTH] + rest)


def test_a_missing_comma_is_refused() -> None:
    """It was taken once: the game went on, was signed, and the file was no JSON."""
    raw = RAW[:LENGTH] + RAW[LENGTH + 1 :]
    assert shortly(raw) is None
    with pytest.raises(ValueError, match="Expecting"):
        json.loads(raw)


def test_counts_go_over_both_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(format, "MAX_ENTRIES", len(mini_game().entries) - 1)
    assert shortly(RAW) is None and strictly(RAW) is None
    monkeypatch.undo()
    monkeypatch.setattr(format, "MAX_BYTES", len(RAW) - 1)
    assert shortly(RAW) is None and strictly(RAW) is None


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.yaml"))[:12], ids=lambda path: path.stem)
def test_plain_yaml_is_what_the_library_reads(path) -> None:
    """Also with signs put in, taken out, doubled and changed about."""
    text = path.read_bytes()
    rng = random.Random(len(text))
    places = rng.sample(range(len(text)), min(40, len(text)))
    plain = 0
    for raw in (text, *changed(text, places, rng)):
        with suppress(UnicodeDecodeError):
            written = raw.decode().replace("\r", "\n")
            short = read_plainly(written)
            if short is not None:
                document, problems = examine_all(Source("a", written))
                assert not problems and document is not None
                assert (document.value, document.mark) == short
                plain += 1
    assert plain > 20 or read_plainly(text.decode()) is None
