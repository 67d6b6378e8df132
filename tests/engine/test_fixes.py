"""A function that was mended, and the one it was."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace

import pytest

from pbem.engine import fixes as engine
from pbem.engine.fixes import Fix, mended, numbers_of

TABLES = {number: SimpleNamespace(fixes=frozenset(number)) for number in [(), (1,), (2,), (1, 2)]}


def was(position: object, more: int) -> str:
    return f"was {more}"


FIXES = (Fix(1, "2027-01-31", "9.2.3", "what", was), Fix(2, "2027-02-01", "9.2.4", "more"))


@pytest.fixture(autouse=True)
def game(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("pbem.games.chess.fixes")
    module.FIXES = FIXES  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "pbem.games.chess.fixes", module)
    monkeypatch.setitem(sys.modules, "pbem.games.chess", ModuleType("pbem.games.chess"))
    engine._old.cache_clear()


def today(position: object, more: int) -> str:
    """What it is."""
    return f"is {more}"


@pytest.mark.parametrize("module", ["rules.castling", "stages.turn", "position"])
@pytest.mark.parametrize("holder", ["tables", "board", "position"])
def test_a_game_has_the_function_it_began_with(module: str, holder: str) -> None:
    today.__module__ = f"pbem.games.chess.{module}"
    either = mended(1)(today)
    assert (either.__name__, either.__doc__) == ("today", "What it is.")
    for pinned, tables in TABLES.items():
        held = tables if holder == "position" else SimpleNamespace(**{holder: tables})
        said = f"{'is' if 1 in pinned else 'was'} 7"
        assert either(held, 7) == said
        assert either(7, held) == said.replace("7", str(held)) or holder != "position"


def test_the_position_may_be_any_argument() -> None:
    today.__module__ = "pbem.games.chess.rules.castling"
    either = mended(1)(lambda stage, position: "is")
    either_named = mended(1)(today)
    position = SimpleNamespace(tables=TABLES[1,])
    assert either("a stage", position) == "is"
    assert either_named(position, 3) == "is 3"


def test_a_fix_without_its_old_function_is_forced() -> None:
    assert [fix.is_forced for fix in FIXES] == [False, True]
    assert numbers_of(FIXES) == (1, 2)
