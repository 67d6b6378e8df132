"""Rankings by words: the place of a thing in a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

Fits = Callable[[str], int]
"""How specifically a word means a thing: 0 not at all; higher is more specific."""


def place_of(words: Sequence[str], fits: Fits) -> int:
    """The place of a thing: that of the most specific word for it, of equals the first.

    Things without any word come after all words.
    """
    how = [fits(word) for word in words]
    best = max(how, default=0)
    return how.index(best) if best else len(words)


def ranked(
    words: Sequence[str], things: Iterable[str], fits: Callable[[str, str], int]
) -> list[str]:
    """Things in the order of a list of words; `fits` takes a word and a thing."""
    return sorted(things, key=lambda thing: place_of(words, lambda word: fits(word, thing)))
