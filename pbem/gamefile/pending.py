"""What waits: orders given ahead, policies, things owed; and how an order is judged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.happenings import Place
from pbem.gamefile.referee import OrderRefused, Referee
from pbem.problems import Problem
from pbem.value import value


class OrderIllegal(FileRefused):
    """An order that is not legal now and is no lapse: `index` counts from 0 in the step's list."""

    def __init__(self, item: Given, refusal: OrderRefused) -> None:
        super().__init__(
            "E-ORDER",
            f"order {item.sent.index + 1} is not legal",
            rule="R8",
            causes=refusal.problems,
        )
        self.index = item.sent.index
        self.refusal = refusal


@value
class Given:
    """An order sent and not yet reached. `stamp` tells whether the game has moved since."""

    order: Mapping[str, Any]
    kind: str
    sent: Place
    stamp: int


@value
class Standing:
    """A policy step in the chain; `doc` None withdraws. `stamp`: the highest number revealed."""

    by: str
    slot: str
    scope: Mapping[str, Any] | None
    until: str | None
    doc: Mapping[str, Any] | None
    sent: Place
    stamp: int

    def plain(self) -> dict[str, Any]:
        return {
            "by": self.by, "slot": self.slot, "scope": self.scope, "until": self.until,
            "doc": self.doc, "entry": self.sent.entry, "since": self.stamp,
        }  # fmt: skip


@value
class Owed:
    """A thing player `by` owes: `code` is accept, start, reveal, anchor or answer."""

    by: str
    code: str
    what: str = ""

    @property
    def machine(self) -> str:
        """The code with what it is about, as `claim_forfeit` lists it."""
        return f"{self.code} {self.what}".strip()[:160]

    def plain(self) -> dict[str, str]:
        return {"by": self.by, "what": self.machine}


def judged(table: Referee, order: Mapping[str, Any]) -> Referee:
    """The game after an order. An order on which the rules stumble counts as not legal.

    It may have been sent long ago and be reached in an entry of the other player, whose mail must
    not be refused for it. Raises OrderRefused.
    """
    try:
        return table.submit(order)
    except OrderRefused:
        raise
    except Exception as error:
        stumbled = f"the rules cannot judge this order ({type(error).__name__}: {error})"
        raise OrderRefused(Problem("fault", stumbled)) from error
