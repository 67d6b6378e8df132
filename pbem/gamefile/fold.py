"""The fold: entries in, the state of the game out, always with every check.

Checks run in one order for each entry (shape, digests, link, signature, steps, state digest),
inside one boundary: any other error while an entry is judged refuses it and never lets it pass.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pbem.gamefile import chain, consent, format, limits, rotation, shapes
from pbem.gamefile.chain import ZEROS, Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import PLAYERS, Asked, DiceWanted, Finished, GameInPlay
from pbem.gamefile.journal import JournalLine
from pbem.gamefile.kept import Given, Owed, StandingPolicy
from pbem.gamefile.keys import check_public, game_fingerprint
from pbem.gamefile.machine import Machine, MayOpenTable, OpenTable, World
from pbem.gamefile.shapes import BOTS
from pbem.late import Late
from pbem.messages import say
from pbem.problems import Refused
from pbem.value import value

if TYPE_CHECKING:
    from pbem.gamefile import deputies
    from pbem.gamefile.newer import with_the_writer
else:  # few games have deputies, and no sound file needs the other
    deputies = Late("pbem.gamefile.deputies")
    with_the_writer = Late("pbem.gamefile.newer").with_the_writer

Judged = TypeVar("Judged")
Journals = Sequence[tuple[JournalLine, ...]]


@value
class Fold:
    """A verified game file: its entries, what each made happen, and the state after the last.

    `journal[i]` belongs to `entries[i]`. A fold that `is_ahead` has one journal more, and the state
    after it: what the next entry brings, whatever its author decides (see prospect.py).
    """

    entries: tuple[Entry, ...]
    journal: tuple[tuple[JournalLine, ...], ...]
    machine: Machine

    @property
    def is_ahead(self) -> bool:
        """Whether it goes on behind its last entry, as only the author of the next one can see."""
        return len(self.journal) > len(self.entries)

    @property
    def phase(self) -> str:
        """`proposed`, `accepted`, `running` or `over`."""
        return self.machine.terms.phase

    @property
    def proposal(self) -> Mapping[str, Any]:
        """The `propose` step."""
        return self.machine.terms.proposal

    @property
    def is_solo(self) -> bool:
        """Whether one person sits on both seats."""
        return self.proposal["options"].get("solo") is True

    @property
    def bot(self) -> str | None:
        """The seat that the program plays in a solo game; None where it plays none."""
        options = self.proposal["options"]
        return next((player for player, option in BOTS.items() if option in options), None)

    @property
    def game(self) -> str | None:
        """The game id (64 hex digits), known once the game is accepted."""
        return None if self.machine.terms.game == ZEROS else self.machine.terms.game

    @property
    def fingerprint(self) -> str | None:
        """Twenty digits of the game id, to be compared aloud."""
        return game_fingerprint(self.machine.terms.game) if self.game else None

    @property
    def head(self) -> str:
        """The id of the last entry."""
        return self.entries[-1].id

    @property
    def in_play(self) -> GameInPlay | None:
        """The game; None before it has started."""
        return self.machine.in_play

    @property
    def waits(self) -> Asked | DiceWanted | Finished | None:
        """What the game itself waits for; None before it has started."""
        return self.machine.waits if self.machine.in_play else None

    @property
    def owed(self) -> tuple[Owed, ...]:
        """What each player owes, in order; empty when the game is over."""
        return self.machine.owed

    @property
    def pen(self) -> str | None:
        """The player who must write next."""
        return self.machine.pen

    @property
    def locked(self) -> int | None:
        """The number of the beacon that is locked and not yet known."""
        return self.machine.beacons.locked

    @property
    def lock_id(self) -> str | None:
        """The id of the entry that locked the last beacon."""
        if not self.machine.beacons.locks:
            return None
        return self.entries[self.machine.beacons.locks[max(self.machine.beacons.locks)]].id

    @property
    def result(self) -> Mapping[str, Any] | None:
        """Winner and how, once the game is over."""
        return self.machine.terms.result

    @property
    def is_provisional(self) -> bool:
        """Whether there is a result, and the player it favours has not yet shown what they hid.

        A draw favours both, an end without result neither.
        """
        return self.machine.is_provisional

    def given(self, player: str) -> tuple[Given, ...]:
        """The orders that the player has given ahead and the game has not reached."""
        return self.machine.pending.given[player]

    def policies(self, player: str) -> tuple[StandingPolicy, ...]:
        """The player's policies in force, the latest first."""
        return tuple(self.machine.in_force(player))

    def player_of(self, public: bytes) -> str:
        """The seat (A or B) of the owner of a key, who may be a player's deputy.

        Raises FileRefused (E-KEY) when the key plays no part in this game.
        """
        for player, known in self.machine.keys.publics.items():
            if known == public:
                return player
        if self.machine.keys.deputies and (seat := deputies.seat(self.machine, public)):
            return seat
        raise rotation.no_seat(self.machine, public)

    def author(self, number: int) -> str:
        """Who wrote the entry of a journal; of the one ahead: who will write it."""
        is_there = number < len(self.entries)
        return self.entries[number].by if is_there else self.machine.entry.by

    def told(self) -> Iterator[JournalLine]:
        """The lines of all entries from the beginning."""
        for journal in self.journal:
            yield from journal


def replay(entries: Sequence[Entry], open_table: OpenTable, *, remember_from: int = 0) -> Fold:
    """Verifies and folds a whole file.

    A journal holds positions, so a long game is lighter when those of the entries before
    `remember_from` are forgotten (they are empty then); everything is checked all the same.
    Raises FileRefused at the first thing that is wrong, with its place, and the Refused of
    `open_table` when the game cannot be set up here (other data, say).
    """
    history = History(entries, open_table)
    machine = Machine(World(open_table, history))
    told: list[tuple[JournalLine, ...]] = []
    for entry in entries:
        machine = _fold_entry(machine, entry, entries, told)
        history.pass_by(machine)
        told.append(machine.entry.journal if len(told) >= remember_from else ())
    return Fold(tuple(entries), tuple(told), machine)


def after(fold: Fold, entry: Entry, folded: Machine | None = None) -> Fold:
    """The fold with one more entry, verified. Raises as `replay` does.

    `folded` is the machine after the steps of the entry, where its author has already folded them
    on the machine of `fold` to write them. They are not folded again then; the rest is judged.
    """
    entries = (*fold.entries, entry)
    history = History(entries, fold.machine.world.open_table)
    machine = _fold_entry(fold.machine.put(recall=history), entry, entries, fold.journal, folded)
    return Fold(entries, (*fold.journal, machine.entry.journal), machine)


def resume(entries: Sequence[Entry], machine: Machine, known: int) -> Fold:
    """The fold of a file whose first `known` entries were verified before, to this `machine`.

    Only the entries after them are folded, so only those have a journal. Raises as `replay`.
    """
    history = History(entries, machine.world.open_table)
    machine = machine.put(recall=history)
    history.pass_by(machine)
    told: list[tuple[JournalLine, ...]] = [()] * known
    for entry in entries[known:]:
        machine = _fold_entry(machine, entry, entries, told)
        told.append(machine.entry.journal)
        history.pass_by(machine)
    return Fold(tuple(entries), tuple(told), machine)


class History:
    """The states after earlier entries of a file, because a take-back continues from one of them.

    A machine keeps none. The code that folds the file passes each state here, and those to which
    the file goes back are kept. If one is missing, the beginning is folded again, and the states
    passed by then are kept too: so 64 take-backs cost one more reading, not 64.
    """

    def __init__(self, entries: Sequence[Entry], open_table: MayOpenTable) -> None:
        self._entries, self._open_table = entries, open_table
        self._known: dict[int, Machine] = {}
        self._wanted = _gone_back_to(entries)

    def pass_by(self, machine: Machine) -> None:
        """Keeps the state after the last entry of `machine`, if the file goes back to it."""
        seq = machine.entry.seq
        if seq in self._wanted:
            self._known[seq] = machine

    def __call__(self, seq: int) -> Machine:
        """The machine after entry `seq`, which was verified before."""
        if seq not in self._known:
            nearest = max((known for known in self._known if known < seq), default=None)
            machine = Machine(World(self._open_table, self))
            if nearest is not None:
                machine = self._known[nearest].put(recall=self)
            for number in range(machine.entry.seq + 1, seq + 1):
                machine = _fold_entry(machine, self._entries[number], self._entries)
                self.pass_by(machine)
            self._known[seq] = machine
        return self._known[seq]


def _gone_back_to(entries: Sequence[Entry]) -> frozenset[int]:
    """The entries that take-backs in a file name, up to the number that one game can have.

    Nothing is verified yet: other shapes are passed over, to be refused when they are folded.
    """
    found: list[int] = []
    for entry in entries:
        steps = entry.payload.get("steps") if type(entry.payload) is dict else None
        for step in steps if type(steps) is list else ():
            if type(step) is dict and step.get("do") == "takeback" and type(step.get("to")) is int:
                found.append(step["to"])
        if len(found) >= consent.MAX_TAKE_BACKS:
            break
    return frozenset(found[: consent.MAX_TAKE_BACKS])


def _fold_entry(
    machine: Machine, entry: Entry, entries: Sequence[Entry], told: Journals = (),
    folded: Machine | None = None,
) -> Machine:  # fmt: skip
    """Folds the next entry of a file. An audit also reads the entries before it, and their journals
    as far as they are remembered.

    `folded` is as for `after`.
    """
    from pbem.gamefile.entry import fold_steps, named  # which a look at a game does without

    def judged(machine: Machine) -> Machine:
        if folded is not None:
            machine = folded.put(recall=machine.world.recall, written=machine.entry.written)
        else:
            machine = _stated(fold_steps(machine, entry), entry)
        machine = named(consent.sealed(machine, entry.id), entry)
        _check_audits(entries, told, machine, entry)
        return machine

    return judge_entry(machine, entry, judged)


def _stated(machine: Machine, entry: Entry) -> Machine:
    """The machine after an entry, if its author states the same digest. Raises FileRefused."""
    if machine.post() != entry.payload["post"]:
        raise FileRefused(
            "E-STATE",
            say(
                "after it the game is not in the state that its author states: the two "
                "programs judge differently, or one was changed"
            ),
            hint=say("compare the versions of pbem and of the game data"),
        )
    return machine


def judge_entry(machine: Machine, entry: Entry, judge_steps: Callable[[Machine], Judged]) -> Judged:
    """Judges the next entry of a file: form, digests, link, signature, and then its steps.

    Returns the result of `judge_steps` on the machine, which counts the entry's bytes by then.
    Raises FileRefused, placed at the entry, for whatever is wrong with it, and other Refused
    unchanged.
    """
    by, number = None, machine.entry.seq + 1
    try:
        shapes.check_payload(entry.payload)
        by = entry.by
        _check_signed(machine, entry)
        # Only now is it proven whose they are.
        limits.check_content(by, entry.steps, len(entry.body))
        written = machine.entry.written[by] + format.stored_size(entry)
        limits.check_share(by, written)
        return judge_steps(machine.put(written={**machine.entry.written, by: written}))
    except FileRefused as refused:
        by = by or _author(machine, entry, refused)
        whose = None if by is None else rotation.accused(machine, by, number)
        if refused.code == "E-RULES":  # of a step that is not known here its shape says so
            refused.hint = with_the_writer(refused.hint, entry.payload)
        refused.placed(entry=number, by=whose)
        raise
    except Refused:
        raise
    except Exception as error:  # the one boundary: an unforeseen fault refuses, it never accepts
        what = f"{type(error).__name__}: {error}"[:200]
        raise FileRefused(
            "E-SCHEMA",
            say("cannot be judged ({what})", what=what),
            hint=say("if its author followed the rules, this is a bug in pbem: please report it"),
        ).placed(entry=number) from error


def _author(machine: Machine, entry: Entry, refused: FileRefused) -> str | None:
    """The author of an entry of the wrong form at this very place; None where that is not proven.

    Its form is judged before its signature, which says whose fault it is.
    """
    if refused.code != "E-SCHEMA":
        return None
    try:
        _check_signed(machine, entry)
    except Exception:  # of the wrong form: it may stumble anywhere
        return None
    return entry.by if entry.by in PLAYERS else None


def _check_audits(entries: Sequence[Entry], told: Journals, machine: Machine, entry: Entry) -> None:
    """Judges the file again, up to an entry that shows its author's secrets, with their cards.

    The game is replayed unless its journals are enough. Raises FileRefused.
    """
    step = next((step for step in entry.steps if step["do"] == "audit"), None)
    if step is None:
        return
    from pbem.gamefile import audit, shown

    player, secrets = entry.by, shown.secrets_shown(step)
    known = entries[: entry.seq + 1]
    audit.check_sealed_orders(known, machine, player, secrets)
    whole = (*told, machine.entry.journal)  # an entry may end the game and show its cards at once
    assert len(whole) == len(known), "nobody goes back to a state behind an audit"
    if not audit.stands(whole, player, secrets):
        audit.play_again(known, machine.world.open_table, player, secrets)


def _check_signed(machine: Machine, entry: Entry) -> None:
    chain.check_intact(entry)
    public = rotation.signer(machine, entry)
    if public is None:  # the first entry names the keys itself
        first = entry.steps[0]
        if entry.by != "A" or first["do"] != "propose":
            raise FileRefused("E-CHAIN", say("the file does not begin with a proposal"))
        public = bytes.fromhex(first["pub_a"])
        check_public(public)
    elif entry.steps[0]["do"] == "accept" and entry.steps[0]["pub"] != public.hex():
        raise FileRefused("E-KEY", say("the proposal was made to the owner of another key"))
    # What is signed is known only after the entry that it names.
    number = machine.entry.seq + 1
    game = machine.terms.game if number > 1 else ZEROS
    chain.check_link(entry, seq=number, prev=machine.entry.last_id, game=game)
    rotation.check_signature(machine, entry, chain.pae(entry.body), public)
