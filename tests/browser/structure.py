"""What a page consists of, as lines that no browser words in a way of its own."""

from __future__ import annotations

from html.parser import HTMLParser

TOLD = ("aria-label", "role", "class", "data-space", "hidden", "disabled", "open")
"""The attributes that say what an element is and in which state."""
SILENT = frozenset({"script", "style", "defs", "head"})
DRAWN = frozenset({"path", "use", "circle", "rect", "line", "polyline", "polygon", "ellipse"})
"""Elements without words. Those that are empty also have no end."""
ENDLESS = frozenset({"br", "hr", "img", "input", "link", "meta"})


class _Structure(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self._within: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        said = [
            f"{name}={given[name]!r}" if given[name] else name for name in TOLD if name in given
        ]
        if said and tag not in DRAWN and not self._is_silent(tag):
            self._tell(" ".join((tag, *said)))
        if tag not in ENDLESS:
            self._within.append(tag)

    def handle_endtag(self, tag: str) -> None:
        while tag in self._within and self._within.pop() != tag:
            pass

    def handle_data(self, data: str) -> None:
        text = " ".join(data.split())
        if text and not self._is_silent(""):
            self._tell(repr(text))

    def _is_silent(self, tag: str) -> bool:
        return tag in SILENT or not SILENT.isdisjoint(self._within)

    def _tell(self, line: str) -> None:
        self.lines.append(f"{' ' * len(self._within)}{line}")


def structure(html: str) -> str:
    """The elements of a page with their names and states, and its words, a line each."""
    parser = _Structure()
    parser.feed(html)
    parser.close()
    return "\n".join(parser.lines) + "\n"
