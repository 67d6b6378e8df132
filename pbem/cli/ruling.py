"""pbem ruling: what a director signs, and how a player brings it into the game."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem.cli import files, kinds, report
from pbem.cli.keyfiles import load_key
from pbem.cli.options import GAME, Number, takes
from pbem.cli.report import about
from pbem.cli.request import SIGNING, Misused, Request
from pbem.cli.rotate import request_for_a_key
from pbem.cli.sending import entry_by_key, game_for_two
from pbem.cli.settings import time_to_write
from pbem.gamefile import rulings
from pbem.gamefile.canonical import parse
from pbem.gamefile.entry import begin_entry, end_entry, take_step
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.shapes import MOST_DAYS, check_step
from pbem.gamefile.standing_in import with_ruling
from pbem.messages import Said, either, say
from pbem.platforms import quote
from pbem.play.answer import AnsweredGame
from pbem.play.game import tool
from pbem.problems import Problem, Refused, Span
from pbem.text.wording import quoted

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.play.game import Game

NOBODY = "nobody"
OTHERS = "pbem-ruling/"
"""How the format of a ruling begins, whatever its version."""
RULED = ("what", "days", "winner")
"""The members of a step that the director signs."""


@click.command("ruling")
@takes(
    "game_file",
    click.option("--days", type=Number(1), metavar="N",
                 help="As the director: so many more days for what is owed now."),
    click.option("--winner", metavar="SIDE", help="As the director: the winner, or nobody."),
    click.option("--seat", type=GAME, metavar="REQUEST",
                 help="As the director: the seat of the player who must write goes to whoever made "
                 "this request (pbem rotate --ask)."),
    click.option("--enter", "ruling", type=GAME, metavar="RULING",
                 help="As a player: bring the director's ruling into the game."),
    *SIGNING,
)  # fmt: skip
def command(
    request: Request, days: int | None, winner: str | None, seat: Path | None, ruling: Path | None
) -> None:
    """Rule as the director of a game, or bring a ruling into it.

    A game has a director if it was proposed with one (pbem new --director). The director signs no
    entries: a ruling is a small file, made for the end of the file that the director was sent. Send
    it to both players; either of them brings it into the game with --enter, in turn or out of it.

    More days and a new owner of a seat can be passed over by an answer of the player who must
    write. A result is final. The director sees no hand and makes no move; whoever is seated gets no
    secrets either, and goes on with new ones (pbem offer --help).

    Example: pbem ruling game.pbem.json --winner republican --key director.key

    Example: pbem ruling --enter ruling.json
    """
    asked = [each for each in (days, winner, seat, ruling) if each is not None]
    if len(asked) != 1:
        raise Misused(say("write one of --days, --winner, --seat and --enter"))
    if ruling is not None:
        _enter(request, ruling)
        return
    game = game_for_two(request)
    if request.key_file is None:
        raise Misused(say("a ruling needs the director's key: --key FILE"))
    if days is not None and days > MOST_DAYS:
        raise Misused(say("--days is {most} at most", most=MOST_DAYS))
    step = _asked(game, days, winner, seat)
    key = load_key(request.key_file, request)
    with about(request.key_file):
        _check_director(game, key)
    _sign(game, key, step, request)


def _asked(game: Game, days: int | None, winner: str | None, seat: Path | None) -> dict[str, Any]:
    """The step of a ruling, without the director's signature."""
    if days is not None:
        return {"do": "ruling", "what": "extend", "days": days}
    if seat is not None:
        asked = request_for_a_key(game, seat)
        return {"do": "rotate", "new_pub": asked["new_pub"], "proof": asked["proof"],
                "signed_by": "director"}  # fmt: skip
    sides: dict[str, str] = {game.side_of(player): player for player in game.seats}
    if winner != NOBODY and winner not in sides:
        raise Misused(
            say("--winner is {sides}, not {given}", sides=either((*sides, NOBODY)),
                given=quoted(str(winner)))
        )  # fmt: skip
    return {"do": "ruling", "what": "result", "winner": sides.get(str(winner))}


def _check_director(game: Game, key: KeyPair) -> None:
    named = game.fold.proposal.get("director")
    if named != key.public.hex():
        raise FileRefused(
            "E-KEY",
            say("the game was begun without a director")
            if named is None
            else say("this is not the key of the director of this game"),
        )


def _sign(game: Game, key: KeyPair, step: dict[str, Any], request: Request) -> None:
    fold = game.fold
    told: dict[str, Any] = {name: step[name] for name in RULED if name in step}
    if step["do"] == "rotate":
        assert fold.pen is not None, "a request is for the player who must write"
        told = rulings.seating(fold.pen, bytes.fromhex(step["new_pub"]))
    step["sig"] = rulings.signed(key, fold.machine, told)
    if step["do"] == "rotate" or fold.pen is None:
        by = other(fold.pen or "A")
    else:
        by = fold.pen
    with about(request.game_file):
        _tried(game, by, step)
    content = {"format": rulings.FORMAT, "game": fold.game, "prev": fold.head, "step": step}
    path = Path(request.output or f"ruling-{fold.entries[0].id[:8]}-{len(fold.entries)}.json")
    files.write_new(path, (json.dumps(content, indent=1) + "\n").encode())
    if request.as_json:
        report.as_json({"file": str(path), "step": step})
        return
    report.tell(
        say("{path} is your ruling for the game after entry {entry}", path=str(path),
            entry=len(fold.entries) - 1),
        say("send it to both players; one of them brings it into the game: {command}",
            command=f"pbem ruling GAME --enter {quote(path.name)}"),
    )  # fmt: skip


def _tried(game: Game, by: str, step: dict[str, Any]) -> None:
    """Folds what a player would write with a ruling. Raises FileRefused if it would be refused."""
    end_entry(take_step(begin_entry(game.fold.machine, by), step))


def _enter(request: Request, path: Path) -> None:
    content = _read(path)

    def written(game: Game, key: KeyPair, player: str) -> AnsweredGame:
        if (content["game"], content["prev"]) != (game.fold.game, game.fold.head):
            raise Refused(
                _problem(
                    path, say("this ruling is for another game, or for another state of this one"),
                    say("a ruling is for the file that the director was sent; ask for a new one"),
                )
            )  # fmt: skip
        fold = with_ruling(game.fold, key, content["step"], tool=tool(), time=time_to_write(game))
        return AnsweredGame(game.after(fold))

    entry_by_key(request, written, what=say("a ruling"))


def _read(path: Path) -> dict[str, Any]:
    """The content of a ruling. Raises Refused."""
    raw = kinds.read_as(kinds.RULING, path, kinds.MOST_LOOKED_AT, say("the ruling"))
    try:
        found = parse(raw)
    except FileRefused:
        found = None
    members = {"format", "game", "prev", "step"}
    told = found.get("format") if isinstance(found, dict) else None
    if isinstance(told, str) and told.startswith(OTHERS) and told != rulings.FORMAT:
        with about(path):
            raise FileRefused("E-VERSION", say("this ruling needs a newer pbem"))
    if not isinstance(found, dict) or found.keys() != members or told != rulings.FORMAT:
        raise Refused(
            _problem(path, say("this is not a ruling"),
                     say("the director writes one: pbem ruling --help"))
        )  # fmt: skip
    with about(path):
        check_step(found["step"])
    step = found["step"]
    if step["do"] != "ruling" and step.get("signed_by") != "director":
        raise Refused(_problem(path, say("this is not a ruling")))
    return found


def _problem(path: Path, why: Said, hint: Said = "") -> Problem:
    return Problem("ruling", why, Span(str(path), 0, 0), hint=hint)
