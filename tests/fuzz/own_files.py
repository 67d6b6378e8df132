"""Readers of what lies on a player's own machine and may be anybody's: paper, contacts, data.

What is refused is told as a problem of a class, with its place: the group of a sheet, the line and
column of a YAML file, or the file where it is no text at all.
"""

from __future__ import annotations

import re
import tempfile
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from pbem.gamedata.check import check
from pbem.gamedata.game import declared_by
from pbem.gamedata.load import document, schema
from pbem.gamedata.where import data_folder
from pbem.gamefile import contacts, paper_key
from pbem.gamefile.errors import GROUPS, FileRefused
from pbem.gamefile.keys import KeyPair
from pbem.games import GAMES
from pbem.problems import Problem, Refused
from pbem.text import plainyaml, yamlsource
from pbem.text.schema import schema_problems
from pbem.text.source import Source, render_all

OWN_DATA = Path(__file__).parents[2] / "examples" / "own-data"
GAME = "crusade"
SHIPPED = data_folder(GAME)
SEED = bytes(range(32))
MOVING = ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp")
"""What a terminal might act on, or show as nothing."""
MOST_TOLD = 400_000
"""Letters of all that is told of one file: more is of no use to anybody."""


def told(problems: Iterable[Problem], *, placed: bool = True) -> None:
    """Problems that can be shown: each of a class, of one line, and with its place."""
    problems = list(problems)
    for each in problems:
        assert re.fullmatch(r"E-[A-Z]+|[a-z][A-Za-z0-9]*(-[A-Za-z0-9]+)*", each.code), each
        assert str(each.message) and "\n" not in str(each.message), each
        assert "Traceback" not in str(each.message) and "object at 0x" not in str(each.message), (
            each
        )
        if placed:
            assert each.span is not None and each.span.file, each
            assert (each.span.line > 0) == (each.span.column > 0), each
    text = render_all(problems)
    assert len(text) < MOST_TOLD
    moving = [letter for letter in text if unicodedata.category(letter) in MOVING]
    assert not [letter for letter in moving if letter != "\n"], ascii(text)


# --- paper and contacts


def on_paper(raw: bytes) -> None:
    """A sheet gives a seed whose own sheet gives it again; a slip is told with its group."""
    try:
        seed = paper_key.seed_on(raw.decode("utf-8", "replace"))
    except FileRefused as refused:
        assert refused.code == "E-KEY" and refused.__cause__ is None
        assert re.match(r"group [1-9]: |the groups belong to ", str(refused.message)), str(
            refused.message
        )
        told(refused.problems, placed=False)
    else:
        assert paper_key.seed_on(paper_key.sheet(KeyPair.from_seed(seed), "x")) == seed


def contact_list(raw: bytes) -> None:
    """A list of contacts is what would be written of it, or it is refused."""
    try:
        found = contacts.read(raw)
    except FileRefused as refused:
        assert refused.code in GROUPS and refused.__cause__ is None
        told(refused.problems, placed=False)
    else:
        assert contacts.read(contacts.written(found)) == found
        for each in found.all:
            assert each.fingerprint.startswith("SHA256:") and found.named(each.name) == each


# --- YAML


def yaml_text(raw: bytes) -> None:
    """The quick reader takes nothing that the careful one reads otherwise, or refuses."""
    try:
        source = Source.decode("a.yaml", raw)
    except Refused as refused:
        told(refused.problems)
        return
    found, problems = yamlsource.examine_all(source)
    told(problems)
    if plainyaml.read_plainly(source.text) is not None:
        quick, none = yamlsource.examine(source)
        assert not problems and not none
        assert quick == found and quick is not None and found is not None
        assert typed(quick.value) == typed(found.value)


def typed(value: Any) -> Any:
    """The types of all values inside: 1, True and 1.0 are equal, and are three things."""
    if isinstance(value, dict):
        return [(type(key), typed(inner)) for key, inner in value.items()]
    return [typed(inner) for inner in value] if isinstance(value, list) else type(value)


# --- data


def data_file(raw: bytes) -> None:
    """A file of data against its schema: `kind`, a line end, and the file."""
    kind, _, content = raw.partition(b"\n")
    name = kind.decode("ascii", "replace")
    if name not in KINDS:
        return
    try:
        found = document(f"{name}.yaml", content)
    except Refused as refused:
        told(refused.problems)
        return
    told(schema_problems(found, schema(GAME, name)))


KINDS = ("game", "map", "units", "cards", "tables", "scenario", "rulebook")


def data_folder_of(raw: bytes, game: str = GAME) -> None:
    """An owner's folder of files laid over ours: judged as a whole, each problem with its file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in raw.split(PART)[:MOST_PARTS]:
            path, _, content = part.partition(b"\n")
            named = path.decode("ascii", "replace").strip().replace("\0", "")
            if named.startswith("/") or ".." in named or len(named) > 60:
                continue
            target = folder / named
            try:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
            except OSError:
                continue  # a name that the disk does not take
        told(check(folder, declared_by(GAMES[game].package)))


PART = b"\n=====\n"
MOST_PARTS = 6
LINES = 60


# --- what to begin from


def small(name: str, most: int = 6000) -> bytes:
    """The beginning of one of our own files, up to a whole line."""
    content = (SHIPPED / name).read_bytes()
    return content if len(content) <= most else content[: content.rindex(b"\n", 0, most) + 1]


@lru_cache(maxsize=1)
def data_files() -> tuple[bytes, ...]:
    scenario = sorted((SHIPPED / "scenarios").glob("*.yaml"))[0].name
    names = {kind: f"{kind}.yaml" for kind in KINDS} | {"scenario": f"scenarios/{scenario}"}
    return tuple(kind.encode() + b"\n" + small(name) for kind, name in names.items())


@lru_cache(maxsize=1)
def folders() -> tuple[bytes, ...]:
    paths = sorted(path for path in OWN_DATA.rglob("*.yaml"))
    parts = [str(path.relative_to(OWN_DATA)).encode() + b"\n" + path.read_bytes() for path in paths]
    return (PART.join(parts), *parts)


def own_files_of(game: str) -> tuple[bytes, ...]:
    """A folder with the beginning of each of our own files, and each of them alone."""
    home = data_folder(game)
    paths = sorted(path for path in home.rglob("*.yaml") if path.name != "rulebook.yaml")
    parts = []
    for path in paths:
        text = path.read_text(encoding="utf-8").splitlines(keepends=True)
        begun = "".join(text[:LINES]).encode()
        parts.append(str(path.relative_to(home)).encode() + b"\n" + begun)
    return (PART.join(parts[:MOST_PARTS]), *parts)


def sheets() -> tuple[bytes, ...]:
    sheet = paper_key.sheet(KeyPair.from_seed(SEED), "ana.key")
    by_hand = "\n".join(
        f"{at}. {group.upper()}" for at, group in enumerate(paper_key.groups(SEED), 1)
    )
    return sheet.encode(), by_hand.encode()


def lists() -> tuple[bytes, ...]:
    keys = [KeyPair.from_seed(bytes([number]) * 32).public for number in range(3)]
    book = contacts.Contacts()
    made = [contacts.written(book)]
    for name, key in zip(("Ana", "Beto \u00e9", "\u5f20"), keys, strict=True):
        book = book.met(name, key)
        made.append(contacts.written(book))
    return tuple(made)


PAPER_WORDS = (
    b"1 ", b"8  ", b"9. ", b"\n", b"SHA256:", b"0123 4567  89ab", b"o", b"l", b"\xff", b"-",
    b"A" * 43, b"\xd9\xa1 ", b"\r", b"\x0b", b"\xe2\x80\xa8", b"1 " * 400,
)  # fmt: skip
CONTACT_WORDS = (
    b'"format": ', b'"contacts": ', b'"name": ', b'"key": ', b'"pbem-contacts/1"', b"{", b"}", b"[",
    b"]", b",", b'""', b"0" * 64, b"\\ud800", b"\\u0300" * 40, b"null", b"1e9", b"\xff", b"\\n",
    b'"Ana"', b'"ANA"',
)  # fmt: skip
DATA_WORDS = (
    b"same_as: ", b"provenance: ", b"why: ", b"spaces:\n", b"units:\n", b"cards:\n", b"{id: N5}",
    b"  - ", b"[", b"]", b"{", b"}", b": ", b"null", b"true", b"-1", b"1e400", b".inf", b"0x10",
    b"''", b"madrid", b"INF-15", b"N1", b"&a ", b"*a", b"<<: ", b"!!set ", b"\t", b"\xff",
    b"remove: ", b"9" * 5000, b"2026-11-22", b"? ", b"[" * 200, b"\xe2\x80\xae", PART,
    b"map.yaml\n", b"limits: ", b"scenarios/x.yaml\n", b"begins:\n", b"actions: ",
    b"corps: ", b"decks: ",
)  # fmt: skip
