"""The story of a game file, as a log that any renderer can show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from pbem.engine.clock import Clock
from pbem.engine.model import Event
from pbem.gamefile import journal as j
from pbem.gamefile.beacons import DiceRecord
from pbem.gamefile.in_play import WHEN
from pbem.gamefile.kept import ChainPlace
from pbem.messages import Message, Part, Row, Said, say
from pbem.play.game import Game
from pbem.play.now import told_ahead
from pbem.play.order_lines import said
from pbem.play.owing import claimed_words
from pbem.play.reports import untold
from pbem.play.table import Table
from pbem.play.titles import notes, title
from pbem.play.viewpoint import PUBLIC, Viewpoint
from pbem.render.log import Chapter, Line, Log, Paragraph
from pbem.value import replace, value

BEFORE, AGREED_UPON = say("Before the game"), say("Proposal and acceptance")
OPENING = say("At the beginning")
"""Headings of what comes before the first that a game gives: nothing is reported under none."""
AHEAD = say("What comes before your orders, in the same entry")
NOTHING = say("nothing happens")
"""Reported for a part of a turn that leaves no other trace in the log."""
BEGUN = 3  # the first entry after those that begin a game
NOTED = (
    j.PolicyMade, j.Unsealed, j.ChoiceSealed, j.DeckProven, j.Audited, j.Claimed, j.Resigned,
)  # fmt: skip


@value
class KeptStory:
    """The story of the first `entries` of a game, or of the last of those, and where the game is
    after them."""

    entries: int
    chapters: tuple[Chapter, ...]
    here: Clock | None
    quiet: Clock | None
    """The current part of the turn there, if nothing was reported for it yet."""


def story(
    game: Game, first: int = 0, last: int | None = None, viewer: Viewpoint = PUBLIC, *,
    has_terms: bool = False,
) -> Log:  # fmt: skip
    """The log of entries `first` to `last`, for a viewer; `has_terms`: beside the terms.

    If that is None, to the end; of a game that is ahead of its file, with what the next one brings.
    """
    ahead = told_ahead(game) if last is None else ()
    told = _teller(game, first, last, viewer).finished()
    above = notes(game, beside_terms=has_terms)
    return Log(title(game), told, (*above, *ahead, *whose(game, viewer)))


def whose(game: Game, viewer: Viewpoint) -> tuple[Message, ...]:
    """The line that says whose story it is, if it is not for everybody."""
    if viewer.side is None:
        return ()
    side = say(game.opened.system.words.of_side(viewer.side))
    return (say("with what only the {side} player knows", side=side),)


def story_ahead(game: Game, viewer: Viewpoint = PUBLIC) -> Log | None:
    """What the next entry brings before its author decides anything: dice they know already.

    None for a game that is not ahead of its file.
    """
    if not game.fold.is_ahead:
        return None
    teller = _Teller(game, viewer)
    teller.entry(len(game.fold.entries), game.fold.journal[-1])
    chapters = teller.finished()
    return Log(AHEAD, chapters) if chapters else None


def telling(game: Game, first: int = 0) -> KeptStory:
    """The story from an entry on, to be kept: with it in `game.told`, later stories continue from
    it.

    The game must have the journals of all these entries, or such a story itself.
    """
    teller = _teller(game, first)
    return KeptStory(len(game.fold.entries), teller.finished(), teller.here, teller.quiet)


def _teller(
    game: Game, first: int = 0, last: int | None = None, viewer: Viewpoint = PUBLIC
) -> _Teller:  # fmt: skip
    """What is kept is the public story: a viewer's needs the journals of all its entries."""
    teller = _Teller(game, viewer)
    last = len(game.fold.journal) - 1 if last is None else last
    is_kept = viewer is PUBLIC and isinstance(game.told, KeptStory)
    known = teller.go_on(game.told, first, last) if is_kept else teller.begins(first)
    for number, journal in enumerate(game.fold.journal[known:], known):
        teller.silent = not first <= number <= last
        teller.entry(number, journal)
    return teller


def only_turn(told: Log, game: Game, turn: int) -> Log | None:
    """The part of a log about one turn; None where the file has none of it.

    The game must have the journals of all its entries.
    """
    name = _turns(game).get(turn)
    chapters = tuple(each for each in told.chapters if each.title == name)
    return replace(told, chapters=chapters) if chapters else None


def turns_in(told: Log, game: Game) -> tuple[int, ...]:
    """The turns of which a log has something, as `only_turn` takes them."""
    there = [each.title for each in told.chapters]
    return tuple(turn for turn, name in _turns(game).items() if name in there)


def _turns(game: Game) -> dict[int, Said]:
    """The name of each turn of the file."""
    items = chain.from_iterable(game.fold.journal)
    tables = (table for item in items if isinstance(item, j.MOVES)
              for table in (item.before, item.after))  # fmt: skip
    clocks = [table.clock for table in tables if isinstance(table, Table)]
    return {clock.turn: clock.chapter for clock in reversed(clocks)}


SENT = (j.Ordered, j.Lapsed, j.PassedOver, j.Dropped)
UNASKED, REPLACED = say("it was not needed"), say("it was replaced by newer orders")


class _Draft:
    """A paragraph in the making."""

    def __init__(self, heading: Said, seq: int, side: Said) -> None:
        self.heading, self.seq, self.side = heading, seq, side
        self.lines: list[Line] = []

    @classmethod
    def of(cls, paragraph: Paragraph) -> _Draft:
        found = cls(paragraph.heading, paragraph.seq, paragraph.side)
        found.lines += paragraph.lines
        return found


class _Teller:
    """Reads the journal once; a new heading begins a new paragraph."""

    def __init__(self, game: Game, viewer: Viewpoint = PUBLIC) -> None:
        self.game, self.viewer = game, viewer
        self.system = game.opened.system
        self.silent = False
        self.chapters: list[tuple[Said, list[_Draft]]] = []
        self.here: Clock | None = None
        self.quiet: Clock | None = None
        self.seq, self.by = 0, ""

    def go_on(self, told: KeptStory, first: int, last: int) -> int:
        """Starts with the story of entries `first` to `last`; returns the next entry."""
        for chapter in told.chapters:
            within = [each for each in chapter.paragraphs if first <= each.seq <= last]
            self.chapters.append((chapter.title, [_Draft.of(each) for each in within]))
        self.here, self.quiet = told.here, told.quiet
        return told.entries

    def begins(self, first: int) -> int:
        """The entry from which on the game is read to tell of `first` and what follows.

        It begins in another part of the turn, so that the part of `first` begins behind it, with
        all that was told in it.
        """
        at = self._heading_at(first)
        for number in range(first - 1, BEGUN - 1, -1):
            here = self._heading_at(number)
            if here is not None and at is not None and _part(here) != _part(at):
                return number
        return 0

    def finished(self) -> tuple[Chapter, ...]:
        """The chapters that are not empty."""
        chapters = (
            Chapter(name, tuple(_finished(draft) for draft in drafts if draft.lines))
            for name, drafts in self.chapters
        )
        return tuple(chapter for chapter in chapters if chapter.paragraphs)

    def entry(self, number: int, journal: Iterable[j.JournalLine]) -> None:
        self.seq, self.by = number, self.game.fold.author(number)
        journal = tuple(journal)
        if not self.here and number >= BEGUN:
            self.here = self._heading_at(number)
        for line in self._told_somehow(self._kept(number, journal)):
            self._say(line)
        self.items(journal)

    def items(self, journal: tuple[j.JournalLine, ...]) -> None:
        """Adds what a journal has, under the heading of the moment."""
        given = [each for each in journal if isinstance(each, j.PolicyMade) and not each.withdrawn]
        for at, item in enumerate(journal):
            if isinstance(item, j.Opened) and _is_played(item, journal[at + 1 :]):
                continue  # the order's line reports it
            told = self._told(item)
            if isinstance(item, j.PolicyMade) and not item.withdrawn:
                if item is not given[0]:
                    continue  # a mail tells of all its standing orders at once
                told = self._given(given)
            for line in self._told_somehow(told):
                self._say(line)

    def _kept(self, number: int, journal: tuple[j.JournalLine, ...]) -> Iterator[Line]:
        """The orders of an entry with a condition (`when`) that was not yet due in it."""
        if number == len(self.game.fold.entries):  # its author has yet to order anything
            return
        told = {each.sent for each in journal if isinstance(each, SENT)}
        entry = self.game.fold.entries[number]
        for at, step in enumerate(entry.steps):
            for index, order in enumerate(step["list"] if step["do"] == "orders" else ()):
                if WHEN in order and ChainPlace(number, at, index) not in told:
                    yield Line(say("the {side} player orders for later: {order}",
                                   side=self.game.side_told(entry.by), order=self._order(order)),
                               "note")  # fmt: skip

    def _told_somehow(self, told: Iterator[Line]) -> Iterator[Line]:
        """What happened, in lines as they are told; where that fails, a line says so."""
        return untold(told, lambda line: Line(line, "note"))

    def _say(self, line: Line) -> None:
        self.quiet = None
        if not self.silent:
            self._paragraph().lines.append(line)

    def _paragraph(self) -> _Draft:
        chapter, heading = self._where()
        if not self.chapters or self.chapters[-1][0] != chapter:
            self.chapters.append((chapter, []))
        drafts = self.chapters[-1][1]
        if not drafts or drafts[-1].seq != self.seq or drafts[-1].heading != heading:
            drafts.append(_Draft(heading, self.seq, self.game.side_told(self.by)))
        return drafts[-1]

    def _where(self) -> tuple[Said, Said]:
        if self.here is None:
            return BEFORE, AGREED_UPON
        return self.here.chapter, self.here.heading or OPENING

    def _told(self, item: j.JournalLine) -> Iterator[Line]:
        if isinstance(item, j.MOVES):
            yield from self._move(item)
        elif isinstance(item, j.Lapsed):
            reasons = Row(tuple(problem.message for problem in item.problems), "; ")
            yield self._lapse(item.by, item.order, reasons)
        elif isinstance(item, j.PassedOver):
            yield self._lapse(item.by, item.order, say("its condition is not true"))
        elif isinstance(item, j.Dropped):
            why = REPLACED if item.is_replaced else UNASKED
            if item.asked and not item.is_replaced:
                why = say("the {side} player is asked instead",
                          side=self.game.side_told(item.asked))  # fmt: skip
            yield self._lapse(item.by, item.order, why)
        elif isinstance(item, j.Said):
            speaker = say("{side} player", side=self.game.side_told(item.by))
            yield Line("\n".join(item.lines), "say", by=speaker)
        elif isinstance(item, j.AGREED):
            from pbem.play.offers import told  # which most games never need

            if isinstance(item, j.TakenBack) and isinstance(item.after, Table):
                self.here, self.quiet = item.after.clock, None
            yield from (Line(note, "note") for note in told(item, self.game))
            if isinstance(item, j.Renewed):
                yield from self._moved(item.after)
        elif isinstance(item, NOTED):
            noted = self._note(item, self.game.side_told(item.by))
            yield Line(noted, "note", is_formal=not isinstance(item, (j.Claimed, j.Resigned)))

    def _note(self, item: j.JournalLine, side: Message) -> Message:
        """What a player did outside the game itself."""
        match item:
            case j.PolicyMade():
                return say("the {side} player withdraws standing orders", side=side)
            case j.Unsealed():
                return say("the {side} standing orders are unsealed", side=side)
            case j.ChoiceSealed(what=what):
                return say("the {side} player chooses {what} in secret",
                           side=side, what=self._secret(what))  # fmt: skip
            case j.DeckProven(is_mix=True):
                return say("the {side} player has proven that their mix moved no counter to "
                           "another place", side=side)  # fmt: skip
            case j.DeckProven():
                return say("the {side} player has proven that their {pile} is complete",
                           side=side, pile=say(self.system.words.pile))  # fmt: skip
            case j.Audited():
                return say("the {side} player reveals what they kept hidden; all was in order",
                           side=side)  # fmt: skip
            case j.Claimed(owed=owed, by_terms=True):
                return say("the {side} player claims by the terms for silence what is owed: {owed}",
                           side=side, owed=claimed_words(owed, self.game))  # fmt: skip
            case j.Claimed(owed=owed):
                return say("the {side} player puts on record what is owed: {owed}",
                           side=side, owed=claimed_words(owed, self.game))  # fmt: skip
            case _:
                return say("the {side} player resigns", side=side)

    def _secret(self, stage: str) -> Said:
        """What is chosen or written down in secret at a stage, in the words of the game."""
        return say(self.system.words.secrets.get(stage, stage))

    def _given(self, made: Sequence[j.PolicyMade]) -> Iterator[Line]:
        """The standing orders that a mail gives: those in clear as their author writes them."""
        from pbem.play.standing import in_a_line  # most standing orders are sealed

        table, by = self.game.table, made[0].by
        assert isinstance(table, Table)
        side = self.game.side_told(by)
        openly = [each.doc or {} for each in made if not each.sealed]
        orders = Row(tuple(in_a_line(table, by, doc) for doc in openly if doc), "; ")
        told = []
        if orders.items and len(openly) < len(made):
            told.append(say("the {side} player seals standing orders, and gives others openly: "
                            "{orders}", side=side, orders=orders))  # fmt: skip
        elif orders.items:
            told.append(say("the {side} player gives standing orders openly: {orders}", side=side,
                            orders=orders))  # fmt: skip
        elif len(openly) < len(made):
            told.append(say("the {side} player seals standing orders", side=side))
        if not all(openly):
            told.append(say("the {side} player openly leaves to the game what their orders bring",
                            side=side))  # fmt: skip
        yield from (Line(each, "note", is_formal=True) for each in told)

    def _heading_at(self, number: int) -> Clock | None:
        """Where the game is when an entry begins and no move has been reported before it."""
        behind = chain.from_iterable(self.game.fold.journal[number:])
        tables = (each.before for each in behind if isinstance(each, j.MOVES))
        table = next(tables, self.game.table)
        return table.clock if isinstance(table, Table) else None

    def _move(self, item: Any) -> Iterator[Line]:
        before, after = item.before, item.after
        assert isinstance(before, Table) and isinstance(after, Table) and after.told is not None
        self.here = self.here or before.clock
        if isinstance(item, j.Ordered):
            yield Line(self._order(item.order, before), "order")
        elif isinstance(item, j.Answered):
            side, order = self.game.side_told(item.by), self._order(item.order, before)
            yield Line(say("{order}   ({side} standing orders)", order=order, side=side), "order")
        elif isinstance(item, j.ChoiceTold):
            yield from self._choice(item)
        elif isinstance(item, j.ListSealed):
            side = self.game.side_told(item.by)
            yield Line(say("the {side} player writes down {what} in secret",
                           side=side, what=self._secret(item.what)), "note")  # fmt: skip
        elif isinstance(item, j.ListTold) and item.items and item.known is not item.after:
            yield from self._moved(item.known)
        elif isinstance(item, j.Rolled):
            yield from (_die(record) for record in item.records)
        yield from self._moved(after)
        if isinstance(item, j.Answered):
            yield from map(Line, before.policy_left_out(item.policy))

    def _choice(self, told: j.ChoiceTold) -> Iterator[Line]:
        """A revealed secret choice: what counts, and why, if it differs from the choice."""
        side = self.game.side_told(told.by)
        if told.problems:
            why = Row(tuple(problem.message for problem in told.problems), "; ")
            if told.told is not None:
                yield self._lapse(told.by, told.told, why)
            else:
                note = say("the {side} player cannot show what was chosen: {why}",
                           side=side, why=why)  # fmt: skip
                yield Line(note, "note")
        order = self._order(told.order, told.before)
        yield Line(say("{order}   ({side} choice)", order=order, side=side), "order")

    def _moved(self, after: Any) -> Iterator[Line]:
        """The result of a table's last move."""
        yield from self._events(zip(after.told.events, after.told.positions, strict=True))

    def _lapse(self, by: str, order: Mapping[str, Any], why: Part) -> Line:
        """The line about an order that lapsed, with its owner: it may be in the other player's
        entry.
        """
        told = say("{order} ({side}): {why}", order=self._order(order),
                   side=self.game.side_told(by), why=why)  # fmt: skip
        return Line(told, "lapse")

    def _order(self, order: Mapping[str, Any], before: Any = None) -> str:
        """The order with its fields in the verb's own sequence, not sorted as in a signed entry.

        Counters are named as on the table `before` it, else on the present one.
        """
        table = before or self.game.table
        assert isinstance(table, Table)
        return said(self.viewer.table(table), order)

    def _events(self, told: Iterable[tuple[Event[Any], Any]]) -> Iterator[Line]:
        for event, position in told:
            clock = self.system.clock(position)
            if self.here is None or _part(clock) != _part(self.here):
                if self.quiet is not None:
                    yield Line(NOTHING, "quiet")
                self.quiet = clock if clock.heading else None
            self.here = clock
            message = self.viewer.told(self.system, event, position)
            if message is not None:
                yield Line(message)


def _part(clock: Clock) -> tuple[Said, Said]:
    """The part of a turn, as a log names it."""
    return clock.chapter, clock.heading


def _is_played(opened: j.Opened, behind: Iterable[j.JournalLine]) -> bool:
    """Whether a card is opened for an order, or a policy's answer, that names it."""
    return any(
        isinstance(each, (j.Ordered, j.Answered)) and _names(each.order, opened.card)
        for each in behind
    )


def _names(plain: Any, card: str) -> bool:
    if isinstance(plain, Mapping):
        return any(_names(each, card) for each in plain.values())
    if isinstance(plain, (list, tuple)):
        return any(_names(each, card) for each in plain)
    return bool(plain == card)


def _finished(draft: _Draft) -> Paragraph:
    return Paragraph(draft.heading, draft.seq, draft.side, tuple(draft.lines))


def _die(record: DiceRecord) -> Line:
    if not record.take:
        return Line(record.purpose, "roll", record.beacon, record.label, str(record.face))
    told = say("{purpose}: {number} of {all}", purpose=record.purpose, number=record.take,
               all=record.of)  # fmt: skip
    picked = ", ".join(str(position + 1) for position in record.picked)
    return Line(told, "roll", record.beacon, record.label, picked)
