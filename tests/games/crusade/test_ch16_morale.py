"""16.1.3, 16.2 and 16.3: what the capture of a space brings, sieges freed, isolation, morale."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.engine.model import Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.position import Fort
from pbem.games.crusade.rules.ground import capture_value, enter_spaces, take_space
from pbem.games.crusade.rules.morale import large_pieces, north_is_isolated
from pbem.games.crusade.rules.shown import note_what_shows
from pbem.games.crusade.rules.supply import is_supplied, supply_map, zone_of
from tests.games.crusade.board import STARTS, N, R, table

CAMPAIGN = STARTS["campaign"]
NORTH = CAMPAIGN.tables.northern_front
FRENCH = CAMPAIGN.tables.border_spaces["france"]
PORTUGUESE = CAMPAIGN.tables.border_spaces["portugal"]


def taken(position, space, side):
    """The position after a side has taken a space."""
    story = Unfolding(position)
    take_space(story, space, side)
    return story.position


def change(position, space, side):
    """What a capture changes: VP and RM."""
    left = taken(position, space, side)
    return left.vp - position.vp, left.rm - position.rm


# --- captures -----------------------------------------------------------------------------------


@pytest.mark.rule("5.1.2", "16.3.3/a", "16.3.3/b", "16.3.3/c")
@pytest.mark.parametrize(
    "space, vp, rm",
    [("madrid", 3, -3), ("valencia", 2, -2), ("badajoz", 1, -1), ("cartagena", 1, -1),
     ("toledo", 0, -1), ("zafra", 0, 0)],
)  # fmt: skip
def test_what_a_nationalist_capture_is_worth(space, vp, rm):
    assert change(CAMPAIGN, space, N) == (vp, rm)


@pytest.mark.rule("16.3.3/a", "16.3.3/b", "16.3.3/c", "3.0.rm_vp_sign", "16.3.3")
@pytest.mark.parametrize(
    "space, vp, rm", [("zaragoza", -2, 2), ("teruel", -1, 1), ("cordoba", 0, 1), ("belchite", 0, 0)]
)
def test_what_a_republican_capture_is_worth(space, vp, rm):
    assert change(CAMPAIGN, space, R) == (vp, rm)


@pytest.mark.rule("16.3.3/c")
def test_madrid_retaken_gives_back_what_it_cost():
    assert change(table(nationalist=("madrid",)), "madrid", R) == (-3, 3)


@pytest.mark.rule("16.3.2")
def test_morale_has_no_upper_and_no_lower_end():
    assert taken(table(rm=0), "valencia", N).rm == -2
    assert taken(table(rm=29), "zaragoza", R).rm == 31


@pytest.mark.rule("10.2.7")
def test_a_capture_removes_enemy_markers():
    position = table(forts={"zafra": Fort("position", R)}, digging={"zafra": -1})
    assert taken(position, "zafra", N).forts == {}
    assert taken(position, "zafra", N).digging == {}


@pytest.mark.rule("10.2.7")
def test_a_capture_leaves_own_markers():
    mine = Fort("position", N)
    assert taken(table(forts={"zafra": mine}), "zafra", N).forts == {"zafra": mine}


@pytest.mark.rule("13.2.4.2")
def test_badajoz_once_lost_stays_lost():
    # reading: Q44
    lost = taken(CAMPAIGN, "badajoz", N)
    retaken = taken(lost, "badajoz", R)
    assert retaken.has("badajoz_lost")
    assert not taken(CAMPAIGN, "zafra", N).has("badajoz_lost")
    assert not taken(table(nationalist=("badajoz",)), "badajoz", R).has("badajoz_lost")
    story = Unfolding(retaken)
    take_space(story, "badajoz", N)
    assert not [event for event in story.events if isinstance(event, e.FlagSet)]


def entered(position, space, side=N):
    """The position once units of a side have walked into a space."""
    story = Unfolding(position)
    enter_spaces(story, (space,), side)
    return story.position


@pytest.mark.rule("17.3.2/a", "17.3.2/c")
@pytest.mark.parametrize(
    "space, flag", [("madrid", "madrid_occupied"), ("illescas", "madrid_approached"), ("zafra", "")]
)
def test_what_the_nationalists_occupy_around_madrid_is_remembered(space, flag):
    flags = {flag for flag in entered(CAMPAIGN, space).flags if flag.startswith("madrid")}
    assert flags == ({flag} if flag else set())
    assert not any(f.startswith("madrid") for f in entered(table(6), space).flags)
    assert not any(f.startswith("madrid") for f in entered(CAMPAIGN, space, R).flags)


@pytest.mark.rule("8.5.5.5", "16.3.4")
@pytest.mark.parametrize("card, vp, rm", [("R33", 0, -1), ("R46", 1, 0)])
def test_the_bonus_of_a_counterattack_is_lost_with_the_space(card, vp, rm):
    position = table(8, bonuses={"zafra": card})
    left = taken(position, "zafra", N)
    assert (left.vp - position.vp, left.rm - position.rm, left.bonuses) == (vp, rm, {})
    elsewhere = taken(position, "merida", N)
    assert elsewhere.bonuses == {"zafra": card}
    theirs = position.with_control("zafra", N)
    assert change(theirs, "zafra", R) == (0, 0)


# --- sieges and isolation -----------------------------------------------------------------------


@pytest.mark.rule("16.1.3", "16.1.7", "16.3.3/d")
@pytest.mark.parametrize(
    "space, siege, vp",
    [("toledo", "alcazar", 1), ("pto_de_valderrepiso", "santa_maria_de_la_cabeza", 0)],
)
def test_supplied_nationalists_relieve_a_siege_they_enter(space, siege, vp):
    capital = -1 if space == "toledo" else 0
    near = CAMPAIGN.neighbours(space)[0]
    joined = {"toledo": ("talavera", "illescas"), "pto_de_valderrepiso": ("montoro",)}[space]
    position = table(nationalist=(near, *joined), units={space: "INF-1"})
    story = Unfolding(position)
    enter_spaces(story, (space,), N)
    assert siege not in story.position.sieges
    assert story.position.rm == position.rm - 1 + capital
    assert story.position.vp == position.vp + vp


@pytest.mark.rule("16.1.3")
def test_nationalists_out_of_supply_relieve_nothing():
    position = table(units={"toledo": "INF-1"})
    story = Unfolding(position)
    enter_spaces(story, ("toledo",), N)
    assert "alcazar" in story.position.sieges


@pytest.mark.rule("16.1.3")
@pytest.mark.parametrize("stays", [True, False])
def test_a_siege_is_lifted_when_those_who_came_out_of_supply_are_joined_to_it(stays):
    """Whether they still stand there or have moved on: the space is theirs and supplied."""
    held = table(nationalist=("illescas", "toledo"), units={"toledo": "INF-1" if stays else ""})
    assert "alcazar" in held.sieges and not is_supplied(held, N, "toledo")
    joined = taken(held, "talavera", N)
    assert is_supplied(joined, N, "toledo") and "alcazar" not in joined.sieges
    assert (joined.vp, joined.rm) == (held.vp + 1, held.rm - 1)


@pytest.mark.rule("16.2.2")
def test_isolation_ends_at_once_when_a_supply_line_reaches_it():
    left = taken(table(nationalist=("loja",)), "priego_de_cordoba", N)
    joined = taken(table(nationalist=("antequera",), isolated=frozenset({"granada"})), "loja", N)
    assert "granada" in left.isolated
    assert joined.isolated == frozenset()
    assert "granada" in supply_map(joined, N).full


@pytest.mark.rule("16.2.2", "16.2.5")
@pytest.mark.parametrize(
    "space, isolated, vp, rm",
    [("oviedo", True, -1, 1), ("oviedo", False, 0, 1), ("granada", True, -1, 1)],
)
def test_oviedo_taken_while_isolated_is_worth_a_point_more(space, isolated, vp, rm):
    position = table(isolated=frozenset({space}) if isolated else frozenset())
    assert change(position, space, R) == (vp, rm)
    assert space not in taken(position, space, R).isolated


# --- conditions of the whole map ----------------------------------------------------------------


@pytest.mark.rule("16.3.3/e")
def test_the_french_border_closed_and_opened():
    *all_but_one, last = [space for space in FRENCH if CAMPAIGN.controls(R, space)]
    position = table(nationalist=all_but_one, flags=frozenset({"north_ended"}))
    worth = CAMPAIGN.space(last).capital
    closed = taken(position, last, N)
    assert closed.rm == position.rm - 2 - worth
    opened = taken(closed, all_but_one[0], R)
    again = taken(opened, all_but_one[0], N)
    assert opened.rm == closed.rm + 2 + CAMPAIGN.space(all_but_one[0]).capital
    assert again.rm == closed.rm
    assert closed.vp - position.vp == capture_value(position, last)[0]
    assert again.vp == closed.vp


@pytest.mark.rule("16.3.3/f")
def test_the_portuguese_border_closed():
    *all_but_one, last = [space for space in PORTUGUESE if CAMPAIGN.controls(N, space)]
    position = table(republican=all_but_one)
    assert taken(position, last, R).rm == position.rm + 2 + CAMPAIGN.space(last).capital


@pytest.mark.rule("16.3.3/h")
def test_the_end_of_the_north_counts_once():
    # reading: Q5, Oviedo is not asked for.
    position = table(8, nationalist=NORTH[1:], republican=("oviedo",), sieges={})
    ended = taken(position, NORTH[0], N)
    assert (ended.vp - position.vp, ended.rm - position.rm) == (0, -2)
    retaken = taken(taken(ended, NORTH[0], R), NORTH[0], N)
    assert retaken.rm == ended.rm


WAY_NORTH = ("somosierra", "aranda_de_duero", "burgos", "pancorbo", "vitoria", "dobro")


@pytest.mark.rule("16.3.3/g", "16.4.3.1", "16.4.3.3")
def test_the_north_joined_counts_once_and_not_after_its_end():
    *way, last = (space for space in WAY_NORTH if CAMPAIGN.controls(N, space))
    before = table(republican=way)
    if not before.has("north_linked"):
        joined = taken(before, last, R)
        assert joined.rm - before.rm == 2 + CAMPAIGN.space(last).capital
        assert joined.vp - before.vp == capture_value_of(before, last)[0]
        again = taken(taken(joined, last, N), last, R)
        assert again.rm == joined.rm
    late = table(republican=way, flags=frozenset({"north_ended"}))
    assert taken(late, last, R).rm - late.rm == CAMPAIGN.space(last).capital


@pytest.mark.rule("16.3.3/i")
def test_a_zone_is_divided_from_turn_6_on_when_both_pieces_are_large():
    # reading: Q4
    whole = STARTS["two_years_of_war"].with_control("morella", N)
    divided = taken(whole, "vinaroz", N)
    assert divided.rm == whole.rm - 1
    early = whole.but(turn=5)
    assert taken(early, "vinaroz", N).rm == early.rm
    again = taken(taken(divided, "vinaroz", R), "vinaroz", N)
    assert again.rm == divided.rm


@pytest.mark.rule("16.3.3/i")
def test_the_republic_gains_a_point_for_a_divided_enemy_and_no_more():
    # reading: Q4
    whole = STARTS["two_years_of_war"].with_control("avila", R)
    assert (large_pieces(whole, N), large_pieces(taken(whole, "salamanca", R), N)) == (1, 2)
    vp, rm = capture_value_of(whole, "salamanca")
    assert change(whole, "salamanca", R) == (vp, rm + 1)


@pytest.mark.rule("16.3.3/i")
def test_a_small_pocket_divides_nothing():
    start = STARTS["two_years_of_war"]
    pocket = {"adra", "almeria"}
    ring = {s for space in pocket for s in start.neighbours(space)} - pocket
    *ring, last = sorted(space for space in ring if start.controls(R, space))
    position = start
    for space in ring:
        position = position.with_control(space, N)
    worth = 1 if position.space(last).capital or position.space(last).vp else 0
    assert taken(position, last, N).rm == position.rm - worth


@pytest.mark.rule("16.3.3/i")
def test_the_north_is_no_second_piece():
    start = STARTS["two_years_of_war"]
    assert taken(start, "zafra", R).rm == start.rm


AROUND_THE_NORTH = ("vitoria", "beasain", "dobro", "pancorbo", "leon")


@pytest.mark.rule("16.3.3/i")
@pytest.mark.parametrize("space", AROUND_THE_NORTH)
def test_the_north_is_no_piece_with_ground_it_takes_either(space):
    # reading: Q4
    start = STARTS["two_years_of_war"]
    assert change(start, space, R) == capture_value_of(start, space)
    assert not taken(start, space, R).has("republican_divided")


def capture_value_of(position, space):
    vp, rm = capture_value(position, space)
    return -vp, -rm


@pytest.mark.rule("16.3.3/i")
@pytest.mark.parametrize("space", ["", *AROUND_THE_NORTH])
def test_a_division_pays_whatever_the_north_holds(space):
    position = table(12, scenario="two_years_of_war", nationalist=("morella",),
                     republican=(space,) if space else ())  # fmt: skip
    assert change(position, "vinaroz", N) == (0, -1)


def grown_north(size):
    """The Republic with so many spaces more that its cut-off north has taken around it."""
    position = STARTS["two_years_of_war"]
    for _ in range(size):
        zone = zone_of(position, R, "santander")
        south = zone_of(position, R, "madrid")
        edge = {n for s in zone for n in position.neighbours(s)} - zone
        apart = (n for n in sorted(edge) if south.isdisjoint(position.neighbours(n)))
        position = position.with_control(next(apart), R)
    return position


@pytest.mark.rule("16.3.3/i", "16.4.3.2")
def test_ten_spaces_that_only_the_north_supplies_are_no_second_piece():
    # reading: Q4
    position = grown_north(10)
    taken_there = [s for s in zone_of(position, R, "santander") if not position.space(s).region]
    assert len(taken_there) >= 8 and north_is_isolated(position)
    assert large_pieces(position, R) == 1


@pytest.mark.rule("16.3.3/i")
def test_the_north_is_no_piece_of_the_nationalist_zone_either():
    # reading: Q4
    north = [s.id for s in CAMPAIGN.tables.spaces.values() if s.region]
    ring = {n for s in north for n in CAMPAIGN.neighbours(s)} - set(north)
    position = table(12, scenario="two_years_of_war", nationalist=north, republican=ring)
    assert len(supply_map(position, N).full & set(north)) >= 8
    assert "gijon" not in zone_of(position, N, "valladolid")
    assert large_pieces(position, N) == 1


def catalonia(size):
    """The Republic with so many joined spaces around Barcelona, cut off from the rest of it."""
    start = STARTS["two_years_of_war"]
    zone, edge = ["barcelona"], ["barcelona"]
    while len(zone) < size:
        edge = [n for here in edge for n in start.neighbours(here) if start.controls(R, n)]
        zone += [space for space in dict.fromkeys(edge) if space not in zone][: size - len(zone)]
    around = sorted({n for s in zone for n in start.neighbours(s)} - set(zone))
    position = start
    for space in around:
        position = position.with_control(space, N)
    return position, around


@pytest.mark.rule("16.3.3/i")
@pytest.mark.parametrize("size, pieces", [(7, 1), (8, 2)])
def test_a_piece_has_eight_supplied_spaces(size, pieces):
    assert large_pieces(catalonia(size)[0], R) == pieces


@pytest.mark.rule("16.3.3/i")
def test_a_beach_head_is_not_the_eighth_space_of_a_piece():
    # reading: Q4
    pocket, head = catalonia(7)[0], "beach_head_plan_p"
    landed = replace(pocket.with_control(head, R), beach_heads={head: "barcelona"})
    assert head in supply_map(landed, R).full & zone_of(landed, R, "barcelona")
    assert large_pieces(landed, R) == 1


@pytest.mark.rule("16.3.3/i")
def test_a_pocket_that_grows_by_itself_was_not_divided_by_the_enemy():
    # reading: Q4
    position, around = catalonia(7)
    rest = zone_of(position, R, "madrid")
    taker = next(s for s in around if rest.isdisjoint(position.neighbours(s)))
    grown = taken(position, taker, R)
    assert large_pieces(grown, R) == 2 and not grown.has("republican_divided")


# --- a position tells what was before -----------------------------------------------------------


@pytest.mark.rule("16.3.3/e")
def test_a_border_closed_long_ago_is_not_paid_for_by_another_capture():
    closed = table(12, scenario="two_years_of_war", nationalist=FRENCH)
    assert change(closed, "vinaroz", N) == (0, 0)
    opened = change(closed, FRENCH[0], R)
    worth = capture_value_of(closed, FRENCH[0])
    assert opened == (worth[0], worth[1] + 2)


@pytest.mark.rule("16.3.3/f")
def test_the_portuguese_border_closed_long_ago():
    closed = table(12, scenario="two_years_of_war", republican=PORTUGUESE)
    assert change(closed, "vinaroz", N) == (0, 0)
    worth = capture_value(closed, PORTUGUESE[0])
    assert change(closed, PORTUGUESE[0], N) == (worth[0], worth[1] - 2)


def begun(position):
    """The position as its first turn begins, with every fact that it shows."""
    story = Unfolding(position)
    note_what_shows(story)
    return story.position


@pytest.mark.rule("16.3.3/h", "16.3.3/g", "13.2.4.2", "17.3.2/a", "17.3.2/c", "16.7.2")
@pytest.mark.parametrize(
    "flag, facts",
    [
        ("north_ended", {"nationalist": NORTH}),
        ("north_linked", {"republican": (*WAY_NORTH, "orduna")}),
        ("badajoz_lost", {"nationalist": ("badajoz",)}),
        ("madrid_occupied", {"nationalist": ("madrid",)}),
        ("madrid_approached", {"nationalist": ("illescas",)}),
        ("strait_nationalist", {"played": frozenset({"N6"})}),
        ("afr_schedule", {"played": frozenset({"N1"})}),
        ("afr_accelerated", {"played": frozenset({"N6"}), "turn": 3, "round": 1}),
        ("famine", {"played": frozenset({"N16"})}),
        ("burgos_taken", {"republican": ("burgos",), "options": frozenset({"18.1.1"})}),
        ("nationalist_landing", {"beach_heads": {"beach_head_nationalist": "valencia"}}),
    ],
)
def test_what_a_position_shows_need_not_be_told(flag, facts):
    position = table(**facts)
    assert not position.has(flag) and begun(position).has(flag)
    assert not begun(CAMPAIGN).has(flag)


@pytest.mark.rule("18.1.1")
def test_burgos_counts_as_taken_only_where_that_counts():
    assert not begun(table(republican=("burgos",))).has("burgos_taken")


@pytest.mark.rule("17.6.1", "17.6.2")
def test_the_army_of_africa_has_a_schedule_while_it_comes():
    played = frozenset({"N1", "N6"})
    assert "afr_schedule" not in begun(table(4, played=played)).flags
    assert "afr_accelerated" not in begun(table(3, round=2, played=played)).flags


@pytest.mark.rule("17.3.2/a", "17.3.2/c")
def test_madrid_is_looked_at_in_the_first_phase_alone():
    assert not any("madrid" in flag for flag in begun(table(6, nationalist=("madrid",))).flags)


@pytest.mark.rule("16.3.3/g", "16.3.3/h")
def test_what_the_north_went_through_before_the_game_is_not_paid_in_it():
    fallen = begun(table(12, nationalist=NORTH, sieges={}))
    assert change(fallen, "zafra", N) == (0, 0)
    linked = begun(table(8, republican=(*WAY_NORTH, "orduna")))
    assert change(linked, "zafra", N) == (0, 0)


@pytest.mark.rule("16.2.2", "17.1.1")
def test_markers_that_the_position_contradicts_come_off_as_it_begins():
    shortage = frozenset({"shortage"})
    assert begun(CAMPAIGN).flags == CAMPAIGN.flags == shortage
    road = ("badajoz", "merida", "zafra", "llerena", "cazalla", "santa_olalla", "riotinto", "loja",
            "antequera", "jerez_de_los_caballeros")  # fmt: skip
    joined = begun(table(4, nationalist=road))
    assert not joined.has("shortage") and "granada" not in joined.isolated


@pytest.mark.parametrize("name", sorted(STARTS))
def test_our_scenarios_tell_all_that_they_show(name):
    start = STARTS[name]
    assert begun(start).flags == start.flags and begun(start).isolated == start.isolated
