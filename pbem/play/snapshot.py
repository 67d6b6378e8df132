"""What was verified on this machine, so that the next command need not fold it all again.

A snapshot is a shortcut, never a source: it is used only if the file begins with the very bytes
that were verified, the program and the data are the same, the snapshot fits its own checksum, and
the state it holds has the digest its last entry was signed with. Whatever does not fit is folded
from the beginning, with every check on.

A snapshot is a line of JSON that says what it belongs to, and behind it the state as a pickle,
which may name classes of the rules and of the fold, and nothing else.
"""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from pbem.gamefile.chain import Entry, state_digest
from pbem.gamefile.fold import Fold, resume
from pbem.gamefile.format import HEAD, TAIL, read
from pbem.gamefile.machine import Machine
from pbem.value import value

_FIRST_ID = re.compile(rb'"id": "([0-9a-f]{64})"')
_ALLOWED = ("pbem.engine.", "pbem.games.", "pbem.gamefile.", "pbem.play.")
_COMMON = frozenset({str, int, bool, bytes, tuple, list, dict, set, frozenset, type(None)})
_PLAIN = {("builtins", "frozenset"), ("builtins", "set")}


@value
class Kept:
    """A snapshot as it was kept, and what stands for the program that now runs."""

    content: bytes
    program: str


def name(raw: bytes) -> str | None:
    """The name to keep a file's snapshot under: the id of its proposal."""
    found = _FIRST_ID.search(raw, 0, 200) if raw.startswith(HEAD) else None
    return found[1].decode() if found else None


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
    machine: Machine = _Reader(io.BytesIO(state), open_table, proposal).load()
    if state_digest(machine.public_state()) != known[-1].payload["post"] or count != len(known):
        return None
    return resume((*known, *_tail(raw[length:])), machine, count)


def _tail(rest: bytes) -> Sequence[Entry]:
    """The entries behind the known ones, read as strictly as any."""
    if rest == TAIL:
        return ()
    return read(HEAD + rest.removeprefix(b","))


def _entries(document: Any) -> list[Entry]:
    return [
        Entry(each["payload"], each["id"], "".join(each["sig"]), each["sum"])
        for each in document["entries"]
    ]


def content(raw: bytes, fold: Fold, program: str) -> bytes | None:
    """The snapshot to keep of a verified file; None where it would serve nothing."""
    if not (raw.startswith(HEAD) and raw.endswith(TAIL)) or fold.phase != "running":
        return None
    if fold.machine.upgrades:  # whose tables a proposal names no longer
        return None
    beginning = raw[: -len(TAIL)]
    state = io.BytesIO()
    _Writer(state).dump(fold.machine)
    about = {
        "program": program,
        "length": len(beginning),
        "beginning": sha256(beginning).hexdigest(),
        "entries": len(fold.entries),
        "state": sha256(state.getvalue()).hexdigest(),
    }
    return json.dumps(about).encode() + b"\n" + state.getvalue()


class _Writer(pickle.Pickler):
    """Leaves out what is opened anew: the tables, the game system, the opener of tables."""

    def __init__(self, file: Any) -> None:
        super().__init__(file, protocol=5)

    def persistent_id(self, item: Any) -> str | None:
        kind = type(item)
        if kind in _COMMON:
            return None
        if kind.__name__ == "Tables":
            return "tables"
        if hasattr(item, "verbs") and hasattr(item, "setup"):
            return "system"
        is_opener = getattr(item, "__name__", "") == "table_for"
        return "open_table" if is_opener else None


class _Reader(pickle.Unpickler):
    """Reads nothing but values of the rules and of the fold."""

    def __init__(self, file: Any, open_table: Any, proposal: Any) -> None:
        super().__init__(file)
        self._open_table = open_table
        self.proposal = proposal

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _PLAIN or (module.startswith(_ALLOWED) and "." not in name):
            found = super().find_class(module, name)
            if isinstance(found, type):
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is none of ours")

    def persistent_load(self, pid: str) -> Any:
        if pid == "open_table":
            return self._open_table
        from pbem.play.game import system_for

        system = system_for(self.proposal)
        return {"tables": getattr(system, "tables", None), "system": system}[pid]
