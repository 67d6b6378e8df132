"""The ranking of losses, in a combat and before the first turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, Side
from pbem.engine.policy_rows import Answer, Clause, Document, Example
from pbem.engine.shapes import TRUE, ByKind, ListOf, OneField
from pbem.games.crusade.conditions import LOSS_RANKING, LOSS_WORD, RANKING
from pbem.games.crusade.orders import Losses
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, Position
from pbem.games.crusade.rules.allocations import Allocation
from pbem.games.crusade.rules.ranking import (
    FLIP,
    NULL_RANKING,
    by_order,
    by_what_is_lost,
    cost,
    deaths,
    is_named,
    place_of,
    ranked,
)

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.losses import Casualties
    from pbem.games.crusade.stages.initial_losses import InitialLosses

Line = Mapping[str, Any]


def _chosen(position: Position, stage: Any, policy: Document) -> Order | None:
    """The legal losses that best match the ranked lines of a policy."""
    lines = tuple(_lines(policy))
    if position.combat is None:
        return _before_the_first_turn(position, stage, lines)
    return _in_combat(position, stage, lines, policy.get("successor", ()))


def _in_combat(
    position: Position, stage: Casualties, lines: Sequence[Line], successor: Sequence[str]
) -> Order:
    named = {word for line in lines for word in _words_of(line)} | set(successor)

    def rank(allocation: Allocation) -> tuple[Any, ...]:
        heirs = sum(place_of(position, successor, heir) for _, heir in allocation.heirs if heir)
        return (
            *(_line_cost(position, line, allocation) for line in lines),
            deaths(position, allocation),
            heirs,
            cost(position, NULL_RANKING, allocation),
            by_order(position, allocation),
        )

    return min(stage.fight(position, named).best, key=rank).order()


def _before_the_first_turn(
    position: Position, stage: InitialLosses, lines: Sequence[Line]
) -> Order | None:
    """Losses before the first turn, which kill nobody: the lines choose among the exact sums."""
    from pbem.games.crusade.rules.initial_losses import amount_owed, least_losses, losers

    if not lines:
        return None

    def liking(unit: str) -> tuple[int, ...]:
        alone = Allocation({unit: 1})
        costs = (each for line in lines for each in _line_cost(position, line, alone))
        return tuple(count for each in costs for count in each)

    owed = amount_owed(position, stage.side, stage.number)
    return Losses(least_losses(position, losers(position, stage.side), owed, liking))


def _lines(policy: Document) -> Iterator[Line]:
    """The lines that rank losses; the short form is one order of words."""
    written = policy.get("losses", ())
    words = [word for word in written if isinstance(word, str)]
    if words:
        yield {"order": words}
    yield from (line for line in written if not isinstance(line, str))


def _words_of(line: Line) -> Sequence[str]:
    """The words of a line of losses, whichever kind it is."""
    ((_, words),) = line.items()
    return words if isinstance(words, list | tuple) else ()


def _line_cost(
    position: Position, line: Line, allocation: Allocation
) -> tuple[tuple[int, ...], ...]:
    """The cost of an allocation by a line, the lower the better."""
    if FLIP in line:
        return (deaths(position, allocation),)
    if "order" in line:
        return ranked(position, line["order"], allocation)
    last = line["lose_last"]
    steps = allocation.steps.items()
    return ((sum(count for unit, count in steps if is_named(position, last, unit)),),)


def _own_types(position: Position, side: Side) -> Example:
    """The types of the divisions that are in play, in the order that loses least."""
    out = (POOL, ELIMINATED, REMOVED)
    units = (unit for place, units in position.stacks.items() if place not in out for unit in units)
    own = [unit for unit in units if position.side_of(unit) == side]
    divisions = (unit for unit in own if not position.type_of(unit).is_corps)
    return f"[{', '.join((FLIP, *by_what_is_lost(position, divisions)))}]", "what is lost first"


LOSSES: Clause = Clause(
    ListOf(
        ByKind(
            mapping=OneField(
                {"order": LOSS_RANKING, "lose_last": RANKING, FLIP: TRUE},
                f"a line of losses has order, lose_last or {FLIP}", "{lose_last: [AFR]}",
            ),
            other=LOSS_WORD,
        ),
        "losses must be a list", "[MIL, POL, INF]", once=True, leads=(FLIP,),
    ),
    {"losses": Answer(_chosen)},
    example=_own_types,
)  # fmt: skip
SUCCESSOR: Clause = Clause(RANKING)
