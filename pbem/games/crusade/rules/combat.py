"""Chapter 11.2: the strengths, die-roll modifiers, columns and Loss Numbers of a combat."""

from __future__ import annotations

from pbem.board.ledger import Ledger, counted, total
from pbem.board.tables import clamp
from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.engagement import all_cross_rivers
from pbem.games.crusade.rules.options_combat import corps_drm, is_fit_armor, militia_are_raw
from pbem.games.crusade.rules.winter import is_severe, winter_effects
from pbem.games.crusade.tables import REPUBLICAN
from pbem.value import value

FIRST_TURN_DRM = -1
"""The modifier for militia in a Republican attack of turn 1 (17.5.1)."""
ARMOR_DRM = 1


@CITE.rule("11.2.3", "11.1.6")
def strength(position: Position, combat: Combat, side: Side) -> int:
    return sum(position.factors(unit).cf for unit in combat.fighters(position, side))


def fire_table(position: Position, combat: Combat, side: Side) -> str:
    """The fire table: `corps` if any corps fires, else `division`."""
    units = combat.fighters(position, side)
    return "corps" if any(position.type_of(unit).is_corps for unit in units) else "division"


def terrain_present(position: Position, combat: Combat) -> tuple[str, ...]:
    """The rows of the Terrain Effects Chart that apply to this attack."""
    ground = position.space(combat.space)
    fort = position.forts.get(combat.space)
    rows = (
        (ground.terrain, True),
        ("main_city", ground.main_city),
        (fort.kind if fort else "", fort is not None),
        ("river", all_cross_rivers(position, combat)),
        ("sierra_of_madrid", _meets_the_sierra(position, combat)),
        ("beach_head", combat.space in position.beach_heads),
    )
    return tuple(name for name, holds in rows if holds)


def _meets_the_sierra(position: Position, combat: Combat) -> bool:
    """Whether an attack goes into or out of the Sierra of Madrid."""
    # reading: 11.2.6, Q1, the Sierra counts once, also from one of its spaces to another, and if
    # any attacking unit leaves it; by agreement only if all do.
    sierra = position.tables.sierra_of_madrid
    out_of_it = [space in sierra for space in combat.origins_left(position)]
    enough = all(out_of_it) if position.option("Q1") else any(out_of_it)
    return combat.space in sierra or (bool(out_of_it) and enough)


@CITE.rule("11.2.6", "10.2.8")
def shifts(position: Position, combat: Combat, side: Side) -> Ledger:
    """The column shifts of one side's fire, one by one; they are summed before they apply."""
    if combat.terrain_free:
        # reading: an event that cancels terrain effects cancels every shift of the chart, but a
        # retreat may still be cancelled in a mountain or a Trench (RC.terrain: they are still
        # there).
        return ()
    ignored = cards.ignored_terrain(position, combat, side)
    key = "attacker_shift" if side == combat.attacker else "defender_shift"
    effects = position.tables.terrain_effects
    present = terrain_present(position, combat)
    return counted((name, effects[name][key]) for name in present if name not in ignored)


@CITE.rule("11.2.5")
def drms(position: Position, combat: Combat, side: Side) -> Ledger:
    """The die-roll modifiers of one side's fire, one by one."""
    found = list(cards.card_drms(position, combat, side))
    found.append(("expeditionary corps", corps_drm(position, combat, side)))
    if side == combat.attacker:
        found += [
            (combat.boost.card, _boost_drm(position, combat)),
            ("armor", _armor_drm(position, combat)),
            ("militia" if position.turn == 1 else "raw militia", _militia_drm(position, combat)),
            ("severe winter" if is_severe(position) else "winter", _winter_drm(position, combat)),
        ]
    return counted(found)


@CITE.rule("8.5.5.2")
def _boost_drm(position: Position, combat: Combat) -> int:
    boost = combat.boost
    is_grounded = boost.air and cards.cancels_air(position, combat, combat.attacker)
    return 0 if is_grounded else boost.drm


@CITE.rule("16.6.2/c", "CC.R7")
def _armor_drm(position: Position, combat: Combat) -> int:
    """One, however many units claim it; none if no full armor is left when the die is rolled."""
    full = [unit for unit in combat.attackers(position) if is_fit_armor(position, unit)]
    return ARMOR_DRM if full and cards.armor_counts(position, combat) else 0


@CITE.rule("17.5.1")
def _militia_drm(position: Position, combat: Combat) -> int:
    militia = any(position.type_of(unit).has("militia") for unit in combat.attackers(position))
    raw = position.turn == 1 or militia_are_raw(position)
    return FIRST_TURN_DRM if raw and militia and combat.attacker == REPUBLICAN else 0


@CITE.rule("16.5.2/b")
def _winter_drm(position: Position, combat: Combat) -> int:
    """The modifier for an attack on a mountain in winter, whatever a card says about terrain."""
    effects = winter_effects(position)
    if effects is None or position.space(combat.space).terrain != "mountain":
        return 0
    return effects["mountain_drm"]


@CITE.rule("3.0.column_shift")
def column(position: Position, combat: Combat, side: Side) -> int:
    """The column of a side's fire: first the net shift, then the limits of the table."""
    return _column_of(
        position, fire_table(position, combat, side), strength(position, combat, side),
        shifts(position, combat, side),
    )  # fmt: skip


def _column_of(position: Position, size: str, strength: int, shifts: Ledger) -> int:
    table = position.tables.fire_tables[size]
    return table.shifted(table.column(strength), total(shifts))


@value
class Aim:
    """All that a side fires with but the die."""

    table: str
    strength: int
    column: int
    shifts: Ledger
    drms: Ledger


def aim(position: Position, side: Side) -> Aim:
    """What a side fires with in the combat that goes on; kept with the position."""
    memo, key, combat = position.memo, ("aim", side), position.fought
    if key not in memo:
        size, points = fire_table(position, combat, side), strength(position, combat, side)
        moved = shifts(position, combat, side)
        column_hit = _column_of(position, size, points, moved)
        memo[key] = Aim(size, points, column_hit, moved, drms(position, combat, side))
    found: Aim = memo[key]
    return found


@CITE.rule("11.2.7")
def modified(position: Position, aimed: Aim, die: int) -> int:
    """The die with its modifiers, never below one or above six."""
    limits = position.tables.tables["limits"]["die"]
    return clamp(die + total(aimed.drms), limits["min"], limits["max"])


@CITE.rule("11.3.1")
def loss_number(position: Position, aimed: Aim, die: int) -> int:
    """The Loss Number that a side's fire inflicts with this die."""
    table = position.tables.fire_tables[aimed.table]
    return table.at(aimed.column, modified(position, aimed, die))


@CITE.rule("11.2.9")
def winner(combat: Combat) -> Side | None:
    """The side with the higher Loss Number; none if equal. Defenders that withdraw have lost."""
    if combat.withdrawal:
        return combat.attacker
    if combat.difference == 0:
        return None
    return combat.attacker if combat.difference > 0 else combat.defender


def is_beaten(position: Position, combat: Combat) -> bool:
    """Whether the attacker has won and any defender is left."""
    return winner(combat) == combat.attacker and bool(combat.defenders(position))


@CITE.rule("11.2.10", "11.4.1", "11.4.7")
def has_to_retreat(position: Position, combat: Combat) -> bool:
    """Whether the defenders must leave: beaten, with an attacker left or in a withdrawal."""
    goes = combat.withdrawal or bool(combat.attackers(position))
    return goes and is_beaten(position, combat)
