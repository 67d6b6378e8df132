"""What must fit in a scenario: units that exist, on ground of their side, as many as there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pbem.gamedata.cross import Folder, holders
from pbem.gamedata.impossible import LOST_AS, SPECIAL, impossible
from pbem.problems import Problem
from pbem.text.wording import counted, did_you_mean, quoted
from pbem.text.yamlsource import Path

SCENARIOS = "scenarios/"
LAST_TURN = 18
BOXES = ("reserve", "eliminated", "removed", "morocco", "waiting", "abroad")
BEACHES = {
    "beach_head_mallorca": "mallorca", "beach_head_plan_p": "", "beach_head_nationalist": "",
}  # fmt: skip
"""The beach heads, and where each leads; empty: to a space that was chosen."""
STACKING_LIMIT = 3
FLAGS = frozenset({
    "afr_schedule", "afr_accelerated", "axis_aid", "soviet_aid", "strait_nationalist",
    "franco_command", "largo_caballero", "juan_negrin", "famine", "severe_winter", "munich",
    "french_border_no_special_sr", "shortage", "badajoz_lost", "madrid_attacked",
    "madrid_occupied", "madrid_neighbour_attacked", "madrid_approached", "north_ended",
    "north_linked", "nationalist_divided", "republican_divided", "burgos_taken",
    "kept_N32", "kept_R27", "nationalist_landing", "fighters_outclassed",
})  # fmt: skip
"""Lasting facts that a scenario may tell under `flags`."""
FLAGS_OF_A_TURN = frozenset({
    "severe_winter", "morale_for_victory", "guerrilla_guerrilla", "guerrilla_intelligence",
    "guerrilla_sabotage",
})  # fmt: skip
"""Facts of one turn, whose number they end in."""
LOT = "lot_"
LOTS: Mapping[str, tuple[tuple[str, ...], ...]] = {
    "columns": (("N14", "N57", "N58"), ("R7", "R57", "R58")),
    "mobilization": (("N25", "N59", "N60"), ("R28", "R59", "R60")),
}
"""By phase the cards of which one was drawn or chosen: a fact with LOT before the card."""


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
    if "begins" in plain:
        yield from _begins(folder, file, plain["begins"])
    if "markers" not in plain:
        return  # there is nothing it could be the same as
    yield from _markers(folder, file, plain["markers"])
    yield from _control(folder, file, plain["control"])
    for side in folder.value("game")["sides"]:
        yield from _units(folder, file, side, plain)
    yield from _decks(folder, file, plain["decks"])
    yield from impossible(folder, file, plain)


def _begins(folder: Folder, file: str, begins: Mapping[str, Any]) -> Iterator[Problem]:
    """Every round before the first has an action of its side."""
    sides = folder.value("game")["sides"]
    for side, done in begins.get("actions", {}).items():
        before = begins["round"] - 1
        if sides.index(side) < sides.index(begins["side"]):
            before += 1
        if len(done) != before:
            told = f"{counted(len(done), 'action')} of the {side} side"
            message = f"{told}, but {counted(before, 'round')} of it are over"
            yield folder.problem(file, ("begins", "actions", side), "actions", message)


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
    isolated = folder.value("tables")["isolated_spaces"]["spaces"]
    for index, space in enumerate(markers["isolated"]):
        path = ("markers", "isolated", index)
        yield from folder.unknown_space(file, path, space)
        if space in folder.spaces and space not in isolated:
            yield folder.problem(file, path, "isolated", f"{space} is no Isolated Space")
    yield from _further_markers(folder, file, markers)


def _further_markers(folder: Folder, file: str, markers: Mapping[str, Any]) -> Iterator[Problem]:
    """What only a scenario that begins in the middle of a war tells."""
    for index, flag in enumerate(markers.get("flags", ())):
        for code, message, hint in _odd_flag(flag, markers["flags"][:index]):
            yield folder.problem(file, ("markers", "flags", index), code, message, hint)
    for name, lost in markers.get("lost_trenches", {}).items():
        path: Path = ("markers", "lost_trenches", name)
        there = folder.value("tables")["construction"]["markers"]
        if name not in LOST_AS:
            hint = did_you_mean(name, LOST_AS)
            message = f"no special Trench is called {quoted(name)}"
            yield folder.problem(file, path, "unknown-trench", message, hint)
        elif lost > (most := there[f"{SPECIAL}{LOST_AS[name]}"]):
            yield folder.problem(file, path, "trenches", f"{name} has only {most}")
    for key in ("digging", "counterattacks"):
        for space in markers.get(key, {}):
            yield from folder.unknown_space(file, ("markers", key, space), space)
    for index, space in enumerate(markers.get("strayed", ())):
        yield from folder.unknown_space(file, ("markers", "strayed", index), space)
    for space, card in markers.get("counterattacks", {}).items():
        yield from folder.unknown_card(file, ("markers", "counterattacks", space), card)
    for key in ("beach_heads", "deadlines"):
        for beach in markers.get(key, {}):
            if beach not in BEACHES:
                message = f"no beach head is called {quoted(beach)}"
                hint = did_you_mean(beach, BEACHES)
                yield folder.problem(file, ("markers", key, beach), "unknown-beach", message, hint)
    for beach, leads_to in markers.get("beach_heads", {}).items():
        path = ("markers", "beach_heads", beach)
        yield from folder.unknown_space(file, path, leads_to)
        if BEACHES.get(beach) and BEACHES[beach] != leads_to:
            message = f"{beach} leads to {BEACHES[beach]}"
            yield folder.problem(file, path, "beach", message)


def is_fact(flag: str) -> bool:
    """Whether a scenario may tell this."""
    return not any(_odd_flag(flag, ()))


def _odd_flag(flag: str, before: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """What is wrong with a fact, and with it beside those before it: code, message, hint."""
    stem, _, number = flag.rpartition("_")
    lots = [lot for sides in LOTS.values() for lot in sides if flag.removeprefix(LOT) in lot]
    if flag in FLAGS_OF_A_TURN:
        yield "flag-turn", f"{flag} is a fact of one turn", f"write it with its number: {flag}_11"
    elif stem in FLAGS_OF_A_TURN and number.isdecimal():
        if number not in map(str, range(1, LAST_TURN + 1)):
            yield "flag-turn", f"there is no turn {number}", f"the last one is turn {LAST_TURN}"
    elif flag.startswith(LOT) and lots:
        other = next((each for each in before if each.removeprefix(LOT) in lots[0]), "")
        if other:
            message = f"of one lot both {other} and {flag}"
            yield "flag-lot", message, f"one of {', '.join(lots[0])} is in the deck"
    elif flag not in FLAGS:
        known = sorted((*FLAGS, *FLAGS_OF_A_TURN, *_lot_flags()))
        message = f"no fact is called {quoted(flag)}"
        yield "unknown-flag", message, did_you_mean(flag, known)


def _lot_flags() -> Iterator[str]:
    return (f"{LOT}{card}" for sides in LOTS.values() for lot in sides for card in lot)


def _control(folder: Folder, file: str, control: Mapping[str, Any]) -> Iterator[Problem]:
    for side, gains in control.items():
        for index, space in enumerate(gains):
            path: Path = ("control", side, index)
            yield from folder.unknown_space(file, path, space)
            if folder.spaces.get(space, {}).get("control") == side:
                message = f"{space} is {side} on the map already"
                yield folder.problem(file, path, "control", message)


def _units(folder: Folder, file: str, side: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    held, units = holders(folder, plain), plain["units"][side]
    at: Path = ("units", side)
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
        if standing > STACKING_LIMIT:
            message = f"{space} holds {counted(standing, 'unit')}; {STACKING_LIMIT} is the limit"
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


PILES = ("removed", "discards", "retained")


def _decks(folder: Folder, file: str, decks: Mapping[str, Any]) -> Iterator[Problem]:
    phases = decks["phases"]
    for side in folder.value("game")["sides"]:
        placed: dict[str, str] = {}
        hand = decks["hands"][side]
        lists: list[tuple[str, Path, Any]] = [
            (pile, ("decks", pile, side), decks.get(pile, {}).get(side, ())) for pile in PILES
        ]
        lists.append(("hand", ("decks", "hands", side, "fixed"), hand["fixed"]))
        for pile, at, names in lists:
            for index, name in enumerate(names):
                yield from _card_of(folder, file, (*at, index), side, name, phases)
                if name in placed:
                    message = f"{name} is in two places: {placed[name]} and {pile}"
                    yield folder.problem(file, (*at, index), "card-twice", message)
                placed[name] = pile
        for index, name in enumerate(decks.get("played", {}).get(side, ())):
            at = ("decks", "played", side, index)
            yield from _card_of(folder, file, at, side, name, phases)
        cards = folder.cards.values()
        left = sum(card["side"] == side and card["phase"] in phases for card in cards) - len(placed)
        if hand["random"] > left:
            message = f"{hand['random']} cards are drawn, but only {max(left, 0)} are left"
            yield folder.problem(file, ("decks", "hands", side, "random"), "too-few", message)


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
