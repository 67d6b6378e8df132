"""6: face-down chits: mixed before a draw, drawn, and shown if a chit asks for one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from pbem.engine import staging as s
from pbem.engine.tags import tag_of
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import ShowChit
from pbem.games.madrid.position import Position
from pbem.games.madrid.tables import DECKS, NATIONALIST, REPUBLICAN
from pbem.messages import say
from pbem.value import value

CHITS_OF = {NATIONALIST: say("Nationalist chits"), REPUBLICAN: say("Republican chits")}


@CITE.serves("6.1")
def mixed(position: Position, side: s.Side) -> e.CupLaid:
    """Lays the whole cup face down as the next epoch, so nobody can tell what came back to it."""
    cards = tuple(sorted(map(tag_of, position.cups[side])))
    return e.CupLaid(side, position.down.next_epoch(DECKS[side]), cards)


@value
@CITE.serves("6.1")
class Cup(s.ChanceStage[Position]):
    """A side draws chits from its cup."""

    side: s.Side
    count: int

    def chance(self, position: Position) -> s.Chance:
        of = len(position.cups[self.side])
        draw = s.Draw("chits/#", CHITS_OF[self.side], of=of, take=self.count)
        return s.Chance("chits", "6.1", (draw,))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        cup = position.cups[self.side]
        drawn = tuple(cup[at] for at in rolled["chits/#"].picked)
        return s.Outcome((e.ChitsDrawn(self.side, drawn),))


@value
@CITE.serves("6.1")
class DrawnAnew(s.ChanceStage[Position]):
    """A side whose face-down chits were laid again draws as many of them as its hand had.

    With none in hand nothing is drawn: its player learns after a beacon which chit is where.
    """

    side: s.Side
    count: int

    def chance(self, position: Position) -> s.Chance:
        draw = s.Draw("chits/#", CHITS_OF[self.side], of=len(self._pool(position)), take=self.count)
        return s.Chance("chits", "6.1", (draw,) if self.count else ())

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        if not self.count:
            return s.Outcome()
        pool = self._pool(position)
        drawn = tuple(pool[at] for at in rolled["chits/#"].picked)
        return s.Outcome((e.ChitsDrawn(self.side, drawn),))

    def _pool(self, position: Position) -> tuple[str, ...]:
        """The slots to draw from. Known chits in the cup were in no hand and are left out."""
        return tuple(each for each in position.cups[self.side] if "/" in each)


# ------------------------------------------------------------------- a chit that must be shown


@CITE.refusal("15.CN7")
def shows_what_is_sought(
    stage: Showing, position: Position, order: ShowChit
) -> Iterator[s.Violation]:
    if not position.chit_in(position.where(stage.side, stage.chit)):
        message = say("the slot that contains {chit} must be opened", chit=stage.chit)
        yield s.Violation(message, hint=say("the player with the key opens it"))


@value
@CITE.serves("15.CN7")
class Showing(s.PlayerStage[Position]):
    """The owner shows a chit, in the hand or in the cup, and it leaves the game."""

    side: s.Side
    chit: str

    def ask(self, position: Position) -> s.Decision:
        title = say(position.board.kinds[position.kind_of(self.chit)].title)
        return s.Decision(
            side=self.side,
            stage="show",
            prompt=say("show {title}, which leaves the game", title=title),
            rule="15.CN7",
            options=(s.Option(ShowChit, {}),),
            default=ShowChit(),
        )

    check = s.checks((shows_what_is_sought,))

    def resolve(self, position: Position, order: ShowChit) -> s.Outcome:  # type: ignore[override]
        return s.Outcome((e.ChitRemoved(self.side, self.chit),))
