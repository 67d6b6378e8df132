"""pbem games: what can be played."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli import report
from pbem.cli.options import json_option


@click.command("games")
@click.argument("system", required=False)
@json_option
def command(system: str | None, as_json: bool) -> None:
    """List the systems, their scenarios and rules options; or those of one SYSTEM.

    Example: pbem games crusade
    """
    from pbem.games import GAMES
    from pbem.play.systems import opened

    described = [_described(opened(slug)) for slug in ([system] if system else GAMES)]
    if as_json:
        report.as_json(described)
        return
    for game in described:
        report.say(f"{game['id']}: {game['title']}", f"  sides: {', '.join(game['sides'])}")
        report.say("  scenarios:", *(f"    {s['id']}: {s['title']}" for s in game["scenarios"]))
        report.say(
            "  options:",
            *(f"    {o['id']}: {o['title']} [{o['rule']}]" for o in game["options"]),
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
