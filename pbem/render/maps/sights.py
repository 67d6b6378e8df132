"""Facts about a scene on its board: stacks, fronts, quiet spaces. Text and pictures use them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import groupby

from pbem.engine.model import Side
from pbem.engine.picture import Board, Link, Place, Scene, Spot, Unit, worded_board
from pbem.messages import ENGLISH, Language, Part, in_words, words
from pbem.value import twin


def strength(units: Sequence[Unit]) -> int | None:
    """The strength of a stack; None where part of it is hidden."""
    known = [unit.strength for unit in units if unit.strength is not None]
    return sum(known) if len(known) == len(units) else None


def figure(units: Sequence[Unit]) -> str:
    """The strength of a stack in figures; behind that of its known units a sign for the others."""
    known = sum(unit.strength or 0 for unit in units)
    if strength(units) is not None:
        return str(known)
    return f"{known}+" if known else "?"


def reduced(unit: Unit) -> bool:
    """Whether it has lost a step and not all of them."""
    return 0 < unit.steps < unit.full


class Sights:
    """Board and scene together, both in words of the reader's language."""

    def __init__(self, board: Board, scene: Scene, language: Language = ENGLISH) -> None:
        self.board, self.scene = worded_board(board, language), in_words(scene, language)
        self.language = language
        self._numbers = {party.side: at for at, party in enumerate(board.parties)}
        self._spots = {spot.id: spot for spot in self.board.spots}

    def at(self, scene: Scene) -> Sights:
        """Another scene on the same board."""
        found = twin(self)
        found.scene = in_words(scene, self.language)
        found.__dict__.pop("_near", None)
        return found

    def words(self, said: Part) -> str:
        """What a picture says itself, in the language of the reader."""
        return words(said, self.language)

    def number(self, side: Side | None) -> int | None:
        """0 for the first side, 1 for the second."""
        return None if side is None else self._numbers[side]

    def letter(self, side: Side | None) -> str:
        """The letter of a side, or a point for nobody."""
        number = self.number(side)
        return "." if number is None else self.board.parties[number].letter

    def spot(self, name: str) -> Spot:
        """A space by its id."""
        return self._spots[name]

    def stacks(self, place: Place) -> list[tuple[int, list[Unit]]]:
        """The units of a space by the numbers of their sides; those of the holder come first."""
        found: dict[int, list[Unit]] = {}
        for unit in place.units:
            found.setdefault(self._numbers[unit.side], []).append(unit)
        holder = self.number(place.control)
        return sorted(found.items(), key=lambda each: each[0] != holder)

    def regions(self) -> Iterator[tuple[str, list[Spot]]]:
        """The spaces that are on the map now, by region."""
        spots = (spot for spot in self.board.spots if spot.id in self.scene.places)
        for region, found in groupby(spots, lambda spot: spot.region):
            yield region, list(found)

    @cached_property
    def _near(self) -> dict[str, list[tuple[Spot, Link]]]:
        found: dict[str, list[tuple[Spot, Link]]] = {}
        for link in self.board.links:
            if link.a in self.scene.places and link.b in self.scene.places:
                found.setdefault(link.a, []).append((self._spots[link.b], link))
                found.setdefault(link.b, []).append((self._spots[link.a], link))
        return found

    def beside(self, spot: str) -> list[tuple[Spot, Link]]:
        """The spaces next to one, each with the way there."""
        return self._near.get(spot, [])

    def enemies(self, spot: str) -> list[tuple[Spot, Link]]:
        """The adjacent spaces that another side holds."""
        own = self.scene.places[spot].control
        places = self.scene.places
        return [
            (other, link)
            for other, link in self.beside(spot)
            if own and places[other.id].control not in (None, own)
        ]

    def is_quiet(self, spot: str) -> bool:
        """Whether no unit, no marker and no enemy nearby is there."""
        place = self.scene.places[spot]
        return not (place.units or place.works or place.marks or self.enemies(spot))
