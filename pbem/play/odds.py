"""The chances of the attacks in an orders file, in full, and as one line for `pbem check`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from pbem.engine import kernel
from pbem.engine.model import Decision, Side
from pbem.engine.odds import Chances, Factor, Salvo, percent
from pbem.engine.words import Words
from pbem.late import Late
from pbem.messages import (
    ENGLISH,
    Language,
    Message,
    Row,
    Said,
    either,
    indented,
    marked,
    say,
    words,
)
from pbem.play.prepare import PASSED_OVER, Prepared, Tried
from pbem.play.reports import reported
from pbem.problems import Problem, Refused
from pbem.value import replace, value
from pbem.words import to_lines

if TYPE_CHECKING:
    from pbem.play.series import Case, InSeries, in_series
else:
    in_series = Late("pbem.play.series").in_series
"""Only attacks one after another need it."""

WIDTH = 100
EARLIER = say("as things are before the dice of the earlier attacks")
LATER = say("not known before its turn comes")


@value
class AttackOdds:
    """An attack of the file with its chances, or the reason why there are none."""

    order: Tried
    chances: Chances | None = None
    why: Said = ""
    more: tuple[tuple[Said, Chances], ...] = ()
    """The chances with one more card of the player's own, for each card by its name."""
    series: InSeries | None = None
    """Of a later attack, if examined: its chances for each end of the earlier ones."""

    def plain(self) -> dict[str, Any]:
        """For programs. A share is a pair: the number of ways that bring it, and of all ways."""
        found: dict[str, Any] = {"at": self.order.where, "early": self.order.is_ahead}
        if self.series and self.series.cases:
            found["cases"] = [_case(each) for each in self.series.cases]
        if self.chances is None:
            return {**found, "untold": str(self.why)}
        more = [{"with": str(card), **_whole(chances)} for card, chances in self.more]
        return {**found, **_whole(self.chances), **({"more": more} if more else {})}


def _case(case: Case) -> dict[str, Any]:
    share = [case.share.numerator, case.share.denominator]
    told = {"untold": str(case.why)} if case.chances is None else _whole(case.chances)
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
    return {"what": str(factor.words), **number, "rule": str(factor.rule)}


def odds_of(prepared: Prepared, *, whole: bool = False) -> tuple[AttackOdds, ...]:
    """The chances of every attack of orders that were judged.

    `whole`: with those with one card more, and of a later attack as the earlier ones may end.
    """
    odds = prepared.table.system.odds
    found = [_told(each) for each in prepared.tried if type(each.order) in odds.attacks]
    if not whole:
        return tuple(found)
    is_series = len(found) > 1
    series = {at.where: told for at, told in in_series(prepared.tried, odds)} if is_series else {}
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
        return AttackOdds(tried, why=PASSED_OVER)
    if tried.is_ahead:
        asked = kernel.waits_for(state)
        if isinstance(asked, Decision) and not asked.takes(tried.order):
            return AttackOdds(tried, why=LATER)
        against = kernel.violations(state, tried.order)
        if against:
            now = Factor(against[0].message, 0, against[0].rule).told
            why = say("{later}: as things are now, {now}", later=LATER, now=now)
            return AttackOdds(tried, why=why)
    return reported(
        lambda: AttackOdds(tried, tried.table.system.odds.of(state, tried.order)),
        failing=lambda line: AttackOdds(tried, why=say("not known ({fault})", fault=line)),
    )


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


def said(found: Sequence[AttackOdds], called: Words, language: Language = ENGLISH) -> Iterator[str]:
    """Every attack in a block of lines of at most 100 characters, in a language.

    `called` has the game's names for the sides.
    """
    if not found:
        yield words(say("there is no attack in these orders"), language)
    for at, each in enumerate(found):
        if at:
            yield ""
        for depth, line in _block(each, called):
            indent = "  " * depth
            yield from to_lines(words(line, language), WIDTH, indent, indent + "  ")


def _block(told: AttackOdds, called: Words) -> Iterator[tuple[int, Said]]:
    cases = told.series.cases if told.series else ()
    chances = next((each.chances for each in cases if each.chances), told.chances)
    at = told.order.where
    if chances is None:
        why = cases[0].why if len(cases) == 1 else told.why
        yield 0, say("{at}: {why}", at=at, why=why)
        return
    yield 0, say("{at}: attack on {place}", at=at, place=chances.where)
    if told.series and len(cases) > 1:
        for case in cases:
            yield from _in_case(case, cases, called)
        yield 1, told.series.in_all()
    else:
        if told.order.is_ahead:
            yield 1, told.series.heading if told.series else EARLIER
        yield from ((1, line) for line in in_lines(chances, called))
    if told.series and told.series.supposed:
        yield 1, say("assumed of earlier attacks: {facts}", facts=_all_of(told.series.supposed))
    yield from ((1, _with(card, other, chances, called)) for card, other in told.more)


def _in_case(case: Case, cases: Sequence[Case], called: Words) -> Iterator[tuple[int, Said]]:
    """The chances in one case, below the line that says how the attack before it has ended then."""
    others = frozenset().union(*(each.winners for each in cases if each is not case))
    then: Said = percent(case.share.numerator, case.share.denominator)
    if not case.winners & others:
        sides = [_side(each, called) for each in sorted(filter(None, case.winners))]
        who = either([*sides, *([say("no side")] if None in case.winners else [])])
        then = say("{share} if {who} wins before", share=then, who=who)
    if case.chances is None:
        yield 1, say("{then}: not possible, {why}", then=then, why=case.why)
        return
    yield 1, say("{then}:", then=then)
    yield from ((2, line) for line in in_lines(case.chances, called))


def _with(card: Said, more: Chances, chances: Chances, called: Words) -> Said:
    """The chances of an attack with one more card."""
    if (more.salvos, more.branches) == (chances.salvos, chances.branches):
        return say("with {card}: no difference", card=card)
    attacks, defends = more.salvos
    told = say(
        "with {card}: {attack} against {defence}, wins {wins}, {lost}; {enemy}: {theirs}",
        card=card, attack=_of(attacks), defence=_of(defends),
        wins=percent(more.won_by(attacks.side), more.ways), lost=_loses(more, attacks),
        enemy=_side(defends.side, called), theirs=_loses(more, defends),
    )  # fmt: skip
    new = [each for each in more.supposed if each not in chances.supposed]
    return say("{told}; assumed: {facts}", told=told, facts=_all_of(new)) if new else told


def _loses(chances: Chances, salvo: Salvo) -> Said:
    """How often a side loses anything."""
    losing = chances.ways_where(lambda each: each.lost_by(salvo.side) > 0)
    lost = chances.lost
    steps = say(lost.some if max(chances.spread(salvo.side)) > 1 else lost.one)
    return say("loses {steps} {share}", steps=steps, share=percent(losing, chances.ways))


def in_lines(chances: Chances, called: Words) -> Iterator[Said]:
    """The fire of each side, then who wins and loses what, then what matters besides the dice."""
    for salvo in chances.salvos:
        side = _side(salvo.side, called)
        yield say("{side}: {fire}", side=side, fire=_fire(salvo, chances.ways))
    for salvo in chances.salvos:
        steps = (
            say("{steps} {share}", steps=chances.lost.many(number),
                share=percent(ways, chances.ways))
            for number, ways in chances.spread(salvo.side).items()
        )  # fmt: skip
        yield say(
            "{side}: wins {wins}; loses {steps}", side=_side(salvo.side, called),
            wins=percent(chances.won_by(salvo.side), chances.ways), steps=Row(tuple(steps)),
        )  # fmt: skip
    nobody = chances.won_by(None)
    if nobody:
        yield say("no side wins: {share}", share=percent(nobody, chances.ways))
    for note in chances.notes:
        yield note.told
    yield say("assumed: {facts}", facts=_all_of(chances.supposed))


def _side(side: Side, called: Words) -> Said:
    return say(called.of_side(side))


def _fire(salvo: Salvo, of: int) -> Said:
    told = say("{called} {strength}, {column}", called=salvo.called, column=salvo.column,
               strength=_strengths(salvo, of))  # fmt: skip
    if salvo.shifts:
        told = say("{fire} ({shifts})", fire=told, shifts=Row(tuple(map(_shift, salvo.shifts))))
    if salvo.modifiers:
        changes = Row(tuple(map(_modifier, salvo.modifiers)))
        told = say("{fire}; die {modifiers}", fire=told, modifiers=changes)
    return told


def _strengths(salvo: Salvo, of: int) -> Said:
    if not salvo.spread:
        return f"{salvo.strength}"
    return either(
        say("{strength} ({share})", strength=number, share=percent(ways, of))
        for number, ways in salvo.spread
    )


def _shift(factor: Factor) -> Said:
    left, right = marked("{why} {columns}L [{rule}]"), marked("{why} {columns}R [{rule}]")
    return say(
        right if factor.number > 0 else left,
        why=factor.words,
        columns=abs(factor.number),
        rule=factor.rule,
    )


def _modifier(factor: Factor) -> Said:
    number = f"{factor.number:+d}".replace("-", "−", 1)
    return say("{number} {why}", number=number, why=factor.told)


def _of(salvo: Salvo) -> Said:
    return either(number for number, _ in salvo.spread) if salvo.spread else f"{salvo.strength}"


def _all_of(factors: Sequence[Factor]) -> Row:
    return Row(tuple(each.told for each in factors), "; ")


def at_a_glance(chances: Chances) -> Message:
    """Strengths, how often the attacker wins, and how often they lose something."""
    attacks, defends = chances.salvos
    return say(
        "{attack} against {defence} in {place}: wins {wins}, {lost}",
        attack=_of(attacks), defence=_of(defends), place=chances.where,
        wins=percent(chances.won_by(attacks.side), chances.ways), lost=_loses(chances, attacks),
    )  # fmt: skip


def in_short(told: AttackOdds) -> Iterator[Said]:
    """The same in a line from the attacker's side, and a line for each thing besides the dice."""
    chances, at = told.chances, told.order.where
    if chances is None:
        yield say("{at}: the odds are {why}", at=at, why=told.why)
        return
    yield say("{at}: {odds}", at=at, odds=at_a_glance(chances))
    yield from map(indented, (note.told for note in chances.notes))
    if told.order.is_ahead:
        yield indented(EARLIER)
