"""On the whole tree of entries: what a cheat may sign and when, and what it gains them.

Three modes: random games of an honest player and a cheat who writes on any entry at any time;
random games of two honest players whose mails are lost, doubled and out of order; and every short
game of a list of moves. The teeth: each rule of the tree taken away, one at a time, is found.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from pbem.gamefile import consent, entry, fork, notes, witness
from pbem.gamefile.fold import Fold
from pbem.gamefile.machine import Machine
from pbem.gamefile.steps import turn
from pbem.gamefile.without_rules import replay_without_rules
from tests.conftest import FUZZ
from tests.gamefile import tree_search as search
from tests.gamefile.players import write
from tests.gamefile.secret_toy import BOLD, CONSPIRE
from tests.gamefile.tree import Find, Tree
from tests.gamefile.tree_games import Game, Mails
from tests.gamefile.tree_search import (
    DECISIONS,
    DRAWS,
    ENDS,
    HIDDEN,
    NEW_KEYS,
    POLICIES,
    RENEWALS,
    SECRETS,
    TAKE_BACKS,
    UPGRADES,
    VOIDS,
    WORDS,
    Search,
    at_orders,
    before_a_roll,
    with_hidden_hands,
    with_secret_choices,
)

GAMES = 12  # of honest players, or without a memory; 240 with PBEM_FUZZ=20
CHEATED = 16 if FUZZ == 1 else 24  # with a cheat; 480 then


def told(finds: list[Find]) -> str:
    return "\n".join(str(each) for each in finds)


# --- random games


def test_a_cheat_gains_nothing_by_writing_on_older_entries(fuzz):
    count: Counter[str] = Counter()
    for seed in range(CHEATED * fuzz):
        tree = Game(seed).played()
        assert not tree.finds, f"seed {seed}: {told(tree.finds)}"
        count.update(tree.tally)
    seldom = {kind: count[f"V {kind}"] + count[f"C {kind}"] for kind in TRIED}
    assert min(seldom.values()) > 0, seldom
    assert min(count[verdict] for verdict in ("taken", "E-FORK", "E-ROLLBACK", "E-KEY")) > 10


TRIED = (
    "reveal", "orders", "react", "post_choice", "policy", "unseal", "open", "deck_commit",
    "deck_reply", "anchor", "offer draw", "offer takeback", "offer upgrade", "offer void",
    "offer adjourn", "offer renew", "yes", "no", "takeback", "upgrade", "renew", "say", "resign",
    "audit", "close", "rotate",
)  # fmt: skip
"""What V has signed, and taken from C, before anything is said of it."""


def test_honest_mails_that_go_astray_come_to_one_story(fuzz):
    count: Counter[str] = Counter()
    for seed in range(GAMES * fuzz):
        game = Mails(seed).played()
        assert not game.finds, f"seed {seed}: {told(game.finds)}"
        count.update(game.tally)
    assert count["taken"] > 60 and count["E-ROLLBACK"] > 60 and count["crossed"] > 5, count


@pytest.mark.parametrize("memory", ["file", "read"])
def test_the_file_sent_last_protects_as_well_as_a_record(fuzz, memory):
    """Whoever lost the record and keeps the last file they sent loses nothing by it.

    All they ever signed stands in it. Two entries of the other that they have read and not answered
    are taken one after the other: nobody has shown anything on them. A record of all that was read
    holds no less.
    """
    for seed in range(1000, 1000 + 5 * fuzz):
        tree = Game(seed, memory=memory).played()
        assert not tree.finds, f"seed {seed}: {told(tree.finds)}"


def test_who_keeps_nothing_is_protected_by_each_file_alone(fuzz):
    """No record and no file: an old position passes for new, and V may be led to sign two stories.

    Still: within each file nobody looks ahead, nothing stands in V's place that they never signed,
    and whatever C takes back of their own main entries is proven by the old file, once it is found.
    """
    kinds = Counter(
        find.kind
        for seed in range(GAMES * fuzz)
        for find in Game(seed, memory="nothing").played().finds
    )
    assert set(kinds) <= {"finality", "knowledge", "accused"} and kinds["finality"] > 5, kinds
    assert kinds["knowledge"] > 0, kinds


def test_what_is_judged_without_rules_takes_all_of_it():
    for seed in range(6):
        tree = Game(seed, chain=64).played()
        for file in tree.ends():
            assert replay_without_rules(file.entries).machine.entry.last_id == file.head


# --- every short game

SCRIPTS: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "draws": ({**DECISIONS, **DRAWS, **ENDS}, ()),
    "take-backs": ({**DECISIONS, **TAKE_BACKS}, ()),
    "words": ({**DECISIONS, **WORDS, **ENDS}, ()),
    "voids": ({**DECISIONS, **VOIDS, **ENDS}, ()),
    "keys": (DECISIONS, NEW_KEYS),
    "keys and words": ({**WORDS, "pass": search.end_round}, NEW_KEYS),
    "policies": ({**POLICIES, "pay": search.pay_only, **WORDS}, ()),
    "upgrades": (UPGRADES, ()),
    "renewals": (RENEWALS, NEW_KEYS),
    "hidden hands": (HIDDEN, ()),
    "secret choices": (SECRETS, ()),
}


@pytest.mark.parametrize("honest", "AB")
@pytest.mark.parametrize("script", SCRIPTS)
def test_every_short_game(fuzz, script, honest):
    moves, keys = SCRIPTS[script]
    starts = [at_orders(), before_a_roll()]
    if moves is HIDDEN:
        starts = [with_hidden_hands()]
    if moves is SECRETS:
        asked = with_secret_choices()
        starts = [asked, write(asked, "A", CONSPIRE, BOLD)]
    for start in starts:
        found = Search(start, honest, moves, 4 if fuzz > 1 else 2, keys, memory="read")
        assert not found.run(), told(found.finds[:3])


# --- teeth: a rule taken away is found

Undo = Callable[[pytest.MonkeyPatch], None]


def answers_beside(patch: pytest.MonkeyPatch) -> None:
    """T2 and T4: a yes is said beside the turn, and whoever offers keeps the pen."""
    patch.setattr(turn, "NOTE_KINDS", turn.NOTE_KINDS | turn.ANSWERS_IN_TURN)
    offers_keep_the_pen(patch)


def as_it_was(patch: pytest.MonkeyPatch) -> None:
    """T2, T3 and T4: behind a yes beside the turn its author goes on, or shows what was hidden."""
    answers_beside(patch)
    patch.setattr(notes, "lies_on_own_note", lambda machine, by: False)


def offers_keep_the_pen(patch: pytest.MonkeyPatch) -> None:
    """T4: an entry with an offer may leave the pen to its author."""
    patch.setattr(consent, "check_leaves_the_pen", lambda machine: None)


def own_notes_behind_the_end(patch: pytest.MonkeyPatch) -> None:
    """T3 behind the end: whoever resigned beside the turn shows secrets at once."""
    kept = notes.lies_on_own_note
    patch.setattr(
        notes, "lies_on_own_note",
        lambda machine, by: machine.terms.phase != "over" and kept(machine, by),
    )  # fmt: skip


def no_pen_behind_the_end(patch: pytest.MonkeyPatch) -> None:
    """T5: behind the end nobody has the pen, so each entry there is a main entry."""
    begin = entry.begin_entry

    def begin_entry(machine: Machine, by: str, **given: Any) -> Machine:
        machine = begin(machine, by, **given)
        if machine.entry.past_the_end and machine.entry.side:
            return machine.put(side=False, beside=machine.entry.beside[:-1])
        return machine

    for where in ("pbem.gamefile.entry", "pbem.gamefile.draft"):
        patch.setattr(f"{where}.begin_entry", begin_entry)


def forks_on_one_entry_only(patch: pytest.MonkeyPatch) -> None:
    """T6: two main entries are a fork only when they stand on the same entry."""
    kept = fork._line

    def line(behind: Fold, story: fork.Story, number: int) -> Any:
        return kept(behind, story[: len(behind.entries) + 1], number)

    patch.setattr(fork, "_line", line)


def named_keys_accuse(patch: pytest.MonkeyPatch) -> None:
    """T6: an entry under a key that the opponent named counts against that seat."""
    patch.setattr(fork, "_is_exempt", lambda pair: False)


def strange_keys_are_taken(patch: pytest.MonkeyPatch) -> None:
    """W8: a file in which V's seat has another key is read as any other."""
    kept = Fold.player_of

    def player_of(story: Fold, public: bytes) -> str:
        for each in story.machine.keys.rotations:
            if each.old == public:
                return each.of
        return kept(story, public)

    patch.setattr(Fold, "player_of", player_of)


def nothing_is_passed_over(patch: pytest.MonkeyPatch) -> None:
    """T7: a file without the other's last notes is old, whoever writes there."""
    patch.setattr(witness, "may_pass_over", lambda *given: False)


def crossing_is_a_step_back(patch: pytest.MonkeyPatch) -> None:
    """T1, W4: a main entry does not beat the note that one has seen in its place."""
    kept = witness._compare

    def compare(told: Any, known: Any, file: Fold, player: Any, passing_over: bool) -> Any:
        found = kept(told, known, file, player, passing_over)
        if found is not None:
            raise witness._rollback(found.main.seq)
        return found

    patch.setattr(witness, "_compare", compare)


def denials_are_steps_back(patch: pytest.MonkeyPatch) -> None:
    """W5, W7: who has written on a note, and denies it elsewhere, has only sent an old file."""
    patch.setattr(witness, "_fork", _fork_but_for_denials)


def _fork_but_for_denials(*given: Any, denies: str = "", **named: Any) -> Any:
    return witness._rollback(given[0]) if denies else _KEPT_FORK(*given, **named)


_KEPT_FORK = witness._fork

BAIT = {
    "pay, offer takeback": TAKE_BACKS["pay, offer takeback"], "yes": search.yes,
    "draw a card": DECISIONS["draw a card"],
}  # fmt: skip
TEETH: dict[str, tuple[Undo, dict[str, Any], tuple[str, ...], Any, str, int, str]] = {
    "T2, T4: the draw bait, H1": (
        answers_beside, {**DECISIONS, **DRAWS}, (), before_a_roll, "B", 3, "knowledge"),
    "T2, T3, T4: the take-back bait, H2": (
        as_it_was, BAIT, (), before_a_roll, "B", 4, "stuck"),
    "T3: an audit behind one's own note": (
        own_notes_behind_the_end, {**DECISIONS, **ENDS}, (), at_orders, "B", 3, "knowledge"),
    "T4: an offer keeps the pen": (
        offers_keep_the_pen, {**DRAWS}, (), before_a_roll, "B", 1, "offers"),
    "T5: no pen behind the end": (
        no_pen_behind_the_end, {**DECISIONS, **ENDS}, (), at_orders, "B", 3, "stuck"),
    "T6: words as a rewind, H2b": (
        forks_on_one_entry_only, {**DECISIONS, **WORDS}, (), at_orders, "B", 3, "stuck"),
    "T6: a named key accuses": (
        named_keys_accuse, DECISIONS, NEW_KEYS, at_orders, "A", 3, "accused"),
    "W8: a strange key in one's place": (
        strange_keys_are_taken, DECISIONS, NEW_KEYS, at_orders, "A", 2, "pen"),
    "W5: a denial is no fork": (
        denials_are_steps_back, {**DECISIONS, **WORDS}, (), at_orders, "B", 3, "untold"),
    "T7: nothing is passed over": (
        nothing_is_passed_over, WORDS, NEW_KEYS, at_orders, "A", 2, "pen"),
    "T1: a main entry does not beat a note": (
        crossing_is_a_step_back, {**DECISIONS, **WORDS}, (), at_orders, "B", 2, "stuck"),
}  # fmt: skip


@pytest.mark.parametrize("rule", TEETH)
def test_a_rule_taken_away_is_found_in_short_games(monkeypatch, rule):
    undo, moves, keys, start, honest, depth, kind = TEETH[rule]
    start = start()
    undo(monkeypatch)
    assert Search(start, honest, moves, depth, keys, memory="read", wanted=kind).run()


@pytest.mark.skipif(FUZZ == 1, reason="minutes")
@pytest.mark.parametrize("rule", TEETH)
def test_a_rule_taken_away_is_found_in_random_games(monkeypatch, rule):
    undo, *_, kind = TEETH[rule]
    (as_it_was if "H1" in rule else undo)(monkeypatch)
    if kind != "offers":  # open offers where there should be none are found at once
        monkeypatch.setattr(Tree, "check_offers", lambda tree, fold: None)
    assert any(Game(seed, memory="read").played().finds for seed in range(300))
