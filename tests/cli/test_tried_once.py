"""A mail is tried once: what the rules have judged when it was read is not judged once more."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.gamefile import format
from pbem.play.table import Table
from tests.cli.desk import Desk, begin

FOUR = (
    "play: {card: N1, for: event}",
    "activate: {move: [sevilla], attack: [huelva]}",
    "move: {units: [POL], path: [sevilla, utrera]}",
    "attack: {space: riotinto, units: {huelva: [CAV]}}",
)
VERBS = ["play", "activate", "move", "done", "attack"]
"""What is judged before the dice fall: the end of the moves, left out above, is put in."""


@contextmanager
def judged(patch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The verb of each order that the rules work out inside, and of each roll what is rolled."""
    found: list[str] = []
    submit, roll = kernel.submit, kernel.roll

    def submitted(state: Any, order: Any) -> Any:
        found.append(order.verb)
        return submit(state, order)

    def rolled(state: Any, dice: Any) -> Any:
        found.append("a roll")
        return roll(state, dice)

    with patch.context() as inside:
        inside.setattr(kernel, "submit", submitted)
        inside.setattr(kernel, "roll", rolled)
        yield found


def test_each_order_of_a_mail_is_tried_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    orders = desk.orders(*FOUR)
    with judged(monkeypatch) as found:
        desk.done("apply", "g2.json", orders, "--key", "ana.key", "-o", "m.json")
    assert found == VERBS
    with judged(monkeypatch) as found:  # and whoever verifies the file works all of it out
        desk.done("verify", "m.json")
    assert found == VERBS


def test_each_order_of_a_file_is_read_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.done("apply", "g2.json", desk.orders(*FOUR), "--key", "ana.key", "-o", "m.json")
    typed, read = Table.typed, list[Any]()

    def noted(table: Table, order: Any) -> Any:
        read.append(order)
        return typed(table, order)

    monkeypatch.setattr(Table, "typed", noted)
    desk.done("verify", "m.json")
    entries = format.read((desk.folder / "m.json").read_bytes())
    steps = [step for entry in entries for step in entry.steps]
    assert read == [order for step in steps for order in step.get("list", ())]
    assert [next(iter(order)) for order in read] == VERBS


def test_with_sealed_hands_it_is_tried_as_each_of_both_will_see_it(
    tmp_path: Path, keys: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    orders = keys.orders(*FOUR)
    with judged(monkeypatch) as found:
        keys.done("apply", "g3.json", orders, "--key", "ana.key", "-o", "m.json")
    assert sorted(found) == sorted(VERBS * 2)


def test_dice_that_fall_before_the_orders_fall_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The value that a player owes makes dice fall, and their orders answer what comes then."""
    with judged(monkeypatch) as found:
        desk.done("apply", "g3.json", "--key", "beto.key", "-o", "m.json")
    assert found.count("a roll") == 1


def test_each_entry_is_laid_out_once(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was verified, to know whether it lies there as it is written here; then the answer.
    The record of what was seen has the last two.
    """
    stored, laid_out = format.stored, list[int]()

    def noted(entry: Any) -> Any:
        laid_out.append(entry.seq)
        return stored(entry)

    shutil.rmtree(desk.folder / ".home", ignore_errors=True)
    monkeypatch.setattr(format, "stored", noted)
    desk.done("apply", "g4.json", "--key", "ana.key", "-o", "m.json")
    entries = format.read((desk.folder / "m.json").read_bytes())
    numbers = [entry.seq for entry in entries]
    assert laid_out == numbers + numbers[-2:]


@contextmanager
def parsed(patch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """The number of entries in each text of JSON that is parsed inside, if it is a game: from the
    first entry, and more than that. The end of one is in the record of what was seen, too.
    """
    found: list[int] = []
    loads = json.loads

    def counted(text: str | bytes, *more: Any, **named: Any) -> Any:
        plain = text if isinstance(text, str) else text.decode()
        if (entries := plain.count('"payload"')) > 1 and '"seq": 0' in plain:
            found.append(entries)
        return loads(text, *more, **named)

    with patch.context() as inside:
        inside.setattr(json, "loads", counted)
        yield found


def mailed(desk: Desk, patch: pytest.MonkeyPatch) -> bytes:
    """Beto's answer m4.json and its mail m4.eml, which Ana's machine has not seen; m3.json is her
    own.
    """
    desk.done("apply", "g2.json", desk.orders(*FOUR), "--key", "ana.key", "-o", "m3.json")
    with patch.context() as elsewhere:  # Beto's machine knows what it has verified, not this
        elsewhere.setenv("XDG_CACHE_HOME", str(desk.folder / ".home" / "beto"))
        desk.done("apply", "m3.json", "--key", "beto.key", "-o", "m4.json")
        desk.done("mail", "m4.json", "-o", "m4.eml")
    return (desk.folder / "m4.json").read_bytes()


@pytest.mark.parametrize("is_replaced", [False, True], ids=["a new file", "a file that goes on"])
@pytest.mark.parametrize("is_known", [False, True], ids=["not seen", "verified here"])
def test_what_came_is_parsed_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, is_known: bool, is_replaced: bool
) -> None:
    """It is searched for, verified, compared with the file that it replaces, and with the others of
    its folder.
    """
    game = mailed(desk, monkeypatch)
    if not is_known:
        shutil.rmtree(desk.folder / ".home" / "cache" / "pbem" / "replay")
    output = desk.folder / "away" / "mine.json"
    output.parent.mkdir()
    for name in ("older.json", "mine.json")[: 1 + is_replaced]:
        output.with_name(name).write_bytes((desk.folder / "m3.json").read_bytes())
    with parsed(monkeypatch) as found:
        told = desk.done("read", "m4.eml", "--key", "ana.key", "-o", str(output))
    assert output.read_bytes() == game
    assert ("replacing" in told) == is_replaced
    assert found == [len(format.read(game))]


@pytest.mark.parametrize("change", [lambda raw: raw.replace(b"\n", b"\r\n"), gzip.compress])
def test_a_file_of_another_layout_is_replaced_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, change: Callable[[bytes], bytes]
) -> None:
    """It is compared entry by entry, then."""
    game = mailed(desk, monkeypatch)
    there = desk.folder / "there.json"
    there.write_bytes(change((desk.folder / "m3.json").read_bytes()))
    assert "replacing" in desk.done("read", "m4.eml", "--key", "ana.key", "-o", "there.json")
    assert there.read_bytes() == game


@pytest.mark.parametrize("given", ["m4.eml", "m4.json"])
def test_a_turn_reads_its_game_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, given: str
) -> None:
    """From the mail that came, or the file, to the mail that goes back."""
    from pbem.cli import game_file, read
    from pbem.play.snapshot import read_game

    mailed(desk, monkeypatch)
    readings: list[int] = []

    def counted(raw: bytes, *more: Any, **named: Any) -> Any:
        readings.append(len(raw))
        return read_game(raw, *more, **named)

    for module in (game_file, read):
        monkeypatch.setattr(module, "read_game", counted)
    words = ("turn", given, "--key", "ana.key", "--to", "beto@example.org", "--yes")
    told = desk.pbem(*words)
    assert told.code == 0 and ".eml" in told.out, told
    assert len(readings) == 1
