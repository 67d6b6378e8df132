"""The common part of YAML, read without the YAML library.

Loading that library takes a cold command longer than judging a round of orders (measured in
decisions/). So words, block lists and mappings, brackets within one line and comments are read
here. Anything else in a text, and anything wrong with it, is left to yamlsource.py: this reader
never refuses, it only gives up. What it does read must be the same as there, to every mark; a test
compares the two.

Measured: 18 percent of the instructions of a cold `apply` (page 22).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from pbem.value import value

WORDS: dict[str, Any] = {"": None, "~": None, "null": None, "true": True, "false": False}
MOST_DIGITS = 9
DEEPEST = 8
LONGEST_KEY = 60
INSIDE_A_WORD = frozenset("_./+- ")
ENDS_A_WORD = re.compile(r"[,:\[\]{}]")
CLOSES = {"[": "]", "{": "}"}


@value
class Mark:
    """The place of a value (lines and columns from 0), and the marks of its contents."""

    line: int
    column: int
    end_line: int
    end_column: int
    inner: Any = None  # of a list: its marks; of a mapping: key -> (mark of the key, of the value)


Read = tuple[Any, Mark]


def is_number(text: str) -> bool:
    """Whether a plain text is read as a number: no other sign than '-', no zero in front."""
    digits = text.removeprefix("-")
    is_short = digits.isascii() and digits.isdigit() and len(digits) <= MOST_DIGITS
    return is_short and (text == "0" or digits[0] != "0")


class _NotPlain(Exception):
    """The text holds something that is not read here."""


def read_plainly(text: str) -> Read | None:
    """The content of a text, with its marks; None where it is not plain."""
    try:
        reader = _Blocks(text)
        found = reader.block(reader.indent(), 1)
    except _NotPlain:
        return None
    return found if reader.is_at_end() else None


class _Blocks:
    """Reads the lines that are not empty; each has its number, its indent and its text."""

    def __init__(self, text: str) -> None:
        self.lines = list(_lines(text))
        self.at = 0

    def is_at_end(self) -> bool:
        return self.at == len(self.lines)

    def indent(self) -> int:
        """The indent of the line that is next; -1 after the last."""
        return -1 if self.is_at_end() else self.lines[self.at][1]

    def starts_entry(self) -> bool:
        return self.lines[self.at][2].startswith("- ")

    def block(self, indent: int, depth: int) -> Read:
        """The list or mapping with lines of this indent."""
        if indent < 0 or depth > DEEPEST:
            raise _NotPlain
        return self.entries(indent, depth) if self.starts_entry() else self.mapping(indent, depth)

    def entries(self, indent: int, depth: int) -> Read:
        first = self.lines[self.at]
        values, marks = [], []
        while self.indent() == indent and self.starts_entry():
            number, _, text = self.lines[self.at]
            rest = text[1:].lstrip(" ")
            inside = indent + len(text) - len(rest)
            self.lines[self.at] = (number, inside, rest)
            value, mark = self.entry(inside, depth + 1)
            values.append(value)
            marks.append(mark)
        last = marks[-1]
        return values, Mark(first[0], indent, last.end_line, last.end_column, marks)

    def entry(self, indent: int, depth: int) -> Read:
        """The value after a dash: a mapping that continues below, or a value of one line."""
        number, _, text = self.lines[self.at]
        if _key_end(text) is not None:
            return self.mapping(indent, depth)
        self.at += 1
        return _in_line(number, indent, text, depth)

    def mapping(self, indent: int, depth: int) -> Read:
        first = self.lines[self.at]
        values: dict[str, Any] = {}
        marks: dict[str, tuple[Mark, Mark]] = {}
        while self.indent() == indent:
            number, _, text = self.lines[self.at]
            end = _key_end(text)
            key = text[:end]
            if end is None or key in values:
                raise _NotPlain
            self.at += 1
            values[key], mark = self.behind_key(number, indent, text[end + 1 :], end + 1, depth)
            marks[key] = Mark(number, indent, number, indent + end), mark
        last = mark
        return values, Mark(first[0], indent, last.end_line, last.end_column, marks)

    def behind_key(self, number: int, indent: int, rest: str, used: int, depth: int) -> Read:
        """The value in the line of its key, or the block below it."""
        value = rest.lstrip(" ")
        if value:
            return _in_line(number, indent + used + len(rest) - len(value), value, depth + 1)
        inside = self.indent()
        if inside < indent or (inside == indent and not self.starts_entry()):
            raise _NotPlain
        return self.block(inside, depth + 1)


def _lines(text: str) -> Any:
    """The lines without comments, blank lines and trailing spaces."""
    for number, line in enumerate(text.split("\n")):
        if not line.isprintable():
            raise _NotPlain
        content = line.lstrip(" ")
        if content and content[0] != "#":
            content, _, _ = content.partition(" #")
            yield number, len(line) - len(line.lstrip(" ")), content.rstrip(" ")


def _key_end(text: str) -> int | None:
    """The end of the key with which a line begins, if it does."""
    end = text.find(":")
    is_key = 0 < end <= LONGEST_KEY and text[end + 1 : end + 2] in ("", " ")
    return end if is_key and _is_word(text[:end]) else None


def _is_word(text: str) -> bool:
    """Whether a text can be nothing else in YAML, in brackets or outside."""
    if text.isalnum():
        return True
    bare = "".join(letter for letter in text if letter not in INSIDE_A_WORD)
    return bare.isalnum() and text[0].isalnum() and text[-1] != " "


def _plain(text: str) -> Any:
    """null, true, false and numbers; all else is text."""
    if text in WORDS:
        return WORDS[text]
    return int(text) if is_number(text) else text


# --- what is in one line


def _in_line(number: int, column: int, text: str, depth: int) -> Read:
    """The value that fills the rest of a line: a word, or brackets."""
    if text[0] not in CLOSES:
        return _word(number, column, text)
    brackets = _Brackets(number, column, text)
    found = brackets.value(depth)
    if brackets.at != len(text):
        raise _NotPlain
    return found


def _word(number: int, column: int, text: str) -> Read:
    if not _is_word(text):
        raise _NotPlain
    return _plain(text), Mark(number, column, number, column + len(text))


class _Brackets:
    """Reads the brackets of one line; `column` is where the text begins in it."""

    def __init__(self, number: int, column: int, text: str) -> None:
        self.number, self.column, self.text = number, column, text
        self.at = 0

    def value(self, depth: int) -> Read:
        opening = self.text[self.at : self.at + 1]
        if opening not in CLOSES:
            start, text = self.word()
            return _word(self.number, self.column + start, text)
        if depth > DEEPEST:
            raise _NotPlain
        start = self.at
        self.at += 1
        if opening == "[":
            values, marks = self.entries(depth + 1)
        else:
            values, marks = self.fields(depth + 1)
        span = (self.column + start, self.number, self.column + self.at)
        return values, Mark(self.number, *span, marks)

    def entries(self, depth: int) -> tuple[Any, Any]:
        values: list[Any] = []
        marks: list[Mark] = []

        def entry() -> None:
            value, mark = self.value(depth)
            values.append(value)
            marks.append(mark)

        self.until("]", entry)
        return values, marks

    def fields(self, depth: int) -> tuple[Any, Any]:
        values: dict[str, Any] = {}
        marks: dict[str, tuple[Mark, Mark]] = {}

        def pair() -> None:
            start, key = self.word()
            _, mark = _word(self.number, self.column + start, key)
            if key in values or len(key) > LONGEST_KEY or not self.text.startswith(": ", self.at):
                raise _NotPlain
            self.at += 1
            self.blanks()
            values[key], inner = self.value(depth)
            marks[key] = mark, inner

        self.until("}", pair)
        return values, marks

    def until(self, closing: str, part: Callable[[], None]) -> None:
        """Reads parts with commas between them, up to the closing bracket."""
        self.blanks()
        while not self.text.startswith(closing, self.at):
            part()
            self.blanks()
            if self.text.startswith(",", self.at):
                self.at += 1
                self.blanks()
                if self.text.startswith(closing, self.at):
                    raise _NotPlain
            elif not self.text.startswith(closing, self.at):
                raise _NotPlain
        self.at += 1

    def blanks(self) -> None:
        while self.text.startswith(" ", self.at):
            self.at += 1

    def word(self) -> tuple[int, str]:
        """The text up to the next sign that ends a word, and where it begins."""
        start = self.at
        end = ENDS_A_WORD.search(self.text, start)
        self.at = end.start() if end else len(self.text)
        return start, self.text[start : self.at].rstrip(" ")
