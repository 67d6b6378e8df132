"""5.1, 5.2.1: which lines of the morning's lists are due, and what a line means once it is shown.

A line comes to light when it is used: the mission of an air unit when it flies, an assignment when
a unit acts, fights or fires by it. Until then both players judge by what was told, and only whoever
wrote it by what is written.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from pbem.engine.mentions import named_in
from pbem.engine.model import Event, Order, Side, Unfolding, Violation
from pbem.engine.tags import deck_of, is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran import papers
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.papers import AIR, ASSIGN, LINES, LISTS, NAMES
from pbem.games.nopasaran.position import CAS, INT, MISSIONS, RECO, Mission, Position
from pbem.games.nopasaran.rules import air, artillery, assignment, recovery
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import names_what_there_is
from pbem.messages import say

Slots = tuple[str, ...]

# ------------------------------------------------------------------- what is written


def assignments(position: Position, side: Side, order: o.Assign) -> Mapping[str, str]:
    """All assignments of a side after an order that changes those of yesterday."""
    changes = {papers.named(position, who): to for who, to in order.to.items()}
    found = {**papers.assigned(position, side), **changes}
    return {who: to for who, to in found.items() if to != o.OWN}


@CITE.refusal("5.1")
def fits_its_list(stage: OfASide, position: Position, order: o.Assign) -> Iterator[Violation]:
    """As many assignments as the list has lines."""
    # reading: a list has 32 lines, far more than anybody lends; its size may tell nothing.
    number = len(assignments(position, stage.side, order))
    if number > LINES and not position.is_open:
        yield Violation(
            say("{number} assignments would be written", number=number), ("to",),
            hint=say("a list has {most} lines: send others back to their own formation",
                     most=LINES),
        )  # fmt: skip


def lines_of(position: Position, side: Side, order: Order) -> tuple[list[str] | None, ...]:
    """The lines of the list that an order writes: of assignments the whole list of the day, with
    counters face down by their tags; of missions one for each air unit.
    """
    if isinstance(order, o.Fly):
        missions = air.missions_of(order)
        aircraft = position.aircraft(side)
        found = [[each.kind + papers.PICKS * each.is_asked, each.target]
                 if (each := missions.get(unit)) else None for unit in aircraft]  # fmt: skip
        return (*found, *(None,) * (papers.size_of(len(aircraft)) - len(aircraft)))
    assert isinstance(order, o.Assign)
    tags = {face: tag for tag in position.tags_of(side) if (face := position.face(tag))}
    told = [[tags.get(who, who), to] for who, to in assignments(position, side, order).items()]
    return (*told, *(None,) * (LINES - len(told)))


# ------------------------------------------------------------------- what is due


@CITE.serves("5.2.2")
def flying_at_once(position: Position, side: Side) -> Slots:
    """The lines of the air units that fly or lie in view from the morning on: reconnaissance,
    interdiction and close support.
    """
    lines = papers.missions(position, side, position.aircraft(side))
    return tuple(key for key, _, (mission, *_) in lines if mission in (RECO, INT, CAS))


@CITE.serves("5.2.2.bomb")
def flown_with(position: Position, side: Side, units: Iterable[str]) -> Slots:
    """The lines of air units that fly now."""
    lines = papers.missions(position, side, position.aircraft(side))
    return tuple(key for key, unit, _ in lines if unit in units)


@CITE.serves("5.1", "5.5.p2")
def used_by(
    position: Position, side: Side, units: Iterable[str], formations: Iterable[str] = ()
) -> Slots:
    """The assignments of units that act, fight or fire, of the formations above them, and all to
    formations that act.
    """
    lines = tuple(papers.untold(position, side))
    if not lines:
        return ()
    seen, acting = position.seen(side), set(formations)
    who_acts = {position.face(unit) or unit for unit in units}
    own = {seen.commander(unit) for unit in who_acts if not is_tag(unit)}
    for formation in own | acting:
        while formation:
            who_acts.add(formation)
            formation = seen.parent(formation)
    return tuple(key for key, who, to in lines if who in who_acts or to in acting)


def used_with(position: Position, side: Side, order: Order) -> Slots:
    """The lines that come to light with an order, as far as this view knows them."""
    if not position.papers:
        return ()
    match order:
        case o.Activate(unit=unit) if unit:
            return used_by(position, side, (unit,))
        case o.Activate(division=division, formation=formation):
            name = division or formation
            known = name in position.board.formations
            return used_by(position, side, (), position.seen(side).parts(name) if known else ())
        case o.Attack(support=support) | o.Again(support=support):
            guns = support.guns if isinstance(support, o.Backing) else ()
            found = (*used_by(position, side, guns), *_elsewhere(position, side, order))
            return tuple(dict.fromkeys(found))
        case o.Bombard(guns=guns, air=flying):
            return (*used_by(position, side, guns), *flown_with(position, side, flying))
        case o.React(units=units):
            return used_by(position, side, units)
    return _elsewhere(position, side, order)


ACTIONS = (o.Move, o.Arrive, o.Attack, o.Scout, o.Engineer, o.Consolidate)
ONLY_SAID = ("zones", "top")
"""The fields of an order that say something of counters face down, those too that do nothing."""


@CITE.serves("5.1", "5.5.p2")
def _elsewhere(position: Position, side: Side, order: Order) -> Slots:
    """The assignments of units that an order lets act and that act with others: given ahead it
    lapses for that, and both have to see why. All others are told with their activation. One that
    came to nothing (6.4) keeps nobody from acting, and need not be seen.
    """
    if not isinstance(order, ACTIONS):
        return ()
    named = {position.face(each.name) or each.name for each in named_in(order)
             if each.at[0] not in ONLY_SAID}  # fmt: skip
    holds = position.seen(side).assigned
    return tuple(key for key, who, to in papers.untold(position, side)
                 if who in named and holds.get(who) == to)  # fmt: skip


@CITE.serves("12.4")
def used_where_attacked(position: Position, side: Side, hex: str, hexes: tuple[str, ...]) -> Slots:
    """The assignments of the units in a hex that is attacked from some hexes, and of batteries that
    could support it: by what is written, or by what both know.
    """
    named, seen = position.by_faces(side), position.seen(side)
    units = named.units_at(hex, side)
    guns = [gun for known in (named, seen)
            for gun in artillery.defence_guns(known, side, units, hexes)]  # fmt: skip
    return used_by(position, side, (*units, *guns))


@CITE.serves("17.3", "J.5", "6.6.6")
def used_at_dawn(position: Position, side: Side) -> Slots:
    """The lines that hold for good, and those thanks to which a unit that both know comes into
    order by itself.
    """
    # reading: a formation or unit that changes for good is shown at once (J.5, 6.6.6), because both
    # need to know it from then on.
    for_good = [key for key, who, to in papers.untold(position, side)
                if not is_tag(who) and assignment.goes_over(position, who, to)]  # fmt: skip
    seen = position.seen(side)
    before = recovery.by_themselves(position)
    units = [unit for unit in recovery.by_themselves(seen)
             if unit in position.disorganised and unit not in before]  # fmt: skip
    used = used_by(position, side, units) if units else ()
    return tuple(dict.fromkeys((*for_good, *used)))


# ------------------------------------------------------------------- what is told


@CITE.serves("5.1")
def told(position: Position, cards: Mapping[str, str]) -> tuple[Event[Position], ...]:
    """The events of lines that are told, by slot. One that could not be, or says again what holds
    of somebody, comes to nothing.
    """
    # reading: what only its author can judge of a line (who lends how much to whom) is for the
    # audit; a second line of one unit comes to nothing.
    story: Unfolding[Position] = Unfolding(position)
    for slot in sorted(cards, key=_place):
        name = deck_of(slot)
        if name in LISTS:
            story.happen(e.LineTold(slot, cards[slot]))
            side, kind = LISTS[name]
            if slot.rpartition("/")[0] != papers.of_today(story.position, side, kind):
                continue  # of a day that is over
            for event in (_assigned if kind == ASSIGN else _planned)(story.position, side, slot):
                story.happen(event)
    return tuple(story.events)


def known_lines(position: Position, slots: Iterable[str]) -> Mapping[str, str]:
    """Those of some lines that this view knows and that are not told yet."""
    return {slot: position.notes[slot] for slot in slots
            if slot in position.notes and slot not in position.told}  # fmt: skip


def _place(slot: str) -> tuple[str, int, int]:
    name, entry, at = slot.split("/")
    return name, int(entry), int(at)


def _assigned(position: Position, side: Side, slot: str) -> Iterator[Event[Position]]:
    paper = position.papers[NAMES[side, ASSIGN]]
    line, to = papers.assignment(position.board, side, paper, json.loads(position.told[slot]))
    who = position.down.present(line) if line else ""  # as both know
    if not who or who in position.assigned:
        return
    if papers.is_over(position, paper, who, to):
        if position.moved_to.get(who) != to and not position.is_gone(who):
            yield e.AssignmentVoided(who, to)
    elif not is_tag(who) and (rule := assignment.for_good(position, who, to)):
        yield e.WentOver(who, to, rule)
    elif assignment.could_ever_be(position, who, to):
        yield e.Assigned(side, {who: to})


def _planned(position: Position, side: Side, slot: str) -> Iterator[Event[Position]]:
    aircraft, at = position.aircraft(side), int(slot.rpartition("/")[2])
    flown = Mission(*papers.flight(json.loads(position.told[slot])))
    if at < len(aircraft) and may_fly(position, side, aircraft[at], flown.kind, flown.target):
        yield e.AirPlanned(side, {aircraft[at]: flown})


@CITE.serves("7.1.b1", "7.3.2", "7.3.4")
def may_fly(position: Position, side: Side, unit: str, mission: str, target: str) -> bool:
    """Whether a mission that is told is one that the air unit can fly, to a target that there is,
    and that no other looks at already.
    """
    if mission not in MISSIONS or not air.can_fly(position.board.air[unit], mission):
        return False
    if mission == CAS:
        return target in air.support_targets(position, side)
    others = (position.missions.get(other) for other in position.aircraft(side))
    is_looked_at = mission == RECO and any(
        each.kind == RECO and each.target == target for each in others if each is not None
    )
    return target in position.ground and not is_looked_at


# ------------------------------------------------------------------- what an audit looks at


@CITE.refusal("6.6.3")
def wrote_what_could_be(
    stage: OfASide, position: Position, order: o.TellPapers
) -> Iterator[Violation]:
    """In a view that knows the whole list of today's assignments each of them could be, and nobody
    is named twice. Lines of yesterday's list need not be judged again.
    """
    side = stage.side
    paper = position.papers[NAMES[side, ASSIGN]]
    known = papers.whole(position, side, ASSIGN)
    if known is None:
        return
    found: dict[str, str] = {}
    for line in filter(None, known):
        who, to = papers.assignment(position.board, side, paper, line)
        name = papers.named(position, who)
        if not who or name in found:
            yield Violation(say("a line of the list of assignments assigns nothing: {line}",
                                line=json.dumps(line)))  # fmt: skip
            return
        found[name] = to
    base = papers.written(position, side, paper.before)
    kept = {who: to for who, to in base.items() if found.get(who) == to}
    before = position.by_faces(side).but(assigned=kept)
    written = o.Assign({who: to for who, to in found.items() if who not in kept})
    for judge in (assignment.assigns_its_own, assignment.assigns_by_level,
                  assignment.writes_a_free_sheet, assignment.assigns_within_limits,
                  assignment.regroups_within_limits):  # fmt: skip
        yield from judge(stage, before, written)


@CITE.refusal("7.1.b1")
def wrote_what_flies(
    stage: OfASide, position: Position, order: o.TellPapers
) -> Iterator[Violation]:
    """In a view that knows the whole list of missions each is one that its air unit can fly."""
    known = papers.whole(position, stage.side, AIR)
    aircraft = position.aircraft(stage.side)
    flights: dict[str, o.Flight] = {}
    for at, line in enumerate(known or ()):
        mission, target, is_asked = papers.flight(line)
        if line is not None and not (at < len(aircraft) and mission in MISSIONS):
            yield Violation(say("a line of the list of missions is no mission: {line}",
                                line=json.dumps(line)))  # fmt: skip
            return
        if line is not None:
            flights[aircraft[at]] = o.Flight(**{mission: target}, picks=o.ASK * is_asked)
    for judge in (names_what_there_is, air.flies_what_it_can, air.scouts_a_hex_once):
        yield from judge(stage, position, o.Fly(flights))
