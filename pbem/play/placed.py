"""What an order of a file breaks: each with its place there, and with titles beside the ids."""

from __future__ import annotations

from collections.abc import Iterable

from pbem.engine.model import Violation
from pbem.orders.bind import written_path
from pbem.orders.parse import OrdersFile
from pbem.play.table import Table
from pbem.problems import Problem
from pbem.text.entitled import entitled
from pbem.value import replace


def placed(
    file: OrdersFile, index: int, player: str, table: Table, found: Iterable[Violation]
) -> list[Problem]:
    """The problems for what a player's order breaks at a table."""
    names = table.names_of(player, file.orders[index].kind)
    return [
        file.problem(
            index,
            replace(
                each,
                at=written_path(file, index, names, each.at),
                message=entitled(each.message, names.title),
                hint=entitled(each.hint, names.title),
            ),
        )
        for each in found
    ]
