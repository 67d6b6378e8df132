"""pbem apply: the main job."""

from __future__ import annotations

from pbem.cli.files import StrPath
from pbem.cli.reply import reply
from pbem.cli.request import APPLY, Misused, Request, declared, only_one
from pbem.messages import say
from pbem.value import replace


@declared("apply", *APPLY)
def command(request: Request, chosen: StrPath | None) -> None:
    """Send what you owe, carry out your orders and write the next game file.

    Without ORDERS it does only what needs no decision: accept or start a game, roll the dice. What
    you send is final. A solo game needs no key, and against the bot it goes on until you are asked.

    With --bot in place of ORDERS pbem chooses them: in a solo game for the side that is asked, with
    its reasons in the log; by mail for the owner of the key, who may be away, without any reasons.

    Example: pbem apply game.pbem.json orders.yaml --key ana.key -o reply.pbem.json
    """
    request = replace(request, orders_file=only_one(request.orders_file, chosen))
    if request.bot and request.orders_file is not None:
        raise Misused(say("--bot chooses the orders: leave ORDERS out"))
    reply(request)
