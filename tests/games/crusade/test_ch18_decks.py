"""Chapter 18: optional rules of cards and hands, each with and without."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, Side, State
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import ChooseCard, Discard, Done, KeepCard, Play
from pbem.games.crusade.position import Deck, Position
from pbem.games.crusade.rules.options_decks import (
    dealt_openly,
    fleet_is_free,
    is_chosen_unseen,
    other_corps_has_come,
    there_is_time_to_rise,
)
from pbem.games.crusade.stages.draw import CheckWarPhase, Discards, hand_size, phase_cards
from pbem.games.crusade.stages.event_operations import LookAtHand
from pbem.games.crusade.stages.intelligence import KeepingCard, SomeCards, look_at_hand
from pbem.games.crusade.stages.random_setup import CardLots
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.stages.setup import deck_cards
from tests.bots import ScriptedDice
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, sealed, table

# --- hands ----------------------------------------------------------------------------------------


@pytest.mark.rule("18.3.3")
@on_and_off("18.3.3")
@pytest.mark.parametrize("rm, sizes", [(20, (7, 7)), (15, (8, 7)), (10, (8, 6))])
def test_hands_are_one_card_bigger(
    rm: int, sizes: tuple[int, int], facts: dict[str, Any], agreed: bool
) -> None:
    position = table(8, rm=rm, **facts)
    assert tuple(hand_size(position, side) - agreed for side in (N, R)) == sizes


@pytest.mark.rule("18.3.2")
@on_and_off("18.3.2")
def test_any_card_may_be_discarded(facts: dict[str, Any], agreed: bool) -> None:
    """R17 is a combat card, R8 an event."""
    position = table(2, hand={R: ["R8", "R17"]}, **facts)
    assert refusals(Discards(R), position, Discard(("R17",))) == []
    assert refusals(Discards(R), position, Discard(("R8",))) == ["8.5.3.6"] * (not agreed)
    assert refusals(Discards(R), position, Discard(("R9",))) == ["8.5.3.6"]


@pytest.mark.rule("18.3.2")
@on_and_off("18.3.2")
def test_who_may_discard_is_asked(facts: dict[str, Any], agreed: bool) -> None:
    position = table(2, hand={R: ["R8"]}, **facts)
    assert (Discards(R).ask(position) is not None) is agreed


# --- what comes into the decks --------------------------------------------------------------------


@pytest.mark.rule("18.2.7")
@on_and_off("18.2.7")
def test_the_blockade_fleet_comes_with_the_mobilization(
    facts: dict[str, Any], agreed: bool
) -> None:
    assert ("N49" in phase_cards(table(6, **facts), N)) is agreed
    assert ("N49" in phase_cards(table(12, **facts), N)) is not agreed


@pytest.mark.rule("18.2.7/a")
@on_and_off("18.2.7")
def test_the_fleet_first_has_to_leave_the_atlantic(facts: dict[str, Any], agreed: bool) -> None:
    played = frozenset({"N6"})
    position = table(12, hand={N: ["N49"]}, nationalist=["bilbao"], played=played, **facts)
    assert refusals(PlayCard(N), position, Play("N49", "event")) == ["18.2.7/a"] * agreed
    fallen = table(12, hand={N: ["N49"]}, nationalist=[
        "bilbao", "gijon", "santander", "santona", "san_vicente", "castropol",
    ], played=played, **facts)  # fmt: skip
    assert refusals(PlayCard(N), fallen, Play("N49", "event")) == []


@pytest.mark.rule("18.2.7/a")
@pytest.mark.parametrize("held, busy", [
    ("", False), ("bilbao", False), ("bilbao gijon", True), ("santander gijon", True),
    ("bilbao castropol", False), ("bilbao valencia", False), ("bilbao gijon santander", True),
])  # fmt: skip
def test_one_republican_port_on_the_atlantic_does_not_keep_the_fleet(held: str, busy: bool) -> None:
    start = table(12, played=frozenset({"N6"}), **on("18.2.7"))
    atlantic = [port for port in start.ports() if start.sea_of(port) == "atlantic"]
    position = table(
        12, nationalist=atlantic, republican=held.split(), played=frozenset({"N6"}), **on("18.2.7")
    )
    assert hindered(position) == (["N49"] if busy else [])
    order = Play("N49", "operations")
    assert not list(fleet_is_free(None, position, order)), "only its event waits"


@pytest.mark.rule("18.4.2/a")
@pytest.mark.parametrize("side, card, number", [(R, "R56", "18.4.2.1"), (N, "N56", "18.4.2.2")])
def test_the_expeditions_come_with_the_mobilization(side: Side, card: str, number: str) -> None:
    assert card in phase_cards(table(6, **on(number)), side)
    assert card not in phase_cards(table(6), side)
    assert card not in phase_cards(table(12, **on(number)), side)


def hindered(position: Position) -> list[str]:
    """The cards whose events an optional rule keeps back."""
    checks = (fleet_is_free, there_is_time_to_rise, other_corps_has_come)
    plays = [Play(card, "event") for card in position.tables.cards]
    return [play.card for play in plays
            if any(True for check in checks for _ in check(None, position, play))]  # fmt: skip


@pytest.mark.rule("18.1.10", "18.4.2/a")
def test_these_rules_keep_back_no_other_card() -> None:
    assert hindered(table(18, **on("18.1.10"))) == ["N48"]
    assert hindered(table(17, **on("18.1.10"))) == []
    both = ("18.4.2.1", "18.4.2.2")
    assert hindered(table(8, **on(*both, "18.4.2/republican", "18.5"))) == ["N56"]
    assert hindered(table(8, **on(*both, "18.4.2/nationalist", "18.5"))) == ["R56"]


@pytest.mark.rule("18.4.2/b")
def test_one_expedition_may_have_to_wait_for_the_other() -> None:
    facts = on("18.4.2.1", "18.4.2.2", "18.4.2/republican")
    hands = {N: ["N56"], R: ["R56"]}
    units = {"reserve": "INF-1 R-MIL-1"}
    position = table(8, hand=hands, units=units, played=frozenset({"N2", "R2"}), **facts)
    assert refusals(PlayCard(N), position, Play("N56", "event")) == ["18.4.2/b"]
    assert refusals(PlayCard(N), position, Play("N56", "operations")) == []
    assert refusals(PlayCard(R), position, Play("R56", "event")) == []
    after = position.but(played=position.played | {"R56"})
    assert refusals(PlayCard(N), after, Play("N56", "event")) == []


# --- combat cards by lot --------------------------------------------------------------------------


def begun(position: Position, *dice: Any) -> State[Position]:
    state = kernel.begin(State(position, (CardLots(),))).state
    if dice:
        state = kernel.roll(state, ScriptedDice(*dice)).state
    return state


@pytest.mark.rule("18.5")
def test_without_the_option_nothing_is_drawn() -> None:
    assert begun(table(1)).agenda == ()
    deck = deck_cards(table(1), N, ("columns", "mobilization", "armies"))
    assert "N14" in deck and not {"N56", "N57", "N58", "N59", "N60"} & set(deck)


@pytest.mark.rule("18.5")
def test_a_lot_of_three_decides_for_each_side() -> None:
    start = table(1, **on("18.5", "18.5/random"))
    asked = kernel.waits_for(begun(start))
    assert isinstance(asked, Chance)
    assert [(draw.label, draw.of, draw.take) for draw in asked.draws] == [
        ("option/n/#", 3, 1), ("option/r/#", 3, 1),
    ]  # fmt: skip
    position = begun(start, (2,), (0,)).position
    assert {"N14", "N57", "N58"} & set(deck_cards(position, N, ("columns",))) == {"N58"}
    assert {"R7", "R57", "R58"} & set(deck_cards(position, R, ("columns",))) == {"R7"}


@pytest.mark.rule("18.5", "24.1")
@pytest.mark.parametrize("way", ["random", "direct"])
def test_a_card_that_a_hand_names_is_that_of_its_side(way: str) -> None:
    """The Nationalist hand of the example holds N14: there is no lot about it, and no choice."""
    state = begun(table(1, **on("18.5", f"18.5/{way}", "example_hands")))
    asked = kernel.waits_for(state)
    if isinstance(asked, Chance):
        assert [draw.label for draw in asked.draws] == ["option/r/#"]
        position = kernel.roll(state, ScriptedDice((2,))).state.position
    else:
        assert isinstance(asked, Decision) and asked.side == R
        step = kernel.submit(state, ChooseCard("R58"))
        assert step.state.agenda == ()
        position = step.state.position
    assert {"N14", "N57", "N58"} & set(deck_cards(position, N, ("columns",))) == {"N14"}
    assert {"R7", "R57", "R58"} & set(deck_cards(position, R, ("columns",))) == {"R58"}


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("pile", ["removed", "played", "discards", "retained"])
def test_a_card_that_a_scenario_names_anywhere_is_that_of_its_side(
    pile: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The Nationalist one is dealt, the other lies somewhere: nothing is drawn or chosen."""
    start = table(1, **on("18.5", "18.5/random"))
    sheet = dict(start.tables.sheet("campaign"))
    hands = {N: {"fixed": ["N1", "N58"]}, R: {"fixed": []}}
    sheet["decks"] = {**sheet["decks"], "hands": hands, pile: {N: [], R: ["R57"]}}
    monkeypatch.setattr(type(start.tables), "sheet", lambda tables, scenario: sheet)
    state = begun(start)
    assert state.agenda == ()
    assert {"N14", "N57", "N58"} & set(deck_cards(state.position, N, ("columns",))) == {"N58"}
    assert {"R7", "R57", "R58"} & set(deck_cards(state.position, R, ("columns",))) == {"R57"}
    assert not is_chosen_unseen(start.but(**on("18.5", "18.5/direct")), "columns")


@pytest.mark.rule("18.5")
def test_or_each_side_chooses() -> None:
    state = begun(table(6, **on("18.5", "18.5/direct", "open_hands")))
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and (asked.side, asked.default) == (N, ChooseCard("N25"))
    assert [v.rule for v in kernel.violations(state, ChooseCard("N58"))] == ["18.5"]
    state = kernel.submit(state, ChooseCard("N60")).state
    position = kernel.submit(state, ChooseCard("R28")).state.position
    assert {"N25", "N59", "N60"} & set(phase_cards(position, N)) == {"N60"}
    assert {"R28", "R59", "R60"} & set(phase_cards(position, R)) == {"R28"}


@pytest.mark.rule("18.5")
def test_or_all_of_them_are_added() -> None:
    free = table(6, **on("18.5", "18.5/free"))
    assert {"N25", "N59", "N60"} <= set(phase_cards(free, N))
    assert begun(free).agenda == ()


@pytest.mark.rule("18.5")
def test_a_war_that_begins_in_the_mobilization_has_no_earlier_lot() -> None:
    start = table(6, scenario="two_years_of_war", **on("18.5", "18.5/random"))
    position = begun(start, (1,), (1,)).position
    deck = deck_cards(position, N, ("columns", "mobilization"))
    assert "N14" in deck and "N59" in deck and "N25" not in deck
    assert begun(table(12, **on("18.5", "18.5/random"))).agenda == ()


@pytest.mark.rule("2.3", "8.1.2", "19.4.6.1")
def test_a_pile_is_of_one_side_and_of_its_phases() -> None:
    position = table(1)
    deck = deck_cards(position, N, ("columns",), ["N3"])
    cards = [position.card(card) for card in deck]
    assert {(card.side, card.phase) for card in cards} == {(N, "columns")}
    assert "N3" not in deck and list(deck) == sorted(deck)
    assert {*deck, "N3"} == set(deck_cards(position, N, ("columns",)))
    assert set(deck) < set(deck_cards(position, N, ("columns", "mobilization")))


@pytest.mark.rule("4.3.1/a", "24.1")
def test_the_hand_that_is_dealt_openly() -> None:
    """The air bridge; the hands of the example where both want them and the scenario has them."""
    both = on("example_hands")
    assert [dealt_openly(table(), side) for side in (N, R)] == [("N1",), ()]
    assert "N16" in dealt_openly(table(**both), N) and "R15" in dealt_openly(table(**both), R)
    assert dealt_openly(table(scenario="two_years_of_war", **both), R) == ()


# --- intelligence ---------------------------------------------------------------------------------


@pytest.mark.rule("18.3.5")
@on_and_off("18.3.5")
def test_a_young_service_sees_half_a_hand(facts: dict[str, Any], agreed: bool) -> None:
    hand = ["R1", "R3", "R5", "R8", "R9"]
    stage = look_at_hand(table(8, hand={R: hand}, **facts), R)
    assert stage == (SomeCards(R, half=True) if agreed else LookAtHand(R))
    assert look_at_hand(table(12, hand={R: hand}, **facts), R) == LookAtHand(R)


@pytest.mark.rule("18.3.5")
def test_half_is_rounded_up_and_drawn() -> None:
    position = table(8, hand={R: ["R1", "R3", "R5", "R8", "R9"]}, **on("18.3.5"))
    state = kernel.begin(State(position, (SomeCards(R, half=True),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Chance) and (asked.draws[0].of, asked.draws[0].take) == (5, 3)
    step = kernel.roll(state, ScriptedDice((4, 0, 2)))
    assert step.events == (e.CardsSeen(R, ("r/1/0", "r/1/2", "r/1/4")),)


@pytest.mark.rule("18.3.5")
@pytest.mark.parametrize("held, seen", [(1, 1), (2, 1), (3, 2), (4, 2)])
def test_half_of_a_hand(held: int, seen: int) -> None:
    position = table(8, hand={R: ["R1", "R3", "R5", "R8"][:held]}, **on("18.3.5"))
    asked = kernel.waits_for(kernel.begin(State(position, (SomeCards(R, half=True),))).state)
    assert (asked.draws[0].take if isinstance(asked, Chance) else held) == seen


@pytest.mark.rule("18.3.5")
def test_hidden_cards_have_to_be_opened_by_their_owner() -> None:
    position = sealed(table(8, hand={R: ["R1"]}, **on("18.3.5")))
    state = kernel.begin(State(position, (SomeCards(R, half=True),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and (asked.side, asked.stage) == (R, "show cards")
    told = (e.CardOpened(R, "r/1/0", "R1"), e.CardsSeen(R, ("r/1/0",)))
    assert kernel.submit(state, asked.default).events == told


@pytest.mark.rule("18.3.5")
@on_and_off("18.3.5")
def test_its_card_may_serve_again_in_the_last_phase(facts: dict[str, Any], agreed: bool) -> None:
    position = table(8, decks={side: Deck(removed=("N32",) if side == N else ())
                               for side in (N, R)}, **facts)  # fmt: skip
    state = kernel.begin(State(position, (KeepingCard(N, "N32"),))).state
    assert (state.agenda != ()) is agreed
    if agreed:
        asked = kernel.waits_for(state)
        assert isinstance(asked, Decision) and asked.default == Done() and asked.optional
        assert [v.rule for v in kernel.violations(state, KeepCard("N8"))] == ["18.3.5"]
        let_go = kernel.submit(state, Done()).state.position
        assert "N32" not in next_deck(let_go)
        position = kernel.submit(state, KeepCard("N32")).state.position
    assert ("N32" in next_deck(position)) is agreed


def next_deck(position: Position) -> set[str]:
    """The cards of the Nationalist pile when the War of the Armies begins."""
    step = kernel.begin(State(position.but(turn=12), (CheckWarPhase(),)))
    laid = [event for event in step.events if isinstance(event, rare.DeckLaid) and event.side == N]
    assert "N32" not in step.state.position.decks[N].removed or "N32" not in laid[0].cards
    return set(laid[0].cards)
