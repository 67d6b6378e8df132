"""What a position computes: shortcuts give what the long way gives."""

from __future__ import annotations

import random

import pytest

from pbem.gamedata.load import load
from pbem.games.ctv import open_system
from pbem.games.ctv.rules import movement
from pbem.games.ctv.tables import BY_SURRENDER
from tests.games.ctv.table import N, R, covered, system, table, tag_of


def scattered(seed):
    """A position with units of both sides strewn over the map."""
    rng, board = random.Random(seed), system().tables
    hexes, at = list(board.hexes), {}
    rng.shuffle(hexes)
    for side, number in ((N, 12), (R, 12)):
        units = [unit for unit in board.army[side] if board.units[unit].is_ground]
        for unit in rng.sample(units, number):
            at[hexes.pop()] = unit
    return rng, table(at)


def test_a_step_within_reach_is_judged_as_in_full() -> None:
    said = set()
    for seed in range(40):
        rng, position = scattered(seed)
        for side in (N, R):
            for unit in rng.sample(position.on_map(side), 4):
                near = position.board.graph.neighbours(position.at(unit))
                for hex in [hex for hex in near if not movement.bars(position, hex, side, [unit])]:
                    after = position.with_units([unit], hex)
                    bit = position.board.masks.bit[hex]
                    full = bool(after.judged[side] & bit)
                    assert movement.would_be_supplied(position, [unit], hex, side) is full
                    staying = movement._staying(position, [unit], side)
                    said.add((full, bool(movement._safe(position, staying, side) & bit)))
    assert said == {(True, True), (True, False), (False, False)}


@pytest.mark.rule("5", "5.1.1")
def test_what_cannot_be_is_told_as_a_fault():
    sound = table({"2110": "N-LIT-1", "2010": "R-168"})
    crowd = [unit for unit in sound.board.army[N] if sound.printed(unit).points == 2][:6]
    for broken, told in (
        (sound, []),
        (sound.with_units(("R-169",), "2110"), ["units of both sides are in 2110"]),
        (sound.with_units(crowd, "2111"), ["2111 holds twice its limit"]),
        (sound.but(marker=-1), ["the marker of morale is at -1"]),
        (sound.but(marker=6), ["the marker of morale is at 6"]),
        (sound.but(lost={"N-LIT-1": 2}), ["N-LIT-1 has lost all its steps"]),
    ):
        assert [str(each) for each in system().faults(broken)] == told
    lie = covered({"2110": "N-LIT-1"}, {"2110": "N-LIT-2"})
    tag = tag_of(lie, "N-LIT-2")
    lie = lie.but(down=lie.down.narrowed(tag, lambda piece: piece != "N-LIT-2"))
    assert [str(each) for each in system().faults(lie)] == [f"N-LIT-2 is not what {tag} may be"]


@pytest.mark.rule("5.2")
def test_what_both_know_of_covered_counters_is_public():
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-LIT-2"})
    known = system().public(
        position.but(missing=frozenset({"N-L335"}), in_doubt=frozenset({"2110"}))
    )
    assert (known["missing"], known["in_doubt"]) == (["N-L335"], ["2110"])
    assert position.down.public(position.places).items() <= known.items()
    assert "missing" not in system().public(table({}))


@pytest.mark.rule("5.2")
def test_a_side_sees_its_own_covered_counters_by_name_and_is_told_of_no_others():
    """As the audit knows both: names of one's own, tags of the enemy's, which can be left out."""
    position = covered(
        {"2110": "N-LIT-1", "2010": "R-168"}, {"2110": "N-LIT-2 N-HQ-LIT", "2010": "R-HQ-52"}
    )
    seen, theirs = position.seen(N), tag_of(position, "R-HQ-52")
    assert set(seen.stacks["2110"]) == {"N-LIT-1", "N-LIT-2", "N-HQ-LIT"}
    assert seen.stacks["2010"] == ("R-168", theirs)
    for known in (seen.without_covered(), position.known_to(N)):
        assert set(known.stacks["2110"]) == {"N-LIT-1", "N-LIT-2", "N-HQ-LIT"}
        assert known.stacks["2010"] == ("R-168",) and theirs not in known.places
        assert not known.down.hidden


@pytest.mark.rule("5.2", "4.1")
def test_who_comes_later_lies_in_no_deck_and_the_marker_begins_where_the_data_say():
    board = system().tables
    later = {unit for unit, each in board.units.items() if each.comes == BY_SURRENDER}
    assert later and later.isdisjoint(board.covered[R])
    tables = load("ctv").tables
    morale = tables["tables"]["morale"]
    moved = {**morale, "marker": {**morale["marker"], "first": 2}}
    own = open_system({**tables, "tables": {**tables["tables"], "morale": moved}})
    assert own.setup("santander", frozenset({"open_units"})).position.marker == 2
