"""11 to 14: weather, the offensive elsewhere, the Basque surrender, the factory, and how to win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.orders import Remain, Uncover, Withdraw
from pbem.games.ctv.position import FAIR, RAIN, Position
from pbem.games.ctv.rules.asks import FormsBattalions, OfASide, Withdraws
from pbem.games.ctv.rules.naming import called, in_list, named_twice, not_on_map, place
from pbem.games.ctv.tables import (
    AIR,
    BASQUE,
    BASQUE_LEFT,
    GRID,
    INFANTRY,
    ITALIAN,
    NATIONALIST,
    REPUBLICAN,
    SPANISH,
    TakenAway,
)
from pbem.messages import any_of, marked, say, say_many


@CITE.rule("11.2")
def weather_for(position: Position, die: int) -> str:
    """The weather that a die gives; rain in the turn before adds to it."""
    chart = position.board.charts["weather"]
    die += chart["after_rain"] if position.weather == RAIN else 0
    return RAIN if die >= chart["rain"] else FAIR


# ------------------------------------------------------------------- the offensive elsewhere


@CITE.rule("12.2")
def offensive_row(position: Position) -> Mapping[str, int] | None:
    """The row of this turn, by which the offensive elsewhere may begin; None if it cannot."""
    if position.offensive:
        return None
    rows = position.board.charts["offensive"]["starts"]
    return next((row for row in rows if row["turn"] == position.turn), None)


def strikes_now(position: Position) -> bool:
    """Whether the offensive that began in the turn before takes units now (12.3)."""
    return bool(position.offensive) and position.offensive == position.turn - 1


def taken_for(position: Position, die: int) -> TakenAway:
    """How many units a die takes."""
    return next(row for row in position.board.offensive if die <= row.up_to)


@CITE.rule("12.3")
def may_leave(position: Position, type: str) -> tuple[str, ...]:
    """The units of a type that can be withdrawn: Italian and Spanish infantry on the map, and
    available air units, German ones too.
    """
    # reading: "up to" means all of them, or as many as there are; Frecce Nere are neither Italian
    # nor Spanish; air units that are off are not available.
    if type == AIR:
        return position.air(NATIONALIST)
    return tuple(unit for unit in position.on_map(NATIONALIST) if _is_withdrawn(position, unit))


def _is_withdrawn(position: Position, unit: str) -> bool:
    printed = position.printed(unit)
    return printed.type == INFANTRY and printed.nation in (ITALIAN, SPANISH)


@CITE.serves("12.3")
def how_many_may_leave(position: Position, type: str) -> int:
    """How many units of a type could be withdrawn, as both know: covered ones are known as a
    set.
    """
    covered = () if type == AIR else _covered_of(position, NATIONALIST)
    # Their owner's view has them by name among those on the map.
    return len({*may_leave(position, type), *(u for u in covered if _is_withdrawn(position, u))})


def _covered_of(position: Position, side: Side) -> tuple[str, ...]:
    """The units of a side that lie covered on the map, as both know: all of them together."""
    if not position.down.hidden:
        return ()
    hidden = position.down.hidden - position.missing
    return tuple(unit for unit in position.board.covered[side] if unit in hidden)


@CITE.refusal("12.3")
def withdraws_as_many(stage: Withdraws, position: Position, order: Withdraw) -> Iterator[Violation]:
    for at, unit, is_again in in_turn(order.units):
        if is_again:
            yield named_twice(position, unit, ("units", at))
    for type, number in (("infantry", stage.infantry), (AIR, stage.air)):
        able = may_leave(position, type)
        wanted = min(number, how_many_may_leave(position, type))
        named = [
            unit for unit in order.units if (position.printed(unit).type == AIR) == (type == AIR)
        ]
        wrong = [unit for unit in named if unit not in able]
        for unit in wrong:
            yield Violation(
                say("{unit} cannot be withdrawn", unit=called(position, unit)),
                ("units", order.units.index(unit)),
                hint=say("it may be {units}",
                         units=any_of([called(position, one) for one in able]))
                if able
                else say("none of this kind is left"),
            )  # fmt: skip
        if len(named) != wanted:
            yield Violation(
                say_many("number", "{number} infantry unit leaves, not {named}",
                         "{number} infantry units leave, not {named}",
                         number=wanted, named=len(named))
                if type != AIR
                else say_many("number", "{number} air unit leaves, not {named}",
                              "{number} air units leave, not {named}",
                              number=wanted, named=len(named)),
                ("units",), hint=say("name as many as leave"),
            )  # fmt: skip


# ------------------------------------------------------------------- the Basque surrender


def basques(position: Position) -> tuple[str, ...]:
    """The Basque brigades on the map."""
    return tuple(
        unit
        for unit in position.on_map(REPUBLICAN)
        if position.printed(unit).nation == BASQUE and position.printed(unit).is_brigade
    )


@CITE.rule("13.2")
def do_basques_waver(position: Position) -> bool:
    """Whether the die for the Basques is rolled: no brigade in supply is within four hexes of place
    18, or more than half are out of supply; and in every turn after the first roll.
    """
    # reading: headquarters are no Basque units here; without a brigade left nothing is rolled.
    # reading: covered counters do not keep them in the war, and one without supply counts as a
    # Basque brigade if it may be one, unless it is shown.
    known, covered = basques(position), covered_basques(position)
    left = len(known) + len(covered)
    if not left or position.surrendered:
        return False
    cut_off = len(_cut_off(position, known)) + min(
        len(_cut_off(position, may_be_basques(position))), len(covered)
    )
    return position.wavering or not _is_near(position, known) or 2 * cut_off > left


def _is_near(position: Position, units: Iterable[str]) -> bool:
    """Whether one of units is in supply and within four hexes of place 18."""
    chart = position.board.charts["basques"]
    return any(
        abs(GRID.place(position.at(unit))[1] - chart["place"]) <= chart["near"]
        and unit not in _cut_off(position, (unit,))
        for unit in units
    )


def _cut_off(position: Position, units: Iterable[str]) -> tuple[str, ...]:
    """Those of units to whose hexes no line of supply leads."""
    area, bits = position.judged[REPUBLICAN], position.board.masks.bit
    return tuple(unit for unit in units if not area & bits[position.at(unit)])


def is_basque(position: Position, unit: str) -> bool:
    """Whether this view knows a unit for a Basque brigade."""
    printed = position.printed(position.face(unit) or unit)
    return printed.nation == BASQUE and printed.is_brigade


def covered_basques(position: Position) -> tuple[str, ...]:
    """The Basque brigades that lie covered on the map, as both know: all of them together."""
    return tuple(unit for unit in _covered_of(position, REPUBLICAN) if is_basque(position, unit))


def may_be_basques(position: Position) -> tuple[str, ...]:
    """The covered counters on the map that may be Basque brigades, as both know."""
    left = set(covered_basques(position))
    return tuple(
        tag
        for tag in position.covered_on_map(REPUBLICAN)
        if not left.isdisjoint(position.may_be(tag))
    )


@CITE.serves("13.2")
def may_be_kept_in_the_war(position: Position) -> bool:
    """Whether a covered counter that is shown could prevent the die for the Basques."""
    if position.wavering or not do_basques_waver(position):
        return False
    known, covered = basques(position), may_be_basques(position)
    left = len(known) + len(covered_basques(position))
    return _is_near(position, (*known, *covered)) and 2 * len(_cut_off(position, known)) <= left


def keep_in_the_war(position: Position) -> tuple[str, ...]:
    """The covered Basque brigades that this view knows, in supply and near the line."""
    return tuple(
        tag
        for tag in position.covered_on_map(REPUBLICAN)
        if is_basque(position, tag) and _is_near(position, (tag,))
    )


@CITE.refusal("13.2")
def uncovers_its_own(stage: OfASide, position: Position, order: Uncover) -> Iterator[Violation]:
    for at, unit, is_again in in_turn(order.units):
        if is_again:
            yield named_twice(position, unit, ("units", at))
        elif not position.at(unit):
            yield not_on_map(position, unit, ("units", at))


@CITE.refusal("13.3")
def uncovers_all_basques(stage: OfASide, position: Position, order: Uncover) -> Iterator[Violation]:
    """As far as this view knows them: others find it out in the audit."""
    lie_covered = position.down.hidden.intersection(basques(position))
    left = [unit for unit in basques(position) if unit in lie_covered and unit not in order.units]
    if left:
        yield Violation(
            say("{unit} lays down its arms too", unit=called(position, left[0])), ("units",),
            hint=say("name {units}", units=tuple(left)),
        )  # fmt: skip


@CITE.rule("13.3")
def battalion_hexes(position: Position) -> tuple[str, ...]:
    """The hexes of the Basque brigades, one for each, in order."""
    return tuple(position.at(unit) for unit in basques(position))


def battalions(position: Position) -> tuple[str, ...]:
    """The battalions that may go on fighting."""
    return tuple(
        unit
        for unit in position.board.army[REPUBLICAN]
        if position.printed(unit).nation == BASQUE_LEFT
    )


@CITE.serves("13.3")
def headquarters_without_troops(position: Position) -> tuple[str, ...]:
    """The Basque headquarters on the map with no Republican troops in their hex."""
    return tuple(
        unit
        for unit in position.on_map(REPUBLICAN)
        if position.printed(unit).nation == BASQUE
        and not any(
            position.printed(each).takes_losses for each in position.units_at(position.at(unit))
        )
    )


@CITE.refusal("13.3")
def remains_where_brigades_stood(
    stage: FormsBattalions, position: Position, order: Remain
) -> Iterator[Violation]:
    there = list(stage.hexes)
    wanted = min(len(battalions(position)), len(there))
    for at, hex in enumerate(order.at):
        if hex not in there:
            yield Violation(
                say("no more brigades stood in {hex}", hex=place(position, hex)), ("at", at),
                hint=say("name hexes of Basque brigades: {hexes}", hexes=in_list(stage.hexes)),
            )  # fmt: skip
        else:
            there.remove(hex)
    if len(order.at) != wanted:
        yield Violation(
            say_many("number", "{number} battalion goes on fighting, not {named}",
                     "{number} battalions go on fighting, not {named}", number=wanted,
                     named=len(order.at)),
            ("at",), hint=say("name a hex for each"),
        )  # fmt: skip


# ------------------------------------------------------------------- the factory, and winning


@CITE.rule("14.2")
def is_factory_in_danger(position: Position) -> bool:
    """Whether the die for the factory is rolled: from turn 4, if Reinosa was Republican when the
    turn began and is so still.
    """
    chart = position.board.charts["factory"]
    holds = position.control[chart["hex"]] == REPUBLICAN
    return position.factory and position.turn >= chart["turn"] and position.reinosa and holds


@CITE.rule("14.1")
def victory_points(position: Position) -> int:
    """The points of the Nationalists: objectives they hold, and one for ten brigades destroyed."""
    chart, factory = position.board.charts["victory"], position.board.charts["factory"]["hex"]
    points = sum(
        number
        for hex, number in position.board.objectives.items()
        if position.control[hex] == NATIONALIST and (hex != factory or position.factory)
    )
    bonus: int = chart["bonus"] if position.brigades_lost >= chart["brigades"] else 0
    return points + bonus


def has_won(position: Position) -> bool:
    """Whether the Nationalists have the points to win."""
    # reading: 14.1, six or more, counted at each end of turn; option: as soon as they have them.
    return victory_points(position) >= _wanted(position)


def _wanted(position: Position) -> int:
    wanted: int = position.board.charts["victory"]["points"]
    return wanted


def is_last_turn(position: Position) -> bool:
    """Whether no turn comes after this one."""
    turns: int = position.board.scenarios[position.scenario]["turns"]
    return position.turn >= turns


WON, WON_LATE = marked("the points suffice"), marked("the points suffice on the last turn")
WON_BY_BRIGADES = marked("the points suffice with the destroyed brigades")
SHORT = marked("the points do not suffice")
SHORT_BY_THE_FACTORY = marked("the points do not suffice without the factory")


@CITE.serves("14.1", "14.2")
def how_it_ends(position: Position) -> str:
    """Why the game ends as the points are now: what was decisive for them."""
    board, points = position.board, victory_points(position)
    if has_won(position):
        is_bonus_needed = points - board.charts["victory"]["bonus"] < _wanted(position)
        if is_bonus_needed and position.brigades_lost >= board.charts["victory"]["brigades"]:
            return WON_BY_BRIGADES
        return WON_LATE if is_last_turn(position) else WON
    return SHORT_BY_THE_FACTORY if has_won(position.but(factory=True)) else SHORT


@CITE.rule("15.3")
def levels_left(levels: Mapping[str, int], *, slowly: bool) -> Mapping[str, int]:
    """What is left of disorganisation at the end of a turn."""
    if not slowly:
        return {}
    return {unit: level - 1 for unit, level in levels.items() if level > 1}
