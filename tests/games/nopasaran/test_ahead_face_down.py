"""2.6, 5.1: orders given ahead that what their author hides might make illegal lapse, in every view
alike; so an honest player passes the audit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Order, Outcome, Stage, State
from pbem.engine.policies import reading, sealing
from pbem.gamefile.journal import Lapsed, Ordered
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.options import ATTACK_INTO_ZONES, INTERDICT_EACH_HEX, MOSTLY_ROAD
from pbem.games.nopasaran.policies.facts import NEXT
from pbem.games.nopasaran.policies.table import TABLE
from pbem.games.nopasaran.position import (
    ATTACKS,
    ELIMINATED,
    FACE_DOWN,
    Interdiction,
    March,
    Position,
)
from pbem.games.nopasaran.rules import cover, factors, movement
from pbem.games.nopasaran.stages.activation import Acting, Activating, Beginning, Going, Settling
from pbem.games.nopasaran.stages.cover import Muster
from pbem.games.nopasaran.stages.day import Building
from pbem.games.nopasaran.tables import WITHOUT
from pbem.messages import words
from pbem.text.source import Source
from pbem.text.yamlsource import read
from pbem.value import replace
from tests.conftest import FUZZ
from tests.games.nopasaran.ahead import tried_in_a_game
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.face_down import GAME
from tests.games.nopasaran.mails import IN_CLEAR, Writer
from tests.games.nopasaran.table import SMALL, N, R, start
from tests.games.nopasaran.test_papers import written as listed
from tests.games.nopasaran.test_said_ahead import answer

MAY_NOT = "might not be able to do this"


def hiding(may: Mapping[str, str], *options: str, **changes: Any) -> Position:
    """The bridge as the battle begins, as its Nationalist player sees it, with some of their units
    face down: by unit what both know that it may be.
    """
    position = start(SMALL, *options, **changes)
    units = tuple(sorted(may))
    tags = {unit: f"n/1/{at}" for at, unit in enumerate(units)}
    down = position.down.lay("n", N, 1, units).known_too({tags[unit]: unit for unit in units})
    for unit in units:
        down = down.replaced((tags[unit],), may[unit].split())
    stacks = {hex: tuple(tags.get(unit, unit) for unit in those)
              for hex, those in position.stacks.items()}  # fmt: skip
    return position.but(
        down=down, stacks=stacks, away={**position.away, **dict.fromkeys(units, FACE_DOWN)},
        options=frozenset(options),
    )  # fmt: skip


def at(position: Position, *agenda: Stage[Position]) -> State[Position]:
    """The game as its Nationalist player sees it, before the last of some stages."""
    return State(position, agenda)


def activating(position: Position) -> State[Position]:
    return at(position, Activating(N))


def acting(position: Position, **what: str) -> State[Position]:
    """The activation of the regiment in front, or of something else."""
    order = replace(o.Activate(), **(what or {"formation": "N-R5"}))
    event = Beginning(N, order).event(position.veiled(None))
    return at(event.apply(position), Settling(N), Acting(N))


def worded(state: State[Position], order: Order, *before: Order) -> Any:
    """The order as it is written behind dice, and behind others in the same file."""
    later = State(state.position, (*state.agenda, Muster()))
    return GAME.hidden.worded(later, N, order, (*before, order))


def lapses(state: State[Position], written: Order) -> list[str]:
    """Why it lapses by a doubt; in every view the same."""
    public = State(state.position.veiled(None), state.agenda)
    found = [GAME.hidden.doubts(each, written) for each in (state, public)]
    assert found[0] == found[1]
    return [words(each.message) for each in found[0]]


def in_truth(state: State[Position], written: Order) -> list[str]:
    """What an audit finds, which knows all that its author hides."""
    closed = GAME.hidden.shows(state, N, written)
    return [*closed, *(words(each.message) for each in kernel.violations(state, written))]


def doubts(state: State[Position], order: Order, *before: Order) -> list[str]:
    """Why an order lapses that is written ahead; if it does not, an audit finds nothing."""
    written = worded(state, order, *before)
    found = lapses(state, written)
    assert found or not in_truth(state, written)
    return found


def tag(position: Position, unit: str) -> str:
    return position.down.tag(unit, position.hexes)


# ------------------------------------------------------------------- moves

CEUTA, LEGION, TANKS, ANTITANK = "N-ACeu/5", "N-2Leg/5", "N-Pz-1", "N-AT-III"
"""In G11, from the top: two battalions of a regiment, and vehicles of its brigade."""
TIRADORES = "N-1TirIf/5"
"""A battalion of the same regiment in G12, above engineers."""
BATTALIONS = {CEUTA: f"{CEUTA} {LEGION}", LEGION: f"{CEUTA} {LEGION}"}
BACK = o.Move((CEUTA,), ("G10",))


@pytest.mark.rule("2.6", "10")
def test_a_move_lapses_that_not_every_unit_could_make_which_a_counter_may_be() -> None:
    assert doubts(acting(hiding(BATTALIONS)), BACK) == []
    others = acting(hiding({CEUTA: f"{CEUTA} {ANTITANK}"}))
    (why,) = doubts(others, BACK)
    assert MAY_NOT in why and in_truth(others, worded(others, BACK)) == [], "a doubt is no fault"
    assert doubts(others, o.Move((LEGION,), ("G10",))) == [], "who goes lies open"


def with_points(state: State[Position], unit: str, left: int) -> State[Position]:
    """So many half points are left to a unit."""
    position, name = state.position, tag(state.position, unit)
    points = factors.allowance(position.seen(N), unit) - left
    if name == unit:
        return State(position.but(spent={**position.spent, unit: points}), state.agenda)
    spent_as = {**position.spent_as, name: {unit: points}}
    return State(position.but(spent_as=spent_as), state.agenda)


def cost(state: State[Position], unit: str, *path: str) -> int:
    """What a path costs as both know, in half points."""
    position = state.position.veiled(None)
    found = movement.path_cost(position, (unit,), unit, (position.at(unit), *path))
    assert found is not None
    return found


@pytest.mark.rule("10.p8", "2.6")
def test_a_move_lapses_for_what_may_lie_on_its_way() -> None:
    """Five troop points in G11 cost four half points more; both see none of them."""
    state = acting(hiding(BATTALIONS, lost={CEUTA: 3}))
    there, seen = o.Move((TIRADORES,), ("G11",)), cost(state, TIRADORES, "G11")
    state = walked(state, TIRADORES)
    for left, number in ((seen, 1), (seen + 3, 1), (seen + 4, 0)):
        ready = with_points(state, TIRADORES, left)
        assert len(doubts(ready, there)) == len(in_truth(ready, worded(ready, there))) == number
    small = walked(acting(hiding({TANKS: TANKS}, lost={CEUTA: 3})), TIRADORES)
    clear = with_points(small, TIRADORES, cost(small, TIRADORES, "G11"))
    assert doubts(clear, there) == []
    one = walked(acting(hiding({TIRADORES: TIRADORES}), division="N-III"), TANKS)
    one = with_points(one, TANKS, cost(one, TANKS, "G12"))
    assert doubts(one, o.Move((TANKS,), ("G12",))) == [], "one troop point pays for no stack"


@pytest.mark.rule("8.p3", "2.6")
def test_a_move_lapses_that_might_end_in_a_hex_too_full_of_counters_face_down() -> None:
    """G11 holds ten troop points with all that stand there."""
    there = o.Move((TIRADORES,), ("G11",))
    for lost, why in ((3, []), (2, ["G11 might hold too many troop points"])):
        state = acting(hiding(BATTALIONS, lost={CEUTA: lost}))
        assert doubts(state, there) == why
        assert len(in_truth(state, worded(state, there))) == len(why)
    one = acting(hiding({LEGION: f"{LEGION} {ANTITANK}"}, lost={CEUTA: 2}))
    (doubt,) = GAME.hidden.doubts(one, worded(one, there))
    assert doubt.rule == "8.p3", "the largest that it may be counts"
    assert doubts(acting(hiding({})), there) == [], "what both see is cleared at the end"


@pytest.mark.rule("10.p4", "10.p8", "2.6")
def test_friends_bar_the_road_but_not_those_who_went_along() -> None:
    """Cavalry in I08 goes to I09 by road: past others who lie there, or with them and back."""
    one, other = "N-Cab-2", "N-Cab-3"
    for there, path, going, number in (
        ("I09", ("I09",), (one,), 1), ("I08", ("I09", "I08"), (one, other), 0),
    ):  # fmt: skip
        stacks = {**start(SMALL).stacks, "I08": (one,), there: (other,)}
        del stacks["J08"]
        if there == "I08":
            stacks["I08"] = one, other
        state = acting(hiding({other: other}, stacks=stacks), formation="N-CAB")
        state = walked(walked(state, one), other)
        state = with_points(state, one, cost(state, one, *path))
        assert len(doubts(state, o.Move(going, path))) == number


@pytest.mark.rule("J.3", "2.6")
def test_who_is_left_behind_charges_goes_on_by_what_both_know() -> None:
    """Nothing is ordered any more: every view has to do the same."""
    state = walked(acting(hiding(BATTALIONS)), TIRADORES)
    ready = with_points(state, TIRADORES, cost(state, TIRADORES, "G11"))
    going = Going(N, o.Move((TIRADORES,), ("G11",)), "B-PIN")
    assert going.run(ready.position) == going.run(ready.position.veiled(None)) != Outcome()


@pytest.mark.rule("10.p8", "2.6")
def test_who_goes_along_may_make_it_dearer() -> None:
    """One troop point alone never pays for a stack; two together do."""
    vehicles = {TANKS: TANKS, ANTITANK: ANTITANK}
    for going, number in ((tuple(vehicles), 2), ((TANKS,), 0)):
        state = acting(hiding(vehicles), division="N-III")
        move = o.Move(going, ("G12",))
        for unit in vehicles:
            state = walked(state, unit)
        for unit in vehicles:
            needs = cost(acting(hiding({}), division="N-III"), unit, "G12")
            state = with_points(state, unit, needs)
        assert len(doubts(state, move)) == number


@pytest.mark.rule("10.1", "2.6")
def test_the_least_move_is_for_those_who_have_all_not_moved() -> None:
    """Tanks without supply have no points; a battalion that has walked goes along."""
    position = hiding({CEUTA: CEUTA}, base={"N-III-NTD": WITHOUT})
    for walked_too, number in ((False, 0), (True, 1)):
        state = acting(position, division="N-III")
        assert not factors.allowance(state.position, TANKS)
        if walked_too:
            state = walked(state, CEUTA)
        assert len(doubts(state, o.Move((TANKS, CEUTA), ("G10",)))) == number


def walked(state: State[Position], unit: str) -> State[Position]:
    """A unit has moved today."""
    position = state.position
    there = position.walked | {tag(position, unit)}
    return State(position.but(walked=there), state.agenda)


@pytest.mark.rule("10.p4", "2.6")
def test_a_counter_face_down_keeps_to_the_roads_that_it_has_used() -> None:
    one, other, road = "N-Cab-2", "N-Cab-3", ("I09", "H08", "G08")
    stacks = {**start(SMALL).stacks, "I08": (one, other)}
    del stacks["J08"]
    position = hiding({one: f"{one} {other}"}, MOSTLY_ROAD, stacks=stacks)
    state = acting(position, formation="N-CAB")
    gone = kernel.submit(state, worded(state, o.Move((one,), road))).state
    assert gone.position.cycle.marched == {tag(position, one): 1}, "friends are in H08"
    for view, rule in ((None, "2.6"), (N, "10.p4")):
        seen = State(gone.position.veiled(view), gone.agenda)
        for path, rules in ((("G07",), [rule]), (("F07", "G07"), [])):
            order = o.Move((one if view else tag(position, one),), path)
            assert [each.rule for each in kernel.violations(seen, order)] == rules, (view, path)


@pytest.mark.rule("7.3.1", "10.p4")
@pytest.mark.parametrize(
    ("options", "factor", "needs", "most"),
    [((), 1, 4, 4), ((MOSTLY_ROAD,), 1, 4, 6), ((INTERDICT_EACH_HEX,), 2, 8, 10)],
)
def test_interdiction_and_roads_are_reckoned_at_their_dearest(
    options: tuple[str, ...], factor: int, needs: int, most: int
) -> None:
    """Two hexes by road to a marker: who might go along could keep others from the cheaper way."""
    one, other, path = "N-Cab-2", "N-Cab-3", ("I09", "I10")
    marker = {"I10": (Interdiction(R, factor, "R-SB-1"),)}
    stacks = {**start(SMALL).stacks, "I08": (one, other)}
    del stacks["J08"]
    for hidden, going, left, number in (
        ({}, (one,), needs, 0), ({one: one}, (one,), needs, 0),
        ({}, (one, other), needs, 0), ({other: other}, (one, other), most, 0),
        ({other: other}, (one, other), most - 1, 1),
    ):  # fmt: skip
        position = hiding(hidden, *options, interdicted=marker, stacks=stacks)
        state = walked(walked(acting(position, formation="N-CAB"), one), other)
        if other in going:
            state = with_points(state, other, most)
        state = with_points(state, one, left)
        assert len(doubts(state, o.Move(going, path))) == number


@pytest.mark.rule("6.2.p5", "7.3.1", "2.6")
def test_the_march_of_a_counter_face_down_is_kept_for_each_unit_that_it_may_be() -> None:
    one, other = "N-Cab-2", "N-Cab-3"
    marker = {"I10": (Interdiction(R, 2, "R-SB-1"),)}
    stacks = {**start(SMALL).stacks, "I08": (one, other)}
    del stacks["J08"]
    position = hiding({one: f"{one} {other}"}, interdicted=marker, stacks=stacks)
    state, name = acting(position, formation="N-CAB"), tag(position, one)
    there = kernel.submit(state, worded(state, o.Move((one,), ("I09", "I10")))).state
    march = March("normal", frozenset({"R-SB-1"}))
    assert there.position.cycle.marches_as == {name: {one: march, other: march}}
    assert there.position.cycle.marches == {}
    known = there.position.seen(N)
    assert (known.cycle.marches, known.cycle.marches_as) == ({one: march}, {})
    spent = there.position.spent_as[name]
    back = kernel.submit(there, worded(there, o.Move((one,), ("I09",)))).state.position
    assert {unit: cost - spent[unit] for unit, cost in back.spent_as[name].items()} == {
        one: 1, other: 1}, "by road, and nothing for the marker"  # fmt: skip
    # An order ahead reckons with what is paid, too.
    few = with_points(State(there.position.but(spent_as={}), there.agenda), one, 1)
    assert doubts(few, o.Move((one,), ("I09",))) == []
    # They are judged apart if their marches differ.
    apart = replace(there.position.cycle, marches_as={name: {one: march, other: March("none")}})

    def is_normal(supposed: Position, piece: str) -> bool:
        return supposed.cycle.marches[piece].level == "normal"

    assert cover.who_could(there.position.but(cycle=apart), name, is_normal) == (one,)


# ------------------------------------------------------------------- activations


@pytest.mark.rule("5.4.1", "5.5")
def test_an_activation_says_who_acts_in_it_and_lapses_when_they_are_gone() -> None:
    state = activating(hiding(BATTALIONS))
    order = o.Activate(formation="N-R5")
    written = worded(state, order)
    assert written.acts == TIRADORES, "one that lies open"
    assert lapses(state, written) == in_truth(state, written) == []
    acted = State(state.position.but(acted=frozenset({TIRADORES})), state.agenda)
    (why,) = lapses(acted, written)
    assert why.startswith("nobody might be left who acts with") and "N-R5" in why
    assert in_truth(acted, written) == [], "only both together know that"
    used = worded(state, order, o.Move((TIRADORES, "N-CG-R5"), ("G11",)))
    assert used.acts == tag(state.position, LEGION), "who is left, by the tag"
    assert worded(state, order, order, o.Move((TIRADORES,), ("G11",))).acts == TIRADORES
    first = o.Activate(formation="N-CAB")
    for given, acts in (((), ""), ((order,), ""), ((first, order), TIRADORES)):
        found: Any = GAME.hidden.worded(state, N, order, given)
        assert found.acts == acts, "of what is asked nothing is said"
    empty = acting(hiding(BATTALIONS))
    assert worded(empty, o.Activate(formation="N-CAB")).acts == "N-CG-CAB"


@pytest.mark.rule("5.4.1")
def test_who_is_said_to_act_is_owed_until_they_are_seen() -> None:
    """An audit alone could refute it, so nobody is accused by what is shown."""
    position = hiding(BATTALIONS)
    order, legion = o.Activate(formation="N-R5", told=True), tag(position, LEGION)
    for acts, is_owed in ((legion, True), (TIRADORES, False), ("", False)):
        public = State(position.veiled(None), (Activating(N),))
        after = kernel.submit(public, replace(order, acts=acts)).state
        told = [words(each.what) for each in GAME.pieces.said(after.position, N)]
        assert told == ["it acts with Regimiento 5 (III Brigada) (N-R5)"] * is_owed
        assert not GAME.pieces.misfit(after, legion, LEGION)
        assert not after.position.down.open(legion, LEGION, (*after.position.hexes,)).earlier


@pytest.mark.rule("5.4.1")
def test_an_activation_of_nobody_lapses() -> None:
    """All that are left of the regiment may lie in G11, and are of the other one in truth."""
    others = "N-2Alh/6", "N-2Mel/6"
    position = hiding(dict.fromkeys(others, f"{others[0]} {others[1]} {CEUTA}"))
    state = activating(without(position, TIRADORES, LEGION, CEUTA, "N-CG-R5"))
    order = o.Activate(formation="N-R5")
    assert worded(state, order).acts == "" and len(doubts(state, order)) == 1
    whole = activating(position)
    wrong = replace(worded(whole, order), acts=tag(position, others[0]))
    assert lapses(whole, wrong) == [] and "does not act in it" in in_truth(whole, wrong)[0]
    false = replace(order, told=True, acts=tag(position, others[0]))
    assert lapses(state, false) == [] and in_truth(state, false) != []
    assert lapses(state, replace(order, told=True)) != [], "nothing is said"


@pytest.mark.rule("5.4.1.1", "6.4")
def test_a_division_is_activated_by_somebody_in_command_whoever_they_are() -> None:
    """In G11 lie tanks of the brigade, or a battalion of a regiment that nobody commands."""
    both = {TANKS: f"{TANKS} {CEUTA}", CEUTA: f"{TANKS} {CEUTA}"}
    order = o.Activate(division="N-III")
    for gone, number in (((), 0), (("N-CG-R5",), 1)):
        state = activating(without(hiding(both), *gone))
        written = replace(worded(state, order), acts=tag(state.position, TANKS))
        assert len(lapses(state, written)) == number and in_truth(state, written) == []


def without(position: Position, *units: str) -> Position:
    """The position without units that lie open."""
    stacks = {hex: left for hex, those in position.stacks.items()
              if (left := tuple(unit for unit in those if unit not in units))}  # fmt: skip
    return position.but(stacks=stacks, away={**position.away, **dict.fromkeys(units, ELIMINATED)})


@pytest.mark.rule("3.2.p3", "5.4.1")
def test_support_troops_face_down_are_activated_if_their_player_says_so() -> None:
    state = activating(hiding({ANTITANK: f"{ANTITANK} {CEUTA}", CEUTA: f"{ANTITANK} {CEUTA}"}))
    written = worded(state, o.Activate(unit=ANTITANK))
    assert written.acts == written.unit == tag(state.position, ANTITANK)
    assert lapses(state, written) == in_truth(state, written) == []
    unvouched = replace(written, told=False)
    for order, left in ((written, (ANTITANK,)), (unvouched, (CEUTA, ANTITANK))):
        after = kernel.submit(state, order).state.position
        assert after.may_be(order.unit) == left, "who acts by itself is of no regiment"
        assert [words(each.what) for each in GAME.pieces.said(after, N)] == ["it acts by itself"]
    wrong = worded(state, o.Activate(unit=CEUTA))
    assert wrong.acts == "" and lapses(state, wrong) != [] and in_truth(state, wrong) != []
    assert doubts(state, o.Activate(unit=TANKS)) == [], "of whom both know"


def test_a_counter_that_cannot_be_activated_is_refused_in_words() -> None:
    state = activating(hiding({CEUTA: CEUTA}))
    done = State(state.position.but(acted=frozenset({tag(state.position, CEUTA)})), state.agenda)
    public = State(done.position.veiled(None), done.agenda)
    order = o.Activate(unit=tag(state.position, CEUTA))
    assert [words(each.message) for each in kernel.violations(public, order)] != []


# ------------------------------------------------------------------- lists


@pytest.mark.rule("5.1", "5.5.p2")
def test_who_acts_with_others_does_not_act_and_an_order_for_them_tells_both() -> None:
    """Only its author knows that a battalion acts with the other regiment today."""
    state = acting(listed(hiding({}), "assign_n", [CEUTA, "N-R6"]))
    (slot,) = GAME.hidden.shows(state, N, BACK)
    assert slot == "assign_n/3/0"
    for order in (
        o.Attack("G13", {"G11": (CEUTA,)}), o.Scout(CEUTA, "G13"), o.Arrive((CEUTA,), "G11"),
        o.Engineer(CEUTA, "repair"), o.Consolidate(CEUTA, LEGION),
    ):  # fmt: skip
        assert GAME.hidden.shows(state, N, order) == (slot,), order.verb
    assert GAME.hidden.shows(state, N, o.Move((LEGION,), ("G10",))) == ()
    known = kernel.learn(state, GAME.hidden.openings(state.position, {slot: f'["{CEUTA}","N-R6"]'}))
    cycles = known.state.position.cycle, state.position.cycle
    assert cycles[0].able == cycles[1].able - {CEUTA}  # type: ignore[union-attr]
    assert lapses(known.state, BACK) == in_truth(known.state, BACK) != []


@pytest.mark.rule("5.1")
def test_a_counter_of_which_it_is_told_that_it_acts_with_others_acts_no_more() -> None:
    state = acting(hiding(BATTALIONS))
    name = tag(state.position, CEUTA)
    paper = listed(state.position, "assign_n", [name, "N-R6"])
    assert name in paper.may_act
    asked = State(paper, state.agenda)
    assert GAME.hidden.shows(asked, N, o.Move((name,), ("G10",))) == ("assign_n/3/0",)
    told = kernel.learn(State(paper, state.agenda), GAME.hidden.openings(
        paper, {"assign_n/3/0": f'["{name}","N-R6"]'}))  # fmt: skip
    assert name not in told.state.position.may_act
    assert tag(paper, LEGION) in told.state.position.may_act


# ------------------------------------------------------------------- all else


@pytest.mark.rule("8.p6")
def test_a_stack_is_put_in_order_under_one_of_which_its_player_says_that_it_attacks() -> None:
    both = f"{CEUTA} {ANTITANK}"
    state = acting(hiding({CEUTA: both, ANTITANK: both}))
    order = o.Arrange("G11", (CEUTA, LEGION, TANKS, ANTITANK))
    written = worded(state, order)
    assert written.attacks and lapses(state, written) == in_truth(state, written) == []
    assert len(lapses(state, replace(written, attacks=False))) == 1
    false = worded(state, o.Arrange("G11", (ANTITANK, LEGION, TANKS, CEUTA)))
    assert not false.attacks and len(lapses(state, false)) == 1
    assert "cannot attack" in in_truth(state, replace(false, attacks=True))[0]
    gun = acting(hiding({"N-Art105-III": f"N-Art105-III {CEUTA}"}), division="N-III")
    assert doubts(gun, o.Arrange("H09", ("N-Art105-III", "N-CG-R6", "N-Pont-1"))) == []
    assert not worded(state, o.Arrange("G11", (LEGION, CEUTA, TANKS, ANTITANK))).attacks
    assert doubts(state, o.Arrange("G11", (LEGION, CEUTA, TANKS, ANTITANK))) == []


@pytest.mark.rule("8.p6")
def test_who_is_said_to_attack_on_top_is_nobody_else_and_it_is_owed_until_they_are_seen() -> None:
    both = f"{CEUTA} {ANTITANK}"
    state = acting(hiding({CEUTA: both, ANTITANK: both}))
    order = worded(state, o.Arrange("G11", (ANTITANK, LEGION, TANKS, CEUTA)))
    top = order.units[0]
    for said in (False, True):
        public = State(state.position.veiled(None), state.agenda)
        after = kernel.submit(public, replace(order, attacks=said)).state
        assert bool(GAME.pieces.misfit(after, top, ANTITANK)) is said
        told = [words(each.what) for each in GAME.pieces.said(after.position, N)]
        assert ("it can attack" in told) is said
        shown = after.position.down.open(top, CEUTA, (*after.position.hexes,))
        assert ATTACKS not in {fact.about for fact in shown.earlier}


@pytest.mark.rule("20.7")
def test_works_are_built_by_those_who_surely_can() -> None:
    for may, number in ((CEUTA, 0), (f"{CEUTA} {ANTITANK}", 1)):
        position = hiding({CEUTA: may, LEGION: may}, works={})
        assert len(doubts(at(position, Building(N)), o.Build({"G11": "position"}))) == number


@pytest.mark.rule("9.p2")
def test_attacks_into_zones_lapse_where_hidden_counters_might_make_none() -> None:
    options, said = (ATTACK_INTO_ZONES,), e.ZoneSaid(("n/1/0",), "3 foot")
    attack = o.Attack("G13", {"G12": ("N-Zap-III",)}, support="none")
    for hidden, number in (("N-Zap-III", 0), (TIRADORES, 1)):
        position = said.apply(hiding({hidden: hidden}, *options))
        unit = TIRADORES if hidden != TIRADORES else "N-Zap-III"
        state = acting(position, division="N-III")
        written = worded(state, replace(attack, units={"G12": (unit,)}))
        assert len(lapses(state, written)) == number
    plain = acting(said.apply(hiding({TIRADORES: TIRADORES})), division="N-III")
    assert doubts(plain, attack) == []


@pytest.mark.rule("2.6")
def test_no_counters_are_mixed_ahead() -> None:
    """Who lies there, and what they have lost, may be other by then; so may whether any do."""
    state = activating(hiding({}))
    written = worded(state, o.Mix(("G11",)))
    assert written.zones
    for order in (written, replace(written, zones=())):
        (told,) = lapses(state, order)
        assert told.startswith("counters cannot be mixed behind dice")
    assert GAME.hidden.doubts(activating(start(SMALL)), o.Mix(("G11",))) == ()


@pytest.mark.rule("2.6")
def test_what_both_see_to_be_illegal_lapses_for_that_in_every_view() -> None:
    state = acting(hiding(BATTALIONS))
    far = o.Move((CEUTA,), ("G10", "G09", "G08", "G07", "G06", "G05"))
    assert lapses(state, worded(state, far)) != []
    open_table = acting(start(SMALL))
    assert GAME.hidden.doubts(open_table, far) == ()


@pytest.mark.rule("2.6")
def test_a_path_may_begin_where_a_counter_lies() -> None:
    state = acting(hiding(BATTALIONS))
    assert doubts(state, o.Move((CEUTA,), ("G11", "G10"))) == []


@pytest.mark.rule("2.6")
def test_guns_face_down_that_have_moved_may_be_mixed_as_both_see_it() -> None:
    gun, below = "N-Art75-III", "N-2Alh/6"
    stacks = {
        **start(SMALL).stacks,
        "H10": ("N-SFrn/6", gun, below),
        "H11": ("N-2Mel/6", "N-CG-R5"),
    }
    position = hiding(dict.fromkeys((gun, below), f"{gun} {below}"), stacks=stacks)
    state = activating(position.but(spent_as={tag(position, gun): {gun: 4}}))
    assert in_truth(state, GAME.hidden.worded(state, N, o.Mix(("H10",)))) == []


@pytest.mark.rule("20.9")
def test_no_engineer_is_shown_to_help_where_one_helps_that_both_know() -> None:
    """Across the river between G12 and G13, whose bridge is gone, with one on each side of it."""
    stacks = {**start(SMALL).stacks, "G13": ("N-Pont-1",), "H09": ("N-CG-R6", "N-Art105-III")}
    broken = {"bridges": {"B-PIN": "destroyed"}, "stacks": stacks, "day": 2}
    for hidden, number in (({"N-Zap-III": "N-Zap-III"}, 0),
                           ({"N-Zap-III": "N-Zap-III", "N-Pont-1": "N-Pont-1"}, 1)):  # fmt: skip
        state = acting(hiding(hidden, **broken))
        move = worded(state, o.Move((TIRADORES,), ("G13",)))
        assert len(GAME.hidden.shows(state, N, move)) == number
        assert (lapses(state, move) == []) == (number == 0)
    # Who goes itself does not help, and is not shown for it.
    itself = worded(state, o.Move(("N-Zap-III",), ("G13",)))
    (slot,) = GAME.hidden.shows(state, N, itself)
    assert state.position.face(slot) == "N-Pont-1"


@pytest.mark.rule("2.6", "20.3", "20.4")
def test_who_works_at_roads_and_rails_on_the_way_is_shown() -> None:
    state = acting(hiding({"N-Zap-III": "N-Zap-III"}, roads={"G11": "damaged"}))
    for repair, number in ((("G11",), 1), ((), 0)):
        move = worded(state, o.Move(("N-Zap-III",), ("G11",), repair=repair))
        assert len(GAME.hidden.shows(state, N, move)) == number


# ------------------------------------------------------------------- sealed activations

LIST = "activations: [activate: {formation: N-R5}, move: {units: [N-1TirIf/5], path: [G11]}, done]"


@pytest.mark.rule("5.4.1", "2.6")
def test_a_sealed_list_says_who_acts_and_stops_at_what_is_in_doubt() -> None:
    position = hiding(BATTALIONS, lost={CEUTA: 3})
    state = activating(position)
    names = GAME.names(state, N, None, answering=False)
    written = reading.bound(TABLE, names, read(Source("standing.yaml", LIST)).value)
    (part,) = [each for each in sealing.parts(TABLE, position, N, written) if each["doc"]]
    assert part["doc"][NEXT][0] == {"activate": {"formation": "N-R5", "acts": TIRADORES}}
    assert sealing.written(TABLE, position, N, (part,)) == written
    order = answer(state, part)
    assert order == o.Activate(formation="N-R5", acts=TIRADORES)
    for name, said in (("told", True), ("told", False), ("zones", [])):
        # What a program says with an order says nothing in a list, and would skip a question.
        verb = "move" if name == "zones" else "activate"
        lines = [{key: {**each, name: said} if key == verb else each
                  for key, each in line.items()} for line in part["doc"][NEXT]]  # fmt: skip
        (fault,) = sealing.misfits(TABLE, position, N, NEXT, part["scope"], None, {NEXT: lines})
        assert fault.at == ("doc", NEXT, int(verb == "move"), verb, name)
        assert words(fault.message).startswith(f"{name} cannot be in standing orders")
        assert answer(state, {**part, "doc": {NEXT: lines}}) is None, "sealed it answers nothing"
    for unit, begins in ((TIRADORES, False), (LEGION, True)):
        acted = position.but(acted=frozenset({tag(position, unit)}))
        assert (answer(activating(acted), part) is not None) is begins
    going = walked(acting(position), TIRADORES)
    needs = cost(going, TIRADORES, "G11")
    for left, moves in ((needs + 4, True), (needs, False)):
        found = answer(with_points(going, TIRADORES, left), part)
        assert found == (o.Move((TIRADORES,), ("G11",)) if moves else o.Done())


@pytest.mark.rule("5.4.1", "6.6", "2.6")
def test_nobody_is_said_to_act_whose_assignment_only_their_player_knows() -> None:
    """A battery that is lent in secret would be refused by everybody else."""
    position = hiding(dict.fromkeys((TIRADORES, LEGION, CEUTA), f"{TIRADORES} {LEGION} {CEUTA}"))
    lent = listed(position, "assign_n", ["N-Art75-III", "N-R5"])
    assert lent.seen(N).assigned == {"N-Art75-III": "N-R5"} != lent.assigned
    order = o.Activate(formation="N-R5")
    assert worded(activating(lent), order) == worded(activating(position), order)
    assert lapses(activating(lent), worded(activating(lent), order)) == []


# ------------------------------------------------------------------- random games


@pytest.mark.parametrize("seed", range(1, 1 + FUZZ))
def test_nobody_is_accused_for_what_they_have_written_ahead(seed: int) -> None:
    found = tried_in_a_game(SMALL, seed, practice=bool(seed % 2))
    becomes = Counter[str]()
    for (_, what), number in found.items():
        becomes[what] += number
    assert becomes["carried out"] > 100 and becomes["rightly"] + becomes["in vain"] > 5


# ------------------------------------------------------------------- by mail


def test_a_battle_by_mail_in_which_such_orders_lapse_passes_its_audit() -> None:
    """A march past counters that lie face down; without a doubt it was carried out and found."""
    seats = Seats("bridge 19", is_open=False)
    writer = Writer(seats, IN_CLEAR)
    while seats.fold.phase == "running":
        writer.mail()
    while seats.fold.pen is not None and len(seats.fold.machine.hidden.audited) < 2:
        seats.mail()
    assert {*seats.fold.machine.hidden.audited} == {"A", "B"}
    lapsed = [each for each in seats.fold.told() if isinstance(each, Lapsed)]
    assert any(MAY_NOT in words(problem.message) for each in lapsed for problem in each.problems)
    done = [each.order["activate"] for each in seats.fold.told()
            if isinstance(each, Ordered) and "activate" in each.order]  # fmt: skip
    assert any("acts" in each for each in done) and any("acts" not in each for each in done)
