"""A small battle of ¡No Pasarán! by two keys, in which counters of both sides lie face down.

It begins in the morning of the fourth day, with all counters in view. A is Nationalist.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.gamefile.compose import Proposal, Wish, compose, propose
from pbem.gamefile.fold import Fold
from pbem.gamefile.machine import OpenTable
from pbem.gamefile.prospect import prospect
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.stages.day import Dawn
from pbem.play.systems import opened
from pbem.play.table import Table
from tests.contract.playing import system
from tests.gamefile.cheating import Steps
from tests.gamefile.players import KEYS, TOOL
from tests.games.nopasaran.table import LARGE, N, R, closed, table

STACKS = {
    "G13": "N-1TirIf/5 N-2Leg/5 N-Zap-III N-Pz-1",
    "H12": "N-SFrn/6 N-2Alh/6 N-AT-III N-Esc-III",
    "H13": "N-Cab-1",
    "H10": "N-CG-R5 N-Art75-III N-Art105-III",
    "H09": "N-CG-R6",
    "H08": "N-CG-III",
    "H07": "N-CG-CAB",
    "K01": "N-CG-DRM",
    "G14": "R-AMarty/12 R-Dmbrwsk/12 R-77/12 R-Zap-1",
    "G15": "R-Garib/12 R-T26-1 R-105V",
    "F17": "R-CG-12BI",
    "E19": "R-CG-AGA",
    "F20": "R-CG-CEC",
    "E18": "R-CG-1BB",
}
SEATS: Any = {"A": N, "B": R}
FIRST, NEXT = 4, 5
"""The day on which all may mix, and the one on which their counters lie face down."""
Order = dict[str, Any]
MIX: Order = {"mix": {"at": "all"}}
FINISH: Order = {"finish": {}}
ANSWERS: Mapping[str, tuple[Order, ...]] = {
    "assign": ({"assign": {"to": []}}, {"fly": {"missions": []}}),
    "works": ({"build": {}},),
    "action": ({"done": {}},),
}


def opening(proposal: Mapping[str, Any], stacks: Mapping[str, str] = STACKS) -> Table:
    position = closed(table(stacks, day=FIRST - 1))
    return Table(system("nopasaran"), SEATS, kernel.begin(State(position, (Dawn(),))).state)


def begun(nonce: int, opening: OpenTable = opening) -> Fold:
    """The first morning; the dice of the game follow from the nonce."""
    known = opened("nopasaran")
    terms = Proposal(known.ruleset, known.digest, LARGE, {"a": N, "b": R}, {}, 256)
    fold = propose(
        KEYS["A"], KEYS["B"].public, terms, opening, nonce=bytes([nonce]) * 16, tool=TOOL
    ).fold
    for player in "BA":
        fold = write(fold, player)
    return fold


def write(fold: Fold, player: str, *orders: Order, **wish: Any) -> Fold:
    """The fold after the next entry of a player, as their program writes it."""
    wanted = Wish(orders=orders, **wish)
    return compose(fold, KEYS[player], wanted, tool=TOOL, fresh=b"\x22" * 16).fold


def honest(fold: Fold, player: str, *orders: Order) -> Steps:
    """The steps of an entry that the player's program would write."""
    return [dict(step) for step in write(fold, player, *orders).entries[-1].steps]


def known(fold: Fold, player: str) -> Position:
    """The position as a player knows it."""
    found: Position = prospect(fold, KEYS[player]).in_play.state.position  # type: ignore[attr-defined]
    return found


def tag(fold: Fold, player: str, unit: str) -> str:
    """The present tag of a counter."""
    position = known(fold, player)
    return position.down.tag(unit, position.hexes)


def until(fold: Fold, player: str, stage: str, day: int, **answers: tuple[Order, ...]) -> Fold:
    """The fold when a player is asked this on that day. Until then both mix all they can on the
    first evening, and do nothing else; other answers to a question may be given by its stage.
    """
    while True:
        pen = str(fold.pen)
        ahead = prospect(fold, KEYS[pen])
        asked = ahead.in_play.decision if ahead.orders_wanted else None  # type: ignore[attr-defined]
        if asked is None:
            fold = write(fold, pen)
            continue
        today = ahead.in_play.state.position.day  # type: ignore[attr-defined]
        if (pen, asked.stage, today) == (player, stage, day):
            return fold
        last = (MIX, FINISH) if today == FIRST else (FINISH,)
        orders = {**ANSWERS, "activation": last, **answers}[asked.stage]
        takes_list = [each for each in orders if asked.stage != "assign" or "assign" in each]
        flies = ahead.in_play.state.position.sky.flies  # type: ignore[attr-defined]
        fold = write(fold, pen, *(orders if flies else takes_list))


def over(fold: Fold, player: str) -> Fold:
    """The game when somebody has resigned, and this player shows all they have kept secret next."""
    fold = write(fold, str(fold.pen), resign=True)
    while fold.pen != player:
        fold = write(fold, str(fold.pen))
    return fold


@cache
def evening(nonce: int = 6) -> Fold:
    """A may mix; nothing lies face down yet."""
    return until(begun(nonce), "A", "activation", FIRST)


@cache
def covered(nonce: int = 6) -> Fold:
    """A may activate; most counters of both lie face down, since yesterday."""
    return until(evening(nonce), "A", "activation", NEXT)


@cache
def across_the_river(nonce: int) -> Fold:
    """The morning of A, who has a third counter with the guns in H10; B stands in G12, across the
    bridge from A's sappers.
    """
    guns = "N-CG-R5 N-Art75-III N-Art105-III N-ACeu/5"
    stacks = {**STACKS, "H10": guns, "G14": "R-1/19", "G12": STACKS["G14"]}
    return until(begun(nonce, partial(opening, stacks=stacks)), "A", "activation", NEXT)


@cache
def answered(nonce: int) -> Fold:
    """A's guns in H10 have fired, and B answers: A has to show those that lie face down there."""
    fire = {"bombard": {"target": "G12", "guns": ["N-Art75-III"]}}
    fold = write(across_the_river(nonce), "A", {"activate": {"unit": "N-Art75-III"}}, fire)
    return write(fold, "B", {"counterbattery": {"guns": ["R-105V"], "hex": "H10"}})


@cache
def blown(nonce: int) -> Fold:
    """A's sappers blow a bridge: B has to show a counter of engineers on the other bank, if any."""
    blow = {"engineer": {"unit": "N-Zap-III", "task": "blow", "bridge": "B-PIN"}}
    return write(across_the_river(nonce), "A", {"activate": {"unit": "N-Zap-III"}}, blow)
