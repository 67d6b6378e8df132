"""What the contract suite has to know of Storm over Madrid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from pbem.gamedata.load import drawing, load
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import Pause
from pbem.games.madrid.position import ELIMINATED, GONE, TRACK
from pbem.games.madrid.rules import victory
from pbem.games.madrid.tables import NATIONALIST, SIDES
from tests.contract.kits import Document, Hidden, Kit, Playouts, Search, Way
from tests.contract.playing import Player

MOVES = (e.UnitsMoved, e.UnitRetreated, e.UnitEliminated, e.UnitPlaced, e.UnitRebuilt)
CHITS = (
    e.ChitsDrawn, e.ChitPlayed, e.ChitsReturned, e.ChitsKept, e.ChitRemoved, e.PlayedForgotten,
    e.CupLaid, e.ChitOpened, e.ChitsLaidAnew,
)  # fmt: skip
CHITS_OF_A_SIDE = 15


TURNS = 2
"""A playout of every day ends with its second turn."""


def faults(position: Any) -> Iterator[str]:
    """Each unit in one place that exists; never eleven; no area that only the enemy holds."""
    known = {*position.board.graph.spaces, ELIMINATED, GONE, TRACK}
    for unit, place in position.places.items():
        if place not in known:
            yield f"{unit} is in {place}, which is no place"
        if position.board.boxes.get(place, position.side_of(unit)) != position.side_of(unit):
            yield f"{unit} is in box {place} of the enemy"
    for unit in position.spent:
        if not position.is_on_map(unit):
            yield f"{unit} is spent and not on the map"
    if position.control.keys() != position.board.areas.keys():
        yield "an area has no controller, or something else has one"
    for side, points in position.support.items():
        if points < 0:
            yield f"{side} has {points} support points"


def accounts(event: Any, before: Any, after: Any) -> Iterator[str]:
    """Places, points, control and chits change by the events that say so, and by no other."""
    name = type(event).__name__
    if before.places != after.places and not isinstance(event, MOVES):
        yield f"{name} moves units"
    if before.support != after.support and not isinstance(event, e.SupportChanged | e.GameBegan):
        yield f"{name} changes support points"
    if isinstance(event, e.ControlChanged):
        won = after.gains.get(event.side, 0) - before.gains.get(event.side, 0)
        if won != 1:
            yield f"{event.area} counts {won} on the track"
    elif before.control != after.control:
        yield f"{name} changes control"
    if before.morale != after.morale and not isinstance(event, e.MoraleChanged):
        yield f"{name} changes morale"
    cups = (before.cups, before.hands, before.played) != (after.cups, after.hands, after.played)
    if cups and not isinstance(event, CHITS):
        yield f"{name} moves chits"


def counts(position: Any) -> dict[str, int]:
    """Units, and the chits of each side: in the cup, in the hand, played or out of the game."""
    chits = [*{*position.played, *position.removed}]
    sides = Counter(str(position.board.side_of_chit(chit)) for chit in chits)
    for side in SIDES:
        sides[str(side)] += len(position.cups[side]) + len(position.hands[side])
    return {"units": len(position.places), **{side: sides[side] for side in SIDES}}


def held(position: Any, side: str) -> tuple[str, ...]:
    """The chits of a hand that this view knows and the public does not."""
    return tuple(chit for chit in position.held(side) if chit not in position.hands[side])


def words(tables: Any) -> Iterator[str]:
    """Chits with their texts, roads, boxes, levels of morale, and the headings of the map; areas
    and units are called as they are everywhere."""
    yield from (chit[key] for key in ("title", "text") for chit in tables["chits"]["chits"])
    for each in ("boxes", "roads"):
        yield from (row["name"] for row in tables["map"][each])
    yield from (row["name"] for row in tables["tables"]["morale"])
    yield from drawing("madrid")["regions"]


def due(position: Any) -> dict[str, int]:
    return {"units": len(position.board.units), **dict.fromkeys(SIDES, CHITS_OF_A_SIDE)}


def pauses(orders: Sequence[Document]) -> list[str]:
    """What was said of the pause in fighting, turn by turn."""
    return [order["pause"]["say"] for order in orders if "pause" in order]


class Patient(Player):
    """Begins the pause in fighting at once, and never ends it."""

    def order(self, state: Any, decision: Any) -> Any:
        if decision.stage == "pause":
            return Pause("keep" if state.position.is_paused else "begin")
        return super().order(state, decision)


def searches() -> dict[str, Search]:
    return {
        "madrid": Search("campaign", Player),
        "holds": Search("campaign", Player),
        "pause_runs_out": Search("campaign", Patient),
        "points_lost": Search("scenario_1", Player),
        "points_won": Search("scenario_1", Player),
        "roads": Search("scenario_2", Player, seed=221),
    }


def written_out(position: Any, options: tuple[str, ...]) -> dict[str, Any] | None:
    """The front, the support and the morale of now; where units are a scenario does not say."""
    if not position.began:
        return None
    support = {side: position.support[side] for side in position.support}
    return {
        **load("madrid").tables["scenarios"][position.scenario],
        "id": "written_out",
        "starts": [{"turn": position.turn or position.began, "support": support}],
        "morale": position.morale_name.lower(),
        "nationalist": sorted(a for a, side in position.control.items() if side == NATIONALIST),
    }


KIT = Kit(
    written_out=written_out,
    options=frozenset({"open_hands"}),
    is_long_enough=lambda position: position.turn >= position.began + TURNS,
    faults=faults,
    accounts=accounts,
    counts=counts,
    due=due,
    is_at_rest=lambda decision: True,
    hidden=Hidden(
        option_off="open_hands",
        names=lambda position, side: position.held(side),
        held=held,
        secret=lambda position: position.down.faces,
        fills_up=("campaign", "scenario_1"),
        is_passive=lambda position: position.impulse > 0 and not position.sought,
        clauses=lambda chit: ({"put_back": [chit]},),
        always={"losses": ["spent"], "counterattack": {"with": ["shock"]}, "impulses": ["ask"]},
    ),
    policies=(
        {},
        {"losses": ["spent", "line"], "retreat": {"C": ["D", "B"]}, "reroll": "always"},
        {"counterattack": {"with": ["shock", "line"]}, "point": ["line"], "new_point": ["shock"]},
        {"fire": {"when": {"fresh": ">=2"}}, "chits": [{"chit": "CR4"}, {"chit": "CR3"}]},
        {"chits": {"chit": "CN12", "when": {"urban": False}}, "pick": ["fresh"], "put_back": "all"},
        {"draw": 2, "pause": "keep", "rebuild": [{"unit": "line"}], "arrivals": {"line": ["A"]}},
        {"strife": "anarchists", "impulses": ["ask"]},
        {"impulses": ["pass"], "losses": "ask", "scope": {"ask": [{"urban": True}]}},
    ),
    searches=searches,
    words=words,
    playouts=Playouts(first=10, whole_in_fuzz=300),
    ways={
        "madrid": Way("10.a", "nationalist", victory.MADRID_FALLS),
        "roads": Way("10.b", "nationalist", victory.ROADS_ARE_CUT),
        "points_won": Way("12.1.e", "nationalist", victory.POINTS_WON, exact=True),
        "points_lost": Way("12.1.e", "republican", victory.POINTS_LOST, exact=True),
        "holds": Way("12.3.j", "republican", victory.MADRID_HOLDS),
        "pause_runs_out": Way(
            "12.3.d",
            "republican",
            victory.MADRID_HOLDS,
            by=lambda orders: pauses(orders) == ["begin", "keep", "keep", "keep"],
        ),
    },
)
