"""10.2: Positions and Trenches, and who builds them."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Done, Fortify
from pbem.games.crusade.position import Fort
from pbem.games.crusade.rules import construction
from pbem.games.crusade.stages.operations import Movement
from tests.bots import ScriptedDice
from tests.games.crusade.board import STARTS, N, R, refusals, table

CAMPAIGN = STARTS["campaign"]
POSITION, TRENCH = Fort("position", N), Fort("trench", N)


def building(side=N, *move, **done):
    return Movement(side, move or ("sevilla", "cordoba"), (), frozenset(), **done)


def refused(space, by, position=CAMPAIGN, side=N, move=(), **done):
    return refusals(building(side, *move, **done), position, Fortify(space, by))


def built(position, *orders, dice=(), move=("sevilla", "cordoba")):
    """What happens once these orders are given, the movement is over and the dice have fallen."""
    step = kernel.begin(State(position, (building(N, *move),)))
    happened = []
    for order in (*orders, Done()):
        if step.state.agenda and isinstance(step.state.agenda[-1], Movement):
            step = kernel.submit(step.state, order)
            happened += step.events
    scripted = ScriptedDice(*dice)
    while step.state.agenda:
        step = kernel.roll(step.state, scripted)
        happened += step.events
    assert scripted.left == 0
    return happened, step.state.position


@pytest.mark.rule("10.2.1/a")
@pytest.mark.parametrize(
    "space, by, ok",
    [
        ("sevilla", "INF-15", True),
        ("nowhere", "INF-15", False),
        ("lugo", "INF-2", False),
        ("sevilla", "N-POL-5", False),
        ("sevilla", "R-MIL-15", False),
    ],
)
def test_one_of_the_own_units_of_a_marked_space_builds(space, by, ok):
    assert refused(space, by) == ([] if ok else ["10.2.1/a"])


@pytest.mark.rule("10.2.1/a")
def test_a_form_shows_who_may_build_in_each_marked_space():
    asked = building(N, "sevilla", "madrid").ask(CAMPAIGN)
    (option,) = (each for each in asked.options if each.order is Fortify)
    (shown,) = option.examples(every)
    assert shown.others["space"] == ("sevilla",) and "INF-15" in shown.others["by"]
    assert shown.order.by == shown.others["by"][0]


@pytest.mark.rule("10.1.2", "10.1.10")
def test_a_form_shows_nobody_who_could_not_build():
    trenched = CAMPAIGN.but(forts={"sevilla": TRENCH})
    (option,) = (
        each for each in building(N, "sevilla").ask(trenched).options if each.order is Fortify
    )
    assert list(option.examples(every)) == []


@pytest.mark.rule("10.2.1/b")
def test_who_has_moved_does_not_build():
    assert refused("sevilla", "INF-15", moved=frozenset({"INF-15"})) == ["10.2.1/b"]
    assert refused("sevilla", "N-POL-4", moved=frozenset({"INF-15"})) == []


@pytest.mark.rule("10.2.1")
def test_one_unit_builds_in_a_space():
    busy = {"diggers": (("sevilla", "INF-15"),)}
    assert refused("sevilla", "N-POL-4", **busy) == ["10.2.1"]
    assert refused("cordoba", "N-POL-5", **busy) == []


@pytest.mark.rule("10.2.2")
def test_the_builders_roll_in_map_order():
    """Whoever reads the dice can tell which is whose, in whatever order the builders were named."""
    spaces = ("sevilla", "cordoba")
    rank = CAMPAIGN.tables.map_rank
    orders = [Fortify("sevilla", "INF-15"), Fortify("cordoba", "N-POL-5")]
    for order in (orders, orders[::-1]):
        happened, _ = built(CAMPAIGN, *order, dice=(6, 6))
        rolled = [event.space for event in happened if isinstance(event, e.DigRolled)]
        assert rolled == sorted(spaces, key=rank.__getitem__)


@pytest.mark.rule("13.3.3")
def test_nobody_builds_out_of_supply():
    cut_off = table(8, units={"sacedon": "R-V"}, nationalist=CAMPAIGN.neighbours("sacedon"))
    assert refused("sacedon", "R-V", cut_off, R, ("sacedon",)) == ["13.3.3"]
    assert refused("madrid", "R-POL-4", cut_off, R, ("madrid",)) == []


@pytest.mark.rule("10.2.5")
def test_a_trench_comes_where_a_position_stands():
    assert construction.what_is_built(CAMPAIGN, "sevilla") == "position"
    assert construction.what_is_built(CAMPAIGN, "badajoz") == "trench"


@pytest.mark.rule("10.2.3", "10.2.5")
@pytest.mark.parametrize(
    "fort, by, rules",
    [
        (None, "INF-15", []),
        (POSITION, "INF-15", ["10.2.3"]),
        (POSITION, "N-I", []),
        (TRENCH, "N-I", ["10.2.5"]),
        (TRENCH, "INF-15", ["10.2.5"]),
    ],
)
def test_only_a_corps_digs_a_trench_and_only_from_a_position(fort, by, rules):
    forts = {"sevilla": fort} if fort else {}
    position = table(8, units={"sevilla": "INF-15 N-I"}, forts=forts)
    assert refused("sevilla", by, position) == rules


@pytest.mark.rule("10.2.3/a")
def test_in_bilbao_a_position_is_built_and_no_trench():
    corps = {"units": {"bilbao": "R-EUZKADI"}}
    mine = {"bilbao": Fort("position", R)}
    where = {"side": R, "move": ("bilbao", "madrid")}
    assert refused("bilbao", "R-EUZKADI", table(8, forts={}, **corps), **where) == []
    assert refused("bilbao", "R-EUZKADI", table(8, forts=mine, **corps), **where) == ["10.2.3/a"]
    leaked = table(8, forts={}, played=frozenset({"N35"}), **corps)
    assert refused("bilbao", "R-EUZKADI", leaked, **where) == ["10.2.3/a"]
    assert refused("madrid", "R-POL-4", leaked, **where) == []


@pytest.mark.rule("10.2.3/a")
def test_the_enemy_may_dig_in_bilbao():
    taken = {"units": {"bilbao": "N-I"}, "nationalist": ("bilbao",)}
    position = table(8, forts={"bilbao": POSITION}, **taken)
    assert refused("bilbao", "N-I", position, N, ("bilbao",)) == []


@pytest.mark.rule("10.2.9", "2.2.2.10")
def test_a_side_has_so_many_markers():
    spaces = [space for space in CAMPAIGN.spaces_of(N) if space not in ("sevilla", "cordoba")]
    assert construction.markers_left(table(forts={}), N) == 8
    assert construction.markers_left(table(forts={}), R) == 12
    seven = dict.fromkeys(spaces[:7], POSITION)
    assert construction.markers_left(table(forts=seven), N) == 1
    special = {**seven, "madrid": Fort("trench", R, "madrid"), "burgos": Fort("trench", N, "works")}
    assert construction.markers_left(table(forts=special), N) == 1
    assert refused("sevilla", "INF-15", table(forts=seven)) == []
    assert refused("sevilla", "INF-15", table(forts=dict.fromkeys(spaces[:8], POSITION))) == [
        "10.2.9"
    ]


@pytest.mark.rule("10.2.9")
def test_a_marker_that_waits_for_its_roll_is_taken():
    spaces = [space for space in CAMPAIGN.spaces_of(N) if space not in ("sevilla", "cordoba")]
    position = table(8, units={"sevilla": "INF-15", "cordoba": "N-I"},
                     forts=dict.fromkeys(spaces[:7], POSITION))  # fmt: skip
    busy = {"diggers": (("sevilla", "INF-15"),)}
    assert refused("cordoba", "N-I", position, **busy) == ["10.2.9"]
    turned = position.but(forts={**dict.fromkeys(spaces[:7], POSITION), "cordoba": POSITION})
    assert refused("cordoba", "N-I", turned, **busy) == []


@pytest.mark.rule("10.2.9")
@pytest.mark.parametrize("used, fort, rules", [
    (6, None, []),
    (7, None, ["10.2.9"]),
    (6, POSITION, []),
])  # fmt: skip
def test_who_waits_takes_one_marker_and_for_a_trench_none(used, fort, rules):
    spaces = [space for space in CAMPAIGN.spaces_of(N) if space not in ("sevilla", "cordoba")]
    forts = dict.fromkeys(spaces[:used], POSITION) | ({"sevilla": fort} if fort else {})
    position = table(8, units={"sevilla": "N-I", "cordoba": "INF-15"}, forts=forts)
    busy = {"diggers": (("sevilla", "N-I"),)}
    assert refused("cordoba", "INF-15", position, **busy) == rules


@pytest.mark.rule("10.2.2", "10.2.4")
@pytest.mark.parametrize("die, done", [(1, True), (3, True), (4, False), (6, False)])
def test_a_division_builds_a_position_with_a_die_of_three(die, done):
    _, position = built(CAMPAIGN, Fortify("sevilla", "INF-15"), dice=[die])
    assert (position.forts.get("sevilla") == POSITION) is done
    assert position.digging.get("sevilla", 0) == (0 if done else -1)


@pytest.mark.rule("10.2.2", "10.2.4")
@pytest.mark.parametrize(
    "stored, die, done, left",
    [(-1, 4, True, 0), (-1, 5, False, -2), (-2, 5, True, 0), (-2, 6, False, -2)],
)
def test_work_that_came_to_nothing_helps_the_next_try(stored, die, done, left):
    position = table(digging={"sevilla": stored})
    _, after = built(position, Fortify("sevilla", "INF-15"), dice=[die])
    assert ("sevilla" in after.forts) is done
    assert after.digging.get("sevilla", 0) == left


@pytest.mark.rule("10.2.2")
def test_a_corps_builds_a_position_without_a_roll_and_rolls_for_a_trench():
    position = table(8, units={"sevilla": "N-I"})
    happened, after = built(position, Fortify("sevilla", "N-I"))
    assert e.FortBuilt("sevilla", POSITION) in happened and after.forts["sevilla"] == POSITION
    _, dug = built(after, Fortify("sevilla", "N-I"), dice=[3])
    assert dug.forts["sevilla"] == TRENCH
    assert construction.needs_no_roll(position, "sevilla", "N-I")
    assert not construction.needs_no_roll(after, "sevilla", "N-I")
    assert not construction.needs_no_roll(CAMPAIGN, "sevilla", "INF-15")
