"""A game with counters face down, played as both players and as somebody who sees everything.

The public position knows no face; each player's view knows their own. What lies under a tag is
drawn here, where in a file a beacon does it.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Chance, Decision, ListWanted, Order, Side, State
from pbem.engine.practice import chosen
from pbem.engine.public import plain
from pbem.gamefile import lists
from pbem.games.nopasaran.orders import ALL, ASK, Finish, Fly, Mix, React, Scout
from pbem.games.nopasaran.papers import LISTS
from pbem.games.nopasaran.position import FACE_DOWN, Position
from pbem.games.nopasaran.tables import DECKS, SIDES
from pbem.value import replace
from tests.bots import RandomDice, legal_samples
from tests.contract.playing import system

GAME = system("nopasaran")
VIEWS = (SIDES[:1], SIDES[1:], SIDES)
"""Whose faces a view knows: those of one side, of the other, of both."""


@dataclass
class FaceDownGame:
    """The game as both know it, what lies under each tag, and the game as an audit of one side, of
    the other and of both would see it.
    """

    state: State[Position]
    rng: random.Random
    faces: dict[str, str] = field(default_factory=dict)
    events: list[Any] = field(default_factory=list)
    entries: int = 0
    """How many lists were sealed, each in an entry of its own."""

    @classmethod
    def of(
        cls, scenario: str, seed: int, *options: str, all_hidden: bool = False, tops: bool = True
    ) -> FaceDownGame:
        begun, rng = GAME.setup(scenario, frozenset(options)), random.Random(f"face down {seed}")
        faces: dict[str, str] = {}
        if all_hidden:
            position, faces = turned_down(begun.position, rng, tops=tops)
            begun = State(position, begun.agenda, begun.seq)
        return cls(kernel.begin(begun).state, rng, faces)

    def view(self, *sides: Side, state: State[Position] | None = None) -> State[Position]:
        """The state as these sides see it together."""
        state = state or self.state
        own = {slot for side in sides for slot in GAME.hidden.looks_at(state, side)}
        own |= {slot for slot in self.faces
                if LISTS.get(slot.split("/")[0], ("", ""))[0] in sides}  # fmt: skip
        cards = {slot: self.faces[slot] for slot in own if slot in self.faces}
        return State(GAME.hidden.informed(state.position, cards), state.agenda, state.seq)

    @property
    def asked(self) -> Decision | Chance | None:
        return kernel.waits_for(self.state)

    def show(self, side: Side, slots: tuple[str, ...]) -> None:
        """Slots are opened to both."""
        for slot in slots:
            fault = GAME.pieces.misfit(self.state, slot, self.faces[slot])
            assert not fault, (slot, self.faces[slot], fault)
            card = {slot: self.faces[slot]}
            step, *views = [
                kernel.learn(view, GAME.hidden.openings(view.position, card))
                for view in (self.state, *(self.view(*sides) for sides in VIEWS))
            ]
            self._take(step, views)

    def show_what_is_asked(self) -> None:
        """All that the game waits for is shown, each with its whole way."""
        asked = self.asked
        assert isinstance(asked, Decision)
        down = self.view(asked.side).position.down
        tags = GAME.hidden.must_show(self.state)
        self.show(asked.side, tuple(slot for tag in tags for slot in down.way(tag)))

    def answers_by_itself(self, asked: Decision) -> bool:
        """Whether it is the program of the player asked that answers, with no choice; it has."""
        if asked.tells_items:
            self.tell(asked.side)
        elif asked.only_shows or GAME.hidden.must_show(self.state):
            self.show_what_is_asked()
        elif asked.only_says:
            said = kernel.waits_for(self.view(asked.side))
            assert isinstance(said, Decision)
            self.order(said.default)
        else:
            return False
        return True

    def order(self, order: Order) -> None:
        """An order as its author's program writes it, judged and carried out in every view."""
        decision = self.asked
        assert isinstance(decision, Decision)
        side = decision.side
        own = self.view(side)
        found = kernel.violations(own, order)
        assert not found, (order, found)
        if decision.list is not None:
            self._seal(decision.list, GAME.pieces.listed(own, side, order))
            return
        written = GAME.hidden.worded(own, side, order)
        self.show(side, GAME.hidden.shows(own, side, written))
        written = GAME.pieces.meant(self.state.position, written)
        for sides in ((), (side,), SIDES):
            found = kernel.violations(self.view(*sides), written)
            assert not found, (sides, written, found)
        views = [kernel.submit(self.view(*sides), written) for sides in VIEWS]
        self._take(kernel.submit(self.state, written), views)

    def _seal(self, wanted: ListWanted, lines: tuple[Any, ...]) -> None:
        """A list is sealed, with its lines in any order where places mean nothing."""
        assert len(lines) == wanted.size
        assert lists.seal(b"\0" * 32, wanted.name, 1, lines), "it fits into its box"
        if wanted.shuffled:
            lines = tuple(self.rng.sample(lines, len(lines)))
        self.entries += 1
        for place, line in enumerate(lines):
            self.faces[f"{wanted.name}/{self.entries}/{place}"] = lists.text_of_item(line)
        views = [kernel.seal(self.view(*sides), self.entries) for sides in VIEWS]
        self._take(kernel.seal(self.state, self.entries), views)

    def tell(self, side: Side) -> None:
        """What is due of a list is told, and play goes on."""
        asked = self.asked
        assert isinstance(asked, Decision)
        self.show(side, GAME.hidden.shows(self.view(side), side, asked.default))
        self.order(asked.default)

    def roll(self, dice: Any) -> None:
        views = [kernel.roll(self.view(*sides), deepcopy(dice)) for sides in VIEWS]
        self._take(kernel.roll(self.state, dice), views)

    def _take(self, step: kernel.Progress, views: Any = ()) -> None:
        for view in views:
            (one, asked), (other, asked_too) = post(view.state), post(step.state)
            differ = {name: (one[name], other[name]) for name in one if one[name] != other[name]}
            assert not differ, differ
            assert asked == asked_too
        self.state = step.state
        self.events += step.events
        self._lay()

    def _lay(self) -> None:
        """New epochs are laid: within each group nobody knows which is which."""
        down = self.state.position.down
        for deck, _, epoch, cards in down.laid:
            if f"{deck}/{epoch}/0" in self.faces:
                continue
            at = 0
            for size in down.groups.get(f"{deck}/{epoch}", (len(cards),)):
                group = list(cards[at : at + size])
                self.rng.shuffle(group)
                for place, card in enumerate(group, at):
                    self.faces[f"{deck}/{epoch}/{place}"] = card
                at += size


def turned_down(
    position: Position, rng: random.Random, *, tops: bool = True
) -> tuple[Position, dict[str, str]]:
    """The position with all counters but headquarters face down, without `tops` only those below
    another one; and what lies under each tag: some unit of the same formation that moves alike.
    """
    faces: dict[str, str] = {}
    for side in SIDES:
        units = [unit for unit in position.on_map(side)
                 if not position.printed(unit).is_headquarters
                 and (tops or position.stacks[position.at(unit)][0] != unit)]  # fmt: skip
        down = position.down.lay(DECKS[side], side, 1, units)
        alike: dict[tuple[str, str], list[str]] = {}
        for unit in units:
            printed = position.printed(unit)
            alike.setdefault((printed.formation, printed.kind), []).append(unit)
        names: dict[str, str] = {}
        for tag, unit in zip(down.newest(DECKS[side]), units, strict=True):
            printed = position.printed(unit)
            names[unit] = tag
            down = down.replaced((tag,), alike[printed.formation, printed.kind])
        for group in alike.values():
            mixed = rng.sample(group, len(group))
            faces |= {names[unit]: other for unit, other in zip(group, mixed, strict=True)}
        position = position.but(
            down=down, away={**position.away, **dict.fromkeys(units, FACE_DOWN)},
            stacks={hex: tuple(names.get(unit, unit) for unit in there)
                    for hex, there in position.stacks.items()},
        )  # fmt: skip
    return position, faces


def post(state: State[Position]) -> Any:
    """What a file says of a state, and what the game asks next."""
    asked = kernel.waits_for(state)
    told = (asked.side, asked.stage) if isinstance(asked, Decision) else asked
    return plain(GAME.public(state.position)), told


def picking(order: Order, rng: random.Random) -> Order:
    """An order of which who looks at half of a stack picks it now and then."""
    asks = rng.choice(("", ASK))
    if isinstance(order, Scout):
        return replace(order, picks=asks)
    if isinstance(order, Fly):
        return Fly({unit: replace(flight, picks=asks if flight.reco else "")
                    for unit, flight in order.missions.items()})  # fmt: skip
    return order


def playout(
    scenario: str, seed: int, *options: str, bold: float = 0.9, all_hidden: bool = False,
    practice: bool = False, eager: int = 1,
) -> Iterator[FaceDownGame]:  # fmt: skip
    """A random game, or one of two practice players, step by step. Whoever is finished for the day
    mixes all they can; who is `eager` finds something out if one of so many legal orders does.
    """
    game = FaceDownGame.of(scenario, seed, *options, all_hidden=all_hidden)
    dice, rng = RandomDice(seed), game.rng
    while (asked := game.asked) is not None:
        if isinstance(asked, Chance):
            game.roll(dice)
        elif not game.answers_by_itself(asked):
            own = game.view(asked.side)
            if practice:
                order = chosen(GAME.practice, own).order
            else:
                samples = legal_samples(own, rng, 30) if rng.random() < bold else iter(())
                some = [each for each in samples if each != asked.default][:eager]
                looks = (each for each in some if isinstance(each, Scout | Fly | React))
                wanted = kernel.waits_for(own)
                assert isinstance(wanted, Decision)
                order = next(looks, next(iter(some), wanted.default))
            if isinstance(order, Finish) and not kernel.violations(own, Mix(ALL)):
                order = Mix(ALL)
            game.order(picking(order, rng))
        yield game
