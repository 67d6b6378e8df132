"""pbem games: what can be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click
from click.core import ParameterSource

from pbem.cli import report
from pbem.cli.options import takes
from pbem.cli.request import Misused, Request
from pbem.messages import say


@click.command("games")
@click.pass_context
@takes(click.argument("system", required=False), "data", "as_json")
def command(context: click.Context, request: Request, system: str | None) -> None:
    """List the games with their scenarios and options, or those of one SYSTEM.

    With --data DIR your own scenarios in that folder are listed too.

    Example: pbem games crusade
    """
    from pbem.games import GAMES
    from pbem.play.systems import opened

    if system is None and context.get_parameter_source("data") == ParameterSource.COMMANDLINE:
        raise Misused(say("say which game --data is for: pbem games SYSTEM --data DIR"))
    games = [request.library.to_begin(system)] if system else [opened(slug) for slug in GAMES]
    if request.as_json:
        report.as_json([_described(game) for game in games])
        return
    for game in games:
        report.tell(*_lines(game.system))


def _lines(system: Any) -> Iterator[str]:
    yield f"{system.slug}: {system.title}"
    yield f"  sides: {', '.join(system.sides)}"
    yield "  scenarios:"
    yield from (f"    {each.id}: {each.title}{_terms(each.needs, each.excludes)}"
                for each in system.scenarios())  # fmt: skip
    yield "  options:"
    yield from (f"    {each.id}: {each.title} [{each.rule}]{_terms(each.needs)}"
                for each in system.options())  # fmt: skip


def _terms(needs: Iterable[str], excludes: Iterable[str] = ()) -> str:
    """The options that a scenario or an option requires or excludes."""
    terms = [*(f"only with {name}" for name in needs), *(f"not with {name}" for name in excludes)]
    return f" ({', '.join(terms)})" if terms else ""


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
