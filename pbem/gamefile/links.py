"""The links of the hash chains that a file shows, for everyone who recomputes them by hand."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.gamefile.beacons import place_in_chain, step_command
from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.machine import Machine
from pbem.value import value


@value
class ChainLink:
    """A value that a player showed of their chain, and what it hashes to: `of` is the number of
    the value before it, or 0 for the anchor. `command` prints that, `before` is it, in hex, and
    `bound` the entry that has it.
    """

    player: str
    number: int
    entry: int
    of: int
    bound: int
    before: str
    command: str

    def plain(self) -> dict[str, Any]:
        """For machines."""
        before = {"entry": self.bound, "value": self.before}
        return {
            "player": self.player, "n": self.number, "entry": self.entry,
            "command": self.command, "hashes_to": {"n": self.of, **before} if self.of
            else {"anchor": True, **before},
        }  # fmt: skip


def links(fold: Fold) -> dict[int, tuple[ChainLink, ...]]:
    """The values that the players showed, by the number of their beacon.

    Each hashes to the one before it, down to an anchor that was given before: nobody chose it.
    """
    chains = _Chains(fold.machine)
    for entry in fold.entries:
        for step in entry.steps:
            chains.read(entry.by, entry.seq, step)
    return {number: tuple(found) for number, found in chains.found.items()}


class _Chains:
    """The chains of both players, as the steps of a file show them, link by link."""

    def __init__(self, machine: Machine) -> None:
        self.contexts, self.length = machine.keys.contexts, machine.chain_length
        self.base = dict.fromkeys(PLAYERS, 0)
        self.revealed = dict.fromkeys(PLAYERS, 0)
        self.anchors: dict[str, list[tuple[int, str]]] = {player: [] for player in PLAYERS}
        """Where each anchor was given, and what it is."""
        self.last: dict[str, tuple[int, str]] = {}
        """Where each player showed their last value, and what it is."""
        self.found: dict[int, list[ChainLink]] = {}

    def read(self, player: str, entry: int, step: Mapping[str, Any]) -> None:
        if step["do"] == "reveal":
            self._shown(player, entry, step["n"], step["x"])
        elif "anchor" in step:
            if step["do"] == "renew":
                self.base[player] = self.revealed[player] = max(self.revealed.values())
                self.anchors[player] = []
            self.anchors[player].append((entry, step["anchor"]))

    def _shown(self, player: str, entry: int, number: int, value: str) -> None:
        chain, index = place_in_chain(number - self.base[player], self.length)
        bound, before = self.anchors[player][chain] if index == 1 else self.last[player]
        command = step_command(player, self.contexts[player], index, value)
        of = 0 if index == 1 else number - 1
        found = ChainLink(player, number, entry, of, bound, before, command)
        self.found.setdefault(number, []).append(found)
        self.revealed[player], self.last[player] = number, (entry, value)
