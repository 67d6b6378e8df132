"""Texts, places and what a problem looks like."""

import pytest

from pbem.problems import Problem, Refused, Span
from pbem.text.source import Source, render, render_all

LINE = "  - move: {units: [INF], from: sevilla, to: merida}"


def test_a_problem_is_shown_with_its_line_a_caret_the_rule_and_a_hint():
    source = Source("orders.yaml", f"\n\n\n{LINE}\n")
    span = source.span(4, LINE.index("merida") + 1, LINE.index("merida") + 7)
    problem = Problem(
        "not-next",
        "Mérida is not next to Sevilla",
        span,
        "10.1.4",
        "from Sevilla you can reach Santa Olalla, Riotinto, Huelva and Écija",
    )
    assert render(problem) == (
        "orders.yaml:4:45: Mérida is not next to Sevilla [rule 10.1.4]\n"
        "    4 |   - move: {units: [INF], from: sevilla, to: merida}\n"
        "      |                                             ^^^^^^\n"
        "      hint: from Sevilla you can reach Santa Olalla, Riotinto, Huelva and Écija"
    )


@pytest.mark.parametrize(
    "span, line",
    [
        (None, "no key"),
        (Span("orders.yaml", 0, 0), "orders.yaml: no key"),
        (Span("\x1b[2J.yaml", 0, 0), "\\x1b[2J.yaml: no key"),
        (Span("a.yaml", 3, 1), "a.yaml:3:1: no key"),
    ],
)
def test_a_problem_without_a_line_is_one_line(span, line):
    assert render(Problem("no-key", "no key", span)) == line


@pytest.mark.parametrize(
    "excerpt, column, end, shown",
    [
        ("\x1b[31m: x", 8, 9, "    1 | \\x1b[31m: x\n      |           ^"),
        ("\u202ea: x", 5, 6, "    1 | \\u202ea: x\n      |          ^"),
        ("a: Mérida b", 11, 12, "    1 | a: Mérida b\n      |           ^"),
        ("Me\u0301: b", 6, 7, "    1 | Me\u0301: b\n      |     ^"),
        ("日本: b", 5, 6, "    1 | 日本: b\n      |       ^"),
    ],
)
def test_the_caret_stands_under_what_is_meant(excerpt, column, end, shown):
    text = render(Problem("x", "m", Span("f", 1, column, end, excerpt)))
    assert text == f"f:1:{column}: m\n{shown}"


def test_of_a_long_line_only_what_is_around_the_place_is_shown():
    source = Source("f", "a" * 5000 + "BAD" + "c" * 5000)
    line, caret = render(Problem("x", "m", source.span(1, 5001, 5004))).split("\n")[1:]
    assert len(line) < 120
    assert line[caret.index("^") :].startswith("BADc") and caret.count("^") == 3
    line, caret = render(Problem("x", "m", source.span(1, 1, 9000))).split("\n")[1:]
    assert len(line) < 120 and len(caret) < 120


def test_all_problems_of_a_pass_are_shown_up_to_a_limit():
    text = render_all([Problem("x", f"problem {n}") for n in range(50)], most=2)
    assert text == "problem 0\nproblem 1\n... and 48 more"


@pytest.mark.parametrize(
    "content, text",
    [
        (b"a: 1\n", "a: 1\n"),
        (b"\xef\xbb\xbfa: 1\n", "a: 1\n"),
        (b"a: 1\r\nb: 2\r", "a: 1\nb: 2\n"),
        ("Mérida".encode(), "Mérida"),
        (b"", ""),
    ],
)
def test_decoding(content, text):
    assert Source.decode("f", content).text == text


@pytest.mark.parametrize(
    "content, said",
    [
        (
            b"a" * 66560,
            "f: the file has 65 KiB; the limit is 64 KiB\n      hint: is this the right file?",
        ),
        (
            b"\xff\xfea\x00",
            "f: the file is saved as UTF-16\n"
            "      hint: save it as UTF-8; most editors ask in 'save as'",
        ),
        (
            "orders:\n".encode("utf-16-le"),
            "f: the file is saved as UTF-16\n"
            "      hint: save it as UTF-8; most editors ask in 'save as'",
        ),
        (
            "orders:\n".encode("utf-16-be"),
            "f: the file is saved as UTF-16\n"
            "      hint: save it as UTF-8; most editors ask in 'save as'",
        ),
        (
            "x\n  M\u00e9rida".encode("latin-1"),
            "f:2:4: the byte 0xe9 here is not UTF-8\n    2 |   Mérida\n      |    ^\n"
            "      hint: save it as UTF-8; most editors ask in 'save as'",
        ),
        (
            b"\xef\xbb\xbf\xc3\xa9\xff x",
            "f:1:2: the byte 0xff here is not UTF-8\n    1 | éÿ x\n      |  ^\n"
            "      hint: save it as UTF-8; most editors ask in 'save as'",
        ),
        (
            b"\xed\xa0\x80",
            "f:1:1: the byte 0xed here is not UTF-8\n    1 | í\\xa0\\x80\n      | ^\n"
            "      hint: save it as UTF-8; most editors ask in 'save as'",
        ),
    ],
)
def test_what_is_no_text_is_refused(content, said):
    with pytest.raises(Refused) as refused:
        Source.decode("f", content)
    assert render(refused.value.problems[0]).replace("\xa0", "\\xa0") == said


@pytest.mark.parametrize("offset, line, column", [(0, 1, 1), (2, 1, 3), (3, 2, 1), (5, 2, 3)])
def test_an_offset_is_a_line_and_column(offset, line, column):
    span = Source("f", "ab\ncd\n").span_at(offset)
    assert (span.line, span.column, span.end_column) == (line, column, column + 1)


def test_a_line_that_is_not_there_has_no_excerpt():
    assert Source("f", "a").span(9, 1).excerpt == ""
    assert Source("f", "a").whole() == Span("f", 0, 0)
