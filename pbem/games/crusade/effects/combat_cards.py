"""The effects of combat cards (8.5.3), from the plain facts of data/crusade/cards.yaml.

A card's `params` give its role, its condition (`when`, `unit`) and its effect. One function here
implements each word, so a new card of known words needs no code. A card with an unknown word is
refused (`is_built`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pbem.engine.model import Side
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.position import Combat, Position
from pbem.games.crusade.rules.engagement import all_cross_rivers, is_open
from pbem.games.crusade.rules.options_landing import is_coast
from pbem.games.crusade.rules.supply import WEST_OF_THE_STRAIT
from pbem.games.crusade.tables import ENEMY, NATIONALIST, REPUBLICAN
from pbem.messages import Said, marked, say
from pbem.value import value

BUILT = frozenset(
    (
        *("drm", "role", "on", "when", "unit", "ignore", "cancels", "retreat_cancelled"),
        *("once_per_turn", "eliminate", "fires_first", "forbids_cancel", "retreat_spaces"),
        *("forbids_advance", "dice", "first_loss", "retreat_free_choice", "restores_step"),
        "ignores_own_shift_only",
    )
)
"""The words of `params` that this version implements."""

# --- conditions ---------------------------------------------------------------------------------

Holds = Callable[[Position, Combat, Side], bool]


@value
class CardCondition:
    """The condition of a card: the test, and the message if it fails."""

    holds: Holds
    otherwise: Said


CONDITIONS: dict[str, CardCondition] = {}


def condition(name: str, *cards: str, otherwise: Said) -> Callable[[Holds], Holds]:
    """Registers the test for a word after `when` in a card's facts."""

    def register(holds: Holds) -> Holds:
        CONDITIONS[name] = CardCondition(holds, otherwise)
        return CITE.rule(*(f"card {card}" for card in cards))(holds)

    return register


def _some(position: Position, units: tuple[str, ...], tag: str) -> bool:
    return any(position.type_of(unit).has(tag) for unit in units)


@condition(
    "coastal_target",
    "N5",
    otherwise=say("the attacked space must be on a coast the fleet can reach"),
)
def coastal_target(position: Position, combat: Combat, side: Side) -> bool:
    """Atlantic coasts always; the Mediterranean beyond the Strait only once that is Nationalist.

    A beach head is on the coast it leads to (8.5.6.1).
    """
    sea = position.sea_of(combat.space) if is_coast(position, combat.space) else ""
    coast = position.beach_heads.get(combat.space, combat.space)
    west = coast in WEST_OF_THE_STRAIT and coast != "algeciras"
    return sea == "atlantic" or (
        sea == "mediterranean" and (west or position.has("strait_nationalist"))
    )


@condition("attackers_all_militia", "N7", otherwise=say("every attacking unit must be militia"))
def attackers_all_militia(position: Position, combat: Combat, side: Side) -> bool:
    return all(position.type_of(unit).has("militia") for unit in combat.attackers(position))


@condition("attackers_include_militia", "N9", otherwise=say("a militia unit must be attacking"))
def attackers_include_militia(position: Position, combat: Combat, side: Side) -> bool:
    return _some(position, combat.attackers(position), "militia")


@condition("attackers_include_police", "N14", otherwise=say("a police unit must be attacking"))
def attackers_include_police(position: Position, combat: Combat, side: Side) -> bool:
    return bool(defectors(position, combat))


@condition(
    "armor_claimed", "N18", otherwise=say("the attacker must have claimed the DRM for armor")
)
def armor_claimed(position: Position, combat: Combat, side: Side) -> bool:
    return bool(combat.armor)


@condition("all_cross_river", "N25", otherwise=say("every attacking unit must cross a river"))
def all_cross_river(position: Position, combat: Combat, side: Side) -> bool:
    return all_cross_rivers(position, combat)


@condition(
    "main_city_not_madrid",
    "N52",
    otherwise=say("it can be used only against a Main City other than Madrid"),
)
def main_city_not_madrid(position: Position, combat: Combat, side: Side) -> bool:
    return position.space(combat.space).main_city and combat.space != "madrid"


@condition(
    "not_madrid_or_adjacent",
    "N55",
    otherwise=say("it cannot be used against Madrid or a space next to it"),
)
def not_madrid_or_adjacent(position: Position, combat: Combat, side: Side) -> bool:
    return combat.space != "madrid" and not position.tables.adjacent_to_madrid(combat.space)


@condition("navarre", "N57", otherwise=say("a unit of Navarre must take part"))
def navarre(position: Position, combat: Combat, side: Side) -> bool:
    units = combat.units_of(position, NATIONALIST)
    return _some(position, units, "navarre") or "N-NAVARRA" in units


@condition(
    "from_two_spaces_on_open_militia",
    "N58",
    otherwise=say(
        "it can be used only for an attack from two spaces on militia not in a mountain, "
        "city or Trench space"
    ),
)
def from_two_spaces_on_open_militia(position: Position, combat: Combat, side: Side) -> bool:
    fort = position.forts.get(combat.space)
    ground = position.space(combat.space)
    open_or_position = (
        ground.terrain != "mountain"
        and not ground.main_city
        and (fort is None or not fort.is_trench)
    )
    defenders = combat.defenders(position)
    militia = all(position.type_of(unit).has("militia") for unit in defenders)
    return open_or_position and militia and len(combat.origins_left(position)) > 1


@condition("full_cavalry_on_open", "N60", otherwise=say("full cavalry must attack an Open space"))
def full_cavalry_on_open(position: Position, combat: Combat, side: Side) -> bool:
    full = [u for u in combat.attackers(position) if not position.is_reduced(u)]
    return is_open(position, combat.space) and _some(position, tuple(full), "cavalry")


@condition("full_t26", "R6", otherwise=say("a full-strength T-26 must take part"))
def full_t26(position: Position, combat: Combat, side: Side) -> bool:
    units = combat.units_of(position, REPUBLICAN)
    # reading: 18.4.1.1, a card for the T-26 also serves the armored corps, reduced or not.
    return any(
        (position.type_of(u).id == "T-26" and not position.is_reduced(u)) or u == "R-RAC"
        for u in units
    )


@condition("enemy_italian", "R28", otherwise=say("an Italian unit must take part"))
def enemy_italian(position: Position, combat: Combat, side: Side) -> bool:
    return _some(position, combat.units_of(position, ENEMY[side]), "italian")


@condition("enemy_air", "R37", otherwise=say("the enemy must have an air DRM in this combat"))
def enemy_air(position: Position, combat: Combat, side: Side) -> bool:
    cards = combat.cards_of(ENEMY[side])
    event = combat.attacker != side and combat.boost.air and combat.boost.drm > 0
    return event or any(position.card(card).air for card in cards)


@condition(
    "army_of_africa_from_two_spaces_on_open",
    "R57",
    otherwise=say("Army of Africa units must attack an Open space from two spaces"),
)
def army_of_africa_from_two_spaces_on_open(position: Position, combat: Combat, side: Side) -> bool:
    origins = {
        combat.origins[unit]
        for unit in combat.attackers(position)
        if position.type_of(unit).has("army_of_africa")
    }
    return is_open(position, combat.space) and len(origins) > 1


@condition("own_militia", "R58", otherwise=say("one of your militia units must take part"))
def own_militia(position: Position, combat: Combat, side: Side) -> bool:
    return _some(position, combat.units_of(position, side), "militia")


# --- whether a card may be used -----------------------------------------------------------------


def is_built(position: Position, card: str) -> bool:
    """Whether this version implements everything on the card."""
    params = position.card(card).params
    when = params.get("when", "")
    return params.keys() <= BUILT and (not when or when in CONDITIONS)


@CITE.serves("11.2.4")
def why_not(position: Position, combat: Combat, side: Side, card: str) -> Said:
    """Why a side cannot use a card in this combat; empty if it can."""
    return next(_obstacles(position, combat, side, card), "")


def _obstacles(position: Position, combat: Combat, side: Side, card: str) -> Iterator[Said]:
    yield from _obstacles_anywhere(position, card)
    params = position.card(card).params
    role = "attacker" if side == combat.attacker else "defender"
    if params.get("role", "any") not in ("any", role):
        yield say(ONLY[params["role"]])
    yield from _not_its_time(position, combat, card)
    yield from _unfit(position, combat, side, params)


@CITE.rule("card N36", "card N54", "card R36", "card R53")
def _unfit(
    position: Position, combat: Combat, side: Side, params: Mapping[str, Any]
) -> Iterator[Said]:
    """What a card of a side misses in the combat: its unit, or what it says after `when`."""
    unit = params.get("unit", "")
    if unit and unit not in combat.units_of(position, side):
        yield say("{unit} must take part", unit=say(position.type_of(unit).name))
    when = params.get("when", "")
    if when and not CONDITIONS[when].holds(position, combat, side):
        yield CONDITIONS[when].otherwise


ONLY = {
    "attacker": marked("only the attacker may use it"),
    "defender": marked("only the defender may use it"),
}
LATE = frozenset({"retreat_cancelled", "restores_step"})
"""Words of cards that affect a defeated defender."""


def _not_its_time(position: Position, combat: Combat, card: str) -> Iterator[Said]:
    """Cards are played before the dice; by agreement those for a defeated defender after them."""
    # reading: 8.5.3.1, Q48, cards that take effect after the losses are committed with the others.
    rolled = combat.by_attacker is not None and combat.by_defender is not None
    late = bool(LATE & set(position.card(card).params)) and position.option("Q48")
    if late and not rolled:
        yield say("it is played after the dice are rolled")
    elif rolled and not late:
        yield say("it is played before the dice are rolled")


def is_barred_anywhere(position: Position, card: str) -> bool:
    """Whether a card cannot be used now in any combat."""
    return any(True for _ in _obstacles_anywhere(position, card))


@CITE.serves("8.5.1.2")
def _obstacles_anywhere(position: Position, card: str) -> Iterator[Said]:
    """The unmet prerequisites that do not depend on the combat."""
    facts = position.card(card)
    for need in facts.needs:
        if need not in position.played:
            title = say(position.card(need).title)
            yield say("the event {title} ({card}) must have been played", title=title, card=need)
    for block in facts.blocked_by:
        if block in position.played:
            title = say(position.card(block).title)
            yield say("the event {title} ({card}) has been played", title=title, card=block)
    if facts.only_phases and position.phase not in facts.only_phases:
        yield say("its phase of the war is over")
    if position.turn < facts.not_before_turn:
        yield say("not before turn {turn}", turn=facts.not_before_turn)
    if facts.rm_max is not None and position.rm > facts.rm_max:
        yield say("Republican Morale must be {most} or less", most=facts.rm_max)


# --- what the cards in use change ---------------------------------------------------------------


def in_force(position: Position, combat: Combat) -> tuple[tuple[Side, str, Any], ...]:
    """The committed cards with their facts, without those that another one cancels completely."""
    sides = (combat.attacker, combat.defender)
    used = [(side, card) for side in sides for card in combat.cards_of(side)]
    if not used:
        return ()
    cancelled = {position.card(card).params.get("cancels") for _, card in used}
    return tuple(
        (side, card, position.card(card).params) for side, card in used if card not in cancelled
    )


def _param(position: Position, combat: Combat, word: str) -> Iterator[tuple[Side, Any]]:
    for side, _, params in in_force(position, combat):
        if word in params:
            yield side, params[word]


def cancels_air(position: Position, combat: Combat, owner: Side) -> bool:
    """R37: the air DRMs of the enemy of its player do not count; those of its own side do."""
    return any(
        what == "air" and side != owner for side, what in _param(position, combat, "cancels")
    )


@CITE.rule("CC.N18")
def cancels_armor(position: Position, combat: Combat) -> bool:
    """A card of the defender cancels the DRM for armor; armor's first loss is still owed."""
    return any(
        what == "armor" and side == combat.defender
        for side, what in _param(position, combat, "cancels")
    )


def armor_counts(position: Position, combat: Combat) -> bool:
    """Whether the attacker claims the DRM of 16.6 and no card cancels it."""
    # reading: 16.6.2, N18, N59 and R6 cancel the DRM for armor, not the +1 that R6 gives as a card.
    return bool(combat.armor) and not cancels_armor(position, combat)


@CITE.rule(
    "card N10", "card N17", "card N38", "card N53",
    "card R5", "card R17", "card R29", "card R54",
)  # fmt: skip
def card_drms(position: Position, combat: Combat, side: Side) -> Iterator[tuple[str, int]]:
    """The die modifiers of a side by cards: its own, and those its enemy turned on it."""
    for user, card, params in in_force(position, combat):
        target = ENEMY[user] if params.get("on") == "enemy" else user
        drm = params.get("drm", 0)
        if target != side or not drm:
            continue
        if position.card(card).air and cancels_air(position, combat, user):
            continue
        if not _still_helps(position, combat, user, params):
            continue
        if params.get("when") == "full_t26" and armor_counts(position, combat):
            continue  # R6 and the DRM of 16.6 are together never more than one
        yield card, drm


@CITE.serves("card R7")
def _still_helps(position: Position, combat: Combat, side: Side, params: Mapping[str, Any]) -> bool:
    """Whether the units that a card is for are still in the fight when the die is rolled."""
    # reading: card R7, a card for a unit or a kind of attack changes the die only if what is left
    # of the attackers would still allow it, as with the DRM for armor (CC.R7).
    return not any(True for _ in _unfit(position, combat, side, params))


@CITE.rule("card N33", "card N59")
def ignored_terrain(position: Position, combat: Combat, side: Side) -> frozenset[str]:
    """The rows of the Terrain Effects Chart whose shifts the attacker's cards cancel."""
    ignored: set[str] = set()
    for user, _, params in in_force(position, combat):
        works = side == combat.attacker or not params.get("ignores_own_shift_only")
        if user == combat.attacker and works:
            ignored |= set(params.get("ignore", ()))
    return frozenset(ignored)


def calls_off(position: Position, combat: Combat) -> str:
    """The card that ends the combat before any die, or empty (N7)."""
    for _, card, params in in_force(position, combat):
        if params.get("cancels") == "attack":
            return str(card)
    return ""


def names_a_target(position: Position, card: str) -> bool:
    """Whether the player of the card picks a unit (N14)."""
    return "eliminate" in position.card(card).params


@CITE.serves("card N14", "CC.N14")
def defectors(position: Position, combat: Combat) -> tuple[str, ...]:
    """The attacking police that may be made to defect, full ones first, then in stack order."""
    police = [
        unit
        for unit in combat.attackers(position)
        if position.type_of(unit).has("police") and position.side_of(unit) == REPUBLICAN
    ]
    return tuple(sorted(police, key=position.is_reduced))


@CITE.rule("card R7")
def defender_fires_first(position: Position, combat: Combat) -> bool:
    return any(True for _ in _param(position, combat, "fires_first"))


@CITE.rule("card N12", "card R55")
def retreat_is_cancelled(position: Position, combat: Combat) -> bool:
    """Whether a card of the defender lets a defeated stack stay without a price."""
    # reading: card N52, it bars the choice of 11.4.3 to stay for a step, but not R55, which is
    # played in answer to it.
    return any(True for _ in _param(position, combat, "retreat_cancelled"))


@CITE.serves("card N52", "card N55")
def forbids_cancelling(position: Position, combat: Combat) -> dict[str, str]:
    """Why a retreat may not be cancelled, `always` or `trench`, each with the card that says so."""
    return {
        params["forbids_cancel"]: card
        for _, card, params in in_force(position, combat)
        if "forbids_cancel" in params
    }


@CITE.serves("card N55", "card N58", "card R60")
def retreat_spaces(position: Position, combat: Combat) -> int:
    """The length of a retreat by a card; 0 if the difference decides."""
    card = retreat_card(position, combat)
    return int(position.card(card).params["retreat_spaces"]) if card else 0


def retreat_card(position: Position, combat: Combat) -> str:
    """The card that sets the length of a retreat, or empty."""
    # reading: card R60, if cards of both sides set the length, the defender's counts.
    said = {
        side: card
        for side, card, params in in_force(position, combat)
        if "retreat_spaces" in params
    }
    return said.get(combat.defender) or said.get(combat.attacker, "")


def retreats_freely(position: Position, combat: Combat) -> bool:
    """R60: the owner may choose any friendly space."""
    return any(True for _ in _param(position, combat, "retreat_free_choice"))


def restoring_cards(position: Position) -> tuple[str, ...]:
    """The cards that can restore a step to a defeated unit."""
    return tuple(
        id for id, card in position.tables.cards.items() if card.params.get("restores_step")
    )


def restores_step(position: Position, combat: Combat) -> bool:
    """R60: a defeated defender recovers a step of this combat."""
    return any(True for _ in _param(position, combat, "restores_step"))


def forbids_advance(position: Position, combat: Combat) -> bool:
    """Whether a card of this combat bars the winner's advance."""
    return any(True for _ in _param(position, combat, "forbids_advance"))


def first_loss_tags(position: Position, combat: Combat) -> tuple[tuple[str, str], ...]:
    """Cards with the tags of attackers that lose first because of them (N60)."""
    return tuple(
        (card, params["first_loss"])
        for side, card, params in in_force(position, combat)
        if side == combat.attacker and "first_loss" in params
    )


@CITE.rule("card R59", "CC.N57", "CC.R59")
def dice_rule(position: Position, combat: Combat, side: Side) -> str:
    """`keep_high` or `keep_low` of two dice; empty for one die."""
    if side != NATIONALIST:
        return ""
    rules = {
        params["dice"]
        for user, _, params in in_force(position, combat)
        if "dice" in params and _still_helps(position, combat, user, params)
    }
    return rules.pop() if len(rules) == 1 else ""
