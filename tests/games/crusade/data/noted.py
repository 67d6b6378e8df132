"""Plain data that remember which of their values somebody asked for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Path = tuple[str, ...]
EACH = "*"
"""Stands in a path for any entry of a list."""


class NotedDict(dict[str, Any]):
    """A mapping; a key that is looked up, or handed out with its value, was read."""

    def __init__(self, plain: dict[str, Any], path: Path, read: set[Path]) -> None:
        super().__init__({k: noted(v, (*path, k), read) for k, v in plain.items()})
        self._path, self._read = path, read

    def _note(self, key: str) -> None:
        self._read.add((*self._path, key))

    def __getitem__(self, key: str) -> Any:
        self._note(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        self._note(key)
        return super().get(key, default)

    def __iter__(self) -> Iterator[str]:
        # Overridden so that dict(...) and {**...} ask for each value by its key.
        return super().__iter__()

    def items(self) -> Any:
        for key in self:
            self._note(key)
        return super().items()

    def values(self) -> Any:
        for key in self:
            self._note(key)
        return super().values()


def noted(value: Any, path: Path, read: set[Path]) -> Any:
    """The value, in which every mapping notes what is read of it."""
    if isinstance(value, dict):
        return NotedDict(value, path, read)
    if isinstance(value, list):
        return [noted(entry, (*path, EACH), read) for entry in value]
    return value


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """The path of every value that is no mapping; entries of lists count together."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        for entry in value:
            yield from leaves(entry, (*path, EACH))
    else:
        yield path
