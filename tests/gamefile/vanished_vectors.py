"""The vector of players who vanish: claims by terms, deputies, rulings, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from pbem.gamefile import deputies, format, negotiation
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.fold import Fold
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.secrets import Secrets
from tests.gamefile.mutations import numbered
from tests.gamefile.players import KEYS, SEALED, TOOL, forge, opened
from tests.gamefile.sealed_game import to_orders_of
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.vanished import (
    CARA,
    DAY,
    DORA,
    EVE,
    PASS,
    claimed,
    deputy,
    extension,
    result,
    ruled,
    seat,
    terms,
    write,
)

GOOD = "good"
Case = tuple[str, str, bool, list[Entry]]
"""What, the class it is refused with, whether only the rules know, and the entries."""


@lru_cache(maxsize=1)
def game() -> Fold:
    """A names a deputy, who draws a card, and passes; then B is silent."""
    fold = to_orders_of(opened(terms(of=SEALED), open_sealed_toy), "A")
    fold = write(deputy(fold, "A"), CARA, {"draw": {}}, PASS)
    fold = to_orders_of(fold, "B")
    return write(write(fold, KEYS["B"], PASS, day=1), KEYS["A"], PASS, day=2)


def vanished_vectors() -> Any:
    """The file 28-vanished.json."""
    fold = game()
    file = json.loads(format.write(fold.entries))
    named = deputies.present(fold.machine, "A")
    assert named is not None
    return {
        "note": "the rules are those of 13-sealed-game.json; in a mutation a number stands for "
        "that entry of the file; `rules`: only the rules know that it is refused; `compared`: what "
        "the player who has seen one story says to another file (T7)",
        "seeds": {"A": KEYS["A"].seed.hex(), "B": KEYS["B"].seed.hex(),
                  "deputy": CARA.seed.hex(), "director": DORA.seed.hex()},
        "deputy": {
            "entry": named.entry, "secrets": named.box,
            "place": deputies.place_of("A", str(fold.game), named.entry),
            "gsec": Secrets.in_game(fold.machine, KEYS["A"], "A").game.hex(),
        },
        "file": file,
        "ids": [entry.id for entry in fold.entries],
        "mutations": [
            {"what": what, "expected": expected, "rules": rules,
             "entries": numbered(entries, file["entries"])}
            for what, expected, rules, entries in cases()
        ],
        "compared": [
            {"what": what, "player": player, "expected": expected,
             "seen": numbered(list(seen.entries), file["entries"]),
             "entries": numbered(list(given.entries), file["entries"])}
            for what, player, seen, given, expected in compared()
        ],
    }  # fmt: skip


def cases() -> Iterator[Case]:
    """The good ends of the game, and what is refused in it."""
    yield "the sample", GOOD, False, list(game().entries)
    yield from of_silence()
    yield from of_deputies()
    yield from of_rulings()


def compared() -> Iterator[tuple[str, str, Fold, Fold, str]]:
    """Pairs of stories that cross at a result: what, the reader, what was seen, the file, and the
    class it is refused with.
    """
    fold = game()
    answer = write(fold, KEYS["B"], PASS, day=23)
    note = write(fold, KEYS["A"], say=("Are you there?",))
    both = sorted(
        (ruled(fold, by, result(fold, by)) for by in "AB"),
        key=lambda brought: str(brought.entries[-1].steps[0]["sig"]),
    )
    for what, one, two in (
        ("a result, and an answer", ruled(fold, "A", result(fold, "A")), answer),
        ("a result on words of its author, and an answer",
         ruled(note, "A", result(note, "A")), answer),
        ("a result, and words of its author", ruled(fold, "A", result(fold, "A")), note),
        ("two results, the smaller signature first", *both),
    ):  # fmt: skip
        for player in "AB":
            yield what, player, two, one, GOOD
            yield what, player, one, two, "E-ROLLBACK"
    later = write(answer, KEYS["A"], PASS, day=23)
    yield "a result of who has gone on", "B", later, ruled(fold, "A", result(fold, "A")), "E-FORK"
    second = ruled(note, "A", result(note, None))
    yield "two results of one player", "B", ruled(fold, "A", result(fold, "A")), second, "E-FORK"


def dated(fold: Fold, by: str, step: dict[str, Any], day: int) -> list[Entry]:
    """The entries with one more, which states a day of March, or none."""
    payload = forge(fold, by, [step]).payload
    time = {"time": DAY.format(day)} if day else {}
    return [*fold.entries, sign_entry(KEYS[by], {**payload, **time})]


def of_silence() -> Iterator[Case]:
    fold = game()
    yield "a claim on its day", GOOD, False, list(claimed(fold, "A", 23).entries)
    words = write(fold, KEYS["A"], say=("Are you there?",))
    yield "a claim on one's own note", GOOD, False, list(claimed(words, "A", 23).entries)
    more = ruled(fold, "A", extension(fold, 7))
    yield "a claim after more days", GOOD, False, list(claimed(more, "A", 30).entries)
    owed = [thing.machine for thing in fold.owed if thing.by == "B"]
    step = {"do": "claim_forfeit", "since": fold.head, "owed": owed, "silence": True}
    yield "a claim a day early", "E-TURN", False, dated(fold, "A", step, 22)
    yield "a claim with a clock set back", "E-TURN", False, dated(fold, "A", step, 1)
    yield "a claim without a date", "E-TURN", False, dated(fold, "A", step, 0)
    late = {**step, "since": more.head}
    yield "a claim before the days that were given", "E-TURN", False, dated(more, "A", late, 29)
    plain = {key: told for key, told in step.items() if key != "silence"} | {"since": words.head}
    yield (
        "a claim that is not by the terms on one's own note",
        "E-TURN",
        False,
        dated(words, "A", plain, 23),
    )
    yield from kept((0, 3, 6, 31))
    yield from paused()
    for owing, what in ((fold, "an answer"), (owing_a_value(), "a value")):
        shown = write(write(claimed(owing, "A", 26), KEYS["B"]), KEYS["A"])
        yield (
            f"a claim of {what} that is accepted, and both audits",
            GOOD,
            False,
            list(shown.entries),
        )


def owing_a_value() -> Fold:
    """B owes the value of a beacon from the 5th on."""
    fold = write(game(), KEYS["B"], {"attack": {"force": 2}}, day=4)
    return write(fold, KEYS["A"], {"card": {"use": None}}, day=5)


def kept(days: tuple[int, ...]) -> Iterator[Case]:
    """B sends a value, keeps the pen and is silent: A may claim three weeks after the 5th."""
    fold = owing_a_value()
    for day in days:
        value = write(fold, KEYS["B"], day=day)
        assert value.pen == "B"
        since = max(5, day if day < 26 else 0)
        when = f"a day of March ({day})" if day else "no date"
        what = f"a claim on an entry of the silent player that states {when}"
        yield what, GOOD, False, list(claimed(value, "A", since + 21).entries)
        owed = [thing.machine for thing in value.owed if thing.by == "B"]
        step = {"do": "claim_forfeit", "since": value.head, "owed": owed, "silence": True}
        yield f"{what}, a day early", "E-TURN", False, dated(value, "A", step, since + 20)


def paused() -> Iterator[Case]:
    fold = write(game(), KEYS["A"], offer={"what": "adjourn", "until": "September"}, day=3)
    fold = deputy(write(fold, KEYS["B"], answer=True, day=4), "A", None)
    owed = [thing.machine for thing in fold.owed if thing.by == "B"]
    step = {"do": "claim_forfeit", "since": fold.head, "owed": owed, "silence": True}
    what = "a claim in a pause, on a note of the claimant that withdraws a deputy"
    yield what, "E-TURN", True, dated(fold, "A", step, 31)


def by_deputy(fold: Fold, steps: list[dict[str, Any]], key: Any = CARA) -> list[Entry]:
    """The entries with one more by the deputy of A."""
    payload = {**forge(fold, "A", steps).payload, "as": "deputy"}
    return [*fold.entries, sign_entry(key, payload)]


def of_deputies() -> Iterator[Case]:
    fold = to_orders_of(opened(terms(of=SEALED), open_sealed_toy), "A")
    named, orders = deputy(fold, "A"), {"do": "orders", "list": [PASS]}
    yield "a deputy who was never named", "E-KEY", False, by_deputy(fold, [orders])
    yield "a deputy's entry by another key", "E-FORGED", False, by_deputy(named, [orders], EVE)
    yield "a deputy's entry by the player", "E-FORGED", False, by_deputy(named, [orders], KEYS["A"])
    gone = deputy(named, "A", None)
    yield "a deputy who was withdrawn", "E-KEY", False, by_deputy(gone, [orders])
    new = KeyPair.from_seed(b"\x31" * 32)
    late = negotiation.own_new_key(named, KEYS["A"], new, tool=TOOL)
    yield "a deputy behind a new key of the player", "E-KEY", False, by_deputy(late, [orders])
    taken = {"do": "rotate", "new_pub": CARA.public.hex(), "signed_by": "old",
             "proof": negotiation.proof_for(named, "A", CARA)}  # fmt: skip
    yield "a new key that is the deputy's", "E-KEY", False, [
        *named.entries, forge(named, "A", [taken]),
    ]  # fmt: skip
    yield (
        "a deputy who names another",
        "E-TURN",
        False,
        by_deputy(named, [{"do": "deputy", "pub": EVE.public.hex()}]),
    )
    yield "a deputy who resigns", "E-TURN", False, by_deputy(named, [{"do": "resign"}])
    offered = write(named, KEYS["B"], offer={"what": "draw"})
    yes = {"do": "answer", "offer": offered.head, "yes": True}
    yield "a deputy who agrees to a draw", "E-TURN", False, by_deputy(offered, [yes])
    to = {"what": "takeback", "to": named.machine.entry.seq}
    back = write(write(write(named, CARA, PASS), KEYS["B"], PASS), KEYS["B"], offer=to)
    steps = [{**yes, "offer": back.head}, {"do": "takeback", "to": to["to"]}]
    yield "a deputy who agrees to a take-back", "E-TURN", False, by_deputy(back, steps)
    yield from of_claims()
    free = deputy(fold, "A", ends=True)
    yield "a deputy who may resign", GOOD, False, list(write(free, CARA, resign=True).entries)
    for what, key in (
        ("the player's own key", KEYS["A"]), ("the opponent's key", KEYS["B"]),
        ("the director's key", DORA), ("the deputy once more", CARA),
    ):  # fmt: skip
        step = {"do": "deputy", "pub": key.public.hex()}
        yield f"named as a deputy: {what}", "E-KEY", False, [
            *named.entries, forge(named, "A", [step]),
        ]  # fmt: skip
    step = {"do": "deputy", "pub": CARA.public.hex()}
    yield "named as a deputy: the deputy of the other", "E-KEY", False, [
        *named.entries, forge(named, "B", [step]),
    ]  # fmt: skip
    yield "nobody to withdraw", "E-TURN", False, [
        *fold.entries, forge(fold, "A", [{"do": "deputy", "pub": None}]),
    ]  # fmt: skip
    yield "a deputy beside orders", "E-TURN", False, [
        *fold.entries, forge(fold, "A", [orders, step]),
    ]  # fmt: skip


def of_claims() -> Iterator[Case]:
    """B claims the game, and the deputy of A accepts that."""
    fold = to_orders_of(opened(terms(of=SEALED), open_sealed_toy), "A")
    fold = to_orders_of(write(deputy(fold, "A"), CARA, PASS), "B")
    claim = claimed(write(fold, KEYS["B"], PASS, day=1), "B", 22)
    own = Secrets.in_game(claim.machine, KEYS["A"], "A").game.hex()
    audit = [{"do": "audit", "gsec": own}]
    yield "a deputy who accepts a claim", "E-TURN", False, by_deputy(claim, audit)
    yield "a claim accepted by the player", GOOD, False, [*claim.entries, forge(claim, "A", audit)]


def of_rulings() -> Iterator[Case]:
    fold = game()
    over = ruled(fold, "A", result(fold, "A"))
    for owing, what in ((fold, "an answer"), (owing_a_value(), "a value")):
        shown = write(ruled(owing, "A", result(owing, "A")), KEYS["A"])
        yield (
            f"a result by the director in place of {what}, and the audit of the winner",
            GOOD, False, list(shown.entries),
        )  # fmt: skip
    words = write(fold, KEYS["A"], say=("Are you there?",))
    yield (
        "a result on one's own note",
        GOOD,
        False,
        list(ruled(words, "A", result(words, "A")).entries),
    )
    yield "another in the seat of B", GOOD, False, list(ruled(fold, "A", seat(fold, "B")).entries)
    wrong = (
        ("a result by somebody else", result(fold, "A", EVE)),
        ("a result for another place", result(words, "A")),
        ("a result for the other player", {**result(fold, "A"), "winner": "B"}),
        ("more days than were given", {**extension(fold, 7), "days": 8}),
        ("a seat by somebody else", seat(fold, "B", EVE, EVE)),
    )
    for what, step in wrong:
        yield what, "E-KEY", False, [*fold.entries, forge(fold, "A", [step])]
    yield "a ruling beside an offer", "E-TURN", False, [
        *fold.entries, forge(fold, "A", [{"do": "offer", "what": "draw"}, result(fold, "A")]),
    ]  # fmt: skip
    yield "orders behind a result", "E-TURN", False, [
        *over.entries, forge(over, "B", [{"do": "orders", "list": [PASS]}]),
    ]  # fmt: skip
