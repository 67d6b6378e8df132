"""A position between two rounds written out as a scenario of an owner, and compared when read."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

from pbem.games.crusade.position import ABROAD, Position
from pbem.games.crusade.rules.victory import madrid_penalty
from pbem.games.crusade.stages.setup import MARKERS, PLACES
from pbem.games.crusade.tables import NATIONALIST, SIDES

MARKED = {
    "strait_nationalist", "shortage", "badajoz_lost", "famine", "north_ended", "madrid_settled",
    "largo_caballero", "juan_negrin", "franco_command",
}  # fmt: skip
"""Flags that a scenario tells by a marker of its own."""


def written_out(position: Position, options: tuple[str, ...] = ()) -> dict[str, Any] | None:
    """The scenario; None unless a side is asked for its card of the round, with all cards open."""
    begins = beginning(position)
    if begins is None:
        return None
    sheet = position.tables.sheet(position.scenario)
    return {
        "id": "written_out",
        "title": "Written out",
        "first_turn": position.turn,
        "last_turn": sheet["last_turn"],
        "options": sorted(options),
        "begins": begins,
        "markers": markers(position),
        "control": control(position),
        "units": {side: units(position, side) for side in SIDES},
        "decks": decks(position),
        "post_deployment": [],
        "victory": sheet["victory"],
        "end_modifiers": sheet["end_modifiers"],
        "special_rules": [],
    }


def beginning(position: Position) -> dict[str, Any] | None:
    if position.segment or not position.round or has_just_received(position):
        return None
    return {
        "round": position.round,
        "side": position.active,
        "actions": {side: list(position.actions.get(side, ())) for side in SIDES},
        "marks": [mark for side in SIDES for mark in _counted(position, side)]
        + sorted(mark for mark in position.turn_marks if not mark.startswith(OPERATIONS)),
    }


def has_just_received(position: Position) -> bool:
    """Whether units of the Army of Africa arrived as this round began: a scenario begins before."""
    return position.turn <= 3 and position.active == NATIONALIST


OPERATIONS = "operations_"


def _counted(position: Position, side: str) -> list[str]:
    """The marks of events that count as operations: those beyond the rounds of operations."""
    found = sorted(m for m in position.turn_marks if m.startswith(f"{OPERATIONS}{side}"))
    events = [mark for mark in found if mark.rpartition("_")[2] in position.played]
    rounds = position.actions.get(side, ()).count("operations")  # type: ignore[call-overload]
    return events[: len(found) - rounds]


def markers(position: Position) -> dict[str, Any]:
    has = position.has
    penalty, _ = madrid_penalty(position)
    return {
        "vp": position.vp,
        "rm": position.rm,
        "rp": {
            currency["id"]: position.rp.get(currency["id"], 0) // 2 or None
            for currency in position.tables.tables["costs"]["currencies"]
        },
        "sieges": dict(position.sieges),
        "isolated": sorted(position.isolated),
        "strait": "nationalist" if has("strait_nationalist") else "republican",
        "shortage": has("shortage"),
        "madrid": None if has("madrid_settled") else penalty,
        "government": "juan_negrin" if has("juan_negrin") else "largo_caballero"
        if has("largo_caballero") else "jose_giral",
        "command": "franco_takes_command" if has("franco_command") else "no_single_command",
        "badajoz": not has("badajoz_lost"),
        "famine": has("famine"),
        "north_ended": has("north_ended"),
        "flags": sorted(position.flags - MARKED),
        "lost_trenches": {name: lost for name, lost in position.lost_forts.items() if lost},
        "digging": dict(position.digging),
        "beach_heads": dict(position.beach_heads),
        "deadlines": dict(position.deadlines),
        "counterattacks": dict(position.bonuses),
    }  # fmt: skip


def control(position: Position) -> dict[str, Any]:
    printed = {s.id: s.control for s in position.tables.spaces.values() if not s.dormant}
    return {
        side: [space for space in printed if printed[space] != side == position.control[space]]
        for side in SIDES
    }


def units(position: Position, side: str) -> dict[str, Any]:
    places = [s for s in position.tables.spaces if position.units_in(s, side)]  # type: ignore[arg-type]
    empty = [s for s, f in position.forts.items() if f.owner == side and s not in places]
    names = {(fort.kind, fort.special): name for name, fort in MARKERS.items()}
    rows: list[dict[str, Any]] = []
    for space in (*places, *empty):
        row: dict[str, Any] = {"space": space, "units": stack(position, space, side)}
        fort = position.forts.get(space)
        if fort:
            row["markers"] = [names[fort.kind, fort.special]]
        rows.append(row)
    boxes = {box: stack(position, place, side) for box, place in PLACES.items()}
    if side != NATIONALIST:
        assert not boxes.pop("morocco") + boxes.pop("waiting")
    return {"map": rows, **boxes}


def stack(position: Position, place: str, side: str) -> list[dict[str, Any]]:
    found: Counter[Any] = Counter()
    for unit in position.units_in(place, side):  # type: ignore[arg-type]
        back = position.returning[unit] if place == ABROAD else 0
        strayed = unit in position.strayed
        found[position.type_of(unit).id, position.is_reduced(unit), back, strayed] += 1
    return [
        {
            "type": kind, "count": count, "reduced": reduced,
            **({"returns": back} if back else {}), **({"strayed": True} if strayed else {}),
        }
        for (kind, reduced, back, strayed), count in found.items()
    ]  # fmt: skip


def decks(position: Position) -> dict[str, Any]:
    phases = position.tables.tables["phases"]
    each = position.decks.items()
    return {
        "phases": [row["id"] for row in phases
                   if row["first_turn"] <= position.turn and row["id"] != "optional"],
        "removed": {side: list(deck.removed) for side, deck in each},
        "played": {
            side: [card for card in sorted(position.played)
                   if position.card(card).side == side and card not in deck.removed]
            for side, deck in each
        },
        "discards": {
            side: [*deck.discards, *(position.known[slot] for slot in deck.face_down)]
            for side, deck in each
        },
        "retained": {side: list(deck.table) for side, deck in each},
        "hands": {
            side: {"fixed": [position.known[slot] for slot in deck.hand], "random": 0}
            for side, deck in each
        },
        "redraw_without_corps_card": False,
    }  # fmt: skip


def differences(one: Position, other: Position) -> Iterator[str]:
    """In what two positions differ; units of a type, and slots of a card, are as good as others."""
    for name, told in ALIKE.items():
        before, after = told(one), told(other)
        if before != after:
            yield f"{name}: {_without(before, after)} became {_without(after, before)}"


def _without(one: Any, other: Any) -> Any:
    if isinstance(one, Counter | set | frozenset):
        return one - other
    return one


def _units(position: Position) -> Counter[Any]:
    return Counter(
        (
            position.side_of(unit), position.type_of(unit).id, counter.place, counter.reduced,
            unit in position.strayed, position.returning.get(unit),
        )
        for unit, counter in position.counters.items()
    )  # fmt: skip


def _cards(position: Position) -> Any:
    def known(slots: tuple[str, ...]) -> list[str]:
        return sorted(position.known[slot] for slot in slots)

    return {
        side: {
            "pile": known(deck.pile),
            "hand": known(deck.hand),
            "table": sorted(deck.table),
            "discards": sorted((*deck.discards, *known(deck.face_down))),
            "removed": sorted(deck.removed),
        }
        for side, deck in position.decks.items()
    }


ALIKE = {
    "units": _units,
    "cards": _cards,
    **{
        name: lambda position, name=name: getattr(position, name)
        for name in (
            "options", "control", "turn", "vp", "rm", "active", "round", "segment", "forts",
            "digging", "sieges", "isolated",
            "retreated", "used_table", "beach_heads", "deadlines", "bonuses", "result",
        )
    },
    "flags": lambda position: position.flags - (
        {"largo_caballero"} if position.has("juan_negrin") else set()
    ),  # nothing asks for the first government after the second
    "marks": lambda position: Counter(
        mark.rpartition("_")[0] if mark.startswith(OPERATIONS) else mark
        for mark in (re.sub("round_", "", each) for each in position.turn_marks)
    ),
    "played": lambda position: {
        card for card in position.played if position.card(card).kind != "combat"
    },
    "actions": lambda position: {side: tuple(position.actions.get(side, ())) for side in SIDES},
    "lost_forts": lambda position: {n: lost for n, lost in position.lost_forts.items() if lost},
    "rp": lambda position: {currency: halves for currency, halves in position.rp.items() if halves},
}  # fmt: skip
