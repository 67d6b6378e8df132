"""What check says of a legal order: command and supply, costs and why, points left to the guns."""

from __future__ import annotations

import pytest

from pbem.engine.model import State
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.advice import COUNSEL
from pbem.games.nopasaran.options import INTERDICT_EACH_HEX
from pbem.games.nopasaran.position import Interdiction
from pbem.games.nopasaran.stages.activation import Acting, Activating
from pbem.games.nopasaran.stages.day import Assigning, Planning
from pbem.games.nopasaran.warnings import WARNED
from pbem.messages import words
from tests.games.nopasaran.table import (
    N,
    R,
    activated,
    in_command,
    rules_broken,
    start,
    state_of,
    table,
)


def remarks(state, order) -> list[str]:
    assert rules_broken(state, order) == []
    return [str(each) for each in COUNSEL.remarks(state, order)]


def test_an_activation_tells_the_line_of_command_supply_and_guns():
    state = State(start(disorganised=frozenset()), (Activating(N),))
    five, *_ = remarks(state, o.Activate(formation="N-R5"))
    assert five == ("Regimiento 5 (III Brigada) (N-R5) is in command: N-CG-R5, 2 to N-CG-III, "
                    "5 to N-CG-DRM, 0 to the road")  # fmt: skip
    whole = remarks(state, o.Activate(division="N-III"))
    assert any(each.startswith("points left to the batteries: ") for each in whole)
    assert any("(N-Art75-III) 6" in each for each in whole)


def test_what_no_dice_can_mend_is_refused_behind_them():
    """Only what may become legal is left open until its turn comes."""
    state = state_of(in_command(table({"G12": "N-1TirIf/5", "G13": "R-AMarty/12"})), N)

    def wrong(order):
        return [str(each.message) for each in COUNSEL.foreseen(state, N, order, ())[0]]

    foot = {"G12": ("N-1TirIf/5",)}
    assert [each[-34:] for each in wrong(o.Attack("G13", foot, "mobile"))] == [
        "is neither mechanised nor motorised"[-34:]
    ]
    assert wrong(o.Attack("G13", foot)) == []
    assert "is Republican" in wrong(o.Activate(formation="R-12BI"))[0]
    assert wrong(o.Activate(formation="N-R6")) == []


def test_aircraft_that_are_left_without_a_mission_are_told():
    """Missions are given once a day: who is forgotten stays at home."""
    state = State(start(), (Planning(N),))
    (told,) = remarks(state, o.Fly({"N-Ro37": o.Flight(reco="H14")}))
    assert told.startswith("without a mission today: ") and "N-Ju52-1" in told
    assert "N-Ro37" not in told and remarks(state, o.Fly()) == []


def test_who_is_out_of_command_is_told_with_the_supply_that_is_left():
    state = State(table({"G12": "N-SFrn/6", "H10": "N-CG-R6"}), (Activating(N),))
    told = remarks(state, o.Activate(formation="N-R6"))
    assert told == ["out of command: CG Regimiento 6 (N-CG-R6), "
                    "Batallón San Fernando (N-SFrn/6) (6.3)",
                    "CG Regimiento 6 (N-CG-R6), Batallón San Fernando (N-SFrn/6): "
                    "reduced supply"]  # fmt: skip


def test_a_move_is_told_step_by_step():
    position = in_command(
        table({"H11": "N-2Leg/5 N-Art75-III", "G11": "N-SFrn/6", "F12": "R-1/19"})
    )
    state = state_of(position, N)
    (told, *_) = remarks(state, o.Move(("N-2Leg/5",), ("G11",)))
    assert told == ("II Bandera (N-2Leg/5): 2 of 6 movement points, 2 for G11 "
                    "(clear ground + friends in the way)")  # fmt: skip
    zone = remarks(state, o.Move(("N-2Leg/5",), ("G12",)))[0]
    assert "enemy zones" in zone
    guns = remarks(state, o.Move(("N-Art75-III",), ("H10",)))
    assert "points left to the batteries" in guns[1]


def test_interdiction_and_the_least_move_are_told():
    marker = {"G12": (Interdiction("republican", 2, "R-I15-1"),)}
    position = in_command(
        table({"H11": "N-2Leg/5"}, interdicted=marker, disorganised=frozenset({"N-2Leg/5"}))
    )
    told = remarks(state_of(position, N), o.Move(("N-2Leg/5",), ("G12",)))
    assert "2 for interdiction" in told[0]
    near = {"J10": (Interdiction("republican", 1, "R-I15-1"),)}
    for options, charge in (((), 1), ((INTERDICT_EACH_HEX,), 2)):
        by_road = in_command(table({"L10": "N-2Leg/5"}, *options, interdicted=near))
        told = remarks(state_of(by_road, N), o.Move(("N-2Leg/5",), ("K10", "J10")))
        assert f"{1 + charge} of 6 movement points" in told[0]
        assert f", {charge} for interdiction" in told[0]


def test_a_bombardment_tells_its_column_and_what_the_guns_have_left():
    position = in_command(table({"H10": "N-Art75-III", "J12": "R-1/19"}))
    column, guns = remarks(state_of(position, N), o.Bombard("J12", ("N-Art75-III",)))
    assert column.startswith("factor 3, column ") and "(nobody to spot)" in column
    assert guns.endswith("(N-Art75-III) 4")


def test_an_attack_tells_who_is_out_of_command_and_a_reconnaissance_its_die():
    position = table({"B12": "N-Cab-1", "C13": "R-2/19"})
    attack = o.Attack("C13", {"B12": ("N-Cab-1",)})
    assert remarks(state_of(position, N), attack)[0].startswith("out of command: ")
    assert remarks(state_of(position, N), o.Scout("N-Cab-1", "C13")) == [
        "it succeeds with a die of 6 or less"]  # fmt: skip


@pytest.mark.parametrize(("stage", "order", "rule"), [
    (Activating(N), o.Move(("N-2Leg/5",), ("G12",)), "5.4.1"),
    (Assigning(N), o.Activate(formation="N-R5"), "5"),
    (Activating(N), o.Fly(), "5.1"),
])  # fmt: skip
def test_an_order_out_of_its_time_is_told_its_time(stage, order, rule):
    assert COUNSEL.why_not_now(State(start(), (stage,)), order).rule == rule
    assert COUNSEL.why_not_now(state_of(start(), N), o.Activate()).rule == "5.5"
    assert COUNSEL.why_not_now(state_of(start(), N), o.Lead()) is None
    days = len(start().plain["days"])
    for day in (days - 1, days):
        late = start(day=day, options=frozenset())
        offered = {each.order for each in Activating(N).ask(late).options}
        assert (o.Mix in offered) is (day < days) and o.Mask in offered
    told = COUNSEL.why_not_now(State(late, (Activating(N),)), o.Mix(o.ALL))
    assert words(told.message) == "on the last day nobody mixes"


def test_bombs_on_units_of_ones_own_are_a_warning():
    position = table({"D17": "R-1/17", "G13": "N-2Leg/5"})
    state = State(position, (Planning(R),))
    own, enemy, nobody = (o.Fly({"R-SB2-1": o.Flight(bomb=hex)}) for hex in ("D17", "G13", "E15"))
    (danger,) = WARNED.unwise(state, own)
    assert danger.rule == "7.3.3" and words(danger.message) == "your own units are in D17"
    assert not WARNED.unwise(state, enemy) and not WARNED.unwise(state, nobody)


def test_a_day_that_ends_while_formations_could_act_is_warned_of() -> None:
    ends = o.Finish()
    for stage in (Activating, Acting):
        position = in_command(table({"K10": "N-2Leg/5", "L10": "N-2Alh/6"}))
        position = activated(position, N, "N-2Leg/5") if stage is Acting else position
        state = State(position, (stage(N),))
        (danger,) = WARNED.unwise(state, ends)
        assert danger.rule == "5.3" and "could still be activated: " in words(danger.message)
        assert not WARNED.unwise(state, o.Done())
    nobody = State(table({"K10": "R-1/17"}), (Activating(N),))
    assert not WARNED.unwise(nobody, ends)
