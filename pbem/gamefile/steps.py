"""What each kind of step does to the machine, and when it may stand in an entry.

A step that is not allowed is refused with the class that says what kind of breach it is: silence
where a reveal is owed, a value shown too early, or a word out of turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from pbem.gamefile import choices, claims, closing, consent, limits, notes, renewal, rotation
from pbem.gamefile.beacons import chain_step
from pbem.gamefile.cards import Bound
from pbem.gamefile.decks import Epoch, Reply
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.happenings import (
    Anchored,
    Audited,
    Began,
    DeckBound,
    DeckProven,
    Opened,
    PolicyMade,
    Resigned,
    Revealed,
    Said,
    Unsealed,
)
from pbem.gamefile.keys import check_public, solo_key
from pbem.gamefile.machine import MAX_POLICIES, Given, Machine, Standing
from pbem.gamefile.pending import Owed, check_forms, check_policy
from pbem.gamefile.policies import commitment
from pbem.gamefile.referee import Asked, Laid, Referee, other
from pbem.value import replace

Step = dict[str, Any]
DECKS = "sealed decks"
BEGINNINGS = {"empty": "propose", "proposed": "accept", "accepted": "start"}
SILENCE = MappingProxyType(
    {
        "reveal": "E-NOREVEAL",
        "deck_reply": "E-DECK",
        "unseal": "E-POLICY",
        "tell": "E-POLICY",
        "open": "E-CARD",
    }
)
"""What it is called when a step of the head is left out."""
NOTE_KINDS = frozenset({"say", "resign", "claim_forfeit", "offer", "rotate"})
"""T2: what a note may hold. None of it shows a secret, answers anything or moves the pen."""
ANSWERS_IN_TURN = frozenset({"answer", "takeback", "upgrade", "renew"})
BEHIND_A_LOCK = frozenset({"policy", "say"})
INSTEAD_OF_THE_HEAD = frozenset({"resign", "rotate"})
FIXED_AND_SEALED = frozenset({"unseal", "open", "tell"})
"""What of the head answers a question: a take-back undoes that, and the answer stays sealed."""


def apply_step(machine: Machine, step: Step) -> None:
    """Folds one shaped step into the machine.

    Raises FileRefused when it may not stand here; the machine is then worth nothing any more.
    """
    kind = step["do"]
    consent.carried_out_first(machine, kind)
    _check_place(machine, step)
    _DO[kind](machine, step)
    machine.kinds = (*machine.kinds, kind)
    machine.prune_policies()


def _check_place(machine: Machine, step: Step) -> None:
    kind = step["do"]
    if machine.shut or (machine.only_words and not _may_stand_behind(machine, step)):
        raise FileRefused("E-TURN", f"nothing may follow in this entry, and {named(kind)} does")
    if machine.phase == "over":
        if kind not in closing.AFTER_THE_END:
            raise FileRefused("E-TURN", f"the game is over, and here is {named(kind)}")
    elif machine.phase != "running":
        _check_beginning(machine, kind)
    elif machine.side:
        _check_note(machine, step)
    else:
        _check_turn(machine, step)


def _check_note(machine: Machine, step: Step) -> None:
    """T2, T3: what may stand beside the turn. Raises FileRefused (E-TURN)."""
    kind = step["do"]
    if kind not in NOTE_KINDS:
        answers = kind in ANSWERS_IN_TURN
        raise FileRefused(
            "E-TURN",
            f"it is not {machine.by}'s turn to write, so {named(kind)} is out of place",
            rule="T4" if answers else "the pen",
            hint="an offer is answered by the player who has the pen, in turn" if answers else "",
        )
    if machine.on_own_note and not _names_the_others_key(machine, step):
        raise notes.second_note(machine)


def _names_the_others_key(machine: Machine, step: Step) -> bool:
    """Whether a step may belong to naming a key for the other player; the end tells if it did."""
    return step["do"] in ("say", "rotate") or rotation.has_spoken_for(machine)


def _may_stand_behind(machine: Machine, step: Step) -> bool:
    """Whether a step may follow where only words do; whoever names another's key may offer more."""
    if step["do"] == "offer":
        return step["what"] == "renew" and rotation.has_spoken_for(machine)
    return bool(step["do"] == "say")


def _check_beginning(machine: Machine, kind: str) -> None:
    wanted = BEGINNINGS[machine.phase]
    if kind == (wanted if not machine.progress else "say"):
        return
    # Everything else waits until the table is set; only standing orders may come before.
    if not (kind == "policy" and machine.phase == "accepted" and machine.progress):
        raise FileRefused("E-TURN", f"{named(wanted)} comes first, and here is {named(kind)}")


def _check_turn(machine: Machine, step: Step) -> None:
    kind = step["do"]
    if kind == "audit":
        raise FileRefused("E-TURN", "secrets are shown when the game is over, never before")
    if kind in BEGINNINGS.values():
        raise FileRefused("E-TURN", f"the game has begun, and here is {named(kind)}")
    if kind == "claim_forfeit":
        raise FileRefused("E-TURN", "a forfeit is claimed by the player whose turn it is not")
    due = machine.head(machine.by)
    if due is not None:
        if kind == "open" and due.code == "deck_reply":
            raise FileRefused(
                "E-OPEN", f"a card is opened, and {due.machine} is owed first", rule="R4"
            )
        if kind != due.code and not _serves_instead(machine, step, due):
            raise FileRefused(
                SILENCE[due.code],
                f"{due.machine} is owed first, and here is {named(kind)}",
                rule="R4",
            )
    elif kind in ("deck_reply", "unseal", "tell"):
        raise FileRefused(SILENCE[kind], f"no {kind} is owed", rule="R4")
    elif machine.locked is not None and kind not in BEHIND_A_LOCK and kind != "reveal":
        raise FileRefused(
            "E-TURN",
            f"beacon {machine.locked} is locked: nothing can be decided before it is known, "
            f"and here is {named(kind)}",
            rule="R4",
        )


def _serves_instead(machine: Machine, step: Step, due: Owed) -> bool:
    """Whether a step may stand in place of what its author owes first.

    What chance is owed, a value or a reply, comes in front of a take-back all the same.
    """
    if step["do"] in INSTEAD_OF_THE_HEAD or consent.begins_anew(machine, step):
        return True
    return due.code in FIXED_AND_SEALED and consent.goes_back(machine, step)


def named(kind: str) -> str:
    """A kind of step in a sentence."""
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind} step"


# --- the beginning


def _propose(machine: Machine, step: Step) -> None:
    publics = {"A": bytes.fromhex(step["pub_a"]), "B": bytes.fromhex(step["pub_b"])}
    for public in publics.values():
        check_public(public)
    if publics["A"] == publics["B"]:
        raise FileRefused("E-KEY", "both players have the same key")
    options = step["options"]
    names = [deck["deck"] for deck in step["decks"]]
    if len(set(names)) != len(names):
        raise FileRefused("E-DECK", "two decks have the same name", rule=DECKS)
    if "solo" in options or "seed" in options:
        _check_solo(options, publics)
    machine.proposal, machine.publics = step, publics
    table = machine.proposed_table()  # a game that cannot be begun is not even proposed
    if table is not None:
        check_decks(table, step)
    rotation.name_spare(machine, "A", step)
    machine.phase, machine.progress = "proposed", True
    machine.tell(Began, by=machine.by, kind="propose")


def _check_solo(options: dict[str, Any], publics: dict[str, bytes]) -> None:
    if not {"solo", "seed"} <= set(options):
        raise FileRefused("E-SCHEMA", "a solo game, and no other, names its seed in the options")
    text = options["seed"]
    for player, public in publics.items():
        if solo_key(player, text).public != public:
            raise FileRefused("E-KEY", "the keys are not those of this solo game")


def _accept(machine: Machine, step: Step) -> None:
    if step["proposal"] != machine.proposal_id:
        raise FileRefused("E-CHAIN", "another proposal is accepted than the one in this file")
    if step["data"] != machine.proposal["data"]:
        raise FileRefused(
            "E-RULES",
            "the two players do not have the same game data, so the game does not start",
            hint="both need the same version of pbem and the same --data folder",
        )
    _check_decks_named(machine, step, "B")
    rotation.name_spare(machine, "B", step)
    machine.contexts["B"] = step["nonce"]
    machine.anchors["B"].append(step["anchor"])
    machine.phase, machine.progress = "accepted", True
    machine.tell(Began, by=machine.by, kind="accept")


def _start(machine: Machine, step: Step) -> None:
    start_bound(machine, step)
    machine.referee = machine.open_table(machine.proposal)
    check_decks(machine.table, machine.proposal)
    machine.advance()


def start_bound(machine: Machine, step: Step) -> None:
    """What a `start` step binds its author to, before the table is set. Raises FileRefused."""
    _check_decks_named(machine, step, "A")
    machine.contexts["A"] = machine.game
    machine.anchors["A"].append(step["anchor"])
    machine.phase, machine.progress = "running", True
    machine.tell(Began, by=machine.by, kind="start")


def check_decks(table: Referee, proposal: Mapping[str, Any]) -> None:
    """Raises FileRefused (E-DECK) where a proposal names other decks than the game lays."""
    if table.laid() != first_decks(proposal):
        raise FileRefused(
            "E-DECK", "the game is not played with the decks of the proposal", rule=DECKS
        )


def first_decks(proposal: Mapping[str, Any]) -> tuple[Laid, ...]:
    """The decks a proposal names, as the game lays them."""
    return tuple(
        Laid(deck["deck"], deck["by"], 1, tuple(deck["cards"])) for deck in proposal["decks"]
    )


def _check_decks_named(machine: Machine, step: Step, player: str) -> None:
    """The commitments of `accept` and `start`: one for each deck of that player, no other."""
    own = [each for each in first_decks(machine.proposal) if each.by == player]
    if {each.deck for each in own} != set(step["decks"]):
        raise FileRefused("E-DECK", f"player {player} commits to each of their decks", rule=DECKS)
    for each in own:
        bind_deck(machine, each, step["decks"][each.deck])


def bind_deck(machine: Machine, laid: Laid, commitment: str) -> None:
    """The owner commits to an epoch, and the next beacon will challenge them."""
    epoch = epoch_to_bind(machine, laid)
    machine.decks.bind(epoch, commitment)
    machine.tell(DeckBound, by=laid.by, deck=laid.deck, epoch=laid.epoch, count=len(laid.cards))


def epoch_to_bind(machine: Machine, laid: Laid) -> Epoch:
    """An epoch as its owner commits to it now: the next beacon locked will challenge it."""
    return Epoch(
        laid.deck, laid.by, laid.epoch, laid.cards, machine.proposal["m"], machine.next_beacon
    )


# --- sealed decks


def _deck_commit(machine: Machine, step: Step) -> None:
    lacking = [
        laid
        for laid in machine.lacks_decks(machine.by)
        if (laid.deck, laid.epoch) == (step["deck"], step["epoch"])
    ]
    if not lacking:
        raise FileRefused(
            "E-DECK", f"no commitment to deck {step['deck']}/{step['epoch']} is wanted", rule=DECKS
        )
    (laid,) = lacking
    if tuple(step["cards"]) != laid.cards:
        raise FileRefused(
            "E-DECK", f"deck {step['deck']}/{step['epoch']} is of other cards", rule=DECKS
        )
    bind_deck(machine, laid, step["c"])
    machine.progress = True
    if machine.is_before_roll:
        machine.advance()


def take_reply(machine: Machine, step: Step) -> Bound:
    """Holds a reply against the commitment. Raises FileRefused (E-DECK)."""
    reply = Reply(tuple(step["leaves"]), tuple(step["siblings"]))
    return machine.decks.reply(step["deck"], step["epoch"], step["t"], reply, machine.by)


def _deck_reply(machine: Machine, step: Step) -> None:
    bound = take_reply(machine, step)
    machine.progress = True
    machine.tell(DeckProven, by=machine.by, deck=bound.epoch.deck, epoch=bound.epoch.number)


def slot_of(step: Step) -> str:
    """The slot that an `open` step opens."""
    return f"{step['deck']}/{step['epoch']}/{step['pos']}"


def _open(machine: Machine, step: Step) -> None:
    slot = slot_of(step)
    player, before, waits = machine.by, machine.table, machine.waits
    due = machine.head(player)
    if due is None and not machine.asks_openly(player):
        raise FileRefused("E-TURN", "a card is opened where its owner is asked something")
    if due is not None and due.what != slot:
        raise FileRefused("E-CARD", f"{due.what} must be opened first, and here is {slot}")
    if slot not in before.hand(player) or slot in before.known():
        raise FileRefused("E-CARD", f"{slot} is no hidden card of player {player}'s hand")
    machine.decks.open(slot, step["card"], step["nonce"], player)
    machine.referee = before.learn({slot: step["card"]})
    machine.progress = machine.progress or due is not None
    machine.tell(
        Opened, by=player, slot=slot, card=step["card"], before=before, after=machine.referee
    )
    if due is not None or machine.waits != waits:
        machine.advance()


# --- beacons


def _reveal(machine: Machine, step: Step) -> None:
    player, number, void = machine.by, step["n"], step.get("void", False)
    check_number(machine, player, number)
    if machine.locked is None:
        _check_may_open(machine, void)
    elif machine.locked != number:
        raise _early(machine, number)
    elif void:
        raise void_marked_again()
    check_value(machine, player, number, step["x"])
    machine.revealed[player], machine.values[player] = number, step["x"]
    machine.progress = True
    machine.tell(Revealed, by=player, n=number, void=void)
    if void:
        consent.at_lock(machine)
        machine.locked, machine.void, machine.shut = number, True, True
        machine.locks[number] = machine.seq
    elif machine.revealed[other(player)] == number:
        machine.complete(number)


def check_number(machine: Machine, player: str, number: int) -> None:
    """Refuses a value that is not the player's next (E-REVEAL)."""
    if number != machine.revealed[player] + 1:
        raise FileRefused(
            "E-REVEAL",
            f"value {number} is revealed, and number {machine.revealed[player] + 1} is next",
            rule="R5",
        )


def _check_may_open(machine: Machine, void: bool) -> None:
    number = machine.next_beacon
    if any(map(machine.lacks_anchor, "AB")):
        raise chain_used_up()
    if not void:
        raise _early(machine, number)
    if not machine.asks_openly(machine.by):
        raise FileRefused("E-TURN", "a beacon is voided only at a decision of one's own", rule="R9")
    if machine.last_void:
        raise FileRefused("E-TURN", "two void beacons may not follow each other", rule="R9")


def _early(machine: Machine, number: int) -> FileRefused:
    first = machine.owed()[0]
    return FileRefused(
        "E-EARLY",
        f"value {number} is revealed although decisions before the roll are still open: "
        f"player {first.by} owes {first.machine}",
        rule="R3",
    )


def void_marked_again() -> FileRefused:
    return FileRefused("E-REVEAL", "only the player who begins a void beacon marks it", rule="R9")


def chain_used_up() -> FileRefused:
    return FileRefused("E-REVEAL", "the chain of values is used up: new anchors come first")


def check_value(machine: Machine, player: str, number: int, value: str) -> None:
    """Refuses a value that does not hash to the one before it, or has no anchor yet (E-REVEAL)."""
    chain, index = renewal.place_of(machine, player, number)
    if chain >= len(machine.anchors[player]):
        raise chain_used_up()
    before = machine.anchors[player][chain] if index == 1 else machine.values[player]
    if chain_step(player, machine.contexts[player], index, value) != before:
        raise FileRefused(
            "E-REVEAL", f"value {number} does not fit what player {player} is bound to", rule="R5"
        )


def _anchor(machine: Machine, step: Step) -> None:
    player = machine.by
    if not machine.lacks_anchor(player):
        raise FileRefused("E-TURN", "no new anchor is owed")
    add_anchor(machine, player, step)
    machine.progress = True
    machine.tell(Anchored, by=player, q=step["q"])
    if machine.is_before_roll:  # an open decision stays open: it is not touched
        machine.advance()


def add_anchor(machine: Machine, player: str, step: Step) -> None:
    """Binds the player to their next chain. Raises FileRefused (E-REVEAL) for another number."""
    if step["q"] != len(machine.anchors[player]):
        raise FileRefused("E-REVEAL", f"anchor {len(machine.anchors[player])} is next")
    machine.anchors[player].append(step["anchor"])


# --- decisions


def _orders(machine: Machine, step: Step) -> None:
    _give(machine, "orders", step["list"])


def _react(machine: Machine, step: Step) -> None:
    _give(machine, "react", step["answers"])


def _post_choice(machine: Machine, step: Step) -> None:
    _give(machine, "post_choice", step["answers"])


def _give(machine: Machine, kind: str, orders: list[dict[str, Any]]) -> None:
    player, waits = machine.by, machine.waits
    if not isinstance(waits, Asked) or not machine.asks_openly(player):
        raise FileRefused("E-TURN", f"player {player} is not asked anything now", rule="the pen")
    if waits.secret:
        raise FileRefused(
            "E-TURN", f"{waits.what} is chosen in secret: the step that answers this is seal",
            rule=choices.RULE,
        )  # fmt: skip
    if waits.kind != kind:
        raise FileRefused("E-TURN", f"{waits.what}: the step that answers this is {waits.kind}")
    limits.check_waiting(player, [*orders, *(each.order for each in machine.given[player])])
    check_forms(machine.table, orders)
    _check_hides_nothing(machine, orders)
    stamp = machine.stirred[player]
    items = [Given(order, kind, machine.place(index), stamp) for index, order in enumerate(orders)]
    # In front of what is left of an older list: that waits for questions still to come.
    machine.given[player] = items + machine.given[player]
    if machine.wanted(player) is None:
        raise FileRefused("E-ORDER", f"none of this answers what is asked: {waits.what}", rule="R8")
    machine.progress = True
    machine.advance()


def _check_hides_nothing(machine: Machine, orders: list[dict[str, Any]]) -> None:
    """What answers secret questions alone is never sent where everybody reads it (E-ORDER)."""
    for index, order in enumerate(orders):
        if not machine.is_solo and machine.table.hides(order):
            raise FileRefused(
                "E-ORDER", f"order {index + 1} is a secret choice, which is sealed when it is "
                "asked for and stands in no list", rule=choices.RULE,
            )  # fmt: skip


def _policy(machine: Machine, step: Step) -> None:
    check_policy_form(step)
    standing = Standing(
        machine.by, step["slot"], step["scope"], step["until"], step.get("doc"),
        machine.place(), max(machine.revealed.values()), step.get("c"), step.get("box"),
    )  # fmt: skip
    take_slot(machine, step)
    own = [one for one in machine.policies if one.by == machine.by]
    table = machine.referee or machine.proposed_table()
    if table is not None:
        check_policy(table, standing)
    machine.policies.append(standing)
    own.append(standing)
    machine.has_sealed = machine.has_sealed or standing.c is not None
    slots = {one.slot for one in own if not one.withdraws}
    if len(slots) > MAX_POLICIES or len(own) > 4 * MAX_POLICIES:
        raise FileRefused(
            "E-LIMIT", f"player {machine.by} has more than {MAX_POLICIES} policies in force"
        )
    machine.tell(
        PolicyMade, by=machine.by, slot=step["slot"], withdrawn=standing.withdraws,
        sealed=standing.c is not None,
    )  # fmt: skip


def check_policy_form(step: Step) -> None:
    """Refuses a policy that is neither in clear nor sealed, or both (E-SCHEMA)."""
    if ("doc" in step) == ("c" in step) or ("c" in step) != ("box" in step):
        raise FileRefused("E-SCHEMA", "a policy has either a document, or c and box")


def take_slot(machine: Machine, step: Step) -> None:
    """A slot takes one policy an entry, one that withdraws included (E-POLICY).

    Counted by what the entry holds: what is in force forgets what was withdrawn.
    """
    slot = step["slot"]
    if slot in machine.slots:
        raise FileRefused("E-POLICY", f"slot {slot} has two policies in one entry")
    machine.slots = (*machine.slots, slot)


def check_document(step: Step, c: str | None) -> None:
    """Refuses an `unseal` step that does not show the document bound by `c` (E-POLICY)."""
    if commitment(step["slot"], step["seq"], step["salt"], step["doc"]) != c:
        raise FileRefused(
            "E-POLICY",
            f"the document shown is not the one sealed as {step['slot']} {step['seq']}",
            rule="policies",
        )


def _unseal(machine: Machine, step: Step) -> None:
    halt = machine.halt
    assert halt is not None  # the head asks for it
    if (step["slot"], step["seq"]) != (halt.slot, halt.sent.entry):
        raise FileRefused(
            "E-POLICY",
            f"the policy {halt.name} is asked for, and {step['slot']} {step['seq']} is unsealed",
            rule="policies",
        )
    check_document(step, halt.c)
    shown = replace(halt, doc=step["doc"])
    machine.policies = [shown if one is halt else one for one in machine.policies]
    machine.progress = True
    machine.tell(Unsealed, by=machine.by, slot=halt.slot, doc=step["doc"], sent=halt.sent)
    machine.advance()


# --- the end


def _audit(machine: Machine, step: Step) -> None:
    """The rest of the audit plays the whole file again: fold.py sees to that."""
    from pbem.gamefile.audit import check_bound, lost, secrets_shown

    if not machine.owes_audit(machine.by):
        raise FileRefused("E-TURN", "no audit of this player is owed")
    secrets = secrets_shown(step)
    check_bound(machine, machine.by, secrets)
    machine.lost += lost(machine, machine.by, secrets)
    machine.audited[machine.by] = step["gsec"]
    machine.progress = True
    machine.tell(Audited, by=machine.by)


# --- words


def _say(machine: Machine, step: Step) -> None:
    machine.tell(Said, by=machine.by, lines=tuple(step["text"]))


def _resign(machine: Machine, step: Step) -> None:
    machine.tell(Resigned, by=machine.by)
    machine.progress = machine.shut = True
    machine.finish({"winner": other(machine.by), "how": "resignation"})


_DO: dict[str, Callable[[Machine, Step], None]] = {
    "propose": _propose,
    "accept": _accept,
    "start": _start,
    "anchor": _anchor,
    "reveal": _reveal,
    "orders": _orders,
    "react": _react,
    "post_choice": _post_choice,
    "policy": _policy,
    "unseal": _unseal,
    "seal": choices.seal_step,
    "tell": choices.tell_step,
    "deck_commit": _deck_commit,
    "deck_reply": _deck_reply,
    "open": _open,
    "audit": _audit,
    "say": _say,
    "resign": _resign,
    "claim_forfeit": claims.claim_forfeit,
    "offer": consent.offer,
    "answer": consent.answer,
    "takeback": consent.take_back,
    "upgrade": consent.upgrade,
    "renew": consent.renew,
    "rotate": rotation.rotate,
    "close": closing.close,
}
