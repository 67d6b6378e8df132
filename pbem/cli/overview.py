"""All games of a folder at a glance: whose turn it is, since when, and which file is next."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from typing import Any

from pbem.cli import folder, opponents, report
from pbem.cli.files import StrPath
from pbem.cli.folder import CROSSED, FORKED, OLDER, SAME, FolderGame
from pbem.cli.game_file import load_game
from pbem.cli.request import Request
from pbem.cli.seats import seat_of
from pbem.cli.seen import against_it
from pbem.gamefile.in_play import other
from pbem.gamefile.rotation import first_key
from pbem.messages import Message, Row, Said, indented, say, say_many
from pbem.platforms import quote
from pbem.play.game import Game
from pbem.play.next_steps import next_lines, writes_next
from pbem.play.season import where_it_stands
from pbem.play.titles import title
from pbem.problems import Problem, Refused
from pbem.value import replace, value


@value
class Overview:
    """One game of a folder, told in `lines`; `game` is None if its newest file does not verify, or
    nothing can be said of it.
    """

    found: FolderGame
    path: str
    since: str
    game: Game | None = None
    player: str | None = None
    opponent: str = ""
    problems: tuple[Problem, ...] = ()
    lines: tuple[Said, ...] = ()

    @property
    def is_yours(self) -> bool:
        """Whether the owner of the key must write."""
        return self.game is not None and writes_next(self.game, self.player)


def tell(where: StrPath, request: Request) -> bool:
    """Prints the contents of a folder; returns whether every game could be read. Raises Refused,
    also where there is none, as every command does that looks for a game there.
    """
    found = folder.usable(where, key=request.key_file)
    faults = (*found.unread, *found.left_out)
    games = [_overview(where, each, request) for each in found.games]
    games.sort(key=lambda each: not each.is_yours)
    if request.as_json:
        report.as_json(
            {
                "games": [_plain(each) for each in games],
                "others": list(found.strangers),
                "problems": [each.plain() for each in faults],
            }
        )
    else:
        report.tell(*(line for each in games for line in each.lines))
        if found.strangers:
            report.tell(say("not a game file: {files}", files=Row(found.strangers)))
        report.problems(faults, as_json=False)
    if not (games or faults):
        raise folder.no_game(where)
    return not faults and all(each.game is not None for each in games)


def _overview(where: StrPath, found: FolderGame, request: Request) -> Overview:
    path = os.path.normpath(os.path.join(where, found.newest))
    since = time.strftime("%Y-%m-%d", time.localtime(os.stat(path).st_mtime))
    nothing = Overview(found, path, since)
    try:  # whatever a file says that cannot be told, the other games of the folder are
        told = _read(nothing, request)
        return replace(told, lines=tuple(_lines(told)))
    except Refused as refused:
        placed = tuple(each.placed_at(path) for each in refused.problems)
        told = replace(nothing, problems=placed)
        return replace(told, lines=tuple(_lines(told)))


def _read(told: Overview, request: Request) -> Overview:
    """A game with its seats, and what speaks against its file. Raises Refused."""
    game = load_game(told.path, request)
    player = seat_of(game, request.key_file)
    against = against_it(game, player, request)[1]
    return replace(
        told, game=game, player=player, opponent=_opponent(game, player),
        problems=against.problems if against else (),
    )  # fmt: skip


def _opponent(game: Game, player: str | None) -> str:
    if player is None:
        return ""
    known = opponents.all_contacts().owner(first_key(game.fold.machine, other(player)))
    return known.name if known else ""


def _who_plays(game: Game, told: Overview) -> Message:
    """The title, the player's side and their opponent, as far as they are known."""
    if not told.player:
        return title(game)
    own = {"title": title(game), "player": game.called(told.player)}
    if not told.opponent:
        return say("{title}; you are {player}", **own)
    return say("{title}; you are {player}, against {opponent}", **own, opponent=told.opponent)


def _lines(told: Overview) -> Iterator[Said]:
    """A game in a few lines."""
    name, game, others = told.found.newest, told.game, told.found.others
    yield name
    if game is None:
        yield indented(say("cannot be used: {reason}", reason=told.problems[0].message))
    else:
        yield indented(_who_plays(game, told))
        yield indented(
            say(
                "{where}, entry {entry} of {date}", where=where_it_stands(game),
                entry=told.found.entries - 1, date=told.since,
            )
        )  # fmt: skip
        yield from map(indented, next_lines(game, told.player))
        if told.is_yours:
            yield indented(say("your turn: pbem turn {file}", file=quote(told.path)))
        for each in told.problems:
            fault = say("stale or forked: {reason}; {hint}", reason=each.message, hint=each.hint)
            yield indented(fault)
    if others[OLDER]:
        yield indented(say_many(
            "number", "{number} older file of it", "{number} older files of it",
            number=len(others[OLDER]),
        ))  # fmt: skip
    if others[SAME]:
        yield indented(say("the same again: {files}", files=Row(others[SAME])))
    if others[CROSSED]:
        yield indented(
            say(
                "not used, because another entry counts in its place: {files}",
                files=Row(others[CROSSED]),
            )
        )
    for way in others[FORKED]:
        both = " ".join(map(quote, (name, way)))
        yield indented(
            say("{file} diverges: pbem prove-fork {files} -o proof.json", file=way, files=both)
        )


def _plain(told: Overview) -> dict[str, Any]:
    game = told.game
    pen = game.fold.pen if game is not None else None
    return {
        "file": told.found.newest,
        "entry": told.found.entries - 1,
        "date": told.since,
        "title": str(title(game)) if game else None,
        "stands": str(where_it_stands(game)) if game else None,
        "you": game.side_of(told.player) if game and told.player else None,
        "opponent": told.opponent or None,
        "to_write": game.side_of(pen) if game and pen else None,
        "yours": told.is_yours,
        **{sort: list(told.found.others[sort]) for sort in (OLDER, SAME, FORKED, CROSSED)},
        "problems": [each.plain() for each in told.problems],
    }
