"""Pages in the language of their reader: each text stands once, and none is left in English."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from pbem.cli.languages import language
from pbem.messages import ENGLISH
from pbem.render.page_words import SAID, page_in, table, texts_of_page, texts_of_script

RENDER = Path(__file__).parents[2] / "pbem" / "render"
SCRIPTS = sorted(RENDER.glob("*.js"))
LITERAL = re.compile(r'"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`')
SHOWN = re.compile(
    r'(?:make\("\w+", |dialog\(|note\(|spoken\(|banner\(|textContent = |title: |aria-label": )'
    r'["`]\w'
)
"""What shows its text, given a text of its own that is no `say`."""
KEYS = {"Enter", "Esc", "Escape", "Home", "End", "Ctrl Z, Ctrl Shift Z", "Ctrl Enter", "Ctrl S"}


def shown_in(script: str) -> list[str]:
    """The texts of a script that are words for the reader and are not said."""
    plain = SAID.sub("say(", re.sub(r"(?<![:\"])//.*", "", script))
    literals = (found[0][1:-1] for found in LITERAL.finditer(plain))
    bare = (re.sub(r"\$\{[^}]*\}", "", each) for each in literals)
    words = [each for each in bare if re.search(r"^[A-Z][a-z]+\b[^/]*$|[a-z]{2} [a-z]{2,} [a-z]{2}",
                                                each) and each not in KEYS]  # fmt: skip
    return [each for each in words if not each.startswith("Arrow")] + SHOWN.findall(plain)


@pytest.mark.parametrize("path", SCRIPTS, ids=lambda path: path.name)
def test_no_words_are_left_in_a_script(path: Path) -> None:
    assert shown_in(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "script",
    ['x("Order it");', "x(`the game went on ${why}`);", 'make("p", "line");', "title: `win`"],
)
def test_words_that_are_left_are_found(script: str) -> None:
    assert shown_in(script)


def test_every_text_of_the_board_is_said_in_spanish() -> None:
    page = (RENDER / "board.html").read_text(encoding="utf-8")
    scripts = [path.read_text(encoding="utf-8") for path in SCRIPTS]
    told = page_in(page, scripts, language("es"))
    assert '<html lang="es">' in told and 'aria-label="Mapa"' in told
    table_of = re.search(r'id="words">(.*)</script>', told)
    assert table_of
    said = json.loads(table_of[1])
    assert said["You are still asked."] == "Aún se te pide una orden."
    assert page_in(page, scripts, ENGLISH) == page
    assert set(texts_of_page(page)) & set(texts_of_page(told)) == set()
    texts = {text for script in scripts for text in texts_of_script(script)}
    assert len(texts) > 50 and texts - set(said) <= {"legal: {order}"}


class Evil:
    """A catalogue that would end the element."""

    def gettext(self, text: str) -> str:
        return '</script><b title="">'

    def ngettext(self, one: str, many: str, number: int) -> str:
        return one


def test_what_a_catalogue_says_is_text() -> None:
    made = table(['say("one")'], Evil())
    assert made.count("<") == 2 and json.loads(made[made.index("{") : made.rindex("}") + 1]) == {
        "one": '</script><b title="">'
    }
    page = page_in('<p title="two">one</p>', [], Evil())
    assert "<b" not in page and page.count('"') == 2
