"""The errors of the YAML parser in our words: the same for libyaml and for PyYAML's own."""

from __future__ import annotations

from typing import Any

from pbem.messages import Message, marked, say
from pbem.problems import Problem, Span
from pbem.text.source import Source
from pbem.text.wording import shown

# What the parser's context or problem contains; what we say; what we advise. The first row that
# fits is taken, so the order matters. {char}: what is there. {line}: where it was begun.
# A row ending in True is told where the thing was begun, the others where reading came to a halt.
ROWS: tuple[tuple[str, str, str, bool], ...] = (
    (
        "mapping values are not allowed",
        marked("a ':' is not expected here"),
        marked("a text with ': ' in it needs quotes; else look at the indentation"),
        False,
    ),
    (
        "sequence entries are not allowed",
        marked("a '-' is not expected here"),
        marked("a list with dashes starts on a line of its own"),
        False,
    ),
    (
        "mapping keys are not allowed",
        marked("a '?' is not expected here"),
        marked("put it into quotes"),
        False,
    ),
    (
        "found unexpected ':'",
        marked("a ':' needs a space after it"),
        marked("write 'key: value'"),
        False,
    ),
    (
        "escape",
        marked('a backslash in "..." begins an unknown escape'),
        marked("use '...', where a backslash is a backslash"),
        False,
    ),
    (
        "hexdecimal",
        marked('a backslash in "..." begins an unknown escape'),
        marked("use '...', where a backslash is a backslash"),
        False,
    ),
    (
        "scanning a quoted scalar",
        marked("this quotation mark is never closed"),
        marked("an apostrophe inside '...' is doubled: ''"),
        True,
    ),
    (
        "cannot start any token",
        marked("a text cannot begin with {char}"),
        marked("put it into quotes"),
        False,
    ),
    (
        "scanning an alias",
        marked("a text cannot begin with '*'"),
        marked("put it into quotes"),
        True,
    ),
    (
        "scanning an anchor",
        marked("a text cannot begin with '&'"),
        marked("put it into quotes"),
        True,
    ),
    ("a tag", marked("a text cannot begin with '!'"), marked("put it into quotes"), True),
    ("a directive", marked("a line cannot begin with '%'"), marked("put it into quotes"), True),
    (
        "scanning a block scalar",
        marked("after '|' or '>' the text begins on the next line"),
        "",
        False,
    ),
    (
        "document start",
        marked("something follows the end"),
        marked("a file is one mapping: indent all its keys like the first"),
        False,
    ),
    (
        "scanning a simple key",
        marked("this line has no ':'"),
        marked("write 'key: value', with a space"),
        True,
    ),
    (
        "flow sequence",
        marked("a ',' or ']' is missing here"),
        marked("the '[' is in line {line}"),
        False,
    ),
    (
        "flow mapping",
        marked("a ',' or '}' is missing here"),
        marked("the '{' is in line {line}"),
        False,
    ),
    ("flow node", marked("a value is missing here"), "", False),
    ("block node", marked("a value is missing here"), "", False),
    (
        "block",
        marked("this does not fit the block that begins in line {line}"),
        marked(
            "indent lines that belong together equally, with one 'key: value' or '- entry' each"
        ),
        False,
    ),
)
DASHES = "–—−•·"
UNKNOWN = ("", marked("this cannot be read as YAML"), "", False)
UNCLOSED = {
    "flow sequence": marked("this '[' is never closed"),
    "flow mapping": marked("this '{' is never closed"),
}


def syntax_problem(source: Source, error: Any) -> Problem:
    """The parser's error as a problem at a place."""
    said = f"{error.context or ''}; {error.problem or ''}"
    begun = error.context_mark or error.problem_mark
    at_end = _is_at_end(source, error.problem_mark)
    if dashed := _dash(source, begun) or _dash(source, error.problem_mark):
        return Problem(
            "yaml-syntax",
            say("this dash is not the '-' that begins an entry"),
            dashed,
            hint=say("write '- ', a plain hyphen and a space"),
        )
    if fence := _fence(source, begun) or _fence(source, error.problem_mark):
        return Problem(
            "yaml-syntax",
            say("this line is not YAML: a web page or a chat puts it around a text"),
            fence,
            hint=say("delete the lines that begin with ```"),
        )
    for kind, message in UNCLOSED.items():
        if at_end and kind in said:
            span = _span(source, begun)
            return Problem(
                "yaml-syntax", say(message), span, hint=say("is the end of the file missing?")
            )
    _, message, hint, at_begin = next((row for row in ROWS if row[0] in said), UNKNOWN)
    mark = begun if at_begin else error.problem_mark
    if "while parsing a block" in said and _char(source, mark) in ("']'", "'}'"):
        message = marked("this {char} closes nothing")
        hint = marked("delete it, or write what opens it")
    if "unexpected ':'" in said and _char(source, mark) == "':'" and _closes_after(source, mark):
        message, hint = NOTHING_BEHIND, OR_LEAVE_OUT
    words = {"line": begun.line + 1, "char": _char(source, mark)}
    if at_end and not at_begin:
        return Problem(
            "yaml-syntax",
            say("the file ends in the middle of something"),
            _last_place(source),
            hint=say("is the end of the file missing?"),
        )
    hinted = say(hint, **words) if hint else ""
    return Problem("yaml-syntax", say(message, **words), _span(source, mark), hint=hinted)


NOTHING_BEHIND = marked("nothing stands after this ':'")
OR_LEAVE_OUT = marked("write 'key: value', or leave it out")


def nothing_behind() -> tuple[Message, Message]:
    """What is wrong where nothing stands behind a colon, and what to do about it."""
    return say(NOTHING_BEHIND), say(OR_LEAVE_OUT)


def _closes_after(source: Source, mark: Any) -> bool:
    """Whether what is open ends behind the character at a place."""
    return source.lines[mark.line][mark.column + 1 :].lstrip()[:1] in ("}", "]", ",")


def _fence(source: Source, mark: Any) -> Span | None:
    """The place of a line that begins or ends a block of code in Markdown, if it is one."""
    line = source.lines[mark.line] if mark.line < len(source.lines) else ""
    if line.lstrip().startswith("```"):
        return source.span(mark.line + 1, len(line) - len(line.lstrip()) + 1)
    return None


def _dash(source: Source, mark: Any) -> Span | None:
    """The place of a typographic dash or bullet at the beginning of the line, if there is one."""
    line = source.lines[mark.line] if mark.line < len(source.lines) else ""
    rest = line.lstrip()
    if rest[:1] and rest[0] in DASHES and rest[1:2] in ("", " "):
        return source.span(mark.line + 1, len(line) - len(rest) + 1)
    return None


def _is_at_end(source: Source, mark: Any) -> bool:
    rest = (
        [source.lines[mark.line][mark.column :], *source.lines[mark.line + 1 :]]
        if (mark.line < len(source.lines))
        else []
    )
    return not any(line.split("#")[0].strip() for line in rest)


def _last_place(source: Source) -> Span:
    """The end of the last line that has something in it."""
    last = max((i for i, line in enumerate(source.lines) if line.strip()), default=0)
    length = len(source.lines[last].rstrip())
    return source.span(last + 1, max(length, 1), max(length, 1) + 1)


def _span(source: Source, mark: Any) -> Span:
    return source.span(mark.line + 1, mark.column + 1, mark.column + 2)


def _char(source: Source, mark: Any) -> str:
    line = source.lines[mark.line] if mark.line < len(source.lines) else ""
    return f"'{shown(line[mark.column : mark.column + 1])}'"
