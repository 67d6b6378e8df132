"""4: the sequence of a turn around its impulses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import combinations

from pbem.engine import staging as s
from pbem.games.madrid import events as e
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import CHITS_STAY
from pbem.games.madrid.orders import (
    NOWHERE,
    DrawChits,
    Pause,
    PlaceUnits,
    PutBack,
    Rebuild,
    Renewal,
)
from pbem.games.madrid.position import BAD_WEATHER, JUNTA, PAUSED, RADA, STRIFE, Position
from pbem.games.madrid.rules import arrivals, turn, victory
from pbem.games.madrid.rules.arrivals import ARRIVAL_CHECKS
from pbem.games.madrid.rules.chits import draws_what_it_may, most_to_draw, puts_back_its_own
from pbem.games.madrid.rules.control import Story
from pbem.games.madrid.rules.morale import morale_at_turn_end
from pbem.games.madrid.rules.replacements import REBUILD_CHECKS, homes, pairs
from pbem.games.madrid.rules.supply import supplied_units
from pbem.games.madrid.stages.cup import Cup, mixed
from pbem.games.madrid.stages.impulse import NextImpulse
from pbem.games.madrid.stages.play import rebuilt
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN, SHOCK, SIDES
from pbem.messages import say, say_many
from pbem.value import value

INITIATIVE_OF = {
    NATIONALIST: say("Nationalist initiative"),
    REPUBLICAN: say("Republican initiative"),
}

RULE_OF_OMEN = {"junta/#": "11.1.a", "weather/#": "11.2.a", "rada/#": "7.3"}


def turn_stages() -> tuple[s.Stage[Position], ...]:
    """The stages of a turn, in order (4)."""
    return (
        TurnBegins(), Pausing(), Omens(), Income(),
        *map(Drawing, SIDES), Arrivals(REPUBLICAN), Arrivals(NATIONALIST),
        Rebuilding(REPUBLICAN), Rebuilding(NATIONALIST), Initiative(),
        ControlCheck(), MoraleCheck(), VictoryCheck(),
        *map(PuttingBack, SIDES), Recovery(), NextTurn(),
    )  # fmt: skip


# ------------------------------------------------------------------- phase 1


@value
@CITE.serves("4.1", "12.3.d")
class TurnBegins(s.AutoStage[Position]):
    """The turn marker moves on. The pause has one turn fewer, and may end."""

    def run(self, position: Position) -> s.Outcome:
        story = Story(position)
        story.happen(e.TurnBegan(position.turn + 1))
        for fact in (STRIFE, turn.PAUSE_JUST_OVER):
            if fact in position.facts:
                story.happen(e.FactCleared(fact))
        if position.is_paused:
            _leave_pause(story, position.pause - 1)
        return story.outcome()


def _leave_pause(story: Story, left: int) -> None:
    story.happen(e.PauseChanged(left))
    if not left:
        story.happen(e.FactSet(turn.PAUSE_JUST_OVER))


@value
@CITE.rule("4.1")
class Pausing(s.PlayerStage[Position]):
    """Phase 1: asks the Nationalists whether to begin the pause in fighting, or to end it."""

    @property
    def side(self) -> s.Side:
        return NATIONALIST

    def ask(self, position: Position) -> s.Decision | None:
        words = turn.pause_words(position)
        if not position.has("pause") or len(words) < 2:
            return None
        return s.Decision(
            side=NATIONALIST,
            stage="pause",
            prompt=say(
                "end the pause in fighting, or leave things as they are"
                if position.is_paused
                else "begin the pause in fighting, or leave things as they are"
            ),
            rule="12.3.d",
            options=(s.Option(Pause, examples=s.listed(list(map(Pause, words)))),),
            default=Pause("keep"),
            policy="pause",
        )

    check = s.checks((turn.pauses_once,))

    def resolve(self, position: Position, order: Pause) -> s.Outcome:  # type: ignore[override]
        story = Story(position)
        if order.say == "begin":
            story.happen(e.FactSet(PAUSED))
            story.happen(e.PauseChanged(position.board.charts["pause"]["turns"]))
        elif order.say == "end":
            _leave_pause(story, 0)
        return story.outcome()


@value
@CITE.serves("11.1.a", "11.2.a", "7.3")
class Omens(s.AutoStage[Position]):
    """The dice at the start of the turn, rolled together: Junta, weather, the Rada column."""

    # reading: the Junta, then the weather, after phase 1 and before 2a.
    def run(self, position: Position) -> s.Outcome:
        draws = []
        if turn.rolls_for_junta(position):
            draws.append(s.Draw("junta/#", say("the Junta of Madrid")))
        if turn.rolls_for_weather(position):
            draws.append(s.Draw("weather/#", say("the weather")))
        needs = turn.rada_needs(position)
        if needs:
            draws.append(s.Draw("rada/#", say("the Rada column")))
        by_itself = (e.FactSet(RADA),) if needs == 0 else ()
        return s.Outcome(by_itself, then=(OmensRolled(tuple(draws)),) if draws else ())


@value
@CITE.rule("11.1.d", "3.4.1.c", "11.2.a")
class OmensRolled(s.ChanceStage[Position]):
    draws: tuple[s.Draw, ...]

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("omens", RULE_OF_OMEN[self.draws[0].label], self.draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story = Story(position)
        if "junta/#" in rolled:
            die = rolled["junta/#"].face
            roll = e.JuntaRolled(die, turn.junta_modifiers(position))
            story.happen(roll)
            if turn.junta_comes(position, roll.total):
                chart = position.board.charts["junta"]
                rises = e.morale_changed(position, chart["morale"], "junta")
                story.happen(e.FactSet(JUNTA), rises)
                story.happen(e.SupportChanged(REPUBLICAN, chart["support"], "junta"))
        if "weather/#" in rolled:
            die = rolled["weather/#"].face
            total = turn.weather_total(position, die)
            is_bad = turn.is_bad(position, total)
            story.happen(e.WeatherRolled(die, total, is_bad))
            if is_bad != (BAD_WEATHER in position.facts):
                change = e.FactSet if is_bad else e.FactCleared
                story.happen(change(BAD_WEATHER))
        if "rada/#" in rolled:
            die = rolled["rada/#"].face
            comes = die >= (turn.rada_needs(position) or 0)
            story.happen(e.RadaRolled(die, comes))
            if comes:
                story.happen(e.FactSet(RADA))
        return story.outcome()


# ------------------------------------------------------------------- phase 2


@value
@CITE.rule("4.2.a")
class Income(s.AutoStage[Position]):
    def run(self, position: Position) -> s.Outcome:
        # reading: support points have no maximum.
        points = {side: turn.income(position, side) for side in SIDES}
        return s.Outcome(
            tuple(e.SupportChanged(side, n, "income") for side, n in points.items() if n)
        )


@value
@CITE.rule("4.2.b", "6.1", "12.3.i")
class Drawing(s.PlayerStage[Position]):
    """Phase 2b: asks how many chits a side draws. The Nationalists draw none in the pause."""

    # reading: each gives the number in turn, the Nationalists first; it is no secret. Chits in hand
    # may be played in the pause if their effect is legal.
    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        most = most_to_draw(position, self.side)
        if not most or position.is_bound_by_pause(self.side):
            return None
        return s.Decision(
            side=self.side,
            stage="draw",
            prompt=say_many(
                "most",
                "draw up to {most} chit, for a point",
                "draw up to {most} chits, at a point each",
                most=most,
            ),
            rule="6.1",
            options=(s.Option(DrawChits, {"chits": s.Amount(0, most)}),),
            default=DrawChits(0),
            policy="draw",
        )

    check = s.checks((draws_what_it_may,))

    def resolve(self, position: Position, order: DrawChits) -> s.Outcome:  # type: ignore[override]
        if not order.chits:
            return s.Outcome()
        cost = order.chits * position.board.charts["costs"]["chit"]
        paid = e.SupportChanged(self.side, -cost, "chits")
        laid = (mixed(position, self.side),) if self.side in position.stirred else ()
        return s.Outcome((paid, *laid), then=(Cup(self.side, order.chits),))


@value
@CITE.rule("4.2.c")
class Arrivals(s.AutoStage[Position]):
    """Phase 2c: units arrive. Their owner is asked only if there is a choice."""

    # reading: Republicans first, then Nationalists, with the fresh side up.
    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        units = arrivals.due(position, self.side)
        if not units:
            return s.Outcome()
        asked = Arriving(self.side, units)
        if any(len(may) > 1 for may in arrivals.possible_places(position, units).values()):
            return s.Outcome(then=(asked,))
        return asked.resolve(position, asked.by_wishes(position, {}))


@value
@CITE.serves("7.1", "7.2", "1.1.9")
class Arriving(s.PlayerStage[Position]):
    side: s.Side
    units: tuple[str, ...]

    def by_wishes(self, position: Position, wishes: Mapping[str, Sequence[str]]) -> PlaceUnits:
        """The arrival of all units, each at the first of its places that is open."""
        return PlaceUnits(arrivals.arranged(position, self.units, wishes))

    def ask(self, position: Position) -> s.Decision:
        may = arrivals.possible_places(position, self.units)
        return s.Decision(
            side=self.side,
            stage="arrive",
            prompt=say("choose where units arrive"),
            rule="7.1",
            options=(
                s.Option(
                    PlaceUnits,
                    note=arrivals.places_told(position, may),
                    examples=lambda some: self._ways(position, some),
                ),
            ),
            default=self.by_wishes(position, {}),
            policy="arrive",
        )

    def _ways(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """All units to the first open place, then to the second, and so on."""
        may = arrivals.possible_places(position, self.units)
        for first in some(range(max(map(len, may.values())))):
            wishes = {unit: (places[first % len(places)],) for unit, places in may.items()}
            yield s.Example(self.by_wishes(position, wishes))

    check = s.checks(*ARRIVAL_CHECKS)

    def resolve(self, position: Position, order: PlaceUnits) -> s.Outcome:  # type: ignore[override]
        story = Story(position)
        for unit, place in order.units.items():
            if place != NOWHERE:
                story.happen(e.UnitPlaced(unit, place))
        story.settle()
        return story.outcome()


@value
@CITE.rule("4.2.d")
class Rebuilding(s.PlayerStage[Position]):
    """Phase 2d: asks which eliminated units are rebuilt."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        found = pairs(position, self.side)
        areas = homes(position, self.side) if found else ()
        if not areas:
            return None
        ways = cache(partial(self._ways, position, areas, found))
        return s.Decision(
            side=self.side,
            stage="rebuild",
            prompt=say("rebuild units, or none"),
            rule="8.2",
            options=(s.Option(Rebuild, examples=s.listed(ways)),),
            default=Rebuild(),
            optional=True,
            policy="rebuild",
        )

    def _ways(
        self, position: Position, areas: tuple[str, ...], found: tuple[tuple[str, str], ...]
    ) -> list[Rebuild]:
        """Two units, each one alone, or none."""
        alone = [Rebuild((Renewal(one, areas[0], other),)) for one, other in found]
        return [*self._two(position, areas, found), *alone, Rebuild()]

    def _two(
        self, position: Position, areas: tuple[str, ...], found: tuple[tuple[str, str], ...]
    ) -> list[Rebuild]:
        """Two line units of two pairs, if there are two."""
        line = [pair for pair in found if position.unit(pair[0]).type != SHOCK]
        for (one, other), (second, last) in combinations(line, 2):
            if not {one, other} & {second, last}:
                first = Renewal(one, areas[0], other)
                return [Rebuild((first, Renewal(second, areas[-1], last)))]
        return []

    check = s.checks(*REBUILD_CHECKS)

    def resolve(self, position: Position, order: Rebuild) -> s.Outcome:  # type: ignore[override]
        story = Story(position)
        story.happen(*rebuilt(order.units))
        story.settle()
        return story.outcome()


# ------------------------------------------------------------------- phase 3


@value
@CITE.rule("4.3.a")
class Initiative(s.AutoStage[Position]):
    """Decides who plays the first impulse, by the scenario or by two dice."""

    def run(self, position: Position) -> s.Outcome:
        side = turn.fixed_initiative(position)
        if side is None or turn.has_run(position):
            return s.Outcome(then=(InitiativeRolled(),))
        return s.Outcome((e.InitiativeTaken(side),), then=(NextImpulse(side),))


@value
@CITE.rule("9.1")
class InitiativeRolled(s.ChanceStage[Position]):
    def chance(self, position: Position) -> s.Chance:
        if turn.has_run(position):
            draws: tuple[s.Draw, ...] = (s.Draw("run/#", say("Nationalist impulses in a row")),)
        else:
            draws = tuple(s.Draw(f"initiative/#/{each}", INITIATIVE_OF[each]) for each in SIDES)
        return s.Chance("initiative", "9.1", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        dice = tuple(roll.face for roll in rolled.values())
        if turn.has_run(position):
            return s.Outcome((e.InitiativeTaken(NATIONALIST, (), dice[0]),),
                           then=(NextImpulse(NATIONALIST),))  # fmt: skip
        side = turn.winner_of(*dice)
        return s.Outcome((e.InitiativeTaken(side, dice),), then=(NextImpulse(side),))


# ------------------------------------------------------------------- phase 4


@value
@CITE.rule("4.4.a")
class ControlCheck(s.AutoStage[Position]):
    def run(self, position: Position) -> s.Outcome:
        story = Story(position)
        story.desert()
        return story.outcome()


@value
@CITE.rule("4.4.b", "3.5.2.c")
class MoraleCheck(s.AutoStage[Position]):
    def run(self, position: Position) -> s.Outcome:
        changed = e.morale_changed(position, morale_at_turn_end(position), "areas")
        return s.Outcome((changed, e.TrackCleared()))


@value
@CITE.rule("4.4.c", "12.1.a", "12.2.h", "12.3.j")
class VictoryCheck(s.AutoStage[Position]):
    """Checks for automatic victory, and for the end of the scenario after the last turn."""

    def run(self, position: Position) -> s.Outcome:
        if victory.madrid_falls(position):
            return _won(NATIONALIST, victory.MADRID_FALLS)
        if victory.roads_are_cut(position):
            return _won(NATIONALIST, victory.ROADS_ARE_CUT)
        if position.turn < position.card.last_turn:
            return s.Outcome()
        if not position.card.points:
            return _won(REPUBLICAN, victory.MADRID_HOLDS)
        has_won = sum(victory.points(position).values()) >= position.card.points["wins"]
        if has_won:
            return _won(NATIONALIST, victory.POINTS_WON)
        return _won(REPUBLICAN, victory.POINTS_LOST)


def _won(side: s.Side, reason: str) -> s.Outcome:
    return s.Outcome((e.GameEnded(side, reason),))


@value
@CITE.rule("6.9")
class PuttingBack(s.PlayerStage[Position]):
    """After the turn, asks whether a side puts unplayed chits back into the cup."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not position.hands[self.side]:
            return None
        held = position.held(self.side)
        orders = [PutBack(), PutBack(held), *(PutBack((chit,)) for chit in held)]
        return s.Decision(
            side=self.side,
            stage="put_back",
            prompt=say("put chits back into the cup, or keep them all"),
            rule="6.9",
            options=(s.Option(PutBack, examples=s.listed(orders)),),
            default=PutBack(),
            optional=True,
            policy="put_back",
        )

    check = s.checks((puts_back_its_own,))

    def resolve(self, position: Position, order: PutBack) -> s.Outcome:  # type: ignore[override]
        if not order.chits:
            return s.Outcome()
        back = tuple(position.where(self.side, chit) for chit in order.chits)
        return s.Outcome((e.ChitsReturned(self.side, back),))


@value
@CITE.rule("4.4.e", "3.3.4")
class Recovery(s.AutoStage[Position]):
    """Units in supply turn fresh, and played chits go back, except one-time chits."""

    def run(self, position: Position) -> s.Outcome:
        supplied = {unit for side in SIDES for unit in supplied_units(position, side)}
        fresh = position.board.in_order(position.spent & supplied)
        events: list[e.Event[Position]] = [e.UnitsFreshened(fresh)] if fresh else []
        return s.Outcome((*events, *_played_chits_go_back(position)))


@CITE.serves("6.4", "6.7")
def _played_chits_go_back(position: Position) -> Iterator[e.Event[Position]]:
    # reading: played chits go back into the cup when the turn is over (an option keeps them in
    # hand; until then the same kind is not played again).
    for side in SIDES:
        back = tuple(
            chit
            for chit in position.played
            if position.board.kinds[position.kind_of(chit)].side == side
            and chit not in position.removed
        )
        if back:
            stays = CHITS_STAY in position.options
            yield (e.ChitsKept if stays else e.ChitsReturned)(side, back)
    if position.played:
        yield e.PlayedForgotten()


@value
@CITE.serves("4.3.b")
class NextTurn(s.AutoStage[Position]):
    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=turn_stages())
