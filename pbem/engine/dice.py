"""What a chance stage asks for (Draw), what comes back (Roll), and what supplies it (Dice).

A label is ordinal, never textual: `#` is replaced by the ordinal of this roll among the rolls of
the same beacon with the same text in front of it. All draws of one chance with the same text before
their `#` share one ordinal (both dice of a combat are those of combat 2). The supplier of the dice
fills it in, because only they know what else the beacon has already decided.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from pbem.messages import Said
from pbem.value import value


@value
class Draw:
    """One die (`faces`), or a sample without repetition of `take` positions out of `of`."""

    label: str
    purpose: Said
    faces: int = 6
    of: int = 0
    take: int = 0

    @property
    def is_sample(self) -> bool:
        """Whether some of a list are taken, rather than a die rolled."""
        return self.take > 0


@value
class Roll:
    """The outcome of a Draw: a face counted from 1, or the sampled positions counted from 0."""

    label: str
    purpose: Said
    face: int = 0
    picked: tuple[int, ...] = ()


class Dice(Protocol):
    """Supplies outcomes; the mapping is keyed by the labels as the draws wrote them."""

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]: ...


class Ordinals:
    """Counts the rolls of one beacon and turns `combat/#/att` into `combat/2/att`."""

    def __init__(self) -> None:
        self._used: dict[str, int] = {}

    def again(self) -> Ordinals:
        """A copy that has counted the same rolls."""
        twin = Ordinals()
        twin._used = dict(self._used)
        return twin

    def fill(self, labels: Iterable[str]) -> dict[str, str]:
        """The full label of each label; labels of one call share an ordinal per text in front."""
        labels = list(labels)
        fronts = {label.partition("#")[0] for label in labels if "#" in label}
        for front in sorted(fronts):
            self._used[front] = self._used.get(front, 0) + 1
        return {label: self._filled(label) for label in labels}

    def _filled(self, label: str) -> str:
        front, mark, rest = label.partition("#")
        return f"{front}{self._used[front]}{rest}" if mark else label
