"""Standing orders for chits: which are played in which window, and which go back into the cup.

Some chits lie face down in their author's hand. A document names chits as a player does, and also
the slots of the hand that hold them. Before an answer that plays chits is given, the slots it would
use are opened, if the hand is as the document says. Then what was opened decides, so a false claim
gains nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies import HELD
from pbem.engine.policies.rows import Answer, AnswerTo, Clause, Document, first_legal, unless
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
        told = say("{written} is not in your hand", written=written)
        yield Violation(told, rule="6.1", hint=chits.you_hold(position, side))


def at_hand(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The same for chits named by slot; a chit that lies open may still be drawn."""
    if position.is_hidden:
        yield from in_hand(position, side, written)


def claims(position: Position, side: Side, policy: Document) -> Iterator[tuple[str, str]]:
    """The slots that hold the chits a policy names: for each kind one that is not yet known."""
    hand = position.hands[side]
    known = {position.kind_of(each) for each in hand if each in position.board.chits}
    for kind in {kind_meant(position, said) for said in _names(policy)} - known:
        there = ((slot, chit) for slot in hand if (chit := position.chit_in(slot)))
        yield from [each for each in there if position.kind_of(each[1]) == kind][:1]


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
        claims, known = policy.get(HELD, ()), position.board.chits
        lies = {position.down.present(slot): chit for slot, chit in claims if chit in known}
        supposed = position.but(down=position.down.supposing(lies))
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
        if isinstance(written, str) and written in _known(position, ENEMY[side]):
            enemy = say(ENEMY[side].capitalize())
            told = say("{written} is a {enemy} chit", written=written, enemy=enemy)
            yield Violation(told, hint=chits.you_hold(position, side))
        else:
            yield from own.judge(position, side, written)

    told, hint = (
        marked("none of your chits is named {name}"),
        say("write a chit by its number, such as CN10"),
    )
    own = one_of(_known, told, hint, names="chit", never=never)
    return replace(own, judge=judge)


SERVED = frozenset[str]().union(
    chits.SPARE, chits.COUNTER, chits.AGAIN, chits.OF_POINT, chits.OF_DEFENCE, chits.OF_FIRE
)
"""The kinds that may be played in a window for which policies have clauses."""


def _answers_nothing(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The fault of naming a chit that is played elsewhere, and where."""
    kind = position.board.kinds[_known(position, side)[written]]
    if kind.is_impulse:
        told = say("{kind} is a whole impulse", kind=kind.title)
        yield Violation(told, rule="6.5", hint=say("write play: {chit: ...} among your impulses"))
    elif kind.id in chits.REROLL:
        told = say("{kind} rolls dice again", kind=kind.title)
        yield Violation(told, rule="15.CN10", hint=say("write reroll: always, or with a when"))
    elif kind.id not in SERVED:
        told = say("{kind} goes with one of your impulses", kind=kind.title)
        yield Violation(told, rule="6.6", hint=say("write chits: [...] in that order"))
    else:
        yield from at_hand(position, side, written)


def _rolls_nothing(position: Position, side: Side, written: str) -> Iterator[Violation]:
    """The fault of naming a chit that is played elsewhere."""
    kind = position.board.kinds[_known(position, side)[written]]
    if kind.id in chits.REROLL:
        yield from at_hand(position, side, written)
    else:
        told = say("{kind} rolls no dice again", kind=kind.title)
        yield Violation(told, rule="15.CN10", hint=say("write it in chits"))


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


WithChits = Callable[[tuple[str, ...]], Order]
"""An order by the chits that are played with it."""


def with_chits(window: chits.Window, order: Callable[[Any, Any, Document], WithChits]) -> Answer:
    """The answer with as many of the named chits of a window as may be played together; `order`
    tells, by the policy, what the order is with some of them.
    """

    def said(position: Position, stage: Any, policy: Document) -> Order:
        with_them, found = order(position, stage, policy), tuple[str, ...]()
        for chit in _wanted(position, stage, policy, window):
            if first_legal(stage, position, (with_them((*found, chit)),)):
                found = (*found, chit)
        return with_them(found)

    return with_hand(said)


def _one(verb: type[Any], window: chits.Window) -> Answer:
    """The answer to a question whether to play one chit."""

    def said(position: Position, stage: Any, policy: Document) -> Order:
        return verb(next(iter(_wanted(position, stage, policy, window)), ""))

    return with_hand(said)


def _engineers(position: Position, stage: Any, policy: Document) -> Order:
    """Engineers against what gains most: the lower defence, or a Fortification of the units."""
    chit = next(iter(_wanted(position, stage, policy, chits.COUNTER)), "")
    return Counter(chit, stage.gains_most(position)) if chit else Counter()


A_CHIT = Fields(
    {"chit": _chit(_answers_nothing), "when": WHEN},
    say("a chit is written with its field"),
    say("{chit: CR4, when: {urban: true}}"),
    ("chit",),
)
CHITS: Clause = Clause(
    Many(A_CHIT, once=True),
    answers={
        "spare": _one(Spare, chits.SPARE),
        "counter": with_hand(_engineers),
        "again": _one(Again, chits.AGAIN),
        "brace": with_chits(chits.OF_POINT, lambda *_: Brace),
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


A_REROLL = Fields(
    {"chit": _chit(_rolls_nothing), "when": WHEN_ROLLED},
    say("reroll must be always, never, or a when"),
    say("{when: {own_losses: 3+}}"),
    ("when", "chit"),
)
REROLLS = unless(
    lambda position, side: side == NATIONALIST, say("none of your chits rerolls dice"), "15.CN10"
)
REROLL: Clause = Clause(
    OrWord(("always", "never"), A_REROLL),
    answers={"reroll": with_hand(_rerolling)},
    vain=_rolls_by_a_chit,
    unasked=REROLLS,
    example=("never", say("or {when: {own_losses: 3+}}")),
)

# --- after the turn ----------------------------------------------------------------------------


def _putting_back(position: Position, stage: PuttingBack, said: Any) -> Order:
    held = position.hands[stage.side]
    return PutBack(tuple(each for each in held if said == "all" or each in listed(said)))


def _as_they_lie(position: Position, side: Side, said: Any) -> Any:
    """Names face-down chits by their slots."""

    def is_said(slot: str) -> bool:
        chit = position.chit_in(slot)
        return chit != "" and not {chit, position.kind_of(chit)}.isdisjoint(listed(said))

    return said if said in ("all", "none") else list(filter(is_said, position.hands[side]))


def _by_chit(position: Position, side: Side, said: Any) -> Any:
    """Names them by what they are, as far as this is known."""
    return said if isinstance(said, str) else [position.chit_in(each) or each for each in said]


PUT_BACK: Clause = Clause(
    OrWord(("all", "none"), Many(_chit(in_hand), once=True)),
    _putting_back,
    sealed=OrWord(("all", "none"), Many(SLOT)),
    seal=_as_they_lie,
    unseal=_by_chit,
)
