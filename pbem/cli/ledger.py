"""What `pbem verify --many` has found so far, on the disk: memory does not grow with the files.

A ledger that was named is kept. A run that was interrupted goes on from it: a file with the bytes
of before, known by their digest, is not judged again if it verified. Without a name it is a
temporary one, which ends with the command.
"""

from __future__ import annotations

import json
import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from pbem import __version__
from pbem.messages import say
from pbem.play.season import GOOD, JudgedFile
from pbem.problems import Problem, Refused, Span
from pbem.value import value

LAYOUT = 1
EVERY = 0.5
"""Seconds between two writes to the disk: what a killed run loses at most."""
AT_ONCE = 500
"""How many rows are read at a time."""
BEGINS = b"SQLite format 3\0"
TABLES = """
CREATE TABLE IF NOT EXISTS about (what TEXT);
CREATE TABLE IF NOT EXISTS files (
    name BLOB PRIMARY KEY, size INTEGER, there INTEGER, digest BLOB, good TEXT, state TEXT,
    first TEXT, entries INTEGER, line TEXT
);
CREATE INDEX IF NOT EXISTS by_size ON files (there, size DESC, name);
CREATE INDEX IF NOT EXISTS by_game ON files (first);
"""


@value
class Listed:
    """A file to be judged, and the digest that it had when it verified, if it did."""

    name: str
    size: int
    digest: bytes | None


class Ledger:
    """The files of one run. `about` is what the verdicts depend on besides the files."""

    def __init__(self, path: str | None, about: str) -> None:
        """Opens a ledger, or begins it. Raises Refused for another file, or another run."""
        self._path, self._written = path, time.monotonic()
        if path is not None and os.path.exists(path):
            _check_ours(path)
        try:
            self._base = sqlite3.connect(path or "", isolation_level="DEFERRED")
            self._base.executescript(TABLES)
            found = self._base.execute("SELECT what FROM about").fetchone()
            what = json.dumps([LAYOUT, __version__, about])
            if found is None:
                self._base.execute("INSERT INTO about VALUES (?)", (what,))
            elif found[0] != what:
                raise _refused(
                    path,
                    say("this ledger is of another version of pbem, or of other options"),
                    say("name another file, or delete this one to begin anew"),
                )
            self._base.execute("UPDATE files SET there = 0, state = NULL, line = NULL")
            self._base.commit()
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def close(self) -> None:
        """Writes what is left, and closes the file."""
        with suppress(sqlite3.Error):
            self._base.commit()
        self._base.close()

    def note(self, name: str, size: int) -> None:
        """Notes a file of the folder."""
        self._run(
            "INSERT INTO files (name, size, there) VALUES (?, ?, 1) ON CONFLICT (name) "
            "DO UPDATE SET size = excluded.size, there = 1",
            os.fsencode(name), size,
        )  # fmt: skip

    def listed(self) -> Iterator[Listed]:
        """All files to be judged, the largest first: then no worker ends with one alone."""
        size, name = 1 << 62, b""
        while True:
            rows = self._rows(
                "SELECT name, size, CASE WHEN good IS NULL THEN NULL ELSE digest END FROM files "
                "WHERE there = 1 AND state IS NULL AND (size < ? OR (size = ? AND name > ?)) "
                "ORDER BY size DESC, name LIMIT ?",
                size, size, name, AT_ONCE,
            )  # fmt: skip
            for name, size, digest in rows:
                yield Listed(os.fsdecode(name), size, digest)
            if len(rows) < AT_ONCE:
                return

    def widest(self) -> int:
        """The length of the longest name, in bytes."""
        return int(self._rows("SELECT max(length(name)) FROM files WHERE there = 1")[0][0] or 0)

    def keep(self, each: JudgedFile, digest: bytes | None = None) -> None:
        """Notes the verdict on a file; with its digest one that verifies is known again."""
        line = json.dumps(each.plain(), ensure_ascii=True, default=str)
        is_known = each.state == GOOD and digest is not None
        self._run(
            "INSERT INTO files (name, size, there, digest, good, state, first, entries, line) "
            "VALUES (?, 0, 1, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO UPDATE SET there = 1, "
            "digest = coalesce(excluded.digest, digest), good = coalesce(excluded.good, good), "
            "state = excluded.state, first = excluded.first, entries = excluded.entries, "
            "line = excluded.line",
            os.fsencode(each.file), digest, line if is_known else None, each.state, each.first,
            each.entries, line,
        )  # fmt: skip

    def known(self, name: str) -> JudgedFile:
        """The verdict of an earlier run on a file that verified."""
        (row,) = self._rows("SELECT good FROM files WHERE name = ?", os.fsencode(name))
        return _read(name, row[0])

    def games_of_several(self) -> Iterator[list[JudgedFile]]:
        """The files that verify, by games that have more than one."""
        query = (
            "SELECT first FROM files WHERE there = 1 AND state = ? AND first > ? "
            "GROUP BY first HAVING count(*) > 1 ORDER BY first LIMIT ?"
        )
        first = ""
        while rows := self._rows(query, GOOD, first, AT_ONCE):
            for (first,) in rows:
                files = self._rows(
                    "SELECT name, line FROM files WHERE there = 1 AND state = ? AND first = ? "
                    "ORDER BY name",
                    GOOD, first,
                )  # fmt: skip
                yield [_read(os.fsdecode(name), line) for name, line in files]

    def lines(self) -> Iterator[Any]:
        """Each file as one JSON object, by name."""
        name = b""
        query = "SELECT name, line FROM files WHERE there = 1 AND name > ? ORDER BY name LIMIT ?"
        while rows := self._rows(query, name, AT_ONCE):
            yield from (json.loads(line) for _, line in rows)
            name = rows[-1][0]

    def counted(self) -> dict[str, int]:
        """The number of files by verdict."""
        return dict(self._rows("SELECT state, count(*) FROM files WHERE there = 1 GROUP BY state"))

    def _run(self, query: str, *given: Any) -> None:
        try:
            self._base.execute(query, given)
            if time.monotonic() - self._written > EVERY:
                self._base.commit()
                self._written = time.monotonic()
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _rows(self, query: str, *given: Any) -> list[Any]:
        try:
            return self._base.execute(query, given).fetchall()
        except sqlite3.Error as error:
            raise self._broken(error) from None

    def _broken(self, error: sqlite3.Error) -> Refused:
        return _refused(
            self._path,
            say("the ledger cannot be used: {reason}", reason=str(error)[:200]),
            say("name another file, or delete this one to begin anew"),
        )


def _check_ours(path: str) -> None:
    """Raises Refused for what is no database: it must not become one."""
    try:
        with open(path, "rb") as file:
            head = file.read(len(BEGINS))
    except OSError as error:
        raise _refused(
            path, say("the ledger cannot be read: {reason}", reason=str(error))
        ) from None
    if head not in (b"", BEGINS):
        raise _refused(path, say("this is not a ledger of pbem verify --many"))


def _refused(path: str | None, told: Any, hint: Any = "") -> Refused:
    return Refused(Problem("ledger", told, Span(path or "", 0, 0) if path else None, hint=hint))


def _read(name: str, line: str) -> JudgedFile:
    """A file that verifies, as it was written. Raises Refused for what we have not written."""
    try:
        found = json.loads(line)
        about = ("file", "state", "first", "entries", "problems", "note")
        facts = {key: each for key, each in found.items() if key not in about}
        first, entries = str(found["first"] or ""), int(found["entries"])
        return JudgedFile(name, GOOD, (), first, entries, facts)
    except (ValueError, KeyError, TypeError, AttributeError):
        raise _refused(None, say("the ledger has been changed by another program")) from None
