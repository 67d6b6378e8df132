"""How long the player who must write has been silent, by the terms of the game."""

from __future__ import annotations

from typing import Any

from pbem.gamefile.in_play import PLAYERS, other
from pbem.gamefile.silence import Patience, count, moment
from pbem.messages import Said, say
from pbem.play.game import Game


def counted(game: Game, now: str) -> Patience | None:
    """What the waiting player has to count, at the minute `now`; None without terms, or where
    nobody is waited for.
    """
    fold = game.fold
    if fold.phase != "running" or fold.pen is None:
        return None
    return count(fold.machine, other(fold.pen), now)


def plain(game: Game, now: str) -> dict[str, Any]:
    """The count for programs; nothing for a game without terms."""
    terms, found = game.fold.proposal.get("silence"), counted(game, now)
    if terms is None:
        return {}
    told = None if found is None else {
        "entry": found.entry, "since": found.since, "days": found.days, "until": found.until,
        "may_claim": now >= found.until and game.fold.machine.agreements.adjourned is None,
    }  # fmt: skip
    return {"silence": told}


def lines(game: Game, now: str, player: str | None) -> list[Said]:
    """The count in words, for the reader who is `player`: nothing happens by itself."""
    fold = game.fold
    agreements, pen = fold.machine.agreements, fold.pen
    if "silence" not in fold.proposal or fold.phase != "running" or pen is None:
        return []
    found = [
        say(
            "entry of {player} states {date}, which your clock has not reached: {now}",
            player=game.called(each), date=date, now=now,
        )
        for each in PLAYERS
        if (date := agreements.dates.get(each)) is not None and date > now
    ]  # fmt: skip
    if agreements.adjourned is not None:
        return [*found, say("silence: no days are counted while the game is adjourned")]
    due = counted(game, now)
    if due is None:
        return [*found, say("silence: the entry that has to be answered states no date, so no days "
                            "are counted")]  # fmt: skip
    who = {"player": game.called(pen), "since": due.since, "entry": due.entry, "days": due.days,
           "until": due.until, "other": game.called(other(pen))}  # fmt: skip
    if now < due.until:
        return [*found, say(
            "silence: day {passed} of {days} for {player}, since {since} (entry {entry}); {other} "
            "may claim from {until} on",
            passed=_days(due.since, now) + 1, **who,
        )]  # fmt: skip
    if player == other(pen):
        return [*found, say(
            "silence: the time of {player} since {since} (entry {entry}) was over on {until}; you "
            "may claim: pbem claim GAME --silence",
            **who,
        )]  # fmt: skip
    return [*found, say(
        "silence: the time of {player} since {since} (entry {entry}) was over on {until}; {other} "
        "may claim, and an answer still comes first",
        **who,
    )]  # fmt: skip


def _days(since: str, now: str) -> int:
    """The whole days that have passed."""
    begun, present = moment(since), moment(now)
    assert begun is not None and present is not None
    return max((present - begun).days, 0)
