"""What cannot be given now: the rule that says why, for every verb at every question."""

import random
import re
from pathlib import Path

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.games.crusade.not_now import BY_OPTION, HOMES, NO_RULE, why_not_now
from pbem.games.crusade.orders import (
    VERBS,
    Activate,
    CancelRetreat,
    Done,
    Play,
    Redeploy,
    Replace,
    Supply,
)
from pbem.games.crusade.position import Combat, Fort
from pbem.games.crusade.rules.redeployment import sails_from_port_to_port
from pbem.games.crusade.stages.combat.defence import DefendersCards
from pbem.games.crusade.stages.combat.retreat import FallBack
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.games.crusade.stages.replacements import Spending
from pbem.games.crusade.stages.round import Landing, PlayCard
from pbem.play.table import Illegal, Table
from tests.contract.playing import every_beginning, playout, some_options, system
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field

SEATS = {"A": N, "B": R}


def questions():
    """One state for each question that random games ask, with the rules of several options."""
    found = {}
    for slug, scenario in every_beginning():
        if slug != "crusade":
            continue
        for seed in range(3):
            options = some_options(slug, scenario, random.Random(seed)) if seed else ()
            for moment in playout(slug, scenario, seed, options=options):
                if moment.decision is not None:
                    found.setdefault(moment.decision.stage, moment.state)
    return found


@pytest.fixture(scope="module")
def asked():
    return questions()


def test_every_verb_has_its_time_or_is_known_to_have_no_rule():
    assert {*HOMES, *BY_OPTION, *NO_RULE} == set(VERBS)
    assert not {*HOMES} & {*BY_OPTION, *NO_RULE}


def test_who_is_silent_means_nothing_further_where_that_is_said(asked):
    """`optional` is said of the questions whose default does nothing, and of no other."""
    for stage, state in asked.items():
        decision = kernel.waits_for(state)
        nothing = decision.default in (Done(), Activate())
        assert decision.optional is nothing, stage


@pytest.mark.parametrize("verb", VERBS)
def test_verb_by_question(verb, asked):
    """Each verb at each question that does not ask for it is refused by a rule that there is."""
    numbers = rule_numbers()
    assert len(asked) > 15
    for stage, state in asked.items():
        decision = kernel.waits_for(state)
        if any(option.order is VERBS[verb] for option in decision.options):
            continue
        why = why_not_now(state, VERBS[verb])
        if verb in NO_RULE:
            assert why is None
            continue
        assert why is not None and str(why.message) and why.rule in numbers, (verb, stage)


def rule_numbers():
    """Every number of the rulebook that the program keeps."""
    book = Path("data/crusade/rulebook.yaml").read_text(encoding="utf-8")
    return set(re.findall(r'number: "([^"]+)".*kind: (?:engine|data)', book))


def refused(position, stage, order):
    """What the rules hold against an order, as a player is told it."""
    state = kernel.begin(State(position, (stage,))).state
    seen = Table(system("crusade"), SEATS, state)
    with pytest.raises(Illegal) as illegal:
        seen.take(order)
    (found,) = illegal.value.violations
    return found


# --- the cases ----------------------------------------------------------------------------------


def spending(turn, side=N, **facts):
    facts = {"rp": {"NAT": 8, "AXIS": 8, "REP": 8, "SOV": 8}, **facts}
    return table(turn, round=6, **facts), Spending(side)


@pytest.mark.rule("16.1.8.3")
def test_a_siege_on_turn_6():
    position, stage = spending(6, sieges={"alcazar": 2}, units={"sevilla": "(INF-1)"})
    assert refused(position, stage, Supply("alcazar")).rule == "16.1.8.3"


@pytest.mark.rule("16.1.8.1")
def test_a_siege_twice_in_a_turn():
    position, stage = spending(2, sieges={"alcazar": 1}, units={"sevilla": "(INF-1)"})
    state = kernel.submit(kernel.begin(State(position, (stage,))).state, Supply("alcazar")).state
    found = refused(state.position, state.agenda[-1], Supply("alcazar"))
    assert (found.rule, str(found.message)) == (
        "16.1.8.1",
        "Alcázar of Toledo has already had its point this turn",
    )


@pytest.mark.rule("16.1.8.3")
def test_a_full_siege_after_the_war_of_the_columns_names_the_reason_that_stays():
    position, stage = spending(7, sieges={"alcazar": 3}, units={"sevilla": "(INF-1)"})
    assert refused(position, stage, Supply("alcazar")).rule == "16.1.8.3"


@pytest.mark.rule("16.1.8")
def test_a_siege_by_the_besiegers():
    position, stage = spending(2, R, sieges={"alcazar": 1}, units={"madrid": "(R-MIL-1)"})
    assert refused(position, stage, Supply("alcazar")).rule == "16.1.8"


@pytest.mark.rule("14.1.1.2", "14.1.1.3", "16.2.4.2")
@pytest.mark.parametrize("side, place, unit, using, rule", [
    (R, "madrid", "INT-XI", "REP", "14.1.1.2"),
    (N, "sevilla", "CV-33-1", "NAT", "14.1.1.3"),
    (N, "sevilla", "PZ-I-1", "NAT", "14.1.1.3"),
    (N, "oviedo", "INF-1", "AXIS", "16.2.4.2"),
])  # fmt: skip
def test_a_currency_that_does_not_pay(side, place, unit, using, rule):
    facts = {"isolated": frozenset({"oviedo"})} if place == "oviedo" else {}
    position, stage = spending(4, side, units={place: f"({unit})"}, **facts)
    found = refused(position, stage, Replace(unit, using))
    assert found.rule == rule and found.at == ("using",)
    assert str(found.message).startswith(f"{unit} cannot be paid for with {using} points: ")


@pytest.mark.rule("16.2.4.2")
def test_a_unit_that_no_currency_pays_for_where_it_stands():
    position, stage = spending(
        4, units={"oviedo": "(ITA-1)", "sevilla": "(INF-1)"}, isolated=frozenset({"oviedo"})
    )
    found = refused(position, stage, Replace("ITA-1"))
    assert str(found.message) == (
        "ITA-1 cannot be paid for with AXIS points: only Nationalist points reach an isolated group"
    )
    assert (found.rule, found.at) == ("16.2.4.2", ("unit",))


@pytest.mark.rule("14.1.1.2")
def test_points_that_are_there_and_do_not_pay_are_named():
    position, stage = spending(4, R, units={"madrid": "(INT-XI) (R-MIL-1)"}, rp={"REP": 8})
    found = refused(position, stage, Replace("INT-XI"))
    assert str(found.message) == "INT-XI costs 0.5 points of SOV, and you have none"
    assert str(found.hint) == "REP does not pay for it (14.1.1.2)"


@pytest.mark.rule("16.5.2", "16.5.3")
@pytest.mark.parametrize("severe, rule", [(False, "16.5.2"), (True, "16.5.3")])
def test_the_winter_limit_is_that_of_the_winter(severe, rule):
    flags = frozenset({"severe_winter_11"} if severe else ())
    marks = frozenset(f"operations_{N}_{card}" for card in ("N3", "N4", "N5", "N8"))
    position = table(
        11, round=5, active=N, hand={N: ["N17"]}, flags=flags, turn_marks=marks,
        units={"sevilla": "INF-1"},
    )  # fmt: skip
    state = kernel.begin(State(position, (PlayCard(N),))).state
    found = [each.rule for each in kernel.violations(state, Play("N17", "operations"))]
    assert [each.removesuffix("/a") for each in found] == [rule]


@pytest.mark.rule("12.1.7.1", "16.7.1", "16.7.2")
@pytest.mark.parametrize("side, unit, start, to, flags, rule", [
    (N, "INF-1", "la_coruna", "algeciras", (), "16.7.1"),
    (R, "R-MIL-1", "valencia", "santander", (), "12.1.7.1"),
    (R, "R-MIL-1", "algeciras", "valencia", ("strait_nationalist",), "16.7.2"),
])  # fmt: skip
def test_a_closed_port(side, unit, start, to, flags, rule):
    position = table(4, units={start: unit}, flags=frozenset(flags))
    for space in (start, to):
        position = position.with_control(space, side)
    (found, *_) = sails_from_port_to_port(
        Redeployment(side, 8), position, Redeploy(unit, to, "sea")
    )
    assert found.rule == rule


@pytest.mark.rule("12.1.2")
def test_redeployment_points_that_are_spent():
    position = table(4, units={"sevilla": "INF-1 INF-2"}).with_control("cordoba", N)
    state = kernel.begin(State(position, (Redeployment(N, 2),))).state
    (found,) = kernel.too_late_for(
        state, Redeploy("INF-1", "cordoba"), Redeploy("INF-2", "cordoba")
    )
    assert (found.rule == "12.1.2" and "0" in str(found.message)) or "none" in str(found.message)


@pytest.mark.rule("11.4.3")
def test_a_step_that_must_remain():
    position = field(8, teruel="(INF-1)", barracas="RPA-1 RPA-2 RPA-3", hold="albarracin")
    fought = Round(position, R, "barracas")
    fought.say(attack("teruel", losses="RPA", barracas="RPA-1 RPA-2 RPA-3"))
    fought.roll(1, 1)
    why = why_not_now(fought.state, CancelRetreat("INF-1"))
    assert why is not None and why.rule == "11.4.3"


@pytest.mark.rule("8.2.4", "8.2.5", "10.1.1")
def test_movement_in_the_midst_of_combat():
    fought = Round(field(3, sevilla="INF-1", riotinto="RPA-1"), N, "sevilla")
    for verb, rule in (
        ("move", "8.2.5"),
        ("fortify", "8.2.5"),
        ("activate", "8.2.4"),
        ("play", "7.1.1"),
    ):
        why = why_not_now(fought.state, VERBS[verb])
        assert why is not None and re.match(r"[a-z]", str(why.message))
        assert why.rule == rule or verb == "play"


def told(stage, position, verb):
    why = why_not_now(State(position, (stage,)), VERBS[verb])
    return why.rule, str(why.message)


@pytest.mark.rule("11.4.3", "18.2.9")
def test_why_nobody_may_stay():
    def beaten(space, *options):
        position = field(8, **{space: "(INF-1)", "hold": ""}, options=frozenset(options))
        combat = Combat(R, space, {}, by_attacker=3, by_defender=0)
        return told(FallBack(N), position.but(combat=combat), "cancel_retreat")

    assert beaten("sevilla")[1].startswith("Sevilla is not a mountain")
    assert beaten("teruel") == (
        "11.4.3", "staying in Teruel costs a step, and one must be left after that"
    )  # fmt: skip
    assert beaten("teruel", "18.2.9")[0] == "18.2.9"


@pytest.mark.rule("card N52", "card N55", "18.3.1", "11.4.3")
@pytest.mark.parametrize("space, cards, withdraws, rule, text", [
    ("bilbao", ("N52",), False, "card N52", "after Open City (N52) nobody may stay in Bilbao"),
    ("bilbao", ("N52", "N55"), False, "card N52", "after Open City (N52) nobody may stay"),
    ("sarinena", ("N55",), False, "card N55", "after Helter-Skelter (N55) nobody may stay"),
    ("sarinena", (), True, "18.3.1", "units that withdraw leave Sariñena"),
    ("teruel", (), True, "18.3.1", "units that withdraw leave Teruel, whatever its ground"),
    ("teruel", ("N55",), False, "11.4.3", "staying in Teruel costs a step"),
    ("lecinena", ("N55",), False, "11.4.3", "Leciñena is not a mountain"),
])  # fmt: skip
def test_who_could_stay_but_for_a_card_or_their_withdrawal_is_told_so(
    space, cards, withdraws, rule, text
):
    trench = {each: Fort("trench", R) for each in ("bilbao", "sarinena")}
    position = field(13, **{space: "(R-MIL-1)", "hold": ""}, forts=trench)
    combat = Combat(
        N, space, {}, by_attacker=3, by_defender=0, attacker_cards=cards, withdrawal=withdraws
    )
    said = told(FallBack(R), position.but(combat=combat), "cancel_retreat")
    assert (said[0], said[1][: len(text)]) == (rule, text)


@pytest.mark.rule("11.4.3")
def test_nobody_has_to_stay_before_the_dice_or_where_nobody_is_left():
    position = field(8, sevilla="(INF-1)")
    rolled = Combat(R, "sevilla", {}, by_attacker=3, by_defender=0)
    home = "11.4.3", "a retreat can be cancelled only after a lost combat"
    for combat, at in (
        (Combat(R, "sevilla", {}), position),
        (rolled, field(8, sevilla="")),
    ):
        assert told(FallBack(N), at.but(combat=combat), "cancel_retreat") == home
    assert told(FallBack(N), position.but(combat=rolled), "cancel_retreat") != home


@pytest.mark.rule("7.1.1", "7.1.3")
def test_a_second_card_in_a_round():
    """The defender, and whoever is asked beside the rounds, has not had an action."""
    first = "7.1.3", "one card is played each round, before anything else"
    in_a_round = table(3, active=N, round=2)
    assert told(Spending(N), in_a_round, "play")[0] == "7.1.1"
    assert told(Spending(R), in_a_round, "play") == first
    assert told(Spending(N), table(3, active=N, round=0), "play") == first


@pytest.mark.rule("17.6.3", "11.2.4")
def test_a_card_before_a_landing_and_in_the_defence_of_a_combat():
    """What is asked instead of the card says why it is not time for it."""
    assert told(Landing(), table(1, active=N, round=2), "play") == (
        "17.6.3", "the Army of Africa unit that is due lands before a card is played"
    )  # fmt: skip
    assert told(DefendersCards(R), table(1, active=N, round=2), "play") == (
        "11.2.4", "this is the other side's round: name cards for the defence, or none"
    )  # fmt: skip


@pytest.mark.rule("16.1.8", "16.1.8.2", "16.1.8.3")
def test_why_no_siege_is_fed_in_a_round():
    def in_a_round(turn, side=N, **facts):
        return told(PlayCard(side), table(turn, **facts), "siege")[0]

    assert in_a_round(6, sieges={"alcazar": 1}) == "16.1.8.3"
    assert in_a_round(2, sieges={}) == "16.1.8.2"
    assert in_a_round(2, sieges={"alcazar": 1}) == "16.1.8"
    assert in_a_round(2, R, sieges={"alcazar": 1}) == "16.1.8"
    assert told(PlayCard(R), table(6), "siege")[0] == "16.1.8"


@pytest.mark.rule("18.1.9")
def test_a_verb_of_an_option_that_is_off():
    position = table(12)
    assert "which is not in use" in told(PlayCard(R), position, "guerrilla")[1]
    position = table(12, options=frozenset({"18.1.9"}))
    assert "once a turn" in told(PlayCard(R), position, "guerrilla")[1]
