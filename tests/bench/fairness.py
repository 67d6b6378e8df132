"""Whether dice, draws and sealed layouts are as even as chance: chi-square over many of them.

The beacons come from two chains, as in a game, so the faces are the same in every run and a figure
that is out of the way is a fault and no bad luck. `python -m tests.bench.fairness` prints them.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import erfc, sqrt

from pbem.gamefile.beacons import beacon_value, derive_chain, die, sample
from pbem.gamefile.decks import layout

FACES = 1_000_000
DEALS = 10_000
ROLLS = 50  # of one beacon
GAME = "c2" * 32
LEAST, MOST = 0.001, 0.999
"""What a probability may be: less is uneven, more is too even to be chance."""


@dataclass(frozen=True)
class Spread:
    """How far counts are from even: `chi` with its degrees of freedom."""

    what: str
    count: int
    chi: float
    freedom: int

    @property
    def probability(self) -> float:
        """How often chance is as uneven as that, by the approximation of Wilson and Hilferty."""
        part = 2 / (9 * self.freedom)
        return erfc(((self.chi / self.freedom) ** (1 / 3) - 1 + part) / sqrt(2 * part)) / 2

    @property
    def is_even(self) -> bool:
        return LEAST <= self.probability <= MOST

    def line(self) -> str:
        what = f"{self.what}, {self.count:,}"
        return (
            f"{what:<58} chi2 {self.chi:8.2f} on {self.freedom:>4} df, p = {self.probability:.3f}"
        )


def values(count: int) -> Iterator[bytes]:
    """R_1 ... R_count of two players' chains."""
    chains = [derive_chain(bytes([at]) * 32, player, GAME, count) for at, player in
              enumerate("AB", 1)]  # fmt: skip
    for number in range(1, count + 1):
        yield beacon_value(GAME, number, chains[0][number], chains[1][number])


def spread(what: str, found: Iterable[object], kinds: int, correction: float = 1.0) -> Spread:
    """Against all kinds being as likely; `correction` where draws are not put back."""
    counted = Counter(found)
    total = sum(counted.values())
    wanted = total / kinds
    chi = sum((seen - wanted) ** 2 / wanted for seen in counted.values())
    chi += wanted * (kinds - len(counted))
    return Spread(what, total, chi * correction, kinds - 1)


def spreads(faces: int = FACES, deals: int = DEALS) -> list[Spread]:
    """All figures, from about `faces` faces and `deals` deals."""
    beacons = list(values(max(faces // ROLLS, deals)))
    rolled = [
        die(value, f"combat/{number}/att/die/1")
        for value in beacons[: faces // ROLLS]
        for number in range(1, ROLLS + 1)
    ]
    dealt = [sample(value, "draw/n/1", 55, 7)[0] for value in beacons[:deals]]
    laid = [layout(value, "abcd").cards for value in beacons[:deals]]
    return [
        spread("faces of a die", rolled, 6),
        spread("pairs of dice, one behind the other", pairs(rolled), 36),
        spread("dice that begin a beacon", rolled[::ROLLS], 6),
        spread("first cards of a deal of 7 from 55", [deal[0] for deal in dealt], 55),
        spread("last cards of it", [deal[-1] for deal in dealt], 55),
        # Seven different cards at a time vary less than seven that are put back.
        spread("all cards of it", [one for deal in dealt for one in deal], 55, 54 / 48),
        spread("orders of four cards in a sealed layout", laid, 24),
    ]


def pairs(rolled: Sequence[int]) -> list[tuple[int, int]]:
    return list(zip(rolled[::2], rolled[1::2], strict=False))


def report() -> int:
    """Prints every figure; how many of them are uneven."""
    found = spreads()
    for each in found:
        print(each.line() + ("" if each.is_even else "   UNEVEN"))
    return sum(not each.is_even for each in found)


if __name__ == "__main__":
    sys.exit(1 if report() else 0)
