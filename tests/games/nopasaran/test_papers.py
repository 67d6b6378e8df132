"""5.1, 5.2: sealed lists of assignments and missions: what is due when, and what it comes to."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.gamefile import lists
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran import papers
from pbem.games.nopasaran.papers import Paper
from pbem.games.nopasaran.position import Mission, Position
from pbem.games.nopasaran.rules import papers as rules
from pbem.games.nopasaran.stages.activation import Activating
from pbem.games.nopasaran.stages.day import Assigning, Dawn, Planning
from pbem.games.nopasaran.stages.papers import (
    TellingAtDawn,
    TellingMissions,
    TellingWhereAttacked,
    TellingWith,
)
from pbem.messages import words
from pbem.value import replace
from tests.contract.playing import system
from tests.games.nopasaran.table import LARGE, SMALL, N, R, in_command, led, tables
from tests.games.nopasaran.table import start as open_start

GAME = system("nopasaran")
TAG = "n/1/0"


def start(scenario: str, **changes: Any) -> Position:
    """A battle as it begins, with counters that may lie face down."""
    return open_start(scenario, **changes).but(options=frozenset())


def written(position: Position, name: str, *lines: Any, day: int = 0, mix: int = 9) -> Position:
    """The position as the author of a list sees it; lines that are not given are empty."""
    paper = Paper(f"{name}/3", day or position.day, mix)
    size = 32 if name.startswith("assign") else 4
    every = (*lines, *(None,) * (size - len(lines)))
    notes = {f"{paper.slot}/{at}": json.dumps(line) for at, line in enumerate(every)}
    return position.but(papers={**position.papers, name: paper}, notes={**position.notes, **notes})


def told(position: Position, name: str, *lines: Any, **how: Any) -> Position:
    """The position after these lines were told, to somebody who knows no other."""
    paper = Paper(f"{name}/3", how.pop("day", position.day), how.pop("mix", 9))
    position = position.but(papers={name: paper}, **how)
    cards = {f"{paper.slot}/{at}": json.dumps(line) for at, line in enumerate(lines)}
    for event in rules.told(position, cards):
        position = event.apply(position)
    return position


def face_down(position: Position, unit: str, *others: str) -> Position:
    """The position with a Nationalist unit under a tag, as its player sees it."""
    down = position.down.lay("n", N, 1, (unit, *others)).known_too({TAG: unit})
    hex = position.at(unit)
    stack = tuple(TAG if each == unit else each for each in position.stacks[hex])
    away = {**position.away, unit: "face down"}
    return position.but(down=down, away=away, stacks={**position.stacks, hex: stack})


def due(slots: tuple[str, ...]) -> list[int]:
    """The places of slots."""
    return [int(slot.rpartition("/")[2]) for slot in slots]


# ------------------------------------------------------------------- what is written


@pytest.mark.rule("5.1", "5.2.1")
@pytest.mark.parametrize("scenario", [SMALL, LARGE])
@pytest.mark.parametrize("side", [N, R])
def test_the_longest_lists_fit_into_their_boxes(scenario: str, side: Any) -> None:
    """32 assignments with the longest names, a mission for each air unit; tags are shorter."""
    position = start(scenario)
    board = position.board
    unit = max((*board.units_of[side], "n/64/255"), key=len)
    formation = max(board.formations_of[side], key=len)
    assert lists.seal(b"1" * 32, papers.NAMES[side, papers.ASSIGN], 9, [[unit, formation]] * 32)
    lines = rules.lines_of(position, side, Planning(side).ask(position).longest)  # type: ignore[union-attr]
    asked = Planning(side).ask(position)
    assert asked is not None and asked.list is not None and not asked.list.shuffled
    assert len(lines) == asked.list.size == {SMALL: 4, LARGE: 8}[scenario]
    assert None not in lines[: len(position.aircraft(side))]
    assert lists.seal(b"1" * 32, asked.list.name, 9, lines)
    assign = Assigning(side).ask(position).list
    assert assign is not None and (assign.name, assign.size, assign.shuffled) == (
        papers.NAMES[side, papers.ASSIGN], 32, True,
    )  # fmt: skip


@pytest.mark.rule("5.1")
def test_in_the_open_game_both_choices_are_revealed_as_a_whole() -> None:
    position = open_start(SMALL)
    asked = Assigning(N).ask(position), Planning(N).ask(position)
    assert [each.list for each in asked if each is not None] == [None, None]
    state = kernel.begin(GAME.setup(SMALL, frozenset({"open_units"}))).state
    stages = [type(stage).__name__ for stage in state.agenda]
    assert "TellingAtDawn" in stages, "they ask for nothing"
    assert TellingAtDawn(N).ask(position) is None is TellingMissions(N).ask(position)


@pytest.mark.rule("5.1", "6.6")
def test_the_whole_list_is_written_from_yesterdays_and_the_changes() -> None:
    """What was told yesterday still holds for whoever wrote it, though for nobody else."""
    before = face_down(start(LARGE), "N-Zap-III")
    lines = ([TAG, "N-R5"], ["N-2Alh/6", "N-R5"], ["N-Esc-III", "N-R6"])
    yesterday = written(before, "assign_n", *lines)
    yesterday = yesterday.but(told={"assign_n/3/1": '["N-2Alh/6","N-R5"]'})
    position = e.DayBegan(2, "clear").apply(yesterday)
    assert not position.assigned, "lists end with their day"
    assert position.seen(N).assigned == {
        "N-Zap-III": "N-R5", "N-2Alh/6": "N-R5", "N-Esc-III": "N-R6",
    }  # fmt: skip
    order = o.Assign({"N-2Alh/6": o.OWN, "N-Pz-1": "N-R6", "N-Esc-III": "N-R5"})
    found = rules.lines_of(position, N, order)
    assert sorted(filter(None, found)) == [
        ["N-Esc-III", "N-R5"], ["N-Pz-1", "N-R6"], [TAG, "N-R5"],
    ]  # fmt: skip
    assert len(found) == 32
    many = o.Assign(dict.fromkeys([*position.board.units_of[N]][20:52], "N-R5"))
    opened = position.but(options=position.options | {"open_units"})
    (faults,) = [list(rules.fits_its_list(Assigning(N), position, many))]
    assert [each.rule for each in faults] == ["5.1"], "33 with what stands"
    assert not list(rules.fits_its_list(Assigning(N), position, order))
    assert not list(rules.fits_its_list(Assigning(N), opened, many)), "nothing is hidden there"


@pytest.mark.rule("5.1")
@pytest.mark.parametrize(
    ("line", "holds"),
    [
        (["N-Zap-III", "N-R5"], True), ([TAG, "N-R5"], True), (["N-R6", "N-II"], True),
        (["N-II", "DRM"], True), (["N-Zap-III", "N-II-NTD"], True),
        (None, False), ("N-R5", False), (["N-Zap-III"], False), (["N-Zap-III", 5], False),
        (["N-Zap-III", "N-R5", "N-R6"], False), (["N-Zap-III", "N-XX"], False),
        (["N-Zap-III", "R-12BI"], False), (["R-Zap-1", "N-R5"], False), (["X", "N-R5"], False),
        (["N-CG-R5", "N-R5"], False), (["N-Zap-III", "N-III"], False), (["n/2/0", "N-R5"], False),
        (["r/1/0", "N-R5"], False), (["N-R6", "N-R5"], False), (["R-12BI", "N-II"], False),
        (["N-II", "N-III"], False),
    ],
)  # fmt: skip
def test_what_a_line_assigns(line: Any, holds: bool) -> None:
    """A tag of a mix behind the list cannot be on it."""
    found = papers.assignment(tables(), N, Paper("assign_n/3", 4, 1), line)
    assert found == (tuple(line) if holds else ("", ""))


# ------------------------------------------------------------------- who knows what


@pytest.mark.rule("6.6", "5.5.p2")
def test_an_assignment_holds_for_its_author_at_once_and_for_both_once_it_is_told() -> None:
    lines = (["N-Zap-III", "N-R5"], ["N-2Alh/6", "N-R5"])
    position = written(start(SMALL, day=2), "assign_n", *lines)
    assert position.commander("N-Zap-III") == "N-III-NTD" == position.seen(R).commander("N-Zap-III")
    assert position.seen(N).commander("N-Zap-III") == "N-R5"
    (first, *_) = rules.told(position, {"assign_n/3/0": json.dumps(lines[0])})
    after = position
    for event in rules.told(position, {"assign_n/3/0": json.dumps(lines[0])}):
        after = event.apply(after)
    assert isinstance(first, e.LineTold)
    assert after.assigned == {"N-Zap-III": "N-R5"}
    assert after.seen(N).assigned == {"N-Zap-III": "N-R5", "N-2Alh/6": "N-R5"}
    assert position.veiled(R).seen(N).assigned == position.veiled(None).seen(N).assigned == {}
    assert position.veiled(N).seen(N).assigned == position.seen(N).assigned


@pytest.mark.rule("6.6", "5.5.p2")
def test_who_acts_with_another_formation_does_not_act_with_its_own() -> None:
    """Only its player knows, and the audit: to everybody else it could act."""
    position = written(start(SMALL, day=2), "assign_n", ["N-2Alh/6", "N-R5"])
    for name, acts in (("N-R6", False), ("N-R5", True)):
        begun = e.Activated(N, name, ("N-2Alh/6", "N-CG-R6", "N-CG-R5"), ()).apply(position)
        assert begun.cycle is not None and "N-2Alh/6" in begun.cycle.able
        seen = begun.seen(N).cycle
        assert seen is not None and ("N-2Alh/6" in seen.able) is acts
        assert begun.seen(R) is begun or begun.seen(R).cycle == begun.cycle
    alone = e.Activated(N, "N-20", ("N-20",), ()).apply(position).seen(N).cycle
    assert alone is not None and alone.able == {"N-20"}


@pytest.mark.rule("6.4")
def test_an_assignment_by_or_to_a_headquarters_out_of_command_comes_to_nothing() -> None:
    """For its author, too, and on that day alone; it is not written on again."""
    line = ["N-Zap-III", "N-R5"]
    for cut, holds in (("N-R5", False), ("N-III-NTD", False), ("N-R6", True)):
        position = start(SMALL, day=2, unled=(2, frozenset({cut})))
        assert bool(written(position, "assign_n", line).seen(N).assigned) is holds
        assert bool(told(position, "assign_n", line).assigned) is holds
        later = written(position.but(unled=(1, frozenset({cut}))), "assign_n", line)
        assert later.seen(N).assigned
    (_, void) = rules.told(
        written(start(SMALL, day=2, unled=(2, frozenset({"N-R5"}))), "assign_n", line),
        {"assign_n/3/0": json.dumps(line)},
    )
    assert void == e.AssignmentVoided("N-Zap-III", "N-R5")


@pytest.mark.rule("6.4")
def test_who_lends_a_counter_face_down_must_be_in_command_as_its_player_alone_knows() -> None:
    """Such a line is never told; one that was comes to nothing in an audit."""
    hidden, line = face_down(start(SMALL, day=2), "N-Zap-III"), [TAG, "N-R5"]
    for cut, is_kept, is_due in (("N-R6", True, [0]), ("N-III-NTD", False, []),
                                 ("N-R5", False, [0])):  # fmt: skip
        view = written(hidden.but(unled=(2, frozenset({cut}))), "assign_n", line)
        assert bool(view.seen(N).assigned) is is_kept
        assert due(rules.used_by(view, N, (TAG,))) == is_due
    cut = hidden.but(unled=(2, frozenset({"N-III-NTD"})))
    known = told(cut, "assign_n", line)
    assert known.assigned == {TAG: "N-R5"} and not known.seen(N).assigned
    unknown = known.veiled(R)
    assert unknown.seen(R).assigned == {TAG: "N-R5"} == unknown.assigned
    shown = e.CounterShown(N, TAG, "N-Zap-III").apply(cut)
    assert not told(shown, "assign_n", line).assigned, "now both know who lends it"


@pytest.mark.rule("6.4")
def test_the_headquarters_are_judged_in_the_morning() -> None:
    position = start(SMALL, day=2)
    left = {hex: units for hex, units in position.stacks.items() if hex != "K01"}
    cut = position.but(stacks=left, away={**position.away, "N-CG-DRM": "eliminated"})
    for each, unled in ((position, set()), (cut, {"N-R5", "N-III", "N-III-NTD"})):
        state = State(each, Dawn().run(each).then[::-1])
        while type(state.agenda[-1]).__name__ != "Validating":
            state = State(state.position, state.agenda[:-1])
        validated = state.agenda[-1].run(each)  # type: ignore[attr-defined]
        (judged,) = [one for one in validated.events if isinstance(one, e.CommandJudged)]
        there = {id for id in judged.unled if position.at(position.headquarters_of(id))}
        assert there >= unled and bool(there) is bool(unled)
        assert "R-70B" in judged.unled, "nobody is led by a headquarters that is not on the map"


@pytest.mark.rule("5.1")
def test_what_a_told_line_comes_to() -> None:
    position = start(SMALL, day=2)
    line = ["N-Zap-III", "N-R5"]
    assert told(position, "assign_n", line).assigned == {"N-Zap-III": "N-R5"}
    assert told(position, "assign_n", line, ["N-Zap-III", "N-R6"]).assigned == dict([line])
    tenth = [None, None, line, *[None] * 7, ["N-Zap-III", "N-R6"]]
    assert told(position, "assign_n", *tenth).assigned == dict([line]), "the first of two"
    assert told(position, "assign_n", line, day=1).assigned == {}, "of a day that is over"
    assert told(position, "assign_n", ["N-Zap-III", "N-II-NTD"]).assigned == {}
    gone = {**position.away, "N-Zap-III": "eliminated"}
    assert told(position, "assign_n", line, away=gone).assigned == {}
    down = face_down(position, "N-Zap-III")
    assert told(down, "assign_n", [TAG, "N-R5"], mix=1).assigned == {TAG: "N-R5"}
    shown = e.CounterShown(N, TAG, "N-Zap-III").apply(told(down, "assign_n", [TAG, "N-R5"], mix=1))
    assert shown.assigned == {"N-Zap-III": "N-R5"}, "its name goes with it"
    late = told(shown.but(assigned={}, told={}), "assign_n", [TAG, "N-R5"], mix=1)
    assert late.assigned == {"N-Zap-III": "N-R5"}, "shown before the line is told"


# ------------------------------------------------------------------- what is due


@pytest.mark.rule("5.1", "5.5.p2")
def test_an_activation_brings_to_light_what_acts_by_it() -> None:
    lines = (["N-Zap-III", "N-R5"], ["N-2Alh/6", "N-R5"], ["N-Esc-III", "N-R6"], ["N-R6", "N-II"],
             ["N-III", "DRM"])  # fmt: skip
    position = written(start(LARGE, day=2), "assign_n", *lines)
    for order, places in (
        (o.Activate(formation="N-R5"), [0, 1, 4]), (o.Activate(formation="N-R6"), [2, 3]),
        (o.Activate(division="N-III"), [0, 1, 4]), (o.Activate(division="N-II"), [2, 3]),
        (o.Activate(unit="N-Art105-III"), [4]), (o.Activate(unit="N-Zap-III"), [0, 4]),
        (o.Activate(unit="N-20"), []), (o.Activate(formation="N-R9"), []),
        (o.Activate(formation="N-X"), []), (o.Move(("N-2Mel/6",), ("H10",)), []),
    ):  # fmt: skip
        assert due(rules.used_with(position, N, order)) == places, order
    one = position.but(told={"assign_n/3/0": json.dumps(lines[0])})
    assert due(rules.used_with(one, N, o.Activate(formation="N-R5"))) == [1, 4]
    assert rules.used_with(position, R, o.Activate(formation="R-12BI")) == ()
    assert rules.used_with(position.but(day=3), N, o.Activate(formation="N-R5")) == ()
    assert rules.used_with(position.veiled(R), N, o.Activate(formation="N-R5")) == ()


@pytest.mark.rule("5.1", "5.5.p2")
def test_a_march_brings_to_light_who_acts_with_others_and_nothing_else() -> None:
    """Of those who stay something is said, and they do nothing; what came to nothing keeps nobody
    from marching.
    """
    down = face_down(start(LARGE, day=2), "N-Art75-III")
    position = written(down, "assign_n", [TAG, "N-R6"], ["N-2Mel/6", "N-R5"], ["N-R6", "N-II"])
    zone = o.Zone((TAG,), "1 none")
    march = o.Move(("N-2Mel/6",), ("H10",), zones=(zone,), top={TAG: "N-R6"})
    assert due(rules.used_with(position, N, march)) == [1]
    void = position.but(unled=(2, frozenset({"N-R5"})))
    assert due(rules.used_with(void, N, march)) == []


@pytest.mark.rule("5.1", "12.4")
def test_guns_that_fire_come_to_light_with_the_order() -> None:
    position = written(start(LARGE, day=2), "assign_n", ["N-Art75-III", "N-R6"], ["N-20", "N-R6"])
    backing = o.Backing(("N-Art75-III",))
    for order, places in (
        (o.Attack("G13", {"G12": ("N-1TirIf/5",)}, support=backing), [0]),
        (o.Attack("G13", {"G12": ("N-1TirIf/5",)}), []),
        (o.Again(support=backing), [0]), (o.Bombard("G13", ("N-20", "N-Art75-III")), [0, 1]),
        (o.Bombard("G13", ("N-20",)), [1]), (o.React(("N-20",)), [1]),
    ):  # fmt: skip
        assert due(rules.used_with(position, N, order)) == places, order
    down = face_down(start(LARGE, day=2), "N-Art75-III")
    hidden = written(down, "assign_n", ["N-Art75-III", "N-R6"], [TAG, "N-R6"])
    assert due(rules.used_with(hidden, N, o.Bombard("G13", (TAG,)))) == [0, 1], "under either name"


@pytest.mark.rule("5.1", "12.4")
def test_who_is_attacked_comes_to_light_and_the_batteries_that_could_support() -> None:
    """By what is written as by what both know: a battery that is assigned elsewhere, too."""
    position = in_command(start(SMALL, day=2))
    lines = (["R-AMarty/12", "R-17B"], ["R-105V", "R-12BI"], ["R-76AA", "R-1BB"],
             ["R-1/23", "R-17B"], ["R-77/12", "R-17B"])  # fmt: skip
    attacked = written(position, "assign_r", *lines)

    def at(hex: str, *hexes: str, view: Position = attacked) -> list[int]:
        return due(TellingWhereAttacked(R, hex, hexes).due(in_command(view)))

    assert at("G13") == [0], "no hex from which batteries would be fired at"
    assert at("G13", "G12") == [0, 4], "its own battery, which is lent"
    assert at("H12", "H11") == [3, 4], "the battery fires for those with whom both act"
    both = written(position, "assign_r", ["R-105V", "R-12BI"])
    assert at("G13", "G12", view=both) == [0], "one that is lent to the defenders"
    assert at("G13", "I10", view=both) == [0] and at("G13", "K01", view=both) == []
    assert at("G12", "G13") == [], "nobody of the side is there"


@pytest.mark.rule("17.3", "5.1")
def test_at_dawn_that_is_told_which_recovery_needs() -> None:
    """A known unit beside the headquarters of the formation to which it is assigned."""
    position = in_command(start(SMALL, day=2, disorganised=frozenset({"N-Pz-1"})))
    stacks = {**position.stacks, "H10": ("N-SFrn/6", "N-CG-R5", "N-Art75-III", "N-Pz-1"),
              "G11": ("N-ACeu/5", "N-2Leg/5", "N-AT-III")}  # fmt: skip
    there = position.but(stacks=stacks)
    lines = (["N-Pz-1", "N-R5"], ["N-Zap-III", "N-R5"])

    def told_at_dawn(view: Position) -> list[int]:
        return due(TellingAtDawn(N).due(in_command(view)))

    asked = written(there, "assign_n", *lines)
    assert told_at_dawn(asked) == [0], "and nothing else"
    assert told_at_dawn(asked.but(disorganised=frozenset())) == []
    own = {**stacks, "H08": ("N-Esc-III", "N-CG-III", "N-20", "N-Pz-1"),
           "H10": ("N-SFrn/6", "N-CG-R5", "N-Art75-III")}  # fmt: skip
    assert told_at_dawn(asked.but(stacks=own)) == [], "beside its own headquarters it needs none"
    far = {**own, "H08": ("N-Esc-III", "N-CG-III", "N-20"), "J08": ("N-Cab-3", "N-Pz-1")}
    assert told_at_dawn(asked.but(stacks=far)) == [], "beside none it needs a die"


@pytest.mark.rule("J.5", "6.6.6")
def test_what_goes_over_for_good_is_told_at_once() -> None:
    position = start(LARGE, day=5)
    lines = (["R-23B", "AGA"], ["R-Zap-1", "R-12BI"])
    asked = written(position, "assign_r", *lines)
    assert due(TellingAtDawn(R).due(asked)) == [0]
    assert due(TellingAtDawn(R).due(asked.but(day=5, papers={
        "assign_r": Paper("assign_r/3", 4, 9)}))) == []  # fmt: skip
    over = told(position, "assign_r", lines[0])
    assert over.moved_to == {"R-23B": "AGA"} and not over.assigned
    again = written(over, "assign_r", *lines)
    assert again.seen(R).assigned == {"R-Zap-1": "R-12BI"}, "it is no assignment any more"


# ------------------------------------------------------------------- the air


AIR = (["bomb", "G13"], ["int", "G14"], ["reco", "G14"])


@pytest.mark.rule("5.2.2", "5.2.2.bomb")
def test_bombing_comes_to_light_as_it_is_flown_all_else_in_the_morning() -> None:
    """The Nationalists have N-Ju52-1, N-He51-1 and N-Ro37 here."""
    position = written(start(SMALL, day=2), "air_n", *AIR)
    assert due(TellingMissions(N).due(position)) == [1, 2]
    support = written(start(SMALL, day=2), "air_n", None, ["cas", "N-CG-R5"])
    assert due(TellingMissions(N).due(support)) == [1]
    assert position.missions == {} and position.seen(R).missions == {}
    assert position.seen(N).missions["N-Ju52-1"] == Mission("bomb", "G13")
    order = o.Bombard("G13", air=("N-Ju52-1",))
    assert due(rules.used_with(position, N, order)) == [0]
    assert rules.used_with(position, N, o.Bombard("G13", ("N-20",))) == ()
    flown = told(start(SMALL, day=2), "air_n", AIR[0])
    assert flown.missions == {"N-Ju52-1": Mission("bomb", "G13")}
    assert TellingMissions(N).due(position.but(day=3)) == ()
    seen = told(start(SMALL, day=2), "air_n", None, None, ["reco", "G13"])
    both = told(seen, "air_n", AIR[0], missions=seen.missions)
    assert both.missions["N-Ju52-1"] == Mission("bomb", "G13"), "one hex may be looked at and hit"


@pytest.mark.rule("7.1.b1", "7.3.2", "7.3.4")
@pytest.mark.parametrize(
    ("lines", "flies"),
    [
        ((["bomb", "G13"],), ["N-Ju52-1"]), ((["reco", "G13"],), []), ((["bomb", "Z99"],), []),
        ((["cas", "N-CG-R5"],), ["N-Ju52-1"]), ((["cas", "N-CG-DRM"],), []),
        ((["cas", "G13"],), []), ((["fly", "G13"],), []), ((["bomb"],), []), ((None,), []),
        ((None, None, ["reco", "G14"], ["bomb", "G13"]), ["N-Ro37"]),
    ],
)  # fmt: skip
def test_a_mission_that_cannot_be_flown_is_none(lines: Any, flies: list[str]) -> None:
    assert list(told(start(SMALL, day=2), "air_n", *lines).missions) == flies


@pytest.mark.rule("7.3.4")
def test_a_hex_is_looked_at_once_also_by_lines_that_are_told() -> None:
    position = start(LARGE, day=2)
    scouts = [at for at, unit in enumerate(position.aircraft(N)) if position.board.air[unit].scouts]
    assert len(scouts) == 2
    lines: list[Any] = [None] * 8
    for at in scouts:
        lines[at] = ["reco", "G13"]
    assert len(told(position, "air_n", *lines).missions) == 1
    bombs = [position.board.air[unit].bombs for unit in position.aircraft(N)]
    lines[bombs.index(max(bombs))] = ["bomb", "G13"]
    assert len(told(position, "air_n", *lines).missions) == 2, "a bomber does not look"


# ------------------------------------------------------------------- the questions


@pytest.mark.rule("5", "5.1", "5.2.1")
@pytest.mark.parametrize("options", [(), ("air_after_recovery",)])
def test_both_lists_stand_before_anything_of_them_is_told(options: tuple[str, ...]) -> None:
    state = kernel.begin(GAME.setup(SMALL, frozenset(options))).state
    asked = []
    for entry in range(1, 40):
        wanted = kernel.waits_for(state)
        if not isinstance(wanted, Decision):
            state = State(state.position, state.agenda[:-1])  # the dice of recovery
            state = kernel.learn(state, ()).state
        elif wanted.list is not None:
            asked.append((wanted.side, wanted.list.name))
            state = kernel.seal(state, entry).state
        elif wanted.tells_items:
            assert not wanted.only_shows, "no dice need follow"
            asked.append((wanted.side, wanted.tells_items.partition("/")[0], "told"))
            state = kernel.submit(state, wanted.default).state
        if len(asked) == 8:
            break
    first = [(R, "assign_r"), (R, "air_r"), (N, "assign_n"), (N, "air_n")]
    tells = [(side, name, "told") for side, deck in ((N, "n"), (R, "r"))
             for name in (f"assign_{deck}", f"air_{deck}")]  # fmt: skip
    order = [*first, *tells]
    if options:
        order = [first[0], first[2], tells[0], tells[2], first[1], first[3], tells[1], tells[3]]
    assert asked == order


@pytest.mark.rule("5.1")
def test_dice_do_not_wait_for_what_is_told_behind_an_order() -> None:
    position = written(start(SMALL, day=2), "assign_n", ["N-Zap-III", "N-R5"])
    for stage in (TellingWith(N, o.Activate(formation="N-R5")), TellingWhereAttacked(N, "G12")):
        asked = stage.ask(position)
        assert asked is not None and asked.only_shows and asked.tells_items == "assign_n/3"
        assert stage.ask(position.but(day=3)) is None
    state = State(position, (TellingWith(N, o.Activate(formation="N-R5")),))
    assert due(GAME.hidden.shows(state, N, o.TellPapers())) == [0]
    later = State(position, (Activating(R), *state.agenda))
    assert kernel.submit(later, o.TellPapers()).events == (
        e.LineTold("assign_n/3/0", '["N-Zap-III", "N-R5"]'), e.Assigned(N, {"N-Zap-III": "N-R5"}),
    )  # fmt: skip


@pytest.mark.rule("5.1", "5.4.1.2")
def test_an_order_without_the_word_of_its_program_is_followed_by_the_question() -> None:
    """Such as one that was given by sealed standing orders."""
    position = written(start(SMALL, day=2, active=N), "assign_n", ["N-Zap-III", "N-R5"])
    state = State(position, (Activating(N),))
    spoken = kernel.submit(state, o.Activate(formation="N-R5", told=True))
    assert "N-Zap-III" in spoken.state.position.cycle.able, "its author tries it as if it were told"
    silent = kernel.submit(state, o.Activate(formation="N-R5")).state
    asked = kernel.waits_for(silent)
    assert isinstance(asked, Decision) and asked.tells_items == "assign_n/3"
    after = kernel.submit(silent, asked.default).state
    assert after.position.cycle == spoken.state.position.cycle
    hidden = GAME.hidden.worded(state, N, o.Activate(formation="N-R5"))
    assert hidden == o.Activate(formation="N-R5", told=True)
    open_game = open_start(SMALL, day=2, active=N)
    begun = kernel.submit(State(open_game, (Activating(N),)), o.Activate(formation="N-R5")).state
    assert begun.position.cycle is not None


@pytest.mark.rule("5.1", "5.4.1")
def test_sealed_standing_orders_activate_by_what_both_know() -> None:
    """A plan that its author's list contradicts comes to nothing, and no audit finds fault."""
    position = written(start(SMALL, day=2, active=N), "assign_n", ["N-Zap-III", "N-R5"])
    state, alone = State(position, (Activating(N),)), o.Activate(unit="N-Zap-III")
    assert kernel.violations(state, replace(alone, told=True)), "its program would not write it"
    assert not kernel.violations(state, alone)
    silent = kernel.submit(state, alone).state
    after = kernel.submit(silent, o.TellPapers()).state
    asked = kernel.waits_for(after)
    assert isinstance(asked, Decision) and asked.stage == "activation"
    assert after.position.cycle is None and after.position.assigned == {"N-Zap-III": "N-R5"}
    acted = position.but(acted=frozenset(position.members("N-R5")))
    for known, legal in ((acted, True), (acted.veiled(None), False)):
        each = State(known, (Activating(N),))
        order = o.Activate(formation="N-R5")
        assert (not kernel.violations(each, order)) is legal
        assert (not kernel.violations(each, replace(order, told=True))) is legal
    assert kernel.violations(
        State(acted, (Activating(N),)), o.Activate(formation="N-R6", unit="N-20")
    )


# ------------------------------------------------------------------- what an audit looks at


@pytest.mark.rule("6.6.3", "6.6.2", "16.2.b2")
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        ((["N-2Alh/6", "N-R5"], ["N-Zap-III", "N-R6"]), ""),
        ((["N-2Alh/6", "N-R5"], ["N-2Alh/6", "N-R5"]), "assigns nothing"),
        ((["N-2Alh/6", "R-12BI"],), "assigns nothing"), ((17,), "assigns nothing"),
        ((["N-2Alh/6", "N-R1"],), "of another division"),
        ((["N-2Alh/6", "N-R5"], ["N-2Mel/6", "N-R5"]), "lends more than 4"),
    ],
)  # fmt: skip
def test_a_list_that_could_not_be_written_is_found_where_it_is_known(lines: Any, why: str) -> None:
    position = written(start(LARGE, day=2), "assign_n", *lines)
    state = State(position, (TellingAtDawn(N),))
    found = [words(each.message) for each in kernel.violations(state, o.TellPapers())]
    assert bool(found) is bool(why) and (not why or why in found[0])
    unknown = State(position.veiled(None), state.agenda)
    assert not kernel.violations(unknown, o.TellPapers()), "nobody else can tell"


@pytest.mark.rule("J.5", "6.6.2")
def test_an_audit_judges_what_goes_over_by_its_new_division() -> None:
    line, over = ["R-Zap-1", "R-12BI"], ["R-12BI", "DVD"]
    for lines, wanted in (([over], []), ([line, over], ["6.6.2"])):
        position = written(led(start(LARGE, day=5), "D19"), "assign_r", *lines)
        state = State(position, (TellingAtDawn(R),))
        assert [each.rule for each in kernel.violations(state, o.TellPapers())] == wanted, lines
    # So, too, where the engineers were assigned the day before.
    notes = {f"assign_r/2/{at}": json.dumps(line if not at else None) for at in range(32)}
    papers = {"assign_r": Paper("assign_r/3", 5, 9, Paper("assign_r/2", 4, 9))}
    kept = State(position.but(papers=papers, notes={**position.notes, **notes}), state.agenda)
    assert [each.rule for each in kernel.violations(kept, o.TellPapers())] == ["6.6.2"]


@pytest.mark.rule("6.6.5")
def test_a_line_of_yesterday_is_not_judged_again() -> None:
    """Whoever is demoralised since then stays where it was."""
    line = ["N-2Alh/6", "N-R5"]
    position = start(LARGE, day=2, demoralised=frozenset({"N-2Alh/6"}))
    new = written(position, "assign_n", line)
    state = State(new, (TellingAtDawn(N),))
    assert kernel.violations(state, o.TellPapers())
    before = Paper("assign_n/2", 1, 9)
    notes = {f"assign_n/2/{at}": json.dumps(line if not at else None) for at in range(32)}
    kept = new.but(
        papers={"assign_n": Paper("assign_n/3", 2, 9, before)}, notes={**new.notes, **notes}
    )
    assert not kernel.violations(State(kept, state.agenda), o.TellPapers())
    more = {**kept.notes, "assign_n/3/1": json.dumps(["N-2Mel/6", "N-R5"])}
    found = kernel.violations(State(kept.but(notes=more), state.agenda), o.TellPapers())
    assert {each.rule for each in found} == {"6.6.3"}, "but it counts for what is lent in all"


@pytest.mark.rule("7.1.b1", "7.3.4")
@pytest.mark.parametrize(
    ("lines", "why"),
    [
        (AIR, ""), ((["reco", "G13"],), "does not fly this mission"),
        ((None, None, None, ["reco", "G13"]), "is no mission"),
        ((["fly", "G13"],), "is no mission"), ((["bomb", "Z99"],), "there is no hex"),
        ((["bomb+picks", "G13"],), "only reconnaissance picks counters"),
    ],
)  # fmt: skip
def test_a_plan_that_could_not_be_flown_is_found_where_it_is_known(lines: Any, why: str) -> None:
    position = written(start(SMALL, day=2), "air_n", *lines)
    state = State(position, (TellingMissions(N),))
    found = [words(each.message) for each in kernel.violations(state, o.TellPapers())]
    assert bool(found) is bool(why) and all(why in each for each in found)
    assert not kernel.violations(State(position.veiled(None), state.agenda), o.TellPapers())
