"""10 and 4.4: combat, losses, retreats, morale, advances."""

import pytest

from pbem.engine import kernel
from pbem.engine.model import Unfolding
from pbem.games.ctv import events as e
from pbem.games.ctv.orders import (
    Advance,
    Attack,
    Breakthrough,
    Done,
    Following,
    Losses,
    Move,
    Retreat,
    Support,
    Trade,
)
from pbem.games.ctv.position import ELIMINATED, RAIN
from pbem.games.ctv.rules import combat, fate
from pbem.games.ctv.stages.combat import (
    Advancing,
    Deciding,
    Driven,
    Ends,
    Entering,
    Losing,
    Morale,
    is_a_choice,
)
from pbem.value import replace as value_replace
from tests.games.ctv.table import N, R, begun, clash, fighting, joined, table

TRIO = ("N-NI-1", "N-NI-2", "N-NI-3")
NORTH = {"2305": "R-170", "2405": " ".join(TRIO)}
"""5:1 on clear ground; the defenders may retreat to 2205, 2206 and 2306."""


# ------------------------------------------------------------------- 10.1: who attacks


@pytest.mark.rule("10.1")
def test_an_attack_on_nobody_is_told_the_nearest_targets():
    there = {"2110": "N-LIT-1", "2010": "R-168", "2405": "N-NI-1", "2305": "R-170"}
    game = fighting(table(there), N)
    for hex, near, hint in (
        ("2009", "2110", "you could attack 2010 or Mataporquera (2305)"),
        ("2306", "2405", "you could attack Mataporquera (2305) or 2010"),
    ):
        order = Attack(hex, {near: game.position.units_at(near)})
        assert [str(each.hint) for each in kernel.violations(game.state, order)] == [hint]


@pytest.mark.rule("10.1")
def test_a_unit_attacks_once_in_a_segment_and_a_hex_may_be_attacked_twice():
    there = {"2205": "R-178 R-179", "2204": "N-NI-1 N-NI-2", "2304": "N-NII-1", "2306": "R-180"}
    game = fighting(table(there, weather=RAIN), N)
    game.order(Attack("2205", {"2204": ("N-NI-1",)})).roll(4)
    while game.asks.stage != "combat":
        game.default()
    assert game.broken(Attack("2205", {"2204": ("N-NI-1", "N-NI-2")})) == ["10.1"]
    assert game.broken(Attack("2205", {"2204": ("N-NI-2",), "2304": ("N-NII-1",)})) == []
    assert [option.order for option in game.asks.options] == [Attack, Done]
    able = combat.able_against(game.position, N, "2205")
    assert able == {"2204": ("N-NI-2",), "2304": ("N-NII-1",)}, "so no attack of it is proposed"


@pytest.mark.rule("10.1")
def test_who_and_what_may_be_named_in_an_attack():
    there = {"2205": "R-178", "2204": "N-NI-1 N-HQ-NI N-SC-1", "2403": "N-NII-1", "2304": "N-SC-2"}
    game = fighting(table(there), N)
    assert game.broken(Attack("2105", {"2204": ("N-NI-1",)})) == ["10.1"], "nobody is there"
    assert game.broken(Attack("2204", {"2205": ("R-178",)})) == ["10.1"], "they are one's own"
    assert game.broken(Attack("2205", {})) == ["10.1"]
    assert game.broken(Attack("2205", {"2204": ()})) == ["10.1"]
    assert game.broken(Attack("2205", {"2204": ("R-178",)})) == ["10.1"]
    assert game.broken(Attack("2205", {"2304": ("N-NI-1",)})) == ["10.1"], "it is in 2204"
    assert game.broken(Attack("2205", {"2204": ("N-HQ-NI",)})) == ["9.2"]
    assert game.broken(Attack("2205", {"2204": ("N-SC-1",)})) == ["9.2"]
    assert game.broken(Attack("2205", {"2204": ("N-NI-1", "N-NI-1")})) == ["10.1"]
    assert game.broken(Attack("2205", {"2403": ("N-NII-1",)})) == ["10.1"], "not next to it"
    crowd = fighting(table({**there, "2105": "R-179"}), N)
    assert crowd.broken(Attack("2205", {"2105": ("R-179",)})) == ["10.1"], "they are not one's own"
    assert game.broken(Attack("2205", {"2204": ("N-NI-1",)})) == []


@pytest.mark.rule("10.1")
def test_a_column_alone_is_not_attacked():
    game = fighting(
        table({"2205": "R-SC-1", "2305": "R-170", "2204": "N-NI-1", "2405": "N-NI-2"}), N
    )
    assert game.broken(Attack("2205", {"2204": ("N-NI-1",)})) == ["10.1"]
    assert list(combat.targets(game.position, N)) == ["2305"]
    (afar,) = kernel.violations(game.state, Attack("2305", {"2204": ("N-NI-1",)}))
    assert afar.at == ("units", "2204") and afar.is_key


@pytest.mark.rule("10.1", "5")
def test_the_limit_of_an_attack_holds_for_each_hex():
    there = {"2205": "R-178", "2204": "N-NI-1 N-NI-2 N-CEL", "2304": "N-NII-1 N-NII-2"}
    game = fighting(table(there), N)
    four, two = ("N-NI-1", "N-NI-2"), ("N-NII-1", "N-NII-2")
    assert game.broken(Attack("2205", {"2204": four, "2304": two})) == []
    assert game.broken(Attack("2205", {"2204": (*four, "N-CEL"), "2304": two})) == ["10.1"]
    clear = fighting(table({"2305": "R-170", "2405": "N-NI-1 N-NI-2 N-NI-3 N-CEL"}), N)
    assert clear.broken(Attack("2305", {"2405": TRIO})) == []
    assert clear.broken(Attack("2305", {"2405": (*TRIO, "N-CEL")})) == ["10.1"]


@pytest.mark.rule("10.1")
def test_all_units_of_the_attacked_hex_defend_headquarters_too():
    position = table({"2205": "R-178 R-RFT R-HQ-55", "2204": "N-NI-1"})
    assert combat.defence_strength(position, "2205") == 9, "3 + 2 + 1 = 6, by 1.5"


@pytest.mark.rule("10.1", "3.B.3")
def test_combat_ends_by_itself_when_nobody_can_attack():
    game = fighting(table({"2305": "R-170", "2405": "N-NI-1"}), N)
    assert game.asks.optional and game.asks.default == Done()
    assert combat.able_against(game.position, N, "2305") == {"2405": ("N-NI-1",)}
    game.order(Done())
    assert game.asks is None
    assert fighting(table({"2205": "R-170", "2405": "N-NI-1"}), N).asks is None
    assert fighting(table({"2305": "R-170", "2405": "N-HQ-NI N-SC-1"}), N).asks is None


# ------------------------------------------------------------------- 10.2: ratio and die


@pytest.mark.rule("10.2")
def test_ratios_are_rounded_for_the_defender():
    position = table({})
    heading = position.board.odds.heading

    def column(attack, defence, shift=0):
        return heading(combat.column_of(position, attack, defence, shift)[0])

    assert column(14, 5) == "2:1" and column(15, 5) == "3:1" and column(7, 5) == "1:1"
    assert column(60, 5) == "6:1" and column(30, 5, 1) == "6:1", "no column further"
    assert column(5, 10) == "1:2" and column(5, 10, 1) == "1:1"
    assert combat.column_of(position, 4, 10, 0) == (0, -1)
    assert combat.column_of(position, 4, 10, 1) == (0, 0)


@pytest.mark.rule("10.2")
def test_the_die_is_held_within_the_table_and_no_defence_counts_one():
    position = table({})
    column = combat.column_of(position, 5, 1, 0)[0]
    assert combat.result_of(position, column, 9) == combat.result_of(position, column, 7) == "B"
    assert combat.result_of(position, column, -3) == combat.result_of(position, column, 0)
    assert combat.result_of(position, column, 0) == "1/1"
    even = combat.column_of(position, 1, 1, 0)[0]
    assert [combat.result_of(position, even, die) for die in (6, 7, 8)] == ["1/1", "0/1", "0/1"]
    crowd = table({"2205": "R-178 R-179 R-180"}, lost="R-178 R-179 R-180")
    assert combat.defence_strength(crowd, "2205") == 5, "6 / 2 = 3 for the crowd, by 1.5"
    gun = table({"2305": "R-HQ-53"}, levels={"R-HQ-53": 1})
    assert combat.defence_strength(gun, "2305") == 1
    crowded = table({"2405": "N-HQ-CI N-NI-1 N-NI-2 N-NI-3 N-NII-1"})
    assert combat.defence_strength(crowded, "2405") == 8, "17 / 2 down"


@pytest.mark.rule("4.4", "10.2")
def test_the_shift_of_the_first_turn_in_a_combat():
    there = {"2010": "R-168", "2110": "N-LIT-1", "2111": "N-HQ-CTV"}
    game = clash(table(there, turn=1), "2010", "N-LIT-1", face=1)
    assert (game.event(e.CombatRolled).column, game.event(e.CombatRolled).shift) == ("3:2", 1)
    later = clash(table(there, turn=2), "2010", "N-LIT-1", face=1)
    assert later.event(e.CombatRolled).column == "1:1"
    marked = table(there, turn=1, unsupplied=frozenset({"N-HQ-CTV"}))
    assert combat.first_turn_shift(marked, N, "2010") == 1, "its line is open again"
    cut = table({**there, "2012": "R-170", "2211": "R-178"}, turn=1, unsupplied=frozenset())
    assert combat.first_turn_shift(cut, N, "2010") == 0, "its line was closed in this segment"
    other = table({**there, "2111": "N-HQ-NAV N-CEL", "2211": "N-HQ-LIT"}, turn=1)
    assert combat.first_turn_shift(other, N, "2010") == 0
    spanish = table({"2010": "R-168", "2110": "N-NI-1", "2111": "N-HQ-CTV"}, turn=1)
    assert combat.first_turn_shift(spanish, N, "2010") == 1, "whoever attacks"


@pytest.mark.rule("10.2.1")
def test_what_counts_for_a_concentric_attack():
    units = {"2006": "R-179", "2007": "N-NI-1", "2105": "N-NI-2"}
    attackers = {"2007": ("N-NI-1",), "2105": ("N-NI-2",)}
    assert combat.modifiers(table(units), "2006", attackers) == {"concentric": 1}
    cut = table(units, unsupplied=frozenset({"N-NI-2"}))
    assert not combat.is_concentric(cut, "2006", attackers), "it has no zone"
    assert not combat.is_concentric(table(units), "2006", {"2007": ("N-NI-1",)}), (
        "one that does not attack holds its hex, and its zone does not count"
    )
    pair = table({**units, "2105": "N-NI-2 N-NI-3"}, unsupplied=frozenset({"N-NI-2"}))
    both = {"2007": ("N-NI-1",), "2105": ("N-NI-2", "N-NI-3")}
    assert combat.is_concentric(pair, "2006", both), "one of the two has a zone"
    assert not combat.is_concentric(table({**units, "1906": "R-HQ-52"}), "2006", attackers)


@pytest.mark.rule("10.2.1")
def test_hexes_of_sea_are_covered_and_what_is_off_the_map_is_not():
    sea = table({"1211": "R-183", "1110": "N-NI-1", "1210": "N-NI-2"})
    attackers = {"1110": ("N-NI-1",), "1210": ("N-NI-2",)}
    covered = sea.board.zones.around(sea.board.masks.of(attackers)) | sea.occupied[N]
    near = [hex for hex in ("1110", "1111", "1210", "1212", "1310", "1311")
            if covered & sea.board.masks.bit[hex]]  # fmt: skip
    assert near == ["1110", "1111", "1210", "1310"]
    assert not combat.is_concentric(sea, "1211", attackers)
    edge = table({"2502": "R-170", "2402": "N-NI-1", "2403": "N-NI-2", "2501": "N-NI-3",
                  "2503": "N-NII-1"})  # fmt: skip
    assert not combat.is_concentric(edge, "2502", {"2402": ("N-NI-1",)})


# ------------------------------------------------------------------- 10.3: losses


@pytest.mark.rule("10.3")
def test_the_owner_says_who_loses_among_equals():
    there = {"2205": "R-178 R-179", "2204": "N-NI-1 N-NI-2", "2304": "N-NII-1"}
    game = clash(table(there), "2205", "N-NI-1", "N-NII-1", face=3)
    assert game.event(e.CombatRolled).result == "1/0", "10 : 9"
    assert (game.asks.stage, game.asks.side, game.asks.policy) == ("losses", N, "losses")
    assert game.broken(Losses(("N-NI-2",))) == ["10.3"], "it does not attack"
    assert game.broken(Losses(("N-NI-1",) * 2)) == [], "each name is a step"
    assert game.broken(Losses(("N-NI-1",) * 3)) == ["10.3"], "it has two steps"
    game.order(Losses(("N-NII-1",)))
    assert game.position.lost == {"N-NII-1": 1}


@pytest.mark.rule("10.3")
def test_losses_are_divided_among_hexes_as_their_owner_likes():
    there = {"2205": "R-178 R-179 R-RFT", "2204": "N-NI-1 N-NI-2", "2304": "N-NII-1"}

    def after(*ranks):
        game = begun(joined(table(there), "2205", "N-NI-1", "N-NI-2", "N-NII-1"),
                     Losing(N, 2, ()), Ends())  # fmt: skip
        game.order(Losses(ranks))
        return dict(game.position.lost), game.where("N-NII-1")

    assert after("N-NI-1", "N-NI-2") == ({"N-NI-1": 1, "N-NI-2": 1}, ["2304"])
    assert after("N-NI-1", "N-NII-1") == ({"N-NI-1": 1, "N-NII-1": 1}, ["2304"])
    assert after("N-NII-1", "N-NI-1") == ({"N-NI-1": 1, "N-NII-1": 1}, ["2304"])
    assert after("N-NII-1", "N-NII-1") == ({}, [ELIMINATED]), "both from one hex"
    assert after("N-NI-1")[0].get("N-NI-1") == 1, "never two while N-NI-2 has lost none"


@pytest.mark.rule("10.3")
def test_a_unit_is_named_again_when_nobody_in_its_hex_has_lost_fewer():
    there = {"2205": "R-178 R-179 R-RFT", "2204": "N-NI-1 N-NI-2", "2304": "N-NII-1"}

    def broken(*ranks, **table_options):
        game = begun(joined(table(there, **table_options), "2205", "N-NI-1", "N-NI-2", "N-NII-1"),
                     Losing(N, 2, tuple({"N-NI-2": 1}.items())), Ends())  # fmt: skip
        return game.broken(Losses(ranks))

    assert broken("N-NI-1", "N-NI-1") == ["10.3"], "N-NI-2 has lost none"
    assert broken("N-NI-1", "N-NI-2", "N-NI-1") == []
    assert broken("N-NI-1", "N-NI-1", lost="N-NI-2") == [], "N-NI-2 has lost one already"
    assert broken("N-NI-2", lost="N-NI-2") == [], "it is ranked first, and loses in its turn"
    fresh = {"lost": "N-NI-2", "options": ["losses_of_this_combat"]}
    assert broken("N-NI-1", "N-NI-1", **fresh) == ["10.3"], "which was before this combat"
    assert broken("N-NI-1", "N-NII-1", "N-NII-1") == [], "another hex"


@pytest.mark.rule("10.3")
def test_without_a_word_losses_are_spread_over_the_hexes():
    there = {"2205": "R-178 R-179 R-RFT", "2204": "N-NI-1", "2304": "N-NII-1"}
    game = begun(joined(table(there), "2205", "N-NI-1", "N-NII-1"), Losing(N, 2, ()), Ends())
    game = game.default()
    assert game.position.lost == {"N-NI-1": 1, "N-NII-1": 1}


@pytest.mark.rule("10.3")
def test_steps_lost_before_count_unless_agreed():
    there = {"2205": "R-178 R-179", "2204": "N-NI-1"}
    old = table(there, lost="R-178")
    assert combat.next_to_lose(old, ("R-178", "R-179"), {"R-178": 1}) == ("R-179",)
    fresh = table(there, lost="R-178", options=["losses_of_this_combat"])
    assert combat.next_to_lose(fresh, ("R-178", "R-179"), {"R-178": 1}) == ("R-178", "R-179")
    assert combat.next_to_lose(fresh, ("R-178", "R-179"), {}) == ("R-179",)
    single = table({"2205": "R-178 R-RFT R-HQ-55"}, lost="R-178")
    assert combat.next_to_lose(single, ("R-178", "R-RFT", "R-HQ-55"), {}) == ("R-RFT",)


@pytest.mark.rule("10.3")
def test_nobody_is_asked_where_there_is_no_choice():
    there = {"2205": "R-178 R-179", "2204": "N-NI-1"}

    def asks(steps, units="R-178 R-179", **changes):
        position = table({**there, "2205": units}, **changes)
        game = begun(joined(position, "2205", "N-NI-1"), Losing(R, steps, ()), Ends())
        return bool(game.asks), sum(game.position.lost.values())

    assert asks(1) == (True, 0)
    assert asks(2) == (False, 2), "one each"
    assert asks(3) == (True, 0), "one each, and then one of them"
    assert asks(4) == (False, 0), "all"
    assert asks(9) == (False, 0), "what there is not is not lost"
    assert asks(1, lost="R-178") == (False, 2), "the other one"
    assert asks(1, "R-178 R-HQ-55") == (False, 1), "headquarters take none"
    led = begun(joined(table({**there, "2205": "R-178 R-179 R-HQ-55"}), "2205", "N-NI-1"),
                Losing(R, 1, ()), Ends())  # fmt: skip
    assert led.broken(Losses(("R-HQ-55",))) == ["10.3"]
    position = table({**there, "2304": "N-NII-1"})
    two = begun(joined(position, "2205", "N-NI-1", "N-NII-1"), Losing(N, 2, ()), Ends())
    assert two.asks, "of which hex?"
    last = begun(joined(position, "2205", "N-NI-1", "N-NII-1"), Losing(N, 4, ()), Ends())
    assert last.where("N-NI-1", "N-NII-1") == [ELIMINATED] * 2


@pytest.mark.rule("10.3")
def test_the_weakest_lose_first_if_nothing_is_said():
    position = table({"2205": "R-178 R-179 R-169"})
    assert combat.ranked(position, None, ["R-178", "R-179", "R-169"]) == (
        "R-169", "R-178", "R-179")  # fmt: skip
    assert combat.ranked(position, Losses(("R-179",)), ["R-178", "R-179"])[0] == "R-179"


# ------------------------------------------------------------------- 9.2: headquarters alone


@pytest.mark.rule("9.2")
def test_a_headquarters_alone_defends_with_its_factor_and_dies_of_any_loss():
    there = {"2305": "R-HQ-XV", "2405": "N-NI-1"}
    game = clash(table(there, trenches=frozenset({"2305"})), "2305", "N-NI-1", face=6)
    rolled = game.event(e.CombatRolled)
    assert (rolled.attack, rolled.defence, rolled.result) == (5, 2, "0/1")
    assert game.where("R-HQ-XV") == [ELIMINATED] and not game.position.trenches
    assert not game.all(e.MoraleRolled)
    assert game.asks.stage == "advance", "there was no trade, and no die for morale"
    spared = clash(table(there), "2305", "N-NI-1", face=1)
    assert spared.event(e.CombatRolled).result == "1/0" and spared.where("R-HQ-XV") == ["2305"]


@pytest.mark.rule("9.2")
def test_the_attackers_headquarters_goes_with_its_troops():
    there = {"2205": "R-178 R-179", "2204": "N-CEL N-HQ-LIT", "2203": "N-NI-1"}
    game = clash(table(there), "2205", "N-CEL", face=1)
    assert game.where("N-CEL", "N-HQ-LIT") == [ELIMINATED, ELIMINATED]
    others = {**there, "2204": "N-CEL N-HQ-LIT N-NI-2"}
    helped = clash(table(others), "2205", "N-CEL", face=1)
    assert helped.where("N-CEL", "N-HQ-LIT") == [ELIMINATED, "2204"]


# ------------------------------------------------------------------- 10.5: trades and retreats


@pytest.mark.rule("10.5.1")
def test_where_a_stack_may_retreat():
    position = table({**NORTH, "2206": "N-HQ-CI", "2306": "R-171"})
    assert combat.retreats(position, "2305") == ("2306",), (
        "2206 is held by the enemy, 2205 is in its zone, and so is 2306, where friends are"
    )
    coast = table({"1211": "R-183", "1210": "N-NI-1"})
    assert combat.retreats(coast, "1211") == (), "1110 is in the zone of the enemy, the rest closed"
    free = table({"2305": "R-170"})
    assert set(combat.retreats(free, "2305")) == {"2304", "2306", "2205", "2206", "2405", "2406"}


@pytest.mark.rule("10.5.1", "1.3.2")
def test_a_hex_that_is_no_way_of_retreat_is_refused_for_its_reason():
    there = {"1211": "R-183", "1210": "N-NI-1"}
    position = joined(table(there), "1211", "N-NI-1")
    game = begun(position, Deciding(R, 1, ()))
    assert game.why(Trade("1210")) == ["enemy units are in 1210"]
    assert game.why(Trade("1110")) == ["1110 is in an enemy zone, and no unit of yours is there"]
    assert game.why(Trade("1310")) == ["nothing crosses the side between 1211 and 1310"]
    assert game.broken(Trade("1310")) == ["1.3.2"] and game.broken(Trade("1110")) == ["10.5.1"]
    assert game.why(Trade("1209")) == ["1209 is not next to 1211"]
    gone = begun(position.with_units(["N-NI-1"], ELIMINATED), Deciding(R, 1, ()))
    assert gone.why(Trade("1210")) == ["the attack came from 1210"]
    assert gone.why(Trade("1110")) == []
    other = joined(table(there).with_units(["R-183"], ELIMINATED), "1211", "N-NI-1")
    assert str(combat.why_no_retreat(other, "1210", "1211")) == "the attack was on Santander (1211)"


@pytest.mark.rule("10.5.1", "10.6")
def test_attackers_are_not_driven_into_the_hex_that_they_attacked():
    there = {"2106": "R-178 R-179", "2007": "R-170", "2006": "N-NI-1"}
    position = table(there, turn=3, marker=3, lost="N-NI-1", weather=RAIN, nationalist="2006")
    game = clash(position, "2006", "R-178", "R-179", "R-170", face=4)
    game.order(Losses(("R-178", "R-179", "R-170"))).order(Trade()).roll(3)
    assert game.event(e.MoraleRolled).result == "retreat" and game.asks.stage == "retreat"
    assert game.position.holder("2006") is None, "nobody is left there"
    assert game.broken(Retreat("2006")) == ["10.5.1"]
    assert game.broken(Retreat("2007")) == [], "where others attacked from"
    game.default()
    assert game.position.control["2006"] == N and game.position.marker == 3


@pytest.mark.rule("10.5", "10.5.1", "10.4")
def test_defenders_retreat_into_no_hex_from_which_they_were_attacked():
    game = clash(table({"2206": "R-169", "2305": "N-CEL"}), "2206", "N-CEL", face=4)
    assert game.where("N-CEL") == [ELIMINATED] and game.asks.stage == "trade"
    assert game.broken(Trade("2305")) == ["10.5.1"], "defenders do not advance"
    assert game.broken(Trade("2205")) == []


@pytest.mark.rule("10.5", "10.5.1")
def test_a_stack_retreats_as_one_and_is_disorganised():
    position = table({"2305": "R-170 R-RFT R-HQ-53", "2405": " ".join(TRIO)},
                     trenches=frozenset({"2305"}))  # fmt: skip
    game = clash(position, "2305", *TRIO, face=5)
    assert game.event(e.CombatRolled).result == "0/1", "15 : 6 is 2:1, and 5 - 1"
    assert (game.asks.stage, game.asks.side, game.asks.policy) == ("trade", R, "trade")
    assert game.broken(Trade("2304")) == ["10.5.1"], "an enemy zone"
    assert game.broken(Trade("2405")) == ["10.5.1"]
    game.order(Trade("2306"))
    assert game.where("R-170", "R-RFT", "R-HQ-53") == ["2306", "2306", ELIMINATED]
    assert game.position.levels == {"R-170": 1, "R-RFT": 1}
    assert not game.position.lost and not game.position.trenches
    game.roll(1)
    assert game.event(e.MoraleRolled).hex == "2305" and game.asks.stage == "advance"


@pytest.mark.rule("10.5")
def test_one_step_only_is_traded():
    position = table({"2305": "R-170 R-171", "2405": " ".join(TRIO)})
    game = clash(position, "2305", *TRIO, face=6)
    assert game.event(e.CombatRolled).result == "1/2" and game.asks.stage == "losses"
    game.order(Losses(("N-NI-1",))).order(Trade("2205"))
    assert game.asks.stage == "losses", "which of the two loses the other step?"
    game.order(Losses(("R-171",)))
    assert game.position.lost == {"N-NI-1": 1, "R-171": 1}
    assert game.where("R-170", "R-171") == ["2205", "2205"]


@pytest.mark.rule("10.5")
def test_no_trade_without_a_way_and_none_for_attackers():
    ring = {"2205": "R-178", "2204": "N-NI-1", "2206": "N-NI-2", "2105": "N-NI-3"}
    game = clash(table(ring), "2205", "N-NI-1", "N-NI-2", "N-NI-3", face=1)
    assert game.event(e.CombatRolled).result == "0/1"
    assert game.position.lost == {"R-178": 1}, "it is not asked"
    other = clash(
        table({"2205": "R-178 R-179", "2204": "N-NI-1"}), "2204", "R-178", "R-179", face=1
    )
    assert other.event(e.CombatRolled).result == "2/0"
    assert sum(other.position.lost.values()) == 2 and not other.all(e.StackRetreated)


@pytest.mark.rule("10.5", "9.2")
def test_a_step_is_traded_only_if_troops_are_left_to_retreat():
    position = table({"2205": "R-RFT R-HQ-53", "2206": "R-178 R-HQ-54"})
    assert [combat.may_trade(position, "2205", steps) for steps in (1, 2)] == [True, False]
    assert [combat.may_trade(position, "2206", steps) for steps in (2, 3)] == [True, False]


@pytest.mark.rule("10.5")
def test_nationalist_defenders_may_trade_and_roll_for_no_morale():
    there = {"2404": "N-CEL N-HQ-LIT", "2304": "R-178 R-179", "2305": "R-180"}
    game = clash(table(there), "2404", "R-178", "R-179", "R-180", face=4)
    assert game.event(e.CombatRolled).result == "0/1" and (game.asks.side, game.asks.stage) == (
        N, "trade")  # fmt: skip
    game.order(Trade("2504"))
    assert game.where("N-CEL", "N-HQ-LIT") == ["2504", ELIMINATED]
    assert game.asks.stage == "advance" and not game.all(e.MoraleRolled)


@pytest.mark.rule("10.5.1", "9.5.1", "6.3.1")
def test_a_retreat_is_one_level_more_and_two_without_supply():
    for level, out, after in ((0, False, 1), (1, False, 2), (0, True, 2), (3, False, None)):
        position = table({"2305": "R-170"}, levels={"R-170": level} if level else {},
                         unsupplied=frozenset({"R-170"} if out else ()))  # fmt: skip
        story = Unfolding(position)
        fate.retreat(story, ["R-170"], "2205")
        assert story.position.levels.get("R-170") == after


@pytest.mark.rule("10.5.1")
def test_a_retreat_may_lead_out_of_supply():
    """8.1.1 is about movement; of what follows combat 10.4.1 alone recalls it."""
    there = {"2305": "R-170 R-171", "2405": " ".join(TRIO)}
    fallen = table(there, control=dict.fromkeys(table().board.hexes, N))
    game = clash(fallen, "2305", *TRIO, face=4)
    assert game.asks.stage == "trade" and not game.position.judged[R]
    ways = combat.retreats(game.position, "2305")
    assert ways and [game.broken(Trade(to)) for to in ways] == [[]] * len(ways)


@pytest.mark.rule("10.8", "10.5.1")
def test_a_retreat_takes_ground_and_columns_too():
    position = table({"2305": "R-170", "2206": "N-SC-1"}, nationalist="2206")
    story = Unfolding(position)
    fate.retreat(story, ["R-170"], "2206", is_forced=True)
    assert story.position.control["2206"] == R and story.position.places["N-SC-1"] == "aside"
    assert story.events[0] == e.StackRetreated(("R-170",), "2305", "2206", True)
    gone = Unfolding(position)
    fate.retreat(gone, ["R-171"], "2206")
    assert not gone.events


# ------------------------------------------------------------------- 10.6: morale


def morale_of(face, *, there=None, hex="2305", attackers=TRIO, units=("R-170",), lost="R-170",
           marker=0, **changes):  # fmt: skip
    """A stack that has lost steps, and its die."""
    position = table(there or NORTH, lost=lost, marker=marker, **changes)
    battle = joined(position, hex, *attackers)
    side = battle.side_of(attackers[0])
    stages = Morale(side, ((hex if units[0] not in attackers else battle.at(units[0]), units),), ())
    return begun(battle, stages, Ends()).roll(face)


@pytest.mark.rule("10.6")
def test_the_results_of_the_morale_table():
    assert morale_of(2).position.levels == {}
    assert morale_of(4).position.levels == {"R-170": 1}
    driven = morale_of(5)
    assert (driven.asks.stage, driven.asks.side, driven.asks.rule) == ("retreat", R, "10.6")
    assert driven.broken(Retreat("2304")) == ["10.5.1"]
    assert driven.broken(Retreat("none")) == ["10.5.1"]
    driven.order(Retreat("2206"))
    assert driven.where("R-170") == ["2206"] and driven.position.levels == {"R-170": 1}
    assert driven.event(e.StackRetreated).is_forced
    assert morale_of(4, marker=3).where("R-170") == [ELIMINATED], "7: a step, and nobody is left"
    assert morale_of(6, marker=3).where("R-170") == [ELIMINATED], "9: it lays down its arms"


@pytest.mark.rule("10.6")
def test_a_broken_stack_loses_a_step_that_its_owner_picks():
    there = {"2305": "R-170 R-171", "2405": " ".join(TRIO)}
    game = morale_of(6, there=there, units=("R-170", "R-171"), lost="R-170 R-171", marker=1)
    assert (game.asks.stage, game.asks.side) == ("losses", R)
    assert game.broken(Losses(("N-NI-1",))) == ["10.3"]
    game.order(Losses(("R-171",)))
    assert game.where("R-171") == [ELIMINATED] and game.asks.stage == "retreat"
    game.order(Retreat("2205"))
    assert game.where("R-170") == ["2205"] and game.position.levels == {"R-170": 1}


@pytest.mark.rule("10.6", "10.3")
def test_the_broken_step_belongs_to_the_same_combat():
    there = {"2305": "R-170 R-171", "2405": " ".join(TRIO)}
    game = morale_of(6, there=there, units=("R-170", "R-171"), lost="R-170", marker=1,
                  options=["losses_of_this_combat"])  # fmt: skip
    assert game.position.lost == {"R-170": 1, "R-171": 1}, "R-170 has lost one in it already"


@pytest.mark.rule("10.6")
def test_who_has_retreated_for_a_step_goes_no_second_hex():
    def after(face, marker):
        position = table({"2305": "R-170 R-171", "2405": " ".join(TRIO)}, marker=marker)
        game = clash(position, "2305", *TRIO, face=4)
        game.order(Trade("2205")).roll(face)
        return game.where("R-170", "R-171"), game.position.levels

    assert after(5, 1) == (["2205", "2205"], {"R-170": 2, "R-171": 2})
    assert after(4, 0) == (["2205", "2205"], {"R-170": 2, "R-171": 2}), "disorganised"
    assert after(1, 0) == (["2205", "2205"], {"R-170": 1, "R-171": 1})


@pytest.mark.rule("10.6")
def test_a_traded_step_calls_for_morale():
    game = clash(table(NORTH), "2305", *TRIO, face=2).order(Trade("2205"))
    assert not game.position.lost
    game.roll(3)
    assert game.event(e.MoraleRolled).result == "disorganised"
    assert game.position.levels == {"R-170": 2}


@pytest.mark.rule("10.6")
def test_no_step_no_die_and_none_for_bombardment():
    game = clash(table({"2205": "R-178 R-179", "2204": "N-NI-1"}), "2205", "N-NI-1", face=3)
    assert game.event(e.CombatRolled).result == "2/0" and not game.all(e.MoraleRolled)
    there = {"2010": "R-168 R-169", "2110": "N-LIT-1 N-HQ-LIT"}
    shot = fighting(table(there, levels={"R-168": 3}), N).order(
        Attack("2010", {"2110": ("N-LIT-1",)})
    )
    shot.order(Support(hq=("N-HQ-LIT",))).order(Support()).roll(6)
    assert shot.where("R-168") == [ELIMINATED]
    shot.roll(1)
    assert not shot.all(e.MoraleRolled)


@pytest.mark.rule("10.6")
def test_a_driven_stack_without_a_way_is_lost():
    ring = {"2205": "R-178", "2204": "N-NI-1", "2206": "N-NI-2", "2105": "N-NI-3"}
    game = morale_of(
        5, there=ring, hex="2205", attackers=("N-NI-1",), units=("R-178",), lost="R-178"
    )
    assert game.where("R-178") == [ELIMINATED]
    assert game.event(e.UnitEliminated).why == "no retreat"
    one = {**ring, "2305": "R-171"}
    game = morale_of(
        5, there=one, hex="2205", attackers=("N-NI-1",), units=("R-178",), lost="R-178"
    )
    assert game.where("R-178") == ["2305"], "into a zone, to a friend; nobody is asked"


@pytest.mark.rule("10.6", "9.2")
def test_a_headquarters_does_not_go_along_and_does_not_roll_alone():
    there = {"2305": "R-170 R-HQ-53", "2405": " ".join(TRIO)}
    game = morale_of(5, there=there, units=("R-170", "R-HQ-53")).order(Retreat("2205"))
    assert game.where("R-170", "R-HQ-53") == ["2205", ELIMINATED]
    position = table({"2305": "R-HQ-53"})
    assert not combat.tests_morale(position, ["R-HQ-53", "R-170"])
    assert not combat.tests_morale(table({"2405": "N-NI-1"}), ["N-NI-1"])
    all_gone = morale_of(6, there=there, units=("R-170", "R-HQ-53"), marker=3)
    assert all_gone.where("R-170", "R-HQ-53") == [ELIMINATED, ELIMINATED]
    assert begun(joined(table(there), "2305", *TRIO), Driven(R, ("R-HQ-53",), True), Ends()).where(
        "R-HQ-53") == ["2305"]  # fmt: skip


@pytest.mark.rule("9.2", "10.7")
def test_who_is_driven_into_a_hex_keeps_no_headquarters_for_those_who_are_driven_on():
    there = {"2206": "R-172", "2305": "R-179 R-HQ-52", "2306": " ".join(TRIO)}
    position = joined(table(there, trenches=frozenset({"2305"})), "2306", "R-172", "R-179")
    stages = (Driven(R, (unit,), False) for unit in ("R-172", "R-179"))
    game = begun(position, *stages, Ends()).order(Retreat("2305"))
    assert game.where("R-172", "R-HQ-52") == ["2305", "2305"] and game.position.trenches
    game.order(Retreat("2205"))
    assert game.where("R-172", "R-179", "R-HQ-52") == ["2305", "2205", ELIMINATED]
    assert not game.position.trenches


@pytest.mark.rule("10.6")
def test_republican_attackers_test_hex_by_hex():
    there = {"2405": "N-NI-1 N-NI-2 N-NI-3", "2304": "R-178 R-179", "2305": "R-180",
             "2406": "R-HQ-XV R-171"}  # fmt: skip
    position = table(there, lost="R-178 R-180", marker=2)
    now = joined(position, "2405", "R-178", "R-179", "R-180", "R-171")
    stacks = (("2304", ("R-178", "R-179")), ("2305", ("R-180",)), ("2406", ("R-171",)))
    game = begun(now, Morale(R, stacks, ()), Advancing(R, "0/0"), Ends()).roll(3, 1)
    assert [each.hex for each in game.all(e.MoraleRolled)] == ["2304", "2305"], "2406 lost nothing"
    assert {each.marker for each in game.all(e.MoraleRolled)} == {2}
    assert game.asks.stage == "retreat" and game.position.levels == {"R-180": 1}
    hexes = combat.retreats(game.position, "2304")
    game.order(Retreat(hexes[0]))
    assert set(game.where("R-178", "R-179")) == {hexes[0]}


@pytest.mark.rule("10.6", "10.4")
def test_attackers_who_are_driven_back_do_not_advance():
    there = {"2405": "N-HQ-CI", "2304": "R-178", "2305": "R-180"}
    position = table(there, lost="R-178", marker=2)
    now = joined(position, "2405", "R-178", "R-180")
    game = begun(now.with_units(["N-HQ-CI"], ELIMINATED), Morale(R, (("2304", ("R-178",)),), ()),
                 Advancing(R, "0/1"), Ends()).roll(3)  # fmt: skip
    game.order(Retreat("2204"))
    assert game.position.battle.fallen_back == ("R-178",) and game.asks.stage == "advance"
    assert game.broken(Advance(("R-178",), "2405")) == ["10.4"]
    assert game.broken(Advance(("R-180",), "2405")) == []


@pytest.mark.rule("10.6")
def test_the_worst_troops_of_a_stack_count():
    position = table({"2205": "R-183 R-157 R-179"})
    modifier = combat.morale_modifier
    assert modifier(position, ["R-183"]) == -2 and modifier(position, ["R-157"]) == -1
    assert modifier(position, ["R-183", "R-157"]) == -1
    assert modifier(position, ["R-183", "R-157", "R-179"]) == 0
    assert modifier(position, ["R-R1"]) == 0
    assert modifier(position, ["R-HQ-52", "R-183", "R-HQ-XIV"]) == -2, "9.2: guns are no troops"
    asturian = morale_of(4, there={"2305": "R-183", "2405": " ".join(TRIO)}, units=("R-183",),
                      lost="R-183", marker=1)  # fmt: skip
    rolled = asturian.event(e.MoraleRolled)
    assert (rolled.modifier, rolled.marker, rolled.result) == (-2, 1, "disorganised")


# ------------------------------------------------------------------- 10.4: advances


@pytest.mark.rule("10.4")
def test_attackers_advance_into_a_hex_that_is_empty():
    game = clash(table({**NORTH, "2404": "N-NII-1"}), "2305", *TRIO, face=5)
    assert game.where("R-170") == [ELIMINATED] and game.asks.stage == "advance"
    assert game.asks.optional and game.asks.default == Advance()
    assert game.broken(Advance(("N-NII-1",), "2305")) == ["10.4"], "it did not attack"
    assert game.broken(Advance(("N-NI-1", "N-NI-1"), "2305")) == ["10.4"]
    assert game.broken(Advance(("N-NI-1",), "2205")) == ["10.4"]
    game.order(Advance(("N-NI-1", "N-NI-2")))
    assert game.where(*TRIO) == ["2305", "2305", "2405"]
    assert game.position.control["2305"] == N and game.position.battle is None
    stays = clash(table(NORTH), "2305", *TRIO, face=5).order(Advance())
    assert stays.position.control["2305"] == R and set(stays.where(*TRIO)) == {"2405"}


@pytest.mark.rule("10.4")
def test_nobody_advances_while_somebody_is_left():
    game = clash(table({"2205": "R-178 R-179", "2204": "N-NI-1"}), "2205", "N-NI-1", face=6)
    game.order(Trade()).order(Losses(("R-178",))).roll(1)
    assert game.asks is None and game.where("N-NI-1", "R-178", "R-179") == ["2204", "2205", "2205"]


@pytest.mark.rule("8.1.1", "10.4")
def test_no_advance_out_of_supply():
    ring = {"1406": "R-173", "1307": "R-171", "1508": "R-172", "1706": "R-174"}
    there = {"1507": "R-170", **ring, "1607": "N-CEL"}
    position = table(there, unsupplied=frozenset()).with_units(["R-170"], ELIMINATED)
    stage = Advancing(N, "0/1")
    assert begun(joined(position, "1507", "N-CEL"), stage, Ends()).asks is None
    free = position.but(options=position.options | {"unsupplied_are_exempt"},
                        unsupplied=frozenset({"N-CEL"}))  # fmt: skip
    exempt = begun(joined(free, "1507", "N-CEL"), stage, Ends())
    assert exempt.asks.stage == "advance"
    bound = exempt.position.but(unsupplied=frozenset())
    assert [each.rule for each in combat.advances_into_supply(
        None, bound, Advance(("N-CEL",), "1507"))] == ["8.1.1"]  # fmt: skip


@pytest.mark.rule("8.1.1", "10.4")
def test_who_advances_last_has_to_find_a_line_as_well():
    there = {"2007": "N-NV-2", "2206": "N-NVI-3", "2209": "R-161", "2407": "R-169",
             "2008": "R-167", "2105": "R-HQ-50", "2106": "R-173"}  # fmt: skip
    pair = ("N-NV-2", "N-NVI-3")
    position = table(there, turn=3, weather=RAIN, lost="R-173")
    game = clash(position, "2106", *pair, face=3)
    while game.asks.stage != "advance":
        game.default()
    assert game.broken(Advance(("N-NV-2",))) == game.broken(Advance(("N-NVI-3",))) == []
    for both in (pair, pair[::-1]):
        (fault,) = kernel.violations(game.state, Advance(both))
        assert fault.rule == "8.1.1" and fault.at == ("units", 1), "who comes last"
    planned = Entering(N).as_many(game.position, pair)
    assert planned == Advance(("N-NV-2",), "2106")


@pytest.mark.rule("5", "5.1.1", "10.4")
def test_an_advance_keeps_the_limits():
    there = {"2205": "R-178", "2204": "N-NI-1 N-NI-2 N-3PZ1", "2304": "N-NII-1 N-NII-2 N-4T26"}
    position = table(there).with_units(["R-178"], ELIMINATED)
    four = ("N-NI-1", "N-NI-2", "N-NII-1", "N-NII-2")
    game = begun(joined(position, "2205", *four, "N-3PZ1", "N-4T26"), Advancing(N, "0/1"), Ends())
    assert game.broken(Advance(four)) == ["5.1.1"]
    assert game.broken(Advance(("N-3PZ1", "N-4T26"))) == ["5"]
    assert game.broken(Advance((*four[:3], "N-3PZ1"))) == []


@pytest.mark.rule("10.4", "9.3")
def test_an_advance_takes_what_is_left_in_the_hex():
    there = {"2305": "R-170 R-SC-1", "2405": " ".join(TRIO)}
    game = clash(table(there, trenches=frozenset({"2305"})), "2305", *TRIO, face=6)
    assert game.event(e.CombatRolled).result == "0/3" and not game.position.trenches
    game.order(Advance(("N-NI-1",)))
    assert game.where("R-SC-1") == ["aside"]


@pytest.mark.rule("10.6.1")
def test_republicans_who_enter_a_hex_they_have_cleared_move_the_marker_back():
    there = {"2405": "N-HQ-CI", "2305": "R-179 R-180"}
    game = clash(table(there, marker=3), "2405", "R-179", "R-180", face=1)
    game.order(Advance(("R-179",)))
    assert game.position.marker == 2 and game.event(e.MarkerMoved).why == "victory"
    stays = clash(table(there, marker=3), "2405", "R-179", "R-180", face=1).order(Advance())
    assert stays.position.marker == 3
    one = {"1407": "N-HQ-CI", "1507": "R-179 R-180"}
    game = clash(table(one, marker=3), "1407", "R-179", "R-180", face=3)
    game.order(Advance(("R-179",)))
    assert game.position.marker == 2, "once, though it is an objective too"
    assert [each.why for each in game.all(e.MarkerMoved)] == ["retaken"]
    won = clash(table(NORTH, marker=3), "2305", *TRIO, face=5).order(Advance(("N-NI-1",)))
    assert won.position.marker == 3, "Nationalists move it by objectives alone"


# ------------------------------------------------------------------- 10.4.1: breakthrough


def broken_through(there, hex, attackers, **changes):
    position = table(there, **changes)
    side = position.side_of(attackers[0])
    return begun(joined(position, hex, *attackers), Advancing(side, "B"), Ends())


@pytest.mark.rule("10.4.1")
def test_a_breakthrough_ignores_zones_but_passes_no_enemy_and_no_closed_side():
    there = {"2405": " ".join(TRIO), "2206": "R-171", "2404": "N-NII-1"}
    game = broken_through(there, "2305", TRIO)
    assert game.asks.stage == "breakthrough" and game.asks.default == Breakthrough()
    legal = {"N-NI-1": ("2305", "2205", "2105"), "N-NI-2": ("2305", "2306"), "N-NI-3": ()}
    assert game.broken(Breakthrough(legal)) == []
    assert game.broken(Breakthrough({"N-NI-1": ("2305", "2206")})) == ["10.4.1"], "held"
    assert game.broken(Breakthrough({"N-NI-1": ("2305", "2105")})) == ["10.4.1"], "not next to it"
    assert game.broken(Breakthrough({"N-NI-1": ("2205",)})) == ["10.4.1"]
    (past,) = kernel.violations(game.state, Breakthrough({"N-NI-1": ("2205",)}))
    assert past.at == ("paths", "N-NI-1", 0)
    (other,) = kernel.violations(game.state, Breakthrough({"N-NII-1": ("2305",)}))
    assert other.at == ("paths", "N-NII-1") and other.is_key
    assert game.broken(Breakthrough({"N-NII-1": ("2305",)})) == ["10.4.1"]
    assert game.broken(Breakthrough({"N-NI-1": ("2305", "2205", "2105", "2104")})) == ["10.4.1"]
    game.order(Breakthrough(legal))
    assert game.where(*TRIO) == ["2105", "2306", "2405"]
    assert [game.position.control[hex] for hex in ("2305", "2205", "2105", "2306")] == [N] * 4
    coast = broken_through({"1314": "N-NI-1"}, "1215", ("N-NI-1",), unsupplied=frozenset())
    assert coast.broken(Breakthrough({"N-NI-1": ("1215",)})) == ["1.3.2"]


@pytest.mark.rule("10.4.1", "5")
def test_a_breakthrough_keeps_the_limits_where_it_ends():
    there = {"2405": "N-NI-1 N-NI-2 N-3PZ1", "2404": "N-NII-1 N-4T26 N-NII-2"}
    five = ("N-NI-1", "N-NI-2", "N-NII-1", "N-NII-2")
    game = broken_through(there, "2304", (*five, "N-3PZ1", "N-4T26"))
    assert game.broken(Breakthrough(dict.fromkeys(five, ("2304", "2205")))) == ["5.1.1"]
    tanks = {"N-3PZ1": ("2304", "2404")}
    assert game.broken(Breakthrough(tanks)) == ["5"]
    swapped = {**tanks, "N-4T26": ("2304", "2405")}
    assert game.broken(Breakthrough(swapped)) == [], "both have left their hexes"


@pytest.mark.rule("8.1.1", "10.4.1")
def test_a_breakthrough_goes_nowhere_out_of_supply():
    there = {"1909": "R-177", "1911": "R-169", "2110": "N-LIT-1"}
    game = broken_through(there, "2010", ("N-LIT-1",))
    assert game.broken(Breakthrough({"N-LIT-1": ("2010", "1910")})) == ["8.1.1"]
    helped = broken_through({**there, "2011": "N-FIN-8"}, "2010", ("N-LIT-1", "N-FIN-8"))
    way = {"N-LIT-1": ("2010", "1910")}
    assert helped.broken(Breakthrough(way)) == []
    left = {"N-FIN-8": ("2010",), **way}
    assert helped.broken(Breakthrough(left)) == [], "2010 is held then"
    assert helped.broken(Breakthrough({"N-FIN-8": ("2010", "2110"), **way})) == ["8.1.1"]


@pytest.mark.rule("8.1.1", "10.4.1")
def test_a_breakthrough_may_come_back_to_where_it_began():
    game = broken_through({"2110": "N-LIT-1", "2010": "R-168"}, "2111", ("N-LIT-1",))
    assert game.broken(Breakthrough({"N-LIT-1": ("2111", "2110")})) == []


@pytest.mark.rule("8.1.1", "10.4.1", "10.8")
def test_a_source_of_the_enemy_that_is_passed_supplies_nobody():
    # 1901 is the only source that the Republicans have left, and their zones close 1903.
    there = {"1801": "N-CEL", "1703": "R-170", "2002": "R-171", "2005": "R-172"}
    way = Breakthrough({"N-CEL": ("1901", "1902", "1903")})
    for others, faults in (("1211 1301 1401", []), ("", ["8.1.1"])):
        game = broken_through(
            there, "1901", ("N-CEL",), nationalist=others, unsupplied=frozenset()
        )  # fmt: skip
        assert game.broken(way) == faults, others


@pytest.mark.rule("10.4.1", "10.6.1")
def test_a_republican_breakthrough_moves_the_marker_once():
    there = {"1508": "R-179 R-180", "1509": "R-183"}
    game = broken_through(there, "1408", ("R-179", "R-180"), marker=4, nationalist="1408 1407")
    game.order(Breakthrough({"R-179": ("1408", "1407"), "R-180": ("1408",)}))
    assert game.position.marker == 3 and game.position.control["1407"] == R
    two = broken_through(there, "1408", ("R-179",), marker=4, nationalist="1408 1307")
    two.order(Breakthrough({"R-179": ("1408", "1307")}))
    assert two.position.marker == 3 and two.event(e.MarkerMoved).hex == "1408"
    won = broken_through({"1508": "N-NI-1"}, "1408", ("N-NI-1",), unsupplied=frozenset(),
                         options=["unsupplied_are_exempt"])  # fmt: skip
    won.order(Breakthrough({"N-NI-1": ("1408", "1407")}))
    assert won.position.marker == 1


@pytest.mark.rule("10.4.1")
def test_attackers_lost_to_bombardment_break_through_nowhere():
    there = {"2405": "N-NI-1 N-NI-2"}
    position = table(there).with_units(["N-NI-2"], ELIMINATED)
    game = begun(joined(position, "2305", "N-NI-1", "N-NI-2"), Advancing(N, "B"), Ends())
    assert game.broken(Breakthrough({"N-NI-2": ("2305",)})) == ["10.4.1"]


@pytest.mark.rule("10.7")
def test_a_trench_lasts_as_long_as_somebody_of_its_hex_is_left():
    position = table({"2305": "R-170 R-171"}, trenches=frozenset({"2305"}))
    story = Unfolding(position)
    fate.eliminate(story, ["R-170"], "losses")
    assert story.position.trenches == {"2305"}
    fate.retreat(story, ["R-171"], "2205")
    assert not story.position.trenches
    chart = {"trench": -1}
    assert combat.trench_modifier(position, "2305", chart) == -1
    assert combat.trench_modifier(position, "2205", chart) == 0


def test_moves_are_no_orders_of_a_combat():
    assert fighting(table(NORTH), N).broken(Move(("N-NI-1",), ("2404",)))


@pytest.mark.rule("10.6")
def test_who_tests_morale():
    there = {"2305": "R-170 R-183", "2405": " ".join(TRIO), "2304": "R-178"}
    now = joined(table(there), "2305", *TRIO)
    stack = (("2305", ("R-170", "R-183")),)
    assert not Morale(N, stack, ()).chance(now).draws, "nothing was lost"
    gone = now.with_units(["R-170"], ELIMINATED)
    game = begun(gone, Morale(N, stack, ()), Ends()).roll(1)
    assert game.event(e.MoraleRolled).modifier == -2, "the Asturians are left alone"
    earlier = joined(table(there, lost="R-170"), "2305", *TRIO)
    assert not Morale(N, stack, (("R-170", 1),)).chance(earlier).draws, "lost before"
    other = joined(table({"2405": "N-NI-1", "2304": "R-178"}), "2405", "R-178")
    assert other.battle is not None
    driven = other.but(battle=value_replace(other.battle, driven=True))
    assert not Morale(R, (("2304", ("R-178",)),), ()).chance(driven).draws, (
        "those who have retreated are the others"
    )


@pytest.mark.rule("10.6", "10.5.1")
def test_attackers_are_driven_though_the_defenders_have_retreated():
    other = joined(table({"2405": "N-NI-1", "2304": "R-178"}), "2405", "R-178")
    assert other.battle is not None
    driven = other.but(battle=value_replace(other.battle, driven=True))
    game = begun(driven, Driven(R, ("R-178",), False), Ends())
    assert game.asks.stage == "retreat"
    two = {"2205": "R-178", "2204": "N-NI-1", "2206": "N-NI-2", "2305": "R-171", "2105": "R-172"}
    now = joined(table(two), "2205", "N-NI-1")
    assert combat.retreats(now, "2205") == ("2105", "2305")
    assert begun(now, Driven(R, ("R-178",), True), Ends()).asks.stage == "retreat"
    one = joined(table({**two, "2105": "N-NI-3"}), "2205", "N-NI-1")
    game = begun(one, Driven(R, ("R-178",), True), Ends())
    assert game.event(e.StackRetreated) == e.StackRetreated(("R-178",), "2205", "2305", True)


@pytest.mark.rule("10.6.1", "10.4.1")
def test_two_objectives_in_one_breakthrough():
    paths = Breakthrough({"{}1": ("1316", "1317", "1318"), "{}2": ("1316", "1315", "1215")})

    def of(prefix):
        return Breakthrough({unit.format(prefix): path for unit, path in paths.paths.items()})

    game = broken_through({"1416": "N-NI-1 N-NI-2"}, "1316", ("N-NI-1", "N-NI-2"))
    assert game.order(of("N-NI-")).position.marker == 2, "each capture counts"
    game = broken_through({"1416": "R-171 R-172"}, "1316", ("R-171", "R-172"), marker=4,
                          nationalist="1316 1318 1215")  # fmt: skip
    assert game.order(of("R-17")).position.marker == 3, "one for the attack"
    assert game.position.control["1318"] == game.position.control["1215"] == R


@pytest.mark.rule("10.3", "9.2")
def test_headquarters_beside_the_last_unit_are_no_choice_of_losses():
    """A retreat may bring two of them together: they lose no step, however many are due."""
    units = ("R-RFT", "R-HQ-52", "R-HQ-53")
    position = table({"2010": " ".join(units)})
    assert not is_a_choice(position, {"2010": units}, 2, ())


def test_an_advance_that_the_attack_says_is_not_asked_for_again():
    there = {"2010": "R-HQ-XV", "2110": "N-LIT-1 N-LIT-2"}
    attack = Attack("2010", {"2110": ("N-LIT-1", "N-LIT-2")})
    ahead = value_replace(attack, advance=Following(("N-LIT-1",), "2010"))
    plain, said = (
        fighting(table(there, weather=RAIN), N).order(order).default().roll(3)
        for order in (attack, ahead)
    )
    assert plain.asks.stage == "advance"
    assert said.where("N-LIT-1", "N-LIT-2") == ["2010", "2110"]
