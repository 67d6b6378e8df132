"""What is read without the YAML library comes out as with it, to every mark; the rest is left."""

import random

import pytest

from pbem.text.plainyaml import read_plainly
from pbem.text.source import Source
from pbem.text.yamlsource import Document, examine, examine_all
from tests.conftest import FUZZ

ORDERS = """\
# a comment: [with anything
game: 1234 5678
entry: 12
orders:
  - play: {card: N7, for: operations}   # behind an order

  - activate: {attack: [sevilla, mérida, la_línea], move: []}
  - attack: {space: badajoz, units: {sevilla: [INF-15, N-POL-4], caceres: MIL}}
    losses: [POL, null, 07, 7]
    advance:
      units: [INF-15]
      to:
      - merida
      -  badajoz
  - done
standing:
  combat_card: none
  cancel retreat: false
"""
PLAIN = (
    ORDERS,
    "orders: []",
    "- a\n- b: c\n  d: e\n-   f: g\n    h: i\n",
    "a:\n- b\n- c\nd:\n    e: f\n",
    "x: {a: 1, b: [c , d]}\ny: { }",
    "a: b - c\n",
    "  a: b\n  c: d",
)
NOT_PLAIN = (
    "", "a", "a:", "a: b\n c: d", "a: b\n  c", "a: [b,\n c]", "a: 'b'", "a: b\na: c",
    "{a: 1, a: 2}", "a: {b: c,}", "a: {b}", "a: {b:c}", "a: [b: c]", "a: &b c", "a: *b", "a: !b c",
    "a: |\n  b", "a: b: c", "a: 12:30", "a:\tb", "a: b\u2028", "\ufeffa: b", "---\na: b",
    "a: b\n...", "? a\n: b", "<<: a", "a: -1", "a: ~", "- - a", "a: [b]]", "a: [b] c", "- a\nb: c",
    "a: b\n- c", "a: 1.5.", "%a: b", "a: b #c\n  d", "-a: b", "a : b\n-", "a: [b c: d]", "a: @b",
    "a: b?",
    "x: {a: 1, a: 2}", "x: [{a: 1, b: 2, a: 1}]", "a: b # \x07", "# \u2028\na: b", "# a\tb\na: b",
)  # fmt: skip


def whole(text: str, *, pure: bool = False) -> Document | None:
    document, problems = examine_all(Source("f", text), pure=pure)
    return None if problems else document


@pytest.mark.parametrize("text", PLAIN)
def test_what_is_plain_is_read_as_the_library_reads_it(text: str) -> None:
    found = read_plainly(text)
    assert found is not None
    assert Document(Source("f", text), *found) == whole(text) == whole(text, pure=True)


@pytest.mark.parametrize("text", NOT_PLAIN)
def test_what_is_not_plain_is_left_to_the_library(text: str) -> None:
    found = read_plainly(text)
    document = whole(text)
    assert found is None or (document and found == (document.value, document.mark))
    assert examine(Source("f", text)) == examine_all(Source("f", text))


def test_a_depth_that_is_refused_is_not_plain() -> None:
    deep = "".join(f"{'  ' * n}a:\n" for n in range(20)) + "  " * 20 + "a: b"
    assert read_plainly(deep) is None
    assert read_plainly("a: " + "[" * 20 + "]" * 20) is None


def spoilt(rng: random.Random) -> str:
    """Plain orders with some characters lost, added or changed, or lines moved about."""
    letters = list(rng.choice(PLAIN))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(letters))
        way = rng.random()
        if way < 0.3 and len(letters) > 1:
            del letters[at]
        elif way < 0.8:
            letters.insert(at, rng.choice("{}[]:,- \n\n  #.?&*'\"é_0a"))
        else:
            letters[at] = rng.choice(": \n-,]}")
    lines = "".join(letters).split("\n")
    if rng.random() < 0.3:
        lines.insert(rng.randrange(len(lines)), lines.pop(rng.randrange(len(lines))))
    return "\n".join(lines)


def test_spoilt_orders_are_never_read_otherwise() -> None:
    rng, plain = random.Random(0 if FUZZ == 1 else None), 0
    for _ in range(1500 * FUZZ):
        text = spoilt(rng)
        found = read_plainly(text)
        if found is None:
            continue
        plain += 1
        for pure in (False, True):
            document = whole(text, pure=pure)
            assert document is not None, text
            assert found == (document.value, document.mark), text
    assert plain > 100 * FUZZ
