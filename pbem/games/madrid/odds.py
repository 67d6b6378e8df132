"""The chances of an attack, an assault or a bombardment: its own stages are carried out for each
fall of the dice, up to the losses that these bring. No rule is computed here.

Losses are counted in points, as the rules do; how they are shared out is a player's affair.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import comb

from pbem.board.ledger import total
from pbem.engine import kernel
from pbem.engine.dice import Draw
from pbem.engine.model import ChanceStage, Decision, Order, Side, Stage, State
from pbem.engine.odds import (
    Chances,
    Ending,
    Factor,
    Fallen,
    Falls,
    Leaf,
    Odds,
    Salvo,
    branches,
    percent,
    played_out,
)
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import Assault, Attack, Bombard, Defend
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits, combat
from pbem.games.madrid.rules.bombardment import gun_modifier
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.rules.losses import nobody_stays
from pbem.games.madrid.rules.morale import STANDS, test_modifiers, test_result
from pbem.games.madrid.stages.bombard import Barrage, BracingForShells, Naming
from pbem.games.madrid.stages.combat import (
    Clash,
    Countering,
    Defending,
    Sparing,
    Struck,
    Testing,
)
from pbem.games.madrid.stages.fire import Bracing, Firing, Volley
from pbem.games.madrid.stages.impulse import Keeping
from pbem.games.madrid.stages.losses import Losing
from pbem.games.madrid.stages.march import Leading
from pbem.games.madrid.tables import ENEMY, NATIONALIST
from pbem.messages import Said, say
from pbem.value import replace, value

SUPPOSED: Mapping[type[Stage[Position]], Factor] = {
    Sparing: Factor(say("no unit skips the morale test"), 0, "15.CR8"),
    Defending: Factor(say("no unit counter-attacks, and no chit is played"), 0, "9.4.1.C3"),
    Countering: Factor(say("no chit is played against a Fortification"), 0, "15.CN4"),
    Firing: Factor(say("the enemy fires, without a chit"), 0, "9.5.b"),
    Bracing: Factor(say("no chit is played before the fire"), 0, "15.CN12"),
    BracingForShells: Factor(say("no chit is played before the bombardment"), 0, "15.CN12"),
    Keeping: Factor(say("of two groups in strife the anarchists act"), 0, "15.CN6"),
    Losing: Factor(say("losses by fire are shared out as a form would"), 0, "9.6.a"),
    Leading: Factor(say("the assault stops if its point unit is hit"), 0, "9.5.g"),
    Naming: Factor(say("the point unit is the one that defends best"), 0, "9.3.d"),
}
"""What is taken for the answer to a question that the order may bring."""
NO_REROLL = Factor(say("no dice are rolled again"), 0, "15.CN10")


@value
class Known:
    """What is known of an attack so far: the loss points of who attacks, by fire and by the dice,
    and those of the enemy."""

    ours: int = 0
    theirs: int = 0
    succeeds: bool = False
    eliminates: bool = False
    """Whether no defender is left, however they share out their losses."""
    values: tuple[int, ...] = ()
    """Attack value, defence value and intensity, by which the dice were judged."""
    countered: tuple[int, int] | None = None
    """What both would lose if all counter-attack who can, where anybody can."""


class ImpulseOdds:
    """The capability."""

    attacks: frozenset[type[Order]] = frozenset({Attack, Assault, Bombard})

    def of(self, state: State[Position], order: Order) -> Chances:
        assert isinstance(order, Attack | Assault | Bombard)
        begun = kernel.submit(state, order).state
        fight = State(begun.position, begun.agenda[len(state.agenda) - 1 :])
        side = begun.position.active
        area = order.target if isinstance(order, Bombard) else combat.area_of(state.position, order)
        reading = _ImpulsePlayedOut(side, area)
        leaves = list(played_out(fight, Known(), reading))
        notes = [*reading.notes, _eliminated(leaves)]
        if any(leaf.known.countered for leaf in leaves):
            notes.append(_countered(leaves))
        may_again = chits.may_play(fight.position, NATIONALIST, chits.REROLL)
        if may_again and not isinstance(order, Bombard):
            notes.append(_rolled_again(side, leaves))
            reading.supposed[NO_REROLL] = None

        def ending(known: Known) -> Ending:
            winner = side if known.succeeds else ENEMY[side]
            return winner, ((side, known.ours), (ENEMY[side], known.theirs))

        return Chances(
            where=begun.position.called(area),
            salvos=reading.salvos or (Salvo(side, 0, NO_DICE), Salvo(ENEMY[side], 0, NO_DICE)),
            branches=branches(leaves, ending),
            notes=tuple(notes),
            supposed=tuple(reading.supposed),
            loses="point",
        )


ODDS: Odds = ImpulseOdds()
NO_DICE = say("which never comes to its dice")


# --- every fall of the dice ---------------------------------------------------------------------


class _ImpulsePlayedOut:
    """An attack while it is played out."""

    def __init__(self, side: Side, area: str) -> None:
        self.side, self.area = side, area
        self.supposed: dict[Factor, None] = {}
        self.salvos: tuple[Salvo, ...] = ()
        self.notes: tuple[Factor, ...] = ()

    def falls(self, state: State[Position], known: Known) -> Falls:
        stage, position = state.agenda[-1], state.position
        assert isinstance(stage, ChanceStage)
        draws = stage.chance(position).draws
        if isinstance(stage, Testing):
            self._tells_of_tests(position, stage)
            return _tests(position, stage, draws)
        if isinstance(stage, Volley):
            return _sums(draws)
        return ((1, {draws[0].label: face}) for face in FACES)

    def answer(self, state: State[Position], asked: Decision) -> Order:
        self._supposes(state.agenda[-1])
        return asked.default

    def _supposes(self, stage: Stage[Position]) -> None:
        if type(stage) in SUPPOSED:
            self.supposed[SUPPOSED[type(stage)]] = None

    def after(self, position: Position, step: kernel.Progress, known: Known) -> Known:
        """Adds the loss points by fire."""
        points = sum(each.losses for each in step.events if isinstance(each, e.FireReturned))
        return replace(known, ours=known.ours + points)

    def ends(self, state: State[Position], known: Known) -> Sequence[tuple[int, Known]] | None:
        """The last dice are those of the combat or of the bombardment; without them the attack was
        stopped, or nobody was left to be attacked."""
        position = state.position
        if not state.agenda:
            is_won = not position.units_at(self.area, ENEMY[self.side])
            return [(1, replace(known, succeeds=is_won, eliminates=is_won))]
        stage = state.agenda[-1]
        if isinstance(stage, Barrage):
            self.salvos = self.salvos or _of_guns(position, stage)
            return list(_shelled(position, stage, self.area, ENEMY[self.side]))
        others = None
        if isinstance(stage, Defending):
            self._supposes(stage)
            may = combat.may_counterattack(position, stage.fight)
            if may:
                all_of_them = Defend(may, combat.may_lead(position, stage.fight, may)[0])
                others = _clash(position, stage, all_of_them).fight
            stage = _clash(position, stage, stage.default(position))
        if not isinstance(stage, Clash):
            return None
        self.salvos = self.salvos or _of_combat(position, stage)
        return list(_fought(position, stage, others, known))

    def _tells_of_tests(self, position: Position, stage: Testing) -> None:
        if self.notes:
            return
        modifier = total(test_modifiers(position, stage.fight.area))
        passing = sum(
            _stands(position, unit, die + modifier) for unit in stage.units for die in FACES
        )
        share = percent(passing, len(stage.units) * len(FACES))
        told = say(
            "each morale test, at {modifier}, is passed with {share}",
            modifier=f"{modifier:+d}", share=share,
        )  # fmt: skip
        self.notes = (Factor(told, 0, "3.4.2.a"),)


FACES = range(1, 7)


def _stands(position: Position, unit: str, result: int) -> bool:
    return test_result(position, unit, result) == STANDS


def _clash(position: Position, stage: Defending, order: Defend) -> Clash:
    (found,) = stage.resolve(position, order).then
    assert isinstance(found, Clash)
    return found


def _fought(
    position: Position, stage: Clash, others: Fight | None, known: Known
) -> Iterator[tuple[int, Known]]:
    """What the dice of a combat may bring, and what they would with all who can counter-attack."""
    fight = stage.fight
    values = combat.attack_value(position, fight), combat.defence_of(position, fight)
    defenders = fight.defenders(position)
    level = combat.intensity(position, fight)
    for ways, faces in _sums(stage.chance(position).draws, worst=fight.keeps_worst):
        dice = tuple(faces.values())
        ours, theirs = Struck(fight, dice).losses(position)
        countered = None
        if others is not None:
            one, other = Struck(others, dice).losses(position)
            countered = known.ours + one, other
        is_empty = nobody_stays(position, defenders, fight.enemy_point, theirs)
        yield (
            ways,
            Known(known.ours + ours, theirs, theirs > 0, is_empty, (*values, level), countered),
        )


def _shelled(
    position: Position, stage: Barrage, area: str, enemy: Side
) -> Iterator[tuple[int, Known]]:
    units, point = position.units_at(area, enemy), stage.shelling.point
    for ways, faces in _sums(stage.chance(position).draws):
        rolled = Fallen(faces).roll(stage.chance(position).draws)
        events = stage.resolve(position, rolled).events
        points = next(each.losses for each in events if isinstance(each, e.Bombarded))
        is_empty = nobody_stays(position, units, point, points)
        yield ways, Known(0, points, points > 0, is_empty)


def _sums(draws: tuple[Draw, ...], *, worst: bool = False) -> Falls:
    """Of dice of which the two best or worst count one fall for each sum."""
    for them in combat.falls(len(draws), worst=worst).values():
        yield len(them), {draw.label: face for draw, face in zip(draws, them[0], strict=True)}


def _tests(position: Position, stage: Testing, draws: tuple[Draw, ...]) -> Falls:
    """Of units that are alike only how many leave makes a difference, not which, nor how."""
    modifier = total(test_modifiers(position, stage.fight.area))
    groups: dict[object, list[str]] = {}
    by_unit: dict[str, tuple[list[int], list[int]]] = {}
    for unit, draw in zip(stage.units, draws, strict=True):
        stays = [die for die in FACES if _stands(position, unit, die + modifier)]
        leaves = [die for die in FACES if die not in stays]
        by_unit[draw.label] = stays, leaves
        printed, face = position.unit(unit), position.face(unit)
        alike = (position.type_of(unit), printed.type, position.is_fresh(unit), face, len(stays))
        groups.setdefault(alike, []).append(draw.label)
    ways = [list(_leaving(labels, by_unit)) for labels in groups.values()]
    for each in product(*ways):
        weight, faces = 1, dict[str, int]()
        for count, some in each:
            weight *= count
            faces |= some
        yield weight, faces


def _leaving(labels: list[str], dice: Mapping[str, tuple[list[int], list[int]]]) -> Falls:
    """For each number of units that leave: in how many falls, and one of them."""
    stays, leaves = dice[labels[0]]
    for gone in range(len(labels) + 1):
        left = len(labels) - gone
        weight = comb(len(labels), gone) * len(leaves) ** gone * len(stays) ** left
        if weight:
            faces = dict.fromkeys(labels[:gone], leaves[0])
            yield weight, faces | dict.fromkeys(labels[gone:], stays[0])


# --- reasons ------------------------------------------------------------------------------------


def _of_guns(position: Position, stage: Barrage) -> tuple[Salvo, ...]:
    """What each side brings to a bombardment."""
    shelling = stage.shelling
    guns = gun_modifier(position, len(shelling.guns))
    defence = combat.defence_value(
        position, shelling.area, shelling.point, alfereces=shelling.alfereces
    )
    dice = say("the best two of 3D6") if shelling.is_own_area else say("2D6")
    return (
        Salvo(shelling.side, guns, dice, called="modifier"),
        Salvo(shelling.enemy, defence, _led(position, shelling.point), called="defence value"),
    )


def _of_combat(position: Position, stage: Clash) -> tuple[Salvo, ...]:
    """What each side brings to the first dice that may fall."""
    fight = stage.fight
    attack, defence = combat.attack_value(position, fight), combat.defence_of(position, fight)
    dice = say("2D6")
    if fight.keeps_worst or fight.is_prepared:
        dice = say("the worst two of 3D6") if fight.keeps_worst else say("the best two of 3D6")
    level = combat.intensity(position, fight)
    told = say("{dice} at intensity {level}", dice=dice, level=level)
    return (
        Salvo(fight.side, attack, told, called="attack value"),
        Salvo(fight.enemy, defence, _led(position, fight.enemy_point), called="defence value"),
    )


def _led(position: Position, point: str) -> Said:
    return say("led by {unit}", unit=position.unit(point).name)


def _eliminated(leaves: list[Leaf]) -> Factor:
    """How often nobody can be left."""
    share = _share(leaves, lambda known: known.eliminates)
    return Factor(say("no defender is left: {share}", share=share), 0, "9.6.a")


def _countered(leaves: list[Leaf]) -> Factor:
    """What comes of it if all counter-attack who can."""

    def costs(known: Known) -> bool:
        return (known.countered or (known.ours, 0))[0] > 0

    def wins(known: Known) -> bool:
        return known.succeeds if known.countered is None else known.countered[1] > 0

    told = say(
        "if all units that can counter-attack: wins {wins}, loses a point or more {costs}",
        wins=_share(leaves, wins), costs=_share(leaves, costs),
    )  # fmt: skip
    return Factor(told, 0, "9.4.1.C3")


def _rolled_again(side: Side, leaves: list[Leaf]) -> Factor:
    """What a re-roll makes of it: of failed attacks of their own, of successes of the enemy's."""
    rolls: dict[tuple[int, ...], list[Leaf]] = {}
    for leaf in leaves:
        rolls.setdefault(leaf.known.values, []).append(leaf)
    share = Fraction()
    for values, them in rolls.items():
        whole = _weight(them)
        one = _weight(leaf for leaf in them if leaf.known.succeeds) / whole
        again = one if not values else 1 - (1 - one) ** 2 if side == NATIONALIST else one**2
        share += whole * again
    told = (
        say("if a failed attack is rolled again: wins {share}", share=_told(share))
        if side == NATIONALIST
        else say("if a success is rolled again: wins {share}", share=_told(share))
    )
    return Factor(told, 0, "15.CN10")


def _weight(leaves: Iterable[Leaf]) -> Fraction:
    return sum((Fraction(leaf.ways, leaf.of) for leaf in leaves), Fraction())


def _share(leaves: list[Leaf], holds: Callable[[Known], bool]) -> str:
    return _told(_weight(leaf for leaf in leaves if holds(leaf.known)))


def _told(share: Fraction) -> str:
    return percent(share.numerator, share.denominator)
