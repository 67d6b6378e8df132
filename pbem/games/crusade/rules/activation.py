"""8.2: which spaces may be activated, and for what."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Activate
from pbem.games.crusade.position import OFF_MAP, Control, Position
from pbem.games.crusade.rules.asks import Activating, OfASide
from pbem.games.crusade.rules.event_limits import threatened
from pbem.games.crusade.rules.options_operations import points_needed, why_dearer
from pbem.games.crusade.rules.supply import supply_map, zone_of_all
from pbem.games.crusade.tables import ENEMY, NATIONALIST
from pbem.messages import Part, either, say, say_many


def _named(order: Activate) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every space of the order with its path."""
    for mode in ("move", "attack"):
        for number, space in enumerate(getattr(order, mode)):
            yield (mode, number), space


@CITE.rule("13.1.1.1", "13.1.1.1/a", "3.0.activated")
def movable_spaces(position: Position, side: Side) -> tuple[str, ...]:
    """Spaces that may be activated for movement: own units, and any kind of supply."""
    reached = supply_map(position, side).reached
    return tuple(space for space in occupied_spaces(position, side) if space in reached)


@CITE.serves("8.2.2", "13.3.1", "16.2.3")
def attackable_spaces(position: Position, side: Side) -> tuple[str, ...]:
    """Spaces that may be activated for combat: own units in full supply, and enemies adjacent."""
    supplied = supply_map(position, side).full
    return tuple(
        space
        for space in occupied_spaces(position, side)
        if space in supplied
        and not threatened(position, side, space)
        and (
            any(position.occupier(near) == ENEMY[side] for near in position.neighbours(space))
            or any(space == siege_space for siege_space in besieged(position))
        )
    )


def besieged(position: Position) -> tuple[str, ...]:
    """The spaces with a siege, in the order of the sieges' names."""
    return tuple(position.tables.siege_spaces[siege] for siege in sorted(position.sieges))


def occupied_spaces(position: Position, side: Side) -> tuple[str, ...]:
    """Spaces with units of the side, in map order; the two never share one (9.1.3)."""
    rank = position.tables.map_rank
    found = (
        place
        for place, units in position.stacks.items()
        if place not in OFF_MAP and position.side_of(units[0]) == side
    )
    return tuple(sorted(found, key=lambda space: rank.get(space, len(rank))))


@CITE.check("2.1.1")
def names_known_spaces(stage: object, position: Position, order: Activate) -> Iterator[Violation]:
    """Every space named exists."""
    for path, space in _named(order):
        if not position.is_open_for_play(space):
            yield position.not_there(space, *path)


@CITE.check("8.2.2")
def occupied_by_own_units(
    stage: OfASide, position: Position, order: Activate
) -> Iterator[Violation]:
    """Only spaces with friendly units can be activated."""
    for path, space in _named(order):
        if not position.units_in(space, stage.side):
            near = [each for each in position.neighbours(space)
                    if position.units_in(each, stage.side)]  # fmt: skip
            names = either(position.space(each).name for each in near)
            hint = say("you have units next to it, in {names}", names=names) if near else ""
            if near and position.units_in(space) and path[0] == "attack":
                hint = say("to attack it, activate {names} for combat", names=names)
            yield Violation(
                say("you have no unit in {space}", space=position.space(space).name),
                path,
                hint=hint,
            )


@CITE.check("8.2.3")
def one_mode_each(stage: object, position: Position, order: Activate) -> Iterator[Violation]:
    """A space is activated once, for movement or for combat."""
    seen: set[str] = set()
    for path, space in _named(order):
        if space in seen:
            name = position.space(space).name
            yield Violation(
                say(
                    "{name} is named twice; a space is activated once, either to move or to attack",
                    name=name,
                ),
                path,
            )
        seen.add(space)


def _beyond(stage: Activating, order: Activate) -> list[tuple[str | int, ...]]:
    """The paths of the spaces besides those that an event names."""
    return [path for path, space in _named(order) if space not in stage.named]


@CITE.check("8.2.1")
def within_points(stage: Activating, position: Position, order: Activate) -> Iterator[Violation]:
    """Each space costs one operations point."""
    marked = len(order.move) + len(order.attack)
    needed = points_needed(stage, position, order)
    if stage.free is not None and len(_beyond(stage, order)) > stage.free:
        return  # an event has no points: it says how many spaces
    if needed > stage.points:
        where: tuple[str | int, ...] = ("attack",) if order.attack else ("move",)
        spaces = say_many("spaces", "{spaces} space", "{spaces} spaces", spaces=marked)
        points = say_many(
            "points", "{points} operations point", "{points} operations points",
            points=stage.points,
        )  # fmt: skip
        told = say("you activate {spaces}, and have {points}", spaces=spaces, points=points)
        if needed > marked:
            told = say_many(
                "marked", "you activate {spaces}, which takes {needed} points, and have {points}",
                "you activate {spaces}, which take {needed} points, and have {points}",
                spaces=spaces, needed=needed, points=points, marked=marked,
            )  # fmt: skip
        yield Violation(told, where, "" if marked > stage.points else why_dearer(position, order))


@CITE.check("13.3.1")
def spaces_are_supplied(stage: OfASide, position: Position, order: Activate) -> Iterator[Violation]:
    """Units out of supply cannot be activated."""
    reached = supply_map(position, stage.side).reached
    for path, space in _named(order):
        if space not in reached:
            yield Violation(say("{space} is out of supply", space=position.space(space).name), path)


@CITE.refusal("13.4.2")
def limited_supply_only_moves(
    stage: OfASide, position: Position, order: Activate
) -> Iterator[Violation]:
    """Units supplied only by a friendly border may move, but not fight."""
    for number, space in enumerate(order.attack):
        if space in supply_map(position, stage.side).limited:
            yield Violation(
                say(
                    "{space} has only limited supply across the border",
                    space=position.space(space).name,
                ),
                ("attack", number),
                hint=say("it may be activated for movement"),
            )


@CITE.check("16.2.3")
def isolated_only_moves(stage: OfASide, position: Position, order: Activate) -> Iterator[Violation]:
    """Isolated Spaces and spaces connected to them may move, but not fight."""
    for number, space in enumerate(order.attack):
        if space in supply_map(position, stage.side).isolated:
            yield Violation(
                say("{space} belongs to an Isolated Space", space=position.space(space).name),
                ("attack", number),
                hint=say("it may be activated for movement"),
            )


@CITE.check("17.1.2")
def one_northern_attack(stage: OfASide, position: Position, order: Activate) -> Iterator[Violation]:
    """During the ammunition shortage one space of the Northern Zone may be activated to attack."""
    if stage.side != NATIONALIST or not position.has("shortage"):
        return
    northern = [n for n, space in enumerate(order.attack) if in_northern_zone(position, space)]
    for number in northern[1:]:
        yield Violation(
            say(
                "the ammunition shortage allows only one attacking space in the Northern "
                "Zone, and {space} is that one",
                space=position.space(order.attack[northern[0]]).name,
            ),
            ("attack", number),
            hint=say(
                "activate {other} to move, or to attack in its place",
                other=position.space(order.attack[number]).name,
            ),
        )


@CITE.rule("17.1.1", "3.0.northern_zone")
def in_northern_zone(position: Position, space: str) -> bool:
    """Whether a space is joined by land to La Coruña, Valladolid or Zaragoza."""
    # reading: Q3, captured spaces joined to the zone belong to it too; by agreement the zone is the
    # one of the start of the war.
    from pbem.games.crusade.rules.ground import NORTHERN_ZONE_SOURCES

    if position.option("Q3"):
        spaces = position.tables.spaces.values()
        control = {each.id: Side(each.control) for each in spaces if not each.dormant}
        position = position.but(control=Control(control))
    return space in zone_of_all(position, NATIONALIST, NORTHERN_ZONE_SOURCES)


@CITE.refusal("8.5.1.1")
def spaces_of_the_event(
    stage: Activating, position: Position, order: Activate
) -> Iterator[Violation]:
    """An event activates the spaces it names and a number of others; some give attacks only."""
    if stage.attack_only and order.move:
        yield Violation(say("the event gives attack markers only"), ("move",))
    if stage.free is None:
        return
    others = _beyond(stage, order)
    if len(others) > stage.free:
        mode, spaces = others[stage.free][0], [space for _, space in _named(order)]
        free = [space for space in spaces if space not in stage.named][: stage.free]
        text = say(
            "the event activates only {named_and_free}",
            named_and_free=named_and_free(stage, position),
        )
        could = (attackable_spaces if mode == "attack" else movable_spaces)(position, stage.side)
        some = tuple(space for space in (*stage.named, *free) if space in could)
        example = Activate(attack=some) if mode == "attack" else Activate(move=some)
        is_legal = some and not any(stage.check(position, example))
        hint = say("such as activate: {{mode}: [{free}]}", mode=mode, free=", ".join(some))
        yield Violation(text, others[stage.free], hint=hint if is_legal else "")


def named_and_free(stage: Activating, position: Position) -> Part:
    """The spaces that an event names, and the number of others the player may choose."""
    names = [position.space(space).name for space in stage.named]
    return (*names, say("{number} more", number=stage.free)) if stage.free else tuple(names)
