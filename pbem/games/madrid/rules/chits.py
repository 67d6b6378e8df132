"""6, 15: when a chit may be played, and what it requires."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from pbem.engine.model import Side, Violation
from pbem.engine.rules import Predicate, predicates_of
from pbem.games.madrid.citations import CITE
from pbem.games.madrid.orders import (
    MOLA_WORDS,
    NO_PASARAN_WORDS,
    Again,
    Assault,
    Attack,
    Bombard,
    Brace,
    Counter,
    Defend,
    DrawChits,
    Fire,
    Move,
    Name,
    Play,
    PutBack,
    Reroll,
    Spare,
)
from pbem.games.madrid.position import Position
from pbem.games.madrid.rules.asks import Fortified, OfASide
from pbem.games.madrid.rules.movement import areas_that_fire
from pbem.games.madrid.rules.replacements import limit_faults, renewal_faults
from pbem.games.madrid.tables import ENEMY, MADRID, NATIONALIST, REPUBLICAN, ChitKind
from pbem.messages import Either, Said, any_of, marked, say, say_many

Window = frozenset[str]
OF_MOVE, OF_BOMBARDMENT = frozenset({"CR6", "CN3"}), frozenset({"CR6"})
OF_COMBAT = frozenset({"CR3", "CR6", "CN3", "CN4", "CN8"})
OF_DEFENCE, OF_POINT = frozenset({"CR3", "CR4", "CN12"}), frozenset({"CN12"})
OF_FIRE = frozenset({"CR3"})
AGAIN, SPARE, COUNTER, REROLL = (frozenset({kind}) for kind in ("CR7", "CR8", "CN4", "CN10"))

WHEN = {
    "CR3": marked("with your attack, when you counter-attack, or with defensive fire"),
    "CR4": marked("in your answer to an attack"),
    "CR6": marked("with any activation of yours"),
    "CR7": marked("at the end of your impulse"),
    "CR8": marked("before the morale tests of an attack on you"),
    "CN3": marked("with your attack or assault, or with a move that may be fired at"),
    "CN4": marked("with your attack, or when the defence is known"),
    "CN8": marked("with your attack"),
    "CN10": marked("after the dice of an attack or of Republican defensive fire"),
    "CN12": marked("before the dice, when you are attacked, bombarded or fired at"),
}
"""When a chit that goes with an impulse may be played."""

BOMBING = {"CR1": NATIONALIST, "CR2": REPUBLICAN, "CN1": REPUBLICAN, "CN2": NATIONALIST}
"""The chits that bombard, and who names the point unit."""
RESERVES = ("CR1", "CN1")
TURNS = {"CR5": NO_PASARAN_WORDS, "CN11": MOLA_WORDS}
LEADERS = ("moroccan", "legion")
DURRUTI_FIGHTS = 2
"""The Republican impulses for which CR6 lasts."""


# ------------------------------------------------------------------- whether it may be played


@CITE.rule("6.4")
def kinds_played(position: Position) -> frozenset[str]:
    """The kinds of chits played this turn."""
    # reading: a kind counts, so a chit of it that was put back is not played again either.
    return kinds_of(position, position.played)


@CITE.rule("6.6", "6.8")
def fits(position: Position, kind: ChitKind, window: Window | None) -> bool:
    """Whether a kind may be played now: in a window, or as a whole impulse."""
    # reading: a chit may be drawn and held before its turn, but not played.
    belongs = kind.is_impulse if window is None else kind.id in window
    return belongs and kind.first <= position.turn and kind.id not in kinds_played(position)


@CITE.serves("6.6")
def playable(position: Position, side: Side, window: Window | None = None) -> tuple[str, ...]:
    """The chits of a side's hand, as far as this view knows them, that may be played now."""
    kinds = position.board.kinds
    return tuple(
        chit
        for chit in position.held(side)
        if fits(position, kinds[position.kind_of(chit)], window)
    )


@CITE.serves("6.6")
def may_play(position: Position, side: Side, window: Window | None = None) -> bool:
    """Whether a side is asked in a window.

    It is asked if it could hold such a chit, as far as both players know. Otherwise the question
    would reveal what is in a hand.
    """
    kinds, held = position.board.kinds, position.may_hold[side]
    within = held if window is None else held & window
    return any(fits(position, kinds[kind], window) for kind in within)


def you_hold(position: Position, side: Side) -> Said:
    """What this view knows about a hand, in words."""
    held = position.held(side)
    unseen = len(position.hands[side]) - len(held)
    known = (*held, say("{number} face down", number=unseen)) if unseen else tuple(held)
    told = say("{chits}", chits=known) if known else say("no chit")
    return say("you hold {hand_told}", hand_told=told)


@CITE.serves("6.1", "6.4", "6.5", "6.6", "6.8")
def chit_fault(
    position: Position, side: Side, chit: str, window: Window | None
) -> tuple[str, Said, Said] | None:
    """Why a chit cannot be played now: rule, message and hint."""
    if chit not in position.held(side):
        told = say("{chit} is not in your hand", chit=chit)
        if chit in position.board.chits and position.board.side_of_chit(chit) != side:
            told = say("{chit} is a {enemy} chit", chit=chit, enemy=say(ENEMY[side].capitalize()))
        return "6.1", told, you_hold(position, side)
    kind = position.board.kinds[position.kind_of(chit)]
    if window is None and not kind.is_impulse:
        return (
            "6.6",
            say("{kind} cannot be an impulse by itself", kind=say(kind.title)),
            say("it is played {when}", when=say(WHEN[kind.id])),
        )
    if window is not None and kind.is_impulse:
        return (
            "6.5",
            say("{kind} is a whole impulse", kind=say(kind.title)),
            say("write play: {chit: ...} in its place"),
        )
    if window is not None and kind.id not in window:
        return (
            "6.6",
            say("{kind} cannot be played here", kind=say(kind.title)),
            say("it is played {when}", when=say(WHEN[kind.id])),
        )
    if position.turn < kind.first:
        return (
            "6.8",
            say(
                "{kind} cannot be played before turn {first}",
                kind=say(kind.title),
                first=kind.first,
            ),
            say("keep it, or put it back"),
        )
    if kind.id in kinds_played(position):
        return (
            "6.4",
            say("{kind} has already been played this turn", kind=say(kind.title)),
            say("each kind of chit can be played once a turn"),
        )
    return None


@CITE.serves("6.4")
def chit_faults(
    position: Position, side: Side, chits: Sequence[str], window: Window
) -> Iterator[Violation]:
    """The faults of the chits of an order."""
    kinds: set[str] = set()
    for at, chit in enumerate(chits):
        fault = chit_fault(position, side, chit, window)
        if fault is None and position.kind_of(chit) in kinds:
            fault = (
                "6.4",
                say("{chit} is the second of its kind", chit=chit),
                say("each kind of chit can be played once a turn"),
            )
        if fault:
            rule, message, hint = fault
            yield Violation(message, ("chits", at), rule=rule, hint=hint)
        else:
            kinds.add(position.kind_of(chit))


def kinds_of(position: Position, chits: Sequence[str]) -> frozenset[str]:
    """The kinds of several chits, each once."""
    return frozenset([position.kind_of(chit) for chit in chits])


@CITE.rule("15.CR6")
def as_played(position: Position, order: object) -> Position:
    """The position with the immediate effect of an order's chits: anarchists as shock units."""
    # reading: it lasts for the current and the next Republican impulse and all between; spent units
    # stay spent, and a better printed factor counts.
    chits = getattr(order, "chits", ())
    if any(position.board.chits.get(chit) == "CR6" for chit in chits):
        return position.but(durruti=DURRUTI_FIGHTS)
    return position


def with_chits(check: Predicate) -> Predicate:
    """A check made on the position after the chits of the order."""

    def judge(stage: Any, position: Any, order: Any) -> Iterator[Violation]:
        yield from check(stage, as_played(position, order), order)

    judge.predicates = predicates_of(check)  # type: ignore[attr-defined]
    return judge


# ------------------------------------------------------------------- with an activation


@CITE.refusal("6.6")
def chits_go_with_it(
    stage: OfASide, position: Position, order: Move | Bombard | Attack | Assault
) -> Iterator[Violation]:
    window = {Move: OF_MOVE, Bombard: OF_BOMBARDMENT}.get(type(order), OF_COMBAT)
    yield from chit_faults(position, stage.side, order.chits, window)


@CITE.check("15.CN3")
def surprises_who_could_fire(
    stage: OfASide, position: Position, order: Move
) -> Iterator[Violation]:
    is_fired_at = any(areas_that_fire(position, order.units, order.path, is_assault=False))
    for at, chit in enumerate(order.chits):
        if position.board.chits.get(chit) == "CN3" and not is_fired_at:
            message = say("no unit could fire at this move")
            yield Violation(message, ("chits", at), hint=say("keep Surprise for another impulse"))


@CITE.refusal("15.CN10")
def keeps_dice_it_could_reroll(
    stage: OfASide, position: Position, order: Move | Attack | Assault
) -> Iterator[Violation]:
    """Only Nationalists can roll dice again, so only they decline it."""
    if order.reroll and stage.side != NATIONALIST:
        told = say("none of your chits rerolls dice")
        yield Violation(told, ("reroll",), hint=say("leave it out"))


@CITE.check("15.CN8")
def stampedes_outside_madrid(
    stage: OfASide, position: Position, order: Attack | Assault
) -> Iterator[Violation]:
    area = order.path[-1] if isinstance(order, Assault) else position.places[order.units[0]]
    for at, chit in enumerate(order.chits):
        if position.board.chits.get(chit) == "CN8" and area == MADRID:
            message = say("Stampede cannot be used in {madrid}", madrid=MADRID)
            yield Violation(message, ("chits", at), hint=say("keep it for another area"))


@CITE.refusal("15.CN4")
def may_still_send_engineers(
    stage: OfASide, position: Position, order: Attack | Assault
) -> Iterator[Violation]:
    if not order.engineers:
        return
    if stage.side != NATIONALIST:
        message = say("only the Nationalists have Combat Engineers")
        yield Violation(message, ("engineers",), hint=say("leave engineers out"))
    elif "CN4" in map(position.board.chits.get, order.chits):
        message = say("Combat Engineers are already played with this attack")
        yield Violation(message, ("engineers",), hint=say("leave engineers out"))


@CITE.rule("15.CN4")
def answers_with_engineers(
    position: Position, area: str, fortified: str, *, is_asked_for: bool
) -> bool:
    """Whether the Nationalists are asked for CN4 when the defence is known.

    Against a Fortification, and against the terrain if their order asks for it and there is any.
    """
    # reading: until the dice fall, CN4 may be used either way, with a Fortification or without.
    if not may_play(position, NATIONALIST, COUNTER):
        return False
    return bool(fortified) or (is_asked_for and position.terrain(area) > 0)


@CITE.refusal("15.CN4")
def counters_what_is_there(
    stage: Fortified, position: Position, order: Counter
) -> Iterator[Violation]:
    if order.chit and order.against == "fortification" and not stage.fortified:
        message = say("no Fortification is played in this combat")
        yield Violation(message, ("against",), hint=say("write against: terrain"))


# ------------------------------------------------------------------- as the whole impulse


@CITE.rule("15.CR1", "15.CN1", "15.CR2")
def bombing_targets(position: Position, side: Side, kind: str) -> tuple[str, ...]:
    """The areas with enemies that a chit may bombard.

    Reserve artillery bombards only areas with own units, and those beside them.
    """
    # reading: a box is no area: own units in one bring no area into reach, and nobody in one is
    # bombarded.
    areas = position.board.areas
    targets = [area for area in areas if position.has_enemies(area, side)]
    if kind in RESERVES:
        near = position.board.graph.neighbours
        own = {area for area in areas if position.units_at(area, side)}
        targets = [area for area in targets if area in own or own.intersection(near(area))]
    if position.is_bound_by_pause(side):
        targets = [area for area in targets if position.is_friendly(area, side)]
    return tuple(targets)


@CITE.check("6.5")
def plays_a_chit(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    fault = chit_fault(position, stage.side, order.chit, None)
    if fault:
        rule, message, hint = fault
        yield Violation(message, ("chit",), rule=rule, hint=hint)


@CITE.refusal("9.3.d")
def bombs_a_target(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    kind = position.kind_of(order.chit)
    if kind not in BOMBING:
        return
    targets = bombing_targets(position, stage.side, kind)
    if order.target not in targets:
        is_spared = order.target in bombing_targets(position.but(pause=0), stage.side, kind)
        rule = "12.3.h" if is_spared else f"15.{kind}"
        hint = (
            say("it may bombard {targets}", targets=any_of([*map(position.called, targets)]))
            if targets
            else say("there is none")
        )
        message = say("{target} is not a target of this chit", target=position.called(order.target))
        if not order.target:
            message = say("name the area to bombard")
        yield Violation(message, ("target",), rule=rule, hint=hint)
        return
    enemies = position.units_at(order.target, ENEMY[stage.side])
    names_it = BOMBING[kind] == stage.side
    if names_it and order.point not in enemies:
        message = say(
            "name the point unit: an enemy unit in {target}", target=position.called(order.target)
        )
        yield Violation(
            message,
            ("point",),
            rule=f"15.{kind}",
            hint=say("name one of {enemies}", enemies=tuple(map(position.called, enemies))),
        )
    elif order.point and not names_it:
        message = say("the enemy names the point unit")
        yield Violation(message, ("point",), rule=f"15.{kind}", hint=say("leave point out"))


@CITE.refusal("15.CN9")
def bombs_with_a_government(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    if position.flight and stage.side == REPUBLICAN and position.kind_of(order.chit) in BOMBING:
        hint = say_many(
            "flight", "this lasts for {flight} Republican impulse, this one",
            "this lasts for {flight} Republican impulses, including this one",
            flight=position.flight,
        )  # fmt: skip
        yield Violation(say("the government is fleeing: no bombardment"), ("chit",), hint=hint)


@CITE.serves("15.CN9")
def government_may_flee(position: Position) -> bool:
    """Whether an area next to an urban one is Nationalist."""
    near = position.board.graph.neighbours
    return any(
        position.control.get(area) == NATIONALIST
        for urban in position.board.urban
        for area in near(urban)
    )


@CITE.refusal("15.CN9")
def government_has_a_reason(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    if position.kind_of(order.chit) == "CN9" and not government_may_flee(position):
        hint = say("take an area next to an urban one first")
        yield Violation(say("no area next to an urban one is Nationalist"), ("chit",), hint=hint)


@CITE.refusal("15.CN5")
def finds_a_column(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    if position.kind_of(order.chit) != "CN5":
        return
    if order.target not in position.board.areas or not position.units_at(order.target, REPUBLICAN):
        message = (
            say("no Republican unit is in {target}", target=position.called(order.target))
            if order.target
            else say("name an area")
        )
        yield Violation(message, ("target",), hint=say("name one with Republican units in it"))


@CITE.refusal("15.CR5")
def says_what_for(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    kind = position.kind_of(order.chit)
    words = TURNS.get(kind, ())
    if words and order.use not in words:
        message = say("say what the chit is for: {words}", words=Either(tuple(words)))
        hint = say("write use: {word}", word=words[0])
        yield Violation(message, ("use",), rule=f"15.{kind}", hint=hint)
    elif order.use and not words:
        hint = say("leave use out")
        yield Violation(say("this chit has one use"), ("use",), rule=f"15.{kind}", hint=hint)


@CITE.refusal("6.5")
def says_no_more(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """What a chit would not use is refused. A player could mean something by it."""
    kind = position.kind_of(order.chit)
    rule = f"15.{kind}"
    if order.target and kind not in BOMBING and kind != "CN5":
        yield Violation(
            say("this chit has no target"), ("target",), rule=rule, hint=say("leave target out")
        )
    if order.point and kind not in BOMBING:
        message = say("this chit has no point unit")
        yield Violation(message, ("point",), rule=rule, hint=say("leave point out"))
    if order.units and kind != "CN5" and order.use != "fresh":
        yield Violation(
            say("this chit turns no units"), ("units",), rule=rule, hint=say("leave units out")
        )
        return
    turned = REPUBLICAN if kind == "CN5" else stage.side
    for at, unit in enumerate(order.units):
        if unit not in position.board.units or position.side_of(unit) != turned:
            message = say("{unit} cannot be turned by this chit", unit=position.called(unit))
            hint = say("name {turned} units, or leave units out", turned=say(turned.capitalize()))
            yield Violation(message, ("units", at), rule=rule, hint=hint)


@CITE.check("15.CN11")
def rebuilds_by_chit(stage: OfASide, position: Position, order: Play) -> Iterator[Violation]:
    """Rebuilds as in phase 2d; with Mola's effort one unit, and no other leaves for it."""
    # reading: no pair is needed; the other exceptions of 8 hold.
    kind = position.kind_of(order.chit)
    rule = f"15.{kind}"
    if kind not in TURNS or order.use != "rebuild":
        if order.rebuild:
            message, hint = say("this chit rebuilds no unit"), say("leave rebuild out")
            if kind in TURNS:
                hint = say("write use: rebuild, or leave rebuild out")
            yield Violation(message, ("rebuild",), rule=rule, hint=hint)
        return
    alone = kind == "CN11"
    if not order.rebuild or (alone and len(order.rebuild) > 1):
        message = say("name one unit to rebuild") if alone else say("name the units to rebuild")
        hint = say("rebuild: [{unit: ..., to: ...}]")
        yield Violation(message, ("rebuild",), rule=rule, hint=hint)
        return
    found = [*renewal_faults(position, stage.side, order.rebuild, alone=alone)]
    for path, broken, fault, remedy in found:
        yield Violation(fault, ("rebuild", *path), rule=broken, hint=remedy)
    if not alone and not found:  # what is rebuilt may be no unit
        for broken, fault, remedy in limit_faults(position, stage.side, order.rebuild):
            yield Violation(fault, ("rebuild",), rule=broken, hint=remedy)


# ------------------------------------------------------------------- in the enemy's impulse


Answer = Again | Spare | Counter | Reroll


def _window(order: Answer) -> Window:
    found = {Again: AGAIN, Spare: SPARE, Counter: COUNTER, Reroll: REROLL}
    return found[type(order)]


@CITE.refusal("6.6")
def answers_with_its_chit(stage: OfASide, position: Position, order: Answer) -> Iterator[Violation]:
    if order.chit:
        fault = chit_fault(position, stage.side, order.chit, _window(order))
        if fault:
            rule, message, hint = fault
            yield Violation(message, ("chit",), rule=rule, hint=hint)


@CITE.refusal("6.6")
def answers_with_chits(
    stage: OfASide, position: Position, order: Defend | Name | Fire | Brace
) -> Iterator[Violation]:
    window = {Defend: OF_DEFENCE, Fire: OF_FIRE}.get(type(order), OF_POINT)
    yield from chit_faults(position, stage.side, order.chits, window)


@CITE.rule("15.CN12")
def is_led_by_africans(position: Position, point: str) -> bool:
    """Whether a point unit is Moroccan or of the Legion."""
    # reading: the lead unit is the point unit; the chit also helps against a bombardment and
    # defensive fire.
    return point in position.board.units and position.unit(point).faction in LEADERS


@CITE.serves("15.CN12")
def leader_fault(position: Position, chits: Sequence[str], point: str) -> Iterator[Violation]:
    """The fault of CN12 with a point unit of another faction."""
    for at, chit in enumerate(chits):
        if position.board.chits.get(chit) == "CN12" and not is_led_by_africans(position, point):
            hint = say("the chit needs a Moroccan point unit, or one from the Legion")
            yield Violation(
                say("the point unit is neither Moroccan nor from the Legion"),
                ("chits", at),
                hint=hint,
            )


@CITE.check("15.CR3")
def tanks_need_a_counterattack(
    stage: OfASide, position: Position, order: Defend
) -> Iterator[Violation]:
    for at, chit in enumerate(order.chits):
        kind = position.board.chits.get(chit)
        if kind == "CR3" and not order.counterattack:
            message = say("the tanks do nothing without a counter-attack")
            yield Violation(message, ("chits", at), hint=say("name units that counter-attack"))
        if kind == "CR4" and order.fortify == "units" and not order.counterattack:
            message = say("no counter-attacking unit could stay fresh")
            hint = say("write fortify: terrain, or name units that counter-attack")
            yield Violation(message, ("chits", at), rule="15.CR4", hint=hint)


# ------------------------------------------------------------------- drawing and putting back


@CITE.rule("6.2")
def _limits(position: Position, side: Side) -> Iterator[tuple[int, str]]:
    """How many chits a side may draw by its points, its hand and its cup, each with its rule."""
    cost = position.board.charts["costs"]["chit"]
    if cost:
        yield position.support[side] // cost, "6.2"
    yield position.board.charts["limits"]["hand"] - len(position.hands[side]), "6.3"
    yield len(position.cups[side]), "6.1"


@CITE.serves("6.2")
def most_to_draw(position: Position, side: Side) -> int:
    """How many chits a side may draw."""
    return max(0, min(_limits(position, side))[0])


@CITE.check("6.3")
def draws_what_it_may(stage: OfASide, position: Position, order: DrawChits) -> Iterator[Violation]:
    most = most_to_draw(position, stage.side)
    if not 0 <= order.chits <= most:
        _, rule = min(_limits(position, stage.side))
        hints = {
            "6.1": say("your cup has no more"),
            "6.2": say("each costs a support point"),
            "6.3": say("a hand has at most 5 chits; yours has {hand}",
                       hand=len(position.hands[stage.side])),
        }  # fmt: skip
        message = say_many(
            "most", "you may draw up to {most} chit", "you may draw up to {most} chits", most=most
        )
        yield Violation(message, ("chits",), rule=rule, hint=hints[rule])


@CITE.refusal("6.9")
def puts_back_its_own(stage: OfASide, position: Position, order: PutBack) -> Iterator[Violation]:
    seen: set[str] = set()
    for at, chit in enumerate(order.chits):
        there = position.where(stage.side, chit)
        if there not in position.hands[stage.side] or there in seen:
            message = say("{chit} is not in your hand", chit=chit)
            hint = you_hold(position, stage.side)
            yield Violation(message, ("chits", at), hint=hint)
        seen.add(there)


PLAY_CHECKS = (
    (plays_a_chit,),
    (bombs_a_target, bombs_with_a_government, government_has_a_reason, finds_a_column,
     says_what_for, says_no_more, rebuilds_by_chit),
)  # fmt: skip
