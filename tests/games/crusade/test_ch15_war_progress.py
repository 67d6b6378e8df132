"""Chapter 15: the crossing of the phases, the first corps, the Reserve, and the militia."""

from __future__ import annotations

import random

import pytest

from pbem.engine.choices import every
from pbem.engine.dice import Roll
from pbem.engine.kernel import begin, roll, submit, violations, waits_for
from pbem.engine.model import Chance, Decision, State
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.orders import Deploy, Done, Militarize, Redraw, Withdraw
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, RESERVE, Deck
from pbem.games.crusade.rules import deployment as rules
from pbem.games.crusade.rules.mobilization import missing_reserves, withdrawable
from pbem.games.crusade.sequence import Mobilization
from pbem.games.crusade.stages.deployment import InitialCorps, UnplacedCorps, first_corps
from pbem.games.crusade.stages.draw import CheckWarPhase, Redrawing, Redraws
from pbem.games.crusade.stages.militarization import Militarization, ReserveCheck
from tests.bots import legal_samples
from tests.games.crusade.agreed import on_and_off
from tests.games.crusade.board import TABLES, N, R, refusals, table

ALL = rules.initial_corps(table())
ASTURIAS = ("castropol", "pto_de_la_espina", "pto_de_leitariegos", "pto_de_pajares", "gijon",
            "cangas_de_onis")  # fmt: skip
SANTANDER = ("san_vicente", "santander", "santona", "pto_del_escudo")
BASQUE = ("orduna", "bilbao", "durango", "san_sebastian")
TO_ARAGON = ("beasain", "pamplona", "tudela", "ejea", "huesca")
"""Spaces that join San Sebastián to the Republic in Aragon."""


def corps(*names, first=N, **fields):
    """The stage of 15.2.1 with only these corps left to deploy (all twenty if none is named)."""
    return InitialCorps(names or ALL, first, rule="15.2.1", **fields)


def spaces(stage, position, unit):
    plan = rules.plan_of(stage, position, position.side_of(unit))
    return set(stage.spaces(plan, unit))


def refused(stage, position, unit, to, to_reserve=""):
    return refusals(stage, position, Deploy(unit, to, to_reserve))


def deployed(position, stage, *orders):
    """The state after these placements, each of them legal."""
    state = begin(State(position, (UnplacedCorps(stage.corps), stage))).state
    for order in orders:
        assert violations(state, order) == ()
        state = submit(state, order).state
    return state


def fifth(*, taken=(), **changes):
    """The Campaign at the end of turn 5: nothing is an Isolated Space any more."""
    changes = {"turn": 5, "isolated": frozenset(), "nationalist": taken, **changes}
    return table(**changes)


# --- the twenty corps, and whose turn it is -----------------------------------------------------


@pytest.mark.rule("15.2.1")
def test_ten_corps_of_each_side_begin_the_mobilization():
    assert [sum(TABLES.units[unit].side == side for unit in ALL) for side in (N, R)] == [10, 10]
    assert {"N-CTV", "N-NAVARRA", "R-EUZKADI", "R-SANTANDER", "R-AST-I", "R-AST-II"} <= set(ALL)
    assert "N-CASTILLA" not in ALL and "R-VII" not in ALL


@pytest.mark.rule("15.2.1")
def test_without_axis_aid_the_ctv_stays_in_the_box():
    position = fifth()
    assert refused(corps(), position, "N-CTV", "la_coruna") == ["15.2.1"]
    aided = fifth(played=frozenset({"N2"}))
    assert refused(corps(), aided, "N-CTV", "la_coruna") == []
    left = begin(State(position, (UnplacedCorps(ALL),))).state.position
    assert left.place_of("N-CTV") == POOL and left.place_of("N-I") == REMOVED


@pytest.mark.rule("15.2.1")
def test_a_corps_is_deployed_once_and_only_if_it_is_one_of_them():
    position = fifth(units={"leon": "INF-1 N-I"})
    assert refused(corps(), position, "N-I", "lugo") == ["15.2.1"]
    assert refused(corps(), position, "N-CASTILLA", "lugo") == ["15.2.1"]
    assert refused(corps(), position, "nobody", "lugo") == ["15.2.1"]


@pytest.mark.rule("15.2.1.1")
def test_the_sides_take_turns():
    position = fifth()
    assert refused(corps(), position, "R-I", "madrid") == ["15.2.1.1"]
    assert refused(corps(first=R), position, "R-I", "madrid") == []
    state = deployed(position, corps(), Deploy("N-I", "leon"))
    decision = waits_for(state)
    assert isinstance(decision, Decision) and decision.side == R
    assert violations(state, Deploy("N-V", "lugo"))[0].rule == "15.2.1.1"


@pytest.mark.rule("15.2.1.1")
def test_who_has_more_corps_deploys_the_last_ones_in_a_row():
    state = deployed(fifth(), corps("N-I", "R-I", "R-II", "R-III"), Deploy("N-I", "dobro"),
                     Deploy("R-I", "madrid"), Deploy("R-II", "toledo"))  # fmt: skip
    assert waits_for(state).side == R


# --- where a corps may come in ------------------------------------------------------------------


@pytest.mark.rule("15.2.1.2")
@pytest.mark.parametrize(
    "to, ok",
    [
        ("leon", True),  # a unit
        ("la_coruna", True),  # a source, empty
        ("santiago", False),  # neither
        ("madrid", False),  # the enemy's
        ("oviedo", False),  # out of supply once it is not an Isolated Space
        ("nowhere", False),
    ],
)
def test_a_corps_comes_in_on_supplied_ground_beside_a_unit_or_on_a_source(to, ok):
    assert refused(corps(), fifth(), "N-I", to) == ([] if ok else ["15.2.1.2"])


@pytest.mark.rule("15.2.1.2")
def test_madrid_takes_a_corps_without_a_unit():
    position = fifth(units={"madrid": "", "somosierra": ""})
    assert refused(corps(first=R), position, "R-I", "madrid") == []
    assert refused(corps(first=R), position, "R-I", "somosierra") == ["15.2.1.2"]


@pytest.mark.rule("15.2.1.2")
def test_one_corps_a_space():
    position = fifth(units={"leon": "N-V"})
    assert refused(corps(), position, "N-I", "leon") == ["15.2.1.2"]


@pytest.mark.rule("8.5.2.4/h")
def test_no_corps_comes_in_on_an_island():
    position = fifth(flags=frozenset({"strait_nationalist"}), played=frozenset({"N2"}))
    assert refused(corps(), position, "N-I", "mallorca") == ["8.5.2.4/h"]
    assert refused(corps(), position, "N-CTV", "mallorca") == ["8.5.2.4/h"]


@pytest.mark.rule("13.2.4.1")
def test_no_corps_comes_in_at_badajoz():
    assert refused(corps(first=R), fifth(), "R-I", "badajoz") == ["13.2.4.1"]


@pytest.mark.rule("15.2.1.2/g")
def test_in_a_full_space_a_division_makes_room():
    position = fifth(units={"sevilla": "INF-1 N-POL-1 AFR-1"})
    assert refused(corps(), position, "N-I", "sevilla") == ["15.2.1.2/g"]
    assert refused(corps(), position, "N-I", "sevilla", "INF-2") == ["15.2.1.2/g"]
    told = [
        str(each.message).partition("full, and ")[2]
        for who in ("", "INF-2")
        for each in corps().check(position, Deploy("N-I", "sevilla", who))
    ]
    assert told == ["no unit makes room there", "INF-2 cannot make room there"]
    state = deployed(position, corps(), Deploy("N-I", "sevilla", "N-POL-1"))
    assert set(state.position.units_in("sevilla")) == {"AFR-1", "INF-1", "N-I"}
    assert state.position.place_of("N-POL-1") == RESERVE


@pytest.mark.rule("15.2.1.2/g")
def test_nobody_makes_room_where_there_is_some():
    position = fifth(units={"leon": "INF-1"})
    assert refused(corps(), position, "N-I", "leon", "INF-1") == ["15.2.1.2/g"]


# --- the CTV ------------------------------------------------------------------------------------


@pytest.mark.rule("15.2.1.2/b")
def test_the_ctv_comes_in_beside_italians_or_in_a_port():
    position = fifth(played=frozenset({"N2"}), units={"vitoria": "ITA-1", "jaca": "(CV-33-1)"})
    for to in ("vitoria", "jaca", "la_coruna", "cadiz"):
        assert refused(corps(), position, "N-CTV", to) == []
    assert refused(corps(), position, "N-CTV", "leon") == ["15.2.1.2/b"]
    assert refused(corps(), position, "N-CTV", "zaragoza") == ["15.2.1.2/b"]


# --- regional corps -----------------------------------------------------------------------------


@pytest.mark.rule("15.2.1.2/c")
def test_a_regional_corps_comes_in_with_divisions_of_its_region_or_on_its_source():
    position = fifth(units={"bilbao": "", "durango": "MIL-BAS-1", "orduna": "", "santona": ""})
    assert spaces(corps(first=R), position, "R-EUZKADI") == {"bilbao", "durango", "san_sebastian"}
    assert refused(corps(first=R), position, "R-EUZKADI", "orduna") == ["15.2.1.2/c"]
    assert refused(corps(first=R), position, "R-EUZKADI", "madrid") == ["15.2.1.2/c"]
    assert refused(corps(first=R), position, "R-EUZKADI", "gijon") == ["15.2.1.2/c"]


@pytest.mark.rule("15.2.1.2/c")
def test_away_from_home_only_if_there_is_no_place_at_home():
    guest = fifth(units={"santona": "MIL-BAS-1"})
    assert refused(corps(first=R), guest, "R-EUZKADI", "santona") == ["15.2.1.2/c"]
    fallen = fifth(taken=BASQUE, units={"santona": "MIL-BAS-1", **dict.fromkeys(BASQUE, "")})
    assert spaces(corps(first=R), fallen, "R-EUZKADI") == {"santona"}


@pytest.mark.rule("15.2.1.2/d")
def test_two_asturian_corps_do_not_share_while_there_are_two_places():
    state = deployed(fifth(), corps(first=R), Deploy("R-AST-I", "gijon"))
    stage = corps(first=R)
    assert refused(stage, state.position, "R-AST-II", "gijon") == ["15.2.1.2/d"]
    assert refused(stage, state.position, "R-AST-II", "pto_de_pajares") == []


@pytest.mark.rule("15.2.1.2/c")
def test_the_second_asturian_corps_goes_abroad_rather_than_share():
    lone = {**dict.fromkeys((*ASTURIAS, *SANTANDER), ""), "gijon": "MIL-AST-1",
            "san_vicente": "MIL-AST-2"}  # fmt: skip
    taken = ("castropol", "pto_de_la_espina", "pto_de_leitariegos", "pto_de_pajares")
    position = fifth(taken=taken, units=lone)
    stage = corps(first=R)
    assert spaces(stage, position, "R-AST-I") == {"gijon", "san_vicente"}
    there = deployed(position, stage, Deploy("R-AST-I", "gijon")).position
    assert refused(stage, there, "R-AST-II", "gijon") == ["15.2.1.2/d"]
    assert spaces(stage, there, "R-AST-II") == {"san_vicente"}


def northern_remnant(*republican, **units):
    """Santander and most of Asturias are lost; these spaces of Asturias are Republican."""
    lost = [space for space in (*ASTURIAS, *SANTANDER) if space not in republican]
    bare = dict.fromkeys((*ASTURIAS, *SANTANDER), "")
    return fifth(taken=lost, units={**bare, **units})


@pytest.mark.rule("15.2.1.2/d", "15.2.1.2/c")
def test_the_first_figure_three_spaces_for_three_corps():
    position = northern_remnant(
        "cangas_de_onis", "gijon", "pto_de_pajares",
        cangas_de_onis="MIL-SAN-1 MIL-AST-1", pto_de_pajares="MIL-AST-2",
    )  # fmt: skip
    stage = corps(first=R)
    assert spaces(stage, position, "R-SANTANDER") == {"cangas_de_onis"}
    assert spaces(stage, position, "R-AST-I") == {"gijon", "pto_de_pajares"}
    assert refused(stage, position, "R-AST-I", "cangas_de_onis") == ["15.2.1.2/d"]


@pytest.mark.rule("15.2.1.2", "15.2.1.2/d", "15.2.1.2/c")
@on_and_off("1e")
def test_in_the_first_edition_a_corps_looks_for_itself_alone(facts, agreed):
    """Its figures say what may be done, those of the second what must."""
    position = northern_remnant(
        "cangas_de_onis", "gijon", "pto_de_pajares",
        cangas_de_onis="MIL-SAN-1 MIL-AST-1", pto_de_pajares="MIL-AST-2",
    ).but(**facts)  # fmt: skip
    stage = corps(first=R)
    assert ("cangas_de_onis" in spaces(stage, position, "R-AST-I")) is agreed
    assert ("cangas_de_onis" in spaces(stage, position, "R-I")) is False  # the north is cut off
    taken = deployed(position, stage, Deploy("R-AST-I", "gijon")).position
    assert refused(stage, taken, "R-AST-II", "gijon") == ["15.2.1.2/d"]  # as long as others are


@pytest.mark.rule("15.2.1.2/d")
def test_the_second_figure_santander_and_one_asturian_corps_share():
    position = northern_remnant("cangas_de_onis", "gijon", cangas_de_onis="MIL-SAN-1 MIL-AST-1")
    state = deployed(
        position, corps("R-SANTANDER", "R-AST-I", "R-AST-II"),
        Deploy("R-AST-II", "gijon"), Deploy("R-AST-I", "cangas_de_onis"),
    )  # fmt: skip
    stage = state.agenda[-1]
    assert refused(stage, state.position, "R-SANTANDER", "gijon", "") == ["15.2.1.2/c"]
    state = submit(state, Deploy("R-SANTANDER", "cangas_de_onis", "MIL-AST-1")).state
    assert set(state.position.units_in("cangas_de_onis")) == {"MIL-SAN-1", "R-AST-I", "R-SANTANDER"}
    assert state.position.place_of("MIL-AST-1") == RESERVE
    both = deployed(position, corps("R-AST-I", "R-AST-II", "R-SANTANDER"),
                    Deploy("R-AST-I", "gijon"))  # fmt: skip
    assert refused(both.agenda[-1], both.position, "R-AST-II", "gijon") == ["15.2.1.2/d"]


@pytest.mark.rule("15.2.1.2/d")
@pytest.mark.parametrize("leaves", [("MIL-SAN-1", "MIL-AST-1"), ("MIL-AST-1", "MIL-SAN-1")])
def test_the_third_figure_all_three_corps_in_gijon(leaves):
    position = northern_remnant("gijon", gijon="MIL-SAN-1 MIL-AST-1")
    state = deployed(
        position, corps("R-SANTANDER", "R-AST-I", "R-AST-II"), Deploy("R-AST-I", "gijon"),
        Deploy("R-AST-II", "gijon", leaves[0]), Deploy("R-SANTANDER", "gijon", leaves[1]),
    )  # fmt: skip
    assert set(state.position.units_in("gijon")) == {"R-AST-I", "R-AST-II", "R-SANTANDER"}
    assert {state.position.place_of(unit) for unit in leaves} == {RESERVE}


@pytest.mark.rule("15.2.1.2/e")
def test_no_other_corps_comes_in_in_the_cut_off_north():
    assert refused(corps(first=R), fifth(), "R-I", "gijon") == ["15.2.1.2/e"]
    joined = fifth(republican=TO_ARAGON, units=dict.fromkeys(TO_ARAGON, ""))
    assert refused(corps(first=R), joined, "R-I", "gijon") == []


@pytest.mark.rule("15.2.1.2/d")
def test_another_corps_does_not_take_the_only_place_of_a_regional_one():
    bare = dict.fromkeys((*BASQUE, *TO_ARAGON), "")
    joined = fifth(republican=TO_ARAGON, units=bare)
    assert refused(corps(first=R), joined, "R-I", "bilbao") == ["15.2.1.2/d"]
    assert refused(corps("R-I", first=R), joined, "R-I", "bilbao") == []


@pytest.mark.rule("15.2.1.2/f")
def test_a_corps_without_a_space_is_out_of_the_game():
    bare = dict.fromkeys((*SANTANDER, *BASQUE), "")
    position = fifth(taken=SANTANDER, units=bare)
    stage = corps("R-SANTANDER", "N-I")
    state = deployed(position, stage, Deploy("N-I", "leon"))
    assert state.agenda == ()
    assert state.position.place_of("R-SANTANDER") == REMOVED


# --- the watch on the north ---------------------------------------------------------------------


@pytest.mark.rule("15.2.1.2/a")
def test_a_region_may_wait_while_enough_corps_are_left():
    two_in_the_west = fifth(units={"leon": "INF-1 N-I", "lugo": "INF-2 N-V"})
    three = corps("N-VI", "N-VII", "N-VIII")
    assert refused(three, two_in_the_west, "N-VI", "cordoba") == []
    one = corps("N-VIII")
    assert refused(one, two_in_the_west, "N-VIII", "cordoba") == ["15.2.1.2/a"]
    assert refused(one, two_in_the_west, "N-VIII", "vitoria") == ["15.2.1.2/a"]
    assert spaces(one, two_in_the_west, "N-VIII") == {"dobro"}


@pytest.mark.rule("15.2.1.2/a")
def test_three_corps_watch_three_regions_even_if_two_are_next_to_them_all():
    two = fifth(units={"leon": "CAV-6 N-I", "dobro": "CAV-7 N-V"})
    last = corps("N-VIII")
    assert refused(last, two, "N-VIII", "cordoba") == ["15.2.1.2/a"]
    assert {"lugo", "villalba", "vitoria", "beasain"} <= spaces(last, two, "N-VIII")


@pytest.mark.rule("15.2.1.2/a")
def test_a_conquered_region_needs_no_corps():
    bare = dict.fromkeys(BASQUE, "")
    position = fifth(taken=BASQUE, units={**bare, "leon": "INF-1 N-I", "dobro": "INF-2 N-V"})
    assert refused(corps("N-VIII"), position, "N-VIII", "cordoba") == []


@pytest.mark.rule("15.2.1.2/a")
def test_where_no_space_is_near_the_nearest_will_do():
    bare = table(5, bare=True, isolated=frozenset())
    three = corps("N-I", "N-V", "N-VI")
    assert spaces(three, bare, "N-I") == {"la_coruna", "valladolid", "zaragoza"}
    assert refused(three, bare, "N-I", "sevilla") == ["15.2.1.2/a"]
    four = corps("N-I", "N-V", "N-VI", "N-VII")
    assert "sevilla" in spaces(four, bare, "N-I")


@pytest.mark.rule("15.2.1.2/a")
def test_the_ctv_can_keep_the_watch_from_its_own_places():
    manned = {"leon": "INF-1 N-I", "lugo": "INF-2 N-V", "dobro": "ITA-1"}
    position = fifth(played=frozenset({"N2"}), units=manned)
    assert refused(corps("N-VI", "N-CTV"), position, "N-VI", "cordoba") == []
    assert refused(corps("N-CTV"), position, "N-CTV", "cadiz") == ["15.2.1.2/a"]
    elsewhere = fifth(played=frozenset({"N2"}), units={**manned, "dobro": "INF-3"})
    assert refused(corps("N-VI", "N-CTV"), elsewhere, "N-VI", "cordoba") == ["15.2.1.2/a"]


# --- all of them --------------------------------------------------------------------------------


@pytest.mark.rule("15.2.1.2")
@pytest.mark.parametrize("seed", range(2))
def test_what_is_offered_is_what_is_allowed(seed):
    """After each random placement every space of the map is judged as the plan says."""
    rng = random.Random(seed)
    position = fifth(played=frozenset({"N2"}) if seed % 2 else frozenset())
    state = begin(State(position, (UnplacedCorps(ALL), corps()))).state
    while state.agenda:
        stage, decision = state.agenda[-1], waits_for(state)
        unit = rng.choice(stage.waiting(state.position, decision.side))
        offered = spaces(stage, state.position, unit)
        for to in TABLES.spaces:
            room = rules.who_can_make_room(state.position, to)[:1]
            full = len(state.position.units_in(to)) == 3
            order = Deploy(unit, to, room[0] if room and full else "")
            assert (to in offered) == (refusals(stage, state.position, order) == []), to
        assert violations(state, decision.default) == ()
        state = submit(state, next(legal_samples(state, rng))).state
    left = [unit for unit in ALL if not state.position.is_on_map(unit)]
    assert left == ([] if seed % 2 else ["N-CTV"])


@pytest.mark.rule("15.2.1")
def test_the_defaults_deploy_all_corps():
    state = begin(State(fifth(), first_corps(fifth(), N, "15.2.1")[::-1])).state
    while state.agenda:
        state = submit(state, waits_for(state).default).state
    assert [u for u in ALL if not state.position.is_on_map(u)] == ["N-CTV"]


@pytest.mark.rule("15.2.1")
def test_a_form_shows_orders_and_spaces():
    decision = waits_for(begin(State(fifth(), (corps(),))).state)
    first, *_ = decision.options[0].examples(every)
    assert first.order.unit == "N-I" and "N-NAVARRA, " in str(first.note)
    assert first.order.to in first.others["to"] and "N-NAVARRA" in first.others["unit"]


# --- the Reserve --------------------------------------------------------------------------------


@pytest.mark.rule("15.2.2.1")
def test_what_the_reserves_lack():
    position = fifth(units={RESERVE: "INF-1 MIL-NAV-1 R-MIL-1 MIL-CNT-1 R-POL-1 MIL-BAS-1"})
    assert [count for _, count in missing_reserves(position, N)] == [4]
    assert [(types[0], count) for types, count in missing_reserves(position, R)] == [
        ("MIL-SAN", 1), ("MIL-AST", 2), ("MIL", 2),
    ]  # fmt: skip


@pytest.mark.rule("15.2.2.1")
def test_italians_are_asked_for_once_they_have_come():
    position = fifth(played=frozenset({"N11"}))
    assert missing_reserves(position, N)[0] == (("ITA",), 1)


@pytest.mark.rule("15.2.2.2")
@pytest.mark.parametrize(
    "unit, why",
    [
        ("INF-1", ""),
        ("INF-2", "Oviedo is out of supply"),
        ("N-POL-1", "the Reserve has enough of its kind"),
        ("INF-3", "it is not on the map"),  # in the Reserve already
        ("R-MIL-1", "is not a unit of the Nationalist side, whose turn it is"),
        ("nobody", "is not a unit of the Nationalist side, whose turn it is"),
    ],
)
def test_only_a_division_that_helps_is_withdrawn(unit, why):
    units = {"leon": "INF-1 N-POL-1", "oviedo": "INF-2", RESERVE: "INF-3", "toledo": "R-MIL-1"}
    position = table(5, bare=True, isolated=frozenset(), units=units)
    found = list(ReserveCheck().check(position, Withdraw(unit)))
    assert [(each.rule, str(each.message).endswith(why)) for each in found] == [
        ("15.2.2.2", True)
    ] * bool(why)


@pytest.mark.rule("15.2.2.2", "18.2.3")
@pytest.mark.parametrize("pass_holder", [N, R])
def test_oviedo_gives_a_division_only_as_long_as_the_corridor_is_open(pass_holder):
    """A space cut off is not in supply, but the corridor leaves Oviedo isolated and supplied."""
    held = ["pto_de_leitariegos"] if pass_holder == N else []
    cut_off = frozenset({"oviedo"} if pass_holder == N else ())
    units = {"oviedo": "INF-2", "leon": "INF-1"}
    position = table(5, bare=True, isolated=cut_off, units=units, nationalist=held,
                     options=frozenset({"18.2.3"}))  # fmt: skip
    assert withdrawable(position, N) == ("INF-1", "INF-2")[: 1 + (pass_holder == N)]
    found = [str(each.message) for each in ReserveCheck().check(position, Withdraw("INF-2"))]
    assert found == ["INF-2 may not be withdrawn: Oviedo is out of supply"] * (pass_holder == R)


@pytest.mark.rule("15.2.1.2", "18.2.3")
def test_no_corps_is_placed_in_oviedo_at_the_end_of_the_corridor():
    position = table(5, bare=True, isolated=frozenset({"oviedo"}), units={"oviedo": "INF-2"},
                     nationalist=["pto_de_leitariegos"], options=frozenset({"18.2.3"}))  # fmt: skip
    found = violations(begin(State(position, (corps(),))).state, Deploy("N-I", "oviedo"))
    assert [(each.rule, str(each.message)) for each in found] == [
        ("18.2.3", "Oviedo is isolated, and no corps is placed there")
    ]


@pytest.mark.rule("15.2.2", "15.2.2.2")
def test_the_sides_withdraw_by_turns_until_the_reserves_are_right():
    state = begin(State(fifth(), (ReserveCheck(),))).state
    sides = []
    while state.agenda:
        decision = waits_for(state)
        sides.append(decision.side)
        assert violations(state, decision.default) == ()
        state = submit(state, decision.default).state
    assert sides == [N, R] * 5 + [R]
    assert missing_reserves(state.position, N) == missing_reserves(state.position, R) == ()
    assert len(state.position.units_in(RESERVE, N)) == 6


@pytest.mark.rule("15.2.2.2")
def test_reduced_divisions_go_first_if_a_player_has_no_wish():
    position = table(5, bare=True, units={"leon": "INF-1 (INF-9)"})
    assert withdrawable(position, N) == ("INF-9", "INF-1")


@pytest.mark.rule("15.2.2.2")
def test_who_cannot_help_it_is_not_asked():
    position = table(5, bare=True, units={"leon": "N-POL-1"})
    assert begin(State(position, (ReserveCheck(),))).state.agenda == ()


# --- militia and regulars -----------------------------------------------------------------------


def militarized(position, unit):
    (event,) = Militarization(5).resolve(position, Militarize(unit)).events
    return event.apply(position)


@pytest.mark.rule("15.2.3")
def test_a_militia_becomes_a_division_of_the_same_strength_where_it_is():
    position = fifth(units={"toledo": "(R-MIL-1)", ELIMINATED: "R-MIL-2", RESERVE: "MIL-CNT-1"})
    for unit, place in (("R-MIL-1", "toledo"), ("R-MIL-2", ELIMINATED), ("MIL-CNT-1", RESERVE)):
        after = militarized(position, unit)
        (new,) = [u for u in after.units_in(place, R) if after.type_of(u).id == "RPA"]
        assert after.is_reduced(new) is (unit == "R-MIL-1")
        assert after.place_of(unit) == REMOVED


@pytest.mark.rule("15.2.3")
@pytest.mark.parametrize(
    "unit", ["MIL-AST-1", "MIL-POUM", "N-MIL-1", "RPA-1", "R-POL-1", "R-MIL-26", "nobody"]
)
def test_who_may_not_be_militarized(unit):
    assert refusals(Militarization(5), fifth(), Militarize(unit)) == ["15.2.3"]


@pytest.mark.rule("15.2.3")
def test_five_militia_and_no_more():
    state = begin(State(fifth(), (Militarization(5),))).state
    for number in range(1, 6):
        state = submit(state, Militarize(f"R-MIL-{number}")).state
    assert state.agenda == ()
    assert refusals(Militarization(0), fifth(), Militarize("R-MIL-9")) == ["15.2.3"]


@pytest.mark.rule("15.2.3")
def test_no_more_than_the_box_holds():
    regulars = " ".join(f"RPA-{number}" for number in range(1, 12))
    position = fifth(units={RESERVE: regulars})
    state = begin(State(position, (Militarization(5),))).state
    state = submit(state, Militarize("R-MIL-1")).state
    assert state.agenda == ()
    assert refusals(Militarization(4), state.position, Militarize("R-MIL-2")) == ["15.2.3"]


@pytest.mark.rule("15.2.3")
def test_nobody_need_be_militarized():
    decision = waits_for(begin(State(fifth(), (Militarization(5),))).state)
    assert decision.side == R and decision.default == Done() and decision.optional


# --- where it stands in the turn ----------------------------------------------------------------


@pytest.mark.rule("15.2.1", "15.1.1")
@pytest.mark.parametrize("turn, asked", [(4, False), (5, True), (6, False), (11, False)])
def test_the_armies_are_organised_at_the_end_of_turn_5(turn, asked):
    state = begin(State(table(turn, isolated=frozenset()), (Mobilization(),))).state
    assert bool(state.agenda) is asked


# --- 15.1: the decks ----------------------------------------------------------------------------


def known_cards(position, side):
    deck = position.decks[side]
    return {position.known[slot] for slot in (*deck.pile, *deck.hand)} | set(deck.discards)


@pytest.mark.rule("15.1.2", "15.1.3")
@pytest.mark.parametrize("turn, phase", [(6, "mobilization"), (12, "armies")])
def test_a_new_phase_brings_its_cards_and_the_discards(turn, phase):
    options = frozenset({"open_hands"})
    position = table(turn, hand={N: ("N5",), R: ("R5",)}, options=options)
    decks = {
        side: Deck(hand=position.decks[side].hand, discards=(f"{side[0].upper()}3",), epoch=1)
        for side in (N, R)
    }
    after = begin(State(position.but(decks=decks), (CheckWarPhase(),))).state.position
    for side, card in ((N, "N3"), (R, "R3")):
        new = {c.id for c in TABLES.cards.values() if (c.side, c.phase) == (side, phase)}
        pile = [after.known[slot] for slot in after.decks[side].pile]
        assert set(pile) == new | {card} and len(pile) == len(new) + 1
        assert (after.decks[side].discards, after.decks[side].epoch) == ((), 2)


@pytest.mark.rule("16.3.3/i")
@on_and_off("Q4")
def test_a_zone_in_two_pieces_counts_as_the_phase_begins_by_agreement_alone(facts, agreed):
    cut = table(6, nationalist=("vinaroz", "castellon", "morella", "alcaniz", "gandesa", "caspe"),
                **facts)  # fmt: skip
    after = begin(State(cut, (CheckWarPhase(),))).state.position
    assert after.has("republican_divided") is agreed


# --- the redraw of turn 6 -----------------------------------------------------------------------

NO_CORPS = ("N3", "N5", "N10", "N12", "N13", "N17", "N24")


def sixth(hand, scenario="campaign", **facts):
    facts = {"options": frozenset({"open_hands"}), **facts}
    position = table(6, scenario=scenario, hand={N: hand, R: ("R19",)}, **facts)
    pile = {f"n/1/{place}": f"N{place}" for place in range(19, 24)}
    decks = {**position.decks, N: Deck(hand=position.decks[N].hand, pile=tuple(pile), epoch=1)}
    return position.but(decks=decks, known={**position.known, **pile})


@pytest.mark.rule("15.1.2")
def test_a_hand_without_corps_may_be_drawn_anew():
    state = begin(State(sixth(NO_CORPS), (Redraws(),))).state
    decision = waits_for(state)
    assert isinstance(decision, Decision) and decision.side == N and decision.default == Done()
    advance = submit(state, Redraw())
    deck = advance.state.position.decks[N]
    assert deck.hand == () and deck.epoch == 2
    assert known_cards(advance.state.position, N) == {*NO_CORPS, "N19", "N20", "N21", "N22", "N23"}
    assert rare.HandReturned(N, NO_CORPS) in advance.events
    assert isinstance(waits_for(advance.state), Chance)


@pytest.mark.rule("15.1.2")
def test_it_may_be_done_again_until_a_corps_comes():
    class Dice:
        def __init__(self, first):
            self.first = first

        def roll(self, draws):
            picked = tuple(range(self.first, self.first + draws[0].take))
            return {draws[0].label: Roll(draws[0].label, "", picked=picked)}

    state = submit(begin(State(sixth(NO_CORPS), (Redraws(),))).state, Redraw()).state
    cards = [state.position.known[slot] for slot in state.position.decks[N].pile]
    assert cards == sorted(cards)
    lucky = roll(state, Dice(5)).state
    assert lucky.agenda == ()
    kept = submit(begin(State(sixth(NO_CORPS), (Redraws(),))).state, Done()).state
    assert kept.agenda == () and len(kept.position.decks[N].hand) == 7


@pytest.mark.rule("15.1.2")
def test_with_a_corps_card_there_is_no_redraw():
    hand = (*NO_CORPS[:6], "N19")
    assert begin(State(sixth(hand), (Redraws(),))).state.agenda == ()
    assert refusals(Redrawing(N), sixth(hand), Redraw()) == ["15.1.2"]


@pytest.mark.rule("15.1.2")
def test_a_hidden_hand_must_be_shown_first():
    position = sixth(NO_CORPS)
    hidden = {slot: card for slot, card in position.known.items() if card != "N5"}
    assert refusals(Redrawing(N), position.but(known=hidden), Redraw()) == ["15.1.2"]
    assert refusals(Redrawing(N), position.but(known=hidden), Done()) == []


@pytest.mark.rule("15.1.2")
@pytest.mark.parametrize("turn", [5, 7, 12])
def test_only_turn_6_knows_the_redraw(turn):
    position = sixth(NO_CORPS).but(turn=turn)
    assert begin(State(position, (Redraws(),))).state.agenda == ()


@pytest.mark.rule("4.3.2")
def test_scenarios_that_begin_with_turn_6_ask_for_a_corps_card():
    position = sixth(NO_CORPS, "two_years_of_war")
    assert refusals(Redrawing(N), position, Done()) == ["4.3.2"]
    decision = waits_for(begin(State(position, (Redraws(),))).state)
    assert decision.default == Redraw() and [o.order for o in decision.options] == [Redraw]
    assert refusals(Redrawing(N), sixth(NO_CORPS), Done()) == []


@pytest.mark.rule("15.1.2")
def test_the_new_hand_is_as_large_as_the_old():
    state = submit(begin(State(sixth(NO_CORPS), (Redraws(),))).state, Redraw()).state
    (draw,) = waits_for(state).draws
    assert (draw.take, draw.of) == (7, 12)
