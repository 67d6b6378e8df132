"""A game as its turns: what changed the table in each, without what a take-back undid."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from pbem.engine.clock import Clock
from pbem.engine.model import Event
from pbem.gamefile.journal import MOVES, Renewed, TakenBack
from pbem.play.game import Game
from pbem.play.table import Table
from pbem.value import value

Happening = tuple[Event[Any], Any]
"""An event, and the position right after it."""


@value
class Stretch:
    """What one order, answer or roll brought, as far as it is in one turn."""

    entry: int
    clock: Clock
    """The clock of the last position."""
    before: Any
    """The position it began with."""
    happenings: tuple[Happening, ...]

    @property
    def after(self) -> Any:
        """The position it ended with."""
        return self.happenings[-1][1]


@value
class Turn:
    """A turn of a game, as far as it was played: at least one move."""

    moves: tuple[Stretch, ...]
    is_finished: bool

    @property
    def clock(self) -> Clock:
        """The clock at its last moment."""
        return self.moves[-1].clock

    @property
    def before(self) -> Any:
        """The position it began with: that at the end of the turn before."""
        return self.moves[0].before

    @property
    def after(self) -> Any:
        """The position it ended with, or the present one."""
        return self.moves[-1].after

    @property
    def happenings(self) -> Iterator[Happening]:
        """All that happened in it, in order."""
        for move in self.moves:
            yield from move.happenings


def turns(game: Game) -> dict[int, Turn]:
    """The turns in which something happened, by number. The game must have all its journals."""
    found = moves_by_turn(game)
    last, is_over = len(found) - 1, game.fold.phase == "over"
    return {
        moves[0].clock.turn: Turn(moves, is_finished=at < last or is_over)
        for at, moves in enumerate(found)
    }


def moves_by_turn(game: Game) -> list[tuple[Stretch, ...]]:
    """The moves of each turn in which something happened, as far as the journals go."""
    stretches = (
        stretch
        for entry, item in standing_moves(game)
        for stretch in _split(game, entry, item.before, item.after)
    )
    return [tuple(moves) for _, moves in groupby(stretches, lambda each: each.clock.turn)]


def is_known(game: Game, kept: type) -> bool:
    """Whether every entry has its journal, or what was kept in place of the first ones: a value of
    this kind, with the number of its `entries`, which no take-back has changed since.
    """
    if not isinstance(game.told, kept):
        return not game.source[1]
    told: Any = game.told
    entries: int = told.entries
    back = (item.to for item in game.fold.told() if isinstance(item, TakenBack))
    return min(back, default=entries) >= entries - 1


def standing_moves(game: Game) -> list[tuple[int, Any]]:
    """Every line of the journals that changed the table, with its entry, except what was taken
    back.

    The game must have all its journals.
    """
    found: list[tuple[int, Any]] = []
    for entry, journal in enumerate(game.fold.journal):
        for item in journal:
            if isinstance(item, TakenBack):
                found = [each for each in found if each[0] <= item.to]
            elif isinstance(item, (*MOVES, Renewed)):
                found.append((entry, item))
    return found


def _split(game: Game, entry: int, before: Any, after: Any) -> Iterator[Stretch]:
    """The move between two tables, in parts where a turn ended in it."""
    assert isinstance(before, Table) and isinstance(after, Table) and after.told is not None
    clock_of, position = game.opened.system.clock, before.state.position
    told = zip(after.told.events, after.told.positions, strict=True)
    for _, part in groupby(told, lambda each: clock_of(each[1]).turn):
        happenings = tuple(part)
        end = happenings[-1][1]
        yield Stretch(entry, clock_of(end), position, happenings)
        position = end
