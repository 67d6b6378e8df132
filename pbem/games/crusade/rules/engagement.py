"""One combat from its declaration to its end: who fights whom, what was said and rolled so far."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import AdvancePlan
from pbem.games.crusade.position import Position
from pbem.games.crusade.tables import ENEMY
from pbem.value import field, replace, value


@value
class Boost:
    """What the event that gave the attack markers does for the attacks of its round.

    `drm` works in all of them, or with `once` in the one attack that claims it. `air` says that
    bad weather cancels it. `terrain_free` lets one attack ignore the terrain. `marks_victories`
    remembers won attacks with an advance, for the bonus of a counterattack (8.5.5.3).
    `spares_step` takes back the first step that the attacker loses in each combat (R45).
    """

    card: str = ""
    drm: int = 0
    once: bool = False
    air: bool = False
    terrain_free: bool = False
    marks_victories: bool = False
    spares_step: bool = False


NO_BOOST = Boost()


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


@value
class Combat:
    """One combat between its declaration and its end: what was said and what was rolled.

    `origins` maps every attacking unit to the space it attacks from, successors of dead corps
    included; who still lives is read from the position. `slots` tells from which slot of the hand
    a committed card came. `followed` are the spaces beyond the target that an advance may enter,
    `worn` the defenders that lost a step in this combat.
    """

    attacker: Side
    space: str
    origins: Mapping[str, str]
    number: int = 1
    armor: str = ""
    attacker_cards: tuple[str, ...] = ()
    defender_cards: tuple[str, ...] = ()
    slots: Mapping[str, str] = field(default_factory=dict)
    boost: Boost = NO_BOOST
    terrain_free: bool = False
    ranking: tuple[str, ...] = ()
    plan: AdvancePlan | None = None
    by_attacker: int | None = None
    by_defender: int | None = None
    suffered: tuple[Side, ...] = ()
    followed: tuple[str, ...] = ()
    worn: tuple[str, ...] = ()
    withdrawal: bool = False
    """The defender withdraws (18.3.1); `survivor` is who is spared if all would be lost."""
    survivor: str = ""
    late: bool = False
    """The defender has been asked for cards after the dice (reading Q48)."""
    paid: int = 0
    """Steps paid to cancel the retreat (18.2.9)."""

    @property
    def defender(self) -> Side:
        return ENEMY[self.attacker]

    @property
    def cards(self) -> tuple[str, ...]:
        return (*self.attacker_cards, *self.defender_cards)

    @property
    def from_spaces(self) -> tuple[str, ...]:
        """Where the attack came from when it was declared."""
        return tuple(dict.fromkeys(self.origins.values()))

    def cards_of(self, side: Side) -> tuple[str, ...]:
        return self.attacker_cards if side == self.attacker else self.defender_cards

    def attackers(self, position: Position) -> tuple[str, ...]:
        """The attacking units that are still in the fight, in stack order."""
        alive = (u for u, space in self.origins.items() if position.place_of(u) == space)
        return tuple(sorted(alive, key=position.tables.rank.__getitem__))

    def origins_left(self, position: Position) -> tuple[str, ...]:
        """The spaces that attackers who are still in the fight attack from."""
        # reading: 11.2.6, who has defected (N14) or died before the dice (R7) attacks out of no
        # space: neither river nor Sierra counts for them, as their strength does not.
        return tuple(dict.fromkeys(self.origins[unit] for unit in self.attackers(position)))

    def defenders(self, position: Position) -> tuple[str, ...]:
        """Every unit that stands in the attacked space (11.1.3)."""
        return position.units_in(self.space, self.defender)

    def units_of(self, position: Position, side: Side) -> tuple[str, ...]:
        return self.attackers(position) if side == self.attacker else self.defenders(position)

    @CITE.rule("11.4.6")
    def fighters(self, position: Position, side: Side) -> tuple[str, ...]:
        """The units of a side that add to its fire: not those that retreated this round."""
        # reading: Q12, retreated units do not count for the choice of the table either.
        units = self.units_of(position, side)
        return tuple(unit for unit in units if unit not in position.retreated)

    def inflicted_by(self, side: Side) -> int | None:
        return self.by_attacker if side == self.attacker else self.by_defender

    def owed_by(self, side: Side) -> int | None:
        """The Loss Number a side has to take (11.3.1); None before its enemy has fired."""
        return self.inflicted_by(ENEMY[side])

    def with_slots(self, slots: Mapping[str, str]) -> Combat:
        """The combat with the slots that further cards came from."""
        return replace(self, slots={**self.slots, **slots})

    @property
    def difference(self) -> int:
        assert self.by_attacker is not None and self.by_defender is not None
        return self.by_attacker - self.by_defender


@CITE.rule("16.6.2", "3.0.open_space", "RC.terrain")
def is_open(position: Position, space: str) -> bool:
    """Open for armor: no mountain, Main City, Position or Trench, even if a card ignores them."""
    ground = position.space(space)
    return ground.terrain != "mountain" and not ground.main_city and space not in position.forts


def all_cross_rivers(position: Position, combat: Combat) -> bool:
    """Whether every attacking unit attacks over a river."""
    origins = combat.origins_left(position)
    return bool(origins) and all(position.is_river(origin, combat.space) for origin in origins)
