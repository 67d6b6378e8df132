"""What a stranger's mail may cost: one budget for all its parts, guesses and repairs."""

from __future__ import annotations

import pytest

from pbem.gamefile import armour, format, mime, salvage, work
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.work import Work
from pbem.play.finds import Sheet
from pbem.play.inbox import take_in
from tests.fuzz.readers import BLOCK, SHORT, folded
from tests.gamefile import mail_clients

HEAD = b"From: a\nDate: x\nContent-Type: multipart/mixed; boundary=b\n\n"
HOPELESS = b'"payload" > =3D <br> \xc2\xa0 ' + b'"a\n b" ' * 300


def refused(call, *given) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*given)
    return caught.value


def test_what_is_over_is_refused_by_name() -> None:
    left = Work(10)
    left.spend(10)
    assert not left.is_spent
    assert refused(left.spend, 1).code == "E-LIMIT"
    assert left.is_spent


@pytest.mark.parametrize("part", [b"\n", b"Content-Type: multipart/mixed; boundary=c\n\n"])
def test_parts_count_also_when_they_hold_nothing(part: bytes) -> None:
    """So a mail of 11 MB of them costs no more than one of a hundred."""
    many = HEAD + (b"--b\n" + part) * (mime.MAX_PARTS + 1)
    assert "more than 100 parts" in refused(mime.read_message, many).message
    few = HEAD + (b"--b\n" + part) * mime.MAX_PARTS
    assert len(mime.read_message(few).parts) in (0, mime.MAX_PARTS)


def test_a_part_costs_something_however_little_is_in_it() -> None:
    raw = HEAD + b"--b\n\n" * 20
    mime.read_message(raw, Work(len(raw) + 21 * work.A_PART))
    assert refused(mime.read_message, raw, Work(len(raw) + 21 * work.A_PART - 1)).code == "E-LIMIT"


def test_every_try_of_a_repair_is_paid_for() -> None:
    whole = Work()
    refused(salvage.salvage, HOPELESS, format.read, "utf-8", whole)
    spent = work.MOST - whole._left
    assert spent > 20 * work.JUDGING * len(HOPELESS)
    code = refused(salvage.salvage, HOPELESS, format.read, "utf-8", Work(spent - 1)).code
    assert code == "E-LIMIT"
    again = Work(spent)
    assert refused(salvage.salvage, HOPELESS, format.read, "utf-8", again).code != "E-LIMIT"


def test_a_block_is_paid_for() -> None:
    armour.decode(BLOCK, Work(armour.VIEWS * len(BLOCK)))
    assert refused(armour.decode, BLOCK, Work(armour.VIEWS * len(BLOCK) - 1)).code == "E-LIMIT"


def mail(*parts: bytes) -> bytes:
    return HEAD + b"".join(b"--b\n\n" + part + b"\n" for part in parts) + b"--b--\n"


def test_what_was_found_before_stays_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget is for all parts together: hopeless ones behind a game cannot hide it."""
    raw = mail(SHORT, *[HOPELESS] * 5)
    taken = take_in([Sheet("letter", raw)], folded)
    assert not any("too much" in line for line in taken.report)
    monkeypatch.setattr(
        "pbem.play.inbox.Work", lambda: Work(len(raw) + 8 * work.A_PART + 8 * len(SHORT) + 60_000)
    )
    taken = take_in([Sheet("letter", raw)], folded)
    assert any("too much to look through" in line for line in taken.report)
    other = [Sheet("letter", mail(HOPELESS)), Sheet("second", mail(*[HOPELESS] * 5))]
    assert refused(take_in, other, folded).code != ""


def test_a_mailbox_is_left_when_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    box = b"".join(b"From x\n" + mail(HOPELESS) + b"\n" for _ in range(500))
    monkeypatch.setattr("pbem.play.inbox.Work", lambda: Work(3_000_000))
    found = refused(take_in, [Sheet("box", box)], folded)
    assert found.problems


def test_a_damaged_game_of_the_largest_size_is_still_repaired() -> None:
    """What honest mail needs is well below the budget."""
    text = mail_clients.quoted(SHORT.decode()).encode()
    used = Work()
    salvage.salvage(text, format.read, "utf-8", used)
    assert (work.MOST - used._left) / len(text) * salvage.MAX_TEXT < work.MOST
