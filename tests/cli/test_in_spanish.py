"""Whatever the commands print for a reader of Spanish is Spanish: a search for English words."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem import messages
from pbem.cli.languages import language
from tests.cli.desk import Desk

ENGLISH = re.compile(
    r"\b(the|of|with|which|your|you|and|has|have|must|from|than|are|is|to|not|this|that|its|by)\b"
)
DATA = Path(__file__).parents[2] / "data"
TITLE = re.compile(r"\btitle: [\"']?([^\"'\n,}]+)")
COMMANDS = (
    ("status",), ("show",), ("log",), ("log", "--brief"), ("summary",), ("luck",), ("dice",),
    ("cards",), ("verify",), ("mail", "-o", "-"),
)  # fmt: skip
COMMANDS_AND_HEADERS = re.compile(
    r"^\s*\$ |^\s*# (- |  +)[a-z_]+: |^--|^[A-Z][A-Za-z-]+: |boundary=|pbem read"
)
"""Lines of other programs, commands to type, and orders, which stay as they are."""
IN_A_BLOCK = re.compile(r"[A-Za-z0-9+/=]{6,}( \d+)?")
"""A line of the game in a mail: base64, in which any letters may stand."""
NAMES = re.compile(r"Crusade and Revolution|\b(from|with)(?=[,:])")
"""A title, and words of the order language."""


def english_titles(slug: str) -> list[str]:
    """The titles of cards and chits that are called otherwise in Spanish."""
    texts = (DATA / slug).glob("c*.yaml")
    found = {each for path in texts for each in TITLE.findall(path.read_text(encoding="utf-8"))}
    spanish = language("es")
    return sorted(each for each in found if messages.words(messages.say(each), spanish) != each)


@pytest.mark.parametrize(
    "game",
    [("crusade", "campaign"), ("madrid", "scenario_1"),
     ("ctv", "santander", "--option", "open_units")],
)  # fmt: skip
def test_nothing_that_a_player_reads_is_english(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, game: tuple[str, ...]
) -> None:
    monkeypatch.setenv("PBEM_LANG", "es")
    begun = desk.pbem("solo", *game, "--against", "bot", "-o", "bot.json")
    assert begun.code == 0
    told = [begun.out, begun.err]
    for name, *words in COMMANDS:
        result = desk.pbem(name, "bot.json", *words)
        has_none = (game[0], name) == ("ctv", "cards")
        assert result.code == has_none, (name, result.err)
        told += [result.out, result.err]
    assert desk.pbem("form", "bot.json", "-o", "orders.yaml").code == 0
    told.append((desk.folder / "orders.yaml").read_text(encoding="utf-8"))
    checked = desk.pbem("check", "bot.json", "orders.yaml")
    told += [checked.out, checked.err]
    english = [
        line
        for text in told
        for line in text.splitlines()
        if not COMMANDS_AND_HEADERS.search(line)
        and not IN_A_BLOCK.fullmatch(line)
        and ENGLISH.search(NAMES.sub("", line).lower())
    ]
    assert english == []
    titles = english_titles(game[0])
    assert len(titles) > 10 or game[0] == "ctv", "which has neither cards nor chits"
    assert [title for title in titles if any(title in text for text in told)] == []
