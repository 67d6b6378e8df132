"""pbem dice: every roll with its derivation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.cli import report
from pbem.cli.game_file import check_there, load_game
from pbem.cli.request import NUMBER, OptionRow, Request, declared
from pbem.messages import Said, say
from pbem.play.derivation import outcome, reading
from pbem.play.derivation import rolls as derived


@declared(
    "dice", "game_file", "data",
    ("entry", OptionRow(("--entry",), NUMBER, "Only the rolls of this entry.")),
    "as_json",
)  # fmt: skip
def command(request: Request, entry: int | None) -> None:
    """List every roll, and how to recompute it with openssl.

    Example: pbem dice game.pbem.json --entry 5
    """
    game = load_game(request.game_file, request, told="dice")
    if entry is not None:
        check_there(game, entry)
    rolls, beacons = derived(game)
    rolled = dict.fromkeys(str(roll["entry"]) for roll in rolls)
    if entry is not None:
        rolls = [roll for roll in rolls if roll["entry"] == entry]
    if request.as_json:
        commands = {n: beacons[n] for n in sorted({roll["beacon"] for roll in rolls})}
        report.as_json({"beacons": [{"n": n, "command": c} for n, c in commands.items()],
                        "rolls": rolls})  # fmt: skip
        return
    report.tell(*_lines(rolls, beacons))
    if not rolled:
        report.tell(say("nothing has been rolled yet"))
    elif not rolls:
        report.tell(
            say(
                "no roll in entry {entry}; there are rolls in these entries: {entries}",
                entry=entry,
                entries=", ".join(rolled),
            )
        )


def _lines(rolls: Sequence[dict[str, Any]], beacons: Mapping[int, str]) -> Iterator[Said]:
    """The rolls of each beacon, below a line that names it."""
    shown: set[int] = set()
    for roll in rolls:
        number = roll["beacon"]
        if number not in shown:
            if shown:
                yield ""
            shown.add(number)
            yield say("beacon {number} = {value}", number=number, value=roll["value"])
            yield f"  $ {beacons[number]}"
        yield say(
            "entry {entry}: {purpose} ({label}): {outcome}",
            entry=roll["entry"], purpose=roll["purpose"], label=roll["label"],
            outcome=outcome(roll),
        )  # fmt: skip
        for word in roll["words"]:
            yield f"  $ {word['command']}"
            yield f"    {word['block']}"
            yield say("    {reading}", reading=reading(word))
