"""What an event forbids the enemy in combat for the rest of its turn."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Activate, Attack
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import OfASide
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, SOLID, Tables
from pbem.messages import say

INTERFERENCE = "communist_interference"
"""A mark of the turn: the Republic attacks from few spaces in a round (N28)."""
FRENCH_THREAT = "french_threat"
"""A mark of the turn: the Nationalists do not attack near France (R51)."""
UNLIMITED = 99


def most_attack_spaces(position: Position, side: Side) -> int:
    """The number of spaces from which a side may attack in a round."""
    if side != REPUBLICAN or INTERFERENCE not in position.turn_marks:
        return UNLIMITED
    return int(position.card("N28").params["attack_spaces_per_round"])


@CITE.refusal("card N28")
def few_enough_attack_spaces(
    stage: OfASide, position: Position, order: Activate
) -> Iterator[Violation]:
    """After Communist Interference the Republic attacks from one space a round."""
    most = most_attack_spaces(position, stage.side)
    if len(order.attack) > most:
        yield Violation(
            say(
                "after Communist Interference (N28) the Republic may activate {most} space "
                "a round for combat this turn",
                most=most,
            ),
            ("attack", most),
            hint=say("other spaces may be activated for movement"),
        )


@CITE.check("CC.R51")
def far_from_france(stage: OfASide, position: Position, order: Activate) -> Iterator[Violation]:
    """During the French threat, no space near France is activated for combat."""
    for number, space in enumerate(order.attack):
        if threatened(position, stage.side, space):
            name = position.space(space).name
            told = say(
                "{name} is too near France to be activated for combat this turn (R51)", name=name
            )
            yield Violation(told, ("attack", number))


@CITE.refusal("card R51")
def target_far_from_france(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    """During the French threat, no space near France is attacked."""
    if threatened(position, stage.side, order.space):
        name = position.space(order.space).name
        told = say("{name} is too near France to be attacked this turn (R51)", name=name)
        yield Violation(told, ("space",))


def threatened(position: Position, side: Side, space: str) -> bool:
    """Whether the French Intervention Threat bars a side from combat in or from a space."""
    if side != NATIONALIST or FRENCH_THREAT not in position.turn_marks:
        return False
    return space in near_france(position.tables)


@lru_cache(maxsize=4)
def near_france(tables: Tables) -> frozenset[str]:
    """The spaces within the range of R51; those at the border are one space from France."""
    # reading: CC.R51, links of every kind but sea count, whoever controls the spaces on the way.
    most = tables.cards["R51"].params["no_attack_within"] - 1
    border = tables.border_spaces["france"]
    return frozenset(tables.graph.distances(border, kinds=SOLID, most=most))
