"""pbem dice: every roll with its derivation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.cli import report
from pbem.cli.game_file import check_there, load_game
from pbem.cli.request import KEY, NUMBER, OptionRow, Request, declared
from pbem.cli.shown import as_decided
from pbem.gamefile.links import ChainLink, links
from pbem.messages import Message, Said, say
from pbem.play.derivation import outcome, reading
from pbem.play.derivation import rolls as derived
from pbem.play.game import Game
from pbem.play.now import told_ahead


@declared(
    "dice", "game_file", "data", *KEY,
    ("entry", OptionRow(("--entry",), NUMBER, "Only the rolls of this entry.")),
    "as_json",
)  # fmt: skip
def command(request: Request, entry: int | None) -> None:
    """List every roll, and how to recompute it with openssl.

    Each line that begins with $ is a command, and prints what stands below it; that of a beacon
    prints what stands above it. They give the face of each die and the beacon it comes from, and
    show that each player's value hashes to the one before it, down to the anchor given before the
    first die: nobody chose it.

    If the dice of your next mail have fallen, your key lists them too, and a line says so: send
    that mail before you show them to anybody. --entry leaves them out.

    Example: pbem dice game.pbem.json --entry 5
    """
    game = load_game(request.game_file, request, told="dice")
    if entry is not None:
        check_there(game, entry)
    else:
        game = as_decided(game, request)
    rolls, beacons = derived(game)
    shown = links(game.fold)
    rolled = dict.fromkeys(str(roll["entry"]) for roll in rolls)
    numbers = sorted(shown)
    if entry is not None:
        rolls = [roll for roll in rolls if roll["entry"] == entry]
        numbers = sorted({roll["beacon"] for roll in rolls})
    if request.as_json:
        of = {n: [each.plain() for each in shown[n]] for n in numbers}
        report.as_json({"ahead": game.fold.is_ahead,
                        "beacons": [{"n": n, "command": beacons.get(n), "values": of[n]}
                                    for n in numbers], "rolls": rolls})  # fmt: skip
        return
    report.tell(*told_ahead(game))
    for at, number in enumerate(numbers):
        report.tell(
            *([""] if at else []),
            *_beacon(game, number, shown[number], beacons.get(number)),
            *_rolls([roll for roll in rolls if roll["beacon"] == number]),
        )
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


def _beacon(
    game: Game, number: int, links: Sequence[ChainLink], made: tuple[str, str] | None
) -> Iterator[Said]:
    """Why nobody chose a beacon: each player's value hashes to what was in the file before."""
    if made is None:
        yield say("beacon {number}: only one player has shown a value", number=number)
    else:
        yield say("beacon {number} = {value}", number=number, value=made[1])
        yield f"  $ {made[0]}"
    for link in links:
        yield say(
            "  value {number} of the {side} player, shown in entry {entry}, hashes to {before}:",
            number=number,
            side=game.side_told(link.player),
            entry=link.entry,
            before=_before(link),
        )
        yield f"  $ {link.command}"
        yield f"    {link.before}"


def _before(link: ChainLink) -> Message:
    if link.of:
        return say("value {number}, shown in entry {entry}", number=link.of, entry=link.bound)
    return say("the anchor given in entry {entry}", entry=link.bound)


def _rolls(rolls: Sequence[dict[str, Any]]) -> Iterator[Said]:
    for roll in rolls:
        yield say(
            "entry {entry}: {purpose} ({label}): {outcome}",
            entry=roll["entry"], purpose=roll["purpose"], label=roll["label"],
            outcome=outcome(roll),
        )  # fmt: skip
        for word in roll["words"]:
            yield f"  $ {word['command']}"
            yield f"    {word['block']}"
            yield say("    {reading}", reading=reading(word))
