"""The chances of the attacks in an orders file, in full, and as one line for `pbem check`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Side
from pbem.engine.odds import Chances, Factor, Salvo, percent
from pbem.engine.words import Words
from pbem.messages import say
from pbem.play.prepare import PASSED_OVER, Prepared, Tried
from pbem.play.series import MOST_ENDS, Case, InSeries, in_series
from pbem.problems import Problem, Refused
from pbem.text.wording import counted
from pbem.value import replace, value
from pbem.words import listing

WIDTH = 100
EARLIER = "as things are before the dice of the earlier attacks"
ALWAYS = "the same however the earlier attacks end"
TOO_MANY = (
    f"as things are before the earlier attacks, which may end in more than {MOST_ENDS} ways: "
    "these are not followed"
)


@value
class AttackOdds:
    """An attack of the file with its chances, or the reason why there are none."""

    order: Tried
    chances: Chances | None = None
    why: str = ""
    more: tuple[tuple[str, Chances], ...] = ()
    """The chances with one more card of the player's own, for each card by its name."""
    series: InSeries | None = None
    """Of a later attack, if examined: its chances for each end of the earlier ones."""

    def plain(self) -> dict[str, Any]:
        """For machines; a share is a pair: the ways that bring it, and all ways."""
        found: dict[str, Any] = {"at": self.order.where, "early": self.order.is_ahead}
        if self.series and self.series.cases:
            found["cases"] = [_case(each) for each in self.series.cases]
        if self.chances is None:
            return {**found, "untold": self.why}
        more = [{"with": card, **_whole(chances)} for card, chances in self.more]
        return {**found, **_whole(self.chances), **({"more": more} if more else {})}


def _case(case: Case) -> dict[str, Any]:
    share = [case.share.numerator, case.share.denominator]
    told = {"untold": case.why} if case.chances is None else _whole(case.chances)
    return {"share": share, **told}


def _whole(chances: Chances) -> dict[str, Any]:
    return {
        "where": chances.where,
        "fire": [_plain(each) for each in chances.salvos],
        "ways": chances.ways,
        "branches": [
            {"ways": each.ways, "winner": each.winner, "lost": dict(each.lost)}
            for each in chances.branches
        ],
        "notes": [_reason(each) for each in chances.notes],
        "supposed": [_reason(each) for each in chances.supposed],
    }


def _plain(salvo: Salvo) -> dict[str, Any]:
    return {
        "side": salvo.side,
        "strength": salvo.strength,
        **({"strengths": [list(each) for each in salvo.spread]} if salvo.spread else {}),
        "column": str(salvo.column),
        "shifts": [_reason(each) for each in salvo.shifts],
        "modifiers": [_reason(each) for each in salvo.modifiers],
    }


def _reason(factor: Factor) -> dict[str, Any]:
    number = {"number": factor.number} if factor.number else {}
    return {"what": str(factor.words), **number, "rule": factor.rule}


def odds_of(prepared: Prepared, *, whole: bool = False) -> tuple[AttackOdds, ...]:
    """The chances of every attack of orders that were judged.

    `whole`: with those with one card more, and of a later attack as the earlier ones may end.
    """
    odds = prepared.table.system.odds
    found = [_told(each) for each in prepared.tried if type(each.order) in odds.attacks]
    if not whole:
        return tuple(found)
    series = {each.where: told for each, told in in_series(prepared.tried, odds)}
    told = (replace(each, series=series.get(each.order.where)) for each in found)
    return tuple(map(_with_more, told))


def _with_more(told: AttackOdds) -> AttackOdds:
    """With the cards of one's own that could be added, after earlier attacks where these were
    followed."""
    if told.series and told.series.cases:
        return replace(told, more=told.series.more)
    if told.chances is None:
        return told
    state, odds = told.order.table.state, told.order.table.system.odds
    more = (
        (card, odds.of(state, order)) for card, order in odds.with_more(state, told.order.order)
    )
    return replace(told, more=tuple(more))


def _told(tried: Tried) -> AttackOdds:
    state = tried.table.state
    if tried.is_passed_over:
        return AttackOdds(tried, why=str(PASSED_OVER))
    if tried.is_ahead:
        asked = kernel.waits_for(state)
        if isinstance(asked, Decision) and not asked.takes(tried.order):
            return AttackOdds(tried, why="not known before its turn comes")
        against = kernel.violations(state, tried.order)
        if against:
            rule = f" [{against[0].rule}]" if against[0].rule else ""
            return AttackOdds(tried, why=f"not known before its turn comes: as things are now, "
                                         f"{against[0].message}{rule}")  # fmt: skip
    return AttackOdds(tried, tried.table.system.odds.of(state, tried.order))


def must_tell_odds(prepared: Prepared) -> None:
    """Raises Refused for a game without odds."""
    system = prepared.table.system
    if not system.odds.attacks:
        raise Refused(
            Problem(
                "no-odds",
                say("pbem cannot work out odds for {system} yet", system=system.title),
                hint=say("pbem check shows what is known about an attack before the dice"),
            )
        )


# --- in words -----------------------------------------------------------------------------------


def said(found: Sequence[AttackOdds], words: Words) -> Iterator[str]:
    """Every attack in a block of lines of at most 100 characters."""
    from textwrap import wrap  # pbem check, which comes here for a line only, does without

    if not found:
        yield "there is no attack in these orders"
    for at, each in enumerate(found):
        if at:
            yield ""
        for depth, line in _block(each, words):
            yield from wrap(
                line, WIDTH, initial_indent="  " * depth, subsequent_indent="  " * (depth + 1)
            )


def _block(told: AttackOdds, words: Words) -> Iterator[tuple[int, str]]:
    cases = told.series.cases if told.series else ()
    chances = next((each.chances for each in cases if each.chances), told.chances)
    if chances is None:
        why = cases[0].why if len(cases) == 1 else told.why
        yield 0, f"{told.order.where}: {why}"
        return
    yield 0, f"{told.order.where}: attack on {chances.where}"
    if len(cases) > 1:
        for case in cases:
            yield from _in_case(case, cases, words)
        yield 1, _in_all(cases)
    else:
        if told.order.is_ahead:
            yield 1, ALWAYS if cases else TOO_MANY if told.series else EARLIER
        yield from ((1, line) for line in in_lines(chances, words))
    if told.series and told.series.supposed:
        yield 1, f"assumed of earlier attacks: {'; '.join(map(_with_rule, told.series.supposed))}"
    yield from ((1, _with(card, other, chances, words)) for card, other in told.more)


def _in_case(case: Case, cases: Sequence[Case], words: Words) -> Iterator[tuple[int, str]]:
    """The chances in one case, below the line that says how the attack before it has ended then."""
    others = frozenset().union(*(each.winners for each in cases if each is not case))
    share = percent(case.share.numerator, case.share.denominator)
    sides = [words.of_side(each) for each in sorted(filter(None, case.winners))]
    who = listing([*sides, *(("no side",) if None in case.winners else ())], "or")
    won = f" if {who} wins before" if not case.winners & others else ""
    if case.chances is None:
        yield 1, f"{share}{won}: not possible, {case.why}"
        return
    yield 1, f"{share}{won}:"
    yield from ((2, line) for line in in_lines(case.chances, words))


def _in_all(cases: Sequence[Case]) -> str:
    """How often the attack wins, counted over all cases."""
    wins = losing = Fraction()
    steps = ""
    for case in cases:
        if case.chances:
            attacks = case.chances.salvos[0].side
            ways, spread = case.chances.ways, case.chances.spread(attacks)
            wins += case.share * Fraction(_ways_of(case.chances, attacks), ways)
            losing += case.share * (1 - Fraction(spread.get(0, 0), ways))
            steps = case.chances.loses
    share = [percent(each.numerator, each.denominator) for each in (wins, losing)]
    return f"in all: wins {share[0]}, loses a {steps} or more {share[1]}"


def _with(card: str, more: Chances, chances: Chances, words: Words) -> str:
    """The chances of an attack with one more card."""
    if (more.salvos, more.branches) == (chances.salvos, chances.branches):
        return f"with {card}: no difference"
    attacks, defends = more.salvos
    new = [each for each in more.supposed if each not in chances.supposed]
    assumed = f"; assumed: {'; '.join(map(_with_rule, new))}" if new else ""
    wins = percent(_ways_of(more, attacks.side), more.ways)
    return (
        f"with {card}: {_of(attacks)} against {_of(defends)}, wins {wins}, "
        f"{_loses(more, attacks)}; {words.of_side(defends.side)}: {_loses(more, defends)}{assumed}"
    )


def _loses(chances: Chances, salvo: Salvo) -> str:
    """How often a side loses anything."""
    losing = chances.ways_where(lambda each: each.lost_by(salvo.side) > 0)
    steps = f"a {chances.loses}" + " or more" * (max(chances.spread(salvo.side)) > 1)
    return f"loses {steps} {percent(losing, chances.ways)}"


def in_lines(chances: Chances, words: Words) -> Iterator[str]:
    """The fire of each side, then who wins and loses what, then what matters besides the dice."""
    for salvo in chances.salvos:
        yield f"{words.of_side(salvo.side)}: {_fire(salvo, chances.ways)}"
    for salvo in chances.salvos:
        spread = chances.spread(salvo.side).items()
        steps = ", ".join(f"{counted(n, chances.loses)} {percent(ways, chances.ways)}"
                          for n, ways in spread)  # fmt: skip
        wins = percent(_ways_of(chances, salvo.side), chances.ways)
        yield f"{words.of_side(salvo.side)}: wins {wins}; loses {steps}"
    nobody = _ways_of(chances, None)
    if nobody:
        yield f"no side wins: {percent(nobody, chances.ways)}"
    for note in chances.notes:
        yield _with_rule(note)
    yield f"assumed: {'; '.join(map(_with_rule, chances.supposed))}"


def _ways_of(chances: Chances, winner: Side | None) -> int:
    return chances.ways_where(lambda each: each.winner == winner)


def _fire(salvo: Salvo, of: int) -> str:
    shares = (f"{number} ({percent(ways, of)})" for number, ways in salvo.spread)
    found = f"{salvo.called} {listing(shares, 'or') or salvo.strength}, {salvo.column}"
    if salvo.shifts:
        shifts = (f"{each.words} {abs(each.number)}{'LR'[each.number > 0]} [{each.rule}]"
                  for each in salvo.shifts)  # fmt: skip
        found += f" ({', '.join(shifts)})"
    modifiers = (f"{each.number:+d} {each.words} [{each.rule}]".replace("-", "−", 1)
                 for each in salvo.modifiers)  # fmt: skip
    return "; ".join((found, *((f"die {', '.join(modifiers)}",) if salvo.modifiers else ())))


def _of(salvo: Salvo) -> str:
    return listing((f"{number}" for number, _ in salvo.spread), "or") or f"{salvo.strength}"


def _with_rule(factor: Factor) -> str:
    return f"{factor.words} [{factor.rule}]"


def in_short(told: AttackOdds) -> Iterator[str]:
    """The same in a line from the attacker's side, and a line for each thing besides the dice."""
    chances = told.chances
    if chances is None:
        yield f"{told.order.where}: the odds are {told.why}"
        return
    attacks, defends = chances.salvos
    wins = percent(_ways_of(chances, attacks.side), chances.ways)
    yield (
        f"{told.order.where}: {_of(attacks)} against {_of(defends)} in {chances.where}: "
        f"wins {wins}, {_loses(chances, attacks)}"
    )
    yield from (f"  {_with_rule(note)}" for note in chances.notes)
    if told.order.is_ahead:
        yield f"  {EARLIER}"
