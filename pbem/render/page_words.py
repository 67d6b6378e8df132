"""The words of pages in the language of their reader.

A text stands once, in the script or in the page that shows it: there as `say("…")`, here between
its tags or in an attribute that is read. `make texts` finds both by the functions here, so that
nothing is shown that is not in the catalogue.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import escape, unescape

from pbem.messages import Language

SAID = re.compile(r'\bsay\("((?:[^"\\\n]|\\.)*)"')
SHOWN = re.compile(
    r"<kbd>.*?</kbd>|(?P<open>>)(?P<text>[^<>]+)(?=<)"
    r'|(?P<attribute> (?:lang|title|aria-label|placeholder)=")(?P<told>[^"]+)',
    re.DOTALL,
)
A_WORD = re.compile(r"[^\W\d_]{2}")


def texts_of_script(script: str) -> Iterator[str]:
    """What a script says, in English."""
    for found in SAID.finditer(script):
        yield json.loads(f'"{found[1]}"')


def texts_of_page(page: str) -> Iterator[str]:
    """What a page shows, in English; the names of keys are no words."""
    for found in SHOWN.finditer(page):
        text = _text_of(found)
        if text:
            yield text


def page_in(page: str, scripts: Iterable[str], language: Language) -> str:
    """A page with all that it shows in a language, and with the table of its scripts."""

    def told(found: re.Match[str]) -> str:
        text = _text_of(found)
        if not text:
            return found[0]
        words = escape(language.gettext(text))
        if found["attribute"]:
            return f"{found['attribute']}{words}"
        before, _, after = found["text"].partition(found["text"].strip())
        return f">{before}{words}{after}"

    return SHOWN.sub(told, page).replace(table((), language), table(scripts, language))


def _text_of(found: re.Match[str]) -> str:
    text = unescape((found["text"] or found["told"] or "").strip())
    return " ".join(text.split()) if A_WORD.search(text) else ""


def table(scripts: Iterable[str], language: Language) -> str:
    """The table that say.js reads, as an element of a page: each text of the scripts that the
    language words otherwise. It is safe between tags, whatever a catalogue holds."""
    texts = sorted({text for script in scripts for text in texts_of_script(script)})
    told = {text: language.gettext(text) for text in texts}
    plain = json.dumps({text: words for text, words in told.items() if words != text})
    safe = plain.replace("<", "\\u003c")
    return f'<script type="application/json" id="words">{safe}</script>'
