"""pbem apply: the main job."""

from __future__ import annotations

import click

from pbem.cli.options import takes
from pbem.cli.request import APPLY, Request


@click.command("apply")
@takes(*APPLY)
def command(request: Request) -> None:
    """Send what you owe, carry out your orders and write the next game file.

    Without ORDERS it does only what needs no decision: accept or start a game, roll the dice. What
    you send is final. A solo game needs no key.

    Example: pbem apply game.pbem.json orders.yaml --key ana.key -o reply.pbem.json
    """
    from pbem.cli.reply import KeyMissing, reply

    try:
        reply(request)
    except KeyMissing as missing:
        raise click.UsageError(str(missing)) from None
