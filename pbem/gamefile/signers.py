"""Who may have signed entries, as far as a file tells without its rules.

A player's first key, a spare one, and keys that took the place of another are all named in entries;
whether each was allowed to, only the fold judges.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from pbem.gamefile import chain
from pbem.gamefile.chain import Entry, pae
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS
from pbem.gamefile.rotation import has_signed, seat
from pbem.gamefile.shapes import check_payload
from pbem.value import value


@value
class Signers:
    """Who may have signed the next entry, without the rules: for each player the keys named so far.

    `before` and `game` are the ids that this entry must name, `seq` is its number.
    """

    keys: Mapping[str, tuple[bytes, ...]] = MappingProxyType({"A": (), "B": ()})
    before: str = chain.ZEROS
    game: str = chain.ZEROS
    seq: int = 0

    def after(self, entry: Entry, *, judged: bool = False) -> Signers:
        """The signers after one more entry. Its signature is checked if it is to be `judged`, and
        always if the entry names a key.

        Raises FileRefused with the place: E-FORGED, E-DAMAGED, E-CHAIN, E-GAME, and E-SCHEMA,
        E-VERSION for its shape.
        """
        try:
            check_payload(entry.payload)
            chain.check_link(entry, seq=self.seq, prev=self.before, game=self.game)
            after = self.knowing(entry)
            judging = self if self.seq else after
            if (judged or after.keys is not self.keys) and not judging.have_signed(entry):
                raise chain.not_signed(entry)
        except FileRefused as refused:
            raise refused.placed(entry=self.seq) from None
        return after

    def knowing(self, entry: Entry) -> Signers:
        """The signers after one more entry, of which nothing is checked here; its shape must have
        been.
        """
        keys = self.keys
        if not self.seq:
            named = entry.steps[0].get("pub_a", ""), entry.steps[0].get("pub_b", "")
            keys = {of: (bytes.fromhex(key),) for of, key in zip(PLAYERS, named, strict=True)}
        for step in entry.steps:
            if step["do"] == "deputy" and step["pub"] is not None:
                keys = {**keys, entry.by: (*keys[entry.by], bytes.fromhex(step["pub"]))}
            elif "spare" in step or step["do"] == "rotate":
                of = seat(entry.by, step["signed_by"]) if step["do"] == "rotate" else entry.by
                new = bytes.fromhex(step.get("new_pub") or step["spare"])
                keys = {**keys, of: (*keys[of], new)}
        return Signers(keys, entry.id, entry.id if self.seq == 1 else self.game, self.seq + 1)

    def have_signed(self, entry: Entry) -> bool:
        """Whether one of the keys of its author has signed an entry."""
        message = pae(entry.body)
        return any(has_signed(key, entry, message) for key in reversed(self.keys[entry.by]) if key)


def check_end_signed(entries: Sequence[Entry]) -> None:
    """Refuses a game that somebody without a key has continued, as far as that takes no rules.

    An entry holds the id of the one before, so it is enough that the last one is signed, and each
    that names a key. Raises FileRefused as `Signers.after`.
    """
    signers = Signers()
    for number, entry in enumerate(entries):
        signers = signers.after(entry, judged=number == len(entries) - 1)


def signers_of(entries: Sequence[Entry]) -> list[Signers]:
    """Who may sign each entry of a verified game, and, last, the one after it."""
    signers = [Signers()]
    for entry in entries:
        signers.append(signers[-1].knowing(entry))
    return signers


def signed_among(entries: Sequence[Entry], numbers: Collection[int]) -> set[int]:
    """Which of these entries, by their numbers, their authors have signed.

    It ends where it cannot be told who may sign.
    """
    signers, found = Signers(), set[int]()
    for number, entry in enumerate(entries):
        try:
            check_payload(entry.payload)
        except FileRefused:
            break
        after = signers.knowing(entry)
        if number in numbers and (signers if number else after).have_signed(entry):
            found.add(number)
        signers = after
    return found
