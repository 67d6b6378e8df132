"""Orders and standing orders as steps of an entry: what is refused whatever the rules would say."""

from __future__ import annotations

from unittest.mock import patch

import pytest

from pbem.gamefile.entry import begin_entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.kept import StandingPolicy
from pbem.gamefile.steps import orders
from pbem.value import replace
from tests.gamefile.players import opened, proposed, sealed, tried, write

PASS, DRAW = {"pass": {}}, {"draw": {}}
CLEAR = {"do": "policy", "slot": "all", "scope": None, "until": None, "doc": {"card": None}}
ACCEPT = write(proposed(), "B").entries[-1].steps
MOST = orders.MAX_POLICIES


def refusal(call, *given):
    with pytest.raises(FileRefused) as caught:
        call(*given)
    return caught.value.problems[0]


def test_orders_are_given_by_whoever_is_asked():
    fold = opened()
    give = orders.answers("orders", "list")
    problem = refusal(give, begin_entry(fold.machine, "B"), {"list": [PASS]})
    assert (problem.code, problem.rule) == ("E-TURN", "protocol, the pen")
    assert "player B is not asked anything now" in str(problem.message)
    give(begin_entry(fold.machine, "A"), {"list": [PASS]})


@pytest.mark.parametrize("also", [{"c": "a" * 64}, {"box": "eA=="}, {"c": "a" * 64, "box": "eA=="}])
def test_standing_orders_are_either_in_clear_or_sealed(also):
    """Whoever judges a file without its rules asks the same."""
    for step in ({**CLEAR, **also}, {key: CLEAR[key] for key in CLEAR if key != "doc"}):
        problem = refusal(orders.check_policy_form, step)
        assert problem.code == "E-SCHEMA" and "either a document" in str(problem.message)
        assert refusal(tried, opened(), "A", [step]).code == "E-SCHEMA"
    orders.check_policy_form(CLEAR)
    orders.check_policy_form({**{k: v for k, v in CLEAR.items() if k != "doc"},
                              "c": "a" * 64, "box": "eA=="})  # fmt: skip


def test_as_many_may_be_in_force_for_each_player_and_withdrawals_do_not_count():
    machine = opened().machine
    one = StandingPolicy("A", "s", None, None, {}, machine.place(), 0)

    def holding(by, count, doc):
        return tuple(replace(one, by=by, slot=f"s{at}", doc=doc) for at in range(count))

    for theirs, own, more in (
        (holding("B", MOST, {}), holding("A", MOST - 1, {}), [("x", False)]),
        ((), holding("A", MOST, {}), [("s0", False), ("x", True)]),
        ((), holding("A", 4 * MOST - 1, None), [("x", False)]),
    ):
        orders.check_room(machine.put(policies=theirs + own), "A", more)
        full = machine.put(policies=(*theirs, *own, replace(one, slot="y", doc=own[0].doc)))
        assert refusal(orders.check_room, full, "A", more).code == "E-LIMIT"


def test_standing_orders_are_judged_by_the_game_as_it_is():
    fold = write(opened(), "A", PASS)
    seen = []
    with patch.object(orders, "check_policy", lambda table, standing: seen.append(table)):
        tried(fold, "B", [CLEAR, {"do": "orders", "list": [PASS]}])
        tried(proposed(), "B", [*ACCEPT, CLEAR])
    assert seen[0] == fold.in_play and seen[0] != seen[-1]


def test_whoever_has_sealed_anything_owes_the_audit_whatever_follows():
    fold = write(sealed(), "A", PASS, policies=(CLEAR | {"clear": False},), in_clear=False)
    assert fold.machine.hidden.has_sealed
    fold = write(fold, "B", PASS)
    assert write(fold, "A", PASS, policies=(CLEAR | {"clear": True},)).machine.hidden.has_sealed


def test_only_standing_orders_stand_behind_the_beginning():
    given = {"do": "orders", "list": [PASS]}
    problem = refusal(tried, proposed(), "B", [*ACCEPT, given])
    assert problem.code == "E-TURN" and "comes first" in str(problem.message)
    tried(proposed(), "B", [*ACCEPT, CLEAR])


def test_no_value_is_shown_twice():
    fold = opened()
    steps = [*write(fold, "A", DRAW).entries[-1].steps]
    assert steps[-1]["do"] == "reveal"
    problem = refusal(tried, fold, "A", [*steps, steps[-1]])
    assert problem.code == "E-REVEAL" and problem.rule == "protocol R5"
