"""Printed tables with columns for ranges of values: find a column, shift it, read a row."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, TypeVar

from pbem.value import value

T = TypeVar("T")

Range = tuple[int, int | None]
"""The least and the most value a column stands for; None: no end."""


def clamp(value: int, least: int, most: int) -> int:
    """The value, or the nearest end of the range if it is outside."""
    return max(least, min(value, most))


@value
class RangeTable(Generic[T]):
    """Columns are ranges of values in ascending order; rows are numbered from `first_row`."""

    columns: tuple[Range, ...]
    rows: tuple[tuple[T, ...], ...]
    first_row: int = 1

    def __post_init__(self) -> None:
        assert self.columns and self.rows, "an empty table"
        assert all(len(row) == len(self.columns) for row in self.rows), "a row of another width"
        for (_, most), (least, _) in zip(self.columns, self.columns[1:], strict=False):
            assert most is not None and least == most + 1, "columns with a gap or an overlap"

    @staticmethod
    def of(
        columns: Sequence[Sequence[int | None]], rows: Sequence[Sequence[T]], first_row: int = 1
    ) -> RangeTable[T]:
        """The table as data files write it: lists of lists."""
        ranges = tuple((least or 0, most) for least, most in columns)
        return RangeTable(ranges, tuple(tuple(row) for row in rows), first_row)

    def column(self, value: int) -> int:
        """The index of the column for a value; outside the table, of the nearest column."""
        for index, (_, most) in enumerate(self.columns):
            if most is None or value <= most:
                return index
        return len(self.columns) - 1

    def shifted(self, column: int, shift: int) -> int:
        """The column so many to the right (left if negative), no further than the last."""
        return clamp(column + shift, 0, len(self.columns) - 1)

    def at(self, column: int, row: int) -> T:
        """The entry of a column and row; a row outside the table is the nearest one."""
        index = clamp(row - self.first_row, 0, len(self.rows) - 1)
        return self.rows[index][column]

    def heading(self, column: int) -> str:
        """The column as printed: "3", "6-8", "16+"."""
        least, most = self.columns[column]
        if most is None:
            return f"{least}+"
        return str(least) if least == most else f"{least}-{most}"
