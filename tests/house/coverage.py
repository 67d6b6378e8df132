"""Joins the rulebook with the code, the data and the tests of each rule.

Nothing is read from disk here: the caller passes the numbered rules, the citations and the source
texts.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from pbem.value import value

KINDS: dict[str, str] = {
    "engine": "enforced by code",
    "data": "in the data",
    "setup": "in a scenario",
    "umpire": "left to the players",
    "omitted": "left out, with the reason",
}

KEPT_ELSEWHERE = frozenset(KINDS) - {"engine"}
"""The kinds for which no code is needed."""

Citation = tuple[str, str]
"""A rule number and where it is cited."""


@value
class NamedChapter:
    """A chapter named by a word with which the numbers of its rules begin.

    `kind` is set where its rules are the entries of a list in the data, such as the events of
    cards: each number is the word and the entry's id, the kind of each rule is the word too, and
    `kind` explains it in the list of kinds.
    """

    id: str
    title: str
    kind: str = ""


@value
class NumberedRule:
    """A rule of the rulebook and how it is kept; `why` where no code keeps it, and what it says
    (`text`) where the rule is ours.

    `kind` is one of KINDS, or the id of a chapter that is a list of the data.
    """

    number: str
    title: str
    kind: str
    why: str = ""
    text: str = ""

    @property
    def chapter(self) -> str:
        """What the number begins with: "10" of 10.2.4, "RC" of RC.adjacent."""
        return self.number.replace(" ", ".").split(".")[0]

    @property
    def wants_code(self) -> bool:
        """Whether a function must cite the rule; data, the set-up or a person may keep it
        instead.
        """
        return self.kind not in KEPT_ELSEWHERE


@value
class CoveredRule:
    """One rule with every place in code, data and tests that keeps or shows it."""

    rule: NumberedRule
    code: tuple[str, ...]
    data: tuple[str, ...]
    tests: tuple[str, ...]

    @property
    def is_kept(self) -> bool:
        """Whether it is cited, or needs no code."""
        return bool(self.code) or not self.rule.wants_code


@value
class Reading:
    """How we read an unclear rule; `within` is the function in which we read it so. The text may
    begin with numbers of rules that it is about, such as "9.1.2, 10.2, ...".
    """

    file: str
    line: int
    within: str
    text: str


@value
class Matrix:
    """Every rule of a game in the order of the rulebook, and how the unclear ones are read."""

    title: str
    rows: tuple[CoveredRule, ...]
    readings: tuple[Reading, ...] = ()
    chapters: tuple[NamedChapter, ...] = ()
    served: tuple[Citation, ...] = ()
    """What keeps a part of a rule that another function keeps."""
    audited: tuple[str, ...] = ()
    """The numbers that only an audit can judge where counters lie face down."""

    def find(self, number: str) -> tuple[CoveredRule, ...]:
        """The rows of a number and of everything below it: 10.2 finds 10.2, 10.2.1, 10.2.1/a."""
        below = (f"{number}.", f"{number}/")
        return tuple(
            row
            for row in self.rows
            if row.rule.number == number or row.rule.number.startswith(below)
        )

    def without_code(self) -> tuple[str, ...]:
        """Numbers that code should keep and none does yet."""
        return tuple(row.rule.number for row in self.rows if not row.is_kept)

    def without_test(self) -> tuple[str, ...]:
        """Numbers that code keeps and no test shows yet."""
        return tuple(
            row.rule.number
            for row in self.rows
            if row.rule.wants_code and row.code and not row.tests
        )


def joined(
    rules: Iterable[NumberedRule],
    code: Iterable[Citation],
    data: Iterable[Citation],
    tests: Iterable[Citation],
) -> tuple[CoveredRule, ...]:
    """A row for each rule. Citations of unknown numbers are left to `unknown`."""
    kept, held, shown = _by_number(code), _by_number(data), _by_number(tests)
    return tuple(
        CoveredRule(
            rule, kept.get(rule.number, ()), held.get(rule.number, ()), shown.get(rule.number, ())
        )
        for rule in rules
    )


def _by_number(citations: Iterable[Citation]) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for number, where in citations:
        found.setdefault(number, set()).add(where)
    return {number: tuple(sorted(places)) for number, places in found.items()}


def unknown(rules: Iterable[NumberedRule], citations: Iterable[Citation]) -> list[Citation]:
    """Citations of a number that the rulebook does not have."""
    known = {rule.number for rule in rules}
    return sorted({cited for cited in citations if cited[0] not in known})


# ---------------------------------------------------------------- reading sources


def marks(source: str, path: str) -> Iterator[Citation]:
    """Every `pytest.mark.rule(...)` of a test module, with the test that bears it."""
    tree = ast.parse(source)
    for bearer, nodes in _bearers(tree):
        where = f"{path}::{bearer}" if bearer else path
        for node in nodes:
            yield from ((number, where) for number in _numbers(node))


def _bearers(tree: ast.Module) -> Iterator[tuple[str, list[ast.expr | ast.stmt]]]:
    """Each decorated test (methods as Class::test) with its decorators; "" is the module itself."""
    plain: list[ast.expr | ast.stmt] = []
    for statement in tree.body:
        if not isinstance(statement, ast.FunctionDef | ast.ClassDef):
            plain.append(statement)
            continue
        yield statement.name, [*statement.decorator_list]
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                if isinstance(inner, ast.FunctionDef):
                    yield f"{statement.name}::{inner.name}", [*inner.decorator_list]
    yield "", plain


def _numbers(node: ast.AST) -> Iterator[str]:
    for call in ast.walk(node):
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        owner = getattr(call.func.value, "attr", getattr(call.func.value, "id", ""))
        if call.func.attr != "rule" or owner != "mark":
            continue
        for argument in call.args:
            if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                yield argument.value


READING = "# reading:"


def readings(source: str, path: str) -> Iterator[Reading]:
    """Every comment that begins with `reading:`, with all its lines."""
    lines = source.splitlines()
    body = ast.parse(source).body if READING in source else []
    for at, line in enumerate(lines):
        words = line.strip()
        if not words.startswith(READING):
            continue
        text = [words.removeprefix(READING).strip()]
        for further in lines[at + 1 :]:
            more = further.strip()
            if not more.startswith("# ") or more.startswith(READING):
                break
            text.append(more.removeprefix("# "))
        yield Reading(path, at + 1, _enclosing(body, at + 1), " ".join(text))


def _enclosing(body: list[ast.stmt], line: int) -> str:
    """The qualified name of the innermost function or class around a line."""
    names: list[str] = []
    nodes = body
    while nodes:
        inside = next((node for node in nodes if _spans(node, line)), None)
        if inside is None:
            break
        if isinstance(inside, ast.FunctionDef | ast.ClassDef):
            names.append(inside.name)
        nodes = getattr(inside, "body", [])
    return ".".join(names)


def _spans(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


# ---------------------------------------------------------------- for programs


def read_in(matrix: Matrix) -> Iterator[tuple[Reading, tuple[str, ...]]]:
    """Each reading with the rules that it is about: those with which it begins, and those that the
    functions and classes around it keep or serve.
    """
    kept: dict[str, list[str]] = {}
    for row in matrix.rows:
        for where in row.code:
            kept.setdefault(where, []).append(row.rule.number)
    for number, where in matrix.served:
        kept.setdefault(where, []).append(number)
    known = {row.rule.number for row in matrix.rows}
    for reading in matrix.readings:
        about = [number for number in _named_first(reading.text) if number in known]
        where = reading.file.removesuffix(".py").replace("/", ".")
        for name in reading.within.split("."):
            where = f"{where}.{name}"
            about += kept.get(where, ())
        yield reading, tuple(dict.fromkeys(about))


def _named_first(text: str) -> Iterator[str]:
    """The numbers with which a text begins; those of our own list of doubts are passed over."""
    for word in text.split(", "):
        if not NUMBER.fullmatch(word):
            return
        yield word


NUMBER = re.compile(r"([a-z]+ )?[A-Z]{0,2}\d*(\.\w+)*(/\w+)?")
"""A number of a rule, of a doubt (Q7), or of an entry of the data ("card N5")."""


def plain(matrix: Matrix) -> dict[str, Any]:
    """The matrix as plain values; a reading is listed with each rule that it is about."""
    read: dict[str, list[str]] = {}
    for reading, numbers in read_in(matrix):
        for number in numbers:
            read.setdefault(number, []).append(reading.text)
    rules = [
        {
            "number": row.rule.number, "title": row.rule.title, "kind": row.rule.kind,
            "why": row.rule.why, "code": list(row.code), "data": list(row.data),
            "tests": list(row.tests),
            "readings": read.get(row.rule.number, []),
            **({"text": row.rule.text} if row.rule.text else {}),
            **({"audit": True} if row.rule.number in matrix.audited else {}),
        }
        for row in matrix.rows
    ]  # fmt: skip
    return {"title": matrix.title, "rules": rules}


# ---------------------------------------------------------------- the page


def page(matrix: Matrix) -> str:
    """The matrix as a page for people: counts, a table a chapter, the readings."""
    lines = [
        f"# {matrix.title}: every numbered rule",
        "",
        "Made by `make matrix`, not to be edited. For each rule it names the code that enforces it",
        "and the tests that show it; *not yet* means that code will enforce it, but none does yet.",
        "",
        *_counts(matrix),
    ]
    chapters: dict[str, list[CoveredRule]] = {}
    for row in matrix.rows:
        chapters.setdefault(row.rule.chapter, []).append(row)
    for chapter, rows in chapters.items():
        lines += ["", f"## {_heading(matrix, chapter, rows)}", "", *_table(rows)]
    if matrix.readings:
        lines += ["", "## How unclear rules are read", "", *map(_reading_line, matrix.readings)]
    return "\n".join(lines) + "\n"


def _counts(matrix: Matrix) -> list[str]:
    lines = ["| kind | rules | in code | tested | not yet |", "|---|--:|--:|--:|--:|"]
    listed = {chapter.id: chapter.kind for chapter in matrix.chapters}
    for kind, words in (KINDS | listed).items():
        rows = [row for row in matrix.rows if row.rule.kind == kind]
        if rows:
            coded = sum(bool(row.code) for row in rows)
            tested = sum(bool(row.tests) for row in rows)
            missing = sum(not row.is_kept for row in rows)
            lines.append(f"| {kind}: {words} | {len(rows)} | {coded} | {tested} | {missing} |")
    return lines


def _heading(matrix: Matrix, chapter: str, rows: list[CoveredRule]) -> str:
    for each in matrix.chapters:
        if each.id == chapter:
            return each.title
    first = rows[0].rule
    return f"{chapter}. {first.title}" if first.number == f"{chapter}.0" else chapter


def _table(rows: list[CoveredRule]) -> Iterator[str]:
    yield "| rule | title | kind | enforced by | tested by |"
    yield "|---|---|---|---|---|"
    for row in rows:
        rule = row.rule
        tests = ", ".join(_short_test(test) for test in row.tests)
        yield f"| {rule.number} | {_cell(rule.title)} | {rule.kind} | {_kept_by(row)} | {tests} |"


def _kept_by(row: CoveredRule) -> str:
    places = [f"`{place}`" for place in row.code] + list(row.data)
    if places:
        return ", ".join(places)
    return _cell(row.rule.why) if row.is_kept else "*not yet*"


def _short_test(test: str) -> str:
    path, _, name = test.partition("::")
    stem = path.rpartition("/")[2].removesuffix(".py")
    return f"`{stem}::{name}`" if name else f"`{stem}`"


def _reading_line(reading: Reading) -> str:
    within = f", {reading.within}" if reading.within else ""
    return f"- {reading.text} (`{reading.file}{within}`)"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
