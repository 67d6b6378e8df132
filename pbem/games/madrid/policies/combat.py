"""Standing orders for combat: losses, retreats, point units, counter-attacks, fire over a river."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING

from pbem.engine.conditions import clauses_of
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, Written, first_legal
from pbem.engine.shapes import Each, Fields, Many, OrWord, Word, listed
from pbem.games.madrid.options import FORCED_FIRE
from pbem.games.madrid.orders import GROUPS, Defend, Fire, Hold, Keep, Lead, Name, Pick, Retreat
from pbem.games.madrid.policies import facts
from pbem.games.madrid.policies.chits import WithChits, with_chits
from pbem.games.madrid.policies.facts import FACTS, RANKING, WHEN, in_order
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits, combat
from pbem.games.madrid.rules.losses import as_order, by_list, largest
from pbem.games.madrid.rules.retreat import allocate
from pbem.messages import either, say

if TYPE_CHECKING:
    from pbem.games.madrid.stages.bombard import Naming
    from pbem.games.madrid.stages.combat import Defending
    from pbem.games.madrid.stages.fire import Firing
    from pbem.games.madrid.stages.losses import Losing, Retreating

# --- losses and retreats ------------------------------------------------------------------------


def _wishes(policy: Document) -> Mapping[str, Sequence[str]]:
    """For each area, where its units go, best first."""
    return {area: listed(places) for area, places in policy.get("retreat", ())}


def _losing(position: Position, stage: Losing, policy: Document) -> Order:
    """Losses by the list, as far as the rule of the point unit allows."""
    words = stage.first or policy.get("losses", ())
    share = by_list if words else largest
    taken = share(position, in_order(position, words, stage.units), stage.point, stage.points)
    return as_order(position, stage.side, taken, stage.back, _wishes(policy))


def _retreating(position: Position, stage: Retreating, policy: Document) -> Order:
    """Retreats to the first place of the list within the best open class."""
    return Retreat(allocate(position, stage.side, stage.units, wishes=_wishes(policy)))


LOSSES: Clause = Clause(
    RANKING,
    answers={"losses": Answer(_losing)},
    example=(
        "[spent, line]",
        say("which units take losses first, as far as the point unit allows"),
    ),
)
RETREAT: Clause = Clause(
    Each(
        facts.AREA,
        Many(facts.PLACE, once=True, needed=True),
        say("retreat lists areas, and where units go from each"),
        "{C: [D, 6]}",
    ),
    answers={"retreat": Answer(_retreating)},
    example=("{C: [D, 6]}", say("for each area where units go, best first")),
)

# --- point units --------------------------------------------------------------------------------


def _best(position: Position, policy: Document, units: Sequence[str]) -> str:
    return in_order(position, policy.get("point", ()), units)[0]


def _naming(position: Position, stage: Naming, policy: Document) -> WithChits:
    """Names the point unit by the list, or the unit that defends best."""
    there = position.units_at(stage.shelling.area, stage.side)
    by_defence = sorted(there, key=lambda unit: -position.face(unit).defence)
    return partial(Name, _best(position, policy, by_defence))


POINT: Clause = Clause(
    RANKING,
    answers={"name": with_chits(chits.OF_POINT, _naming)},
    example=("[line]", say("your point unit when you may name it; the first of its class")),
)
NEW_POINT: Clause = Clause(
    OrWord(("stop",), RANKING),
    lambda position, stage, words: (
        Lead() if words == "stop" else Lead(in_order(position, words, stage.units)[0])
    ),
    example=("stop", say("or who leads your assault when its point unit is hit")),
)
"""Names the first unit of the list that is left. `stop`, or no answer, ends the assault."""

# --- answers to the enemy -----------------------------------------------------------------------


def _defending(position: Position, stage: Defending, policy: Document) -> WithChits:
    """The counter-attack of the first clause that holds: all units it names that can."""
    may = combat.may_counterattack(position, stage.fight)
    clauses = clauses_of(policy.get("counterattack", "never"))
    words = [clause["with"] for clause in FACTS.holding(position, stage, clauses)]
    counter = tuple(facts.named(position, words[0], may)) if words else ()
    point = _best(position, policy, combat.may_lead(position, stage.fight, counter))
    return partial(Defend, counter, point)


def _firing(position: Position, stage: Firing, policy: Document) -> WithChits:
    """Fires unless the policy says never, or not now, and fire may be declined."""
    allows = FACTS.allows(position, stage, policy.get("fire", "always"))
    held = None if allows else first_legal(stage, position, (Hold(),))
    return (lambda chits: held) if held else Fire


def _never_held(position: Position, side: Side, policy: Written) -> Iterator[Violation]:
    """A policy that holds fire where fire is forced."""
    if FORCED_FIRE in position.options and policy["fire"] != "always":
        told = say("fire cannot be declined in this game")
        yield Violation(told, rule="9.5.b", hint=say("leave it out"))


A_COUNTERATTACK = Fields(
    {"when": WHEN, "with": RANKING},
    say("name the units that counter-attack after with:"),
    say("{when: {urban: true}, with: [shock]}"),
    ("with",),
)
COUNTERATTACK: Clause = Clause(
    OrWord(("never",), Many(A_COUNTERATTACK, once=True, needed=True, never=FACTS.unreached)),
    answers={"defend": with_chits(chits.OF_DEFENCE, _defending)},
    example=("never", say("or {when: {urban: true, fresh: 4+}, with: [shock, line]}")),
)
AT_WILL = ("always", say('over a river; or never, or {when: {fresh: ">=3"}}'))
FIRE_WHEN = Fields(
    {"when": WHEN},
    say("fire must be always, never, or a when"),
    say("{when: {fresh: 4+}}"),
    ("when",),
)
FIRE: Clause = Clause(
    OrWord(("always", "never"), FIRE_WHEN),
    answers={"fire": with_chits(chits.OF_FIRE, _firing)},
    vain=_never_held,
    example=lambda position, side: None if FORCED_FIRE in position.options else AT_WILL,
)

# --- what chits leave to choose -----------------------------------------------------------------

PICK: Clause = Clause(
    facts.RANKING_OF_BOTH,
    lambda position, stage, words: Pick(
        tuple(in_order(position, words, stage.units)[: stage.count])
    ),
    example=("[shock]", say("which units a chit turns, in order, as many as the die shows")),
)
STRIFE: Clause = Clause(
    Word(GROUPS, say("expected one of the two groups"), either(GROUPS)),
    lambda position, stage, group: Keep(group),
)
