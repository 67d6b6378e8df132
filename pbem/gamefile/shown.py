"""The secrets that an `audit` step shows, held against what its author was bound to by them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.gamefile.beacons import derive_chain
from pbem.gamefile.decks import commitment_of
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.generations import Generation, generations
from pbem.gamefile.kept import Lost
from pbem.gamefile.machine import Machine
from pbem.messages import Said, say

RULE = "audit"
Secret = bytes | None
"""One of a player's secrets (32 bytes); None where it is lost."""


def secrets_shown(step: Mapping[str, Any]) -> tuple[Secret, ...]:
    """The secrets an `audit` step shows, one for each generation of its author."""
    shown = (*step.get("earlier", ()), step["gsec"])
    return tuple(None if each is None else bytes.fromhex(each) for each in shown)


def check_bound(machine: Machine, player: str, secrets: Sequence[Secret]) -> None:
    """Holds a player's secrets against the anchors and decks they were bound to.

    Raises FileRefused (E-AUDIT).
    """
    played = generations(machine, player)
    if len(secrets) != len(played):
        raise FileRefused(
            "E-AUDIT",
            say(
                "player {player} took up new secrets {times}, and the audit shows "
                "{count} before the present one",
                player=player,
                times=_times(len(played) - 1),
                count=str(len(secrets) - 1) if len(secrets) > 1 else say("none"),
            ),
            rule=RULE,
        )
    for generation, secret in zip(played, secrets, strict=True):
        if secret is not None:
            _check_era(machine, player, generation, secret)


def _check_era(machine: Machine, player: str, generation: Generation, secret: bytes) -> None:
    context, length = machine.keys.contexts[player], machine.chain_length
    for number, anchor in enumerate(generation.anchors):
        if derive_chain(secret, player, context, length, number)[0] != anchor:
            raise FileRefused(
                "E-AUDIT",
                say(
                    "the secret does not give anchor {number} of player {player}"
                    if generation.until is None
                    else "the secret before entry {until} does not give anchor {number} of player "
                    "{player}",
                    number=number,
                    player=player,
                    until=generation.until,
                ),
                rule=RULE,
            )
    for bound in generation.bound:
        if commitment_of(secret, bound.epoch) != bound.commitment:
            raise FileRefused(
                "E-AUDIT",
                say("deck {bound} was not made from the secret of its owner", bound=bound.name),
                rule=RULE,
            )


def _times(count: int) -> Said:
    return (
        say("never")
        if not count
        else say("once")
        if count == 1
        else say("{count} times", count=count)
    )


def lost(machine: Machine, player: str, secrets: Sequence[Secret]) -> tuple[Lost, ...]:
    """The generations of a player whose secrets are lost."""
    return tuple(
        Lost(player, generation.since, generation.until)
        for generation, secret in zip(generations(machine, player), secrets, strict=True)
        if secret is None and generation.until is not None
    )
