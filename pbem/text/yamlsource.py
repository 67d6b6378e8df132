"""Strict YAML: plain values, and the place of every key and every value.

Only null, true, false and plain decimal numbers of up to nine digits are more than text: `NO`,
`on`, `12:30`, `010`, `1_000` and dates stay what was written, and a key is always text. Anchors,
aliases, tags, merge keys, doubled keys, directives and second documents are refused, as are tabs
and control characters, so that what a person sees in the file is what the program reads.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pbem.late import Late
from pbem.messages import Said, say
from pbem.problems import Problem, Refused, Span
from pbem.text.plainyaml import WORDS, Mark, is_number, read_plainly
from pbem.text.source import Source
from pbem.text.wording import quoted, shown
from pbem.value import value

if TYPE_CHECKING:
    from pbem.text import yamlwords
else:  # which a file that is YAML does without
    yamlwords = Late("pbem.text.yamlwords")

Path = tuple[str | int, ...]

DEEPEST = 16
UNWRITTEN = (
    "(?P<tab>\t)|(?P<nbsp>^ *[\xa0\u2000-\u200a\u202f\u3000])"
    "|(?P<control>[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff])"
)


@value
class Document:
    """The content of a text: the plain value, and the place of each of its parts."""

    source: Source
    value: Any
    mark: Mark

    def span(self, path: Path = ()) -> Span:
        """The place of the value at the path, or of the nearest value around it that exists."""
        return self._span(self._walk(path)[0])

    def key_span(self, path: Path) -> Span:
        """The place of the key (of the value, in a list) that the path ends with."""
        mark, key = self._walk(path)
        return self._span(key or mark)

    def paths(self) -> Iterator[Path]:
        """Every path that has a value, outer ones first."""
        yield from _paths(self.mark, ())

    def _walk(self, path: Path) -> tuple[Mark, Mark | None]:
        mark, key = self.mark, None
        for step in path:
            inner = mark.inner
            if isinstance(inner, dict) and step in inner:
                key, mark = inner[step]
            elif isinstance(inner, list) and isinstance(step, int) and 0 <= step < len(inner):
                key, mark = None, inner[step]
            else:
                break
        return mark, key

    def _span(self, mark: Mark) -> Span:
        end = mark.end_column + 1 if mark.end_line == mark.line else 0
        return self.source.span(mark.line + 1, mark.column + 1, end)


def _paths(mark: Mark, path: Path) -> Iterator[Path]:
    yield path
    if isinstance(mark.inner, list):
        for index, inner in enumerate(mark.inner):
            yield from _paths(inner, (*path, index))
    elif isinstance(mark.inner, dict):
        for key, (_, inner) in mark.inner.items():
            yield from _paths(inner, (*path, key))


def read(source: Source, deepest: int = DEEPEST) -> Document:
    """The document of a text; Refused with everything that is wrong with it as YAML."""
    document, problems = examine(source, deepest)
    if problems:
        raise Refused(*problems)
    assert document is not None
    return document


def examine(source: Source, deepest: int = DEEPEST) -> tuple[Document | None, tuple[Problem, ...]]:
    """The document, if one can be made out, and the problems."""
    found = read_plainly(source.text) if deepest == DEEPEST else None
    if found is not None:
        return Document(source, *found), ()
    return examine_all(source, deepest)


def examine_all(
    source: Source, deepest: int = DEEPEST, *, pure: bool = False
) -> tuple[Document | None, tuple[Problem, ...]]:
    """The same by the YAML library alone; `pure` does without libyaml."""
    problems = _unwritten(source)
    if problems:
        return None, problems
    import yaml  # type: ignore[import-untyped]

    text = source.text
    while True:
        reader = _EventReader(source, _events(text, pure), deepest, pure)
        try:
            return reader.document(), tuple(reader.problems)
        except _Stop:
            return None, tuple(reader.problems)
        except yaml.MarkedYAMLError as error:
            begun = text[: error.problem_mark.index]
            if "maximum nesting depth" not in str(error.problem) or begun == text:
                sure = (each for each in reader.problems if each.code != "yaml-run-on")
                return None, (*sure, yamlwords.syntax_problem(source, error))
            # libyaml 0.2.6 reads ahead, and gives up at the thousandth bracket before it has told
            # of the first. Of the text before that place it tells, so that our limit is met.
            text = begun


def _unwritten(source: Source) -> tuple[Problem, ...]:
    """The problem of the first character that nobody writes on purpose."""
    found = re.search(UNWRITTEN, source.text, re.MULTILINE)
    if not found:
        return ()
    span = source.span_at(found.end() - 1)
    if found["tab"]:
        lines = source.text.count("\t")
        hint = say("indent with spaces")
        if lines > 1:
            hint = say("indent with spaces; the file has {tabs} tabs", tabs=lines)
        return (Problem("yaml-tab", say("there is a tab here"), span, hint=hint),)
    if found["nbsp"]:
        message = say("the line is indented with something that only looks like a space")
        hint = say(
            "replace it with spaces; it comes from copying text out of an e-mail or a web page"
        )
        return (Problem("yaml-space", message, span, hint=hint),)
    message = say("the control character {group} is not allowed", group=shown(found.group()))
    return (Problem("yaml-control", message, span, hint=say("delete it")),)


def _events(text: str, pure: bool) -> Callable[[], Any]:
    """The parser's next event: by libyaml where PyYAML was built with it."""
    import yaml

    if yaml.__with_libyaml__ and not pure:
        from yaml.cyaml import CParser  # type: ignore[import-untyped]

        return CParser(text).get_event
    return yaml.loader.BaseLoader(text).get_event


class _Stop(Exception):
    """Reading further is useless: what was found is in the list of problems."""


class _EventReader:
    """Turns the parser's events into values and marks."""

    def __init__(self, source: Source, event: Callable[[], Any], deepest: int, pure: bool) -> None:
        from yaml import events

        self.source = source
        self.event = event
        self.deepest = deepest
        self.pure = pure
        self.problems: list[Problem] = []
        self.scalar, self.alias = events.ScalarEvent, events.AliasEvent
        self.mapping, self.mapping_end = events.MappingStartEvent, events.MappingEndEvent
        self.sequence_end, self.stream_end = events.SequenceEndEvent, events.StreamEndEvent

    def document(self) -> Document:
        self.event()  # the stream starts
        start = self.event()
        if isinstance(start, self.stream_end):
            return Document(self.source, None, Mark(0, 0, 0, 0))
        if start.version or start.tags:
            self.refuse(
                "yaml-directive",
                say("a line beginning with % is not used here"),
                start,
                say("delete the line"),
            )
        value, mark = self.value(self.event(), 1)
        self.event()  # the document ends
        after = self.event()
        if not isinstance(after, self.stream_end):
            self.refuse(
                "yaml-documents",
                say("a second document begins here"),
                after,
                say("one file holds one document; delete the line '---'"),
            )
        return Document(self.source, value, mark)

    def value(self, event: Any, depth: int) -> tuple[Any, Mark]:
        kind = type(event)
        if kind is self.alias or event.anchor is not None or event.tag is not None:
            self.refuse_reference(event)
        if kind is self.scalar:
            return self.plain(event), _mark(event)
        if kind is self.alias:
            return None, _mark(event)
        if depth >= self.deepest:
            self.refuse(
                "yaml-depth",
                say("this is nested more than {deepest} levels deep", deepest=self.deepest),
                event,
                say("no order needs that; is a bracket left open?"),
            )
            raise _Stop
        if isinstance(event, self.mapping):
            return self.mapping_value(event, depth)
        return self.sequence_value(event, depth)

    def plain(self, event: Any) -> Any:
        """null, true, false and numbers where written plainly; all else is text."""
        text = event.value
        if not event.implicit[0]:
            return text
        if event.end_mark.line > event.start_mark.line:
            self.refuse_run_on(event)
        if text in WORDS:
            return WORDS[text]
        if is_number(text):
            return int(text)
        return text

    def sequence_value(self, start: Any, depth: int) -> tuple[list[Any], Mark]:
        values, marks = [], []
        in_brackets = start.flow_style
        event = self.event()
        while type(event) is not self.sequence_end:
            if in_brackets:
                self.refuse_question(event)
            value, mark = self.value(event, depth + 1)
            values.append(value)
            marks.append(mark)
            event = self.event()
        return values, _mark_around(start, event, marks, marks[-1:])

    def mapping_value(self, start: Any, depth: int) -> tuple[dict[str, Any], Mark]:
        values: dict[str, Any] = {}
        marks: dict[str, tuple[Mark, Mark]] = {}
        last: list[Mark] = []
        in_brackets = start.flow_style
        event = self.event()
        while type(event) is not self.mapping_end:
            if in_brackets:
                self.refuse_unlike(event)
            key, key_mark = self.key(event, depth), _mark(event)
            event = self.event()
            if in_brackets:
                self.refuse_question(event)
            value, mark = self.value(event, depth + 1)
            if key is not None and key not in values:
                values[key], marks[key] = value, (key_mark, mark)
            elif key is not None:
                self.refuse_doubled(key, key_mark, marks[key][0])
            last = [mark]
            event = self.event()
        return values, _mark_around(start, event, marks, last)

    def key(self, event: Any, depth: int) -> str | None:
        """The key's text; None if there is no usable one."""
        if type(event) is not self.scalar:
            self.refuse(
                "yaml-key",
                say("a key must be a word"),
                event,
                say("write 'key: value'; a list or mapping cannot be a key"),
            )
            self.value(event, depth + 1)
            return None
        if event.anchor is not None or event.tag is not None:
            self.refuse_reference(event)
        text: str = event.value
        if text == "<<":
            self.refuse(
                "yaml-merge", say("'<<' cannot be used here"), event, say("write the fields out")
            )
            return None
        if text == "":
            self.refuse(
                "yaml-key", say("there is no key before the ':'"), event, say("write 'key: value'")
            )
            return None
        return text

    # ------------------------------------------------------------ refusing

    def refuse(self, code: str, message: Said, event: Any, hint: Said) -> None:
        mark, end = event.start_mark, event.end_mark
        end_column = end.column + 1 if end.line == mark.line else 0
        span = self.source.span(mark.line + 1, mark.column + 1, end_column)
        self.problems.append(Problem(code, message, span, hint=hint))

    def refuse_reference(self, event: Any) -> None:
        anchor = event.anchor
        if anchor is not None:
            if isinstance(event, self.alias):
                self.refuse(
                    "yaml-alias",
                    say("the alias {anchor} cannot be used here", anchor=quoted("*" + anchor)),
                    event,
                    say("write the text out; put it into quotes if '*' is part of it"),
                )
                return
            self.refuse(
                "yaml-anchor",
                say("the anchor {anchor} cannot be used here", anchor=quoted("&" + anchor)),
                event,
                say("leave it out; put the text into quotes if '&' is part of it"),
            )
        if getattr(event, "tag", None) is not None:
            mark = event.start_mark
            span = self.source.span(mark.line + 1, mark.column + 1, mark.column + 2)
            self.problems.append(
                Problem(
                    "yaml-tag",
                    say("a text cannot begin with '!'"),
                    span,
                    hint=say("put it into quotes; types are never written"),
                )
            )

    # In brackets the two parsers part ways in two places; both ways are refused.

    def refuse_unlike(self, event: Any) -> None:
        self.refuse_question(event)
        if self.pure and type(event) is self.scalar and event.implicit[0]:
            self.refuse_close_colon(event)

    def refuse_question(self, event: Any) -> None:
        """libyaml reads `[a?b]` as a text, PyYAML's own parser does not."""
        if type(event) is self.scalar and event.implicit[0] and "?" in event.value:
            self.refuse(
                "yaml-syntax",
                say("a text with '?' in brackets needs quotes"),
                event,
                say("put it into quotes"),
            )
            raise _Stop

    def refuse_run_on(self, event: Any) -> None:
        """YAML reads a '- ' that stands too far to the right as more of the text above it."""
        first = event.start_mark.line + 1
        for number in range(first + 1, event.end_mark.line + 2):
            line = self.source.lines[number - 1] if number <= len(self.source.lines) else ""
            column = len(line) - len(line.lstrip()) + 1
            if line.lstrip().startswith("- "):
                told = say("this is read as more of the text that begins in line {line}",
                           line=first)  # fmt: skip
                span = self.source.span(number, column, column + 1)
                hint = say("indent the entries of a list equally, each after '- '; a text of "
                           "several lines needs quotes")  # fmt: skip
                self.problems.append(Problem("yaml-run-on", told, span, hint=hint))
                return

    def refuse_close_colon(self, event: Any) -> None:
        """PyYAML's own parser reads `{a:[b]}` as a key with a list, libyaml does not."""
        mark = event.end_mark
        after = self.source.text[mark.index : mark.index + 2]
        if after[:1] == ":" and after[1:] in tuple(",?[]{}"):
            span = self.source.span(mark.line + 1, mark.column + 1, mark.column + 2)
            told, hint = say("a ':' needs a space after it"), say("write 'key: value'")
            if after[1:] in tuple(",]}"):
                told, hint = yamlwords.nothing_behind()
            self.problems.append(Problem("yaml-syntax", told, span, hint=hint))
            raise _Stop

    def refuse_doubled(self, key: str, mark: Mark, first: Mark) -> None:
        span = self.source.span(mark.line + 1, mark.column + 1, mark.end_column + 1)
        same = first.line == mark.line
        message = say("{key} is written twice here", key=quoted(key))
        hint = say("it is already in line {line}; delete one of the two", line=first.line + 1)
        if same:
            column = first.column + 1
            hint = say("it is already in column {column}; delete one of the two", column=column)
        self.problems.append(Problem("yaml-doubled-key", message, span, hint=hint))


def _mark(event: Any) -> Mark:
    first, last = event.start_mark, event.end_mark
    return Mark(first.line, first.column, last.line, last.column)


def _mark_around(start: Any, end: Any, inner: Any, last: list[Mark]) -> Mark:
    """The span from a bracket to its other, or from the first to the last part of a block."""
    first = start.start_mark
    if start.flow_style or not last:
        stop = end.end_mark
        return Mark(first.line, first.column, stop.line, stop.column, inner)
    return Mark(first.line, first.column, last[0].end_line, last[0].end_column, inner)
