"""pbem board: a board to play at in the browser, served by this machine to itself."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import click

from pbem.cli import addresses, report
from pbem.cli.extras import install
from pbem.cli.languages import language_here
from pbem.cli.options import takes
from pbem.cli.request import KEY, Request
from pbem.messages import say
from pbem.problems import Problem, Refused

NEEDED = ("starlette", "uvicorn")


@click.command("board")
@takes(
    "game_file", "data", *KEY, "last", "no_record", "opponent",
    click.option("--to", metavar="ADDRESS", callback=addresses.address_of,
                 help="Your opponent's mail address."),
    click.option("--no-open", is_flag=True, help="Only print the address; open no browser."),
)  # fmt: skip
def command(request: Request, to: Any, no_open: bool) -> None:
    """Open GAME in your browser as a board to play at. Needs pbem[board].

    Click units and spaces, and the orders grow beside the map; the rules say at once what is legal
    and why not, and show the odds of an attack. Nothing is rolled or signed before you press the
    last button: it does what pbem apply does, and writes the message to send. Your draft is kept in
    a file beside the game. The board is served to this machine alone and ends with its page.

    Example: pbem board game.pbem.json --key ana.key
    """
    if any(find_spec(name) is None for name in NEEDED):
        raise Refused(
            Problem(
                "no-board",
                say("the board needs Starlette and uvicorn, which are not installed"),
                hint=say("{command} installs them", command=install("board")),
            )
        )
    from pbem.cli.board_desk import Desk, serve

    desk = Desk(request, to)
    try:
        serve(desk, language_here(), is_opened=not no_open)
    finally:
        desk.close()
    report.tell(say("the board is closed"))
