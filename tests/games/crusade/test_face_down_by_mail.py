"""18.3.2 and 18.5 by mail: what is face down stands nowhere in the file until the audit."""

from __future__ import annotations

import json
import re
from base64 import b64decode
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from pbem.engine.model import Stage
from pbem.engine.public import plain
from pbem.gamefile.draft import Draft
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.format import read, write
from pbem.gamefile.secrets import Secrets
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import LOTS
from pbem.games.crusade.stages.draw import Discards, DrawHands
from pbem.games.crusade.stages.random_setup import ChosenCard
from pbem.play.game import table_for, tool, with_fold
from pbem.play.player_view import player_view
from pbem.play.story import story
from pbem.render.formats import rendered
from tests.conftest import FUZZ
from tests.gamefile.knowledge import look_aheads
from tests.games.crusade.agreed import on
from tests.games.crusade.board import N, R, table
from tests.play.test_sealed_by_mail import Sealed
from tests.play.two_seats import Seats, in_the_middle, mails_in_words, rounds_from, with_cards

OPTION = "rule_18_3_2"
DIRECT = "rule_18_5_direct"
ID = re.compile(r"\b[NR][0-9]{1,2}\b")
QUOTED = re.compile(r'"([NR][0-9]{1,2})"')
"""In what is decoded: of random bytes some look like a bare name."""


# --- who reads the file with all they have --------------------------------------------------------


def strings(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, dict):
        yield from (text for pair in plain.items() for each in pair for text in strings(each))
    elif isinstance(plain, list):
        yield from (text for each in plain for text in strings(each))


def decoded(text: str) -> Iterator[str]:
    """What a text says if it is hex or base64."""
    for reading in (bytes.fromhex, lambda each: b64decode(each, validate=True)):
        try:
            yield reading(text).decode("latin-1")
        except ValueError:
            continue


def cards_told(fold: Fold) -> set[str]:
    """Every card an entry names anywhere, but for lists of the cards of a whole deck."""
    found: set[str] = set()
    for entry in fold.entries:
        steps = json.loads(json.dumps(list(entry.steps)))
        for step in steps:
            step.pop("cards", None)
            if step["do"] == "propose":
                step.pop("decks")
        for text in strings(steps):
            found |= set(ID.findall(text))
            found |= {each for raw in decoded(text) for each in QUOTED.findall(raw)}
    return found


def without_decks(public: Mapping[str, Any]) -> str:
    """The public table as text; which cards lie unseen somewhere both know."""
    told = plain(public)
    decks = {side: {**deck, "unseen": []} for side, deck in told["decks"].items()}
    return json.dumps({**told, "decks": decks})


def never_shown(fold: Fold, keys: dict[str, Any]) -> dict[str, set[str]]:
    """By player the cards that they alone have ever seen, wherever they lie."""
    assert fold.in_play is not None
    opened = {card for bound in fold.machine.hidden.decks.ever() for card in bound.opened.values()}
    opened |= set(fold.in_play.known().values())
    hidden = {}
    for player, key in keys.items():
        secrets = Secrets.in_game(fold.machine, key, player)
        hidden[player] = set(secrets.hidden_hand(fold.machine).values()) - opened
    return hidden


def shows_nothing(fold: Fold, keys: dict[str, Any]) -> None:
    """No hidden card in the file, the story, the public table, nor in the enemy's view."""
    hidden = never_shown(fold, keys)
    both = hidden["A"] | hidden["B"]
    assert both.isdisjoint(cards_told(fold))
    game = with_fold(fold)
    told = story(game)
    for style in ("text", "html", "json"):
        # A rule that names a card tells nothing of where it lies (14.1.1.1).
        text = re.sub(r"the event of [NR]\d+ has not been played", "", rendered(told, style))
        assert both.isdisjoint(ID.findall(text))
    assert both.isdisjoint(ID.findall(without_decks(game.table.public())))
    for player, enemy in ("AB", "BA"):
        view = player_view(game, keys[player]).table.state.position
        assert hidden[enemy].isdisjoint({*view.secret.values(), *view.known.values()})


# --- one draw phase -----------------------------------------------------------------------------

HANDS = {"nationalist": "N5 N7 N3 N9 N12 | N10 N13 N6 N4", "republican": "R5 R7 R3 | R10 R11 R6 R4"}


def at_the_discards(*stages: Stage[Position], standing: str = "", **facts: Any) -> Seats:
    position = with_cards(table(3, active=R, **on("18.3.2"), **facts), **HANDS)
    opening = in_the_middle(position, *stages, DrawHands(), *rounds_from(N, 1))
    return Seats("face down", options=[OPTION], opening=opening, standing=standing)


def hand_of(seats: Seats) -> list[str]:
    return list(seats.table.state.position.hand_cards(N if seats.pen == "A" else R))


@pytest.mark.rule("18.3.2/a")
def test_an_order_names_the_slot_and_the_mail_shows_no_card() -> None:
    seats = at_the_discards(Discards(N), Discards(R))
    first, (one, _, other, *_) = len(seats.fold.entries), hand_of(seats)
    seats.mail(f"orders:\n  - discard: {{cards: [{one}, {other}]}}\n")
    (order,) = [step for step in seats.fold.entries[first].steps if step["do"] == "orders"]
    slots = order["list"][0]["discard"]["cards"]
    deck = seats.fold.in_play.state.position.decks[N]
    assert deck.face_down == tuple(slots) and len(deck.hand) == 3
    shows_nothing(seats.fold, seats.keys)
    seats.mail(seats.silent())
    while not seats.plays(-1):
        seats.mail(seats.silent())
    written = seats.fold.entries[first:]
    assert next(mails_in_words(written)) == "A: deck_reply orders"
    assert not any(step["do"] == "open" for each in written for step in each.steps)
    shows_nothing(seats.fold, seats.keys)
    mine = player_view(seats.game, seats.keys["A"]).table.state.position
    assert {mine.card_in(slot) for slot in slots} == {one, other}
    assert look_aheads(seats.fold) == []


@pytest.mark.rule("18.3.2/a")
def test_what_is_no_card_of_the_hand_is_refused_as_it_is_elsewhere() -> None:
    seats = at_the_discards(Discards(N), Discards(R))
    position = seats.table.state.position
    (held, *_), elsewhere = hand_of(seats), position.decks[N].pile[0]
    for named in (held, elsewhere, "r/1/0", "n/9/9", ""):
        draft = Draft(seats.fold.machine, "A", seats.keys["A"])
        draft.pay()
        with pytest.raises(FileRefused, match="is not in your hand"):
            draft.add({"do": "orders", "list": [{"discard": {"cards": [named]}}]})


@pytest.mark.rule("18.3.2/a")
def test_a_card_that_lies_face_down_is_out_of_reach() -> None:
    """Its owner could open its slot, but nobody takes the proof."""
    seats = at_the_discards(Discards(N))
    (card, *_) = hand_of(seats)
    seats.mail(f"orders:\n  - discard: {{cards: [{card}]}}\n")
    (slot,) = seats.fold.in_play.state.position.decks[N].face_down
    while seats.pen != "A" or not seats.orders_wanted:
        seats.mail(seats.silent())
    draft = Draft(seats.fold.machine, "A", seats.keys["A"])
    draft.pay()
    with pytest.raises(FileRefused) as refused:
        draft.add(draft.secrets.open(draft.machine.hidden.decks, slot))
    assert refused.value.code == "E-CARD"


# --- whole games --------------------------------------------------------------------------------


@pytest.mark.rule("18.3.2/a")
@pytest.mark.parametrize("seed", ["three", "four"] if FUZZ > 1 else ["three"])
def test_a_sealed_game_shows_no_discard_and_its_audit_is_right(seed: str) -> None:
    game = Sealed(seed, "war_of_the_columns", OPTION)
    down = 0
    while game.fold.phase != "over" and len(game.fold.entries) < 150:
        game.mail()
        if game.fold.phase == "running":
            decks = game.fold.in_play.state.position.decks
            now = sum(len(deck.face_down) for deck in decks.values())
            if now != down:
                shows_nothing(game.fold, game.keys)
            down = max(down, now)
    assert down, "a game in which nobody discards shows nothing"
    assert look_aheads(game.fold) == []
    if game.fold.phase != "over":
        game.mail(resign=True)
    while game.fold.owed:
        game.mail()
    assert not game.fold.is_provisional
    assert replay(read(write(game.fold.entries)), table_for).head == game.fold.head


@pytest.mark.rule("18.5")
@pytest.mark.parametrize("seed", ["one", "two"] if FUZZ > 1 else ["one"])
def test_the_choice_of_a_combat_card_is_nowhere_in_the_file(seed: str) -> None:
    game = Sealed(seed, "war_of_the_columns", DIRECT)
    lots = {card for lot in LOTS["columns"].values() for card in lot}
    while game.fold.phase != "running" or len(game.fold.entries) < 30:
        game.mail()
        if game.fold.phase != "running":
            continue
        opened = {
            card for each in game.fold.machine.hidden.decks.ever() for card in each.opened.values()
        }
        assert (lots - opened).isdisjoint(cards_told(game.fold))
    shows_nothing(game.fold, game.keys)
    told = re.sub(
        r"the event of [NR]\d+ has not", "", rendered(story(with_fold(game.fold)), "json")
    )
    told += without_decks(game.fold.in_play.public())
    assert (lots - opened).isdisjoint(ID.findall(told))
    orders = [
        each["choose_card"]
        for entry in game.fold.entries
        for step in entry.steps
        for each in step.get("list", ())
        if "choose_card" in each
    ]
    decks = game.fold.in_play.state.position.decks
    assert [tuple(each["aside"]) for each in orders] == [decks[N].retired, decks[R].retired]
    assert not any(each.get("card") for each in orders)
    assert look_aheads(game.fold) == []
    game.mail(resign=True)
    while game.fold.owed:
        game.mail()
    assert not game.fold.is_provisional
    assert replay(read(write(game.fold.entries)), table_for).head == game.fold.head


@pytest.mark.rule("18.5")
def test_who_puts_another_card_aside_is_caught_by_the_audit() -> None:
    """Their enemy cannot see it before: two of the lot stay in the deck, and a third is gone."""
    game = Sealed("cheat", "war_of_the_columns", DIRECT)
    while game.fold.phase != "running" or not isinstance(
        game.fold.in_play.state.agenda[-1], ChosenCard
    ):
        game.mail()
    draft = Draft(game.fold.machine, "A", game.keys["A"])
    draft.pay()
    hidden = draft.secrets.hidden_hand(draft.machine)
    others = [slot for slot, card in sorted(hidden.items()) if card not in LOTS["columns"][N]]
    draft.add({"do": "orders", "list": [{"choose_card": {"aside": others[:2]}}]})
    draft.pay()
    game.fold = after(game.fold, draft.sign(tool(), None))
    for _ in range(6):
        game.mail()
    game.mail(resign=True)
    with pytest.raises(FileRefused) as refused:
        while game.fold.owed:
            game.mail()
    assert (
        refused.value.code == "E-AUDIT"
        and "which is not one of the cards to choose from" in str(refused.value)
    )


@pytest.mark.rule("18.5")
def test_what_the_choice_costs() -> None:
    """Two mails: the beacon behind which a player knows the own cards is not the one that deals."""
    for options, more in ((), []), ((DIRECT,), ["B: orders reveal", "A: reveal orders"]):
        seats = Seats("choice", options=options)
        while not seats.plays(-1):
            seats.mail(seats.silent())
        assert list(mails_in_words(seats.fold.entries)) == [
            "A: propose", "B: accept", "A: start reveal", "B: reveal deck_reply",
            "A: deck_reply orders", *more,
        ]  # fmt: skip
        assert seats.foretold[4] == 1 + len(more)
