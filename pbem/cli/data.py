"""pbem data: where the values come from, and whether an owner's folder is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import click

from pbem.cli import choices, report
from pbem.cli.options import FOLDER, completes_systems, takes
from pbem.cli.request import Request
from pbem.gamedata.check import judge, shipped
from pbem.gamedata.sources import WORDS, sources
from pbem.games import GAMES
from pbem.messages import Row, Said, marked, say
from pbem.play.systems import opened, opened_over
from pbem.problems import Refused


@click.command("data")
@takes(
    click.argument("system", required=False, shell_complete=completes_systems),
    click.argument("folder", metavar="[DIR]", required=False, type=FOLDER),
    "as_json",
)  # fmt: skip
def command(request: Request, system: str | None, folder: Path | None) -> None:
    """List every rebuilt value in the data of SYSTEM, or check your own data in DIR.

    We had the rulebooks, not the printed game: some values are stated by the texts, some are
    derived from them, and the rest is rebuilt. If you own the game, you can lay your own values
    over ours. DIR is read and checked as it would be for a game; nothing is written.

    Example: pbem data crusade my-data
    """
    ours = opened(choices.asked(system, "SYSTEM", say("Which game"), choices.systems, opened))
    if folder is None:
        _list(ours, request.as_json)
    else:
        _check(ours, folder, request.as_json)


COUNTED = {
    "stated": marked("{count} stated"),
    "derived": marked("{count} derived"),
    "rebuilt": marked("{count} rebuilt"),
    "own": marked("{count} your own"),
}
"""How many values are of each word of their sources."""


def _list(ours: Any, as_json: bool) -> None:
    slug = ours.system.slug
    values = _sourced(slug, shipped(slug))
    if as_json:
        report.as_json({"system": slug, "digest": ours.digest, **_plain(values)})
        return
    report.tell(
        say("{title}: the data {digest}", title=ours.system.title, digest=ours.digest[:16]),
        say("in all: {values}", values=_sum(values)),
    )
    for file in dict.fromkeys(each.file for each in values):
        here = [each for each in values if each.file == file]
        report.tell("", say("{file}: {values}", file=file, values=_sum(here)))
        report.tell(*_lines(each for each in here if each.word == "rebuilt"))


def _check(ours: Any, folder: Path, as_json: bool) -> None:
    from pbem.play.setup_check import setup_check

    slug = ours.system.slug
    game = opened_over(slug, folder)
    problems = [
        problem
        for scenario in game.system.scenarios()
        for problem in setup_check(game, scenario.id)
    ]
    if problems:
        raise Refused(*problems)
    whole = judge(folder, GAMES[slug].data).whole
    values = _sourced(slug, whole)
    if as_json:
        report.as_json(
            {
                "system": slug, "folder": str(folder), "digest": game.digest,
                "ours": ours.digest, "files": list(game.own),
                "left_out": [f"{listed} {name}" for file in game.own
                             for listed, name, _ in getattr(whole[file], "left_out", ())],
                **_plain(values),
            }
        )  # fmt: skip
        return
    report.tell(
        say("{folder}: no problems", folder=str(folder)),
        say("the data with it: {digest}", digest=game.digest),
        say("ours alone: {digest}", digest=ours.digest),
        say("together: {values}", values=_sum(values)),
    )
    for file in game.own:
        report.tell(
            "", *_of_file(file, whole[file], [each for each in values if each.file == file])
        )


def _sourced(slug: str, documents: Mapping[str, Any]) -> list[Any]:
    """Every value of the files, with its source."""
    told = GAMES[slug].data.accounts
    return [each for file, found in documents.items() for each in sources(file, found, told)]


def _of_file(file: str, found: Any, values: list[Any]) -> Iterable[Said]:
    """What an owner's file changes; a scenario entirely their own is only named."""
    if found.is_alone:
        yield say("{file}: a scenario of yours, {title}", file=file, title=found.value["title"])
        return
    yield say("{file}: yours", file=file)
    yield from _lines(each for each in values if each.word == "own")
    yield from (
        say("  {listed} {name}: left out", listed=listed, name=name)
        for listed, name, _ in found.left_out
    )


def _plain(values: list[Any]) -> dict[str, Any]:
    files: dict[str, Counter[str]] = {}
    for each in values:
        files.setdefault(each.file, Counter())[each.word] += 1
    return {
        "counts": {file: dict(sorted(counts.items())) for file, counts in files.items()},
        "values": [each.plain() for each in values],
    }


def _sum(values: list[Any]) -> Said:
    counts = Counter(each.word for each in values)
    return say(
        "{counts}",
        counts=Row(tuple(say(COUNTED[word], count=counts[word]) for word in WORDS if counts[word])),
    )


def _lines(values: Iterable[Any]) -> Iterable[str]:
    """A line for each entry: its values, each with its remark."""
    entries: dict[str, list[str]] = {}
    for each in values:
        note = f" ({each.note})" if each.note else ""
        told = f"{each.key} {_short(each.value)}".strip() + note
        entries.setdefault(each.entry, []).append(told)
    for entry, words in entries.items():
        yield f"  {entry}: {'; '.join(words)}" if entry else f"  {'; '.join(words)}"


def _short(value: Any) -> str:
    """A value in a few words; a larger one is only mentioned."""
    words = {None: "none", True: "yes", False: "no"}
    if value is None or isinstance(value, bool):
        return words[value]
    if isinstance(value, list):
        return f"[{', '.join(_short(each) for each in value)}]" if len(value) < 8 else "[...]"
    if isinstance(value, Mapping):
        told = ", ".join(f"{key} {_short(each)}" for key, each in value.items())
        return told if len(value) < 8 else "..."
    return str(value) if len(str(value)) < 100 else "..."
