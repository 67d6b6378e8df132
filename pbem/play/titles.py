"""What every report of a game says at its top: its title, and notes on how it is played."""

from __future__ import annotations

from collections.abc import Collection

from pbem.messages import Message, Said, say, say_many
from pbem.play.game import Game


def notes(game: Game, *, beside_terms: bool = False) -> tuple[Said, ...]:
    """The notes at the top of every report: practice, open hands; beside the terms what these do
    not say.
    """
    found: list[Said] = []
    if game.fold.is_solo:
        found.append(_solo(game))
    if is_open(game) and not beside_terms:
        system = game.opened.system
        option = system.hidden.open_option
        told = next(each.title for each in system.options() if each.id == option)
        found.append(say(told))
    return tuple(found)


def _solo(game: Game) -> Message:
    """The note that a game is for practice, and who plays it."""
    if game.fold.bot is None:
        return say("solo: one person plays both sides, so the dice prove nothing")
    side = game.side_told(game.fold.bot)
    return say("solo: pbem is the {side} player, so the dice prove nothing", side=side)


def is_open(game: Game) -> bool:
    """Whether the players have agreed to hide nothing, in a game in which they could."""
    option = game.opened.system.hidden.open_option
    return bool(option) and bool(game.fold.proposal["options"].get(option))


def title(game: Game) -> Message:
    """Game and scenario, as printed."""
    system = game.opened.system
    scenario = game.fold.proposal["scenario"]
    name = next(each.title for each in system.scenarios() if each.id == scenario)
    return say("{game}: {scenario}", game=system.title, scenario=say(name))


def which_game(game: Game) -> Message:
    """The fingerprint of a game that has begun, and the number of its last entry."""
    entry = len(game.fold.entries) - 1
    return say("game {fingerprint}, entry {entry}", fingerprint=game.fold.fingerprint, entry=entry)


def there_are(numbers: Collection[int]) -> Said:
    """The turns that a game has, for those who asked for another; empty without any."""
    if not numbers:
        return ""
    return say_many("count", "it has turn {there}", "it has turns {there}",
                    count=len(numbers), there=tuple(numbers))  # fmt: skip
