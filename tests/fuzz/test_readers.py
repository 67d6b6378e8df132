"""The fuzzer itself, for a few seconds; `make fuzz` runs it for ten minutes."""

from __future__ import annotations

import json

import pytest

from tests.fuzz import told
from tests.fuzz.guided import Failure, fuzz
from tests.fuzz.readers import READERS, Reader


@pytest.mark.parametrize("name", READERS)
def test_a_reader_stands_what_nobody_would_send(name: str, fuzz: int) -> None:
    """With half its inputs, from some of its seeds; with all where there is time for it."""
    reader, count = READERS[name], READERS[name].inputs * fuzz
    if fuzz == 1:
        most = reader.inputs // 3 + 1
        reader = reader._replace(seeds=reader.seeds[:: len(reader.seeds) // most + 1])
        count = -(-reader.inputs // 2)
    run = fuzzed(reader, count)
    assert run.tried == count and run.reached > 20


def test_every_field_of_every_order_is_given_every_hostile_value() -> None:
    """Swept over all numbers; that each is told in every format, told_game says for those tried."""
    given: dict[tuple[str, str], set[str]] = {}
    for number in range(0, len(told.every_field()) * len(told.HOSTILE), told.AT_ONCE):
        for order in json.loads(told.swept(number))["orders"]:
            ((verb, inside),) = order.items()
            for name, value in inside.items():
                given.setdefault((verb, name), set()).add(json.dumps(value))
    everything = {json.dumps(value) for value in told.HOSTILE}
    for kind, name in told.every_field():
        assert given[kind.verb, name] >= everything, (kind.verb, name)


@pytest.mark.parametrize("part", range(4))
def test_orders_with_hostile_fields_are_told_in_every_format(part: int, fuzz: int) -> None:
    """All of them where there is time for it; else some of each part."""
    numbers = range(part, len(told.every_field()) * len(told.HOSTILE), 4)
    for number in numbers if fuzz > 1 else numbers[::320]:
        told.told_game(told.swept(number))


def fuzzed(reader: Reader, count: int):
    return fuzz(reader, 1, lambda tried: tried < count)


@pytest.mark.parametrize("fault", [KeyError("x"), RecursionError(), AssertionError()])
def test_the_fuzzer_finds_what_a_reader_does_not_stand(fault: Exception) -> None:
    """Behind two conditions, which it meets one after the other because each reaches new lines."""

    def call(raw: bytes) -> None:
        if weak(raw):
            raise fault

    with pytest.raises(Failure) as caught:
        fuzzed(Reader(call, (b"hello",), (b"a", b"b")), 20_000)
    assert b"!" in caught.value.raw


def weak(raw: bytes) -> bool:
    return b"!" in raw


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.fuzz.guided.PATIENCE", 0.05)

    def call(raw: bytes) -> None:
        while True:
            pass

    with pytest.raises(Failure) as caught:
        fuzzed(Reader(call, (b"",), (b"a",)), 1)
    assert "Hang" in str(caught.value)
