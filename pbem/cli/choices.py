"""The choices for a new game: asked in a terminal, completed by a shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from pbem.cli import folder, opponents
from pbem.cli.files import StrPath
from pbem.cli.request import Request
from pbem.games import GAMES
from pbem.play.systems import SHIPPED, OpenedGame, known_scenario
from pbem.problems import Refused
from pbem.text.wording import may_be

Choices = Mapping[str, str]
"""The words that may be written, each with its title."""
Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def systems() -> Choices:
    """The games."""
    return {slug: SHIPPED.to_begin(slug).system.title for slug in GAMES}


def scenarios(system: str) -> Choices:
    """The scenarios of a game. Raises Refused for an unknown game."""
    return {each.id: each.title for each in SHIPPED.to_begin(system).system.scenarios()}


def sides(system: str) -> Choices:
    """The sides of a game. Raises Refused for an unknown game."""
    return dict.fromkeys(SHIPPED.to_begin(system).system.sides, "")


def options(system: str) -> Choices:
    """The rules options of a game. Raises Refused for an unknown game."""
    return {each.id: str(each.title) for each in SHIPPED.to_begin(system).system.options()}


def contacts() -> Choices:
    """The names of one's opponents. Raises Refused for a damaged list."""
    return {each.name: each.fingerprint for each in opponents.all_contacts().all}


def games() -> Choices:
    """The newest file of each game in this folder. Raises Refused."""
    return {each.newest: "" for each in folder.listing(os.curdir).games}


def completes(found: Callable[..., Choices], *, of: str = "") -> Completion:
    """Completes a word; `of` is the first argument, if the choices depend on it.

    If nothing can be found, nothing is offered: a shell shows no errors.
    """

    def complete(
        context: click.Context, parameter: click.Parameter, begun: str
    ) -> list[CompletionItem]:
        try:
            # click does not read arguments after an option whose value is still missing
            known = found(context.params[of] or "".join(context.args[:1])) if of else found()
        except Refused:
            return []
        return [
            CompletionItem(each, help=title or None)
            for each, title in known.items()
            if each.startswith(begun)
        ]

    return complete


OF_A_NEW_GAME = (
    click.argument("system", required=False, shell_complete=completes(systems)),
    click.argument("scenario", required=False, shell_complete=completes(scenarios, of="system")),
)
RULES = click.option(
    "--option", "options", multiple=True, help="A rules option (see pbem games).",
    shell_complete=completes(options, of="system"),
)  # fmt: skip


def asked(given: StrPath | None, name: str, question: str, found: Callable[[], Choices]) -> str:
    """The given value, or the answer in a terminal; `name` is the word of the command.

    Raises MissingParameter if nobody can be asked.
    """
    if given is not None:
        return os.fspath(given)
    if not is_attended():
        kind = "option" if name.startswith("-") else "argument"
        could = may_be(found())
        told = f"{could[0].upper()}{could[1:]}." if could else f"{question}."
        raise click.MissingParameter(told, param_hint=f"'{name}'", param_type=kind)
    known = found()
    wide = max(map(len, known), default=0)
    for each, title in known.items():
        click.echo(f"  {each:{wide}}  {title}".rstrip())
    only = next(iter(known)) if len(known) == 1 else None
    answer: Any = click.prompt(question, default=only)
    return str(answer)


def game_and_scenario(
    request: Request, system: str | None, scenario: str | None
) -> tuple[OpenedGame, str]:
    """The game to begin, and the scenario. Raises Refused for unknown ones."""
    game = request.library.to_begin(asked(system, "SYSTEM", "Which game", systems))
    slug = game.system.slug
    named = asked(scenario, "SCENARIO", "Which scenario", lambda: scenarios(slug))
    known_scenario(game, named)
    return game, named


def is_attended() -> bool:
    """Whether a person is at a terminal and can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()
