"""A player goes on with new secrets: their hidden cards are dealt anew, whatever is to come."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, State
from pbem.gamefile.in_play import Asked, DiceWanted, Laid
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.hidden import openings
from pbem.games.crusade.narrative import narrate
from pbem.games.crusade.orders import CombatCards, Done, Redraw
from pbem.games.crusade.stages import draw
from pbem.games.crusade.stages.event_operations import LookAtHand
from pbem.games.crusade.stages.guerrilla import LosingCard
from pbem.games.crusade.stages.intelligence import SomeCards
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.system import _faults
from pbem.play.table import Table
from tests.bots import RandomDice, ScriptedDice
from tests.contract.playing import system
from tests.games.crusade.board import N, R, blind
from tests.games.crusade.fights import Round, attack, field
from tests.games.crusade.test_sealed_hands import SEATS, begun, dealt, piled, sealed


def asked(stage: Any, hand: str, pile: str, discards: str = "", turn: int = 3) -> Table:
    """A table at a stage of a Nationalist hand, as both players know it."""
    position = blind(piled(hand, pile, discards, turn=turn))
    state = kernel.begin(State(position, (stage,))).state
    return Table(system("crusade"), SEATS, state)


def seated(table: Table, player: str = "A") -> Any:
    return table.state.position.decks[table.seats[player]]


# --- the cards


def test_all_hidden_cards_are_a_new_pile_and_as_many_are_drawn() -> None:
    before = asked(PlayCard(N), "N5 N7 N10", "N3 N9", "N12").learn({"n/1/1": "N7"})
    after = before.renewed("A")
    deck = seated(after)
    assert deck.hand == ("n/1/1",) and after.known()["n/1/1"] == "N7"  # what is known is kept
    assert after.laid() == (Laid("n", "A", 2, ("N10", "N3", "N5", "N9")),)
    assert deck.pile == tuple(f"n/2/{place}" for place in range(4))
    assert deck.unseen == ("N10", "N3", "N5", "N9") and deck.discards == ("N12",)
    wanted = kernel.waits_for(after.state)
    assert isinstance(wanted, Chance)
    assert [(each.label, each.of, each.take) for each in wanted.draws] == [("draw/n/#", 4, 2)]
    drawn = after.roll(ScriptedDice((3, 0)))
    assert seated(drawn).hand == ("n/1/1", "n/2/0", "n/2/3")
    assert drawn.waits() == before.waits() and not list(_faults(drawn.state.position))


def test_the_other_side_keeps_all_it_has() -> None:
    before = dealt()
    after = before.renewed("B")
    assert seated(after, "A") == seated(before, "A")
    assert [each.by for each in after.laid()] == ["A", "B"]
    assert [(each.by, each.epoch) for each in after.laid()] == [("A", 1), ("B", 2)]
    hand = len(seated(before, "B").hand)
    again = after.roll(RandomDice(4))
    assert len(seated(again, "B").hand) == hand and again.waits() == before.waits()


def test_the_numbers_of_epochs_go_on() -> None:
    game = system("crusade")
    table = dealt()
    position = game.hidden.renumbered(table.state.position, {"n": 4})
    later = Table(game, SEATS, replace(table.state, position=position)).renewed("A")
    assert [each.epoch for each in later.laid() if each.by == "A"] == [5]
    again = later.roll(RandomDice(1)).renewed("A")
    assert [each.epoch for each in again.laid() if each.by == "A"] == [6]


def test_both_sides_are_dealt_anew_where_both_lost_their_secrets_before_the_dice() -> None:
    before = dealt()
    hands = {player: len(seated(before, player).hand) for player in "AB"}
    after = before.renewed("A").renewed("B").renewed("A")
    while isinstance(after.waits(), DiceWanted):
        after = after.roll(RandomDice(3))
    assert after.waits() == before.waits() and not list(_faults(after.state.position))
    assert {player: len(seated(after, player).hand) for player in "AB"} == hands
    assert [(each.by, each.epoch) for each in after.laid()] == [("B", 2), ("A", 3)]


def test_with_open_hands_there_is_nothing_to_deal() -> None:
    before = begun("open_hands").roll(RandomDice(1))
    after = before.renewed("A")
    assert after.public() == before.public() and after.waits() == before.waits()


def test_a_hand_that_is_known_whole_is_not_drawn_anew() -> None:
    before = asked(PlayCard(N), "N5", "N3 N9").learn({"n/1/0": "N5"})
    after = before.renewed("A")
    assert after.waits() == before.waits() and seated(after).hand == ("n/1/0",)
    assert seated(after).pile == ("n/2/0", "n/2/1")


def test_before_the_first_hands_only_the_pile_is_laid_anew() -> None:
    before = begun()
    after = before.renewed("A")
    assert after.waits() == before.waits() and seated(after).hand == ("n/0/0",)
    assert {slot.rpartition("/")[0] for slot in seated(after).pile} == {"n/2"}
    assert len(seated(after.roll(RandomDice(1))).hand) == 7


def test_the_line_of_the_log() -> None:
    before = asked(PlayCard(N), "N5 N7", "N3")
    told = before.renewed("A").told
    assert told is not None
    assert [type(event) for event in told.events] == [e.HiddenCardsTaken, rare.DeckLaid]
    lines = map(narrate, told.events, told.positions)
    assert [str(line) for line in lines] == [
        "the hidden Nationalist cards, 2 of them from the hand, are collected to be dealt again",
        "the Nationalist draw pile is set up: 3 cards",
    ]


# --- whatever is to come


def test_a_defender_is_asked_for_cards_of_their_new_hand() -> None:
    position = field(3, merida="INF-1", zafra="R-MIL-1", hand={N: ["N7", "N3"], R: ["R5", "R3"]},
                     played=frozenset({"R2"}))  # fmt: skip
    fought = Round(sealed(position), R, "zafra").say(attack("merida", "R5", zafra="R-MIL-1"))
    table = Table(system("crusade"), SEATS, replace(fought.state, position=blind(fought.position)))
    assert table.waits() == Asked("A", "combat cards", "react")
    after = table.renewed("A")
    drawn = after.roll(ScriptedDice((1, 0)))
    assert drawn.waits() == table.waits() and seated(drawn).hand == ("n/2/0", "n/2/1")
    fired = drawn.learn({"n/2/0": "N7"}).take(CombatCards(("N7",)))
    assert "n/2/0" not in seated(fired).hand  # the card serves from its new place
    # R5, committed from a hand that was hidden, comes back to a hand that was dealt anew since.
    theirs = table.renewed("B").roll(ScriptedDice((0,)))
    back = theirs.learn({"n/1/0": "N7"}).take(CombatCards(("N7",)))
    assert seated(back, "B").hand == ("r/1/0", "r/2/0") and back.known()["r/1/0"] == "R5"
    assert not list(_faults(back.state.position))


def test_a_whole_hand_to_be_shown_is_the_new_one() -> None:
    table = asked(LookAtHand(N), "N5 N7", "N3 N9", turn=8)
    assert table.must_show() == ("n/1/0", "n/1/1")
    after = table.renewed("A")
    assert after.must_show() == () and isinstance(kernel.waits_for(after.state), Chance)
    drawn = after.roll(ScriptedDice((2, 1)))
    assert drawn.waits() == Asked("A", "show cards") and drawn.must_show() == ("n/2/1", "n/2/2")
    shown = drawn.learn({"n/2/1": "N7", "n/2/2": "N9"})
    assert shown.told is not None and isinstance(shown.told.events[-1], e.HandShown)
    assert shown.state.agenda == ()


def test_cards_that_were_picked_to_be_seen_are_picked_anew() -> None:
    table = asked(SomeCards(N, 2), "N5 N7 N8", "N3 N9", turn=8).roll(ScriptedDice((0, 2)))
    assert table.must_show() == ("n/1/0", "n/1/2")
    table = table.learn({"n/1/0": "N5"})
    drawn = table.renewed("A").roll(ScriptedDice((0, 1)))
    wanted = kernel.waits_for(drawn.state)
    assert isinstance(wanted, Chance) and (wanted.draws[0].of, wanted.draws[0].take) == (3, 2)
    picked = drawn.roll(ScriptedDice((0, 1)))
    assert picked.must_show() == ("n/2/0",)  # the one that was shown is seen already
    assert picked.learn({"n/2/0": "N9"}).state.agenda == ()


def test_what_the_other_is_to_show_is_not_touched() -> None:
    table = asked(LookAtHand(N), "N5 N7", "N3 N9", turn=8)
    after = table.renewed("B").roll(ScriptedDice((0,)))
    assert after.must_show() == table.must_show() and after.waits() == table.waits()


def test_a_redraw_is_asked_of_the_new_hand() -> None:
    table = asked(draw.Redraws((N,)), "N3 N5", "N10 N12 N19", turn=6)
    drawn = table.renewed("A").roll(ScriptedDice((0, 1)))
    assert drawn.waits() == table.waits()
    known = drawn.learn(dict(zip(seated(drawn).hand, ("N10", "N12"), strict=True)))
    again = known.take(Redraw())
    assert [each.epoch for each in again.laid()] == [2, 3]
    assert again.laid()[1].cards == ("N10", "N12", "N19", "N3", "N5")


@pytest.mark.parametrize("stage, turn", [(draw.Discards(N), 4), (LosingCard(N), 12)])
def test_discards_are_asked_of_the_new_hand(stage: Any, turn: int) -> None:
    table = asked(stage, "N12 N8", "N3 N9", turn=turn)
    drawn = table.renewed("A").roll(ScriptedDice((0, 1)))
    assert drawn.waits() == table.waits() and isinstance(kernel.waits_for(drawn.state), Decision)
    if isinstance(stage, draw.Discards):
        assert drawn.take(Done()).state.agenda == ()


def test_a_draw_that_was_to_come_runs_over_the_new_pile() -> None:
    """The dice for it were burnt: the hidden hand is drawn first, then what it lacked."""
    table = asked(draw.DrawHands(), "N5 N7", "N3 N9 N12 N10 N13 N6 N4", turn=4)
    after = table.renewed("A")
    first = after.roll(ScriptedDice((0, 1)))
    wanted = kernel.waits_for(first.state)
    assert isinstance(wanted, Chance) and (wanted.draws[0].of, wanted.draws[0].take) == (7, 5)
    assert len(seated(first.roll(ScriptedDice((0, 1, 2, 3, 4)))).hand) == 7


def test_old_openings_mean_nothing_any_more() -> None:
    table = asked(PlayCard(N), "N5 N7", "N3").renewed("A")
    assert openings(table.state.position, {"n/1/0": "N5"}) == ()
