"""Positions that no game can reach, though every name and sum in them is right."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from pbem.gamedata.where import stem
from pbem.games.crusade.data.agreed import agreed
from pbem.games.crusade.data.parts import Printed, holders
from pbem.games.crusade.orders import USES
from pbem.games.crusade.position import ROUNDS
from pbem.games.crusade.rules.options_replacements import CAPTURED
from pbem.games.crusade.rules.options_supply import CORRIDOR, OVIEDO
from pbem.games.crusade.rules.replacement import AID
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.stages.setup import PLACES, starting_position
from pbem.games.crusade.tables import NATIONALIST, SIDES
from pbem.messages import Said, WrittenNumber, say, say_many
from pbem.problems import Problem
from pbem.text.wording import did_you_mean, quoted
from pbem.text.yamlsource import Path

SPECIAL = "special_trench_"
LOST_AS = {"madrid": "madrid", "bilbao": "bilbao", "works": "fortifications"}
"""The special Trenches: as `lost_trenches` names them, and as their markers are called."""
NOT_TWICE_RUNNING = {"replacements": "8.4.3", "redeployment": "8.3.3"}
WITHDRAWAL = "N44"
"""The card that sends the International Brigades home."""
"""The turn before which the initial corps come (15.2.1)."""
MARKS = frozenset({
    "counterattack", "communist_interference", "french_threat", "guerrilla_met", "sabotage",
    "last_mobilization", "reinforcement_nationalist", "reinforcement_axis",
    "reinforcement_republican", "reinforcement_soviet", "no_NAT", "no_AXIS", "no_REP", "no_SOV",
})  # fmt: skip
"""Marks of a turn that are one word."""
MARKS_WITH_A_NAME = {
    "operations_nationalist_": "card", "operations_republican_": "card", "adds_points_": "card",
    "victorious/": "space", "sent_to_": "space", "guerrilla_in_": "space",
}  # fmt: skip
"""Marks of a turn that end in a card or a space."""


def impossible(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a whole scenario that only the rules of the game reveal."""
    held = holders(folder, plain)
    played = _played(plain)
    yield from _works(folder, file, plain)
    yield from _ground(folder, file, plain, held)
    yield from _times(folder, file, plain, held)
    yield from _points(folder, file, plain, played)
    for side in folder.sides:
        yield from _units(folder, file, side, plain, played)
        yield from _cards(folder, file, side, plain)
    yield from _phases(folder, file, plain)
    yield from _begun(folder, file, plain)


def _played(plain: Mapping[str, Any]) -> frozenset[str]:
    """The events that have happened."""
    piles = (plain["decks"]["removed"], plain["decks"].get("played", {}))
    return frozenset(card for pile in piles for cards in pile.values() for card in cards)


# --- works --------------------------------------------------------------------------------------


def _works(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """10.2.9: no more markers than there are, captured ones counted (18.2.10); the special ones are
    Republican and where they belong.
    """
    there = folder.value("tables")["construction"]["markers"]
    lost = plain["markers"].get("lost_trenches", {})
    special = Counter({f"{SPECIAL}{LOST_AS[n]}": lost[n] for n in lost if n in LOST_AS})
    for side in folder.sides:
        usual = lost.get(f"{CAPTURED}{side}", 0)
        for index, row in enumerate(plain["units"][side]["map"]):
            for at, marker in enumerate(row.get("markers", ())):
                path: Path = ("units", side, "map", index, "markers", at)
                if not marker.startswith(SPECIAL):
                    usual += 1
                    if usual == there[side] + 1:
                        message = say(
                            "the {side} side has {there} Positions and Trenches in all",
                            side=side,
                            there=there[side],
                        )
                        yield folder.problem(file, path, "pool", message)
                    continue
                special[marker] += 1
                if special[marker] == there[marker] + 1:
                    message = say(
                        "there are only {there} of {marker}, including lost ones",
                        there=there[marker],
                        marker=marker,
                    )
                    yield folder.problem(file, path, "pool", message)
                for fault in _misplaced(folder, side, marker, row["space"]):
                    yield folder.problem(file, path, "special-trench", fault)


def _misplaced(folder: Printed, side: str, marker: str, space: str) -> Iterator[Said]:
    if side != "republican":
        yield say("{marker} is Republican (10.2.9)", marker=marker)
    home = marker.removeprefix(SPECIAL)
    near = {home, *_neighbours(folder, home)} if home == "madrid" else {home}
    if home in folder.spaces and space not in near:
        yield say(
            "{marker} belongs in Madrid and next to it, not in {space}" if home == "madrid"
            else "{marker} belongs in Bilbao, not in {space}",
            marker=marker, space=space,
        )  # fmt: skip


def _neighbours(folder: Printed, space: str) -> Iterator[str]:
    for link in folder.value("map")["connections"]:
        if space in (link["a"], link["b"]):
            yield link["b"] if link["a"] == space else link["a"]


# --- ground -------------------------------------------------------------------------------------


def _ground(
    folder: Printed, file: str, plain: Mapping[str, Any], held: Mapping[str, str]
) -> Iterator[Problem]:
    """Sieges, isolation, Badajoz, digging: only on ground of the side they belong to."""
    markers = plain["markers"]
    sieges = {each["id"]: each["space"] for each in folder.value("tables")["sieges"]}
    for name in markers["sieges"]:
        space = sieges.get(name, "")
        if held.get(space) == "nationalist" and _is_supplied(folder, file, space):
            message = say(
                "{siege} is Nationalist and in supply, so there is no siege there (16.1.3)",
                siege=space,
            )
            path: Path = ("markers", "sieges", name)
            yield folder.problem(file, path, "siege", message)
    for index, space in enumerate(markers["isolated"]):
        if held.get(space) == "republican":
            message = say(
                "{space} is Republican, so it is no longer isolated (16.2.2)", space=space
            )
            yield folder.problem(file, ("markers", "isolated", index), "isolated", message)
    source = next((s["id"] for s in folder.spaces.values() if s.get("source") == "badajoz"), "")
    if markers["badajoz"] and held.get(source) == "nationalist" and not _is_first_edition(plain):
        message = say(
            "{source} is Nationalist, so it is no longer a Republican source (13.2.4.2)",
            source=source,
        )
        yield folder.problem(file, ("markers", "badajoz"), "source", message)
    occupied = {
        row["space"] for side in plain["units"].values() for row in side["map"] if row["units"]
    }
    for space in markers.get("digging", {}) if _has_a_round_ended(folder, plain) else ():
        if space in folder.spaces and space not in occupied:
            message = say("{space} has no units, so nothing is stored there (10.2.2)", space=space)
            yield folder.problem(file, ("markers", "digging", space), "digging", message)
    yield from _guests(folder, file, plain)


def _has_a_round_ended(folder: Printed, plain: Mapping[str, Any]) -> bool:
    """Whether an Action Round of this turn is over: what failed rolls left in a space whose units
    went at the end of the turn before is removed then.
    """
    begins = plain.get("begins")
    return begins is not None and (begins["round"], begins["side"]) != (1, folder.sides[0])


def _is_first_edition(plain: Mapping[str, Any]) -> bool:
    """Whether it is played by the first edition alone, where Badajoz is a source like others."""
    return "1e" in agreed(plain) or plain.get("editions") == ["1e"]


def _is_supplied(folder: Printed, file: str, space: str) -> bool:
    """Whether Nationalists in a space are in supply as the scenario begins."""
    try:
        position = starting_position(folder.tables, stem(file), frozenset())
        return is_supplied(position, NATIONALIST, space)
    except (KeyError, StopIteration):  # another problem of the scenario, told by another check
        return False


def _guests(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Only a unit of another region, in a space of the north, can have come there by a retreat."""
    for side, boxes in plain["units"].items():
        stacks: list[tuple[tuple[str | int, ...], str, Any]] = [
            (("map", at, "units"), row["space"], row["units"])
            for at, row in enumerate(boxes["map"])
        ]
        stacks += [((box,), box, rows) for box, rows in boxes.items() if box != "map"]
        for path, place, rows in stacks:
            here = folder.spaces.get(place, {}).get("region", "")
            for index, unit in enumerate(rows):
                home = folder.types.get((side, unit["type"]), {}).get("region", "")
                if unit.get("strayed") and not (here and home and home != here):
                    message = say(
                        "no {unit} in {space} is a guest from another region (16.4.2.4)",
                        unit=unit["type"], space=place,
                    )  # fmt: skip
                    where = ("units", side, *path, index, "strayed")
                    yield folder.problem(file, where, "strayed", message)


def _corridor_is_open(plain: Mapping[str, Any], held: Mapping[str, str]) -> bool:
    return "18.2.3" in agreed(plain) and all(held.get(s) == "nationalist" for s in CORRIDOR)


def _times(
    folder: Printed, file: str, plain: Mapping[str, Any], held: Mapping[str, str]
) -> Iterator[Problem]:
    """Things that end with the War of the Columns are not there afterwards (6.0.F.2, 17.0)."""
    last, turn = folder.value("tables")["isolated_spaces"]["last_turn"], plain["first_turn"]
    if turn <= last:
        return
    for index, space in enumerate(plain["markers"]["isolated"]):
        if space == OVIEDO and _corridor_is_open(plain, held):
            continue
        message = say(
            "isolation ends with turn {last}, and this scenario begins on turn {turn} (16.2.1)",
            last=last,
            turn=turn,
        )
        hint: Said = ""
        if space == OVIEDO:
            hint = say(
                "not with the corridor (18.2.3): write options: [rule_18_2_3], with {spaces} "
                "Nationalist",
                spaces=tuple(sorted(CORRIDOR)),
            )
        yield folder.problem(file, ("markers", "isolated", index), "isolated", message, hint)
    if plain["markers"]["shortage"]:
        message = say(
            "the shortage ends with turn {last}, and this scenario begins on turn {turn} (17.0)",
            last=last,
            turn=turn,
        )
        yield folder.problem(file, ("markers", "shortage"), "shortage", message)


def _points(
    folder: Printed, file: str, plain: Mapping[str, Any], played: frozenset[str]
) -> Iterator[Problem]:
    for currency, points in plain["markers"]["rp"].items():
        card = AID.get(currency, "")
        if points and card and card not in played:
            message = say(
                "no {currency} points are recorded before {card} is played (8.4.1)",
                currency=currency,
                card=card,
            )
            path = ("markers", "rp", currency)
            hint = say(
                "write {card} under decks.played or decks.removed, or the points as null", card=card
            )
            yield folder.problem(file, path, "points", message, hint)


# --- units --------------------------------------------------------------------------------------


def _units(
    folder: Printed, file: str, side: str, plain: Mapping[str, Any], played: frozenset[str]
) -> Iterator[Problem]:
    units = plain["units"][side]
    for index, row in enumerate(units["map"]):
        for at, entry in enumerate(row["units"]):
            path: Path = ("units", side, "map", index, "units", at)
            for code, message in _on_the_map(folder, side, entry, row["space"], plain):
                yield folder.problem(file, path, code, message)
            yield from _not_yet(folder, file, path, side, entry, plain, played)
    for box in PLACES:
        for index, entry in enumerate(units.get(box, ())):
            path = ("units", side, box, index)
            for code, message in _in_a_box(folder, side, entry, box):
                yield folder.problem(file, path, code, message)
            if box != "removed":
                yield from _not_yet(folder, file, path, side, entry, plain, played)


def _on_the_map(
    folder: Printed, side: str, entry: Mapping[str, Any], space: str, plain: Mapping[str, Any]
) -> Iterator[tuple[str, Said]]:
    known, ground = folder.types.get((side, entry["type"])), folder.spaces.get(space, {})
    beaches = plain["markers"].get("beach_heads", {})
    if ground.get("dormant") and space not in beaches:
        yield (
            "beach",
            say(
                "{space} is not on the map: it is not listed under markers.beach_heads", space=space
            ),
        )
    shore = folder.spaces.get(beaches.get(space, space), {})
    heavy = known and (known["size"] == "corps" or "armor" in known["tags"])
    if heavy and shore.get("balearic"):
        yield (
            "islands",
            say(
                "{type} never comes to the Balearic Islands (8.5.2.4, 12.1.10)", type=entry["type"]
            ),
        )
    if known and "international" in known["tags"] and WITHDRAWAL in _played(plain):
        yield (
            "withdrawn",
            say(
                "{type} left the game when {withdrawal} was played",
                type=entry["type"],
                withdrawal=WITHDRAWAL,
            ),
        )


def _in_a_box(
    folder: Printed, side: str, entry: Mapping[str, Any], box: str
) -> Iterator[tuple[str, Said]]:
    known = folder.types.get((side, entry["type"]))
    if known is None:
        return
    if box in ("morocco", "waiting") and "army_of_africa" not in known["tags"]:
        yield "morocco", say("{type} is not an Army of Africa unit (17.6)", type=entry["type"])
    if box == "abroad" and "regional" in known["tags"]:
        yield (
            "abroad",
            say(
                "{type} is a regional unit and never crosses a border (13.4.3.1)",
                type=entry["type"],
            ),
        )
    if box == "reserve" and known["size"] == "corps":
        yield (
            "reserve",
            say("{type} is a corps and never goes to the Reserve Box (12.1.9)", type=entry["type"]),
        )


def _not_yet(
    folder: Printed, file: str, path: Path, side: str, entry: Mapping[str, Any],
    plain: Mapping[str, Any], played: frozenset[str],
) -> Iterator[Problem]:  # fmt: skip
    """A corps is there only once its card is played, the initial ones with the Mobilization."""
    known = folder.types.get((side, entry["type"]))
    if known is None or known["size"] != "corps":
        return
    name, card, turn = entry["type"], known.get("card", ""), plain["first_turn"]
    phases = {row["id"]: row["first_turn"] for row in folder.value("tables")["phases"]}
    if known.get("initial") and turn < phases["mobilization"]:
        first = phases["mobilization"]
        message = say(
            "{name} comes before turn {first}, and this scenario begins on turn {turn}",
            name=name,
            first=first,
            turn=turn,
        )
        yield folder.problem(
            file, path, "corps-too-soon", say("{message} (15.2.1)", message=message)
        )
    elif card and card not in played:
        message = say("{name} comes by {card}, which has not been played", name=name, card=card)
        hint = say("write {card} under decks.played or decks.removed", card=card)
        yield folder.problem(file, path, "corps-too-soon", message, hint)


# --- cards --------------------------------------------------------------------------------------


def _cards(folder: Printed, file: str, side: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    decks = plain["decks"]
    removed = decks["removed"][side]
    for index, card in enumerate(decks.get("played", {}).get(side, ())):
        if card in removed:
            message = say("{card} is removed, which already says that it was played", card=card)
            yield folder.problem(file, ("decks", "played", side, index), "card-twice", message)
    for index, name in enumerate(decks.get("retained", {}).get(side, ())):
        for fault in _not_retained(folder.cards.get(name), plain):
            path = ("decks", "retained", side, index)
            yield folder.problem(file, path, "retained", fault)


def _not_retained(card: Mapping[str, Any] | None, plain: Mapping[str, Any]) -> Iterator[Said]:
    """8.5.3.2: a combat card that won this turn, and may be used again."""
    if card is None:
        return
    if card["kind"] != "combat":
        yield say("{id} is not a combat card, so it cannot be retained (8.5.3.2)", id=card["id"])
    elif card.get("asterisk"):
        yield say(
            "{id} leaves the game when it is used, so it cannot be retained (8.5.3.2)",
            id=card["id"],
        )
    elif card.get("params", {}).get("once_per_turn"):
        yield say("{id} can be used once a turn, so it cannot be retained (8.5.3.2)", id=card["id"])
    elif "begins" not in plain:
        yield say("{id} was discarded at the end of the previous turn (8.5.3.5)", id=card["id"])


def _phases(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """15.1: the deck holds the cards of the phase that is played and of those before it."""
    turn = plain["first_turn"]
    firsts = {row["id"]: row["first_turn"] for row in folder.value("tables")["phases"]}
    due = [name for name in firsts if name != "optional" and firsts[name] <= turn]
    for index, phase in enumerate(plain["decks"]["phases"]):
        if firsts.get(phase, turn) > turn:
            message = say(
                "the {phase} cards arrive on turn {first}, and this scenario begins on turn {turn}",
                phase=phase,
                first=firsts[phase],
                turn=turn,
            )
            yield folder.problem(file, ("decks", "phases", index), "deck-phase", message)
    for phase in due:
        if phase not in plain["decks"]["phases"]:
            message = say(
                "on turn {turn} the {phase} cards are in the decks (15.1)", turn=turn, phase=phase
            )
            yield folder.problem(file, ("decks", "phases"), "deck-phase", message)


# --- where it begins ----------------------------------------------------------------------------


def _begun(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    begins = plain.get("begins")
    if begins is None:
        return
    if "actions" not in begins and _has_a_round_ended(folder, plain):
        message = say("the actions of earlier rounds are missing")
        hint = say("actions: {nationalist: [...], republican: [...]}")
        yield folder.problem(file, ("begins",), "actions", message, hint)
    for side, done in begins.get("actions", {}).items():
        for index in range(1, len(done)):
            rule = NOT_TWICE_RUNNING.get(done[index])
            if rule and done[index] == done[index - 1]:
                message = say(
                    "two consecutive rounds may not both be for {done} ({rule})",
                    done=done[index],
                    rule=rule,
                )
                path: Path = ("begins", "actions", side, index)
                yield folder.problem(file, path, "actions", message)
    for index, mark in enumerate(begins.get("marks", ())):
        if not is_mark(mark, folder):
            message = say("no mark is called {mark}", mark=quoted(mark))
            near = did_you_mean(mark, _all_marks(tuple(folder.cards), tuple(folder.spaces)))
            yield folder.problem(file, ("begins", "marks", index), "unknown-mark", message, near)
    yield from _too_many_plays(folder, file, begins)


def _too_many_plays(folder: Printed, file: str, begins: Mapping[str, Any]) -> Iterator[Problem]:
    """`operations_...` tells of an event that counts in winter; a round of operations just does."""
    for side, done in begins.get("actions", {}).items():
        told = [
            index
            for index, mark in enumerate(begins.get("marks", ()))
            if mark.startswith(f"operations_{side}_")
        ]
        events = sum(action == "event" for action in done)
        for index in told[events:]:
            message = say(
                "the {side} side has played {events}, so this is one too many",
                side=side,
                events=say_many(
                    "events",
                    "{events} event",
                    "{events} events",
                    events=events or WrittenNumber("no", 0),
                ),
            )
            hint = say("a round of operations is counted automatically")
            yield folder.problem(file, ("begins", "marks", index), "marks", message, hint)


def is_mark(mark: str, folder: Printed) -> bool:
    """Whether the rules know what this mark of a turn means."""
    return mark in _all_marks(tuple(folder.cards), tuple(folder.spaces))


@cache
def _all_marks(cards: tuple[str, ...], spaces: tuple[str, ...]) -> frozenset[str]:
    names = {"card": cards, "space": spaces}
    found = {f"{start}{name}" for start, kind in MARKS_WITH_A_NAME.items() for name in names[kind]}
    found |= {
        f"may_not_play_for_{use}/{side}/{number}"
        for use in USES for side in SIDES for number in range(1, ROUNDS + 1)
    }  # fmt: skip
    found |= {
        f"no_combat/{side}/{number}/{space}"
        for side in SIDES for number in range(1, ROUNDS + 1) for space in spaces
    }  # fmt: skip
    return MARKS | found
