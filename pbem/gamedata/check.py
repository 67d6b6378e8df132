"""The checks of a folder of data: as files, as YAML, by its schemas, and as a whole.

For the data we ship, and for the folder of a player who owns the printed game. Such a folder
contains only what differs; the rest is taken from the game as shipped. It may come by mail from
anyone, so it is read with care: regular files under known names, bounded in size and number, no
links.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any

from pbem import platforms
from pbem.gamedata import folders
from pbem.gamedata.game import Folder, GameData
from pbem.gamedata.load import counted_files, document, schema, sharing_of
from pbem.gamedata.merge import (
    Overlaid,
    alone,
    lay_over,
    partial,
    partial_of_one_that_shares,
    shares,
    without_sources,
)
from pbem.gamedata.scenarios import offered, scenario_problems
from pbem.gamedata.where import SCENARIOS, UNCOUNTED, data_folder, file_of, kind
from pbem.messages import Said, say
from pbem.problems import Problem, Refused, Span, reason
from pbem.text.schema import schema_problems
from pbem.text.wording import did_you_mean, quoted
from pbem.text.yamlsource import Document

LARGEST_FILE = 512 << 10
LARGEST_FOLDER = 4 << 20
MOST_FILES = 400
MOST_SCENARIOS = 60
SCENARIO_FILE = re.compile(r"[a-z0-9_]{1,40}\.yaml")
DATA_SUFFIXES = (".yaml", ".yml", ".json")


@dataclass(frozen=True)
class JudgedData:
    """A folder's files, the result together with ours, and everything that is wrong."""

    files: Mapping[str, bytes]
    whole: Mapping[str, Document | Overlaid]
    """The documents including what scenarios share with others."""
    problems: tuple[Problem, ...]
    laid: Mapping[str, Document | Overlaid] = field(default_factory=dict)
    """The documents without that: what each file says, the owner's over ours."""


def check(folder: Path, game: GameData, *, alone: bool = False) -> list[Problem]:
    """Every problem of a folder, laid over the game's data or as a whole game `alone`."""
    return list(judge(folder, game, alone=alone).problems)


def judge(folder: Path, game: GameData, *, alone: bool = False) -> JudgedData:
    """Reads and judges a folder.

    Later questions are only asked where the earlier ones found nothing: the files, YAML, schemas,
    and then the whole.
    """
    try:
        files = read_folder(folder, game)
        own = _documents(folder, files)
        laid = _standing_alone(folder, own, game) if alone else _laid(own, game)
        whole = _with_what_is_shared(laid, game.slug)
    except Refused as refused:
        explained = (_with_ours_explained(folder, each) for each in refused.problems)
        return JudgedData({}, {}, tuple(explained))
    together = Folder(whole)
    problems = [*offered(together), *game.checks(together)]
    problems += scenario_problems(together, game)
    explained = (_with_ours_explained(folder, each) for each in problems)
    # What scenarios share would be reported for each of them.
    return JudgedData(files, whole, tuple(dict.fromkeys(explained)), laid)


def _with_what_is_shared(
    laid: Mapping[str, Document | Overlaid], slug: str
) -> Mapping[str, Document | Overlaid]:
    """The documents; scenarios that are `same_as` another laid over it, and whole."""
    found = sharing_of(slug, laid)
    _refuse(problem for each in found.values() for problem in each.problems)
    if found:
        whole = without_sources(schema(slug, "scenario"))
        _refuse(problem for each in found.values() for problem in _unfitting(each, whole))
    return {**laid, **found}


def _documents(folder: Path, files: Mapping[str, bytes]) -> dict[str, Document]:
    found: dict[str, Document] = {}
    problems: list[Problem] = []
    for path, content in files.items():
        try:
            found[path] = document(str(folder / path), content)
        except Refused as refused:
            problems += refused.problems
    if problems:
        raise Refused(*problems)
    return found


def _standing_alone(
    folder: Path, own: Mapping[str, Document], game: GameData
) -> Mapping[str, Document]:
    _refuse(
        problem
        for path, found in own.items()
        for problem in _unfitting(found, _schema_of_ours(game.slug, path, found))
    )
    _refuse(
        Problem(
            "missing-file",
            say("the folder has no {file}", file=file_of(part)),
            Span(str(folder), 0, 0),
        )
        for part in game.parts
        if file_of(part) not in own
    )
    return own


def _schema_of_ours(slug: str, path: str, found: Document) -> Mapping[str, Any]:
    """The schema of a file of a whole game, which says where its values come from."""
    whole = schema(slug, kind(path))
    return partial_of_one_that_shares(whole) if shares(found.value) else whole


def _laid(own: Mapping[str, Document], game: GameData) -> Mapping[str, Document | Overlaid]:
    """The game's files with the owner's over them."""
    slug, ours = game.slug, shipped(game.slug)
    _refuse(
        problem
        for path, found in own.items()
        for problem in _unfitting(found, _schema_of(slug, path, found, whole=path not in ours))
    )
    laid = {
        path: lay_over(ours[path], found, schema(slug, kind(path)))
        if path in ours
        else alone(found)
        for path, found in own.items()
    }
    _refuse(problem for each in laid.values() for problem in each.problems)
    _refuse(problem for each in laid.values() for problem in _needed(each, game))
    _refuse(
        problem
        for path, each in laid.items()
        for problem in _unfitting(each, _schema_of(slug, path, each, whole=True))
    )
    return {**ours, **laid}


def _unfitting(found: Any, fitting: Mapping[str, Any]) -> Iterator[Problem]:
    """Judges a document, or two of them laid one over the other, against a schema.

    An entry that ours lacks, and that is incomplete, may be one of ours with a mistake in it.
    """
    added = found.added if isinstance(found, Overlaid) else {}
    for problem in schema_problems(found, fitting, name="the file"):
        name, ours = added.get(problem.span or found.span(()), ("", ()))
        yield replace(problem, hint=(name and did_you_mean(name, ours)) or problem.hint)


def _refuse(problems: Iterator[Problem]) -> None:
    found = tuple(problems)
    if found:
        raise Refused(*found)


def _needed(laid: Overlaid, game: GameData) -> Iterator[Problem]:
    """Entries that the rules name cannot be left out."""
    for listed, name, at in laid.left_out:
        if game.is_needed(listed, name):
            message = say("the rules name {name}, so it cannot be left out", name=name)
            yield Problem("needed", message, laid.own.span(at))


def _schema_of(
    slug: str, path: str, found: Document | Overlaid, *, whole: bool
) -> Mapping[str, Any]:
    """The schema of an owner's file: whole where we have none, else of what may differ."""
    return _schema_for(slug, kind(path), whole=whole, shared=shares(found.value))


@cache
def _schema_for(slug: str, name: str, *, whole: bool, shared: bool) -> Mapping[str, Any]:
    found = without_sources(schema(slug, name))
    if whole and shared:
        return partial_of_one_that_shares(found)
    return found if whole else partial(found)


@cache
def shipped(slug: str) -> Mapping[str, Document]:
    """The game's own documents."""
    files = counted_files(data_folder(slug))
    return {path: document(f"data/{slug}/{path}", content) for path, content in files.items()}


def shipped_whole(slug: str) -> Mapping[str, Document | Overlaid]:
    """The game's own documents, including what scenarios share with others."""
    return _with_what_is_shared(shipped(slug), slug)


def _with_ours_explained(folder: Path, problem: Problem) -> Problem:
    """A problem at a line of ours, explained: it comes from the folder all the same."""
    if problem.span is None or problem.span.file.startswith(str(folder)):
        return problem
    told = say("this line of ours no longer fits your folder; replace it too")
    hint = say("{hint}; {told}", hint=problem.hint, told=told) if problem.hint else told
    return replace(problem, hint=hint)


# ---------------------------------------------------------------- reading with care


def read_folder(folder: Path, game: GameData) -> dict[str, bytes]:
    """The files that count, by their path below the folder; Refused with all that is wrong."""
    problems: list[Problem] = []
    found: dict[str, bytes] = {}
    folders.check_there(folder)
    for path in _paths(folder, game, problems):
        content = _content(folder / path, problems)
        if content is not None:
            found[path] = content
    if sum(map(len, found.values())) > LARGEST_FOLDER:
        message = say(
            "the folder has more than {largest_folder} MiB", largest_folder=LARGEST_FOLDER >> 20
        )
        problems.append(_at(folder, "too-long", message))
    if problems:
        raise Refused(*problems)
    return dict(sorted(found.items()))


def _paths(folder: Path, game: GameData, problems: list[Problem]) -> Iterator[str]:
    known = [file_of(part) for part in game.parts]
    for name in _names(folder, problems):
        if name in known:
            yield name
        elif name == SCENARIOS:
            yield from _scenario_paths(folder / SCENARIOS, problems)
        elif name.lower().endswith(DATA_SUFFIXES) and name not in UNCOUNTED:
            # A file under a wrong name would silently not count.
            message = say("{name} is not a file of a game's data", name=quoted(name))
            problems.append(_at(folder / name, "unknown-file", message, did_you_mean(name, known)))


def _scenario_paths(folder: Path, problems: list[Problem]) -> Iterator[str]:
    if os.path.islink(folder) or not os.path.isdir(folder):
        problems.append(_at(folder, "not-a-folder", say("scenarios must be a folder, and no link")))
        return
    count = 0
    for name in _names(folder, problems):
        if SCENARIO_FILE.fullmatch(name):
            count += 1
            yield f"{SCENARIOS}/{name}"
        elif name.lower().endswith(DATA_SUFFIXES):
            message = say("{name} cannot be the name of a scenario", name=quoted(name))
            hint = say("lower-case letters, digits and underscores, then .yaml")
            problems.append(_at(folder / name, "unknown-file", message, hint))
    if count > MOST_SCENARIOS:
        problems.append(
            _at(
                folder,
                "too-many",
                say("more than {most_scenarios} scenarios", most_scenarios=MOST_SCENARIOS),
            )
        )


def _names(folder: Path, problems: list[Problem]) -> list[str]:
    """The names in a folder, sorted; too many are not read."""
    found: list[str] = []
    try:
        with os.scandir(folder) as listed:
            for each in listed:
                found.append(each.name)
                if len(found) > MOST_FILES:
                    problems.append(
                        _at(
                            folder,
                            "too-many",
                            say("more than {most_files} files", most_files=MOST_FILES),
                        )
                    )
                    return []
    except OSError as error:
        problems.append(_at(folder, "unreadable", _reason(error)))
    return sorted(found)


def _content(file: Path, problems: list[Problem]) -> bytes | None:
    """The content of a regular file that is not a link, opened without waiting."""
    try:
        if os.path.islink(file):
            problems.append(
                _at(
                    file,
                    "linked-file",
                    say("this is a link to another file"),
                    say("put the file itself here"),
                )
            )
            return None
        handle = platforms.reading(file, links=False)
        with os.fdopen(handle, "rb") as opened:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                problems.append(_at(file, "not-a-file", say("this is not a regular file")))
                return None
            content = opened.read(LARGEST_FILE + 1)
    except OSError as error:
        problems.append(_at(file, "unreadable", _reason(error)))
        return None
    if len(content) > LARGEST_FILE:
        message = say("the file has more than {largest_file} KiB", largest_file=LARGEST_FILE >> 10)
        problems.append(_at(file, "too-long", message, say("is this the right file?")))
        return None
    return content


def _reason(error: OSError) -> Said:
    return say("it cannot be read: {strerror}", strerror=reason(error))


def _at(path: Path, code: str, message: Said, hint: Said = "") -> Problem:
    return Problem(code, message, Span(str(path), 0, 0), hint=hint)
