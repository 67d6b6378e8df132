"""What an audit knows while it plays a game again: the cards of every deck that chance has met."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from unittest.mock import patch

from pbem.gamefile.audit import play_again
from pbem.gamefile.fold import Fold
from pbem.gamefile.machine import Machine
from pbem.gamefile.shown import Secret, secrets_shown


def secret_of(table: Any) -> dict[str, str]:
    """What a table knows beside what is public: the toy's own, or a position's."""
    return table.secret if hasattr(table, "secret") else table.state.position.secret


def unseen(fold: Fold, player: str, *secrets: Secret) -> dict[int, list[str]]:
    """By entry, the slots whose cards the audit of the player should know there and does not."""
    found: dict[int, list[str]] = {}
    met: list[str] = []
    post = Machine.post

    def watched(machine: Machine) -> str:
        cards = dict(_met(machine))
        met.extend(cards)
        known = secret_of(machine.table) if cards else {}
        missing = [slot for slot, card in cards.items() if known.get(slot) != card]
        if missing:
            found[machine.entry.seq] = missing
        return post(machine)

    with patch.object(Machine, "post", watched):
        play_again(fold.entries, fold.machine.world.open_table, player, secrets)
    assert met or None in secrets, "no deck was challenged"
    return found


def _met(machine: Machine) -> Iterator[tuple[str, str]]:
    """The cards of the auditor's decks that chance has met."""
    who = machine.world.auditor
    if who is None or machine.in_play is None:
        return
    for bound in machine.hidden.decks:
        if bound.epoch.by == who.player and bound.trial is not None:
            yield from who.whole_deck(bound).items()


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
