"""Terms for silence: for how many days a player may leave unanswered what they owe.

There is no clock that both trust. The days are counted between dates that entries state, so a claim
is refused before its day by its own words. A false date gains nothing: a claim is a note, and
whoever can still answer passes it over. Only the director's key makes a result final.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.gamefile.kept import Wait
from pbem.gamefile.notes import is_answer
from pbem.messages import Said, say
from pbem.value import replace, value

if TYPE_CHECKING:
    from datetime import datetime

    from pbem.gamefile.machine import Machine

RULE = "silence"
MOST_MORE = 3650
"""Days that a director may give for one answer, beyond those of the terms."""
MINUTE = "%Y-%m-%dT%H:%MZ"


@value
class Patience:
    """The days that the waiting player has to wait: they began at `since`, and end at `until`.

    Both are minutes as an entry states them. `entry` is the one that is not answered.
    """

    entry: int
    since: str
    days: int
    until: str


def moment(stated: str | None) -> datetime | None:
    """The minute that an entry states; None for a day that does not exist."""
    from datetime import datetime

    try:
        return datetime.strptime(stated or "", MINUTE)
    except ValueError:
        return None


def noted(machine: Machine) -> Machine:
    """The machine at the end of an entry of a game with terms: what it states, and who waits."""
    entry, agreements = machine.entry, machine.agreements
    stated = entry.time if moment(entry.time) is not None else None
    if stated is not None:
        machine = machine.put(dates={**agreements.dates, entry.by: stated})
    if is_answer(machine):
        machine = machine.put(wait=Wait(entry.seq, entry.by, stated, machine.agreements.dates))
    return machine


def extended(machine: Machine, days: int) -> Machine:
    """The machine with more days for what is owed now. Raises FileRefused (E-LIMIT)."""
    wait = machine.agreements.wait
    assert wait is not None, "an entry before it has noted who waits"
    if wait.more + days > MOST_MORE:
        raise FileRefused(
            "E-LIMIT",
            say("too much time is given for one answer: in days, more than {most}", most=MOST_MORE),
        )
    return machine.put(wait=replace(wait, more=wait.more + days))


def count(machine: Machine, claimant: str, now: str) -> Patience | None:
    """The days that the waiting player may count at the time `now`. None where no mail states a
    date to count from, or the game has no terms for silence.

    They begin with the date of the entry that has to be answered; where the silent player wrote
    that one, with the last date of the waiting player before it. If the silent player had stated a
    later one by then, that counts in its place, unless it is later than now.
    """
    from datetime import timedelta

    terms, wait = machine.terms.proposal.get("silence"), machine.agreements.wait
    if terms is None or wait is None:
        return None
    since = wait.since if wait.by == claimant else wait.dates.get(claimant, "")
    theirs = wait.dates.get(other(claimant), "")
    if since is not None and since < theirs <= now:
        since = theirs
    begun, days = moment(since), terms["days"] + wait.more
    if begun is None or since is None:
        return None
    return Patience(wait.entry, since, days, (begun + timedelta(days=days)).strftime(MINUTE))


def check_due(machine: Machine) -> None:
    """Checks that the author of the open entry may claim by the terms now.

    Raises FileRefused (E-TURN).
    """
    entry, wait = machine.entry, machine.agreements.wait
    if "silence" not in machine.terms.proposal:
        raise _not_yet(say("the game was begun without terms for silence"))
    if moment(entry.time) is None:
        raise _not_yet(say("a claim by the terms for silence must state its date"))
    if machine.agreements.adjourned is not None:
        raise _not_yet(
            say("the game is adjourned by agreement, and no days are counted"),
        )
    assert entry.time is not None and wait is not None
    due = count(machine, entry.by, entry.time)
    if due is None:
        raise _not_yet(
            say("entry {entry} states no date, so no days can be counted from it",
                entry=wait.entry),
        )  # fmt: skip
    if entry.time < due.since:
        raise _not_yet(
            say(
                "the claim states {now}, which is before entry {entry}: {since}",
                now=entry.time, entry=due.entry, since=due.since,
            ),
            say("set your clock right"),
        )  # fmt: skip
    if entry.time < due.until:
        raise _not_yet(
            say(
                "the time agreed on is not over: it began on {since} (entry {entry}), and the "
                "claim states {now}",
                since=due.since, entry=due.entry, now=entry.time,
            ),
            say("claim it from {until} on", until=due.until),
        )  # fmt: skip


def _not_yet(why: Said, hint: Said = "") -> FileRefused:
    return FileRefused("E-TURN", why, rule=RULE, hint=hint)
