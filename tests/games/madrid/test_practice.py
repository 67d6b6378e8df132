"""The player for practice: what it sees, and what it makes of an impulse."""

from __future__ import annotations

import random

import pytest

from pbem.engine.model import Side, State
from pbem.engine.practice import Idea, chosen
from pbem.games.madrid import orders as o
from pbem.games.madrid import practice
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.combat import Defending
from pbem.games.madrid.stages.impulse import Impulse
from pbem.games.madrid.tables import ENEMY
from tests.contract.playing import decisions
from tests.games.madrid.table import N, R, table


def answer(position: Position, stage: object = None, side: Side = N) -> Idea:
    return chosen(practice, State(position, (stage or Impulse(side),)))


def swapped(position: Position, side: Side, rng: random.Random) -> Position:
    """The same table with other chits in a side's hand, and its cup in another order."""
    hand, cup = position.hands[side], position.cups[side]
    pool = rng.sample([*hand, *cup], len(hand) + len(cup))
    return position.but(
        hands={**position.hands, side: tuple(pool[: len(hand)])},
        cups={**position.cups, side: tuple(pool[len(hand) :])},
    )


def test_what_the_enemy_hides_changes_none_of_its_orders():
    rng, changed = random.Random(3), 0
    for moment in decisions("madrid", "scenario_1", 2, 16):
        assert moment.decision
        state, side = moment.state, moment.decision.side
        position = swapped(state.position, ENEMY[side], rng)
        other = State(position, state.agenda, state.seq)
        changed += position.hands != state.position.hands
        assert chosen(practice, other) == chosen(practice, state)
    assert changed > 5, "nothing was hidden"


def test_its_own_hand_does_change_them():
    at = {"D": "N01s", "C": "R01"}
    armed = answer(table(at, hands={N: "CN2a"}))
    assert answer(table(at)).order == o.Pass()
    assert armed.order == o.Play("CN2a", "C", "R01")
    assert str(armed.why).startswith("plays Aerial Bombardment on Parla (C): should cost ")


def test_it_attacks_where_the_odds_favour_it():
    weak = table({"D": "N01 N02 N03", "C": "R01s"}, nationalist="D", morale="crumbling")
    idea = answer(weak)
    assert isinstance(idea.order, o.Assault) and idea.order.path[-1] == "C"
    assert str(idea.why).startswith("assaults Parla (C), 6 against ")


def test_it_does_not_attack_where_they_do_not():
    spent = table({"C": "N01 R01 R02 R03 R04 R05 R06"}, nationalist="D C", morale="good")
    assert not isinstance(answer(spent).order, o.Attack)


def test_it_takes_what_nobody_holds_and_passes_when_it_can_do_nothing():
    idea = answer(table({"S": "N01"}, nationalist="S K"))
    assert isinstance(idea.order, o.Move) and "without a fight" in str(idea.why)
    assert answer(table({"S": "N01s"}, nationalist="S")).order == o.Pass()


def test_the_last_road_that_is_open_counts_most():
    position = table({"D": "N01"}, nationalist="D")
    three = position.but(control={**position.control, **dict.fromkeys(("LL", "R", "Y", "Q"), N)})
    linked = three.but(control={**three.control, **dict.fromkeys("EFGHUX", N)})
    worth = [practice.worth_of(each)("KK") for each in (position, linked)]
    assert worth[1] - worth[0] == 3 * practice.ROAD, "three of four are cut"


def test_it_fears_only_those_who_can_still_act_in_the_turn():
    def worth(enemies: str) -> float:
        """What it is worth to take Alcobendas, which these enemies are next to."""
        position = table({"GG": "R40", "LL": enemies}, nationalist="D LL KK")
        asked = Impulse(R).ask(position)
        ideas = practice.ideas(State(position, (Impulse(R),)), asked)
        moves = (each for each in ideas if isinstance(each.order, o.Move))
        return max((each.worth for each in moves if each.order.path[-1] == "KK"), default=0.0)

    assert worth("N01s N02s N03s N04s") > worth("N01 N02 N03s N04s") > worth("N01 N02 N03 N04")


@pytest.mark.parametrize(("defenders", "counters"), [("R01 R02 R03", 0), ("R40 R41", 2)])
def test_it_counters_an_attack_where_that_costs_the_enemy_more(defenders: str, counters: int):
    position = table({"K": f"N01 {defenders}"}, nationalist="K")
    idea = answer(position, Defending(Fight(N, "K", ("N01",), "N01")), R)
    assert isinstance(idea.order, o.Defend) and len(idea.order.counterattack) == counters


def test_ideas_that_are_illegal_or_worth_nothing_are_passed_over(monkeypatch: pytest.MonkeyPatch):
    state = State(table({"D": "N01"}), (Impulse(N),))
    move = o.Move(("N01",), ("D", "C"))
    bad = [Idea(o.Attack(("N01",)), 9.0), Idea(o.Again(), 8.0), Idea(move, -1.0)]
    monkeypatch.setattr(practice, "ideas", lambda state, decision: bad)
    assert chosen(practice, state) == Idea(o.Pass(), 0.0)
    monkeypatch.setattr(practice, "ideas", lambda state, decision: [*bad, Idea(move, 1.0)])
    assert chosen(practice, state).order == move
