"""The events of the War of the Armies and the optional ones: N39 to N56, R39 to R56."""

from __future__ import annotations

import pytest

from pbem.engine.kernel import violations
from pbem.engine.model import State
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.effects.combat_cards import is_built
from pbem.games.crusade.effects.registry import effect_of
from pbem.games.crusade.orders import (
    Activate,
    Attack,
    CombatCards,
    Deploy,
    Done,
    Land,
    Losses,
    Move,
    PlaceMarker,
    Redeploy,
    Remove,
    Replace,
)
from pbem.games.crusade.position import ELIMINATED, POOL, REMOVED, RESERVE, Boost, Combat, Fort
from pbem.games.crusade.remarks import remarks
from pbem.games.crusade.rules.cards import WITHOUT_EVENT
from pbem.games.crusade.rules.event_limits import near_france
from pbem.games.crusade.rules.landing import landing_coasts, places_of_revolt
from pbem.games.crusade.rules.replacement import open_accounts, recorded
from pbem.games.crusade.rules.supply import supply_map
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.combat.rally import restorable
from pbem.games.crusade.stages.end_of_turn import EndOfTurn
from pbem.games.crusade.stages.event_units import PLAN_P
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.words import listing
from tests.games.crusade.board import TABLES, N, R, after, refusals, table
from tests.games.crusade.cards_played import played, rules_against
from tests.games.crusade.fights import Round, attack, field, where

SIDE = {"N": N, "R": R}


def side_of(card):
    return SIDE[card[0]]


def accounts(position, side, currency):
    """Half points of a currency once the accounts of the side are opened."""
    return after(position, *open_accounts(position, side)).rp.get(currency, 0)


# --- points alone, and what lasts ---------------------------------------------------------------


@pytest.mark.rule("8.5.1.4", "card N42", "card N43", "card N51", "card R41", "card R48")
@pytest.mark.parametrize(
    "card, score, facts",
    [
        ("N42", (1, -1), {"turn": 14}),
        ("N43", (1, -1), {"turn": 14, "rm": 10}),
        ("N51", (0, -1), {"turn": 13}),
        ("R41", (0, 1), {"turn": 13}),
        ("R48", (0, 1), {"turn": 13}),
    ],
)
def test_n42_n43_n51_r41_and_r48_change_the_score(card, score, facts):
    game = played(side_of(card), card, **facts)
    assert (game.question, game.score) == ("", score)


@pytest.mark.rule("8.5.1.2", "card N42")
def test_n42_munich_waits_for_turn_14_and_ends_the_french_threat():
    assert rules_against(N, "N42", turn=13) == ["8.5.1.2"]
    game = played(N, "N42", turn=14)
    assert game.position.has("munich")
    assert rules_against(R, "R51", turn=14, played=game.position.played) == ["8.5.1.2"]
    for card in ("N43", "R47"):
        side, low = side_of(card), {"turn": 14, "rm": 10}
        assert rules_against(side, card, played=game.position.played, **low) == []
        assert rules_against(side, card, played=frozenset(), **low) == ["8.5.1.2"]


@pytest.mark.rule("13.4.3.2", "card N43")
def test_n43_shuts_the_border_of_france():
    assert rules_against(N, "N43", turn=14, rm=11) == ["8.5.1.2"]
    game = played(N, "N43", turn=14, rm=10)
    assert game.position.has("french_border_no_special_sr")
    units = {"boltana": "RPA-1"}
    held = {"nationalist": ("barbastro", "tremp", "jaca", "huesca")}
    cut_off = table(14, bare=True, units=units, played=game.position.played, **held)
    crossing = Redeploy("RPA-1", by="border")
    assert "13.4.3.2" in refusals(Redeployment(R, 8), cut_off, crossing)


@pytest.mark.rule("card N41", "card N49", "card R43")
@pytest.mark.parametrize("card, currency, halves", [("N41", "SOV", -2), ("N49", "SOV", -2),
                                                    ("R43", "REP", 2)])  # fmt: skip
def test_n41_n49_and_r43_change_points_in_every_replacement_phase(card, currency, halves):
    game = played(side_of(card), card, turn=13, rp={currency: 6})
    assert accounts(game.position, R, currency) == 6 + halves
    assert accounts(after(game.position, e.TurnBegan(14)), R, currency) == 6 + halves
    assert accounts(game.position.but(rp={"SOV": 1}), R, "SOV") == (0 if halves < 0 else 1)


COAST = ("cadiz", "algeciras", "malaga", "almeria", "cartagena", "alicante", "valencia")


@pytest.mark.rule("card N49")
def test_n49_needs_the_strait_and_mallorca_or_the_whole_coast():
    lost = {"turn": 13, "republican": ("mallorca",)}
    assert rules_against(N, "N49", turn=13, played=frozenset()) == ["8.5.1.2"]
    assert rules_against(N, "N49", **lost) == ["card N49"]
    assert rules_against(N, "N49", nationalist=COAST[1:], **lost) == []
    assert rules_against(N, "N49", nationalist=COAST[:-1], **lost) == ["card N49"]


@pytest.mark.rule("card N44")
@pytest.mark.parametrize("place", ["lerida", RESERVE, ELIMINATED])
def test_n44_takes_every_brigade_from_the_war(place):
    game = played(N, "N44", turn=13, bare=True, units={place: "INT-XI (INT-150)"})
    assert where(game.position, "INT-XI", "INT-150") == [REMOVED, "(removed)"]
    assert where(game.position, "INT-XII") == [POOL]
    assert rules_against(N, "N44", turn=13, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("CC.R52", "card R52")
def test_r52_stops_the_axis_points_of_this_turn_only():
    game = played(R, "R52", turn=13, rp={"AXIS": 4, "NAT": 2})
    assert accounts(game.position, N, "AXIS") == 0
    assert accounts(game.position, N, "NAT") == 2
    assert accounts(after(game.position, e.TurnBegan(14)), N, "AXIS") == 4


@pytest.mark.rule("CC.R42", "card R42")
def test_r42_adds_five_soviet_points_to_what_was_recorded():
    facts = {"turn": 13, "rp": {"SOV": 2}}
    game = played(R, "R42", **facts)
    assert accounts(game.position, R, "SOV") == 12
    assert accounts(game.position.but(rp={}), R, "SOV") == 0
    assert accounts(after(game.position, e.TurnBegan(14)), R, "SOV") == 2


@pytest.mark.rule("card R42")
def test_r42_needs_a_source_joined_to_france():
    border = ("figueras", "puigcerda", "seo_de_urgel", "boltana", "san_sebastian")
    assert rules_against(R, "R42", turn=13, nationalist=border[1:]) == []
    assert rules_against(R, "R42", turn=13, nationalist=border) == ["8.5.1.2"]
    assert rules_against(R, "R42", turn=13, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("card N51", "card R42")
def test_n51_answers_r42_and_forbids_it():
    opened = played(R, "R42", turn=13, rp={"SOV": 2}).position
    facts = {"turn": 13, "rp": {"SOV": 2}, "turn_marks": opened.turn_marks}
    closed = played(N, "N51", played=opened.played, **facts).position
    assert accounts(closed, R, "SOV") == 0
    assert rules_against(R, "R42", turn=14, played=closed.played | {"R2"}) == ["8.5.1.2"]
    assert rules_against(N, "N51", turn=13, played=frozenset()) == ["8.5.1.2"]


@pytest.mark.rule("card R49")
def test_r49_gives_six_points_and_then_none_any_more():
    game = played(R, "R49", turn=16, rp={"REP": 1}, played=frozenset({"R43", "R2"}))
    assert game.position.rp["REP"] == 13
    assert [event.currency for event in recorded(game.position, R, "R40")] == ["REP", "SOV"]
    assert accounts(game.position, R, "REP") == 15
    later = after(game.position, e.TurnBegan(17)).but(rp={})
    told = [(type(event), event.currency) for event in recorded(later, R, "R40")]
    assert told == [(rare.ReplacementsWithheld, "REP"), (e.ReplacementsRecorded, "SOV")]
    assert accounts(later, R, "REP") == 0


# --- operations ---------------------------------------------------------------------------------


@pytest.mark.rule("card N45", "card N46", "card R45")
@pytest.mark.parametrize(
    "card, ops, boost",
    [
        ("N45", 4, Boost("N45", 1)),
        ("N46", 5, Boost("N46", 1, terrain_free=True)),
        ("R45", 3, Boost("R45", spares_step=True)),
    ],
)
def test_n45_n46_and_r45_give_operations_and_help_the_attacks(card, ops, boost):
    side = side_of(card)
    game = played(side, card, turn=13)
    assert game.state.agenda[-1] == Activation(side, ops, boost=boost)
    full = frozenset(f"operations_{side}_{each}" for each in ("a", "b", "c"))
    assert "16.5.2/a" in rules_against(side, card, turn=17, turn_marks=full)


def limited(*dice, losses="", **origin):
    """A Limited Offensive on Huesca, fought with these dice."""
    stacks = {"barbastro": "R-V RPA-1 RPA-2", "huesca": "INF-1 INF-2 INF-3", **origin}
    position = field(13, **stacks)
    fought = Round(position, R, "barbastro", boost=Boost("R45", spares_step=True))
    fought.say(attack("huesca", losses=losses, barbastro=stacks["barbastro"])).roll(*dice)
    while fought.question == "losses" and fought.asks.side == N:
        fought.say(fought.asks.default)
    return fought


@pytest.mark.rule("CC.R45", "card R45")
@pytest.mark.parametrize("die, number, worn", [(1, 1, []), (3, 2, ["RPA-2"])])
def test_r45_takes_back_the_first_step_of_a_division(die, number, worn):
    fought = limited(6, die, losses="RPA R-V")
    assert fought.told(e.FireResolved)[1].loss_number == number
    units = ("R-V", "RPA-1", "RPA-2")
    assert [unit for unit in units if fought.position.is_reduced(unit)] == worn
    assert fought.told(e.StepSpared) == [e.StepSpared("RPA-1")]


@pytest.mark.rule("CC.R45", "11.3.6", "card R45")
def test_r45_divisions_lose_before_corps_where_both_could():
    fought = limited(1, 6, barbastro="R-V RPA-1 R-MIL-1", huesca="INF-1 INF-2 INF-3")
    assert fought.question == "losses"
    assert fought.told(e.FireResolved)[1].loss_number == 3
    assert fought.faults(Losses(("R-V",))) == ["CC.R45"]
    fought.say(Losses(("RPA-1", "RPA-1", "R-MIL-1")))
    assert where(fought.position, "R-V", "RPA-1", "R-MIL-1") == [
        "barbastro", "(barbastro)", "(barbastro)",
    ]  # fmt: skip


@pytest.mark.rule("CC.R45", "card R45")
def test_r45_a_corps_alone_is_spared_its_step():
    fought = limited(1, 6, barbastro="R-V", huesca="INF-1 INF-2 INF-3")
    assert fought.told(e.FireResolved)[1].loss_number == 3
    assert where(fought.position, "R-V") == ["barbastro"]
    assert fought.told(e.StepSpared) == [e.StepSpared("R-V")]


def retreating(cards, defenders, losses, **facts):
    """A Republican stack at Riotinto that loses four to one, with this card of its own."""
    position = field(3, sevilla="AFR-1 AFR-2 INF-1", riotinto=defenders, hand={R: [cards]}, **facts)
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 AFR-2 INF-1"))
    fought.say(CombatCards((cards,))).roll(6, 1)
    while fought.question == "losses":
        fought.say(Losses(losses) if fought.asks.side == R else fought.asks.default)
    return fought


@pytest.mark.rule("18.5", "card R60")
def test_r60_the_beaten_get_back_a_step_and_choose_their_way():
    full = {"santa_olalla": "R-MIL-2 R-MIL-3 R-MIL-4", "zafra": "R-MIL-5"}
    lost = ("RPA-1", "RPA-2", "RPA-2", "R-MIL-1")
    fought = retreating("R60", "RPA-1 RPA-2 R-MIL-1", lost, **full)
    assert fought.question == "organized retreat"
    assert fought.faults(Replace("RPA-2")) == ["card R60"]
    assert fought.faults(Replace("RPA-1", using="REP")) == ["card R60"]
    assert fought.faults(Replace("RPA-1", at="madrid")) == ["card R60"]
    assert fought.faults(Replace("RPA-1", at=fought.position.place_of("RPA-1"))) == []
    fought.say(Replace("R-MIL-1"))
    assert not fought.position.is_reduced("R-MIL-1") and fought.position.is_reduced("RPA-1")
    assert fought.question == "retreat"
    paths = fought.asks.options[0].fields["path"].values
    assert ("santa_olalla", "zafra") in paths and any(len(path) == 1 for path in paths)
    assert not any(len(path) == 2 and path[0] != "santa_olalla" for path in paths)


@pytest.mark.rule("card R60")
@pytest.mark.parametrize("by, helped", [((2, 1), ("RPA-1",)), ((1, 2), ())])
def test_r60_gives_no_step_to_who_has_won(by, helped):
    position = field(3, sevilla="AFR-1", riotinto="(RPA-1)")
    combat = Combat(N, "riotinto", {"AFR-1": "sevilla"}, defender_cards=("R60",), worn=("RPA-1",),
                    by_attacker=by[0], by_defender=by[1])  # fmt: skip
    assert restorable(position, combat) == helped


@pytest.mark.rule("card N46")
def test_n46_needs_the_counterattack_on_the_ebro():
    assert rules_against(N, "N46", turn=13, played=frozenset()) == ["8.5.1.2"]


# --- units and spaces ---------------------------------------------------------------------------


@pytest.mark.rule("5.2.4", "card N47")
def test_n47_ends_the_war_at_once():
    game = played(N, "N47", turn=16, rm=3)
    assert game.asks is None and game.position.result[0] == N
    assert rules_against(N, "N47", turn=16, rm=4) == ["8.5.1.2"]
    assert rules_against(N, "N47", turn=15, rm=3) == ["8.5.1.2"]


def rebels(**facts):
    return {"turn": 13, "rm": 10, "bare": True, "units": {"cartagena": "RPA-1"}, **facts}


@pytest.mark.rule("CC.N48", "card N48")
def test_n48_an_empty_port_or_capital_rises():
    game = played(N, "N48", **rebels())
    places = places_of_revolt(game.position, N)
    assert {"almeria", "gerona", "menorca"} <= set(places)
    assert not {"cartagena", "valencia", "barcelona", "madrid", "motril", "sevilla"} & set(places)
    assert game.faults(Deploy("INS", "cartagena")) == ["card N48"]
    assert game.faults(Deploy("INF-1", "almeria")) == ["card N48"]
    game.say(Deploy("INS", "almeria"))
    assert where(game.position, "INS") == ["almeria"]
    assert game.position.controls(N, "almeria")
    vp = TABLES.spaces["almeria"].vp
    assert game.score == (vp, -1)
    assert rules_against(N, "N48", **rebels(rm=11)) == ["8.5.1.2"]


@pytest.mark.rule("CC.N48")
def test_n48_nobody_rises_on_a_beach_head():
    landed = table(**rebels(beach_heads={PLAN_P: "almeria"})).with_control(PLAN_P, R)
    assert PLAN_P in landed.spaces_of(R) and landed.space(PLAN_P).port
    assert PLAN_P not in places_of_revolt(landed, N)


@pytest.mark.rule("CC.N48", "14.1.6", "card N48")
def test_n48_the_insurrection_ends_with_a_turn_out_of_supply():
    risen = played(N, "N48", **rebels()).say(Deploy("INS", "gerona")).position
    ended = after(risen, *EndOfTurn().run(risen).events)
    assert where(ended, "INS") == [REMOVED] and ended.controls(R, "gerona")
    assert not TABLES.units["INS"].rp


@pytest.mark.rule("CC.N48")
def test_n48_an_insurrection_that_has_not_risen_may_still_rise():
    quiet = table(**rebels())
    assert where(after(quiet, *EndOfTurn().run(quiet).events), "INS") == where(quiet, "INS")


@pytest.mark.rule("CC.N48", "13.3.6", "9.1.3")
def test_n48_who_retreated_into_the_rising_holds_the_space_when_it_is_put_down():
    risen = played(N, "N48", **rebels()).say(Deploy("INS", "gerona")).position
    joined = risen.with_unit("INF-1", "gerona")
    ended = after(joined, *EndOfTurn().run(joined).events)
    assert where(ended, "INS", "INF-1") == [REMOVED, "gerona"] and ended.controls(N, "gerona")


@pytest.mark.rule("card N48")
def test_n48_needs_an_empty_town():
    towns = [s.id for s in TABLES.spaces.values() if (s.port or s.capital) and not s.dormant]
    assert rules_against(N, "N48", **rebels(nationalist=towns, units={})) == ["card N48"]


@pytest.mark.rule("card N50")
@pytest.mark.parametrize("units, taken", [({}, True), ({"menorca": "RPA-1"}, False)])
def test_n50_menorca_changes_hands_if_it_is_empty(units, taken):
    facts = {"turn": 13, "rm": 10, "bare": True}
    game = played(N, "N50", units=units, **facts)
    assert game.position.controls(N, "menorca") is taken
    assert game.score == (0, -1)
    assert rules_against(N, "N50", **{**facts, "rm": 11}) == ["8.5.1.2"]
    assert rules_against(N, "N50", republican=("mallorca",), **facts) == ["8.5.1.2"]


@pytest.mark.rule("10.2.9", "10.2.3", "10.2.5", "8.5.1.1", "card R44")
def test_r44_places_three_special_trenches():
    units = {"toledo": "RPA-1"}
    forts = {"lerida": Fort("position", R), "gandia": Fort("trench", R),
             "zaragoza": Fort("position", N)}  # fmt: skip
    game = played(R, "R44", turn=13, bare=True, units=units, forts=forts, republican=["soria"])
    assert game.faults(PlaceMarker("gandia")) == ["10.2.5"]
    assert game.faults(PlaceMarker("bilbao")) == ["10.2.3"]
    assert game.faults(PlaceMarker("zaragoza")) == ["8.5.1.1"], "the enemy's, with works or not"
    assert game.faults(PlaceMarker("soria")) == ["8.5.1.1"], "the card wants supply"
    assert game.faults(Done()), "all of them have to be placed"
    game.say(PlaceMarker("lerida"), PlaceMarker("barcelona"), PlaceMarker("cuenca"))
    assert game.question == ""
    works = Fort("trench", R, "works")
    assert [game.position.forts[s] for s in ("lerida", "barcelona", "cuenca")] == [works] * 3


@pytest.mark.rule("card R47")
@pytest.mark.parametrize("ctv, end", [("N-CTV", "(zaragoza)"), ("(N-CTV)", "(zaragoza)")])
def test_r47_the_nationalists_give_up_an_italian_division(ctv, end):
    units = {"zaragoza": ctv, "huesca": "ITA-1", RESERVE: "(ITA-2)", ELIMINATED: "ITA-3"}
    game = played(R, "R47", turn=14, bare=True, units=units, nationalist=("huesca",))
    assert game.asks.side == N and game.asks.default == Remove("ITA-2")
    assert game.faults(Remove("INF-1")) == ["8.5.1.1"]
    game.say(Remove("ITA-3"))
    assert where(game.position, "ITA-3", "N-CTV") == [REMOVED, end]
    assert game.position.steps_left("N-CTV") == 1
    assert len(game.told(e.UnitReduced)) == (ctv == "N-CTV")


@pytest.mark.rule("card R47")
@pytest.mark.parametrize("place", [RESERVE, ELIMINATED])
def test_r47_a_ctv_that_is_not_on_the_map_loses_nothing(place):
    game = played(R, "R47", turn=14, bare=True, units={place: "N-CTV"})
    assert not game.told(e.UnitReduced) and where(game.position, "N-CTV") == [place]


@pytest.mark.rule("card R47")
def test_r47_asks_nobody_where_no_italian_is_left():
    assert played(R, "R47", turn=14, bare=True).question == ""


# --- Plan P -------------------------------------------------------------------------------------

SOUTH = tuple(s.id for s in TABLES.spaces.values() if s.at[0] < 38700 and not s.dormant)
LANDING = {"turn": 13, "bare": True, "units": {RESERVE: "RPA-1 (RPA-2) R-MIL-1"},
           "nationalist": [space for space in SOUTH if space != "cartagena"]}  # fmt: skip


@pytest.mark.rule("8.5.6.1", "8.5.6.2", "card R50")
def test_r50_plan_p_reaches_the_coast_within_three_spaces():
    """The example of the rulebook: from Cartagena, and further where Baza is Republican too."""
    from_cartagena = set(landing_coasts(table(**LANDING)))
    assert {"aguilas", "garrucha", "almeria"} <= from_cartagena
    assert not {"motril", "velez_malaga", "malaga"} & from_cartagena
    road = ("cartagena", "aguilas", "garrucha", "huercal_overa", "baza")
    joined = {**LANDING, "nationalist": [space for space in SOUTH if space not in road]}
    assert played(R, "R50", **LANDING).faults(Land("RPA-1", "motril")) == ["8.5.6.2"]
    from_baza = set(landing_coasts(table(**joined)))
    assert {"motril", "velez_malaga"} <= from_baza and "malaga" not in from_baza


@pytest.mark.rule("8.5.6.2", "card R50")
def test_r50_plan_p_starts_from_supplied_spaces_only():
    pocket = {**LANDING, "nationalist": [s for s in SOUTH if s not in ("cartagena", "baza")]}
    assert "velez_malaga" not in landing_coasts(table(**pocket))


@pytest.mark.rule("8.5.6.1", "16.7.2", "card R50")
def test_r50_plan_p_stays_east_of_the_strait_once_it_is_lost():
    near = {"turn": 13, "bare": True, "nationalist": ("cadiz", "malaga")}
    assert "cadiz" in landing_coasts(table(flags=frozenset(), **near))
    barred = landing_coasts(table(flags=frozenset({"strait_nationalist"}), **near))
    assert "cadiz" not in barred and "malaga" in barred
    assert "pontevedra" not in landing_coasts(table(bare=True))


@pytest.mark.rule("8.5.6.3", "8.5.6.5", "card R50")
def test_r50_a_popular_army_division_lands_on_its_beach():
    game = played(R, "R50", **LANDING)
    assert game.faults(Land("R-MIL-1", "almeria")) == ["8.5.6.3"]
    assert game.faults(Land("RPA-1", "sevilla")) == ["8.5.6.1"]
    assert game.faults(Land("RPA-1", "vinaroz")) == ["8.5.6.1"], "it is Republican"
    (inland,) = violations(game.state, Land("RPA-1", "sevilla"))
    assert str(inland.message) == "no landing is possible next to Sevilla"
    coasts = game.position.names_of(landing_coasts(game.position))
    assert str(inland.hint) == f"it is next to {listing(coasts)}"
    game.say(Land("RPA-2", "almeria"))
    position = game.position
    assert where(position, "RPA-2") == [f"({PLAN_P})"]
    assert position.beach_heads == {PLAN_P: "almeria"} and not position.deadlines
    assert PLAN_P in supply_map(position, R).full and PLAN_P in position.ports()
    assert position.are_adjacent(PLAN_P, "almeria")
    inland = Movement(R, (PLAN_P,), (), frozenset({"almeria"}))
    assert refusals(inland, position, Move(("RPA-2",), (PLAN_P, "almeria"))) == []


@pytest.mark.rule("16.7.2", "card R50")
def test_r50_a_beach_in_the_west_has_no_supply_once_the_strait_is_lost():
    landed = played(R, "R50", **LANDING).say(Land("RPA-1", "huelva")).position
    assert PLAN_P in supply_map(landed, R).full
    assert PLAN_P not in supply_map(after(landed, e.FlagSet("strait_nationalist")), R).full


@pytest.mark.rule("8.5.6.3", "card R50")
def test_r50_needs_a_division_in_the_reserve():
    none_there = {**LANDING, "units": {"madrid": "RPA-1"}}
    assert rules_against(R, "R50", **none_there) == ["8.5.6.3"]


@pytest.mark.rule("8.5.6.1", "card R50")
def test_r50_needs_the_marker_of_the_beach_head():
    landed = {**LANDING, "beach_heads": {"beach_head_plan_p": "almeria"}}
    assert rules_against(R, "R50", **landed) == ["8.5.6.1"]


@pytest.mark.rule("8.5.6.4", "card R50")
def test_r50_nationalists_who_enter_the_beach_end_it():
    from pbem.engine.model import Unfolding
    from pbem.games.crusade.rules.ground import enter_spaces

    landed = played(R, "R50", **LANDING).say(Land("RPA-1", "almeria")).position
    stacked = landed.with_unit("RPA-1", POOL)
    for unit in ("INF-1", "INF-2", "INF-3"):
        stacked = stacked.with_unit(unit, "almeria")
    entered = stacked.with_unit("INF-4", PLAN_P)
    story = Unfolding(entered)
    enter_spaces(story, (PLAN_P,), N)
    assert where(story.position, "INF-4") == [RESERVE]
    assert story.position.beach_heads == {}


# --- the French threat --------------------------------------------------------------------------

THREAT = {"turn": 13, "bare": True,
          "units": {"huesca": "INF-1", "barbastro": "RPA-1", "teruel": "INF-2",
                    "alcaniz": "RPA-2"},
          "nationalist": ("huesca", "teruel"), "republican": ("barbastro", "alcaniz")}  # fmt: skip


@pytest.mark.rule("CC.R51", "card R51")
def test_r51_counts_four_spaces_from_france():
    near = near_france(TABLES)
    assert {"figueras", "gerona", "barcelona", "zaragoza", "jaca"} <= near
    assert not {"tarragona", "caspe", "alcaniz", "teruel", "madrid", "mallorca"} & near


@pytest.mark.rule("CC.R51", "card R51")
def test_r51_the_nationalists_do_not_attack_near_france_in_this_turn():
    game = played(R, "R51", **THREAT)
    near, far = Activate(attack=("huesca",)), Activate(attack=("teruel",))
    assert refusals(Activation(N, 3), game.position, near) == ["CC.R51"]
    assert refusals(Activation(N, 3), game.position, far) == []
    assert refusals(Activation(N, 3), game.before.position, near) == []
    tomorrow = after(game.position, e.TurnBegan(14))
    assert refusals(Activation(N, 3), tomorrow, near) == []
    republic = Activate(attack=("barbastro",))
    assert refusals(Activation(R, 3), game.position, republic) == []
    assert game.position.turn_marks and Activation(N, 3).ask(game.position).options


@pytest.mark.rule("CC.R51", "card R51")
def test_r51_nor_do_they_attack_a_space_near_france_from_afar():
    facts = {**THREAT, "units": {"caspe": "INF-1", "candasnos": "RPA-1"},
             "nationalist": ("caspe",), "republican": ("candasnos",)}  # fmt: skip
    game = played(R, "R51", **facts)
    combats = Combats(N, ("caspe",))
    order = Attack("candasnos", {"caspe": ("INF-1",)})
    assert refusals(combats, game.before.position, order) == []
    (found,) = combats.check(game.position, order)
    assert (found.rule, str(found.message)) == (
        "card R51", "Candasnos is too near France to be attacked this turn (R51)"
    )  # fmt: skip
    assert combats.ask(game.position) is None


@pytest.mark.rule("card R51", "11.1.2", "16.1.4")
def test_a_space_that_can_attack_nothing_is_told():
    """No enemy is there, or R51 protects each; a siege is a target for the Republic alone."""

    def told(side, position, space):
        activating = State(position, (Activation(side, 3),))
        return [str(each) for each in remarks(activating, Activate(attack=(space,)))]

    facts = {**THREAT, "units": {"caspe": "INF-1", "candasnos": "RPA-1", "toledo": "INF-2"},
             "nationalist": ("caspe", "toledo"), "republican": ("candasnos",)}  # fmt: skip
    game = played(R, "R51", sieges={"alcazar": 1}, **facts)
    assert told(N, game.before.position, "caspe") == []
    assert told(N, game.position, "caspe") == [
        "from Caspe nothing can be attacked: Candasnos is too near France this turn (R51)"
    ]
    beyond = game.position.with_unit("RPA-2", "alcaniz")
    assert told(N, beyond, "caspe") == [], "Alcañiz is far enough"
    alone = "from Toledo nothing can be attacked: no enemy unit is next to it"
    assert told(N, game.position, "toledo") == [alone]
    assert told(R, game.position.with_unit("INF-2", POOL), "toledo") == []


# --- the optional corps -------------------------------------------------------------------------


@pytest.mark.rule("18.4.2.1", "18.4.2.2", "8.5.2.5", "card N56", "card R56")
@pytest.mark.parametrize(
    "card, corps, place, vp, payer, barred",
    [
        ("N56", "N-GEC", "cadiz", -1, "INF-1", "burgos"),
        ("R56", "R-SEC", "cartagena", 1, "RPA-1", "bilbao"),
    ],
)
def test_n56_and_r56_bring_an_expeditionary_corps(card, corps, place, vp, payer, barred):
    side = side_of(card)
    game = played(side, card, turn=8, bare=True, units={RESERVE: payer})
    assert game.faults(Deploy(corps, barred)) == ["8.5.2.4/f" if barred == "bilbao" else "8.5.2.4"]
    game.say(Deploy(corps, place), Remove(payer))
    assert where(game.position, corps, payer) == [place, REMOVED]
    assert (game.question, game.score) == ("", (vp, 0))
    assert rules_against(side, card, bare=True) == ["8.5.2.5"]
    assert rules_against(side, card, played=frozenset(), bare=True, units={RESERVE: payer}) == [
        "8.5.1.2"
    ]


# --- all cards ----------------------------------------------------------------------------------


def test_every_card_does_what_it_says_or_is_numbers_alone():
    """No event and no combat card is "not in this version yet"."""
    position = table()
    without = {
        card.id
        for card in TABLES.cards.values()
        if not (is_built(position, card.id) if card.kind == "combat" else effect_of(card))
    }
    assert len(TABLES.cards) == 120 and without == WITHOUT_EVENT
