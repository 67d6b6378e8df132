"""Dice over a beacon: unbiased, named by ordinals, used once, and recomputable with a shell."""

import shutil
import subprocess

import pytest

from pbem.engine.dice import Draw
from pbem.gamefile import beacons
from pbem.gamefile.beacons import (
    BeaconDice,
    beacon_command,
    beacon_value,
    mac,
    macs,
    sample,
    uniform,
)
from pbem.gamefile.errors import FileRefused

VALUE = bytes(range(32))


def dice() -> BeaconDice:
    return BeaconDice(7, VALUE)


def test_labels_count_rolls_and_not_declarations():
    cup = dice()
    pair = [
        Draw("combat/#/att", "fire"),
        Draw("combat/#/def", "fire"),
        Draw("draw/A/#", "a card", of=9, take=2),
    ]
    first, second = cup.roll(pair), cup.roll(pair)
    assert first["combat/#/att"].label == "combat/1/att"
    assert second["combat/#/def"].label == "combat/2/def"
    assert second["draw/A/#"].label == "draw/A/2"
    assert [record.label for record in cup.records][:3] == [
        "combat/1/att",
        "combat/1/def",
        "draw/A/1",
    ]
    assert first["draw/A/#"].picked == sample(VALUE, "draw/A/1", 9, 2)[0]


def test_macs_of_one_key_are_those_of_the_library():
    texts = ["", "pbem1/roll\na\n0", "x" * 200, "again", "again"]
    found = macs(VALUE, [text.encode() for text in texts])
    assert found == [mac(VALUE, text) for text in texts]


@pytest.mark.parametrize("label", ["", "a//b", "/a", "a b", "a/" * 8 + "a", "é", "a\n", "x" * 33])
def test_malformed_labels(label):
    with pytest.raises(FileRefused) as caught:
        dice().roll([Draw(label, "x")])
    assert (caught.value.code, caught.value.rule) == ("E-LABEL", "labels")


def test_a_label_is_used_once():
    cup = dice()
    cup.roll([Draw("weather", "weather")])
    for draws in ([Draw("weather", "again")], [Draw("a/#", "x"), Draw("a/#", "x")]):
        with pytest.raises(FileRefused) as caught:
            cup.roll(draws)
        assert caught.value.code == "E-LABEL"


def test_a_copy_rolls_for_itself():
    cup = dice()
    cup.roll([Draw("die/#", "x")])
    twin = cup.again()
    assert twin.roll([Draw("die/#", "x")])["die/#"].label == "die/2"
    assert cup.roll([Draw("die/#", "x")])["die/#"].label == "die/2"
    assert len(cup.records) == len(twin.records) == 2


def test_all_of_a_list_is_a_shuffle():
    picked, words = sample(VALUE, "s", 20, 50)
    assert sorted(picked) == list(range(20)) and len(words) == 20
    assert sample(VALUE, "s", 0, 3) == ((), ())


@pytest.mark.parametrize("size", [1, 2, 6, 255, 256, 257, 65536, 65537, 1 << 24])
def test_uniform_stays_in_its_range(size):
    values = [uniform(VALUE, f"n/{count}", size) for count in range(200)]
    assert all(0 <= word.value < size for word in values)
    assert size == 1 or len({word.value for word in values}) > 1


SIZES = [(1 << 8, 1), ((1 << 8) + 1, 2), (1 << 16, 2), ((1 << 16) + 1, 3), (1 << 24, 3)]


@pytest.mark.parametrize("size, width", SIZES)
def test_a_number_takes_the_fewest_bytes_that_can_hold_it(size, width):
    assert len(uniform(VALUE, "n", size).raw) == width


@pytest.mark.parametrize("size, word", [(6, b"\xfc"), (257, b"\xff\xff")])
def test_the_first_word_that_would_favour_a_face_is_passed_over(size, word, monkeypatch):
    """252 of 256 bytes make a die, 65,535 of 65,536 pairs of bytes a number below 257."""
    one = (1).to_bytes(len(word), "big")
    blocks = {"pbem1/roll\nn\n0": word * (32 // len(word)), "pbem1/roll\nn\n1": word + one * 32}
    monkeypatch.setattr(beacons, "mac", lambda value, text: blocks[text])
    assert uniform(VALUE, "n", size).value == 1


def test_faces_are_equally_likely():
    counts = [0] * 6
    for count in range(30_000):
        counts[uniform(VALUE, f"d/{count}", 6).value] += 1
    assert sum((seen - 5000) ** 2 / 5000 for seen in counts) < 20.5  # chi2, 5 df, p = 0.001


@pytest.mark.skipif(not shutil.which("openssl"), reason="openssl is not here")
def test_the_printed_commands_give_the_bytes():
    cup = dice()
    cup.roll([Draw("combat/#/att", "fire"), Draw("draw/A/#", "cards", of=30, take=3)])
    for record in cup.records:
        for command, word in zip(record.commands(), record.words, strict=True):
            assert shell(command) == word.block.hex()
            assert word.raw in word.block
    game = "0123456789abcdef" * 4
    value = beacon_value(game, 12, "ab" * 32, "cd" * 32)
    assert shell(beacon_command(game, 12, "ab" * 32, "cd" * 32)) == value.hex()


def shell(command: str) -> str:
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=True, text=True)
    return done.stdout.strip().rpartition(" ")[2]
