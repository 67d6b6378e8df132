"""Events with operations: a look at a hand before them, a counterattack's prize after."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Bonus
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.showing import Shown
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import a_few, say
from pbem.value import value

# --- hands --------------------------------------------------------------------------------------


@value
class LookAtHand(s.AutoStage[Position]):
    """N32, R27: a whole hand is seen. Its owner is asked only if some card of it is hidden."""

    owner: s.Side

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=(Shown(self.owner, position.decks[self.owner].hand, whole=True),))


# --- the bonus of a strategic counterattack -----------------------------------------------------


@CITE.serves("8.5.5.5")
def conquests(position: Position) -> tuple[str, ...]:
    """The spaces, in map order, that attacks worth the bonus have won in this round."""
    # reading: 8.5.5.5, a conquest that a retreat has retaken in the same round wins nothing: the
    # Nationalists would win back the marker with the space.
    # reading: 8.5.5.4, a beach head that the advance removed (8.5.6.4) is no longer a space, so no
    # marker is placed and no point is won that nobody could win back (8.5.5.5).
    held = position.spaces_of(REPUBLICAN)
    return tuple(space for space in held if f"victorious/{space}" in position.turn_marks)


@CITE.refusal("8.5.5.3")
def bonus_goes_to_a_conquest(
    stage: BonusChoice, position: Position, order: Bonus
) -> Iterator[s.Violation]:
    """The bonus goes to a space that an attack of this round won and entered."""
    won = conquests(position)
    if order.space not in won:
        yield s.Violation(
            say(
                "{space} was not taken by an attack with an advance this round",
                space=position.called(order.space),
            ),
            at=("space",),
            hint=say("spaces taken: {won}", won=a_few(position.names_of(won))),
        )


@value
class Prize(s.AutoStage[Position]):
    """8.5.5.3: the bonus after all attacks. The side is asked only if there is a choice."""

    side: s.Side
    card: str

    def run(self, position: Position) -> s.Outcome:
        won = conquests(position)
        if len(won) > 1:
            return s.Outcome(then=(BonusChoice(self.side, self.card),))
        return won_bonus(position, self.card, won[0]) if won else s.Outcome()


@value
class BonusChoice(s.PlayerStage[Position]):
    """Asks which of several conquests gets the marker."""

    side: s.Side
    card: str

    def ask(self, position: Position) -> s.Decision:
        # reading: 8.5.5.4, D29, the default is the first in map order.
        won = conquests(position)
        return s.Decision(
            side=self.side,
            stage="bonus of a counterattack",
            prompt=say("choose the conquest that wins the bonus of {card}", card=self.card),
            rule="8.5.5.3",
            options=(s.Option(Bonus, {"space": s.OneOf(won)}),),
            default=Bonus(won[0]),
        )

    check = s.checks((bonus_goes_to_a_conquest,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Bonus)
        return won_bonus(position, self.card, order.space)


@CITE.rule("16.3.4")
def won_bonus(position: Position, card: str, space: str) -> s.Outcome:
    """The marker is placed, and points or morale change at once."""
    bonus = position.card(card).params["bonus"]
    score = e.ScoreChanged(bonus.get("vp", 0), bonus.get("rm", 0), "bonus", card)
    return s.Outcome((rare.BonusPlaced(space, card), score))
