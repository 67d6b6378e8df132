"""The decks: how many, how strong, and what the lists of the scenarios say of them."""

from collections import Counter

import pytest


@pytest.fixture
def cards(plain):
    return {card["id"]: card for card in plain["cards"]["cards"]}


@pytest.mark.rule("2.3")
def test_the_decks_have_18_20_17_and_5_cards_a_side(cards):
    sizes = Counter((card["side"], card["phase"]) for card in cards.values())
    phases = ("columns", "mobilization", "armies", "optional")
    for side in ("nationalist", "republican"):
        assert [sizes[side, phase] for phase in phases] == [18, 20, 17, 5]


@pytest.mark.rule("2.3")
def test_the_numbers_of_the_cards_follow_the_phases(cards):
    def phase(number):
        return (
            "columns"
            if number <= 18
            else "mobilization"
            if number <= 38
            else "armies"
            if number <= 55
            else "optional"
        )

    assert all(card["phase"] == phase(int(name[1:])) for name, card in cards.items())
    assert [name for name in cards if name[0] == "N"] == [f"N{n}" for n in range(1, 61)]


@pytest.mark.parametrize(
    "side, phase, ops",
    [
        ("nationalist", "columns", [5, 7, 5, 1]),
        ("nationalist", "mobilization", [4, 11, 5, 0]),
        ("nationalist", "armies", [4, 5, 6, 2]),
        ("nationalist", "optional", [2, 2, 1, 0]),
        ("republican", "columns", [6, 5, 6, 1]),
        ("republican", "mobilization", [6, 8, 5, 1]),
        ("republican", "armies", [3, 7, 5, 2]),
        ("republican", "optional", [3, 1, 1, 0]),
    ],
)
def test_the_operations_values(cards, side, phase, ops):
    found = Counter(
        card["ops"] for card in cards.values() if (card["side"], card["phase"]) == (side, phase)
    )
    assert [found[value] for value in (2, 3, 4, 5)] == ops


@pytest.mark.rule("8.5.1.4")
def test_replacement_points_follow_the_operations_value(cards):
    """One less in the own currency, two less in the foreign one; two cards give one more."""
    currencies = {"nationalist": ("NAT", "AXIS"), "republican": ("REP", "SOV")}
    for name, card in cards.items():
        own, foreign = currencies[card["side"]]
        more = name in ("N13", "R13")
        assert card["rp"] == {own: card["ops"] - 1 + more, foreign: card["ops"] - 2}
        assert card["sr"] == card["ops"]


@pytest.mark.rule("5.2.2", "8.5.5.1")
def test_the_four_strategic_counterattacks(cards):
    counterattacks = {name for name, card in cards.items() if card["kind"] == "counterattack"}
    assert counterattacks == {"R33", "R34", "R35", "R46"}
    assert all(cards[name]["needs"] == ["R32"] for name in counterattacks)


def test_what_is_needed_can_be_played_at_all(cards):
    """No chain of needs leads in a circle."""

    def depth(name, above=()):
        assert name not in above
        return 1 + max((depth(n, (*above, name)) for n in cards[name].get("needs", ())), default=0)

    assert max(map(depth, cards)) <= 3


@pytest.mark.rule("8.4.1")
def test_foreign_reinforcements_wait_for_the_aid_event(cards):
    axis = [card for card in cards.values() if card.get("reinforcement") == "axis"]
    assert axis and all("N2" in card["needs"] for card in axis)


@pytest.mark.rule("16.5.2")
def test_events_that_count_as_operations_in_winter(cards):
    assert {name for name, card in cards.items() if card.get("winter_ops")} == {
        "N26",
        "N27",
        "N32",
        "N34",
        "N45",
        "N46",
        "R27",
        "R33",
        "R34",
        "R35",
        "R45",
        "R46",
    }


def test_every_effect_is_told(cards):
    assert all(card["text"].endswith((".", ")")) for card in cards.values())


@pytest.mark.rule("19.3.6.1", "19.5.6.1")
def test_cards_out_of_the_game_have_an_asterisk(cards, scenarios):
    for scenario in scenarios.values():
        for removed in scenario["decks"]["removed"].values():
            assert [name for name in removed if not cards[name]["asterisk"]] == []
