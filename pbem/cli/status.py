"""pbem status: the state of the game."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.cli import opponents, report
from pbem.cli.exits import Exit
from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_of_problems
from pbem.cli.report import about
from pbem.cli.request import FLAG, KEY, PLACE, Misused, OptionRow, Request, declared
from pbem.cli.seats import no_key
from pbem.cli.seen import warn_seen
from pbem.cli.settings import this_minute
from pbem.cli.shown import ENTRY, look, shown
from pbem.engine import public
from pbem.gamefile.errors import FileRefused
from pbem.late import Late
from pbem.messages import Message, Said, indented, marked, say
from pbem.play.next_steps import next_lines, over_then
from pbem.play.now import told_ahead
from pbem.play.titles import is_open, notes, title, which_game
from pbem.play.viewpoint import has_two_stories
from pbem.problems import Problem
from pbem.value import replace
from pbem.words import to_lines

if TYPE_CHECKING:
    from pbem.cli import folder, noted
    from pbem.play import offers, waiting
    from pbem.play.game import Game
    from pbem.play.table import Table
else:
    folder = Late("pbem.cli.folder")
    noted = Late("pbem.cli.noted")
    offers = Late("pbem.play.offers")
    waiting = Late("pbem.play.waiting")

WIDTH = 100


@declared(
    "status", ("given", OptionRow((), PLACE, metavar="[GAME|FOLDER]")),
    "data", *KEY, ENTRY,
    ("as_opponent", OptionRow(("--as-opponent",), FLAG,
                              "Show what your opponent knows of your counters.")),
    "last", "as_json",
)  # fmt: skip
def command(request: Request, given: StrPath | None, entry: int | None, as_opponent: bool) -> Exit:
    """Show the turn, the phase, whose move it is and what each side owes; with a key, your hand.

    If the dice of your next mail have fallen, your key shows the game with them, and a line says
    so; --entry shows it without them.

    Where counters lie face down, your key adds notes on your opponent's: what each may be, and when
    and where each unit was seen last. --as-opponent shows what your opponent knows of yours.

    For a FOLDER every game is listed: whose turn it is, the date of its newest file, which file is
    next, and what is wrong with any. Your own turns come first.

    Example: pbem status game.pbem.json --key ana.key
    """
    if given is not None and os.path.isdir(given):
        return _of_folder(given, request, entry, as_opponent=as_opponent)
    request = replace(request, game_file=given or folder.only_game(request.key_file))
    file = load_game(request.game_file, request)
    if has_two_stories(file):
        file = noted.with_sightings(file, request.game_file, request)
    as_seen = look(file, request, entry, is_public=False)
    key, player = as_seen.key, as_seen.seat
    with about(request.game_file):
        note = warn_seen(file, player, request, request.game_file)
        met = opponents.introduced(file, player, None)
    if as_opponent:
        return _as_opponent(shown(file, None, entry), player, request)
    game = shown(file, key, entry)
    if request.as_json:
        report.as_json({**plain(game, key), "opponent": list(met.notes)})
        return Exit.DONE
    report.tell(*wrapped(lines(game, key, str(request.game_file), player)))
    report.tell(*([as_seen.left_out] if as_seen.left_out else ()))
    for line in (*met.notes, *([note] if note else [])):
        report.tell(say("note: {note}", note=line))
    return Exit.DONE


def _as_opponent(game: Game, player: str | None, request: Request) -> Exit:
    if player is None:
        no_key(game, request, request.game_file)
    told = tuple(noted.as_opponent(game, player))
    if request.as_json:
        report.as_json({"side": game.side_of(player), "lines": list(map(str, told))})
    else:
        report.tell(*wrapped(told))
    return Exit.DONE


def _of_folder(given: StrPath, request: Request, entry: int | None, *, as_opponent: bool) -> Exit:
    from pbem.cli import overview

    if request.last is not None:
        raise Misused(say("--last goes with one game"))
    if entry is not None:
        raise Misused(say("--entry goes with one game"))
    if as_opponent:
        raise Misused(say("--as-opponent goes with one game"))
    return Exit.DONE if overview.tell(given, request) else Exit.UNVERIFIED


def wrapped(lines: Iterable[Said]) -> Iterator[str]:
    """The report in words, with its long lists, below a heading, wrapped."""
    for line in map(report.worded, lines):
        if line.startswith("  ") and len(line) > WIDTH and "#" not in line[:6]:
            yield from to_lines(line.strip(), WIDTH, "  ", "    ", cut=False)
        else:
            yield line


def lines(game: Any, key: Any, file: str = "FILE", player: str | None = None) -> list[Said]:
    """The report in lines; `file` is the path of the game. For a player whose key stays locked
    it has only what is public.
    """
    from pbem.play.fingerprint import in_words
    from pbem.play.terms import in_short, terms, to_accept

    found: list[Said] = [title(game), *notes(game, beside_terms=game.table is None)]
    if game.fold.fingerprint:
        found.append(which_game(game))
        found += in_words(game)
    found += terms(game) if game.table is None else [in_short(game)]
    narration = game.opened.system.narration
    if player is None and key is not None:
        player = game.fold.player_of(key.public)
    view = None
    if player and key is not None and game.table is not None:
        from pbem.play import answering, player_view, standing

        view = player_view.player_view(game, key)
    if game.table is not None:
        found += told_ahead(game)
        position = game.table.state.position
        found.append(game.opened.system.clock(position).words)
        found += narration.summary(position)
        found += _kept(game, {player: view.table} if player and view else {})
    if player and game.table is not None:
        found.append(say("you are {player}", player=game.called(player)))
        if view is not None:
            found += narration.own(view.table.state.position, game.side_of(player))
            found += noted.of_the_opponent(game, player) if has_two_stories(game) else ()
            found += _sealed(game.table, player, view.policies)
            in_force = standing.in_force(game, key, player)
            found += answering.answers(game.table, player, in_force)
        found += _mails(game, player)
    found += to_accept(game, file, player)
    found += next_lines(game, player)
    if "silence" in game.fold.proposal:
        found += waiting.lines(game.filed, this_minute(), player)
    if view is not None and game.fold.machine.agreements.offers:
        found += offers.own_changes_of(game, key)
    return found + over_then(game) + _ordered_now(game.filed, key)


def _kept(game: Any, own: Mapping[str, Table]) -> list[Message]:
    """Orders that were sent ahead of their question, which both players can read; counters that lie
    face down by name to the player whose `own` table is given.
    """
    if not any(map(game.fold.given, game.seats)):
        return []
    from pbem.play.order_lines import said

    return [
        say(
            "{side} order kept for later: {order}",
            side=game.side_told(player),
            order=said(
                own.get(player, game.table),
                each.order,
                game.side_of(player) if player in own else None,
            ),
        )
        for player in game.seats
        for each in game.fold.given(player)
    ]


def _mails(game: Any, player: str) -> list[Said]:
    """The cost of the player's last orders in mails, and the standing orders there are."""
    from pbem.play.forecast import present_forecast, standing_advice

    ahead = present_forecast(game, player)
    return [*(ahead.sentences() if ahead else ()), *standing_advice(game, player)]


def _sealed(table: Table, player: str, policies: Any) -> list[Message]:
    """The player's own standing orders, which only they can read, as they write them."""
    from pbem.play.standing import in_a_line

    return [
        say(
            SEALED if document else UNREADABLE,
            slot=standing.slot,
            entry=standing.sent.entry,
            orders=in_a_line(table, player, document) if document else "",
        )
        for standing, document in policies
    ]


SEALED = marked("your sealed orders {slot} (entry {entry}): {orders}")
UNREADABLE = marked(
    "your sealed orders {slot} (entry {entry}) cannot be read: a broken program made them"
)


def _ordered_now(game: Any, key: Any) -> list[Said]:
    """What the owner of the key may order now, verb by verb, like the comments of a form."""
    if key is None or game.fold.phase != "running":
        return []
    from pbem.play.forms import answered_first, asked_table, ways

    try:
        table = asked_table(game, key)
    except FileRefused as refused:
        return [line for each in _stuck(refused) for line in (
            say("your next mail cannot be written: {why}", why=each.message),
            indented(say("hint: {hint}", hint=each.hint)),
        )]  # fmt: skip
    if table is None:
        return []
    first = answered_first(game, table)
    may = say("you may order:")
    if first:
        may = say("{first}; or order, in {moment}:", first=first, moment=table.clock.words)
    last = say("(pbem form writes these lines into an orders file)")
    return [may, *ways(table, language_of_problems()), last]


def _stuck(refused: FileRefused) -> tuple[Problem, ...]:
    """Why the owner of the key cannot write what comes first in their next mail, each with what
    they can do. Raises any other refusal again.
    """
    if refused.code != STUCK:
        raise refused
    return refused.problems


STUCK = "E-PIECE"
"""The class of a counter that must be shown and cannot be."""


def kept(game: Any, key: Any) -> dict[str, Any]:
    """Orders that were sent ahead of their question, by player, for machines; the owner of the key
    reads their own counters by name. Nothing before the game begins.
    """
    if game.table is None:
        return {}
    given = {player: [each.order for each in game.fold.given(player)] for player in game.seats}
    own = game.fold.player_of(key.public) if key else None
    if own and given[own]:
        from pbem.play.order_lines import named
        from pbem.play.player_view import player_view

        table, side = player_view(game, key).table, game.side_of(own)
        given[own] = [named(table, each, side) for each in given[own]]
    return {"kept": {player: list(map(dict, orders)) for player, orders in given.items()}}


def plain(game: Any, key: Any) -> dict[str, Any]:
    """The report for machines."""
    from pbem.gamefile.fingerprint_words import game_words
    from pbem.play.terms import plain as terms

    fold, written = game.fold, game.filed
    found: dict[str, Any] = {
        "system": game.opened.system.slug,
        "scenario": fold.proposal["scenario"],
        "phase": fold.phase,
        "solo": fold.is_solo,
        "open": is_open(game),
        "options": dict(fold.proposal["options"]),
        "terms": terms(game),
        "game": fold.game,
        "fingerprint": fold.fingerprint,
        "words": game_words(fold.game) if fold.game else None,
        "entry": len(fold.entries) - 1,
        "ahead": fold.is_ahead,
        "sides": dict(game.seats),
        "pen": written.fold.pen,
        "owed": [thing.plain() for thing in written.fold.owed],
        "result": dict(fold.result) if fold.result else None,
        "provisional": fold.is_provisional,
        **offers.plain(written),
    }
    if "silence" in fold.proposal:
        found |= waiting.plain(written, this_minute())
    if game.table is not None:
        position = game.table.state.position
        found["heading"] = str(game.opened.system.clock(position).words)
        found["position"] = public.plain(game.table.public())
        found["asked"] = _asked(game.table.decision)
        found |= kept(game, key)
    player = game.fold.player_of(key.public) if key else None
    if player:
        found["you"] = {"player": player, "side": game.side_of(player), **_wanted(written, key)}
    return found


def _wanted(game: Any, key: Any) -> dict[str, Any]:
    """Whether orders of this player are asked for once they have sent what they owe; or why they
    cannot send it.
    """
    if game.fold.phase != "running":
        return {"orders_wanted": False, "asked": None}
    from pbem.play.now import outlook_of

    try:
        ahead = outlook_of(game, key)
    except FileRefused as refused:
        return {"orders_wanted": False, "asked": None,
                "stuck": [each.plain() for each in _stuck(refused)]}  # fmt: skip
    table: Any = ahead.in_play
    decision = table.decision if ahead.orders_wanted else None
    return {"orders_wanted": ahead.orders_wanted, "asked": _asked(decision)}


def _asked(decision: Any) -> dict[str, Any] | None:
    if decision is None:
        return None
    return {
        "side": decision.side,
        "prompt": str(decision.prompt),
        "rule": decision.rule,
        "verbs": list(dict.fromkeys(option.order.verb for option in decision.options)),
    }
