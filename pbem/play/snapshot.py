"""What was verified on this machine, so that the next command need not fold it all again.

A snapshot is a shortcut, never a source: it is used only if the file begins with the very bytes
that were verified, the program and the data are the same, the snapshot fits its own checksum, and
the state it holds has the digest its last entry was signed with. Whatever does not fit is folded
from the beginning, with every check on.

A snapshot is a line of JSON that says what it belongs to, and behind it the state as a pickle,
which may name classes of the rules and of the fold, and nothing else. What the rules made of the
data is the same for all games, so it is kept beside them in the same way.
"""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from pbem.gamefile.chain import Entry
from pbem.gamefile.fold import Fold, resume
from pbem.gamefile.format import HEAD, TAIL, read_behind
from pbem.gamefile.machine import Machine
from pbem.play.game import game_for
from pbem.play.systems import Opened
from pbem.value import value

_ID_BEGINS = b'"id": "'
_ALLOWED = ("pbem.board.", "pbem.engine.", "pbem.games.", "pbem.gamefile.", "pbem.play.")
_PLAIN = {("builtins", "frozenset"), ("builtins", "set")}


@value
class Kept:
    """A snapshot as it was kept, and what stands for the program that now runs.

    `tables` gives what was kept of the data with a digest, if there is anything.
    """

    content: bytes
    program: str
    tables: Callable[[str], bytes | None] = lambda digest: None


def name(raw: bytes) -> str | None:
    """The name to keep a file's snapshot under: the id of its proposal."""
    at = raw.find(_ID_BEGINS, 0, 200) + len(_ID_BEGINS)
    found = raw[at : at + 64]
    is_id = len(found) == 64 and set(found) <= set(b"0123456789abcdef")
    return found.decode() if raw.startswith(HEAD) and is_id and at >= len(_ID_BEGINS) else None


def load(raw: bytes, kept: Kept, open_table: Any) -> Fold | None:
    """The fold of a file whose beginning was verified here before; None if it was not."""
    try:
        return _load(raw, kept, open_table)
    except Exception:
        # A damaged or strange snapshot, or a file that does not go on well: the long way tells.
        return None


def _load(raw: bytes, kept: Kept, open_table: Any) -> Fold | None:
    head, _, state = kept.content.partition(b"\n")
    about = json.loads(head)
    if about["program"] != kept.program or about["state"] != sha256(state).hexdigest():
        return None
    length, count = about["length"], about["entries"]
    if sha256(raw[:length]).hexdigest() != about["beginning"]:
        return None
    known = _entries(json.loads(raw[:length] + b"]}"))
    proposal = known[0].payload["steps"][0]
    opened = game_for(proposal)
    if not has_tables(opened):
        _put_tables(opened, kept)
    machine: Machine = _StateReader(state, open_table, opened.system).load()
    if machine.post() != known[-1].payload["post"] or count != len(known):
        return None
    return resume((*known, *read_behind(raw, length, count)), machine, count)


def beginning(raw: bytes, kept: Kept) -> tuple[bytes, int]:
    """The part of a file that a snapshot which `load` took is of, and how many entries it has.

    We wrote it ourselves: nothing else is kept.
    """
    about = json.loads(kept.content.partition(b"\n")[0])
    return raw[: about["length"]], about["entries"]


def _entries(document: Any) -> list[Entry]:
    return [
        Entry(each["payload"], each["id"], "".join(each["sig"]), each["sum"])
        for each in document["entries"]
    ]


def content(raw: bytes, fold: Fold, program: str) -> bytes | None:
    """The snapshot to keep of a verified file that `format.write` laid out; None where it would
    serve nothing."""
    if not (raw.startswith(HEAD) and raw.endswith(TAIL)) or fold.phase != "running":
        return None
    if fold.machine.upgrades:  # whose tables a proposal names no longer
        return None
    known = raw[: -len(TAIL)]
    state = _dumped(fold.machine)
    about = {
        "program": program,
        "length": len(known),
        "beginning": sha256(known).hexdigest(),
        "entries": len(fold.entries),
        "state": sha256(state).hexdigest(),
    }
    return json.dumps(about).encode() + b"\n" + state


def _dumped(machine: Machine) -> bytes:
    """The machine as a pickle, without what is opened anew: the game system, its tables, and the
    opener of tables (a function, which a pickle only names)."""
    file = io.BytesIO()
    writer = pickle.Pickler(file, protocol=5)
    table: Any = machine.referee
    writer.dispatch_table = {
        type(table.system): lambda system: (_the_system, ()),
        type(getattr(table.system, "tables", None)): lambda tables: (_the_tables, ()),
    }
    kept = machine.copy()
    kept.happenings = []  # they are told once
    writer.dump(kept)
    return file.getvalue()


def _the_system() -> Any:
    """Stands for the game system in a pickle; the reader puts it in."""
    raise NotImplementedError


def _the_tables() -> Any:
    """Stands for the tables of the game system in a pickle."""
    raise NotImplementedError


class _Reader(pickle.Unpickler):
    """Reads nothing but values of the rules and of the fold."""

    def __init__(self, content: bytes) -> None:
        super().__init__(io.BytesIO(content))

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN or (module.startswith(_ALLOWED) and "." not in name):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")


class _StateReader(_Reader):
    """Puts in what was left out of a state."""

    def __init__(self, content: bytes, open_table: Any, system: Any) -> None:
        super().__init__(content)
        self.given = {
            (__name__, "_the_system"): lambda: system,
            (__name__, "_the_tables"): lambda: system.tables,
            (open_table.__module__, open_table.__qualname__): open_table,
        }

    def find_class(self, module: str, name: str) -> Any:
        return self.given.get((module, name)) or super().find_class(module, name)


# --- what the rules made of the data


def has_tables(opened: Opened) -> bool:
    """Whether the tables of the game are made already, or none are wanted."""
    return "tables" in vars(opened.system) or not hasattr(type(opened.system), "tables")


def tables_content(opened: Opened, program: str) -> bytes:
    """The tables of a game, to be kept."""
    system: Any = opened.system
    state = pickle.dumps(system.tables, protocol=5)
    return _tables_head(opened.digest, program, state) + state


def _put_tables(opened: Opened, kept: Kept) -> None:
    """Gives the game system its tables, if those that were kept are of this program and data."""
    content = kept.tables(opened.digest) or b""
    head, _, state = content.partition(b"\n")
    if head + b"\n" == _tables_head(opened.digest, kept.program, state):
        vars(opened.system)["tables"] = _Reader(state).load()


def _tables_head(digest: str, program: str, state: bytes) -> bytes:
    about = {"program": program, "data": digest, "tables": sha256(state).hexdigest()}
    return json.dumps(about).encode() + b"\n"
