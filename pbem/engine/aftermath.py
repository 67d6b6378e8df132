"""What comes after an attack: the states it may lead to, each with its probability.

Only a series of attacks asks for it, so the odds of a single one do without fractions.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from pbem.engine.odds import Aftermath, Leaf
from pbem.value import replace


def aftermaths(leaves: Iterable[Leaf]) -> tuple[Aftermath, ...]:
    """The states after an attack, equal ones counted together. `known` of each leaf is the winner
    and the state.
    """
    found: list[Aftermath] = []
    for leaf in leaves:
        share, (winner, state) = Fraction(leaf.ways, leaf.of), leaf.known
        for at, each in enumerate(found):
            if (each.winner, each.state.position, each.state.agenda) == (
                winner, state.position, state.agenda,
            ):  # fmt: skip
                found[at] = replace(each, share=each.share + share)
                break
        else:
            found.append(Aftermath(share, winner, state))
    return tuple(found)
