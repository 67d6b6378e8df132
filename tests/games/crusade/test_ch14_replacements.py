"""Chapter 14 and 16.1.8: what is recorded, what is lost, what points buy."""

from __future__ import annotations

import random

import pytest

from pbem.engine.kernel import begin, submit, violations, waits_for
from pbem.engine.model import State
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import Deploy, Done, Play, Rebuild, Replace, Supply
from pbem.games.crusade.position import ABROAD, ELIMINATED, REMOVED, RESERVE
from pbem.games.crusade.remarks import remarks
from pbem.games.crusade.rules import reinforcement
from pbem.games.crusade.rules import replacement as rules
from pbem.games.crusade.rules.supply import zone_of
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.games.crusade.stages.replacements import Replacements, Spending
from pbem.games.crusade.stages.round import PlayCard
from tests.bots import legal_samples
from tests.games.crusade.board import STARTS, N, R, after, refusals, table

CAMPAIGN = STARTS["campaign"]
RICH = {"NAT": 8, "AXIS": 8, "REP": 8, "SOV": 8}


def refused(position, order, side=N, **fields):
    return refusals(Spending(side, **fields), position, order)


def begun(position, side):
    """The first question of a side's Replacement Phase."""
    return begin(State(position, (Replacements(side),)))


# --- recording ----------------------------------------------------------------------------------


@pytest.mark.rule("8.4.1", "8.4.2")
@pytest.mark.parametrize("card, halves", [("R13", {"REP": 6}), ("R15", {"REP": 2})])
def test_a_card_records_its_own_points_and_no_foreign_ones_without_aid(card, halves):
    assert after(CAMPAIGN, *rules.recorded(CAMPAIGN, R, card)).rp == halves


@pytest.mark.rule("8.4.2")
def test_a_card_for_replacements_is_all_that_its_round_does():
    position = table(7, hand={R: ["R1"]}, round=2, active=R)
    played = PlayCard(R).resolve(position, Play("R1", "replacements"))
    assert (played.then, played.keep) == ((), None)
    operations = PlayCard(R).resolve(position, Play("R1", "operations"))
    assert operations.then != ()


@pytest.mark.rule("8.4.1", "14.1.1.1")
def test_foreign_points_are_recorded_once_the_aid_is_played():
    aided = table(played=frozenset({"N2"}))
    assert after(aided, *rules.recorded(aided, N, "N1")).rp == {"NAT": 4, "AXIS": 2}
    assert after(aided, *rules.recorded(aided, R, "R13")).rp == {"REP": 6}


@pytest.mark.rule("14.1.1.1", "card R49")
def test_points_that_are_not_recorded_are_told_before_and_after():
    told = rare.ReplacementsWithheld
    play = State(CAMPAIGN.but(turn=3, round=1, active=R), (PlayCard(R),))
    assert told("SOV", 4) in rules.recorded(CAMPAIGN, R, "R1")
    assert list(map(str, remarks(play, Play("R1", "replacements")))) == [
        "2 points of SOV on R1 are not recorded: the event of R2 has not been played (14.1.1.1)"
    ]
    assert list(map(str, remarks(play, Play("R1", "operations")))) == []
    aided = table(played=frozenset({"R2"}))
    assert not any(isinstance(each, told) for each in rules.recorded(aided, R, "R1"))
    assert list(map(str, remarks(State(aided, (PlayCard(R),)), Play("R1", "replacements")))) == []
    spent = table(played=frozenset({"R2", "R49"}))
    assert told("REP", 6) in rules.recorded(spent, R, "R1")


@pytest.mark.rule("14.1.2", "12.1.4")
def test_points_about_to_lapse_are_told():
    rich = CAMPAIGN.but(rp={"NAT": 3, "AXIS": 2})
    assert list(map(str, remarks(State(rich, (Spending(N),)), Done()))) == [
        "1.5 points of NAT lapse unspent (14.1.2)",
        "1 point of AXIS lapses unspent (14.1.2)",
    ]
    assert list(map(str, remarks(State(CAMPAIGN.but(rp={}), (Spending(N),)), Done()))) == []
    assert list(map(str, remarks(State(rich, (Redeployment(N, 3),)), Done()))) == [
        "1.5 points of redeployment lapse (12.1.4)"
    ]


# --- Main Cities and events ---------------------------------------------------------------------


@pytest.mark.rule("14.2.1", "14.2.2", "14.2.3")
@pytest.mark.parametrize(
    "nationalist, republican, rep, nat",
    [
        ((), (), 0, 0),
        (("madrid",), ("zaragoza",), 0, 0),
        (("madrid", "valencia"), (), 2, 0),
        ((), ("zaragoza", "sevilla"), 0, 2),
    ],
)
def test_a_point_is_lost_for_each_main_city_fewer(nationalist, republican, rep, nat):
    position = table(nationalist=nationalist, republican=republican)
    assert (rules.missing_cities(position, R), rules.missing_cities(position, N)) == (rep, nat)


@pytest.mark.rule("14.2.5")
@pytest.mark.parametrize(
    "nationalist, republican, rep, nat",
    [
        (("bilbao",), (), 0, 0),
        (("bilbao",), ("zaragoza",), 0, 1),
        (("bilbao", "santander"), ("zaragoza",), 0, 1),
        (("bilbao", "santander", "gijon"), ("zaragoza",), 0, 0),
        (("bilbao", "santander", "gijon"), (), 1, 0),
        (("bilbao", "madrid"), (), 1, 0),
    ],
)
def test_bilbao_counts_as_republican_until_the_three_northern_sources_fall(
    nationalist, republican, rep, nat
):
    position = table(nationalist=nationalist, republican=republican)
    assert (rules.missing_cities(position, R), rules.missing_cities(position, N)) == (rep, nat)


@pytest.mark.rule("14.2.4")
def test_lost_cities_never_take_more_than_there_is_and_no_foreign_points():
    position = table(nationalist=("madrid", "valencia"), rp={"REP": 2, "SOV": 4})
    assert rules.open_accounts(position, R) == (
        rare.ReplacementsAdjusted("REP", -2, ("Main Cities lost",)),
    )


@pytest.mark.rule("14.2.2")
def test_lasting_events_and_lost_cities_are_summed_before_the_floor():
    # reading: Q29
    position = table(nationalist=("madrid",), rp={"REP": 2}, played=frozenset({"R43"}))
    assert rules.open_accounts(position, R) == ()
    poor = table(nationalist=("madrid", "valencia"), rp={"REP": 0}, played=frozenset({"R43"}))
    assert rules.open_accounts(poor, R) == ()


@pytest.mark.rule("CC.N30", "CC.R31")
@pytest.mark.parametrize(
    "played, marks, left",
    [
        ({"N30"}, {"no_SOV"}, 0),
        ({"N30"}, (), 4),
        ({"N30", "R31"}, (), 6),
        ({"N30", "R31"}, {"no_SOV"}, 0),
        ({"N41", "N49"}, (), 2),
    ],
)
def test_soviet_points_shrink_under_nationalist_events(played, marks, left):
    position = table(rp={"SOV": 6}, played=frozenset(played), turn_marks=frozenset(marks))
    assert after(position, *rules.open_accounts(position, R)).rp["SOV"] == left


@pytest.mark.rule("CC.R42")
@pytest.mark.parametrize("recorded, left", [(0, 0), (2, 12), (4, 14)])
def test_the_french_border_adds_only_to_points_that_are_there(recorded, left):
    # reading: Q31
    position = table(rp={"SOV": recorded}, turn_marks=frozenset({"adds_points_R42"}))
    assert after(position, *rules.open_accounts(position, R)).rp["SOV"] == left


@pytest.mark.rule("CC.R42", "card N41", "card N49")
@pytest.mark.parametrize("recorded, played, wiped, left", [
    (2, "N41", "", 10), (2, "N41 N49", "", 10), (4, "N41", "", 12), (2, "N30", "", 10),
    (0, "N41", "", 0), (2, "N41", "no_SOV", 0),
])  # fmt: skip
def test_what_older_events_take_does_not_close_the_french_border(recorded, played, wiped, left):
    # reading: Q31
    marks = frozenset({"adds_points_R42", *wiped.split()})
    position = table(rp={"SOV": recorded}, played=frozenset(played.split()), turn_marks=marks)
    assert after(position, *rules.open_accounts(position, R)).rp["SOV"] == left


@pytest.mark.rule("CC.R42")
def test_the_french_border_adds_points_of_no_other_kind():
    marks = frozenset({"adds_points_R42"})
    position = table(rp={"REP": 4}, turn_marks=marks)
    assert rules.open_accounts(position, R) == ()


@pytest.mark.rule("8.4.1", "14.1.1.1")
def test_of_what_a_card_does_not_give_nothing_is_told():
    for position in (CAMPAIGN, table(played=frozenset({"N2", "R2"}))):
        for card in position.tables.cards.values():
            for event in rules.recorded(position, card.side, card.id):
                assert event.halves > 0


# --- replacing steps ----------------------------------------------------------------------------


@pytest.mark.rule("14.1.2")
@pytest.mark.parametrize("unit, ok", [("INF-7", True), ("INF-8", False), ("INF-1", False)])
def test_only_units_in_play_with_a_step_lost_are_restored(unit, ok):
    position = table(rp=RICH, units={ELIMINATED: "(INF-1)"})
    assert refused(position, Replace(unit)) == ([] if ok else ["14.1.2"])


@pytest.mark.rule("14.1.2")
def test_a_reduced_unit_in_the_reserve_is_restored():
    assert refused(table(rp=RICH, units={RESERVE: "(INF-1)"}), Replace("INF-1")) == []


@pytest.mark.rule("14.1.2")
def test_the_hint_names_the_units_that_can_be_restored():
    units = {"sevilla": "INF-5 (INF-1)", RESERVE: "(INF-2)", ELIMINATED: "(INF-3)",
             "madrid": "(R-MIL-1)"}  # fmt: skip
    position = table(bare=True, rp=RICH, units=units)
    (found,) = Spending(N).check(position, Replace("INF-5"))
    assert str(found.hint) == "your reduced units: INF-1, INF-2"
    (found,) = Spending(R).check(position, Replace("R-MIL-2"))
    assert str(found.hint) == "your reduced units: R-MIL-1"


@pytest.mark.rule("14.1.2")
@pytest.mark.parametrize("at, ok", [("", True), ("sevilla", True), ("cadiz", False)])
def test_a_place_written_with_the_unit_is_where_it_stands(at, ok):
    position = table(rp=RICH, units={"sevilla": "(INF-1)"})
    assert refused(position, Replace("INF-1", at=at)) == ([] if ok else ["14.1.2"])


@pytest.mark.rule("14.1.3")
@pytest.mark.parametrize(
    "unit, halves, ok",
    [("INF-7", 1, True), ("INF-7", 0, False), ("N-I", 2, True), ("N-I", 1, False)],
)
def test_a_step_of_a_division_costs_half_a_point_and_of_a_corps_a_point(unit, halves, ok):
    position = table(rp={"NAT": halves, "AXIS": 0}, units={"zaragoza": "(N-I)"})
    assert refused(position, Replace(unit)) == ([] if ok else ["14.1.3"])


@pytest.mark.rule("14.1.1.2", "14.1.1.3")
@pytest.mark.parametrize(
    "unit, currencies",
    [
        ("INF-1", ("NAT", "AXIS")),
        ("ITA-1", ("AXIS",)),
        ("PZ-I-1", ("AXIS",)),
        ("N-CTV", ("AXIS",)),
        ("R-MIL-1", ("REP", "SOV")),
        ("INT-XI", ("SOV",)),
        ("T-26-1", ("SOV",)),
        ("AFR-1", ()),
    ],
)
def test_which_points_pay_for_whom(unit, currencies):
    position = table(units={"burgos": unit})
    assert rules.currencies_for(position, unit) == currencies


@pytest.mark.rule("14.1.1")
def test_a_price_is_paid_from_ones_own_points_first_or_from_those_named():
    position = table(rp={"NAT": 1, "AXIS": 3})
    both = ("NAT", "AXIS")
    assert rules.payment(position, both, 2) == (("NAT", 1), ("AXIS", 1))
    assert rules.payment(position, both, 2, "AXIS") == (("AXIS", 2),)
    assert rules.payment(position, both, 2, "NAT") is None
    assert refused(position, Replace("INF-7", using="REP")) == ["14.1.1"]
    assert refused(position, Replace("R-MIL-1")) == ["14.1.1"]


@pytest.mark.rule("14.1.6")
def test_the_army_of_africa_takes_none():
    position = table(rp=RICH, units={"sevilla": "(AFR-1)", ELIMINATED: "AFR-2"})
    assert refused(position, Replace("AFR-1")) == ["14.1.6"]
    assert refused(position, Rebuild("AFR-2")) == ["14.1.6"]


@pytest.mark.rule("13.3.2")
def test_out_of_supply_nothing_arrives():
    position = table(6, rp=RICH, units={"oviedo": "(INF-5)"}, isolated=frozenset())
    assert refused(position, Replace("INF-5")) == ["13.3.2"]


@pytest.mark.rule("14.1.7")
@pytest.mark.parametrize("bilbao, ok", [((), True), (("bilbao",), False)])
def test_a_regional_corps_abroad_needs_its_own_source(bilbao, ok):
    position = table(8, rp=RICH, units={"cangas_de_onis": "(R-EUZKADI)"}, nationalist=bilbao)
    assert refused(position, Replace("R-EUZKADI"), R) == ([] if ok else ["14.1.7"])


@pytest.mark.rule("14.1.7")
def test_away_from_home_a_division_and_a_corps_in_the_reserve_need_no_source():
    home = ("gijon", "bilbao")
    guest = table(8, rp=RICH, units={"santander": "(MIL-AST-1)", **dict.fromkeys(home, "")},
                  nationalist=home)  # fmt: skip
    assert refused(guest, Replace("MIL-AST-1"), R) == []
    resting = table(8, rp=RICH, units={RESERVE: "(R-EUZKADI)"}, nationalist=home)
    assert refused(resting, Replace("R-EUZKADI"), R) == []


@pytest.mark.rule("14.1.7")
def test_a_source_that_stands_but_is_not_joined_does_not_serve():
    cut = ("san_vicente", "pto_del_escudo")
    position = table(8, rp=RICH, units={"cangas_de_onis": "(R-EUZKADI)", **dict.fromkeys(cut, "")},
                     nationalist=cut)  # fmt: skip
    assert "bilbao" not in zone_of(position, R, "cangas_de_onis")
    assert refused(position, Replace("R-EUZKADI"), R) == ["14.1.7"]


@pytest.mark.rule("16.2.4.2")
def test_an_isolated_group_takes_one_point_a_turn_and_no_axis_points():
    position = table(
        rp={"NAT": 2, "AXIS": 8}, nationalist=("guadix",),
        units={"granada": "(N-MIL-8)", "guadix": "(INF-17)"},
    )  # fmt: skip
    state = submit(State(position, (Spending(N),)), Replace("N-MIL-8")).state
    assert state.position.rp == {"NAT": 0, "AXIS": 8}
    again = state.position.but(rp=RICH)
    assert refusals(state.agenda[-1], again, Replace("INF-17")) == ["16.2.4.2"]
    assert refused(position.but(rp={"AXIS": 8}), Replace("INF-17")) == ["14.1.3"]
    assert refused(position.but(rp={"NAT": 1}), Replace("INF-17")) == ["16.2.4.2/a"]


@pytest.mark.rule("16.2.4.2", "16.2.4.2/a")
def test_no_corps_fits_the_point_of_an_isolated_group():
    # reading: Q33
    position = table(5, rp=RICH, units={"oviedo": "(N-I)"})
    assert refused(position, Replace("N-I")) == ["16.2.4.2"]


# --- rebuilding ---------------------------------------------------------------------------------


@pytest.mark.rule("14.1.4")
@pytest.mark.parametrize("steps, cost, reduced", [(1, 1, True), (2, 2, False)])
def test_a_division_is_rebuilt_in_the_reserve(steps, cost, reduced):
    position = table(rp={"NAT": 4}, units={ELIMINATED: "(INF-1)"})
    state = submit(State(position, (Spending(N),)), Rebuild("INF-1", steps)).state
    assert state.position.counters["INF-1"].place == RESERVE
    assert state.position.is_reduced("INF-1") is reduced
    assert state.position.rp["NAT"] == 4 - cost


@pytest.mark.rule("14.1.4")
def test_a_division_has_two_steps_and_no_choice_of_place():
    position = table(rp=RICH, units={ELIMINATED: "INF-1"})
    assert refused(position, Rebuild("INF-1", 3)) == ["14.1.4"]
    assert refused(position, Rebuild("INF-1", 0)) == ["14.1.4"]
    assert refused(position, Rebuild("INF-1", 1, to="burgos")) == ["14.1.4"]


@pytest.mark.rule("14.1.2")
def test_what_is_out_for_good_stays_out():
    position = table(rp=RICH, units={REMOVED: "INF-1"})
    assert refused(position, Rebuild("INF-1")) == ["14.1.2"]


@pytest.mark.rule("14.1.5", "8.5.2.4", "8.5.2.4/a", "8.5.2.4/b")
@pytest.mark.parametrize("to, rules", [
    ("valencia", []), ("madrid", []), ("badajoz", ["8.5.2.4/b"]), ("albacete", ["14.1.5"]),
    ("menorca", ["8.5.2.4/h"]), ("mallorca", ["14.1.5"]), ("", ["14.1.5"]),
])  # fmt: skip
def test_a_corps_is_rebuilt_at_a_source_or_in_madrid(to, rules):
    position = table(8, rp=RICH, units={ELIMINATED: "R-V", "badajoz": ""})
    assert refused(position, Rebuild("R-V", 2, to=to), R) == rules


@pytest.mark.rule("14.1.4", "14.1.5")
@pytest.mark.parametrize("unit, rule", [("INF-1", "14.1.4"), ("N-V", "14.1.5")])
def test_nothing_is_rebuilt_with_three_steps(unit, rule):
    position = table(8, rp=RICH, units={ELIMINATED: unit})
    to = "zaragoza" if unit == "N-V" else ""
    assert refused(position, Rebuild(unit, 3, to=to)) == [rule]


@pytest.mark.rule("14.1.5")
def test_a_rebuilt_corps_costs_a_point_a_step():
    position = table(8, rp={"REP": 3}, units={ELIMINATED: "R-V"})
    assert refused(position, Rebuild("R-V", 2, to="madrid"), R)
    state = submit(State(position, (Spending(R),)), Rebuild("R-V", 1, to="madrid")).state
    assert state.position.place_of("R-V") == "madrid"
    assert state.position.is_reduced("R-V")
    assert state.position.rp["REP"] == 1


@pytest.mark.rule("8.5.2.4/c", "8.5.2.4/d", "8.5.2.4/e", "16.4.3.2/d")
@pytest.mark.parametrize(
    "unit, spaces",
    [("R-EUZKADI", ["bilbao"]), ("R-SANTANDER", ["santander"])],
)
def test_regional_corps_come_in_at_home(unit, spaces):
    position = CAMPAIGN.but(rp=RICH).with_unit(unit, ELIMINATED)
    rule = {"R-EUZKADI": "8.5.2.4/c", "R-SANTANDER": "8.5.2.4/d"}[unit]
    assert refused(position, Rebuild(unit, to="madrid"), R) == [rule]
    assert refused(position, Rebuild(unit, to=spaces[0]), R) == []
    assert list(reinforcement.corps_spaces(CAMPAIGN, unit)) == spaces


@pytest.mark.rule("8.5.2.4/e")
def test_asturian_corps_come_in_anywhere_in_asturias():
    spaces = reinforcement.corps_spaces(CAMPAIGN, "R-AST-I")
    assert {CAMPAIGN.space(space).region for space in spaces} == {"asturias"}
    assert "gijon" in spaces and "oviedo" not in spaces


@pytest.mark.rule("8.5.2.4/f", "16.4.3.2/b")
@pytest.mark.parametrize("ok", [False, True])
def test_other_corps_come_to_the_north_only_while_it_is_joined(ok):
    way = ("somosierra", "aranda_de_duero", "burgos", "pancorbo", "vitoria", "dobro")
    position = table(8, republican=way if ok else ())
    assert ("bilbao" in reinforcement.corps_spaces(position, "R-V")) is ok


@pytest.mark.rule("8.5.2.4/b")
def test_badajoz_is_closed_by_its_rule_to_the_republic_alone():
    for unit, side, rule in (("R-V", "republican", "8.5.2.4/b"), ("N-I", "nationalist", "")):
        position = table(8, **{side: ("badajoz",)})
        found = reinforcement.has_to_come_in_at(position, (), unit, "badajoz", "")
        assert [each.rule for each in found] == [rule]


@pytest.mark.rule("8.5.2.4/g")
def test_the_ctv_comes_in_at_a_port():
    spaces = reinforcement.corps_spaces(CAMPAIGN, "N-CTV")
    assert "cadiz" in spaces and "la_coruna" in spaces
    assert "sevilla" not in spaces


@pytest.mark.rule("8.5.2.4/h")
def test_no_corps_comes_in_on_an_island():
    assert "mallorca" not in reinforcement.corps_spaces(CAMPAIGN, "N-I")


@pytest.mark.rule("16.2.4.1")
def test_nobody_comes_in_where_supply_is_isolated():
    # Málaga has a port, but the Republic holds the Strait and land leads to isolated Granada only.
    position = table(nationalist=("malaga", "velez_malaga"))
    assert "malaga" not in reinforcement.corps_spaces(position, "N-CTV")


# --- sieges -------------------------------------------------------------------------------------


@pytest.mark.rule("16.1.8", "16.1.8.1")
@pytest.mark.parametrize(
    "name, resistance, rules",
    [("alcazar", 2, []), ("alcazar", 3, ["16.1.8.1"]), ("numancia", 1, ["16.1.8"])],
)
def test_a_siege_gets_a_point_up_to_what_it_began_with(name, resistance, rules):
    position = table(rp=RICH, sieges={"alcazar": resistance})
    assert refused(position, Supply(name)) == rules


@pytest.mark.rule("16.1.8.1")
def test_a_siege_gets_one_point_a_turn():
    position = table(rp=RICH, sieges={"alcazar": 1})
    state = submit(State(position, (Spending(N),)), Supply("alcazar")).state
    assert state.position.sieges == {"alcazar": 2}
    assert state.position.rp["NAT"] == 6
    assert refusals(state.agenda[-1], state.position, Supply("alcazar")) == ["16.1.8.1"]


@pytest.mark.rule("16.1.8", "16.1.8.2")
def test_a_siege_takes_no_axis_points_and_is_never_raised_again():
    axis = table(rp={"AXIS": 8}, sieges={"alcazar": 1})
    assert refused(axis, Supply("alcazar")) == ["16.1.8"]
    assert refused(table(rp=RICH, sieges={"simancas": 1}), Supply("alcazar")) == ["16.1.8.2"]
    assert refused(table(6, rp=RICH, sieges={}), Supply("alcazar")) == ["16.1.8.2"]
    assert refused(table(rp=RICH, sieges={"alcazar": 1}), Supply("alcazar"), R) == ["16.1.8"]


@pytest.mark.rule("16.1.8.3")
def test_after_the_war_of_the_columns_no_siege_gets_a_point():
    position = table(6, rp=RICH, sieges={"alcazar": 1})
    assert refused(position, Supply("alcazar")) == ["16.1.8.3"]


# --- the phase ----------------------------------------------------------------------------------


@pytest.mark.rule("14.1.2", "6.0.E.1", "6.0.E.2")
def test_what_is_not_spent_is_lost():
    state = begun(table(rp={"NAT": 2, "REP": 2}), N).state
    advance = submit(state, Done())
    assert advance.events == (rare.ReplacementsLapsed(("NAT",)),)
    assert advance.state.position.rp == {"REP": 2}
    assert waits_for(advance.state) is None


@pytest.mark.rule("8.4.4")
def test_nobody_is_asked_who_can_buy_nothing():
    assert waits_for(begun(table(rp={}), N).state) is None
    assert waits_for(begun(table(rp={"AXIS": 1}, units={"jaca": "INF-7"}), R).state) is None


@pytest.mark.rule("13.4.3/b")
def test_a_corps_comes_back_over_the_border_in_its_turn():
    away = {"units": {ABROAD: "(R-V)"}, "returning": {"R-V": 12}}
    assert waits_for(begun(table(11, **away), R).state) is None
    state = begun(table(12, **away), R).state
    assert violations(state, Deploy("R-V", "albacete"))
    state = submit(state, Deploy("R-V", "madrid")).state
    assert state.position.place_of("R-V") == "madrid"
    assert state.position.is_reduced("R-V")
    assert state.position.returning == {}


def test_what_is_offered_is_legal_and_so_is_the_default():
    position = table(
        3, rp=RICH, sieges={"alcazar": 1}, units={"gijon": "(MIL-AST-1)", ELIMINATED: "INF-1 R-V"}
    )
    for side in (N, R):
        state = begun(position, side).state
        orders = list(legal_samples(state, random.Random(14), tries=40))
        assert len({type(order) for order in orders}) >= 3
        assert not violations(state, waits_for(state).default)


@pytest.mark.rule("14.1.3", "14.1.4")
def test_the_replacements_of_the_extended_example():
    position = table(
        1,
        rp={"REP": 6, "NAT": 4},
        units={
            "zafra": "(R-MIL-16) (R-POL-2)",
            "pto_de_la_espina": "(MIL-AST-1) MIL-AST-2 MIL-AST-3",
            "penarroya": "(R-MIL-15)",
            ELIMINATED: "R-MIL-14 R-POL-7",
            "jerez_de_los_caballeros": "INF-15 (N-POL-4)",
        },
        nationalist=("jerez_de_los_caballeros", "riotinto"),
    )
    state = begun(position, R).state
    for order in (
        Replace("R-MIL-16"),
        Replace("R-POL-2"),
        Replace("MIL-AST-1"),
        Replace("R-MIL-15"),
        Rebuild("R-MIL-14", 2),
    ):
        state = submit(state, order).state
    assert waits_for(state) is None
    assert state.position.units_in(RESERVE, R) == ("R-MIL-14", "R-MIL-23", "R-MIL-24")
    state = begun(state.position, N).state
    for unit in ("N-POL-4", "MIL-NAV-4", "INF-18", "INF-7"):
        state = submit(state, Replace(unit)).state
    assert waits_for(state) is None
    left = state.position
    reduced = [unit for unit in left.counters if left.is_reduced(unit) and left.side_of(unit) == N]
    assert reduced == ["INF-10", "N-MIL-8"]
