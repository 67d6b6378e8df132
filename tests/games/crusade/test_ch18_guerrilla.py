"""18.1.9: the guerrilla corps, and 18.1.10: the war that ends early."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import Discard, Done, Guerrilla, Play
from pbem.games.crusade.position import Position
from pbem.games.crusade.sequence import ActionRound
from pbem.games.crusade.stages.guerrilla import GuerrillaCorps, LosingCard, harassable
from pbem.games.crusade.stages.round import PlayCard
from tests.bots import ScriptedDice
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import TABLES, N, R, refusals, table

CORPS = GuerrillaCorps()


def sent(position: Position, order: Guerrilla) -> kernel.Progress:
    return kernel.submit(kernel.begin(State(position, (CORPS,))).state, order)


def faults(position: Position, order: Guerrilla) -> list[str]:
    return refusals(CORPS, position, order)


@pytest.mark.rule("18.1.9")
@on_and_off("18.1.9")
@pytest.mark.parametrize("turn", [11, 12, 18])
def test_it_is_in_the_field_from_turn_12(turn: int, facts: dict[str, Any], agreed: bool) -> None:
    asked = CORPS.ask(table(turn, **facts))
    assert (asked is not None) is (agreed and turn >= 12)


@pytest.mark.rule("18.1.9")
def test_no_effect_is_used_in_two_turns_running() -> None:
    first = sent(table(12, **on("18.1.9")), Guerrilla("sabotage")).state.position
    second = first.but(turn=13, turn_marks=frozenset())
    assert faults(second, Guerrilla("sabotage")) == ["18.1.9"]
    assert faults(second, Guerrilla("intelligence")) == []
    third = sent(second, Guerrilla("intelligence")).state.position.but(turn=14)
    assert faults(third, Guerrilla("sabotage")) == []
    assert faults(third, Guerrilla("intelligence")) == ["18.1.9"]


@pytest.mark.rule("18.1.9")
def test_a_turn_without_it_frees_every_effect() -> None:
    first = sent(table(12, **on("18.1.9")), Guerrilla("sabotage")).state.position
    assert faults(first.but(turn=14), Guerrilla("sabotage")) == []


@pytest.mark.rule("18.1.9")
def test_what_is_done_for_a_silent_player() -> None:
    start = table(12, **on("18.1.9"))
    asked = CORPS.ask(start)
    assert asked is not None and asked.default == Guerrilla("sabotage")
    after = sent(start, Guerrilla("sabotage")).state.position.but(turn=13)
    again = CORPS.ask(after)
    assert again is not None and isinstance(again.default, Guerrilla)
    assert again.default.effect == "guerrilla" and refusals(CORPS, after, again.default) == []


@pytest.mark.rule("18.1.9/c")
def test_sabotage_marks_the_turn() -> None:
    struck = sent(table(12, **on("18.1.9")), Guerrilla("sabotage")).state.position
    assert "sabotage" in struck.turn_marks
    assert "sabotage" not in e.TurnBegan(13).apply(struck).turn_marks


@pytest.mark.rule("18.1.9/a")
@pytest.mark.parametrize("space, ok", [
    ("huesca", True), ("burgos", False), ("madrid", False), ("lerida", False),
])  # fmt: skip
def test_guerrillas_stay_near_their_own_lines(space: str, ok: bool) -> None:
    found = faults(table(12, **on("18.1.9")), Guerrilla("guerrilla", space))
    assert found == ([] if ok else ["18.1.9/a"])


@pytest.mark.rule("18.1.9/a")
def test_they_do_not_reach_the_cut_off_north() -> None:
    """León is next to Republican passes of the north only."""
    position = table(12, **on("18.1.9"))
    assert faults(position, Guerrilla("guerrilla", "leon")) == ["18.1.9/a"]
    assert faults(position, Guerrilla("guerrilla", "oviedo")) == ["18.1.9/a"]


@pytest.mark.rule("18.1.9/a")
def test_nor_do_they_from_a_base_outside_it() -> None:
    """León is a base of theirs now, and the passes of Asturias are shut all the same."""
    regions = {space.id: bool(space.region) for space in TABLES.spaces.values()}
    north = [space for space, inside in regions.items() if inside]
    south = [space for space, inside in regions.items() if not inside]
    kept = [space for space in south if space not in ("lugo", "burgos")]
    position = table(12, nationalist=(*north, "burgos", "lugo"), republican=kept, **on("18.1.9"))
    assert harassable(position) == ("lugo", "burgos")
    assert faults(position, Guerrilla("guerrilla", "pto_de_pajares")) == ["18.1.9/a"]


@pytest.mark.rule("18.1.9/a")
def test_only_guerrilla_names_a_space() -> None:
    assert faults(table(12, **on("18.1.9")), Guerrilla("sabotage", "huesca")) == ["18.1.9/a"]
    assert faults(table(12, **on("18.1.9")), Guerrilla("robbery")) == ["18.1.9"]


# --- intelligence ---------------------------------------------------------------------------------

HAND = ["N3", "N8", "N10", "N16", "N41"]


def spied(die: int, *more: Any) -> kernel.Progress:
    position = table(12, hand={N: HAND}, **on("18.1.9"))
    state = sent(position, Guerrilla("intelligence")).state
    step = kernel.roll(state, ScriptedDice(die))
    return kernel.roll(step.state, ScriptedDice(*more)) if more else step


@pytest.mark.rule("18.1.9/b")
@pytest.mark.parametrize("die", [2, 3, 4])
def test_so_many_cards_are_seen(die: int) -> None:
    picked = tuple(range(die))
    step = spied(die, picked)
    assert step.events == (e.CardsSeen(N, tuple(f"n/1/{place}" for place in picked)),)


@pytest.mark.rule("18.1.9/b")
def test_a_hand_of_five_is_seen_whole_by_a_five() -> None:
    assert e.CardsSeen(N, tuple(f"n/1/{place}" for place in range(5))) in spied(5).events


@pytest.mark.rule("18.1.9/b")
def test_a_six_brings_nothing() -> None:
    step = spied(6)
    assert step.events == (rare.IntelligenceRolled(6, 0, 0),) and step.state.agenda == ()


@pytest.mark.rule("18.1.9/b")
def test_a_one_costs_the_enemy_a_card_of_its_choice() -> None:
    state = spied(1).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and asked.side == N
    least = min(HAND, key=lambda card: (state.position.card(card).ops, card))
    assert asked.default == Discard((least,))
    for wrong in (Discard(), Discard(("N3", "N8")), Discard(("N12",))):
        assert "18.1.9/b" in refusals(LosingCard(N), state.position, wrong)
    lost = kernel.submit(state, Discard(("N16",))).state.position
    assert lost.decks[N].discards == ("N16",) and len(lost.decks[N].hand) == 4


@pytest.mark.rule("18.1.9/b")
def test_an_empty_hand_loses_nothing() -> None:
    position = table(12, hand={N: []}, **on("18.1.9"))
    state = sent(position, Guerrilla("intelligence")).state
    assert kernel.roll(state, ScriptedDice(1)).state.agenda == ()
    assert kernel.roll(state, ScriptedDice(4)).state.agenda == ()


@pytest.mark.rule("18.1.9")
def test_it_may_stay_at_home() -> None:
    state = kernel.begin(State(table(12, **on("18.1.9")), (CORPS,))).state
    assert kernel.submit(state, Done()).events == ()


# --- the end of the war ---------------------------------------------------------------------------


@pytest.mark.rule("18.1.10")
@on_and_off("18.1.10")
@pytest.mark.parametrize("turn, side, number", [
    (18, R, 3), (18, N, 3), (18, R, 2), (17, R, 3),
])  # fmt: skip
def test_the_third_round_of_turn_18_is_the_last(
    turn: int, side: Any, number: int, facts: dict[str, Any], agreed: bool
) -> None:
    state = kernel.begin(State(table(turn, **facts), (ActionRound(side, number),))).state
    while isinstance(asked := kernel.waits_for(state), Decision):
        state = kernel.submit(state, asked.default).state
    over = agreed and (turn, side, number) == (18, R, 3)
    assert (state.position.result is not None) is over


@pytest.mark.rule("18.1.10")
@on_and_off("18.1.10")
def test_nobody_rises_in_the_short_turn(facts: dict[str, Any], agreed: bool) -> None:
    position = table(18, hand={N: ["N48"]}, rm=5, units={"almeria": ""}, **facts)
    found = refusals(PlayCard(N), position, Play("N48", "event"))
    assert found == ["18.1.10"] * agreed
    assert refusals(PlayCard(N), position, Play("N48", "operations")) == []
    assert refusals(PlayCard(N), position.but(turn=17), Play("N48", "event")) == []
