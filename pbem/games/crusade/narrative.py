"""The log line of each event, like a war diary; `position` is the one right after it.

Each function returns a message (pbem/messages.py): a clause whose gaps hold values. Units appear by
their printed name with the id a player writes: "Infantry INF-3", or "Navarra A.C. (N-NAVARRA)" if
there is only one. A unit is at full strength unless it is called reduced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

from pbem.board.ledger import die_told
from pbem.engine.model import Event
from pbem.engine.narration import Told, aside, both, together
from pbem.games.crusade import events as e
from pbem.games.crusade.fire_words import FIRE_TABLES, MODIFIERS
from pbem.games.crusade.position import (
    DISPLAY,
    ELIMINATED,
    FORTS,
    MOROCCO,
    POOL,
    REMOVED,
    RESERVE,
    Position,
)
from pbem.games.crusade.rules.options_score import MORALE_GONE
from pbem.games.crusade.tables import NATIONALIST, PEOPLE, REPUBLICAN
from pbem.messages import Message, Part, Row, Said, Thing, WrittenNumber, say, say_many
from pbem.value import replace

Teller = Callable[[Any, Position], Message | None]

LINES: dict[type[Event[Any]], Teller] = {}

SILENT: Mapping[type[Event[Any]], str] = {
    e.TurnMarkUsed: "the attack that it allowed says it",
    e.CardDiscarded: "a played card goes to the discards unless another line says where it goes",
    e.TurnBegan: "the heading says it",
    e.RoundBegan: "the heading says it",
    e.RoundEnded: "the next heading says it",
    e.SegmentBegan: "the heading says it",
    e.CombatBegan: "the attack says it",
    e.CardsCommitted: "each card that is played says it",
    e.FireForgone: "the losses before it say that nobody is left",
    e.LossesTaken: "each loss says it",
    e.WayFollowed: "the retreat says it",
    e.CombatEnded: "what came of the combat says it",
}
"""Events without a line, each with the reason; all others have one."""


def line(kind: type[Event[Any]]) -> Callable[[Teller], Teller]:
    """Registers the narrator of one type of event."""

    def register(teller: Teller) -> Teller:
        assert kind not in LINES, kind
        LINES[kind] = teller
        return teller

    return register


def narrate(event: Event[Position], position: Position) -> Message | None:
    """The message for an event, or None if there is nothing to report."""
    teller = LINES.get(type(event))
    return teller(event, position) if teller else None


# --- names --------------------------------------------------------------------------------------

SIDES_TOLD: Mapping[str, Message] = {
    NATIONALIST: say("the Nationalists"),
    REPUBLICAN: say("the Republicans"),
}
OF_SIDE: Mapping[str, Message] = {side: say(word) for side, word in PEOPLE.items()}
"""The adjective of a side: "the Republican draw pile"."""
REDUCED = say("reduced")


def _space(position: Position, space: str) -> Said:
    """The printed name; a Beach Head is a marker, and takes an article."""
    ground = position.tables.spaces[space]
    return say("the {marker}", marker=say(ground.name)) if ground.dormant else ground.name


def _spaces(position: Position, spaces: Iterable[str]) -> tuple[Said, ...]:
    return tuple(_space(position, space) for space in spaces)


def _card(position: Position, card: str) -> Thing:
    """Title and number: "Air Bridge (N1)"."""
    return Thing(card, say(position.card(card).title), is_only=True)


def _seen(position: Position, slots: Iterable[str]) -> tuple[Thing, ...]:
    """The cards in these slots that both players know."""
    known = position.known
    return tuple(_card(position, known[slot]) for slot in slots if slot in known)


def _unit(position: Position, unit: str) -> tuple[Thing, ...]:
    """The unit without its strength, for lines about a change of strength."""
    kind = position.type_of(unit)
    return (Thing(unit, say(kind.name), kind.count == 1),)


def _units(position: Position, *units: str) -> tuple[Thing, ...]:
    """Units with their strength, those of a kind together: "Police R-POL-1 and R-POL-2"."""
    ordered = sorted(units, key=lambda unit: _likeness(position, unit))
    return tuple(
        replace(thing, state=REDUCED) if position.is_reduced(unit) else thing
        for unit in ordered
        for thing in _unit(position, unit)
    )


def _likeness(position: Position, unit: str) -> tuple[int, bool, int]:
    first_of_type = position.tables.units_of_type[
        position.side_of(unit), position.type_of(unit).id
    ][0]
    rank = position.tables.rank
    return rank[first_of_type], position.is_reduced(unit), rank[unit]


def _siege(position: Position, siege: str) -> Said:
    rows = position.tables.tables["sieges"]
    name = next(str(row["name"]) for row in rows if row["id"] == siege)
    return name if name.startswith("Santa") else say("the {siege}", siege=say(name))


# --- words --------------------------------------------------------------------------------------


def _cards(number: int) -> Message:
    if not number:
        return say("no cards")
    return say_many("number", "{number} card", "{number} cards", number=number)


def _amount(halves: int) -> WrittenNumber:
    """Half points as a player writes them: 1½, ½, 2."""
    whole, half = divmod(halves, 2)
    return WrittenNumber(f"{whole or '' if half else whole}{'½' if half else ''}", whole + half)


def _points(halves: int, currency: str) -> Message:
    """Points on the track: "2½ REP points", "½ NAT point"."""
    return say_many("number", "{number} {currency} point", "{number} {currency} points",
                    number=_amount(halves), currency=currency)  # fmt: skip


def _die(die: int, modified: int) -> Message:
    if die == modified:
        return say("die {die}", die=die)
    return say("die {die}, modified to {modified}", die=die, modified=modified)


def _reason(why: str) -> Said:
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


@line(e.ActionRecorded)
def _(event: e.ActionRecorded, position: Position) -> Message | None:
    """A line only for losses that no card explains."""
    if event.action != "automatic":
        return None
    side = SIDES_TOLD[event.side]
    return say("{side} play no card and make an automatic operation", side=side)


@line(e.GameEnded)
def _(event: e.GameEnded, position: Position) -> Message:
    from pbem.games.crusade.rules.victory import by_morale

    why = _reason(event.reason)
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


@line(e.DeckLaid)
def _(event: e.DeckLaid, position: Position) -> Message:
    return say("the {side} draw pile is set up: {cards}", side=OF_SIDE[event.side],
               cards=_cards(len(event.slots)))  # fmt: skip


@line(e.CardOpened)
def _(event: e.CardOpened, position: Position) -> Message:
    return say("{side} show {card}", side=SIDES_TOLD[event.side], card=_card(position, event.card))


@line(e.CardTakenOut)
def _(event: e.CardTakenOut, position: Position) -> Message:
    return together("cards", "{cards} counts as played before the game",
                    "{cards} count as played before the game",
                    cards=(_card(position, event.card),))  # fmt: skip


@line(e.CardDealt)
def _(event: e.CardDealt, position: Position) -> Message:
    card = _card(position, event.card)
    return say("{side} are given {card}", side=SIDES_TOLD[event.side], card=card)


@line(e.CardsDrawn)
def _(event: e.CardsDrawn, position: Position) -> Message:
    """Names only the cards that both players may know."""
    hand = len(position.decks[event.side].hand)
    drawn = say("{side} draw {cards} and hold {number}", side=SIDES_TOLD[event.side],
                cards=_cards(len(event.slots)), number=hand)  # fmt: skip
    seen = _seen(position, event.slots)
    return say("{drawn}; drawn openly: {seen}", drawn=drawn, seen=seen) if seen else drawn


@line(e.DiscardsTaken)
def _(event: e.DiscardsTaken, position: Position) -> Message:
    side = OF_SIDE[event.side]
    return say("the {side} discards are reshuffled", side=side)


@line(e.PileTaken)
def _(event: e.PileTaken, position: Position) -> Message:
    return say("what is left of the {side} draw pile is reshuffled",
               side=OF_SIDE[event.side])  # fmt: skip


@line(e.HiddenCardsTaken)
def _(event: e.HiddenCardsTaken, position: Position) -> Message:
    side = OF_SIDE[event.side]
    if not event.held:
        return say("the hidden {side} cards are collected to be dealt again", side=side)
    return say("the hidden {side} cards, {number} of them from the hand, are collected to "
               "be dealt again", side=side, number=event.held)  # fmt: skip


@line(e.HandReturned)
def _(event: e.HandReturned, position: Position) -> Message:
    return say("{side} show a hand without a corps, {cards}, and shuffle it back",
               side=SIDES_TOLD[event.side],
               cards=tuple(_card(position, card) for card in event.cards))  # fmt: skip


@line(e.CardPlayed)
def _(event: e.CardPlayed, position: Position) -> Message:
    facts, parts = position.card(event.card), {
        "side": SIDES_TOLD[event.side], "card": _card(position, event.card)
    }  # fmt: skip
    if event.use == "operations":
        return say_many("number", "{side} play {card} for {number} operation",
                        "{side} play {card} for {number} operations",
                        number=facts.ops, **parts)  # fmt: skip
    if event.use == "redeployment":
        return say_many(
            "number",
            "{side} play {card} for strategic redeployment ({number} point on the card)",
            "{side} play {card} for strategic redeployment ({number} points on the card)",
            number=facts.sr, **parts,
        )  # fmt: skip
    if event.use == "replacements":
        return say("{side} play {card} for replacement points", **parts)
    if event.use == "event":
        return say("{side} play {card} as an event", **parts)
    return say("{side} play {card} in the combat", **parts)


@line(e.RetainedCardUsed)
def _(event: e.RetainedCardUsed, position: Position) -> Message:
    return say("{side} use {card} again, from the table", side=SIDES_TOLD[event.side],
               card=_card(position, event.card))  # fmt: skip


@line(e.HandShown)
def _(event: e.HandShown, position: Position) -> Message:
    return say("{side} must show their hand: {cards}", side=SIDES_TOLD[event.side],
               cards=_seen(position, event.slots))  # fmt: skip


@line(e.CardReturned)
def _(event: e.CardReturned, position: Position) -> Message:
    known = position.known.get(event.slot)
    if not known:
        return say("a card goes back to the {side} hand", side=OF_SIDE[event.side])
    return say("{card} goes back to the {side} hand", side=OF_SIDE[event.side],
               card=_card(position, known))  # fmt: skip


@line(e.HandCardDiscarded)
def _(event: e.HandCardDiscarded, position: Position) -> Message:
    return say("{side} discard {card} unplayed", side=SIDES_TOLD[event.side],
               card=_card(position, event.card))  # fmt: skip


@line(e.CardsRetired)
def _(event: e.CardsRetired, position: Position) -> Message:
    return say_many(
        "number",
        "{side} choose a combat card for their deck and put {number} other aside, face down",
        "{side} choose a combat card for their deck and put {number} others aside, face down",
        side=SIDES_TOLD[event.side], number=len(event.slots),
    )  # fmt: skip


@line(e.CardsBuried)
def _(event: e.CardsBuried, position: Position) -> Message:
    return say("{side} discard {cards} face down", side=SIDES_TOLD[event.side],
               cards=_cards(len(event.slots)))  # fmt: skip


@line(e.CardRemoved)
def _(event: e.CardRemoved, position: Position) -> Message:
    return say("card {card} is out of the game", card=event.card)


@line(e.CardRetained)
def _(event: e.CardRetained, position: Position) -> Message:
    return say("{card} stays on the table for later rounds of this turn",
               card=_card(position, event.card))  # fmt: skip


# --- units --------------------------------------------------------------------------------------


@line(e.UnitPlaced)
def _(event: e.UnitPlaced, position: Position) -> Message:
    units = _units(position, event.unit)
    if event.place == RESERVE:
        return together("units", "{units} joins the Reserve", "{units} join the Reserve",
                        units=units)  # fmt: skip
    if event.place == ELIMINATED:
        return together("units", "{units} goes to the Eliminated Box",
                        "{units} go to the Eliminated Box", units=units)  # fmt: skip
    if event.place == REMOVED:
        return together("units", "{units} is out of the game", "{units} are out of the game",
                        units=units)  # fmt: skip
    if event.place == DISPLAY:
        return together("units", "{units} is due from Africa", "{units} are due from Africa",
                        units=units)  # fmt: skip
    if event.place == MOROCCO:
        return together("units", "{units} has to wait in Morocco",
                        "{units} have to wait in Morocco", units=units)  # fmt: skip
    if event.place == POOL:
        return together("units", "{units} goes back to the box", "{units} go back to the box",
                        units=units)  # fmt: skip
    return together("units", "{units} takes the field in {space}",
                    "{units} take the field in {space}",
                    units=units, space=_space(position, event.place))  # fmt: skip


@line(e.StackMoved)
def _(event: e.StackMoved, position: Position) -> Message:
    """A path begins with the units' space; a single space is where they were moved directly."""
    path = _spaces(position, event.path)
    start, *through, end = path if len(path) > 1 else ("", *path)
    parts = {"units": _units(position, *event.units), "end": end}
    if through:
        return together("units", "{units} moves from {start} through {way} to {end}",
                        "{units} move from {start} through {way} to {end}",
                        **parts, start=start, way=tuple(through))  # fmt: skip
    if start:
        return together("units", "{units} moves from {start} to {end}",
                        "{units} move from {start} to {end}", **parts, start=start)  # fmt: skip
    return together("units", "{units} moves to {end}", "{units} move to {end}", **parts)


@line(e.UnitRedeployed)
def _(event: e.UnitRedeployed, position: Position) -> Message:
    units = _units(position, event.unit)
    if event.to == RESERVE and event.by == "border":
        return together("units", "{units} comes home over the border to the Reserve",
                        "{units} come home over the border to the Reserve",
                        units=units)  # fmt: skip
    if event.to == RESERVE:
        return together("units", "{units} is withdrawn to the Reserve",
                        "{units} are withdrawn to the Reserve", units=units)  # fmt: skip
    space = _space(position, event.to)
    if event.by == "land":
        return together("units", "{units} is sent overland to {space}",
                        "{units} are sent overland to {space}",
                        units=units, space=space)  # fmt: skip
    if event.by == "sea":
        return together("units", "{units} is shipped to {space}", "{units} are shipped to {space}",
                        units=units, space=space)  # fmt: skip
    return together("units", "{units} comes up from the Reserve to {space}",
                    "{units} come up from the Reserve to {space}",
                    units=units, space=space)  # fmt: skip


@line(e.UnitRetreated)
def _(event: e.UnitRetreated, position: Position) -> Message:
    *through, end = _spaces(position, event.path)
    units = _units(position, event.unit)
    if through:
        return together("units", "{units} retreats through {way} to {end}",
                        "{units} retreat through {way} to {end}",
                        units=units, way=tuple(through), end=end)  # fmt: skip
    return together("units", "{units} retreats to {end}", "{units} retreat to {end}",
                    units=units, end=end)  # fmt: skip


@line(e.UnitAdvanced)
def _(event: e.UnitAdvanced, position: Position) -> Message:
    return together("units", "{units} advances into {space}", "{units} advance into {space}",
                    units=_units(position, event.unit),
                    space=_space(position, event.to))  # fmt: skip


@line(e.UnitReduced)
def _(event: e.UnitReduced, position: Position) -> Message:
    told = together("units", "{units} is reduced", "{units} are reduced",
                    units=_unit(position, event.unit))  # fmt: skip
    return replace(told, then=AT_ONCE)


AT_ONCE = (
    both("{units} is eliminated",
         "{units} is reduced, then eliminated",
         "{units} are reduced, then eliminated"),
    both("{units} is destroyed and out of the game for good",
         "{units} is reduced, then destroyed and out of the game for good",
         "{units} are reduced, then destroyed and out of the game for good"),
    both("{units} is out of the game for good: no division in the Reserve can replace it",
         "{units} is reduced, then out of the game for good: no division in the Reserve can "
         "replace it",
         "{units} are reduced, then out of the game for good: no divisions in the Reserve can "
         "replace them"),
    both("{units} is eliminated out of supply, and so out of the game for good",
         "{units} is reduced, then eliminated out of supply, and so out of the game for good",
         "{units} are reduced, then eliminated out of supply, and so out of the game for good"),
    both("{units} is eliminated, and out of the game for good as all of the Army of Africa",
         "{units} is reduced, then eliminated, and out of the game for good as all of the Army of "
         "Africa",
         "{units} are reduced, then eliminated, and out of the game for good as all of the Army of "
         "Africa"),
)  # fmt: skip
"""What may happen to a unit right after it is reduced, and how both are reported."""


@line(e.UnitEliminated)
def _(event: e.UnitEliminated, position: Position) -> Message:
    units = _unit(position, event.unit)
    if event.for_good:
        return _lost_for_good(event.why, units)
    return together("units", "{units} is eliminated", "{units} are eliminated", units=units)


def _lost_for_good(why: str, units: tuple[Part, ...]) -> Message:
    """What is told of units that a rule takes out of the game."""
    if why == "11.3.5":
        return together(
            "units",
            "{units} is out of the game for good: no division in the Reserve can replace it",
            "{units} are out of the game for good: no divisions in the Reserve can replace them",
            units=units,
        )  # fmt: skip
    if why == "11.4.4":
        return together("units", "{units} has no way of retreat and is out of the game for good",
                        "{units} have no way of retreat and are out of the game for good",
                        units=units)  # fmt: skip
    if why == "13.3.4":
        return together(
            "units", "{units} is eliminated out of supply, and so out of the game for good",
            "{units} are eliminated out of supply, and so out of the game for good",
            units=units,
        )  # fmt: skip
    if why == "13.3.5":
        return together("units", "{units} is out of supply and lost for good",
                        "{units} are out of supply and lost for good", units=units)  # fmt: skip
    if why == "17.6.5":
        return together(
            "units",
            "{units} is eliminated, and out of the game for good as all of the Army of Africa",
            "{units} are eliminated, and out of the game for good as all of the Army of Africa",
            units=units,
        )  # fmt: skip
    return together("units", "{units} is destroyed and out of the game for good",
                    "{units} are destroyed and out of the game for good", units=units)  # fmt: skip


@line(e.FirstLossOwed)
def _(event: e.FirstLossOwed, position: Position) -> Message:
    return say("the first loss falls on {units}, whatever the ranking says ({rule})",
               units=_units(position, *event.units), rule=event.rule)  # fmt: skip


@line(e.StepSpared)
def _(event: e.StepSpared, position: Position) -> Message:
    return together("units", "{units} is spared the first step of the losses",
                    "{units} are spared the first step of the losses",
                    units=_unit(position, event.unit))  # fmt: skip


@line(e.UnitDisbanded)
def _(event: e.UnitDisbanded, position: Position) -> Message:
    return together("units", "{units} is disbanded and out of the game",
                    "{units} are disbanded and out of the game",
                    units=_unit(position, event.unit))  # fmt: skip


@line(e.CorpsReplaced)
def _(event: e.CorpsReplaced, position: Position) -> Message:
    return say("{division} comes from the Reserve to {space} in place of {corps}",
               division=_units(position, event.division), space=_space(position, event.space),
               corps=_unit(position, event.corps))  # fmt: skip


@line(e.UnitSentToReserve)
def _(event: e.UnitSentToReserve, position: Position) -> Message:
    return together("units", "{units} leaves the map for the Reserve",
                    "{units} leave the map for the Reserve",
                    units=_units(position, event.unit))  # fmt: skip


@line(e.MilitiaConverted)
def _(event: e.MilitiaConverted, position: Position) -> Message:
    place = position.place_of(event.regulars)
    parts = {
        "militia": _unit(position, event.militia), "regulars": _units(position, event.regulars)
    }  # fmt: skip
    if place == RESERVE:
        return say("{militia} becomes {regulars} in the Reserve", **parts)
    if place == ELIMINATED:
        return say("{militia} becomes {regulars} in the Eliminated Box", **parts)
    return say("{militia} becomes {regulars} in {space}", space=_space(position, place), **parts)


@line(e.WearRolled)
def _(event: e.WearRolled, position: Position) -> Message:
    return say_many(
        "losses",
        "the long war has worn both armies down: die {die}, {losses} loss each",
        "the long war has worn both armies down: die {die}, {losses} losses each",
        die=event.die, losses=event.losses,
    )  # fmt: skip


@line(e.UnitRestored)
def _(event: e.UnitRestored, position: Position) -> Message:
    units = _unit(position, event.unit)
    return together("units", "{units} is back at full strength",
                    "{units} are back at full strength", units=units)  # fmt: skip


@line(e.UnitWentAbroad)
def _(event: e.UnitWentAbroad, position: Position) -> Message:
    return together("units", "{units} leaves over the border until turn {turn}",
                    "{units} leave over the border until turn {turn}",
                    units=_units(position, event.unit), turn=event.back)  # fmt: skip


# --- ground -------------------------------------------------------------------------------------


@line(e.SpaceTaken)
def _(event: e.SpaceTaken, position: Position) -> Message:
    return together("spaces", "{side} take control of {spaces}", "{side} take control of {spaces}",
                    side=SIDES_TOLD[event.side],
                    spaces=(_space(position, event.space),))  # fmt: skip


@line(e.FortBuilt)
def _(event: e.FortBuilt, position: Position) -> Message:
    parts = {"side": SIDES_TOLD[event.fort.owner], "space": _space(position, event.space)}
    if event.fort.special:
        return say("{side} now have a special {fort} at {space}", fort=say(FORTS[event.fort.kind]),
                   **parts)  # fmt: skip
    return say("{side} now have a {fort} at {space}", fort=say(FORTS[event.fort.kind]), **parts)


@line(e.DiggingFailed)
def _(event: e.DiggingFailed, position: Position) -> Message:
    space = _space(position, event.space)
    if not event.stored:
        return say("the work in {space} fails", space=space)
    return say("the work in {space} fails; the next try has a DRM of {drm}",
               space=space, drm=f"{event.stored:+d}")  # fmt: skip


@line(e.DiggingAbandoned)
def _(event: e.DiggingAbandoned, position: Position) -> Message:
    return say("the half-built works in {space} are given up", space=_space(position, event.space))


@line(e.FortRemoved)
def _(event: e.FortRemoved, position: Position) -> Message:
    return say("the works in {space} are removed", space=_space(position, event.space))


@line(e.SiegeChanged)
def _(event: e.SiegeChanged, position: Position) -> Message:
    return say("the resistance of {siege} is now {number}", siege=_siege(position, event.siege),
               number=event.resistance)  # fmt: skip


@line(e.SiegeEnded)
def _(event: e.SiegeEnded, position: Position) -> Message:
    siege = _siege(position, event.siege)
    if event.how == "liberated":
        return say("at {siege} the siege is lifted", siege=siege)
    return say("at {siege} the garrison surrenders", siege=siege)


@line(e.IsolationEnded)
def _(event: e.IsolationEnded, position: Position) -> Message:
    return say("{space} is no longer an Isolated Space", space=_space(position, event.space))


@line(e.BeachHeadPlaced)
def _(event: e.BeachHeadPlaced, position: Position) -> Message:
    return say("{side} open a Beach Head next to {space}", side=SIDES_TOLD[event.side],
               space=_space(position, event.leads_to))  # fmt: skip


@line(e.BeachHeadRemoved)
def _(event: e.BeachHeadRemoved, position: Position) -> Message:
    return say("{space} is removed from the map", space=_space(position, event.space))


@line(e.DeadlineSet)
def _(event: e.DeadlineSet, position: Position) -> Message:
    if event.what == "beach_head_mallorca":
        return say("the landing must take Mallorca by the end of turn {turn}", turn=event.turn)
    return say("{space} must be taken by the end of turn {turn}",
               space=_space(position, event.what), turn=event.turn)  # fmt: skip


@line(e.BonusPlaced)
def _(event: e.BonusPlaced, position: Position) -> Message:
    return say("{space} is the prize of {card} while it is held",
               space=_space(position, event.space), card=_card(position, event.card))  # fmt: skip


@line(e.BonusLost)
def _(event: e.BonusLost, position: Position) -> Message:
    return say("the prize of the strategic counterattack, {space}, is lost",
               space=_space(position, event.space))  # fmt: skip


# --- score and lasting facts --------------------------------------------------------------------


@line(e.ScoreChanged)
def _(event: e.ScoreChanged, position: Position) -> Message | None:
    """A card that has just been played is not named again."""
    changes = []
    if event.vp > 0:
        changes.append(say("Victory Points rise by {by} to {now}", by=event.vp, now=position.vp))
    elif event.vp:
        changes.append(say("Victory Points fall by {by} to {now}", by=-event.vp, now=position.vp))
    if event.rm > 0:
        changes.append(
            say("Republican Morale rises by {by} to {now}", by=event.rm, now=position.rm)
        )
    elif event.rm:
        changes.append(
            say("Republican Morale falls by {by} to {now}", by=-event.rm, now=position.rm)
        )
    if not changes:
        return None
    told = changes[0] if len(changes) == 1 else say("{one} and {other}", one=changes[0],
                                                    other=changes[1])  # fmt: skip
    if event.why == "card":
        return told
    return say("{changes}: {why}", changes=told, why=_of_score(event, position))


def _of_score(event: e.ScoreChanged, position: Position) -> Said:
    """The reason of the change, and its subject."""
    if event.why == "capture":
        return say("capture of {space}", space=_space(position, event.of))
    if event.why == "liberation":
        return say("liberation of {siege}", siege=_siege(position, event.of))
    if event.why == "bonus":
        return say("bonus of {card}", card=_card(position, event.of))
    if event.why == "bonus lost":
        return say("bonus of {card} lost", card=_card(position, event.of))
    if event.why == "not played":
        return say("{card} not played", card=_card(position, event.of))
    return _reason(event.why)


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


@line(e.TurnMarkSet)
def _(event: e.TurnMarkSet, position: Position) -> Message | None:
    """The effect of an event for the rest of a turn; most marks only record what was already
    reported.
    """
    if not event.mark.startswith(BAN):
        return MARKS.get(event.mark)
    use, side, number = event.mark.removeprefix(BAN).split("/")
    return say("{side} may not play a card {use} in their round {number}",
               number=int(number), side=SIDES_TOLD[side], use=USES[use])  # fmt: skip


BAN = "may_not_play_for_"
USES: Mapping[str, Message] = {
    "event": say("as an event"),
    "operations": say("for operations"),
    "redeployment": say("for redeployment"),
    "replacements": say("for replacements"),
}
MARKS: Mapping[str, Message] = {
    "communist_interference": say(
        "this turn the Republicans may attack from only one space a round"
    ),
    "french_threat": say("this turn the Nationalists may not attack near France"),
    "no_SOV": say("this turn the Republicans get no Soviet points"),
    "no_AXIS": say("this turn the Nationalists get no Axis points"),
    "adds_points_R42": say("this turn more Soviet points will follow over the border"),
    "last_mobilization": say("starting next turn, the Republicans get no points of their own"),
}
"""The messages for marks of a turn; the others have none."""


# --- the optional rules ---------------------------------------------------------------------------


@line(e.GuerrillaSent)
def _(event: e.GuerrillaSent, position: Position) -> Message:
    if event.space:
        spaces = (_space(position, event.space),)
        return together("spaces", "guerrillas harass the enemy in {spaces}",
                        "guerrillas harass the enemy in {spaces}", spaces=spaces)  # fmt: skip
    if event.effect == "intelligence":
        return say("the guerrilla corps goes out to spy on the enemy's plans")
    return say("the guerrilla corps goes out to blow up trains and bridges")


@line(e.IntelligenceRolled)
def _(event: e.IntelligenceRolled, position: Position) -> Message:
    if event.shown:
        return say("the guerrillas' intelligence: die {die}, they learn of {cards}",
                   die=event.die, cards=_cards(event.shown))  # fmt: skip
    if event.lost:
        return say("the guerrillas' intelligence: die {die}, the enemy loses {cards}",
                   die=event.die, cards=_cards(event.lost))  # fmt: skip
    return say("the guerrillas' intelligence: die {die}, they learn nothing", die=event.die)


@line(e.CardsSeen)
def _(event: e.CardsSeen, position: Position) -> Message:
    seen = _seen(position, event.slots) or _cards(len(event.slots))
    return say("{side} must show {cards}", side=SIDES_TOLD[event.side], cards=seen)


@line(e.CardBroughtBack)
def _(event: e.CardBroughtBack, position: Position) -> Message:
    return say("{card} returns to the {side} deck", card=_card(position, event.card),
               side=OF_SIDE[event.side])  # fmt: skip


@line(e.UnitExchanged)
def _(event: e.UnitExchanged, position: Position) -> Message:
    return say("{new} replaces {old}", new=_units(position, event.new),
               old=_unit(position, event.old))  # fmt: skip


@line(e.UnitsShuffled)
def _(event: e.UnitsShuffled, position: Position) -> Message:
    by_place: dict[str, list[str]] = {}
    for unit, place, _ in event.units:
        by_place.setdefault(place, []).append(unit)
    places = tuple(
        say("{space} {units}", space=_space(position, space), units=_units(position, *units))
        for space, units in by_place.items()
    )
    return say("the {side} units of an area are dealt out: {places}", side=OF_SIDE[event.side],
               places=Row(places, "; "))  # fmt: skip


@line(e.MarkersChanged)
def _(event: e.MarkersChanged, position: Position) -> Message:
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
               space=_space(position, event.space))  # fmt: skip


@line(e.UnitSpared)
def _(event: e.UnitSpared, position: Position) -> Message:
    return together("units", "{units} gets away", "{units} get away",
                    units=_unit(position, event.unit))  # fmt: skip


@line(e.LandingRolled)
def _(event: e.LandingRolled, position: Position) -> Message:
    die = _die(event.die, event.modified)
    if event.success:
        return say("the order for the landing: {die}, the fleet sails", die=die)
    return say("the order for the landing: {die}, the fleet stays in port", die=die)


@line(e.ReplacementsRecorded)
def _(event: e.ReplacementsRecorded, position: Position) -> Message | None:
    now = position.rp[event.currency]
    parts = {"number": _amount(event.halves), "currency": event.currency}
    if not event.halves:
        return None
    if now == event.halves:
        return say_many("number", "{number} {currency} point is recorded",
                        "{number} {currency} points are recorded", **parts)  # fmt: skip
    return say_many("number", "{number} {currency} point is recorded, for a total of {now}",
                    "{number} {currency} points are recorded, for a total of {now}",
                    **parts, now=_amount(now))  # fmt: skip


@line(e.ReplacementsWithheld)
def _(event: e.ReplacementsWithheld, position: Position) -> Message:
    from pbem.games.crusade.rules.replacement import why_withheld

    return say_many("number", "{number} {currency} point is not recorded: {why}",
                    "{number} {currency} points are not recorded: {why}",
                    number=_amount(event.halves), currency=event.currency,
                    why=why_withheld(event.currency))  # fmt: skip


@line(e.ReplacementsSpent)
def _(event: e.ReplacementsSpent, position: Position) -> Told:
    """An aside of the purchase."""
    left, spent = position.rp[event.currency], _points(event.halves, event.currency)
    if not left:
        return aside(say("{points} spent, none left", points=spent))
    return aside(say("{points} spent, {left} left", points=spent, left=_amount(left)))


@line(e.ReplacementsAdjusted)
def _(event: e.ReplacementsAdjusted, position: Position) -> Message:
    owner = next(
        row["side"]
        for row in position.tables.tables["costs"]["currencies"]
        if row["id"] == event.currency
    )
    parts = {
        "side": SIDES_TOLD[owner],
        "points": _points(abs(event.halves), event.currency),
        "left": _amount(position.rp[event.currency]),
        "why": tuple(
            _card(position, why) if why in position.tables.cards else _reason(why)
            for why in event.why
        ),
    }
    if not event.why:  # a scenario that says what is lost, but not by which card
        return say("{side} lose {points} and have {left}", **parts)
    if event.halves > 0:
        return say("{side} gain {points} and have {left}: {why}", **parts)
    return say("{side} lose {points} and have {left}: {why}", **parts)


@line(e.ReplacementsLapsed)
def _(event: e.ReplacementsLapsed, position: Position) -> Message:
    return say("unspent {currencies} points lapse", currencies=event.currencies)


# --- orders and dice ----------------------------------------------------------------------------


@line(e.SpacesActivated)
def _(event: e.SpacesActivated, position: Position) -> Message:
    side = SIDES_TOLD[event.side]
    move, attack = _spaces(position, event.move), _spaces(position, event.attack)
    if not move and not attack:
        return say("{side} activate no space", side=side)
    purposes = []
    if move:
        purposes.append(say("{spaces} for movement", spaces=move))
    if attack:
        purposes.append(say("{spaces} for combat", spaces=attack))
    return say("{side} activate {spaces}", side=side, spaces=Row(tuple(purposes), "; "))


@line(e.DigRolled)
def _(event: e.DigRolled, position: Position) -> Message:
    return say("{unit} tries to build a {fort} in {space}: {die}",
               unit=_units(position, event.unit), fort=say(FORTS[event.kind]),
               space=_space(position, event.space),
               die=_die(event.die, event.modified))  # fmt: skip


@line(e.AttackDeclared)
def _(event: e.AttackDeclared, position: Position) -> Message:
    defenders: Part = _units(position, *event.defenders) or say("nobody")
    told = say("{side} attack {space} from {origins}: {attackers} against {defenders}",
               side=SIDES_TOLD[event.side], space=_space(position, event.space),
               origins=_spaces(position, event.origins),
               attackers=_units(position, *event.attackers), defenders=defenders)  # fmt: skip
    if not event.armor:
        return told
    return say("{attack}; {unit} claims the armor modifier", attack=told, unit=event.armor)


@line(e.AttackCalledOff)
def _(event: e.AttackCalledOff, position: Position) -> Message:
    return say("{card} ends the attack on {space} before a shot is fired",
               card=_card(position, event.card), space=_space(position, event.space))  # fmt: skip


@line(e.FireResolved)
def _(event: e.FireResolved, position: Position) -> Message:
    """Strength, column after shifts, die with its modifiers, Loss Number: everything needed to
    check it.
    """
    table = FIRE_TABLES[event.table]
    column = say("column {column} of the {table}", column=event.column, table=table)
    if event.shifts:
        shifts = Row(tuple(_shift(*shift) for shift in event.shifts))
        column = say("{column} ({shifts})", column=column, shifts=shifts)
    die = die_told(event.die, event.drms, event.modified, partial(_drm, position))
    return say("{side} fire with strength {strength} on {column}: {die}, Loss Number {number}",
               side=SIDES_TOLD[event.side], strength=event.strength, column=column, die=die,
               number=event.loss_number)  # fmt: skip


def _shift(name: str, number: int) -> Message:
    """A column shift as wargamers write it: "mountain 1L"."""
    what = MODIFIERS.get(name, name)
    if number < 0:
        return say("{what} {number}L", what=what, number=-number)
    return say("{what} {number}R", what=what, number=number)


def _drm(position: Position, name: str) -> Said:
    """The name of a die-roll modifier; for a card it names the card."""
    if name in position.tables.cards:
        return say("{title}, {card}", title=say(position.card(name).title), card=name)
    return MODIFIERS.get(name, name)


@line(e.CombatDecided)
def _(event: e.CombatDecided, position: Position) -> Message:
    space = _space(position, event.space)
    if not event.winner:
        return say("the combat in {space} is drawn, {attacker} to {defender}", space=space,
                   attacker=event.by_attacker, defender=event.by_defender)  # fmt: skip
    more, less = sorted((event.by_attacker, event.by_defender), reverse=True)
    return say("{side} win the combat in {space}, {more} to {less}", side=SIDES_TOLD[event.winner],
               space=space, more=more, less=less)  # fmt: skip


@line(e.RetreatCancelled)
def _(event: e.RetreatCancelled, position: Position) -> Message:
    space = _space(position, event.space)
    if not event.unit:
        return say("the defenders of {space} refuse to retreat", space=space)
    return say("the defenders of {space} refuse to retreat, at the cost of a step of {unit}",
               space=space, unit=_unit(position, event.unit))  # fmt: skip


@line(e.AdvanceForgone)
def _(event: e.AdvanceForgone, position: Position) -> Message:
    return say("no unit advances into {space}", space=_space(position, event.space))


@line(e.AdvanceCut)
def _(event: e.AdvanceCut, position: Position) -> Message:
    space, units = _space(position, event.space), _units(position, *event.units)
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
        "units": _units(position, *event.units), "siege": _siege(position, event.siege),
        "die": _die(event.die, event.modified),
    }  # fmt: skip
    if event.success:
        return say_many("units", "{units} assaults {siege}: {die}; the walls are breached",
                        "{units} assault {siege}: {die}; the walls are breached",
                        **parts)  # fmt: skip
    return say_many("units", "{units} assaults {siege}: {die}; the garrison beats it off",
                    "{units} assault {siege}: {die}; the garrison beats it off",
                    **parts)  # fmt: skip
