"""Every short game on a tree: all that an honest player and a cheat can do with a list of moves.

The cheat may sign each move on each entry there is, in either seat if they have a key for it, keep
it, and send any file at any time. The honest player writes on the end of their story. Searched are
all trees of so many entries, the same tree reached in another order only once.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import Any
from unittest.mock import patch

from pbem.gamefile import negotiation
from pbem.gamefile.draft import Draft, answer_step
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.in_play import Asked, other
from pbem.gamefile.keys import KeyPair
from pbem.problems import Refused
from tests.gamefile.players import KEYS, SEALED, TOOL, opened, proposed, write
from tests.gamefile.secret_toy import BOLD, CONSPIRE, LEFT, RIGHT, open_secret_toy
from tests.gamefile.tree import Find, Tree, told
from tests.gamefile.tree_players import (
    NEW_RULES,
    OLD_RULES,
    Ring,
    open_duel,
    open_sealed_duel,
    plain_resort,
    spoken_for,
)

Move = Callable[[Draft], Any]


# --- moves


def pay(draft: Draft) -> None:
    if not draft.machine.entry.side:
        draft.pay()


def choose(which: int) -> Move:
    """One of two choices at each question of the duel; the first one of a round rolls."""

    def move(draft: Draft) -> None:
        pay(draft)
        waits, table = draft.machine.waits, draft.machine.table
        assert isinstance(waits, Asked)
        orders = {"order": {"draw": {}} if which == 0 else {"attack": {"force": 4}}}
        order = orders.get(table.stage) or plain_resort(table)[0]
        if which == 2 and table.stage == "order":
            order = {"attack": {"force": 12}}
        if which == 1:
            second = {
                "stand": {"stand": {"how": "fall_back"}},
                "advance": {"advance": {"go": True}},
            }
            order = second.get(table.stage, order)
        draft.add(answer_step(waits, [order]))
        pay(draft)

    return move


def order(verb: str) -> Move:
    """One order of a round."""

    def move(draft: Draft) -> None:
        pay(draft)
        waits = draft.machine.waits
        assert isinstance(waits, Asked) and draft.machine.table.stage == "order"
        draft.add(answer_step(waits, [{verb: {}}]))
        pay(draft)

    return move


end_round = order("pass")


def hand(order: dict[str, Any]) -> Move:
    """One order, secret or not, of an author whose program judges it."""

    def move(draft: Draft) -> None:
        pay(draft)
        assert draft.machine.asks_openly(draft.player)
        draft.hand_over([order])
        pay(draft)

    return move


def pay_only(draft: Draft) -> None:
    assert not draft.machine.entry.side
    pay(draft)


def audit(draft: Draft) -> None:
    draft.add(draft._audit())


def offer(what: str) -> Move:
    def move(draft: Draft) -> None:
        terms: dict[str, Any] = {}
        if what == "takeback":
            decided = [
                seq for seq in draft.machine.agreements.quiet if seq < draft.machine.entry.seq
            ]
            terms = {"to": decided[-1], "known_randomness": True}
        if what == "upgrade":
            terms = {"old": OLD_RULES, "new": NEW_RULES}
        draft.add({"do": "offer", "what": what, **terms})

    return move


def yes(draft: Draft) -> None:
    if not draft.machine.entry.side:
        pay(draft)
    negotiation.add_answer(draft, True)


def no(draft: Draft) -> None:
    pay(draft)
    negotiation.add_answer(draft, False)


def say(draft: Draft) -> None:
    draft.speak(("Good luck!",))


def resign(draft: Draft) -> None:
    draft.add({"do": "resign"})


def policy(draft: Draft) -> None:
    pay(draft)
    guard = {"slot": "west", "scope": None, "until": None, "doc": {"card": None, "stand": "hold"}}
    draft.order_policy(guard, in_clear=False)


def void(draft: Draft) -> None:
    pay(draft)
    draft.void()


def both(*moves: Move) -> Move:
    def move(draft: Draft) -> None:
        for each in moves:
            each(draft)

    return move


DECISIONS: dict[str, Move] = {
    "draw a card": choose(0), "attack": choose(1), "pass": end_round, "pay": pay_only,
}  # fmt: skip
DRAWS: dict[str, Move] = {
    "offer draw": offer("draw"), "pass, offer draw": both(end_round, offer("draw")),
    "pay, offer draw": both(pay_only, offer("draw")),
    "yes": yes, "yes, audit": both(yes, audit), "no": no,
}  # fmt: skip
TAKE_BACKS: dict[str, Move] = {
    "offer takeback": offer("takeback"), "pass, offer takeback": both(end_round, offer("takeback")),
    "pay, offer takeback": both(pay_only, offer("takeback")),
    "yes": yes, "no": no,
}  # fmt: skip
WORDS: dict[str, Move] = {"say": say}
ENDS: dict[str, Move] = {"resign": resign, "audit": audit}
POLICIES: dict[str, Move] = {"policy, draw a card": both(policy, choose(0))}
RENEWALS: dict[str, Move] = {"offer renew": offer("renew"), "yes": yes, "pay": pay_only}
UPGRADES: dict[str, Move] = {
    "offer upgrade": offer("upgrade"), "offer adjourn": offer("adjourn"), "yes": yes,
    "attack with all": choose(2), "pass": end_round,
}  # fmt: skip
HIDDEN: dict[str, Move] = {
    "look": order("look"), "draw a card": choose(0), "pay": pay_only, "say": say,
    "offer takeback": offer("takeback"), "yes": yes,
}  # fmt: skip
SECRETS: dict[str, Move] = {
    "conspire and plot": both(hand(CONSPIRE), hand(BOLD)), "plot left": hand(LEFT),
    "plot right": hand(RIGHT), "pay": pay_only, "say": say,
    "offer takeback": offer("takeback"), "yes": yes,
}  # fmt: skip
VOIDS: dict[str, Move] = {"void": void, "offer void": offer("void"), "yes": yes}
KEYS_OWN, KEYS_OTHER = "rotate", "name"
NEW_KEYS = (KEYS_OWN, KEYS_OTHER)


# --- where it starts


@cache
def at_orders() -> Fold:
    """A is asked for orders; B has sealed orders, so that both owe an audit at the end."""
    fold = write(write(proposed(nonce=b"\x02" * 16, table=open_duel), "B"), "A")
    guard = {"slot": "west", "scope": {"only": ["advance"]}, "until": None, "doc": {"go": True}}
    return write(fold, "B", policies=(guard,), in_clear=False)


@cache
def before_a_roll() -> Fold:
    """A owes the value that completes a beacon, and is asked for orders again behind it."""
    fold = write(write(at_orders(), "A", {"attack": {"force": 2}}), "B", {"card": {"use": None}})
    assert fold.owed[0].machine == "reveal 2" and write(fold, "A").pen == fold.pen == "A"
    return fold


@cache
def with_secret_choices() -> Fold:
    """A is asked for orders, and may ask both for a plot."""
    return write(write(write(proposed(table=open_secret_toy), "B"), "A"), "B")


@cache
def with_hidden_hands() -> Fold:
    """A is asked for orders; both have proven their decks."""
    with patch("pbem.gamefile.compose.DECK_TRIALS", 4):
        return write(opened(SEALED, open_sealed_duel), "A")


# --- the search


@dataclass
class Search:
    """All trees of `depth` entries behind a start; `finds` are the first, and all of that length.

    `wanted` is the only kind of find that counts; all do where it is empty.
    """

    start: Fold
    honest: str
    moves: dict[str, Move]
    depth: int
    keys: tuple[str, ...] = ()
    memory: str = "record"
    wanted: str = ""
    states: int = 0
    finds: list[Find] = field(default_factory=list)
    tree: Tree = field(init=False)
    ring: Ring = field(init=False)
    cheats: Ring = field(init=False)
    _laid: dict[tuple[str, str, str], Fold | None] = field(default_factory=dict)
    _seen: set[Any] = field(default_factory=set)

    def run(self) -> list[Find]:
        """Searches, breadth first; ends with the first level on which there is a find."""
        them, table = other(self.honest), self.start.machine.world.open_table
        self.ring = {KEYS[self.honest].public: KEYS[self.honest]}
        self.cheats = {KEYS[them].public: KEYS[them]}
        self.tree = Tree(self.start, self.honest, self.ring, table, self.memory)
        self._mine = set(self.tree.mine)
        state = (frozenset[str](), self.start.head, self.tree.sent.head, ())
        level = [state]
        for _ in range(self.depth):
            level = [each for one in level for each in self._next(one)]
            if self.finds:
                break
        return self.finds

    def _next(self, state: Any) -> Iterator[Any]:
        """All states that have one entry more, with whatever files V has read then."""
        laid, story, sent, trace = state
        tree = self.tree
        heads = [*laid, self.start.head]
        for name in (*self.moves, *self.keys):
            for before in self._ends(story):
                fold = self._move(before, self.honest, self.ring, name)
                if fold is not None and fold.head not in laid:
                    made = (*trace, (fold.head, f"V {told(fold)}"))
                    self._new(laid, fold, made)
                    yield from self._reading(laid | {fold.head}, fold.head, fold.head, made)
            for head in heads:
                for seat in "AB":
                    fold = self._move(tree.nodes[head], seat, self.cheats, name)
                    if fold is not None and fold.head not in laid:
                        made = (*trace, (fold.head, f"C {told(fold)}"))
                        self._new(laid, fold, made)
                        yield from self._reading(laid | {fold.head}, story, sent, made)

    def _ends(self, story: str) -> Iterator[Fold]:
        """Where V may write: at the end of the story, or where they pass over notes of C."""
        self.tree.story = self.tree.nodes[story]
        yield self.tree.story
        before = self.tree.passed_over()
        if before is not None:
            yield before

    def _new(self, laid: Iterable[str], fold: Fold, trace: Any) -> None:
        """What must hold of a new entry, whether or not V ever reads it."""
        tree = self.tree
        tree.finds, tree.trace = [], [label for _, label in trace]
        tree.check_offers(fold)
        if fold.entries[-1].by == self.honest:
            tree.seat = [head for head in laid if tree.nodes[head].entries[-1].by == self.honest]
            tree.check_accused(fold)
        self._keep(tree.finds)

    def _keep(self, finds: Iterable[Find]) -> None:
        self.finds += [each for each in finds if self.wanted in ("", each.kind)]

    def _reading(self, laid: Any, story: str, sent: str, trace: Any) -> Iterator[Any]:
        """The state, and all to which V comes by reading files; each is checked."""
        if (laid, story, sent) in self._seen:
            return
        self._seen.add((laid, story, sent))
        self.states += 1
        yield laid, story, sent, trace
        for head in (self.start.head, *laid):
            self._place(laid, story, sent, trace)
            file = self.tree.nodes[head]
            verdict = self.tree.receive(file)
            self._keep(self.tree.finds)
            if verdict == "taken" and head != story and not self.tree.finds:
                yield from self._reading(laid, head, sent, (*trace, ("", f"V reads {head[:3]}")))

    def _place(self, laid: Iterable[str], story: str, sent: str, trace: Any) -> None:
        """Puts the tree into a state: what V signed, showed and knows in it, and nothing else."""
        tree = self.tree
        tree.finds, tree.trace = [], [label for _, label in trace]
        tree.mine, tree.mains, tree.shown_at = set(), {}, {}
        own = [head for head, label in trace if label.startswith("V ") and head]
        for head in (*self._mine, *own):
            tree._note(tree.nodes[head])
        tree.story, tree.sent = tree.nodes[story], tree.nodes[sent]

    def _move(self, node: Fold, seat: str, ring: Ring, name: str) -> Fold | None:
        """The fold after a move in a seat by who has these keys; None where it is refused."""
        whose = "V" if ring is self.ring else "C"
        at = node.head, name, f"{whose}{seat}"
        if at not in self._laid:
            key = ring.get(node.machine.keys.publics[seat])
            fold = None if key is None else self._made(node, seat, ring, key, name)
            self._laid[at] = fold
            if fold is not None:
                self.tree.nodes.setdefault(fold.head, fold)
        return self._laid[at]

    def _made(self, node: Fold, seat: str, ring: Ring, key: KeyPair, name: str) -> Fold | None:
        try:
            if name in NEW_KEYS:
                return self._keyed(node, seat, ring, key, name)
            draft = Draft(node.machine, seat, key)
            self.moves[name](draft)
            return after(node, draft.sign(TOOL, None))
        except (Refused, AssertionError, LookupError):
            return None

    def _keyed(self, node: Fold, seat: str, ring: Ring, key: KeyPair, name: str) -> Fold:
        whose = "V" if ring is self.ring else "C"
        seed = hashlib.sha256(f"{node.head}{whose}{seat}{name}".encode()).digest()
        new = KeyPair.from_seed(seed)
        if name == KEYS_OWN:
            fold = negotiation.own_new_key(node, key, new, tool=TOOL)
            ring[new.public] = new.in_place_of(key, *key.retired)
            return fold
        fold = spoken_for(node, other(seat), key, new, renew=False)
        self.cheats[new.public] = new
        return fold
