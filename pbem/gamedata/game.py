"""What a game declares about its data: how to read, overlay, check and account for them.

A game package has one `GameData` as `DATA` in its `data` module. Everything else in this folder
knows only that about a game, its schemas in schemas/<game>/, and its files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any

from pbem.gamedata.where import file_of, is_scenario, stem
from pbem.messages import Said, say
from pbem.problems import Problem
from pbem.text.wording import did_you_mean, quoted
from pbem.text.yamlsource import Path
from pbem.value import field, value


@value
class Folder:
    """The documents of a game's folder, by their path below it."""

    documents: Mapping[str, Any]
    """Each a Document, or two of them laid one over the other (merge.Overlaid)."""

    def value(self, part: str) -> Any:
        """The content of a part; KeyError for one that is not in the folder."""
        return self.documents[file_of(part)].value

    def scenarios(self) -> Iterator[tuple[str, str, Any]]:
        """Each set-up: the path of its file, its name, and its content."""
        for path in sorted(self.documents):
            if is_scenario(path):
                yield path, stem(path), self.documents[path].value

    def problem(self, file: str, path: Path, code: str, message: Said, hint: Said = "") -> Problem:
        """A problem at the place of a value."""
        return Problem(code, message, self.documents[file].span(path), hint=hint)

    def unknown(
        self, file: str, path: Path, name: str, known: Iterable[str], code: str, message: Said
    ) -> Iterator[Problem]:
        """The problem of an unknown name, with the nearest known ones."""
        if name not in (names := tuple(known)):
            yield self.problem(file, path, code, message, did_you_mean(name, names))

    def doubled(
        self, file: str, listed: str, key: str = "id", *, within: str = ""
    ) -> Iterator[Problem]:
        """Two entries of a list under one id; entries that differ in `within` may share it."""
        seen: set[tuple[str, str]] = set()
        for index, entry in enumerate(self.documents[file].value[listed]):
            mine = (entry[within] if within else "", entry[key])
            if mine in seen:
                message = say(
                    "{entry} is in {listed} twice", entry=quoted(entry[key]), listed=listed
                )
                yield self.problem(file, (listed, index, key), "doubled-id", message)
            seen.add(mine)


def _nothing(*_: Any) -> Iterator[Problem]:
    return iter(())


@value
class Accounts:
    """How the files of a game tell where their values come from (see sources.py)."""

    groups: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Keys of an entry with a common provenance, by its name."""
    entry_by_entry: frozenset[str] = frozenset()
    """Lists whose entries each state it, in a file that states it at its top for the others."""
    called: tuple[tuple[str, ...], ...] = (("id",),)
    """The keys that name an entry of a list: the first of these that it has."""


@value
class GameData:
    """The parts of a game's data, and what must fit between them.

    Each part is a file `PART.yaml` with a schema of that name; the set-ups share the schema
    `scenario`. What is judged fits its schema already, and is judged as a whole: ours, with an
    owner's values over them.
    """

    slug: str
    parts: tuple[str, ...]
    """`game` and whatever else the game has."""
    checks: Callable[[Folder], Iterator[Problem]] = _nothing
    """Every problem between the parts."""
    scenario_checks: Callable[[Folder, str, Mapping[str, Any]], Iterator[Problem]] = _nothing
    """Every problem of one set-up: the folder, the path of the file, and what it says."""
    is_needed: Callable[[str, str], bool] = lambda listed, name: True
    """Whether an entry of a list cannot be omitted, because the rules name it."""
    accounts: Accounts = Accounts()


def declared_by(package: str) -> GameData:
    """What a game says of its data: `DATA` in the module `data` of its package."""
    data: GameData = import_module(f"{package}.data").DATA
    return data
