"""What is wrong with a folder of data: as YAML, by its schemas, and as a whole.

For the tests of the data we ship, and for the folder of a player who owns the printed game. Files
that the folder does not have are taken from the game as shipped.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from pbem.gamedata.cross import Folder, crossed
from pbem.gamedata.load import PARTS, SCENARIOS, counted_files, document, schema
from pbem.gamedata.setups import scenario_problems
from pbem.gamedata.where import data_folder
from pbem.problems import Problem, Refused, Span
from pbem.text.schema import schema_problems
from pbem.text.wording import did_you_mean, quoted
from pbem.text.yamlsource import Document

UNCOUNTED = ("rulebook.yaml",)


def check(folder: Path, base: str = "") -> list[Problem]:
    """Every problem of a folder; `base` is the game that the files it lacks are taken from.

    Later questions are only asked where the earlier ones found nothing: YAML, schemas, the whole.
    """
    if not folder.is_dir():
        return [Problem("no-folder", "there is no such folder", Span(str(folder), 0, 0))]
    problems = list(_unknown_files(folder))
    documents: dict[str, Document] = {}
    for path, content in counted_files(folder).items():
        try:
            documents[path] = document(str(folder / path), content)
        except Refused as refused:
            problems += refused.problems
    for path, found in documents.items():
        problems += schema_problems(found, schema(_kind(path)), name="the file")
    if problems:
        return problems
    whole = Folder({**_shipped(base), **documents})
    missing = [f"{part}.yaml" for part in PARTS if f"{part}.yaml" not in whole.documents]
    if missing:
        return [_missing(folder, path) for path in missing]
    return [*crossed(whole), *scenario_problems(whole)]


def _kind(path: str) -> str:
    return "scenario" if path.startswith(SCENARIOS) else path.removesuffix(".yaml")


def _shipped(base: str) -> dict[str, Document]:
    if not base:
        return {}
    files = counted_files(data_folder(base))
    return {path: document(f"data/{base}/{path}", content) for path, content in files.items()}


def _unknown_files(folder: Path) -> Iterator[Problem]:
    """A file under a wrong name would silently not count."""
    known = [f"{part}.yaml" for part in PARTS]
    for file in sorted(folder.glob("*")):
        if file.suffix in (".yaml", ".yml", ".json") and file.name not in (*known, *UNCOUNTED):
            message = f"{quoted(file.name)} is no file of a game's data"
            yield Problem(
                "unknown-file", message, Span(str(file), 0, 0), hint=did_you_mean(file.name, known)
            )


def _missing(folder: Path, path: str) -> Problem:
    return Problem("missing-file", f"the folder has no {path}", Span(str(folder), 0, 0))
