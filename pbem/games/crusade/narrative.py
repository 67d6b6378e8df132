"""One line of prose per event, told like a war diary; `position` is the table right after it.

Units are told by their printed name with the id a player writes: "Infantry INF-3", or
"Navarra A.C. (N-NAVARRA)" where there is only one. A unit is at full strength unless the line
says it is reduced.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import groupby
from typing import Any

from pbem.engine.model import Event
from pbem.games.crusade import events as e
from pbem.games.crusade.position import (
    DISPLAY,
    ELIMINATED,
    MOROCCO,
    POOL,
    REMOVED,
    RESERVE,
    Position,
)
from pbem.games.crusade.tables import PEOPLE
from pbem.words import listing

Teller = Callable[[Any, Position], str | None]

LINES: dict[type[Event[Any]], Teller] = {}

SILENT: Mapping[type[Event[Any]], str] = {
    e.TurnMarkUsed: "the attack that it allowed says it",
    e.CardDiscarded: "a played card goes to the discards unless another line says where it goes",
    e.TurnBegan: "the heading says it",
    e.RoundBegan: "the heading says it",
    e.RoundEnded: "the next heading says it",
    e.SegmentBegan: "the heading says it",
}
"""Events without a line, each with the reason; everything else is told."""


def line(kind: type[Event[Any]]) -> Callable[[Teller], Teller]:
    """Registers how events of one type are told."""

    def register(teller: Teller) -> Teller:
        assert kind not in LINES, kind
        LINES[kind] = teller
        return teller

    return register


def narrate(event: Event[Position], position: Position) -> str | None:
    """The line for an event, or None where there is nothing a player needs to be told."""
    teller = LINES.get(type(event))
    text = teller(event, position) if teller else None
    if not text:
        return None
    return text[0].upper() + text[1:]


# --- names --------------------------------------------------------------------------------------


def _side(side: str) -> str:
    return f"the {PEOPLE[side]}s"


def _space(position: Position, space: str) -> str:
    """The printed name; a Beach Head is a marker, and takes an article."""
    ground = position.tables.spaces[space]
    return f"the {ground.name}" if ground.dormant else ground.name


def _spaces(position: Position, spaces: Iterable[str]) -> str:
    return listing(_space(position, space) for space in spaces)


def _card(position: Position, card: str) -> str:
    """Title and number: "Air Bridge (N1)"; a title that ends in a bracket shares it."""
    title = position.card(card).title
    return f"{title[:-1]}, {card})" if title.endswith(")") else f"{title} ({card})"


def _unit(position: Position, unit: str) -> str:
    """The unit without its strength, for lines that tell how the strength changes."""
    return _type_and_ids(position, (unit,), "")


def _units(position: Position, units: Iterable[str]) -> str:
    """Units with their strength, those of a kind together: "Police R-POL-1 and R-POL-2"."""
    ordered = sorted(units, key=lambda unit: _likeness(position, unit))
    together = groupby(ordered, key=lambda unit: _likeness(position, unit)[:2])
    return listing(
        _type_and_ids(position, tuple(alike), "reduced" if reduced else "")
        for (_, reduced), alike in together
    )


def _likeness(position: Position, unit: str) -> tuple[int, bool, int]:
    first_of_type = position.tables.units_of_type[
        position.side_of(unit), position.type_of(unit).id
    ][0]
    rank = position.tables.rank
    return rank[first_of_type], position.is_reduced(unit), rank[unit]


def _type_and_ids(position: Position, units: tuple[str, ...], state: str) -> str:
    unit_type = position.type_of(units[0])
    if unit_type.count == 1:
        return f"{unit_type.name} ({', '.join(filter(None, (units[0], state)))})"
    return f"{unit_type.name} {listing(units)}" + (f" ({_both(units)}{state})" if state else "")


def _both(units: tuple[str, ...]) -> str:
    return {1: "", 2: "both "}.get(len(units), "all ")


def _siege(position: Position, siege: str) -> str:
    rows = position.tables.tables["sieges"]
    name = next(str(row["name"]) for row in rows if row["id"] == siege)
    return name if name.startswith("Santa") else f"the {name}"


# --- words --------------------------------------------------------------------------------------


def _agree(items: Iterable[Any], one: str, many: str) -> str:
    return one if len(tuple(items)) == 1 else many


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number or 'no'} {noun}s"


def _halves(halves: int) -> str:
    """Half points as a player writes them: 1½, ½, 2."""
    whole, half = divmod(halves, 2)
    return f"{whole or '' if half else whole}{'½' if half else ''}"


def _points(halves: int, currency: str) -> str:
    """What is on the track: "2½ REP points", "½ NAT point"."""
    return f"{_halves(halves)} {currency} {'point' if 0 < halves <= 2 else 'points'}"


def _die(die: int, modified: int) -> str:
    return f"die {die}" if die == modified else f"die {die}, modified to {modified}"


def _change(what: str, by: int, now: int) -> str:
    return f"{what} {'rise' if by > 0 else 'fall'}{{}} by {abs(by)} to {now}"


_WORD = r"\w+"


def _reason(position: Position, why: str) -> str:
    """A reason as the rules keep it, with the ids in it replaced by what players read."""
    if why in REASONS:
        return REASONS[why]
    return re.sub(_WORD, lambda match: _printed(position, match.group()), why)


def _printed(position: Position, word: str) -> str:
    tables = position.tables
    if word in tables.spaces:
        return _space(position, word)
    if word in tables.cards:
        return _card(position, word)
    if any(word == row["id"] for row in tables.tables["sieges"]):
        return _siege(position, word)
    return PEOPLE.get(word, word)


REASONS: Mapping[str, str] = {
    "border with france closed": "the whole French border is in Nationalist hands",
    "border with france open": "the French border is open again",
    "border with portugal closed": "the whole Portuguese border is in Republican hands",
    "border with portugal open": "the Portuguese border is open again",
    "end of the northern front": "the Northern Front has fallen",
    "north joined to the zone": "the Northern Front is joined to the rest of the Republic",
    "nationalist zone divided": "the Nationalist zone is cut in two",
    "republican zone divided": "the Republican zone is cut in two",
    "oviedo taken while isolated": "Oviedo fell while it was still cut off",
    "effort against Madrid: attacked": "Madrid was attacked, but not taken, in time",
    "effort against Madrid: neighbour_attacked_or_occupied": (
        "the Nationalists came only as far as the outskirts of Madrid"
    ),
    "effort against Madrid: nothing": "the Nationalists did nothing against Madrid",
    "events": "an event played earlier",
}
"""Reasons that the rules keep in a word or two and that are told in a clause."""


# --- time ---------------------------------------------------------------------------------------


@line(e.ActionRecorded)
def _(event: e.ActionRecorded, position: Position) -> str | None:
    """Only what no card tells."""
    if event.action != "automatic":
        return None
    return f"{_side(event.side)} play no card and make an automatic operation."


@line(e.GameEnded)
def _(event: e.GameEnded, position: Position) -> str:
    outcome = "the game is drawn" if event.winner == "draw" else f"{_side(event.winner)} win"
    score = _counted(position.vp, "Victory Point")
    if "Republican Morale" not in event.reason:
        score += f", Republican Morale {position.rm}"
    return f"{outcome}: {_reason(position, event.reason)} ({score})."


# --- cards --------------------------------------------------------------------------------------


@line(e.DeckLaid)
def _(event: e.DeckLaid, position: Position) -> str:
    return f"the {PEOPLE[event.side]} draw pile is laid: {_counted(len(event.slots), 'card')}."


@line(e.CardOpened)
def _(event: e.CardOpened, position: Position) -> str:
    return f"{_side(event.side)} show {_card(position, event.card)}."


@line(e.CardTakenOut)
def _(event: e.CardTakenOut, position: Position) -> str:
    return f"{_card(position, event.card)} counts as played before the game."


@line(e.CardDealt)
def _(event: e.CardDealt, position: Position) -> str:
    return f"{_side(event.side)} are given {_card(position, event.card)}."


@line(e.CardsDrawn)
def _(event: e.CardsDrawn, position: Position) -> str:
    """Names only the cards that both players may know."""
    hand = len(position.decks[event.side].hand)
    drawn = f"{_side(event.side)} draw {_counted(len(event.slots), 'card')} and hold {hand}"
    seen = [_card(position, position.known[slot]) for slot in event.slots if slot in position.known]
    return f"{drawn}; drawn openly: {listing(seen)}." if seen else f"{drawn}."


@line(e.DiscardsTaken)
def _(event: e.DiscardsTaken, position: Position) -> str:
    return f"the {PEOPLE[event.side]} discards are taken up to be shuffled again."


@line(e.PileTaken)
def _(event: e.PileTaken, position: Position) -> str:
    return f"what is left of the {PEOPLE[event.side]} draw pile is taken up to be shuffled again."


@line(e.HiddenCardsTaken)
def _(event: e.HiddenCardsTaken, position: Position) -> str:
    held = f", {event.held} of them from the hand," if event.held else ""
    return f"the hidden {PEOPLE[event.side]} cards{held} are taken up to be laid anew."


@line(e.HandReturned)
def _(event: e.HandReturned, position: Position) -> str:
    cards = listing(_card(position, card) for card in event.cards)
    return f"{_side(event.side)} show a hand without a corps, {cards}, and shuffle it back."


@line(e.CardPlayed)
def _(event: e.CardPlayed, position: Position) -> str:
    card = position.card(event.card)
    uses = {
        "operations": f"for {_counted(card.ops, 'operation')}",
        "redeployment": f"for strategic redeployment ({_counted(card.sr, 'point')} on the card)",
        "replacements": "for replacement points",
        "event": "as an event",
        "combat": "into the combat",
    }
    verb = "throw" if event.use == "combat" else "play"
    return f"{_side(event.side)} {verb} {_card(position, event.card)} {uses[event.use]}."


@line(e.RetainedCardUsed)
def _(event: e.RetainedCardUsed, position: Position) -> str:
    return f"{_side(event.side)} use {_card(position, event.card)} again, from the table."


@line(e.HandShown)
def _(event: e.HandShown, position: Position) -> str:
    cards = [_card(position, position.known[s]) for s in event.slots if s in position.known]
    return f"{_side(event.side)} have to show their hand: {listing(cards)}."


@line(e.CardReturned)
def _(event: e.CardReturned, position: Position) -> str:
    known = position.known.get(event.slot)
    card = _card(position, known) if known else "a card"
    return f"{card} goes back to the {PEOPLE[event.side]} hand."


@line(e.HandCardDiscarded)
def _(event: e.HandCardDiscarded, position: Position) -> str:
    return f"{_side(event.side)} discard {_card(position, event.card)} unplayed."


@line(e.CardsRetired)
def _(event: e.CardsRetired, position: Position) -> str:
    others = f"{len(event.slots)} others"
    chosen = f"{_side(event.side)} choose a combat card for their deck"
    return f"{chosen} and put {others} aside, face down."


@line(e.CardsBuried)
def _(event: e.CardsBuried, position: Position) -> str:
    return f"{_side(event.side)} discard {_counted(len(event.slots), 'card')} face down."


@line(e.CardRemoved)
def _(event: e.CardRemoved, position: Position) -> str:
    return f"card {event.card} is out of the game."


@line(e.CardRetained)
def _(event: e.CardRetained, position: Position) -> str:
    return f"{_card(position, event.card)} stays on the table for later rounds of this turn."


# --- units --------------------------------------------------------------------------------------


@line(e.UnitPlaced)
def _(event: e.UnitPlaced, position: Position) -> str:
    boxes = {
        RESERVE: "joins the Reserve",
        ELIMINATED: "goes to the Eliminated Box",
        REMOVED: "is out of the game",
        DISPLAY: "is due from Africa",
        MOROCCO: "has to wait in Morocco",
        POOL: "goes back to the box",
    }
    where = boxes.get(event.place) or f"takes the field in {_space(position, event.place)}"
    return f"{_units(position, (event.unit,))} {where}."


@line(e.StackMoved)
def _(event: e.StackMoved, position: Position) -> str:
    """A path begins where the units stood; a single space is where they were carried to."""
    units = _units(position, event.units)
    start, *through, end = event.path if len(event.path) > 1 else ("", *event.path)
    way = f" through {_spaces(position, through)}" if through else ""
    origin = f" from {_space(position, start)}" if start else ""
    verb = _agree(event.units, "moves", "move")
    return f"{units} {verb}{origin}{way} to {_space(position, end)}."


@line(e.UnitRedeployed)
def _(event: e.UnitRedeployed, position: Position) -> str:
    unit = _units(position, (event.unit,))
    if event.to == RESERVE:
        way = "comes home over the border" if event.by == "border" else "is withdrawn"
        return f"{unit} {way} to the Reserve."
    ways = {
        "land": "is sent overland to",
        "sea": "is shipped to",
        "from_reserve": "comes up from the Reserve to",
    }
    return f"{unit} {ways[event.by]} {_space(position, event.to)}."


@line(e.UnitRetreated)
def _(event: e.UnitRetreated, position: Position) -> str:
    *through, end = event.path
    way = f"through {_spaces(position, through)} " if through else ""
    return f"{_units(position, (event.unit,))} retreats {way}to {_space(position, end)}."


@line(e.UnitAdvanced)
def _(event: e.UnitAdvanced, position: Position) -> str:
    return f"{_units(position, (event.unit,))} advances into {_space(position, event.to)}."


@line(e.UnitReduced)
def _(event: e.UnitReduced, position: Position) -> str:
    return f"{_unit(position, event.unit)} is reduced."


@line(e.UnitEliminated)
def _(event: e.UnitEliminated, position: Position) -> str:
    end = "is destroyed and out of the game for good" if event.for_good else "is eliminated"
    return f"{_unit(position, event.unit)} {end}."


@line(e.FirstLossOwed)
def _(event: e.FirstLossOwed, position: Position) -> str:
    units = _units(position, event.units)
    return f"The first loss falls on {units}, whatever was ranked before (11.3.6)."


@line(e.StepSpared)
def _(event: e.StepSpared, position: Position) -> str:
    return f"{_unit(position, event.unit)} is spared the first step of the losses."


@line(e.UnitDisbanded)
def _(event: e.UnitDisbanded, position: Position) -> str:
    return f"{_unit(position, event.unit)} is disbanded and out of the game."


@line(e.CorpsReplaced)
def _(event: e.CorpsReplaced, position: Position) -> str:
    return (
        f"{_units(position, (event.division,))} comes from the Reserve to "
        f"{_space(position, event.space)} in place of {_unit(position, event.corps)}."
    )


@line(e.UnitSentToReserve)
def _(event: e.UnitSentToReserve, position: Position) -> str:
    return f"{_units(position, (event.unit,))} leaves the map for the Reserve."


@line(e.MilitiaConverted)
def _(event: e.MilitiaConverted, position: Position) -> str:
    place = position.place_of(event.regulars)
    boxes = {RESERVE: " in the Reserve", ELIMINATED: " in the Eliminated Box"}
    where = boxes.get(place) or f" in {_space(position, place)}"
    militia = _unit(position, event.militia)
    return f"{militia} becomes {_units(position, (event.regulars,))}{where}."


@line(e.WearRolled)
def _(event: e.WearRolled, position: Position) -> str:
    return f"the long war has worn both armies down: die {event.die}, {event.losses} losses each."


@line(e.UnitRestored)
def _(event: e.UnitRestored, position: Position) -> str:
    return f"{_unit(position, event.unit)} is back at full strength."


@line(e.UnitWentAbroad)
def _(event: e.UnitWentAbroad, position: Position) -> str:
    return f"{_units(position, (event.unit,))} goes abroad over the border until turn {event.back}."


# --- ground -------------------------------------------------------------------------------------


@line(e.SpaceTaken)
def _(event: e.SpaceTaken, position: Position) -> str:
    return f"{_side(event.side)} take control of {_space(position, event.space)}."


@line(e.FortBuilt)
def _(event: e.FortBuilt, position: Position) -> str:
    kind = "Trench" if event.fort.is_trench else "Position"
    special = "special " if event.fort.special else ""
    return (
        f"{_side(event.fort.owner)} now have a {special}{kind} at {_space(position, event.space)}."
    )


@line(e.DiggingFailed)
def _(event: e.DiggingFailed, position: Position) -> str:
    text = f"the work in {_space(position, event.space)} comes to nothing"
    return f"{text}; the next try has a DRM of {event.stored:+d}." if event.stored else f"{text}."


@line(e.DiggingAbandoned)
def _(event: e.DiggingAbandoned, position: Position) -> str:
    return f"the half-built works in {_space(position, event.space)} are given up."


@line(e.FortRemoved)
def _(event: e.FortRemoved, position: Position) -> str:
    return f"the works in {_space(position, event.space)} come off the map."


@line(e.SiegeChanged)
def _(event: e.SiegeChanged, position: Position) -> str:
    return f"the resistance of {_siege(position, event.siege)} is now {event.resistance}."


@line(e.SiegeEnded)
def _(event: e.SiegeEnded, position: Position) -> str:
    ends = {"liberated": "the siege is lifted", "surrendered": "the garrison surrenders"}
    return f"at {_siege(position, event.siege)} {ends[event.how]}."


@line(e.IsolationEnded)
def _(event: e.IsolationEnded, position: Position) -> str:
    return f"{_space(position, event.space)} is no longer an Isolated Space."


@line(e.BeachHeadPlaced)
def _(event: e.BeachHeadPlaced, position: Position) -> str:
    return f"{_side(event.side)} open a Beach Head next to {_space(position, event.leads_to)}."


@line(e.BeachHeadRemoved)
def _(event: e.BeachHeadRemoved, position: Position) -> str:
    return f"{_space(position, event.space)} is gone from the map."


@line(e.DeadlineSet)
def _(event: e.DeadlineSet, position: Position) -> str:
    what = DEADLINES.get(event.what) or f"{_reason(position, event.what)} has to be taken"
    return f"{what} by the end of turn {event.turn}."


DEADLINES: Mapping[str, str] = {
    "beach_head_mallorca": "the landing has to take Mallorca",
}


@line(e.BonusPlaced)
def _(event: e.BonusPlaced, position: Position) -> str:
    return (
        f"{_space(position, event.space)} is the prize of {_card(position, event.card)}, "
        f"for as long as it is held."
    )


@line(e.BonusLost)
def _(event: e.BonusLost, position: Position) -> str:
    return f"the prize of the strategic counterattack, {_space(position, event.space)}, is lost."


# --- score and lasting facts --------------------------------------------------------------------


@line(e.ScoreChanged)
def _(event: e.ScoreChanged, position: Position) -> str | None:
    """A card that has just been played is not named again."""
    changes = []
    if event.vp:
        changes.append(_change("Victory Points", event.vp, position.vp).format(""))
    if event.rm:
        changes.append(_change("Republican Morale", event.rm, position.rm).format("s"))
    if not changes:
        return None
    if event.why.startswith("card "):
        return f"{listing(changes)}."
    return f"{listing(changes)}: {_reason(position, event.why)}."


@line(e.FlagSet)
def _(event: e.FlagSet, position: Position) -> str | None:
    return _flag(event.flag)[0] or None


@line(e.FlagCleared)
def _(event: e.FlagCleared, position: Position) -> str | None:
    return _flag(event.flag)[1] or None


def _flag(flag: str) -> tuple[str, str]:
    """Some flags end in the number of a turn."""
    return FLAGS.get(re.sub(_NUMBER_AT_END, "", flag), ("", ""))


_NUMBER_AT_END = r"_\d+$"


FLAGS: Mapping[str, tuple[str, str]] = {
    "afr_schedule": ("the Army of Africa begins to cross to Spain.", ""),
    "afr_accelerated": ("the last units of the Army of Africa will come in earlier rounds.", ""),
    "axis_aid": ("from now on the Nationalists have the aid of Germany and Italy.", ""),
    "soviet_aid": ("from now on the Republicans have the aid of the Soviet Union.", ""),
    "strait_nationalist": ("the Strait of Gibraltar is in Nationalist hands.", ""),
    "franco_command": ("Franco is in sole command of the Nationalists.", ""),
    "largo_caballero": ("Largo Caballero heads the government of the Republic.", ""),
    "juan_negrin": ("Negrín heads the government of the Republic.", ""),
    "famine": ("the next winter will bring famine.", "the famine is over."),
    "severe_winter": ("the next winter will be a severe one.", "the severe winter is over."),
    "munich": ("the powers settle at Munich.", ""),
    "french_border_no_special_sr": ("no more troops can come back by way of France.", ""),
    "shortage": (
        "the Nationalists are short of ammunition.",
        "the ammunition shortage of the Nationalists is over.",
    ),
    "badajoz_lost": ("Badajoz will never again supply the Republicans.", ""),
    "madrid_attacked": ("the battle for Madrid has begun.", ""),
    "madrid_occupied": ("Madrid has fallen.", ""),
    "madrid_neighbour_attacked": ("the Nationalists attack next to Madrid.", ""),
    "madrid_approached": ("the Nationalists are at the gates of Madrid.", ""),
    "north_ended": ("", ""),
    "north_linked": ("", ""),
    "nationalist_divided": ("", ""),
    "republican_divided": ("", ""),
    "burgos_taken": ("", ""),
    "nationalist_landing": ("", ""),
    "kept_N32": ("SIPM goes into the Nationalist deck of the War of the Armies.", ""),
    "kept_R27": ("SIM goes into the Republican deck of the War of the Armies.", ""),
    "morale_for_victory": ("with such morale for a second turn the Republic would win.", ""),
}
"""What is told when a lasting fact begins and ends; empty: the score change beside it tells it,
or it is only remembered."""


@line(e.TurnMarkSet)
def _(event: e.TurnMarkSet, position: Position) -> str | None:
    """What an event brings for the rest of a turn; most marks only remember what was told."""
    if event.mark.startswith(BAN):
        use, side, number = event.mark.removeprefix(BAN).split("/")
        what = "as an event" if use == "event" else f"for {use}"
        return f"in their round {number} {_side(side)} may play no card {what}."
    return MARKS.get(event.mark)


BAN = "may_not_play_for_"
MARKS: Mapping[str, str] = {
    "communist_interference": "in this turn the Republicans attack from one space a round.",
    "french_threat": "in this turn the Nationalists attack nothing that is near France.",
    "no_SOV": "in this turn the Republicans get no Soviet points.",
    "no_AXIS": "in this turn the Nationalists get no Axis points.",
    "adds_points_R42": "in this turn Soviet points will be followed by more over the border.",
    "last_mobilization": "from the next turn on the Republicans get no points of their own.",
}
"""What is told of the marks of a turn; of those not listed nothing is."""


# --- the optional rules ---------------------------------------------------------------------------


@line(e.GuerrillaSent)
def _(event: e.GuerrillaSent, position: Position) -> str:
    if event.space:
        return f"guerrillas harass the enemy in {_space(position, event.space)}."
    doing = {"intelligence": "spy on the enemy's plans", "sabotage": "blow up trains and bridges"}
    return f"the guerrilla corps goes out to {doing[event.effect]}."


@line(e.IntelligenceRolled)
def _(event: e.IntelligenceRolled, position: Position) -> str:
    found = "they learn nothing"
    if event.shown:
        found = f"they learn of {_counted(event.shown, 'card')}"
    elif event.lost:
        found = f"the enemy loses {_counted(event.lost, 'card')}"
    return f"the guerrillas' intelligence: die {event.die}, {found}."


@line(e.CardsSeen)
def _(event: e.CardsSeen, position: Position) -> str:
    cards = [_card(position, position.known[s]) for s in event.slots if s in position.known]
    seen = listing(cards) if cards else _counted(len(event.slots), "card")
    return f"{_side(event.side)} have to show {seen}."


@line(e.CardBroughtBack)
def _(event: e.CardBroughtBack, position: Position) -> str:
    return f"{_card(position, event.card)} comes into the {PEOPLE[event.side]} deck once more."


@line(e.UnitExchanged)
def _(event: e.UnitExchanged, position: Position) -> str:
    return f"{_units(position, (event.new,))} replaces {_unit(position, event.old)}."


@line(e.UnitsShuffled)
def _(event: e.UnitsShuffled, position: Position) -> str:
    by_place: dict[str, list[str]] = {}
    for unit, place, _ in event.units:
        by_place.setdefault(place, []).append(unit)
    told = [f"{_space(position, s)} {_units(position, units)}" for s, units in by_place.items()]
    return f"the {PEOPLE[event.side]} units of an area are dealt out: {'; '.join(told)}."


@line(e.MarkersChanged)
def _(event: e.MarkersChanged, position: Position) -> str:
    markers = _counted(abs(event.count), "marker")
    if event.count > 0:
        return f"{_side(event.side)} lose {markers}, which must be rebuilt."
    return f"{_side(event.side)} rebuild {markers}."


@line(e.WithdrawalDeclared)
def _(event: e.WithdrawalDeclared, position: Position) -> str:
    return f"the defenders of {_space(position, event.space)} withdraw as the attack begins."


@line(e.UnitSpared)
def _(event: e.UnitSpared, position: Position) -> str:
    return f"{_unit(position, event.unit)} gets away."


@line(e.LandingRolled)
def _(event: e.LandingRolled, position: Position) -> str:
    outcome = "the fleet sails" if event.success else "the fleet stays in port"
    return f"the order for the landing: {_die(event.die, event.modified)}, {outcome}."


@line(e.ReplacementsRecorded)
def _(event: e.ReplacementsRecorded, position: Position) -> str | None:
    if not event.halves:
        return None
    now = position.rp[event.currency]
    verb = "is" if 0 < event.halves <= 2 else "are"
    sum_up = f", which makes {_halves(now)}" if now != event.halves else ""
    return f"{_points(event.halves, event.currency)} {verb} recorded{sum_up}."


@line(e.ReplacementsWithheld)
def _(event: e.ReplacementsWithheld, position: Position) -> str:
    from pbem.games.crusade.rules.replacement import why_withheld

    verb = "is" if 0 < event.halves <= 2 else "are"
    why = why_withheld(event.currency)
    return f"{_points(event.halves, event.currency)} {verb} not recorded: {why}."


@line(e.ReplacementsSpent)
def _(event: e.ReplacementsSpent, position: Position) -> str:
    """In brackets, because it belongs to what the points are spent on."""
    left = position.rp[event.currency]
    rest = f"{_halves(left)} left" if left else "none left"
    return f"({_points(event.halves, event.currency)} spent, {rest})"


@line(e.ReplacementsAdjusted)
def _(event: e.ReplacementsAdjusted, position: Position) -> str:
    verb = "gain" if event.halves > 0 else "lose"
    owner = next(
        row["side"]
        for row in position.tables.tables["costs"]["currencies"]
        if row["id"] == event.currency
    )
    return (
        f"{_side(owner)} {verb} {_points(abs(event.halves), event.currency)} and have "
        f"{_halves(position.rp[event.currency])}: {_reason(position, event.why)}."
    )


@line(e.ReplacementsLapsed)
def _(event: e.ReplacementsLapsed, position: Position) -> str:
    return f"unspent {listing(event.currencies)} points lapse."


# --- orders and dice ----------------------------------------------------------------------------


@line(e.SpacesActivated)
def _(event: e.SpacesActivated, position: Position) -> str:
    parts = [
        f"{_spaces(position, spaces)} for {purpose}"
        for spaces, purpose in ((event.move, "movement"), (event.attack, "combat"))
        if spaces
    ]
    return f"{_side(event.side)} activate {'; '.join(parts) or 'no space'}."


@line(e.DigRolled)
def _(event: e.DigRolled, position: Position) -> str:
    return (
        f"{_units(position, (event.unit,))} tries to build a {event.kind.capitalize()} "
        f"in {_space(position, event.space)}: {_die(event.die, event.modified)}."
    )


@line(e.AttackDeclared)
def _(event: e.AttackDeclared, position: Position) -> str:
    defenders = _units(position, event.defenders) if event.defenders else "nobody"
    text = (
        f"{_side(event.side)} attack {_space(position, event.space)} "
        f"from {_spaces(position, event.origins)}: {_units(position, event.attackers)} "
        f"against {defenders}"
    )
    return f"{text}; {event.armor} leads as armor." if event.armor else f"{text}."


@line(e.AttackCalledOff)
def _(event: e.AttackCalledOff, position: Position) -> str:
    return (
        f"{_card(position, event.card)} ends the attack on {_space(position, event.space)} "
        f"before a shot is fired."
    )


@line(e.FireResolved)
def _(event: e.FireResolved, position: Position) -> str:
    """Strength, column after its shifts, die with its modifiers, Loss Number: all to check it."""
    shifts = [_shift(position, shift) for shift in event.shifts]
    drms = [_drm(position, drm) for drm in event.drms]
    column = f"column {event.column} of the {event.table} table"
    if shifts:
        column += f" ({', '.join(shifts)})"
    die = f"die {event.die}"
    if drms:
        die += f", {', '.join(drms)} = {event.modified}"
    return (
        f"{_side(event.side)} fire with strength {event.strength} on {column}: "
        f"{die}, Loss Number {event.loss_number}."
    )


_MODIFIER = r"(.+?):? ?([+-]\d+)"


def _shift(position: Position, shift: str) -> str:
    """A column shift as wargamers write it: "mountain 1L"."""
    what, number = _modifier(position, shift)
    return f"{what} {abs(number)}{'L' if number < 0 else 'R'}" if number else what


def _drm(position: Position, drm: str) -> str:
    what, number = _modifier(position, drm)
    inside = what.replace(" (", ", ").removesuffix(")")
    return f"{number:+d} ({inside})".replace("-", "−", 1) if number else f"({inside})"


def _modifier(position: Position, text: str) -> tuple[str, int]:
    """What modifies, as players call it, and by how much; the rules keep it as "river -1"."""
    match = re.fullmatch(_MODIFIER, text)
    name, number = (match[1], int(match[2])) if match else (text, 0)
    return MODIFIERS.get(name) or _reason(position, name), number


MODIFIERS: Mapping[str, str] = {
    "main_city": "Main City",
    "position": "Position",
    "trench": "Trench",
    "sierra_of_madrid": "Sierra of Madrid",
    "beach_head": "Beach Head",
    "militia": "militia, turn 1",
    "winter": "winter in the mountains",
}


@line(e.CombatDecided)
def _(event: e.CombatDecided, position: Position) -> str:
    where = _space(position, event.space)
    if not event.winner:
        return f"the combat in {where} is drawn, {event.by_attacker} to {event.by_defender}."
    scores = sorted((event.by_attacker, event.by_defender), reverse=True)
    return f"{_side(event.winner)} win the combat in {where}, {scores[0]} to {scores[1]}."


@line(e.RetreatCancelled)
def _(event: e.RetreatCancelled, position: Position) -> str:
    cost = f", at the cost of a step of {_unit(position, event.unit)}" if event.unit else ""
    return f"the defenders of {_space(position, event.space)} refuse to retreat{cost}."


@line(e.AdvanceForgone)
def _(event: e.AdvanceForgone, position: Position) -> str:
    return f"nobody advances into {_space(position, event.space)}."


@line(e.AdvanceCut)
def _(event: e.AdvanceCut, position: Position) -> str:
    where = _space(position, event.space)
    if event.why == "path":
        return f"nobody goes on to {where} as planned: the advance may not go there (11.5.3)."
    verb = "stays" if len(event.units) == 1 else "stay"
    reason = {
        "room": f"{where} has no room for more (9.1.1)",
        "north": "the regions of the north allow no advance there (16.4.2.1)",
    }[event.why]
    return f"{_units(position, event.units)} {verb} behind against the plan: {reason}."


@line(e.SiegeAssaulted)
def _(event: e.SiegeAssaulted, position: Position) -> str:
    units = _units(position, event.units)
    result = "the walls are breached" if event.success else "the garrison beats it off"
    return (
        f"{units} {_agree(event.units, 'assaults', 'assault')} {_siege(position, event.siege)}: "
        f"{_die(event.die, event.modified)}; {result}."
    )
