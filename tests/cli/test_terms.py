"""What a proposal binds its acceptor to is seen before and after, and nothing else can be in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import ZEROS, sign_entry
from pbem.gamefile.compose import Proposal, propose
from pbem.gamefile.keys import KeyPair, key_fingerprint, load_private
from pbem.gamefile.shapes import STEPS
from pbem.play.game import table_for
from tests.cli.desk import ANA, BETO, EVE, Desk, fixed_chance

KEY = "eve.key.pub"
NEW = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key", "--opponent",
       "beto.key.pub")  # fmt: skip
BINDING = (
    "Campaign (campaign)", "2nd edition", "rules crusade/1, data ", "the Nationalist player",
    "the Republican player", ANA, BETO, "option open_hands: on (Both players see both hands) [rule",
    "option rule_18_3_3: on (One card more in hand) [rule 18.3.3]", "match: 'Liga 2026, fixture 3'",
    f"spare key of the Nationalist player: {EVE}", "4096", "no director; no terms for silence",
)  # fmt: skip


@pytest.fixture
def proposed(keys: Desk) -> Desk:
    """Everything a proposal may say is in it."""
    with fixed_chance():
        keys.done(*NEW, "--option", "open_hands", "--option", "rule_18_3_3", "--match",
                  "Liga 2026, fixture 3", "--spare", KEY, "-o", "g0.json")  # fmt: skip
    return keys


def flat(text: str) -> str:
    """Without the line breaks of a report, a mail's coding aside."""
    return " ".join(text.replace("=\n", "").replace("=\r\n", "").split())


def shows_all(text: str) -> None:
    told = flat(text)
    assert [each for each in BINDING if each not in told] == []


def test_it_is_shown_before_and_after_it_is_accepted(proposed: Desk) -> None:
    desk = proposed
    shows_all(desk.done("status", "g0.json"))
    shows_all(desk.done("status", "g0.json", "--key", "beto.key"))
    shows_all(desk.done("read", "g0.json", "-o", "r0.json"))
    shows_all(desk.done("log", "g0.json"))
    accepted = desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    shows_all(accepted)
    assert accepted.index("you accept") < accepted.index("written: ")
    shows_all(desk.done("status", "g1.json", "--key", "ana.key"))
    desk.done("apply", "g1.json", "--key", "ana.key", "-o", "g2.json")
    for style in ("text", "json"):
        shows_all(desk.done("log", "g2.json", "--format", style))


SHORT = (
    "terms: 2nd edition; option rule_18_3_3; match 'Liga 2026, fixture 3'; proposed "
    "by the Nationalist player (pbem log lists all of them)"
)


def test_they_are_shown_whole_only_where_they_are_news(proposed: Desk) -> None:
    """Who begins the game has proposed it; later a line says them, and where the rest stands."""
    desk, heading = proposed, "terms of the game:"
    desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    desk.done("mail", "g1.json", "-o", "m1.eml")
    mail = flat((desk.folder / "m1.eml").read_text().replace("=3D", "="))
    read = desk.done("read", "g1.json", "-o", "r1.json")
    begun = desk.done("apply", "g1.json", "--key", "ana.key", "-o", "g2.json")
    status = desk.done("status", "g2.json", "--key", "beto.key")
    assert [text.count(heading) for text in (mail, read, begun, status)] == [0, 0, 0, 0]
    assert [flat(text).count(SHORT) for text in (mail, read, begun, status)] == [1, 1, 0, 1]
    assert desk.done("log", "g2.json").count(heading) == 1


def test_how_to_accept_is_said_before_it_and_not_after(proposed: Desk) -> None:
    desk, how = proposed, "pbem turn"
    for words in (("status", "g0.json"), ("read", "g0.json", "-o", "r0.json")):
        assert f"to accept: {how}" in desk.done(*words)
        assert f"to accept: {how}" in desk.done(*words, "--key", "beto.key")
        waits = desk.done(*words, "--key", "ana.key")
        assert "to accept" not in waits and "not accepted it yet; if you have not sent it" in waits
    desk.done("mail", "g0.json", "-o", "m.eml")
    assert f"to accept: {how}" in flat((desk.folder / "m.eml").read_text())
    desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    assert "to accept" not in desk.done("status", "g1.json")


def test_the_mail_of_a_proposal_shows_it(proposed: Desk) -> None:
    proposed.done("mail", "g0.json", "-o", "m.eml")
    shows_all((proposed.folder / "m.eml").read_text().replace("=3D", "="))


def test_programs_get_every_member(proposed: Desk) -> None:
    step = format.read((proposed.folder / "g0.json").read_bytes())[0].steps[0]
    told = json.loads(proposed.done("status", "g0.json", "--json"))["terms"]
    kept = {name: step[name] for name in ("scenario", "ruleset", "data", "sides", "chain_len", "m")}
    assert {name: told[name] for name in kept} == kept
    assert told["match"] == step["match"] and told["spare"]["a"] == step["spare"]
    assert told["options"] == step["options"] and {told["director"], told["silence"]} == {None}
    assert told["fixes"] == []
    read = json.loads(proposed.done("read", "g0.json", "-o", "r0.json", "--json"))
    assert read["terms"] == told


KEYS = {name: KeyPair.from_seed(bytes([at]) * 32).public for at, name in enumerate(("a", "b"), 7)}
SHOWN: dict[str, tuple[Any, str]] = {
    "pub_a": ("", ANA), "pub_b": ("", BETO), "scenario": ("", "(campaign)"),
    "sides": ("", "proposed by the Nat"),
    "ruleset": ("", "rules crusade/1"), "data": ("", ", data "),
    "decks": ("", "2 sealed layouts, "),
    "options": ({"rule_18_3_3": True}, "option rule_18_3_3: on"), "m": ("", "out of 64 trial"),
    "chain_len": (128, "128 values for dice"), "match": ("Liga 7", "'Liga 7'"),
    "m_mix": (64, "64 trial layouts of a mix"),
    "director": (KEYS["a"].hex(), "director: key SHA256:"),
    "silence": ({"days": 9, "then": "result"}, "silence: 9 days without an answer; then who"),
    "spare": (KEYS["b"].hex(), key_fingerprint(KEYS["b"])),
}  # fmt: skip
"""By member of a proposal: what it is to be, if not what it is anyway, and what its reader sees."""


def test_no_member_of_the_terms_is_hidden(keys: Desk) -> None:
    """The nonce alone binds nobody to anything: it makes the game another one. A fix must be known,
    and is shown where one is (tests/releases)."""
    _, must, may = STEPS["propose"]
    assert {*must, *may} == {*SHOWN, "nonce", "fixes"}
    changes = {name: value for name, (value, _) in SHOWN.items() if value}
    game = forged(keys, _terms({}), **changes)
    seen = flat(keys.done("status", game))
    assert [name for name, (_, text) in SHOWN.items() if text not in seen] == []
    step = format.read((keys.folder / game).read_bytes())[0].steps[0]
    told = json.loads(keys.done("status", game, "--json"))["terms"]
    both = {**told, "pub_a": told["keys"]["a"], "pub_b": told["keys"]["b"],
            "spare": told["spare"]["a"]}  # fmt: skip
    assert {name: both[name] for name in SHOWN} == {name: step[name] for name in SHOWN}
    assert f"data {step['data'][:16]}" in seen


# --- what may not be in it


OPEN = MappingProxyType({"open_hands": True})


def forged(
    desk: Desk, of: Proposal | None = None, *, tool: str = "pbem test", **changes: Any
) -> Path:
    """A proposal to Beto with members changed, signed by Ana."""
    key = load_private((desk.folder / "ana.key").read_bytes(), None)
    beto = load_private((desk.folder / "beto.key").read_bytes(), None)
    game = propose(
        key, beto.public, of or _terms(), table_for, nonce=b"\x11" * 16, tool=tool
    ).fold  # fmt: skip
    (entry,) = game.entries
    step = {**entry.payload["steps"][0], **changes}
    payload = {**entry.payload, "steps": [step], "prev": ZEROS}
    (desk.folder / "f0.json").write_bytes(format.write([sign_entry(key, payload)]))
    return Path("f0.json")


def _terms(options: Mapping[str, Any] = OPEN) -> Proposal:
    from pbem.play.systems import opened

    game = opened("crusade")
    sides = {"a": "nationalist", "b": "republican"}
    return Proposal(game.ruleset, game.digest, "campaign", sides, options)


REFUSED = {
    "an option that is a text": (
        {"options": {"open_hands": "yes"}},
        'option open_hands is "yes", but an option is either true or left out',
    ),
    "an option that is off": ({"options": {"open_hands": True, "rule_18_3_3": False}},
                              "option rule_18_3_3 is false"),
    "an option that is 1": ({"options": {"open_hands": 1}}, "option open_hands is 1"),
    "an unknown option": (
        {"options": {"open_hands": True, "rule_18_3_2x": True}}, "did you mean rule_18_3_2"
    ),
    "options that exclude each other": (
        {"options": {"open_hands": True, "rule_18_5_free": True, "rule_18_5_random": True}},
        "exclude each other",
    ),
    "free terms": ({"terms": ["By accepting B concedes the match"]}, "'terms'"),
    "a stranger member": ({"stakes": "your house"}, "'stakes'"),
    "a match of two lines": ({"match": "x\nto accept: do nothing"}, "'match'"),
    "a match without end": ({"match": "x" * 101}, "'match'"),
    "no match at all": ({"match": ""}, "'match'"),
    "a director of free words": ({"director": "me"}, "'director'"),
    "patience without end": ({"silence": {"days": 366, "then": "result"}}, "'silence'"),
    "a silence that is followed by a fine": ({"silence": {"days": 9, "then": "fine"}}, "'silence'"),
    "a seed without a practice game": ({"options": {"open_hands": True, "seed": "x"}}, "seed"),
    "a scenario nobody knows": ({"scenario": "campain"}, "did you mean campaign"),
    "two players on a side": ({"sides": {"a": "nationalist", "b": "nationalist"}}, "side"),
    "rules nobody has": ({"ruleset": "crusade/9"}, "crusade/9"),
    "a fix nobody knows": ({"fixes": [7]}, "have a fix in this game that this pbem does not know"),
    "no fix": ({"fixes": []}, "'fixes'"),
    "a fix twice": ({"fixes": [1, 1]}, "'fixes'"),
    "a fix without a number": ({"fixes": ["first"]}, "'fixes'"),
    "one trial layout": ({"options": {}, "m": 1}, "too few trial layouts of a deck, 1 in place"),
    "one trial layout of decks that are laid behind a roll": (
        {"options": {"rule_18_5_random": True}, "decks": [], "m": 1},
        "too few trial layouts of a deck, 1 in place",
    ),
    "sealed decks of other cards": (
        {"options": {}, "decks": [{"deck": "n", "by": "A", "cards": ["N1"]}]}, "decks"
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_a_proposal_that_says_anything_else_is_refused_when_it_is_read(
    keys: Desk, what: str
) -> None:
    changes, told = REFUSED[what]
    game = forged(keys, **changes)
    for words in (
        ("status", game), ("read", game, "-o", "r.json"), ("verify", game),
        ("apply", game, "--key", "beto.key", "-o", "n.json"),
    ):  # fmt: skip
        found = keys.pbem(*words)
        assert found.code == 3, (words, found)
        said = found.err + found.out
        assert told in said, (words, said)
        assert "entry 0, step 1" in said


@pytest.mark.parametrize("changes", [{"fixes": [7, 9]}, {"data": "7" * 64}])
def test_what_a_later_version_has_is_told_with_its_number(
    keys: Desk, changes: dict[str, Any]
) -> None:
    game = forged(keys, tool="pbem 7.2.0", **changes)
    told = keys.refused(3, "apply", game, "--key", "beto.key", "-o", "n.json")
    assert "this entry was written with pbem 7.2.0" in flat(told)
    assert "install pbem 7.2.0 or later" in flat(told)
    ours = forged(keys, **changes)
    assert "install" not in keys.refused(3, "verify", ours)


def test_an_option_may_be_named_by_the_number_of_its_rule(keys: Desk) -> None:
    keys.done(*NEW, "--option", "18.2.3", "--option", "rule_18_2_3", "--option", "18.3.3",
              "-o", "by_number.json")  # fmt: skip
    told = keys.done("log", "by_number.json")
    assert "option rule_18_2_3: on" in told and "option rule_18_3_3: on" in told
    told = keys.done("solo", "crusade", "campaign", "--option", "18.2.3", "-o", "alone.json")
    assert "rule_18_2_3" in told


def test_a_number_that_stands_for_several_options_names_them(keys: Desk) -> None:
    told = keys.refused(2, *NEW, "--option", "18.5")
    assert "'18.5' stands for several options" in told
    assert "it may be rule_18_5_random, rule_18_5_direct or rule_18_5_free" in told


def test_a_number_stands_for_the_rule_and_not_for_a_reading_of_it(keys: Desk) -> None:
    keys.done(*NEW, "--option", "18.3.1", "-o", "withdrawal.json")
    told = keys.done("log", "withdrawal.json")
    assert "option rule_18_3_1: on" in told and "reading_q67" not in told


def test_an_unknown_option_is_not_proposed_either(keys: Desk) -> None:
    told = keys.refused(2, *NEW, "--option", "rule_18_3_33")
    assert "there is no option" in told and "did you mean rule_18_3_3" in told


def test_a_match_too_long_is_not_proposed_either(keys: Desk) -> None:
    told = keys.refused(2, *NEW, "--match", "x" * 101)
    assert "100 characters" in told


def test_the_first_mail_says_what_pbem_is_and_how_to_get_it_and_no_other_does(
    proposed: Desk,
) -> None:
    desk = proposed
    first = flat(desk.done("mail", "g0.json", "-o", "-"))
    sentences = ("a referee for two people who play a board wargame by e-mail", "pipx install")
    assert all(each in first for each in sentences)
    desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    second = flat(desk.done("mail", "g1.json", "-o", "-"))
    assert not any(each in second for each in sentences)
