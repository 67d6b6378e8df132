"""The duel of toy.py with a secret decision of both players.

`conspire {}` (an order of the round) asks both for a plot: first the active player, then the other;
`plot {how}` is left, right or bold, which takes six strength. When both are told one die falls:
from 4 on whoever was bolder (else the active player) hurts the other by one, below they are hurt.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from pbem.engine.dice import Dice, Draw
from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import Asked, DiceWanted, Finished, ReadOrder, other
from tests.gamefile.players import opened, write
from tests.gamefile.toy import Toy, index, put, refusal

LEFT, RIGHT, BOLD = ({"plot": {"how": how}} for how in ("left", "right", "bold"))
CONSPIRE: dict[str, Any] = {"conspire": {}}


@dataclass(frozen=True)
class SecretToy(Toy):
    """`waiting` are still to choose; `sealed` have chosen and tell, the last of them first."""

    plots: tuple[str, str] = ("", "")
    waiting: tuple[str, ...] = ()
    sealed: tuple[str, ...] = ()
    room: ClassVar[int] = 0
    verbs: ClassVar[frozenset[str]] = Toy.verbs | {"conspire", "plot"}
    leading: ClassVar[frozenset[str]] = Toy.leading | {"conspire"}
    hiding: ClassVar[frozenset[str]] = frozenset({"plot"})

    def waits(self) -> Asked | DiceWanted | Finished:
        if self.stage == "clash":
            return DiceWanted("the clash")
        if self.stage == "plot" and self.waiting:
            return Asked(self.waiting[0], "a plot", "react", secret=True, room=self.room)
        if self.stage == "plot":
            return Asked(self.sealed[-1], "a plot", "react", tells=len(self.sealed))
        return super().waits()

    def answers(self, order: ReadOrder) -> bool:
        if self.stage == "plot":
            return "plot" in order.plain
        return (self.stage == "order" and "conspire" in order.plain) or super().answers(order)

    def default(self) -> ReadOrder:
        return self.read(LEFT) if self.stage == "plot" else super().default()

    def seal(self, entry: int) -> SecretToy:
        assert self.stage == "plot"
        return replace(self, waiting=self.waiting[1:], sealed=(*self.sealed, self.waiting[0]))

    def _conspire(self, fields: dict[str, Any]) -> SecretToy:
        both = (self.active, other(self.active))
        return replace(self, stage="plot", waiting=both, plots=("", ""))

    def _plot(self, fields: dict[str, Any]) -> SecretToy:
        player, how = self.waits().by, fields.get("how")
        if how not in ("left", "right", "bold"):
            raise refusal("a plot is left, right or bold")
        if how == "bold" and self.of(player) < 6:
            raise refusal("a bold plot takes six strength")
        after = replace(self, plots=put(self.plots, player, how))
        if self.waiting:
            after = replace(after, waiting=self.waiting[1:])
        else:
            after = replace(after, sealed=self.sealed[:-1])
        return after if after.waiting or after.sealed else replace(after, stage="clash")

    def covers(self, by: str, slot: str, scope: Any, until: str | None) -> bool:
        return self.stage == "plot" or super().covers(by, slot, scope, until)

    def policy_answer(self, policy: Any) -> ReadOrder:
        return self.read(RIGHT) if self.stage == "plot" else super().policy_answer(policy)

    def roll(self, dice: Dice) -> Toy:
        if self.stage != "clash":
            return super().roll(dice)
        face = dice.roll([Draw("clash/#/die", "the clash")])["clash/#/die"].face
        bold = [player for player in "AB" if self.plots[index(player)] == "bold"]
        first = bold[0] if len(bold) == 1 else self.active
        return self.hurt(other(first) if face >= 4 else first, 1).to_orders()

    def public(self) -> dict[str, Any]:
        return {
            **super().public(),
            "plots": list(self.plots), "waiting": list(self.waiting), "sealed": list(self.sealed),
        }  # fmt: skip


def open_secret_toy(proposal: Mapping[str, Any]) -> SecretToy:
    return SecretToy()


class ShortToy(SecretToy):
    """Whose game says how long a plot can be."""

    room = 24


def open_short_toy(proposal: Mapping[str, Any]) -> ShortToy:
    return ShortToy()


def conspired(
    plot: dict[str, Any] = BOLD, table: Callable[[Mapping[str, Any]], SecretToy] = open_secret_toy
) -> Fold:
    """A has called for plots and sealed one; B is to choose."""
    return write(opened(table=table), "A", CONSPIRE, plot)


def both_bound(a: dict[str, Any] = BOLD, b: dict[str, Any] = RIGHT) -> Fold:
    """B has sealed and told a plot, too; A owes to tell the first one."""
    return write(conspired(a), "B", b)
