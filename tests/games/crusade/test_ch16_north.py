"""16.4 and 16.5: who may be in the Northern Front, and winter."""

from __future__ import annotations

import pytest

from pbem.games.crusade.events import CorpsReplaced, UnitRetreated
from pbem.games.crusade.orders import Advance, AdvancePlan, Move, Redeploy
from pbem.games.crusade.position import Combat, Control
from pbem.games.crusade.rules import north, winter
from pbem.games.crusade.rules.advance import planned, possible
from pbem.games.crusade.rules.cards import winter_plays
from pbem.games.crusade.rules.morale import north_is_isolated
from pbem.games.crusade.rules.retreat_checks import advance_cooperates
from pbem.games.crusade.stages.begun import as_it_stands
from pbem.games.crusade.stages.combat.advance import Pursuit
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.value import replace
from tests.games.crusade.board import STARTS, N, R, after, refusals, table
from tests.games.crusade.fights import Round, attack, field, where

CAMPAIGN = STARTS["campaign"]
JOINED = ("somosierra", "aranda_de_duero", "burgos", "pancorbo", "vitoria", "dobro")

STRAYED = frozenset({"MIL-AST-1", "MIL-AST-2"})
"""Two Asturian divisions that a retreat brought into another region."""


def refusal(position, unit, space, **how):
    found = north.may_end(position, unit, space, **how)
    return found.rule if found else ""


@pytest.mark.rule("16.4.2.1")
@pytest.mark.parametrize("space", ["gijon", "oviedo", "lugo", "ponferrada", "leon"])
def test_asturians_end_in_asturias_and_outside_the_regions(space):
    guest = table(units={"santander": "MIL-AST-2"})
    assert refusal(guest, "MIL-AST-7", space) == ""


@pytest.mark.rule("16.4.2.1", "16.4.2.2")
@pytest.mark.parametrize("space", ["santander", "bilbao"])
def test_one_asturian_division_may_be_a_guest(space):
    assert refusal(CAMPAIGN, "MIL-AST-7", space) == ""
    guest = table(units={"santona": "MIL-AST-2"})
    assert refusal(guest, "MIL-AST-7", space) == "16.4.2.2"
    assert refusal(guest, "MIL-AST-2", space) == ""
    assert refusal(guest, "MIL-SAN-3", "bilbao") == ""


@pytest.mark.rule("16.4.3.2", "16.4.3.2/a")
def test_the_police_of_the_enemy_in_oviedo_fill_no_place():
    position = table(units={"oviedo": "N-POL-1 N-POL-2"})
    assert refusal(position, "R-POL-2", "gijon") == ""


@pytest.mark.rule("16.4.2.2")
def test_two_in_one_stack_are_one_too_many():
    units = ("MIL-SAN-1", "MIL-SAN-2")
    assert refusal(CAMPAIGN, "MIL-SAN-1", "bilbao", arriving=units) == "16.4.2.2"
    assert refusal(CAMPAIGN, "MIL-SAN-1", "bilbao", arriving=("MIL-SAN-1",)) == ""
    (one, other) = (north.may_end(CAMPAIGN, unit, "bilbao", arriving=units) for unit in units)
    assert one and str(one.message) == (
        "only one division of Santander may end in another region, "
        "and MIL-SAN-2 would end there too"
    )
    assert other and str(other.message).endswith("and MIL-SAN-1 would end there too")


@pytest.mark.rule("16.4.2.2")
def test_a_guest_who_leaves_makes_room():
    guest = table(units={"santona": "MIL-AST-2"})
    assert refusal(guest, "MIL-AST-7", "santander", leaving=("MIL-AST-2",)) == ""


@pytest.mark.rule("16.4.2.2")
@pytest.mark.parametrize("space, rule", [("santander", "16.4.2.2"), ("gijon", ""), ("leon", "")])
def test_a_regional_corps_is_never_a_guest(space, rule):
    position = table(8, units={"cangas_de_onis": "R-AST-I"})
    assert refusal(position, "R-AST-I", space) == rule


@pytest.mark.rule("16.4.2.1")
def test_police_and_the_enemy_are_not_bound():
    assert refusal(CAMPAIGN, "R-POL-1", "santander") == ""
    assert refusal(CAMPAIGN, "INF-5", "gijon") == ""


@pytest.mark.rule("16.4.2.4")
@pytest.mark.parametrize(
    "space, can_go_home, rule",
    [("bilbao", True, "16.4.2.4"), ("bilbao", False, ""), ("lugo", True, "16.4.2.4"),
     ("cangas_de_onis", True, "")],
)  # fmt: skip
def test_a_guest_too_many_goes_home_if_it_can(space, can_go_home, rule):
    position = table(units={"santander": "MIL-AST-1 MIL-AST-2"}, strayed=STRAYED)
    assert north.is_guest_too_many(position, "MIL-AST-1")
    assert refusal(position, "MIL-AST-1", space, can_go_home=can_go_home) == rule


@pytest.mark.rule("16.4.2.4/b")
@pytest.mark.parametrize(
    "options, strayed, bound",
    [((), "", ""), ((), "MIL-AST-1", "MIL-AST-1"), ((), "MIL-AST-2", "MIL-AST-2"),
     ((), "MIL-AST-1 MIL-AST-2", "MIL-AST-1 MIL-AST-2"),
     (("1e",), "", "MIL-AST-1 MIL-AST-2"), (("1e",), "MIL-AST-1", "MIL-AST-1 MIL-AST-2")],
)  # fmt: skip
def test_a_retreat_binds_a_guest_and_in_the_first_edition_so_does_anything(options, strayed, bound):
    position = table(
        units={"santander": "MIL-AST-1 MIL-AST-2"},
        options=frozenset(options),
        strayed=frozenset(strayed.split()),
    )
    found = [unit for unit in position.counters if north.is_guest_too_many(position, unit)]
    assert found == bound.split()
    for unit in ("MIL-AST-1", "MIL-AST-2"):
        rule = "16.4.2.4" if unit in bound else "16.4.2.2"  # else it is a second guest like any
        assert refusal(position, unit, "bilbao", can_go_home=True) == rule


def went(unit, place, to, **fields):
    """The position after a retreat of a unit from a place to another."""
    position = table(units={place: unit, to: ""}, **fields)
    return UnitRetreated(unit, (to,)).apply(position)


@pytest.mark.rule("16.4.2.4/b")
def test_a_retreat_into_another_region_is_remembered():
    assert went("MIL-AST-1", "cangas_de_onis", "santander").strayed == {"MIL-AST-1"}
    assert went("MIL-AST-1", "leon", "santander").strayed == {"MIL-AST-1"}
    assert went("MIL-AST-1", "cangas_de_onis", "leon").strayed == frozenset()
    assert went("MIL-AST-1", "cangas_de_onis", "gijon").strayed == frozenset()
    assert went("MIL-AST-1", "santona", "santander").strayed == frozenset(), "a guest before"
    assert went("R-POL-1", "cangas_de_onis", "santander").strayed == frozenset()
    assert went("R-AST-I", "cangas_de_onis", "santander").strayed == {"R-AST-I"}
    before = {"strayed": frozenset({"MIL-AST-2"})}
    assert went("MIL-AST-1", "leon", "santander", **before).strayed == STRAYED


@pytest.mark.rule("16.4.2.4/b")
@pytest.mark.parametrize(
    "to, bound",
    [("bilbao", True), ("santona", True), ("gijon", False), ("leon", False), ("reserve", False),
     ("eliminated", False)],
)  # fmt: skip
def test_it_is_forgotten_where_the_unit_is_no_guest_any_more(to, bound):
    position = table(units={"santander": "MIL-AST-1 MIL-AST-2"}, strayed=STRAYED)
    after = position.with_unit("MIL-AST-1", to)
    assert ("MIL-AST-1" in after.strayed) is bound and "MIL-AST-2" in after.strayed


@pytest.mark.rule("16.4.2.4/b")
def test_a_scenario_tells_where_guests_came_by_a_retreat():
    position = table(units={"santander": "MIL-AST-1 MIL-AST-3 MIL-SAN-1", "bilbao": "MIL-AST-2"})
    row = {"type": "MIL-AST", "count": 1, "reduced": False}
    for told, strayed in (({}, set()), ({"strayed": True}, {"MIL-AST-1"})):
        stack = [{"space": "santander", "units": [row | told, row]}]
        sheet = {"markers": {"rp": {}}, "decks": {}, "units": {N: {}, R: {"map": stack}}}
        assert as_it_stands(position, sheet).strayed == strayed


@pytest.mark.rule("16.4.2.4/b", "11.3.5")
def test_who_takes_the_place_of_a_corps_abroad_came_by_its_retreat():
    fallen = table(units={"santander": "", "reserve": "MIL-AST-1"})
    assert CorpsReplaced("R-AST-I", "MIL-AST-1", "santander").apply(fallen).strayed == {"MIL-AST-1"}
    assert CorpsReplaced("R-AST-I", "MIL-AST-1", "gijon").apply(fallen).strayed == frozenset()


ASTURIAS = tuple(s.id for s in CAMPAIGN.tables.spaces.values() if s.region == "asturias")


@pytest.mark.rule("16.4.2.4/a", "16.4.2.2")
@pytest.mark.parametrize(
    "options, strayed, rule",
    [((), STRAYED, ""), ((), frozenset(), "16.4.2.2"), (("1e",), frozenset(), "")],
)
def test_without_a_home_a_guest_too_many_goes_where_it_likes(options, strayed, rule):
    guests = {"santander": "MIL-AST-1 MIL-AST-2"}
    facts = {"options": frozenset(options), "strayed": strayed, "units": guests}
    lost = table(nationalist=ASTURIAS, **facts)
    assert refusal(lost, "MIL-AST-1", "bilbao", can_go_home=True) == rule
    for space in ASTURIAS:  # one space that is left is a home
        kept = lost.with_control(space, R)
        bound = "16.4.2.4" if not rule else "16.4.2.2"
        assert refusal(kept, "MIL-AST-1", "bilbao", can_go_home=True) == bound


@pytest.mark.rule("16.4.2.4/a", "16.4.2.2")
@pytest.mark.parametrize("options", [(), ("1e",)])
@pytest.mark.parametrize("guests", ["MIL-AST-1", "MIL-AST-1 MIL-AST-2"])
def test_the_loss_of_a_region_frees_nobody_else_of_it(options, guests):
    """The guests in Santander stay what they are; who is elsewhere may not join them."""
    facts = {"options": frozenset(options), "strayed": STRAYED & set(guests.split())}
    units = {"santander": guests, "leon": "MIL-AST-3 R-AST-I"}
    lost = table(8, nationalist=ASTURIAS, units=units, **facts)
    for space in ("santander", "bilbao"):
        assert refusal(lost, "MIL-AST-3", space) == "16.4.2.2"
        assert refusal(lost, "R-AST-I", space) == "16.4.2.2"
        assert north.never_may_end(lost, "R-AST-I", space)
    abroad = lost.with_unit("R-AST-I", "santona").but(strayed=lost.strayed | {"R-AST-I"})
    assert refusal(abroad, "R-AST-I", "santander") == "16.4.2.2"


@pytest.mark.rule("16.4.2.4/a", "12.1.8/a", "16.4.3.2/c")
@pytest.mark.parametrize("options", [(), ("1e",)])
@pytest.mark.parametrize("guest, faults", [("", []), ("MIL-AST-1", ["16.4.2.2"])])
def test_none_may_join_a_guest_out_of_the_reserve_once_the_region_is_lost(options, guest, faults):
    units = {"santander": f"{guest or 'MIL-SAN-1'} R-POL-1", "leon": "MIL-AST-3",
             "reserve": "MIL-AST-2"}  # fmt: skip
    lost = table(8, bare=True, nationalist=ASTURIAS, units=units, options=frozenset(options))
    stage = Redeployment(R, 8)
    order = Redeploy("MIL-AST-2", "santander", "reserve")
    joins = ["12.1.8/a"] if not guest else []
    assert refusals(stage, lost, order) == joins + faults


@pytest.mark.rule("16.4.2.4", "11.5.3")
def test_a_guest_too_many_that_advances_goes_home_if_the_advance_leads_there():
    """Two Asturians are guests in Santander; one wins in San Vicente, next to Asturias."""
    position = table(units={"santander": "MIL-AST-1 MIL-AST-2", "san_vicente": ""}, strayed=STRAYED)
    origins = {"MIL-AST-1": "santander"}
    won = Combat(R, "san_vicente", origins, followed=("cangas_de_onis",))
    assert list(possible(position, won)) == [("MIL-AST-1", ("san_vicente", "cangas_de_onis"))]
    short, home = (
        Advance(("MIL-AST-1",), to) for to in (("san_vicente",), ("san_vicente", "cangas_de_onis"))
    )
    fought = position.but(combat=won)
    found = [each.rule for each in advance_cooperates(Pursuit(R), fought, short)]
    assert found == ["16.4.2.4"]
    assert list(advance_cooperates(Pursuit(R), fought, home)) == []
    plan = planned(position, won, AdvancePlan(("MIL-AST-1",), ("san_vicente", "cangas_de_onis")))
    assert plan.to == ("san_vicente", "cangas_de_onis")
    abroad = Combat(R, "san_vicente", origins)  # no way home: it goes where it likes
    assert list(possible(position, abroad)) == [("MIL-AST-1", ("san_vicente",))]
    alone = position.with_unit("MIL-AST-2", "gijon")
    assert len(list(possible(alone, won))) == 2


@pytest.mark.rule("16.4.3.1", "16.4.3.3")
def test_the_north_is_cut_off_until_land_joins_it():
    assert north_is_isolated(CAMPAIGN)
    assert not north_is_isolated(table(republican=JOINED))


@pytest.mark.rule("16.4.3.2", "16.4.3.2/a")
@pytest.mark.parametrize(
    "unit, space, rule",
    [("R-MIL-6", "gijon", "16.4.3.2"), ("RPA-1", "bilbao", "16.4.3.2"), ("R-POL-2", "gijon", ""),
     ("R-MIL-6", "burgos", "")],
)  # fmt: skip
def test_strangers_may_not_enter_the_cut_off_north(unit, space, rule):
    assert refusal(CAMPAIGN, unit, space) == rule
    assert refusal(table(republican=JOINED), unit, space) == ""


@pytest.mark.rule("16.4.3.2/a")
def test_two_police_divisions_are_the_limit_and_those_who_are_there_stay():
    # reading: Q61
    position = table(units={"bilbao": "R-POL-1 R-POL-3"})
    assert refusal(position, "R-POL-2", "gijon") == "16.4.3.2"
    assert refusal(position, "R-POL-1", "gijon") == ""
    assert refusal(CAMPAIGN, "R-POL-2", "gijon", arriving=("R-POL-2", "R-POL-4")) == "16.4.3.2"
    stranger = table(units={"bilbao": "RPA-1"})
    assert refusal(stranger, "RPA-1", "santander") == ""


@pytest.mark.rule("16.4.3.2")
def test_what_only_the_north_supplies_belongs_to_it():
    position = table(republican=("vitoria",))
    assert north.is_northern(position, "vitoria")
    assert refusal(position, "R-MIL-6", "vitoria") == "16.4.3.2"
    assert not north.is_northern(CAMPAIGN, "vitoria")
    assert not north.is_northern(CAMPAIGN, "madrid")


@pytest.mark.rule("16.4.3.2", "16.4.3.3")
def test_land_that_joins_the_main_zone_to_the_north_makes_it_no_part_of_it():
    joined = table(republican=JOINED)
    assert not north.is_cut_off(joined)
    for space in ("madrid", "valencia", "vitoria"):
        assert not north.is_northern(joined, space)
    for space in ("bilbao", "oviedo", "santona"):
        assert north.is_northern(joined, space)
    torn = joined.but(control=Control({**joined.control, "cangas_de_onis": N, "san_vicente": N,
                                       "pto_de_pajares": R, "leon": R}))  # fmt: skip
    assert not north.is_cut_off(torn)
    assert north.is_northern(torn, "leon"), "Gijón alone supplies it"


@pytest.mark.rule("16.5.1", "16.5.2")
@pytest.mark.parametrize(
    "turn, is_winter", [(4, False), (5, True), (6, False), (11, True), (17, True)]
)
def test_winter_turns(turn, is_winter):
    assert winter.is_winter(table(turn)) is is_winter
    assert (winter.winter_effects(table(turn)) is not None) is is_winter


@pytest.mark.rule("16.5.2/a", "16.5.2/b", "16.5.3")
def test_a_severe_winter_is_worse():
    severe = table(11, flags=frozenset({"severe_winter_11"}))
    later = table(17, flags=frozenset({"severe_winter_11"}))
    mild = winter.winter_effects(table(11))
    hard = winter.winter_effects(severe)
    assert (mild["ops_cards"], mild["mountain_drm"]) == (3, -1)
    assert (hard["ops_cards"], hard["mountain_drm"]) == (2, -2)
    assert winter.winter_effects(later) == mild


@pytest.mark.rule("16.5.2/a")
def test_rounds_of_operations_before_a_scenario_begins_count_in_winter():
    """Each is told by its number, the first is 1."""
    done = {N: ["operations", "event", "operations"], R: ["redeployment", "event"]}
    begins = {"side": R, "round": 3, "actions": done}
    position = as_it_stands(table(11), {**CAMPAIGN.tables.sheet("campaign"), "begins": begins})
    assert position.turn_marks == {f"operations_{N}_round_{number}" for number in (1, 3)}
    assert (winter_plays(position, N), winter_plays(position, R)) == (2, 0)


# --- joining the north ----------------------------------------------------------------------------

RING = "lugo villalba ponferrada leon oviedo dobro vitoria orduna beasain pto_velate"


def ringed(*, hold="", **units):
    """All is Republican but a ring around the northern sources, and `hold`."""
    position = field(8, bilbao="MIL-BAS-1", **units)
    held = f"{RING} {hold}".split()
    owners = {s.id: N if s.id in held else R for s in position.tables.spaces.values()
              if not s.dormant}  # fmt: skip
    return position.but(control=Control(owners))


def marching(position, unit, *path):
    stage = Movement(R, (path[0],), (), frozenset(position.spaces_of(N)))
    order = Move((unit,), path)
    return [each.rule for each in stage.check(position, order)], stage.resolve(position, order)


@pytest.mark.rule("16.4.3.2", "16.4.3.3", "10.1.9")
@pytest.mark.parametrize("hold, path", [
    ("", ("pancorbo", "orduna")),
    ("pancorbo", ("burgos", "pancorbo", "orduna")),
])  # fmt: skip
def test_the_step_that_joins_the_north_is_no_entry_into_one_cut_off(hold, path):
    position = ringed(hold=hold, **{path[0]: "RPA-1"})
    assert north.is_cut_off(position)
    faults, outcome = marching(position, "RPA-1", *path)
    assert faults == []
    assert not north.is_cut_off(after(position, *outcome.events))


@pytest.mark.rule("16.4.3.2", "16.4.3.3")
def test_a_path_that_joins_the_north_opens_it_to_nobody_on_another_path():
    position = ringed(pancorbo="RPA-1", hold="burgos")
    joining, other = ("pancorbo", "orduna"), ("pancorbo", "burgos")
    assert north.may_end(position, "RPA-1", "orduna", path=joining) is None
    assert north.may_end(position, "RPA-1", "orduna", path=other) is not None


@pytest.mark.rule("16.4.3.2")
def test_a_step_that_takes_ground_but_does_not_join_the_north_is_no_way_in():
    position = ringed(pancorbo="RPA-1")
    pocket = position.but(control=Control(
        {space: R if space in ("santander", "bilbao", "pancorbo") else N
         for space in position.control}
    ))  # fmt: skip
    assert north.is_cut_off(pocket)
    faults, _ = marching(pocket, "RPA-1", "pancorbo", "orduna")
    assert faults == ["16.4.3.2"]


@pytest.mark.rule("16.4.3.2", "11.5.6")
def test_an_advance_may_join_the_north():
    facts = ringed(pancorbo="RPA-1 RPA-2 RPA-3", orduna="(N-MIL-1)")
    order = attack("orduna", pancorbo="RPA-1 RPA-2 RPA-3")
    asked = Round(facts, R, "pancorbo").say(order).roll(6, 1)
    assert asked.question == "advance"
    assert asked.faults(Advance(("RPA-1",), ("orduna",))) == []
    plan = AdvancePlan(("RPA-1",), ("orduna",))
    fought = Round(facts, R, "pancorbo").say(replace(order, advance=plan)).roll(6, 1)
    assert where(fought.position, "RPA-1") == ["orduna"]
    assert not north.is_cut_off(fought.position)


STRAYS = frozenset({"MIL-BAS-1", "MIL-BAS-2"})


@pytest.mark.rule("16.4.2.4/a")
@pytest.mark.parametrize("strayed, kept, rule", [
    (STRAYS, (), ""), (STRAYS, ("durango",), "16.4.2"), (frozenset(), (), "16.4.2"),
    (frozenset(), ("durango",), "16.4.2"),
])  # fmt: skip
def test_who_has_no_home_when_they_set_out_goes_where_they_like(strayed, kept, rule):
    """If a retreat brought them, and though the walk itself takes a space of the region back."""
    basque = {space.id for space in CAMPAIGN.tables.spaces.values() if space.region == "basque"}
    units = {"santona": "MIL-BAS-1", "santander": "MIL-BAS-2"}
    position = table(8, bare=True, units=units, nationalist=basque - {*kept}, strayed=strayed)
    for path in (("santona", "bilbao", "santona"), ("santona", "santander")):
        faults, _ = marching(position, "MIL-BAS-1", *path)
        assert [fault.rpartition(".")[0] for fault in faults] == ([rule] if rule else [])
    assert marching(position, "MIL-BAS-1", "santona", "bilbao")[0] == []
