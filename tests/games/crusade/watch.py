"""What a whole game of Crusade has to keep, looked at move by move by a second, slow reading."""

from __future__ import annotations

from collections import Counter as Tally
from collections.abc import Iterable, Iterator
from typing import Any

from pbem.games.crusade import events as e
from pbem.games.crusade.position import OFF_MAP
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN

MOST = 3
NORTHERN = ("gijon", "santander", "bilbao")
CONDITIONS = {
    "border with france closed": -2,
    "border with france open": 2,
    "border with portugal closed": 2,
    "border with portugal open": -2,
    "end of the northern front": -2,
    "north joined to the zone": 2,
    "republican zone divided": -1,
    "nationalist zone divided": 1,
}
"""What 16.3.3 pays for what the whole map shows."""
DIVIDED = {side: f"{side} zone divided" for side in (NATIONALIST, REPUBLICAN)}
ONCE = ("end of the northern front", "north joined to the zone", *DIVIDED.values())


class Watch:
    """Sees every move of one game and says what is wrong with it, each in a sentence."""

    def __init__(self, position: Any) -> None:
        flags = {"north_ended": ONCE[0], "north_linked": ONCE[1],
                 "nationalist_divided": ONCE[2], "republican_divided": ONCE[3]}  # fmt: skip
        self.paid = {why for flag, why in flags.items() if position.has(flag)}
        self.attacked: Tally[str] = Tally()

    def sees(self, moment: Any) -> Iterator[str]:
        before = moment.state.position
        yield from self._morale(before, moment.step.events, moment.step.positions)
        for event, position in zip(moment.step.events, moment.step.positions, strict=True):
            yield from self._attacks(event)
            if isinstance(event, e.RoundEnded | e.AttackDeclared | e.FortBuilt | e.DigRolled):
                yield from _too_full(position)
        yield from _guests(moment)

    # --- 16.3.3 -----------------------------------------------------------------------------

    def _morale(self, before: Any, events: Any, positions: Any) -> Iterator[str]:
        """Between two captures: what the map pays is what it owes."""
        start, now, paid = before, before, Tally[str]()
        for event, position in zip(events, positions, strict=True):
            if isinstance(event, e.SpaceTaken):
                yield from self._balance(start, now, paid)
                start, paid = now, Tally()
            if isinstance(event, e.ScoreChanged):
                paid[event.why] += event.rm if event.why in CONDITIONS else 0
                yield from _captures(event, start, position)
            now = position
        yield from self._balance(start, now, paid)

    def _balance(self, before: Any, after: Any, paid: Tally[str]) -> Iterator[str]:
        told = {why: rm for why, rm in paid.items() if why in CONDITIONS}
        if not told and _ground(before) == _ground(after):
            return  # what was owed before was said before
        owed = {why: CONDITIONS[why] for why in self._owed(before, after)}
        if owed != told:
            yield f"16.3.3: the map owes {owed}, and {told} is paid"
        self.paid |= set(told) & set(ONCE)

    def _owed(self, before: Any, after: Any) -> Iterator[str]:
        for country, holder in (("france", NATIONALIST), ("portugal", REPUBLICAN)):
            was, now = (_closed(each, country, holder) for each in (before, after))
            if was != now:
                yield f"border with {country} {'closed' if now else 'open'}"
        ended = ONCE[0] in self.paid
        if not ended and _north_fell(after):
            yield ONCE[0]
        elif not ended and ONCE[1] not in self.paid and _linked(after):
            yield ONCE[1]
        if after.turn < 6:
            return
        for side, why in DIVIDED.items():
            lost = any(
                owner == side and after.control.get(space) == ENEMY[side]
                for space, owner in before.control.items()
            )
            if why in self.paid or len(_parts(after, side)) < 2:
                continue
            if "Q4" in after.options or (lost and len(_parts(before, side)) == 1):
                yield why

    # --- 11.1.5 -----------------------------------------------------------------------------

    def _attacks(self, event: Any) -> Iterator[str]:
        if isinstance(event, e.RoundBegan):
            self.attacked.clear()
        elif isinstance(event, e.AttackCalledOff) and event.card == "N14":
            self.attacked[event.space] -= 1
        elif isinstance(event, e.AttackDeclared):
            self.attacked[event.space] += 1
            if self.attacked[event.space] > 1:
                yield f"11.1.5: {event.space} is attacked twice in a round"


def _captures(event: Any, before: Any, after: Any) -> Iterator[str]:
    """What a captured space is worth, by its borders on the map."""
    if event.why != "capture":
        return
    space = event.of
    ground, taker = after.tables.spaces[space], after.control[space]
    sign = 1 if taker == NATIONALIST else -1
    rm = 3 if space == "madrid" else 2 if ground.main_city else 1
    worth = (sign * ground.vp, -sign * rm)
    if before.control[space] == taker or (event.vp, event.rm) != worth:
        yield f"16.3.3: {event} is not what the capture is worth: {worth}"


def _ground(position: Any) -> tuple[Any, ...]:
    """All that changes in a game of what the conditions of 16.3.3 are about."""
    return position.turn, position.control, position.flags, position.beach_heads


def _closed(position: Any, country: str, holder: Any) -> bool:
    spaces = [s.id for s in position.tables.spaces.values() if s.border == country]
    return all(position.control[space] == holder for space in spaces)


def _north_fell(position: Any) -> bool:
    needed = [
        s.id
        for s in position.tables.spaces.values()
        if s.region and (s.control == REPUBLICAN or ("Q5" in position.options and s.id == "oviedo"))
    ]
    return all(position.control[space] == NATIONALIST for space in needed)


def _joined(position: Any, side: Any, starts: Iterable[str]) -> set[str]:
    """What is connected to the starts, looked for until nothing is added."""
    edge = {space for space in starts if position.control.get(space) == side}
    found = set(edge)
    while edge:
        near = {n for space in edge for n in position.neighbours(space)} - found
        edge = {space for space in near if position.control.get(space) == side}
        found |= edge
    return found


def _sources(position: Any, side: Any) -> list[str]:
    found = []
    for space in position.tables.spaces.values():
        if position.control.get(space.id) != side or not space.source:
            continue
        first = "1e" in position.options
        printed = REPUBLICAN if first and space.source == "badajoz" else space.source
        captured = printed == ENEMY[side] and "18.3.6" in position.options
        badajoz = space.source == "badajoz" and side == REPUBLICAN
        if space.source == side or captured or (
            badajoz and (first or not position.has("badajoz_lost"))
        ):  # fmt: skip
            found.append(space.id)
    return found


def _ports(position: Any, side: Any) -> list[str]:
    west = ("huelva", "cadiz", "algeciras")
    strait = position.has("strait_nationalist")
    ports = [s.id for s in position.tables.spaces.values() if s.port and not s.dormant]
    found = []
    for port in (*ports, *position.beach_heads):
        coast = position.beach_heads.get(port, port)
        sea = position.tables.spaces[coast].coast
        ours = sea == "mediterranean" if side == REPUBLICAN else sea == "atlantic" or strait
        barred = side == REPUBLICAN and strait and coast in west
        if position.control.get(port) == side and ours and not barred:
            found.append(port)
    return found


def _supplied(position: Any, side: Any, sources: Iterable[str]) -> set[str]:
    by_land = _joined(position, side, sources)
    sea = {port: position.sea_of(port) for port in _ports(position, side)}
    served = {sea[port] for port in sea if port in by_land}
    return by_land | _joined(position, side, [port for port in sea if sea[port] in served])


def _linked(position: Any) -> bool:
    sources = _sources(position, REPUBLICAN)
    south = _joined(position, REPUBLICAN, [s for s in sources if s not in NORTHERN])
    ports = _ports(position, REPUBLICAN)
    if any(port in south for port in ports):
        south |= _joined(position, REPUBLICAN, ports)
    return any(source in south for source in sources if source in NORTHERN)


def _parts(position: Any, side: Any) -> list[set[str]]:
    """The pieces of a zone with eight supplied spaces that are neither northern nor islands."""
    sources = _sources(position, side)
    if side == REPUBLICAN:
        sources = [source for source in sources if source not in NORTHERN]
    supplied = _supplied(position, side, sources)
    ground = position.tables.spaces
    left = {s for s in supplied
            if not (ground[s].region or ground[s].balearic or ground[s].dormant)}  # fmt: skip
    parts = []
    while left:
        part = _joined(position, side, [min(left)])
        if len(part & left) >= 8:
            parts.append(part)
        left -= part
    return parts


# --- 9.1.2 and 16.4.2.4 ---------------------------------------------------------------------------


def _too_full(position: Any) -> Iterator[str]:
    standing = Tally(c.place for c in position.counters.values() if c.place not in OFF_MAP)
    for space, there in standing.items():
        if there > MOST:
            yield f"9.1.2: {there} units stand in {space} when movement is over"


def _guests(moment: Any) -> Iterator[str]:
    """Of spaces that moved, nobody is left who had to go home and could have."""
    stage, after = moment.state.agenda[-1], moment.step.state
    if type(stage).__name__ != "Movement" or stage.side != REPUBLICAN:
        return
    if after.agenda and type(after.agenda[-1]).__name__ == "Movement":
        return
    position, before = after.position, moment.state.position
    walked = set(getattr(moment.order, "units", ()))
    for unit, counter in position.counters.items():
        kind = position.tables.units[unit]
        if not kind.region or kind.is_corps or counter.place not in stage.move:
            continue
        if unit in walked | stage.moved or before.counters[unit] != counter:
            continue
        if "1e" not in position.options and unit not in position.strayed:
            continue
        if _strangers(position, kind.region) > 1 and _abroad(position, unit):
            homes = [s for s in _reach(position, unit, stage)
                     if position.tables.spaces[s].region == kind.region
                     and len(position.units_in(s)) < MOST]  # fmt: skip
            if homes:
                yield f"16.4.2.4: {unit} stays in {counter.place} and could go home to {homes}"


def _abroad(position: Any, unit: str) -> bool:
    place, region = position.counters[unit].place, position.tables.units[unit].region
    return place in position.tables.spaces and (
        position.tables.spaces[place].region not in ("", region)
    )


def _strangers(position: Any, region: str) -> int:
    kinds = position.tables.units
    return sum(
        kind.region == region and not kind.is_corps and _abroad(position, unit)
        for unit, kind in kinds.items()
    )


def _reach(position: Any, unit: str, stage: Any) -> set[str]:
    """Where a unit could walk over its own side's ground alone."""
    reached = {position.counters[unit].place}
    for _ in range(position.factors(unit).mf):
        near = {n for s in reached for n in position.neighbours(s)}
        reached |= {n for n in near if position.control.get(n) == REPUBLICAN}
    return reached - set(stage.attack)
