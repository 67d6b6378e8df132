"""Standing orders for chits: which are played in which window, and which go back into the cup.

Some chits lie face down in their author's hand. A document names chits as a player does, and also
the slots of the hand that hold them. Before an answer that plays chits is given, the slots it would
use are opened, if the hand is as the document says. Then what was opened decides, so a false claim
gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, PlayerStage, Side, Violation
from pbem.engine.policies import HELD
from pbem.engine.policy_rows import Answer, AnswerTo, Clause, Document, first_legal, unless
from pbem.engine.shapes import SLOT, Fields, Judge, Many, OrWord, Shape, listed, one_of
from pbem.games.madrid.hidden import chits_named
from pbem.games.madrid.orders import Again, Brace, Counter, PutBack, Reroll, Spare
from pbem.games.madrid.policies.facts import FACTS, WHEN, WHEN_ROLLED
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.tables import ENEMY, NATIONALIST
from pbem.messages import marked, say
from pbem.value import replace

if TYPE_CHECKING:
    from pbem.games.madrid.stages.rerolls import Rerolling
    from pbem.games.madrid.stages.turn import PuttingBack

# --- chits of a hand ----------------------------------------------------------------------------


def kind_meant(position: Position, said: str) -> str:
    """The kind of the chit that a policy names: copies of a kind are alike."""
    return position.board.chits.get(said, said)


def in_hand(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The fault of naming a chit that the author does not hold."""
    kind = kind_meant(position, written)
    if not any(position.kind_of(chit) == kind for chit in position.held(side)):
        hint = say("you hold {hand_told}", hand_told=chits.hand_told(position, side))
        yield Violation(
            say("{written} is not in your hand", written=written), rule="6.1", hint=hint
        )


def at_hand(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The same for chits named by slot; a chit that lies open may still be drawn."""
    if position.is_hidden:
        yield from in_hand(position, side, written)


def claims(position: Position, side: Side, policy: Document) -> Iterator[tuple[str, str]]:
    """The slots that hold the chits a policy names: for each kind one that is not yet known."""
    hand = position.hands[side]
    known = {position.kind_of(each) for each in hand if each in position.board.chits}
    for kind in {kind_meant(position, said) for said in _names(policy)} - known:
        there = (each for each in hand if (chit := position.chit_in(each))
                 and position.kind_of(chit) == kind)  # fmt: skip
        yield from ((slot, position.chit_in(slot)) for slot in list(there)[:1])


def _names(policy: Document) -> Iterator[str]:
    """Every chit that a policy may play."""
    yield from (clause["chit"] for clause in listed(policy.get("chits", ())))
    if policy.get("reroll", "never") != "never":
        yield from chits.REROLL
    lines = [line for line in policy.get("impulses", ()) if not isinstance(line, str)]
    for said in (said for line in lines for said in line.values()):
        yield from filter(None, (said.get("chit"), *said.get("chits", ())))


def with_hand(order: AnswerTo, *, or_asks: bool = False) -> Answer:
    """Wraps an answer that may play chits."""

    def shows(position: Position, stage: Any, policy: Document) -> Iterator[str]:
        lies = {
            position.followed(slot): chit
            for slot, chit in policy.get(HELD, ())
            if chit in position.board.chits
        }
        supposed = position.but(secret=lies)
        found = order(supposed, stage, policy)
        for chit in chits_named(found) if found else ():
            yield supposed.where(stage.side, chit)

    return Answer(order, shows, or_asks)


# --- what names a chit --------------------------------------------------------------------------


def _known(position: Position, side: Side) -> dict[str, str]:
    """The chits and kinds of chits of a side, each with its kind."""
    kinds = {chit: kind for chit, kind in position.board.chits.items()
             if position.board.kinds[kind].side == side}  # fmt: skip
    return {**kinds, **{kind: kind for kind in kinds.values()}}


def _chit(never: Judge) -> Shape:
    """A chit or a kind of chit of the own side; `never` says what of it does nothing."""

    def judge(position: Position, side: Side, written: Any) -> Iterator[Violation]:
        theirs = _known(position, ENEMY[side])
        if isinstance(written, str) and written in theirs:
            told = say(
                "{written} is a {enemy} chit",
                written=written,
                enemy=say(ENEMY[side].capitalize()),
            )
            yield Violation(
                told, hint=say("you hold {hand_told}", hand_told=chits.hand_told(position, side))
            )
        else:
            yield from own.judge(position, side, written)

    own = one_of(
        _known,
        marked("none of your chits is named {name}"),
        say("write a chit by its number, such as CN10"),
        names="chit",
        never=never,
    )
    return replace(own, judge=judge)


SERVED = frozenset[str]().union(
    chits.SPARE, chits.COUNTER, chits.AGAIN, chits.OF_POINT, chits.OF_DEFENCE, chits.OF_FIRE
)
"""The kinds that may be played in a window for which policies have clauses."""


def _answers_nothing(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The fault of naming a chit that is played elsewhere, and where."""
    kind = position.board.kinds[_known(position, side)[written]]
    if kind.is_impulse:
        hint = say("write play: {chit: ...} among your impulses")
        yield Violation(say("{kind} is a whole impulse", kind=kind.title), rule="6.5", hint=hint)
    elif kind.id in chits.REROLL:
        hint = say("write reroll: always, or with a when")
        yield Violation(say("{kind} rolls dice again", kind=kind.title), rule="15.CN10", hint=hint)
    elif kind.id not in SERVED:
        hint = say("write chits: [...] in that order")
        yield Violation(
            say("{kind} goes with one of your impulses", kind=kind.title), rule="6.6", hint=hint
        )
    else:
        yield from at_hand(position, side, written)


def _rolls_nothing(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The fault of naming a chit that is played elsewhere."""
    kind = position.board.kinds[_known(position, side)[written]]
    if kind.id in chits.REROLL:
        yield from at_hand(position, side, written)
    else:
        told, hint = say("{kind} rolls no dice again", kind=kind.title), say("write it in chits")
        yield Violation(told, rule="15.CN10", hint=hint)


# --- chits that answer --------------------------------------------------------------------------


def _wanted(position: Position, stage: Any, policy: Document, window: chits.Window) -> list[str]:
    """The chits named by clauses that hold and playable in this window, each once."""
    clauses = FACTS.holding(position, stage, listed(policy.get("chits", ())))
    said = {kind_meant(position, clause["chit"]) for clause in clauses}
    kinds: dict[str, str] = {}
    for chit in chits.playable(position, stage.side, window):
        if position.kind_of(chit) in said:
            kinds.setdefault(position.kind_of(chit), chit)
    return list(kinds.values())


def with_chits(
    position: Position, stage: PlayerStage[Position], policy: Document, window: chits.Window,
    order: Callable[[tuple[str, ...]], Order],
) -> Order:  # fmt: skip
    """The order with as many of the named chits as may be played together with it."""
    found: tuple[str, ...] = ()
    for chit in _wanted(position, stage, policy, window):
        if first_legal(stage, position, (order((*found, chit)),)):
            found = (*found, chit)
    return order(found)


def _one(verb: type[Any], window: chits.Window) -> Answer:
    """The answer to a question whether to play one chit."""

    def said(position: Position, stage: Any, policy: Document) -> Order:
        return verb(next(iter(_wanted(position, stage, policy, window)), ""))

    return with_hand(said)


CHITS: Clause = Clause(
    Many(
        Fields(
            {"chit": _chit(_answers_nothing), "when": WHEN},
            say("a chit is written with its field"),
            say("{chit: CR4, when: {urban: true}}"),
            ("chit",),
        ),
        once=True,
    ),
    answers={
        "spare": _one(Spare, chits.SPARE),
        "counter": _one(Counter, chits.COUNTER),
        "again": _one(Again, chits.AGAIN),
        "brace": with_hand(
            lambda position, stage, policy: with_chits(
                position, stage, policy, chits.OF_POINT, Brace
            )
        ),
    },
    example=("[]", say("chits that answer: [{chit: CR4, when: {urban: true}}]")),
)


def _rerolling(position: Position, stage: Rerolling, policy: Document) -> Order:
    """Rolls the dice again if the clause holds."""
    held = chits.playable(position, stage.side, chits.REROLL)
    wanted = FACTS.allows(position, stage, policy.get("reroll", "never"))
    return Reroll(held[0] if held and wanted else "")


def _rolls_by_a_chit(position: Position, side: Side, policy: Document) -> Iterator[Violation]:
    """Re-rolling takes a chit, whether or not the policy names it."""
    said = policy["reroll"]
    if said != "never" and "chit" not in said:
        yield from at_hand(position, side, min(chits.REROLL))


REROLL: Clause = Clause(
    OrWord(
        ("always", "never"),
        Fields(
            {"chit": _chit(_rolls_nothing), "when": WHEN_ROLLED},
            say("reroll must be always, never, or a when"),
            say("{when: {own_losses: 3+}}"),
            ("when", "chit"),
        ),
    ),
    answers={"reroll": with_hand(_rerolling)},
    vain=_rolls_by_a_chit,
    unasked=unless(
        lambda position, side: side == NATIONALIST,
        say("none of your chits rerolls dice"),
        "15.CN10",
    ),
    example=("never", say("or {when: {own_losses: 3+}}")),
)

# --- after the turn ----------------------------------------------------------------------------


def _putting_back(position: Position, stage: PuttingBack, said: Any) -> Order:
    held = position.hands[stage.side]
    if isinstance(said, str):
        return PutBack(held if said == "all" else ())
    return PutBack(tuple(each for each in held if each in said))


def _as_they_lie(position: Position, side: Side, said: Any) -> Any:
    """Names face-down chits by their slots."""
    if said in ("all", "none"):
        return said
    there = {each: position.chit_in(each) for each in position.hands[side]}
    return [
        each
        for each, chit in there.items()
        if chit in listed(said) or (chit and position.kind_of(chit) in listed(said))
    ]


PUT_BACK: Clause = Clause(
    OrWord(("all", "none"), Many(_chit(in_hand), once=True)),
    _putting_back,
    sealed=OrWord(("all", "none"), Many(SLOT)),
    seal=_as_they_lie,
    unseal=lambda position, side, said: (
        said if isinstance(said, str) else [position.chit_in(each) or each for each in said]
    ),
)
