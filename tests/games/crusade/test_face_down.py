"""18.3.2 with hidden hands: what is discarded face down is known to its owner alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Order, State
from pbem.engine.policies import answering
from pbem.engine.public import plain
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.hidden import renewed, shows
from pbem.games.crusade.narrative import narrate
from pbem.games.crusade.orders import Discard, Done, Play, Redraw
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages import draw
from pbem.games.crusade.stages.guerrilla import LosingCard
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.summary import own, summary
from pbem.games.crusade.system import public
from pbem.play.table import Table, spelled
from tests.bots import ScriptedDice
from tests.conftest import FUZZ
from tests.contract.playing import system
from tests.contract.test_hidden_hands import game_seen_by_all
from tests.games.crusade.agreed import on
from tests.games.crusade.board import N, blind, refusals
from tests.games.crusade.kit import cards, faults
from tests.games.crusade.test_sealed_hands import NO_CORPS, SEATS, piled

AGREED = on("18.3.2")


def discarding(position: Position, order: Any) -> Position:
    return kernel.submit(State(position, (draw.Discards(N),)), order).state.position


def buried(hand: str, pile: str, *slots: str, discards: str = "", **facts: Any) -> Position:
    """As `piled`, and these slots of the hand were discarded face down."""
    position = piled(hand, pile, discards, **{**AGREED, **facts})
    return rare.CardsBuried(N, slots).apply(position)


# --- what is known, and what is not -------------------------------------------------------------


@pytest.mark.rule("18.3.2/a")
def test_a_discard_by_slot_tells_nobody_which_card_it_was() -> None:
    position = piled("N5 N7 N8", "N3", **AGREED)
    by_slot = discarding(blind(position), Discard(("n/1/2",)))
    deck = by_slot.decks[N]
    assert (deck.hand, deck.face_down, deck.discards) == (("n/1/0", "n/1/1"), ("n/1/2",), ())
    assert deck.unseen == ("N3", "N5", "N7", "N8") and by_slot.known.get("n/1/2") is None
    assert public(discarding(position, Discard(("N8",)))) == public(by_slot)  # as its owner says it
    assert plain(public(by_slot))["decks"][N]["face_down"] == ["n/1/2"]
    assert system("crusade").faults(by_slot) == () and list(faults(by_slot)) == []
    assert cards(by_slot) == cards(position)


@pytest.mark.rule("18.3.2/a")
def test_a_card_that_both_know_cannot_be_hidden_any_more() -> None:
    position = piled("N5 N7", "N3", **AGREED).with_shown(N, "n/1/0", "N5")
    for order in (Discard(("N5",)), Discard(("n/1/0",))):
        deck = discarding(blind(position), order).decks[N]
        assert (deck.discards, deck.face_down) == (("N5",), ())


@pytest.mark.rule("18.3.2/a")
def test_without_the_option_and_with_open_hands_discards_lie_face_up() -> None:
    for options in ((), ("18.3.2", "open_hands")):
        position = piled("N5 N12", "N3").but(options=frozenset(options))
        deck = discarding(position, Discard(("N12",))).decks[N]
        assert (deck.discards, deck.face_down) == (("N12",), ())
        assert refusals(draw.Discards(N), position, Discard(("n/1/1",))) == ["8.5.3.6"]
        assert "face_down" not in plain(public(position))["decks"][N]


@pytest.mark.rule("18.3.2/a")
@pytest.mark.parametrize("cards", [
    ("n/1/2",), ("n/1/9",), ("r/1/0",), ("N3",), ("N8",), ("",), ("n/1/0", "n/1/0"),
    ("N5", "n/1/0"),
])  # fmt: skip
def test_only_what_lies_in_the_hand_is_discarded_and_once(cards: tuple[str, ...]) -> None:
    """n/1/2 is in the pile; N3 is the card there."""
    position = piled("N5 N7", "N3", **AGREED)
    assert refusals(draw.Discards(N), position, Discard(cards)) == ["8.5.3.6"]


@pytest.mark.rule("18.3.2/a")
def test_what_lies_face_down_cannot_be_played() -> None:
    position = buried("N5 N7 N3", "N9", "n/1/2", turn=4)
    assert "N3" not in position.hand_cards(N)
    assert refusals(PlayCard(N), position, Play("N3")) != []
    assert shows(State(position, (PlayCard(N),)), N, Play("N3")) == ()


@pytest.mark.rule("18.1.9/b", "18.3.2")
def test_a_card_that_the_guerrillas_cost_is_shown() -> None:
    position = piled("N3 N8", "N5", turn=12, **AGREED)
    state = State(position, (LosingCard(N),))
    assert shows(state, N, Discard(("N3",))) == ("n/1/0",)
    assert refusals(LosingCard(N), position, Discard(("n/1/0",))) == ["18.1.9/b"]
    table = Table(system("crusade"), SEATS, state)
    assert worded(table, Discard(("N3",))) == Discard(("N3",))


def worded(table: Table, order: Order) -> Order:
    """What the other player reads of an order."""
    found = table.worded("A", spelled(order))
    assert table.read(found.plain) == found
    meant: Order = found.meant
    return meant


@pytest.mark.rule("18.3.2/a")
def test_the_owners_program_names_the_slot() -> None:
    position = piled("N5 N7", "N3", **AGREED).with_shown(N, "n/1/0", "N5")
    table = Table(system("crusade"), SEATS, State(position, (draw.Discards(N),)))
    said = Discard(("N7", "N5", "N3"))  # what is not there stays for the check
    assert worded(table, said) == Discard(("n/1/1", "n/1/0", "N3"))
    assert table.worded("A", spelled(said, {"round": 2})).plain == {
        "discard": {"cards": ["n/1/1", "n/1/0", "N3"]}, "when": {"round": 2}
    }  # fmt: skip
    assert worded(table, Done()) == Done()
    assert shows(table.state, N, Discard(("N7",))) == ()
    without = Table(system("crusade"), SEATS, State(piled("N5", "N3"), (draw.Discards(N),)))
    assert worded(without, Discard(("N5",))) == Discard(("N5",))


@pytest.mark.rule("18.3.2/a")
def test_the_story_and_the_status_count_them() -> None:
    position = buried("N5 N7 N3", "N9", "n/1/1", "n/1/2", discards="N12")
    told = narrate(rare.CardsBuried(N, ("n/1/1", "n/1/2")), position)
    assert str(told) == "the Nationalists discard 2 cards face down"
    assert "1 discarded (N12 on top) and 2 face down, 0 removed" in str(summary(position)[1])
    mine = list(map(str, own(position, N)))
    at = mine.index("your face-down discards:")
    assert [line.split()[0] for line in mine[at + 1 : at + 3]] == ["N7", "N3"]
    assert not any("face down" in line for line in map(str, own(piled("N5", "N3", **AGREED), N)))


# --- they are shuffled again --------------------------------------------------------------------


@pytest.mark.rule("18.3.2", "6.0.A.3")
def test_slots_that_lie_face_down_go_back_into_the_pile_unopened() -> None:
    position = buried("N5 N7 N3 N9", "N11", "n/1/0", "n/1/2", discards="N12 N10 N13 N6 N4", turn=4)
    state = kernel.begin(State(position, (draw.DrawHands(),))).state
    deck = state.position.decks[N]
    assert deck.hand == ("n/1/1", "n/1/3", "n/1/4") and deck.face_down == deck.discards == ()
    assert deck.pile == ("n/1/0", "n/1/2", *(f"n/2/{place}" for place in range(5)))
    assert state.position.laid[-1] == ("n", N, 2, ("N10", "N12", "N13", "N4", "N6"))
    wanted = kernel.waits_for(state)
    assert isinstance(wanted, Chance) and (wanted.draws[0].of, wanted.draws[0].take) == (7, 4)
    drawn = kernel.roll(state, ScriptedDice((0, 1, 4, 6))).state.position
    assert drawn.decks[N].hand[:3] == ("n/1/0", "n/1/1", "n/1/2")
    assert plain(public(drawn))["known"] == [] and system("crusade").faults(drawn) == ()


@pytest.mark.rule("18.3.2", "6.0.A.3")
def test_they_are_shuffled_where_nothing_lies_face_up() -> None:
    position = buried("N5 N7 N3 N9", "N11", "n/1/0", "n/1/2", turn=4)
    deck = kernel.begin(State(position, (draw.DrawHands(),))).state.position.decks[N]
    assert deck.epoch == 1 and deck.pile == () and len(deck.hand) == 5 and deck.face_down == ()


@pytest.mark.rule("18.3.2", "15.1.2")
def test_with_a_new_phase_they_lie_in_the_order_of_the_pile() -> None:
    position = buried("N5 N7", "N3 N9", "n/1/0", turn=6)
    position = kernel.begin(State(position, (draw.CheckWarPhase(),))).state.position
    assert position.decks[N].pile[:4] == ("n/1/0", "n/1/2", "n/1/3", "n/2/0")
    assert "N5" not in position.laid[-2][3] and system("crusade").faults(position) == ()


@pytest.mark.rule("18.3.2", "15.1.2")
def test_a_hand_that_is_drawn_anew_leaves_them_where_they_are() -> None:
    """Which cards the pile holds is not public then, so only the hand is laid anew."""
    position = buried(f"{NO_CORPS} N4", "N19 N20 N21", "n/1/7", turn=6)
    state = kernel.begin(State(position, (draw.Redraws((N,)),))).state
    after = kernel.submit(state, Redraw()).state.position
    deck = after.decks[N]
    assert deck.face_down == ("n/1/7",) and deck.hand == ()
    assert deck.pile == ("n/1/8", "n/1/9", "n/1/10", *(f"n/2/{place}" for place in range(7)))
    assert after.laid[-1] == ("n", N, 2, tuple(sorted(NO_CORPS.split())))
    assert system("crusade").faults(after) == ()


@pytest.mark.rule("18.3.2/a")
def test_who_goes_on_with_new_secrets_has_as_many_face_down_as_before() -> None:
    position = buried("N5 N7 N3 N9", "N11 N10", "n/1/0", "n/1/2")
    events, agenda = renewed(State(position, ()), N)
    state = kernel.learn(State(blind(position), agenda), events).state
    wanted = kernel.waits_for(state)
    assert isinstance(wanted, Chance) and (wanted.draws[0].of, wanted.draws[0].take) == (6, 4)
    after = kernel.roll(state, ScriptedDice((5, 0, 3, 1))).state.position
    deck = after.decks[N]
    assert deck.hand == ("n/2/0", "n/2/5") and deck.face_down == ("n/2/1", "n/2/3")
    assert deck.pile == ("n/2/2", "n/2/4") and len(deck.unseen) == 6
    assert system("crusade").faults(after) == ()


@pytest.mark.rule("18.3.2/a")
def test_new_secrets_with_nothing_in_the_hand_still_bury_them() -> None:
    position = buried("N5 N7", "N11", "n/1/0", "n/1/1")
    events, agenda = renewed(State(position, ()), N)
    state = kernel.learn(State(blind(position), agenda), events).state
    deck = kernel.roll(state, ScriptedDice((2, 0))).state.position.decks[N]
    assert deck.hand == () and deck.face_down == ("n/2/0", "n/2/2")


# --- a policy -----------------------------------------------------------------------------------


@pytest.mark.rule("18.3.2/a")
def test_a_policy_buries_by_slot_and_opens_nothing() -> None:
    from pbem.games.crusade.policies.table import TABLE as STANDING

    position = piled("N5 N7 N8", "N3", **AGREED).with_shown(N, "n/1/0", "N5")
    state = State(position, (draw.Discards(N),))
    asked = kernel.waits_for(state)
    document = {"discard": ["n/1/2", "n/1/0", "n/1/3"]}
    for view in (state, replace(state, position=blind(position))):
        assert answering.shows(STANDING, view, asked, document) == ()
        assert answering.answer(STANDING, view, asked, document) == Discard(("n/1/2", "n/1/0"))
        assert answering.answer(STANDING, view, asked, {"discard": ["n/1/3"]}) == Done()


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.rule("18.3.2/a")
@pytest.mark.parametrize("seed", range(FUZZ))
def test_every_view_goes_through_the_same_game_and_shows_no_card(seed: int) -> None:
    """Random games, turn after turn; what is public never names a card nobody was shown."""
    down = 0
    for views, _, _ in game_seen_by_all(
        "crusade", "war_of_the_columns", seed, ("rule_18_3_2",), whole=True
    ):
        table = views.public
        for side, deck in table.state.position.decks.items():
            down = max(down, len(deck.face_down))
            for slot in deck.face_down:
                card = views.secret[slot]
                assert slot not in table.known() and card in deck.unseen
                assert card not in (*deck.discards, *deck.table, *deck.removed)
                enemy = views.tables["B" if side == N else "A"]
                assert slot not in enemy.state.position.secret
    assert down, "a game in which nobody discards shows nothing"
