"""Orders files, and the standing orders beside a game."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING

from pbem.cli import files, kinds, report
from pbem.cli.files import StrPath
from pbem.cli.request import Misused
from pbem.late import Late
from pbem.messages import say
from pbem.play.game import STANDING_FILE, Game
from pbem.problems import Refused
from pbem.text.source import Source

if TYPE_CHECKING:
    from pathlib import Path

    from pbem.cli import folder
    from pbem.orders.parse import OrdersFile
    from pbem.play import standing
else:  # of a game without standing orders beside it nobody asks
    folder = Late("pbem.cli.folder")
    standing = Late("pbem.play.standing")

OTHER_NAMES = ("standing.yml", "Standing.yaml", "Standing.yml", "standing.yaml.txt", "standing.txt")
"""How editors and people call the file of standing orders, which has one name."""
ENDINGS = (".gz", ".json", ".pbem")


def read_source(path: StrPath) -> Source:
    """The text of an orders file."""
    raw = kinds.read_as(kinds.ORDERS, path, files.ORDERS_LIMIT, say("the orders file"))
    return Source.decode(str(path), raw)


def standing_path(path: StrPath) -> str:
    """The path of the standing orders next to a game file."""
    return os.path.join(os.path.dirname(path), STANDING_FILE)


def standing_beside(path: StrPath, game: Game | None = None) -> Source | None:
    """The standing orders next to a game file, if any. Where they name another game than the one
    that is given, a note says so: else a slip in its digits would leave them out in silence.
    """
    beside = standing_path(path)
    if os.path.lexists(beside):
        written = read_source(beside)
        found = standing.Beside(written.name, written.text, partial(_other_games, path))
        if game is not None and (named := standing.other_game(found, game)):
            report.warn_once(
                say("note: {file} is not used here: it is for game {named}, and this is {here}",
                    file=beside, named=named, here=game.fold.fingerprint)
            )  # fmt: skip
        return found
    for name in OTHER_NAMES:
        other = os.path.join(os.path.dirname(path), name)
        if os.path.lexists(other):
            report.warn_once(
                say("note: {file} is not read: the name is {name}", file=other, name=STANDING_FILE)
            )
    return None


def _other_games(path: StrPath) -> bool:
    """Whether files of several games lie in the folder of one, or may do so, if it is not clear."""
    try:
        return len(folder.listing(os.path.dirname(path) or os.curdir).games) > 1
    except Refused:
        return True


def orders_beside(path: StrPath) -> Path:
    """The orders file of a game file: two positions of a game never share one."""
    from pathlib import Path

    beside = Path(path)
    name = beside.name
    for ending in ENDINGS:
        name = name.removesuffix(ending)
    return beside.with_name(f"{name}.orders.yaml")


def orders_needed(orders: StrPath | None, game_file: StrPath) -> StrPath:
    """The orders file that a command requires: by default the one that pbem turn writes.

    Raises Misused where there is none, and Refused if the only file that was named is neither game
    nor orders.
    """
    if orders is not None:
        return orders
    if os.path.isfile(game_file):
        head = files.beginning(game_file, kinds.MOST_LOOKED_AT)
        kinds.refuse_document(head, game_file)
        kinds.refuse_other(head, game_file, kinds.ORDERS, kinds.GAME)
    beside = orders_beside(game_file)
    if os.path.isfile(beside) or not os.path.isfile(game_file):  # which is told where it is read
        return beside
    raise Misused(
        say(
            "name the file with your orders: there is no {path}, which pbem turn writes",
            path=str(beside),
        )
    )


def read_orders(path: StrPath, game: Game) -> OrdersFile:
    """An orders file, read as a whole. Raises Refused with everything wrong with its form."""
    from pbem.play.judged import parsed

    return parsed(read_source(path), game)
