"""A written mail: what it says, the same bytes each time, and no way to put a field into it."""

from __future__ import annotations

import email.policy
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail.eml import Letter, address, one_line, written
from pbem.messages import Message, words

LETTER = Letter("Quiet War, turn 1", "It rains.\n", "quiet-01.json", b"\0\1\2" * 50)


def parsed(raw: bytes) -> EmailMessage:
    found = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_a_letter_word_for_word():
    assert written(LETTER).decode() == "\n".join([
        "Subject: Quiet War, turn 1",
        "X-Unsent: 1",
        "MIME-Version: 1.0",
        'Content-Type: multipart/mixed; boundary="=_pbem_c28619338114b7f623eee199"',
        "",
        "--=_pbem_c28619338114b7f623eee199",
        'Content-Type: text/plain; charset="utf-8"',
        "Content-Transfer-Encoding: quoted-printable",
        "",
        "It rains.",
        "",
        "--=_pbem_c28619338114b7f623eee199",
        "Content-Type: application/octet-stream",
        "Content-Transfer-Encoding: base64",
        'Content-Disposition: attachment; filename="quiet-01.json"',
        "MIME-Version: 1.0",
        "",
        "AAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAEC",
        "AAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAEC",
        "AAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAECAAEC",
        "",
        "--=_pbem_c28619338114b7f623eee199--",
        "",
    ])  # fmt: skip


def test_the_same_letter_is_the_same_bytes_and_another_is_not():
    assert written(LETTER) == written(LETTER)
    other = Letter(LETTER.subject, LETTER.body + "x", LETTER.name, LETTER.content)
    assert parsed(written(other)).get_boundary() != parsed(written(LETTER)).get_boundary()


def test_nobody_is_named_and_no_date_is_put_unless_they_are_given():
    found = parsed(written(LETTER))
    assert [name for name in ("From", "To", "Cc", "Bcc", "Date", "Message-ID") if found[name]] == []
    given_ = Letter(LETTER.subject, LETTER.body, LETTER.name, LETTER.content,
                    address("Beto Ru\u00edz <beto@example.org>"),
                    datetime(2026, 11, 21, 18, 30, tzinfo=UTC))  # fmt: skip
    found = parsed(written(given_))
    assert found["To"] == "Beto Ru\u00edz <beto@example.org>"
    assert found["Date"] == "Sat, 21 Nov 2026 18:30:00 +0000"
    assert found["From"] is None


def test_lines_end_as_those_of_a_text():
    """`s-nail -t` and `git send-email` spoil others; what sends the mail puts those of the net."""
    letter = Letter(
        "s", "a\r\nb\r\nc\n", "n.json", b"{}\r\n", date=datetime(2026, 1, 1, tzinfo=UTC)
    )
    raw = written(letter)
    assert b"\r" not in raw
    (attached,) = parsed(raw).iter_attachments()
    assert attached.get_content() == letter.content
    sent = raw.replace(b"\n", b"\r\n")
    assert [part.get_content() for part in parsed(sent).iter_attachments()] == [letter.content]


def test_only_a_draft_says_that_it_is_unsent():
    """A program that sends a mail as it stands would pass the field on to the opponent."""
    assert written(LETTER).replace(b"X-Unsent: 1\n", b"") == written(LETTER, draft=False)


def test_a_mail_answers_the_thread_and_has_no_id_of_its_own():
    found = parsed(written(Letter("s", "b\n", "n.json", b"1", thread="ab12.cd@pbem.invalid")))
    assert found["In-Reply-To"] == found["References"] == "<ab12.cd@pbem.invalid>"
    assert found["Message-ID"] is None


def test_words_of_other_languages_and_long_lines_come_back():
    body = "\u00a1No pasar\u00e1n! \u2014 Queipo\n.\nFrom here\n" + "x" * 500 + "\n"
    letter = Letter("\u00a1No Pasar\u00e1n! " * 8, body, "n.json", b"")
    raw = written(letter)
    assert raw.isascii() and max(map(len, raw.split(b"\n"))) <= 100
    found = parsed(raw)
    assert found["Subject"].strip() == letter.subject.strip()
    text = found.get_body(("plain",))
    assert text is not None and text.get_content().replace("\r\n", "\n") == body


@pytest.mark.parametrize("evil", [
    "x\r\nBcc: eve@example.org", "x\nBcc: eve@example.org", "x\rBcc: e", "x\0y", "x\u2028Bcc: e",
    "x\x0bBcc: e", "x\x85Bcc: eve@example.org", "=?utf-8?q?x=0ABcc=3A_e?=", "\r\n\r\nbody",
])  # fmt: skip
def test_nothing_becomes_a_field(evil: str):
    raw = written(Letter(evil, "the body\n", "n.json", b"1"))
    for found in (parsed(raw), email.message_from_bytes(raw)):
        assert sorted(found.keys()) == ["Content-Type", "MIME-Version", "Subject", "X-Unsent"]
    assert b"\nBcc" not in raw
    for to in (evil, f"Eve <{evil}@example.org>", f"{evil} <a@example.org>", f"a@{evil}"):
        try:
            raw = written(Letter("s", "the body\n", "n.json", b"1", address(to)))
        except ValueError:
            continue
        assert "Bcc" not in parsed(raw) and set(parsed(raw).keys()) >= {"To", "Subject"}


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_subject_and_address(subject: str, to: str):
    try:
        whom = address(to)
    except ValueError:
        whom = None
    raw = written(Letter(subject, "b\n", "n.json", b"1", whom))
    fields = raw.split(b"\n\n")[0].split(b"\n")
    names = [line.split(b":")[0] for line in fields if not line.startswith(b" ")]
    expected = [b"Subject", b"X-Unsent", b"MIME-Version", b"Content-Type"]
    assert names == ([b"To", *expected] if whom else expected)
    assert b"\r" not in raw


@pytest.mark.parametrize("text", [
    "ana@example.org", "Ana <ana@example.org>", '"Ruiz, Ana" <ana@example.org>', " a.b+c@d.e ",
    "<ana@example.org>", "Beto (home) <b@x>", "Ruiz, Ana <ana@example.org>",
    "ana@example.org (Ana)",
    '"ana@home" <ana@b.org>', r'"Ana \"la Roja\" Ruiz" <ana@b.org>', "Ana: desk; 2 <ana@b.org>",
])  # fmt: skip
def test_addresses(text: str):
    """Each comes back as it was meant from its own text, and from a mail to it."""
    found = address(text)
    assert found.addr_spec in text and address(str(found)) == found
    (read,) = parsed(written(Letter("s", "b\n", "n.json", b"1", found)))["To"].addresses
    assert (read.display_name, read.addr_spec) == (found.display_name, found.addr_spec)


@pytest.mark.parametrize("text, name, spec", [
    ("Beto (home) <b@x>", "Beto (home)", "b@x"), ("b@x (Beto)", "Beto", "b@x"),
    (r'"Ana \"la Roja\" Ruiz" <a@b>', 'Ana "la Roja" Ruiz', "a@b"),
    ("Jos\u00e9 <jose@ma\u00f1ana.es>", "Jos\u00e9", "jose@xn--maana-pta.es"),
    ("ana@EX\u00c4MPLE.org", "", "ana@xn--exmple-cua.org"),
    ("a@\u4f8b\u3048.jp", "", "a@xn--r8jz45g.jp"),
])  # fmt: skip
def test_what_an_address_says(text: str, name: str, spec: str):
    found = address(text)
    assert (found.display_name, found.addr_spec) == (name, spec)


@pytest.mark.parametrize("text, said", [
    ("a\u00f1a@example.org", "only plain letters"), ("ana@stra\u00dfe.de", "with xn--"),
    ("ana@\u03b1\u03c2.gr", "with xn--"), ("a@" + "\u00f1" * 90 + ".es", "one address is needed"),
])  # fmt: skip
def test_letters_that_would_go_astray(text: str, said: str):
    with pytest.raises(ValueError) as caught:
        address(text)
    assert said in words(caught.value.args[0])


@pytest.mark.parametrize("text", [
    "", "ana", "@", "ana@", "@example.org", "a@b, c@d", "a@b c@d", "Ana <a@b", "Ana <a@b>, <c@d>",
    "a@b@c", "a@b\nBcc: c@d", "A <a@b>\r\n", "(x)a@b", 'a"b@c',
    "x" * 260 + "@b", "A\u202e <a@b>", "a@b;c@d", "a:b@c", "[a]@b",
    "a@b (c) d", "a@b (c", "Ana <a@b> (c)", "a@b <c@d>", '"a@b <c@d>',
    "a..b@c", ".a@b",
    "ana@example.org.", "Ana <ana@example.org.>", "a@.b", "a@b..c", "a.@b", "a@.",
])  # fmt: skip
def test_what_is_no_address(text: str):
    with pytest.raises(ValueError) as caught:
        address(text)
    assert isinstance(caught.value.args[0], Message), "it is told in the reader's language"


@given(st.text(alphabet="ab.@<>-_+'!=?\" ", max_size=12))
def test_whatever_is_typed_is_an_address_or_refused(text: str):
    with suppress(ValueError):
        assert address(text).addr_spec in text


def test_a_subject_is_one_line():
    assert one_line(" a\n\tb\u202e  c ") == "a b\\u202e c"
