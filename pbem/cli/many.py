"""All game files of a folder, judged in parallel, each in a process of a pool.

A worker that is killed (no memory left) takes the whole pool with it. So the files in progress are
judged again, each in a pool of its own. The one that kills that, too, is named, and the rest is
done.
"""

from __future__ import annotations

import os
import re
import signal
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from pbem.cli import files, kinds, report
from pbem.cli.request import Request
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import inflated, read
from pbem.gamefile.verify import doubts
from pbem.messages import Row, Said, indented, marked, say, say_many
from pbem.play import season
from pbem.play.season import BAD, GOOD, LOST, SKIPPED, UNREAD, JudgedFile
from pbem.problems import Problem, Refused, Span, reason

if TYPE_CHECKING:
    from pbem.gamefile.fork import Story
    from pbem.play.systems import Library

WIDEST_NAME = 48
AHEAD = 4
"""Files waiting for each process: enough that none idles, few enough to lose little."""
BESIDE = {"wrong-kind", "not-a-file"}
"""Refusals for other files in the folder: reported in their line, but not a fault."""
NAMED, PACKED = b"pbem-game/", b"\x1f\x8b"
"""What a game file contains, or how a packed one begins."""
BEGUN = re.compile(rb'\s*\{\s*"entries"\s*:\s*\[\s*\{\s*"payload"')
"""How one begins that was cut off before it names the format."""
GAME_NAMES = (".pbem.json", ".pbem.json.gz")
"""Names of files that are to be games, whatever became of them."""
ESCAPED = re.compile(rb"\\(?:u00([0-7][0-9a-fA-F])|/)")
"""A letter of that name in another JSON spelling."""
TOLD = {
    BAD: marked("does not verify"),
    UNREAD: marked("cannot be read"),
    LOST: marked("could not be verified"),
}
COUNTED = {
    GOOD: marked("{count} verified"), BAD: marked("{count} not good"),
    UNREAD: marked("{count} not read"), LOST: marked("{count} not judged"),
    SKIPPED: marked("{count} not a game file"),
}  # fmt: skip


def verify_folder(folder: Path, jobs: int | None, without_rules: bool, request: Request) -> bool:
    """Judges each file of a folder and reports it; returns whether nothing was wrong.

    A line is printed as soon as a file is judged, in the order of the names; with --json, one JSON
    object per line, when all are known.
    """
    names, left_out = _listed(folder)
    as_json = request.as_json
    one = partial(judged, folder, library=request.library, without_rules=without_rules)
    width = min(WIDEST_NAME, max((len(name) for name in names), default=0))
    found: dict[str, JudgedFile] = {}
    if names and not as_json:
        heading = report.worded(say("file"))
        columns = report.worded(say("game       entries  where it stands"))
        report.tell(f"{heading:<{width}}  {columns}")
    for each in chain(left_out, in_a_pool(one, names, jobs or os.cpu_count() or 1)):
        found[each.file] = each
        if not as_json:
            _tell(folder, each, width)
    for each in _same_games(folder, found.values(), request.library):
        found[each.file] = each
        if not as_json:
            _tell(folder, each, width)
    if as_json:
        for each in found.values():
            report.as_json_line(each.plain())
    else:
        report.tell(_counted(found.values()))
    return all(each.stands for each in found.values())


def judged(folder: Path, name: str, *, library: Library, without_rules: bool) -> JudgedFile:
    """The verdict on one file of the folder. Runs in a worker, and never raises for the file."""
    path = folder / name
    try:
        raw = kinds.read_as(kinds.GAME, path, files.GAME_LIMIT, say("the file"))
    except Refused as refused:
        codes = {problem.code for problem in refused.problems}
        return JudgedFile(name, SKIPPED if codes & BESIDE else UNREAD, refused.problems)
    if not (name.endswith(GAME_NAMES) or _may_be_a_game(raw)):
        other = Problem("wrong-kind", say("not a game file"))
        return JudgedFile(name, SKIPPED, (other,))
    return season.judge(name, raw, library, without_rules=without_rules)


def _may_be_a_game(raw: bytes) -> bool:
    """Whether these bytes may be a game file, however its JSON spells the name of the format."""
    if raw.startswith(PACKED):
        try:
            raw = inflated(raw)
        except FileRefused:
            return True  # such as one that was cut off
    if NAMED in raw or BEGUN.match(raw):
        return True
    return NAMED in ESCAPED.sub(_unescaped, raw)


def _unescaped(found: re.Match[bytes]) -> bytes:
    return bytes.fromhex(found[1].decode()) if found[1] else b"/"


def in_a_pool(
    judge: Callable[[str], JudgedFile], names: Sequence[str], jobs: int
) -> Iterator[JudgedFile]:
    """Judges files in so many processes; yields in the order of the names."""
    left = deque(names)
    while left:
        waiting: deque[tuple[str, Future[JudgedFile]]] = deque()
        with _pool(jobs) as pool:
            try:
                while left or waiting:
                    while left and len(waiting) < jobs * AHEAD:
                        waiting.append((left[0], pool.submit(judge, left[0])))
                        left.popleft()
                    yield waiting[0][1].result()
                    waiting.popleft()
            except BrokenProcessPool:
                pass
            finally:
                pool.shutdown(cancel_futures=True)  # and waits: the command ends without tidying up
        for name, _ in waiting:
            yield _alone(judge, name)


def _alone(judge: Callable[[str], JudgedFile], name: str) -> JudgedFile:
    with _pool(1) as pool:
        try:
            return pool.submit(judge, name).result()
        except BrokenProcessPool:
            why = say("the process that verified this file was killed")
            hint = say("is there enough memory? run pbem verify on this file alone")
            return JudgedFile(name, LOST, (Problem("lost", why, hint=hint),))


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, initializer=_ready)


def _ready() -> None:
    """Prepares a worker: the parent alone is interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _listed(folder: Path) -> tuple[list[str], list[JudgedFile]]:
    """The names of all files in and below a folder, sorted, and what cannot be or is not listed."""
    names, left_out = [], []

    def refused(error: OSError) -> None:
        place = os.path.relpath(error.filename, folder)
        why = say(
            "the folder cannot be read: {strerror}",
            strerror=reason(error),
        )
        left_out.append(JudgedFile(place, UNREAD, (Problem("unreadable", why),)))

    for here, folders, inside in os.walk(folder, onerror=refused):
        folders.sort()
        for name in folders:
            if os.path.islink(path := os.path.join(here, name)):
                why = say("a link to a folder, which is not followed")
                place = os.path.relpath(path, folder)
                left_out.append(JudgedFile(place, SKIPPED, (Problem("not-a-file", why),)))
        names += [os.path.relpath(os.path.join(here, name), folder) for name in inside]
    return sorted(names), left_out


def _same_games(
    folder: Path, found: Iterable[JudgedFile], library: Library
) -> Iterator[JudgedFile]:
    """The relation of each file to the longest one of the same game."""
    for longest, others in season.files_of_one_game(found):
        story = _story(folder, longest)
        for each in others:
            theirs = _story(folder, each)
            yield season.compared(each, longest, theirs, story, library, str(folder))


def _story(folder: Path, each: JudgedFile) -> Story:
    return tuple(read(files.read_bytes(folder / each.file, files.GAME_LIMIT, say("the file"))))


def _tell(folder: Path, each: JudgedFile, width: int) -> None:
    """Prints a line for a file, and on standard error what is wrong with it."""
    if each.note:
        what = report.worded(each.note)
    elif each.state == GOOD:
        fingerprint = (each.facts["fingerprint"] or "")[:9]
        stands = report.worded(each.facts.get("stands", say("good")))
        what = f"{fingerprint:<9}  {each.entries:>7}  {stands}"
    elif each.stands:
        what = report.worded(say("skipped: {why}", why=each.problems[0].message))
    else:
        what = report.worded(say(TOLD[each.state]))
    report.tell(f"{each.file:<{width}}  {what}")
    if each.state == GOOD and not each.note:
        report.tell(*map(indented, doubts(each.facts["proven"])))
    if not each.stands:
        placed = (
            Problem(one.code, one.message, Span(str(folder / each.file), 0, 0), one.rule, one.hint)
            for one in each.problems
        )
        report.problems(placed, as_json=False)


def _counted(found: Iterable[JudgedFile]) -> Said:
    """The number of files by verdict."""
    states = Counter(each.state for each in found)
    told = [say(text, count=states[state]) for state, text in COUNTED.items() if states[state]]
    if not told:
        return say("there are no files here")
    return say_many(
        "count", "{count} file: {told}", "{count} files: {told}",
        count=states.total(), told=Row(tuple(told)),
    )  # fmt: skip
