"""The log line of each event, like a war diary; `position` is the one right after it.

Each function returns a message (pbem/messages.py): a clause whose gaps hold values. Here are the
events of an ordinary round; those that most entries do without are in narrative_seldom.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from pbem.board.ledger import die_told
from pbem.engine.model import Event, Side
from pbem.engine.narration import both, together
from pbem.games.crusade import events as e
from pbem.games.crusade.narrative_words import (
    LINES,
    SIDES_TOLD,
    amount,
    cards_seen,
    line,
    so_many_cards,
    the_card,
    the_siege,
    the_space,
    the_spaces,
    the_unit,
    the_units,
)
from pbem.games.crusade.position import (
    DISPLAY,
    ELIMINATED,
    MOROCCO,
    POOL,
    REMOVED,
    RESERVE,
    Position,
)
from pbem.messages import Message, Part, Row, Said, say, say_many
from pbem.value import replace

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


def narrate(
    event: Event[Position], position: Position, viewer: Side | None = None
) -> Message | None:
    """The message for an event, the same to everybody; None if there is nothing to report."""
    kind = type(event)
    if kind not in LINES and kind not in SILENT:
        from pbem.games.crusade import narrative_seldom

        assert narrative_seldom  # its import registers its lines
    teller = LINES.get(kind)
    return teller(event, position) if teller else None


# --- time ---------------------------------------------------------------------------------------


@line(e.ActionRecorded)
def _(event: e.ActionRecorded, position: Position) -> Message | None:
    """A line only for losses that no card explains."""
    if event.action != "automatic":
        return None
    side = SIDES_TOLD[event.side]
    return say("{side} play no card and make an automatic operation", side=side)


# --- cards --------------------------------------------------------------------------------------


@line(e.CardsDrawn)
def _(event: e.CardsDrawn, position: Position) -> Message:
    """Names only the cards that both players may know."""
    hand = len(position.decks[event.side].hand)
    drawn = say("{side} draw {cards} and hold {number}", side=SIDES_TOLD[event.side],
                cards=so_many_cards(len(event.slots)), number=hand)  # fmt: skip
    seen = cards_seen(position, event.slots)
    return say("{drawn}; drawn openly: {seen}", drawn=drawn, seen=seen) if seen else drawn


@line(e.CardPlayed)
def _(event: e.CardPlayed, position: Position) -> Message:
    facts, parts = position.card(event.card), {
        "side": SIDES_TOLD[event.side], "card": the_card(position, event.card)
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


@line(e.CardRemoved)
def _(event: e.CardRemoved, position: Position) -> Message:
    return say("card {card} is out of the game", card=event.card)


# --- units --------------------------------------------------------------------------------------


@line(e.UnitPlaced)
def _(event: e.UnitPlaced, position: Position) -> Message:
    units = the_units(position, event.unit)
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
                    units=units, space=the_space(position, event.place))  # fmt: skip


@line(e.StackMoved)
def _(event: e.StackMoved, position: Position) -> Message:
    """A path begins with the units' space; a single space is where they were moved directly."""
    path = the_spaces(position, event.path)
    start, *through, end = path if len(path) > 1 else ("", *path)
    parts = {"units": the_units(position, *event.units), "end": end}
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
    units = the_units(position, event.unit)
    if event.to == RESERVE and event.by == "border":
        return together("units", "{units} comes home over the border to the Reserve",
                        "{units} come home over the border to the Reserve",
                        units=units)  # fmt: skip
    if event.to == RESERVE:
        return together("units", "{units} is withdrawn to the Reserve",
                        "{units} are withdrawn to the Reserve", units=units)  # fmt: skip
    space = the_space(position, event.to)
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
    *through, end = the_spaces(position, event.path)
    units = the_units(position, event.unit)
    if through:
        return together("units", "{units} retreats through {way} to {end}",
                        "{units} retreat through {way} to {end}",
                        units=units, way=tuple(through), end=end)  # fmt: skip
    return together("units", "{units} retreats to {end}", "{units} retreat to {end}",
                    units=units, end=end)  # fmt: skip


@line(e.UnitAdvanced)
def _(event: e.UnitAdvanced, position: Position) -> Message:
    return together("units", "{units} advances into {space}", "{units} advance into {space}",
                    units=the_units(position, event.unit),
                    space=the_space(position, event.to))  # fmt: skip


@line(e.UnitReduced)
def _(event: e.UnitReduced, position: Position) -> Message:
    told = together("units", "{units} is reduced", "{units} are reduced",
                    units=the_unit(position, event.unit))  # fmt: skip
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
    units = the_unit(position, event.unit)
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


@line(e.UnitSentToReserve)
def _(event: e.UnitSentToReserve, position: Position) -> Message:
    return together("units", "{units} leaves the map for the Reserve",
                    "{units} leave the map for the Reserve",
                    units=the_units(position, event.unit))  # fmt: skip


# --- ground -------------------------------------------------------------------------------------


@line(e.SpaceTaken)
def _(event: e.SpaceTaken, position: Position) -> Message:
    return together("spaces", "{side} take control of {spaces}", "{side} take control of {spaces}",
                    side=SIDES_TOLD[event.side],
                    spaces=(the_space(position, event.space),))  # fmt: skip


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
        return say("capture of {space}", space=the_space(position, event.of))
    if event.why == "liberation":
        return say("liberation of {siege}", siege=the_siege(position, event.of))
    if event.why == "bonus":
        return say("bonus of {card}", card=the_card(position, event.of))
    if event.why == "bonus lost":
        return say("bonus of {card} lost", card=the_card(position, event.of))
    if event.why == "not played":
        return say("{card} not played", card=the_card(position, event.of))
    from pbem.games.crusade.narrative_seldom import reason_told

    return reason_told(event.why)


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


@line(e.ReplacementsRecorded)
def _(event: e.ReplacementsRecorded, position: Position) -> Message | None:
    now = position.rp[event.currency]
    parts = {"number": amount(event.halves), "currency": event.currency}
    if not event.halves:
        return None
    if now == event.halves:
        return say_many("number", "{number} {currency} point is recorded",
                        "{number} {currency} points are recorded", **parts)  # fmt: skip
    return say_many("number", "{number} {currency} point is recorded, for a total of {now}",
                    "{number} {currency} points are recorded, for a total of {now}",
                    **parts, now=amount(now))  # fmt: skip


# --- orders and dice ----------------------------------------------------------------------------


@line(e.SpacesActivated)
def _(event: e.SpacesActivated, position: Position) -> Message:
    side = SIDES_TOLD[event.side]
    move, attack = the_spaces(position, event.move), the_spaces(position, event.attack)
    if not move and not attack:
        return say("{side} activate no space", side=side)
    purposes = []
    if move:
        purposes.append(say("{spaces} for movement", spaces=move))
    if attack:
        purposes.append(say("{spaces} for combat", spaces=attack))
    return say("{side} activate {spaces}", side=side, spaces=Row(tuple(purposes), "; "))


@line(e.AttackDeclared)
def _(event: e.AttackDeclared, position: Position) -> Message:
    defenders: Part = the_units(position, *event.defenders) or say("nobody")
    told = say("{side} attack {space} from {origins}: {attackers} against {defenders}",
               side=SIDES_TOLD[event.side], space=the_space(position, event.space),
               origins=the_spaces(position, event.origins),
               attackers=the_units(position, *event.attackers), defenders=defenders)  # fmt: skip
    if not event.armor:
        return told
    return say("{attack}; {unit} claims the armor modifier", attack=told, unit=event.armor)


@line(e.FireResolved)
def _(event: e.FireResolved, position: Position) -> Message:
    """Strength, column after shifts, die with its modifiers, Loss Number: everything needed to
    check it.
    """
    from pbem.games.crusade.fire_words import FIRE_TABLES

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
    what = _modifier(name)
    if number < 0:
        return say("{what} {number}L", what=what, number=-number)
    return say("{what} {number}R", what=what, number=number)


def _drm(position: Position, name: str) -> Said:
    """The name of a die-roll modifier; for a card it names the card."""
    if name in position.tables.cards:
        return say("{title}, {card}", title=say(position.card(name).title), card=name)
    return _modifier(name)


def _modifier(name: str) -> Said:
    from pbem.games.crusade.fire_words import MODIFIERS

    return MODIFIERS.get(name, name)


@line(e.CombatDecided)
def _(event: e.CombatDecided, position: Position) -> Message:
    space = the_space(position, event.space)
    if not event.winner:
        return say("the combat in {space} is drawn, {attacker} to {defender}", space=space,
                   attacker=event.by_attacker, defender=event.by_defender)  # fmt: skip
    more, less = sorted((event.by_attacker, event.by_defender), reverse=True)
    return say("{side} win the combat in {space}, {more} to {less}", side=SIDES_TOLD[event.winner],
               space=space, more=more, less=less)  # fmt: skip
