"""The audit: a finished game played again with a player's cards known.

At the end each player shows the one secret from which all that he kept hidden follows. It must give
the anchors, decks and sealed orders he was bound to, and with his cards known every entry must
still be within the rules: that is where a forced card withheld comes to light.
"""

from __future__ import annotations

from collections.abc import Sequence

from pbem.gamefile import policies
from pbem.gamefile.beacons import derive_chain
from pbem.gamefile.chain import Entry
from pbem.gamefile.decks import commitment_of
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.machine import Machine
from pbem.gamefile.secrets import Secrets

RULE = "audit"


def check_bound(machine: Machine, player: str, secret: bytes) -> None:
    """Holds a player's secret against the anchors and decks he was bound to.

    Raises FileRefused (E-AUDIT).
    """
    context, length = machine.contexts[player], machine.chain_length
    for number, anchor in enumerate(machine.anchors[player]):
        if derive_chain(secret, player, context, length, number)[0] != anchor:
            raise FileRefused(
                "E-AUDIT", f"the secret does not give anchor {number} of player {player}", rule=RULE
            )
    for bound in machine.decks.ever():
        if bound.epoch.by == player and commitment_of(secret, bound.epoch) != bound.commitment:
            raise FileRefused(
                "E-AUDIT", f"deck {bound.name} was not made from the secret of its owner", rule=RULE
            )


def check_sealed_orders(entries: Sequence[Entry], player: str, secret: bytes) -> None:
    """Opens every sealed document of a player, those too that were never needed.

    Raises FileRefused (E-AUDIT), placed at the entry that seals.
    """
    for entry in entries:
        for at, step in enumerate(entry.steps):
            if entry.by != player or step["do"] != "policy" or "c" not in step:
                continue
            slot = step["slot"]
            try:
                document = policies.unbox(secret, slot, entry.seq, step["box"])
            except FileRefused:
                document = None
            salt = "" if document is None else policies.salt_of(secret, slot, entry.seq, document)
            if document is None or (
                policies.commitment(slot, entry.seq, salt, document) != step["c"]
            ):
                raise FileRefused(
                    "E-AUDIT", f"the box of the sealed orders {slot} holds another document than "
                    "their author was bound to", rule=RULE,
                ).placed(entry=entry.seq, step=at, by=player)  # fmt: skip


def play_again(entries: Sequence[Entry], machine: Machine, player: str, secret: bytes) -> None:
    """Folds the game anew in a fresh `machine`, with the player's cards known to it.

    Raises FileRefused (E-AUDIT) at the first entry that is against the rules then.
    """
    from pbem.gamefile.fold import fold_steps, seal_entry

    machine.auditor = Secrets(player, secret)
    wanted = {step["to"] for each in entries for step in each.steps if step["do"] == "takeback"}
    kept: dict[int, Machine] = {}
    machine.recall = lambda seq: kept[seq].copy()
    for entry in entries:
        try:
            fold_steps(machine, entry)
        except FileRefused as refused:
            raise FileRefused(
                "E-AUDIT", f"with the cards of player {player} known: {refused.message}",
                rule=refused.rule or RULE, causes=refused.causes,
            ).placed(entry=entry.seq, step=refused.step, by=player) from None  # fmt: skip
        if machine.post() != entry.payload["post"]:
            raise FileRefused(
                "E-AUDIT", f"with the cards of player {player} known the game goes otherwise",
                rule=RULE,
            ).placed(entry=entry.seq, by=player)  # fmt: skip
        seal_entry(machine, entry)
        if entry.seq in wanted:
            kept[entry.seq] = machine.copy()
