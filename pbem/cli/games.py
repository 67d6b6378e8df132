"""pbem games: what can be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click
from click.core import ParameterSource

from pbem.cli import report
from pbem.cli.options import completes_systems, takes
from pbem.cli.request import Misused, Request
from pbem.games import GAMES
from pbem.messages import Row, Said, say
from pbem.play.systems import opened


@click.command("games")
@click.pass_context
@takes(
    click.argument("system", required=False, shell_complete=completes_systems), "data", "as_json"
)
def command(context: click.Context, request: Request, system: str | None) -> None:
    """List the games with their scenarios and options, or those of one SYSTEM.

    With --data DIR your own scenarios in that folder are listed too.

    Example: pbem games crusade
    """
    if system is None and context.get_parameter_source("data") == ParameterSource.COMMANDLINE:
        raise Misused(say("say which game --data is for: pbem games SYSTEM --data DIR"))
    games = [request.library.to_begin(system)] if system else [opened(slug) for slug in GAMES]
    if request.as_json:
        report.as_json([_described(game) for game in games])
        return
    for game in games:
        report.tell(*_lines(game.system))


def _lines(system: Any) -> Iterator[Said]:
    yield f"{system.slug}: {system.title}"
    yield say("  sides: {sides}", sides=", ".join(system.sides))
    yield say("  scenarios:")
    for each in system.scenarios():
        yield _line(each, say(each.title), _terms(each.needs, each.excludes))
    yield say("  options:")
    for each in system.options():
        title = say("{title} [{rule}]", title=say(each.title), rule=each.rule)
        yield _line(each, title, _terms(each.needs))


def _line(each: Any, title: Said, terms: tuple[Said, ...]) -> Said:
    if not terms:
        return say("    {id}: {title}", id=each.id, title=title)
    return say("    {id}: {title} ({terms})", id=each.id, title=title, terms=Row(terms))


def _terms(needs: Iterable[str], excludes: Iterable[str] = ()) -> tuple[Said, ...]:
    """The options that a scenario or an option requires or excludes."""
    return (
        *(say("only with {name}", name=name) for name in needs),
        *(say("not with {name}", name=name) for name in excludes),
    )


def _described(game: Any) -> dict[str, Any]:
    system = game.system
    return {
        "id": system.slug,
        "title": system.title,
        "sides": list(system.sides),
        "scenarios": [{"id": each.id, "title": each.title} for each in system.scenarios()],
        "options": [
            {"id": each.id, "rule": each.rule, "title": each.title} for each in system.options()
        ],
    }
