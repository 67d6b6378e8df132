"""The list of cheats the protocol was designed against: each tried, and what the cheat is told.

A case has one or more variants. Most are spoilt files (mutations.py, sealed_mutations.py); others
need a memory, a second file or an orders file. `tests/golden/adversarial/` has a text for each.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple
from unittest.mock import patch

from pbem.engine.dice import Dice, Draw
from pbem.gamefile import format, witness
from pbem.gamefile.errors import GROUPS
from pbem.gamefile.fold import Fold, after, replay
from pbem.gamefile.verify import Report, examine
from pbem.orders.bind import bind, unknown_names
from pbem.orders.parse import parse
from pbem.orders.written import order_line
from pbem.play.game import table_for
from pbem.problems import Refused
from pbem.text.source import Source, render_all
from pbem.text.wording import shown
from tests.gamefile.agreed_mutations import agreed_cases, open_both, upgrade_cases
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import GOOD, Case, cases, packed, too_large
from tests.gamefile.on_a_word import on_a_word
from tests.gamefile.oversized import (
    beyond_a_share,
    forged_decks,
    oversized_cases,
    unknown_options,
)
from tests.gamefile.players import opened, policy, resigned, started, write
from tests.gamefile.poison import poison_cases
from tests.gamefile.sealed_mutations import sealed_cases
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.toy import Toy, open_toy
from tests.orders.order_samples import NAMES, VERBS

NAMED: Mapping[int, str] = MappingProxyType({
    1: "comment changed", 2: "comment changed with checksums", 3: "signed by the other",
    4: "signature spelt otherwise", 5: "file cut", 6: "numbers beyond the domain",
    7: "brackets", 8: "member twice", 9: "letters beyond the domain", 10: "unknown member",
    11: "unknown version", 12: "too large", 13: "gzip with more behind it", 14: "no signature",
    15: "entry removed", 16: "entries swapped", 17: "entry doubled", 18: "entry rewritten",
    19: "last entry rewritten", 20: "older file", 21: "second story", 22: "entry of another game",
    23: "another proposal accepted", 24: "keys that bind nobody", 25: "accepted by a stranger",
    26: "key of a contact changed", 27: "other game data", 28: "value out of thin air",
    29: "value left out or too soon", 30: "old value again", 31: "values copied",
    32: "value while the other is asked", 33: "orders changed behind the value",
    34: "policy behind the others value", 35: "another document", 36: "malformed document",
    37: "document withheld", 38: "value withheld", 39: "choice before the dice",
    40: "result in a step", 41: "another state", 42: "label twice", 43: "doubled card picked",
    44: "doubled card shown", 45: "reply to another challenge", 46: "leaves changed",
    47: "reply withheld", 48: "card opened falsely", 49: "card not in hand",
    50: "card not legal", 51: "other cards shown", 52: "discard not in hand",
    53: "epoch of other cards", 54: "forced card withheld", 55: "false secret",
    56: "take-back without consent", 57: "take-back of what cannot be", 58: "behind the end",
    59: "new key without proof", 60: "retired key", 61: "upgrade without consent",
    62: "forfeit claimed by the mover", 63: "hostile yaml", 64: "paths for names",
    65: "out of turn", 66: "value asked for twice", 67: "damaged armour", 68: "look-alike names",
    69: "in front of what is owed", 70: "card of a document", 71: "open beacon used again",
    72: "provisional lock", 73: "lapse pretended", 74: "pen and notes", 75: "mails crossed",
    76: "refused entry no fork", 77: "second accept", 78: "offer beside a lock",
    79: "commitment missing", 80: "append", 81: "new hand", 82: "chain used up",
    83: "audit too early", 84: "ordinal two", 85: "orders nobody can read",
    86: "bait of an offer", 87: "a way back", 88: "a yes kept back", 89: "built on a note",
    90: "more than an entry may hold", 91: "forged proposal",
    92: "more than the share of a player", 93: "on a word",
})  # fmt: skip

ELSEWHERE = frozenset({19, 20, 21, 24, 25, 26, 66, 67, 75, 76, 77})
"""Cases shown with the commands themselves: tests/cli/test_forks.py; armour: test_armour.py."""

READ: Mapping[int, str] = MappingProxyType({
    34: "in front of the owed value it is what stands in front of it that is wrong: E-NOREVEAL",
    36: "how a document is resolved is never written, only worked out: so it shows as E-STATE",
    53: "there is no shuffling of a pile with hidden cards into a new epoch (the pile stays, "
    "the rest is appended), so the composition is always public",
    63: "what is wrong with an orders file has a code for each kind of mistake, yaml-*",
    64: "a name is looked up, never used as a path: it is an unknown name like any other",
    79: "a deck_reply is owed before anything else, but a card in front of it is E-OPEN",
})  # fmt: skip
"""Where the class is read otherwise than one might expect."""


class Attempt(NamedTuple):
    """One variant: what was done, what must come of it, and what came."""

    number: int
    what: str
    expected: str
    code: str
    whose: str | None
    text: str

    @property
    def told(self) -> str:
        """The variant as its golden text has it."""
        lines = [self.what, f"  {self._judged}"]
        return "\n".join([*lines, *(f"    {line}" for line in self.text.splitlines())])

    @property
    def _judged(self) -> str:
        if self.code == GOOD:
            return "accepted"
        group = f", group {GROUPS[self.code]}" if self.code in GROUPS else ""
        fault = f"the fault of player {self.whose}" if self.whose else "nobody's fault"
        return f"{self.code}{group}, {fault}"


def attempts() -> Iterator[Attempt]:
    """Every variant of every case that can be tried."""
    for case in [*cases(), *packed(), *too_large()]:
        yield of_file(case, open_toy)
    for case in poison_cases():
        yield of_file(case, open_toy)
    for case in oversized_cases():
        yield of_file(case, open_toy)
    for case, measured in beyond_a_share():
        with patch.object(format, "stored_size", measured):
            attempt = of_file(case, open_toy)
        yield attempt
    for case in forged_decks():
        yield of_file(case, open_sealed_toy)
    for case in unknown_options():
        yield of_file(case, table_for)
    for case in sealed_cases():
        yield of_file(case, open_sealed_toy)
    for case in on_a_word():
        yield of_file(case, open_sealed_toy)
    for case in agreed_cases():
        yield of_file(case, open_toy)
    for case in upgrade_cases():
        yield of_file(case, open_both)
    yield from remembered()
    yield from faults_of_a_program()
    yield from orders_files()
    yield from words()


def of_file(case: Case, table: Callable) -> Attempt:
    return judged(case.number, case.what, case.expected, examine(case.raw, table))


def judged(number: int, what: str, expected: str, report: Report) -> Attempt:
    if report.is_good:
        return Attempt(number, what, expected, GOOD, None, "")
    first, problems = report.findings[0], [finding.problem for finding in report.findings]
    return Attempt(number, what, expected, first.problem.code, first.whose, render_all(problems))


# --- what a memory or a second file shows


def remembered() -> Iterator[Attempt]:
    fold, game = opened(), mini_game()
    one, two = write(fold, "A", {"pass": {}}), write(fold, "A", {"draw": {}})
    seen = witness.record(one, "B")

    def against(number: int, what: str, expected: str, given, **memory) -> Attempt:
        raw = format.write(given.entries)
        return judged(number, what, expected, examine(raw, open_toy, **memory))

    yield against(19, "the last entry rewritten behind a record", "E-FORK", two, seen=seen)
    answered = write(one, "B", {"pass": {}})
    yield against(19, "the same, held against the file sent last", "E-FORK", two,
                  last=answered)  # fmt: skip
    older = replay(game.entries[:9], open_toy)
    yield against(20, "three entries fewer than were seen", "E-ROLLBACK", older,
                  seen=witness.record(game, "A"))  # fmt: skip
    yield against(20, "three entries fewer than were sent", "E-ROLLBACK", older, last=game)
    longer = write(two, "B")
    yield against(21, "a longer file with another entry", "E-FORK", longer, seen=seen)
    drawn = write(two, "B")
    again = write(fold, "A", {"draw": {}}, {"pass": {}})
    yield against(66, "a value asked for again, for another entry that locks", "E-FORK", again,
                  seen=witness.record(drawn, "B"))  # fmt: skip
    forgotten = {**witness.record(drawn, "B"), "trail": witness.record(fold, "B")["trail"]}
    yield against(66, "the same where only the value is remembered", "E-DOUBLE", again,
                  seen=forgotten)  # fmt: skip
    side = write(fold, "B", say=("Hello?",))
    yield against(75, "the pen-holder's entry where a note was seen", GOOD, one,
                  seen=witness.record(side, "B"))  # fmt: skip
    yield against(75, "the note where the pen-holder's was seen", "E-ROLLBACK", side,
                  seen=witness.record(one, "A"))  # fmt: skip
    answered = write(side, "A", {"pass": {}})
    yield against(87, "another entry in place of words that were answered", "E-FORK",
                  write(fold, "A", {"draw": {}}), seen=witness.record(answered, "B"))  # fmt: skip
    asked = write(fold, "B", offer={"what": "draw"})
    yield against(87, "another entry in place of a yes", "E-FORK", one,
                  seen=witness.record(write(asked, "A", answer=True), "B"))  # fmt: skip
    late = write(asked, "A", answer=True)
    yield against(88, "a yes to an offer that was passed over", "E-FORK", late,
                  seen=witness.record(answered_by_b(one), "B"))  # fmt: skip
    yield against(88, "the offer itself, which nobody has written on", "E-ROLLBACK", asked,
                  seen=witness.record(one, "A"))  # fmt: skip
    offer = replay(started().entries[:1], open_toy)
    first = write(offer, "B")
    second = after(offer, resigned(first.entries[1], tool="pbem other"))
    yield against(77, "a second accept of one proposal", "E-FORK", second,
                  seen=witness.record(first, "A"))  # fmt: skip


def answered_by_b(fold: Fold) -> Fold:
    return write(fold, "B", {"pass": {}})


# --- what is a fault of a program or of its data


class Careless(Toy):
    """A game that names the same die for every fight."""

    def roll(self, dice: Dice) -> Toy:
        if self.stage == "fight":
            dice.roll([Draw("fight/1/morale", "the same die again")])
        return super().roll(dice)


def faults_of_a_program() -> Iterator[Attempt]:
    attack, go = {"attack": {"force": 4}}, {"advance": {"go": True}}
    full = policy("all", card=None, stand="hold")
    fold = write(write(started(), "B", policies=(full,)), "A", attack, go, attack, go, {"pass": {}})
    raw = format.write(write(fold, "B").entries)
    found = examine(raw, lambda proposal: Careless())
    yield judged(42, "a game that rolls one die twice on a beacon", "E-LABEL", found)
    proposal = {**opened().entries[0].steps[0], "ruleset": "crusade/1", "scenario": "campaign"}
    try:
        table_for(proposal)
    except Refused as refused:
        code = getattr(refused, "code", refused.problems[0].code)
        ours = r"available here: [0-9a-f]{16}"  # another with every change of the data
        text = re.sub(ours, "available here: ours", render_all(refused.problems))
        yield Attempt(27, "data here that differ from those of the game", "E-RULES", code, None,
                      text)  # fmt: skip


# --- orders files


HOSTILE: Mapping[str, tuple[int, str, bytes]] = MappingProxyType({
    "an anchor": (63, "yaml-anchor", b"orders:\n  - &a done\n"),
    "an alias": (63, "yaml-alias", b"orders: [done]\nsay: *x\n"),
    "a bomb of aliases": (63, "yaml-anchor", b"orders:\n  - &a [x, x]\n  - &b [*a, *a]\n"),
        "a type": (63, "yaml-tag", b"orders: !!python/object:os.system [done]\n"),
    "a key twice": (63, "yaml-doubled-key", b"orders: []\norders: []\n"),
    "two hundred lists in each other": (
        63, "yaml-depth", b"orders: " + b"[" * 200 + b"]" * 200 + b"\n"),
    "a megabyte": (63, "too-long", b"#" * (1 << 20)),
    "a tab": (63, "yaml-tab", b"orders:\n\t- done\n"),
    "a merge": (63, "yaml-merge", b"orders:\n  - play: {<<: {card: N1}}\n"),
    "a path for a unit": (
        64, "unknown-unit", b"orders:\n  - move: {units: [../../etc/passwd], path: [sevilla]}\n"),
    "a NUL in a name": (64, "yaml-control", b"orders:\n  - move: {units: [a\0b]}\n"),
})  # fmt: skip


def orders_files() -> Iterator[Attempt]:
    for what, (number, expected, content) in HOSTILE.items():
        code, text = GOOD, ""
        try:
            file = parse(Source.decode("orders.yaml", content), VERBS)
            unknown = unknown_names(file, NAMES)
            if unknown:
                raise Refused(*unknown)
            orders = [bind(file, index, NAMES) for index in range(len(file.orders))]
            text = "\n".join(map(order_line, orders))
        except Refused as refused:
            code, text = refused.problems[0].code, render_all(refused.problems)
        yield Attempt(number, what, expected, code, None, text)
    step = {**mini_game().entries[0].steps[0], "scenario": "../campaign"}
    entry = resigned(mini_game().entries[0], steps=[step])
    found = examine(format.write([entry]), open_toy)
    yield judged(64, "a scenario named with a stroke", "E-SCHEMA", found)


def words() -> Iterator[Attempt]:
    """Free text may hold what it likes of Unicode; what could fool a terminal is shown escaped."""
    text = "Inf\u0301-1 and Inf-1\u202e"
    fold = write(opened(), "B", say=(text,))
    found = examine(format.write(fold.entries), open_toy)
    attempt = judged(68, "words with combining and reversing letters", GOOD, found)
    yield attempt._replace(text=f"shown as: {shown(text)}")
