"""11.4, 7.3.4, 21: what is told and shown of counters face down to who fires at them, or looks."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import Chance, Decision, Order, Side, Stage, State
from pbem.engine.public import plain
from pbem.engine.tags import is_tag
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.notes import said_in_words
from pbem.games.nopasaran.papers import flight
from pbem.games.nopasaran.position import FACE_DOWN, RECO, Mission, Position
from pbem.games.nopasaran.rules import artillery, papers, recon, reports
from pbem.games.nopasaran.rules.reports import HexLook
from pbem.games.nopasaran.stages.cover import NamingEngineers, NamingGuns, Unmasking
from pbem.games.nopasaran.stages.day import Planning, Scouting
from pbem.games.nopasaran.stages.fire import Countering
from pbem.games.nopasaran.stages.reports import Measuring, Picking, Reporting, SayingZones
from pbem.games.nopasaran.tables import DECKS
from pbem.messages import words
from pbem.orders.parse import parse
from pbem.play.prepare import prepare
from pbem.play.table import Table
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.value import replace
from tests.bots import RandomDice
from tests.games.nopasaran.face_down import GAME, FaceDownGame
from tests.games.nopasaran.table import (
    N,
    R,
    activated,
    closed,
    in_command,
    rules_broken,
    state_of,
    table,
)

STACK = ("R-1/19", "R-2/19", "R-77/12", "R-AMarty/12")
"""Of 4, 4, 1 and 4 troop points: two battalions, a battery, and another battalion."""


class Dice:
    """Dice that fall as they are told: faces, and the places that a lot picks."""

    def __init__(self, *falls: int | tuple[int, ...]) -> None:
        self.left = list(falls)

    def roll(self, draws: Sequence[Draw]) -> Mapping[str, Roll]:
        found = {}
        for draw in draws:
            fall = self.left.pop(0)
            face, picked = (fall, ()) if isinstance(fall, int) else (0, fall)
            assert bool(picked) == draw.is_sample and len(picked) == draw.take
            found[draw.label] = Roll(draw.label, draw.purpose, face, picked)
        return found


def turned_down(position: Position, **may_be: Sequence[str]) -> tuple[Position, dict[str, str]]:
    """The position with units face down, and their tags; each may be any that ever lies face down
    here, or what is said.
    """
    units = [unit for unit in STACK if position.at(unit)]
    down = position.down.lay(DECKS[R], R, 1, units)
    tags = dict(zip(units, down.newest(DECKS[R]), strict=True))
    for tag in tags.values():
        down = down.replaced((tag,), may_be.get("all", STACK))
    return position.but(
        options=frozenset(), down=down, away={**position.away, **dict.fromkeys(units, FACE_DOWN)},
        stacks={hex: tuple(tags.get(unit, unit) for unit in there)
                for hex, there in position.stacks.items()},
    ), tags  # fmt: skip


def game_of(
    units: str, *, at: str = "C13", stage: Stage[Position] | None = None, **facts: Any
) -> tuple[FaceDownGame, dict[str, str]]:
    """A game in which units of R lie face down in a hex, next to cavalry of N and guns behind it;
    N acts, or this stage is next.
    """
    there = {"B12": "N-Cab-1", "B10": "N-Art75-I", at: units}
    position, tags = turned_down(in_command(table(there, **facts)))
    state = state_of(position, N)
    if stage is not None:
        state = kernel.begin(State(position, (stage,))).state
    faces = {tag: unit for unit, tag in tags.items()}
    return FaceDownGame(state, random.Random(1), faces), tags


def asked(game: FaceDownGame) -> Decision:
    found = game.asked
    assert isinstance(found, Decision), found
    return found


def told(game: FaceDownGame) -> Order:
    """What the program of the player who is asked says."""
    decision = kernel.waits_for(game.view(asked(game).side))
    assert isinstance(decision, Decision) and decision.only_says
    return decision.default


def acts_again(game: FaceDownGame) -> bool:
    """Whether who acts is asked next, once it is said anew what is left of a stack comes to."""
    while asked(game).stage == "zones":
        game.order(told(game))
    return asked(game).stage == "action"


def lies(game: FaceDownGame, order: Order, *, by_owner: bool = True) -> list[str]:
    """What is wrong with an order that says something else; first in the view of all."""
    views = [game.state, game.view(asked(game).side)] if by_owner else [game.state]
    return [words(each.message) for view in views for each in kernel.violations(view, order)]


# ------------------------------------------------------------------- who counts for dice


def shows(game: FaceDownGame) -> None:
    """What is said is said by its owner's program, and then shown."""
    game.order(told(game))
    assert asked(game).only_shows
    game.show_what_is_asked()


def said_of(position: Position) -> dict[str, str]:
    """What was said of each counter face down for one order alone."""
    return {fact.tags[0]: words(said_in_words(position, fact)) for fact in position.down.earlier}


@pytest.mark.rule("11.3", "11.4")
def test_guns_that_are_answered_are_shown_before_the_die() -> None:
    """All of them, and only they; what stays face down is none by what both know from then on, and
    an audit holds its owner to it.
    """
    game, tags = game_of("R-75 R-1/19 R-77/12 R-2/19", stage=Countering(N, ("C13",)))
    game.order(o.Counterbattery(("N-Art75-I",), "C13"))
    assert (asked(game).side, asked(game).only_says) == (R, True)
    gun, battalion = tags["R-77/12"], tags["R-1/19"]
    assert told(game) == o.SayWho((gun,))
    assert lies(game, o.SayWho()) == ["77 mm battery, XII BI (R-77/12) has to be shown"]
    for wrong, in_public in (((battalion, gun), 0), ((gun, gun), 1), (("R-75", gun), 1)):
        found = "is not among those shown here"
        seen = [lies(game, o.SayWho(wrong), by_owner=owner) for owner in (False, True)]
        assert [len(each) for each in seen] == [in_public, in_public + 1], wrong
        assert all(found in each for each in seen[1])
    mixed = game.state.position.but(mixed=frozenset(tags.values()))
    assert NamingGuns(R, "C13").ask(mixed) is None
    sure = game.state.position.down.replaced((gun,), ("R-77/12",))
    certain = State(game.state.position.but(down=sure), game.state.agenda)
    assert [each.at for each in kernel.violations(certain, o.SayWho())] == [("units",)]
    shows(game)
    now = game.state.position
    assert said_of(now) == {tags["R-2/19"]: "it is no gun", battalion: "it is no gun"}
    assert artillery.can_lose(now, "C13", only_guns=True) == ("R-75", "R-77/12")
    ledger = artillery.fire_shifts(now, N, "C13", o.UNITS, by_guns=True, only_guns=True)
    assert dict(ledger).get("troops", 0) == now.board.troops_shift(4)
    assert isinstance(game.asked, Chance)


@pytest.mark.rule("20.1")
def test_engineers_across_a_bridge_are_shown_and_add_three() -> None:
    """One is enough, whichever it is; whoever shows none says that there are none."""
    below = ("R-2/19", "R-Zap-1", "R-Zap-2")
    there = {"G13": "N-Zap-III", "G12": " ".join(("R-1/19", *below))}
    mixed = e.CountersMixed(R, (below,)).apply(closed(in_command(table(there))))
    begun = state_of(in_command(mixed.but(acted=frozenset(), mixed=frozenset())), N)
    (bridge,) = begun.position.ground.bridges_of("G13")
    for is_said, is_blown in ((True, False), (False, True)):
        faces = {f"r/1/{at}": unit for at, unit in enumerate(below)}
        game = FaceDownGame(begun, random.Random(1), faces)
        game.order(o.Engineer("N-Zap-III", "blow", bridge=bridge.id))
        assert told(game) == o.SayWho(("r/1/1",))
        assert lies(game, o.SayWho(("r/1/0",))) and not lies(game, o.SayWho(("r/1/2",)))
        assert lies(game, o.SayWho()) == [
            "Sapper company 1 (R-Zap-1) or Sapper company 2 (R-Zap-2) has to be shown",
        ]  # fmt: skip
        if is_said:
            shows(game)
            assert game.state.position.may_be("r/1/2") == ("R-2/19", "R-Zap-2")
            assert not said_of(game.state.position)
        else:
            game.state = kernel.submit(game.state, o.SayWho()).state
            for unit in faces:
                assert game.state.position.may_be(unit) == ("R-2/19",)
                assert said_of(game.state.position)[unit] == "it is no engineer unit"
        most = begun.position.board.charts["demolition"]["most"]
        game.roll(Dice(most - begun.position.board.charts["demolition"]["enemy"]))
        assert any(isinstance(each, e.BridgeChanged) for each in game.events) is is_blown
    seen = begun.position.but(stacks={**begun.position.stacks, "G12": ("R-Zap-1", "r/1/0")})
    assert NamingEngineers(R, "N-Zap-III", bridge.id).ask(seen) is None, "it counts already"


# ------------------------------------------------------------------- bombardment


def shift(position: Position) -> int:
    found = artillery.fire_shifts(position, N, "C13", o.UNITS, by_guns=True)
    return dict(found).get("troops", 0)


@pytest.mark.rule("11.4", "11.5.3")
def test_the_class_of_a_target_is_said_before_the_die_and_who_is_hit_is_shown() -> None:
    game, tags = game_of("R-CG-19B R-1/19 R-77/12 R-2/19")
    units = game.state.position.stacks["C13"]
    assert reports.troops_fired_at(game.state.position, units) == 10, "the worst, as yet"
    game.order(o.Bombard("C13", ("N-Art75-I",)))
    decision = asked(game)
    assert (decision.side, decision.stage, decision.only_says) == (R, "strength", True)
    assert decision.default == o.Strength("10+"), "the worst, as all see it"
    assert told(game) == o.Strength("7-9")
    assert lies(game, o.Strength("2-"), by_owner=False) == [
        "the troop points of the units in C13 cannot be 2-"
    ]
    assert lies(game, o.Strength("10+"), by_owner=False) == []
    assert lies(game, o.Strength("10+")) == ["the troop points of the units in C13 cannot be 10+"]
    game.order(told(game))
    assert shift(game.state.position) == 1
    # A die of 10 for the bombardment, and one for the last of three that can be hit.
    game.roll(Dice(10, 10))
    assert game.state.position.down.hidden == set(tags), "nobody was hit yet"
    assert GAME.hidden.must_show(game.state) == (tags["R-2/19"],)
    game.show_what_is_asked()
    (lost,) = [each for each in game.events if isinstance(each, e.TroopsLost)]
    assert (lost.unit, lost.die) == ("R-2/19", 10)
    assert game.state.position.down.facts == (), "what was said of it is true no more"


@pytest.mark.rule("11.4")
def test_a_class_is_said_once_until_the_stack_changes() -> None:
    game, _ = game_of("R-1/19 R-77/12")
    game.order(o.Bombard("C13", ("N-Art75-I",)))
    game.order(told(game))
    assert told_of_class(game) == "3-6" and shift(game.state.position) == 0
    units = game.state.position.stacks["C13"]
    assert Measuring(R, "C13").ask(game.state.position) is None
    less = game.state.position.but(stacks={**game.state.position.stacks, "C13": units[:1]})
    assert Measuring(R, "C13").ask(less) is not None
    seen = table({"B12": "N-Cab-1", "C13": "R-1/19"})
    assert Measuring(R, "C13").ask(seen) is None, "what lies open is counted"


@pytest.mark.rule("11.4", "7.3.4")
def test_of_counters_that_were_mixed_all_is_said_that_is_known_of_them_together() -> None:
    """Who knew a stack before it was mixed knows it as a set, and says nothing else; others know
    what each by itself may be.
    """
    game, _ = game_of("R-CG-19B R-1/19 R-77/12 R-2/19")
    faces = dict(game.faces)
    mixed = e.CountersMixed(R, (game.state.position.tags_at("C13"),)).apply(game.state.position)
    position = mixed.but(down=mixed.down.known_too(faces))
    units = position.stacks["C13"]
    types = ("artillery", "infantry", "infantry")
    assert not any(map(position.face, position.tags_at("C13"))), "nobody knows which is which"
    assert reports.possible_classes(position, units) == ("7-9",)
    assert len(reports.possible_classes(mixed, units)) > 1
    assert Measuring(R, "C13").ask(position).default == o.Strength("7-9")
    assert reports.told_of(position, "C13", reports.KINDS) == o.ToldOfHex(10, types)
    game.state = State(position, (Reporting(R, (HexLook("C13", reports.KINDS),), ()),))
    for points, told, found in (
        (10, types, []),
        (8, types, ["the troop points of what lies face down in C13 cannot be 8"]),
        (10, types[1:] * 2, ["the types of all counters face down in C13 are told, or of none"]),
        (10, (types[0], *types[:2]), ["the counters face down in C13 cannot be of these types"]),
    ):
        report = o.ReportHexes({"C13": o.ToldOfHex(points, told)})
        assert lies(game, report, by_owner=False) == found, (points, told)


def told_of_class(game: FaceDownGame) -> Any:
    return reports.said_of(game.state.position, "class ", game.state.position.stacks["C13"])


@pytest.mark.rule("11.4")
def test_a_class_that_was_false_is_found_when_all_of_the_stack_is_shown() -> None:
    game, tags = game_of("R-1/19 R-77/12")
    position = e.StrengthSaid("C13", "2-").apply(game.state.position)
    game.state = State(position, game.state.agenda)
    fault = GAME.pieces.misfit
    assert not fault(game.state, tags["R-77/12"], "R-77/12"), "with another battery it would be so"
    game.show(R, (tags["R-77/12"],))
    assert "not true" in words(fault(game.state, tags["R-1/19"], "R-1/19"))


@pytest.mark.rule("11.4")
def test_the_class_of_a_single_counter_says_what_it_may_be() -> None:
    position = game_of("R-3/19 R-77/12")[0].state.position
    (tag,) = position.tags_at("C13")
    assert e.StrengthSaid("C13", "3-6").apply(position).may_be(tag) == ("R-77/12",)
    assert e.StrengthSaid("C13", "7-9").apply(position).may_be(tag) == (
        "R-1/19", "R-2/19", "R-AMarty/12",
    )  # fmt: skip


# ------------------------------------------------------------------- on the ground


LEVELS_BY_DIE = {1: "full", 3: "half", 5: "types", 6: "count"}


def scouted(die: int, units: str = "R-1/19 R-77/12 R-2/19", **order: Any) -> Any:
    """R's stack is looked into with this die."""
    game, tags = game_of(units)
    game.order(o.Scout("N-Cab-1", "C13", **order))
    game.roll(Dice(die))
    return game, tags


@pytest.mark.rule("21")
@pytest.mark.parametrize("die", LEVELS_BY_DIE)
def test_what_is_told_and_shown_by_the_level(die: int) -> None:
    """Points; types beside them; half are shown, by lot, and half up; all are shown."""
    game, tags = scouted(die)
    (event,) = [each for each in game.events if isinstance(each, e.GroundScouted)]
    assert event.level == LEVELS_BY_DIE[die]
    drawn = list(tags.values())
    if event.level == "half":
        order = game.state.position.tags_at("C13")
        game.roll(Dice((0, 2)))
        drawn = [order[0], order[2]]
    if event.level in ("half", "full"):
        assert {*GAME.hidden.must_show(game.state)} == {*drawn}
        game.show_what_is_asked()
    if event.level != "full":
        left = game.state.position.tags_at("C13")
        assert len(left) == (1 if event.level == "half" else 3)
        faces = sorted(game.view(R).position.printed(game.faces[tag]).type for tag in left)
        points = sum(game.state.position.troops(game.faces[tag]) for tag in left)
        types = tuple(faces) if event.level != "count" else ()
        points += points % 2  # to the nearest two, a half up
        assert told(game) == o.ReportHexes({"C13": o.ToldOfHex(points, types)})
        game.order(told(game))
    assert reports.troops_known(game.state.position, "C13") in ((9,) if die == 1 else (9, 10))
    assert acts_again(game), "who has looked goes on"


@pytest.mark.rule("21", "7.3.4")
def test_nothing_is_told_of_what_lies_open() -> None:
    game, _ = game_of("R-3/19")
    game.order(o.Scout("N-Cab-1", "C13"))
    game.roll(Dice(5))
    assert acts_again(game)


@pytest.mark.rule("21", "7.3.4")
def test_who_has_looked_picks_if_they_wish() -> None:
    game, tags = scouted(3, picks=o.ASK)
    decision = asked(game)
    assert (decision.side, decision.stage) == (N, "pick") and not decision.only_says
    stack = game.state.position.tags_at("C13")

    def wrong(**units: tuple[str, ...]) -> list[str]:
        return [words(each.message)
                for each in kernel.violations(game.state, o.Pick(units))]  # fmt: skip

    half = "half of the counters face down are shown"
    assert wrong(C13=stack[:1]) == wrong(C13=stack) == wrong() == [half]
    assert wrong(C13=stack[:2], C12=stack[:1]) == [half]
    once = ["name counters that lie face down in C13, each once"]
    assert wrong(C13=(stack[0], stack[0])) == wrong(C13=(stack[0], "R-1/19")) == once
    game.order(o.Pick({"C13": stack[1:]}))
    assert {*GAME.hidden.must_show(game.state)} == {*stack[1:]}
    assert {game.faces[tag] for tag in stack[1:]} <= set(tags)


@pytest.mark.rule("21", "7.3.4")
@pytest.mark.parametrize("units", ["a counter in C13 (2), a counter in C13", "r/1/1, r/1/0"])
def test_counters_are_picked_by_what_the_form_calls_them_or_by_their_tags(units: str) -> None:
    game, _ = scouted(3, picks=o.ASK)
    (option,) = asked(game).options
    called = [f"a counter in C13{number}" for number in ("", " (3)", " (2)")]
    assert words(option.note) == f"choose among: {', '.join(called)}", "from the top"
    source = Source("orders.yaml", f"orders:\n  - pick: {{units: {{C13: [{units}]}}}}\n")
    table = Table(GAME, {"A": N, "B": R}, game.state)
    (pick,) = prepare(parse(source, GAME.verbs), table, "A").orders
    assert pick == {"pick": {"units": [["C13", ["r/1/1", "r/1/0"]]]}}
    other = Source("orders.yaml", "orders:\n  - arrange: {hex: C13, units: [r/1/1]}\n")
    with pytest.raises(Refused, match="no unit is named 'r/1/1'"):
        prepare(parse(other, GAME.verbs), table, "A")


@pytest.mark.rule("7.3.4", "7.1.b1", "21")
def test_nobody_picks_where_nothing_is_picked() -> None:
    position = in_command(table({"B12": "N-Cab-1", "C13": "R-1/19"}))
    scout = o.Scout("N-Cab-1", "C13", picks=o.ASK)
    assert rules_broken(state_of(position, N), scout) == ["21"]
    for options, flown in ((position.options, o.Flight(reco="C13", picks=o.ASK)),
                            (frozenset(), o.Flight(bomb="C13", picks=o.ASK))):  # fmt: skip
        position = table({"C13": "R-1/19"}).but(options=options)
        unit = "N-Ro37" if flown.reco else "N-Ju52-1"
        state = State(position, (Planning(N),))
        assert rules_broken(state, o.Fly({unit: flown})) == ["7.3.4"]
        assert rules_broken(state, o.Fly({unit: replace(flown, picks="")})) == []


# ------------------------------------------------------------------- what cannot be


def reported(units: str = "R-1/19 R-77/12", level: str = "types", **facts: Any) -> FaceDownGame:
    """A game in which R tells of a hex."""
    return game_of(units, stage=Reporting(R, (HexLook("C13", level),), ()), **facts)[0]


def report(points: int, *types: str, hex: str = "C13") -> o.ReportHexes:
    return o.ReportHexes({hex: o.ToldOfHex(points, types)})


@pytest.mark.rule("7.3.4")
def test_a_report_tells_of_all_counters_and_of_what_they_can_be() -> None:
    """Both counters may be a battalion or the battery, as all see it."""
    game = reported()
    none = "the types of all counters face down in C13 are told, or of none"
    strange = "the counters face down in C13 cannot be of these types"
    many = "the troop points of what lies face down in C13 cannot be {}"
    for order, why in (
        (report(6, "artillery", "infantry"), ""),
        (report(8, "infantry", "infantry"), ""),
        (report(4, "infantry"), none),
        (report(5), none),
        (report(5, "infantry", "artillery"),
         "types are told by the alphabet: their order tells nothing"),
        (report(5, "infantry", "tank"), strange),
        (report(5, "artillery", "infantry"), many.format(5)),
        (report(6, "infantry", "infantry"), many.format(6)),
        (o.ReportHexes({}), "a report tells of each hex that was looked at"),
        (report(5, "artillery", "infantry", hex="C12"),
         "a report tells of each hex that was looked at"),
    ):  # fmt: skip
        assert lies(game, order, by_owner=False) == ([why] if why else []), order
    assert lies(game, report(8, "infantry", "infantry")) != [], "its owner's program knows better"
    assert lies(reported(level="count"), report(6)) == []
    assert lies(reported(level="count"), report(6, "artillery", "infantry"))[:1] == [none]


@pytest.mark.rule("7.3.4")
@pytest.mark.parametrize("order", [report(8, "infantry", "infantry"), report(8)])
def test_a_false_report_is_found_when_all_it_tells_of_is_shown(order: o.ReportHexes) -> None:
    game = reported(level="types" if order.hexes["C13"].types else "count")
    position = kernel.submit(game.state, order).state.position
    game.state = State(position, game.state.agenda)
    (battery,) = (tag for tag, unit in game.faces.items() if unit == "R-77/12")
    (other,) = game.faces.keys() - {battery}
    game.show(R, (other,))
    assert GAME.pieces.misfit(game.state, battery, "R-77/12")


@pytest.mark.rule("7.3.4")
def test_what_is_told_narrows_what_a_counter_may_be() -> None:
    game = reported("R-1/19 R-77/12 R-2/19", level="types")
    order = told(game)
    game.order(order)
    position = game.state.position
    for tag in position.tags_at("C13"):
        assert position.may_be(tag) == STACK, "all of these types are among them"
    alone = reported("R-77/12", level="count")
    tag = alone.state.position.tags_at("C13")[0]
    down = alone.state.position.down.replaced((tag,), STACK)
    alone.state = State(alone.state.position.but(down=down), alone.state.agenda)
    alone.order(told(alone))
    assert alone.state.position.may_be(tag) == ("R-77/12",)


@pytest.mark.rule("7.3.4")
def test_a_report_shows_no_more_than_an_entry_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    """Seven hexes of ten counters each go in, once mixed; what would take more is only told."""
    position = game_of("R-1/19 R-77/12 R-2/19")[0].state.position
    seventy = tuple(f"r/1/{at}" for at in range(70))
    for depth, number in ((1, 70), (2, 48), (16, 6)):
        depths = dict.fromkeys(seventy, depth)
        monkeypatch.setattr(type(position.down), "depths", depths)
        shown = reports.within_one_report(position, seventy)
        assert shown == seventy[:number]


# ------------------------------------------------------------------- from the air


def flown(die: int, *, asks: bool = False) -> tuple[FaceDownGame, dict[str, str]]:
    """An aircraft of N looks at C13 and the hexes around it, with this die; R has two stacks."""
    there = {"C13": "R-1/19 R-77/12", "B13": "R-2/19 R-AMarty/12", "K10": "N-2Leg/5"}
    missions = {"N-He70": Mission(RECO, "C13", asks)}
    position, tags = turned_down(in_command(table(there, missions=missions)))
    state = kernel.begin(State(position, (Scouting(),))).state
    game = FaceDownGame(state, random.Random(1), {tag: unit for unit, tag in tags.items()})
    game.roll(Dice(die))
    return game, tags


@pytest.mark.rule("7.3.4")
def test_a_flight_tells_of_each_hex_by_its_own_level() -> None:
    """In the clear all is shown; in a town half, of which the rest is told by types."""
    game, tags = flown(9)
    (seen,) = [each for each in game.events if isinstance(each, e.HexScouted)]
    assert seen.levels == (("C13", "full"), ("B13", "half"))
    game.roll(Dice((1,)))
    town = game.state.position.tags_at("B13")
    clear = game.state.position.tags_at("C13")
    assert {*GAME.hidden.must_show(game.state)} == {*clear, town[1]}
    game.show_what_is_asked()
    assert not any(map(is_tag, game.state.position.stacks["C13"]))
    assert told(game) == o.ReportHexes({"B13": o.ToldOfHex(4, ("infantry",))})
    game.order(told(game))
    assert game.asked is None
    assert reports.troops_known(game.state.position, "B13") == 8
    assert set(tags) >= game.state.position.down.hidden


@pytest.mark.rule("7.3.4")
def test_the_flyer_is_asked_for_the_half_of_each_hex() -> None:
    game, _ = flown(9, asks=True)
    assert (asked(game).side, asked(game).stage) == (N, "pick")
    assert isinstance(game.state.agenda[-1], Picking)
    assert game.state.agenda[-1].to_pick(game.state.position) == {"B13": 1}


@pytest.mark.rule("7.3.4")
def test_a_line_of_the_list_says_who_picks() -> None:
    position = table({"C13": "R-1/19"}).but(options=frozenset())
    lines = papers.lines_of(position, N, o.Fly({"N-Ro37": o.Flight(reco="C13", picks=o.ASK),
                                                "N-He70": o.Flight(reco="C12")}))  # fmt: skip
    assert {(RECO, "C13", True), (RECO, "C12", False)} == {*map(flight, filter(None, lines))}


@pytest.mark.rule("7.3.4")
def test_of_several_looks_at_a_hex_the_best_counts() -> None:
    looks = [HexLook("C13", "types"), HexLook("C13", "half", True), HexLook("C13", "half"),
             HexLook("B13", "count")]  # fmt: skip
    assert reports.better(looks) == (HexLook("C13", "half", True), HexLook("B13", "count"))


# ------------------------------------------------------------------- who reacts


@pytest.mark.rule("21.2")
def test_who_may_react_is_the_same_in_every_view_and_shows_itself() -> None:
    """A battery cannot attack; a counter that may be a battalion may be one that reacts."""
    game, tags = scouted(9)
    decision = asked(game)
    assert (decision.side, decision.stage) == (R, "react")
    assert {*recon.may_react(game.state.position, "C13", "N-Cab-1")} == {*tags.values()}
    own = game.view(R)
    assert [words(each.message) for each in kernel.violations(own, o.React(("R-77/12",)))]
    game.order(o.React(("R-1/19",), "R-1/19"))
    assert game.state.position.at("R-1/19") == "C13" and tags["R-2/19"] in game.state.position.hexes
    only = {"all": ("R-77/12",)}
    guns, tag = turned_down(in_command(table({"B12": "N-Cab-1", "C13": "R-77/12"})), **only)
    assert recon.may_react(activated(guns, N), "C13", "N-Cab-1") == ()
    assert plain(GAME.public(guns)) and tag


def test_the_side_that_is_looked_at_is_never_asked_to_type_a_report() -> None:
    """Both questions only say what is so; no form is written for them."""
    for game in (reported(), game_of("R-1/19", stage=Measuring(R, "C13"))[0]):
        assert asked(game).only_says
        assert Side(asked(game).side) == R


# ------------------------------------------------------------------- any stack, any lie


def some_stack(rng: random.Random) -> FaceDownGame:
    """N looks into a hex with a random stack of R, some of which has lost points; each counter may
    be any of its kind of movement.
    """
    board = table({}).board
    army = [unit for unit in board.units_of[R] if not board.units[unit].is_headquarters]
    units = rng.sample(army, rng.randint(1, 6))
    position = in_command(table({"B12": "N-Cab-1", "C13": " ".join(units)}))
    position = position.but(options=frozenset(), lost={
        unit: 1 for unit in units if board.units[unit].troops > 1 and rng.random() < 0.3
    })  # fmt: skip
    down = position.down.lay(DECKS[R], R, 1, units)
    tags = down.newest(DECKS[R])
    for tag, unit in zip(tags, units, strict=True):
        alike = [other for other in army if board.units[other].kind == board.units[unit].kind]
        down = down.replaced((tag,), alike)
    position = position.but(
        down=down, stacks={**position.stacks, "C13": tags},
        away={**position.away, **dict.fromkeys(units, FACE_DOWN)},
    )  # fmt: skip
    game = FaceDownGame(state_of(position, N), rng, dict(zip(tags, units, strict=True)))
    game.order(o.Scout("N-Cab-1", "C13", picks=rng.choice(("", o.ASK))))
    return game


def lie(honest: o.ReportHexes, rng: random.Random) -> o.ReportHexes:
    """A report that says something else: of points, or of one of the types."""
    ((hex, so),) = honest.hexes.items()
    types = list(so.types)
    if types and rng.random() < 0.5:
        types[rng.randrange(len(types))] = rng.choice(("infantry", "artillery", "tank", "engineer"))
    points = so.points + rng.choice((-2, -1, 1, 2, 0))
    return o.ReportHexes({hex: o.ToldOfHex(points, tuple(sorted(types)))})


@pytest.mark.rule("7.3.4", "21")
def test_the_truth_passes_in_every_view_and_no_lie_stands_once_all_is_shown() -> None:
    """Of many stacks and dice: what is said of them, as it is and otherwise."""
    rng, found = random.Random("reports"), Counter[str]()
    for _ in range(16):
        game = some_stack(rng)
        dice = RandomDice(rng.randrange(1000))
        while isinstance(game.asked, Chance):
            game.roll(dice)
        if asked(game).stage == "pick":
            game.order(asked(game).default)
        if asked(game).stage == "react":
            game.order(reaction(game))
            found["react"] += 1
        if asked(game).stage not in ("report", "show"):
            continue
        game.show_what_is_asked()
        if asked(game).stage != "report":
            found["shown"] += 1
            continue
        honest = told(game)
        assert isinstance(honest, o.ReportHexes)
        false = lie(honest, rng)
        if false != honest:
            found[outcome(game, false)] += 1
        game.order(honest)
        found["told"] += 1
    assert set(found) == {"shown", "told", "refused", "found", "react"}, found


def reaction(game: FaceDownGame) -> Order:
    """All who can attack those who failed to find them, as their player sees it."""
    decision = kernel.waits_for(game.view(asked(game).side))
    assert isinstance(decision, Decision)
    (option,) = decision.options
    assert option.examples is not None
    orders = [each.order for each in option.examples(every)]
    legal = [order for order in orders if not kernel.violations(game.view(R), order)]
    return legal[-1]


def outcome(game: FaceDownGame, order: o.ReportHexes) -> str:
    """What comes of a lie: it is refused, or found when one counter after another is shown."""
    assert kernel.violations(game.view(R), order), "its owner's program would not say it"
    if kernel.violations(game.state, order):
        return "refused"
    state = kernel.submit(game.state, order).state
    for tag in state.position.tags_at("C13"):
        card = game.faces[tag]
        if GAME.pieces.misfit(state, tag, card):
            return "found"
        state = kernel.learn(state, GAME.hidden.openings(state.position, {tag: card})).state
    raise AssertionError(order)


# ------------------------------------------------------------------- new secrets


def with_new_secrets(game: FaceDownGame) -> None:
    """R's counters are laid anew and put back, and play goes on where it was."""
    events, agenda = GAME.hidden.renewed(game.state, R)
    state = State(game.state.position, agenda, game.state.seq)
    game.state = kernel.learn(state, events).state
    game._lay()
    game.roll(Dice())
    decision = kernel.waits_for(game.view(R))
    assert isinstance(decision, Decision) and decision.stage == "put back"
    game.order(decision.default)


@pytest.mark.rule("2.6", "11.5.3", "7.3.4")
@pytest.mark.parametrize("is_hit", [True, False])
def test_what_is_to_be_shown_is_shown_under_new_secrets_of_what_lies_there(is_hit: bool) -> None:
    """The old tags can no longer be opened by anybody: the game would wait for them for ever."""
    if is_hit:
        game, _ = game_of("R-CG-19B R-1/19 R-77/12 R-2/19")
        game.order(o.Bombard("C13", ("N-Art75-I",)))
        game.order(told(game))
        game.roll(Dice(10, 10))
    else:
        game, _ = scouted(3, picks=o.ASK)
        with_new_secrets(game)
        game.order(o.Pick({"C13": game.state.position.tags_at("C13")[1:]}))
    old = GAME.hidden.must_show(game.state)
    with_new_secrets(game)
    with_new_secrets(game)
    new = GAME.hidden.must_show(game.state)
    assert len(new) == len(old) and {*new} <= {*game.state.position.tags_at("C13")}
    faces = {game.faces[tag] for tag in new}
    game.show_what_is_asked()
    if is_hit:
        (lost,) = [each for each in game.events if isinstance(each, e.TroopsLost)]
        assert {lost.unit} == faces
    else:
        game.order(told(game))
        assert acts_again(game)


@pytest.mark.rule("9", "11.4", "7.4", "21.2")
def test_the_answers_to_a_question_stand_in_its_form() -> None:
    """Where the program says what is so, it is that alone."""
    measured, _ = game_of("R-1/19 R-77/12", stage=Measuring(R, "C13"))
    view = measured.view(R).position
    report = Reporting(R, (HexLook("C13", reports.FULL),), ()).ask(view)
    for decision in (Measuring(R, "C13").ask(view), SayingZones(R).ask(view), report):
        assert decision is not None
        (option,) = decision.options
        assert option.examples
        assert [each.order for each in option.examples(every)] == [decision.default]
    unmask = Unmasking(R, ("C13",)).ask(view)
    (option,) = unmask.options
    assert option.examples and unmask.policy == "antiaircraft"
    assert o.Unmask() in [each.order for each in option.examples(every)]
    assert asked(scouted(9)[0]).policy == "react"
