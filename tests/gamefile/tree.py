"""The knowledge checker on trees: every entry ever signed, not only those of the story told last.

knowledge.py asks of one file whether somebody decided knowing a roll. A cheat does not write one
file: they may at any time write on any earlier entry that the other's record would still accept.
So here is the whole tree of entries, the record of the honest player V, a clock, and a ledger of
what V has shown and when. The cheat C knows all of it at once, on whatever branch it was shown.

What is held of each file that V's record takes:

- knowledge: an entry of C that decides something was fixed when V's secrets shown by then all stood
  on the way to it (and within the file nobody looked ahead);
- finality: each main entry that V ever signed lies on it;
- pen: V can sign the next entry, or C has the pen.

Of each that it refuses as a fork: the two stories prove one, read again from its bytes, by C. As a
step back: V's own file, sent again, is taken by a C who has signed no fork. And no two entries
anywhere prove a fork by V.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any
from unittest.mock import patch

from pbem.gamefile import fork, notes, rotation, witness
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.generations import origin
from pbem.gamefile.in_play import other
from pbem.gamefile.journal import Audited, ChoiceTold, DeckProven, Opened, Revealed, Unsealed
from pbem.gamefile.rulings import result_in
from tests.conftest import FUZZ
from tests.gamefile.knowledge import fixed_openings, look_aheads
from tests.gamefile.tree_players import Ring

ANEW = 32 if FUZZ == 1 else 8
"""Of so many pairs of files one is judged anew from its first entry."""
Secret = tuple[Any, ...]
"""What a player shows once and for all: ("value", origin, n), ("card", ...), ("doc", ...), ..."""
HISTORY = frozenset({"E-FORK", "E-ROLLBACK", "E-DOUBLE"})
DECISIONS = frozenset(
    {"orders", "react", "post_choice", "seal", "answer", "policy", "deck_commit", "anchor", "renew"}
)  # fmt: skip


@dataclass(frozen=True)
class Find:
    """A breach: `kind` is knowledge, look-ahead, finality, pen, stuck, accused, untold or
    offers (see the checks of `Tree`)."""

    kind: str
    what: str
    length: int  # entries signed behind the start
    trace: tuple[str, ...] = ()

    def __str__(self) -> str:
        return f"{self.kind}: {self.what} [{self.length} entries; {' / '.join(self.trace)}]"


@dataclass
class Tree:
    """Both players, every entry ever signed, what V has seen, and what V has shown when.

    `ring` are the keys V holds for their seat. `story` is the file V has; `memory` says by what V
    knows it again: the record of what they sent, as the program keeps it; one of all they read;
    only the file they sent last; or nothing.
    """

    start: Fold
    honest: str
    ring: Ring
    open_table: Any
    memory: str = "record"
    story: Fold = field(init=False)
    sent: Fold = field(init=False)  # the file V sent last
    nodes: dict[str, Fold] = field(default_factory=dict)
    clock: int = 0
    gone: set[bytes] = field(default_factory=set)  # V's keys that are lost, their public halves
    shown_at: dict[Secret, int] = field(default_factory=dict)
    mains: dict[str, int] = field(default_factory=dict)  # V's main entries -> when signed
    mine: set[str] = field(default_factory=set)  # ids of what V has signed
    seat: list[str] = field(default_factory=list)  # ids of all entries in V's seat, by whom ever
    trace: list[str] = field(default_factory=list)
    finds: list[Find] = field(default_factory=list)
    tally: Counter[str] = field(default_factory=Counter)
    _shown: dict[str, set[Secret]] = field(default_factory=dict)
    _known: dict[Any, Any] = field(default_factory=dict)
    _forked: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.story = self.start
        for fold in prefixes(self.start, self.open_table):
            self.nodes[fold.head] = fold
            if fold.entries[-1].by == self.honest:
                self.seat.append(fold.head)
                self._note(fold)
                self.sent = fold

    @property
    def cheat(self) -> str:
        return other(self.honest)

    @property
    def signed(self) -> int:
        """How many entries were signed behind the start."""
        return sum(not label.startswith("V reads") for label in self.trace)

    def ends(self) -> list[Fold]:
        """Every file that nothing was written on."""
        before = {fold.entries[-1].payload["prev"] for fold in self.nodes.values()}
        return [fold for fold in self.nodes.values() if fold.head not in before]

    # --- entries

    def add(self, fold: Fold, label: str) -> bool:
        """A new entry, known to C at once; says whether it was new."""
        if fold.head in self.nodes:
            return False
        self.clock += 1
        self.nodes[fold.head] = fold
        self.trace.append(label)
        if fold.entries[-1].by == self.honest:
            self.check_accused(fold)
            self.seat.append(fold.head)
        self.check_offers(fold)
        return True

    def signs(self, fold: Fold) -> None:
        """V has signed the last entry of a fold, which becomes the story."""
        if self.add(fold, f"V {told(fold)}"):
            self._note(fold)
            self._count("V", fold.entries[-1])
        self.story = self.sent = fold

    def forges(self, fold: Fold) -> bool:
        """C has signed the last entry of a fold, in either seat; says whether it is new."""
        return self.add(fold, f"C {told(fold)}")

    def _note(self, fold: Fold) -> None:
        entry = fold.entries[-1]
        self.mine.add(entry.id)
        if not fold.machine.entry.side:
            self.mains[entry.id] = self.clock
        for secret in self.shown_in(fold):
            self.shown_at.setdefault(secret, self.clock)

    def _count(self, who: str, entry: Entry) -> None:
        self.tally.update(f"{who} {worded_step(step)}" for step in entry.steps)

    # --- files

    def judge(self, file: Fold) -> str:
        """What V's program says to a file: `taken`, or the class it is refused with."""
        if self._memo(is_seatless, file, *self.ring) and not self.waits_for_key(file):
            return "E-KEY"
        if self.memory == "nothing":
            return "taken"
        if self.memory == "file":
            return self._memo(held_against_file, self.sent, self.honest, file)
        return self._memo(held_against_record, self.known, self.honest, file)

    def _memo(self, judge: Any, *given: Any) -> Any:
        """What a judgement of folds says, worked out once."""
        key = judge, tuple(each.head if isinstance(each, Fold) else each for each in given)
        if key not in self._known:
            self._known[key] = judge(*given)
        return self._known[key]

    def receive(self, file: Fold) -> str:
        """V reads a file; everything that must hold behind its verdict is checked."""
        verdict = self.judge(file)
        self.tally[verdict] += 1
        if verdict == "taken":
            self.check_taken(file)
            if self.memory == "nothing":
                self.check_found_again(file)
            self.story = file
        elif verdict == "E-ROLLBACK":
            self.check_rollback(file)
        elif verdict == "E-KEY":
            self.check_named(file)
        else:
            self.check_fork(file, verdict)
        return verdict

    # --- what must hold

    def found(self, kind: str, what: str) -> None:
        self.finds.append(Find(kind, what, self.signed, tuple(self.trace)))

    def check_taken(self, file: Fold) -> None:
        """(K), (F), (P)."""
        start = common(self.story.entries, file.entries)
        for fold in self.path(file):
            entry = fold.entries[-1]
            if entry.seq < start or entry.by != self.cheat:
                continue
            self._count("C", entry)
            if self.decides(fold):
                before = self.shown_on(self.nodes[entry.payload["prev"]])
                known = set(self.shown_at) - before
                if known:
                    what = ", ".join(sorted(map(worded, known)))
                    self.found("knowledge", f"entry {entry.seq} decides knowing {what}")
        if self.memory != "nothing" and self.cheat in self.forked(self.known, file):
            self.found("untold", "two files prove a fork by C, and V takes the second")
        foreseen = self._memo(look_aheads, file)
        if foreseen:
            self.found("look-ahead", "; ".join(foreseen))
        strange = [e.seq for e in file.entries if e.by == self.honest and e.id not in self.mine]
        if strange:
            self.found("pen", f"V takes entries {strange} in their seat that they never signed")
        if not (self.holds_key(file) or self.waits_for_key(file)):
            self.found("pen", "V takes a file in which their seat has a key that they do not hold")
        missing = set(self.mains) - {entry.id for entry in file.entries}
        if missing and not self.is_ruled(file):
            lost = min(self.nodes[each].entries[-1].seq for each in missing)
            self.found("finality", f"V's main entry {lost} is not in the story taken")

    def check_found_again(self, file: Fold) -> None:
        """Who kept nothing finds the old file again: it proves what the record would have told."""
        if self._memo(held_against_record, self.story, self.honest, file) != "E-FORK":
            return
        by = self.forked(self.story, file)
        if not (self.honest in by or self.is_settled(file, by)):
            self.found("stuck", f"E-FORK without a proof ({', '.join(by)})")

    def waits_for_key(self, file: Fold) -> bool:
        """Whether V's seat has a key there that V has lost: V reads on, and asks for a new one."""
        return file.machine.keys.publics[self.honest] in self.gone

    def check_named(self, file: Fold) -> None:
        """C has put a key in V's place: without the notes at its end the file leads on, or V's own.

        Where C has gone on in V's seat, V sends their own file again.
        """
        before = self.without_notes(file)
        if self.holds_key(before):
            verdict = self.judge_passing_over(before)
            mains = {each.id for each in self.without_notes(self.story).entries}
            if verdict == "taken":
                self.check_taken(before)
            elif mains <= {each.id for each in before.entries}:
                self.found("pen", f"V cannot pass over a key that C put in their place: {verdict}")

    def judge_passing_over(self, before: Fold) -> str:
        """What V's program says where they write on a file that lacks the last notes of C."""
        return self._memo(held_against_record, self.known, self.honest, before, True)

    def without_notes(self, file: Fold) -> Fold:
        """A file without the notes at its end."""
        return self.nodes[file.entries[notes.last_main(file.machine, file.machine.entry.seq)].id]

    def passed_over(self) -> Fold | None:
        """The story without the last notes of C, if V may write as if they were not there."""
        before = self.without_notes(self.story)
        if before is self.story or before.machine.holder != self.honest:
            return None
        if not self.holds_key(before):
            return None
        return before if self.judge_passing_over(before) == "taken" else None

    def holds_key(self, file: Fold) -> bool:
        return file.machine.keys.publics[self.honest] in self.ring

    def check_rollback(self, file: Fold) -> None:
        """V's own file, sent again, must lead on with a C who has signed no fork."""
        by = self.forked(self.known, file)
        if self.cheat in by:
            self.found("untold", "two files prove a fork by C, and V is told E-ROLLBACK")
        if self.is_settled(file, by) or self.goes_back(file):
            return
        theirs = self._memo(held_against_record, file, self.cheat, self.known)
        if theirs != "taken":
            self.found("stuck", f"each refuses the other's file: E-ROLLBACK and {theirs}")

    def is_ruled(self, file: Fold) -> bool:
        """Whether a file ends with a result of the director: what V signed in its place is lost to
        it (W9).
        """
        return any(result_in(entry) is not None for entry in file.entries)

    def goes_back(self, file: Fold) -> bool:
        """Whether C brings a result, in one of two stories, for a place before which they have
        written a main entry in the other. There is no proof of that, but the director sees it.
        """
        start = common(self.known.entries, file.entries)
        for one, two in ((self.known, file), (file, self.known)):
            notes = two.machine.entry.beside
            brought = any(result_in(e) and e.by == self.cheat for e in one.entries[start:])
            later = [e for e in two.entries[start:] if e.by == self.cheat and e.seq not in notes]
            if brought and later:
                return True
        return False

    def check_fork(self, file: Fold, verdict: str) -> None:
        """What V knows it by must prove it, unless C signs with a key that V has named."""
        by = self.forked(self.known, file)
        if not (self.is_settled(file, by) or self.goes_back(file)):
            self.found("stuck", f"{verdict} without a proof ({', '.join(by)})")

    def is_settled(self, file: Fold, by: tuple[str, ...]) -> bool:
        """Whether C has forked; or could only be accused by a key that V named for them.

        That one is the price of helping a player who has lost a key, and V is told before.
        """
        named = any(rotation.on_word(one.machine, self.cheat) for one in (self.known, file))
        return self.cheat in by or (by == ("on-word",) and named)

    @property
    def known(self) -> Fold:
        """The file by which V knows the game again."""
        return self.story if self.memory in ("read", "nothing") else self.sent

    def forked(self, first: Fold, second: Fold) -> tuple[str, ...]:
        """Who is proven to have forked between two files, or why nobody is."""
        key = first.head, second.head
        if key not in self._forked:
            # Each entry was judged when it was signed; one pair in some is judged all anew.
            anew = int(first.head[:4], 16) % ANEW == int(second.head[:4], 16) % ANEW
            with nullcontext() if anew else knowing(self.nodes):
                self._forked[key] = forked(first, second, self.open_table)
        return self._forked[key]

    def check_accused(self, fold: Fold) -> None:
        """No proof against V can be made of the entry signed last in V's seat and any other."""
        for head in self.seat:
            earlier = self.nodes[head]
            if earlier.entries == fold.entries[: len(earlier.entries)]:
                continue
            if self.honest in self.forked(earlier, fold):
                self.found(
                    "accused", f"entries {earlier.entries[-1].seq} and {fold.entries[-1].seq} of V"
                )

    def check_offers(self, fold: Fold) -> None:
        """One offer is open at most, and never one of the player who has the pen."""
        machine = fold.machine
        if len(machine.agreements.offers) > 1 or any(
            each.by == machine.holder for each in machine.agreements.offers
        ):
            self.found(
                "offers", f"open behind entry {machine.entry.seq}: {machine.agreements.offers}"
            )

    # --- what a file holds

    def path(self, file: Fold) -> Iterator[Fold]:
        """The folds of all beginnings of a file, the shortest first."""
        return (self.nodes[entry.id] for entry in file.entries)

    def shown_on(self, file: Fold) -> set[Secret]:
        """V's secrets that the entries of a file show."""
        found: set[Secret] = set()
        for fold in self.path(file):
            if fold.head in self.mine:
                found |= self.shown_in(fold)
        return found

    def shown_in(self, fold: Fold) -> set[Secret]:
        """The secrets that the last entry of a fold shows."""
        if fold.head not in self._shown:
            prev = fold.entries[-1].payload["prev"]
            self._shown[fold.head] = shown(fold, self.nodes.get(prev, fold))
        return self._shown[fold.head]

    def decides(self, fold: Fold) -> bool:
        return decides(fold, self.nodes[fold.entries[-1].payload["prev"]])


# --- single entries


def told(fold: Fold) -> str:
    """The last entry in a word: where it lies, in which seat, main entry or `*` note, its steps."""
    entry = fold.entries[-1]
    kinds = ",".join(worded_step(step) for step in entry.steps)
    beside = "*" if fold.machine.entry.side else ""
    return f"{entry.seq}.{entry.id[:3]} on {entry.payload['prev'][:3]} {entry.by}{beside}: {kinds}"


def worded_step(step: dict[str, Any]) -> str:
    if step["do"] == "offer":
        return f"offer {step['what']}"
    if step["do"] == "answer":
        return "yes" if step["yes"] else "no"
    return str(step["do"])


def prefixes(fold: Fold, open_table: Any) -> Iterator[Fold]:
    """The folds of all beginnings of a file, the shortest first."""
    before = replay(fold.entries[:1], open_table)
    for entry in fold.entries[1:]:
        yield before
        before = after(before, entry)
    yield fold


def common(first: Iterable[Entry], second: Iterable[Entry]) -> int:
    """How many entries two stories have in common."""
    count = 0
    for one, two in zip(first, second, strict=False):
        if one.id != two.id:
            break
        count += 1
    return count


def shown(fold: Fold, before: Fold) -> set[Secret]:
    """The secrets of its author that the last entry of a fold shows; `before`: without it."""
    entry, machine = fold.entries[-1], fold.machine
    kinds = [step["do"] for step in entry.steps]
    renew = kinds.index("renew") if "renew" in kinds else len(kinds)
    bound = {
        each.name: each.commitment for each in (*before.machine.hidden.decks, *machine.hidden.decks)
    }
    found: set[Secret] = set()
    for one in fold.journal[-1]:
        if getattr(one, "by", "") != entry.by:
            continue
        if isinstance(one, Revealed):
            began = before if one.place.step < renew and before.phase == "running" else fold
            found.add(("value", *origin(began.machine, entry.by), one.n))
        elif isinstance(one, Opened):
            found.add(("card", bound[one.slot.rpartition("/")[0]], one.slot))
        elif isinstance(one, Unsealed):
            found.add(("doc", one.slot, fold.entries[one.sent.entry].id))
        elif isinstance(one, ChoiceTold) and one.sent is not None:
            found.add(("choice", fold.entries[one.sent.entry].id, one.sent.step))
        elif isinstance(one, DeckProven):
            found.add(("trials", bound[f"{one.deck}/{one.epoch}"], _trial(entry, one)))
        elif isinstance(one, Audited):
            found.add(("all", *origin(machine, entry.by)))
    return found


def _trial(entry: Entry, one: DeckProven) -> int:
    return next(
        step["t"]
        for step in entry.steps
        if step["do"] == "deck_reply" and (step["deck"], step["epoch"]) == (one.deck, one.epoch)
    )


def decides(fold: Fold, before: Fold) -> bool:
    """Whether the last entry of a fold fixes something that its author was free to do otherwise."""
    entry = fold.entries[-1]
    for step in entry.steps:
        if step["do"] in DECISIONS:
            return True
        if step["do"] == "reveal" and (step.get("void") or not before.machine.due(entry.by)):
            return True
    fixed = dict(fixed_openings(list(fold.journal[-1])))
    return any(
        spot.entry == entry.seq and one.by == entry.by
        for one in fold.journal[-1]
        if isinstance(one, Opened)
        for identity, spot in fixed.items()
        if identity == id(one)
    )


def worded(secret: Secret) -> str:
    parts = [
        each.hex()[:4] if isinstance(each, bytes) else str(each).split("\n")[-1][:8]
        for each in secret
    ]
    return " ".join(parts)


def held_against_record(story: Fold, player: str, file: Fold, passing_over: bool = False) -> str:
    """What the record of a player who saw a story last says to a file."""
    seen = witness.record(story, player)
    return refusal_of(lambda: witness.compare(seen, file, passing_over=passing_over))


def held_against_file(sent: Fold, player: str, file: Fold) -> str:
    """What the file a player sent last says to a file."""
    return refusal_of(lambda: witness.compare_files(sent, file, player=player))


def is_seatless(file: Fold, *publics: bytes) -> bool:
    """Whether none of a player's keys has a seat in a file."""
    for public in publics:
        try:
            file.player_of(public)
        except FileRefused as refused:
            assert refused.code == "E-KEY"
        else:
            return False
    return True


def refusal_of(compare: Callable[[], Any]) -> str:
    try:
        compare()
    except FileRefused as refused:
        assert refused.code in HISTORY, refused
        return refused.code
    return "taken"


@contextmanager
def knowing(nodes: Mapping[str, Fold]) -> Iterator[None]:
    """Inside, a proof is sought among entries that were verified before, without doing it again."""

    def known_replay(entries: Sequence[Entry], table: Any, *, remember_from: int = 0) -> Fold:
        known = nodes.get(entries[-1].id)
        return known or replay(entries, table, remember_from=remember_from)

    def known_after(before: Fold, entry: Entry) -> Fold:
        return nodes.get(entry.id) or after(before, entry)

    with patch.multiple(fork, replay=known_replay, after=known_after):
        yield


def forked(first: Fold, second: Fold, open_table: Any) -> tuple[str, ...]:
    """Who is proven to have forked between two files, by proofs read again; or why nobody is."""
    try:
        found = fork.find_all(first.entries, second.entries, open_table)
        for each in found:
            again = fork.find(*fork.stories(each.bytes()), open_table)
            assert (again.by, again.lines, again.key) == (each.by, each.lines, each.key)
    except fork.NoFork as none:
        return (none.why,)
    except FileRefused as refused:
        return (refused.code,)
    return tuple(each.by for each in found)
