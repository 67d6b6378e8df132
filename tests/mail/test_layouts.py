"""Files that look like ours and are not: nothing but their own entry is refused for it."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from itertools import permutations
from typing import Any

import pytest

from pbem.gamefile import format
from pbem.gamefile.chain import Entry, sign_entry, with_sum
from pbem.gamefile.errors import FileRefused
from pbem.mail import armour, mailbox
from pbem.mail.inbox import all_in, take_in
from pbem.mail.search import GivenFile, digits_of, names_of
from pbem.value import replace
from tests.fuzz.readers import ENTRIES, folded
from tests.gamefile.players import KEYS, TERMS, started

SHAPES: tuple[list[object], ...] = (
    [{}], [{"game": "0" * 64}], [{"seq": 5, "game": "zz"}], [{"seq": [], "game": "0"}],
    [{"seq": 7, "game": 5}], [{"seq": 0}, {"seq": 1}], [{"seq": 0, "game": "0"}, {"seq": 2}],
    [{"seq": 0, "game": "0" * 64, "steps": 5, "by": "A"}], [[]], ["x"], [None], [{"prev": []}],
    [{"seq": 0, "prev": "0" * 64, "game": "0" * 64, "by": "C", "steps": [{}], "v": 1}],
)  # fmt: skip
"""Payloads that fit their sums, and have not the shape of any."""


def shapeless(payloads: Sequence[object]) -> bytes:
    return format.write([with_sum(each, "x" * 88) for each in payloads])  # type: ignore[arg-type]


def forged(count: int) -> Entry:
    """An entry after so many that its author has not signed."""
    return with_sum(ENTRIES[count].payload, ENTRIES[count - 1].sig)


def tight(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), sort_keys=True)


def in_lines(entry: Entry) -> str:
    return tight(format.stored(entry))


def in_parts(entry: Entry) -> str:
    """Each of its objects ends as an entry of ours does."""
    return in_lines(entry).replace("}", "\n  }")


def cut_late(entry: Entry) -> str:
    """Two ends of entries in the first one, and none in the next."""
    return in_parts(entry) if entry.seq == 0 else in_lines(entry)


LAYOUTS: dict[str, Callable[[Entry], str]] = {
    "one line each": in_lines, "ends within": in_parts, "ends in the first": cut_late,
    "blanks": lambda entry: " " * 9 + in_lines(entry),
}  # fmt: skip


def laid(entries: Sequence[Entry], layout: str) -> bytes:
    if layout == "ours":
        return format.write(entries)
    inner = ",".join(map(LAYOUTS[layout], entries)).encode()
    return format.HEAD + inner + format.TAIL


@pytest.mark.parametrize("payloads", SHAPES, ids=tight)
def test_entries_of_no_shape_are_refused_alone(payloads: Sequence[object]) -> None:
    bad, good = GivenFile("bad", shapeless(payloads)), GivenFile("good", format.write(ENTRIES[:5]))
    base = "base", folded(format.write(ENTRIES[:4]))
    for sheets in ([bad, good], [good, bad]):
        assert take_in(sheets, folded, base).game.fold.entries == ENTRIES[:5]
        found = all_in(sheets, names_of(ENTRIES[:4]))
        mine = next(chain for chain in found.chains if chain.first == ENTRIES[0].id)
        assert found.taken(mine, folded, base).game.fold.entries == ENTRIES[:5]
    with pytest.raises(FileRefused):
        take_in([bad], folded)
    assert format.first_id(bad.raw) is None, "it begins no game"


def test_a_strangers_file_does_not_take_the_blocks_of_a_game() -> None:
    """It says that it is of that game, or has an entry of it."""
    payload = {**ENTRIES[2].payload, "seq": 9}
    for second in (with_sum(payload, "x" * 88), ENTRIES[1]):
        strange = [with_sum({"seq": 0}, "x" * 88), second]
        sheets = [GivenFile("strange", format.write(strange)),
                  GivenFile("mine", format.write(ENTRIES[:3])),
                  GivenFile("block", armour.encode(ENTRIES[3:5]).encode())]  # fmt: skip
        for order in permutations(sheets):
            chains = all_in(order, names_of(ENTRIES[:3])).chains
            (mine,) = (chain for chain in chains if chain.blocks)
            assert mine.first == ENTRIES[0].id
    assert digits_of(ENTRIES) == armour.decode(armour.encode(ENTRIES[3:4])).game


def strange_blocks() -> dict[str, list[Entry]]:
    """What a stranger can write of entries of their own and of those that they have seen."""
    own = list(started(replace(TERMS, match="another")).entries[:3])
    ours = {"game": ENTRIES[1].id, "seq": 2, "prev": own[1].id}
    return {
        "another game": own,
        "another proposal": own[:1],
        "another acceptance": [sign_entry(KEYS["A"], {**ENTRIES[1].payload, "tool": "x"})],
        "a game that says it is ours": [*own[:2], with_sum({**own[2].payload, **ours}, own[2].sig)],
        "our acceptance behind another proposal": [own[0], ENTRIES[1]],
        "the game of nobody": [with_sum({**ENTRIES[4].payload, "game": own[1].id}, ENTRIES[4].sig)],
    }


@pytest.mark.parametrize("what", strange_blocks())
@pytest.mark.parametrize("known", [1, 4])
def test_a_strangers_block_does_not_hide_the_one_that_continues_a_game(
    what: str, known: int
) -> None:
    """Where only blocks came: the game is the one of the folder, whatever else they say."""
    bad = GivenFile("bad", armour.encode(strange_blocks()[what]).encode())
    good = GivenFile("good", armour.encode(ENTRIES[known:5]).encode())
    held = "held", folded(format.write(ENTRIES[:known]))

    def continues(digits: str, first: str) -> tuple[str, Any] | None:
        mine = first == ENTRIES[0].id if first or known == 1 else digits == digits_of(ENTRIES)
        return held if mine else None

    for sheets in ([bad, good], [good, bad]):
        for names in (frozenset[str](), names_of(ENTRIES[:known])):
            found = all_in(sheets, names)
            taken = take_in(sheets, folded, None, continues, found=found)
            assert taken.game.fold.entries == ENTRIES[:5]
            assert "bad" in str(taken.report), "what was not used is told"
            chain = next(each for each in found.chains if good.name in map(str, (
                find.where for find in each.blocks)))  # fmt: skip
            assert chain.first in ("", ENTRIES[0].id)
            assert chain.first or chain.digits == digits_of(ENTRIES)


@pytest.mark.parametrize("layout", ["ours", *LAYOUTS])
@pytest.mark.parametrize("are_wanted", [False, True])
def test_the_layout_and_the_order_of_files_mean_nothing(layout: str, are_wanted: bool) -> None:
    """A file that a stranger has continued, and an honest one: this is what is left."""
    wanted = names_of(ENTRIES) if are_wanted else frozenset[str]()
    bad = GivenFile("bad", laid([*ENTRIES[:5], forged(5)], layout))
    good = GivenFile("good", laid(ENTRIES[:5], layout))
    plain = GivenFile("plain", format.write(ENTRIES[:5]))
    older = GivenFile("older", format.write(ENTRIES[:3]))
    for sheets in ([bad, good], [good, bad], [bad, plain], [plain, bad], [good, good, older, bad]):
        found = all_in(sheets, wanted)
        assert take_in(sheets, folded, found=found).game.fold.entries == ENTRIES[:5]


def test_no_number_of_older_files_hides_a_newer_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mailbox, "MAX_MESSAGES", 3)
    bad = format.write([*ENTRIES[:5], forged(5)])
    many = [GivenFile(str(at), format.write(ENTRIES[: 1 + at % 4])) for at in range(9)]
    last = [GivenFile("good", format.write(ENTRIES[:5])), GivenFile("bad", bad)]
    for sheets in ([*many, *last], [last[1], *many, last[0]], [*last, *many]):
        assert take_in(sheets, folded).game.fold.entries == ENTRIES[:5]


def test_a_file_that_grows_when_it_is_laid_out_is_refused_alone() -> None:
    """It is measured before: a small file may be many times as long in another layout."""
    deep: object = [[1] * 4000 for _ in range(30)]
    for _ in range(8):
        deep = [deep]
    payload = {**ENTRIES[5].payload, "steps": [{"do": "say", "text": deep}]}
    grown = sign_entry(KEYS["A"], payload)
    bad = laid([*ENTRIES[:5], *[grown] * 20], "one line each")
    assert len(bad) < 5 << 20
    good = GivenFile("good", format.write(ENTRIES[:5]))
    for sheets in ([GivenFile("bad", bad), good], [good, GivenFile("bad", bad)]):
        taken = take_in(sheets, folded)
        assert taken.game.fold.entries == ENTRIES[:5]
        (told,) = (line for line in taken.report if "not used: " in str(line))
        assert "larger than" in str(told) and "bad" in str(told)


def test_pieces_of_entries_are_no_older_files() -> None:
    """What is cut at a comma within an entry begins nothing."""
    whole = format.write(ENTRIES[:5])
    commas = [at for at, byte in enumerate(whole) if byte == ord(",")]
    cut = [GivenFile(str(at), whole[:at] + format.TAIL) for at in commas[::7]
           if not whole.endswith(format.ENTRY_ENDS, 0, at)]  # fmt: skip
    found = all_in([GivenFile("whole", whole), *cut])
    assert all(find.entries and find.content for find in found.games)
    assert len(found.games) == 1
