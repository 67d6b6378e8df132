"""Checks of a scenario: units that exist, on ground of their side, no more than there are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.games.crusade.data.agreed import agreed, enters
from pbem.games.crusade.data.facts import LOT, LOTS, odd_fact
from pbem.games.crusade.data.impossible import LOST_AS, SPECIAL, impossible
from pbem.games.crusade.data.parts import Printed, holders
from pbem.games.crusade.options import in_force, options
from pbem.games.crusade.position import STACKING_LIMIT
from pbem.games.crusade.rules.options_replacements import CAPTURED
from pbem.games.crusade.stages.setup import PLACES
from pbem.messages import Said, WrittenNumber, say, say_many
from pbem.problems import Problem
from pbem.text.wording import did_you_mean, quoted
from pbem.text.yamlsource import Path

BEACHES = {
    "beach_head_mallorca": "mallorca", "beach_head_plan_p": "", "beach_head_nationalist": "",
}  # fmt: skip
"""The beach heads, and where each leads; empty: to a space that was chosen."""


def scenario_problems(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario, with what it shares with another in it."""
    if plain["last_turn"] < plain["first_turn"]:
        message = say("it ends on turn {last_turn}, before it begins", last_turn=plain["last_turn"])
        yield folder.problem(file, ("last_turn",), "turn-order", message)
    if plain["victory"]["nationalist_min"] <= plain["victory"]["republican_max"]:
        message = say("the victory limits overlap")
        yield folder.problem(file, ("victory", "republican_max"), "victory-limits", message)
    yield from _options(folder, file, plain)
    if "begins" in plain:
        yield from _begins(folder, file, plain["begins"])
    yield from _markers(folder, file, plain["markers"], agreed(plain))
    yield from _control(folder, file, plain["control"])
    for side in folder.sides:
        yield from _units(folder, file, side, plain)
    yield from _decks(folder, file, plain["decks"], agreed(plain))
    yield from _lots(folder, file, plain)
    yield from impossible(folder, file, plain)


def _options(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Options that exist, and that games may have together."""
    known = {each.id: each for each in options()}
    listed = plain.get("options", ())
    for index, name in enumerate(listed):
        path: Path = ("options", index)
        message = say("there is no option {name}", name=quoted(name))
        yield from folder.unknown(file, path, name, known, "unknown-option", message)
        if name not in known:
            continue
        for other in known[name].excludes:
            if other in listed[:index]:
                message = say("{name} and {other} exclude each other", name=name, other=other)
                yield folder.problem(file, path, "options", message)
        for other in known[name].needs:
            if other not in listed:
                message = say("{name} needs {other} too", name=name, other=other)
                yield folder.problem(file, path, "options", message)


def _begins(folder: Printed, file: str, begins: Mapping[str, Any]) -> Iterator[Problem]:
    """Every round before the first has an action of its side."""
    sides = folder.sides
    for side, done in begins.get("actions", {}).items():
        before = begins["round"] - 1
        if sides.index(side) < sides.index(begins["side"]):
            before += 1
        if len(done) != before:
            message = say(
                "{actions} of the {side} side, but {rounds} of it are over", side=side,
                actions=say_many("number", "{number} action", "{number} actions",
                                 number=len(done) or WrittenNumber("no", 0)),
                rounds=say_many("number", "{number} round", "{number} rounds",
                                number=before or WrittenNumber("no", 0)),
            )  # fmt: skip
            yield folder.problem(file, ("begins", "actions", side), "actions", message)


def _markers(
    folder: Printed, file: str, markers: Mapping[str, Any], agreed_on: frozenset[str]
) -> Iterator[Problem]:
    sieges = {siege["id"]: siege for siege in folder.value("tables")["sieges"]}
    for name, resistance in markers["sieges"].items():
        path: Path = ("markers", "sieges", name)
        if name not in sieges:
            message = say("no siege is named {name}", name=quoted(name))
            yield folder.problem(file, path, "unknown-siege", message, did_you_mean(name, sieges))
        elif resistance > sieges[name]["resistance"]:
            message = say(
                "{name} starts at {resistance} and cannot have more",
                name=name,
                resistance=sieges[name]["resistance"],
            )
            yield folder.problem(file, path, "siege-resistance", message)
    isolated = folder.value("tables")["isolated_spaces"]["spaces"]
    for index, space in enumerate(markers["isolated"]):
        path = ("markers", "isolated", index)
        yield from folder.unknown_space(file, path, space)
        if space in folder.spaces and space not in isolated:
            yield folder.problem(
                file, path, "isolated", say("{space} is not an Isolated Space", space=space)
            )
    yield from _further_markers(folder, file, markers, agreed_on)


def _further_markers(
    folder: Printed, file: str, markers: Mapping[str, Any], agreed_on: frozenset[str]
) -> Iterator[Problem]:
    """The markers that only a scenario beginning in the middle of a war may have."""
    for index, flag in enumerate(markers.get("flags", ())):
        for code, message, hint in odd_fact(flag, markers["flags"][:index], folder.last_turn):
            yield folder.problem(file, ("markers", "flags", index), code, message, hint)
    for name, lost in markers.get("lost_trenches", {}).items():
        path: Path = ("markers", "lost_trenches", name)
        there = folder.value("tables")["construction"]["markers"]
        captured = {f"{CAPTURED}{side}": side for side in folder.sides}
        if name in captured and "18.2.10" not in agreed_on:
            message = say("no works are captured without 18.2.10")
            hint = say("with {option} there are: write options: [{option}]", option="rule_18_2_10")
            yield folder.problem(file, path, "unknown-trench", message, hint)
        elif name not in {**LOST_AS, **captured}:
            hint = did_you_mean(name, LOST_AS)
            message = say("no special Trench is called {name}", name=quoted(name))
            yield folder.problem(file, path, "unknown-trench", message, hint)
        elif lost > (most := there[captured.get(name) or f"{SPECIAL}{LOST_AS[name]}"]):
            yield folder.problem(
                file, path, "trenches", say("{name} has only {most}", name=name, most=most)
            )
    for key in ("digging", "counterattacks"):
        for space in markers.get(key, {}):
            yield from folder.unknown_space(file, ("markers", key, space), space)
    for space, card in markers.get("counterattacks", {}).items():
        yield from folder.unknown_card(file, ("markers", "counterattacks", space), card)
    for key in ("beach_heads", "deadlines"):
        for beach in markers.get(key, {}):
            if beach not in BEACHES:
                message = say("no beach head is called {beach}", beach=quoted(beach))
                hint = did_you_mean(beach, BEACHES)
                yield folder.problem(file, ("markers", key, beach), "unknown-beach", message, hint)
    for beach, leads_to in markers.get("beach_heads", {}).items():
        path = ("markers", "beach_heads", beach)
        yield from folder.unknown_space(file, path, leads_to)
        if BEACHES.get(beach) and BEACHES[beach] != leads_to:
            message = say("{beach} leads to {beaches}", beach=beach, beaches=BEACHES[beach])
            yield folder.problem(file, path, "beach", message)


def _control(folder: Printed, file: str, control: Mapping[str, Any]) -> Iterator[Problem]:
    for side, gains in control.items():
        for index, space in enumerate(gains):
            path: Path = ("control", side, index)
            yield from folder.unknown_space(file, path, space)
            if folder.spaces.get(space, {}).get("control") == side:
                message = say("{space} is already {side} on the map", space=space, side=side)
                yield folder.problem(file, path, "control", message)


def _units(folder: Printed, file: str, side: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    held, units = holders(folder, plain), plain["units"][side]
    at: Path = ("units", side)
    pool: Counter[str] = Counter()
    seen: set[str] = set()
    for index, row in enumerate(units["map"]):
        path, space = (*at, "map", index), row["space"]
        yield from folder.unknown_space(file, (*path, "space"), space)
        if held.get(space, side) != side:
            message = say(
                "{space} is {held}, so no {side} unit can be there",
                space=space,
                held=held[space],
                side=side,
            )
            yield folder.problem(file, (*path, "space"), "enemy-space", message)
        if space in seen:
            message = say("{space} is named twice", space=space)
            yield folder.problem(file, (*path, "space"), "doubled-space", message)
        seen.add(space)
        yield from _rows(folder, file, side, (*path, "units"), row["units"], pool)
        standing = sum(entry["count"] for entry in row["units"])
        if standing > STACKING_LIMIT:
            message = say(
                "{space} has {units} units; the limit is {limit}",
                space=space,
                units=standing,
                limit=STACKING_LIMIT,
            )
            yield folder.problem(file, (*path, "units"), "stacking", message)
    for box in PLACES:
        yield from _rows(folder, file, side, (*at, box), units.get(box, ()), pool)


def _rows(
    folder: Printed, file: str, side: str, path: Path, rows: Any, pool: Counter[str]
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
            message = say(
                "there are {count} {name} in all, and this is number {pool}",
                count=known["count"],
                name=name,
                pool=pool[name],
            )
            yield folder.problem(file, (*path, index), "pool", message)
        if row["reduced"] and known["reduced"] is None:
            message = say("{name} has no reduced side", name=name)
            yield folder.problem(file, (*path, index, "reduced"), "steps", message)


PILES = ("removed", "discards", "retained")


def _decks(
    folder: Printed, file: str, decks: Mapping[str, Any], agreed_on: frozenset[str]
) -> Iterator[Problem]:
    phases = decks["phases"]
    for side in folder.sides:
        placed: dict[str, str] = {}
        hand = decks["hands"][side]
        lists: list[tuple[str, Path, Any]] = [
            (pile, ("decks", pile, side), decks.get(pile, {}).get(side, ())) for pile in PILES
        ]
        lists.append(("hand", ("decks", "hands", side, "fixed"), hand["fixed"]))
        for pile, at, names in lists:
            for index, name in enumerate(names):
                yield from _card_of(folder, file, (*at, index), side, name, phases, agreed_on)
                if name in placed:
                    message = say(
                        "{name} is in two places: {placed} and {pile}",
                        name=name,
                        placed=placed[name],
                        pile=pile,
                    )
                    yield folder.problem(file, (*at, index), "card-twice", message)
                placed[name] = pile
        for index, name in enumerate(decks.get("played", {}).get(side, ())):
            at = ("decks", "played", side, index)
            yield from _card_of(folder, file, at, side, name, phases, agreed_on)
        cards = folder.cards.values()
        held = [c for c in cards if c["side"] == side and enters(c, phases, agreed_on)]
        left = len(held) - len(placed)
        if hand["random"] > left:
            message = say_many(
                "random",
                "{random} card is drawn, but there are only {left}",
                "{random} cards are drawn, but there are only {left}",
                random=hand["random"],
                left=max(left, 0),
            )
            yield folder.problem(file, ("decks", "hands", side, "random"), "too-few", message)


def _lots(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """18.5: only one card of each lot is in the game, unless all of them are added."""
    if "18.5/free" in agreed(plain):
        return
    decks, flags = plain["decks"], plain["markers"].get("flags", ())
    for lot in LOTS:
        told = [card for card in lot if f"{LOT}{card}" in flags]
        for side in folder.sides:
            named: list[tuple[Path, str]] = [
                (("decks", pile, side, at), card) for pile in (*PILES, "played")
                for at, card in enumerate(decks.get(pile, {}).get(side, ()))
            ]  # fmt: skip
            fixed = enumerate(decks["hands"][side]["fixed"])
            named += [(("decks", "hands", side, "fixed", at), card) for at, card in fixed]
            for path, card in named:
                if card in lot and card not in told:
                    told.append(card)
                    if len(told) > 1:
                        message = say(
                            "{other} and {card} are cards of the same lot (18.5)",
                            other=told[0], card=card,
                        )  # fmt: skip
                        hint = say("only one of {lot} is in the deck", lot=", ".join(lot))
                        yield folder.problem(file, path, "card-lot", message, hint)


def _card_of(
    folder: Printed, file: str, path: Path, side: str, name: str, phases: list[str],
    agreed_on: frozenset[str],
) -> Iterator[Problem]:  # fmt: skip
    """A card must be in the side's decks that are in play."""
    yield from folder.unknown_card(file, path, name)
    card = folder.cards.get(name)
    if card and card["side"] != side:
        yield folder.problem(
            file, path, "card-side", say("{name} is not a {side} card", name=name, side=side)
        )
    elif card and not enters(card, phases, agreed_on):
        message = say(
            "{name} is a card of {phase}, which is not in play", name=name, phase=card["phase"]
        )
        yield folder.problem(file, path, "card-phase", message, _with_which(card, phases))


def _with_which(card: Mapping[str, Any], phases: list[str]) -> Said:
    """The options under which the card would be in play."""
    for each in options():
        if enters(card, phases, in_force([each.id])):
            return say("with {option} it is: write options: [{option}]", option=each.id)
    return ""
