"""Cross-checks of map, units, cards and charts: names that exist, sums that come out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.games.crusade.data.parts import SIDE_OF_LETTER, Printed
from pbem.messages import Said, WrittenNumber, say, say_many
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path

KINDS_OF_SIDE = {"nationalist": ("nationalist", "axis"), "republican": ("republican", "soviet")}

SPACES_OF_THE_RULES = frozenset({
    "algeciras", "badajoz", "barcelona", "beach_head_mallorca", "beach_head_nationalist",
    "beach_head_plan_p", "bilbao", "burgos", "cadiz", "gijon", "huelva", "la_coruna", "madrid",
    "mallorca", "menorca", "oviedo", "pto_de_leitariegos", "pto_de_valderrepiso", "santander",
    "sevilla", "toledo", "valladolid", "zaragoza",
})  # fmt: skip
"""Spaces that code refers to by id."""
MAY_LACK = ("spaces", "connections", "map")
"""Lists from which an owner may leave out entries; cards, types of unit and charts are whole."""
OF_EACH_SIDE = 2
SETS_OF_THE_RULES = ("sierra_of_madrid",)


def is_needed(listed: str, name: str) -> bool:
    """Whether the rules need an entry: the spaces they name, and all of a chart."""
    if listed in MAY_LACK:
        return listed == "spaces" and name in SPACES_OF_THE_RULES
    return True


def crossed(folder: Printed) -> Iterator[Problem]:
    """Every problem between map, units, cards and tables."""
    yield from folder.doubled("map.yaml", "spaces")
    yield from folder.doubled("units.yaml", "types", within="side")
    yield from folder.doubled("cards.yaml", "cards")
    yield from _currencies(folder)
    yield from _connections(folder)
    yield from _spaces(folder)
    yield from _names_of_spaces(folder)
    yield from _types(folder)
    yield from _cards(folder)
    yield from _deck_sizes(folder)
    yield from _tables(folder)
    yield from _fire(folder)


# ------------------------------------------------------------------- the map


def _connections(folder: Printed) -> Iterator[Problem]:
    seen: dict[frozenset[str], str] = {}
    for index, link in enumerate(folder.value("map")["connections"]):
        path: Path = ("connections", index)
        for end in ("a", "b"):
            yield from folder.unknown_space("map.yaml", (*path, end), link[end])
        ends = frozenset((link["a"], link["b"]))
        if len(ends) == 1:
            message = say("{what} is connected to itself", what=link["a"])
            yield folder.problem("map.yaml", path, "looped-link", message)
        elif ends in seen:
            named, other = (link["a"], link["b"]), seen[ends]
            message = say("{names} are connected twice", names=named)
            if other != link["type"]:
                message = say(
                    "{names} are connected twice, once as {other}", names=named, other=other
                )
            hint = say("write each connection once; it goes both ways")
            yield folder.problem("map.yaml", path, "doubled-link", message, hint)
        seen[ends] = link["type"]


def _spaces(folder: Printed) -> Iterator[Problem]:
    linked = {end for link in folder.value("map")["connections"] for end in (link["a"], link["b"])}
    for index, space in enumerate(folder.value("map")["spaces"]):
        path: Path = ("spaces", index)
        if space["id"] not in linked and not (space.get("balearic") or space.get("dormant")):
            message = say("{id} has no connection to any space", id=space["id"])
            yield folder.problem("map.yaml", path, "unlinked-space", message)
        if space.get("port") and "coast" not in space:
            message = say("{id} has a port but no coast", id=space["id"])
            yield folder.problem("map.yaml", (*path, "port"), "port-inland", message)
        if space.get("main_city") and "vp" not in space:
            message = say("{id} is a Main City but is worth no Victory Points", id=space["id"])
            yield folder.problem("map.yaml", (*path, "main_city"), "city-without-vp", message)


def _names_of_spaces(folder: Printed) -> Iterator[Problem]:
    plain = folder.value("map")
    for name, named in plain["named_sets"].items():
        for index, space in enumerate(named["spaces"]):
            yield from folder.unknown_space(
                "map.yaml", ("named_sets", name, "spaces", index), space
            )
    for name in SETS_OF_THE_RULES:
        if name not in plain["named_sets"]:
            message = say("the rules need the set {name}", name=quoted(name))
            yield folder.problem("map.yaml", ("named_sets",), "needed", message)
    names = {space["name"]: space["id"] for space in plain["spaces"]}
    for alias, space in plain["aliases"].items():
        yield from folder.unknown_space("map.yaml", ("aliases", alias), space)
        if names.get(alias, space) != space:
            message = say(
                "{alias} is already the name of {name}", alias=quoted(alias), name=names[alias]
            )
            yield folder.problem("map.yaml", ("aliases", alias), "taken-name", message)


# ------------------------------------------------------------------- the units


def _types(folder: Printed) -> Iterator[Problem]:
    for index, each in enumerate(folder.value("units")["types"]):
        path: Path = ("types", index)
        for key, code, message in _odd_type(folder, each):
            yield folder.problem("units.yaml", (*path, key), code, message)
        if "counts_as" in each:
            yield from folder.unknown_type(
                "units.yaml", (*path, "counts_as"), each["side"], each["counts_as"]
            )
        if "card" in each:
            yield from folder.unknown_card("units.yaml", (*path, "card"), each["card"])
        for at, source in enumerate(each.get("enters", ())):
            if source["by"][0] in SIDE_OF_LETTER:
                yield from folder.unknown_card(
                    "units.yaml", (*path, "enters", at, "by"), source["by"]
                )


def _odd_type(folder: Printed, each: Mapping[str, Any]) -> Iterator[tuple[str, str, Said]]:
    """The contradictions within one unit type: key, code, message."""
    name = each["id"]
    if (each["reduced"] is None) != (each["steps"] == 1):
        steps = say_many("steps", "{steps} step", "{steps} steps", steps=each["steps"])
        message = say(
            "{name} has {steps}, so its reduced side must be null", name=name, steps=steps
        )
        if each["reduced"] is None:
            message = say(
                "{name} has {steps}, so its reduced side is needed", name=name, steps=steps
            )
        yield "reduced", "steps", message
    if ("region" in each) != ("regional" in each["tags"]):
        yield (
            "tags",
            "regional",
            say("{name}: 'regional' needs a region, and a region needs 'regional'", name=name),
        )
    if ("deploy" in each) != (each["size"] == "corps"):
        yield (
            "size",
            "deploy",
            say("{name}: a corps, and only a corps, must say where it deploys", name=name),
        )
    for currency in each["rp"]:
        if folder.currencies.get(currency) != each["side"]:
            yield (
                "rp",
                "currency",
                say(
                    "{currency} does not pay for any {side} unit",
                    currency=currency,
                    side=each["side"],
                ),
            )
    coming = sum(source["count"] for source in each.get("enters", ()))
    if coming > each["count"]:
        yield (
            "enters",
            "pool",
            say(
                "{coming} {name} come by cards, but there are only {count}",
                coming=coming,
                name=name,
                count=each["count"],
            ),
        )


# ------------------------------------------------------------------- the cards


def _cards(folder: Printed) -> Iterator[Problem]:
    for index, card in enumerate(folder.value("cards")["cards"]):
        path: Path = ("cards", index)
        for key in ("needs", "blocked_by"):
            for at, name in enumerate(card.get(key, ())):
                yield from folder.unknown_card("cards.yaml", (*path, key, at), name)
        for key in ("corps", "removes_division"):
            for at, name in enumerate(card.get(key, ())):
                yield from folder.unknown_type("cards.yaml", (*path, key, at), card["side"], name)
        for name in card.get("control", {}):
            yield from folder.unknown_space("cards.yaml", (*path, "control", name), name)
        for key, code, message in _odd_card(folder, card):
            yield folder.problem("cards.yaml", (*path, key), code, message)
        yield from _named_in_params(folder, path, card.get("params", {}))


def _odd_card(folder: Printed, card: Mapping[str, Any]) -> Iterator[tuple[str, str, Said]]:
    """The contradictions within one card: key, code, message."""
    name, side = card["id"], card["side"]
    if SIDE_OF_LETTER[name[0]] != side:
        yield "side", "side", say("{name} has the letter of the other side", name=name)
    if (card["kind"] == "reinforcement") != ("reinforcement" in card):
        yield (
            "kind",
            "reinforcement",
            say("{name}: only a reinforcement card may have 'reinforcement'", name=name),
        )
    if card.get("reinforcement", side) not in KINDS_OF_SIDE[side]:
        yield (
            "reinforcement",
            "side",
            say(
                "{name}: {reinforcement} belongs to the other side",
                name=name,
                reinforcement=card["reinforcement"],
            ),
        )
    for currency in card["rp"]:
        if folder.currencies.get(currency) != side:
            yield (
                "rp",
                "currency",
                say(
                    "{name}: {currency} is not a currency of the {side} side",
                    name=name,
                    currency=currency,
                    side=side,
                ),
            )
    for corps in card.get("corps", ()):
        if folder.types.get((side, corps), {}).get("card") not in (None, name):
            other = folder.types[side, corps]["card"]
            yield (
                "corps",
                "corps-card",
                say(
                    "{corps} comes by {other} in units.yaml, not by {name}",
                    corps=corps,
                    other=other,
                    name=name,
                ),
            )


def _named_in_params(folder: Printed, path: Path, params: Mapping[str, Any]) -> Iterator[Problem]:
    at: Path = (*path, "params")
    spaces: list[tuple[Path, str]] = [
        (("activate", "named", i), name) for i, name in _named(params)
    ]
    ports = enumerate(params.get("ports_instead_of_mallorca", ()))
    spaces += [(("ports_instead_of_mallorca", i), name) for i, name in ports]
    for inner, name in spaces:
        yield from folder.unknown_space("cards.yaml", (*at, *inner), name)
    for inner, name in _types_named(params):
        message, known = (
            say("no unit type is named {name}", name=quoted(name)),
            [each for _, each in folder.types],
        )
        yield from folder.unknown("cards.yaml", (*at, *inner), name, known, "unknown-type", message)


def _named(params: Mapping[str, Any]) -> Iterable[tuple[int, str]]:
    return enumerate(params.get("activate", {}).get("named", ()))


def _types_named(params: Mapping[str, Any]) -> Iterator[tuple[Path, str]]:
    if "unit" in params:
        yield ("unit",), params["unit"]
    for index, name in enumerate(params.get("reduces", ())):
        yield ("reduces", index), name


def _deck_sizes(folder: Printed) -> Iterator[Problem]:
    for index, phase in enumerate(folder.value("tables")["phases"]):
        for side in folder.sides:
            found = sum(
                card["phase"] == phase["id"] and card["side"] == side
                for card in folder.cards.values()
            )
            if found != phase["cards"]:
                message = say(
                    "{phase} adds {cards} cards, but the {side} deck has {found}",
                    phase=phase["id"], cards=phase["cards"], side=side, found=found,
                )  # fmt: skip
                path = ("phases", index, "cards")
                yield folder.problem("tables.yaml", path, "deck-size", message)


# ------------------------------------------------------------------- the tables


def _tables(folder: Printed) -> Iterator[Problem]:
    tables = folder.value("tables")
    for index, siege in enumerate(tables["sieges"]):
        yield from folder.unknown_space("tables.yaml", ("sieges", index, "space"), siege["space"])
    for index, space in enumerate(tables["isolated_spaces"]["spaces"]):
        yield from folder.unknown_space("tables.yaml", ("isolated_spaces", "spaces", index), space)
    for side in folder.sides:
        for row, quota in enumerate(tables["reserve_quota"][side]):
            for index, name in enumerate(quota["types"]):
                path = ("reserve_quota", side, row, "types", index)
                yield from folder.unknown_type("tables.yaml", path, side, name)
    for index, turn in enumerate(tables["turns"]):
        if turn["turn"] != index + 1:
            message = say(
                "turn {turn} is where turn {index} is expected", turn=turn["turn"], index=index + 1
            )
            yield folder.problem("tables.yaml", ("turns", index, "turn"), "turn-order", message)


def _currencies(folder: Printed) -> Iterator[Problem]:
    """Each side has points of its own and those of its friends abroad (14.1.1)."""
    for side in folder.sides:
        theirs = [name for name, owner in folder.currencies.items() if owner == side]
        if len(theirs) != OF_EACH_SIDE:
            message = say_many(
                "number",
                "{number} currency of the {side} side, but the rules have two: its own and that "
                "of its allies",
                "{number} currencies of the {side} side, but the rules have two: its own and that "
                "of its allies",
                number=len(theirs) or WrittenNumber("no", 0), side=side,
            )  # fmt: skip
            path: Path = ("costs", "currencies")
            yield folder.problem("tables.yaml", path, "currency", message)


def _fire(folder: Printed) -> Iterator[Problem]:
    for name, table in folder.value("tables")["fire"].items():
        columns = table["columns"]
        for index, (first, last) in enumerate(columns):
            follows = columns[index - 1][1] + 1 if index else 0
            if first != follows or (last is None) != (index == len(columns) - 1):
                message = say(
                    "column {index} of the {name} table does not follow the previous one",
                    index=index + 1,
                    name=name,
                )
                path: Path = ("fire", name, "columns", index)
                yield folder.problem("tables.yaml", path, "column-gap", message)
                return
        for index, row in enumerate(table["rows"]):
            if len(row) != len(columns):
                message = say_many(
                    "number",
                    "row {index} has {number} value for {columns} columns",
                    "row {index} has {number} values for {columns} columns",
                    index=index + 1,
                    number=len(row),
                    columns=len(columns),
                )
                path = ("fire", name, "rows", index)
                yield folder.problem("tables.yaml", path, "row-length", message)
