"""A cache of the tests' own."""

from __future__ import annotations

from tests.games.documents import cache_home, own_cache

__all__ = ("cache_home", "own_cache")
