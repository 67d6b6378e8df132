"""What a position has computed goes over to the next one, and must be true there."""

from __future__ import annotations

from functools import cached_property
from itertools import chain, islice
from typing import Any

import pytest

from pbem.engine.facedown import FaceDown
from pbem.games.madrid.position import COMPUTED, Position
from pbem.games.madrid.rules.movement import reachable
from pbem.games.madrid.rules.retreat import ways_out
from pbem.games.madrid.rules.supply import supplied_places
from pbem.games.madrid.rules.units import ready_stacks
from pbem.games.madrid.tables import SIDES
from pbem.value import replace
from tests.contract.playing import playout
from tests.games.madrid.table import N, R, face_down, table

KEPT = tuple(name for name, its in vars(Position).items() if isinstance(its, cached_property))

MOMENTS = 250  # more than two turns of a random campaign


def computed(position: Position) -> dict[str, Any]:
    """Everything that a position computes once, and some of what its memo keeps."""
    found = {name: getattr(position, name) for name in KEPT if name != "memo"}
    for side in SIDES:
        found[f"supplied {side}"] = supplied_places(position, side)
        for unit in [*chain(*ready_stacks(position, side).values())][:2]:
            found[f"paths of {unit}"] = reachable(position, side, (unit,))
    return found


def test_every_fact_that_is_computed_once_says_what_it_is_computed_from():
    assert {*chain(*COMPUTED.values())} == {*KEPT}


@pytest.mark.parametrize(
    "changes",
    [
        {"places": {"N01": "C"}},
        {"control": {"C": N}},
        {"hands": {N: ()}},
        {"down": FaceDown()},
    ],
)
def test_a_fact_is_forgotten_with_any_of_those_it_comes_from(changes):
    before, _ = face_down(table({"D": "N01", "E": "R02"}, hands={N: "CN6a", R: "CR1a"}))
    known = computed(before)
    (name, new), *_ = changes.items()
    changed = {name: {**getattr(before, name), **new} if isinstance(new, dict) else new}
    assert computed(before.but(**changed)) == computed(replace(before, **changed)) != known


@pytest.mark.parametrize("facts", [(), ("rivers_open",)])
def test_what_is_kept_for_one_side_or_place_is_not_that_of_another(facts):
    position = table({"D": "N01", "C": "N02 R01", "DD": "R02"}, facts=facts, nationalist="D K S")
    for side in SIDES:
        assert supplied_places(position, side) == supplied_places(replace(position), side)
        for place in position.board.places:
            assert ways_out(position, side, place) == ways_out(replace(position), side, place)


def test_what_is_carried_over_is_what_would_be_computed_anew():
    for moment in islice(playout("madrid", "campaign", 1, whole=True), MOMENTS):
        position = moment.state.position
        for event in moment.step.events:
            computed(position)
            position = event.apply(position)
            assert computed(position) == computed(replace(position)), event


def test_a_copy_has_no_field_that_a_position_has_not():
    with pytest.raises(AssertionError, match="colour"):
        table({"D": "N01"}).but(colour="red")
