"""2.6: which counters are turned face down and mixed, and where they lie after a lost key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Protocol

from pbem.engine.facedown import Spot
from pbem.engine.mentions import in_turn
from pbem.engine.model import Side, Violation
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.orders import ALL, Mask, Mix, PutBack
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import stacking, zones
from pbem.games.nopasaran.rules.asks import OfASide
from pbem.games.nopasaran.rules.naming import any_in_list, called, in_list, place
from pbem.messages import Said, say

Group = tuple[str, ...]


class PutsBack(Protocol):
    """A stage in which new tags are put where counters lay face down."""

    @property
    def tags(self) -> tuple[str, ...]: ...

    @property
    def spots(self) -> tuple[Spot, ...]: ...


# ------------------------------------------------------------------- mixing


@CITE.rule("2.6.1", "8.p5")
def group_at(position: Position, side: Side, hex: str) -> Group:
    """The counters of a hex that may be mixed, from the top: all but the top one, which stays in
    view unless a force marker lies on it, and those that are seen for what they do or are.
    """
    # reading: headquarters lie open, since the aircraft of close support lie on them (5.2.2); so do
    # guns that have fired today, engineers at work, pontoons in use, and whoever is disorganised.
    # In a hex that holds too much all do, until it is cleared (8.p3).
    if position.holder(hex) != side or stacking.excess(position, hex):
        return ()
    below = position.stacks[hex][0 if hex in position.masks else 1 :]
    return tuple(unit for unit in below if _may_hide(position, unit))


def _may_hide(position: Position, unit: str) -> bool:
    if is_tag(unit):
        return position.down.may_mix(unit)
    printed = position.printed(unit)
    return not (
        printed.is_headquarters
        or unit in position.disorganised
        or unit in position.tasks
        or unit in position.pontoons
        or (printed.is_battery and position.spent.get(unit, 0))
        or (position.combat is not None and unit in position.combat.defenders)
    )


def groups(position: Position, side: Side, mix: tuple[str, ...] | str) -> Mapping[str, Group]:
    """The groups that are mixed, by hex: in the hexes that are named, or in all where two counters
    or more may be; none on the last day, when all counters are turned up in the evening.
    """
    if is_last_day(position):
        return {}
    hexes = [hex for hex, holder in position.holders.items() if holder == side]
    wanted = hexes if mix == ALL else [hex for hex in hexes if hex in mix]
    found = {hex: group_at(position, side, hex) for hex in wanted}
    return {hex: group for hex, group in sorted(found.items()) if len(group) > 1}


@CITE.check("2.6")
def mixes_what_may_hide(stage: OfASide, position: Position, order: Mix) -> Iterator[Violation]:
    """Once a day, in hexes with two counters at least that may hide."""
    if position.is_open:
        yield Violation(say("all counters lie open in this game"), ("at",),
                        hint=say("leave it out"))  # fmt: skip
        return
    if any(position.side_of(tag) == stage.side for tag in position.mixed):
        yield Violation(
            say("you have mixed counters today, and nobody mixes twice a day"), (),
            hint=say("tomorrow name all the hexes in one mix, or write mix: {at: all}"),
        )  # fmt: skip
        return
    able = groups(position, stage.side, ALL)
    for at, hex, is_again in in_turn(() if order.at == ALL else order.at):
        if hex not in able or is_again:
            yield Violation(
                say("there are no two counters to mix in {hex}", hex=place(position, hex))
                if hex not in able
                else say("{hex} is named twice", hex=place(position, hex)),
                ("at", at),
                hint=say("it may be {hexes}; the top counter, headquarters and those that have "
                         "fired or are at work stay in view", hexes=any_in_list(able)) if able
                else say("leave it out"),
            )  # fmt: skip
    if order.at == ALL and not able:
        yield Violation(
            say("nowhere are two counters to mix"), ("at",),
            hint=say("on the last day nobody mixes") if is_last_day(position)
            else say("the top counter, headquarters and those that have fired or are at work stay "
                     "in view"),
        )  # fmt: skip


def is_last_day(position: Position) -> bool:
    """Whether nobody mixes any more: all counters are turned up in the evening."""
    return position.day >= len(position.plain["days"])


# ------------------------------------------------------------------- force markers


@CITE.serves("18")
def markers(position: Position) -> int:
    """The force markers that a side has in this battle."""
    number: int = position.plain.get(
        "force_markers", position.board.charts["force_markers"]["most"]
    )
    return number


@CITE.serves("18")
def markers_left(position: Position, side: Side) -> int:
    """The force markers that a side has left: those on the map come back when their hex is
    empty.
    """
    return markers(position) - sum(whose == side for whose in position.masks.values())


@CITE.check("18")
def masks_what_it_may(stage: OfASide, position: Position, order: Mask) -> Iterator[Violation]:
    """Own hexes with a troop point at least, outside enemy zones, and no more than there are
    markers.
    """
    if position.is_open:
        yield Violation(say("all counters lie open in this game"), ("at",),
                        hint=say("leave it out"))  # fmt: skip
        return
    able = maskable(position, stage.side)
    for at, hex, is_again in in_turn(order.at):
        if is_again or hex not in able:
            yield Violation(
                why_no_mask(position, stage.side, hex)
                if hex not in able
                else say("{hex} is named twice", hex=place(position, hex)),
                ("at", at),
                hint=say("it may be {hexes}", hexes=any_in_list(able)) if able
                else say("leave it out"),
            )  # fmt: skip
    if len(order.at) > markers_left(position, stage.side):
        yield Violation(
            say("that is more force markers than there are: {most}", most=markers(position)),
            ("at",), hint=say("a marker comes back when its hex is empty"),
        )  # fmt: skip
    if not order.at:
        yield Violation(say("no hex is named"), ("at",), hint=say("at: [HEX, ...]"))


def maskable(position: Position, side: Side) -> tuple[str, ...]:
    """The hexes on which a side may put a force marker."""
    return tuple(sorted(hex for hex, holder in position.holders.items()
                        if holder == side and not why_no_mask(position, side, hex)))  # fmt: skip


@CITE.serves("18")
def why_no_mask(position: Position, side: Side, hex: str) -> Said:
    """Why a side cannot put a force marker on a hex; empty if it can."""
    # reading: a counter face down has a troop point, since headquarters lie open.
    where = place(position, hex)
    if position.holder(hex) != side:
        return say("none of your units is in {hex}", hex=where)
    if hex in position.masks:
        return say("a force marker lies in {hex} already", hex=where)
    if zones.in_enemy_zone(position, hex, side):
        return say("{hex} is in an enemy zone of control", hex=where)
    if not (position.tags_at(hex) or position.troops_of(position.stacks[hex])):
        return say("only headquarters are in {hex}", hex=where)
    return ""


# ------------------------------------------------------------------- new secrets


@CITE.refusal("2.6")
def puts_back_as_many(stage: PutsBack, position: Position, order: PutBack) -> Iterator[Violation]:
    """Each hex gets as many new tags as counters lay there face down."""
    wanted = sorted(hex for hex, _ in stage.spots)
    strange = [unit for unit in order.units if unit not in stage.tags]
    if strange or sorted(order.units.values()) != wanted:
        told = in_list(f"{hex}: {wanted.count(hex)}" for hex in dict.fromkeys(wanted))
        yield Violation(
            say("each hex needs as many counters face down as lay there"), ("units",),
            hint=say("so many: {told}", told=told),
        )  # fmt: skip


@CITE.refusal("2.6")
def puts_back_what_can_lie_there(
    stage: PutsBack, position: Position, order: PutBack
) -> Iterator[Violation]:
    """Each counter, as far as this view knows it, is put where one lay that it may have been."""
    for tag in stage.tags:
        piece, hex = position.face(tag), order.units.get(tag, "")
        if piece and not any(piece in pieces for where, pieces in stage.spots if where == hex):
            could = tuple(where for where, pieces in stage.spots if piece in pieces)
            yield Violation(
                say("{unit} cannot have lain in {hex}", unit=called(position, tag),
                    hex=place(position, hex)),
                ("units", tag),
                hint=say("it may have lain in {hexes}", hexes=any_in_list(dict.fromkeys(could))),
            )  # fmt: skip
