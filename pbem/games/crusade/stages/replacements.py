"""The Replacement Phase of a side: accounts, corps that come back, spending, lapse (14)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Deploy, Done, Rebuild, Reclaim, Replace, Supply
from pbem.games.crusade.position import ABROAD, ELIMINATED, OFF_MAP, RESERVE, Position
from pbem.games.crusade.rules.options_replacements import captured_markers
from pbem.games.crusade.rules.options_spending import (
    RECLAIM_CHECKS,
    SPENDING_CHECKS,
    Parts,
    marker_payment,
    noted,
    parts_of,
)
from pbem.games.crusade.rules.redeployment import in_points
from pbem.games.crusade.rules.reinforcement import corps_has_to_come_in, corps_spaces
from pbem.games.crusade.rules.replacement import (
    REBUILD_CHECKS,
    REPLACE_CHECKS,
    SIEGE_CHECKS,
    open_accounts,
    recorded,
    siege_cost,
)
from pbem.games.crusade.rules.supply import in_isolated_group
from pbem.games.crusade.rules.victory import no_unit_changes_the_result
from pbem.games.crusade.tables import NATIONALIST
from pbem.messages import Said, say, say_many
from pbem.value import field, replace, value

__all__ = ["Lapse", "Replacements", "ReturningCorps", "Spending", "recorded"]


@value
@CITE.rule("8.4.4")
class Replacements(s.AutoStage[Position]):
    """One side's segment: first what changes its points, then its choices."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        if no_unit_changes_the_result(position):
            return s.Outcome()
        parts = (ReturningCorps(self.side), Spending(self.side), Lapse(self.side))
        return s.Outcome(open_accounts(position, self.side), then=parts)


# --- corps that crossed a border ----------------------------------------------------------------


def due_corps(position: Position, side: s.Side) -> tuple[str, ...]:
    """Corps whose time abroad is over and that have an open space."""
    # reading: 13.4.3/b, a corps for which no space is open waits abroad for a later Replacement
    # Phase.
    return tuple(
        unit
        for unit in position.units_in(ABROAD, side)
        if position.returning.get(unit, position.turn + 1) <= position.turn
        and corps_spaces(position, unit)
    )


@CITE.refusal("13.4.3/b")
def comes_back_where_corps_come_in(
    stage: ReturningCorps, position: Position, order: Deploy
) -> Iterator[s.Violation]:
    """A corps that is due returns where a rebuilt one would be placed."""
    if order.unit not in due_corps(position, stage.side):
        yield s.Violation(say("{unit} is not due to return", unit=order.unit), at=("unit",))
    else:
        yield from corps_has_to_come_in(position, order.unit, order.to)


@value
class ReturningCorps(s.PlayerStage[Position]):
    """13.4.3: corps that crossed the border two turns ago return reduced."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        ready = tuple(
            Deploy(unit, space)
            for unit in due_corps(position, self.side)
            for space in corps_spaces(position, unit)
        )
        if not ready:
            return None
        return s.Decision(
            side=self.side,
            stage="returning corps",
            prompt=say("deploy the corps that return over the border"),
            rule="13.4.3",
            options=(s.Option(Deploy, examples=s.listed(ready)),),
            default=ready[0],
            policy="returning",
        )

    check = s.checks((comes_back_where_corps_come_in,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Deploy)
        return s.Outcome((e.UnitPlaced(order.unit, order.to, reduced=True),), keep=self)


# --- spending -----------------------------------------------------------------------------------


@value
class Spending(s.PlayerStage[Position]):
    """14.1.2: steps restored, units rebuilt, sieges strengthened, in the order written."""

    side: s.Side
    isolated_served: frozenset[str] = frozenset()
    sieges_fed: frozenset[str] = frozenset()
    spent: Mapping[str, int] = field(default_factory=dict)

    def lapsing(self, position: Position) -> Iterator[Said]:
        """14.1.2: points left when the side is done are lost."""
        for currency in position.tables.currencies[self.side]:
            halves = position.rp.get(currency, 0)
            if halves:
                yield say_many(
                    "number", "{points} of {currency} lapses unspent (14.1.2)",
                    "{points} of {currency} lapse unspent (14.1.2)",
                    points=in_points(halves), currency=currency, number=1 if halves <= 2 else 2,
                )  # fmt: skip

    def ask(self, position: Position) -> s.Decision | None:
        currencies = position.tables.currencies[self.side]
        purse = {currency: position.rp.get(currency, 0) for currency in currencies}
        if not any(purse.values()):
            return None
        ways = {Replace: self._replacements, Rebuild: self._rebuildings}
        options = tuple(
            s.Option(verb, examples=s.listed(partial(self._legal, position, orders)))
            for verb, orders in ways.items()
            if any(True for _ in self._legal(position, orders))
        )
        options += self._sieges(position) + self._markers(position)
        if not options:
            return None
        left = tuple(
            say("{points} of {currency}", points=in_points(n), currency=currency)
            for currency, n in purse.items() if n
        )  # fmt: skip
        return s.Decision(
            side=self.side,
            stage="replacements",
            prompt=say("spend replacement points ({left} left), or say done", left=left),
            rule="14.1.2",
            options=(*options, s.Option(Done, {})),
            default=Done(),
            optional=True,
            policy="replacements",
        )

    check = s.by_verb(
        {
            Replace: s.checks(*REPLACE_CHECKS, *SPENDING_CHECKS),
            Rebuild: s.checks(*REBUILD_CHECKS, *SPENDING_CHECKS),
            Supply: s.checks(*SIEGE_CHECKS),
            Reclaim: s.checks(*RECLAIM_CHECKS),
            Done: s.checks(),
        }
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if isinstance(order, Replace):
            return self._restore(position, order)
        if isinstance(order, Rebuild):
            return self._rebuild(position, order)
        if isinstance(order, Supply):
            return self._feed(position, order)
        if isinstance(order, Reclaim):
            return self._reclaim(position, order)
        return s.Outcome()

    def _restore(self, position: Position, order: Replace) -> s.Outcome:
        place = position.place_of(order.unit)
        isolated = in_isolated_group(position, place) if position.is_on_map(order.unit) else ""
        served = self.isolated_served | ({isolated} if isolated else set())
        events = (*_paid(parts_of(position, order)), rare.UnitRestored(order.unit))
        spent = noted(self, position, order)
        return s.Outcome(events, keep=replace(self, isolated_served=served, spent=spent))

    def _rebuild(self, position: Position, order: Rebuild) -> s.Outcome:
        unit_type = position.type_of(order.unit)
        place = order.to if unit_type.is_corps else RESERVE
        placed = e.UnitPlaced(order.unit, place, reduced=order.steps < unit_type.steps)
        spent = noted(self, position, order)
        return s.Outcome(
            (*_paid(parts_of(position, order)), placed), keep=replace(self, spent=spent)
        )

    def _reclaim(self, position: Position, order: Reclaim) -> s.Outcome:
        parts = marker_payment(self, position, order)
        assert parts is not None
        return s.Outcome((*_paid(parts), rare.MarkersChanged(self.side, -order.count)), keep=self)

    @CITE.serves("16.1.8.2")
    def _feed(self, position: Position, order: Supply) -> s.Outcome:
        events = (
            rare.ReplacementsSpent("NAT", siege_cost(position)),
            e.SiegeChanged(order.name, position.sieges[order.name] + 1),
        )
        return s.Outcome(events, keep=replace(self, sieges_fed=self.sieges_fed | {order.name}))

    # --- what may be bought now -----------------------------------------------------------------

    def _legal(
        self, position: Position, orders: Callable[[Position], Iterator[s.Order]]
    ) -> Iterator[s.Order]:
        for order in orders(position):
            if not any(True for _ in self.check(position, order)):
                yield order

    def _replacements(self, position: Position) -> Iterator[s.Order]:
        for unit, counter in position.counters.items():
            if (
                counter.reduced
                and position.side_of(unit) == self.side
                and counter.place not in OFF_MAP - {RESERVE}
            ):
                yield Replace(unit)

    def _rebuildings(self, position: Position) -> Iterator[s.Order]:
        for unit in position.units_in(ELIMINATED, self.side):
            unit_type = position.type_of(unit)
            places = corps_spaces(position, unit) if unit_type.is_corps else ("",)
            for steps in range(1, unit_type.steps + 1):
                for place in places:
                    yield Rebuild(unit, steps, to=place)

    def _sieges(self, position: Position) -> tuple[s.Option, ...]:
        if self.side != NATIONALIST:
            return ()

        def feeding(position: Position) -> Iterator[s.Order]:
            return map(Supply, position.sieges)

        legal = self._legal(position, feeding)
        open_sieges = tuple(order.name for order in legal if isinstance(order, Supply))
        return (s.Option(Supply, {"name": s.OneOf(open_sieges)}),) if open_sieges else ()

    def _markers(self, position: Position) -> tuple[s.Option, ...]:
        counts = range(1, captured_markers(position, self.side) + 1)
        affordable = [n for n in counts if marker_payment(self, position, Reclaim(n)) is not None]
        return (s.Option(Reclaim, {"count": s.Amount(1, affordable[-1])}),) if affordable else ()


def _paid(parts: Parts) -> tuple[s.Event[Position], ...]:
    return tuple(rare.ReplacementsSpent(currency, halves) for currency, halves in parts)


@value
@CITE.rule("14.1.2")
class Lapse(s.AutoStage[Position]):
    """Unspent points are lost."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        left = tuple(c for c in position.tables.currencies[self.side] if position.rp.get(c, 0))
        return s.Outcome((rare.ReplacementsLapsed(left),) if left else ())
