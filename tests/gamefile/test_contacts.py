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
    assert key_fingerprint(ANA) in caught.value.message
    assert key_fingerprint(BETO) in caught.value.message
    assert "'pbem contacts forget Beto'" in caught.value.hint


def test_a_name_written_otherwise_is_the_same_name():
    book = Contacts().met("Jos\u00e9", ANA)
    for name in ("Jose\u0301", "JOS\u00c9", "\uff2aos\u00e9"):
        assert book.named(name) == book.all[0]
    assert book.named("Jose") is None


def test_a_contact_is_forgotten_by_name():
    left = BOOK.without("BETO")
    assert left.named("Beto") is None and left.named("ana")
    assert left.met("Beto", ANA).named("beto") == Contact("Beto", ANA)
    with pytest.raises(Refused) as caught:
        BOOK.without("Bteo")
    (problem,) = caught.value.problems
    assert problem.code == "no-contact" and problem.hint == "did you mean Beto?"


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
