"""What each kind of step does to the machine, and when it may stand in an entry.

A step that is not allowed is refused with the class that says what kind of breach it is: silence
where a reveal is owed, a value shown too early, or a word out of turn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pbem.gamefile.beacons import chain_step, place_in_chain
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.happenings import (
    Anchored,
    Began,
    Claimed,
    PolicyMade,
    Resigned,
    Revealed,
    Said,
)
from pbem.gamefile.keys import check_public, solo_key
from pbem.gamefile.machine import MAX_GIVEN, MAX_POLICIES, Given, Machine, Standing
from pbem.gamefile.referee import Asked, Chance, other

Step = dict[str, Any]
BEGINNINGS = {"empty": "propose", "proposed": "accept", "accepted": "start"}
SIDE_KINDS = frozenset({"say", "resign", "claim_forfeit"})
BEHIND_A_LOCK = frozenset({"policy", "say"})


def apply_step(machine: Machine, step: Step) -> None:
    """Folds one shaped step into the machine.

    Raises FileRefused when it may not stand here; the machine is then worth nothing any more.
    """
    kind = step["do"]
    _check_place(machine, kind)
    _DO[kind](machine, step)
    machine.prune_policies()


def _check_place(machine: Machine, kind: str) -> None:
    if machine.shut:
        raise FileRefused("E-TURN", f"nothing may follow in this entry, and a {kind} step does")
    if machine.phase == "over":
        if kind != "say":
            raise FileRefused("E-TURN", f"the game is over, and here is a {kind} step")
    elif machine.phase != "running":
        _check_beginning(machine, kind)
    elif machine.side:
        if kind not in SIDE_KINDS:
            raise FileRefused(
                "E-TURN",
                f"it is not {machine.by}'s turn to write, so a {kind} step is out of place",
                rule="the pen",
            )
    else:
        _check_turn(machine, kind)


def _check_beginning(machine: Machine, kind: str) -> None:
    wanted = BEGINNINGS[machine.phase]
    if kind == (wanted if not machine.progress else "say"):
        return
    # Everything else waits until the table is set; only standing orders may come before.
    if not (kind == "policy" and machine.phase == "accepted" and machine.progress):
        raise FileRefused("E-TURN", f"a {wanted} step comes first, and here is a {kind} step")


def _check_turn(machine: Machine, kind: str) -> None:
    if kind in BEGINNINGS.values():
        raise FileRefused("E-TURN", f"the game has begun, and here is a {kind} step")
    if kind == "claim_forfeit":
        raise FileRefused("E-TURN", "a forfeit is claimed by the player whose turn it is not")
    if machine.locked is None or kind == "reveal":
        return
    if machine.due(machine.by):
        if kind != "resign":
            raise FileRefused(
                "E-NOREVEAL",
                f"the reveal of beacon {machine.locked} is owed first, and here is a {kind} step",
                rule="R4",
            )
    elif kind not in BEHIND_A_LOCK:
        raise FileRefused(
            "E-TURN",
            f"beacon {machine.locked} is locked: nothing can be decided before it is known, "
            f"and here is a {kind} step",
            rule="R4",
        )


# --- the beginning


def _propose(machine: Machine, step: Step) -> None:
    publics = {"A": bytes.fromhex(step["pub_a"]), "B": bytes.fromhex(step["pub_b"])}
    for public in publics.values():
        check_public(public)
    if publics["A"] == publics["B"]:
        raise FileRefused("E-KEY", "both players have the same key")
    options = step["options"]
    if options.get("open_hands") is not True or step["decks"]:
        raise FileRefused("E-VERSION", "a game with sealed hands needs a newer pbem")
    if "solo" in options:
        _check_solo(options, publics)
    machine.proposal, machine.publics = step, publics
    machine.phase, machine.progress = "proposed", True
    machine.tell(Began, by=machine.by, kind="propose")


def _check_solo(options: dict[str, Any], publics: dict[str, bytes]) -> None:
    text = options.get("seed")
    if options["solo"] is not True or type(text) is not str or not 1 <= len(text) <= 200:
        raise FileRefused("E-SCHEMA", "a solo game names its seed text in the options")
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
    _check_no_decks(step)
    machine.contexts["B"] = step["nonce"]
    machine.anchors["B"].append(step["anchor"])
    machine.phase, machine.progress = "accepted", True
    machine.tell(Began, by=machine.by, kind="accept")


def _start(machine: Machine, step: Step) -> None:
    _check_no_decks(step)
    machine.contexts["A"] = machine.game
    machine.anchors["A"].append(step["anchor"])
    machine.phase, machine.progress = "running", True
    machine.tell(Began, by=machine.by, kind="start")
    machine.referee = machine.open_table(machine.proposal)
    machine.advance()


def _check_no_decks(step: Step) -> None:
    if step["decks"]:
        raise FileRefused("E-VERSION", "a game with sealed hands needs a newer pbem")


# --- beacons


def _reveal(machine: Machine, step: Step) -> None:
    player, number, void = machine.by, step["n"], step.get("void", False)
    if number != machine.revealed[player] + 1:
        raise FileRefused(
            "E-REVEAL",
            f"value {number} is revealed, and number {machine.revealed[player] + 1} is next",
            rule="R5",
        )
    if machine.locked is None:
        _check_may_open(machine, void)
    elif machine.locked != number:
        raise _early(number)
    elif void:
        raise FileRefused("E-REVEAL", "only he who begins a void beacon marks it", rule="R9")
    _check_value(machine, player, number, step["x"])
    machine.revealed[player], machine.values[player] = number, step["x"]
    machine.progress = True
    machine.tell(Revealed, by=player, n=number, void=void)
    if void:
        machine.locked, machine.void, machine.shut = number, True, True
        machine.locks[number] = machine.seq
    elif machine.revealed[other(player)] == number:
        machine.complete(number)


def _check_may_open(machine: Machine, void: bool) -> None:
    number = machine.next_beacon
    if any(map(machine.lacks_anchor, "AB")):
        raise FileRefused("E-REVEAL", "the chain of values is used up: new anchors come first")
    if not void:
        raise _early(number)
    waits = machine.table.waits()
    if not (isinstance(waits, Asked) and waits.by == machine.by):
        raise FileRefused("E-TURN", "a beacon is voided only at a decision of one's own", rule="R9")
    if machine.last_void:
        raise FileRefused("E-TURN", "two void beacons may not follow each other", rule="R9")


def _early(number: int) -> FileRefused:
    return FileRefused(
        "E-EARLY",
        f"value {number} is revealed although decisions before the roll are still open",
        rule="R3",
    )


def _check_value(machine: Machine, player: str, number: int, value: str) -> None:
    chain, index = place_in_chain(number, machine.chain_length)
    before = machine.anchors[player][chain] if index == 1 else machine.values[player]
    if chain_step(player, machine.contexts[player], index, value) != before:
        raise FileRefused(
            "E-REVEAL", f"value {number} does not fit what player {player} is bound to", rule="R5"
        )


def _anchor(machine: Machine, step: Step) -> None:
    player = machine.by
    if not machine.lacks_anchor(player):
        raise FileRefused("E-TURN", "no new anchor is owed")
    if step["q"] != len(machine.anchors[player]):
        raise FileRefused("E-REVEAL", f"anchor {len(machine.anchors[player])} is next")
    machine.anchors[player].append(step["anchor"])
    machine.progress = True
    machine.tell(Anchored, by=player, q=step["q"])
    if isinstance(machine.table.waits(), Chance):  # an open decision stays open: it is not touched
        machine.advance()


# --- decisions


def _orders(machine: Machine, step: Step) -> None:
    _give(machine, "orders", step["list"])


def _react(machine: Machine, step: Step) -> None:
    _give(machine, "react", step["answers"])


def _post_choice(machine: Machine, step: Step) -> None:
    _give(machine, "post_choice", step["answers"])


def _give(machine: Machine, kind: str, orders: list[dict[str, Any]]) -> None:
    player, waits = machine.by, machine.table.waits()
    if not isinstance(waits, Asked) or waits.by != player:
        raise FileRefused("E-TURN", f"player {player} is not asked anything now", rule="the pen")
    if waits.kind != kind:
        raise FileRefused("E-TURN", f"{waits.what}: this is answered by a {waits.kind} step")
    if len(machine.given[player]) + len(orders) > MAX_GIVEN:
        raise FileRefused("E-LIMIT", f"more than {MAX_GIVEN} orders are given ahead")
    stamp = machine.stirred[player]
    items = [Given(order, kind, machine.place(index), stamp) for index, order in enumerate(orders)]
    # In front of what is left of an older list: that waits for questions still to come.
    machine.given[player] = items + machine.given[player]
    if machine.wanted(player) is None:
        raise FileRefused("E-ORDER", f"none of this answers what is asked: {waits.what}", rule="R8")
    machine.progress = True
    machine.advance()


def _policy(machine: Machine, step: Step) -> None:
    standing = Standing(
        machine.by, step["slot"], step["scope"], step["until"], step["doc"],
        machine.place(), max(machine.revealed.values()),
    )  # fmt: skip
    machine.policies.append(standing)
    own = [one for one in machine.policies if one.by == machine.by]
    slots = {one.slot for one in own if one.doc is not None}
    if len(slots) > MAX_POLICIES or len(own) > 4 * MAX_POLICIES:
        raise FileRefused("E-LIMIT", f"more than {MAX_POLICIES} policies are in force")
    machine.tell(PolicyMade, by=machine.by, slot=step["slot"], withdrawn=step["doc"] is None)


# --- words


def _say(machine: Machine, step: Step) -> None:
    machine.tell(Said, by=machine.by, lines=tuple(step["text"]))


def _resign(machine: Machine, step: Step) -> None:
    machine.tell(Resigned, by=machine.by)
    machine.progress = machine.shut = True
    machine.finish({"winner": other(machine.by), "how": "resignation"})


def _claim_forfeit(machine: Machine, step: Step) -> None:
    owed = [thing.machine for thing in machine.owed() if thing.by == other(machine.by)]
    if step["since"] != machine.last_id or step["owed"] != owed:
        raise FileRefused("E-STATE", "the claim does not state what is owed: " + ", ".join(owed))
    machine.claim = {"by": machine.by, "since": step["since"], "owed": owed}
    machine.tell(Claimed, by=machine.by, owed=tuple(owed))


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
    "say": _say,
    "resign": _resign,
    "claim_forfeit": _claim_forfeit,
}
