"""Chapter 18: optional rules of combat, each with and without."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from pbem.engine.model import Decision
from pbem.engine.policies import answering, reading, scopes
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import CancelRetreat, Spare, WithdrawFirst
from pbem.games.crusade.policies.table import TABLE as STANDING
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.options_combat import keeps_flying, steps_to_stay
from pbem.games.crusade.rules.victory import madrid_penalty
from pbem.games.crusade.stages.combat.staying import StandFast
from pbem.value import replace
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R
from tests.games.crusade.fights import Round, attack, field

faults = partial(reading.faults, STANDING)
covers = partial(scopes.covers, STANDING)

# --- modifiers ------------------------------------------------------------------------------------


def drm_of_militia(turn: int, **facts: Any) -> int:
    fought = Round(field(turn, zafra="R-MIL-1 R-MIL-2", merida="INF-1", **facts), R, "zafra")
    fought.say(attack("merida", zafra="R-MIL-1 R-MIL-2")).roll(3, 3)
    told = [event for event in fought.told(e.FireResolved) if event.side == R]
    return sum(drm for _, drm in told[0].drms)


@pytest.mark.rule("18.2.1")
@on_and_off("18.2.1")
def test_militia_stay_raw_until_they_are_militarized(facts: dict[str, Any], agreed: bool) -> None:
    assert drm_of_militia(1, **facts) == -1
    assert drm_of_militia(4, **facts) == -agreed
    assert drm_of_militia(4, played=frozenset({"R8"}), **facts) == 0
    assert drm_of_militia(6, **facts) == 0


@pytest.mark.rule("18.2.1")
def test_only_attacks_with_militia_suffer() -> None:
    fought = Round(field(4, zafra="RPA-1", merida="INF-1", **on("18.2.1")), R, "zafra")
    fought.say(attack("merida", zafra="RPA-1")).roll(3, 3)
    assert all(event.drms == () for event in fought.told(e.FireResolved))


@pytest.mark.rule("18.4.2.1")
@pytest.mark.parametrize("attacker, drms", [(N, (("expeditionary corps", 1),)), (R, ())])
def test_the_soviet_corps_is_hard_to_move(attacker: Any, drms: tuple[str, ...]) -> None:
    position = field(8, zafra="R-SEC", merida="INF-1 INF-2", hold="caceres")
    origin, target = ("merida", "zafra") if attacker == N else ("zafra", "merida")
    units = "INF-1 INF-2" if attacker == N else "R-SEC"
    fought = Round(position, attacker, origin).say(attack(target, **{origin: units}))
    fought.roll(3, 3)
    told = {event.side: event.drms for event in fought.told(e.FireResolved)}
    assert told[R] == drms


@pytest.mark.rule("18.4.2.2")
@pytest.mark.parametrize("target, drms", [
    ("somosierra", (("expeditionary corps", 1),)), ("guadalajara", ()),
])  # fmt: skip
def test_the_german_corps_is_at_home_in_mountains(target: str, drms: tuple[str, ...]) -> None:
    near = {"somosierra": "aranda_de_duero", "guadalajara": "brihuega"}[target]
    position = field(8, **{target: "R-MIL-1", near: "N-GEC"})
    fought = Round(position, N, near).say(attack(target, **{near: "N-GEC"})).roll(3, 3)
    told = {event.side: event.drms for event in fought.told(e.FireResolved)}
    assert told[N] == drms


# --- fighters -------------------------------------------------------------------------------------


def lost_with_fighters(**facts: Any) -> Position:
    """The Republic uses the I-15 in an attack and loses it."""
    position = field(5, zafra="R-MIL-1", merida="INF-1 INF-2", hand={R: ["R5"]},
                     **{"played": frozenset({"R2"}), **facts})  # fmt: skip
    fought = Round(position, R, "zafra").say(attack("merida", "R5", zafra="R-MIL-1"))
    return fought.roll(1, 6).position


@pytest.mark.rule("18.1.3")
@on_and_off("18.1.3")
def test_the_fighters_stay_after_a_lost_combat(facts: dict[str, Any], agreed: bool) -> None:
    assert ("R5" in lost_with_fighters(**facts).decks[R].table) is agreed


@pytest.mark.rule("18.1.3")
def test_no_other_card_is_kept_for_it() -> None:
    position = field(5, **on("18.1.3"))
    assert [card for card in position.tables.cards if keeps_flying(position, card)] == ["R5"]


@pytest.mark.rule("18.1.3")
@pytest.mark.parametrize("better", [
    {"played": frozenset({"R2", "N27"})}, {"flags": frozenset({"fighters_outclassed"})},
])  # fmt: skip
def test_better_fighters_end_the_glory(better: dict[str, Any]) -> None:
    position = lost_with_fighters(**better, **on("18.1.3"))
    assert position.decks[R].table == () and position.decks[R].discards == ("R5",)


@pytest.mark.rule("18.1.3")
def test_the_first_combat_of_the_new_fighters_is_remembered() -> None:
    position = field(7, zafra="R-MIL-1", merida="INF-1 INF-2", hand={N: ["N38"]},
                     played=frozenset({"N2"}), **on("18.1.3"))  # fmt: skip
    fought = Round(position, N, "merida").say(attack("zafra", "N38", merida="INF-1 INF-2"))
    assert fought.roll(6, 1).position.has("fighters_outclassed")


# --- Madrid ---------------------------------------------------------------------------------------


@pytest.mark.rule("18.1.4")
@on_and_off("18.1.4")
@pytest.mark.parametrize("unit, african", [("INF-1", False), ("AFR-1", True)])
def test_only_africans_attack_madrid_in_earnest(
    unit: str, african: bool, facts: dict[str, Any], agreed: bool
) -> None:
    position = field(5, illescas=unit, madrid="R-MIL-1", **facts)
    fought = Round(position, N, "illescas").say(attack("madrid", illescas=unit)).roll(1, 1)
    counts = african or not agreed
    assert fought.position.has("madrid_attacked") is counts


@pytest.mark.rule("18.1.4")
def test_a_conquered_madrid_costs_nothing_whoever_did_it() -> None:
    position = field(5, illescas="INF-1", flags=frozenset({"madrid_occupied"}), **on("18.1.4"))
    assert madrid_penalty(position)[0] == 0


# --- three dice -----------------------------------------------------------------------------------


@pytest.mark.rule("18.3.10")
def test_the_middle_of_three_dice_counts() -> None:
    """The example of 18.3.10: 1, 5 and 6 are a five; 2, 2 and 4 are a two."""
    position = field(4, zafra="R-MIL-1", merida="INF-1 INF-2", **on("18.3.10"))
    fought = Round(position, N, "merida").say(attack("zafra", merida="INF-1 INF-2"))
    draws = [draw.label for draw in fought.asks.draws]  # type: ignore[union-attr]
    assert draws == [f"combat/#/{side}/die/{n}" for side in ("att", "def") for n in (1, 2, 3)]
    fought.roll(1, 5, 6, 2, 2, 4)
    assert [event.die for event in fought.told(e.FireResolved)] == [5, 2]


@pytest.mark.rule("18.3.10")
def test_without_the_rule_one_die_is_thrown() -> None:
    position = field(4, zafra="R-MIL-1", merida="INF-1 INF-2")
    fought = Round(position, N, "merida").say(attack("zafra", merida="INF-1 INF-2")).roll(5, 2)
    assert [event.die for event in fought.told(e.FireResolved)] == [5, 2]


@pytest.mark.rule("18.3.10")
def test_two_dice_of_a_card_stay_two() -> None:
    position = field(4, zafra="R-MIL-1", beasain="N-NAVARRA", san_sebastian="R-MIL-2",
                     hand={N: ["N57"]}, **on("18.3.10"))  # fmt: skip
    fought = Round(position, N, "beasain").say(attack("san_sebastian", "N57", beasain="N-NAVARRA"))
    fought.roll(2, 6, 1, 5, 6)
    assert [event.die for event in fought.told(e.FireResolved)] == [6, 5]


# --- staying after a heavy defeat -----------------------------------------------------------------


def beaten(defenders: str, dice: tuple[int, int], **facts: Any) -> Round:
    """Three corps attack Somosierra, a mountain; the defenders have lost."""
    near = next(s for s in field(8).neighbours("somosierra"))
    position = field(8, somosierra=defenders, **{near: "N-I N-V N-VI"}, **facts)
    fought = Round(position, N, near).say(attack("somosierra", **{near: "N-I N-V N-VI"}))
    return fought.roll(*dice).by_default("losses")


@pytest.mark.rule("18.2.9")
@on_and_off("18.2.9")
def test_after_a_heavy_defeat_two_steps_are_paid(facts: dict[str, Any], agreed: bool) -> None:
    fought = beaten("R-I R-MIL-1 R-MIL-2", (6, 1), **facts)
    decided = fought.told(e.CombatDecided)[0]
    difference = decided.by_attacker - decided.by_defender
    assert fought.question == "cancel retreat" and difference >= 3
    payer = fought.asks.options[0].fields["by"].values[1]  # type: ignore[union-attr]
    fought.say(CancelRetreat(payer))
    assert (fought.question == "cancel retreat") is agreed
    if agreed:
        assert fought.faults(CancelRetreat()) == ["18.2.9"]
        fought.by_default("cancel retreat")
    assert len(fought.told(e.RetreatCancelled)) == 1 + agreed


@pytest.mark.rule("18.2.9", "11.4.3")
@pytest.mark.parametrize("defenders, least", [
    ("(R-MIL-1) R-MIL-2 R-MIL-3", "R-MIL-2"), ("RPA-1 R-MIL-2", "R-MIL-2"),
    ("(R-MIL-1) (R-MIL-2)", "R-MIL-1"),
])  # fmt: skip
def test_the_second_step_is_by_default_the_one_that_loses_least(defenders: str, least: str) -> None:
    """Nobody has to pay the first one; the second is owed, and kills only where it must."""
    position = field(8, somosierra=defenders, segovia="INF-1", **on("18.2.9"))
    combat = Combat(N, "somosierra", {"INF-1": "segovia"}, by_attacker=5, by_defender=1)
    first = StandFast(R).ask(position.but(combat=combat))
    assert first.default == CancelRetreat()
    second = StandFast(R).ask(position.but(combat=replace(combat, paid=1)))
    assert second.default == CancelRetreat(least)
    assert "" not in second.options[0].fields["by"].values


@pytest.mark.rule("18.2.9")
@pytest.mark.parametrize("by, steps", [((3, 1), 1), ((3, 0), 2), ((5, 1), 2)])
def test_a_difference_of_three_is_a_heavy_defeat(by: tuple[int, int], steps: int) -> None:
    combat = Combat(N, "somosierra", {}, by_attacker=by[0], by_defender=by[1])
    assert steps_to_stay(field(8, **on("18.2.9")), combat) == steps
    assert steps_to_stay(field(8), combat) == 1


@pytest.mark.rule("18.2.9")
@on_and_off("18.2.9")
def test_who_cannot_pay_both_steps_cannot_stay(facts: dict[str, Any], agreed: bool) -> None:
    """Of three militia two steps are left: one may be paid, two may not."""
    fought = beaten("R-MIL-1 R-MIL-2 R-MIL-3", (5, 1), **facts)
    left = sum(fought.position.steps_left(u) for u in fought.position.units_in("somosierra"))
    decided = fought.told(e.CombatDecided)[0]
    assert decided.by_attacker - decided.by_defender >= 3 and left == 2
    assert (fought.question == "cancel retreat") is (not agreed)


# --- withdrawal -----------------------------------------------------------------------------------


def threatened(defenders: str = "R-MIL-1 R-MIL-2", attackers: str = "N-I", **facts: Any) -> Round:
    """A corps at Mérida attacks Zafra, behind which the land is Republican."""
    position = field(8, zafra=defenders, merida=attackers, hold="caceres badajoz", **facts)
    return Round(position, N, "merida").say(attack("zafra", merida=attackers))


@pytest.mark.rule("18.3.1")
@on_and_off("18.3.1")
def test_divisions_may_withdraw_from_a_corps(facts: dict[str, Any], agreed: bool) -> None:
    fought = threatened(**facts)
    assert (fought.question == "withdrawal") is agreed


@pytest.mark.rule("18.3.1")
@pytest.mark.parametrize("defenders, attackers", [
    ("R-MIL-1 R-MIL-2", "INF-1 INF-2"), ("R-I", "N-I"), ("(R-MIL-1)", "N-I"),
])  # fmt: skip
def test_others_may_not(defenders: str, attackers: str) -> None:
    assert threatened(defenders, attackers, **on("18.3.1")).question == "dice"


@pytest.mark.rule("18.3.1")
def test_of_two_divisions_one_may_be_reduced() -> None:
    assert threatened("(R-MIL-1) R-MIL-2", **on("18.3.1")).question == "withdrawal"


@pytest.mark.rule("18.3.1")
@pytest.mark.parametrize("is_silent", [True, False])
def test_who_does_not_withdraw_fights_as_ever(is_silent: bool) -> None:
    fought = threatened(**on("18.3.1"))
    if is_silent:
        fought.by_default("withdrawal")
    else:
        fought.say(WithdrawFirst(declared=False))
    assert fought.question == "dice"
    assert fought.told(e.WithdrawalDeclared) == []


@pytest.mark.rule("18.3.1", "11.1.1", "11.1.5")
def test_after_a_withdrawal_the_round_goes_on() -> None:
    position = field(8, zafra="R-MIL-1 R-MIL-2", merida="N-I", sevilla="INF-1", riotinto="R-MIL-3",
                     hold="caceres badajoz", **on("18.3.1"))  # fmt: skip
    fought = Round(position, N, "merida", "sevilla").say(attack("zafra", merida="N-I"))
    fought.say(WithdrawFirst()).roll(1, 1).by_default("losses", "retreat", "advance")
    assert fought.question == "combat"
    assert fought.faults(attack("riotinto", sevilla="INF-1")) == []
    assert fought.faults(attack("riotinto", merida="N-I")) != []


@pytest.mark.rule("18.3.1")
def test_who_withdraws_has_lost_and_goes_one_safe_space() -> None:
    """Even a better die does not help, and no end is next to an enemy."""
    fought = threatened("R-MIL-1 R-MIL-2 R-MIL-3", **on("18.3.1")).say(WithdrawFirst())
    fought.roll(1, 6).by_default("losses")
    assert fought.told(e.CombatDecided)[0].winner == N
    fought.by_default("retreat", "advance")
    for event in fought.told(e.UnitRetreated):
        assert len(event.path) == 1
        near = fought.position.neighbours(event.path[0])
        assert not any(fought.position.units_in(s, N) for s in near if s != "zafra")
    assert fought.told(e.UnitRetreated)


@pytest.mark.rule("18.3.1/a")
def test_one_of_a_force_that_would_be_lost_survives() -> None:
    fought = threatened(attackers="N-I N-V N-VI", **on("18.3.1")).say(WithdrawFirst())
    fought.roll(6, 1)
    assert fought.question == "survivor"
    assert fought.faults(Spare("INF-1")) == ["18.3.1/a"]
    fought.say(Spare("R-MIL-2")).by_default("losses", "retreat", "advance")
    assert fought.position.place_of("R-MIL-1") == "eliminated"
    place = fought.position.place_of("R-MIL-2")
    assert place not in ("zafra", "eliminated") and fought.position.is_reduced("R-MIL-2")


@pytest.mark.rule("18.3.1/a")
def test_armor_is_not_the_one_that_survives() -> None:
    fought = threatened("R-MIL-1 T-26-1", "N-I N-V N-VI", **on("18.3.1")).say(WithdrawFirst())
    fought.roll(6, 1).by_default("losses", "retreat", "advance")
    assert fought.told(e.UnitSpared)[0].unit == "R-MIL-1"


@pytest.mark.rule("18.3.1")
def test_without_a_safe_space_who_withdraws_is_lost() -> None:
    around = {s: f"INF-{n}" for n, s in enumerate(field(8).neighbours("zafra"), 1) if s != "merida"}
    position = field(8, zafra="R-MIL-1 R-MIL-2", merida="N-I", **around, **on("18.3.1"))
    fought = Round(position, N, "merida").say(attack("zafra", merida="N-I"), WithdrawFirst())
    fought.roll(1, 1).by_default("losses", "advance")
    assert fought.position.units_in("zafra", R) == ()


@pytest.mark.rule("18.3.1")
@pytest.mark.parametrize("policy, declared", [
    ({}, False), ({"withdraw_first": True}, True),
    ({"withdraw_first": {"when": {"space": "zafra"}}}, True),
    ({"withdraw_first": {"when": {"space": "madrid"}}}, False),
])  # fmt: skip
def test_a_policy_may_withdraw(policy: dict[str, Any], declared: bool) -> None:
    fought = threatened(**on("18.3.1"))
    asked = fought.asks
    assert isinstance(asked, Decision)
    assert covers(fought.state, asked, "standing", None, None)
    assert answering.answer(STANDING, fought.state, asked, policy) == WithdrawFirst(declared)
    assert faults(fought.position, R, policy) == ()
