"""Chapter 11.3: the search for every legal way to take a Loss Number.

A *fight* is what one side's losses are taken from; an *allocation* is one way to take them.
Allocations are compared by score: first, steps worth as much of the Loss Number as possible; then
as much of it as possible on real units; then the first-loss duties. Only the best are legal.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate, permutations

from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Losses
from pbem.value import replace, value

PHANTOM = ""
"""The heir of a dead corps if the Reserve Box has no division for it (11.3.5.1)."""
PHANTOM_STEPS = (1, 1)


@value
class Fighter:
    """A unit that may lose steps, with the loss factor of each step left, in order.

    Units with the same `alike` are interchangeable. `heirs` are the groups of divisions that may
    replace it, in order; none for a division.
    """

    unit: str
    steps: tuple[int, ...]
    alike: str
    heirs: tuple[str, ...] = ()


@value
class Division:
    """A division of the Reserve Box. `groups` are the corps it may replace."""

    unit: str
    steps: tuple[int, ...]
    alike: str
    groups: frozenset[str]


@value
class LossPool:
    """What a Loss Number is taken from. `duties` are sets of units, most urgent first.

    The Reserve Box is looked into only if a corps could die or an order names what is there.
    """

    fighters: tuple[Fighter, ...]
    reserve: Callable[[], tuple[Division, ...]]
    loss_number: int
    duties: tuple[frozenset[str], ...] = ()

    @cached_property
    def best(self) -> tuple[Allocation, ...]:
        """Every legal allocation. Interchangeable units are told apart only by stack order."""
        return _best(self)

    @cached_property
    def spares(self) -> tuple[Division, ...]:
        """The divisions of the Reserve Box that may replace a corps, in stack order."""
        return self.reserve()

    def steps_of(self, unit: str) -> tuple[int, ...]:
        """The value of each of a unit's next steps, whether it fights or is in the Reserve."""
        found = next((each.steps for each in self.fighters if each.unit == unit), None)
        return found or next(each.steps for each in self.spares if each.unit == unit)


@value
class Allocation:
    """Steps lost by unit, and the replacement of each dead corps, in the order they die."""

    steps: Mapping[str, int]
    heirs: tuple[tuple[str, str], ...] = ()
    phantom_steps: int = 0

    def score(self, fight: LossPool) -> tuple[int, int, int]:
        """The value of an allocation, compared item by item.

        What it meets of the Loss Number with and without phantom steps, then the duties, the first
        one first.
        """
        real = sum(sum(fight.steps_of(unit)[:lost]) for unit, lost in self.steps.items())
        duty = 0
        for bearers in fight.duties:
            duty = 2 * duty + any(self.steps.get(unit) for unit in bearers)
        return real + self.phantom_steps, real, duty

    def with_survivor(self, unit: str, steps_left: int) -> Allocation:
        """The losses without those that would kill a unit: it stays, at reduced strength."""
        left = {other: lost for other, lost in self.steps.items() if other != unit}
        return replace(self, steps={**left, unit: 1} if steps_left > 1 else left)

    def without_a_step(self, unit: str) -> Allocation:
        """One step fewer for a unit; a corps that survives this way is not replaced."""
        steps = {other: lost - (other == unit) for other, lost in self.steps.items()}
        left = {other: lost for other, lost in steps.items() if lost}
        heirs = tuple((corps, heir) for corps, heir in self.heirs if corps != unit)
        phantoms = [heir for _, heir in heirs if heir == PHANTOM]
        return Allocation(left, heirs, min(self.phantom_steps, sum(PHANTOM_STEPS) * len(phantoms)))

    def order(self) -> Losses:
        """The allocation as a player would write it."""
        dying = [unit for pair in self.heirs for unit in pair if unit != PHANTOM]
        others = [unit for unit in self.steps if unit not in dying]
        listed = [unit for unit in (*others, *dying) for _ in range(self.steps.get(unit, 0))]
        return Losses(tuple(listed), tuple(heir for _, heir in self.heirs if heir != PHANTOM))


# --- all the best allocations -------------------------------------------------------------------


@CITE.serves("11.3.5")
def possible_heirs(
    groups: tuple[str, ...], available: tuple[Division, ...]
) -> tuple[Division, ...]:
    """The divisions of which one must replace a dead corps: full ones if there are any."""
    # reading: Q16, the owner chooses the type among those of the right strength.
    for group in groups:
        fitting = [spare for spare in available if group in spare.groups]
        full = [spare for spare in fitting if len(spare.steps) > 1]
        if fitting:
            return tuple(fitting if group == "armored" else full or fitting)
    return ()


@CITE.rule("11.3.7")
def _best(fight: LossPool) -> tuple[Allocation, ...]:
    """Meets as much of the Loss Number as possible, never more; then the other priorities."""
    most = min(fight.loss_number, sum(map(_worth, fight.fighters)))
    for amount in reversed(range(most + 1)):
        found = list(_exactly(fight, amount))
        if found:
            scores = [allocation.score(fight) for allocation in found]
            top = max(scores)
            return tuple(each for each, score in zip(found, scores, strict=True) if score == top)
    raise AssertionError("losing nothing is always possible")


def _exactly(fight: LossPool, amount: int) -> Iterator[Allocation]:
    """Every allocation worth exactly this amount."""
    for counts, rest in _counts(fight.fighters, amount):
        lost = {unit: count for unit, count in counts.items() if count}
        dead = [f for f in fight.fighters if f.heirs and counts[f.unit] == len(f.steps)]
        if not dead:
            if rest == 0:
                yield Allocation(lost)
            continue
        seen = set()
        for heirs in _successions(tuple(dead), fight.spares):
            if frozenset((corps, spare.unit) for corps, spare in heirs) in seen:
                continue
            seen.add(frozenset((corps, spare.unit) for corps, spare in heirs))
            yield from _shared(lost, heirs, rest)


def _counts(fighters: tuple[Fighter, ...], amount: int) -> Iterator[tuple[dict[str, int], int]]:
    """Steps lost by each fighter, and the amount left for replacements of corps."""
    behind = list(accumulate(map(_worth, reversed(fighters)), initial=0))[::-1]
    counts: dict[str, int] = {}

    def losing(at: int, rest: int, dead: int, last: dict[str, int]) -> Iterator[int]:
        if at == len(fighters):
            yield rest
            return
        if rest > behind[at] + sum(PHANTOM_STEPS) * dead:
            return
        each = fighters[at]
        for count in range(last.get(each.alike, len(each.steps)), -1, -1):
            left = rest - sum(each.steps[:count])
            if left >= 0:
                counts[each.unit] = count
                dies = bool(each.heirs) and count == len(each.steps)
                yield from losing(at + 1, left, dead + dies, {**last, each.alike: count})

    for left in losing(0, amount, 0, {}):
        yield dict(counts), left


def _worth(fighter: Fighter) -> int:
    """The most a fighter could take, including a replacement."""
    return sum(fighter.steps) + (sum(PHANTOM_STEPS) if fighter.heirs else 0)


Heirs = tuple[tuple[str, Division], ...]


def _successions(dead: tuple[Fighter, ...], available: tuple[Division, ...]) -> Iterator[Heirs]:
    """The possible replacements, for every order in which the corps may die."""
    for turn in permutations(dead):
        yield from _succeed(turn, available)


def _succeed(dead: tuple[Fighter, ...], available: tuple[Division, ...]) -> Iterator[Heirs]:
    if not dead:
        yield ()
        return
    first, *others = dead
    possible = possible_heirs(first.heirs, available) or (_phantom(),)
    seen: set[str] = set()
    for heir in possible:
        if heir.alike in seen:
            continue
        seen.add(heir.alike)
        left = tuple(spare for spare in available if spare.unit != heir.unit)
        for rest in _succeed(tuple(others), left):
            yield ((first.unit, heir), *rest)


def _phantom() -> Division:
    return Division(PHANTOM, PHANTOM_STEPS, PHANTOM, frozenset())


def _shared(lost: dict[str, int], heirs: Heirs, rest: int) -> Iterator[Allocation]:
    """The rest of the amount on the replacements, in every way that meets it exactly."""
    named = tuple((corps, spare.unit) for corps, spare in heirs)
    for counts in _fills([spare.steps for _, spare in heirs], rest):
        steps = dict(lost)
        phantom = 0
        for (_, spare), count in zip(heirs, counts, strict=True):
            if spare.unit == PHANTOM:
                phantom += sum(spare.steps[:count])
            elif count:
                steps[spare.unit] = count
        yield Allocation(steps, named, phantom)


def _fills(steps: list[tuple[int, ...]], rest: int) -> Iterator[tuple[int, ...]]:
    if not steps:
        if rest == 0:
            yield ()
        return
    for count in range(len(steps[0]), -1, -1):
        cost = sum(steps[0][:count])
        if cost <= rest:
            for others in _fills(steps[1:], rest - cost):
                yield (count, *others)


# --- an order as an allocation ------------------------------------------------------------------


def allocation_of(fight: LossPool, order: Losses) -> Allocation:
    """The allocation an order describes. It must name existing steps and heirs that fit.

    For heirs that the order omits, the first that fit are taken; phantoms take as much as they can.
    """
    steps: dict[str, int] = {}
    heirs: list[tuple[str, str]] = []
    available, named = fight.spares, list(order.successors)
    for unit in order.steps:
        steps[unit] = steps.get(unit, 0) + 1
        found = next((f for f in fight.fighters if f.unit == unit), None)
        if found is None or not found.heirs or steps[unit] < len(found.steps):
            continue
        possible = possible_heirs(found.heirs, available)
        heir = PHANTOM
        if possible:
            heir = named.pop(0) if named else possible[0].unit
        available = tuple(spare for spare in available if spare.unit != heir)
        heirs.append((unit, heir))
    taken = sum(sum(fight.steps_of(unit)[:lost]) for unit, lost in steps.items())
    phantoms = [heir for _, heir in heirs if heir == PHANTOM]
    room = max(0, fight.loss_number - taken)
    return Allocation(steps, tuple(heirs), min(room, sum(PHANTOM_STEPS) * len(phantoms)))


def heirs_that_misfit(fight: LossPool, order: Losses) -> Iterator[tuple[int, str, tuple[str, ...]]]:
    """Replacements that may not replace their corps: place, corps, and which divisions may."""
    done: dict[str, int] = {}
    available, place = fight.spares, 0
    for unit in order.steps:
        done[unit] = done.get(unit, 0) + 1
        found = next((f for f in fight.fighters if f.unit == unit), None)
        if found is None or not found.heirs or done[unit] != len(found.steps):
            continue
        possible = [spare.unit for spare in possible_heirs(found.heirs, available)]
        if possible and place < len(order.successors):
            heir = order.successors[place]
            if heir not in possible:
                yield place, unit, tuple(possible)
            place += 1
        elif possible:
            heir = possible[0]
        else:
            continue
        available = tuple(spare for spare in available if spare.unit != heir)
    for extra in range(place, len(order.successors)):
        yield extra, "", ()
