"""Steps of what is hidden, one at a time: what each takes and refuses, and what is so after it.

The game has counters face down and sealed lists (tests/facedown), or secret choices (secret_toy).
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest

from pbem.gamefile import advance, draft, lists, pending, records
from pbem.gamefile.beacons import BeaconDice
from pbem.gamefile.cards import CHOICES, MIXING
from pbem.gamefile.compose import Proposal, Wish, compose, propose_solo, solo_keys
from pbem.gamefile.entry import begin_entry, take_step
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import Asked, DiceWanted, Laid, OrderRefused, ReadOrder
from pbem.gamefile.journal import FactSaid, GameOver, Lapsed, ListTold, Rolled
from pbem.gamefile.kept import ChainPlace, Given, Offer, StandingPolicy
from pbem.gamefile.machine import Machine, Terms, World
from pbem.gamefile.secrets import _items_told
from pbem.gamefile.steps import hidden, offers
from pbem.problems import Problem
from pbem.value import replace, twin
from tests.facedown.here import system, table
from tests.facedown.mails import placed, write
from tests.facedown.test_cheats import (
    ATTACK,
    HALT,
    MIX,
    both_lie_in_wait,
    fight,
    fired_at,
    honest,
    mixable,
    sprung,
    writing,
)
from tests.gamefile.players import TOOL
from tests.gamefile.secret_cases import sealing, secrets
from tests.gamefile.secret_toy import LEFT, both_bound, conspired

Steps = list[dict[str, Any]]


@pytest.fixture(autouse=True, scope="module")
def fog() -> None:
    system()


def begun(fold: Fold, player: str, steps: Steps, before: str) -> tuple[Machine, dict[str, Any]]:
    """The machine in front of the first step of a kind, as if nothing owed had come yet; and that
    step.
    """
    machine = begin_entry(fold.machine, player)
    at = next(at for at, step in enumerate(steps) if step["do"] == before)
    for step in steps[:at]:
        machine = take_step(machine, step)
    return machine.put(progress=False), steps[at]


def why(judge: Any, *given: Any) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        judge(*given)
    return refused.value


# --- mixes


def mixing() -> tuple[Machine, dict[str, Any]]:
    fold = mixable()
    return begun(fold, "A", honest(fold, "A", *MIX), "deck_commit")


def test_a_commitment_is_something_owed() -> None:
    machine, step = mixing()
    assert hidden.deck_commit(machine, step).entry.progress


def test_a_reply_is_something_owed() -> None:
    fold = write(write(mixable(), "A", *MIX), "B")
    machine, step = begun(fold, "A", honest(fold, "A"), "deck_reply")
    assert hidden.deck_reply(machine, step).entry.progress


def test_only_a_second_mix_is_too_many_for_an_entry() -> None:
    machine, step = mixing()
    machine = machine.put(dice=None)
    plain, mix = twin(machine.table), machine.table.laid()[-1]
    laid = Laid("n", "A", 3, ("N-X", "N-Y"), (), True)
    plain.__dict__["_laid"] = (*machine.table.laid()[:-1], laid, mix)
    first = {"do": "deck_commit", "deck": "n", "epoch": 3, "cards": ["N-X", "N-Y"], "c": "0"}
    behind = hidden.deck_commit(hidden.deck_commit(machine.at(plain), first), step)
    assert behind.hidden.decks.bound[-1].epoch.number == mix.epoch, "a deck alone is no mix"
    machine = hidden.deck_commit(machine, step)
    for groups, code in (((), ""), ((2,), "E-LIMIT")):
        known = twin(machine.table)
        known.__dict__["_laid"] = (*known.laid(), Laid("n", "A", 3, ("N-X", "N-Y"), groups, True))
        more = {"do": "deck_commit", "deck": "n", "epoch": 3, "cards": ["N-X", "N-Y"], "c": "0"}
        more |= {"groups": list(groups)} if groups else {}
        if code:
            found = why(hidden.deck_commit, machine.at(known), more)
            assert (found.code, found.rule) == (code, MIXING)
        else:
            assert hidden.deck_commit(machine.at(known), more).hidden.decks.bound[-1].epoch.number


def test_a_mix_that_is_reached_in_the_other_players_entry_lapses() -> None:
    """It was given ahead; nobody waits for the commitment."""
    machine, _ = begun(mixable(), "A", honest(mixable(), "A", *MIX), "orders")
    mix = Given(machine.table.read(MIX[0]), "orders", ChainPlace(1, 0, 0), 0)
    given = {"A": (mix,), "B": ()}
    own, was_taken = advance.take(machine.put(given=given), "A")
    assert was_taken and advance.mixes(own, "A", own.table)
    laid = SimpleNamespace(laid=lambda: (Laid("n", "A", 9, ("N-F1", "N-F2")),))
    assert not advance.mixes(own, "A", laid), "a deck that is no mix is bound later"
    theirs, was_taken = advance.take(machine.put(given=given, by="B"), "A")
    assert was_taken and not theirs.pending.given["A"] and theirs.table is machine.table
    told = theirs.entry.journal[-1]
    assert isinstance(told, Lapsed) and told.by == "A"
    assert [(each.code, each.rule) for each in told.problems] == [("mix", MIXING)]


def test_an_order_that_only_ends_is_dropped_without_a_word() -> None:
    machine = mixable().machine
    halt = machine.table.read(HALT)
    ahead = tuple(Given(replace(halt, only_ends=ends), "orders", ChainPlace(1, 0, at), 0)
                  for at, ends in enumerate((False, True)))  # fmt: skip
    after = advance.drop(machine.put(given={"A": ahead, "B": ()}, journal=()), "A", ())
    assert after.pending.given["A"] == ()
    assert [each.sent for each in after.entry.journal] == [ahead[0].sent]


def test_a_choice_stirs_what_the_other_player_gave_ahead() -> None:
    machine = mixable().machine.put(stirred={"A": 4, "B": 7})
    assert advance.chose(machine, "A", machine.table).pending.stirred == {"A": 4, "B": 8}


def test_a_game_that_ends_leaves_nothing_open() -> None:
    offer = Offer("A", "draw", 5, {})
    machine = mixable().machine.put(locked=3, offers=(offer,))
    after = advance.finish(machine, {"winner": None})
    assert (after.beacons.locked, after.agreements.offers, after.terms.phase) == (None, (), "over")
    told = after.entry.journal[-1]
    assert isinstance(told, GameOver) and told.result == after.terms.result == {"winner": None}


# --- showings


def test_a_table_that_knows_what_was_told_of_a_list_does_not_learn_it_again() -> None:
    before, told = sprung()[0].machine, write(sprung()[0], "B").machine
    (slot,) = told.table.known()
    assert offers._told_of_lists(told) == {}
    assert [*offers._told_of_lists(told.at(before.table))] == [slot]


def test_nobody_is_asked_openly_for_what_is_fixed() -> None:
    (told, _), shown, secret = sprung(), fight(), both_bound()
    assert told.machine.waits.tells_items.startswith("ambush_s/") and shown.machine.waits.only_shows
    for fold, player in ((told, "B"), (shown, "B"), (secret, "A")):
        assert fold.machine.waits.by == player and not fold.machine.asks_openly(player)


def test_a_question_that_only_shows_is_locked_over_and_shown_behind_the_value() -> None:
    fold = fight()
    assert fold.machine.waits.only_shows and fold.locked is not None
    assert fold.machine.fixed("B") is None, "nothing is due before the value"
    steps = honest(fold, "B")
    machine, step = begun(fold, "B", steps, "open")
    assert machine.beacons.dice is not None, "the beacon stays open"
    assert (machine.owed[0].code, machine.head("B").code) == ("open", "open")
    after = hidden.open_slot(machine, step)
    assert after.entry.progress
    assert after.head("B").code == "list_tell" and after.beacons.dice is not None, "fixed as well"
    (tells,) = [each for each in steps if each["do"] == "list_tell"]
    rolled = hidden.list_tell(after, tells)
    rolls = sum(isinstance(each, Rolled) for each in rolled.entry.journal)
    assert rolls, "for the beacon that was locked over both"
    slot = f"s/1/{step['pos']}"
    (bound,) = [each for each in after.hidden.decks.bound if each.name == "s/1"]
    assert bound.opened[step["pos"]] == step["card"] and slot not in after.table.hand("B")


def test_a_mix_is_challenged_before_what_lies_in_it_is_shown_even_by_who_writes() -> None:
    """Its owner does not know yet what is where; dice that are open came before the mix."""
    machine = fight().machine.put(locked=None)
    machine = machine.put(by=machine.waits.by)
    assert not machine.is_before_roll and machine.fixed(machine.entry.by).code == "open"
    decks = machine.hidden.decks
    bound = tuple(replace(each, trial=None) for each in decks.bound)
    mixed = machine.put(decks=replace(decks, bound=bound))
    assert mixed.is_before_roll and mixed.fixed(mixed.entry.by) is None
    locked_over(mixed)
    shown = twin(mixed.table)
    shown.__dict__["must_show"] = lambda: ()
    assert not mixed.at(shown).is_before_roll, "no other mix of theirs is waited for"
    assert machine.put(decks=decks.drop("B")).is_before_roll, "nor shown before they are bound"


def locked_over(machine: Machine) -> None:
    """A beacon is locked over the question, whether or not another one is open."""
    for dice in (None, BeaconDice(3, b"\x01" * 32)):
        after, goes_on = advance.move(machine.put(dice=dice))
        assert (after.beacons.dice, goes_on) == (None, False) and after.beacons.locked is not None


def test_a_mix_is_challenged_before_its_owner_says_a_fact_even_if_they_write() -> None:
    """They do not know yet what is where, and would say what is false. A mix of the other player
    is no reason.
    """
    machine = fired_at().machine.put(locked=None, by="A")
    assert not machine.is_before_roll and machine.fixed("A").code == "fact"
    decks = machine.hidden.decks
    for player, waits in (("A", True), ("B", False)):
        bound = tuple(replace(each, trial=None) if each.epoch.by == player else each
                      for each in decks.bound)  # fmt: skip
        mixed = machine.put(decks=replace(decks, bound=bound))
        assert mixed.is_before_roll is waits and (mixed.fixed("A") is None) is waits
        if waits:
            locked_over(mixed)
    unbound = machine.put(decks=decks.drop("A"))
    after, goes_on = advance.move(unbound)
    assert (after.beacons.locked, goes_on) == (None, False), "its owner binds it first"
    assert after.owed[0].code == "deck_commit" and after.fixed("A") is None


def test_a_question_that_only_says_is_locked_over_unless_its_author_writes() -> None:
    """Orders given ahead do not answer it, and it is answered under the beacon that is open."""
    fold = fired_at()
    machine = fold.machine.put(locked=None)
    assert machine.waits.only_says and not machine.asks_openly("A")
    assert machine.put(by="B").is_before_roll and not machine.put(by="A").is_before_roll
    ahead = Given(machine.table.read({"count": {"points": "3+"}}), "react", ChainPlace(1, 0), 0)
    waiting = machine.put(by="A", given={"A": (ahead,), "B": ()})
    assert advance.move(waiting) == (waiting, False)
    machine, step = begun(fold, "A", honest(fold, "A"), "fact")
    assert machine.head("A").code == "fact" and machine.beacons.dice is not None
    said = hidden.fact(machine, step)
    (told,) = [each for each in said.entry.journal if isinstance(each, FactSaid)]
    assert (told.by, told.order) == ("A", {"count": {"points": "3+"}})
    assert said.entry.progress and any(isinstance(each, Rolled) for each in said.entry.journal)


def test_a_claim_lists_what_one_player_owes() -> None:
    machine = fight().machine
    assert [each.partition(" ")[0] for each in records.owed_by(machine, "B")] == ["reveal", "open"]
    assert records.owed_by(machine, "A") == []


def test_what_is_opened_by_choice_is_nothing_owed() -> None:
    fold = fight_of_own()
    steps = honest(fold, "A", ATTACK)
    machine, step = begun(fold, "A", steps, "open")
    assert not hidden.open_slot(machine, step).entry.progress
    assert hidden.open_slot(machine.put(progress=True), step).entry.progress


def fight_of_own() -> Fold:
    """A is asked for an attack on 0303."""
    fold = write(placed(), "A", {"march": {"unit": "N-F1", "path": ["0202"]}}, HALT)
    while not (fold.pen == "A" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    return fold


def test_a_counter_to_be_seen_is_owed_and_moves_no_pen() -> None:
    """A gun has marched, and lies alone on an objective: that is owed behind what else is."""
    fold = mixable()
    orders = [{"march": {"unit": "N-G", "path": ["0302"]}}, HALT]
    machine, step = begun(fold, "A", honest(fold, "A", *orders), "open")
    slot = f"n/1/{step['pos']}"
    assert machine.to_show("A") == (slot,) and machine.to_show("B") == ()
    assert (machine.head("A").code, machine.head("A").what) == ("open", slot)
    first, *rest = [each.code for each in machine.owed]
    assert first != "open" and "open" in rest
    assert machine.put(locked=9).to_show("A") == ()
    bound = tuple(replace(each, trial=None) for each in machine.hidden.decks.bound)
    mixed = machine.put(decks=replace(machine.hidden.decks, bound=bound))
    assert mixed.to_show("A") == (), "before its mix is challenged"
    over = machine.put(phase="over")
    assert draft._shown(over, "A", secrets(fold, "A")) == (over, []), "nor when the game is over"
    shown = hidden.open_slot(machine, step)
    assert shown.to_show("A") == () and "N-G" in shown.table.state.position.places


# --- lists


@pytest.mark.parametrize("asked", [
    Asked("A", "write a list", secret=True, list=SimpleNamespace(name="ambush", size=2)),
    Asked("A", "tell the items that are due", tells_items="ambush/1"),
])  # fmt: skip
@pytest.mark.parametrize("is_solo", [True, False])
def test_one_person_on_both_seats_hides_nothing(asked: Asked, is_solo: bool) -> None:
    machine = Machine(World(None), Terms("running", proposal={"options": {"solo": is_solo}}))  # type: ignore[arg-type]
    object.__setattr__(machine, "in_play", SimpleNamespace(waits=lambda: asked))
    plain = replace(asked, secret=False, list=None, tells_items="")
    assert machine.waits == (plain if is_solo else asked)


def test_why_an_item_is_due_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    fold, _ = sprung()
    machine, step = begun(fold, "B", honest(fold, "B"), "list_tell")
    due = Problem("due", "item 1 is due")

    def untold(*_: object) -> None:
        raise OrderRefused(due)

    monkeypatch.setattr(hidden, "told_items", untold)
    found = why(hidden.list_tell, machine, step)
    assert (found.code, found.rule, found.causes) == ("E-POLICY", lists.RULE, (due,))


def test_lines_told_in_front_of_orders_may_leave_nothing_to_ask() -> None:
    """Then the game goes on before these."""
    fold = both_lie_in_wait()
    machine, step = begun(fold, "A", honest(fold, "A", ATTACK), "list_tell")
    told = hidden.list_tell(machine, step)
    assert told.waits == machine.waits and told.beacons.locked is None
    (line,) = [each for each in told.entry.journal if isinstance(each, ListTold)]
    assert line.items == told.table.known()
    rolls, before = twin(machine.table), twin(machine.table)
    rolls.__dict__["waits"] = lambda: DiceWanted("a die")
    before.__dict__["learn"] = lambda items: rolls
    assert hidden.list_tell(machine.at(before), step).beacons.locked is not None


def test_lines_are_told_in_front_of_own_orders_alone() -> None:
    fold = both_lie_in_wait()
    (theirs,) = [
        each for each in honest(write(fold, "A", ATTACK), "B") if each["do"] == "list_tell"
    ]
    found = why(hidden.list_tell, begin_entry(fold.machine, "A").put(by="B"), theirs)
    assert (found.code, found.rule) == ("E-POLICY", "R4"), "A is asked, and B would tell"


def test_a_list_is_sealed_by_whom_and_where_it_is_asked_for() -> None:
    fold = writing()
    machine, step = begun(fold, "A", honest(fold, "A", {"ambush": {"at": []}}), "list_seal")
    rolling = twin(machine)
    in_play = SimpleNamespace(waits=lambda: DiceWanted("attack"))
    rolling.__dict__.pop("waits", None)
    object.__setattr__(rolling, "in_play", in_play)
    for asked in (machine.put(by="B"), begin_entry(conspired().machine, "B"), rolling):
        found = why(hidden.list_seal, asked, step)
        assert (found.code, found.rule) == ("E-TURN", lists.RULE)
    found = why(hidden.seal, rolling, step)
    assert (found.code, found.rule) == ("E-TURN", CHOICES)
    found = why(hidden.seal, machine, step)
    assert (found.code, found.rule) == ("E-TURN", "R4"), "a list is no choice"
    after = hidden.list_seal(machine, step)
    assert after.entry.progress and after.hidden.has_sealed
    found = why(hidden.bind_list, after, step)
    assert (found.code, found.rule) == ("E-POLICY", lists.RULE), "once in an entry"


def test_no_order_given_ahead_answers_a_secret_question() -> None:
    machine = begin_entry(writing().machine, "A")
    ahead = Given(machine.table.read({"ambush": {"at": []}}), "seal", ChainPlace(1, 0), 0)
    machine = machine.put(given={"A": (ahead,), "B": ()})
    after, goes_on = advance.move(machine)
    assert not goes_on and after.pending.given["A"] == (ahead,)
    assert after.table is machine.table


def test_items_that_are_told_stay_told() -> None:
    fold, _ = sprung()
    machine, step = begun(fold, "B", honest(fold, "B"), "list_tell")
    after = hidden.list_tell(machine, step)
    assert after.entry.progress
    assert [each.plain()["told"] for each in after.hidden.lists] == [[], [1]]
    (told,) = [each for each in after.entry.journal if isinstance(each, ListTold)]
    assert (told.by, list(told.items.values())) == ("B", ['"0102"'])
    fold = write(fold, "B")
    target = max(seq for seq in fold.machine.agreements.quiet if seq < len(fold.entries) - 1)
    pen = str(fold.pen)
    other = "B" if pen == "A" else "A"
    offer = {"what": "takeback", "to": target, "known_randomness": True}
    fold = write(write(fold, other, offer=offer), pen, answer=True)
    assert [each.plain()["told"] for each in fold.machine.hidden.lists] == [[], [1]]
    slot = f"{fold.machine.hidden.lists[1].slot}/1"
    assert fold.in_play.state.position.told[slot] == '"0102"', "in the earlier state too"


def test_in_a_practice_game_a_list_is_an_order() -> None:
    """One person on both seats hides nothing, and is asked all the same."""
    terms = Proposal("fog/1", "d" * 64, "noon", {"a": "north", "b": "south"}, {"open_units": True})
    fold = propose_solo(terms, "ridge", table, tool=TOOL)
    for order in (fold.in_play.default().plain, None, {"ambush": {"at": ["0302"]}}):
        assert (fold.owed[0].code, fold.machine.waits.list) == ("answer", None)
        wish = Wish(orders=(order or fold.in_play.default().plain,))
        fold = compose(fold, solo_keys(fold)[fold.owed[0].by], wish, tool=TOOL).fold
    position = fold.in_play.state.position
    assert position.told[f"{position.lists['north']}/0"] == '"0302"'


# --- secret choices


def test_a_secret_choice_and_its_telling_are_something_owed() -> None:
    fold = conspired()
    machine = begin_entry(fold.machine, "B")
    assert hidden.seal(machine, sealing(fold, "B", LEFT)).entry.progress
    found = why(hidden.seal, machine.put(by="A"), sealing(fold, "B", LEFT))
    assert (found.code, found.rule) == ("E-TURN", CHOICES)
    found = why(hidden.seal, machine, {**sealing(fold, "B", LEFT), "box": ""})
    assert (found.code, found.rule) == ("E-POLICY", CHOICES), "a box of another length"
    fold = both_bound()
    told = secrets(fold, "A").tell(fold.machine.hidden.chosen[0])
    assert hidden.tell(begin_entry(fold.machine, "A"), told).entry.progress


# --- what waits


def test_what_waits_is_in_the_public_state() -> None:
    fold = mixable()
    given = Given(fold.in_play.read(HALT), "orders", ChainPlace(7, 2, 1), 0)
    standing = StandingPolicy("A", "guard", {"ask": []}, None, {"x": 1}, ChainPlace(5, 0), 3)
    sealed = replace(standing, doc=None, c="c0", box="b0")
    machine = fold.machine.put(given={"A": (given,), "B": ()}, policies=(standing, sealed))
    protocol = machine.public_state()["protocol"]
    rows = {"order": HALT, "entry": 7, "step": 2, "index": 1}
    assert protocol["given"] == {"a": [rows], "b": []}
    row = {"by": "A", "slot": "guard", "scope": {"ask": []}, "until": None, "doc": {"x": 1},
           "entry": 5, "since": 3}  # fmt: skip
    assert protocol["policies"] == [row, {**row, "doc": None, "c": "c0"}]
    assert machine.post() != fold.machine.put(policies=(standing, sealed)).post()
    assert sealed.name == "guard 5"
    assert replace(sealed, doc={}).is_unsealed and not (sealed.is_unsealed or standing.is_unsealed)
    assert replace(standing, doc=None).withdraws and not (standing.withdraws or sealed.withdraws)


def test_what_was_replaced_is_kept_while_a_beacon_may_ask_for_it() -> None:
    old = StandingPolicy("A", "guard", None, None, {"x": 1}, ChainPlace(5, 0), 3)
    new, gone = replace(old, doc={"x": 2}), replace(old, slot="fall back", doc=None)
    machine = mixable().machine.put(policies=(old, new, gone))
    assert advance.prune_policies(machine).pending.policies == (new,)
    for asking in ({"locked": 3}, {"dice": BeaconDice(3, b"\x01" * 32)}):
        assert advance.prune_policies(machine.put(**asking)).pending.policies == (old, new, gone)


def test_an_order_of_another_game_is_refused_with_its_number() -> None:
    table = mixable().in_play
    found = why(pending.read_orders, table, [HALT, {"build": {}}])
    assert (found.code, found.rule) == ("E-ORDER", "R8") and "order 2" in str(found.message)
    assert [each.code for each in found.causes] == ["illegal-order"]
    stumbling = SimpleNamespace(read=lambda order: {}["gone"])
    found = why(pending.read_orders, stumbling, [HALT])
    assert (found.code, found.rule, list(found.causes)) == ("E-ORDER", "R8", [])
    policy = StandingPolicy("A", "guard", None, None, {"x": 1}, ChainPlace(5, 0), 3)
    found = why(pending.check_policy, table, policy)
    assert (found.code, found.rule) == ("E-POLICY", "policies") and found.causes
    pending.check_policy(table, replace(policy, doc=None))


def test_whether_an_order_is_allowed_is_asked_with_what_it_shows() -> None:
    """A legal order that shows nothing; not one against the rules, nor one the rules fail on."""
    table = mixable().in_play
    assert pending.allowed(table, "A", table.read(HALT))
    assert not pending.allowed(table, "A", table.read({"halt": {"zones": ["0404"]}}))
    order = table.read(HALT)
    shows = SimpleNamespace(allows=lambda order: True, shows=lambda by, order: ("n/1/0",))
    assert not pending.allowed(shows, "A", order)
    assert not pending.allowed(SimpleNamespace(), "A", order)


def test_an_order_outlives_a_round_by_itself_or_with_what_it_follows() -> None:
    def item(index: int, *, leads: bool) -> Given:
        return Given(ReadOrder({}, index, leads), "orders", ChainPlace(1, 0, index), 0)

    items = [item(0, leads=False), item(1, leads=True), item(2, leads=False), item(3, leads=True)]
    living = {0, 1}
    after = SimpleNamespace(outlives=lambda before, order: order.meant in living)
    kept = pending.outliving(SimpleNamespace(), after, items)
    assert [each.read.meant for each in kept] == [0, 1, 2] and all(e.outlived for e in kept)
    failing = SimpleNamespace(outlives=lambda before, order: {}["gone"])
    assert pending.outliving(SimpleNamespace(), failing, items) == ()


def at_stub(**more: Any) -> Machine:
    """A machine whose game takes every order as an answer, stays as it is, and shows a slot."""
    found = SimpleNamespace(
        answers=lambda order: order.meant != "waits", shows=lambda by, order: ("n/1/0",),
        called=str, round=lambda: "", laid=lambda: (), default=lambda: order_called("tell"),
        waits=lambda: SimpleNamespace(),
    )  # fmt: skip
    found.submit = more.pop("submit", lambda order: found)
    found.doubts = more.pop("doubts", lambda order: ())
    return mixable().machine.at(found).put(stirred={"A": 0, "B": 0}, **more)


def order_called(name: str, *, leads: bool = False) -> ReadOrder:
    return ReadOrder({name: {}}, name, leads)


def test_an_audit_asks_its_own_player_alone_what_was_open() -> None:
    """Whether a slot was open when the other player's order came is no fault of who is audited."""
    given = {"A": (Given(order_called("play"), "orders", ChainPlace(1, 0), 0),), "B": ()}
    waits = SimpleNamespace(by="A")
    for player, is_asked in (("A", True), ("B", False)):
        machine = at_stub(given=given, auditor=SimpleNamespace(player=player))
        after, _ = advance.take(machine, "A")
        assert isinstance(after.entry.journal[-1], Lapsed) is is_asked
        if is_asked:
            with pytest.raises(OrderRefused, match="not open"):
                advance.told_items(machine, waits, {})
        else:
            assert advance.told_items(machine, waits, {}).table is machine.table


def test_orders_before_an_answer_wait_for_theirs_unless_it_begins_something_new() -> None:
    for leads, left in ((False, ["waits", "after"]), (True, ["after"])):
        items = [order_called("waits"), order_called("play", leads=leads), order_called("after")]
        given = tuple(Given(o, "orders", ChainPlace(1, 0, at), 0) for at, o in enumerate(items))
        after, was_taken = advance.take(at_stub(given={"A": given, "B": ()}), "A")
        assert was_taken and [each.read.meant for each in after.pending.given["A"]] == left


def test_only_an_order_given_ahead_lapses_for_doubts() -> None:
    doubt, now = Problem("illegal-order", "two might be there"), mixable().machine.entry.seq
    for entry, stirred, lapses in ((now - 1, 0, True), (now, 1, True), (now, 0, False)):
        given = (Given(order_called("play"), "orders", ChainPlace(entry, 0), 0),)
        machine = at_stub(doubts=lambda order: (doubt,), given={"A": given, "B": ()})
        after, _ = advance.take(machine.put(stirred={"A": stirred, "B": 0}), "A")
        last = after.entry.journal[-1]
        assert isinstance(last, Lapsed) == lapses
        assert not isinstance(last, Lapsed) or last.problems == (doubt,)


def test_an_illegal_order_of_an_earlier_entry_lapses() -> None:
    """One of this very entry refuses it, unless something has come between."""

    def refuses(order: Any) -> Any:
        raise OrderRefused(Problem("illegal-order", "no"))

    now = mixable().machine.entry.seq
    for entry, stirred, lapses in ((now - 1, 0, True), (now, 1, True), (now, 0, False)):
        given = Given(order_called("play"), "orders", ChainPlace(entry, 0), 0)
        machine = at_stub(submit=refuses, given={"A": (given,), "B": ()})
        machine = machine.put(stirred={"A": stirred, "B": 0})
        if lapses:
            after, _ = advance.take(machine, "A")
            assert isinstance(after.entry.journal[-1], Lapsed)
        else:
            assert why(advance.take, machine, "A").code == "E-ORDER"


def test_a_choice_the_rules_fail_on_is_refused_like_one_against_them() -> None:
    def refuses(*given: Any) -> Any:
        raise OrderRefused(Problem("illegal-order", "no"))

    for read, code in ((refuses, "illegal-order"), (lambda order: {}["gone"], "fault")):
        table = SimpleNamespace(read=read, submit=read)
        for judge in (pending.read_choice, pending.judged):
            with pytest.raises(OrderRefused) as refused:
                judge(table, {"x": 1})
            assert refused.value.problems[0].code == code
    table = SimpleNamespace(read=lambda order: order)
    assert pending.read_choice(table, {"x": 1, "when": {}}) == {"x": 1}


def test_nobody_tells_for_the_other_what_is_due_of_their_lists() -> None:
    """Behind an order of one player the other may be the one who has to tell."""
    asked = Mock(spec=Asked, tells_items=True, by="B")
    theirs = Mock(**{"waits.return_value": asked})
    assert _items_told(theirs, "A", {}) is theirs
    theirs.submit.assert_not_called()
