"""A turn of a game: where it begins and ends, what a take-back leaves of it, what it cost."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import pytest

from pbem.engine.kernel import Progress
from pbem.engine.model import Side
from pbem.engine.picture import Board, Calendar, Camp, Party, Place, Scene, Unit, Wear
from pbem.gamefile import journal as j
from pbem.gamefile.kept import ChainPlace
from pbem.messages import words
from pbem.play.game import Game
from pbem.play.summary import _fates, _lose, _units, as_log, summary
from pbem.play.table import Table
from pbem.play.turns import turns
from pbem.problems import Refused, UnknownName
from tests.contract.playing import Moment, played, system

SEATS = {"A": "nationalist", "B": "republican"}
PLACE = ChainPlace(0, 0)


def table(state: Any, told: Progress | None = None) -> Table:
    return Table(system("madrid"), SEATS, state, told)  # type: ignore[arg-type]


def rolled(moment: Moment) -> j.Rolled:
    """A moment as a line of the journal."""
    after = table(moment.step.state, moment.step)
    return j.Rolled(PLACE, "", 0, (), table(moment.state), after)


def game(journals: list[tuple[Any, ...]], phase: str = "running", **more: Any) -> Any:
    """As much of a game as its turns need; each journal is that of an entry."""
    last = next(
        each for journal in reversed(journals) for each in journal if hasattr(each, "after")
    )
    proposal = {"scenario": "scenario_1", "options": {},
                "sides": {"a": "nationalist", "b": "republican"}}  # fmt: skip
    facts = {"journal": journals, "entries": journals, "phase": phase, "result": None,
             "owed": (), "is_solo": False, "in_play": last.after, "proposal": proposal,
             "bot": None, "is_ahead": False, **more}  # fmt: skip
    return Game(SimpleNamespace(**facts), SimpleNamespace(system=system("madrid")))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def moments() -> tuple[Moment, ...]:
    """A random game that ends in its second turn or later."""
    return played("madrid", "scenario_1")


def turn_of(position: Any) -> int:
    return system("madrid").clock(position).turn


def test_a_turn_ends_where_the_next_begins(moments: tuple[Moment, ...]) -> None:
    found = turns(game([(rolled(each),) for each in moments]))
    assert len(found) > 2 and list(found) == sorted(found)
    assert [turn.is_finished for turn in found.values()] == [True] * (len(found) - 1) + [False]
    ends = list(found.values())
    for one, other in pairwise(ends):
        assert one.after == other.before
    for number, turn in found.items():
        assert {turn_of(position) for _, position in turn.happenings} == {number}
    happened = sum(len(each.step.events) for each in moments)
    assert sum(len(list(turn.happenings)) for turn in ends) == happened


def test_a_turn_can_end_within_a_move(moments: tuple[Moment, ...]) -> None:
    """The same events as one step of a table are the same turns."""
    events = [event for each in moments for event in each.step.events]
    positions = [position for each in moments for position in each.step.positions]
    step = Progress(moments[-1].step.state, tuple(events), tuple(positions))
    one = j.Rolled(PLACE, "", 0, (), table(moments[0].state), table(step.state, step))
    found, known = turns(game([(one,)])), turns(game([(rolled(each),) for each in moments]))
    assert {number: (turn.before, turn.after) for number, turn in found.items()} == {
        number: (turn.before, turn.after) for number, turn in known.items()
    }


def test_what_was_taken_back_did_not_happen(moments: tuple[Moment, ...]) -> None:
    journals = [(rolled(each),) for each in moments[:12]]
    back = j.TakenBack(PLACE, "A", 4, journals[-1][0].after, journals[4][0].after)
    found = turns(game([*journals, (back,)]))
    kept = [move.entry for turn in found.values() for move in turn.moves]
    assert kept and max(kept) == 4
    assert list(turns(game([*journals, (back, *journals[5])])).values())[-1].moves[-1].entry == 12


def test_a_game_that_is_over_has_finished_its_turn(moments: tuple[Moment, ...]) -> None:
    found = turns(game([(rolled(each),) for each in moments], "over"))
    assert all(turn.is_finished for turn in found.values())


def test_the_last_finished_turn_is_meant_and_else_the_present_one(
    moments: tuple[Moment, ...],
) -> None:
    whole = game([(rolled(each),) for each in moments])
    found = turns(whole)
    last, present = summary(whole), summary(whole, max(found))
    for told, turn in ((last, found[max(found) - 1]), (present, found[max(found)])):
        assert (told.turn.before, told.turn.after) == (turn.before, turn.after)
        assert told.turn.entries == (turn.moves[0].entry, turn.moves[-1].entry)
        assert told.is_finished is turn.is_finished and told.turn.clock == turn.clock
    assert summary(whole, max(found) - 1) == last
    early = game([(rolled(each),) for each in moments if turn_of(each.step.state.position) < 2])
    assert list(turns(early)) == [0, 1], "what comes before the first turn is no turn"
    assert summary(early) == summary(early, 1) and not summary(early).is_finished
    with pytest.raises(UnknownName) as refused:
        summary(early, 7)
    assert str(refused.value.problems[0].hint) == "it has turns 0 and 1"
    with pytest.raises(Refused) as unbegun:
        summary(game([(j.Began(PLACE, "A", "start"), SimpleNamespace(after=early.table))]))
    assert "nothing has happened" in str(unbegun.value.problems[0].message)


def test_a_summary_counts_what_the_events_did(moments: tuple[Moment, ...]) -> None:
    """Held against the events of the game itself."""
    whole = game([(rolled(each),) for each in moments])
    for number, turn in turns(whole).items():
        found = summary(whole, number)
        told = [type(event).__name__ for event, _ in turn.happenings]
        chits = [event.chit for event, _ in turn.happenings if type(event).__name__ == "ChitPlayed"]
        assert [chit for chit, _ in found.turn.played] == chits
        gone = {event.unit for event, _ in turn.happenings
                if type(event).__name__ == "UnitEliminated"}  # fmt: skip
        units = system("madrid").tables.units
        fallen = {unit for each in found.fates if str(each.what) == "Eliminated"
                  for unit in each.units}  # fmt: skip
        assert fallen == {units[unit].name for unit in gone}
        areas = turn.after.board.areas
        for side in SEATS.values():
            gained = {area for area in areas if turn.after.control[area] == side
                      and turn.before.control[area] != side}  # fmt: skip
            assert len(found.gained(side)) == len(gained)  # type: ignore[arg-type]
        lines = [line for each in as_log(found).chapters[0].paragraphs for line in each.lines]
        assert lines and all(words(line.text) for line in lines)
        assert told


@pytest.mark.parametrize("wear, reduced", [(Wear(), ("v",)), (Wear(has_steps=False), ())])
def test_what_units_suffer_is_told_once_and_not_forgotten(
    wear: Wear, reduced: tuple[str, ...]
) -> None:
    """Reduced and then eliminated is eliminated; who comes back has been lost all the same."""
    side = Side("red")
    scenes = [
        Scene(1, {"x": Place(side, tuple(unit(each, steps) for each, steps in there))},
              (Camp(side, boxes=(("Lost", tuple(unit(each, 0) for each in lost)),)),))
        for there, lost in (
            ((("u", 2), ("v", 2), ("w", 2)), ""),
            ((("u", 1), ("v", 1)), "w"),
            ((("v", 2), ("w", 2), ("new", 1)), "u"),
        )
    ]  # fmt: skip
    board = Board("", (Party(side, "Red", "R"),), (), (), Calendar(()), wear=wear)
    lost: dict[Any, None] = {}
    for had, has in pairwise(map(_units, scenes)):
        _lose(lost, had, has, wear)
    found = {str(each.what): each.units for each in _fates(tuple(lost), board)}
    assert found == {"Lost": ("w", "u"), **({"reduced": reduced} if reduced else {})}


def unit(id: str, steps: int) -> Unit:
    return Unit(id, Side("red"), "", "", "", 1, steps, 2)
