"""Every check on a file, as findings: the first fault, or everything that was proven.

The fold stops at the first fault, because nothing after it means anything. So a bad file has one
serious finding; a good one gets a list of what its two players can no longer deny.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamefile.chain import ZEROS
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import (
    Audited,
    ChoiceTold,
    Completed,
    DeckProven,
    Dropped,
    Lapsed,
    Opened,
    Ordered,
    PassedOver,
    Rolled,
    Unsealed,
)
from pbem.gamefile.kept import Lost
from pbem.gamefile.machine import Machine, OpenTable
from pbem.gamefile.rotation import seats, words_alone
from pbem.messages import Message, Said, say, say_many
from pbem.problems import Problem, Refused
from pbem.value import fields, value


@value
class Finding:
    """A fault: its place (from 0), and the player responsible, where that is proven."""

    problem: Problem
    entry: int | None = None
    step: int | None = None
    by: str | None = None
    whose: str | None = None

    def plain(self) -> dict[str, Any]:
        """For `pbem verify --json`: the problem, its place, and whose it is."""
        return {
            **self.problem.plain(), "entry": self.entry, "step": self.step,
            "by": self.by, "whose": self.whose,
        }  # fmt: skip


@value
class Proven:
    """What a good file shows, in numbers."""

    entries: int
    beacons: int
    void_beacons: int
    dice: int
    samples: int
    orders: int
    lapsed: int
    decks: int
    opened: int
    unsealed: int
    told: int
    audits: int
    provisional: bool
    solo: bool
    taken_back: int = 0
    on_word: tuple[tuple[str, int], ...] = ()
    """Players whose key rests on the other's word alone, each with the entry from which it does."""
    renewed: tuple[tuple[str, int], ...] = ()
    """Players who went on with new secrets, each with the entry from which on."""
    lost: tuple[Lost, ...] = ()
    deputies: tuple[tuple[str, int], ...] = ()
    """Players who named a deputy, each with the entry in which they did."""
    seated: tuple[tuple[str, int], ...] = ()
    """Players in whose place the director put somebody, each with the entry from which on."""

    def plain(self) -> dict[str, Any]:
        """For `pbem verify --json`."""
        return _plain(self)

    def sentences(self) -> tuple[Said, ...]:
        """What was proven, in words."""
        found: list[Said] = [
            _signed(self.entries),
            say_many(
                "count",
                "{count} beacon: both players' values match what they were bound to, and no value "
                "was shown before the decisions",
                "{count} beacons: both players' values match what they were bound to, and no value "
                "was shown before the decisions",
                count=self.beacons,
            ),
            say(
                "{dice} and {draws} recomputed from the beacons",
                dice=say_many("count", "{count} die", "{count} dice", count=self.dice),
                draws=say_many("count", "{count} draw", "{count} draws", count=self.samples),
            ),
            say_many(
                "count",
                "{count} order judged again, {lapsed} lapsed",
                "{count} orders judged again, {lapsed} lapsed",
                count=self.orders, lapsed=self.lapsed,
            ),
        ]  # fmt: skip
        if self.decks:
            found.append(_decks_proven(self.decks, self.opened))
        if self.unsealed:
            found.append(_unsealed(self.unsealed))
        if self.told:
            found.append(_told(self.told))
        if self.audits:
            found.append(
                say_many(
                    "count",
                    "{count} audit: the game was replayed with all known that the player hid, "
                    "and stayed within the rules",
                    "{count} audits: the game was replayed with all known that the player hid, "
                    "and stayed within the rules",
                    count=self.audits,
                )
            )
        if self.provisional:
            found.append(
                say(
                    "the result is provisional until each player it favours has shown what was "
                    "kept hidden"
                )
            )
        if self.solo:
            found.insert(0, SOLO)
        if self.taken_back:
            found.append(
                say_many(
                    "count",
                    "{count} take-back, offered by one player and accepted by the other; no value "
                    "and no beacon was used twice",
                    "{count} take-backs, offered by one player and accepted by the other; no value "
                    "and no beacon was used twice",
                    count=self.taken_back,
                )
            )
        return (*found, *_renewed(self))


def rests_on_word(player: str, entry: int) -> Message:
    """The note about a key that the opponent replaced."""
    return say(
        "from entry {entry} on, the key of player {player} rests on the word of player {other} "
        "alone: what is signed with it proves nothing against player {player}",
        entry=entry, player=player, other=other(player),
    )  # fmt: skip


def doubts(proven: Mapping[str, Any]) -> Iterator[Said]:
    """What a reader of a result must know, from the plain form of a Proven: a game against
    oneself, a key that rests on a word, secrets that were not shown.
    """
    if proven["solo"]:
        yield SOLO
    for player, entry in proven["on_word"]:
        yield rests_on_word(player, entry)
    for each in proven["lost"]:
        lost = Lost(each["player"], each["since"], each["until"])
        yield lost.told(say("player {player}", player=lost.of))


def _renewed(proven: Proven | ProvenWithoutRules) -> list[Said]:
    """The notes on players with new secrets, on lost ones, and on keys that rest on a word."""
    found: list[Said] = [
        say(
            "from entry {entry} on, player {player} plays with new secrets, offered by the other",
            entry=entry, player=player,
        )
        for player, entry in proven.renewed
    ]  # fmt: skip
    found += [each.told(say("player {player}", player=each.of)) for each in proven.lost]
    found += [rests_on_word(player, entry) for player, entry in proven.on_word]
    found += [
        say(
            "player {player} named a deputy in entry {entry}; pbem log tells which entries a "
            "deputy wrote",
            player=player, entry=entry,
        )
        for player, entry in proven.deputies
    ]  # fmt: skip
    return found + [
        say(
            "from entry {entry} on, somebody whom the director named sits in the place of player "
            "{player}",
            entry=entry, player=player,
        )
        for player, entry in proven.seated
    ]  # fmt: skip


def _plain(proven: Proven | ProvenWithoutRules) -> dict[str, Any]:
    found = {field.name: getattr(proven, field.name) for field in fields(proven)}
    return {
        **found, "on_word": [list(each) for each in proven.on_word],
        "renewed": [list(each) for each in proven.renewed],
        "lost": [each.plain() for each in proven.lost],
        "deputies": [list(each) for each in proven.deputies],
        "seated": [list(each) for each in proven.seated],
    }  # fmt: skip


SOLO = say("a solo game: one person plays both sides, so fairness does not matter")


def _signed(entries: int) -> Message:
    return say_many(
        "count",
        "{count} entry: every one signed by its author, none missing, none changed",
        "{count} entries: every one signed by its author, none missing, none changed",
        count=entries,
    )


def _decks_proven(decks: int, opened: int) -> Message:
    return say(
        "{decks} proven by cut-and-choose; {opened}",
        decks=say_many("count", "{count} sealed layout", "{count} sealed layouts", count=decks),
        opened=say_many("count", "{count} slot opened", "{count} slots opened", count=opened),
    )


def _unsealed(count: int) -> Message:
    return say_many(
        "count",
        "{count} sealed order opened, the one its author was bound to",
        "{count} sealed orders opened, each the one its author was bound to",
        count=count,
    )


def _told(count: int) -> Message:
    return say_many(
        "count",
        "{count} secret choice shown, each the one its author was bound to before",
        "{count} secret choices shown, each the one its author was bound to before",
        count=count,
    )


@value
class ProvenWithoutRules:
    """What a good file shows without its rules, in numbers."""

    entries: int
    beacons: int
    void_beacons: int
    decks: int
    unproven: int
    opened: int
    unsealed: int
    told: int
    audits: int
    solo: bool
    on_word: tuple[tuple[str, int], ...] = ()
    renewed: tuple[tuple[str, int], ...] = ()
    lost: tuple[Lost, ...] = ()
    deputies: tuple[tuple[str, int], ...] = ()
    seated: tuple[tuple[str, int], ...] = ()

    def plain(self) -> dict[str, Any]:
        """For `pbem verify --json`."""
        return _plain(self)

    def sentences(self) -> tuple[Said, ...]:
        """What was proven, in words, and what was not even examined."""
        found: list[Said] = [_signed(self.entries)]
        if self.solo:
            found.insert(0, SOLO)
        found.append(
            say_many(
                "count",
                "{count} beacon: both players' values match what they were bound to",
                "{count} beacons: both players' values match what they were bound to",
                count=self.beacons,
            )
        )
        if self.decks:
            found.append(_decks_proven(self.decks, self.opened))
        if self.unproven:
            found.append(
                say_many(
                    "count",
                    "{count} sealed layout is NOT proven yet",
                    "{count} sealed layouts are NOT proven yet",
                    count=self.unproven,
                )
            )
        if self.unsealed:
            found.append(_unsealed(self.unsealed))
        if self.told:
            found.append(_told(self.told))
        if self.audits:
            found.append(
                say_many(
                    "count",
                    "{count} audit: that player's secret yields everything they were bound to",
                    "{count} audits: that player's secret yields everything they were bound to",
                    count=self.audits,
                )
            )
        found += _renewed(self)
        found.append(
            say(
                "NOT checked, because the rules were left out: whose turn it was (and so what was "
                "written out of turn and may be passed over), the orders, the dice they call for, "
                "what was kept hidden, the result"
            )
        )
        return tuple(found)


@value
class Report:
    """The outcome for one file: what it proves, or the findings against it.

    `fold` is there if the rules were asked, `game` (its id) once the game is accepted.
    """

    findings: tuple[Finding, ...]
    fold: Fold | None = None
    proven: Proven | ProvenWithoutRules | None = None
    game: str | None = None

    @property
    def is_good(self) -> bool:
        """Whether nothing is wrong; notes may be there."""
        return not self.findings


def examine(
    raw: bytes,
    open_table: OpenTable,
    *,
    seen: Mapping[str, Any] | None = None,
    last: Fold | None = None,
) -> Report:
    """Judges the bytes of a game file; `seen` is a witness record, `last` an older verified file.

    Never raises for what is in the file.
    """
    try:
        fold = replay(read(raw), open_table)
        if seen is not None or last is not None:
            from pbem.gamefile import witness
        if seen is not None:
            witness.compare(seen, fold)
        if last is not None:
            witness.compare_files(last, fold)
    except FileRefused as refused:
        return Report(_findings(refused))
    except Refused as refused:
        return Report(tuple(Finding(problem) for problem in refused.problems))
    return Report((), fold, proven(fold), fold.game)


def examine_without_rules(raw: bytes) -> Report:
    """Judges the bytes of a game file without its rules (without_rules.py).

    Never raises for what is in the file.
    """
    from pbem.gamefile.without_rules import replay_without_rules

    try:
        judged = replay_without_rules(read(raw))
    except FileRefused as refused:
        return Report(_findings(refused))
    machine = judged.machine
    proven = ProvenWithoutRules(
        entries=machine.entry.seq + 1,
        beacons=judged.completed - judged.void_beacons,
        void_beacons=judged.void_beacons, decks=judged.decks_proven,
        unproven=sum(not each.leaves for each in machine.hidden.decks), opened=judged.opened,
        unsealed=judged.unsealed, told=judged.told, audits=len(machine.hidden.audited),
        solo=machine.is_solo, **_keys_and_secrets(machine),
    )  # fmt: skip
    return Report((), None, proven, None if machine.terms.game == ZEROS else machine.terms.game)


def proven(fold: Fold) -> Proven:
    """What a fold shows, counted."""
    told: dict[type, list[Any]] = {}
    for one in fold.told():
        told.setdefault(type(one), []).append(one)

    def number(*kinds: type) -> int:
        return sum(len(told.get(kind, ())) for kind in kinds)

    records = [record for one in told.get(Rolled, ()) for record in one.records]
    void = sum(one.void for one in told.get(Completed, ()))
    return Proven(
        entries=len(fold.entries), beacons=number(Completed) - void, void_beacons=void,
        dice=sum(bool(record.faces) for record in records),
        samples=sum(bool(record.take) for record in records),
        orders=number(Ordered), lapsed=number(Lapsed, PassedOver, Dropped),
        decks=number(DeckProven), opened=number(Opened), unsealed=number(Unsealed),
        told=sum(one.told is not None for one in told.get(ChoiceTold, ())),
        audits=number(Audited),
        provisional=fold.is_provisional,
        solo=fold.is_solo,
        taken_back=fold.machine.agreements.take_backs,
        **_keys_and_secrets(fold.machine),
    )  # fmt: skip


def _keys_and_secrets(machine: Machine) -> dict[str, Any]:
    """The notes of both reports on keys and secrets that replaced others."""
    renewed = tuple((each.of, each.entry) for each in machine.keys.renewals)
    named = (each for each in machine.keys.deputies if each.public is not None)
    return {
        "on_word": words_alone(machine), "renewed": renewed, "lost": machine.hidden.lost,
        "deputies": tuple((each.of, each.entry) for each in named), "seated": seats(machine),
    }  # fmt: skip


def _findings(refused: FileRefused) -> tuple[Finding, ...]:
    return tuple(
        Finding(problem, refused.entry, refused.step, refused.by, refused.whose)
        for problem in refused.problems
    )
