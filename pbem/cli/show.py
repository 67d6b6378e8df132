"""pbem show: the board, as far as one side may know it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from pbem.cli import files, report
from pbem.cli.options import NEW_FILE, takes
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
    click.option("--svg", type=NEW_FILE, help="Draw the board into this file."),
    click.option("--png", type=NEW_FILE, help="The same as a PNG; needs pbem[picture]."),
    "as_json",
)  # fmt: skip
def command(
    request: Request, space: str | None, side: str | None, entry: int | None, since: int | None,
    svg: Path | None, png: Path | None,
) -> None:  # fmt: skip
    """Show the board: every region with its units, or one SPACE and what is next to it.

    With a key your hand is shown too. Hidden cards of the other side never are.
    A picture with --since has arrows for what moved and fought.

    Example: pbem show game.pbem.json madrid --key ana.key
    """
    from pbem.engine.model import Side
    from pbem.play import seen
    from pbem.play.systems import known_side

    if space is not None and (svg or png or since is not None):
        raise click.UsageError("--since, --svg and --png are for the whole board: leave SPACE out")
    game = load_game(request.game_file, request, whole=since is not None)
    if side is not None:
        known_side(game.opened, side)
    last = len(game.fold.entries) - 1
    at = last if entry is None else entry
    for number in (at, since or 0):
        check_there(game, number)
    if since is not None and since >= at:
        raise click.UsageError(f"--since {since} is not before entry {at}")
    key = load_key(request.key_file, request) if request.key_file else None
    now = game if at == last else seen.at_entry(game, at)
    with about(request.key_file or request.game_file):
        found = seen.seen(now, key, None if side is None else Side(side), since)
    if svg or png:
        _picture(found, svg, png, request.as_json)
    elif since is not None:
        _changes(found, request.as_json)
    else:
        _board(found, space, request.as_json)


def _picture(found: Any, svg: Path | None, png: Path | None, as_json: bool) -> None:
    from pbem.cli.pictures import as_png
    from pbem.render.maps.svg import picture

    drawn = picture(
        found.board, found.sheet, found.scene, found.title, found.moment, found.strokes,
        found.before,
    )  # fmt: skip
    contents = [(svg, drawn.encode())] if svg else []
    contents += [(png, as_png(drawn))] if png else []
    for path, content in contents:
        files.write_new(path, content)
    written = [str(path) for path, _ in contents]
    if as_json:
        report.as_json({**found.head(), "written": written})
    else:
        report.say(*(f"written: {path}" for path in written))


def _changes(found: Any, as_json: bool) -> None:
    from pbem.render.maps.changes import changes

    told = [*changes(found.board, found.before, found.scene)]
    if as_json:
        report.as_json({**found.head(), "since": found.since, "changes": told})
        return
    report.say(f"{found.title}: {found.moment}", f"since entry {found.since}:",
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
