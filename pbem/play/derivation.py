"""How a die came about, step by step, so that anybody can work it out again with openssl."""

from __future__ import annotations

from typing import Any

from pbem.gamefile.beacons import DiceRecord
from pbem.gamefile.journal import Completed, Rolled
from pbem.play.game import Game


def derivation(record: DiceRecord, entry: int) -> dict[str, Any]:
    """The whole derivation of a die or a sample that an entry brought, for machines."""
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
        "label": record.label, "purpose": str(record.purpose), "faces": record.faces,
        "face": record.face, "of": record.of, "picked": list(record.picked), "words": words,
    }  # fmt: skip


def proofs(game: Game) -> dict[tuple[int, str], tuple[str, ...]]:
    """For each entry and label of a roll, how its faces were derived, in lines."""
    found: dict[tuple[int, str], tuple[str, ...]] = {}
    beacons: dict[int, str] = {}
    for item in game.fold.told():
        if isinstance(item, Completed):
            beacons[item.n] = item.command
        elif isinstance(item, Rolled):
            for record in item.records:
                roll = derivation(record, item.place.entry)
                head = (
                    f"{record.label}: {outcome(roll)}",
                    f"$ {beacons[record.beacon]}",
                    f"beacon {record.beacon} = {roll['value']}",
                )
                words = (
                    line for word in roll["words"] for line in (f"$ {word['command']}",
                    word["block"], reading(word))
                )  # fmt: skip
                found[item.place.entry, record.label] = (*head, *words)
    return found


def outcome(roll: dict[str, Any]) -> str:
    """What a derivation came to, in words."""
    if roll["faces"]:
        return f"{roll['face']} (one more than the word gives)"
    return f"positions {', '.join(str(n) for n in roll['picked'])} of {roll['of']}, from 0"


def reading(word: dict[str, Any]) -> str:
    """How a number is read from the block of a word."""
    number = int(word["raw"], 16)
    span = 256 ** (len(word["raw"]) // 2)
    limit = span // word["size"] * word["size"]
    return (
        f"the first word below {limit} is 0x{word['raw']} = {number}, "
        f"and {number} mod {word['size']} = {word['value']}"
    )
