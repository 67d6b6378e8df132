"""The odds of an attack as it is now, and if either side bombards with all that it can.

The stages of the attack are carried out for every result of the dice; no rule is computed here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

from pbem.engine import kernel
from pbem.engine.dice import Draw
from pbem.engine.model import ChanceStage, Decision, Event, Order, Side, Stage, State
from pbem.engine.odds import (
    Chances,
    Ending,
    Factor,
    Fallen,
    Falls,
    Leaf,
    Odds,
    Salvo,
    Waged,
    branches,
    percent,
    played_out,
)
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import Attack, Support, Trade, UseColumns
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import bombardment, combat, stacking
from pbem.games.ctv.rules.naming import GROUND, MODIFIERS, called, place
from pbem.games.ctv.stages.combat import (
    AirCombat,
    BreakingThrough,
    Choosing,
    Deciding,
    Ends,
    Entering,
    Retreating,
    ShotDownOf,
    Supporting,
    UsingColumns,
)
from pbem.games.ctv.stages.cover import as_shown
from pbem.games.ctv.tables import AIR, ENEMY, HEADQUARTERS
from pbem.messages import Message, Said, decimal, say, say_many
from pbem.value import value

FACES = range(1, 7)
SAFE = 6
"""The face that stands for every result of an air unit's return: it changes nothing here."""
NOBODY = Factor(say("nobody bombards"), 0, "9.4")
NOTHING_MORE = Factor(say("nothing more bombards"), 0, "9.4")
SUPPOSED: Mapping[type[Stage[Position]], Factor] = {
    Deciding: Factor(say("no step is traded for a retreat"), 0, "10.5"),
    Choosing: Factor(say("the weakest units lose steps first"), 0, "10.3"),
    Retreating: Factor(say("who is driven back takes the first way there is"), 0, "10.5.1"),
    ShotDownOf: Factor(say("losses in the air are as a form suggests"), 0, "15.1"),
}
"""The answer assumed to each question that the attack may bring."""
RULES = {"trench": "10.7", "concentric": "10.2.1", "below": "10.2"}
"""The rule of each change of the combat die."""
FIRST_TURN = say("first turn, near the corps of the CTV")
WHO = {
    (False, True): say("the attackers bombard"), (False, False): say("the defenders bombard"),
    (True, True): say("both bombard"),
}  # fmt: skip
"""By whether both do, and whether the attackers do."""
ATTACK, DEFENCE = say("attack"), say("defence")


@value
class Known:
    """What is known at the end of an attack: whether the hex is given up, the steps lost, and the
    headquarters, which have no steps.
    """

    is_won: bool
    ours: int
    theirs: int
    gone: tuple[str, ...] = ()


class CombatOdds(Odds):
    """The capability."""

    attacks: frozenset[type[Order]] = frozenset({Attack})

    def of(self, state: State[Position], order: Order, *, briefly: bool = False) -> Chances:
        assert isinstance(order, Attack)
        side, covered = state.position.active, len(state.position.covers.get(order.hex, ()))
        state, attack = as_shown(state, order)
        fight = _begun(state, attack)
        reading = _PlayedOut(fight.position, side)
        leaves = list(played_out(fight, None, reading))
        supposed = [NOBODY, NOTHING_MORE][bool(fight.position.combat.support)]

        def ending(known: Known) -> Ending:
            winner = side if known.is_won else ENEMY[side]
            return winner, ((side, known.ours), (ENEMY[side], known.theirs))

        return Chances(
            where=str(place(state.position, order.hex)),
            salvos=_salvos(fight.position, side),
            branches=branches(leaves, ending),
            notes=()
            if briefly
            else (
                *_strengths(fight.position),
                *uncounted(covered),
                _on_average(leaves),
                *_headquarters_lost(fight.position, leaves),
                *_traded(fight, reading),
                *_bombarded(fight, side),
            ),
            supposed=(*([supposed] if _could_bombard(fight) else []), *reading.supposed),
        )

    def came(self, attack: Waged) -> Ending | None:
        before, order = attack.state.position, attack.order
        assert isinstance(order, Attack)
        side, enemy, here = before.active, ENEMY[before.active], before
        shown = dict.fromkeys(ENEMY, 0)
        for event, after in attack.happenings:
            if isinstance(event, e.CounterShown):  # its steps are known from now on
                for each in shown:
                    shown[each] += _steps(after, each) - _steps(here, each)
            here = after
            if isinstance(event, e.BattleEnded):
                known = _known(before, after, side, order.hex)
                winner = side if known.is_won else enemy
                ours, theirs = known.ours + shown[side], known.theirs + shown[enemy]
                return winner, ((side, ours), (enemy, theirs))
        return None


ODDS: Odds = CombatOdds()


def uncounted(covered: int) -> Iterator[Factor]:
    """That covered counters, so many, are not in the chances; nothing of none."""
    if covered:
        yield Factor(
            say_many("number", "{number} covered counter of the defenders is not counted",
                     "{number} covered counters of the defenders are not counted", number=covered),
            0, "5.2",
        )  # fmt: skip


def supported(state: State[Position], order: Support) -> Said:
    """What an attack may bring with what a side commits to it now, and nothing after that."""
    battle = state.position.combat
    last = max(at for at, stage in enumerate(state.agenda) if isinstance(stage, Ends))
    fight = State(state.position, state.agenda[last:])
    reading = _PlayedOut(fight.position, state.position.side_of(battle.attackers[0]))
    leaves = list(played_out(kernel.resolved(fight, order).state, None, reading))
    return say(
        "if nothing more bombards: the hex is given up {share}, steps lost on average {mine} and "
        "{yours}",
        share=_won(leaves), mine=_mean(leaves, "ours"), yours=_mean(leaves, "theirs"),
    )  # fmt: skip


def _begun(state: State[Position], order: Attack) -> State[Position]:
    """The attack alone, begun: nobody has said yet what bombards."""
    begun = kernel.resolved(state, order).state
    return State(begun.position, begun.agenda[len(state.agenda) :])


def _known(before: Position, after: Position, side: Side, hex: str) -> Known:
    return Known(
        after.holder(hex) != ENEMY[side],
        _steps(before, side) - _steps(after, side),
        _steps(before, ENEMY[side]) - _steps(after, ENEMY[side]),
        tuple(sorted(_headquarters(before) - _headquarters(after))),
    )


def _headquarters(position: Position) -> frozenset[str]:
    """The headquarters of both sides on the map."""
    return frozenset(
        unit
        for side in ENEMY
        for unit in position.on_map(side)
        if position.printed(unit).type == HEADQUARTERS
    )


def _steps(position: Position, side: Side) -> int:
    """The steps of all troops of a side on the map."""
    return sum(
        position.steps_left(unit)
        for unit in position.on_map(side)
        if position.printed(unit).takes_losses
    )


# --- every fall of the dice ---------------------------------------------------------------------


class _PlayedOut:
    """An attack that is being played out.

    `bombard` are the sides that do so with all they can; `trades`: whether the defender trades a
    step for a retreat wherever that can be done.
    """

    def __init__(
        self, before: Position, side: Side, bombard: Iterable[Side] = (), *, trades: bool = False
    ) -> None:
        self.before, self.side = before, side
        self.bombard, self.trades = frozenset(bombard), trades
        self.supposed: dict[Factor, None] = {}
        self.may_trade = False

    def falls(self, state: State[Position], known: None) -> Falls:
        stage, position = state.agenda[-1], state.position
        assert isinstance(stage, ChanceStage)
        draws = stage.chance(position).draws
        if isinstance(stage, AirCombat):
            return _in_the_air(position, stage, draws)
        rolled = [draw.label for draw in draws if not draw.label.startswith("air/")]
        safe = {draw.label: SAFE for draw in draws}
        return _by_result(stage, position, draws, rolled, safe)

    def answer(self, state: State[Position], asked: Decision) -> Order:
        stage, position, battle = state.agenda[-1], state.position, state.position.combat
        if isinstance(stage, Supporting) and stage.side in self.bombard:
            return Support(
                bombardment.supporters(position, battle, stage.side, AIR),
                bombardment.supporters(position, battle, stage.side, HEADQUARTERS),
            )
        if isinstance(stage, UsingColumns) and stage.side in self.bombard:
            firing = [unit for unit in battle.support if position.side_of(unit) == stage.side]
            usable = bombardment.usable_columns(position, stage.side, firing)
            return UseColumns(dict.fromkeys(usable, 1))
        if isinstance(stage, Deciding):
            self.may_trade = True
            if self.trades:
                return Trade(next(iter(combat.trade_ways(position, battle.hex))))
        if type(stage) in SUPPOSED:
            self.supposed[SUPPOSED[type(stage)]] = None
        return asked.default

    def after(self, position: Position, step: kernel.Progress, known: None) -> None:
        """Nothing is kept on the way."""

    def ends(self, state: State[Position], known: None) -> Sequence[tuple[int, Known]] | None:
        """Ends when losses and morale are settled: nobody asks here who advances."""
        stage = state.agenda[-1] if state.agenda else None
        if stage is not None and not isinstance(stage, Entering | BreakingThrough):
            return None
        return [(1, _known(self.before, state.position, self.side, self.before.combat.hex))]


def _by_result(
    stage: ChanceStage[Position], position: Position, draws: Sequence[Draw],
    rolled: Sequence[str], others: Mapping[str, int],
) -> Falls:  # fmt: skip
    """One fall for each result of each die that counts; results do not depend on one another."""
    groups: list[dict[Hashable, list[int]]] = []
    for label in rolled:
        found: dict[Hashable, list[int]] = {}
        for face in FACES:
            faces = Fallen({**others, label: face}).roll(draws)
            found.setdefault(_result(stage.resolve(position, faces).events, label), []).append(face)
        groups.append(found)
    for each in product(*(found.values() for found in groups)):
        weight, faces_of = 1, dict(others)
        for label, alike in zip(rolled, each, strict=True):
            weight *= len(alike)
            faces_of[label] = alike[0]
        yield weight, faces_of


def _result(events: Iterable[Event[Any]], label: str) -> Hashable:
    """What the table gave for a die."""
    for event in events:
        match event:
            case e.Bombarded(levels=levels):
                return levels
            case e.CombatRolled(result=result):
                return result
            case e.MoraleRolled(hex=hex, result=result) if label.endswith(f"/{hex}"):
                return result
    return None


def _in_the_air(position: Position, stage: AirCombat, draws: Sequence[Draw]) -> Falls:
    """One fall for each number of units that each side shoots down: no more than there are."""
    hit = position.board.charts["air"]["combat"]
    miss = next(face for face in FACES if face != hit)
    sides: dict[Side, list[str]] = {}
    for draw in draws:
        sides.setdefault(position.side_of(draw.label.rpartition("/")[2]), []).append(draw.label)
    ways = []
    for side, labels in sides.items():
        most, found = len(sides[ENEMY[side]]), dict[int, int]()
        for hits in range(len(labels) + 1):
            count = comb(len(labels), hits) * (len(FACES) - 1) ** (len(labels) - hits)
            found[min(hits, most)] = found.get(min(hits, most), 0) + count
        ways.append([
            (count, dict(zip(labels, [hit] * hits + [miss] * (len(labels) - hits), strict=True)))
            for hits, count in found.items()
        ])  # fmt: skip
    for each in product(*ways):
        weight, faces = 1, dict[str, int]()
        for count, some in each:
            weight *= count
            faces |= some
        yield weight, faces


# --- reasons ------------------------------------------------------------------------------------


def _by_hex(position: Position) -> combat.Attackers:
    found: dict[str, tuple[str, ...]] = {}
    for unit in position.combat.attackers:
        found[position.at(unit)] = (*found.get(position.at(unit), ()), unit)
    return {hex: units for hex, units in found.items() if hex}


def _salvos(position: Position, side: Side) -> tuple[Salvo, Salvo]:
    """What each side brings, if nobody bombards."""
    hex, attackers = position.combat.hex, _by_hex(position)
    defenders = position.units_at(hex)
    if not (attackers and defenders):  # out of supply and disorganised: nobody is left
        nothing = say("nobody is left")
        return Salvo(side, 0, nothing), Salvo(ENEMY[side], 0, nothing)
    attack = combat.attack_strength(position, attackers)
    defence = combat.defence_strength(position, hex)
    shift = combat.first_turn_shift(position, side, hex)
    column, below = combat.column_of(position, attack, defence, shift)
    added = dict(combat.modifiers(position, hex, attackers)) | ({"below": below} if below else {})
    return (
        Salvo(
            side, attack, say("column {column}", column=position.board.odds.heading(column)),
            shifts=(Factor(FIRST_TURN, shift, "4.4"),) if shift else (),
            modifiers=tuple(Factor(MODIFIERS[name], number, RULES[name])
                            for name, number in added.items()),
            called=ATTACK,
        ),
        Salvo(ENEMY[side], defence, GROUND[position.board.ground[hex]], called=DEFENCE),
    )  # fmt: skip


def _strengths(position: Position) -> Iterator[Factor]:
    """How each hex comes to its strength."""
    for hex, units in _by_hex(position).items():
        yield Factor(
            say("from {told}", told=strength_told(position, hex, units, "attack")), 0, "10.2"
        )
    hex = position.combat.hex
    defenders = position.units_at(hex)
    if not defenders:
        return
    halves = position.terrain(hex).defence
    told = strength_told(position, hex, defenders, "defence")
    yield Factor(
        say("in {told}, times {times} for the ground: {defence}", told=told,
            times=decimal(halves / 2) if halves % 2 else halves // 2,
            defence=combat.defence_strength(position, hex)),
        0, "10.2",
    )  # fmt: skip


def strength_told(position: Position, hex: str, units: Sequence[str], which: str) -> Said:
    """The strength of the units of a hex: each with its value, what is halved, and the sum."""
    overstacked = stacking.is_overstacked(position, hex, position.side_of(units[0]))
    is_defence = which == "defence"
    total = combat.halved_sum(position, units, which, up=is_defence, overstacked=overstacked)
    each = tuple(
        say("{unit} {number} (halved)", unit=called(position, unit),
            number=getattr(position.values(unit), which))
        if position.is_halved(unit)
        else say("{unit} {number}", unit=called(position, unit),
                 number=getattr(position.values(unit), which))
        for unit in units
    )  # fmt: skip
    if overstacked:
        return say(
            "{place}: {units}, halved once more for overstacking and rounded down: {total}",
            place=place(position, hex), units=each, total=total,
        )  # fmt: skip
    told = say("{place}: {units}", place=place(position, hex), units=each)
    is_plain = len(units) == 1 and not position.is_halved(units[0])
    if is_plain:
        return told
    if not any(map(position.is_halved, units)):
        return say("{told}: {total}", told=told, total=total)
    if is_defence:
        return say("{told}: {total}, rounded up", told=told, total=total)
    return say("{told}: {total}, rounded down", told=told, total=total)


def _on_average(leaves: Sequence[Leaf]) -> Factor:
    told = say("steps lost on average: {ours} by the attackers, {theirs} by the defenders",
               ours=_mean(leaves, "ours"), theirs=_mean(leaves, "theirs"))  # fmt: skip
    return Factor(told, 0, "10.3")


def _headquarters_lost(position: Position, leaves: Sequence[Leaf]) -> Iterator[Factor]:
    """How often each headquarters goes that may go."""
    shares: dict[str, Fraction] = {}
    for leaf in leaves:
        for unit in leaf.known.gone:
            shares[unit] = shares.get(unit, Fraction()) + _weight(leaf)
    for unit, share in shares.items():
        told = say("{unit} is eliminated {share}", unit=called(position, unit),
                   share=percent(share.numerator, share.denominator))  # fmt: skip
        yield Factor(told, 0, "9.2")


def _mean(leaves: Iterable[Leaf], whose: str) -> Message:
    """The steps that a side loses on average."""
    mean = sum((_weight(leaf) * getattr(leaf.known, whose) for leaf in leaves), Fraction())
    return decimal(float(mean))


def _weight(leaf: Leaf) -> Fraction:
    return Fraction(leaf.ways, leaf.of)


def _won(leaves: Iterable[Leaf]) -> Said:
    share = sum((_weight(leaf) for leaf in leaves if leaf.known.is_won), Fraction())
    return percent(share.numerator, share.denominator)


def _traded(fight: State[Position], reading: _PlayedOut) -> Iterator[Factor]:
    """What changes if the defender would rather go than lose a step."""
    if not reading.may_trade:
        return
    other = _PlayedOut(fight.position, reading.side, trades=True)
    share = _won(played_out(fight, None, other))
    yield Factor(say("if each loss is traded for a retreat: the hex is given up {share}",
                     share=share), 0, "10.5")  # fmt: skip


def _could_bombard(fight: State[Position]) -> list[Side]:
    """The sides that could still bombard in this attack: they are going to be asked."""
    position = fight.position
    battle = position.combat
    side = position.side_of(battle.attackers[0])
    if position.holder(battle.hex) != ENEMY[side]:
        return []
    return [
        each
        for each in (side, ENEMY[side])
        if any(isinstance(stage, Supporting) and stage.side == each for stage in fight.agenda)
        and any(
            bombardment.supporters(position, battle, each, type) for type in (AIR, HEADQUARTERS)
        )
    ]


def _bombarded(fight: State[Position], side: Side) -> Iterator[Factor]:
    """What changes if one side or both bombard with all they can."""
    able = _could_bombard(fight)
    given = bombardment.points_of(fight.position, fight.position.combat.support)
    points = _points(fight.position, able)
    for case in ((side,), (ENEMY[side],), (side, ENEMY[side])):
        if not set(case) <= set(able):
            continue
        leaves = list(played_out(fight, None, _PlayedOut(fight.position, side, case)))
        ours, theirs = (points[each] if each in case else 0 for each in (side, ENEMY[side]))
        ours += given
        yield Factor(
            say("if {who} with all there is, {ours} to {theirs}: the hex is given up {share}, "
                "steps lost on average {mine} and {yours}", who=WHO[len(case) > 1, side in case],
                ours=ours, theirs=theirs, share=_won(leaves), mine=_mean(leaves, "ours"),
                yours=_mean(leaves, "theirs")),
            0, "9.4.2",
        )  # fmt: skip


def _points(position: Position, sides: Iterable[Side]) -> Mapping[Side, int]:
    """The bombardment points that sides could bring, columns too."""
    battle, found = position.combat, dict[Side, int]()
    for side in sides:
        firing = [
            unit
            for type in (AIR, HEADQUARTERS)
            for unit in bombardment.supporters(position, battle, side, type)
        ]
        columns = bombardment.usable_columns(position, side, firing).values()
        found[side] = bombardment.points_of(position, [*firing, *columns])
    return found
