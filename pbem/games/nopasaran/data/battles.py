"""Checks of a scenario against map and units: who stands where, who comes, and what it counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.gamedata.load import without_provenance
from pbem.games.nopasaran.data.cross import crossed
from pbem.games.nopasaran.data.parts import Extent, Printed, extent_of
from pbem.games.nopasaran.ground import Ground
from pbem.games.nopasaran.opening import begin
from pbem.games.nopasaran.rules import command
from pbem.games.nopasaran.tables import HEADQUARTERS, KINDS, Tables
from pbem.messages import Said, say
from pbem.problems import Problem
from pbem.text.wording import quoted
from pbem.text.yamlsource import Path
from pbem.value import value

SIDES = ("nationalist", "republican")
NEEDS: Mapping[str, tuple[str, ...]] = {
    "J.1": ("side",),
    "J.2": ("side", "turn", "formation", "with", "across", "die"),
    "J.3": ("side", "bridges", "turns", "damaged", "destroyed"),
    "J.4": ("turns", "river"),
    "J.5": ("side", "turn", "most", "divisions"),
    "J.6": (),
    "J.7": ("side", "corps"),
    "J.9": ("side", "level", "formations"),
    "J.10": ("units",),
    "6.6.6": ("side",),
    "20.5": (),
}
"""What each rule of a battle has to say."""
COUNTS: Mapping[str, tuple[str, ...]] = {
    "control": ("hex",),
    "road_cut": ("road", "from", "to"),
    "losses": ("each",),
    "bank_clear": ("bank",),
    "destroyed": ("bridge",),
}
"""What each kind of victory points has to say."""


def scenario_problems(folder: Printed, file: str, plain: Mapping[str, Any]) -> Iterator[Problem]:
    """Every problem of a scenario."""
    map = folder.maps.get(plain["map"])
    if map is None:
        message = say("there is no map {name}", name=quoted(plain["map"]))
        yield from folder.unknown(file, ("map",), plain["map"], folder.maps, "unknown-map", message)
        return
    whole, extent = extent_of(map), extent_of(map, plain["rows"])
    if not (whole.rows[0] <= extent.rows[0] < extent.rows[1] <= whole.rows[1]):
        message = say("the map has rows {first} to {last}", first=map["rows"][0],
                      last=map["rows"][1])  # fmt: skip
        yield folder.problem(file, ("rows",), "rows", message)
        return
    battle = JudgedScenario(folder, file, plain, extent)
    off = list(battle.off_the_map())
    yield from off
    if not off:
        found = list(battle.problems(Ground(map, plain, folder.value("tables"))))
        yield from found
        if not found and not any(crossed(folder)):
            yield from battle.without_road()


@value
class JudgedScenario:
    """A scenario, with what it is checked against."""

    folder: Printed
    file: str
    plain: Mapping[str, Any]
    extent: Extent

    def _problem(self, path: Path, code: str, message: Said, hint: Said = "") -> Problem:
        return self.folder.problem(self.file, path, code, message, hint)

    def off_the_map(self) -> Iterator[Problem]:
        """Every hex that is not part of this battle."""
        for path, hex in self._hexes():
            yield from self.folder.beyond(self.file, path, hex, self.extent)

    def _hexes(self) -> Iterator[tuple[Path, str]]:
        plain = self.plain
        for side in SIDES:
            for key in ("roads", "edge", "air"):
                for at, hex in enumerate(plain[side][key]):
                    yield (side, key, at), hex
        for at, hex in enumerate(plain["held"]):
            yield ("held", at), hex
        for index, works in enumerate(plain.get("works", ())):
            for at, hex in enumerate(works["hexes"]):
                yield ("works", index, "hexes", at), hex
        for path, _, hex in self._broken(("roads", "rails")):
            yield path, hex
        for index, stack in enumerate(plain["set_up"]):
            yield ("set_up", index, "hex"), stack["hex"]
        for index, each in enumerate(plain.get("reinforcements", ())):
            for at, hex in enumerate(each["entry"]):
                yield ("reinforcements", index, "entry", at), hex
        for index, each in enumerate(plain["points"]):
            for key in ("hex", "bank", "from", "to"):
                if key in each:
                    yield ("points", index, key), each[key]
        for index, each in enumerate(plain.get("special", ())):
            for at, hex in enumerate(each.get("across", ())):
                yield ("special", index, "across", at), hex

    def _broken(self, parts: tuple[str, ...]) -> Iterator[tuple[Path, str, str]]:
        """What is broken at first: its place in the file, its kind, and its hex or bridge."""
        for index, each in enumerate(self.plain.get("broken", ())):
            for key in parts:
                for at, where in enumerate(each.get(key, ())):
                    yield ("broken", index, key, at), key, where

    def problems(self, ground: Ground) -> Iterator[Problem]:
        """Everything else."""
        yield from self._rears(ground)
        yield from self._ruins(ground)
        yield from self._stacks(ground)
        yield from self._later(ground)
        yield from self._headquarters()
        yield from self._air()
        yield from self._special(ground)
        yield from self._points(ground)
        yield from self._levels()

    def _rears(self, ground: Ground) -> Iterator[Problem]:
        for side in SIDES:
            for key in ("roads", "edge", "air"):
                for at, hex in enumerate(self.plain[side][key]):
                    if not self.extent.is_edge(hex) and key != "roads":
                        message = say("{hex} is not on the edge of the map", hex=hex)
                        yield self._problem((side, key, at), "inside", message)
                    if key == "roads" and hex not in ground.on_roads:
                        message = say("no road runs through {hex}", hex=hex)
                        hint = say("from here a road leads to the rear [rule 6.2]")
                        yield self._problem((side, key, at), "no-road", message, hint)

    def _ruins(self, ground: Ground) -> Iterator[Problem]:
        """Only what is there is broken, in one way."""
        seen: set[tuple[str, str]] = set()
        for path, kind, where in self._broken(("bridges", "roads", "rails")):
            if kind == "bridges":
                yield from self._bridge(ground, path, where)
            elif where not in (ground.on_roads if kind == "roads" else ground.on_rails):
                message = (
                    say("no road runs through {hex}", hex=where)
                    if kind == "roads"
                    else say("no railway runs through {hex}", hex=where)
                )
                yield self._problem(path, "nothing-to-break", message)
            if (kind, where) in seen:
                message = say("{where} is listed as broken already", where=where)
                yield self._problem(path, "broken-twice", message)
            seen.add((kind, where))

    def _stacks(self, ground: Ground) -> Iterator[Problem]:
        units = self.folder.units
        for at, stack in enumerate(self.plain["set_up"]):
            path: Path = ("set_up", at, "units")
            known = []
            for number, name in enumerate(stack["units"]):
                wrong = list(self.folder.unknown_unit(self.file, (*path, number), name))
                yield from wrong
                if not wrong:
                    known.append(units[name])
                    yield from self._no_ground(ground, (*path, number), units[name], stack["hex"])
            if len({unit["side"] for unit in known}) > 1:
                message = say("units of both sides are in {hex}", hex=stack["hex"])
                yield self._problem(path, "both-sides", message)
            troops, most = sum(unit["troops"] for unit in known), ground.terrain[stack["hex"]]
            if troops > most.stacking:
                message = say("{troops} troop points are in {hex}, which holds {most}",
                              troops=troops, hex=stack["hex"], most=most.stacking)  # fmt: skip
                yield self._problem(path, "too-many", message, say("rule 8"))
            if known and not known[0]["attack"] and any(unit["attack"] for unit in known):
                message = say("the top unit of {hex} cannot attack, and another could",
                              hex=stack["hex"])  # fmt: skip
                yield self._problem((*path, 0), "top-unit", message, say("rule 8.p6"))
        yield from self._once()

    def _no_ground(
        self, ground: Ground, path: Path, unit: Mapping[str, Any], hex: str
    ) -> Iterator[Problem]:
        if ground.terrain[hex].enter[KINDS.index(unit["kind"])] is None and (
            hex not in ground.on_roads
        ):
            message = say("{unit} cannot be in {hex}: no road leads through this ground",
                          unit=unit["id"], hex=hex)  # fmt: skip
            yield self._problem(path, "prohibited", message)

    def _once(self) -> Iterator[Problem]:
        """No unit is set up twice, or set up and brought later."""
        seen: set[str] = set()
        for listed in ("set_up", "reinforcements"):
            for index, each in enumerate(self.plain.get(listed, ())):
                for at, name in enumerate(each["units"]):
                    if name in seen:
                        message = say("{unit} is in this battle already", unit=name)
                        yield self._problem((listed, index, "units", at), "twice", message)
                    seen.add(name)

    def _later(self, ground: Ground) -> Iterator[Problem]:
        for index, each in enumerate(self.plain.get("reinforcements", ())):
            path: Path = ("reinforcements", index)
            for at, name in enumerate(each["units"]):
                yield from self.folder.unknown_unit(self.file, (*path, "units", at), name)
            for at, hex in enumerate(each["entry"]):
                if not self.extent.is_edge(hex):
                    message = say("{hex} is not on the edge of the map", hex=hex)
                    yield self._problem((*path, "entry", at), "inside", message)
            if not 1 < each["turn"] <= len(self.plain["days"]):
                message = say("the battle has days 1 to {last}", last=len(self.plain["days"]))
                hint = say("who comes on the first day is set up")
                yield self._problem((*path, "turn"), "no-such-day", message, hint)

    @property
    def _all_units(self) -> Iterator[tuple[Path, Mapping[str, Any]]]:
        """Whoever takes part, with the place in the file."""
        for listed in ("set_up", "reinforcements"):
            for index, each in enumerate(self.plain.get(listed, ())):
                for at, name in enumerate(each["units"]):
                    if name in self.folder.units:
                        yield (listed, index, "units", at), self.folder.units[name]

    def _headquarters(self) -> Iterator[Problem]:
        """Whoever takes part has a headquarters here, and so has each formation above."""
        present = {unit["id"] for _, unit in self._all_units}
        formations = self.folder.formations
        told: set[str] = set()
        for path, unit in self._all_units:
            name = unit["formation"]
            while name in formations and name not in told:
                told.add(name)
                each = formations[name]
                wanted = each.get("headquarters", "")
                if wanted and wanted not in present:
                    message = say("{formation} fights here without its headquarters, {unit}",
                                  formation=name, unit=wanted)  # fmt: skip
                    hint = say("set it up, or bring it with the reinforcements")
                    yield self._problem(path, "no-headquarters", message, hint)
                name = each.get("parent", "")

    def without_road(self) -> Iterator[Problem]:
        """The headquarters set up that need a road to the rear and have none. Asked only of a
        battle that is sound otherwise: it has to begin.
        """
        parts = {part: self.folder.value(part) for part in ("map", "units", "tables")}
        tables = Tables(without_provenance({**parts, "scenarios": {self.plain["id"]: self.plain}}))
        position = begin(tables, self.plain["id"], frozenset())
        for path, unit in self._all_units:
            is_highest = not tables.formations[unit["formation"]].parent
            if unit["type"] != HEADQUARTERS or not is_highest or not position.at(unit["id"]):
                continue
            ranges = command.Ranges(position, Side(unit["side"]))
            if not ranges.has_road(unit["id"]):
                message = say("no open road to the rear is within range of {unit} in {hex}",
                              unit=unit["id"], hex=position.at(unit["id"]))  # fmt: skip
                hint = say("without one its whole side is out of command [rule 6.2]; a road lies "
                           "open up to the hexes that are listed under `roads`")  # fmt: skip
                yield self._problem(path, "no-road-to-the-rear", message, hint)

    def _air(self) -> Iterator[Problem]:
        for at, name in enumerate(self.plain.get("air_units", ())):
            message = say("there is no air unit {name}", name=quoted(name))
            yield from self.folder.unknown(self.file, ("air_units", at), name, self.folder.air,
                                           "unknown-unit", message)  # fmt: skip

    def _bridge(self, ground: Ground, path: Path, name: str) -> Iterator[Problem]:
        message = say("there is no bridge {name}", name=quoted(name))
        return self.folder.unknown(self.file, path, name, ground.bridges, "unknown-bridge", message)

    def _special(self, ground: Ground) -> Iterator[Problem]:
        for index, each in enumerate(self.plain.get("special", ())):
            path: Path = ("special", index)
            rule = each["rule"]
            if rule not in NEEDS:
                message = say("there is no rule {rule} for a battle", rule=rule)
                yield from self.folder.unknown(self.file, (*path, "rule"), rule, NEEDS,
                                               "unknown-rule", message)  # fmt: skip
                continue
            said = each.keys() - {"rule"}
            if said != set(NEEDS[rule]):
                message = say("rule {rule} says {words}", rule=rule,
                              words=", ".join(NEEDS[rule]) or say("nothing more"))  # fmt: skip
                yield self._problem(path, "words-of-a-rule", message)
            for at, name in enumerate(each.get("bridges", ())):
                yield from self._bridge(ground, (*path, "bridges", at), name)
            for key in ("formation", "with", "corps"):
                if key in each:
                    yield from self.folder.unknown_formation(self.file, (*path, key), each[key])
            for key in ("formations", "divisions"):
                for at, name in enumerate(each.get(key, ())):
                    yield from self.folder.unknown_formation(self.file, (*path, key, at), name)
            for at, name in enumerate(each.get("units", ())):
                yield from self.folder.unknown_unit(self.file, (*path, "units", at), name)
            if "river" in each:
                message = say("no river is called {name}", name=quoted(each["river"]))
                yield from self.folder.unknown(self.file, (*path, "river"), each["river"],
                                               set(ground.river_of.values()), "unknown-river",
                                               message)  # fmt: skip
        for at, name in enumerate(self.plain.get("closed", ())):
            yield from self._bridge(ground, ("closed", at), name)

    def _points(self, ground: Ground) -> Iterator[Problem]:
        for index, each in enumerate(self.plain["points"]):
            path: Path = ("points", index)
            said = each.keys() - {"side", "for", "points"}
            if said != set(COUNTS[each["for"]]):
                message = say("points for {what} say {words}", what=each["for"],
                              words=", ".join(COUNTS[each["for"]]))  # fmt: skip
                yield self._problem(path, "words-of-points", message)
                continue
            if "bridge" in each:
                yield from self._bridge(ground, (*path, "bridge"), each["bridge"])
            if "road" in each:
                hexes = ground.road(each["road"])
                for key in ("road", "from", "to"):
                    if not hexes or (key != "road" and each[key] not in hexes):
                        message = (
                            say("{hex} is not on the road {name}", hex=each[key],
                                name=quoted(each["road"]))
                            if hexes
                            else say("no road is called {name}", name=quoted(each["road"]))
                        )  # fmt: skip
                        yield self._problem((*path, key), "unknown-road", message)
                        break

    def _levels(self) -> Iterator[Problem]:
        levels = self.plain["levels"]
        for index, each in enumerate(levels):
            path: Path = ("levels", index)
            if ("from" in each) == (index == len(levels) - 1):
                message = say("every level but the last says from which difference it holds")
                yield self._problem(path, "level", message)
            elif index and "from" in each and each["from"] >= levels[index - 1].get("from", 0):
                message = say("the levels go down")
                yield self._problem((*path, "from"), "level", message)
