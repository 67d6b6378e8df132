"""A language other than English: the texts of the program, then those of each of its games.

Only those are read that somebody asks for: a game's catalogue at the first text that none before it
has. What two games say in the same words they say alike in every language (a test looks).
"""

from __future__ import annotations

import os
from functools import cached_property
from gettext import GNUTranslations, NullTranslations
from importlib.util import find_spec

from pbem.games import GAMES


def read_catalogues(code: str, domain: str, home: str) -> NullTranslations:
    """The language of a code: this domain, whose catalogues are below this folder, and the games.

    A game that has no catalogue of it yet speaks English.
    """
    homes = {domain: home}
    for slug, game in GAMES.items():
        spec = find_spec(game.package)
        if spec is not None and spec.origin is not None:
            homes[slug] = os.path.join(os.path.dirname(spec.origin), "translations")
    paths = [os.path.join(where, code, "LC_MESSAGES", f"{name}.mo")
             for name, where in homes.items()]  # fmt: skip
    return _read([path for path in paths if os.path.isfile(path)])


def _read(paths: list[str]) -> NullTranslations:
    """The first of these catalogues; what it lacks is looked up in the others."""
    if not paths:
        return NullTranslations()
    with open(paths[0], "rb") as compiled:
        found = GNUTranslations(compiled)
    if paths[1:]:
        found.add_fallback(_WhenAsked(paths[1:]))
    return found


class _WhenAsked(NullTranslations):
    """Catalogues that are read when one of their texts is asked for."""

    def __init__(self, paths: list[str]) -> None:
        super().__init__()
        self.paths = paths

    @cached_property
    def found(self) -> NullTranslations:
        return _read(self.paths)

    def gettext(self, message: str) -> str:
        return self.found.gettext(message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self.found.ngettext(one, many, number)
