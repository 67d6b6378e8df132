"""No line of a form is English for a reader of Spanish: every kind of question of every game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

import pytest

from pbem import messages
from pbem.cli.languages import language
from pbem.orders.template import form
from tests.contract.playing import decisions, every_beginning
from tests.house.catalogue import catalogues

ENGLISH = re.compile(
    r"\b(the|of|with|which|your|you|and|or|has|have|must|from|than|are|is|to|not|this|that|its|by"
    r"|for|up|each|one|unit|units|space|spaces|nothing|cards?|more)\b"
)  # fmt: skip
ORDER = re.compile(r"^\s*(# )?- .*?(?=   # |$)|^\s*#?\s+[a-z_]+:(?= )")
"""An order as it is written, and the name of a field before what may be said in it."""
FIELD = re.compile(r"\b[a-z_]+:( |$)|\(.* (terrain|units)\b")
LARGE = re.compile(r"\d,\d{3}\b")


def told(text: str) -> Iterator[str]:
    """What a form says beside the orders themselves: its comments."""
    for line in text.splitlines():
        if "#" in line:
            yield FIELD.sub("", ORDER.sub("", line))


def english_texts() -> Iterator[str]:
    """The texts without a gap, of more than a word."""
    for found in catalogues().values():
        for message in found:
            text = message.id
            if isinstance(text, str) and " " in text.strip() and "{" not in text:
                yield text


@cache
def that_are_translated() -> tuple[str, ...]:
    """Those that are said in other words in Spanish."""
    spanish = language("es")
    return tuple(
        each for each in english_texts() if messages.words(messages.say(each), spanish) != each
    )


@cache
def english_in(line: str) -> str:
    """What of a line is English; many forms have the same lines."""
    for pattern, text in ((ENGLISH, line.lower()), (LARGE, line)):
        if found := pattern.search(text):
            return found[0]
    return next((each for each in that_are_translated() if each in line), "")


@pytest.mark.parametrize(("slug", "scenario"), every_beginning())
@pytest.mark.parametrize("seed", [1, 2])
def test_a_form_in_spanish_has_no_english_line(slug: str, scenario: str, seed: int) -> None:
    spanish = language("es")
    found: dict[str, str] = {}
    for moment in decisions(slug, scenario, seed, 30):
        assert moment.decision
        text = form(moment.decision, language=spanish)
        for line in told(text):
            if english_in(line):
                found.setdefault(moment.decision.stage, line)
    assert found == {}
