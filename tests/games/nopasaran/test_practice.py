"""The player for practice: what it does with each question, and short games with random orders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.board.hexsides import key_of
from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.engine.practice import chosen
from pbem.gamedata.load import load
from pbem.gamefile.format import read
from pbem.gamefile.keys import private_file
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran import practice
from pbem.games.nopasaran.position import DESTROYED
from pbem.games.nopasaran.stages.activation import Acting, Activating
from pbem.games.nopasaran.stages.day import Planning
from pbem.games.nopasaran.system import NoPasaran
from pbem.play.answer import answer as answered
from pbem.play.game import STANDING_FILE
from pbem.play.practice import written
from tests.bots import RandomDice
from tests.cli.desk import Desk
from tests.contract.playing import Player
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.table import (
    SMALL,
    N,
    R,
    activated,
    in_command,
    start,
    state_of,
    table,
)

SYSTEM = NoPasaran(load("nopasaran").tables)
FIELD = {"G12": "N-2Leg/5 N-Zap-III", "H10": "N-CG-R5 N-Art75-III", "G13": "R-AMarty/12"}


def answer(position: Any, *stages: Any) -> Any:
    return chosen(practice, kernel.begin(kernel.State(position, stages)).state)


def test_it_attacks_with_all_support_and_says_who_goes_in() -> None:
    position = in_command(table(FIELD, scenario=SMALL, spent={"N-Art75-III": 8, "N-Art105-III": 8}))
    idea = chosen(practice, state_of(position, N))
    assert isinstance(idea.order, o.Attack) and idea.order.hex == "G13"
    assert isinstance(idea.order.advance, o.Following) and idea.order.advance.units
    assert str(idea.why).startswith("attacks Pindoque, orilla este (G13): should lose ")


def test_it_leaves_a_strong_enemy_alone() -> None:
    strong = table({"G12": "N-Zap-III", "H09": "N-CG-R5",
                    "G13": "R-AMarty/12 R-Garib/12 R-Dmbrwsk/12"},
                   scenario=SMALL, works={"G13": "fortification"})  # fmt: skip
    assert not isinstance(chosen(practice, state_of(strong, N)).order, o.Attack)


def test_it_marches_to_what_is_worth_points_by_a_bridge() -> None:
    far = table({"G10": "N-2Leg/5"}, scenario=SMALL)
    idea = chosen(practice, state_of(far, N))
    assert isinstance(idea.order, o.Move) and "moves to" in str(idea.why)
    steps = practice.marches(far, N, ("F15",))
    assert steps["G12"] == steps["G13"] + 1
    few = practice.marches(far, N, ("F15",), ("G12", "F15"))
    assert few == {"F15": 0, "G12": steps["G12"]}
    broken = far.but(bridges={"B-PIN": DESTROYED})
    assert practice.marches(broken, N, ("F15",)) == steps, "it will be mended"
    assert steps["C14"] > steps["C15"] + 1, "a bridge that is closed is no way"


def test_it_marches_over_rivers_where_its_engineers_help_or_its_pontoon_lies() -> None:
    alone = table({"G10": "N-2Leg/5"}, scenario=SMALL)
    beside = table({"H11": "N-Zap-III"}, scenario=SMALL)
    laid = table({"H11": "N-Pont-1"}, scenario=SMALL, pontoons={"N-Pont-1": key_of("H11", "H12")})

    def steps(position: Any, side: str, helped: bool) -> int:
        return practice.marches(position, side, ("H14",), ("H11",), helped=helped)["H11"]

    for position, with_help, without in ((alone, 4, 4), (beside, 3, 4), (laid, 3, 3)):
        assert (steps(position, N, True), steps(position, N, False)) == (with_help, without)
        assert steps(position, R, True) == 4


def test_each_side_wants_what_it_does_not_hold() -> None:
    position = start(SMALL)
    assert set(practice.aims(position, N)) == {"I14", "G17", "F15"}
    assert practice.aims(position, R) == ("I14", "G17", "F15")
    lost = position.but(control={**position.control, "G13": N})
    assert practice.aims(lost, R) == ("G13",)


def test_guns_fire_before_an_attack_with_what_they_need_not_keep_and_at_last_with_all() -> None:
    guns = ("N-Art75-III", "N-Art105-III")
    field = {**FIELD, "H10": "N-CG-R5 N-Art75-III N-Art105-III"}
    fresh = in_command(table(field, scenario=SMALL))
    assert chosen(practice, state_of(fresh, N)).order == o.Bombard("G13", guns)
    one_shot = fresh.but(spent=dict.fromkeys(guns, 8))
    assert isinstance(chosen(practice, state_of(one_shot, N)).order, o.Attack)
    alone = table({"H11": "N-Art75-III N-Art105-III N-CG-R5", "H12": "R-1/23"}, scenario=SMALL,
                  spent=dict.fromkeys(guns, 8))  # fmt: skip
    idea = chosen(practice, state_of(in_command(alone), N))
    assert idea.order == o.Bombard("H12", guns)
    assert str(idea.why).startswith("bombards H12: ")


def test_the_first_unit_on_a_bank_takes_its_points_from_the_enemy() -> None:
    over = practice.prizes(start(SMALL), N)
    assert over["G13"] == 3 + 6 and over["H14"] == 6 and over["I14"] == 3 + 6
    there = practice.prizes(table({"G13": "N-2Leg/5"}, scenario=SMALL), N)
    assert there["G13"] == 3 and "H14" not in there
    # Beyond the Tajuña, too, is across the Jarama.
    assert practice.prizes(start(), N)["M20"] == 10
    assert "G13" not in practice.prizes(table({"M20": "N-2Leg/5"}), N)


def test_pontoons_go_where_a_bridge_would_lead_on_and_stay() -> None:
    position = in_command(table({"H10": "N-Pont-1"}, scenario=SMALL))
    idea = chosen(practice, state_of(position, N))
    assert isinstance(idea.order, o.Move)
    banks = practice.banks(position, N, practice.aims(position, N))
    assert idea.order.path[-1] in banks and "H10" not in banks
    there = in_command(table({"H11": "N-Pont-1"}, scenario=SMALL, busy=frozenset({"N-Pont-1"}),
                             walked=frozenset({"N-Pont-1"})))  # fmt: skip
    assert not isinstance(chosen(practice, state_of(there, N)).order, o.Move)


def test_it_activates_a_division_before_formations_and_each_once() -> None:
    position = start(SMALL)
    first = answer(position, Activating(N)).order
    assert isinstance(first, o.Activate) and first.division == "N-III"
    others = {"N-III", *position.board.formations}
    done = position.but(activated=frozenset(others))
    assert answer(done, Activating(N)).order == o.Activate(unit="N-Art75-III")


def test_every_aircraft_has_a_mission() -> None:
    flown = answer(start(SMALL), Planning(N)).order
    assert isinstance(flown, o.Fly) and set(flown.missions) == {"N-Ju52-1", "N-He51-1", "N-Ro37"}


@pytest.mark.parametrize(("side", "seed"), [(N, 5), (R, 3)])
def test_it_beats_random_orders(side: Any, seed: int) -> None:
    dice, other = RandomDice(seed), Player(seed)
    state = kernel.begin(SYSTEM.setup(SMALL, frozenset({"open_units"}))).state
    while (result := SYSTEM.result(state.position)) is None:
        asked = kernel.waits_for(state)
        if isinstance(asked, Decision):
            order = (
                chosen(practice, state).order
                if asked.side == side
                else other.order(state, asked)
            )  # fmt: skip
            state = kernel.submit(state, order).state
        else:
            state = kernel.roll(state, dice).state
    assert result.winner == side


def test_support_troops_that_have_something_to_do_act_after_all_formations() -> None:
    guns = in_command(table({"H10": "N-Art155 N-Pont-1 N-Esc-III"}, scenario=SMALL))
    assert answer(guns, Activating(N)).order == o.Activate(unit="N-Art155")
    spent = guns.but(spent={"N-Art155": 99})
    assert answer(in_command(spent), Activating(N)).order == o.Activate(unit="N-Pont-1")
    idle = in_command(spent.but(acted=frozenset({"N-Art155", "N-Pont-1"})))
    assert isinstance(answer(idle, Activating(N)).order, o.Finish)


@pytest.mark.parametrize(("day", "first"), [(1, "N-2Leg/5"), (2, "N-Esc-III")])
def test_enemies_over_the_river_hold_nobody_and_the_strongest_go_first_or_at_last_the_fastest(
    day: int, first: str
) -> None:
    """H12 is beside G12, and no bridge leads there; that to G13 is free, and no hex of worth is."""
    stacks = {"G12": "N-Esc-III N-2Leg/5", "H12": "R-1/23", "I14": "R-1/17", "F15": "R-Garib/12",
              "G17": "R-Zap-1"}  # fmt: skip
    position = table(stacks, scenario=SMALL, day=day, control={**start(SMALL).control, "G13": N})
    idea = chosen(practice, state_of(in_command(position), N))
    assert isinstance(idea.order, o.Move), idea
    assert idea.order.units == (first,) and idea.order.path[0] == "G13"


def test_points_for_a_hex_weigh_more_on_the_last_day() -> None:
    def worth(day: int) -> float:
        stacks = {"F18": "N-2Leg/5 N-1TirIf/5", "E18": "N-ACeu/5", "E19": "R-1/23"}
        tired = dict.fromkeys(("N-2Leg/5", "N-1TirIf/5", "N-ACeu/5"), 99)
        position = in_command(table(stacks, day=day, lost={"R-1/23": 3}, spent=tired))
        state = state_of(position, N)
        asked = kernel.waits_for(state)
        assert isinstance(asked, Decision)
        return max(idea.worth for idea in practice.ideas(state, asked)
                   if isinstance(idea.order, o.Attack))  # fmt: skip

    assert worth(6) < worth(7)


def test_a_free_hex_of_worth_is_taken_before_anybody_attacks() -> None:
    """I14 lies two hexes behind the river; whoever is alone in a hex of worth stays there."""
    field = {**FIELD, "I13": "N-Esc-III N-Cab-1"}
    idea = chosen(practice, state_of(in_command(table(field, scenario=SMALL)), N))
    assert isinstance(idea.order, o.Move) and idea.order.path[-1] == "I14"
    kept = table({"F15": "N-Cab-1"}, scenario=SMALL, control={**start(SMALL).control, "F15": N})
    assert not isinstance(chosen(practice, state_of(in_command(kept), N)).order, o.Move)


def test_no_more_units_attack_than_it_takes() -> None:
    """Half of the defence is gone: what two units do as well, others may try again."""
    there = {"G12": "N-1TirIf/5 N-Zap-III N-2Leg/5", "H10": "N-CG-R5 N-Art75-III",
             "G13": "R-AMarty/12"}  # fmt: skip
    weak = table(there, scenario=SMALL, day=1, lost={"R-AMarty/12": 2}, spent={"N-Art75-III": 8})
    idea = chosen(practice, state_of(in_command(weak), N))
    assert isinstance(idea.order, o.Attack) and idea.order.type == "prepared"
    assert len(idea.order.units["G12"]) < 3


def test_the_last_unit_does_not_advance_out_of_a_hex_of_worth() -> None:
    def plan(units: str) -> Any:
        held = {**start(SMALL).control, "I14": N, "G17": N, "F15": N, "G13": N}
        position = table({"I14": units, "H14": "R-1/23"}, scenario=SMALL, lost={"R-1/23": 3},
                         control=held)  # fmt: skip
        order = chosen(practice, state_of(in_command(position), N)).order
        assert isinstance(order, o.Attack) and order.hex == "H14"
        return order.advance

    assert plan("N-2Leg/5") == o.NONE
    assert isinstance(plan("N-2Leg/5 N-1TirIf/5"), o.Following)


def test_pontoons_at_their_place_act_first_and_leave_the_guns_their_shots() -> None:
    position = in_command(table({"H11": "N-Pont-1", "H10": "N-CG-R5 N-Art75-III",
                                 "H13": "R-1/23"}, scenario=SMALL))  # fmt: skip
    assert answer(position, Activating(N)).order == o.Activate(unit="N-Pont-1")
    laying = activated(position, N, "N-Pont-1")
    state = kernel.begin(kernel.State(laying, (Acting(N),))).state
    first = chosen(practice, state)
    assert isinstance(first.order, o.Engineer) and first.order.to == "H12"
    after = kernel.submit(state, first.order).state
    assert chosen(practice, after).order == o.Done()


def test_the_rest_of_an_activation_and_the_next_one_go_along() -> None:
    """As if all dice fell in the middle; all that are left if the enemy is finished."""
    state = kernel.begin(kernel.State(start(SMALL), (Activating(N),))).state
    while not isinstance(order := chosen(practice, state).order, o.Attack):
        state = kernel.submit(state, order).state
        while not isinstance(kernel.waits_for(state), Decision):
            state = kernel.roll(state, RandomDice(1)).state
    verbs = [idea.order.verb for idea in practice.along(state, order)]
    assert verbs.count("activate") == 1 and verbs.count("done") == 2 and verbs[-1] == "done"
    alone = state.position.but(finished=frozenset({R}))
    rest = [idea.order.verb for idea in practice.along(State(alone, state.agenda), order)]
    assert rest[: len(verbs)] == verbs and rest.count("activate") > 1 and rest[-1] == "finish"


def test_by_mail_its_standing_orders_answer_for_it_unless_there_are_others() -> None:
    def game(*, with_standing: bool, most: int) -> tuple[int, list[str]]:
        seats, said = Seats("x"), list[str]()
        began = seats.mails
        while seats.fold.phase == "running" and seats.mails - began < most:
            key = KEYS[seats.pen]
            source = written(seats.game, key, with_standing=with_standing)
            seats.game = answered(seats.game, key, source, fresh=seats.nonce).game
            said += [each["slot"] for each in seats.fold.entries[-1].steps
                     if each["do"] == "policy"]  # fmt: skip
        return seats.mails - began, said

    mails, said = game(with_standing=True, most=60)
    assert mails < 40 and said == ["standing", "own"] * 2, "once, for both days"
    assert game(with_standing=False, most=6) == (6, [])


@pytest.mark.parametrize(
    ("beside", "said"),
    [("", ["standing", "own"]), ("standing: {react: never}\n", ["standing"])],
)
def test_apply_lets_a_file_of_standing_orders_answer_in_its_place(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, beside: str, said: list[str]
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    desk, seats = Desk(tmp_path), Seats("x")
    (tmp_path / "game.json").write_bytes(seats.game.bytes())
    (tmp_path / "own.key").write_bytes(private_file(KEYS[seats.pen]))
    if beside:
        (tmp_path / STANDING_FILE).write_text(beside)
    assert desk.pbem("apply", "game.json", "--bot", "--key", "own.key", "-o", "next.json").code == 0
    steps = read((tmp_path / "next.json").read_bytes())[-1].steps
    assert [each["slot"] for each in steps if each["do"] == "policy"] == said
