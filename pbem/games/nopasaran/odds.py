"""The odds of an attack: its stages are carried out for every result of the dice, up to the result
of the combat table; no rule is computed here.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from pbem.engine import kernel
from pbem.engine.dice import Draw
from pbem.engine.model import ChanceStage, Decision, Event, Order, Side, Stage, State
from pbem.engine.odds import (
    Chances,
    Ending,
    Factor,
    Fallen,
    Falls,
    Leaf,
    LostWords,
    Odds,
    Salvo,
    Waged,
    branches,
    falls_of,
    percent,
    played_out,
)
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.citations import CITE
from pbem.games.nopasaran.narration import CAUSES
from pbem.games.nopasaran.orders import Attack
from pbem.games.nopasaran.position import LARGEST, MIDDLING, SMALLEST, Position
from pbem.games.nopasaran.rules import combat, cover, engineers, fate
from pbem.games.nopasaran.rules.naming import GROUND, called, place
from pbem.games.nopasaran.stages.combat import Clash, Defending, Leading, Withdrawing
from pbem.games.nopasaran.stages.losses import losing
from pbem.games.nopasaran.stages.rolling import FACES
from pbem.games.nopasaran.tables import ENEMY
from pbem.messages import Message, decimal, marked, marked_many, say, say_many
from pbem.value import value

SUPPOSED: Mapping[type[Stage[Position]], Factor] = {
    Withdrawing: Factor(say("the defenders do not retreat before the combat"), 0, "12.2"),
    Defending: Factor(say("all that can supports the defence"), 0, "12.4"),
    Leading: Factor(say("the most effective unit leads the defence"), 0, "12.5"),
}
"""The answer assumed to each question that the attack brings before its dice."""
RULES = {
    "terrain": "12.6.5", "works": "12.6.5", "hexside": "12.6.5", "concentric": "12.6.7",
    "armour": "12.6.2", "engineers": "12.3.3", "efficiency": "12.6.3", "surprise": "J.2",
}  # fmt: skip
"""The rule of each shift and of each change of the combat die."""
ATTACK, DEFENCE = say("attack"), say("defence")
NOTHING = say("no combat")
LOST = LostWords(
    marked("a troop point"), marked("a troop point or more"), marked("no troop points"),
    marked_many("{number} troop point", "{number} troop points"),
)  # fmt: skip


@value
class Known:
    """What the dice have brought: whose success it is, the troop points lost, and by how many hexes
    the defender must retreat.
    """

    winner: Side | None
    ours: int
    theirs: int
    retreat: int


class CombatOdds(Odds):
    """The capability."""

    attacks: frozenset[type[Order]] = frozenset({Attack})

    def of(self, state: State[Position], order: Order, *, briefly: bool = False) -> Chances:
        assert isinstance(order, Attack)
        side = _side(state, order)
        fight = _begun(*_guessed(state, order, side))
        reading = _PlayedOut(side)
        leaves = list(played_out(fight, None, reading))
        meets = _at_the_dice(fight, reading)
        return Chances(
            where=str(place(state.position, order.hex)),
            salvos=_salvos(meets, side),
            branches=branches(leaves, lambda known: _ending(known, side)),
            notes=()
            if briefly
            else (
                *_charges(state.position, order, side),
                *_strengths(meets),
                *_face_down(state, order, reading),
                _on_average(leaves),
            ),
            supposed=tuple(reading.supposed),
            lost=LOST,
        )

    def came(self, attack: Waged) -> Ending | None:
        order = attack.order
        assert isinstance(order, Attack)
        for event, after in attack.happenings:
            if isinstance(event, e.CombatRolled):
                return _ending(_known(after), _side(attack.state, order))
            if isinstance(event, e.CombatEnded):
                return None
        return None


ODDS: Odds = CombatOdds()


def _side(state: State[Position], order: Attack) -> Side:
    return state.position.side_of(next(unit for units in order.units.values() for unit in units))


def _begun(state: State[Position], order: Attack) -> State[Position]:
    """The attack alone, begun."""
    begun = kernel.resolved(state, order).state
    return State(begun.position, begun.agenda[len(state.agenda) :])


# --- counters face down -------------------------------------------------------------------------


@CITE.serves("2.6")
def _guessed(
    state: State[Position], order: Attack, side: Side, part: float = MIDDLING
) -> tuple[State[Position], Attack]:
    """The state with some unit in the place of each counter face down, as far as a side knows, and
    the attack by these names.
    """
    position = state.position
    if not position.down.hidden:
        return state, order
    guess = position.guessed(side, part)
    names = {name: other for hex, there in position.stacks.items()
             for name, other in zip(there, guess.stacks[hex], strict=True)}  # fmt: skip
    return State(guess, state.agenda, state.seq), cover.renamed(order, names)


def _face_down(state: State[Position], order: Attack, reading: _PlayedOut) -> Iterator[Factor]:
    """As whom the counters face down of the defenders are counted, and what they may come to."""
    position, side = state.position, reading.side
    tags = position.tags_at(order.hex)
    if not tags:
        return
    guess = position.guessed(side)
    units = [unit for tag, unit in zip(position.stacks[order.hex], guess.stacks[order.hex],
                                       strict=True) if tag in tags]  # fmt: skip
    yield Factor(
        say_many(
            "number", "{number} counter lies face down there, and is counted as {units}",
            "{number} counters lie face down there, and are counted as {units}",
            number=len(tags), units=tuple(called(guess, unit) for unit in units),
        ),
        0, "2.6",
    )  # fmt: skip
    least, most = sorted(
        _defence(_at_the_dice(_begun(*_guessed(state, order, side, part)), reading))
        for part in (SMALLEST, LARGEST)
    )
    if least != most:
        yield Factor(say("with the smallest and the largest that they may be the defence is "
                         "{least} and {most}", least=least, most=most), 0, "2.6")  # fmt: skip


def _defence(position: Position) -> int:
    fight = position.combat
    return combat.defence_strength(position, fight) if fight else 0


def _ending(known: Known, side: Side) -> Ending:
    return known.winner, ((side, known.ours), (ENEMY[side], known.theirs))


def _known(position: Position) -> Known:
    """What the result of a combat brings, as it has just been rolled."""
    fight = position.combat
    assert fight is not None
    result = position.board.results[fight.result]
    winner = {"attack": fight.side, "defence": ENEMY[fight.side]}.get(result.counts)

    def lost(points: int, *, is_attacker: bool) -> int:
        units = fate.takes_part(position, losing(position, is_attacker=is_attacker))
        return min(points, position.troops_of(units))

    return Known(
        winner, lost(result.attacker, is_attacker=True), lost(result.defender, is_attacker=False),
        result.retreat,
    )  # fmt: skip


# --- every fall of the dice ---------------------------------------------------------------------


class _PlayedOut:
    """An attack that is being played out."""

    def __init__(self, side: Side) -> None:
        self.side = side
        self.supposed: dict[Factor, None] = {}

    def falls(self, state: State[Position], known: None) -> Falls:
        return at_once(state)

    def answer(self, state: State[Position], asked: Decision) -> Order:
        """As without standing orders."""
        stage = state.agenda[-1]
        if type(stage) in SUPPOSED:
            self.supposed[SUPPOSED[type(stage)]] = None
        return asked.default

    def after(self, position: Position, step: kernel.Progress, known: None) -> Known | None:
        """What is known once the combat is decided."""
        for event, then in zip(step.events, step.positions, strict=True):
            if isinstance(event, e.CombatRolled):
                return _known(then)
        return None

    def ends(
        self, state: State[Position], known: Known | None
    ) -> Sequence[tuple[int, Known]] | None:
        """Ends with the result; nobody has won an attack that meets nobody, or is called off."""
        if known is not None:
            return [(1, known)]
        return None if state.agenda else [(1, Known(None, 0, 0, 0))]


def at_once(state: State[Position]) -> Falls:
    """The falls of the dice to be rolled now that make a difference."""
    stage, position = state.agenda[-1], state.position
    assert isinstance(stage, ChanceStage)
    draws = stage.chance(position).draws
    if isinstance(stage, Clash):
        return _results(stage, position, draws)
    return _by_events(stage, position, draws)


def _results(stage: Clash, position: Position, draws: Sequence[Draw]) -> Falls:
    """One fall for each result of the combat table."""
    found: dict[str, tuple[int, Mapping[str, int]]] = {}
    for faces in product(range(1, FACES + 1), repeat=len(draws)):
        fallen = dict(zip((draw.label for draw in draws), faces, strict=True))
        events = stage.resolve(position, Fallen(fallen).roll(draws)).events
        result = next(event.result for event in events if isinstance(event, e.CombatRolled))
        found[result] = found.get(result, (0, fallen))[0] + 1, found.get(result, (0, fallen))[1]
    return list(found.values())


def _by_events(
    stage: ChanceStage[Position], position: Position, draws: Sequence[Draw]
) -> Iterator[tuple[int, Mapping[str, int]]]:
    """One fall for each thing that each of some dice may bring; they do not depend on one
    another.
    """
    safe = {draw.label: FACES for draw in draws}
    groups: list[dict[Hashable, list[int]]] = []
    for draw in draws:
        alike: dict[Hashable, list[int]] = {}
        for face in range(1, FACES + 1):
            rolled = Fallen({**safe, draw.label: face}).roll(draws)
            told = tuple(map(_meaning, stage.resolve(position, rolled).events))
            alike.setdefault(told, []).append(face)
        groups.append(alike)
    for each in product(*(alike.values() for alike in groups)):
        ways, fallen = 1, dict[str, int]()
        for draw, faces in zip(draws, each, strict=True):
            ways *= len(faces)
            fallen[draw.label] = faces[0]
        yield ways, fallen


def _meaning(event: Event[Any]) -> Hashable:
    """What an event changes, whatever the die was."""
    match event:
        case e.FiredAt(unit=unit, left=left):
            return unit, left
        case e.SupportAllowed(is_allowed=is_allowed):
            return is_allowed
        case e.BridgeChanged(bridge=bridge, state=state):
            return bridge, state
    return type(event).__name__


def _at_the_dice(state: State[Position], reading: _PlayedOut) -> Position:
    """The table right before the combat die, if all goes as is likeliest; or as it is when nothing
    is left to roll.
    """
    while state.agenda and not isinstance(state.agenda[-1], Clash):
        asked = kernel.waits_for(state)
        if isinstance(asked, Decision):
            state = kernel.submit(state, reading.answer(state, asked)).state
            continue
        _, fallen = max(at_once(state), key=lambda fall: fall[0])
        state = kernel.roll(state, Fallen(fallen)).state
    return state.position


# --- reasons ------------------------------------------------------------------------------------


def _salvos(position: Position, side: Side) -> tuple[Salvo, Salvo]:
    """What each side brings to the dice."""
    fight = position.combat
    if fight is None:
        return Salvo(side, 0, NOTHING), Salvo(ENEMY[side], 0, NOTHING)
    heading = position.board.combat.heading(combat.final_column(position, fight))
    return (
        Salvo(
            side, combat.attack_strength(position, fight),
            say("column {column}", column=heading),
            shifts=tuple(Factor(CAUSES[name], number, RULES[name])
                         for name, number in combat.shifts(position, fight)),
            modifiers=tuple(Factor(CAUSES[name], number, RULES[name])
                            for name, number in combat.modifiers(position, fight)),
            called=ATTACK,
        ),
        Salvo(ENEMY[side], combat.defence_strength(position, fight),
              GROUND[position.terrain(fight.hex).id], called=DEFENCE),
    )  # fmt: skip


@CITE.serves("J.3")
def _charges(position: Position, order: Attack, side: Side) -> Iterator[Factor]:
    """The bridge that may go up before the attack is over it."""
    bridge = engineers.charged_before(position, side, order)
    if bridge:
        yield Factor(engineers.charges_told(position, bridge), 0, "J.3")


def _strengths(position: Position) -> Iterator[Factor]:
    """What the attackers add, and whose effectiveness counts."""
    fight = position.combat
    if fight is None:
        return
    each = combat.strength(position, fight.attackers, fight.type)
    told = tuple(say("{unit} {number}", unit=called(position, unit), number=number)
                 for unit, number in each.items())  # fmt: skip
    yield Factor(say("the attackers: {units}", units=told), 0, "12.1")
    able = combat.leaders(position, fight.defenders)
    theirs = fight.defence_primary or (able[0] if able else "")
    yield Factor(
        say("effectiveness {mine} against {theirs}, with a die of its own",
            mine=combat.effectiveness_of(position, fight.primary),
            theirs=combat.effectiveness_of(position, theirs)),
        0, "12.6.1",
    )  # fmt: skip


def _on_average(leaves: Iterable[Leaf]) -> Factor:
    """How often the defenders must retreat, and what both lose on average."""
    leaves = list(leaves)
    whole = falls_of(leaves)
    ways = sum(leaf.ways * whole // leaf.of for leaf in leaves if leaf.known.retreat)

    def mean(which: str) -> Message:
        return decimal(sum(getattr(leaf.known, which) * leaf.ways / leaf.of for leaf in leaves))

    return Factor(
        say("the defenders must retreat: {share}; troop points lost on average: {mine} and "
            "{yours}", share=percent(ways, whole), mine=mean("ours"), yours=mean("theirs")),
        0, "12.1",
    )  # fmt: skip
