"""New keys during a game: who may replace a player's key, and what that is worth.

A new key proves its claim by a signature of its own (`new_keys.py`). The entry is signed by the old
key, by the spare key named at the beginning, or, if no spare was named, by the opponent. The last
case rests only on the opponent's word, and reports say so of everything signed with such a key. The
secrets of the game always come from the first key.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pbem.gamefile import chain
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS, other
from pbem.gamefile.kept import Rotation
from pbem.gamefile.notes import trailing
from pbem.late import Late
from pbem.messages import say

if TYPE_CHECKING:
    from pbem.gamefile import deputies
    from pbem.gamefile.machine import Machine
else:  # few games have any
    deputies = Late("pbem.gamefile.deputies")

SIGNERS = ("old", "spare", "opponent", "director")
FOR_THE_OTHER = ("opponent", "director")
"""Who gives a key to the player who does not write the entry."""
ON_OWN_NOTE = frozenset({"claim_forfeit", "ruling"})


# --- who signs


def has_spoken_for(machine: Machine) -> bool:
    """Whether the open entry has just named a key for the other player."""
    made = machine.keys.rotations[-1:]
    return any(each.entry == machine.entry.seq and each.of != machine.entry.by for each in made)


def may_lie_on_own(machine: Machine) -> bool:
    """T3: whether the open entry may be on a note of its author: it names a key for the other
    player, claims by the terms for silence, or brings a ruling.
    """
    return has_spoken_for(machine) or not ON_OWN_NOTE.isdisjoint(machine.entry.kinds)


def seat(by: str, signed_by: str) -> str:
    """The player whose key is replaced in an entry by a player."""
    return other(by) if signed_by in FOR_THE_OTHER else by


def signer(machine: Machine, entry: Entry) -> bytes | None:
    """The public key an entry must be signed with; None before any key is known.

    Raises FileRefused (E-KEY) when it is a spare key that was never named.
    """
    if "as" in entry.payload:
        return deputies.signer(machine, entry)
    for step in entry.steps:
        if step["do"] == "rotate" and step["signed_by"] == "spare":
            if entry.by not in machine.keys.spares:
                raise FileRefused(
                    "E-KEY", say("player {by} has named no spare key", by=entry.by), rule="keys"
                )
            return machine.keys.spares[entry.by]
    return machine.keys.publics.get(entry.by)


def check_signature(machine: Machine, entry: Entry, message: bytes, public: bytes) -> None:
    """Refuses an entry its author's key has not signed, and says so if a retired one has.

    Raises FileRefused: E-DAMAGED, E-FORGED.
    """
    try:
        chain.check_signature(entry, message, public)
    except FileRefused as refused:
        for each in machine.keys.rotations:
            if each.of == entry.by and has_signed(each.old, entry, message):
                raise FileRefused(
                    "E-FORGED",
                    say(
                        "is signed with the key of player {by} that was retired in entry {entry}",
                        by=entry.by,
                        entry=each.entry,
                    ),
                ) from None
        raise refused


def has_signed(public: bytes, entry: Entry, message: bytes) -> bool:
    """Whether a key has signed an entry, whose `message` is what its author signs."""
    try:
        chain.check_signature(entry, message, public)
    except FileRefused:
        return False
    return True


# --- what a key is worth


def on_word(machine: Machine, player: str) -> Rotation | None:
    """The rotation since which a player's key rests on their opponent's word; None if it does
    not.
    """
    return _first(machine, player, "opponent")


def seated(machine: Machine, player: str) -> Rotation | None:
    """The rotation since which somebody whom the director named sits in a player's place."""
    return _first(machine, player, "director")


def seats(machine: Machine) -> tuple[tuple[str, int], ...]:
    """Players in whose place the director has put somebody, and since which entry."""
    found = [(player, seated(machine, player)) for player in PLAYERS]
    return tuple((player, each.entry) for player, each in found if each is not None)


def _first(machine: Machine, player: str, signed_by: str) -> Rotation | None:
    made = machine.keys.rotations
    return next((each for each in made if (each.of, each.signed_by) == (player, signed_by)), None)


def accused(machine: Machine, player: str, seq: int) -> str | None:
    """The player, if what their key has signed in entry `seq` is held against them.

    None where that key rests on their opponent's word.
    """
    since = on_word(machine, player)
    return player if since is None or seq <= since.entry else None


def words_alone(machine: Machine) -> tuple[tuple[str, int], ...]:
    """Players whose key the other has named, on nothing but a word, and since which entry."""
    found = [(player, on_word(machine, player)) for player in PLAYERS]
    return tuple((player, each.entry) for player, each in found if each is not None)


def first_key(machine: Machine, player: str) -> bytes:
    """The public key a player began the game with: the one they are known by."""
    replaced = (each.old for each in machine.keys.rotations if each.of == player)
    return next(replaced, machine.keys.publics[player])


def retired(machine: Machine, public: bytes) -> Rotation | None:
    """The rotation that retired a key."""
    return next((each for each in machine.keys.rotations if each.old == public), None)


def is_taken(machine: Machine, public: bytes) -> bool:
    """Whether another key has the seat of this one on the other player's word alone (W8)."""
    made = retired(machine, public)
    is_by_word = made is not None and made.signed_by in FOR_THE_OTHER
    return is_by_word and public not in machine.keys.publics.values()


def no_seat(machine: Machine, public: bytes) -> FileRefused:
    """Why a key signs for neither player."""
    old = retired(machine, public)
    if old is not None and old.signed_by in FOR_THE_OTHER:
        return _taken(machine, old)
    if old is not None:
        return FileRefused(
            "E-KEY",
            say("this key was replaced by a new one in entry {entry}", entry=old.entry),
            rule="keys",
            hint=say(
                "sign with the new one, and give this one for the secrets: --key NEW --secrets OLD"
            ),
        )
    for player, spare in machine.keys.spares.items():
        if spare == public:
            return FileRefused(
                "E-KEY",
                say(
                    "this is the spare key of player {player}: it can only sign a new key",
                    player=player,
                ),
                rule="keys",
                hint=say("pbem rotate replaces the lost one"),
            )
    for each in machine.keys.deputies:
        if each.public == public:
            return FileRefused(
                "E-KEY",
                say("this is the key of a deputy of player {player} who was withdrawn",
                    player=each.of),
                rule="deputies",
            )  # fmt: skip
    return FileRefused("E-KEY", say("this key belongs to neither player of this game"))


def _taken(machine: Machine, made: Rotation) -> FileRefused:
    """The refusal W8: the opponent has given the player's seat a key that the player does not
    have.
    """
    message = say(
        "player {other} replaced your key with another one in entry {entry}",
        other=other(made.of),
        entry=made.entry,
    )
    if made.entry in trailing(machine):
        return FileRefused(
            "E-KEY",
            message,
            rule="keys",
            hint=say(
                "if you have lost nothing, pass that entry over (--pass-over) and sign "
                "with your key; if you asked for it, sign with the new key"
            ),
        )
    return FileRefused(
        "E-KEY",
        say("{message}, and somebody has used it since", message=message),
        rule="keys",
        hint=say(
            "if that was not you, send the file that you have again; if you asked for "
            "it, sign with the new key"
        ),
    )
