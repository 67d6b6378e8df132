"""18.1.9: the guerrilla corps, once a turn of the War of the Armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from pbem.engine import staging as s
from pbem.games.crusade import events_seldom as rare
from pbem.games.crusade.citations import CITE
from pbem.games.crusade.orders import GUERRILLA, Discard, Done, Guerrilla
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.cards import not_held
from pbem.games.crusade.rules.north import is_cut_off, is_northern
from pbem.games.crusade.rules.supply import is_supplied
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN
from pbem.messages import a_few, either, say
from pbem.value import value

DIE = "guerrilla/#/die/1"


def effects_open(position: Position) -> tuple[str, ...]:
    """The effects open to the corps: none twice in a row, guerrilla only with a target."""
    last = position.turn - 1
    fresh = [each for each in GUERRILLA if not position.has(f"guerrilla_{each}_{last}")]
    return tuple(each for each in fresh if each != "guerrilla" or harassable(position))


@CITE.serves("18.1.9/a")
def harassable(position: Position) -> tuple[str, ...]:
    """Nationalist spaces next to a supplied Republican one; none in the north if it is cut off."""
    return tuple(
        space
        for space in position.spaces_of(NATIONALIST)
        if not (_is_closed(position, space))
        and any(_is_base(position, near) for near in position.neighbours(space))
    )


def _is_base(position: Position, space: str) -> bool:
    held = position.controls(REPUBLICAN, space) and is_supplied(position, REPUBLICAN, space)
    return held and not _is_closed(position, space)


def _is_closed(position: Position, space: str) -> bool:
    return is_northern(position, space) and is_cut_off(position)


@CITE.check("18.1.9")
def effect_is_open(
    stage: GuerrillaCorps, position: Position, order: Guerrilla
) -> Iterator[s.Violation]:
    """The effect is one of the three, and not that of the previous turn."""
    could = effects_open(position)
    if order.effect not in could:
        told = say("{effect} is not something guerrillas can do", effect=repr(order.effect))
        if order.effect in GUERRILLA:
            told = say(
                "{effect} was used last turn or has no space to use it on",
                effect=repr(order.effect),
            )
        yield s.Violation(
            told,
            at=("effect",),
            hint=either(could),
        )


@CITE.refusal("18.1.9/a")
def space_is_in_reach(
    stage: GuerrillaCorps, position: Position, order: Guerrilla
) -> Iterator[s.Violation]:
    """Guerrilla needs a space next to one's own lines; the other effects need none."""
    spaces = harassable(position)
    if order.effect == "guerrilla" and order.space not in spaces:
        yield s.Violation(
            say("guerrillas cannot reach {space}", space=position.called(order.space)),
            at=("space",),
            hint=a_few(position.names_of(spaces)),
        )
    elif order.effect != "guerrilla" and order.space:
        yield s.Violation(say("{effect} names no space", effect=order.effect), at=("space",))


@value
@CITE.serves("18.1.9")
class GuerrillaCorps(s.PlayerStage[Position]):
    """Before the Action Phase the Republic may use the corps for one of its effects."""

    def ask(self, position: Position) -> s.Decision | None:
        could = effects_open(position) if is_in_the_field(position) else ()
        if not could:
            return None
        return s.Decision(
            side=REPUBLICAN,
            stage="guerrilla corps",
            prompt=say("choose what the guerrilla corps does, or say done"),
            rule="18.1.9",
            options=(
                s.Option(Guerrilla, examples=partial(_examples, position, could)),
                s.Option(Done, {}),
            ),
            default=_default(position, could),
            policy="guerrilla",
        )

    check = s.by_verb(
        {Guerrilla: s.checks((effect_is_open,), (space_is_in_reach,)), Done: s.checks()}
    )

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        if not isinstance(order, Guerrilla):
            return s.Outcome()
        sent = (rare.GuerrillaSent(order.effect, order.space),)
        return s.Outcome(sent, then=(Intelligence(),) if order.effect == "intelligence" else ())


def is_in_the_field(position: Position) -> bool:
    """Whether guerrillas are in the game, and the war is in their phase (18.1.9)."""
    return position.phase == "armies" and position.option("18.1.9")


def _examples(position: Position, could: tuple[str, ...], some: s.Some) -> Iterator[s.Example]:
    for effect in some(could):
        spaces = harassable(position) if effect == "guerrilla" else ("",)
        said = {"effect": (effect,), "space": spaces}
        yield s.Example(Guerrilla(effect, spaces[0]), others=said)


def _default(position: Position, could: tuple[str, ...]) -> s.Order:
    # reading: 18.1.9, D9, the default is sabotage, and in the turn after it guerrilla.
    if "sabotage" in could:
        return Guerrilla("sabotage")
    return Guerrilla("guerrilla", harassable(position)[0]) if "guerrilla" in could else Done()


# --- intelligence -------------------------------------------------------------------------------


@value
@CITE.rule("18.1.9/b")
class Intelligence(s.ChanceStage[Position]):
    """One die: a card is lost, some are seen for the turn, or nothing happens."""

    def chance(self, position: Position) -> s.Chance:
        return s.Chance(
            "intelligence", "18.1.9/b", (s.Draw(DIE, say("intelligence of the guerrillas")),)
        )

    def resolve(self, position: Position, rolled: Mapping[str, s.Roll]) -> s.Outcome:
        from pbem.games.crusade.stages.intelligence import SomeCards

        die, table = rolled[DIE].face, position.tables.tables["guerrilla_intelligence"]
        shown, lost = table["reveal"][die - 1], table["discard"][die - 1]
        told = (rare.IntelligenceRolled(die, shown, lost),)
        if lost:
            return s.Outcome(told, then=(LosingCard(NATIONALIST),))
        return s.Outcome(told, then=(SomeCards(NATIONALIST, shown),) if shown else ())


@CITE.refusal("18.1.9/b")
def one_card_is_lost(
    stage: LosingCard, position: Position, order: Discard
) -> Iterator[s.Violation]:
    """The card is one of the player's own hand."""
    if len(order.cards) != 1:
        yield s.Violation(say("exactly one card is lost"), at=("cards",))
    for place, card in enumerate(order.cards):
        if position.slot_of(stage.side, card) is None:
            yield not_held(card, position.hand_cards(stage.side), ("cards", place))


@value
class LosingCard(s.PlayerStage[Position]):
    """A side chooses the card it loses."""

    side: s.Side

    def ask(self, position: Position) -> s.Decision | None:
        if not position.decks[self.side].hand:
            return None
        cards = position.hand_cards(self.side)
        # reading: 18.1.9/b, D10, the default loss is a card of the fewest points, among those in
        # sight.
        least = sorted(cards, key=lambda card: (position.card(card).ops, card))[:1]
        return s.Decision(
            side=self.side,
            stage="card lost",
            prompt=say("discard one card"),
            rule="18.1.9/b",
            options=(s.Option(Discard, {"cards": s.OneOf(tuple((card,) for card in cards))}),),
            default=Discard(tuple(least)),
            policy="lost_card",
        )

    check = s.checks((one_card_is_lost,))

    def resolve(self, position: Position, order: s.Order) -> s.Outcome:
        assert isinstance(order, Discard)
        slot = position.slot_of(self.side, order.cards[0])
        assert slot is not None
        return s.Outcome((rare.HandCardDiscarded(self.side, slot, order.cards[0]),))
