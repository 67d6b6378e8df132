"""9.5: defensive fire at units that cross a river."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import FORCED_FIRE
from pbem.games.madrid.orders import Brace, Fire, Hold
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.rules.fire import fire_losses, fire_strength
from pbem.games.madrid.stages.chit_answers import braces, for_a_chit
from pbem.games.madrid.stages.losses import Suffer
from pbem.games.madrid.stages.rerolls import settled
from pbem.games.madrid.tables import ENEMY, NATIONALIST, REPUBLICAN
from pbem.messages import Said, say
from pbem.value import replace, value


@value
class Incoming:
    """Units that crossed the river from `back`, and the fire at them."""

    side: s.Side
    """The side of the units that cross."""
    area: str
    units: tuple[str, ...]
    point: str
    back: str
    tanks: bool = False
    alfereces: bool = False
    losses: tuple[str, ...] = ()
    """The units that take losses first, as far as their order says."""
    keeps_dice: bool = False
    """Whether their order says that no dice are rolled again."""


@value
@CITE.serves("9.5.a", "9.5.b")
class Firing(s.PlayerStage[Position]):
    """Asks player B to fire, or to hold fire."""

    incoming: Incoming

    @property
    def side(self) -> s.Side:
        return ENEMY[self.incoming.side]

    def ask(self, position: Position) -> s.Decision | None:
        # reading: player B need not fire.
        held = chits.playable(position, self.side, chits.OF_FIRE)
        fires = [Fire(), *(Fire((chit,)) for chit in held)]
        options = [s.Option(Fire, examples=s.noted(fires, partial(_with_what, position)))]
        if FORCED_FIRE in position.options:
            if not chits.may_play(position, self.side, chits.OF_FIRE):
                return None
        else:
            options.append(s.Option(Hold, note=say("hold fire")))
        strength = fire_strength(position, self.side, self.incoming.area)
        area = position.called(self.incoming.area)
        prompt = say(
            "fire with strength {strength} at units that enter {area}", strength=strength, area=area
        )
        return s.Decision(
            side=self.side, stage="fire", prompt=prompt, rule="9.5.b", options=tuple(options),
            default=Fire(),
            policy="fire",
        )  # fmt: skip

    check = s.by_verb({Fire: s.checks((chits.answers_with_chits,)), Hold: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Hold):
            return s.Outcome((e.FireHeld(self.side, self.incoming.area),))
        assert isinstance(order, Fire)
        played = tuple(e.ChitPlayed(self.side, chit) for chit in order.chits)
        return s.Outcome(
            played, then=(braced(position, replace(self.incoming, tanks=bool(played))),)
        )


def _with_what(position: Position, order: Fire) -> Said:
    for chit in order.chits:
        return say("fire, with {chit}", chit=position.title(chit))
    return say("fire, without a chit")


@CITE.serves("9.5.a")
def fired_at(position: Position, incoming: Incoming) -> s.Stage[Position]:
    """The next stage: player B is asked, or fires if there is no choice."""
    asked = Firing(incoming)
    return asked if asked.ask(position) is not None else braced(position, incoming)


@CITE.serves("15.CN12")
def braced(position: Position, incoming: Incoming) -> s.Stage[Position]:
    """The next stage: Nationalists that cross may be asked for CN12; then the dice."""
    may = chits.may_play(position, NATIONALIST, chits.OF_POINT)
    if may and chits.is_led_by_africans(position, incoming.point):
        return Bracing(incoming)
    return Volley(incoming)


@value
@CITE.serves("15.CN12")
class Bracing(s.PlayerStage[Position]):
    # reading: in defensive fire the +3 is added to the defence of the point unit.
    incoming: Incoming

    @property
    def side(self) -> s.Side:
        return self.incoming.side

    def ask(self, position: Position) -> s.Decision:
        prompt = say("play a chit before the enemy fires, or decline")
        return for_a_chit(
            position, self.side, chits.OF_POINT, braces, prompt, "15.CN12", policy="brace"
        )

    check = s.checks((chits.answers_with_chits,))

    def resolve(self, position: Position, order: Brace) -> s.Outcome:  # type: ignore[override]
        played = tuple(e.ChitPlayed(self.side, chit) for chit in order.chits)
        return s.Outcome(played, then=(Volley(replace(self.incoming, alfereces=bool(played))),))


@value
@CITE.rule("9.5.c", "9.5.e")
class Volley(s.ChanceStage[Position]):
    incoming: Incoming

    def chance(self, position: Position) -> s.Chance:
        draws = tuple(s.Draw(f"fire/#/{at}", say("defensive fire")) for at in (1, 2))
        return s.Chance("fire", "9.5.c", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        dice = (rolled["fire/#/1"].face, rolled["fire/#/2"].face)
        hit = Hit(self.incoming, dice)
        if self.incoming.side == NATIONALIST:
            return settled(position, dice, self, hit, never=self.incoming.keeps_dice)
        return s.Outcome(then=(hit,))


@value
@CITE.serves("9.5.d", "9.5.f")
class Hit(s.AutoStage[Position]):
    incoming: Incoming
    dice: tuple[int, ...]

    @property
    def side(self) -> s.Side:
        return self.incoming.side

    def strengths(self, position: Position) -> tuple[int, int]:
        """The strength of the fire, and the defence of the point unit."""
        incoming, charts = self.incoming, position.board.charts["chits"]
        firing = ENEMY[incoming.side]
        strength = fire_strength(position, firing, incoming.area)
        strength += charts["tanks"] if incoming.tanks and firing == REPUBLICAN else 0
        defence = position.face(incoming.point).defence
        return strength, defence + (charts["alfereces"] if incoming.alfereces else 0)

    def losses(self, position: Position) -> tuple[int, int]:
        """The loss points of the units that cross; the firing side has none."""
        return fire_losses(sum(self.dice), *self.strengths(position)), 0

    def run(self, position: Position) -> s.Outcome:
        incoming, firing = self.incoming, ENEMY[self.side]
        strength, defence = self.strengths(position)
        points, _ = self.losses(position)
        told = e.FireReturned(firing, incoming.area, self.dice, strength, defence, points)
        suffer = Suffer(
            incoming.side, incoming.units, incoming.point, points, incoming.back, incoming.losses
        )
        return s.Outcome((told,), then=(suffer,))
