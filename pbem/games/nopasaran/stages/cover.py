"""2.6: the stages in which counters face down are shown and put back, and what orders show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pbem.engine import staging as s
from pbem.engine.facedown import Spot, arranged, put_back
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import NO_ENGINEER, NO_GUN, Position
from pbem.games.nopasaran.rules import air, cover, engineers, hiding, papers
from pbem.games.nopasaran.rules.cover import judged_by
from pbem.games.nopasaran.rules.naming import names_what_there_is
from pbem.games.nopasaran.tables import ENEMY, SIDES
from pbem.messages import say
from pbem.value import value

Given = TypeVar("Given", bound=s.Order)


def opened(position: Position, side: s.Side, order: Given) -> tuple[s.Unfolding[Position], Given]:
    """The beginning of what an order brings, once all that it shows is shown, and the order by the
    names that are known then.

    In a file all of it is open by now; its author tries the order first as if it were.
    """
    story, order = cover.as_shown(position, side, order)
    if getattr(order, "told", False):
        position = story.position
        due = papers.used_with(position, side, order)
        story.happen(*papers.told(position, papers.known_lines(position, due)))
    return story, order


# ------------------------------------------------------------------- showings without a choice


class OnlyShows(s.PlayerStage[Position]):
    """Counters face down are shown; there is nothing to choose."""

    side: s.Side

    def hidden(self, position: Position) -> tuple[str, ...]:
        """Those that are to be shown."""
        raise NotImplementedError

    def ask(self, position: Position) -> s.Decision | None:
        if not self.hidden(position):
            return None
        return s.Decision(
            side=self.side, stage="show", prompt=say("show counters that lie face down"),
            rule="2.6", options=(s.Option(o.Show, {}),), default=o.Show(), only_shows=True,
        )  # fmt: skip

    check = s.by_verb({o.Show: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        return s.Outcome(keep=self)


@value
@CITE.serves("2.6")
class Showing(OnlyShows):
    """All counters in a hex that is attacked are shown."""

    side: s.Side
    hex: str

    def hidden(self, position: Position) -> tuple[str, ...]:
        return position.tags_at(self.hex)


@value
@CITE.serves("2.6")
class ShowingOf(OnlyShows):
    """Certain counters are shown."""

    side: s.Side
    units: tuple[str, ...]

    def hidden(self, position: Position) -> tuple[str, ...]:
        return tuple(filter(is_tag, map(position.down.now, self.units)))


@value
@CITE.serves("2.6")
class ShowingAll(OnlyShows):
    """When the battle ends all counters are turned face up: the points count what stands where."""

    side: s.Side

    def hidden(self, position: Position) -> tuple[str, ...]:
        return position.tags_of(self.side)


# ------------------------------------------------------------------- who counts for dice


IS_MEANT = s.by_verb({
    o.SayWho: s.checks((names_what_there_is,), (cover.says_who_is_meant,)),
})  # fmt: skip


class NamingThose(s.PlayerStage[Position]):
    """The player of counters face down says which of them count for the dice that follow, and these
    are shown: the program does it, nobody chooses.
    """

    side: s.Side
    none_of: ClassVar[str]
    """What is said of a counter that does not count."""
    all: ClassVar[bool]
    """Whether all of them have to be shown, and not one alone."""

    def hexes(self, position: Position) -> tuple[str, ...]:
        """Where they lie."""
        raise NotImplementedError

    def is_meant(self, position: Position, unit: str) -> bool:
        """Whether a unit counts."""
        raise NotImplementedError

    @CITE.serves("2.6")
    def may_be_meant(self, position: Position) -> tuple[str, ...]:
        """The tags that may count."""
        # reading: who was mixed today does not count, for until the evening nobody speaks of a part
        # of those that were mixed.
        return tuple(
            tag
            for hex in self.hexes(position)
            for tag in position.tags_at(hex)
            if tag not in position.mixed
            and any(self.is_meant(position, unit) for unit in position.may_be(tag))
        )

    def ask(self, position: Position) -> s.Decision | None:
        if not self.may_be_meant(position):
            return None
        found = cover.meant_of(position, self)
        default = o.SayWho(found if self.all else found[:1])
        return s.Decision(
            side=self.side, stage="who", rule="2.6",
            prompt=say("say which counters face down count here"),
            options=(s.Option(o.SayWho, examples=s.listed([default])),), default=default,
            only_says=True,
        )  # fmt: skip

    def resolve(self, position: Position, order: o.SayWho) -> s.Outcome:  # type: ignore[override]
        shown = (ShowingOf(self.side, order.units),) if order.units else ()
        return s.Outcome((self.event(position, order.units),), then=shown)

    def event(self, position: Position, units: Collection[str]) -> e.KindSaid:
        """What is said when these are named: that they count, and that nobody else does, unless one
        of several is enough.
        """
        is_said = self.all or not units
        others = tuple(tag for tag in self.may_be_meant(position)
                       if is_said and tag not in units)  # fmt: skip
        may_be = {
            tag: tuple(piece for piece in position.may_be(tag)
                       if self.is_meant(position, piece) == (tag in units))
            for tag in (*units, *others)
        }  # fmt: skip
        return e.KindSaid(may_be, others, self.none_of)


@value
@CITE.serves("11.3")
class NamingGuns(NamingThose):
    """Before guns are answered all guns of their hex are shown."""

    # reading: guns face down in a hex that counterbattery fires at are shown before its dice; what
    # stays face down there is no gun, and an audit holds its owner to it.
    side: s.Side
    hex: str
    none_of: ClassVar[str] = NO_GUN
    all: ClassVar[bool] = True

    check = IS_MEANT

    def hexes(self, position: Position) -> tuple[str, ...]:
        return (self.hex,)

    def is_meant(self, position: Position, unit: str) -> bool:
        return position.printed(unit).is_battery


@value
@CITE.serves("20.1")
class NamingEngineers(NamingThose):
    """Before a bridge is blown engineers across it are shown, if none are in view."""

    # reading: one of them is enough, whichever their player likes, and has to be shown: the die may
    # be known by then, so an audit holds them to it.
    side: s.Side
    unit: str
    bridge: str
    none_of: ClassVar[str] = NO_ENGINEER
    all: ClassVar[bool] = False

    check = IS_MEANT

    def hexes(self, position: Position) -> tuple[str, ...]:
        far = engineers.across(position, self.unit, position.ground.bridges[self.bridge])
        there = (unit for hex in far for unit in position.units_at(hex))
        return () if any(self.is_meant(position, unit) for unit in there) else far

    def is_meant(self, position: Position, unit: str) -> bool:
        return position.printed(unit).type in engineers.ENGINEERS


# ------------------------------------------------------------------- fire at aircraft


def watching(position: Position, flights: Iterable[tuple[s.Side, Iterable[str]]]) -> s.Outcome:
    """Before aircraft are fired at, both sides may show units face down that fire; `flights` have
    whose aircraft fly, and over which hexes.
    """
    over: dict[s.Side, dict[str, None]] = {side: {} for side in SIDES}
    for side, path in flights:
        over[ENEMY[side]] |= dict.fromkeys(path)
    both_know = position.veiled(None)
    return s.Outcome(then=tuple(
        Unmasking(side, tuple(path))
        for side, path in over.items()
        if air.could_fire(both_know, side, path)
    ))  # fmt: skip


@value
@CITE.serves("7.4")
class Unmasking(s.PlayerStage[Position]):
    """A side shows units face down that fire at aircraft, or none. It is asked until the answer is
    there: the showing before it takes the reason away.
    """

    side: s.Side
    path: tuple[str, ...]

    def ask(self, position: Position) -> s.Decision:
        able = air.unseen_guns(position, self.side, self.path)
        every = [o.Unmask(), *(o.Unmask((unit,)) for unit in able), o.Unmask(able)]
        return s.Decision(
            side=self.side, stage="unmask", rule="7.4",
            prompt=say("show units face down that fire at the aircraft, or none"),
            options=(s.Option(o.Unmask, examples=s.listed(every)),),
            default=o.Unmask(), policy="antiaircraft",
        )  # fmt: skip

    check = judged_by((air.unmasks_guns,))

    def resolve(self, position: Position, order: o.Unmask) -> s.Outcome:  # type: ignore[override]
        story, _ = opened(position, self.side, order)
        return story.outcome()


# ------------------------------------------------------------------- mixing


@value
@CITE.serves("2.6")
class MixesSettle(s.ChanceStage[Position]):
    """Nothing is rolled: the beacon challenges what was mixed, so that its player learns which
    counter is which before the next morning.
    """

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("mixes", "2.6", ())

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return s.Outcome((e.MixesSettled(),))


@value
class IfMixed(s.AutoStage[Position]):
    """Where nothing was mixed nothing has to be challenged."""

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=(MixesSettle(),) if position.mixed else ())


# ------------------------------------------------------------------- new secrets


@value
@CITE.serves("2.6")
class Muster(s.ChanceStage[Position]):
    """A beacon challenges the counters that were laid again."""

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("muster", "2.6", ())

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return s.Outcome()


def _by_tags(check: s.Predicate) -> s.Predicate:
    """A check of orders in which units may go by their names, too."""

    def judged(stage: Any, position: Position, order: s.Order) -> Iterator[s.Violation]:
        return check(stage, position, cover.in_tags(position, stage.side, order))

    judged.predicates = s.predicates_of(check)  # type: ignore[attr-defined]
    return judged


@value
@CITE.serves("2.6")
class PuttingBack(s.PlayerStage[Position]):
    """The player with new secrets puts the new tags where counters lay face down."""

    side: s.Side
    tags: tuple[str, ...]
    """The new tags; the i-th lies for now where the i-th spot is."""
    spots: tuple[Spot, ...]

    def ask(self, position: Position) -> s.Decision:
        fits = arranged(self.tags, self.spots, position.face)
        default = o.PutBack({position.face(tag) or tag: hex for tag, hex in fits})
        return s.Decision(
            side=self.side, stage="put back", rule="2.6",
            prompt=say("put the counters back where they lay face down"),
            options=(s.Option(o.PutBack, examples=s.listed([default])),), default=default,
        )  # fmt: skip

    check = _by_tags(s.checks((hiding.puts_back_as_many,), (hiding.puts_back_what_can_lie_there,)))

    def resolve(self, position: Position, order: o.PutBack) -> s.Outcome:  # type: ignore[override]
        order = cover.in_tags(position, self.side, order)
        return s.Outcome((e.CountersPutBack(*put_back(self.tags, self.spots, order.units)),))
