"""Standing orders: where a stack retreats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.games.fog import rules
from pbem.games.fog.orders import Retreat
from pbem.games.fog.position import Position

from pbem.board.ranking import place_of
from pbem.engine.conditions import A_NUMBER, Fact, Facts
from pbem.engine.policies.rows import Clause, PolicyPart, Times, first_of
from pbem.engine.policies.table import PolicyTable
from pbem.engine.shapes import Many, listed, name
from pbem.messages import marked, say

HEX = name("hex", lambda position: position.board.hexes)


def _retreats(position: Position, stage: Any, wished: Any) -> Iterator[Retreat]:
    """The open ways, those to hexes that are wished for first."""
    hexes: Sequence[str] = listed(wished)
    open_ways = rules.retreats(position, stage.hex)
    ranked = sorted(open_ways, key=lambda way: place_of(hexes, lambda word: int(word == way[-1])))
    return (Retreat(way) for way in ranked)


FACTS = Facts(
    {"turn": Fact(A_NUMBER, lambda position, _: position.turn)},
    late={},
    has_happened=lambda _: False,
)

STANDING = PolicyTable(
    rows=(
        PolicyPart(
            "retreat",
            "where stacks retreat, best hex first",
            Clause(
                Many(HEX, once=True, needed=True),
                first_of(_retreats),
                example=("[0101]", say("where stacks retreat, best hex first")),
            ),
            otherwise=marked("the first way that is open"),
        ),
    ),
    facts=FACTS,
    subject=lambda state: state.agenda[-1],
    goes_on="attacks",
    public=lambda position: position.but(
        notes={}, down=_without_faces(position.down)
    ) if position.notes or position.down.faces else position,
    times=Times(lambda position: (position.turn, 0)),
    told=say("standing orders answer for you behind the dice of the enemy"),
    notes=(),
    for_example=say("retreat: [0101]"),
    for_slots=say("{{west: {{retreat: [0101]}}}}"),
    for_condition="{turn: 2}",
)  # fmt: skip


def _without_faces(down: Any) -> Any:
    from pbem.value import replace

    return replace(down, faces={})
