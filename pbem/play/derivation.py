"""The derivation of a die, step by step, which anyone can repeat with openssl."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pbem.gamefile.beacons import DiceRecord
from pbem.gamefile.journal import Completed, Rolled
from pbem.messages import Said, say
from pbem.play.game import Game
from pbem.render.log import Line, Paragraph
from pbem.value import value


@value
class Rolls:
    """The rolls of the first `entries` of a game: each record with its entry.

    Also, of each beacon, its number, the command that prints it, and its value in hex.
    """

    entries: int
    records: tuple[tuple[int, DiceRecord], ...]
    beacons: tuple[tuple[int, str, str], ...]


def derivation(record: DiceRecord, entry: int) -> dict[str, Any]:
    """The whole derivation of a die or sample in an entry, for machines."""
    words = [
        {
            "label": word.label, "size": word.size, "counter": word.counter,
            "block": word.block.hex(), "raw": word.raw.hex(), "value": word.value,
            "command": command,
        }
        for word, command in zip(record.words, record.commands(), strict=True)
    ]  # fmt: skip
    return {
        "entry": entry, "beacon": record.beacon, "value": record.value.hex(),
        "label": record.label, "purpose": record.purpose, "faces": record.faces,
        "face": record.face, "of": record.of, "picked": list(record.picked), "words": words,
    }  # fmt: skip


def rolled(game: Game) -> Rolls:
    """Every roll of a game, which must have all its journals, or the story kept in their place."""
    told = game.told if isinstance(game.told, Rolls) else Rolls(0, (), ())
    records, beacons = list(told.records), list(told.beacons)
    for item in game.fold.told():
        if isinstance(item, Completed):
            beacons.append((item.n, item.command, item.value.hex()))
        elif isinstance(item, Rolled):
            records += [(item.place.entry, record) for record in item.records]
    return Rolls(len(game.fold.entries), tuple(records), tuple(beacons))


def rolls(game: Game) -> tuple[list[dict[str, Any]], dict[int, tuple[str, str]]]:
    """The same rolls with their derivations, and by number the command and the value of each
    beacon.
    """
    found = rolled(game)
    beacons = {number: (command, value) for number, command, value in found.beacons}
    return [derivation(record, entry) for entry, record in found.records], beacons


def proofs(game: Game) -> dict[tuple[int, str], tuple[Said, ...]]:
    """For each entry and label of a roll, how its faces were derived, in lines."""
    found, beacons = rolls(game)
    return {(roll["entry"], roll["label"]): (*_proof(roll, beacons),) for roll in found}


def proof(game: Game) -> Callable[[Paragraph, Line], Sequence[Said]]:
    """For a line of the game's story, the derivations of its rolls."""
    derived = proofs(game)
    return lambda paragraph, line: [
        told for label in line.label.split() for told in derived.get((paragraph.seq, label), ())
    ]


def _proof(roll: dict[str, Any], beacons: dict[int, tuple[str, str]]) -> Iterator[Said]:
    yield say("{label}: {outcome}", label=roll["label"], outcome=outcome(roll))
    yield f"$ {beacons[roll['beacon']][0]}"
    yield say("beacon {number} = {value}", number=roll["beacon"], value=roll["value"])
    for word in roll["words"]:
        yield f"$ {word['command']}"
        yield word["block"]
        yield reading(word)


def outcome(roll: dict[str, Any]) -> Said:
    """The result of a derivation, in words."""
    if roll["faces"]:
        return say("{face} (one more than the word gives)", face=roll["face"])
    return say(
        "positions {picked} of {of}, from 0",
        picked=", ".join(str(n) for n in roll["picked"]), of=roll["of"],
    )  # fmt: skip


def reading(word: dict[str, Any]) -> Said:
    """How a number is taken from the words of a digest, in words."""
    number = int(word["raw"], 16)
    span = 256 ** (len(word["raw"]) // 2)
    limit = span // word["size"] * word["size"]
    return say(
        "the first word below {limit} is 0x{raw} = {number}, and {number} mod {size} = {value}",
        limit=limit, raw=word["raw"], number=number, size=word["size"], value=word["value"],
    )  # fmt: skip
