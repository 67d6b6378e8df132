"""The knowledge checker: was any decision fixed by somebody who could compute a roll it influences?

A decision (an order carried out, a lapsed one, a policy's answer) was fixed where it was sent. It
influences every roll that comes behind it. Its author can compute beacon n once the *other* player
has revealed n, since his own value he knows always. So for each roll at or behind a decision, the
other's reveal must stand in the chain behind the place where the decision was fixed.
"""

from __future__ import annotations

from pbem.gamefile.fold import Fold
from pbem.gamefile.happenings import Answered, Lapsed, Ordered, Place, Revealed, Rolled
from pbem.gamefile.referee import other


def look_aheads(fold: Fold) -> list[str]:
    """Every decision whose author knew a roll behind it, in words; empty when the game was fair."""
    told = list(fold.told())
    shown = {(one.by, one.n): one.place for one in told if isinstance(one, Revealed)}
    found = []
    rolls: list[Rolled] = []
    for one in reversed(told):
        if isinstance(one, Rolled):
            rolls.append(one)
        elif isinstance(one, (Ordered, Answered, Lapsed)):
            found += [
                f"{one.by} fixed {one.order} at {one.sent[:2]} knowing beacon {roll.n}"
                for roll in rolls
                if knew(one.by, roll.n, one.sent, shown)
            ]
    return found


def knew(player: str, number: int, fixed: Place, shown: dict[tuple[str, int], Place]) -> bool:
    return shown[other(player), number][:2] <= fixed[:2]
