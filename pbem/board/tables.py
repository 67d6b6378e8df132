"""Printed tables with columns for ranges of values or for odds: find a column, shift it, read a
row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, Literal, TypeVar

from pbem.value import value

T = TypeVar("T")

Range = tuple[int, int | None]
"""The least and the most value a column stands for; None: no end."""
Ratio = tuple[int, int]
"""The strength of the attacker, and of the defender."""


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
        return _entry(self.rows, column, row - self.first_row)

    def heading(self, column: int) -> str:
        """The column as printed: "3", "6-8", "16+"."""
        least, most = self.columns[column]
        if most is None:
            return f"{least}+"
        return str(least) if least == most else f"{least}-{most}"


@value
class OddsTable(Generic[T]):
    """Columns are ratios of two strengths, the worst for the attacker first; rows as above.

    A ratio between two columns is `rounded` down to the one that is worse for the attacker, or to
    the nearest whole ratio, halves up: "2.5 to 1" is 3:1, and what is worse than 1:1 is one to the
    rounded number of times that the defender is stronger.
    """

    columns: tuple[Ratio, ...]
    rows: tuple[tuple[T, ...], ...]
    rounded: Literal["down", "half up"]
    first_row: int = 1

    def __post_init__(self) -> None:
        assert self.columns and self.rows, "an empty table"
        assert all(len(row) == len(self.columns) for row in self.rows), "a row of another width"
        assert all(attack > 0 and defence > 0 for attack, defence in self.columns), "odds of 0"
        for (a, d), (b, e) in zip(self.columns, self.columns[1:], strict=False):
            assert a * e < b * d, "columns out of order"

    @staticmethod
    def of(
        columns: Sequence[str],
        rows: Sequence[Sequence[T]],
        rounded: Literal["down", "half up"],
        first_row: int = 1,
    ) -> OddsTable[T]:
        """The table as data files write it: columns such as "3:2"."""
        ratios = tuple((int(a), int(d)) for a, d in (column.split(":") for column in columns))
        return OddsTable(ratios, tuple(tuple(row) for row in rows), rounded, first_row)

    def column(self, attack: int, defence: int) -> int:
        """The index of the column for two strengths; beyond the table, of the nearest column.

        A defence of 0 counts as better than any column. Strengths may be in any common unit.
        """
        attack, defence = self.ratio(attack, defence)
        least = [index for index, (a, d) in enumerate(self.columns) if a * defence <= attack * d]
        return least[-1] if least else 0

    def is_below(self, attack: int, defence: int) -> bool:
        """Whether the odds are worse for the attacker than the first column."""
        attack, defence = self.ratio(attack, defence)
        (a, d), *_ = self.columns
        return a * defence > attack * d

    def ratio(self, attack: int, defence: int) -> Ratio:
        """The odds as this table rounds them; unrounded where it rounds down to a column."""
        if self.rounded == "down" or not (attack and defence):
            return attack, defence
        if attack >= defence:
            return (2 * attack + defence) // (2 * defence), 1
        return 1, (2 * defence + attack) // (2 * attack)

    def shifted(self, column: int, shift: int) -> int:
        """The column so many to the right (left if negative), no further than the last."""
        return clamp(column + shift, 0, len(self.columns) - 1)

    def at(self, column: int, row: int) -> T:
        """The entry of a column and row; a row outside the table is the nearest one."""
        return _entry(self.rows, column, row - self.first_row)

    def heading(self, column: int) -> str:
        """The column as printed: "3:2"."""
        attack, defence = self.columns[column]
        return f"{attack}:{defence}"


def _entry(rows: tuple[tuple[T, ...], ...], column: int, row: int) -> T:
    """The entry of a column in a row counted from 0; one outside the table is the nearest one."""
    return rows[clamp(row, 0, len(rows) - 1)][column]
