"""pbem data: where the values come from, and whether an owner's folder is sound."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from pbem.cli import choices, report
from pbem.cli.options import FOLDER, completes_systems, takes
from pbem.cli.request import Request
from pbem.gamedata.changes import Change, changes
from pbem.gamedata.check import judge, shipped, shipped_whole
from pbem.gamedata.game import declared_by
from pbem.gamedata.load import schema
from pbem.gamedata.merge import OF_ITS_OWN, SAME_AS
from pbem.gamedata.sources import WORDS, Sourced, sources
from pbem.gamedata.where import SCENARIOS, kind
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
    whole = judge(folder, declared_by(GAMES[slug].package)).whole
    problems = [
        problem
        for scenario in game.system.scenarios()
        for problem in setup_check(game, scenario.id, frozenset(scenario.needs), whole)
    ]
    if problems:
        raise Refused(*problems)
    values = _sourced(slug, whole)
    if as_json:
        report.as_json(
            {
                "system": slug, "folder": str(folder), "digest": game.digest,
                "ours": ours.digest, "files": list(game.own),
                "changes": [
                    {"file": file, "entry": each.entry, "key": each.key,
                     "ours": each.ours, "own": each.own}
                    for file in game.own for each in _changes(file, slug, whole) or ()
                ],
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
        report.tell("", *_of_file(file, slug, whole, values))


def _sourced(slug: str, documents: Mapping[str, Any]) -> list[Any]:
    """Every value of the files, with its source."""
    told = declared_by(GAMES[slug].package).accounts
    return [each for file, found in documents.items() for each in sources(file, found, told)]


def _of_file(
    file: str, slug: str, whole: Mapping[str, Any], values: Iterable[Sourced]
) -> Iterator[Said]:
    """What an owner's file changes; a scenario entirely their own is only named."""
    title, changed = whole[file].value.get("title", ""), _changes(file, slug, whole)
    if changed is None:
        yield say("{file}: a scenario of yours, {title}", file=file, title=title)
        return
    if file not in shipped(slug):
        like = whole[file].value[SAME_AS]
        yield say("{file}: a scenario of yours, {title}, like {other} but for this", file=file,
                  title=title, other=like)  # fmt: skip
    elif changed:
        yield say("{file}: yours", file=file)
    else:
        yield say("{file}: yours, with the values of ours", file=file)
    notes = {(v.entry, v.key): v.note for v in values if v.file == file and v.word == "own"}
    for entry, each in groupby(changed, key=lambda change: change.entry):
        told = Row(tuple(_told(change, notes) for change in each), "; ")
        yield (
            say("  {entry}: {changes}", entry=entry, changes=told)
            if entry
            else say("  {changes}", changes=told)
        )


def _changes(file: str, slug: str, whole: Mapping[str, Any]) -> list[Change] | None:
    """What a file of an owner changes; None if it is a scenario like no other."""
    ours = shipped_whole(slug)
    found = whole[file].value
    base = ours.get(file) or whole.get(f"{SCENARIOS}/{found.get(SAME_AS)}.yaml")
    if base is None:
        return None
    differing = changes(schema(slug, kind(file)), base.value, found)
    return [each for each in differing if file in ours or each.key not in OF_ITS_OWN]


def _told(change: Change, notes: Mapping[tuple[str, str], str]) -> Said:
    if not change.key:
        return (
            say("left out")
            if change.own is None
            else say("new, {values}", values=_short(change.own))
        )
    note = notes.get((change.entry, change.key.partition(" ")[0]), "")
    words = {"key": change.key, "own": _short(change.own), "ours": _short(change.ours)}
    if note:
        return say("{key} {own} (ours: {ours}; {note})", **words, note=note)
    return say("{key} {own} (ours: {ours})", **words)


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
