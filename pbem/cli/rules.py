"""pbem rules: the numbered rules, how the program implements them, and where."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import click

from pbem.cli import files, report
from pbem.cli.options import takes
from pbem.cli.request import Request
from pbem.messages import Said, say
from pbem.problems import Problem, UnknownName

COVERAGE_LIMIT = 8 << 20
Rule = dict[str, Any]


@click.command("rules")
@takes(
    click.argument("system"),
    click.argument("number", required=False),
    click.option("--code", "with_code", is_flag=True,
                 help="Name the code that enforces the rule, and its tests."),
    "as_json",
)  # fmt: skip
def command(request: Request, system: str, number: str | None, with_code: bool) -> None:
    """List the numbered rules of SYSTEM, or show how rule NUMBER and its parts are enforced.

    The titles are ours; the text is in the rulebook. The event of a card counts as a rule. If a
    rule can be read in more than one way, its entry says how it is read here.

    Example: pbem rules crusade 11.3
    """
    from pbem.play.systems import opened

    slug = opened(system).system.slug
    told = _coverage(slug)
    found = told["rules"] if number is None else _found(told["rules"], number)
    if request.as_json:
        report.as_json({"system": slug, "title": told["title"], "rules": found})
    elif number is None:
        report.tell(*_overview(told["title"], found))
    elif len(found) == 1:
        report.tell(*_whole(slug, found[0], with_code))
    else:
        report.tell(*_parts(found))


def _coverage(slug: str) -> Any:
    """The matrix that `make matrix` combined from rulebook, code, data and tests."""
    from pbem.gamedata.where import data_folder

    raw = files.read_bytes(
        data_folder(slug) / "coverage.json", COVERAGE_LIMIT, say("the list of rules")
    )
    return json.loads(raw)


def _found(rules: list[Rule], number: str) -> list[Rule]:
    """A rule and those below it. If its number begins with its chapter, the rest of it is
    enough.
    """
    wanted = number.strip().rstrip(".").casefold()
    chapters = dict.fromkeys(rule["number"].partition(" ")[0] for rule in rules)
    for name in (wanted, *(f"{chapter.casefold()} {wanted}" for chapter in chapters)):
        below = (f"{name}.", f"{name}/")
        found = [
            rule
            for rule in rules
            if rule["number"].casefold() == name or rule["number"].casefold().startswith(below)
        ]
        if found:
            return found
    raise UnknownName(_unknown(rules, number))


def _unknown(rules: list[Rule], number: str) -> Problem:
    from pbem.text.wording import did_you_mean, quoted

    numbers = [rule["number"] for rule in rules]
    parent = number
    while "." in parent:  # the nearest rule above, before any guess
        parent = parent.rpartition(".")[0]
        if parent in numbers:
            hint: Said = say(
                "{parent} is there, and so are its parts: pbem rules shows them", parent=parent
            )
            return Problem(
                "unknown-rule", say("there is no rule {number}", number=quoted(number)), hint=hint
            )
    hint = did_you_mean(number, numbers) or say("leave the number out to see all of them")
    return Problem(
        "unknown-rule", say("there is no rule {number}", number=quoted(number)), hint=hint
    )


def _overview(title: str, rules: list[Rule]) -> Iterator[str]:
    from pbem.text.wording import counted

    yield f"{title}: {counted(len(rules), 'rule')}"
    yield from _parts(rules)


def _parts(rules: list[Rule]) -> Iterator[str]:
    width = max(len(rule["number"]) for rule in rules)
    for rule in rules:
        yield f"{rule['number']:{width}}  {rule['title']} ({_kept(rule)})"


def _kept(rule: Rule) -> str:
    """How a rule is implemented, in a word or two."""
    words = {
        "data": "in the data", "setup": "in the scenarios", "umpire": "for the players",
        "omitted": "left out",
    }  # fmt: skip
    if rule["kind"] not in words and not rule["code"]:
        return "not kept yet"
    word: str = (
        "heading" if rule["why"].startswith("a heading") else words.get(rule["kind"], "kept")
    )
    return f"{word}, read" if rule["readings"] else word


PLACES = (("code", "code"), ("data", "data"), ("tests", "test"))
"""Where a rule is implemented and tested, for readers of the code."""


def _whole(slug: str, rule: Rule, with_code: bool) -> Iterator[str]:
    from pbem.text.wording import counted

    yield f"{rule['number']}  {rule['title']} ({_kept(rule)})"
    if rule["why"]:
        yield f"  why: {rule['why']}"
    yield from (f"  read: {reading}" for reading in rule["readings"])
    if with_code:
        yield from (f"  {word}: {place}" for key, word in PLACES for place in rule[key])
    elif rule["code"] or rule["tests"]:
        yield from (f"  kept by {place}{_what_it_does(slug, place)}" for place in rule["code"])
        yield f"  shown by {counted(len(rule['tests']), 'test')} (--code names them)"


def _what_it_does(slug: str, place: str) -> str:
    """The first paragraph of a rule function's docstring, or its name in words, after a colon."""
    from importlib import import_module

    from pbem.games import GAMES

    package = GAMES[slug].package
    words = place.split(".")
    for cut in range(len(words) - 1, 0, -1):
        try:
            found: Any = import_module(".".join((package, *words[:cut])))
        except ImportError:
            continue
        for name in words[cut:]:
            found = getattr(found, name, None)
        about = (getattr(found, "__doc__", None) or "").strip().partition("\n\n")[0]
        name = words[-1].replace("_", " ")
        told = " ".join(about.split()) or (name if " " in name else "")
        return f": {told}" if told else ""
    return ""
