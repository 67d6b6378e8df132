"""The chances of an attack, an assault or a bombardment.

The attack's own stages are carried out for every result of the dice, up to the losses they bring;
no rule is computed here. Losses are counted in loss points, as the rules do. How they are shared
out is up to the player.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
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
    LostWords,
    Odds,
    Salvo,
    Waged,
    branches,
    falls_of,
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
from pbem.messages import Said, either, marked, marked_many, say
from pbem.value import replace, value

SUPPOSED: Mapping[type[Stage[Position]], Factor] = {
    Sparing: Factor(say("no unit skips the morale test"), 0, "15.CR8"),
    Defending: Factor(say("no unit counter-attacks, and no chit is played"), 0, "9.4.1.C3"),
    Countering: Factor(say("no Combat Engineers are played"), 0, "15.CN4"),
    Firing: Factor(say("the enemy fires, without a chit"), 0, "9.5.b"),
    Bracing: Factor(say("no chit is played before the fire"), 0, "15.CN12"),
    BracingForShells: Factor(say("no chit is played before the bombardment"), 0, "15.CN12"),
    Keeping: Factor(say("of two groups in strife the anarchists act"), 0, "15.CN6"),
    Losing: Factor(say("losses by fire are assigned as a form suggests"), 0, "9.6.a"),
    Leading: Factor(say("the assault stops if its point unit is hit"), 0, "9.5.g"),
    Naming: Factor(say("the point unit is the one that defends best"), 0, "9.3.d"),
}
"""The answer assumed to each question that the order may bring."""
POINTS = LostWords(
    marked("a point"), marked("a point or more"), marked("no points"),
    marked_many("{number} point", "{number} points"),
)  # fmt: skip
OF_SHELLING, OF_COMBAT = say("modifier"), say("attack value")
"""What the strength of a side is called in a bombardment, and in an attack."""
NO_REROLL = Factor(say("no dice are rolled again"), 0, "15.CN10")


@value
class Meeting:
    """What the dice are compared with. In a bombardment `attack` is the modifier of the dice."""

    attack: int
    defence: int
    point: str
    """The point unit of the defence."""
    dice: Said
    intensity: int = 0


@value
class Known:
    """What is known of an attack so far: the loss points of the attacker, by fire and by the dice,
    and those of the enemy.
    """

    ours: int = 0
    theirs: int = 0
    succeeds: bool = False
    eliminates: bool = False
    """Whether no defender is left, however the losses are shared out."""
    fire: tuple[int, ...] = ()
    """The loss points of each defensive fire."""
    met: Meeting | None = None
    """None if the attack ended before its dice."""
    countered: tuple[int, bool] | None = None
    """The attacker's losses if every unit that can counter-attacks, and whether the attack would
    succeed. None if no unit can.
    """


class ImpulseOdds(Odds):
    """The capability."""

    attacks: frozenset[type[Order]] = frozenset({Attack, Assault, Bombard})

    def of(self, state: State[Position], order: Order, *, briefly: bool = False) -> Chances:
        assert isinstance(order, Attack | Assault | Bombard)
        begun = kernel.submit(state, order).state
        fight = State(begun.position, begun.agenda[len(state.agenda) - 1 :])
        side = begun.position.active
        area = order.target if isinstance(order, Bombard) else combat.area_of(state.position, order)
        reading = _ImpulsePlayedOut(side, area)
        leaves = list(played_out(fight, Known(), reading))
        notes = [*reading.notes, *_without_dice(leaves), _eliminated(leaves)]
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
            salvos=_salvos(begun.position, side, leaves, is_shelling=isinstance(order, Bombard)),
            branches=branches(leaves, ending),
            notes=() if briefly else tuple(notes),
            supposed=tuple(reading.supposed),
            lost=POINTS,
        )

    def with_more(self, state: State[Position], order: Order) -> Iterator[tuple[Said, Order]]:
        assert isinstance(order, Attack | Assault | Bombard)
        position = state.position
        window = chits.OF_BOMBARDMENT if isinstance(order, Bombard) else chits.OF_COMBAT
        given = chits.kinds_of(position, order.chits)
        for chit in chits.playable(position, position.active, window):
            kind, more = position.kind_of(chit), replace(order, chits=(*order.chits, chit))
            if kind not in given and not kernel.violations(state, more):
                given |= {kind}
                title = say(position.board.kinds[kind].title)
                yield say("{title} ({name})", title=title, name=chit), more

    def came(self, attack: Waged) -> Ending | None:
        position, order = attack.state.position, attack.order
        assert isinstance(order, Attack | Assault | Bombard)
        side, ours = position.active, 0
        enemy = ENEMY[side]
        for event, _ in attack.happenings:
            match event:
                case e.FireReturned(losses=points):
                    ours += points
                case e.CombatRolled(kept=two, attack=attacks, defence=defends):
                    won = combat.succeeds(sum(two), attacks, defends)
                    lost = (side, ours + event.losses), (enemy, event.enemy_losses)
                    return side if won else enemy, lost
                case e.Bombarded(losses=points) if isinstance(order, Bombard):
                    return side if points > 0 else enemy, ((side, 0), (enemy, points))
        if not attack.is_over:
            return None
        area = order.target if isinstance(order, Bombard) else combat.area_of(position, order)
        is_won = not attack.happenings[-1][1].units_at(area, enemy)
        return side if is_won else enemy, ((side, ours), (enemy, 0))


ODDS: Odds = ImpulseOdds()
NO_DICE = say("which never comes to its dice")


# --- every fall of the dice ---------------------------------------------------------------------


class _ImpulsePlayedOut:
    """An attack that is being played out."""

    def __init__(self, side: Side, area: str) -> None:
        self.side, self.area = side, area
        self.supposed: dict[Factor, None] = {}
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
        """Adds the loss points of defensive fire."""
        fire = tuple(each.losses for each in step.events if isinstance(each, e.FireReturned))
        return replace(known, ours=known.ours + sum(fire), fire=(*known.fire, *fire))

    def ends(self, state: State[Position], known: Known) -> Sequence[tuple[int, Known]] | None:
        """Ends at the dice of the combat or the bombardment, or without dice.

        There are no dice if the attack was stopped or nobody was left to attack.
        """
        position = state.position
        if not state.agenda:
            is_won = not position.units_at(self.area, ENEMY[self.side])
            return [(1, replace(known, succeeds=is_won, eliminates=is_won))]
        stage = state.agenda[-1]
        if isinstance(stage, Barrage):
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
            "the chance of passing each morale test, at {modifier}: {share}",
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
    """The results of the dice of a combat, and those with every unit that can counter-attacking."""
    fight, met = stage.fight, _meeting(position, stage.fight)
    defenders = fight.defenders(position)
    for ways, faces in _sums(stage.chance(position).draws, worst=fight.keeps_worst):
        dice = tuple(faces.values())
        ours, theirs = Struck(fight, dice).losses(position)
        found = replace(
            known, ours=known.ours + ours, theirs=theirs, succeeds=_wins(met, fight, dice), met=met,
            eliminates=nobody_stays(position, defenders, fight.enemy_point, theirs),
        )  # fmt: skip
        if others is not None:
            costs, _ = Struck(others, dice).losses(position)
            wins = _wins(_meeting(position, others), others, dice)
            found = replace(found, countered=(known.ours + costs, wins))
        yield ways, found


def _wins(met: Meeting, fight: Fight, dice: tuple[int, ...]) -> bool:
    two = combat.kept(dice, worst=fight.keeps_worst)
    return combat.succeeds(sum(two), met.attack, met.defence)


def _shelled(
    position: Position, stage: Barrage, area: str, enemy: Side
) -> Iterator[tuple[int, Known]]:
    units, point = position.units_at(area, enemy), stage.shelling.point
    met = _shelling(position, stage)
    for ways, faces in _sums(stage.chance(position).draws):
        rolled = Fallen(faces).roll(stage.chance(position).draws)
        events = stage.resolve(position, rolled).events
        points = next(each.losses for each in events if isinstance(each, e.Bombarded))
        is_empty = nobody_stays(position, units, point, points)
        yield ways, Known(0, points, points > 0, is_empty, met=met)


def _sums(draws: tuple[Draw, ...], *, worst: bool = False) -> Falls:
    """One result for each sum of the two dice that count, the best or the worst."""
    for them in combat.falls(len(draws), worst=worst).values():
        yield len(them), {draw.label: face for draw, face in zip(draws, them[0], strict=True)}


def _tests(position: Position, stage: Testing, draws: tuple[Draw, ...]) -> Falls:
    """Results of the morale tests. Of units that are alike, only the number that leave matters."""
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
    """For each number of units that leave: in how many results of the dice, and one of these."""
    stays, leaves = dice[labels[0]]
    for gone in range(len(labels) + 1):
        left = len(labels) - gone
        weight = comb(len(labels), gone) * len(leaves) ** gone * len(stays) ** left
        if weight:
            faces = leaves[:1] * gone + stays[:1] * left
            yield weight, dict(zip(labels, faces, strict=True))


# --- reasons ------------------------------------------------------------------------------------


def _shelling(position: Position, stage: Barrage) -> Meeting:
    """What each side brings to a bombardment."""
    shelling = stage.shelling
    guns = gun_modifier(position, len(shelling.guns))
    defence = combat.defence_value(position, shelling.area, shelling.point)
    dice = say("the best two of 3D6") if shelling.is_own_area else say("2D6")
    return Meeting(guns, defence, shelling.point, dice)


def _meeting(position: Position, fight: Fight) -> Meeting:
    """What each side brings to the dice of a combat."""
    dice = say("2D6")
    if fight.keeps_worst or fight.is_prepared:
        dice = say("the worst two of 3D6") if fight.keeps_worst else say("the best two of 3D6")
    return Meeting(
        combat.attack_value(position, fight), combat.defence_of(position, fight),
        fight.enemy_point, dice, combat.intensity(position, fight),
    )  # fmt: skip


def _salvos(
    position: Position, side: Side, leaves: list[Leaf], *, is_shelling: bool
) -> tuple[Salvo, Salvo]:
    """What each side brings to the dice, first as it is if nothing happens before them."""
    whole = falls_of(leaves)
    met = [(leaf.known.met, leaf.ways * (whole // leaf.of)) for leaf in leaves if leaf.known.met]
    if not met:
        return Salvo(side, 0, NO_DICE), Salvo(ENEMY[side], 0, NO_DICE)
    attacks, defences = Counter[int](), Counter[int]()
    for each, ways in met:
        attacks[each.attack] += ways
        defences[each.defence] += ways
    dice = either(dict.fromkeys(each.dice for each, _ in met))
    names = dict.fromkeys(position.unit(each.point).name for each, _ in met)
    levels = sorted({each.intensity for each, _ in met})
    told = say("{dice} at intensity {level}", dice=dice, level=either(levels))
    return (
        Salvo(side, met[0][0].attack, met[0][0].dice if is_shelling else told,
              called=OF_SHELLING if is_shelling else OF_COMBAT, spread=_spread(attacks)),
        Salvo(ENEMY[side], met[0][0].defence, say("led by {unit}", unit=either(names)),
              called=say("defence value"), spread=_spread(defences)),
    )  # fmt: skip


def _spread(strengths: Counter[int]) -> tuple[tuple[int, int], ...]:
    return tuple(strengths.items()) if len(strengths) > 1 else ()


def _without_dice(leaves: list[Leaf]) -> Iterator[Factor]:
    """How often the attack is over before its dice, if that depends on others."""
    share = _weight(leaf for leaf in leaves if leaf.known.met is None)
    if 0 < share < 1:
        told = say("it ends before its dice are rolled: {share}", share=_told(share))
        yield Factor(told, 0, "9.4.1.C7")


def _eliminated(leaves: list[Leaf]) -> Factor:
    """How often no defender can be left."""
    share = _share(leaves, lambda known: known.eliminates)
    return Factor(say("no defender is left: {share}", share=share), 0, "9.6.a")


def _countered(leaves: list[Leaf]) -> Factor:
    """The result if every unit that can counter-attacks."""

    def costs(known: Known) -> bool:
        return (known.countered or (known.ours, 0))[0] > 0

    def wins(known: Known) -> bool:
        return known.succeeds if known.countered is None else known.countered[1]

    told = say(
        "if all units that can counter-attack do: wins {wins}, loses a point or more {costs}",
        wins=_share(leaves, wins), costs=_share(leaves, costs),
    )  # fmt: skip
    return Factor(told, 0, "9.4.1.C3")


def _rolled_again(side: Side, leaves: list[Leaf]) -> Factor:
    """The effect of a re-roll on the chances.

    The attacker re-rolls fire at their units or a failed attack, whichever helps more; the defender
    re-rolls an attack that succeeds.
    """
    if side != NATIONALIST:
        share = _told(_attack_again(leaves, lambda one: one**2))
        told = say("if a success is rolled again: wins {share}", share=share)
    elif any(leaf.known.fire for leaf in leaves):
        told = say(
            "if the fire or a failed attack is rolled again, whichever helps more: wins {share}",
            share=_told(_fire_or_attack_again(leaves)),
        )
    else:
        share = _told(_attack_again(leaves, _once_again))
        told = say("if a failed attack is rolled again: wins {share}", share=share)
    return Factor(told, 0, "15.CN10")


def _once_again(one: Fraction) -> Fraction:
    return 1 - (1 - one) ** 2


def _attack_again(leaves: Iterable[Leaf], again: Callable[[Fraction], Fraction]) -> Fraction:
    """How often the attack wins if `again` maps the share of each roll to that with a re-roll."""
    found = Fraction()
    for met, them in _by(leaves, lambda known: known.met).items():
        whole, wins = _weight(them), _winning(them)
        found += whole * again(wins / whole) if met else wins
    return found


def _fire_or_attack_again(leaves: Iterable[Leaf], at: int = 0) -> Fraction:
    """The same if fire number `at`, a later one or the attack may be rolled again."""
    found = Fraction()
    fires = _by(leaves, lambda known: known.fire[at] if len(known.fire) > at else None)
    found += _attack_again(fires.pop(None, ()), _once_again)
    fired_at = [leaf for them in fires.values() for leaf in them]
    for them in fires.values():
        again = _winning(fired_at) / _weight(fired_at)
        found += max(_fire_or_attack_again(them, at + 1), _weight(them) * again)
    return found


def _by(leaves: Iterable[Leaf], what: Callable[[Known], Hashable]) -> dict[Hashable, list[Leaf]]:
    found: dict[Hashable, list[Leaf]] = {}
    for leaf in leaves:
        found.setdefault(what(leaf.known), []).append(leaf)
    return found


def _winning(leaves: Iterable[Leaf]) -> Fraction:
    return _weight(leaf for leaf in leaves if leaf.known.succeeds)


def _weight(leaves: Iterable[Leaf]) -> Fraction:
    return sum((Fraction(leaf.ways, leaf.of) for leaf in leaves), Fraction())


def _share(leaves: list[Leaf], holds: Callable[[Known], bool]) -> Said:
    return _told(_weight(leaf for leaf in leaves if holds(leaf.known)))


def _told(share: Fraction) -> Said:
    return percent(share.numerator, share.denominator)
