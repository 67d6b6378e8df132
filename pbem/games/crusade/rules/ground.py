"""Control of spaces, and the effects of taking one: markers, points, sieges, isolation."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules import morale
from pbem.games.crusade.rules.options_landing import owner_of_beach
from pbem.games.crusade.rules.options_replacements import note_captured_marker
from pbem.games.crusade.rules.options_score import (
    end_without_morale,
    score_beach_head,
    score_burgos,
)
from pbem.games.crusade.rules.options_supply import is_worth_a_point, outlived_its_corridor
from pbem.games.crusade.rules.supply import (
    is_connected_by_land,
    is_special_source,
    is_supplied,
    supply_map,
)
from pbem.games.crusade.tables import ENEMY, NATIONALIST
from pbem.late import Late

if TYPE_CHECKING:
    from pbem.games.crusade import events_seldom as rare
else:
    rare = Late("pbem.games.crusade.events_seldom")


@CITE.rule("10.1.9", "3.0.control")
def take_space(story: Unfolding[Position], space: str, side: Side) -> None:
    """A side gains control of a space without enemy units, if it does not have it yet.

    All effects of a change of control happen here and at once (16.3.2): markers are removed, points
    change; isolation, shortage and the morale conditions are tested.
    """
    if story.position.controls(side, space):
        return
    before = story.position
    oviedo_bonus = is_worth_a_point(story.position, space)
    story.happen(e.SpaceTaken(space, side))
    _remove_enemy_works(story, space, side)
    _score_capture(story, space, side)
    if oviedo_bonus:
        _score_isolated_oviedo(story)
    score_burgos(story, space, side)
    _reverse_bonus(story, space, side)
    _lose_badajoz(story, space, side)
    after_control_changes(story, before)


def after_control_changes(story: Unfolding[Position], before: Position) -> None:
    """The conditions that depend on the whole map, tested after every change of control.

    `before` is the position before the change.
    """
    end_isolation(story)
    end_shortage(story)
    morale.test_conditions(story, before)
    end_without_morale(story)
    _relieve_sieges(story)


@CITE.rule("10.2.7")
def remove_enemy_fort(story: Unfolding[Position], space: str, side: Side) -> None:
    """A unit that enters a space, even in passing, removes an enemy Position or Trench."""
    fort = story.position.forts.get(space)
    if fort is not None and fort.owner != side:
        story.happen(e.FortRemoved(space))


@CITE.rule("10.2.6")
def _remove_enemy_works(story: Unfolding[Position], space: str, side: Side) -> None:
    """Removes the works of an empty space when the enemy takes it."""
    remove_enemy_fort(story, space, side)
    if space in story.position.digging:
        story.happen(e.DiggingAbandoned(space))


@CITE.rule(
    "5.1.2", "3.0.vp_space", "3.0.main_city", "3.0.province_capital", "3.0.rm_vp_sign",
    "16.3.3/a", "16.3.3/b", "16.3.3/c",
)  # fmt: skip
def capture_value(position: Position, space: str) -> tuple[int, int]:
    """The VP and RM for a Nationalist capture; a Republican one is worth the opposite."""
    ground = position.space(space)
    if ground.main_city:
        return ground.vp, -3 if space == "madrid" else -2
    if ground.vp or ground.capital:
        return ground.vp, -1
    return 0, 0


def _score_capture(story: Unfolding[Position], space: str, side: Side) -> None:
    vp, rm = capture_value(story.position, space)
    if vp or rm:
        sign = 1 if side == NATIONALIST else -1
        story.happen(e.ScoreChanged(sign * vp, sign * rm, "capture", space))


@CITE.rule("16.2.5")
def _score_isolated_oviedo(story: Unfolding[Position]) -> None:
    """Taking Oviedo while it is isolated is worth an additional Victory Point."""
    awards = {row["id"]: row for row in story.position.tables.tables["awards"]}
    row = awards["isolated_oviedo_taken"]
    story.happen(e.ScoreChanged(row["vp"], row["rm"], "oviedo taken while isolated"))


@CITE.rule("8.5.5.5")
def _reverse_bonus(story: Unfolding[Position], space: str, side: Side) -> None:
    """The Nationalists regain what a strategic counterattack gained, and the marker is removed."""
    card = story.position.bonuses.get(space)
    if card is None or side != NATIONALIST:
        return
    vp, rm = story.position.card(card).params.get("bonus", {}).get("vp", 0), 0
    if not vp:
        rm = 1
    story.happen(rare.BonusLost(space), e.ScoreChanged(-vp, -rm, "bonus lost", card))


@CITE.serves("13.2.4.2")
def _lose_badajoz(story: Unfolding[Position], space: str, side: Side) -> None:
    """Once taken, even in passing, Badajoz never supplies the Republic again (Q44)."""
    # reading: Q44, passing through Badajoz takes it and ends its use as a source.
    first = not story.position.has("badajoz_lost")
    if is_special_source(story.position, space) and side == NATIONALIST and first:
        story.happen(e.FlagSet("badajoz_lost"))


@CITE.rule("17.3.2/a", "17.3.2/c")
def _note_madrid(story: Unfolding[Position], space: str, side: Side) -> None:
    """Records what the Nationalists occupied of Madrid and its neighbours in the first phase."""
    # reading: Q56, occupation of a neighbour of Madrid by advance counts as occupation.
    # reading: only a unit occupies; a space that falls to the Nationalists in attrition was not
    # occupied.
    position = story.position
    if side != NATIONALIST or position.phase != "columns":
        return
    if space == "madrid":
        _flag_once(story, "madrid_occupied")
    elif position.tables.adjacent_to_madrid(space):
        _flag_once(story, "madrid_approached")


def _flag_once(story: Unfolding[Position], flag: str) -> None:
    if not story.position.has(flag):
        story.happen(e.FlagSet(flag))


@CITE.rule("16.2.2")
def end_isolation(story: Unfolding[Position]) -> None:
    """A space is no longer isolated when a normal supply line reaches it or it is lost."""
    for space in sorted(story.position.isolated):
        position = story.position
        reached = space in supply_map(position, NATIONALIST).full
        lost = not position.controls(NATIONALIST, space)
        if reached or lost or outlived_its_corridor(position, space):
            story.happen(rare.IsolationEnded(space))


NORTHERN_ZONE_SOURCES = ("la_coruna", "valladolid", "zaragoza")


@CITE.rule("17.1.3")
def end_shortage(story: Unfolding[Position]) -> None:
    """The ammunition shortage ends for good when land connects a northern source with Sevilla."""
    position = story.position
    if position.has("shortage") and any(
        is_connected_by_land(position, NATIONALIST, source, "sevilla")
        for source in NORTHERN_ZONE_SOURCES
    ):
        story.happen(e.FlagCleared("shortage"))


@CITE.serves("16.1.3")
def _relieve_sieges(story: Unfolding[Position]) -> None:
    """A siege is lifted as soon as its space is Nationalist and in supply."""
    # reading: 16.1.3, units that came out of supply relieve the siege when a supply line reaches
    # their space, or the space they took on their way, as if they entered it then.
    for siege in tuple(story.position.sieges):
        space = story.position.tables.sieges[siege]["space"]
        position = story.position
        held = position.controls(NATIONALIST, space)
        if held and is_supplied(position, NATIONALIST, space):
            liberate_siege(story, space)


@CITE.rule("16.1.3", "16.1.7", "16.3.3/d")
def liberate_siege(story: Unfolding[Position], space: str) -> None:
    """A siege in this space is lifted, and its points are scored."""
    for siege in tuple(story.position.sieges):
        row = story.position.tables.sieges[siege]
        if row["space"] == space:
            worth = row["vp_if_liberated"], row["rm_if_liberated"]
            story.happen(
                e.SiegeEnded(siege, "liberated"),
                e.ScoreChanged(*worth, "liberation", siege),
            )
            end_without_morale(story)


def enter_spaces(story: Unfolding[Position], path: tuple[str, ...], side: Side) -> None:
    """Units of a side entered these spaces: control passes and sieges are relieved, in order.

    Another event moves the units.
    """
    for space in path:
        note_captured_marker(story, space, side)
        take_space(story, space, side)
        _note_madrid(story, space, side)
        if space in story.position.beach_heads and owner_of_beach(space) != side:
            overrun_beach_head(story, space)


@CITE.rule("8.5.4.3", "8.5.6.4")
def overrun_beach_head(story: Unfolding[Position], space: str) -> None:
    """Enemy units that enter a beach head remove it and are then in the space it led to."""
    # reading: 8.5.6.4, "immediately" comes before the suspension of stacking in movement (9.1.2): a
    # unit that finds three units there goes to the Reserve at once, even if some of those could
    # still move on.
    target, enemy = story.position.beach_heads[space], ENEMY[owner_of_beach(space)]
    entrants = story.position.units_in(space, enemy)
    for unit in entrants:
        if len(story.position.units_in(target)) < 3:
            story.happen(e.StackMoved((unit,), (target,)))
        else:
            story.happen(e.UnitSentToReserve(unit))
    remove_beach_head(story, space)
    score_beach_head(story, enemy)
    end_without_morale(story)


def remove_beach_head(story: Unfolding[Position], space: str) -> None:
    """A beach head is gone, and with it a port: what depends on the whole map is tested."""
    before = story.position
    story.happen(rare.BeachHeadRemoved(space))
    after_control_changes(story, before)
