"""The canonical texts of public states, most parts of which do not change.

Measured: 20 percent of the instructions of `verify` (page 22).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain, compress, count, repeat
from operator import is_not, or_
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
        self._last: dict[str, tuple[MadeOf | ListMadeOf, Written]] = {}
        self._items: dict[str, tuple[Any, list[str], list[Any], list[str]]] = {}

    def of(self, public: Mapping[str, Any]) -> dict[str, Any]:
        """A public state with the canonical texts of its parts, for `text_with`."""
        found: dict[str, Any] = {}
        for name, member in public.items():
            if isinstance(member, PARTS):
                known = self._last.get(name)
                if known is None or known[0].of is not member.of or known[0].make != member.make:
                    text = (
                        self._list(name, member)
                        if isinstance(member, ListMadeOf)
                        else text_of(member.plain())
                    )
                    known = self._last[name] = member, Written(text)
                member = known[1]
            found[name] = member
        return found

    def _list(self, name: str, part: ListMadeOf) -> str:
        """The text of a list, with the texts of the items that are the same and made as before."""
        keys, things = list(part.of), list(part.of.values())
        # Taken out, for the texts are of no state if the rules stumble on an item.
        make, known, before, texts = self._items.pop(name, (None, [], [], []))
        changed = map(is_not, things, before)
        if make != part.make or known != keys:
            ends = repeat(self)  # which is no key and no thing
            known = known if make == part.make else []
            others = map(is_not, keys, chain(known, ends)), map(is_not, things, chain(before, ends))
            changed = map(or_, *others)
            texts = [*texts[: len(keys)], *[""] * (len(keys) - len(texts))]
        for at in compress(count(), changed):
            item = part.make(keys[at], things[at])
            texts[at] = "" if item is None else text_of(item)
        self._items[name] = part.make, keys, things, texts
        if part.by_key:
            texts = list(map(texts.__getitem__, sorted(range(len(keys)), key=keys.__getitem__)))
        return text_of_list(filter(None, texts))
