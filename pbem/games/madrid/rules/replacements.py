"""8: units that are rebuilt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import Rebuild, Renewal
from pbem.games.madrid.position import ELIMINATED, Position
from pbem.games.madrid.rules.asks import OfASide
from pbem.games.madrid.tables import ARTILLERY, SHOCK
from pbem.messages import Said, say, say_many

Fault = tuple[tuple[str | int, ...], str, Said, Said]
"""The path inside the list, rule, message and hint."""


@CITE.rule("8.6", "8.7", "8.8")
def never_rebuilt(position: Position, unit: str) -> tuple[str, Said] | None:
    """The rule and the reason why a unit cannot be rebuilt now; None if it can."""
    # reading: in the pause Moroccan cavalry may be rebuilt, because it counts as line units.
    chart = position.board.charts["replacements"]
    printed = position.unit(unit)
    if printed.type == ARTILLERY:
        return "8.8", say("artillery is never rebuilt")
    if printed.faction in chart["never"]:
        return "8.6", say("International Brigades are never rebuilt")
    if printed.faction in chart["pause_only"] and not position.is_paused:
        return "8.7", say("Legion and Moroccan units are rebuilt only during the pause")
    return None


@CITE.rule("8.4")
def is_weaker(position: Position, one: str, other: str) -> bool:
    """Whether the first of a pair may return: less attack, or the same and no more defence."""
    # reading: fresh sides are compared; if both are the same the owner chooses.
    first, second = position.unit(one).fresh, position.unit(other).fresh
    return (first.attack, first.defence) <= (second.attack, second.defence)


@CITE.rule("8.3")
def pairs(position: Position, side: Side) -> tuple[tuple[str, str], ...]:
    """The pairs in which one may return for the other: eliminated units of one type and faction."""
    gone = [u for u in position.units_at(ELIMINATED, side) if not never_rebuilt(position, u)]
    return tuple(
        (one, other)
        for one in gone
        for other in gone
        if one != other and _alike(position, one, other) and is_weaker(position, one, other)
    )


@CITE.serves("8.3")
def _alike(position: Position, one: str, other: str) -> bool:
    first, second = position.unit(one), position.unit(other)
    return (first.type, first.faction) == (second.type, second.faction)


@CITE.rule("8.5")
def homes(position: Position, side: Side) -> tuple[str, ...]:
    """The areas in which a unit may be rebuilt: its side's areas with room."""
    # reading: it is fresh, in an area and not in a box, whether or not that is in supply.
    return tuple(
        area
        for area, holder in position.control.items()
        if holder == side and position.room(area, side) > 0
    )


@CITE.serves("8.3", "8.4", "8.5")
def renewal_faults(
    position: Position, side: Side, renewals: Sequence[Renewal], *, alone: bool = False
) -> Iterator[Fault]:
    """The faults of a list of rebuilt units; `alone`: those for which no other leaves the game."""
    gone = position.units_at(ELIMINATED, side)
    named: set[str] = set()
    coming = Counter(each.to for each in renewals)
    for at, each in enumerate(renewals):
        wanted = [("unit", each.unit)] + ([] if alone else [("gives", each.gives)])
        odd = [(key, unit) for key, unit in wanted if unit not in gone or unit in named]
        for key, unit in odd:
            message = say(
                "{unit} is not an eliminated unit that you can still use",
                unit=position.called(unit),
            )
            if not unit:
                message = say("name the unit that leaves the game in exchange")
            hint = say(
                "this takes two units of the same type and faction, one of which leaves the game"
            )
            yield (at, key), "8.3", message, "" if alone else hint
        named.update(unit for _, unit in wanted)
        if odd:
            continue
        if reason := never_rebuilt(position, each.unit):
            yield (at, "unit"), reason[0], reason[1], say("name another unit")
        if not alone and (each.unit == each.gives or not _alike(position, each.unit, each.gives)):
            message = say("the two units must have the same type and faction")
            yield (at, "gives"), "8.3", message, say("name another unit of its kind")
        elif not alone and not is_weaker(position, each.unit, each.gives):
            message = say("{unit} is the weaker of the two", unit=position.unit(each.gives).name)
            yield (at, "unit"), "8.4", message, say("rebuild the weaker unit")
        if alone and each.gives:
            yield (
                (at, "gives"),
                "15.CN11",
                say("no unit leaves the game in exchange"),
                say("leave gives out"),
            )
        if position.control.get(each.to) != side:
            yield (
                (at, "to"),
                "8.5",
                say("{to} is not one of your areas", to=position.called(each.to)),
                say("name one that you control"),
            )
        elif position.room(each.to, side) < coming[each.to]:
            message = say("{to} has no room", to=position.called(each.to))
            yield (at, "to"), "8.5", message, say("name another area")


@CITE.rule("8.2", "12.3.f")
def limit_faults(
    position: Position, side: Side, renewals: Sequence[Renewal]
) -> Iterator[tuple[str, Said, Said]]:
    """The limits: two line units or one shock unit; in the pause two Nationalist shock units."""
    # reading: nothing is rolled; a side with a pair may rebuild. Line or shock units, never both.
    chart = position.board.charts["replacements"]
    shock = [each for each in renewals if position.unit(each.unit).type == SHOCK]
    in_pause = position.is_bound_by_pause(side)
    most = chart["pause_shock"] if in_pause else chart["shock"]
    too_many = len(shock) > most or len(renewals) - len(shock) > chart["line"]
    if too_many or 0 < len(shock) < len(renewals):
        rule = "12.3.f" if in_pause else "8.2"
        hint = say_many("most", "{line} line units a turn, or {most} shock unit",
                        "{line} line units a turn, or {most} shock units",
                        line=chart["line"], most=most)  # fmt: skip
        yield rule, say("this rebuilds too many units"), hint


# ------------------------------------------------------------------- checks of phase 2d


@CITE.refusal("8.3")
def rebuilds_by_pairs(stage: OfASide, position: Position, order: Rebuild) -> Iterator[Violation]:
    for path, rule, message, hint in renewal_faults(position, stage.side, order.units):
        yield Violation(message, ("units", *path), rule=rule, hint=hint)


@CITE.refusal("8.2")
def rebuilds_few(stage: OfASide, position: Position, order: Rebuild) -> Iterator[Violation]:
    for rule, message, hint in limit_faults(position, stage.side, order.units):
        yield Violation(message, ("units",), rule=rule, hint=hint)


REBUILD_CHECKS = ((rebuilds_by_pairs,), (rebuilds_few,))
