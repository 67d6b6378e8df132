"""11.1, 17.4, 16.6.2: which units may attack what, and the checks of an attack."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.engine.model import Side, Violation
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import Attack
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.asks import Attacking, Boosted, OfASide
from pbem.games.crusade.rules.engagement import is_open
from pbem.games.crusade.rules.event_limits import target_far_from_france, threatened
from pbem.games.crusade.rules.options_combat import is_open_to_corps
from pbem.games.crusade.rules.ranking import FLIP, UNIT_WORDS, fits_any, is_word
from pbem.games.crusade.tables import ENEMY, PEOPLE, REPUBLICAN
from pbem.late import Late
from pbem.messages import Said, say

if TYPE_CHECKING:
    from pbem.engine import mentions
else:  # few orders name the enemy's units
    mentions = Late("pbem.engine.mentions")


def called_off(side: Side, position: Position, space: str) -> str:
    """The mark for an attack that a card cancelled this round, so it may be tried again."""
    return f"no_combat/{side}/{position.round}/{space}"


# --- what may be attacked -----------------------------------------------------------------------


def ready_units(stage: Attacking, position: Position, space: str) -> tuple[str, ...]:
    """Units of an activated space that have not fought this round."""
    if space not in stage.marked:
        return ()
    return tuple(u for u in position.units_in(space, stage.side) if u not in stage.fought)


@CITE.rule("11.1.2", "11.1.4")
def targets(stage: Attacking, position: Position) -> dict[str, dict[str, tuple[str, ...]]]:
    """The enemy-held spaces that may be attacked now, with the units that could, by space."""
    found: dict[str, dict[str, tuple[str, ...]]] = {}
    for origin in stage.marked:
        units = ready_units(stage, position, origin)
        for space in position.neighbours(origin) if units else ():
            if threatened(position, stage.side, space):
                continue
            if position.occupier(space) == ENEMY[stage.side] and _is_fresh(stage, position, space):
                found.setdefault(space, {})[origin] = units
    rank = position.tables.map_rank
    return {space: found[space] for space in sorted(found, key=lambda s: rank.get(s, len(rank)))}


def _is_fresh(stage: Attacking, position: Position, space: str) -> bool:
    return (
        space not in stage.struck or called_off(stage.side, position, space) in position.turn_marks
    )


def claimable_armor(position: Position, order: Attack) -> tuple[str, ...]:
    """The attacking units that may claim the DRM for armor."""
    return tuple(
        unit
        for origin, units in order.units.items()
        for unit in units
        if not why_no_armor(position, order, unit, origin)
    )


def why_no_armor(position: Position, order: Attack, unit: str, origin: str) -> Said:
    """Why a unit cannot claim the DRM for armor; empty if it can."""
    # reading: 16.6.2/a, Q37, the armor that claims must itself attack over a link that is not a
    # river.
    if not position.type_of(unit).has("armor"):
        return say("{unit} is not an armor unit", unit=unit)
    corps = position.type_of(unit).is_corps
    if position.is_reduced(unit) and not corps:
        return say("{unit} is at reduced strength", unit=unit)
    if not (is_open_to_corps if corps else is_open)(position, order.space):
        return say("{space} is not Open", space=position.space(order.space).name)
    if position.is_river(origin, order.space) and not _bridge_is_taken(position, order):
        return say("{unit} attacks across a river", unit=unit)
    return ""


def _bridge_is_taken(position: Position, order: Attack) -> bool:
    """Whether a card of this attack ignores the river (N25)."""
    known = (position.tables.cards.get(card) for card in order.cards)
    return any("river" in card.params.get("ignore", ()) for card in known if card)


# --- checks -------------------------------------------------------------------------------------


@CITE.refusal("11.2.2")
def names_space_and_units(stage: object, position: Position, order: Attack) -> Iterator[Violation]:
    """An attack names a space of the map and at least one unit, each once."""
    if not position.is_open_for_play(order.space):
        yield position.not_there(order.space, "space")
    named: set[str] = set()
    for origin, units in order.units.items():
        if not position.is_open_for_play(origin):
            yield position.not_there(origin, "units", origin)
        for place, unit in enumerate(units):
            if unit not in position.counters:
                yield Violation(
                    say("no unit is named {unit}", unit=repr(unit)), at=("units", origin, place)
                )
            elif unit in named:
                yield Violation(
                    say("{unit} is named twice", unit=unit), at=("units", origin, place)
                )
            named.add(unit)
    if not named:
        yield Violation(say("an attack needs at least one unit"), at=("units",))


@CITE.check("11.2.2")
def attackers_are_yours(stage: Attacking, position: Position, order: Attack) -> Iterator[Violation]:
    """Every attacker is one's own unit in the space it is listed under."""
    enemy = ENEMY[stage.side]
    theirs = [
        mentions.Named("unit", unit, ("units", origin, place))
        for origin, units in order.units.items()
        for place, unit in enumerate(units)
        if position.side_of(unit) == enemy
    ]
    if theirs:
        number = sum(map(len, order.units.values()))
        able = ready_units(stage, position, str(theirs[0].at[1]))
        hint = say("ready to attack from there: {ready}", ready=", ".join(able)) if able else ""
        yield mentions.of_the_enemy(theirs, number, theirs[0].name, PEOPLE[stage.side],
                                    PEOPLE[enemy], hint=hint)  # fmt: skip
    for origin, units in order.units.items():
        for place, unit in enumerate(units):
            where, name = ("units", origin, place), position.space(origin).name
            if position.side_of(unit) == enemy or position.place_of(unit) == origin:
                continue
            ready = ", ".join(ready_units(stage, position, origin))
            could = (
                say("ready to attack from {name}: {ready}", name=name, ready=ready)
                if ready
                else say("no unit in {name} can attack", name=name)
            )
            stands = position.place_of(unit)
            hint = say("it is in {place}; {could}", place=position.called(stands), could=could)
            if stands in stage.marked:
                hint = say(
                    "it is in {place}, so write {space}: [{unit}]; {could}",
                    place=position.called(stands), space=stands, unit=unit, could=could,
                )  # fmt: skip
            yield Violation(
                say("{unit} is not in {name}", unit=unit, name=name), at=where, hint=hint
            )


@CITE.check("11.1.1")
def attackers_are_marked(
    stage: Attacking, position: Position, order: Attack
) -> Iterator[Violation]:
    """Only units of spaces activated for combat attack."""
    marked = ", ".join(position.space(space).name for space in stage.marked)
    for origin in order.units:
        if origin not in stage.marked:
            yield Violation(
                say("{space} is not activated for combat", space=position.space(origin).name),
                at=("units", origin),
                hint=say("activated are {marked}", marked=marked) if marked else "",
            )


@CITE.check("11.1.3")
def attackers_are_adjacent(
    stage: Attacking, position: Position, order: Attack
) -> Iterator[Violation]:
    """Every attacker is adjacent to the attacked space, and that space has enemy units."""
    reachable = targets(stage, position)
    could = ", ".join(position.space(space).name for space in reachable)
    for origin in order.units:
        if not position.are_adjacent(origin, order.space):
            there = ", ".join(
                position.space(space).name for space in reachable if origin in reachable[space]
            )
            yield Violation(
                say(
                    "{space} is not next to {space_name}",
                    space=position.space(origin).name,
                    space_name=position.space(order.space).name,
                ),
                at=("units", origin),
                hint=say("from there you can attack {there}", there=there) if there else "",
            )
    if position.occupier(order.space) != ENEMY[stage.side]:
        yield Violation(
            say("no enemy unit is in {space}", space=position.space(order.space).name),
            at=("space",),
            hint=say("you can attack {could}", could=could) if could else "",
        )


@CITE.check("11.1.5")
def fights_only_once(stage: Attacking, position: Position, order: Attack) -> Iterator[Violation]:
    """A unit fights once in a round, and a space is attacked once."""
    for origin, units in order.units.items():
        for place, unit in enumerate(units):
            if unit in stage.fought:
                yield Violation(
                    say("{unit} has already fought this round", unit=unit),
                    at=("units", origin, place),
                )
    if not _is_fresh(stage, position, order.space):
        name = position.space(order.space).name
        yield Violation(
            say("{name} has already been attacked this round", name=name), at=("space",)
        )


@CITE.rule("17.4.1")
@CITE.check("17.4.2")
def militias_are_coordinated(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    """Of several attacking spaces, only one may attack with militia alone."""
    if position.phase == "columns" and "R8" not in position.played:
        yield from _uncoordinated(stage, position, order, "militia", say("militia"))


@CITE.check("17.4.3")
def catalans_are_coordinated(
    stage: OfASide, position: Position, order: Attack
) -> Iterator[Violation]:
    """Catalan militia stay uncoordinated after Largo Caballero's Government, until turn 5."""
    # reading: once R8 is played, militia of other kinds count as the unit that coordinates.
    if position.phase == "columns" and "R8" in position.played:
        yield from _uncoordinated(stage, position, order, "catalan", say("Catalan militia"))


def _uncoordinated(
    stage: OfASide, position: Position, order: Attack, tag: str, words: Said
) -> Iterator[Violation]:
    if stage.side != REPUBLICAN:
        return
    alone = [
        origin
        for origin, units in order.units.items()
        if units and all(position.type_of(unit).has(tag) for unit in units)
    ]
    for origin in alone[1:]:
        yield Violation(
            say(
                "only {words} would attack from {space_name}, and only {words} from {space}",
                words=words,
                space=position.space(origin).name,
                space_name=position.space(alone[0]).name,
            ),
            at=("units", origin),
            hint=say("all attacking spaces but one need a unit of another kind"),
        )


@CITE.rule("16.6.2/d")
@CITE.check("16.6.2/a")
def armor_may_claim(stage: object, position: Position, order: Attack) -> Iterator[Violation]:
    """The DRM is claimed by full armor that attacks an Open space, not across a river."""
    # reading: Q39, the claim is made with the attack, before the defender's cards.
    if not order.armor:
        return
    origins = {unit: origin for origin, units in order.units.items() for unit in units}
    if order.armor not in origins:
        yield Violation(say("{armor} is not among the attackers", armor=order.armor), at=("armor",))
        return
    reason = why_no_armor(position, order, order.armor, origins[order.armor])
    if reason:
        could = ", ".join(claimable_armor(position, order)) or "none"
        yield Violation(
            say("armor gives no DRM here: {reason}", reason=reason),
            at=("armor",),
            hint=say("armor: {could}", could=could),
        )


@CITE.check("8.5.5.3")
def boost_allows_it(stage: Boosted, position: Position, order: Attack) -> Iterator[Violation]:
    """A benefit that an event gives to one attack of the round is claimed once."""
    if order.cancel_terrain and not stage.boost.terrain_free:
        yield Violation(
            say("no event cancels terrain in this round"),
            at=("cancel_terrain",),
            rule="" if stage.side == REPUBLICAN else "card N46",
        )
    elif order.cancel_terrain and "terrain" in stage.spent:
        yield Violation(
            say("another attack has used this already"),
            at=("cancel_terrain",),
            rule="" if stage.boost.marks_victories else f"card {stage.boost.card}",
        )


@CITE.refusal("card N26")
def one_attack_has_the_bonus(
    stage: Boosted, position: Position, order: Attack
) -> Iterator[Violation]:
    """An event's modifier for one attack is claimed once, and only with that event."""
    if order.air_bonus and not stage.boost.once:
        yield Violation(
            say("no event gives one attack a bonus in this round"),
            at=("air_bonus",),
            hint=say("leave air_bonus out"),
        )
    elif order.air_bonus and "drm" in stage.spent:
        yield Violation(
            say("another attack has used the bonus already"),
            at=("air_bonus",),
            hint=say("leave air_bonus out"),
        )


@CITE.refusal("11.3.1")
def ranking_names_units(stage: object, position: Position, order: Attack) -> Iterator[Violation]:
    """A ranking of losses names units or kinds of units; units that do not attack are skipped."""
    # Whether each of them attacks is only a remark: the dice of another combat may remove one.
    for place, word in enumerate(order.losses):
        if word == FLIP and place:
            yield Violation(
                say("{flip} must come first in the list", flip=FLIP), at=("losses", place)
            )
        elif word != FLIP and not is_word(position, word):
            yield Violation(
                say("no unit or kind of unit is named {word}", word=repr(word)),
                at=("losses", place),
                hint=say("{unit_words}, {flip}", unit_words=UNIT_WORDS, flip=FLIP),
            )


def idle_in_ranking(position: Position, order: Attack) -> tuple[str, ...]:
    """The words of a ranking that match no attacker."""
    units = [unit for listed in order.units.values() for unit in listed]
    words = (word for word in order.losses if word != FLIP)
    return tuple(word for word in words if not fits_any(position, word, units))


@CITE.refusal("11.5.1")
def plan_names_attackers(stage: object, position: Position, order: Attack) -> Iterator[Violation]:
    """A planned advance names attackers, and begins with the attacked space."""
    plan = order.advance
    if plan is None:
        return
    attacking = {unit for units in order.units.values() for unit in units}
    for place, unit in enumerate(plan.units):
        if unit not in attacking:
            yield Violation(
                say("{unit} is not among the attackers", unit=unit), at=("advance", "units", place)
            )
    if plan.units and plan.to[:1] != (order.space,):
        name = position.space(order.space).name
        hint = say("write to: [{space}]", space=order.space)
        yield Violation(
            say("an advance must begin in {name}", name=name), at=("advance", "to"), hint=hint
        )


ATTACK_CHECKS = (
    (names_space_and_units,),
    (attackers_are_yours,),
    (attackers_are_marked, attackers_are_adjacent, fights_only_once),
    (
        militias_are_coordinated,
        catalans_are_coordinated,
        target_far_from_france,
        armor_may_claim,
        boost_allows_it,
        one_attack_has_the_bonus,
        ranking_names_units,
        plan_names_attackers,
    ),
)
"""Rows for the check of an attack, before those of its cards."""
