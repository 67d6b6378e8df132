"""What a stage of a game is made of, in one place: `from pbem.engine import staging as s`.

A stage asks a player (`PlayerStage`: a `Decision` with its options and choices), waits for chance
(`ChanceStage`: a `Chance` with its draws) or goes on by itself (`AutoStage`), and ends in an
`Outcome`. Its checks are rows of predicates.
"""

from __future__ import annotations

from pbem.engine.choices import (
    Amount,
    Choice,
    Example,
    Examples,
    Later,
    OneOf,
    Some,
    SomeOf,
    every,
    listed,
    noted,
)
from pbem.engine.dice import Draw, Roll
from pbem.engine.model import (
    AutoStage,
    Chance,
    ChanceStage,
    Decision,
    Event,
    IfRolled,
    ListWanted,
    Option,
    Order,
    Outcome,
    PlayerStage,
    Side,
    Stage,
    State,
    Unfolding,
    Violation,
)
from pbem.engine.rules import Predicate, by_verb, checks, predicates_of

__all__ = [
    "Amount", "AutoStage", "Chance", "ChanceStage", "Choice", "Decision", "Draw", "Event",
    "Example", "Examples", "IfRolled", "Later", "ListWanted", "OneOf", "Option", "Order",
    "Outcome", "PlayerStage", "Predicate", "Roll", "Side", "Some", "SomeOf", "Stage", "State",
    "Unfolding", "Violation", "by_verb", "checks", "every", "listed", "noted", "predicates_of",
]  # fmt: skip
