"""A game's data as plain values, with the digest that pins them; nothing here knows a game.

YAML is slow to read with all its places, so what was read is kept as JSON in the user's cache,
under the digest of exactly the bytes it was read from (`source`), together with the digest of what
it means (meaning.py). The cache is only a shortcut: what does not match its own checksum is read
again from the YAML, and a cache that cannot be written is not used.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Mapping
from functools import cache, cached_property, partial
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem.gamedata import folders, sealed
from pbem.gamedata.where import (
    DRAWING,
    SCENARIOS,
    UNCOUNTED,
    data_at,
    is_scenario,
    kind,
    schema_at,
    slugs,
    stem,
)
from pbem.messages import Either, say
from pbem.problems import Problem, Refused, UnknownName
from pbem.text.wording import did_you_mean, may_be, quoted
from pbem.value import value

if TYPE_CHECKING:
    from pbem.gamedata.merge import Overlaid
    from pbem.text.yamlsource import Document

StrPath = str | os.PathLike[str]

CACHE_FORMAT = 4
"""To be raised whenever the same bytes are to give other values."""
CACHE_LIMIT = 64 << 20
LONGEST_FILE = 4 << 20
PROVENANCE = "provenance"


@value
class LoadedData:
    """A game's data, without provenance. The values are shared and must not be changed.

    `tables` has a key for each part the game has, and `scenarios`, which maps the id of a scenario
    to its document.
    """

    slug: str
    tables: Mapping[str, Any]
    digest: str
    """Of what the rules read: it pins the data of a game."""
    source: str
    """Of the bytes they were read from: it pins their texts as well, for what is kept here."""
    own: tuple[str, ...] = ()
    """The files of an owner that are laid over ours."""


class UnknownData(Refused):
    """No data with the requested digest are known here."""


def load(slug: str) -> LoadedData:
    """The data of a game as shipped; Refused if there is no such game."""
    if slug not in slugs():
        raise UnknownName(unknown_game(slug))
    files = counted_files(data_at(slug))
    source = source_digest(slug, files)
    kept = from_cache(source)
    if kept is None:
        kept = into_cache(source, slug, _from_yaml(slug, files))
    digest, tables = kept
    return LoadedData(slug, tables, digest, source)


def counted_files(folder: StrPath) -> dict[str, bytes]:
    """The files of a game that count for the digest, by their path below the folder.

    Of the game as shipped: what is in its folder are its parts, but for what is never counted.
    """
    paths = [name for name in _yaml_files(f"{folder}") if name not in UNCOUNTED]
    paths += [f"{SCENARIOS}/{name}" for name in _yaml_files(f"{folder}/{SCENARIOS}")]
    return {path: _content(f"{folder}/{path}") for path in sorted(paths)}


def drawing(slug: str, scenario: str = "") -> Mapping[str, Any]:
    """What a map is drawn from: the geometry of a game's map as shipped, if it has any, and under
    `scenario` the scenario, which may have a map of its own; without one it is the game's first.
    """
    file = f"{data_at(slug)}/{DRAWING}"
    found = json.loads(_content(file)) if os.path.isfile(file) else {}
    return {**found, "scenario": scenario}


def _yaml_files(folder: str) -> list[str]:
    if not os.path.isdir(folder):
        return []
    return [name for name in os.listdir(folder) if name.endswith(".yaml")]


def _content(file: str) -> bytes:
    with open(file, "rb") as opened:
        return opened.read()


def source_digest(slug: str, files: Mapping[str, bytes]) -> str:
    """The digest of exactly these files, and of the schemas that say which values count."""
    kinds = {kind(path) for path in files}
    schemas = {f"schema {name}": _content(schema_at(slug, name)) for name in kinds}
    rows = [
        f"{path}\n{len(content)}\n{sha256(content).hexdigest()}\n"
        for path, content in sorted({**files, **schemas}.items())
    ]
    return sha256("".join(rows).encode()).hexdigest()


def unknown_game(slug: str) -> Problem:
    """The problem of a name that is no game's; where it is a scenario's, with its game."""
    named = f"{SCENARIOS}/{slug}.yaml"
    games = tuple(each for each in slugs() if slug and named in counted_files(data_at(each)))
    hint = did_you_mean(slug, slugs()) or may_be(slugs())
    if games:
        hint = say("it is a scenario of {games}", games=Either(games))
    return Problem("unknown-game", say("there is no game {slug}", slug=quoted(slug)), hint=hint)


def document(name: str, content: bytes) -> Document:
    """A data file with the places of its values; Refused if it is not strict YAML."""
    from pbem.text.source import Source
    from pbem.text.yamlsource import read

    return read(Source.decode(name, content, LONGEST_FILE))


def schema(slug: str, name: str) -> Mapping[str, Any]:
    """The schema of one kind of data file of a game."""
    found: Mapping[str, Any] = json.loads(_content(schema_at(slug, name)))
    return found


def sharing_of(slug: str, documents: Mapping[str, Document | Overlaid]) -> dict[str, Overlaid]:
    """The scenarios that are the same as another of these, laid over it; by their path."""
    from pbem.gamedata.merge import sharing

    setups = {path: found for path, found in documents.items() if is_scenario(path)}
    return dict(sharing(setups, schema(slug, "scenario"))) if setups else {}


def _from_yaml(slug: str, files: Mapping[str, bytes]) -> dict[str, Any]:
    tables: dict[str, Any] = {SCENARIOS: {}}
    found = {path: document(f"data/{slug}/{path}", content) for path, content in files.items()}
    whole: dict[str, Document | Overlaid] = {**found, **sharing_of(slug, found)}
    for path in files:
        put(tables, path, without_provenance(whole[path].value))
    return tables


def put(tables: dict[str, Any], path: str, value: Any) -> None:
    """A file's value under the name of its part, or among the scenarios."""
    (tables[SCENARIOS] if is_scenario(path) else tables)[stem(path)] = value


def without_provenance(value: Any) -> Any:
    """The value without what only tells where it comes from."""
    if isinstance(value, dict):
        return {key: without_provenance(v) for key, v in value.items() if key != PROVENANCE}
    if isinstance(value, list):
        return [without_provenance(entry) for entry in value]
    return value


# ---------------------------------------------------------------- the cache


def from_cache(source: str) -> tuple[str, Mapping[str, Any]] | None:
    """The digest and the tables that were read before from the bytes with this digest; None if
    nothing was kept of them.
    """
    name = f"{source}-{CACHE_FORMAT}.json"
    body = sealed.read(folders.cache("data", name), f"data/{name}", CACHE_LIMIT)
    return None if body is None else _taken_apart(body)


def into_cache(source: str, slug: str, tables: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """Keeps what was read from the bytes with this digest; gives what `from_cache` will give."""
    from pbem.gamedata.meaning import canonical, digest_of

    name = f"{source}-{CACHE_FORMAT}.json"
    digest = digest_of(tables, cache(partial(schema, slug)))
    body = b'"%s"\n%s' % (digest.encode(), canonical(tables))
    sealed.keep(folders.cache("data", name), f"data/{name}", body)
    return _taken_apart(body)


def _taken_apart(body: bytes) -> tuple[str, Mapping[str, Any]]:
    """A digest and tables as they were kept: in two lines."""
    digest, _, tables = body.partition(b"\n")
    return json.loads(digest), _TablesLater(lambda: json.loads(tables))


class _TablesLater(Mapping[str, Any]):
    """Tables that are read on demand: whoever only lists the games needs none.

    They were written in canonical form, so the rules never see in which order a file had its keys.
    """

    def __init__(self, read: Callable[[], Mapping[str, Any]]) -> None:
        self._read = read

    @cached_property
    def _tables(self) -> Mapping[str, Any]:
        return self._read()

    def __getitem__(self, name: str) -> Any:
        return self._tables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._tables)

    def __len__(self) -> int:
        return len(self._tables)
