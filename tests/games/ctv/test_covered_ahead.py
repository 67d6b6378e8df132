"""5.2: orders given ahead that a covered counter of their author might make illegal lapse, in every
view alike; so an honest player passes the audit.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.codec import to_plain
from pbem.engine.model import Order, State
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import Fold
from pbem.gamefile.journal import Lapsed, Ordered
from pbem.games.ctv.orders import Attack, Column, Done, Following, Move, SetUp, Uncover
from pbem.games.ctv.position import FAIR, RAIN, Position
from pbem.games.ctv.rules import stacking
from pbem.games.ctv.stages.combat import Fighting
from pbem.games.ctv.stages.cover import ShowingBasques, Uncovering
from pbem.games.ctv.stages.movement import Marching
from pbem.games.ctv.stages.setup import ArmourDie, SettingUp
from pbem.games.ctv.tables import ARMOUR, COLUMN, HEADQUARTERS
from pbem.messages import words
from pbem.play.game import tool
from pbem.play.table import Table, spelled
from pbem.problems import Refused
from pbem.value import replace
from tests.gamefile.players import KEYS
from tests.games.ctv.by_mail import Seats
from tests.games.ctv.table import N, R, covered, system, tag_of
from tests.games.ctv.test_covered import Views, fighting, marching
from tests.games.ctv.test_covered_by_mail import known, march_under_cover, ready, steps_of, write
from tests.games.ctv.test_mails_of_a_turn import front_line

LATER = {"turn": 2}


def doubts(views: Views, order: Order) -> list[str]:
    """Why an order lapses that was given ahead; every view says the same."""
    written = system().pieces.meant(views.all.position, views.worded(order))
    found = [system().hidden.doubts(state, written) for state in (views.own, views.all)]
    assert found[0] == found[1]
    return [words(each.message) for each in found[0]]


def with_fields(views: Views, **fields: str) -> Views:
    """The same where both know of some covered units what they may be. `_` stands for `-`."""
    position, (stage,) = views.own.position, views.own.agenda
    for unit, may in fields.items():
        tag = tag_of(position, unit.replace("_", "-"))
        position = position.but(down=position.down.narrowed(tag, lambda one: one in may.split()))  # noqa: B023
    return Views(position, stage)


INTO, WAY = "2311", ("2311",)
MAY = "N-HQ-FIN N-FIN-10"


def two(moved: str, there: str, known_there: str = "N-CEL") -> tuple[Views, Order]:
    """A covered unit that marches below a known one, to another covered one; all that each may be
    moves as far as it has to.
    """
    views = marching({"2211": "N-FIN-8 N-R9M", INTO: known_there},
                     {"2211": "N-FIN-10", INTO: "N-LIT-1"}, N)  # fmt: skip
    return with_fields(views, N_FIN_10=moved, N_LIT_1=there), Move(("N-FIN-10",), WAY)


@pytest.mark.rule("5", "5.2")
def test_two_headquarters_that_might_meet_let_it_lapse() -> None:
    why = "two headquarters might be in 2311, as far as both know"
    assert doubts(*two(MAY, "N-LIT-1 N-HQ-LIT")) == [why]
    assert doubts(*two(MAY, "N-LIT-1")) == []
    assert doubts(*two("N-FIN-10", "N-LIT-1 N-HQ-LIT")) == [], "the one that comes is none"
    assert doubts(*two(MAY, "N-LIT-1 N-HQ-FIN")) == [], "one counter is in one place"
    views, order = two(MAY, "N-LIT-1 N-HQ-LIT")
    assert views.own_faults(order) == views.faults(order) == [], "an answer is judged by its author"
    (doubt,) = system().hidden.doubts(views.all, views.worded(order))
    assert doubt.rule == "5"


@pytest.mark.rule("5", "5.2")
def test_it_is_enough_that_one_of_them_lies_covered() -> None:
    views, order = two(MAY, "N-LIT-1", known_there="N-CEL N-HQ-LIT")
    assert doubts(views, order) == ["two headquarters might be in 2311, as far as both know"]
    comes = with_fields(
        marching({"2211": "N-FIN-8 N-HQ-FIN", INTO: "N-CEL"}, {INTO: "N-LIT-1"}, N),
        N_LIT_1="N-LIT-1 N-HQ-LIT",
    )
    assert doubts(comes, Move(("N-HQ-FIN",), WAY)) != []
    assert doubts(comes, Move(("N-FIN-8",), WAY)) == [], "a known unit of another kind"


@pytest.mark.rule("5.1.1", "5.2")
def test_twice_the_limit_that_might_be_reached_lets_it_lapse() -> None:
    views, order = two("N-FIN-10", "N-LIT-1")
    position = views.all.position
    (going,) = views.worded(order).units
    there = (*position.units_at(INTO), *position.covers[INTO], going)
    limit = position.terrain(INTO).stacking
    most = stacking.points_at_most(position, there)
    assert (doubts(views, order) == []) == (most < 2 * limit)
    crowd = marching({"2211": "N-FIN-8", INTO: "N-CEL"},
                     {INTO: "N-LIT-1 N-LIT-2 N-FIN-10 N-NI-1 N-R9M"}, N)  # fmt: skip
    (why,) = doubts(crowd, Move(("N-FIN-8",), WAY))
    assert f"stacking points might be in 2311, twice its limit of {limit}" in why


@pytest.mark.rule("8.1", "5.2")
def test_a_march_that_not_all_could_make_lapses() -> None:
    views = marching({"2211": "N-FIN-8", "2510": "N-NI-1"}, {"2211": "N-LIT-1"}, N)
    far = Move(("N-LIT-1",), ("2210", "2310", "2410", "2510"))
    assert views.own_faults(far) == []
    assert "a covered counter in 2211 might not be able to do this" in doubts(views, far)
    assert doubts(with_fields(views, N_LIT_1="N-LIT-1 N-LIT-2"), far) == []
    assert doubts(views, Move(("N-FIN-8",), ("2210",))) == []


@pytest.mark.rule("9.3", "5.2")
def test_a_column_lapses_where_one_might_lie() -> None:
    views = marching({"2110": "N-HQ-LIT N-LIT-1", "2111": "N-R9M"}, {"2111": "N-FIN-10"}, N)
    assert doubts(views, Column("2111")) == [
        "two supply columns might be in 2111, as far as both know"
    ]
    assert doubts(views, Column("2110")) == []
    assert doubts(with_fields(views, N_FIN_10="N-FIN-10"), Column("2111")) == []


@pytest.mark.rule("9.3", "5.2")
def test_a_column_of_the_enemy_bars_no_column() -> None:
    views = marching({"2211": "N-FIN-8", INTO: "R-SC-1"}, {"2211": "N-FIN-10"}, N)
    views = with_fields(views, N_FIN_10="N-FIN-10 N-SC-1")
    assert doubts(views, Move(("N-FIN-8", "N-FIN-10"), WAY)) == []


@pytest.mark.rule("4.4", "5.2")
def test_an_attack_lapses_for_a_corps_that_might_have_to_be_shown() -> None:
    """Its author knows which counters lie there, and not where they will attack in which turn."""
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")

    def why(
        at: str = "2111", fields: str = "N-HQ-CTV N-R9M", turn: int = 1, **more: str
    ) -> list[str]:
        known = {"2110": "N-LIT-1", at: "N-23M-A", "2010": "R-168", **more}
        views = fighting(known, {at: "N-R9M"}, N, turn=turn)
        return doubts(with_fields(views, N_R9M=fields), attack)

    cut_off = {"2012": "R-170", "2211": "R-178"}

    assert why() == ["a covered counter in 2111 might have to be shown"]
    assert why(turn=2) == why("2212") == why(fields="N-R9M N-HQ-LIT") == why(**cut_off) == []
    known = fighting({"2110": "N-LIT-1", "2111": "N-HQ-CTV N-CEL", "2010": "R-168"},
                     {"2111": "N-R9M"}, N, turn=1)  # fmt: skip
    assert doubts(known, attack) == [], "a known one moves the column"


@pytest.mark.rule("5.1", "5.2")
def test_an_attack_lapses_from_a_hex_that_might_be_overstacked() -> None:
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")

    def why(known: str, fields: str) -> list[str]:
        views = fighting({"2110": known, "2010": "R-168"}, {"2110": "N-FIN-10 N-FIN-8"}, N)
        return doubts(with_fields(views, N_FIN_10=fields, N_FIN_8="N-FIN-8 N-SC-1"), attack)

    told = ["Soncillo (2110) might be overstacked, as far as both know"]
    assert why("N-LIT-1 N-LIT-2", "N-FIN-10") == told
    assert why("N-LIT-1", "N-FIN-10 N-SC-2") == []
    assert why("N-LIT-1 N-3PZ1", "N-4T26 N-SC-2") == told, "a second armoured unit"
    assert why("N-LIT-1", "N-4T26 N-SC-2") == []
    crowd = "N-LIT-1 N-LIT-2 N-ARD N-R9M N-CEL N-L335"
    assert why(crowd, "N-FIN-10") == [], "both see it"


# ------------------------------------------------------------------- what an attack ahead says


def vouched(views: Views, attack: Attack, *given: Order) -> Attack:
    """The attack as it is written for later, among other orders of its file."""
    position = views.own.position
    state = State(position, (Marching(N),))
    written = system().hidden.worded(state, N, attack, (*given, attack))
    assert isinstance(written, Attack)
    return written


def later(views: Views, written: Attack) -> list[str]:
    """Why it lapses, in every view."""
    found = [system().hidden.doubts(state, written) for state in (views.own, views.all)]
    assert found[0] == found[1]
    return [words(each.message) for each in found[0]]


def in_truth(views: Views, written: Attack) -> list[str]:
    """Why an audit, which knows all counters, finds it at fault."""
    return [words(each.message) for each in kernel.violations(views.own, written)]


@pytest.mark.rule("5.1", "5.2")
def test_an_attack_ahead_says_which_counters_do_not_overstack_its_hexes() -> None:
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    views = fighting({"2110": "N-LIT-1 N-CEL", "2010": "R-168"}, {"2110": "N-ARD N-SC-1"}, N)
    views = with_fields(views, N_ARD="N-ARD", N_SC_1="N-SC-1 N-FIN-10")
    assert doubts(views, attack) != []
    written = vouched(views, attack)
    tags = {tag_of(views.own.position, each) for each in ("N-ARD", "N-SC-1")}
    assert {*written.beside} == {"2110"}
    assert {*written.beside["2110"]} == {"N-LIT-1", "N-CEL", *tags}
    assert later(views, written) == in_truth(views, written) == []
    assert later(views, replace(written, beside={"2110": written.beside["2110"][1:]})) != []
    assert system().hidden.shows(views.own, N, written) == (), "nothing is shown for what is said"
    (told,) = system().pieces.said(kernel.submit(views.all, written).state.position, N)
    assert [*map(words, told.places)] == ["Soncillo (2110)"] * 4 and not told.holds
    (openly,) = system().pieces.said_with(views.all.position, written)
    assert "2 covered counters in 2110: they do not overstack" in words(openly)
    assert words(told.what).startswith("they did not overstack their hex")


@pytest.mark.rule("5.1", "5.2")
def test_who_overstacks_a_hex_is_not_said_to_be_none() -> None:
    crowd = {"2110": "N-FIN-10 N-FIN-8 N-R9M N-SC-1"}
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    views = fighting({"2110": "N-LIT-1 N-LIT-2", "2010": "R-168"}, crowd, N)
    written = vouched(views, attack)
    assert written.beside == {} and later(views, written) != []
    position = views.own.position
    every = (*position.units_at("2110", N), *position.covers["2110"])
    false = replace(written, beside={"2110": every})
    assert later(views, false) == [], "both believe it"
    assert in_truth(views, false) == ["this is not so of Soncillo (2110)"]
    (fault,) = kernel.violations(views.own, false)
    assert fault.rule == "5.2"


@pytest.mark.rule("5.2")
def test_nobody_is_beside_an_attack_in_the_sea() -> None:
    views = fighting({"1618": "N-LIT-1", "1518": "R-168"}, {}, N)
    attack = Attack("1518", {"1618": ("N-LIT-1",)}, support="none")
    assert not kernel.violations(views.own, attack)
    (fault,) = kernel.violations(views.own, replace(attack, beside={"1319": ("N-LIT-1",)}))
    assert (fault.at, fault.rule) == (("beside", "1319"), "5.2")


@pytest.mark.rule("5.1", "5.2")
def test_an_attack_ahead_reckons_with_the_orders_beside_it() -> None:
    """Who will have come or gone by then."""
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    views = fighting({"2110": "N-LIT-1", "2010": "R-168", "2211": "N-CEL"},
                     {"2110": "N-SC-1", "2211": "N-HQ-LIT"}, N)  # fmt: skip
    tag_in, tag_near = (tag_of(views.own.position, each) for each in ("N-SC-1", "N-HQ-LIT"))
    comes = vouched(views, attack, Move(("N-HQ-LIT",), ("2111", "2110")))
    assert {*comes.beside["2110"]} == {"N-LIT-1", tag_in, tag_near}
    goes = vouched(views, attack, Move(("N-SC-1",), ("2111",)))
    assert goes.beside == {}, "nobody is left who lies covered"
    follows = vouched(views, attack, Attack("2110", {"2211": ("N-CEL",)},
                      advance=Following(("N-CEL",))))  # fmt: skip
    assert {*follows.beside["2110"]} == {"N-LIT-1", tag_in, "N-CEL"}
    elsewhere = vouched(views, attack, Attack("2212", {"2211": ("N-CEL",)},
                        advance=Following(("N-CEL",), "2110")))  # fmt: skip
    assert elsewhere.beside == follows.beside


@pytest.mark.rule("4.4", "5.2")
def test_an_attack_ahead_says_which_counters_are_no_corps() -> None:
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")

    def said(hidden: str, at: str = "2111", turn: int = 1) -> tuple[Attack, Views]:
        views = fighting({"2110": "N-LIT-1", at: "N-23M-A", "2010": "R-168"}, {at: hidden}, N,
                         turn=turn)  # fmt: skip
        return vouched(views, attack), views

    written, views = said("N-R9M")
    assert {*written.beside} == {"2111"} and later(views, written) == []
    written, views = said("N-HQ-CTV")
    assert written.beside == {} and later(views, written) != []
    position = views.own.position
    false = replace(written, beside={"2111": position.covers["2111"]})
    assert later(views, false) == [] and in_truth(views, false) != []
    assert {*said("N-R9M", turn=0)[0].beside} == {"2111"}, "said with the set-up, for turn 1"
    assert said("N-HQ-CTV", turn=0)[0].beside == {}
    placed = vouched(said("N-R9M")[1], attack, SetUp({"N-R9M": "2110"}))
    assert {*placed.beside} == {"2110"}, "where the set-up puts it"
    assert said("N-R9M", at="2212")[0].beside == said("N-R9M", turn=2)[0].beside == {}
    theirs = covered({"2010": "R-168", "2011": "R-169", "2110": "N-LIT-1"}, {"2011": "R-170"})
    theirs = theirs.but(turn=1, active=R, segment="movement")
    attack = Attack("2110", {"2010": ("R-168",)}, support="none")
    written = system().hidden.worded(State(theirs, (Marching(R),)), R, attack, (attack,))
    assert isinstance(written, Attack) and written.beside == {}, "no column is moved for them"


@pytest.mark.rule("4.4", "5.1", "5.2")
@pytest.mark.parametrize(("turn", "segment", "ends"), [(0, "set-up", 2), (1, "movement", 2),
                                                       (1, "combat", 1)])  # fmt: skip
def test_an_attack_for_the_second_turn_has_no_shift_to_speak_of(
    turn: int, segment: str, ends: int
) -> None:
    """Its author writes it behind the orders that end the first."""
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support="none")
    views = fighting({"2110": "N-LIT-1 N-LIT-2", "2111": "N-23M-A", "2010": "R-168"},
                     {"2110": "N-HQ-CTV", "2111": "N-R9M"}, N, turn=turn)  # fmt: skip
    views = Views(views.own.position.but(segment=segment), Marching(N))
    first = vouched(views, attack, *[Done()] * (ends - 1))
    assert {*first.beside} == {"2111"}, "the corps moves the column"
    second = vouched(views, attack, *[Done()] * ends)
    assert {*second.beside} == {"2110"}, "it only has to have room"
    corps, state = tag_of(views.own.position, "N-HQ-CTV"), State(views.own.position, (Marching(N),))
    for number, shown in ((ends - 1, (corps,)), (ends, ())):
        assert system().hidden.shows(state, N, attack, [Done()] * number) == shown
        for when, seen in (({"turn": 2}, ()), ({"turn": "<=2"}, shown), ({"empty": []}, shown)):
            assert system().hidden.shows(state, N, attack, [Done()] * number, when) == seen
    views = Views(views.own.position.but(turn=2, segment="combat"), Fighting(N))
    assert later(views, second) == in_truth(views, second) == []
    assert later(views, first) == ["Soncillo (2110) might be overstacked, as far as both know"]


@pytest.mark.rule("13.3", "5.2")
def test_that_no_brigade_lays_down_its_arms_is_not_said_ahead() -> None:
    under = covered({"1908": "R-168"}, {"1908": "R-173"})
    for stage, number in ((ShowingBasques(), 1), (Uncovering(), 0)):
        assert len(doubts(Views(under, stage), Uncover())) == number
    assert doubts(Views(covered({"1908": "R-168"}, {}), ShowingBasques()), Uncover()) == []


def test_what_everybody_sees_to_be_illegal_has_no_doubts() -> None:
    views, _ = two(MAY, "N-LIT-1 N-HQ-LIT")
    assert doubts(views, Move(("N-FIN-10",), ("1010",))) == []
    open_table = State(views.all.position.but(down=replace(views.all.position.down,
                       hidden=frozenset())), (Marching(N),))  # fmt: skip
    assert system().hidden.doubts(open_table, Move(("N-FIN-8",), WAY)) == ()
    assert doubts(views, Done()) == []


# ------------------------------------------------------------------- by mail


def ahead(fold: Fold, *orders: tuple[Order, Any], behind: int = 2) -> Fold:
    """The Nationalist ends the turn, and says these orders for the next one, `behind` one of the
    orders that end it or both.
    """
    plain: list[dict[str, Any]] = [{"done": {}}, {"done": {}}]
    plain[behind:behind] = [{each.verb: to_plain(each), "when": when} for each, when in orders]
    wish = Wish(orders=tuple(plain))
    return compose(fold, KEYS["A"], wish, tool=tool(), fresh=b"\x22" * 16).fold


@pytest.mark.rule("4.4", "5.2")
def test_the_corps_is_not_shown_for_an_attack_of_the_second_turn() -> None:
    """It moves no column then, so what is written ahead keeps it covered."""
    corps, attack = near_the_corps()
    position = known(ready(), "A")
    now, later = write(ready(), "A", Done(), attack), ahead(ready(), (attack, LATER))
    assert (corps in known(now, "B").covered_on_map(N), corps in known(later, "B").covered_on_map(N)
            ) == (False, True)  # fmt: skip
    assert {"attack": to_plain(attack), "when": LATER} in steps_of(later)[-1]["list"]
    assert position.weather == FAIR
    for when in (LATER, {"weather": RAIN}):
        passed_over = ahead(ready(), (attack, when), behind=1)
        assert corps in known(passed_over, "B").covered_on_map(N), "its condition is not true"
    # A segment that ends only if it rains may go on, and the attack comes in the first turn.
    waits = Wish(orders=({"done": {}}, {"done": {}, "when": {"weather": RAIN}},
                         {"attack": to_plain(attack)}))  # fmt: skip
    fold = compose(ready(), KEYS["A"], waits, tool=tool(), fresh=b"\x22" * 16).fold
    assert corps not in known(fold, "B").covered_on_map(N)


@pytest.mark.rule("5.2")
def test_who_attacks_behind_dice_is_shown_even_if_the_attack_waits() -> None:
    """Its condition may be true by then; but what is passed over before any dice shows nobody."""
    position = known(ready(), "A")
    own, hexes = position.veiled(N), position.board.hexes
    first, then = (
        [(hex, near) for hex in hexes if position.holder(hex) == R
         for near in position.board.graph.neighbours(hex)
         if position.units_at(near, N) and bool(position.covers.get(near)) is is_covered]
        for is_covered in (False, True)
    )  # fmt: skip
    (hex, near), (other, below) = first[0], next(each for each in then if each[0] != first[0][0])
    dice = Attack(hex, {near: position.units_at(near, N)[:1]}, support="none")
    tag = own.covers[below][0]
    waits = Attack(other, {below: (own.face(tag),)}, support="none")
    when = {"empty": [hex]}
    for orders, is_shown in (((dice, waits), True), ((waits,), False)):
        plain = [{"done": {}}, *({"attack": to_plain(each)} for each in orders)]
        plain[-1]["when"] = when
        fold = compose(ready(), KEYS["A"], Wish(orders=tuple(plain)), tool=tool(),
                       fresh=b"\x22" * 16).fold  # fmt: skip
        assert (tag not in known(fold, "B").covered_on_map(N)) is is_shown


def near_the_corps() -> tuple[str, Attack]:
    """The tag of the headquarters of the CTV, and an attack within its reach."""
    position = known(ready(), "A")
    corps = tag_of(position, "N-HQ-CTV")
    attack = next(
        Attack(hex, {near: position.units_at(near, N)[:1]}, support="none")
        for hex in position.board.hexes
        if position.holder(hex) == R and position.board.distance(position.at(corps), hex) <= 2
        for near in position.board.graph.neighbours(hex)
        if position.units_at(near, N)
    )
    return corps, attack


@cache
def next_turn() -> tuple[Fold, str, str]:
    """The mails to the next movement of the Nationalist, with a march that nobody knows to be too
    far for a covered unit, and one of a known unit.
    """
    fold = ready()
    position = known(fold, "A")
    unit, path = march_under_cover(position, too_far=True)
    free, way = known_march(position)
    fold = ahead(fold, (Move((unit,), path), LATER), (Move((free,), way), LATER))
    while not any(isinstance(each, Lapsed) for each in fold.told()):
        orders = (Done(), Done()) if fold.pen == "B" and fold.in_play.decision else ()
        fold = write(fold, str(fold.pen), *orders)
    return fold, unit, free


def known_march(position: Position) -> tuple[str, tuple[str, ...]]:
    """A known unit and a hex beside it, in which nobody is."""
    views = Views(position, Marching(N))
    for unit in position.on_map(N):
        for hex in position.board.graph.neighbours(position.at(unit)):
            order = Move((unit,), (hex,))
            crowd = (position.stacks.get(hex), *map(position.covers.get, (hex, position.at(unit))))
            if not any(crowd) and not views.own_faults(order):
                return unit, (hex,)
    raise AssertionError("nobody can march")


def test_it_lapses_with_its_reason_and_the_game_passes_its_audit() -> None:
    fold, unit, free = next_turn()
    (lapsed,) = [each for each in fold.told() if isinstance(each, Lapsed)]
    (problem,) = lapsed.problems
    assert lapsed.by == "A" and "might not be able to do this" in words(problem.message)
    tag = tag_of(known(ready(), "A"), unit)
    assert lapsed.order["move"]["units"] == [tag]
    done = [each.order for each in fold.told() if isinstance(each, Ordered)]
    late = [each["move"]["units"] for each in done if "when" in each]
    assert late == [[free]], "no covered counter can spoil it"
    assert not any(unit.encode() in entry.body for entry in fold.entries[3:]), "nobody reads which"
    fold = write(fold, str(fold.pen), resign=True)
    while fold.pen is not None and len(fold.machine.hidden.audited) < 2:
        fold = write(fold, str(fold.pen))
    assert set(fold.machine.hidden.audited) == {"A", "B"}


@pytest.mark.rule("4.2", "5.2")
@pytest.mark.parametrize("covered", [True, False])
def test_the_place_of_a_division_is_judged_when_it_is_written_ahead(covered: bool) -> None:
    """Of covered counters the other player could tell it only by the audit."""
    seats = Seats("one", covered=covered)
    while seats.asked != "set-up":
        seats.mail()
    written = front_line(seats.table)
    with pytest.raises(Refused) as caught:
        seats.mail(re.sub(r"R-154: [0-9]{4}", "R-154: 2110", written))
    told = [(each.span.line, each.rule) for each in caught.value.problems if each.span]
    assert told == [(3, "4.1")]
    seats.mail(written)


def test_orders_behind_dice_and_behind_the_other_players_questions_tell_tags() -> None:
    views, order = two(MAY, "N-LIT-1 N-HQ-LIT")
    tag = tag_of(views.own.position, "N-FIN-10")
    for stage in (ArmourDie(), SettingUp(R, "reserve"), Marching(N)):
        table = Table(system(), {"A": N, "B": R}, State(views.own.position, (stage,)))
        assert table.worded("A", spelled(order)).plain["move"]["units"] == [tag]


def test_the_types_of_which_a_hex_holds_one_are_all_told() -> None:
    assert set(stacking.PERHAPS) == set(stacking.ALONE) == {HEADQUARTERS, ARMOUR, COLUMN}
    assert SetUp.verb == "place"
