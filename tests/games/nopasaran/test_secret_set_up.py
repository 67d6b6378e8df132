"""2.6: the option to lay units out in secret: what is refused and by whom, what both see, and a
battle by two keys.
"""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import Decision, Order, State
from pbem.engine.tags import is_tag
from pbem.games.nopasaran.events import CounterShown, CountersSetUp
from pbem.games.nopasaran.orders import SetUp, Zone
from pbem.games.nopasaran.position import Position
from pbem.messages import words
from pbem.play.practice import written
from pbem.value import replace
from tests.bots import RandomDice
from tests.conftest import FUZZ
from tests.facedown.mails import audited
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.face_down import GAME, FaceDownGame, playout
from tests.games.nopasaran.table import LARGE, SMALL, N, R, log_of

OPTION = "secret_set_up"


def asked(scenario: str = SMALL, seed: int = 1) -> FaceDownGame:
    """The Nationalists are asked for their set-up, and know which counter is which."""
    game = FaceDownGame.of(scenario, seed, OPTION)
    game._lay()
    game.roll(RandomDice(1))
    return game


def faults(state: State[Position], order: Order) -> list[tuple[str, tuple[str | int, ...]]]:
    """The rules that an order breaks, each with the place in the order."""
    return [(each.rule, each.at) for each in kernel.violations(state, order)]


def default(state: State[Position]) -> SetUp:
    decision = kernel.waits_for(state)
    assert isinstance(decision, Decision) and isinstance(decision.default, SetUp)
    return decision.default


def in_file(game: FaceDownGame, order: Order) -> SetUp:
    found = GAME.hidden.worded(game.view(N), N, order)
    assert isinstance(found, SetUp)
    return found


PRINTED = {each["hex"]: each["units"] for each in GAME.tables.scenarios[SMALL]["set_up"]}
HOMES = {unit: hex for hex, units in PRINTED.items() for unit in units}


@pytest.mark.rule("2.6", "8.p6")
def test_what_is_not_named_stays_as_printed_and_both_know_formation_and_movement_alone() -> None:
    game = asked()
    for stack in game.state.position.stacks.values():
        able = [each for each in stack if game.state.position.could_attack(each)]
        assert stack[0] in (able or stack), "who may be able to attack lies on top"
    units = default(game.view(N)).units
    assert units == {unit: HOMES[unit] for unit in units}, "the printed set-up is the default"
    asks = kernel.waits_for(game.view(N))
    assert isinstance(asks, Decision)
    offered = [each.order for each in asks.options[0].examples(every)]
    assert offered[0] == asks.default and SetUp({"N-2Leg/5": "G12", "N-1TirIf/5": "G11"}) in offered
    assert {"N-CG-R5", "N-Zap-III"}.isdisjoint(units), "headquarters and who is alone of its kind"
    game.order(SetUp({"N-2Leg/5": "G12", "N-1TirIf/5": "G11"}))
    game.order(default(game.view(R)))
    position = game.state.position
    known, homes = game.view(N).position, {**HOMES, "N-2Leg/5": "G12", "N-1TirIf/5": "G11"}
    assert {known.face(unit): known.at(unit) for unit in known.tags_of(N)} == {
        unit: homes[unit] for unit in units
    }
    for tag in position.tags_at("G11"):
        assert set(position.may_be(tag)) == {"N-2Leg/5", "N-1TirIf/5", "N-ACeu/5"}
    assert {position.down.said(f"zone {tag}") for tag in position.tags_at("G12")} == {"3 foot"}
    assert sorted(map(len, position.stacks.values())) == sorted(map(len, PRINTED.values()))


REFUSED: Mapping[str, tuple[SetUp, str, tuple[str, ...]]] = {
    "the enemy's": (SetUp({"R-Garib/12": "G12"}), "2.6", ("units", "R-Garib/12")),
    "headquarters": (SetUp({"N-CG-R5": "G12"}), "2.6", ("units", "N-CG-R5")),
    "alone of its kind": (SetUp({"N-Zap-III": "G11"}), "2.6", ("units", "N-Zap-III")),
    "a hex of others": (SetUp({"N-2Leg/5": "H11"}), "2.6", ("units", "N-2Leg/5")),
    "of others that move so": (SetUp({"N-2Alh/6": "G11", "N-2Leg/5": "H11"}), "2.6",
                               ("units", "N-2Alh/6")),
    "of its own that do not": (SetUp({"N-Art75-III": "G11"}), "2.6", ("units", "N-Art75-III")),
    "nobody comes": (SetUp({"N-2Leg/5": "G12"}), "2.6", ("units",)),
    "another formation": (SetUp(alike={"N-2Leg/5": "N-R6 foot"}), "2.6", ("alike", "N-2Leg/5")),
}  # fmt: skip
"""Set-ups that an author's program refuses, each with the rule and the first place in the order."""


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("what", REFUSED)
def test_a_set_up_that_is_no_trade_is_refused(what: str) -> None:
    order, rule, at = REFUSED[what]
    game = asked()
    assert (rule, at) == faults(game.view(N), order)[0]
    first = kernel.violations(game.view(N), order)[0]
    named = at[1:]
    assert first.is_key == bool(named and named[0] not in default(game.view(N)).units)
    if what == "a hex of others":
        assert words(first.hint).endswith("G11 and G12")
    assert not faults(game.view(N), SetUp({"N-2Leg/5": "G12", "N-1TirIf/5": "G11"}))


@pytest.mark.rule("8")
def test_the_limit_of_a_hex_is_kept_by_its_author_as_nobody_else_can_know() -> None:
    game = asked()
    order = SetUp({"N-2Leg/5": "G12", "N-1TirIf/5": "G11"})

    def crowded(state: State[Position], points: int) -> State[Position]:
        lost = {"N-1TirIf/5": -points}
        return State(state.position.but(lost=lost), state.agenda, state.seq)

    room = 10 - troops_behind(game)
    assert not faults(crowded(game.view(N), room), order)
    assert faults(crowded(game.view(N), room + 1), order) == [("8", ("units",))]
    assert not faults(crowded(game.state, room + 1), in_file(game, order))


def troops_behind(game: FaceDownGame) -> int:
    """The troop points of G11 once both battalions have traded hexes."""
    board = game.state.position.board
    there = ({*PRINTED["G11"]} - {"N-2Leg/5"}) | {"N-1TirIf/5"}
    return sum(board.units[unit].troops for unit in there)


@pytest.mark.rule("2.6")
def test_what_a_changed_program_writes_is_refused_at_once_where_both_can_judge_it() -> None:
    game = asked()
    honest = in_file(game, SetUp())
    assert not faults(game.state, honest)
    tags = {known.face(tag): tag for known in [game.view(N).position] for tag in known.tags_of(N)}
    legion, moroccans, alhucemas = (tags[each] for each in ("N-2Leg/5", "N-1TirIf/5", "N-2Alh/6"))
    units, alike = honest.units, honest.alike

    def refused(**changes: object) -> bool:
        return bool(faults(game.state, replace(honest, **changes)))

    assert refused(units={tag: hex for tag, hex in units.items() if tag != legion}), "left out"
    assert refused(alike={tag: each for tag, each in alike.items() if tag != legion})
    assert refused(units={**units, legion: "G12"}), "one too many"
    assert refused(alike={**alike, legion: alike[alhucemas]}), "none of these is printed there"
    assert refused(alike={**alike, legion: "N-R5 cavalry"}), "no such units"
    assert refused(zones=(Zone((moroccans,), "1 foot"),)), "each of these has three troop points"
    # What follows from a face alone its owner sees, and so does the audit.
    other = {**alike, legion: alike[alhucemas], alhucemas: alike[legion]}
    false = replace(honest, alike=other, units={**units, legion: "H11", alhucemas: "G11"}, zones=())
    assert not faults(game.state, false)
    assert {("2.6", ("alike", "N-2Leg/5")), ("2.6", ("alike", "N-2Alh/6"))} == {
        *faults(game.view(N), false)
    }


@pytest.mark.rule("2.6")
def test_who_is_shown_is_one_of_its_formation_and_then_no_other_counter_is() -> None:
    game = asked(LARGE)
    game.order(default(game.view(N)))
    tag = next(tag for tag in game.state.position.tags_of(N) if game.faces[tag] == "N-2Leg/5")
    other = next(tag for tag in game.state.position.tags_of(N) if game.faces[tag] == "N-1TirIf/5")
    assert GAME.pieces.misfit(game.state, tag, "N-2Alh/6"), "a counter of another formation"
    shown = CounterShown(N, tag, "N-2Leg/5").apply(game.state.position)
    assert set(shown.may_be(other)) == {"N-1TirIf/5", "N-ACeu/5"}


@pytest.mark.rule("8.p6")
def test_who_can_attack_is_on_top_whichever_tags_they_have() -> None:
    for seed in range(6):
        game = asked(seed=seed)
        game.order(default(game.view(N)))
        assert GAME.faults(game.state.position) == ()


@pytest.mark.rule("2.6")
def test_new_secrets_before_the_set_up_leave_it_to_be_said() -> None:
    """All counters are put back anywhere, and asked for again."""
    game = asked()
    events, agenda = GAME.hidden.renewed(game.state, N)
    position = game.state.position
    for event in events:
        position = event.apply(position)
    game.state = State(position, agenda, game.state.seq)
    game._lay()
    game.roll(RandomDice(2))
    put_back = kernel.waits_for(game.view(N))
    assert isinstance(put_back, Decision) and put_back.stage == "put back"
    game.order(put_back.default)
    game.order(default(game.view(N)))
    known = game.view(N).position
    assert all(known.at(tag) == HOMES[known.face(tag)] for tag in known.tags_of(N))


@pytest.mark.rule("2.6")
def test_what_is_known_already_is_laid_out_again_openly() -> None:
    """After a take-back to the set-up what was shown since is known, and lies where its tag lay."""
    game = asked()
    legion, other = "N-2Leg/5", "N-Art75-III"
    tags = {game.faces[tag]: tag for tag in game.state.position.tags_of(N)}
    assert all(game.state.position.at(tags[unit]) != HOMES[unit] for unit in (legion, other))
    game.show(N, (tags[legion], tags[other]))
    for sides in ((), (R,), (N,)):
        assert not faults(game.view(*sides), default(game.view(*sides)))
    assert {legion, other} <= default(game.view(N)).units.keys()
    trade = SetUp({legion: "G12", "N-1TirIf/5": "G11"})
    said = [unit for each in in_file(game, trade).zones for unit in each.units]
    assert said and all(map(is_tag, said)), "of what lies open nothing is said"
    game.order(trade)
    known, homes = game.view(N).position, {**HOMES, legion: "G12", "N-1TirIf/5": "G11"}
    units = (legion, other, *known.tags_of(N))
    assert all(known.at(unit) == homes[known.face(unit)] for unit in units)
    may_be = {piece for tag in known.tags_of(N) for piece in known.may_be(tag)}
    assert may_be.isdisjoint({legion, other})
    laid = [each for each in game.events if isinstance(each, CountersSetUp)]
    assert f"lays out {len(known.tags_of(N))} counters face down" in " ".join(log_of(laid, known))


@pytest.mark.rule("2.6")
@pytest.mark.parametrize("seed", range(FUZZ))
def test_every_view_of_a_game_agrees_from_a_secret_set_up_on(seed: int) -> None:
    most = 0
    for game in playout(SMALL, seed, OPTION, practice=seed % 2 == 1, eager=8):
        most = max(most, sum(map(is_tag, game.state.position.hexes)))
    assert game.state.position.result is not None and most >= 18


@pytest.mark.rule("2.6")
def test_a_battle_by_mail_with_a_secret_set_up_passes_both_audits() -> None:
    """Two practice players who trade hexes: no entry names who, no audit finds a fault."""
    seats = Seats("secret", SMALL, OPTION, is_open=False)
    trades = {"A": "{N-2Leg/5: G12, N-1TirIf/5: G11}", "B": "{R-Garib/12: G13, R-AMarty/12: E15}"}
    while seats.fold.phase != "over":
        source = written(seats.game, KEYS[seats.pen])
        text = source.text if source else ""
        if "- set_up" in text:
            printed = next(line for line in text.splitlines() if "- set_up" in line)
            units = trades.pop(seats.pen)
            seats.mail(text.replace(printed, f"  - set_up: {units}"))
            assert not any(name.encode() in seats.fold.entries[-1].body
                           for name in ("N-2Leg", "N-1TirIf", "R-Garib", "R-AMarty"))  # fmt: skip
        else:
            seats.mail(text)
    assert not trades
    assert set(audited(seats.fold).machine.hidden.audited) == {"A", "B"}
