"""Standing policies: what they answer, and what is refused when one is written."""

import json
from functools import partial

import pytest

from pbem.engine import kernel
from pbem.engine.policies import answering, reading, scopes, sealing
from pbem.gamefile.canonical import check_domain
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import CancelRetreat, CombatCards, Losses, Retreat
from pbem.games.crusade.policies.table import TABLE as STANDING
from pbem.games.crusade.position import Fort
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field

faults = partial(reading.faults, STANDING)
parts = partial(sealing.parts, STANDING)

OPENLY = {"options": frozenset({"open_hands"})}


def answer(fought, policy):
    """The answer of a policy as written, and of the document that is made of it."""
    assert faults(fought.position, fought.asks.side, policy) == ()
    (sealed,) = parts(fought.position, fought.asks.side, policy)
    check_domain(json.loads(json.dumps(sealed["doc"])))
    order = answering.answer(STANDING, fought.state, fought.asks, sealed["doc"])
    assert kernel.violations(fought.state, order) == ()
    return order


def covers(fought, policy):
    return scopes.covers(STANDING, fought.state, fought.asks, "standing", policy.get("scope"), None)


# --- cards --------------------------------------------------------------------------------------


def asked_for_cards(**changes):
    facts = {"hand": {R: ["R7", "R29", "R55"]}, "played": frozenset({"R2"}), **OPENLY, **changes}
    position = field(3, sevilla="AFR-1 INF-1", riotinto="RPA-1 R-MIL-1", **facts)
    return Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1"))


@pytest.mark.parametrize("policy, cards", [
    ({}, ()),
    ({"combat_card": "none"}, ()),
    ({"combat_card": ["R7"]}, ("R7",)),
    ({"combat_card": ["R55", "R29", "R5"]}, ("R29",)),
    ({"cards": [{"card": "R7", "slot": "r/1/0"}]}, ("R7",)),
    ({"cards": [{"card": "R7", "slot": "table"}]}, ()),
    ({"cards": [{"card": "R7", "when": {"attackers": {"has": "AFR"}, "my_cf": ">=2"}}]}, ("R7",)),
    ({"cards": [{"card": "R7", "when": {"attackers": {"only": "AFR"}}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"attackers": {"count": "<2"}}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"att_cf": 5, "odds_column": "<=5", "turn": 3}}]}, ("R7",)),
    ({"cards": [{"card": "R7", "when": {"space": ["madrid", "zafra"]}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"from": "sevilla", "terrain": "open"}}]}, ("R7",)),
    ({"cards": [{"card": "R7", "when": {"winter": True}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"marker": "none", "trench": False}}]}, ("R7",)),
    ({"cards": [{"card": "R7"}, {"card": "R29", "when": {"any": True}}]}, ("R7", "R29")),
    ({"cards": [{"card": "R7", "when": {"att_cards": ["N10"]}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"corps_attacking": ">=1"}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"combat": ">=2"}}]}, ()),
    ({"cards": [{"card": "R7", "when": {"vp_space": False, "armor": False}}]}, ("R7",)),
])  # fmt: skip
@pytest.mark.rule("8.5.3.1")
def test_cards(policy, cards):
    assert answer(asked_for_cards(), policy) == CombatCards(cards)


@pytest.mark.rule("8.5.3.4")
def test_a_retained_card_by_policy():
    fought = asked_for_cards(hand={R: ["R7"]})
    position = fought.position.with_deck(R, table=("R29",))
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1"))
    assert answer(fought, {"cards": [{"card": "R29", "slot": "table"}]}) == CombatCards(("R29",))


# --- losses -------------------------------------------------------------------------------------


def asked_for_losses(number=1, units="(R-MIL-1) RPA-1 R-POL-1", reserve=""):
    dice = {1: 1, 2: 4, 3: 6}[number]
    position = field(8, sevilla="INF-1 INF-2 INF-3", riotinto=units, reserve=reserve)
    order = attack("riotinto", losses="INF", sevilla="INF-1 INF-2 INF-3")
    return Round(position, N, "sevilla").say(order).roll(dice, 1)


@pytest.mark.parametrize("number, policy, steps", [
    (1, {}, ("R-POL-1",)),
    (1, {"losses": ["RPA", "MIL"]}, ("RPA-1",)),
    (1, {"losses": ["POL"]}, ("R-POL-1",)),
    (1, {"losses": ["full"]}, ("R-POL-1",)),
    (2, {"losses": ["MIL", "POL", "RPA"]}, ("R-MIL-1", "R-POL-1")),
    (2, {"losses": ["RPA-1"]}, ("RPA-1", "RPA-1")),
    (2, {"losses": [{"lose_last": ["RPA", "MIL"]}]}, ("R-POL-1", "R-POL-1")),
    (2, {"losses": [{"lose_last": ["RPA"]}, {"order": ["POL", "MIL"]}]}, ("R-POL-1", "R-POL-1")),
    (2, {}, ("R-POL-1", "RPA-1")),
    (2, {"losses": ["MIL"]}, ("R-MIL-1", "R-POL-1")),
    (2, {"losses": ["flip_before_kill", "MIL", "POL", "RPA"]}, ("R-POL-1", "RPA-1")),
    (2, {"losses": [{"flip_before_kill": True}, {"order": ["MIL"]}]}, ("R-POL-1", "RPA-1")),
    (2, {"losses": [{"order": ["MIL"]}, {"order": ["RPA"]}]}, ("R-MIL-1", "RPA-1")),
    (2, {"losses": [{"lose_last": ["POL"]}]}, ("R-MIL-1", "RPA-1")),
    (2, {"losses": ["full"]}, ("R-POL-1", "RPA-1")),
    (3, {"losses": ["RPA"]}, ("R-POL-1", "RPA-1", "RPA-1")),
])  # fmt: skip
@pytest.mark.rule("11.2.8", "11.3.4")
def test_losses(number, policy, steps):
    order = answer(asked_for_losses(number), policy)
    assert sorted(order.steps) == sorted(steps)


@pytest.mark.rule("11.3.5")
@pytest.mark.parametrize(
    "successor, came",
    [(["INT"], "R-MIL-1"), (["RPA"], "RPA-1"), (["MIL"], "R-MIL-1"), (["RPA-1"], "RPA-1")],
)
def test_successors(successor, came):
    fought = asked_for_losses(3, "(R-I) R-II", "R-MIL-1 RPA-1")
    order = answer(fought, {"losses": ["reduced", "full"], "successor": successor})
    assert order == Losses(("R-I",), (came,))


@pytest.mark.rule("11.2.8")
def test_the_attackers_losses_are_not_for_a_policy():
    position = field(3, sevilla="INF-1 N-POL-1", riotinto="RPA-1")
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="INF-1 N-POL-1"))
    fought.roll(1, 4)
    assert (fought.question, fought.asks.side) == ("losses", N)
    assert not covers(fought, {"losses": ["INF"]})


# --- staying and going --------------------------------------------------------------------------


def asked_to_stay():
    units = "(N-POL-1) (INF-1) (N-MIL-1)"
    position = field(8, teruel=units, barracas="RPA-1 RPA-2 RPA-3", hold="albarracin")
    fought = Round(position, R, "barracas")
    fought.say(attack("teruel", losses="RPA", barracas="RPA-1 RPA-2 RPA-3")).roll(1, 1)
    return fought.say(Losses(("N-POL-1",)))


@pytest.mark.parametrize("policy, by", [
    ({}, ""),
    ({"cancel_retreat": "never"}, ""),
    ({"cancel_retreat": "always"}, "INF-1"),
    ({"cancel_retreat": [{"when": {"space": ["teruel"]}, "from": ["INF"]}]}, "INF-1"),
    ({"cancel_retreat": [{"when": {"after": {"steps_left": ">=3"}}, "from": ["INF"]}]}, ""),
    ({"cancel_retreat": [{"when": {"difference": ">=2"}, "from": ["INF"]},
                         {"when": {"by_attacker": 1}, "from": ["INF"]}]}, "INF-1"),
    ({"cancel_retreat": [{"from": ["AFR"]}]}, ""),
])  # fmt: skip
@pytest.mark.rule("11.4.3")
def test_cancelling(policy, by):
    fought = asked_to_stay()
    assert fought.question == "cancel retreat"
    order = answer(fought, policy)
    if policy.get("cancel_retreat") == "always":
        assert order.by
    else:
        assert order == CancelRetreat(by)


@pytest.mark.rule("11.4.3")
def test_a_corps_that_pays_brings_the_wanted_division():
    position = field(8, teruel="N-I", barracas="R-I R-II R-V", reserve="INF-9 N-MIL-9")
    fought = Round(position, R, "barracas")
    fought.say(attack("teruel", losses="corps", barracas="R-I R-II R-V")).roll(1, 1)
    assert fought.question == "cancel retreat"
    policy = {"cancel_retreat": "always", "successor": ["MIL"]}
    assert answer(fought, policy) == CancelRetreat("N-I", "N-MIL-9")


@pytest.mark.rule("11.4.3")
def test_a_corps_with_a_step_left_is_not_replaced():
    position = field(8, teruel="N-I INF-1 INF-2", barracas="R-I R-II R-V", reserve="N-MIL-9")
    fought = Round(position, R, "barracas")
    fought.say(attack("teruel", losses="corps", barracas="R-I R-II R-V")).roll(3, 1)
    fought.say(Losses(("INF-1", "INF-1", "INF-2", "INF-2")))
    policy = {"cancel_retreat": [{"from": ["corps"]}], "successor": ["MIL"]}
    assert answer(fought, policy) == CancelRetreat("N-I")


def asked_to_retreat(units="(R-MIL-1) RPA-1", **facts):
    position = field(3, sevilla="AFR-1 AFR-2", riotinto=units, **facts)
    fought = Round(position, N, "sevilla")
    fought.say(attack("riotinto", losses="AFR", sevilla="AFR-1 AFR-2")).roll(1, 1)
    return fought.by_default("losses")


@pytest.mark.parametrize("policy, unit, end", [
    ({}, "R-MIL-1", "jerez_de_los_caballeros"),
    ({"retreat": "toward_cordoba"}, "R-MIL-1", None),
    ({"retreat": {"sequence": ["RPA"], "prefer": [{"into": ["santa_olalla"]}]}}, "RPA-1",
     "santa_olalla"),
    ({"retreat": {"prefer": [{"toward": "penarroya"}]}}, "R-MIL-1", "santa_olalla"),
    ({"retreat": "toward_badajoz"}, "R-MIL-1", "jerez_de_los_caballeros"),
    ({"retreat": {"prefer": [{"stack_with_fewest": True}]}}, "R-MIL-1", "santa_olalla"),
    ({"retreat": "not_next_to_enemy"}, "R-MIL-1", "jerez_de_los_caballeros"),
    ({"retreat": "toward_supply"}, "R-MIL-1", "jerez_de_los_caballeros"),
    ({"retreat": {"prefer": [{"fewest_enemies": True}, {"stack_with_fewest": True}]}}, "R-MIL-1",
     "jerez_de_los_caballeros"),
    ({"retreat": {"prefer": [{"not_next_to_enemy": True}, {"stack_with_fewest": True}]}},
     "R-MIL-1", "jerez_de_los_caballeros"),
])  # fmt: skip
@pytest.mark.rule("11.4.5", "11.4.5/e")
def test_retreats(policy, unit, end):
    position = field(
        3, sevilla="AFR-1 INF-1", riotinto="R-MIL-1 RPA-1",
        jerez_de_los_caballeros="R-MIL-9", forts={"badajoz": Fort("position", R)},
    )  # fmt: skip
    fought = Round(position, N, "sevilla")
    fought.say(attack("riotinto", losses="AFR", sevilla="AFR-1 INF-1")).roll(4, 1)
    fought.say(Losses(("R-MIL-1", "RPA-1")))
    order = answer(fought, policy)
    assert isinstance(order, Retreat) and order.unit == unit
    assert end is None or order.path[-1] == end


# --- scope and totality -------------------------------------------------------------------------


@pytest.mark.parametrize("scope, covered", [
    ({}, True),
    ({"ask": []}, True),
    ({"ask": [{"space": ["madrid"]}]}, True),
    ({"ask": [{"space": ["madrid"]}, {"space": ["riotinto"]}]}, False),
    ({"ask": [{"att_cf": ">=5"}]}, False),
    ({"ask": [{"difference": ">=1"}]}, True),
])  # fmt: skip
@pytest.mark.rule("8.5.3.1")
def test_a_scope_says_when_to_ask(scope, covered):
    assert covers(asked_for_cards(), {"scope": scope}) is covered


@pytest.mark.rule("11.2.2")
def test_a_policy_does_not_answer_for_the_attacker():
    assert not covers(Round(asked_for_cards().position, N, "sevilla"), {})


# --- faults -------------------------------------------------------------------------------------


@pytest.mark.parametrize("policy, path", [
    ([], ()),
    ({"loses": ["MIL"]}, ("loses",)),
    ({"losses": "MIL"}, ("losses",)),
    ({"losses": ["MILL"]}, ("losses", 0)),
    ({"losses": [{"order": ["MIL", "XX"]}]}, ("losses", 0, "order", 1)),
    ({"losses": [{"worst": ["MIL"]}]}, ("losses", 0)),
    ({"successor": "MIL"}, ("successor",)),
    ({"combat_card": ["R99"]}, ("combat_card", 0)),
    ({"combat_card": ["N10"]}, ("combat_card", 0)),
    ({"combat_card": ["R1"]}, ("combat_card", 0)),
    ({"cards": ["R7"]}, ("cards", 0)),
    ({"cards": [{"card": "R7", "slot": "r/9/9"}]}, ("cards", 0, "slot")),
    ({"cards": [{"card": "R29", "slot": "r/1/0"}]}, ("cards", 0, "slot")),
    ({"cards": [{"card": "R29"}]}, ("cards", 0, "card")),
    ({"combat_card": "R29"}, ("combat_card", 0)),
    ({"cards": [{"card": "R7", "target": "MIL-99"}]}, ("cards", 0, "target")),
    ({"cards": [{"card": "R7", "if": {}}]}, ("cards", 0, "if")),
    ({"cards": [{"card": "R7", "when": {"difference": 1}}]}, ("cards", 0, "when", "difference")),
    ({"cards": [{"card": "R7", "when": {"after": {}}}]}, ("cards", 0, "when", "after")),
    ({"cards": [{"card": "R7", "when": {"my_cf": "many"}}]}, ("cards", 0, "when", "my_cf")),
    ({"cards": [{"card": "R7", "when": {"my_cf": True}}]}, ("cards", 0, "when", "my_cf")),
    ({"cards": [{"card": "R7", "when": {"winter": 1}}]}, ("cards", 0, "when", "winter")),
    ({"cards": [{"card": "R7", "when": {"space": "atlantis"}}]}, ("cards", 0, "when", "space")),
    ({"cards": [{"card": "R7", "when": {"luck": 1}}]}, ("cards", 0, "when", "luck")),
    ({"cards": [{"card": "R7", "when": "any"}]}, ("cards", 0, "when")),
    ({"cards": [{"card": "R7", "when": {"attackers": "AFR"}}]}, ("cards", 0, "when", "attackers")),
    ({"cards": [{"card": "R7", "when": {"attackers": {"has": "XX"}}}]},
     ("cards", 0, "when", "attackers", "has", 0)),
    ({"cards": [{"card": "R7", "when": {"attackers": {"lead": "AFR"}}}]},
     ("cards", 0, "when", "attackers", "lead")),
    ({"cancel_retreat": "sometimes"}, ("cancel_retreat",)),
    ({"cancel_retreat": ["always"]}, ("cancel_retreat", 0)),
    ({"cancel_retreat": [{"by": ["MIL"]}]}, ("cancel_retreat", 0, "by")),
    ({"retreat": "home"}, ("retreat",)),
    ({"retreat": "toward_atlantis"}, ("retreat",)),
    ({"retreat": ["toward_supply"]}, ("retreat",)),
    ({"retreat": {"order": []}}, ("retreat", "order")),
    ({"retreat": {"prefer": ["far"]}}, ("retreat", "prefer", 0)),
    ({"retreat": {"prefer": [{"toward": "atlantis"}]}}, ("retreat", "prefer", 0, "toward")),
    ({"retreat": {"prefer": [{"nearest": True}]}}, ("retreat", "prefer", 0, "nearest")),
    ({"retreat": {"prefer": [{"stack_with_fewest": 3}]}},
     ("retreat", "prefer", 0, "stack_with_fewest")),
    ({"scope": []}, ("scope",)),
    ({"scope": {"wen": []}}, ("scope", "wen")),
    ({"scope": {"ask": [{"luck": 1}]}}, ("scope", "ask", 0, "luck")),
    ({"withdraw_first": {}}, ("withdraw_first",)),
])  # fmt: skip
@pytest.mark.rule("8.5.3.1", "11.3.4")
def test_faults_of_a_policy_have_a_place(policy, path):
    position = table(hand={R: ["R7"]})
    assert [fault.at for fault in faults(position, R, policy)] == [path]


@pytest.mark.rule("11.2.8")
def test_a_later_fact_is_refused_when_the_policy_is_written():
    policy = {"cards": [{"card": "R7", "when": {"steps_left": ">=2"}}]}
    (fault,) = faults(table(hand={R: ["R7"]}), R, policy)
    assert str(fault.message) == "steps_left is not known yet when cards are played"


@pytest.mark.rule("11.4.5")
def test_the_policies_of_the_manual_are_sound():
    position = table(hand={R: ["R7"]})
    short = {
        "combat_card": "none", "losses": ["MIL", "POL", "INT", "RPA"],
        "cancel_retreat": "never", "retreat": "toward_supply",
    }  # fmt: skip
    long = {
        "scope": {"ask": [{"space": ["madrid"]}, {"corps_attacking": ">=2"}]},
        "cards": [
            {"card": "R7", "slot": "r/1/0",
             "when": {"role": "defender", "attackers": {"has": "AFR"}, "my_cf": ">=2"}},
            {"card": "R29", "slot": "table", "when": {"any": True}},
        ],
        "losses": [{"lose_last": ["corps", "INT"]},
                   {"order": ["MIL", "POL", "RPA", "INT", "corps"]}],
        "successor": ["MIL", "RPA"],
        "cancel_retreat": [
            {"when": {"space": ["teruel", "granada"], "after": {"steps_left": ">=2"}},
             "from": ["POL", "MIL"]},
            {"when": {"trench": True, "difference": "<=1"}, "from": ["MIL"]},
        ],
        "retreat": {
            "sequence": ["corps", "INT", "RPA", "MIL"],
            "prefer": [{"toward": "madrid"}, {"into": ["toledo"]}, {"stack_with_fewest": True},
                       {"not_next_to_enemy": True}],
        },
    }  # fmt: skip
    assert faults(position, R, short) == faults(position, R, long) == ()


@pytest.mark.rule("11.2.1")
def test_a_whole_combat_by_policy():
    policy = {"combat_card": ["R29"], "losses": ["MIL"], "retreat": "toward_supply"}
    fought = asked_for_cards()
    while fought.asks is not None and fought.question not in ("advance", "combat"):
        if fought.question == "dice":
            fought.roll(6, 1)
        elif covers(fought, policy):
            fought.say(answer(fought, policy))
        else:
            fought.say(fought.asks.default)
    assert fought.told(e.UnitRetreated) != []
