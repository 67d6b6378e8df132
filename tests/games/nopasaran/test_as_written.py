"""Orders as the plan of the game writes them: each line is taken, and does what it says."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine.model import State
from pbem.engine.naming import NameFinder
from pbem.engine.policies import answering, reading, sealing
from pbem.gamedata.load import load
from pbem.gamefile.journal import Dropped, Lapsed, Ordered, PassedOver
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.policies.table import TABLE
from pbem.games.nopasaran.position import Combat, Position
from pbem.games.nopasaran.rules import factors
from pbem.games.nopasaran.stages.combat import Defending, Retreating
from pbem.games.nopasaran.system import NoPasaran
from pbem.messages import words
from pbem.orders.parse import parse
from pbem.play.dry_run import dry_run
from pbem.play.judged import parsed
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.text.yamlsource import read
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.table import N, R, activated, in_command, state_of, table

SYSTEM = NoPasaran(load("nopasaran").tables)
QUIET = """orders:
  - assign: none
  - fly: none
standing:
  counterbattery: never
  own: {works: none}
"""
MORNING = """orders:                                          # in the morning, both sealed
  - assign: {N-Zap-III: N-R5, N-Pz-1: N-R6}      # changes only; what is not named stays as it is
  - fly: {N-Ro37: {reco: H14}, N-He51-1: {cas: N-CG-R5}, N-Ju52-1: {bomb: F15}}
standing:
  retreat_before_combat: {when: {enemy_armour: true}, to: rear}
  support: {guns: {when: {points_left: 4+}}, air: all}
  primary: best
  counterbattery: always
  react: {when: {recon: tank}}
  retreat: [road, stay_together]
  losses_for_retreat: never
  works: fortification
"""
ACTIVATION = """orders:
  - activate: {division: N-III}
  - bombard: {guns: [N-Art105-III], target: G13}
  - attack: {hex: G13, type: prepared, from: {G12: [N-1TirIf/5, N-Zap-III]}, primary: N-1TirIf/5}
    support: {guns: [N-Art75-III], air: [N-He51-1]}
    advance: {units: [N-1TirIf/5]}
  - move: {units: [N-2Leg/5], path: [G11, G12, G13]}
    when: {control: {G13: nationalist}}
  - done
  - activate: {formation: N-CAB}                 # said ahead
  - move: {units: [N-Cab-2], path: [I08, H08, H09, H10]}
  - done
"""


def test_both_examples_of_the_plan_are_played_as_they_are_typed() -> None:
    """With these keys the bridge is taken and the initiative stays, so nothing is left over."""
    seats = Seats("5")
    seats.mail(QUIET)
    seats.mail(MORNING)
    seats.mail()
    seats.mail(ACTIVATION)
    seats.mail()
    told = [each for each in seats.fold.told() if isinstance(each, Ordered)]
    assert [next(iter(each.given.read.plain)) for each in told][-8:] == [
        "activate", "bombard", "attack", "move", "done", "activate", "move", "done",
    ]  # fmt: skip
    position = seats.table.state.position
    assert position.at("N-2Leg/5") == "G13" and position.at("N-Cab-2") == "H10"
    assert position.missions["N-Ju52-1"].target == "F15"
    assert (position.assigned["N-Zap-III"], position.assigned["N-Pz-1"]) == ("N-R5", "N-R6")
    left_over = (Lapsed, PassedOver, Dropped)
    assert not [each for each in seats.fold.told() if isinstance(each, left_over)]


@pytest.mark.parametrize("stray", ["assign: none", "fly: none", "retreat: {}"])
def test_a_stray_answer_in_an_activation_does_not_end_it(stray: str) -> None:
    """The orders behind it would be lost: what ends an activation is asked for behind dice."""
    seats = Seats("5")
    for mail in (QUIET, MORNING, ""):
        seats.mail(mail)
    verb = stray.partition(":")[0]
    with pytest.raises(Refused, match=f"'{verb}' cannot be given now"):
        seats.mail(ACTIVATION.replace("  - bombard", f"  - {stray}\n  - bombard"))


def test_a_part_that_nothing_follows_is_ended_for_the_next() -> None:
    """Without `done`, another activation said ahead ends the one before it."""
    seats = Seats("5")
    for mail in (QUIET, MORNING, ""):
        seats.mail(mail)
    seats.mail("orders:\n  - activate: {division: N-III}\n  - activate: {formation: N-CAB}\n")
    told = [each for each in seats.fold.told() if isinstance(each, Ordered)]
    assert [next(iter(each.given.read.plain)) for each in told][-2:] == ["activate", "done"]


# ------------------------------------------------------------------- names without their field


def problems(text: str) -> list[tuple[str, int, int]]:
    with pytest.raises(Refused) as refused:
        parse(Source("orders.yaml", text), SYSTEM.verbs)
    return [(str(each.message), each.span.line, each.span.column)
            for each in refused.value.problems if each.span]  # fmt: skip


def test_faults_of_names_without_their_field_are_told_where_they_stand() -> None:
    assert problems("orders:\n  - assign: {N-Pz-1: [N-R5, N-R6]}\n") == [
        ("N-Pz-1 must be a text, not a list", 2, 22)
    ]
    assert problems("orders:\n  - fly: {N-Ro37: {recon: H14}}\n") == [
        ("N-Ro37 has no field 'recon'", 2, 20)
    ]
    file = parse(Source("orders.yaml", "orders:\n  - assign: {N-Pz-1: ...}\n"), SYSTEM.verbs)
    (order,) = file.orders
    assert order.blanks == (("to", "N-Pz-1"),)
    assert file.span_of(0, ("to", "N-Pz-1")).column == 22
    both = "orders:\n  - assign: {N-Pz-1: N-R6}\n  - assign: {to: {N-Pz-1: N-R6}}\n"
    bare, full = parse(Source("orders.yaml", both), SYSTEM.verbs).orders
    assert bare.plain == full.plain == {"to": {"N-Pz-1": "N-R6"}}


def test_a_field_that_is_misspelt_is_not_taken_for_a_name() -> None:
    assert problems("orders:\n  - fly: {mission: {N-Ro37: {reco: H14}}}\n") == [
        ("fly has no field 'mission'", 2, 11)
    ]


BESIDE = "'ahead:' belongs next to 'orders:', not inside it: put it at the start of a line"
WHOLE = "write a whole number, without a comma or a point"


@pytest.mark.parametrize(("line", "told", "hint"), [
    ("fly: {N-Ju52-1: {bomb: G13}, ahead: open}", "nothing is named 'ahead' here", BESIDE),
    ("fly: {N-Ju52-1: {bomb: G13, ahead: open}}", "N-Ju52-1 has no field 'ahead'", BESIDE),
    ("fly: {N-Ju52-1: {bomb: G13}, when: {day: 1}}", "nothing is named 'when' here",
     "write it below the verb, as a line of its own"),
    ("move: {units: [N-Pz-1], path: [G12], ahead: open}", "move has no field 'ahead'", BESIDE),
    ("retreat: {losses: {N-2Leg/5: 1,5}}", "there is nothing after '5' in losses", WHOLE),
    ("retreat: {losses: {N-2Leg/5: '1,5'}}",
     "N-2Leg/5 must be a whole number, not '1,5'", WHOLE),
    ("retreat: {losses: {N-2Leg/5: 1.5}}", "N-2Leg/5 must be a whole number, not '1.5'", WHOLE),
])  # fmt: skip
def test_what_stands_in_the_wrong_place_or_form_has_a_way_out(
    line: str, told: str, hint: str
) -> None:
    with pytest.raises(Refused) as refused:
        parse(Source("orders.yaml", f"orders:\n  - {line}\n"), SYSTEM.verbs)
    assert [(words(each.message), words(each.hint)) for each in refused.value.problems] == [
        (told, hint)
    ]


def test_all_in_place_of_names_has_an_example_that_would_be_legal() -> None:
    seats = Seats("5")
    for line, example in (
        ("assign: all", "write assign: {...: ...}, such as assign: {R-1/17: R-23B}"),
        ("assign: none\n  - fly: all", "write fly: {...: ...}, such as fly: {R-R5: {reco: G11}}"),
    ):
        with pytest.raises(Refused) as refused:
            seats.mail(f"orders:\n  - {line}\n")
        assert [words(each.hint) for each in refused.value.problems] == [example]


def test_a_secret_choice_behind_dice_is_said_to_be_left_out() -> None:
    """Nobody could keep it from the enemy there."""
    seats = Seats("5", is_open=False)
    for mail in (QUIET, MORNING, ""):
        seats.mail(mail)
    text = "orders:\n  - activate: {formation: N-CAB}\n  - done\n  - fly: {N-Ro37: {reco: H14}}\n"
    found = dry_run(seats.game, KEYS["A"], parsed(Source("o.yaml", text), seats.game))
    told = [words(each) for each in found.sentences()]
    assert ("o.yaml:4:5: a secret choice is never given ahead: it is left out unless this mail "
            "comes to its question") in told  # fmt: skip
    assert not any("checked when its turn comes: fly" in each for each in told)
    assert not any(each.rule for each in found.warnings)


@pytest.mark.rule("10")
def test_a_path_may_begin_where_the_units_stand_and_its_faults_are_told_where_they_are() -> None:
    position = in_command(table({"K13": "N-2Leg/5"}))
    state = state_of(position, N)
    stage: Any = state.agenda[-1]
    for path, place in ((("K13", "K14", "K16"), 2), (("K14", "K16"), 1)):
        (fault,) = stage.check(state.position, o.Move(("N-2Leg/5",), path))
        assert fault.at == ("path", place)
    (fault,) = stage.check(state.position, o.Move(("N-2Leg/5",), ("K13",)))
    assert str(fault.message) == "the path is empty"
    ways = [stage.resolve(state.position, o.Move(("N-2Leg/5",), path)).events
            for path in (("K13", "K14"), ("K14",))]  # fmt: skip
    assert ways[0] == ways[1]


# ------------------------------------------------------------------- standing orders


def standing(state: Any, side: Any, text: str) -> Any:
    """A document of standing orders as they are typed; they have no faults."""
    names: NameFinder = SYSTEM.names(state, side, None, answering=False)
    written = reading.bound(TABLE, names, read(Source("standing.yaml", text)).value)
    assert reading.faults(TABLE, state.position, side, written) == ()
    (part,) = sealing.parts(TABLE, state.position, side, written)
    return part["doc"]


def answered(state: Any, side: Any, text: str) -> Any:
    asked = state.agenda[-1].ask(state.position)
    return answering.answer(TABLE, state, asked, standing(state, side, text))


def attacked(stacks: dict[str, str], hex: str = "K14", at: str = "K13", **facts: Any) -> Position:
    """The position with an attack on a hex, by the Legion in the other."""
    position = in_command(table(stacks, **facts))
    legion = ("N-2Leg/5",)
    fight = Combat(N, hex, "regular", legion, {at: legion}, position.stacks[hex])
    return in_command(activated(position, N).but(combat=fight))


def test_batteries_support_that_have_points_enough_left() -> None:
    """Points are those of the day, after what was spent."""
    position = attacked({"K13": "N-2Leg/5", "K14": "R-AMarty/12", "K16": "R-CG-12BI R-77/12"},
                        spent={"R-77/12": 4})  # fmt: skip
    state = State(position, (Defending(R),))
    assert Defending(R).whole(position).guns == {"R-77/12": "K13"}
    left = (factors.allowance(position, "R-77/12") - 4) // 2
    for wanted, fires in ((f"{left}+", True), (f"{left + 1}+", False), (f"<{left}", False)):
        order = answered(state, R, f"support: {{guns: {{when: {{points_left: '{wanted}'}}}}}}")
        assert (order.guns == {"R-77/12": "K13"}) is fires, wanted


@pytest.mark.parametrize(
    ("wish", "rifles", "guns"),
    [
        ("[road, stay_together]", "K19 L19", "J19 I20"),
        ("road", "K19 L19", "J19 I20"),
        ("[stay_together, road]", "J19 I20", "J19 I20"),
        ("stay_together", "J19 I20", "J19 I20"),
        ("{J18: [K19]}", "J19 I20", "J19 I20"),
    ],
)
def test_words_rank_the_ways_of_a_retreat(wish: str, rifles: str, guns: str) -> None:
    """Only on foot the road over K19 is open, so by road they part."""
    position = attacked({"I19": "N-2Leg/5", "J18": "R-1/19 R-77/12"}, hex="J18", at="I19")
    state = State(position, (Retreating(R, position.stacks["J18"], 2),))
    found = answered(state, R, f"retreat: {wish}")
    assert found.paths == {"R-1/19": tuple(rifles.split()), "R-77/12": tuple(guns.split())}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("retreat: [rode]", "expected road, stay_together"),
        ("retreat: [road, road]", "'road' is named twice"),
        ("retreat: []", "an empty list has no effect"),
        ("retreat: {G99: [G14]}", "no hex is named 'G99'"),
        ("support: {guns: {when: {weather: rain}}}", "no condition is named 'weather'"),
        ("support: {guns: {points: 4}}", "guns must be all, none, a number, or name when"),
        ("primary: bets", "expected a list of units"),
        ("primary: [N-2Leg/5]", "'N-2Leg/5' matches no Republican unit"),
        ("own: {advance: [R-1/19, N-R5]}", "'N-R5' matches no Republican unit"),
        ("displace: [pontoon]", "'pontoon' matches no Republican unit"),
        ("retreat: {K13: [L13], G13: [G14, K14]}", "K14 is not next to"),
        ("activations: [[activate: {formation: N-R5}, done]]", "(N-R5) is Nationalist"),
        (
            "activations: [[activate: {formation: R-12BI}, move: {units: [N-Cab-1], path: [J09]}]]",
            "(N-Cab-1) is Nationalist",
        ),
    ],
)
def test_mistakes_in_these_words_are_told(text: str, told: str) -> None:
    state = state_of(table({"K13": "R-1/19", "J10": "N-Cab-1"}), R)
    written = reading.bound(TABLE, SYSTEM.names(state, R, None, answering=False),
                          read(Source("standing.yaml", text)).value)  # fmt: skip
    found = [str(each.message) for each in reading.faults(TABLE, state.position, R, written)]
    assert any(told in each for each in found), found
