"""5.2: covered counters at one table: who has to be seen, what one that is not seen may be."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Side, State, Unfolding
from pbem.engine.policies import HELD, answering, reading, sealing
from pbem.games.ctv import events as e
from pbem.games.ctv.advice import COUNSEL
from pbem.games.ctv.orders import (
    NONE,
    Advance,
    Arrange,
    Attack,
    Backing,
    Breakthrough,
    Column,
    Done,
    Following,
    Move,
    Remain,
    Retreat,
    SetUp,
    Support,
    Trade,
    Uncover,
    UseColumns,
    Withdraw,
)
from pbem.games.ctv.policies import covered as covered_policies
from pbem.games.ctv.policies.table import TABLE
from pbem.games.ctv.position import ASIDE, ELIMINATED, Combat, Position
from pbem.games.ctv.rules import bombardment, columns, combat, cover, fate, setup, stacking, war
from pbem.games.ctv.rules.naming import called, counted, in_order, place
from pbem.games.ctv.stages.combat import (
    Advancing,
    BreakingThrough,
    Clash,
    Driven,
    Ends,
    Fighting,
    Supporting,
    UsingColumns,
)
from pbem.games.ctv.stages.cover import BeforeSurrender, Showing, Uncovering, showings
from pbem.games.ctv.stages.movement import Marching, Segment
from pbem.games.ctv.stages.setup import SettingUp, sets_up
from pbem.games.ctv.stages.turn import LayingDown, Leaving, Offensive, Surrender
from pbem.games.ctv.system import UnitNames
from pbem.games.ctv.tables import COLUMN, HEADQUARTERS
from pbem.value import replace
from tests.games.ctv.table import Game, N, R, begun, covered, joined, system, table, tag_of


def bared(game: Any) -> Any:
    """The game once everything is shown that has to be."""
    while game.asks is not None and game.asks.only_shows:
        (slot, *_) = system().hidden.must_show(game.state)
        shown = e.CounterShown(game.asks.side, slot, game.position.face(slot))
        game._take(kernel.learn(game.state, (shown,)))
    return game


class Views:
    """A question as its author sees it, and as everybody does."""

    def __init__(self, position: Position, stage: Any) -> None:
        self.own = State(position, (stage,))
        self.all = State(position.veiled(None), (stage,))
        self.side: Side = stage.side

    def worded(self, order: Any) -> Any:
        return system().hidden.worded(self.own, self.side, order)

    def shows(self, order: Any) -> set[str]:
        """The counters that an order shows, by name."""
        slots = system().hidden.shows(self.own, self.side, self.worded(order))
        return {self.own.position.face(slot) for slot in slots}

    def open(self, *units: str) -> Views:
        """The same once some of them are shown."""
        position, (stage,) = self.own.position, self.own.agenda
        for unit in units:
            position = e.CounterShown(self.side, tag_of(position, unit), unit).apply(position)
            assert stage.ask(position), "the order that shows it still answers"
        return Views(position, stage)

    def own_faults(self, order: Any) -> list[str]:
        return [each.rule for each in kernel.violations(self.own, order)]

    def faults(self, order: Any) -> list[str]:
        """What everybody holds against an order, as it is written."""
        return [each.rule for each in kernel.violations(self.all, self.worded(order))]

    def after(self, order: Any) -> kernel.Progress:
        return kernel.submit(self.all, system().pieces.meant(self.all.position, self.worded(order)))


def marching(known: dict[str, str], under: dict[str, str], side: Side, **more: Any) -> Views:
    position = covered(known, under, **more).but(active=side, segment="movement")
    return Views(position, Marching(side))


def fighting(known: dict[str, str], under: dict[str, str], side: Side, **more: Any) -> Views:
    position = covered(known, under, **more).but(active=side, segment="combat")
    return Views(position, Fighting(side))


LINE = {"2010": "R-168", "1911": "R-169"}


# ------------------------------------------------------------------- who lies on top


@pytest.mark.rule("5.2")
def test_who_comes_to_lie_on_top_or_alone_is_shown_with_the_order():
    views = marching({"2211": "N-FIN-8"}, {"2211": "N-FIN-10 N-HQ-FIN"}, N)
    away = Move(("N-FIN-8",), ("2311",))
    assert views.own_faults(away) == [] and views.faults(away) == ["5.2"]
    assert views.shows(away) == {"N-FIN-10"}, "troops before headquarters"
    assert views.open("N-FIN-10").faults(away) == []
    wished = Move(("N-FIN-8",), ("2311",), top=("N-HQ-FIN",))
    assert views.shows(wished) == {"N-HQ-FIN"}
    assert views.faults(wished) == ["5.2", "5.2"], "what is named on top, and who lies there"
    alone = Move(("N-FIN-10",), ("2311",))
    assert views.shows(alone) == {"N-FIN-10"} and views.faults(alone) == ["5.2"]
    both = Move(("N-FIN-10", "N-FIN-8"), ("2311",))
    assert views.shows(both) == {"N-HQ-FIN"}, "a known unit lies on top where they go"
    pair = Move(("N-FIN-10", "N-HQ-FIN"), ("2311",))
    assert views.shows(pair) == {"N-FIN-10"}, "one of them, who lies on top then"
    assert views.shows(Move(("N-FIN-10",), ())) == set(), "an order that leads nowhere"


@pytest.mark.rule("5.2")
def test_what_the_other_player_sees_of_a_stack_and_of_who_leaves_it():
    views = marching({"2010": "R-168", "2209": "R-167"}, {"2010": "R-169 R-HQ-52"}, R)
    places = system().picture.scene(views.own.position.veiled(N), N).places
    seen = {at: [unit.id for unit in places[at].units] for at in ("2010", "2209")}
    assert seen == {"2010": ["R-168", "", ""], "2209": ["R-167"]}
    assert views.shows(Move(("R-169",), ("2009",))) == {"R-169"}
    for top, shown in (((), "R-169"), (("R-HQ-52",), "R-HQ-52")):
        assert views.shows(Move(("R-168",), ("2009",), top=top)) == {shown}


@pytest.mark.rule("5.2")
def test_who_stays_or_comes_under_a_known_unit_stays_covered():
    known = {"2211": "N-FIN-8 N-R9M", "2311": "N-CEL"}
    views = marching(known, {"2211": "N-FIN-10 N-HQ-FIN"}, N)
    for order in (Move(("N-FIN-8",), ("2311",)), Move(("N-FIN-10",), ("2311",))):
        assert views.shows(order) == set() and views.own_faults(order) == views.faults(order) == []
    told = views.after(Move(("N-HQ-FIN",), ("2311",)))
    (moved,) = [each for each in told.events if isinstance(each, e.UnitsMoved)]
    assert moved.units == (tag_of(views.own.position, "N-HQ-FIN"),)
    assert told.state.position.units_at("2311") == ("N-CEL",), "nobody else is seen there"


@pytest.mark.rule("5.2")
def test_a_column_is_shown_where_it_comes_to_lie_alone():
    views = marching({"2211": "N-FIN-8"}, {"2211": "N-SC-1"}, N)
    assert views.shows(Move(("N-FIN-8",), ("2311",))) == {"N-SC-1"}
    assert views.shows(Move(("N-SC-1",), ("2311",))) == {"N-SC-1"}
    assert views.shows(Move(("N-FIN-8", "N-SC-1"), ("2311",))) == set()
    seen = marching({"2211": "N-FIN-8 N-SC-1"}, {"2211": "N-FIN-10"}, N)
    assert seen.faults(Move(("N-SC-1",), ("2311",))) == [], "nobody hides behind it"


@pytest.mark.rule("5.2")
def test_who_takes_a_hex_or_a_column_is_seen_to_be_no_column():
    known = {"2210": "N-FIN-8 N-R9M", "2010": "N-LIT-1", "1908": "R-168"}
    position = covered(known, {"2210": "N-LIT-2 N-FIN-10 N-SC-1"}).but(active=N, segment="movement")
    views = Views(position.but(control={**position.control, "2110": R}), Marching(N))
    through = Move(("N-LIT-2",), ("2110", "2010"))
    assert views.shows(through) == {"N-LIT-2"}
    two = replace(through, units=("N-LIT-2", "N-FIN-10"))
    assert views.shows(two) == {"N-FIN-10"}, "one of them"
    assert views.own_faults(through) == views.own_faults(two) == []
    assert views.open("N-LIT-2").faults(through) == views.open("N-FIN-10").faults(two) == []
    alone = Move(("N-LIT-2",), ("2110",))
    assert views.own_faults(alone) == [] and views.shows(alone) == {"N-LIT-2"}
    told = views.after(Move(("N-SC-1",), ("2110", "2010")))
    assert not any(isinstance(each, e.HexTaken) for each in told.events)
    there = told.state.position
    (tag,) = there.covers["2010"]
    assert {there.printed(piece).type for piece in there.may_be(tag)} == {COLUMN}


# ------------------------------------------------------------------- what it may be


@pytest.mark.rule("5.2")
def test_what_no_unit_could_do_is_refused_by_what_both_know():
    views = marching({"2211": "N-FIN-8 N-R9M"}, {"2211": "N-FIN-10"}, N)
    (tag,) = views.all.position.covers["2211"]
    there_and_back = ("2212", "2211") * 5
    (fault,) = kernel.violations(views.all, Move((tag,), there_and_back))
    assert fault.rule == "5.2" and str(fault.message).startswith("no unit could do this")
    assert views.faults(Move((tag,), there_and_back[:2])) == []
    position = views.own.position
    down = position.down.narrowed(tag, lambda piece: piece != "N-FIN-10")
    back = Move((tag,), there_and_back[:2])
    (other,) = cover.could_do_it(Marching(N), position.but(down=down), back)
    assert other.rule == "5.2", "its owner knows that it is none of those that it may be"


@pytest.mark.rule("5.2", "8.1.1")
def test_only_a_column_marches_where_no_line_of_supply_would_lead_unless_agreed():
    there = {"1909": "R-177", "1911": "R-169", "2010": "N-LIT-1"}
    for options, cut, is_column in (((), True, True), (("unsupplied_are_exempt",), True, False),
                                    (("unsupplied_are_exempt",), False, True)):  # fmt: skip
        position = covered(there, {"2010": "N-FIN-8"}, options)
        (tag,) = position.covers["2010"]
        position = position.but(unsupplied=frozenset({tag}) if cut else frozenset())
        able = cover.who_could(position, Marching(N), Move(("N-LIT-1", tag), ("1910",)))[tag]
        types = {position.printed(piece).type for piece in able}
        assert COLUMN in types and (types == {COLUMN}) == is_column


@pytest.mark.rule("5.2", "5.1.1", "9.2")
def test_a_hex_in_doubt_is_bare_where_all_may_be_ruined_or_no_troops_are_seen():
    for known, is_bare in (("N-LIT-1", False), ("N-LIT-1 N-LIT-2 N-FIN-8", True),
                           ("N-HQ-LIT", True)):  # fmt: skip
        position = covered({"2110": known}, {"2110": "N-R9M"})
        doubtful = position.but(in_doubt=frozenset({"2110"}))
        assert list(cover.bare(doubtful, N)) == ["2110"] * is_bare
        assert showings(doubtful), "the doubt is settled, if need be without a showing"
        assert list(cover.bare(position, N)) == [] and showings(position) == ()


@pytest.mark.rule("5.2")
def test_units_and_covered_counters_in_a_sentence_and_in_a_vocabulary():
    """Covered ones are counted by their hexes; whoever errs is told who is the enemy's."""
    position = covered({"2110": "N-FIN-8"}, {"2110": "N-R9M N-LIT-1"})
    units = ("N-FIN-8", *position.covers["2110"])
    assert [str(each) for each in counted(position, units)] == [
        str(called(position, "N-FIN-8")), "2 covered counters in 2110",
    ]  # fmt: skip
    names = system().names(State(position, ()), N, Move, answering=False)
    assert isinstance(names, UnitNames)
    assert names.is_theirs("R-168") and not names.is_theirs("N-FIN-8")


@pytest.mark.rule("5.2")
def test_a_march_leaves_in_the_field_only_who_could_make_it():
    views = marching({"2211": "N-FIN-8", "2510": "N-NI-1"}, {"2211": "N-LIT-1 N-CII-1"}, N)
    far = ("2210", "2310", "2410", "2510")
    told = views.after(Move(("N-LIT-1",), far))
    position = told.state.position
    (tag,) = position.covers["2510"]
    left, before = position.may_be(tag), views.own.position.may_be(tag)
    slow = {piece for piece in before if position.values(piece).move < 8}
    assert "N-LIT-1" in left and "N-CII-1" in slow and not slow & set(left)
    assert {kind.__name__ for kind in map(type, told.events)} == {"UnitsMoved", "CounterNarrowed"}
    assert views.own_faults(Move(("N-CII-1",), far)) == ["8.1"], "its owner knows better"
    assert views.faults(Move(("N-CII-1",), far)) == [], "another could do it"
    lie = views.after(Move(("N-CII-1",), far)).state.position
    (tag,) = lie.covers["2510"]
    assert "cannot have done" in str(system().pieces.misfit(State(lie, ()), tag, "N-CII-1"))
    assert not system().pieces.misfit(
        State(position, ()), tag_of(views.own.position, "N-LIT-1"), "N-LIT-1"
    )


@pytest.mark.rule("5.2")
def test_what_nobody_could_do_is_refused_at_once():
    views = marching({"2211": "N-FIN-8", "1701": "N-NI-1"}, {"2211": "N-LIT-1"}, N)
    narrow = views.own.position.down.narrowed(
        tag_of(views.own.position, "N-LIT-1"), lambda piece: piece in ("N-CII-1", "N-CII-2")
    )
    views = Views(views.own.position.but(down=narrow), views.own.agenda[0])
    far = Move(("N-LIT-1",), ("2210", "2310", "2410", "2510"))
    assert views.faults(far) == ["5.2"]


@pytest.mark.rule("5.2", "6.2.1", "8.1.1")
def test_a_covered_counter_that_stays_behind_holds_the_line_of_supply():
    known = {"2010": "N-LIT-1", "1909": "R-177", "1911": "R-169"}
    position = covered(known, {"2010": "N-LIT-2"})
    position = joined(position.but(control={**position.control, "1910": R}), "1910", "N-LIT-1")
    game = begun(position, Advancing(N, "0/0"), Ends())
    assert game.asks and game.asks.stage == "advance"
    assert game.broken(Advance(("N-LIT-1",), "1910")) == []
    through = begun(position, Advancing(N, "B"), Ends())
    assert through.broken(Breakthrough({"N-LIT-1": ("1910",)})) == []
    assert begun(joined(covered(known, {}), "1910", "N-LIT-1"), Advancing(N, "0/0")).asks is None


BROKEN = {"2110": "N-LIT-1 N-LIT-2 N-3PZ1", "1909": "N-FIN-8"}


@pytest.mark.rule("5", "5.1.1", "5.2", "10.4.1")
def test_a_breakthrough_does_not_end_on_covered_counters_beyond_the_limit():
    both = Breakthrough({"N-LIT-1": ("2010", "1909"), "N-LIT-2": ("2010", "1909")})
    armour = Breakthrough({"N-3PZ1": ("2010", "1909")})
    attackers = BROKEN["2110"].split()
    for under, order, fault in (("N-FIN-10", both, "5.1.1"), ("N-4T26", armour, "5"),
                                ("N-4T26", both, ""), ("N-FIN-10", armour, "")):  # fmt: skip
        position = joined(covered(BROKEN, {"1909": under}), "2010", *attackers)
        views = Views(position, BreakingThrough(N))
        assert views.own_faults(order) == ([fault] if fault else [])
        assert views.faults(order) == [], "nobody else knows"


@pytest.mark.rule("5", "5.2", "10.4.1")
def test_a_breakthrough_said_ahead_reckons_with_all_that_covered_counters_may_be():
    attackers = BROKEN["2110"].split()
    ways = dict.fromkeys(attackers, ("2010", "1909"))
    attack = Attack("2010", {"2110": tuple(attackers)}, breakthrough=ways)
    for under, ends in (
        ({}, ["1909", "1909", "1909"]),
        ({"1909": "N-HQ-FIN"}, ["1909", "2010", "2010"]),
    ):
        position = covered(BROKEN, under)
        began = e.BattleBegan(N, "2010", tuple(attackers), attack).apply(position)
        for view in (began, began.veiled(None)):
            game = begun(view.but(active=N, segment="combat"), Advancing(N, "B"))
            assert game.where(*attackers) == ends
        own = BreakingThrough(N).as_far(began, ways.items())
        assert {*own.paths.values()} == {("2010", "1909")}, "an answer that its owner gives"


@pytest.mark.rule("5.2", "6.4")
def test_supply_is_the_same_for_all_of_a_hex_and_columns_need_none():
    known = {"1505": "N-FIN-8", "1404": "R-168", "1406": "R-169", "1604": "R-170", "1606": "R-171"}
    position = covered(known, {"1505": "N-SC-1 N-LIT-1"})
    story: Unfolding[Position] = Unfolding(position)
    fate.judge_supply(story)
    tags = {tag_of(position, unit) for unit in ("N-SC-1", "N-LIT-1")}
    assert tags | {"N-FIN-8"} <= story.position.unsupplied
    shown = story.position
    for unit in ("N-SC-1", "N-LIT-1"):
        shown = e.CounterShown(N, tag_of(position, unit), unit).apply(shown)
    assert "N-LIT-1" in shown.unsupplied and "N-SC-1" not in shown.unsupplied


# ------------------------------------------------------------------- attacks


@pytest.mark.rule("5.2")
def test_who_attacks_is_shown_and_so_is_who_and_what_supports():
    known = {"2110": "N-LIT-1", "2111": "N-R9M", "2010": "R-168"}
    views = fighting(known, {"2110": "N-LIT-2", "2111": "N-HQ-LIT N-SC-1"}, N)
    attack = Attack("2010", {"2110": ("N-LIT-2",)}, Backing(hq=("N-HQ-LIT",), columns={"2111": 1}))
    assert views.own_faults(attack) == [], views.own_faults(attack)
    assert views.shows(attack) == {"N-LIT-2", "N-HQ-LIT", "N-SC-1"}
    assert views.faults(attack) != []
    told = views.open("N-LIT-2", "N-HQ-LIT", "N-SC-1").after(attack)
    (given, columns) = [each for each in told.events if isinstance(each, e.SupportGiven)]
    assert given.units == ("N-HQ-LIT",) and columns.units == ("N-SC-1",)
    assert views.open("N-LIT-2").faults(attack) != []


@pytest.mark.rule("5.2")
def test_who_stays_behind_is_shown_with_an_attack_of_all_who_lie_on_top():
    """Losses or an advance may take them all away, behind the dice of the other's mail."""
    known = {"2110": "N-LIT-1 N-CEL", "2010": "R-168"}
    attack = Attack("2010", {"2110": ("N-LIT-1", "N-CEL")}, support="none")
    views = fighting(known, {"2110": "N-ARD N-HQ-LIT"}, N)
    assert views.shows(attack) == {"N-ARD"} and views.faults(attack) == ["5.2"]
    assert views.open("N-ARD").faults(attack) == []
    one_stays = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    assert views.shows(one_stays) == set() and views.faults(one_stays) == []


@pytest.mark.rule("5.2", "9.2")
def test_where_no_troops_stay_behind_an_attack_all_are_shown():
    """A headquarters alone would go, and what goes with it has to be known."""
    known = {"2110": "N-LIT-1", "2010": "R-168"}
    views = fighting(known, {"2110": "N-HQ-LIT N-SC-1"}, N)
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    assert views.shows(attack) == {"N-HQ-LIT", "N-SC-1"}
    assert views.open("N-HQ-LIT").faults(attack) == ["5.2"]
    assert views.open("N-HQ-LIT", "N-SC-1").faults(attack) == []


@pytest.mark.rule("5.2")
def test_all_in_an_attacked_hex_are_shown_before_anybody_bombards():
    known = {"2110": "N-LIT-1", "2010": "R-168"}
    views = fighting(known, {"2010": "R-169 R-HQ-XV"}, N)
    told = views.after(Attack("2010", {"2110": ("N-LIT-1",)}, support="none"))
    stage = told.state.agenda[-1]
    assert stage == Showing(R, "2010") and kernel.waits_for(told.state).only_shows
    state = told.state
    for _ in range(2):
        (slot, *_) = system().hidden.must_show(state)
        face = views.own.position.face(slot)
        events = system().hidden.openings(state.position, {slot: face})
        state = kernel.learn(state, events).state
    assert not isinstance(state.agenda[-1], Showing)
    assert {*state.position.units_at("2010")} == {"R-168", "R-169", "R-HQ-XV"}


@pytest.mark.rule("5.2", "9.2")
def test_a_covered_headquarters_left_alone_by_a_loss_is_shown_and_destroyed():
    position = covered({"2110": "N-CEL", "2010": "R-168"}, {"2110": "N-HQ-LIT N-SC-1"})
    position = joined(position, "2010", "N-CEL")
    story: Unfolding[Position] = Unfolding(position)
    fate.lose_step(story, "N-CEL")
    assert story.position.in_doubt == {"2110"}
    game = begun(story.position, Ends())
    bared(game)
    assert game.position.places["N-HQ-LIT"] == ELIMINATED and not game.position.in_doubt
    assert game.position.places["N-SC-1"] == "2110"
    # It is no other where troops of another hex have been driven in, and its own go on.
    known = {"2206": "R-172", "2305": "R-179", "2306": "N-NI-1 N-NI-2 N-NI-3"}
    position = joined(covered(known, {"2305": "R-HQ-52"}), "2306", "R-172", "R-179")
    game = begun(position, *(Driven(R, (unit,), False) for unit in ("R-172", "R-179")), Ends())
    game.order(Retreat("2305")).order(Retreat("2205"))
    bared(game)
    assert game.position.places["R-HQ-52"] == ELIMINATED and not game.position.in_doubt
    assert game.position.places["R-172"] == "2305"
    # Who is driven into a hex from which nobody fought lies on top there.
    known = {"2305": "R-HQ-53 R-172", "2206": "R-179", "2306": "N-NI-1"}
    position = joined(covered(known, {"2305": "R-170"}), "2306", "R-179")
    for hexes, bare in (({"2206"}, []), ({"2206", "2305"}, ["2305"])):
        battle = replace(position.battle, came_from=frozenset(hexes), fallen_back=("R-172",))
        now = position.but(battle=battle, in_doubt=frozenset({"2305"}))
        assert [*cover.bare(now, R)] == bare


@pytest.mark.rule("5.2", "7.1.1", "10.5.1")
def test_covered_counters_that_dead_attackers_leave_are_shown_and_have_a_zone_covered_too():
    known = {"2110": "N-CEL", "2010": "R-168"}
    for under, ways in (({"2110": "N-LIT-1"}, ("1909", "1910", "2009")), ({}, None)):
        position = joined(covered(known, under), "2010", "N-CEL")
        game = bared(begun(position, Clash(N), Ends()).roll(6))
        assert game.where("N-CEL") == [ELIMINATED] and game.asks.stage == "trade"
        found = combat.trade_ways(game.position, "2010")
        assert found == ways if ways else {"2011", "2109"} <= {*found}
    position = covered({"2010": "R-168"}, {"2110": "N-LIT-1"})
    tag = tag_of(position, "N-LIT-1")
    assert position.is_in_enemy_zone("2109", R)
    assert not position.but(unsupplied=frozenset({tag})).is_in_enemy_zone("2109", R)


def open_and_covered(known: dict[str, str], under: dict[str, str], **more: Any) -> list[Game]:
    """The combat of the Nationalist in the same position, with open counters and with covered."""
    together = {hex: f"{units} {under.get(hex, '')}" for hex, units in known.items()}
    open_one = table(together, unsupplied=frozenset(), **more)
    both = (open_one, covered(known, under, **more).but(control=open_one.control))
    return [begun(each.but(active=N, segment="combat"), Fighting(N)) for each in both]


@pytest.mark.rule("10.2", "9.2", "5.2")
def test_a_headquarters_left_alone_at_the_supply_check_fights_no_more_open_or_covered():
    known = {"1909": "R-168", "1809": "N-CEL", "1908": "N-LIT-2", "1910": "N-FIN-8 N-HQ-CTV",
             "2009": "N-FIN-10"}  # fmt: skip
    units = {"1910": ("N-FIN-8",), "2009": ("N-FIN-10",)}
    support = Backing(("N-LK-1",), ("N-HQ-CTV",))
    attack = Attack("1909", units, support, advance=Following(("N-FIN-8",), "1909"))
    for under in ("R-HQ-52", "R-SC-1", "R-HQ-52 R-SC-1"):
        more = {"levels": {"R-168": 2}, "trenches": frozenset({"1909"})}
        for game in open_and_covered(known, {"1909": under}, **more):
            bared(game.order(attack))
            assert game.where("R-168", "N-FIN-8") == [ELIMINATED, "1909"]
            assert game.position.battle is None, "the attack is over, without any dice"
            assert not (game.position.used or game.position.trenches or game.position.in_doubt)
            if "HQ" in under:
                assert game.where("R-HQ-52") == [ELIMINATED]


@pytest.mark.rule("10.2", "9.4.1", "5.2")
def test_covered_troops_that_outlive_the_supply_check_are_bombarded():
    known = {"1909": "R-168", "1809": "N-CEL", "1908": "N-LIT-2", "1910": "N-FIN-8",
             "2009": "N-FIN-10"}  # fmt: skip
    attack = Attack("1909", {"1910": ("N-FIN-8",)}, Backing(("N-LK-1",)))
    for game in open_and_covered(known, {"1909": "R-169"}, levels={"R-168": 2}):
        bared(game.order(attack))
        assert (game.position.used, game.asks.stage) == ({"N-LK-1"}, "support")


@pytest.mark.rule("5.1.1", "10.5.1", "10.6", "5.2")
def test_all_are_ruined_before_the_die_for_morale_open_or_covered():
    known = {"2009": "R-168 R-169", "1908": "R-170", "2010": "N-LIT-1 N-LIT-2",
             "2109": "N-FIN-8 N-FIN-10"}  # fmt: skip
    units = {"2010": ("N-LIT-1", "N-LIT-2"), "2109": ("N-FIN-8", "N-FIN-10")}
    for game in open_and_covered(known, {"1908": "R-171"}, marker=5):
        game.order(Attack("2009", units, NONE)).default().roll(6).order(Trade("1908")).default()
        bared(game)
        assert game.where("R-168", "R-169", "R-170", "R-171") == [ELIMINATED] * 4
        assert game.asks.stage == "advance" and not game.position.in_doubt


@pytest.mark.rule("5.2", "9.2")
def test_troops_that_lie_covered_keep_a_headquarters_in_the_hex():
    position = covered({"2110": "N-CEL N-HQ-LIT", "2010": "R-168"}, {"2110": "N-LIT-1"})
    story: Unfolding[Position] = Unfolding(joined(position, "2010", "N-CEL"))
    fate.lose_step(story, "N-CEL")
    game = begun(story.position, Ends())
    (slot,) = system().hidden.must_show(game.state)
    game._take(kernel.learn(game.state, (e.CounterShown(N, slot, "N-LIT-1"),)))
    assert game.where("N-HQ-LIT", "N-LIT-1") == ["2110", "2110"]


@pytest.mark.rule("5.1.1", "5.2")
def test_a_retreat_onto_covered_counters_shows_them_where_all_may_be_ruined():
    known = {"2009": "R-168 R-169", "1908": "R-170"}
    position = covered(known, {"1908": "R-171 R-HQ-XV"})
    story: Unfolding[Position] = Unfolding(position.with_units(("R-169",), "1908"))
    fate.retreat(story, ("R-168",), "1908", is_forced=True)
    assert story.position.in_doubt == {"1908"} and showings(story.position), "6 known points of 8"
    few: Unfolding[Position] = Unfolding(covered({"2009": "R-168", "1908": "R-170"},
                                                 {"1908": "R-HQ-XV"}))  # fmt: skip
    fate.retreat(few, ("R-168",), "1908", is_forced=True)
    assert few.position.in_doubt == frozenset()


@pytest.mark.rule("5.2", "10.1")
@pytest.mark.parametrize(("under", "hexes"), [
    ({"2110": "N-LIT-1"}, ["2010"]), ({}, []), ({"2111": "N-LIT-1"}, []), ({"1909": "R-169"}, []),
])  # fmt: skip
def test_combat_is_asked_for_where_a_covered_counter_may_attack(under: Any, hexes: Any) -> None:
    known = {"2110": "N-HQ-LIT", "2111": "N-HQ-CTV", "2010": "R-HQ-XV"}
    position = covered(known, under).veiled(None)
    assert list(combat.targets(position, N)) == hexes
    asked = begun(position.but(active=N, segment="combat"), Fighting(N)).asks
    assert (asked is not None) == bool(hexes), "combat ends by itself where nobody can attack"


@pytest.mark.rule("5.2", "9.3.1", "5.1", "9.3")
def test_no_more_is_shown_than_an_order_needs() -> None:
    there = {"2110": "N-LIT-1 N-R9M N-HQ-CTV", "2010": "R-168"}
    guns = Backing((), ("N-HQ-CTV",), {"2110": 1})
    views = fighting(there, {"2110": "N-SC-1 N-HQ-LIT"}, N)
    assert views.shows(Attack("2010", {"2110": ("N-LIT-1",)}, guns)) == {"N-SC-1"}
    unused = Attack("2010", {"2110": ("N-LIT-1",)}, replace(guns, columns={"2110": 0}))
    assert views.shows(unused) == set()
    crowd = fighting({"2110": "N-LIT-1", "2010": "R-168"}, {"2110": "N-ARD N-CEL N-LIT-2"}, N)
    for attackers in (("N-LIT-1",), ("N-LIT-1", "N-LIT-2")):
        shown = crowd.shows(Attack("2010", {"2110": attackers}))
        assert "N-LIT-2" in shown and len(shown) == 2, "five points of seven are enough to tell"
    moving = marching({"2211": "N-FIN-8 N-SC-1", "2110": "N-LIT-1"}, {"2211": "N-HQ-FIN"}, N)
    pair = Move(("N-SC-1", "N-HQ-FIN"), ("2311",))
    assert moving.shows(pair) == {"N-HQ-FIN"} and moving.open("N-HQ-FIN").faults(pair) == []
    assert moving.shows(Column("2213")) == set(), "two hexes from the headquarters"
    assert columns.next_column(moving.all.position, N) == "N-SC-5", "the others lie covered"


@pytest.mark.rule("5.1.1", "5.2", "13.2")
def test_a_field_counts_for_what_is_left_in_it() -> None:
    position = covered({"1514": "R-170"}, {"1514": "R-157 R-171"})
    one, two = position.covers["1514"]
    santander = position.down.narrowed(one, lambda piece: piece in ("R-166", "R-171"))
    now = position.but(down=santander)
    assert war.may_be_basques(position) == (one, two) and war.may_be_basques(now) == (two,)
    assert stacking.points_at_most(now, (one,)) == 2
    nobody = now.but(down=santander.narrowed(one, lambda piece: False))
    assert stacking.points_at_most(nobody, (one,)) == 0, "which the audit will find"


@pytest.mark.rule("5.1.1", "5.2")
@pytest.mark.parametrize(("coming", "is_in_doubt"), [("N-CEL", False), ("N-FIN-8", True)])
def test_an_end_is_in_doubt_from_twice_the_limit_on(coming: str, is_in_doubt: bool) -> None:
    position = covered({"2110": "N-LIT-1 N-LIT-2", "2211": "N-CEL N-FIN-8"}, {"2110": "N-ARD"})
    (tag,) = position.covers["2110"]
    down = position.down.narrowed(tag, lambda piece: piece in ("N-R9M", "N-23M-A"))
    found = stacking.doubts_of_end(position.but(down=down), "2110", N, (coming,))
    assert [rule for _, rule in found] == ["5.1.1"] * is_in_doubt, "4 known, 2 covered, of 8"


@pytest.mark.rule("5.2", "13.2")
def test_who_of_the_covered_is_a_basque_brigade_is_known_of_all_together() -> None:
    position = covered({"1514": "R-170"}, {"1514": "R-157 R-171 R-HQ-48"})
    everybody = position.veiled(None)
    printed = position.board.units.items()
    brigades = {unit for unit, each in printed if each.nation == "basque" and each.is_brigade}
    assert set(war.covered_basques(position)) == set(war.covered_basques(everybody)) == brigades
    assert war.keep_in_the_war(position) == (tag_of(position, "R-157"),)
    assert war.keep_in_the_war(everybody) == (), "which of them it is their owner knows alone"


@pytest.mark.rule("5.2", "9.4.1")
def test_support_is_asked_for_where_a_covered_counter_may_be_a_headquarters():
    known = {"2110": "N-LIT-1", "2010": "R-168", "1909": "R-169"}
    for lies, hexes in (("R-HQ-XV", True), ("R-170", True)):
        position = joined(covered(known, {"1909": lies}), "2010", "N-LIT-1").but(weather="rain")
        asked = Supporting(R).ask(position.veiled(None))
        assert bool(asked) == hexes, "nobody else knows which it is"
        views = Views(position, Supporting(R))
        order = Support(hq=(lies,), columns="none")
        assert (views.own_faults(order) == []) == (lies == "R-HQ-XV")
    assert views.shows(Support(hq=("R-170",))) == {"R-170"}
    around = {"1808": "N-NI-1", "1810": "N-NI-2", "2008": "N-NI-3", "2011": "N-FIN-8"}
    for more, lies in (({}, "1604"), (around, "1909")):
        position = covered({**known, **more}, {lies: "R-HQ-XV"})
        asked = joined(position, "2010", "N-LIT-1").but(weather="rain")
        assert Supporting(R).ask(asked) is None, "too far away, and out of supply"


@pytest.mark.rule("5.2", "9.4.1")
def test_who_is_asked_only_because_a_covered_counter_may_be_a_headquarters_can_answer():
    known, hq = {"2110": "N-LIT-1 N-CEL", "2010": "R-168"}, "N-HQ-LIT"
    views = fighting(known, {"2110": "N-SC-1"}, N, weather="rain")
    game = Game(views.own)
    attack = Attack("2010", {"2110": ("N-LIT-1",)})
    *_, nobody, asked = map(str, COUNSEL.remarks(game.state, attack))
    assert nobody == "it rains, and no headquarters is near: nobody of yours can bombard"
    assert asked.startswith("you are asked for support all the same: ")
    assert game.order(attack).asks.side == N
    for order in (Support(), Support(columns="none")):
        assert game.broken(order) == []
        (told,) = map(str, COUNSEL.remarks(game.state, order))
        assert told.startswith("if nothing more bombards: the hex is given up ")
    with_guns = fighting(known, {"2110": f"N-SC-1 {hq}"}, N, weather="rain")
    *_, able = map(str, COUNSEL.remarks(with_guns.own, attack))
    assert able == f"you can bombard with Littorio HQ ({hq})"


def without_guns(position: Position, unit: str) -> Position:
    """The same, if what a unit lies as has done what no headquarters could."""
    tag = tag_of(position, unit)
    troops = position.down.narrowed(tag, lambda piece: position.printed(piece).type != HEADQUARTERS)
    return position.but(down=troops)


@pytest.mark.rule("5.2", "9.2", "9.3")
def test_a_counter_that_can_be_no_headquarters_neither_fires_nor_has_a_column_come() -> None:
    position = covered({"2110": "N-LIT-1", "2010": "R-168"}, {"2110": "N-LIT-2"})
    lacking = position.but(unsupplied=frozenset({tag_of(position, "N-LIT-2")}))
    others = (without_guns(position, "N-LIT-2"), lacking)
    first = position.but(turn=1)
    assert columns.may_come_to(first, N) == () and first.turn + 1 == position.turn
    cut = covered({"2110": "N-LIT-1", "2010": "R-168", "2012": "R-170", "2211": "R-178"},
                  {"2110": "N-LIT-2"})  # fmt: skip
    assert cut.is_cut_off(tag_of(cut, "N-LIT-2"))
    for there, may in ((position, True), *((each, False) for each in others)):
        assert ("2111" in columns.may_come_to(there.veiled(None), N)) is may
    for there, may in ((position, True), (others[0], False), (lacking, True), (cut, False)):
        attack = joined(there, "2010", "N-LIT-1").veiled(None)
        assert bombardment.may_support(attack, Combat("2010", ("N-LIT-1",)), N) is may


@pytest.mark.rule("5.2", "9.3.1")
def test_a_covered_column_is_shown_when_it_is_used():
    known = {"2110": "N-LIT-1", "2111": "N-HQ-CTV", "2010": "R-168"}
    position = joined(covered(known, {"2111": "N-SC-1"}), "2010", "N-LIT-1", support="N-HQ-CTV")
    views = Views(position, UsingColumns(N))
    assert kernel.waits_for(views.all) is not None
    use = UseColumns({"2111": 1})
    assert views.own_faults(use) == [] and views.shows(use) == {"N-SC-1"}
    assert views.faults(use) == ["9.3.1"] and views.open("N-SC-1").faults(use) == []
    moved = position.but(moved=frozenset({tag_of(position, "N-SC-1")}))
    assert UsingColumns(N).ask(moved) is None
    answering = begun(moved, Segment(R, "movement"), Marching(R)).position
    assert answering.moved == moved.moved, "it is of no use to the enemy's phase either"


@pytest.mark.rule("5.2", "9.3.1")
def test_columns_are_asked_for_where_one_may_lie_beside_a_gun_of_its_side():
    known = {"2110": "N-LIT-1", "2111": "N-HQ-CTV", "2113": "N-R9M", "2010": "R-168 R-HQ-XV"}
    for hex, support, asks in (
        ("2110", "N-HQ-CTV N-LK-1", True),
        ("2113", "N-HQ-CTV N-LK-1", False),
        ("2110", "R-HQ-XV N-LK-1", False),
    ):
        position = joined(covered(known, {hex: "N-LIT-2"}), "2010", "N-LIT-1", support=support)
        assert (UsingColumns(N).ask(position) is not None) is asks, "it may be one, as far as seen"
    position = joined(covered(known, {"2110": "N-LIT-2"}), "2010", "N-LIT-1", support="N-HQ-CTV")
    (tag,) = position.covers["2110"]
    down = position.down.narrowed(tag, lambda piece: piece == "N-LIT-2")
    assert UsingColumns(N).ask(position.but(down=down)) is None, "both know that it is none"


# ------------------------------------------------------------------- columns, withdrawals


@pytest.mark.rule("5.2", "9.3")
def test_a_column_that_comes_beside_a_covered_headquarters_shows_it():
    known = {"2110": "N-LIT-1", "2111": "N-R9M"}
    views = marching(known, {"2111": "N-HQ-LIT", "2110": "N-LIT-2"}, N)
    order = Column("2112")
    assert views.own_faults(order) == [] and views.shows(order) == {"N-HQ-LIT"}
    assert views.faults(order) == ["9.3"] and views.open("N-HQ-LIT").faults(order) == []
    offered = [each.order for each in kernel.waits_for(views.all).options]
    assert Column in offered, "the question is the same for everybody"
    position = views.own.position
    no_exits = dict.fromkeys(position.board.exits[N], R)
    inland = Views(position.but(control={**position.control, **no_exits}), Marching(N))

    def hexes(state: Any) -> set[str]:
        options = kernel.waits_for(state).options
        return {*next(each.fields["at"].values for each in options if each.order is Column)}

    assert "2112" in hexes(views.own) and "2109" not in hexes(views.own), "beside 2110 alone"
    assert {"2109", "2112"} < hexes(inland.all), "whatever may be"


@pytest.mark.rule("5.2", "12.3")
def test_a_covered_unit_that_leaves_is_shown_and_counts_as_one_that_may():
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-NI-1 N-HQ-LIT"})
    views = Views(position, Leaving(2, 0))
    assert war.how_many_may_leave(position.veiled(None), "infantry") >= 2
    order = Withdraw(("N-LIT-1", "N-NI-1"))
    assert views.own_faults(order) == [] and views.shows(order) == {"N-NI-1"}
    told = views.open("N-NI-1").after(order)
    assert isinstance(told.state.agenda[-1], type(showings(told.state.position)[0])), (
        "a covered counter lies alone"
    )


# ------------------------------------------------------------------- the Basque surrender


def basques(under: str, hex: str = "1517", known: str = "R-168") -> Position:
    return covered({hex: known, "2010": "N-LIT-1"}, {hex: under}, turn=3)


def is_asked_for_a_brigade(position: Position) -> bool:
    return BeforeSurrender().run(position).then == (Uncovering(),)


@pytest.mark.rule("13.2", "5.2")
def test_a_brigade_in_view_near_the_line_prevents_the_roll_and_a_covered_one_if_shown():
    assert not Surrender().chance(basques("R-HQ-48", known="R-157")).draws
    position = basques("R-157")
    assert Surrender().chance(position).draws, "what lies covered keeps nobody in the war"
    assert is_asked_for_a_brigade(position)
    views = Views(position, Uncovering())
    asked = kernel.waits_for(views.all)
    assert asked.policy == "basques" and asked.default == Uncover() and asked.optional
    assert asked.options[0].fields["units"].values == (tag_of(position, "R-157"),)
    show = Uncover(("R-157",))
    assert views.own_faults(show) == [] and views.shows(show) == {"R-157"}
    shown = views.open("R-157").own.position
    assert not Surrender().chance(shown).draws and not is_asked_for_a_brigade(shown)
    assert views.own_faults(Uncover(("N-LIT-1",))) == ["13.2"]
    assert views.own_faults(Uncover(("R-157", "R-157"))) == ["13.2"]
    assert views.own_faults(Uncover(("R-158",))) == ["13.2"], "it is not on the map"
    told = begun(position, Uncovering()).order(show).all(e.CounterShown)
    assert [each.card for each in told] == ["R-157"]


@pytest.mark.rule("13.2", "5.2")
def test_nobody_is_asked_where_no_covered_counter_could_help():
    far = basques("R-157", hex="1505")
    assert Surrender().chance(far).draws and not is_asked_for_a_brigade(far)
    assert not is_asked_for_a_brigade(basques("R-157").but(wavering=True))
    assert not is_asked_for_a_brigade(basques("R-HQ-48", known="R-157"))


@pytest.mark.rule("13.2", "5.2")
def test_a_covered_brigade_helps_as_long_as_no_more_than_half_are_out_of_supply():
    cut = {"1717": "N-NI-1", "1618": "N-NI-2", "1619": "N-NI-3", "1719": "N-NII-1",
           "1818": "N-NII-2", "1819": "N-NII-3", "1514": "R-168"}  # fmt: skip
    for brigades, helps in (("R-157", True), ("R-157 R-159", False)):
        position = covered({**cut, "1718": brigades}, {"1514": "R-158"}, turn=3)
        others = {*war.covered_basques(position)} - {"R-158"}
        position = position.but(missing=frozenset(others))
        assert Surrender().chance(position).draws
        assert is_asked_for_a_brigade(position) is helps


@pytest.mark.rule("13.2", "5.2")
def test_no_more_covered_brigades_are_out_of_supply_than_there_are():
    cut = {"1717": "N-NI-1", "1618": "N-NI-2", "1619": "N-NI-3", "1719": "N-NII-1",
           "1818": "N-NII-2", "1819": "N-NII-3", "1718": "R-168", "1514": "R-157",
           "1513": "R-159"}  # fmt: skip
    for covered_too, wavers in (("R-158", False), ("R-158 R-160 R-161", True)):
        under = {"1718": "R-HQ-52 R-170 R-171", "1513": covered_too}
        position = covered(cut, under, turn=3)
        others = {*war.covered_basques(position)} - {*covered_too.split()}
        position = position.but(missing=frozenset(others))
        assert len(war.may_be_basques(position)) == 3 + len(covered_too.split())
        assert bool(Surrender().chance(position).draws) is wavers, "1 of 3, or 3 of 5"


@pytest.mark.rule("13.3", "5.2")
def test_covered_brigades_lay_down_their_arms_too():
    position = basques("R-157 R-160 R-170", known="R-159").but(wavering=True)
    game = begun(position, Surrender()).roll(1)
    assert proposed(game.asks) == [game.asks.default]
    assert {*game.asks.default.units} == {"R-157", "R-160"}, "as its owner knows; R-159 is seen"
    assert game.broken(Uncover((tag_of(position, "R-157"),))) == ["13.3"]
    game.default()
    gone = {each.unit for each in game.all(e.BrigadeSurrendered)}
    assert gone == {"R-157", "R-159", "R-160"}


def shown_one_by_one(game: Game, side: Side) -> list[str]:
    """Shows what has to be shown, as long as that is all that is asked; the units, in order."""
    found = []
    while game.asks is not None and game.asks.only_shows:
        slot = system().hidden.must_show(game.state)[0]
        found.append(game.position.face(slot))
        game._take(kernel.learn(game.state, (e.CounterShown(side, slot, found[-1]),)))
    return found


@pytest.mark.rule("13.3", "5.2")
@pytest.mark.parametrize(("under", "stays"), [("R-170", True), ("R-SC-1", False)])
def test_a_basque_headquarters_stays_with_troops_that_lie_covered(under: str, stays: bool) -> None:
    position = covered({"1513": "R-157", "1411": "R-HQ-48"}, {"1411": under}, turn=3)
    game = begun(position, LayingDown())
    assert shown_one_by_one(game, R) == [under]
    assert game.where("R-HQ-48") == ["1411" if stays else ELIMINATED]
    assert game.where("R-R1") == ["1513"]


@pytest.mark.rule("13.3", "5.2")
def test_who_lies_under_a_brigade_that_forms_no_battalion_is_shown():
    hexes = ("1513", "1512", "1511", "1412", "1413", "1411")
    brigades = ("R-157", "R-158", "R-159", "R-160", "R-161", "R-162")
    position = covered(dict(zip(hexes, brigades, strict=True)), {"1411": "R-170"}, turn=3)
    game = begun(position, LayingDown()).order(Remain(hexes[:5]))
    assert shown_one_by_one(game, R) == ["R-170"]


@pytest.mark.rule("12.3", "5.2")
def test_who_lies_under_units_that_all_leave_is_shown():
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-HQ-LIT"}, turn=4, offensive=3)
    others = {*position.down.hidden} & {*position.board.army[N]} - {"N-HQ-LIT"}
    position = position.but(missing=frozenset(others)).with_units(position.air(N), "off")
    game = begun(position, Offensive()).roll(1)
    assert game.where("N-LIT-1") == ["withdrawn"] and shown_one_by_one(game, N) == ["N-HQ-LIT"]


@pytest.mark.rule("12.3", "5.2")
def test_a_covered_unit_leaves_too_where_all_that_there_are_leave():
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-LIT-2 N-HQ-LIT"}, turn=4, offensive=3)
    others = {*position.down.hidden} & {*position.board.army[N]} - {"N-HQ-LIT", "N-LIT-2"}
    position = position.but(missing=frozenset(others)).with_units(position.air(N), "off")
    game = begun(position, Offensive()).roll(1)
    assert game.asks.default == Withdraw(("N-LIT-1", "N-LIT-2")), "its owner has to show it"
    bared(game.default())
    assert game.where("N-LIT-1", "N-LIT-2") == ["withdrawn"] * 2
    most = Views(position, Leaving(4, 0))
    assert most.own_faults(Withdraw(("N-LIT-1", "N-LIT-2"))) == [], "no more than there are"
    assert most.own_faults(Withdraw(("N-LIT-1",))) == ["12.3"]


@pytest.mark.rule("6.4", "5.2")
def test_who_lies_under_units_that_are_lost_without_supply_is_shown():
    known = {"1505": "N-FIN-8", "1404": "R-168", "1406": "R-169", "1604": "R-170", "1606": "R-171"}
    position = covered(known, {"1505": "N-LIT-1"}, levels={"N-FIN-8": 3})
    game = begun(position, Segment(N, "movement"))
    assert game.where("N-FIN-8") == [ELIMINATED] and shown_one_by_one(game, N) == ["N-LIT-1"]


def laid_down(position: Position, *hexes: str) -> Any:
    """The game once the Basques have laid down their arms, and all is shown that has to be."""
    game = begun(position.but(wavering=True), LayingDown())
    if hexes:
        game.order(Remain(hexes))
    return bared(game)


@pytest.mark.rule("13.3", "5.2")
def test_a_basque_headquarters_stays_on_covered_troops_and_goes_with_a_covered_column():
    for under, stays in (("R-170", True), ("R-SC-1 R-170", True), ("R-SC-1", False)):
        position = covered({"1517": "R-157", "1616": "R-HQ-48"}, {"1616": under})
        game = laid_down(position.but(trenches=frozenset({"1616"})))
        assert game.where("R-HQ-48") == ["1616" if stays else ELIMINATED]
        assert game.position.trenches == ({"1616"} if stays else set())
        assert not game.position.in_doubt


@pytest.mark.rule("13.3", "5.2")
def test_a_headquarters_that_lay_covered_under_a_brigade_goes_unless_it_has_troops():
    brigades = {"1518": "R-158", "1516": "R-159", "1515": "R-160", "1617": "R-161", "1616": "R-162"}
    for under, left in (
        ("R-HQ-48", []),
        ("R-HQ-48 R-170", ["R-HQ-48"]),
        ("R-HQ-48 R-BA6", ["R-HQ-48"]),
        ("R-HQ-48 R-TRU", ["R-HQ-48"]),
        ("R-HQ-XV", ["R-HQ-XV"]),
    ):
        position = covered({**brigades, "1517": "R-157"}, {"1517": under})
        game = laid_down(position, "1518", "1516", "1515", "1617", "1616")
        there = [game.position.face(unit) for unit in game.position.everybody_at("1517")]
        assert [unit for unit in there if "HQ" in unit] == left, under
    assert there == ["R-HQ-XV"], "those of others stay"


@pytest.mark.rule("13.3", "5.2")
@pytest.mark.parametrize(
    ("remain", "gone", "seen"),
    [
        ("1513 1513 1513 1512 1512", "R-HQ-50", ["R-HQ-50"]),
        ("1513 1513 1513 1411 1411", "R-HQ-49", []),
        ("1513 1512 1512 1411 1411", "", []),
    ],
)
def test_six_covered_brigades_lay_down_their_arms_and_leave_their_headquarters(
    remain: str, gone: str, seen: list[str]
) -> None:
    """All six are shown before the first goes. Of the headquarters only one is shown on which
    nobody lies any more: the others lie under troops, or under the battalions that go on.
    """
    under = {"1513": "R-157 R-158 R-159 R-HQ-48", "1512": "R-160 R-161", "1411": "R-162 R-HQ-50"}
    known = {"1513": "R-170", "1512": "R-HQ-49", "1411": "R-163"}
    game = begun(covered(known, under, turn=3).but(wavering=True), Surrender()).roll(1)
    six = {"R-157", "R-158", "R-159", "R-160", "R-161", "R-162"}
    assert game.asks is not None and {*game.asks.default.units} == six  # type: ignore[attr-defined]
    game.default()
    assert {each.card for each in game.all(e.CounterShown)} == six
    assert len(game.all(e.BrigadeSurrendered)) == 7
    game.order(Remain(tuple(remain.split())))
    assert shown_one_by_one(game, R) == seen
    assert not game.position.in_doubt
    left = {game.position.face(unit) or unit for hex in known
            for unit in game.position.everybody_at(hex)}  # fmt: skip
    assert {unit for unit in left if "HQ" in unit} == {"R-HQ-48", "R-HQ-49", "R-HQ-50"} - {gone}
    assert left.isdisjoint(six) and "R-170" in left and not {"R-163"} & left
    hidden = {game.position.face(tag) for tag in game.position.covered_on_map(R)}
    assert hidden & {"R-HQ-48", "R-HQ-50"} == {"R-HQ-48", "R-HQ-50"} - {gone}


# ------------------------------------------------------------------- set-up


@pytest.mark.rule("5.2", "4.1")
def test_the_set_up_names_tags_shows_tops_and_counts_what_it_hides():
    start = kernel.begin(system().setup("santander", frozenset())).state
    assert start.agenda[-1].chance(start.position).rule == "5.2"
    stage = SettingUp(R, "front")
    position = start.position
    faces = dict(zip(position.tags_of(R), sorted(position.board.covered[R]), strict=True))
    views = Views(position.but(down=position.down.known_too(faces)), stage)
    order = kernel.waits_for(views.own).default
    assert isinstance(order, SetUp) and order.columns and views.own_faults(order) == []
    written = views.worded(order)
    assert not written.columns and len(written.units) == len(order.units) + len(order.columns)
    hexes = {*order.units.values(), *order.columns}
    shown = views.shows(order)
    assert len(shown) == len(hexes), "one of each hex"
    assert views.faults(order) == ["5.2"] * len(hexes)
    done = views.open(*shown)
    assert done.faults(order) == []
    one = next(unit for unit in order.units if unit not in shown)
    fewer = SetUp({unit: hex for unit, hex in written.units.items()
                   if unit != tag_of(views.own.position, one)}, written.trenches)  # fmt: skip
    assert done.faults(fewer) == ["4.1"]
    seen = next(unit for unit in shown if position.printed(unit).type != COLUMN)
    known = done.worded(order).units
    less = SetUp({unit: hex for unit, hex in known.items() if unit != seen}, written.trenches)
    assert done.faults(less) == ["4.1"], "that one is named, and no number is told beside it"
    after = done.after(order).state.position
    assert after.places[tag_of(views.own.position, "R-185")] == ASIDE, "it waits for a die"
    hidden = next(tag for tags in after.covers.values() for tag in tags)
    assert not {"R-183", "R-184", "R-185"} & set(after.may_be(hidden))


@pytest.mark.rule("5.2", "4.3.1")
def test_what_the_reserve_leaves_out_is_shown():
    position = covered({}, {"1419": "R-157"}).but(turn=0)
    ready = [tag_of(position, unit) for unit in ("R-178", "R-179", "R-180", "R-HQ-55")]
    views = Views(position.with_units(ready, ASIDE), SettingUp(R, "reserve"))
    order = SetUp({"R-178": "1418", "R-179": "1418"})
    shown = views.shows(order)
    assert shown > {"R-180", "R-HQ-55"} and len(shown) == 3, "and one who lies on top in 1418"
    told = views.open(*views.shows(order)).after(order)
    (left,) = [each for each in told.events if isinstance(each, e.LeftOut)]
    assert {*left.units} >= {"R-180", "R-HQ-55"}


@pytest.mark.rule("5.2", "4.3")
def test_armour_that_the_die_withheld_is_out_though_nobody_knows_its_tag():
    position = covered({"1419": "R-157"}, {}, turn=0)
    here, withheld = (tag_of(position, unit) for unit in ("N-LIT-1", "N-L335"))
    position = position.with_units((here, withheld), ASIDE)
    known = position.but(missing=frozenset({"N-L335"}))
    able = cover.who_could(known, SettingUp(N, "front"), SetUp({here: "2110"}))[here]
    assert "N-LIT-1" in able and "N-L335" not in able, "it is not that one"
    told = SettingUp(N, "front").resolve(position, SetUp({"N-LIT-1": "2110"})).events
    assert [each.units for each in told if isinstance(each, e.LeftOut)] == [(withheld,)]


def test_covered_counters_are_listed_in_the_order_of_their_tags_behind_those_that_are_known():
    position = table({"2110": "N-LIT-1 N-LIT-2"})
    units = ("r/1/10", "N-LIT-2", "r/1/9", "N-LIT-1")
    assert in_order(position, units) == ("N-LIT-1", "N-LIT-2", "r/1/9", "r/1/10")


def test_a_covered_counter_is_named_by_its_printed_name_too() -> None:
    """An order means the tag; standing orders are about the unit, however it lies."""
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-CEL"})
    state, tag = State(position, (Marching(N),)), tag_of(position, "N-CEL")
    for kind, meant in ((Move, tag), (None, "N-CEL")):
        names = system().names(state, N, kind, answering=True)
        assert {names.find("unit", name) for name in ("Raggruppamento Celere", "N-CEL")} == {meant}


@pytest.mark.rule("4.1", "5.2")
def test_only_counters_of_ones_own_that_wait_are_set_up() -> None:
    position = covered({"1419": "R-157", "2111": "N-R9M"}, {"2111": "N-FIN-8"}, turn=0)
    here, withheld = (tag_of(position, unit) for unit in ("N-LIT-1", "N-L335"))
    (placed,) = position.covers["2111"]
    waits = position.with_units((here, withheld), ASIDE)
    waits = waits.but(missing=frozenset({"N-L335"}))
    stage = SettingUp(N, "front")
    assert setup.waiting(waits.seen(N), N, "front") == ("N-LIT-1",)

    def faults(*units: str) -> list[tuple[Any, str]]:
        order = SetUp(dict.fromkeys(units, "2110"))
        known = waits.seen(N) if "N-L335" in units else waits
        found = sets_up(stage, known, order)
        return [(each.at, each.rule) for each in found if each.is_key]

    assert faults(here) == []
    assert faults(here, placed) == [(("units", placed), "4.1")]
    assert faults("N-LIT-1", "N-L335") == [(("units", "N-L335"), "4.3")]


def test_a_march_that_names_nobody_and_a_known_column_show_nobody() -> None:
    views = marching({"2110": "N-LIT-1 N-SC-1"}, {"2110": "N-FIN-8"}, N)
    assert views.shows(Move((), ("2111",))) == views.shows(Move(("N-SC-1",), ("2111",))) == set()


def test_the_end_of_a_movement_asks_nobody_to_show_anything():
    views = marching({"2211": "N-FIN-8"}, {"2211": "N-FIN-10"}, N)
    assert showings(views.after(Done()).state.position) == ()


# ------------------------------------------------------------------- standing orders, new secrets


@pytest.mark.rule("5.2", "13.2")
def test_standing_orders_claim_the_counters_that_they_may_show() -> None:
    """A brigade near the line, and headquarters by their names: only their owner can say so."""
    position = basques("R-157 R-HQ-48 R-HQ-XV R-170")
    views = Views(position, Uncovering())
    asked = kernel.waits_for(views.all)

    def claimed(written: dict[str, Any], side: Side = R) -> set[str]:
        found = dict(covered_policies.claims(position, side, written))
        assert all(tag == tag_of(position, piece) for tag, piece in found.items())
        return {*found.values()}

    assert claimed({"basques": "show"}) == {"R-157"} and claimed({"basques": "hide"}) == set()
    assert claimed({"basques": "show"}, N) == set()
    far = covered({"1505": "R-168", "1517": "R-169"}, {"1505": "R-157 R-HQ-48", "1517": "R-165"})
    ready = far.with_units([tag_of(far, unit) for unit in ("R-157", "R-165")], ASIDE)
    for where, unit in ((far, "R-165"), (ready, "R-157")):
        found = [piece for _, piece in covered_policies.claims(where, R, {"basques": "show"})]
        assert found == [unit], "the one that helps, or else one that is set up by its own limit"
    guns = {"support": [{"hq": ["R-HQ-XV"]}], "bombard": {"hq": ["R-HQ-48"]}}
    assert claimed(guns) == {"R-HQ-XV", "R-HQ-48"}
    assert claimed({"support": "none", "bombard": {"hq": "nearest"}}) == set()
    both = {"losses": ["reduced"], "basques": "show"}
    others, part = sealing.parts(TABLE, views.own.position, R, both)
    assert answering.shows(TABLE, views.all, asked, part["doc"]) == (tag_of(position, "R-157"),)
    assert others["doc"] == {"losses": ["reduced"]}, "opened in an attack, it tells no brigade"
    assert not part["clear"] and sealing.written(TABLE, position, R, (others, part)) == both
    for where, side, rule in ((position, N, "13.2"), (table({"2010": "R-168"}), R, "5.2")):
        (fault,) = reading.faults(TABLE, where, side, {"basques": "show"})
        assert (fault.rule, fault.at, fault.is_key) == (rule, ("basques",), True)
    assert reading.faults(TABLE, position, R, both) == ()
    (hides,) = sealing.parts(TABLE, views.own.position, R, {"basques": "hide"})
    assert answering.shows(TABLE, views.all, asked, hides["doc"]) == ()


@pytest.mark.rule("5.2")
def test_what_a_sealed_order_claims_is_believed_only_where_it_may_be() -> None:
    position = basques("R-157")
    tag, everybody = tag_of(position, "R-157"), position.veiled(None)

    def believed(*claim: str) -> Any:
        return covered_policies.supposing(everybody, {HELD: (claim,)}).down.faces

    assert believed(tag, "R-157") == {tag: "R-157"}
    for strange in (("republican/0/99", "R-157"), (tag, "N-LIT-1"), ("R-168", "R-168")):
        assert believed(*strange) == {}


@pytest.mark.rule("5.2")
def test_new_tags_are_put_where_as_many_counters_lay() -> None:
    position = covered(
        {"2110": "N-LIT-1", "2210": "N-FIN-8"}, {"2110": "N-LIT-2", "2210": "N-NI-1"}
    )
    (anew,), agenda = system().hidden.renewed(State(position, ()), N)
    stage = agenda[0]
    state = State(anew.apply(position), (stage,))
    here, there, *_ = stage.tags

    def broken(units: dict[str, str]) -> list[str]:
        return [each.rule for each in kernel.violations(state, Arrange(units))]

    assert broken({here: "2110", there: "2210"}) == broken({here: "2210", there: "2110"}) == []
    assert broken({here: "2110"}) == broken({here: "2110", there: "2110"}) == ["5.2"]
    assert broken({here: "2110", "N-LIT-1": "2210"}) == ["5.2"], "it lies open"


def proposed(asked: Any) -> list[Any]:
    """The orders that a form has ready for the first option of a question."""
    return [each.order for each in asked.options[0].examples(lambda those: those)]


@pytest.mark.rule("5.2")
def test_new_tags_are_proposed_where_their_counters_may_lie_and_may_be_any_of_their_hex() -> None:
    under = {"2110": "N-LIT-2 N-FIN-10", "2210": "N-NI-1"}
    position = covered({"2110": "N-LIT-1", "2210": "N-FIN-8"}, under)
    for unit in ("N-LIT-2", "N-FIN-10", "N-NI-1"):
        only = position.down.narrowed(
            tag_of(position, unit), lambda piece, unit=unit: piece == unit
        )
        position = position.but(down=only)
    (anew,), agenda = system().hidden.renewed(State(position, ()), N)
    laid = anew.apply(position)
    hidden = sorted(laid.down.hidden.intersection(position.board.covered[N]))
    faces = dict(zip(agenda[0].tags, hidden, strict=True))
    owner = State(laid.but(down=laid.down.known_too(faces)), (agenda[0],))
    asked = kernel.waits_for(owner)
    default = asked.default
    assert proposed(asked) == [default]
    stranger = kernel.waits_for(State(laid, (agenda[0],))).default
    assert {*stranger.units} <= {*agenda[0].tags}, "tags, where the names are not known"
    assert default == Arrange({"N-LIT-2": "2110", "N-FIN-10": "2110", "N-NI-1": "2210"})
    wrong = Arrange({"N-LIT-2": "2210", "N-FIN-10": "2110", "N-NI-1": "2110"})
    told = kernel.violations(owner, wrong)
    assert [(each.at, str(each.hint)) for each in told] == [
        (("units", unit), f"it may have lain in {place(laid, hex)}")
        for tag in agenda[0].tags
        for unit, hex in (("N-LIT-2", "2110"), ("N-NI-1", "2210"))
        if faces[tag] == unit
    ]
    assert {each.rule for each in told} == {"5.2"}
    after = kernel.submit(owner, default).state.position
    for unit, hex in default.units.items():
        tag = tag_of(after, unit)
        assert after.places[tag] == hex and tag in after.covers[hex]
        assert {*after.may_be(tag)} == {*under[hex].split()}


@pytest.mark.rule("5.2")
def test_what_lay_in_no_hex_is_put_in_none_and_what_lay_in_one_in_one() -> None:
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-LIT-2"})
    (anew,), (stage, _) = system().hidden.renewed(State(position, ()), N)
    out = ("N-NI-1",)
    spots = tuple((at, ("N-LIT-2",) if at == "2110" else out) for at, _ in stage.spots)
    stage, laid = replace(stage, spots=spots), anew.apply(position)

    def told(units: dict[str, str], **faces: str) -> list[tuple[str, str]]:
        tags = {stage.tags[int(at[1:])]: unit for at, unit in faces.items()}
        known = laid.but(down=laid.down.known_too(tags))
        found = kernel.violations(State(known, (stage,)), Arrange(units))
        return [(str(each.message), str(each.hint)) for each in found]

    soncillo = place(laid, "2110")
    assert told({"N-LIT-2": "2110"}, t0="N-LIT-2", t1="N-NI-1") == []
    both = told({"N-NI-1": "2110"}, t0="N-LIT-2", t1="N-NI-1")
    assert both == [
        (f"{called(laid, 'N-LIT-2')} lay in a hex", f"it may have lain in {soncillo}"),
        (f"{called(laid, 'N-NI-1')} cannot have lain in {soncillo}", "it was in no hex"),
    ]


@pytest.mark.rule("5.2", "8.1", "9.3.2")
def test_new_tags_of_a_hex_where_one_has_moved_have_all_moved() -> None:
    position = covered(
        {"2211": "N-FIN-8", "2110": "N-LIT-1"}, {"2211": "N-FIN-10 N-SC-1", "2110": "N-LIT-2"}
    )
    position = position.but(moved=frozenset({tag_of(position, "N-SC-1")}))
    (anew,), (stage, _) = system().hidden.renewed(State(position, ()), N)
    laid = anew.apply(position)
    units = dict(zip(stage.tags, ("2211", "2110", "2211"), strict=False))
    after = kernel.submit(State(laid, (stage,)), Arrange(units)).state.position
    assert after.moved == {tag for tag, hex in units.items() if hex == "2211"}


@pytest.mark.rule("5.2")
def test_secrets_that_are_new_again_before_they_were_arranged_go_where_the_first_lay() -> None:
    position = covered({"2110": "N-LIT-1"}, {"2110": "N-LIT-2"})
    below = Fighting(N)
    (anew,), agenda = system().hidden.renewed(State(position, (below,)), N)
    once = State(anew.apply(position), agenda)
    for waiting in (once, replace(once, agenda=agenda[:-1])):  # before the beacon, and after it
        (again,), twice = system().hidden.renewed(waiting, N)
        first, second = agenda[1], twice[1]
        assert twice == (below, second, agenda[-1]) and second.spots == first.spots
        assert second.tags == again.apply(once.position).tags_of(N) != first.tags
    _, theirs = system().hidden.renewed(once, R)
    assert theirs[:2] == agenda[:2], "the other side has its own to arrange"


@pytest.mark.rule("5.2", "4.4")
def test_an_attack_of_the_first_turn_shows_the_corps_that_moves_its_column():
    known = {"2110": "N-LIT-1", "2111": "N-23M-A", "2010": "R-168"}
    attack = Attack("2010", {"2110": ("N-LIT-1",)})
    assert fighting(known, {"2111": "N-HQ-CTV"}, N, turn=1).shows(attack) == {"N-HQ-CTV"}
    second = fighting(known, {"2111": "N-HQ-CTV"}, N, turn=2)
    assert second.shows(attack) == set()
    assert kernel.submit(second.own, attack).state.position.covers["2111"], "nor when it is tried"
    far = fighting({**known, "2212": "N-23M-B"}, {"2212": "N-HQ-CTV"}, N, turn=1)
    assert far.shows(attack) == set(), "three hexes away"
    other = fighting(known, {"2111": "N-LIT-2"}, N, turn=1)
    assert other.shows(attack) == set()


@pytest.mark.rule("5.2", "7.1.1")
def test_a_hex_of_covered_counters_alone_has_a_zone_of_its_own_side():
    position = covered({"2110": "N-LIT-1"}, {"1909": "R-177"})
    behind = position.board.masks.bit["1809"]
    assert position.zones[R] & behind and not position.zones[N] & behind


@pytest.mark.rule("5.2", "5.1")
def test_an_attack_from_an_overstacked_hex_shows_that_it_is():
    known = {"2110": "N-LIT-1 N-LIT-2", "2010": "R-168"}
    attack = Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2")})
    many = fighting(known, {"2110": "N-FIN-8 N-FIN-10"}, N)
    assert len(many.shows(attack)) == 1, "one is enough to tell"
    few = fighting({**known, "2110": "N-LIT-1 N-CEL"}, {"2110": "N-SC-1"}, N)
    assert few.shows(Attack("2010", {"2110": ("N-LIT-1",)})) == set()
    armour = fighting({**known, "2110": "N-LIT-1 N-3PZ1"}, {"2110": "N-4T26"}, N)
    assert armour.shows(Attack("2010", {"2110": ("N-LIT-1",)})) == {"N-4T26"}
    below = fighting({**known, "2110": "N-LIT-1"}, {"2110": "N-LIT-2 N-ARD"}, N)
    attack = Attack("2010", {"2110": ("N-LIT-2",)})
    assert below.shows(attack) == {"N-LIT-2", "N-ARD"}, "who attacks is not counted twice"


@pytest.mark.rule("5.1", "5.2")
def test_a_hex_that_both_see_overstacked_shows_nobody_more():
    known = {"2110": "N-LIT-1 N-LIT-2 N-FIN-8 N-FIN-10 N-R9M N-CEL N-ARD", "2010": "R-168"}
    views = fighting(known, {"2110": "N-L335 N-HQ-LIT"}, N)
    assert stacking.is_overstacked(views.all.position, "2110", N)
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    assert views.shows(attack) == set() and views.faults(attack) == views.own_faults(attack) == []


@pytest.mark.rule("5.1.1")
def test_no_standing_order_trades_a_step_for_a_hex_that_may_be_crowded_to_ruin():
    known = {"2205": "R-179 R-180", "2105": "R-178", "2305": "N-NI-1", "2304": "N-NI-2"}
    fought = ("2205", ("N-NI-1", "N-NI-2"))
    both = covered(known, {"2105": "R-175"}).but(battle=Combat(*fought))
    one = table(known).but(battle=Combat(*fought))
    assert combat.is_ruinous_way(both, ("R-179", "R-180"), "2105")
    assert not combat.is_ruinous_way(one, ("R-179", "R-180"), "2105")


@pytest.mark.rule("5.1.1", "5.2")
def test_a_stack_that_is_ruined_stands_until_its_covered_counters_are_shown():
    crowd = "R-168 R-169 R-170 R-171 R-172 R-173"
    waiting = covered({"1908": crowd}, {"1908": "R-HQ-XV"}).but(in_doubt=frozenset({"1908"}))
    assert system().faults(waiting) == ()
    assert [str(each) for each in system().faults(waiting.but(in_doubt=frozenset()))] == [
        "1908 holds twice its limit"
    ]


@pytest.mark.rule("5.2")
@pytest.mark.parametrize(
    ("units", "path", "told", "at", "is_key"),
    [
        (("R-168",), ("2109",), "CLXVIII Brigade (R-168) is Republican,", ("units", 0), False),
        (("TAG",), ("2109",), "a covered counter in 2010 is Republican,", ("units", 0), False),
        (("none",), ("2109",), "there is no unit 'none'", ("units", 0), False),
        (("N-LIT-9",), ("2109",), "there is no unit 'N-LIT-9'", ("units", 0), False),
        (("N-LIT-1",), ("9999",), "there is no hex '9999'", ("path", 0), False),
        (("N-LIT-1",), ("none",), "there is no hex 'none'", ("path", 0), False),
        (("N-LIT-1",), None, "there is no hex '9999'", ("units", "9999"), True),
    ],
)  # fmt: skip
def test_what_a_signed_order_names_is_there_and_of_its_author(
    units: tuple[str, ...], path: tuple[str, ...] | None, told: str, at: Any, is_key: bool
) -> None:
    """Whatever the other player's program has signed, it names no stranger, also by a tag."""
    position = covered({"2110": "N-LIT-1", "2010": "R-168"}, {"2010": "R-HQ-52"})
    named = tuple(tag_of(position, "R-HQ-52") if unit == "TAG" else unit for unit in units)
    order = Attack("2010", {"9999": named}) if path is None else Move(named, path)
    stage = Fighting(N) if path is None else Marching(N)
    (fault,) = kernel.violations(State(position.veiled(None), (stage,)), order)
    assert str(fault.message).startswith(told)
    assert (fault.at, fault.is_key) == (at, is_key)
