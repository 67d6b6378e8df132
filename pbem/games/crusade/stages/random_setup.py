"""Optional rules of the set-up: units by lot (18.3.9), cards by lot (18.5), a guard (18.1.2)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import ChooseCard
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_decks import (
    LOTS,
    card_of_lot,
    is_chosen_unseen,
    lots_are_due,
)
from pbem.games.crusade.rules.options_units import guard_of_morocco
from pbem.games.crusade.tables import INITIAL, PEOPLE, REPUBLICAN, SIDES
from pbem.messages import say
from pbem.value import value


@value
class GuardOfMorocco(s.AutoStage[Position]):
    """18.1.2: one unit of the Army of Africa never arrives."""

    def run(self, position: Position) -> s.Outcome:
        unit = guard_of_morocco(position)
        return s.Outcome((e.UnitDisbanded(unit),) if unit else ())


# --- units by lot -------------------------------------------------------------------------------

FIXED = ("MIL-NAV", "AFR")
"""Types that are placed where the set-up says."""
Place = tuple[str, bool]


@value
class SetupArea:
    """The units of one side in one area of the set-up, and the places to be filled."""

    side: s.Side
    name: str
    units: tuple[str, ...]
    places: tuple[Place, ...]


@CITE.rule("18.3.9")
def areas_to_shuffle(position: Position) -> tuple[SetupArea, ...]:
    """Every area of a scenario that begins with turn 1, except the Republican north."""
    sheet = position.tables.sheet(position.scenario)
    if not position.option("18.3.9") or sheet["first_turn"] != 1 or "begins" in sheet:
        return ()
    found = (
        _area(position, side, name)
        for side in SIDES
        for name in _area_names(sheet["units"][side]["map"])
        if (side, name) != (REPUBLICAN, "northern_front")
    )
    return tuple(area for area in found if len(area.units) > 1)


def _area_names(rows: list[Mapping[str, Any]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(row["area"] for row in rows if "area" in row))


def _area(position: Position, side: s.Side, name: str) -> SetupArea:
    """The units to draw and the places to fill, in the order of the set-up."""
    rows = position.tables.sheet(position.scenario)["units"][side]["map"]
    units = [
        unit
        for row in rows
        if row.get("area") == name
        for unit in position.units_in(row["space"], side)
        if position.type_of(unit).id not in FIXED
    ]
    places = tuple((position.place_of(unit), position.is_reduced(unit)) for unit in units)
    return SetupArea(side, name, tuple(units), places)


@value
class RandomSetUp(s.AutoStage[Position]):
    """The random set-up: by agreement, and only at the start of the war."""

    def run(self, position: Position) -> s.Outcome:
        return s.Outcome(then=(DealtUnits(),) if areas_to_shuffle(position) else ())


@value
class DealtUnits(s.ChanceStage[Position]):
    """Units are dealt to the places of each area; a reduced place makes its unit reduced."""

    def chance(self, position: Position) -> s.Chance:
        draws = tuple(
            s.Draw(label,
                 say("units of {area} ({side})", area=area.name, side=say(PEOPLE[area.side])),
                 of=len(area.units), take=len(area.units))
            for label, area in _labelled(areas_to_shuffle(position))
        )  # fmt: skip
        return s.Chance("set-up", "18.3.9", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        events = []
        for label, area in _labelled(areas_to_shuffle(position)):
            drawn = (area.units[number] for number in rolled[label].picked)
            dealt = tuple((unit, *place) for unit, place in zip(drawn, area.places, strict=True))
            events.append(rare.UnitsShuffled(area.side, area.name, dealt))
        return s.Outcome(tuple(events))


def _labelled(areas: tuple[SetupArea, ...]) -> Iterator[tuple[str, SetupArea]]:
    """Areas with their labels: numbered for each side in the order of the set-up."""
    counted: dict[s.Side, int] = {}
    for area in areas:
        counted[area.side] = counted.get(area.side, 0) + 1
        yield f"setup/{INITIAL[area.side].lower()}/#/{counted[area.side]}", area


# --- cards by lot -------------------------------------------------------------------------------


@value
@CITE.serves("18.5")
class CardLots(s.AutoStage[Position]):
    """Before a phase one combat card of each side is replaced by lot, or by choice."""

    def run(self, position: Position) -> s.Outcome:
        phase = lots_are_due(position)
        if not phase or is_chosen_unseen(position, phase):
            return s.Outcome()
        known = {side: card_of_lot(position, side, phase) for side in SIDES}
        flags = (f"lot_{card}" for card in known.values() if card)
        named = tuple(e.FlagSet(flag) for flag in flags if not position.has(flag))
        left = tuple(side for side in SIDES if not known[side])
        if left and position.option("18.5/random"):
            return s.Outcome(named, then=(DrawnLots(phase, left),))
        return s.Outcome(named, then=tuple(ChosenCard(side, phase) for side in left))


@value
class DrawnLots(s.ChanceStage[Position]):
    """One of three cards for each of the sides; nobody sees it before it is drawn."""

    phase: str
    sides: tuple[s.Side, ...]

    def chance(self, position: Position) -> s.Chance:
        draws = tuple(
            s.Draw(
                _lot(side),
                say("the {side} combat card of the phase", side=say(PEOPLE[side])),
                of=3,
                take=1,
            )
            for side in self.sides
        )
        return s.Chance("optional cards", "18.5", draws)

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for side in self.sides:
            card = LOTS[self.phase][side][rolled[_lot(side)].picked[0]]
            story.happen(e.FlagSet(f"lot_{card}"))
        return story.outcome()


def _lot(side: s.Side) -> str:
    return f"option/{INITIAL[side].lower()}/#"


@value
@CITE.serves("18.5")
class UnseenLots(s.AutoStage[Position]):
    """With hidden hands the choice follows when the decks are laid: nobody else sees it."""

    def run(self, position: Position) -> s.Outcome:
        phase = lots_are_due(position)
        if not is_chosen_unseen(position, phase):
            return s.Outcome()
        return s.Outcome(then=(DecksSettled(), *(ChosenCard(side, phase) for side in SIDES)))


@value
class DecksSettled(s.ChanceStage[Position]):
    """Rolls nothing, but waits for a beacon: only then does a player know their own slots."""

    def chance(self, position: Position) -> s.Chance:
        return s.Chance("sealed decks", "18.5", ())

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        return s.Outcome()


@CITE.refusal("18.5")
def card_is_of_the_lot(
    stage: ChosenCard, position: Position, order: ChooseCard
) -> Iterator[s.Violation]:
    """The card is one of the three of the phase."""
    lot = LOTS[stage.phase][stage.side]
    if is_chosen_unseen(position, stage.phase):
        yield from _others_lie_hidden(stage, position, order)
    elif order.aside:
        yield s.Violation(say("name the card, not its slot"), at=("aside",), hint=", ".join(lot))
    elif order.card not in lot:
        yield s.Violation(
            say("{card} cannot be chosen", card=order.card), at=("card",), hint=", ".join(lot)
        )


def _others_lie_hidden(
    stage: ChosenCard, position: Position, order: ChooseCard
) -> Iterator[s.Violation]:
    """The other two slots are hidden, and hold two of the three cards as far as this view knows."""
    lot, hidden = LOTS[stage.phase][stage.side], _hidden(position, stage.side)
    if order.card and order.card not in lot:
        yield s.Violation(
            say("{card} cannot be chosen", card=order.card), at=("card",), hint=", ".join(lot)
        )
        return
    slots = others(position, stage.side, stage.phase, order)
    if len(set(slots)) != len(lot) - 1 or len(slots) != len(lot) - 1:
        yield s.Violation(say("put two sealed cards aside and keep one"), at=("aside",))
    for slot in slots:
        held = position.card_in(slot)
        if slot not in hidden:
            yield s.Violation(
                say("{slot} is not a hidden card of your deck", slot=slot), at=("aside",)
            )
        elif held is not None and held not in lot:
            yield s.Violation(
                say(
                    "{slot} contains {held}, which is not one of the cards to choose from",
                    slot=slot,
                    held=held,
                ),
                at=("aside",),
            )


def _printed_card(stage: ChosenCard, position: Position) -> ChooseCard:
    """The choice of the printed card, or one like it for a view that does not know its slot."""
    printed = ChooseCard(LOTS[stage.phase][stage.side][0])
    if any(True for _ in card_is_of_the_lot(stage, position, printed)):
        return ChooseCard(aside=_hidden(position, stage.side)[-2:])
    return printed


def _hidden(position: Position, side: s.Side) -> tuple[str, ...]:
    deck = position.decks[side]
    return tuple(slot for slot in (*deck.hand, *deck.pile) if slot not in position.known)


def others(position: Position, side: s.Side, phase: str, order: ChooseCard) -> tuple[str, ...]:
    """The slots that an order puts aside, as far as this view can tell from the card named."""
    if not order.card:
        return order.aside
    lot = LOTS[phase][side]
    where = {position.card_in(slot): slot for slot in _hidden(position, side)}
    return tuple(sorted(where[c] for c in lot if c != order.card and c in where))


@value
class ChosenCard(s.PlayerStage[Position]):
    """A side chooses the card that enters its deck."""

    side: s.Side
    phase: str

    @property
    def chooses_from_the_pile(self) -> s.Side:
        """The side that chooses from the cards of its pile."""
        return self.side

    def ask(self, position: Position) -> s.Decision:
        lot = LOTS[self.phase][self.side]
        return s.Decision(
            side=self.side,
            stage="optional cards",
            prompt=say("choose the combat card that goes into the deck"),
            rule="18.5",
            options=(s.Option(ChooseCard, {"card": s.OneOf(lot)}),),
            default=_printed_card(self, position),
        )

    check = s.checks((card_is_of_the_lot,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, ChooseCard)
        if is_chosen_unseen(position, self.phase):
            slots = others(position, self.side, self.phase, order)
            return s.Outcome((rare.CardsRetired(self.side, slots),))
        return s.Outcome((e.FlagSet(f"lot_{order.card}"),))
