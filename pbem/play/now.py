"""What "now" is: the game as far as it is decided for whoever looks at it.

The dice of a mail are known to its author before they write it, for the other player has shown
their value already. So are cards and standing orders that the mail must open. Every command that
shows a game to the owner of a key shows it with these, and says so in one line. Without a key, and
where the other player writes next, the game is the file as it stands. So it is for whatever goes to
others: a mail, a digest to compare, the judgement of a file.
"""

from __future__ import annotations

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.journal import Rolled
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import Prospect, is_decided_by, prospect
from pbem.messages import Message, Said, say
from pbem.play.game import Game


def now(game: Game, key: KeyPair | None) -> Game:
    """The game with everything that the next entry of the owner of `key` brings before they decide
    anything; without a key, or where there is nothing of the kind, the very game.

    Where the key cannot tell (it came without the one that holds the secrets), it is the file, too.
    """
    fold = game.fold
    if key is None or fold.is_ahead or not is_decided_by(fold, fold.player_of(key.public)):
        return game
    try:
        found = outlook_of(game, key)
    except FileRefused:
        return game
    if found.fold is fold:
        return game
    if "now" not in game.memo or game.memo["now"].fold is not found.fold:
        game.memo["now"] = game.ahead(found.fold)
    ahead: Game = game.memo["now"]
    return ahead


def outlook_of(game: Game, key: KeyPair) -> Prospect:
    """The prospect of a running game, which a command computes once. Raises as `prospect` does."""
    memo = game.filed.memo
    if "outlook" not in memo or memo["outlook"][0] is not key:
        memo["outlook"] = key, prospect(game.filed.fold, key)
    found: Prospect = memo["outlook"][1]
    return found


def at_entry(game: Game, entry: int) -> Game:
    """The game at the moment an entry was written: that of the file, or of the one ahead of it."""
    if entry >= len(game.fold.journal) - 1:
        return game
    return game.after(replay(game.fold.entries[: entry + 1], game.opening))


def told_ahead(game: Game) -> tuple[Message, ...]:
    """The line that says what a game shows beyond its file; none if it shows no more."""
    if not game.fold.is_ahead:
        return ()
    entry = len(game.fold.entries)
    if _has_dice(game):
        return (
            say("with the dice of your next mail (entry {entry}), which nobody else knows yet",
                entry=entry),
        )  # fmt: skip
    return (say("with what your next mail has to show (entry {entry})", entry=entry),)


def heading(game: Game, words: Said) -> Said:
    """The moment of the game, given in words, as the heading of what anybody may read."""
    if not game.fold.is_ahead:
        return words
    if _has_dice(game):
        return say("{moment}, with the dice of the next mail", moment=words)
    return say("{moment}, with what the next mail has to show", moment=words)


def _has_dice(game: Game) -> bool:
    return any(isinstance(each, Rolled) for each in game.fold.journal[-1])
