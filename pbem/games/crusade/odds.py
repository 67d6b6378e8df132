"""The chances of an attack: its own stages are carried out for each result of the dice.

The agenda of the combat is cut after the step that names the winner (11.2.9), so losses by the dice
are counted, but not retreat and advance. No rule is computed here.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod
from typing import TYPE_CHECKING, Any

from pbem.board.ledger import Ledger
from pbem.engine import kernel
from pbem.engine.model import ChanceStage, Decision, Event, Order, Side, State
from pbem.engine.odds import (
    Chances,
    Ending,
    Factor,
    Falls,
    Odds,
    Salvo,
    Waged,
    branches,
    played_out,
)
from pbem.games.crusade import events as e
from pbem.games.crusade.fire_words import FIRE_TABLES, MODIFIERS
from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules import combat_cards
from pbem.games.crusade.rules.losses import fight_of, first_duties, settled
from pbem.games.crusade.rules.ranking import ORDER, preferred
from pbem.games.crusade.stages.combat.advance import Pursuit
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.combat.defence import DefendersCards
from pbem.games.crusade.stages.combat.fire import FireDice, chosen_die, dice_count, dice_of
from pbem.games.crusade.stages.combat.late_cards import LateCards
from pbem.games.crusade.stages.combat.losses import Casualties
from pbem.games.crusade.stages.combat.retreat import FallBack
from pbem.games.crusade.stages.combat.winner import Winner
from pbem.games.crusade.stages.combat.withdrawal import Withdrawal
from pbem.games.crusade.tables import ENEMY
from pbem.late import Late
from pbem.messages import Said, either, say
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.engine.aftermath import aftermaths
    from pbem.engine.odds import Aftermath
else:
    aftermaths = Late("pbem.engine.aftermath").aftermaths
"""Only attacks in a series need it."""

RULES: Mapping[str, str] = {
    "beach_head": "11.2.6",
    "expeditionary corps": "18.4.2",
    "armor": "16.6.2/c",
    "militia": "17.5.1",
    "raw militia": "18.2.1",
    "winter": "16.5.2/b",
    "severe winter": "16.5.3",
}
"""The rule of each shift or modifier; for a row of the Terrain Effects Chart 11.2.6."""

NO_RETREAT = Factor(say("retreat and advance are not counted"), 0, "11.2.10")
UNSEEN = {
    DefendersCards: Factor(say("the defender plays no combat card"), 0, "11.2.4"),
    LateCards: Factor(say("the defender plays no combat card after the dice"), 0, "8.5.3.1"),
    Withdrawal: Factor(say("the defender does not withdraw"), 0, "18.3.1"),
}
"""The answer assumed to each question that the attack may bring."""
BETWEEN = {
    FallBack: Factor(say("beaten units retreat to the first space that a form lists"), 0, "11.4.5"),
    Pursuit: Factor(say("units advance only by order"), 0, "11.5.1"),
}
"""The same between two attacks."""
LEAST_BY_ATTACKER = Factor(say("the attacker chooses the losses that cost least"), 0, "11.3.2")
LEAST_BY_DEFENDER = Factor(say("the defender chooses the losses that cost least"), 0, "11.3.2")


class CombatOdds(Odds):
    """The capability."""

    attacks: frozenset[type[Order]] = frozenset({Attack})

    def of(self, state: State[Position], order: Order, *, briefly: bool = False) -> Chances:
        assert isinstance(order, Attack)
        begun = kernel.submit(state, order).state
        position, agenda = begun.position, begun.agenda
        cut = next(at for at, stage in enumerate(agenda) if isinstance(stage, Winner))
        combat = position.fought
        sides = (combat.attacker, combat.defender)
        reading, nothing = _CombatPlayedOut(), (None, dict.fromkeys(sides, 0))
        leaves = list(played_out(State(position, agenda[cut:]), nothing, reading))
        return Chances(
            where=position.space(combat.space).name,
            salvos=tuple(_salvo(position, side) for side in sides),
            branches=branches(
                leaves, lambda known: (known[0], tuple((side, known[1][side]) for side in sides))
            ),
            notes=() if briefly else tuple(_first_to_lose(position, combat)),
            supposed=(*reading.supposed, NO_RETREAT),
        )

    def with_more(self, state: State[Position], order: Order) -> Iterator[tuple[Said, Order]]:
        stage, position = state.agenda[-1], state.position
        assert isinstance(order, Attack) and isinstance(stage, Combats)
        for card in combat_cards.usable_cards(position, *stage.committed(position, order)):
            more = replace(order, cards=(*order.cards, card))
            if card not in order.cards and not kernel.violations(state, more):
                title = say(position.card(card).title)
                yield say("{title} ({name})", title=title, name=card), more

    def came(self, attack: Waged) -> Ending | None:
        side = attack.state.position.active
        known: Known = None, {side: 0, ENEMY[side]: 0}
        before = attack.state.position
        for event, after in attack.happenings:
            known = _added(before, event, known)
            if isinstance(event, e.CombatDecided):
                return known[0], tuple(known[1].items())
            if isinstance(event, e.AttackCalledOff):
                return None
            before = after
        return None

    def onward(
        self, state: State[Position], order: Order
    ) -> tuple[tuple[Aftermath, ...], tuple[Factor, ...]]:
        alone = State(state.position, state.agenda[-1:], state.seq)
        begun = kernel.submit(alone, order).state
        reading = _CombatToItsEnd()
        sides = (begun.position.fought.attacker, begun.position.fought.defender)
        nothing = (None, dict.fromkeys(sides, 0))
        return aftermaths(played_out(begun, nothing, reading)), tuple(reading.supposed)


ODDS = CombatOdds()


# --- every fall of the dice ---------------------------------------------------------------------


Known = tuple[Side | None, Mapping[Side, int]]
"""The winner and the steps lost, as far as the combat has come."""


class _CombatPlayedOut:
    """A combat that is being played out."""

    def __init__(self) -> None:
        self.supposed: dict[Factor, None] = {}

    def falls(self, state: State[Position], known: Known) -> Falls:
        stage = state.agenda[-1]
        assert isinstance(stage, FireDice)
        return _falls(stage, state.position)

    def answer(self, state: State[Position], asked: Decision) -> Order:
        found = _taken_for_granted(state.agenda[-1], state.position)
        self.supposed.update(dict.fromkeys(found))
        return asked.default

    def after(self, position: Position, step: kernel.Progress, known: Known) -> Known:
        return _after(position, step, known)

    def ends(self, state: State[Position], known: Known) -> list[tuple[int, Known]] | None:
        return None if state.agenda else [(1, known)]


class _CombatToItsEnd(_CombatPlayedOut):
    """A combat with retreat and advance, until the next attack is asked for."""

    def falls(self, state: State[Position], known: Known) -> Falls:
        stage = state.agenda[-1]
        if isinstance(stage, FireDice):
            return _falls(stage, state.position)
        assert isinstance(stage, ChanceStage)
        labels = [draw.label for draw in stage.chance(state.position).draws]
        dice = product(range(1, 7), repeat=len(labels))
        return ((1, dict(zip(labels, faces, strict=True))) for faces in dice)

    def answer(self, state: State[Position], asked: Decision) -> Order:
        if type(state.agenda[-1]) in BETWEEN:
            self.supposed[BETWEEN[type(state.agenda[-1])]] = None
        return super().answer(state, asked)

    def ends(self, state: State[Position], known: Known) -> list[tuple[int, Any]] | None:
        is_over = len(state.agenda) <= 1
        return [(1, (known[0], state))] if is_over else None


def _falls(stage: FireDice, position: Position) -> Falls:
    """The results of the dice that differ, each with the number of equivalent ones.

    Two results of a side are equivalent if their Loss Number is the same: nothing else of a die
    stays in the position.
    """
    by_side = []
    for side in stage.firing(position):
        labels = [draw.label for draw in dice_of(position, side)]
        by_side.append([(len(them), dict(zip(labels, them[0], strict=True)))
                        for them in _by_loss_number(position, side).values()])  # fmt: skip
    for falls in product(*by_side):
        together = {label: face for _, faces in falls for label, face in faces.items()}
        yield prod(ways for ways, _ in falls), together


def _by_loss_number(position: Position, side: Side) -> dict[int, list[tuple[int, ...]]]:
    """The faces of a side's dice by the Loss Number that they bring."""
    aimed, found = rules.aim(position, side), dict[int, list[tuple[int, ...]]]()
    for faces in product(range(1, 7), repeat=dice_count(position, position.fought, side)):
        die = chosen_die(position, position.fought, side, list(faces))
        found.setdefault(rules.loss_number(position, aimed, die), []).append(faces)
    return found


@value
class Expectation:
    """What an attack should bring: the strengths, how many of the falls win it, and the steps that
    attacker and defender lose on average.
    """

    ours: int
    theirs: int
    ways: int
    of: int
    lost: float
    taken: float


def expected(state: State[Position], order: Attack) -> Expectation | None:
    """What the chances of a legal attack come to, counted for each side by itself; None if that
    cannot be done.

    Without a card in the fight and units that retreated into it, both sides fire before either
    loses anything, and each takes its losses from its own units. So every Loss Number is looked at
    once, and none with each of the enemy's.
    """
    stage = state.agenda[-1]
    assert isinstance(stage, Combats)
    combat, _ = stage.committed(state.position, order)
    sides = (combat.attacker, combat.defender)
    position = e.CombatBegan(combat).apply(state.position)
    if combat.cards or combat.boost.spares_step or _has_retreated(position, combat):
        return None
    attack, defence = (
        {number: len(them) for number, them in _by_loss_number(position, side).items()}
        for side in sides
    )
    falls, replies = sum(attack.values()), sum(defence.values())
    won = sum(n * m for a, n in attack.items() for d, m in defence.items() if a > d)
    lost = sum(m * _steps_lost(position, replace(combat, by_defender=d), combat.attacker)
               for d, m in defence.items())  # fmt: skip
    taken = sum(n * _steps_lost(position, replace(combat, by_attacker=a), combat.defender)
                for a, n in attack.items())  # fmt: skip
    ours, theirs = (rules.aim(position, side).strength for side in sides)
    return Expectation(ours, theirs, won, falls * replies, lost / replies, taken / falls)


def _has_retreated(position: Position, combat: Combat) -> bool:
    return not position.retreated.isdisjoint(combat.defenders(position))


def _steps_lost(position: Position, combat: Combat, side: Side) -> int:
    """The steps that a side takes for its Loss Number, if it is not asked or gives the default."""
    allocation = settled(position, combat, side)
    if allocation is None:
        best = fight_of(position, combat, side).best
        allocation = preferred(position, ({ORDER: ()},), best)
    return sum(allocation.steps.values())


def _after(position: Position, step: kernel.Progress, known: Known) -> Known:
    """What a step of the combat adds to what is known about its end."""
    for event, after in zip(step.events, step.positions, strict=True):
        known = _added(position, event, known)
        position = after
    return known


def _added(position: Position, event: Event[Position], known: Known) -> Known:
    winner, lost = known[0], dict(known[1])
    match event:
        case e.UnitReduced(unit):
            lost[position.side_of(unit)] += 1
        case e.UnitEliminated(unit):
            lost[position.side_of(unit)] += position.steps_left(unit)
        case e.CombatDecided(winner=won):
            winner = Side(won) if won else None
    return winner, lost


def _taken_for_granted(stage: object, position: Position) -> Iterator[Factor]:
    """The assumption behind the default answer to a question."""
    if isinstance(stage, Casualties):
        steps = {len(each.order().steps) for each in stage.fight(position).best}
        if len(steps) > 1:
            attacks = stage.side == position.fought.attacker
            yield LEAST_BY_ATTACKER if attacks else LEAST_BY_DEFENDER
    elif type(stage) in UNSEEN:
        yield UNSEEN[type(stage)]  # type: ignore[index]


# --- reasons ------------------------------------------------------------------------------------


def _salvo(position: Position, side: Side) -> Salvo:
    aimed = rules.aim(position, side)
    heading = position.tables.fire_tables[aimed.table].heading(aimed.column)
    table = FIRE_TABLES[aimed.table]
    return Salvo(
        side=side,
        strength=aimed.strength,
        column=say("column {column} of the {table}", column=heading, table=table),
        shifts=_factors(position, aimed.shifts),
        modifiers=_factors(position, aimed.drms),
    )


def _factors(position: Position, found: Ledger) -> tuple[Factor, ...]:
    """The factors, each with its rule; a card is both name and rule of its factor."""
    return tuple(
        Factor(say(position.card(name).title), number, say("card {name}", name=name))
        if name in position.tables.cards
        else Factor(MODIFIERS.get(name, name), number, RULES.get(name, "11.2.6"))
        for name, number in found
    )


def _first_to_lose(position: Position, combat: Combat) -> Iterator[Factor]:
    for rule, bearers in first_duties(position, combat)[:1]:
        names = sorted(bearers, key=position.tables.rank.__getitem__)
        yield Factor(say("{units} takes the first loss", units=either(names)), 0, rule)
