"""The data of Crusade as documents, and as a map that tests can walk on."""

from collections import deque
from pathlib import Path

import pytest

from pbem.gamedata.where import data_folder
from tests.games.documents import cache_home, documents_in, judged_once, own_cache, plain_of

__all__ = ("cache_home", "judged_once", "own_cache")
CRUSADE = data_folder("crusade")
SOLID = ("road", "river")


@pytest.fixture(scope="session")
def folder() -> Path:
    return CRUSADE


@pytest.fixture(scope="session")
def documents():
    return documents_in(CRUSADE)


@pytest.fixture(scope="session")
def plain(documents):
    return plain_of(documents)


@pytest.fixture(scope="session")
def board(plain):
    return Board(plain)


@pytest.fixture(scope="session")
def scenarios(plain):
    """The scenarios that have a set-up of their own."""
    found = {k.split("/")[1]: v for k, v in plain.items() if k.startswith("scenarios/")}
    return {name: value for name, value in found.items() if "same_as" not in value}


class Board:
    """The map with control as a scenario has it."""

    def __init__(self, plain):
        self.plain = plain
        self.spaces = {space["id"]: space for space in plain["map"]["spaces"]}
        self.links = plain["map"]["connections"]

    def link(self, a, b):
        """The type of the link between two spaces, or None."""
        ends = {a, b}
        return next((x["type"] for x in self.links if {x["a"], x["b"]} == ends), None)

    def neighbours(self, space, types=SOLID):
        ends = [(x["a"], x["b"]) for x in self.links if x["type"] in types]
        return {b for a, b in ends if a == space} | {a for a, b in ends if b == space}

    def where(self, **wanted):
        """The ids of the spaces that say all this."""
        return {
            name
            for name, space in self.spaces.items()
            if all(space.get(key) == value for key, value in wanted.items())
        }

    def control(self, scenario="campaign"):
        """Who holds each space; the Beach Head sleeps and is nobody's."""
        held = {n: s["control"] for n, s in self.spaces.items() if not s.get("dormant")}
        for side, gains in self.plain[f"scenarios/{scenario}"]["control"].items():
            held.update(dict.fromkeys(gains, side))
        return held

    def zone(self, start, scenario="campaign"):
        """All spaces of the holder of the start that are Connected with it."""
        held = self.control(scenario)
        found, todo = {start}, deque([start])
        while todo:
            for near in self.neighbours(todo.popleft()):
                if near not in found and held.get(near) == held[start]:
                    found.add(near)
                    todo.append(near)
        return found

    def zones(self, side, scenario="campaign"):
        """The sizes of the zones of a side, biggest first."""
        left = {name for name, holder in self.control(scenario).items() if holder == side}
        sizes = []
        while left:
            zone = self.zone(min(left), scenario)
            sizes.append(len(zone))
            left -= zone
        return sorted(sizes, reverse=True)

    def distance(self, a, b):
        """Links from one space to another, whoever holds them."""
        found, todo = {a: 0}, deque([a])
        while todo:
            here = todo.popleft()
            for near in self.neighbours(here) - set(found):
                found[near] = found[here] + 1
                todo.append(near)
        return found[b]

    def front(self, scenario):
        """Spaces next to a space that the other side holds."""
        held = self.control(scenario)
        return {
            name
            for name, side in held.items()
            if any(held.get(near, side) != side for near in self.neighbours(name))
        }

    def occupied(self, scenario):
        units = self.plain[f"scenarios/{scenario}"]["units"]
        return {row["space"] for side in units.values() for row in side["map"] if row["units"]}
