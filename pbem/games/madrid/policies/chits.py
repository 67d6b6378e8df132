"""Standing orders for chits: which are played in which window, and which go back into the cup."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from pbem.engine.model import Order, PlayerStage, Side, Violation
from pbem.engine.policy_rows import Answer, Clause, Document, Written, unless
from pbem.engine.policy_table import first_legal
from pbem.engine.shapes import NAME, SLOT, Fields, Judged, Many, OrWord, Path, listed, meant
from pbem.games.madrid.orders import Again, Brace, Counter, PutBack, Reroll, Spare
from pbem.games.madrid.policies.facts import FACTS, WHEN, WHEN_ROLLED
from pbem.games.madrid.policies.hand import at_hand, in_hand, kind_meant, with_hand
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules import chits
from pbem.games.madrid.tables import NATIONALIST

if TYPE_CHECKING:
    from pbem.games.madrid.stages.rerolls import Rerolling
    from pbem.games.madrid.stages.turn import PuttingBack


def _known(position: Position, side: Side) -> dict[str, str]:
    """The chits and kinds of chits of a side, each with its kind."""
    kinds = {chit: kind for chit, kind in position.board.chits.items()
             if position.board.kinds[kind].side == side}  # fmt: skip
    return {**kinds, **{kind: kind for kind in kinds.values()}}


def _chit(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    known = _known(position, side)
    if not isinstance(written, str) or written not in known:
        hint = meant(written, known, "write a chit by its number, such as CN10")
        yield Violation(f"none of your chits is named {written!r}", path, hint=hint)


SERVED = frozenset[str]().union(
    chits.SPARE, chits.COUNTER, chits.AGAIN, chits.OF_POINT, chits.OF_DEFENCE, chits.OF_FIRE
)
"""The kinds that may be played in a window for which policies have clauses."""


def _answers_nothing(
    position: Position, side: Side, written: Any, path: Path
) -> Iterator[Violation]:
    """The fault of naming a chit that is played elsewhere, and where."""
    kind = position.board.kinds[_known(position, side)[written]]
    if kind.is_impulse:
        hint = "write play: {chit: ...} among your impulses"
        yield Violation(f"{kind.title} is a whole impulse", path, "6.5", hint)
    elif kind.id in chits.REROLL:
        hint = "write reroll: always, or with a when"
        yield Violation(f"{kind.title} rolls dice again", path, "15.CN10", hint)
    elif kind.id not in SERVED:
        hint = "write chits: [...] in that order"
        yield Violation(f"{kind.title} goes with one of your impulses", path, "6.6", hint)
    else:
        yield from at_hand(position, side, written, path)


def _rolls_nothing(position: Position, side: Side, written: Any, path: Path) -> Iterator[Violation]:
    """The fault of naming a chit that is played elsewhere."""
    kind = position.board.kinds[_known(position, side)[written]]
    if kind.id not in chits.REROLL:
        yield Violation(f"{kind.title} rolls no dice again", path, "15.CN10", "write it in chits")
    else:
        yield from at_hand(position, side, written, path)


HELD = Judged(_chit, NAME, "chit", never=in_hand)
ROLLED = Judged(_chit, NAME, "chit", never=_rolls_nothing)
PLAYED = Judged(_chit, NAME, "chit", never=_answers_nothing)


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


def _bracing(position: Position, stage: Any, policy: Document) -> Order:
    return with_chits(position, stage, policy, chits.OF_POINT, Brace)


CHITS: Clause = Clause(
    Many(
        Fields({"chit": PLAYED, "when": WHEN}, "a clause names a chit",
               "{chit: CR4, when: {urban: true}}", ("chit",)),
        once=True, needed=False,
    ),
    {
        "spare": _one(Spare, chits.SPARE),
        "counter": _one(Counter, chits.COUNTER),
        "again": _one(Again, chits.AGAIN),
        "brace": with_hand(_bracing),
    },
    example=("[]", "chits that answer the enemy: [{chit: CR4, when: {urban: true}}]"),
)  # fmt: skip


def _rerolling(position: Position, stage: Rerolling, policy: Document) -> Order:
    """Rolls the dice again if the clause holds."""
    held = chits.playable(position, stage.side, chits.REROLL)
    wanted = FACTS.allows(position, stage, policy.get("reroll", "never"))
    return Reroll(held[0] if held and wanted else "")


def _rolls_by_a_chit(
    position: Position, side: Side, policy: Written, path: Path
) -> Iterator[Violation]:
    """Re-rolling takes a chit, whether or not the policy names it."""
    said = policy["reroll"]
    if said != "never" and "chit" not in said:
        yield from at_hand(position, side, min(chits.REROLL), path)


REROLL: Clause = Clause(
    OrWord(
        ("always", "never"),
        Fields(
            {"chit": ROLLED, "when": WHEN_ROLLED}, "reroll must be always, never, or a when",
            "{when: {own_losses: 3+}}", ("when", "chit"),
        ),
    ),
    {"reroll": with_hand(_rerolling)},
    vain=_rolls_by_a_chit,
    unasked=unless(
        lambda position, side: side == NATIONALIST, "none of your chits rerolls dice", "15.CN10"
    ),
    example=("never", "or {when: {own_losses: 3+}}"),
)  # fmt: skip

# --- after the turn ----------------------------------------------------------------------------


def _putting_back(position: Position, stage: PuttingBack, policy: Document) -> Order:
    said, held = policy.get("put_back", "none"), position.hands[stage.side]
    if isinstance(said, str):
        return PutBack(held if said == "all" else ())
    return PutBack(tuple(each for each in held if each in said))


def _as_they_lie(position: Position, side: Side, policy: Written) -> Any:
    """Names face-down chits by their slots."""
    said = policy["put_back"]
    if said in ("all", "none"):
        return said
    there = {each: position.chit_in(each) for each in position.hands[side]}
    return [
        each
        for each, chit in there.items()
        if chit in listed(said) or (chit and position.kind_of(chit) in listed(said))
    ]


PUT_BACK: Clause = Clause(
    OrWord(("all", "none"), Many(HELD, once=True)),
    {"put_back": Answer(_putting_back)},
    sealed=OrWord(("all", "none"), Many(SLOT)),
    seal=_as_they_lie,
    unseal=lambda position, side, said: (
        said if isinstance(said, str) else [position.chit_in(each) or each for each in said]
    ),
)
