"""What the author of a note is told when the other player's entry has crossed it: every row."""

from __future__ import annotations

from types import SimpleNamespace

from pbem.gamefile import witness
from pbem.gamefile.keys import KeyPair
from pbem.play import crossed
from tests.gamefile.players import closed, opened, sealed, write
from tests.gamefile.renewed import named, rotated
from tests.gamefile.sealed_game import to_orders_of

PASS, DRAW = {"pass": {}}, {"draw": {}}
SIDES = {"A": "Red", "B": "Blue"}


def told(note, main, player: str = "B") -> list[str]:
    """The lines for the author of a note, who is sent the entry that crossed it."""
    found = witness.compare(witness.record(note, player), main)
    assert found is not None
    game = SimpleNamespace(
        fold=main,
        side_told=SIDES.__getitem__,
        called=lambda each: f"the {SIDES[each]} player",
    )
    return [str(line) for line in crossed.lines(game, found)]


WHERE = "in entry 4 crossed entry 4 of the Red player"
PASSED = write(opened(), "A", PASS)


def test_words():
    assert told(write(opened(), "B", say=("Hello?", "Well?")), PASSED) == [
        f'your words {WHERE} and are not in the game; you can say them again: "Hello? / Well?"'
    ]


def test_an_offer_and_words():
    assert told(write(opened(), "B", say=("Shall we?",), offer={"what": "draw"}), PASSED) == [
        f"your offer (a draw) {WHERE} and was not seen, so it is not open; you can offer it again",
        f'your words {WHERE} and are not in the game; you can say them again: "Shall we?"',
    ]


def test_an_offer_that_crossed_an_offer():
    main = write(opened(), "A", PASS, offer={"what": "void"})
    assert told(write(opened(), "B", offer={"what": "draw"}), main) == [
        f"your offer (a draw) {WHERE} and was not seen, so it is not open; the Red player offers "
        "to end the game without a result: answer that"
    ]


def test_a_claim():
    note = write(opened(), "B", claim_forfeit=True)
    assert told(note, PASSED) == [
        f"your claim {WHERE}, who had already written; the Red player owes nothing now, and it "
        "is your turn to write"
    ]
    kept = rotated(opened(), "A")
    assert told(note, kept) == [
        f"your claim {WHERE}, who had already written; the Red player still has to answer "
        "what the game asks; you can claim it again"
    ]


def test_a_resignation():
    note = write(opened(), "B", resign=True)
    assert told(note, PASSED) == [
        f"your resignation {WHERE}, and the game goes on; you can resign again, and in your own "
        "turn that "
        "is final"
    ]
    assert told(note, write(opened(), "A", resign=True)) == [
        f"your resignation {WHERE}, which had already ended the game; the result stands"
    ]


def test_new_keys():
    assert told(rotated(opened(), "B"), PASSED) == [
        f"your new key {WHERE} and is not in the game; sign with the old one, or name the new one "
        "again (pbem rotate makes another proof)"
    ]
    for_the_other = (
        f"the new key you named {WHERE}, who has the old key and has used it; discard the new key"
    )
    assert told(named(opened(), "A", renew=False), PASSED) == [for_the_other]
    new = KeyPair.from_seed(b"\x0c" * 32)
    both = named(write(opened(), "B", say=("Your key is lost?",)), "A", new, renew=True)
    assert told(both, PASSED) == [
        f'your words {WHERE} and are not in the game; you can say them again: "Your key is lost?"',
        for_the_other.replace("in entry 4", "in entry 5"),
        f"your offer (a renewal of the secrets) {WHERE} and was not seen, so it is not open; you "
        "can offer it again".replace("in entry 4", "in entry 5"),
    ]


def test_audits_and_closes():
    over = write(to_orders_of(sealed(), "A"), "A", resign=True)
    at = len(over.entries)
    where = f"in entry {at} crossed entry {at} of the Blue player, which came first; send yours "
    where += "again after it (pbem audit)"
    assert told(write(over, "A"), write(over, "B"), "A") == [f"your audit {where}"]
    ended = write(opened(), "A", resign=True)
    where = where.replace(f"entry {at}", f"entry {len(ended.entries)}")
    assert told(closed(ended, "A"), closed(ended, "B"), "A") == [f"your close {where}"]
