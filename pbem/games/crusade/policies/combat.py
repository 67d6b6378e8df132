"""What the defenders do in a combat: they lose steps, stay or withdraw, spare and restore units."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from pbem.engine.conditions import clauses_of
from pbem.engine.model import Order, Side
from pbem.engine.policies.rows import Answer, Clause, Document, Example, best_by, unless
from pbem.engine.shapes import TRUE, ByKind, Fields, Many, OneField, OrWord, Word
from pbem.games.crusade.conditions import FACTS, LOSS_RANKING, LOSS_WORD, RANKING, WHEN, WHEN_ROLLED
from pbem.games.crusade.effects.combat_cards import restoring_cards
from pbem.games.crusade.orders import Advance, CancelRetreat, Losses, WithdrawFirst
from pbem.games.crusade.policies.moment import as_both_see
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, Combat, Position
from pbem.games.crusade.rules import ranking
from pbem.games.crusade.rules.allocations import Allocation
from pbem.games.crusade.rules.options_combat import steps_to_stay
from pbem.games.crusade.rules.ranking import FLIP, LAST, ORDER, first_named
from pbem.games.crusade.rules.retreat import having_paid, heirs_of, payers_in_order
from pbem.messages import say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.staying import StandFast

# --- losses, in a combat and before the first turn ----------------------------------------------


def _losing(position: Position, stage: Any, policy: Document) -> Order | None:
    """The legal losses that best match the ranked lines of a policy."""
    written = policy.get("losses", ())
    words = [word for word in written if isinstance(word, str)]  # short for one order of words
    lines = [line for line in written if not isinstance(line, str)]
    if words:
        lines = [{ORDER: words}, *lines]
    if position.combat is None:
        return _before_the_first_turn(position, stage, lines) if lines else None
    successors = policy.get("successor", ())
    said = (words for line in lines for words in line.values() if words is not True)
    named = {word for words in (*said, successors) for word in words}
    best = stage.fight(position, named).best
    return ranking.preferred(position, lines, best, successors).order()


def _before_the_first_turn(position: Position, stage: Any, lines: Sequence[ranking.Line]) -> Order:
    """Losses before the first turn, which eliminate no unit: the lines choose among the exact
    sums.
    """
    from pbem.games.crusade.rules.initial_losses import amount_owed, least_losses, losers

    def liking(unit: str) -> tuple[int, ...]:
        alone = Allocation({unit: 1})
        costs = (each for line in lines for each in ranking.line_cost(position, line, alone))
        return tuple(count for each in costs for count in each)

    owed = amount_owed(position, stage.side, stage.number)
    return Losses(least_losses(position, losers(position, stage.side), owed, liking))


def _own_types(position: Position, side: Side) -> Example:
    """The types of the divisions that are in play, in the order that loses least."""
    out = (POOL, ELIMINATED, REMOVED)
    units = (unit for place, units in position.stacks.items() if place not in out for unit in units)
    own = [unit for unit in units if position.side_of(unit) == side]
    types = ranking.by_what_is_lost(position, (u for u in own if not position.type_of(u).is_corps))
    return f"[{', '.join((FLIP, *types))}]", say("what is lost first")


A_LINE = OneField(
    {ORDER: LOSS_RANKING, LAST: RANKING, FLIP: TRUE},
    say("a line of losses has {order}, {last} or {flip}", order=ORDER, last=LAST, flip=FLIP),
    say("{lose_last: [AFR]}"),
)
LOSSES: Clause = Clause(
    Many(
        ByKind(mapping=A_LINE, other=LOSS_WORD),
        say("losses must be a list"),
        "[MIL, POL, INF]",
        once=True,
        needed=True,
        leads=(FLIP,),
    ),
    answers={"losses": Answer(_losing), "own_losses": Answer(_losing)},
    example=_own_types,
)
SUCCESSOR: Clause = Clause(RANKING)
ADVANCE: Clause = Clause(
    Word(
        ("never",),
        say("advance must be never, or left out so that the game asks"),
        rule="11.5.1",
        hint=say("where units advance is said in the order of their attack"),
    ),
    lambda position, stage, said: Advance(),
)

# --- cancelling a retreat -----------------------------------------------------------------------


def _paying(position: Position, stage: StandFast, policy: Document) -> Order:
    """The unit that pays by the first clause that holds and finds one; else none.

    Of two steps the first is paid only if the clause can also pay the second (18.2.9). The second
    follows the clause that paid the first, so its condition is judged on the position before the
    payment.
    """
    combat = position.fought
    first, then = replace(combat, paid=0), as_both_see(stage.before or position)
    for clause in FACTS.holding(then, first, clauses_of(policy.get("cancel_retreat", "never"))):
        words = clause.get("from", ())
        willing = payers_in_order(then, first, words)
        could = [unit for unit in willing if _can_pay_on(then, first, words, unit, policy)]
        if could and combat.paid:
            could = payers_in_order(position, combat, words)
        if could:
            return CancelRetreat(could[0], _successor(position, combat, could[0], policy))
    return CancelRetreat()


def _can_pay_on(
    position: Position, combat: Combat, words: Sequence[str], payer: str, policy: Document
) -> bool:
    """Whether the clause can still pay the next step after this one, if one is owed."""
    if steps_to_stay(position, combat) < 2:
        return True
    heir = _successor(position, combat, payer, policy)
    return bool(payers_in_order(*having_paid(position, combat, payer, heir), words))


def _successor(position: Position, combat: Combat, payer: str, policy: Document) -> str:
    """The replacement of a corps that pays with its last step."""
    if position.steps_left(payer) > 1:
        return ""
    heirs = heirs_of(position, combat, payer)
    return first_named(position, policy.get("successor", ()), heirs) if heirs else ""


A_CLAUSE = Fields({"when": WHEN_ROLLED, "from": LOSS_RANKING}, say("a clause needs when and from"))
CANCEL_RETREAT: Clause = Clause(
    OrWord(
        ("never", "always"),
        Many(
            A_CLAUSE,
            say("cancel_retreat must be never, always or a list of clauses"),
            say("[{when: {space: [madrid]}, from: [MIL]}]"),
            needed=True,
            never=partial(FACTS.unreached, narrows="from"),
        ),
    ),
    answers={"cancel_retreat": Answer(_paying)},
    example=("never", say("always, or [{when: {space: [madrid]}, from: [MIL]}]")),
)

# --- withdrawing, a step that a card restores, a unit that is spared ----------------------------


def _restorable(position: Position, side: Side) -> bool:
    return side in {position.card(card).side for card in restoring_cards(position)}


def _withdraws(position: Position, side: Side) -> bool:
    return position.option("18.3.1")


WITHDRAW_FIRST: Clause = Clause(
    ByKind(
        say("withdraw_first must be yes, no, or a when"),
        mapping=Fields({"when": WHEN}, ""),
        flag=True,
    ),
    lambda position, stage, said: WithdrawFirst(FACTS.allows(position, position.fought, said)),
    unasked=unless(_withdraws, say("withdrawal before combat needs option 18.3.1"), "18.3.1"),
    example=("false", say('true, or {when: {odds_column: ">=6"}}')),
)
RALLY: Clause = Clause(
    RANKING,
    best_by(first_named),
    unasked=unless(_restorable, say("none of your cards restores a step")),
)
SPARE: Clause = Clause(
    RANKING,
    best_by(first_named),
    unasked=unless(_withdraws, say("no unit is spared without option 18.3.1"), "18.3.1"),
)
