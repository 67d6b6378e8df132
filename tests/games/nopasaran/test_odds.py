"""The chances of an attack, against the tables as they are printed."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.odds import Waged
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.odds import ODDS
from pbem.games.nopasaran.orders import NONE, Attack, Backing
from pbem.games.nopasaran.position import CAS, Mission
from tests.games.nopasaran.table import N, R, in_command, start, state_of, table, tables

FIELD = {"G12": "N-2Leg/5 N-Zap-III", "H11": "N-2Alh/6", "G13": "R-AMarty/12", "F15": "R-Garib/12",
         "H10": "N-CG-R5 N-Art75-III", "H15": "R-105V"}  # fmt: skip
ORDER = Attack("G13", {"G12": ("N-2Leg/5", "N-Zap-III")}, "regular", advance=NONE)


def field(**changes: Any) -> Any:
    position = in_command(table(FIELD, **changes))
    found = state_of(position, N)
    found.position.__dict__["command"] = position.__dict__["command"]
    return found


def test_every_fall_of_both_dice_is_counted() -> None:
    chances = ODDS.of(field(), ORDER)
    assert chances.ways == 100
    assert [salvo.side for salvo in chances.salvos] == [N, R]
    attack, defence = chances.salvos
    assert attack.strength and defence.strength
    assert sum(chances.spread(N).values()) == 100
    assert {branch.winner for branch in chances.branches} <= {None, N, R}


def test_the_chances_are_those_of_the_printed_table() -> None:
    """The effectiveness of both, a die for it, a die for the combat: looked up here."""
    chances, board = ODDS.of(field(), ORDER), tables()
    attack, _ = chances.salvos
    heading = str(attack.column).removeprefix("column ")
    column = [board.combat.heading(at) for at in range(len(board.combat.columns))].index(heading)
    mine = max(board.units[unit].effectiveness for unit in ("N-2Leg/5", "N-Zap-III"))
    theirs = board.units["R-AMarty/12"].effectiveness
    added = sum(each.number for each in attack.modifiers)
    found: Counter[Any] = Counter()
    first, last = board.combat.first_row, board.combat.first_row + len(board.combat.rows) - 1
    for die in range(1, 11):
        effect = board.effectiveness_modifier(mine - theirs, die)
        for face in range(1, 11):
            row = min(max(face + effect + added, first), last)
            result = board.results[board.combat.at(column, row)]
            winner = {"attack": N, "defence": R}.get(result.counts)
            least = board.units["R-AMarty/12"].troops
            found[winner, result.attacker, min(result.defender, least)] += 1
    told = {(each.winner, each.lost_by(N), each.lost_by(R)): each.ways for each in chances.branches}
    assert told == found


def test_reasons_are_told_with_their_rules() -> None:
    position = field(works={"G13": "position"})
    chances = ODDS.of(position, ORDER)
    told = {str(each.words): (each.number, each.rule) for each in chances.salvos[0].shifts}
    assert told["works"][1] == "12.6.5" and told["works"][0] < 0
    notes = [str(note.words) for note in chances.notes]
    assert notes[0].startswith("the attackers: ") and "N-2Leg/5" in notes[0]
    assert notes[1].startswith("effectiveness ")
    assert notes[2].startswith("the defenders must retreat: ")
    assert [str(each.words) for each in chances.supposed] == [
        "the most effective unit leads the defence",
    ]  # fmt: skip


def test_charges_that_are_rolled_for_first_are_told() -> None:
    """At the bridge they bring, in the battle at the bridge while they are there."""
    whole = ODDS.of(state_of(start(), N), Attack("G13", {"G12": ("N-1TirIf/5",)}, "regular"))
    first = str(whole.notes[0].words)
    assert first.startswith("first a die for the charges at Puente del Pindoque: with 8 or more")
    assert whole.notes[0].rule == "J.3"
    used = start().but(used=frozenset({"J.3/B-PIN"}))
    again = ODDS.of(state_of(used, N), Attack("G13", {"G12": ("N-1TirIf/5",)}, "regular"))
    assert "charges" not in str(again.notes[0].words)


def test_support_makes_the_attack_stronger() -> None:
    backed = Attack("G13", ORDER.units, "regular", support=Backing(("N-Art75-III",)))
    plain, more = ODDS.of(field(), ORDER), ODDS.of(field(), backed)
    assert more.salvos[0].strength > plain.salvos[0].strength
    assert Fraction(more.won_by(N), more.ways) >= Fraction(plain.won_by(N), plain.ways)


def test_antiaircraft_fire_is_one_of_the_dice() -> None:
    """An air unit may be turned back, and then its factor does not count."""
    sky = {"missions": {"N-He51-1": Mission(CAS, "N-CG-R5")}}
    flown = Attack("G13", ORDER.units, "regular", support=Backing((), ("N-He51-1",)))
    position = table({**FIELD, "F14": "R-76AA"}, **sky)
    state = state_of(position, N)
    state.position.__dict__["command"] = in_command(position).__dict__["command"]
    assert ODDS.of(state, flown).ways > 100


def test_what_came_is_read_from_the_dice() -> None:
    state = field()
    rolled = e.CombatRolled(9, 4, "2:1", (), "2:1", 0, 3, (), 5, "A2D1")
    fight = kernel.submit(state, ORDER).state.position
    after = rolled.apply(fight)
    waged = Waged(state, ORDER, ((rolled, after),), is_over=True)
    assert ODDS.came(waged) == (R, ((N, 2), (R, 1)))
    assert ODDS.came(Waged(state, ORDER, (), is_over=False)) is None
    called_off = Waged(state, ORDER, ((e.CombatEnded("G13"), state.position),), is_over=True)
    assert ODDS.came(called_off) is None


@pytest.mark.parametrize("type", ["regular", "prepared"])
def test_chances_are_the_same_each_time(type: str) -> None:
    order = Attack("G13", ORDER.units, type)
    assert ODDS.of(field(), order) == ODDS.of(field(), order)
    assert list(ODDS.with_more(field(), order)) == []
    assert ODDS.onward(field(), order) == ((), ())
