"""What was verified on this machine, so that the next command need not fold it all again.

A snapshot is a shortcut, never a source: it is used only if its seal is that of this machine, the
file begins with the very bytes that were verified, the program and the data are the same, the state
in it has the digest that its last entry was signed with, and the keys that sign from there on are
those in the file itself. Otherwise the file is folded from the beginning, with every check.

A snapshot is a line of JSON that says what it belongs to, and after it the state as plain data
(`engine/tagged.py`), which may name classes of the rules and of the fold and messages, and nothing
else. The seal is made and checked by those who read and write files.

Measured on a game of 66 entries: 59 percent of the instructions of `status`, 46 of `apply` (page
22).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from pbem.engine import tagged
from pbem.gamefile.chain import ZEROS, Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay, resume
from pbem.gamefile.format import HEAD, TAIL, first_entry, read, read_behind
from pbem.gamefile.machine import Machine, World
from pbem.gamefile.rotation import seat
from pbem.play.game import Game, opening, with_fold
from pbem.play.systems import SHIPPED, Library, game_for
from pbem.value import replace, value

ALLOWED = (
    "pbem.board.", "pbem.engine.", "pbem.games.", "pbem.gamefile.", "pbem.play.", "pbem.messages",
)  # fmt: skip
"""The modules whose classes a snapshot may name: a roll that is awaited says in words what for."""
_TOLD = (*ALLOWED, "pbem.render.log")


@value
class Kept:
    """A snapshot as it was kept, and the identity of the program that now runs."""

    content: bytes
    program: str


def proposal_of(raw: bytes) -> Entry | None:
    """The first entry of a file, under whose id its snapshots are kept; None for a file that has
    none. It is not judged: nothing was ever kept under the id of one that begins no game.
    """
    try:
        return first_entry(raw)
    except FileRefused:
        return None


def read_game(
    raw: bytes, kept: Kept | None = None, library: Library = SHIPPED,
    entries: Sequence[Entry] | None = None,
) -> Game:  # fmt: skip
    """A game file, verified to its last entry. Raises Refused with the first fault.

    With the state kept by an earlier command only the entries after it are folded, and only these
    have a journal. `entries` are what `format.read` gave for these very bytes, if they were read
    already; nothing in them is verified.
    """
    if kept is not None:
        loaded = load(raw, kept, library, entries)
        if loaded is not None:
            fold, told = loaded
            return replace(with_fold(fold, beginning(raw, kept), library), told=told)
    found = read(raw) if entries is None else entries
    return with_fold(replay(found, opening(library)), library=library)


def load(
    raw: bytes, kept: Kept, library: Library = SHIPPED, entries: Sequence[Entry] | None = None
) -> tuple[Fold, Any] | None:
    """The fold of a file whose beginning was verified here before; None if it was not.

    With it comes the story kept with the snapshot, None if none was. `entries` are those of the
    file, if it was read already.
    """
    try:
        return _load(raw, kept, library, entries)
    except Exception:
        # A damaged or strange snapshot, or a file that does not continue it: the full fold will
        # tell.
        return None


def _load(
    raw: bytes, kept: Kept, library: Library, entries: Sequence[Entry] | None
) -> tuple[Fold, Any] | None:
    head, _, state = kept.content.partition(b"\n")
    about = json.loads(head)
    if about["program"] != kept.program:
        return None
    length, count = about["length"], about["entries"]
    if sha256(raw[:length]).hexdigest() != about["beginning"]:
        return None
    if entries is None:
        known = _entries(json.loads(raw[:length] + b"]}"), about["ids"])
        behind = read_behind(raw, length, known)
    else:
        known, behind = list(entries[:count]), list(entries[count:])
        if "".join(entry.id for entry in known) != about["ids"]:
            return None
    proposal = known[0].payload["steps"][0]
    state, told = _parted(state)
    game = game_for(proposal, library)
    if game.source != about["source"]:
        return None
    given = _given(library, game.system)
    machine = _machine(state, given)
    if count != len(known) or not _fits(machine, known):
        return None
    fold = resume((*known, *behind), machine, count)
    return fold, tagged.loaded(told, _TOLD, given) if told else None


def reach(kept: Kept) -> int:
    """The number of entries in a snapshot, if this program made it; otherwise 0."""
    try:
        about = json.loads(kept.content.partition(b"\n")[0])
        return int(about["entries"]) if about["program"] == kept.program else 0
    except (ValueError, KeyError, TypeError):
        return 0


def beginning(raw: bytes, kept: Kept) -> tuple[bytes, int]:
    """The part of a file covered by a snapshot that `load` accepted, and the number of its entries.

    The part is empty where it is not laid out as it would be written here: what somebody else has
    put between the entries would be in every file that goes on from it.
    """
    about = json.loads(kept.content.partition(b"\n")[0])
    return raw[: about["length"]] if about["is_written_here"] else b"", about["entries"]


def _entries(document: Any, ids: str) -> list[Entry]:
    """The entries that were verified, with the ids computed then."""
    found, before = [], ZEROS
    for number, each in enumerate(document["entries"]):
        each["payload"]["prev"] = before
        entry = Entry(each["payload"], "".join(each["sig"]), each["sum"])
        before = vars(entry)["id"] = ids[number * len(ZEROS) : (number + 1) * len(ZEROS)]
        found.append(entry)
    return found


def _parted(behind: bytes) -> tuple[bytes, bytes]:
    """The two lines of a state, and those of the story kept with it."""
    kinds, _, rest = behind.partition(b"\n")
    state, _, told = rest.partition(b"\n")
    return kinds + b"\n" + state, told


def content(raw: bytes, game: Game, program: str, told: Any = None) -> bytes | None:
    """The snapshot to keep of a verified file; None if it would be useless.

    `told` is kept with it: the story of all entries, which replaces their journals.
    """
    fold = game.fold
    if not (raw.startswith(HEAD) and raw.endswith(TAIL)) or fold.phase not in ("running", "over"):
        return None
    if fold.machine.agreements.is_upgraded:  # whose tables a proposal names no longer
        return None
    known = raw[: -len(TAIL)]
    about = {
        "program": program,
        "source": game.opened.source,
        "length": len(known),
        "beginning": sha256(known).hexdigest(),
        "entries": len(fold.entries),
        "is_written_here": raw == game.bytes(),
        "ids": "".join(entry.id for entry in fold.entries),
    }
    table: Any = fold.in_play
    recomputed = {type(made): name for name, made in _given(table.library, table.system).items()}
    try:
        state = tagged.dumped(fold.machine.put(journal=()), recomputed)
        if told is not None:
            state += b"\n" + tagged.dumped(told, recomputed)
    except tagged.Unkeepable:
        return None
    return json.dumps(about).encode() + b"\n" + state


def _given(library: Library, system: Any) -> dict[str, Any]:
    """What is recomputed, not kept: the world, the game system and its tables."""
    return {
        "system": system, "tables": system.tables, "library": library,
        "world": World(opening(library)),
    }  # fmt: skip


def _machine(state: bytes, given: Mapping[str, Any]) -> Machine:
    machine = tagged.loaded(state, ALLOWED, given)
    if not isinstance(machine, Machine):
        raise tagged.Unkeepable("another machine")
    return machine


def _fits(machine: Machine, known: Sequence[Entry]) -> bool:
    """Whether a state matches the known entries: the signing keys, the proposal, and the last
    digest.
    """
    first, second = known[0].payload["steps"][0], known[1].payload["steps"][0]
    return (
        machine.terms.proposal == first
        and (machine.terms.proposal_id, machine.terms.game) == (known[0].id, known[1].id)
        and (machine.entry.seq, machine.entry.last_id) == (len(known) - 1, known[-1].id)
        and machine.keys.publics == _publics(first, second, known)
        and machine.keys.spares == _spares(first, second)
        and machine.post() == known[-1].payload["post"]
    )


def _publics(
    first: Mapping[str, Any], second: Mapping[str, Any], known: Sequence[Entry]
) -> dict[str, bytes]:
    """The keys that sign: those of the first two entries, and their replacements."""
    keys = {"A": first["pub_a"], "B": second["pub"]}
    for entry in known[2:]:
        for step in entry.payload["steps"]:
            if step["do"] == "rotate":
                keys[seat(entry.by, step["signed_by"])] = step["new_pub"]
    return {player: bytes.fromhex(key) for player, key in keys.items()}


def _spares(first: Mapping[str, Any], second: Mapping[str, Any]) -> dict[str, bytes]:
    named = {"A": first.get("spare"), "B": second.get("spare")}
    return {player: bytes.fromhex(key) for player, key in named.items() if key is not None}
