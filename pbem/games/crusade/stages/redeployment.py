"""A card played for Strategic Redeployment: unit after unit, until the points are used (12)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import WAYS, Done, Redeploy
from pbem.games.crusade.position import MOROCCO, OFF_MAP, RESERVE, TURNS_ABROAD, Position
from pbem.games.crusade.rules.africa import GATES
from pbem.games.crusade.rules.options_operations import africans_march_on_madrid
from pbem.games.crusade.rules.redeployment import (
    REDEPLOY_CHECKS,
    in_points,
    isolated_mark,
    land_zone,
    may_sail,
    written,
)
from pbem.games.crusade.rules.redeployment_end import (
    DONE_CHECKS,
    END_CHECKS,
    after_order,
    guests_to_go,
)
from pbem.games.crusade.rules.round_end import too_full
from pbem.games.crusade.rules.stacking import full_words
from pbem.games.crusade.rules.supply import (
    deployment_sources,
    has_limited_supply,
    in_isolated_group,
    is_supplied,
)
from pbem.games.crusade.stages.overstacking import thinned_out
from pbem.messages import Said, say, say_many
from pbem.value import replace, value


@value
@CITE.rule("12.1.4", "8.3.1")
class Redeployment(s.PlayerStage[Position]):
    """Chapter 12: one unit after another; unused points are lost."""

    side: s.Side
    halves: int
    moved: frozenset[str] = frozenset()
    afr_moved: int = 0
    used: frozenset[str] = frozenset()
    """The spaces from which units went."""

    def lapsing(self, position: Position) -> Iterator[Said]:
        """12.1.4: points left when the side is done are lost."""
        yield say_many(
            "points", "{points} point of redeployment lapses (12.1.4)",
            "{points} points of redeployment lapse (12.1.4)", points=written(self.halves),
        )  # fmt: skip

    def ask(self, position: Position) -> s.Decision | None:
        if self.halves <= 0:
            return None
        owed = self.mending(position)
        full = too_full(position, self.side) if owed else ()
        points, rule = in_points(self.halves), "12.1.4"
        prompt = say("redeploy units ({points} left), or say done", points=points)
        if owed:
            rule = "9.1.2" if full else "16.4.2.4"
            home = say("{unit} must go home", unit=owed.unit)
            why = full_words(position, full[0]) if full else home
            prompt = say("redeploy units ({points} left): {why}", points=points, why=why)
        return s.Decision(
            side=self.side,
            stage="redeployment",
            prompt=prompt,
            rule=rule,
            options=(
                s.Option(Redeploy, examples=partial(self._examples, position)),
                s.Option(Done, {}),
            ),
            default=owed or Done(),
            optional=owed is None,
        )

    check = s.by_verb(
        {
            Redeploy: s.checks(*REDEPLOY_CHECKS, (africans_march_on_madrid,), *END_CHECKS),
            Done: s.checks(*DONE_CHECKS),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        if isinstance(order, Redeploy):
            left, _ = after_order(self, position, order)
            story.happen(*HAPPENS[order.by](position, order))
            if left.halves > 0:
                return story.outcome(keep=left)
        return story.outcome(then=thinned_out(story.position, self.side))

    def as_left(self, position: Position, order: s.Order) -> Redeployment | None:
        return after_order(self, position, order)[0] if isinstance(order, Redeploy) else None

    def mending(self, position: Position) -> Redeploy | None:
        """An order that helps if a space is overfull or guests must go home; None if there is
        none.
        """
        full = too_full(position, self.side)
        there = [unit for space in full for unit in position.units_in(space)]
        for unit in (*there, *self._candidates(position)) if full else ():
            if unit not in self.moved:
                for way in self._ways(position, unit):
                    order = Redeploy(unit, *way)
                    if not any(self.check(position, order)):
                        return order
        return next((order for _, order in guests_to_go(self, position)), None)

    # --- what may be written --------------------------------------------------------------------

    def _examples(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """For each way one order, and the units that could go that way, from where."""
        first: dict[str, Redeploy] = {}
        who: dict[str, list[str]] = {}
        for unit in some(self._candidates(position)):
            for by, order in self._first_ways(position, unit, some).items():
                first.setdefault(by, order)
                who.setdefault(by, []).append(unit)
        for by in WAYS:
            if by in first:
                told = say("{ways}: {who}", ways=say(WAYS[by]), who=", ".join(who[by]))
                order = replace(first[by], to="") if first[by].to == RESERVE else first[by]
                yield s.Example(order, told, {"by": (by,)})

    def _first_ways(self, position: Position, unit: str, some: s.Some) -> dict[str, Redeploy]:
        """The first legal order of each way for a unit."""
        found: dict[str, Redeploy] = {}
        for to, by in some(self._ways(position, unit)):
            order = Redeploy(unit, to, by)
            if by not in found and not any(self.check(position, order)):
                found[by] = order
        return found

    def _candidates(self, position: Position) -> tuple[str, ...]:
        """Units of the side that could go somewhere: on the map, in Reserve or in Morocco."""
        away, types = OFF_MAP - {RESERVE, MOROCCO}, position.tables.units
        return tuple(
            unit
            for unit, counter in position.counters.items()
            if counter.place not in away
            and types[unit].side == self.side
            and unit not in self.moved
        )

    def _ways(self, position: Position, unit: str) -> tuple[tuple[str, str], ...]:
        """Where a unit might go and how, before every rule was checked."""
        place = position.place_of(unit)
        if place == MOROCCO:
            return tuple((space, "sea") for space in GATES)
        if place == RESERVE:
            return tuple((space, "reserve") for space in self._fronts(position, unit))
        if has_limited_supply(position, self.side, place):
            return ((RESERVE, "border"),)
        if not is_supplied(position, self.side, place):
            return ()
        return (*self._by_land(position, unit, place), *self._by_sea(position, unit, place),
                (RESERVE, "to_reserve"))  # fmt: skip

    def _by_land(self, position: Position, unit: str, place: str) -> Iterator[tuple[str, str]]:
        zone = land_zone(position, unit)
        for space in sorted(zone, key=position.tables.map_rank.__getitem__):
            if space != place:
                yield space, "land"

    def _by_sea(self, position: Position, unit: str, place: str) -> Iterator[tuple[str, str]]:
        ports = position.ports()
        if (
            place in ports
            and not position.type_of(unit).is_corps
            and may_sail(position, unit, place)
        ):
            for port in ports:
                if port != place and position.controls(self.side, port):
                    yield port, "sea"

    def _fronts(self, position: Position, unit: str) -> Iterator[str]:
        if "port" in position.type_of(unit).from_reserve:
            yield from (p for p in position.ports() if position.controls(self.side, p))
            return
        sources = {*deployment_sources(position, self.side), "madrid"}
        for space in position.spaces_of(self.side):
            if space in sources or position.units_in(space):
                yield space


# --- what each way brings about -----------------------------------------------------------------


def _goes(by: str) -> Any:
    def events(position: Position, order: Redeploy) -> tuple[s.Event[Position], ...]:
        return (e.UnitRedeployed(order.unit, order.to, by),)

    return events


def _leaves_reserve(position: Position, order: Redeploy) -> tuple[s.Event[Position], ...]:
    gone = e.UnitRedeployed(order.unit, order.to, "from_reserve")
    isolated = in_isolated_group(position, order.to)
    return (gone, e.TurnMarkSet(isolated_mark(isolated))) if isolated else (gone,)


def _rests(position: Position, order: Redeploy) -> tuple[s.Event[Position], ...]:
    return (e.UnitRedeployed(order.unit, RESERVE, "to_reserve"),)


@CITE.serves("13.4.3")
def _crosses(position: Position, order: Redeploy) -> tuple[s.Event[Position], ...]:
    """A division comes to the Reserve reduced; a corps is away for two turns."""
    unit_type = position.type_of(order.unit)
    if unit_type.is_corps:
        return (rare.UnitWentAbroad(order.unit, position.turn + TURNS_ABROAD),)
    crossed = e.UnitRedeployed(order.unit, RESERVE, "border")
    if unit_type.reduced is None or position.is_reduced(order.unit):
        return (crossed,)
    return (crossed, e.UnitReduced(order.unit))


HAPPENS: Mapping[str, Any] = {
    "land": _goes("land"),
    "sea": _goes("sea"),
    "reserve": _leaves_reserve,
    "to_reserve": _rests,
    "border": _crosses,
}
