"""Standing policies do what was meant: supply after an advance, twins, two steps, no vain words."""

import random
from functools import cache, partial

import pytest

from pbem.engine import kernel
from pbem.engine.model import State
from pbem.engine.policies import answering, help, reading, sealing
from pbem.games.crusade.orders import CombatCards, Losses
from pbem.games.crusade.policies.retreat import PREFERENCES
from pbem.games.crusade.policies.table import PARTS, TABLE
from pbem.games.crusade.policies.table import TABLE as STANDING
from pbem.games.crusade.position import Combat
from pbem.games.crusade.rules.allocations import allocation_of
from pbem.games.crusade.rules.retreat import retreat_length
from pbem.games.crusade.rules.supply import is_connected_by_land, is_supplied
from pbem.games.crusade.stages.combat.defence import DefendersCards
from pbem.games.crusade.stages.combat.late_cards import LateCards
from pbem.games.crusade.stages.combat.losses import Casualties
from pbem.games.crusade.stages.combat.retreat import FallBack
from pbem.games.crusade.stages.combat.staying import StandFast
from pbem.games.crusade.stages.initial_losses import InitialLosses
from pbem.orders.parse import parse
from pbem.text.source import Source
from tests.conftest import FUZZ
from tests.contract.playing import every_beginning, playout, system
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field

faults = partial(reading.faults, STANDING)
parts = partial(sealing.parts, STANDING)
example = partial(help.example_of, STANDING)

SCENARIOS = [scenario for slug, scenario in every_beginning() if slug == "crusade"]


def answer(state, side, policy):
    """The answer of a policy as written, and of the document that is made of it."""
    assert faults(state.position, side, policy) == ()
    (sealed,) = parts(state.position, side, policy)
    assert [*sealing.document_faults(TABLE, state.position, side, sealed["doc"])] == []
    order = answering.answer(STANDING, state, kernel.waits_for(state), sealed["doc"])
    assert kernel.violations(state, order) == ()
    return order


# --- retreats -----------------------------------------------------------------------------------


def after_it(position, combat, path):
    """By hand: the lost space, and what was crossed on the way out, is the attacker's."""
    crossed = {combat.space}
    if position.space(combat.space).terrain != "mountain" and retreat_length(position, combat) > 1:
        gone = (*combat.followed, *path[:-1])
        crossed |= {space for space in gone if not position.units_in(space, combat.defender)}
    position = position.with_control(path[-1], combat.defender)
    for space in crossed - {path[-1]}:
        position = position.with_control(space, combat.attacker)
    return position


def would_be_fed(position, combat, path):
    return is_supplied(after_it(position, combat, path), combat.defender, path[-1])


def shaken(position, combat, rng):
    """The same combat on a front in shreds: what is empty within three spaces is anybody's."""
    near = edge = {combat.space}
    for _ in range(3):
        edge = {to for space in edge for to in position.neighbours(space)}
        near = near | edge
    for space in sorted(near - {combat.space}):
        if position.occupier(space) is None and rng.random() < 0.5:
            position = position.with_control(space, rng.choice((combat.attacker, combat.defender)))
    return position


@cache
def in_combat(scenario, seed):
    """The moments of a random game at which losses are taken or units fall back."""
    kinds = FallBack, Casualties
    moments = playout("crusade", scenario, seed)
    return tuple(each for each in moments if isinstance(each.state.agenda[-1], kinds))


@pytest.fixture(scope="module")
def retreats_with_a_choice():
    """Each with its paths, and whether the unit would be fed at the end of each."""
    found = []
    for state in torn_retreats(range(2 * FUZZ)):
        combat, paths = state.position.fought, state.agenda[-1].ways(state.position).paths
        found.append((state, {path: would_be_fed(state.position, combat, path) for path in paths}))
    return found


def torn_retreats(seeds):
    for scenario in SCENARIOS:
        for seed in seeds:
            rng = random.Random(seed)
            for moment in in_combat(scenario, seed):
                stage = moment.state.agenda[-1]
                if not isinstance(stage, FallBack):
                    continue
                for _ in range(20):
                    torn = shaken(moment.state.position, moment.state.position.fought, rng)
                    if len({path[-1] for path in stage.ways(torn).paths}) > 1:
                        yield State(torn, moment.state.agenda)


@pytest.mark.rule("11.4.5", "11.4.8")
@pytest.mark.parametrize(
    "policy",
    [{}, {"retreat": "in_supply"}, {"retreat": {"prefer": [{"into": "supply"}]}}],
    ids=["null", "in_supply", "into supply"],
)
def test_no_retreat_goes_into_a_pocket_while_another_end_is_fed(retreats_with_a_choice, policy):
    asked = torn = 0
    for state, fed in retreats_with_a_choice:
        asked, torn = asked + 1, torn + (any(fed.values()) and not all(fed.values()))
        order = answering.answer(STANDING, state, kernel.waits_for(state), policy)
        assert fed[order.path] or not any(fed.values())
    assert asked > 60 and torn > 3, "the fronts are torn enough to show it"


# --- losses -------------------------------------------------------------------------------------


def deaths(position, order, fight):
    steps = allocation_of(fight, order).steps
    return sum(lost >= len(fight.steps_of(unit)) for unit, lost in steps.items())


def fewest_deaths(fight):
    """By hand, over every legal way to take the losses."""
    return min(
        sum(lost >= len(fight.steps_of(unit)) for unit, lost in each.steps.items())
        for each in fight.best
    )


@pytest.mark.rule("11.3.2", "11.3.4")
def test_null_losses_never_kill_more_units_than_have_to_die():
    asked = spared = 0
    for scenario in SCENARIOS:
        for seed in range(3 * FUZZ):
            for moment in in_combat(scenario, seed):
                stage, position = moment.state.agenda[-1], moment.state.position
                if moment.decision is None or not isinstance(stage, Casualties):
                    continue
                fight, asked = stage.fight(position), asked + 1
                orders = [moment.decision.default]
                if moment.decision.policy:
                    orders.append(answering.answer(STANDING, moment.state, moment.decision, {}))
                most = max(deaths(position, each.order(), fight) for each in fight.best)
                spared += most > fewest_deaths(fight)
                for order in orders:
                    assert deaths(position, order, fight) == fewest_deaths(fight)
    assert asked > 15 and spared > 7


def hit(units, number, side=N, **facts):
    dice = {1: 1, 2: 4, 3: 6}[number]
    position = field(8, sevilla="INF-1 INF-2 INF-3", riotinto=units, **facts)
    order = attack("riotinto", losses="INF", sevilla="INF-1 INF-2 INF-3")
    return Round(position, side, "sevilla").say(order).roll(dice, 1)


@pytest.mark.rule("11.2.8")
@pytest.mark.parametrize("number, words, steps", [
    (1, ["R-MIL-2", "RPA", "R-MIL-1"], ["R-MIL-2"]),
    (1, ["R-MIL-1", "RPA", "R-MIL-2"], ["R-MIL-1"]),
    (2, ["R-MIL-2", "RPA", "R-MIL-1"], ["R-MIL-2", "R-MIL-2"]),
    (3, ["R-MIL-2", "RPA", "R-MIL-1"], ["R-MIL-2", "R-MIL-2", "RPA-1"]),
    (2, ["MIL"], ["R-MIL-1", "R-MIL-2"]),
    (2, ["flip_before_kill", "R-MIL-2", "RPA"], ["R-MIL-2", "RPA-1"]),
])  # fmt: skip
def test_a_unit_beside_its_twin(number, words, steps):
    fought = hit("R-MIL-1 R-MIL-2 RPA-1", number)
    assert sorted(answer(fought.state, R, {"losses": words}).steps) == steps


@pytest.mark.rule("11.2.8")
def test_the_attacker_names_one_of_two_twins():
    position = field(3, sevilla="INF-1 INF-2 N-POL-1", riotinto="RPA-1 RPA-2 RPA-3")
    fought = Round(position, N, "sevilla")
    fought.say(attack("riotinto", losses="INF-2 POL INF-1", sevilla="INF-1 INF-2 N-POL-1")).roll(
        1, 1
    )
    assert fought.position.is_reduced("INF-2")


@pytest.mark.rule("11.3.5.2")
def test_a_successor_beside_its_twin():
    fought = hit("(R-I) R-II", 3, reserve="R-MIL-1 R-MIL-2")
    order = answer(fought.state, R, {"losses": ["reduced"], "successor": ["R-MIL-2"]})
    assert order == Losses(("R-I",), ("R-MIL-2",))


@pytest.mark.rule("11.3.3", "13.3.4")
def test_who_would_be_out_of_the_game_dies_last():
    """Of two reduced units of a type the one in supply dies: the other would not come back."""
    far = "jerez_de_los_caballeros"
    position = field(3, sevilla="(INF-2)", riotinto="RPA-1 RPA-2 RPA-3", **{far: "(INF-1)"})
    for space in ("badajoz", "merida", "zafra", "santa_olalla", "huelva"):
        position = position.with_control(space, R)
    assert [is_supplied(position, N, space) for space in ("sevilla", far)] == [True, False]
    fought = Round(position, N, "sevilla", far)
    fought.say(attack("riotinto", losses="INF", sevilla="INF-2", **{far: "INF-1"})).roll(1, 1)
    assert fought.position.place_of("INF-2") == "eliminated"
    assert fought.position.place_of("INF-1") == far


@pytest.mark.rule("19.5.5.1/d")
@pytest.mark.parametrize("lines, first, spared", [
    ([{"order": ["corps"]}], "corps", "division"),
    ([{"lose_last": ["division"]}], "corps", "division"),
    ([{"lose_last": ["corps"]}, {"order": ["full"]}], "division", "corps"),
    ([{"lose_last": ["corps"]}], "division", "corps"),
    (["full division", "corps"], "division", "corps"),
])  # fmt: skip
def test_every_line_counts_for_the_losses_before_the_first_turn(lines, first, spared):
    position = table(scenario="republican_collapse")
    state = kernel.begin(State(position, (InitialLosses(N, 9, "19.5.5.1"),))).state
    order = answer(state, N, {"losses": lines})
    sizes = [position.type_of(unit).size for unit in order.steps]
    assert first in sizes and spared not in sizes


@pytest.mark.rule("19.5.5.1/d")
def test_the_second_line_settles_what_the_first_leaves_equal():
    position = table(scenario="republican_collapse")
    state = kernel.begin(State(position, (InitialLosses(N, 9, "19.5.5.1"),))).state
    order = answer(state, N, {"losses": [{"lose_last": ["division"]}, {"order": ["N-URGEL"]}]})
    assert "N-URGEL" in order.steps
    other = answer(state, N, {"losses": [{"lose_last": ["division"]}, {"lose_last": ["N-URGEL"]}]})
    assert "N-URGEL" not in other.steps


# --- staying ------------------------------------------------------------------------------------


def asked_to_stay(units, difference=1, options=()):
    """Teruel, in the mountains, is lost by a difference of Loss Numbers: who pays to stay?"""
    attackers = ("RPA-1", "RPA-2", "RPA-3")
    position = field(
        8, teruel=units, barracas=" ".join(attackers), hold="albarracin",
        options=frozenset({"open_hands", *options}),
    )  # fmt: skip
    combat = Combat(
        R, "teruel", dict.fromkeys(attackers, "barracas"), suffered=(N, R),
        by_attacker=difference, by_defender=0,
    )  # fmt: skip
    return kernel.begin(State(position.but(combat=combat), (StandFast(N),))).state


def paid(state, policy):
    """Who pays, step by step, as the policy answers."""
    payers = []
    while state.agenda and isinstance(state.agenda[-1], StandFast):
        order = answer(state, N, policy)
        payers.append(order.by)
        state = kernel.submit(state, order).state
    return payers


@pytest.mark.rule("11.4.3")
@pytest.mark.parametrize("written, by", [
    ("always", "INF-2"),
    ([{"from": ["INF"]}], "INF-2"),
    ([{"from": ["MIL", "INF"]}], "N-MIL-1"),
    ([{"from": ["flip_before_kill", "MIL", "INF"]}], "INF-2"),
    ([{"from": ["AFR"]}, {"from": ["MIL"]}], "N-MIL-1"),
    ([{"from": ["AFR"]}], ""),
])  # fmt: skip
def test_who_pays_to_stay(written, by):
    state = asked_to_stay("(N-MIL-1) (INF-1) INF-2")
    assert answer(state, N, {"cancel_retreat": written}).by == by


TWO = ("18.2.9",)


@pytest.mark.rule("18.2.9")
@pytest.mark.parametrize("clauses, by", [
    ([{"from": ["MIL"]}], [""]),
    ([{"from": ["MIL", "INF"]}], ["N-MIL-1", "INF-1"]),
    ([{"from": ["MIL"]}, {"from": ["INF"]}], ["INF-1", "INF-2"]),
    ([{"from": ["MIL"]}, {"from": ["MIL", "INF"]}], ["N-MIL-1", "INF-1"]),
    ([{"from": ["INF"], "when": {"steps_left": 3}}, {"from": ["MIL"]}], ["INF-1", "INF-2"]),
    ([{"from": ["INF"], "when": {"defenders": {"count": 3}}}], ["INF-1", "INF-2"]),
    ([{"from": ["INF"], "when": {"steps_left": 4}}], [""]),
])  # fmt: skip
def test_of_two_steps_to_stay_the_first_is_paid_only_with_the_second_in_sight(clauses, by):
    state = asked_to_stay("(N-MIL-1) (INF-1) (INF-2)", 3, TWO)
    assert paid(state, {"cancel_retreat": clauses}) == by


@pytest.mark.rule("18.2.9")
def test_the_second_step_follows_the_clause_and_the_table_of_the_first():
    state = asked_to_stay("(N-MIL-1) (N-MIL-2) (INF-1)", 3, TWO)
    clauses = [{"from": ["MIL"], "when": {"steps_left": 3}}]
    assert paid(state, {"cancel_retreat": clauses}) == ["N-MIL-1", "N-MIL-2"]


# --- cards --------------------------------------------------------------------------------------


def asked_for_cards(**changes):
    facts = {"hand": {R: ["R7", "R60"]}, "options": frozenset({"open_hands"}), **changes}
    position = field(3, sevilla="AFR-1 INF-1", riotinto="RPA-1 R-MIL-1", **facts)
    return Round(position, N, "sevilla").say(
        attack("riotinto", losses="AFR", sevilla="AFR-1 INF-1")
    )


@pytest.mark.rule("8.5.3.1")
def test_a_target_that_no_card_takes_does_not_drop_the_cards_of_a_document():
    fought = asked_for_cards()
    assert isinstance(fought.state.agenda[-1], DefendersCards)
    doc = {"cards": [{"slot": fought.position.slot_of(R, "R7")},
                     {"slot": fought.position.slot_of(R, "R60"), "target": "AFR-1"}]}  # fmt: skip
    assert answering.answer(STANDING, fought.state, fought.asks, doc) == CombatCards(("R7",))


@pytest.mark.rule("8.5.3.1")
def test_conditions_after_the_dice_for_cards_after_the_dice():
    late = {"cards": [{"card": "R60", "when": {"difference": ">=1"}}]}
    assert [fault.at for fault in faults(asked_for_cards().position, R, late)] == [
        ("cards", 0, "when", "difference")
    ]
    fought = asked_for_cards(options=frozenset({"open_hands", "Q48"}))
    fought.by_default("combat cards").roll(5, 1).by_default("losses")
    assert isinstance(fought.state.agenda[-1], LateCards)
    assert answer(fought.state, R, late) == CombatCards(("R60",))
    never = {"cards": [{"card": "R60", "when": {"difference": ">=5"}}]}
    assert answer(fought.state, R, never) == CombatCards(())


# --- what can never do anything -----------------------------------------------------------------

HELD = {"hand": {R: ["R7", "R29"]}, "round": 6, "active": R}
SCOPED = {"only": ["losses"]}


def vain(policy, *options):
    position = table(3, options=frozenset({"open_hands", *options}), **HELD)
    return [(fault.at, str(fault.message)) for fault in faults(position, R, policy)]


def when(**said):
    return {"cancel_retreat": [{"when": said}]}


WHEN = ("cancel_retreat", 0, "when")


@pytest.mark.rule("8.5.3.1", "11.2.8")
@pytest.mark.parametrize("policy, path, says", [
    (when(terrain="mountian"), (*WHEN, "terrain"), "terrain is never 'mountian'"),
    (when(role="atacker"), (*WHEN, "role"), "role is never 'atacker'"),
    (when(role="attacker"), (*WHEN, "role"), "role is never 'attacker'"),
    (when(marker="fort"), (*WHEN, "marker"), "marker is never 'fort'"),
    (when(phase="colums"), (*WHEN, "phase"), "phase is never 'colums'"),
    (when(turn=">=99"), (*WHEN, "turn"), "turn is never >=99"),
    (when(turn="<3"), (*WHEN, "turn"), "turn is never <3"),
    (when(combat=0), (*WHEN, "combat"), "combat is never 0"),
    (when(odds_column=13), (*WHEN, "odds_column"), "odds_column is never 13"),
    (when(corps_attacking="<0"), (*WHEN, "corps_attacking"), "corps_attacking is never <0"),
    (when(by_attacker=-1), (*WHEN, "by_attacker"), "by_attacker is never -1"),
    (when(steps_left=0), (*WHEN, "steps_left"), "steps_left is never 0"),
    (when(any=False), (*WHEN, "any"), "any: false never applies"),
    (when(space=[]), (*WHEN, "space"), "an empty list has no effect"),
    (when(attackers={"has": []}), (*WHEN, "attackers", "has"), "an empty list has no effect"),
    (when(attackers={"has": "RPA"}), (*WHEN, "attackers", "has", 0),
     "'RPA' matches no Nationalist unit"),
    (when(defenders={"only": ["MIL", "AFR"]}), (*WHEN, "defenders", "only", 1),
     "'AFR' matches no Republican unit"),
    (when(attackers={"count": 0}), (*WHEN, "attackers", "count"), "count is never 0"),
    (when(att_cards=["R7"]), (*WHEN, "att_cards"),
     "R7 (Operation Orders Captured) is not an enemy combat card"),
    (when(space="madrid", **{"from": "bilbao"}), (*WHEN, "from"),
     "no space of from is next to one of space"),
    (when(after={"turn": 99}), (*WHEN, "after", "turn"), "turn is never 99"),
    (when(turn=3, after={"turn": "<3"}), (*WHEN, "after", "turn"), "turn is never <3"),
    (when(turn=3, after={"turn": 4}), (*WHEN, "after", "turn"), "turn is never both"),
    (when(turn="<=4", winter=True), (*WHEN, "winter"), "turn and winter are never true at once"),
    (when(phase="columns", turn=9), (*WHEN, "turn"), "phase and turn are never true at once"),
    (when(space=["merida", "madrid"], terrain="mountain"), (*WHEN, "terrain"),
     "space and terrain are never true at once"),
    (when(terrain="mountain", after={"space": "madrid"}), (*WHEN, "after", "space"),
     "terrain and space are never true at once"),
    (when(vp_space=False, space="madrid"), (*WHEN, "space"),
     "vp_space and space are never true at once"),
    (when(marker=["none", "position"], trench=True), (*WHEN, "trench"),
     "marker and trench are never true at once"),
    (when(by_attacker="<2", difference=">=2"), (*WHEN, "difference"),
     "by_attacker and difference are never true at once"),
    (when(by_attacker=2, by_defender=1, difference=2), (*WHEN, "difference"),
     "by_attacker, by_defender and difference are never true at once"),
    (when(att_cf=">5", after={"att_cf": "<=5"}), (*WHEN, "after", "att_cf"),
     "att_cf is never both"),
    (when(armor=True, after={"armor": False}), (*WHEN, "after", "armor"), "armor is never both"),
    (when(attackers={"has": ["INF"], "only": ["AFR"]}), (*WHEN, "attackers", "only"),
     "no unit that matches has also matches only"),
    ({"turn_end": {"replacements": [{"siege": ["alcazar"]}]}},
     ("turn_end", "replacements", 0, "siege"), "expected a siege"),
    ({"turn_end": {"guerrilla": ["raid"]}}, ("turn_end", "guerrilla", 0),
     "that is not something guerrillas can do"),
    ({"turn_end": {"guerrilla": [3]}}, ("turn_end", "guerrilla", 0),
     "that is not something guerrillas can do"),
    ({"scope": {"ask": [{"terrain": "mountian"}]}}, ("scope", "ask", 0, "terrain"),
     "terrain is never 'mountian'"),
    ({"cards": [{"card": "R7", "when": {"turn": 99}}]}, ("cards", 0, "when", "turn"),
     "turn is never 99"),
    ({"losses": ["AFR"]}, ("losses", 0), "'AFR' matches no Republican unit"),
    ({"losses": ["INF-1"]}, ("losses", 0), "'INF-1' matches no Republican unit"),
    ({"losses": ["MIL", "MIL"]}, ("losses", 1), "'MIL' is named twice"),
    ({"losses": []}, ("losses",), "an empty list has no effect"),
    ({"losses": [{"order": []}]}, ("losses", 0, "order"), "an empty list has no effect"),
    ({"losses": [{"lose_last": ["INF"]}]}, ("losses", 0, "lose_last", 0),
     "'INF' matches no Republican unit"),
    ({"losses": [{"order": ["MIL"]}, {"order": ["MIL"]}]}, ("losses", 1),
     "this line is listed twice"),
    ({"losses": ["MIL", "flip_before_kill"]}, ("losses", 1),
     "flip_before_kill must come first in the list"),
    ({"successor": []}, ("successor",), "an empty list has no effect"),
    ({"successor": ["INF"]}, ("successor", 0), "'INF' matches no Republican unit"),
    ({"cancel_retreat": []}, ("cancel_retreat",), "an empty list has no effect"),
    ({"cancel_retreat": [{"from": []}]}, ("cancel_retreat", 0, "from"),
     "an empty list has no effect"),
    ({"cancel_retreat": [{"from": ["INF"]}]}, ("cancel_retreat", 0, "from", 0),
     "'INF' matches no Republican unit"),
    ({"cancel_retreat": [{}, {"from": ["MIL"]}]}, ("cancel_retreat", 1),
     "the clause before it always applies, so this is never reached"),
    ({"retreat": {}}, ("retreat",), "this says nothing about a retreat"),
    ({"retreat": {"prefer": []}}, ("retreat", "prefer"), "an empty list has no effect"),
    ({"retreat": {"prefer": [{"toward": []}]}}, ("retreat", "prefer", 0, "toward"),
     "an empty list has no effect"),
    ({"retreat": {"prefer": [{"in_supply": True}, {"in_supply": True}]}},
     ("retreat", "prefer", 1), "this line is listed twice"),
    ({"retreat": {"sequence": ["INF"]}}, ("retreat", "sequence", 0),
     "'INF' matches no Republican unit"),
    ({"combat_card": "none", "cards": [{"card": "R7"}]}, ("combat_card",),
     "none cannot be combined with clauses for cards"),
    ({"combat_card": []}, ("combat_card",), "an empty list has no effect"),
    ({"combat_card": ["R7", "R7"]}, ("combat_card", 1), "'R7' is named twice"),
    ({"cards": []}, ("cards",), "an empty list has no effect"),
    ({"combat_card": ["R7", "N10"]}, ("combat_card", 1),
     "N10 (García Morato) is not one of your combat cards"),
    ({"combat_card": ["R1"]}, ("combat_card", 0),
     "R1 (Foreign Political Support) is not one of your combat cards"),
    ({"cards": [{"card": "R7"}, {"card": "R7", "when": {"turn": 4}}]}, ("cards", 1, "card"),
     "R7 is already used whenever possible"),
    ({"combat_card": "R7", "cards": [{"card": "R7"}]}, ("cards", 0, "card"),
     "R7 is already used whenever possible"),
    ({"cards": [{"card": "R7", "target": "INF-1"}]}, ("cards", 0, "target"),
     "R7 (Operation Orders Captured) takes no unit"),
    ({"slot": "north", "losses": ["MIL"], "slots": {"north": {"losses": ["POL"]}}},
     ("slots", "north"), "the slot north is given twice: the parts next to slots: belong to it"),
    ({"losses": ["MIL"], "slots": {"standing": {"losses": ["POL"]}}},
     ("slots", "standing"),
     "the slot standing is given twice: the parts next to slots: belong to it"),
    ({"slots": {}}, ("slots",), "no slot is named"),
    ({"scope": {"only": ["losses", "losses"]}, "losses": ["MIL"]}, ("scope", "only", 1),
     "'losses' is named twice"),
    ({"scope": {"only": []}}, ("scope", "only"),
     "the scope has no only, so this policy never answers"),
    ({"scope": {"when": []}}, ("scope", "when"),
     "the scope has no when, so this policy never answers"),
    ({"scope": {"ask": [{}]}}, ("scope", "ask", 0),
     "you are always asked, so this policy never answers"),
    ({"scope": {"ask": [{"any": True}]}}, ("scope", "ask", 0),
     "you are always asked, so this policy never answers"),
    ({"scope": {"when": [{"turn": 4}], "ask": [{"turn": 4}]}}, ("scope", "ask"),
     "ask excludes everything in when, so this policy never answers"),
    ({"scope": {"only": ["forced"], "when": [{"turn": 4}]}}, ("scope", "when"),
     "when is about combats, which only excludes, so this policy never answers"),
    ({"scope": SCOPED, "retreat": "toward_supply"}, ("retreat",),
     "retreat never applies: the scope is only for losses"),
    ({"rally": []}, ("rally",), "an empty list has no effect"),
    ({"spare": ["MIL"]}, ("spare",), "no unit is spared without option 18.3.1"),
    ({"forced": {"R47": ["full"]}}, ("forced", "R47"), "R47 takes none of your units"),
    ({"forced": {"N31": ["INF"]}}, ("forced", "N31", 0), "'INF' matches no Republican unit"),
    ({"forced": {"discard": "lowest_ops"}}, ("forced", "discard"),
     "nothing in this game makes you discard a card"),
    ({"turn_end": {"replacements": [{"replace": "INF"}]}},
     ("turn_end", "replacements", 0, "replace"), "'INF' matches no Republican unit"),
    ({"turn_end": {"replacements": [{"siege": "alcazar"}]}},
     ("turn_end", "replacements", 0, "siege"), "you have no siege 'alcazar' to supply"),
    ({"turn_end": {"replacements": [{"reclaim": 1}]}},
     ("turn_end", "replacements", 0, "reclaim"),
     "markers are not rebuilt without option 18.2.10"),
    ({"turn_end": {"guerrilla": ["sabotage"]}}, ("turn_end", "guerrilla"),
     "you have no guerrillas"),
    ({"turn_end": {"markers": ["madrid", "madrid"]}}, ("turn_end", "markers", 1),
     "'madrid' is named twice"),
    ({"turn_end": {"surplus": ["INF", "RPA"]}}, ("turn_end", "surplus", 1),
     "'RPA' matches no Nationalist unit"),
])  # fmt: skip
def test_what_can_never_do_anything_is_a_fault_with_its_place(policy, path, says):
    assert vain(policy) == [(path, says)]


@pytest.mark.parametrize("said", [
    {"turn": 5, "after": {"turn": 5}}, {"turn": ">3", "after": {"turn": "<5"}},
    {"turn": ">=4", "winter": True}, {"phase": "mobilization", "turn": "<=6"},
    {"space": ["durango", "madrid"], "terrain": "mountain"}, {"vp_space": True, "space": "madrid"},
    {"marker": ["position", "trench"], "trench": True}, {"marker": "none", "trench": False},
    {"by_attacker": 3, "by_defender": 1, "difference": 2},
    {"armor": True, "after": {"armor": True}},
    {"att_cards": "N7", "after": {"att_cards": "N9"}},
    {"attackers": {"has": ["AFR"], "only": ["army_of_africa"]}},
])  # fmt: skip
def test_what_can_be_so_at_once_is_no_fault(said):
    assert vain(when(**said)) == []


@pytest.mark.parametrize("policy, hint", [
    (when(terrain="mountian"), "did you mean mountain?"),
    (when(terrian="mountain"), "did you mean terrain?"),
    (when(space="madird"), "did you mean madrid?"),
    (when(defenders={"hsa": ["MIL"]}), "did you mean has?"),
    (when(att_cards="N77"), "did you mean N7, N17 or N27?"),
    ({"losses": ["MLI"]}, "did you mean MIL?"),
    ({"losses": ["INF"]}, "on the map it has MIL, MIL-AST, MIL-SAN, MIL-BAS, MIL-CNT, MIL-ERC, "
     "MIL-PSUC, MIL-POUM, POL and RPA"),
    ({"combat_card": ["R1"]}, "you hold R7 and R29"),
    ({"losses": ["flip_befor_kill"]}, "did you mean flip_before_kill?"),
    ({"losses": ["R-MIL-177"]}, "did you mean R-MIL-17?"),
    ({"rally": ["milicia"]}, "did you mean militia?"),
    ({"retreat": {"prefer": [{"toward": "madird"}]}}, "did you mean madrid?"),
    ({"retreat": {"prefer": [{"fewest_enemy": True}]}}, "did you mean fewest_enemies?"),
    ({"retreat": {"sequense": ["MIL"]}}, "did you mean sequence?"),
    ({"retreat": "toward_madird"}, "did you mean toward_madrid?"),
    ({"retreat": "in_suply"}, "did you mean in_supply?"),
    ({"cancel_retreat": "nevr"}, "did you mean never?"),
    ({"scope": {"only": ["loses"]}, "losses": ["MIL"]}, "did you mean losses?"),
    ({"forced": {"R74": ["MIL"]}}, "did you mean R47?"),
    ({"turn_end": {"markers": ["madird"]}}, "did you mean madrid?"),
    ({"turn_end": {"replacements": [{"replce": "MIL"}]}}, "did you mean replace?"),
    ({"turn_end": {"replacements": [{"replace": {"unit": "MIL", "using": "RPE"}}]}},
     "did you mean REP?"),
])  # fmt: skip
def test_a_slip_is_answered_by_what_was_meant(policy, hint):
    position = table(3, options=frozenset({"open_hands"}), **HELD)
    assert hint in [str(fault.hint) for fault in faults(position, R, policy)]


@pytest.mark.rule("14.1.6")
@pytest.mark.parametrize("word", ["AFR", "AFR-1", "INS"])
def test_who_never_takes_replacements_is_no_wish_for_them(word):
    for said, path in ((word, ()), ({"unit": word}, ("unit",))):
        policy = {"turn_end": {"replacements": [{"replace": said}]}}
        (fault,) = faults(table(3), N, policy)
        assert fault.at == ("turn_end", "replacements", 0, "replace", *path)
        assert (str(fault.message), fault.rule) == (f"{word} never takes replacements", "14.1.6")
    for word_that_does in ("INF", "INF-1", "POL"):
        policy = {"turn_end": {"replacements": [{"replace": word_that_does}]}}
        assert not list(faults(table(3), N, policy))


@pytest.mark.rule("18.1.9", "18.3.1")
def test_what_an_option_brings_is_no_fault_with_it():
    assert vain({"spare": ["MIL"], "withdraw_first": {"when": {"combat": 2}}}, "18.3.1") == []
    assert vain({"turn_end": {"guerrilla": ["sabotage", "none"]}}, "18.1.9") == []
    (fault,) = vain({"turn_end": {"guerrilla": ["none", "sabotage"]}}, "18.1.9")
    assert fault[0] == ("turn_end", "guerrilla", 1)


@pytest.mark.rule("11.3.3")
def test_a_unit_that_is_out_of_the_game_is_a_fault():
    position = table(3, units={"removed": "R-MIL-1"})
    (fault,) = faults(position, R, {"losses": ["R-MIL-1", "MIL"]})
    assert (fault.at, str(fault.message)) == (("losses", 0), "R-MIL-1 is out of the game")


NEVER_SO = {"when": {"terrain": "mountian"}}
TWICE = ["madrid", "madrid"]
IN_VAIN = {
    "combat_card": ({"combat_card": ["R7", "R7"]},),
    "cards": ({"cards": [{"card": "R7", **NEVER_SO}]},),
    "losses": ({"losses": []},),
    "successor": ({"successor": []},),
    "cancel_retreat": ({"cancel_retreat": [NEVER_SO]},),
    "retreat": ({"retreat": {}},),
    "rally": ({"rally": ["MIL", "MIL"]},),
    "spare": ({"spare": []}, "18.3.1"),
    "withdraw_first": ({"withdraw_first": NEVER_SO}, "18.3.1"),
    "forced": ({"forced": {"N31": []}},),
    "replacements": ({"turn_end": {"replacements": [{"replace": "INF"}]}},),
    "returning": ({"turn_end": {"returning": TWICE}},),
    "markers": ({"turn_end": {"markers": TWICE}},),
    "surplus": ({"turn_end": {"surplus": ["INF", "INF"]}},),
    "guerrilla": ({"turn_end": {"guerrilla": ["sabotage", "sabotage"]}}, "18.1.9"),
    "discard": ({"turn_end": {"discard": ["R7", "R7"]}},),
}


@pytest.mark.rule("8.5.3.1")
def test_every_part_of_a_policy_is_looked_at():
    """Something said in vain is found in each part; of a new one this table wants an example."""
    nothing_can_be = {"redraw", "advance"}  # their form says all: one word
    assert {*IN_VAIN} == {part.name for part in PARTS} - nothing_can_be
    for name, (written, *options) in IN_VAIN.items():
        ((path, _),) = vain(written, *options)
        assert name in path
    assert [part.name for part in PARTS if not part.questions] == []
    assert {part.name for part in PARTS if not part.is_sealed} == {"redraw"}


@pytest.mark.rule("8.5.3.1", "8.5.3.6", "11.2.4")
@pytest.mark.parametrize(("written", "rule", "is_key"), [
    ({"combat_card": ["R55"]}, "8.5.3.1", False),
    ({"combat_card": ["R17"]}, "11.2.4", False),
    ({"withdraw_first": True}, "18.3.1", True),
    ({"turn_end": {"discard": ["R1"]}}, "8.5.3.6", False),
    ({"forced": {"R47": ["full"]}}, "", True),
    ({"forced": {"discard": "lowest_ops"}}, "18.1.9", True),
    ({"scope": SCOPED, "retreat": "toward_supply"}, "", True),
    ({"losses": ["MIL"], "slots": {"standing": {"losses": ["POL"]}}}, "", True),
])  # fmt: skip
def test_a_fault_names_its_rule_and_whether_the_key_is_wrong(written, rule, is_key):
    (fault,) = faults(table(3, hand={R: ["R7", "R17", "R1"]}), R, written)
    assert (fault.rule, fault.is_key) == (rule, is_key)


@pytest.mark.rule("8.5.3.1")
def test_to_be_asked_for_one_thing_leaves_the_answer_to_another():
    assert vain({"losses": "ask", "cancel_retreat": "always"}) == []


@pytest.mark.rule("8.5.3.1")
def test_a_card_may_be_named_again_behind_a_clause_that_need_not_hold():
    assert vain({"cards": [{"card": "R7", "when": {"turn": 4}}, {"card": "R7"}]}) == []


@pytest.mark.rule("8.5.3.4")
def test_a_sealed_card_on_the_table_is_named():
    position = table(3, **HELD)
    for clause, is_misfit in (({}, True), ({"card": "R7"}, False)):
        doc = {"cards": [{"slot": "table", **clause}]}
        assert (
            bool(sealing.misfits(STANDING, position, R, "standing", None, None, doc)) is is_misfit
        )


@pytest.mark.rule("8.5.3.1", "11.2.4")
def test_a_card_for_attackers_alone_stands_in_no_policy_and_is_not_offered():
    told = "R17 (Armored Trucks) serves only attackers"
    position = table(3, hand={R: ["R17", "R7", "R1"]}, options=frozenset({"open_hands"}))
    for written, path in (
        ({"combat_card": ["R7", "R17"]}, ("combat_card", 1)),
        ({"cards": [{"card": "R17"}]}, ("cards", 0, "card")),
    ):
        (fault,) = faults(position, R, written)
        assert (fault.at, str(fault.message), str(fault.hint)) == (
            path, told, "write cards: [R17] in your attack",
        )  # fmt: skip
    (line,) = [line for line in example(position, R) if "combat_card" in line]
    assert "some of R7, or clauses" in line
    alone = table(3, hand={R: ["R17"]}, options=frozenset({"open_hands"}))
    assert any("you hold none that serves here" in line for line in example(alone, R))


@pytest.mark.rule("9.1.4", "8.5.4.6/a")
def test_who_is_taken_from_a_space_too_full_is_the_enemys_or_ones_own_where_that_is_played():
    own = {"turn_end": {"surplus": ["RPA", "R-MIL-1"]}}
    assert len(vain(own)) == 2
    assert vain(own, "Q17") == []
    theirs = [str(fault.message) for fault in faults(table(3), N, own)]
    assert theirs == []
    nobody = {"turn_end": {"surplus": ["AFR"]}}
    for options in (frozenset(), frozenset({"Q17"})):
        told = [str(fault.message) for fault in faults(table(3, options=options), N, nobody)]
        assert told == ["'AFR' matches no Republican unit"]


@pytest.mark.rule("8.5.3.1")
def test_a_sealed_document_is_not_judged_by_the_turn_in_which_it_is_read():
    doc = {"cancel_retreat": [{"when": {"turn": 3}}], "losses": [{"order": ["MIL"]}]}
    assert [*sealing.document_faults(TABLE, table(9), R, doc)] == []


# --- the form -----------------------------------------------------------------------------------


@pytest.mark.rule("11.3.6")
@pytest.mark.parametrize("side", [N, R])
def test_the_example_of_the_form_loses_least(side):
    position = table(3, options=frozenset({"open_hands"}))
    lines = example(position, side)[1:]
    written = parse(Source("form.yaml", "\n".join(lines)), system("crusade").verbs).standing
    assert written is not None and faults(position, side, written) == ()
    flip, *types = written["losses"]
    assert flip == "flip_before_kill"
    strengths = [position.tables.types[side, each].full.cf for each in types]
    assert strengths == sorted(strengths)
    assert "AFR" not in types or types[-1] == "AFR"
    assert "flip_before_kill, first in the list: no unit dies" in " ".join(lines)
    assert any("full, reduced" in line for line in lines if "#" in line)


# --- the ends of retreats -----------------------------------------------------------------------


def closer(position, side, goal, *ends):
    """The ends of a retreat from the closest to the goal to the farthest, equals in one set."""
    found = {}
    for end in ends:
        found.setdefault(PREFERENCES["toward"](position, side, end, goal), set()).add(end)
    return [found[length] for length in sorted(found)]


@pytest.mark.rule("11.4.5")
def test_a_space_of_the_enemy_can_be_the_goal_of_retreats():
    position = field(3, badajoz="INF-1", jerez_de_los_caballeros="RPA-1", hold="merida")
    ends = "jerez_de_los_caballeros", "santa_olalla", "zafra"
    for space in ends:
        position = position.with_control(space, R)
    assert closer(position, R, "badajoz", *ends) == [
        {"jerez_de_los_caballeros", "zafra"}, {"santa_olalla"},
    ]  # fmt: skip


@pytest.mark.rule("11.4.5")
def test_toward_a_space_that_no_chain_of_own_spaces_leads_to():
    """Then the shortest way over any ground counts, and not the order of the map."""
    position = field(3, riotinto="RPA-1", hold="santa_olalla zafra jerez_de_los_caballeros huelva")
    assert closer(position, R, "badajoz", "riotinto", "huelva") == [{"riotinto"}, {"huelva"}]


@pytest.mark.rule("13.1.4")
def test_supply_by_sea_alone_is_supply_to_go_toward():
    position = field(3, malaga="RPA-1")
    near = position.neighbours("malaga")
    for space in position.tables.spaces:
        if space in near or space in ("malaga", "valencia", "cartagena"):
            position = position.with_control(space, R)
        elif any(space in position.neighbours(each) for each in near):
            position = position.with_control(space, N)
    inland = next(space for space in near if not position.space(space).port)
    assert not is_connected_by_land(position, R, "malaga", "cartagena")
    assert is_supplied(position, R, inland)
    assert closer(position, R, "supply", inland, "malaga") == [{"malaga"}, {inland}]


@pytest.mark.rule("16.2.3")
def test_an_isolated_space_is_supply_to_go_toward():
    position = field(3, oviedo="INF-1", isolated=frozenset({"oviedo"}))
    inland = next(s for s in position.neighbours("oviedo"))
    position = position.with_control(inland, N)
    assert closer(position, N, "supply", inland, "oviedo") == [{"oviedo"}, {inland}]
