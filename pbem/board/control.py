"""Zones of control: the places around units in which the enemy feels them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping


def controlled(
    places: Mapping[str, str],
    near: Callable[[str], Iterable[str]],
    reaches: Callable[[str, str], bool],
) -> dict[str, tuple[str, ...]]:
    """Each place in a zone of control, with the units whose zone it is.

    `places` maps the units that have a zone to where they stand, in the order in which they are to
    be listed; `near` are the places around one, and `reaches(unit, there)` says whether the unit's
    zone goes into one of them: by the ground there, the side in between, the kind of unit.
    """
    found: dict[str, tuple[str, ...]] = {}
    for unit, here in places.items():
        for there in near(here):
            if reaches(unit, there):
                found[there] = (*found.get(there, ()), unit)
    return found
