"""A round of the Action Phase: arrivals of the Army of Africa, the card, the end of the round."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events as e
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.effects.registry import effect_of
from pbem.games.crusade.orders import USES, Arrive, Play
from pbem.games.crusade.position import DISPLAY, MOROCCO, Position
from pbem.games.crusade.rules import cards
from pbem.games.crusade.rules.africa import GATES, arrival_is_due
from pbem.games.crusade.rules.options_units import BANDERAS, banderas_may_come
from pbem.games.crusade.rules.stacking import room_in
from pbem.games.crusade.rules.supply import supply_map
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.tables import NATIONALIST
from pbem.messages import Either, Message, Row, Said, either, say
from pbem.value import value

NO_CARD = "none"


@CITE.rule("17.6.4")
@CITE.serves("16.2.4.1")
def landing_places(position: Position) -> tuple[str, ...]:
    """Sevilla and Cádiz, if controlled, supplied and with room.

    A space supplied only by an Isolated Space takes no reinforcements.
    """
    supplied = supply_map(position, NATIONALIST).full
    return tuple(space for space in GATES if space in supplied and room_in(position, space) > 0)


@CITE.refusal("17.6.4")
def lands_where_it_may(stage: object, position: Position, order: Arrive) -> Iterator[s.Violation]:
    """The Army of Africa arrives at Sevilla or Cádiz."""
    if order.banderas:
        return
    places = landing_places(position)
    if order.at not in places:
        names = either(position.space(space).name for space in places)
        told = say(
            "the Army of Africa cannot arrive there: {why}", why=_why_closed(position, order.at)
        )
        yield s.Violation(told, ("at",), hint=say("it can arrive at {names}", names=names))


@CITE.serves("17.6.4")
def _why_closed(position: Position, space: str) -> Message:
    """Why the Army of Africa cannot land at a space."""
    if space not in GATES:
        gates = Either(tuple(position.space(gate).name for gate in GATES))
        return say("it lands only at {gates}", gates=gates)
    name = position.space(space).name
    if room_in(position, space) <= 0:
        return say("{space} has no room for another unit", space=name)
    return say("{space} is not in full supply", space=name)


def banderas_places(position: Position) -> tuple[tuple[str, ...], ...]:
    """The pairs of spaces where the two small units may land, or one space with room for both."""
    places = landing_places(position) if banderas_may_come(position) else ()
    return tuple(
        (one, other)
        for one in places
        for other in places
        if one != other or room_in(position, one) > 1
    )


@CITE.refusal("18.2.2")
def banderas_land_where_they_may(
    stage: object, position: Position, order: Arrive
) -> Iterator[s.Violation]:
    """Once a game the two arrive instead of the unit that is due, where there is room."""
    if not order.banderas:
        return
    pairs = banderas_places(position)
    if order.banderas not in pairs:
        yield s.Violation(
            say("the Banderas and Tabores cannot land there"),
            ("banderas",),
            hint=_banderas_hint(position, pairs),
        )
    if order.at or order.unit:
        yield s.Violation(
            say("they arrive instead of the unit that is due"),
            ("banderas",),
            hint=say("write banderas alone, without at and unit"),
        )


def _banderas_hint(position: Position, pairs: tuple[tuple[str, ...], ...]) -> Said:
    """Where the two may land now, or that they do not come."""
    if not position.option("18.2.2"):
        return say("they are not in this game: the rule is not in force")
    if not banderas_may_come(position):
        return say("they come once a game, and have come")
    if not pairs:
        return say("no space has room for them now: name one for the unit that is due")
    names = tuple(say("[{one}, {other}]", one=one, other=other) for one, other in pairs[:3])
    return say("write banderas: {pairs}", pairs=Either(names))


@value
@CITE.rule("17.6.3")
class Arrivals(s.AutoStage[Position]):
    """17.6: the unit due this round arrives before anything else."""

    def run(self, position: Position) -> s.Outcome:
        if not arrival_is_due(position):
            return s.Outcome()
        if landing_places(position):
            return s.Outcome(then=(Landing(),))
        # A unit without a place waits in Morocco, and nobody is asked (17.6.4).
        return s.Outcome((e.UnitPlaced(position.units_in(DISPLAY)[0], MOROCCO),))


@value
class Landing(s.PlayerStage[Position]):
    """17.6.4: the Nationalists choose where the unit that is due lands."""

    def ask(self, position: Position) -> s.Decision:
        places = landing_places(position)
        return s.Decision(
            side=NATIONALIST,
            stage="arrival",
            prompt=say("choose where the Army of Africa unit lands"),
            rule="17.6.4",
            options=(s.Option(Arrive, {"at": s.OneOf(places)}), *self._banderas(position)),
            default=Arrive(at=places[0]),
        )

    def _banderas(self, position: Position) -> tuple[s.Option, ...]:
        pairs = banderas_places(position)
        return (s.Option(Arrive, {"banderas": s.OneOf(pairs)}),) if pairs else ()

    check = s.checks((lands_where_it_may, banderas_land_where_they_may))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Arrive)
        if order.banderas:
            landed = zip(BANDERAS, order.banderas, strict=True)
            return s.Outcome((
                e.UnitDisbanded(position.units_in(DISPLAY)[0]),
                *(e.UnitPlaced(unit, space) for unit, space in landed),
            ))  # fmt: skip
        return s.Outcome((e.UnitPlaced(position.units_in(DISPLAY)[0], order.at),))


PLAY = say("play a card, or make an automatic operation without one")
AFTER_IT = say(
    "after a card for operations, write activate, move, fortify and attack; "
    "after one for redeployment, write redeploy. In the same file they cost no extra mail"
)


@value
@CITE.rule("8.1.1", "8.1.3")
class PlayCard(s.PlayerStage[Position]):
    """7.1.3: every round a card, or an automatic operation without one; nobody passes."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision:
        return s.Decision(
            side=self.side,
            stage="action",
            prompt=PLAY,
            rule="7.1.3",
            options=(
                s.Option(
                    Play,
                    examples=partial(self._examples, position),
                    note=AFTER_IT,
                    are_all=True,
                ),
            ),
            default=self._default(position),
        )

    def _examples(self, position: Position, some: s.Some) -> Iterator[s.Example]:
        """Each card that can be played now, with the worth of each of its uses."""
        for card, uses in self.playable(position, some):
            said = {"card": (card,), "use": uses}
            if card == NO_CARD:
                yield s.Example(
                    Play(card), say("an automatic operation: one space"), {"card": (card,)}
                )
            else:
                yield s.Example(Play(card, uses[0]), worth(position, card, uses), said)

    def playable(
        self, position: Position, some: s.Some = s.every
    ) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Each card of the hand, and no card, that may be played now, with its uses."""
        for card in some((*position.hand_cards(self.side), NO_CARD)):
            uses = (USES[0],) if card == NO_CARD else USES
            legal = tuple(
                use for use in uses if not any(True for _ in self.check(position, Play(card, use)))
            )
            if legal:
                yield card, legal

    def _default(self, position: Position) -> Play:
        forced = cards.forced_play(position, self.side)
        return Play(forced, "event") if forced else Play(NO_CARD)

    check = s.checks(*cards.PLAY_CHECKS)

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Play)
        if order.card == NO_CARD:
            recorded_action = (e.ActionRecorded(self.side, "automatic"),)
            return s.Outcome(recorded_action, then=(Activation(self.side, 1),))
        story: s.Unfolding[Position] = s.Unfolding(position)
        slot = position.slot_of(self.side, order.card)
        assert slot is not None
        story.happen(e.ActionRecorded(self.side, order.use))
        story.happen(e.CardPlayed(self.side, slot, order.card, order.use))
        for mark in cards.marks_of_play(position, self.side, order):
            story.happen(e.TurnMarkSet(mark))
        if order.use == "event":
            return self._event(story, order.card)
        story.happen(e.CardDiscarded(self.side, order.card))
        if order.use == "operations":
            ops = position.card(order.card).ops
            return story.outcome(then=(self._operations(story.position, ops),))
        if order.use == "redeployment":
            from pbem.games.crusade.rules.redeployment import points
            from pbem.games.crusade.stages.redeployment import Redeployment

            halves = points(position, order.card)
            return story.outcome(then=(Redeployment(self.side, halves),))
        from pbem.games.crusade.rules.replacement import recorded

        story.happen(*recorded(position, self.side, order.card))
        return story.outcome()

    def _operations(self, position: Position, ops: int) -> s.Stage[Position]:
        if not position.option("18.2.12"):
            return Activation(self.side, ops)
        from pbem.games.crusade.stages.landing import operations_of_card

        return operations_of_card(position, self.side, ops)

    @CITE.rule("8.5.1.1", "8.5.1.3", "3.0.asterisk")
    def _event(self, story: s.Unfolding[Position], card: str) -> s.Outcome:
        from pbem.games.crusade.stages.armored import after_event

        facts = story.position.card(card)
        leaves = e.CardRemoved if facts.asterisk else e.CardDiscarded
        story.happen(leaves(self.side, card))
        vp, rm = cards.score_of(story.position, facts)
        if vp or rm:
            from pbem.games.crusade.rules.options_score import end_without_morale

            story.happen(e.ScoreChanged(vp, rm, "card", card))
            end_without_morale(story)
        event = effect_of(facts)
        assert event is not None, card
        later = after_event(story.position, self.side, card)
        effect = event.carry_out(story.position, self.side)
        story.happen(*effect.events)
        return story.outcome(then=(*effect.then, *later))


def worth(position: Position, card: str, uses: Sequence[str]) -> Said:
    """The title of a card, and the worth of each of its uses."""
    from pbem.games.crusade.rules.redeployment import points

    facts = position.card(card)
    rp = tuple(f"{number} {currency}" for currency, number in facts.rp.items() if number)
    halves = points(position, card)
    told: dict[str, Said] = {
        "operations": f"operations {facts.ops}",
        "redeployment": f"redeployment {halves // 2}{'.5' * (halves % 2)}",
        "replacements": say("replacements {rp}", rp=rp) if rp else "replacements",
    }
    each = Row(tuple(told.get(use, use) for use in uses))
    return say("{facts}: {uses}", facts=say(facts.title), uses=each)


@value
class RoundEnd(s.AutoStage[Position]):
    """Removes markers of the round, and stored digging modifiers where no unit is left."""

    side: s.Side

    def run(self, position: Position) -> s.Outcome:
        story: s.Unfolding[Position] = s.Unfolding(position)
        for space in abandoned_diggings(position):
            story.happen(e.DiggingAbandoned(space))
        story.happen(e.RoundEnded(self.side, position.round))
        return story.outcome()


@CITE.rule("10.2.4/a")
def abandoned_diggings(position: Position) -> tuple[str, ...]:
    """Spaces whose stored modifier is lost because no unit of their side is there."""
    # reading: Q26, it is lost if no unit is there at the end of the round, even if one passed.
    return tuple(space for space in position.digging if not position.units_in(space))
