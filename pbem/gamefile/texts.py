"""The canonical texts of public states, most parts of which do not change."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pbem.engine.public import ListMadeOf, MadeOf
from pbem.gamefile.canonical import Written, text_of, text_of_list

PARTS = MadeOf, ListMadeOf


class Texts:
    """The last text of each part.

    A part made of the very same object has the same text, for that object is frozen. Equality is
    not enough: True and 1 are equal, and are written differently. For each name one text is kept
    together with its object, so that no other object can take the same address.
    Of a list each item's text is kept in the same way.
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[MadeOf | ListMadeOf, str]] = {}
        self._items: dict[str, tuple[Callable[[str, Any], Any], dict[str, tuple[Any, str]]]] = {}

    def of(self, public: Mapping[str, Any]) -> dict[str, Any]:
        """A public state with the canonical texts of its parts, for `text_with`."""
        return {
            name: Written(self._text(name, member)) if isinstance(member, PARTS) else member
            for name, member in public.items()
        }

    def _text(self, name: str, part: MadeOf | ListMadeOf) -> str:
        known = self._last.get(name)
        if known is None or known[0].of is not part.of or known[0].make != part.make:
            text = text_of(part.plain()) if isinstance(part, MadeOf) else self._list(name, part)
            known = self._last[name] = part, text
        return known[1]

    def _list(self, name: str, part: ListMadeOf) -> str:
        """The text of a list, with the texts that are kept where its items are made as before."""
        make, kept = self._items.get(name, (None, {}))
        if make != part.make:
            kept = {}
        self._items[name] = part.make, kept
        texts = []
        for key, each in part.of.items():
            known = kept.get(key)
            if known is None or known[0] is not each:
                item = part.make(key, each)
                known = kept[key] = each, "" if item is None else text_of(item)
            if known[1]:
                texts.append(known[1])
        return text_of_list(texts)
