"""Whom one plays with: keys pinned to names, and games that were begun and not ended."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from pbem.gamefile.contacts import MOST
from tests.cli.desk import ANA, BETO, EVE, Desk, begin

NEW = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key", "-o")


def propose(desk: Desk, opponent: str, game: str = "new.json", *more: str) -> str:
    return desk.done(*NEW, game, "--opponent", opponent, *more)


def book(desk: Desk) -> Path:
    return desk.folder / ".home" / "config" / "pbem" / "contacts.json"


def impostor(desk: Desk, name: str = "Beto") -> str:
    """Eve's key with somebody else's name in it."""
    line = (desk.folder / "eve.key.pub").read_text()
    desk.write("other.pub", line.replace(" eve", f" {name}"))
    return "other.pub"


# --- pinning ------------------------------------------------------------------------------------


def test_the_first_key_of_a_name_is_pinned(keys: Desk):
    assert keys.done("contacts") == (
        "no contacts yet: the first is pinned by pbem new --opponent THEM.pub\n"
    )
    assert f"note: the key of beto is now pinned: {BETO}\n" in propose(keys, "beto.key.pub")
    assert keys.done("contacts") == f"beto  {BETO}\n"
    assert "pinned" not in propose(keys, "beto.key.pub", "again.json")
    assert stat.S_IMODE(book(keys).stat().st_mode) == 0o600
    (found,) = json.loads(keys.done("contacts", "--json"))
    assert found["name"] == "beto" and found["fingerprint"] == BETO
    assert keys.done("key", "show", "beto.key") == (
        f"{BETO} (private key, without passphrase, pinned as beto)\n"
    )


def test_a_changed_key_of_a_known_name(keys: Desk):
    """Case 26: refused with both fingerprints, until one forgets the old key."""
    propose(keys, "beto.key.pub")
    words = (*NEW, "other.json", "--opponent", impostor(keys))
    assert keys.refused(1, *words) == (
        f"other.pub: this is not the key of beto that you know: theirs is {BETO}, this one is "
        f"{EVE}\n"
        "      hint: ask beto by some means other than e-mail; if the new key is theirs, run "
        "'pbem contacts forget beto' first\n"
    )
    assert [each["code"] for each in keys.pbem(*words, "--json").problems()] == ["E-KEY"]
    assert keys.done("contacts", "forget", "BETO") == f"forgotten: beto, {BETO}\n"
    assert f"the key of Beto is now pinned: {EVE}" in keys.done(*words)


def test_nothing_is_pinned_where_nothing_was_written(keys: Desk):
    keys.write("new.json", "mine")
    keys.refused(2, *NEW, "new.json", "--opponent", "beto.key.pub")
    assert not book(keys).exists()


def test_a_contact_can_be_named_instead_of_a_file(keys: Desk):
    propose(keys, "beto.key.pub")
    (keys.folder / "beto.key.pub").unlink()
    told = propose(keys, "Beto", "again.json")
    assert "you are the Nationalist player" in told
    pub_b = json.loads((keys.folder / "again.json").read_text())["entries"][0]["payload"]["steps"]
    assert pub_b[0]["pub_b"] == json.loads(keys.done("contacts", "--json"))[0]["key"]
    assert keys.refused(2, *NEW, "x.json", "--opponent", "Bteo") == (
        "Bteo: not one of your contacts, and no such public key file\n"
        "      hint: did you mean beto?\n"
    )
    told = keys.refused(2, *NEW, "x.json", "--opponent", "eve.key.p")
    assert "is it" not in told
    (keys.folder / "eve.key").unlink()
    told = keys.refused(2, *NEW, "x.json", "--opponent", "eve.key")
    assert told.endswith("      hint: is it eve.key.pub?\n")


def test_a_key_without_a_name_and_a_known_key_with_another(keys: Desk):
    line = (keys.folder / "beto.key.pub").read_text()
    keys.write("bare.pub", line.replace(" beto", ""))
    told = propose(keys, "bare.pub")
    assert f"note: this key contains no name, so it is not pinned: {BETO} (keygen" in told
    assert not book(keys).exists()
    propose(keys, "beto.key.pub", "b.json")
    keys.write("renamed.pub", line.replace(" beto", " Roberto"))
    for name in ("renamed.pub", "bare.pub"):
        told = propose(keys, name, f"{name}.json")
        assert "note: this is the key of beto, whom you know\n" in told
    assert keys.done("contacts") == f"beto  {BETO}\n"


def test_a_name_that_would_move_the_cursor(keys: Desk):
    told = propose(keys, impostor(keys, "B\x1b[2J\u202eeto"))
    assert "the key of B [2Jeto is now pinned" in told
    assert keys.done("contacts") == f"B [2Jeto  {EVE}\n"


@pytest.mark.parametrize(
    "letter", ["\ufe00", "\u034f", "\u3164", "\u115f", "\u2800", "\u17b4", "\U000e0100"]
)
def test_a_letter_nobody_sees_does_not_pin_a_second_key(keys: Desk, letter: str):
    propose(keys, "beto.key.pub")
    told = keys.refused(1, *NEW, "x.json", "--opponent", impostor(keys, f"beto{letter}"))
    assert "this is not the key of beto that you know" in told and EVE in told and BETO in told
    assert keys.done("contacts") == f"beto  {BETO}\n"


def test_a_name_that_looks_like_a_known_one_is_told(keys: Desk):
    propose(keys, "beto.key.pub")
    told = propose(keys, impostor(keys, "b\u0435to"), "x.json")
    assert "note: the key of b\u0435to is now pinned" in told
    assert (
        f"note: the name 'b\u0435to' looks like beto, whose different key you know: {BETO}\n"
        "note: the name 'b\u0435to' mixes letters of several alphabets: Cyrillic and Latin\n"
    ) in told


def test_the_name_given_at_the_acceptance_is_doubted_too(keys: Desk):
    propose(keys, "beto.key.pub")
    keys.done(*NEW[:5], "--key", "eve.key", "--opponent", "ana.key.pub", "-o", "e.json")
    told = keys.done("apply", "e.json", "--key", "ana.key", "--opponent", "bet0", "-o", "f.json")
    assert f"looks like beto, whose different key you know: {BETO}\n" in told


# --- a file called like a contact ---------------------------------------------------------------


def shadowed(keys: Desk) -> str:
    """Beto is known, and a file of that name with Eve's key lies in the folder; what is said."""
    propose(keys, "beto.key.pub")
    (keys.folder / "beto").write_text((keys.folder / "eve.key.pub").read_text())
    return (
        f"beto is a contact of yours with the key {BETO}, and the file of that name here has the "
        f"key {EVE}\n      hint: ./beto names the file; ask them which is right, by some means "
        "other than e-mail\n"
    )


def test_a_file_does_not_take_the_place_of_a_contact(keys: Desk):
    said = shadowed(keys)
    for name in ("beto", "Beto"):
        if name == "Beto":
            (keys.folder / "beto").rename(keys.folder / "Beto")
            said = said.replace("./beto", "./Beto")
        assert keys.refused(1, *NEW, "x.json", "--opponent", name).endswith(said)
    propose(keys, "./Beto", "y.json")


def test_a_file_that_agrees_with_the_contact_or_holds_no_key_is_no_matter(keys: Desk):
    propose(keys, "beto.key.pub")
    for content in ((keys.folder / "beto.key.pub").read_text(), "shopping list\n"):
        (keys.folder / "beto").write_text(content)
        propose(keys, "beto", f"{len(content)}.json")
        pub_b = json.loads((keys.folder / f"{len(content)}.json").read_text())
        known = json.loads(keys.done("contacts", "--json"))[0]["key"]
        assert pub_b["entries"][0]["payload"]["steps"][0]["pub_b"] == known
    (keys.folder / "beto").unlink()
    (keys.folder / "beto").mkdir()
    propose(keys, "beto", "z.json")


def test_it_is_the_same_for_who_accepts(keys: Desk):
    keys.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "eve.key",
              "--opponent", "ana.key.pub", "-o", "g0.json")  # fmt: skip
    said = shadowed(keys)
    words = ("apply", "g0.json", "--key", "ana.key", "-o", "g1.json", "--opponent")
    assert keys.refused(1, *words, "beto").endswith(said)
    (keys.folder / "beto").unlink()
    assert "this is not the key of beto that you know" in keys.refused(1, *words, "beto")


# --- accepting ----------------------------------------------------------------------------------


def test_who_proposes_is_told_to_who_accepts(keys: Desk):
    propose(keys, "beto.key.pub", "g0.json")
    accept = ("apply", "g0.json", "--key", "beto.key")
    new = (
        f"note: the key of the proposal is new to you: {ANA} (--opponent NAME pins it to "
        "their name)"
    )
    assert f"{new}\n" in keys.done("status", "g0.json", "--key", "beto.key")
    told = keys.done(*accept, "--opponent", "Ana", "-o", "g1.json")
    assert f"note: the key of Ana is now pinned: {ANA}\n" in told
    assert keys.done("contacts") == f"Ana   {ANA}\nbeto  {BETO}\n"
    propose(keys, "beto.key.pub", "h0.json")
    known = "note: the proposal is signed with the key of Ana that you know\n"
    assert known in keys.done("status", "h0.json", "--key", "beto.key")
    told = keys.done("apply", "h0.json", "--key", "beto.key", "--opponent", "Ana", "-o", "h1.json")
    assert known in told and "pinned" not in told


def test_accepting_pins_the_key_of_who_proposed(keys: Desk):
    """A proposal holds no name: the key is pinned under one made from it, until one is told."""
    keys.done(*NEW, "g0.json", "--opponent", "beto.key.pub")
    book(keys).unlink()  # as on a machine of their own
    told = keys.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    assert f"note: the key of your opponent is now pinned: {ANA}" in told
    assert keys.done("contacts") == f"player-zDG6WLy6  {ANA}\n"
    keys.done(*NEW, "h0.json", "--opponent", "beto.key.pub")
    known = "the proposal is signed with the key of player-zDG6WLy6 that you know"
    told = keys.done("apply", "h0.json", "--key", "beto.key", "-o", "h1.json")
    assert known in told and "pinned" not in told
    keys.done("contacts", "forget", "beto")
    keys.done("contacts", "mail", "player-zDG6WLy6", "ana@example.org")
    words = ("apply", "g0.json", "--key", "beto.key", "--opponent", "Ana", "-o", "k1.json")
    assert "note: your opponent is called Ana in your contacts now\n" in keys.done(*words)
    assert keys.done("contacts") == f"Ana  {ANA}  ana@example.org\n", "and keeps the address"
    moved = keys.pbem("mail", "g1.json", "--to", "ana@example.net", "-o", "m.eml")
    assert moved.err == (
        "note: your mails to Ana go to ana@example.net from now on, no longer to ana@example.org\n"
    )


def test_a_full_list_of_contacts_does_not_stop_an_acceptance(keys: Desk):
    propose(keys, "beto.key.pub", "g0.json")
    document = json.loads(book(keys).read_text())
    (beto,) = document["contacts"]
    document["contacts"] += [{**beto, "name": f"n{number}"} for number in range(MOST - 1)]
    book(keys).write_text(json.dumps(document))
    told = keys.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    assert f"the key of your opponent is new to you, and not pinned: {ANA}" in told


def test_an_impostor_is_not_accepted(keys: Desk):
    keys.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "eve.key",
              "--opponent", "beto.key.pub", "-o", "g0.json")  # fmt: skip
    accept = ("apply", "g0.json", "--key", "beto.key", "-o", "g1.json", "--opponent")
    assert keys.refused(1, *accept, "ana.key.pub") == (
        f"g0.json: your opponent in this game is not ana: their key is {ANA}, that of the game is "
        f"{EVE}\n      hint: ask them which is right, by some means "
        "other than e-mail\n"
    )
    keys.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "beto.key",
              "--opponent", "ana.key.pub", "-o", "own.json")  # fmt: skip
    err = keys.refused(1, *accept, "Ana")
    assert err.startswith(f"g0.json: this is not the key of ana that you know: theirs is {ANA}, ")
    keys.done(*NEW, "eve.json", "--opponent", "eve.key.pub")
    assert keys.refused(1, *accept, "Carla") == (
        "g0.json: your opponent in this game is not Carla: they have the key of eve\n"
        "      hint: pbem contacts lists your contacts\n"
    )
    assert "--opponent takes a name" in keys.refused(2, *accept, "\x1b")


# --- the file -----------------------------------------------------------------------------------


@pytest.mark.parametrize("content", [
    b"", b"{", b"[]", b"\xff", b"[" * 99_999, b'{"format": "pbem-contacts/9", "contacts": []}',
    b'{"format": "pbem-contacts/1", "contacts": [{"name": "Beto", "key": "00"}]}',
    b" " * (1 << 21),
])  # fmt: skip
def test_a_damaged_list_is_not_begun_anew(keys: Desk, content: bytes):
    propose(keys, "beto.key.pub", "g0.json")
    book(keys).write_bytes(content)
    for words in (
        ("contacts",), ("contacts", "forget", "beto"), ("key", "show", "ana.key"),
        (*NEW, "x.json", "--opponent", "beto.key.pub"),
        ("apply", "g0.json", "--key", "beto.key", "-o", "x.json"),
    ):  # fmt: skip
        err = keys.refused(1, *words)
        assert err.startswith(f"{book(keys)}: "), err
        assert "contacts" in err
    assert book(keys).read_bytes() == content


def test_a_damaged_list_does_not_stop_a_game(desk: Desk):
    book(desk).parent.mkdir(parents=True)
    book(desk).write_bytes(b"{")
    assert desk.pbem("apply", "g3.json", "--key", "beto.key", "-o", "new.json").code == 0


def test_forgetting_somebody_unknown(keys: Desk):
    assert keys.refused(2, "contacts", "forget", "Beto") == (
        "you have no contact 'Beto'\n      hint: pbem contacts lists them\n"
    )
    propose(keys, "beto.key.pub")
    assert "hint: did you mean beto?" in keys.refused(2, "contacts", "forget", "betto")


def test_no_more_contacts_fit(keys: Desk):
    propose(keys, "beto.key.pub")
    document = json.loads(book(keys).read_text())
    (beto,) = document["contacts"]
    document["contacts"] += [{**beto, "name": f"n{number}"} for number in range(MOST - 1)]
    book(keys).write_text(json.dumps(document))
    err = keys.refused(1, *NEW, "x.json", "--opponent", "eve.key.pub")
    assert err == (
        "you have 1000 contacts, which is the limit\n"
        "      hint: remove one with pbem contacts forget NAME\n"
    )


def test_a_list_that_cannot_be_written(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    propose(keys, "beto.key.pub")
    monkeypatch.setenv("XDG_CONFIG_HOME", "/proc/nowhere")
    result = keys.pbem(*NEW, "x.json", "--opponent", "beto.key.pub", "--no-record")
    assert result.code == 0 and (keys.folder / "x.json").is_file()
    assert "note: the key of your opponent could not be pinned\n" in result.err


# --- games begun and not ended ------------------------------------------------------------------


def test_begun_games_are_told_when_another_is_proposed_or_accepted(keys: Desk):
    begin(keys)
    fingerprint = json.loads(keys.done("status", "g2.json", "--json"))["fingerprint"]
    said = f"you have an unfinished game with them: crusade campaign, game {fingerprint}, entry "
    told = propose(keys, "beto.key.pub", "h0.json", "--match", "final")
    assert told.count(f"note: {said}") == 1
    found = json.loads(keys.done(*NEW, "j0.json", "--opponent", "beto.key.pub", "--json"))
    assert [line[: len(said)] for line in found["opponent"]] == [said]
    assert said not in propose(keys, "eve.key.pub", "i0.json")
    for record in (book(keys).parent / "seen").glob("*-A.json"):
        seen = json.loads(record.read_text())
        if seen["phase"] == "running":  # as if it were Beto's machine, which saw the game begin
            other = {**seen, "opponent": proposer(keys, "h0.json"), "match": "final"}
            record.write_text(json.dumps(other))
    told = keys.done("status", "h0.json", "--key", "beto.key")
    assert f"note: {said}2, of the same match 'final'\n" in told
    told = keys.done("apply", "h0.json", "--key", "beto.key", "-o", "h1.json")
    assert f"note: {said}2, of the same match 'final'\n" in told


@pytest.mark.parametrize(("match", "said"), [
    ("Liga 3", ", of the same match 'Liga 3'"),
    ("liga\u034f 3\u2800", ", of the same match 'Liga 3'"),
    ("Lig\u0430 3", ", of a match that looks the same, 'Liga 3'"), ("Liga 4", ""),
])  # fmt: skip
def test_two_begun_games_of_one_match_whatever_it_is_spelt_with(keys: Desk, match: str, said: str):
    begin(keys, "--match", "Liga 3")
    told = propose(keys, "beto.key.pub", "h0.json", "--match", match)
    assert f"entry 2{said}\n" in told


def test_a_proposal_that_is_made_again_names_the_one_without_an_answer(keys: Desk):
    said = "note: you have proposed this to them already, and they have not answered: "
    assert said not in propose(keys, "beto.key.pub", "a0.json")
    assert propose(keys, "beto.key.pub", "b0.json").count(said) == 1
    assert said not in propose(keys, "eve.key.pub", "c0.json"), "to somebody else"
    assert said not in propose(keys, "beto.key.pub", "m0.json", "--match", "final"), "of a match"
    other = ("new", "madrid", "scenario_1", "--side", "nationalist", "--key", "ana.key")
    assert said not in keys.done(*other, "--opponent", "beto.key.pub", "-o", "d0.json")
    (keys.folder / "b0.json").unlink()
    told = propose(keys, "beto.key.pub", "e0.json")
    assert told.count(said) == 1 and f"{said}a0.json\n" in told, "which lies here"
    keys.done("apply", "a0.json", "--key", "beto.key", "-o", "a1.json")
    keys.done("apply", "a1.json", "--key", "ana.key", "-o", "a2.json")
    (keys.folder / "e0.json").unlink()
    assert said not in propose(keys, "beto.key.pub", "f0.json"), "it was answered"


def proposer(desk: Desk, game: str) -> str:
    step = json.loads((desk.folder / game).read_text())["entries"][0]["payload"]["steps"][0]
    key: str = step["pub_a"]
    return key


def test_a_game_that_has_ended_is_not_told(keys: Desk):
    begin(keys)
    for record in (book(keys).parent / "seen").iterdir():
        seen = json.loads(record.read_text())
        record.write_text(json.dumps({**seen, "phase": "over"}))
    (book(keys).parent / "seen" / "x.json").write_text("{")
    (book(keys).parent / "seen" / "y.json").mkdir()
    assert "not ended" not in propose(keys, "beto.key.pub", "h0.json")
