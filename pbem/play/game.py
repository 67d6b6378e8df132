"""A game as a player has it: the verified file, and the table it leads to."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property, partial
from typing import Any

from pbem import __version__
from pbem.engine.model import Side
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.format import TAIL, extended
from pbem.gamefile.shapes import OPTIONS_OF_THE_FILE
from pbem.messages import Message, marked, say
from pbem.play.systems import (
    SHIPPED,
    WITHOUT_RULES,
    DataRefused,
    Library,
    OpenedGame,
    game_for,
    known_options,
    known_scenario,
    rules_for,
)
from pbem.play.table import Table, open_table
from pbem.problems import Refused
from pbem.value import replace, value

STANDING_FILE = "standing.yaml"
"""The standing orders that a player keeps beside a game (play/standing.py)."""
Opening = Callable[[Mapping[str, Any]], Table]
"""Sets up the table that a proposal describes."""
FEWEST_TRIALS = 64
"""The fewest trials of a sealed deck: the format allows fewer, but a player should not accept
them.
"""


def tool() -> str:
    """What an entry says of the program that wrote it. It is signed like all else in it."""
    return f"pbem {__version__}"


@value
class Game:
    """A verified game. `table` is None before it has started."""

    fold: Fold
    opened: OpenedGame
    source: tuple[bytes, int] = (b"", 0)
    """A beginning of its file that `format.write` laid out, if it did, and the number of entries
    in it."""
    library: Library = SHIPPED
    told: Any = None
    """What was kept of the entries of that beginning: a `KeptStory`, `Rolls`, a `KeptLuck`, or
    `KeptTurns`."""
    behind: Game | None = None
    """The game of the file alone, where this one is ahead of it (play/now.py)."""

    @cached_property
    def memo(self) -> dict[str, Any]:
        """What was computed from this very game; any other begins with an empty one."""
        return {}

    @property
    def seats(self) -> Mapping[str, Side]:
        """The sides of A and B."""
        return seats_of(self.fold.proposal)

    @property
    def table(self) -> Table | None:
        """The game in play; None before it has started."""
        in_play = self.fold.in_play
        assert in_play is None or isinstance(in_play, Table)
        return in_play

    def side_of(self, player: str) -> Side:
        """The side of A or B."""
        return self.seats[player]

    def called(self, player: str) -> Message:
        """A player by their side, as in "the Republican player"."""
        return say("the {side} player", side=self.side_told(player))

    def side_told(self, player: str) -> Message:
        """A player named by their side within a sentence, as in "the {side} player"."""
        return say(self.opened.system.words.of_side(self.side_of(player)))

    @property
    def opening(self) -> Opening:
        """How the table of a proposal is set up, as it was for this game."""
        return opening(self.library)

    def after(self, fold: Fold) -> Game:
        """The same game with other entries."""
        made, known = with_fold(fold, self.source, self.library), len(self.fold.entries)
        if "bytes" in self.memo and self.fold.entries == fold.entries[:known] != fold.entries:
            made.memo["before"] = self.memo["bytes"], known
        return made

    def ahead(self, fold: Fold) -> Game:
        """The same game with a fold that goes on behind the same entries."""
        return replace(self, fold=fold, behind=self)

    @property
    def filed(self) -> Game:
        """The game as its file stands: who writes next, and what they owe, is told of that."""
        return self.behind or self

    def bytes(self) -> bytes:
        """The file of the game, laid out once; of one that goes on, the new entries alone."""
        memo = self.memo
        if "before" in memo:
            before, known = memo.pop("before")
            memo["bytes"] = extended(before[: -len(TAIL)], known, self.fold.entries)
        elif "bytes" not in memo:
            memo["bytes"] = extended(*self.source, self.fold.entries)
        made: bytes = memo["bytes"]
        return made


def with_fold(fold: Fold, source: tuple[bytes, int] = (b"", 0), library: Library = SHIPPED) -> Game:
    """The game of a fold that was verified already.

    Raises Refused where its rules or its data are not known here.
    """
    return Game(fold, game_for(fold.proposal, library), source, library)


def no_orders_after_the_end(game: Game) -> None:
    """Raises FileRefused (E-TURN) when the game is over."""
    if game.fold.phase == "over":
        raise FileRefused(
            "E-TURN",
            say("the game is over, so no more orders can be given"),
            hint=say(
                "pbem status shows how it ended, and who must still reveal what they kept hidden"
            ),
        )


def seats_of(proposal: Mapping[str, Any]) -> Mapping[str, Side]:
    """The sides that a proposal gives to A and B."""
    return {"A": Side(proposal["sides"]["a"]), "B": Side(proposal["sides"]["b"])}


def options_of(proposal: Mapping[str, Any]) -> frozenset[str]:
    """The options of the game that are on; solo and its seed are none of the rules."""
    return frozenset(proposal["options"]) - set(OPTIONS_OF_THE_FILE)


def opening(library: Library) -> Opening:
    """`table_for`, with this library."""
    return partial(table_for, library=library)


PLAYED_BY = marked("the game is played by the rules {ruleset}; this pbem has {game_ruleset}")
BEGUN_WITH = say(
    "use the version of pbem that the game began with; {without_rules}", without_rules=WITHOUT_RULES
)


def table_for(proposal: Mapping[str, Any], library: Library = SHIPPED) -> Table:
    """The table of a proposal. Raises FileRefused (E-RULES) if it cannot be set up here."""
    try:
        game = rules_for(proposal, library, PLAYED_BY, BEGUN_WITH)
        # Whatever decks it names: a game may lay its first ones behind a roll.
        if proposal.get("m", FEWEST_TRIALS) < FEWEST_TRIALS:
            raise FileRefused(
                "E-DECK",
                say(
                    "the proposal asks for too few trial layouts of a deck, {what} in place of at "
                    "least {fewest_trials}: a stacked deck could pass unnoticed",
                    what=proposal["m"],
                    fewest_trials=FEWEST_TRIALS,
                ),
                rule="sealed decks",
            )
        known_scenario(game, proposal["scenario"])
        options = options_of(proposal)
        known_options(game, proposal["scenario"], tuple(sorted(options)))
        if sorted(seats_of(proposal).values()) != sorted(game.system.sides):
            raise FileRefused(
                "E-RULES",
                say("the proposal of player A does not give each player a side of the game"),
            )
    except (FileRefused, DataRefused):
        raise
    except Refused as refused:
        raise FileRefused(
            "E-RULES",
            say("the game that player A proposes cannot be set up by this pbem"),
            causes=refused.problems,
            hint=WITHOUT_RULES,
        ) from None
    if game.own:
        from pbem.play.setup_check import setup_check

        problems = setup_check(game, proposal["scenario"], options)
        if problems:
            raise DataRefused(*problems)
    seats = seats_of(proposal)
    table = open_table(game.system, proposal["scenario"], options, seats)
    return table if library is SHIPPED else replace(table, library=library)
