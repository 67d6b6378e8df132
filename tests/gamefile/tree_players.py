"""Who writes on trees: a player who keeps every rule and believes everything, and a cheat.

The honest one writes on the end of their story only, answers and offers whatever the rules allow,
and takes any bait. The cheat writes on any entry, in either seat if they have a key for it, steps
of every kind in any order; what the fold refuses is dropped.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pbem.gamefile import negotiation
from pbem.gamefile.chain import Entry
from pbem.gamefile.compose import OrdersRefused, Wish, compose
from pbem.gamefile.draft import Draft, answer_step
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.in_play import Asked, other
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import prospect
from pbem.gamefile.records import outcomes, owed_by
from pbem.problems import Refused
from tests.gamefile.players import TOOL
from tests.gamefile.random_games import (
    last_resort,
    leading,
    some_order,
    some_orders,
    some_policies,
    some_sealed_orders,
    some_sealed_policies,
)
from tests.gamefile.sealed_toy import CARDS, SealedToy, open_sealed_toy
from tests.gamefile.toy import Toy, open_toy, refusal

Rng = random.Random
Ring = dict[bytes, KeyPair]
"""The keys somebody holds, by their public half."""
OLD_RULES = {"ruleset": "toy/1", "data": "d" * 64}
NEW_RULES = {"ruleset": "toy/1", "data": "e" * 64}


# --- both duels, by two sets of rules


class _Duel:
    """What both duels have here: a second set of rules, by which only one card a round is drawn."""

    def upgraded(self, terms: Mapping[str, Any]) -> Any:
        plain, other_rules = (SealedDuel, OtherSealedDuel)
        if not isinstance(self, SealedToy):
            plain, other_rules = Duel, OtherDuel
        known = {OLD_RULES["data"]: plain, NEW_RULES["data"]: other_rules}
        if terms["data"] not in known:
            raise FileRefused("E-RULES", "other game data here")
        return known[terms["data"]](**vars(self))


class _NoLargeAttacks:
    def _attack(self, fields: dict[str, Any]) -> Any:
        if fields.get("force") == 12:
            raise refusal("not with everything you have")
        return super()._attack(fields)  # type: ignore[misc]


class Duel(_Duel, Toy):
    pass


class OtherDuel(_NoLargeAttacks, Duel):
    pass


class SealedDuel(_Duel, SealedToy):
    pass


class OtherSealedDuel(_NoLargeAttacks, SealedDuel):
    pass


def open_duel(terms: Mapping[str, Any]) -> Any:
    return Duel(**vars(open_toy(terms))).upgraded(terms)


def open_sealed_duel(terms: Mapping[str, Any]) -> Any:
    return SealedDuel(**vars(open_sealed_toy(terms))).upgraded(terms)


# --- orders


def is_asked(fold: Fold, key: KeyPair) -> bool:
    return fold.phase == "running" and prospect(fold, key).orders_wanted


def decided(fold: Fold, key: KeyPair, rng: Rng, **wish: Any) -> Fold:
    """The fold after what the player owes, and orders of some kind where orders are wanted.

    Raises FileRefused where the rest of the wish is refused.
    """
    player = fold.player_of(key.public)
    view = prospect(fold, key)
    if not view.orders_wanted or wish.get("answer") or wish.get("void"):
        return compose(fold, key, Wish(**wish), tool=TOOL).fold
    table = view.in_play
    hidden = isinstance(table, SealedToy)
    orders = some_sealed_orders(table, player, rng) if hidden else some_orders(table, rng)
    for _ in range(30):
        try:
            return compose(fold, key, Wish(orders=tuple(orders), **wish), tool=TOOL).fold
        except FileRefused as refused:
            if refused.code != "E-ORDER":
                raise
            spare = last_resort(table, player) if hidden else plain_resort(table)
            if not isinstance(refused, OrdersRefused):
                orders = [*spare, *orders]
                continue
            ((index, _), *_) = refused.refusals
            orders = orders[:index] + orders[index + 1 :] or spare
    return compose(fold, key, Wish(orders=tuple(spare), **wish), tool=TOOL).fold


def plain_resort(table: Toy) -> list[dict[str, Any]]:
    return [
        {
            "order": {"pass": {}}, "card": {"card": {"use": None}},
            "stand": {"stand": {"how": "hold"}}, "advance": {"advance": {"go": False}},
        }[table.stage]
    ]  # fmt: skip


def policies_of(fold: Fold, key: KeyPair, rng: Rng) -> tuple[dict[str, Any], ...]:
    player, table = fold.player_of(key.public), fold.in_play
    if isinstance(table, SealedToy):
        return some_sealed_policies(table, player, rng)
    return some_policies(rng)


# --- the honest player


def honest_entry(fold: Fold, seat: str, ring: Ring, rng: Rng) -> Fold | None:
    """The fold after an entry that a player who keeps the rules may write here; None for none.

    Raises FileRefused only where they have the pen and no entry can be written.
    """
    key = ring[fold.machine.keys.publics[seat]]
    if fold.phase == "over":
        return _after_the_end(fold, key, rng)
    if fold.machine.holder != seat:
        return _beside(fold, key, ring, rng)
    for _ in range(3):
        try:
            return _in_turn(fold, key, ring, rng)
        except FileRefused as refused:
            if refused.code not in ("E-TURN", "E-CONSENT", "E-RULES", "E-REVEAL"):
                raise
    return decided(fold, key, rng)


def _in_turn(fold: Fold, key: KeyPair, ring: Ring, rng: Rng) -> Fold:
    chance = rng.random()
    if chance < 0.02:
        return compose(fold, key, Wish(resign=True), tool=TOOL).fold
    if chance < 0.06:
        return rotated(fold, key, ring, rng)
    asked = negotiation.open_offer(fold.machine, other(fold.player_of(key.public)))
    if asked is not None and asked.what == "renew" and rng.random() < 0.8:
        return written(fold, key, answer=True)
    wish: dict[str, Any] = {}
    if is_asked(fold, key):
        wish["policies"] = policies_of(fold, key, rng)
        wish["in_clear"] = rng.random() < 0.3
        wish["void"] = rng.random() < 0.04
    if asked is not None:
        wish["answer"] = rng.choice([True, True, True, False, None])
        if wish["answer"]:
            wish.pop("policies", None)
    if rng.random() < 0.15:
        wish["offer"] = some_offer(fold, rng)
    if rng.random() < 0.1:
        wish["say"] = ("So be it.",)
    return decided(fold, key, rng, **wish)


def _beside(fold: Fold, key: KeyPair, ring: Ring, rng: Rng) -> Fold | None:
    ways: list[Callable[[], Fold]] = [
        lambda: written(fold, key, say=(rng.choice(["Good luck!", "Well played."]),)),
        lambda: written(fold, key, offer=some_offer(fold, rng)),
        lambda: written(fold, key, answer=rng.random() < 0.8),
        lambda: written(fold, key, claim_forfeit=True),
        lambda: rotated(fold, key, ring, rng),
    ]
    if fold.machine.agreements.offers:
        ways += [ways[2]] * 4
    if rng.random() < 0.1:
        ways = [lambda: written(fold, key, resign=True)]
    try:
        return rng.choice(ways)()
    except FileRefused:
        return None


def _after_the_end(fold: Fold, key: KeyPair, rng: Rng) -> Fold | None:
    try:
        return written(fold, key, close=rng.random() < 0.5)
    except FileRefused:
        return None


def written(fold: Fold, key: KeyPair, **wish: Any) -> Fold:
    return compose(fold, key, Wish(**wish), tool=TOOL).fold


def some_offer(fold: Fold, rng: Rng) -> dict[str, Any]:
    what = rng.choice(["draw", "draw", "takeback", "takeback", "upgrade", "void", "adjourn"])
    if fold.machine.keys.rotations and rng.random() < 0.5:
        what = "renew"
    if what == "takeback":
        to = rng.choice(list(fold.machine.agreements.quiet)[-6:] or [0])
        known = {"known_randomness": True} if rng.random() < 0.9 else {}
        return {"what": what, "to": to, **known}
    if what == "upgrade":
        now = {name: fold.machine.terms.proposal[name] for name in ("ruleset", "data")}
        return {"what": what, "old": now, "new": NEW_RULES if now == OLD_RULES else OLD_RULES}
    return {"what": what}


def rotated(fold: Fold, key: KeyPair, ring: Ring, rng: Rng) -> Fold:
    """The fold after the player has put a new key in their place; it is on the ring then."""
    new = KeyPair.from_seed(rng.randbytes(32))
    fold = negotiation.own_new_key(fold, key, new, tool=TOOL)
    ring[new.public] = new.in_place_of(key, *key.retired)
    return fold


def spoken_for(fold: Fold, seat: str, key: KeyPair, new: KeyPair, *, renew: bool) -> Fold:
    """The fold after the owner of `key` has named `new` for the other player's seat."""
    proof = negotiation.proof_for(fold, seat, new)
    return negotiation.new_key(
        fold, key, new.public.hex(), proof, tool=TOOL, signed_by="opponent", renew=renew
    )


# --- the cheat


def wild_entry(fold: Fold, key: KeyPair, rng: Rng, others: Sequence[Entry]) -> Fold | None:
    """The fold after an entry of steps of every kind that the rules let through here, if any.

    Some are copied from `others`, entries of either player on any branch.
    """
    try:
        player = fold.player_of(key.public)
        draft = Draft(fold.machine, player, key)
    except FileRefused:
        return None
    if rng.random() < 0.7:
        _try(draft, lambda trial: trial.pay())
    for _ in range(rng.randint(1, 4)):
        if others and rng.random() < 0.2:
            _try(draft, _copied(rng.choice(others), rng))
        _try(draft, rng.choice(WAYS)(fold, rng))
        if rng.random() < 0.3:
            _try(draft, lambda trial: trial.pay())
    if not draft.steps:
        return None
    try:
        return after(fold, draft.sign(TOOL, None))
    except FileRefused:
        return None


def _try(draft: Draft, way: Callable[[Draft], Any]) -> None:
    """Adds the steps of one way, all of them or none."""
    machine, steps = draft.machine, list(draft.steps)
    try:
        way(draft)
    except (Refused, AssertionError, LookupError):
        draft.machine, draft.steps = machine, steps


def _say(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    return lambda draft: draft.speak((rng.choice(["Good luck!", "Hm.", "My key is lost."]),))


def _offer(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    return lambda draft: draft.add({"do": "offer", **some_offer(fold, rng)})


def _answer(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    yes = rng.random() < 0.8

    def way(draft: Draft) -> None:
        negotiation.add_answer(draft, yes)

    return way


def _end(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    return rng.choice([
        lambda draft: draft.add({"do": "resign"}),
        lambda draft: draft.add(draft._audit()),
        lambda draft: draft.add(
            {"do": "close", "result": dict(draft.machine.terms.result or {}),
             "audits": outcomes(draft.machine)}
        ),
    ])  # fmt: skip


def _claim(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    def way(draft: Draft) -> None:
        owed = owed_by(draft.machine, other(draft.player))
        draft.add({"do": "claim_forfeit", "since": draft.machine.entry.last_id, "owed": owed})

    return way


def _void(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    return lambda draft: draft.void()


def _early(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    """A value before it is owed, or the next one at once."""
    return lambda draft: draft.add(draft._reveal(draft.machine.beacons.revealed[draft.player] + 1))


def _policy(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    def way(draft: Draft) -> None:
        player, table = draft.player, draft.machine.table
        hidden = isinstance(table, SealedToy)
        some = some_sealed_policies(table, player, rng) if hidden else some_policies(rng)
        for policy in some:
            draft.order_policy(policy, in_clear=rng.random() < 0.3)

    return way


def _orders(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    def way(draft: Draft) -> None:
        waits, table = draft.machine.waits, draft.machine.table
        assert isinstance(waits, Asked)
        verbs = {"order": leading, "card": lambda rng: {"card": {"use": None}}}
        first = verbs.get(table.stage, lambda rng: plain_resort(table)[0])(rng)
        if table.stage == "card" and rng.random() < 0.5:
            cards = CARDS[draft.player] if isinstance(table, SealedToy) else (1, 2, 3, 4)
            first = {"card": {"use": rng.choice(cards)}}
        orders = [first, *(some_order(rng) for _ in range(rng.randrange(3)))]
        try:
            draft.hand_over(orders)
        except FileRefused:  # without the cards of the hand: the raw step
            draft.add(answer_step(waits, orders[:1]))

    return way


def _copied(entry: Entry, rng: Rng) -> Callable[[Draft], Any]:
    """A step as it stands elsewhere; another's new key is named as by their opponent."""
    step = dict(rng.choice(entry.steps))

    def way(draft: Draft) -> None:
        if step["do"] == "rotate":
            step["signed_by"] = "old" if entry.by == draft.player else "opponent"
        draft.add(step)

    return way


def _redo(fold: Fold, rng: Rng) -> Callable[[Draft], Any]:
    """A step that only stands behind a yes, without one."""
    to = rng.choice(list(fold.machine.agreements.quiet) or [0])
    return lambda draft: draft.add({"do": "takeback", "to": to})


WAYS = (
    _say, _offer, _offer, _answer, _answer, _end, _claim, _void, _early, _policy, _orders, _orders,
    _orders, _redo,
)  # fmt: skip
