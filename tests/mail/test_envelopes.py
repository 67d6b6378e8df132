"""A mail in any envelope is read: each part × each damage × each way it is stored, beside Python's
own modules. Where those read something that ours does not, ours is wrong.
"""

from __future__ import annotations

import email
import email.policy
import gzip
import io
import itertools
import mailbox
import random
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import Entry, sign_entry, with_sum
from pbem.gamefile.errors import FileRefused
from pbem.mail import armour, outlook
from pbem.mail.inbox import all_in, take_in
from pbem.mail.search import GivenFile
from pbem.mail.work import Work
from tests.fuzz.readers import BLOCK, ENTRIES, SHORT, folded
from tests.gamefile.players import KEYS
from tests.gamefile.resigned import signed_falsely
from tests.mail import envelopes
from tests.mail.envelopes import DAMAGES, PARTS, TRANSPORTS, alone, box, in_base64, message

SPOILT = ("CRLF", "CR alone", "more empty lines")
"""What cannot be undone in a packed file that is not coded."""


TEXTS = (
    "text of a mailbox message", "two bytes a letter", "mailbox of two bytes a letter",
    "its source as a page", "its source as a page of lines",
)  # fmt: skip
"""How a mail is stored as a text: so it has no bytes but letters."""


def found(raw: bytes) -> tuple[object, ...]:
    """The entries of the game that we find."""
    return take_in([GivenFile("x", raw)], folded).game.fold.entries


def is_lost(part: str, damage: str, transport: str) -> bool:
    return part == "binary" and (damage in SPOILT or transport in TEXTS)


def every(fuzz: int) -> Iterator[tuple[str, str, str]]:
    """All there are where there is time for it; else each two of the three together once."""
    parts, damages, transports = (list(each) for each in (PARTS, DAMAGES, TRANSPORTS))
    if fuzz > 1:
        yield from itertools.product(parts, damages, transports)
        return
    for at, (damage, transport) in enumerate(itertools.product(damages, transports)):
        yield parts[(at * 7 + at // len(transports)) % len(parts)], damage, transport
    for at, (part, transport) in enumerate(itertools.product(parts, transports)):
        if at % 3 == 0:
            yield part, damages[at // 3 % len(damages)], transport


@pytest.mark.parametrize("shape", [message, alone])
def test_a_mail_in_any_envelope_is_read(shape, fuzz: int) -> None:
    lost = []
    for part, damage, transport in every(fuzz):
        raw = TRANSPORTS[transport](DAMAGES[damage](shape(PARTS[part](SHORT))))
        if is_lost(part, damage, transport):
            continue
        try:
            if found(raw) != ENTRIES[:3]:
                lost.append((part, damage, transport))
        except FileRefused as refused:
            lost.append((part, damage, transport, str(refused.message)))
    assert lost == []


def seen_by_python(raw: bytes) -> bool:
    """Whether the standard modules see the very game in a message, or in a mailbox of them."""
    if raw.startswith(b"From "):
        path = Path("/dev/shm") if Path("/dev/shm").is_dir() else Path()
        messages = list(mailbox_in(raw, path))
    else:
        messages = [
            email.message_from_bytes(raw),
            email.message_from_bytes(raw, policy=email.policy.default),
        ]
    return any(is_game(leaf) for each in messages for part in each.walk() for leaf in leaf_of(part))


def mailbox_in(raw: bytes, folder: Path) -> Iterator[email.message.Message]:
    class Held(mailbox.mbox):
        """The messages of an mbox in memory: the splitting is all the library's."""

        def __init__(self) -> None:
            mailbox.Mailbox.__init__(self, "held", mailbox.mboxMessage, create=True)
            self._file, self._toc, self._next_key = io.BytesIO(raw), None, 0
            self._file_length, self._pending, self._pending_sync = len(raw), False, False
            self._locked, self._message_factory = False, mailbox.mboxMessage

    yield from Held()


def leaf_of(part: email.message.Message) -> Iterator[bytes]:
    content = part.get_payload(decode=True)
    if isinstance(content, bytes):
        yield content


def is_game(content: bytes) -> bool:
    """Whether this is the game and nothing else, packed or not."""
    if content.startswith(b"\x1f\x8b"):
        try:
            content = gzip.decompress(content)
        except (OSError, EOFError, zlib.error):
            return False
    return content.replace(b"\r\n", b"\n").strip() == SHORT.strip()


def test_what_python_reads_is_read(fuzz: int) -> None:
    """Over random damage to mails of every kind, cut, doubled and joined."""
    rng = random.Random(fuzz)
    seen = 0
    for at in range(700 * fuzz):
        part, damage = rng.choice(list(PARTS)), rng.choice(list(DAMAGES))
        raw = DAMAGES[damage](rng.choice([message, alone])(PARTS[part](SHORT)))
        if rng.random() < 0.3:
            raw = box(envelopes.OTHER, raw, envelopes.OTHER)
        for _ in range(rng.choice([0, 1, 1, 2, 3])):
            raw = changed(rng, raw)
        if not seen_by_python(raw):
            continue
        seen += 1
        try:
            entries = found(raw)
        except FileRefused as refused:
            raise AssertionError((at, part, damage, str(refused.message), raw)) from refused
        assert entries == ENTRIES[:3], (at, part, damage)
    assert seen > 60 * fuzz


WORDS = (
    b"\n", b"\r", b" ", b"\n\n", b"--=_b\n", b"--=_b--\n", b"From x\n", b"Here:\n", b": ", b"\xff",
    b"Content-Type: text/plain\n", b"Content-Transfer-Encoding: base64\n", b"MIME-Version: 1.0\n",
    b"Subject: x\n", b"(", b'"', b";", b"=", b"\0",
)  # fmt: skip


def changed(rng: random.Random, raw: bytes) -> bytes:
    """A little damage, mostly near what is not the game."""
    at = rng.choice([rng.randrange(min(700, len(raw))), rng.randrange(len(raw))])
    what = rng.randrange(5)
    if what < 3:
        return raw[:at] + rng.choice(WORDS) + raw[at:]
    if what == 3:
        return raw[:at] + raw[at + rng.randrange(1, 9) :]
    line = raw.find(b"\n", at) + 1
    return raw[:line] + raw[raw.find(b"\n", line) + 1 :]


# --- the silently old game ------------------------------------------------------------------------


def game(count: int) -> bytes:
    return format.write(ENTRIES[:count])


LINES = (b"From b@x.org Sat Nov 28 10:00:00 2026\n", b"From \n")


@pytest.mark.parametrize("order", [(2, 5, 7), (7, 5, 2), (5, 7, 2), (2, 7, 5), (7, 7, 2, 5, 5)])
def test_the_longest_of_a_game_is_meant_in_whatever_order(order: tuple[int, ...]) -> None:
    mails = [message(in_base64(game(count))) for count in order]
    plain = [alone(PARTS["no label"](game(count))) for count in order]
    packed = [message(PARTS["base64, packed"](game(count))) for count in order]
    files = [
        *(box(*each, line=line, between=between) for each in (mails, plain, packed)
          for line in LINES for between in (b"", b"\n", b"\n\n")),
        *(b"".join(each) for each in (mails, plain, packed)),
        b"\n".join(game(count) for count in order),
        b"".join(gzip.compress(game(count)) for count in order),
        envelopes.zipped(box(*mails), "in.mbox"),
        message(in_base64(box(*packed))),
    ]  # fmt: skip
    for raw in files:
        taken = take_in([GivenFile("x", raw)], folded)
        assert taken.game.fold.entries == ENTRIES[:7], raw[:200]
        older = len([count for count in order if count != 7])
        told = f"{older} older files of this game were found too, which go to entry 4 at most"
        assert told in map(str, taken.report), raw[:200]


def test_blocks_are_found_in_any_order_too() -> None:
    blocks = [armour.encode(ENTRIES[at : at + 2]).encode() for at in (4, 0, 2)]
    text = b"Here:\n" + b"\nand:\n".join(blocks)
    quoted = envelopes.HEAD + b"\nYes.\n\n> " + text.replace(b"\n", b"\n> ")
    for raw in (text, quoted, box(*(envelopes.HEAD + b"\n" + block for block in blocks))):
        assert found(raw) == ENTRIES[:6]


def test_one_unreadable_thing_does_not_hide_another() -> None:
    """Of a file that a stranger has continued, what its owners have signed is left."""
    forged = [*ENTRIES[:5], with_sum(ENTRIES[5].payload, ENTRIES[4].sig)]
    bad = format.write(forged)
    for raw in (box(*(message(in_base64(each)) for each in (game(5), bad))),
                box(*(message(in_base64(each)) for each in (bad, game(5))))):  # fmt: skip
        taken = take_in([GivenFile("x", raw)], folded)
        assert taken.game.fold.entries == ENTRIES[:5]
        assert any("not used: " in str(line) for line in taken.report)


def forged_blocks() -> dict[str, bytes]:
    made: dict[str, list[Entry]] = {
        "with a false signature": [signed_falsely(ENTRIES[4], 1)],
        "false in its middle": [signed_falsely(ENTRIES[4], 1), ENTRIES[5]],
        "against the rules": [sign_entry(KEYS["A"], {**ENTRIES[4].payload, "post": "0" * 16})],
        "with a gap before it": [*ENTRIES[9:10]],
    }
    return {what: armour.encode(entries).encode() for what, entries in made.items()}


@pytest.mark.parametrize("what", forged_blocks())
def test_one_forged_block_does_not_hide_another(what: str) -> None:
    """Nor a game: it is told, and refused only where there is nothing else."""
    bad, good = forged_blocks()[what], armour.encode(ENTRIES[4:6]).encode()
    texts = [envelopes.HEAD + b"\n" + each for each in (bad, good)]
    whole = message(in_base64(game(4)))
    for raws in ([whole, *texts], [*reversed(texts), whole], [whole, texts[0]]):
        taken = take_in([GivenFile("x", box(*raws))], folded)
        assert taken.game.fold.entries == ENTRIES[: 6 if texts[1] in raws else 4]
        found = all_in([GivenFile("x", box(*raws))])
        (chain,) = found.chains
        again = found.taken(chain, folded, ("held", folded(game(4))))
        assert again.game.fold.entries == taken.game.fold.entries
    assert any("not used: " in str(line) for line in taken.report)
    with pytest.raises(FileRefused) as caught:
        take_in([GivenFile("x", texts[0])], folded, ("held", folded(game(4))))
    assert caught.value.problems[0].span is not None, "it is said where"


def test_a_false_signature_of_an_entry_that_is_known_hides_nothing_behind_it() -> None:
    block = armour.encode([signed_falsely(ENTRIES[3], 1), ENTRIES[4]]).encode()
    taken = take_in([GivenFile("x", block)], folded, ("held", folded(game(4))))
    assert taken.game.fold.entries == ENTRIES[:5]


def test_everything_in_a_folder_of_mails_game_by_game() -> None:
    """What a Maildir or an MH folder is read with: one file a message, in no order."""
    other = format.write(envelopes_of_another())
    raws = [game(3), message(in_base64(other)), b"\xff\xfe nothing", alone(in_base64(game(6))),
            envelopes.HEAD + b"\n" + armour.encode(ENTRIES[6:8]).encode()]  # fmt: skip
    found = all_in([GivenFile(str(at), raw) for at, raw in enumerate(raws)])
    mine, theirs = sorted(found.chains, key=lambda chain: chain.first != ENTRIES[0].id)
    assert (mine.first, mine.last, theirs.last) == (ENTRIES[0].id, 7, 2)
    assert [len(find.entries) for find in mine.games] == [6, 3] and len(mine.blocks) == 1
    taken = found.taken(mine, folded, ("held", folded(game(2))))
    assert taken.game.fold.entries == ENTRIES[:8] and taken.before == 2
    assert found.taken(theirs, folded).before is None


def envelopes_of_another() -> tuple[object, ...]:
    from pbem.value import replace
    from tests.gamefile.players import TERMS, started

    return started(replace(TERMS, match="another")).entries[:3]


# --- a visible block ------------------------------------------------------------------------------

PANE = b"From: Beto\nSent: Saturday\nTo: Ana\nSubject: your move\n"
ABOVE = {
    "a word": b"Here:\n", "two words": b"Hi:\nHere:\n", "a pane": PANE, "nothing": b"",
    "a pane and a line": PANE + b"\n", "a date": b"Date: today\n", "a name": b"Ana:\n",
    "a dash": b"----- Original Message -----\n" + PANE, "a subject": b"Subject: see below\n",
    "forwarded": b"From me to you\n" + PANE, "a From line": b"From the front\n",
    "a From line and a header": b"From the front\nSubject: x\n",
    "words of MIME": b"Content-Type: it is\n", "MIME of a mail": b"From: b\nMIME-Version: 1.0\n",
}  # fmt: skip


@pytest.mark.parametrize("above", ABOVE)
@pytest.mark.parametrize("in_mail", ["text", "mail", "base64", "mailbox", "quoted"])
def test_a_visible_block_is_never_denied(above: str, in_mail: str) -> None:
    text = ABOVE[above] + armour.encode(ENTRIES[:3]).encode()
    raw = {
        "text": text,
        "mail": envelopes.HEAD + b"\n" + text,
        "base64": alone(PARTS["base64"](text).replace(b"octet-stream", b"plain")),
        "mailbox": box(envelopes.OTHER, envelopes.HEAD + b"\n" + text),
        "quoted": envelopes.HEAD + b"\n> " + text.replace(b"\n", b"\n> "),
    }[in_mail]
    assert found(raw) == ENTRIES[:3]


# --- what is named --------------------------------------------------------------------------------

DER = b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x03\xa0\x80" + bytes(50)
NAMED = {
    "S/MIME": (envelopes.coded(b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data",
                               b"base64", b"MIAGCSqGSIb3DQEHA6CAMIAC\n"), "an S/MIME message"),
    "S/MIME under another label": (in_base64(DER), "an S/MIME message"),
    "PGP/MIME": (b'Content-Type: multipart/encrypted; boundary="e"\n\n--e\nContent-Type: '
                 b"application/pgp-encrypted\n\nVersion: 1\n--e\n\n-----BEGIN PGP MESSAGE-----\n"
                 b"\nhQEMA\n-----END PGP MESSAGE-----\n--e--\n", "encrypted with PGP"),
    "PGP in a text": (b"\n-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n",
                      "encrypted with PGP"),
    "RAR": (in_base64(b"Rar!\x1a\x07\x00" + bytes(40)), "a RAR archive"),
    "7z": (in_base64(b"7z\xbc\xaf\x27\x1c" + bytes(40)), "a 7z archive"),
    "PDF": (in_base64(b"%PDF-1.4\n" + bytes(40)), "a PDF document"),
    ".msg": (in_base64(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500)), "(.msg)"),
    "yEnc": (b"\n=ybegin line=128 size=5 name=x\n...\n=yend\n", "yEnc"),
    "a program": (in_base64(b"MZ\x90\x00" + bytes(60)), "a program"),
    ".partial.emlx": (
        b"Content-Type: application/octet-stream\nX-Apple-Content-Length: 6000\n" + envelopes.NAMED
        + b"\n", "without the files attached",
    ),
    "a damaged text": (
        in_base64(envelopes.winmail_of(b"\x02\x01\x09\x10", b"....\xff\xff\0\0LZFu....\xff\0")),
        "its text is in Outlook's own format, and damaged"),
    "a piece": (b"Content-Type: message/partial; number=1; total=2\n\nFrom: x\n", "in pieces"),
    "a link": (b"Content-Type: message/external-body; access-type=URL\n\nx\n", "only a link"),
    "a locked zip": (in_base64(envelopes.zipped(b"x").replace(
        b"PK\x01\x02\x14\x03\x14\x00\x00", b"PK\x01\x02\x14\x03\x14\x00\x01")), "with a password"),
    "a damaged zip": (in_base64(envelopes.zipped(b"x")[:-30]), "the zip archive is damaged"),
    "a cut winmail.dat": (in_base64(envelopes.winmail(b"x" * 99)[:-90]), "Outlook's own format"),
}  # fmt: skip


@pytest.mark.parametrize("what", NAMED)
@pytest.mark.parametrize("shape", [message, alone])
def test_what_cannot_be_read_is_named_unless_a_game_is_beside_it(what: str, shape) -> None:
    part, said = NAMED[what]
    with pytest.raises(FileRefused) as caught:
        take_in([GivenFile("x", shape(part))], folded)
    assert said in str(caught.value.message), str(caught.value.message)
    beside = message(part + b"\n--=_b\n" + in_base64(SHORT))
    taken = take_in([GivenFile("x", beside)], folded)
    assert taken.game.fold.entries == ENTRIES[:3]
    is_damaged = "damaged" in what or "cut" in what
    assert any(said in str(line) for line in taken.report) is is_damaged


def test_a_game_before_and_behind_many_parts() -> None:
    """The search goes as far as it may, then says how far."""
    many = b"--=_b\n\nx\n" * 3000
    for raw in (
        message(in_base64(SHORT) + b"\n" + many),
        message(b"\n" + many[:900] + in_base64(SHORT)),
    ):
        assert found(raw) == ENTRIES[:3]
    taken = take_in([GivenFile("x", message(in_base64(SHORT) + b"\n" + many))], folded)
    assert "not used: x: the message has more parts than are searched (2000)" in map(
        str, taken.report
    )


def test_a_block_in_every_layer() -> None:
    """A block that only its coding hides is found as well as a file."""
    text = BLOCK.encode()
    known = ("g", folded(game(4)))
    for part in (in_base64(text), in_base64(gzip.compress(text)), in_base64(envelopes.zipped(text)),
                 in_base64(envelopes.winmail(text)), envelopes.uuencoded(text)):  # fmt: skip
        for raw in (alone(part), message(part)):
            taken = take_in([GivenFile("x", raw)], folded, None, lambda *names: known)
            assert taken.game.fold.entries == ENTRIES[:5] and taken.before == 4


def test_packed_rtf_as_its_specification_shows_it() -> None:
    """Its second example names itself: what is copied while it is written."""
    one = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c0900206277"
        "05b06c647d0a800fa0"
    )
    two = bytes.fromhex("1a0000001c0000004c5a4675e2d44b51410004205758595a0d6e7d010eb0")
    assert outlook.text_of_rtf(one, Work()) == b"hello world"
    assert outlook.text_of_rtf(two, Work()) == b"WXYZWXYZWXYZWXYZWXYZ"
    for at in range(len(one)):
        with suppress(FileRefused):
            outlook.text_of_rtf(one[:at] + b"LZFu", Work())
