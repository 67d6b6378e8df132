"""An entry in the making: steps tried one by one on the verifier's machine, then signed."""

from __future__ import annotations

from typing import Any

from pbem.gamefile import chain
from pbem.gamefile.beacons import derive_chain, place_in_chain
from pbem.gamefile.canonical import check_domain
from pbem.gamefile.chain import ZEROS, Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import begin_entry, end_entry, take_step
from pbem.gamefile.keys import KeyPair, game_secret
from pbem.gamefile.machine import Machine
from pbem.gamefile.referee import Asked
from pbem.gamefile.shapes import check_step

ANSWER_MEMBER = {"orders": "list", "react": "answers", "post_choice": "answers"}


class Draft:
    """An entry in the making: the steps so far, and the machine that has folded them."""

    def __init__(self, machine: Machine, player: str, key: KeyPair) -> None:
        self.machine, self.player, self.key = machine, player, key
        self.steps: list[dict[str, Any]] = []
        begin_entry(machine, player)

    def add(self, step: dict[str, Any]) -> None:
        check_domain(step)
        check_step(step)
        take_step(self.machine, step)
        self.steps.append(step)

    def speak(self, lines: tuple[str, ...]) -> None:
        if lines:
            self.add({"do": "say", "text": list(lines)})

    def pay(self) -> None:
        """Adds what is owed and leaves no choice: reveals and new anchors."""
        while True:
            if self.machine.due(self.player):
                self.add(self._reveal(self.machine.locked or 0))
            elif self.machine.lacks_anchor(self.player):
                number = len(self.machine.anchors[self.player])
                anchor = self._values(number)[0]
                self.add({"do": "anchor", "q": number, "anchor": anchor})
            else:
                return

    def void(self) -> None:
        self.add({**self._reveal(self.machine.next_beacon), "void": True})

    def first_anchor(self, context: str) -> str:
        secret = game_secret(self.key.seed, self.player, context)
        return derive_chain(secret, self.player, context, self.machine.chain_length)[0]

    def sign(self, tool: str, time: str | None) -> Entry:
        machine = self.machine
        end_entry(machine)
        payload: dict[str, Any] = {
            "v": chain.VERSION, "game": machine.game if machine.seq > 1 else ZEROS,
            "seq": machine.seq, "prev": machine.last_id, "by": self.player, "steps": self.steps,
            "post": chain.state_digest(machine.public_state()), "tool": tool,
        }  # fmt: skip
        if time is not None:
            payload["time"] = time
        return chain.sign_entry(self.key, payload)

    def _reveal(self, number: int) -> dict[str, Any]:
        number_of_chain, index = place_in_chain(number, self.machine.chain_length)
        values = self._values(number_of_chain)
        if values[0] != self.machine.anchors[self.player][number_of_chain]:
            raise FileRefused("E-KEY", "this key is not the one whose secrets the game is bound to")
        return {"do": "reveal", "n": number, "x": values[index]}

    def _values(self, number: int) -> tuple[str, ...]:
        context = self.machine.contexts[self.player]
        secret = game_secret(self.key.seed, self.player, context)
        return derive_chain(secret, self.player, context, self.machine.chain_length, number)


def answer_step(waits: Asked, orders: Any) -> dict[str, Any]:
    """The step that answers what is asked with these orders."""
    return {"do": waits.kind, ANSWER_MEMBER[waits.kind]: [dict(order) for order in orders]}


def not_now(machine: Machine) -> str:
    """Why orders cannot be given now, in words."""
    if machine.phase == "over":
        return "the game is over"
    if machine.locked is not None:
        return f"the game stands before a roll: beacon {machine.locked} must be revealed first"
    first = machine.owed()[0]
    return f"player {first.by} is to write: {first.machine}"
