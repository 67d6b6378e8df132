"""How things are said."""

import random
import textwrap

import pytest

from pbem.text.wording import did_you_mean, kind_of, may_be, quoted, shown
from pbem.words import by_name, closest, folded, listing, to_lines

SPACES = ("merida", "santa_olalla", "santander", "sevilla", "Écija", "madrid")


@pytest.mark.parametrize(
    "written, meant",
    [
        ("Mérida", ("merida",)),
        ("MERIDA", ("merida",)),
        ("sanat_olalla", ("santa_olalla",)),
        ("Santa Olalla", ("santa_olalla",)),
        ("santa", ("santa_olalla", "santander")),
        ("ecija", ("Écija",)),
        ("sevila", ("sevilla",)),
        ("x", ()),
        ("", ()),
        ("m" * 5000, ()),
    ],
)
def test_the_closest_names(written, meant):
    assert closest(written, SPACES) == meant


@pytest.mark.parametrize(
    "written, known, hint",
    [
        ("form", ("from", "to"), "did you mean from?"),
        ("zz", ("from", "to"), "it may be from or to"),
        ("santa", SPACES, "did you mean santa_olalla or santander?"),
        ("zzzz", [str(n) for n in range(100)], ""),
        ("zzzz", [], ""),
    ],
)
def test_hints(written, known, hint):
    assert str(did_you_mean(written, known)) == hint


@pytest.mark.parametrize(
    "said, expected",
    [
        (listing([]), ""),
        (listing(["A"]), "A"),
        (listing(["A", "B"]), "A and B"),
        (listing(["A", "B", "C"], "or"), "A, B or C"),
        (folded("¡Mérida!"), "merida"),
        (str(may_be(["a", "b"])), "it may be a or b"),
        (may_be([]), ""),
        (quoted("x" * 100), "'" + "x" * 60 + "…'"),
    ],
)
def test_english(said, expected):
    assert said == expected


@pytest.mark.parametrize(
    "written, printed",
    [
        ("Mérida", "Mérida"),
        ("\x1b[31mred", "\\x1b[31mred"),
        ("a\nb\tc", "a\\x0ab\\x09c"),
        ("abc\u202edcba", "abc\\u202edcba"),
        ("zero\u200bwidth", "zero\\u200bwidth"),
        ("\u2066isolate", "\\u2066isolate"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("\x9b31m", "\\x9b31m"),
    ],
)
def test_nothing_printed_moves_the_cursor_or_hides(written, printed):
    assert shown(written) == printed


@pytest.mark.parametrize(
    "value, kind",
    [
        (None, "nothing"),
        (True, "the truth value true"),
        (3, "the number 3"),
        ("x", "the text 'x'"),
        ([], "a list"),
        ({}, "pairs such as {a: b}"),
    ],
)
def test_kinds(value, kind):
    assert str(kind_of(value)) == kind


def edits(a: str, b: str) -> int:
    """The letters to add, drop, change or swap, worked out without a shortcut."""
    if not a or not b:
        return len(a or b)
    found = min(
        edits(a[1:], b) + 1, edits(a, b[1:]) + 1, edits(a[1:], b[1:]) + (a[0] != b[0])
    )  # fmt: skip
    if a[:2] == b[1::-1] and len(a) > 1:
        found = min(found, edits(a[2:], b[2:]) + 1)
    return found


def test_what_cannot_be_near_is_left_out_early_and_nothing_else():
    rng = random.Random(7)
    words = ["".join(rng.choices("abcd", k=rng.randint(1, 5))) for _ in range(40)]
    for wanted in words:
        allowed = max(1, len(wanted) // 3) if len(wanted) > 1 else 0
        others = [other for other in words if other != wanted]
        near = {other: edits(wanted, other) for other in others}
        near |= {other: 1 for other in others if len(wanted) > 3 and other.startswith(wanted)}
        best = min(near.values())
        nearest = dict.fromkeys(other for other in others if near[other] == best <= allowed)
        assert closest(wanted, others, most=40) == tuple(nearest)
    assert closest("abcdef", ["uvwxyz", "abcxyz"]) == ()
    assert closest("abcdef", ["abdcef", "abcxyz"]) == ("abdcef",)


@pytest.mark.parametrize("seed", range(20))
def test_lines_are_those_of_textwrap(seed: int) -> None:
    rng = random.Random(seed)
    text = "".join(rng.choices("abcé-  ,\u2014", k=200)) + rng.choice(["", " ", "\t", "x" * 50])
    text = rng.choice([text, " ".join(text.split()), text[:10], text[:0]])
    first, others, cut = rng.choice(["", "  > "]), rng.choice(["", "    "]), seed % 2 == 0
    assert to_lines(text, 40, first, others, cut=cut) == textwrap.wrap(
        text, 40, initial_indent=first, subsequent_indent=others, break_long_words=cut,
        break_on_hyphens=False,
    )  # fmt: skip


def test_names_in_the_order_in_which_people_put_them():
    written = ("R-10", "N-2", "R-9", "3 Navarra", "R", "12 Navarra", "R-9b")
    assert sorted(written, key=by_name) == [
        "3 Navarra", "12 Navarra", "N-2", "R", "R-9", "R-9b", "R-10",
    ]  # fmt: skip
