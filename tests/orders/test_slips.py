"""Slips of the pen in YAML: each is told at its place, and doing what the hint says mends it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from order_samples import NAMES, VERBS

from pbem.orders import slips
from pbem.orders.bind import unknown_names
from pbem.orders.parse import parse
from pbem.problems import Problem, Refused
from pbem.text.source import Source

MOVE = "- move: {units: [INF-1], path: [caceres, merida]}"
FIELDS = "{units: [INF-1], path: [caceres, merida]}"
HEAD = "orders:\n  "
AS_MOVE = f"write it as: {MOVE}"

TABLE: dict[str, tuple[str, str, str]] = {
    "no dash": (f"{HEAD}move: {FIELDS}\n", "2:3", AS_MOVE),
    "no dash in the second order": (f"{HEAD}- done\n  move: {FIELDS}\n", "3:3", AS_MOVE),
    "no dash and not indented": (f"orders:\nmove: {FIELDS}\n", "2:1", AS_MOVE),
    "no dash before a word": (f"{HEAD}{MOVE}\n  done\n", "3:3", "write it as: - done"),
    "no space after the dash": (f"{HEAD}-move: {FIELDS}\n", "2:3", AS_MOVE),
    "no space after the second dash": (f"{HEAD}- done\n  -move: {FIELDS}\n", "3:3", AS_MOVE),
    "no colon in an entry": (
        f"{HEAD}- attack:\n      space: merida\n      units:\n        caceres: [INF-1]\n"
        "        merida [INF-1]\n", "6:9", "write it as: merida: [INF-1]",
    ),
    "no space after the colon of an entry": (
        f"{HEAD}- attack:\n      space: merida\n      units:\n        caceres: INF-1\n"
        "        merida:INF-2\n", "6:9", "write it as: merida: INF-2",
    ),
    **{
        f"{mark!r} for the colon of {which} entry, {entries}": (
            f"{HEAD}- attack:\n      space: merida\n      units:\n{above}"
            f"        merida{mark}{value}\n{below}",
            "6:16" if which == "the first" and below else f"{line}:9",
            f"write {'line 5' if which == 'the first' and below else 'it'} as: merida: {value}",
        )
        for mark in (" ", ":", ", ", "; ", " = ")
        for value in ("INF-2", "[INF-2, INF-3]")
        for which, above, line in (("the first", "", 5),
                                   ("another", "        caceres: [INF-1, INF-4]   # here\n", 6))
        for entries, below in (("the last", ""), ("with two others",
                               "        sevilla: AFR-1\n        lugo: AFR-2\n"))
    },
    "a quoted line": (
        f"{HEAD}{MOVE}\n> see you on Monday: Ana\n  - done\n", "3:3",
        "a line with '>' is quoted from a mail: delete it",
    ),
    "the last words of a mail": (
        f"{HEAD}{MOVE}\nGreetings, Beto\n", "3:1",
        "if it belongs to your mail and not to the orders, delete it and what follows",
    ),
    "the last words of a mail in lines": (
        f"{HEAD}{MOVE}\n\nGreetings\nBeto\n", "4:1",
        "if it belongs to your mail and not to the orders, delete it and what follows",
    ),
    "a condition without its braces": (
        f"{HEAD}{MOVE}\n    when: front: 50\n", "3:16", "write it as: when: {front: 50}",
    ),
    "a field as far to the left as its order": (
        f"{HEAD}- attack: {{space: merida, units: {{caceres: [INF-1]}}}}\n  losses: [INF]\n", "3:3",
        "indent this line by 4 spaces",
    ),
    "a verb of another language with a field below that is a verb as well": (
        f"{HEAD}- mobiliser: {{move: [caceres]}}\n    attack: [merida]\n", "2:5",
        "did you mean activate?",
    ),
    "a misspelt verb with fields below": (
        f"{HEAD}- atack: {{space: merida, units: {{caceres: [INF-1]}}}}\n    losses: [INF]\n    "
        "advance: none\n", "2:5", "did you mean attack?",
    ),
    "an order below another one without its dash": (
        f"{HEAD}{MOVE}\n    done\n", "3:5", "write it with 2 spaces before it, as: - done",
    ),
    "numbers": (f"{HEAD}1. done\n", "2:3", "begin each order with '- '"),
    "a signature": (
        f"{HEAD}- done\n-- \nAna\n", "3:1",
        "a mail's signature begins here: delete it and what follows",
    ),
    "two commas": (f"{HEAD}{MOVE.replace('], ', '],, ')}\n", "2:27", AS_MOVE),
    "two dashes": (f"{HEAD}-- move: {FIELDS}\n", "2:3", AS_MOVE),
    "a semicolon behind the verb": (f"{HEAD}- move; {FIELDS}\n", "2:26", AS_MOVE),
    "round brackets around a list": (
        f"{HEAD}{MOVE.replace('[INF-1]', '(INF-1, INF-2)')}\n", "2:27",
        f"write it as: {MOVE.replace('[INF-1]', '[INF-1, INF-2]')}",
    ),
    "a word for the same field": (
        f"{HEAD}- attack: {{target: merida, units: {{caceres: [INF-1]}}}}\n", "2:14",
        "did you mean space?",
    ),
    "another dash": (f"{HEAD}– move: {FIELDS}\n", "2:3", AS_MOVE),
    "a star": (f"{HEAD}* done\n", "2:3", "write it as: - done"),
    "no space after the verb's colon": (f"{HEAD}- move:{FIELDS}\n", "2:25", AS_MOVE),
    "neither dash nor space": (f"{HEAD}move:{FIELDS}\n", "2:23", AS_MOVE),
    "no space on either side": (f"{HEAD}-move:{FIELDS}\n", "2:24", AS_MOVE),
    "no space after a field's colon": (
        f"{HEAD}{MOVE.replace('units: ', 'units:')}\n", "2:17", AS_MOVE,
    ),
    "no space after a key's colon": (
        f"{HEAD}- attack: {{space: merida, units: {{caceres:[INF-1]}}}}\n", "2:44",
        "write it as: - attack: {space: merida, units: {caceres: [INF-1]}}",
    ),
    "no brackets round a list": (
        f"{HEAD}- move: {{units: INF-1, INF-2, path: [caceres, merida]}}\n", "2:26",
        "write it as: - move: {units: [INF-1, INF-2], path: [caceres, merida]}",
    ),
    "no space in a field of its own line": (
        f"{HEAD}- move:\n      units:[INF-1]\n      path: [caceres, merida]\n", "4:11",
        "write line 3 as: units: [INF-1]",
    ),
    "round brackets around the fields": (
        f"{HEAD}- move: ({FIELDS[1:-1]})\n", "2:17", AS_MOVE,
    ),
    "a colon of another keyboard": (f"orders：\n  {MOVE}\n", "2:9", "write line 1 as: orders:"),
    "such a colon after the verb": (f"{HEAD}- move：{FIELDS}\n", "2:25", AS_MOVE),
    "a tab": ("orders:\n\t- done\n", "2:1", "indent with spaces"),
    "curly quotes": (f"{HEAD}{MOVE.replace('INF-1', '“INF-1”')}\n", "2:20", AS_MOVE),
    "curly quotes around a verb": (f"{HEAD}{MOVE.replace('move', '“move”')}\n", "2:5", AS_MOVE),
    "curly quotes around orders": ("“orders”:\n  - done\n", "1:1", "write it as: orders:"),
    "a key twice": (
        f"{HEAD}- done\norders:\n  - done\n", "3:1",
        "it is already in line 1; delete one of the two",
    ),
    "a field twice": (
        f"{HEAD}- move: {{units: [INF-1], units: [INF-1], path: [caceres, merida]}}\n", "2:28",
        "it is already in column 12; delete one of the two",
    ),
    "too far to the right": (f"{HEAD}{MOVE}\n   - done\n", "3:4", "indent this line by 2 spaces"),
    "too far to the left": (
        f"orders:\n   {MOVE}\n  - done\n", "3:3", "indent line 2 by 2 spaces",
    ),
    "a field to the left": (
        f"{HEAD}- move:\n      units: [INF-1]\n     path: [caceres, merida]\n", "4:6",
        "indent this line by 6 spaces",
    ),
    "a field to the right": (
        f"{HEAD}- move:\n      units: [INF-1]\n        path: [caceres, merida]\n", "4:9",
        "indent this line by 6 spaces",
    ),
    "orders misspelt": ("ordres:\n  - done\n", "1:1", "did you mean orders?"),
    "orders with a capital": ("Orders:\n  - done\n", "1:1", "did you mean orders?"),
    "orders without its colon": ("orders\n  - done\n", "1:1", "write it as: orders:"),
    "orders with another mark": ("orders;\n  - done\n", "1:1", "write it as: orders:"),
    "orders close to its list": ("orders:[done]\n", "1:1", "write it as: orders: [done]"),
    "a list for a mapping": (
        f"{HEAD}- move: [INF-1, caceres, merida]\n", "2:11",
        "write move: {units: ..., path: ...}",
    ),
    "a mapping for a list": (
        f"{HEAD}{MOVE.replace('[INF-1]', '{INF-1: full}')}\n", "2:19", "write units: [INF-1]",
    ),
    "a number with each in place of a list": (
        f"{HEAD}- attack: {{space: merida, units: {{caceres: [INF-1]}}}}\n"
        "    losses: {INF-1: 1}\n",
        "3:13", "write losses: [INF-1]",
    ),
    "a number of each in place of a list": (
        f"{HEAD}- attack: {{space: merida, units: {{caceres: [INF-1]}}}}\n"
        "    losses: {INF: 2}\n",
        "3:13", "write losses: [INF, INF]",
    ),
    "a colon in a text": (
        "say: note: this\norders:\n  - done\n", "1:10", "write it as: say: 'note: this'",
    ),
    "a colon in a name": (
        f"{HEAD}{MOVE.replace('merida', 'merida: x')}\n", "2:44",
        "':' with a space begins a value: put the text into quotes",
    ),
    "a list never closed": (
        f"{HEAD}{MOVE.replace('INF-1]', 'INF-1')}\n  - done\n", "2:50", AS_MOVE,
    ),
    "a mapping never closed": (
        f"{HEAD}{MOVE[:-1]}\n", "2:11", f"is the end of the file missing? if not, {AS_MOVE}",
    ),
    "a mapping not closed above": (
        f"{HEAD}{MOVE[:-1]}\n  - done\n", "3:3", f"write line 2 as: {MOVE}",
    ),
    "a mapping closed twice": (f"{HEAD}{MOVE}}}\n  - done\n", "2:52", AS_MOVE),
    "a list closed twice": (f"{HEAD}{MOVE.replace('1]', '1]]')}\n", "2:26", AS_MOVE),
    "a quote never closed": (f"{HEAD}{MOVE.replace('INF', chr(39) + 'INF')}\n", "2:20", AS_MOVE),
    "a long text never closed": (
        'say: "hello\norders:\n  - done\n', "1:6", 'write it as: say: "hello"',
    ),
    "an apostrophe in quotes": (
        "say: 'don't'\norders:\n  - done\n", "1:11", "write it as: say: 'don''t'",
    ),
    "a semicolon": (f"{HEAD}{MOVE.replace('], ', ']; ')}\n", "2:26", AS_MOVE),
    "equals signs": (f"{HEAD}{MOVE.replace('s: ', 's=').replace('h: ', 'h=')}\n", "2:18", AS_MOVE),
    "no braces": (f"{HEAD}- move: {FIELDS[1:-1]}\n", "2:16", AS_MOVE),
    "a capital": (f"{HEAD}{MOVE.replace('move', 'Move')}\n", "2:5", "did you mean move?"),
}  # fmt: skip


def first(text: str) -> Problem | None:
    try:
        parse(Source("o.yaml", text), VERBS)
    except Refused as refused:
        return refused.problems[0]
    return None


def obeyed(text: str, problem: Problem) -> str:
    """The text after somebody has done what the hint says, to the letter."""
    span, hint, lines = problem.span, str(problem.hint), text.split("\n")
    assert span is not None
    here = lines[span.line - 1]
    if found := re.fullmatch(r"(?:is .* if not, )?write (?:it|line (\d+)) as: (.*)", hint):
        at = int(found[1] or span.line) - 1
        lines[at] = lines[at][: len(lines[at]) - len(lines[at].lstrip())] + found[2]
    elif found := re.fullmatch(r"write it with (\d+) spaces before it, as: (.*)", hint):
        lines[span.line - 1] = " " * int(found[1]) + found[2]
    elif found := re.fullmatch(r"indent (?:this line|line (\d+)) by (\d+) spaces", hint):
        at = int(found[1] or span.line) - 1
        lines[at] = " " * int(found[2]) + lines[at].lstrip()
    elif found := re.fullmatch(r"begin (?:this line|line (\d+)) at the margin", hint):
        at = int(found[1] or span.line) - 1
        lines[at] = lines[at].lstrip()
    elif found := re.fullmatch(r"(?:did you mean (.*)\?|write (?:[a-z]+: )(.*))", hint):
        told = found[1] or found[2]
        length = len(re.match(r"\w+|\[.*?\]|\{.*?\}", here[span.column - 1 :])[0])  # type: ignore[index]
        lines[span.line - 1] = here[: span.column - 1] + told + here[span.column - 1 + length :]
    elif hint.startswith("begin each"):
        lines[span.line - 1] = here.replace("1.", "-")
    elif "quoted" in hint:
        del lines[span.line - 1]
    elif "what follows" in hint:
        del lines[span.line - 1 :]
    elif "into quotes" in hint:
        lines[span.line - 1] = here.replace("merida: x", "'merida: x'")
    elif "delete one" in hint and "line" in hint:
        del lines[span.line - 1 :]
    elif "delete one" in hint:
        lines[span.line - 1] = here.replace("units: [INF-1], ", "", 1)
    else:
        assert hint == "indent with spaces"
        lines[span.line - 1] = here.replace("\t", "  ")
    return "\n".join(lines)


@pytest.mark.parametrize("slip", TABLE)
def test_a_slip_is_told_where_it_is_with_a_hint_that_mends_it(slip: str):
    text, place, hint = TABLE[slip]
    problem = first(text)
    assert problem is not None and problem.span is not None
    assert (f"{problem.span.line}:{problem.span.column}", str(problem.hint)) == (place, hint)
    mended = obeyed(text, problem)
    assert mended != text and first(mended) is None, mended


RIGHT = (
    MOVE,
    "- attack: {space: merida, units: {caceres: [INF-1], sevilla: [AFR-1]}}\n"
    "    losses: [INF, INF]",
    "- attack:\n      space: merida\n      units: {caceres: INF-1}\n      losses: [INF-1]",
    "- recall: {unit: INF-1, to: caceres, by: road}\n  - done",
    "- play: {card: N7, for: operations}\nsay: 'all: well'",
)


def slipped(text: str) -> Iterator[str]:
    """The text with one slip: a mark left out, written twice or taken for another."""
    for at, mark in enumerate(text):
        if mark in " -:,[]{}'\n":
            yield from (text[:at] + other + text[at + 1 :] for other in ("", mark * 2))
            yield from (text[:at] + other + text[at + 1 :] for other in "{[(:;='" if other != mark)
    for found in re.finditer(r"\[([^]]*)\]", text):
        start, end = found.span()
        for other in ("{%s}", "(%s)", "{%s: 1}", "{%s: 2}", "[{%s: 1}]", "{%s: a}"):
            yield text[:start] + other % found[1] + text[end:]


def _line(problem: Problem) -> int:
    assert problem.span is not None
    return problem.span.line


@pytest.mark.parametrize("right", RIGHT)
def test_every_line_a_hint_tells_to_write_is_legal(right: str):
    """Also when it becomes legal only as a text: a name in quotes must be a name."""
    text, told = f"{HEAD}{right}\n", 0
    for slip in slipped(text):
        problem = first(slip)
        hint = "" if problem is None else str(problem.hint)
        if "..." in hint or not re.match(r"(is .* if not, )?write (it|line|\w+: \[)", hint):
            continue
        told += 1
        assert problem is not None
        mended = obeyed(slip, problem)
        after = first(mended)
        assert after is None or _line(after) > _line(problem), (slip, hint, after)
        if after is None:
            file = parse(Source("o.yaml", mended), VERBS)
            faults = [str(each.message) for each in unknown_names(file, NAMES)]
            assert not [each for each in faults if re.search(r"named '.*[][{}:;=]", each)], (
                slip, hint, faults,
            )  # fmt: skip
    assert told > 3


WHOLE = """\
orders:
  - move: {units: [INF-1], path: [caceres, merida]}
  - move:
      units:
        - INF-1
        - INF-2
      path: [caceres, merida]
  - done
standing:
  losses: [MIL, INF]
  turn_end:
    discard: []
say: hello
"""
WRONG_LINES: tuple[tuple[int, str], ...] = (
    (1, " orders:"),
    (1, "orders"),
    (2, "   - move: {units: [INF-1], path: [caceres, merida]}"),
    (2, "\t- move: {units: [INF-1], path: [caceres, merida]}"),
    (2, "  -move: {units: [INF-1], path: [caceres, merida]}"),
    (2, "  move: {units: [INF-1], path: [caceres, merida]}"),
    (2, "  - move {units: [INF-1], path: [caceres, merida]}"),
    (2, "  - move:{units: [INF-1], path: [caceres, merida]}"),
    (2, "  - move: {units: [INF-1, path: [caceres, merida]}"),
    (2, "  - move: {units: [INF-1], path: [caceres, merida]"),
    (2, "  - move: {units: ['INF-1], path: [caceres, merida]}"),
    (3, "   - move:"),
    (3, " - move:"),
    (3, "  move:"),
    (3, "  -move:"),
    (3, "  - move"),
    (4, "       units:"),
    (4, "    units:"),
    (4, "      units"),
    (5, "         - INF-1"),
    (5, "       - INF-1"),
    (5, "        INF-1"),
    (5, "        -INF-1"),
    (6, "         - INF-2"),
    (6, "       - INF-2"),
    (7, "       path: [caceres, merida]"),
    (7, "     path: [caceres, merida]"),
    (7, "      - path: [caceres, merida]"),
    (7, "      path [caceres, merida]"),
    (7, "      path:[caceres, merida]"),
    (8, "   - done"),
    (8, "  -done"),
    (8, "  done"),
    (9, " standing:"),
    (9, "- standing:"),
    (10, "   losses: [MIL, INF]"),
    (10, "    losses: [MIL, INF]"),
    (10, "  - losses: [MIL, INF]"),
    (10, "  losses [MIL, INF]"),
    (11, "   turn_end:"),
    (11, " turn_end:"),
    (11, "  - turn_end:"),
)
"""A line of the file above, and how it is written in its place."""


@pytest.mark.parametrize(("number", "wrong"), WRONG_LINES)
def test_the_line_with_the_slip_is_blamed_and_mending_it_mends_the_file(
    number: int, wrong: str
) -> None:
    """YAML often goes wrong only some lines below; with what the hint says all is as before."""
    lines = WHOLE.splitlines()
    lines[number - 1] = wrong
    slip = "\n".join(lines) + "\n"
    problem = first(slip)
    assert problem is not None
    named = re.search(r"(?:write|indent|begin) line (\d+)", str(problem.hint))
    assert int(named[1]) if named else _line(problem) == number, problem
    if not wrong.startswith("\t"):
        assert first(obeyed(slip, problem)) is None, problem.hint


@pytest.mark.parametrize("text", [
    f"{HEAD}-move:{FIELDS}\n  move: {FIELDS}\n  done\n",
    f"{HEAD}-move:\n      units: [INF-1]\n      path: [caceres, merida]\n  -done\n",
])  # fmt: skip
def test_slips_are_mended_one_after_the_other(text: str) -> None:
    for _ in range(3):
        problem = first(text)
        text = obeyed(text, problem) if problem is not None else text
    assert first(text) is None


def test_a_file_is_read_again_for_hints_only_so_often():
    """Work is bounded by the length of the file, however many slips are in it."""
    times = 0
    source = Source("o.yaml", f"{HEAD}{MOVE}\n" + "  - Move: {units:[a], path;[b}\n" * 60)
    found = tuple(Problem("yaml-syntax", "x", source.span(line, 3)) for line in range(3, 60))

    def wrong(_: str) -> tuple[Problem, ...]:
        nonlocal times
        times += 1
        return found

    assert slips.with_what_was_meant(found, source, VERBS, wrong) == found
    assert times == min(slips.MOST_TRIALS, slips.MOST_READ // (len(source.text) + 1))
    long = Source("o.yaml", f"{HEAD}done # {'x' * slips.LARGEST}\n")
    times = 0
    assert slips.with_what_was_meant(found, long, VERBS, wrong) == found and times == 0


@pytest.mark.parametrize(
    "written, told",
    [
        ("– done\n", "this dash is not the '-' that begins an entry"),
        (f"— move: {FIELDS}\n", "this dash is not the '-' that begins an entry"),
        ("done: {}\n", "orders must be a list, not pairs such as {a: b}"),
        ("- move: {units:}\n", "nothing stands after this ':'"),
        ("- move: {units:, path: [merida]}\n", "nothing stands after this ':'"),
        ("- move: {units:[INF-1]}\n", "a ':' needs a space after it"),
    ],
)
def test_the_slip_itself_is_named(written: str, told: str) -> None:
    problem = first(f"{HEAD}{written}")
    assert problem is not None and str(problem.message) == told
