"""Hidden hands: what both players know of them, what an order opens, and what stays a duty."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, State
from pbem.engine.public import plain
from pbem.gamefile.in_play import Asked, Laid
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.hidden import openings, shows
from pbem.games.crusade.narrative import narrate
from pbem.games.crusade.orders import Attack, CombatCards, Discard, Done, Play, Redraw, ShowHand
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages import draw
from pbem.games.crusade.stages.guerrilla import LosingCard
from pbem.games.crusade.stages.round import PlayCard
from pbem.games.crusade.stages.setup import LayDecks
from pbem.games.crusade.summary import own, summary
from pbem.games.crusade.system import public
from pbem.play.table import Illegal, Table, open_table, spelled
from tests.bots import RandomDice, ScriptedDice
from tests.contract.playing import system
from tests.games.crusade.board import STARTS, N, R, blind, refusals, sealed, table
from tests.games.crusade.fights import Round, attack, field

SEATS = {"A": N, "B": R}


def begun(*options: str) -> Table:
    """The Campaign at the first draw."""
    return open_table(system("crusade"), "campaign", frozenset(options), SEATS)


def dealt(*options: str) -> Table:
    """The Campaign with its first hands: the Nationalists are to play."""
    return begun(*options).roll(RandomDice(1))


def piled(hand: str, pile: str, discards: str = "", turn: int = 3, **facts: Any) -> Position:
    """A Nationalist hand, pile and discards; both hands and piles are sealed, and all is seen."""
    cards = (*hand.split(), *pile.split())
    known = {f"n/1/{place}": card for place, card in enumerate(cards)}
    slots, held = tuple(known), len(hand.split())
    position = table(turn, hand={R: ["R19"]}, **facts).with_deck(
        N, hand=slots[:held], pile=slots[held:], discards=tuple(discards.split()), epoch=1
    )
    return sealed(position.but(known={**position.known, **known}))


# --- the decks are laid -------------------------------------------------------------------------


@pytest.mark.rule("2.3", "4.3.1/a")
def test_a_deck_is_laid_of_cards_both_know_in_slots_nobody_does() -> None:
    state = kernel.begin(State(STARTS["campaign"], (LayDecks(),))).state
    position = state.position
    deck = position.decks[N]
    (epoch,) = [each for each in position.laid if each[1] == N]
    assert epoch == ("n", N, 1, deck.unseen) and "N1" not in deck.unseen
    assert len(deck.pile) == len(deck.unseen) == 17
    assert position.known == {"n/0/0": "N1"}  # dealt openly, so it is no part of what is sealed


@pytest.mark.rule("8.1.4")
def test_with_open_hands_nothing_is_sealed() -> None:
    open_game, hidden = begun("open_hands"), begun()
    assert open_game.laid() == ()
    assert hidden.laid() == tuple(
        Laid(deck, player, 1, tuple(sorted(hidden.state.position.decks[side].unseen)))
        for deck, player, side in (("n", "A", N), ("r", "B", R))
    )
    assert len(open_game.known()) == 1 + 17 + 18 and len(hidden.known()) == 1
    assert "unseen" not in plain(open_game.public())["decks"][N]


@pytest.mark.rule("8.1.4")
def test_what_is_public_names_no_card_of_a_hidden_hand() -> None:
    game = dealt()
    slots = game.hand("A")
    secret = dict(zip(slots[1:], game.state.position.decks[N].unseen, strict=False))
    seen = game.informed(secret)
    assert len(slots) == 7 and slots[0] == "n/0/0"
    assert seen.public() == game.public() and seen.known() == game.known() == {"n/0/0": "N1"}
    assert seen.state == game.state  # one and the same table, whoever looks at it
    assert seen.state.position.hand_cards(N) == ("N1", *secret.values())


@pytest.mark.rule("8.1.4")
def test_a_status_shows_the_own_hand_to_its_owner_alone() -> None:
    position = piled("N5 N7", "N3").with_shown(N, "n/1/0", "N5")
    assert "Nationalist: 2 cards in hand (N5), 1 to draw" in str(summary(position)[1])
    mine = list(map(str, own(position, N)))
    assert mine[1].startswith("  N5  Naval Support") and mine[2].startswith("  N7  ")
    assert str(own(blind(position), N)[2]) == "  n/1/1  (hidden)"


# --- openings -----------------------------------------------------------------------------------


@pytest.mark.rule("8.1.3")
def test_an_opened_card_is_known_and_stays_in_the_hand() -> None:
    position = blind(piled("N5 N7", "N3"))
    (opened,) = openings(position, {"n/1/1": "N7", "n/1/2": "N3", "r/9/9": "R1"})
    assert opened == e.CardOpened(N, "n/1/1", "N7")  # no slot of a pile, and none there is not
    after = opened.apply(position)
    assert after.shown_cards(N) == ("N7",) and after.hidden_slots(N) == ("n/1/0",)
    assert after.decks[N].unseen == ("N3", "N5") and after.decks[N].hand == ("n/1/0", "n/1/1")
    assert str(narrate(opened, after)) == "the Nationalists show Airplanes Disperse Militia (N7)"


@pytest.mark.rule("8.1.3", "7.1.3")
def test_a_card_is_played_once_it_is_open() -> None:
    game = dealt()
    slots, (cards,) = game.hand("A"), [each.cards for each in game.laid() if each.by == "A"]
    secret = dict(zip(slots[1:], cards, strict=False))
    order, mine = game.read({"play": {"card": "N1", "for": "event"}}), game.informed(secret)
    assert mine.shows("A", order) == game.shows("A", order) == ()
    assert game.submit(order).public() == mine.submit(order).public()

    position = game.state.position.but(round=2)  # nothing is forced any more
    later = Table(game.system, SEATS, State(position, (PlayCard(N),)))
    order = later.read({"play": {"card": cards[0], "for": "operations"}})
    assert later.informed(secret).shows("A", order) == (slots[1],)
    assert later.shows("A", order) == ()
    with pytest.raises(Illegal, match="is not in your hand"):
        later.submit(order)
    after = later.learn({slots[1]: cards[0]}).submit(order)
    assert plain(after.public())["decks"][N]["discards"] == [cards[0]]
    assert after.public() == later.informed(secret).submit(order).public()


@pytest.mark.rule("8.5.3.1", "8.5.3.6", "15.1.2")
@pytest.mark.parametrize("order, opened", [
    (Play("N7"), ("n/1/1",)),
    (Play("none"), ()),
    (Play("N3"), ()),
    (Attack("zafra", {}, cards=("N10", "N7")), ("n/1/1", "n/1/2")),
    (CombatCards(("N5", "N10")), ("n/1/2",)),
    (Discard(("N7",)), ("n/1/1",)),
    (Redraw(), ("n/1/1", "n/1/2")),
    (ShowHand(), ()),
    (Done(), ()),
])  # fmt: skip
def test_what_an_order_shows(order: Any, opened: tuple[str, ...]) -> None:
    position = piled("N5 N7 N10", "N3").with_shown(N, "n/1/0", "N5")
    state = State(position, (draw.Redrawing(N),))
    assert shows(state, N, order) == opened
    assert shows(replace(state, position=blind(position)), N, order) in ((), opened)


# --- new epochs ---------------------------------------------------------------------------------


@pytest.mark.rule("6.0.A.3")
def test_the_rest_of_the_pile_is_drawn_and_the_discards_are_a_new_epoch() -> None:
    position = piled("N5 N7", "N3 N9", "N12 N10 N13 N6 N4", turn=4)
    state = kernel.begin(State(position, (draw.DrawHands(),))).state
    deck = state.position.decks[N]
    assert deck.hand == ("n/1/0", "n/1/1", "n/1/2", "n/1/3") and deck.epoch == 2
    assert state.position.laid == (("n", N, 2, ("N10", "N12", "N13", "N4", "N6")),)
    assert deck.pile == tuple(f"n/2/{place}" for place in range(5)) and deck.discards == ()
    wanted = kernel.waits_for(state)
    assert isinstance(wanted, Chance) and (wanted.draws[0].of, wanted.draws[0].take) == (5, 3)
    drawn = kernel.roll(state, ScriptedDice((4, 0, 2))).state.position
    assert drawn.decks[N].hand[-3:] == ("n/2/0", "n/2/2", "n/2/4")
    assert plain(public(drawn))["known"] == []


@pytest.mark.rule("15.1.2")
@pytest.mark.parametrize("turn", [6, 12])
def test_with_a_new_phase_draws_run_over_the_old_slots_and_the_new(turn: int) -> None:
    position = piled("N5", "N3 N9", "N12", turn=turn)
    left = kernel.begin(State(position, (draw.CheckWarPhase(),))).state.position
    (epoch,) = [each for each in left.laid if each[1] == N]
    assert left.decks[N].pile[:3] == ("n/1/1", "n/1/2", "n/2/0") and "N12" in epoch[3]
    assert left.decks[N].unseen == tuple(sorted(("N3", "N5", "N9", *epoch[3])))


NO_CORPS = "N3 N5 N10 N12 N13 N17 N24"


@pytest.mark.rule("15.1.2")
def test_a_hand_without_corps_is_shown_and_all_hidden_cards_are_laid_anew() -> None:
    position = piled(NO_CORPS, "N19 N20 N21", turn=6)
    state = kernel.begin(State(position, (draw.Redraws((N,)),))).state
    unknowing = replace(state, position=blind(state.position))
    assert kernel.waits_for(unknowing) == kernel.waits_for(state)
    assert [found.rule for found in kernel.violations(unknowing, Redraw())] == ["15.1.2"]
    hand = state.position.decks[N].hand
    opened = openings(unknowing.position, dict(zip(hand, NO_CORPS.split(), strict=True)))
    learned = kernel.learn(unknowing, opened)
    told = kernel.submit(learned.state, Redraw())
    after = told.state.position
    everything = tuple(sorted((*NO_CORPS.split(), "N19", "N20", "N21")))
    assert after.laid == (("n", N, 2, everything),) and after.decks[N].unseen == everything
    assert after.decks[N].pile == tuple(f"n/2/{place}" for place in range(10))
    assert not after.hidden_slots(N) and after.decks[N].hand == ()
    assert rare.HandReturned(N, tuple(NO_CORPS.split())) in told.events
    both = kernel.submit(state, Redraw())  # whoever knows the hand opens it with the order
    assert public(both.state.position) == public(after)


@pytest.mark.rule("15.1.2")
def test_a_corps_card_that_is_shown_ends_the_question() -> None:
    position = piled("N3 N19", "N20", turn=6)
    state = kernel.begin(State(blind(position), (draw.Redraws((N,)),))).state
    assert [v.rule for v in kernel.violations(replace(state, position=position), Redraw())] == [
        "15.1.2"
    ]
    assert kernel.learn(state, openings(position, {"n/1/1": "N19"})).state.agenda == ()


@pytest.mark.rule("4.3.2")
def test_a_hidden_hand_without_corps_is_a_duty_the_audit_sees() -> None:
    position = piled(NO_CORPS, "N19", turn=6, scenario="two_years_of_war")
    stage = draw.Redrawing(N)
    assert refusals(stage, blind(position), Done()) == []
    assert refusals(stage, position, Done()) == ["4.3.2"]
    for view in (position, blind(position)):
        asked = stage.ask(view)
        assert asked is not None and asked.optional
        assert [option.order for option in asked.options] == [Redraw, Done]
    assert stage.ask(position).default == Redraw()  # type: ignore[union-attr]
    assert stage.ask(blind(position)).default == Done()  # type: ignore[union-attr]


@pytest.mark.rule("4.3.1")
def test_a_forced_play_is_checked_at_once_if_the_card_was_dealt_openly() -> None:
    with pytest.raises(Illegal, match=r"must be played as an event now"):
        dealt().submit(spelled(Play("none")))
    hidden = piled("N1 N3", "N5", turn=1, round=1)
    assert refusals(PlayCard(N), hidden, Play("none")) == ["4.3.1"]
    assert refusals(PlayCard(N), blind(hidden), Play("none")) == []


# --- cards in a combat --------------------------------------------------------------------------


def called_off() -> Round:
    """N7 ends an attack with R5, which was in a hidden hand."""
    position = field(3, merida="INF-1", zafra="R-MIL-1", hand={N: ["N7"], R: ["R5", "R3"]},
                     played=frozenset({"R2"}))  # fmt: skip
    fought = Round(sealed(position), R, "zafra").say(attack("merida", "R5", zafra="R-MIL-1"))
    return fought.say(CombatCards(("N7",)))


@pytest.mark.rule("8.5.3.3", "card N7")
def test_a_card_of_a_combat_that_is_called_off_goes_back_known() -> None:
    fought = called_off()
    assert fought.told(e.CardReturned) == [e.CardReturned(R, "r/1/0")]
    assert fought.position.shown_cards(R) == ("R5",)
    assert fought.position.hidden_slots(R) == ("r/1/1",)
    assert fought.position.decks[R].unseen == ("R3",)


@pytest.mark.rule("8.5.3.6")
def test_discards_are_asked_for_only_if_a_hidden_card_could_be_one() -> None:
    asked = draw.Discards(N).ask(blind(piled("N3 N12", "N5", turn=4)))
    assert asked is not None  # N12 and N5 are combat cards, wherever they are
    assert draw.Discards(N).ask(blind(piled("N3", "N2", turn=4))) is None
    assert draw.Discards(N).ask(blind(piled("", "N5", turn=4))) is None


@pytest.mark.rule("18.1.9/b")
def test_a_lost_card_is_asked_of_whoever_holds_one() -> None:
    position = piled("N3 N8", "N5", turn=12)
    stage = LosingCard(N)
    assert stage.ask(piled("", "N5", turn=12)) is None
    mine, seen = stage.ask(position), stage.ask(blind(position))
    assert isinstance(mine, Decision) and isinstance(seen, Decision)
    assert mine.prompt == seen.prompt and refusals(stage, position, mine.default) == []
    assert refusals(stage, blind(position), mine.default) == ["18.1.9/b"]
    opened = openings(position, {"n/1/0": "N3", "n/1/1": "N8"})
    state = kernel.learn(State(blind(position), (stage,)), opened[:1]).state
    assert kernel.submit(state, Discard(("N3",))).state.position.decks[N].discards == ("N3",)


@pytest.mark.rule("18.1.9/b")
def test_a_card_that_the_other_will_lose_does_not_stop_the_forecast() -> None:
    """Which card it will be cannot be known: for the count of mails any will do."""
    from pbem.gamefile.machine import Machine, Terms, World
    from pbem.play.forecast import outlook

    stages = (PlayCard(R), LosingCard(N))
    position = blind(piled("N3 N8", "N5", turn=12).but(active=R, round=1, result=("draw", "")))
    position = position.but(laid=(("n", N, 1, ("N3", "N5", "N8")),))
    game = Table(system("crusade"), SEATS, State(position, stages))
    terms = Terms("running", proposal={"options": {}, "m": 64, "chain_len": 4})
    machine = Machine(World(None), terms).at(game)
    found = outlook(machine, "B", ())
    assert len(found.costs) == 1 and not found.has_dice


# --- what the protocol sees ---------------------------------------------------------------------


@pytest.mark.rule("card N32")
def test_a_hand_that_must_be_shown_is_owed_and_then_play_goes_on() -> None:
    from pbem.games.crusade.stages.event_operations import LookAtHand

    position = sealed(table(8, hand={R: ("R1", "R3")})).with_shown(R, "r/1/0", "R1")
    state = kernel.begin(State(position, (draw.Discards(N), LookAtHand(R)))).state
    game = Table(system("crusade"), SEATS, replace(state, position=blind(state.position)))
    assert game.waits() == Asked("B", "show cards") and game.must_show() == ("r/1/1",)
    after = game.learn({"r/1/1": "R3"})
    assert after.must_show() == () and after.told is not None
    assert [type(event) for event in after.told.events] == [e.CardOpened, e.HandShown]


def test_after_a_take_back_the_next_pile_has_a_number_of_its_own():
    """R7 of the protocol: what was laid and is gone keeps its number."""
    game = system("crusade")
    state = kernel.begin(game.setup("campaign", frozenset())).state
    assert {deck.epoch for deck in state.position.decks.values()} == {1}
    position = game.hidden.renumbered(state.position, {"n": 3})
    assert [deck.epoch for deck in position.decks.values()] == [3, 1]
    assert game.hidden.renumbered(position, {"n": 2}).decks == position.decks
