"""6: chits that lie face down, as both players and as their owner see them."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.games.madrid import events as e
from pbem.games.madrid import hidden
from pbem.games.madrid.narration import NARRATION
from pbem.games.madrid.orders import Again, Attack, DrawChits, Pass, Play, PutBack, ShowChit
from pbem.games.madrid.rules import chits
from pbem.games.madrid.stages.impulse import GoingOn, Impulse, ImpulseEnds, NextImpulse
from pbem.games.madrid.stages.turn import Drawing, PuttingBack, Recovery
from pbem.play.table import Table
from tests.games.madrid.table import Game, N, R, begun, face_down, fight, shown, system, table

SEATS = {"A": N, "B": R}


def seen_by_both(position, *stages, **decks):
    """The table as both players know it, and what lies in each slot."""
    position, cards = face_down(position, **decks)
    state = kernel.begin(State(position, tuple(reversed(stages)))).state
    return Table(system(), SEATS, state), cards


def of_side(cards, deck):
    return {slot: card for slot, card in cards.items() if slot.startswith(deck)}


# ------------------------------------------------------------------- draws


@pytest.mark.rule("6.1")
def test_both_cups_are_laid_as_the_first_epoch_of_their_decks():
    position = system().setup("campaign", frozenset()).position
    assert position.down.last == {"n": 1, "r": 1} and position.cups[N][0] == "n/1/0"


@pytest.mark.rule("6.1", "15.CN7")
def test_what_both_know_of_chits_face_down_is_part_of_the_public_state():
    public = system().public
    position, _ = face_down(table())
    hidden_too = {"stirred": [], "sought": None}
    for changes, told in (
        ({}, {}),
        ({"stirred": frozenset({R})}, {"stirred": [R]}),
        ({"sought": "CR6a"}, {"sought": "CR6a"}),
    ):
        now = public(position.but(**changes))
        assert {key: now[key] for key in now.keys() - public(table()).keys()} == hidden_too | told
    assert public(table())["gains"] == [[N, 0], [R, 0]]


@pytest.mark.rule("6.1")
def test_what_is_drawn_lies_in_the_hand_under_its_slot():
    position, cards = face_down(table(support={N: 5, R: 0}))
    game = begun(position, Drawing(N)).order(DrawChits(2)).roll((4, 0))
    assert game.position.hands[N] == ("n/1/4", "n/1/0") and len(game.position.cups[N]) == 13
    assert game.position.held(N) == ()
    assert hidden.informed(game.position, cards).held(N) == (cards["n/1/4"], cards["n/1/0"])
    assert not game.all(e.CupLaid), "nothing came back to the cup, so it is drawn from as it lies"
    told = NARRATION.narrate(game.event(e.ChitsDrawn), game.position)
    assert str(told) == "the Nationalists draw 2 chits"


@pytest.mark.rule("6.1", "15.CN7")
def test_the_slots_of_a_hand_come_by_their_numbers_and_those_of_a_cup_for_a_chit_sought():
    position, _ = face_down(table(hands={N: "CN1a CN7a", R: "CR1a"}))
    position = position.but(hands={**position.hands, N: ("n/1/10", "n/1/2")})
    sought = position.but(sought="CR6a")
    assert position.slots(N) == ("n/1/2", "n/1/10") == sought.slots(N)
    assert position.slots(R) == ("r/1/0",) and len(sought.slots(R)) == 15
    own = hidden.looks_at(State(position, ()), N)
    assert own == tuple(f"n/1/{place}" for place in range(15))


@pytest.mark.rule("6.1", "6.9")
def test_chits_are_put_back_in_the_order_of_their_slots():
    """Whatever they are called and however they were named: ten comes after two."""
    position, cards = face_down(table())
    position = position.but(hands={**position.hands, N: ("n/1/2", "n/1/10")})
    own = State(hidden.informed(position, cards), (PuttingBack(N),))
    for order in (("n/1/10", "n/1/2"), ("n/1/2", "n/1/10")):
        named = PutBack(tuple(cards[each] for each in order))
        assert hidden.worded(own, N, named) == PutBack(("n/1/2", "n/1/10"))


@pytest.mark.rule("6.1", "6.9")
def test_a_cup_to_which_something_came_back_is_mixed_before_a_draw():
    """Its cards are the chits both know, and the tags of what nobody has seen."""
    position, cards = face_down(table(hands={N: "CN1a CN7a"}, support={N: 5, R: 0}))
    game = begun(position, PuttingBack(N)).order(PutBack(("n/1/1",)))
    told = NARRATION.narrate(game.event(e.ChitsReturned), game.position)
    assert str(told) == "1 chit goes back into the Nationalist cup, face down"
    last = of_side(cards, "n")["n/1/14"]
    stirred = shown(game.position, cards, last)
    cup = tuple(each for each in stirred.cups[N] if each != last)
    stirred = stirred.but(played=(last,), cups={**stirred.cups, N: cup})
    back = Game(State(stirred, (Recovery(),)))
    back.state = kernel.begin(back.state).state
    assert back.position.cups[N] == (last, *stirred.cups[N]) and back.position.stirred == {N}
    game = begun(back.position, Drawing(N))
    step = kernel.submit(game.state, DrawChits(1))
    laid = step.state.position
    tags = sorted(f"n.1.{place}" for place in range(1, 14))
    assert laid.down.laid[-1] == ("n", N, 2, (last, *tags)) and tags[1] == "n.1.10"
    assert laid.cups[N] == tuple(f"n/2/{place}" for place in range(14))
    assert laid.hands[N] == ("n/1/0",)
    assert not laid.stirred and last in laid.down.hidden


@pytest.mark.rule("6.9")
def test_a_chit_is_put_back_by_its_slot_and_seen_by_nobody():
    seen, cards = seen_by_both(table(hands={N: "CN1a CN7a", R: ""}), PuttingBack(N))
    mine = seen.informed(of_side(cards, "n"))
    order = mine.read({"put_back": {"chits": ["CN7a"]}})
    assert mine.shows("A", order) == ()
    worded = mine.worded("A", order)
    assert worded.plain == {"put_back": {"chits": ["n/1/1"]}}
    assert mine.worded("A", worded) == worded == seen.read(worded.plain)
    after = seen.submit(worded)
    assert mine.submit(order).public() == after.public() == mine.submit(worded).public()
    assert "n/1/1" in after.state.position.cups[N]
    for bad in (["n/1/9"], ["n/1/1", "n/1/1"], [""], ["n.1.0"], ["r/1/0"], ["CR6a"], ["/"]):
        for view in (seen, mine):
            with pytest.raises(Exception, match="is not in your hand"):
                view.submit(view.worded("A", view.read({"put_back": {"chits": bad}})))
    with pytest.raises(Exception, match="is not in your hand"):
        mine.submit(mine.read({"put_back": {"chits": ["n/1/1", "CN7a"]}}))


@pytest.mark.rule("6.6", "15.CN12", "15.CR3")
def test_no_chit_of_the_enemy_can_lie_in_a_hand_face_down():
    position, _ = face_down(table(hands={N: "CN1a", R: "CR1a"}, played=("CN12a",)))
    assert not chits.may_play(position, N, chits.OF_DEFENCE)
    assert chits.may_play(position, R, chits.OF_DEFENCE)


# ------------------------------------------------------------------- shown


@pytest.mark.rule("6.1")
def test_a_chit_is_shown_by_the_way_to_it():
    """A slot that holds a tag is opened, then the older one it names, to the chit."""
    position, cards = face_down(table({"D": "N01", "E": "R01"}, hands={N: "CN6a"}))
    position = position.but(
        hands={**position.hands, N: ("n/2/1",)},
        down=position.down.mix("n", N, 2, [["n/1/0", "n/1/1"]]),
    )
    cards["n/2/1"] = "n.1.0"
    public = Table(system(), SEATS, State(position.but(active=N), (Impulse(N),)))
    mine = public.informed(cards)
    order = mine.read({"play": {"chit": "CN6a"}})
    assert mine.shows("A", order) == ("n/2/1", "n/1/0") and public.shows("A", order) == ()
    first = public.learn({"n/2/1": "n.1.0"})
    assert first.hand("A") == ("n/1/0",) and first.state.position.held(N) == ()
    second = first.learn({"n/1/0": "CN6a"})
    assert second.state.position.hands[N] == ("CN6a",) and second.hand("A") == ()
    assert public.learn({"n/2/1": "n.1.0", "n/1/0": "CN6a"}).public() == second.public()
    assert mine.submit(order).state.position.hands[N] == ()
    assert second.submit(order).state.position.played == ("CN6a",)
    told = [NARRATION.narrate(e.ChitOpened(N, "n/2/1", card), position)
            for card in ("n.1.0", "CN6a")]  # fmt: skip
    assert [each and str(each) for each in told] == [
        None, "the Nationalists show Strife within Republican party",
    ]  # fmt: skip


@pytest.mark.rule("15.CN7")
@pytest.mark.parametrize("place", ["hand", "cup"])
def test_durruti_is_shown_wherever_it_lies(place):
    hands = {N: "CN7a", R: "CR6a" if place == "hand" else "CR1a"}
    seen, cards = seen_by_both(
        table({"D": "N01", "AA": "R16"}, hands=hands, turn=6).but(active=N), Impulse(N)
    )
    mine, theirs = of_side(cards, "n"), of_side(cards, "r")
    slot = next(slot for slot, card in theirs.items() if card == "CR6a")
    assert (slot in seen.hand("B")) == (place == "hand")
    after = seen.learn({"n/1/0": mine["n/1/0"]}).submit(seen.read({"play": {"chit": "CN7a"}}))
    assert after.waits().by == "B" and after.decision.default == ShowChit()
    assert len(after.hand("B")) == 15 and after.state.position.sought == "CR6a"
    show = after.read({"show": {}})
    with pytest.raises(Exception, match="the slot that contains CR6a must be opened"):
        after.submit(show)
    assert after.informed(theirs).shows("B", show) == (slot,)
    shown = after.learn({slot: "CR6a"}).submit(show)
    assert "CR6a" in shown.state.position.removed and not shown.state.position.sought
    assert len(shown.hand("B")) == (0 if place == "hand" else 1)
    count = len(shown.state.position.cups[R]) + len(shown.state.position.hands[R])
    assert count == 14 and system().faults(shown.state.position) == ()
    assert after.informed(theirs).submit(show).public() == shown.public()


@pytest.mark.rule("15.CN7")
def test_nothing_is_asked_where_both_know_where_durruti_lies():
    for at in ("hand", "played", "removed"):
        base = table({"D": "N01", "AA": "R16"}, hands={N: "CN7a", R: "CR6a"}, turn=6)
        position = shown(*face_down(base), "CN7a", "CR6a")
        if at != "hand":
            hands = {**position.hands, R: ()}
            position = position.but(hands=hands, **{at: ("CR6a",)})
        game = fight(position, N).order(Play("CN7a"))
        assert game.asks is None and "CR6a" in game.position.removed, at


# ------------------------------------------------------------------- windows


def asks(stage, position):
    """Whether a stage asks anything, as both players see the table."""
    waits = kernel.waits_for(kernel.begin(State(position, (stage,))).state)
    return isinstance(waits, Decision) and waits.stage


@pytest.mark.rule("6.6", "15.CR7")
def test_a_window_is_open_to_whoever_could_hold_such_a_chit():
    """Else the question, or that there is none, would tell what lies in a hand."""
    base = table({"D": "N01", "AA": "R16"}, hands={R: "CR1a", N: "CN1a"})
    position, cards = face_down(base)
    assert asks(ImpulseEnds(R), position) == "again"
    mine = hidden.informed(position, cards)
    assert asks(ImpulseEnds(R), mine) == "again" and not chits.playable(mine, R, chits.AGAIN)
    answered = kernel.violations(State(mine, (GoingOn(),)), Again("CR7a"))
    assert [each.rule for each in answered] == ["6.1"]
    assert asks(ImpulseEnds(R), base) != "again", "in sight of both nobody is asked in vain"
    bare = position.but(hands={**position.hands, R: ()})
    for known in (shown(position, cards, "CR7a"), bare):
        assert asks(ImpulseEnds(R), known) != "again"
    there = {"D": "N01", "AA": "R16"}
    held = shown(*face_down(table(there, hands={R: "CR7a", N: "CN1a"})), "CR7a")
    assert held.hands[R] == ("CR7a",) and asks(ImpulseEnds(R), held) == "again"


@pytest.mark.rule("6.4", "6.8")
def test_a_window_is_shut_before_its_turn_and_when_the_kind_was_played():
    position, _ = face_down(table(hands={R: "CR1a", N: "CN1a"}, turn=2))
    assert not chits.may_play(position, R, chits.OF_FIRE), "CR3 waits for turn 3"
    assert chits.may_play(position.but(turn=3), R, chits.OF_FIRE)
    two = position.but(turn=3, played=("CR3a",))
    assert not chits.may_play(two, R, chits.OF_FIRE), "one of two CR3 was played"
    assert chits.may_play(position, N) and chits.may_play(position, R)
    assert not chits.may_play(position, R, chits.SPARE - {"CR8"})


@pytest.mark.rule("9.0.2")
def test_nobody_passes_unasked_with_a_chit_face_down():
    position, _ = face_down(table({"D": "N01", "AA": "R16s"}, hands={R: "CR1a"}))
    assert asks(NextImpulse(R), position) == "impulse"
    without = position.but(hands={**position.hands, R: ()})
    assert kernel.begin(State(without, (NextImpulse(R),))).state.position.passes


@pytest.mark.rule("9.0.1")
def test_the_verbs_of_an_impulse_do_not_tell_of_a_hand():
    """With Durruti anarchists attack who could not; so the verb is there where that chit may be."""
    base = table({"AA": "R16s N01"}, hands={R: "CR6a"}, turn=5)
    fresh = base.but(spent=frozenset())
    for position in (base, fresh):
        public, cards = face_down(position)
        other = cards | {"r/1/0": "CR1a", "r/1/1": "CR6a"}
        verbs = [
            [option.order for option in Impulse(R).ask(each).options]
            for each in (public, hidden.informed(public, cards), hidden.informed(public, other))
        ]
        assert verbs[0] == verbs[1] == verbs[2] and Play in verbs[0] and Pass in verbs[0]
    assert Attack in verbs[0]


def test_the_hand_is_told_as_far_as_it_is_known():
    position, cards = face_down(table(hands={N: "CN6a CN7a"}))
    mine = hidden.informed(position, {"n/1/0": cards["n/1/0"]})
    assert str(chits.you_hold(position, N)) == "you hold 2 face down"
    assert str(chits.you_hold(mine, N)) == "you hold CN6a and 1 face down"
    assert str(chits.you_hold(position, R)) == "you hold no chit"
    told = [str(each) for each in NARRATION.own(position, N)[-2:]]
    assert told == ["your chits: none", "and 2 chits face down"]


def test_cards_may_be_supposed_in_a_hand_that_is_not_known():
    position, _ = face_down(table(hands={N: "CN6a CN7a"}))
    could = hidden.supposed(position, N, ("CN6a", "CR1a", "CN6a", "CN9a", "CN8a"))
    assert could == {"n/1/0": "CN6a", "n/1/1": "CN9a"}
    assert hidden.informed(position, could).held(N) == ("CN6a", "CN9a")


# ------------------------------------------------------------------- new secrets, taken back


def test_with_new_secrets_all_that_lies_face_down_is_laid_anew():
    base = table(hands={N: "CN6a CN7a CN1a"}, support={N: 5, R: 0})
    seen, cards = seen_by_both(base, Drawing(N))
    seen = seen.learn({"n/1/2": cards["n/1/2"]})
    position = shown(seen.state.position, cards, "CN2a", "CN2b")
    cup = ("CN2b", *(each for each in position.cups[N] if "/" in each))
    position = position.but(
        played=("CN2a",), stirred=frozenset({N}), cups={**position.cups, N: cup}
    )
    after = Table(system(), SEATS, State(position, seen.state.agenda)).renewed("A")
    deck, side, epoch, down = after.state.position.down.laid[-1]
    assert (deck, side, epoch) == ("n", N, 2) and not {"CN1a", "CN2a", "CN2b"} & {*down}
    assert len(down) == 12 and [each.by for each in after.laid()] == ["B", "A"]
    wanted = kernel.waits_for(after.state)
    assert [(draw.of, draw.take) for draw in wanted.draws] == [(12, 2)]
    game = Game(after.state).roll((3, 0))
    assert game.position.hands[N] == ("CN1a", "n/2/3", "n/2/0")
    assert game.position.cups[N][0] == "CN2b" and game.position.stirred == {N}
    assert game.asks.stage == "draw" and system().faults(game.position) == ()
    again = Table(system(), SEATS, after.state).renewed("A")
    assert again.state.position.down.laid[-1][2] == 3
    game = Game(again.state).roll().roll((1, 2))
    assert game.position.hands[N] == ("CN1a", "n/3/1", "n/3/2"), "the hand of before, once"


def test_open_chits_are_not_dealt_anew():
    state = kernel.begin(system().setup("campaign", frozenset({"open_hands"}))).state
    assert hidden.renewed(state, N) == ((), state.agenda)


def test_a_cup_takes_the_next_number_behind_those_used():
    position, _ = face_down(table())
    later = hidden.renumbered(position, {"n": 4})
    assert later.down.last == {"n": 4, "r": 1}
    assert hidden.renumbered(later, {"n": 1}).down.last == later.down.last
