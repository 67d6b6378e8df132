"""What a stranger's mail may cost: one budget for all its parts, guesses and repairs."""

from __future__ import annotations

import gzip
import tracemalloc
import zlib
from collections.abc import Sequence
from typing import Any

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair
from pbem.mail import armour, mime, salvage, search, work
from pbem.mail.inbox import take_in
from pbem.mail.search import GivenFile, look_through
from pbem.mail.work import Work
from pbem.value import replace
from tests.fuzz.readers import BLOCK, ENTRIES, RAW, SHORT, folded
from tests.gamefile.players import TERMS, started
from tests.gamefile.resigned import signed_falsely
from tests.mail import mail_clients

HEAD = b"From: a\nDate: x\nContent-Type: multipart/mixed; boundary=b\n\n"
HOPELESS = b'"payload" > =3D <br> \xc2\xa0 ' + b'"a\n b" ' * 300


def refused(call, *given) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*given)
    return caught.value


def leaves(raw: bytes, left: Work | None = None) -> list[mime.Part]:
    return list(mime.read_message(raw, left).parts)


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
    assert "more parts than are searched" in str(refused(leaves, many).message)
    few = HEAD + (b"--b\n" + part) * mime.MAX_PARTS
    assert len(leaves(few)) in (0, mime.MAX_PARTS)


def test_a_part_costs_something_however_little_is_in_it() -> None:
    raw = HEAD + b"--b\n\n" * 20
    leaves(raw, Work(len(raw) + 21 * work.A_PART))
    assert refused(leaves, raw, Work(len(raw) + 21 * work.A_PART - 1)).code == "E-LIMIT"


def test_every_try_of_a_repair_is_paid_for() -> None:
    whole = Work()
    refused(salvage.salvage, HOPELESS, "utf-8", whole)
    spent = work.MOST - whole._left
    assert spent > 20 * work.JUDGING * len(HOPELESS)
    code = refused(salvage.salvage, HOPELESS, "utf-8", Work(spent - 1)).code
    assert code == "E-LIMIT"
    again = Work(spent)
    assert refused(salvage.salvage, HOPELESS, "utf-8", again).code != "E-LIMIT"


def test_a_packed_file_is_paid_for_by_what_it_unpacks_to() -> None:
    packed, whole = gzip.compress(RAW + b" " * 100_000), Work()
    salvage.salvage(packed, "utf-8", whole)
    assert work.MOST - whole._left == work.JUDGING * (len(RAW) + 100_000)
    bomb = gzip.compress(bytes(format.MAX_BYTES + 1))
    assert salvage.weight(bomb) == format.MAX_BYTES + 1
    tracemalloc.start()
    assert salvage.weight(bomb, 5) == 6
    assert tracemalloc.get_traced_memory()[1] < 1 << 19, "no more is unpacked than is paid for"
    tracemalloc.stop()


def test_a_block_is_paid_for() -> None:
    armour.decode(BLOCK, whole := Work())
    spent = work.MOST - whole.left
    assert spent > armour.VIEWS * len(BLOCK)
    armour.decode(BLOCK, Work(spent))
    for least in (spent, armour.VIEWS * len(BLOCK)):
        assert refused(armour.decode, BLOCK, Work(least - 1)).code == "E-LIMIT"


def test_a_block_is_paid_for_by_what_it_unpacks_to() -> None:
    """Six kilobytes that unpack to four megabytes of lists took a second, and were told as few."""
    plain = b'{"entries":[%b[]],"format":"pbem-game/1"}' % (b"[]," * 40_000)
    block = armour.framed(zlib.compress(plain), ENTRIES[4:5])
    whole = Work()
    assert "more than 20000" in str(refused(armour.decode, block, whole).message)
    least = armour.VIEWS * len(block) + work.JUDGING * len(plain)
    assert work.MOST - whole.left >= least
    assert refused(armour.decode, block, Work(least - 1)).code == "E-LIMIT"
    mails = b"".join(b"From x\n" + mail(block.encode()) + b"\n" for _ in range(8))
    look_through([GivenFile("box", mails)], frozenset({"0" * 64}), few := Work(least))
    assert not few.left, "eight of them cost more than one"


def mail(*parts: bytes) -> bytes:
    return HEAD + b"".join(b"--b\n\n" + part + b"\n" for part in parts) + b"--b--\n"


def test_what_was_found_before_stays_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget is for all parts together: hopeless ones behind a game cannot hide it."""
    raw = mail(SHORT, *[HOPELESS] * 5)
    taken = take_in([GivenFile("letter", raw)], folded)
    assert not any("too much to search" in str(line) for line in taken.report)
    monkeypatch.setattr(
        "pbem.mail.inbox.Work", lambda: Work(len(raw) + 8 * work.A_PART + 8 * len(SHORT) + 60_000)
    )
    taken = take_in([GivenFile("letter", raw)], folded)
    assert any("too much to search" in str(line) for line in taken.report)
    other = [GivenFile("letter", mail(HOPELESS)), GivenFile("second", mail(*[HOPELESS] * 5))]
    assert refused(take_in, other, folded).code != ""


def test_a_mailbox_is_left_when_the_budget_is_spent(monkeypatch: pytest.MonkeyPatch) -> None:
    box = b"".join(b"From x\n" + mail(HOPELESS) + b"\n" for _ in range(500))
    monkeypatch.setattr("pbem.mail.inbox.Work", lambda: Work(3_000_000))
    found = refused(take_in, [GivenFile("box", box)], folded)
    assert found.problems


def test_the_games_of_older_messages_are_paid_for_and_what_was_found_stays() -> None:
    part = b"--b\nContent-Type: application/json\n\n%b\n--b--\n\n"
    older = b"".join(b"From x\n" + HEAD + part % each for each in games(3))
    box = GivenFile("box", older + b"From x\n" + mail(SHORT) + b"\n")
    wanted, left = frozenset({ENTRIES[0].id}), Work()
    finds, misses = look_through([box], wanted, left)
    spent = work.MOST - left._left
    assert finds[0].entries[0].id == ENTRIES[0].id and len(finds) == 4 and not misses
    assert spent > sum(work.JUDGING * len(each) for each in games(3)) + len(box.raw)
    assert len(look_through([box], wanted, Work(spent - 1))[0]) == 3
    finds, (miss, *_) = look_through([box], wanted, Work(spent // 2))
    assert finds[0].entries[0].id == ENTRIES[0].id and len(finds) < 3
    assert miss.refused.code == "E-LIMIT" and "left unread" in str(miss.refused.message)


PACKED = HEAD + b"--b\nContent-Type: application/gzip\n\n%b\n--b--\n" % gzip.compress(
    format.HEAD + b" " * 2_000_000
)
STRANGERS = {"a long text": [mail(HOPELESS * 4)], "packed": [PACKED], "many packed": [PACKED] * 20}


@pytest.mark.parametrize("what", STRANGERS)
@pytest.mark.parametrize("sent", ["sound", "damaged"])
def test_what_a_stranger_sends_later_does_not_hide_the_honest_mail(what: str, sent: str) -> None:
    """One newer mail had the whole budget to itself; now each has a share by its size first."""
    text = SHORT if sent == "sound" else mail_clients.quoted(SHORT.decode()).encode()
    honest = b"From x\n" + mail(text) + b"\n"
    newer = b"".join(b"From x\n" + each + b"\n" for each in STRANGERS[what])
    alone = Work()
    look_through([GivenFile("box", honest)], frozenset(), alone)
    most = work.MOST - alone.left + search.SHARES[0] * len(newer) + 1
    finds, misses = look_through([GivenFile("box", honest + newer)], frozenset(), Work(most))
    assert [find.entries[0].id for find in finds] == [ENTRIES[0].id]
    assert all("too much to search" in str(miss.refused.message) for miss in misses)


def test_a_mail_that_needs_more_than_its_share_has_it_after_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Every mail with the game is found, whichever was read to its end first."""
    damaged = mail_clients.quoted(SHORT.decode()).encode()
    older = format.write(ENTRIES[:2])
    box = b"".join(b"From x\n" + mail(each) + b"\n" for each in (older, damaged))
    finds, misses = look_through([GivenFile("box", box)], frozenset(), Work())
    assert [len(find.entries) for find in finds] == [3, 2] and not misses
    monkeypatch.setattr(search, "SHARES", (8, 0))
    again, misses = look_through([GivenFile("box", box)], frozenset(), Work())
    assert [len(find.entries) for find in again] == [3, 2] and not misses
    look_through([GivenFile("letter", mail(damaged))], frozenset(), alone := Work())
    assert work.MOST - alone.left > 8 * len(mail(damaged)), "a share of 8 is too small for it"


def test_a_damaged_game_of_the_largest_size_is_still_repaired() -> None:
    """What honest mail needs is well below the budget."""
    text = mail_clients.quoted(SHORT.decode()).encode()
    used = Work()
    salvage.salvage(text, "utf-8", used)
    assert (work.MOST - used._left) / len(text) * salvage.MAX_TEXT < work.MOST


# --- games that are verified ----------------------------------------------------------------------


def games(count: int, blanks: int = 0) -> list[bytes]:
    """Files of several different games, each honestly proposed and accepted."""
    return [
        format.write(started(replace(TERMS, match=f"m{number}")).entries) + b" " * blanks
        for number in range(count)
    ]


class Counted:
    """A verifier that notes how many bytes it is given."""

    def __init__(self) -> None:
        self.lengths: list[int] = []

    def __call__(self, raw: bytes, entries: Sequence[Entry] | None) -> Any:
        self.lengths.append(len(raw))
        return folded(raw, entries)


def test_what_is_verified_beside_the_first_game_is_paid_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    raw = mail(*games(8))
    counted = Counted()
    assert "several different games" in str(
        refused(take_in, [GivenFile("m", raw)], counted).message
    )
    assert len(counted.lengths) == 8, "small ones are all looked at"
    spent = measured(monkeypatch, raw)
    assert spent > work.VERIFYING * sum(counted.lengths[1:])
    monkeypatch.setattr("pbem.mail.inbox.Work", lambda: Work(spent - 1))
    counted = Counted()
    assert refused(take_in, [GivenFile("m", raw)], counted).code == "E-TRANSPORT"
    assert len(counted.lengths) == 7, "the last was no longer to be had"


def measured(monkeypatch: pytest.MonkeyPatch, raw: bytes) -> int:
    """What a whole `read` of a sheet spends on judging, which is more than searching it took."""
    made: list[Work] = []

    def one() -> Work:
        made.append(Work())
        return made[-1]

    monkeypatch.setattr("pbem.mail.inbox.Work", one)
    refused(take_in, [GivenFile("m", raw)], folded)
    searched, judged = (work.MOST - each._left for each in made)
    assert searched < judged
    return judged


def test_eight_large_games_in_one_mail_are_not_all_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What a stranger with a key can do: games of the most bytes, each another one."""
    sheets = [GivenFile(f"g{number}", raw) for number, raw in enumerate(games(8))]
    most = len(sheets[0].raw) * 4
    monkeypatch.setattr("pbem.mail.inbox.VERIFYING", work.MOST // most)
    counted = Counted()
    assert "several different games" in str(refused(take_in, sheets, counted).message)
    assert sum(counted.lengths[1:]) <= most
    assert len(counted.lengths) < 5


def test_one_game_of_any_size_is_verified(monkeypatch: pytest.MonkeyPatch) -> None:
    (raw,) = games(1)
    monkeypatch.setattr(work, "VERIFYING", work.MOST)
    monkeypatch.setattr("pbem.mail.inbox.VERIFYING", work.MOST)
    assert take_in([GivenFile("g", raw)], folded).game.fold.entries


def test_the_beginnings_of_a_game_are_not_verified_again() -> None:
    counted = Counted()
    sheets = [GivenFile(str(length), format.write(ENTRIES[:length])) for length in range(1, 9)]
    assert len(take_in(sheets, counted).game.fold.entries) == 8
    assert len(counted.lengths) == 1


@pytest.mark.parametrize("late", [0, 1])
def test_a_bad_signature_does_not_hide_the_game_that_has_a_good_one(late: int) -> None:
    """Of two files with the same ids, each signature that holds counts, wherever it was found."""
    early = [signed_falsely(ENTRIES[0], 1), *ENTRIES[1:]]
    middle = [ENTRIES[0], signed_falsely(ENTRIES[1], 2), *ENTRIES[2 : 4 + late * len(ENTRIES)]]
    for files in ((early, middle), (middle, early), (early, ENTRIES), (ENTRIES[:3], early)):
        taken = take_in(
            [GivenFile(f"m{at}", format.write(each)) for at, each in enumerate(files)], folded
        )
        assert taken.game.fold.entries == ENTRIES
    hopeless = [early, [signed_falsely(ENTRIES[0], 3), *ENTRIES[1:]]]
    sheets = [GivenFile(f"m{at}", format.write(each)) for at, each in enumerate(hopeless)]
    assert refused(take_in, sheets, folded).code == "E-FORGED"


def test_each_signature_that_is_judged_is_paid_for() -> None:
    sheets = [
        GivenFile(str(at), format.write([signed_falsely(each, at) for each in ENTRIES]))
        for at in range(9)
    ]
    look_through(sheets, frozenset(), whole := Work())
    assert work.MOST - whole.left > 8 * len(ENTRIES) * work.A_SIGNATURE


def test_blocks_are_paid_for_too(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = [
        GivenFile(str(at), armour.encode(ENTRIES[at : at + 1]).encode()) for at in range(3, 9)
    ]
    sheets = [GivenFile("game", format.write(ENTRIES[:3])), *blocks]
    assert len(take_in(sheets, folded).game.fold.entries) == 9
    monkeypatch.setattr("pbem.mail.inbox.VERIFYING", work.MOST // 10_000)
    counted = Counted()
    taken = take_in(sheets, counted)
    assert 2 < len(counted.lengths) < 7
    left = 9 - len(taken.game.fold.entries)
    assert left > 1
    assert f"not used: {9 - left}: {left} blocks were not tried" in str(taken.report[-1])


NOBODY = KeyPair.from_seed(b"\x99" * 32)


def forged(count: int) -> list[bytes]:
    """Blocks that go on from the third entry of the game and that nobody of it has signed."""
    steps = [[{"do": "say", "text": [str(at)]}] for at in range(count)]
    return [
        armour.encode([sign_entry(NOBODY, {**ENTRIES[3].payload, "steps": each})]).encode()
        for each in steps
    ]


def test_forged_blocks_are_not_replayed_by_the_rules() -> None:
    """Anyone can write hundreds: each is refused by its signature, and few are told."""
    sheets = [GivenFile("game", format.write(ENTRIES[:3])),
              GivenFile("bad", b"\n".join(forged(search.MAX_PIECES))),
              GivenFile("true", armour.encode(ENTRIES[3:5]).encode())]  # fmt: skip
    counted = Counted()
    taken = take_in(sheets, counted)
    assert taken.game.fold.entries == ENTRIES[:5]
    assert len(counted.lengths) == 2
    told = [str(line) for line in taken.report if "not used: " in str(line)]
    assert len(told) == search.MAX_MISSES + 1
    assert f"{search.MAX_PIECES - search.MAX_MISSES} more things that came are damaged" in told[-1]


FORGED, THOUSANDS = 60, 6_500


def long_ones(count: int) -> list[bytes]:
    """Blocks with a true entry in front, a false one, and more behind it."""
    made = []
    for at in range(count):
        steps = [{"do": "say", "text": [str(at)]}]
        tail = [sign_entry(NOBODY, {**ENTRIES[seq].payload, "steps": steps}) for seq in range(4, 9)]
        made.append(armour.encode([ENTRIES[3], *tail]).encode())
    return made


@pytest.mark.parametrize("where", [0, 0.5, 1])
@pytest.mark.parametrize("in_a_mail", [1, 30])
@pytest.mark.parametrize("bad", [forged(FORGED), long_ones(FORGED)], ids=["short", "long"])
def test_thousands_of_forged_blocks_do_not_push_out_a_good_one(
    where: float, in_a_mail: int, bad: list[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each costs what the first false signature in it costs, and thousands of them fit."""
    mails = [b"\n".join(bad[at : at + in_a_mail]) for at in range(0, FORGED, in_a_mail)]
    mails.insert(round(where * len(mails)), armour.encode(ENTRIES[3:5]).encode())
    box = GivenFile("box", b"".join(b"From x\n" + mail(each) + b"\n" for each in mails))
    base = "base", folded(format.write(ENTRIES[:3]))
    made = [Work(), Work()]
    monkeypatch.setattr("pbem.mail.inbox.Work", iter(made).__next__)
    taken = take_in([box], folded, base)
    assert taken.game.fold.entries == ENTRIES[:5]
    assert all((work.MOST - each.left) * THOUSANDS < work.MOST * FORGED for each in made)
    told = [str(line) for line in taken.report if "not used: " in str(line)]
    assert f"{FORGED - search.MAX_MISSES} more things that came are damaged" in told[-1]


def test_of_each_mail_a_block_is_tried_before_the_second_of_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever else came; and what was not tried is told, with how much it was."""
    good = armour.encode(ENTRIES[3:5]).encode()
    judged = Work(4 * work.A_SIGNATURE)
    works = iter([Work(), judged])
    monkeypatch.setattr("pbem.mail.inbox.Work", works.__next__)
    mails = [GivenFile("many", b"\n".join(forged(FORGED))), GivenFile("good", good)]
    taken = take_in(mails, folded, ("base", folded(format.write(ENTRIES[:3]))))
    assert taken.game.fold.entries == ENTRIES[:5]
    told = [str(line) for line in taken.report]
    assert any(f": many: {FORGED - 2} blocks were not tried" in line for line in told), told


def test_what_is_hard_to_read_takes_nothing_from_what_was_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A text that no repair fits took all that was left, and no file could be verified."""
    found = [GivenFile(str(last), format.write(ENTRIES[:last])) for last in (3, 5)]
    monkeypatch.setattr("pbem.mail.inbox.Work", lambda: Work(400_000))
    sheets = [*found, GivenFile("hopeless", mail(HOPELESS * 9))]
    taken = take_in(sheets, folded)
    assert taken.game.fold.entries == ENTRIES[:5]
    assert "too much to search" in str(taken.report)


def test_what_was_not_kept_is_told_wherever_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    """What fills the room came later, so nothing before it counts as damaged; it may be newer."""
    monkeypatch.setattr(search, "MAX_GAMES", 1)
    mails = b"".join(b"From x\n" + mail(each) + b"\n" for each in games(2))
    sheets = [GivenFile("game", format.write(ENTRIES[:3])), GivenFile("box", mails)]
    taken = take_in(sheets, folded, ("base", folded(format.write(ENTRIES[:2]))))
    assert len(taken.game.fold.entries) == 3
    told = [str(line) for line in taken.report if "not used: " in str(line)]
    assert "there are more than 1 different games" in told[0]


def test_a_block_more_costs_no_more_than_the_one_before() -> None:
    """Six thousand took half a minute: each was compared with all the others."""
    read: list[int] = []

    class Counted:
        sig = ""

        def __init__(self, number: int) -> None:
            self.number = number

        @property
        def id(self) -> str:
            read.append(self.number)
            return str(self.number)

    games, (block,) = search._Games(), armour.decode_each(BLOCK, Work(), 1)
    assert isinstance(block, armour.Block)
    for _ in range(2):
        for number in range(100):
            entries: Any = (Counted(number),)
            games.add_block(search.Find("x", block=replace(block, entries=entries)))
    assert len(games.finds()) == 100
    assert len(read) == 200
