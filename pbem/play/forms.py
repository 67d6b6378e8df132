"""The form of the decision a player is about to make."""

from __future__ import annotations

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.rehearse import prospect
from pbem.orders.template import form
from pbem.play.game import Game
from pbem.play.table import Table


def present_form(game: Game, key: KeyPair | None) -> str:
    """The YAML form. With a key, what its owner owes without a choice is thought done first."""
    table = game.table
    if key is not None and game.fold.phase == "running":
        ahead = prospect(game.fold, key)
        assert isinstance(ahead.referee, Table)
        table = ahead.referee if ahead.orders_wanted else None
    decision = table.decision if table is not None else None
    if decision is None:
        raise FileRefused(
            "E-TURN", "no orders are asked for now", hint="pbem status says who is to write"
        )
    return form(decision, game=game.fold.fingerprint or "", entry=len(game.fold.entries))
