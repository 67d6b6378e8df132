"""Chapter 13: supply on the real map, borders, and the Attrition Segments."""

from __future__ import annotations

import random

import pytest

from pbem.engine.kernel import begin
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.picture import LEGEND, CrusadePicture
from pbem.games.crusade.position import REMOVED, Control
from pbem.games.crusade.rules.attrition import lost_units
from pbem.games.crusade.rules.supply import (
    deployment_sources,
    friendly_sources,
    has_limited_supply,
    is_supplied,
    is_unit_supplied,
    supply_map,
    supply_ports,
    zone_of,
)
from pbem.games.crusade.stages.attrition import Attrition
from tests.games.crusade.board import STARTS, N, R, table

CAMPAIGN = STARTS["campaign"]
STRAIT = frozenset({"strait_nationalist"})
HEAD = "beach_head_mallorca"
MALAGA_POCKET = ("ronda", "antequera", "loja", "velez_malaga")


def attrition(position, side):
    """What happens in a side's Attrition Segment, and the position after it."""
    advance = begin(State(position, (Attrition(side),)))
    return advance.events, advance.state.position


# --- zones --------------------------------------------------------------------------------------


@pytest.mark.rule("2.1.2", "3.0.connected", "3.0.adjacent")
def test_madrid_and_barcelona_are_connected_and_not_adjacent():
    assert "barcelona" in zone_of(CAMPAIGN, R, "madrid")
    assert not CAMPAIGN.are_adjacent("madrid", "barcelona")


@pytest.mark.rule("13.1.2", "13.1.3", "3.0.supply_line")
def test_a_supply_line_runs_over_own_spaces_only():
    assert is_supplied(CAMPAIGN, N, "lugo")
    ring = CAMPAIGN.neighbours("lugo")
    assert not is_supplied(table(republican=ring), N, "lugo")
    assert zone_of(CAMPAIGN, N, "madrid") == frozenset()


@pytest.mark.rule("3.0.adjacent", "3.0.connected")
def test_a_beach_head_is_connected_to_the_space_it_leads_to_and_to_no_other():
    landed = CAMPAIGN.but(beach_heads={HEAD: "mallorca"}).with_control(HEAD, R)
    assert zone_of(landed, R, HEAD) == {HEAD}
    held = landed.with_control("mallorca", R)
    assert zone_of(held, R, HEAD) == zone_of(held, R, "mallorca") == {HEAD, "mallorca"}
    elsewhere = held.but(beach_heads={HEAD: "valencia"})
    assert {HEAD, "madrid"} < zone_of(elsewhere, R, "valencia")
    assert HEAD not in zone_of(elsewhere, R, "mallorca")


@pytest.mark.parametrize("seed", range(12))
def test_zones_after_captures_and_landings_are_those_of_a_map_that_is_looked_at_anew(seed):
    rng = random.Random(seed)
    position = CAMPAIGN
    for _ in range(60):
        if rng.random() < 0.2:
            position = shipped(position, rng)
        space = rng.choice(tuple(position.control))
        seen = [side for side in (N, R) if rng.random() < 0.8 and position.zones(side)]
        position = position.with_control(space, rng.choice((N, R)))
        anew = position.but(control=Control(position.control))
        assert position.control.by_side() == {
            side: [space for space in position.control if position.controls(side, space)]
            for side in (N, R)
        }
        for side in seen:
            zones = sorted(map(sorted, position.zones(side)))  # a list: each is there once
            assert zones == sorted(map(sorted, anew.zones(side)))
            assert position.control.held_by(side) == anew.control.held_by(side)
            assert supply_map(position, side) == supply_map(anew, side)


def shipped(position, rng):
    """With a beach head taken off the map, landed, or leading elsewhere."""
    head = rng.choice((HEAD, "beach_head_plan_p"))
    if head in position.beach_heads and rng.random() < 0.3:
        return position.without_space(head)
    heads = {**position.beach_heads, head: rng.choice(("mallorca", "valencia", "almeria"))}
    return position.but(beach_heads=heads).with_control(head, rng.choice((N, R)))


@pytest.mark.rule("16.1.2", "13.1.3")
def test_a_siege_does_not_hinder_republican_supply():
    assert "alcazar" in CAMPAIGN.sieges
    beyond = [space for space in CAMPAIGN.neighbours("toledo") if space != "illescas"]
    assert "toledo" in supply_map(table(nationalist=beyond), R).full
    assert "toledo" not in supply_map(table(nationalist=(*beyond, "illescas")), R).full


@pytest.mark.rule("13.1.4.2", "13.1.4.3")
@pytest.mark.parametrize("side", [N, R])
def test_the_ports_of_a_supply_line_are_ones_own(side):
    for flags in (STRAIT, frozenset()):
        position = table(flags=flags)
        ports = supply_ports(position, side)
        assert ports and all(position.controls(side, port) for port in ports)


@pytest.mark.rule("13.2.4.2")
def test_in_the_first_edition_badajoz_serves_again_when_retaken():
    lost = {"flags": frozenset({"badajoz_lost"})}
    assert "badajoz" not in friendly_sources(table(**lost), R)
    assert "badajoz" in friendly_sources(table(**lost, options=frozenset({"1e"})), R)
    assert "valencia" in friendly_sources(table(**lost), R)
    assert "badajoz" in deployment_sources(table(options=frozenset({"1e"})), R)


@pytest.mark.rule("13.1.2")
def test_the_whole_of_both_zones_is_supplied_when_the_war_begins():
    assert supply_map(CAMPAIGN, R).full == frozenset(CAMPAIGN.spaces_of(R))
    cut_off = frozenset(CAMPAIGN.spaces_of(N)) - supply_map(CAMPAIGN, N).full
    assert cut_off == {"oviedo", "granada"} == supply_map(CAMPAIGN, N).isolated


# --- the sea ------------------------------------------------------------------------------------


@pytest.mark.rule("13.1.4")
def test_a_pocket_with_a_port_is_supplied_by_one_hop_over_the_sea():
    position = table(nationalist=(*MALAGA_POCKET, "motril"))
    assert zone_of(position, R, "malaga") == {"malaga"}
    assert is_supplied(position, R, "malaga")


@pytest.mark.rule("13.1.4")
def test_two_ports_at_most():
    # Almería and Málaga feed each other, but neither is joined to a source any more.
    lost = ("cartagena", "valencia", "barcelona")
    position = table(
        nationalist=(*lost, *MALAGA_POCKET, "motril"), flags=frozenset({"badajoz_lost"})
    )
    assert not is_supplied(position, R, "malaga")


@pytest.mark.rule("13.1.4.1", "13.1.4.3", "16.7.1")
@pytest.mark.parametrize("flags, ok", [(frozenset(), False), (STRAIT, True)])
def test_algeciras_cut_off_is_fed_from_mallorca_once_the_strait_is_nationalist(flags, ok):
    position = table(republican=CAMPAIGN.neighbours("algeciras"), flags=flags)
    assert is_supplied(position, N, "algeciras") is ok


@pytest.mark.rule("13.1.4.1")
def test_a_sea_line_keeps_to_one_sea():
    # Cádiz is cut off, and the Nationalist ports left to it lie on the Atlantic.
    ring = CAMPAIGN.neighbours("cadiz")
    position = table(republican=(*ring, "algeciras", "mallorca"), flags=STRAIT)
    assert not is_supplied(position, N, "cadiz")


@pytest.mark.rule("13.1.4.2")
def test_the_republic_has_no_atlantic_supply():
    lost = ("bilbao", "gijon")
    position = table(nationalist=(*lost, "santona", "pto_del_escudo", "orduna", "durango"))
    assert is_supplied(position, R, "santander")
    cut_off = table(nationalist=("bilbao", "gijon", "santander"))
    assert not is_supplied(cut_off, R, "san_sebastian")


@pytest.mark.rule("16.7.2", "13.1.4.2")
@pytest.mark.parametrize("flags, ok", [(frozenset(), True), (STRAIT, False)])
def test_republican_cadiz_is_fed_by_sea_until_the_strait_is_lost(flags, ok):
    position = table(republican=("cadiz",), flags=flags)
    assert zone_of(position, R, "cadiz") == {"cadiz"}
    assert is_supplied(position, R, "cadiz") is ok


@pytest.mark.rule("13.1.4", "16.2.2")
def test_oviedo_joined_to_gijon_is_fed_over_the_atlantic():
    position = table(nationalist=("gijon",))
    assert is_supplied(position, N, "oviedo")
    assert "oviedo" in supply_map(position, N).full


# --- sources ------------------------------------------------------------------------------------


@pytest.mark.rule("13.2.1", "13.2.2", "13.2.3", "3.0.friendly_source")
def test_a_captured_source_serves_nobody_and_serves_again_when_retaken():
    taken = table(nationalist=("gijon",))
    assert "gijon" not in friendly_sources(taken, R)
    assert "gijon" not in friendly_sources(taken, N)
    assert "gijon" in friendly_sources(CAMPAIGN, R)


@pytest.mark.rule("13.2.4.1", "13.2.4.2")
def test_badajoz_serves_for_tracing_only_and_until_it_is_first_lost():
    assert "badajoz" in friendly_sources(CAMPAIGN, R)
    assert "badajoz" not in deployment_sources(CAMPAIGN, R)
    lost_once = table(flags=frozenset({"badajoz_lost"}))
    assert "badajoz" not in friendly_sources(lost_once, R)


@pytest.mark.rule("13.1.2")
def test_the_reserve_is_always_in_supply():
    # reading: Q32
    assert is_unit_supplied(CAMPAIGN, "N-MIL-9")
    assert not is_unit_supplied(CAMPAIGN, "AFR-2")


# --- isolated spaces and borders ----------------------------------------------------------------


@pytest.mark.rule("16.2.3")
def test_an_isolated_space_and_what_is_joined_to_it_count_as_supplied():
    position = table(nationalist=("guadix",))
    assert supply_map(position, N).isolated == {"oviedo", "granada", "guadix"}
    assert is_supplied(position, N, "guadix")
    assert not is_supplied(table(isolated=frozenset()), N, "granada")


CUT_OFF_AT_FRANCE = ("barcelona", "vich", "puigcerda", "seo_de_urgel", "berga", "manresa")


@pytest.mark.rule("13.4.1", "13.4.1.2", "13.4.2")
def test_france_keeps_the_republic_alive_and_no_more():
    position = table(nationalist=CUT_OFF_AT_FRANCE)
    assert not is_supplied(position, R, "gerona")
    assert has_limited_supply(position, R, "gerona")
    assert not has_limited_supply(CAMPAIGN, R, "gerona")


def test_little_supply_and_none_are_two_signs():
    militia = {"gerona": "R-MIL-1", "huelva": "R-MIL-2"}
    position = table(nationalist=CUT_OFF_AT_FRANCE, units=militia)
    places = CrusadePicture(position.tables).scene(position, None).places
    (little,), (none,) = places["gerona"].marks, places["huelva"].marks
    assert little.shape != none.shape and {little, none} <= set(LEGEND)


@pytest.mark.rule("13.4.1.1", "13.4.1.2")
def test_each_side_has_one_friendly_country():
    # Zamora lies on the Portuguese border, Jaca on the French one.
    position = table(republican=(*CAMPAIGN.neighbours("zamora"), *CAMPAIGN.neighbours("jaca")))
    assert has_limited_supply(position, N, "zamora")
    assert not has_limited_supply(position, N, "jaca")


# --- attrition ----------------------------------------------------------------------------------


@pytest.mark.rule("13.3.5", "13.3.7", "13.1.1.1/d")
def test_units_out_of_supply_leave_for_good_and_their_space_turns():
    position = table(8, units={"sacedon": "R-V"}, nationalist=CAMPAIGN.neighbours("sacedon"))
    happened, left = attrition(position, R)
    assert e.UnitEliminated("R-V", True, "13.3.5") in happened
    assert left.place_of("R-V") == REMOVED
    assert left.controls(N, "sacedon")


@pytest.mark.rule("13.3.5")
def test_a_corps_lost_to_attrition_gets_no_successor():
    position = table(8, units={"sacedon": "R-V"}, nationalist=CAMPAIGN.neighbours("sacedon"))
    happened, _ = attrition(position, R)
    assert not any(isinstance(event, e.CorpsReplaced) for event in happened)


@pytest.mark.rule("6.0.C.1", "6.0.C.2", "13.3.7")
def test_attrition_takes_only_the_side_whose_segment_it_is():
    position = table(8, units={"sacedon": "R-V"}, nationalist=CAMPAIGN.neighbours("sacedon"))
    assert attrition(position, N)[0] == ()


@pytest.mark.rule("13.3.6", "16.3.3/a")
def test_an_empty_pocket_turns_with_points_and_morale():
    # reading: Q34
    pocket = table(units={"jaen": ""}, nationalist=CAMPAIGN.neighbours("jaen"))
    happened, left = attrition(pocket, R)
    assert e.SpaceTaken("jaen", N) in happened
    assert (left.vp, left.rm) == (pocket.vp + 1, pocket.rm - 1)


@pytest.mark.rule("13.3.6")
def test_flips_do_not_feed_each_other():
    # reading: Q35: two pockets next to each other are judged on what lay there before.
    ring = {s for lost in ("jaen", "guadix") for s in CAMPAIGN.neighbours(lost)}
    position = table(
        6, units={"jaen": "", "guadix": "R-MIL-17"}, isolated=frozenset(),
        nationalist=sorted(ring - {"jaen", "guadix"}),
    )  # fmt: skip
    _, left = attrition(position, R)
    assert left.controls(N, "jaen") and left.controls(N, "guadix")
    assert left.place_of("R-MIL-17") == REMOVED


@pytest.mark.rule("13.3.5")
@pytest.mark.parametrize("one, other", [("jaen", "guadix"), ("guadix", "jaen")])
def test_units_are_lost_in_stack_order_wherever_they_stand(one, other):
    position = ringed_in({one: "R-MIL-2 R-MIL-17", other: "R-MIL-3"})
    assert lost_units(position, R) == ("R-MIL-2", "R-MIL-3", "R-MIL-17")


@pytest.mark.rule("13.3.5")
def test_units_in_supply_are_not_lost():
    position = ringed_in({"jaen": "R-MIL-2", "madrid": "R-MIL-3"})
    assert lost_units(position, R) == ("R-MIL-2",)


def ringed_in(units):
    """Turn 6 without other units: Jaén and Guadix are a pocket of the Republic."""
    ring = {space for lost in ("jaen", "guadix") for space in CAMPAIGN.neighbours(lost)}
    return table(6, bare=True, units=units, nationalist=sorted(ring - {"jaen", "guadix"}))


@pytest.mark.rule("13.1.5")
def test_asturian_divisions_live_on_in_asturias_and_empty_ground_turns():
    lost = table(
        8, units={"cangas_de_onis": "MIL-AST-1", "pto_de_pajares": "", "castropol": "R-POL-1"},
        nationalist=("gijon", "bilbao", "santander"),
    )  # fmt: skip
    _, left = attrition(lost, R)
    assert left.place_of("MIL-AST-1") == "cangas_de_onis"
    assert left.controls(R, "cangas_de_onis")
    assert left.controls(N, "pto_de_pajares")
    assert left.place_of("R-POL-1") == REMOVED


@pytest.mark.rule("13.1.5")
def test_asturian_divisions_die_outside_asturias():
    lost = table(
        8, units={"san_vicente": "MIL-AST-1"}, nationalist=("gijon", "bilbao", "santander")
    )
    assert attrition(lost, R)[1].place_of("MIL-AST-1") == REMOVED


@pytest.mark.rule("13.4.2", "13.4.4")
def test_at_a_friendly_border_neither_units_nor_ground_are_lost():
    position = table(8, units={"gerona": "R-V", "figueras": ""}, nationalist=CUT_OFF_AT_FRANCE)
    _, left = attrition(position, R)
    assert left.place_of("R-V") == "gerona"
    assert left.controls(R, "figueras")


@pytest.mark.rule("16.2.3", "13.3.5")
def test_isolated_spaces_are_spared_while_their_marker_lies():
    assert attrition(CAMPAIGN, N)[0] == ()
    _, left = attrition(table(6, isolated=frozenset()), N)
    assert left.place_of("INF-5") == REMOVED
    assert left.controls(R, "oviedo") and left.controls(R, "granada")


@pytest.mark.rule("16.2.6", "16.2.5")
def test_oviedo_lost_to_attrition_is_worth_no_more_than_any_capital():
    position = table(6, isolated=frozenset(), units={"granada": "", "oviedo": "INF-5"})
    _, left = attrition(position.with_control("granada", R), N)
    assert (left.vp, left.rm) == (position.vp, position.rm + 1)


@pytest.mark.rule("16.1.3", "13.3.6")
def test_a_siege_in_ground_that_turns_is_liberated():
    position = table(
        6, units={"pto_de_valderrepiso": ""},
        nationalist=CAMPAIGN.neighbours("pto_de_valderrepiso"),
        sieges={"santa_maria_de_la_cabeza": 1},
    )  # fmt: skip
    happened, left = attrition(position, R)
    assert e.SiegeEnded("santa_maria_de_la_cabeza", "liberated") in happened
    assert left.rm == position.rm - 1


@pytest.mark.rule("13.3.6")
def test_a_beach_head_that_is_cut_off_is_gone():
    ports = [port for port in CAMPAIGN.ports() if CAMPAIGN.controls(R, port)]
    position = table(
        2, units={"beach_head_mallorca": "R-MIL-25"}, nationalist=ports,
        republican=("beach_head_mallorca",), beach_heads={"beach_head_mallorca": "mallorca"},
    )  # fmt: skip
    _, left = attrition(position, R)
    assert left.place_of("R-MIL-25") == REMOVED
    assert not left.is_open_for_play("beach_head_mallorca")
