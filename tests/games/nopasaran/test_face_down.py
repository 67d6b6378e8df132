"""2.6: counters face down: both players and an audit see one game, and nobody is stuck in it."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, Order, State, Unfolding
from pbem.engine.policies import answering, sealing
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.events import placed
from pbem.games.nopasaran.options import FIRE_AT_ALL_MISSIONS
from pbem.games.nopasaran.orders import (
    ALL,
    Activate,
    Arrange,
    Arrive,
    Attack,
    Bombard,
    Displace,
    Mask,
    Mix,
    Move,
    Retreat,
    SayZones,
    Unmask,
    Withdraw,
    Zone,
)
from pbem.games.nopasaran.position import BOMB, CAS, COMING, INT, RECO, Combat, Mission, Position
from pbem.games.nopasaran.rules import activation, air, artillery, cover, hiding, zones
from pbem.games.nopasaran.rules.cover import said_of_mix
from pbem.games.nopasaran.rules.retreat import is_barred_to_armour
from pbem.games.nopasaran.stages.activation import Activating, Beginning, Displacing, go, hides
from pbem.games.nopasaran.stages.combat import (
    FiringAtAircraft,
    Retreating,
    SupportWatched,
    Withdrawing,
)
from pbem.games.nopasaran.stages.cover import NamingGuns
from pbem.games.nopasaran.stages.day import FlightWatched
from pbem.games.nopasaran.stages.fire import Countering
from pbem.games.nopasaran.stages.reports import IfUnsaid, SayingZones
from pbem.messages import say
from pbem.orders.parse import parse
from pbem.orders.spelling import spelt, unspelt
from pbem.play.prepare import prepare
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.value import replace
from tests.conftest import FUZZ
from tests.games.nopasaran.face_down import GAME, FaceDownGame, playout, turned_down
from tests.games.nopasaran.table import (
    Faces,
    N,
    R,
    closed,
    faults,
    in_command,
    rules_broken,
    state_of,
    table,
    tables,
)

STACK = "N-2Leg/5 N-1TirIf/5 N-Zap-III N-CG-R5"
"""Two battalions, engineers and their headquarters."""


def stacked(units: str = STACK, **changes: Any) -> Position:
    """A battle with one stack, and an enemy far away."""
    return in_command(closed(table({"G05": units, "G18": "R-1/17"}, **changes)))


def asked(position: Position, *orders: Order) -> State[Position]:
    """The Nationalist side has the initiative, and gives these orders."""
    state = State(position, (Activating(N),))
    for order in orders:
        state = kernel.submit(state, order).state
    return state


def why(position: Position, order: Order) -> list[str]:
    """The rules that an order breaks."""
    return [rule for rule, _ in faults(asked(position), order)]


@pytest.mark.rule("2.6", "8.p5")
def test_the_counters_below_the_top_one_are_mixed_and_nobody_knows_which_is_which() -> None:
    position = asked(stacked(), Mix(ALL)).position
    top, first, second, headquarters = position.stacks["G05"]
    assert (top, headquarters) == ("N-2Leg/5", "N-CG-R5"), "the top and headquarters stay in view"
    assert (first, second) == ("n/1/0", "n/1/1")
    assert (
        set(position.may_be(first)) == {"N-1TirIf/5", "N-Zap-III"} == set(position.may_be(second))
    )
    assert position.printed(first).side == N and not position.printed(first).name
    assert {first, second} <= position.acted, "they do nothing more today"
    assert why(position, Mix(ALL)) == ["2.6"], "once a day"


@pytest.mark.rule("2.6.p3")
def test_marks_lie_under_the_counters_and_come_with_whoever_is_shown() -> None:
    marks = {"demoralised": frozenset({"N-1TirIf/5"}), "lost": {"N-1TirIf/5": 1}}
    position = asked(stacked(**marks), Mix(ALL)).position
    assert position.lost == {"N-1TirIf/5": 1}, "both know who was weakened, not where it lies"
    shown = e.CounterShown(N, "n/1/1", "N-1TirIf/5").apply(position)
    assert shown.at("N-1TirIf/5") == "G05" and shown.troops("N-1TirIf/5") == (
        shown.printed("N-1TirIf/5").troops - 1
    )
    assert set(shown.may_be("n/1/0")) == {"N-Zap-III"}


@pytest.mark.rule("2.6")
@pytest.mark.parametrize(
    "changes",
    [
        {"disorganised": frozenset({"N-1TirIf/5"})},
        {"pontoons": {"N-Zap-III": "G05/G06"}},
        {"day": 7},
    ],
)
def test_who_is_seen_for_what_it_does_or_is_does_not_hide(changes: dict[str, Any]) -> None:
    assert why(stacked(**changes), Mix(ALL)) == ["2.6"]
    assert why(stacked(), Mix(ALL)) == []
    assert why(stacked("N-2Leg/5 N-1TirIf/5 N-CG-R5"), Mix(("G05",))) == ["2.6"], "one alone"
    assert why(stacked(STACK + " N-8Leg/7"), Mix(ALL)) == ["2.6"], "a hex to be cleared"


@pytest.mark.rule("8.p3")
def test_nobody_ends_where_those_mixed_today_leave_no_room() -> None:
    """Nobody could show them, so neither marches nor reinforcements overfill their hex."""
    entry, late = "K01", "N-CrRey/1"
    before = in_command(closed(table({entry: STACK, "K03": "N-Zap-I", "G18": "R-1/17"})))
    position = asked(before, Mix(ALL)).position
    position = position.but(away={**position.away, late: COMING})
    position = in_command(placed(position, ("N-8Leg/7",), "K02"))
    state = state_of(position, N, "N-8Leg/7", "N-Zap-I", late)
    assert rules_broken(state, Move(("N-8Leg/7",), (entry,))) == ["8.p3"]
    assert rules_broken(state, Arrive((late,), entry)) == ["8.p3"]
    assert not rules_broken(state, Move(("N-Zap-I",), ("K02", entry))), "up to ten there is room"


@pytest.mark.rule("8", "15.C")
def test_nobody_falls_back_where_those_mixed_today_leave_no_room() -> None:
    """They count together in the view of whoever knows them, and questions come in every view."""
    foot, horse, tanks, end = "N-8Leg/7", "N-Cab-1", "N-Pz-1 N-Pz-2 N-Pz-3", ("K01",)
    shut = {"J01": "R-1/17", "J02": "R-2/17", "K03": "R-3/17", "L01": "R-1/19", "L02": "R-2/19"}
    before = in_command(closed(table({"K01": f"{STACK} N-Zap-II", "K02": foot, **shut})))
    mixed = asked(before, Mix(ALL)).position
    tags, below = mixed.tags_at("K01"), ("N-1TirIf/5", "N-Zap-III", "N-Zap-II")
    known = mixed.but(down=mixed.down.supposing(dict(zip(tags, below, strict=True))))
    # One has gone elsewhere since, so their enemy does not know which are mixed again.
    apart = placed(known.but(mixed=frozenset()), tags[2:], "A01")
    again = e.CountersMixed(N, (tags[:2],)).apply(apart)

    def state(stage: Any, units: str, *, open: bool, both: bool = False) -> State[Position]:
        there = tuple(units.split())
        fight = Combat(R, "K02", "regular", ("R-3/17",), {"K03": ("R-3/17",)}, there)
        stacks = {**again.stacks, "K02": there}
        for hex in ("J01", "J02", "L01", "L02") if open else ():
            del stacks[hex]
        now = again.but(stacks=stacks, combat=fight)
        return State(in_command(now.veiled(None) if both else now), (stage,))

    crowd = f"{foot} N-1Mel/7 N-ACeu/5"
    for stage, paths, there, open, rule in (
        (Retreating(N, (foot,), 1), {foot: end}, foot, False, "15.C"),
        (Retreating(N, ("N-Zap-I",), 1), {"N-Zap-I": end}, "N-Zap-I", False, ""),
        (Retreating(N, tuple(tanks.split()), 1), dict.fromkeys(tanks.split(), end), tanks, False,
         "15.C"),
        (Withdrawing(N, "K02"), {horse: end}, horse, False, "15.C"),
        (Withdrawing(N, "K02"), {"N-Pz-1": end}, "N-Pz-1", False, ""),
        (Withdrawing(N, "K02"), dict.fromkeys(tanks.split(), end), tanks, False, "15.C"),
        (Displacing(N, "K02"), {foot: end}, crowd, True, "15.C"),
        (Displacing(N, "K02"), dict.fromkeys(tanks.split(), end), f"{crowd} {tanks}", True, "8"),
    ):  # fmt: skip
        now = state(stage, there, open=open)
        wanted = kernel.waits_for(now)
        both_know = kernel.waits_for(state(stage, there, open=open, both=True))
        assert isinstance(wanted, Decision) and isinstance(both_know, Decision)
        assert wanted.prompt == both_know.prompt, "a question comes in every view"
        (option,) = wanted.options
        order = option.order(paths)
        wrong = kernel.violations(now, order)
        assert (rule in [each.rule for each in wrong]) if rule else not wrong, paths
        if len(paths) == 1:
            assert not any("K01" in str(each.hint) for each in wrong)
        for offered in (wanted.default, *(each.order for each in option.examples(list))):
            assert offered is not None and not rules_broken(now, offered), offered


@pytest.mark.rule("2.6")
def test_guns_that_have_fired_stay_in_view() -> None:
    units = "N-2Leg/5 N-1TirIf/5 N-Art75-III"
    assert why(stacked(units), Mix(ALL)) == []
    assert why(stacked(units, spent={"N-Art75-III": 8}), Mix(ALL)) == ["2.6"]


@pytest.mark.rule("9")
def test_what_is_said_of_mixed_counters_gives_them_their_zone() -> None:
    """Without a word they have none; a lie is refused by its author's own view."""
    before = stacked("N-Zap-III N-2Leg/5 N-1TirIf/5")
    silent = e.CountersMixed(N, (("N-2Leg/5", "N-1TirIf/5"),)).apply(before)
    assert not zones.reached(silent, "G05")
    (said,) = said_of_mix(before, N, Mix(ALL))
    assert said.zone == "3 foot"
    told = e.ZoneSaid(said.units, said.zone).apply(silent)
    assert set(zones.reached(told, "G05")) == set(zones.reached(before, "G05"))
    lie = Mix(ALL, (type(said)(said.units, "0 none"),))
    assert why(before, lie) == ["2.6"]


@pytest.mark.rule("9.p6")
@pytest.mark.parametrize(
    ("below", "comes_to", "goes_in"),
    [("R-Zap-1 R-77/12", "2 engineers", False), ("R-1/19 R-Zap-1", "3 foot", True)],
)
def test_engineers_face_down_have_no_zone_in_a_town(below, comes_to, goes_in) -> None:
    """Only infantry and cavalry have."""
    before, group = closed(table({"C13": f"R-T26-1 {below}"})), tuple(below.split())
    (said,) = said_of_mix(before, R, Mix(ALL))
    assert said.zone == comes_to
    mixed = e.CountersMixed(R, (group,)).apply(before)
    told = zones.reached(e.ZoneSaid(said.units, said.zone).apply(mixed), "C13")
    assert {*told} == {*zones.reached(before, "C13")}
    assert ("B13" in told) is goes_in


@pytest.mark.rule("5.6", "9")
def test_counters_face_down_take_hexes_if_an_attacker_is_said_to_be_among_them() -> None:
    units = "N-2Leg/5 N-1TirIf/5 N-Art75-III N-CG-R5"
    below = {"n/1/0": "N-1TirIf/5", "n/1/1": "N-Art75-III"}
    mixed = e.CountersMixed(N, (("N-1TirIf/5", "N-Art75-III"),)).apply(stacked(units))
    known = mixed.but(down=mixed.down.supposing(below), control={**mixed.control, "G06": R},
                      acted=frozenset(), mixed=frozenset())  # fmt: skip
    begun = asked(known, Activate(formation="N-R5"))

    def taken(*tags: str, is_said: bool = True) -> bool:
        order = cover.worded(begun.position, N, Move(tags, ("G06",)))
        story = Unfolding(begun.position)
        go(story, N, order if is_said else replace(order, zones=()))
        return story.position.control["G06"] == N

    assert taken("n/1/0") and taken("n/1/0", "n/1/1") and not taken("n/1/1")
    assert not taken("n/1/0", is_said=False), "without a word nobody knows that one is among them"
    told = e.ZoneSaid(("n/1/0",), "3 foot").apply(known)
    assert zones.has_attackers(told, ("n/1/0",)) and not zones.has_attackers(told, ("n/1/1",))
    assert zones.has_attackers(told, ("n/1/1", "N-2Leg/5"))
    many = e.ZoneSaid(("n/1/2", "n/1/10"), "3 foot").apply(known)
    assert zones.has_attackers(many, ("n/1/10", "n/1/2")), "by their numbers, not as words"


@pytest.mark.rule("8.p6")
def test_who_puts_a_stack_in_order_names_counters_mixed_today_by_where_they_lie() -> None:
    """They do not know yet which is which, and nothing else may be ordered of them."""
    state = State(asked(stacked(), Mix(ALL)).position, (Activating(N),))
    known, moving = (GAME.names(state, N, order, answering=False) for order in (Arrange, Move))
    order = Arrange("G05", ("n/1/0", "N-2Leg/5", "n/1/1", "N-CG-R5"))
    written = spelt(order, known)
    assert isinstance(written, Arrange) and written.units == (
        "a counter in G05", "N-2Leg/5", "a counter in G05 (2)", "N-CG-R5")  # fmt: skip
    assert unspelt(written, known) == order
    assert moving.find("unit", "a counter in G05") is None


@pytest.mark.rule("8.p6")
def test_counters_that_an_order_of_the_same_mail_mixes_can_be_named_behind_it() -> None:
    seats = Table(GAME, {"A": N, "B": R}, asked(stacked()))
    stack = "N-2Leg/5, a counter in G05 (2), a counter in G05, N-CG-R5"

    def read(*lines: str) -> Table:
        text = "orders:\n" + "".join(f"  - {line}\n" for line in lines)
        return prepare(parse(Source("orders.yaml", text), GAME.verbs), seats, "A").table

    mix, activate = "mix: {at: all}", "activate: {formation: N-R5}"
    arrange = f"arrange: {{hex: G05, units: [{stack}]}}"
    stacks = read(mix, activate, arrange).state.position.stacks
    assert stacks["G05"] == ("N-2Leg/5", "n/1/1", "n/1/0", "N-CG-R5")
    for spoilt in ((activate, arrange), (mix, activate, arrange.replace("(2)", "(3)"))):
        with pytest.raises(Refused, match="no unit is named 'a counter in G05"):
            read(*spoilt)


@pytest.mark.rule("2.6")
def test_nobody_is_named_who_may_be_any_of_those_mixed_today() -> None:
    """One of two counters was mixed with a third: its owner knows the other one still."""
    stacks = {"G05": "N-2Leg/5 N-1TirIf/5 N-ACeu/5 N-CG-R5", "G07": "N-2Alh/6 N-Zap-II",
              "G09": "N-SFrn/6 N-2Mel/6 N-Esc-III", "G18": "R-1/17"}  # fmt: skip
    groups = (("N-1TirIf/5", "N-ACeu/5"), ("N-2Mel/6", "N-Esc-III"))
    mixed = e.CountersMixed(N, groups).apply(in_command(closed(table(stacks))))
    faces = dict(zip(mixed.tags_of(N), (unit for group in groups for unit in group), strict=True))
    known = mixed.but(down=mixed.down.supposing(faces), acted=frozenset(), mixed=frozenset())
    apart = in_command(placed(known, ("n/1/1",), "G07"))
    begun = asked(apart, Mix(("G07",)), Activate(formation="N-R5"))
    both_know = State(begun.position.veiled(None), begun.agenda)
    told = "until the evening nobody knows which counter it is"

    def refused(state: State[Position], unit: str) -> bool:
        return any(why.endswith(told) for _, why in faults(state, Move((unit,), ("G06",))))

    assert not rules_broken(begun, Move(("N-1TirIf/5",), ("G06",)))
    assert not rules_broken(both_know, Move(("n/1/0",), ("G06",)))
    assert refused(begun, "N-ACeu/5")
    for unit, is_one in (("N-1TirIf/5", True), ("N-ACeu/5", True), ("N-2Mel/6", False)):
        assert refused(both_know, unit) is is_one, unit


@pytest.mark.rule("9")
def test_what_is_said_of_counters_that_are_mixed_again_is_no_less_than_what_was_said() -> None:
    """Also where one joins them that lay open. A march says nothing of those who lie elsewhere."""
    before = stacked("N-8Leg/7 N-1TirIf/5 N-Zap-III")
    known = e.CountersMixed(N, (("N-1TirIf/5", "N-Zap-III"),)).apply(before)
    known = known.but(acted=frozenset(), mixed=frozenset())
    known = e.ZoneSaid(("n/1/0",), "3 foot").apply(placed(known, ("N-Zap-I",), "G05"))
    apart = placed(known, ("n/1/1",), "G07")
    assert apart.stacks["G05"][1:] == ("n/1/0", "N-Zap-I")
    less = Zone(("n/1/0",), "1 engineers")
    for said, rules in (("3 foot", []), ("2 engineers", ["2.6"])):
        mix = Mix(("G05",), (Zone(("n/2/0", "n/2/1"), said),))
        assert why(in_command(apart), mix) == rules, said
    for position, rules in ((known, ["2.6"]), (apart, [])):
        begun = asked(in_command(position), Activate(formation="N-R5"))
        march = Move(("n/1/1",), ("G06",), zones=(less,))
        assert rules_broken(begun, march) == rules


@pytest.mark.rule("9")
def test_a_march_says_nothing_of_counters_that_have_left_before_it() -> None:
    """Two orders of a mail are written before either is carried out: each says what was so then of
    the counters that stay behind, and only the first leaves any behind.
    """
    below = {"n/1/0": "N-1TirIf/5", "n/1/1": "N-2Leg/5"}
    mixed = e.CountersMixed(N, (("N-1TirIf/5", "N-2Leg/5"),)).apply(
        stacked("N-2Leg/5 N-1TirIf/5 N-Art75-III N-CG-R5")
    )
    known = mixed.but(down=mixed.down.supposing(below), acted=frozenset(), mixed=frozenset())
    begun = asked(known, Activate(formation="N-R5"))
    first, then = (cover.worded(begun.position, N, Move((tag,), ("G06",))) for tag in below)
    assert [said.units for said in then.zones] == [("n/1/1",), ("n/1/0",)]
    gone = kernel.submit(begun, first)
    assert not rules_broken(gone.state, then)
    for step, tags in ((gone, below), (kernel.submit(gone.state, then), ["n/1/1"])):
        said = [event.units for event in step.events if isinstance(event, e.ZoneSaid)]
        assert said == [(tag,) for tag in tags]


@pytest.mark.rule("3.2.p3", "5.4.1")
def test_a_formation_is_activated_for_its_counters_face_down_alone() -> None:
    mixed = e.CountersMixed(N, (("N-1TirIf/5", "N-Zap-III"),)).apply(stacked(f"{STACK} N-CG-III"))
    seen = frozenset({"N-2Leg/5", "N-CG-R5", "N-CG-III"})
    rested = in_command(mixed.but(acted=seen, mixed=frozenset()))
    for position, can_act in ((rested, True), (rested.but(acted=seen | {"n/1/0", "n/1/1"}), False)):
        assert activation.can_activate_formation(position, "N-R5") is can_act
        assert activation.can_activate_division(in_command(position), "N-III") is can_act
    lent = rested.but(assigned={"n/1/0": "N-R6"})
    assert activation.acts_with(lent, "N-Zap-III", "n/1/0") == "N-R6"
    assert activation.acts_with(lent, "N-Zap-III", "n/1/1") == "N-Zap-III"


@pytest.mark.rule("18")
def test_a_force_marker_lies_where_own_units_are_out_of_enemy_zones() -> None:
    position = stacked()
    assert why(position, Mask(("G05",))) == []
    for hexes in (("G06",), ("G18",), ("G05", "G05"), ()):
        assert why(position, Mask(hexes)) == ["18"], hexes
    near = closed(table({"G05": STACK, "G06": "R-1/17 R-2/17"}))
    assert zones.in_enemy_zone(near, "G05", N) and why(near, Mask(("G05",))) == ["18"]
    alone = closed(table({"G05": "N-CG-R5", "G18": "R-1/17"}))
    assert why(alone, Mask(("G05",))) == ["18"], "a marker needs a troop point"
    full = position.but(masks=dict.fromkeys(tuple(f"A{n:02}" for n in range(1, 13)), N))
    assert hiding.markers(full) == 12 and why(full, Mask(("G05",))) == ["18"]
    one_left = position.but(masks={"G05": N, "A01": R})
    for each, left in ((full, 0), (one_left, 11)):
        notes = [option.note for option in hides(each, N)]
        assert say("force markers that you have left: {left}", left=left) in notes
    theirs = position.but(masks=dict.fromkeys(tuple(f"A{n:02}" for n in range(1, 13)), R))
    assert why(theirs, Mask(("G05",))) == []
    small = closed(table({"G05": STACK}, scenario="jarama_pindoque"))
    assert hiding.markers(small) == 2


@pytest.mark.rule("2.6.1", "18.p3")
def test_under_a_force_marker_the_top_counter_hides_too_and_it_goes_when_all_are_gone() -> None:
    position = asked(stacked("N-2Leg/5 N-1TirIf/5"), Mask(("G05",)), Mix(ALL)).position
    assert position.masks == {"G05": N} and all(map(is_tag, position.stacks["G05"]))
    for tag, unit in zip(position.stacks["G05"], ("N-1TirIf/5", "N-2Leg/5"), strict=True):
        position = e.CounterShown(N, tag, unit).apply(position)
    one = e.UnitsMoved(("N-2Leg/5",), ("G06",), {}, "G05").apply(position)
    assert one.masks == {"G05": N}
    both = e.UnitsMoved(("N-1TirIf/5",), ("G06",), {}, "G05").apply(one)
    assert both.masks == {}, "it never moves"


@pytest.mark.rule("2.6")
@pytest.mark.parametrize(
    "seed, practice", [(seed, practice) for seed in range(FUZZ) for practice in (False, True)]
)
def test_every_view_of_a_game_agrees_on_the_public_state(seed: int, practice: bool) -> None:
    """Each order is judged by its author, by both, and with all faces known; each post is compared.
    What was said and what was moved is true of whoever is shown.
    """
    most = 0
    for game in playout("jarama_pindoque", seed, all_hidden=True, practice=practice, eager=8):
        most = max(most, sum(map(is_tag, game.state.position.hexes)))
    assert game.state.position.result is not None
    assert most > 20, "a game in which little is hidden shows nothing"


@pytest.mark.rule("5.4.1", "3.2.p3", "2.6")
def test_a_counter_that_is_activated_by_itself_acts_if_it_is_one_of_support_troops() -> None:
    """As the battalion that it may be, too, it would act with its regiment."""
    mixed = e.CountersMixed(N, (("N-1TirIf/5", "N-Zap-III"),)).apply(stacked())
    covered = mixed.but(acted=frozenset(), mixed=frozenset())
    begun = Beginning(N, Activate(unit="n/1/0")).run(covered)
    acting = in_command(begun.events[0].apply(covered))
    for piece, rules in (("N-Zap-III", []), ("N-1TirIf/5", ["5.4.1"])):
        shown = in_command(e.CounterShown(N, "n/1/0", piece).apply(acting))
        state = State(shown, begun.then[::-1])
        assert rules_broken(state, Move((piece,), ("G06",))) == rules
    story = Unfolding(acting)
    go(story, N, Move(("n/1/0",), ("G06",)))
    assert {*story.position.spent_as["n/1/0"]} == {"N-Zap-III"}


@pytest.mark.rule("12.2", "2.6")
def test_antitank_guns_face_down_keep_no_tank_away() -> None:
    """Nobody knows of them; once they are seen they do."""
    there = {"G12": "N-2Leg/5 N-AT-III", "G14": "R-T26-1"}
    position = in_command(table(there).but(options=frozenset()))
    down = position.down.lay("n", "nationalist", 1, ("N-AT-III",))  # type: ignore[arg-type]
    hidden = position.but(down=down, away={**position.away, "N-AT-III": "face down"},
                          stacks={**position.stacks, "G12": ("N-2Leg/5", "n/1/0")})  # fmt: skip
    for each, is_barred in ((position, True), (in_command(hidden), False)):
        assert is_barred_to_armour(each, "R-T26-1", "G13") is is_barred


@pytest.mark.rule("9")
def test_what_is_left_of_counters_of_which_something_was_said_is_said_anew() -> None:
    """One of them has lost points or is gone: the others keep their zone, and nobody waits."""
    before = stacked("N-Zap-III N-2Leg/5 N-1TirIf/5 N-Art75-III")
    hidden = ("N-2Leg/5", "N-1TirIf/5", "N-Art75-III")
    mixed = e.CountersMixed(N, (hidden,)).apply(before)
    faces = {f"n/1/{at}": unit for at, unit in enumerate(sorted(hidden))}
    known = mixed.but(down=mixed.down.supposing(faces), acted=frozenset(), mixed=frozenset())
    told = e.ZoneSaid((*faces,), "3 foot").apply(known)
    tag = next(tag for tag, unit in faces.items() if unit == "N-Art75-III")
    shown = e.CounterShown(N, tag, "N-Art75-III").apply(told)
    assert [*cover.unsaid(told, N)] == [*cover.unsaid(shown, N)] == []
    hit = e.TroopsLost("N-Art75-III", 2).apply(shown)
    left = tuple(each for each in faces if each != tag)
    assert [*cover.unsaid(hit, N)] == [left] and not zones.reached(hit, "G05")
    agenda = IfUnsaid().run(hit).then
    assert agenda == (SayingZones(N),) and IfUnsaid().run(told).then == ()
    decision = agenda[0].ask(hit)
    assert decision.only_says and decision.default == SayZones((Zone(left, "3 foot"),))
    for view, wrong in ((hit, "0 none"), (hit.veiled(None), "3 vehicles")):
        said = SayZones((Zone(left, wrong),))
        assert [each.rule or "2.6" for each in agenda[0].check(view, said)]
    part = SayZones((Zone(left[:1], "3 foot"),))
    assert [each.rule for each in agenda[0].check(hit, part)] == ["9"]
    (event,) = agenda[0].resolve(hit, decision.default).events
    assert {*zones.reached(event.apply(hit), "G05")} == {*zones.reached(before, "G05")}
    assert [*cover.unsaid(hit.but(mixed=frozenset(left)), N)] == [], (
        "nobody knows yet which is which"
    )
    many = tuple(tables().units_of[N])[-11:]
    crowd = e.CountersMixed(N, (many,)).apply(stacked(" ".join(("N-CG-R5", *many))))
    tags = tuple(f"n/1/{at}" for at in range(11))
    assert [*cover.unsaid(crowd.but(mixed=frozenset()), N)] == [tags], "by their numbers"


@pytest.mark.rule("9", "5.5")
@pytest.mark.parametrize(("die", "loses"), [(1, True), (3, False)])
def test_what_a_combat_leaves_unsaid_is_said_at_once(die: int, *, loses: bool) -> None:
    """An attacker that was shown has lost a point: what was said of the others with it is over."""
    hidden = ("N-2Leg/5", "N-1TirIf/5", "N-Art75-III")
    before = closed(table({"J13": " ".join(("N-Zap-III", *hidden)), "J14": "R-1/48"}))
    mixed = e.CountersMixed(N, (hidden,)).apply(before)
    tags = mixed.tags_of(N)
    told = e.ZoneSaid(tags, "3 foot").apply(mixed.but(acted=frozenset(), mixed=frozenset()))
    state = state_of(told, N)
    acting = in_command(state.position.but(may_act=dict.fromkeys(tags, hidden)))
    faces = dict(zip(tags, hidden, strict=True))
    game = FaceDownGame(State(acting, state.agenda), random.Random(2), faces)
    game.order(Attack("J14", {"J13": ("N-2Leg/5",)}, support="none", advance="none"))
    asked_for = []
    while (wanted := game.asked) is not None:
        if isinstance(wanted, Chance):
            game.roll(Faces([die] * len(wanted.draws)))
            continue
        asked_for.append(wanted.stage)
        if wanted.stage == "action":
            break
        if not game.answers_by_itself(wanted):
            game.order(wanted.default)
    assert ("N-2Leg/5" in game.state.position.lost) is loses
    assert asked_for == (["lead", "zones", "action"] if loses else ["lead", "action"])


@pytest.mark.rule("11.3", "2.6")
def test_standing_orders_answer_no_guns_where_only_guns_face_down_could() -> None:
    """Whoever may have guns there is asked; what both know has nothing to answer with."""
    there = {"K12": "N-2Leg/5 N-Art75-II N-1TirIf/5", "K13": "R-1/23 R-75"}
    mixed = e.CountersMixed(N, (("N-Art75-II", "N-1TirIf/5"),)).apply(closed(table(there)))
    position = mixed.but(acted=frozenset(), mixed=frozenset())
    state = State(position, (Countering(N, ("K13",)),))
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and asked.policy == "counterbattery"
    assert (
        answering.answer(GAME.policies, state, asked, {"counterbattery": "always"}) == asked.default
    )


@pytest.mark.rule("2.6", "7.4", "11.3", "12.4")
def test_standing_orders_show_counters_that_fire_of_those_whom_they_name() -> None:
    """Batteries, and who else fires at aircraft if they say so; nobody who cannot fire."""
    gun, battalion, other = "N-Art75-II", "N-ACeu/5", "N-2Alh/6"
    there = {"K12": f"N-1TirIf/5 {gun} {battalion} {other}", "K13": "R-75"}
    covered, faces = turned_down(closed(table(there)), random.Random(1), tops=False)
    state = State(in_command(covered), (Countering(N, ("K13",)),))
    game = FaceDownGame(state, random.Random(2), faces)
    own = game.view(N).position
    tags = {own.face(tag): tag for tag in own.tags_of(N)}
    for document, named in (
        ({"support": "all"}, {gun}), ({"retreat": ["road"]}, {gun}), ({"works": "position"}, set()),
        ({"antiaircraft": "none"}, {gun}), ({"antiaircraft": "all"}, {gun, battalion}),
    ):  # fmt: skip
        claims = dict(GAME.policies.claims(own, N, document))
        assert claims == {tags[unit]: unit for unit in named}, document
    (part,) = sealing.parts(GAME.policies, own, N, {"counterbattery": "always"})
    wanted = kernel.waits_for(state)
    assert isinstance(wanted, Decision)
    assert answering.shows(GAME.policies, state, wanted, part["doc"]) == (tags[gun],)


FULL = ("R-AMarty/12", "R-Dmbrwsk/12", "R-77/12")


def beside_full_hexes(beaten: str) -> tuple[Position, Position]:
    """Beside some units one hex is full with counters face down, and one with others in view, as
    both know it and as the owner does.
    """
    there = {"C12": "N-2Leg/5", "C13": beaten, "C14": " ".join(("R-Cab/12", *FULL)),
             "B13": "R-Garib/12 R-1/17 R-2/17"}  # fmt: skip
    mixed = e.CountersMixed(R, (FULL,)).apply(in_command(closed(table(there))))
    both_know = in_command(mixed.but(acted=frozenset(), mixed=frozenset()))
    faces = {f"r/1/{at}": unit for at, unit in enumerate(FULL)}
    return both_know, both_know.but(down=both_know.down.supposing(faces))


@pytest.mark.rule("15.C", "15.D", "8.p3")
@pytest.mark.parametrize(
    ("beaten", "stage", "order", "instead"),
    [
        ("R-1/19", Retreating(R, ("R-1/19",), 1), Retreat({"R-1/19": ("C14",)}),
         Retreat({"R-1/19": ("B12",)})),
        ("R-T26-1", Withdrawing(R, "C13"), Withdraw({"R-T26-1": ("C14",)}),
         Withdraw({"R-T26-1": ("C14", "C15")})),
        ("R-1/19 R-2/19 R-3/19", Displacing(R, "C13"), Displace({"R-3/19": ("C14",)}),
         Displace({}, {"R-3/19": 2})),
    ],
)  # fmt: skip
def test_a_way_back_ends_where_its_owner_knows_that_there_is_room(
    beaten: str, stage: Any, order: Order, instead: Order
) -> None:
    """As in the open game; others let pass what may be. Given ahead it lapses, and standing orders
    leave it to their author, where only they know.
    """
    both_know, known = beside_full_hexes(beaten)
    assert {each.rule for each in stage.check(known, order)} == {"15.C"}
    assert not [*stage.check(both_know, order)]
    assert not [*stage.check(known, instead)] and not [*stage.check(both_know, instead)]
    ahead = State(both_know, (stage,))
    assert [each.rule for each in GAME.hidden.doubts(ahead, order)] == ["15.C"]
    assert [each.rule for each in GAME.hidden.doubts(ahead, instead)] == ["15.C"]
    if not isinstance(stage, Withdrawing):
        assert stage.ask(known).default == instead
        asked = kernel.waits_for(ahead)
        assert isinstance(asked, Decision) and asked.default == order
        assert answering.answer(GAME.policies, ahead, asked, {}) is None


ENTRY, NEXT = "L22", "L21"
COMES = ("R-1/66",)


@pytest.mark.rule("8.p2", "8.p3")
@pytest.mark.parametrize(("there", "goes_on"), [
    ("R-1/19", False), ("R-1/19 R-2/19", True), ("R-1/19 R-2/19", False),
])  # fmt: skip
def test_reinforcements_may_overfill_their_entry_for_a_while(there: str, *, goes_on: bool) -> None:
    """Counters face down in it are shown if the hex holds too much with them, and only then: so
    both see what has to be cleared, and an audit finds who hides them.
    """
    before = in_command(table({ENTRY: there, "K09": "N-2Leg/5"}, day=2))
    covered, faces = turned_down(closed(before), random.Random(1))
    covered = in_command(covered.but(away={**covered.away, COMES[0]: COMING}))
    game = FaceDownGame(state_of(covered, R, *COMES), random.Random(2), faces)
    overfills, order = len(there.split()) > 1, Arrive(COMES, ENTRY)
    assert len(GAME.hidden.shows(game.view(R), R, order)) == (2 if overfills else 0)
    game.order(order)
    if goes_on:
        game.order(Move(COMES, (NEXT,)))
    while isinstance(wanted := game.asked, Decision) and wanted.stage != "displace":
        game.order(wanted.default)
    assert (wanted is not None) == (overfills and not goes_on)


@pytest.mark.rule("7.4", "11.3", "12.4.p3", "2.6")
def test_counters_face_down_may_be_guns_if_a_unit_could_fire_there_that_they_may_be() -> None:
    """Those that were mixed today fire at nothing, as they cannot be shown."""
    hidden = (("N-Art75-II", "N-1TirIf/5"), ("N-88", "N-2Alh/6"), ("N-ACeu/5", "N-2Leg/5"),
              ("N-AT-III", "N-Zap-III"))  # fmt: skip
    tops = {"K12": "N-8Leg/7", "J10": "N-1Mel/7", "C05": "N-SFrn/6", "G05": "N-2Mel/6"}
    stacks = {hex: " ".join((top, *group)) for (hex, top), group in
              zip(tops.items(), hidden, strict=True)}  # fmt: skip
    today = e.CountersMixed(N, hidden).apply(closed(table(stacks)))
    position = today.but(acted=frozenset(), mixed=frozenset())
    for hex, flak in (("J10", "J10"), ("J11", "J10"), ("J12", ""), ("C05", "C05"), ("C06", ""),
                      ("G05", ""), ("K12", "")):  # fmt: skip
        assert air.could_fire(position, N, (hex,)) == position.tags_at(flak), hex
        assert not air.could_fire(today, N, (hex,))
    for hex, of, could in (
        ("K18", None, True), ("K19", None, False), ("K18", ("N-Art75-II",), True),
        ("K18", ("N-R5",), False), ("K12", ("N-R5",), False), ("K18", ("N-R6",), False),
    ):  # fmt: skip
        assert artillery.may_have_guns_on(position, N, (hex,), of) is could, (hex, of)
        assert not artillery.may_have_guns_on(today, N, (hex,), of)


@pytest.mark.rule("11.3", "20.1", "2.6")
def test_nobody_says_which_counters_are_guns_where_none_can_be() -> None:
    """Nor does anybody wait for their program."""
    for below, is_asked in (("N-1TirIf/5 N-Zap-III", False), ("N-1TirIf/5 N-Art75-II", True)):
        group = tuple(below.split())
        mixed = e.CountersMixed(N, (group,)).apply(stacked(f"N-2Leg/5 {below}"))
        position = mixed.but(acted=frozenset(), mixed=frozenset())
        assert (NamingGuns(N, "G05").ask(position) is not None) is is_asked


@pytest.mark.rule("7.3.3", "7.4")
@pytest.mark.parametrize(
    ("options", "guns", "is_asked"),
    [
        ((FIRE_AT_ALL_MISSIONS,), (), True),
        ((), (), False),
        ((FIRE_AT_ALL_MISSIONS,), ("R-75",), False),
    ],
)
def test_guns_face_down_fire_at_bombers_where_these_are_fired_at(
    options: tuple[str, ...], guns: tuple[str, ...], *, is_asked: bool
) -> None:
    """Not where guns alone bombard them."""
    bomber = next(unit for unit, each in tables().air.items() if each.side == R and each.bombs)
    there = {"J10": "N-88 N-20", "J11": "N-2Leg/5", "J14": "R-1/19 R-75"}
    before = table(there, *options, missions={bomber: Mission(BOMB, "J10")})
    covered, faces = turned_down(closed(before), random.Random(1))
    game = FaceDownGame(state_of(in_command(covered), R), random.Random(2), faces)
    game.order(Bombard("J10", guns, () if guns else (bomber,)))
    asked_for = []
    while isinstance(wanted := game.asked, Decision):
        if not game.answers_by_itself(wanted):
            asked_for.append((wanted.side, wanted.stage))
            game.order(Unmask(air.unseen_guns(game.view(N).position, N, ("J10",))))
    assert asked_for == ([(N, "unmask")] if is_asked else [])
    assert wanted is not None
    fired_at = [draw.label for draw in wanted.draws if draw.label.startswith("antiaircraft")]
    assert fired_at == ([f"antiaircraft/#/{bomber}"] if is_asked else [])


@pytest.mark.rule("7.4", "5.2.2.int", "2.6")
@pytest.mark.parametrize(("mission", "is_asked"), [(INT, True), (RECO, False)])
def test_guns_face_down_may_be_shown_before_a_mission_of_the_morning_is_fired_at(
    mission: str, *, is_asked: bool
) -> None:
    there = {"J10": "N-1TirIf/5 N-88 N-2Alh/6", "J14": "R-1/19"}
    before = table(there, missions={"R-SB-1": Mission(mission, "J10")})
    covered, faces = turned_down(closed(before), random.Random(1), tops=False)
    state = kernel.begin(State(in_command(covered), (FlightWatched(mission),))).state
    game = FaceDownGame(state, random.Random(2), faces)
    wanted = game.asked
    assert (wanted is not None) is is_asked
    if isinstance(wanted, Decision):
        assert (wanted.side, wanted.stage) == (N, "unmask")
        game.order(Unmask(("N-88",)))
        assert air.fire_against(game.state.position, R, ("J10",)) > 0


@pytest.mark.rule("7.4", "12.1.b6", "2.6")
@pytest.mark.parametrize("shows", [True, False])
def test_guns_face_down_fire_at_close_support_if_they_are_shown_before_it(*, shows: bool) -> None:
    there = {"J13": "N-2Mel/6 N-88", "J14": "R-1/19 R-CG-19B"}
    before = table(there, missions={"R-SB-1": Mission(CAS, "R-CG-19B")})
    covered, faces = turned_down(closed(before), random.Random(1), tops=False)
    fight = Combat(R, "J13", "regular", ("R-1/19",), {"J14": ("R-1/19",)}, ("N-2Mel/6",),
                   air=("R-SB-1",))  # fmt: skip
    going = State(covered.but(combat=fight), (FiringAtAircraft(), SupportWatched()))
    game = FaceDownGame(kernel.begin(going).state, random.Random(2), faces)
    wanted = game.asked
    assert isinstance(wanted, Decision) and (wanted.side, wanted.stage) == (N, "unmask")
    order = Unmask(("N-88",) if shows else ())
    tried = kernel.submit(game.view(N), order).state
    game.order(order)
    for fire in (game.asked, kernel.waits_for(tried)):
        assert isinstance(fire, Chance) and len(fire.draws) == shows, "its author sees it, too"


@pytest.mark.rule("20.4", "20.3", "2.6")
def test_counters_face_down_pay_for_a_road_that_is_mended_on_their_way() -> None:
    """As all do who go together, so that whoever is shown has spent what it would have in view."""
    below = ("N-1TirIf/5", "N-2Alh/6")
    open_one = table({"J09": " ".join(("N-2Leg/5", *below, "N-Zap-III")), "G18": "R-1/17"},
                     roads={"J10": "damaged"})  # fmt: skip
    mixed = e.CountersMixed(N, (below,)).apply(closed(open_one))
    covered = mixed.but(acted=frozenset(), mixed=frozenset(),
                        may_act=dict.fromkeys(mixed.tags_of(N), below))  # fmt: skip
    moved = []
    for position, unit in ((open_one, below[0]), (covered, "n/1/0")):
        state = state_of(in_command(position), N)
        acting = in_command(state.position.but(may_act=position.may_act))
        story = Unfolding(acting)
        go(story, N, Move((unit, "N-Zap-III"), ("J10",), repair=("J10",)))
        moved.append(story.position)
    seen, unseen = moved
    assert unseen.spent_as["n/1/0"][below[0]] == seen.spent[below[0]] > 4
