"""Chapter 18: optional rules for replacement points, each with and without."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Rebuild, Reclaim, Replace
from pbem.games.crusade.position import Combat, Control, Fort, Position
from pbem.games.crusade.rules.construction import markers_left
from pbem.games.crusade.rules.ground import enter_spaces
from pbem.games.crusade.rules.options_replacements import (
    agreed_change,
    captured_markers,
    is_rationed,
    note_captured_marker,
)
from pbem.games.crusade.rules.options_spending import kept_near_france
from pbem.games.crusade.rules.replacement import main_cities_held, missing_cities, open_accounts
from pbem.games.crusade.stages.combat.retreat import withdraw
from pbem.games.crusade.stages.replacements import Spending
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, after, refusals, table
from tests.games.crusade.fights import field

NORTH_CUT_OFF = {"nationalist": ["irun"]}


def purse(position: Position, side: Any) -> dict[str, int]:
    """What a side has to spend, in halves, once its accounts are open."""
    return dict(after(position, *open_accounts(position, side)).rp)


@pytest.mark.rule("18.1.8")
@on_and_off("18.1.8")
def test_tension_costs_the_axis_a_point_until_munich(facts: dict[str, Any], agreed: bool) -> None:
    rp = {"AXIS": 6, "NAT": 4}
    assert purse(table(12, rp=rp, **facts), N)["AXIS"] == 6 - 2 * agreed
    assert purse(table(11, rp=rp, **facts), N)["AXIS"] == 6
    munich = table(14, rp=rp, played=frozenset({"N42"}), **facts)
    assert purse(munich, N)["AXIS"] == 6


@pytest.mark.rule("18.2.8")
@on_and_off("18.2.8")
def test_the_conquered_north_gives_a_point_every_turn(facts: dict[str, Any], agreed: bool) -> None:
    """Also when no card was played for points."""
    fallen = table(9, rp={}, flags=frozenset({"north_ended"}), **facts)
    assert purse(fallen, N).get("NAT", 0) == 2 * agreed
    assert purse(fallen.but(flags=frozenset()), N).get("NAT", 0) == 0


@pytest.mark.rule("18.1.9/c")
def test_sabotage_takes_a_point_but_never_below_nothing() -> None:
    struck = table(12, rp={"NAT": 4}, turn_marks=frozenset({"sabotage"}), **on("18.1.9"))
    assert purse(struck, N)["NAT"] == 2
    assert purse(struck.but(rp={"NAT": 1}), N)["NAT"] == 0


@pytest.mark.rule("18.2.5")
@on_and_off("18.2.5")
def test_bilbao_alone_counts_as_a_main_city(facts: dict[str, Any], agreed: bool) -> None:
    lost = table(nationalist=["bilbao"], **facts)
    assert missing_cities(lost, R) == agreed
    assert main_cities_held(lost, N) == 2 + agreed
    assert missing_cities(table(nationalist=["bilbao", "santander", "gijon"], **facts), R) == 1


@pytest.mark.rule("18.1.8", "18.1.9/c", "18.2.8")
@pytest.mark.parametrize("number, currency, halves", [
    ("18.1.8", "AXIS", -2), ("18.1.9", "NAT", -2), ("18.2.8", "NAT", 2),
])  # fmt: skip
def test_an_agreed_change_is_of_one_currency(number: str, currency: str, halves: int) -> None:
    marks = frozenset({"sabotage"} if number == "18.1.9" else ())
    position = table(12, flags=frozenset({"north_ended"}), turn_marks=marks, **on(number))
    changes = {each: agreed_change(position, each) for each in ("NAT", "AXIS", "REP", "SOV")}
    assert {each: change for each, change in changes.items() if change} == {currency: halves}


# --- the cut-off north ----------------------------------------------------------------------------


def asturians(rp: dict[str, int], **facts: Any) -> Position:
    """Reduced Asturian militia at Gijón while the north is cut off."""
    return table(8, units={"gijon": "(MIL-AST-1) (MIL-AST-2) (MIL-AST-3)"}, rp=rp,
                 nationalist=["santander", "bilbao"], **facts)  # fmt: skip


@pytest.mark.rule("18.2.6")
@on_and_off("18.2.6")
def test_each_northern_source_feeds_two_points(facts: dict[str, Any], agreed: bool) -> None:
    hungry = Spending(R, spent={"north": 3})
    position = asturians({"REP": 8}, **facts)
    assert refusals(hungry, position, Replace("MIL-AST-1")) == []
    full = Spending(R, spent={"north": 4})
    assert refusals(full, position, Replace("MIL-AST-1")) == ["18.2.6"] * agreed


@pytest.mark.rule("18.2.6")
@on_and_off("18.2.6")
def test_soviet_points_do_not_reach_the_cut_off_north(facts: dict[str, Any], agreed: bool) -> None:
    position = asturians({"SOV": 8}, **facts)
    assert refusals(Spending(R), position, Replace("MIL-AST-1")) == ["14.1.3"] * agreed
    south = table(8, units={"madrid": "(R-MIL-1)"}, rp={"SOV": 8}, **facts)
    assert refusals(Spending(R), south, Replace("R-MIL-1")) == []


@pytest.mark.rule("18.2.6")
def test_the_ration_binds_points_of_rep_alone_and_is_told() -> None:
    """Soviet points come over Irún; a corps takes the whole ration of one source."""
    whole = table(8, units={"gijon": "(MIL-AST-1)"}, rp={"SOV": 2}, **on("18.2.6"))
    assert refusals(Spending(R, spent={"north": 12}), whole, Replace("MIL-AST-1")) == []
    only = ["santander", "gijon"]
    basque = table(8, units={"eliminated": "R-EUZKADI", "bilbao": ""}, rp={"REP": 8},
                   nationalist=only, **on("18.2.6"))  # fmt: skip
    corps = Rebuild("R-EUZKADI", 2, to="bilbao")
    assert refusals(Spending(R), basque, corps) == []
    (found,) = Spending(R, spent={"north": 1}).check(basque, corps)
    assert str(found.message) == (
        "the cut-off north gets 2 points of REP a turn and has already had 0.5"
    )
    lost = table(8, units={"eliminated": "MIL-AST-1"}, rp={"REP": 8},
                 nationalist=[*only, "bilbao"], **on("18.2.6"))  # fmt: skip
    (found,) = Spending(R).check(lost, Rebuild("MIL-AST-1", 1))
    assert (
        str(found.message) == "the cut-off north gets 0 points of REP a turn and has already had 0"
    )


@pytest.mark.rule("18.2.6")
@pytest.mark.parametrize("unit, place, rationed", [
    ("MIL-AST-1", "gijon", True), ("MIL-AST-1", "reserve", True), ("MIL-AST-1", "madrid", True),
    ("R-POL-1", "gijon", True), ("R-POL-1", "madrid", False), ("R-POL-1", "reserve", False),
    ("R-MIL-1", "gijon", False), ("N-POL-1", "oviedo", False),
])  # fmt: skip
def test_who_lives_on_the_ration(unit: str, place: str, rationed: bool) -> None:
    position = table(8, units={place: unit}, **on("18.2.6"))
    assert is_rationed(position, unit) is rationed
    joined = ("somosierra", "aranda_de_duero", "burgos", "pancorbo", "vitoria", "dobro")
    linked = table(8, units={**dict.fromkeys(joined, ""), place: unit}, republican=joined,
                   **on("18.2.6"))  # fmt: skip
    assert not is_rationed(linked, unit)


@pytest.mark.rule("18.2.6")
def test_what_the_north_has_had_is_counted() -> None:
    state = kernel.begin(State(asturians({"REP": 8}, **on("18.2.6")), (Spending(R),))).state
    state = kernel.submit(state, Replace("MIL-AST-1")).state
    stage = state.agenda[-1]
    assert isinstance(stage, Spending) and stage.spent == {"north": 1}


# --- help over the French border ----------------------------------------------------------------


def helped(**facts: Any) -> Position:
    """R42 was played: five of the six points of SOV came over the border."""
    units = {"menorca": "(R-MIL-1)", "barcelona": "(R-MIL-4)", "eliminated": "RPA-1"}
    marks = frozenset({"adds_points_R42"})
    return table(12, units=units, rp={"SOV": 9}, turn_marks=marks, **facts)


@pytest.mark.rule("18.2.14")
@on_and_off("18.2.14")
def test_four_points_of_french_help_stay_near_france(facts: dict[str, Any], agreed: bool) -> None:
    position = helped(**facts)
    assert refusals(Spending(R), position, Replace("R-MIL-1")) == []
    spent = position.but(rp={"SOV": 8})
    assert refusals(Spending(R), spent, Replace("R-MIL-1")) == ["18.2.14"] * agreed
    assert refusals(Spending(R), spent, Replace("R-MIL-4")) == []
    assert refusals(Spending(R), spent, Rebuild("RPA-1", 1)) == []


@pytest.mark.rule("18.2.14")
def test_ones_own_points_are_spent_anywhere() -> None:
    position = helped(**on("18.2.14")).but(rp={"REP": 2, "SOV": 8})
    assert refusals(Spending(R), position, Replace("R-MIL-1")) == []


@pytest.mark.rule("18.2.14")
def test_what_of_the_help_is_kept() -> None:
    position = helped(**on("18.2.14"))
    assert kept_near_france(position, Spending(R)) == 8
    assert kept_near_france(position, Spending(R, spent={"near_france": 3})) == 5
    assert kept_near_france(position, Spending(R, spent={"near_france": 10})) == 0
    assert kept_near_france(position, Spending(N)) == 0
    assert kept_near_france(position.but(turn_marks=frozenset()), Spending(R)) == 0


@pytest.mark.rule("18.2.14")
def test_what_is_spent_near_france_sets_the_rest_free() -> None:
    position = helped(**on("18.2.14")).but(rp={"SOV": 2})
    assert refusals(Spending(R, spent={"near_france": 7}), position, Replace("R-MIL-1")) == []
    assert refusals(Spending(R, spent={"near_france": 6}), position, Replace("R-MIL-1")) == [
        "18.2.14"
    ]


# --- captured markers ---------------------------------------------------------------------------


@pytest.mark.rule("18.2.10")
@on_and_off("18.2.10")
def test_a_marker_the_enemy_walks_over_must_be_rebuilt(facts: dict[str, Any], agreed: bool) -> None:
    start = table(7, units={"zafra": ""}, forts={"zafra": Fort("position", R)}, **facts)
    before = markers_left(start.but(forts={}), R)
    story: Unfolding[Position] = Unfolding(start)
    enter_spaces(story, ("zafra",), N)
    assert story.position.forts == {}
    assert markers_left(story.position, R) == before - agreed


@pytest.mark.rule("18.2.10")
def test_special_and_own_markers_need_no_rebuilding() -> None:
    special = table(7, units={"madrid": ""}, forts={"madrid": Fort("trench", R, "madrid")},
                    **on("18.2.10"))  # fmt: skip
    story: Unfolding[Position] = Unfolding(special)
    enter_spaces(story, ("madrid",), N)
    assert story.position.lost_forts == {"madrid": 1}
    own = table(7, forts={"zafra": Fort("position", R)}, **on("18.2.10"))
    assert markers_left(after(own, e.FortRemoved("zafra")), R) == markers_left(own, R) + 1


@pytest.mark.rule("18.2.10", "10.2.7", "11.4.8")
@pytest.mark.parametrize("path", [("cuellar",), ("cuellar", "aranda_de_duero")])
def test_a_retreat_removes_markers_and_captures_none(path: tuple[str, ...]) -> None:
    # reading: 18.2.10
    works = dict.fromkeys(("cuellar", "arevalo"), Fort("position", R))
    position = field(8, segovia="INF-1", forts=works, **on("18.2.10"))
    owners = {**position.control, **dict.fromkeys(works, R)}
    position = position.but(control=Control(owners))
    story: Unfolding[Position] = Unfolding(position)
    combat = Combat(R, "segovia", {}, by_attacker=len(path), by_defender=0)
    story.happen(e.CombatBegan(combat))
    withdraw(story, "INF-1", path)
    assert set(story.position.forts) & set(works) == {"arevalo"}
    assert captured_markers(story.position, R) == 0


@pytest.mark.rule("18.2.10")
@pytest.mark.parametrize("by, captured", [(N, 1), (R, 0)])
def test_nobody_captures_a_marker_of_their_own(by: Any, captured: int) -> None:
    story: Unfolding[Position] = Unfolding(
        table(7, forts={"zafra": Fort("position", R)}, **on("18.2.10"))
    )
    note_captured_marker(story, "zafra", by)
    assert captured_markers(story.position, R) == captured


@pytest.mark.rule("18.2.10/a")
@pytest.mark.parametrize("currency", ["REP", "SOV"])
def test_half_a_point_of_any_kind_rebuilds_a_marker(currency: str) -> None:
    position = table(7, rp={currency: 1}, lost_forts={"captured_republican": 2}, **on("18.2.10"))
    state = kernel.begin(State(position, (Spending(R),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and asked.takes(Reclaim(1))
    assert refusals(Spending(R), position, Reclaim(2)) == ["18.2.10/a"]
    rebuilt = kernel.submit(state, Reclaim(1)).state.position
    assert markers_left(rebuilt, R) == markers_left(position, R) + 1
    assert rebuilt.rp[currency] == 0


@pytest.mark.rule("18.2.10/a")
@pytest.mark.parametrize("order", [Reclaim(0), Reclaim(3), Reclaim(1, "NAT")])
def test_only_captured_markers_are_rebuilt_with_own_points(order: Reclaim) -> None:
    position = table(7, rp={"REP": 8}, lost_forts={"captured_republican": 2}, **on("18.2.10"))
    assert refusals(Spending(R), position, order) == ["18.2.10/a"]
