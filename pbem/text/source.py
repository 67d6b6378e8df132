"""A named text that a person wrote, its places, and a problem printed with its excerpt."""

from __future__ import annotations

from codecs import BOM_UTF8
from collections.abc import Iterable
from functools import cached_property

from pbem.messages import ENGLISH, Language, Said, say, words
from pbem.problems import Problem, Refused, Span
from pbem.text.wording import shown
from pbem.value import value

ORDERS_LIMIT = 64 * 1024
WIDEST_EXCERPT = 96
TAB = "→"
"""Shown in place of a tab, which no terminal prints as wide as an editor does."""
MOST_SHOWN = 40


@value
class Source:
    """A text with a name. Line ends are LF; a byte order mark of UTF-8 is gone."""

    name: str
    text: str

    @staticmethod
    def decode(name: str, content: bytes, limit: int = ORDERS_LIMIT) -> Source:
        """The text of a file; Refused if it is too long, or no UTF-8."""
        if len(content) > limit:
            raise Refused(_too_long(name, len(content), limit))
        if content[:2] in (b"\xff\xfe", b"\xfe\xff") or 0 in content[:2]:  # also without its mark
            raise Refused(_not_utf8(name, say("the file is saved as UTF-16")))
        content = content.removeprefix(BOM_UTF8)  # `utf-8-sig` would count places without it
        try:
            text = content.decode()
        except UnicodeDecodeError as error:
            raise Refused(_bad_byte(name, content, error.start)) from None
        return Source(name, with_plain_line_ends(text))

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The lines without their ends; the line after a last line end counts, if only as empty."""
        return tuple(self.text.split("\n"))

    def span(self, line: int, column: int, end_column: int = 0) -> Span:
        """The place at a line and column, counted from 1; `end_column` is the first after it."""
        excerpt = self.lines[line - 1] if 0 < line <= len(self.lines) else ""
        return Span(self.name, line, column, end_column, excerpt)

    def span_at(self, offset: int) -> Span:
        """The place of a character, given by its offset in the text."""
        line = self.text.count("\n", 0, offset) + 1
        column = offset - self.text.rfind("\n", 0, offset)
        return self.span(line, column, column + 1)

    def whole(self) -> Span:
        """The whole file as a place, for what is in none of its lines."""
        return Span(self.name, 0, 0)


def with_plain_line_ends(text: str) -> str:
    """The text with LF for CRLF and for a lone CR, as YAML counts lines."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _too_long(name: str, length: int, limit: int) -> Problem:
    size = f"{-(-length // 1024)} KiB" if length < 1 << 20 else f"{length >> 20} MiB"
    return Problem(
        "too-long",
        say("the file has {size}; the limit is {limit} KiB", size=size, limit=limit // 1024),
        Span(name, 0, 0),
        hint=say("is this the right file?"),
    )


def _not_utf8(name: str, message: Said, span: Span | None = None) -> Problem:
    hint = say("save it as UTF-8; most editors ask in 'save as'")
    return Problem("not-utf8", message, span or Span(name, 0, 0), hint=hint)


def _bad_byte(name: str, content: bytes, start: int) -> Problem:
    """The problem of the first byte that is not UTF-8, with its line read as Latin-1."""
    before = with_plain_line_ends(content[:start].decode())
    line, column = before.count("\n") + 1, len(before) - before.rfind("\n")
    tail = content[start : start + WIDEST_EXCERPT].decode("latin-1")
    rest = with_plain_line_ends(tail).split("\n")[0]
    excerpt = before.rsplit("\n", 1)[-1] + rest
    span = Span(name, line, column, column + 1, excerpt)
    return _not_utf8(
        name,
        say("the byte {content} here is not UTF-8", content=format(content[start], "#04x")),
        span,
    )


# ---------------------------------------------------------------- showing


def cited(rule: str, language: Language = ENGLISH) -> str:
    """`rule 7.1.3` of the game, and `protocol R7` of what is agreed on between the programs.

    What our lists tell apart inside a rule, as `16.5.2/a`, no printed book has: it is left out.
    """
    if rule.startswith("protocol"):
        return shown(rule)
    return words(say("rule {rule}", rule=shown(rule.partition("/")[0])), language)


def render(problem: Problem, language: Language = ENGLISH) -> str:
    """A problem as the player sees it: place, message, rule, the line with a caret, the hint."""
    head = f"{_place(problem.span)}{shown(words(problem.message, language))}"
    lines = [f"{head} [{cited(problem.rule, language)}]" if problem.rule else head]
    if problem.span and problem.span.line and problem.span.excerpt.strip():
        lines += excerpt_of(problem.span)
    if problem.hint:
        hint = words(say("hint: {hint}", hint=problem.hint), language)
        lines.append(f"      {shown(hint)}")
    return "\n".join(lines)


def render_all(
    problems: Iterable[Problem], most: int = MOST_SHOWN, language: Language = ENGLISH
) -> str:
    """All problems of one pass, one below the other; past the limit only their number."""
    told = tuple(problems)
    texts = [render(problem, language) for problem in told[:most]]
    if len(told) > most:
        texts.append(words(say("... and {number} more", number=len(told) - most), language))
    return "\n".join(texts)


def _place(span: Span | None) -> str:
    if span is None:
        return ""
    where = [shown(span.file), *([str(span.line), str(span.column)] if span.line else [])]
    return ":".join(where) + ": "


def excerpt_of(span: Span) -> list[str]:
    """The line and the caret below the place; a long line is cut to the part around it."""
    start = max(span.column - 1, 0)
    end = max(span.end_column - 1, start + 1)
    first = _first_shown(len(span.excerpt), start, end)
    written = span.excerpt.replace("\t", TAB)
    before = ("…" if first else "") + shown(written[first:start])
    meant = shown(written[start : min(end, first + WIDEST_EXCERPT)])
    after = shown(written[end : first + WIDEST_EXCERPT])
    cut = "…" if first + WIDEST_EXCERPT < len(written) else ""
    line = f"{span.line:5d} | {before}{meant}{after}{cut}"
    return [line.rstrip(), f"      | {' ' * _width(before)}{'^' * max(_width(meant), 1)}"]


def _first_shown(length: int, start: int, end: int) -> int:
    if length <= WIDEST_EXCERPT or end <= WIDEST_EXCERPT:
        return 0
    return max(0, min(start - WIDEST_EXCERPT // 3, length - WIDEST_EXCERPT))


def _width(text: str) -> int:
    """The columns a text takes in a terminal: combining marks none, wide letters two."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)
