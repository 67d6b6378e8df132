"""The bounds on content: what they add up to, and that reader and writer hold the same."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from pbem.engine.facedown import MOST_UNSHOWN
from pbem.gamefile import canonical, format, limits, shapes
from pbem.gamefile.canonical import encoded
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.draft import hand_over
from pbem.gamefile.entry import begin_entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import examine, examine_without_rules
from pbem.mail import armour
from pbem.play.snapshot import read_game
from pbem.value import replace
from tests.conftest import FUZZ
from tests.gamefile.mini_game import mini_game
from tests.gamefile.oversized import begun
from tests.gamefile.players import KEYS, forge, opened, policy, proposed, value, write
from tests.gamefile.test_canonical import VALUES
from tests.gamefile.toy import open_toy

CAMPAIGN = Path(__file__).parents[1] / "replays" / "crusade" / "campaign.pbem.json.gz"
EMOJI = "\U0001f600"


def refused(call, *given, **named) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*given, **named)
    return caught.value


# --- what they add up to ------------------------------------------------------------------------


def test_both_shares_fit_into_a_file_whatever_is_in_them() -> None:
    """So the other player's entries can never keep one's own from being written."""
    frame = len(format.HEAD) + len(format.TAIL)
    most = frame + 2 * limits.SHARE
    assert most <= format.MAX_BYTES
    stored_blocks = 5 * (most // 16_383 + 1) + 64  # zlib never makes more of anything
    assert most + stored_blocks <= format.MAX_COMPRESSED
    assert len(zlib.compress(bytes(range(256)) * 400, 0)) < 256 * 400 + 5 * 7 + 64


def test_what_a_player_may_be_made_to_write_fits_into_the_share() -> None:
    """Half of the entries a file can have, each with two values and an answer that are asked."""
    fold = opened()
    reveal = {"do": "reveal", "n": 1 << 24, "x": "f" * 64}
    order = {"do": "post_choice", "answers": [{"choose": {"space": "x" * 100}}]}
    payload = {
        **fold.entries[-1].payload, "steps": [reveal, reveal, order], "seq": 19_999,
        "tool": "x" * 30,
    }  # fmt: skip
    entry = sign_entry(KEYS["A"], payload)
    assert format.stored_size(entry) * format.MAX_ENTRIES // 2 <= limits.SHARE


def test_the_stored_size_is_what_the_file_has_for_an_entry() -> None:
    entries = mini_game().entries
    sizes = sum(map(format.stored_size, entries))
    assert len(format.write(entries)) == len(format.HEAD) + len(format.TAIL) + sizes - 1
    assert format.written_size(entries) == len(format.write(entries))
    machine = mini_game().machine
    assert sum(machine.entry.written.values()) == sizes


@settings(max_examples=40 * FUZZ, deadline=None, derandomize=True)
@given(VALUES)
def test_the_size_of_any_content_is_counted_as_it_is_laid_out(content: Any) -> None:
    entry = mini_game().entries[0]
    odd = replace(entry, payload={**entry.payload, "steps": content})
    with_comma = format.write([odd, odd])
    assert len(with_comma) - len(format.write([odd])) == format.stored_size(odd)


def test_an_entry_is_laid_out_once_to_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """With rules and without them: it is a few percent of all that `verify` does."""
    entries, stored_size, counted = mini_game().entries, format.stored_size, []
    raw = format.write(entries)
    monkeypatch.setattr(
        format, "stored_size", lambda entry: counted.append(entry.id) or stored_size(entry)
    )
    each = [entry.id for entry in entries]
    machine = replay(entries, open_toy).machine
    assert counted == each
    assert sum(machine.entry.written.values()) == sum(map(stored_size, entries))
    counted.clear()
    assert examine_without_rules(raw).is_good and counted == each


# --- an entry -----------------------------------------------------------------------------------


def said(*lines: str) -> dict:
    return {"do": "say", "text": list(lines)}


def ordered(*orders: dict) -> dict:
    return {"do": "orders", "list": list(orders)}


PROPOSE = proposed().entries[0].payload["steps"][0]
DECK = {"deck": "d", "by": "A", "cards": [f"c{at:03}" for at in range(512)]}
JUST_RIGHT = {
    "words": [said("a" * 398)] * 10 + [said("a" * 94)],
    "words beyond ASCII": [said(EMOJI * 33, *[EMOJI * 33] * 9), said("a" * 114)],
    "orders": [ordered(*[{"a": 0}] * 256)] * 4,
    "bytes of orders": [ordered({"a": "x" * 4000})] * 16 + [ordered({"a": "x" * 1382})],
    "clauses": [
        {"do": "policy", "scope": {"ask": [{}] * 40}, "until": None, "doc": {"a": [{}] * 24}}
    ],
    "clauses of what is unsealed": [{"do": "unseal", "doc": {"a": [{}] * 64}}],
    "a scope": [{"do": "policy", "scope": {"a": "x" * 1009}, "until": None, "doc": None}],
    "a document": [{"do": "policy", "scope": None, "until": None, "doc": {"a": "x" * 2992}}],
    "options": [{**PROPOSE, "options": {"a": "x" * 2040}}],
    "trial layouts": [{**PROPOSE, "m": 64, "decks": [DECK] * 4}],
}  # fmt: skip
ONE_MORE = {
    "words": lambda steps: [*steps, said("")],
    "words beyond ASCII": lambda steps: [*steps[:-1], said("a" * 115)],
    "orders": lambda steps: [*steps, ordered({"a": 0})],
    "bytes of orders": lambda steps: [*steps[:-1], ordered({"a": "x" * 1383})],
    "clauses": lambda steps: [{**steps[0], "doc": {"a": [{}] * 23, "b": {"c": {}}}}],
    "clauses of what is unsealed": lambda steps: [{**steps[0], "doc": {"a": [[{}]] * 65}}],
    "a scope": lambda steps: [{**steps[0], "scope": {"a": "x" * 1010}}],
    "a document": lambda steps: [{**steps[0], "doc": {"a": "x" * 2993}}],
    "options": lambda steps: [{**steps[0], "options": {"a": "x" * 2041}}],
    "trial layouts": lambda steps: [
        {**steps[0], "decks": [*steps[0]["decks"], {**DECK, "cards": ["x"]}]}
    ],
}


@pytest.mark.parametrize("what", JUST_RIGHT)
def test_a_bound_is_where_it_is_said_to_be(what: str) -> None:
    steps = JUST_RIGHT[what]
    limits.check_content("A", steps, len(encoded(steps)))
    more = ONE_MORE[what](steps)
    found = refused(limits.check_content, "A", more, len(encoded(more)))
    assert found.code == "E-LIMIT" and "player A" in str(found.message)


def loud(count: int) -> list[dict]:
    return [said(*[EMOJI * 30] * count)]


def test_reader_and_writer_hold_the_same() -> None:
    """The second entry is of a tool that holds nothing; the words are as long as 4 KB of emoji."""
    fold = opened()
    loudest = write(fold, "B", say=tuple(loud(11)[0]["text"]))
    assert replay(loudest.entries, open_toy).head == loudest.head
    over = refused(write, fold, "B", say=tuple(loud(12)[0]["text"]))
    assert over.code == "E-LIMIT" and "player B" in str(over.message)
    entry = forge(fold, "B", loud(12))
    for judged in (examine(format.write([*fold.entries, entry]), open_toy),
                   examine_without_rules(format.write([*fold.entries, entry]))):  # fmt: skip
        (finding,) = judged.findings
        assert finding.problem.code == "E-LIMIT" and finding.by == "B"
        assert finding.entry == len(fold.entries) and "player B" in str(finding.problem.message)


def test_what_an_unknown_hand_has_signed_is_nobodys() -> None:
    """Whose words they are is known by the signature alone, so that is judged first."""
    fold = opened()
    entry = forge(fold, "B", loud(12))
    strange = sign_entry(KEYS["A"], entry.payload)
    (finding,) = examine(format.write([*fold.entries, strange]), open_toy).findings
    assert finding.problem.code == "E-FORGED"


def test_more_words_than_one_step_holds_take_two() -> None:
    fold = write(opened(), "B", say=("x",) * 100)
    assert [len(step["text"]) for step in fold.entries[-1].steps] == [64, 36]


def test_standing_orders_that_are_too_long_are_not_sealed() -> None:
    fold = opened()
    many = policy("standing", None, None, lines=[{}] * 65)
    assert refused(write, fold, "A", policies=(many,), in_clear=False).code == "E-LIMIT"


def test_orders_that_wait_are_bounded_in_bytes() -> None:
    """Each entry's `post` has them all: a few of 250 KB made every later entry cost as much."""
    one = {"a": 0}
    limits.check_waiting("A", [one], [{"a": "x" * 65_000}])
    found = refused(limits.check_waiting, "A", [one], [{"a": "x" * 65_520}])
    assert found.code == "E-LIMIT" and "64 KiB of orders waiting" in str(found.message)
    assert refused(limits.check_waiting, "A", [one], [one] * 1024).code == "E-LIMIT"


def test_orders_that_wait_count_with_those_that_come(monkeypatch: pytest.MonkeyPatch) -> None:
    attack, later = {"attack": {"force": 1}}, {"advance": {"go": True}}
    fold = write(begun(), "B", policies=(policy("all", card=None, stand="hold"),))
    fold = write(write(fold, "A", attack, later, later), "B")
    assert len(fold.given("A")) == 2 and fold.pen == "A"
    monkeypatch.setattr(limits, "ORDERS", 3)
    write(fold, "A", attack)
    monkeypatch.setattr(limits, "ORDERS", 2)
    found = refused(write, fold, "A", attack)
    assert found.code == "E-LIMIT" and "waiting" in str(found.message)


def test_orders_are_bounded_where_they_are_tried_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """What `pbem check` lets pass, `pbem apply` signs."""
    fold, attack = write(begun(), "B"), {"attack": {"force": 1}}
    mine = begin_entry(fold.machine, "A"), "A", [attack], Secrets("A", b"\1" * 32)
    assert hand_over(*mine)[1].steps
    monkeypatch.setattr(limits, "ORDERS_BYTES", 20)
    found = refused(hand_over, *mine)
    assert found.code == "E-LIMIT" and "of orders in one entry" in str(found.message)


# --- a player -----------------------------------------------------------------------------------


def test_a_share_is_held_by_reader_and_writer(monkeypatch: pytest.MonkeyPatch) -> None:
    fold = opened()
    louder = write(fold, "B", say=("x" * 300,))
    monkeypatch.setattr(limits, "SHARE", louder.machine.entry.written["B"])
    assert replay(louder.entries, open_toy).head == louder.head
    monkeypatch.setattr(limits, "SHARE", louder.machine.entry.written["B"] - 1)
    found = refused(replay, louder.entries, open_toy)
    assert found.code == "E-LIMIT" and found.by == "B" and "player B" in str(found.message)
    assert refused(write, fold, "B", say=("x" * 300,)).code == "E-LIMIT"
    assert not examine_without_rules(format.write(louder.entries)).is_good
    # What one has used up is no matter of the other.
    assert fold.pen == "A" and value("A", 1, fold)
    write(fold, "A", say=("x",), resign=True)


# --- the writer ---------------------------------------------------------------------------------


def test_nobody_writes_a_file_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = mini_game().entries
    whole = format.write(entries)
    beginning = format.write(entries[:5]).removesuffix(format.TAIL)
    assert format.extended(beginning, 5, entries) == whole
    for name, least in (("MAX_BYTES", len(whole)), ("MAX_ENTRIES", len(entries))):
        with monkeypatch.context() as patched:
            patched.setattr(format, name, least)
            assert format.read(format.write(entries)) == list(entries)
            patched.setattr(format, name, least - 1)
            assert refused(format.read, whole).code == "E-LIMIT"
            assert refused(format.write, entries).code == "E-LIMIT"
            assert refused(format.extended, beginning, 5, entries).code == "E-LIMIT"
            behind = refused(format.read_behind, whole, len(beginning), entries[:5])
            assert behind.code == "E-LIMIT"


def test_nobody_writes_a_block_that_nobody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = mini_game().entries
    plain = armour.content(entries)
    sizes = {"MAX_INFLATED": len(plain), "MAX_PACKED": len(zlib.compress(plain, 9))}
    for name, least in sizes.items():
        with monkeypatch.context() as patched:
            patched.setattr(armour, name, least)
            assert armour.decode(armour.encode(entries)).entries == entries
            patched.setattr(armour, name, least - 1)
            assert refused(armour.encode, entries).code == "E-LIMIT"


def test_a_layout_of_somebody_else_is_not_kept() -> None:
    """Blanks before the end of a file were kept, until it was too large for anybody."""
    raw = format.write(format.read(CAMPAIGN.read_bytes())[:4])
    padded = raw.removesuffix(format.TAIL) + b" " * 100_000 + format.TAIL
    assert read_game(padded).bytes() == raw
    blanks = raw.replace(b"[", b"[" + b"\n" * 1000)
    assert read_game(blanks).bytes() == raw


def test_all_counters_of_a_player_can_be_shown_in_one_entry() -> None:
    """As many openings as are left when nothing more is mixed, with the mix that led there and all
    who were in view and hide since; beside them whatever else an entry has.
    """
    a_deck, name = 256, "x" * 16
    most = MOST_UNSHOWN + 2 * a_deck
    step = {"do": "open", "deck": name, "epoch": 9999, "pos": a_deck - 1, "nonce": "0" * 64,
            "card": f"{name}.9999.{a_deck - 1}"}  # fmt: skip
    shapes.check_step(step)
    assert most + 512 <= shapes.MAX_STEPS
    assert most * len(encoded(step) + b",") + (16 << 10) <= canonical.MAX_ENTRY_BYTES


def test_honest_play_stays_a_hundred_times_below() -> None:
    """What one entry of a whole Campaign holds at most, against what it might."""
    orders = words = 0
    for entry in format.read(CAMPAIGN.read_bytes()):
        given = [each for step in entry.steps for each in step.get("list", step.get("answers", []))]
        orders = max(orders, len(given))
        words = max(words, len(encoded(given)))
    assert 0 < 100 * orders <= limits.ORDERS
    assert 0 < 100 * words <= limits.ORDERS_BYTES
