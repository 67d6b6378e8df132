"""What each combat card adds to the dice or takes from the ground, card by card."""

from __future__ import annotations

import pytest

from pbem.engine.kernel import violations
from pbem.games.crusade import events as e
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.orders import Play
from pbem.games.crusade.position import Boost, Combat, Fort
from pbem.games.crusade.rules import combat as rules
from pbem.games.crusade.rules.replacement import recorded
from pbem.messages import words
from tests.games.crusade.board import TABLES, N, R, table
from tests.games.crusade.cards_played import hand
from tests.games.crusade.fights import field

SIDE = {"N": N, "R": R}
ATTACKER, DEFENDER = "attacker", "defender"


def fight(card, role, own="", enemy="", *, space="riotinto", turn=8, own_from="sevilla", **facts):
    """A combat in which one side has committed a card; `own` are the units of that side."""
    side = SIDE[card[0]]
    mine = own or ("INF-1 INF-2" if side == N else "RPA-1 RPA-2")
    theirs = enemy or ("RPA-1 RPA-2" if side == N else "INF-1 INF-2")
    attackers, defenders = (mine, theirs) if role == ATTACKER else (theirs, mine)
    needed = frozenset(TABLES.cards[card].needs)
    position = field(turn, **{own_from: attackers, space: defenders, "played": needed, **facts})
    attacker = side if role == ATTACKER else {N: R, R: N}[side]
    used = {"attacker_cards" if role == ATTACKER else "defender_cards": (card,)}
    origins = {unit.strip("()"): own_from for unit in attackers.split()}
    return position, Combat(attacker, space, origins, **used)


def drm(position, combat, side):
    return rules.total(rules.drms(position, combat, side))


def reason(position, combat, card):
    return words(cards.why_not(position, combat, SIDE[card[0]], card))


# --- modifiers of the die -----------------------------------------------------------------------


@pytest.mark.rule(
    "card N10", "card N17", "card N38", "card N53",
    "card R5", "card R29", "card R54",
)  # fmt: skip
@pytest.mark.parametrize("role", [ATTACKER, DEFENDER])
@pytest.mark.parametrize("card", ["N10", "N17", "N38", "N53", "R5", "R29", "R54"])
def test_n10_n17_n38_n53_r5_r29_and_r54_add_one_in_attack_and_defence(card, role):
    position, combat = fight(card, role)
    side = SIDE[card[0]]
    assert reason(position, combat, card) == "" and TABLES.cards[card].air
    assert drm(position, combat, side) == 1
    other = R if side == N else N
    assert drm(position, combat, other) == 0
    if TABLES.cards[card].needs:
        assert "must have been played" in reason(position.but(played=frozenset()), combat, card)


@pytest.mark.rule("card R17")
def test_r17_adds_one_in_attack_during_the_columns():
    position, combat = fight("R17", ATTACKER, turn=3)
    assert drm(position, combat, R) == 1 and reason(position, combat, "R17") == ""
    assert reason(*fight("R17", DEFENDER, turn=3), "R17")
    assert reason(*fight("R17", ATTACKER, turn=8), "R17")


@pytest.mark.rule("card N36", "card N54", "card R36", "card R53")
@pytest.mark.parametrize("role", [ATTACKER, DEFENDER])
@pytest.mark.parametrize(
    "card, corps",
    [("N36", "N-MARROQUI"), ("N54", "N-MAESTRAZGO"), ("R36", "R-V"), ("R53", "R-XV")],
)
def test_n36_n54_r36_and_r53_add_one_where_their_corps_fights(card, corps, role):
    position, combat = fight(card, role, own=corps)
    assert reason(position, combat, card) == ""
    assert drm(position, combat, SIDE[card[0]]) == 1
    assert "must take part" in reason(*fight(card, role), card)


@pytest.mark.rule("card R28")
@pytest.mark.parametrize("role", [ATTACKER, DEFENDER])
@pytest.mark.parametrize("italian", ["ITA-1", "CV-33-1", "N-CTV"])
def test_r28_takes_two_from_the_die_of_an_enemy_with_italians(italian, role):
    position, combat = fight("R28", role, enemy=italian)
    assert (drm(position, combat, N), drm(position, combat, R)) == (-2, 0)
    assert reason(*fight("R28", role), "R28")


@pytest.mark.rule("card R37")
def test_r37_cancels_what_the_enemy_has_from_the_air():
    position, combat = fight("R37", DEFENDER, played=frozenset({"N2"}))
    assert reason(position, combat, "R37")
    answered = {"defender_cards": ("R37",)}
    flown = Combat(N, "riotinto", combat.origins, attacker_cards=("N10", "N38"),
                   boost=Boost("N27", 1, air=True), **answered)  # fmt: skip
    assert reason(position, flown, "R37") == "" and drm(position, flown, N) == 0
    offensive = Combat(N, "riotinto", combat.origins, boost=Boost("N34", 1), **answered)
    assert reason(position, offensive, "R37") and drm(position, offensive, N) == 1


@pytest.mark.rule("card R6")
@pytest.mark.parametrize("role, found", [(ATTACKER, 1), (DEFENDER, 1)])
def test_r6_adds_one_with_a_full_t26_and_cancels_enemy_armor_in_defence(role, found):
    position, combat = fight("R6", role, own="T-26-1", enemy="PZ-I-1")
    assert drm(position, combat, R) == found
    assert reason(*fight("R6", role, own="(T-26-1)"), "R6")
    assert reason(*fight("R6", role, own="RPA-1 RPA-2"), "R6")
    if role == DEFENDER:
        claimed = Combat(N, "riotinto", combat.origins, armor="PZ-I-1")
        assert drm(position, claimed, N) == 1
        answered = Combat(N, "riotinto", combat.origins, armor="PZ-I-1",
                      defender_cards=("R6",))  # fmt: skip
        assert drm(position, answered, N) == 0


@pytest.mark.rule("card R37")
@pytest.mark.parametrize("fighter", ["R5", "R29", "R54"])
def test_r37_leaves_the_republic_its_own_fighters(fighter):
    position, combat = fight("R37", DEFENDER, played=frozenset({"N2", "R2"}))
    flown = Combat(N, "riotinto", combat.origins, attacker_cards=("N10",),
                   defender_cards=("R37", fighter))  # fmt: skip
    assert drm(position, flown, N) == 0
    assert tuple(cards.card_drms(position, flown, R)) == ((fighter, 1),)


@pytest.mark.rule("card R37")
def test_r37_is_for_the_air_of_the_enemy_and_leaves_the_rest_alone():
    position, combat = fight("R37", ATTACKER)
    own = Combat(R, "riotinto", combat.origins, boost=Boost("N27", 1, air=True))
    assert reason(position, own, "R37"), "one's own aircraft"
    position, combat = fight("R37", DEFENDER, enemy="PZ-I-1 INF-2", turn=13)
    mixed = Combat(N, "riotinto", combat.origins, attacker_cards=("N10", "N55"), armor="PZ-I-1",
                   defender_cards=("R37",))  # fmt: skip
    assert set(cards.card_drms(position, mixed, N)) == {("N55", 1)}
    assert not cards.cancels_armor(position, mixed) and drm(position, mixed, N) == 2


@pytest.mark.rule("CC.N18")
def test_the_attacker_cancels_no_armor_of_its_own():
    position, combat = fight("R6", ATTACKER, own="T-26-1 T-26-2")
    claimed = Combat(R, "riotinto", combat.origins, armor="T-26-2", attacker_cards=("R6",))
    assert not cards.cancels_armor(position, claimed)


@pytest.mark.rule("card N10", "16.6.2/c")
def test_other_cards_count_beside_armor_and_those_without_a_number_not():
    position, combat = fight("N10", ATTACKER, own="PZ-I-1 INF-2")
    both = Combat(N, "riotinto", combat.origins, armor="PZ-I-1", attacker_cards=("N10", "N33"))
    assert tuple(cards.card_drms(position, both, N)) == (("N10", 1),)
    assert drm(position, both, N) == 2


@pytest.mark.rule("card R6", "18.4.1.1")
@pytest.mark.parametrize("corps", ["R-RAC", "(R-RAC)"])
def test_r6_serves_the_armored_corps_too(corps):
    position, combat = fight("R6", ATTACKER, own=corps)
    assert reason(position, combat, "R6") == "" and drm(position, combat, R) == 1


@pytest.mark.rule("18.4.1/a", "16.6.2/c")
@pytest.mark.parametrize(
    "own, more", [("R-RAC", 1), ("(R-RAC)", 1), ("T-26-1", 1), ("(T-26-1)", 0)]
)
def test_a_worn_armored_corps_claims_as_a_full_one_does(own, more):
    position, combat = fight("R5", ATTACKER, own=f"{own} RPA-1")
    claimed = Combat(R, "riotinto", combat.origins, armor=own.strip("()"))
    assert drm(position, claimed, R) == more


@pytest.mark.rule("card R6", "16.6.2/c")
def test_r6_and_the_drm_for_armor_are_one_together():
    position, combat = fight("R6", ATTACKER, own="T-26-1")
    claimed = Combat(R, "riotinto", combat.origins, armor="T-26-1",
               attacker_cards=("R6",))  # fmt: skip
    assert drm(position, claimed, R) == 1


@pytest.mark.rule("card R6", "CC.N18", "card N59")
@pytest.mark.parametrize("answer", ["N18", "N59"])
@pytest.mark.parametrize("claimed", ["T-26-1", ""])
def test_r6_keeps_its_own_drm_where_the_one_for_armor_is_cancelled(answer, claimed):
    position, combat = fight("R6", ATTACKER, own="T-26-1")
    answered = Combat(R, "riotinto", combat.origins, armor=claimed,
                      attacker_cards=("R6",), defender_cards=(answer,))  # fmt: skip
    assert rules.drms(position, answered, R) == (("R6", 1),)


# --- the ground ---------------------------------------------------------------------------------

POSITION = {"forts": {"riotinto": Fort("position", R)}}
TRENCH = {"forts": {"riotinto": Fort("trench", R)}}


def shifts(position, combat):
    """The shifts of the attacker and of the defender by Position or Trench."""
    found = [rules.shifts(position, combat, side) for side in (combat.attacker, combat.defender)]
    works = ("position", "trench")
    return tuple(rules.total(tuple(s for s in each if s[0] in works)) for each in found)


@pytest.mark.rule("card N33", "card N55", "card N59")
@pytest.mark.parametrize(
    "card, fort, found",
    [
        ("N10", POSITION, (-1, 0)), ("N10", TRENCH, (-1, 1)),
        ("N33", POSITION, (0, 0)), ("N33", TRENCH, (0, 0)),
        ("N55", POSITION, (0, 0)), ("N55", TRENCH, (0, 0)),
        ("N59", POSITION, (0, 0)), ("N59", TRENCH, (0, 1)),
    ],
)  # fmt: skip
def test_n33_n55_and_n59_take_the_shifts_of_works_away(card, fort, found):
    """N59 only what hinders the attacker."""
    assert shifts(*fight(card, ATTACKER, turn=13, **fort)) == found


@pytest.mark.rule("card N14")
def test_n14_needs_police_among_the_attackers():
    assert reason(*fight("N14", DEFENDER, enemy="R-POL-1 RPA-1", turn=3), "N14") == ""
    assert reason(*fight("N14", DEFENDER, enemy="RPA-1 RPA-2", turn=3), "N14")


@pytest.mark.rule("card N59", "8.5.3.1")
@pytest.mark.parametrize("fort", ["position", "trench"])
def test_n59_of_the_defender_leaves_its_own_works_standing(fort):
    works = {"forts": {"riotinto": Fort(fort, N)}}
    plain = fight("N10", DEFENDER, enemy="T-26-1", **works)
    assert shifts(*fight("N59", DEFENDER, enemy="T-26-1", **works)) == shifts(*plain)
    assert shifts(*plain)[0] == -1


@pytest.mark.rule("card N55")
def test_n55_adds_one_and_stays_away_from_madrid():
    position, combat = fight("N55", ATTACKER, turn=13)
    assert drm(position, combat, N) == 1 and reason(position, combat, "N55") == ""
    near = {"space": "guadarrama", "own_from": "segovia"}
    assert TABLES.adjacent_to_madrid("guadarrama")
    assert reason(*fight("N55", ATTACKER, turn=13, **near), "N55")


@pytest.mark.rule("card N59")
def test_n59_cancels_the_drm_for_armor_in_defence():
    position, combat = fight("N59", DEFENDER, enemy="T-26-1")
    claimed = Combat(R, "riotinto", combat.origins, armor="T-26-1")
    answered = Combat(R, "riotinto", combat.origins, armor="T-26-1",
                      defender_cards=("N59",))  # fmt: skip
    assert (drm(position, claimed, R), drm(position, answered, R)) == (1, 0)


@pytest.mark.rule("card N5", "8.5.6.1")
@pytest.mark.parametrize("strait, reached", [
    (frozenset(), ("huelva", "cadiz")),
    (frozenset({"strait_nationalist"}), ("huelva", "cadiz", "algeciras", "malaga")),
])  # fmt: skip
def test_n5_reaches_a_beach_head_where_it_reaches_the_coast_it_leads_to(strait, reached):
    for coast in ("huelva", "cadiz", "algeciras", "malaga"):
        beach = "beach_head_plan_p"
        landed = fight("N5", ATTACKER, space=beach, own_from=coast, turn=13, flags=strait,
                       beach_heads={beach: coast})  # fmt: skip
        assert (reason(*landed, "N5") == "") is (coast in reached)


@pytest.mark.rule("card N25")
def test_n25_takes_the_river_away():
    over = {"space": "badajoz", "own_from": "caceres"}
    kinds = TABLES.graph.kind_of("caceres", "badajoz")
    assert kinds == "river"
    plain = fight("N10", ATTACKER, **over)
    bridge = fight("N25", ATTACKER, **over)
    assert ("river", -1) in rules.shifts(*plain, N)
    assert ("river", -1) not in rules.shifts(*bridge, N) and reason(*bridge, "N25") == ""
    assert reason(*fight("N25", ATTACKER), "N25")


@pytest.mark.rule("card N52")
def test_n52_opens_a_main_city_other_than_madrid():
    city = {"space": "valencia", "own_from": "segorbe", "turn": 13, "rm": 10,
            "forts": {"valencia": Fort("trench", R)}}  # fmt: skip
    origin = TABLES.graph.neighbours("valencia")[0]
    position, combat = fight("N52", ATTACKER, **{**city, "own_from": origin})
    assert reason(position, combat, "N52") == ""
    names = {name for name, _ in rules.shifts(position, combat, N)}
    assert not {"main_city", "trench"} & names
    assert cards.forbids_cancelling(position, combat) == {"always": "N52"}
    assert reason(*fight("N52", ATTACKER, **{**city, "own_from": origin, "rm": 11}), "N52")
    near = TABLES.graph.neighbours("madrid")[0]
    assert reason(*fight("N52", ATTACKER, space="madrid", own_from=near, rm=10, turn=13), "N52")


# --- the optional cards -------------------------------------------------------------------------


def from_two(card, own, enemy, **facts):
    """An attack on Zafra from Sevilla's side and from Mérida."""
    near = TABLES.graph.neighbours("zafra")[:2]
    position = field(8, zafra=enemy, **dict(zip(near, own.split(), strict=True)), **facts)
    origins = dict(zip(own.split(), near, strict=True))
    attacker = SIDE[card[0]] if TABLES.cards[card].params.get("role") != DEFENDER else N
    used = {"attacker_cards" if attacker == SIDE[card[0]] else "defender_cards": (card,)}
    return position, Combat(attacker, "zafra", origins, **used)


@pytest.mark.rule("card N58")
def test_n58_surrounds_militia_in_the_open():
    position, combat = from_two("N58", "INF-1 INF-2", "R-MIL-1")
    assert reason(position, combat, "N58") == "" and drm(position, combat, N) == 1
    assert cards.retreat_spaces(position, combat) == 2
    assert reason(*from_two("N58", "INF-1 INF-2", "R-MIL-1 RPA-1"), "N58")
    dug_in = {"forts": {"zafra": Fort("trench", R)}}
    assert reason(*from_two("N58", "INF-1 INF-2", "R-MIL-1", **dug_in), "N58")


@pytest.mark.rule("card R57")
def test_r57_punishes_africans_who_come_from_two_sides():
    position, combat = from_two("R57", "AFR-1 AFR-2", "R-MIL-1")
    assert reason(position, combat, "R57") == "" and drm(position, combat, N) == -1
    assert cards.forbids_advance(position, combat)
    assert reason(*from_two("R57", "AFR-1 INF-2", "R-MIL-1"), "R57")


@pytest.mark.rule("card N60")
def test_n60_full_cavalry_charges_in_the_open():
    open_ground = {"space": "zafra", "own_from": TABLES.graph.neighbours("zafra")[0]}
    position, combat = fight("N60", ATTACKER, own="CAV-1 INF-1", **open_ground)
    assert reason(position, combat, "N60") == "" and drm(position, combat, N) == 1
    assert cards.first_loss_tags(position, combat) == (("N60", "cavalry"),)
    assert reason(*fight("N60", ATTACKER, own="(CAV-1) INF-1", **open_ground), "N60")


@pytest.mark.rule("card R58")
@pytest.mark.parametrize("role", [ATTACKER, DEFENDER])
def test_r58_inspires_militia(role):
    position, combat = fight("R58", role, own="R-MIL-1 RPA-1")
    assert reason(position, combat, "R58") == "" and drm(position, combat, R) == 1
    assert reason(*fight("R58", role), "R58")


# --- numbers alone ------------------------------------------------------------------------------


@pytest.mark.rule("card N13", "card R13")
@pytest.mark.parametrize("card, own", [("N13", "NAT"), ("R13", "REP")])
def test_n13_and_r13_have_no_event_and_three_points_of_their_own(card, own):
    state = hand(SIDE[card[0]], card, turn=2)
    assert [each.rule for each in violations(state, Play(card, "event"))] == ["8.5.1.1"]
    told = recorded(table(), SIDE[card[0]], card)
    points = {
        each.currency: each.halves for each in told if isinstance(each, e.ReplacementsRecorded)
    }
    assert points == {own: 6}
