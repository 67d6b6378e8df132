"""Cups that hide their chits, between two who share nothing but the file."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every, listed
from pbem.engine.model import Order
from pbem.gamefile import shapes
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.format import read, write
from pbem.gamefile.journal import Answered
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import examine_without_rules
from pbem.games.madrid.orders import Attack, DrawChits, Pass, Play, PutBack
from pbem.games.madrid.rules.chits import most_to_draw
from pbem.games.madrid.tables import DECKS
from pbem.play.answer import agreed, answer, audited
from pbem.play.game import table_for, with_fold
from pbem.play.story import story
from pbem.play.table import Table
from pbem.render.formats import rendered
from tests.contract.playing import Player
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import KEYS
from tests.gamefile.renewed import NEW, renewed, signing
from tests.games.crusade.test_face_down_by_mail import decoded, strings
from tests.games.madrid.by_mail import Seats, by_default

CHIT = re.compile(r"C[NR][0-9]{1,2}[a-d]")
TURNS = 4


def eager(seed: int) -> Callable[[Table], Order]:
    """Draws two each turn, puts one back, plays whole impulses, mostly passes otherwise."""
    player, rng = Player(seed), random.Random(seed)

    def choose(table: Table) -> Order:
        decision, position = table.decision, table.state.position
        assert decision is not None
        options = {option.order: option for option in decision.options}
        if DrawChits in options:
            return DrawChits(min(2, most_to_draw(position, decision.side)))
        if PutBack in options:
            return PutBack(position.held(decision.side)[-1:])
        if Play in options and options[Play].examples:
            for example in options[Play].examples(every):
                if not kernel.violations(table.state, example.order):
                    return example.order
        if Pass in options and rng.random() < 0.8:
            return Pass()
        return player.order(table.state, decision)

    return choose


@cache
def played() -> Seats:
    """A game of some turns: chits drawn, played, put back, mixed, and drawn again."""
    game, choose = Seats("cups"), eager(5)
    game.until(
        lambda table: (
            table.state.position.turn > TURNS
            and table.decision.stage == "impulse"
            and any(each for each in table.state.position.slots(table.decision.side))
        ),
        choose,
    )
    assert not game.is_over
    return game


def steps(game: Seats, kind: str) -> list[dict[str, Any]]:
    return [
        step for entry in game.fold.entries for step in entry.steps if step["do"] == kind
    ]  # fmt: skip


def secrets(game: Seats, player: str) -> Secrets:
    return Secrets.in_game(game.fold.machine, KEYS[player], player)


# ------------------------------------------------------------------- what is seen, and by whom


def test_a_game_with_secret_cups_is_fair_and_audited_to_its_end() -> None:
    game = played()
    mixed = [step for step in steps(game, "deck_commit") if step["epoch"] > 2]
    assert len(mixed) > 3, "cups were mixed more than once"
    tags = {card for step in mixed for card in step["cards"] if "." in card}
    opened = steps(game, "open")
    assert tags and any(step["card"] in tags for step in opened), "a way leads through a mix"
    assert look_aheads(game.fold) == []
    whole = replay(read(write(game.fold.entries)), table_for)
    assert whole.head == game.fold.head
    end = Seats("cups")
    end.game = game.game
    end.game = agreed(end.game, KEYS[end.pen], None, resign=True).game
    while end.fold.owed:
        end.game = audited(end.game, KEYS[end.fold.owed[0].by]).game
    assert not end.fold.is_provisional and end.fold.phase == "over"
    assert not examine_without_rules(write(end.fold.entries)).findings


def test_no_entry_and_no_log_names_a_chit_that_was_not_shown() -> None:
    game = played()
    shown = {step["card"] for step in steps(game, "open")}
    for entry in game.fold.entries[1:]:
        for step in entry.steps:
            said = {key: value for key, value in step.items() if key != "cards"}
            for text in strings(json.loads(json.dumps(said))):
                assert set(CHIT.findall(text)) <= shown
                assert not any(f'"{each}"' in raw for raw in decoded(text) for each in ALL - shown)
    public = game.game.table
    assert public is not None
    known = {*public.state.position.played, *public.state.position.removed}
    hands = public.state.position.hands
    assert any("/" in each for side in hands for each in hands[side])
    for player in "AB":
        mine = public.informed(secrets(game, player).hidden_hand(game.fold.machine))
        side = public.seats[player]
        held = mine.state.position.held(side)
        assert len(held) == len(hands[side]) and not set(held) & known
    told = rendered(story(game.game), "text")
    assert re.search(r"the Nationalists draw 2 chits", told, re.IGNORECASE)
    assert "goes back into the" in told and "face down" in told


ALL = {f"C{letter}{number}{copy}" for letter in "NR" for number in range(1, 13) for copy in "abcd"}


def test_each_player_sees_what_the_other_does_not() -> None:
    """The chits of both hands, and both cups, by the keys; together they are all chits."""
    game = played()
    table = game.game.table
    assert table is not None
    both = table
    for player in "AB":
        mine = secrets(game, player).hidden_hand(game.fold.machine)
        alone = table.informed(mine).state.position
        other = table.seats["B" if player == "A" else "A"]
        assert all("/" not in each or not alone.chit_in(each) for each in alone.hands[other])
        both = both.informed(mine)
    position = both.state.position
    seen = [
        chit for side in table.seats.values()
        for chit in position.known_among((*position.hands[side], *position.cups[side]))
    ]  # fmt: skip
    gone = {*position.played, *position.removed}
    assert sorted([*seen, *gone]) == sorted(position.board.chits)
    assert both.system.faults(position) == ()


def fights(table: Table) -> Order:
    """Draws all it may, and attacks where it can; else the default."""
    decision = table.decision
    assert decision is not None
    if decision.stage == "draw":
        return DrawChits(most_to_draw(table.state.position, decision.side))
    offers = [option for option in decision.options if option.order is Attack]
    examples = [each.order for option in offers for each in (option.examples or listed([]))(every)]
    legal = (each for each in examples if not kernel.violations(table.state, each))
    return next(legal, decision.default)


STANDING = """standing:
  counterattack: {{with: [shock, line]}}
  chits: [{}]
"""


def test_sealed_standing_orders_play_the_chits_they_name_out_of_the_hand() -> None:
    """A re-roll of the Nationalists, and a second impulse of the Republicans."""
    game = Seats("x3", "scenario_2")
    for _ in range(21):
        text = ""
        if game.orders_wanted:
            position = game.table.state.position
            side = game.table.seats[game.pen]
            kinds = [position.kind_of(chit) for chit in position.held(side)]
            served = ", ".join(f"{{chit: {kind}}}" for kind in kinds if kind in ("CR4", "CR7"))
            text = game.chosen(fights) + STANDING.format(served)
            text += "  reroll: always\n" if "CN10" in kinds else ""
        game.mail(text)
    opened = [step["card"] for step in steps(game, "open")]
    played = [chit for one in game.fold.told() if isinstance(one, Answered)
              for said in one.order.values() for chit in (said.get("chit"),) if chit]  # fmt: skip
    assert opened == played == ["CN10a", "CR7a"]
    assert look_aheads(game.fold) == []
    assert replay(read(write(game.fold.entries)), table_for).head == game.fold.head


# ------------------------------------------------------------------- cheats


def drawn_twice() -> Seats:
    """Nationalists who have put one of two chits back, and are to draw again."""
    game = Seats("twice", "scenario_2")

    def draws(table: Table) -> Order:
        decision = table.decision
        assert decision is not None
        if decision.stage == "draw":
            return DrawChits(2 if decision.side == "nationalist" else 0)
        if decision.stage == "put_back" and decision.side == "nationalist":
            return PutBack(table.state.position.held(decision.side)[:1])
        return by_default(table)

    game.until(
        lambda table: table.decision.stage == "draw"
        and table.decision.side == "nationalist"
        and bool(table.state.position.stirred),
        draws,
    )  # fmt: skip
    return game


def entry_of_draw(game: Seats) -> list[dict[str, Any]]:
    """The steps of an honest mail that draws a chit."""
    composed = answer(game.game, KEYS[game.pen], source("draw: {chits: 1}"), fresh=b"")
    found = json.loads(json.dumps(list(composed.game.fold.entries[-1].steps)))
    assert [step["do"] for step in found][-3:] == ["orders", "deck_commit", "reveal"]
    return found


def source(order: str) -> Any:
    from pbem.text.source import Source

    return Source("orders.yaml", f"orders:\n  - {order}\n")


def refused(game: Seats, steps: list[dict[str, Any]]) -> str:
    for step in steps:
        shapes.check_step(step)
    with pytest.raises(FileRefused) as found:
        game.forged(steps)
    return f"{found.value.code}: {found.value.message}"


def test_a_chit_that_was_put_back_cannot_be_kept() -> None:
    game = drawn_twice()
    honest = entry_of_draw(game)
    commit = next(step for step in honest if step["do"] == "deck_commit")
    position = game.game.table.state.position
    (back,) = [each for each in position.cups["nationalist"] if each.startswith("n/1/")][-1:]
    assert all(tag.startswith("n.1.") for tag in commit["cards"]) and len(commit["cards"]) == 14
    kept = [{**step, "cards": step["cards"][:-1]} if step is commit else step for step in honest]
    assert refused(game, kept).startswith("E-DECK: deck n/2 has other cards")
    full = sorted([*commit["cards"], commit["cards"][0].replace("n.1.", "n.2."), "n.1.15"])
    sixteen = [{**step, "cards": full} if step is commit else step for step in honest]
    assert refused(game, sixteen).startswith("E-DECK: deck n/2 has other cards")
    orders = {"do": "orders", "list": [{"draw": {"chits": 1}}]}
    shows = secrets(game, "A").open(game.fold.machine.hidden.decks, back)
    assert back not in game.game.table.hand("A")
    told = refused(game, [shows, orders])
    assert told.startswith("E-CARD: a chit of deck n/1 is not for player A to show")


def test_a_mix_waits_for_its_commitment_and_nothing_goes_on_without() -> None:
    """Whoever leaves it for later keeps the pen, and no beacon falls that it could be suited to."""
    game = drawn_twice()
    honest = entry_of_draw(game)
    at = [step["do"] for step in honest].index("deck_commit")
    assert refused(game, [*honest[:at], honest[-1]]).startswith("E-EARLY")
    game.forged(honest[:at])
    assert game.fold.owed[0].by == "A" and game.fold.owed[0].machine == "deck_commit n/2"
    assert game.pen == "A" and game.fold.machine.beacons.locked is None
    number = game.fold.machine.next_beacon
    game.mail()
    bound = [each for each in game.fold.machine.hidden.decks if each.name == "n/2"]
    assert bound[0].challenge == number == game.fold.machine.beacons.locked


def test_a_chit_is_played_once_and_shown_under_one_tag() -> None:
    """What was opened is no hidden card any more, and no other place gives its leaf."""
    game, choose = Seats("shown", "scenario_2"), eager(3)
    game.until(lambda table: bool(table.state.position.played), choose)
    shown = [
        (entry.by, step)
        for entry in game.fold.entries
        for step in entry.steps
        if step["do"] == "open"
    ]
    by, step = shown[0]
    while game.pen != by or not game.orders_wanted or game.fold.machine.head(by):
        game.play()
    slot = f"{step['deck']}/{step['epoch']}/{step['pos']}"
    assert refused(game, [step]).startswith("E-CARD: a chit of deck ")
    other = next(each for each in game.game.table.hand(by) if each != slot)
    _, epoch, place = other.split("/")
    moved = {**step, "epoch": int(epoch), "pos": int(place)}
    assert refused(game, [moved]).startswith("E-OPEN")
    theirs = secrets(game, "B" if by == "A" else "A")
    foreign = game.game.table.hand("B" if by == "A" else "A")
    if foreign:
        told = refused(game, [theirs.open(game.fold.machine.hidden.decks, foreign[0])])
        assert told.startswith("E-CARD: a chit of deck ") and foreign[0] not in told
    name = {"do": "orders", "list": [{"play": {"chit": step["card"]}}]}
    assert refused(game, [name]).startswith("E-ORDER")


# ------------------------------------------------------------------- whatever else is agreed


def test_durruti_is_shown_by_mail_out_of_the_cup_or_hand() -> None:
    """CN7 asks for CR6 by name; the mail that answers opens the whole way to it."""
    game, choose = Seats("durruti 3"), hoards()
    game.until(lambda table: table.decision.stage == "show", choose)
    assert not game.is_over and game.pen == "B"
    held = game.table.hand("B")
    assert len(held) > len(game.table.state.position.hands["republican"]), "the cup, too"
    game.mail("orders:\n  - show\n")
    shown = [step for step in game.fold.entries[-1].steps if step["do"] == "open"]
    assert shown[-1]["card"] == "CR6a" and len(shown) > 1
    position = game.game.table.state.position
    assert "CR6a" in position.removed and not position.sought
    assert "Durruti will save Madrid leaves the game" in rendered(story(game.game), "text")
    assert look_aheads(game.fold) == []


def hoards() -> Callable[[Table], Order]:
    """Draws all it may and plays nothing but CN7; what is left goes back."""

    def choose(table: Table) -> Order:
        decision, position = table.decision, table.state.position
        assert decision is not None
        if decision.stage == "draw":
            return DrawChits(most_to_draw(position, decision.side))
        if decision.stage == "put_back":
            return PutBack(tuple(each for each in position.held(decision.side) if each != "CN7a"))
        plays = decision.stage == "impulse" and position.turn > 5
        if plays and "CN7a" in position.held(decision.side):
            return Play("CN7a")
        return by_default(table)

    return choose


def test_a_take_back_knows_again_what_was_shown() -> None:
    """The chit lies in the hand again, and both know it by the whole way that was opened."""
    game = played()
    again = Seats("cups")
    again.game = game.game
    entries = again.fold.entries
    at, shown = next(
        (entry.seq, step)
        for entry in reversed(entries)
        for step in entry.steps
        if step["do"] == "open" and "." not in step["card"]
    )
    quiet = max(seq for seq in again.fold.machine.agreements.quiet if seq < at)
    offer = {"what": "takeback", "to": quiet, "known_randomness": True}
    other = "B" if again.pen == "A" else "A"
    again.game = agreed(again.game, KEYS[other], None, offer=offer).game
    again.game = agreed(again.game, KEYS[again.pen], None, reply=True).game
    assert again.fold.entries[-1].steps[-1]["do"] == "takeback"
    position = again.game.table.state.position
    by = "nationalist" if shown["card"].startswith("CN") else "republican"
    assert shown["card"] in position.hands[by]
    assert again.game.table.system.faults(position) == ()
    choose = eager(9)
    again.until(lambda table: table.state.position.turn > TURNS + 1, choose)
    assert look_aheads(again.fold) == []
    numbers = [(each.epoch.deck, each.epoch.number) for each in again.fold.machine.hidden.decks]
    assert len(numbers) == len(set(numbers))
    assert not examine_without_rules(write(again.fold.entries)).findings


def test_a_player_with_new_secrets_goes_on_with_as_many_chits() -> None:
    """Nobody can open the old slots any more: what lies face down is dealt anew by its names."""
    game = Seats("cups")
    game.game = played().game
    lost = game.pen
    side = game.game.table.seats[lost]
    before = game.game.table.state.position
    game.game = with_fold(renewed(game.fold, lost, NEW))
    with signing(**{lost: NEW}):
        game.until(lambda table: table.decision.stage == "impulse", eager(7))
        position = game.game.table.state.position
        assert len(position.hands[side]) == len(before.hands[side])
        old = {slot for slot in before.hands[side] if "/" in slot}
        assert old and not old & {*position.hands[side], *position.cups[side]}
        (number,) = {epoch for _, owner, epoch, _ in position.down.laid if owner == side}
        assert number == before.down.last[DECKS[side]] + 1
        laid = next(each for each in position.down.laid if each[1] == side)
        assert not any("." in card for card in laid[3])
        turn = position.turn
        game.until(lambda table: table.state.position.turn > turn + 1, eager(8))
        assert look_aheads(game.fold) == []
        assert replay(read(write(game.fold.entries)), table_for).head == game.fold.head
        assert not examine_without_rules(write(game.fold.entries)).findings
