"""pbem audit: what was kept hidden, shown when the game is over."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli import report
from pbem.cli.options import takes
from pbem.cli.report import about
from pbem.cli.request import SIGNING, Request
from pbem.cli.sending import entry_by_key, game_for_two
from pbem.gamefile.errors import FileRefused
from pbem.messages import say


@click.command("audit")
@takes("game_file", *SIGNING, usual_key=False)
@click.option(
    "--lost", is_flag=True, help="The keys of earlier secrets that are not given are lost."
)
def command(request: Request, lost: bool) -> None:
    """Reveal what you kept hidden, once the game is over; without a key, show both audits.

    A result is provisional until the winner has done so. The game is then replayed with your cards
    known, here and by everybody who reads the file. This opens nothing of any other game.

    The player who must write next shows first. If you show beside the turn, your entry may cross
    your opponent's in the mail; then send it again on top of theirs. If you resigned beside the
    turn, wait until your opponent has taken the resignation.

    If you continued with new secrets, name the key of each earlier set with --secrets. What a lost
    key hid stays hidden: say --lost, and every report will say so too.

    Example: pbem audit game.pbem.json --key ana.key
    """
    if request.key_file is None:
        game = game_for_two(request)
        with about(request.game_file):
            _is_over(game)
        _tell(game, request.as_json)
        return

    def shown(game: Any, key: Any, player: str) -> Any:
        from pbem.play.answer import audited

        _is_over(game)
        return audited(game, key, lost=lost)

    entry_by_key(request, shown, what=say("an audit"))


def _is_over(game: Any) -> None:
    if game.fold.phase != "over":
        raise FileRefused(
            "E-TURN",
            say("the game is not over, and nothing hidden is revealed before the end"),
            hint=say("pbem status shows whose turn it is to write"),
        )


def _tell(game: Any, as_json: bool) -> None:
    """Prints the state of the audits. The file was verified, so every audit in it is good."""
    from pbem.cli.status import plain
    from pbem.gamefile.notes import not_taken
    from pbem.play.next_steps import next_lines

    machine = game.fold.machine
    if as_json:
        shown = {game.side_of(player): player in machine.hidden.audited for player in game.seats}
        report.as_json({"shown": shown, "status": plain(game, None)})
        return
    lines = [
        say(
            "{called} has revealed what they kept hidden; it matches what they were bound "
            "to, and every move was legal with those {pieces}",
            called=game.called(player),
            pieces=say(game.opened.system.words.pieces),
        )
        for player in game.seats
        if player in machine.hidden.audited
    ]
    if not machine.hides_something:
        lines.append(
            say("nothing was hidden in this game, so no audit is needed")
            if not_taken(machine) is None
            else say(
                "nothing was hidden in this game, but the resignation has not been accepted yet"
            )
        )
    elif not game.fold.is_provisional:
        lines.append(say("the result stands"))
    report.tell(*lines, *next_lines(game, None))
