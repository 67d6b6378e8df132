"""The moment of a game that a command shows: as far as it is decided, or after an entry."""

from __future__ import annotations

from pbem.cli.game_file import check_there
from pbem.cli.request import NUMBER, OptionRow, Request
from pbem.cli.seats import own_key, own_seat
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import is_decided_by
from pbem.play.game import Game
from pbem.play.now import at_entry, now

ENTRY = (
    "entry",
    OptionRow(("--entry",), NUMBER, "Show the game as it stands in the file after this entry."),
)


def shown(game: Game, key: KeyPair | None, entry: int | None = None) -> Game:
    """The game as far as it is decided for the owner of the key; with the number of an entry, as
    it stands in the file after that. Raises Misused for an entry that is not there.
    """
    if entry is None:
        return now(game, key)
    check_there(game, entry)
    return at_entry(game, entry)


def as_decided(game: Game, request: Request, entry: int | None = None) -> Game:
    """The same for a command that shows nothing else with the key, which is opened only if the next
    entry is its owner's and something in it is decided already. Raises Refused as `own_key` does.
    """
    return shown(game, None if entry is not None else _key_for(game, request), entry)


def _key_for(game: Game, request: Request) -> KeyPair | None:
    seat, key = own_seat(game, request)
    if seat is None or not is_decided_by(game.fold, seat):
        return None
    return key or own_key(game, request)[0]
