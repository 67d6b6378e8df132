"""What the rules made of the data, kept: it is used only where it belongs, and is what it was."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel, tagged
from pbem.gamedata.load import load
from pbem.games.crusade import open_system
from pbem.games.crusade.system import Crusade
from pbem.play import snapshot
from pbem.play.systems import OpenedGame

PROGRAM = "1 0.1.0 12"


def fresh() -> OpenedGame:
    """The system over its data, with no tables made yet."""
    data = load("crusade")
    return OpenedGame(open_system(data.tables), data.digest)


@pytest.fixture(scope="module")
def content() -> bytes:
    return snapshot.tables_content(fresh(), PROGRAM)


def given(content: bytes | None, program: str = PROGRAM) -> OpenedGame:
    """A system that was offered what was kept."""
    opened = fresh()
    snapshot._put_tables(opened, snapshot.Kept(b"", program, lambda digest: content))
    return opened


def tables_of(opened: OpenedGame) -> Any:
    assert isinstance(opened.system, Crusade)
    return opened.system.tables


def test_tables_that_were_kept_are_those_that_are_made(content: bytes) -> None:
    kept, made = given(content), fresh()
    assert snapshot.has_tables(kept) and not snapshot.has_tables(made)
    for name in ("spaces", "types", "units", "rank", "aliases", "cards", "tables", "scenarios"):
        assert getattr(tables_of(kept), name) == getattr(tables_of(made), name), name
    ours, theirs = (
        kernel.begin(each.system.setup("campaign", frozenset())).state for each in (kept, made)
    )
    assert ours == theirs
    assert vars(tables_of(kept)).keys() == vars(tables_of(made)).keys()
    assert kept.system.public(ours.position) == made.system.public(theirs.position)


def test_tables_of_another_program_or_none_are_not_used(content: bytes) -> None:
    assert not snapshot.has_tables(given(content, "1 0.1.0 13"))
    assert not snapshot.has_tables(given(None))
    assert not snapshot.has_tables(given(b""))


def test_tables_of_other_data_are_not_used(content: bytes) -> None:
    other = content.replace(fresh().digest[:8].encode(), b"00000000", 1)
    assert other != content and not snapshot.has_tables(given(other))


@pytest.mark.parametrize(
    "body",
    [
        b'[["builtins:print",null]]\n{"!":0,"of":{}}',
        b'[["os:system",null]]\n{"!":0,"of":{}}',
        b'[["pbem.play.snapshot:json.loads",null]]\n{"!":0,"of":{}}',
        b'[["pbem.games.crusade.tables:os",null]]\n{"!":0,"of":{}}',
        b'[["pbem.play.systems:opened",null]]\n{"!":0,"of":{}}',
        b'[["pbem.games.crusade.tables:Factors",["cf"]]]\n{"!":0,"of":[1]}',
    ],
)
def test_tables_that_name_something_else_are_not_read(body: bytes) -> None:
    """The seal keeps others from writing such a file; no code would run if it were there."""
    head = snapshot._tables_head(fresh().digest, PROGRAM)
    with pytest.raises((tagged.Unkeepable, AttributeError)):
        given(head + body)
