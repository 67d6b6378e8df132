"""Optional rules of combat: raw militia, aircraft, withdrawal, and the dice (18.1-18.4)."""

from __future__ import annotations

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Combat, Position

# --- before the dice ----------------------------------------------------------------------------


@CITE.rule("18.2.1")
def militia_are_raw(position: Position) -> bool:
    """Whether militia attack as badly as in turn 1: until R8 or the end of turn 5."""
    return position.phase == "columns" and "R8" not in position.played and position.option("18.2.1")


CHATO, CONDOR_LEGION, MESSERSCHMITT = "R5", "N27", "N38"
OUTCLASSED = "fighters_outclassed"


@CITE.rule("18.1.3")
def keeps_flying(position: Position, card: str) -> bool:
    """Whether the I-15 is kept after a lost combat: until N27 is played, or N38 in a combat."""
    outclassed = CONDOR_LEGION in position.played or position.has(OUTCLASSED)
    return card == CHATO and not outclassed and position.option("18.1.3")


def note_better_fighters(story: Unfolding[Position], card: str) -> None:
    """Records the first combat with the new German fighters."""
    position = story.position
    if card == MESSERSCHMITT and position.option("18.1.3") and not position.has(OUTCLASSED):
        story.happen(e.FlagSet(OUTCLASSED))


@CITE.rule("18.1.4")
def is_in_earnest(position: Position, combat: Combat) -> bool:
    """Whether an attack on Madrid counts for the effort against it: with the Army of Africa."""
    if not position.option("18.1.4"):
        return True
    return any(position.type_of(u).has("army_of_africa") for u in combat.attackers(position))


def corps_drm(position: Position, combat: Combat, side: Side) -> int:
    """The modifiers of a side's fire for its expeditionary corps."""
    units = combat.fighters(position, side)
    kinds = {position.type_of(unit).id for unit in units}
    return _tenacity(combat, side, kinds) + _mountain_troops(position, combat, kinds)


@CITE.rule("18.4.2.1")
def _tenacity(combat: Combat, side: Side, kinds: set[str]) -> int:
    """The Soviet corps has a modifier in defence."""
    return 1 if "R-SEC" in kinds and side == combat.defender else 0


@CITE.rule("18.4.2.2")
def _mountain_troops(position: Position, combat: Combat, kinds: set[str]) -> int:
    """The German corps has a modifier in mountains, in attack and defence."""
    mountain = position.space(combat.space).terrain == "mountain"
    return 1 if "N-GEC" in kinds and mountain else 0


def is_open_to_corps(position: Position, space: str) -> bool:
    """Whether an armored corps may claim its modifier: also against a Position or a Trench."""
    ground = position.space(space)
    return ground.terrain != "mountain" and not ground.main_city


@CITE.rule("18.4.1/a")
def is_fit_armor(position: Position, unit: str) -> bool:
    """Whether armor may claim its modifier: divisions at full strength, the corps at any."""
    unit_type = position.type_of(unit)
    return unit_type.has("armor") and (unit_type.is_corps or not position.is_reduced(unit))


# --- the dice -----------------------------------------------------------------------------------


@CITE.rule("18.3.10")
def dice_thrown(position: Position) -> int:
    """Each side rolls three dice for its fire, and the middle one counts."""
    # reading: if a card says how many dice the Nationalists roll, the card is followed.
    return 3 if position.option("18.3.10") else 1


def middle(faces: list[int]) -> int:
    """The face of one die, or the middle face of three."""
    return sorted(faces)[len(faces) // 2]


# --- staying ------------------------------------------------------------------------------------

HEAVY_DEFEAT = 3


@CITE.rule("18.2.9")
def steps_to_stay(position: Position, combat: Combat) -> int:
    """The number of steps the defender still has to pay: one, or two after a heavy defeat."""
    heavy = combat.difference >= HEAVY_DEFEAT and position.option("18.2.9")
    return (2 if heavy else 1) - combat.paid


# --- withdrawal ---------------------------------------------------------------------------------


@CITE.rule("18.3.1")
def may_withdraw(position: Position, combat: Combat) -> bool:
    """Whether defenders may withdraw: divisions attacked by a corps; one alone at full strength."""
    if not position.option("18.3.1"):
        return False
    defenders = combat.defenders(position)
    if any(position.type_of(unit).is_corps for unit in defenders):
        return False
    if len(defenders) == 1 and position.is_reduced(defenders[0]):
        return False
    return any(position.type_of(unit).is_corps for unit in combat.attackers(position))


def possible_survivors(position: Position, combat: Combat) -> tuple[str, ...]:
    """The units that may survive if a whole withdrawing force would be lost.

    The best troops survive only if they are alone.
    """
    units = combat.defenders(position)
    if len(units) == 1:
        return units
    return tuple(
        unit
        for unit in units
        if not position.type_of(unit).has("army_of_africa")
        and not position.type_of(unit).has("armor")
    )


def is_safe(position: Position, combat: Combat, space: str) -> bool:
    """Whether a withdrawal may end in a space: no enemy unit is adjacent to it."""
    return not any(position.units_in(near, combat.attacker) for near in position.neighbours(space))
