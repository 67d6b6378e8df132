"""When the entries of a game were written, as their authors say: nobody can check it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.messages import Said, marked, say, say_many
from pbem.play.game import Game
from pbem.value import value

NOTICE = marked(
    "times as the players themselves give them: nobody can check them, and how long an answer took "
    "is counted between the times of both"
)
MINUTES_OF_A_DAY = 24 * 60


@value
class Dated:
    """An entry with a time; `after` is the last entry of the other player, if this answers it."""

    entry: int
    by: str
    time: str
    after: int | None = None
    minutes: int = 0
    """From the time of that entry to this one's; negative if they run backwards."""


def ledger(game: Game) -> tuple[Dated, ...]:
    """The entries with a time, in order.

    An entry answers the last one of the other player if its author has not written since, and both
    have a time.
    """
    found = list[Dated]()
    entries = game.fold.entries
    for entry in entries:
        time = entry.payload.get("time")
        if time is None:
            continue
        before = entries[entry.seq - 1] if entry.seq else entry
        asked = before.payload.get("time") if before.by != entry.by else None
        if asked is None:
            found.append(Dated(entry.seq, entry.by, time))
        else:
            minutes = _minutes(time) - _minutes(asked)
            found.append(Dated(entry.seq, entry.by, time, before.seq, minutes))
    return tuple(found)


def _minutes(time: str) -> int:
    """Minutes since 1970; a 30 February is the second day of March, or the first."""
    from calendar import timegm

    date, _, clock = time.removesuffix("Z").partition("T")
    year, month, day = map(int, date.split("-"))
    hour, minute = map(int, clock.split(":"))
    return timegm((year, month, day, hour, minute, 0)) // 60


def lines(game: Game, found: tuple[Dated, ...]) -> Iterator[Said]:
    """The notice, what each player took for answers, and times that contradict each other."""
    if not found:
        yield say("no entry says when it was written; pbem init --dated makes yours say it")
        return
    yield say(NOTICE)
    for player in "AB":
        written = sum(entry.by == player for entry in game.fold.entries)
        own = [each for each in found if each.by == player]
        waits = [each for each in own if each.after is not None and each.minutes >= 0]
        facts = {"side": game.side_told(player), "entries": written, "dated": len(own)}
        if not waits:
            yield say_many(
                "entries", "the {side} player: {entries} entry, {dated} with a time",
                "the {side} player: {entries} entries, {dated} with a time", **facts,
            )  # fmt: skip
            continue
        longest = max(waits, key=lambda each: each.minutes)
        yield say_many(
            "entries",
            "the {side} player: {entries} entry, {dated} with a time; all answers ({answers}) took "
            "{all}, the longest {longest} (entry {entry})",
            "the {side} player: {entries} entries, {dated} with a time; all answers ({answers}) "
            "took {all}, the longest {longest} (entry {entry})",
            **facts, answers=len(waits), all=_long(sum(each.minutes for each in waits)),
            longest=_long(longest.minutes), entry=longest.entry,
        )  # fmt: skip
    dated = {each.by for each in found}
    if len(dated) < 2:
        undated = next(player for player in "AB" if player not in dated)
        yield say(
            "only one player dates entries, so no answer can be timed: pbem init --dated makes "
            "those of the {side} player say when they were written",
            side=game.side_told(undated),
        )
    yield from _contradictions(game, found)


def _contradictions(game: Game, found: tuple[Dated, ...]) -> Iterator[Said]:
    """Times that cannot all be right: of two players nobody knows which one is wrong."""
    times = {each.entry: each.time for each in found}
    last = dict[str, Dated]()
    for each in found:
        if each.after is not None and each.minutes < 0:
            yield say(
                "entry {asked} says {before}, and entry {entry}, which answers it, {time}: they "
                "cannot both be right",
                asked=each.after, before=times[each.after], entry=each.entry, time=each.time,
            )  # fmt: skip
        own = last.get(each.by)
        if own is not None and _minutes(each.time) < _minutes(own.time):
            yield say(
                "entry {entry} of the {side} player says {time}, earlier than their own entry "
                "{before}, {earlier}",
                entry=each.entry, side=game.side_told(each.by), time=each.time,
                before=own.entry, earlier=own.time,
            )  # fmt: skip
        last[each.by] = each


def _long(minutes: int) -> str:
    """A span in days and hours, or in minutes where it is short."""
    if minutes < 60:
        return f"{minutes} min"
    days, rest = divmod(minutes, MINUTES_OF_A_DAY)
    return f"{days} d {rest // 60} h" if days else f"{rest // 60} h {rest % 60} min"


def plain(found: tuple[Dated, ...]) -> dict[str, Any]:
    """For machines; the notice is a part of it."""
    return {
        "notice": NOTICE,
        "entries": [
            {
                "entry": each.entry, "by": each.by, "time": each.time, "answers": each.after,
                "minutes": None if each.after is None else each.minutes,
            }
            for each in found
        ],
    }  # fmt: skip
