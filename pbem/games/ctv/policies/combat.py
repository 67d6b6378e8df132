"""Standing orders for attacks: support, losses, trades, retreats, advances, breakthroughs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from pbem.engine.conditions import clauses_of
from pbem.engine.model import Order, Side, Violation
from pbem.engine.policies.rows import Answer, Clause, Document, Written, first_legal
from pbem.engine.shapes import (
    ByKind,
    Each,
    Fields,
    Judged,
    Many,
    OrWord,
    Word,
    listed,
    one_of,
)
from pbem.games.ctv.orders import (
    NONE,
    Advance,
    Breakthrough,
    Losses,
    Retreat,
    Shoot,
    Support,
    Trade,
    UseColumns,
)
from pbem.games.ctv.policies.covered import with_covered
from pbem.games.ctv.policies.facts import (
    FACTS,
    HEX,
    HEXES,
    PLAIN_RANKING,
    RANKING,
    UNIT_WORD,
    WHEN,
    WHEN_ROLLED,
    about,
    in_order,
    named,
)
from pbem.games.ctv.position import Position
from pbem.games.ctv.rules import bombardment, combat
from pbem.games.ctv.tables import AIR, HEADQUARTERS, SPANISH
from pbem.messages import Said, marked, say

if TYPE_CHECKING:
    from pbem.games.ctv.stages.combat import (
        BreakingThrough,
        Choosing,
        Deciding,
        Entering,
        Retreating,
        ShotDownOf,
        Supporting,
        UsingColumns,
    )

ALL, NEAREST, ALWAYS, NEVER, AS_ADVANCE = "all", "nearest", "always", "never", "advance"


def _first(position: Position, stage: Any, written: Any) -> Mapping[str, Any] | None:
    """The first of some clauses that holds."""
    clauses = clauses_of(written)
    return next(iter(FACTS.holding(position, about(position, stage), clauses)), None)


# --- support ------------------------------------------------------------------------------------


def _of(position: Position, stage: Any, type: str) -> list[str]:
    """Those that can bombard in the attack: the nearest first, and air units that support Spanish
    troops alone before others.
    """
    battle = position.combat

    def rank(unit: str) -> tuple[int, int]:
        printed = position.printed(unit)
        if type == AIR:
            return int(printed.nation != SPANISH), 0
        return position.board.distance(position.at(unit), battle.hex), -printed.fire

    return sorted(bombardment.supporters(position, battle, stage.side, type), key=rank)


def _meant(able: Sequence[str], said: Any) -> tuple[str, ...]:
    """Those of some units that a field of the clause means."""
    if said in (None, NONE):
        return ()
    if said == ALL:
        return tuple(able)
    if said == NEAREST:
        return tuple(able[:1])
    if isinstance(said, int):
        return tuple(able[:said])
    return tuple(unit for unit in able if unit in listed(said))


def _supporting(position: Position, stage: Supporting, said: Any) -> Order:
    """Bombards with what the first clause that holds names, as far as it can."""
    clause = _first(position, stage, said) or {}
    air, guns = _of(position, stage, AIR), _of(position, stage, HEADQUARTERS)
    columns = NONE if clause.get("columns", NONE) in (NONE, 0) else "later"
    return Support(
        position.board.in_order(_meant(air, clause.get("air"))),
        position.board.in_order(_meant(guns, clause.get("hq"))),
        columns,
    )


def _using(position: Position, stage: UsingColumns, said: Any) -> Order:
    """Uses so many of the columns beside headquarters that fire."""
    clause = _first(position, stage, said) or {}
    number = clause.get("columns", NONE)
    usable = [*stage.usable(position)]
    chosen = usable[: number if isinstance(number, int) else 0]
    return UseColumns(dict.fromkeys(chosen, 1))


def _of_type(type: str, told: str) -> Judged:
    """A unit of the own side of a type; `told` is the message about another."""

    def known(position: Position, side: Side) -> list[str]:
        return [unit for unit in position.board.army[side]
                if position.board.units[unit].type == type]  # fmt: skip

    return one_of(known, told, names="unit")


def _number(most: int, hint: Said) -> Word:
    return Word(tuple(range(most + 1)), say("expected a number from 0 to {most}", most=most), hint)


MOST_AIR, MOST_COLUMNS = 9, 8
GUNS = ByKind(
    say("hq must be nearest, all, none, or a list of headquarters"), say("hq: nearest"),
    many=Many(_of_type(HEADQUARTERS, marked("none of your headquarters is named {name}")),
              once=True, needed=True),
    word=Word((NEAREST, ALL, NONE), say("expected nearest, all, none, or a list in brackets"),
              say("hq: nearest")),
)  # fmt: skip
PLANES = ByKind(
    say("air must be a number, all, none, or a list of air units"), say("air: 1"),
    many=Many(_of_type(AIR, marked("none of your air units is named {name}")),
              once=True, needed=True),
    word=Word((ALL, NONE), say("expected a number, all, none, or a list in brackets"),
              say("air: 1")),
    other=_number(MOST_AIR, say("air: 1")),
)  # fmt: skip


def _fires_nothing(position: Position, side: Side, written: Written) -> Iterator[Violation]:
    """The fault of columns without headquarters."""
    if written.get("columns", NONE) not in (NONE, 0) and written.get("hq", NONE) == NONE:
        told = say("supply columns are used beside headquarters that fire")
        hint = say("write hq: nearest as well")
        yield Violation(told, ("columns",), rule="9.3.1", hint=hint, is_key=True)


A_SUPPORT = Fields(
    {
        "hq": GUNS,
        "air": PLANES,
        "columns": OrWord((NONE,), _number(MOST_COLUMNS, say("columns: 1"))),
        "when": WHEN,
    },
    say("support needs hq or air"),
    say("{hq: nearest, air: 1, columns: none, when: {points: 3+}}"),
    ("hq", "air"),
    never=_fires_nothing,
)
SUPPORT_SHAPE = OrWord((NONE,), Many(A_SUPPORT, once=True, needed=True, never=FACTS.unreached))


def _by(part: str, answer: Callable[[Position, Any, Any], Order]) -> Answer:
    """The answer by what is said in a part, `none` where nothing is."""
    return with_covered(
        lambda position, stage, policy: answer(position, stage, policy.get(part, NONE))
    )


SUPPORT: Clause = Clause(
    SUPPORT_SHAPE,
    answers={"support": _by("support", _supporting), "columns": _by("support", _using)},
    example=(
        "{hq: nearest, air: 1, when: {points: '>=3'}}",
        say("what answers a bombardment; columns: 1 uses a supply column as well"),
    ),
)
BOMBARD: Clause = Clause(
    SUPPORT_SHAPE,
    answers={"own_support": _by("bombard", _supporting), "own_columns": _by("bombard", _using)},
)

# --- losses -------------------------------------------------------------------------------------


def _losing(position: Position, stage: Choosing, words: Sequence[str]) -> Order:
    return Losses(tuple(in_order(position, words, stage.able(position))))


def _shot_down(position: Position, stage: ShotDownOf, words: Sequence[str]) -> Order:
    return Shoot(tuple(in_order(position, words, stage.units)[: stage.number]))


LOSSES: Clause = Clause(
    RANKING,
    answers={
        "losses": Answer(lambda position, stage, policy: _losing(
            position, stage, policy.get("losses", ()))),
        "shot_down": Answer(lambda position, stage, policy: _shot_down(
            position, stage, policy.get("losses", ()))),
    },
    example=("[reduced, armour]", say("which units lose steps first; the others follow, the "
                                      "weakest first")),
)  # fmt: skip

# --- retreats -----------------------------------------------------------------------------------


def _wishes(policy: Document, hex: str) -> tuple[str, ...]:
    """Where the units of a hex go, best first."""
    return listed(dict(policy.get("retreat", ())).get(hex, ()))


def _trading(position: Position, stage: Deciding, policy: Document) -> Order | None:
    """Trades a step if a clause holds: into the first of its hexes that is open, or without such
    into the best way of retreat. Never where the stack would be destroyed for its number, or one of
    its units by the level that the retreat costs: that saves no step.
    """
    clause = _first(position, stage, policy.get("trade", NEVER))
    if clause is None:
        return Trade()
    hex = position.combat.hex
    units = position.units_at(hex)
    if combat.loses_by_retreat(position, units):
        return Trade()
    ways = combat.by_safety(position, units, combat.trade_ways(position, hex))
    safe = [to for to in ways if not combat.is_ruinous_way(position, units, to)]
    wished = listed(clause["to"]) if "to" in clause else (*_wishes(policy, hex), *safe)
    return first_legal(stage, position, (Trade(to) for to in wished if to in safe))


def _retreating(position: Position, stage: Retreating, policy: Document) -> Order:
    """Into the first hex of the list that is open, else the best way."""
    ways = combat.by_safety(position, stage.units, combat.retreats(position, stage.hex))
    wished = [to for to in _wishes(policy, stage.hex) if to in ways]
    return Retreat((*wished, *ways)[0])


A_TRADE = Fields(
    {"when": WHEN_ROLLED, "to": HEXES},
    say("trade must be never, always, or name when, to, or both"),
    say("{when: {own_losses: 2+}, to: [1909, 1810]}"),
    ("when", "to"),
)
TRADE: Clause = Clause(
    OrWord((NEVER, ALWAYS), Many(A_TRADE, once=True, needed=True, never=FACTS.unreached)),
    answers={"trade": Answer(_trading)},
    example=("never", say("a step for a retreat: or {when: {own_losses: 2+}}")),
)


def _never_next(position: Position, side: Side, written: Any) -> Iterator[Violation]:
    """The faults of ways that are no steps: a stack retreats one hex."""
    for hex, said in written:
        near = position.board.graph.neighbours(hex)
        for at, to in enumerate(listed(said)):
            if to not in near:
                told = say("{to} is not next to {hex}: a stack retreats one hex", to=to, hex=hex)
                hint = say("next to it are {near}", near=tuple(near))
                yield Violation(told, (hex, at), rule="10.5.1", hint=hint)


RETREAT: Clause = Clause(
    Each(HEX, HEXES, say("retreat lists hexes, and where the units of each go"),
         say("{2009: [1908, 1909]}")),
    answers={"retreat": Answer(_retreating)},
    vain=lambda position, side, policy: _never_next(position, side, policy["retreat"]),
    example=("{2009: [1908, 1909]}", say("for each hex where its units go, best first")),
)  # fmt: skip

# --- what follows one's own attack --------------------------------------------------------------


def _words(position: Position, stage: Any, said: Any) -> Any:
    """What says who advances: all, none, or a list."""
    if not isinstance(said, Mapping):
        return said
    clause = _first(position, stage, said)
    return NONE if clause is None else clause.get("units", ALL)


def _chosen(position: Position, stage: Any, said: Any) -> list[str]:
    """The attackers that are to advance, in order."""
    left, words = stage.left(position), _words(position, stage, said)
    if isinstance(words, str):
        return [] if words == NONE else list(left)
    return named(position, words, left)


def _advancing(position: Position, stage: Entering, said: Any) -> Advance:
    """Advances with as many of those that are named as may go, in their order."""
    return stage.as_many(position, _chosen(position, stage, said))


def not_advanced(position: Position, stage: Entering, policy: Document) -> Iterator[Said]:
    """What keeps units out that are named; `all` are as many as may go."""
    said = policy.get("advance", NONE)
    if _words(position, stage, said) != ALL:
        way, units = (position.combat.hex,), _chosen(position, stage, said)
        gone = dict.fromkeys(stage.as_many(position, units).units, way)
        yield from _cut(position, stage, dict.fromkeys(units, way), gone)


def _cut(
    position: Position, stage: Any, ways: Mapping[str, Sequence[str]],
    gone: Mapping[str, Sequence[str]],
) -> Iterator[Said]:  # fmt: skip
    from pbem.games.ctv.narration import cuts_told  # for the log alone

    return cuts_told(position, combat.cut_short(position, stage.side, ways, gone), gone)


def _ways(position: Position, stage: BreakingThrough, policy: Document) -> Iterator[Any]:
    """Each attacker with the hexes of its way."""
    said = policy.get("breakthrough", AS_ADVANCE)
    hex = position.combat.hex
    if said == AS_ADVANCE:
        units = _chosen(position, stage, policy.get("advance", ALL))
        yield from ((unit, (hex,)) for unit in units)
    elif not isinstance(said, str):
        left = list(stage.left(position))
        for word, path in said:
            for unit in named(position, (word,), left):
                left.remove(unit)
                yield unit, listed(path)


def _breaking(position: Position, stage: BreakingThrough, policy: Document) -> Breakthrough:
    """Each unit goes as far along its way as it may, given where those before it have gone."""
    return stage.as_far(position, _ways(position, stage, policy))


def not_gone(position: Position, stage: BreakingThrough, policy: Document) -> Iterator[Said]:
    """What cuts the ways short that are written for this hex; `all` are as many as may go."""
    is_advance = policy.get("breakthrough", AS_ADVANCE) == AS_ADVANCE
    if is_advance and _words(position, stage, policy.get("advance", ALL)) == ALL:
        return
    hex = position.combat.hex
    ways = {unit: path for unit, path in _ways(position, stage, policy) if path[0] == hex}
    yield from _cut(position, stage, ways, stage.as_far(position, ways.items()).paths)


AN_ADVANCE = Fields(
    {"when": WHEN_ROLLED, "units": OrWord((ALL,), PLAIN_RANKING)},
    say("name when, units, or both"),
    say("{when: {hex: 2010}, units: [N-LIT-1]}"),
    ("when", "units"),
)
ADVANCE: Clause = Clause(
    ByKind(
        say("advance must be all, none, or a list of units"), say("advance: all"),
        mapping=AN_ADVANCE, many=PLAIN_RANKING,
        word=Word((ALL, NONE), say("expected all, none, or a list of units in brackets"),
                  say("advance: all")),
    ),
    answers={"advance": Answer(lambda position, stage, policy: _advancing(
        position, stage, policy.get("advance", NONE)), left_out=not_advanced)},
)  # fmt: skip


def _too_far(position: Position, side: Side, written: Any) -> Iterator[Violation]:
    for word, path in written if not isinstance(written, str) else ():
        steps = listed(path)
        most: int = position.board.combat["breakthrough"]
        if len(steps) > most:
            told = say("a breakthrough goes at most {number} hexes", number=most)
            yield Violation(told, (word, most), rule="10.4.1", hint=say("end it sooner"))
        for at, (here, there) in enumerate(pairwise(steps)):
            near = position.board.graph.neighbours(here)
            if there not in near:
                told = say("{there} is not next to {here}", there=there, here=here)
                hint = say("next to it are {near}", near=tuple(near))
                yield Violation(told, (word, at + 1), rule="10.4.1", hint=hint)


BREAKTHROUGH: Clause = Clause(
    OrWord(
        (AS_ADVANCE, NONE),
        Each(UNIT_WORD, HEXES, say("breakthrough lists units, and the hexes of each way"),
             say("{N-LIT-1: [2010, 1909]}"), in_turn=True),
    ),
    answers={"breakthrough": Answer(_breaking, left_out=not_gone)},
    vain=lambda position, side, policy: _too_far(position, side, policy["breakthrough"]),
)  # fmt: skip
