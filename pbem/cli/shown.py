"""The moment of a game that a command shows: as far as it is decided, or after an entry."""

from __future__ import annotations

from pbem.cli.game_file import check_there
from pbem.cli.keyfiles import waits_for_typing
from pbem.cli.report import about
from pbem.cli.request import NUMBER, OptionRow, Request
from pbem.cli.seats import own_key, own_seat
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.prospect import has_secrets, is_decided_by
from pbem.messages import Said, say
from pbem.platforms import quote
from pbem.play.game import Game
from pbem.play.now import at_entry, now, told_ahead
from pbem.play.viewpoint import PUBLIC, Viewpoint, has_two_stories, viewpoint
from pbem.value import value

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


@value
class Look:
    """How a command sees a game: `key` is None where it is not needed, `seat` is that of its owner.

    `left_out` is the line that says what the key would show, and how; empty if it shows all.
    """

    key: KeyPair | None
    seat: str | None
    left_out: Said = ""

    def told(self, game: Game) -> tuple[Said, ...]:
        """The lines that say what the game shows beyond its file, and what it leaves out."""
        return (*told_ahead(game), *([self.left_out] if self.left_out else ()))


def look(game: Game, request: Request, entry: int | None = None, *, is_public: bool) -> Look:
    """The key of a command that shows what is public, and more with a key.

    The folder's key, where it is locked, is opened only for what is decided of the next mail: the
    rest is left out, and a line says so. Whoever names a key with --key wants to see it all; for
    what is public alone (`is_public`) none is asked for, either. For a program nothing is left out.
    """
    key, seat = own_key(game, request)
    if key is None or seat is None or request.as_json or not waits_for_typing(key, request):
        return Look(key, seat)
    if entry is None and is_decided_by(game.fold, seat):
        return Look(key, seat)
    if is_public or not has_secrets(game.fold, seat):
        return Look(None, seat)
    if not request.is_key_usual:
        return Look(key, seat)
    left_out = say(
        "what only you may know is left out, for your key is locked: --key {path} asks for its "
        "passphrase and shows it",
        path=quote(str(request.key_file)),
    )
    return Look(None, seat, left_out)


def asked_view(game: Game, request: Request) -> Viewpoint:
    """The viewpoint of the key that --key names; the public one without it, and in a game that has
    no other. Raises Refused as `own_key` does.
    """
    if request.is_key_usual or not has_two_stories(game):
        return PUBLIC
    with about(request.key_file or request.game_file):
        return viewpoint(game, own_key(game, request)[0])


def _key_for(game: Game, request: Request) -> KeyPair | None:
    seat, key = own_seat(game, request)
    if seat is None or not is_decided_by(game.fold, seat):
        return None
    return key or own_key(game, request)[0]
