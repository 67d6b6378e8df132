"""Chapter 12, with 13.4.3, 16.2.4.3, 16.4 and 17.2: who may redeploy, from where, to where."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from pbem.engine.choices import every
from pbem.engine.codec import fields_of
from pbem.engine.kernel import submit, violations, waits_for
from pbem.engine.model import State
from pbem.games.crusade.events import UnitRedeployed, UnitReduced
from pbem.games.crusade.events_seldom import UnitWentAbroad
from pbem.games.crusade.orders import WAYS, Done, Redeploy
from pbem.games.crusade.position import ABROAD, MOROCCO, RESERVE, Position
from pbem.games.crusade.rules import redeployment as rules
from pbem.games.crusade.rules.redeployment_end import homeward, stuck_in_redeployment, ways_from
from pbem.games.crusade.rules.reinforcement import is_barred_from_islands, is_open_to_entry
from pbem.games.crusade.rules.round_end import too_full
from pbem.games.crusade.rules.supply import zone_of
from pbem.games.crusade.stages.redeployment import HAPPENS, Redeployment
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.play.systems import opened
from pbem.text.source import Source
from pbem.value import replace
from tests.bots import legal_samples
from tests.games.crusade.board import STARTS, N, R, refusals, table

CAMPAIGN = STARTS["campaign"]
PLENTY = 40
STRAIT = frozenset({"strait_nationalist"})


def sr(side, halves=PLENTY, **fields):
    return Redeployment(side, halves, **fields)


def refused(position, unit, to="", by="land", *, side=None, **fields):
    stage = sr(side or position.side_of(unit), **fields)
    return refusals(stage, position, Redeploy(unit, to, by))


# --- points -------------------------------------------------------------------------------------


@pytest.mark.rule("8.3.2", "17.2.1", "17.2.3")
@pytest.mark.parametrize(
    "turn, card, points", [(1, "N1", 2), (2, "N1", 2), (3, "N1", 3), (2, "R3", 3)]
)
def test_a_card_gives_its_points_and_one_less_in_the_first_two_turns(turn, card, points):
    assert rules.points(table(turn), card) == 2 * points


@pytest.mark.rule("12.1.2", "13.4.3/a", "13.4.3/b")
@pytest.mark.parametrize(
    "unit, by, halves",
    [("INF-1", "land", 2), ("N-I", "land", 6), ("INF-1", "border", 1), ("N-I", "border", 3)],
)
def test_what_a_redeployment_costs(unit, by, halves):
    assert rules.cost(CAMPAIGN, Redeploy(unit, "", by)) == halves


@pytest.mark.rule("13.4.3/b")
def test_in_the_first_edition_a_corps_crosses_for_two_points():
    position = table(options=frozenset({"1e"}))
    assert rules.cost(position, Redeploy("N-I", "", "border")) == 4


@pytest.mark.rule("12.1.2")
@pytest.mark.parametrize("halves, ok", [(6, True), (5, False)])
def test_points_must_cover_a_corps(halves, ok):
    position = table(units={"zaragoza": "N-I"})
    assert refused(position, "N-I", "burgos", halves=halves) == ([] if ok else ["12.1.2"])


@pytest.mark.rule("12.1.3")
def test_a_unit_redeploys_once():
    stage = sr(N)
    state = submit(State(CAMPAIGN, (stage,)), Redeploy("INF-9", "burgos")).state
    again = Redeploy("INF-9", "soria")
    assert [found.rule for found in violations(state, again)] == ["12.1.3"]
    assert not violations(state, Redeploy("INF-8", "soria"))


@pytest.mark.rule("12.1.6", "12.1.7")
@pytest.mark.parametrize("by, rule", [("land", "12.1.6"), ("sea", "12.1.7")])
def test_a_unit_does_not_redeploy_to_where_it_stands(by, rule):
    stays = Redeploy("INF-9", CAMPAIGN.place_of("INF-9"), by)
    (found,) = sr(N).check(CAMPAIGN, stays)
    assert (str(found.message), found.at) == ("INF-9 is already there", ("to",))
    assert found.rule == rule
    assert str(found.hint) == "name another space under to:"


@pytest.mark.rule("12.1.4")
def test_points_are_split_among_units_and_the_action_ends_with_the_last_of_them():
    state = State(CAMPAIGN, (sr(N, 4),))
    state = submit(state, Redeploy("INF-9", "burgos")).state
    state = submit(state, Redeploy("INF-8", "soria")).state
    assert waits_for(state) is None
    assert state.position.place_of("INF-9") == "burgos"


@pytest.mark.rule("12.1.4")
def test_done_gives_up_what_is_left():
    state = submit(State(CAMPAIGN, (sr(N, 4),)), Done()).state
    assert waits_for(state) is None


# --- supply, control, room ----------------------------------------------------------------------


@pytest.mark.rule("12.1.5", "13.3.2")
def test_a_unit_out_of_supply_stays():
    position = table(units={"oviedo": "INF-5"}, isolated=frozenset())
    assert refused(position, "INF-5", "", "to_reserve") == ["12.1.5"]
    assert refused(CAMPAIGN, "INF-4", "", "to_reserve") == []


@pytest.mark.rule("13.1.1.1/b", "12.1.6")
@pytest.mark.parametrize(
    "to, rules",
    [
        ("burgos", []),
        ("madrid", ["12.1.6"]),
        ("oviedo", ["13.1.1.1/b"]),
        ("granada", ["13.1.1.1/b"]),
    ],
)
def test_a_unit_ends_in_its_own_supplied_ground(to, rules):
    found = refused(table(isolated=frozenset()), "INF-9", to)
    assert [rule for rule in found if rule in ("12.1.6", "13.1.1.1/b")] == rules


FULL = {"madrid": "RPA-1 RPA-2 RPA-3", "valencia": "RPA-4 RPA-5 RPA-6"}


def orders(state, *more):
    return [found.rule for order in more for found in violations(state, order)]


@pytest.mark.rule("9.1.2")
def test_two_full_spaces_exchange_units_by_redeployment():
    position = table(8, bare=True, units=FULL)
    state = State(position, (sr(R, 8),))
    state = submit(state, Redeploy("RPA-1", "valencia")).state
    asked = waits_for(state)
    assert (asked.rule, asked.optional) == ("9.1.2", False) and "4 units" in str(asked.prompt)
    assert orders(state, Done()) == ["9.1.2"] and orders(state, asked.default) == []
    state = submit(state, Redeploy("RPA-4", "madrid")).state
    assert waits_for(state).optional
    state = submit(state, Done()).state
    assert state.position.units_in("madrid") == ("RPA-2", "RPA-3", "RPA-4")


@pytest.mark.rule("9.1.2")
@pytest.mark.parametrize(
    "units, halves, ok",
    [
        (FULL, 2, False),  # nothing is left for somebody in Valencia
        (FULL, 4, True),
        ({**FULL, "valencia": "R-I R-II R-III"}, 4, False),  # a corps takes three points
        ({**FULL, "valencia": "R-I R-II R-III"}, 8, True),
        ({**FULL, "valencia": "RPA-4 RPA-5"}, 2, True),
    ],
)
def test_a_full_space_is_entered_while_the_points_can_mend_it(units, halves, ok):
    position = table(8, bare=True, units=units)
    assert refused(position, "RPA-1", "valencia", halves=halves) == ([] if ok else ["9.1.2"])


@pytest.mark.rule("9.1.2", "12.1.8")
def test_from_the_reserve_too_a_full_space_is_entered_while_it_can_be_mended():
    position = table(8, bare=True, units={**FULL, RESERVE: "RPA-7"})
    assert refused(position, "RPA-7", "valencia", "reserve", halves=4) == []
    assert refused(position, "RPA-7", "valencia", "reserve", halves=2) == ["9.1.2"]


@pytest.mark.rule("9.1.2", "17.2.2")
def test_one_of_the_army_of_africa_makes_no_room_for_another():
    position = table(2, bare=True, units={"sevilla": "AFR-1 AFR-2 AFR-3", "cordoba": "AFR-4"})
    assert refused(position, "AFR-4", "sevilla", halves=8) == ["9.1.2"]
    later = position.but(turn=3)
    assert refused(later, "AFR-4", "sevilla", halves=8) == []


@pytest.mark.rule("9.1.2")
@pytest.mark.parametrize("seed", range(40))
def test_the_cheapest_way_out_is_found(seed):
    """Against every way to use the points, with few units that may go few ways."""
    rng = random.Random(seed)
    spaces = ("madrid", "valencia", "cuenca", "albacete")
    names = [f"RPA-{n}" for n in range(1, 10)] + ["R-I", "R-II", "R-III", "R-IV"]
    rng.shuffle(names)
    units = {space: " ".join(names.pop() for _ in range(rng.randint(2, 4))) for space in spaces
             if len(names) > 3}  # fmt: skip
    position = table(8, bare=True, units=units)
    stage = sr(R, rng.choice((2, 4, 6, 8, 10)))
    standing = [unit for stack in units.values() for unit in stack.split()]
    free = rng.sample(standing, min(4, len(standing)))
    stage = replace(stage, moved=frozenset(set(standing) - set(free)))
    ways = {unit: [*(s for s in ways_from(stage, position, unit) if s in (*units, RESERVE))]
            for unit in free}  # fmt: skip
    # Spaces beside these have room, so what is cheapest ends there or in the Reserve Box.
    ways = {unit: [*ends, *(["murcia"] if "murcia" in ways_from(stage, position, unit) else [])]
            for unit, ends in ways.items()}  # fmt: skip
    assert bool(stuck_in_redeployment(stage, position)) is not _affordable(
        position, stage.halves, ways
    )


def _affordable(position, halves, ways):
    if halves < 0:
        return False
    if not too_full(position, R):
        return True
    if not ways:
        return False
    (unit, ends), *rest = ways.items()
    price = rules.cost(position, Redeploy(unit, "", "land"))
    return _affordable(position, halves, dict(rest)) or any(
        _affordable(position.with_unit(unit, end), halves - price, dict(rest)) for end in ends
    )


@pytest.mark.rule("9.1.2", "16.4.2.2")
@pytest.mark.parametrize("halves, mended", [(10, False), (12, True)])
def test_who_makes_room_for_another_on_the_way_is_paid_once(halves, mended):
    """Dobro has room for one corps. That of the Basques can go nowhere else, the other one can."""
    three = {
        "pto_del_escudo": 3,
        "orduna": 3,
        "santander": 3,
        "bilbao": 3,
        "dobro": 2,
        "santona": 2,
    }
    names = iter(f"R-MIL-{n}" for n in range(1, 30))
    units = {space: " ".join(next(names) for _ in range(n)) for space, n in three.items()}
    units["santander"] += " R-SANTANDER"
    units["bilbao"] += " R-EUZKADI"
    north = {space.id for space in CAMPAIGN.tables.spaces.values() if space.region}
    position = table(8, bare=True, units=units, republican=units, nationalist=north - units.keys())
    resting = {unit for stack in units.values() for unit in stack.split() if "MIL" in unit}
    stuck = stuck_in_redeployment(sr(R, halves, moved=frozenset(resting)), position)
    assert stuck == ("" if mended else "santander")


@pytest.mark.rule("9.1.4")
def test_what_no_points_can_mend_the_enemy_thins_out():
    position = table(8, bare=True, units={"madrid": "RPA-1 RPA-2 RPA-3 RPA-4"})
    stage = sr(R, 2, moved=frozenset({"RPA-1", "RPA-2", "RPA-3", "RPA-4"}))
    state = State(position, (stage,))
    assert orders(state, Done()) == []
    state = submit(state, Done()).state
    assert (waits_for(state).side, waits_for(state).rule) == (N, "9.1.4")


# --- guests of the north --------------------------------------------------------------------------

GUESTS = {"santander": "MIL-AST-1 MIL-AST-2 MIL-SAN-1"}
STRAYED = frozenset({"MIL-AST-1", "MIL-AST-2"})


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_redeploys_home_and_nowhere_else():
    position = table(4, units=GUESTS, strayed=STRAYED)
    assert refused(position, "MIL-AST-1", "gijon") == []
    assert refused(position, "MIL-AST-1", "bilbao") == ["16.4.2.4"]
    assert refused(position, "MIL-AST-1", "", "to_reserve") == ["16.4.2.4"]
    one = table(4, units={"santander": "MIL-AST-1 MIL-SAN-1"})
    assert refused(one, "MIL-AST-1", "", "to_reserve") == []
    lost = [s.id for s in CAMPAIGN.tables.spaces.values() if s.region == "asturias"]
    homeless = table(
        4, strayed=STRAYED, units={**GUESTS, **dict.fromkeys(lost, "")}, nationalist=lost
    )
    assert refused(homeless, "MIL-AST-1", "bilbao") == []


@pytest.mark.rule("16.4.2.4")
def test_from_a_space_that_redeploys_the_guest_too_many_goes_home():
    position = table(4, units=GUESTS, strayed=STRAYED)
    state = State(position, (sr(R, 4),))
    assert orders(state, Done()) == [], "its space has not redeployed"
    state = submit(state, Redeploy("MIL-SAN-1", "santona")).state
    asked = waits_for(state)
    assert (asked.rule, asked.optional) == ("16.4.2.4", False)
    assert orders(state, Done()) == ["16.4.2.4"] and orders(state, asked.default) == []
    assert orders(state, Redeploy("R-MIL-2", "", "to_reserve")) == ["16.4.2.4"]
    home = submit(state, Redeploy("MIL-AST-2", "gijon")).state
    assert waits_for(home) is None
    # With one point alone it goes to the guest.
    assert refused(position, "MIL-SAN-1", "santona", halves=2) == ["16.4.2.4"]
    assert refused(position, "MIL-AST-1", "gijon", halves=2) == []


@pytest.mark.rule("16.4.2.4/b")
@pytest.mark.parametrize("options, faults", [((), []), (("1e",), ["16.4.2.4"])])
def test_a_guest_that_no_retreat_brought_must_go_home_in_the_first_edition_alone(options, faults):
    position = table(4, units=GUESTS, options=frozenset(options))
    state = submit(State(position, (sr(R, 4),)), Redeploy("MIL-SAN-1", "santona")).state
    assert orders(state, Done()) == faults


@pytest.mark.rule("16.4.2.4")
@pytest.mark.parametrize("halves, more", [(2, False), (4, True), (6, True)])
def test_with_few_points_as_many_guests_go_home_as_can(halves, more):
    """Of three one may stay; with one point one of them goes, and nobody else."""
    units = {"santander": "MIL-AST-1 MIL-AST-2 MIL-AST-3", "bilbao": "R-POL-1"}
    position = table(4, units=units, strayed=STRAYED | {"MIL-AST-3"})
    assert refused(position, "MIL-AST-1", "gijon", halves=halves) == []
    state = submit(State(position, (sr(R, halves),)), Redeploy("MIL-AST-1", "gijon")).state
    assert (waits_for(state) is not None) is more
    if more:
        assert orders(state, Done()) == ["16.4.2.4"]
        assert orders(state, Redeploy("MIL-AST-2", "cangas_de_onis")) == []
    used = frozenset({"santander"})
    assert homeward(sr(R, halves, used=used), position) == 1 + more
    assert homeward(sr(R, halves), position) == 0
    (found,) = sr(R, 4).check(position, Redeploy("MIL-AST-1", "", "to_reserve"))
    assert str(found.hint).startswith("redeploy MIL-AST-1 to")


def test_a_way_that_is_none_and_a_space_that_is_none_are_refused():
    assert refused(CAMPAIGN, "INF-9", "burgos", "rail")
    assert refused(CAMPAIGN, "INF-9", "atlantis")
    assert refused(CAMPAIGN, "INF-9", "zaragoza")
    assert refused(CAMPAIGN, "INF-9", "beach_head_mallorca")
    assert refused(CAMPAIGN, "INF-9", "burgos", "to_reserve")


@pytest.mark.rule("8.3.1")
@pytest.mark.parametrize(
    "unit, by", [("INF-99", "land"), ("R-MIL-1", "land"), ("INF-9", "reserve"), ("N-MIL-9", "land")]
)
def test_the_unit_is_yours_and_stands_where_the_way_begins(unit, by):
    assert refused(CAMPAIGN, unit, "burgos", by, side=N) == ["8.3.1"]


# --- by land ------------------------------------------------------------------------------------


@pytest.mark.rule("12.1.6")
def test_by_land_only_over_own_spaces():
    assert refused(CAMPAIGN, "INF-9", "salamanca") == []
    assert refused(CAMPAIGN, "INF-9", "cordoba") == ["12.1.6"]


@pytest.mark.rule("12.1.6", "16.1.2")
def test_a_siege_is_no_obstacle_to_the_republic():
    position = table(units={"toledo": "R-MIL-9"})
    assert refused(position, "R-MIL-9", "madrid") == []
    assert refused(position, "RPA-1", "toledo") == []


@pytest.mark.rule("12.1.10")
@pytest.mark.parametrize("unit", ["PZ-I-1", "CV-33-1"])
def test_armor_never_goes_to_the_islands(unit):
    position = table(units={"sevilla": unit, "cadiz": "CV-33-2"}, flags=STRAIT)
    assert refused(position, "CV-33-2", "mallorca", "sea") == ["12.1.10"]
    assert "12.1.10" in refused(table(units={RESERVE: unit}), unit, "mallorca", "reserve")


@pytest.mark.rule("12.1.10", "12.1.7.2")
def test_corps_never_go_to_the_islands_nor_by_sea():
    position = table(units={"cadiz": "N-I"}, flags=STRAIT)
    assert set(refused(position, "N-I", "mallorca", "sea")) == {"12.1.10", "12.1.7.2"}
    assert refused(position, "N-I", "algeciras", "sea") == ["12.1.7.2"]


@pytest.mark.rule("8.5.2.4/h", "8.5.2.3", "8.5.2.4/b")
def test_what_is_open_to_whom():
    assert is_barred_from_islands(CAMPAIGN, "N-I", "mallorca")
    assert is_barred_from_islands(CAMPAIGN, "CV-33-1", "mallorca")
    assert not is_barred_from_islands(CAMPAIGN, "INF-1", "mallorca")
    assert is_open_to_entry(table(units={"burgos": "INF-2 INF-3"}), "INF-1", "burgos")
    assert not is_open_to_entry(table(units={"burgos": "INF-2 INF-3 INF-4"}), "INF-1", "burgos")
    assert not is_open_to_entry(CAMPAIGN, "INF-1", "madrid")
    assert is_open_to_entry(table(units={"merida": "R-MIL-1"}), "RPA-1", "merida")
    assert not is_open_to_entry(table(units={"badajoz": "R-MIL-1"}), "RPA-1", "badajoz")


def landed(beach, coast):
    """A beach head of the Republic, or of its enemy, and armor of both sides ready to go there."""
    owner = R if beach == "beach_head_plan_p" else N
    units = {"valencia": "T-26-1", "huelva": "CV-33-1", RESERVE: "T-26-2 R-I"}
    position = table(13, beach_heads={beach: coast}, units=units, flags=STRAIT)
    return position.with_control(beach, owner).with_unit("RPA-1" if owner == R else "INF-1", beach)


@pytest.mark.rule("12.1.10", "18.3.7", "8.5.6.1", "8.5.2.4/h")
@pytest.mark.parametrize("beach, tank", [
    ("beach_head_plan_p", "T-26-1"), ("beach_head_nationalist", "CV-33-1"),
])  # fmt: skip
def test_a_beach_head_is_balearic_where_it_leads_to_an_island(beach, tank):
    """With 18.3.7 Plan P and the Nationalist landing may lie next to Mallorca or Menorca."""
    for coast, barred in (("mallorca", True), ("menorca", True), ("almeria", False)):
        position = landed(beach, coast)
        assert ("12.1.10" in refused(position, tank, beach, "sea")) is barred
        assert is_barred_from_islands(position, "R-I", beach) is barred
    assert "12.1.10" in refused(landed("beach_head_plan_p", "mallorca"), "T-26-2",
                                "beach_head_plan_p", "reserve")  # fmt: skip


# --- by sea -------------------------------------------------------------------------------------


@pytest.mark.rule("12.1.7")
def test_by_sea_from_port_to_port():
    position = table(units={"valencia": "RPA-1"})
    assert refused(position, "RPA-1", "cartagena", "sea") == []
    assert refused(position, "RPA-1", "castellon", "sea") == ["12.1.7"]
    assert refused(position, "R-POL-4", "cartagena", "sea") == ["12.1.7"]


@pytest.mark.rule("12.1.7.1")
def test_the_republic_sails_the_mediterranean_only():
    assert refused(CAMPAIGN, "RPA-1", "gijon", "sea")[-1:] != []
    assert "12.1.7.1" in refused(CAMPAIGN, "R-POL-1", "santander", "sea")


@pytest.mark.rule("16.7.1")
@pytest.mark.parametrize(
    "start, to, ok",
    [("cadiz", "la_coruna", True), ("cadiz", "algeciras", False), ("cadiz", "mallorca", False)],
)
def test_while_the_strait_is_republican_the_nationalists_sail_from_cadiz_at_most(start, to, ok):
    position = table(units={start: "INF-1"})
    assert refused(position, "INF-1", to, "sea") == ([] if ok else ["16.7.1"])


@pytest.mark.rule("16.7.2", "12.1.7.1")
def test_once_the_strait_is_nationalist_they_sail_everywhere_and_the_republic_not_west_of_it():
    position = table(units={"cadiz": "INF-1"}, flags=STRAIT)
    assert refused(position, "INF-1", "mallorca", "sea") == []
    taken = {"units": {"cadiz": "RPA-1"}, "republican": ("cadiz", "huelva", "sevilla", "utrera")}
    assert refused(table(**taken, flags=STRAIT), "RPA-1", "valencia", "sea") != []


@pytest.mark.rule("16.7.2", "8.5.6.1")
@pytest.mark.parametrize("coast, rules", [
    ("huelva", ["16.7.2"]), ("algeciras", ["16.7.2"]), ("malaga", [])])  # fmt: skip
@pytest.mark.parametrize("flags", [STRAIT, frozenset()])
def test_a_beach_head_lies_on_its_coast_for_ships_too(coast, rules, flags):
    head = "beach_head_plan_p"
    position = table(
        9, bare=True, units={"cartagena": "R-MIL-1"}, republican=(*CAMPAIGN.control, head),
        flags=flags, beach_heads={head: coast},
    )  # fmt: skip
    assert refused(position, "R-MIL-1", head, "sea") == (rules if flags else [])


@pytest.mark.rule("16.7.1", "8.5.6.1")
@pytest.mark.parametrize("coast, ok", [("huelva", True), ("malaga", False)])
def test_a_nationalist_beach_head_lies_on_its_coast_for_ships_too(coast, ok):
    head = "beach_head_nationalist"
    position = table(9, nationalist=[head], beach_heads={head: coast}, flags=frozenset())
    assert rules.may_sail(position, "INF-1", head) is ok
    assert rules.may_sail(position, "INF-1", coast) is ok


@pytest.mark.rule("16.7.1")
@pytest.mark.parametrize("unit, ok", [("ITA-1", True), ("PZ-I-1", True), ("INF-1", False)])
def test_italians_and_armor_pass_the_strait_whoever_holds_it(unit, ok):
    # reading: Q41
    position = table(units={"cadiz": unit})
    assert (refused(position, unit, "algeciras", "sea") == []) is ok


@pytest.mark.rule("12.1.7")
def test_a_division_reaches_the_mallorca_beach_by_sea():
    beach = {"beach_heads": {"beach_head_mallorca": "mallorca"}}
    position = table(republican=("beach_head_mallorca",), **beach)
    assert refused(position, "RPA-1", "beach_head_mallorca", "sea") == []


# --- from the Reserve Box -----------------------------------------------------------------------


@pytest.mark.rule("12.1.8")
@pytest.mark.parametrize(
    "to, ok",
    [
        ("santa_olalla", True),
        ("valencia", True),
        ("madrid", True),
        ("illescas", False),
        ("cartagena", True),
    ],
)
def test_from_the_reserve_to_a_friend_a_source_or_madrid(to, ok):
    assert refused(CAMPAIGN, "R-MIL-23", to, "reserve") == ([] if ok else ["12.1.8"])


@pytest.mark.rule("12.1.8")
def test_the_hint_names_the_sources_that_have_room():
    position = table(units={"valencia": "RPA-1 RPA-2 RPA-3", "cartagena": "RPA-4 RPA-5"})
    stage = sr(R)
    (found,) = stage.check(position, Redeploy("R-MIL-23", "illescas", "reserve"))
    assert "Cartagena" in str(found.hint) and "Valencia" not in str(found.hint)


@pytest.mark.rule("12.1.8", "13.2.4.1")
def test_badajoz_is_no_source_to_come_to():
    empty = table(units={"badajoz": ""})
    assert refused(empty, "R-MIL-23", "badajoz", "reserve") == ["13.2.4.1"]
    lost = empty.but(flags=empty.flags | {"badajoz_lost"})
    assert refused(lost, "R-MIL-23", "badajoz", "reserve") == ["12.1.8"]
    assert refused(CAMPAIGN, "R-MIL-23", "badajoz", "reserve") == []


@pytest.mark.rule("12.1.8/a")
@pytest.mark.parametrize(
    "to, rules", [("gijon", []), ("santander", ["12.1.8/a"]), ("barcelona", ["12.1.8/a"])]
)
def test_regional_units_come_out_of_the_reserve_at_home(to, rules):
    position = table(units={RESERVE: "MIL-AST-1"})
    assert refused(position, "MIL-AST-1", to, "reserve") == rules


@pytest.mark.rule("12.1.8/a")
def test_regional_units_may_join_their_like_elsewhere():
    position = table(units={RESERVE: "MIL-AST-1", "valencia": "MIL-AST-2"})
    assert refused(position, "MIL-AST-1", "valencia", "reserve") == []


@pytest.mark.rule("12.1.8/b", "16.4.3.2/c")
@pytest.mark.parametrize("unit, to, ok", [("R-MIL-23", "gijon", False), ("R-POL-2", "gijon", True)])
def test_strangers_stay_out_of_the_cut_off_north(unit, to, ok):
    position = table(units={RESERVE: unit})
    assert ("12.1.8/b" not in refused(position, unit, to, "reserve")) is ok


@pytest.mark.rule("16.4.3.2")
def test_two_police_fill_the_cut_off_north():
    position = table(units={RESERVE: "R-POL-2", "bilbao": "R-POL-1 R-POL-3"})
    found = refused(position, "R-POL-2", "gijon", "reserve")
    assert "16.4.3.2" in found and "12.1.8/b" not in found


@pytest.mark.rule("12.1.6", "12.1.7", "12.1.8", "12.1.9", "13.4.3")
@pytest.mark.parametrize("unit, to, by, rule", [
    ("RPA-1", "sevilla", "land", "12.1.6"),
    ("RPA-1", "mallorca", "sea", "12.1.7"),
    ("RPA-2", "sevilla", "reserve", "12.1.8"),
    ("RPA-1", "valencia", "to_reserve", "12.1.9"),
    ("RPA-1", "valencia", "border", "13.4.3"),
])  # fmt: skip
def test_where_a_redeployment_of_a_kind_cannot_end_is_told_by_its_rule(unit, to, by, rule):
    position = table(8, units={"valencia": "RPA-1", RESERVE: "RPA-2"})
    assert rule in refused(position, unit, to, by)
    assert not {"", "13.1.1.1/b"}.intersection(refused(position, unit, to, by))


@pytest.mark.rule("12.1.8/c")
@pytest.mark.parametrize(
    "to, ok", [("barcelona", True), ("caspe", True), ("madrid", False), ("tarragona", False)]
)
def test_catalan_militia_joins_its_like_or_barcelona(to, ok):
    position = table(units={RESERVE: "MIL-POUM", "tarragona": "RPA-1"})
    assert ("12.1.8/c" not in refused(position, "MIL-POUM", to, "reserve")) is ok


@pytest.mark.rule("8.5.4.2", "12.1.8/c")
def test_catalan_militia_may_be_sent_to_the_mallorca_beach():
    position = table(
        units={RESERVE: "MIL-POUM", "beach_head_mallorca": "R-MIL-25"},
        beach_heads={"beach_head_mallorca": "mallorca"},
        republican=("beach_head_mallorca",),
    )
    assert refused(position, "MIL-POUM", "beach_head_mallorca", "reserve") == []


@pytest.mark.rule("12.1.8/d")
@pytest.mark.parametrize("to, ok", [("cartagena", True), ("almeria", True), ("madrid", False)])
def test_russian_tanks_land_in_mediterranean_ports(to, ok):
    position = table(units={RESERVE: "T-26-1"})
    assert refused(position, "T-26-1", to, "reserve") == ([] if ok else ["12.1.8/d"])


@pytest.mark.rule("12.1.8/d")
def test_russian_tanks_do_not_land_in_the_north():
    position = table(units={RESERVE: "T-26-1"})
    assert "12.1.8/d" in refused(position, "T-26-1", "santander", "reserve")


@pytest.mark.rule("12.1.8/e")
@pytest.mark.parametrize("to, ok", [("la_coruna", True), ("algeciras", True), ("burgos", False)])
def test_axis_tanks_land_in_ports(to, ok):
    position = table(units={RESERVE: "PZ-I-1"})
    assert refused(position, "PZ-I-1", to, "reserve") == ([] if ok else ["12.1.8/e"])


@pytest.mark.rule("12.1.8/a", "12.1.8/b", "12.1.8/c", "12.1.8/d", "12.1.8/e")
@pytest.mark.parametrize(
    "unit, start, to",
    [("PZ-I-1", "valladolid", "burgos"), ("MIL-POUM", "caspe", "valencia"),
     ("T-26-1", "madrid", "albacete"), ("MIL-AST-1", "gijon", "santander")],
)  # fmt: skip
def test_what_binds_who_comes_out_of_the_reserve_binds_nobody_by_land(unit, start, to):
    assert refused(table(8, units={start: unit}), unit, to) == []


@pytest.mark.rule("12.1.8", "12.1.8/a", "12.1.8/b", "12.1.8/d")
@pytest.mark.parametrize(
    "unit, to, there, rules",
    [("R-POL-2", "gijon", "MIL-AST-1", []), ("MIL-AST-1", "gijon", "", []),
     ("MIL-AST-1", "gijon", "R-POL-1", []), ("MIL-AST-1", "bilbao", "MIL-AST-2", ["16.4.2.2"]),
     ("T-26-1", "gandia", "R-MIL-1", ["12.1.8/d"]), ("T-26-1", "vinaroz", "R-MIL-1", ["12.1.8/d"])],
)  # fmt: skip
def test_who_comes_out_of_the_reserve_meets_these_rules_and_no_others(unit, to, there, rules):
    assert refused(table(units={RESERVE: unit, to: there}), unit, to, "reserve") == rules


@pytest.mark.rule("8.3.1")
def test_a_way_that_is_none_is_one_mistake():
    assert refused(CAMPAIGN, "INF-1", "burgos", "flying") == ["8.3.1"]
    assert refused(CAMPAIGN, "R-MIL-23", "madrid", "flying") == ["8.3.1"]


# --- to the Reserve Box, isolated groups, the border --------------------------------------------


@pytest.mark.rule("12.1.9")
def test_divisions_rest_and_corps_do_not():
    position = table(units={"zaragoza": "N-I INF-9"})
    assert refused(position, "INF-9", "", "to_reserve") == []
    assert refused(position, "N-I", "", "to_reserve") == ["12.1.9"]


@pytest.mark.rule("16.2.4.3")
@pytest.mark.parametrize(
    "unit, to, by, ok",
    [
        ("INF-5", "", "to_reserve", False),
        ("N-MIL-9", "oviedo", "reserve", True),
        ("MIL-NAV-1", "oviedo", "reserve", False),
        ("INF-1", "oviedo", "reserve", False),
    ],
)
def test_what_reaches_and_leaves_an_isolated_space(unit, to, by, ok):
    position = table(units={} if by == "to_reserve" else {RESERVE: unit})
    assert refused(position, unit, to, by) == ([] if ok else ["16.2.4.3"])


@pytest.mark.rule("16.2.4.3")
def test_inside_an_isolated_group_units_redeploy():
    position = table(units={"granada": "N-MIL-8", "guadix": ""}, nationalist=("guadix",))
    assert refused(position, "N-MIL-8", "guadix") == []


@pytest.mark.rule("16.2.4.3")
def test_one_militia_a_turn_and_isolated_space():
    position = table(units={RESERVE: "N-MIL-9 N-MIL-2 N-MIL-3"})
    state = submit(State(position, (sr(N),)), Redeploy("N-MIL-9", "oviedo", "reserve")).state
    next_card = sr(N)
    assert refusals(next_card, state.position, Redeploy("N-MIL-2", "oviedo", "reserve")) == [
        "16.2.4.3"
    ]
    assert refusals(next_card, state.position, Redeploy("N-MIL-3", "granada", "reserve")) == []


@pytest.fixture
def cut_off_at_france():
    """Figueras and Gerona with a division and a corps, joined to France and to nothing else."""
    return table(
        10,
        scenario="two_years_of_war",
        units={"gerona": "R-V R-MIL-1", "figueras": "MIL-AST-1"},
        nationalist=("barcelona", "vich", "puigcerda", "seo_de_urgel", "berga", "manresa"),
    )


@pytest.mark.rule("13.4.3", "13.4.3/a")
def test_a_division_crosses_the_border_into_the_reserve_reduced(cut_off_at_france):
    order = Redeploy("R-MIL-1", "", "border")
    advance = submit(State(cut_off_at_france, (sr(R, 2),)), order)
    assert advance.events == (
        UnitRedeployed("R-MIL-1", RESERVE, "border"), UnitReduced("R-MIL-1"),
    )  # fmt: skip
    assert advance.state.agenda[-1].halves == 1


@pytest.mark.rule("13.4.3/b")
def test_a_corps_that_crosses_on_turn_10_is_back_on_turn_12(cut_off_at_france):
    advance = submit(State(cut_off_at_france, (sr(R, 4),)), Redeploy("R-V", "", "border"))
    assert advance.events == (UnitWentAbroad("R-V", 12),)
    assert advance.state.agenda[-1].halves == 1
    assert advance.state.position.place_of("R-V") == ABROAD


@pytest.mark.rule("12.1.2", "13.4.3/b")
@pytest.mark.parametrize("halves, ok", [(3, True), (2, False)])
def test_points_must_cover_a_corps_that_crosses(cut_off_at_france, halves, ok):
    found = refused(cut_off_at_france, "R-V", "", "border", halves=halves)
    assert found == ([] if ok else ["13.4.3"])


@pytest.mark.rule("13.4.3")
def test_only_who_is_out_of_supply_crosses(cut_off_at_france):
    assert refused(cut_off_at_france, "R-V", "", "border") == []
    supplied = table(units={"figueras": "R-MIL-1"})
    assert refused(supplied, "R-MIL-1", "", "border") == ["13.4.3"]


@pytest.mark.rule("13.4.3.1")
def test_regional_units_do_not_cross(cut_off_at_france):
    assert refused(cut_off_at_france, "MIL-AST-1", "", "border") == ["13.4.3.1"]


@pytest.mark.rule("13.4.3.2")
def test_france_shuts_its_border(cut_off_at_france):
    shut = cut_off_at_france.but(played=cut_off_at_france.played | {"N43"})
    assert refused(shut, "R-V", "", "border") == ["13.4.3.2"]
    far = table(8, played=frozenset({"N43"}), units={"valencia": "R-MIL-1"})
    assert refused(far, "R-MIL-1", "madrid") == [], "inside Spain everybody goes on"
    over = Redeploy("INF-1", "", "border")
    assert list(rules.border_is_not_shut(sr(N), far, over)) == [], "Portugal is open"


# --- the Army of Africa and the north -----------------------------------------------------------


@pytest.mark.rule("17.2.2", "17.2.3")
@pytest.mark.parametrize("turn, moved, ok", [(1, 0, True), (2, 1, False), (3, 1, True)])
def test_one_african_unit_a_card_in_the_first_two_turns(turn, moved, ok):
    position = table(turn)
    assert refused(position, "AFR-1", "cadiz", afr_moved=moved) == ([] if ok else ["17.2.2"])


@pytest.mark.rule("17.6.4", "17.2.2")
def test_who_was_left_in_morocco_crosses_to_sevilla_or_cadiz_for_a_point():
    # reading: Q42
    position = table(2, units={MOROCCO: "AFR-2 AFR-3"})
    assert refused(position, "AFR-2", "algeciras", "sea") == ["17.6.4"]
    state = submit(State(position, (sr(N, 6),)), Redeploy("AFR-2", "cadiz", "sea")).state
    assert state.agenda[-1].halves == 4
    assert refusals(state.agenda[-1], state.position, Redeploy("AFR-3", "cadiz", "sea")) == [
        "17.2.2"
    ]


@pytest.mark.rule("16.4.2.1", "16.4.2.2")
def test_one_division_of_a_region_redeploys_into_another():
    one = refused(CAMPAIGN, "MIL-AST-7", "bilbao")
    assert one == []
    guest = table(units={"santona": "MIL-AST-1"})
    assert refused(guest, "MIL-AST-7", "bilbao") == ["16.4.2.2"]
    assert refused(guest, "MIL-AST-7", "cangas_de_onis") == []


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_goes_home_first():
    position = table(units={"santander": "MIL-AST-1 MIL-AST-2"}, strayed=STRAYED)
    assert refused(position, "MIL-AST-1", "bilbao") == ["16.4.2.4"]
    assert refused(position, "MIL-AST-1", "gijon") == []


@pytest.mark.rule("16.4.2.4")
def test_a_guest_too_many_who_cannot_go_home_is_free():
    cut = ("san_vicente", "cangas_de_onis", "pto_del_escudo")
    position = table(units={"santander": "MIL-AST-1 MIL-AST-2"}, nationalist=cut, strayed=STRAYED)
    assert "gijon" not in zone_of(position, R, "santander")
    assert refused(position, "MIL-AST-1", "bilbao") == []


# --- the decision -------------------------------------------------------------------------------


def test_what_is_drawn_at_random_is_legal_and_the_default_too():
    rng = random.Random(12)
    state = State(CAMPAIGN, (sr(R, 6),))
    orders = list(legal_samples(state, rng, tries=60))
    assert sum(isinstance(order, Redeploy) for order in orders) > 5
    assert not violations(state, waits_for(state).default)


def legal_orders(stage: Redeployment, position: Position) -> Iterator[Redeploy]:
    """Every redeployment that may be made now, unit by unit, of those that a form looks at."""
    for unit in stage._candidates(position):
        for way in stage._ways(position, unit):
            order = Redeploy(unit, *way)
            if not any(stage.check(position, order)):
                yield order


def test_every_legal_order_can_be_listed():
    orders = set(legal_orders(sr(R), CAMPAIGN))
    assert Redeploy("RPA-1", "cartagena", "sea") in orders
    assert Redeploy("R-MIL-23", "madrid", "reserve") in orders
    by_land = {order.to for order in orders if (order.unit, order.by) == ("RPA-1", "land")}
    assert "cartagena" in by_land and not by_land & {"zaragoza", CAMPAIGN.place_of("RPA-1")}
    assert by_land <= set(CAMPAIGN.spaces_of(R))
    assert Redeploy("R-MIL-23", "illescas", "reserve") not in orders


@pytest.mark.parametrize("side, units, facts", [
    (R, {"barcelona": "RPA-1 R-V", RESERVE: "R-MIL-1 R-MIL-2", "cuenca": "R-MIL-3"}, {}),
    (R, {"bilbao": "MIL-BAS-1 R-I", RESERVE: "R-POL-1 T-26-1", "cartagena": "R-POL-2"}, {}),
    (N, {"sevilla": "AFR-1 N-I", RESERVE: "INF-2 CV-33-1", MOROCCO: "AFR-2", "cadiz": "INF-3"}, {}),
    (N, {"pamplona": "INF-3", RESERVE: "INF-2 CV-33-1", MOROCCO: "AFR-2"}, {"flags": STRAIT}),
])  # fmt: skip
def test_what_is_listed_is_all_that_is_legal(side, units, facts):
    """Each unit of either side to each place in each way, by what the rules say of the order."""
    others = {"zaragoza": "INF-1", "madrid": "R-MIL-8", "eliminated": "R-MIL-9 INF-9"}
    position = table(9, bare=True, units={**units, **others}, **facts)
    stage = sr(side, moved=frozenset(units[RESERVE].split()[:1]))
    asked = [unit for unit, counter in position.counters.items() if counter.place != "pool"]
    places = (*CAMPAIGN.tables.spaces, RESERVE)
    orders = {Redeploy(unit, to, by) for unit in asked for by in WAYS for to in places}
    legal = {order for order in orders if not refusals(stage, position, order)}
    assert set(legal_orders(stage, position)) == legal


@pytest.mark.rule("12.1.4")
def test_a_form_names_no_space_where_a_unit_goes_to_the_reserve():
    position = table(bare=True, units={"madrid": "RPA-1"})
    (option, *_) = sr(R).ask(position).options
    shown = {each.order.by: each.order.to for each in option.examples(every)}
    first = next(order.to for order in legal_orders(sr(R), position) if order.by == "land")
    assert (shown["to_reserve"], shown["land"]) == ("", first)


@pytest.mark.rule("12.1.4")
def test_a_form_shows_only_ways_that_are_open():
    position = table(
        9, bare=True, units={MOROCCO: "AFR-1", "zaragoza": "INF-1"}, republican=("sevilla",)
    )
    (option, *_) = sr(N).ask(position).options
    assert {each.order.by for each in option.examples(every)} == {"land", "to_reserve"}


def test_ways_by_land_are_told_in_map_order():
    position = table(bare=True, units={"madrid": "RPA-1"})
    to = [order.to for order in legal_orders(sr(R), position) if order.by == "land"]
    assert len(to) > 9 and to == sorted(to, key=CAMPAIGN.tables.map_rank.__getitem__)


# --- the example of play (24.2) -----------------------------------------------------------------


@pytest.mark.rule("8.3.1", "12.1.2")
def test_the_redeployments_of_the_extended_example():
    position = table(
        1,
        units={"beach_head_mallorca": "R-MIL-25 R-MIL-26", "cadiz": "AFR-2"},
        beach_heads={"beach_head_mallorca": "mallorca"},
        republican=("beach_head_mallorca", "jerez_de_los_caballeros"),
        nationalist=("riotinto",),
        flags=STRAIT | {"shortage"},
    )
    state = State(
        position, (sr(N, rules.points(position, "N16")), sr(R, rules.points(position, "R3")))
    )
    for order in (
        Redeploy("RPA-1", "beach_head_mallorca", "sea"),
        Redeploy("R-MIL-23", "santa_olalla", "reserve"),
        Redeploy("R-POL-2", "jerez_de_los_caballeros", "land"),
        Redeploy("AFR-2", "mallorca", "sea"),
        Redeploy("MIL-NAV-1", "caceres", "land"),
        Redeploy("MIL-NAV-3", "caceres", "land"),
    ):
        state = submit(state, order).state
    assert waits_for(state) is None
    assert state.position.units_in("caceres") == ("INF-14", "MIL-NAV-1", "MIL-NAV-3")


@pytest.mark.rule("16.2.4.3", "12.1.8")
@pytest.mark.parametrize("unit, to, said, hint", [
    ("MIL-NAV-1", "granada", "only MIL, except MIL of Navarre, may be sent to Granada", ""),
    ("INF-9", "granada", "only MIL may be sent to Granada", ""),
    ("N-MIL-2", "antequera", "Antequera has none of your units", "or to La Coru"),
])  # fmt: skip
def test_who_may_not_come_from_the_reserve_is_told_why(unit, to, said, hint):
    position = table(3, units={"reserve": "MIL-NAV-1 N-MIL-2 INF-9"}, nationalist=["antequera"])
    position = position.but(counters={
        each: replace(counter, place="pool") if counter.place == "antequera" else counter
        for each, counter in position.counters.items()
    })  # fmt: skip
    found = list(sr(N).check(position, Redeploy(unit, to, "reserve")))
    assert any(str(each.message).startswith(said) and hint in str(each.hint) for each in found), (
        found
    )


@pytest.mark.rule("8.3.1")
@pytest.mark.parametrize("order, hint", [
    (Redeploy("INF-1", "sevilla"), "it is in the Reserve Box; write by: reserve"),
    (Redeploy("INF-2", RESERVE), "write by: to_reserve"),
    (Redeploy("INF-2", "sevilla", "reserve"), "it is in Cáceres"),
    (Redeploy("AFR-1", "sevilla"), "it is in Morocco; write by: sea"),
])  # fmt: skip
def test_from_and_to_the_reserve_the_hint_names_the_way(order, hint):
    position = table(3, units={RESERVE: "INF-1", "caceres": "INF-2", MOROCCO: "AFR-1"})
    (found,) = sr(N).check(position, order)
    assert str(found.hint) == hint


def test_a_type_redeployed_by_reserve_is_one_of_the_reserve():
    position = table(1, units={"sevilla": "INF-15", RESERVE: "INF-9"})
    system = opened("crusade").system
    state = State(position, (Redeployment(N, 5),))
    file = parse(
        Source("o", "orders: [{redeploy: {unit: INF, to: sevilla, by: reserve}}]"), system.verbs
    )
    assert bind(file, 0, system.names(state, N, None, answering=True)) == Redeploy(
        "INF-9", "sevilla", "reserve"
    )


def test_every_way_is_a_word_of_the_order_and_brings_something_about():
    assert set(fields_of(Redeploy)["by"].words) == set(HAPPENS) == set(WAYS)
