"""The canonical texts of public states, of which most parts stay as they were."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.public import MadeOf
from pbem.gamefile.canonical import text_of, text_with


class Texts:
    """The text of each part as it was written last.

    A part made of the very same thing has the same text, for what it is made of is frozen. Equal is
    not enough: True and 1 are equal, and are written otherwise. For each name one text is kept, and
    with it what it was made of, so that no other thing can come to lie where that was.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[MadeOf, str]] = {}

    def of(self, public: Mapping[str, Any]) -> str:
        """The canonical text of a public state whose members are plain values and parts."""
        parts = {name: member for name, member in public.items() if type(member) is MadeOf}
        rest = {name: public[name] for name in public if name not in parts}
        return text_with(rest, {name: self._text(name, parts[name]) for name in parts})

    def _text(self, name: str, part: MadeOf) -> str:
        known = self._last.get(name)
        if known is None or known[0].of is not part.of or known[0].make is not part.make:
            known = self._last[name] = part, text_of(part.plain())
        return known[1]
