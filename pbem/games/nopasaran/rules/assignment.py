"""6.6: what acts with another formation than its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import OWN, Assign
from pbem.games.nopasaran.papers import FITS
from pbem.games.nopasaran.position import ELIMINATED, Position
from pbem.games.nopasaran.rules import command
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import NO_COUNTER, called, formation_called
from pbem.games.nopasaran.tables import (
    CORPS,
    CORPS_TROOPS,
    DIVISION,
    DIVISION_TROOPS,
    FORMATION,
    PONTOON,
)
from pbem.messages import Said, say
from pbem.value import value


@value
class Fault:
    """Why an assignment cannot be, by which rule, and what could."""

    message: Said
    rule: str
    hint: Said


def after(position: Position, order: Assign) -> Position:
    """The position with the assignments that an order makes, and all that goes over by it."""
    going = going_over(position, order)
    gone = {*going, *going_back(position, order)}
    assigned = {who: to for who, to in position.assigned.items() if who not in gone}
    assigned |= {who: to for who, to in order.to.items() if who not in gone}
    return position.but(assigned=assigned, moved_to={**position.moved_to, **going})


@CITE.serves("6.6")
def going_back(position: Position, order: Assign) -> frozenset[str]:
    """What an order sends back to its own formation, by the word for that or by its name."""
    return frozenset(
        who
        for who, to in order.to.items()
        if to in (OWN, position.lender(who)) and not goes_over(position, who, to)
    )


@CITE.check("6.6")
def assigns_its_own(stage: OfASide, position: Position, order: Assign) -> Iterator[Violation]:
    """Units that are in play; back to their own formation only those that act with another."""
    board = position.board
    if unknown := next(filter(is_tag, order.to), None):
        yield Violation(NO_COUNTER, ("to", unknown), is_key=True)
        return
    back = going_back(position, order)
    for who in order.to:
        if who in board.units and position.places[who] == ELIMINATED:
            yield Violation(say("{unit} is not in play", unit=called(position, who)), ("to", who),
                            is_key=True, hint=say("leave it out"))  # fmt: skip
        elif who in back and who not in position.assigned:
            above = position.lender(who)
            message = (
                say("{who} already belongs to {formation}", who=who, formation=above)
                if above
                else say("{who} belongs to no other formation", who=who)
            )
            yield Violation(message, ("to", who), hint=say("leave it out"))


@CITE.refusal("6.6")
def assigns_by_level(stage: OfASide, position: Position, order: Assign) -> Iterator[Violation]:
    """Units go to combat formations, those to divisions, and these to corps; headquarters stay. All
    else is judged behind this: only so does each formation have a chain of others above it.
    """
    if has_free_sheet(position, stage.side):
        return
    back = going_back(position, order)
    for who, to in order.to.items():
        if who not in back and (fault := _misfit(position, who, to)):
            yield Violation(fault.message, ("to", who), rule=fault.rule, hint=fault.hint)


@CITE.serves("6.6", "6.6.2", "6.6.3")
def _misfit(position: Position, who: str, to: str) -> Fault | None:
    goal = position.formation(to)
    if who not in position.board.units:
        if FITS.get(position.formation(who).level) != goal.level:
            return Fault(
                say("{who} cannot be assigned to {to}", who=formation_called(position, who),
                    to=formation_called(position, to)),
                "6.6.2", say("a combat formation goes to a division, a division to a corps"),
            )  # fmt: skip
    elif position.printed(who).is_headquarters:
        return Fault(say("{unit} is a headquarters", unit=called(position, who)), "6.6",
                     say("headquarters stay with their formation"))  # fmt: skip
    elif goal.level != FORMATION:
        return Fault(say("{to} is no combat formation", to=formation_called(position, to)), "6.6.3",
                     say("units are assigned to combat formations"))  # fmt: skip
    return None


@CITE.refusal("6.6.3")
def assigns_within_limits(stage: OfASide, position: Position, order: Assign) -> Iterator[Violation]:
    """Each assignment by itself, and those of before that no longer suit with it; then what each
    formation lends and borrows in all.
    """
    now = after(position, order)
    for who, to in order.to.items():
        if now.assigned.get(who) == to:
            for fault in faults_of(now, who, to):
                yield Violation(fault.message, ("to", who), rule=fault.rule, hint=fault.hint)
    for who, fault in upset(position, now, order):
        yield Violation(fault.message, ("to", who), rule=fault.rule, hint=fault.hint)
    for who, fault in total_faults(now, stage.side):
        path: tuple[str | int, ...] = ("to", who) if who in order.to else ("to",)
        yield Violation(fault.message, path, rule=fault.rule, hint=fault.hint)


@CITE.serves("6.6.1", "6.6.2", "6.6.3", "J.5")
def upset(position: Position, now: Position, order: Assign) -> Iterator[tuple[str, Fault]]:
    """What stands from earlier mornings and could not be from this one on: by the formation that an
    order lends, sends back or moves for good, with what is wrong then.
    """
    # reading: what may not be assigned together may not be in two mornings, either.
    for who, to in now.assigned.items():
        if who in order.to or is_tag(who):
            continue
        before = [fault.rule for fault in faults_of(position, who, to)]
        for fault in faults_of(now, who, to):
            if fault.rule not in before:
                above = (to, position.lender(who), *_chain(position, to))
                moved = next(each for each in above if each in order.to)
                told = formation_called if who in position.board.formations else called
                yield moved, Fault(fault.message, fault.rule, say(
                    "send {unit} back first: own", unit=told(position, who)))  # fmt: skip


def faults_of(position: Position, who: str, to: str) -> Iterator[Fault]:
    """What is wrong with one assignment by itself."""
    is_unit = who in position.board.units
    found = tuple((_of_a_unit if is_unit else _of_a_formation)(position, who, to))
    yield from found or _of_headquarters(position, who, to)


@CITE.serves("6.4")
def _of_headquarters(position: Position, who: str, to: str) -> Iterator[Fault]:
    """A headquarters that is not on the map gives and receives nothing."""
    # reading: units that are still to come count as in command, but their headquarters leads nobody
    # before it is there.
    for formation in (position.lender(who), to):
        if not _is_there(position, formation):
            yield Fault(
                say("the headquarters of {formation} is not on the map",
                    formation=formation_called(position, formation)),
                "6.4", say("assign to and from formations whose headquarters are there"),
            )  # fmt: skip


def _is_there(position: Position, formation: str) -> bool:
    return bool(position.at(position.headquarters_of(formation)))


@CITE.serves("6.6.3")
def could_ever_be(position: Position, who: str, to: str) -> bool:
    """Whether a line assigns something that can be assigned at all: a unit to a combat formation.
    A formation goes to a level of its own (`papers.FITS`).
    """
    return who in position.board.formations or position.formation(to).level == FORMATION


@CITE.audit("6.6.1", "6.6.2")
@CITE.rule("6.6.1", "6.6.2", "16.2.b2", "J.7")
def _of_a_unit(position: Position, unit: str, to: str) -> Iterator[Fault]:
    own = position.formation(position.home(unit))
    # reading: 16.2, who is assigned already when it is demoralised stays so, until it is sent back.
    if unit in position.demoralised:
        yield Fault(say("{unit} is demoralised", unit=called(position, unit)), "16.2.b2",
                    say("it stays with its own formation"))  # fmt: skip
    above = position.parent(own.id)
    if own.level == CORPS_TROOPS and above not in _chain(position, to):
        yield Fault(say("{to} does not belong to {corps}", to=formation_called(position, to),
                        corps=formation_called(position, above)),
                    "6.6.1", say("corps troops go to formations of their own corps"))  # fmt: skip
    elif own.level == DIVISION_TROOPS and position.parent(to) != above:
        why = say("{to} does not belong to {division}", to=formation_called(position, to),
                  division=formation_called(position, above))  # fmt: skip
        yield Fault(why, "6.6.2", say("support troops go to formations of their own division"))
    elif own.level == FORMATION and position.parent(own.id) != position.parent(to):
        yield Fault(say("{to} is of another division", to=formation_called(position, to)), "6.6.3",
                    say("a formation lends units to others of its division"))  # fmt: skip
    pontoons = position.special("J.7")
    is_pontoon = position.printed(unit).type == PONTOON
    if pontoons and is_pontoon and pontoons["corps"] not in _chain(position, to):
        yield Fault(say("{unit} goes only to formations of {corps}", unit=called(position, unit),
                        corps=formation_called(position, pontoons["corps"])),
                    "J.7", say("choose one of those"))  # fmt: skip


def _of_a_formation(position: Position, who: str, to: str) -> Iterator[Fault]:
    """A combat formation is lent to another division of its corps, a division to another corps."""
    # reading: 16.2, a formation may be lent with a demoralised unit, which stays with it.
    is_combat = position.formation(who).level == FORMATION
    if is_combat and _corps(position, position.lender(who)) != _corps(position, to):
        yield Fault(say("{to} is of another corps", to=formation_called(position, to)), "6.6.2",
                    say("a division lends formations to others of its corps"))  # fmt: skip


def _chain(position: Position, formation: str) -> tuple[str, ...]:
    """The formations above one, the nearest first."""
    found: list[str] = []
    above = position.parent(formation)
    while above:  # each level is lent to a higher one alone, so there is no circle
        found.append(above)
        above = position.parent(above)
    return tuple(found)


def _corps(position: Position, formation: str) -> str:
    for each in (formation, *_chain(position, formation)):
        if position.formation(each).level == CORPS:
            return each
    return ""


@CITE.audit("6.6.3", "6.6.4")
@CITE.rule("6.6.3", "6.6.4")
def total_faults(position: Position, side: Side) -> Iterator[tuple[str, Fault]]:
    """What is too much in all: a formation lends a battalion or four points, borrows as much from
    one other, and as much again of support troops; a division and a corps lend and borrow one.
    """
    # reading: what a formation lends may go to two others: the limit is for all of it together.
    most: int = position.board.charts["assignment"]["lent"]
    units = {
        who: to
        for who, to in position.assigned.items()
        if who in position.board.units and position.side_of(who) == side
    }
    for kind, message in (
        ("lent", say("{formation} lends more than {most} troop points")),
        ("borrowed",
         say("{formation} borrows more than {most} troop points from another formation")),
        ("supported", say("{formation} receives more than {most} troop points of support troops")),
    ):  # fmt: skip
        for formation, those in _sums(position, units, kind).items():
            if position.troops_of(those) > most and not _is_battalion(position, those):
                yield those[-1], Fault(
                    say(message.text, formation=formation_called(position, formation), most=most),
                    "6.6.3",
                    say("one battalion, or units of {most} troop points in all", most=most),
                )  # fmt: skip
    for formation, lenders in _lenders(position, units).items():
        if len(lenders) > 1:
            yield units_of(units, formation)[-1], Fault(
                say("{formation} borrows from two formations",
                    formation=formation_called(position, formation)),
                "6.6.3", say("it borrows from one other formation"),
            )  # fmt: skip
    yield from _formations_lent(position, side)


def units_of(units: Mapping[str, str], formation: str) -> tuple[str, ...]:
    """The units that are assigned to a formation."""
    return tuple(who for who, to in units.items() if to == formation)


def _is_battalion(position: Position, units: tuple[str, ...]) -> bool:
    return len(units) == 1 and position.printed(units[0]).type == "infantry"


def _sums(position: Position, units: Mapping[str, str], kind: str) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for unit, to in units.items():
        own = position.home(unit)
        is_support = position.formation(own).is_troops
        if kind == "lent" and not is_support:
            found[own] = (*found.get(own, ()), unit)
        elif (kind == "borrowed" and not is_support) or (kind == "supported" and is_support):
            found[to] = (*found.get(to, ()), unit)
    return found


def _lenders(position: Position, units: Mapping[str, str]) -> Mapping[str, set[str]]:
    found: dict[str, set[str]] = {}
    for unit, to in units.items():
        own = position.home(unit)
        if not position.formation(own).is_troops:
            found.setdefault(to, set()).add(own)
    return found


@CITE.serves("6.6.1", "6.6.2")
def _formations_lent(position: Position, side: Side) -> Iterator[tuple[str, Fault]]:
    """A division lends one formation, and borrows one of another division and one of its corps; a
    corps lends one formation and one division, and borrows one division.
    """
    lent: dict[tuple[str, str, str], list[str]] = {}
    for who, to in position.assigned.items():
        if who in position.board.formations and position.formation(who).side == side:
            lender = position.lender(who)
            lent.setdefault(("lends", lender, position.formation(who).level), []).append(who)
            lent.setdefault(("borrows", to, position.formation(lender).level), []).append(who)
    for (kind, formation, _), those in lent.items():
        if len(those) > 1:
            message = (
                say("{formation} lends two formations", formation=formation_called(position,
                                                                                  formation))
                if kind == "lends"
                else say("{formation} borrows two formations",
                         formation=formation_called(position, formation))
            )  # fmt: skip
            hint = (
                say("one at a time")
                if kind == "lends" or position.formation(formation).level != DIVISION
                else say("at most one of another division, and one of its corps")
            )
            yield those[-1], Fault(message, "6.6.2", hint)


# ------------------------------------------------------------------- the regrouping of a battle


def owner_of(position: Position, who: str) -> Side:
    """Whose unit or formation it is."""
    lent = position.board.formations.get(who)
    return lent.side if lent else position.side_of(who)


def for_good(position: Position, who: str, to: str) -> str:
    """The rule by which an assignment is for good, that of free sheets or of the regrouping of a
    battle; empty if it is not.
    """
    if to == OWN:
        return ""
    if has_free_sheet(position, owner_of(position, who)):
        return "6.6.6"
    return "J.5" if _regroups(position, who, to) else ""


def goes_over(position: Position, who: str, to: str) -> bool:
    """Whether an assignment is for good."""
    return bool(for_good(position, who, to))


@CITE.rule("6.6.6")
def has_free_sheet(position: Position, side: Side) -> bool:
    """Whether a side writes its order of battle itself this morning."""
    # reading: free sheets are written with the assignments of the first day, and hold for good; who
    # belongs together is free, headquarters stay with their formations.
    return position.day == 1 and any(
        each["rule"] == "6.6.6" and each["side"] == side
        for each in position.plain.get("special", ())
    )


@CITE.refusal("6.6.6")
def writes_a_free_sheet(stage: OfASide, position: Position, order: Assign) -> Iterator[Violation]:
    """Units to combat formations or support troops, combat formations to divisions, divisions to
    corps.
    """
    if not has_free_sheet(position, stage.side):
        return
    board = position.board
    for who, to in order.to.items():
        if to == OWN:
            continue
        goal = position.formation(to)
        if who in board.units:
            is_right = not board.units[who].is_headquarters and (
                goal.level == FORMATION or goal.is_troops
            )
        else:
            is_right = (position.formation(who).level, goal.level) in (
                (FORMATION, DIVISION), (DIVISION, CORPS),
            )  # fmt: skip
        if not is_right:
            yield Violation(
                say("{who} does not belong under {to}", who=who,
                    to=formation_called(position, to)),
                ("to", who), hint=say("units belong to combat formations or support troops, combat "
                                      "formations to divisions, divisions to corps"),
            )  # fmt: skip


@CITE.rule("J.5")
def _regroups(position: Position, who: str, to: str) -> bool:
    """Whether an assignment is a formation that goes over to another division for good."""
    # reading: from the day of the regrouping every such assignment is for good, and ends what was
    # lent before; no line of command leads to a headquarters that arrives today before it is there.
    special = position.special("J.5")
    return bool(
        special
        and position.day >= special["turn"]
        and who in position.board.formations
        and position.formation(who).level == FORMATION
        and to in special["divisions"]
        and _is_there(position, to)
    )


def going_over(position: Position, order: Assign) -> Mapping[str, str]:
    """What an order moves for good, with its new formation (J.5, 6.6.6)."""
    return {who: to for who, to in order.to.items() if for_good(position, who, to)}


@CITE.refusal("J.5")
def regroups_within_limits(
    stage: OfASide, position: Position, order: Assign
) -> Iterator[Violation]:
    """At most so many a day, each in command of its new division."""
    special = position.special("J.5")
    going = {who: to for who, to in order.to.items() if _regroups(position, who, to)}
    if special and len(going) > special["most"]:
        yield Violation(
            say("{number} formations go over at once", number=len(going)), ("to",),
            hint=say("at most {most} a day", most=special["most"]),
        )  # fmt: skip
    # reading: a formation whose headquarters is off the map may go over: it is in command until it
    # has entered. Who names the division that a formation is in already uses one of the four.
    now = after(position, order)
    for who, to in going.items():
        if not command.in_command(now, position.headquarters_of(who)):
            yield Violation(
                say("{who} would be out of command of {to}", who=formation_called(position, who),
                    to=formation_called(position, to)),
                ("to", who), hint=say("bring its headquarters nearer first"),
            )  # fmt: skip


# ------------------------------------------------------------------- what holds


@CITE.serves("6.4")
def unled(position: Position) -> tuple[str, ...]:
    """The formations whose headquarters is out of command or not on the map, as both know:
    assignments by and to them do not hold.
    """
    return tuple(
        id
        for id in position.board.formations
        if position.headquarters_of(id) and not _leads(position, id)
    )


def _leads(position: Position, formation: str) -> bool:
    """Whether the headquarters of a formation is on the map and in command."""
    return _is_there(position, formation) and command.in_command(
        position, position.headquarters_of(formation)
    )


@CITE.rule("6.4")
def void(position: Position, side: Side) -> tuple[str, ...]:
    """The assignments of a side that do not hold: by or to a headquarters that is out of command,
    or not on the map.
    """
    # reading: 6.4, one that stands since an earlier day ends, too.
    found = []
    for who, to in position.assigned.items():
        if owner_of(position, who) != side:
            continue
        # Of a counter face down nobody else knows its own formation.
        both = (to,) if is_tag(who) else (position.lender(who), to)
        if not all(_leads(position, each) for each in both):
            found.append(who)
    return tuple(found)
