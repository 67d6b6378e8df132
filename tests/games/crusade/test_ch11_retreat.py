"""Chapter 11.4: how far, where to, whether at all; and 11.5: the advance after it."""

import pytest

from pbem.engine.choices import every
from pbem.engine.kernel import begin, submit, violations, waits_for
from pbem.engine.model import State, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.effects.combat_cards import retreats_freely
from pbem.games.crusade.orders import (
    Advance,
    AdvancePlan,
    Attack,
    CancelRetreat,
    CombatCards,
    Losses,
    Retreat,
)
from pbem.games.crusade.position import Combat, Fort
from pbem.games.crusade.remarks import remarks
from pbem.games.crusade.rules.advance import cuts, planned, possible
from pbem.games.crusade.rules.combat import has_to_retreat
from pbem.games.crusade.rules.options_combat import is_safe
from pbem.games.crusade.rules.retreat import (
    may_cancel_here,
    retreat_length,
    ways_out,
    why_barred,
    why_surplus_is_lost,
)
from pbem.games.crusade.stages.combat.advance import Pursuit
from pbem.games.crusade.stages.combat.retreat import FallBack
from pbem.games.crusade.stages.combat.staying import StandFast
from pbem.value import replace
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field, where


def beaten(space, attackers, by=(2, 1), attacker=N):
    """A combat the attacker has won, with the spaces they came from."""
    origins = {unit: origin for origin, names in attackers.items() for unit in names.split()}
    return Combat(attacker, space, origins, by_attacker=by[0], by_defender=by[1])


def ends(position, combat):
    return sorted("-".join(path) for path in ways_out(position, combat).paths)


# --- how far ------------------------------------------------------------------------------------


@pytest.mark.rule("11.4.2")
@pytest.mark.parametrize("by, length", [((1, 0), 1), ((3, 2), 1), ((2, 0), 2), ((4, 0), 2)])
def test_the_length_of_a_retreat(by, length):
    assert retreat_length(table(), beaten("zafra", {}, by)) == length


@pytest.mark.rule("11.4.1", "11.2.10", "11.4.7")
@pytest.mark.parametrize("attacker_lives", [True, False])
def test_without_a_living_attacker_nobody_retreats(attacker_lives):
    units = "RPA-1 RPA-2 RPA-3" if attacker_lives else "(RPA-1)"
    position = field(3, riotinto=units, sevilla="INF-1 INF-2")
    stage = Round(position, R, "riotinto")
    stage.say(attack("sevilla", riotinto=units.replace("(", "").replace(")", "")))
    stage.roll(6, 1 if attacker_lives else 6).by_default("losses")
    assert (stage.question == "retreat") is attacker_lives
    assert stage.told(e.UnitRetreated) == []


@pytest.mark.rule("11.2.10", "11.4.1", "11.4.7", "18.3.1")
@pytest.mark.parametrize("by, attacker_lives, withdraws, goes", [
    ((2, 1), True, False, True),
    ((2, 1), False, False, False),
    ((2, 1), False, True, True),
    ((1, 2), True, False, False),
    ((1, 1), True, False, False),
])  # fmt: skip
def test_who_is_beaten_leaves_if_somebody_is_left_to_come_or_they_withdraw(
    by, attacker_lives, withdraws, goes
):
    position = field(3, sevilla="INF-1", riotinto="RPA-1" if attacker_lives else "")
    combat = replace(beaten("sevilla", {"riotinto": "RPA-1"}, by, R), withdrawal=withdraws)
    assert has_to_retreat(position, combat) is goes
    assert not has_to_retreat(field(3, sevilla="", riotinto="RPA-1"), combat)


# --- where to -----------------------------------------------------------------------------------


@pytest.mark.rule("11.4.5/d")
def test_a_retreat_of_two_may_end_next_to_the_lost_space():
    position = field(3, caspe="RPA-1", belchite="INF-1", hold="zaragoza carinena")
    combat = beaten("belchite", {"caspe": "RPA-1"}, (2, 0), R)
    found = ends(position, combat)
    assert "carinena-zaragoza" in found and not any(path.endswith("belchite") for path in found)


@pytest.mark.rule("11.4.5/a", "11.4.5/b", "11.4.5/c", "11.4.5/f")
def test_bans_on_steps():
    position = field(
        3, riotinto="RPA-1", sevilla="INF-1", ecija="R-MIL-1", santa_olalla="", hold="huelva"
    )
    combat = beaten("sevilla", {"riotinto": "RPA-1", "santa_olalla": "R-MIL-9"}, (1, 0), R)
    # Riotinto and Écija hold enemies; from Santa Olalla an attacker came who is dead.
    assert ends(position, combat) == ["huelva", "utrera"]
    longer = beaten("sevilla", {"riotinto": "RPA-1", "santa_olalla": "R-MIL-9"}, (2, 0), R)
    assert all(path.startswith("utrera") for path in ends(position, longer))


@pytest.mark.rule("11.4.5/f", "11.4.5/h", "13.1.2")
def test_jerez_is_as_legal_as_castuera_while_zafra_is_not_entered():
    position = field(3, zafra="RPA-1", santa_olalla="INF-1", hold="badajoz merida riotinto llerena")
    combat = beaten("zafra", {"santa_olalla": "INF-1"}, (1, 0))
    assert ends(position, combat) == ["castuera", "jerez_de_los_caballeros"]


@pytest.mark.rule("11.4.5.1", "11.4.5/g")
def test_extended_retreat_from_montblanch():
    position = field(
        13, montblanch="(RPA-1)", gandesa="", tarragona="INF-1", cervera="INF-2", lerida="INF-3",
        villafranca_del_panades="R-MIL-1 R-MIL-2 R-MIL-3", hold="gandesa",
    )  # fmt: skip
    combat = beaten("montblanch", {"lerida": "INF-3", "tarragona": "INF-1"}, (4, 3))
    ways = ways_out(position, combat)
    assert ways.rule == "11.4.5.1"
    assert ("villafranca_del_panades", "barcelona") in ways.paths
    assert all(path[0] == "villafranca_del_panades" and len(path) == 2 for path in ways.paths)
    stage, position = FallBack(R), position.but(combat=combat)
    (found,) = stage.check(position, Retreat("RPA-1", ("gandesa",)))
    assert found.rule == "11.4.5.1"
    (found,) = stage.check(position, Retreat("RPA-1", ("villafranca_del_panades",)))
    assert found.rule == "11.4.5.1"
    assert list(stage.check(position, Retreat("RPA-1", ways.paths[0]))) == []


@pytest.mark.rule("11.4.5.1", "11.4.5/f")
def test_la_espina_full_is_still_before_an_empty_enemy_space():
    position = field(
        3, castropol="MIL-AST-1", villalba="INF-1",
        pto_de_la_espina="MIL-AST-2 MIL-AST-3 MIL-AST-4", oviedo="INF-9",
    )  # fmt: skip
    combat = beaten("castropol", {"villalba": "INF-1"}, (1, 0))
    assert ends(position, combat) == [
        "pto_de_la_espina-gijon",
        "pto_de_la_espina-pto_de_leitariegos",
    ]


@pytest.mark.rule("11.4.5/h")
def test_empty_enemy_spaces_only_if_there_is_no_other_way():
    position = field(
        3, castropol="MIL-AST-1", villalba="INF-1", pto_de_la_espina="INF-2", oviedo="INF-9"
    )
    combat = beaten("castropol", {"villalba": "INF-1"}, (1, 0))
    assert ends(position, combat) == ["lugo"]
    fought = Round(position, N, "villalba").say(attack("castropol", villalba="INF-1")).roll(5, 1)
    assert where(fought.position, "MIL-AST-1") == ["(lugo)"]
    assert fought.position.controls(R, "lugo") and fought.position.controls(R, "castropol")


@pytest.mark.rule("11.4.5/c", "8.5.6.4", "8.5.4.3")
def test_a_beach_head_is_no_way_out_of_the_space_it_leads_to():
    """Who enters it ends it and is put into the space just lost, where no retreat may end."""
    position = field(13, almeria="INF-1", guadix="RPA-1 RPA-2", hold="garrucha").but(
        beach_heads={"beach_head_plan_p": "almeria"}
    ).with_control("beach_head_plan_p", R)  # fmt: skip
    combat = beaten("almeria", {"guadix": "RPA-1"}, (1, 0), R)
    assert ends(position, combat) == ["garrucha"]
    lost = position.with_control("garrucha", R).with_unit("RPA-2", "garrucha")
    assert why_barred(lost, combat, "beach_head_plan_p")[1] == "11.4.5/c"
    assert not any("beach_head_plan_p" in path for path in ways_out(lost, combat).paths)
    own = lost.but(beach_heads={"beach_head_nationalist": "almeria"})  # one's own is a space
    own = own.with_control("beach_head_nationalist", N)
    assert ends(own, combat) == ["beach_head_nationalist"]
    beyond = beaten("guadix", {"baza": "RPA-2"}, (2, 0), R)  # from elsewhere it may be overrun
    assert not why_barred(position, beyond, "beach_head_plan_p")[1]


@pytest.mark.rule("11.4.5/h")
def test_as_few_enemy_spaces_as_possible():
    position = field(
        3, zafra="RPA-1", santa_olalla="INF-1",
        hold="badajoz merida jerez_de_los_caballeros llerena castuera don_benito",
    )  # fmt: skip
    paths = ways_out(position, beaten("zafra", {"santa_olalla": "INF-1"}, (2, 0))).paths
    assert paths and all(
        [position.controls(R, space) for space in path] == [False, True] for path in paths
    )


@pytest.mark.rule("11.4.5/i")
def test_the_end_is_in_supply_if_possible():
    position = field(
        3, zafra="RPA-1", santa_olalla="INF-1",
        hold="badajoz merida jerez_de_los_caballeros llerena castuera riotinto",
        flags=frozenset({"badajoz_lost"}),
    )  # fmt: skip
    combat = beaten("zafra", {"santa_olalla": "INF-1"}, (1, 0))
    ways = ways_out(position, combat)
    assert "jerez_de_los_caballeros" not in ends(position, combat)
    assert ends(position, combat) == ["castuera", "llerena", "merida"]
    assert ways.rule == "11.4.5/i"


def refused(position, combat, path):
    """The rules and reasons against a retreat along this path."""
    found = FallBack(R).check(position.but(combat=combat), Retreat("RPA-1", path))
    return [(each.rule, str(each.message).partition(": ")[2]) for each in found]


FULL = "R-MIL-1 R-MIL-2 R-MIL-3"
FRIENDLY = ("11.4.5/f", "a retreat through friendly spaces is possible")
ROUND_ZAFRA = "badajoz merida llerena castuera don_benito jerez_de_los_caballeros"


@pytest.mark.rule("11.4.5/f", "11.4.5/g", "11.4.5/h", "11.4.5/i")
@pytest.mark.parametrize("by, facts, path, why", [
    # A full space of one's own is refused for its units, one of the enemy for its owner.
    (1, {"llerena": FULL}, "llerena", ("11.4.5/g", "Llerena is full, and another way is not")),
    (1, {"hold": "merida"}, "merida", FRIENDLY),
    (1, {"llerena": FULL, "cazalla": "INF-3", "penarroya": "INF-4", "hold": ROUND_ZAFRA},
     "llerena", ("11.4.5/g", "Llerena is full, and another way is not")),
    (1, {"llerena": FULL, "hold": ROUND_ZAFRA}, "llerena",
     ("11.4.5.1", "one more space reaches friendly ground")),
    (1, {"llerena": FULL, "hold": ROUND_ZAFRA}, "merida",
     ("11.4.5.1", "one more space reaches friendly ground")),
    # Supply is the reason only for a way over as few enemy spaces as there can be.
    (1, {"hold": ROUND_ZAFRA + " riotinto", "flags": frozenset({"badajoz_lost"})},
     "jerez_de_los_caballeros", ("11.4.5/i", "a retreat that ends in supply is possible")),
    (2, {"hold": ROUND_ZAFRA}, "merida badajoz",
     ("11.4.5/h", "a retreat over fewer enemy spaces is possible")),
])  # fmt: skip
def test_a_retreat_is_refused_by_the_rule_it_breaks(by, facts, path, why):
    position = field(3, zafra="RPA-1", santa_olalla="INF-1", **facts)
    combat = beaten("zafra", {"santa_olalla": "INF-1"}, (by, 0))
    assert refused(position, combat, tuple(path.split())) == [why]


@pytest.mark.rule("11.4.5/h")
def test_by_agreement_no_retreat_is_refused_for_its_enemy_spaces():
    position = field(3, zafra="RPA-1", santa_olalla="INF-1", hold=ROUND_ZAFRA,
                     options=frozenset({"Q7"}))  # fmt: skip
    combat = beaten("zafra", {"santa_olalla": "INF-1"}, (2, 0))
    rules = [rule for rule, _ in refused(position, combat, ("merida", "badajoz"))]
    assert rules == [ways_out(position, combat).rule] * len(rules) and "11.4.5/h" not in rules


@pytest.mark.rule("18.3.1", "11.4.5/f")
def test_a_withdrawal_is_refused_for_the_enemy_next_to_its_end():
    position = field(3, zafra="RPA-1", santa_olalla="INF-1", don_benito="INF-2")
    combat = beaten("zafra", {"santa_olalla": "INF-1"}, (1, 0))
    left = replace(combat, withdrawal=True)
    assert refused(position, combat, ("merida",)) == []
    assert refused(position, left, ("merida",)) == [("18.3.1", "Mérida is next to an enemy unit")]


@pytest.mark.rule("11.4.5/g")
def test_a_full_space_is_no_end():
    full = "R-MIL-1 R-MIL-2 R-MIL-3"
    position = field(3, riotinto="RPA-1", sevilla="INF-1", huelva="INF-5", santa_olalla=full)
    combat = beaten("riotinto", {"sevilla": "INF-1"}, (1, 0))
    assert ends(position, combat) == ["jerez_de_los_caballeros"]


@pytest.mark.rule("11.4.5/f", "11.4.5/g")
def test_friendly_ground_with_room_for_one_is_an_end():
    position = field(3, **RIOTINTO, santa_olalla="INF-3", jerez_de_los_caballeros="R-MIL-1 R-MIL-2")
    combat = beaten("riotinto", {"sevilla": "INF-1"}, (1, 0))
    assert ends(position, combat) == ["jerez_de_los_caballeros"]


@pytest.mark.rule("11.4.5/g", "11.4.5/h")
def test_over_enemy_ground_too_the_end_needs_room_for_one():
    for there, paths in (("R-MIL-1 R-MIL-2", 1), ("R-MIL-1 R-MIL-2 R-MIL-3", 0)):
        position = field(
            3, **RIOTINTO, santa_olalla="INF-3", zafra="INF-4", badajoz=there,
            hold="jerez_de_los_caballeros",
        )  # fmt: skip
        combat = beaten("riotinto", {"sevilla": "INF-1"}, (2, 0))
        assert ends(position, combat).count("jerez_de_los_caballeros-badajoz") == paths


@pytest.mark.rule("11.4.2")
@pytest.mark.parametrize("by, said", [((1, 0), "1 space"), ((2, 0), "2 spaces")])
def test_the_length_of_a_retreat_is_told(by, said):
    combat = beaten("riotinto", {"sevilla": "INF-1"}, by)
    position = field(3, sevilla="INF-1", riotinto="RPA-1").but(combat=combat)
    found = next(iter(FallBack(R).check(position, Retreat("RPA-1", ()))))
    assert (str(found.message), found.rule) == (f"the retreat is {said} long", "11.4.2")


@pytest.mark.rule("card N55", "18.3.1")
@pytest.mark.parametrize("changes, rule", [
    ({"attacker_cards": ("N55",)}, "card N55"),
    ({"attacker_cards": ("N55",), "defender_cards": ("R60",)}, "card R60"),
    ({"attacker_cards": ("N55",), "withdrawal": True}, "18.3.1"),
])  # fmt: skip
def test_a_card_or_a_withdrawal_may_say_how_long_a_retreat_is(changes, rule):
    combat = replace(beaten("riotinto", {"sevilla": "INF-1"}, (1, 0)), **changes)
    position = field(13, sevilla="INF-1", riotinto="RPA-1").but(combat=combat)
    found = next(iter(FallBack(R).check(position, Retreat("RPA-1", ()))))
    assert found.rule == rule


@pytest.mark.rule("11.4.3")
@pytest.mark.parametrize("space, fort, card, may", [
    ("valencia", "trench", "N55", False), ("valencia", "trench", "", True),
    ("valencia", "trench", "N52", False), ("valencia", "position", "", False),
    ("somosierra", "", "N55", True), ("somosierra", "", "", True),
])  # fmt: skip
def test_a_card_may_forbid_to_stay(space, fort, card, may):
    forts = {space: Fort(fort, R)} if fort else {}
    near = table().neighbours(space)[0]
    position = field(13, **{space: "RPA-1", near: "INF-1"}, forts=forts, rm=10)
    combat = replace(beaten(space, {near: "INF-1"}), attacker_cards=(card,) if card else ())
    assert may_cancel_here(position, combat) is may
    assert not may_cancel_here(position, replace(combat, withdrawal=True))


@pytest.mark.rule("9.1.4/a")
@pytest.mark.parametrize("jerez, lost", [
    ("R-MIL-1 R-MIL-2", False), ("R-MIL-1 R-MIL-2 R-MIL-3", True),
])  # fmt: skip
def test_for_a_surplus_the_shortest_retreat_is_asked_for(jerez, lost):
    """Behind Jerez only Badajoz is Republican, and it is full."""
    position = field(
        3, riotinto="RPA-1 RPA-2 RPA-3 RPA-4", jerez_de_los_caballeros=jerez,
        badajoz="R-MIL-4 R-MIL-5 R-MIL-6", sevilla="INF-1", huelva="INF-2", santa_olalla="INF-3",
        zafra="INF-4", caceres="INF-5", merida="INF-6",
    )  # fmt: skip
    why = why_surplus_is_lost(position, "riotinto", position.units_in("riotinto")[0])
    assert bool(why) is lost


@pytest.mark.rule("11.4.5", "18.3.1")
def test_who_withdraws_ends_next_to_no_enemy():
    position = field(8, zafra="RPA-1", merida="N-I", sevilla="INF-1")
    combat = replace(beaten("zafra", {"merida": "N-I"}, (1, 0)), withdrawal=True)
    assert any(path[-1] == "santa_olalla" for path in ways_out(
        position, replace(combat, withdrawal=False)).paths)  # fmt: skip
    paths = ways_out(position, combat).paths
    assert paths and all(is_safe(position, combat, path[-1]) for path in paths)


@pytest.mark.rule("11.4.5/f", "11.4.5/h", "card R60")
def test_the_free_choice_of_r60_is_among_friendly_spaces_only():
    """Over enemy ground, where nothing else is left, the other rules go on."""
    position = field(
        3, castropol="MIL-AST-1", villalba="INF-1", pto_de_la_espina="INF-2", oviedo="INF-9"
    )
    combat = beaten("castropol", {"villalba": "INF-1"}, (1, 0))
    free = replace(combat, defender_cards=("R60",))
    assert retreats_freely(position, free)
    found = ends(position, free)
    assert found and not any(position.controls(R, path.split("-")[0]) for path in found)


RIOTINTO = {"sevilla": "INF-1", "riotinto": "RPA-1", "huelva": "INF-2"}


@pytest.mark.rule("11.4.5/f")
def test_every_space_of_a_friendly_path_is_friendly():
    position = field(3, **RIOTINTO, hold="zafra")
    combat = beaten("riotinto", {"sevilla": "INF-1"}, (2, 0))
    assert ends(position, combat) == ["jerez_de_los_caballeros-badajoz", "santa_olalla-cazalla"]


@pytest.mark.rule("11.4.5/f", "11.4.5.1", "card R60")
@pytest.mark.parametrize("cards, further", [((), False), (("R60",), True)])
def test_r60_leads_beyond_a_full_space_even_where_another_has_room(cards, further):
    full = "R-MIL-1 R-MIL-2 R-MIL-3"
    position = field(3, **RIOTINTO, jerez_de_los_caballeros=full, badajoz="R-MIL-4")
    combat = beaten("riotinto", {"sevilla": "INF-1"}, (1, 0))
    found = ends(position, replace(combat, defender_cards=cards))
    assert "santa_olalla" in found
    assert ("jerez_de_los_caballeros-badajoz" in found) is further


@pytest.mark.rule("11.4.5.1")
@pytest.mark.parametrize("badajoz, expected", [
    ("R-MIL-4 R-MIL-5", ["jerez_de_los_caballeros-badajoz"]),
    ("R-MIL-4 R-MIL-5 R-MIL-6", []),
])  # fmt: skip
def test_an_extended_retreat_needs_a_friendly_space_with_room(badajoz, expected):
    full = "R-MIL-1 R-MIL-2 R-MIL-3"
    position = field(
        3, **RIOTINTO, santa_olalla="INF-3", jerez_de_los_caballeros=full, badajoz=badajoz,
        hold="zafra",
    )  # fmt: skip
    assert ends(position, beaten("riotinto", {"sevilla": "INF-1"}, (1, 0))) == expected


@pytest.mark.rule("11.4.5/g", "11.4.5/h")
def test_a_full_space_is_no_end_over_enemy_ground_either():
    position = field(
        3, **RIOTINTO, santa_olalla="INF-3", zafra="R-MIL-1 R-MIL-2 R-MIL-3",
        hold="jerez_de_los_caballeros",
    )  # fmt: skip
    combat = beaten("riotinto", {"sevilla": "INF-1"}, (2, 0))
    assert ends(position, combat) == ["jerez_de_los_caballeros-badajoz"]


@pytest.mark.rule("11.4.4", "11.5.7", "11.5.3")
def test_who_cannot_go_far_enough_is_lost_and_the_advance_goes_on():
    # From Riotinto only Jerez is open, and nothing lies behind it.
    position = field(
        3, sevilla="AFR-1 AFR-2 INF-1", riotinto="RPA-1 RPA-2", huelva="INF-2",
        santa_olalla="INF-3", badajoz="INF-4", zafra="INF-5",
    )  # fmt: skip
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 AFR-2 INF-1"))
    fought.roll(3, 1).by_default("losses")
    assert fought.told(e.FireResolved)[0].loss_number == 3
    assert fought.told(e.UnitRetreated) == []
    assert where(fought.position, "RPA-1", "RPA-2") == [
        "(removed)",
        "(removed)",
    ]  # out of supply, too
    fought.say(Advance(("AFR-1",), ("riotinto", "jerez_de_los_caballeros")))
    assert fought.position.place_of("AFR-1") == "jerez_de_los_caballeros"
    assert fought.position.controls(N, "jerez_de_los_caballeros")
    fought.say(Advance(("AFR-2",), ("riotinto",)))
    assert where(fought.position, "AFR-2") == ["riotinto"]


@pytest.mark.rule("11.4.4")
def test_room_for_one_of_two():
    position = field(
        3, sevilla="AFR-1 INF-1", riotinto="R-MIL-1 RPA-1", huelva="INF-2", santa_olalla="INF-3",
        jerez_de_los_caballeros="R-MIL-2 R-MIL-3", badajoz="INF-4", zafra="INF-5",
    )  # fmt: skip
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1")).roll(4, 1)
    fought.say(Losses(("R-MIL-1", "RPA-1")))
    assert fought.question == "retreat"
    fought.say(Retreat("RPA-1", ("jerez_de_los_caballeros",)))
    assert where(fought.position, "R-MIL-1") == ["(removed)"]


@pytest.mark.rule("11.4.5/e", "11.4.5/f")
def test_units_may_part():
    position = field(3, sevilla="AFR-1 INF-1", riotinto="R-MIL-1 RPA-1")
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1")).roll(4, 1)
    fought.say(Losses(("R-MIL-1", "RPA-1")))
    fought.say(
        Retreat("RPA-1", ("jerez_de_los_caballeros",)), Retreat("R-MIL-1", ("santa_olalla",))
    )
    assert [p.strip("()") for p in where(fought.position, "RPA-1", "R-MIL-1")] == [
        "jerez_de_los_caballeros", "santa_olalla"
    ]  # fmt: skip
    assert fought.position.retreated == {"RPA-1", "R-MIL-1"}


@pytest.mark.rule("11.4.8")
def test_a_space_that_was_left_keeps_its_owner():
    position = field(3, sevilla="AFR-1", riotinto="RPA-1")
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1")).roll(2, 1)
    fought.say(Retreat("RPA-1", ("santa_olalla",)), Advance())
    assert fought.position.controls(R, "riotinto") and fought.position.units_in("riotinto") == ()


@pytest.mark.rule("16.4.2.3")
def test_regions_do_not_bind_a_retreat():
    position = field(
        3, durango="MIL-BAS-1 MIL-BAS-2", vitoria="INF-1 INF-2 N-MIL-1", beasain="INF-3",
        bilbao="MIL-BAS-3 MIL-BAS-4 R-POL-1", orduna="INF-4", san_sebastian="INF-5",
    )  # fmt: skip
    combat = beaten("durango", {"vitoria": "INF-1"}, (1, 0))
    found = ways_out(position, combat)
    assert found.rule == "11.4.5.1" and ("bilbao", "santona") in found.paths


@pytest.mark.rule("10.2.7", "11.4.8")
@pytest.mark.parametrize("owner", [N, R])
def test_a_retreat_through_an_enemy_position_removes_it_and_takes_nothing(owner):
    position = field(
        8, hold="almeria", motril="INF-4 INF-1 INF-3", guadix="INF-2", adra="RPA-1 RPA-2",
        garrucha="R-MIL-2", forts={"almeria": Fort("position", owner)}, digging={"almeria": -1},
    )  # fmt: skip
    order = attack("adra", motril="INF-4 INF-1 INF-3")
    beaten_far = Round(position, N, "motril", "guadix").say(order).roll(5, 2)
    beaten_far.by_default("losses", "retreat")
    (gone,) = beaten_far.told(e.UnitRetreated)
    assert gone.path == ("almeria", "garrucha")
    assert ("almeria" in beaten_far.position.forts) is (owner == R)
    assert beaten_far.position.digging == {"almeria": -1}
    assert beaten_far.position.controls(N, "almeria")


@pytest.mark.rule("16.1.3", "16.1.7")
@pytest.mark.parametrize("hold, orders, sieges, vp, rm", [
    ("anchuras", (), {}, 1, -1),
    ("", (Retreat("N-MIL-1", ("toledo", "anchuras")),), {"alcazar": 3}, 0, 0),
])  # fmt: skip
def test_a_retreat_that_only_passes_a_siege_relieves_it_in_supply(hold, orders, sieges, vp, rm):
    position = field(
        3, hold=hold, sieges={"alcazar": 3}, illescas="N-MIL-1 (N-MIL-2)", madrid="RPA-1 RPA-2",
        cebreros="R-MIL-2", san_martin_de_la_vega="R-POL-1", navalmoral="INF-2 INF-3 INF-4",
        guadalupe="INF-5 INF-6 INF-7",
    )  # fmt: skip
    order = attack("illescas", madrid="RPA-1 RPA-2", san_martin_de_la_vega="R-POL-1")
    beaten_far = Round(position, R, "madrid", "san_martin_de_la_vega").say(order).roll(4, 1)
    beaten_far.by_default("losses").say(*orders)
    after = beaten_far.position
    assert where(after, "N-MIL-1") == ["(anchuras)"] and after.controls(R, "toledo")
    assert (after.sieges, after.vp, after.rm) == (sieges, position.vp + vp, position.rm + rm)


@pytest.mark.rule("16.1.3")
def test_republicans_who_pass_a_siege_relieve_nothing():
    position = field(
        3, sieges={"alcazar": 3}, illescas="R-MIL-1 (R-MIL-2)", cebreros="INF-1 INF-2 INF-3",
    )  # fmt: skip
    order = attack("illescas", cebreros="INF-1 INF-2 INF-3")
    beaten_far = Round(position, N, "cebreros").say(order).roll(4, 1)
    beaten_far.by_default("losses").say(Retreat("R-MIL-1", ("toledo", "urda")))
    assert where(beaten_far.position, "R-MIL-1") == ["(urda)"]
    assert beaten_far.position.sieges == {"alcazar": 3}


@pytest.mark.rule("11.4.5.1", "11.4.4")
@pytest.mark.parametrize("facts, ends_in", [
    ({"aguilas": ""}, {"aguilas", "huercal_overa"}),
    ({"garrucha": "R-MIL-2"}, {"garrucha"}),
    ({"hold": "almeria aguilas huercal_overa baza"}, set()),
    ({"hold": ""}, {"aguilas", "huercal_overa"}),
])  # fmt: skip
def test_an_extended_retreat_also_goes_over_enemy_ground_when_nothing_else_is_left(facts, ends_in):
    position = field(8, **{
        "hold": "almeria", "motril": "INF-4 INF-1 INF-3", "guadix": "INF-2",
        "adra": "RPA-1 RPA-2", "garrucha": "R-MIL-2 R-MIL-3 R-MIL-4", **facts,
    })  # fmt: skip
    fight = beaten("adra", {"motril": "INF-4 INF-1 INF-3"}, (3, 1))
    assert {path[-1] for path in ways_out(position, fight).paths} == ends_in


@pytest.mark.rule("11.4.5.1", "11.4.8")
def test_who_retreats_so_far_lives_and_takes_nothing_on_the_way():
    position = field(
        8, hold="almeria", motril="INF-4 INF-1 INF-3", guadix="INF-2", adra="RPA-1 RPA-2",
        garrucha="R-MIL-2 R-MIL-3 R-MIL-4",
    )  # fmt: skip
    order = attack("adra", motril="INF-4 INF-1 INF-3")
    fought = Round(position, N, "motril", "guadix").say(order).roll(5, 2).by_default("losses")
    assert fought.question == "retreat"
    assert fought.faults(Retreat("RPA-2", ("almeria", "garrucha"))) == ["11.4.5.1"]
    fought.say(Retreat("RPA-2", ("almeria", "garrucha", "aguilas")))
    assert where(fought.position, "RPA-2")[0].strip("()") == "aguilas"
    assert fought.position.controls(N, "almeria")


# --- orders for retreats ------------------------------------------------------------------------


@pytest.mark.parametrize("unit, path, rule", [
    ("RPA-1", "santa_olalla", ""),
    ("RPA-9", "santa_olalla", "11.4.1"),
    ("RPA-1", "atlantis", "11.4.5"),
    ("RPA-1", "zafra", "11.4.5"),
    ("RPA-1", "sevilla", "11.4.5/a"),
    ("RPA-1", "huelva", "11.4.5/b"),
    ("RPA-1", "santa_olalla riotinto", "11.4.5/c"),
    ("RPA-1", "santa_olalla cazalla", "11.4.2"),
    ("RPA-1", "", "11.4.2"),
])  # fmt: skip
@pytest.mark.rule("11.4.1", "11.4.2", "11.4.5", "11.4.5/a", "11.4.5/b", "11.4.5/c")
def test_orders_for_a_retreat(unit, path, rule):
    position = field(3, sevilla="AFR-1", riotinto="RPA-1", hold="huelva")
    combat = beaten("riotinto", {"sevilla": "AFR-1", "huelva": "INF-9"}, (1, 0))
    order = Retreat(unit, tuple(path.split()))
    found = [violation.rule for violation in FallBack(R).check(position.but(combat=combat), order)]
    assert found == ([rule] if rule else [])


@pytest.mark.rule("11.4.5/d")
def test_no_space_is_entered_twice():
    position = field(3, belchite="INF-1", caspe="RPA-1")
    combat = beaten("belchite", {"caspe": "RPA-1"}, (2, 0), R)
    back = Retreat("INF-1", ("carinena", "zaragoza", "carinena"))
    position = position.but(combat=combat)
    assert [violation.rule for violation in FallBack(N).check(position, back)] == ["11.4.5/d"]


# --- cancelling ---------------------------------------------------------------------------------


def stand(space="teruel", units="N-POL-1 INF-1", attacker=R, **facts):
    origin = "barracas" if space == "teruel" else "zafra"
    position = field(8, **{space: units, origin: "RPA-1"}, **facts)
    combat = beaten(space, {origin: "RPA-1"}, (2, 0), attacker)
    return StandFast(combat.defender), position.but(combat=combat)


@pytest.mark.parametrize("space, facts, ok", [
    ("teruel", {}, True),
    ("santa_olalla", {}, False),
    ("santa_olalla", {"forts": {"santa_olalla": Fort("position", N)}}, False),
    ("santa_olalla", {"forts": {"santa_olalla": Fort("trench", N)}}, True),
    ("santa_olalla", {"beach_heads": {"santa_olalla": "sevilla"}}, True),
])  # fmt: skip
@pytest.mark.rule("11.4.3")
def test_where_a_retreat_may_be_cancelled(space, facts, ok):
    stage, position = stand(space, **facts)
    found = [violation.rule for violation in stage.check(position, CancelRetreat("INF-1"))]
    assert found == ([] if ok else ["11.4.3"])


@pytest.mark.parametrize("units, reserve, ok", [
    ("(INF-1)", "", False),
    ("INF-1", "", True),
    ("(INF-1) (N-POL-1)", "", True),
    ("(N-I)", "", False),
    ("(N-I)", "INF-9", True),
    ("N-I", "", True),
])  # fmt: skip
@pytest.mark.rule("11.4.3")
def test_something_must_be_left_after_paying(units, reserve, ok):
    stage, position = stand(units=units, reserve=reserve)
    payer = units.split()[0].strip("()")
    found = [violation.rule for violation in stage.check(position, CancelRetreat(payer))]
    assert found == ([] if ok else ["11.4.3"])


@pytest.mark.rule("11.4.3", "11.3.5", "11.3.5.2")
def test_a_corps_that_pays_with_its_last_step_is_replaced():
    stage, position = stand(units="(N-I)", reserve="INF-9 N-MIL-9")
    assert list(stage.check(position, CancelRetreat("N-I", "N-MIL-9"))) == []
    for order in (CancelRetreat("N-I", "RPA-9"), CancelRetreat("N-I", "N-I")):
        assert [violation.rule for violation in stage.check(position, order)] == ["11.3.5.2"]
    assert [v.rule for v in stage.check(position, CancelRetreat("", "INF-9"))] == ["11.3.5"]
    absent = CancelRetreat("N-I", "INF-1")
    assert [violation.rule for violation in stage.check(position, absent)] == ["11.3.5"]
    outcome = stage.resolve(position, CancelRetreat("N-I", "N-MIL-9"))
    for event in outcome.events:
        position = event.apply(position)
    assert position.units_in("teruel") == ("N-MIL-9",)


@pytest.mark.rule("11.4.3")
def test_a_third_step_holds_the_mountain():
    position = field(3, teruel="INF-1 INF-2", barracas="RPA-1 RPA-2 RPA-3")
    fought = Round(position, R, "barracas")
    fought.say(attack("teruel", barracas="RPA-1 RPA-2 RPA-3")).roll(4, 1)
    assert fought.told(e.FireResolved)[0].loss_number == 2
    fought.say(Losses(("INF-1", "INF-2"))).by_default("losses").say(CancelRetreat("INF-1"))
    assert where(fought.position, "INF-1", "INF-2") == ["(eliminated)", "(teruel)"]
    assert fought.question == "" and fought.told(e.UnitRetreated) == []


# --- 11.5 ---------------------------------------------------------------------------------------


def chase(to="riotinto", by=(1, 0), followed=(), sevilla="AFR-1 INF-1", **facts):
    position = field(3, sevilla=sevilla, **facts)
    combat = beaten(to, {"sevilla": sevilla.replace("(", "").replace(")", "")}, by)
    return Pursuit(N), position.but(combat=replace(combat, followed=followed))


@pytest.mark.parametrize("units, to, followed, rule", [
    ("AFR-1", "riotinto", (), ""),
    ("", "", (), ""),
    ("", "riotinto", (), "11.5.3"),
    ("AFR-9", "riotinto", (), "11.1.7/a"),
    ("AFR-1 AFR-1", "riotinto", (), "11.1.7/a"),
    ("AFR-1", "huelva", (), "11.5.2"),
    ("AFR-1", "riotinto jerez_de_los_caballeros", (), "11.5.2"),
    ("AFR-1", "riotinto zafra", ("jerez_de_los_caballeros",), "11.5.3"),
    ("AFR-1", "riotinto jerez_de_los_caballeros", ("jerez_de_los_caballeros",), ""),
    ("AFR-1", "riotinto santa_olalla", ("santa_olalla",), "11.5.4"),
])  # fmt: skip
@pytest.mark.rule("11.5.1", "11.5.2", "11.5.3", "11.5.4", "11.1.7/a", "11.2.11")
def test_orders_for_an_advance(units, to, followed, rule):
    stage, position = chase(followed=followed, santa_olalla="R-MIL-1")
    order = Advance(tuple(units.split()), tuple(to.split()))
    found = [violation.rule for violation in stage.check(position, order)]
    assert found == ([rule] if rule else [])


@pytest.mark.rule("11.5.1", "11.5.3")
def test_who_has_advanced_is_not_asked_again():
    stage, position = chase()
    asked = begin(State(position, (stage,))).state
    assert not waits_for(asked).optional, "whether anybody advances is a question of its own"
    shown = [each.order for each in waits_for(asked).options[0].examples(every)]
    assert shown == [Advance(("INF-1", "AFR-1"), ("riotinto",))]
    left = submit(asked, Advance(("AFR-1",), ("riotinto",))).state
    assert waits_for(left).optional and tuple(left.position.fought.origins) == ("INF-1",)
    assert violations(left, Advance(("AFR-1",), ("riotinto",)))
    assert submit(left, Advance(("INF-1",), ("riotinto",))).state.agenda == ()


@pytest.mark.rule("11.4.1", "card N12")
def test_a_card_that_stops_a_retreat_holds_nothing_where_nobody_is_left():
    position = field(4, riotinto="RPA-1 RPA-2 RPA-3", sevilla="(N-MIL-1)", hand={N: ["N12"]})
    fought = Round(position, R, "riotinto")
    fought.say(attack("sevilla", riotinto="RPA-1 RPA-2 RPA-3"))
    fought.say(CombatCards(("N12",))).roll(6, 1).by_default("losses")
    assert fought.position.units_in("sevilla", N) == () and fought.question == "advance"
    assert fought.told(e.RetreatCancelled) == []


@pytest.mark.rule("11.5.3")
def test_an_advance_stops_on_a_mountain():
    position = field(3, teruel="", barracas="RPA-1", hold="teruel vivel_del_rio")
    combat = beaten("teruel", {"barracas": "RPA-1"}, (2, 0), R)
    position = position.but(combat=replace(combat, followed=("albarracin",)))
    order = Advance(("RPA-1",), ("teruel", "albarracin"))
    assert [v.rule for v in Pursuit(R).check(position, order)] == ["11.5.3"]


@pytest.mark.rule("9.1.1", "9.1.2")
def test_an_advance_keeps_to_the_stacking_limit():
    stage, position = chase(sevilla="AFR-1 INF-1 INF-2", riotinto="N-POL-1")
    order = Advance(("AFR-1", "INF-1", "INF-2"), ("riotinto",))
    assert [v.rule for v in stage.check(position, order)] == ["9.1.1"]


@pytest.mark.rule("16.4.2.1", "16.4.2.2")
def test_regions_bind_an_advance():
    position = field(3, pto_de_pajares="MIL-AST-1 MIL-AST-2", santander="", san_vicente="")
    combat = beaten("san_vicente", {"pto_de_pajares": "MIL-AST-1 MIL-AST-2"}, (1, 0), R)
    stage, position = Pursuit(R), position.but(combat=combat)
    one = Advance(("MIL-AST-1",), ("san_vicente",))
    two = Advance(("MIL-AST-1", "MIL-AST-2"), ("san_vicente",))
    assert list(stage.check(position, one)) == []
    assert [v.rule for v in stage.check(position, two)] == ["16.4.2.2"]


@pytest.mark.rule("11.5.6", "10.2.7", "16.1.3")
def test_an_advance_takes_what_it_enters():
    position = field(
        3, madrid="", toledo="(R-MIL-1)", illescas="INF-1 INF-2", hold="cebreros avila",
        forts={"toledo": Fort("position", R)},
    )  # fmt: skip
    order = Attack("toledo", {"illescas": ("INF-1", "INF-2")},
                   advance=AdvancePlan(("INF-1",), ("toledo",)))  # fmt: skip
    fought = Round(position, N, "illescas").say(order).roll(6, 1)
    assert fought.position.controls(N, "toledo") and "toledo" not in fought.position.forts
    assert "alcazar" not in fought.position.sieges


@pytest.mark.rule("11.5.1")
@pytest.mark.parametrize("plan, entered", [
    (AdvancePlan(("INF-1", "N-POL-1"), ("riotinto",)), ["riotinto", "riotinto"]),
    (AdvancePlan(("INF-1",), ("riotinto", "jerez_de_los_caballeros")), ["riotinto", "sevilla"]),
    (AdvancePlan(("INF-1",), ("riotinto", "castuera")), ["riotinto", "sevilla"]),
    (AdvancePlan((), ()), ["sevilla", "sevilla"]),
])  # fmt: skip
def test_a_planned_advance_goes_as_far_as_is_legal(plan, entered):
    position = field(3, sevilla="INF-1 N-POL-1", riotinto="(R-MIL-1)")
    order = Attack("riotinto", {"sevilla": ("INF-1", "N-POL-1")}, advance=plan)
    fought = Round(position, N, "sevilla").say(order).roll(4, 1)
    assert [p.strip("()") for p in where(fought.position, "INF-1", "N-POL-1")] == entered
    assert fought.question == ""
    stayed = entered == ["sevilla", "sevilla"]
    assert fought.told(e.AdvanceForgone) == ([e.AdvanceForgone("riotinto")] if stayed else [])


@pytest.mark.rule("11.5.1")
def test_who_does_not_advance_is_told_of_once():
    position = field(3, sevilla="INF-1 N-POL-1", riotinto="(R-MIL-1)")
    order = attack("riotinto", sevilla="INF-1 N-POL-1")
    fought = Round(position, N, "sevilla").say(order).roll(4, 1).say(Advance())
    assert fought.told(e.AdvanceForgone) == [e.AdvanceForgone("riotinto")]
    fought = Round(position, N, "sevilla").say(order).roll(4, 1)
    fought.say(Advance(("INF-1",), ("riotinto",)), Advance())
    assert fought.told(e.AdvanceForgone) == []


@pytest.mark.rule("9.1.1", "11.5.1")
def test_no_more_than_three_advance():
    spaces = {"sevilla": "INF-1 INF-2", "huelva": "INF-3 INF-4"}
    everyone = ("INF-4", "INF-1", "INF-2", "INF-3")
    position = field(3, **spaces, riotinto="(R-MIL-1)")
    order = attack("riotinto", **spaces)
    ahead = Attack("riotinto", order.units, advance=AdvancePlan(everyone, ("riotinto",)))
    fought = Round(position, N, *spaces).say(ahead).roll(6, 1)
    assert fought.position.units_in("riotinto") == ("INF-1", "INF-2", "INF-4")
    assert fought.told(e.AdvanceCut) == [e.AdvanceCut(("INF-3",), "riotinto", "room")]
    fought = Round(position, N, *spaces).say(order).roll(6, 1)
    fought.say(Advance(everyone[:3], ("riotinto",)))
    assert fought.question == ""  # the space is full, so the fourth is not asked


@pytest.mark.rule("9.1.1", "11.5.1", "11.5.3")
def test_what_is_cut_off_a_planned_advance_is_told_before_and_after():
    spaces = {"sevilla": "INF-1 INF-2", "huelva": "INF-3 INF-4"}
    everyone = ("INF-4", "INF-1", "INF-2", "INF-3")
    position = field(3, **spaces, riotinto="(R-MIL-1)")
    for units, path, crowded, cut in (
        (everyone, ("riotinto",), True, [e.AdvanceCut(("INF-3",), "riotinto", "room")]),
        (everyone[:3], ("riotinto",), False, []),
        (everyone[:1], ("riotinto", "castuera"), False, [e.AdvanceCut((), "castuera", "path")]),
    ):
        plan = AdvancePlan(units, path)
        order = Attack("riotinto", attack("riotinto", **spaces).units, advance=plan)
        fought = Round(position, N, *spaces)
        assert [each for each in map(str, remarks(fought.state, order)) if "9.1.1" in each] == (
            [
                "advance: of 4 named, Riotinto has room for 3; the last ones stay "
                "behind unless others are lost (9.1.1)"
            ]
            if crowded
            else []
        )
        assert fought.say(order).roll(6, 1).told(e.AdvanceCut) == cut


@pytest.mark.rule("16.4.2.2", "11.5.1")
def test_a_planned_advance_keeps_to_the_regions():
    units = "MIL-AST-1 MIL-AST-2"
    position = field(3, pto_de_pajares=units, san_vicente="", hold="san_vicente")
    plan = AdvancePlan(("MIL-AST-1", "MIL-AST-2"), ("san_vicente",))
    combat = beaten("san_vicente", {"pto_de_pajares": units}, (1, 0), R)
    done = planned(position, combat, plan)
    assert done.units == ("MIL-AST-1",)
    cut = e.AdvanceCut(("MIL-AST-2",), "san_vicente", "north")
    assert list(cuts(position, combat, plan, done)) == [cut]
    guests = position.with_unit("MIL-AST-3", "santander", False)
    assert planned(guests, combat, plan).units == ()
    assert list(possible(guests, combat)) == []


@pytest.mark.rule("11.3.5", "11.5.1")
def test_the_division_that_replaced_a_corps_may_advance():
    position = field(8, sevilla="(N-I) N-V", riotinto="(R-I)", reserve="INF-1")
    fought = Round(position, N, "sevilla").say(attack("riotinto", "", "reduced", sevilla="N-I N-V"))
    fought.roll(6, 6)
    assert fought.told(e.CorpsReplaced) != []
    assert fought.faults(Advance(("INF-1",), ("riotinto",))) == []


@pytest.mark.rule("11.5.1")
def test_a_planned_advance_lapses_if_the_space_holds():
    position = field(3, sevilla="INF-1", riotinto="RPA-1")
    order = Attack("riotinto", {"sevilla": ("INF-1",)},
                   advance=AdvancePlan(("INF-1",), ("riotinto",)))  # fmt: skip
    fought = Round(position, N, "sevilla").say(order).roll(1, 1)
    assert where(fought.position, "INF-1") == ["sevilla"] and fought.question == ""
    assert fought.told(e.AdvanceForgone) == []


@pytest.mark.rule("11.5.2")
def test_dead_defenders_are_not_followed_even_after_a_lost_combat():
    position = field(3, riotinto="(R-MIL-1)", sevilla="INF-1")
    fought = Round(position, N, "sevilla").say(attack("riotinto", sevilla="INF-1")).roll(3, 6)
    assert fought.told(e.CombatDecided)[0].winner == ""
    assert fought.question == "advance"
    fought.say(Advance(("INF-1",), ("riotinto",)))
    assert fought.position.controls(N, "riotinto")


@pytest.mark.rule("11.5.5")
def test_defenders_never_advance():
    position = field(3, riotinto="(R-MIL-1)", sevilla="INF-1 INF-2 INF-3")
    fought = Round(position, R, "riotinto").say(attack("sevilla", riotinto="R-MIL-1")).roll(1, 6)
    assert where(fought.position, "R-MIL-1") == ["(eliminated)"]
    assert fought.question == ""


@pytest.mark.rule("8.5.4.3")
def test_a_beach_head_that_is_overrun_moves_its_conquerors():
    position = table(
        1, units={"mallorca": "INF-1 AFR-1", "beach_head_mallorca": "(R-MIL-1)"},
        beach_heads={"beach_head_mallorca": "mallorca"}, flags=frozenset({"strait_nationalist"}),
    ).with_control("beach_head_mallorca", R)  # fmt: skip
    fought = Round(position, N, "mallorca").say(
        attack("beach_head_mallorca", mallorca="INF-1 AFR-1")
    )
    fought.roll(6, 1).say(Advance(("INF-1",), ("beach_head_mallorca",)))
    assert fought.position.beach_heads == {}
    assert set(fought.position.units_in("mallorca")) == {"INF-1", "AFR-1"}


@pytest.mark.rule("11.4.5")
def test_the_path_of_a_retreat_may_begin_with_its_start_as_that_of_a_move_does():
    position = field(3, zafra="RPA-1", santa_olalla="INF-1", hold="badajoz merida riotinto llerena")
    combat = beaten("zafra", {"santa_olalla": "INF-1"}, (1, 0))
    stage, position = FallBack(R), position.but(combat=combat)
    ends_in = []
    for path in (("castuera",), ("zafra", "castuera")):
        assert list(stage.check(position, Retreat("RPA-1", path))) == []
        story = Unfolding(position)
        story.happen(*stage.resolve(position, Retreat("RPA-1", path)).events)
        ends_in.append(story.position.place_of("RPA-1"))
    assert ends_in == ["castuera", "castuera"]
    (wrong,) = stage.check(position, Retreat("RPA-1", ("zafra", "madrid")))
    assert wrong.at == ("path", 1)
    assert list(stage.check(position, Retreat("RPA-1", ("zafra",)))) != []
