"""The player for practice: what it sees, and what it makes of a round."""

from __future__ import annotations

import random
import sys

import pytest

from pbem.engine.kernel import roll, submit, violations, waits_for
from pbem.engine.model import Decision, Side, State
from pbem.engine.practice import Idea, chosen
from pbem.games.crusade import orders as o
from pbem.games.crusade import practice
from pbem.games.crusade.odds import expected
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.tables import ENEMY, SIDES
from pbem.value import replace
from tests.bench.practice import game
from tests.bots import RandomDice
from tests.conftest import FUZZ
from tests.contract.playing import decisions, first_state
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import field
from tests.games.crusade.test_odds import random_attacks


def answer(position: Position, stage: object) -> Idea:
    return chosen(practice, State(position, (stage,)))


def swapped(position: Position, side: Side, rng: random.Random) -> Position:
    """The same table with other cards in a side's hand, and its pile in another order."""
    deck = position.decks[side]
    pool = rng.sample([*deck.hand, *deck.pile], len(deck.hand) + len(deck.pile))
    held = len(deck.hand)
    return position.with_deck(side, hand=tuple(pool[:held]), pile=tuple(pool[held:]))


def test_what_the_enemy_hides_changes_none_of_its_orders():
    rng, changed = random.Random(3), 0
    for moment in decisions("crusade", "campaign", 1, 12):
        assert moment.decision
        state, side = moment.state, moment.decision.side
        position = swapped(state.position, ENEMY[side], rng)
        changed += set(position.decks[ENEMY[side]].hand) != set(
            state.position.decks[ENEMY[side]].hand
        )
        other = State(position, state.agenda, state.seq)
        assert chosen(practice, other) == chosen(practice, state), state.agenda[-1]
    assert changed > 5, "nothing was hidden"


def test_its_own_hand_does_change_them():
    five, one = (answer(table(hand={N: [card]}), PlayCard(N)) for card in ("N2", "N15"))
    assert five.order != one.order
    assert str(five.why).startswith("plays ")


def test_what_it_looks_at_in_a_sealed_deck_is_the_table_as_it_is():
    position = table().but(laid=(("n", N, 1, ("N2",)),))
    state = State(position, (PlayCard(N),))
    assert practice.veiled(state, N) is state


SEVILLA = {"sevilla": "INF-15 AFR-1"}


def test_it_takes_what_nobody_holds():
    position = table(bare=True, units={"sevilla": "INF-15"}, nationalist=["sevilla"])
    idea = answer(position, Movement(N, ("sevilla",), (), frozenset(position.spaces_of(R))))
    assert isinstance(idea.order, o.Move) and "without a fight" in str(idea.why)


@pytest.mark.parametrize(
    ("defender", "attacks"), [("R-MIL-14", True), ("R-V R-XVIII R-XXI", False)]
)
def test_it_attacks_where_the_odds_favour_it(defender: str, attacks: bool):
    units = {**SEVILLA, "riotinto": defender}
    position = table(bare=True, units=units, nationalist=["sevilla"], republican=["riotinto"])
    idea = answer(position, Combats(N, ("sevilla",)))
    assert isinstance(idea.order, o.Attack) == attacks
    if attacks:
        assert str(idea.why).startswith("attacks Riotinto, 5 against 1: wins ")
        assert " steps and cost the enemy " in str(idea.why)


def test_an_attack_is_judged_by_its_exact_odds():
    """What is counted for each side by itself is what the stages of the combat come to."""
    apart = 0
    for state, order in random_attacks(4, 25 * FUZZ):
        assert isinstance(order, o.Attack)
        exact = practice._expected(practice.ODDS.of(state, order), state.agenda[-1].side)
        found = expected(state, order)
        if found is None:
            continue
        apart += 1
        assert found.ways * exact.of == exact.ways * found.of, order
        assert (found.ours, found.theirs) == (exact.ours, exact.theirs), order
        assert found.lost == pytest.approx(exact.lost), order
        assert found.taken == pytest.approx(exact.taken), order
    assert apart > 20 * FUZZ


@pytest.mark.parametrize("bars", ["a card", "a spared step", "a retreat"])
def test_where_sides_cannot_be_looked_at_apart_the_combat_is_played_out(bars: str):
    """R7 lets the defender fire first, R45 spares a step, 11.4.6 kills who retreated there."""
    position = field(5, zafra="INF-1 INF-2", merida="R-MIL-1 R-MIL-2")
    stage, cards = Combats(N, ("zafra",)), ()
    if bars == "a card":
        cards = ("N7",)
    elif bars == "a spared step":
        stage = replace(stage, boost=replace(stage.boost, spares_step=True))
    else:
        position = position.but(retreated=frozenset({"R-MIL-2"}))
    order = o.Attack("merida", {"zafra": ("INF-1", "INF-2")}, cards=cards)
    state = State(position, (stage,))
    assert expected(state, order) is None
    idea = practice._judged(state, replace(order, cards=()), N)
    assert idea.worth and "attacks Mérida" in str(idea.why)


def test_a_campaign_of_two_takes_less_than_three_random_ones():
    """In calls of functions, which are the same on a busy machine; three times in seconds."""
    assert calls_of(SIDES) < 2.6 * calls_of(())


def calls_of(bots: tuple[Side, ...]) -> int:
    """The calls of functions that two Campaigns take."""
    calls = 0

    def count(_frame: object, event: str, _arg: object) -> None:
        nonlocal calls
        calls += event == "call"

    for seed in (0, 3):
        before = sys.getprofile()
        sys.setprofile(count)
        try:
            game("crusade", "campaign", seed, bots)
        finally:
            sys.setprofile(before)
    return calls


def test_it_activates_what_can_do_something():
    units = {**SEVILLA, "riotinto": "R-MIL-14", "jaca": "INF-16"}
    position = table(bare=True, units=units, nationalist=["sevilla"], republican=["riotinto"])
    idea = answer(position, Activation(N, 1))
    order = idea.order
    assert isinstance(order, o.Activate) and len((*order.move, *order.attack)) == 1
    assert str(idea.why).startswith(("moves out of ", "attacks out of "))


def test_ground_is_felt_from_afar():
    position = table()
    pull = practice.pull_of(position, N)
    near = {practice.FADES * pull[space] for space in position.neighbours("madrid")}
    assert pull["madrid"] > max(near) > 0
    assert practice.worth_of(position, "madrid") > practice.worth_of(position, "riotinto")


def test_a_space_is_guarded_as_strongly_as_it_is_threatened():
    units = {**SEVILLA, "riotinto": "R-MIL-14"}
    position = table(bare=True, units=units, nationalist=["sevilla"], republican=["riotinto"])
    here = practice.campaigner(position, N)
    assert here.threat("sevilla") == 1
    assert here.safety("sevilla", 5) == 0.0 > here.safety("sevilla", 0)
    assert practice.campaigner(position, N) is here


def test_an_event_that_names_its_spaces_is_used_to_the_full():
    """Air Bridge activates Sevilla and one other space: what the rules bar is left out."""
    stage = Activation(N, 2, named=("sevilla",), free=1)
    state = State(table(1), (stage,))
    order = chosen(practice, state).order
    assert not violations(state, order)
    assert "sevilla" in order.attack and len((*order.move, *order.attack)) == 2


@pytest.mark.parametrize("turn, points", [(1, 3), (1, 5), (3, 4), (5, 3), (8, 4)])
@pytest.mark.parametrize("side", [N, R])
def test_operations_are_not_paid_for_and_left_unused(side, turn, points):
    """Also where the shortage, the first turn or winter bar the plan that looks best."""
    order = chosen(practice, State(table(turn), (Activation(side, points),))).order
    assert len((*order.move, *order.attack)) >= 2


@pytest.mark.parametrize("seed", [2, "h4"])
def test_a_whole_turn_leaves_no_operation_unused(seed):
    """Every card is played for what the rules let it bring: the shortage bars much on turn 1."""
    state, dice, promised = first_state("crusade", "campaign").state, RandomDice(seed), None
    while state.position.turn == 1:
        wanted = waits_for(state)
        if not isinstance(wanted, Decision):
            state = roll(state, dice).state
            continue
        idea, stage = chosen(practice, state), state.agenda[-1]
        if isinstance(idea.order, o.Play):
            promised = idea.worth if idea.order.use == "operations" else None
        if isinstance(stage, Activation):
            assert len((*idea.order.move, *idea.order.attack)) == stage.points, idea
            assert promised is None or idea.worth == pytest.approx(promised)
            promised = None
        state = submit(state, idea.order).state


def test_empty_ground_is_counted_for_whoever_takes_it_first():
    """Two stacks beside one open space: the second is not paid for what the first will hold."""
    units = {"sevilla": "INF-15", "huelva": "INF-16", "valencia": "R-MIL-14"}
    position = table(bare=True, units=units, nationalist=["sevilla", "huelva"])
    alone = {space: practice.Campaigner(position, N).left_of(space, (), ()) for space in units}
    both = practice.Campaigner(position, N)
    first = alone["sevilla"]
    assert first is not None
    taken = [*both.gain(first[2])]
    assert taken
    beside = both.left_of("sevilla", taken, ())
    assert beside is None or beside[0] < first[0]


def test_a_further_space_joins_an_attack_only_where_its_units_may():
    """17.4.2: of several spaces, one at most attacks with militia alone."""
    units = {"sarinena": "MIL-CNT-1", "candasnos": "MIL-CNT-2", "lecinena": "INF-15"}
    position = table(bare=True, units=units, republican=["sarinena", "candasnos"],
                     nationalist=["lecinena"])  # fmt: skip
    here = practice.Campaigner(position, R)
    assert not here.may_join("lecinena", ("sarinena", "candasnos"))
    assert all(len(spaces) == 1 for _, spaces, _ in here.attacks(["sarinena", "candasnos"]))
    mixed = table(bare=True, units={**units, "candasnos": "RPA-3"},
                  republican=["sarinena", "candasnos"], nationalist=["lecinena"])  # fmt: skip
    assert practice.Campaigner(mixed, R).may_join("lecinena", ("sarinena", "candasnos"))


def test_a_city_is_not_left_empty_by_an_advance():
    position = field(1, riotinto="R-MIL-14", sevilla="INF-15 AFR-1 N-POL-4")
    order = answer(position, Combats(N, ("sevilla",))).order
    assert isinstance(order, o.Attack) and order.advance
    assert {*order.units["sevilla"]} - {*order.advance.units} == {"N-POL-4"}


def test_an_attack_is_worth_less_if_it_bares_a_city():
    position = field(1, riotinto="R-MIL-14", sevilla="INF-15")
    order = o.Attack("riotinto", {"sevilla": ("INF-15",)},
                     advance=o.AdvancePlan(("INF-15",), ("riotinto",)))  # fmt: skip
    same, lost = practice._garrisoned(position, order, N)
    assert same == order and lost > practice.worth_of(position, "riotinto")


def test_open_ground_is_not_counted_as_a_hill():
    position = field(1, riotinto="R-MIL-14", sevilla="INF-15")
    ((worth, *_),) = practice.Campaigner(position, N).attacks(["sevilla"])
    chance = 0.25 + 0.3 * (2 - practice.EVEN)
    known = practice.worth_of(position, "riotinto")
    assert worth == pytest.approx(chance * (known + 1) - (1 - chance))


def test_a_round_with_two_attacks_is_one_orders_file():
    """It says both, and that it is done: no later mail of its own is needed for this round."""
    stage = Combats(N, ("sevilla", "priego_de_cordoba"))
    state = State(table(1), (stage,))
    first = chosen(practice, state)
    assert first.order.space == "riotinto"
    along = list(practice.along(state, first.order))
    assert isinstance(along[-1].order, o.Done)
    units = [unit for idea in (first, *along[:-1]) for group in idea.order.units.values()
             for unit in group]  # fmt: skip
    assert len(units) == len(set(units))
    assert all(not violations(state, idea.order) and idea.worth > 0 for idea in along[:-1])
    assert list(practice.along(state, o.Done())) == []
