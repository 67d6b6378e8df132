"""The likely meaning of a line that is not YAML, or not the YAML its author thinks.

A hint that shows how to write a line was tried first: with the line written that way, nothing up to
there is wrong. So it can be pasted in.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import chain

from pbem.engine.codec import fields_of
from pbem.engine.model import Order
from pbem.messages import Said, say, say_many
from pbem.orders.fields import for_players
from pbem.orders.shape import CURLY, FIELDS
from pbem.problems import Problem
from pbem.text.source import Source
from pbem.text.wording import AS_LINE, shown
from pbem.value import replace

Found = Callable[[str], tuple[Problem, ...]]
"""Finds what is wrong with a text, in any order."""

WIDEST = 300
LARGEST = 8 << 10
MOST_TRIALS, MOST_READ = 60, 120_000
"""Limits: the length of a line, and of a file; the number of trial readings, and their total
size.
"""
NO_ORDER = frozenset({"unknown-verb", "no-order", "two-orders"})
SLIPS = NO_ORDER | {"wrong-type", "no-orders", "unknown-field", "curly-quotes"}
TOLD_BETTER = frozenset(
    f"yaml-{what}"
    for what in ("tab", "space", "control", "doubled-key", "merge", "alias", "anchor", "depth")
)
CUT_OFF = say("is the end of the file missing?")
_NUMBERED = re.compile(r"\s*\d+[.)]\s*(?P<verb>[a-z_]+)")
_DASHED = re.compile(r" *- (?P<verb>[a-z_]+)")
_VERB = re.compile(r"\s*[-–—−•·*]{0,2}\s*(?P<word>[a-z_]+)\s*(?::|[;.,=](?= ))?\s*(?P<rest>.*)")
_CLOSE_COLON = re.compile(r"(?:(?<=[^\W\d])|(?<=\))):(?=[\[{(\w'\"])")
_ROUND_LIST = re.compile(r"(?<=: )\(([^():]*)\)")
_ROUND = re.compile(r"(?<=: )\((.*)\)$")
_BARE_FIELDS = re.compile(r"(?P<before>(?:- )?[a-z_]+: )(?P<fields>[a-z_]+: .*)")
_TEXT = re.compile(r"(?P<before>(?:- )?[a-z_]+: )(?P<text>[^\s'\"].*)")
_BARE_LIST = re.compile(
    r"(?P<key>[a-z_]+: )(?P<list>(?:[^\W_][^][{},:'\"]*, )+"
    r"[^\W_][^][{},:'\"]*)(?=\}|, [a-z_]+:)"
)
_NEXT_KEY = re.compile(r",\s*(?=[a-z_]+:)")
_NO_COLON = re.compile(r"(?P<key>(?:- )?[a-z_]+)(?P<rest>(?: [\[{].*)?)")
_KEY_WITHOUT_COLON = re.compile(r"(?:\{|, )[a-z_]+(?= [\[{\w])")
_NO_COMMA = re.compile(r"(?<=[\]}\w]) (?=[^\s\W][^][{},:]*: )")
REACH = 9
"""How many lines above a fault are tried."""
CLOSERS = {"[": "]", "{": "}"}
STRAIGHT = dict.fromkeys(map(ord, CURLY))


def with_what_was_meant(
    problems: tuple[Problem, ...], source: Source, verbs: Mapping[str, type[Order]], found: Found
) -> tuple[Problem, ...]:
    """The problems; the first few have the line that fixes them, if one is found."""
    if len(source.text) > LARGEST:
        return problems
    trials = iter(range(min(MOST_TRIALS, MOST_READ // (len(source.text) + 1))))
    told = []
    for problem in problems:
        hint = _hint(problem, source, verbs, lambda text: found(text) if _may(trials) else problems)
        if hint and problem.hint == CUT_OFF:
            hint = say("is the end of the file missing? if not, {hint}", hint=hint)
        told.append(replace(problem, hint=hint) if hint else problem)
    return tuple(told)


def _may(trials: Iterator[int]) -> bool:
    return next(trials, None) is not None


def _hint(problem: Problem, source: Source, verbs: Mapping[str, type[Order]], found: Found) -> Said:
    if problem.span is None or not _is_slip(problem) or problem.code in TOLD_BETTER:
        return ""
    here = problem.span.line
    if (told := _of_a_mail(source, here)) or (told := _numbered(source, here, verbs)):
        return told
    if pair := _without_colon(source, here, found):
        return _told(source.lines[pair[0] - 1], pair[1], 0 if pair[0] == here else pair[0])
    before = next((at for at in range(here - 1, 0, -1) if source.lines[at - 1].strip()), 0)
    is_yaml = problem.code.startswith("yaml")
    if is_yaml and (moved := _as_its_field(source, here, verbs, found)):
        return _told(source.lines[here - 1], moved, 0)
    if is_yaml and (odd := _odd_line(source, here, verbs, found)):
        number, usual = odd
        return _told(source.lines[number - 1], usual, 0 if number == here else number)
    if problem.code == "yaml-run-on":
        return ""  # a line that only moves would be read as something else again
    for at in (here, before) if is_yaml else (here,):
        if not 0 < at <= len(source.lines):
            continue
        line = _mended(source, at, here, verbs, found, moves=is_yaml)
        if line is not None:
            return _told(source.lines[at - 1], line, 0 if at == here else at)
    return _of_more_lines(source, here, verbs)


def _of_a_mail(source: Source, here: int) -> Said:
    """What to do where the signature of a mail begins, or one is quoted."""
    if here > len(source.lines):
        return ""
    line = source.lines[here - 1]
    if line.rstrip() == "--":
        return say("a mail's signature begins here: delete it and what follows")
    if line.lstrip().startswith(">"):
        return say("a line with '>' is quoted from a mail: delete it")
    return ""


_CLOSE_DASH = re.compile(r"\s*-(?P<verb>[a-z_]+)(?::.*)?\s*")
_WORDS = re.compile(r"[^\W\d_][^:{}\[\]#]*")
_YAML = re.compile(r"\s*(-|[a-z_]+:)")


def _of_more_lines(source: Source, here: int, verbs: Mapping[str, type[Order]]) -> Said:
    """What to do where no single line mends the file: orders lack the space behind their dash (the
    hint is for the first), or the closing words of a mail follow.
    """
    for number, line in enumerate(source.lines[:here], start=1):
        dashed = _CLOSE_DASH.fullmatch(line)
        if dashed is not None and dashed["verb"] in verbs:
            spaced = line.replace("-", "- ", 1)
            return _told(line, spaced, 0 if number == here else number)
    if 1 < here <= len(source.lines):
        line, *below = source.lines[here - 1 :]
        if _WORDS.fullmatch(line) and not any(map(_YAML.match, below)):
            return say("if it belongs to your mail and not to the orders, delete it and what "
                       "follows")  # fmt: skip
    return ""


def _numbered(source: Source, here: int, verbs: Mapping[str, type[Order]]) -> Said:
    """What to write instead of the number before an order."""
    begun = _NUMBERED.match(source.lines[here - 1]) if here <= len(source.lines) else None
    return say("begin each order with '- '") if begun and begun["verb"] in verbs else ""


ENTRY = re.compile(r"(\s*)[^\s:-][^:]*: *[^\s:].*")
HEAD = re.compile(r"(\s*)(?:- )?[^\s:-][^:]*:\s*(?:#.*)?")
PAIR = re.compile(
    r"(\s*)(?:([^\s:\[{-][^:,;=\[{]*)(?::| *[,;=] *)|([^\s:,;=\[{-][^\s:,;=\[{]*) +)"
    r"(\[[^]]*\]|[^\s:,;=#]+)\s*(?:#.*)?"
)


def _without_colon(source: Source, here: int, found: Found) -> tuple[int, str] | None:
    """The number of a line of two words among the entries of a mapping, and such an entry, be it
    that the colon between them is missing, another mark, or without a space behind it.

    YAML reads such a line as more of the next, so it may be the one above; None for another line.
    """
    for at in (here, here - 1):
        if not 1 < at <= len(source.lines):
            continue
        lines = list(source.lines)
        above, pair = lines[at - 2], PAIR.fullmatch(lines[at - 1])
        below = ENTRY.fullmatch(lines[at]) if at < len(lines) else None
        if pair is None:
            continue
        indent = pair[1]
        beside, head = ENTRY.fullmatch(above), HEAD.fullmatch(above)
        is_first = head is not None and len(head[1]) < len(indent)
        is_first = is_first and (below is None or below[1] == indent)
        if not is_first and (at < here or beside is None or beside[1] != indent):
            continue
        lines[at - 1] = f"{indent}{(pair[2] or pair[3]).strip()}: {pair[4]}"
        left = found("\n".join(lines))
        if all(each.span is not None and each.span.line > here for each in left):
            return at, lines[at - 1]
    return None


def _is_slip(problem: Problem) -> bool:
    return problem.code in SLIPS or problem.code.startswith("yaml")


def _is_no_order(problem: Problem) -> bool:
    return problem.code in NO_ORDER or problem.code.startswith("yaml")


def _told(written: str, line: str, number: int) -> Said:
    """What to write; `number` is that of the line, 0 for the one that is shown."""
    if line.strip() == written.strip():
        spaces = len(line) - len(line.lstrip())
        if not spaces:
            return (
                say("begin line {line} at the margin", line=number)
                if number
                else say("begin this line at the margin")
            )
        if number:
            return say_many(
                "spaces",
                "indent line {line} by {spaces} space",
                "indent line {line} by {spaces} spaces",
                line=number,
                spaces=spaces,
            )
        return say_many(
            "spaces",
            "indent this line by {spaces} space",
            "indent this line by {spaces} spaces",
            spaces=spaces,
        )
    text = shown(line.strip())
    if number:
        return say("write line {line} as: {text}", line=number, text=text)
    spaces = len(line) - len(line.lstrip())
    if spaces != len(written) - len(written.lstrip()):
        return say_many(
            "spaces", "write it with {spaces} space before it, as: {text}",
            "write it with {spaces} spaces before it, as: {text}", spaces=spaces, text=text,
        )  # fmt: skip
    return say(AS_LINE, text=text)


def _mended(
    source: Source,
    at: int,
    here: int,
    verbs: Mapping[str, type[Order]],
    found: Found,
    *,
    moves: bool,
) -> str | None:
    """The corrected line `at` (from 1); None where nothing fixes the fault that is `here`.

    With `moves`, a line that only moves to the left or right may leave faults below it. One that
    becomes an order may still have faults of its own, which can be reported then.
    """
    written = source.lines[at - 1]
    if len(written) > WIDEST:
        return None
    lines, best = list(source.lines), None
    begun = _begun(written.strip(), verbs)
    ways = _ways(lines, at, verbs)
    if moves:
        ways = chain(ways, _moved(lines, at))
    for line in dict.fromkeys(line for line in ways if line != written):
        lines[at - 1] = line
        left = found("\n".join(lines))
        if not left:
            return line
        if line.strip() in begun and (filled := _in_its_field(left, at)):
            lines[at - 1] = line[: len(line) - len(line.lstrip())] + f"- {filled}"
            if not any(each.span is None or each.span.line <= here
                       for each in found("\n".join(lines))):  # fmt: skip
                return lines[at - 1]
        sooner = [each for each in left if each.span is None or each.span.line <= here]
        is_past = not sooner and (moves or line.strip() != written.strip())
        is_begun = line.strip() in begun and not any(map(_is_no_order, sooner))
        if best is None and (is_past or is_begun):
            best = line
    return best


def _in_its_field(left: tuple[Problem, ...], at: int) -> str:
    """The order in a line with what stands behind its verb in the field where it belongs, if that
    is all that is wrong with the line and there is one such field; else empty.
    """
    there = [each for each in left if each.span is not None and each.span.line == at]
    hint = there[0].hint if len(there) == 1 and there[0].code == "wrong-type" else ""
    meant = dict(getattr(hint, "parts", ())).get("meant", "")
    filled = str(dict(getattr(meant, "parts", ())).get("filled", meant))
    return "" if "..." in filled else filled


def _odd_line(
    source: Source, here: int, verbs: Mapping[str, type[Order]], found: Found
) -> tuple[int, str] | None:
    """The line that is not written in the usual way, and how it would be: the one that is `here`,
    or one above it that YAML could still read. With it nothing is wrong, or only what is not YAML
    and below.
    """
    lines, best = list(source.lines), None
    if here > len(lines):
        return None
    written = [at for at in range(here, 0, -1) if lines[at - 1].strip()]

    def is_below(each: Problem) -> bool:
        is_yaml = each.code.startswith("yaml")
        return each.span is not None and each.span.line > here and not is_yaml

    near = written[:REACH] + ([written[-1]] if len(written) > REACH else [])
    for at in near:
        kept = lines[at - 1]
        if len(kept) > WIDEST or kept.lstrip().startswith("#"):
            continue
        for line in dict.fromkeys(_usual(lines, at, verbs)):
            lines[at - 1] = line
            left = found("\n".join(lines)) if line != kept else None
            if left == ():
                return at, line
            if left and best is None and all(map(is_below, left)):
                best = at, line
        lines[at - 1] = kept
    return best


# ---------------------------------------------------------------- how a line could be meant


def _usual(lines: list[str], at: int, verbs: Mapping[str, type[Order]]) -> Iterator[str]:
    """The line two spaces to the right of a key above it, with a dash or a colon more, or a dash
    less: the slips that YAML reads as something else, or tells in another line.
    """
    body = lines[at - 1].strip()
    for depth in _depths(lines, at):
        yield " " * depth + body
    indent = " " * _depth(lines[at - 1])
    for begun in _begun(body, verbs):
        yield indent + begun
        is_dashed = not body[:1].isalpha()
        above = filter(None, map(_DASHED.match, () if is_dashed else reversed(lines[: at - 1])))
        if (dashed := next(above, None)) is not None:
            yield " " * (dashed.start("verb") - 2) + begun
    if body.startswith("- ") and ":" in body:
        yield indent + body[2:]
    elif not body.endswith(":"):
        yield f"{indent}- {body.lstrip('-')}"
    if colon := _NO_COLON.fullmatch(body):
        yield f"{indent}{colon['key']}:{colon['rest']}"


def _below_its_order(lines: list[str], at: int, verbs: Mapping[str, type[Order]]) -> int:
    """Where a line begins that names a field of the order above it, which has others in its own
    line; 0 if it does not.
    """
    for line in reversed(lines[: at - 1]):
        if (begun := _DASHED.match(line)) is not None:
            is_whole = begun["verb"] in verbs and not line.rstrip().endswith(":")
            known = fields_of(verbs[begun["verb"]]) if is_whole else ()
            return begun.start("verb") if lines[at - 1].strip().partition(":")[0] in known else 0
    return 0


def _as_its_field(source: Source, here: int, verbs: Mapping[str, type[Order]], found: Found) -> str:
    """The line moved to where a field of the order above it begins, if that can be read, be there
    other faults or none; else empty.
    """
    lines = list(source.lines)
    if not 0 < here <= len(lines) or not (below := _below_its_order(lines, here, verbs)):
        return ""
    line = lines[here - 1] = " " * below + lines[here - 1].strip()
    left = found("\n".join(lines))
    is_bad = any(each.code.startswith("yaml") or each.span is None or each.span.line == here
                 for each in left)  # fmt: skip
    return "" if is_bad or line == source.lines[here - 1] else line


def _depths(lines: list[str], at: int) -> list[int]:
    """Where a line would usually begin: at the margin if it is a part of the file, or two spaces
    to the right of a key above it that is still open; the nearest first.
    """
    body = lines[at - 1].strip()
    if body.partition(":")[0] in FIELDS:
        return [0]
    found, least = set[int](), WIDEST
    for line in reversed(lines[: at - 1]):
        dashes = len(line) - len(line.lstrip(" -")) if line.lstrip().startswith("- ") else None
        column = _depth(line) if dashes is None else dashes
        if line.rstrip().endswith(":") and column < least:
            found.add(column + 2)
            least = column
    own = _depth(lines[at - 1])
    return sorted(found, key=lambda depth: (abs(depth - own), -depth))


def _ways(lines: list[str], at: int, verbs: Mapping[str, type[Order]]) -> Iterator[str]:
    written = lines[at - 1].rstrip()
    body = written.lstrip()
    indent = written[: len(written) - len(body)]
    begun = _begun(body, verbs)
    for way in map(str.strip, (*begun, *_rewritten(body))):
        yield indent + way
        for again in _begun(way, verbs):
            yield indent + again


def _moved(lines: list[str], at: int) -> Iterator[str]:
    """The line indented as one above it, or two spaces more than it is."""
    body = lines[at - 1].strip()
    depths = {_depth(line) for line in lines[: at - 1] if line.strip()}
    for depth in sorted({*depths, _depth(lines[at - 1]) + 2}, reverse=True):
        yield " " * depth + body


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def _begun(body: str, verbs: Mapping[str, type[Order]]) -> tuple[str, ...]:
    """The line begun as an order (a hyphen and a space), or as the file's list (`orders:`)."""
    found = _VERB.fullmatch(_spaced(body))
    if found is not None and found["word"] in verbs:
        verb, rest = found["word"], found["rest"]
        fields = list(for_players(verbs[verb]))
        if not fields:
            return (f"- {verb}",)
        if not rest and body.endswith(":"):  # its fields are in the lines below
            return (f"- {verb}:",)
        if " " in rest and not re.search(r"[:={}\[\]]", body):  # a sentence: no field is in it
            open_ones = ", ".join(
                f"{name}: ..." for name, field in fields_of(verbs[verb]).items()
                if field.is_needed
            )  # fmt: skip
            return (f"- {verb}: {{{open_ones}}}",) if open_ones else (f"- {verb}",)
        is_bare = len(fields) == 1 and ":" not in body and re.fullmatch(r"[\w-]+", rest)
        inside = (f"- {verb}: {{{fields[0]}: {rest}}}",) if is_bare else ()
        return (f"- {verb}{f': {rest}' if rest else ''}", *inside)
    found = re.fullmatch(r"orders\s*[:：;=]?\s*(.*)", body)
    return (f"orders: {found[1]}".rstrip(),) if found is not None else ()


def _rewritten(body: str) -> Iterator[str]:
    yield _spaced(body)
    yield _spaced(body.replace("：", ": ")).replace(":  ", ": ")  # from a Chinese keyboard
    straight = body.translate(STRAIGHT)
    yield straight
    yield _spaced(body.replace(";", ",").replace("=", ": ").replace(":  ", ": "))
    yield _ROUND.sub(r"{\1}", _spaced(body))
    yield re.sub(r",\s*,", ",", body)
    yield _ROUND_LIST.sub(r"[\1]", _spaced(body))
    if bare := _BARE_FIELDS.fullmatch(_spaced(body)):
        yield f"{bare['before']}{{{bare['fields']}}}"
    yield _BARE_LIST.sub(r"\g<key>[\g<list>]", _spaced(body))
    for key in _KEY_WITHOUT_COLON.finditer(body):
        yield f"{body[: key.end()]}:{body[key.end() :]}"
    for gap in _NO_COMMA.finditer(body):
        yield f"{body[: gap.start()]},{body[gap.start() :]}"
    yield from _balanced(body)
    yield from _requoted(body)
    if (text := _TEXT.fullmatch(body)) and _may_be_quoted(text["before"], text["text"]):
        yield f"{text['before']}'{text['text'].replace(chr(39), chr(39) * 2)}'"


def _may_be_quoted(before: str, text: str) -> bool:
    """Whether quotes make it what was meant: what a player says, or a word, such as a name.

    Fields or a list in quotes are no name, although a text could stand there.
    """
    return before == "say: " or not (text[0] in CLOSERS or ": " in text or text.endswith(":"))


def _spaced(body: str) -> str:
    """The line with a space after each colon that ends a key."""
    return _CLOSE_COLON.sub(": ", body)


def _balanced(body: str) -> Iterator[str]:
    """The line with one bracket more or less, where they do not fit together."""
    open_at: list[int] = []
    for at, char in enumerate(body):
        if char in CLOSERS:
            open_at.append(at)
        elif char in CLOSERS.values():
            if open_at and CLOSERS[body[open_at[-1]]] == char:
                open_at.pop()
                continue
            if open_at:
                closer = CLOSERS[body[open_at[-1]]]
                yield from _closed_at_a_key(body, open_at[-1], closer)
                yield body[:at] + closer + body[at:]
            yield body[:at] + body[at + 1 :]
            return
    if open_at:
        yield body + "".join(CLOSERS[body[at]] for at in reversed(open_at))
        yield from _closed_at_a_key(body, open_at[-1], CLOSERS[body[open_at[-1]]])


def _closed_at_a_key(body: str, opened: int, closer: str) -> Iterator[str]:
    for key in _NEXT_KEY.finditer(body, opened):
        yield body[: key.start()] + closer + body[key.start() :]


def _requoted(body: str) -> Iterator[str]:
    yield re.sub(r"(?<=\w)'(?=\w)", "''", body)
    for quote in "'\"":
        if quote in body:
            yield body + quote
            yield body.replace(quote, "")
