"""9.6, 9.7: sharing out losses, and retreats."""

from __future__ import annotations

from functools import cache, partial
from itertools import chain

from pbem.engine.choices import listed, noted
from pbem.engine.model import AutoStage, Decision, Option, Order, Outcome, PlayerStage, Side
from pbem.engine.rules import checks
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import NOWHERE, Lose, Retreat
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import losses
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.retreat import (
    allocate,
    faults,
    is_free_choice,
    retreats_all,
    retreats_to_legal_places,
    ways_out,
)
from pbem.messages import Row, Said, marked, say, say_many
from pbem.value import value


@CITE.serves("9.7.d")
def withdraw(story: Story, unit: str, place: str) -> None:
    """The retreat of a unit, or its elimination if it can go nowhere."""
    origin = story.position.places[unit]
    if place == NOWHERE:
        story.happen(e.UnitEliminated(unit, origin, nowhere=True))
    else:
        story.happen(e.UnitRetreated(unit, origin, place))


@value
@CITE.serves("9.6.c")
class Suffer(AutoStage[Position]):
    """A side takes losses. It is asked only if it has a choice."""

    side: Side
    units: tuple[str, ...]
    """The units that may take them."""
    point: str
    points: int
    back: str = ""
    """The only area they may retreat to; empty if 9.7 decides."""
    first: tuple[str, ...] = ()
    """The units that take losses first, as far as the order says."""

    def run(self, position: Position) -> Outcome:
        if self.points <= 0 or not self.units:
            return Outcome()
        asked = Losing(self.side, self.units, self.point, self.points, self.back, self.first)
        order = asked.share(position)
        settled = bool(self.first) or losses.is_settled(position, self.units, self.points)
        retreating = tuple(order.retreat)
        if settled and not is_free_choice(position, self.side, retreating, self.back):
            return asked.resolve(position, order)
        return Outcome(then=(asked,))


@value
@CITE.serves("9.6.a", "9.6.b")
class Losing(PlayerStage[Position]):
    side: Side
    units: tuple[str, ...]
    point: str
    points: int
    back: str
    first: tuple[str, ...] = ()

    def share(self, position: Position) -> Lose:
        """A legal answer, by the order's own list of losses if it has one."""
        first = [unit for unit in self.first if unit in self.units]
        ranked = (*first, *(unit for unit in self.units if unit not in first))
        share = losses.by_list if first else losses.largest
        taken = share(position, ranked, self.point, self.points)
        return losses.as_order(position, self.side, taken, self.back)

    def ask(self, position: Position) -> Decision:
        name, first = position.unit(self.point).name, self.share(position)
        wanted = sum(losses.points_of(position, first).values())
        ways = cache(partial(self._ways, position, first))
        prompt = say_many(
            "points", "assign {points} loss point; the point unit is {name}",
            "assign {points} loss points; the point unit is {name}", points=wanted, name=name,
        )  # fmt: skip
        return Decision(
            side=self.side, stage="lose", prompt=prompt, rule="9.6.a",
            options=(Option(Lose, examples=lambda some: noted(ways(), _summed)(some)),),
            default=first,
            policy="losses",
        )  # fmt: skip

    def _ways(self, position: Position, first: Lose) -> list[Lose]:
        """The first way, and the same losses with the units taken in other sequences."""
        turned = ((*self.units[at:], *self.units[:at]) for at in range(1, min(4, len(self.units))))
        others = [
            losses.shared_out(position, self.side, units, self.point, self.points, self.back)
            for units in turned
        ]
        return [first, *(order for order in others if order != first)]

    check = checks(
        (losses.loses_of_those_hit, losses.hits_each_unit_once),
        (losses.spends_fresh_units,),
        (losses.takes_all_it_can,),
        (losses.spares_others_more_than_the_point_unit, losses.eliminates_guns_last,
         losses.retreats_as_a_loss),
    )  # fmt: skip

    def resolve(self, position: Position, order: Lose) -> Outcome:  # type: ignore[override]
        story = Story(position)
        origin = {unit: position.places[unit] for unit in self.units}
        flipped = [u for u in (*order.spend, *order.retreat) if position.is_fresh(u)]
        if flipped:
            story.happen(e.UnitsSpent(tuple(flipped)))
        for unit, place in order.retreat.items():
            withdraw(story, unit, place)
        for unit in order.eliminate:
            story.happen(e.UnitEliminated(unit, origin[unit]))
        story.settle()
        return story.outcome()


def _summed(order: Lose) -> Said:
    """What an order does to how many units."""
    shares = (
        (len(order.spend), marked("spent: {number}")),
        (len(order.retreat), marked("retreating: {number}")),
        (len(order.eliminate), marked("eliminated: {number}")),
    )
    told = tuple(say(text, number=number) for number, text in shares if number)
    return say("{shares}", shares=Row(told))


@value
@CITE.serves("9.7.a", "9.7.e")
class Retreats(AutoStage[Position]):
    """Units that failed their morale test retreat. Their side is asked only if it has a choice."""

    side: Side
    units: tuple[str, ...]

    def run(self, position: Position) -> Outcome:
        asked = Retreating(self.side, self.units)
        if not self.units:
            return Outcome()
        if is_free_choice(position, self.side, self.units, ""):
            return Outcome(then=(asked,))
        return asked.resolve(position, Retreat(allocate(position, self.side, self.units)))


@value
@CITE.serves("9.7.a")
class Retreating(PlayerStage[Position]):
    side: Side
    units: tuple[str, ...]

    def ask(self, position: Position) -> Decision:
        # reading: their owner says for each unit where it goes, one after the other.
        order = Retreat(allocate(position, self.side, self.units))
        return Decision(
            side=self.side,
            stage="retreat",
            prompt=say("choose where the units retreat"),
            rule="9.7.a",
            options=(Option(Retreat, examples=listed(cache(partial(self._ways, position)))),),
            default=order,
            policy="retreat",
        )

    def _ways(self, position: Position) -> list[Retreat]:
        """Different ways: the first places for all, in either order, and any one unit elsewhere."""
        first = allocate(position, self.side, self.units)
        ways = [first, allocate(position, self.side, self.units[::-1])]
        for unit in self.units:
            for place in chain(*ways_out(position, self.side, position.places[unit])):
                ways.append({**first, unit: place})
        legal = [to for to in ways if not any(faults(position, self.side, to))]
        return [Retreat(to) for at, to in enumerate(legal) if to not in legal[:at]]

    check = checks((retreats_all,), (retreats_to_legal_places,))

    def resolve(self, position: Position, order: Order) -> Outcome:
        assert isinstance(order, Retreat)
        story = Story(position)
        for unit, place in order.to.items():
            withdraw(story, unit, place)
        story.settle()
        return story.outcome()
