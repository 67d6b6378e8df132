"""A name keeps the key it was first met with, and the file that says so is read strictly."""

from __future__ import annotations

import json

import pytest

from pbem.gamefile import contacts
from pbem.gamefile.contacts import MAX_BYTES, MOST, Contact, Contacts
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair, key_fingerprint
from pbem.problems import Refused
from tests.gamefile.mutations import SMALL
from tests.gamefile.players import KEYS

ANA, BETO = KEYS["A"].public, KEYS["B"].public
BOOK = Contacts().met("Beto", BETO).met("ana", ANA)


def test_a_name_is_pinned_to_its_first_key():
    assert [each.name for each in BOOK.all] == ["ana", "Beto"]
    assert BOOK.met("Beto", BETO) is BOOK and BOOK.met("BETO", BETO) is BOOK
    with pytest.raises(FileRefused) as caught:
        BOOK.met("beto", ANA)
    assert caught.value.code == "E-KEY"
    assert key_fingerprint(ANA) in str(caught.value.message)
    assert key_fingerprint(BETO) in str(caught.value.message)
    assert "'pbem contacts forget Beto'" in str(caught.value.hint)


def test_a_name_written_otherwise_is_the_same_name():
    book = Contacts().met("Jos\u00e9", ANA)
    for name in ("Jose\u0301", "JOS\u00c9", "\uff2aos\u00e9"):
        assert book.named(name) == book.all[0]
    assert book.named("Jose") is None


# Variation selectors, joiners, fillers of Hangul, Khmer vowels, tags, a blank of Braille.
UNSEEN = (
    "\ufe00\ufe0f\u034f\u3164\uffa0\u115f\u1160\u17b4\u180b\u200d\u2064\u2800\xad"
    "\U0001d159\U0001d173\U000e0100\U000e0041"
)


@pytest.mark.parametrize("letter", UNSEEN)
def test_a_letter_that_nobody_sees_makes_no_other_name(letter: str):
    for name in (f"Beto{letter}", f"{letter}beto", f"be{letter}to", f"be{letter * 30}to"):
        assert contacts.proper(name).casefold() == "beto"
        assert BOOK.named(name) == BOOK.all[1]
        with pytest.raises(FileRefused) as caught:
            BOOK.met(name, ANA)
        assert caught.value.code == "E-KEY"
    assert contacts.proper(letter * 3) == ""
    with pytest.raises(FileRefused):
        contacts.read(spoilt(name=f"Beto{letter}"))


@pytest.mark.parametrize("name", [
    "b\u0435to", "\u0412\u0435t\u043e", "\u0392\u0395\u03a4\u039f", "bet0", "be.to", "b\u00e9to",
    "be\u0332to", "b e t o", "beto_", "bet\u0585", "bet\u1d0f", "\u0299\u1d07\u1d1b\u1d0f",
    "\ua4d0\ua4f0\ua4d4\ua4f3", "b\uab32to", "bet\u1d11",
])  # fmt: skip
def test_a_new_name_that_looks_like_a_known_one_is_told(name: str):
    assert BOOK.named(name) is None
    (said,) = [line for line in map(str, BOOK.doubts(name)) if "looks like" in line]
    assert "Beto" in said and key_fingerprint(BETO) in said


@pytest.mark.parametrize(("name", "mixed"), [
    ("M\u0430ria", "Cyrillic and Latin"), ("\u03bfscar", "Greek and Latin"),
    ("\u0418\u03bf\u0430n", "Cyrillic, Greek and Latin"),
    ("\u30cf\u30ca \u0430", "Cyrillic and Katakana"),
])  # fmt: skip
def test_a_new_name_of_several_alphabets_is_told(name: str, mixed: str):
    (said,) = map(str, BOOK.doubts(name))
    assert f"mixes letters of several alphabets: {mixed}" in said


@pytest.mark.parametrize("name", [
    "Carla", "\u041c\u0430\u0440\u0438\u044f",
    "Jos\u00e9 Mar\u00eda 2", "\u5c71\u7530\u30cf\u30ca Yamada", "\uae40 Kim",
    "eve@home", "\u03a3\u03bf\u03c6\u03af\u03b1", "", "\ufe0f", "O\u02bcHara",
])  # fmt: skip
def test_an_honest_name_raises_no_doubt(name: str):
    assert BOOK.doubts(name) == ()


def test_the_name_of_a_contact_raises_no_doubt_and_many_names_do_it_once():
    assert BOOK.doubts("BETO") == ()
    assert len(BOOK.met("bet0", BETO).doubts("b\u0435to")) == 3  # two of them, and the alphabets


def test_a_contact_is_forgotten_by_name():
    left = BOOK.without("BETO")
    assert left.named("Beto") is None and left.named("ana")
    assert left.met("Beto", ANA).named("beto") == Contact("Beto", ANA)
    with pytest.raises(Refused) as caught:
        BOOK.without("Bteo")
    (problem,) = caught.value.problems
    assert problem.code == "no-contact" and str(problem.hint) == "did you mean Beto?"


def test_no_more_than_the_most():
    full = Contacts(tuple(Contact(f"name {number}", ANA) for number in range(MOST)))
    assert full.met("name 7", ANA) is full
    with pytest.raises(Refused) as caught:
        full.met("Beto", BETO)
    assert [problem.code for problem in caught.value.problems] == ["too-many"]
    longest = "\U0001f0cf" * contacts.LONGEST
    wide = Contacts(tuple(Contact(longest, ANA) for _ in range(MOST)))
    assert len(contacts.written(wide)) < MAX_BYTES


@pytest.mark.parametrize("given, kept", [
    ("Ana Mar\u00eda", "Ana Mar\u00eda"), ("  ana@home \n", "ana@home"), ("a\x1b[2Jb", "a [2Jb"),
    ("\u202eolleh", "olleh"), ("x" * 99, "x" * 60), ("\x00\t", ""), ("", ""),
    ("a" * 59 + " b", "a" * 59),
])  # fmt: skip
def test_a_name_out_of_a_foreign_file_is_tamed(given: str, kept: str):
    assert contacts.proper(given) == kept == contacts.proper(kept)


def test_there_and_back():
    for book in (
        Contacts(),
        BOOK,
        Contacts().met("Jos\u00e9", KeyPair.from_seed(b"x" * 32).public),
    ):
        assert contacts.read(contacts.written(book)) == book


def spoilt(**changes) -> bytes:
    item = {"name": "Beto", "key": BETO.hex()} | changes
    return json.dumps({"format": contacts.FORMAT, "contacts": [item]}).encode()


@pytest.mark.parametrize("raw", [
    b"", b"[]", b"{}", b"null", b"\xff", b"[" * 100_000, b'{"format": 1, "contacts": []}',
    b'{"format": "pbem-contacts/1"}', b'{"format": "pbem-contacts/2", "contacts": []}',
    b'{"format": "pbem-contacts/1", "contacts": {}}',
    b'{"format": "pbem-contacts/1", "contacts": [1]}',
    b'{"format": "pbem-contacts/1", "contacts": [], "more": 1}',
    spoilt(name=""), spoilt(name="a\u202eb"), spoilt(name=" a"), spoilt(name=1),
    spoilt(name="x" * 61),
    spoilt(key="00"), spoilt(key=BETO.hex().upper()), spoilt(key=1), spoilt(key=SMALL[2]),
    spoilt(more=1),
    json.dumps({"format": contacts.FORMAT, "contacts": [
        {"name": name, "key": BETO.hex()} for name in ("Beto", "BETO")]}).encode(),
    json.dumps({"format": contacts.FORMAT, "contacts": [
        {"name": f"n{at}", "key": BETO.hex()} for at in range(MOST + 1)]}).encode(),
])  # fmt: skip
def test_a_damaged_list_is_refused(raw: bytes):
    with pytest.raises(FileRefused):
        contacts.read(raw)
