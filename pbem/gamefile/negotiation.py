"""The parts of an entry that offer, answer, change a key or close a game: how they are written.

The fold judges what they do (`consent.py`, `new_keys.py`, `records.py`); here a player's request
becomes the steps for it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile import new_keys, rotation
from pbem.gamefile.chain import Entry
from pbem.gamefile.consent import CARRIED_OUT, NAMES, open_offer
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.in_play import other
from pbem.gamefile.kept import Offer
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.messages import Message, say

if TYPE_CHECKING:
    from pbem.gamefile.draft import Draft


def refuse(phase: str) -> None:
    """Raises FileRefused (E-TURN): an offer or an answer where no game is running."""
    raise FileRefused("E-TURN", say(
        "the game is over, so nothing can be offered or answered" if phase == "over"
        else "the game has not begun, so nothing can be offered or answered"
    ))  # fmt: skip


def add_offer(draft: Draft, offer: Mapping[str, Any]) -> None:
    """The last step of an entry, where something is offered. Raises FileRefused as the fold does.

    An entry that has come to stand before a roll holds none.
    """
    machine = draft.machine
    if machine.beacons.locked is not None and not machine.entry.side:
        raise FileRefused(
            "E-TURN",
            say(
                "the entry comes before a roll, so it cannot contain an offer: the other "
                "player would answer it knowing the dice"
            ),
            rule="R10",
            hint=say("send it without the offer, and the offer after the dice are rolled"),
        )
    draft.add({"do": "offer", **offer})


def add_answer(draft: Draft, yes: bool, *, was_open: bool = False) -> None:
    """Adds the answer to the other player's open offer, and carries out what it agrees to.

    `was_open`: one was open before what the player owes was paid. Raises FileRefused (E-CONSENT)
    when no offer is open.
    """
    asked = open_offer(draft.machine, other(draft.player))
    if asked is None:
        from pbem.gamefile.draft import called

        if was_open:
            raise FileRefused(
                "E-CONSENT",
                say("what you owe comes first, dice follow it, and an offer lapses before dice"),
                rule="offers",
                hint=say("send what you owe; the offer can be made again after the dice"),
            )
        raise FileRefused(
            "E-CONSENT",
            say(
                "{other} has no open offer that you could answer",
                other=called(draft.machine, other(draft.player)),
            ),
            rule="offers",
            hint=say("an offer lapses with your next entry, and before every roll"),
        )
    if yes and asked.what == "renew":
        # Who has the old secrets still shows what is due; else the new ones are in its place.
        draft.pay_head_if_possible(lambda machine: _is_still_asked(machine, asked))
        if draft.machine.terms.phase == "over":
            return
    draft.add({"do": "answer", "offer": asked.id, "yes": yes})
    if yes and asked.what == "renew":
        draft.renew()
    elif yes and asked.what in CARRIED_OUT:
        only_offered = ("known_randomness", "changes")
        terms = {name: item for name, item in asked.terms.items() if name not in only_offered}
        draft.add({"do": asked.what, **terms})
        if not draft.machine.entry.only_words:  # play goes on, perhaps to a roll
            draft.pay()


def _is_still_asked(machine: Machine, asked: Offer) -> bool:
    """Whether the offer is still open; after the end of the game nothing more is to be agreed."""
    return machine.terms.phase == "over" or open_offer(machine, asked.by) is not None


def agreed_to(machine: Machine, by: str) -> str:
    """What a player's yes agrees to; empty where nothing is offered."""
    asked = open_offer(machine, other(by))
    return "" if asked is None else asked.what


def quiet_before(machine: Machine, player: str, entries: tuple[Entry, ...]) -> int | None:
    """The entry to which a take-back of the player's last decision goes back; None where there is
    none.
    """
    decided = last_decision(player, entries)
    if decided is None:
        return None
    return max((seq for seq in machine.agreements.quiet if seq < decided), default=None)


def last_decision(player: str, entries: tuple[Entry, ...]) -> int | None:
    """The last entry with a decision of the player; None where there is none."""
    decisions = ("orders", "react", "post_choice")
    for entry in reversed(entries):
        if entry.by == player and any(step["do"] in decisions for step in entry.steps):
            return entry.seq
    return None


def completed_since(machine: Machine, to: int) -> int:
    """How many beacons were completed since the state after entry `to`."""
    return min(machine.beacons.revealed.values()) - machine.agreements.quiet[to]


def offered(what: str) -> Message:
    """An offer in words: "a draw"."""
    return say(NAMES[what])


# --- new keys


def new_key(
    fold: Fold, key: KeyPair, new_pub: str, proof: str, *, tool: str, signed_by: str = "",
    renew: bool = False,
) -> Fold:  # fmt: skip
    """The fold after an entry that puts a new key in the place of an old one.

    `key` signs it: the old key or the spare one of the same player; with `signed_by` "opponent" the
    key of the other player, who may offer to `renew` the secrets with it. Raises FileRefused as the
    fold does.
    """
    from pbem.gamefile.draft import Draft  # status looks at offers and writes none

    by, right = _seat_and_right(fold.machine, key)
    draft = Draft(fold.machine, by, key)
    draft.add({"do": "rotate", "new_pub": new_pub, "proof": proof, "signed_by": signed_by or right})
    if renew:
        draft.add({"do": "offer", "what": "renew"})
    return after(fold, draft.sign(tool, None))


def own_new_key(fold: Fold, key: KeyPair, new: KeyPair, *, tool: str) -> Fold:
    """The fold after a player has put `new` in the place of their own key, with the old key or the
    spare one.
    """
    by, _ = _seat_and_right(fold.machine, key)
    return new_key(fold, key, new.public.hex(), proof_for(fold, by, new), tool=tool)


def proof_for(fold: Fold, player: str, new: KeyPair) -> str:
    """The proof with which `new` claims the place of a player's key in the next entry."""
    machine = fold.machine
    return new_keys.proof(new, machine.terms.game, len(fold.entries), machine.keys.publics[player])


def _seat_and_right(machine: Machine, key: KeyPair) -> tuple[str, str]:
    for known, right in ((machine.keys.publics, "old"), (machine.keys.spares, "spare")):
        for player, public in known.items():
            if public == key.public:
                return player, right
    raise rotation.no_seat(machine, key.public)
