"""5.2: the stages in which covered counters are laid, shown and laid again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TypeVar

from pbem.engine import staging as s
from pbem.engine.facedown import Spot, arranged, put_back
from pbem.games.ctv import events as e
from pbem.games.ctv import orders as o
from pbem.games.ctv.citations import CITE
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import cover, fate, war
from pbem.games.ctv.rules.cover import judged_by
from pbem.games.ctv.tables import REPUBLICAN, SIDES
from pbem.messages import say
from pbem.value import value

Given = TypeVar("Given", bound=s.Order)


def opened(
    position: Position, stage: s.PlayerStage[Position], order: Given
) -> tuple[s.Unfolding[Position], Given]:
    """The beginning of what an order brings, once all that it shows is shown, and the order by the
    names that are known then.

    In a file all of it is open by now; its author tries the order first as if it were.
    """
    story: s.Unfolding[Position] = s.Unfolding(position)
    side: s.Side = stage.side  # type: ignore[attr-defined]
    if position.down.hidden:
        order = cover.in_tags(position, side, order)
        for tag in cover.shown_by(position, stage, order):  # type: ignore[arg-type]
            story.happen(e.CounterShown(side, tag, position.face(tag)))
        order = story.position.down.meant(order, "unit")
    return story, order


@CITE.serves("5.2")
def as_shown(state: s.State[Position], order: Given) -> tuple[s.State[Position], Given]:
    """A state once an order has shown what it shows, without all that lies covered then, and the
    order by the names that are known: what its author and everybody can reckon with.
    """
    if not state.position.down.hidden:
        return state, order
    stage = state.agenda[-1]
    assert isinstance(stage, s.PlayerStage)
    story, order = opened(state.position, stage, order)
    return s.State(story.position.without_covered(), state.agenda, state.seq), order


def narrow(story: s.Unfolding[Position], could: Mapping[str, tuple[str, ...]]) -> None:
    """What covered counters have done tells what they may be."""
    for unit, pieces in could.items():
        if pieces != story.position.may_be(unit):
            story.happen(e.CounterNarrowed(unit, pieces))


def showings(position: Position) -> tuple[s.Stage[Position], ...]:
    """The stages in which counters are shown that nobody lies on top of any more; none as a
    rule.
    """
    if not (position.in_doubt or any(cover.next_to_show(position, side) for side in SIDES)):
        return ()
    return (*map(Baring, SIDES), Settling())


# ------------------------------------------------------------------- the beginning


@value
@CITE.serves("5.2")
class Muster(s.ChanceStage[Position]):
    """Nothing is rolled: a beacon challenges both decks, so owners learn which tag is which."""

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("muster", "5.2", ())

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return s.Outcome()


# ------------------------------------------------------------------- showings without a choice


class OnlyShows(s.PlayerStage[Position]):
    """Covered counters are shown; there is nothing to choose."""

    side: s.Side

    def hidden(self, position: Position) -> tuple[str, ...]:
        """Those that are to be shown next."""
        raise NotImplementedError

    def ask(self, position: Position) -> s.Decision | None:
        if not self.hidden(position):
            return None
        return s.Decision(
            side=self.side, stage="show", prompt=say("show covered counters"), rule="5.2",
            options=(s.Option(o.Show, {}),), default=o.Show(), only_shows=True,
        )  # fmt: skip

    check = s.by_verb({o.Show: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        return s.Outcome(keep=self)


@value
@CITE.serves("5.2")
class Showing(OnlyShows):
    """All covered counters in a hex that is attacked are shown."""

    side: s.Side
    hex: str

    def hidden(self, position: Position) -> tuple[str, ...]:
        return position.covers.get(self.hex, ())


@value
@CITE.serves("5.2")
class Baring(OnlyShows):
    """Counters are shown that have come to lie alone or on top."""

    side: s.Side

    def hidden(self, position: Position) -> tuple[str, ...]:
        return cover.next_to_show(position, self.side)


@value
@CITE.serves("9.2", "5.1.1")
class Settling(s.AutoStage[Position]):
    """It is clear now who is left in hexes that others have left, or have filled."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for hex in sorted(position.in_doubt):
            story.happen(e.HexInDoubt(hex, is_settled=True))
            fate.leave(story, hex, position.control[hex])  # that of whoever is there
            fate.settle(story, hex)
        return story.outcome()


# ------------------------------------------------------------------- the Basque surrender


def _named(position: Position) -> tuple[str, ...]:
    """The covered counters of the Republican on the map, by name where this view knows it."""
    return tuple(position.face(tag) or tag for tag in position.covered_on_map(REPUBLICAN))


@value
@CITE.serves("13.2")
class BeforeSurrender(s.AutoStage[Position]):
    """The Republican is asked for a covered brigade where one that is shown could prevent the die.
    It is asked for until the answer is there: the showing before it takes the question away else.
    """

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=(Uncovering(),) if war.may_be_kept_in_the_war(position) else ())


@value
@CITE.serves("13.2")
class Uncovering(s.PlayerStage[Position]):
    """The Republican may show a covered Basque brigade that keeps the others in the war."""

    @property
    def side(self) -> s.Side:
        return REPUBLICAN

    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=REPUBLICAN, stage="surrender", rule="13.2",
            prompt=say("show a covered Basque brigade near the line, or none"),
            options=(s.Option(o.Uncover, {"units": s.SomeOf(_named(position))}),),
            default=o.Uncover(), policy="basques", optional=True,
        )  # fmt: skip

    check = judged_by((war.uncovers_its_own,))

    def resolve(self, position: Position, order: o.Uncover) -> s.Outcome:  # type: ignore[override]
        story, _ = opened(position, self, order)
        return story.outcome()


@value
@CITE.serves("13.3")
class ShowingBasques(s.PlayerStage[Position]):
    """When the Basques lay down their arms, the Republican shows those that lie covered."""

    @property
    def side(self) -> s.Side:
        return REPUBLICAN

    def ask(self, position: Position) -> s.Decision:
        seen = tuple(unit for unit in _named(position) if war.is_basque(position, unit))
        return s.Decision(
            side=REPUBLICAN, stage="surrender", rule="13.3",
            prompt=say("show the Basque brigades that lie covered"),
            options=(s.Option(o.Uncover, examples=s.listed([o.Uncover(seen)])),),
            default=o.Uncover(seen),
        )  # fmt: skip

    check = judged_by((war.uncovers_its_own, war.uncovers_all_basques))

    def resolve(self, position: Position, order: o.Uncover) -> s.Outcome:  # type: ignore[override]
        story, _ = opened(position, self, order)
        return story.outcome()


# ------------------------------------------------------------------- new secrets


@value
@CITE.serves("5.2")
class Arranging(s.PlayerStage[Position]):
    """The owner of new secrets puts the new tags where covered counters lay."""

    side: s.Side
    tags: tuple[str, ...]
    """The new tags; the i-th lies for now where the i-th spot is."""
    spots: tuple[Spot, ...]

    def ask(self, position: Position) -> s.Decision:
        default = o.Arrange(dict(self._arranged(position)))
        return s.Decision(
            side=self.side, stage="arrange", rule="5.2",
            prompt=say("put the covered counters back where they lay"),
            options=(s.Option(o.Arrange, examples=s.listed([default])),), default=default,
        )  # fmt: skip

    def _arranged(self, position: Position) -> Iterator[tuple[str, str]]:
        """An arrangement that fits what each place may hold, as far as this view knows."""
        for tag, hex in arranged(self.tags, self._in_hexes(position), position.face):
            if hex:
                yield position.face(tag) or tag, hex

    check = judged_by((cover.arranges_as_many,), (cover.arranges_what_can_lie_there,))

    def resolve(self, position: Position, order: o.Arrange) -> s.Outcome:  # type: ignore[override]
        order = cover.in_tags(position, self.side, order)
        found = put_back(self.tags, self._in_hexes(position), order.units)
        return s.Outcome((e.CountersArranged(*found),))

    def _in_hexes(self, position: Position) -> tuple[Spot, ...]:
        """The spots by their hexes; all others are in none."""
        ground = position.board.ground
        return tuple((place if place in ground else "", pieces) for place, pieces in self.spots)
