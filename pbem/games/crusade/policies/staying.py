"""Whether the defenders stay: withdrawing before combat, and paying so that nobody retreats."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pbem.engine.conditions import clauses_of
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policy_rows import Answer, Clause, Document, Written
from pbem.engine.shapes import Also, ByKind, Fields, ListOf, OrWord, Path
from pbem.games.crusade.conditions import FACTS, LOSS_RANKING, WHEN, WHEN_ROLLED
from pbem.games.crusade.orders import CancelRetreat, WithdrawFirst
from pbem.games.crusade.policies.moment import as_both_see
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.options_combat import steps_to_stay
from pbem.games.crusade.rules.ranking import (
    FLIP,
    deaths,
    first_named,
    is_named,
    loses_least,
    place_of,
)
from pbem.games.crusade.rules.retreat import having_paid, heirs_of, payers, price_of
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.staying import StandFast
    from pbem.games.crusade.stages.combat.withdrawal import Withdrawal

# --- cancelling a retreat -----------------------------------------------------------------------


def _paying(position: Position, stage: StandFast, policy: Document) -> Order:
    """The unit that pays by the first clause that holds and finds one; without one nobody pays.

    Of two steps the first is paid only where the clause can also pay the second (18.2.9). The
    second follows the clause which paid the first, so its condition is judged on the table before
    the payment.
    """
    combat = position.fought
    first = replace(combat, paid=0)
    then = as_both_see(stage.before or position)
    for clause in FACTS.holding(then, first, clauses_of(policy.get("cancel_retreat", "never"))):
        if could := _who_sees_it_through(then, first, clause, policy):
            for payer in _willing(position, combat, clause) if combat.paid else could:
                return CancelRetreat(payer, _successor(position, combat, payer, policy))
    return CancelRetreat()


def _who_sees_it_through(
    position: Position, combat: Combat, clause: Document, policy: Document
) -> list[str]:
    """The units that could pay by a clause so that it also finds the rest."""
    return [
        payer
        for payer in _willing(position, combat, clause)
        if _can_pay_on(position, combat, clause, payer, _successor(position, combat, payer, policy))
    ]


def _willing(position: Position, combat: Combat, clause: Document) -> list[str]:
    """The units that could pay by a clause, in its order; among equals the one that loses least."""
    words = clause.get("from", ())

    def rank(unit: str) -> tuple[Any, ...]:
        alone = price_of(position, combat, unit)
        return (
            deaths(position, alone) if FLIP in words else (),
            place_of(position, words, unit),
            *loses_least(position, alone),
        )

    could = payers(position, combat)
    return sorted((u for u in could if not words or is_named(position, words, u)), key=rank)


def _can_pay_on(
    position: Position, combat: Combat, clause: Document, payer: str, heir: str
) -> bool:
    """Whether the clause can still pay the next step after this one, if one is owed."""
    if steps_to_stay(position, combat) < 2:
        return True
    after, paid = having_paid(position, combat, payer, heir)
    return bool(_willing(after, paid, clause))


def _successor(position: Position, combat: Combat, payer: str, policy: Document) -> str:
    """Who replaces a corps that pays with its last step."""
    if not position.type_of(payer).is_corps or position.steps_left(payer) > 1:
        return ""
    heirs = heirs_of(position, combat, payer)
    return first_named(position, policy.get("successor", ()), heirs) if heirs else ""


def _behind_the_last(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    return FACTS.unreached(clauses_of(policy["cancel_retreat"]), path, narrows="from")


CANCEL_RETREAT: Clause = Clause(
    OrWord(
        ("never", "always"),
        ListOf(
            Fields({"when": WHEN_ROLLED, "from": LOSS_RANKING}, "a clause needs when and from"),
            "cancel_retreat must be never, always or a list of clauses",
            "[{when: {space: [madrid]}, from: [MIL]}]",
        ),
    ),
    {"cancel_retreat": Answer(_paying)},
    vain=_behind_the_last,
    example=("never", "always, or [{when: {space: [madrid]}, from: [MIL]}]"),
)

# --- withdrawing --------------------------------------------------------------------------------


def _withdrawing(position: Position, stage: Withdrawal, policy: Document) -> Order:
    """The defenders withdraw if the policy says so, always or in such a combat."""
    said = policy.get("withdraw_first", False)
    return WithdrawFirst(FACTS.allows(position, position.fought, said))


def _never_withdraws(position: Position, side: Side) -> Violation | None:
    if position.option("18.3.1"):
        return None
    return Violation("withdrawal before combat needs option 18.3.1", rule="18.3.1")


def _may_withdraw(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    why = _never_withdraws(position, side)
    if why is not None:
        yield replace(why, at=path)


WITHDRAW_FIRST: Clause = Clause(
    Also(
        ByKind(
            "withdraw_first must be yes, no, or a when",
            mapping=Fields({"when": WHEN}, ""), flag=True,
        ),
        _may_withdraw,
        first=True,
    ),
    {"withdraw_first": Answer(_withdrawing)},
    unasked=_never_withdraws,
    example=("false", 'true, or {when: {odds_column: ">=6"}}'),
)  # fmt: skip
