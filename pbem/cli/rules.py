"""pbem rules: the numbered rules, how the program implements them, and where."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import click

from pbem.cli import files, report
from pbem.cli.options import completes_systems, takes
from pbem.cli.request import Request
from pbem.gamedata.where import data_folder
from pbem.games import GAMES
from pbem.messages import Said, indented, marked, say, say_many
from pbem.play.systems import opened
from pbem.problems import Problem, UnknownName
from pbem.text.wording import did_you_mean, quoted

COVERAGE_LIMIT = 8 << 20
NAMED = re.compile(r"(.*[ .])[A-Z]+[0-9]+")
"""The number of a rule that ends in a name, such as `card R18` or `15.CN7`."""
Rule = dict[str, Any]


@click.command("rules")
@takes(
    click.argument("system", shell_complete=completes_systems),
    click.argument("number", required=False),
    click.option("--code", "with_code", is_flag=True,
                 help="Name the code that enforces the rule, and its tests."),
    click.option("--fixes", "only_fixes", is_flag=True,
                 help="List what was mended in the rules since the first release."),
    "as_json",
)  # fmt: skip
def command(
    request: Request, system: str, number: str | None, with_code: bool, only_fixes: bool
) -> None:
    """List the numbered rules of SYSTEM, or show how rule NUMBER and its parts are enforced.

    The titles are ours; the text is in the rulebook, unless the rule is ours, too. The event of a
    card counts as a rule. If a rule can be read in more than one way, its entry says how it is
    read here.

    A game is played to its end by the fixes it began with; both players may agree to all those of
    today (pbem offer upgrade). A fix that is forced holds in every game.

    Example: pbem rules crusade 11.3

    Example: pbem rules madrid --fixes
    """
    game = opened(system).system
    slug = game.slug
    if only_fixes:
        _fixes(game, number, as_json=request.as_json)
        return
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


def _fixes(game: Any, number: str | None, *, as_json: bool) -> None:
    """The fixes of a game, or those of one rule."""
    found = [fix for fix in game.fixes if number in (None, fix.rule)]
    if as_json:
        listed = [
            {"number": fix.number, "date": fix.date, "rule": fix.rule, "what": str(fix.what),
             "forced": fix.is_forced}
            for fix in found
        ]  # fmt: skip
        report.as_json({"system": game.slug, "title": game.title, "fixes": listed})
        return
    if not found:
        report.tell(
            say("{title}: nothing in the rules was mended since the first release",
                title=game.title)
            if number is None
            else say("{title}: nothing was mended in rule {number}", title=game.title,
                     number=number)
        )  # fmt: skip
    for fix in found:
        told = {"number": fix.number, "date": fix.date, "rule": fix.rule, "what": fix.what}
        report.tell(
            say("{number}  {date}  rule {rule}: {what} (forced: it holds in every game)", **told)
            if fix.is_forced
            else say("{number}  {date}  rule {rule}: {what}", **told)
        )


def _coverage(slug: str) -> Any:
    """The matrix that `make matrix` combined from rulebook, code, data and tests."""
    raw = files.read_bytes(
        data_folder(slug) / "coverage.json", COVERAGE_LIMIT, say("the list of rules")
    )
    return json.loads(raw)


def _found(rules: list[Rule], number: str) -> list[Rule]:
    """A rule and those below it. The name of a card or chit is enough, without what its number
    begins with.
    """
    wanted = number.strip().rstrip(".").casefold()
    named = (NAMED.fullmatch(rule["number"]) for rule in rules)
    before = dict.fromkeys(each[1].casefold() for each in named if each)
    for name in (wanted, *(each + wanted for each in before)):
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


def _overview(title: str, rules: list[Rule]) -> Iterator[Said]:
    yield say_many(
        "count", "{title}: {count} rule", "{title}: {count} rules", title=title, count=len(rules)
    )
    yield from _parts(rules)


def _parts(rules: list[Rule]) -> Iterator[Said]:
    width = max(len(rule["number"]) for rule in rules)
    for rule in rules:
        yield _headline(f"{rule['number']:{width}}", rule)
        yield from _text(rule)


def _text(rule: Rule) -> Iterator[Said]:
    """What a rule of ours says; that of a rulebook is not repeated."""
    if "text" in rule:
        yield indented(say(rule["text"]))


def _headline(number: str, rule: Rule) -> Said:
    title, kept = rule["title"], _kept(rule)
    return say("{number}  {title} ({kept})", number=number, title=title, kept=kept)


KEPT = {
    "data": marked("in the data"), "setup": marked("in the scenarios"),
    "umpire": marked("left to the players"), "omitted": marked("left out"),
}  # fmt: skip


def _kept(rule: Rule) -> Said:
    """How a rule is implemented, in a word or two."""
    if rule["kind"] not in KEPT and not rule["code"]:
        return say("not enforced yet")
    is_heading = rule["why"].startswith("a heading")
    kept = say("heading") if is_heading else say(KEPT.get(rule["kind"], marked("enforced")))
    if rule.get("audit"):
        kept = say("{kept}, kept at the audit", kept=kept)
    return say("{kept}, interpreted", kept=kept) if rule["readings"] else kept


PLACES = (("code", "code"), ("data", "data"), ("tests", "test"))
"""Where a rule is implemented and tested, for readers of the code."""


def _whole(slug: str, rule: Rule, with_code: bool) -> Iterator[Said]:
    yield _headline(rule["number"], rule)
    yield from _text(rule)
    if rule["why"]:
        yield say("  why: {why}", why=rule["why"])
    if rule.get("audit"):
        yield say(
            "  kept at the audit where counters lie face down: only their owner could see a breach"
        )
    yield from (say("  interpretation: {reading}", reading=reading) for reading in rule["readings"])
    if with_code:
        yield from (f"  {word}: {place}" for key, word in PLACES for place in rule[key])
    elif rule["code"] or rule["tests"]:
        for place in rule["code"]:
            yield say("  enforced by {place}", place=f"{place}{_what_it_does(slug, place)}")
        if not rule["tests"]:
            yield say("  no tests (--code names them)")
            return
        yield say_many(
            "count", "  tested by {count} test (--code names them)",
            "  tested by {count} tests (--code names them)", count=len(rule["tests"]),
        )  # fmt: skip


def _what_it_does(slug: str, place: str) -> str:
    """The first paragraph of a rule function's docstring, or its name in words, after a colon."""
    from importlib import import_module

    package = GAMES[slug].package
    words = place.split(".")
    for cut in range(len(words) - 1, 0, -1):
        try:
            found: Any = import_module(".".join((package, *words[:cut])))
        except ImportError:
            continue
        for name in words[cut:]:
            found = getattr(found, name, None)
        about = found.__doc__ or "" if found is not None else ""  # None has one since Python 3.13
        about = about.strip().partition("\n\n")[0]
        name = words[-1].replace("_", " ")
        told = " ".join(about.split()) or (name if " " in name else "")
        return f": {told}" if told else ""
    return ""
