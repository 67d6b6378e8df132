"""Messages are taken apart by a bounded reader, whatever they are made of."""

from __future__ import annotations

import email.policy
from email.message import EmailMessage

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.gamefile.errors import FileRefused
from pbem.mail import mailbox, mime

DATA = bytes(range(256)) * 3


def message(subject: str = "café, \u00a1no pasar\u00e1n!") -> EmailMessage:
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"], made["To"], made["Subject"] = "Ana <ana@example.org>", "b@example.org", subject
    made["Date"] = "Sat, 21 Nov 2026 18:30:00 +0000"
    made.set_content("the words\n")
    return made


def leaves(raw: bytes) -> list[tuple[str, str, bytes]]:
    return [
        (part.kind, part.name, part.content)
        for part in mime.read_message(raw).parts
        if not part.is_beside
    ]


def test_the_leaves_of_a_message_as_the_standard_parser_sees_them():
    made = message()
    made.add_alternative("<p>the words</p>\n", subtype="html")
    made.add_attachment(DATA, maintype="application", subtype="octet-stream", filename="a b.gz")
    inner = message("inside")
    inner.add_attachment(DATA, maintype="image", subtype="png", filename="\u00f1.png")
    made.add_attachment(inner)
    expected = [
        (part.get_content_type(), part.get_filename() or "", part.get_payload(decode=True))
        for part in email.message_from_bytes(made.as_bytes(), policy=email.policy.default).walk()
        if not part.is_multipart()
    ]
    assert leaves(made.as_bytes()) == expected and len(expected) == 5
    assert leaves(made.as_bytes().replace(b"\r\n", b"\n"))[0][2] == b"the words\n"
    found = mime.read_message(made.as_bytes())
    assert found.subject == "café, \u00a1no pasar\u00e1n!"
    assert found.date == "Sat, 21 Nov 2026 18:30:00 +0000"


@pytest.mark.parametrize("coding", ["base64", "quoted-printable", "7bit", "8bit"])
def test_codings(coding: str):
    made = message()
    made.set_content("caf\u00e9 = >\n" if coding != "7bit" else "cafe = >\n", cte=coding)
    (leaf,) = mime.read_message(made.as_bytes()).parts
    assert leaf.content.decode(leaf.charset).replace("\r\n", "\n").startswith("caf")
    assert leaf.content.rstrip().endswith(b"= >")


def test_a_message_that_lost_its_end():
    made = message()
    made.add_attachment(DATA, maintype="application", subtype="octet-stream", filename="x")
    raw = made.as_bytes()
    assert leaves(raw[: raw.rindex(b"--")])[1][2] == DATA
    assert DATA.startswith(leaves(raw[:-200])[1][2])


def test_what_looks_like_a_boundary_is_none():
    raw = (
        b'From: a\nContent-Type: multipart/mixed; boundary="b"\n\npreamble\n--b\n\none --b\n--bb\n'
        b"--b \t\n\ntwo\n--b--\nepilogue\n--b\n\nthree\n"
    )
    assert [content for _, _, content in leaves(raw)] == [b"\none --b\n--bb", b"\ntwo"]
    beside = [part.content for part in mime.read_message(raw).parts if part.is_beside]
    assert beside == [b"preamble", b"epilogue\n--b\n\nthree\n"]


def test_mailboxes():
    one, two = message("one").as_bytes(), message("two").as_bytes().replace(b"\r\n", b"\n")
    raw = b"From ana Sat\n" + one + b"\n\nFrom beto Sun\n" + two + b"\n"
    assert mailbox.mailbox(one) is None and mailbox.mailbox(b"From here") is None
    found = [mime.read_message(each).subject for each in mailbox.mailbox(raw).messages]
    assert found == ["one", "two"]


@pytest.mark.parametrize("raw, is_one", [
    (b"Subject: x\n\nhello", True), (b"Received: from x\r\n by y\r\nTo: z\r\n\r\n", True),
    (b"hello: there\n\nSubject: x", False), (b'{"a": 1}', False), (b"", False),
    (b"-----BEGIN PBEM ENTRIES-----\nGame: 1\nFrom: 1  To: 2\n", False),
])  # fmt: skip
def test_what_looks_like_a_message(raw: bytes, is_one: bool):
    assert mime.is_message(raw) is is_one


HEAD = b"From: a@example.org\r\nMIME-Version: 1.0\r\n"
MIXED = b'Content-Type: multipart/mixed; boundary="b"\r\n\r\n'
FILE = b"Content-Type: application/octet-stream\r\nContent-Transfer-Encoding: base64\r\n\r\n"


def nested(depth: int) -> bytes:
    levels = (
        b'Content-Type: multipart/mixed; boundary="b%d"\r\n\r\n--b%d\r\n' % (level, level)
        for level in range(depth)
    )
    return HEAD + b"".join(levels) + b"\r\nx"


@pytest.mark.parametrize("raw", [
    nested(mime.MAX_DEPTH + 2), nested(20_000),
    HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 10_000,
    HEAD + MIXED + b"--b\r\n\r\nx\r\n" * 10_000 + b"--b--",
], ids=["nested a little", "nested deep", "forwarded", "parts"])  # fmt: skip
def test_bombs(raw: bytes):
    with pytest.raises(FileRefused) as caught:
        leaves(raw)
    assert caught.value.code == "E-LIMIT"


def test_what_is_just_within_the_limits_is_read():
    assert len(leaves(nested(mime.MAX_DEPTH))) == 1
    parts = HEAD + MIXED + b"--b\r\n\r\nx\r\n" * mime.MAX_PARTS + b"--b--"
    assert len(leaves(parts)) == mime.MAX_PARTS


def test_a_mailbox_of_many_messages():
    """The newest are read, and how many are not is known."""
    raw = b"\n".join([b"From a", b"Subject: x", b"", b""]) * (mailbox.MAX_MESSAGES + 3)
    found = mailbox.mailbox(raw)
    assert len(found.messages) == mailbox.MAX_MESSAGES and found.left_out == 3


WORDS = st.sampled_from([
    b"From: a\n", b"Content-Type: multipart/mixed; boundary=", b'"b"', b"b", b"\n", b"\r\n",
    b"--b", b"--b--", b"Content-Type: message/rfc822\n", b"Content-Transfer-Encoding: base64\n",
    b"charset*0*=x''%", b";", b"=?utf-8?q?=", b"?=", b"Subject: ", b"From a\n", b"QQ", b"=", b"\0",
    b"Content-Disposition: attachment; filename*=", b"utf-8''%ff", b'"', b"\\", b"(", b"\xff",
])  # fmt: skip


@given(st.lists(st.one_of(WORDS, st.binary(max_size=4)), max_size=40))
def test_whatever_a_message_is_made_of(words: list[bytes]):
    raw = b"".join(words)
    for each in (raw, HEAD + MIXED + raw):
        try:
            assert all(type(part.content) is bytes for part in mime.read_message(each).parts)
        except FileRefused as refused:
            assert refused.code == "E-LIMIT", refused.__cause__
    mailbox.mailbox(raw)
    mailbox.messages_within(raw)
    mime.is_message(raw)
