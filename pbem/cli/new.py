"""pbem new: the proposal of a game."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from pbem.cli import choices, files, kinds, opponents, own_name, report
from pbem.cli.game_file import keep_data
from pbem.cli.keyfiles import load_key, public_in_file, read_key, spare_key, without_here
from pbem.cli.kinds import NO_KEY
from pbem.cli.options import GAME as FILE_OF_A_KEY
from pbem.cli.options import takes
from pbem.cli.reply import put
from pbem.cli.report import about
from pbem.cli.request import Request
from pbem.cli.seats import told_key
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.shapes import AFTER_SILENCE, MOST_DAYS
from pbem.messages import either, say
from pbem.platforms import quote
from pbem.play.game import opening, tool, with_fold
from pbem.play.systems import known_options, known_side, named_options

OWN_KEY = say("ask your opponent for theirs; to play against yourself, use pbem solo")


def _match(context: click.Context, parameter: click.Parameter, text: str) -> str:
    if len(text) > 100 or "\n" in text:
        raise click.BadParameter(
            report.for_reader(say("the name of a match is one line of at most 100 characters"))
        )
    return text


def _silence(
    context: click.Context, parameter: click.Parameter, text: str | None
) -> Mapping[str, Any] | None:
    """The terms for silence, as DAYS:THEN writes them."""
    if text is None:
        return None
    days, _, then = text.partition(":")
    number = int(days) if days.isascii() and days.isdecimal() and len(days) < 4 else 0
    if not 0 < number <= MOST_DAYS or then not in AFTER_SILENCE:
        raise click.BadParameter(
            report.for_reader(
                say(
                    "write the days (1 to {most}), a colon and what follows: {then}, as in "
                    "21:result",
                    most=MOST_DAYS, then=either(AFTER_SILENCE),
                )
            )
        )  # fmt: skip
    return {"days": number, "then": then}


def _key_of_director(path: Path) -> bytes:
    raw = kinds.read_as(kinds.PUBLIC, path, files.KEY_LIMIT, say("the director's key"))
    return public_in_file(path, raw)[0]


@click.command("new")
@takes(
    *choices.OF_A_NEW_GAME,
    click.option("--side", shell_complete=choices.completes(choices.sides, of="system"),
                 help="The side you play; your opponent plays the other."),
    "key_file", "passphrase_fd",
    click.option("--opponent", "them", metavar="THEM",
                 shell_complete=choices.completes_opponents,
                 help="Your opponent's public key file, or the name of a contact."),
    choices.RULES,
    "data",
    click.option("--match", "match", default="", callback=_match,
                 help="The name of the match that the game belongs to."),
    click.option("--silence", "silence", metavar="DAYS:THEN", callback=_silence,
                 help="Terms for silence: after so many days without an answer, who waits may "
                 "claim; then follows a pause, a deputy or a result (21:result)."),
    click.option("--director", "director", metavar="KEY.pub", type=FILE_OF_A_KEY,
                 help="Public key of a director, who may give more days, replace a silent player, "
                 "and declare a result."),
    "output", "spare", "no_record", "as_json",
)  # fmt: skip
def command(
    request: Request, system: str | None, scenario: str | None, side: str | None,
    them: str | None, options: tuple[str, ...], match: str, silence: Mapping[str, Any] | None,
    director: Path | None,
) -> None:  # fmt: skip
    """Propose a game of SCENARIO of SYSTEM.

    The first orders come after four mails: this proposal, the acceptance, your start, and the dice
    from your opponent that deal the cards. If your side moves second, they come after three: your
    opponent's dice and first orders are in one mail. So let whoever moves second propose.

    In a terminal you are asked for whatever you leave out.

    Example: pbem new crusade campaign --side nationalist --key ana.key --opponent beto.key.pub
    """
    game, scenario = choices.game_and_scenario(request, system, scenario)
    side = choices.asked(side, "--side", say("Your side"), lambda: choices.sides(game.system.slug),
                         lambda answer: known_side(game, answer))  # fmt: skip
    known_side(game, side)
    key_file = choices.asked(request.key_file, "--key", say("Your private key file"), dict,
                             read_key, help=NO_KEY)  # fmt: skip
    options = named_options(game, options)
    known_options(game, scenario, options)
    if them is not None:
        opponents.opponent_of(them)  # before a passphrase is asked for

    def somebody_else(named: str) -> tuple[str, bytes]:
        found = opponents.opponent_of(named)
        if found[1] == key.public:
            with about(named):
                raise FileRefused("E-KEY", say("that is your own key"), hint=OWN_KEY)
        return found

    key = load_key(key_file, request, without=without_here())
    them = choices.asked(
        them, "--opponent", say("Your opponent (a contact, or a public key file)"),
        choices.contacts, somebody_else,
    )  # fmt: skip
    name, theirs = somebody_else(them)
    with about(Path(them)):
        met = opponents.meet(name, theirs)
    other = next(each for each in game.system.sides if each != side)
    proposal = Proposal(
        ruleset=game.ruleset, data=game.digest, fixes=game.fixes, scenario=scenario,
        sides={"a": side, "b": other}, options=dict.fromkeys(options, True), match=match,
        silence=silence, director=None if director is None else _key_of_director(director),
    )  # fmt: skip
    composed = propose(
        key,
        theirs,
        proposal,
        opening(request.library),
        nonce=secrets.token_bytes(16),
        tool=tool(),
        spare=spare_key(request),
    )
    proposed = with_fold(composed.fold, library=request.library)
    path = Path(put(proposed, "A", request))
    opponents.keep(met.keep)
    keep_data(game, request)
    begun = opponents.unanswered(proposed, os.path.dirname(path))
    begun += opponents.unfinished(theirs, match)
    with_key = told_key(key_file, key)
    if request.as_json:
        report.as_json(
            {"file": str(path), "side": side, "scenario": scenario, "data": game.digest,
             "own_data": list(game.own), "opponent": [*met.notes, *begun],
             "key": list(with_key)}
        )  # fmt: skip
    else:
        named = next(each.title for each in game.system.scenarios() if each.id == scenario)
        report.tell(
            say(
                "{path} proposes a game of {title}, {scenario}; you are the {side} player",
                path=str(path),
                title=game.system.title,
                scenario=say(named),
                side=say(game.system.words.of_side(side)),
            ),
            say(
                "send it to your opponent: pbem mail {file} writes the message, which tells them "
                "how to accept",
                file=quote(str(path)),
            ),
        )
        if game.own:
            report.tell(
                say(
                    "it is played with your own data: send your opponent the same folder, which "
                    "they name with --data; its digest is {digest}",
                    digest=game.digest[:16],
                )
            )
        for line in (*with_key, *met.notes, *begun):
            report.tell(say("note: {what}", what=line))
    own_name.ask_for_one(key_file, request)
