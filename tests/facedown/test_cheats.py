"""What a player with a changed program tries with counters face down, and where it comes to light.

Each row of the page's table that this game has: refused at once with its class, or found by the
audit. The cheat signs whatever it likes; its digests are right.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.facedown import FaceDown
from pbem.engine.model import Side, State
from pbem.gamefile import advance, draft, lists
from pbem.gamefile.audit import stands
from pbem.gamefile.cards import MIXING, RULE
from pbem.gamefile.compose import propose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import OrderRefused
from pbem.gamefile.journal import DeckBound, ListSealed, Rolled
from pbem.messages import words
from pbem.play.table import Table
from pbem.value import replace
from tests.facedown.desks import TAG
from tests.facedown.here import NAME, SEATS, system
from tests.facedown.mails import (
    NORTH_UP,
    SOUTH_UP,
    TERMS,
    audited,
    begun,
    known,
    placed,
    random_game,
    tag,
    write,
)
from tests.gamefile import cheating
from tests.gamefile.cheating import (
    Steps,
    audit,
    changed,
    given,
    head,
    opening,
    secrets,
    without,
)
from tests.gamefile.knowledge import look_aheads
from tests.gamefile.players import KEYS, NONCE, TOOL, reveal, tried
from tests.gamefile.stacked import Stacking, stacked_write, stacker


def honest(fold: Fold, player: str, *orders: dict[str, Any]) -> Steps:
    """The steps of an entry that the player's program would write."""
    return [dict(step) for step in write(fold, player, *orders).entries[-1].steps]


def refused(fold: Fold, player: str, steps: Steps) -> FileRefused:
    """Why the steps are refused: in words that name no tag."""
    found = cheating.refused(fold, player, steps)
    assert not tags_told(found)
    return found


def tags_told(refusal: FileRefused) -> list[str]:
    """The tags in what people read of a refusal."""
    told = [
        refusal.message,
        refusal.hint,
        *(x for c in refusal.causes for x in (c.message, c.hint)),
    ]
    return [found for each in told for found in TAG.findall(words(each))]


def march(fold: Fold, player: str, piece: str, *path: str) -> dict[str, Any]:
    return {"march": {"unit": tag(fold, player, piece), "path": list(path)}}


HALT: dict[str, Any] = {"halt": {"zones": []}}

# --- marches and set-up


def far() -> Fold:
    """A's gun has marched four points, as no gun can; horse could have."""
    fold = placed()
    path = ("0201", "0102", "0103")
    return tried(fold, "A", [*head(fold, "A"), given(march(fold, "A", "N-G", *path), HALT)])


def far_and_attacked() -> tuple[Fold, str]:
    """The same, when B attacks that gun: A has to show it."""
    fold = far()
    slot = tag(fold, "A", "N-G")
    assert "N-G" not in known(fold, "B").down.may_be(slot)
    fold = write(fold, "B")
    fold = write(fold, "A")
    fold = write(fold, "B", {"march": {"unit": "S-F2", "path": ["0203"]}}, HALT)
    while not (fold.pen == "B" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    fold = write(fold, "B", {"attack": {"hex": "0103", "units": ["S-F2"], "advance": True}})
    assert fold.locked is not None and fold.pen == "A"
    return fold, slot


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (("0102", "0103", "0104", "0203"),
         "the march costs 5 points, and a counter in 0101 has 4"),
        (("0201", "0302", "0303"), "the path is barred"),
    ],
)  # fmt: skip
def test_a_march_that_no_counter_could_make_is_refused_at_once(
    path: tuple[str, ...], why: str
) -> None:
    """Not even sappers march five points, horse is yet to come, and nobody goes over a cliff."""
    fold = placed()
    far_off = march(fold, "A", "N-G", *path)
    found = refused(fold, "A", [*head(fold, "A"), given(far_off, HALT)])
    assert found.code == "E-ORDER" and words(found.causes[0].message) == why


def test_a_march_that_this_counter_could_not_make_is_refused_when_it_is_shown() -> None:
    """The forged march passes, since a foot or a horse could do it; the face does not."""
    fold, slot = far_and_attacked()
    shown = [reveal(fold, "A", fold.locked), opening(fold, "A", slot)]
    found = refused(fold, "A", shown)
    assert found.code == "E-PIECE" and "cannot have done" in words(found.message)
    assert found.rule == "counters face down"
    found = refused(fold, "A", shown[:1])
    assert (found.code, words(found.message)) == (
        "E-CARD", "ends without the showing of a counter in 0103",
    )  # fmt: skip


def test_the_own_program_refuses_it_before() -> None:
    with pytest.raises(FileRefused, match="not legal"):
        write(placed(), "A", {"march": {"unit": "N-G", "path": ["0201", "0102", "0103"]}})


def test_a_march_that_is_never_shown_is_found_by_the_audit() -> None:
    fold = far()
    fold = write(fold, "B", resign=True)
    with pytest.raises(FileRefused) as caught:
        write(fold, "A")
    assert caught.value.code == "E-AUDIT" and caught.value.entry == len(far().entries) - 1
    found = refused(fold, "A", [audit(fold, "A")])
    assert (found.code, found.by) == ("E-AUDIT", "A")
    assert words(found.causes[0].message) == "the march costs 4 points, and N-G has 2"


def laid_out(piece: str) -> tuple[Fold, Steps, dict[str, Any]]:
    """A lays out their counters in secret, one of them alone on an objective, where it has to be
    shown: the steps of that entry, and the showing.
    """
    fold = begun()
    rows = [["N-F1", "0101"], ["N-F2", "0201"], [piece, "0302"], ["N-S", "0401"]]
    units = sorted([tag(fold, "A", each), hex] for each, hex in rows)
    steps = [*head(fold, "A"), given({"place": {"units": units, "zones": []}})]
    return fold, steps, opening(fold, "A", tag(fold, "A", piece))


@pytest.mark.parametrize("wrong", ["N-G", "N-H"])
def test_a_counter_set_up_where_it_may_not_is_found_when_it_is_shown(wrong: str) -> None:
    """The gun in the front row, the horse too early: both tags may be foot, so it passes."""
    fold, steps, shown = laid_out(wrong)
    found = refused(fold, "A", steps)
    assert (found.code, words(found.message)) == (
        "E-CARD", "ends without the showing of a counter in 0302",
    )  # fmt: skip
    found = refused(fold, "A", [*steps, shown])
    assert (found.code, words(found.message)) == (
        "E-PIECE", f"{wrong} cannot have done what this counter did",
    )  # fmt: skip


def test_two_tags_for_one_counter_cannot_be_shown() -> None:
    fold = placed()
    slot, other = tag(fold, "A", "N-F1"), tag(fold, "A", "N-G")
    step = opening(fold, "A", slot)
    lie = {**step, "pos": int(other.split("/")[2])}
    another = {**step, "card": "N-F3"}
    for shown, hex in ((lie, "0101"), (another, "0102")):
        found = refused(fold, "A", [*head(fold, "A"), shown])
        assert (found.code, words(found.message)) == (
            "E-OPEN", f"what is shown of a counter in {hex} is not what was sealed",
        )  # fmt: skip


# --- showings


def fight() -> Fold:
    """A has marched next to 0303 and attacks it: B has to show who stands there."""
    fold = write(placed(), "A", {"march": {"unit": "N-F1", "path": ["0202"]}}, HALT)
    while not (fold.pen == "A" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    return write(fold, "A", {"attack": {"hex": "0303", "units": ["N-F1"], "advance": True}})


def test_who_is_attacked_shows_in_the_head_and_the_attack_costs_no_further_mail() -> None:
    fold = fight()
    assert fold.locked is not None and fold.pen == "B"
    kinds = [step["do"] for step in honest(fold, "B")]
    assert kinds[0] == "reveal" and "open" in kinds
    assert write(fold, "B").in_play.state.position.battle is None, "it is fought"


def test_a_showing_that_is_due_is_left_out() -> None:
    fold = fight()
    steps = honest(fold, "B")
    for some in (without(steps, "open", "list_tell"), steps[:1]):
        found = refused(fold, "B", some)
        assert (found.code, found.rule, words(found.message)) == (
            "E-CARD", "R4", "ends without the showing of a counter in 0303",
        )  # fmt: skip


def test_another_counter_than_the_one_that_came_is_shown() -> None:
    fold = fight()
    wrong = changed(honest(fold, "B"), "open", lambda step: {**step, "card": "S-H"})
    found = refused(fold, "B", wrong)
    assert (found.code, words(found.message)) == (
        "E-OPEN", "what is shown of a counter in 0303 is not what was sealed",
    )  # fmt: skip


def test_an_attack_by_counters_that_are_not_shown() -> None:
    before = write(placed(), "A", {"march": {"unit": "N-F1", "path": ["0202"]}}, HALT)
    while not (before.pen == "A" and before.owed[0].code == "answer"):
        before = write(before, str(before.pen))
    steps = honest(before, "A", {"attack": {"hex": "0303", "units": ["N-F1"], "advance": True}})
    found = refused(before, "A", without(steps, "open"))
    assert found.code == "E-ORDER"
    assert words(found.causes[0].message) == "a counter in 0202 must be shown"


def test_a_counter_that_is_shown_by_choice_may_leave_nothing_to_ask() -> None:
    """It could have been a gun that fires. Shown as sappers it has nothing to do, and play goes on
    behind it, to the next dice.
    """
    fold = write(placed(), "A", {"march": {"unit": "N-S", "path": ["0401"]}}, HALT)
    while not (fold.pen == "A" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    assert [each.order.verb for each in fold.in_play.decision.options] == ["fire", "done"]
    steps = [*head(fold, "A"), opening(fold, "A", tag(fold, "A", "N-S"))]
    assert refused(fold, "A", steps).code == "E-NOREVEAL"
    after = tried(fold, "A", [*steps, reveal(fold, "A", fold.machine.next_beacon)])
    assert after.pen == "B" and after.locked is not None


# --- mixes


def mixable() -> Fold:
    """A's two foot stand in one hex, and it is A's march in turn 2."""
    rows = [["N-F1", "0101"], ["N-F2", "0101"], ["N-G", "0201"], ["N-S", "0201"]]
    fold = write(begun(), "A", {"place": {"units": rows}})
    fold = write(
        fold,
        "B",
        {
            "place": {
                "units": [["S-F1", "0404"], ["S-F2", "0304"], ["S-G", "0204"], ["S-S", "0104"]]
            }
        },
    )
    fold = write(fold, "A", {"ambush": {"at": []}})
    return write(fold, "B", {"ambush": {"at": []}})


MIX = ({"mix": {"at": ["0101", "0201"]}}, HALT)


def test_a_mix_stands_with_its_commitment_in_one_entry() -> None:
    fold = mixable()
    steps = honest(fold, "A", *MIX)
    (commit,) = [step for step in steps if step["do"] == "deck_commit"]
    assert commit["groups"] == [2, 2]
    found = refused(fold, "A", without(steps, "deck_commit", "reveal"))
    assert (found.code, found.rule, words(found.message)) == (
        "E-DECK", MIXING, "ends without the commitment to mix n/2",
    )  # fmt: skip
    ended = tried(fold, "A", [given(MIX[0]), {"do": "resign"}])
    assert ended.phase == "over", "nobody waits for it any more"
    for groups in ([4], [3, 1], [2], []):
        wrong = changed(steps, "deck_commit", lambda step, g=groups: {**step, "groups": g})
        if len(groups) == 0 or min(groups) < 2:
            with pytest.raises(FileRefused) as caught:
                tried(fold, "A", wrong)
            assert caught.value.code in ("E-SCHEMA", "E-DECK")
        else:
            found = refused(fold, "A", wrong)
            assert (found.code, found.rule) == ("E-DECK", RULE)


def all_known(proposal: Mapping[str, Any]) -> Table:
    """A game in which every counter came in open: the first deck of all is a mix."""
    from pbem.games.fog.position import NORTH, SOUTH, Position
    from pbem.games.fog.stages import turn

    game, places = system(), {"N-F1": "0101", "N-G": "0101", "S-F1": "0202"}
    nobody: dict[Side, tuple[str, ...]] = {NORTH: (), SOUTH: ()}
    position = Position(game.tables, "fog", False, FaceDown(), places, nobody, turn=1)
    return Table(game, SEATS, State(position, turn()))


def test_the_first_deck_of_a_game_may_be_a_mix_and_is_bound_in_its_entry() -> None:
    system()  # its modules are found from here on
    fold = propose(KEYS["A"], KEYS["B"].public, TERMS, all_known, nonce=NONCE, tool=TOOL).fold
    for player in "BA":
        fold = write(fold, player)
    for player in "AB":
        fold = write(fold, player, {"ambush": {"at": []}})
    assert fold.proposal["decks"] == [] and not fold.machine.hidden.decks.bound
    steps = honest(fold, "A", {"mix": {"at": ["0101"]}}, HALT)
    found = refused(fold, "A", without(steps, "deck_commit"))
    assert (found.code, found.rule) == ("E-DECK", MIXING)
    fold = tried(fold, "A", steps)
    while (pen := str(fold.pen), fold.owed[0].what) != ("A", "march"):
        orders = {"march": [HALT], "ambushes": [{"ambush": {"at": []}}]}.get(fold.owed[0].what, [])
        fold = write(fold, pen, *orders if fold.owed[0].code in ("answer", "list_seal") else [])
    unit = tag(fold, "A", "N-F1")
    fold = write(fold, "A", {"march": {"unit": unit, "path": ["0102"]}}, HALT)
    while fold.owed[0].what != "fight":
        fold = write(fold, str(fold.pen))
    fold = write(fold, "A", {"attack": {"hex": "0202", "units": [unit]}})
    assert fold.in_play.state.position.places["N-F1"] == "0102", "shown where it was mixed to"


def test_mixed_counters_hide_again_and_both_know_what_they_may_be() -> None:
    fold = write(mixable(), "A", *MIX)
    position = fold.in_play.state.position
    new = [name for name in position.places if name.startswith("n/2/")]
    assert len(new) == 4 and {position.places[name] for name in new} == {"0101", "0201"}
    assert len(position.down.may_be(new[0])) >= 2
    assert known(fold, "A").face(new[0]) == "", "not before a beacon has challenged it"
    assert position.has_zone("0101"), "it was said of this stack, and still lies there"


def moved_across() -> tuple[Fold, Steps]:
    """A has mixed counters of two stacks with each other, in the trial that the beacon picks, and
    is asked for a list; and the steps that show a counter where it cannot be.
    """

    def replied(cheat: Stacking) -> Fold:
        fold = stacked_write(cheat, mixable(), "A", *MIX)
        return stacked_write(cheat, write(fold, "B"), "A")

    def across(cards: tuple[str, ...]) -> tuple[str, ...]:
        return (cards[2], cards[1], cards[0], cards[3])

    bound = replied(Stacking(frozenset(), across)).machine.hidden.decks.bound[-1]
    assert bound.trial is not None, "it follows from both values alone"
    cheat = Stacking(frozenset({bound.trial}), across)
    fold = write(replied(cheat), "B", HALT)
    while fold.owed[0].code != "list_seal":
        pen = str(fold.pen)
        fold = write(fold, "B") if pen == "B" else stacked_write(cheat, fold, "A")
    theirs = stacker(cheat)("A", secrets(fold, "A").game)
    return fold, [*head(fold, "A"), theirs.open(fold.machine.hidden.decks, "n/2/0")]


def test_a_mix_that_moves_a_counter_to_another_stack_is_found_when_it_is_shown() -> None:
    """One wrong mix in 16 is in the trial that the beacon picks: the reply passes."""
    fold, shown = moved_across()
    (bound,) = [each for each in fold.machine.hidden.decks if each.name == "n/2"]
    assert bound.leaves, "it has been replied for"
    found = refused(fold, "A", shown)
    assert (found.code, found.rule) == ("E-DECK", RULE)
    assert "is twice in deck n/2, or does not belong in it" in words(found.message)
    found = audited_as_liar(fold, "A")
    assert found.code == "E-AUDIT" and "deck n/2 was not made" in words(found.message)


def test_a_mix_is_challenged_by_a_beacon_that_nobody_has_revealed_for() -> None:
    fold = write(mixable(), "A", *MIX)
    (bound,) = [each for each in fold.machine.hidden.decks if each.name == "n/2"]
    shown = {step["n"] for entry in mixable().entries for step in entry.steps
             if step["do"] == "reveal"}  # fmt: skip
    assert bound.challenge > max(shown)


def test_a_part_of_a_group_is_not_ordered_before_the_reply() -> None:
    fold, mix = mixable(), {"mix": {"at": ["0101"]}}
    steps = honest(fold, "A", mix, HALT)
    part = given(mix, {"march": {"unit": "n/2/0", "path": ["0102"]}})
    at = next(at for at, step in enumerate(steps) if step["do"] == "orders")
    found = refused(fold, "A", [*steps[:at], part])
    assert found.code == "E-ORDER"
    assert words(found.causes[0].message) == "a counter in 0101 has just been mixed"


def test_an_audit_follows_a_take_back_to_a_mix_that_no_beacon_has_met() -> None:
    fold = write(mixable(), "A", MIX[0])
    back = {"what": "takeback", "to": len(fold.entries) - 1}
    fold = write(write(fold, "B", offer=back), "A", answer=True)
    assert [each.trial for each in fold.machine.hidden.decks if each.name == "n/2"] == [None]
    assert set(audited(write(fold, "A", resign=True)).machine.hidden.audited) == {"A", "B"}


def test_a_mix_ordered_ahead_lapses_in_the_entry_of_the_other_player() -> None:
    machine = mixable().machine
    after = machine.table.submit(machine.table.read(MIX[0]))
    advance._check_mix(machine, "A", machine.table)
    with pytest.raises(OrderRefused) as caught:
        advance._check_mix(machine, "A", after)
    assert [problem.rule for problem in caught.value.problems] == [MIXING]


def test_counters_are_mixed_once_in_an_entry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house holds it too, where the rules of a game forget it."""
    from pbem.games.fog.events import CountersMixed

    apply = CountersMixed.apply
    monkeypatch.setattr(
        CountersMixed, "apply", lambda self, position: apply(self, position).but(mixed=frozenset())
    )
    fold = mixable()
    one, other = ({"mix": {"at": [hex]}} for hex in ("0101", "0201"))
    with pytest.raises(FileRefused) as caught:
        write(fold, "A", one, other, HALT)
    assert (caught.value.code, caught.value.rule) == ("E-LIMIT", MIXING)


# --- lists


def writing() -> Fold:
    """A is asked for a list."""
    fold = begun()
    rows = [["N-F1", "0101"], ["N-F2", "0201"], ["N-G", "0301"], ["N-S", "0401"]]
    fold = write(fold, "A", {"place": {"units": rows}})
    return write(
        fold,
        "B",
        {
            "place": {
                "units": [["S-F1", "0404"], ["S-F2", "0304"], ["S-G", "0204"], ["S-S", "0104"]]
            }
        },
    )


def test_a_list_has_the_slot_the_size_and_the_box_of_the_question() -> None:
    fold = writing()
    steps = honest(fold, "A", {"ambush": {"at": ["0403"]}})
    asked = "the list ambush_n with 2 places is asked for"
    for change, why in (
        ({"slot": "ambush_s"}, asked), ({"size": 4}, asked),
        ({"box": "A" * 160}, "the box of a list has the wrong length"),
    ):  # fmt: skip
        wrong = changed(steps, "list_seal", lambda step, c=change: {**step, **c})
        found = refused(fold, "A", wrong)
        assert (found.code, found.rule, words(found.message)) == ("E-POLICY", lists.RULE, why)
    again = [*steps, next(step for step in steps if step["do"] == "list_seal")]
    found = refused(fold, "A", again)
    assert (found.code, words(found.message)) == ("E-TURN", "player A is asked for no list now")


def test_the_journal_tells_that_a_list_was_sealed() -> None:
    fold = write(writing(), "A", {"ambush": {"at": ["0403"]}})
    (told,) = [each for each in fold.journal[-1] if isinstance(each, ListSealed)]
    assert told.by == "A"


def test_both_lists_stand_before_the_first_line_is_told() -> None:
    fold = write(writing(), "A", {"ambush": {"at": ["0403"]}})
    assert fold.owed[0].code == "list_seal" and fold.pen == "B"
    steps = head(fold, "B")
    tell = {"do": "list_tell", "slot": "ambush_n", "seq": 6, "items": []}
    found = refused(fold, "B", [*steps, tell])
    assert (found.code, words(found.message)) == ("E-POLICY", "no list_tell is owed")
    found = refused(fold, "B", [*steps, given(HALT)])
    assert found.code == "E-TURN" and "is chosen in secret" in words(found.message)


def test_the_checker_finds_a_list_that_was_written_by_who_had_been_told_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """In a game that asks for its lines as soon as one list stands."""
    assert look_aheads(write(sprung()[0], "B")) == []
    stages, rules = (import_module(f"{NAME}.{each}") for each in ("stages", "rules"))
    seal = stages.Ambushing.sealed

    def hasty(self: Any, position: Any, entry: int) -> Any:
        return replace(seal(self, position, entry), then=(stages.Springing(self.side),))

    monkeypatch.setattr(stages.Ambushing, "sealed", hasty)
    monkeypatch.setattr(rules, "ambushes_due", lambda position, side: position.slots_of_list(side))
    fold = write(writing(), "A", {"ambush": {"at": ["0403"]}})
    assert fold.entries[-1].steps[-1]["do"] == "list_tell" and look_aheads(fold) == []
    fold = write(fold, "B", {"ambush": {"at": []}})
    assert look_aheads(fold) == ["B wrote a list knowing what A wrote"]


def test_the_checker_finds_a_mix_that_was_bound_by_who_knew_a_roll_behind_it() -> None:
    """Whether or not the mixed counters are drawn, or the roll picks their trial."""
    fold = audited(random_game(2))
    assert look_aheads(fold) == []
    told = list(fold.told())
    at, mix = next((at, one) for at, one in enumerate(told)
                   if isinstance(one, DeckBound) and one.is_mix)  # fmt: skip
    _, roll = [one for one in told[at:] if isinstance(one, Rolled)][:2]
    told[at] = replace(mix, place=roll.place)
    found = look_aheads(SimpleNamespace(told=lambda: told))  # type: ignore[arg-type]
    step = roll.place.entry, roll.place.step
    assert f"{mix.by} decided at {step} knowing beacon {roll.n}" in found


def sprung() -> tuple[Fold, str]:
    """A has marched into 0103, where B lies in wait; B is to tell it."""
    fold = write(writing(), "A", {"ambush": {"at": []}})
    fold = write(fold, "B", {"ambush": {"at": ["0402", "0102"]}})
    fold = write(fold, "A", {"march": {"unit": "N-F1", "path": ["0102"]}}, HALT)
    assert fold.owed[0].code == "list_tell" and fold.pen == "B"
    return fold, fold.in_play.state.position.lists["south"]


def test_exactly_what_is_due_is_told() -> None:
    fold, _ = sprung()
    (told,) = [step for step in honest(fold, "B") if step["do"] == "list_tell"]
    assert [each["item"] for each in told["items"]] == ["0102"] and told["items"][0]["at"] == 1
    after = write(fold, "B")
    assert "ambush" in str(after.machine.waits) or after.locked, "its die is thrown"
    left = {slot[-1] for slot in secrets(after, "B").hidden_hand(after.machine) if "ambush" in slot}
    assert left == {"0"}, "what was told is no secret"


def test_all_lines_of_a_list_may_be_due_at_once() -> None:
    fold = write(writing(), "A", {"ambush": {"at": []}})
    fold = write(fold, "B", {"ambush": {"at": ["0202", "0102"]}})
    marches = [{"march": {"unit": unit, "path": [hex]}} for unit, hex in
               (("N-F1", "0102"), ("N-F2", "0202"))]  # fmt: skip
    fold = write(write(fold, "A", *marches, HALT), "B")
    assert sorted(fold.in_play.state.position.told.values()) == ['"0102"', '"0202"']
    fold = write(fold, "A")
    assert len(fold.in_play.state.position.spent) == 2


def test_a_line_that_is_not_on_the_list() -> None:
    fold, _ = sprung()
    steps = honest(fold, "B")
    for change in ({"item": "0201"}, {"at": 0}, {"nonce": "00" * 32}, {"path": ["00" * 32]}):
        wrong = changed(
            steps, "list_tell",
            lambda step, c=change: {**step, "items": [{**step["items"][0], **c}]},
        )  # fmt: skip
        why = f"item {change.get('at', 1)} is not what was sealed in the list"
        found = refused(fold, "B", wrong)
        assert (found.code, words(found.message)) == ("E-POLICY", why)
    twice = changed(steps, "list_tell", lambda step: {**step, "items": step["items"] * 2})
    found = refused(fold, "B", twice)
    assert (found.code, words(found.message)) == ("E-POLICY", "item 1 of the list was told before")
    found = refused(fold, "B", without(steps, "list_tell"))
    assert found.code == "E-POLICY" and "list_tell ambush_s/7 is owed" in words(found.message)
    for change in ({"slot": "ambush_n"}, {"seq": 1}):
        wrong = changed(steps, "list_tell", lambda step, c=change: {**step, **c})
        found = refused(fold, "B", wrong)
        assert (found.code, found.rule, words(found.message)) == (
            "E-POLICY", lists.RULE, "the list ambush_s/7 is to be told",
        )  # fmt: skip


def test_a_list_is_sealed_where_it_is_asked_for_and_by_whom() -> None:
    fold = writing()
    (sealed,) = [
        step for step in honest(fold, "A", {"ambush": {"at": []}}) if step["do"] == "list_seal"
    ]
    for asked, player in ((mixable(), "A"), (write(fold, "A", {"ambush": {"at": []}}), "A")):
        found = refused(
            asked, player, [*(head(asked, player) if asked.pen == player else []), sealed]
        )
        assert found.code == "E-TURN"
        assert asked.pen != player or found.rule == lists.RULE


def test_a_line_that_was_due_and_not_told_is_found_by_the_audit() -> None:
    fold, _ = sprung()
    silent = changed(honest(fold, "B"), "list_tell", lambda step: {**step, "items": []})
    at = next(at for at, step in enumerate(silent) if step["do"] == "list_tell")
    fold = tried(fold, "B", until_the_pen_moves(fold, "B", silent[: at + 1]))
    place = len(fold.entries) - 1
    while fold.phase != "over":
        fold = write(fold, str(fold.pen), resign=True)
    while fold.pen != "B":
        fold = write(fold, str(fold.pen))
    found = refused(fold, "B", [audit(fold, "B")])
    assert found.code == "E-AUDIT" and found.entry == place and found.by == "B"
    assert found.rule == lists.RULE
    assert words(found.causes[0].message).endswith("not open: item 1 of the list ambush_s")


ATTACK: dict[str, Any] = {"attack": {"hex": "0303", "units": ["N-F1"], "advance": True}}


def both_lie_in_wait() -> Fold:
    """A may attack 0303, where both have written an ambush."""
    fold = write(begun(), "A", {"place": {"units": NORTH_UP}})
    fold = write(fold, "B", {"place": {"units": SOUTH_UP}})
    fold = write(fold, "A", {"ambush": {"at": ["0302", "0303"]}})
    fold = write(fold, "B", {"ambush": {"at": ["0303"]}})
    fold = write(fold, "A", {"march": {"unit": "N-F1", "path": ["0202"]}}, HALT)
    while not (fold.pen == "A" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    return fold


def test_what_an_attack_brings_to_light_costs_no_mail() -> None:
    """The attacker's line is told in front of the order, the defender's behind their value, for the
    beacon that the attack has locked.
    """
    fold = both_lie_in_wait()
    kinds = [step["do"] for step in honest(fold, "A", ATTACK)]
    assert kinds.index("list_tell") < kinds.index("orders")
    fold = write(fold, "A", ATTACK)
    assert fold.locked is not None and fold.pen == "B"
    assert fold.in_play.state.position.told == {"ambush_n/6/1": '"0303"'}
    steps = honest(fold, "B")
    kinds = [step["do"] for step in steps]
    assert kinds[0] == "reveal" and kinds.index("open") < kinds.index("list_tell")
    assert write(fold, "B").in_play.state.position.battle is None, "and the die is thrown"
    found = refused(fold, "B", without(steps, "list_tell"))
    assert (found.code, words(found.message)) == ("E-POLICY", "ends without list_tell ambush_s/7")


def test_lines_are_told_in_front_of_orders_alone_and_by_their_author() -> None:
    fold = both_lie_in_wait()
    steps = honest(fold, "A", ATTACK)
    for change, why in (
        ({"slot": "ambush_s", "seq": 7}, "player A has sealed no list ambush_s/7"),
        ({"seq": 5}, "player A has sealed no list ambush_n/5"),
    ):
        wrong = changed(steps, "list_tell", lambda step, c=change: {**step, **c})
        found = refused(fold, "A", wrong)
        assert (found.code, found.rule, words(found.message)) == ("E-POLICY", lists.RULE, why)
    (tells,) = [step for step in steps if step["do"] == "list_tell"]
    asked = writing()
    found = refused(asked, "A", [*head(asked, "A"), tells])
    assert (found.code, words(found.message)) == ("E-POLICY", "no list_tell is owed")
    found = refused(fold, "A", [*without(steps, "list_tell", "reveal"), tells])
    assert found.code == "E-NOREVEAL", "a beacon is locked"


def test_an_order_whose_line_was_not_told_is_found_by_the_audit() -> None:
    fold = both_lie_in_wait()
    silent = without(honest(fold, "A", ATTACK), "list_tell")
    fold = tried(fold, "A", silent)
    place = len(fold.entries) - 1
    fold = write(fold, str(fold.pen), resign=True)
    while fold.pen != "A":
        fold = write(fold, str(fold.pen))
    found = refused(fold, "A", [audit(fold, "A")])
    assert (found.code, found.entry, found.by) == ("E-AUDIT", place, "A")
    assert words(found.causes[0].message).endswith("not open: item 1 of the list ambush_n")


def until_the_pen_moves(fold: Fold, player: str, steps: Steps) -> Steps:
    """The steps with the value of the beacon that they lock."""
    number = fold.machine.next_beacon
    try:
        tried(fold, player, steps)
    except FileRefused as refusal:
        assert refusal.code == "E-NOREVEAL"
        return [*steps, reveal(fold, player, number)]
    return steps


def test_a_box_that_holds_another_list_is_found_by_the_audit() -> None:
    fold = writing()
    steps = honest(fold, "A", {"ambush": {"at": ["0403"]}})
    other = honest(fold, "A", {"ambush": {"at": ["0404"]}})
    box = next(step["box"] for step in other if step["do"] == "list_seal")
    fold = tried(fold, "A", changed(steps, "list_seal", lambda step: {**step, "box": box}))
    fold = write(fold, "B", resign=True)
    found = refused(fold, "A", [audit(fold, "A")])
    assert found.code == "E-AUDIT" and "box of the list ambush_n" in words(found.message)


# --- what is said


MIXED: dict[str, dict[str, Any]] = {hex: {"mix": {"at": [hex]}} for hex in ("0101", "0201")}


@pytest.mark.parametrize(
    ("mixed", "lies", "why"),
    [
        ("0201", [{"halt": {"zones": ["0101", "0201"]}}],
         "no hidden counter of yours in 0201 can have a zone"),
        ("0101", ["gun", HALT], "0101 would hold more than 5 points"),
    ],
)  # fmt: skip
def test_a_mix_hides_nothing_of_a_whole_group_from_the_audit(
    mixed: str, lies: list[Any], why: str
) -> None:
    """Behind the mix its author does not know which is which either, but all of them together."""
    fold, mix = mixable(), MIXED[mixed]
    orders = [march(fold, "A", "N-G", "0101") if each == "gun" else each for each in lies]
    steps = changed(honest(fold, "A", mix, HALT), "orders", lambda step: given(mix, *orders))
    found = audited_as_liar(tried(fold, "A", steps), "A")
    assert found.code == "E-AUDIT" and found.entry == len(fold.entries)
    assert words(found.causes[0].message) == why


def test_a_zone_that_is_said_and_is_not_there_is_found_when_the_stack_is_shown() -> None:
    """A says that gun and sappers have a zone. Both are shown: the second showing is false."""
    fold = mixable()
    steps = honest(fold, "A", HALT)
    lie = changed(steps, "orders", lambda step: given({"halt": {"zones": ["0101", "0201"]}}))
    fold = tried(fold, "A", lie)
    gun, sappers = tag(fold, "A", "N-G"), tag(fold, "A", "N-S")
    position = fold.in_play.state.position
    assert position.down.said("zone 0201") is True
    half = fold.in_play.learn({gun: "N-G"})
    assert half.misfit(sappers, "N-F1") == "", "with a foot in it, it would be true"
    assert "is not true" in words(half.misfit(sappers, "N-S"))


def test_a_zone_that_is_said_and_is_not_there_is_found_by_the_audit() -> None:
    fold = placed()
    lone = [*head(fold, "A"), given(HALT | {"halt": {"zones": ["0301"]}})]
    assert known(fold, "A").face(known(fold, "A").at("0301")[0]) == "N-S", "sappers have none"
    found = audited_as_liar(tried(fold, "A", lone), "A")
    assert found.code == "E-AUDIT" and found.entry == len(fold.entries)
    why = "no hidden counter of yours in 0301 can have a zone"
    assert words(found.causes[0].message) == why


def fired_at() -> Fold:
    """B's gun fires at two foot of A, which lie face down: A has to say how many points they have,
    and sappers of B stand next to them.
    """
    rows = [["N-F1", "0101"], ["N-F2", "0101"], ["N-G", "0201"], ["N-S", "0201"]]
    fold = write(begun(), "A", {"place": {"units": rows}})
    rows = [["S-F1", "0404"], ["S-F2", "0304"], ["S-G", "0104"], ["S-S", "0104"]]
    fold = write(fold, "B", {"place": {"units": rows}})
    for player in "AB":
        fold = write(fold, player, {"ambush": {"at": []}})
    gun = {"march": {"unit": "S-G", "path": ["0103"]}}
    sappers = {"march": {"unit": "S-S", "path": ["0103", "0102"]}}
    fold = write(fold, "A", HALT)
    while not (fold.pen == "B" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    fold = write(fold, "B", gun, sappers, HALT)
    while not (fold.pen == "B" and fold.owed[0].code == "answer"):
        fold = write(fold, str(fold.pen))
    return write(fold, "B", {"fire": {"unit": "S-G", "at": "0101"}})


def counted(points: str) -> Steps:
    """What A writes who is fired at, with this class of points."""
    fold = fired_at()
    said = {"count": {"points": points}}
    return changed(honest(fold, "A"), "fact", lambda step: {**step, "order": said})


def test_what_is_only_said_costs_no_mail_and_is_said_by_the_program() -> None:
    """A beacon is locked over it, and it stays open behind what is said: the shot falls with it."""
    fold = fired_at()
    assert fold.locked is not None and fold.pen == "A"
    assert honest(fold, "A") == [reveal(fold, "A", fold.locked), *counted("3+")[1:]]
    after = write(fold, "A")
    assert after.in_play.state.position.fought == {"S-G"}, "it is fired"
    assert after.pen == "B" and after.owed[0].code == "answer"


def test_what_is_only_said_is_left_out_or_said_unasked() -> None:
    fold = fired_at()
    found = refused(fold, "A", counted("3+")[:1])
    assert (found.code, found.rule) == ("E-POLICY", "R4")
    assert words(found.message) == "ends without fact count"
    found = refused(placed(), "A", [*head(placed(), "A"), *counted("3+")[1:]])
    assert (found.code, words(found.message)) == ("E-POLICY", "no fact is owed")
    others = changed(counted("3+"), "fact", lambda step: {**step, "order": HALT})
    assert refused(fold, "A", others).code == "E-ORDER"


def test_a_class_of_points_that_no_counters_have_is_refused_at_once() -> None:
    found = refused(fired_at(), "A", counted("4+"))
    assert (found.code, found.rule) == ("E-ORDER", "counters face down")
    assert words(found.causes[0].message) == "what lies in 0101 cannot have 4+ points"


def another_class() -> Fold:
    """A has said that two foot, of four points, have two at most, with the die in sight: a gun hits
    them less easily.
    """
    fold = tried(fired_at(), "A", counted("2-"))
    assert fold.in_play.state.position.troops("0101") == "2-", "sappers could lie there"
    return fold


def shown_whole() -> tuple[Fold, Steps]:
    """B attacks that stack, and A shows it."""
    fold = write(another_class(), "B", {"attack": {"hex": "0101", "units": ["S-S"]}})
    assert fold.locked is not None
    shown = [opening(fold, "A", tag(another_class(), "A", piece)) for piece in ("N-F1", "N-F2")]
    return fold, [reveal(fold, "A", fold.locked), *shown]


def test_another_class_of_points_is_found_when_the_stack_is_shown_whole() -> None:
    fold, shown = shown_whole()
    found = refused(fold, "A", shown)
    assert found.code == "E-PIECE" and found.step == 2, "with sappers beside it, it would be true"
    assert words(found.message).endswith("is not true: their points together are 2-")
    with pytest.raises(FileRefused) as own:
        write(fold, "A")
    assert own.value.code == "E-PIECE" and "offer a take-back" in words(own.value.hint)
    assert "resign" in words(own.value.hint), "that can be written all the same"
    other = FileRefused("E-ORDER", found.message)
    assert draft._with_a_way_out(other) is other


def test_another_class_of_points_is_found_by_the_audit() -> None:
    found = audited_as_liar(another_class(), "A")
    assert found.code == "E-AUDIT" and found.entry == len(another_class().entries) - 1
    assert words(found.causes[0].message) == "what lies in 0101 cannot have 2- points"


def test_the_journal_alone_shows_that_what_was_said_is_not_so() -> None:
    """Whoever remembers the journal of a game without lists plays it no second time."""
    honestly = tried(fired_at(), "A", counted("3+"))
    for fold, is_so in ((honestly, True), (another_class(), False)):
        every = ([line for line in each if not isinstance(line, ListSealed)]
                 for each in fold.journal)  # fmt: skip
        told = [*filter(None, every)]  # of an entry without a line, nothing is remembered
        assert stands(told, "A", [secrets(fold, "A").game]) is is_so
        assert stands(told, "B", [secrets(fold, "B").game]), "what the other said is not theirs"


def test_who_says_nothing_has_what_is_worst() -> None:
    """A changed program may leave the zone out: then the enemy walks by, as by no zone."""
    fold, up = begun(), {"N-F1": "0102", "N-F2": "0201", "N-G": "0101", "N-S": "0301"}
    rows = sorted([tag(fold, "A", piece), hex] for piece, hex in up.items())
    place = given({"place": {"units": rows, "zones": []}})
    position = tried(fold, "A", [*head(fold, "A"), place]).in_play.state.position
    assert known(fold, "A").face(tag(fold, "A", "N-F1")) == "N-F1", "a foot has a zone"
    assert not position.has_zone("0102") and position.troops("0102") == "3+"
    assert not position.zone_of(position.side_of(rows[0][0]))


def test_a_stack_above_its_limit_is_found_by_the_audit() -> None:
    """All counters of A in one hex: that counts faces, so nobody else can judge it."""
    fold = begun()
    rows = sorted([tag(fold, "A", piece), "0101"] for piece in ("N-F1", "N-F2", "N-G", "N-S"))
    steps = [*head(fold, "A"), given({"place": {"units": rows, "zones": []}})]
    found = audited_as_liar(tried(fold, "A", steps), "A")
    assert found.code == "E-AUDIT" and found.entry == len(fold.entries)
    assert words(found.causes[0].message) == "0101 would hold more than 5 points"


def audited_as_liar(fold: Fold, player: str) -> FileRefused:
    """Why the audit of a player is refused, when the other resigns."""
    fold = write(fold, "B", resign=True)
    return refused(fold, player, [audit(fold, player)])


def test_a_zone_said_of_one_tag_cuts_its_field_down() -> None:
    fold = placed()
    steps = [
        *head(fold, "A"),
        given(march(fold, "A", "N-G", "0102"), {"halt": {"zones": ["0301"]}}),
    ]
    after = tried(fold, "A", steps)
    sappers = tag(fold, "A", "N-S")
    assert "N-S" not in after.in_play.state.position.down.may_be(sappers)
    assert "cannot have done" in words(after.in_play.misfit(sappers, "N-S"))
