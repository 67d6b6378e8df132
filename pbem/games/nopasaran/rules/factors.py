"""4, 6.5, 13.1, 17.1: what the factors of a unit come to in its present state."""

from __future__ import annotations

from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules.command import level_of
from pbem.games.nopasaran.tables import FULL, Supply, rounded

HALF = FULL // 2


@CITE.rule("13.1.b1", "17.1.b1", "6.5.b1", "6.5.b2", "6.5.b3")
def attack(position: Position, unit: str, *quarters: int) -> int:
    """The attack factor of a unit, with what else multiplies it, rounded once."""
    return rounded(position.printed(unit).attack, *_shares(position, unit),
                   level_of(position, unit).attack, *quarters)  # fmt: skip


@CITE.rule("13.1.b2")
def defence(position: Position, unit: str) -> int:
    """The defence factor of a unit."""
    return rounded(position.printed(unit).defence, *_shares(position, unit),
                   level_of(position, unit).defence)  # fmt: skip


@CITE.rule("11.1.p4")
def fire(position: Position, unit: str, *quarters: int) -> int:
    """The bombardment factor of a battery: reduced as its attack factor would be."""
    # reading: lack of supply, losses and disorganisation reduce bombardment as they reduce attacks.
    return rounded(position.printed(unit).fire, *_shares(position, unit),
                   level_of(position, unit).attack, *quarters)  # fmt: skip


@CITE.rule("13.1.b4")
def antitank(position: Position, unit: str, *quarters: int) -> int:
    """The antitank points of a unit, as they are compared."""
    # reading: lack of supply reduces antitank points as it reduces attacks; disorganisation leaves
    # them whole where they are compared (12.2, 12.6.2).
    return rounded(position.printed(unit).antitank, *_strength(position, unit),
                   level_of(position, unit).attack, *quarters)  # fmt: skip


@CITE.serves("12.3.5", "17.1.b1")
def armoured(position: Position, unit: str, *quarters: int) -> int:
    """The antitank points of a unit in place of its attack factor."""
    # reading: 17.1, in an armoured attack disorganisation halves antitank points, for they stand in
    # place of the attack factor.
    return rounded(position.printed(unit).antitank, *_shares(position, unit),
                   level_of(position, unit).attack, *quarters)  # fmt: skip


@CITE.rule("13.1.b3")
def antiaircraft(position: Position, unit: str) -> int:
    """The antiaircraft factor of a unit."""
    return rounded(position.printed(unit).antiaircraft, *_strength(position, unit))


@CITE.rule("13.1.b5", "17.1.b4")
def effectiveness(position: Position, unit: str) -> int:
    """The effectiveness of a unit, less one for heavy losses and one for disorganisation."""
    less = position.is_weakened(unit) + (unit in position.disorganised)
    return position.printed(unit).effectiveness - less


def allowance(position: Position, unit: str) -> int:
    """The half points that a unit may spend in a day, as its supply is now."""
    return _points(position, unit, level_of(position, unit))


@CITE.rule("17.1.b2", "6.5.b4")
def _points(position: Position, unit: str, level: Supply) -> int:
    """The half points of a unit at a level of supply; of a battery, for firing too (11.1)."""
    printed = position.printed(unit)
    shares = [HALF] if unit in position.disorganised else []
    shares.append(level.vehicles if printed.is_vehicle else level.others)
    return 2 * rounded(printed.move, *shares)


def left_to_spend(position: Position, unit: str) -> int:
    """The half points that are left to a unit today."""
    points = _points(position, unit, marching_level(position, unit))
    return max(0, points - position.spent.get(unit, 0))


@CITE.serves("6.2.p5", "5.5.p4")
def marching_level(position: Position, unit: str) -> Supply:
    """The level of supply by which a unit moves: that which it had when it began to move in this
    activation.
    """
    # reading: 6.2, 5.5, the level at its beginning holds for the whole march, however many orders
    # it takes, looks and mobile attacks too; an attack counts by the level of its moment.
    march = position.cycle.marches.get(unit) if position.cycle else None
    return position.board.supply[march.level] if march else level_of(position, unit)


@CITE.serves("13.1")
def _strength(position: Position, unit: str) -> tuple[int, ...]:
    return (HALF,) if position.is_weakened(unit) else ()


@CITE.rule("17.1")
def _shares(position: Position, unit: str) -> tuple[int, ...]:
    """What losses and disorganisation leave of a factor, in quarters each."""
    disorganised = (HALF,) if unit in position.disorganised else ()
    return (*_strength(position, unit), *disorganised)
