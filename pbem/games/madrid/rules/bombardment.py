"""9.3: bombardment, by guns and by chits."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Bombard
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import OfASide
from pbem.games.madrid.rules.combat import waits_for_the_government
from pbem.games.madrid.rules.retreat import names_of
from pbem.games.madrid.tables import ENEMY
from pbem.messages import Either, Said, either, say


@CITE.serves("9.3.a")
def gun_targets(position: Position, side: Side, place: str) -> tuple[str, ...]:
    """The areas with enemies that guns of a place may bombard: their own and adjacent ones."""
    areas, enemies = position.board.areas, position.stacks[ENEMY[side]]
    near = (place, *position.board.graph.neighbours(place))
    return tuple([area for area in near if area in enemies and area in areas])


@CITE.rule("9.3.g")
def gun_modifier(position: Position, guns: int) -> int:
    chart: list[int] = position.board.charts["bombardment"]["guns"]
    return chart[guns - 1]


@CITE.rule("9.3.d")
def attacker_names_point(position: Position, area: str) -> bool:
    """Whether player A names the point unit: if the area is contested."""
    # reading: any unit of player B in the area, artillery too.
    return position.is_contested(area)


@CITE.rule("9.3.h")
def bombardment_losses(rolled: int, modifier: int, defence: int) -> int:
    """The loss points: dice plus modifier minus the defence value, at least 0."""
    return max(0, rolled + modifier - defence)


@CITE.serves("9.3.e", "9.3.f")
def shelling_told(position: Position, order: Bombard) -> Said:
    """The dice of a bombardment by guns, and the defence that they must beat, in words."""
    side = position.side_of(order.guns[0])
    is_close = position.places[order.guns[0]] == order.target
    dice = say("the best two of {dice}", dice="3D6") if is_close else "2D6"
    defence = position.terrain(order.target)
    there = position.units_at(order.target, ENEMY[side])
    points = (order.point,) if attacker_names_point(position, order.target) else there
    against = sorted({defence + position.face(unit).defence for unit in points})
    return say(
        "{dice} + {modifier} against {defence}",
        dice=dice, modifier=gun_modifier(position, len(order.guns)), defence=Either(tuple(against)),
    )  # fmt: skip


# ------------------------------------------------------------------- checks


@CITE.check("9.3.b")
def bombards_with_guns(stage: OfASide, position: Position, order: Bombard) -> Iterator[Violation]:
    # reading: all guns of a bombardment are in one area.
    for at, unit in enumerate(order.guns):
        if not position.is_gun(unit):
            message = say("{unit} is not artillery", unit=position.called(unit))
            yield Violation(message, ("guns", at), hint=say("one to three guns can bombard"))


@CITE.check("9.3.c")
def never_with_more_than_three(
    stage: OfASide, position: Position, order: Bombard
) -> Iterator[Violation]:
    most = position.board.charts["limits"]["guns"]
    if len(order.guns) > most:
        message = say("{number} guns are too many", number=len(order.guns))
        yield Violation(
            message, ("guns",), hint=say("at most {most} can bombard together", most=most)
        )


@CITE.check("9.3.a")
def bombards_in_range(stage: OfASide, position: Position, order: Bombard) -> Iterator[Violation]:
    targets = gun_targets(position, stage.side, position.places[order.guns[0]])
    if order.target not in targets:
        told = either(map(position.called, targets))
        hint = say("they can bombard {told}", told=told) if targets else say("they have no target")
        message = say(
            "{target} is not a target of these guns", target=position.called(order.target)
        )
        yield Violation(message, ("target",), hint=hint)


@CITE.refusal("9.3.d")
def names_the_target(stage: OfASide, position: Position, order: Bombard) -> Iterator[Violation]:
    enemies = position.units_at(order.target, ENEMY[stage.side])
    if not attacker_names_point(position, order.target):
        if order.point:
            hint = say("leave point out")
            message = say("the area is not contested: the enemy names the point unit")
            yield Violation(message, ("point",), hint=hint)
    elif order.point not in enemies:
        area = position.called(order.target)
        message = say(
            "{point} is not an enemy unit in {area}", point=position.called(order.point), area=area
        )
        if not order.point:
            message = say("the area is contested: name the point unit in {area}", area=area)
        yield Violation(
            message, ("point",), hint=say("name one of {names}", names=names_of(position, enemies))
        )


@CITE.refusal("12.3.h")
def holds_fire_in_the_pause(
    stage: OfASide, position: Position, order: Bombard
) -> Iterator[Violation]:
    binds = position.is_bound_by_pause(stage.side)
    if binds and not position.is_friendly(order.target, stage.side):
        message = say(
            "during the pause Nationalists may not bombard {target}",
            target=position.called(order.target),
        )
        yield Violation(message, ("target",), hint=say("your own areas may still be bombarded"))


BOMBARD_CHECKS = (
    (bombards_with_guns, never_with_more_than_three, bombards_in_range),
    (names_the_target, holds_fire_in_the_pause, waits_for_the_government),
)
