"""The step that puts a new key in the place of another."""

from __future__ import annotations

from typing import Any

from pbem.gamefile.journal import Rotated
from pbem.gamefile.machine import Machine
from pbem.gamefile.new_keys import check_rotation


def rotate(machine: Machine, step: dict[str, Any]) -> Machine:
    """Puts the new key in its place. Raises FileRefused as `check_rotation` does."""
    made = check_rotation(machine, step)
    machine = machine.put(
        publics={**machine.keys.publics, made.of: made.new},
        rotations=(*machine.keys.rotations, made),
        progress=True, only_words=True,
    )  # fmt: skip
    return machine.tell(Rotated, by=machine.entry.by, of=made.of, signed_by=made.signed_by)
