"""The choices for a new game: asked in a terminal, completed by a shell."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import click
from click.shell_completion import CompletionItem

from pbem.cli import folder, opponents, report
from pbem.cli.files import StrPath
from pbem.cli.request import Request
from pbem.games import GAMES
from pbem.messages import Said, say
from pbem.play.systems import SHIPPED, OpenedGame, known_scenario
from pbem.problems import Refused
from pbem.text.wording import may_be

Choices = Mapping[str, str]
"""The words that may be written, each with its title."""
YES, NO = ("y", "yes", "s", "si", "sí"), ("n", "no")
"""The answers to a question of yes or no, in English and in Spanish."""
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


def completes_opponents(
    context: click.Context, parameter: click.Parameter, begun: str
) -> list[CompletionItem]:
    """Contacts, or else files, since an opponent who is not one yet is named by their key file."""
    found = completes(contacts)(context, parameter, begun)
    return found or [CompletionItem(begun, type="file")]


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
    "--option", "options", multiple=True,
    help="A rules option, by its name or the number of its rule (see pbem games).",
    shell_complete=completes(options, of="system"),
)  # fmt: skip


TRIES = 3
"""How often a question is asked before the command gives up."""


def asked(
    given: StrPath | None, name: str, question: Said, found: Callable[[], Choices],
    judge: Callable[[str], Any] = str, help: Said = "",
) -> str:  # fmt: skip
    """The given value, or the answer in a terminal; `name` is the word of the command, and `help`
    is for those who have no answer.

    Raises MissingParameter if nobody can be asked. An answer that `judge` refuses is asked for
    again; the last refusal is raised.
    """
    if given is not None:
        return os.fspath(given)
    if not is_attended():
        kind = "option" if name.startswith("-") else "argument"
        told = report.for_reader(say("{clause}.", clause=may_be(found()) or question))
        told = told[0].upper() + told[1:]
        if help:
            hint = report.for_reader(help)
            told = f"{told} {hint[0].upper()}{hint[1:]}."
        raise click.MissingParameter(told, param_hint=f"'{name}'", param_type=kind)
    known = found()
    wide = max(map(len, known), default=0)
    for each, title in known.items():
        report.tell(f"  {each:{wide}}  {report.worded(say(title))}".rstrip())
    only = next(iter(known)) if len(known) == 1 else None
    for left in reversed(range(TRIES)):
        answer = _typed(question, only, help)
        try:
            judge(answer)
        except Refused as refused:
            if not left:
                raise
            report.problems(refused.problems, as_json=False)
        else:
            break
    return answer


def _typed(question: Said, only: str | None, help: Said) -> str:
    """What is typed; Return alone takes the only choice, and is no answer where there are more."""
    while True:
        line = click.prompt(report.asking(question), default=only or "", show_default=bool(only))
        if answer := str(line).strip():
            return answer
        report.tell(say("an answer is needed; Ctrl+C stops"), *([help] if help else ()))


def agreed(question: Said, *, default: bool = False) -> bool:
    """Whether the person at the terminal says yes, in English or in Spanish.

    Return means `default`; whoever says neither yes nor no has not agreed.
    """
    for _ in range(TRIES):
        typed = click.prompt(
            report.asking(
                say("{question} [Y/n]" if default else "{question} [y/N]", question=question)
            ),
            default="",
            show_default=False,
        )
        said = str(typed).strip().lower()
        if said in YES or said in NO:
            return said in YES
        if not said:
            return default
        report.tell(say("type y for yes, or n for no"))
    return False


def game_and_scenario(
    request: Request, system: str | None, scenario: str | None
) -> tuple[OpenedGame, str]:
    """The game to begin, and the scenario. Raises Refused for unknown ones."""
    begin = request.library.to_begin
    game = begin(asked(system, "SYSTEM", say("Which game"), systems, begin))
    slug = game.system.slug
    named = asked(scenario, "SCENARIO", say("Which scenario"), lambda: scenarios(slug),
                  lambda answer: known_scenario(game, answer))  # fmt: skip
    known_scenario(game, named)
    return game, named


def is_attended() -> bool:
    """Whether a person is at a terminal and can be asked."""
    return sys.stdin.isatty() and sys.stdout.isatty()
