"""Random games on trees: an honest player and a cheat; two honest ones whose mails go astray."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache
from typing import Any
from unittest.mock import patch

from pbem.gamefile import notes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.in_play import other
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.machine import Machine
from pbem.gamefile.new_keys import MAX_ROTATIONS
from pbem.problems import Refused
from tests.gamefile.players import KEYS, SEALED, TERMS, opened, write
from tests.gamefile.tree import Find, Tree, common, held_against_record, told
from tests.gamefile.tree_players import (
    Ring,
    honest_entry,
    open_duel,
    open_sealed_duel,
    spoken_for,
    wild_entry,
)

TICKS = 40
SHORT = 5
"""Values of a chain, so that new anchors are owed every few mails; a game file has 64 at least."""


def chains(length: int) -> Any:
    """Inside, chains have so many values, whatever the proposal says."""
    return patch.object(Machine, "chain_length", length)


@cache
def beginning(hidden: bool, chain: int = SHORT) -> Fold:
    """The duel at A's first round; with hidden hands, the decks proven."""
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4), chains(chain):
        if hidden:
            return write(opened(SEALED, open_sealed_duel), "A")
        return opened(TERMS, open_duel)


class Game:
    """One random game of V against C. `lost` is the key V asks C to name, V's own being lost."""

    def __init__(self, seed: int, *, memory: str = "record", chain: int = SHORT) -> None:
        self.rng = rng = random.Random(f"tree {seed}")
        honest, self.hidden = rng.choice("AB"), rng.random() < 0.4
        table = open_sealed_duel if self.hidden else open_duel
        ring = {KEYS[honest].public: KEYS[honest]}
        self.chain = chain
        with chains(chain):
            self.tree = Tree(beginning(self.hidden, chain), honest, ring, table, memory)
        self.cheats: Ring = {KEYS[self.tree.cheat].public: KEYS[self.tree.cheat]}
        self.lost: KeyPair | None = None

    def played(self, ticks: int = TICKS) -> Tree:
        with chains(self.chain):
            for _ in range(ticks):
                self.tick()
                if self.tree.finds:
                    break
        return self.tree

    def tick(self) -> None:
        rng, tree = self.rng, self.tree
        if rng.random() < (0.85 if tree.story.machine.holder == tree.honest else 0.4):
            self.honest_writes()
        fold = self.cheat_writes()
        if fold is not None and tree.forges(fold) and rng.random() < 0.8:
            tree.receive(fold)
        if rng.random() < 0.2:
            tree.receive(rng.choice(list(tree.nodes.values())))

    # --- V

    def honest_writes(self) -> None:
        rng, tree = self.rng, self.tree
        if not tree.holds_key(tree.story):
            return  # lost, and waiting for C to name the new one
        if rng.random() < 0.02 and self.lost is None:
            self.lost = KeyPair.from_seed(rng.randbytes(32))
            tree.gone |= set(tree.ring)
            tree.ring.clear()
            tree.ring[self.lost.public] = self.lost
            return
        fold = None
        if rng.random() < 0.03 and tree.story.pen == tree.cheat:
            fold = self.named(tree.story, tree.honest, tree.ring)
        if fold is None:
            before = tree.passed_over() if rng.random() < 0.3 else None
            tree.tally["V passes over"] += before is not None
            try:
                fold = honest_entry(before or tree.story, tree.honest, tree.ring, rng)
            except FileRefused as refused:
                if not (self.lost and refused.code == "E-KEY"):  # their secrets went with the key
                    tree.found("pen", f"V has the pen and can sign nothing: {refused}")
        if fold is not None:
            tree.signs(fold)

    # --- C

    def cheat_writes(self) -> Fold | None:
        rng, tree = self.rng, self.tree
        chance = rng.random()
        node = rng.choice(list(tree.nodes.values()))
        if chance < 0.6:
            node = tree.story if chance < 0.45 else tree.without_notes(tree.story)
        publics = node.machine.keys.publics
        seats = [seat for seat in "AB" if publics[seat] in self.cheats]
        if not seats or node.phase not in ("running", "over"):
            return None
        seat = rng.choice(seats)
        try:
            # on a note of one's own nothing else may be written
            on_own_note = node.machine.entry.side and node.machine.entry.by == seat
            if rng.random() < (0.4 if on_own_note else 0.08):
                return self.named(node, seat, self.cheats)
            if rng.random() < 0.45:
                return honest_entry(node, seat, self.cheats, rng)
        except Refused:
            return None
        others = [each.entries[-1] for each in tree.nodes.values()]
        return wild_entry(node, self.cheats[publics[seat]], rng, others)

    def named(self, node: Fold, by: str, ring: Ring) -> Fold | None:
        """The fold after the player in a seat has named a key for the other seat.

        The key V asks for proves itself for one place only: the end of V's story.
        """
        of, tree = other(by), self.tree
        new = KeyPair.from_seed(self.rng.randbytes(32))
        if self.lost is not None and of == tree.honest and self.rng.random() < 0.8:
            new = self.lost
            asked = len(tree.story.entries), tree.story.machine.keys.publics[of]
            if (len(node.entries), node.machine.keys.publics[of]) != asked:
                return None
        if sum(each.of == of for each in node.machine.keys.rotations) == MAX_ROTATIONS:
            return None
        try:
            key = ring[node.machine.keys.publics[by]]
            fold = spoken_for(node, of, key, new, renew=self.rng.random() < 0.5)
        except Refused:
            return None
        if new is not self.lost:
            self.cheats[new.public] = new
        return fold


class Mails:
    """One random game of two honest players whose mails are lost, doubled and come in any order.

    Half of them have a record of all they read, half one of what they sent. Either may lose a key
    (`lost`: the new one by seat) and ask the other by a way that is not mail to name the new one
    (`asked`: the place its proof was made for).
    """

    def __init__(self, seed: int) -> None:
        self.rng = rng = random.Random(f"mails {seed}")
        start = beginning(rng.random() < 0.4)
        self.story = dict.fromkeys("AB", start)
        self.sent = dict(self.story)
        self.remembers_all = rng.random() < 0.5
        self.rings: dict[str, Ring] = {seat: {KEYS[seat].public: KEYS[seat]} for seat in "AB"}
        self.lost: dict[str, KeyPair] = {}
        self.asked: dict[str, Any] = {}
        self.pool: list[tuple[str, Fold]] = []  # for whom, and the file
        self._judged: dict[Any, str] = {}
        self.trace: list[str] = []
        self.tally: Counter[str] = Counter()
        self.finds: list[Find] = []

    def played(self, ticks: int = TICKS) -> Mails:
        with chains(SHORT):
            for _ in range(ticks):
                self.tick()
                self.settle()
                if self.finds:
                    break
        return self

    def tick(self) -> None:
        rng, seat = self.rng, self.rng.choice("AB")
        if rng.random() < 0.6:
            self.writes(seat)
        for _ in range(rng.randrange(3)):
            if self.pool:
                to, file = mail = rng.choice(self.pool)
                if rng.random() < 0.7:
                    self.pool.remove(mail)
                self.reads(to, file)

    def writes(self, seat: str) -> None:
        fold = self._written(seat)
        if fold is None:
            return
        self.story[seat] = self.sent[seat] = fold
        self.trace.append(f"{seat} {told(fold)}")
        for step in fold.entries[-1].steps:
            self.tally[step["do"]] += 1
        self.send(seat)

    def _written(self, seat: str) -> Fold | None:
        rng, story, ring = self.rng, self.story[seat], self.rings[seat]
        if rng.random() < 0.02 and not self.lost and story.machine.keys.publics[seat] in ring:
            self.lost[seat] = KeyPair.from_seed(rng.randbytes(32))
            ring.clear()
            ring[self.lost[seat].public] = self.lost[seat]
        if story.machine.keys.publics[seat] not in ring:
            self.asked[seat] = len(story.entries), story.machine.keys.publics[seat]
            return None
        named = self._named(seat)
        if named is not None:
            self.tally["named"] += 1
            return named
        before = replay_to_main(story)
        may = before.machine.holder == seat and rng.random() < 0.2
        if may and self.judged(seat, before, passing_over=True) == "taken":
            story = before
        if story.machine.keys.publics[seat] not in ring:
            return None
        try:
            return honest_entry(story, seat, ring, rng)
        except FileRefused as refused:
            assert seat in self.lost and refused.code == "E-KEY", refused
            return None

    def _named(self, seat: str) -> Fold | None:
        """The fold after a player has named the key the other asks for, where its proof fits."""
        them, story = other(seat), self.story[seat]
        here = len(story.entries), story.machine.keys.publics[them]
        if self.asked.get(them) != here:
            return None
        try:
            key = self.rings[seat][story.machine.keys.publics[seat]]
            renew = self.rng.random() < 0.5
            return spoken_for(story, them, key, self.lost[them], renew=renew)
        except FileRefused:
            return None

    def send(self, seat: str) -> None:
        for _ in range(self.rng.choice([0, 1, 1, 1, 2])):
            self.pool.append((other(seat), self.story[seat]))

    def judged(self, seat: str, file: Fold, *, passing_over: bool = False) -> str:
        known = (self.story if self.remembers_all else self.sent)[seat]
        key = known.head, seat, file.head, passing_over
        if key not in self._judged:
            self._judged[key] = held_against_record(known, seat, file, passing_over)
        return self._judged[key]

    def reads(self, seat: str, file: Fold) -> None:
        verdict = self.judged(seat, file)
        self.tally[verdict] += 1
        self.trace.append(f"{seat} reads {file.head[:3]}: {verdict}")
        if verdict == "taken":
            seen = self.story[seat].entries
            self.tally["crossed"] += common(seen, file.entries) < len(seen)
            self.story[seat] = file
        elif verdict == "E-ROLLBACK":
            self.send(seat)
        else:
            self.found("accused", f"{seat} is told {verdict} of an honest player")

    def settle(self) -> None:
        """If both send what they have until nothing changes, they have one story."""
        before = dict(self.story)
        for _ in range(3):
            for seat in "AB":
                file = self.story[other(seat)]
                verdict = self.judged(seat, file)
                if verdict == "taken":
                    self.story[seat] = file
                elif verdict != "E-ROLLBACK":
                    self.found("accused", f"{seat} would be told {verdict}")
        if self.story["A"].head != self.story["B"].head:
            self.found("stuck", "two honest players do not come to one story")
        self.story = before

    def found(self, kind: str, what: str) -> None:
        length = sum(" reads " not in label for label in self.trace)
        self.finds.append(Find(kind, what, length, tuple(self.trace)))


def replay_to_main(story: Fold) -> Fold:
    """A story without the notes at its end."""
    count = 1 + notes.last_main(story.machine, story.machine.entry.seq)
    if count == len(story.entries):
        return story
    return replay(story.entries[:count], story.machine.world.open_table)
