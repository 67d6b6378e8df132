"""11, 12: the Junta, the weather, the Rada column, the pause, initiative and runs."""

from __future__ import annotations

from collections.abc import Iterator

from pbem.board.ledger import Ledger, counted
from pbem.engine.model import Side, Violation
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.options import JUNTA_PAUSE, JUNTA_ROLLED, NATIONALISTS_LEAD
from pbem.games.madrid.orders import Begin, Pause
from pbem.games.madrid.position import BAD_WEATHER, JUNTA, PAUSED, RADA, TRACK, Position
from pbem.games.madrid.rules.asks import OfASide
from pbem.games.madrid.rules.supply import cut_roads
from pbem.games.madrid.tables import NATIONALIST, REPUBLICAN
from pbem.messages import Either, either, say

PAUSE_JUST_OVER = "pause_just_over"
"""A fact of the turn on which the pause ends: the Nationalists then begin with a run."""


# ------------------------------------------------------------------- Junta, weather, Rada


@CITE.rule("11.1.a", "11.1.e")
def rolls_for_junta(position: Position) -> bool:
    """Whether a die is rolled for the Junta this turn."""
    return (
        JUNTA not in position.facts and position.turn >= position.board.charts["junta"]["from_turn"]
    )


@CITE.serves("11.1.e")
def starts_with_junta(position: Position) -> bool:
    """Whether the Junta is there when the scenario begins."""
    # reading: in scenario 2 the Junta was formed long ago; morale and points are the scenario's.
    return position.has("junta_held") and JUNTA_ROLLED not in position.options


@CITE.rule("11.1.b")
def junta_modifiers(position: Position) -> Ledger:
    # reading: the pause counts while it is in force, not when it is over.
    chart, board = position.board.charts["junta"], position.board
    normal = [
        area
        for urban in board.urban
        for area in board.graph.neighbours(urban)
        if area in board.areas and not position.is_urban(area)
    ]
    is_near = any(position.control[area] == NATIONALIST for area in normal)
    urban = sum(
        position.control[area] == NATIONALIST or position.is_contested(area) for area in board.urban
    )
    remembers = JUNTA_PAUSE in position.options and PAUSED in position.facts
    return counted((
        ("road", chart["road"] * len(cut_roads(position))),
        ("normal_area", chart["normal_area"] * is_near),
        ("urban_area", chart["urban_area"] * urban),
        ("pause", chart["pause"] * (position.is_paused or remembers)),
    ))  # fmt: skip


@CITE.rule("11.1.c")
def junta_comes(position: Position, total: int) -> bool:
    # reading: 6 or more after the modifiers.
    least: int = position.board.charts["junta"]["success"]
    return total >= least


@CITE.serves("11.2.a")
def rolls_for_weather(position: Position) -> bool:
    first: int = position.board.charts["weather"]["from_turn"]
    return position.turn >= first


@CITE.serves("11.2.a")
def weather_total(position: Position, die: int) -> int:
    after: int = position.board.charts["weather"]["after_bad"]
    return die + (after if BAD_WEATHER in position.facts else 0)


@CITE.serves("11.2.a")
def is_bad(position: Position, total: int) -> bool:
    least: int = position.board.charts["weather"]["bad"]
    return total >= least


@CITE.rule("7.3")
def rada_needs(position: Position) -> int | None:
    """The lowest die with which the Rada column arrives; 0: without a die, None: not yet."""
    waits = any(position.unit(unit).rada for unit in position.units_at(TRACK, NATIONALIST))
    chart = position.board.charts["rada"]
    if not waits or RADA in position.facts:
        return None
    if position.turn >= chart["by_itself"]:
        return 0
    return next((row["from"] for row in chart["rolls"] if row["turn"] == position.turn), None)


# ------------------------------------------------------------------- income and initiative


@CITE.rule("5.2", "12.3.e", "12.2.d")
def income(position: Position, side: Side) -> int:
    """The support points of phase 2a; the Nationalists get twice as many in the pause."""
    if position.has("no_first_income") and position.turn == position.began:
        return 0
    points = position.board.income[position.turn][side]
    if position.is_bound_by_pause(side):
        points *= position.board.charts["pause"]["support"]
    return points


def _starts(position: Position) -> tuple[int, ...]:
    return tuple(start.turn for start in position.card.starts)


@CITE.rule("12.2.f")
def fixed_initiative(position: Position) -> Side | None:
    """The side that has the initiative without a die; None if dice decide."""
    # reading: after the first turn of scenario 2 both roll, and a tie goes to the Nationalists.
    if position.is_paused:
        return REPUBLICAN
    if has_run(position) or position.turn <= position.card.first_initiative:
        return NATIONALIST
    leads = NATIONALISTS_LEAD in position.options and position.has("first_run")
    return NATIONALIST if leads else None


@CITE.rule("12.3.b")
def has_run(position: Position) -> bool:
    """Whether the Nationalists play a run of impulses, as many as a die says."""
    is_first = position.has("first_run") and position.turn == position.began
    return is_first or PAUSE_JUST_OVER in position.facts


@CITE.rule("12.1.c")
def winner_of(nationalist: int, republican: int) -> Side:
    """The side with the initiative: the higher of two dice; a tie goes to the Nationalists."""
    return REPUBLICAN if republican > nationalist else NATIONALIST


# ------------------------------------------------------------------- checks


@CITE.refusal("12.3.d")
def pauses_once(stage: OfASide, position: Position, order: Pause) -> Iterator[Violation]:
    words = pause_words(position)
    if order.say not in words:
        hint = say(
            "say {said}; the pause can be declared only once, for at most four turns",
            said=either(words),
        )
        yield Violation(say("the pause cannot {say} now", say=order.say), ("say",), hint=hint)


@CITE.rule("12.3.d")
def pause_words(position: Position) -> tuple[str, ...]:
    """What the Nationalists may say about the pause, which begins once in a game."""
    if position.is_paused:
        return ("keep", "end")
    return ("keep",) if PAUSED in position.facts else ("keep", "begin")


@CITE.check("12.2.a")
def begins_on_a_turn_offered(
    stage: OfASide, position: Position, order: Begin
) -> Iterator[Violation]:
    turns = _starts(position)
    if order.turn not in turns:
        message = say("the scenario does not begin on turn {turn}", turn=order.turn)
        yield Violation(
            message, ("turn",), hint=say("it can begin on turn {turns}", turns=Either(tuple(turns)))
        )
