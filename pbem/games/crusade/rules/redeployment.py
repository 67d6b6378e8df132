"""Chapter 12: Strategic Redeployment, including 13.4.3, 16.2.4.3, 16.4 and 17.2.

Points are counted in halves. A predicate's stage has the fields of Redeploying.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import WAYS, Redeploy
from pbem.games.crusade.position import MOROCCO, RESERVE, Position
from pbem.games.crusade.rules.africa import GATES
from pbem.games.crusade.rules.asks import Redeploying
from pbem.games.crusade.rules.north import may_end, region_name
from pbem.games.crusade.rules.options_supply import through_the_corridor
from pbem.games.crusade.rules.stacking import has_to_stand_in, room_in
from pbem.games.crusade.rules.supply import (
    deployment_sources,
    friendly_sources,
    has_limited_supply,
    in_isolated_group,
    is_behind_the_strait,
    is_supplied,
    zone_of,
)
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import Either, Said, WrittenNumber, any_of, either, marked, say, say_many

# --- points -------------------------------------------------------------------------------------


@CITE.rule("8.3.2", "17.2.1", "17.2.3")
def points(position: Position, card: str) -> int:
    """The halves of a point that a card gives; one point fewer in the first two turns."""
    costs = position.tables.tables["costs"]["sr"]
    disorder = costs["early_penalty_halves"] if is_in_disorder(position) else 0
    return max(0, 2 * position.card(card).sr - disorder)


def is_in_disorder(position: Position) -> bool:
    """Whether it is one of the first turns, in which redeployment costs more."""
    return position.turn <= position.tables.tables["costs"]["sr"]["early_last_turn"]


@CITE.rule("12.1.2", "13.4.3/a", "13.4.3/b")
def cost(position: Position, order: Redeploy) -> int:
    """The halves of a point that a redeployment takes."""
    costs = position.tables.tables["costs"]["sr"]
    corps = position.type_of(order.unit).is_corps
    if order.by == "border":
        corps_cost: int = costs["border_corps_halves"][position.edition]
        return corps_cost if corps else int(costs["border_division_halves"])
    return int(costs["corps_halves"] if corps else costs["division_halves"])


# --- what every redeployment needs --------------------------------------------------------------


@CITE.refusal("8.3.1")
def names_a_unit_of_yours(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """The unit exists, is the player's, and is where this kind of redeployment begins."""
    if order.by not in WAYS:
        yield Violation(
            say("there is no redeployment by {by}", by=repr(order.by)),
            at=("by",),
            hint=say("it may be {ways}", ways=either(WAYS)),
        )
    if order.unit not in position.counters:
        yield Violation(say("no unit is named {unit}", unit=repr(order.unit)), at=("unit",))
    elif position.side_of(order.unit) != stage.side:
        yield Violation(say("{unit} is not yours", unit=order.unit), at=("unit",))
    elif order.by in WAYS and not _begins_here(position, order):
        yield Violation(
            say("{unit} is not where redeployment by {by} begins", unit=order.unit, by=order.by),
            at=("unit",),
            hint=_begins_with(position, order),
        )
    else:
        yield from has_to_stand_in(position, order.unit, order.start, "from")


def _begins_with(position: Position, order: Redeploy) -> Said:
    """The place of the unit, and the `by` that begins there."""
    place = position.place_of(order.unit)
    by = {RESERVE: "reserve", MOROCCO: "sea"}.get(place, "")
    if by and by != order.by:
        return say("it is in {place}; write by: {by}", place=position.called(place), by=by)
    return say("it is in {place}", place=position.called(place))


def _begins_here(position: Position, order: Redeploy) -> bool:
    place = position.place_of(order.unit)
    if order.by == "reserve":
        return place == RESERVE
    return position.is_on_map(order.unit) or (order.by == "sea" and place == MOROCCO)


ENDS = {
    "land": "12.1.6", "sea": "12.1.7", "reserve": "12.1.8", "to_reserve": "12.1.9",
    "border": "13.4.3",
}  # fmt: skip
"""The rule that says where a redeployment of each kind ends."""


def names_a_space(stage: Redeploying, position: Position, order: Redeploy) -> Iterator[Violation]:
    """The destination on the map is named and is a space; the Reserve needs no name."""
    if order.by in ("to_reserve", "border"):
        if order.to not in ("", RESERVE):
            yield Violation(
                say("redeployment by {by} takes a unit off the map", by=order.by),
                at=("to",),
                rule=ENDS[order.by],
            )
    elif not order.to:
        text = say("the order does not say where the unit goes")
        yield Violation(text, at=("to",), hint=say("name its space under to:"))
    elif order.to == RESERVE:
        text = say("a unit cannot go to the Reserve Box by {by}", by=order.by)
        yield Violation(text, at=("to",), hint=say("write by: to_reserve"))
    elif not position.is_open_for_play(order.to):
        yield position.not_there(order.to, "to")
    elif position.place_of(order.unit) == order.to:
        yield Violation(
            say("{unit} is already there", unit=order.unit),
            at=("to",),
            rule=ENDS[order.by],
            hint=say("name another space under to:"),
        )


@CITE.check("12.1.3")
def moves_once(stage: Redeploying, position: Position, order: Redeploy) -> Iterator[Violation]:
    """A unit redeploys once in an Action Round."""
    if order.unit in stage.moved:
        yield Violation(
            say("{unit} has already redeployed this round", unit=order.unit), at=("unit",)
        )


@CITE.refusal("12.1.2")
def is_paid_for(stage: Redeploying, position: Position, order: Redeploy) -> Iterator[Violation]:
    """A division costs one point, a corps three, and less over the border."""
    price = cost(position, order)
    if price > stage.halves:
        yield Violation(
            say(
                "{unit} costs {price}, and you have {halves} left",
                unit=order.unit,
                price=in_points(price),
                halves=in_points(stage.halves),
            ),
            at=("unit",),
            rule="13.4.3" if order.by == "border" else "",
        )


def in_points(halves: int) -> Said:
    """Halves of a point with their noun: 3 is "1.5 points"."""
    return say_many("points", "{points} point", "{points} points", points=written(halves))


def written(halves: int) -> WrittenNumber:
    """Halves of a point as a number of points, which is singular only for one whole point."""
    return WrittenNumber(number_of_points(halves), 1 if halves == 2 else 2)


def number_of_points(halves: int) -> str:
    """Halves of a point as players write them: 3 is "1.5"."""
    return f"{halves // 2}{'.5' if halves % 2 else ''}"


@CITE.check("17.2.2")
def is_the_only_african(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """In the first two turns a card redeploys one Army of Africa unit."""
    # reading: Q42, a unit that waits in Morocco counts for this limit and costs its point.
    limit = position.tables.tables["limits"]["army_of_africa_sr_per_card"]
    if not position.type_of(order.unit).has("army_of_africa"):
        return
    if position.turn <= limit["last_turn"] and stage.afr_moved >= limit["value"]:
        yield Violation(
            say("one Army of Africa unit has already redeployed with this card"), at=("unit",)
        )


@CITE.check("12.1.5")
def starts_in_supply(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """A unit out of supply may only cross a friendly border."""
    place = position.place_of(order.unit)
    if order.by == "border" or not position.is_on_map(order.unit):
        return
    if not is_supplied(position, stage.side, place):
        limited = has_limited_supply(position, stage.side, place)
        hint = say("it may cross the border: by: border") if limited else ""
        yield Violation(say("{unit} is out of supply", unit=order.unit), at=("unit",), hint=hint)


@CITE.check("13.1.1.1/b")
def ends_in_supply(stage: Redeploying, position: Position, order: Redeploy) -> Iterator[Violation]:
    """The destination is controlled by the unit's side, and supplied."""
    if order.by in ("to_reserve", "border"):
        return
    if not position.controls(stage.side, order.to):
        yield Violation(
            say("{to} is not yours", to=position.called(order.to)),
            at=("to",),
            rule=ENDS.get(order.by, ""),
        )
    elif not is_supplied(position, stage.side, order.to):
        yield Violation(say("{to} is out of supply", to=position.called(order.to)), at=("to",))


@CITE.check("12.1.10")
def keeps_heavy_units_off_the_islands(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """Corps and armor never go to the Balearic Islands."""
    unit_type = position.type_of(order.unit)
    heavy = unit_type.is_corps or unit_type.has("armor")
    if heavy and order.by in ("land", "sea", "reserve") and position.is_balearic(order.to):
        yield Violation(say("{unit} may not go to the islands", unit=order.unit), at=("to",))


# --- by land ------------------------------------------------------------------------------------


def land_zone(position: Position, unit: str) -> frozenset[str]:
    """Where a unit could go by land: its zone, and for divisions what the corridor adds."""
    if position.type_of(unit).is_corps:
        return zone_of(position, position.side_of(unit), position.place_of(unit))
    return division_zone(position, unit)


def division_zone(position: Position, unit: str) -> frozenset[str]:
    """Where a unit could go by land if it were a division."""
    side = position.side_of(unit)
    zone = zone_of(position, side, position.place_of(unit))
    beyond = through_the_corridor(position, side, zone)
    return zone | zone_of(position, side, beyond) if beyond else zone


@CITE.check("12.1.6")
def is_joined_by_land(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """A chain of spaces controlled by its side leads to the destination."""
    if order.by != "land":
        return
    if order.to not in land_zone(position, order.unit):
        start, end = (position.called(each) for each in (position.place_of(order.unit), order.to))
        told = say("no chain of your spaces leads from {start} to {end}", start=start, end=end)
        corridor = order.to in division_zone(position, order.unit)
        if corridor:
            told = say("{unit} is a corps, and corps cannot use the corridor", unit=order.unit)
        yield Violation(
            told, ("to",), "18.2.3" if corridor else "", _joined_by_land(position, order.unit)
        )


def _joined_by_land(position: Position, unit: str) -> Said:
    """A few spaces that a chain of its side's spaces joins to a unit, or that there is none."""
    here, zone = position.place_of(unit), land_zone(position, unit)
    joined = tuple(
        space
        for space in position.spaces_of(position.side_of(unit))
        if space in zone and space != here and room_in(position, space) > 0
    )
    start = position.called(here)
    if not joined:
        return say("no chain of your spaces leads from {start} to any other with room", start=start)
    return say(
        "from {start} one leads to {spaces}", start=start, spaces=any_of(position.names_of(joined))
    )


# --- by sea -------------------------------------------------------------------------------------


@CITE.check("12.1.7.2")
def only_divisions_sail(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """Corps never go by sea."""
    if order.by == "sea" and position.type_of(order.unit).is_corps:
        yield Violation(
            say("{unit} is a corps, and corps may not go by sea", unit=order.unit), at=("by",)
        )


@CITE.check("12.1.7")
def sails_from_port_to_port(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """By sea a unit starts and ends in ports that its side may use."""
    if order.by != "sea" or position.place_of(order.unit) == MOROCCO:
        return
    for field, space in (("unit", position.place_of(order.unit)), ("to", order.to)):
        if space not in position.ports():
            yield Violation(say("{space} has no port", space=position.called(space)), at=(field,))
        elif not may_sail(position, order.unit, space):
            name = position.called(space)
            rule, why = _why_no_sailing(position, stage.side, space)
            yield Violation(
                say("your ships may not use the port of {name}: {why}", name=name, why=say(why)),
                at=(field,),
                rule=rule,
            )


@CITE.serves("12.1.7.1", "16.7.1", "16.7.2")
def _why_no_sailing(position: Position, side: Side, port: str) -> tuple[str, str]:
    """The rule that closes a port to a side, and its message."""
    if side != REPUBLICAN:
        return "16.7.1", marked("the Republicans hold the Strait of Gibraltar")
    if position.sea_of(port) != "mediterranean":
        return "12.1.7.1", marked("the Republic may sail only in the Mediterranean")
    return "16.7.2", marked("the Nationalists hold the Strait of Gibraltar")


@CITE.rule("12.1.7.1", "16.7.1")
def may_sail(position: Position, unit: str, port: str) -> bool:
    """Whether the sea to a port is open to a unit."""
    # reading: Q40, an open port of the other sea serves, too: only supply is bound to one sea.
    if position.side_of(unit) == REPUBLICAN:
        mediterranean = position.sea_of(port) == "mediterranean"
        return mediterranean and not is_behind_the_strait(position, port)
    # reading: Q41, Italians and armor sail from and to any port, whoever controls the Strait.
    free = position.type_of(unit).has("italian") or position.type_of(unit).has("armor")
    beyond = position.beach_heads.get(port, port) in ("huelva", "cadiz")
    atlantic = beyond or position.sea_of(port) == "atlantic"
    return free or atlantic or position.has("strait_nationalist")


@CITE.refusal("17.6.4")
def leaves_morocco_for_the_south(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """A unit left in Morocco crosses only to Sevilla or Cádiz."""
    if position.place_of(order.unit) == MOROCCO and order.to not in GATES:
        yield Violation(
            say("{unit} may only cross to Sevilla or Cádiz", unit=order.unit), at=("to",)
        )


# --- from the Reserve Box -----------------------------------------------------------------------


WITH_FRIENDS = say("it may go where you have a unit")


@CITE.check("12.1.8")
def joins_a_friend_or_a_source(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """From the Reserve a unit goes to a friendly unit, to a source of its side or to Madrid."""
    # reading: 13.2.4.1, Badajoz is only for tracing supply, so it is not such a source.
    if order.by != "reserve" or "port" in position.type_of(order.unit).from_reserve:
        return
    friend = bool(position.units_in(order.to, stage.side))
    source = order.to in deployment_sources(position, stage.side)
    if not (friend or source or order.to == "madrid"):
        sources = [
            position.called(each)
            for each in deployment_sources(position, stage.side)
            if room_in(position, each) > 0
        ]
        told = say(
            "{to} has none of your units and is neither one of your sources nor Madrid",
            to=position.called(order.to),
        )
        traces_only = order.to in friendly_sources(position, stage.side)
        if traces_only:
            told = say(
                "{to} has none of your units, and is a source only for supply lines",
                to=position.called(order.to),
            )
        yield Violation(
            told,
            at=("to",),
            rule="13.2.4.1" if traces_only else "",
            hint=say(
                "it may go where you have a unit, or to {sources}", sources=Either(tuple(sources))
            )
            if sources
            else WITH_FRIENDS,
        )


@CITE.check("12.1.8/a")
def regional_units_come_home(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """From the Reserve a regional division goes into its region or to a unit of it."""
    region = position.type_of(order.unit).region
    if order.by != "reserve" or not region or position.space(order.to).region == region:
        return
    if not any(position.type_of(unit).region == region for unit in position.units_in(order.to)):
        name = region_name(region)
        yield Violation(
            say(
                "{unit} may join only units from {name} outside its region",
                unit=order.unit,
                name=name,
            ),
            at=("to",),
        )


@CITE.rule("16.4.3.2/c")
@CITE.check("12.1.8/b")
def strangers_stay_out_of_the_north(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """From the Reserve only regional and police divisions reach the cut-off north."""
    if order.by != "reserve" or position.type_of(order.unit).has("regional"):
        return
    found = may_end(position, order.unit, order.to)
    if found is not None:
        # Police may go there; only their number is limited.
        counted = position.type_of(order.unit).north_limit
        yield Violation(found.message, at=("to",), rule=found.rule if counted else "")


@CITE.rule("8.5.4.2")
@CITE.check("12.1.8/c")
def catalans_join_catalans(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """From the Reserve Catalan militia goes to Barcelona, to its like, or to Mallorca's beach."""
    if order.by != "reserve" or position.type_of(order.unit).from_reserve != "catalan":
        return
    if order.to in ("barcelona", "beach_head_mallorca"):
        return
    if not any(position.type_of(unit).has("catalan") for unit in position.units_in(order.to)):
        yield Violation(
            say("{unit} may only go to Barcelona or to other Catalan militia", unit=order.unit),
            at=("to",),
        )


@CITE.check("12.1.8/d")
def russian_tanks_land_in_the_mediterranean(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """From the Reserve the T-26 goes to a Mediterranean port."""
    if position.type_of(order.unit).from_reserve == "mediterranean_port" and order.by == "reserve":
        port = order.to in position.ports() and position.sea_of(order.to) == "mediterranean"
        if not port:
            yield Violation(
                say("{unit} may only land in a Mediterranean port", unit=order.unit), at=("to",)
            )


@CITE.check("12.1.8/e")
def axis_tanks_land_in_a_port(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """From the Reserve the CV-33 and the PZ-I go to a port."""
    # reading: 12.1.8/d, 12.1.8/e, the captured T-26 is neither Republican nor a PZ-I or CV-33, and
    # comes by no ship: like an infantry division it goes to a friendly unit, or to a source.
    tanks = position.type_of(order.unit).from_reserve == "port"
    if tanks and order.by == "reserve" and order.to not in position.ports():
        yield Violation(say("{unit} may only land in a port", unit=order.unit), at=("to",))


# --- to the Reserve Box and over a border -------------------------------------------------------


@CITE.check("12.1.9")
def only_divisions_rest(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """Only divisions go to the Reserve Box."""
    if order.by == "to_reserve" and position.type_of(order.unit).is_corps:
        yield Violation(
            say("{unit} is a corps, and corps may not go to the Reserve", unit=order.unit),
            at=("by",),
        )


@CITE.check("16.2.4.3")
def keeps_the_isolated_limits(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """Units go from the Reserve to an isolated group, one MIL a turn, but never back."""
    # reading: 16.2.4.3 limits the ways out of the Reserve Box and into it; by land in the group,
    # and by sea to one of its ports that is open to the unit, units go as elsewhere (16.2.3).
    if order.by == "to_reserve" and in_isolated_group(position, position.place_of(order.unit)):
        yield Violation(
            say("{unit} is cut off and cannot reach the Reserve", unit=order.unit), at=("by",)
        )
    if order.by != "reserve":
        return
    isolated = in_isolated_group(position, order.to)
    if not isolated:
        return
    kind = position.type_of(order.unit)
    if not kind.has("militia") or kind.has("navarre"):
        name = position.space(order.to).name
        told = say("only MIL may be sent to {name} while it is cut off", name=name)
        if kind.has("navarre"):
            told = say(
                "only MIL, except MIL of Navarre, may be sent to {name} while it is cut off",
                name=name,
            )
        yield Violation(told, at=("unit",))
    elif isolated_mark(isolated) in position.turn_marks:
        name = position.space(isolated).name
        yield Violation(
            say("one MIL has already been sent to {name} this turn", name=name), at=("to",)
        )


def isolated_mark(isolated: str) -> str:
    """The mark of a turn in which an isolated group got its MIL."""
    return f"sent_to_{isolated}"


@CITE.check("13.4.3")
def is_out_of_supply_at_the_border(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """Only units out of supply that reach a friendly country cross the border."""
    if order.by != "border":
        return
    place = position.place_of(order.unit)
    if not has_limited_supply(position, stage.side, place):
        yield Violation(
            say(
                "{unit} must be out of supply and connected to a friendly country", unit=order.unit
            ),
            at=("unit",),
        )


@CITE.check("13.4.3.1")
def regional_units_do_not_cross(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """The regional units of the north never cross the border."""
    if order.by == "border" and position.type_of(order.unit).has("regional"):
        yield Violation(
            say("{unit} is a regional unit and may not cross the border", unit=order.unit),
            at=("unit",),
        )


@CITE.check("13.4.3.2")
def border_is_not_shut(
    stage: Redeploying, position: Position, order: Redeploy
) -> Iterator[Violation]:
    """After N43 no Republican unit crosses the French border."""
    if order.by == "border" and stage.side == REPUBLICAN and "N43" in position.played:
        yield Violation(say("France has closed its border to your units (N43)"), at=("by",))


REDEPLOY_CHECKS: tuple[tuple[Any, ...], ...] = (
    (names_a_unit_of_yours,),
    (names_a_space, moves_once, is_paid_for, is_the_only_african),
    (
        starts_in_supply,
        ends_in_supply,
        only_divisions_sail,
        only_divisions_rest,
        keeps_heavy_units_off_the_islands,
        is_out_of_supply_at_the_border,
        regional_units_do_not_cross,
        border_is_not_shut,
        leaves_morocco_for_the_south,
    ),
    (
        is_joined_by_land,
        sails_from_port_to_port,
        joins_a_friend_or_a_source,
        strangers_stay_out_of_the_north,
        catalans_join_catalans,
        russian_tanks_land_in_the_mediterranean,
        axis_tanks_land_in_a_port,
        keeps_the_isolated_limits,
    ),
    (regional_units_come_home,),
)
"""The checks of a redeployment, before those of how the round can end."""
