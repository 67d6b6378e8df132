"""Orders judged without being sent: up to the first roll, which nobody sees."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine import kernel
from pbem.engine.codec import to_written
from pbem.engine.model import Chance, Order
from pbem.engine.tags import slot_under, tag_of, way
from pbem.engine.words import Words
from pbem.gamefile.cards import slot_of
from pbem.gamefile.in_play import Asked, DiceWanted, ReadOrder, has_counters
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.late import Late
from pbem.messages import Message, Row, Said, marked, say, say_many, words
from pbem.orders.parse import OrdersFile
from pbem.orders.written import order_line
from pbem.play.forecast import Forecast, forecast, machine_with
from pbem.play.game import Game
from pbem.play.judged import judged, kept_standing
from pbem.play.order_lines import by_names, said
from pbem.play.prepare import SEALED, Prepared, Tried, added
from pbem.play.reports import alone, reported
from pbem.play.warned import in_lines, warned
from pbem.problems import Problem
from pbem.text.source import Source
from pbem.value import replace, value
from pbem.words import by_name

if TYPE_CHECKING:
    from pbem.play import answering, kept_before
    from pbem.play.behind_dice import behind_dice
else:
    answering, kept_before = Late("pbem.play.answering"), Late("pbem.play.kept_before")
    behind_dice = Late("pbem.play.behind_dice").behind_dice
"""Only a player who has standing orders, or orders after dice, needs it."""

WOULD_BE_ADDED = marked("{orders} would be added where a part of the {span} ends")


@value
class DryRun:
    """The result of a trial of orders, and where it stopped."""

    prepared: Prepared
    stopped: Said
    forecast: Forecast | None = None
    supposed: tuple[str, ...] | None = None
    """Cards assumed to be in a hand that is unknown without a key; None if it is known."""
    shown: tuple[str, ...] = ()
    """Hidden cards that the mail with these orders opens, including those of plans."""
    told: tuple[Said, ...] = ()
    """The items of sealed lists that come to light with these orders."""
    warnings: tuple[Problem, ...] = ()
    """Warnings: what is legal but unwise."""
    standing: tuple[Said, ...] = ()
    """The answers of the standing orders that are then in force."""
    openly: tuple[Said, ...] = ()
    """What is said of counters face down with orders, beside what was written."""
    faults: tuple[Said, ...] = ()
    """The lines in the place of reports that failed."""
    left_over: tuple[Said, ...] = ()
    """What becomes of orders of an earlier mail behind these."""
    lapsing: frozenset[str] = frozenset()
    """The places of orders after dice of which a warning says why they will lapse."""

    def _odds(self) -> Iterator[Said]:
        """The odds of each attack among the orders."""
        kinds = self.prepared.table.system.odds.attacks
        if any(type(each.order) in kinds for each in self.prepared.tried):
            from pbem.play.odds import in_short, odds_of  # most orders have no attack

            found = odds_of(self.prepared)  # a remark reports what would be passed over
            for each in found:
                is_told = each.order.is_passed_over or (
                    each.chances is None and each.order.where in self.lapsing
                )
                yield from () if is_told else in_short(each)

    def sentences(self) -> tuple[Said, ...]:
        """For people: what is legal, where the trial stopped and what the rest assumes."""
        lapsing = sum(each.is_passed_over for each in self.prepared.tried)
        tried = len(self.prepared.orders) - self.prepared.ahead - lapsing
        legal = say("the file has no orders yet")
        if tried:
            legal = say_many(
                "orders", "{orders} order is legal", "{orders} orders are legal", orders=tried
            )
        if lapsing:
            legal = say("{legal}, {lapsing} would lapse", legal=legal, lapsing=lapsing)
        lines: list[Said] = [say("{told}; {more}", told=legal, more=self.stopped)]
        if self.prepared.closed:
            lines.append(added(self.prepared, WOULD_BE_ADDED))
        lines += (*self.left_over, *self.prepared.notes, *self.standing, *self.prepared.remarks)
        lines += (line for each in self.warnings for line in in_lines(each))
        lines += reported(lambda: tuple(self._odds()), failing=alone)
        if self.supposed is not None:
            lines.append(_about_the_hand(self.supposed, self.prepared.table.system.words))
        table = self.prepared.table
        if self.shown:
            titled = map(self._titled, self.shown)
            cards = tuple(sorted(titled, key=lambda each: by_name(words(each))))
            lines.append(say("this mail shows your opponent {cards}", cards=cards))
        if self.told:
            told = Row(self.told, "; ")
            lines.append(say("this mail tells your opponent of your lists: {items}", items=told))
        lines += [say("said openly with these orders: {what}", what=each) for each in self.openly]
        lines += [
            say(
                "checked when its turn comes: {order}",
                order=said(table, each.plain, self.prepared.side),
            )
            for each in self._ahead()
            if not each.meant.secret
        ]
        lines += [say(SEALED, order=said(table, each.plain, self.prepared.side))
                  for _, each in self.prepared.sealed]  # fmt: skip
        lines += self.forecast.sentences() if self.forecast else ()
        return (*lines, *self.faults)

    def _titled(self, card: str) -> Said:
        table, draft = self.prepared.table, self.prepared.draft
        assert draft is not None
        side = table.seats[draft.player]
        names = table.system.names(table.state, side, None, answering=False)
        title = names.known(table.system.words.piece).get(card, "")
        return say("{name} ({card})", name=say(title), card=card) if title else card

    def _ahead(self) -> tuple[ReadOrder, ...]:
        count = self.prepared.ahead
        return self.prepared.read[len(self.prepared.read) - count :]

    def _written(self, order: Order) -> dict[str, Any]:
        """An order of the file as its author writes it."""
        table, side = self.prepared.table, self.prepared.side
        named = by_names(table, order, *((side,) if side else table.system.sides))
        return {order.verb: to_written(named)}

    def plain(self) -> dict[str, Any]:
        """For `pbem check --json`."""
        return {
            "orders": [self._written(each.meant) for each in self.prepared.read],
            "ahead": self.prepared.ahead,
            "sealed": [self._written(each.meant) for _, each in self.prepared.sealed],
            "stopped": words(self.stopped),
            "supposed": None if self.supposed is None else list(self.supposed),
            "shown": list(self.shown),
            "told": list(map(words, self.told)),
            "openly": list(map(words, self.openly)),
            "remarks": list(self.prepared.remarks),
            "warnings": [warning.plain() for warning in self.warnings],
            "standing": list(self.standing),
            "mails": self.forecast.plain() if self.forecast else None,
        }


def dry_run(
    game: Game, key: KeyPair | None, file: OrdersFile, standing: Source | None = None
) -> DryRun:
    """Judges the orders of a file, and the standing orders that go with it, with a key.

    Raises Refused with every problem, each at its place.
    """
    prepared, supposed = judged(game, key, file, kept_standing(game, standing))
    author = game.fold.player_of(key.public) if key and not game.fold.is_solo else None
    player = author or game.fold.pen
    stands = player and (prepared.policies or game.fold.policies(player))
    faults: list[Said] = []
    mails = reported(forecast, game, key, prepared, failing=faults.append)
    warnings = reported(warned, prepared, player, failing=faults.append) if player else ()
    lapsing: frozenset[str] = frozenset()
    if player and (prepared.ahead or prepared.sealed) and game.fold.phase == "running":
        machine = _with_all_shown(machine_with(game, player, prepared), prepared)
        behind = reported(_behind, machine, file, prepared, player, failing=faults.append)
        warnings = (*(warnings or ()), *(problem for _, problem in behind or ()))
        lapsing = frozenset(tried.where for tried, _ in behind or ())
    answers: tuple[Said, ...] | None = ()
    if player and stands:
        of = game, key, prepared, player
        answers = reported(answering.with_orders, *of, failing=faults.append)
        told = reported(answering.told_of, *of, failing=alone)
        prepared = replace(prepared, remarks=(*prepared.remarks, *told))
    behind_all, left_over = prepared, tuple[Said, ...]()
    if author and game.fold.phase == "running" and game.fold.given(author):
        machine = machine_with(game, author, prepared)
        left = reported(kept_before.left_over, machine, prepared, author, failing=faults.append)
        if left:
            behind_all, left_over = replace(prepared, table=left.table), left.told
    return DryRun(
        prepared, stopped_at(behind_all, author), mails, supposed, _shown(prepared),
        tuple(_told(prepared)), warnings or (), answers or (), _openly(prepared), tuple(faults),
        left_over, lapsing,
    )  # fmt: skip


def _with_all_shown(machine: Machine, prepared: Prepared) -> Machine:
    """The machine where the counters that the mail opens for its orders behind dice lie open."""
    draft = prepared.draft
    if draft is None or not has_counters(prepared.table):
        return machine
    steps = draft.secrets.openings(draft.machine, prepared.read)
    cards = {slot_of(step): step["card"] for step in steps if step["do"] == "open"}
    return machine.at(prepared.table.learn(cards)) if cards else machine


def _behind(
    machine: Machine, file: OrdersFile, prepared: Prepared, player: str
) -> tuple[tuple[Tried, Problem], ...]:
    return tuple(behind_dice(machine, file, prepared, player))


def _shown(prepared: Prepared) -> tuple[str, ...]:
    """The hidden cards that these orders would open, or that must be opened behind them, if their
    author is known; not the tags that lie on the way to one.
    """
    draft = prepared.draft
    if draft is None:
        return ()
    steps = draft.secrets.openings(draft.machine, prepared.read)
    cards = [step["card"] for step in steps if step["do"] == "open"]
    if owed := prepared.table.owes(draft.player):
        hand = draft.secrets.hidden_hand(draft.machine)
        cards += [card for slot in owed for _, card in way(hand, slot)]
    return tuple(dict.fromkeys(card for card in cards if not slot_under(card)))


def _told(prepared: Prepared) -> Iterator[Said]:
    """The items of lists that these orders bring to light, with counters by their names."""
    draft, table = prepared.draft, prepared.table
    if draft is None:
        return
    begins = prepared.tried[0].table if prepared.tried else table  # with those that are shown since
    for step in draft.secrets.openings(draft.machine, prepared.read):
        for each in step.get("items", ()):
            parts = each["item"] if isinstance(each["item"], list) else [each["item"]]
            names = tuple(begins.counter(str(part)) or table.counter(str(part)) or str(part)
                          for part in parts)  # fmt: skip
            yield say("{names}", names=Row(names, ": "))


def _openly(prepared: Prepared) -> tuple[Said, ...]:
    """What must be said of counters that lie face down, with orders that are sent with more than
    their author wrote.
    """
    draft, table = prepared.draft, prepared.table
    if draft is None or not has_counters(table):
        return ()
    sent = draft.secrets.worded(draft.machine, prepared.read)
    pairs = zip(prepared.read, sent, strict=True)
    return tuple(what for before, after in pairs if _says_more(before, after)
                 for what in table.said_with(after))  # fmt: skip


def _says_more(before: ReadOrder, after: ReadOrder) -> bool:
    """Whether an order says more than its author wrote, but for the tags of counters, wherever in
    it that stands.
    """
    was, now = (Counter(_words_in(each.plain[each.meant.verb])) for each in (before, after))
    return any(not slot_under(tag_of(word)) for word in now - was)


def _words_in(plain: Any) -> Iterator[str]:
    """All that is written in a plain value, but for the names of its members."""
    if isinstance(plain, Mapping):
        plain = list(plain.values())
    if not isinstance(plain, (list, tuple)):
        if not isinstance(plain, bool):  # a mark of the program: it says nothing of a counter
            yield str(plain)
        return
    for each in plain:
        yield from _words_in(each)


def _about_the_hand(supposed: tuple[str, ...], words: Words) -> Message:
    gaps = {"hand": say(words.hand), "piece": say(words.piece), "pieces": say(words.pieces)}
    if not supposed:
        return say(
            "without --key the {hand} is not known; with it, your {pieces} are checked too", **gaps
        )
    return say_many(
        "cards",
        "without --key the {hand} is not known: {cards} is assumed to be in it; with it, your "
        "{pieces} are checked too",
        "without --key the {hand} is not known: {cards} are assumed to be in it; with it, your "
        "{pieces} are checked too",
        cards=supposed, **gaps,
    )  # fmt: skip


def _prompt(prepared: Prepared) -> Said:
    decision = prepared.table.decision
    return decision.prompt if decision else ""


def _rolled(prepared: Prepared) -> tuple[Said, ...]:
    """What the next dice and draws are for."""
    needed = kernel.waits_for(prepared.table.state)
    draws = needed.draws if isinstance(needed, Chance) else ()
    return tuple(dict.fromkeys(draw.purpose for draw in draws))


def stopped_at(prepared: Prepared, author: str | None) -> Said:
    """Where the trial of orders ended: at dice, a question or the end, in words for their
    author.
    """
    waits = prepared.table.waits()
    if isinstance(waits, DiceWanted):
        return say("checked up to the first roll ({what})", what=_rolled(prepared))
    if isinstance(waits, Asked) and waits.tells:
        return say("then the secret choices of both sides are shown")
    if isinstance(waits, Asked):
        asked = _prompt(prepared) or waits.what
        if waits.by == author:
            told = say("next, you are asked to {prompt}", prompt=asked)
            declining = prepared.table.declining()
            return told if declining is None else say(
                "{told} ('- {order}' below these orders declines)",
                told=told, order=order_line(declining),
            )  # fmt: skip
        side = prepared.table.system.words.of_side(prepared.table.seats[waits.by])
        return say("next, the {side} player is asked to {prompt}", side=say(side), prompt=asked)
    return say("then the game is over")
