"""What can happen."""

from __future__ import annotations

from typing import ClassVar

from pbem.games.fog.position import DECKS, LISTS, Position

from pbem.board.hexsides import key_of
from pbem.engine.facedown import mixed_names
from pbem.engine.model import Event, Side
from pbem.engine.tags import is_tag, slot_under
from pbem.value import value


@value
class ArmyLaid(Event[Position]):
    """A side's counters are laid face down, and go by tags from now on."""

    side: Side

    def apply(self, position: Position) -> Position:
        deck, army = DECKS[self.side], position.board.army(self.side)
        down = position.down.lay(deck, self.side, 1, army)
        waiting = {**position.waiting, self.side: down.newest(deck)}
        return position.but(down=down, waiting=waiting)


@value
class CounterPlaced(Event[Position]):
    """A counter is set up, or comes in."""

    unit: str
    hex: str
    arrives: bool = False

    def apply(self, position: Position) -> Position:
        board, turn = position.board, position.turn

        def fits(piece: str) -> bool:
            return piece in board.reserves if turn else board.may_begin_at(piece, self.hex)

        side = position.side_of(self.unit)
        waiting = tuple(each for each in position.waiting[side] if each != self.unit)
        return position.but(
            down=position.down.narrowed(self.unit, fits).without_facts([f"points {self.hex}"]),
            places={**position.places, self.unit: self.hex},
            waiting={**position.waiting, side: waiting},
            moved=position.moved | {self.unit} if turn else position.moved,
        )


@value
class ZoneSaid(Event[Position]):
    """The owner of a stack says that it has a zone of control."""

    hex: str

    def apply(self, position: Position) -> Position:
        hidden = [name for name in position.at(self.hex) if is_tag(name)]
        down = position.down.with_fact(f"zone {self.hex}", hidden, True)
        if len(hidden) == 1:
            down = down.narrowed(hidden[0], lambda piece: position.board.printed(piece).zone)
        return position.but(down=down)


@value
class PointsSaid(Event[Position]):
    """The owner of a stack says which class of points it has, all its counters together."""

    hex: str
    troops: str

    def apply(self, position: Position) -> Position:
        board, names = position.board, position.at(self.hex)
        down = position.down.with_fact(f"points {self.hex}", names, self.troops)
        hidden = [name for name in names if is_tag(name)]
        if len(hidden) == 1:
            known = [name for name in names if name not in hidden]
            down = down.narrowed(
                hidden[0], lambda piece: board.classed([*known, piece]) == self.troops
            )
        return position.but(down=down)


@value
class TurnBegan(Event[Position]):
    """A new turn begins, and with it new lists."""

    turn: int

    def apply(self, position: Position) -> Position:
        return position.but(turn=self.turn, lists={}, step="lists", spent=frozenset())


@value
class PhaseBegan(Event[Position]):
    """A side marches or fights."""

    side: Side
    step: str

    def apply(self, position: Position) -> Position:
        fresh = self.step == "march"
        return position.but(
            active=self.side, step=self.step,
            moved=frozenset() if fresh else position.moved,
            fought=frozenset() if fresh else position.fought,
        )  # fmt: skip


@value
class ListWritten(Event[Position]):
    """A side has written its ambushes; `items` are there where nothing is hidden."""

    side: Side
    entry: int
    items: tuple[str, ...] = ()

    def apply(self, position: Position) -> Position:
        name = f"{LISTS[self.side]}/{self.entry}"
        told = {f"{name}/{at}": item for at, item in enumerate(self.items)}
        return position.but(
            lists={**position.lists, self.side: name}, told={**position.told, **told}
        )


@value
class AmbushTold(Event[Position]):
    """A line of a list is told."""

    side: Side
    slot: str
    item: str

    def apply(self, position: Position) -> Position:
        return position.but(told={**position.told, self.slot: self.item})


@value
class AmbushSprung(Event[Position]):
    """The die of an ambush, which springs once; counters in the hex are shaken or not."""

    hex: str
    die: int
    is_hit: bool

    def apply(self, position: Position) -> Position:
        enemy = position.holder(self.hex)
        spent = {
            slot
            for side in LISTS
            for slot in position.slots_of_list(side)
            if side != enemy and position.told.get(slot) == f'"{self.hex}"'
        }
        position = position.but(spent=position.spent.union(spent))
        if not self.is_hit:
            return position
        return position.but(shaken=position.shaken.union(position.at(self.hex)))


@value
class CounterMarched(Event[Position]):
    """A counter marches, retreats or advances. What only faster ones could do leaves its field."""

    unit: str
    start: str
    path: tuple[str, ...]
    how: str
    cost: int = 0

    def apply(self, position: Position) -> Position:
        here, there = self.start, self.path[-1]
        down = position.down.without_facts(
            [f"points {here}", f"points {there}", *_said_of(position, self.unit)]
        )
        if self.how == "march":
            kinds = position.board.printed
            down = down.narrowed(self.unit, lambda piece: kinds(piece).moves >= self.cost)
            if is_tag(self.unit):
                down = down.without_facts([f"zone {here}", f"zone {there}"])
        moved = position.moved | {self.unit} if self.how == "march" else position.moved
        places = {**position.places, self.unit: there}
        return position.but(down=down, places=places, moved=moved)


def _said_of(position: Position, unit: str) -> list[str]:
    """What was said of a counter together with others: it holds no longer once it leaves them."""
    return [fact.about for fact in position.down.facts if unit in fact.tags]


@value
class BridgeBlown(Event[Position]):
    """Sappers blow up the bridge between two hexes, and the road with it."""

    unit: str
    hexes: tuple[str, str]

    def apply(self, position: Position) -> Position:
        printed = position.board.sides.between(*self.hexes)
        left = tuple(kind for kind in printed if kind not in ("bridge", "road"))
        return position.but(
            blown={**position.blown, key_of(*self.hexes): left},
            moved=position.moved | {self.unit},
        )


@value
class CountersMixed(Event[Position]):
    """Counters of stacks change places; only their owner knows which is which."""

    side: Side
    groups: tuple[tuple[str, ...], ...]

    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        epoch = position.down.next_epoch(deck)
        down = position.down.mix(deck, self.side, epoch, self.groups)
        places = dict(position.places)
        mixed = set(position.mixed)
        for group, tags in zip(
            sorted(self.groups, key=lambda group: min(map(_card, group))),
            mixed_names(deck, epoch, self.groups),
            strict=True,
        ):
            hexes = {places.pop(name) for name in group}
            (hex,) = hexes
            places |= dict.fromkeys(tags, hex)
            mixed |= set(tags)
        return position.but(down=down, places=places, mixed=frozenset(mixed))


def _card(name: str) -> str:
    return name.replace("/", ".")


@value
class MixesSettled(Event[Position]):
    """A beacon has challenged what was mixed: its owner knows which tag is which."""

    def apply(self, position: Position) -> Position:
        return position.but(mixed=frozenset())


@value
class CounterShown(Event[Position]):
    """A slot is opened: it holds a counter, or the tag of an older slot."""

    side: Side
    slot: str
    card: str

    def apply(self, position: Position) -> Position:
        down = position.down.open(self.slot, self.card, position.in_play)
        return position.with_names({self.slot: slot_under(self.card) or self.card}, down)


@value
class AttackBegan(Event[Position]):
    """Counters attack a hex; nothing is rolled yet."""

    hex: str
    units: tuple[str, ...]
    advance: bool

    def apply(self, position: Position) -> Position:
        return position.but(
            battle=(self.hex, self.units, self.advance), fought=position.fought.union(self.units)
        )


@value
class AttackRolled(Event[Position]):
    """The die of an attack, with the strengths, the column as printed and the result."""

    hex: str
    attack: int
    defence: int
    column: str
    die: int
    result: str

    def apply(self, position: Position) -> Position:
        return position


@value
class AttackEnded(Event[Position]):
    """An attack is over, with its advance."""

    def apply(self, position: Position) -> Position:
        return position.but(battle=None)


@value
class GunFired(Event[Position]):
    """A gun fires at a hex, whose counters are shaken or not."""

    unit: str
    hex: str
    die: int
    is_hit: bool

    def apply(self, position: Position) -> Position:
        fought = position.fought | {self.unit}
        if not self.is_hit:
            return position.but(fought=fought)
        return position.but(fought=fought, shaken=position.shaken.union(position.at(self.hex)))


@value
class CounterLost(Event[Position]):
    """A counter is lost and leaves the map."""

    unit: str
    hex: str
    why: str

    def apply(self, position: Position) -> Position:
        places = {name: hex for name, hex in position.places.items() if name != self.unit}
        down = position.down.without_facts([f"points {self.hex}", *_said_of(position, self.unit)])
        return position.but(places=places, lost=(*position.lost, self.unit), down=down)


@value
class Recovered(Event[Position]):
    """The shaken counters of a side recover at the end of its phase."""

    side: Side

    def apply(self, position: Position) -> Position:
        left = frozenset(each for each in position.shaken if position.side_of(each) != self.side)
        return position.but(shaken=left)


@value
class FogRolled(Event[Position]):
    """The die of the fog between two phases: it changes nothing but what is told."""

    die: int

    def apply(self, position: Position) -> Position:
        return position


@value
class AmbushesForgotten(Event[Position]):
    """The ambushes that a side has not told are void: under new secrets it cannot tell them."""

    side: Side

    def apply(self, position: Position) -> Position:
        notes = {slot: item for slot, item in position.notes.items()
                 if slot.split("/")[0] != LISTS[self.side]}  # fmt: skip
        return position.but(notes=notes)


@value
class ArmyLaidAnew(Event[Position]):
    """A side's hidden counters are laid again under new secrets, and wait for their places."""

    side: Side

    def apply(self, position: Position) -> Position:
        deck = DECKS[self.side]
        old = [
            name for name in position.in_play
            if is_tag(name) and position.side_of(name) == self.side
        ]  # fmt: skip
        down = position.down.renewed(deck, self.side, position.down.next_epoch(deck))
        tags = down.newest(deck)
        assert len(old) == len(tags), "each hidden counter has a tag in play"
        return position.with_names(dict(zip(sorted(old), tags, strict=True)), down)


@value
class CountersArranged(Event[Position]):
    """Which new tag stands where one stood: as many at each place as before. What was marked there
    stays marked; `may_be` has what each tag may be.
    """

    names: tuple[tuple[str, str], ...]
    may_be: tuple[tuple[str, tuple[str, ...]], ...]

    def apply(self, position: Position) -> Position:
        down = position.down
        for tag, pieces in self.may_be:
            down = down.replaced((tag,), pieces)
        position = position.with_names(dict(self.names), down)
        places, tags = position.places, [tag for tag, _ in self.may_be]
        spent = {places.get(tag, "") for tag in tags if tag in position.moved}
        also = (tag for tag in tags if places.get(tag, "") in spent)
        return position.but(moved=position.moved.union(also))


@value
class GameEnded(Event[Position]):
    """The game is over; the winner may be "draw"."""

    ends_the_game: ClassVar[bool] = True
    winner: str
    reason: str

    def apply(self, position: Position) -> Position:
        return position.but(result=(self.winner, self.reason))
