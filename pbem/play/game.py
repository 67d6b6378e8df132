"""A game as a player has it: the verified file, and the table it folds to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pbem import __version__
from pbem.engine.model import Side
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read, write
from pbem.play.systems import Opened, known_options, known_scenario, opened
from pbem.play.table import Table, open_table
from pbem.problems import Refused

TOOL = f"pbem {__version__}"


@dataclass(frozen=True)
class Game:
    """A verified game. `table` is None before it has started."""

    fold: Fold
    opened: Opened

    @property
    def seats(self) -> Mapping[str, Side]:
        return seats_of(self.fold.proposal)

    @property
    def table(self) -> Table | None:
        referee = self.fold.referee
        assert referee is None or isinstance(referee, Table)
        return referee

    def side_of(self, player: str) -> Side:
        return self.seats[player]

    def bytes(self) -> bytes:
        """The file of the game."""
        return write(self.fold.entries)


def read_game(raw: bytes) -> Game:
    """A game file, verified to its last entry. Raises Refused with the first thing wrong."""
    return game_of(read(raw))


def game_of(entries: Sequence[Entry]) -> Game:
    """The game of entries that have been read."""
    return with_fold(replay(entries, table_for))


def with_fold(fold: Fold) -> Game:
    return Game(fold, opened(slug_of(fold.proposal)))


def slug_of(proposal: Mapping[str, Any]) -> str:
    return str(proposal["ruleset"]).partition("/")[0]


def seats_of(proposal: Mapping[str, Any]) -> Mapping[str, Side]:
    return {"A": Side(proposal["sides"]["a"]), "B": Side(proposal["sides"]["b"])}


def options_of(proposal: Mapping[str, Any]) -> frozenset[str]:
    """The options of the game that are on; solo and its seed are none of the rules."""
    return frozenset(
        name for name, value in proposal["options"].items() if value is True and name != "solo"
    )


def table_for(proposal: Mapping[str, Any]) -> Table:
    """The table a proposal describes. Raises FileRefused (E-RULES) if it cannot be laid here."""
    slug = slug_of(proposal)
    try:
        game = opened(slug)
        if proposal["ruleset"] != game.ruleset:
            raise FileRefused(
                "E-RULES",
                f"the game is played by the rules {proposal['ruleset']}, and here are {game.ruleset}",
                hint="use the version of pbem that the game began with",
            )
        if proposal["data"] != game.digest:
            raise FileRefused(
                "E-RULES", "the game data of the file are not those of this pbem",
                hint="both players need the same version of pbem",
            )  # fmt: skip
        known_scenario(game, proposal["scenario"])
        options = options_of(proposal)
        known_options(game, tuple(sorted(options)))
        if sorted(seats_of(proposal).values()) != sorted(game.system.sides):
            raise FileRefused("E-RULES", "the proposal does not give each player a side of the game")
    except FileRefused:
        raise
    except Refused as refused:
        raise FileRefused(
            "E-RULES", "the game cannot be set up here", causes=refused.problems
        ) from None
    return open_table(game.system, proposal["scenario"], options, seats_of(proposal))
