"""2.6: counters face down: who has to be seen, what one that is not seen may be, and what is said.

An order is judged as its author sees it, their own counters face down by name, by the same rules as
in the open game. Everybody else judges it without those names: each counter by itself, and it
passes if some unit that it may be could do it. What only counts of counters could tell (ten troop
points in a hex) is for the audit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeVar

from pbem.engine.facedown import Statement, by_tag, in_order, mixed_names
from pbem.engine.mentions import in_turn
from pbem.engine.model import Order, Side, Unfolding, Violation
from pbem.engine.naming import respelt, sorted_names
from pbem.engine.rules import Predicate, checks, predicates_of
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.events import CounterShown
from pbem.games.nopasaran.ground import SUPPORTED_RIVER
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import (
    engineers,
    hiding,
    movement,
    reports,
    setup,
    stacking,
    ways,
    zones,
)
from pbem.games.nopasaran.rules.asks import AsksWho, OfASide
from pbem.games.nopasaran.rules.naming import (
    called,
    formation_called,
    names_its_own,
    names_nobody_mixed,
    names_what_there_is,
)
from pbem.games.nopasaran.tables import DECKS, SIDES
from pbem.messages import Said, either, say
from pbem.value import replace

Given = TypeVar("Given", bound=Order)
Tags = tuple[str, ...]
Need = tuple[str, tuple[str | int, ...]]
"""A counter that has to be shown, and its place in the order."""
UNIT_KINDS = ("unit", "member")
"""The kinds of names in orders that may be those of units."""

# ------------------------------------------------------------------- orders by tag and by name


def in_tags(position: Position, side: Side, order: Given) -> Given:
    """An order with tags for the counters face down of a side that this view knows by name."""
    tags = {face: tag for tag in position.tags_of(side) if (face := position.face(tag))}
    return renamed(order, tags) if tags else order


def by_name(position: Position, order: Given) -> Given:
    """An order with the names of counters face down, as far as this view knows them."""
    return renamed(order, {tag: face for side in SIDES for tag in position.tags_of(side)
                            if (face := position.face(tag))})  # fmt: skip


def renamed(order: Given, names: Mapping[str, str]) -> Given:
    """An order with other names for some units."""
    return respelt(order, lambda kind, name: names.get(name, name) if kind in UNIT_KINDS else name)


def meant(position: Position, order: Given) -> Given:
    """An order with the present name of each counter in it."""
    if not position.down.shown:
        return order
    return respelt(
        order,
        lambda kind, name: position.down.present(name) if kind in UNIT_KINDS else name,
    )


def worded(position: Position, side: Side, order: Given) -> Given:
    """An order as its author's program writes it: with tags, in their order, and with what must be
    said of counters that lie face down behind it.
    """
    if position.is_open:
        return order
    written = sorted_names(in_tags(position, side, order), "unit", by_tag)
    match written:
        case o.Move():
            return replace(written, zones=tuple(_zones_behind(position, written)),
                           top=dict(_tops_behind(position, written)))  # fmt: skip
        case o.Mix():
            return replace(written, zones=said_of_mix(position, side, written))
        case o.SetUp():
            whole = setup.whole(position, side, written)
            return replace(written, units=whole.units, alike=whole.alike,
                           zones=tuple(_zones_by_hex(position, whole.units)))  # fmt: skip
        case o.Activate() | o.Attack() | o.Bombard() | o.Again():
            return replace(written, told=True)
    return written


# ------------------------------------------------------------------- what is said


def _zones_behind(position: Position, order: o.Move) -> Iterator[o.Zone]:
    """What the counters face down that move come to, and those that stay, if this view knows
    them.
    """
    if not order.units:
        return
    start = position.at(order.units[0])
    stay = [tag for tag in position.tags_at(start) if tag not in order.units]
    for group in ([unit for unit in order.units if is_tag(unit)], stay):
        yield from zone_of(position, group)


def _zones_by_hex(position: Position, laid: Mapping[str, str]) -> Iterator[o.Zone]:
    """What the counters of a set-up come to in each hex."""
    for hex in dict.fromkeys(laid.values()):
        yield from zone_of(position, (tag for tag in laid if is_tag(tag) and laid[tag] == hex))


def zone_of(position: Position, tags: Iterable[str]) -> Iterator[o.Zone]:
    """What is said of counters face down together; nothing of none, or if it was said before."""
    group = tuple(sorted(tags, key=by_tag))
    said = _come_to(position, group) if _of_whole_groups(position, group) else ""
    if said and position.down.said(f"{zones.ZONE}{' '.join(group)}") != said:
        yield o.Zone(group, said)


def _come_to(position: Position, units: Tags) -> str:
    """What counters come to together; empty of none, and where this view does not know them all."""
    pieces = position.down.held(units)
    return zones.said_of(position, pieces) if pieces else ""


@CITE.serves("2.6")
def _of_whole_groups(position: Position, units: Iterable[str]) -> bool:
    """Whether counters that were mixed today are all that were mixed together: no view knows yet
    which of them is which, and an audit could not tell whether it was so.
    """
    # reading: until the evening nothing is said of some of the counters that were mixed together.
    named = set(units)
    return all(position.down.mixed_with(tag) <= named for tag in named & position.mixed)


def _tops_behind(position: Position, order: o.Move) -> Iterator[tuple[str, str]]:
    """The formations of counters that come to lie on top where a move begins and ends."""
    if not (order.units and order.path):
        return
    start, last = position.at(order.units[0]), order.path[-1]
    left = [unit for unit in position.stacks.get(start, ()) if unit not in order.units]
    there = [unit for unit in position.stacks.get(last, ()) if unit not in order.units]
    for hex, stack in ((start, left), (last, [*there, *order.units])):
        if hex in position.masks:
            continue  # the marker hides it
        top = next((unit for unit in stack if position.could_attack(unit)), "")
        homes = {position.home(unit) for unit in position.may_be(top)} if top else set()
        is_told = is_tag(top) and len(homes) > 1 and _of_whole_groups(position, (top,))
        if is_told and (face := position.face(top)):
            yield top, position.home(face)


def said_of_mix(position: Position, side: Side, order: o.Mix) -> tuple[o.Zone, ...]:
    """What the counters come to that an order mixes, each group by its new tags."""
    mixed = _mixed(position, side, order)
    return tuple(o.Zone(tags, so) for tags, group in mixed.items()
                 if (so := _come_to(position, group)))  # fmt: skip


def _mixed(position: Position, side: Side, order: o.Mix) -> Mapping[Tags, Tags]:
    """The counters that are mixed together, by their new tags."""
    groups = tuple(hiding.groups(position, side, order.at).values())
    epoch = position.down.next_epoch(DECKS[side])
    tags = mixed_names(DECKS[side], epoch, groups)
    return {tuple(new): tuple(group) for group, new in zip(in_order(groups), tags, strict=True)}


NOT_SO = say("leave it out: the program writes it")


@CITE.refusal("2.6")
def says_what_is_so(stage: OfASide, position: Position, order: Any) -> Iterator[Violation]:
    """What an order says of counters face down is so, as far as this view knows them."""
    mixed = _mixed(position, stage.side, order) if isinstance(order, o.Mix) else {}
    named: set[str] = set()
    for at, said in enumerate(order.zones):
        units = mixed.get(said.units, said.units)
        why = _why_not_so(position, stage.side, said, mixed)
        if named.intersection(units):
            why = say("of a counter it is said twice")
        if not why and (said.units in mixed or says_of(position, order, units)):
            why = _why_contradictory(position, units, said.zone)
        named |= {*units}
        if why:
            yield Violation(why, ("zones", at), hint=NOT_SO)
    for unit, formation in getattr(order, "top", {}).items():
        if not _is_own(position, stage.side, unit):
            yield Violation(OF_OTHERS, ("top", unit), hint=NOT_SO)
        elif not may_be_said(position, (unit,)):
            continue
        elif not _of_whole_groups(position, (unit,)):
            yield Violation(OF_A_PART, ("top", unit), hint=NOT_SO)
        elif not any(position.home(piece) == formation for piece in position.down.could_be(unit)):
            yield Violation(
                say("{unit} cannot be of {formation}", unit=called(position, unit),
                    formation=_formation(position, formation)),
                ("top", unit), hint=NOT_SO,
            )  # fmt: skip


def _formation(position: Position, written: str) -> Said:
    """A formation as it is called; what is none as it was written."""
    is_one = written in position.board.formations
    return formation_called(position, written) if is_one else written


OF_OTHERS = say("this says something of others than your counters face down")
OF_A_PART = say("of counters that were mixed today only all together can be spoken of")


def _is_own(position: Position, side: Side, unit: str) -> bool:
    """Whether a name is, or was, one of a side's counters."""
    is_one = unit in position.down.fields or unit in position.board.units
    return is_one and position.side_of(unit) == side


def _why_not_so(position: Position, side: Side, said: o.Zone, mixed: Mapping[Tags, Tags]) -> Said:
    """Why what is said of counters face down is not so, or cannot be; empty if it may be. `mixed`
    has those that the same order mixes, by their new tags.
    """
    units = mixed.get(said.units, said.units)
    if said.units not in mixed:
        if not units or not all(_is_own(position, side, unit) for unit in units):
            return OF_OTHERS
        if len(set(units)) < len(units):
            return say("a counter is named twice")
        if not may_be_said(position, said.units):
            return ""
        if not _of_whole_groups(position, units):
            return OF_A_PART
    if (so := _come_to(position, units)) and so != said.zone:
        return say("these counters come to {so}, not {said}", so=zones.in_words(so),
                   said=zones.in_words(said.zone))  # fmt: skip
    if said.zone not in zones.may_come_to(position, map(position.down.could_be, units)):
        return say("these counters cannot come to {said}", said=zones.in_words(said.zone))
    return ""


@CITE.serves("9")
def _why_contradictory(position: Position, units: Iterable[str], said: str) -> Said:
    """Why what is said of counters cannot hold beside what was said and still holds: some of them
    have no more than all. Empty if it can.
    """
    those = {*units}
    for fact in position.down.facts:
        if not fact.about.startswith(zones.ZONE):
            continue
        so = str(fact.said)
        if (those.issubset(fact.tags) and not zones.is_part(said, so)) or (
            those.issuperset(fact.tags) and not zones.is_part(so, said)
        ):
            return say(
                "{said} contradicts {so}, which was said of some of these counters or of more",
                said=zones.in_words(said), so=zones.in_words(so),
            )  # fmt: skip
    return ""


@CITE.serves("9")
def unsaid(position: Position, side: Side) -> Iterator[Tags]:
    """The counters face down of a side, by their hexes, of which nothing is said any more: they are
    what is left of some of which something was said. Those of whom nobody knows yet which of them
    is which are left out.
    """
    for hex in dict.fromkeys(map(position.at, position.tags_of(side))):
        others, _, _ = zones.with_what_was_said(position, position.stacks[hex])
        left = sorted(filter(is_tag, others), key=by_tag)
        if left and _of_whole_groups(position, left):
            yield tuple(left)


def zones_anew(position: Position, side: Side) -> Iterator[o.Zone]:
    """What is to be said of them; for a view that does not know it, what it may be."""
    for units in unsaid(position, side):
        could = zones.may_come_to(position, map(position.down.could_be, units))
        yield o.Zone(units, _come_to(position, units) or could[-1])


@CITE.serves("9")
def says_all_zones(stage: OfASide, position: Position, order: o.SayZones) -> Iterator[Violation]:
    """Of all these counters it is said, and of no others."""
    if [said.units for said in order.zones] != [*unsaid(position, stage.side)]:
        yield Violation(say("this is not said of the counters of which it has to be"), ("zones",),
                        rule="9", hint=NOT_SO)  # fmt: skip


def may_be_said(position: Position, units: Iterable[str]) -> bool:
    """Whether what was written of counters is still said: not if one of them was shown or mixed
    since.
    """
    return all(is_tag(unit) and position.at(unit) for unit in units)


def says_of(position: Position, order: o.Move | o.Mix, units: Iterable[str]) -> bool:
    """Whether an order still says what is written in it of counters: a march not of counters that
    are elsewhere, as those that an order in front of it took away.
    """
    units = tuple(units)
    if not may_be_said(position, units):
        return False
    if not isinstance(order, o.Move):
        return True
    return len({position.at(unit) for unit in (*order.units[:1], *units)}) <= 1


def is_true(position: Position, fact: Statement) -> bool:
    """Whether what was said of counters that are all known by now was so: nobody has lost troop
    points since, for whoever does is known.
    """
    if fact.about.startswith(zones.ZONE):
        return zones.said_of(position, fact.tags) == fact.said
    return reports.is_true(position, fact)


# ------------------------------------------------------------------- who has to be seen


def meant_of(position: Position, stage: AsksWho) -> Tags:
    """The counters face down that are of the kind that a stage asks for, as far as this view knows
    them: whatever they may be.
    """
    return tuple(
        tag
        for tag in stage.may_be_meant(position)
        if all(stage.is_meant(position, piece) for piece in position.down.could_be(tag))
    )


@CITE.audit("11.3", "20.1")
@CITE.refusal("2.6")
def says_who_is_meant(stage: AsksWho, position: Position, order: o.SayWho) -> Iterator[Violation]:
    """Only counters that are of this kind, as far as this view knows; all of them, if all have to
    be shown, else one at least.
    """
    could, meant = stage.may_be_meant(position), meant_of(position, stage)
    for at, unit, is_again in in_turn(order.units):
        is_known = bool(position.face(unit))
        if unit not in could or is_again or (is_known and unit not in meant):
            why = say("{unit} is not among those shown here", unit=called(position, unit))
            yield Violation(why, ("units", at), hint=NOT_SO)
    hidden = [called(position, tag) for tag in meant if tag not in order.units]
    if not stage.all:
        hidden = [either(dict.fromkeys(hidden))] if hidden and not order.units else []
    for who in hidden:
        yield Violation(say("{unit} has to be shown", unit=who), ("units",),
                        hint=say("its owner's program does it"))  # fmt: skip


@CITE.serves("2.6")
def needs(position: Position, side: Side, order: Order) -> Iterator[Need]:
    """The counters face down that an order has to show, each with its place in the order. The order
    is in tags.
    """
    match order:
        case o.Arrive(units=units, at=hex):
            yield from ((tag, ("at",)) for tag in _overfilled(position, side, units, hex))
        case o.Attack(units=by_hex, support=support):
            for hex, units in by_hex.items():
                yield from ((unit, ("from", hex)) for unit in units)
                helping = _who_help(position, side, units, (hex, order.hex))
                yield from ((unit, ("from", hex)) for unit in helping)
            yield from _of_support(support)
        case o.Again(support=support):
            yield from _of_support(support)
        case o.Bombard(guns=guns) | o.Counterbattery(guns=guns):
            yield from ((gun, ("guns",)) for gun in guns)
        case o.Defend(guns=guns):
            yield from ((gun, ("guns", gun)) for gun in guns)
        case o.Scout(unit=unit, hex=hex):
            yield unit, ("unit",)
            helping = _who_help(position, side, (unit,), (position.at(unit), hex))
            yield from ((helper, ("hex",)) for helper in helping)
        case o.Engineer(unit=unit):
            yield unit, ("unit",)
        case o.Consolidate(giver=giver, receiver=receiver):
            yield giver, ("from",)
            yield receiver, ("to",)
        case o.Unmask(units=units):
            yield from ((unit, ("units", at)) for at, unit in enumerate(units))
        case o.React(units=units) | o.Withdraw(paths=units) | o.Retreat(paths=units):
            yield from ((unit, ()) for unit in units)
        case o.Displace(paths=paths, losses=losses):
            yield from ((unit, ()) for unit in (*paths, *losses))
        case o.Move():
            if order.cut or order.repair:
                # reading: whoever works at rails or roads on the way is seen to do so.
                yield from ((unit, ("units", at)) for at, unit in enumerate(order.units))
            start = position.at(order.units[0]) if order.units else ""
            order = movement.without_start(position, order)
            if engineers.charged(position, side, (start, *order.path)):
                # reading: whoever crosses a bridge with prepared charges is seen, for these may
                # leave a bridge that bears only some (J.3).
                yield from ((unit, ("units", at)) for at, unit in enumerate(order.units))
            helping = _who_help(position, side, order.units, (start, *order.path))
            yield from ((unit, ("path",)) for unit in helping)


def _of_support(support: o.Backing | str) -> Iterator[Need]:
    if isinstance(support, o.Backing):
        yield from ((gun, ("support", "guns")) for gun in support.guns)


@CITE.serves("8.p2")
def _overfilled(position: Position, side: Side, units: Iterable[str], hex: str) -> Tags:
    """The counters face down in a hex that holds too much with reinforcements, as this view knows
    them.
    """
    # reading: reinforcements overfill their entry hex for a while with counters face down in it,
    # too. These are shown, so that both see whether it has to be cleared in the end.
    tags = tuple(tag for tag in position.tags_at(hex) if tag not in position.mixed)
    return tags if stacking.excess(position.seen(side), hex, units) else ()


@CITE.serves("20.9")
def _who_help(
    position: Position, side: Side, units: Iterable[str], path: Iterable[str]
) -> Iterator[str]:
    """The engineers face down that help units across a river of a path, as this view knows them:
    they are seen to do so, where none helps that both know. Nobody helps of whom it is not known.
    """
    seen = position.seen(side)
    if seen is position:
        return
    tags = {position.face(tag): tag for tag in position.tags_of(side)}
    units, both_know = tuple(units), position.veiled(None)
    going = tuple(position.face(unit) or unit for unit in units)
    for here, there in pairwise(path):
        if there not in seen.ground.around.get(here, ()):
            return
        if SUPPORTED_RIVER in ways.crossed(both_know, here, there, side, units):
            continue
        if SUPPORTED_RIVER in ways.crossed(seen, here, there, side, going):
            helper = ways.who_helps(seen, side, here, there, going)
            if helper in tags:
                yield tags[helper]


def shown_by(position: Position, side: Side, order: Order) -> Tags:
    """The counters face down that an order shows, as far as this view knows them. The order is in
    tags.
    """
    if not position.down.hidden:
        return ()
    return tuple(dict.fromkeys(
        unit for unit, _ in needs(position, side, order) if is_tag(unit) and position.face(unit)
    ))  # fmt: skip


def not_shown(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
    """What an order has to show and this view does not know. The order is in tags."""
    for unit, at in needs(position, stage.side, order):
        if is_tag(unit) and not position.face(unit):
            yield Violation(
                say("{unit} has to be shown", unit=called(position, unit)), at, rule="2.6",
                hint=say("its owner's program does it"),
            )  # fmt: skip


def as_shown(position: Position, side: Side, order: Given) -> tuple[Unfolding[Position], Given]:
    """What happens when an order shows what it shows, and the order by the names of then."""
    story: Unfolding[Position] = Unfolding(position)
    order = in_tags(position, side, order)
    for tag in shown_by(position, side, order):
        for slot in position.down.way(tag):
            story.happen(CounterShown(side, slot, position.down.cards[slot]))
    return story, meant(story.position, order)


# ------------------------------------------------------------------- what a counter may be


Alone = Callable[[Position, str], bool]


def who_could(position: Position, tag: str, could: Alone) -> Tags:
    """The units that a counter face down may be and that could do something: `could` judges by the
    position with the unit in its place. Units that nobody can tell apart are judged once.
    """
    judged: dict[Any, bool] = {}
    found = []
    for piece in position.may_be(tag):
        key = _alike(position, tag, piece)
        if key not in judged:
            judged[key] = could(position.supposing(tag, piece), piece)
        if judged[key]:
            found.append(piece)
    return tuple(found)


def _alike(position: Position, tag: str, piece: str) -> tuple[Any, ...]:
    """All of a unit on which it could hang where it goes."""
    printed = position.printed(piece)
    return (
        printed.type, printed.kind, printed.move, printed.effectiveness, position.troops(piece),
        position.is_weakened(piece),
        position.commander_of(tag, piece), piece in position.demoralised,
        position.cut_off_as.get(tag, position.cut_off).get(piece, 0),
        position.spent_as.get(tag, {}).get(piece, 0), piece in position.may_act.get(tag, ()),
        position.cycle and position.cycle.marches_as.get(tag, {}).get(piece),
    )  # fmt: skip


GO_TOGETHER = checks(
    (names_what_there_is,), (movement.moves_its_own,), (movement.moves_from_one_hex,),
)  # fmt: skip
"""What holds of all counters of a move, whatever they are: each is there, once, and all in one
hex."""


def could_do_it(
    stage: OfASide, position: Position, order: Order, whole: Predicate
) -> Iterator[Violation]:
    """A counter face down does nothing that no unit could do which it may be, each by itself. Those
    whom the order shows are seen by then.
    """
    story, order = as_shown(position, stage.side, order)
    position = story.position
    both_know = position.veiled(None)
    if isinstance(order, o.Move):
        together = [*GO_TOGETHER(stage, position, replace(order, zones=(), top={}))]
        yield from together
        for tag in () if together else filter(is_tag, order.units):
            able = who_could(both_know, tag, moves_alone(stage, order, whole))
            face = position.face(tag)
            if not able or (face and face not in able):
                yield Violation(
                    say("no unit could do this that {unit} may be", unit=called(position, tag)),
                    ("units",), rule="2.6", hint=say("its owner's program knows which it is"),
                )  # fmt: skip


def moves_alone(stage: OfASide, order: o.Move, whole: Predicate) -> Alone:
    """Judges whether a unit could make a move by itself."""

    def could(supposed: Position, piece: str) -> bool:
        alone = replace(order, units=(piece,), zones=(), top={}, cut={}, repair=())
        return not any(whole(stage, supposed, alone))

    return could


# ------------------------------------------------------------------- judgement


def judged_by(*rows: tuple[Predicate, ...], is_public: bool = False) -> Predicate:
    """The check of an order: that what it names exists and is its author's, then these rows, as
    `checks` has them. Where counters lie face down its author's view judges it with their own by
    name, and then by what both know; with `is_public` it is judged by that alone, as what follows
    from dice has to be.
    """
    return _judged(None if is_public else Position.seen, rows)


@CITE.serves("5.1")
def answered_by(*rows: tuple[Predicate, ...]) -> Predicate:
    """The check of an answer in the enemy's activation: as `judged_by`, but with assignments as
    both know them. What matters to those who are attacked was told before they are asked.
    """
    return _judged(Position.by_faces, rows)


def _judged(
    view: Callable[[Position, Side], Position] | None, rows: tuple[tuple[Predicate, ...], ...]
) -> Predicate:
    whole = checks((names_what_there_is,), (names_its_own, names_nobody_mixed), *rows)

    def judged(stage: OfASide, position: Position, order: Order) -> Iterator[Violation]:
        if position.is_open or view is None:
            yield from whole(stage, position.veiled(None), order)
            return
        found = _of_its_author(stage, position, order, whole, view(position, stage.side))
        if not found:
            order = in_tags(position, stage.side, order)
            found = [*not_shown(stage, position, order)]
            found = found or [*could_do_it(stage, position, order, whole)]
        yield from found

    judged.predicates = predicates_of(whole)  # type: ignore[attr-defined]
    judged.whole = whole  # type: ignore[attr-defined]
    return judged


def _of_its_author(
    stage: OfASide, position: Position, order: Order, whole: Predicate, seen: Position
) -> list[Violation]:
    """What is wrong with an order as its author sees it, and with what it says. Where this view
    does not know counters of a move, nothing is wrong with those.
    """
    named: Order = by_name(position, order)
    if isinstance(named, o.Move):
        known = tuple(unit for unit in named.units if not is_tag(unit))
        said = [*says_what_is_so(stage, position, in_tags(position, stage.side, order))]
        if named.units and not known:
            return said
        named = replace(named, units=known, zones=(), top={})
        return [*whole(stage, seen, named), *said]
    if isinstance(named, o.Mix):
        # What may be mixed both know.
        found = [*whole(stage, position.veiled(None), replace(order, zones=()))]
        return found or [*says_what_is_so(stage, position, order)]
    if isinstance(named, o.SetUp):
        found = [*whole(stage, seen, replace(named, zones=()))]
        return found or [*says_what_is_so(stage, position, order)]
    return [*whole(stage, seen, named)]
