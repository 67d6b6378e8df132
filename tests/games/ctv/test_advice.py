"""What check says of a legal order: its cost and why, zones that stop it, columns and shifts."""

from __future__ import annotations

from pbem.engine.choices import every
from pbem.games.ctv import ready
from pbem.games.ctv.advice import COUNSEL
from pbem.games.ctv.orders import NONE, Attack, Column, Done, Following, Move, Support
from pbem.games.ctv.position import RAIN
from pbem.games.ctv.rules import fate
from pbem.games.ctv.stages.turn import phase
from pbem.games.ctv.warnings import unwise
from pbem.orders.bind import bind
from pbem.orders.parse import parse
from pbem.orders.template import Head, form
from pbem.text.source import Source
from pbem.value import replace
from tests.games.ctv.table import N, R, begun, covered, fighting, marching, system, table


def remarks(game, order) -> list[str]:
    assert game.broken(order) == []
    return [str(each) for each in COUNSEL.remarks(game.state, order)]


def test_a_move_by_road_is_told_step_by_step():
    game = marching(table({"2511": "N-LIT-1"}), N)
    (told,) = remarks(game, Move(("N-LIT-1",), ("2411", "2310", "2210")))
    assert told.startswith("1st Littorio Regiment (N-LIT-1): 1.5 of 8 movement points, 0.5 for ")
    assert told.count("(road)") == 3


def test_roads_do_not_count_into_a_zone_and_the_move_stops_there():
    game = marching(table({"2511": "N-LIT-1", "2010": "R-168"}), N)
    cost, roads, zone = remarks(game, Move(("N-LIT-1",), ("2411", "2310", "2210", "2110")))
    assert "8 of 8 movement points" in cost
    assert cost.count("(hills)") == 4
    assert "the roads do not count" in roads
    assert "Soncillo (2110)" in roads
    assert zone == "Soncillo (2110) is in an enemy zone, and the units stop there (7.2)"


def test_leaving_a_zone_is_told():
    game = marching(table({"2110": "N-LIT-1", "2010": "R-168"}), N)
    cost, roads = remarks(game, Move(("N-LIT-1",), ("2210",)))
    assert "3 of 8 movement points, 1 to leave an enemy zone, 2 for 2210 (hills)" in cost
    assert "the roads do not count" in roads
    (cost,) = remarks(game, Move(("N-LIT-1",), ("2211",)))
    assert "1 to leave an enemy zone" in cost


def test_units_that_pay_differently_are_told_apart_and_halves_are_named():
    game = marching(table({"2511": "N-LIT-1 N-NI-1"}, levels={"N-NI-1": 1}), N)
    *costs, halved = remarks(game, Move(("N-LIT-1", "N-NI-1"), ("2411",)))
    assert len(costs) == 2
    assert "0.5 of 8" in costs[0]
    assert "1 of 3" in costs[1]
    assert halved == (
        "half of the movement points are left to I Navarra, agrupación 1 (N-NI-1) (6.3, 9.5)"
    )


def step(crossed: set[str], ground: str) -> tuple[str, str]:
    """The first step of the Republicans over a side of this kind into this ground."""
    board = table().board
    return next(
        (here, there)
        for here in board.hexes
        for there in board.graph.neighbours(here)
        if set(board.sides.between(here, there)) == crossed
        and board.ground[there] == ground
        and board.held[here] == board.held[there] == R
    )


def test_a_river_and_rain_are_named():
    here, there = step({"river"}, "hill")
    (told,) = remarks(marching(table({here: "R-168"}), R), Move(("R-168",), (there,)))
    assert ": 3 of " in told
    assert "(hills + river)" in told
    here, there = step({"river", "road"}, "clear")
    (told,) = remarks(marching(table({here: "R-168"}), R), Move(("R-168",), (there,)))
    assert told.endswith(" (clear ground)"), "the road goes over the river, and is not cheaper"
    here, there = step(set(), "mountain")
    wet = marching(table({here: "R-168"}, weather=RAIN), R)
    (told,) = remarks(wet, Move(("R-168",), (there,)))
    assert ": 4 of " in told
    assert "(mountains + rain)" in told


def test_an_attack_is_told_with_its_column_shift_and_die():
    position = table(
        {"2010": "R-168", "2110": "N-LIT-1 N-LIT-2 N-HQ-LIT", "2111": "N-HQ-CTV"}, turn=1,
        trenches=frozenset({"2010"}), unsupplied=frozenset({"N-LIT-1", "N-LIT-2"}),
    )  # fmt: skip
    assert position.judged[N] & position.board.masks.bit["2110"], "their line is open again"
    order = Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2")})
    told, able = remarks(fighting(position, N), order)
    assert told == (
        "before anybody bombards: 10 against 5, column 3:1, moved to the right in the first turn; "
        "die −1 (trench −1)"
    )
    assert able.startswith("you can bombard with Legion Kondor 1 (N-LK-1), ")
    assert able.endswith("CTV corps HQ (N-HQ-CTV) and Littorio HQ (N-HQ-LIT)")


def test_rain_leaves_nobody_to_bombard():
    position = table({"2010": "R-168", "2110": "N-LIT-1"}, weather=RAIN)
    told = remarks(fighting(position, N), Attack("2010", {"2110": ("N-LIT-1",)}))
    assert told[-1] == "it rains, and no headquarters is near: nobody of yours can bombard"


def test_support_is_told_in_points_with_what_it_brings():
    position = table({"2010": "R-168 R-HQ-XV", "2110": "N-LIT-1 N-HQ-LIT N-SC-1"}, marker=2)
    game = fighting(position, N).order(Attack("2010", {"2110": ("N-LIT-1",)}))
    order = Support(air=("N-LK-1",), hq=("N-HQ-LIT",), columns={"2110": 1})
    points, brings = remarks(game, order)
    assert points == "bombardment points: 3 to 0 so far"
    (nothing,) = remarks(game, Support())
    assert nothing.startswith("if nothing more bombards: the hex is given up ")

    def share(told: str) -> int:
        return int(told.partition(" given up ")[2].partition(" %")[0])

    assert share(brings) > share(nothing)
    game.order(order)
    answer, after = remarks(game, Support(hq=("R-HQ-XV",)))
    assert answer == "bombardment points: 2 to 3 so far"
    assert share(after) < share(brings)


def test_nothing_is_told_of_strengths_where_one_side_falls_before_the_dice():
    """To the check of supply at the head of the combat (10.2, step 1)."""
    falls = {"levels": {"R-179": 2, "N-LIT-1": 2}, "unsupplied": frozenset()}
    defends = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2", "1805": "N-NI-3"}
    attacks = {"1310": "N-LIT-1", "1407": "R-183", "1409": "R-177", "1411": "R-168",
               "1312": "R-185"}  # fmt: skip
    for there, order in (
        (defends, Attack("2006", {"2007": ("N-NI-1",)}, support=NONE)),
        (attacks, Attack("1411", {"1310": ("N-LIT-1",)}, support=NONE)),
    ):
        game = fighting(table(there, **falls), N)
        assert fate.as_checked(game.position, there) != game.position
        assert remarks(game, order) == [] and unwise(game.state, order) == (), order
        (attacks_only, *_) = game.asks.options
        assert [each.note for each in attacks_only.examples(every)] == [""], "nor in a form"


def test_an_order_of_the_other_segment_is_told_its_time():
    position = table({"2010": "R-168", "2110": "N-LIT-1 N-HQ-LIT"})
    attack = Attack("2010", {"2110": ("N-LIT-1",)})
    early = COUNSEL.why_not_now(marching(position, N).state, attack)
    assert (early.rule, str(early.message)) == ("3.B.2", "attacks come when your movement is over")
    combat = position.but(segment="combat")
    asked = fighting(combat, N).order(attack).state
    for order in (Move(("N-LIT-1",), ("2210",)), Column("2110")):
        for state in (fighting(combat, N).state, asked):
            late = COUNSEL.why_not_now(state, order)
            assert (late.rule, str(late.message)) == ("3.B.2", "your movement is over")
    assert COUNSEL.why_not_now(marching(position, N).state, Done()) is None
    others = (attack, Support())
    assert not any(COUNSEL.why_not_now(asked, each) for each in others)


def test_a_form_of_movement_has_attacks_ready_the_best_first():
    """As the units stand; a question for attacks shows its own."""
    there = {
        "2010": "R-168", "1911": "R-169 R-177", "1812": "R-157", "1714": "R-158", "1813": "R-159",
        "2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8", "1912": "N-NI-1", "1815": "N-NI-2 N-NI-3",
    }  # fmt: skip
    game = begun(table(there), *phase(N))
    found = COUNSEL.ready(game.state, game.asks)
    assert len(found) == 3 and all(each.orders[0] == Done() for each in found)
    assert found[0].orders[1].hex == "2010"
    wins = [each.chances.won_by(N) / each.chances.ways for each in found]
    assert wins == sorted(wins, reverse=True) and wins[0] > wins[2]
    for each in found:
        game = begun(table(there), *phase(N)).order(each.orders[0])
        assert game.broken(each.orders[1]) == []
    fight = fighting(table(there), N)
    assert COUNSEL.ready(fight.state, fight.asks) == ()


def test_a_ready_attack_asks_nothing_after_its_dice_and_can_win():
    """Support where it may be needed; a hopeless attack is none."""
    there = {
        "2010": "R-168", "2110": "N-FIN-8 N-HQ-CTV", "2011": "N-FIN-10",
        "1812": "R-169 R-170", "1912": "N-FN-1",
    }  # fmt: skip
    game = begun(table(there, lost="N-FN-1"), *phase(N))
    found = [each.orders[1] for each in COUNSEL.ready(game.state, game.asks)]
    assert [each.hex for each in found] == ["2010"], "N-FN-1 cannot win"
    (attack,) = found
    assert attack.support.hq == ("N-HQ-CTV",)
    assert {*attack.losses} == {"N-FIN-8", "N-FIN-10"}
    assert attack.advance.to == "2010" and attack.breakthrough.keys() == {*attack.losses}
    game.order(Done()).order(attack)
    assert (game.asks.side, game.asks.stage) == (R, "support")
    game.default().roll(6, 6, 6).roll(6)
    assert (game.asks.side, game.asks.stage) == (R, "trade")
    game.default()
    assert game.asks.stage not in {"losses", "advance", "breakthrough"}


def test_no_ready_attack_goes_farther_than_it_may():
    """Behind 2010 lies the pass of El Escudo, and no line of supply leads there."""
    there = {
        "2010": "R-168", "1809": "R-169", "2009": "R-170", "1910": "R-157",
        "2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8",
    }  # fmt: skip
    game = begun(table(there), *phase(N))
    attacks = [each.orders[1] for each in COUNSEL.ready(game.state, game.asks)]
    game.order(Done())
    assert "2010" in [each.hex for each in attacks]
    for attack in attacks:
        told = [str(line) for line in COUNSEL.remarks(game.state, attack)]
        assert told and not [line for line in told if "goes no farther" in line]


def test_of_those_who_should_advance_only_as_many_go_as_a_hex_holds():
    units = {"2110": ("N-LIT-1", "N-LIT-2", "N-CEL", "N-CII-1"), "2011": ("N-FIN-8", "N-FIN-10")}
    there = {"2010": "R-168", **{hex: " ".join(those) for hex, those in units.items()}}
    everybody = tuple(unit for those in units.values() for unit in those)
    attack = Attack("2010", units, breakthrough={}, advance=Following(everybody, "2010"))
    position = table(there)
    found = ready.as_far_as_they_may(position, N, attack).advance
    points = sum(position.printed(unit).points for unit in found.units)
    assert found.units and points < 2 * position.terrain("2010").stacking, "twice is ruin"
    assert points < sum(position.printed(unit).points for unit in everybody)
    nobody = replace(attack, advance=Following((), "2010"))
    assert ready.as_far_as_they_may(position, N, nobody).advance == NONE


def test_a_ready_attack_says_who_bombards_or_that_nobody_does():
    there = {"2010": "R-168", "2110": "N-FIN-8", "2011": "N-FIN-10"}

    def backing(position):
        game = begun(position, *phase(N))
        (attack,) = [each.orders[1] for each in COUNSEL.ready(game.state, game.asks)]
        return attack.support

    def support(**changes):
        return backing(table(there, **changes))

    assert support().air and not support().hq
    assert support(weather=RAIN) == NONE
    there |= {"2110": "N-FIN-8 N-HQ-CTV"}
    assert support(weather=RAIN).hq == ("N-HQ-CTV",) and not support(weather=RAIN).air
    # What wins in any case needs nobody, unless more may lie covered there.
    there |= {"2110": "N-LIT-1 N-LIT-2", "2011": "N-FIN-8 N-FIN-10"}
    assert support(lost="R-168") == NONE
    assert backing(covered(there, {"2010": "R-169"}, lost={"R-168": 1})).air


def test_a_long_ready_attack_is_read_as_the_form_has_it():
    """What may be left out stands in lines below it."""
    units = {"2110": ("N-LIT-1", "N-LIT-2"), "2011": ("N-FIN-8",)}
    ways = dict.fromkeys(("N-LIT-1", "N-LIT-2", "N-FIN-8"), ("2010", "1909", "1808"))
    attack = Attack("2010", units, support="none", losses=(*ways,), breakthrough=ways)
    game = begun(table({"2010": "R-168", "2110": "N-LIT-1 N-LIT-2"}), *phase(N))
    lines = form(game.asks, Head(ready=(((Done(), attack), "odds"),))).splitlines()
    at = next(at for at, line in enumerate(lines) if "- attack: " in line)
    end = next(at for at, line in enumerate(lines) if line.endswith(" odds"))
    written = [line.replace("# ", "", 1) for line in lines[at:end]]
    assert len(written) == 5 and max(map(len, written)) <= 96
    file = parse(Source("form.yaml", "\n".join(["orders:", *written])), system().verbs)
    assert bind(file, 0, system().names(game.state, N, Attack, answering=False)) == attack
