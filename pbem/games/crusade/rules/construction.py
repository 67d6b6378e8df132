"""10.2: Positions and Trenches."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Fortify
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import Moving, OfASide
from pbem.games.crusade.rules.options_replacements import captured_markers
from pbem.games.crusade.rules.stacking import who_stands_in
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import say

SUCCESS = 3
"""The highest modified die that builds (10.2.2, 10.2.4)."""
BEST_STORED = -2


@CITE.serves("10.2.5")
def what_is_built(position: Position, space: str) -> str:
    """What is built: a Position in an empty space, a Trench on a Position."""
    return "trench" if space in position.forts else "position"


@CITE.rule("10.2.2")
def needs_no_roll(position: Position, space: str, unit: str) -> bool:
    """A corps builds a Position without a roll."""
    return what_is_built(position, space) == "position" and position.type_of(unit).is_corps


@CITE.check("10.2.1/a")
def names_builder_in_marked_space(
    stage: Moving, position: Position, order: Fortify
) -> Iterator[Violation]:
    """The builder is one's own unit in a space activated for movement."""
    if not position.is_open_for_play(order.space):
        yield position.not_there(order.space, "space")
        return
    name = position.space(order.space).name
    if order.space not in stage.move:
        marked = ", ".join(position.space(space).name for space in stage.move)
        yield Violation(
            say("{name} was not activated for movement", name=name),
            ("space",),
            hint=say("activated were {marked}", marked=marked),
        )
    if order.by not in position.units_in(order.space, stage.side):
        yield Violation(
            say("{by} is not one of your units in {name}", by=order.by, name=name),
            ("by",),
            hint=who_stands_in(position, order.space, stage.side, order.by),
        )


@CITE.check("10.2.1/b")
def builder_has_not_moved(stage: Moving, position: Position, order: Fortify) -> Iterator[Violation]:
    """The builder has not moved this round."""
    # reading: Q22, the builder has been in the space since it was activated.
    if order.by in stage.moved:
        yield Violation(say("{by} has already moved this round", by=order.by), ("by",))


@CITE.check("10.2.1")
def one_builder_a_space(stage: Moving, position: Position, order: Fortify) -> Iterator[Violation]:
    """Only one unit builds in a space."""
    # reading: Q24, one attempt for a space and round.
    for space, digger in stage.diggers:
        if space == order.space:
            yield Violation(
                say(
                    "{digger} is already building in {space}",
                    digger=digger,
                    space=position.space(space).name,
                ),
                ("by",),
            )


@CITE.check("13.3.3")
def builder_is_supplied(stage: OfASide, position: Position, order: Fortify) -> Iterator[Violation]:
    """Units out of supply, or supplied only over a border, do not build."""
    if not is_supplied(position, stage.side, order.space):
        yield Violation(
            say("{space} is out of supply", space=position.space(order.space).name), ("space",)
        )


@CITE.check("10.2.5")
def trench_is_the_most(stage: object, position: Position, order: Fortify) -> Iterator[Violation]:
    """Nothing is built on a Trench."""
    fort = position.forts.get(order.space)
    if fort is not None and fort.is_trench:
        name = position.space(order.space).name
        yield Violation(say("{name} already has a Trench", name=name), ("space",))


@CITE.check("10.2.3")
def builder_is_fit(stage: object, position: Position, order: Fortify) -> Iterator[Violation]:
    """Only a corps builds a Trench, and only on a Position."""
    fort = position.forts.get(order.space)
    digs = fort is not None and not fort.is_trench
    if digs and not position.type_of(order.by).is_corps:
        name = position.space(order.space).name
        yield Violation(
            say("{name} has a Position, and only a corps can build a Trench", name=name), ("by",)
        )


@CITE.check("10.2.3/a")
def bilbao_allows_it(stage: OfASide, position: Position, order: Fortify) -> Iterator[Violation]:
    """Bilbao gets a Republican Trench only from the Iron Belt, and nothing once its plans leak."""
    if order.space != "bilbao" or stage.side != REPUBLICAN:
        return
    if "N35" in position.played:
        yield Violation(
            say("nothing can be built in Bilbao after Plans of the Iron Belt"), ("space",)
        )
    elif what_is_built(position, order.space) == "trench":
        yield Violation(say("only the Iron Belt event places a Trench in Bilbao"), ("space",))


def markers_of(position: Position, side: Side) -> int:
    """The number of a side's markers, with a Position on one face and a Trench on the other."""
    return int(position.tables.tables["construction"]["markers"][side])


@CITE.rule("10.2.9", "2.2.2.10")
def markers_left(position: Position, side: Side) -> int:
    """The markers a side may still place, not counting special Trenches."""
    used = sum(1 for fort in position.forts.values() if fort.owner == side and not fort.special)
    return markers_of(position, side) - used - captured_markers(position, side)


@CITE.refusal("10.2.9")
def marker_is_left(stage: Moving, position: Position, order: Fortify) -> Iterator[Violation]:
    """A new Position needs a marker; a Trench turns over the one there."""
    if what_is_built(position, order.space) != "position":
        return
    waiting = sum(1 for space, _ in stage.diggers if what_is_built(position, space) == "position")
    if markers_left(position, stage.side) - waiting < 1:
        yield Violation(
            say(
                "none of your {markers_of} markers is left",
                markers_of=markers_of(position, stage.side),
            ),
            ("space",),
            hint=say("you may remove markers of your own at the end of the turn (10.2.10)"),
        )
