"""Mistakes people make, and the exact text they are shown.

Beside each tests/golden/errors/<case>.yaml stands <case>.txt. PBEM_GOLDEN=write rewrites the texts;
read the difference before you commit it. Cases that need the rules of a game are in folders of
their own. Files too large to keep are made here.
"""

import os
from pathlib import Path

import pytest
from order_samples import NAMES, VERBS

from pbem.orders.bind import bind, unknown_names
from pbem.orders.parse import parse
from pbem.orders.written import order_line
from pbem.problems import Refused
from pbem.text.source import Source, render_all

ERRORS = Path(__file__).parent.parent / "golden" / "errors"

MADE = {
    "huge": b"orders:\n" + b"  - done\n" * 8000,
    "huge_line": b"say: " + b"x" * 60_000 + b"\n",
    "deep": b"orders: " + b"[" * 200 + b"]" * 200 + b"\n",
    "unclosed_brackets": b"[" * 60_000,
    "very_many_orders": b"orders: [" + b"done, " * 10_000 + b"]\n",
    "very_many_mistakes": b"orders:\n" + b"  - plya: {card: N7}\n" * 60,
}
CASES = {path.stem: path.read_bytes() for path in ERRORS.glob("*.yaml")} | MADE


def shown(name: str, content: bytes) -> str:
    """What the player sees; for a file that is accepted, the orders as they were understood."""
    try:
        file = parse(Source.decode(name, content), VERBS)
        unknown = unknown_names(file, NAMES)
        if unknown:
            raise Refused(*unknown)
        orders = [bind(file, index, NAMES) for index in range(len(file.orders))]
    except Refused as refused:
        return render_all(refused.problems) + "\n"
    return "".join(f"accepted: {order_line(order)}\n" for order in orders)


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_text_is_exactly_this(case):
    text = shown(f"{case}.yaml", CASES[case])
    golden = ERRORS / f"{case}.txt"
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


def test_no_text_is_left_without_its_case():
    assert {path.stem for path in ERRORS.glob("*.txt")} == set(CASES)


@pytest.mark.parametrize("case", sorted(CASES))
def test_what_is_shown_cannot_harm_a_terminal(case):
    text = shown(f"{case}.yaml", CASES[case]).replace("\n", "")
    assert all(letter.isprintable() or letter == "\xa0" for letter in text)
    assert "Traceback" not in text and len(text) < 20_000


@pytest.mark.parametrize("case", sorted(case for case in CASES if not case.startswith("accepted")))
def test_a_refusal_says_where_and_what_to_do(case):
    first = shown(f"{case}.yaml", CASES[case]).splitlines()[0]
    assert first.startswith((f"{case}.yaml:", "accepted: ")) or case in ("huge_line",)
