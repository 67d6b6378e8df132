"""Standing orders for the enemy's activations, and for what follows one's own attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.conditions import clauses_of
from pbem.engine.model import Order
from pbem.engine.policy_rows import Answer, Clause, Document, first_legal
from pbem.engine.shapes import ByKind, Each, Fields, Many, OrWord, Word, listed
from pbem.games.nopasaran.orders import (
    NONE,
    Advance,
    Again,
    Build,
    Counterbattery,
    Defend,
    Displace,
    Lead,
    React,
    Retreat,
    Withdraw,
)
from pbem.games.nopasaran.policies.facts import (
    FACTS,
    HEX,
    HEXES,
    RANKING,
    WHEN,
    WHEN_ROLLED,
    about,
    in_order,
)
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import artillery, combat, engineers, retreat, ways
from pbem.games.nopasaran.rules.answers import attackers_left, spread
from pbem.games.nopasaran.tables import KINDS
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.games.nopasaran.stages.combat import (
        Advancing,
        Defending,
        Leading,
        Retreating,
        Withdrawing,
    )
    from pbem.games.nopasaran.stages.day import Building
    from pbem.games.nopasaran.stages.fire import Countering
    from pbem.games.nopasaran.stages.scouting import Reacting

ALWAYS, NEVER, ALL, REAR, TOGETHER, BY_ROAD = (
    "always", "never", "all", "rear", "stay_together", "road",
)  # fmt: skip


def _first(position: Position, stage: Any, written: Any) -> Mapping[str, Any] | None:
    """The first of some clauses that holds; None for `never`."""
    clauses = clauses_of(written)
    return next(iter(FACTS.holding(position, about(position, stage), clauses)), None)


def _yes_if(what: str, example: str) -> Many | OrWord:
    """never, always, or conditions under which it is done."""
    told = Fields({"when": WHEN}, say("name when"), say(example), ("when",))
    return OrWord((NEVER, ALWAYS), Many(told, once=True, needed=True, never=FACTS.unreached))


# --- retreat before combat ----------------------------------------------------------------------


def _withdrawing(position: Position, stage: Withdrawing, policy: Document) -> Order | None:
    """Goes if a clause holds: to the first of its hexes that is open to all, or as far to the rear
    as all can go.
    """
    clause = _first(position, stage, policy.get("retreat_before_combat", NEVER))
    if clause is None:
        return Withdraw()
    units = position.units_at(stage.hex, stage.side)
    open_to = {unit: retreat.withdrawals(position, unit) for unit in units}
    common = set.intersection(*(set(hexes) for hexes in open_to.values()))
    rear = position.ground.from_rear(stage.side)
    wished: Iterable[str] = listed(clause["to"]) if clause.get("to", REAR) != REAR else ()
    backwards = sorted(common, key=lambda hex: (rear.get(hex, len(rear)), hex))
    hexes = [hex for hex in wished if hex in common] or backwards
    orders = (Withdraw({unit: open_to[unit][hex] for unit in units}) for hex in hexes)
    return first_legal(stage, position, orders) or Withdraw()


A_WITHDRAWAL = Fields(
    {"when": WHEN, "to": OrWord((REAR,), HEXES)},
    say("retreat_before_combat must be never, always, or name when, to, or both"),
    say("{when: {enemy_armour: true}, to: rear}"),
    ("when", "to"),
)
WITHDRAW: Clause = Clause(
    OrWord((NEVER, ALWAYS), Many(A_WITHDRAWAL, once=True, needed=True, never=FACTS.unreached)),
    answers={"retreat_before_combat": Answer(_withdrawing)},
    example=("never", say("or always, or {when: {enemy_armour: true}}")),
)

# --- support ------------------------------------------------------------------------------------


def _defending(position: Position, stage: Defending, policy: Document) -> Order | None:
    """Supports with what the first clause that holds names; all, where nothing is said."""
    every = stage.whole(position)
    said = policy.get("support")
    if said is None:
        return every
    clause = _first(position, stage, said)
    if clause is None:
        return Defend()
    guns = tuple(every.guns) if clause.get("guns", ALL) == ALL else ()
    air = every.air if clause.get("air", ALL) == ALL else ()
    number = clause.get("guns")
    if isinstance(number, int):
        guns = tuple(every.guns)[:number]
    if isinstance(clause.get("air"), int):
        air = every.air[: clause["air"]]
    return Defend(spread(position, guns), air)


MOST = 20
SOME = OrWord(
    (ALL, NONE),
    Word(tuple(range(MOST + 1)), say("expected a number from 0 to {most}, all or none", most=MOST),
         say("guns: all")),
)  # fmt: skip
A_SUPPORT = Fields(
    {"guns": SOME, "air": SOME, "when": WHEN},
    say("support must be all, none, or name guns, air or when"),
    say("{guns: all, air: 1, when: {enemy_troops: 6+}}"),
    ("guns", "air", "when"),
)
SUPPORT: Clause = Clause(
    OrWord((ALL, NONE, ALWAYS, NEVER),
           Many(A_SUPPORT, once=True, needed=True, never=FACTS.unreached)),
    answers={"support": Answer(_defending)},
    example=("{guns: all, air: all}", say("what supports your defence; all without a word")),
)  # fmt: skip

# --- who leads ----------------------------------------------------------------------------------


def _leading(position: Position, stage: Leading, policy: Document) -> Order | None:
    able = stage.able(position)
    return Lead(in_order(position, policy.get("primary", ()), able)[0]) if able else None


PRIMARY: Clause = Clause(
    RANKING,
    answers={"primary": Answer(_leading)},
    example=("[best]", say("which unit leads a combat, and takes the first loss")),
)

# --- guns and scouts ----------------------------------------------------------------------------


def _countering(position: Position, stage: Countering, policy: Document) -> Order | None:
    """Answers with all guns, if a clause holds, the hex with most guns first."""
    if _first(position, stage, policy.get("counterbattery", NEVER)) is None:
        return Counterbattery()
    targets = stage.targets(position)
    hex = max(targets, key=lambda each: len(artillery.can_lose(position, each, only_guns=True)))
    return Counterbattery(artillery.counter_guns(position, stage.side, (hex,)), hex)


COUNTERBATTERY: Clause = Clause(
    _yes_if("counterbattery", "{when: {weather: [clear]}}"),
    answers={"counterbattery": Answer(_countering)},
    example=("always", say("whether your guns answer those of the enemy")),
)


def _reacting(position: Position, stage: Reacting, policy: Document) -> Order | None:
    """Attacks with all who can, if a clause holds."""
    if _first(position, stage, policy.get("react", NEVER)) is None:
        return React()
    able = stage.able(position)
    leader = combat.leaders(position, able)
    order = React(able, leader[0] if leader else "")
    return first_legal(stage, position, (order,)) or React()


REACT: Clause = Clause(
    _yes_if("react", "{when: {recon: [tank]}}"),
    answers={"react": Answer(_reacting)},
    example=("{when: {recon: [tank]}}", say("when you attack those who failed to find you")),
)

# --- retreats -----------------------------------------------------------------------------------


def _retreating(position: Position, stage: Retreating, policy: Document) -> Order | None:
    """Loses points in place of all hexes if a clause says so; else goes by the first of its hexes
    that is open, or by road, or as the rules have it.
    """
    units = stage.units
    if _first(position, stage, policy.get("losses_for_retreat", NEVER)) is not None:
        due = min(stage.length, position.troops_of(units))
        stay = Retreat({}, retreat.in_points(position, units, due))
        found = first_legal(stage, position, (stay,))
        if found is not None:
            return found
    together = retreat.retreats(position, units[0], stage.length, units)
    wished = dict(policy.get("retreat", ()))
    goals = listed(wished.get(position.at(units[0]), ()))
    best = sorted(together, key=lambda path: _wish(position, units, path, goals))
    return first_legal(
        stage, position, (Retreat(dict.fromkeys(units, path)) for path in best)
    )  # without one, the default


def _wish(
    position: Position, units: tuple[str, ...], path: tuple[str, ...], goals: tuple[str, ...]
) -> tuple[int, int]:
    """How near a way comes to what is wished: its first hex in the list, then by road."""
    here, first = position.at(units[0]), path[0]
    place = goals.index(first) if first in goals else len(goals)
    kind = KINDS.index(position.printed(units[0]).kind)
    side = position.side_of(units[0])
    return place, int(ways.road_cost(position, here, first, kind, side) is None)


RETREAT: Clause = Clause(
    Each(HEX, HEXES, say("retreat lists hexes, and where the units of each go first"),
         say("{G13: [G14, H13]}")),
    answers={"retreat": Answer(_retreating)},
    example=("{G13: [G14, H13]}", say("for each hex where its units go first, best first")),
)  # fmt: skip
FOR_RETREAT: Clause = Clause(
    OrWord((NEVER, ALWAYS), Many(
        Fields({"when": WHEN_ROLLED}, say("name when"), say("{when: {hex: [E12]}}"), ("when",)),
        once=True, needed=True, never=FACTS.unreached,
    )),
    example=("never", say("whether points are lost in place of a retreat")),
)  # fmt: skip

# --- the evening --------------------------------------------------------------------------------


def _building(position: Position, stage: Building, policy: Document) -> Order | None:
    """Builds what it says wherever it can; of two kinds the one that is said."""
    said = policy.get("works", NONE)
    if said == NONE:
        return Build()
    able = engineers.buildable(position, stage.side)
    return Build({hex: said if said in kinds else kinds[0] for hex, kinds in able.items()})


WORKS: Clause = Clause(
    Word((NONE, "position", "fortification"),
         say("expected none, position or fortification"), say("works: fortification")),
    answers={"works": Answer(_building)},
    example=("fortification", say("what is built where your units have stood idle")),
)  # fmt: skip

# --- what follows one's own attack --------------------------------------------------------------


def _advancing(position: Position, stage: Advancing, said: Any) -> Order | None:
    """As many of those that are named as there is room for, in their order."""
    left = attackers_left(position)
    if said == NONE:
        return Advance()
    wished = list(left) if said == ALL else in_order(position, listed(said), left)
    for number in range(len(wished), 0, -1):
        found = first_legal(stage, position, (Advance(tuple(wished[:number])),))
        if found is not None:
            return found
    return Advance()


ADVANCE: Clause = Clause(
    ByKind(
        say("advance must be all, none, or a list of units"), say("advance: all"), many=RANKING,
        word=Word((ALL, NONE), say("expected all, none, or a list of units in brackets"),
                  say("advance: all")),
    ),
    answers={"advance": Answer(lambda position, stage, policy: _advancing(
        position, stage, policy.get("advance", NONE)))},
)  # fmt: skip


def _repeating(position: Position, stage: Any, policy: Document) -> Order | None:
    if _first(position, stage, policy.get("again", NEVER)) is None:
        return Again(fall_back=True)
    return Again()


AGAIN: Clause = Clause(
    OrWord((NEVER, ALWAYS), Many(
        Fields({"when": WHEN_ROLLED}, say("name when"), say("{when: {result: [SR]}}"), ("when",)),
        once=True, needed=True, never=FACTS.unreached,
    )),
    answers={"again": Answer(_repeating)},
)  # fmt: skip


def _displacing(position: Position, stage: Any, policy: Document) -> Order | None:
    """The units that the list puts last go aside first."""
    hex, side = stage.hex, stage.side
    default = retreat.default_displacement(position, hex, side)
    units = [unit for unit in position.units_at(hex, side) if position.troops(unit)]
    last = in_order(position, policy.get("displace", ()), units)[::-1]
    return first_legal(stage, position, (*_ways_aside(position, last), default))


def _ways_aside(position: Position, units: list[str]) -> Iterator[Order]:
    """One unit after another goes aside, the first by itself, then two of them, and so on."""
    for number in range(1, len(units) + 1):
        paths = {}
        for unit in units[:number]:
            open_hexes = retreat.asides(position, unit)
            if open_hexes:
                paths[unit] = (open_hexes[0],)
        yield Displace(paths)


DISPLACE: Clause = Clause(
    RANKING,
    answers={"displace": Answer(_displacing)},
)
