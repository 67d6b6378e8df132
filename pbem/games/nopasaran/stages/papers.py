"""5.1, 5.2.1: the questions in which lines of sealed lists are told; there is nothing to choose."""

from __future__ import annotations

from typing import ClassVar

from pbem.engine import staging as s
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.papers import AIR, ASSIGN, of_today
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules import papers
from pbem.messages import say
from pbem.value import value


class TellingPapers(s.PlayerStage[Position]):
    """A side tells the lines of one of its lists that are due."""

    side: s.Side
    kind: ClassVar[str] = ASSIGN
    are_dice_next: ClassVar[bool] = True
    """Whether dice follow, which do not wait for what is told."""

    def due(self, position: Position) -> tuple[str, ...]:
        """The slots of these lines, as far as this view knows them."""
        raise NotImplementedError

    def ask(self, position: Position) -> s.Decision | None:
        # Not by what is told: the question may not go while its lines are told.
        slot = of_today(position, self.side, self.kind)
        if not slot:
            return None
        return s.Decision(
            side=self.side, stage="tell", rule="5.1" if self.kind == ASSIGN else "5.2.2",
            prompt=say("show the assignments that come to light") if self.kind == ASSIGN
            else say("show the missions that are flown"),
            options=(s.Option(o.TellPapers, {}),), default=o.TellPapers(), tells_items=slot,
            only_shows=self.are_dice_next,
        )  # fmt: skip

    check = s.by_verb({o.TellPapers: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        # In a file all that is due is told by now; its author tries orders as if it were.
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(*papers.told(position, papers.known_lines(position, self.due(position))))
        return story.outcome()


@value
@CITE.serves("5.2.2")
class TellingMissions(TellingPapers):
    """Both have written: reconnaissance, interdiction and close support are told."""

    side: s.Side
    kind = AIR
    are_dice_next = False

    def due(self, position: Position) -> tuple[str, ...]:
        return papers.flying_at_once(position, self.side)

    check = s.by_verb({o.TellPapers: s.checks((papers.wrote_what_flies,))})


@value
@CITE.serves("5.1")
class TellingAtDawn(TellingPapers):
    """Both have written: what holds for good is told, and what recoveries of known units need."""

    side: s.Side
    are_dice_next = False

    def due(self, position: Position) -> tuple[str, ...]:
        return papers.used_at_dawn(position, self.side)

    check = s.by_verb({o.TellPapers: s.checks((papers.wrote_what_could_be,))})


@value
@CITE.serves("5.1")
class TellingWith(TellingPapers):
    """What comes to light with an order of a side is told, where it was not told in front of it: as
    for an order that was given by sealed standing orders.
    """

    side: s.Side
    order: s.Order

    def due(self, position: Position) -> tuple[str, ...]:
        return papers.used_with(position, self.side, self.order)


@value
@CITE.serves("5.1")
class TellingWhereAttacked(TellingPapers):
    """The assignments of those who are attacked are told, and of batteries that could support
    them.
    """

    side: s.Side
    hex: str
    hexes: tuple[str, ...] = ()

    def due(self, position: Position) -> tuple[str, ...]:
        return papers.used_where_attacked(position, self.side, self.hex, self.hexes)


def tells_with(
    side: s.Side, order: o.Attack | o.Again | o.Bombard
) -> tuple[s.Stage[Position], ...]:
    """The question for what comes to light with an order that names guns; none where all of it was
    told in front.
    """
    if isinstance(order, o.Bombard):
        guns = order.guns
    else:
        guns = order.support.guns if isinstance(order.support, o.Backing) else ()
    return (TellingWith(side, order),) if guns and not order.told else ()
