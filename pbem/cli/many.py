"""All game files of a folder, judged in parallel, each in a process of a pool.

Any free process takes the next file, the largest first; verdicts are told as they come, and kept in
a ledger on the disk.

A worker that is killed (no memory left) takes the whole pool with it. So the files in progress are
judged again, each in a pool of its own. The one that kills that, too, is named, and the rest is
done.
"""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from hashlib import sha256
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from pbem.cli import files, kinds, report
from pbem.cli.files import StrPath
from pbem.cli.ledger import Ledger, Listed
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

T = TypeVar("T")
R = TypeVar("R")
WIDEST_NAME = 48
AS_BEFORE = "as before"
"""The state of a file that the ledger knows: the verdict is there."""
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


def verify_folder(
    folder: Path, jobs: int | None, without_rules: bool, ledger: StrPath | None, request: Request
) -> bool:
    """Judges each file of a folder and reports it; returns whether nothing was wrong.

    A line is printed as soon as a file is judged, whichever it is; with --json, one JSON object per
    line in the order of the names, when all are known.
    """
    about = f"{'without rules, ' if without_rules else ''}{request.data or 'data of pbem'}"
    book = Ledger(None if ledger is None else os.fspath(ledger), about)
    try:
        return _verified(folder, jobs or os.cpu_count() or 1, without_rules, book, request)
    finally:
        book.close()


def _verified(folder: Path, jobs: int, without_rules: bool, book: Ledger, request: Request) -> bool:
    as_json, left_out = request.as_json, []
    for each in _listed(folder, book):
        book.keep(each)
        left_out.append(each)
    width = min(WIDEST_NAME, book.widest())
    one = partial(judged, folder, library=request.library, without_rules=without_rules)
    if width and not as_json:
        heading = report.worded(say("file"))
        columns = report.worded(say("game       entries  where it stands"))
        report.tell(f"{heading:<{width}}  {columns}")
    for each in () if as_json else left_out:
        _tell(folder, each, width)
    before = 0
    for digest, each in in_a_pool(one, book.listed(), jobs, _lost):
        found = each
        if found.state == AS_BEFORE:
            found, before = book.known(found.file), before + 1
        book.keep(found, digest)
        if not as_json:
            _tell(folder, found, width)
    for several in book.games_of_several():
        for each in _same_games(folder, several, request.library):
            book.keep(each)
            if not as_json:
                _tell(folder, each, width)
    counts = book.counted()
    if as_json:
        for line in book.lines():
            report.as_json_line(line)
    else:
        if before:
            report.tell(say_many(
                "count", "{count} file is as the ledger knows it",
                "{count} files are as the ledger knows them", count=before,
            ))  # fmt: skip
        report.tell(_counted(counts))
    return all(state in (GOOD, SKIPPED) for state in counts)


def judged(
    folder: Path, listed: Listed, *, library: Library, without_rules: bool
) -> tuple[bytes | None, JudgedFile]:
    """The digest of one file of the folder, and the verdict on it; AS_BEFORE if it is the file that
    the ledger knows. Runs in a worker, and never raises for the file.
    """
    name = listed.name
    try:
        raw = kinds.read_as(kinds.GAME, folder / name, files.GAME_LIMIT, say("the file"))
    except Refused as refused:
        codes = {problem.code for problem in refused.problems}
        return None, JudgedFile(name, SKIPPED if codes & BESIDE else UNREAD, refused.problems)
    digest = sha256(raw).digest()
    if digest == listed.digest:
        return digest, JudgedFile(name, AS_BEFORE)
    if not (name.endswith(GAME_NAMES) or _may_be_a_game(raw)):
        other = Problem("wrong-kind", say("not a game file"))
        return digest, JudgedFile(name, SKIPPED, (other,))
    return digest, season.judge(name, raw, library, without_rules=without_rules)


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
    judge: Callable[[T], R], tasks: Iterable[T], jobs: int, lost: Callable[[T], R]
) -> Iterator[R]:
    """Judges in so many processes; yields each result as it comes. Any free process takes the next
    task.

    `lost` is the result of a task whose process was killed, also when it was alone.
    """
    left, is_over = iter(tasks), False
    while not is_over:
        waiting: dict[Future[R], T] = {}
        suspects: list[T] = []
        with _pool(jobs) as pool:
            try:
                while True:
                    for task in islice(left, jobs * AHEAD - len(waiting)):
                        suspects.append(task)
                        waiting[pool.submit(judge, task)] = suspects.pop()
                    if not waiting:
                        is_over = True
                        break
                    for future in wait(waiting, return_when=FIRST_COMPLETED).done:
                        result = future.result()
                        waiting.pop(future)
                        yield result
            except BrokenProcessPool:
                pass
            finally:
                pool.shutdown(cancel_futures=True)  # and waits: the command ends without tidying up
        for future, task in waiting.items():
            if future.done() and not future.cancelled() and future.exception() is None:
                yield future.result()
            else:
                suspects.append(task)
        for task in suspects:
            yield _alone(judge, task, lost)


def _alone(judge: Callable[[T], R], task: T, lost: Callable[[T], R]) -> R:
    with _pool(1) as pool:
        try:
            return pool.submit(judge, task).result()
        except BrokenProcessPool:
            return lost(task)


def _lost(listed: Listed) -> tuple[bytes | None, JudgedFile]:
    why = say("the process that verified this file was killed")
    hint = say("is there enough memory? run pbem verify on this file alone")
    return None, JudgedFile(listed.name, LOST, (Problem("lost", why, hint=hint),))


def _pool(jobs: int) -> ProcessPoolExecutor:
    return ProcessPoolExecutor(jobs, initializer=_ready)


def _ready() -> None:
    """Prepares a worker: the parent alone is interrupted."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _listed(folder: Path, book: Ledger) -> Iterator[JudgedFile]:
    """Lists all files in and below a folder in the ledger; yields what cannot be or is not
    listed.
    """
    refused: list[OSError] = []
    for here, folders, inside in os.walk(folder, onerror=refused.append):
        folders.sort()
        for name in folders:
            if os.path.islink(path := os.path.join(here, name)):
                why = say("a link to a folder, which is not followed")
                place = os.path.relpath(path, folder)
                yield JudgedFile(place, SKIPPED, (Problem("not-a-file", why),))
        for name in inside:
            path = os.path.join(here, name)
            book.note(os.path.relpath(path, folder), _size(path))
    for error in refused:
        place = os.path.relpath(error.filename, folder)
        why = say("the folder cannot be read: {strerror}", strerror=reason(error))
        yield JudgedFile(place, UNREAD, (Problem("unreadable", why),))


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0  # whoever reads it says why


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


def _counted(states: Mapping[str, int]) -> Said:
    """The number of files by verdict."""
    told = [say(text, count=states[state]) for state, text in COUNTED.items() if state in states]
    if not told:
        return say("there are no files here")
    return say_many(
        "count", "{count} file: {told}", "{count} files: {told}",
        count=sum(states.values()), told=Row(tuple(told)),
    )  # fmt: skip
