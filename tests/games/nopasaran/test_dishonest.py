"""Dishonest entries in ¡No Pasarán! with counters face down: honest ones that a changed program
has altered at random, in what is this game's.

Whatever is accepted leaves as many counters as there were, in one place each; and whatever is not
so, the audit finds. `python -m tests.games.nopasaran.test_dishonest 10000` tries more.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Iterator
from copy import deepcopy
from functools import cache
from itertools import pairwise
from typing import Any

from pbem.engine.facedown import Statement
from pbem.engine.tags import is_tag
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.games.nopasaran.position import ELIMINATED, Position
from pbem.games.nopasaran.rules import cover, hiding, zones
from pbem.games.nopasaran.tables import SIDES
from pbem.messages import words
from tests.gamefile.cheating import Step, Steps, audit, without
from tests.gamefile.players import reveal, tried
from tests.games.nopasaran.covered import (
    FINISH,
    MIX,
    NEXT,
    SEATS,
    answered,
    blown,
    covered,
    evening,
    honest,
    known,
    over,
    until,
    write,
)

NONCE = 11
ALTERED = (
    "orders",
    "react",
    "post_choice",
    "deck_commit",
    "open",
    "fact",
    "list_tell",
    "list_seal",
)
"""The kinds of steps that are altered; `reveal` and the like are the same in every game."""
LEFT_ALONE = ("do", "nonce", "path", "c", "box")
R5 = {"activate": {"formation": "N-R5"}}


@cache
def honest_entries() -> tuple[tuple[Fold, str, Steps], ...]:
    """Games, each with who writes next, and what their program would."""
    first, morning = evening(NONCE), covered(NONCE)
    march = {"move": {"units": ["N-2Leg/5"], "path": ["F13"]}}
    aside = {"move": {"units": ["N-1TirIf/5"], "path": ["F13"]}}
    fight = {"attack": {"hex": "G14", "from": [["G13", ["N-1TirIf/5", "N-2Leg/5"]]],
                        "support": "none", "advance": "none"}}  # fmt: skip
    scout = {"scout": {"unit": "N-Cab-1", "hex": "G14"}}
    fire = {"bombard": {"target": "G14", "guns": ["N-Art75-III"]}}
    lists = until(covered(NONCE), "B", "assign", NEXT + 1)
    orders = (
        (first, "A", MIX, {"mask": {"at": ["H10"]}}, FINISH),
        (first, "A", {"mix": {"at": ["G13", "H12"]}}, R5, aside, FINISH),
        (morning, "A", R5, march, FINISH),
        (morning, "A", R5, march, {"mix": {"at": ["H10", "H12"]}}, FINISH),
        (morning, "A", R5, fight),
        (morning, "A", {"mask": {"at": ["H10", "H12"]}}, R5, {"done": {}}),
        (write(morning, "A", R5, fight), "B"),
        (write(morning, "A", {"activate": {"formation": "N-CAB"}}, scout), "B"),
        (write(morning, "A", {"activate": {"unit": "N-Art75-III"}}, fire), "B"),
        (lists, "B", {"assign": {"to": [["R-105V", "R-12BI"], ["R-Zap-1", "R-12BI"]]}},
         {"fly": {"missions": []}}),
        (answered(NONCE), "A"),
        (blown(NONCE), "B"),
    )  # fmt: skip
    return tuple((fold, player, honest(fold, player, *given)) for fold, player, *given in orders)


# ------------------------------------------------------------------- what is altered


def places(step: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The way to every value within a step that may be altered."""
    if at:
        yield at
    members = step.items() if isinstance(step, dict) else (
        enumerate(step) if isinstance(step, list) else ()
    )  # fmt: skip
    for name, value in members:
        if name not in LEFT_ALONE:
            yield from places(value, (*at, name))


def altered(steps: Steps, words_of_it: list[Any], rng: random.Random) -> Steps:
    """The steps with one to three values altered: replaced, left out, doubled or moved."""
    steps = deepcopy(steps)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        step = rng.choice([each for each in steps if each["do"] in ALTERED])
        ways = [way for way in places(step) if len(way) > 1 or step["do"] == "open"]
        ways += [way for way in ways if kind(value_at(step, way)) in ("tag", "zone")] * 4
        if ways:
            alter(step, rng.choice(ways), words_of_it, rng)
    if rng.random() < 0.1:
        steps.append(deepcopy(rng.choice(steps)))
    if rng.random() < 0.1:
        del steps[rng.randrange(len(steps))]
    return steps


def value_at(step: Step, way: tuple[Any, ...]) -> Any:
    value: Any = step
    for name in way:
        value = value[name]
    return value


def alter(step: Step, way: tuple[Any, ...], words_of_it: list[Any], rng: random.Random) -> None:
    inside, name, how = value_at(step, way[:-1]), way[-1], rng.random()
    old = inside[name]
    if how < (0.2 if isinstance(inside, list) else 0.05):
        del inside[name]
    elif how < 0.4 and isinstance(inside, list):
        inside.insert(rng.randrange(len(inside) + 1), deepcopy(rng.choice(inside)))
    elif how < 0.6 and isinstance(old, list) and len(old) > 1:
        rng.shuffle(old)
    elif isinstance(old, int):
        inside[name] = old + rng.choice((-2, -1, 1, 2))
    else:
        like = [each for each in words_of_it if kind(each) == kind(old)] or words_of_it
        inside[name] = deepcopy(rng.choice(like if rng.random() < 0.8 else words_of_it))


def kind(said: Any) -> str:
    """What a value is: what is put in its place looks like it, most of the time."""
    if not isinstance(said, str):
        return type(said).__name__
    return "tag" if is_tag(said) else "zone" if " " in said else "unit" if "-" in said else "word"


@cache
def vocabulary(at: int) -> list[Any]:
    """What a forger puts in: tags there are and others, units, hexes, what is said, orders."""
    fold, _, steps = honest_entries()[at]
    position: Position = fold.in_play.state.position  # type: ignore[union-attr]
    tags = [*filter(is_tag, position.hexes)]
    # What is near at hand is put in more often than what is not.
    found: list[Any] = [*tags, *tags, *position.hexes, *position.stacks, *position.stacks]
    found += ["n/1/99", "n/2/0", "n/2/3", "r/2/0", "F13", "F14", "F12", "G12", "all", "none"]
    found += [f"{points} {kind}" for points in range(4) for kind in zones.SAID]
    found += [
        *position.board.troop_classes,
        "infantry",
        "artillery",
        "tank",
        "N-R5",
        "N-R6",
        "R-12BI",
    ]
    found += [[tag] for tag in tags]
    found += [{"units": [tag], "zone": "3 foot"} for tag in tags]
    found += [{"units": [*pair], "zone": "2 engineers"} for pair in pairwise(tags)]
    found += [{"mix": {"at": [hex]}} for hex in ("G13", "H12", "G14")]
    found += [{"mask": {"at": [hex]}} for hex in ("H10", "H09", "G13")]
    found += [{"move": {"units": [tag], "path": [hex]}} for tag in tags for hex in ("F13", "H12")]
    found += [order for each in steps for order in each.get("list", ())]
    return found


# ------------------------------------------------------------------- what comes of it


def sent(fold: Fold, player: str, steps: Steps) -> Fold:
    """The game after an entry, with the value of the beacon that it locks, and without what nobody
    asks its author to show any more.
    """
    try:
        return tried(fold, player, steps)
    except FileRefused as refusal:
        if refusal.code == "E-CARD" and any(each["do"] == "open" for each in steps):
            return sent(fold, player, without(steps, "open"))
        if refusal.code != "E-NOREVEAL" or any(each["do"] == "reveal" for each in steps[1:]):
            raise
        return tried(fold, player, [*steps, reveal(fold, player, fold.machine.next_beacon)])


def counters(position: Position) -> Counter[str]:
    """How many counters each side has on the map, in view or face down, and among the destroyed."""
    on_map = [unit for units in position.stacks.values() for unit in units]
    assert len(on_map) == len(position.hexes), "each is in one place"
    assert all(len({*map(position.side_of, units)}) == 1 for units in position.stacks.values())
    gone = (unit for unit, place in position.away.items() if place == ELIMINATED)
    return Counter(map(position.side_of, (*on_map, *gone)))


def stands(before: Position, after: Position) -> None:
    """What everybody holds an entry to, whatever its author hides."""
    assert counters(before) == counters(after), "nobody is invented, doubled or lost by this"
    tags = [tag for tag in after.hexes if is_tag(tag)]
    assert all(after.down.fields[tag] for tag in tags)
    for side in SIDES:
        assert sum(each == side for each in after.masks.values()) <= hiding.markers(after)
        for tag in after.tags_of(side):
            assert all(after.side_of(piece) == side for piece in after.may_be(tag))
    for fact in after.down.facts:
        assert fact.tags and len({after.side_of(tag) for tag in fact.tags}) == 1
        assert len(set(fact.tags)) == len(fact.tags)


def untrue(fold: Fold, player: str) -> list[str]:
    """What the table shows of a player's counters face down that is not so."""
    position = known(fold, player)
    down, found = position.down, list[str]()
    for tag in position.tags_of(SEATS[player]):
        if (face := down.face(tag)) and face not in down.may_be(tag):
            found.append(f"{tag} is {face}")
    for fact in down.facts:
        if position.side_of(fact.tags[0]) == SEATS[player]:
            pieces = down.held(fact.tags)
            if pieces and not cover.is_true(position, Statement(fact.about, pieces, fact.said)):
                found.append(f"{fact.about}: {fact.said}")
    return found


def passes_audit(fold: Fold, player: str) -> bool:
    """Whether nothing is found when a player shows all they have kept secret."""
    fold = over(fold, player)
    try:
        tried(fold, player, [audit(fold, player)])
    except FileRefused as refusal:
        assert refusal.code == "E-AUDIT", words(refusal.message)
        return False
    return True


def attempt(rng: random.Random, audits: bool = True) -> str:
    """What comes of an altered entry: the class of its refusal, or what the audit says of it."""
    at = rng.randrange(len(honest_entries()))
    fold, player, steps = honest_entries()[at]
    steps = altered(steps, vocabulary(at), rng)
    try:
        after = sent(fold, player, steps)
    except FileRefused as refusal:
        told = [words(each.message) for each in (refusal.causes or [refusal])]
        assert not any("cannot judge" in each for each in told), (told, steps)
        return refusal.code
    stands(fold.in_play.state.position, after.in_play.state.position)  # type: ignore[union-attr]
    if not audits:
        return "accepted"
    lies = untrue(after, player)
    if passes_audit(after, player):
        assert not lies, (lies, steps)
        return "honest"
    return "found"


def test_an_altered_entry_is_refused_or_found_or_does_no_harm() -> None:
    rng = random.Random("dishonest entries")
    found = Counter(attempt(rng) for _ in range(200))
    assert {"E-ORDER", "E-DECK", "E-POLICY", "E-OPEN", "honest", "found"} <= set(found), found


if __name__ == "__main__":
    counted = Counter[str]()
    for number in range(int(sys.argv[1])):
        try:
            counted[attempt(random.Random(f"forger {number}"))] += 1
        except Exception as error:
            counted["DEFECT"] += 1
            print(number, type(error).__name__, str(error)[:600], flush=True)
        if number % 500 == 499:
            print(number + 1, dict(counted), flush=True)
