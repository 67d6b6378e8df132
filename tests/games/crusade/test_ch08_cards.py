"""Chapters 7 and 8: what a card may be played for, the first events, the deck."""

from __future__ import annotations

import random

import pytest

import pbem.games.crusade.effects.columns  # registers the events
import pbem.games.crusade.effects.mobilization  # noqa: F401
from pbem.engine.choices import SomeOf
from pbem.engine.kernel import begin, roll, submit, violations, waits_for
from pbem.engine.model import Chance, State
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.effects.registry import EFFECTS
from pbem.games.crusade.orders import Activate, Deploy, Discard, Done, PlaceMarker, Play
from pbem.games.crusade.position import POOL, RESERVE, Fort
from pbem.games.crusade.rules import cards
from pbem.games.crusade.rules.reinforcement import (
    EVERYWHERE,
    WHERE,
    has_to_come_in_at,
    spaces_for,
)
from pbem.games.crusade.rules.supply import supply_map
from pbem.games.crusade.stages import draw
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.round import PlayCard
from tests.bots import ScriptedDice, legal_samples
from tests.games.crusade.board import STARTS, N, R, sealed, table

CAMPAIGN = STARTS["campaign"]
BEACH = "beach_head_mallorca"


def holding(side, *cards, turn=2, **facts):
    """The start of a round in which a side holds these cards."""
    facts.setdefault("active", side)
    facts.setdefault("round", 2)
    position = table(turn, hand={side: cards}, **facts)
    return State(position, (PlayCard(side),))


def refused(state, card, use="event"):
    return [found.rule for found in violations(state, Play(card, use))]


def played(side, card, turn=2, **facts):
    """The state after a card was played as an event."""
    return submit(holding(side, card, turn=turn, **facts), Play(card, "event")).state


# --- the hand, the four uses, the opening -------------------------------------------------------


@pytest.mark.rule("8.1.3")
def test_a_card_of_the_hand_is_played_for_one_of_four_uses():
    state = holding(R, "R1", "R4")
    for use in cards.USES:
        assert refused(state, "R1", use) == []
    assert refused(state, "R3") == ["8.1.3"]
    assert violations(state, Play("R1", "glory"))


@pytest.mark.rule("8.1.1", "8.1.3")
def test_a_form_shows_each_card_with_what_it_may_be_played_for():
    state = holding(N, "N14", "N2")
    (stage,) = state.agenda
    shown = dict(stage.playable(state.position))
    assert "event" in shown["N2"] and "operations" in shown["N14"]
    assert "event" not in shown["N14"]


@pytest.mark.rule("7.1.3")
def test_without_a_card_there_is_one_operation():
    state = holding(R, turn=2)
    assert refused(state, "none", "operations") == []
    assert refused(state, "none", "event") == ["7.1.3"]
    advance = submit(state, Play("none"))
    assert advance.state.agenda[-1] == Activation(R, 1)
    assert advance.events == (e.ActionRecorded(R, "automatic"),)


@pytest.mark.rule("4.3.1")
@pytest.mark.parametrize(
    "card, use", [("N6", "event"), ("N1", "operations"), ("none", "operations")]
)
def test_the_air_bridge_opens_the_war(card, use):
    state = holding(N, "N1", "N6", turn=1, round=1)
    assert refused(state, card, use) == ["4.3.1"]
    assert waits_for(state).default == Play("N1", "event")
    assert not violations(state, Play("N1", "event"))


@pytest.mark.rule("4.3.1")
def test_after_the_first_round_and_for_the_republic_nothing_is_forced():
    assert cards.forced_play(holding(N, "N1", turn=1, round=2).position, N) == ""
    assert cards.forced_play(holding(R, "R1", turn=1, round=1).position, R) == ""


@pytest.mark.rule("7.1.4")
def test_the_action_of_each_round_is_recorded():
    state = submit(holding(N, "N1", turn=1, round=1), Play("N1", "event")).state
    assert state.position.actions == {N: ("event",)}


# --- limits of a turn ---------------------------------------------------------------------------


@pytest.mark.rule("8.3.3")
@pytest.mark.parametrize(
    "before, ok",
    [(("operations", "event", "redeployment"), False),
     (("operations", "redeployment", "event"), True),
     ((), True)],
)  # fmt: skip
def test_no_two_redeployments_running(before, ok):
    state = holding(R, "R1", actions={R: before})
    assert refused(state, "R1", "redeployment") == ([] if ok else ["8.3.3"])


@pytest.mark.rule("8.3.3", "8.4.3")
def test_the_last_round_of_a_turn_does_not_bind_the_first_of_the_next():
    position = holding(R, "R1", actions={R: ("redeployment",), N: ("replacements",)}).position
    next_turn = State(e.TurnBegan(3).apply(position), (PlayCard(R),))
    assert refused(next_turn, "R1", "redeployment") == []


@pytest.mark.rule("8.4.3", "7.1.6")
@pytest.mark.parametrize("before, ok", [(("replacements",), False), (("redeployment",), True)])
def test_no_two_cards_running_for_replacements(before, ok):
    state = holding(R, "R1", actions={R: before})
    assert refused(state, "R1", "replacements") == ([] if ok else ["8.4.3"])


@pytest.mark.rule("card N29")
def test_a_use_that_an_enemy_card_took_away_is_refused():
    banned = holding(R, "R1", turn_marks=frozenset({cards.banned(R, "event", 2)}))
    assert refused(banned, "R1", "event") == ["card N29"]
    (told,) = violations(banned, Play("R1", "event"))
    assert str(told.hint) == "play one for operations, redeployment or replacements"
    assert refused(banned, "R1", "operations") == []
    assert refused(holding(R, "R1", round=3, turn_marks=banned.position.turn_marks), "R1") == []


@pytest.mark.rule("card N29", "7.1.3")
def test_the_operation_without_a_card_is_never_taken_away():
    banned = holding(R, "R1", turn_marks=frozenset({cards.banned(R, "operations", 2)}))
    assert refused(banned, "R1", "operations") == ["card N29"]
    assert refused(banned, "none", "operations") == []


@pytest.mark.rule("16.5.2/a", "16.5.3")
@pytest.mark.parametrize(
    "turn, flags, before, ok",
    [
        (11, (), ["R3", "R4"], True),
        (11, (), ["R3", "R4", "R5"], False),
        (11, ("severe_winter_11",), ["R3", "R4"], False),
        (10, (), ["R3", "R4", "R5"], True),
    ],
)
def test_in_winter_cards_for_operations_are_few(turn, flags, before, ok):
    marks = frozenset(f"operations_republican_{card}" for card in before)
    facts = {"turn_marks": marks, "flags": frozenset(flags), "played": frozenset({"R32"})}
    state = holding(R, "R1", "R33", turn=turn, **facts)
    rule = "16.5.3" if flags else "16.5.2/a"
    assert refused(state, "R1", "operations") == ([] if ok else [rule])
    assert (rule in refused(state, "R33")) is not ok
    assert refused(state, "R1", "redeployment") == []
    assert refused(state, "none", "operations") == []


@pytest.mark.rule("16.5.2/a")
def test_operations_are_counted_as_they_are_played():
    # reading: Q27, N1 counts; communist interference and plain events do not.
    position = holding(N, "N1", "N3", "N28").position
    marks = {
        (card, use): cards.marks_of_play(position, N, Play(card, use))
        for card, use in (("N1", "event"), ("N3", "event"), ("N3", "operations"), ("N28", "event"))
    }
    counted = {play for play, found in marks.items() if any("operations" in mark for mark in found)}
    assert counted == {("N1", "event"), ("N3", "operations")}


# --- restrictions of events ---------------------------------------------------------------------


@pytest.mark.rule("8.5.1.2")
@pytest.mark.parametrize(
    "card, facts, ok",
    [
        ("N11", {}, False),
        ("N11", {"played": frozenset({"N2"})}, True),
        ("N4", {"turn": 6}, False),
        ("N3", {"turn": 6}, True),
        ("N42", {"turn": 13}, False),
        ("N43", {"played": frozenset({"N42"}), "rm": 11}, False),
        ("N28", {"turn": 7, "flags": frozenset({"largo_caballero"}), "played": frozenset({"R32"})},
         False),
        ("N28", {"turn": 7}, False),
        ("N31", {"turn": 7}, False),
    ],
)  # fmt: skip
def test_a_nationalist_event_waits_for_what_its_card_asks(card, facts, ok):
    state = holding(N, card, **{"turn": 3, **facts})
    assert (refused(state, card) == []) is ok
    if not ok:
        assert refused(state, card) == ["8.5.1.2"]


@pytest.mark.rule("8.5.1.2")
def test_the_french_border_must_be_joined_to_a_source():
    facts = {"turn": 13, "played": frozenset({"R2"})}
    cut = ("figueras", "puigcerda", "seo_de_urgel", "boltana", "san_sebastian")
    assert "8.5.1.2" not in refused(holding(R, "R42", **facts), "R42")
    assert refused(holding(R, "R42", nationalist=cut, **facts), "R42") == ["8.5.1.2"]


@pytest.mark.rule("8.5.2.1")
def test_one_reinforcement_of_a_kind_a_turn():
    facts = {"turn": 4, "played": frozenset({"N2", "R2", "R8"})}
    first = holding(N, "N11", "N15", **facts)
    state = submit(first, Play("N11", "event")).state
    assert "reinforcement_axis" in state.position.turn_marks
    again = State(state.position, (PlayCard(N),))
    assert refused(again, "N15") == ["8.5.2.1"]
    assert refused(again, "N15", "operations") == []
    soviet = holding(R, "R9", "R10", turn_marks=frozenset({"reinforcement_soviet"}), **facts)
    assert refused(soviet, "R9") == ["8.5.2.1"]
    assert refused(soviet, "R10") == []


@pytest.mark.rule("8.5.5.1")
def test_one_strategic_counterattack_a_turn():
    facts = {"turn": 8, "played": frozenset({"R32"})}
    position = holding(R, "R34", **facts).position
    assert cards.marks_of_play(position, R, Play("R33", "event"))[-1] == "counterattack"
    assert cards.marks_of_play(position, R, Play("R33", "operations"))[-1] != "counterattack"
    state = holding(R, "R34", turn_marks=frozenset({"counterattack"}), **facts)
    assert refused(state, "R34") == ["8.5.5.1"]


@pytest.mark.rule("8.5.2.2")
def test_a_reinforcement_needs_room_for_all_it_brings():
    ports = [port for port in CAMPAIGN.ports() if CAMPAIGN.controls(N, port)]
    facts = {"turn": 4, "played": frozenset({"N2"}), "republican": ports}
    assert refused(holding(N, "N11", **facts), "N11") == ["8.5.2.2"]
    assert refused(holding(N, "N15", **facts), "N15") == ["8.5.2.2"]
    spent = {"units": {RESERVE: "ITA-1"}, "played": frozenset({"N2"}), "turn": 4}
    assert refused(holding(N, "N11", **spent), "N11") == ["8.5.2.2"]


BRIGADES = [f"RPA-{number}" for number in range(1, 40) if f"RPA-{number}" in CAMPAIGN.counters]


@pytest.mark.rule("8.5.2.2", "card R10")
@pytest.mark.parametrize(
    "left, room, rules",
    [(4, 2, []), (3, 2, ["8.5.2.2"]), (4, 1, ["8.5.2.2"]), (4, 0, ["8.5.2.2"])],
)
def test_r10_needs_four_divisions_and_room_for_two(left, room, rules):
    """Nobody is on the map but in Madrid, and every source but that is Nationalist."""
    names = [name for name in CAMPAIGN.counters if name.startswith("R-MIL-")]
    sources = [
        s.id
        for s in CAMPAIGN.tables.spaces.values()
        if s.source == "republican" and s.id != "madrid"
    ]
    facts = {
        "units": {"madrid": " ".join(names[: 3 - room]), RESERVE: " ".join(BRIGADES[left:])},
        "nationalist": sources, "turn": 4, "played": frozenset({"R8"}), "bare": True,
    }  # fmt: skip
    assert refused(holding(R, "R10", **facts), "R10") == rules


@pytest.mark.rule("8.5.3.1")
def test_a_combat_card_is_no_event_of_a_round():
    assert refused(holding(R, "R17"), "R17") == ["8.5.3.1"]
    assert refused(holding(R, "R17"), "R17", "operations") == []


@pytest.mark.rule("8.5.3.1", "8.5.1.2")
def test_what_a_combat_card_needs_is_not_asked_of_an_event_that_it_is_not():
    assert "R2" in CAMPAIGN.card("R29").needs
    assert refused(holding(R, "R29", turn=8), "R29") == ["8.5.3.1"]


@pytest.mark.rule("8.5.5.1", "8.5.2.1")
def test_other_events_follow_a_counterattack_and_a_reinforcement():
    marks = frozenset({"counterattack", "reinforcement_republican", "reinforcement_soviet"})
    assert refused(holding(R, "R15", rm=25, turn_marks=marks), "R15") == []


@pytest.mark.rule("8.5.1.1")
def test_a_card_without_event_says_so():
    assert refused(holding(R, "R13"), "R13") == ["8.5.1.1"]


def test_an_event_that_is_not_built_is_refused_plainly(monkeypatch):
    monkeypatch.delitem(EFFECTS, "R30")
    found = violations(holding(R, "R30", turn=8), Play("R30", "event"))
    assert "not in this version of pbem yet" in str(found[0].message)
    assert "operations, redeployment or replacements" in str(found[0].hint)


@pytest.mark.rule("8.5.1.3", "8.5.1.4", "3.0.asterisk")
def test_an_asterisk_card_leaves_the_game_only_as_an_event():
    event = played(R, "R15", rm=25).position
    assert event.decks[R].removed == ("R15",) and event.rm == 26
    assert "R15" in event.played
    other = submit(holding(R, "R15", rm=25), Play("R15", "replacements")).state.position
    assert other.decks[R].discards == ("R15",) and other.rm == 25
    assert "R15" not in other.played


# --- Nationalist events -------------------------------------------------------------------------


@pytest.mark.rule("17.6.1", "card N1", "8.5.1.1")
def test_n1_starts_the_army_of_africa_and_activates_sevilla_and_another_space():
    state = played(N, "N1", turn=1, round=1)
    assert state.position.has("afr_schedule")
    assert state.agenda[-1] == Activation(N, 2, named=("sevilla",), free=1)
    assert not violations(state, Activate(attack=("sevilla", "huelva")))
    assert violations(state, Activate(attack=("caceres", "huelva")))
    many = violations(state, Activate(move=("sevilla", "huelva", "caceres")))
    assert "such as activate: {move: [sevilla, huelva]}" in [str(each.hint) for each in many]


@pytest.mark.rule("14.1.1.1", "8.4.1", "card N2", "8.5.2.4/g")
def test_n2_opens_the_axis_account_and_brings_the_ctv_when_corps_are_out():
    early = played(N, "N2", turn=4)
    assert early.position.has("axis_aid") and waits_for(early) is None
    late = played(N, "N2", turn=6)
    assert not violations(late, waits_for(late).default)
    assert [each.rule for each in violations(late, Deploy("N-CTV", "burgos"))] == ["8.5.2.4/g"]
    assert [each.rule for each in violations(late, Deploy("N-CTV", "madrid"))] == ["8.5.2.4/g"]
    assert waits_for(late).rule == "8.5.2.4/g"
    tanks = played(N, "N15", turn=6, played=frozenset({"N2"}))
    assert [each.rule for each in violations(tanks, Deploy("CV-33-1", "burgos"))] == ["8.5.2.3"]
    assert waits_for(tanks).rule == "8.5.2.3"
    assert submit(late, Deploy("N-CTV", "cadiz")).state.position.place_of("N-CTV") == "cadiz"


@pytest.mark.parametrize(
    "side, card, vp, rm",
    [(N, "N3", 1, 0), (N, "N4", 1, 0), (R, "R1", -1, 0), (R, "R3", -1, 0), (R, "R15", 0, 1)],
)
@pytest.mark.rule("8.5.1.4", "card N3", "card N4", "card R1", "card R3", "card R15")
def test_cards_that_only_count(side, card, vp, rm):
    before = holding(side, card).position
    left = played(side, card)
    assert (left.position.vp, left.position.rm) == (before.vp + vp, before.rm + rm)
    assert waits_for(left) is None


@pytest.mark.rule("16.7.2", "card N6")
def test_n6_opens_the_mediterranean_at_once():
    # Algeciras is held, cut off by land, and Mallorca can feed it from now on.
    ring = CAMPAIGN.neighbours("algeciras")
    left = played(N, "N6", turn=2, republican=ring).position
    assert left.has("strait_nationalist") and left.rm == 25
    assert "algeciras" in supply_map(left, N).full


@pytest.mark.rule("16.2.2", "16.7.2", "card N6")
def test_n6_ends_the_isolation_of_granada_if_a_port_is_joined_to_it():
    left = played(N, "N6", turn=2, nationalist=("velez_malaga", "malaga")).position
    assert left.isolated == {"oviedo"}


@pytest.mark.rule("17.6.2", "card N6")
@pytest.mark.parametrize(
    "turn, number, quick", [(1, 2, True), (3, 1, True), (3, 2, False), (4, 1, False)]
)
def test_n6_hurries_the_army_of_africa_if_it_comes_in_time(turn, number, quick):
    flags = frozenset({"afr_schedule"})
    left = played(N, "N6", turn=turn, round=number, flags=flags)
    assert left.position.has("afr_accelerated") is quick


@pytest.mark.rule("17.6.2", "17.6.3", "card N6")
def test_n6_in_round_1_of_turn_3_brings_a_unit_right_after_it():
    # reading: Q43
    left = played(N, "N6", turn=3, round=1, flags=frozenset({"afr_schedule"}))
    assert waits_for(left).stage == "arrival"


@pytest.mark.rule("17.3.2", "16.5.1", "card N8", "card N16", "card R2", "card R8")
@pytest.mark.parametrize(
    "side, card, flag",
    [(N, "N8", "franco_command"), (N, "N16", "famine"), (R, "R2", "soviet_aid"),
     (R, "R8", "largo_caballero")],
)  # fmt: skip
def test_cards_that_begin_something(side, card, flag):
    assert played(side, card).position.has(flag)


@pytest.mark.rule("8.5.2.3", "8.5.2.2", "card N11")
def test_n11_brings_one_italian_division_to_a_port_and_two_to_the_reserve():
    state = played(N, "N11", turn=4, played=frozenset({"N2"}))
    assert violations(state, Deploy("ITA-2", "burgos")) and violations(
        state, Deploy("INF-1", "cadiz")
    )
    state = submit(state, Deploy("ITA-2", "cadiz")).state
    assert waits_for(state) is None
    assert state.position.place_of("ITA-2") == "cadiz"
    assert {"ITA-1", "ITA-3"} <= set(state.position.units_in(RESERVE))


@pytest.mark.rule("8.5.2.3", "8.5.2.4/h", "card N15", "16.6.1")
def test_n15_brings_italian_tanks_to_a_port_but_not_to_an_island():
    state = played(
        N, "N15", turn=4, played=frozenset({"N2"}), flags=frozenset({"strait_nationalist"})
    )
    assert violations(state, Deploy("CV-33-1", "mallorca"))
    state = submit(state, Deploy("CV-33-1", "la_coruna")).state
    assert state.position.place_of("PZ-I-1") == RESERVE
    assert {"PZ-I-2", "CV-33-2"} <= set(state.position.units_in(POOL)), "one of each kind"
    assert waits_for(state) is None


# --- Republican events --------------------------------------------------------------------------


@pytest.mark.rule("10.2.3", "10.2.9", "card R4")
def test_r4_digs_the_one_trench_of_bilbao():
    left = played(R, "R4", forts={"bilbao": Fort("position", R)}).position
    assert left.forts == {"bilbao": Fort("trench", R, "bilbao")}
    again = holding(R, "R4", lost_forts={"bilbao": 1})
    assert refused(again, "R4") == ["card R4"]
    standing = holding(R, "R4", forts=left.forts)
    assert refused(standing, "R4") == ["card R4"]
    assert refused(holding(R, "R4", nationalist=("bilbao",)), "R4") == ["8.5.1.2"]


@pytest.mark.rule("8.5.4.1", "8.5.4.4", "card R11", "2.2.2.11", "10.1.8")
@pytest.mark.parametrize("turn, deadline", [(1, 2), (2, 3), (5, 6)])
def test_r11_lands_two_militia_and_gives_two_turns(turn, deadline):
    left = played(R, "R11", turn=turn).position
    assert left.units_in(BEACH) == ("R-MIL-25", "R-MIL-26")
    more = played(R, "R11", turn=turn, bare=True).position
    assert more.units_in(BEACH) == ("R-MIL-1", "R-MIL-2"), "two, however many there are"
    assert left.controls(R, BEACH) and left.are_adjacent(BEACH, "mallorca")
    assert BEACH in left.neighbours("mallorca") and BEACH not in left.neighbours("menorca")
    assert left.deadlines == {BEACH: deadline}
    assert BEACH in left.ports() and left.sea_of(BEACH) == "mediterranean"


@pytest.mark.rule("8.5.4.1", "card R11")
def test_r11_is_no_reinforcement_and_comes_once():
    assert not CAMPAIGN.card("R11").reinforcement
    lying = holding(R, "R11", beach_heads={BEACH: "mallorca"}, republican=(BEACH,))
    assert refused(lying, "R11") == ["card R11"]
    assert refused(holding(R, "R11", turn=6), "R11") == ["8.5.1.2"]


@pytest.mark.rule("8.5.2.3", "8.5.2.4/f", "card R9")
def test_r9_brings_one_brigade_to_a_source_and_two_to_the_reserve():
    state = played(R, "R9")
    for space, rule in (("bilbao", "16.4.3.2"), ("badajoz", "8.5.2.4/b"), ("burgos", "8.5.2.3")):
        assert [each.rule for each in violations(state, Deploy("INT-XI", space))] == [rule], space
    state = submit(state, Deploy("INT-XII", "madrid")).state
    assert waits_for(state) is None
    assert {"INT-XI", "INT-XIII"} <= set(state.position.units_in(RESERVE))


@pytest.mark.rule("8.5.2.3", "card R10")
def test_r10_brings_two_divisions_to_friends_and_two_to_the_reserve():
    state = played(R, "R10", turn=4, played=frozenset({"R8"}))
    assert violations(state, Deploy("RPA-4", "bilbao")) and violations(
        state, Deploy("RPA-4", "illescas")
    )
    state = submit(state, Deploy("RPA-4", "talavera")).state
    assert violations(state, Deploy("RPA-4", "madrid")), "it has come"
    state = submit(state, Deploy("RPA-6", "madrid")).state
    assert waits_for(state) is None
    assert {"RPA-5", "RPA-7"} <= set(state.position.units_in(RESERVE))


@pytest.mark.rule("8.5.2.3", "card R9", "card R10")
def test_r9_and_r10_use_no_source_of_the_north_even_while_it_is_joined():
    north = {
        "republican": ("somosierra", "aranda_de_duero", "burgos", "pancorbo", "vitoria", "dobro"),
        "units": {"gijon": "R-MIL-1", "santander": ""},
    }
    brigades = played(R, "R9", **north)
    assert spaces_for(brigades.position, "INT-XI", "source_or_madrid")[0] == "gijon"
    assert violations(brigades, Deploy("INT-XI", "gijon"))
    divisions = played(R, "R10", turn=4, played=frozenset({"R8"}), **north)
    assert violations(divisions, Deploy("RPA-4", "santander")), "no friend is there"
    assert not violations(divisions, Deploy("RPA-4", "gijon"))


NORTH_JOINED = ("somosierra", "aranda_de_duero", "burgos", "pancorbo", "vitoria", "dobro")
OURS_IN_THE_NORTH = {"gijon": "R-MIL-1", "bilbao": "", "santander": ""}


@pytest.mark.rule("8.5.2.3", "8.5.2.4/f", "16.4.3.2/b")
@pytest.mark.parametrize(("unit", "where"), [
    *((unit, where) for unit in ("T-26-1", "RPA-4", "INT-XI") for where in WHERE),
    ("R-V", "source_or_madrid"), ("R-V", "source_madrid_or_mediterranean_port"),
])  # fmt: skip
def test_the_north_is_the_reason_only_where_it_is_what_closes_a_space(unit, where):
    cut = table(8, units=OURS_IN_THE_NORTH)
    joined = table(8, units=OURS_IN_THE_NORTH, republican=NORTH_JOINED)
    open_then = {
        space for each in (where, EVERYWHERE.get(where, where))
        for space in spaces_for(joined, unit, each)
    }  # fmt: skip
    open_now = spaces_for(cut, unit, where)
    for space in cut.spaces_of(R):
        found = list(has_to_come_in_at(cut, open_now, unit, space, where))
        assert len(found) == (space not in open_now), space
        for each in found:
            by_the_north = each.rule in ("16.4.3.2", "8.5.2.4/f")
            assert by_the_north == (space in open_then), (space, str(each.message))
            assert ": " in str(each.message), "it says why"


@pytest.mark.rule("8.5.2.3", "16.4.3.2/b")
@pytest.mark.parametrize(("unit", "to", "where", "told"), [
    ("T-26-1", "bilbao", "mediterranean_port",
     "T-26-1 cannot come in at Bilbao: it comes in only at a port of the Mediterranean"),
    ("INT-XI", "gijon", "southern_source_or_madrid",
     "INT-XI cannot come in at Gijón: INT-XI may not enter the Northern Front while it is cut off, "
     "and its card leaves out the Northern Front anyway"),
    ("INT-XI", "toledo", "southern_source_or_madrid",
     "INT-XI cannot come in at Toledo: it comes in only at a supply source outside the Northern "
     "Front or in Madrid"),
    ("INT-XI", "burgos", "southern_source_or_madrid",
     "INT-XI cannot come in at Burgos: the enemy controls it"),
    ("R-AST-I", "bilbao", "asturias",
     "R-AST-I cannot come in at Bilbao: it comes in only at Asturias"),
])  # fmt: skip
def test_a_closed_space_is_told_with_what_closes_it(unit, to, where, told):
    (found,) = has_to_come_in_at(table(8, units={"gijon": "R-MIL-1"}), (), unit, to, where)
    assert str(found.message) == told


@pytest.mark.rule("8.5.2.3", "card R12", "16.6.1")
def test_r12_brings_russian_tanks_to_the_mediterranean():
    state = played(R, "R12", turn=4, played=frozenset({"R2"}))
    assert violations(state, Deploy("T-26-1", "gijon")) and violations(
        state, Deploy("T-26-1", "madrid")
    )
    state = submit(state, Deploy("T-26-1", "cartagena")).state
    assert state.position.place_of("T-26-2") == RESERVE


@pytest.mark.rule("10.2.9", "card R14")
def test_r14_digs_in_madrid_and_next_to_it():
    state = played(R, "R14", forts={"illescas": Fort("position", R)})
    assert state.position.forts["madrid"] == Fort("trench", R, "madrid")
    assert violations(state, Done()) and violations(state, PlaceMarker("valencia"))
    state = submit(state, PlaceMarker("illescas")).state
    assert state.position.forts["illescas"] == Fort("trench", R, "madrid")
    assert waits_for(state) is None


@pytest.mark.rule("16.5.3", "card R16")
@pytest.mark.parametrize("turn, winter", [(4, 5), (5, 11), (11, 17), (17, None)])
def test_r16_makes_the_next_winter_hard(turn, winter):
    # reading: Q28
    flags = played(R, "R16", turn=turn).position.flags
    assert {flag for flag in flags if "winter" in flag} == (
        {f"severe_winter_{winter}"} if winter else set()
    )


@pytest.mark.rule("10.2.9", "card R18")
def test_r18_places_up_to_three_positions_one_of_them_in_the_north():
    state = played(R, "R18", forts={"zafra": Fort("position", R)})
    assert violations(state, PlaceMarker("zafra")) and violations(state, PlaceMarker("burgos"))
    state = submit(state, PlaceMarker("gijon")).state
    assert violations(state, PlaceMarker("santander"))
    state = submit(state, PlaceMarker("toledo")).state
    state = submit(state, PlaceMarker("cuenca")).state
    assert waits_for(state) is None
    assert set(state.position.forts) == {"zafra", "gijon", "toledo", "cuenca"}


@pytest.mark.rule("10.2.9", "card R18")
@pytest.mark.parametrize("space, rule, why", [
    ("santander", "", "the card allows 1 in the Northern Front"),
    ("gijon", "10.2.5", "it has one"), ("burgos", "", "it is not yours"),
    ("bilbao", "", "the card allows 1 in the Northern Front"),
])  # fmt: skip
def test_a_marker_that_is_refused_says_why_and_names_a_few_places(space, rule, why):
    state = submit(played(R, "R18"), PlaceMarker("gijon")).state
    (found,) = violations(state, PlaceMarker(space))
    assert str(found.message).endswith(f": {why}")
    assert str(found.hint).count(", ") == 5 and str(found.hint).endswith(" more")
    assert "_" not in str(found.hint), "ids"


@pytest.mark.rule("16.4.3.2", "card R9")
@pytest.mark.parametrize("to", ["bilbao", "gijon"])
def test_reinforcements_barred_from_the_cut_off_north_say_so(to):
    state = played(R, "R9")
    unit = next(iter(legal_samples(state, random.Random(8)))).unit
    (found,) = violations(state, Deploy(unit, to))
    assert found.rule == "16.4.3.2"
    assert "may not enter the Northern Front while it is cut off" in str(found.message)
    assert "_" not in str(found.hint), "ids"


@pytest.mark.rule("10.2.9", "card R18")
def test_r18_has_no_more_than_the_markers_of_the_side():
    spaces = CAMPAIGN.spaces_of(R)[20:31]
    state = played(R, "R18", forts={space: Fort("position", R) for space in spaces})
    assert len(spaces) == 11
    state = submit(state, PlaceMarker("almeria")).state
    assert waits_for(state) is None


@pytest.mark.parametrize("card", ["N2", "N11", "N15", "R9", "R10", "R12", "R14", "R18"])
def test_what_an_event_offers_is_legal(card):
    side = N if card[0] == "N" else R
    facts = {"played": frozenset({"N2", "R2", "R8"}) - {card}, "turn": 6 if card == "N2" else 4}
    state = played(side, card, **facts)
    while waits_for(state) is not None:
        assert not violations(state, waits_for(state).default)
        order = next(iter(legal_samples(state, random.Random(8))))
        state = submit(state, order).state


# --- the deck -----------------------------------------------------------------------------------


def decks(**sides):
    """A position whose piles, hands and discards are those given, all of them open."""
    options = frozenset({"open_hands"})
    position = table(sides.pop("turn", 3), rm=sides.pop("rm", 26), options=options)
    known = {}
    for side, (pile, hand, discards) in ((N, sides["n"]), (R, sides["r"])):
        slots = {f"{side[0]}/1/{place}": card for place, card in enumerate((*hand, *pile))}
        known |= slots
        names = tuple(slots)
        position = position.but(known=known).with_deck(
            side, hand=names[: len(hand)], pile=names[len(hand) :], discards=discards, epoch=1
        )
    return position


def drawn(position, *dice):
    state = begin(State(position, (draw.DrawHands(),))).state
    if isinstance(waits_for(state), Chance):
        state = roll(state, ScriptedDice(*dice)).state
    assert waits_for(state) is None
    return state.position


@pytest.mark.rule("6.0.A.3")
@pytest.mark.parametrize("rm, sizes", [(26, (7, 7)), (16, (7, 7)), (15, (8, 7)), (10, (8, 6))])
def test_the_size_of_a_hand_follows_morale(rm, sizes):
    position = table(3, rm=rm)
    assert (draw.hand_size(position, N), draw.hand_size(position, R)) == sizes


@pytest.mark.rule("6.0.A.3")
def test_morale_does_not_touch_a_hand_within_the_turn():
    position = decks(n=((), ("N3",) * 7, ()), r=((), tuple(f"R{i}" for i in range(1, 8)), ()))
    low = e.ScoreChanged(0, -16, "test").apply(position)
    assert len(low.decks[R].hand) == 7


@pytest.mark.rule("6.0.A.3")
def test_both_sides_draw_from_their_piles_in_slot_order():
    pile = tuple(f"N{i}" for i in range(5, 15))
    position = decks(n=(pile, ("N1", "N2"), ()), r=((), (), ()))
    chance = waits_for(begin(State(position, (draw.DrawHands(),))).state)
    assert [(each.label, each.of, each.take) for each in chance.draws] == [("draw/n/#", 10, 5)]
    left = drawn(position, (9, 0, 3, 1, 2))
    assert left.hand_cards(N) == ("N1", "N2", "N5", "N6", "N7", "N8", "N14")
    assert len(left.decks[N].pile) == 5


@pytest.mark.rule("6.0.A.3")
def test_a_pile_too_small_is_taken_whole_and_the_discards_shuffled():
    hand = ("R1", "R2", "R3")
    position = decks(n=((), (), ()), r=(("R4", "R5"), hand, ("R12", "R6", "R9", "R8")))
    state = begin(State(position, (draw.DrawHands(),))).state
    assert state.position.decks[R].pile == ("r/2/0", "r/2/1", "r/2/2", "r/2/3")
    assert state.position.known["r/2/0"] == "R12"
    chance = waits_for(state)
    assert [(each.label, each.of, each.take) for each in chance.draws] == [("draw/r/#", 4, 2)]
    left = roll(state, ScriptedDice((2, 0))).state.position
    assert left.hand_cards(R) == (*hand, "R4", "R5", "R12", "R8")
    assert left.decks[R].discards == () and left.decks[R].epoch == 2


@pytest.mark.rule("6.0.A.3")
def test_the_last_card_that_fills_the_hand_does_not_stir_the_discards():
    position = decks(n=((), (), ()), r=(("R4", "R5"), tuple(f"R1{i}" for i in range(5)), ("R6",)))
    left = drawn(position)
    assert len(left.decks[R].hand) == 7
    assert (left.decks[R].pile, left.decks[R].discards) == ((), ("R6",))


@pytest.mark.rule("6.0.A.3")
def test_who_has_too_few_cards_takes_them_all():
    position = decks(n=((), (), ()), r=(("R4",), ("R1",), ("R6", "R9")))
    left = drawn(position)
    assert left.hand_cards(R) == ("R1", "R4", "R6", "R9")


@pytest.mark.rule("8.5.3.6", "6.0.A.2")
def test_only_combat_cards_of_the_hand_are_discarded():
    position = decks(n=((), ("N5", "N7", "N3"), ()), r=((), ("R3",), ()))
    state = State(position, (draw.Discards(N),))
    for wrong in (Discard(("N3",)), Discard(("N9",)), Discard(("N5", "N5"))):
        assert [found.rule for found in violations(state, wrong)] == ["8.5.3.6"]
    asked = waits_for(state)
    assert asked.optional and asked.options[0].fields == {"cards": SomeOf(("N5", "N7"), 1)}
    left = submit(state, Discard(("N7", "N5"))).state.position
    assert left.hand_cards(N) == ("N3",) and left.decks[N].discards == ("N7", "N5")
    assert draw.Discards(R).ask(position) is None
    assert not violations(state, Done())


@pytest.mark.rule("8.5.3.6", "18.3.2")
def test_discards_are_named_and_lie_face_up():
    """Without 18.3.2, also where the hand is hidden: no slot is named, and nothing is buried."""
    hidden = sealed(decks(n=((), ("N5", "N7", "N3"), ()), r=((), (), ())))
    slot = hidden.slot_of(N, "N5")
    assert violations(State(hidden, (draw.Discards(N),)), Discard((slot,)))
    (told,) = draw.discarded(hidden, N, ("N5",))
    assert told == rare.HandCardDiscarded(N, slot, "N5")


@pytest.mark.rule("15.1.2", "6.0.A.1", "8.1.2")
def test_a_new_phase_brings_its_cards_and_shuffles_all_but_the_hands():
    position = decks(
        turn=6, n=(("N9",), ("N10",), ("N13", "N12")), r=((), (), ())
    ).with_deck(N, removed=("N1", "N20"))  # fmt: skip
    left = begin(State(position, (draw.CheckWarPhase(),))).state.position
    deck = left.decks[N]
    laid = [left.known[slot] for slot in deck.pile]
    mobilization = {f"N{number}" for number in range(19, 39)} - {"N20"}
    assert laid == sorted({"N9", "N12", "N13"} | mobilization)
    assert (deck.epoch, deck.discards, left.hand_cards(N)) == (2, (), ("N10",))


@pytest.mark.rule("15.1.3")
@pytest.mark.parametrize("turn, laid", [(5, False), (6, True), (11, False), (12, True)])
def test_phases_begin_on_turns_6_and_12(turn, laid):
    position = decks(turn=turn, n=((), (), ()), r=((), (), ()))
    events = begin(State(position, (draw.CheckWarPhase(),))).events
    assert any(isinstance(event, rare.DeckLaid) for event in events) is laid


@pytest.mark.rule("15.1.1", "15.1.2")
def test_a_scenario_that_begins_with_the_phase_has_its_deck_already():
    position = table(6, scenario="two_years_of_war")
    assert begin(State(position, (draw.CheckWarPhase(),))).events == ()


@pytest.mark.rule("8.1.4", "15.1.2")
def test_slots_nobody_has_seen_stay_where_they_are_beside_a_new_epoch():
    position = sealed(decks(turn=6, n=(("N9", "N5"), ("N10",), ("N12",)), r=((), (), ())))
    left = begin(State(position, (draw.CheckWarPhase(),))).state.position
    deck = left.decks[N]
    assert deck.pile[:2] == ("n/1/1", "n/1/2") and len(deck.pile) == 23
    ((name, side, epoch, laid),) = [each for each in left.laid if each[1] == N]
    assert (name, side, epoch) == ("n", N, 2)
    assert laid == tuple(sorted(("N12", *(f"N{number}" for number in range(19, 39)))))
    assert deck.unseen == tuple(sorted((*laid, "N5", "N9", "N10")))
    assert not left.known and deck.discards == ()
