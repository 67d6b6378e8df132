"""pbem prove-fork: two stories of a game, signed by one player."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import files, kinds, report
from pbem.cli.game_file import read_game_file, unverified
from pbem.cli.options import GAME, PRINTABLE, takes
from pbem.cli.request import Misused, Request, is_printed
from pbem.gamefile.fold import replay
from pbem.messages import Said, indented, marked, say
from pbem.play.game import opening
from pbem.play.order_lines import said

if TYPE_CHECKING:
    from pbem.gamefile.fork import Fork, NoFork, Story

MOST_ORDERS = 20


@click.command("prove-fork")
@takes(
    click.argument("first", metavar="FILE1", type=GAME),
    click.argument("second", metavar="[FILE2]", type=GAME, required=False),
    "data",
    click.option("-o", "--output", type=PRINTABLE,
                 help="Write the proof to a file, for others to check; - prints it."),
    "as_json",
)  # fmt: skip
def command(request: Request, first: Path, second: Path | None, output: Path | None) -> None:
    """Prove that one player has signed two different versions of a game.

    FILE1 and FILE2 are two files of the game, of any length; or FILE1 alone is a proof written
    earlier, which is checked. A fork is two entries written in turn after the same entry (one of
    them may follow what the opponent had written beside the turn), or two entries written beside
    the turn on the same entry. Both must be legal. An entry that the rules refuse and its
    correction are no fork, and neither are two mails that crossed. The exit code is 0 if there is a
    proof, and 1 if there is none.

    Example: pbem prove-fork old.pbem.json new.pbem.json -o proof.json
    """
    printed = is_printed(output, request.as_json)
    found = _found(first, second, request)
    if printed:
        report.put(found[0].bytes())
        return
    if output is not None:
        files.write_new(output, found[0].bytes())
    if request.as_json:
        proven = {**found[0].plain(), "key": found[0].key.hex()}
        report.as_json({**proven, "proven": [each.by for each in found]})
        return
    for each in found:
        report.tell(*_sentences(each, request))
    if output is not None:
        report.tell(say("written: {path}", path=str(output)))


def _found(first: Path, second: Path | None, request: Request) -> tuple[Fork, ...]:
    """The proofs in two files. Raises NoFork, or Unverified if nothing can be said."""
    from pbem.gamefile.fork import NoFork

    told, others = _stories(first), _stories(second) if second else ()
    if second is None and len(told) == 1:
        raise Misused(say("name two files to compare, or one file that is a proof"))
    pairs = [(one, other) for one in told for other in others] or [(told[0], told[-1])]
    refusals = []
    for one, other in pairs:
        with unverified(first):
            found = _between(one, other, request)
        if not isinstance(found, NoFork):
            return found
        refusals.append(found)
    raise refusals[0]


def _between(one: Story, other: Story, request: Request) -> tuple[Fork, ...] | NoFork:
    from pbem.gamefile.fork import NoFork, find_all

    try:
        return find_all(one, other, opening(request.library))
    except NoFork as refusal:
        return refusal


def _stories(path: Path) -> tuple[Story, ...]:
    from pbem.gamefile.fork import stories

    raw = read_game_file(path, kinds.PROOF)
    with unverified(path):
        return stories(raw)


def _sentences(found: Fork, request: Request) -> list[Said]:
    """The proof, worded for readers who do not know the format."""
    from pbem.gamefile.keys import game_fingerprint, key_fingerprint

    table = replay(found.common, opening(request.library)).in_play
    proposal = found.common[0].steps[0]
    side = proposal["sides"][found.by.lower()]
    where = (
        say("game {fingerprint}", fingerprint=game_fingerprint(found.game))
        if found.game
        else say("the proposal of a game")
    )
    return [
        say(
            "proven: player {by} ({side}) has signed two different versions",
            by=found.by, side=side,
        ),
        say(
            "  of {where}, which diverge after entry {entry}, {id}",
            where=where, entry=found.seq - 1, id=found.common[-1].id,
        ),
        *_signers(found, key_fingerprint(found.key)),
        *_told(marked("one: entry {entry}, {id}"), found.lines[0], table),
        *_told(marked("the other: entry {entry}, {id}"), found.lines[1], table),
        say("both signatures are valid, and the rules allow either story"),
        say("no mail program, and nobody without that key, could have made them"),
    ]  # fmt: skip


def _signers(found: Fork, key: str) -> list[Said]:
    """Whose `key` signed the two entries: the player's, or that of their deputy."""
    if found.by_deputy == (True, True):
        return [say("  with the key {fingerprint} of the player's deputy", fingerprint=key)]
    if any(found.by_deputy):
        return [
            say("  one with the key of the player, the other with that of the deputy they named"),
            say("  what a deputy signs counts as the player's; perhaps both wrote at once"),
        ]
    return [say("  with the key {fingerprint}", fingerprint=key)]


def _told(which: str, line: Story, table: Any) -> list[Said]:
    *notes, entry = line
    lines: list[Said] = [say(which, entry=entry.seq, id=entry.id)]
    if notes:
        beside = ", ".join(str(note.seq) for note in notes)
        lines.append(
            say("  follows entry {entry}, which the other player wrote out of turn", entry=beside)
        )
    for step in entry.steps:
        orders = step.get("list", step.get("answers", []))
        lines += [indented(line) for line in _orders(step["do"], orders, table)]
    return lines


def _orders(kind: str, orders: list[Any], table: Any) -> list[Said]:
    """Orders as the players of the game write them, where the lines part."""
    if not orders:
        return [kind]
    told: list[Said] = [f"{kind}: {said(table, order)}" for order in orders[:MOST_ORDERS]]
    left = len(orders) - MOST_ORDERS
    return [*told, say("and {count} more", count=left)] if left > 0 else told
