"""The mistakes that the plan lists, one by one, and the exact text a player is shown.

tests/games/mistakes.py says where they stand.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.position import COMING, ELIMINATED, Combat, Mission, Position
from pbem.games.nopasaran.stages.activation import Activating, Displacing
from pbem.games.nopasaran.stages.combat import Retreating
from pbem.games.nopasaran.stages.day import Assigning, Planning
from pbem.games.system import GameSystem
from pbem.orders.parse import parse
from pbem.play.systems import opened
from pbem.text.source import Source
from tests.games.mistakes import check_texts, shown
from tests.games.nopasaran.table import N, R, in_command, play, start, state_of, table
from tests.games.nopasaran.test_drill import drill, system

BRIDGE = {"G12": "N-1TirIf/5 N-Zap-III", "G13": "R-AMarty/12", "G11": "N-2Leg/5 N-Pz-1",
          "H10": "N-Art75-III N-CG-R5", "H09": "N-Pont-1"}  # fmt: skip
TANKS = {"F17": "R-T26-1 R-T26-2", "F20": "R-CG-1BB"}


OVER_MORATA = {"N-Ju52-1": Mission("bomb", "L19")}


def acting(stacks: Mapping[str, str], side: Any = N, **changes: Any) -> State[Any]:
    there = {hex: units for hex, units in stacks.items() if units}
    return state_of(in_command(table(there, **changes)), side)


def away(where: str) -> State[Any]:
    """A unit is in no hex, but there."""
    state = acting({"K13": "N-2Leg/5"})
    there = {**state.position.away, "N-8Leg/7": where}
    return State(state.position.but(away=there), state.agenda)


def moved(stacks: Mapping[str, str], order: o.Move, side: Any = N) -> State[Any]:
    return play(acting(stacks, side), order).state


def tanks_moved(there: str, *path: str) -> State[Any]:
    return moved({**TANKS, "F15": there}, o.Move(("R-T26-1", "R-T26-2"), path), R)


def advanced() -> State[Any]:
    state = acting({"K13": "N-2Leg/5", "K14": "R-1/48"})
    return State(e.UnitsAdvanced(("N-2Leg/5",), ("K13",)).apply(state.position), state.agenda)


def without_supply() -> State[Any]:
    position = table({"J13": "N-SFrn/6", "J14": "R-1/48"}, cut_off={"N-SFrn/6": 3})
    return state_of(position, N)


def defending() -> State[Any]:
    """The attacked is asked for support, with guns of another formation in range."""
    stacks = {"N08": "N-8Leg/7", "M09": "R-1/23", "M10": "R-11/17 R-75", "L14": "R-Art-2/23"}
    there = {hex: units for hex, units in stacks.items() if "Art-2" not in units}
    position = in_command(table(there, assigned={"R-11/17": "R-23B"}))
    step = kernel.submit(state_of(position, N), o.Attack("M09", {"N08": ("N-8Leg/7",)}))
    while isinstance(asked := kernel.waits_for(step.state), Decision) and asked.stage != "defend":
        step = kernel.submit(step.state, asked.default)
    return step.state


def activating(position: Position, side: Any = N) -> State[Any]:
    return State(position.but(active=side), (Activating(side),))


def cut_off() -> State[Any]:
    position = start()
    return activating(e.UnitsDisplaced(("N-CG-III",), ("T20",)).apply(position))


def assigning(side: Any = N, **changes: Any) -> State[Any]:
    return State(start(**changes), (Assigning(side),))


def planning(**changes: Any) -> State[Any]:
    return State(start(**changes), (Planning(N),))


def retreating(hex: str, unit: str, enemy: str, length: int = 1) -> State[Any]:
    """A stack of one unit is driven back by an enemy in one hex next to it."""
    attacker = "N-2Leg/5" if unit.startswith("R") else "R-AMarty/12"
    position = in_command(table({hex: unit, enemy: attacker}))
    side, other = (R, N) if unit.startswith("R") else (N, R)
    fight = Combat(other, hex, "regular", (attacker,), {enemy: (attacker,)}, (unit,))
    return State(in_command(position.but(combat=fight)), (Retreating(side, (unit,), length),))


def crowded() -> State[Any]:
    position = in_command(table({"J10": "N-2Leg/5 N-ACeu/5 N-2Alh/6 N-SFrn/6"}))
    return State(position, (Displacing(N, "J10"),))


def in_the_city() -> State[Any]:
    return state_of(in_command(drill({"E05": "N-Pz/1", "F05": "N-2/RB"})), N)


CASES: tuple[tuple[str, Any, str], ...] = (
    ("a prepared attack by a unit that moved",
     moved({**BRIDGE, "G12": "", "G11": "N-1TirIf/5"}, o.Move(("N-1TirIf/5",), ("G12",))),
     "attack: {hex: G13, type: prepared, from: {G12: [N-1TirIf/5]}}"),
    ("a mobile attack on a city", in_the_city(),
     "attack: {hex: E06, type: mobile, from: {E05: [N-Pz/1]}}"),
    ("a mobile attack by foot", acting(BRIDGE),
     "attack: {hex: G13, type: mobile, from: {G12: [N-1TirIf/5]}}"),
    ("a mobile attack from a zone", acting({**TANKS, "F16": "N-2Alh/6"}, R),
     "attack: {hex: F16, type: mobile, from: {F17: [R-T26-1, R-T26-2]}}"),
    ("a mobile attack along a road",
     acting({"E20": "R-T26-1", "E19": "N-2Alh/6"}, R, spent={"R-T26-1": 15}),
     "attack: {hex: E19, type: mobile, from: {E20: [R-T26-1]}}"),
    ("a mobile attack over the stacking limit", tanks_moved("N-2Leg/5 N-ACeu/5 N-Zap-III", "F16"),
     "attack: {hex: F15, type: mobile, from: {F16: [R-T26-1, R-T26-2]}}"),
    ("an attack behind an advance that is not improvised", advanced(),
     "attack: {hex: K14, from: {K13: [N-2Leg/5]}}"),
    ("an attack without supply", without_supply(), "attack: {hex: J14, from: {J13: [N-SFrn/6]}}"),
    ("an attack by a demoralised unit",
     acting({"J13": "N-SFrn/6", "J14": "R-1/48"}, demoralised=frozenset({"N-SFrn/6"})),
     "attack: {hex: J14, from: {J13: [N-SFrn/6]}}"),
    ("an attack by guns", acting(BRIDGE), "attack: {hex: G13, from: {H10: [N-Art75-III]}}"),
    ("an attack on nobody", acting(BRIDGE), "attack: {hex: H12, from: {G12: [N-1TirIf/5]}}"),
    ("an attack over a river without a bridge", acting({"H11": "N-2Leg/5", "H12": "R-1/23"}),
     "attack: {hex: H12, from: {H11: [N-2Leg/5]}}"),
    ("guns without points", acting(BRIDGE, spent={"N-Art75-III": 10}),
     "bombard: {target: G13, guns: [N-Art75-III]}"),
    ("guns without points that support", acting(BRIDGE, spent={"N-Art75-III": 10}),
     "attack: {hex: G13, from: {G12: [N-1TirIf/5]}, support: {guns: [N-Art75-III]}}"),
    ("guns out of range", acting({**BRIDGE, "H18": "R-1/19"}),
     "bombard: {target: H18, guns: [N-Art75-III]}"),
    ("guns of another formation in defence", defending(), "defend: {guns: {R-75: N08}}"),
    ("a division whose headquarters is out of command", cut_off(), "activate: {division: N-III}"),
    ("a formation activated twice", activating(start(activated=frozenset({"N-R5"}))),
     "activate: {formation: N-R5}"),
    ("a division as a formation", activating(start()), "activate: {formation: N-III}"),
    ("a formation of the enemy", activating(start()), "activate: {formation: R-12BI}"),
    ("a unit of a formation by itself", activating(start()), "activate: {unit: N-2Leg/5}"),
    ("nine points lent", assigning(R),
     "assign: {to: {R-1/17: R-23B, R-2/17: R-23B, R-3/17: R-48B}}"),
    ("a demoralised battalion assigned away", assigning(demoralised=frozenset({"N-2Leg/5"})),
     "assign: {to: {N-2Leg/5: N-R6}}"),
    ("a battalion to its own regiment", assigning(), "assign: {to: {N-2Leg/5: N-R5}}"),
    ("a battalion to another division", assigning(), "assign: {to: {N-2Leg/5: N-R7}}"),
    ("a unit that is eliminated", away(ELIMINATED), "move: {units: [N-8Leg/7], path: [K14]}"),
    ("a unit that is still to come", away(COMING), "move: {units: [N-8Leg/7], path: [K14]}"),
    ("a mission before the assignments", assigning(), "fly: {N-Ro37: {reco: H14}}"),
    ("an assignment behind them", planning(), "assign: {to: {N-2Leg/5: N-R6}}"),
    ("a bomber sent to interdict", planning(), "fly: {missions: {N-Ju52-1: {int: H14}}}"),
    ("two reconnaissances on one hex", planning(),
     "fly: {missions: {N-Ro37: {reco: H14}, N-He70: {reco: H14}}}"),
    ("a town as target of bombs", acting({**BRIDGE, "L19": "R-1/19"}, missions=OVER_MORATA),
     "bombard: {target: L19, air: [N-Ju52-1], at: town}"),
    ("support for a headquarters of a division", planning(),
     "fly: {missions: {N-He51-1: {cas: N-CG-III}}}"),
    ("two missions for an air unit", planning(),
     "fly: {missions: {N-Ju52-1: {bomb: G13, cas: N-CG-R5}}}"),
    ("bombs where no mission was written", acting(BRIDGE, missions=OVER_MORATA),
     "bombard: {target: G13, air: [N-Ju52-1]}"),
    ("a pontoon where no river is", acting(BRIDGE),
     "engineer: {unit: N-Pont-1, task: bridge, to: H10}"),
    ("a bridge blown after moving",
     moved({"G11": "N-Zap-III", "I14": "R-1/19"}, o.Move(("N-Zap-III",), ("G12",))),
     "engineer: {unit: N-Zap-III, task: blow, bridge: B-PIN}"),
    ("a bridge that is elsewhere", acting(BRIDGE),
     "engineer: {unit: N-Zap-III, task: blow, bridge: B-SMV}"),
    ("a retreat nearer to the enemy", retreating("J16", "R-1/48", "J15", 2),
     "retreat: {paths: {R-1/48: [J17, K17]}}"),
    ("a retreat into a zone", retreating("J16", "R-1/48", "J15"),
     "retreat: {paths: {R-1/48: [I16]}}"),
    ("a retreat over a river", retreating("H12", "R-1/23", "H13"),
     "retreat: {paths: {R-1/23: [H11]}}"),
    ("a retreat that is too short", retreating("J16", "R-1/48", "J15", 2),
     "retreat: {paths: {R-1/48: [J17]}}"),
    ("eleven points in a hex", crowded(), "displace: {paths: {N-SFrn/6: [J09]}}"),
    ("a road march through a friend",
     acting({"K02": "N-AT-III", "K03": "N-2Leg/5 N-2Alh/6"}, spent={"N-AT-III": 14}),
     "move: {units: [N-AT-III], path: [K03, L03, L04]}"),
    ("a step to a hex that is not next to it", acting(BRIDGE),
     "move: {units: [N-2Leg/5], path: [G09]}"),
    ("a step onto an enemy", acting(BRIDGE), "move: {units: [N-1TirIf/5], path: [G13]}"),
    ("a step that leads over a river", acting({"H11": "N-2Leg/5"}),
     "move: {units: [N-2Leg/5], path: [H12]}"),
    ("a unit that has acted", state_of(in_command(table(BRIDGE)), N, "N-1TirIf/5"),
     "move: {units: [N-2Leg/5], path: [G10]}"),
    ("a unit of the enemy", acting(BRIDGE), "move: {units: [R-AMarty/12], path: [G14]}"),
    ("a path that is called to", acting(BRIDGE), "move: {units: [N-2Leg/5], to: G10}"),
    ("a move before an activation", activating(start()),
     "move: {units: [N-2Leg/5], path: [G10]}"),
    ("a hex that is none", acting(BRIDGE), "move: {units: [N-2Leg/5], path: [Z99]}"),
    ("a hex that is turned round", acting(BRIDGE), "move: {units: [N-2Leg/5], path: [12G]}"),
    ("a hex for a target", acting(BRIDGE), "bombard: {hex: G13, guns: [N-Art75-III]}"),
    ("units for where they stand", acting(BRIDGE), "attack: {hex: G13, units: {G12: [N-2Leg/5]}}"),
    ("a mission without its brackets", planning(), "fly: {N-Ju52-1: bomb G12}"),
    ("a verb that is called otherwise", acting(BRIDGE),
     "reconnoitre: {unit: N-2Alh/6, hex: G13}"),
    ("a misspelt when", acting(BRIDGE),
     "move: {units: [N-2Leg/5], path: [G10]}\n    wen: {any: 1}"),
    ("a word that is none, inside a mission", planning(),
     "fly: {N-Ro37: {reco: H14, picks: me}}"),
    ("a formation for its headquarters", planning(), "fly: {N-He51-1: {cas: N-R5}}"),
    ("a unit for an aircraft", planning(), "fly: {R-T26-1: {bomb: G13}}"),
    ("all for the names of guns and aircraft", acting(BRIDGE),
     "attack: {hex: G13, from: {G12: [N-1TirIf/5]}, support: {guns: all, air: all}}"),
    ("an aircraft for a gun", acting(BRIDGE), "bombard: {target: N-R5, guns: [N-Ju52-1]}"),
    ("a word that is nearly none", acting(BRIDGE),
     "attack: {hex: G13, from: {G12: [N-1TirIf/5]}, advance: nome}"),
    ("all who advance", acting(BRIDGE),
     "attack: {hex: G13, from: {G12: [N-1TirIf/5]}, advance: all}"),
    ("a formation without what it is", activating(start()), "activate: N-R5"),
    ("a counter shown that nobody asks for", acting(BRIDGE), "show: [N-CG-R5]"),
    ("a formation that is not there to activate", activating(start(activated=frozenset({"N-R5"}))),
     "activate: N-R5"),
    ("all for what is activated", activating(start()), "activate: all"),
    ("an activation without its colon", activating(start()), "activate N-R5"),
    ("all in place of those who go in", acting(BRIDGE), "advance: all"),
    ("best for who leads", acting(BRIDGE), "lead: best"),
    ("a field of orders as one", activating(start()), "primary: N-CG-R5"),
    ("an order of the program", activating(start()), "tell: none"),
    ("an order of wrong form that is not asked for", retreating("J16", "R-1/48", "J15", 2),
     "attack: best"),
    ("a hex in place of a headquarters", planning(), "fly: {N-He51-1: {cas: F17}}"),
    ("a hex in place of one where units stand", acting(BRIDGE), "lead: {unit: H10}"),
    ("missions in two orders", planning(),
     "fly: {N-Ro37: {reco: H14}}\n  - fly: {N-Ju52-1: {bomb: G13}}"),
    ("losses in a list", retreating("J16", "R-1/48", "J15", 2), "retreat: {losses: [R-1/48]}"),
    ("losses without a unit", retreating("J16", "R-1/48", "J15", 2), "retreat: {losses: 1}"),
    ("all losses", retreating("J16", "R-1/48", "J15", 2), "retreat: {losses: all}"),
    ("a word that is none", acting(BRIDGE),
     "attack: {hex: G13, type: surprise, from: {G12: [N-1TirIf/5]}}"),
)  # fmt: skip


def system_of(state: State[Any]) -> GameSystem:
    return system() if state.position.scenario == "drill" else opened("nopasaran").system


def test_each_mistake_of_the_list_is_told_with_place_reason_rule_and_what_is_legal() -> None:
    texts = ((name, shown(system_of(state), state, order)) for name, state, order in CASES)
    check_texts("nopasaran", texts)


WRITE = re.compile(r"write (?:it as: - )?([a-z_]+: \{[^.]*\})$")


def test_what_a_hint_says_to_write_is_of_a_form_that_is_taken() -> None:
    """Whoever follows a hint is not told of the form of the same order again."""
    found = 0
    for _, state, order in CASES:
        verbs = system_of(state).verbs
        hints = re.findall(r"hint: (.*)", shown(system_of(state), state, order))
        for line in filter(None, map(WRITE.search, hints)):
            if line[1].partition(":")[0] in verbs:
                parse(Source("orders.yaml", f"orders:\n  - {line[1]}\n"), verbs)
                found += 1
    assert found >= 3
