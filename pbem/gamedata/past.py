"""What earlier releases said of a game's data, where it differs from today.

A game is played to its end with the data it began with, and a release has all those of the releases
before it: as differences, the last release over ours, the one before it over that, and so on.
`data/<game>/past.json` lists the releases, the latest first, each with the digest of its data, and
`data/<game>/past/<release>/` has the files that differ, in the words of an owner's folder
(merge.py). A list whose order changed cannot be said so: such a file is there `whole`.

Nothing here is judged by today's rules, which may ask for more: the digest decides.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from pbem.gamedata.load import (
    LoadedData,
    UnknownData,
    counted_files,
    document,
    from_cache,
    into_cache,
    put,
    schema,
    sharing_of,
    source_digest,
    without_provenance,
)
from pbem.gamedata.where import PAST, SCENARIOS, data_at, kind
from pbem.late import Late
from pbem.messages import say
from pbem.problems import Problem
from pbem.value import value

if TYPE_CHECKING:
    from pbem.gamedata import merge
    from pbem.gamedata.merge import Overlaid
    from pbem.text.yamlsource import Document
else:  # once for each release on a machine: then the tables are kept
    merge = Late("pbem.gamedata.merge")


@value
class PastRelease:
    """A release before this one whose data were others.

    `whole` are files that are laid over nothing, `without` those that it had not.
    """

    name: str
    digest: str
    whole: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


FILES = ("whole", "without")


def releases(slug: str) -> tuple[PastRelease, ...]:
    """The earlier releases of a game whose data differ from those after them, the latest first."""
    file = os.path.join(data_at(slug), f"{PAST}.json")
    if not os.path.isfile(file):
        return ()
    with open(file, "rb") as opened:
        listed = json.load(opened)
    return tuple(
        PastRelease(each["release"], each["digest"], *(tuple(each.get(name, ())) for name in FILES))
        for each in listed
    )


def folder_of(slug: str, release: str) -> str:
    """Where the files of an earlier release are."""
    return os.path.join(data_at(slug), PAST, release)


def load_past(slug: str, digest: str) -> LoadedData | None:
    """The data with this digest, if an earlier release had them.

    Raises UnknownData where its files here give others: somebody has changed them.
    """
    known = releases(slug)
    named = [each for each in known if each.digest == digest]
    if not named:
        return None
    needed = known[: known.index(named[-1]) + 1]
    files = {each.name: counted_files(folder_of(slug, each.name)) for each in needed}
    ours = source_digest(slug, counted_files(data_at(slug)))
    rows = [ours, *(f"{name} {source_digest(slug, found)}" for name, found in files.items())]
    rows += [path for each in needed for path in (*each.whole, "", *each.without)]
    source = sha256("\n".join(("past", *rows)).encode()).hexdigest()
    found = from_cache(source) or into_cache(source, slug, _tables(slug, needed, files))
    if found[0] != digest:
        release = needed[-1].name
        raise UnknownData(
            Problem(
                "past-data",
                say(
                    "the data of release {release} were changed here: what is in {folder} gives "
                    "{found}, not {digest}",
                    release=release,
                    folder=folder_of(slug, release),
                    found=found[0][:16],
                    digest=digest[:16],
                ),
                hint=say("install this version of pbem again"),
            )
        )
    return LoadedData(slug, found[1], digest, source)


def _tables(
    slug: str, needed: tuple[PastRelease, ...], files: Mapping[str, Mapping[str, bytes]]
) -> dict[str, Any]:
    shipped = counted_files(data_at(slug))
    documents: dict[str, Document | Overlaid] = {
        path: document(f"data/{slug}/{path}", content) for path, content in shipped.items()
    }
    for release in needed:
        for path in release.without:
            documents.pop(path, None)
        documents.update(_laid(slug, release, documents, files[release.name]))
    whole = {**documents, **sharing_of(slug, documents)}
    tables: dict[str, Any] = {SCENARIOS: {}}
    for path in sorted(whole):
        put(tables, path, without_provenance(whole[path].value))
    return tables


def _laid(
    slug: str, release: PastRelease, over: Mapping[str, Document | Overlaid],
    files: Mapping[str, bytes],
) -> Iterator[tuple[str, Overlaid]]:  # fmt: skip
    for path, content in files.items():
        own = document(os.path.join(folder_of(slug, release.name), path), content)
        if path in over and path not in release.whole:
            yield path, merge.lay_over(over[path], own, schema(slug, kind(path)))
        else:
            yield path, merge.alone(own)
