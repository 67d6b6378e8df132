"""A program whose author lets every order pass: what reading, judging and telling must survive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.model import Order
from pbem.gamefile.in_play import ReadOrder
from pbem.play.table import Illegal, Table, as_read


def read_anything(table: Table, order: Mapping[str, Any]) -> ReadOrder:
    """`Table.read` without a refusal: what is no order of the game answers nothing."""
    try:
        return as_read(table.typed(order), order)
    except Illegal:
        return as_read(Order(), order)
