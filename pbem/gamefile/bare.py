"""A game file judged without its rules: what whoever knows the format alone can tell.

For a tournament director without the data of a game, and for a file made by other rules than are
known here. Signatures, links, the values of beacons, decks, cards and documents that were opened,
keys, and the secrets shown at the end are judged as in the fold, by the same functions. Whose turn
it was, what an order does, which dice it calls for and who holds which card only the rules can say.
So notes are told from main entries only while a value is owed, which gives its owner the pen.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any

from pbem.gamefile import audit, choices, notes, renewal, rotation, steps
from pbem.gamefile.beacons import beacon_value
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import judge_entry, seal_entry
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import Owed
from pbem.gamefile.referee import Laid, Referee, other

Step = dict[str, Any]


class BareMachine(Machine):
    """What the protocol alone knows of a game; there is nothing on the table."""

    def __init__(self, entries: Sequence[Entry]) -> None:
        super().__init__(_no_table)
        self.entries = entries
        self.sealed: dict[tuple[str, str, int], str] = {}  # author, slot, entry -> commitment
        self.completed = self.void_beacons = 0
        self.told = 0
        self.opened = self.unsealed = self.decks_proven = 0
        self.resigned = False
        self.note_by = ""  # who laid the last entry beside the turn, where that can be told

    def proposed_table(self) -> Referee | None:
        """None: what a proposal's words mean only the rules know."""
        return None

    def owed(self) -> tuple[Owed, ...]:
        """Who owes what only the rules know."""
        return ()

    @property
    def next_beacon(self) -> int:
        """What is locked is not known either, only what was shown."""
        return max(self.revealed.values()) + 1


def replay_bare(entries: Sequence[Entry]) -> BareMachine:
    """Judges a whole file without rules. Raises FileRefused at the first thing that is wrong."""
    machine = BareMachine(entries)
    for entry in entries:
        judge_entry(machine, entry, partial(_judge_steps, machine, entry))
    return machine


def _no_table(proposal: Mapping[str, Any]) -> Referee:
    raise AssertionError("without rules no table is set")


def _judge_steps(machine: BareMachine, entry: Entry) -> None:
    machine.seq, machine.by, machine.kinds, machine.happenings = entry.seq, entry.by, (), []
    machine.slots = ()
    machine.side = True  # as if the other always held the pen: a new key named for them passes
    machine.progress = False
    _check_beside(machine, entry)
    for number, step in enumerate(entry.steps):
        machine.step_number = number
        try:
            _judge_step(machine, step)
        except FileRefused as refused:
            raise refused.placed(step=number) from None
        machine.kinds = (*machine.kinds, step["do"])
    seal_entry(machine, entry)


def _check_beside(machine: BareMachine, entry: Entry) -> None:
    """T2, T3 where the pen shows without the rules: it is with the player who owes a value.

    Raises FileRefused (E-TURN).
    """
    by, kinds = entry.by, {step["do"] for step in entry.steps}
    is_note = not machine.resigned and machine.revealed[by] > machine.revealed[other(by)]
    on_own_note, machine.note_by = machine.note_by == by, by if is_note else ""
    machine.resigned = machine.resigned or "resign" in kinds
    wrong = sorted(kinds - steps.NOTE_KINDS)
    if is_note and wrong:
        raise FileRefused(
            "E-TURN",
            f"player {other(by)} owes a value and has the pen, so {steps.named(wrong[0])} is out "
            "of place",
            rule="T2",
        )
    named = any(step.get("signed_by") == "opponent" for step in entry.steps)
    if on_own_note and not named:
        raise notes.second_note(machine)


def _judge_step(machine: BareMachine, step: Step) -> None:
    kind = step["do"]
    if machine.phase == "running":
        _JUDGED.get(kind, _left_to_the_rules)(machine, step)
    elif kind == "start" and machine.phase == "accepted" and not machine.progress:
        steps.start_bound(machine, step)
    elif machine.phase == "accepted" and not machine.progress:
        raise FileRefused("E-TURN", f"a start step comes first, and here is {steps.named(kind)}")
    else:
        steps.apply_step(machine, step)


def _left_to_the_rules(machine: BareMachine, step: Step) -> None:
    """Nothing about such a step can be told without the rules."""
    if step["do"] in steps.BEGINNINGS.values():
        raise FileRefused("E-TURN", f"the game has begun, and here is {steps.named(step['do'])}")


def _reveal(machine: BareMachine, step: Step) -> None:
    player, number = machine.by, step["n"]
    steps.check_number(machine, player, number)
    if number > machine.revealed[other(player)] + 1:
        raise FileRefused(
            "E-EARLY", f"value {number} is revealed before both have shown the one before it",
            rule="R3",
        )  # fmt: skip
    steps.check_value(machine, player, number, step["x"])
    machine.revealed[player], machine.values[player] = number, step["x"]
    if machine.revealed[other(player)] == number:
        if "void" in step:
            raise steps.void_marked_again()
        value_a, value_b = machine.values["A"], machine.values["B"]
        assert value_a is not None and value_b is not None
        machine.decks.challenge(number, beacon_value(machine.game, number, value_a, value_b))
        machine.completed += 1
        machine.void_beacons += machine.void
    else:
        machine.void = step.get("void", False)


def _anchor(machine: BareMachine, step: Step) -> None:
    steps.add_anchor(machine, machine.by, step)


def _deck_commit(machine: BareMachine, step: Step) -> None:
    deck, epoch, cards = step["deck"], step["epoch"], tuple(step["cards"])
    owners = {each["deck"]: each["by"] for each in machine.proposal["decks"]}
    laid = Laid(deck, machine.by, epoch, cards)
    is_new = owners.get(deck) == machine.by and machine.decks.lacking((laid,), machine.by)
    if not is_new or list(cards) != sorted(cards):
        raise FileRefused(
            "E-DECK", f"no commitment to deck {deck}/{epoch} is wanted", rule=steps.DECKS
        )
    steps.bind_deck(machine, laid, step["c"])


def _deck_reply(machine: BareMachine, step: Step) -> None:
    steps.take_reply(machine, step)
    machine.decks_proven += 1


def _open(machine: BareMachine, step: Step) -> None:
    machine.decks.open(steps.slot_of(step), step["card"], step["nonce"], machine.by)
    machine.opened += 1


def _policy(machine: BareMachine, step: Step) -> None:
    steps.check_policy_form(step)
    steps.take_slot(machine, step)
    if "c" in step:
        machine.sealed[machine.by, step["slot"], machine.seq] = step["c"]


def _unseal(machine: BareMachine, step: Step) -> None:
    steps.check_document(step, machine.sealed.get((machine.by, step["slot"], step["seq"])))
    machine.unsealed += 1


def _seal(machine: BareMachine, step: Step) -> None:
    place = machine.place()
    made = choices.Chosen(machine.by, 0, step["c"], step["box"], place)
    machine.chosen = (*machine.chosen, made)


def _tell(machine: BareMachine, step: Step) -> None:
    """Which choice is told first only the rules say; it is one that its author is bound to."""
    own = [each for each in machine.chosen if each.by == machine.by]
    told = next((each for each in own if choices.fits(step, each)), None)
    if told is None:
        raise FileRefused(
            "E-POLICY", f"player {machine.by} has sealed no such choice", rule=choices.RULE
        )
    machine.chosen = tuple(each for each in machine.chosen if each is not told)
    machine.told += 1


def _take_back(machine: BareMachine, step: Step) -> None:
    machine.chosen = ()


def _renew(machine: BareMachine, step: Step) -> None:
    renewal.bind_anew(machine, step["anchor"])


def _audit(machine: BareMachine, step: Step) -> None:
    player, secrets = machine.by, audit.secrets_shown(step)
    audit.check_bound(machine, player, secrets)
    audit.check_sealed_orders(machine.entries[: machine.seq + 1], player, secrets)
    machine.lost += audit.lost(machine, player, secrets)
    machine.audited[player] = step["gsec"]


_JUDGED: Mapping[str, Callable[[BareMachine, Step], None]] = MappingProxyType(
    {
        "anchor": _anchor,
        "reveal": _reveal,
        "deck_commit": _deck_commit,
        "deck_reply": _deck_reply,
        "open": _open,
        "policy": _policy,
        "unseal": _unseal,
        "seal": _seal,
        "tell": _tell,
        "takeback": _take_back,
        "audit": _audit,
        "rotate": rotation.rotate,
        "renew": _renew,
    }
)
