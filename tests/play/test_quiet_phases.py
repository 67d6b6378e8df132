"""Each part of a turn leaves a line in the log, even where nothing happened in it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from pbem.engine.kernel import Progress
from pbem.engine.model import Event, State
from pbem.gamefile import journal as j
from pbem.gamefile.kept import ChainPlace
from pbem.games.crusade import events as e
from pbem.play.game import Game
from pbem.play.story import KeptStory, _Teller, story, telling
from pbem.play.table import Table
from pbem.value import replace
from tests.contract.playing import first_state, system

PLACE = ChainPlace(0, 0)
TAKEN = e.SpaceTaken("riotinto", "nationalist")  # type: ignore[arg-type]


def game(*journals: tuple[Event[Any], ...]) -> Game:
    """A game whose entries bring these events, one line of the journal each."""
    crusade = system("crusade")
    seats = {"A": "nationalist", "B": "republican"}
    table = Table(crusade, seats, first_state("crusade", "campaign").state)  # type: ignore[arg-type]
    lines = []
    for events in journals:
        found, position = [], table.state.position
        for event in events:
            position = event.apply(position)
            found.append(position)
        state = State(position, ())
        after = replace(table, state=state, told=Progress(state, events, tuple(found)))
        lines.append((j.Rolled(PLACE, "", 0, (), table, after),))
        table = after
    entries = [SimpleNamespace(by="AB"[at % 2], steps=()) for at in range(len(lines))]
    proposal = {"scenario": "campaign", "options": {},
                "sides": {"a": "nationalist", "b": "republican"}}  # fmt: skip
    fold = SimpleNamespace(journal=lines, entries=entries, is_solo=False, proposal=proposal,
                           in_play=table, is_ahead=False,
                           author=lambda at: entries[at].by)  # fmt: skip
    return Game(fold, SimpleNamespace(system=crusade))  # type: ignore[arg-type]


def told(game: Game, first: int = 0) -> list[tuple[str, int, list[str]]]:
    return [
        (str(each.heading), each.seq, [line.kind for line in each.lines])
        for chapter in story(game, first).chapters
        for each in chapter.paragraphs
    ]


ATTRITION, WAR, REPLACEMENTS = map(e.SegmentBegan, ("attrition", "war_status", "replacements"))


def test_a_phase_in_which_nothing_happens_leaves_a_line() -> None:
    assert told(
        game((ATTRITION, WAR, TAKEN), (REPLACEMENTS,), (e.SegmentBegan("end_of_turn"),))
    ) == [
        ("Attrition Phase", 0, ["quiet"]),
        ("War Status Phase", 0, ["event"]),
        ("Replacements Phase", 2, ["quiet"]),
    ], "what is not over yet says nothing"


def test_what_is_between_two_phases_is_none() -> None:
    assert told(game((TAKEN, e.SegmentBegan(""), WAR, TAKEN))) == [
        ("At the beginning", 0, ["event"]), ("War Status Phase", 0, ["event"]),
    ]  # fmt: skip
    whole = game((ATTRITION, TAKEN, e.SegmentBegan(""), WAR, TAKEN))
    assert [heading for heading, _, _ in told(whole)] == ["Attrition Phase", "War Status Phase"]


def test_what_came_before_the_part_that_is_told_counts() -> None:
    assert told(game((ATTRITION, TAKEN), (WAR,)), 1) == []
    assert told(game((ATTRITION,), (WAR,)), 1) == [("Attrition Phase", 1, ["quiet"])]


def test_a_kept_story_goes_on_with_the_phase_it_was_in() -> None:
    for first in ((ATTRITION,), (ATTRITION, TAKEN)):
        whole = game(first, (WAR, TAKEN))
        kept = telling(game(first))
        assert isinstance(kept, KeptStory)
        assert told(replace(whole, told=kept)) == told(whole)


def test_a_brief_log_leaves_the_line_out() -> None:
    whole = story(game((ATTRITION, WAR, TAKEN)))
    kinds = {line.kind for chapter in whole.in_brief().chapters
             for each in chapter.paragraphs for line in each.lines}  # fmt: skip
    assert kinds == {"event"}


def test_a_take_back_says_nothing_of_the_phase_it_left() -> None:
    teller = _Teller(game((ATTRITION,)))
    teller.entry(0, teller.game.fold.journal[0])
    assert teller.quiet is not None
    before = teller.game.fold.journal[0][0]
    assert isinstance(before, j.Rolled)
    back = j.TakenBack(PLACE, "A", 0, before.after, before.before)
    list(teller._told(back))
    assert teller.quiet is None
