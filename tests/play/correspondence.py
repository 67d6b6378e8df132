"""What every game between two keys of the tests shows of itself, whatever is played."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.gamefile.fold import Fold
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import Prospect, prospect
from pbem.play.game import Game
from pbem.play.table import Table


class Correspondence:
    """A game as the next to write sees it; whoever derives from it says how a mail is made."""

    game: Game
    keys: Mapping[str, KeyPair]
    _last: tuple[Game, Prospect] | None = None

    @property
    def fold(self) -> Fold:
        return self.game.fold

    @property
    def pen(self) -> str:
        assert self.fold.pen is not None
        return self.fold.pen

    @property
    def _prospect(self) -> Prospect:
        """Worked out once for each mail: it is asked for again and again between two."""
        if self._last is None or self._last[0] is not self.game:
            self._last = self.game, prospect(self.fold, self.keys[self.pen])
        return self._last[1]

    @property
    def orders_wanted(self) -> bool:
        """Whether the next mail can hold orders, behind what its author owes."""
        return self._prospect.orders_wanted

    @property
    def table(self) -> Table:
        """The game as whoever has the pen sees it when they have sent what they owe."""
        table = self._prospect.in_play
        assert isinstance(table, Table)
        return table

    def steps(self, entry: int = -1) -> list[str]:
        """The kinds of steps of an entry."""
        return [step["do"] for step in self.fold.entries[entry].steps]
