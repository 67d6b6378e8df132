"""The units: the counter mix comes out in every set-up, and the worked examples' factors hold."""

from collections import Counter

import pytest

SETUPS = ("campaign", "two_years_of_war", "republican_collapse")


@pytest.fixture
def types(plain):
    return {(each["side"], each["id"]): each for each in plain["units"]["types"]}


def rows_of(units):
    for row in units["map"]:
        yield from row["units"]
    for box in ("reserve", "eliminated", "removed", "morocco"):
        yield from units.get(box, ())


def deployed(scenario, side):
    """Units that come in the steps after deployment, by type."""
    found = Counter()
    for step in scenario["post_deployment"]:
        if step["do"] == "deploy" and step["side"] == side:
            for row in step["units"]:
                found[row["type"]] += row["count"]
        if step["do"] == "maneuver_armies":
            found.update(step[side])
    return found


def entered(each, scenario):
    """How many of a type the events played so far have left in the game's mix."""
    played = {card for cards in scenario["decks"]["removed"].values() for card in cards}
    if scenario["first_turn"] > 6:
        played.add("15.2.3")
    out = sum(s["count"] for s in each.get("enters", ()) if s["by"] not in played)
    return each["count"] - out


@pytest.mark.rule("2.2.1")
@pytest.mark.parametrize("name", SETUPS)
def test_each_set_up_uses_the_whole_counter_mix(scenarios, types, name):
    scenario = scenarios[name]
    for side in ("nationalist", "republican"):
        used = deployed(scenario, side)
        for row in rows_of(scenario["units"][side]):
            used[row["type"]] += row["count"]
        mix = {
            kind: entered(each, scenario)
            for (owner, kind), each in types.items()
            if owner == side and each["size"] == "division" and "option" not in each
        }
        assert {kind: used[kind] for kind in mix} == mix


@pytest.mark.rule("15.2.1")
def test_each_side_has_ten_initial_corps(types):
    initial = Counter(side for (side, _), each in types.items() if each.get("initial"))
    assert initial == {"nationalist": 10, "republican": 10}


@pytest.mark.rule("19.5.3")
def test_turn_12_has_every_corps_that_has_come_by_then(scenarios, types):
    scenario = scenarios["republican_collapse"]
    for side in ("nationalist", "republican"):
        used = deployed(scenario, side)
        used.update(row["type"] for row in rows_of(scenario["units"][side]))
        played = scenario["decks"]["removed"][side]
        expected = {
            kind
            for (owner, kind), each in types.items()
            if owner == side
            and each["size"] == "corps"
            and "option" not in each
            and (each.get("initial") or each.get("card") in played)
        }
        assert {kind for kind in used if types[side, kind]["size"] == "corps"} == expected


def test_corps_and_cards_agree_on_who_brings_whom(plain, types):
    by_card = {
        (card["side"], corps): card["id"]
        for card in plain["cards"]["cards"]
        for corps in card.get("corps", ())
    }
    named = {key: each["card"] for key, each in types.items() if "card" in each}
    assert named.pop(("nationalist", "N-CTV")) == "N2"
    assert named == by_card


@pytest.mark.parametrize(
    "side, kind, full, reduced",
    [
        ("nationalist", "INF", [2, 1, 3], [1, 1, 3]),  # 11.2.6, 20.1
        ("nationalist", "AFR", [3, 1, 3], [2, 1, 3]),  # 24.2
        ("republican", "MIL", [1, 1, 3], [0, 1, 3]),  # 24.2
        ("republican", "RPA", [2, 1, 3], [1, 1, 3]),  # 20.1
        ("republican", "R-I", [3, 3, 3], [2, 3, 3]),  # 11.2.6
        ("nationalist", "N-TURIA", [3, 2, 3], [2, 2, 3]),
    ],
)
def test_factors_of_the_examples(types, side, kind, full, reduced):
    assert (types[side, kind]["full"], types[side, kind]["reduced"]) == (full, reduced)


@pytest.mark.rule("11.3.5.2", "11.3.5.2/e")
def test_who_may_replace_a_corps(types):
    def replacing(word):
        return {kind for (_, kind), each in types.items() if word in each.get("replaces", ())}

    assert replacing("nationalist") == {"INF", "MIL", "MIL-NAV"}
    assert replacing("ctv") == {"ITA"}
    assert replacing("republican") == {
        "MIL",
        "MIL-CNT",
        "MIL-ERC",
        "MIL-PSUC",
        "MIL-POUM",
        "RPA",
        "RPA-ELITE",
    }
    assert replacing("basque") == {"MIL-BAS"}
    never = ("AFR", "CAV", "POL", "INT-XI")
    assert not [each for (_, kind), each in types.items() if kind in never and "replaces" in each]


@pytest.mark.rule("14.1.6")
def test_who_takes_no_replacements(types):
    without = {kind for (_, kind), each in types.items() if not each["rp"]}
    assert without == {"AFR", "AFR-BT", "INS"}


@pytest.mark.rule("8.5.2.5/a", "8.5.2.5/b")
def test_cards_take_only_removable_divisions(plain):
    taken = {
        side: {
            kind
            for card in plain["cards"]["cards"]
            if card["side"] == side
            for kind in card.get("removes_division", ())
        }
        for side in ("nationalist", "republican")
    }
    assert taken["nationalist"] == {"MIL", "MIL-NAV", "POL", "CAV", "INF", "AFR"}
    assert taken["republican"] == {"MIL", "MIL-CNT", "MIL-ERC", "MIL-PSUC", "POL", "RPA"}
