"""What must fit in a scenario: units that exist, on ground of their side, as many as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamedata.cross import Folder
from pbem.problems import Problem
from pbem.text.wording import counted, did_you_mean, quoted
from pbem.text.yamlsource import Path

SCENARIOS = "scenarios/"
BOXES = ("reserve", "eliminated", "removed", "morocco")


def scenario_problems(folder: Folder) -> Iterator[Problem]:
    """Every problem of every scenario."""
    for file in sorted(folder.documents):
        if file.startswith(SCENARIOS):
            yield from _scenario(folder, file, folder.documents[file].value)


def _scenario(folder: Folder, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    stem = file.removeprefix(SCENARIOS).removesuffix(".yaml")
    if plain["id"] != stem:
        message = f"the file is called {stem}, but its scenario {plain['id']}"
        yield folder.problem(file, ("id",), "scenario-name", message)
    if plain["last_turn"] < plain["first_turn"]:
        message = f"it ends on turn {plain['last_turn']}, before it begins"
        yield folder.problem(file, ("last_turn",), "turn-order", message)
    if plain["victory"]["nationalist_min"] <= plain["victory"]["republican_max"]:
        message = "the limits of victory overlap"
        yield folder.problem(file, ("victory", "republican_max"), "victory-limits", message)
    if "same_as" in plain:
        yield from _same_as(folder, file, plain["same_as"])
        return
    yield from _markers(folder, file, plain["markers"])
    yield from _control(folder, file, plain["control"])
    for side in folder.value("game")["sides"]:
        yield from _units(folder, file, side, plain)
    yield from _decks(folder, file, plain["decks"])


def _same_as(folder: Folder, file: str, other: str) -> Iterator[Problem]:
    whole = [
        path.removeprefix(SCENARIOS).removesuffix(".yaml")
        for path in sorted(folder.documents)
        if path.startswith(SCENARIOS) and "same_as" not in folder.documents[path].value
    ]
    if other not in whole:
        message = f"{quoted(other)} is no scenario with a set-up of its own"
        hint = did_you_mean(other, whole)
        yield folder.problem(file, ("same_as",), "unknown-scenario", message, hint)


def _markers(folder: Folder, file: str, markers: Mapping[str, Any]) -> Iterator[Problem]:
    sieges = {siege["id"]: siege for siege in folder.value("tables")["sieges"]}
    for name, resistance in markers["sieges"].items():
        path: Path = ("markers", "sieges", name)
        if name not in sieges:
            message = f"no siege is named {quoted(name)}"
            yield folder.problem(file, path, "unknown-siege", message, did_you_mean(name, sieges))
        elif resistance > sieges[name]["resistance"]:
            message = f"{name} starts at {sieges[name]['resistance']} and can have no more"
            yield folder.problem(file, path, "siege-resistance", message)
    for index, space in enumerate(markers["isolated"]):
        yield from folder.unknown_space(file, ("markers", "isolated", index), space)


def _control(folder: Folder, file: str, control: Mapping[str, Any]) -> Iterator[Problem]:
    for side, gains in control.items():
        for index, space in enumerate(gains):
            path: Path = ("control", side, index)
            yield from folder.unknown_space(file, path, space)
            if folder.spaces.get(space, {}).get("control") == side:
                message = f"{space} is {side} on the map already"
                yield folder.problem(file, path, "control", message)


def _holders(folder: Folder, plain: Mapping[str, Any]) -> dict[str, str]:
    """Who controls each space in the scenario; a dormant space is nobody's."""
    held = {
        space["id"]: space["control"]
        for space in folder.spaces.values()
        if not space.get("dormant")
    }
    for side, gains in plain["control"].items():
        held.update(dict.fromkeys(gains, side))
    return held


def _units(folder: Folder, file: str, side: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    held, units = _holders(folder, plain), plain["units"][side]
    at: Path = ("units", side)
    limit = folder.value("tables")["limits"]["stacking"]["value"]
    pool: Counter[str] = Counter()
    seen: set[str] = set()
    for index, row in enumerate(units["map"]):
        path, space = (*at, "map", index), row["space"]
        yield from folder.unknown_space(file, (*path, "space"), space)
        if held.get(space, side) != side:
            message = f"{space} is {held[space]}, so no {side} unit can stand there"
            yield folder.problem(file, (*path, "space"), "enemy-space", message)
        if space in seen:
            message = f"{space} is listed twice"
            yield folder.problem(file, (*path, "space"), "doubled-space", message)
        seen.add(space)
        yield from _rows(folder, file, side, (*path, "units"), row["units"], pool)
        standing = sum(entry["count"] for entry in row["units"])
        if standing > limit:
            message = f"{space} holds {counted(standing, 'unit')}; {limit} is the limit"
            yield folder.problem(file, (*path, "units"), "stacking", message)
    for box in BOXES:
        yield from _rows(folder, file, side, (*at, box), units.get(box, ()), pool)


def _rows(
    folder: Folder, file: str, side: str, path: Path, rows: Any, pool: Counter[str]
) -> Iterator[Problem]:
    """Rows of one place; `pool` counts what has been used of each type so far."""
    for index, row in enumerate(rows):
        name = row["type"]
        yield from folder.unknown_type(file, (*path, index, "type"), side, name)
        known = folder.types.get((side, name))
        if known is None:
            continue
        pool[name] += row["count"]
        if pool[name] > known["count"]:
            message = f"there are {known['count']} {name} in all, this is number {pool[name]}"
            yield folder.problem(file, (*path, index), "pool", message)
        if row["reduced"] and known["reduced"] is None:
            message = f"{name} has no reduced side"
            yield folder.problem(file, (*path, index, "reduced"), "steps", message)


def _decks(folder: Folder, file: str, decks: Mapping[str, Any]) -> Iterator[Problem]:
    for side, removed in decks["removed"].items():
        for index, name in enumerate(removed):
            path: Path = ("decks", "removed", side, index)
            yield from _card_of(folder, file, path, side, name, decks["phases"])
    for side, hand in decks["hands"].items():
        for index, name in enumerate(hand["fixed"]):
            path = ("decks", "hands", side, "fixed", index)
            yield from _card_of(folder, file, path, side, name, decks["phases"])


def _card_of(
    folder: Folder, file: str, path: Path, side: str, name: str, phases: list[str]
) -> Iterator[Problem]:
    """A card must be in the side's decks that are in play."""
    yield from folder.unknown_card(file, path, name)
    card = folder.cards.get(name)
    if card and card["side"] != side:
        yield folder.problem(file, path, "card-side", f"{name} is no {side} card")
    elif card and card["phase"] not in phases:
        message = f"{name} is a card of {card['phase']}, which is not in play"
        yield folder.problem(file, path, "card-phase", message)
