"""The log lines of events that most entries do without: decks that are set up, works, sieges,
lasting facts, what ends a turn, optional rules (narrative.py has the others).
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from pbem.engine.narration import Told, aside, together
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.narrative_words import (
    OF_SIDE,
    SIDES_TOLD,
    amount,
    cards_seen,
    line,
    so_many_cards,
    the_card,
    the_die,
    the_siege,
    the_space,
    the_unit,
    the_units,
)
from pbem.games.crusade.position import ELIMINATED, FORTS, RESERVE, Position
from pbem.games.crusade.rules.options_score import MORALE_GONE
from pbem.messages import Message, Row, Said, say, say_many


def _points(halves: int, currency: str) -> Message:
    """Points on the track: "2½ REP points", "½ NAT point"."""
    return say_many("number", "{number} {currency} point", "{number} {currency} points",
                    number=amount(halves), currency=currency)  # fmt: skip


def reason_told(why: str) -> Said:
    """The short reason that a rule gives."""
    return REASONS.get(why, why)


REASONS: Mapping[str, Message] = {
    "border with france closed": say("the whole French border is in Nationalist hands"),
    "border with france open": say("the French border is open again"),
    "border with portugal closed": say("the whole Portuguese border is in Republican hands"),
    "border with portugal open": say("the Portuguese border is open again"),
    "end of the northern front": say("the Northern Front has fallen"),
    "north joined to the zone": say("the Northern Front is joined to the rest of the Republic"),
    "nationalist zone divided": say("the Nationalist zone is cut in two"),
    "republican zone divided": say("the Republican zone is cut in two"),
    "oviedo taken while isolated": say("Oviedo fell while it was still cut off"),
    "effort against Madrid: attacked": say("Madrid was attacked, but not taken, in time"),
    "effort against Madrid: neighbour_attacked_or_occupied": say(
        "the Nationalists came only as far as the outskirts of Madrid"
    ),
    "effort against Madrid: nothing": say("the Nationalists did nothing against Madrid"),
    "Main Cities lost": say("Main Cities lost"),
    "optional rules": say("optional rules"),
    "famine": say("famine"),
    "end of the scenario": say("end of the scenario"),
    "the enemy's capital taken": say("the enemy's capital taken"),
    "beach head overrun": say("beach head overrun"),
    "the last turn is over": say("the last turn is over"),
    "the last turn is over, and the tie is theirs": say(
        "the last turn is over, and the tie is theirs"
    ),
    "every Main City is theirs": say("every Main City is theirs"),
    "Colonel Casado's coup ends the war": say("Colonel Casado's coup ends the war"),
    "Republican Morale is gone": say("Republican Morale is gone"),
}
"""The messages for the short reasons that rules give."""


# --- time ---------------------------------------------------------------------------------------


@line(e.GameEnded)
def _(event: e.GameEnded, position: Position) -> Message:
    from pbem.games.crusade.rules.victory import by_morale

    why = reason_told(event.reason)
    score = [_victory_points(position.vp)]
    if event.reason == by_morale(position):
        why = say("Republican Morale stands at {number}", number=position.rm)
    elif event.reason != MORALE_GONE:
        score.append(say("Republican Morale {number}", number=position.rm))
    if event.winner == "draw":
        return say("the game is drawn: {why} ({score})", why=why, score=Row(tuple(score)))
    return say("{side} win: {why} ({score})", side=SIDES_TOLD[event.winner], why=why,
               score=Row(tuple(score)))  # fmt: skip


def _victory_points(number: int) -> Message:
    if not number:
        return say("no Victory Points")
    return say_many("number", "{number} Victory Point", "{number} Victory Points", number=number)


# --- cards --------------------------------------------------------------------------------------


@line(rare.DeckLaid)
def _(event: rare.DeckLaid, position: Position) -> Message:
    return say("the {side} draw pile is set up: {cards}", side=OF_SIDE[event.side],
               cards=so_many_cards(len(event.slots)))  # fmt: skip


@line(e.CardOpened)
def _(event: e.CardOpened, position: Position) -> Message:
    return say(
        "{side} show {card}", side=SIDES_TOLD[event.side], card=the_card(position, event.card)
    )


@line(rare.CardTakenOut)
def _(event: rare.CardTakenOut, position: Position) -> Message:
    return together("cards", "{cards} counts as played before the game",
                    "{cards} count as played before the game",
                    cards=(the_card(position, event.card),))  # fmt: skip


@line(rare.CardDealt)
def _(event: rare.CardDealt, position: Position) -> Message:
    card = the_card(position, event.card)
    return say("{side} are given {card}", side=SIDES_TOLD[event.side], card=card)


@line(rare.DiscardsTaken)
def _(event: rare.DiscardsTaken, position: Position) -> Message:
    side = OF_SIDE[event.side]
    return say("the {side} discards are reshuffled", side=side)


@line(rare.PileTaken)
def _(event: rare.PileTaken, position: Position) -> Message:
    return say("what is left of the {side} draw pile is reshuffled",
               side=OF_SIDE[event.side])  # fmt: skip


@line(e.HiddenCardsTaken)
def _(event: e.HiddenCardsTaken, position: Position) -> Message:
    side = OF_SIDE[event.side]
    if not event.held:
        return say("the hidden {side} cards are collected to be dealt again", side=side)
    return say("the hidden {side} cards, {number} of them from the hand, are collected to "
               "be dealt again", side=side, number=event.held)  # fmt: skip


@line(rare.HandReturned)
def _(event: rare.HandReturned, position: Position) -> Message:
    return say("{side} show a hand without a corps, {cards}, and shuffle it back",
               side=SIDES_TOLD[event.side],
               cards=tuple(the_card(position, card) for card in event.cards))  # fmt: skip


@line(e.RetainedCardUsed)
def _(event: e.RetainedCardUsed, position: Position) -> Message:
    return say("{side} use {card} again, from the table", side=SIDES_TOLD[event.side],
               card=the_card(position, event.card))  # fmt: skip


@line(e.HandShown)
def _(event: e.HandShown, position: Position) -> Message:
    return say("{side} must show their hand: {cards}", side=SIDES_TOLD[event.side],
               cards=cards_seen(position, event.slots))  # fmt: skip


@line(e.CardReturned)
def _(event: e.CardReturned, position: Position) -> Message:
    known = position.known.get(event.slot)
    if not known:
        return say("a card goes back to the {side} hand", side=OF_SIDE[event.side])
    return say("{card} goes back to the {side} hand", side=OF_SIDE[event.side],
               card=the_card(position, known))  # fmt: skip


@line(rare.HandCardDiscarded)
def _(event: rare.HandCardDiscarded, position: Position) -> Message:
    return say("{side} discard {card} unplayed", side=SIDES_TOLD[event.side],
               card=the_card(position, event.card))  # fmt: skip


@line(rare.CardsRetired)
def _(event: rare.CardsRetired, position: Position) -> Message:
    return say_many(
        "number",
        "{side} choose a combat card for their deck and put {number} other aside, face down",
        "{side} choose a combat card for their deck and put {number} others aside, face down",
        side=SIDES_TOLD[event.side], number=len(event.slots),
    )  # fmt: skip


@line(rare.CardsBuried)
def _(event: rare.CardsBuried, position: Position) -> Message:
    return say("{side} discard {cards} face down", side=SIDES_TOLD[event.side],
               cards=so_many_cards(len(event.slots)))  # fmt: skip


@line(e.CardRetained)
def _(event: e.CardRetained, position: Position) -> Message:
    return say("{card} stays on the table for later rounds of this turn",
               card=the_card(position, event.card))  # fmt: skip


# --- units --------------------------------------------------------------------------------------


@line(e.FirstLossOwed)
def _(event: e.FirstLossOwed, position: Position) -> Message:
    return say("the first loss falls on {units}, whatever the ranking says ({rule})",
               units=the_units(position, *event.units), rule=event.rule)  # fmt: skip


@line(e.StepSpared)
def _(event: e.StepSpared, position: Position) -> Message:
    return together("units", "{units} is spared the first step of the losses",
                    "{units} are spared the first step of the losses",
                    units=the_unit(position, event.unit))  # fmt: skip


@line(e.UnitDisbanded)
def _(event: e.UnitDisbanded, position: Position) -> Message:
    return together("units", "{units} is disbanded and out of the game",
                    "{units} are disbanded and out of the game",
                    units=the_unit(position, event.unit))  # fmt: skip


@line(e.CorpsReplaced)
def _(event: e.CorpsReplaced, position: Position) -> Message:
    return say("{division} comes from the Reserve to {space} in place of {corps}",
               division=the_units(position, event.division), space=the_space(position, event.space),
               corps=the_unit(position, event.corps))  # fmt: skip


@line(rare.MilitiaConverted)
def _(event: rare.MilitiaConverted, position: Position) -> Message:
    place = position.place_of(event.regulars)
    parts = {
        "militia": the_unit(position, event.militia),
        "regulars": the_units(position, event.regulars),
    }
    if place == RESERVE:
        return say("{militia} becomes {regulars} in the Reserve", **parts)
    if place == ELIMINATED:
        return say("{militia} becomes {regulars} in the Eliminated Box", **parts)
    return say("{militia} becomes {regulars} in {space}", space=the_space(position, place), **parts)


@line(rare.WearRolled)
def _(event: rare.WearRolled, position: Position) -> Message:
    return say_many(
        "losses",
        "the long war has worn both armies down: die {die}, {losses} loss each",
        "the long war has worn both armies down: die {die}, {losses} losses each",
        die=event.die, losses=event.losses,
    )  # fmt: skip


@line(rare.UnitRestored)
def _(event: rare.UnitRestored, position: Position) -> Message:
    units = the_unit(position, event.unit)
    return together("units", "{units} is back at full strength",
                    "{units} are back at full strength", units=units)  # fmt: skip


@line(rare.UnitWentAbroad)
def _(event: rare.UnitWentAbroad, position: Position) -> Message:
    return together("units", "{units} leaves over the border until turn {turn}",
                    "{units} leave over the border until turn {turn}",
                    units=the_units(position, event.unit), turn=event.back)  # fmt: skip


# --- ground -------------------------------------------------------------------------------------


@line(e.FortBuilt)
def _(event: e.FortBuilt, position: Position) -> Message:
    parts = {"side": SIDES_TOLD[event.fort.owner], "space": the_space(position, event.space)}
    if event.fort.special:
        return say("{side} now have a special {fort} at {space}", fort=say(FORTS[event.fort.kind]),
                   **parts)  # fmt: skip
    return say("{side} now have a {fort} at {space}", fort=say(FORTS[event.fort.kind]), **parts)


@line(e.DiggingFailed)
def _(event: e.DiggingFailed, position: Position) -> Message:
    space = the_space(position, event.space)
    if not event.stored:
        return say("the work in {space} fails", space=space)
    return say("the work in {space} fails; the next try has a DRM of {drm}",
               space=space, drm=f"{event.stored:+d}")  # fmt: skip


@line(e.DiggingAbandoned)
def _(event: e.DiggingAbandoned, position: Position) -> Message:
    return say(
        "the half-built works in {space} are given up", space=the_space(position, event.space)
    )


@line(e.FortRemoved)
def _(event: e.FortRemoved, position: Position) -> Message:
    return say("the works in {space} are removed", space=the_space(position, event.space))


@line(e.SiegeChanged)
def _(event: e.SiegeChanged, position: Position) -> Message:
    return say("the resistance of {siege} is now {number}", siege=the_siege(position, event.siege),
               number=event.resistance)  # fmt: skip


@line(e.SiegeEnded)
def _(event: e.SiegeEnded, position: Position) -> Message:
    siege = the_siege(position, event.siege)
    if event.how == "liberated":
        return say("at {siege} the siege is lifted", siege=siege)
    return say("at {siege} the garrison surrenders", siege=siege)


@line(rare.IsolationEnded)
def _(event: rare.IsolationEnded, position: Position) -> Message:
    return say("{space} is no longer an Isolated Space", space=the_space(position, event.space))


@line(rare.BeachHeadPlaced)
def _(event: rare.BeachHeadPlaced, position: Position) -> Message:
    return say("{side} open a Beach Head next to {space}", side=SIDES_TOLD[event.side],
               space=the_space(position, event.leads_to))  # fmt: skip


@line(rare.BeachHeadRemoved)
def _(event: rare.BeachHeadRemoved, position: Position) -> Message:
    return say("{space} is removed from the map", space=the_space(position, event.space))


@line(rare.DeadlineSet)
def _(event: rare.DeadlineSet, position: Position) -> Message:
    if event.what == "beach_head_mallorca":
        return say("the landing must take Mallorca by the end of turn {turn}", turn=event.turn)
    return say("{space} must be taken by the end of turn {turn}",
               space=the_space(position, event.what), turn=event.turn)  # fmt: skip


@line(rare.BonusPlaced)
def _(event: rare.BonusPlaced, position: Position) -> Message:
    return say("{space} is the prize of {card} while it is held",
               space=the_space(position, event.space),
               card=the_card(position, event.card))  # fmt: skip


@line(rare.BonusLost)
def _(event: rare.BonusLost, position: Position) -> Message:
    return say("the prize of the strategic counterattack, {space}, is lost",
               space=the_space(position, event.space))  # fmt: skip


# --- score and lasting facts --------------------------------------------------------------------


@line(e.FlagSet)
def _(event: e.FlagSet, position: Position) -> Message | None:
    return _flag(event.flag)[0]


@line(e.FlagCleared)
def _(event: e.FlagCleared, position: Position) -> Message | None:
    return _flag(event.flag)[1]


def _flag(flag: str) -> tuple[Message | None, Message | None]:
    """Some flags end in the number of a turn."""
    return FLAGS.get(re.sub(_NUMBER_AT_END, "", flag), UNTOLD)


_NUMBER_AT_END = r"_\d+$"
UNTOLD = (None, None)


FLAGS: Mapping[str, tuple[Message | None, Message | None]] = {
    "afr_schedule": (say("the Army of Africa begins to cross to Spain"), None),
    "afr_accelerated": (
        say("the last units of the Army of Africa will come in earlier rounds"),
        None,
    ),
    "axis_aid": (say("from now on Germany and Italy aid the Nationalists"), None),
    "soviet_aid": (say("from now on the Soviet Union aids the Republicans"), None),
    "strait_nationalist": (say("the Strait of Gibraltar is in Nationalist hands"), None),
    "franco_command": (say("Franco is in sole command of the Nationalists"), None),
    "largo_caballero": (say("Largo Caballero heads the government of the Republic"), None),
    "juan_negrin": (say("Negrín heads the government of the Republic"), None),
    "famine": (say("the next winter will bring famine"), say("the famine is over")),
    "severe_winter": (
        say("the next winter will be a severe one"),
        say("the severe winter is over"),
    ),
    "munich": (say("the powers settle at Munich"), None),
    "french_border_no_special_sr": (say("no more troops can come back through France"), None),
    "shortage": (
        say("the Nationalists are short of ammunition"),
        say("the Nationalist ammunition shortage is over"),
    ),
    "badajoz_lost": (say("Badajoz will never again supply the Republicans"), None),
    "madrid_attacked": (say("the battle for Madrid has begun"), None),
    "madrid_occupied": (say("Madrid has fallen"), None),
    "madrid_neighbour_attacked": (say("the Nationalists attack next to Madrid"), None),
    "madrid_approached": (say("the Nationalists are at the gates of Madrid"), None),
    "north_ended": UNTOLD,
    "north_linked": UNTOLD,
    "nationalist_divided": UNTOLD,
    "republican_divided": UNTOLD,
    "burgos_taken": UNTOLD,
    "nationalist_landing": UNTOLD,
    "kept_N32": (say("SIPM goes into the Nationalist deck of the War of the Armies"), None),
    "kept_R27": (say("SIM goes into the Republican deck of the War of the Armies"), None),
    "morale_for_victory": (
        say("a second turn at this morale would win the game for the Republic"),
        None,
    ),
}
"""The messages for the start and end of a lasting fact.

Those without one are only recorded, or reported by the score change that comes with them.
"""


# --- the optional rules ---------------------------------------------------------------------------


@line(rare.GuerrillaSent)
def _(event: rare.GuerrillaSent, position: Position) -> Message:
    if event.space:
        spaces = (the_space(position, event.space),)
        return together("spaces", "guerrillas harass the enemy in {spaces}",
                        "guerrillas harass the enemy in {spaces}", spaces=spaces)  # fmt: skip
    if event.effect == "intelligence":
        return say("the guerrilla corps goes out to spy on the enemy's plans")
    return say("the guerrilla corps goes out to blow up trains and bridges")


@line(rare.IntelligenceRolled)
def _(event: rare.IntelligenceRolled, position: Position) -> Message:
    if event.shown:
        return say("the guerrillas' intelligence: die {die}, they learn of {cards}",
                   die=event.die, cards=so_many_cards(event.shown))  # fmt: skip
    if event.lost:
        return say("the guerrillas' intelligence: die {die}, the enemy loses {cards}",
                   die=event.die, cards=so_many_cards(event.lost))  # fmt: skip
    return say("the guerrillas' intelligence: die {die}, they learn nothing", die=event.die)


@line(e.CardsSeen)
def _(event: e.CardsSeen, position: Position) -> Message:
    seen = cards_seen(position, event.slots) or so_many_cards(len(event.slots))
    return say("{side} must show {cards}", side=SIDES_TOLD[event.side], cards=seen)


@line(rare.CardBroughtBack)
def _(event: rare.CardBroughtBack, position: Position) -> Message:
    return say("{card} returns to the {side} deck", card=the_card(position, event.card),
               side=OF_SIDE[event.side])  # fmt: skip


@line(rare.UnitExchanged)
def _(event: rare.UnitExchanged, position: Position) -> Message:
    return say("{new} replaces {old}", new=the_units(position, event.new),
               old=the_unit(position, event.old))  # fmt: skip


@line(rare.UnitsShuffled)
def _(event: rare.UnitsShuffled, position: Position) -> Message:
    by_place: dict[str, list[str]] = {}
    for unit, place, _ in event.units:
        by_place.setdefault(place, []).append(unit)
    places = tuple(
        say("{space} {units}", space=the_space(position, space), units=the_units(position, *units))
        for space, units in by_place.items()
    )
    return say("the {side} units of an area are dealt out: {places}", side=OF_SIDE[event.side],
               places=Row(places, "; "))  # fmt: skip


@line(rare.MarkersChanged)
def _(event: rare.MarkersChanged, position: Position) -> Message:
    side = SIDES_TOLD[event.side]
    if event.count > 0:
        return say_many("number", "{side} lose {number} marker, which must be rebuilt",
                        "{side} lose {number} markers, which must be rebuilt",
                        side=side, number=event.count)  # fmt: skip
    return say_many("number", "{side} rebuild {number} marker", "{side} rebuild {number} markers",
                    side=side, number=-event.count)  # fmt: skip


@line(e.WithdrawalDeclared)
def _(event: e.WithdrawalDeclared, position: Position) -> Message:
    return say("the defenders of {space} withdraw as the attack begins",
               space=the_space(position, event.space))  # fmt: skip


@line(e.UnitSpared)
def _(event: e.UnitSpared, position: Position) -> Message:
    return together("units", "{units} gets away", "{units} get away",
                    units=the_unit(position, event.unit))  # fmt: skip


@line(rare.LandingRolled)
def _(event: rare.LandingRolled, position: Position) -> Message:
    die = the_die(event.die, event.modified)
    if event.success:
        return say("the order for the landing: {die}, the fleet sails", die=die)
    return say("the order for the landing: {die}, the fleet stays in port", die=die)


@line(rare.ReplacementsWithheld)
def _(event: rare.ReplacementsWithheld, position: Position) -> Message:
    from pbem.games.crusade.rules.replacement import why_withheld

    return say_many("number", "{number} {currency} point is not recorded: {why}",
                    "{number} {currency} points are not recorded: {why}",
                    number=amount(event.halves), currency=event.currency,
                    why=why_withheld(event.currency))  # fmt: skip


@line(rare.ReplacementsSpent)
def _(event: rare.ReplacementsSpent, position: Position) -> Told:
    """An aside of the purchase."""
    left, spent = position.rp[event.currency], _points(event.halves, event.currency)
    if not left:
        return aside(say("{points} spent, none left", points=spent))
    return aside(say("{points} spent, {left} left", points=spent, left=amount(left)))


@line(rare.ReplacementsAdjusted)
def _(event: rare.ReplacementsAdjusted, position: Position) -> Message:
    owner = next(
        row["side"]
        for row in position.tables.tables["costs"]["currencies"]
        if row["id"] == event.currency
    )
    parts = {
        "side": SIDES_TOLD[owner],
        "points": _points(abs(event.halves), event.currency),
        "left": amount(position.rp[event.currency]),
        "why": tuple(
            the_card(position, why) if why in position.tables.cards else reason_told(why)
            for why in event.why
        ),
    }
    if not event.why:  # a scenario that says what is lost, but not by which card
        return say("{side} lose {points} and have {left}", **parts)
    if event.halves > 0:
        return say("{side} gain {points} and have {left}: {why}", **parts)
    return say("{side} lose {points} and have {left}: {why}", **parts)


@line(rare.ReplacementsLapsed)
def _(event: rare.ReplacementsLapsed, position: Position) -> Message:
    return say("unspent {currencies} points lapse", currencies=event.currencies)


# --- orders and dice ----------------------------------------------------------------------------


@line(e.DigRolled)
def _(event: e.DigRolled, position: Position) -> Message:
    return say("{unit} tries to build a {fort} in {space}: {die}",
               unit=the_units(position, event.unit), fort=say(FORTS[event.kind]),
               space=the_space(position, event.space),
               die=the_die(event.die, event.modified))  # fmt: skip


@line(e.AttackCalledOff)
def _(event: e.AttackCalledOff, position: Position) -> Message:
    return say("{card} ends the attack on {space} before a shot is fired",
               card=the_card(position, event.card),
               space=the_space(position, event.space))  # fmt: skip


@line(e.RetreatCancelled)
def _(event: e.RetreatCancelled, position: Position) -> Message:
    space = the_space(position, event.space)
    if not event.unit:
        return say("the defenders of {space} refuse to retreat", space=space)
    return say("the defenders of {space} refuse to retreat, at the cost of a step of {unit}",
               space=space, unit=the_unit(position, event.unit))  # fmt: skip


@line(e.AdvanceForgone)
def _(event: e.AdvanceForgone, position: Position) -> Message:
    return say("no unit advances into {space}", space=the_space(position, event.space))


@line(e.AdvanceCut)
def _(event: e.AdvanceCut, position: Position) -> Message:
    space, units = the_space(position, event.space), the_units(position, *event.units)
    if event.why == "path":
        return say("no unit goes on to {space} as planned: the advance may not go there (11.5.3)",
                   space=space)  # fmt: skip
    why = say("{space} has no room for more (9.1.1)", space=space)
    if event.why == "north":
        why = say("the regions of the north allow no advance there (16.4.2.1)")
    return together("units", "{units} stays behind, contrary to the plan: {why}",
                    "{units} stay behind, contrary to the plan: {why}",
                    units=units, why=why)  # fmt: skip


@line(e.SiegeAssaulted)
def _(event: e.SiegeAssaulted, position: Position) -> Message:
    parts = {
        "units": the_units(position, *event.units), "siege": the_siege(position, event.siege),
        "die": the_die(event.die, event.modified),
    }  # fmt: skip
    if event.success:
        return say_many("units", "{units} assaults {siege}: {die}; the walls are breached",
                        "{units} assault {siege}: {die}; the walls are breached",
                        **parts)  # fmt: skip
    return say_many("units", "{units} assaults {siege}: {die}; the garrison beats it off",
                    "{units} assault {siege}: {die}; the garrison beats it off",
                    **parts)  # fmt: skip
