"""The canonical texts of public states, most parts of which do not change."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.engine.public import MadeOf
from pbem.gamefile.canonical import text_of, text_with


class Texts:
    """The last text of each part.

    A part made of the very same object has the same text, for that object is frozen. Equality is
    not enough: True and 1 are equal, and are written differently. For each name one text is kept
    together with its object, so that no other object can take the same address.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[MadeOf, str]] = {}

    def of(self, public: Mapping[str, Any]) -> str:
        """The canonical text of a public state with members that are plain values or parts."""
        rest, texts = {}, {}
        for name, member in public.items():
            if type(member) is MadeOf:
                texts[name] = self._text(name, member)
            else:
                rest[name] = member
        return text_with(rest, texts)

    def _text(self, name: str, part: MadeOf) -> str:
        known = self._last.get(name)
        if known is None or known[0].of is not part.of or known[0].make != part.make:
            known = self._last[name] = part, text_of(part.plain())
        return known[1]
