"""The end of a turn: markers removed by choice, weakened sieges, the end of the war (6.0 F)."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Done, RemoveMarker
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.options_supply import stays_isolated
from pbem.games.crusade.rules.supply import is_unit_supplied
from pbem.games.crusade.rules.victory import end_modifiers, final_result, is_last_turn
from pbem.games.crusade.tables import ENEMY, SIDES
from pbem.messages import a_few, say
from pbem.value import value


def own_markers(position: Position, side: s.Side) -> tuple[str, ...]:
    """The spaces with a Position or Trench of a side, in map order."""
    rank = position.tables.map_rank
    spaces = (space for space, fort in position.forts.items() if fort.owner == side)
    return tuple(sorted(spaces, key=rank.__getitem__))


@CITE.check("10.2.10")
def marker_is_yours(
    stage: MarkerRemoval, position: Position, order: RemoveMarker
) -> Iterator[s.Violation]:
    """A side removes only its own markers."""
    yours = own_markers(position, stage.side)
    if order.space not in yours:
        yield s.Violation(
            say("you have no Position or Trench in {space}", space=position.called(order.space)),
            at=("space",),
            hint=a_few(position.names_of(yours)),
        )


@value
@CITE.rule("6.0.F.1")
class MarkerRemoval(s.PlayerStage[Position]):
    """Each side may remove its own Positions and Trenches from the map."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        spaces = own_markers(position, self.side)
        if not spaces or is_last_turn(position):
            return None  # no result depends on a marker
        return s.Decision(
            side=self.side,
            stage="marker removal",
            prompt=say("remove friendly Positions or Trenches from the map, or say done"),
            rule="10.2.10",
            options=(s.Option(RemoveMarker, {"space": s.OneOf(spaces)}), s.Option(Done, {})),
            default=Done(),
            optional=True,
            policy="remove_marker",
        )

    check = s.by_verb({RemoveMarker: s.checks((marker_is_yours,)), Done: s.checks()})

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, RemoveMarker):
            return s.Outcome()
        # reading: 10.2.4, the modifier stored by a failed Trench roll goes with the Position it was
        # for.
        dug = order.space in position.digging
        lost = (e.DiggingAbandoned(order.space),) if dug else ()
        return s.Outcome((e.FortRemoved(order.space), *lost), keep=self)


@value
@CITE.rule("6.0.F.2", "6.0.F.3")
class EndOfTurn(s.AutoStage[Position]):
    """What happens automatically; after a scenario's last turn also its result."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        _discard_retained_cards(story)
        _end_the_columns(story)
        _weaken_sieges(story)
        _end_insurrection(story)
        if is_last_turn(position):
            _end_the_war(story)
        return story.outcome()


@value
class EarlyEnd(s.AutoStage[Position]):
    """18.1.10: the war is over in the middle of its last turn."""

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        _end_the_war(story)
        return story.outcome()


@CITE.rule("8.5.3.5")
def _discard_retained_cards(story: s.Unfolding[Position]) -> None:
    for side in SIDES:
        for card in story.position.decks[side].table:
            story.happen(e.CardDiscarded(side, card))


@CITE.rule("16.2.6")
def _end_the_columns(story: s.Unfolding[Position]) -> None:
    """Isolated Spaces lose their markers after their last turn, and the shortage ends."""
    if story.position.turn != story.position.tables.tables["isolated_spaces"]["last_turn"]:
        return
    for space in sorted(story.position.isolated):
        if not stays_isolated(story.position, space):
            story.happen(rare.IsolationEnded(space))
    if story.position.has("shortage"):
        story.happen(e.FlagCleared("shortage"))


@CITE.rule("16.1.6")
def _weaken_sieges(story: s.Unfolding[Position]) -> None:
    """From turn 6 on each siege loses a point a turn; without points it surrenders."""
    # reading: 16.1.6 says each siege, and only 16.1.3 lifts one: a garrison whose space
    # Nationalists hold out of supply grows weaker too, and surrenders without gain at 0.
    if story.position.turn < story.position.tables.tables["siege_assault"]["hunger_from_turn"]:
        return
    for siege, resistance in tuple(story.position.sieges.items()):
        story.happen(e.SiegeChanged(siege, resistance - 1))
        if resistance <= 1:
            story.happen(e.SiegeEnded(siege, "surrendered"))


@CITE.rule("CC.N48")
def _end_insurrection(story: s.Unfolding[Position]) -> None:
    """An Insurrection out of supply at the end of the turn is removed."""
    # reading: CC.N48, supplied only over the border it is still out of supply (13.4.2).
    units = story.position.tables.units
    for unit in (unit for unit, unit_type in units.items() if unit_type.has("insurrection")):
        position = story.position
        if position.is_on_map(unit) and not is_unit_supplied(position, unit):
            space, side = position.place_of(unit), position.side_of(unit)
            story.happen(e.UnitEliminated(unit, True, "13.3.5"))
            # Others that came after attrition, by a retreat, hold the space (13.3.6, 9.1.3).
            if not story.position.units_in(space):
                take_space(story, space, ENEMY[side])


def _end_the_war(story: s.Unfolding[Position]) -> None:
    """The scenario changes the VP a last time, and they decide the game."""
    for vp in end_modifiers(story.position):
        story.happen(e.ScoreChanged(vp, 0, "end of the scenario"))
    story.happen(e.GameEnded(*final_result(story.position)))
