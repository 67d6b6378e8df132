"""The events of the Mobilization: N19 to N37 and R19 to R38, card by card."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from pbem.engine import kernel
from pbem.engine.model import State, Unfolding
from pbem.engine.policies import answering, reading, scopes, sealing
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.effects.registry import effect_of
from pbem.games.crusade.orders import (
    Activate,
    AdvancePlan,
    Attack,
    Bonus,
    Deploy,
    Remove,
    ShowHand,
)
from pbem.games.crusade.policies.table import TABLE as STANDING
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, RESERVE, Boost, Fort
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.north import is_cut_off
from pbem.games.crusade.rules.removal import removable
from pbem.games.crusade.rules.replacement import open_accounts
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.event_choices import Fortifying
from pbem.games.crusade.stages.event_operations import LookAtHand, Prize, won_bonus
from tests.games.crusade.board import TABLES, N, R, after, blind, refusals, sealed, table
from tests.games.crusade.cards_played import played, refused, rules_against
from tests.games.crusade.fights import where

answer = partial(answering.answer, STANDING)
faults = partial(reading.faults, STANDING)
parts = partial(sealing.parts, STANDING)
covers = partial(scopes.covers, STANDING)

CORPS_CARDS = [card.id for card in TABLES.cards.values() if card.corps and not card.option]
SIDE = {"N": N, "R": R}
PAYER = {N: "INF-1", R: "RPA-1"}


def side_of(card):
    return SIDE[card[0]]


# --- corps and their price ----------------------------------------------------------------------


def with_reserve(card, **facts):
    """A corps card with one division in the Reserve Box to pay for it, on an empty map."""
    units = {RESERVE: PAYER[side_of(card)], **facts.pop("units", {})}
    return played(side_of(card), card, turn=13, bare=True, units=units, **facts)


@pytest.mark.rule(
    "8.5.2.4", "8.5.2.5", "8.5.1.3",
    "card N19", "card N20", "card N21", "card N22", "card N23", "card N39", "card N40",
    "card R19", "card R20", "card R21", "card R22", "card R23", "card R24", "card R39", "card R40",
)  # fmt: skip
@pytest.mark.parametrize("card", CORPS_CARDS)
def test_each_corps_card_brings_its_corps_and_costs_a_division(card):
    assert len(CORPS_CARDS) == 15
    game = with_reserve(card).finish()
    position, side = game.position, side_of(card)
    sources = {s.id for s in TABLES.spaces.values() if s.source == side} | {"madrid"}
    for corps in TABLES.cards[card].corps:
        assert position.place_of(corps) in sources and not position.is_reduced(corps)
    assert where(position, PAYER[side]) == [REMOVED]
    assert card in position.decks[side].removed
    assert f"reinforcement_{TABLES.cards[card].reinforcement}" in position.turn_marks


@pytest.mark.rule("8.5.2.4", "card N19")
def test_n19_asks_where_each_corps_comes_in():
    game = with_reserve("N19", units={"burgos": "INF-2"})
    asked = game.question
    assert asked == "corps of a card"
    assert game.faults(Remove("N-MIL-1")) == ["8.5.2.5"]
    assert game.faults(Deploy("N-SORIA-SOMOSIERRA", "burgos")) == ["8.5.2.4"]
    assert game.faults(Deploy("N-URGEL", "zaragoza")) == ["8.5.2.4"]
    (misplaced,) = kernel.violations(game.state, Deploy("N-SORIA-SOMOSIERRA", "burgos"))
    assert str(misplaced.message) == (
        "N-SORIA-SOMOSIERRA cannot come in at Burgos: it comes in only at a supply source of its "
        "side or in Madrid"
    )
    assert str(misplaced.hint).startswith("it can come in at ") and "Sevilla" in str(misplaced.hint)
    assert game.faults(Deploy("N-AVILA-SEGOVIA", "zaragoza", to_reserve="INF-2")) == ["8.5.2.4"]
    game.say(Deploy("N-AVILA-SEGOVIA", "zaragoza"), Deploy("N-SORIA-SOMOSIERRA", "sevilla"))
    assert [option.order for option in game.asks.options] == [Remove]
    game.say(Remove("INF-2"))
    assert game.question == ""
    places = where(game.position, "N-AVILA-SEGOVIA", "N-SORIA-SOMOSIERRA", "INF-1", "INF-2")
    assert places == ["zaragoza", "sevilla", RESERVE, REMOVED]


@pytest.mark.rule("8.5.2.5")
def test_one_division_pays_before_or_after_the_corps():
    game = with_reserve("N20", units={"burgos": "(N-MIL-1)"}).say(Remove("N-MIL-1"))
    assert game.faults(Remove("INF-1")) == ["8.5.2.4"]  # only the corps are asked for now
    game.finish()
    assert where(game.position, "N-MIL-1", "INF-1") == ["(removed)", RESERVE]


@pytest.mark.rule("8.5.2.5", "8.5.2.2/a")
def test_where_the_map_is_full_a_division_first_makes_room():
    full = {"sevilla": "INF-2 INF-3 INF-4", "zaragoza": "INF-5 INF-6 INF-7",
            "valladolid": "INF-8 INF-9 INF-10", "la_coruna": "INF-11 INF-12 AFR-1"}  # fmt: skip
    short = {**full, "valladolid": "INF-8 INF-9"}  # one place; corps do not come to Mallorca
    game = with_reserve("N21", units=short | {"burgos": "INF-13"})
    assert game.faults(Remove("INF-13")) == game.faults(Remove("INF-1")) == ["8.5.2.2"]
    assert game.faults(Remove("INF-5")) == []
    game.say(Deploy("N-GALICIA", "valladolid"), Remove("INF-5"), Deploy("N-CASTILLA", "zaragoza"))
    assert game.question == ""
    assert rules_against(N, "N21", turn=13, bare=True, units=full | {RESERVE: "INF-1"}) == [
        "8.5.2.2/a"
    ]


@pytest.mark.rule("8.5.2.5/a", "8.5.2.5/b")
def test_only_the_listed_kinds_pay_for_corps():
    nationalist = {RESERVE: "N-MIL-1 MIL-NAV-1 N-POL-1 CAV-1 INF-1 AFR-1 ITA-1 CV-33-1 N-CTV"}
    assert set(removable(table(8, bare=True, units=nationalist), "N22")) == {
        "N-MIL-1", "MIL-NAV-1", "N-POL-1", "CAV-1", "INF-1", "AFR-1",
    }  # fmt: skip
    republican = {
        RESERVE: "R-MIL-1 MIL-CNT-1 MIL-ERC MIL-PSUC MIL-POUM R-POL-1 RPA-1 MIL-BAS-1 INT-XI",
        "gijon": "R-POL-2 R-MIL-2",
    }
    assert set(removable(table(8, bare=True, units=republican), "R22")) == {
        "R-MIL-1", "MIL-CNT-1", "MIL-ERC", "MIL-PSUC", "R-POL-1", "RPA-1", "R-MIL-2",
    }  # fmt: skip


@pytest.mark.rule("8.5.2.5/b", "16.4.3.3")
@pytest.mark.parametrize("joined", [False, True])
def test_police_outside_the_regions_pay_for_corps_whatever_land_joins_the_north(joined):
    units = {"madrid": "R-POL-1", "bilbao": "R-POL-2", ELIMINATED: "R-MIL-1"}
    land = ("orduna", "pancorbo", "burgos", "aranda_de_duero") if joined else ()
    position = table(8, bare=True, units=units, republican=land)
    assert is_cut_off(position) is not joined
    assert removable(position, "R21") == ("R-POL-1",)


@pytest.mark.rule("8.5.2.5/c")
def test_eliminated_divisions_pay_only_where_no_other_can():
    supplied = table(8, bare=True, units={"madrid": "RPA-1", ELIMINATED: "RPA-3"})
    assert removable(supplied, "R20") == ("RPA-1",)
    around = TABLES.graph.neighbours("alcaniz")
    units = {"alcaniz": "RPA-2", ELIMINATED: "RPA-3"}
    cut_off = table(8, bare=True, units=units, nationalist=around)
    assert removable(cut_off, "R20") == ("RPA-3",)


@pytest.mark.rule("8.5.2.5")
@pytest.mark.parametrize("card", CORPS_CARDS)
def test_no_corps_card_is_an_event_without_a_division_to_remove(card):
    assert rules_against(side_of(card), card, turn=13, bare=True) == ["8.5.2.5"]


@pytest.mark.rule("8.5.2.5", "card R19")
def test_r19_may_be_paid_with_an_eliminated_division():
    assert rules_against(R, "R19", bare=True) == ["8.5.2.5"]
    assert rules_against(R, "R19", bare=True, units={ELIMINATED: "RPA-1"}) == []


@pytest.mark.rule("8.5.2.1")
def test_one_corps_card_of_a_side_a_turn():
    marks = frozenset({"reinforcement_republican"})
    assert "8.5.2.1" in rules_against(R, "R23", turn_marks=marks)


# --- divisions ----------------------------------------------------------------------------------


@pytest.mark.rule("card N24")
def test_n24_brings_a_tank_to_a_port_and_one_to_the_reserve():
    game = played(N, "N24", bare=True).say(Deploy("PZ-I-1", "cadiz"))
    assert where(game.position, "PZ-I-1", "CV-33-1") == ["cadiz", RESERVE]
    assert where(game.position, "PZ-I-2", "CV-33-2") == [POOL, POOL]
    assert game.question == ""


@pytest.mark.rule("8.5.2.2", "card N24")
def test_n24_needs_axis_aid_and_a_tank_of_each_kind():
    assert rules_against(N, "N24", bare=True, played=frozenset()) == ["8.5.1.2"]
    gone = {"sevilla": "CV-33-1 CV-33-2"}
    assert rules_against(N, "N24", bare=True, units=gone) == ["8.5.2.2"]


@pytest.mark.rule("card R25")
def test_r25_brings_the_later_brigades():
    game = played(R, "R25", bare=True, units={RESERVE: "INT-XI INT-XII INT-XIII"})
    game.say(Deploy("INT-XV", "madrid"))
    assert where(game.position, "INT-XIV", "INT-XV", "INT-150") == [RESERVE, "madrid", RESERVE]
    assert rules_against(R, "R25", bare=True, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("card R26")
def test_r26_brings_a_tank_to_a_mediterranean_port_and_one_to_the_reserve():
    game = played(R, "R26", bare=True)
    assert game.faults(Deploy("T-26-1", "bilbao")) == ["8.5.2.3"], "no Mediterranean port"
    game.say(Deploy("T-26-1", "cartagena"))
    assert where(game.position, "T-26-1", "T-26-2") == ["cartagena", RESERVE]
    assert rules_against(R, "R26", bare=True, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("8.5.2.2", "card R25", "card R26")
@pytest.mark.parametrize(
    "card, gone, full",
    [
        ("R25", "INT-XI INT-XII INT-XIII INT-XIV", "madrid barcelona valencia cartagena"),
        ("R26", "T-26-1 T-26-2 T-26-3",
         "barcelona tarragona valencia alicante cartagena almeria malaga"),
    ],
)  # fmt: skip
def test_r25_and_r26_need_units_and_a_place(card, gone, full):
    assert rules_against(R, card, bare=True, units={ELIMINATED: gone}) == ["8.5.2.2"]
    numbers = iter(range(1, 25))
    stacks = {s: " ".join(f"R-MIL-{next(numbers)}" for _ in range(3)) for s in full.split()}
    north = ("bilbao", "santander", "gijon")
    assert rules_against(R, card, bare=True, units=stacks, nationalist=north) == ["8.5.2.2"]


# --- points and facts alone ---------------------------------------------------------------------


@pytest.mark.rule("8.5.1.4", "card N37", "card R30", "card R38", "card R31")
@pytest.mark.parametrize(
    "card, score", [("N37", (1, 0)), ("R30", (-1, 0)), ("R38", (0, 1)), ("R31", (0, 0))]
)
def test_n37_r30_r38_and_r31_change_the_score_alone(card, score):
    game = played(side_of(card), card)
    assert (game.question, game.score) == ("", score)
    assert game.position.counters == game.before.position.counters


@pytest.mark.rule("card R32")
def test_r32_puts_negrin_in_office():
    game = played(R, "R32")
    assert game.score == (0, 1) and game.position.has("juan_negrin")


# --- attack markers and operations --------------------------------------------------------------

FRONT = {"zaragoza": "INF-1 INF-2", "huesca": "INF-3", "teruel": "INF-4", "jaca": "INF-5",
         "barbastro": "R-MIL-1", "alcaniz": "R-MIL-2", "sarinena": "R-MIL-3",
         "boltana": "R-MIL-4", "caspe": "R-MIL-5"}  # fmt: skip
HELD = {"nationalist": ("zaragoza", "huesca", "teruel", "jaca"),
        "republican": ("barbastro", "alcaniz", "sarinena", "boltana", "caspe")}  # fmt: skip


@pytest.mark.rule("card N26", "card N27")
@pytest.mark.parametrize(
    "card, markers, boost",
    [
        ("N26", 2, Boost("N26", 1, once=True, air=True)),
        ("N27", 3, Boost("N27", 1, air=True)),
    ],
)
def test_n26_and_n27_give_attack_markers_and_no_movement(card, markers, boost):
    game = played(N, card, bare=True, units=FRONT, **HELD)
    assert game.faults(Activate(move=("zaragoza",))) == ["8.5.1.1"]
    spaces = ("huesca", "zaragoza", "teruel", "jaca")
    assert game.faults(Activate(attack=spaces[: markers + 1])) == ["8.2.1"]
    game.say(Activate(attack=spaces[:markers]))
    assert game.state.agenda[-1] == Combats(N, spaces[:markers], boost)
    assert rules_against(N, card, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("card N26")
def test_n26_adds_its_drm_in_one_attack_that_claims_it():
    game = played(N, "N26", bare=True, units=FRONT, **HELD)
    game.say(Activate(attack=("huesca", "jaca")))
    game.say(Attack("barbastro", {"huesca": ("INF-3",)}, air_bonus=True)).roll(1, 1)
    drms = game.told(e.FireResolved)[0].drms
    assert drms == (("N26", 1),)
    while game.question != "combat":
        game.default()
    again = Attack("boltana", {"jaca": ("INF-5",)}, air_bonus=True)
    assert game.faults(again) == ["card N26"]


@pytest.mark.rule("16.5.2/a")
@pytest.mark.parametrize(
    "card, counts",
    [("N26", True), ("N27", True), ("N32", True), ("N34", True), ("N28", False), ("R27", True),
     ("R33", True), ("R34", True), ("R35", True), ("R46", True)],
)  # fmt: skip
def test_in_winter_events_of_several_activations_count_as_operations(card, counts):
    """N26 N27 N32 N34 N28 R27 R33 R34 R35."""
    side = side_of(card)
    full = frozenset(f"operations_{side}_{each}" for each in ("a", "b", "c"))
    facts = {"turn": 11, "turn_marks": full, "flags": frozenset({"largo_caballero"})}
    assert ("16.5.2/a" in rules_against(side, card, **facts)) is counts


@pytest.mark.rule("card N34")
def test_n34_gives_operations_with_a_drm_in_every_attack():
    game = played(N, "N34")
    assert game.state.agenda[-1] == Activation(N, 4, boost=Boost("N34", 1))


@pytest.mark.rule("card N28")
def test_n28_gives_one_operation_and_one_attacking_space_to_the_republic():
    facts = {"bare": True, "units": FRONT, "flags": frozenset({"largo_caballero"}), **HELD}
    game = played(N, "N28", **facts)
    assert game.state.agenda[-1] == Activation(N, 1)
    two = Activate(attack=("barbastro", "alcaniz"))
    republic = Activation(R, 3)
    assert refusals(republic, game.before.position, two) == []
    assert refusals(republic, game.position, two) == ["card N28"]
    one = Activate(attack=("barbastro",), move=("alcaniz",))
    assert refusals(republic, game.position, one) == []
    next_turn = after(game.position, e.TurnBegan(9))
    assert refusals(republic, next_turn, two) == []
    nationalist = Activate(attack=("huesca", "zaragoza"))
    assert refusals(Activation(N, 3), game.position, nationalist) == []


@pytest.mark.rule("card N28")
def test_n28_needs_largo_caballero_and_ends_with_negrin():
    office = {"flags": frozenset({"largo_caballero"})}
    assert rules_against(N, "N28") == ["8.5.1.2"]
    assert rules_against(N, "N28", **office) == []
    assert rules_against(N, "N28", played=frozenset({"R32"}), **office) == ["8.5.1.2"]


@pytest.mark.rule("card N29")
@pytest.mark.parametrize("before, rm", [(set(), -2), ({"R32"}, -1)])
def test_n29_costs_morale_less_of_it_under_negrin(before, rm):
    assert played(N, "N29", played=frozenset(before)).score == (0, rm)


@pytest.mark.rule("card N29")
@pytest.mark.parametrize("place", ["lerida", RESERVE, ELIMINATED])
def test_n29_ends_the_poum_wherever_it_is(place):
    game = played(N, "N29", bare=True, units={place: "MIL-POUM"})
    assert where(game.position, "MIL-POUM") == [REMOVED]


@pytest.mark.rule("card N29")
def test_n29_takes_two_uses_from_the_next_round_of_the_republic():
    marks = played(N, "N29").position.turn_marks
    for use, found in (("event", ["card N29"]), ("replacements", ["card N29"]),
                       ("operations", []), ("redeployment", [])):  # fmt: skip
        assert rules_against(R, "R30", use, round=2, turn_marks=marks) == found
        assert rules_against(R, "R30", use, round=3, turn_marks=marks) == []


# --- hands --------------------------------------------------------------------------------------


@pytest.mark.rule("card N32", "card R27")
@pytest.mark.parametrize("card, other, ops", [("N32", R, 2), ("R27", N, 2)])
def test_n32_and_r27_see_the_enemy_hand_and_then_operate(card, other, ops):
    shown = table(8, hand={side_of(card): (card,), other: ("R1", "R3")}, active=side_of(card))
    game = played(side_of(card), card)
    assert game.told(e.HandShown) == []  # an empty hand shows nothing
    assert game.state.agenda[-1] == Activation(side_of(card), ops)
    event = effect_of(TABLES.cards[card]).carry_out(shown, side_of(card))
    assert event.then[0] == LookAtHand(other)
    slots = shown.decks[other].hand
    assert kernel.begin(State(shown, (LookAtHand(other),))).events == (e.HandShown(other, slots),)


@pytest.mark.rule("card N32")
def test_n32_a_hidden_hand_is_opened_by_its_owner():
    hidden = sealed(table(8, hand={R: ("R1", "R3")})).with_shown(R, "r/1/0", "R1")
    state = kernel.begin(State(hidden, (LookAtHand(R),))).state
    asked = kernel.waits_for(state)
    assert (asked.side, asked.default) == (R, ShowHand())
    opened = (e.CardOpened(R, "r/1/1", "R3"),)
    seen = (e.HandShown(R, ("r/1/0", "r/1/1")),)
    assert kernel.submit(state, ShowHand()).events == opened + seen
    public = replace(state, position=blind(state.position))
    assert [found.rule for found in kernel.violations(public, ShowHand())] == ["8.5.1.1"]
    assert kernel.learn(public, opened).events == opened + seen


# --- replacement points -------------------------------------------------------------------------


def soviet(position):
    """Soviet half points once the accounts of the Republic are opened."""
    return after(position, *open_accounts(position, R)).rp.get("SOV", 0)


@pytest.mark.rule("CC.N30", "card N30")
def test_n30_takes_all_soviet_points_of_its_turn_and_one_of_each_later():
    game = played(N, "N30", rp={"SOV": 6})
    assert soviet(game.position) == 0
    later = after(game.position, e.ReplacementsRecorded("SOV", 2))
    assert soviet(later) == 0
    next_turn = after(game.position, e.TurnBegan(9))
    assert soviet(next_turn) == 4
    assert soviet(next_turn.but(rp={"SOV": 1})) == 0
    assert rules_against(N, "N30", played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("CC.R31", "card R31")
def test_r31_ends_the_submarines_but_not_for_this_turn():
    submarines = played(N, "N30", rp={"SOV": 6}).position
    facts = {"played": submarines.played, "turn_marks": submarines.turn_marks, "rp": {"SOV": 6}}
    nyon = played(R, "R31", **facts).position
    assert soviet(nyon) == 0
    assert soviet(after(nyon, e.TurnBegan(9))) == 6
    assert rules_against(R, "R31", played=frozenset()) == ["8.5.1.2"]


# --- the north ----------------------------------------------------------------------------------

LOST_BILBAO = {"nationalist": ("bilbao",), "republican": ("santona",)}


@pytest.mark.rule("card N31")
@pytest.mark.parametrize(
    "units, choice",
    [
        ({"santona": "MIL-BAS-1", RESERVE: "MIL-BAS-2"}, {"MIL-BAS-1"}),
        ({RESERVE: "MIL-BAS-2 (MIL-BAS-3)", ELIMINATED: "MIL-BAS-4"}, {"MIL-BAS-2", "MIL-BAS-3"}),
        ({ELIMINATED: "MIL-BAS-4"}, {"MIL-BAS-4"}),
    ],
)
def test_n31_the_republic_gives_up_a_basque_militia_the_nearest_first(units, choice):
    game = played(N, "N31", bare=True, units=units, **LOST_BILBAO)
    assert game.asks.side == R and game.score == (0, -1)
    assert set(game.asks.options[0].fields["unit"].values) == choice
    assert game.faults(Remove("MIL-BAS-5")) == ["8.5.1.1"]
    game.say(Remove(max(choice)))
    assert where(game.position, max(choice)) in (["removed"], ["(removed)"])


@pytest.mark.rule("card N31")
@pytest.mark.parametrize(
    "corps, end", [("R-EUZKADI", "(santona)"), ("(R-EUZKADI)", "(eliminated)")]
)
def test_n31_the_basque_corps_loses_a_step(corps, end):
    game = played(N, "N31", bare=True, units={"santona": corps, RESERVE: "MIL-BAS-1"},
                  **LOST_BILBAO).finish()  # fmt: skip
    assert where(game.position, "R-EUZKADI") == [end]
    assert game.told(e.CorpsReplaced) == []


@pytest.mark.rule("card N31")
def test_n31_a_standing_policy_may_choose_the_militia():
    units = {"santona": "MIL-BAS-1 (MIL-BAS-2) MIL-BAS-3"}
    game = played(N, "N31", bare=True, units=units, **LOST_BILBAO)
    full_first = {"forced": {"N31": ["full"]}, "scope": {"ask": [{"any": True}]}}
    for policy, unit in (
        ({}, "MIL-BAS-2"),
        ({"forced": {"N31": ["MIL-BAS-3"]}}, "MIL-BAS-3"),
        (full_first, "MIL-BAS-1"),
    ):
        assert faults(game.position, R, policy) == ()
        (sealed,) = parts(game.position, R, policy)
        assert covers(game.state, game.asks, "standing", sealed["scope"], sealed["until"])
        assert answer(game.state, game.asks, sealed["doc"]) == Remove(unit)
    for wrong in ({"N30": ["full"]}, {"N31": ["nobody"]}):
        assert len(faults(game.position, R, {"forced": wrong})) == 1
    assert len(faults(game.position, R, {"forced": ["full"]})) == 1


def test_n31_asks_nobody_without_a_basque_militia():
    assert played(N, "N31", bare=True, **LOST_BILBAO).question == ""


@pytest.mark.rule("card N31")
@pytest.mark.parametrize(
    "held", [{"republican": ("bilbao", "santona")}, {"nationalist": ("bilbao", "santona")}]
)
def test_n31_needs_bilbao_nationalist_and_santona_republican(held):
    assert rules_against(N, "N31", **held) == ["8.5.1.2"]


@pytest.mark.rule("10.2.3/a", "card N35")
@pytest.mark.parametrize("fort", [Fort("position", R), Fort("trench", R, "bilbao")])
def test_n35_removes_what_stands_in_bilbao_for_good(fort):
    facts = {"bare": True, "republican": ("bilbao",), "units": {"bilbao": "R-EUZKADI"}}
    game = played(N, "N35", forts={"bilbao": fort}, digging={"bilbao": -1}, **facts)
    assert "bilbao" not in game.position.forts and not game.position.digging
    assert game.position.lost_forts == ({"bilbao": 1} if fort.special else {})
    assert rules_against(R, "R4", played=frozenset({"N35"}), **facts) == ["8.5.1.2"]
    for kind, special in (("position", ""), ("trench", "works")):
        places = Fortifying(R, kind, special, 3, "supplied").spaces(game.position)
        assert "bilbao" not in places and "gijon" in places
    assert rules_against(N, "N35", nationalist=("bilbao",)) == ["8.5.1.2"]


# --- strategic counterattacks -------------------------------------------------------------------


@pytest.mark.rule("8.5.5.2", "card R33", "card R34", "card R35", "card R46")
@pytest.mark.parametrize(
    "card, ops, terrain", [("R33", 3, False), ("R34", 3, False), ("R35", 4, True), ("R46", 5, True)]
)
def test_r33_r34_r35_and_r46_give_operations_with_a_drm(card, ops, terrain):
    game = played(R, card, turn=13)
    boost = Boost(card, 1, terrain_free=terrain, marks_victories=True)
    assert game.state.agenda[-2:] == (Prize(R, card), Activation(R, ops, boost=boost))
    assert rules_against(R, card, turn=13, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("8.5.5.1", "card R34")
def test_r34_is_the_only_counterattack_of_its_turn():
    marks = played(R, "R33").position.turn_marks
    assert rules_against(R, "R34", turn_marks=marks) == ["8.5.5.1"]


COUNTER = {"bare": True, "rm": 12, "units": {"barbastro": "RPA-1 RPA-2 RPA-3",
           "sarinena": "RPA-4 RPA-5 RPA-6", "huesca": "(N-MIL-1)", "lecinena": "(N-MIL-2)"},
           "republican": ("barbastro", "sarinena"),
           "nationalist": ("huesca", "lecinena")}  # fmt: skip


def attacks(card, *spaces, cancel="", **facts):
    """The card, and won attacks with an advance on these spaces."""
    game = played(R, card, turn=13, **{**COUNTER, **facts})
    game.say(Activate(attack=("barbastro", "sarinena")))
    origin = {"huesca": "barbastro", "lecinena": "sarinena"}
    for space in spaces:
        units = game.position.units_in(origin[space])
        plan = {"cancel_terrain": space == cancel}
        game.say(Attack(space, {origin[space]: units}, **plan)).roll(6, 1)
        while game.question not in ("advance", "combat", ""):
            game.default()
        if game.question == "advance":
            game.say(type(game.asks.default)((units[0],), (space,)))
            while game.question == "advance":
                game.default()
    while game.question in ("combat", "advance"):
        game.default()
    return game


@pytest.mark.rule("8.5.5.3", "8.5.5.4", "16.3.4", "card R33")
def test_r33_one_conquest_wins_the_bonus_by_itself():
    game = attacks("R33", "huesca")
    assert game.question == ""
    assert game.position.bonuses == {"huesca": "R33"}
    assert e.ScoreChanged(0, 1, "bonus", "R33") in game.events


@pytest.mark.rule("8.5.5.4", "16.3.4", "card R46")
@pytest.mark.parametrize("card, vp, rm", [("R33", 0, 1), ("R46", -1, 0)])
def test_a_bonus_is_in_points_or_in_morale(card, vp, rm):
    told = won_bonus(table(), card, "huesca").events
    assert told == (rare.BonusPlaced("huesca", card), e.ScoreChanged(vp, rm, "bonus", card))


@pytest.mark.rule("8.5.5.3", "card R34")
def test_r34_the_republic_chooses_among_its_conquests_after_all_attacks():
    game = attacks("R34", "huesca", "lecinena")
    assert (game.question, game.asks.side) == ("bonus of a counterattack", R)
    assert game.faults(Bonus("teruel")) == ["8.5.5.3"]
    game.say(Bonus("lecinena"))
    assert game.position.bonuses == {"lecinena": "R34"} and game.question == ""


@pytest.mark.rule("8.5.5.3", "card R33")
def test_r33_without_a_victory_there_is_no_bonus():
    game = played(R, "R33", turn=13, **COUNTER).say(Activate())
    assert game.position.bonuses == {} and game.question == ""


@pytest.mark.rule("8.5.5.3", "card R35")
@pytest.mark.parametrize("cancel, bonuses", [("lecinena", {"lecinena": "R35"}), ("", {})])
def test_r35_only_the_attack_without_terrain_wins_the_bonus(cancel, bonuses):
    assert attacks("R35", "huesca", "lecinena", cancel=cancel).position.bonuses == bonuses


@pytest.mark.rule("8.5.5.5", "8.5.5.3", "card R33")
@pytest.mark.parametrize("die, bonuses", [(5, {}), (3, {"huesca": "R33"})])
def test_r33_a_conquest_that_a_retreat_retakes_wins_no_bonus(die, bonuses):
    """Both corps go on to Ejea, and those beaten in Lecinena retreat into empty Huesca, or not."""
    units = {"barbastro": "R-V R-XVIII", "sarinena": "R-I R-II", "zaragoza": "RPA-6",
             "candasnos": "RPA-5", "jaca": "RPA-4", "huesca": "INF-1 INF-2 INF-3",
             "lecinena": "INF-4 INF-5 INF-6"}  # fmt: skip
    held = ("barbastro", "sarinena", "zaragoza", "candasnos", "jaca")
    game = played(R, "R33", turn=13, bare=True, rm=12, units=units, republican=held,
                  nationalist=("huesca", "lecinena", "ejea", "tudela"))  # fmt: skip
    game.say(Activate(attack=("barbastro", "sarinena")))
    corps = ("R-V", "R-XVIII")
    game.say(Attack("huesca", {"barbastro": corps}, advance=AdvancePlan(corps, ("huesca", "ejea"))))
    game.roll(6, 1).by_default("losses", "retreat")
    assert game.position.units_in("huesca") == () and game.position.controls(R, "huesca")
    game.say(Attack("lecinena", {"sarinena": ("R-I", "R-II")})).roll(2, die)
    game.finish()
    assert game.position.controls(N, "huesca") == (not bonuses)
    assert game.position.bonuses == bonuses
    assert (e.ScoreChanged(0, 1, "bonus", "R33") in game.events) == bool(bonuses)


@pytest.mark.rule("8.5.5.5", "card R33")
def test_r33_the_bonus_is_lost_with_the_space():
    won = attacks("R33", "huesca").position
    for unit in won.units_in("huesca"):
        won = won.with_unit(unit, POOL)
    story = Unfolding(won)
    take_space(story, "huesca", N)
    assert story.position.bonuses == {}
    assert e.ScoreChanged(0, -1, "bonus lost", "R33") in story.events


# --- the list -----------------------------------------------------------------------------------


def test_every_event_of_the_mobilization_is_played_through_a_registered_function():
    cards = [c for c in TABLES.cards.values() if c.phase == "mobilization" and c.kind != "combat"]
    assert [card.id for card in cards if effect_of(card) is None] == []
    said = [line for card in cards for line in refused(card.side, card.id)]
    assert not any("not in this version" in line for line in said)
