"""Chapter 6: what a turn is made of, and in which order."""

from __future__ import annotations

import pytest

from pbem.games.crusade import events as e
from pbem.games.crusade.position import Fort
from pbem.games.crusade.sequence import Mobilization, NextTurn, Phase, action_phase
from pbem.games.crusade.stages.draw import CheckWarPhase, Discards, DrawHands, Redraws
from pbem.games.crusade.stages.end_of_turn import EndOfTurn, MarkerRemoval
from pbem.games.crusade.stages.guerrilla import GuerrillaCorps
from pbem.games.crusade.stages.random_setup import CardLots, UnseenLots
from pbem.games.crusade.stages.replacements import Replacements
from tests.games.crusade.board import N, R, table


@pytest.mark.rule("6.0", "6.0.F.4")
def test_when_the_marker_has_moved_on_all_phases_come_again() -> None:
    outcome = NextTurn().run(table(3))
    assert outcome.events == (e.TurnBegan(4),)
    assert outcome.then == (
        Phase("draw"), *action_phase(), Phase("war_status"), Phase("replacements"),
        Phase("end_of_turn"), Mobilization(), NextTurn(),
    )  # fmt: skip


@pytest.mark.rule("6.0.A.1", "6.0.A.2", "6.0.A.3")
def test_the_new_cards_come_in_then_hands_are_thinned_out_then_filled() -> None:
    assert Phase("draw").run(table(6)).then == (
        CardLots(), CheckWarPhase(), UnseenLots(), Discards(N), Discards(R), DrawHands(),
        Redraws(), GuerrillaCorps(),
    )  # fmt: skip


@pytest.mark.rule("6.0.E.1", "6.0.E.2")
def test_the_republic_replaces_first() -> None:
    assert Phase("replacements").run(table(6)).then == (Replacements(R), Replacements(N))


@pytest.mark.rule("6.0.F.1", "6.0.F.2", "6.0.F.3")
def test_markers_are_given_up_before_the_turn_ends() -> None:
    ends = (MarkerRemoval(R), MarkerRemoval(N), EndOfTurn())
    assert Phase("end_of_turn").run(table(6)).then == ends


@pytest.mark.rule("14.1.2", "6.0.E.1", "6.0.F.1")
def test_behind_the_last_round_of_the_last_turn_nothing_is_asked_on_which_nothing_depends() -> None:
    """Units that come back can still relieve a siege, or supply an Insurrection."""
    last = table(18, units={"madrid": "R-MIL-1"}, sieges={})
    marked = last.but(forts={"madrid": Fort("position", R)})
    assert MarkerRemoval(R).ask(marked) is None
    assert MarkerRemoval(R).ask(marked.but(turn=17)) is not None
    assert Replacements(R).run(last).then == Replacements(N).run(last).then == ()
    besieged = last.but(sieges={"alcazar": 1})
    assert Replacements(N).run(besieged).then != ()
    assert Replacements(R).run(last.but(turn=17)).then != ()
    risen = next(unit for unit, kind in last.tables.units.items() if kind.has("insurrection"))
    assert Replacements(R).run(table(18, units={"burgos": risen}, sieges={})).then != ()
