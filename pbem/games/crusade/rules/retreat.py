"""Chapter 11.4: the length and paths of retreats, and whether one may be cancelled."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pbem.engine.model import Side, Unfolding
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects import combat_cards as cards
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules import ranking
from pbem.games.crusade.rules.allocations import PHANTOM, Allocation, possible_heirs
from pbem.games.crusade.rules.elimination import why_for_good
from pbem.games.crusade.rules.losses import fighter, lose_step, spares
from pbem.games.crusade.rules.options_combat import is_safe, steps_to_stay
from pbem.games.crusade.rules.options_landing import owner_of_beach
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.tables import ENEMY
from pbem.late import Late
from pbem.messages import Said, marked, say
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.board import ways
else:  # few retreats lead over enemy ground
    ways = Late("pbem.board.ways")

Path = tuple[str, ...]


@CITE.rule("11.4.2")
def retreat_length(position: Position, combat: Combat) -> int:
    """The length of a retreat: one space if the difference is one, else two, or as a card says."""
    if combat.withdrawal:
        return 1
    return cards.retreat_spaces(position, combat) or (1 if combat.difference == 1 else 2)


@CITE.serves("18.3.1", "11.4.2")
def length_rule(position: Position, combat: Combat) -> str:
    """The rule or card that says how long a retreat is, if not 11.4.2; else empty."""
    if combat.withdrawal:
        return "18.3.1"
    card = cards.retreat_card(position, combat)
    return f"card {card}" if card else ""


@value
class Ways:
    """The paths open to a retreating unit, all of one kind, and why that kind comes first.

    `rule` and `reason` tell a player why another path is not allowed.
    """

    paths: tuple[Path, ...]
    rule: str = ""
    reason: str = ""


ONE_MORE = ("11.4.5.1", marked("one more space reaches friendly ground"))


@CITE.rule("11.4.5/e", "11.4.5/f", "11.4.5/g", "11.4.5.1")
def ways_out(position: Position, combat: Combat) -> Ways:
    """The legal retreats from the attacked space now: friendly spaces first, then stacking.

    They are the same for every unit of the stack; each unit sees the effect of those before it.
    They are kept with the position, because each check of an order asks for them again.
    """
    memo, key = position.memo, "ways out"
    if key not in memo or memo[key][0] is not combat:
        memo[key] = combat, _ways_out(position, combat)
    found: Ways = memo[key][1]
    return found


def _ways_out(position: Position, combat: Combat) -> Ways:
    # reading: 11.4.5.1, Q8, a retreat may pass through full spaces; Q10, every ban on steps applies
    # to the additional space of an extended retreat.
    length = retreat_length(position, combat)
    walks = tuple(_walks(position, combat, length))
    if combat.withdrawal:
        walks = tuple(path for path in walks if is_safe(position, combat, path[-1]))
    friendly = [path for path in walks if _is_friendly(position, combat, path)]
    with_room = tuple(path for path in friendly if room_in(position, path[-1]) > 0)
    freely = cards.retreats_freely(position, combat)
    further = friendly if freely or not with_room else ()
    extended = tuple(
        (*path, beyond) for path in further for beyond in _beyond(position, combat, path)
    )
    if freely and extended:
        beyond_full = (path for path in extended if path[:-1] not in with_room)
        return Ways(
            (*with_room, *beyond_full), "11.4.5/f", marked("friendly ground can be reached")
        )
    if with_room:
        return Ways(with_room, "11.4.5/f", marked("a retreat through friendly spaces is possible"))
    if extended:
        return Ways(extended, *ONE_MORE)
    over = _over_enemy_ground(position, combat, walks)
    if over.paths:
        return over
    # reading: 11.4.5.1, the additional space may also be used through enemy spaces, if there is no
    # other retreat; fewest enemy spaces, and supply, then apply as usual.
    onward = [(*path, beyond) for path in walks for beyond in _beyond(position, combat, path)]
    return Ways(_over_enemy_ground(position, combat, onward).paths, *ONE_MORE)


@CITE.rule("11.4.5/h", "11.4.5/i")
def _over_enemy_ground(position: Position, combat: Combat, walks: Sequence[Path]) -> Ways:
    """Retreats through empty enemy spaces: as few as possible, then to an end in supply if any."""
    # reading: Q7, fewest enemy spaces come before supply; by agreement their number is free.
    open_ended = [path for path in walks if room_in(position, path[-1]) > 0]
    if not open_ended:
        return Ways(())
    fewest = () if position.option("Q7") else (partial(enemy_spaces, position, combat),)
    paths = ways.best(open_ended, *fewest)
    supplied = tuple(
        path for path in paths if would_be_supplied(position, combat.defender, path[-1])
    )
    if supplied:
        return Ways(supplied, "11.4.5/i", marked("a retreat that ends in supply is possible"))
    return Ways(paths, "11.4.5/h", marked("a retreat over fewer enemy spaces is possible"))


def _walks(position: Position, combat: Combat, length: int) -> Iterator[Path]:
    """Every path of that many different spaces that breaks no ban, in map order."""
    for first in first_steps(position, combat):
        if length == 1:
            yield (first,)
        else:
            for second in steps_from(position, combat, first):
                if second != first:
                    yield (first, second)


def left_open(position: Position, combat: Combat, path: Path) -> Path:
    """The spaces that a retreat leaves open to an advance: only a retreat of two spaces does."""
    return () if retreat_length(position, combat) == 1 else path[:-1]


def first_steps(position: Position, combat: Combat) -> tuple[str, ...]:
    """The spaces adjacent to the combat that are open to the defeated."""
    return steps_from(position, combat, combat.space)


def steps_from(position: Position, combat: Combat, space: str) -> tuple[str, ...]:
    """The adjacent spaces that are open to the defeated, in map order."""
    rank = position.tables.map_rank
    near = [s for s in position.neighbours(space) if not why_barred(position, combat, s)[0]]
    return tuple(sorted(near, key=lambda each: rank.get(each, len(rank))))


@CITE.rule("11.4.5/a", "11.4.5/b", "11.4.5/c")
def why_barred(position: Position, combat: Combat, space: str) -> tuple[Said, str]:
    """Why a retreating unit may not enter a space, with the rule; two empty texts if it may."""
    name = position.space(space).name
    if position.units_in(space, combat.attacker):
        return say("there are enemy units in {name}", name=name), "11.4.5/a"
    if space in combat.from_spaces and not may_return_the_visit(position):
        return say("an attacker came from {name}", name=name), "11.4.5/b"
    if space == combat.space:
        return say("{name} is the space that was lost", name=name), "11.4.5/c"
    # reading: 8.5.6.4 with 11.4.5, a unit that enters an enemy beach head removes it and is then in
    # the space it led to; if that is the space just lost, the beach head is no way out.
    if position.beach_heads.get(space) == combat.space and owner_of_beach(space) != combat.defender:
        return say("{name} leads back to the space that was lost", name=name), "11.4.5/c"
    return "", ""


def may_return_the_visit(position: Position) -> bool:
    """Whether a retreat may enter an empty space an attacker came from: in the first edition."""
    row = position.tables.tables["editions"][position.edition]
    return bool(row["retreat_into_attacker_origin"])


def _is_friendly(position: Position, combat: Combat, path: Path) -> bool:
    return all(position.controls(combat.defender, space) for space in path)


def _beyond(position: Position, combat: Combat, path: Path) -> tuple[str, ...]:
    """Paths to friendly spaces with room, one step beyond the full end of a path."""
    if combat.withdrawal:
        return ()
    return tuple(
        space
        for space in steps_from(position, combat, path[-1])
        if space not in path
        and position.controls(combat.defender, space)
        and room_in(position, space) > 0
    )


def enemy_spaces(position: Position, combat: Combat, path: Path) -> int:
    """The number of spaces of a retreat that its side does not control."""
    return sum(1 for space in path if not position.controls(combat.defender, space))


def would_be_supplied(position: Position, side: Side, space: str) -> bool:
    """Whether a unit is in supply in a space that its side then controls."""
    return is_supplied(position.with_control(space, side), side, space)


@CITE.rule("9.1.4/a")
def why_surplus_is_lost(position: Position, space: str, unit: str) -> str:
    """Why a surplus unit is lost for good: out of supply, or without a retreat; empty if it is not.

    The Army of Africa always is (17.6.5).
    """
    # reading: the retreat asked for is the shortest one, of one space, from an attack out of no
    # particular space.
    owner = position.occupier(space)
    assert owner is not None, space
    beaten = Combat(ENEMY[owner], space, {}, by_attacker=1, by_defender=0)
    why = why_for_good(position, unit, space, None)
    return why or ("" if ways_out(position, beaten).paths else "11.4.4")


# --- cancelling ---------------------------------------------------------------------------------


@CITE.rule("11.4.3")
def may_cancel_here(position: Position, combat: Combat) -> bool:
    """Whether a retreat may be cancelled: a mountain, Trench or beach head, if no card bars it."""
    forbidden = cards.forbids_cancelling(position, combat)
    if "always" in forbidden or combat.withdrawal:
        return False
    return bool(ground_to_stay(position, combat).difference(forbidden))


def ground_to_stay(position: Position, combat: Combat) -> frozenset[str]:
    """What of the attacked space allows a retreat to be cancelled, if no card bars it."""
    fort = position.forts.get(combat.space)
    found = {
        "mountain": position.space(combat.space).terrain == "mountain",
        "trench": fort is not None and fort.is_trench,
        "beach_head": combat.space in position.beach_heads,
    }
    return frozenset(each for each, holds in found.items() if holds)


def payers(position: Position, combat: Combat) -> tuple[str, ...]:
    """The defenders that may lose a step to stay: something must be left after it."""
    # reading: 11.4.3, Q14, the price is one step of any loss factor; Q15, the division that
    # replaces a corps counts as the step that is left.
    if not may_cancel_here(position, combat):
        return ()
    units = combat.defenders(position)
    return tuple(
        unit
        for unit in units
        if _something_is_left(position, combat, unit, units)
        and _rest_can_be_paid(position, combat, unit)
    )


def payers_in_order(position: Position, combat: Combat, words: Sequence[str]) -> list[str]:
    """The defenders that may pay and that a ranking names, in its order; of equals the one that
    loses least is first. Without words all of them.
    """

    def rank(unit: str) -> tuple[object, ...]:
        price = price_of(position, combat, unit)
        # As with losses, no unit is eliminated if another can be reduced.
        return (
            ranking.deaths(position, price) if ranking.FLIP in words else (),
            ranking.place_of(position, words, unit),
            ranking.loses_least(position, price),
        )

    could = payers(position, combat)
    return sorted((u for u in could if not words or ranking.is_named(position, words, u)), key=rank)


def _rest_can_be_paid(position: Position, combat: Combat, unit: str) -> bool:
    """Whether the other steps that staying costs can be paid after this one."""
    return steps_to_stay(position, combat) < 2 or bool(payers(*having_paid(position, combat, unit)))


def having_paid(
    position: Position, combat: Combat, unit: str, heir: str = ""
) -> tuple[Position, Combat]:
    """The position after one step paid to stay, and the combat that records it."""
    story: Unfolding[Position] = Unfolding(position)
    pay_to_stay(story, combat, unit, heir)
    return story.position, replace(combat, paid=combat.paid + 1)


def pay_to_stay(story: Unfolding[Position], combat: Combat, unit: str, heir: str) -> None:
    """A defender loses the step; a corps eliminated by it is replaced, by `heir` if named."""
    position = story.position
    heirs = heirs_of(position, combat, unit) or (PHANTOM,)
    lose_step(story, unit, (heir or heirs[0]) if position.type_of(unit).is_corps else None)


def price_of(position: Position, combat: Combat, unit: str) -> Allocation:
    """The step of one defender, with the replacement of a corps that loses its last one."""
    if not position.type_of(unit).is_corps or position.steps_left(unit) > 1:
        return Allocation({unit: 1}, ())
    heirs = heirs_of(position, combat, unit) or (PHANTOM,)
    return Allocation({unit: 1}, ((unit, heirs[0]),))


def _something_is_left(
    position: Position, combat: Combat, unit: str, units: tuple[str, ...]
) -> bool:
    if len(units) > 1 or position.steps_left(unit) > 1:
        return True
    return bool(heirs_of(position, combat, unit))


def heirs_of(position: Position, combat: Combat, unit: str) -> tuple[str, ...]:
    """The divisions that may replace a defending corps if its last step is lost now."""
    groups = fighter(position, unit).heirs
    found = possible_heirs(groups, spares(position, combat.defender))
    return tuple(spare.unit for spare in found)
