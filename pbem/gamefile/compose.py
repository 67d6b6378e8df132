"""The next entry of a player: what they owe, what they want to say, signed.

The steps are tried on the verifier's own machine, so nothing is signed that a verifier
would refuse. Same fold, key and wish, same bytes; nothing is read from a clock or a generator.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from pbem.gamefile.cards import row_of
from pbem.gamefile.chain import Entry
from pbem.gamefile.consent import open_offer
from pbem.gamefile.draft import Draft, not_now
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after
from pbem.gamefile.in_play import OrderRefused, other
from pbem.gamefile.journal import JournalLine
from pbem.gamefile.keys import KeyPair, accept_nonce, solo_key
from pbem.gamefile.machine import Machine, OpenTable, World
from pbem.gamefile.pending import OrderIllegal
from pbem.gamefile.records import outcomes, owed_by
from pbem.late import Late
from pbem.messages import say
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.gamefile import negotiation
else:
    negotiation = Late("pbem.gamefile.negotiation")

Order = Mapping[str, Any]
FORCED = frozenset(
    {
        "reveal", "deck_reply", "unseal", "open", "tell", "list_tell", "fact", "anchor",
        "deck_commit",
    }
)  # fmt: skip
"""What is owed and leaves no choice."""
CHAIN_LENGTH = 4096
DECK_TRIALS = 64
NO_OPTIONS: Mapping[str, Any] = MappingProxyType({})


@value
class Wish:
    """What a player wants to say in one entry; all of it may be empty.

    `orders` are answers and orders in the order they are to happen; `policies` are mappings with
    slot, scope, until and doc (None withdraws), sealed unless `in_clear` or they have `clear`;
    `opened` are slots of their hand that are opened before the orders, because such a policy in
    clear will play them (see `binds_the_other`);
    `say` is lines of text. `offer` has the members of the step; `answer` is yes or no to the other
    player's open offer; `silence`: a claim is by those terms; `close` repeats the result once
    nobody owes an audit any more; `lost`: the
    keys of earlier secrets that the audit wants are lost, where they are not given.
    """

    orders: tuple[Order, ...] = ()
    policies: tuple[Mapping[str, Any], ...] = ()
    in_clear: bool = False
    opened: tuple[str, ...] = ()
    say: tuple[str, ...] = ()
    offer: Mapping[str, Any] | None = None
    answer: bool | None = None
    resign: bool = False
    claim_forfeit: bool = False
    silence: bool = False
    void: bool = False
    close: bool = False
    lost: bool = False


RESIGNED = Wish(resign=True)


@value
class Proposal:
    """The terms of a new game. `data` is the digest of the game data, `sides` maps a and b.

    `silence` has `days` and what is `then`; `director` is a public key.
    """

    ruleset: str
    data: str
    scenario: str
    sides: Mapping[str, str]
    options: Mapping[str, Any] = NO_OPTIONS
    chain_length: int = CHAIN_LENGTH
    match: str = ""
    fixes: tuple[int, ...] = ()
    """The numbers of the fixes that the rules are played by."""
    silence: Mapping[str, Any] | None = None
    director: bytes | None = None


@value
class Composed:
    """A new entry, signed, and the fold with it.

    `unused` are the orders (index from 0) that were left out because nothing asked for them before
    the round ended. Orders that still wait for their question are in `fold.given(player)`.
    """

    entry: Entry
    fold: Fold
    unused: tuple[int, ...] = ()

    @property
    def journal(self) -> tuple[JournalLine, ...]:
        """What the new entry made happen."""
        return self.fold.journal[-1]


class OrdersRefused(FileRefused):
    """Orders that are not legal: every refusal of the pass, with its index in the list."""

    def __init__(self, refusals: tuple[tuple[int, OrderRefused], ...]) -> None:
        causes = [problem for _, refusal in refusals for problem in refusal.problems]
        super().__init__("E-ORDER", "the orders are not legal", causes=causes)
        self.refusals = refusals


# --- beginning a game


def propose(
    key: KeyPair, opponent: bytes, proposal: Proposal, open_table: OpenTable, *,
    nonce: bytes, tool: str, time: str | None = None, say: tuple[str, ...] = (),
    spare: bytes | None = None,
) -> Composed:  # fmt: skip
    """The first entry of a game, by A. `nonce` is 16 fresh random bytes, `spare` a public key.

    Raises FileRefused for keys and terms the protocol does not allow, and what `open_table` raises:
    a game that cannot be set up is not proposed.
    """
    step: dict[str, Any] = {
        "do": "propose", "pub_a": key.public.hex(), "pub_b": opponent.hex(),
        "nonce": nonce.hex(), "ruleset": proposal.ruleset, "data": proposal.data,
        "scenario": proposal.scenario, "sides": dict(proposal.sides),
        "options": dict(proposal.options), "chain_len": proposal.chain_length,
        "m": DECK_TRIALS,
    }  # fmt: skip
    if proposal.fixes:
        step["fixes"] = list(proposal.fixes)
    step["decks"] = [row_of(each) for each in open_table(step).laid()]
    if spare is not None:
        step["spare"] = spare.hex()
    if proposal.match:
        step["match"] = proposal.match
    if proposal.silence is not None:
        step["silence"] = dict(proposal.silence)
    if proposal.director is not None:
        step["director"] = proposal.director.hex()
    nothing = Fold((), (), Machine(World(open_table)))
    draft = Draft(nothing.machine, "A", key)
    draft.add(step)
    draft.speak(say)
    entry = draft.sign(tool, time)
    return Composed(entry, after(nothing, entry, draft.machine))


def propose_solo(proposal: Proposal, seed: str, open_table: OpenTable, *, tool: str) -> Fold:
    """A solo game, begun and settled: anyone who has the file has both seats."""
    options = {**proposal.options, "solo": True, "seed": seed}
    fresh = hashlib.sha256(f"pbem1/solo\nfresh\n{seed}".encode()).digest()[:16]
    fold = propose(
        solo_key("A", seed), solo_key("B", seed).public, replace(proposal, options=options),
        open_table, nonce=fresh, tool=tool,
    ).fold  # fmt: skip
    fold = compose(fold, solo_key("B", seed), Wish(), tool=tool, fresh=fresh).fold
    return settle_solo(compose(fold, solo_key("A", seed), Wish(), tool=tool).fold, tool=tool)


def solo_keys(fold: Fold) -> dict[str, KeyPair]:
    """The keys of both seats of a solo game, by player."""
    assert fold.is_solo
    return {player: solo_key(player, fold.proposal["options"]["seed"]) for player in "AB"}


def settle_solo(fold: Fold, *, tool: str) -> Fold:
    """A solo game after all that is owed and needs no choice, by either seat."""
    while fold.owed and fold.owed[0].code in FORCED:
        fold = compose(fold, solo_keys(fold)[fold.owed[0].by], Wish(), tool=tool).fold
    return fold


# --- the next entry


def binds_the_other(draft: Draft, wish: Wish) -> bool:
    """Whether the orders lead straight to sealed orders of the other player, before anything else
    is asked of them. Then they cannot make use of what they read in this entry.
    """
    trial = draft.again()
    try:
        _policies(trial, wish)
        trial.hand_over(wish.orders)
    except FileRefused:
        return False  # the orders themselves say why
    halt = trial.machine.pending.halt
    slots = {policy["slot"] for policy in wish.policies if policy["doc"] is not None}
    return halt is not None and halt.by == other(draft.player) and halt.slot in slots


def compose(
    fold: Fold, key: KeyPair, wish: Wish, *,
    tool: str, time: str | None = None, fresh: bytes | None = None, spare: bytes | None = None,
    begun: Draft | None = None,
) -> Composed:  # fmt: skip
    """The next entry of the owner of `key`: what they owe, then what they wish.

    Policies come before the orders, so they are in force for the roll that follows. `fresh` (16
    random bytes) is needed only to accept a proposal, which may name a `spare` key. `begun` is the
    draft of a `prospect` of the same fold and key, which has what they owe. It is continued, unless
    a yes or a resignation must come before it.

    Raises OrdersRefused with the place of each illegal order; FileRefused: E-TURN when it is not
    their turn or nothing they owe would be in the entry, E-KEY for a stranger's key, and whatever
    the verifier would refuse.
    """
    player = fold.player_of(key.public)
    unused: tuple[int, ...] = ()
    if begun is None or wish.answer or wish == RESIGNED:
        begun = Draft(fold.machine, player, key)
    draft = begun.again()
    draft.machine = draft.machine.put(time=time)
    draft.lost = wish.lost
    talks = wish.offer is not None or wish.answer is not None
    if talks and fold.phase != "running":
        negotiation.refuse(fold.phase)
    if wish == RESIGNED:  # this alone needs no head in front of it, and none of their secrets
        pass
    elif draft.machine.entry.side and not draft.machine.entry.past_the_end:
        _beside_the_turn(draft, wish)
    else:
        unused = _in_turn(draft, wish, fresh, spare)
    draft.speak(wish.say)
    if wish.resign:
        draft.add({"do": "resign"})
    entry = draft.sign(tool, time)
    return Composed(entry, after(fold, entry, draft.machine), unused)


def _in_turn(draft: Draft, wish: Wish, fresh: bytes | None, spare: bytes | None) -> tuple[int, ...]:
    if wish.claim_forfeit:
        raise FileRefused("E-TURN", say("only the player who is waiting can claim a forfeit"))
    _begin(draft, fresh, spare)
    agreed = negotiation.agreed_to(draft.machine, draft.player) if wish.answer else ""
    was_open = open_offer(draft.machine, other(draft.player)) is not None
    if agreed != "renew":  # that is in place of the head, where it cannot be paid
        draft.pay(is_undone=agreed == "takeback")
    if wish.answer is not None:
        negotiation.add_answer(draft, wish.answer, was_open=was_open)
        if wish.answer and draft.machine.terms.phase == "running" and wish.orders:
            raise FileRefused(
                "E-TURN",
                say("what was agreed on is carried out first"),
                hint=say("send orders after it"),
            )
    if draft.machine.terms.phase == "running":
        unused = _decide(draft, wish)
        _offer(draft, wish)
        return unused
    _refuse_unused(draft.machine, wish)
    if draft.machine.terms.phase == "accepted":  # otherwise what they owed has ended the game
        _policies(draft, wish)
    elif wish.close:
        _close(draft)
    return ()


def _close(draft: Draft) -> None:
    machine = draft.machine
    if machine.owed:
        return  # the last of them closes the game
    step = {"do": "close", "result": dict(machine.terms.result or {}), "audits": outcomes(machine)}
    draft.add(step)


def _begin(draft: Draft, fresh: bytes | None, spare: bytes | None) -> None:
    machine = draft.machine
    if machine.terms.phase == "proposed":
        assert fresh is not None, "accepting needs 16 fresh random bytes"
        proposal_id = machine.terms.proposal_id
        nonce = accept_nonce(proposal_id, fresh)
        named = {} if spare is None else {"spare": spare.hex()}
        draft.add(
            {
                "do": "accept", "proposal": proposal_id, "pub": draft.key.public.hex(),
                "nonce": nonce, "data": machine.terms.proposal["data"],
                **draft.beginning(nonce), **named,
            }
        )  # fmt: skip
    elif machine.terms.phase == "accepted":
        draft.add({"do": "start", **draft.beginning(machine.terms.game)})


def _decide(draft: Draft, wish: Wish) -> tuple[int, ...]:
    machine = draft.machine
    unused: tuple[int, ...] = ()
    if machine.beacons.locked is not None:
        _refuse_unused(machine, wish)
    _policies(draft, wish)
    draft.open_early(wish.opened)
    if wish.orders:
        try:
            unused = draft.hand_over(wish.orders)
        except OrderIllegal as illegal:
            raise OrdersRefused(_refusals(draft, wish.orders, illegal)) from None
        draft.pay()
    if wish.void:
        draft.void()
    return unused


def _refusals(
    draft: Draft, orders: Sequence[Order], illegal: OrderIllegal | None
) -> tuple[tuple[int, OrderRefused], ...]:
    """Every refusal of a list, of which the first is known, with its index.

    After an illegal order the rest is judged as if it were not there.
    """
    left, found = list(range(len(orders))), []
    while illegal is not None:
        found.append((left.pop(illegal.index), illegal.refusal))
        illegal = None
        try:
            draft.again().hand_over([orders[index] for index in left])
        except OrderIllegal as another:
            illegal = another
        except FileRefused:  # what is left answers nothing any more: the first refusal says why
            pass
    return tuple(found)


def _policies(draft: Draft, wish: Wish) -> None:
    for policy in wish.policies:
        in_clear = wish.in_clear or policy.get("clear", False)
        draft.order_policy(policy, in_clear=in_clear)


def _beside_the_turn(draft: Draft, wish: Wish) -> None:
    if wish.orders or wish.policies or wish.void:
        raise FileRefused("E-TURN", not_now(draft.machine))
    if not (wish.say or wish.resign or wish.claim_forfeit or wish.offer or wish.answer is not None):
        raise FileRefused(
            "E-TURN", say("there is nothing to send: {not_now}", not_now=not_now(draft.machine))
        )
    if wish.answer is not None:
        negotiation.add_answer(draft, wish.answer)
    _offer(draft, wish)
    if wish.claim_forfeit:
        owed = owed_by(draft.machine, other(draft.player))
        terms = {"silence": True} if wish.silence else {}
        step = {"do": "claim_forfeit", "since": draft.machine.entry.last_id, "owed": owed, **terms}
        draft.add(step)


def _offer(draft: Draft, wish: Wish) -> None:
    if wish.offer is not None:
        negotiation.add_offer(draft, wish.offer)


def _refuse_unused(machine: Machine, wish: Wish) -> None:
    if wish.orders or wish.void:
        raise FileRefused(
            "E-TURN", not_now(machine), hint=say("send what is owed first, without orders")
        )
