"""The chances of an attack, held against every fall of its dice rolled out one by one."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.dice import Roll
from pbem.engine.model import Decision, State
from pbem.engine.odds import Waged
from pbem.games.ctv import events as e
from pbem.games.ctv import odds
from pbem.games.ctv.odds import ODDS
from pbem.games.ctv.orders import NONE, Attack, Backing, Support, Trade
from pbem.games.ctv.position import RAIN
from pbem.games.ctv.rules import combat
from pbem.games.ctv.stages.combat import AirCombat
from pbem.value import replace
from tests.games.ctv.table import Game, N, R, covered, fighting, joined, table, tag_of

FIGHT = {
    "2010": "R-168 R-169 R-HQ-XV", "2110": "N-LIT-1 N-LIT-2 N-HQ-LIT", "2011": "N-FIN-8 N-SC-1",
}  # fmt: skip
ALL_OF_THEM = Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2"), "2011": ("N-FIN-8",)})


class Faces:
    """Dice that fall as they are told, one after the other."""

    def __init__(self, faces: tuple[int, ...]) -> None:
        self.faces, self.used = faces, 0

    def roll(self, draws: Any) -> dict[str, Roll]:
        found = {}
        for draw in draws:
            face = self.faces[self.used]
            found[draw.label] = Roll(draw.label, draw.purpose, face)
            self.used += 1
        return found


def steps(position, side):
    return sum(position.steps_left(unit) for unit in position.on_map(side)
               if position.printed(unit).takes_losses)  # fmt: skip


def rolled_out(
    game: Game, order: Attack, *, trades: bool = False
) -> dict[tuple[bool, int, int], Fraction]:
    """Each result with its share, from up to three dice, all defaults taken; `trades`: but that
    losses are traded for a retreat.
    """
    side, before, found = game.position.active, game.position, Counter[Any]()
    for faces in product(range(1, 7), repeat=3):
        state, dice = kernel.submit(game.state, order).state, Faces(faces)
        while state.position.battle is not None:
            asked = kernel.waits_for(state)
            if not isinstance(asked, Decision):
                state = kernel.roll(state, dice).state
            elif trades and asked.stage == "trade":
                way = next(iter(combat.trade_ways(state.position, order.hex)))
                state = kernel.submit(state, Trade(way)).state
            else:
                state = kernel.submit(state, asked.default).state
        after, enemy = state.position, R if side == N else N
        is_won = after.holder(order.hex) != enemy
        lost = steps(before, side) - steps(after, side), steps(before, enemy) - steps(after, enemy)
        found[(is_won, *lost)] += 1
    return {result: Fraction(ways, 6**3) for result, ways in found.items()}


def shares(chances, side):
    enemy = R if side == N else N
    return {
        (each.winner == side, each.lost_by(side), each.lost_by(enemy)): Fraction(
            each.ways, chances.ways
        )
        for each in chances.branches
    }


CASES = {
    "morale": (N, ALL_OF_THEM, {"marker": 2}),
    "a trench": (N, ALL_OF_THEM, {"marker": 4, "trenches": frozenset({"2010"})}),
    "disorganised": (N, ALL_OF_THEM, {"levels": {"R-168": 1, "R-169": 1}, "marker": 5}),
    "first turn": (N, ALL_OF_THEM, {"turn": 1}),
    "reduced": (N, ALL_OF_THEM, {"lost": "R-168 N-LIT-1"}),
    "Republicans": (R, Attack("2110", {"2010": ("R-168", "R-169")}), {"marker": 3}),
}


@pytest.mark.parametrize(("side", "order", "more"), CASES.values(), ids=CASES)
def test_chances_are_those_of_every_fall_of_the_dice(side, order, more):
    game = fighting(table(FIGHT, **more), side)
    chances = ODDS.of(game.state, order)
    assert shares(chances, side) == rolled_out(game, order)


def told(chances) -> list[str]:
    return [str(each.words) for each in (*chances.notes, *chances.supposed)]


def test_strengths_are_told_hex_by_hex():
    position = table(FIGHT, levels={"N-LIT-1": 1}, trenches=frozenset({"2010"}))
    chances = ODDS.of(fighting(position, N).state, ALL_OF_THEM)
    mine, theirs = chances.salvos
    assert (mine.side, mine.strength, str(mine.column)) == (N, 11, "column 1:1")
    assert [(str(each.words), each.number) for each in mine.modifiers] == [("trench", -1)]
    assert (theirs.side, theirs.strength, str(theirs.column)) == (R, 11, "hills")
    assert [str(each.called) for each in chances.salvos] == ["attack", "defence"]
    lines = told(chances)
    assert lines[0] == (
        "from Soncillo (2110): 1st Littorio Regiment (N-LIT-1) 5 (halved) and 2nd Littorio "
        "Regiment (N-LIT-2) 5: 7, rounded down"
    )
    assert lines[1] == "from 2011: 8th Gruppo Banderas (N-FIN-8) 4"
    assert lines[2] == (
        "in 2010: CLXVIII Brigade (R-168) 3, CLXIX Brigade (R-169) 2 and XV Corps HQ (R-HQ-XV) 2: "
        "7, times 1.5 for the ground: 11"
    )
    assert {each.number for each in chances.notes} == {0}, "they change no die"


def test_covered_counters_are_told_of_that_are_in_no_chance():
    known, under = {"2010": "R-168", "2110": "N-LIT-1"}, {"2010": "R-169"}
    game = fighting(covered(known, under), N)
    chances = ODDS.of(game.state, Attack("2010", {"2110": ("N-LIT-1",)}))
    assert "1 covered counter of the defenders is not counted" in told(chances)
    assert {each.number for each in chances.notes} == {0}, "it changes no die"


def test_steps_lost_on_average_are_those_of_every_fall():
    game = fighting(table(FIGHT, marker=2), N)
    found = rolled_out(game, ALL_OF_THEM).items()
    ours, theirs = (sum(share * result[at] for result, share in found) for at in (1, 2))
    assert (
        f"steps lost on average: {float(ours):.1f} by the attackers, {float(theirs):.1f} by the "
        "defenders"
    ) in told(ODDS.of(game.state, ALL_OF_THEM))


def test_a_first_turn_shift_and_less_than_the_first_column_are_factors():
    near = table({**FIGHT, "2111": "N-HQ-CTV"}, turn=1)
    (shift,) = ODDS.of(fighting(near, N).state, ALL_OF_THEM).salvos[0].shifts
    assert (shift.number, shift.rule) == (1, "4.4")
    weak = ODDS.of(fighting(table(FIGHT), R).state, Attack("2110", {"2010": ("R-168",)}))
    (below,) = weak.salvos[0].modifiers
    assert (below.number, below.rule) == (-1, "10.2")


def bombarded(chances) -> list[str]:
    return [line for line in told(chances) if "with all there is" in line]


def test_bombardment_is_told_for_either_side_and_for_both():
    lines = bombarded(ODDS.of(fighting(table(FIGHT, marker=2), N).state, ALL_OF_THEM))
    assert [line.partition(":")[0] for line in lines] == [
        "if the attackers bombard with all there is, 8 to 0",
        "if the defenders bombard with all there is, 0 to 4",
        "if both bombard with all there is, 8 to 4",
    ]
    rain = bombarded(ODDS.of(fighting(table(FIGHT, weather=RAIN), N).state, ALL_OF_THEM))
    assert "2 to 0" in rain[0], "a headquarters and its column; no air unit in the rain"
    nobody = table({"2010": "R-168", "2110": "N-LIT-1"}, weather=RAIN)
    alone = ODDS.of(fighting(nobody, N).state, Attack("2010", {"2110": ("N-LIT-1",)}))
    assert bombarded(alone) == []
    assert "nobody bombards" not in told(alone)


def test_the_chances_with_a_bombardment_are_exact():
    """Two headquarters and no air unit: the bombardment die, the combat die, a die for morale."""
    position = table(
        FIGHT, marker=2, weather=RAIN, used=frozenset({"R-HQ-XV"}), moved=frozenset({"N-SC-1"})
    )
    game = fighting(position, N)
    won = 0
    for faces in product(range(1, 7), repeat=3):
        state, dice = kernel.submit(game.state, ALL_OF_THEM).state, Faces(faces)
        state = kernel.submit(state, Support(hq=("N-HQ-LIT",))).state
        while state.position.battle is not None:
            asked = kernel.waits_for(state)
            step = kernel.submit(state, asked.default) if isinstance(asked, Decision) else (
                kernel.roll(state, dice)
            )  # fmt: skip
            state = step.state
        won += state.position.holder("2010") != R
    (line,) = bombarded(ODDS.of(game.state, ALL_OF_THEM))
    assert f"1 to 0: the hex is given up {round(100 * won / 6**3)} %" in line


def test_trading_for_a_retreat_is_told_where_it_can_be_done():
    lines = told(ODDS.of(fighting(table(FIGHT), N).state, ALL_OF_THEM))
    assert any(line.startswith("if each loss is traded for a retreat") for line in lines)
    assert "no step is traded for a retreat" in lines
    game = fighting(table(FIGHT), N)
    found = rolled_out(game, ALL_OF_THEM, trades=True).items()
    share = sum(share for (is_won, *_), share in found if is_won)
    assert share > sum(
        share for (is_won, *_), share in rolled_out(game, ALL_OF_THEM).items() if is_won
    )
    assert any(f"a retreat: the hex is given up {round(100 * share)} %" in each for each in lines)
    alone = told(ODDS.of(fighting(table({**FIGHT, "2010": "R-HQ-XV"}), N).state, ALL_OF_THEM))
    assert not any("traded" in line for line in alone), "a headquarters alone has nothing to trade"


@pytest.mark.parametrize("face", [1, 4, 6])
def test_what_came_is_one_of_the_chances(face):
    game = fighting(table(FIGHT, marker=2), N)
    chances, start = ODDS.of(game.state, ALL_OF_THEM), game.state
    happenings: list[Any] = []
    step = kernel.submit(game.state, ALL_OF_THEM)
    while True:
        happenings += zip(step.events, step.positions, strict=True)
        if any(isinstance(event, e.BattleEnded) for event, _ in happenings):
            break
        assert ODDS.came(Waged(start, ALL_OF_THEM, tuple(happenings), is_over=False)) is None
        asked = kernel.waits_for(step.state)
        step = (
            kernel.submit(step.state, asked.default)
            if isinstance(asked, Decision)
            else kernel.roll(step.state, Faces((face,) * 4))
        )
    came = ODDS.came(Waged(start, ALL_OF_THEM, tuple(happenings), is_over=True))
    assert came in [(each.winner, each.lost) for each in chances.branches]


def test_a_counter_that_is_shown_after_the_losses_hides_none_of_them():
    """As one onto which the losers retreat."""
    position = covered({"2010": "R-168", "1909": "R-169", "2110": "N-LIT-1"}, {"1909": "R-170"})
    position = position.but(active=N, turn=1)
    attack = Attack("2010", {"2110": ("N-LIT-1",)}, support=NONE)
    shown = e.CounterShown(R, tag_of(position, "R-170"), "R-170")
    lost, ended = e.StepLost("R-168"), e.BattleEnded("2010")
    for events in ((shown, lost, ended), (lost, shown, ended)):
        here, happenings = position, list[Any]()
        for event in events:
            here = event.apply(here)
            happenings.append((event, here))
        waged = Waged(State(position, ()), attack, tuple(happenings), is_over=True)
        assert ODDS.came(waged) == (R, ((N, 0), (R, 1)))


def test_air_combat_is_counted_too():
    position = table(FIGHT, options=["air_combat"], marker=2)
    chances = ODDS.of(fighting(position, N).state, ALL_OF_THEM)
    assert len(bombarded(chances)) == 3


def test_hits_in_the_air_weigh_as_often_as_the_dice_bring_them():
    """No more are shot down than there are: of two that fight one, one hit is as good as two."""
    position = joined(table(FIGHT, options=["air_combat"]), "2010", "N-LIT-1",
                      support="N-LK-1 N-LK-2 " + table().air(R)[0])  # fmt: skip
    stage = AirCombat(N)
    draws = stage.chance(position).draws
    ways = Counter[Any]()
    for faces in product(range(1, 7), repeat=len(draws)):
        hits = [face == position.board.charts["air"]["combat"] for face in faces]
        ways[any(hits[:2]), hits[2]] += 1
    falls = list(odds._in_the_air(position, stage, draws))
    for weight, faces in falls:
        hits = [faces[draw.label] == position.board.charts["air"]["combat"] for draw in draws]
        ways[any(hits[:2]), hits[2]] -= weight
    assert len(falls) == 4 and set(ways.values()) == {0}


def test_columns_are_used_beside_headquarters_of_their_own_side():
    there = {
        "2010": "R-168 R-HQ-XV", "2210": "N-HQ-LIT N-SC-1", "2110": "N-LIT-1 N-LIT-2",
        "2011": "N-SC-2",
    }  # fmt: skip
    attack = Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2")})
    assert len(bombarded(ODDS.of(fighting(table(there), N).state, attack))) == 3


def test_support_that_the_attack_says_is_in_its_chances():
    game = fighting(table(FIGHT, marker=2), N)
    said = replace(ALL_OF_THEM, support=Backing(air=("N-LK-1",), hq=("N-HQ-LIT",)))
    plain, backed = (ODDS.of(game.state, order) for order in (ALL_OF_THEM, said))
    assert backed.won_by(N) * plain.ways > plain.won_by(N) * backed.ways
    assert "nothing more bombards" in told(backed)
    assert [line.partition(":")[0] for line in bombarded(backed)] == [
        "if the defenders bombard with all there is, 2 to 4"
    ]


def test_a_headquarters_that_may_be_lost_is_told():
    """It has no steps that could be counted."""
    there = {"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-LIT-2"}
    attack = Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2")})
    lines = told(ODDS.of(fighting(table(there), N).state, attack))
    notes = ODDS.of(fighting(table(there), N).state, attack).notes
    assert {each.number for each in notes} == {0}, "it changes no die"
    (share,) = (each for each in lines if each.startswith("XV Corps HQ (R-HQ-XV) is eliminated "))
    assert share.endswith(" %")
    alone = told(ODDS.of(fighting(table({**there, "2010": "R-HQ-XV"}), N).state, attack))
    assert "XV Corps HQ (R-HQ-XV) is eliminated 100 %" in alone
    reduced = table({**there, "2010": "R-168"}, lost="R-168")
    lines = told(ODDS.of(fighting(reduced, N).state, attack))
    assert not any("eliminated" in each for each in lines)


def test_defenders_who_fall_before_the_dice_bring_nothing():
    there = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    position = table(there, levels={"R-179": 2}, unsupplied=frozenset())
    chances = ODDS.of(fighting(position, N).state, Attack("2006", {"2007": ("N-NI-1",)}))
    assert [(each.strength, str(each.column)) for each in chances.salvos] == [
        (0, "nobody is left"), (0, "nobody is left"),
    ]  # fmt: skip
