"""Chapter 11.3: what a side of a combat can lose, and taking the losses."""

from __future__ import annotations

from collections.abc import Collection
from functools import partial

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.position import RESERVE, Combat, Position
from pbem.games.crusade.rules.allocations import (
    Allocation,
    Division,
    Fighter,
    LossPool,
    possible_heirs,
)
from pbem.games.crusade.rules.elimination import eliminated
from pbem.games.crusade.rules.options_combat import possible_survivors
from pbem.games.crusade.rules.ranking import ORDER, place_of, preferred
from pbem.games.crusade.tables import UnitType

# --- what is fought with ------------------------------------------------------------------------


def fight_of(
    position: Position, combat: Combat, side: Side, apart: Collection[str] = ()
) -> LossPool:
    """What a side takes the Loss Number of this combat from: participants only (11.1.7).

    Units in `apart` were named by their ids, so they are not interchangeable. It is kept with the
    position, because every check of an order asks for it again.
    """
    memo, key = position.memo, ("losses", side, *apart)
    if key not in memo or memo[key][0] is not combat:
        memo[key] = combat, _fight_of(position, combat, side, apart)
    found: LossPool = memo[key][1]
    return found


def _fight_of(position: Position, combat: Combat, side: Side, apart: Collection[str]) -> LossPool:
    units = combat.fighters(position, side)
    fighters = tuple(fighter(position, u, u == combat.armor, u in apart) for u in units)
    duties = first_losses(position, combat) if side == combat.attacker else ()
    owed = combat.owed_by(side)
    assert owed is not None
    return LossPool(fighters, partial(spares, position, side, apart), owed, duties)


def fighter(position: Position, unit: str, marked: bool = False, named: bool = False) -> Fighter:
    """A unit for the search of allocations.

    Units with the same `alike` are told apart only by stack order.
    """
    unit_type = position.type_of(unit)
    counter = position.counters[unit]
    alike = f"{unit_type.id} {counter.place} {counter.reduced} {marked} {unit * named}"
    return Fighter(unit, loss_factors(position, unit), alike, heir_groups(unit_type))


@CITE.rule("11.3.2")
def loss_factors(position: Position, unit: str) -> tuple[int, ...]:
    """The value of each step of a unit, the next one to lose first."""
    unit_type = position.type_of(unit)
    factors = [unit_type.full.lf]
    if unit_type.reduced is not None:
        factors.append(unit_type.reduced.lf)
    return tuple(factors[-position.steps_left(unit) :])


@CITE.rule("11.3.5.2/a", "11.3.5.2/b", "11.3.5.2/c", "11.3.5.2/d")
def heir_groups(unit_type: UnitType) -> tuple[str, ...]:
    """The groups of divisions that may replace a corps, in order of precedence."""
    if not unit_type.is_corps:
        return ()
    if unit_type.has("italian"):
        return ("ctv",)
    if unit_type.region:
        return (unit_type.region,)
    return ("armored", unit_type.side) if unit_type.has("armor") else (unit_type.side,)


@CITE.serves("11.3.5", "11.3.5.2")
def why_no_replacement(position: Position, corps: str, heir: str) -> str:
    """The rule by which a division does not replace a corps: that of the kinds which may, or that
    of the Reserve Box, from which full ones come first.
    """
    kinds = position.type_of(heir).replaces if heir in position.counters else frozenset()
    return "11.3.5" if kinds.intersection(heir_groups(position.type_of(corps))) else "11.3.5.2"


def spares(position: Position, side: Side, apart: Collection[str] = ()) -> tuple[Division, ...]:
    """The divisions of the Reserve Box that may replace a corps, in stack order."""
    there = ((unit, position.type_of(unit)) for unit in position.units_in(RESERVE, side))
    return tuple(
        Division(
            unit,
            loss_factors(position, unit),
            f"{kind.id} {position.is_reduced(unit)} {unit * (unit in apart)}",
            kind.replaces,
        )
        for unit, kind in there
        if kind.replaces
    )


def first_losses(position: Position, combat: Combat) -> tuple[frozenset[str], ...]:
    """The units that owe the attacker's first loss: the Army of Africa, then the claiming armor."""
    return tuple(bearers for _, bearers in first_duties(position, combat))


@CITE.rule("16.6.2/b", "17.6.5/a")
def first_duties(position: Position, combat: Combat) -> tuple[tuple[str, frozenset[str]], ...]:
    """The units that owe the attacker's first loss with the rule that says so, most urgent first.

    They are the Army of Africa, the claiming armor, and those that a card names.
    """
    # reading: Q38, the claim names one armor unit, and only that unit owes the loss.
    units = combat.attackers(position)
    africa = {unit for unit in units if position.type_of(unit).has("army_of_africa")}
    by_card = [
        (f"card {card}", {unit for unit in units if position.type_of(unit).has(tag)})
        for card, tag in cards.first_loss_tags(position, combat)
    ]
    divisions = {unit for unit in units if not position.type_of(unit).is_corps}
    # Without a corps there is nobody whom divisions would go before.
    before_corps = divisions if combat.boost.spares_step and len(divisions) < len(units) else set()
    duties = (
        ("11.3.6", africa), ("11.3.6", _owing_armor(position, combat, units)), *by_card,
        ("CC.R45", before_corps),
    )  # fmt: skip
    return tuple((rule, frozenset(bearers)) for rule, bearers in duties if bearers)


def overruled(position: Position, combat: Combat) -> tuple[str, ...]:
    """The attackers that owe the first loss although the ranking puts others before them."""
    if not combat.ranking:
        return ()
    owing = next(iter(first_losses(position, combat)), frozenset())
    if not owing:
        return ()
    places = {u: place_of(position, combat.ranking, u) for u in combat.attackers(position)}
    others = [place for unit, place in places.items() if unit not in owing]
    first = min(others, default=len(combat.ranking))
    return tuple(u for u in places if u in owing and places[u] > first)


def first_duty_rule(position: Position, combat: Combat) -> str:
    """The rule of the most urgent duty; empty if there is none."""
    return next((rule for rule, _ in first_duties(position, combat)), "")


@CITE.serves("16.6.2/d")
def _owing_armor(position: Position, combat: Combat, units: tuple[str, ...]) -> set[str]:
    """The armor that owes a first loss because it claimed its DRM."""
    # reading: Q66, in the first edition 16.6.2 puts the duty on the unit that is used and 11.3.6 on
    # any armor that attacks: 16.6.2 applies, by agreement 11.3.6.
    if combat.armor and position.edition == "1e" and position.option("Q66"):
        return {unit for unit in units if position.type_of(unit).has("armor")}
    return {combat.armor} & set(units)


# --- whether a side is asked ----------------------------------------------------------------------


def is_owing(combat: Combat, side: Side) -> bool:
    """Whether a side still has to take losses for the enemy's fire."""
    return combat.owed_by(side) is not None and side not in combat.suffered


def settled(position: Position, combat: Combat, side: Side) -> Allocation | None:
    """The losses that need no question: the only way, or ranked before the dice."""
    if side == combat.attacker and combat.ranking:
        told_apart = fight_of(position, combat, side, combat.ranking)
        return preferred(position, ({ORDER: combat.ranking},), told_apart.best)
    best = fight_of(position, combat, side).best
    return best[0] if len(best) == 1 else None


def who_could_survive(
    position: Position, combat: Combat, side: Side, allocation: Allocation
) -> tuple[str, ...]:
    """The units that may survive if these losses would eliminate a whole withdrawing force."""
    # reading: 18.3.1, 11.4.6, a withdrawal spares nobody who is eliminated at once and outside the
    # losses.
    if not combat.withdrawal:
        return ()
    fight = fight_of(position, combat, side)
    if not fight.fighters:
        return ()
    everybody = {fighter.unit for fighter in fight.fighters} == set(combat.defenders(position))
    dead = all(allocation.steps.get(each.unit, 0) == len(each.steps) for each in fight.fighters)
    return possible_survivors(position, combat) if everybody and dead else ()


# --- taking them --------------------------------------------------------------------------------


@CITE.rule("CC.R45")
def spared_step(position: Position, allocation: Allocation) -> str:
    """The unit whose step a Limited Offensive restores: a division before a corps, or empty."""
    # reading: Q51, the first division of the losses if there is one, else their first corps. A
    # division that replaces a dead corps counts, too: the Loss Number is shared out first (11.3.4),
    # and then one step of it is restored. Restoring the corps's step would undo all losses of its
    # replacement, which would not have come.
    steps = allocation.order().steps
    divisions = (unit for unit in steps if not position.type_of(unit).is_corps)
    return next(divisions, steps[0] if steps else "")


def lose(story: Unfolding[Position], allocation: Allocation) -> None:
    """Carries out an allocation."""
    heirs = dict(allocation.heirs)
    for unit in allocation.order().steps:
        lose_step(story, unit, heirs.get(unit))


@CITE.rule("11.3.5")
def lose_step(story: Unfolding[Position], unit: str, heir: str | None = None) -> None:
    """Takes one step of a unit. `heir` replaces a corps that loses its last step, PHANTOM nobody.

    A unit eliminated out of supply leaves the game; so do the Army of Africa and a corps without a
    replacement.
    """
    position = story.position
    if position.steps_left(unit) > 1:
        story.happen(e.UnitReduced(unit))
        return
    space = position.place_of(unit)
    story.happen(eliminated(position, unit, space, heir))
    if heir:
        story.happen(e.CorpsReplaced(unit, heir, space))


@CITE.rule("11.4.6")
def eliminate_retreated(story: Unfolding[Position], combat: Combat) -> None:
    """Eliminates units that had retreated into the space, as soon as any loss is inflicted."""
    # reading: Q11, a corps eliminated this way is not replaced: full or reduced it is gone at once
    # and outside the Loss Number, and a division replaces only losses of that number; by agreement
    # it is replaced by the first that may. Q13, the number then still falls on the other defenders
    # in full.
    if not combat.by_attacker:
        return
    for unit in combat.defenders(story.position):
        if unit in story.position.retreated:
            story.happen(eliminated(story.position, unit, combat.space, None))
            _replace_retreated(story, combat, unit)


def _replace_retreated(story: Unfolding[Position], combat: Combat, corps: str) -> None:
    position = story.position
    groups = heir_groups(position.type_of(corps)) if position.option("Q11") else ()
    for heir in possible_heirs(groups, spares(position, combat.defender))[:1]:
        story.happen(e.CorpsReplaced(corps, heir.unit, combat.space))
