"""15.2.1 and 19.5.5.1: where the corps that begin a phase of the war are deployed.

A stage of these predicates has `corps` (all corps concerned), `waiting(position, side)` (those
still to come), `mover(position)` (the side to deploy), `bumped` (divisions that made room, each
with the space it left), `rule` (its number) and `room_rule` (the rule of making room, if not
15.2.1.2).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Any

from pbem.board.zones import outward
from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy
from pbem.games.crusade.position import POOL, STACKING_LIMIT, Position, in_stack_order
from pbem.games.crusade.rules.asks import Deploying
from pbem.games.crusade.rules.morale import north_is_isolated
from pbem.games.crusade.rules.north import is_northern, region_name
from pbem.games.crusade.rules.reinforcement import is_barred_from_islands
from pbem.games.crusade.rules.replacement import AID
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.rules.supply import (
    deployment_sources,
    is_special_source,
    is_supplied,
    supply_map,
)
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN, UnitType
from pbem.messages import Said, all_of, any_of, say

"""The number of names of a long list that a message gives."""
Bumped = frozenset[tuple[str, str]]


# --- which corps, and whose turn ----------------------------------------------------------------


def initial_corps(position: Position) -> tuple[str, ...]:
    """The twenty corps of 15.2.1, in stack order."""
    return tuple(unit for unit, unit_type in position.tables.units.items() if unit_type.initial)


def is_expeditionary(unit_type: UnitType) -> bool:
    """Whether it is the CTV, the only Italian corps."""
    return unit_type.is_corps and unit_type.has("italian")


def still_to_come(position: Position, corps: Iterable[str], side: Side) -> tuple[str, ...]:
    """The corps of a side not deployed yet; without Axis aid there is no CTV."""
    return tuple(
        unit
        for unit in corps
        if position.side_of(unit) == side
        and position.place_of(unit) == POOL
        and (AID["AXIS"] in position.played or not is_expeditionary(position.type_of(unit)))
    )


@CITE.check("15.2.1")
def corps_is_to_come(stage: Deploying, position: Position, order: Deploy) -> Iterator[Violation]:
    """The corps is one of those being deployed, and not yet on the map."""
    unit = order.unit
    if unit not in stage.corps:
        yield Violation(
            say("{unit} is not one of the corps to be deployed", unit=repr(unit)),
            ("unit",),
            stage.rule,
            hint=say("those are {corps}", corps=all_of(stage.corps)),
        )
    elif unit not in stage.waiting(position, position.side_of(unit)):
        late = position.place_of(unit) == POOL
        told = say("{unit} is already deployed", unit=unit)
        if late:
            told = say(
                "{unit} can come only after {axis} has been played as an event",
                unit=unit, axis=AID["AXIS"],
            )  # fmt: skip
        yield Violation(told, ("unit",), stage.rule)


@CITE.refusal("15.2.1.1")
def it_is_their_turn(stage: Deploying, position: Position, order: Deploy) -> Iterator[Violation]:
    """The sides deploy by turns, corps by corps."""
    side = stage.mover(position)
    if position.side_of(order.unit) != side:
        yield Violation(
            say("it is the {side} side's turn to deploy a corps", side=say(str(side).capitalize())),
            ("unit",),
        )


# --- what is open to a side ---------------------------------------------------------------------


class Plan:
    """A side's options for the corps it deploys; computed once for a position."""

    def __init__(self, position: Position, side: Side, waiting: Iterable[str], bumped: Bumped):
        self.position = position
        self.side = side
        self.waiting = tuple(waiting)
        self.bumped = bumped
        self._found: dict[str, tuple[str, ...]] = {}
        self._by_region: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    @cached_property
    def ground(self) -> tuple[str, ...]:
        """Controlled spaces in normal supply, in map order."""
        supplied = supply_map(self.position, self.side).full
        return tuple(space for space in self.position.spaces_of(self.side) if space in supplied)

    @cached_property
    def ordinary(self) -> tuple[str, ...]:
        """The spaces of `ground` with a unit of the side, its sources, and Madrid."""
        sources = {*deployment_sources(self.position, self.side), "madrid"}
        return tuple(
            space
            for space in self.ground
            if space in sources or (space in self.stood_in and not self.is_badajoz(space))
        )

    def is_badajoz(self, space: str) -> bool:
        """Whether it is Badajoz, which takes no Republican corps."""
        # reading: 13.2.4.1, what is barred from Badajoz is barred from it here too, for the
        # Republic.
        return self.side == REPUBLICAN and is_special_source(self.position, space)

    @cached_property
    def stood_in(self) -> Mapping[str, tuple[str, ...]]:
        """The units by space; a division that only made room for a corps still counts."""
        # reading: 15.2.1.2, the third figure: a division that made room does not close the space to
        # the others.
        found = {space: units for space in self.ground
                 if (units := self.position.units_in(space, self.side))}  # fmt: skip
        for unit, space in self.bumped:
            if space in self.ground:
                found[space] = (*found.get(space, ()), unit)
        return found

    @cached_property
    def corps(self) -> Mapping[str, tuple[str, ...]]:
        """The corps on the map, by space."""
        found: dict[str, tuple[str, ...]] = {}
        for space, units in self.stood_in.items():
            corps = tuple(unit for unit in units if self.position.type_of(unit).is_corps)
            if corps:
                found[space] = corps
        return found

    def corps_in(self, space: str) -> tuple[str, ...]:
        """The corps that are in a space."""
        return self.corps.get(space, ())

    @cached_property
    def companies(self) -> Mapping[str, frozenset[str]]:
        """The spaces of the units a corps must be next to: those of a region, or Italians."""
        found: dict[str, set[str]] = {}
        for space, units in self.stood_in.items():
            for unit_type in map(self.position.type_of, units):
                kind = unit_type.region or ("italian" if unit_type.has("italian") else "")
                found.setdefault(kind, set()).add(space)
        return {kind: frozenset(spaces) for kind, spaces in found.items()}

    def is_company(self, unit_type: UnitType, space: str) -> bool:
        """Whether units of a corps's own kind are in a space: Italians, or its region's."""
        return space in self.companies.get(unit_type.region or "italian", ())

    def sites(self, unit: str) -> tuple[str, ...]:
        """Where a corps of this kind may be deployed, if it were the only one."""
        unit_type, position = self.position.type_of(unit), self.position
        if unit_type.region:
            return (*self.at_home(unit_type.region), *self.abroad(unit_type.region))
        if is_expeditionary(unit_type):
            ports = position.ports()
            found = [s for s in self.ground if s in ports or self.is_company(unit_type, s)]
        else:
            found = [s for s in self.ordinary if not self.is_cut_off_north(s)]
        return tuple(s for s in found if not is_barred_from_islands(position, unit, s))

    def is_cut_off_north(self, space: str) -> bool:
        """Whether Republicans are to be placed in a North that is cut off."""
        position = self.position
        if self.side != REPUBLICAN:
            return False
        return is_northern(position, space) and north_is_isolated(position)

    # --- regional corps -------------------------------------------------------------------------

    def at_home(self, region: str) -> tuple[str, ...]:
        """In a corps's region: the spaces with its divisions, and the region's source."""
        return self._where(region)[0]

    def abroad(self, region: str) -> tuple[str, ...]:
        """Outside a corps's region: the spaces with its divisions."""
        return self._where(region)[1]

    def _where(self, region: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """At home and abroad; asked for each corps to come in each place for each other one."""
        if region not in self._by_region:
            spaces, company = self.position.tables.spaces, self.companies.get(region, ())
            inside = [space for space in self.ground if spaces[space].region == region]
            self._by_region[region] = (
                tuple(s for s in inside if s in company or spaces[s].source == self.side),
                tuple(s for s in self.ground if s in company and s not in inside),
            )
        return self._by_region[region]

    @property
    @CITE.serves("15.2.1.2")
    def plans_ahead(self) -> bool:
        """Whether a corps must leave the others the room they need."""
        # reading: the figures of 15.2.1.2 say "must" in the second edition and "may" in the first,
        # where a regional corps considers only itself: home, and a space of its own if there is
        # one.
        return self.position.edition == "2e"

    def crowding(self, unit: str = "", space: str = "") -> Crowding:
        """The least crowding possible for the regional corps, once this one is placed."""
        types = self.position.tables.units
        placed = {**self.corps, space: (*self.corps_in(space), unit)} if unit else self.corps
        kinds = {place: [types[each].region for each in corps] for place, corps in placed.items()}
        stands = [(place, kind) for place, found in kinds.items() for kind in found if kind]
        others = [place for place, found in kinds.items() if not all(found)]
        waits = self.waiting if self.plans_ahead else ()
        wanderers = (u for u in waits if u != unit and types[u].region)
        waiting = tuple(self._room_for(types[u].region, others) for u in wanderers)
        return _sum(self._crowding_of(stands), least_crowding(waiting, tuple(stands)))

    def _crowding_of(self, stands: list[tuple[str, str]]) -> Crowding:
        """The crowding of the regional corps already placed."""
        spaces = {space for space, _ in stands}
        homes = self.position.tables.spaces
        away = [1 for space, region in stands if homes[space].region != region]
        return (0, len(stands) - len(spaces), len(stands) - len(set(stands)), len(away))

    def _room_for(self, region: str, others: list[str]) -> Wanderer:
        free = [s for s in self.at_home(region) if s not in others]
        strange = [s for s in self.abroad(region) if s not in others]
        return region, tuple(free), tuple(strange)

    # --- the watch on the north -----------------------------------------------------------------

    @cached_property
    def watched(self) -> tuple[str, ...]:
        """The regions of the north that the Nationalists do not control completely."""
        spaces = self.position.tables.spaces.values()
        return tuple(
            dict.fromkeys(
                space.region
                for space in spaces
                if space.region and not self.position.controls(NATIONALIST, space.id)
            )
        )

    @cached_property
    def posts(self) -> Mapping[str, frozenset[str]]:
        """The spaces that count for the watch, with the regions each is in or next to.

        A region without such a space is watched from the nearest ones.
        """
        regions: dict[str, set[str]] = {}
        distances = {region: self._distances(region) for region in self.watched}
        for region, distance in distances.items():
            nearest = max(1, min((distance[s] for s in self.ordinary), default=1))
            for space in self.ground:
                if distance[space] <= nearest:
                    regions.setdefault(space, set()).add(region)
        others = [space for space in self.ordinary if space not in regions]
        others.sort(key=lambda space: min((d[space] for d in distances.values()), default=0))
        for space in others[: max(0, len(self.watched) - len(set(regions) & set(self.ordinary)))]:
            regions[space] = set()
        return {space: frozenset(found) for space, found in regions.items()}

    def _distances(self, region: str) -> Mapping[str, int]:
        """How far every space is from a region; kept while nothing is captured."""
        tables, position = self.position.tables, self.position
        memo, key = position.control.memo, ("far", region, tuple(position.beach_heads.items()))
        if key not in memo:
            starts = (space.id for space in tables.spaces.values() if space.region == region)
            far = dict.fromkeys(tables.spaces, len(tables.spaces))
            memo[key] = {**far, **dict(outward(starts, position.neighbours))}
        found: Mapping[str, int] = memo[key]
        return found

    def shortfall(self, unit: str = "", space: str = "") -> int:
        """How much of the watch must remain undone once this corps is placed."""
        tables = self.position.tables
        manned = [s for s in self.posts if s == space or self.corps_in(s)]
        missing = set(self.watched).difference(*(self.posts[s] for s in manned))
        waiting = [u for u in self.waiting if u != unit]
        italians = [u for u in waiting if is_expeditionary(tables.units[u])]
        free = [s for s in self.posts if s not in manned]
        return least_shortfall(
            frozenset(missing),
            len(self.watched) - len(manned),
            min(len(waiting) - len(italians), len(self.watched)),
            tuple((s, self.posts[s]) for s in free if s in self.ordinary),
            tuple((s, self.posts[s]) for u in italians for s in self.sites(u) if s in free),
        )

    # --- all together ---------------------------------------------------------------------------

    def spaces(self, unit: str) -> tuple[str, ...]:
        """Where a corps may be put now, in map order."""
        unit_type = self.position.type_of(unit)
        kind = unit_type.region or ("italian" if is_expeditionary(unit_type) else "")
        if kind not in self._found:
            self._found[kind] = self._in_map_order(self._spaces(unit))
        return self._found[kind]

    def _spaces(self, unit: str) -> Iterable[str]:
        if self.position.type_of(unit).region:
            least = self.crowding() if self.plans_ahead else None
            crowding = {s: self.crowding(unit, s) for s in self._with_room(unit)}
            best = least or min(crowding.values(), default=None)
            return [space for space in crowding if crowding[space] == best]
        free = [space for space in self.sites(unit) if not self.corps_in(space)]
        if self.side == NATIONALIST:
            undone = self.shortfall()
            elsewhere = self.shortfall(unit) <= undone
            return [s for s in free if self._leaves_watch(unit, s, undone, elsewhere)]
        if not self.plans_ahead:
            return free
        best = self.crowding()
        # It can be in the way of regional corps only in the north.
        wanted = self._wanted_spaces()
        return [s for s in free if s not in wanted or self.crowding(unit, s) == best]

    def _leaves_watch(self, unit: str, space: str, undone: int, elsewhere: bool) -> bool:
        """Away from all posts one space is as good as another, so one is judged for all."""
        return self.shortfall(unit, space) <= undone if space in self.posts else elsewhere

    def _in_map_order(self, spaces: Iterable[str]) -> tuple[str, ...]:
        return tuple(sorted(spaces, key=self.position.tables.map_rank.__getitem__))

    def _with_room(self, unit: str) -> tuple[str, ...]:
        """The sites of a regional corps that hold fewer than three corps, none of another kind."""
        regions = self.position.tables.units
        return tuple(
            space
            for space in self.sites(unit)
            if len(self.corps_in(space)) < STACKING_LIMIT
            and all(regions[corps].region for corps in self.corps_in(space))
        )

    def _wanted_spaces(self) -> frozenset[str]:
        """Where a regional corps still to come could be deployed."""
        regional = [unit for unit in self.waiting if self.position.type_of(unit).region]
        return frozenset(space for unit in regional for space in self.sites(unit))


Wanderer = tuple[str, tuple[str, ...], tuple[str, ...]]
"""A regional corps still to come: its region, the free spaces at home, and those elsewhere."""
Crowding = tuple[int, int, int, int]
"""Corps without a space; that share one; that share it with their own region; away from home."""


@lru_cache(maxsize=4096)
def least_crowding(waiting: tuple[Wanderer, ...], stands: tuple[tuple[str, str], ...]) -> Crowding:
    """The least crowding possible for the regional corps still to come.

    `stands` are the spaces with regional corps, each with the region of one.
    """
    if not waiting:
        return (0, 0, 0, 0)
    (region, home, abroad), *rest = waiting
    left = tuple(rest)
    best = _sum((1, 0, 0, 0), least_crowding(left, stands))
    for space in (*home, *abroad):
        there = [kind for place, kind in stands if place == space]
        if len(there) < STACKING_LIMIT and best > (0, 0, 0, 0):
            after = least_crowding(left, tuple(sorted((*stands, (space, region)))))
            own = (0, int(bool(there)), int(region in there), int(space not in home))
            best = min(best, _sum(own, after))
    return best


def _sum(one: Crowding, other: Crowding) -> Crowding:
    return (one[0] + other[0], one[1] + other[1], one[2] + other[2], one[3] + other[3])


Posts = tuple[tuple[str, frozenset[str]], ...]


@lru_cache(maxsize=4096)
def least_shortfall(
    missing: frozenset[str], lacking: int, corps: int, posts: Posts, italian: Posts
) -> int:
    """Regions that can no longer be watched, and the number of corps missing for the watch.

    `lacking` corps must still be put on posts; `corps` may, and the CTV on its own.
    """
    least = _undone(missing, lacking, corps, posts)
    for space, regions in italian:
        if least:
            others = tuple(post for post in posts if post[0] != space)
            least = min(least, _undone(missing - regions, lacking - 1, corps, others))
    return least


def _undone(missing: frozenset[str], lacking: int, corps: int, posts: Posts) -> int:
    useful = min(corps, len(posts))
    least = len(missing) + max(0, lacking)
    for chosen in combinations(posts, useful) if least else ():
        left = missing.difference(*(regions for _, regions in chosen))
        least = min(least, len(left) + max(0, lacking - useful))
        if not least:
            break
    return least


def plan_of(stage: Deploying, position: Position, side: Side) -> Plan:
    """The plan of a side, computed once for a position."""
    memo, waiting = position.control.memo, stage.waiting(position, side)
    # By identity: hashing two hundred units costs more than planning again now and then. The plan
    # holds them, so no others can take their address.
    key = ("corps", side, waiting, stage.bumped, id(position.counters))
    plan: Plan | None = memo.get(key)
    if plan is None:
        plan = memo[key] = Plan(position, side, waiting, stage.bumped)
    return plan


def _plan_for(stage: Deploying, position: Position, order: Deploy) -> Plan:
    return plan_of(stage, position, position.side_of(order.unit))


# --- 15.2.1.2 -----------------------------------------------------------------------------------


def _barred(plan: Plan, order: Deploy) -> Iterator[Violation]:
    """Why no corps may be placed in a space: enemy control, no supply, an island."""
    if not plan.position.controls(plan.side, order.to):
        yield Violation(say("you do not control {to}", to=plan.position.called(order.to)), ("to",))
    elif order.to in plan.ground:
        yield from _off_the_islands(plan.position, order)
    elif is_supplied(plan.position, plan.side, order.to):
        message = say("{to} is isolated, and no corps is placed there",
                      to=plan.position.called(order.to))  # fmt: skip
        yield Violation(message, ("to",), rule="18.2.3")
    else:
        yield Violation(say("{to} is not in supply", to=plan.position.called(order.to)), ("to",))


@CITE.refusal("8.5.2.4/h")
def _off_the_islands(position: Position, order: Deploy) -> Iterator[Violation]:
    """No corps is on an island."""
    if is_barred_from_islands(position, order.unit, order.to):
        yield Violation(say("a corps cannot go to the Balearic Islands"), ("to",))


def _no_place_for_corps(plan: Plan, space: str, spaces: tuple[str, ...]) -> Violation:
    """The violation of an order for a space where no corps of most kinds is placed."""
    told = say(
        "{to} has none of your units and is neither one of your sources nor Madrid",
        to=plan.position.called(space),
    )
    barred = plan.is_badajoz(space)
    if barred:
        told = say("no corps is placed in {to}", to=plan.position.called(space))
    return Violation(told, ("to",), "13.2.4.1" if barred else "", _some(plan.position, spaces))


@CITE.check("15.2.1.2")
def ground_can_receive_corps(
    stage: Deploying, position: Position, order: Deploy
) -> Iterator[Violation]:
    """The space is controlled and supplied; most corps also need a unit there, or a source."""
    plan = _plan_for(stage, position, order)
    found = list(_barred(plan, order))
    yield from found
    unit_type = position.type_of(order.unit)
    if found or unit_type.region:
        return
    if not is_expeditionary(unit_type) and order.to not in plan.ordinary:
        yield _no_place_for_corps(plan, order.to, plan.spaces(order.unit))
    for corps in plan.corps_in(order.to):
        yield Violation(
            say(
                "{corps} is already in {to}, and a space takes only one corps",
                corps=corps,
                to=position.called(order.to),
            ),
            ("to",),
            hint=_some(position, plan.spaces(order.unit)),
        )


@CITE.check("15.2.1.2/b")
def expeditionary_corps_finds_its_place(
    stage: Deploying, position: Position, order: Deploy
) -> Iterator[Violation]:
    """The CTV is deployed with Italians, or in a port."""
    unit_type = position.type_of(order.unit)
    if not is_expeditionary(unit_type):
        return
    plan = _plan_for(stage, position, order)
    if order.to not in position.ports() and not plan.is_company(unit_type, order.to):
        yield Violation(
            say("{to} has no Italian unit and no port", to=position.called(order.to)),
            ("to",),
            hint=_some(position, plan.spaces(order.unit)),
        )


@CITE.check("15.2.1.2/e")
def outsiders_stay_out_of_the_cut_off_north(
    stage: Deploying, position: Position, order: Deploy
) -> Iterator[Violation]:
    """While the north is cut off only its own corps are deployed there."""
    if position.type_of(order.unit).region:
        return
    if _plan_for(stage, position, order).is_cut_off_north(order.to):
        yield Violation(
            say("{unit} may not be deployed in the north while it is cut off", unit=order.unit),
            ("to",),
        )


@CITE.check("15.2.1.2/c")
def regional_corps_comes_in_with_its_people(
    stage: Deploying, position: Position, order: Deploy
) -> Iterator[Violation]:
    """A regional corps joins divisions of its region or its source, at home if it can."""
    unit_type = position.type_of(order.unit)
    if not unit_type.region:
        return
    plan = _plan_for(stage, position, order)
    if order.to not in plan.sites(order.unit):
        yield Violation(
            say(
                "{to} has no division from {region} and is not its source",
                to=position.called(order.to),
                region=region_name(unit_type.region),
            ),
            ("to",),
            hint=_some(position, plan.spaces(order.unit)),
        )
    elif order.to in plan.abroad(unit_type.region) and _home_is_open(plan, order):
        yield Violation(
            say(
                "{unit} must be deployed at home, in {region}",
                unit=order.unit,
                region=region_name(unit_type.region),
            ),
            ("to",),
            hint=_some(position, plan.spaces(order.unit)),
        )


def _home_is_open(plan: Plan, order: Deploy) -> bool:
    """Whether the space is wrong, and some that are right are at home."""
    right = plan.spaces(order.unit)
    home = plan.at_home(plan.position.type_of(order.unit).region)
    return order.to not in right and any(space in home for space in right)


@CITE.check("15.2.1.2/d")
def corps_share_only_if_they_must(
    stage: Deploying, position: Position, order: Deploy
) -> Iterator[Violation]:
    """Regional corps share a space only if some would otherwise find none."""
    plan = _plan_for(stage, position, order)
    if plan.side == REPUBLICAN and order.to not in plan.spaces(order.unit):
        yield Violation(
            say(
                "with {unit} in {to} some regional corps would have to share a space or "
                "find none, which can be avoided",
                unit=order.unit,
                to=position.called(order.to),
            ),
            ("to",),
            hint=_some(position, plan.spaces(order.unit)),
        )


@CITE.check("15.2.1.2/a")
def north_is_watched(stage: Deploying, position: Position, order: Deploy) -> Iterator[Violation]:
    """Each region of the north has a Nationalist corps in or next to it, one for each region.

    A corps may go elsewhere as long as those still to come are enough.
    """
    # reading: a region that is completely Nationalist needs no corps, so the number is one lower.
    plan = _plan_for(stage, position, order)
    if plan.side == NATIONALIST and plan.shortfall(order.unit, order.to) > plan.shortfall():
        yield Violation(
            say("too few corps would be left to be in or next to each region of the north"),
            ("to",),
            hint=_some(position, plan.spaces(order.unit)),
        )


@CITE.check("15.2.1.2/g")
def room_is_made(stage: Deploying, position: Position, order: Deploy) -> Iterator[Violation]:
    """One division of a full space goes to the Reserve; of any other space, none."""
    divisions = who_can_make_room(position, order.to)
    if room_in(position, order.to) > 0:
        if order.to_reserve:
            yield Violation(
                say(
                    "{to} has room, so no unit there goes to the Reserve",
                    to=position.called(order.to),
                ),
                ("to_reserve",),
                stage.room_rule,
            )
    elif order.to_reserve not in divisions:
        full = position.called(order.to)
        yield Violation(
            say(
                "{space} is full, and {unit} cannot make room there",
                space=full,
                unit=order.to_reserve,
            )
            if order.to_reserve
            else say("{space} is full, and no unit makes room there", space=full),
            ("to_reserve",),
            stage.room_rule,
            hint=say("one of {divisions} must go to the Reserve", divisions=any_of(divisions)),
        )


def who_can_make_room(position: Position, space: str) -> tuple[str, ...]:
    """The divisions of a space, reduced ones first, then in stack order."""
    units = in_stack_order(position, position.units_in(space))
    divisions = (unit for unit in units if not position.type_of(unit).is_corps)
    return tuple(sorted(divisions, key=lambda unit: not position.is_reduced(unit)))


def _some(position: Position, spaces: tuple[str, ...]) -> Said:
    return (
        say("it may be deployed in {some}", some=any_of(position.names_of(spaces)))
        if spaces
        else say("no space is open to it now")
    )


# --- 19.5.5.1 -----------------------------------------------------------------------------------


@CITE.check("19.5.5.1/b")
def army_finds_its_ground(
    stage: Deploying, position: Position, order: Deploy
) -> Iterator[Violation]:
    """A manoeuvre corps is placed with a unit, on a source or in Madrid; up to three in a space."""
    plan = _plan_for(stage, position, order)
    found = list(_barred(plan, order))
    yield from found
    if found:
        return
    spaces = army_spaces(plan, order.unit)
    if order.to not in plan.ordinary:
        yield _no_place_for_corps(plan, order.to, spaces)
    elif order.to not in spaces:
        yield Violation(
            say(
                "{to} already has {stacking_limit} corps",
                to=position.called(order.to),
                stacking_limit=STACKING_LIMIT,
            ),
            ("to",),
            hint=_some(position, spaces),
        )


def army_spaces(plan: Plan, unit: str) -> tuple[str, ...]:
    """Where a manoeuvre corps may be placed, in map order."""
    return tuple(
        space
        for space in plan.ordinary
        if len(plan.corps_in(space)) < STACKING_LIMIT
        and not is_barred_from_islands(plan.position, unit, space)
    )


INITIAL_CHECKS: tuple[tuple[Any, ...], ...] = (
    (corps_is_to_come,),
    (it_is_their_turn,),
    (ground_can_receive_corps,),
    (
        expeditionary_corps_finds_its_place,
        outsiders_stay_out_of_the_cut_off_north,
        regional_corps_comes_in_with_its_people,
    ),
    (corps_share_only_if_they_must, north_is_watched),
    (room_is_made,),
)
ARMY_CHECKS: tuple[tuple[Any, ...], ...] = (
    (corps_is_to_come,),
    (it_is_their_turn,),
    (army_finds_its_ground,),
    (room_is_made,),
)
