"""A game with cups, its vector `21-tags.json`, and ways to cheat with what comes back unseen."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from pbem.gamefile import decks
from pbem.gamefile.chain import Entry
from pbem.gamefile.fold import Fold
from pbem.gamefile.prospect import prospect
from pbem.gamefile.secrets import Secrets
from tests.gamefile.cup_toy import open_cup_toy
from tests.gamefile.mutations import GOOD, as_stored, numbered
from tests.gamefile.players import KEYS, SEALED, forge, opened, write
from tests.gamefile.stacked import Stacking, one_doubled, stacked_write

PASS: dict[str, Any] = {"pass": {}}
DRAW: dict[str, Any] = {"draw": {}}
TOLD_BY_THE_RULES = (
    "a tag kept out of the mix", "a mix left for later", "a way without its end",
    "a way from its end", "a way that leaves a slot out", "a slot shown twice",
    "a card that was put back is played",
)  # fmt: skip
"""How cases begin that nobody can tell without the rules of the duel."""


def back(slot: str) -> dict[str, Any]:
    return {"back": {"slot": slot}}


def hand(fold: Fold, player: str) -> dict[str, str]:
    """Slot to card of a player's hand, as their own key tells."""
    table = prospect(fold, KEYS[player]).in_play
    return {slot: table.secret[slot] for slot in table.hand(player)}


@cache
def dealt() -> Fold:
    """Both have two cards, and A has proven their deck; A has the first round."""
    return write(opened(SEALED, open_cup_toy), "A", say=("Here is my cup.",))


@cache
def mixed(times: int) -> Fold:
    """A has put a card back and drawn another one so many times; B has answered each."""
    if not times:
        return dealt()
    fold = mixed(times - 1)
    fold = write(fold, "A", back(max(hand(fold, "A"))), DRAW)
    return write(fold, "B")


@cache
def attacked() -> Fold:
    """B attacks, and A is asked for a card; those in A's hand were mixed several times."""
    fold = write(mixed(3), "A", PASS)
    return write(fold, "B", {"attack": {"force": 4}})


def longest() -> str:
    """The card of A's hand with the longest way."""
    fold = attacked()
    table = fold.in_play.informed(secrets(fold, "A").hidden_hand(fold.machine))
    cards = hand(fold, "A").values()
    return max(cards, key=lambda card: len(table.shows("A", table.read({"card": {"use": card}}))))


@cache
def sample() -> Fold:
    """A plays the card with the longest way; later it goes back known; both show their secrets."""
    fold = write(attacked(), "A", {"card": {"use": longest()}})
    while fold.owed[0].code != "answer" or fold.in_play.stage != "order":
        answers = {"stand": {"stand": {"how": "hold"}}, "advance": {"advance": {"go": False}}}
        wanted = fold.owed[0].code == "answer" and answers.get(fold.in_play.stage)
        fold = write(fold, fold.pen, *([wanted] if wanted else []))
    fold = write(fold, "B", PASS)
    fold = write(fold, "A", {"gather": {}}, DRAW)
    fold = write(write(fold, "B"), "A", resign=True)
    return write(write(fold, "B"), "A")


def secrets(fold: Fold, player: str) -> Secrets:
    return Secrets.in_game(fold.machine, KEYS[player], player)


# --- cheats


def honest(fold: Fold, player: str, *orders: dict[str, Any]) -> list[dict[str, Any]]:
    """The steps of an honest entry."""
    return json.loads(json.dumps(list(write(fold, player, *orders).entries[-1].steps)))


def changed(steps: list[dict[str, Any]], kind: str, **members: Any) -> list[dict[str, Any]]:
    return [{**step, **members} if step["do"] == kind else step for step in steps]


def of(steps: list[dict[str, Any]], kind: str) -> list[dict[str, Any]]:
    return [step for step in steps if step["do"] == kind]


def commitments() -> Iterator[tuple[str, str, Fold, list[dict[str, Any]]]]:
    """What, its class, and the steps of A that lay the second cup or the third."""
    for fold, number in ((mixed(0), 2), (mixed(1), 3)):
        steps = honest(fold, "A", back(max(hand(fold, "A"))), DRAW)
        (commit,) = of(steps, "deck_commit")
        cards = commit["cards"]
        others = {
            "a tag of a place that is not there": f"a.{number - 1}.99",
            "a tag of the other's cup": "b.1.0",
            "a tag of the epoch itself": f"a.{number}.0",
            "a tag that was laid before": "a.1.0" if number == 3 else "",
        }
        for what, tag in others.items():
            if tag and tag not in cards:
                put = sorted([*cards[1:], tag])
                yield f"{what}, epoch {number}", "E-DECK", fold, changed(
                    steps, "deck_commit", cards=put)  # fmt: skip
        less = changed(steps, "deck_commit", cards=cards[1:])
        yield f"a tag kept out of the mix, epoch {number}", "E-DECK", fold, less
        turned = changed(steps, "deck_commit", cards=[*cards[1:], cards[0]])
        yield f"tags out of order, epoch {number}", "E-DECK", fold, turned
        late = [step for step in steps if step["do"] != "deck_commit"]
        yield f"a mix left for later, epoch {number}", "E-EARLY", fold, late


def showings() -> Iterator[tuple[str, str, Fold, list[dict[str, Any]]]]:
    """What, its class, and the steps of A that show a card."""
    fold = attacked()
    steps = honest(fold, "A", {"card": {"use": longest()}})
    shown, played = of(steps, "open"), of(steps, "react")
    assert len(shown) > 2, "the sample has a way of several tags"
    yield "a way without its end", "E-ORDER", fold, [*shown[:-1], *played]
    yield "a way from its end", "E-CARD", fold, [*shown[::-1], *played]
    yield "a way that leaves a slot out", "E-CARD", fold, [shown[0], *shown[2:], *played]
    yield "a slot shown twice", "E-CARD", fold, [shown[0], *shown, *played]
    older = next(each["card"] for each in shown[1:])
    yield "a tag of another epoch", "E-OPEN", fold, [{**shown[0], "card": older}, *played]
    beside = next(card for card in epoch_cards(fold, 4) if card != shown[0]["card"])
    yield "another tag of the epoch", "E-OPEN", fold, [{**shown[0], "card": beside}, *played]
    nonce = {**shown[1], "nonce": shown[0]["nonce"]}
    yield "a nonce of another epoch", "E-OPEN", fold, [shown[0], nonce, *shown[2:], *played]
    gone = secrets(fold, "A").open(fold.machine.hidden.decks, put_back())
    yield "a card that was put back is played", "E-CARD", fold, [gone, *played]


def epoch_cards(fold: Fold, number: int) -> tuple[str, ...]:
    """The cards of an epoch of A's cup."""
    (laid,) = [each for each in fold.in_play.laid() if (each.by, each.epoch) == ("A", number)]
    return laid.cards


def put_back() -> str:
    """A slot that A has put back into the cup, and that was laid anew by its tag."""
    orders = [
        order
        for entry in attacked().entries
        for step in entry.steps
        if step["do"] == "orders"
        for order in step["list"]
    ]
    return next(order["back"]["slot"] for order in orders if "back" in order)


def stacked(trial: int) -> tuple[Stacking, Fold]:
    """A mix in one of whose trials a tag lies twice, and the game behind its challenge."""
    cheat, fold = Stacking(frozenset({trial}), one_doubled), mixed(0)
    slot = max(hand(fold, "A"))
    return cheat, write(stacked_write(cheat, fold, "A", back(slot), DRAW), "B")


def picked() -> int:
    """The trial that the beacon picks; it follows from the game and both values alone."""
    (bound,) = [each for each in mixed(1).machine.hidden.decks if each.name == "a/2"]
    assert bound.trial is not None
    return bound.trial


def files() -> Iterator[tuple[str, str, list[Entry]]]:
    """What, the class it is refused with, and the entries of the file."""
    yield "the sample", GOOD, list(sample().entries)
    for what, code, fold, steps in (*commitments(), *showings()):
        yield what, code, [*fold.entries, forge(fold, "A", steps)]
    cheat, fold = stacked(picked() ^ 1)
    entry = reply(cheat, fold)
    yield "a stacked mix that the challenge meets", "E-DECK", [*fold.entries, entry]
    cheat, fold = stacked(picked())
    passed = stacked_write(cheat, fold, "A", PASS)
    yield "a stacked mix that passes its challenge", GOOD, list(passed.entries)
    ended = write(passed, "B", resign=True)
    shown = forge(ended, "A", [{"do": "audit", "gsec": secrets(ended, "A").game.hex()}])
    yield "a stacked mix at the audit", "E-AUDIT", [*ended.entries, shown]


def reply(cheat: Stacking, fold: Fold) -> Entry:
    """An entry with the reply for the stacked mix."""
    (bound,) = [each for each in fold.machine.hidden.decks if each.name == "a/2"]
    assert bound.trial is not None
    leaves = cheat.leaves(secrets(fold, "A").game, bound.epoch, bound.trial)
    step = {**secrets(fold, "A").deck_reply(bound), "leaves": leaves}
    return forge(fold, "A", [step, {"do": "orders", "list": [PASS]}])


def tag_vectors() -> Any:
    """The file 21-tags.json."""
    fold = sample()
    stored = as_stored(fold.entries)

    return {
        "rules": (open_cup_toy.__globals__["__doc__"] or "").splitlines(),
        "note": "all else is as in 13-sealed-game.json; in a mutation a number stands for that "
        "entry of the file; `rules` says that only the rules of the duel tell what is wrong",
        "seeds": {player: key.seed.hex() for player, key in KEYS.items()},
        "mixes": [mix(fold, number) for number in (2, 3, 4, 5)],
        "ways": ways(fold),
        "file": {"format": "pbem-game/1", "entries": stored},
        "ids": [entry.id for entry in fold.entries],
        "state_behind_a_mix": mixed(1).machine.public_state(),
        "mutations": [
            {"what": what, "expected": expected, "entries": numbered(entries, stored),
             "rules": what.startswith(TOLD_BY_THE_RULES)}
            for what, expected, entries in files()
        ],
    }  # fmt: skip


def mix(fold: Fold, number: int) -> Any:
    """An epoch of tags, as its owner lays it and the beacon picks it."""
    (bound,) = [each for each in fold.machine.hidden.decks if each.name == f"a/{number}"]
    assert bound.trial is not None
    laid = decks.layout_of(secrets(fold, "A").game, bound.epoch, bound.trial)
    return {
        "epoch": number, "gsec": secrets(fold, "A").game.hex(), "cards": list(bound.epoch.cards),
        "challenge_beacon": bound.challenge, "c": bound.commitment, "trial": bound.trial,
        "layout": list(laid.cards), "leaves": list(bound.leaves),
    }  # fmt: skip


def ways(fold: Fold) -> Any:
    """Every way that was shown: the slots from the newest on, each with what lies in it."""
    found: list[Any] = []
    for entry in fold.entries:
        shown = [step for step in entry.steps if step["do"] == "open"]
        if shown:
            pairs = [[f"{s['deck']}/{s['epoch']}/{s['pos']}", s["card"]] for s in shown]
            found.append({"entry": entry.seq, "way": pairs})
    return found
