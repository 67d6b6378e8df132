"""What an audit knows while it plays a game again: the cards of every deck that chance has met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.gamefile.audit import Secret, play_again, secrets_shown
from pbem.gamefile.fold import Fold
from pbem.gamefile.machine import Machine


class Watched(Machine):
    """A machine that notes, behind each entry, the slots of its auditor that the table lacks."""

    def __init__(self, open_table: Any) -> None:
        super().__init__(open_table)
        self.unseen: dict[int, list[str]] = {}
        self.met = 0

    def post(self) -> str:
        missing = [slot for slot, card in self._met() if secret_of(self.table).get(slot) != card]
        if missing:
            self.unseen[self.seq] = missing
        return super().post()

    def _met(self) -> Iterator[tuple[str, str]]:
        who = self.auditor
        if who is None or self.referee is None:
            return
        for bound in self.decks:
            if bound.epoch.by == who.player and bound.trial is not None:
                self.met += 1
                yield from who.whole_deck(bound).items()


def secret_of(table: Any) -> dict[str, str]:
    """What a table knows beside what is public: the toy's own, or a position's."""
    return table.secret if hasattr(table, "secret") else table.state.position.secret


def unseen(fold: Fold, player: str, *secrets: Secret) -> dict[int, list[str]]:
    """By entry, the slots whose cards the audit of the player should know there and does not."""
    watched = Watched(fold.machine.open_table)
    play_again(fold.entries, watched, player, secrets)
    assert watched.met or None in secrets, "no deck was challenged"
    return watched.unseen


def unseen_by_audits(fold: Fold) -> list[dict[int, list[str]]]:
    """The same for each audit that stands in the game, where there is something."""
    found = [
        unseen(fold, entry.by, *secrets_shown(step))
        for entry in fold.entries
        for step in entry.steps
        if step["do"] == "audit"
    ]
    assert found, "nobody has shown their secrets"
    return [each for each in found if each]
