"""Every way to spoil the sample game, with the error class it must be refused with.

Each case is the whole file, as entries or as raw bytes. The numbers are those of the list of cheats
that the protocol was designed against; cases of parts that are not built yet have no row.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any, NamedTuple
from unittest.mock import patch

from pbem.gamefile import beacons, chain, format
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.journal import Completed
from pbem.gamefile.keys import KeyPair
from pbem.value import replace
from tests.gamefile.mini_game import mini_game
from tests.gamefile.players import (
    KEYS,
    TOOL,
    forge,
    opened,
    policy,
    proposed,
    resigned,
    value,
    write,
)
from tests.gamefile.toy import open_toy
from tests.mail.bombs import bomb

GOOD = "good"
SMALL = (
    "00" * 32, "01" + "00" * 31,
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ec" + "ff" * 30 + "7f", "ed" + "ff" * 30 + "7f", "ee" + "ff" * 30 + "7f",
)  # fmt: skip
OFF_CURVE = tuple(y.to_bytes(32, "little").hex() for y in (2, 7, 8, 2**255 - 21))
"""No point has these y: nothing verifies."""
MIXED = (
    "3bcfb78c4ad06f9b8d7e8c50e37e33dd40042a7805f5df945fbf33620745bc68",
    "974bf7558cd2d4aeb9f1316e2da76c50dcbfb8b96647475ba8d47c20caaba2c2",
    "9ea3f11f5bd34f0cd7147fd0a436c088f624c6100c1df6a53c0a29e05d60cea0",
    "63771c228bf60e6a02ad24d2c345a28d3598f640e26bede40c8b77fe4bf090a3",
    "03" + "00" * 31,
)  # fmt: skip
"""The key of seed 01 01 .. with a point of order 8, 4, 8 and 2 added to it, and any other point of
the curve that is not in the base point's group: programs differ in what verifies with it."""
NOBODYS = (*SMALL, *OFF_CURVE, *MIXED)


class Case(NamedTuple):
    """A spoilt file: the bytes, and the class it is refused with (`good` for those accepted)."""

    number: int
    what: str
    expected: str
    raw: bytes


def cases() -> Iterator[Case]:
    """All cases, in the order of their numbers."""
    yield from sorted(
        [*damaged(), *not_canonical(), *misshapen(), *relinked(), *strangers(), *dice_cheats(),
         *out_of_turn()],
        key=lambda case: case.number,
    )  # fmt: skip


# --- damage and forgery


def damaged() -> Iterator[Case]:
    base = list(mini_game().entries)
    talk = base[5]
    words = [dict(step) for step in talk.steps]
    words[2]["text"] = ["No card for the cafe."]
    payload = {**talk.payload, "steps": words}
    yield case(1, "one letter of a comment changed", "E-DAMAGED", put(base, 5, talk_with(payload)))
    yield case(2, "the same, its sum made anew", "E-FORGED", put(base, 5, patched(payload)))
    other = sign_entry(KEYS["A"], payload)
    yield case(3, "the same, signed with the other player's key", "E-FORGED", put(base, 5, other))
    for what, sig in (
        ("signature cut to 87 characters", talk.sig[:87]),
        ("line feed inside the signature", talk.sig[:40] + "\n" + talk.sig[41:]),
        ("stray low bits in the last letter", stray_bits(talk.sig)),
    ):
        changed = with_sig(talk, sig)
        yield case(4, what, "E-DAMAGED", put(base, 5, changed))
    yield Case(5, "file cut in the middle of an entry", "E-DAMAGED", stored(base)[:6000])
    yield Case(7, "a hundred thousand opening brackets", "E-DAMAGED", b"[" * 100_000)
    yield case(
        14, "signature of four exclamation marks", "E-DAMAGED", put(base, 5, with_sig(talk, "!!!!"))
    )


def talk_with(payload: dict[str, Any]) -> Entry:
    talk = mini_game().entries[5]
    return Entry(payload, talk.sig, talk.sum)


def patched(payload: dict[str, Any]) -> Entry:
    """A changed payload with a fitting checksum under the old signature."""
    return chain.with_sum(payload, mini_game().entries[5].sig)


def with_sig(entry: Entry, sig: str) -> Entry:
    return replace(chain.with_sum(entry.payload, sig.replace("\n", "")), sig=sig)


def stray_bits(sig: str) -> str:
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    return sig[:85] + letters[letters.index(sig[85]) | 1] + "=="


# --- outside the domain of canonical JSON


def not_canonical() -> Iterator[Case]:
    text = stored(mini_game().entries).decode("ascii")
    seq = '"seq": 5,'
    for number in ("9" * 5000, "1e400", "-0", "5.0", "NaN", "9007199254740992"):
        changed = text.replace(seq, f'"seq": {number},')
        yield Case(6, f"seq is {number[:20]}", "E-CANON", changed.encode())
    for twice in (f"{seq} {seq}", f'{seq} "seq": 6,', f'"seq": 6, {seq}'):
        yield Case(8, f"doubled member: {twice}", "E-CANON", text.replace(seq, twice).encode())
    for escape in ("\\ud800", "\\u001b", "\\u0000", "\\u0085"):
        changed = text.replace("Good luck.", f"Good{escape} luck.")
        yield Case(9, f"{escape} in a comment", "E-CANON", changed.encode())
    raw = text.replace("Good luck.", "Good\x1b luck.")
    yield Case(9, "a raw escape character in a comment", "E-CANON", raw.encode())
    for key in ("Seq", "seq\\n", "se\\u0000q"):
        changed = text.replace(seq, f'"{key}": 5,')
        yield Case(9, f"member named {key}", "E-CANON", changed.encode())


# --- shapes, versions, limits


def misshapen() -> Iterator[Case]:
    base = list(mini_game().entries)
    text = stored(base).decode("ascii")
    sums = f'"sum": "{base[5].sum}"'
    more = text.replace(sums, f'{sums}, "trust": true')
    yield Case(10, "unknown member beside payload, sig and sum", "E-SCHEMA", more.encode())
    orders = base[4].steps[0]
    extra = resigned(base[4], steps=[{**orders, "note": "x"}])
    yield case(10, "unknown member in a step", "E-SCHEMA", put(base, 4, extra))
    extra = resigned(base[4], mood="good")
    yield case(10, "unknown member in a payload", "E-SCHEMA", put(base, 4, extra))
    for time in ("2026-03-05T18:40:00Z", "2026-13-05T18:40Z", "2026-03-05 18:40Z", "", 5,
                 "202\u0666-03-05T18:40Z"):  # fmt: skip
        dated = resigned(base[-1], time=time)
        yield case(10, f"a time that says {time!r}", "E-SCHEMA", put(base, len(base) - 1, dated))
    dated = resigned(base[-1], time="2026-03-05T18:40Z")
    yield case(10, "a time", GOOD, put(base, len(base) - 1, dated))
    strange = resigned(base[4], steps=[{"do": "teleport"}])
    yield case(11, "unknown step kind", "E-VERSION", put(base, 4, strange))
    later = resigned(base[4], steps=[{"do": "teleport", "to": "A"}])
    yield case(11, "a step kind of a later version", "E-VERSION", put(base, 4, later))
    yield case(11, "v is 2", "E-VERSION", put(base, 4, resigned(base[4], v=2)))
    newer = text.replace("pbem-game/1", "pbem-game/2")
    yield Case(11, "format is pbem-game/2", "E-VERSION", newer.encode())
    die = resigned(base[4], steps=[{**orders, "die": 6}])
    yield case(40, "a step carries a die", "E-SCHEMA", put(base, 4, die))
    state = resigned(base[6], post="0" * 16)
    yield case(41, "digest of a different state", "E-STATE", put(base, 6, state))


def packed() -> Iterator[Case]:
    """Spoilt gzip files; apart, because compressors differ and vectors must not."""
    good = gzip.compress(stored(mini_game().entries), mtime=0)
    yield Case(13, "gzip", GOOD, good)
    yield Case(13, "gzip with something behind it", "E-DAMAGED", good + b"more")
    more = good + gzip.compress(b" ", mtime=0)
    yield Case(13, "two gzip members", "E-DAMAGED", more)
    yield Case(13, "gzip cut off", "E-DAMAGED", good[:-9])


def too_large() -> Iterator[Case]:
    """Files over a limit; apart, because they are too large to be kept as vectors."""
    base = list(mini_game().entries)
    yield Case(12, "a hundred megabytes out of a small gzip file", "E-LIMIT", bomb())
    many = b'{"format":"pbem-game/1","entries":[' + b"0," * 40_000 + b"0]}"
    yield Case(12, "forty thousand entries", "E-LIMIT", many)
    big = Entry({**base[5].payload, "steps": [chatter()]}, base[5].sig, "0" * 8)
    yield case(12, "an entry of 300 KiB", "E-LIMIT", put(base, 5, big))


def chatter() -> dict[str, Any]:
    return {"do": "orders", "list": [{"attack": {"why": ["x" * 4000] * 75}}]}


# --- the chain


def relinked() -> Iterator[Case]:
    base = list(mini_game().entries)
    yield case(15, "entry 7 removed", "E-CHAIN", base[:7] + base[8:])
    swapped = [*base[:7], base[8], base[7], *base[9:]]
    yield case(16, "entries 7 and 8 swapped", "E-CHAIN", swapped)
    yield case(17, "entry 7 doubled", "E-CHAIN", [*base[:8], base[7], *base[8:]])
    talk = {"do": "say", "text": ["I never said that."]}
    rewritten = resigned(base[7], steps=[*base[7].steps, talk])
    yield case(18, "entry 7 rewritten by its author", "E-CHAIN", put(base, 7, rewritten))
    foreign = list(opened_with(b"\x33" * 16).entries)
    yield case(22, "an entry of another game", "E-GAME", [*base[:3], foreign[3], *base[4:]])
    accept = {**base[1].steps[0], "proposal": "ab" * 32}
    yield case(
        23, "another proposal is accepted", "E-CHAIN", [base[0], resigned(base[1], steps=[accept])]
    )


def opened_with(nonce: bytes) -> Fold:
    return write(write(write(proposed(nonce=nonce), "B"), "A"), "B")


# --- keys and data


def strangers() -> Iterator[Case]:
    base = list(mini_game().entries)
    offer = base[0].steps[0]
    high = (2**255 - 19 + 2).to_bytes(32, "little").hex()
    for public in (*NOBODYS, high):
        bad = resigned(base[0], steps=[{**offer, "pub_b": public}])
        yield case(24, f"a key that binds nobody: {public[:8]}", "E-KEY", [bad])
    same = resigned(base[0], steps=[{**offer, "pub_b": offer["pub_a"]}])
    yield case(24, "both players have one key", "E-KEY", [same])
    stranger = KeyPair.from_seed(b"\x03" * 32)
    accept = {**base[1].steps[0], "pub": stranger.public.hex()}
    taken = sign_entry(stranger, {**base[1].payload, "steps": [accept]})
    yield case(25, "accepted by the owner of another key", "E-KEY", [base[0], taken])
    other = {**base[1].steps[0], "data": "c" + base[1].steps[0]["data"][1:]}
    yield case(
        27,
        "other game data at the other player's",
        "E-RULES",
        [base[0], resigned(base[1], steps=[other])],
    )


# --- beacons


def dice_cheats() -> Iterator[Case]:
    base = list(mini_game().entries)
    reveal = base[6].steps[0]
    random_value = [{**reveal, "x": "ab" * 32}]
    yield forged(28, "a value out of thin air", "E-REVEAL", 6, "A", random_value)
    yield forged(29, "a value is left out", "E-REVEAL", 6, "A", [{**reveal, "n": 3}])
    third = base[8].steps[0]
    yield forged(29, "the next value, though nothing is locked", "E-EARLY", 6, "A", [reveal, third])
    first = base[2].steps[1]
    yield forged(30, "an old value again", "E-REVEAL", 6, "A", [{**first, "n": 2}])
    yield forged(30, "an old number again", "E-REVEAL", 6, "A", [first])
    copied = {**base[2].steps[0], "anchor": base[1].steps[0]["anchor"]}
    theirs = {**first, "x": base[3].steps[0]["x"]}
    yield forged(31, "the other's anchor and values copied", "E-REVEAL", 2, "A", [copied, theirs])
    second = value("A", 2, mini_game())
    asked = [base[4].steps[0], {"do": "reveal", "n": 2, "x": second}]
    yield forged(32, "reveals though the other is still asked", "E-EARLY", 4, "A", asked)
    again = {"do": "orders", "list": [{"pass": {}}]}
    yield forged(33, "other orders behind the reveal", "E-TURN", 10, "A", [*base[10].steps, again])
    late = {"do": "policy", **policy("late", card=None)}
    yield forged(34, "a policy in front of the owed reveal", "E-NOREVEAL", 6, "A", [late, reveal])
    yield forged(38, "the owed reveal is missing", "E-NOREVEAL", 6, "A", [say("Later.")])
    yield forged(38, "locks and does not reveal", "E-NOREVEAL", 10, "A", base[10].steps[:1])
    choice = {"do": "post_choice", "answers": [{"stand": {"how": "hold"}}]}
    early = [*base[5].steps[:2], choice]
    yield forged(39, "a choice behind the lock, before the dice", "E-TURN", 5, "B", early)
    yield forged(
        69, "words in front of the owed reveal", "E-NOREVEAL", 6, "A", [say("Hm."), reveal]
    )
    yield forged(69, "orders in front of the owed reveal", "E-NOREVEAL", 6, "A", [again, reveal])
    yield rolled_with_the_open_beacon()
    void = {"do": "reveal", "n": 5, "x": value("A", 5, mini_game()), "void": True}
    yield forged(82, "a second void beacon behind the first", "E-TURN", 10, "A", [void])
    yield forged(
        82,
        "a void beacon is marked by both",
        "E-REVEAL",
        9,
        "B",
        [{**base[9].steps[0], "void": True}],
    )
    yield ordinal_two()


def rolled_with_the_open_beacon() -> Case:
    """The beacon is kept open behind a free choice, and the next fight rolled with it."""
    base = mini_game()
    honest = replay(base.entries[:7], open_toy)
    known = next(one for one in honest.told() if isinstance(one, Completed) and one.n == 2)
    machine = honest.machine.put(dice=beacons.BeaconDice(2, known.value))
    answers = ({"stand": {"how": "fall_back"}}, {"card": {"use": None}})
    cheat = compose(replace(honest, machine=machine), KEYS["B"], Wish(orders=answers), tool=TOOL)
    shown = {"do": "reveal", "n": 3, "x": value("B", 3, mini_game())}
    entry = resigned(cheat.entry, steps=[*cheat.entry.steps, shown])
    what = "a fight behind a free choice on the known beacon"
    return case(71, what, "E-STATE", [*base.entries[:7], entry])


def ordinal_two() -> Case:
    """The dice of the first fight taken with ordinal 2, as if a fight called off had used one."""
    base = mini_game()
    honest = beacons.BeaconDice.__init__

    def dishonest(self, number, value):
        honest(self, number, value)
        self._ordinals.fill(["fight/#/att"])

    with patch.object(beacons.BeaconDice, "__init__", dishonest):
        fold = replay(base.entries[:6], open_toy)
        cheat = compose(fold, KEYS["A"], Wish(), tool=TOOL)
    return case(84, "dice taken with ordinal 2", "E-STATE", [*base.entries[:6], cheat.entry])


# --- turns


def out_of_turn() -> Iterator[Case]:
    base = list(mini_game().entries)
    fold = opened()
    out = write(fold, "B", resign=True)
    after_end = forge(out, "A", [{"do": "orders", "list": [{"pass": {}}]}])
    yield case(58, "orders behind a resignation", "E-TURN", [*out.entries, after_end])
    both = [{"do": "resign"}, say("No!")]
    yield case(58, "words behind a resignation", "E-TURN", [*fold.entries, forge(fold, "A", both)])
    claim = {"do": "claim_forfeit", "since": fold.head, "owed": ["answer orders of round 1"]}
    yield case(
        62,
        "a forfeit claimed by the player who is to move",
        "E-TURN",
        [*fold.entries, forge(fold, "A", [claim])],
    )
    wrong = {**claim, "owed": ["reveal 9"]}
    yield case(
        62, "a claim of what is not owed", "E-STATE", [*fold.entries, forge(fold, "B", [wrong])]
    )
    fair = compose(fold, KEYS["B"], Wish(claim_forfeit=True), tool=TOOL).entry
    yield case(62, "a claim of what is owed", GOOD, [*fold.entries, fair])
    push = {"do": "orders", "list": [{"pass": {}}]}
    yield case(
        65, "orders in the other's round", "E-TURN", [*fold.entries, forge(fold, "B", [push])]
    )
    yield from lapses(fold)
    ready = {"do": "reveal", "n": 2, "x": value("B", 2, fold)}
    yield case(74, "a note with a reveal", "E-TURN", [*fold.entries, forge(fold, "B", [ready])])
    plan = {"do": "policy", **policy("x", card=None)}
    yield case(74, "a note with a policy", "E-TURN", [*fold.entries, forge(fold, "B", [plan])])
    once = write(fold, "B", say=("Hello?",))
    yield case(74, "one note", GOOD, once.entries)
    yield case(
        74,
        "two notes in a row",
        "E-TURN",
        [*once.entries, forge(once, "B", [say("Hello??")])],
    )
    yield case(
        74,
        "an entry of the pen-holder with words only",
        "E-TURN",
        [*fold.entries, forge(fold, "A", [say("Hm.")])],
    )
    idle = {"do": "orders", "list": [{"stand": {"how": "hold"}}]}
    yield case(
        74,
        "an entry that answers nothing that is asked",
        "E-ORDER",
        [*fold.entries, forge(fold, "A", [idle])],
    )
    kind = {"do": "react", "answers": [{"pass": {}}]}
    yield case(
        74,
        "the answer in a step of the wrong kind",
        "E-TURN",
        [*fold.entries, forge(fold, "A", [kind])],
    )
    yield case(
        75,
        "the pen-holder's entry where a note stood",
        GOOD,
        write(fold, "A", {"pass": {}}).entries,
    )
    yield case(0, "the sample game", GOOD, base)


def lapses(fold: Fold) -> Iterator[Case]:
    start = {"do": "orders", "list": [{"attack": {"force": 99}}, {"pass": {}}]}
    wrong = [*fold.entries, forge(fold, "A", [start])]
    yield case(73, "an order that was never legal, passed off as lapsed", "E-ORDER", wrong)
    there = write(fold, "A", {"attack": {"force": 1}}, {"attack": {"force": 99}}, {"pass": {}})
    while there.waits.what != "orders of round 2":
        player = there.pen
        answers = {"react": {"card": {"use": None}}, "post_choice": {"stand": {"how": "hold"}}}
        asked = there.owed[0].code == "answer"
        there = write(there, player, *([answers[there.waits.kind]] if asked else []))
    yield case(73, "the same order behind a roll", GOOD, there.entries)


# --- making files


def case(number: int, what: str, expected: str, entries) -> Case:
    return Case(number, what, expected, stored(entries))


def stored(entries) -> bytes:
    return format.write(entries)


def as_stored(entries) -> list[Any]:
    """Entries as a file has them."""
    return json.loads(stored(entries))["entries"]


def numbered(entries, base: list[Any]) -> list[Any]:
    """Entries as a file has them, with a number for each that the sample `base` has."""
    return with_numbers(as_stored(entries), base)


def with_numbers(stored: list[Any], base: list[Any]) -> list[Any]:
    """Entries as a file has them, with a number for each that the sample `base` has."""
    return [base.index(one) if one in base else one for one in stored]


def put(entries: list[Entry], at: int, entry: Entry) -> list[Entry]:
    return [*entries[:at], entry, *entries[at + 1 :]]


def topped(fold: Fold, player: str, steps: list[dict[str, Any]]) -> list[Entry]:
    return [*fold.entries, forge(fold, player, steps)]


def forged(number: int, what: str, expected: str, seq: int, player: str, steps) -> Case:
    """The sample game up to `seq`, then an entry of these steps."""
    base = mini_game().entries[:seq]
    fold = replay(base, open_toy)
    return case(number, what, expected, [*base, forge(fold, player, list(steps))])


def say(line: str) -> dict[str, Any]:
    return {"do": "say", "text": [line]}
