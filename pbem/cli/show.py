"""pbem show: the board, as far as one side may know it."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli import report
from pbem.cli.options import takes
from pbem.cli.request import KEY, Request
from pbem.cli.shared import about, check_there, load_game, load_key


@click.command("show")
@takes(
    "game_file",
    click.argument("space", required=False),
    "data", *KEY,
    click.option("--side",
                 help="The side from which the board is seen; by default that of the key."),
    click.option("--entry", type=click.IntRange(0),
                 help="The moment behind this entry of the file."),
    click.option("--since", type=click.IntRange(0), help="What has changed since this entry."),
    "as_json",
)  # fmt: skip
def command(
    request: Request, space: str | None, side: str | None, entry: int | None, since: int | None
) -> None:
    """Show the board: every region with its units, or one SPACE and what is next to it.

    With a key your hand is shown too. Hidden cards of the other side never are.

    Example: pbem show game.pbem.json madrid --key ana.key
    """
    from pbem.play.systems import known_side

    if space is not None and since is not None:
        raise click.UsageError("--since tells of the whole board: leave SPACE out")
    game = load_game(request.game_file, request)
    if side is not None:
        known_side(game.opened, side)
    last = len(game.fold.entries) - 1
    at = last if entry is None else entry
    for number in (at, since or 0):
        check_there(game, number)
    if since is not None and since >= at:
        raise click.UsageError(f"--since {since} is not before entry {at}")
    key = load_key(request.key_file, request) if request.key_file else None

    def table(number: int) -> Any:
        from pbem.engine.model import Side
        from pbem.play import seen

        then = game if number == last else seen.at_entry(game, number)
        with about(request.key_file or request.game_file):
            return seen.seen(then, key, None if side is None else Side(side))

    if since is not None:
        _changes(table(since), table(at), since, request.as_json)
    else:
        _board(table(at), space, request.as_json)


def _changes(before: Any, after: Any, since: int, as_json: bool) -> None:
    from pbem.render.maps.changes import changes

    told = [*changes(after.board, before.scene, after.scene)]
    if as_json:
        report.as_json({**after.head(), "since": since, "changes": told})
        return
    report.say(f"{after.title}: {after.moment}", f"since entry {since}:",
               *(f"  {line}" for line in told or ["nothing on the board has changed"]))  # fmt: skip


def _board(found: Any, space: str | None, as_json: bool) -> None:
    from pbem.cli import screen
    from pbem.play.seen import plain, spot_named
    from pbem.render.maps import text

    spot = None if space is None else spot_named(found, space)
    shown = found.board, found.scene
    if as_json:
        report.as_json(plain(found, spot))
    elif spot is None:
        screen.show(text.whole(*shown, found.title, found.moment))
    else:
        screen.show(text.close(*shown, spot, found.title, found.moment))
