"""Secret choices: players decide without seeing each other's choice; bound first, revealed later.

A choice is bound by a salted digest to the step that seals it. The copy in the file, which only its
author can read, has the same length for every answer to a question, so its size reveals nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pbem.gamefile.beacons import mac
from pbem.gamefile.canonical import canonical
from pbem.gamefile.cards import CHOICES
from pbem.gamefile.chain import digest
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import Chosen
from pbem.gamefile.limits import CHOICE_SIZES, box_length, choice_size
from pbem.gamefile.policies import Sealed, decrypted, digest_of, encrypted
from pbem.messages import say

if TYPE_CHECKING:
    pass

Order = Mapping[str, Any]


# --- what binds


def seal(secret: bytes, seq: int, step: int, order: Order, room: int = 0) -> Sealed:
    """Seals a choice in a step of entry `seq`; `room` as in Asked. Raises FileRefused (E-CANON,
    E-LIMIT).
    """
    body, size = canonical(dict(order)), choice_size(room)
    if len(body) > size:
        raise FileRefused(
            "E-LIMIT", say("a secret choice is longer than {choice_bytes} bytes", choice_bytes=size)
        )
    c = commitment(seq, step, salt_of(secret, seq, step, order), order)
    return Sealed(c, encrypted(secret, body.ljust(size), _bound_to(seq, step)))


def unbox(secret: bytes, seq: int, step: int, box: str) -> dict[str, Any]:
    """The choice in one's own box. Raises FileRefused (E-POLICY) where it cannot be read."""
    size = next(size for size in CHOICE_SIZES if box_length(size) == len(box))
    order = decrypted(secret, box, _bound_to(seq, step), size)
    if order is None:
        raise FileRefused(
            "E-POLICY",
            say("the choice sealed in entry {seq} cannot be read with this key", seq=seq),
        )
    return order


def salt_of(secret: bytes, seq: int, step: int, order: Order) -> str:
    """The salt (hex) that hides a choice; it follows from the choice and its place."""
    return mac(secret, f"pbem1/choicesalt\n{seq}\n{step}\n{digest_of(order)}").hex()


def commitment(seq: int, step: int, salt: str, order: Order) -> str:
    """What binds the author to a choice (hex)."""
    return digest("pbem1/choice", str(seq), str(step), salt, digest_of(order)).hex()


def _bound_to(seq: int, step: int) -> str:
    return f"pbem1/choicebox\n{seq}\n{step}"


# --- showing a choice


def check_told(step: Mapping[str, Any], chosen: Chosen) -> None:
    """Raises FileRefused (E-POLICY) unless the step shows what was sealed."""
    if not fits(step, chosen):
        raise FileRefused(
            "E-POLICY",
            say("the choice shown is not the one sealed in entry {entry}", entry=chosen.sent.entry),
            rule=CHOICES,
        )


def fits(step: Mapping[str, Any], chosen: Chosen) -> bool:
    """Whether a `tell` step shows what was sealed there."""
    sent = chosen.sent
    return commitment(sent.entry, sent.step, step["salt"], step["order"]) == chosen.c
