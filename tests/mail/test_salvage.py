"""A game file that mail has damaged comes back as it was signed, or not at all."""

from __future__ import annotations

import gzip
import random
import re

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.mail import repairs, salvage
from tests.gamefile.mini_game import mini_game
from tests.gamefile.players import KEYS
from tests.gamefile.toy import open_toy
from tests.mail import mail_clients as mail
from tests.mail.bombs import bomb

ENTRIES = mini_game().entries
RAW = format.write(ENTRIES)
TEXT = RAW.decode()
CUT = salvage.CUT


def salvaged(raw: bytes | str, charset: str = "utf-8") -> salvage.Salvaged:
    """What was saved of a text; its entries are those of its content, and verify."""
    found = salvage.salvage(raw if isinstance(raw, bytes) else raw.encode(), charset)
    assert tuple(format.read(found.content)) == found.entries
    assert replay(found.entries, open_toy).entries == found.entries
    return found


def saved(raw: bytes | str, charset: str = "utf-8") -> tuple[str, ...]:
    """What was repaired of a file that then verifies to the very game it was."""
    found = salvaged(raw, charset)
    assert found.entries == ENTRIES
    return found.repairs


def refused(raw: bytes | str) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        salvaged(raw)
    return caught.value


@pytest.mark.parametrize(
    "change",
    [
        mail.crlf,
        mail.stuffed,
        lambda text: "\ufeff" + text,
        lambda text: mail.wrapped(text, 72),
        lambda text: text.replace("\n ", "\n"),
        mail.double_spaced,
    ],
    ids=["crlf", "blanks", "byte order mark", "wrapped at 72", "no indentation", "double spacing"],
)
def test_layout_needs_no_repair(change):
    assert change(TEXT) != TEXT
    assert saved(change(TEXT)) == ()


@pytest.mark.parametrize("change, names", [
    (mail.quoted, ("quoted reply",)),
    (lambda text: mail.quoted(text, ">> "), ("quoted reply",)),
    (lambda text: mail.quoted(text, "> | "), ("quoted reply",)),
    (mail.replied_to, ("quoted reply", CUT)),
    (mail.quoted_printable, ("quoted-printable",)),
    (mail.no_break_spaces, ("no-break spaces",)),
    (mail.curly, ("curly quotes",)),
    (mail.around, (CUT,)),
    (lambda text: mail.broken(text, 60), ("broken lines",)),
    (lambda text: mail.broken(text, 37), ("broken lines",)),
    (lambda text: mail.wrapped(text, 20), ("broken lines",)),
    (mail.as_html, ("HTML", "no-break spaces", CUT)),
    # several at once
    (lambda text: mail.quoted(mail.broken(text, 60)), ("quoted reply", "broken lines")),
    (lambda text: mail.quoted_printable(mail.quoted(text)), ("quoted-printable", "quoted reply")),
    (lambda text: mail.quoted(mail.quoted_printable(text)), ("quoted reply", "quoted-printable")),
    (lambda text: mail.no_break_spaces(mail.curly(text)), ("no-break spaces", "curly quotes")),
    (lambda text: mail.as_html(mail.quoted(text)),
     ("HTML", "no-break spaces", "quoted reply", CUT)),
    (lambda text: mail.quoted_printable(mail.as_html(mail.quoted(text))),
     ("quoted-printable", "HTML", "no-break spaces", "quoted reply", CUT)),
])  # fmt: skip
def test_what_mail_programs_do_is_undone_and_told(change, names):
    assert saved(change(TEXT)) == names


def test_a_file_saved_in_another_coding():
    assert saved(mail.curly(TEXT).encode("cp1252")) == ("curly quotes",)
    assert saved(TEXT.encode("utf-16")) == ()
    assert saved(TEXT.encode("utf-16-le"), "UTF-16LE") == ()
    assert saved(mail.curly(TEXT).encode("cp1252"), "punycode") == ("curly quotes",)
    assert saved(mail.no_break_spaces(TEXT).encode("latin-1"), "latin-1") == ("no-break spaces",)


def test_a_packed_file_needs_no_repair_and_gets_none():
    assert saved(gzip.compress(RAW)) == ()
    assert refused(gzip.compress(RAW)[:-9]).code == "E-DAMAGED"
    assert refused(gzip.compress(mail.quoted(TEXT).encode())).code == "E-DAMAGED"


@pytest.mark.parametrize("change", [
    lambda text: text, mail.quoted, mail.as_html, mail.quoted_printable, mail.curly,
])  # fmt: skip
def test_a_changed_letter_is_named_by_its_entry_through_other_damage(change):
    found = refused(change(TEXT.replace("Good luck", "Good lack")))
    assert found.code == "E-DAMAGED" and found.entry == 2 and found.whose is None
    assert "this proves nothing against anybody" in str(found.message)


def test_a_file_that_was_cut():
    found = refused(TEXT[: len(TEXT) // 2])
    assert found.code == "E-DAMAGED"
    assert re.search(r"line \d+, column \d+ cannot be read: the file was cut", str(found.message))


def test_nothing_is_guessed_that_was_not_signed():
    """Words that a repair would like to change come back as they were written."""
    said = ["> quoted", "a =3D b", "&lt;br&gt; &amp;", "\u201ccurly\u201d\u00a0and {braces}"]
    payload = {**ENTRIES[2].payload}
    payload["steps"] = [
        {**step, "text": said} if step["do"] == "say" else step for step in payload["steps"]
    ]
    entries = (*ENTRIES[:2], sign_entry(KEYS["A"], payload))
    raw = format.write(entries)
    for change in (mail.quoted, mail.quoted_printable, mail.no_break_spaces, mail.around):
        found = salvaged(change(raw.decode()))
        assert found.entries == entries and found.repairs


def test_a_game_whose_digests_fit_is_left_to_its_judge():
    """Repairs find damage; what is wrong with a sound file they must not touch."""
    forged = sign_entry(KEYS["B"], {**ENTRIES[4].payload})  # A's entry, signed by B
    raw = format.write((*ENTRIES[:4], forged))
    found = salvage.salvage(mail.quoted(raw.decode()).encode())
    assert found.entries == (*ENTRIES[:4], forged)
    assert refused(mail.quoted(raw.decode())).code == "E-FORGED"


@pytest.mark.parametrize("raw, code", [
    (b"", "E-DAMAGED"), (b"hello", "E-DAMAGED"), (b"{}", "E-SCHEMA"), (b"[" * 100_000, "E-DAMAGED"),
    (b'{"payload' * 50_000, "E-DAMAGED"), (b'"payload <' * 100_000, "E-DAMAGED"),
    (b"payload &#" + b"9" * 5000, "E-DAMAGED"), (b"\xff\xfepayload", "E-DAMAGED"),
    (b"payload > = =3D < \n" * 20_000, "E-DAMAGED"),
    (RAW.replace(b"pbem-game/1", b"pbem-game/2"), "E-VERSION"),
])  # fmt: skip
def test_what_is_no_game_is_refused_in_time(raw: bytes, code: str):
    assert refused(raw).code == code


def test_no_repair_is_tried_on_what_mail_does_not_do(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(repairs, "decoded", None)
    assert refused(bomb()).code == "E-LIMIT"
    assert refused(RAW.replace(b"pbem-game/1", b"pbem-game/2")).code == "E-VERSION"


def test_random_damage_on_top_of_mail_damage_is_never_taken_for_a_game(fuzz: int):
    rng = random.Random(5)
    changes = [mail.quoted, mail.quoted_printable, mail.as_html, mail.curly, mail.around,
               lambda text: mail.broken(text, 60)]  # fmt: skip
    outcomes = {"same": 0, "refused": 0}
    for _ in range(60 * fuzz):
        text = rng.choice(changes)(TEXT)
        at = rng.randrange(len(text))
        text = (
            text[:at]
            + rng.choice(['"', "a", "0", "}", " ", "\n", "\u201d", ">", "="])
            + text[at + rng.randrange(2) :]
        )
        try:
            found = salvaged(text)
            assert found.entries == ENTRIES
            outcomes["same"] += 1
        except FileRefused:
            outcomes["refused"] += 1
    assert outcomes["same"] and outcomes["refused"]


def test_every_repair_leaves_a_file_that_needs_none_a_game():
    """A repair alone may spoil words, never invent a game."""
    for repair in repairs.REPAIRS.values():
        try:
            assert salvaged(repair(TEXT)).entries == ENTRIES
        except FileRefused as error:
            assert error.code == "E-DAMAGED"
