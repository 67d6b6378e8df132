"""Chapter 14: what replacement points buy, and what lowers them. Points are counted in halves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.model import Event, Side, Unfolding, Violation
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Rebuild, Replace, Supply
from pbem.games.crusade.position import ELIMINATED, RESERVE, Position
from pbem.games.crusade.rules.asks import KnowsSpending
from pbem.games.crusade.rules.north import region_name
from pbem.games.crusade.rules.options_replacements import (
    agreed_change,
    bilbao_needs_company,
    soviet_points_arrive,
)
from pbem.games.crusade.rules.redeployment import in_points, number_of_points
from pbem.games.crusade.rules.reinforcement import corps_has_to_come_in
from pbem.games.crusade.rules.stacking import has_to_stand_in
from pbem.games.crusade.rules.supply import (
    friendly_sources,
    in_isolated_group,
    is_unit_supplied,
    zone_of,
)
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import Message, Row, Said, a_few, all_of, any_of, either, say, say_many

AID: Mapping[str, str] = {"AXIS": "N2", "SOV": "R2"}
"""The event without which a foreign currency is not recorded."""


# --- what is recorded and what lowers it --------------------------------------------------------


@CITE.rule("8.4.1", "8.4.2", "14.1.1.1")
def recorded(position: Position, side: Side, card: str) -> tuple[Event[Position], ...]:
    """The points that a card played for replacements puts on the track, the round's only effect."""
    events: list[Event[Position]] = []
    for currency, points in position.card(card).rp.items():
        if points and is_current(position, currency):
            events.append(e.ReplacementsRecorded(currency, 2 * points))
        elif points:
            events.append(rare.ReplacementsWithheld(currency, 2 * points))
    return tuple(events)


def why_withheld(currency: str) -> Message:
    """Why points of a card are not recorded, in words."""
    if currency in AID:
        return say("the event of {card} has not been played (14.1.1.1)", card=AID[currency])
    return say("the Last Mobilization is over (R49)")


def is_current(position: Position, currency: str) -> bool:
    """Whether a currency is recorded: foreign ones after their aid event, one's own until R49."""
    if currency in AID:
        return AID[currency] in position.played
    return not _is_exhausted(position, currency)


LAST_POINTS = "last_mobilization"
"""The mark of the turn of the Last Mobilization, whose points still count."""


@CITE.serves("card R49")
def _is_exhausted(position: Position, currency: str) -> bool:
    """Whether the Last Mobilization was played in an earlier turn."""
    # reading: then the yearly points of R43 are not recorded either.
    if LAST_POINTS in position.turn_marks:
        return False
    return any(
        position.card(card).params.get("rp_none_from_next_turn") == currency
        for card in position.played
    )


@CITE.rule("14.2.2", "14.2.4")
def open_accounts(position: Position, side: Side) -> tuple[Event[Position], ...]:
    """The changes to a side's points before it spends any (Q30)."""
    # reading: Q30, the loss for Main Cities comes before any spending.
    story: Unfolding[Position] = Unfolding(position)
    for currency in position.tables.currencies[side]:
        _wipe(story, currency)
        accumulated = story.position.rp.get(currency, 0)
        _adjust(story, currency)
        if accumulated:
            _add_gifts(story, currency)
    return tuple(story.events)


def _wipe(story: Unfolding[Position], currency: str) -> None:
    """A card of this turn removes all points of a currency (N30, N51, R52)."""
    halves = story.position.rp.get(currency, 0)
    if no_points_mark(currency) in story.position.turn_marks and halves:
        position = story.position
        gone = (card for deck in position.decks.values() for card in deck.removed)
        wipes = [
            card for card in (*sorted(position.played), *gone)
            if position.card(card).params.get("rp_zero") == currency
        ]  # fmt: skip
        # Of two such cards the one of this turn has left the game last.
        story.happen(rare.ReplacementsAdjusted(currency, -halves, tuple(wipes[-1:])))


def no_points_mark(currency: str) -> str:
    """The mark of a turn in which a currency is worth nothing."""
    return f"no_{currency}"


def _adjust(story: Unfolding[Position], currency: str) -> None:
    """Main Cities and lasting events together change a currency, not below zero."""
    # reading: 14.2.4, Q29, all changes of a currency are summed, and the sum stops at zero.
    position = story.position
    reasons = {
        "Main Cities lost": -city_loss(position, currency),
        **yearly_changes(position, currency),
        "optional rules": agreed_change(position, currency),
    }
    change = max(sum(reasons.values()), -position.rp.get(currency, 0))
    if change:
        why = tuple(reason for reason, halves in reasons.items() if halves)
        story.happen(rare.ReplacementsAdjusted(currency, change, why))


@CITE.rule("CC.R42")
def _add_gifts(story: Unfolding[Position], currency: str) -> None:
    """A card of this turn adds points; any of the currency must have been recorded (R42)."""
    # reading: Q31, they come last, and not if a card of this turn removed what was recorded; what
    # older events take each turn (N30, N41, N49) does not keep them away, though nothing is left.
    position = story.position
    given = {
        card: 2 * position.card(card).params["rp_add"].get(currency, 0)
        for card in sorted(m.removeprefix(GIFT) for m in position.turn_marks if m.startswith(GIFT))
    }
    gifts, givers = sum(given.values()), [card for card, halves in given.items() if halves]
    if gifts:
        story.happen(rare.ReplacementsAdjusted(currency, gifts, tuple(givers)))


GIFT = "adds_points_"
"""With a card: a mark of a turn in which that card adds points at the Replacement Phase."""


def city_loss(position: Position, currency: str) -> int:
    """The halves of its own currency that a side loses for Main Cities."""
    for side, (own, *_) in position.tables.currencies.items():
        if currency == own:
            return missing_cities(position, side) * _city_price(position)
    return 0


def _city_price(position: Position) -> int:
    return 2 * int(position.tables.tables["costs"]["main_cities"]["rp_per_missing_city"])


@CITE.rule("14.2.1", "14.2.3")
def missing_cities(position: Position, side: Side) -> int:
    """How many fewer Main Cities a side has than at the start of the war; at least 0."""
    had = int(position.tables.tables["costs"]["main_cities"][side])
    return max(0, had - main_cities_held(position, side))


@CITE.rule("14.2.5")
def main_cities_held(position: Position, side: Side) -> int:
    """The Main Cities of a side. Bilbao stays Republican until all three northern sources fall."""
    held = sum(position.controls(side, city) for city in position.tables.main_cities)
    fallen = all(position.controls(NATIONALIST, s) for s in position.tables.northern_sources)
    if position.controls(NATIONALIST, "bilbao") and not fallen and bilbao_needs_company(position):
        held += 1 if side == REPUBLICAN else -1
    return held


@CITE.rule("CC.N30", "CC.R31")
def yearly_changes(position: Position, currency: str) -> dict[str, int]:
    """The halves of a currency that each event of earlier turns adds or removes every turn."""
    found: dict[str, int] = {}
    for card in sorted(position.played):
        params = position.card(card).params
        change = params.get("rp_each_turn", {}).get(currency, 0)
        lost = change > 0 and not is_current(position, currency)
        if not lost and not _is_over(position, card, params):
            found[card] = 2 * change
    return found


def _is_over(position: Position, card: str, params: Mapping[str, Any]) -> bool:
    ended = params.get("until") in position.played
    # A card that removes the points of its own turn lowers them only from the next turn on.
    return ended or no_points_mark(params.get("rp_zero", "")) in position.turn_marks


# --- what may be bought -------------------------------------------------------------------------


def _plain_step_cost(position: Position, unit: str) -> int:
    """The halves of a point that a step costs outside isolated groups."""
    costs = position.tables.tables["costs"]["rp"]
    corps = position.type_of(unit).is_corps
    return int(costs["corps_step_halves"] if corps else costs["division_step_halves"])


@CITE.rule("14.1.3", "16.2.4.2/a")
def step_cost(position: Position, unit: str) -> int:
    """A step of a division costs half a point, of a corps a point; twice that if isolated."""
    price = _plain_step_cost(position, unit)
    if in_isolated_group(position, position.place_of(unit)):
        price *= int(position.tables.tables["isolated_spaces"]["cost_multiplier"])
    return price


@CITE.rule("14.1.1.2", "14.1.1.3")
def currencies_for(position: Position, unit: str) -> tuple[str, ...]:
    """The currencies that pay for a unit, its side's own first."""
    fits = position.type_of(unit).rp
    isolated = in_isolated_group(position, position.place_of(unit))
    return tuple(
        currency
        for currency in position.tables.currencies[position.side_of(unit)]
        if currency in fits
        and not (isolated and currency == "AXIS")
        and (currency != "SOV" or soviet_points_arrive(position, unit))
    )


@CITE.serves("14.1.1.2", "14.1.1.3", "16.2.4.2")
def why_not_paid_in(position: Position, unit: str, currency: str) -> tuple[str, Said]:
    """The rule by which a currency does not pay for a unit, and its message."""
    side = position.side_of(unit)
    if currency in position.type_of(unit).rp:
        if currency == "AXIS":
            return "16.2.4.2", say("only Nationalist points reach an isolated group")
        return "18.2.6", say("Soviet points do not reach it")
    rule = "14.1.1.3" if side == NATIONALIST else "14.1.1.2"
    if currency in AID:
        return rule, say("foreign points cannot pay for it")
    if side == NATIONALIST:
        return rule, say("only Axis points pay for it")
    return rule, say("only Soviet points pay for it")


@CITE.rule("14.1.1")
def payment(
    position: Position, currencies: tuple[str, ...], halves: int, using: str = ""
) -> tuple[tuple[str, int], ...] | None:
    """How a price is paid: in the named currency, else one's own first; None if it is too high."""
    open_to = [currency for currency in currencies if using in ("", currency)]
    paid: list[tuple[str, int]] = []
    for currency in open_to:
        part = min(halves, position.rp.get(currency, 0))
        if part > 0:
            paid.append((currency, part))
            halves -= part
    return tuple(paid) if halves == 0 else None


# --- checks -------------------------------------------------------------------------------------


@CITE.refusal("14.1.1")
def names_your_unit(
    stage: KnowsSpending, position: Position, order: Replace | Rebuild
) -> Iterator[Violation]:
    """The unit exists and is the player's."""
    if order.unit not in position.counters:
        yield Violation(say("no unit is named {unit}", unit=repr(order.unit)), at=("unit",))
    elif position.side_of(order.unit) != stage.side:
        yield Violation(say("{unit} is not yours", unit=order.unit), at=("unit",))
    if order.using not in ("", *position.tables.currencies[stage.side]):
        yield Violation(
            say("you have no points called {using}", using=repr(order.using)),
            at=("using",),
            hint=either(position.tables.currencies[stage.side]),
        )


@CITE.refusal("14.1.2")
def stands_where_it_is_said(
    stage: KnowsSpending, position: Position, order: Replace
) -> Iterator[Violation]:
    """A place written with the unit is the unit's place."""
    yield from has_to_stand_in(position, order.unit, order.at, "at")


@CITE.refusal("14.1.2")
def has_lost_a_step(
    stage: KnowsSpending, position: Position, order: Replace
) -> Iterator[Violation]:
    """A replacement restores a reduced unit on the map or in the Reserve Box."""
    here = position.is_on_map(order.unit) or position.place_of(order.unit) == RESERVE
    if not here or not position.is_reduced(order.unit):
        worn = [
            unit
            for unit in position.counters
            if position.is_reduced(unit)
            and position.side_of(unit) == stage.side
            and (position.is_on_map(unit) or position.place_of(unit) == RESERVE)
        ]
        hint = (
            say("your reduced units: {worn}", worn=a_few(worn))
            if worn
            else say("none of your units is reduced")
        )
        yield Violation(
            say("{unit} has no lost step to restore", unit=order.unit), at=("unit",), hint=hint
        )


@CITE.check("13.3.2")
def takes_replacements_in_supply(
    stage: KnowsSpending, position: Position, order: Replace
) -> Iterator[Violation]:
    """A unit out of supply takes no replacements."""
    if not is_unit_supplied(position, order.unit):
        yield Violation(say("{unit} is out of supply", unit=order.unit), at=("unit",))


@CITE.check("14.1.6")
def takes_replacements(
    stage: KnowsSpending, position: Position, order: Replace | Rebuild
) -> Iterator[Violation]:
    """The Army of Africa and the Insurrection never take replacements."""
    if not position.type_of(order.unit).rp:
        yield Violation(say("{unit} never takes replacements", unit=order.unit), at=("unit",))


@CITE.check("14.1.7")
def regional_corps_reaches_home(
    stage: KnowsSpending, position: Position, order: Replace
) -> Iterator[Violation]:
    """A regional corps away from home needs a supply line to the source there."""
    unit_type = position.type_of(order.unit)
    if not (unit_type.has("regional") and unit_type.is_corps and position.is_on_map(order.unit)):
        return
    place = position.place_of(order.unit)
    if position.space(place).region == unit_type.region:
        return
    zone = zone_of(position, REPUBLICAN, place)
    if not any(
        source in zone and position.space(source).region == unit_type.region
        for source in friendly_sources(position, REPUBLICAN)
    ):
        yield Violation(
            say(
                "{unit} is cut off from {region}",
                unit=order.unit,
                region=region_name(unit_type.region),
            ),
            at=("unit",),
        )


@CITE.refusal("14.1.3")
def restored_step_is_paid(
    stage: KnowsSpending, position: Position, order: Replace
) -> Iterator[Violation]:
    """The points on the track cover the step."""
    yield from _too_dear(position, order)


def price_of(position: Position, order: Replace | Rebuild) -> int:
    """The halves of a point that an order costs."""
    steps = order.steps if isinstance(order, Rebuild) else 1
    return steps * step_cost(position, order.unit)


def _too_dear(position: Position, order: Replace | Rebuild) -> Iterator[Violation]:
    currencies, price = currencies_for(position, order.unit), price_of(position, order)
    own = position.tables.currencies[position.side_of(order.unit)]
    barred = [each for each in own if each not in currencies and position.rp.get(each, 0)]
    usual = [each for each in own if each in position.type_of(order.unit).rp]
    wanted = order.using or ("" if currencies else usual[0])
    if wanted and wanted not in currencies:
        rule, why = why_not_paid_in(position, order.unit, wanted)
        hint = (
            say(
                "{unit} can be paid for with {currencies}",
                unit=order.unit,
                currencies=tuple(currencies),
            )
            if currencies
            else ""
        )
        yield Violation(
            say(
                "{unit} cannot be paid for with {wanted} points: {why}",
                unit=order.unit,
                wanted=wanted,
                why=why,
            ),
            ("using",) if order.using else ("unit",),
            rule,
            hint,
        )
    elif payment(position, currencies, price, order.using) is None:
        named = order.using or tuple(currencies)
        passed = Row(tuple(
            say("{currency} does not pay for it ({rule})", currency=each,
                rule=why_not_paid_in(position, order.unit, each)[0])
            for each in barred
        ), "; ")  # fmt: skip
        purse = (order.using,) if order.using else currencies
        there = sum(position.rp.get(each, 0) for each in purse)
        left = in_points(there) if there else say("none")
        yield Violation(
            say(
                "{unit} costs {price} of {named}, and you have {left}",
                unit=order.unit,
                price=in_points(price),
                named=named,
                left=left,
            ),
            at=("using",) if order.using else ("unit",),
            rule=_why_too_dear(position, order),
            hint=say("{reasons}", reasons=passed) if barred else "",
        )


@CITE.serves("16.2.4.2/a")
def _why_too_dear(position: Position, order: Replace | Rebuild) -> str:
    """The rule of the doubled price, if the points on the track cover the plain one; else empty."""
    if not in_isolated_group(position, position.place_of(order.unit)):
        return ""
    currencies, plain = currencies_for(position, order.unit), _plain_step_cost(position, order.unit)
    return "" if payment(position, currencies, plain, order.using) is None else "16.2.4.2/a"


@CITE.check("16.2.4.2")
def isolated_group_takes_one_point(
    stage: KnowsSpending, position: Position, order: Replace
) -> Iterator[Violation]:
    """An isolated group takes one point a turn, so only one step of a division."""
    # reading: Q33, a corps would cost two points at the doubled price, more than the limit.
    if not position.is_on_map(order.unit):
        return
    isolated = in_isolated_group(position, position.place_of(order.unit))
    limit = 2 * int(position.tables.tables["limits"]["isolated_space_rp_per_turn"]["value"])
    if not isolated:
        return
    if isolated in stage.isolated_served:
        yield Violation(
            say(
                "{isolated} has already had its point this turn", isolated=position.called(isolated)
            ),
            at=("unit",),
        )
    elif step_cost(position, order.unit) > limit:
        yield Violation(
            say(
                "a step of {unit} costs more than {isolated} may get",
                unit=order.unit,
                isolated=position.called(isolated),
            ),
            at=("unit",),
        )


@CITE.refusal("14.1.2")
def is_eliminated(stage: KnowsSpending, position: Position, order: Rebuild) -> Iterator[Violation]:
    """Only units in the Eliminated Box are rebuilt; those out of the game are not."""
    if position.place_of(order.unit) != ELIMINATED:
        there = position.units_in(ELIMINATED, stage.side)
        place = position.called(position.place_of(order.unit))
        hint = say("it is in {place}", place=place)
        if there:
            hint = say("it is in {place}; in the box are {units}", place=place, units=all_of(there))
        yield Violation(
            say("{unit} is not in the Eliminated Box", unit=order.unit),
            at=("unit",),
            hint=hint,
        )


@CITE.check("14.1.4")
def rebuilds_steps_it_has(
    stage: KnowsSpending, position: Position, order: Rebuild
) -> Iterator[Violation]:
    """A unit is rebuilt at reduced or full strength; a division goes to the Reserve Box."""
    unit_type = position.type_of(order.unit)
    if not 1 <= order.steps <= unit_type.steps:
        yield Violation(
            say_many(
                "steps",
                "{unit} has {steps} step, not {order_steps}",
                "{unit} has {steps} steps, not {order_steps}",
                unit=order.unit,
                steps=unit_type.steps,
                order_steps=order.steps,
            ),
            at=("steps",),
            rule="14.1.5" if unit_type.is_corps else "",
        )
    if not unit_type.is_corps and order.to not in ("", RESERVE):
        yield Violation(say("a rebuilt division goes to the Reserve Box"), at=("to",))


@CITE.check("14.1.5")
def rebuilt_corps_has_a_place(
    stage: KnowsSpending, position: Position, order: Rebuild
) -> Iterator[Violation]:
    """A rebuilt corps is placed where a reinforcement would be."""
    if not position.type_of(order.unit).is_corps:
        return
    yield from corps_has_to_come_in(position, order.unit, order.to)


@CITE.refusal("14.1.3")
def rebuilt_steps_are_paid(
    stage: KnowsSpending, position: Position, order: Rebuild
) -> Iterator[Violation]:
    """The points on the track cover all steps."""
    yield from _too_dear(position, order)


@CITE.check("16.1.8")
def names_a_siege(stage: KnowsSpending, position: Position, order: Supply) -> Iterator[Violation]:
    """The Nationalists may strengthen a siege."""
    if stage.side != NATIONALIST:
        yield Violation(
            say("only the Nationalists can strengthen a besieged garrison"),
            at=("name",),
            hint=say("spend points on your units"),
        )
    elif order.name not in position.tables.sieges:
        yield Violation(
            say("no siege is named {order}", order=repr(order.name)),
            at=("name",),
            hint=_sieges_to_feed(stage, position),
        )


@CITE.check("16.1.8.2")
def siege_goes_on(stage: KnowsSpending, position: Position, order: Supply) -> Iterator[Violation]:
    """A siege that has ended, by surrender or relief, never begins again."""
    if order.name not in position.sieges:
        yield Violation(
            say(
                "the siege of {name} is over and cannot be renewed",
                name=position.tables.sieges[order.name]["name"],
            ),
            at=("name",),
            hint=_sieges_to_feed(stage, position),
        )


@CITE.check("16.1.8.1")
def siege_has_room_for_a_point(
    stage: KnowsSpending, position: Position, order: Supply
) -> Iterator[Violation]:
    """A siege takes one point a turn, up to its initial value."""
    row = position.tables.sieges[order.name]
    if order.name in stage.sieges_fed:
        yield Violation(
            say("{name} has already had its point this turn", name=row["name"]),
            at=("name",),
            hint=_sieges_to_feed(stage, position),
        )
    elif position.sieges[order.name] >= row["resistance"]:
        yield Violation(
            say("{name} is already as strong as at the start", name=row["name"]),
            at=("name",),
            hint=_sieges_to_feed(stage, position),
        )


def _sieges_to_feed(stage: KnowsSpending, position: Position) -> Said:
    """The sieges that a point could strengthen now, by name and id, or that there is none."""
    rows = position.tables.sieges
    weak = tuple(
        f"{rows[siege]['name']} ({siege})"
        for siege, strength in position.sieges.items()
        if siege not in stage.sieges_fed and strength < rows[siege]["resistance"]
    )
    if not weak or position.phase != "columns":
        return say("no siege can be strengthened now")
    return say("a point may go to {sieges}", sieges=any_of(weak))


@CITE.check("16.1.8.3")
def sieges_are_fed_early(
    stage: KnowsSpending, position: Position, order: Supply
) -> Iterator[Violation]:
    """After the War of the Columns sieges cannot be strengthened."""
    if position.phase != "columns":
        yield Violation(
            say("sieges get points only in the War of the Columns"),
            at=("name",),
            hint=say("spend points on your units"),
        )


@CITE.refusal("16.1.8")
def siege_point_is_paid(
    stage: KnowsSpending, position: Position, order: Supply
) -> Iterator[Violation]:
    """A whole Nationalist point; Axis points do not count."""
    if position.rp.get("NAT", 0) < siege_cost(position):
        yield Violation(
            say("a siege costs a whole point of NAT"),
            at=("name",),
            hint=say("you have {points} NAT", points=number_of_points(position.rp.get("NAT", 0))),
        )


def siege_cost(position: Position) -> int:
    """The cost of strengthening a siege, in halves of a point."""
    return int(position.tables.tables["costs"]["rp"]["siege_halves"])


REPLACE_CHECKS: tuple[tuple[Any, ...], ...] = (
    (names_your_unit,),
    (stands_where_it_is_said,),
    (has_lost_a_step, takes_replacements),
    (takes_replacements_in_supply, regional_corps_reaches_home),
    (isolated_group_takes_one_point, restored_step_is_paid),
)
REBUILD_CHECKS: tuple[tuple[Any, ...], ...] = (
    (names_your_unit,),
    (is_eliminated, takes_replacements),
    (rebuilds_steps_it_has, rebuilt_corps_has_a_place),
    (rebuilt_steps_are_paid,),
)
SIEGE_CHECKS: tuple[tuple[Any, ...], ...] = (
    (names_a_siege,),
    (siege_goes_on,),
    (sieges_are_fed_early,),
    (siege_has_room_for_a_point, siege_point_is_paid),
)
