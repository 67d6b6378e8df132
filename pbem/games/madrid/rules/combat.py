"""9.4: attack and assault, the steps C1 to C9."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import product

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import (
    LOSSES_ON_SUCCESS,
    PRINTED_LOSSES,
    SHOCK_IN_AREA,
    WHOLE_DOUBLED,
)
from pbem.games.madrid.orders import Assault, Attack
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import OfASide
from pbem.games.madrid.rules.units import strength_of
from pbem.games.madrid.tables import ENEMY, REPUBLICAN, SHOCK
from pbem.messages import say, say_many
from pbem.value import replace, value


@value
class Fight:
    """The state of a combat. `left` is the last area that an assault left."""

    side: Side
    area: str
    attackers: tuple[str, ...]
    point: str
    is_prepared: bool = False
    is_assault: bool = False
    losses: tuple[str, ...] = ()
    """The attackers that take losses first, as far as their order says."""
    keeps_dice: bool = False
    """Whether their order says that no dice are rolled again."""
    left: str = ""
    keeps_worst: bool = False
    """Whether the two worst of 3D6 count, because defensive fire eliminated the point unit."""
    tanks: bool = False
    """Whether CR3 is played on the attack."""
    surprise: bool = False
    engineers: bool = False
    """Whether CN4 is played: the terrain counts 0."""
    asks_engineers: bool = False
    """Whether CN4 may still come once the defence is known, also without a Fortification."""
    stampede: bool = False
    spared: bool = False
    """Whether CR8 is played: nobody tests morale."""
    counterattack: tuple[str, ...] = ()
    enemy_point: str = ""
    fortified: str = ""
    """The use of CR4: `terrain` or `units`; empty if it is not played."""
    enemy_tanks: bool = False
    alfereces: bool = False

    @property
    def enemy(self) -> Side:
        """The side that is attacked."""
        return ENEMY[self.side]

    def but(self, **changes: object) -> Fight:
        """A copy with other facts."""
        return replace(self, **changes)

    def defenders(self, position: Position) -> tuple[str, ...]:
        """The units of the attacked side that are still in the area."""
        return position.units_at(self.area, self.enemy)


# ------------------------------------------------------------------- values


@CITE.rule("9.4.1.C3")
def may_counterattack(position: Position, fight: Fight) -> tuple[str, ...]:
    """The fresh units of player B with a combat factor of 1 or more."""
    # reading: fresh artillery may, because it counts 1.
    if fight.surprise:
        return ()
    return tuple(
        unit
        for unit in fight.defenders(position)
        if position.is_fresh(unit) and strength_of(position, unit) >= 1
    )


@CITE.rule("9.4.1.C4")
def intensity(position: Position, fight: Fight) -> int:
    """The Intensity Level, after player B has named the units that counter-attack."""
    # reading: the shock edge looks at the attackers alone; numbers are those of the whole area.
    chart = position.board.charts["intensity"]
    ours, theirs = position.units_at(fight.area, fight.side), fight.defenders(position)
    total: int = chart["base"]
    if fight.is_assault:
        total += chart["assault"]
    if len(theirs) > len(ours):
        total += chart["outnumbered"]
    total += sum(strength_of(position, unit) for unit in fight.counterattack)
    judged = ours if SHOCK_IN_AREA in position.options else fight.attackers
    if all(position.type_of(unit) == SHOCK for unit in judged) and not any(
        position.type_of(unit) == SHOCK for unit in theirs
    ):
        total += chart["shock_edge"]
    if not any(position.is_fresh(unit) for unit in theirs):
        total += chart["all_spent"]
    if fight.enemy_tanks:
        total += position.board.charts["chits"]["tanks"]
    return total


@CITE.rule("9.4.1.C5")
def attack_value(position: Position, fight: Fight) -> int:
    total = sum(strength_of(position, unit) for unit in fight.attackers)
    return total + (position.board.charts["chits"]["tanks"] if fight.tanks else 0)


@CITE.serves("9.4.1.C6")
def point_class(position: Position, unit: str) -> int:
    """A point unit's class, lowest first: fresh or spent, with a factor or not, artillery last."""
    if position.is_gun(unit):
        return 4 if position.is_fresh(unit) else 5
    has_factor = position.attack_of(unit) >= 1
    return (0 if position.is_fresh(unit) else 2) + (0 if has_factor else 1)


@CITE.rule("9.4.1.C6")
def may_lead(position: Position, fight: Fight, counterattack: Sequence[str]) -> tuple[str, ...]:
    """The units that may be player B's point unit: the best class of those in the area.

    If any unit counter-attacks, only those that do may lead.
    """
    # reading: a counter-attack of artillery alone is led by artillery.
    there = counterattack or fight.defenders(position)
    best = min(map(partial(point_class, position), there))
    return tuple(unit for unit in there if point_class(position, unit) == best)


@CITE.rule("9.3.e", "15.CR4")
def defence_value(
    position: Position, area: str, point: str, *,
    is_flat: bool = False, is_doubled: bool = False, alfereces: bool = False,
) -> int:  # fmt: skip
    """The point unit's defence and the terrain, which chits cancel (CN4) or double (CR4)."""
    # reading: what a Fortification doubles is the terrain modifier; it is a combat event, so it
    # does not help against a bombardment.
    ground = 0 if is_flat else position.terrain(area)
    total = position.face(point).defence
    if is_doubled:
        if WHOLE_DOUBLED in position.options:
            return 2 * (total + ground)
        ground *= 2
    bonus: int = position.board.charts["chits"]["alfereces"] if alfereces else 0
    return total + ground + bonus


def defence_of(position: Position, fight: Fight) -> int:
    """The Defence Value of player B."""
    return defence_value(
        position, fight.area, fight.enemy_point, is_flat=fight.engineers,
        is_doubled=fight.fortified == "terrain", alfereces=fight.alfereces,
    )  # fmt: skip


@CITE.rule("9.4.2.b")
def kept(dice: Sequence[int], *, worst: bool = False) -> tuple[int, ...]:
    """The two dice of two or three that count: the best, or the worst."""
    return tuple(sorted(dice, reverse=not worst)[:2])


@cache
@CITE.serves("9.4.2.b")
def falls(dice: int, *, worst: bool = False) -> Mapping[int, tuple[tuple[int, ...], ...]]:
    """Every result of so many dice, by the sum of the two that count, in ascending order."""
    found: dict[int, list[tuple[int, ...]]] = {}
    for faces in product(range(1, 7), repeat=dice):
        found.setdefault(sum(kept(faces, worst=worst)), []).append(faces)
    return {rolled: tuple(found[rolled]) for rolled in sorted(found)}


@CITE.serves("9.4.1.C7")
def succeeds(rolled: int, attack: int, defence: int) -> bool:
    """Whether an attack succeeds by its dice, even if the defender then loses nothing."""
    return rolled + attack > defence


@CITE.rule("9.4.1.C7")
def outcome(
    position: Position, rolled: int, attack: int, defence: int, level: int
) -> tuple[int, int]:
    """The loss points of player A and of player B for a sum of two dice."""
    # reading: the defender loses the sum of dice and attack value minus the defence value, as in a
    # bombardment; the attacker's losses apply whether or not the attack succeeds.
    wins = succeeds(rolled, attack, defence)
    theirs = attack - defence if PRINTED_LOSSES in position.options else rolled + attack - defence
    ours = level - rolled
    if LOSSES_ON_SUCCESS in position.options and not wins:
        ours = 0
    return max(0, ours), max(0, theirs) if wins else 0


# ------------------------------------------------------------------- checks of C1


Fighting = Attack | Assault


def area_of(position: Position, order: Fighting) -> str:
    """The area of the combat."""
    return order.path[-1] if isinstance(order, Assault) else position.places[order.units[0]]


@CITE.check("9.4.1.a")
def meets_the_enemy(stage: OfASide, position: Position, order: Fighting) -> Iterator[Violation]:
    area = area_of(position, order)
    if not position.has_enemies(area, stage.side):
        at = ("path",) if isinstance(order, Assault) else ("units",)
        hint = say(
            "an attack is in the area of its units: to go to the enemy, write assault, with a path"
        )
        if isinstance(order, Assault):
            hint = say(
                "an assault goes to an area with enemies: to go there without them, write move"
            )
        yield Violation(
            say("no enemy unit is in {area}", area=position.called(area)), at, hint=hint
        )


@CITE.check("9.4.1.b")
def attacks_with_a_factor(stage: OfASide, position: Position, order: Attack) -> Iterator[Violation]:
    for at, unit in enumerate(order.units):
        if strength_of(position, unit) < 1:
            message = say("{unit} has no combat factor", unit=position.called(unit))
            yield Violation(
                message, ("units", at), hint=say("attackers need a factor of 1 or more")
            )


@CITE.check("9.4.3.a")
def assaults_with_shock_units(
    stage: OfASide, position: Position, order: Assault
) -> Iterator[Violation]:
    for at, unit in enumerate(order.units):
        if position.type_of(unit) != SHOCK:
            message = say("{unit} is not a shock unit", unit=position.called(unit))
            hint = say("only shock units can assault; others move, or attack where they are")
            yield Violation(message, ("units", at), hint=hint)


@CITE.check("9.4.1.C1")
def attack_has_a_point_unit(
    stage: OfASide, position: Position, order: Fighting
) -> Iterator[Violation]:
    if order.point and order.point not in order.units:
        yield Violation(
            say("{point} does not take part", point=position.called(order.point)),
            ("point",),
            hint=say("name one that does"),
        )
    elif not order.point and len(order.units) > 1:
        yield Violation(
            say("name the point unit"), (), hint=say("write point: with one of the units")
        )


@CITE.check("12.3.h")
def spares_in_the_pause(stage: OfASide, position: Position, order: Fighting) -> Iterator[Violation]:
    # reading: a Republican area is one that Republicans control.
    area = area_of(position, order)
    binds = position.is_bound_by_pause(stage.side)
    if binds and not position.is_friendly(area, stage.side):
        message = say(
            "during the pause Nationalists may not attack in {area}", area=position.called(area)
        )
        hint = say("attacks in your own contested areas are still legal")
        at = ("path",) if isinstance(order, Assault) else ("units",)
        yield Violation(message, at, hint=hint)


@CITE.check("15.CN9")
def waits_for_the_government(
    stage: OfASide, position: Position, order: object
) -> Iterator[Violation]:
    if stage.side == REPUBLICAN and position.flight:
        hint = say_many(
            "flight", "this lasts for {flight} Republican impulse, this one",
            "this lasts for {flight} Republican impulses, including this one",
            flight=position.flight,
        )  # fmt: skip
        yield Violation(say("the government is fleeing: no combat, no bombardment"), (), hint=hint)


ATTACK_CHECKS = (
    (meets_the_enemy,),
    (attacks_with_a_factor, attack_has_a_point_unit, spares_in_the_pause,
     waits_for_the_government),
)  # fmt: skip
ASSAULT_CHECKS = (
    (meets_the_enemy,),
    (assaults_with_shock_units, attack_has_a_point_unit, spares_in_the_pause,
     waits_for_the_government),
)  # fmt: skip
