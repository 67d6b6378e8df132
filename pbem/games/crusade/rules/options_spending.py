"""Optional rules for spending points: the cut-off north, French help, captured markers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.model import Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Rebuild, Reclaim, Replace
from pbem.games.crusade.position import RESERVE, Position
from pbem.games.crusade.rules.asks import KnowsSpending, OfASide
from pbem.games.crusade.rules.options_replacements import (
    captured_markers,
    is_joined_to_france,
    is_rationed,
    ration,
)
from pbem.games.crusade.rules.replacement import GIFT, currencies_for, payment, price_of
from pbem.games.crusade.tables import REPUBLICAN
from pbem.messages import either, say, say_many

Parts = tuple[tuple[str, int], ...]
"""The currencies that pay an order, with the halves of each."""


def parts_of(position: Position, order: Replace | Rebuild) -> Parts:
    """How an order is paid; the points on the track must cover it."""
    currencies = currencies_for(position, order.unit)
    parts = payment(position, currencies, price_of(position, order), order.using)
    assert parts is not None
    return parts


# --- the cut-off north --------------------------------------------------------------------------


@CITE.check("18.2.6")
def north_lives_on_little(
    stage: KnowsSpending, position: Position, order: Replace | Rebuild
) -> Iterator[Violation]:
    """While the north is cut off, each of its sources provides two points of REP."""
    if not is_rationed(position, order.unit):
        return
    wanted = dict(parts_of(position, order)).get("REP", 0) + stage.spent.get("north", 0)
    if wanted > ration(position):
        yield Violation(
            say(
                "the cut-off north gets {ration} points of REP a turn and has already had {north}",
                ration=ration(position) // 2,
                north=_points(stage.spent.get("north", 0)),
            ),
            at=("unit",),
            hint=say("two points for each of Gijón, Santander and Bilbao that is Republican"),
        )


# --- help from France ---------------------------------------------------------------------------

HELP_STAYS = 8
"""The halves of SOV that R42 reserves for spaces near France, of ten in all."""


@CITE.serves("18.2.14")
def kept_near_france(position: Position, stage: KnowsSpending) -> int:
    """The halves of SOV that may only be spent in the Reserve Box or in reach of France."""
    gift = f"{GIFT}R42" in position.turn_marks
    if stage.side != REPUBLICAN or not gift or not position.option("18.2.14"):
        return 0
    return max(0, HELP_STAYS - stage.spent.get("near_france", 0))


def is_spent_near_france(position: Position, order: Replace | Rebuild) -> bool:
    """Whether points are spent in the Reserve Box, where divisions are rebuilt, or near France."""
    place = position.place_of(order.unit)
    if isinstance(order, Rebuild):
        place = order.to if position.type_of(order.unit).is_corps else RESERVE
    return place == RESERVE or is_joined_to_france(position, place)


@CITE.check("18.2.14")
def french_help_stays_near(
    stage: KnowsSpending, position: Position, order: Replace | Rebuild
) -> Iterator[Violation]:
    """Four of the five points of the French border are spent near it or in the Reserve Box."""
    kept = kept_near_france(position, stage)
    if is_spent_near_france(position, order):
        return
    wanted = dict(parts_of(position, order)).get("SOV", 0)
    if wanted and wanted > position.rp["SOV"] - kept:
        yield Violation(
            say(
                "{kept} of SOV came over the French border and must be spent near it",
                kept=_points(kept),
            ),
            at=("unit",),
            hint=say("they may be spent in the Reserve Box or in spaces joined to France"),
        )


def _points(halves: int) -> str:
    return f"{halves // 2}{'.5' if halves % 2 else ''}"


def noted(stage: KnowsSpending, position: Position, order: Replace | Rebuild) -> Mapping[str, int]:
    """What the stage records of its spending once this is paid."""
    spent, paid = dict(stage.spent), dict(parts_of(position, order))
    if is_rationed(position, order.unit) and paid.get("REP"):
        spent["north"] = spent.get("north", 0) + paid["REP"]
    if kept_near_france(position, stage) and is_spent_near_france(position, order):
        spent["near_france"] = spent.get("near_france", 0) + paid.get("SOV", 0)
    return spent


# --- captured markers ---------------------------------------------------------------------------

MARKER_HALVES = 1


@CITE.check("18.2.10/a")
def marker_waits_to_be_rebuilt(
    stage: OfASide, position: Position, order: Reclaim
) -> Iterator[Violation]:
    """A captured marker may be rebuilt, for half a point of any kind."""
    there = captured_markers(position, stage.side)
    if not 1 <= order.count <= there:
        yield Violation(
            say(
                "{there} of your markers can be rebuilt, not {count}",
                there=there,
                count=order.count,
            ),
            at=("count",),
        )


@CITE.refusal("18.2.10/a")
def marker_is_paid(stage: KnowsSpending, position: Position, order: Reclaim) -> Iterator[Violation]:
    """The points on the track cover half a point for each marker, without help kept near France."""
    # reading: a marker is not bought near France, so 18.2.14 keeps its points from it.
    if order.using not in ("", *position.tables.currencies[stage.side]):
        yield Violation(
            say("you have no points called {using}", using=repr(order.using)),
            at=("using",),
            hint=either(position.tables.currencies[stage.side]),
        )
    elif marker_payment(stage, position, order) is None:
        yield Violation(
            say_many(
                "count",
                "{count} marker costs {points} RP",
                "{count} markers cost {points} RP",
                count=order.count,
                points=_points(order.count * MARKER_HALVES),
            ),
            at=("count",),
        )


def marker_payment(stage: KnowsSpending, position: Position, order: Reclaim) -> Parts | None:
    """How the markers are paid, in the side's own currency first; None if they cost too much."""
    halves, parts = order.count * MARKER_HALVES, []
    for currency in position.tables.currencies[stage.side]:
        kept = kept_near_france(position, stage) if currency == "SOV" else 0
        there = max(0, position.rp.get(currency, 0) - kept)
        part = min(halves, there) if order.using in ("", currency) else 0
        if part:
            parts.append((currency, part))
            halves -= part
    return tuple(parts) if not halves else None


SPENDING_CHECKS: tuple[tuple[Any, ...], ...] = ((north_lives_on_little, french_help_stays_near),)
"""The checks made after an order is paid for."""
RECLAIM_CHECKS: tuple[tuple[Any, ...], ...] = ((marker_waits_to_be_rebuilt,), (marker_is_paid,))
