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

from pbem.gamefile import audit, choices, notes, renewal
from pbem.gamefile.beacons import beacon_value
from pbem.gamefile.cards import RULE, epoch_of
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import judge_entry, named
from pbem.gamefile.machine import Machine, World
from pbem.gamefile.referee import Laid, other
from pbem.gamefile.steps import beacons, ending, hidden, keys, opening, orders, turn
from pbem.value import replace, value

Step = dict[str, Any]


@value
class Bare:
    """What was judged of a file so far: the machine, as far as the protocol alone knows it.

    There is nothing on its table, and nobody holds its pen. `note_by` is who laid the last entry
    beside the turn, where that can be told.
    """

    machine: Machine
    entries: tuple[Entry, ...]
    note_by: str = ""
    resigned: bool = False
    completed: int = 0
    void_beacons: int = 0
    decks_proven: int = 0
    opened: int = 0
    unsealed: int = 0
    told: int = 0

    def at(self, machine: Machine, **facts: Any) -> Bare:
        """The same with another machine, and other facts."""
        return replace(self, machine=machine, **facts)


def replay_bare(entries: Sequence[Entry]) -> Bare:
    """Judges a whole file without rules. Raises FileRefused at the first thing that is wrong."""
    bare = Bare(Machine(World(None)), tuple(entries))
    for entry in entries:
        bare = judge_entry(bare.machine, entry, partial(_judge_steps, bare, entry))
    return bare


def _judge_steps(bare: Bare, entry: Entry, machine: Machine) -> Bare:
    bare = _beside(bare, entry)
    # `side` as if the other always held the pen: a new key named for them passes.
    bare = bare.at(
        machine.put(
            seq=entry.seq, by=entry.by, side=True, progress=False, kinds=(), slots=(),
            happenings=(),
        )
    )  # fmt: skip
    for number, step in enumerate(entry.steps):
        try:
            bare = _judge_step(bare, step)
        except FileRefused as refused:
            raise refused.placed(step=number) from None
    return bare.at(named(bare.machine, entry))


def _beside(bare: Bare, entry: Entry) -> Bare:
    """T2, T3 where the pen shows without the rules: it is with the player who owes a value.

    Raises FileRefused (E-TURN).
    """
    by, kinds = entry.by, {step["do"] for step in entry.steps}
    revealed = bare.machine.beacons.revealed
    is_note = not bare.resigned and revealed[by] > revealed[other(by)]
    on_own_note = bare.note_by == by
    wrong = sorted(kinds - turn.NOTE_KINDS)
    if is_note and wrong:
        raise FileRefused(
            "E-TURN",
            f"player {other(by)} owes a value and has the pen, so {turn.named(wrong[0])} is out "
            "of place",
            rule="T2",
        )
    speaks = any(step.get("signed_by") == "opponent" for step in entry.steps)
    if on_own_note and not speaks:
        raise notes.second_note(bare.machine)
    return replace(bare, note_by=by if is_note else "", resigned=bare.resigned or "resign" in kinds)


def _judge_step(bare: Bare, step: Step) -> Bare:
    kind, machine = step["do"], bare.machine
    begun = machine.terms.phase == "accepted" and not machine.entry.progress
    if machine.terms.phase == "running":
        bare = _JUDGED.get(kind, _left_to_the_rules)(bare, step)
    elif begun and kind == "start":
        bare = bare.at(opening.start_bound(machine, step))
    elif begun:
        raise FileRefused("E-TURN", f"a start step comes first, and here is {turn.named(kind)}")
    else:
        return bare.at(turn.apply_step(machine, step))
    return bare.at(bare.machine.put(kinds=(*machine.entry.kinds, kind)))


def _left_to_the_rules(bare: Bare, step: Step) -> Bare:
    """Nothing about such a step can be told without the rules."""
    if step["do"] in opening.BEGINNINGS.values():
        raise FileRefused("E-TURN", f"the game has begun, and here is {turn.named(step['do'])}")
    return bare


def _reveal(bare: Bare, step: Step) -> Bare:
    machine, number, is_void = bare.machine, step["n"], step.get("void", False)
    player, revealed = machine.entry.by, machine.beacons.revealed
    beacons.check_number(machine, player, number)
    if number > revealed[other(player)] + 1:
        raise FileRefused(
            "E-EARLY", f"value {number} is revealed before both have shown the one before it",
            rule="R3",
        )  # fmt: skip
    machine = beacons.show_value(machine, player, number, step["x"])
    if revealed[other(player)] != number:
        return bare.at(machine.put(void=is_void))
    if "void" in step:
        raise beacons.void_marked_again()
    value_a, value_b = machine.beacons.values["A"], machine.beacons.values["B"]
    assert value_a is not None and value_b is not None
    known = beacon_value(machine.terms.game, number, value_a, value_b)
    decks, _ = machine.hidden.decks.challenge(number, known)
    return bare.at(
        machine.put(decks=decks),
        completed=bare.completed + 1, void_beacons=bare.void_beacons + machine.beacons.void,
    )  # fmt: skip


def _anchor(bare: Bare, step: Step) -> Bare:
    return bare.at(beacons.add_anchor(bare.machine, bare.machine.entry.by, step))


def _deck_commit(bare: Bare, step: Step) -> Bare:
    """What is locked is not known here, only what was shown: so which beacon will challenge it."""
    machine, by = bare.machine, bare.machine.entry.by
    deck, epoch, cards = step["deck"], step["epoch"], tuple(step["cards"])
    proposal = machine.terms.proposal
    owners = {each["deck"]: each["by"] for each in proposal["decks"]}
    laid = Laid(deck, by, epoch, cards)
    is_new = owners.get(deck) == by and machine.hidden.decks.lacking((laid,), by)
    if not is_new or list(cards) != sorted(cards):
        raise FileRefused("E-DECK", f"no commitment to deck {deck}/{epoch} is wanted", rule=RULE)
    challenge = max(machine.beacons.revealed.values()) + 1
    return bare.at(hidden.bind_deck(machine, epoch_of(laid, proposal["m"], challenge), step["c"]))


def _deck_reply(bare: Bare, step: Step) -> Bare:
    machine, _ = hidden.take_reply(bare.machine, step)
    return bare.at(machine, decks_proven=bare.decks_proven + 1)


def _open(bare: Bare, step: Step) -> Bare:
    machine = bare.machine.put(decks=hidden.shown(bare.machine, step))
    return bare.at(machine, opened=bare.opened + 1)


def _policy(bare: Bare, step: Step) -> Bare:
    orders.check_policy_form(step)
    return bare.at(bare.machine.put(slots=orders.slots_with(bare.machine, step)))


def _unseal(bare: Bare, step: Step) -> Bare:
    orders.check_document(step, _bound(bare, step["slot"], step["seq"]))
    return replace(bare, unsealed=bare.unsealed + 1)


def _bound(bare: Bare, slot: str, seq: int) -> str | None:
    """What bound the author of the open entry to the sealed orders of entry `seq`, if anything."""
    now = bare.machine.entry
    if seq > now.seq or bare.entries[seq].by != now.by:
        return None
    before = bare.entries[seq].steps[: len(now.kinds) if seq == now.seq else None]
    found = (each for each in before if each["do"] == "policy" and each["slot"] == slot)
    return next((each.get("c") for each in found), None)


def _seal(bare: Bare, step: Step) -> Bare:
    return bare.at(hidden.bind_choice(bare.machine, 0, step))


def _tell(bare: Bare, step: Step) -> Bare:
    """Which choice is told first only the rules say; it is one that its author is bound to."""
    machine, by, chosen = bare.machine, bare.machine.entry.by, bare.machine.hidden.chosen
    told = next((each for each in chosen if each.by == by and choices.fits(step, each)), None)
    if told is None:
        raise FileRefused("E-POLICY", f"player {by} has sealed no such choice", rule=choices.RULE)
    left = tuple(each for each in chosen if each is not told)
    return bare.at(machine.put(chosen=left), told=bare.told + 1)


def _take_back(bare: Bare, step: Step) -> Bare:
    return bare.at(bare.machine.put(chosen=()))


def _renew(bare: Bare, step: Step) -> Bare:
    machine, _ = renewal.bind_anew(bare.machine, step["anchor"])
    return bare.at(machine)


def _rotate(bare: Bare, step: Step) -> Bare:
    return bare.at(keys.rotate(bare.machine, step))


def _audit(bare: Bare, step: Step) -> Bare:
    player, secrets = bare.machine.entry.by, audit.secrets_shown(step)
    known = bare.entries[: bare.machine.entry.seq + 1]
    machine = ending.show_secrets(bare.machine, step)
    audit.check_sealed_orders(known, player, secrets)
    return bare.at(machine)


_JUDGED: Mapping[str, Callable[[Bare, Step], Bare]] = MappingProxyType(
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
        "rotate": _rotate,
        "renew": _renew,
    }
)
