"""Operations: movement (10.1) and building (10.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, Fortify, Move
from pbem.games.crusade.position import FORTS, Fort, Position
from pbem.games.crusade.rules import construction, movement
from pbem.games.crusade.rules.ground import enter_spaces
from pbem.games.crusade.rules.options_operations import (
    africans_march_on_madrid,
)
from pbem.games.crusade.rules.round_end import idle, next_to, too_full, walks, ways_home
from pbem.games.crusade.rules.stacking import full_words
from pbem.games.crusade.stages.overstacking import thinned_out
from pbem.games.crusade.tables import ENEMY
from pbem.messages import Row, Said, say
from pbem.value import replace, value


@value
@CITE.rule("10.1.2", "10.1.10")
class Movement(s.PlayerStage[Position]):
    """10.1: stacks of activated spaces move one after another, or dig in.

    `hostile` are the spaces the enemy controlled when the round began (10.1.12).
    """

    side: s.Side
    move: tuple[str, ...]
    attack: tuple[str, ...]
    hostile: frozenset[str]
    moved: frozenset[str] = frozenset()
    diggers: tuple[tuple[str, str], ...] = ()

    def lapsing(self, position: Position) -> Iterator[Said]:
        """10.1.1: spaces activated for movement, if nothing moves or digs in at all."""
        idle = [space for space in self.move if position.units_in(space, self.side)]
        if idle and not (self.moved or self.diggers):
            yield say(
                "you activated {spaces} for movement, but no unit moves (10.1.1)",
                spaces=tuple(map(position.called, idle)),
            )

    def ask(self, position: Position) -> s.Decision:
        owed = self.mending(position)
        prompt, rule = say("move a stack, build, or say done"), "10.1.1"
        if owed:
            full = too_full(position, self.side)
            rule = "9.1.2" if full else "16.4.2.4"
            why = (
                full_words(position, full[0])
                if full
                else say("{unit} must go home", unit=owed.units[0])
            )
            prompt = say("move a stack on: {why}", why=why)
        return s.Decision(
            side=self.side,
            stage="movement",
            prompt=prompt,
            rule=rule,
            options=(
                s.Option(Move, examples=partial(self._moves, position)),
                s.Option(Fortify, examples=partial(self._diggings, position)),
                s.Option(Done, {}),
            ),
            default=owed or Done(),
            optional=owed is None,
        )

    def mending(self, position: Position) -> Move | None:
        """A move that helps if a space is overfull or guests must go home; None if there is
        none.
        """
        full = too_full(position, self.side)
        if not full:
            home = next(ways_home(self, position), None)
            return Move((home[0],), home[1]) if home else None
        there = [unit for space in full for unit in position.units_in(space)]
        for unit in (*there, *sorted(set(idle(self, position)).difference(there))):
            for path in walks(self, position, unit).values():
                order = Move((unit,), path)
                if not any(True for _ in self.check(position, order)):
                    return order
        return None

    def idle_units(self, position: Position, space: str) -> tuple[str, ...]:
        """Units of an activated space that have neither moved nor begun to dig."""
        busy = self.moved | {unit for _, unit in self.diggers}
        return tuple(u for u in position.units_in(space, self.side) if u not in busy)

    def _moves(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """For each stack, and each unit of it if they differ, one path and all destinations."""
        for space in some(self.move):
            units = self.idle_units(position, space)
            stacks = [units, *((unit,) for unit in units)] if len(units) > 1 else [units]
            told = set()
            for stack in some(stacks if units else ()):
                ways = self._ways(position, stack, space, some)
                reach = _reach(ways)
                if ways and reach not in told:
                    told.add(reach)
                    yield s.Example(Move(stack, ways[0]), reach, {"path": tuple(ways)})

    def _ways(
        self, position: Position, stack: tuple[str, ...], start: str, some: s.Some
    ) -> list[tuple[str, ...]]:
        """A shortest legal path to each space where the stack may end."""
        found: dict[str, tuple[str, ...]] = {}
        edge: list[tuple[str, ...]] = [(start,)]
        for _ in range(min(position.factors(unit).mf for unit in stack)):
            edge = [
                (*path, near)
                for path in edge
                for near in some(tuple(next_to(position, stack, path[-1])))
                if near not in path and position.occupier(near) != ENEMY[self.side]
            ]
            for path in edge:
                end = path[-1]
                if end not in found and not any(self.check(position, Move(stack, path))):
                    found[end] = path
        return list(found.values())

    def _diggings(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """For each activated space, the units that may build there."""
        for space in some(self.move):
            fit = tuple(
                unit
                for unit in some(self.idle_units(position, space))
                if not any(self.check(position, Fortify(space, unit)))
            )
            if fit:
                what = construction.what_is_built(position, space).capitalize()
                told = say("a {fort}", fort=what)
                if fit[1:]:
                    told = say("a {fort}; also by {units}", fort=what, units=", ".join(fit[1:]))
                yield s.Example(Fortify(space, fit[0]), told, {"space": (space,), "by": fit})

    check = s.by_verb(
        {
            Move: s.checks(
                (movement.names_known_units, movement.names_known_path),
                (movement.units_stand_together,),
                (movement.space_is_marked_for_movement,),
                (
                    movement.not_moved_before,
                    movement.does_not_build,
                    movement.path_is_connected,
                ),
                (
                    movement.within_movement_factor,
                    movement.enters_no_enemy_units,
                    movement.at_most_two_enemy_spaces,
                    movement.does_not_end_on_attack_marker,
                    movement.regions_cooperate,
                    movement.only_divisions_use_the_corridor,
                    africans_march_on_madrid,
                ),
                (movement.leaves_a_legal_end, movement.lets_guests_go_home),
            ),
            Fortify: s.checks(
                (construction.names_builder_in_marked_space,),
                (
                    construction.builder_has_not_moved,
                    construction.one_builder_a_space,
                    construction.builder_is_supplied,
                    construction.trench_is_the_most,
                    construction.builder_is_fit,
                    construction.bilbao_allows_it,
                    construction.marker_is_left,
                ),
                (movement.building_leaves_a_legal_end, movement.builders_let_guests_go_home),
            ),
            Done: s.checks((movement.leaves_no_space_too_full, movement.guests_have_gone_home)),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Move):
            story: s.Unfolding[Position] = s.Unfolding(position)
            story.happen(e.StackMoved(order.units, order.path))
            enter_spaces(story, order.path[1:], self.side)
            return self._go_on(story, replace(self, moved=self.moved | set(order.units)))
        if isinstance(order, Fortify):
            diggers = (*self.diggers, (order.space, order.by))
            return self._go_on(s.Unfolding(position), replace(self, diggers=diggers))
        return self._finish(s.Unfolding(position))

    def _go_on(self, story: s.Unfolding[Position], after: Movement) -> s.Outcome:
        """This stage again while a unit of an activated space may still act."""
        if any(after.idle_units(story.position, space) for space in after.move):
            return story.outcome(keep=after)
        return after._finish(story)

    @CITE.serves("10.2.2")
    def _finish(self, story: s.Unfolding[Position]) -> s.Outcome:
        """Ends movement: corps place their Positions, other builders roll."""
        # reading: Q23, the Positions of corps are placed with the rolls, after all moves.
        rolls: list[s.Stage[Position]] = []
        rank = story.position.tables.map_rank
        for space, unit in sorted(self.diggers, key=lambda each: rank.get(each[0], len(rank))):
            if construction.needs_no_roll(story.position, space, unit):
                story.happen(e.FortBuilt(space, Fort("position", self.side)))
            else:
                rolls.append(Digging(self.side, space, unit))
        return story.outcome(then=(*thinned_out(story.position, self.side), *rolls))


def _reach(ways: list[tuple[str, ...]]) -> Said:
    """Destinations in words: adjacent spaces, then those beyond them with the way."""
    behind: dict[str, list[str]] = {}
    for path in ways:
        behind.setdefault(", ".join(path[1:-1]), []).append(path[-1])
    near = behind.pop("", [])
    far = [
        say("by {way}: {spaces}", way=way, spaces=", ".join(ends)) for way, ends in behind.items()
    ]
    return say("it reaches {spaces}", spaces=Row((*filter(None, [", ".join(near)]), *far), "; "))


@value
@CITE.rule("10.2.4")
class Digging(s.ChanceStage[Position]):
    """10.2.2, 10.2.4: one roll for a Position or a Trench; 1 to 3 after modifiers succeeds."""

    side: s.Side
    space: str
    unit: str

    def chance(self, position: Position) -> s.Chance:
        kind = construction.what_is_built(position, self.space)
        name = position.space(self.space).name
        draw = s.Draw("build/#/die/1", say("{fort} at {space}", fort=say(FORTS[kind]), space=name))
        return s.Chance(stage="building", rule="10.2.2", draws=(draw,))

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        die = rolled["build/#/die/1"].face
        stored = position.digging.get(self.space, 0)
        kind = construction.what_is_built(position, self.space)
        story: s.Unfolding[Position] = s.Unfolding(position)
        story.happen(e.DigRolled(self.space, self.unit, kind, die, die + stored))
        if die + stored <= construction.SUCCESS:
            story.happen(e.FortBuilt(self.space, Fort(kind, self.side)))
        else:
            story.happen(e.DiggingFailed(self.space, max(construction.BEST_STORED, stored - 1)))
        return story.outcome()
