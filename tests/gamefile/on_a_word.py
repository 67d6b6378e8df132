"""A key that the opponent has named: what is signed with it accuses nobody, at the end neither.

C says that V's key is lost, names one of C's own and plays on for V with new secrets. Whatever V's
seat is then caught at, it is not V who is told to have done it.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.gamefile import policies
from pbem.gamefile.fold import Fold
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.secrets import Secrets, earlier
from tests.gamefile.mutations import GOOD, Case, case
from tests.gamefile.players import KEYS, forge, sealed, tried, write
from tests.gamefile.renewed import NEW, audited, named, offered, played_on, signing, taken
from tests.gamefile.sealed_game import PASS, to_orders_of
from tests.gamefile.sealed_mutations import withheld

SEAT = "B"


def on_a_word() -> Iterator[Case]:
    """Number 93, with what is held against the owner of a seat."""
    boxed = boxed_otherwise(played_on(taken(named(asked(), SEAT)), SEAT))
    yield shown(93, "a box that lies, by the key that the opponent has named", "E-AUDIT", boxed)
    early = boxed_otherwise(asked(), KEYS[SEAT])
    later = taken(named(to_orders_of(early, SEAT), SEAT))
    yield shown(93, "a box that lies, by the own key before, shown by the one named", "E-AUDIT",
                played_on(later, SEAT), first=KEYS[SEAT])  # fmt: skip
    lied = taken(named(to_orders_of(withheld(), SEAT), SEAT))
    yield shown(93, "a forced card withheld by the own key before, shown by the one named",
                "E-AUDIT", played_on(lied, SEAT), first=KEYS[SEAT])  # fmt: skip
    own = boxed_otherwise(played_on(taken(offered(asked(), SEAT)), SEAT))
    yield shown(93, "a box that lies, by a key that took the place of the own one", "E-AUDIT", own)
    fair = audited(played_on(taken(named(asked(), SEAT)), SEAT), SEAT, lost=True)
    yield case(93, "an audit by the key that the opponent has named", GOOD, fair.entries)


def asked() -> Fold:
    """The duel with hidden hands; B is asked for orders."""
    return to_orders_of(sealed(), SEAT)


def boxed_otherwise(fold: Fold, key: KeyPair = NEW) -> Fold:
    """The fold after the seat has sealed one document, put another into its box, and passed."""
    with signing(**{SEAT: key}):
        secret, seq = Secrets.in_game(fold.machine, key, SEAT).game, len(fold.entries)
        bound, other = (policies.seal(secret, "guard", seq, {"slot": x}) for x in ("none", "b"))
        policy = {"do": "policy", "slot": "guard", "scope": None, "until": None}
        rest = write(fold, SEAT, PASS).entries[-1].steps
        return tried(fold, SEAT, [{**policy, "c": bound.c, "box": other.box}, *rest])


def shown(
    number: int, what: str, expected: str, fold: Fold, *, first: KeyPair | None = None
) -> Case:
    """The seat's audit after the opponent has resigned; it shows the secret of `first`, too."""
    over = write(fold, "A", resign=True)
    with signing(**{SEAT: NEW}):
        ring = NEW if first is None else NEW.in_place_of(first)
        step = {"do": "audit", "gsec": Secrets.in_game(over.machine, NEW, SEAT).game.hex()}
        step["earlier"] = earlier(over.machine, ring, SEAT, lost=True)
        return case(number, what, expected, [*over.entries, forge(over, SEAT, [step])])
