"""A game as scenes from its first move to its last, for a page to step and play through."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from pbem.engine.picture import Scene, Stroke
from pbem.messages import Said
from pbem.play.game import Game
from pbem.play.seen import Seen, stroked
from pbem.play.table import Table
from pbem.value import replace, value


@value
class Moment:
    """The board after an entry of the file, with the moves and fights that the entry brought."""

    entry: int
    words: Said
    """For example "Turn 3, October 1936 (War of the Columns), Nationalist round 2"."""
    scene: Scene
    strokes: tuple[Stroke, ...] = ()


def moments(game: Game, last: Seen) -> tuple[Moment, ...]:
    """The board after the set-up, and after every entry that changed something.

    All are seen from the side of `last`, the scene of the last moment. The hand of its viewer is
    seen there alone, as they know it now; their counters face down in every moment. The game must
    have all its journals.
    """
    found = list(_moments(game, last))
    behind = found[-1] if found else Moment(last.entry, last.heading, last.scene)
    return (*found[:-1], replace(behind, words=last.heading, scene=last.scene))


def _moments(game: Game, last: Seen) -> Iterator[Moment]:
    here: Table | None = None
    for entry, lines in groupby(stroked(game), key=itemgetter(0)):
        was, drawn = here, list[Stroke]()
        for _, item, again, new in lines:
            before, after = getattr(item, "before", None), getattr(item, "after", None)
            if isinstance(before, Table) and was is None:
                was = before
                yield _moment(entry - 1, was, last)
            if isinstance(after, Table):
                here = after
                drawn += [each for each in again if each not in drawn]
                drawn += new
        if here is not None and here is not was:
            yield _moment(entry, here, last, tuple(drawn))


def _moment(entry: int, table: Table, last: Seen, drawn: tuple[Stroke, ...] = ()) -> Moment:
    position = last.viewpoint.position(table.system, table.state.position)
    words = table.system.clock(position).words
    return Moment(entry, words, last.picture.scene(position, last.viewer), drawn)
