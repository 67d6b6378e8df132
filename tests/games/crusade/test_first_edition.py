"""The first edition as an option: every rule in which it differs, beside the second."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from pbem.engine.model import Unfolding
from pbem.games.crusade.effects.combat_cards import coastal_target
from pbem.games.crusade.orders import Play, Redeploy
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.ground import take_space
from pbem.games.crusade.rules.landing import landing_coasts
from pbem.games.crusade.rules.losses import first_losses
from pbem.games.crusade.rules.redeployment import cost
from pbem.games.crusade.rules.reinforcement import spaces_for
from pbem.games.crusade.rules.retreat import why_barred
from pbem.games.crusade.rules.supply import deployment_sources, friendly_sources, is_supplied
from pbem.games.crusade.rules.victory import automatic_victory
from pbem.games.crusade.stages.round import PlayCard
from tests.games.crusade.agreed import on, on_and_off
from tests.games.crusade.board import N, R, refusals, table
from tests.games.crusade.fights import field

EDITIONS = on_and_off("1e")


@pytest.mark.rule("5.2.2")
@pytest.mark.parametrize("turn, first, second", [
    (4, (28, 15), (29, 17)), (5, (27, 14), (28, 16)), (6, (27, 12), (28, 14)),
    (9, (24, 8), (25, 10)), (12, (19, 5), (20, 7)), (15, (16, 3), (17, 4)),
])  # fmt: skip
@EDITIONS
def test_the_limits_of_automatic_victory(
    turn: int, first: Any, second: Any, facts: dict[str, Any], agreed: bool
) -> None:
    republican, nationalist = first if agreed else second

    def winner(rm: int) -> Any:
        won = automatic_victory(table(turn, rm=rm, **facts))
        return won and won[0]

    assert winner(republican) == R and winner(republican - 1) is None
    assert winner(nationalist) == N and winner(nationalist + 1) is None


@pytest.mark.rule("17.5.3")
@EDITIONS
@pytest.mark.parametrize("turn", [1, 2])
def test_no_reinforcements_by_card_in_turn_1(
    turn: int, facts: dict[str, Any], agreed: bool
) -> None:
    position = table(turn, round=3, hand={R: ["R9"]}, played=frozenset({"R2"}), **facts)
    found = refusals(PlayCard(R), position, Play("R9", "event"))
    assert found == ["17.5.3"] * (agreed and turn == 1)
    assert refusals(PlayCard(R), position, Play("R9", "operations")) == []
    other = table(turn, round=3, hand={R: ["R15"]}, **facts)
    assert refusals(PlayCard(R), other, Play("R15", "event")) == []


# --- Badajoz --------------------------------------------------------------------------------------


@pytest.mark.rule("13.2.4", "13.2.4.1", "8.5.2.4/b")
@EDITIONS
def test_badajoz_is_a_source_like_others(facts: dict[str, Any], agreed: bool) -> None:
    position = table(units={"badajoz": "R-MIL-1"}, **facts)
    assert "badajoz" in friendly_sources(position, R)
    assert ("badajoz" in deployment_sources(position, R)) is agreed
    assert ("badajoz" in spaces_for(position, "INT-XI", "source_or_madrid")) is agreed


@pytest.mark.rule("13.2.4.2")
@EDITIONS
def test_badajoz_retaken_is_a_source_again(facts: dict[str, Any], agreed: bool) -> None:
    story: Unfolding[Position] = Unfolding(table(units={"badajoz": ""}, **facts))
    take_space(story, "badajoz", N)
    take_space(story, "badajoz", R)
    assert ("badajoz" in friendly_sources(story.position, R)) is agreed
    alone = table(bare=True, units={"badajoz": "R-MIL-1"}, **facts).but(flags=story.position.flags)
    assert is_supplied(alone, R, "badajoz") or not agreed


# --- combat and redeployment ----------------------------------------------------------------------


@pytest.mark.rule("11.4.5/b")
@EDITIONS
def test_a_retreat_may_go_where_an_attacker_came_from(facts: dict[str, Any], agreed: bool) -> None:
    position = field(3, zafra="R-MIL-1", **facts).with_control("merida", R)
    combat = Combat(N, "zafra", {"INF-1": "merida"})
    assert (why_barred(position, combat, "merida") == ("", "")) is agreed
    held = field(3, zafra="R-MIL-1", merida="INF-2", **facts)
    assert why_barred(held, combat, "merida")[1] == "11.4.5/a"


@pytest.mark.rule("16.6.2/d", "11.3.6")
@pytest.mark.parametrize("options", [(), ("1e",), ("1e", "Q66"), ("Q66",)])
def test_the_armor_that_claims_owes_the_loss_or_all_that_attacks(options: tuple[str, ...]) -> None:
    """Of the first edition's two texts 16.6.2 speaks of that unit, 11.3.6 of any."""
    position = field(8, merida="CV-33-1 PZ-I-1 INF-1", zafra="R-MIL-1", **on(*options))
    origins = dict.fromkeys(("CV-33-1", "PZ-I-1", "INF-1"), "merida")
    combat = Combat(N, "zafra", origins, armor="CV-33-1")
    owing = {"CV-33-1", "PZ-I-1"} if options == ("1e", "Q66") else {"CV-33-1"}
    assert first_losses(position, combat) == (frozenset(owing),)
    assert first_losses(position, replace(combat, armor="")) == ()


@pytest.mark.rule("13.4.3/b")
@EDITIONS
def test_a_corps_crosses_the_border_for_two_points(facts: dict[str, Any], agreed: bool) -> None:
    position = table(8, units={"figueras": "R-I R-MIL-1"}, **facts)
    assert cost(position, Redeploy("R-I", by="border")) == (4 if agreed else 3)
    assert cost(position, Redeploy("R-MIL-1", by="border")) == 1


@pytest.mark.rule("3.0.coastal", "3.0.sea_zones")
@pytest.mark.parametrize("options", [(), ("1e",), ("1e", "Q65"), ("Q65",)])
def test_huelva_lies_on_a_coast_by_the_note_or_on_none_by_the_list(
    options: tuple[str, ...],
) -> None:
    facts, listed = on(*options), options != ("1e", "Q65")
    position = table(units={"huelva": "INF-1"}, **facts)
    assert coastal_target(position, Combat(R, "huelva", {}), N) is listed
    near = table(12, units={"huelva": "", "riotinto": "R-MIL-1"}, republican=["riotinto"], **facts)
    assert ("huelva" in landing_coasts(near)) is listed


@pytest.mark.rule("4.0")
def test_the_edition_is_an_option_of_the_game() -> None:
    assert table(**on("1e")).edition == "1e" and table().edition == "2e"
