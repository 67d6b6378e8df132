"""Pairs of stories of one game, and whether they prove that somebody told two."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.compose import Proposal, propose_solo
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.fork import Fork, find
from pbem.gamefile.keys import KeyPair
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import forge, opened_with, put, say, with_sig
from tests.gamefile.players import KEYS, TOOL, closed, resigned, write
from tests.gamefile.renewed import NEW, named, signing
from tests.gamefile.toy import open_toy

PASS = {"pass": {}}
DRAW = {"draw": {}}


class Pair(NamedTuple):
    """Two stories; `expected` is the author and number of the fork, a reason, or an error class.

    `case` is the number in the list of cheats, or 0.
    """

    case: int
    what: str
    expected: dict[str, str | int] | str
    first: tuple[Entry, ...]
    second: tuple[Entry, ...]


def pairs() -> Iterator[Pair]:
    """All pairs."""
    base = mini_game().entries
    at = replay(base[:4], open_toy)
    passed = write(at, "A", PASS)
    fork_of_a = {"by": "A", "seq": 4}
    yield Pair(19, "two orders for one place", fork_of_a, base[:5], passed.entries)
    yield Pair(19, "rewritten after it was answered", fork_of_a, base, passed.entries)
    further = write(write(passed, "B", PASS), "A", DRAW)
    yield Pair(21, "both went on", fork_of_a, further.entries, base[:7])
    twice = write(at, "A", PASS, say=("Sorry.",))
    yield Pair(0, "the same order, with other words", fork_of_a, passed.entries, twice.entries)
    resigned_there = write(at, "A", resign=True)
    yield Pair(0, "an order and a resignation", fork_of_a, base, resigned_there.entries)
    yield Pair(66, "two locks for one beacon", fork_of_a, base, write(at, "A", DRAW).entries)
    accepted = (base[0], resigned(base[1], tool="pbem other"))
    yield Pair(77, "a second accept of one proposal", {"by": "B", "seq": 1}, base, accepted)
    hello, hello_again = (write(at, "B", say=(word,)) for word in ("Hello?", "Hello??"))
    yield Pair(0, "two notes of one author", {"by": "B", "seq": 4},
               hello.entries, hello_again.entries)  # fmt: skip
    yield from over_notes(at)
    yield from innocent(at)


def over_notes(at: Fold) -> Iterator[Pair]:
    """Pairs in which a note lies between the entry that both begin with and what was signed."""
    fork_of_a, drawn = {"by": "A", "seq": 4}, write(at, "A", DRAW).entries
    hello = write(at, "B", say=("Hello?",))
    yield Pair(0, "words answered, and denied", fork_of_a, write(hello, "A", PASS).entries, drawn)
    asked = write(at, "B", offer={"what": "draw"})
    agreed = write(asked, "A", answer=True)
    yield Pair(
        0, "a yes to an offer, and an entry in place of it", fork_of_a, agreed.entries, drawn
    )
    other_words = write(write(at, "B", say=("Hello!",)), "A", DRAW)
    yield Pair(0, "both on two notes of one who forked the notes", fork_of_a,
               write(hello, "A", PASS).entries, other_words.entries)  # fmt: skip
    note = named(at, "A", renew=False)
    with signing(A=NEW.in_place_of(KEYS["A"])):
        in_anothers_seat = write(note, "A", PASS)
    yield Pair(0, "an entry under a key that the other has named", "on-word",
               in_anothers_seat.entries, drawn)  # fmt: skip
    over = write(at, "A", resign=True)
    closing = [closed(over, player).entries for player in "AB"]
    yield Pair(75, "closes that crossed behind the end", "two-authors", *closing)
    wrong = forge(hello, "A", [{"do": "orders", "list": [{"stand": {"how": "hold"}}]}])
    yield Pair(0, "a line that is refused at its end", "refused", drawn, (*hello.entries, wrong))


def innocent(at: Fold) -> Iterator[Pair]:
    """Pairs that accuse nobody."""
    base = mini_game().entries
    hello = write(at, "B", say=("Hello?",))
    yield Pair(75, "a note and the pen-holder's entry", "two-authors", base, hello.entries)
    later = write(write(at, "A", PASS), "A", say=("Hello?",))
    yield Pair(75, "a note that was passed over and said again", "two-authors", hello.entries,
               later.entries)  # fmt: skip
    illegal = forge(at, "A", [{"do": "orders", "list": [{"stand": {"how": "hold"}}]}])
    yield Pair(76, "a refused entry and its correction", "refused", (*base[:4], illegal), base)
    yield Pair(76, "the correction and the refused entry", "refused", base, (*base[:4], illegal))
    state = resigned(base[4], post="0" * 16)
    yield Pair(76, "an entry whose state digest is wrong", "refused", base, (*base[:4], state))
    beside = forge(at, "B", [{"do": "orders", "list": [PASS]}])
    yield Pair(76, "orders out of turn", "refused", base, (*base[:4], beside))
    stranger = KeyPair.from_seed(b"\x03" * 32)
    made_up = {**base[4].payload, "steps": [*base[4].steps, say("I am A.")]}
    yield Pair(0, "an entry that somebody else signed", "refused", base,
               (*base[:4], sign_entry(stranger, made_up)))  # fmt: skip
    cut = with_sig(resigned(base[4], tool="x"), base[4].sig[:80])
    yield Pair(0, "an entry that was damaged", "refused", base, (*base[:4], cut))
    other_key = sign_entry(KEYS["A"], {**base[5].payload, "tool": "x"})
    yield Pair(0, "an entry signed with the accuser's key", "refused", base,
               (*base[:5], other_key))  # fmt: skip
    yield Pair(0, "one file twice", "same", base, base)
    yield Pair(0, "a file and its beginning", "same", base, base[:7])
    other = opened_with(b"\x33" * 16)
    yield Pair(0, "two games", "other-game", base, other.entries)
    terms = Proposal("toy/1", "d" * 64, "duel", {"a": "red", "b": "blue"}, {"open_hands": True}, 64)
    solo = propose_solo(terms, "practice", open_toy, tool=TOOL)
    again = resigned_solo(solo)
    yield Pair(0, "a solo game", "solo", solo.entries, again)
    rotten = tuple(put(list(base), 2, with_sig(base[2], base[3].sig)))
    yield Pair(0, "what they have in common does not hold", "E-FORGED", rotten,
               (*rotten[:4], *write(at, "A", PASS).entries[4:]))  # fmt: skip


def resigned_solo(solo: Fold) -> tuple[Entry, ...]:
    from pbem.gamefile.compose import solo_keys

    last = solo.entries[-1]
    keys = solo_keys(solo)
    return (*solo.entries[:-1], sign_entry(keys[last.by], {**last.payload, "tool": "other"}))


def proof(what: str = "two orders for one place") -> Fork:
    """The proof of a pair, the first one unless told."""
    pair = next(pair for pair in pairs() if pair.what == what)
    return find(pair.first, pair.second, open_toy)
