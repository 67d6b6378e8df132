"""Attacks one after another in an orders file: the exact chances of the later ones.

A later attack depends on the dice of the earlier ones. Every way in which they may end is followed,
as long as there are few: the ways multiply with each attack.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Order, Side, State
from pbem.engine.odds import Aftermath, Chances, Factor, Odds, percent
from pbem.messages import Said, say
from pbem.play.prepare import Tried
from pbem.value import replace, value

MOST_ENDS = 8
"""The number of ends of the earlier attacks that are followed: each costs as much as the odds of an
attack.
"""

ALWAYS = say("the same however the earlier attacks end")
TOO_MANY = say(
    "as things are before the earlier attacks, which may end in more than {number} ways: "
    "these are not followed",
    number=MOST_ENDS,
)
NOT_ASKED = say("this is not asked for any more")


@value
class Case:
    """The chances of an attack for some of the ends of the earlier ones."""

    share: Fraction
    winners: frozenset[Side | None]
    """The possible winners of the previous attack in this case."""
    chances: Chances | None = None
    """None if it cannot be ordered."""
    why: Said = ""


@value
class InSeries:
    """The cases of a later attack, most likely first; none if there are too many to follow."""

    cases: tuple[Case, ...]
    supposed: tuple[Factor, ...] = ()
    """What is assumed between the attacks."""
    more: tuple[tuple[Said, Chances], ...] = ()
    """The chances with one more card of the player's own, if the same for all ends."""

    @property
    def heading(self) -> Said:
        """What holds for the odds of an attack with one case or none."""
        return ALWAYS if self.cases else TOO_MANY

    def in_all(self) -> Said:
        """How often the attack wins, counted over all cases."""
        wins = losing = Fraction()
        steps = ""
        for case in self.cases:
            if case.chances:
                attacks = case.chances.salvos[0].side
                ways, spread = case.chances.ways, case.chances.spread(attacks)
                wins += case.share * Fraction(case.chances.won_by(attacks), ways)
                losing += case.share * (1 - Fraction(spread.get(0, 0), ways))
                steps = case.chances.lost.some
        share = [percent(each.numerator, each.denominator) for each in (wins, losing)]
        return say("in all: wins {wins}, loses {steps} {losing}",
                   wins=share[0], steps=say(steps), losing=share[1])  # fmt: skip


def in_series(tried: Sequence[Tried], odds: Odds) -> Iterator[tuple[Tried, InSeries]]:
    """Each attack that follows another one in the file, with its cases.

    It ends where the course of the game is unknown: after an order that is not an attack or that
    waits.
    """
    attacks = [at for at, each in enumerate(tried) if type(each.order) in odds.attacks]
    if not attacks or tried[attacks[0]].is_ahead or tried[attacks[0]].is_passed_over:
        return
    first = attacks[0]
    ends: list[Aftermath] | None = [Aftermath(Fraction(1), None, tried[first].table.state)]
    last, supposed = tried[first].order, dict[Factor, None]()
    for each in tried[first + 1 :]:
        if type(each.order) not in odds.attacks or each.waits:
            return
        ends = _after(ends, last, odds, supposed) if ends else None
        if ends == []:
            return
        cases = _cases(ends, each.order, odds) if ends else ()
        more = tuple(_with_more(ends, each.order, odds)) if ends and len(cases) == 1 else ()
        yield each, InSeries(cases, tuple(supposed), more)
        last = each.order


def _after(
    ends: Sequence[Aftermath], order: Order, odds: Odds, supposed: dict[Factor, None]
) -> list[Aftermath] | None:
    """The possible states after an order, which lapses if it is not legal.

    None: too many; empty if the game does not say.
    """
    found: list[Aftermath] = []
    for end in ends:
        if kernel.violations(end.state, order):
            found.append(replace(end, winner=None))
            continue
        after, granted = odds.onward(end.state, order)
        if not after:
            return []
        supposed.update(dict.fromkeys(granted))
        found += (replace(each, share=end.share * each.share) for each in after)
        if len(found) > MOST_ENDS:
            return None
    return found


def _cases(ends: Sequence[Aftermath], order: Order, odds: Odds) -> tuple[Case, ...]:
    """The ends at which the order has the same chances, together."""
    found: dict[Any, Case] = {}
    for end in ends:
        told = _at(end.state, order, odds)
        case = found.get(told, Case(Fraction(), frozenset(), *told))
        found[told] = replace(
            case, share=case.share + end.share, winners=case.winners | {end.winner}
        )
    return tuple(sorted(found.values(), key=lambda each: -each.share))


def _with_more(
    ends: Sequence[Aftermath], order: Order, odds: Odds
) -> Iterator[tuple[Said, Chances]]:
    """The chances with each card that can be added, if they are the same at all ends."""
    if kernel.waits_for(ends[0].state) is None or kernel.violations(ends[0].state, order):
        return
    for card, more in odds.with_more(ends[0].state, order):
        cases = _cases(ends, more, odds)
        if len(cases) == 1 and cases[0].chances:
            yield card, cases[0].chances


def _at(state: State[Any], order: Order, odds: Odds) -> tuple[Chances | None, Said]:
    if kernel.waits_for(state) is None:
        return None, NOT_ASKED
    against = kernel.violations(state, order)
    if not against:
        return odds.of(state, order), ""
    return None, Factor(against[0].message, 0, against[0].rule).told
