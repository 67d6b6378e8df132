"""8: movement."""

import pytest

from pbem.engine import kernel
from pbem.engine.model import Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import Column, Move
from pbem.games.ctv.position import RAIN
from pbem.games.ctv.rules import fate, movement
from tests.games.ctv.table import N, R, marching, table


@pytest.mark.rule("8.1")
def test_what_a_step_costs():
    position = table({"2405": "N-NI-1"})

    def cost(here, there, *, motorised=False, by_road=False):
        return movement.step_cost(
            position, here, there, is_motorised=motorised, by_road=by_road
        )  # fmt: skip

    assert cost("2404", "2403") == 2 and cost("2405", "2505") == 2, "clear"
    assert cost("2505", "2506") == 4 and cost("2201", "2202") == 6, "hill, mountain"
    assert cost("2206", "2207") == 4 and cost("2208", "2207") == 6, "and over the Ebro"
    assert cost("2106", "2107") == 6 and cost("2307", "2207", by_road=True) == 2
    assert cost("1209", "1308") == 2 and cost("1311", "1312") == 4, "a bridge costs nothing more"
    assert cost("2307", "2408") == 4, "and without the road it is hill"
    assert cost("2307", "2408", by_road=True, motorised=True) == 1
    assert cost("2405", "2504", by_road=True) == 2, "a road is never dearer than the ground"
    assert cost("2405", "2504", by_road=True, motorised=True) == 1
    assert cost("2405", "2505", by_road=True, motorised=True) == 2, "no road"


@pytest.mark.rule("8.1")
def test_nothing_is_kept_or_lent():
    position = table({"2405": "N-NI-1 N-NI-2", "2404": "N-NII-1"})
    game = marching(position, N).order(Move(("N-NI-1",), ("2404",)))
    assert game.broken(Move(("N-NI-1",), ("2403",))) == ["8.1"]
    assert game.why(Move(("N-NI-1",), ("2403",)))[0].endswith("has moved already")
    assert game.broken(Move(("N-NI-2",), ("2404",))) == []


@pytest.mark.rule("8.1")
def test_a_path_has_to_be_within_the_allowance():
    position = table({"2505": "N-NI-1", "2203": "N-CEL"})
    game = marching(position, N)
    assert game.broken(Move(("N-NI-1",), ("2506", "2507"))) == []
    assert game.broken(Move(("N-NI-1",), ("2506", "2507", "2508", "2509"))) == ["8.1"]
    assert game.why(Move(("N-NI-1",), ("2506", "2506"))) == ["2506 is not next to 2506"]
    slow = table({"2002": "N-NI-1"}, levels={"N-NI-1": 1}, lost="N-NI-1", weather=RAIN)
    assert marching(slow, N).broken(Move(("N-NI-1",), ("2003",))) == ["8.1"], (
        "a mountain in rain costs 4, and it has 3: no unit may always move one hex"
    )


@pytest.mark.rule("8.1", "8.2")
def test_in_a_group_each_unit_pays_for_itself():
    position = table({"2511": "N-LIT-1 N-NI-1"})
    road = ("2411", "2310", "2210", "2110")
    game = marching(position, N)
    assert game.broken(Move(("N-LIT-1", "N-NI-1"), road)) == []
    far = (*road, "2111", "2112", "2213")
    assert game.broken(Move(("N-LIT-1",), far)) == []
    bound = game.broken(Move(("N-LIT-1", "N-NI-1"), far))
    assert bound == ["8.1"], "1 point each hex by road is 7 of 5"
    game.order(Move(("N-LIT-1", "N-NI-1"), road))
    assert game.event(e.UnitsMoved).cost == 8, "of the one that pays most"
    assert game.where("N-LIT-1", "N-NI-1") == ["2110", "2110"]


@pytest.mark.rule("8.2")
def test_a_road_counts_neither_from_nor_into_a_zone():
    position = table({"2110": "N-LIT-1", "2211": "N-LIT-2", "2010": "R-168"})
    assert not movement.roads_count(position, N, "2110", "2310")
    assert not movement.roads_count(position, N, "2310", "2110")
    assert movement.roads_count(position, N, "2310", "2210")
    enemy_only = table({"2110": "N-LIT-1", "2010": "N-LIT-2"})
    assert movement.roads_count(enemy_only, N, "2110", "2310"), "one's own zone does not matter"


@pytest.mark.rule("8.2")
def test_road_and_ground_may_alternate():
    position = table({"2511": "N-LIT-1"})
    path = ("2511", "2411", "2412", "2411", "2310")
    assert movement.path_cost(position, "N-LIT-1", path) == 10, "1 by road, 4 and 4, 1 by road"


@pytest.mark.rule("8.2", "11.3")
def test_rain_is_paid_on_roads_too():
    wet = table({"2110": "N-LIT-1"}, weather=RAIN)
    assert movement.step_cost(wet, "2010", "1909", is_motorised=True, by_road=True) == 3
    assert movement.step_cost(wet, "2110", "2010", is_motorised=True, by_road=True) == 1
    dry = wet.but(weather="fair")
    assert movement.step_cost(dry, "2010", "1909", is_motorised=True, by_road=True) == 1


RING = {"1406": "R-170", "1307": "R-171", "1508": "R-172", "1706": "R-173"}
"""Republican units whose zones close 1507."""


@pytest.mark.rule("8.1.1")
def test_units_without_supply_are_bound_as_well_unless_agreed():
    units = {**RING, "1507": "N-CEL"}
    position = table(units)
    assert "N-CEL" in position.unsupplied
    assert marching(position, N).broken(Move(("N-CEL",), ("1506",))) == ["8.1.1"]
    free = table(units, options=["unsupplied_are_exempt"])
    assert marching(free, N).broken(Move(("N-CEL",), ("1506",))) == []
    fresh = free.but(unsupplied=frozenset())
    assert marching(fresh, N).broken(Move(("N-CEL",), ("1506",))) == ["8.1.1"], (
        "whoever is in supply is bound all the same"
    )


@pytest.mark.rule("8.1.1")
def test_supply_is_looked_for_with_the_units_in_the_new_hex():
    # The one that stays behind keeps a line open, two that leave do not.
    pair = table({"1906": "R-179 R-180", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"})
    assert movement.would_be_supplied(pair, ["R-179"], "2006", R)
    assert not movement.would_be_supplied(pair, ["R-179", "R-180"], "2006", R)


@pytest.mark.rule("8.1.1")
def test_a_stack_may_come_back_to_where_it_began():
    position = table({"2110": "N-LIT-1", "2010": "R-168"}, turn=3, republican="2111")
    game = marching(position, N)
    assert game.broken(Move(("N-LIT-1",), ("2111", "2110"))) == [], (
        "2110 is in supply as long as it stands there"
    )
    free = marching(table({"2210": "N-LIT-1", "2010": "R-168"}), N)
    assert free.broken(Move(("N-LIT-1",), ("2211", "2210"))) == []


@pytest.mark.rule("8.1.1", "6.4")
def test_a_zone_grows_when_its_unit_is_in_supply_at_the_first_look_again():
    # N-NI-3 is found in supply only at the second look; once R-154 leaves 1907, at the first too.
    there = {"2009": "N-23M-B", "2207": "N-NVI-3", "1809": "N-NI-3", "1706": "N-NV-3",
             "1905": "N-HQ-CTV", "2208": "R-167", "1910": "R-160", "1907": "R-154",
             "2110": "R-172"}  # fmt: skip
    position = table(there)
    assert not position.with_units(["R-154"], "2007").judged[R] & position.board.masks.bit["2007"]
    assert marching(position, R).broken(Move(("R-154",), ("2007",))) == ["8.1.1"]


@pytest.mark.rule("8.1.1", "9.3.2")
def test_columns_need_no_supply():
    position = table({**RING, "1507": "N-SC-1 N-CEL"})
    assert movement.would_be_supplied(position, ["N-SC-1"], "1506", N)
    assert not movement.would_be_supplied(position, ["N-SC-1", "N-CEL"], "1506", N)


@pytest.mark.rule("8.1", "9.3")
def test_a_hex_with_enemies_is_entered_only_if_they_are_columns():
    position = table({"2110": "N-LIT-1 N-SC-1", "2010": "R-SC-1", "2011": "R-168"})
    game = marching(position, N)
    assert game.broken(Move(("N-LIT-1",), ("2011",))) == ["8.1"]
    assert game.broken(Move(("N-SC-1",), ("2010",))) == ["8.1"], "a column takes no column"
    offered = {unit: movement.reachable(position, unit) for unit in ("N-LIT-1", "N-SC-1")}
    assert "2011" not in {**offered["N-LIT-1"], **offered["N-SC-1"]}
    assert "2010" in offered["N-LIT-1"] and "2010" not in offered["N-SC-1"]
    game.order(Move(("N-LIT-1", "N-SC-1"), ("2010",)))
    assert game.where("R-SC-1", "N-SC-1") == ["aside", "2010"]
    assert game.event(e.ColumnLost) == e.ColumnLost("R-SC-1", "2010")
    alone = marching(table({"2110": "N-LIT-1", "2010": "R-HQ-52"}), N)
    assert alone.broken(Move(("N-LIT-1",), ("2010",))) == ["8.1"], "headquarters are attacked"


@pytest.mark.rule("9.3", "10.8")
def test_a_column_is_lost_to_whoever_passes_but_not_to_friends():
    position = table({"2210": "N-LIT-1", "2110": "R-SC-1", "2111": "N-SC-1"})
    game = marching(position, N).order(Move(("N-LIT-1",), ("2110", "2111")))
    assert game.where("R-SC-1", "N-SC-1") == ["aside", "2111"]


@pytest.mark.rule("10.8")
def test_a_column_takes_no_ground():
    position = table({"2110": "N-SC-1"})
    game = marching(position, N).order(Move(("N-SC-1",), ("2010",)))
    assert game.position.control["2010"] == R and not game.all(e.HexTaken)


@pytest.mark.rule("10.8", "10.7", "10.6.1")
def test_whoever_passes_takes_control_and_a_trench_goes():
    position = table({"2110": "N-LIT-1"}, trenches=frozenset({"2009", "2010"}))
    game = marching(position, N).order(Move(("N-LIT-1",), ("2010", "2009", "2008")))
    assert [game.position.control[hex] for hex in ("2010", "2009", "2008")] == [N, N, N]
    assert not game.position.trenches and not game.all(e.MarkerMoved)
    back = table({"2008": "R-170"}, nationalist="2009 2010", trenches=frozenset({"2009"}))
    game = marching(back, R).order(Move(("R-170",), ("2009",)))
    assert game.position.control["2009"] == R and game.position.trenches == {"2009"}


@pytest.mark.rule("10.7")
def test_a_trench_outlasts_those_who_walk_away():
    position = table({"2305": "R-170"}, trenches=frozenset({"2305"}))
    game = marching(position, R).order(Move(("R-170",), ("2306",)))
    assert game.position.trenches == {"2305"}
    story = Unfolding(game.position)
    fate.enter(story, R, "2305")
    assert story.position.trenches == {"2305"}
    fate.enter(story, N, "2305")
    assert not story.position.trenches


@pytest.mark.rule("10.6.1")
def test_the_marker_moves_with_the_objectives_and_stays_within_its_ends():
    def entered(side, hex, marker, **changes):
        story = Unfolding(table({}, marker=marker, **changes))
        fate.enter(story, side, hex)
        return story.position.marker

    assert entered(N, "1407", 0) == 1 and entered(N, "1407", 5) == 5
    assert entered(R, "1407", 3, nationalist="1407") == 2
    assert entered(R, "1407", 0, nationalist="1407") == 0
    assert entered(N, "1407", 2, nationalist="1407") == 2, "it is theirs already"
    assert entered(N, "1507", 2) == 2, "no objective"


# ------------------------------------------------------------------- the column of the turn


@pytest.mark.rule("9.3")
def test_where_the_column_of_the_turn_may_come():
    there = {"1314": "N-HQ-LIT N-LIT-1", "2111": "N-HQ-CTV N-SC-1", "2012": "R-168"}
    position = table(there, turn=3, unsupplied=frozenset(), nationalist="2112")
    game = marching(position, N)
    for hex in ("1314", "1215", "2011", "2211", "2504"):
        assert game.broken(Column(hex)) == [], hex
    for hex in ("2012", "1407", "2213"):
        assert game.broken(Column(hex)) == ["9.3"], hex
    assert game.broken(Column("2111")) == ["5"], "a column lies there"
    cut = table(there, turn=3, unsupplied=frozenset({"N-HQ-LIT"}))
    assert marching(cut, N).broken(Column("1314")) == ["9.3"]
    lost = table({"2504": "R-170"}, turn=3, republican="2507")
    assert marching(lost, N).broken(Column("2504")) == ["9.3"]
    assert marching(lost, N).broken(Column("2507")) == ["9.3"]
    assert marching(lost, N).broken(Column("2511")) == []


@pytest.mark.rule("9.3")
def test_one_column_comes_in_a_turn_and_only_to_the_nationalist():
    there = {"2110": "N-HQ-LIT N-LIT-1", "2009": "R-HQ-52 R-168"}
    first = marching(table(there, turn=1), N)
    assert first.broken(Column("2110")) == ["9.3"]
    lies = marching(table({"2110": "N-HQ-LIT N-SC-1"}, turn=1), N)
    assert lies.broken(Column("2110")) == ["9.3"], "and not for the one that lies there"
    game = marching(table(there, turn=2), N)
    assert any(option.order is Column for option in game.asks.options)
    game.order(Column("2110"))
    assert not any(option.order is Column for option in game.asks.options)
    assert game.broken(Column("2111")) == ["9.3"]
    assert game.broken(Move(("N-SC-1",), ("2111",))) == [], "it may move on"
    other = marching(table(there, turn=2), R)
    assert not any(option.order is Column for option in other.asks.options)
    assert other.broken(Column("2009")) == ["9.3"]


@pytest.mark.rule("9.3", "3.B.2")
def test_the_column_comes_before_the_first_move():
    game = marching(table({"2110": "N-HQ-LIT N-LIT-1"}, turn=2), N)
    game.order(Move(("N-LIT-1",), ("2111",)))
    assert game.broken(Column("2110")) == ["3.B.2"]
    assert not any(option.order is Column for option in game.asks.options)


@pytest.mark.rule("9.3")
def test_never_more_than_eight_columns_are_on_the_map():
    places = {f"24{place}": f"N-SC-{number}" for number, place in enumerate(range(10, 18), 1)}
    game = marching(table({**places, "2110": "N-HQ-LIT"}, turn=4), N)
    assert game.broken(Column("2110")) == ["9.3"]
    places.pop("2410")
    game = marching(table({**places, "2110": "N-HQ-LIT"}, turn=4), N).order(Column("2110"))
    assert game.where("N-SC-1") == ["2110"]


# ------------------------------------------------------------------- what is said, and where


def refused(game, order):
    """The one violation of an order: its rule, its place, and what would be legal."""
    (found,) = kernel.violations(game.state, order)
    return found.rule, found.at, str(found.hint)


@pytest.mark.rule("8.1", "7.2", "8.1.1", "8.2", "5", "5.2")
def test_the_place_of_each_mistake():
    there = {"2210": "N-LIT-1 N-HQ-LIT", "2110": "N-HQ-CTV", "2010": "R-168", "2212": "N-CEL"}
    game = marching(table(there), N)
    assert refused(game, Move((), ("2110",)))[:2] == ("8.1", ("units",))
    assert refused(game, Move(("N-LIT-1", "N-LIT-1"), ("2110",)))[:2] == ("8.1", ("units", 1))
    again = Move(("N-LIT-1",), ("2110",), top=("N-LIT-1", "N-LIT-1"))
    assert refused(game, again)[:2] == ("5.2", ("top", 1))
    assert refused(game, Move(("R-168",), ("2110",)))[:2] == ("8.1", ("units", 0))
    assert refused(game, Move(("N-LIT-2",), ("2110",)))[:2] == ("8.1", ("units", 0))
    for top in ((), ("N-CEL",)):
        apart = Move(("N-LIT-1", "N-CEL"), ("2211",), top=top)
        assert refused(game, apart)[:2] == ("8.1", ("units",)), "and nothing more"
    assert refused(game, Move(("N-LIT-1",), ()))[:2] == ("8.1", ("path",))
    assert refused(game, Move(("N-LIT-1",), ("2110", "2111")))[:2] == ("7.2", ("path", 1))
    assert refused(game, Move(("N-HQ-LIT",), ("2211", "2110")))[:2] == ("5", ("path", 1))
    moved = marching(table(there, moved=frozenset({"N-LIT-1"})), N)
    assert refused(moved, Move(("N-HQ-LIT", "N-LIT-1"), ("2211",)))[:2] == ("8.1", ("units", 1))


@pytest.mark.rule("8.2", "8.1")
def test_a_road_that_does_not_count_is_named():
    there = {"2511": "N-NI-1", "2010": "R-168", "2110": "N-LIT-1"}
    game = marching(table(there), N)
    rule, at, hint = refused(game, Move(("N-NI-1",), ("2411", "2310", "2210", "2110")))
    zoned = "roads do not count: Soncillo (2110) is in an enemy zone, where the move begins or ends"
    assert (rule, at, hint) == ("8.2", ("units", 0), f"{zoned}; its points last as far as 2210")
    rule, _, hint = refused(game, Move(("N-LIT-1",), ("2210", "2310", "2411", "2511")))
    assert (rule, hint) == ("8.2", f"{zoned}; its points last as far as 2411")


@pytest.mark.rule("8.1")
def test_how_far_the_points_last_is_told():
    game = marching(table({"2511": "N-NI-1", "2110": "N-LIT-1", "2010": "R-168"}), N)
    for *path, last in (("2510", "2509", "2508", "2509"),
                        ("2510", "2509", "2409", "2408", "2407", "Polientes (2409)")):  # fmt: skip
        told = f"end the path sooner: its points last as far as {last}"
        assert refused(game, Move(("N-NI-1",), tuple(path))) == ("8.1", ("units", 0), told)
    slow = table({"2002": "N-NI-1"}, levels={"N-NI-1": 1}, lost="N-NI-1", weather=RAIN)
    assert refused(marching(slow, N), Move(("N-NI-1",), ("2003", "2004"))) == (
        "8.1", ("units", 0), "go another way: its points do not last as far as 2003"
    )  # fmt: skip
    zoned = table({"2207": "R-157", "2206": "N-LIT-1"}, levels={"R-157": 1}, lost="R-157")
    assert refused(marching(zoned, R), Move(("R-157",), ("2106",)))[2].endswith("begins or ends")
    one = table({"1213": "N-NI-1"}, levels={"N-NI-1": 1}, lost="N-NI-1")
    hint = refused(marching(one, N), Move(("N-NI-1",), ("1312", "1412")))[2]
    assert hint == "end the path sooner: its points last as far as 1312"


@pytest.mark.rule("8.1.1")
def test_where_supply_is_left():
    there = {"1909": "R-177", "1911": "R-169", "2010": "N-LIT-1"}
    game = marching(table(there), N)
    rule, at, hint = refused(game, Move(("N-LIT-1",), ("1910",)))
    assert (rule, at, hint) == (
        "8.1.1",
        ("path", 0),
        "from 2010 it may be 2009, 2011, 2109 or 2110",
    )
    shut = {"1718": "R-157", "1717": "N-NI-1", "1618": "N-NI-2", "1619": "N-NI-3",
            "1719": "N-NII-1", "1818": "N-NII-2", "1920": "N-NII-3"}  # fmt: skip
    rule, at, hint = refused(marching(table(shut), R), Move(("R-157",), ("1819",)))
    assert (rule, at) == ("8.1.1", ("path", 0)) and "stay in 1718" in hint


SOUTH, NORTH = "1522 1822 2122 2504 2507 2511 2513 2516", "1211 1301 1401 1901"
"""The sources of the Nationalists and of the Republicans."""
PAST_SOURCES = {
    "its own, taken back": ({"1110": "R-183"}, {"nationalist": NORTH}),
    "two of them": ({"1302": "R-183", "1502": "N-NI-1"}, {"nationalist": NORTH}),
    "out of a zone": ({"1422": "N-NI-1", "1421": "R-179"}, {"republican": SOUTH}),
    "past a zone": ({"1422": "N-NI-1", "1420": "R-179"}, {"republican": SOUTH}),
    "the last of the enemy": (
        {"2001": "N-NI-1", "1703": "R-170", "1802": "R-171", "1903": "R-172"},
        {"nationalist": "1211 1301 1401", "unsupplied": frozenset({"R-170", "R-171", "R-172"})},
    ),
}


def walked(position, unit):
    """Where a unit may end its move by the orders that are legal, and the least that it costs."""
    game, start, found = marching(position, position.side_of(unit)), position.at(unit), {}
    longer = [(start,)]
    while longer:
        path = longer.pop()
        for there in position.board.graph.neighbours(path[-1]):
            way = (*path, there)
            broken = {*game.broken(Move((unit,), way[1:]))}
            cost = movement.path_cost(position, unit, way)
            if not broken and there != start:
                found[there] = min(cost, found.get(there, cost))
            if not broken - {"5", "8.2"}:
                longer.append(way)
    return found


@pytest.mark.rule("8.1", "8.1.1", "10.8")
@pytest.mark.parametrize("there, held", PAST_SOURCES.values(), ids=PAST_SOURCES)
def test_every_hex_that_may_be_entered_past_a_source_is_offered(there, held):
    position = table(there, **{"unsupplied": frozenset(), **held})
    unit = next(iter(there.values()))
    offered = movement.reachable(position, unit)
    start = position.at(unit)
    cost = {hex: movement.path_cost(position, unit, (start, *way)) for hex, way in offered.items()}
    assert cost == walked(position, unit)
