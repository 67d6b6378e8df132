"""What check calls unwise in Madrid."""

from __future__ import annotations

from pbem.engine.model import State
from pbem.games.madrid.position import Position
from pbem.games.madrid.warnings import dangers
from tests.games.madrid.table import N, R, table


def said(position: Position, side: object = N) -> list[str]:
    return [f"{each.message} [{each.rule}]" for each in dangers(State(position, ()), side)]  # type: ignore[arg-type]


def test_units_without_a_chain_of_areas_behind_them() -> None:
    position = table({"K": "N01"}, nationalist="")
    told = said(position)
    assert len(told) == 1 and told[0].endswith(" is out of supply [3.3.4]")
    assert said(position, R) == []
    home = table({"K": "N01"}, nationalist=" ".join(position.board.areas))
    assert said(home) == []


def test_units_beside_enemies_that_have_nowhere_to_go() -> None:
    alone = table({"K": "N01 R01"}, nationalist="")
    assert any("cannot retreat: they would be eliminated [9.7.d]" in each for each in said(alone))
    near = " ".join(alone.board.graph.neighbours("K"))
    assert not any("retreat" in each for each in said(table({"K": "N01 R01"}, nationalist=near)))
    assert not any("retreat" in each for each in said(table({"K": "N01"}, nationalist="")))
