"""The mistakes that the plan lists, one by one, and the exact text a player is shown.

tests/games/mistakes.py says where they stand.
"""

from __future__ import annotations

from typing import Any

from pbem.engine.model import State
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.combat import Defending
from pbem.games.madrid.stages.impulse import Impulse
from pbem.games.madrid.stages.losses import Losing, Retreating
from pbem.games.madrid.stages.setup import SetUp
from pbem.games.madrid.stages.turn import Drawing, Rebuilding
from tests.games.madrid.table import N, R, system, table
from tests.games.mistakes import check_texts, shown

SIX = "I Bandera, IV Bandera, V Bandera, VI Bandera, VII Bandera, VIII Bandera"
TEN = " ".join(f"N{n}" for n in (10, 11, 12, 13, 14, 15, 16, 17, 18, 19))
HERE = {"D": "N01 N02s N03 N04 N05 N06 N42 R01", "C": "R02", "E": "", "B": TEN}
HELD = {N: "CN3a CN8b CN7a CN10a CN12a", R: "CR1a CR3b"}


def playing(**changes: Any) -> State[Any]:
    position = table(HERE, nationalist="D B", hands=HELD, **changes)
    return State(position, (Impulse(N),))


def banned() -> State[Any]:
    return State(table({"CC": "N01"}, nationalist="CC", facts=()), (Impulse(N),))


def in_the_pause() -> State[Any]:
    return State(table({"C": "N01 R02"}, nationalist="D", pause=2), (Impulse(N),))


def retreating() -> State[Any]:
    position = table({"X": "R05 N01", "Y": "R06 N02"}, nationalist="S T U")
    return State(position, (Retreating(R, ("R05",)),))


def losing() -> State[Any]:
    return State(table({"DD": "R01 R02 N01"}), (Losing(R, ("R01", "R02"), "R01", 3, ""),))


def rebuilding() -> State[Any]:
    return State(table({"eliminated": "R40 R41 R02 R05"}), (Rebuilding(R),))


def drawing() -> State[Any]:
    return State(playing().position, (Drawing(R),))


def placing() -> State[Any]:
    return State(playing().position, (SetUp(N, ("N01",)),))


def defending() -> State[Any]:
    position = table({"C": "N01 R03"}, nationalist="D", hands=HELD)
    return State(position, (Defending(Fight(N, "C", ("N01",), "N01")),))


CASES: tuple[tuple[str, Any, str], ...] = (
    ("an attack with spent units", playing(), "attack: {units: [IV Bandera]}"),
    ("six units without the point for them", playing(support={N: 0, R: 0}),
     f"move: {{units: [{SIX.replace('IV Bandera', 'Grupo 105 mm (I)')}], path: [D, B]}}"),
    ("a point unit that does not take part", playing(),
     "attack: {units: [I Bandera, V Bandera], point: VI Bandera}"),
    ("artillery into an enemy area alone", playing(),
     "move: {units: [Grupo 105 mm (I)], path: [D, E]}"),
    ("an area in place of its units", playing(), "attack: {units: [D]}"),
    ("an area without units", playing(), "attack: {units: [E]}"),
    ("a step from enemy area to enemy area", playing(),
     "move: {units: [I Bandera], path: [D, C, L]}"),
    ("over the river while the ban holds", banned(), "move: {units: [I Bandera], path: [CC, AA]}"),
    ("an eleventh unit", playing(), "move: {units: [I Bandera], path: [D, B]}"),
    ("a chit of a kind already played", playing(played=("CN8a",)),
     "attack: {units: [I Bandera], chits: [CN8b]}"),
    ("a chit of a later turn", playing(turn=5), "play: {chit: Durruti's death}"),
    ("a retreat past a better class", retreating(), "retreat: {to: {Columna Mena: Y}}"),
    ("losses that are not the most that can be taken", losing(), "lose: {spend: [R01, R02]}"),
    ("losses that spare the point unit", losing(), "lose: {spend: [R01], retreat: {R02: AA}}"),
    ("a rebuilt International Brigade", rebuilding(),
     "rebuild: {units: [{unit: R40, to: AA, gives: R41}]}"),
    ("an attack in the pause", in_the_pause(), "attack: {units: [I Bandera]}"),
    ("a move in the pause", playing(pause=2), "move: {units: [I Bandera], path: [D, E]}"),
    ("a bombardment in the pause", playing(pause=2),
     "bombard: {guns: [Grupo 105 mm (I)], target: C}"),
    ("a chit in the wrong window", playing(),
     "attack: {units: [I Bandera], chits: [Teresa of Avila's arm]}"),
    ("a whole impulse beside an attack", playing(), "attack: {units: [I Bandera], chits: [CN7]}"),
    ("a chit in the wrong answer", defending(), "defend: {point: R03, chits: [CR1]}"),
    ("a chit of the other player", playing(), "play: {chit: CR1a, target: C}"),
    ("a chit that was not drawn yet", playing(), "play: {chit: CN1a, target: C}"),
    ("a tag in place of a chit", playing(), "play: {chit: n/1/3, target: C}"),
    ("an area that does not exist", playing(), "move: {units: [I Bandera], path: [D, ZZ]}"),
    ("units of two areas", playing(),
     "move: {units: [I Bandera, I Tabor de Melilla], path: [D, E]}"),
    ("done, which other games have", playing(), "done"),
    ("a word behind pass", playing(), "pass: now"),
    ("units without brackets", playing(),
     "attack: {units: I Bandera, V Bandera, point: I Bandera}"),
    ("chits to draw as one says it", drawing(), "draw: chits 3"),
    ("a number in words", drawing(), "draw: three"),
    ("an order without its colon and braces", playing(), "draw 3"),
    ("units to place without their field", placing(),
     "place: {Columna Mena: M, Columna Mangada: H, Columna Bueno: C}"),
    ("a long order without its colon", playing(),
     f"attack {{units: [{SIX}, X Bandera, XI Bandera, XII Bandera], point: I Bandera}}"),
    ("another order where a retreat is asked", retreating(), "pass"),
    ("a retreat that names the area alone", retreating(), "retreat: Z"),
    ("a retreat of nobody", retreating(), "retreat: {to: Z}"),
)  # fmt: skip


def test_each_mistake_of_the_list_is_told_with_place_reason_rule_and_what_is_legal() -> None:
    check_texts("madrid", ((name, shown(system(), state, order)) for name, state, order in CASES))
