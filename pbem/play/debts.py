"""What new secrets let a player out of: each showing, proof, list, sealed order and fact by itself.

It could be why they say that the old ones are lost. So whoever offers new secrets is told before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from pbem.gamefile.machine import Machine
from pbem.messages import Message, Said, indented, say, say_many
from pbem.play.game import Game
from pbem.play.owing import showing


def wiped_out(game: Game, player: str) -> tuple[Said, ...]:
    """What a player would not have to do any more: a line that says so, and one for each debt."""
    found, who = debts(game, player), game.called(player)
    if not found:
        return (say("{player} owes nothing that new secrets would let them out of", player=who),)
    heading = say(
        "new secrets let {player} out of this, unless they still have the old ones:", player=who
    )
    return (heading, *map(indented, found))


def debts(game: Game, player: str) -> tuple[Said, ...]:
    """What rests on the secrets of a player and is still to come, as the file stands."""
    filed = game.filed
    return () if filed.table is None else tuple(dict.fromkeys(_debts(filed, player)))


def _debts(game: Game, player: str) -> Iterator[Said]:
    machine = game.fold.machine
    if machine.due(player):
        yield say("their value of beacon {number}, and with it the dice that wait for it",
                  number=machine.beacons.locked)  # fmt: skip
    yield from _proofs(game, player)
    for slot in _to_be_shown(game, player):
        yield showing(slot, game)
    for policy in machine.in_force(player):
        if policy.c is not None:
            yield say("their sealed standing orders {slot} of entry {entry}, which end",
                      slot=policy.slot, entry=policy.sent.entry)  # fmt: skip
    for chosen in machine.hidden.chosen:
        if chosen.by == player and chosen.c is not None:
            yield say("their secret choice of entry {entry}, which counts as the default",
                      entry=chosen.sent.entry)  # fmt: skip
    yield from _lists(machine, player)
    yield from _facts(game, player)


def _proofs(game: Game, player: str) -> Iterator[Message]:
    """The epochs that are bound and not replied for, also those that no beacon has met yet."""
    pile = say(game.opened.system.words.pile)
    for bound in game.fold.machine.hidden.decks:
        if bound.epoch.by == player and not bound.leaves:
            yield (
                say("the proof that mix {deck} moves no counter to another place", deck=bound.name)
                if bound.epoch.groups
                else say("the proof that their {pile} is complete", pile=pile)
            )


def _to_be_shown(game: Game, player: str) -> Iterator[str]:
    """The slots that the rules ask the player to open, also those behind a locked beacon."""
    table = game.table
    assert table is not None
    if table.decision is not None and table.player_of(table.decision.side) == player:
        yield from table.must_show()
    yield from table.owes(player)


def _lists(machine: Machine, player: str) -> Iterator[Message]:
    """The sealed lists of which lines may still be due."""
    there = {slot.rpartition("/")[0] for slot in machine.table.looks_at(player)}
    for each in machine.hidden.lists:
        is_theirs = each.by == player and each.c is not None and each.slot in there
        if is_theirs and (hidden := each.size - len(each.told)):
            yield say("their sealed list of entry {entry}: the lines that are not shown "
                      "({hidden} of {size}) count as empty", entry=each.sent.entry,
                      hidden=hidden, size=each.size)  # fmt: skip


def _facts(game: Game, player: str) -> Iterator[Message]:
    """What the player still has to say of counters face down, and what they have said of those that
    would be laid anew: nobody could hold it against a counter that is shown later.
    """
    table = game.table
    assert table is not None
    asked = table.decision
    if asked is not None and asked.only_says and table.player_of(asked.side) == player:
        yield say("what only they can say of counters face down: {prompt}", prompt=asked.prompt)
    for each in table.said(player):
        yield say(
            "the truth of what they said of {counters}: {what}"
            if each.holds
            else "the truth of what they said earlier of counters that now lie in {places}: {what}",
            counters=_by_place(each.places), places=tuple(dict.fromkeys(each.places)),
            what=each.what,
        )  # fmt: skip


def _by_place(places: Iterable[Said]) -> tuple[Said, ...]:
    return tuple(
        say_many("number", "{number} counter in {place}", "{number} counters in {place}",
                 number=number, place=place)
        for place, number in Counter(places).items()
    )  # fmt: skip
