"""Rules of a sentence each, from all chapters."""

from __future__ import annotations

from copy import deepcopy

import pytest

from pbem.engine import kernel
from pbem.engine.codec import to_plain
from pbem.engine.mentions import FILE_OF_THE_OTHER
from pbem.engine.model import State
from pbem.gamedata.load import load
from pbem.gamefile.canonical import encoded
from pbem.gamefile.limits import CHOICE_BYTES, CHOICE_SIZES, DOCUMENT_BYTES
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.position import ELIMINATED, Combat, Mission
from pbem.games.nopasaran.rules import (
    activation,
    air,
    artillery,
    combat,
    command,
    engineers,
    fate,
    movement,
    retreat,
    ways,
)
from pbem.games.nopasaran.rules.naming import names_its_own, names_what_there_is
from pbem.games.nopasaran.stages.activation import Activating
from pbem.games.nopasaran.stages.combat import Retreating
from pbem.games.nopasaran.stages.day import Assigning, Dawn, Planning
from pbem.games.nopasaran.system import NoPasaran
from pbem.games.nopasaran.tables import CORPS, FORMATION, RAILWAY_ENGINEER, Tables
from pbem.messages import words
from pbem.play.table import Illegal, Table
from tests.contract.playing import system
from tests.games.nopasaran.table import (
    LARGE,
    N,
    R,
    faults,
    in_command,
    led,
    play,
    rules_broken,
    start,
    state_of,
    table,
    tables,
)


@pytest.mark.rule("2.5", "6.6.5", "21.p4")
@pytest.mark.parametrize(("field", "fact", "told"), [
    ("lost", {"N-2Leg/5": 1}, [["N-2Leg/5", 1]]),
    ("disorganised", frozenset({"N-2Leg/5"}), ["N-2Leg/5"]),
    ("demoralised", frozenset({"N-2Leg/5"}), ["N-2Leg/5"]),
    ("cut_off", {"N-2Leg/5": 1}, [["N-2Leg/5", 1]]),
    ("works", {"G11": "position"}, [["G11", "position"]]),
    ("roads", {"I09": "damaged"}, [["I09", "damaged"]]),
    ("rails", {"H11": "destroyed"}, [["H11", "destroyed"]]),
    ("bridges", {"B-PIN": "damaged"}, [["B-PIN", "damaged"]]),
    ("weather", "rain", "rain"), ("day", 3, 3),
    ("activated", frozenset({"N-R5"}), ["N-R5"]),
    ("assigned", {"N-Zap-III": "N-R5"}, [["N-Zap-III", "N-R5"]]),
])  # fmt: skip
def test_all_markers_are_kept_and_seen(field, fact, told):
    assert NoPasaran({}).public(start(**{field: fact}))[field] == told


@pytest.mark.rule("2.7")
def test_every_die_has_ten_faces():
    position = in_command(table({"J13": "N-2Leg/5", "J14": "R-1/48"}))
    step = kernel.submit(state_of(position, N), o.Attack("J14", {"J13": ("N-2Leg/5",)}))
    while not hasattr(wanted := kernel.waits_for(step.state), "draws"):
        step = kernel.submit(step.state, wanted.default)
    assert {draw.faces for draw in wanted.draws} == {10}


def ruled(position, *rules):
    """The position in a battle with more rules of its own."""
    found = position.but()
    found.__dict__["plain"] = {**position.plain, "special": [*position.plain["special"], *rules]}
    return found


# ------------------------------------------------------------------- 5, 6


@pytest.mark.rule("6.6.6")
def test_a_free_sheet_is_written_with_the_assignments_of_the_first_day():
    position = ruled(start(), {"rule": "6.6.6", "side": "nationalist"})
    state = State(position, (Assigning(N),))
    sheet = {"N-2Leg/5": "N-R7", "N-Zap-III": "N-R7", "N-Art75-III": "N-IV-NTD", "N-R6": "N-IV"}
    written = play(state, o.Assign(sheet)).position
    assert written.moved_to == sheet and not written.assigned
    assert [written.commander(unit) for unit in ("N-2Leg/5", "N-Art75-III")] == [
        "N-R7", "N-IV-NTD"]  # fmt: skip
    assert "N-2Leg/5" in written.members("N-R7") and written.parent("N-R6") == "N-IV"
    assert written.home("N-2Leg/5") == "N-R7"
    wrong = {"N-2Leg/5": "N-IV", "N-CG-R5": "N-R7", "N-R6": "N-R7", "N-III": "N-IV"}
    for who, to in wrong.items():
        assert rules_broken(state, o.Assign({who: to})) == ["6.6.6"], who
    for other in (State(position.but(day=2), (Assigning(N),)), State(start(), (Assigning(N),))):
        assert rules_broken(other, o.Assign(sheet)) == ["6.6.3"], "guns go to combat formations"
        del (least := {**sheet})["N-Art75-III"]
        assert set(rules_broken(other, o.Assign(least))) == {"6.6.2", "6.6.3"}
    for who, above in (("N-2Leg/5", "N-R5"), ("N-R6", "N-III")):
        assert faults(state, o.Assign({who: o.OWN})) == [
            ("6.6", f"{who} already belongs to {above}")]  # fmt: skip
    foreign = State(position, (Assigning(R),))
    both = o.Assign({"R-1/17": "R-23B", "R-2/17": "R-23B"})
    assert set(rules_broken(foreign, both)) == {"6.6.3"}


@pytest.mark.rule("5.2.2.bomb", "7.3.3")
def test_a_bombing_is_flown_once_at_its_target_alone_or_with_guns():
    position = in_command(table({"J10": "N-Art75-II", "J11": "N-2Leg/5", "J15": "R-1/19",
                                 "J16": "R-2/19"},
                                missions={"N-Ju52-1": Mission("bomb", "J15")}))  # fmt: skip
    bombs, guns = ("N-Ju52-1",), ("N-Art75-II",)
    alone = artillery.factor_of(position, (), bombs)
    assert artillery.factor_of(position, guns, bombs) == alone + (
        artillery.factor_of(position, guns, ())
    )
    state = state_of(position, N)
    assert rules_broken(state, o.Bombard("J16", (), bombs)) == ["7.3.3"]
    flown = play(state, o.Bombard("J15", (), bombs), 1)
    assert rules_broken(flown.state, o.Bombard("J15", (), bombs)) == ["7.3.3"]
    # If bombers are fired at, only a part of their factor may be left.
    watched = in_command(position.but(options=position.options | {"fire_at_all_missions"}, stacks={
        **position.stacks, "J16": ("R-2/19", "R-76AA")}))  # fmt: skip
    hit = play(state_of(watched, N), o.Bombard("J15", (), bombs), 1, 10)
    (fire,), (bombed,) = hit.found(e.FiredAt), hit.found(e.Bombarded)
    assert (alone, fire.left, bombed.factor) == (4, 2, 2)
    assert (flown.found(e.Bombarded)[0].column, bombed.column) == ("3-4", "1-2")
    foreign = in_command(position.but(missions={"R-SB-1": Mission("bomb", "J15")}))
    assert artillery.bombers(foreign, N, "J15") == ()
    for_cas = in_command(position.but(missions={"N-Ju52-1": Mission("cas", "J15")}))
    assert artillery.bombers(for_cas, N, "J15") == ()


@pytest.mark.rule("5.5.p4", "6.2.p5")
def test_command_is_that_of_the_moment():
    position = start()
    assert command.in_command(position, "N-2Leg/5")
    gone = e.UnitsDisplaced(("N-CG-R5",), ("T20",)).apply(position)
    assert not command.in_command(gone, "N-2Leg/5")
    far = table({"N08": "N-8Leg/7", "M08": "N-CG-R7", "L08": "N-CG-IV", "K01": "N-CG-DRM"})
    assert command.in_command(far, "N-8Leg/7")
    assert not command.in_command(far.but(assigned={"N-8Leg/7": "N-R5"}), "N-8Leg/7")
    theirs = table({"N08": "N-8Leg/7", "M08": "R-CG-19B", "K01": "N-CG-DRM"})
    assert not command.in_command(theirs, "N-8Leg/7")


@pytest.mark.rule("5.6.4")
def test_reinforcements_wait_for_their_day():
    position = start()
    coming = position.plain["reinforcements"][0]
    unit, day = coming["units"][0], coming["turn"]
    assert not activation.comes_today(position.but(day=day - 1), unit)
    assert activation.comes_today(position.but(day=day), unit)
    assert not activation.comes_today(position.but(day=day), "N-2Leg/5")
    step = kernel.begin(State(position.but(day=day - 1), (Dawn(),)))
    formation = position.printed(unit).formation
    assert unit in activation.of_formation(step.state.position, formation)


# ------------------------------------------------------------------- 7, 8, 10


@pytest.mark.rule("7.3.2.p3")
def test_any_number_of_aircraft_supports_an_attack_and_is_done_then():
    planes = ("N-He51-1", "N-Ju52-1")
    position = in_command(table({"J13": "N-2Leg/5", "J14": "R-1/48", "J12": "N-CG-R5"},
                                missions=dict.fromkeys(planes, Mission("cas", "N-CG-R5")),
                                ))  # fmt: skip
    order = o.Attack("J14", {"J13": ("N-2Leg/5",)}, support=o.Backing((), planes))
    state = state_of(position, N)
    assert rules_broken(state, order) == []
    fight = Combat(N, "J14", "regular", ("N-2Leg/5",), {"J13": ("N-2Leg/5",)}, ("R-1/48",),
                   air=planes)  # fmt: skip
    own = combat.attack_strength(position, Combat(N, "J14", "regular", ("N-2Leg/5",), {}, ()))
    each = [position.board.air[unit].support for unit in planes]
    assert combat.attack_strength(position, fight) == own + sum(each)
    step = kernel.submit(state, order)
    while not hasattr(wanted := kernel.waits_for(step.state), "draws"):
        step = kernel.submit(step.state, wanted.default)
    assert step.state.position.flown == set(planes)


@pytest.mark.rule("8.p2", "8.p3")
def test_who_arrives_may_be_too_many_until_the_activation_ends():
    position = start()
    coming = position.plain["reinforcements"][0]
    unit, hex = coming["units"][0], coming["entry"][0]
    side = position.side_of(unit)
    there = {N: ("N-2Leg/5", "N-SFrn/6", "N-2Alh/6"), R: ("R-1/19", "R-2/19", "R-3/19")}[side]
    stacks = {each: tuple(unit for unit in units if unit not in there)
              for each, units in position.stacks.items()}  # fmt: skip
    stacks = {each: units for each, units in stacks.items() if units}
    stacks[hex] = (*stacks.get(hex, ()), *there)
    full = in_command(position.but(day=coming["turn"], stacks=stacks))
    assert full.troops_of((*there, unit)) > 10
    arrived = play(state_of(full, side, unit, *there), o.Arrive((unit,), hex))
    assert arrived.position.troops_of(arrived.position.stacks[hex]) > 10
    ended = play(arrived.state, o.Done())
    assert ended.position.troops_of(ended.position.stacks[hex]) <= 10


@pytest.mark.rule("10.p6")
def test_nobody_moves_the_enemy():
    state = state_of(table({"J10": "N-2Leg/5", "C16": "R-1/19"}), N)
    assert rules_broken(state, o.Move(("R-1/19",), ("C17",))) == ["10.p6"]


@pytest.mark.parametrize(("order", "message", "path"), [
    (o.Move(("R-1/19", "R-2/19"), ("C17",)),
     "1.º Batallón, 19.ª BM (R-1/19) and 1 other unit here are Republican", ("units", 0)),
    (o.Attack("C16", {"J10": ("N-2Leg/5", "R-2/19")}),
     "2.º Batallón, 19.ª BM (R-2/19) is Republican", ("from", "J10", 1)),
    (o.Activate(formation="R-19B"), "", ("formation",)),
    (o.Scout("R-1/19", "C17"), "1.º Batallón, 19.ª BM (R-1/19) is Republican", ("unit",)),
])  # fmt: skip
def test_orders_about_the_enemys_units_have_one_fault(order, message, path):
    position = table({"J10": "N-2Leg/5", "C16": "R-1/19 R-2/19"})
    acts = state_of(position, N)
    state = State(position, (Activating(N),)) if isinstance(order, o.Activate) else acts
    (fault,) = kernel.violations(state, order)
    assert str(fault.message).startswith(message) and fault.at == path


def test_a_name_of_nothing_is_told_at_its_key_or_its_value():
    position = start()
    for to, at, is_key in (({"own": "N-R5"}, "own", True), ({"N-R99": "N-R5"}, "N-R99", True),
                           ({"N-2Leg/5": "N-R99"}, "N-2Leg/5", False)):  # fmt: skip
        (fault,) = names_what_there_is(Assigning(N), position, o.Assign(to))
        assert (fault.at, fault.is_key) == (("to", at), is_key)
    assert not [*names_what_there_is(Assigning(N), position, o.Assign({"N-2Leg/5": "own"}))]


@pytest.mark.rule("10.p6")
def test_a_formation_of_the_enemys_counts_for_no_unit():
    position = table({"C16": "R-1/19"})
    for units, hint in ((("R-1/19", "R-2/19"), FILE_OF_THE_OTHER),
                        (("R-1/19", "N-2Leg/5"), "name units of your own")):  # fmt: skip
        (fault,) = names_its_own(Activating(N), position, o.Move(units, ("C17",)))
        assert str(fault.hint) == str(hint), "hexes do not count"
    (fault,) = names_its_own(Activating(N), position, o.Assign({"R-1/19": "R-19B"}))
    assert str(fault.message).startswith("1.º Batallón, 19.ª BM (R-1/19) is Republican")
    assert fault.hint == FILE_OF_THE_OTHER
    (fault,) = names_its_own(Activating(N), position, o.Activate(formation="R-19B"))
    assert str(fault.hint) == "name units of your own"
    assert str(fault.message).endswith(", and you are the Nationalist player")


@pytest.mark.rule("10.p7", "14")
def test_no_way_leads_off_the_map():
    position = in_command(table({"A10": "R-1/19", "B10": "N-2Leg/5"}))
    ground = position.ground
    assert ground.around["A10"] == ("A11", "B10", "B09", "A09") and len(ground.around["G12"]) == 6
    going = position.but(combat=Combat(N, "A10", "regular", ("N-2Leg/5",), {}, ("R-1/19",)))
    state = State(in_command(going), (Retreating(R, ("R-1/19",), 2),))
    assert all(hex in ground for way in retreat.retreats(going, "R-1/19", 1) for hex in way)
    assert rules_broken(state, o.Retreat({}, {"R-1/19": 2})) == []


# ------------------------------------------------------------------- 11, 12


@pytest.mark.rule("11.1.p3")
def test_guns_that_are_attacked_defend_with_their_defence_factor():
    position = in_command(table({"J14": "R-75", "J13": "N-2Leg/5"}))
    fight = Combat(N, "J14", "regular", ("N-2Leg/5",), {"J13": ("N-2Leg/5",)}, ("R-75",))
    printed = position.printed("R-75")
    assert printed.defence != printed.fire
    assert combat.defence_strength(position, fight) == printed.defence


@pytest.mark.rule("12")
def test_nobody_has_to_attack():
    state = state_of(table({"J13": "N-2Leg/5", "J14": "R-1/48"}), N)
    assert o.Done in {option.order for option in kernel.waits_for(state).options}
    assert play(state, o.Done()).found(e.CombatBegan) == []


@pytest.mark.rule("12.3", "12.3.3", "12.1.b2", "12.3.1.b6")
def test_each_type_of_attack_asks_for_something_and_is_resolved_at_once():
    position = in_command(table({"F16": "R-T26-1 R-1/19", "F15": "N-2Alh/6"}))
    foot = o.Attack("F15", {"F16": ("R-1/19",)})
    moved = position.but(spent={"R-1/19": 2})
    for type, rules in (("regular", []), ("improvised", []), ("prepared", ["12.3.3"])):
        order = o.Attack("F15", foot.units, type)
        assert rules_broken(state_of(in_command(moved), R), order) == rules
        began = kernel.submit(state_of(position, R), order).events[0]
        assert began.combat.type == type
    assert "12.3.1" in rules_broken(state_of(position, R), o.Attack("F15", foot.units, "mobile"))
    clear = in_command(table({"C15": "R-T26-1", "C16": "N-CG-R6"}))
    gone = play(state_of(clear, R), o.Attack("C16", {"C15": ("R-T26-1",)}, "mobile"))
    assert gone.position.combat is None and gone.position.at("R-T26-1") == "C16"


@pytest.mark.rule("12.6.4", "12.6.6", "17.1.b1")
def test_supply_and_disorder_count_in_a_combat():
    position = table({"J13": "N-SFrn/6"})
    units = ("N-SFrn/6",)
    assert combat.strength(in_command(position), units, "regular") == {"N-SFrn/6": 5}
    assert combat.strength(position, units, "regular") == {"N-SFrn/6": 4}
    upset = in_command(position.but(disorganised=frozenset(units)))
    assert combat.strength(upset, units, "regular") == {"N-SFrn/6": 3}


# ------------------------------------------------------------------- 17, 20, J


@pytest.mark.rule("17", "17.1.b5")
def test_disorder_has_a_marker_and_no_mobile_attack():
    position = table({"C15": "R-T26-1", "C16": "N-20", "H11": "N-Pont-1"},
                     pontoons={"N-Pont-1": "H11/H12"})  # fmt: skip
    upset = e.Disorganised(("R-T26-1", "N-Pont-1")).apply(position)
    assert upset.disorganised == {"R-T26-1", "N-Pont-1"} and not upset.pontoons
    order = o.Attack("C16", {"C15": ("R-T26-1",)}, "mobile")
    assert "17.1.b5" in rules_broken(state_of(in_command(upset), R), order)
    assert "17.1.b5" not in rules_broken(state_of(in_command(position), R), order)


@pytest.mark.rule("20.b4", "20.5")
def test_only_railway_engineers_repair_rails():
    plain = deepcopy(dict(load("nopasaran").tables))
    (sappers,) = [each for each in plain["units"]["units"] if each["id"] == "N-Zap-II"]
    sappers["type"] = RAILWAY_ENGINEER
    there = table({"H11": "N-Zap-II", "H10": "N-Zap-III"},
                  rails={"H11": "destroyed", "H10": "destroyed"})  # fmt: skip
    state = state_of(there.but(board=Tables(plain)), N)
    assert rules_broken(state, o.Engineer("N-Zap-II", engineers.REPAIR)) == ["J.6"]
    none = state_of(state.position.but(), N)
    none.position.__dict__["plain"] = {**state.position.plain, "special": ()}
    assert rules_broken(none, o.Engineer("N-Zap-II", engineers.REPAIR)) == ["20.5"]
    state = state_of(ruled(state.position, {"rule": "20.5"}), N)
    assert rules_broken(state, o.Engineer("N-Zap-II", engineers.REPAIR)) == []
    assert rules_broken(state_of(state.position.but(rails={}), N),
                        o.Engineer("N-Zap-II", engineers.REPAIR)) == ["20.4"]  # fmt: skip
    assert rules_broken(state, o.Engineer("N-Zap-II", engineers.DESTROY_ROAD)) == ["20"]
    assert rules_broken(state, o.Engineer("N-Zap-III", engineers.REPAIR)) == ["20.4"]


@pytest.mark.rule("J.6")
def test_a_railway_bridge_carries_no_road():
    position = in_command(table({"G12": "N-2Leg/5"}))
    for by_road in (True, False):
        cost = movement.step_cost(position, ("N-2Leg/5",), "N-2Leg/5", "G12", "G13",
                                  by_road=by_road)  # fmt: skip
        assert cost == 2 + 2


@pytest.mark.rule("6.6")
@pytest.mark.parametrize(("who", "to"), [
    ("R-1/17", "N-R5"), ("N-2Alh/6", "N-R5"), ("N-2Leg/5", o.OWN),
])  # fmt: skip
def test_what_cannot_be_assigned_is_told_at_its_name(who, to):
    position = start(away={**start().away, "N-2Alh/6": ELIMINATED},
                     stacks={**start().stacks, "H11": ("N-2Mel/6",)})  # fmt: skip
    (found,) = kernel.violations(State(position, (Assigning(N),)), o.Assign({who: to}))
    assert found.at == ("to", who) and found.is_key == (to != o.OWN)


@pytest.mark.rule("6.6.3")
def test_a_formation_borrows_from_one_other_and_each_side_counts_by_itself():
    borrowed = o.Assign({"R-1/17": "R-48B", "R-1/23": "R-48B"})
    small = start(lost={"R-1/17": 2, "R-1/23": 2})
    (fault,) = faults(State(small, (Assigning(R),)), borrowed)
    assert fault[0] == "6.6.3" and fault[1].endswith("borrows from two formations")
    theirs = start(assigned={"R-1/17": "R-23B", "R-2/17": "R-23B"})
    assert rules_broken(State(theirs, (Assigning(N),)), o.Assign({"N-Zap-III": "N-R5"})) == []


@pytest.mark.rule("11.5.1")
def test_a_road_that_is_damaged_at_either_end_is_none():
    position = table({})
    here, there = sorted(position.ground.road_steps)[0]
    assert ways.is_by_road(position, here, there, N)
    for broken in (here, there):
        assert not ways.is_by_road(position.but(roads={broken: "damaged"}), here, there, N)


@pytest.mark.rule("J.7")
def test_pontoons_go_to_formations_of_their_corps():
    state = State(start(day=3), (Assigning(N),))
    assert rules_broken(state, o.Assign({"N-Pont-1": "N-R9"})) == []
    corps = next(id for id, each in state.position.board.formations.items()
                 if each.level == CORPS and each.side == R)  # fmt: skip
    gone = State(start(day=3, moved_to={"N-V": corps}), (Assigning(N),))
    assert rules_broken(gone, o.Assign({"N-Pont-1": "N-R9"})) == ["6.6.1", "J.7"]
    assert rules_broken(gone, o.Assign({"N-88": "N-R9"})) == ["6.6.1"]


# ------------------------------------------------------------------- what fits into a file


def plain_bytes(*orders):
    """The bytes of orders as a file has them."""
    return len(encoded([{order.verb: to_plain(order)} for order in orders]))


@pytest.mark.parametrize("side", [N, R])
def test_the_largest_morning_fits_a_sealed_choice(side):
    """Every aircraft on a mission, and all that can be assigned at once."""
    position = led(start())
    planning = Planning(side).ask(position)
    headquarters = air.support_targets(position, side)
    for target in (*headquarters, "O14"):
        kind = "cas" if target in headquarters else "bomb"
        flown = o.Fly({plane: o.Flight(**{kind: target}) for plane in air.aircraft(position, side)})
        assert plain_bytes(flown) <= plain_bytes(planning.longest) < CHOICE_SIZES[0]
    stage = Assigning(side)
    formations = [id for id, each in position.board.formations.items()
                  if each.side == side and each.level == FORMATION]  # fmt: skip
    to: dict[str, str] = {}
    for unit in position.on_map(side):
        for formation in formations:
            if not any(stage.check(position, o.Assign({**to, unit: formation}))):
                to[unit] = formation
                break
    assert len(to) >= 13
    assert plain_bytes(o.Assign(to)) < CHOICE_BYTES


def test_an_activation_of_twelve_units_fits_a_document_of_standing_orders():
    hexes = tables().ground(LARGE).hexes
    moves = [o.Move((unit,), hexes[:12]) for unit in list(tables().units)[:12]]
    guns = ("N-Art75-III", "N-Art105-III")
    attack = o.Attack("G13", {"G12": ("N-1TirIf/5", "N-Zap-III")}, "prepared", "N-1TirIf/5",
                      o.Backing(guns, ("N-He51-1",)), o.Following(("N-1TirIf/5",)))  # fmt: skip
    whole = (o.Activate(division="N-III"), *moves, attack, attack, attack,
             o.Bombard("G13", guns), o.Done())  # fmt: skip
    assert plain_bytes(*whole) < DOCUMENT_BYTES


# ------------------------------------------------------------------- single conditions


@pytest.mark.parametrize("order", [o.Activate(division="own"), o.Activate(formation="own")])
def test_no_formation_is_called_own_but_in_an_assignment(order):
    (found,) = kernel.violations(State(start(), (Activating(N),)), order)
    assert words(found.message) == "there is no formation 'own'"


@pytest.mark.rule("5.3", "5.3.1", "5.4.1", "5.5.p3", "3.2.p3")
def test_who_could_still_act():
    position = start(successes={N: 2})
    assert (activation.bonus(position, N), activation.bonus(position, R)) == (2, 0)
    assert "N-R5" in activation.formations(position, N)
    assert not {"N-III", "N-III-NTD", "R-19B"} & {*activation.formations(position, N)}
    spent = position.but(acted=frozenset(position.on_map(N)))
    assert not activation.formations(spent, N) and not activation.has_more_to_do(spent, N)
    sappers = spent.but(acted=spent.acted - {"N-Zap-III"})
    assert not activation.formations(sappers, N)
    assert "N-Zap-III" in activation.single_units(sappers, N)
    assert "R-Zap-1" not in activation.single_units(sappers, N)
    assert activation.has_more_to_do(sappers, N)
    held = spent.but(acted=spent.acted - {"N-2Leg/5"}, activated=frozenset({"N-R5"}))
    assert not activation.formations(held, N) and activation.has_more_to_do(held, N)
    gone = position.but(away={**position.away, "N-2Leg/5": ELIMINATED},
                        stacks={**position.stacks, "G11": ("N-ACeu/5", "N-Pz-1")})  # fmt: skip
    assert not activation.is_ready(gone, "N-2Leg/5") and activation.is_ready(gone, "N-ACeu/5")


@pytest.mark.rule("5.4.1.1")
def test_a_division_acts_with_those_in_command():
    position = e.UnitsDisplaced(("N-2Leg/5",), ("T20",)).apply(start())
    assert "N-2Leg/5" not in activation.of_division(position, "N-III")
    assert "N-ACeu/5" in activation.of_division(position, "N-III")


@pytest.mark.rule("16", "16.1", "13", "8.p6")
def test_guns_and_engineers_never_check_their_morale_and_stacks_are_arranged_whole():
    lost = {"N-Art75-III": 1, "N-Zap-III": 1, "R-1/19": 3}
    position = in_command(
        table({"J13": "N-Art75-III N-Zap-III", "K10": "N-Zap-II", "K14": "R-1/19"}, lost=lost)
    )
    assert [unit for unit in lost if fate.must_check(position, unit)] == ["R-1/19"]
    low = position.but(lost={"N-Art75-III": 9, "N-Zap-III": 9})
    assert not fate.must_check(low, "N-Art75-III") and not fate.must_check(low, "N-Zap-III")
    assert fate.takes_part(position, ("R-1/19", "R-2/19")) == ("R-1/19",)
    clear = next(hex for hex in position.ground.hexes if position.terrain(hex).id == "clear")
    assert fate.morale_modifier(in_command(table({clear: "R-1/19"})), "R-1/19") == 0
    other = o.Arrange("J13", ("N-Zap-III", "N-Zap-II"))
    assert rules_broken(state_of(position, N), other) == ["8.p6"]


@pytest.mark.rule("12.3")
def test_a_signed_order_says_a_type_of_attack_that_there_is():
    """The other player's program may sign any word; the rules never see it."""
    table = Table(system("nopasaran"), {"A": N, "B": R}, State(start(), (Assigning(N),)))
    attack = {"hex": "G13", "from": [["G12", ["N-1TirIf/5"]]], "type": "R-75"}
    with pytest.raises(Illegal) as refused:
        table.read({"attack": attack})
    (fault,) = refused.value.violations
    assert fault.at == ("type",) and str(fault.message).endswith("here, not the text 'R-75'")
    assert table.read({"attack": {**attack, "type": "prepared"}})
