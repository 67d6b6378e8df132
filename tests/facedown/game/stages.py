"""The sequence: set-up, then turns in which both write ambushes and each marches and fights."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from pbem.games.fog import events as e
from pbem.games.fog import orders as o
from pbem.games.fog import rules
from pbem.games.fog.citations import CITE
from pbem.games.fog.position import AMBUSHES, ENEMY, LISTS, NORTH, SIDES, SOUTH, Position

from pbem.engine.choices import OneOf, listed
from pbem.engine.dice import Draw, Roll
from pbem.engine.facedown import Spot, arranged, put_back
from pbem.engine.model import (
    AutoStage,
    Chance,
    ChanceStage,
    Decision,
    ListWanted,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Stage,
    Unfolding,
)
from pbem.engine.rules import by_verb, checks
from pbem.engine.tags import is_tag
from pbem.messages import say
from pbem.value import value


def opening(is_open: bool) -> tuple[Stage[Position], ...]:
    """The agenda of a new game, the next stage last."""
    muster: tuple[Stage[Position], ...] = () if is_open else (Muster(),)
    return (NextTurn(), Placing(SOUTH), Placing(NORTH), *muster)


def turn() -> tuple[Stage[Position], ...]:
    """The agenda of a turn, the next stage last."""
    phases = tuple(stage for side in reversed(SIDES) for stage in reversed(phase(side)))
    return (NextTurn(), *phases, *map(Ambushing, reversed(SIDES)))


def phase(side: Side) -> tuple[Stage[Position], ...]:
    """The stages of a side's phase, in order."""
    return (
        Begins(side, "march"), Marching(side), Springing(ENEMY[side]), Ambushes(ENEMY[side]),
        Begins(side, "fight"), Fighting(side), Fog(side),
    )  # fmt: skip


# ------------------------------------------------------------------- before the battle


@value
@CITE.serves("1.4")
class Muster(ChanceStage[Position]):
    """Nothing is rolled: a beacon challenges both decks, so owners learn which tag is which."""

    def chance(self, position: Position) -> Chance:
        return Chance("muster", "1.4", ())

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        return Outcome()


@value
@CITE.serves("2.3")
class Placing(PlayerStage[Position]):
    side: Side

    def ask(self, position: Position) -> Decision:
        default = o.SetUp(_first_places(position, self.side))
        return Decision(
            side=self.side, stage="set-up", prompt=say("set up the counters"), rule="2.3",
            options=(Option(o.SetUp, examples=listed([default])),), default=default,
        )  # fmt: skip

    check = rules.PLACE_CHECKS

    def resolve(self, position: Position, order: o.SetUp) -> Outcome:  # type: ignore[override]
        story: Unfolding[Position] = Unfolding(position)
        for unit, hex in order.units.items():
            story.happen(e.CounterPlaced(unit, hex))
        story.happen(*map(e.ZoneSaid, order.zones))
        return story.outcome()


def _first_places(position: Position, side: Side) -> dict[str, str]:
    """A set-up that is legal whatever the tags are: every counter may be at the edge."""
    _, edge = position.board.edge(side)
    board = position.board
    army = [unit for unit in board.army(side) if unit not in board.reserves]
    names = [
        name
        for name in position.waiting[side]
        if not board.reserves.issuperset(position.could_be(name))
    ]
    return dict(zip(names[: len(army)], edge, strict=False))


@value
@CITE.rule("3.1")
class NextTurn(AutoStage[Position]):
    def run(self, position: Position) -> Outcome:
        if position.turn < position.board.turns:
            return Outcome((e.TurnBegan(position.turn + 1),), then=tuple(reversed(turn())))
        return Outcome((_at_the_end(position),))


@CITE.rule("8.1")
def _at_the_end(position: Position) -> e.GameEnded:
    """Who holds more of the objectives wins."""
    held = [position.holder(hex) for hex in position.board.objectives]
    north, south = held.count(NORTH), held.count(SOUTH)
    winner = "draw" if north == south else NORTH if north > south else SOUTH
    return e.GameEnded(winner, "the last turn is over")


# ------------------------------------------------------------------- ambushes


@value
@CITE.serves("4.1")
class Ambushing(PlayerStage[Position]):
    """A side writes its ambushes on paper."""

    side: Side

    def ask(self, position: Position) -> Decision:
        hexes = list(position.board.hexes)
        some = [o.Ambush((one,)) for one in hexes] + [o.Ambush((hexes[0], hexes[-1]))]
        return Decision(
            side=self.side, stage="ambushes", prompt=say("write down ambushes"), rule="4.1",
            options=(Option(o.Ambush, examples=listed([o.Ambush(), *some])),), default=o.Ambush(),
            secret=True, list=ListWanted(LISTS[self.side], AMBUSHES),
        )  # fmt: skip

    check = rules.AMBUSH_CHECKS

    def resolve(self, position: Position, order: o.Ambush) -> Outcome:  # type: ignore[override]
        items = tuple(json.dumps(item) for item in items_of(order))
        return Outcome((e.ListWritten(self.side, position.turn, items),))

    def sealed(self, position: Position, entry: int) -> Outcome:
        return Outcome((e.ListWritten(self.side, entry),))


def items_of(order: o.Ambush) -> tuple[str | None, ...]:
    """The lines of a list."""
    return (*order.at, *(None,) * (AMBUSHES - len(order.at)))


@value
@CITE.serves("4.2")
class Springing(PlayerStage[Position]):
    """A side tells the ambushes into which the enemy has marched."""

    side: Side

    def ask(self, position: Position) -> Decision | None:
        # Not by what is told: the question may not go while its lines are told.
        if position.spent.issuperset(position.slots_of_list(self.side)):
            return None
        return Decision(
            side=self.side, stage="ambushes", rule="4.2",
            prompt=say("tell the ambushes that are sprung"),
            options=(Option(o.Spring, {}),), default=o.Spring(),
            tells_items=position.lists[self.side],
        )  # fmt: skip

    check = by_verb({o.Spring: checks()})

    def resolve(self, position: Position, order: Order) -> Outcome:
        return Outcome()


@value
@CITE.serves("4.2")
class Ambushes(ChanceStage[Position]):
    side: Side

    def chance(self, position: Position) -> Chance:
        draws = tuple(
            Draw(f"ambush/#/{at}", say("ambush in {hex}", hex=hex))
            for at, hex in enumerate(rules.sprung(position, self.side), 1)
        )
        return Chance("ambush", "4.2", draws)

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        story: Unfolding[Position] = Unfolding(position)
        for at, hex in enumerate(rules.sprung(position, self.side), 1):
            die = rolled[f"ambush/#/{at}"].face
            story.happen(e.AmbushSprung(hex, die, die >= position.board.ambush))
        return story.outcome()


# ------------------------------------------------------------------- marches


@value
@CITE.serves("3.1")
class Begins(AutoStage[Position]):
    side: Side
    step: str

    def run(self, position: Position) -> Outcome:
        return Outcome((e.PhaseBegan(self.side, self.step),))


@value
@CITE.serves("3.2", "5.1", "1.3")
class Marching(PlayerStage[Position]):
    side: Side

    def ask(self, position: Position) -> Decision:
        return Decision(
            side=self.side, stage="march", rule="3.2",
            prompt=say("march, bring in reserves, blow up a bridge, mix, or halt"),
            options=tuple(self._options(position)), default=o.Halt(),
        )  # fmt: skip

    def _options(self, position: Position) -> Iterator[Option]:
        free = [
            unit
            for unit in position.units_of(self.side)
            if unit not in position.moved | position.shaken | position.mixed
        ]
        marches = [o.March(unit, way) for unit in free for way in rules.marches_of(position, unit)]
        if marches:
            yield Option(o.March, examples=listed(marches))
        if position.turn > 1 and position.waiting[self.side]:
            yield Option(
                o.Arrive,
                {
                    "unit": OneOf(position.waiting[self.side]),
                    "at": OneOf(position.board.edge(self.side)[1]),
                },
            )
        works = [
            o.Blow(unit, over)
            for unit in free
            for over in rules.bridges_at(position, position.places[unit])
        ]
        if works:
            yield Option(o.Blow, examples=listed(works))
        stacks = [
            hex
            for hex in position.stacks
            if not rules.why_not_mixed(position, self.side, hex) and not position.is_open
        ]
        if stacks and not position.mixed:
            yield Option(o.Mix, examples=listed([o.Mix((hex,)) for hex in stacks]))
        yield Option(o.Halt, examples=listed([o.Halt()]))

    check = by_verb(
        {
            o.March: rules.MARCH_CHECKS,
            o.Arrive: rules.ARRIVE_CHECKS,
            o.Blow: rules.BLOW_CHECKS,
            o.Mix: rules.MIX_CHECKS,
            o.Halt: rules.HALT_CHECKS,
        }
    )

    def resolve(self, position: Position, order: Order) -> Outcome:
        match order:
            case o.March(unit=unit, path=path):
                way = (position.places[unit], *path)
                cost = rules.march_cost(position, self.side, way)
                assert cost is not None
                return Outcome((e.CounterMarched(unit, way[0], path, "march", cost),), keep=self)
            case o.Arrive(unit=unit, at=at):
                return Outcome((e.CounterPlaced(unit, at, arrives=True),), keep=self)
            case o.Blow(unit=unit, over=over):
                return Outcome((e.BridgeBlown(unit, (position.places[unit], over)),), keep=self)
            case o.Mix(at=hexes):
                groups = tuple(position.at(hex) for hex in hexes)
                return Outcome((e.CountersMixed(self.side, groups),), keep=self)
            case o.Halt(zones=zones):
                return Outcome(tuple(map(e.ZoneSaid, zones)))
        raise AssertionError(order)


# ------------------------------------------------------------------- fighting


@value
@CITE.serves("6.1", "6.5")
class Fighting(PlayerStage[Position]):
    side: Side

    def ask(self, position: Position) -> Decision | None:
        options = tuple(self._options(position))
        if not options:
            return None
        return Decision(
            side=self.side, stage="fight", prompt=say("attack, fire, or end the phase"),
            rule="6.1", options=(*options, Option(o.Done, {})), default=o.Done(), optional=True,
        )  # fmt: skip

    def _options(self, position: Position) -> Iterator[Option]:
        attacks = [
            o.Attack(hex, units)
            for hex in rules.targets_of(position, self.side)
            for able in [rules.able_against(position, self.side, hex)]
            for units in dict.fromkeys((able, able[:1]))
        ]
        if attacks:
            yield Option(o.Attack, examples=listed(attacks))
        shots = [
            o.Fire(unit, hex)
            for unit in rules.may_be_guns(position, self.side)
            for hex in rules.seen_from(position, self.side, position.places[unit])
        ]
        if shots:  # the same question in every view: only the examples are what one view knows
            known = [shot for shot in shots if rules.is_a_gun(position, shot.unit)]
            yield Option(o.Fire, examples=listed(known or shots))

    check = by_verb(
        {
            o.Attack: rules.ATTACK_CHECKS,
            o.Fire: rules.FIRE_CHECKS,
            o.Done: checks(),
        }
    )

    def resolve(self, position: Position, order: Order) -> Outcome:
        match order:
            case o.Attack(hex=hex, units=units, advance=advance):
                began = e.AttackBegan(hex, units, advance)
                enemy = ENEMY[self.side]
                then = (Showing(enemy, hex), Attacked(enemy, hex), Clash(self.side))
                return Outcome((began,), keep=self, then=then)
            case o.Fire(unit=unit, at=at):
                return Outcome(keep=self, then=(Counting(ENEMY[self.side], at), Shot(unit, at)))
        return Outcome()


@value
@CITE.serves("1.4")
class Showing(PlayerStage[Position]):
    """The counters that are attacked are shown; there is nothing to choose."""

    side: Side
    hex: str

    def hidden(self, position: Position) -> tuple[str, ...]:
        """Those that are not shown yet."""
        return tuple(name for name in position.at(self.hex) if is_tag(name))

    def ask(self, position: Position) -> Decision | None:
        if not self.hidden(position):
            return None
        return Decision(
            side=self.side, stage="show", prompt=say("show the counters that are attacked"),
            rule="1.4", options=(Option(o.Show, {}),), default=o.Show(), only_shows=True,
        )  # fmt: skip

    check = by_verb({o.Show: checks()})

    def resolve(self, position: Position, order: Order) -> Outcome:
        return Outcome(keep=self)


@value
@CITE.serves("4.3")
class Attacked(PlayerStage[Position]):
    """A side tells whether it lies in wait where it is attacked; the die does not wait for that."""

    side: Side
    hex: str

    def ask(self, position: Position) -> Decision | None:
        if self.side not in position.lists:
            return None
        return Decision(
            side=self.side, stage="attacked", rule="4.3",
            prompt=say("tell the ambushes where the attack comes"),
            options=(Option(o.Spring, {}),), default=o.Spring(),
            tells_items=position.lists[self.side], only_shows=True,
        )  # fmt: skip

    check = by_verb({o.Spring: checks()})

    def resolve(self, position: Position, order: Order) -> Outcome:
        return Outcome()


@value
@CITE.serves("6.6")
class Counting(PlayerStage[Position]):
    """The owner of hidden counters says which class of points a stack has at which a gun fires."""

    side: Side
    hex: str

    def ask(self, position: Position) -> Decision | None:
        is_said = position.down.said(f"points {self.hex}") is not None
        if is_said or not any(map(is_tag, position.at(self.hex))):
            return None
        # The worst comes first, for a view that does not know which it is.
        classes = rules.could_have(position, self.hex)
        default = o.Count(max(classes))
        return Decision(
            side=self.side, stage="count", prompt=say("say how many points are in {hex}",
                                                        hex=self.hex),
            rule="6.6", options=(Option(o.Count, examples=listed([default])),), default=default,
            only_says=True,
        )  # fmt: skip

    check = by_verb({o.Count: rules.COUNT_CHECKS})

    def resolve(self, position: Position, order: o.Count) -> Outcome:  # type: ignore[override]
        return Outcome((e.PointsSaid(self.hex, order.points),))


@value
@CITE.serves("6.5")
class Shot(ChanceStage[Position]):
    unit: str
    hex: str

    def chance(self, position: Position) -> Chance:
        purpose = say("fire at {hex}", hex=self.hex)
        return Chance("fire", "6.5", (Draw("fire/#", purpose),))

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        die = rolled["fire/#"].face
        unit, least = position.down.present(self.unit), rules.die_to_hit(position, self.hex)
        return Outcome((e.GunFired(unit, self.hex, die, die >= least),))


@value
@CITE.serves("6.2", "6.4")
class Clash(ChanceStage[Position]):
    side: Side

    def chance(self, position: Position) -> Chance:
        assert position.battle is not None
        purpose = say("attack on {hex}", hex=position.battle[0])
        return Chance("attack", "6.2", (Draw("attack/#", purpose),))

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        assert position.battle is not None
        hex, units, _ = position.battle
        attack, defence = rules.strengths(position, hex, units)
        odds, die = position.board.odds, rolled["attack/#"].face
        column = odds.column(attack, defence)
        result = odds.at(column, die)
        story: Unfolding[Position] = Unfolding(position)
        story.happen(e.AttackRolled(hex, attack, defence, odds.heading(column), die, result))
        if result == "A":
            story.happen(rules.losses(story.position, units, "attack"))
        if result == "D":
            story.happen(rules.losses(story.position, story.position.at(hex), "defence"))
        then: tuple[Stage[Position], ...] = (Advancing(self.side, result == "R"),)
        if result == "R":
            then = (Retreating(ENEMY[self.side], hex), *then)
        return story.outcome(then=then)


@value
@CITE.serves("6.3")
class Retreating(PlayerStage[Position]):
    """The defender retreats; where no way is open, all are lost (in the advance)."""

    side: Side
    hex: str

    def ask(self, position: Position) -> Decision | None:
        if position.holder(self.hex) != self.side:
            return None
        open_ways = rules.retreats(position, self.hex)
        if not open_ways:
            return None
        orders = [o.Retreat(way) for way in open_ways]
        return Decision(
            side=self.side, stage="retreat", prompt=say("retreat from {hex}", hex=self.hex),
            rule="6.3", options=(Option(o.Retreat, examples=listed(orders)),), default=orders[0],
            policy="retreat",
        )  # fmt: skip

    check = rules.RETREAT_CHECKS

    def resolve(self, position: Position, order: o.Retreat) -> Outcome:  # type: ignore[override]
        units = position.at(self.hex)
        return Outcome(
            tuple(e.CounterMarched(unit, self.hex, order.path, "retreat") for unit in units)
        )


@value
@CITE.rule("6.4", "8.2")
class Advancing(AutoStage[Position]):
    """Who could not retreat is lost; attackers advance into an empty hex; a side may be beaten."""

    side: Side
    is_driven_off: bool = False
    """Whether the defender had to retreat."""

    def run(self, position: Position) -> Outcome:
        assert position.battle is not None
        hex, units, advances = position.battle
        story: Unfolding[Position] = Unfolding(position)
        # A defender is still there after an R only where no way was open.
        if self.is_driven_off:
            for name in position.at(hex):
                story.happen(e.CounterLost(name, hex, "no way out"))
        if advances and not story.position.at(hex):
            for unit in units:
                start = story.position.places.get(unit)
                if start is not None:
                    story.happen(e.CounterMarched(unit, start, (hex,), "advance"))
        story.happen(e.AttackEnded())
        for side in SIDES:
            if not story.position.units_of(side) and not story.position.waiting[side]:
                story.happen(e.GameEnded(ENEMY[side], "nobody is left to fight on"))
                break
        return story.outcome()


@value
@CITE.serves("3.1")
class Fog(ChanceStage[Position]):
    """The fog between two phases: whoever mixed counters learns behind it which is which."""

    side: Side

    def chance(self, position: Position) -> Chance:
        return Chance("fog", "3.1", (Draw("fog/#", say("the fog")),))

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        return Outcome(
            (e.FogRolled(rolled["fog/#"].face), e.MixesSettled(), e.Recovered(self.side))
        )


# ------------------------------------------------------------------- new secrets


@value
@CITE.serves("1.4")
class Mustered(ChanceStage[Position]):
    """A beacon challenges the new deck."""

    def chance(self, position: Position) -> Chance:
        return Chance("muster", "1.4", ())

    def resolve(self, position: Position, rolled: Mapping[str, Roll]) -> Outcome:
        return Outcome()


@value
@CITE.serves("1.4")
class Arranging(PlayerStage[Position]):
    """The owner of new secrets puts the new tags where hidden counters stood."""

    side: Side
    tags: tuple[str, ...]
    """The new tags; the i-th stands for now where the i-th spot is."""
    spots: tuple[Spot, ...]

    def ask(self, position: Position) -> Decision:
        fits = arranged(self.tags, self.spots, position.face)
        default = o.Arrange({tag: hex for tag, hex in fits if hex})
        return Decision(
            side=self.side, stage="arrange", rule="1.4",
            prompt=say("put the hidden counters back where they stood"),
            options=(Option(o.Arrange, examples=listed([default])),), default=default,
        )  # fmt: skip

    check = rules.ARRANGE_CHECKS

    def resolve(self, position: Position, order: o.Arrange) -> Outcome:  # type: ignore[override]
        return Outcome((e.CountersArranged(*put_back(self.tags, self.spots, order.units)),))
