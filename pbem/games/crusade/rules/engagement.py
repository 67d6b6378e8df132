"""The conditions of a combat: the boost of an event, open ground, rivers to cross."""

from __future__ import annotations

from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Boost, Combat, Position


def boost_of(position: Position, card: str) -> Boost:
    """The boost of an event card, from the plain facts of the card."""
    facts = position.card(card)
    return Boost(
        card=card,
        drm=facts.params.get("drm", 0),
        once=facts.params.get("attacks") == "one",
        air=facts.air,
        terrain_free=facts.params.get("terrain_free_attacks", 0) > 0,
        marks_victories="bonus" in facts.params,
        spares_step=facts.params.get("first_step_cancelled", False),
    )


@CITE.rule("16.6.2", "3.0.open_space", "RC.terrain")
def is_open(position: Position, space: str) -> bool:
    """Whether armor may use its modifier there: no mountain, Main City or works, even ignored."""
    ground = position.space(space)
    return ground.terrain != "mountain" and not ground.main_city and space not in position.forts


def all_cross_rivers(position: Position, combat: Combat) -> bool:
    """Whether every attacking unit attacks over a river."""
    origins = combat.origins_left(position)
    return bool(origins) and all(position.is_river(origin, combat.space) for origin in origins)
