"""What changes in a game that goes on by other data and fixes: it is tried both ways.

Nothing is only read off the data: the position is carried over and compared, and whatever can be
ordered at the next decision is ordered before and after.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache, partial
from itertools import islice
from typing import Any

from pbem.engine import kernel
from pbem.engine.choices import OneOf, SomeOf, every
from pbem.engine.model import Option, Order, Side
from pbem.engine.public import plain
from pbem.gamedata.changes import changes
from pbem.gamedata.load import schema
from pbem.gamedata.meaning import without_told
from pbem.gamedata.where import SCENARIOS
from pbem.gamefile.canonical import encoded
from pbem.gamefile.in_play import PLAYERS, Policy
from pbem.gamefile.keys import KeyPair
from pbem.messages import ENGLISH, Said, say, say_many, words
from pbem.play.game import Game
from pbem.play.order_lines import said
from pbem.play.player_view import player_view
from pbem.play.systems import OpenedGame
from pbem.play.table import Illegal, Table, spelled
from pbem.text.wording import kind_of, quoted
from pbem.value import replace, value

MOST_ORDERS = 200
"""So many orders are tried: those that a form shows, and what they could say in their place."""
MOST_LINES = 100
LONGEST_LINE = 400


@value
class _Both:
    """A table by the rules and data of now, and the same one carried over."""

    game: Game
    now: Table
    then: Table
    side: Side | None = None
    """The side that sees its own covered counters by name; None: nobody does."""

    def line(self, order: Mapping[str, Any]) -> Said:
        """An order as its player writes it."""
        return said(self.now, order, self.side)


def public_changes(game: Game, new: OpenedGame) -> tuple[Said, ...]:
    """What changes, as far as both players can know it: what an offer names.

    Raises FileRefused (E-RULES) where the position cannot be carried over.
    """
    assert game.table is not None
    both = _Both(game, game.table, game.table.upgraded(new.pins))
    lines = [*_fixes(game.opened, new), *_values(game, new), *_position(both), *_decision(both)]
    lines += _given(both)
    for policy in game.fold.machine.pending.policies:
        if policy.doc is not None:
            lines += _policy(both, policy.by, policy, policy.doc)
    return _bounded(lines) or (say("nothing changes that both players can see"),)


def own_changes(game: Game, new: OpenedGame, key: KeyPair) -> tuple[Said, ...]:
    """What else changes for the owner of `key`, by what they alone know."""
    view = player_view(game, key)
    player = game.fold.player_of(key.public)
    both = _Both(game, view.table, view.table.upgraded(new.pins), game.side_of(player))
    known = {*map(words, public_changes(game, new))}
    lines = [line for line in _decision(both) if words(line) not in known]
    for policy, document in view.policies:
        if policy.doc is None and document is not None:
            lines += _policy(both, player, policy, document)
    return _bounded(lines)


def in_english(lines: Iterable[Said]) -> list[str]:
    """The lines as an offer has them: in the language of the file, each short enough."""
    return [words(line, ENGLISH).replace("\n", " ")[:LONGEST_LINE] for line in lines]


def _bounded(lines: list[Said]) -> tuple[Said, ...]:
    found = list({words(line): line for line in lines}.values())
    more = len(found) - MOST_LINES
    if more > 0:
        rest = say_many("more", "and {more} more thing", "and {more} more things", more=more)
        return (*found[:MOST_LINES], rest)
    return tuple(found)


# --- rules and data


def _fixes(old: OpenedGame, new: OpenedGame) -> Iterator[Said]:
    for fix in new.system.fixes:
        if fix.number in new.fixes and fix.number not in old.fixes:
            yield say("rule {rule}: {what} (fix {number} of {date})", rule=fix.rule, what=fix.what,
                      number=fix.number, date=fix.date)  # fmt: skip
        elif fix.number in old.fixes and fix.number not in new.fixes:
            yield say("rule {rule}: no longer: {what} (fix {number} of {date})", rule=fix.rule,
                      what=fix.what, number=fix.number, date=fix.date)  # fmt: skip


def _values(game: Game, new: OpenedGame) -> Iterator[Said]:
    """The values of the data that are others, but for those of other scenarios."""
    slug, scenario = game.opened.system.slug, game.fold.proposal["scenario"]
    schema_of = cache(partial(schema, slug))
    old_parts, new_parts = (_parts(each.plain, scenario) for each in (game.opened, new))
    for part in sorted({*old_parts, *new_parts}):
        fitting = schema_of("scenario" if part == scenario else part)
        before, after = (
            without_told(fitting, parts.get(part, {}), named=True)
            for parts in (old_parts, new_parts)
        )
        for each in changes(fitting, before, after):
            named = each.entry.startswith(f"{part} ")
            where = " ".join(filter(None, ("" if named else part, each.entry, each.key)))
            yield from _otherwise(where, each.ours, each.own)


def _parts(tables: Mapping[str, Any], scenario: str) -> dict[str, Any]:
    parts = {part: tables[part] for part in tables if part != SCENARIOS}
    return {**parts, scenario: tables[SCENARIOS].get(scenario, {})}


# --- the position


def _position(both: _Both) -> Iterator[Said]:
    for where, before, after in _differing("", *map(_public, (both.now, both.then))):
        yield from _otherwise(where, before, after)


def _public(table: Table) -> Any:
    return plain(table.public())


def _differing(where: str, before: Any, after: Any) -> Iterator[tuple[str, Any, Any]]:
    """Each place at which two public positions differ; of a list of pairs, by their names."""
    if before == after:
        return
    before, after = _as_mapping(before), _as_mapping(after)
    if isinstance(before, dict) and isinstance(after, dict):
        for key in dict.fromkeys((*before, *after)):
            yield from _differing(f"{where} {key}".strip(), before.get(key), after.get(key))
    else:
        yield where, before, after


def _as_mapping(found: Any) -> Any:
    pairs = isinstance(found, list) and found and all(
        isinstance(each, list) and len(each) == 2 and isinstance(each[0], str) for each in found
    )  # fmt: skip
    return dict(found) if pairs else found


def _otherwise(where: str, before: Any, after: Any) -> Iterator[Said]:
    if before is None:
        yield say("{where}: {after}; there was none", where=where, after=_short(after))
    elif after is None:
        yield say("{where}: there is none any more; it was {before}", where=where,
                  before=_short(before))  # fmt: skip
    else:
        yield say("{where}: {after}; it was {before}", where=where, after=_short(after),
                  before=_short(before))  # fmt: skip


def _short(found: Any) -> Said:
    if isinstance(found, str) or type(found) is int:
        return f"{found}"
    if isinstance(found, bool):
        return say("yes") if found else say("no")
    told = encoded(found).decode()
    return told if len(told) <= 60 else kind_of(found)


# --- orders


def _decision(both: _Both) -> Iterator[Said]:
    """The present question, and what every order that could answer it would be and do."""
    now, then = both.now.decision, both.then.decision
    if now is None and then is None:
        return
    if _asked(both.now) != _asked(both.then):
        yield (
            say("the game then asks nothing here")
            if then is None
            else say("the game then asks something else: {question}", question=then.prompt)
        )
    there = {*_differing_places(_public(both.now), _public(both.then))}
    for order in _orders(both):
        yield from _order(both, order, there)


def _asked(table: Table) -> tuple[str, str]:
    decision = table.decision
    return ("", "") if decision is None else (decision.side, words(decision.prompt))


def _orders(both: _Both) -> Iterator[Order]:
    """Orders that a form of the one or the other would show, each once."""
    decisions = (both.now.decision, both.then.decision)
    options = [option for asked in decisions if asked for option in asked.options]
    each_of = MOST_ORDERS // max(1, len(options))
    samples = (order for option in options for order in islice(_samples(option), each_of))
    return iter({repr(order): order for order in samples}.values())


def _samples(option: Option) -> Iterator[Order]:
    if option.examples is None:
        first = {name: _some(choice)[:1] for name, choice in option.fields.items()}
        base = option.order(**{name: found[0] for name, found in first.items() if found})
        yield base
        for name, choice in option.fields.items():
            yield from (replace(base, **{name: each}) for each in _some(choice))
        return
    for example in option.examples(every):
        yield example.order
        for name, others in example.others.items():
            yield from (replace(example.order, **{name: each}) for each in others)


def _some(choice: Any) -> tuple[Any, ...]:
    """Some values of a field, by which orders can be told apart."""
    if isinstance(choice, OneOf):
        return choice.values
    if isinstance(choice, SomeOf):
        return tuple(choice.values[: max(number, choice.at_least)] for number in range(3))
    return (choice.least, choice.most)


def _order(both: _Both, order: Order, there: set[tuple[str, bytes]]) -> Iterator[Said]:
    """What an order would do otherwise; `there` is what is different already before it."""
    now, then = (_result(each, order) for each in (both.now, both.then))
    line = both.line(spelled(order).plain)
    if isinstance(now, Table) and isinstance(then, Table):
        for where, old, new in _differing("", _public(now), _public(then)):
            if (where, encoded([old, new])) not in there:
                yield say("{order}: then {where} is {then}; it was {now}", order=line, where=where,
                          then=_short(new), now=_short(old))  # fmt: skip
        if words(_next(now)) != words(_next(then)):
            yield say("{order}: what follows is {then}; it was {now}", order=line,
                      then=_next(then), now=_next(now))  # fmt: skip
    elif isinstance(then, Table):
        yield say("{order}: becomes legal", order=line)
    elif isinstance(now, Table):
        yield say("{order}: is no longer legal: {why}", order=line, why=then)


def _result(table: Table, order: Order) -> Table | Said:
    """The table after an order, or why it is not legal."""
    try:
        return table.take(order)
    except Illegal as illegal:
        first = illegal.violations[0]
        return say("{why} [rule {rule}]", why=first.message, rule=first.rule) if first.rule else (
            first.message
        )  # fmt: skip


def _differing_places(before: Any, after: Any) -> set[tuple[str, bytes]]:
    return {(where, encoded([old, new])) for where, old, new in _differing("", before, after)}


def _next(table: Table) -> Said:
    wanted = kernel.waits_for(table.state)
    if wanted is None:
        return say("nothing, the game is over")
    return getattr(wanted, "prompt", "") or wanted.stage


def _given(both: _Both) -> Iterator[Said]:
    """Orders given ahead that are none by the new data; whatever they answer is tried above."""
    for player in PLAYERS:
        for each in both.game.fold.given(player):
            try:
                both.then.read(each.order)
            except Illegal as illegal:
                yield say("{order}: this was given ahead, and would be no order any more: {why}",
                          order=both.line(each.order),
                          why=illegal.violations[0].message)  # fmt: skip


# --- standing orders


def _policy(both: _Both, player: str, policy: Any, document: Mapping[str, Any]) -> Iterator[Said]:
    """A standing order that is none any more, or answers the present question otherwise."""
    spoken = Policy(player, policy.slot, policy.scope, policy.until, document)
    now, then = (_faults(each, spoken) for each in (both.now, both.then))
    if then and not now:
        yield say("the standing orders {slot} of {player} say something that does not exist in the "
                  "new data: {why}", slot=quoted(policy.slot), player=both.game.called(player),
                  why=then)  # fmt: skip
        return
    answers = [_answer(each, spoken) for each in (both.now, both.then)]
    if answers[0] != answers[1]:
        told = [say("nothing") if each is None else both.line(each) for each in answers]
        yield say("the standing orders {slot} of {player} answer: {then}; it was: {now}",
                  slot=quoted(policy.slot), player=both.game.called(player), then=told[1],
                  now=told[0])  # fmt: skip


def _faults(table: Table, policy: Policy) -> Said:
    try:
        table.check_policy(policy.by, policy.slot, policy.scope, policy.until, policy.doc)
    except Illegal as illegal:
        return illegal.violations[0].message
    return ""


def _answer(table: Table, policy: Policy) -> Mapping[str, Any] | None:
    if not table.covers(policy.by, policy.slot, policy.scope, policy.until):
        return None
    order = table.policy_answer(policy)
    return None if order is None else order.plain
