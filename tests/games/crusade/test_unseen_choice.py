"""18.5 with hidden hands: which combat card a player chooses for the deck nobody else sees."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, State, Unfolding
from pbem.engine.public import plain
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.hidden import looks_at, renewed
from pbem.games.crusade.orders import ChooseCard
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import is_chosen_unseen
from pbem.games.crusade.stages.draw import CheckWarPhase, phase_cards, return_hand
from pbem.games.crusade.stages.random_setup import (
    CardLots,
    ChosenCard,
    DecksSettled,
    UnseenLots,
)
from pbem.games.crusade.system import public
from pbem.play.table import Table
from tests.bots import RandomDice
from tests.conftest import FUZZ
from tests.contract.playing import system
from tests.contract.test_hidden_hands import game_seen_by_all
from tests.games.crusade.agreed import on
from tests.games.crusade.board import N, R, blind, refusals, sealed, table
from tests.games.crusade.kit import cards, cards_due, faults, is_between_rounds
from tests.games.crusade.test_sealed_hands import SEATS, begun

AGREED = on("18.5", "18.5/direct")
OPTION = "rule_18_5_direct"
LOT = ("N14", "N57", "N58")


def laid(*more: str) -> Position:
    """A Nationalist deck of turn 1 with all three cards: n/1/0 is N3, then the lot, then N5."""
    pile = ("N3", *LOT, "N5", *more)
    known = {f"n/1/{place}": card for place, card in enumerate(pile)}
    position = table(1, **AGREED).with_deck(N, pile=tuple(known), epoch=1)
    return sealed(position.but(known=known))


STAGE = ChosenCard(N, "columns")


@pytest.mark.rule("18.5")
def test_all_three_are_laid_then_a_beacon_then_the_choice() -> None:
    state = begun(OPTION).state
    assert {*LOT} < set(state.position.decks[N].unseen)
    asked = kernel.waits_for(state)
    assert isinstance(asked, Chance) and asked.draws == ()
    state = kernel.roll(state, RandomDice(1)).state
    assert [type(stage) for stage in state.agenda[-2:]] == [ChosenCard, ChosenCard]
    assert state.agenda[-1] == STAGE
    assert CardLots().run(state.position).then == ()


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("chosen, aside", [
    ("N14", ("n/1/2", "n/1/3")), ("N57", ("n/1/1", "n/1/3")), ("N58", ("n/1/1", "n/1/2")),
])  # fmt: skip
def test_the_order_names_the_slots_of_the_others(chosen: str, aside: tuple[str, ...]) -> None:
    position = laid()
    game = Table(system("crusade"), SEATS, State(position, (STAGE,)))
    said = game.read({"choose_card": {"card": chosen, "aside": []}})
    written = game.worded("A", said)
    assert written.plain == {"choose_card": {"aside": list(aside)}}
    assert game.worded("A", written) == written
    assert game.shows("A", written) == game.shows("A", said) == ()
    seen = Table(system("crusade"), SEATS, State(blind(position), (STAGE,))).submit(written)
    assert seen.public() == game.submit(said).public() == game.submit(written).public()
    after = seen.state.position
    deck = after.decks[N]
    assert deck.retired == aside and len(deck.pile) == 3 and not set(aside) & set(deck.pile)
    assert not any(flag.startswith("lot_") for flag in after.flags)
    assert set(LOT) < set(deck.unseen) and deck.removed == ()
    assert plain(public(after))["decks"][N]["retired"] == list(aside)
    assert system("crusade").faults(after) == () and list(faults(after)) == []
    assert cards(after) == cards(position)


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("order", [
    ChooseCard("N59"), ChooseCard(), ChooseCard(aside=("n/1/1",)), ChooseCard("N3"),
    ChooseCard(aside=("n/1/1", "n/1/1")), ChooseCard(aside=("n/1/1", "n/1/9")),
    ChooseCard(aside=("n/1/1", "n/1/2", "n/1/3")), ChooseCard(aside=("n/1/1", "r/1/0")),
    ChooseCard(aside=("n/1/1", "n/1/1", "n/1/2")),
])  # fmt: skip
def test_two_hidden_slots_of_the_own_deck_are_put_aside(order: ChooseCard) -> None:
    assert "18.5" in refusals(STAGE, laid(), order)
    assert "18.5" in refusals(STAGE, blind(laid()), order)


@pytest.mark.rule("18.5")
def test_a_card_that_both_know_is_not_put_aside() -> None:
    position = laid().with_shown(N, "n/1/1", "N14")
    assert refusals(STAGE, blind(position), ChooseCard(aside=("n/1/1", "n/1/2"))) == ["18.5"]


@pytest.mark.rule("18.5")
def test_where_hands_are_named_card_by_card_the_choice_is_told() -> None:
    position = table(1, **on("18.5", "18.5/direct", "example_hands"))
    assert not is_chosen_unseen(position, "columns")
    assert is_chosen_unseen(position, "mobilization")
    assert is_chosen_unseen(laid(), "columns") and not is_chosen_unseen(laid(), "armies")


@pytest.mark.rule("18.5")
def test_nobody_is_told_a_card_that_only_its_owner_can_find() -> None:
    assert refusals(STAGE, laid(), ChooseCard("N57")) == []
    assert refusals(STAGE, blind(laid()), ChooseCard("N57")) == ["18.5"]


@pytest.mark.rule("18.5")
def test_the_default_is_legal_in_every_view() -> None:
    """What a mail will cost is foretold by playing on with the answers of silent players."""
    mine, seen = STAGE.ask(laid()).default, STAGE.ask(blind(laid())).default
    assert mine == ChooseCard("N14") and seen == ChooseCard(aside=("n/1/3", "n/1/4"))
    assert refusals(STAGE, laid(), mine) == refusals(STAGE, blind(laid()), seen) == []


@pytest.mark.rule("18.5")
def test_who_puts_another_card_aside_is_found_by_the_audit() -> None:
    """The enemy cannot see it, the audit knows all cards."""
    cheat = ChooseCard(aside=("n/1/0", "n/1/1"))  # N3 would be gone, and two of the lot stay
    assert refusals(STAGE, blind(laid()), cheat) == []
    assert refusals(STAGE, laid(), cheat) == ["18.5"]


@pytest.mark.rule("18.5")
def test_only_while_one_chooses_the_pile_is_looked_at() -> None:
    position = laid()
    assert looks_at(State(position, (STAGE,)), N) == position.decks[N].pile
    assert looks_at(State(position, (ChosenCard(R, "columns"),)), N) == ()
    assert looks_at(State(position, (STAGE,)), R) == looks_at(State(position, ()), N) == ()


@pytest.mark.rule("18.5")
def test_with_open_hands_the_choice_is_told() -> None:
    position = table(6, **on("18.5", "18.5/direct", "open_hands"))
    state = kernel.begin(State(position, (UnseenLots(), CardLots()))).state
    state = kernel.submit(state, ChooseCard("N60")).state
    assert state.position.has("lot_N60") and state.agenda != ()
    assert refusals(ChosenCard(N, "mobilization"), position, ChooseCard(aside=("n/1/1",))) != []


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("options", [("18.5/direct", "open_hands"), ("18.5/random",), ()])
def test_where_nobody_chooses_unseen_the_decks_are_not_settled_first(options: Any) -> None:
    assert UnseenLots().run(table(6, **on("18.5", *options))).then == ()


@pytest.mark.rule("18.5")
def test_with_the_mobilization_both_choose_again() -> None:
    position = table(6, **AGREED)
    assert {"N25", "N59", "N60"} < set(phase_cards(position, N))
    state = kernel.begin(State(position, (UnseenLots(), CheckWarPhase()))).state
    assert state.agenda[-1] == DecksSettled()
    state = kernel.roll(state, RandomDice(1)).state
    assert state.agenda == (ChosenCard(R, "mobilization"), ChosenCard(N, "mobilization"))


@pytest.mark.rule("18.5")
def test_a_choice_that_a_scenario_is_past_is_not_made() -> None:
    start = table(6, scenario="two_years_of_war", **AGREED)
    assert not {"N57", "N58"} & set(phase_cards(start.but(turn=1), N))
    assert {"N25", "N59", "N60"} < set(phase_cards(start, N))


@pytest.mark.rule("18.5", "15.1.2")
def test_a_hand_drawn_anew_leaves_the_pile_as_it_lies() -> None:
    position = rare.CardsRetired(N, ("n/1/1", "n/1/2")).apply(laid())
    position = position.with_deck(N, hand=("n/1/0",), pile=("n/1/3", "n/1/4"))
    story = Unfolding(position)
    return_hand(story, N)
    deck = story.position.decks[N]
    assert deck.pile == ("n/1/3", "n/1/4", "n/2/0") and deck.retired == ("n/1/1", "n/1/2")
    assert system("crusade").faults(story.position) == ()


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("shown, out", [
    ("", ("N57", "N58")), ("N57", ("N14", "N58")), ("N14", ("N57", "N58")),
])  # fmt: skip
def test_new_secrets_leave_one_card_of_the_lot(shown: str, out: tuple[str, ...]) -> None:
    """Nobody can tell any more which one: it is the printed one, if none was shown."""
    keep = shown or "N14"
    aside = tuple(f"n/1/{1 + at}" for at, card in enumerate(LOT) if card != keep)
    position = rare.CardsRetired(N, aside).apply(laid())
    if shown:
        position = position.with_shown(N, f"n/1/{1 + LOT.index(shown)}", shown)
    events, agenda = renewed(State(position, ()), N)
    for event in events:
        position = event.apply(position)
    deck = position.decks[N]
    assert deck.removed == out and deck.retired == () and agenda == ()
    assert set(deck.unseen) == {"N3", "N5", *LOT} - {*out, shown}
    assert system("crusade").faults(position) == ()


@pytest.mark.rule("18.5")
def test_who_still_has_to_choose_among_cards_laid_anew_gets_a_beacon_first() -> None:
    _, agenda = renewed(State(laid(), (STAGE,)), N)
    assert agenda == (STAGE, DecksSettled())


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("scenario", ["war_of_the_columns", "two_years_of_war", "campaign"])
def test_every_view_goes_through_the_same_game(scenario: str) -> None:
    for seed in range(FUZZ):
        options = (OPTION, "rule_18_3_2")
        chosen = 0
        for views, decision, order in game_seen_by_all("crusade", scenario, seed, options):
            position = views.public.state.position
            chosen += isinstance(order, ChooseCard)
            for side, deck in position.decks.items():
                owner = views.tables["A" if side == N else "B"].state.position
                assert all(slot not in position.known for slot in deck.retired)
                held = {views.secret[slot] for slot in deck.retired}
                assert held <= set(owner.decks[side].unseen)
                assert not any(card in str(plain(public(position))["flags"]) for card in held)
            if decision is not None and is_between_rounds(decision):
                assert cards(position) == cards_due(position)
        assert chosen == 2
