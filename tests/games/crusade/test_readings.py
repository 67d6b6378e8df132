"""Readings that are options of a game: how each rule is read by default, and otherwise."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State, Unfolding
from pbem.games.crusade import events as e
from pbem.games.crusade.orders import Activate, CombatCards, Withdraw
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.activation import in_northern_zone
from pbem.games.crusade.rules.combat import terrain_present
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.losses import eliminate_retreated
from pbem.games.crusade.rules.morale import test_conditions as judge
from pbem.games.crusade.rules.retreat import ways_out
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.retreat import without_a_way
from pbem.games.crusade.stages.war_status import WarStatus
from pbem.value import replace
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, sealed, table
from tests.games.crusade.fights import Round, attack, field

BEACH = "beach_head_mallorca"


@pytest.mark.rule("11.2.6")
@on_and_off("Q1")
def test_the_sierra_counts_for_one_or_for_all(facts: dict[str, Any], agreed: bool) -> None:
    """Guadalajara is attacked out of Somosierra, which is of the Sierra, and out of Brihuega."""
    units = {"somosierra": "INF-1", "brihuega": "INF-2", "guadalajara": "R-MIL-1"}
    position = field(3, **units, **facts)
    origins = {"INF-1": "somosierra", "INF-2": "brihuega"}
    mixed = terrain_present(position, Combat(N, "guadalajara", origins))
    assert ("sierra_of_madrid" in mixed) is not agreed
    alone = terrain_present(position, Combat(N, "guadalajara", {"INF-1": "somosierra"}))
    assert "sierra_of_madrid" in alone
    into = terrain_present(position, Combat(R, "somosierra", {"R-MIL-1": "guadalajara"}))
    assert "sierra_of_madrid" in into


@pytest.mark.rule("18.3.1", "11.4.4")
@pytest.mark.parametrize("withdraws", [True, False])
@on_and_off("Q67")
def test_who_withdraws_without_a_way_may_come_back(
    facts: dict[str, Any], agreed: bool, withdraws: bool
) -> None:
    """In supply; out of supply, or beaten without having withdrawn, the unit is gone for good."""
    position = table(8, units={"valencia": "R-MIL-1", "granada": "R-MIL-2"}, **facts)
    combat = Combat(N, "valencia", {}, withdrawal=withdraws)
    gone = without_a_way(position, combat, "R-MIL-1")
    assert (gone.for_good, gone.why) == ((False, "") if agreed and withdraws else (True, "11.4.4"))
    cut_off = without_a_way(position, replace(combat, space="granada"), "R-MIL-2")
    assert cut_off.for_good


@pytest.mark.rule("17.1.1")
@on_and_off("Q3")
def test_the_northern_zone_grows_or_does_not(facts: dict[str, Any], agreed: bool) -> None:
    position = table(2, units={"brihuega": ""}, nationalist=["brihuega"], **facts)
    assert in_northern_zone(position, "burgos")
    assert in_northern_zone(position, "brihuega") is not agreed
    lost = table(2, republican=["burgos"], units={"burgos": ""}, **facts)
    assert in_northern_zone(lost, "burgos") is agreed
    beach = "beach_head_nationalist"
    landed = table(2, nationalist=[beach], beach_heads={beach: "la_coruna"}, **facts)
    assert in_northern_zone(landed, beach) is not agreed


@pytest.mark.rule("17.1.2")
@on_and_off("Q3")
def test_the_republic_has_ammunition_in_what_was_the_northern_zone(
    facts: dict[str, Any], agreed: bool
) -> None:
    taken = {"segovia": "R-MIL-1", "avila": "R-MIL-2"}
    position = table(2, republican=taken, units=taken, **facts)
    assert position.has("shortage")
    assert refusals(Activation(R, 4), position, Activate(attack=("segovia", "avila"))) == []


def cut(**facts: Any) -> Position:
    """The Republican zone in two pieces, both large, without ever having been seen whole."""
    return table(6, nationalist=["vinaroz", "castellon", "morella", "alcaniz", "gandesa", "caspe"],
                 **facts)  # fmt: skip


@pytest.mark.rule("16.3.3/i")
@on_and_off("Q4")
def test_a_zone_is_divided_if_it_was_whole_or_at_once(facts: dict[str, Any], agreed: bool) -> None:
    two = cut(**facts)
    story: Unfolding[Position] = Unfolding(two)
    judge(story, two)
    assert story.position.has("republican_divided") is agreed
    story = Unfolding(two)
    judge(story, two.with_control("castellon", R).with_control("vinaroz", R))
    assert story.position.has("republican_divided")


@pytest.mark.rule("16.3.3/h")
@on_and_off("Q5")
def test_the_north_ends_without_oviedo_or_with_it(facts: dict[str, Any], agreed: bool) -> None:
    north = table().tables.northern_front
    units = {**dict.fromkeys(north, ""), "oviedo": ""}
    position = table(9, units=units, nationalist=north, republican=["oviedo"], **facts)
    story: Unfolding[Position] = Unfolding(position)
    judge(story, position)
    assert story.position.has("north_ended") is not agreed
    take_space(story, "oviedo", N)
    assert story.position.has("north_ended")


@pytest.mark.rule("11.4.5/h")
@on_and_off("Q7")
def test_the_fewest_enemy_spaces_or_any(facts: dict[str, Any], agreed: bool) -> None:
    """Around Zafra all is Nationalist and empty but Castuera, which leads to Nationalist ground."""
    enemy = [s for s in field(3).neighbours("zafra") if s not in ("castuera", "merida")]
    further = field(3).neighbours("castuera")
    position = field(3, zafra="R-MIL-1", merida="INF-1", hold=" ".join({*enemy, *further} - {
        "zafra"}), **facts)  # fmt: skip
    combat = Combat(N, "zafra", {"INF-1": "merida"}, by_attacker=3, by_defender=0)
    ways = ways_out(position, combat).paths
    crossed = {sum(position.controls(N, space) for space in path) for path in ways}
    assert (len(crossed) > 1) is agreed
    assert min(crossed) == 1


@pytest.mark.rule("11.4.6")
@on_and_off("Q11")
def test_a_corps_lost_after_a_retreat_is_replaced_or_not(
    facts: dict[str, Any], agreed: bool
) -> None:
    position = field(8, zafra="R-I", reserve="RPA-1", retreated=frozenset({"R-I"}), **facts)
    combat = Combat(N, "zafra", {"INF-1": "merida"}, by_attacker=2, by_defender=0)
    story: Unfolding[Position] = Unfolding(position)
    eliminate_retreated(story, combat)
    assert story.position.units_in("zafra") == (("RPA-1",) if agreed else ())


@pytest.mark.rule("8.5.4.6/a")
@pytest.mark.parametrize("name, sent", [("Q17", "reserve"), ("1e", "reserve"), ("", "removed")])
def test_units_too_many_in_mallorca_are_lost_or_rest(name: str, sent: str) -> None:
    units = {"mallorca": "R-MIL-1 R-MIL-2", BEACH: "R-MIL-3 R-MIL-4"}
    position = table(2, units=units, republican=["mallorca", BEACH], deadlines={BEACH: 3},
                     beach_heads={BEACH: "mallorca"}, **on(name))  # fmt: skip
    state = kernel.begin(State(position, (WarStatus(),))).state
    asked = kernel.waits_for(state)
    assert isinstance(asked, Decision) and asked.side == (N if sent == "removed" else R)
    if sent == "reserve":
        assert refusals(state.agenda[-1], state.position, Withdraw("INF-1")) == ["9.1.4"]
    after = kernel.submit(state, asked.default).state.position
    assert after.place_of("R-MIL-1") == sent and len(after.units_in("mallorca")) == 3


# --- cards ----------------------------------------------------------------------------------------


def beaten(**facts: Any) -> Round:
    """The Republic attacks Mérida, whose defender hides a card for a retreat and an aircraft."""
    facts = {"hand": {N: ["N12", "N10"]}, "played": frozenset({"N2"}), **facts}
    position = field(4, merida="INF-1", zafra="R-MIL-1 R-MIL-2", **facts)
    position = sealed(position, N)
    return Round(position, R, "zafra").say(attack("merida", zafra="R-MIL-1 R-MIL-2"))


@pytest.mark.rule("8.5.3.1")
@on_and_off("Q48")
def test_cards_for_a_retreat_come_before_the_dice_or_after(
    facts: dict[str, Any], agreed: bool
) -> None:
    fought = beaten(**facts)
    assert fought.question == "combat cards"
    assert fought.faults(CombatCards(("N12",))) == ["11.2.4"] * agreed
    if agreed:
        fought.say(CombatCards()).roll(6, 1)
        assert fought.question == "combat cards"
        assert fought.faults(CombatCards(("N12",), "R-MIL-1")) == ["CC.N14"]
        fought.say(CombatCards(("N12",)))
    else:
        fought.say(CombatCards(("N12",))).roll(6, 1)
    assert fought.told(e.RetreatCancelled) and fought.position.units_in("merida", N)


@pytest.mark.rule("8.5.3.1")
def test_after_the_dice_only_such_cards_and_only_the_beaten() -> None:
    facts = on("Q48")
    fought = beaten(**facts).say(CombatCards()).roll(6, 1)
    assert fought.question == "combat cards"
    assert fought.faults(CombatCards(("N10",))) == ["11.2.4"]
    assert fought.say(CombatCards()).question != "combat cards", "they are asked once"
    won = beaten(**facts).say(CombatCards()).roll(1, 6)
    assert won.question != "combat cards"


@pytest.mark.rule("8.5.3.3")
@on_and_off("Q49")
def test_the_cards_of_a_cancelled_attack_return_or_are_lost(
    facts: dict[str, Any], agreed: bool
) -> None:
    """N7 ends an attack of militia alone."""
    hand = {N: ["N7"], R: ["R5"]}
    position = field(3, merida="INF-1", zafra="R-MIL-1", hand=hand,
                     **{"played": frozenset({"R2"}), **facts})  # fmt: skip
    fought = Round(position, R, "zafra").say(attack("merida", "R5", zafra="R-MIL-1"))
    fought.say(CombatCards(("N7",)))
    deck = fought.position.decks[R]
    assert (deck.discards == ("R5",)) is agreed
    assert (len(deck.hand) == 1) is not agreed
