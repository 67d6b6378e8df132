"""Chapter 5, the War Status Phase and the end of a turn; with 17.3 and 19.x.4."""

from __future__ import annotations

import re

import pytest

from pbem.engine.kernel import begin, submit, violations, waits_for
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Done, Remove, RemoveMarker
from pbem.games.crusade.position import ELIMINATED, REMOVED, RESERVE, Fort
from pbem.games.crusade.rules import victory
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.sequence import Phase
from pbem.games.crusade.stages.end_of_turn import EndOfTurn, MarkerRemoval
from pbem.games.crusade.stages.war_status import Reckoning, Surplus, WarStatus
from pbem.games.crusade.summary import summary
from tests.games.crusade.board import STARTS, N, R, table

CAMPAIGN = STARTS["campaign"]
CITIES = CAMPAIGN.tables.main_cities
BEACH = "beach_head_mallorca"


def status(position):
    """The War Status Phase, as far as it goes by itself."""
    return begin(State(position, (WarStatus(),)))


def ended(position):
    """The end of the turn."""
    return begin(State(position, (EndOfTurn(),))).state.position


# --- automatic victory --------------------------------------------------------------------------


@pytest.mark.rule("5.2.1", "5.2.2")
@pytest.mark.parametrize(
    "turn, rm, winner",
    [
        (5, 29, R),
        (5, 28, R),
        (5, 27, None),
        (15, 4, N),
        (15, 5, None),
        (15, 17, R),
        (3, 40, None),
        (16, 0, None),
        (18, 40, None),
        (6, 14, N),
    ],
)
def test_republican_morale_decides_on_most_turns(turn, rm, winner):
    assert victory.morale_winner(table(turn, rm=rm)) == winner


@pytest.mark.rule("5.2.2")
@pytest.mark.parametrize("turn, rm, winner", [(5, 28, R), (15, 3, N), (15, 4, None)])
def test_the_first_edition_has_limits_of_its_own(turn, rm, winner):
    assert victory.morale_winner(table(turn, rm=rm, options=frozenset({"1e"}))) == winner


@pytest.mark.rule("5.2.3")
def test_all_main_cities_win():
    assert victory.main_city_winner(table(nationalist=CITIES)) == N
    assert victory.main_city_winner(table(republican=CITIES)) == R
    assert victory.main_city_winner(table(nationalist=CITIES[1:], republican=CITIES[:1])) is None


@pytest.mark.rule("5.2.5")
def test_morale_goes_before_main_cities():
    position = table(8, rm=40, nationalist=CITIES)
    assert victory.automatic_victory(position)[0] == R


@pytest.mark.rule("5.2.1", "6.0.D.2")
def test_the_game_ends_at_once_in_the_war_status_phase():
    advance = status(table(8, rm=11))
    assert advance.events[-1] == e.GameEnded(N, "Republican Morale stands at 11")
    assert advance.state.agenda == ()
    assert advance.state.position.result is not None


# --- what the phase changes ---------------------------------------------------------------------


@pytest.mark.rule("17.3.2", "17.3.2/a", "17.3.2/b", "17.3.2/c", "17.3.2/d")
@pytest.mark.parametrize(
    "flags, vp",
    [
        ({"madrid_occupied", "madrid_attacked"}, 0),
        ({"madrid_attacked", "madrid_approached"}, -1),
        ({"madrid_approached"}, -2),
        ({"madrid_neighbour_attacked"}, -2),
        (set(), -3),
    ],
)
def test_the_effort_against_madrid_counts_once_on_turn_5(flags, vp):
    both = frozenset({"N8", "R8"})
    position = table(5, rm=20, flags=frozenset(flags), played=both)
    judged = status(position).state.position
    assert (judged.vp, judged.rm) == (position.vp + vp, position.rm)
    later = table(6, rm=20, flags=frozenset(flags), played=both)
    assert status(later).state.position.vp == later.vp


@pytest.mark.rule("6.0.D.1")
@pytest.mark.parametrize("played, vp", [({"N8", "R8"}, 0), ({"N8"}, 1), ({"R8"}, -1), (set(), 0)])
def test_who_has_no_government_on_turn_5_pays(played, vp):
    position = table(5, rm=20, flags=frozenset({"madrid_occupied"}), played=frozenset(played))
    assert status(position).state.position.vp == position.vp + vp
    assert status(table(4, rm=20, played=frozenset())).state.position.vp == 7


@pytest.mark.rule("6.0.D.1", "16.5.3")
@pytest.mark.parametrize(
    "turn, flags, rm",
    [
        (11, {"famine"}, -1),
        (11, {"famine", "severe_winter_11"}, -2),
        (10, {"famine"}, 0),
        (11, (), 0),
    ],
)
def test_famine_costs_morale_in_winter(turn, flags, rm):
    position = table(turn, rm=15, flags=frozenset(flags))
    assert status(position).state.position.rm == 15 + rm


# --- Mallorca -----------------------------------------------------------------------------------


def landed(turn=2, deadline=2, **changes):
    units = {BEACH: "R-MIL-25 R-MIL-26", **changes.pop("units", {})}
    republican = (BEACH, *changes.pop("republican", ()))
    return table(
        turn, rm=26, units=units, republican=republican, beach_heads={BEACH: "mallorca"},
        deadlines={BEACH: deadline}, **changes,
    )  # fmt: skip


@pytest.mark.rule("8.5.4.4")
def test_before_the_deadline_nothing_happens():
    assert status(landed(2, 3)).state.position.units_in(BEACH) == ("R-MIL-25", "R-MIL-26")


@pytest.mark.rule("8.5.4.4")
@pytest.mark.parametrize("gone", ["beach_heads", "deadlines"])
def test_only_a_landing_with_a_deadline_is_judged(gone):
    """A scenario of an owner may tell one without the other."""
    there = landed(3, 3, units={BEACH: ""}).but(**{gone: {}})
    assert status(there).events == ()


@pytest.mark.rule("8.5.4.5")
def test_a_landing_that_failed_is_embarked():
    left = status(landed(3, 3)).state.position
    assert left.place_of("R-MIL-25") == left.place_of("R-MIL-26") == RESERVE
    assert not left.is_open_for_play(BEACH)
    assert left.deadlines == {}


@pytest.mark.rule("8.5.4.6")
@pytest.mark.parametrize("turn", [2, 3])
def test_a_landing_that_won_goes_inland(turn):
    won = landed(turn, 3, units={"mallorca": "RPA-1"}, republican=("mallorca",))
    left = status(won).state.position
    assert left.units_in("mallorca") == ("R-MIL-25", "R-MIL-26", "RPA-1")
    assert not left.is_open_for_play(BEACH)


@pytest.mark.rule("9.1.4", "8.5.4.6/a")
def test_of_a_space_too_full_the_enemy_takes_units():
    won = landed(3, 3, units={"mallorca": "RPA-1 RPA-2"}, republican=("mallorca",))
    state = status(won).state
    decision = waits_for(state)
    assert decision.side == N and not violations(state, decision.default)
    assert [found.rule for found in violations(state, Remove("RPA-3"))] == ["9.1.4"]
    state = submit(state, Remove("RPA-1")).state
    assert state.position.place_of("RPA-1") == REMOVED
    assert len(state.position.units_in("mallorca")) == 3
    assert waits_for(state) is None


@pytest.mark.rule("9.1.4/a")
@pytest.mark.parametrize(
    "space, lost, facts",
    [
        ("madrid", ELIMINATED, {}),
        # In supply, but whichever way a unit would go an enemy stands.
        ("valencia", REMOVED, {"enemies": True}),
        ("zafra", REMOVED, {"cut_off": True}),
    ],
)
def test_a_surplus_is_lost_for_good_out_of_supply_or_without_a_retreat(space, lost, facts):
    position = table(8, bare=True, units={space: "RPA-1 RPA-2 RPA-3 RPA-4"}, republican=(space,))
    near = position.neighbours(space)
    if facts:
        enemies = dict(zip(near, [f"INF-{n}" for n in range(1, 12)], strict=False))
        units = {space: "RPA-1 RPA-2 RPA-3 RPA-4", **(enemies if "enemies" in facts else {})}
        position = table(8, bare=True, units=units, republican=(space,), nationalist=near)
    asked = State(position, (Surplus(N, space),))
    state = submit(asked, Remove("RPA-4")).state
    assert state.position.place_of("RPA-4") == lost and waits_for(state) is None


@pytest.mark.rule("9.1.4", "17.6.5")
@pytest.mark.parametrize("unit, lost", [("AFR-1", REMOVED), ("INF-1", ELIMINATED)])
def test_the_army_of_africa_is_lost_for_good_as_a_surplus_too(unit, lost):
    position = table(3, units={"sevilla": "AFR-1 INF-1 INF-2 INF-3"})
    state = submit(State(position, (Surplus(R, "sevilla"),)), Remove(unit)).state
    assert state.position.place_of(unit) == lost and waits_for(state) is None


# --- the end of a turn and of a scenario --------------------------------------------------------


@pytest.mark.rule("10.2.4", "10.2.10")
def test_what_was_dug_goes_with_the_position_it_was_dug_for():
    """The modifier of a failed Trench roll does not help a Position built there later."""
    forts = {"madrid": Fort("position", R)}
    state = State(table(forts=forts, digging={"madrid": -2, "toledo": -1}), (MarkerRemoval(R),))
    after = submit(state, RemoveMarker("madrid")).state.position
    assert after.forts == {} and after.digging == {"toledo": -1}


@pytest.mark.rule("10.2.10", "6.0.F.1")
def test_markers_of_ones_own_may_be_given_up():
    forts = {"zafra": Fort("position", R), "oviedo": Fort("trench", N)}
    state = State(table(forts=forts), (MarkerRemoval(R),))
    assert [found.rule for found in violations(state, RemoveMarker("oviedo"))] == ["10.2.10"]
    assert not violations(state, Done())
    state = submit(state, RemoveMarker("zafra")).state
    assert waits_for(state) is None
    assert state.position.forts == {"oviedo": Fort("trench", N)}
    two = {"zafra": Fort("position", R), "madrid": Fort("position", R)}
    left = submit(State(table(forts=two), (MarkerRemoval(R),)), RemoveMarker("zafra")).state
    assert waits_for(left).stage == "marker removal", "several may go"


@pytest.mark.rule("6.0.F.2", "16.2.6", "17.1.1")
@pytest.mark.parametrize("turn, isolated", [(4, {"oviedo", "granada"}), (5, set())])
def test_isolation_and_the_shortage_end_with_turn_5(turn, isolated):
    left = ended(table(turn, flags=frozenset({"shortage"})))
    assert left.isolated == isolated
    assert left.has("shortage") is bool(isolated)


@pytest.mark.rule("6.0.F.3", "16.1.5", "16.1.6")
@pytest.mark.parametrize(
    "turn, sieges",
    [(5, {"alcazar": 2, "santa_maria_de_la_cabeza": 1}), (6, {"alcazar": 1})],
)
def test_from_turn_6_on_sieges_weaken_and_surrender_without_reward(turn, sieges):
    position = table(turn, sieges={"alcazar": 2, "santa_maria_de_la_cabeza": 1})
    left = ended(position)
    assert left.sieges == sieges
    assert (left.vp, left.rm) == (position.vp, position.rm)


@pytest.mark.rule("16.1.3", "16.1.6")
@pytest.mark.parametrize("resistance", [1, 3])
def test_nationalists_out_of_supply_in_toledo_save_no_garrison_from_hunger(resistance):
    held = {"nationalist": ("illescas", "toledo"), "units": {"toledo": "INF-1", "illescas": ""}}
    position = table(6, sieges={"alcazar": resistance}, **held)
    assert position.controls(N, "toledo") and not is_supplied(position, N, "toledo")
    left = ended(position)
    assert left.sieges == ({"alcazar": resistance - 1} if resistance > 1 else {})
    assert (left.vp, left.rm) == (position.vp, position.rm), "nobody relieved it"


@pytest.mark.rule("8.5.3.5")
def test_retained_combat_cards_go_to_the_discards():
    position = CAMPAIGN.with_deck(N, table=("N10",), discards=("N5",))
    deck = ended(position).decks[N]
    assert (deck.table, deck.discards) == ((), ("N5", "N10"))


@pytest.mark.rule("CC.N48")
@pytest.mark.parametrize("space, ok", [("gerona", False), ("salamanca", True)])
def test_an_insurrection_out_of_supply_is_put_down(space, ok):
    position = table(13, units={space: "INS"}, nationalist=(space,))
    assert ended(position).place_of("INS") == (space if ok else REMOVED)
    assert ended(position).controls(N, space) is ok


@pytest.mark.rule("5.1.1", "19.4.4.2", "6.0.F.4")
@pytest.mark.parametrize("vp, winner", [(20, N), (19, "draw"), (18, R)])
def test_the_campaign_is_decided_by_victory_points_after_turn_18(vp, winner):
    assert ended(table(18, vp=vp)).result[0] == winner
    assert ended(table(17, vp=vp)).result is None


@pytest.mark.rule("19.1.4", "19.1.5")
@pytest.mark.parametrize(
    "vp, rm, played, winner",
    [
        (11, 20, (), N),
        (10, 20, (), "draw"),
        (8, 20, (), R),
        (10, 20, ("N16",), N),
        (10, 21, ("N16",), "draw"),
        (10, 18, (), N),
        (9, 23, (), R),
        (10, 20, ("N2",), N),
        (9, 20, ("R2",), R),
        (10, 20, ("N2", "R2"), "draw"),
    ],
)
def test_the_war_of_the_columns_is_decided_after_turn_5(vp, rm, played, winner):
    position = table(5, scenario="war_of_the_columns", vp=vp, rm=rm, played=frozenset(played))
    assert ended(position).result[0] == winner


@pytest.mark.rule("19.2.4", "19.2.5")
@pytest.mark.parametrize(
    "vp, rm, north, winner",
    [
        (14, 13, False, N),
        (13, 13, False, R),
        (13, 13, True, "draw"),
        (13, 11, True, N),
        (13, 16, True, R),
    ],
)
def test_the_collapse_of_the_north_is_decided_after_turn_11(vp, rm, north, winner):
    taken = CAMPAIGN.tables.northern_front if north else ()
    position = table(11, scenario="two_years_of_war", vp=vp, rm=rm, nationalist=taken)
    position = position.but(scenario="collapse_of_the_northern_front")
    assert ended(position).result[0] == winner


def test_the_reckoning_is_the_second_half_of_the_war_status():
    assert begin(State(table(3), (Reckoning(),))).events == ()


@pytest.mark.rule("6.0.D.1", "6.0.D.2")
def test_the_war_status_phase_is_that_of_the_sequence():
    begun = begin(State(table(8, rm=11), (Phase("war_status"),)))
    assert begun.events[0] == e.SegmentBegan("war_status")
    assert begun.state.position.result == (N, "Republican Morale stands at 11")


@pytest.mark.rule("8.5.4.5", "10.2.7")
@pytest.mark.parametrize("turn, mallorca", [(3, ()), (2, ("mallorca",))])
def test_works_on_a_beach_head_are_gone_with_it(turn, mallorca):
    works = {"forts": {BEACH: Fort("position", R)}, "digging": {BEACH: -1}}
    left = status(landed(turn, 3, republican=mallorca).but(**works)).state.position
    assert BEACH not in left.beach_heads
    assert BEACH not in left.forts and BEACH not in left.digging


# --- how far it is ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("turn", "rm", "told"),
    [
        (1, 26, "at the end of turn 4: Nationalist at 17 or less (9 away), Republican at 29 or "
                "more (3 away)"),
        (7, 14, "at the end of turn 7: Nationalist at 12 or less (2 away), Republican at 27 or "
                "more (13 away)"),
        (7, 11, "at the end of turn 7: Nationalist at 12 or less (0 away), Republican at 27 or "
                "more (16 away)"),
        (16, 2, ""),
    ],
)  # fmt: skip
def test_the_status_says_how_far_a_victory_by_morale_is(turn: int, rm: int, told: str) -> None:
    lines = list(map(str, summary(CAMPAIGN.but(turn=turn, rm=rm))))
    found = [line for line in lines if line.startswith("victory by morale")]
    assert found == ([f"victory by morale, {told}"] if told else [])


def test_the_status_says_what_else_ends_the_game() -> None:
    lines = list(map(str, summary(CAMPAIGN)))
    assert lines[-2:] == [
        "victory by Main Cities, at the end of a turn: all 6 of them (Nationalist 2, Republican 4)",
        "victory after turn 18: Nationalist with 20 Victory Points or more, Republican with 18 or "
        "fewer",
    ]
    over = CAMPAIGN.but(result=(N, "it is over"))
    assert not [line for line in map(str, summary(over)) if line.startswith("victory")]


@pytest.mark.parametrize("scenario", sorted(STARTS))
def test_what_the_status_says_of_the_end_is_what_is_judged(scenario: str) -> None:
    """The limits that are told are those at which the result changes."""
    start = STARTS[scenario]
    told = " ".join(map(str, summary(start)))
    high, low = map(
        int,
        re.search(
            r"Nationalist with (\d+) Victory Points or more, Republican with (\d+) or fewer", told
        ).groups(),
    )  # type: ignore[union-attr]
    assert victory.final_result(start.but(vp=high))[0] == N
    assert victory.final_result(start.but(vp=low))[0] == R
    assert victory.final_result(start.but(vp=high - 1))[0] != N or high - 1 <= low
    change = sum(victory.end_modifiers(start))
    assert (f"changes the Victory Points by {change:+d}" in told) is (change != 0)
