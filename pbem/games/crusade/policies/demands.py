"""The demands of events, cards and guerrillas: who is taken, who is spared, who gets a step
back.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from pbem.engine.codec import pairs
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policy_rows import Answer, Clause, Document, Example, Written, unless
from pbem.engine.shapes import Fields, Many, OrWord, Pairs, Path, Shape, listed, meant
from pbem.games.crusade.conditions import RANKING
from pbem.games.crusade.effects.combat_cards import restoring_cards
from pbem.games.crusade.orders import Discard, Remove, Replace, Spare
from pbem.games.crusade.policies.cards import IN_HAND, SLOTS, cards_in, slots_of
from pbem.games.crusade.position import Position
from pbem.games.crusade.rules.options_combat import possible_survivors
from pbem.games.crusade.rules.ranking import first_named
from pbem.games.crusade.tables import NATIONALIST, REPUBLICAN

if TYPE_CHECKING:
    from pbem.games.crusade.stages.combat.losses import Survivor
    from pbem.games.crusade.stages.combat.rally import Rallying
    from pbem.games.crusade.stages.event_units import ForcedRemoval
    from pbem.games.crusade.stages.guerrilla import LosingCard

# --- a step back, and a survivor ----------------------------------------------------------------


def _rallying(position: Position, stage: Rallying, policy: Document) -> Order | None:
    """R60: the step goes to the first that the policy lists."""
    words = policy.get("rally", ())
    return Replace(first_named(position, words, position.fought.worn)) if words else None


def _may_rally(position: Position, side: Side) -> bool:
    return side in {position.card(card).side for card in restoring_cards(position)}


def _sparing(position: Position, stage: Survivor, policy: Document) -> Order | None:
    """Of a force that would be lost, the first unit that the policy lists is spared."""
    words, could = policy.get("spare", ()), possible_survivors(position, position.fought)
    return Spare(first_named(position, words, could)) if words else None


RALLY: Clause = Clause(
    RANKING,
    {"rally": Answer(_rallying)},
    unasked=unless(_may_rally, "none of your cards restores a step"),
)
SPARE: Clause = Clause(
    RANKING,
    {"spare": Answer(_sparing)},
    unasked=unless(
        lambda position, side: position.option("18.3.1"),
        "no unit is spared without option 18.3.1", "18.3.1",
    ),
)  # fmt: skip

# --- what is taken ------------------------------------------------------------------------------

TAKES_OF = {"N31": REPUBLICAN, "R47": NATIONALIST}
"""Whose unit is taken by the cards that take one of its owner's choice."""
DISCARD = "discard"
LOWEST = "lowest_ops"
"""Of the cards held when the policy is written, the least goes first."""


def _said_for(card: str, policy: Document) -> Any:
    """The entry of `forced` for a card, or for a discard; nothing by default."""
    return dict(policy.get("forced", ())).get(card, ())


def _taken(position: Position, stage: ForcedRemoval, policy: Document) -> Order:
    """The unit a card takes, by the words for that card; without any it is the game's own
    choice.
    """
    worn_first = sorted(stage.units, key=lambda unit: not position.is_reduced(unit))
    return Remove(first_named(position, _said_for(stage.card, policy), worn_first))


def _lost_card(position: Position, stage: LosingCard, policy: Document) -> Order | None:
    """The first card of the policy's list, else of the hand; of an open hand the least."""
    card = position.known.get(next(_lost_slot(position, stage, policy), ""))
    return Discard((card,)) if card else None


def _lost_slot(position: Position, stage: LosingCard, policy: Document) -> Iterator[str]:
    """The one slot that is lost."""
    hand = position.decks[stage.side].hand
    wished = [slot for slot in listed(_said_for(DISCARD, policy)) if slot in hand]
    if wished:
        yield wished[0]
    elif position.hidden_slots(stage.side):
        # reading: D10, nobody can tell which hidden card is the least: the first slot goes.
        yield hand[0]


def _seal(position: Position, side: Side, policy: Written) -> list[list[Any]]:
    """The units each card takes, and at `discard` the slots of the cards that are given up."""
    said = dict(policy["forced"])
    if said.get(DISCARD) == LOWEST:
        hand = position.hand_cards(side)
        said[DISCARD] = sorted(hand, key=lambda card: (position.card(card).ops, card))
    if DISCARD in said:
        said[DISCARD] = slots_of(position, side, said[DISCARD])
    return pairs(said)


def _unseal(position: Position, side: Side, said: Any) -> dict[str, Any]:
    return {
        card: cards_in(position, side, taken) if card == DISCARD else taken for card, taken in said
    }


def _never_taken(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    """Faults of answers to what never happens to this side."""
    for card in policy["forced"]:
        here = (*path, card)
        if card != DISCARD:
            if TAKES_OF[card] != side:
                yield Violation(f"{card} takes none of your units", here, is_key=True)
        elif not _loses_cards(position, side):
            hint = "with that option guerrillas cost the Nationalists a card"
            yield Violation(
                "nothing in this game makes you discard a card", here, "18.1.9", hint, is_key=True
            )


def _loses_cards(position: Position, side: Side) -> bool:
    return side == NATIONALIST and position.option("18.1.9")


def _line(position: Position, side: Side) -> Example | None:
    told = f"{{discard: {LOWEST}}}", "the card you lose to guerrillas"
    return told if _loses_cards(position, side) else None


def _takes_nothing(card: str) -> Violation:
    known = (*TAKES_OF, DISCARD)
    hint = meant(card, known, ", ".join(known))
    return Violation(f"{card!r} takes no unit of your choice", hint=hint, is_key=True)


def _takes(discard: Shape, **more: Any) -> Fields:
    fields: Mapping[str, Shape] = {**dict.fromkeys(TAKES_OF, RANKING), DISCARD: discard}
    text, hint = "forced lists cards and what they take", "{N31: [reduced]}"
    return Fields(fields, text, hint, **more)


FORCED: Clause = Clause(
    _takes(OrWord((LOWEST,), Many(IN_HAND, once=True)), unknown=_takes_nothing, behind=RANKING),
    {"forced": Answer(_taken), "lost_card": Answer(_lost_card, _lost_slot)},
    sealed=Pairs(
        _takes(SLOTS, unknown=lambda card: Violation(f"{card[:40]!r} takes nothing")), "forced"
    ),
    seal=_seal,
    unseal=_unseal,
    vain=_never_taken,
    example=_line,
)
