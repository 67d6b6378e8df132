"""A mailbox into which a hostile sender has put hundreds of games: the newest true one is found."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from email.message import EmailMessage
from functools import cache
from hashlib import sha256
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import Entry, sign_entry, with_sum
from pbem.gamefile.keys import KeyPair
from pbem.mail import search
from pbem.mail.mailbox import MAX_MESSAGES
from pbem.mail.search import GivenFile
from tests.cli.desk import Desk
from tests.conftest import FUZZ
from tests.gamefile.resigned import signed_again, signed_falsely

HUNDREDS = 2 * search.MAX_GAMES + 10
BETO = KeyPair.from_seed(sha256(b"cli beto").digest())
BAD = KeyPair.from_seed(b"\x99" * 32)
WORDS = ["x" * 400] * 60


@pytest.fixture
def ana(desk: Desk) -> Desk:
    """Ana's folder as it was when she had sent her orders, without any record."""
    for name in ("g0.json", "g1.json", "g2.json", "g4.json", "solo.json", "beto.key", "eve.key"):
        (desk.folder / name).unlink()
    desk.done("init", "--key", "ana.key")
    (desk.folder / "mails").mkdir()
    return desk


def made(
    by: KeyPair, before: tuple[Entry, ...], count: int, word: str, more: Sequence[str] = WORDS
) -> bytes:
    """A file that goes on for some entries, signed by a key of nobody."""
    entries = list(before)
    for _ in range(count):
        seq = len(entries)
        entries.append(sign_entry(by, {
            "v": 1, "game": entries[1].id if seq > 1 else "0" * 64, "seq": seq,
            "prev": entries[-1].id if entries else "0" * 64, "by": "AB"[seq % 2],
            "steps": [{"do": "say", "text": [word, *more]}], "post": "0" * 16, "tool": "x",
        }))  # fmt: skip
    return format.write(tuple(entries))


def out_of_line(true: Sequence[Entry], number: int) -> bytes:
    """A game of which a stranger has replaced an entry. The next one, which was signed honestly,
    names the honest one by its whole id.
    """
    document = json.loads(made(BAD, true[:2], 1, str(number), ()))
    last = format.stored(true[3])
    document["entries"].append({**last, "payload": true[3].payload})
    return format.laid_out(document)


@cache
def junk(played: Path, kind: str) -> list[bytes]:
    true = format.read((played / "g4.json").read_bytes())
    if kind == "strangers":
        return [made(BAD, (), 9, str(at)) for at in range(HUNDREDS)]
    if kind == "false signatures":
        return [format.write([*true[:2], signed_falsely(true[2], at), *true[3 : 4 + at % 2]])
                for at in range(HUNDREDS)]  # fmt: skip
    if kind == "signed again":
        return [format.write([true[0], signed_again(BETO, true[1], at), *true[2 : 3 + at % 2]])
                for at in range(HUNDREDS)]  # fmt: skip
    if kind == "out of line":
        return [out_of_line(true, at) for at in range(HUNDREDS)]
    if kind == "another end":
        return [made(BAD, true[:4], 3, str(at)) for at in range(HUNDREDS)]
    return [made(BAD, true[: 4 + at % 2], 1 + at % 3, str(at)) for at in range(HUNDREDS)]


def mailed(name: str, content: bytes) -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Date"], mail["Subject"] = "x@example.org", "today", "a game"
    mail.set_content("Here.\n")
    mail.add_attachment(gzip.compress(content), maintype="application", subtype="octet-stream",
                        filename=name)  # fmt: skip
    return b"From x@example.org\n" + mail.as_bytes() + b"\n"


KINDS = ("strangers", "another end", "behind the newest", "false signatures", "signed again",
         "out of line")  # fmt: skip


PLACES = ("before", "after", "around")
MAILBOXES = [*product(KINDS, PLACES)] if FUZZ > 1 else [
    *product(KINDS, ["around"]), ("strangers", "before"), ("another end", "after"),
]  # fmt: skip
"""With what the true state is mailed, and where its mail stands. Junk that is around it is too much
on either side already, so the other places are tried with one kind each, but in a long run; and
`read`, which looks through mails as `turn` does, in those places alone.
"""


@pytest.mark.parametrize(("kind", "where"), MAILBOXES)
def test_the_newest_true_state_is_found(played: Path, ana: Desk, kind: str, where: str) -> None:
    mails = [mailed(f"j{at}.pbem.json.gz", each) for at, each in enumerate(junk(played, kind))]
    true = mailed("g4.pbem.json.gz", (played / "g4.json").read_bytes())
    at = {"before": len(mails), "after": 0, "around": len(mails) // 2}[where]
    assert len(mails) < MAX_MESSAGES
    wanted = [each.id for each in format.read((played / "g4.json").read_bytes())]
    (ana.folder / "mails" / "box").write_bytes(b"".join([*mails[:at], true, *mails[at:]]))
    for command in ("turn", "read") if FUZZ > 1 or where != "around" else ("turn",):
        result = ana.pbem(command, "mails/box")
        assert result.code == 0, result
        (written,) = [name for name in ana.files() if name.endswith(".pbem.json")]
        taken = format.read((ana.folder / written).read_bytes())
        assert [each.id for each in taken] == wanted
        told = ana.done("status", ".")
        assert told.startswith(f"{written}\n") and ", entry 4 of " in told
        (ana.folder / written).unlink()
        for orders in ana.folder.glob("*.orders.yaml"):
            orders.unlink()


SHAPELESS: tuple[list[dict[str, Any]], ...] = (
    [{}],
    [{"seq": 5, "game": "zz"}],
    [{"seq": 0}, {"seq": 2}],
)


@pytest.mark.parametrize("payloads", SHAPELESS)
def test_a_file_of_no_shape_is_named_and_the_rest_is_read(
    played: Path, ana: Desk, payloads: Sequence[dict[str, Any]]
) -> None:
    """Two hundred bytes that anybody can write, in a mail or beside the games."""
    bad = format.write([with_sum(each, "x" * 88) for each in payloads])
    mails = [mailed("g4.gz", (played / "g4.json").read_bytes()), mailed("bad.gz", bad)]
    (ana.folder / "mails" / "box").write_bytes(b"".join(mails))
    (ana.folder / "mails" / "2").write_bytes(mails[1])
    (ana.folder / "bad.json").write_bytes(bad)
    assert "bad.json" in ana.refused(3, "read", "bad.json", "-o", "x.json")
    assert "g3.json" in ana.pbem("status", ".").out
    assert ana.pbem("read", "bad.json", "--game", "g3.json", "-o", "x.json").code == 3
    (ana.folder / "x.json").unlink(missing_ok=True)
    assert "g3.json: no orders can be given now" in ana.pbem("form").err, "the one game here"
    for command in (("turn", "mails/box"), ("read", "mails/2", "mails/box")):
        result = ana.pbem(*command)
        assert result.code == 0, result
        (written,) = [name for name in ana.files() if name.endswith(".pbem.json")]
        assert len(format.read((ana.folder / written).read_bytes())) == 5
        (ana.folder / written).unlink()


def test_a_mailbox_is_searched_once(
    played: Path, ana: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    searches = []

    def counted(sheets: Sequence[GivenFile], *given: Any) -> Any:
        searches.append(sheets)
        return search.look_through(sheets, *given)

    monkeypatch.setattr("pbem.mail.inbox.look_through", counted)
    (ana.folder / "mails" / "box").write_bytes(
        mailed("g4.pbem.json.gz", (played / "g4.json").read_bytes())
    )
    for command in ("turn", "read"):
        assert ana.pbem(command, "mails/box").code == 0
        assert len(searches) == 1
        searches.clear()


@pytest.mark.parametrize("words", [(), ("--game", "g3.json")])
def test_what_was_too_much_is_told_before_what_is_wrong(
    played: Path, ana: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """The opponent's key signs a longer file that no rule allows: the true one is not denied."""
    monkeypatch.setattr("pbem.mail.inbox.VERIFYING", 100_000)
    true = (played / "g4.json").read_bytes()
    longer = made(BETO, format.read(true), 1, "no")
    for others in ([], [(played / "solo.json").read_bytes()]):
        mails = [mailed(f"{at}.gz", each) for at, each in enumerate([*others, true, longer])]
        (ana.folder / "mails" / "box").write_bytes(b"".join(mails))
        err = ana.refused(3, "read", "mails/box", *words)
        assert "there is too much to search, repair and verify" in err, err


def test_a_text_that_accepts_a_proposal_is_of_its_game(played: Path, ana: Desk) -> None:
    """A block names the game, which has a name only since it was accepted."""
    (ana.folder / "g3.json").unlink()
    for name in ("g0.json", "g1.json"):
        (ana.folder / name).write_bytes((played / name).read_bytes())
    text = ana.pbem("mail", "g1.json", "--armor", "-o", "-").out
    (ana.folder / "g1.json").unlink()
    (ana.folder / "mails" / "1").write_text(f"From: b\nDate: x\nSubject: yes\n\n{text}")
    told = ana.pbem("turn", "mails")
    assert told.code == 0 and "is not in this folder" not in told.out, told
    assert len([name for name in ana.files() if name.endswith(".pbem.json")]) == 1
