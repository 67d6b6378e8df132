"""Orders that wait for something, and what is said with an attack about what follows it."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.policies import reading
from pbem.games.ctv.advice import COUNSEL
from pbem.games.ctv.events import AdvanceCutShort
from pbem.games.ctv.narration import NARRATION
from pbem.games.ctv.orders import (
    NONE,
    Attack,
    Backing,
    Done,
    Following,
    Move,
    Support,
)
from pbem.games.ctv.policies.table import TABLE
from pbem.games.ctv.position import ELIMINATED, Position
from pbem.games.ctv.stages.combat import Entering
from pbem.games.ctv.stages.turn import Offensive, Surrender
from pbem.games.ctv.waiting import WAITING
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.text.source import Source
from pbem.text.yamlsource import read
from tests.games.ctv.table import Game, N, R, begun, fighting, joined, system, table

FIELD = {"2010": "R-168", "1911": "R-169", "2110": "N-LIT-1 N-LIT-2 N-HQ-LIT",
         "2011": "N-FIN-8 N-FIN-10", "2012": "N-R9M", "2111": "N-HQ-CTV N-SC-1"}  # fmt: skip
UNITS = {"2110": ("N-LIT-1", "N-LIT-2"), "2011": ("N-FIN-8",)}
WHOLE = """\
orders:
  - attack: {hex: 2010, units: {2110: [N-LIT-1, N-LIT-2], 2011: [N-FIN-8]}}
    support: {air: [N-LK-1, N-AL-1], hq: [N-HQ-LIT, N-HQ-CTV], columns: {2111: 1}}
    losses: [N-FIN-8, N-LIT-2]                  # ranked before the dice
    advance: {units: [N-LIT-1, N-LIT-2], to: 2010}
    breakthrough: {N-LIT-1: [2010, 1909]}       # if the result is B
  - attack: {hex: 1911, units: {2011: [N-FIN-10], 2012: [N-R9M]}}
    when: {empty: [2010]}                       # only if the first attack has cleared 2010
  - done
standing:
  support: {hq: nearest, air: 1, columns: none, when: {points: ">=3"}}
  trade: {when: {own_losses: 2+}, to: [1909, 1810]}
  losses: [reduced, armour]
  retreat: {2009: [1908, 1909]}
  withdraw: [reduced, castile]
"""


def when(written: str, **facts: Any) -> bool:
    """Whether a `when` holds; it must be one that can be written."""
    return _holds(table({"2010": "R-168", "2110": "N-LIT-1"}, **facts), written)


def _holds(position: Position, written: str) -> bool:
    names = system().names(begun(position, Surrender()).state, N, None, answering=False)
    said = WAITING.bound(names, read(Source("when.yaml", written)).value)
    assert WAITING.faults(position, N, said) == ()
    return WAITING.holds(position, said)


@pytest.mark.parametrize(
    ("written", "holds"),
    [
        ("empty: [2009]", True), ("empty: 2010", False), ("empty: [2009, 2010]", False),
        ("empty: [2009, 2110]", True),
        ("held: {2010: republican}", True), ("held: {2010: nationalist}", False),
        ("held: {2110: nationalist, 2010: republican}", True), ("front: 50", True),
        ("front: [50, 55]", False), ("reserve: 55", True), ("{reserve: [55, 57], front: 50}", True),
        ("reserve: 50", False), ("turn: 2", True), ("turn: '>=3'", False), ("weather: fair", True),
        ("any: yes", True),
    ],
)  # fmt: skip
def test_an_order_waits_for_what_both_can_see(written: str, holds: bool) -> None:
    thrown = {"front": frozenset({"50"}), "reserve": frozenset({"55", "57"})}
    assert when(written, **thrown) is holds


def test_a_division_is_neither_in_front_nor_in_reserve_before_its_die_has_fallen() -> None:
    """An order for a division in reserve is not one for the front line, which comes first."""
    game = Game(system().setup("santander", frozenset({"open_units"})))
    facts = ("front: 50", "front: 55", "reserve: 50", "reserve: 55")
    assert not any(_holds(game.position, fact) for fact in facts)
    game.default().roll(5, 1, 5)
    assert [_holds(game.position, fact) for fact in facts] == [False, True, True, False]


@pytest.mark.parametrize(
    ("written", "at", "why", "hint"),
    [
        ("{}", (), "no condition", "{empty: [2010]}"),
        ("{front: 48}", ("front",), "no division is named '48'", "50, 55 or 57"),
        ("{empty: 9999}", ("empty",), "no hex is named '9999'", "2010"),
        ("{empty: []}", ("empty",), "no effect", "leave it out"),
        ("{held: {2010: spanish}}", ("held", "2010"), "a hex and a side", "republican"),
        ("{held: [2010]}", ("held",), "held lists hexes", "{2010: nationalist}"),
        ("{points: 3}", ("points",), "no condition is named 'points'", "front"),
        ("{turn: 1}", ("turn",), "turn is never 1", "from 2 to 7"),
        (
            "{front: [50, 55], reserve: [57, 55]}",
            ("reserve",),
            "front and reserve are never true",
            "leave one of them out",
        ),
    ],
)
def test_a_when_that_can_never_hold_is_refused(
    written: str, at: tuple[Any, ...], why: str, hint: str
) -> None:
    position = table({"2010": "R-168", "2110": "N-LIT-1"})
    names = system().names(begun(position, Surrender()).state, N, None, answering=False)
    found = WAITING.faults(
        position, N, WAITING.bound(names, read(Source("when.yaml", written)).value)
    )
    where = tuple(each for each in found[0].at if each != 0)
    assert where == at and why in str(found[0].message) and hint in str(found[0].hint), found


def test_orders_that_wait_outlive_a_phase_and_the_set_up_goes_over_into_the_first_turn() -> None:
    before, order = table(turn=3), Done()
    after = before.but(active=R)
    assert WAITING.outlives(before, after, order, waits=True)
    assert not WAITING.outlives(before, after, order, waits=False)
    assert WAITING.outlives(before.but(turn=0), before.but(turn=1), order, waits=False)


def test_a_side_is_at_its_phase_before_it_is_asked_where_battalions_go_on() -> None:
    """What it orders behind that answer is of the same phase, and is not dropped."""
    basques = dict(zip(
        ("1517", "1518", "1616", "1617", "1618", "1714"),
        ("R-157", "R-158", "R-163", "R-159", "R-162", "R-165"), strict=True))  # fmt: skip
    position = table(basques, turn=5, active=N, segment="combat", wavering=True)
    game = begun(position, Surrender()).roll(1)
    assert game.asks is not None and game.asks.policy == "remain"
    assert system().clock(game.position).span == "5/republican"


# ------------------------------------------------------------------- the example of the issue


def whole() -> tuple[Game, list[Any]]:
    game = fighting(table(FIELD, turn=1), N)
    file = parse(Source("orders.yaml", WHOLE), system().verbs)
    orders = []
    for index in range(len(file.orders)):
        names = system().names(game.state, N, Attack, answering=False)
        orders.append(bind(file, index, names))
    names = system().names(game.state, N, None, answering=False)
    assert reading.faults(TABLE, game.position, N, reading.bound(TABLE, names, file.standing)) == ()
    assert file.orders[1].when is not None
    return game, orders


def test_the_example_is_read_and_judged_as_it_is_written() -> None:
    game, (first, second, done) = whole()
    support = Backing(("N-LK-1", "N-AL-1"), ("N-HQ-LIT", "N-HQ-CTV"), {"2111": 1})
    assert first == Attack(
        "2010", UNITS, support, ("N-FIN-8", "N-LIT-2"), Following(("N-LIT-1", "N-LIT-2"), "2010"),
        {"N-LIT-1": ("2010", "1909")},
    )  # fmt: skip
    assert second == Attack("1911", {"2011": ("N-FIN-10",), "2012": ("N-R9M",)})
    assert done == Done() and game.broken(first) == []


@pytest.mark.rule("9.4.1")
def test_support_said_with_an_attack_is_committed_with_it() -> None:
    game, (first, *_) = whole()
    game.order(first)
    assert game.position.battle is not None
    assert set(game.position.battle.support) == {
        "N-LK-1", "N-AL-1", "N-HQ-LIT", "N-HQ-CTV", "N-SC-1"
    }  # fmt: skip
    assert game.asks is not None and game.asks.side == R, "the attacker is asked nothing more"
    none = fighting(table(FIELD, turn=1), N).order(Attack("2010", UNITS, NONE))
    assert none.asks is not None and none.asks.side == R
    unsaid = fighting(table(FIELD, turn=1), N).order(Attack("2010", UNITS))
    assert unsaid.asks is not None and unsaid.asks.policy == "own_support"
    late = fighting(table(FIELD, turn=1), N)
    late.order(Attack("2010", UNITS, Backing((), ("N-HQ-CTV",), "later"))).order(Support())
    assert late.asks is not None and late.asks.policy == "own_columns"


def rolled(order: Attack, *faces: int) -> Game:
    """The attack on 2010, where the Republican bombards nobody."""
    game = fighting(table(FIELD, turn=1), N).order(order)
    return game.order(Support(columns=NONE)).roll(*faces)


def test_a_hex_that_the_attackers_have_entered_is_empty_for_their_next_attack() -> None:
    assert when("empty: 2110") and not when("empty: 2110", active=R)
    assert when("empty: 2010", active=R)


@pytest.mark.rule("10.3")
def test_losses_said_with_an_attack_are_taken_in_that_order_and_nobody_is_asked() -> None:
    """Fourteen against five: at 3:1 after the shift, a die of 1 costs the attacker a step."""
    for losses, gone in ((("N-FIN-8",), "N-FIN-8"), (("N-LIT-2", "N-FIN-8"), "N-LIT-2")):
        game = rolled(Attack("2010", UNITS, NONE, losses), 1)
        assert list(game.position.lost) == [gone]
    for order in (
        Attack("2010", UNITS, NONE),
        Attack("2010", UNITS, NONE, advance=Following(("N-LIT-1",))),
    ):
        asked = rolled(order, 1)
        assert asked.asks is not None and asked.asks.policy == "losses"


@pytest.mark.rule("10.4.1")
def test_a_breakthrough_said_with_an_attack_goes_as_far_as_it_may() -> None:
    ways = {"N-LIT-1": ("2010", "1909"), "N-LIT-2": ("2010",)}
    far = {**FIELD, "2112": "N-NI-1", "2109": "N-NI-2", "2210": "N-NI-3"}
    position = table(far, turn=1, lost="R-168")
    units = {**UNITS, "2109": ("N-NI-2",)}

    def attack(**said: Any) -> Game:
        game = fighting(position, N).order(Attack("2010", units, NONE, **said))
        return game.order(Support(columns=NONE)).roll(6)

    game = attack(breakthrough=ways)
    assert game.where("N-LIT-1", "N-LIT-2") == ["1909", "2010"]
    assert game.asks is not None and game.asks.policy == "", "nobody is asked"
    stays = attack(breakthrough=NONE)
    assert stays.where("N-LIT-1", "N-LIT-2") == ["2110", "2110"]
    asked = attack(advance=Following(("N-LIT-1",)))
    assert asked.asks is not None and asked.asks.policy == "breakthrough", "an advance is none"


@pytest.mark.rule("10.4", "10.4.1")
@pytest.mark.parametrize(("ways", "there", "told"), [
    ({"N-LIT-1": ("2010", "1909")}, {"1909": "R-177"},
     "1st Littorio Regiment (N-LIT-1) goes no farther than 2010: enemy units are in Puerto del "
     "Escudo (1909) (10.4.1)"),
    ({"N-LIT-1": ("2010", "1910", "1810")}, {"1909": "R-177", "1710": "R-178"},
     "1st Littorio Regiment (N-LIT-1) goes no farther than 1910: no line of supply would lead to "
     "Luena (1810) (8.1.1)"),
    (dict.fromkeys(("N-LIT-1", "N-LIT-2", "N-FIN-8", "N-NI-2"), ("2010",)), {},
     "I Navarra, agrupación 2 (N-NI-2) goes no farther than 2109: too many units would be in 2010 "
     "(5)"),
])  # fmt: skip
def test_a_breakthrough_that_is_cut_short_is_told_with_the_reason(
    ways: dict[str, tuple[str, ...]], there: dict[str, str], told: str
) -> None:
    far = {**FIELD, "2112": "N-NI-1", "2109": "N-NI-2", "2210": "N-NI-3", **there}
    position = table(far, turn=1, lost="R-168")
    order = Attack("2010", {**UNITS, "2109": ("N-NI-2",)}, NONE, breakthrough=ways)
    game = fighting(position, N)
    ahead = [str(each) for each in COUNSEL.remarks(game.state, order)]
    game.order(order).order(Support(columns=NONE)).roll(6)
    cut = game.event(AdvanceCutShort)
    line = str(NARRATION.narrate(cut, game.position))
    assert line == told
    assert f"if they break through: {told}" in ahead


def test_an_advance_into_a_hex_that_holds_no_more_is_told_so() -> None:
    units = ("N-FIN-8", "N-LIT-1", "N-LIT-2", "N-NI-2")
    position = table({**FIELD, "2109": "N-NI-2"}, turn=2, lost="R-168")
    order = Attack("2010", {**UNITS, "2109": ("N-NI-2",)}, NONE, advance=Following(units))
    told = "I Navarra, agrupación 2 (N-NI-2) goes no farther than 2109: too many units would be in "
    assert f"if they advance: {told}2010 (5)" in map(
        str, COUNSEL.remarks(fighting(position, N).state, order)
    )
    now = joined(position.with_units(("R-168",), ELIMINATED), "2010", *units)
    went = Entering(N).resolve(now, Entering(N).as_many(now, units), units)
    (cut,) = (each for each in went.events if isinstance(each, AdvanceCutShort))
    assert str(NARRATION.narrate(cut, now)) == f"{told}2010 (5)"


@pytest.mark.parametrize(
    ("order", "rule", "why"),
    [
        (Attack("2010", UNITS, Backing(("R-AIR-1",))), "10.1 support air 0", "is Republican"),
        (Attack("2010", UNITS, Backing((), ("N-HQ-CTV",), {"2110": 1})),
         "9.3.1 support columns 2110", "no supply column is in"),
        (Attack("2010", UNITS, NONE, ("N-R9M",)), "10.3 losses 0", "can lose no step"),
        (Attack("2010", UNITS, NONE, ("N-LIT-1", "N-LIT-1")), "10.3 losses 1", "named twice"),
        (Attack("2010", UNITS, NONE, ("N-LIT-1", "N-LIT-2", "N-LIT-1", "N-LIT-2", "N-LIT-1")),
         "10.3 losses 4", "is named 3 times, and it has 2 left to lose"),
        (Attack("2010", UNITS, NONE, (), Following(("N-R9M",))),
         "10.4 advance units 0", "not one of the attack"),
        (Attack("2010", UNITS, NONE, (), Following(("N-LIT-1",), "1911")),
         "10.4 advance to", "was on 2010"),
        (Attack("2010", UNITS, breakthrough={"N-LIT-1": ("1909",)}),
         "10.4.1 breakthrough N-LIT-1 0", "begins in 2010"),
        (Attack("2010", UNITS, breakthrough={"N-LIT-1": ("2010", "1808")}),
         "10.4.1 breakthrough N-LIT-1 1", "not next to"),
        (Attack("2010", UNITS, breakthrough={"N-R9M": ("2010",)}),
         "10.2 breakthrough N-R9M", "not one of the attack"),
        (Attack("2010", UNITS, breakthrough={"N-LIT-1": ("2010", "1909", "1908", "1907")}),
         "10.4.1 breakthrough N-LIT-1 3", "3 hexes"),
    ],
)  # fmt: skip
def test_what_is_said_with_an_attack_is_judged_with_it(order: Attack, rule: str, why: str) -> None:
    game = fighting(table(FIELD, turn=1), N)
    (fault,) = kernel.violations(game.state, order)
    assert " ".join(map(str, (fault.rule, *fault.at))) == rule, "the rule and the place"
    assert why in str(fault.message)
    keys = (("breakthrough", "N-R9M"), ("support", "columns", "2110"))
    assert fault.is_key == (fault.at in keys), "it points at a name in front"


def test_a_move_needs_nothing_said_with_it() -> None:
    assert Move(("N-LIT-1",), ("2010",)).role == "lead"


# ------------------------------------------------------------------- questions without a choice


@pytest.mark.rule("12.3")
def test_nobody_is_asked_who_leaves_where_all_of_them_do() -> None:
    few = {"2110": "N-NI-1", "2111": "N-CI-1 N-FN-1"}
    position = table(few, turn=4, offensive=3)
    gone = [unit for unit in position.air(N) if unit != "N-LK-1"]
    game = begun(position.with_units(gone, "off"), Offensive()).roll(1)
    assert game.asks is None
    assert game.where("N-NI-1", "N-CI-1", "N-FN-1", "N-LK-1") == [
        "withdrawn", "withdrawn", "2111", "withdrawn"
    ]  # fmt: skip
    asked = begun(position, Offensive()).roll(1)
    assert asked.asks is not None and asked.asks.policy == "withdraw", "there are air units to pick"
