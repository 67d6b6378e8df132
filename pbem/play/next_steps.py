"""What comes next in a game: what is offered, and who has to write what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile.in_play import other
from pbem.gamefile.notes import not_taken
from pbem.gamefile.rotation import seats, words_alone
from pbem.late import Late
from pbem.messages import Said, say
from pbem.play.game import Game
from pbem.play.owing import has_claimed, owed_now, owed_words, verbs_asked_for

if TYPE_CHECKING:
    from pbem.play import ending, offers
    from pbem.play.player_view import in_force
else:  # which most games have nothing of
    ending, offers = Late("pbem.play.ending"), Late("pbem.play.offers")
    in_force = Late("pbem.play.player_view").in_force


def next_lines(game: Game, player: str | None) -> list[Said]:
    """What is offered, who writes next, and what they owe."""
    filed = game.filed
    if filed.fold.phase == "over":
        over = say("the game is over: {outcome}", outcome=ending.explained(filed))
        return [over, *_audits(filed, player), *_agreed(filed, player)]
    found = [*_lapsed(filed, player), *_agreed(filed, player)]
    for thing, of in owed_now(game):
        who, what, verbs = _who(of, thing.by, player), owed_words(thing, of), ""
        if thing.code == "answer" and of.fold.machine.pending.halt is None:
            verbs = " | ".join(verbs_asked_for(of))
        found.append(
            say("to write: {who}: {what} [{verbs}]", who=who, what=what, verbs=verbs)
            if verbs
            else say("to write: {who}: {what}", who=who, what=what)
        )
    return found


def _lapsed(game: Game, player: str | None) -> list[Said]:
    """That a player's last orders ahead came to nothing: their time is over, and they were never
    opened.
    """
    fold, table = game.fold, game.table
    if player is None or table is None:
        return []
    last = next((each.seq for each in reversed(fold.entries) if each.by == player), None)
    sealed = [
        each for each in fold.policies(player)
        if each.sent.entry == last and each.until is not None and each.c and each.doc is None
    ]  # fmt: skip
    if not sealed:  # as mostly, and then the policies of the game need not be loaded
        return []
    ahead, still = table.system.policies.slots_ahead, in_force(game, player)
    if not any(each.slot in ahead and each not in still for each in sealed):
        return []
    return [say("the orders that you sealed ahead in entry {entry} have lapsed unopened: their "
                "time is over", entry=last)]  # fmt: skip


def _agreed(game: Game, player: str | None) -> list[Said]:
    """The notes of `offers.lines`, which is loaded where there is something to note."""
    machine = game.fold.machine
    made = machine.agreements
    noted = (
        made.offers, made.adjourned is not None, made.claim is not None, machine.keys.renewals,
        machine.hidden.lost, words_alone(machine), machine.keys.deputies,
        seats(machine), not_taken(machine) is not None,
    )  # fmt: skip
    return offers.lines(game, player) if any(noted) else []


def over_then(game: Game) -> list[Said]:
    """That the game is over, if what is decided of the next entry ends it."""
    if not game.fold.is_ahead or game.fold.phase != "over":
        return []
    return [say("the game is over then: {outcome}", outcome=ending.explained(game))]


def writes_next(game: Game, player: str | None) -> bool:
    """Whether the next entry is this player's: after the end, the one that reveals their hand.

    A resignation out of turn waits for a choice, which no entry makes by itself.
    """
    fold = game.fold
    if fold.phase == "over":
        return fold.pen is not None and fold.pen == player and not_taken(fold.machine) is None
    return fold.is_solo or (player is not None and fold.pen == player)


def may_accept(game: Game, player: str | None) -> bool:
    """Whether the other player has resigned out of turn, and this one accepts it or plays on."""
    resigned = not_taken(game.fold.machine)
    return None not in (player, resigned) and player != resigned


def _who(game: Game, writer: str, player: str | None) -> Said:
    """The side of the writer, marked if the writer is this player."""
    side: Said = game.side_told(writer)
    return say("{side} (you)", side=side) if writer == player else side


def _audits(game: Game, player: str | None) -> list[Said]:
    """Who still has to show what they kept hidden, and what depends on it.

    Nobody does before a resignation out of turn is accepted.
    """
    resigned = not_taken(game.fold.machine)
    found: list[Said]
    if resigned is not None:
        who = _who(game, other(resigned), player)
        found = [
            say("to write: {who}: accept the claim, or answer and play on", who=who)
            if has_claimed(game)
            else say("to write: {who}: accept the resignation, or play on", who=who)
        ]
    else:
        found = [
            say("to write: {who}: reveal what was kept hidden", who=_who(game, thing.by, player))
            for thing in game.fold.owed
        ]
    if game.fold.is_provisional and game.fold.result is not None:
        found.append(
            say("the result is provisional until the winner has revealed what was kept hidden")
            if game.fold.result.get("winner")
            else say("the result is provisional until both players have revealed what was kept "
                     "hidden")
        )  # fmt: skip
    return found
