"""The rarer ways of the machine: void beacons, new anchors, resignation, claims, solo games."""

import re
from dataclasses import FrozenInstanceError
from importlib import import_module
from pkgutil import iter_modules
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from pbem.engine.dice import Draw
from pbem.gamefile import advance, format, pending, steps
from pbem.gamefile.advance import answer_by
from pbem.gamefile.beacons import BeaconDice
from pbem.gamefile.cards import SealedDecks
from pbem.gamefile.compose import Wish, compose, propose_solo, settle_solo, solo_keys
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.in_play import Asked, Laid, ReadOrder
from pbem.gamefile.journal import Anchored, Claimed, GameOver, Lapsed, PolicyFailed, Rolled
from pbem.gamefile.kept import ChainPlace, Given, StandingPolicy
from pbem.gamefile.machine import PART_OF, Machine
from pbem.gamefile.prospect import prospect
from pbem.gamefile.verify import examine, examine_without_rules, proven
from pbem.value import fields, replace
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import (
    KEYS,
    TERMS,
    TOOL,
    forge,
    opened,
    policy,
    proposed,
    sealed,
    started,
    tried,
    write,
)
from tests.gamefile.toy import Toy, open_toy

PASS = {"pass": {}}
LONG = policy("all", card=None, stand="hold")


def open_long(terms):
    """Two duellists with more strength than 64 beacons can wear down."""
    return Toy(strength=(900, 900))


def refused(call, *arguments, **named) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*arguments, **named)
    return caught.value


# --- the beginning


def test_the_beginning_in_four_mails():
    fold = proposed()
    assert (fold.phase, fold.pen, fold.game, fold.in_play) == ("proposed", "B", None, None)
    fold = write(fold, "B")
    assert (fold.phase, fold.pen, fold.game) == ("accepted", "A", fold.entries[1].id)
    assert fold.machine.public_state()["position"] is None
    fold = write(fold, "A")
    assert (fold.phase, fold.pen, fold.locked) == ("running", "B", 1)
    fold = write(fold, "B")
    assert fold.waits.by == "A" and len(fold.fingerprint.replace(" ", "")) == 20


def test_nobody_writes_out_of_turn_at_the_beginning():
    fold = proposed()
    assert refused(write, fold, "A").code == "E-TURN"
    assert refused(write, fold, "A", say=("Hurry.",)).code == "E-TURN"
    assert refused(write, write(fold, "B"), "B", say=("Hurry.",)).code == "E-TURN"
    two = [forge(write(fold, "B"), "B", [{"do": "start", "anchor": "a" * 64, "decks": {}}])]
    assert refused(replay, [*write(fold, "B").entries, *two], open_toy).code == "E-TURN"


def test_a_stranger_has_no_seat():
    stranger = type(KEYS["A"]).from_seed(b"\x09" * 32)
    assert refused(compose, opened(), stranger, Wish(), tool=TOOL).code == "E-KEY"


def test_what_cannot_be_set_up_is_neither_proposed_nor_accepted():
    def unknown(terms):
        raise FileRefused("E-RULES", "other game data here")

    assert refused(proposed, TERMS, table=unknown).code == "E-RULES"
    assert refused(replay, proposed().entries, unknown).code == "E-RULES"


def test_a_policy_may_come_with_the_accept():
    fold = write(proposed(), "B", policies=(LONG,))
    fold = write(write(fold, "A"), "B")
    assert [one.slot for one in fold.policies("B")] == ["all"]
    assert write(fold, "A", {"attack": {"force": 2}}).locked == 2


# --- void beacons (R9)


def test_a_void_beacon_decides_nothing():
    fold = write(opened(), "A", void=True)
    assert (fold.locked, fold.pen) == (2, "B")
    (reveal,) = fold.entries[-1].steps
    assert reveal["do"] == "reveal" and fold.machine.beacons.locks[2] == fold.entries[-1].seq
    behind = forge(opened(), "A", [reveal, {"do": "say", "text": ["And that is all."]}])
    assert refused(replay, [*opened().entries, behind], open_toy).code == "E-TURN"
    (answer,) = write(fold, "B").entries[-1].steps
    both = forge(fold, "B", [{**answer, "void": True}])
    assert refused(replay, [*fold.entries, both], open_toy).rule == "R9"
    fold = write(fold, "B", say=("As you like.",))
    assert (fold.locked, fold.pen) == (None, "A")
    assert not any(isinstance(one, Rolled) for one in fold.journal[-1])
    assert proven(fold).void_beacons == 1
    found = refused(write, fold, "A", void=True)
    assert (found.code, found.rule) == ("E-TURN", "R9")
    fold = write(write(fold, "A", {"draw": {}}), "B")
    assert [record.beacon for record in rolled(fold)] == [1, 3]
    write(fold, "A", void=True)


def rolled(fold):
    return [record for one in fold.told() if isinstance(one, Rolled) for record in one.records]


def test_only_a_decision_of_ones_own_is_voided():
    fold = write(opened(), "A", {"attack": {"force": 2}})
    assert refused(write, fold, "A", void=True).code == "E-TURN"
    write(fold, "B", void=True)
    (void,), passed = (write(opened(), "A", *what, void=not what).entries[-1].steps
                       for what in ((), (PASS,)))  # fmt: skip
    found = refused(replay, [*opened().entries, forge(opened(), "A", [*passed, void])], open_toy)
    assert (found.code, found.rule) == ("E-TURN", "R9"), "it is B who decides now"


# --- new anchors


@pytest.fixture(scope="module")
def worn_out():
    """A game whose 64 beacons are used up, at A's decision: each fight used one."""
    fold = write(started(table=open_long), "B", policies=(LONG,))
    while fold.machine.beacons.revealed["B"] < 64:
        fold = write(fold, fold.pen, *([{"attack": {"force": 1}}] if fold.pen == "A" else []))
    return fold


def test_both_owe_anchors_and_who_did_not_write_comes_first(worn_out):
    assert [(thing.by, thing.machine) for thing in worn_out.owed] == [
        ("A", "anchor 1"),
        ("A", "answer orders of round 1"),
    ]
    assert [type(one) for one in worn_out.journal[-1]][-1] is Anchored


def test_beacons_run_on_with_new_chains(worn_out):
    fold = write(worn_out, "A", {"attack": {"force": 1}})
    assert [step["do"] for step in fold.entries[-1].steps] == ["anchor", "orders", "reveal"]
    assert fold.locked == 65
    fold = write(fold, "B")
    assert rolled(fold)[-1].beacon == 65
    again = replay(format.read(format.write(fold.entries)), open_long)
    assert again.head == fold.head and look_aheads(fold) == []


def test_no_value_beyond_the_chain(worn_out):
    """Case 82."""
    last = {"do": "reveal", "n": 65, "x": "ab" * 32, "void": True}
    entry = forge(worn_out, "A", [last])
    assert refused(replay, [*worn_out.entries, entry], open_long).code == "E-REVEAL"


def test_no_lock_without_the_others_anchor(worn_out):
    """The lock waits for both anchors; here B's is missing when A orders."""
    before = replay(worn_out.entries[:-1], open_long)
    reveal = worn_out.entries[-1].steps[0]
    machine = before.machine
    from pbem.gamefile.draft import Draft

    draft = Draft(machine, "B", KEYS["B"])
    draft.add(reveal)
    entry = draft.sign(TOOL, None)
    fold = replay([*before.entries, entry], open_long)
    assert [thing.machine for thing in fold.owed][:2] == ["anchor 1", "anchor 1"]
    idle = forge(fold, "A", [{"do": "say", "text": ["Well?"]}])
    found = refused(replay, [*fold.entries, idle], open_long)
    assert (found.rule, str(found.message)) == (
        "the pen",
        "contains nothing of what its author owes: anchor 1, answer orders of round 1",
    )
    fold = write(fold, "A", {"attack": {"force": 1}})
    assert fold.locked is None and fold.pen == "B"
    assert len(fold.entries) - 1 not in fold.machine.agreements.quiet, "nobody decides there"
    assert [step["do"] for step in fold.entries[-1].steps] == ["anchor", "orders"]
    fold = write(fold, "B")
    assert [step["do"] for step in fold.entries[-1].steps] == ["anchor", "reveal"]
    assert fold.locked == 65 and fold.pen == "A"
    fold = write(fold, "A")
    assert rolled(fold)[-1].beacon == 65 and look_aheads(fold) == []


def test_a_wrong_anchor_number(worn_out):
    step = {"do": "anchor", "q": 2, "anchor": "ab" * 32}
    entry = forge(worn_out, "A", [step])
    assert refused(replay, [*worn_out.entries, entry], open_long).code == "E-REVEAL"
    entry = forge(opened(), "A", [{**step, "q": 1}])
    assert refused(replay, [*opened().entries, entry], open_toy).code == "E-TURN"


# --- entries that are refused whatever they say


def test_before_the_game_has_begun_only_one_of_both_may_write():
    found = refused(tried, proposed(), "A", [{"do": "say", "text": ["Well?"]}])
    assert (found.code, found.rule) == ("E-TURN", "the pen")


def test_a_note_need_not_hold_what_the_next_entry_of_its_author_must(monkeypatch):
    fold = sealed()
    fold = replace(fold, machine=fold.machine.put(has_counters=True))
    mix = Laid("b", "B", 2, ("b.1.0", "b.1.1"), (2,))
    monkeypatch.setattr(Machine, "to_show", lambda self, player: ("b/1/0",) * (player == "B"))
    monkeypatch.setattr(Machine, "lacks_decks", lambda self, player: [mix] * (player == "B"))
    assert fold.pen == "A" and fold.machine.head("B").code == "open"
    assert tried(fold, "B", [{"do": "say", "text": ["Well?"]}]).pen == "A"


def test_an_unforeseen_fault_refuses_the_entry_and_blames_nobody():
    raw = format.write(opened().entries)
    with patch.object(Toy, "public", side_effect=ZeroDivisionError("by naught")):
        (found,) = examine(raw, open_toy).findings
    assert (found.problem.code, found.entry, found.whose) == ("E-SCHEMA", 2, None)
    assert "cannot be judged (ZeroDivisionError: by naught)" in str(found.problem.message)


# --- the end


def test_resigning_ends_the_game_at_once():
    for player in "AB":
        fold = write(opened(), player, resign=True, say=("Well played.",))
        assert (fold.phase, fold.pen, fold.owed) == ("over", None, ())
        assert fold.result == {"winner": "BA"["AB".index(player)], "how": "resignation"}
        assert isinstance(fold.journal[-1][-1], GameOver)
        assert refused(write, fold, "A", PASS).code == "E-TURN"
        assert refused(write, fold, "B", say=("Thanks.",)).code == "E-TURN"


def test_resigning_while_a_reveal_is_owed():
    fold = started()
    out = forge(fold, "B", [{"do": "resign"}])
    assert replay([*fold.entries, out], open_toy).phase == "over"
    assert write(fold, "B", resign=True).phase == "over"


def test_a_claim_lists_what_is_owed_and_is_cured_by_writing():
    fold = started()
    fold = write(fold, "A", claim_forfeit=True)
    (claim,) = [one for one in fold.journal[-1] if isinstance(one, Claimed)]
    assert claim.owed == ("reveal 1",)
    assert fold.machine.public_state()["protocol"]["claim"]["by"] == "A"
    fold = write(fold, "B")
    assert fold.machine.public_state()["protocol"]["claim"] is None
    assert refused(write, opened(), "A", PASS, claim_forfeit=True).code == "E-TURN"


def test_sixteen_policies_are_enough():
    many = tuple(policy(f"p{count}", card=None) for count in range(17))
    assert refused(write, opened(), "A", PASS, policies=many).code == "E-LIMIT"
    write(opened(), "A", PASS, policies=many[:16])


# --- solo games


def test_a_solo_game_is_played_by_one_person():
    fold = propose_solo(TERMS, "practice", open_toy, tool=TOOL)
    assert fold.is_solo and fold.pen == "A" and fold.locked is None
    while fold.phase != "over":
        keys = solo_keys(fold)
        stage = fold.in_play.stage
        orders = {
            "order": {"attack": {"force": 5}},
            "card": {"card": {"use": None}},
            "stand": {"stand": {"how": "hold"}},
            "advance": {"advance": {"go": True}},
        }[stage]
        if stage == "order" and fold.in_play.of(fold.pen) < 5:
            orders = PASS
        fold = compose(fold, keys[fold.pen], Wish(orders=(orders,)), tool=TOOL).fold
        fold = settle_solo(fold, tool=TOOL)
    report = examine(format.write(fold.entries), open_toy)
    assert report.is_good and report.proven.solo and "solo" in str(report.proven.sentences()[0])
    alone = examine_without_rules(format.write(fold.entries)).proven
    assert alone.solo and "solo" in str(alone.sentences()[0])
    again = propose_solo(TERMS, "practice", open_toy, tool=TOOL)
    assert again.head == replay(fold.entries[:4], open_toy).head


def test_a_solo_game_has_the_keys_of_its_seed_text():
    terms = replace(TERMS, options={"open_hands": True, "solo": True, "seed": "practice"})
    assert refused(proposed, terms).code == "E-KEY"
    for seed in (None, "", "x" * 201, 5):
        options = {"open_hands": True, "solo": True, "seed": seed}
        assert refused(proposed, replace(TERMS, options=options)).code == "E-SCHEMA"


def test_the_program_plays_one_seat_of_a_solo_game_at_most():
    fold = propose_solo(replace(TERMS, options={"bot_b": True}), "practice", open_toy, tool=TOOL)
    assert fold.bot == "B"
    for options in ({"bot_a": True}, {"bot_a": True, "seed": "x"}):
        assert refused(proposed, replace(TERMS, options=options)).code == "E-SCHEMA"
    both = replace(TERMS, options={"bot_a": True, "bot_b": True})
    assert refused(propose_solo, both, "practice", open_toy, tool=TOOL).code == "E-SCHEMA"


# --- faults of a game


class FixedLabel(Toy):
    """A game that rolls two dice with one name on one beacon (case 42)."""

    def roll(self, dice):
        dice.roll([Draw("deal", "x")])
        return super().roll(dice)


class Repeats(Toy):
    def roll(self, dice):
        dice.roll([Draw("deal", "x")])
        dice.roll([Draw("deal", "x")])
        return super().roll(dice)


def test_a_label_used_twice_with_one_beacon():
    write(started(table=lambda terms: FixedLabel()), "B")
    assert refused(write, started(table=lambda terms: Repeats()), "B").code == "E-LABEL"


class BadPolicy(Toy):
    """Rules whose answer out of a policy is not legal, or that stumble over one."""

    def policy_answer(self, policy):
        if policy.doc.get("stand") == "stumble":
            raise KeyError("stumble")
        return self.read({"card": {"use": 77}})


@pytest.mark.parametrize("how", ["hold", "stumble"])
def test_a_policy_that_fails_leaves_the_question_open(how):
    """A document must not stop the mail of the other player, who did not write it."""
    doc = policy("all", card=None, stand=how)
    fold = write(started(table=lambda terms: BadPolicy()), "B", policies=(doc,))
    fold = write(fold, "A", {"attack": {"force": 2}})
    assert fold.pen == "B" and fold.waits.kind == "react"
    assert any(isinstance(one, PolicyFailed) for one in fold.journal[-1])


class Stumbles(Toy):
    def submit(self, order):
        if order.plain.get("attack") == {"force": "nine"}:
            raise TypeError("nine")
        return super().submit(order)


def test_an_order_on_which_the_rules_stumble_is_not_legal():
    """Sent ahead it lapses in the mail of the other player, and does not spoil it."""
    odd = {"attack": {"force": "nine"}}
    fold = write(started(table=lambda terms: Stumbles()), "B", policies=(LONG,))
    assert refused(write, fold, "A", odd).code == "E-ORDER"
    fold = write(write(fold, "A", {"attack": {"force": 2}}, odd, PASS), "B")
    (lapsed,) = [one for one in fold.journal[-1] if isinstance(one, Lapsed)]
    assert lapsed.order == odd and "TypeError" in str(lapsed.problems[0].message)


SHORT = (MemoryError, RecursionError)


def short(shortage: type[Exception]) -> Any:
    """A game on a machine that lacks memory, or stack, for whatever it is asked."""

    def fails(*given: Any) -> Any:
        raise shortage

    return SimpleNamespace(
        holds=fails, outlives=fails, covers=fails, read=fails, check_policy=fails, allows=fails,
        doubts=fails, submit=fails,
    )  # fmt: skip


@pytest.mark.parametrize("shortage", SHORT)
@pytest.mark.parametrize(
    "asked",
    [
        lambda table, order: pending.holds(table, order),
        lambda table, order: pending.outliving(
            table, table, [Given(order, "orders", ChainPlace(1, 0), 1)]
        ),
        lambda table, order: pending.covers(table, "A", "all", None, None),
        lambda table, order: pending.read_orders(table, [order.plain]),
        lambda table, order: pending.check_policy(
            table, StandingPolicy("A", "all", None, None, {}, ChainPlace(1, 0), 1)
        ),
        lambda table, order: pending.allowed(table, "A", order),
        lambda table, order: pending.check_doubts(table, order),
        lambda table, order: pending.read_choice(table, order.plain),
        lambda table, order: pending.judged(table, order),
    ],
)
def test_a_machine_that_is_short_of_something_takes_that_for_no_rule(asked, shortage):
    """Another would carry the order out that lapses here, and there would be two games."""
    order = ReadOrder(
        {"pass": {}, "when": {"round": 2}}, None, leads=False, only_ends=False, hides=False
    )
    with pytest.raises(shortage):
        asked(short(shortage), order)


@pytest.mark.parametrize("shortage", SHORT)
@pytest.mark.parametrize("method", ["policy_answer", "policy_shows"])
def test_nor_does_it_for_a_document_that_says_nothing(monkeypatch, method, shortage):
    def fails(*given: Any) -> Any:
        raise shortage

    fold = write(started(), "B", policies=(policy("all", card=None, stand="hold"),))
    monkeypatch.setattr(Toy, method, fails)
    standing = fold.machine.pending.policies[0]
    with pytest.raises(shortage):
        if method == "policy_shows":
            fold.machine.shows(standing)
        else:
            answer_by(fold.machine, standing)


def test_only_a_failure_of_the_rules_is_the_cause_of_a_refusal(monkeypatch: pytest.MonkeyPatch):
    """What the rules refuse is foreseen; who looks for bugs need not look there."""
    fold, unread = opened(), {"sing": {}}
    assert refused(write, fold, "A", unread).__cause__ is None
    assert refused(write, fold, "A", policies=(policy("nothing"),)).__cause__ is None
    monkeypatch.setattr(Toy, "read", lambda toy, order: {}["fault"])
    assert isinstance(refused(write, fold, "A", PASS).__cause__, KeyError)


class Endless(Toy):
    def waits(self):
        waits = super().waits()
        return replace(self, stage="deal").waits() if self.stage == "order" else waits

    def roll(self, dice):
        return self


def test_a_game_that_never_decides_is_refused(monkeypatch):
    monkeypatch.setattr("pbem.gamefile.advance.MAX_MOVES", 200)
    assert refused(write, started(table=lambda terms: Endless()), "B").code == "E-STATE"


def test_prospect_before_the_start_is_refused():
    assert refused(prospect, proposed(), KEYS["B"]).code == "E-TURN"


def test_a_light_replay_checks_all_the_same():
    fold = write(opened(), "A", PASS)
    light = replay(fold.entries, open_toy, remember_from=4)
    assert light.journal[:4] == ((),) * 4 and light.journal[4] == fold.journal[4]
    assert light.machine.public_state() == fold.machine.public_state()


# --- the machine as a value


def test_nothing_of_a_machine_can_be_changed():
    machine = opened().machine
    for whole, name in ((machine, "in_play"), (machine.entry, "progress"), (machine, "progress")):
        with pytest.raises(FrozenInstanceError):
            setattr(whole, name, True)
    with pytest.raises(KeyError):
        machine.put(progres=True)
    with pytest.raises(KeyError):  # a position is put on by `at`, for what it waits for is kept
        machine.put(in_play=machine.in_play)


def test_each_fact_stands_in_one_part():
    machine = opened().machine
    parts = [each.name for each in fields(machine) if each.name != "in_play"]
    names = [each.name for part in parts for each in fields(getattr(machine, part))]
    assert len(set(names)) == len(names) and set(PART_OF) == set(names)


def test_what_the_game_waits_for_is_asked_once_a_position(monkeypatch: pytest.MonkeyPatch):
    fold, asked = opened(), []
    waits = Toy.waits
    monkeypatch.setattr(Toy, "waits", lambda toy: asked.append(toy) or waits(toy))
    machine = fold.machine.at(replace(fold.machine.table, ground=1))
    assert machine.waits == machine.put(progress=True).waits and len(asked) == 1
    assert machine.at(fold.machine.table).waits == fold.waits and len(asked) == 2


def test_who_plays_both_sides_is_asked_for_everything_in_clear(monkeypatch: pytest.MonkeyPatch):
    hidden = Asked("A", "a choice", secret=True, tells_items="air/", only_shows=True)
    both, alone = opened(), propose_solo(TERMS, "practice", open_toy, tool=TOOL)
    monkeypatch.setattr(Toy, "waits", lambda toy: hidden)
    for fold, asked in ((both, hidden), (alone, Asked("A", "a choice"))):
        assert fold.machine.at(replace(fold.machine.table, ground=2)).waits == asked


def test_whoever_tries_a_step_leaves_the_machine_as_it_was():
    fold = opened()
    post, journal = fold.machine.post(), fold.machine.entry.journal
    write(fold, "A", {"attack": {"force": 2}})
    assert (fold.machine.post(), fold.machine.entry.journal) == (post, journal)


def test_whoever_rolls_uses_up_no_dice_of_another():
    dice = BeaconDice(1, b"\1" * 32)
    machine = opened().machine.at(Toy(stage="fight", force=2)).put(dice=dice)
    first, second = advance.roll(machine, "the fight"), advance.roll(machine, "the fight")
    assert first.entry.journal == second.entry.journal and dice.records == []
    (told,) = first.entry.journal[len(machine.entry.journal) :]
    assert isinstance(told, Rolled) and len(told.records) == 2
    more = advance.roll(first.at(machine.table), "the fight").entry.journal[-1]
    assert isinstance(more, Rolled) and not {each.label for each in more.records} & {
        each.label for each in told.records
    }, "but two rolls under one value never share a die"


def test_each_rule_of_the_beacons_names_where_it_is_kept():
    rows = [row.strip("| ").split(" | ") for row in advance.__doc__.splitlines() if "| R" in row]
    assert [row[0] for row in rows] == [f"R{number}" for number in range(1, 11)]
    names = [each.name for each in iter_modules(steps.__path__)]
    families = {name: import_module(f"pbem.gamefile.steps.{name}") for name in names}
    known = {**vars(advance), **families, "Machine": Machine, "SealedDecks": SealedDecks}
    for rule, _, where in rows:
        found = re.findall("`([^`]+)`", where)
        assert found, rule
        for name in found:
            first, _, rest = name.partition(".")
            assert callable(getattr(known[first], rest) if rest else known[first]), (rule, name)
