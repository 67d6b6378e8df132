"""9: impulses in turn, from the choice of an order to the end of the phase."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine import staging as s
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import (
    GROUPS,
    Again,
    Assault,
    Attack,
    Bombard,
    Keep,
    Move,
    Pass,
    Play,
)
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits, strife
from pbem.games.madrid.rules.bombardment import BOMBARD_CHECKS
from pbem.games.madrid.rules.combat import ASSAULT_CHECKS, ATTACK_CHECKS, Fight
from pbem.games.madrid.rules.movement import PATH_CHECKS
from pbem.games.madrid.rules.units import (
    UNIT_CHECKS,
    Activating,
    may_go_on,
    passes_unasked,
    phase_is_over,
    price,
    units_of,
)
from pbem.games.madrid.stages.bombard import Shelling, shelled
from pbem.games.madrid.stages.chit_answers import for_a_chit
from pbem.games.madrid.stages.combat import CombatBegins
from pbem.games.madrid.stages.march import March
from pbem.games.madrid.stages.offers import impulse_options
from pbem.games.madrid.stages.play import played
from pbem.games.madrid.tables import ENEMY, REPUBLICAN
from pbem.messages import say
from pbem.value import replace, value


def judged(rows: tuple[tuple[s.Predicate, ...], ...]) -> s.Predicate:
    """The checks of an activation, made on the position after its chits."""
    return chits.with_chits(s.checks(*UNIT_CHECKS, *rows))


OWN_DICE = (chits.keeps_dice_it_could_reroll,)
MOVE_CHECKS = judged(
    (*PATH_CHECKS, (chits.chits_go_with_it, chits.surprises_who_could_fire), OWN_DICE)
)
SHELL_CHECKS = judged((*BOMBARD_CHECKS, (chits.chits_go_with_it,)))
CHITS_OF_FIGHT = (
    chits.chits_go_with_it, chits.stampedes_outside_madrid, chits.may_still_send_engineers,
)  # fmt: skip
FIGHT_CHECKS = judged((*ATTACK_CHECKS, CHITS_OF_FIGHT, OWN_DICE))
STORM_CHECKS = judged((*PATH_CHECKS, *ASSAULT_CHECKS, CHITS_OF_FIGHT, OWN_DICE))


@value
@CITE.serves("9.0.2", "4.3.b")
class NextImpulse(s.AutoStage[Position]):
    """Begins the next impulse; none if the phase is over."""

    # reading: a player who passed may act again later. A player with no fresh unit that may act and
    # no chit in hand passes without being asked. A pass ends a run of impulses: the rest of it is
    # lost.
    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        if phase_is_over(position):
            return s.Outcome()
        began = e.ImpulseBegan(self.side)
        if passes_unasked(position, self.side):
            idle = e.Passed(self.side, has_nothing=True)
            return s.Outcome((began, idle), then=(ImpulseEnds(self.side),))
        return s.Outcome((began,), then=(Impulse(self.side), ImpulseEnds(self.side)))


@value
@CITE.rule("9.0.1", "9.0.3", "9.4", "3.1.1")
class Impulse(s.PlayerStage[Position]):
    """Asks the active player, player A, for an activation, a chit, or a pass."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=self.side,
            stage="impulse",
            prompt=say("play an impulse"),
            rule="9.0.1",
            options=impulse_options(position, self.side),
            default=Pass(),
            policy="impulse",
        )

    check = s.by_verb(
        {
            Move: MOVE_CHECKS,
            Bombard: SHELL_CHECKS,
            Attack: FIGHT_CHECKS,
            Assault: STORM_CHECKS,
            Play: s.checks(*chits.PLAY_CHECKS),
            Pass: s.checks(),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Pass):
            return s.Outcome((e.Passed(self.side),))
        acted = e.Acted(self.side)
        if isinstance(order, Play):
            done = played(position, self.side, order)
            return s.Outcome((acted, *done.events), then=done.then)
        assert isinstance(order, Move | Bombard | Attack | Assault)
        events = [acted, *(e.ChitPlayed(self.side, chit) for chit in order.chits)]
        if "CR6" in chits.kinds_of(position, order.chits):
            events.append(e.DurrutiBegan(chits.DURRUTI_FIGHTS))
        cost = price(position, order)
        if cost:
            events.append(e.SupportChanged(self.side, -cost, "activation"))
        if strife.may_fall_out(position, self.side, order):
            return s.Outcome(tuple(events), then=(Falling(self.side, order),))
        return s.Outcome(tuple(events), then=(Begun(self.side, order),))


@value
@CITE.serves("9.0.3")
class Begun(s.AutoStage[Position]):
    """An activation is carried out."""

    side: s.Side
    order: Activating

    def run(self, position: Position) -> s.Outcome:
        side, order = self.side, self.order
        kinds = chits.kinds_of(position, order.chits)
        if isinstance(order, Bombard):
            place = position.places[order.guns[0]]
            shelling = Shelling(
                side, order.target, order.guns, order.point, is_own_area=place == order.target
            )
            return s.Outcome(then=(shelled(position, shelling),))
        surprise = "CN3" in kinds
        point = order.point or order.units[0]
        keeps_dice = bool(order.reroll)
        if isinstance(order, Move):
            march = March(
                side, order.units, order.path, point, order.losses, surprise, keeps_dice=keeps_dice
            )
            return s.Outcome(then=(march,))
        area = order.path[-1] if isinstance(order, Assault) else position.places[order.units[0]]
        fight = Fight(
            side, area, order.units, point, is_prepared=order.prepared,
            is_assault=isinstance(order, Assault), tanks="CR3" in kinds, surprise=surprise,
            engineers="CN4" in kinds, asks_engineers=order.engineers,
            stampede="CN8" in kinds, losses=order.losses,
            keeps_dice=keeps_dice,
        )  # fmt: skip
        path = order.path if isinstance(order, Assault) else ()
        told = e.Attacked(side, area, order.units, point, order.prepared, path)
        then: s.Stage[Position] = CombatBegins(fight)
        if isinstance(order, Assault):
            march = March(
                side, order.units, order.path, point, order.losses, surprise, keeps_dice=keeps_dice
            )
            then = replace(march, fight=fight, if_point_hit=order.if_point_hit)
        return s.Outcome((told,), then=(then,))


@value
@CITE.serves("15.CN6")
class Falling(s.ChanceStage[Position]):
    """Rolls for strife when communists and anarchists act together."""

    side: s.Side
    order: Activating

    def chance(self, position: Position) -> s.Chance:
        return s.Chance(
            "strife", "15.CN6", (s.Draw("strife/#", say("strife within the Republic")),)
        )

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        die = rolled["strife/#"].face
        divides = die >= strife.DIVIDES
        then = Keeping(self.side, self.order) if divides else Begun(self.side, self.order)
        return s.Outcome((e.StrifeRolled(die, divides),), then=(then,))


@value
@CITE.serves("15.CN6")
class Keeping(s.PlayerStage[Position]):
    """Asks which of the two groups acts, if only one may."""

    side: s.Side
    order: Activating

    @property
    def units(self) -> tuple[str, ...]:
        return units_of(self.order)

    def ask(self, position: Position) -> s.Decision:
        orders = [Keep(group) for group in GROUPS]
        return s.Decision(
            side=self.side,
            stage="keep",
            prompt=say("choose which of the two groups acts"),
            rule="15.CN6",
            options=(s.Option(Keep, examples=s.listed(orders)),),
            default=Keep(GROUPS[0]),
            policy="strife",
        )

    check = s.checks((strife.keeps_a_group,))

    def resolve(self, position: Position, order: Keep) -> s.Outcome:  # type: ignore[override]
        left = strife.divided(position, self.order, order.group, order.point)
        return s.Outcome(then=(Begun(self.side, left),))


@value
@CITE.serves("9.0.1", "15.CR7")
class ImpulseEnds(s.AutoStage[Position]):
    """Ends an impulse; then comes a second impulse, a run, or the other player."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        counted = self.side == REPUBLICAN and (position.durruti or position.flight)
        events: tuple[e.Event[Position], ...] = (e.ImpulseCounted(),) if counted else ()
        if position.run > 0:
            return s.Outcome((*events, e.RunGoesOn()), then=(NextImpulse(self.side),))
        # reading: CR7 follows an impulse that was not a pass.
        may = self.side == REPUBLICAN and not position.passes and may_go_on(position, REPUBLICAN)
        if may and chits.may_play(position, REPUBLICAN, chits.AGAIN):
            return s.Outcome(events, then=(GoingOn(),))
        return s.Outcome(events, then=(NextImpulse(ENEMY[self.side]),))


@value
@CITE.rule("15.CR7")
class GoingOn(s.PlayerStage[Position]):
    """Asks the Republicans for the chit for a second impulse."""

    @property
    def side(self) -> s.Side:
        return REPUBLICAN

    def ask(self, position: Position) -> s.Decision:
        prompt = say("play a chit for a second impulse, or decline")
        return for_a_chit(
            position, REPUBLICAN, chits.AGAIN, Again, prompt, "15.CR7", policy="again"
        )

    check = s.checks((chits.answers_with_its_chit,))

    def resolve(self, position: Position, order: Again) -> s.Outcome:  # type: ignore[override]
        if not order.chit:
            return s.Outcome(then=(NextImpulse(ENEMY[REPUBLICAN]),))
        return s.Outcome((e.ChitPlayed(REPUBLICAN, order.chit),), then=(NextImpulse(REPUBLICAN),))
