"""The five scenarios: who stands where, and what they start and end with."""

import pytest


@pytest.mark.rule("4.0")
def test_there_are_five_scenarios_in_the_order_they_are_offered(plain):
    files = {key.split("/")[1] for key in plain if key.startswith("scenarios/")}
    assert set(plain["game"]["scenarios"]) == files and len(files) == 5
    starts = {name: plain[f"scenarios/{name}"]["first_turn"] for name in files}
    assert sorted(starts.values()) == [1, 1, 6, 6, 12]


@pytest.mark.parametrize(
    "name, other, turns",
    [
        ("war_of_the_columns", "campaign", (1, 5)),
        ("collapse_of_the_northern_front", "two_years_of_war", (6, 11)),
    ],
)
@pytest.mark.rule("19.1.1", "19.2.1")
def test_two_scenarios_share_a_set_up(plain, name, other, turns):
    scenario = plain[f"scenarios/{name}"]
    assert scenario["same_as"] == other
    assert (scenario["first_turn"], scenario["last_turn"]) == turns
    assert scenario["first_turn"] == plain[f"scenarios/{other}"]["first_turn"]


@pytest.mark.rule("9.1.1", "9.1.3", "4.2.1")
@pytest.mark.parametrize("name", ["campaign", "two_years_of_war", "republican_collapse"])
def test_units_stand_in_own_spaces_three_at_most(board, scenarios, name):
    held = board.control(name)
    for side, units in scenarios[name]["units"].items():
        for row in units["map"]:
            assert held[row["space"]] == side
            assert sum(entry["count"] for entry in row["units"]) <= 3


@pytest.mark.rule("19.4.2.1", "19.3.2.1", "19.5.2.1")
@pytest.mark.parametrize(
    "name, vp, rm",
    [
        ("campaign", 7, 26),
        ("two_years_of_war", 10, 20),
        ("republican_collapse", 13, 12),
    ],
)
def test_the_starting_levels(scenarios, name, vp, rm):
    assert (scenarios[name]["markers"]["vp"], scenarios[name]["markers"]["rm"]) == (vp, rm)


@pytest.mark.rule("19.4.2.2", "19.4.2.3")
def test_the_markers_of_the_campaign(scenarios):
    markers = scenarios["campaign"]["markers"]
    assert markers["sieges"] == {"simancas": 1, "santa_maria_de_la_cabeza": 2, "alcazar": 3}
    assert markers["isolated"] == ["oviedo", "granada"]
    assert markers["rp"] == {"NAT": 0, "AXIS": None, "REP": 0, "SOV": None}
    assert (markers["strait"], markers["shortage"], markers["madrid"]) == ("republican", True, -3)


@pytest.mark.rule("4.3.1/a", "19.4.6.2", "19.4.6.3")
def test_the_opening_hands_of_the_campaign(scenarios):
    campaign = scenarios["campaign"]
    assert campaign["decks"]["phases"] == ["columns"]
    assert campaign["decks"]["hands"] == {
        "nationalist": {"fixed": ["N1"], "random": 6},
        "republican": {"fixed": [], "random": 7},
    }
    assert campaign["first_play"]["card"] == "N1"


@pytest.mark.rule("17.6.2", "19.4.3")
def test_six_units_of_the_army_of_africa_wait_in_morocco(scenarios):
    nationalist = scenarios["campaign"]["units"]["nationalist"]
    assert nationalist["morocco"] == [{"type": "AFR", "count": 6, "reduced": False}]
    sevilla = next(row for row in nationalist["map"] if row["space"] == "sevilla")
    assert {"type": "AFR", "count": 1, "reduced": False} in sevilla["units"]


@pytest.mark.rule("19.3.6.1", "19.5.6.1")
def test_cards_played_before_the_later_scenarios(scenarios):
    early = scenarios["two_years_of_war"]["decks"]["removed"]
    late = scenarios["republican_collapse"]["decks"]["removed"]
    assert [len(early[side]) for side in ("nationalist", "republican")] == [12, 12]
    assert [len(late[side]) for side in ("nationalist", "republican")] == [28, 31]
    assert all(set(early[side]) <= set(late[side]) for side in early)


@pytest.mark.rule("19.1.4", "19.2.4", "19.3.4", "19.4.4.2", "19.5.4")
@pytest.mark.parametrize(
    "name, nationalist, republican",
    [
        ("campaign", 20, 18),
        ("two_years_of_war", 20, 18),
        ("republican_collapse", 20, 18),
        ("war_of_the_columns", 11, 8),
        ("collapse_of_the_northern_front", 14, 12),
    ],
)
def test_the_limits_of_victory(plain, name, nationalist, republican):
    limits = plain[f"scenarios/{name}"]["victory"]
    assert (limits["nationalist_min"], limits["republican_max"]) == (nationalist, republican)


@pytest.mark.rule("19.1.5", "19.2.5")
@pytest.mark.parametrize(
    "name, rm, change",
    [
        ("war_of_the_columns", 18, 1),
        ("war_of_the_columns", 19, 0),
        ("war_of_the_columns", 22, 0),
        ("war_of_the_columns", 23, -1),
        ("collapse_of_the_northern_front", 11, 1),
        ("collapse_of_the_northern_front", 12, 0),
        ("collapse_of_the_northern_front", 15, 0),
        ("collapse_of_the_northern_front", 16, -1),
    ],
)
def test_the_last_change_of_victory_points_by_morale(plain, name, rm, change):
    rows = [
        row
        for row in plain[f"scenarios/{name}"]["end_modifiers"]
        if not set(row["if"]) & {"played", "not_played"}
    ]
    fitting = [
        row["vp"]
        for row in rows
        if row["if"].get("rm_min", rm) <= rm <= row["if"].get("rm_max", rm)
    ]
    assert sum(fitting) == change


@pytest.mark.rule("15.2.2.1")
def test_the_turn_6_reserves_hold_the_quota_but_for_those_to_come(plain, scenarios):
    """19.3.3 fits the quota only if MIL-NAV counts as MIL, which is how we read it."""
    for side, quotas in plain["tables"]["reserve_quota"].items():
        if side in ("rule", "provenance"):
            continue
        reserve = scenarios["two_years_of_war"]["units"][side]["reserve"]
        for quota in quotas:
            found = sum(row["count"] for row in reserve if row["type"] in quota["types"])
            assert found >= quota["count"]


@pytest.mark.rule("19.5.5.1/d")
def test_the_attrition_of_turn_12(scenarios):
    step = scenarios["republican_collapse"]["post_deployment"][-1]
    assert (step["do"], step["losses"]) == ("attrition", [5, 5, 7, 7, 9, 9])
