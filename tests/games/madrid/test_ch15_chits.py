"""15: the twenty kinds of chits."""

from __future__ import annotations

import pytest

from pbem.engine import kernel
from pbem.games.madrid import events as e
from pbem.games.madrid.orders import (
    Again,
    Assault,
    Attack,
    Bombard,
    Brace,
    Counter,
    Defend,
    Fire,
    Keep,
    Lose,
    Move,
    Name,
    Pass,
    Pick,
    Play,
    Renewal,
    Reroll,
    Retreat,
    Spare,
)
from pbem.games.madrid.position import RIVERS_OPEN
from pbem.games.madrid.rules import chits, strife
from pbem.games.madrid.stages.impulse import NextImpulse
from pbem.value import replace
from tests.games.madrid.table import Game as Driven
from tests.games.madrid.table import N, R, begun, fight, rules_against, table, whole_impulse


def against(position, side, order):
    return rules_against(position, side, order)


# ------------------------------------------------------------------- bombardment


@pytest.mark.rule("15.CR1", "15.CN1", "9.3.d")
@pytest.mark.parametrize(("side", "chit"), [(R, "CR1a"), (N, "CN1a")])
def test_reserve_artillery_bombards_where_own_units_stand_or_beside(side, chit):
    ours, theirs = ("R40", "N26 N27") if side == R else ("N01", "R01 R02")
    held = "E C L" if side == R else "D"
    area = "D"
    far = "N28" if side == R else "R05"
    position = table({area: ours, "E": theirs, "L": far}, nationalist=held,
                     hands={side: chit})  # fmt: skip
    if side == R:
        position = position.but(control={**position.control, "D": R})
    kind = chit[:3]
    assert chits.bombing_targets(position, side, kind) == ("E",)
    assert against(position, side, Play(chit, "L")) == [f"15.{kind}"]
    assert against(position, side, Play(chit, "E", theirs[:3])) == [f"15.{kind}"]
    game = fight(position, side).order(Play(chit, "E"))
    assert game.asks.stage == "name" and game.asks.side != side
    game.order(Name(theirs[:3])).roll(4, 3)
    told = game.event(e.Bombarded)
    assert (told.modifier, told.guns) == (4, ())


@pytest.mark.rule("15.CR2")
def test_republican_aircraft_bombard_anywhere():
    position = table({"D": "N26 N27", "AA": "R40"}, hands={R: "CR2a"}, turn=3)
    assert against(position, R, Play("CR2a", "D")) == ["15.CR2"]
    assert against(position, R, Play("CR2a", "C", "N26")) == ["15.CR2"]
    assert against(position.but(turn=2), R, Play("CR2a", "D", "N26")) == ["6.8"]
    game = fight(position, R).order(Play("CR2a", "D", "N26")).roll(5, 4)
    told = game.event(e.Bombarded)
    assert (told.modifier, told.defence, told.losses) == (4, 7, 6) and told.point == "N26"
    assert game.where("N26", "N27") == ["eliminated"] * 2


@pytest.mark.rule("15.CN2", "3.4.2.f", "3.4.2.b")
def test_nationalist_aircraft_bombard_and_shake_line_units():
    position = table({"DD": "R01 R02 R17", "S": "N01"}, nationalist="S", hands={N: "CN2a"})
    game = fight(position, N).order(Play("CN2a", "DD", "R01")).roll(1, 1)
    assert game.event(e.Bombarded).losses == 0
    assert [str(draw.purpose) for draw in kernel.waits_for(game.state).draws] == [
        "morale of Columna Fernández Cavada", "morale of Columna Mangada",
    ]  # fmt: skip
    game.roll(5, 6)
    # +1 for the air, -1 for more Republicans, -1 for the suburb
    assert [each.total for each in game.all(e.MoraleTested)] == [4, 5]
    game.order(Retreat({"R02": "AA"}))
    junta = fight(position.but(facts=frozenset({"junta"})), N).order(Play("CN2a", "DD", "R01"))
    assert junta.roll(1, 1).state.agenda == ()
    madrid = table({"AA": "R01 R02"}, hands={N: "CN2a"})
    assert fight(madrid, N).order(Play("CN2a", "AA", "R01")).roll(1, 1).state.agenda == ()
    theirs = table({"DD": "R01 N01"}, nationalist="S", hands={R: "CR2a"})
    assert fight(theirs, R).order(Play("CR2a", "DD", "N01")).roll(1, 1).state.agenda == ()


@pytest.mark.rule("9.3.d", "15.CN12")
@pytest.mark.parametrize(("held", "stage"), [("", None), ("CN12a", "name")])
def test_of_one_unit_the_point_is_named_only_where_a_chit_may_go_with_it(held, stage):
    position = table({"D": "R40", "E": "N10"}, nationalist="E", hands={R: "CR1a", N: held})
    asked = fight(position, R).order(Play("CR1a", "E")).asks
    assert (asked and asked.stage) == stage


@pytest.mark.rule("12.3.h", "12.3.i")
def test_in_the_pause_chits_bombard_own_areas_alone():
    position = table({"D": "N01 R01", "C": "R02"}, hands={N: "CN2a CN1a"}, pause=2)
    assert against(position, N, Play("CN2a", "C", "R02")) == ["12.3.h"]
    assert against(position, N, Play("CN2a", "D", "R01")) == []
    assert against(position, N, Play("CN1a", "C")) == ["12.3.h"]
    assert against(position, N, Play("CN1a", "E")) == ["15.CN1"], "nobody is there to bombard"


# ------------------------------------------------------------------- combat


@pytest.mark.rule("15.CR3")
def test_tanks_in_an_attack_a_counterattack_and_defensive_fire():
    position = table({"C": "N26 R40"}, hands={R: "CR3a"})
    game = fight(position, R).order(Attack(("R40",), chits=("CR3a",)))
    game.default().roll(3, 3)
    assert game.event(e.CombatRolled).attack == 5
    back = fight(position, N).order(Attack(("N26",)))
    assert back.broken(Defend((), "R40", ("CR3a",))) == ["15.CR3"]
    back.order(Defend(("R40",), "R40", ("CR3a",))).roll(6, 6)
    assert back.event(e.CombatRolled).intensity == 5 + 2 + 3
    over = table({"CC": "N26", "AA": "R40"}, nationalist="CC", hands={R: "CR3a"})
    fires = fight(over, N).order(Move(("N26",), ("CC", "AA"))).order(Fire(("CR3a",))).roll(1, 1)
    assert fires.event(e.FireReturned).strength == 5


@pytest.mark.rule("15.CR4", "9.4.1.C8")
def test_a_fortification_doubles_the_terrain_or_keeps_units_fresh():
    position = table({"DD": "N01 N02 R40 R41"}, hands={R: "CR4a"})
    game = fight(position, N).order(Attack(("N01", "N02"), "N01"))
    assert game.broken(Defend((), "R40", ("CR4a",), "units")) == ["15.CR4"]
    game.order(Defend((), "R40", ("CR4a",))).roll(3, 3)
    assert game.event(e.CombatRolled).defence == 13
    keeps = fight(position, N).order(Attack(("N01", "N02"), "N01"))
    keeps.order(Defend(("R40",), "R40", ("CR4a",), "units")).roll(5, 4)
    assert keeps.event(e.CombatRolled).defence == 10 and keeps.where("R40") == ["DD"]
    usual = fight(position, N).order(Attack(("N01", "N02"), "N01"))
    assert usual.order(Defend(("R40",), "R40")).roll(5, 4).where("R40") == ["DDs"]


@pytest.mark.rule("15.CN4", "15.CR4")
def test_engineers_flatten_the_ground_or_answer_a_fortification():
    there, held = {"DD": "N01 N02 R40"}, {N: "CN4a", R: "CR4a"}
    position = table(there, hands=held)
    game = fight(position, N).order(Attack(("N01", "N02"), "N01", chits=("CN4a",)))
    game.order(Defend((), "R40", ("CR4a",))).roll(3, 3)
    assert game.event(e.CombatRolled).defence == 7
    whole = table(there, hands=held, options=("fortification_doubles_all",))
    flat = fight(whole, N).order(Attack(("N01", "N02"), "N01", chits=("CN4a",)))
    flat.order(Defend((), "R40", ("CR4a",))).roll(3, 3)
    assert flat.event(e.CombatRolled).defence == 14
    for chit, defence in (("CN4a", 10), ("", 13)):
        answer = fight(position, N).order(Attack(("N01", "N02"), "N01"))
        answer.order(Defend((), "R40", ("CR4a",)))
        assert (answer.asks.side, answer.asks.stage) == (N, "counter")
        assert answer.broken(Counter("CN4a", "fortification")) == []
        answer.order(Counter(chit)).roll(3, 3)
        assert answer.event(e.CombatRolled).defence == defence
    flat = fight(position, N).order(Attack(("N01", "N02"), "N01"))
    flat.order(Defend((), "R40", ("CR4a",))).order(Counter("CN4a", "terrain")).roll(3, 3)
    assert flat.event(e.CombatRolled).defence == 7
    unanswered = fight(position, N).order(Attack(("N01", "N02"), "N01"))
    assert kernel.waits_for(unanswered.order(Defend((), "R40")).state).stage == "attack"
    ours = table({"DD": "N26 R40"}, nationalist="DD", hands={R: "CR4a"})
    assert against(ours, R, Attack(("R40",), chits=("CR4a",))) == ["6.6"]


@pytest.mark.rule("15.CN4")
def test_engineers_may_come_when_the_defence_is_known():
    """Without a Fortification too, if the order asks for it; nobody is told that they are held."""
    there, hands = {"DD": "N01 N02 R40"}, {N: "CN4a", R: "CR4a"}
    waits = Attack(("N01", "N02"), "N01", engineers=True)
    game = fight(table(there, hands=hands), N).order(waits).order(Defend((), "R40"))
    assert (game.asks.side, game.asks.stage) == (N, "counter")
    assert game.broken(Counter("CN4a", "fortification")) == ["15.CN4"]
    assert game.broken(Counter("", "fortification")) == []
    game.order(Counter("CN4a")).roll(3, 3)
    assert game.event(e.CombatRolled).defence == 7 and game.position.hands[N] == ()
    level = fight(table({"D": "N01 N02 R40"}, hands=hands), N).order(waits)
    assert level.order(Defend((), "R40")).asks.stage == "counter", "any terrain can be flattened"
    none = fight(table(there, hands=hands), N).order(waits).order(Defend((), "R40"))
    assert none.order(Counter()).roll(3, 3).event(e.CombatRolled).defence == 10
    kept = fight(table(there, hands=hands), N).order(waits).order(
        Defend(("R40",), "R40", ("CR4a",), "units"))  # fmt: skip
    kept.order(Counter("CN4a", "terrain")).roll(1, 2)
    assert kept.event(e.CombatRolled).defence == 7 and kept.where("R40") == ["DD"]
    ends = fight(table(there, hands=hands), N).order(waits).order(
        Defend(("R40",), "R40", ("CR4a",), "units"))  # fmt: skip
    ends.order(Counter("CN4a")).roll(1, 2)
    assert ends.event(e.CombatRolled).defence == 10 and ends.where("R40") == ["DDs"]


@pytest.mark.rule("15.CN4")
def test_nobody_is_asked_for_engineers_in_vain(monkeypatch):
    there, hands = {"DD": "N01 R40"}, {N: "CN4a"}
    attack = Attack(("N01",), "N01", engineers=True)
    for position, order in (
        (table(there, hands=hands), replace(attack, engineers=False)),
        (table(there), attack),
        (table(there, hands={N: "CN3a"}), attack),
    ):
        game = fight(position, N).order(order).order(Defend((), "R40"))
        assert kernel.waits_for(game.state).stage == "attack"
    assert against(table(there, hands=hands), N, replace(attack, chits=("CN4a",))) == ["15.CN4"]
    ours = table({"DD": "N26 R40"}, nationalist="DD")
    assert against(ours, R, Attack(("R40",), engineers=True)) == ["15.CN4"]
    flat = table(there, hands=hands)
    monkeypatch.setattr(type(flat), "terrain", lambda position, area: 0)
    game = fight(flat, N).order(attack).order(Defend((), "R40"))
    assert kernel.waits_for(game.state).stage == "attack", "there is nothing to flatten"


@pytest.mark.rule("15.CN3")
def test_a_surprise_bars_counterattacks_and_defensive_fire():
    position = table({"DD": "N01 R40 R41"}, hands={N: "CN3a"})
    game = fight(position, N).order(Attack(("N01",), chits=("CN3a",)))
    assert game.broken(Defend(("R40",), "R40")) == ["15.CN3"]
    over = table({"CC": "N01", "AA": "R40"}, nationalist="CC S", hands={N: "CN3a"})
    moved = fight(over, N).order(Move(("N01",), ("CC", "AA"), chits=("CN3a",)))
    assert moved.where("N01") == ["AAs"] and moved.state.agenda == ()
    assert against(over, N, Move(("N01",), ("CC", "S"), chits=("CN3a",))) == ["15.CN3"]
    storm = fight(over, N).order(Assault(("N01",), ("CC", "AA"), chits=("CN3a",)))
    assert kernel.waits_for(storm.state).stage == "attack"


@pytest.mark.rule("15.CN8", "3.4.2.f")
def test_a_stampede_reaches_suburbs_and_shock_units_but_not_madrid():
    for area, tests in (("DD", ["R01"]), ("C", ["R01", "R17"])):
        position = table({area: "N01 N02 N10 R01 R17"}, hands={N: "CN8a"})
        game = fight(position, N).order(Attack(("N01",), chits=("CN8a",)))
        game.roll(*[1] * len(tests))
        assert [each.unit for each in game.all(e.MoraleTested)] == tests
    madrid = table({"AA": "N01 R01"}, hands={N: "CN8a"})
    assert against(madrid, N, Attack(("N01",), chits=("CN8a",))) == ["15.CN8"]


@pytest.mark.rule("15.CR8")
def test_miaja_spares_all_tests_those_of_a_stampede_too():
    position = table({"C": "N01 N02 R01 R17"}, hands={R: "CR8a"})
    game = fight(position, N).order(Attack(("N01",)))
    assert (game.asks.side, game.asks.stage) == (R, "spare")
    assert game.broken(Spare("CR1a")) == ["6.1"]
    game.order(Spare("CR8a"))
    assert game.position.removed == ("CR8a",) and game.asks.stage == "defend"
    declined = fight(position, N).order(Attack(("N01",))).order(Spare())
    assert kernel.waits_for(declined.state).stage == "morale"
    both = table({"C": "N01 N02 R01 R17"}, hands={R: "CR8a", N: "CN8a"})
    stampede = Attack(("N01",), chits=("CN8a",))
    tests = kernel.waits_for(fight(both, N).order(stampede).order(Spare()).state)
    assert len(tests.draws) == 2
    assert fight(both, N).order(stampede).order(Spare("CR8a")).asks.stage == "defend"
    suburb = table({"DD": "N01 N02 R01 R17"}, hands={R: "CR8a", N: "CN8a"})
    ends = fight(suburb, N).order(Attack(("N01",), chits=("CN8a",))).order(Spare("CR8a"))
    assert ends.asks.stage == "defend"
    quiet = fight(suburb, N).order(Attack(("N01",)))
    assert quiet.asks.stage == "defend"


@pytest.mark.rule("15.CN10")
def test_dice_are_rolled_again():
    position = table({"DD": "N01 N02 R40"}, hands={N: "CN10a"})
    game = fight(position, N).order(Attack(("N01", "N02"), "N01")).default().roll(1, 1)
    assert (game.asks.side, game.asks.stage) == (N, "reroll")
    game.order(Reroll("CN10a")).roll(6, 6)
    assert game.event(e.CombatRolled).kept == (6, 6)
    kept = fight(position, N).order(Attack(("N01", "N02"), "N01")).default().roll(1, 1)
    assert kept.order(Reroll()).event(e.CombatRolled).kept == (1, 1)
    ours = table({"AA": "N01", "CC": "R40"}, nationalist="AA D", hands={N: "CN10a"})
    over = fight(ours, R).order(Move(("R40",), ("CC", "AA"))).order(Fire())
    assert over.roll(1, 1).event(e.FireReturned).dice == (1, 1)
    theirs = table({"DD": "N26 R40"}, nationalist="DD", hands={N: "CN10a"})
    struck = fight(theirs, R).order(Attack(("R40",))).default().roll(6, 6)
    assert struck.asks.side == N
    over = table({"CC": "N01", "AA": "R40"}, nationalist="CC", hands={N: "CN10a"})
    fired = fight(over, N).order(Move(("N01",), ("CC", "AA"))).order(Fire()).roll(6, 6)
    fired.order(Reroll("CN10a")).roll(1, 1)
    assert fired.event(e.FireReturned).dice == (1, 1) and fired.where("N01") == ["AAs"]
    shells = table({"S": "N42", "K": "R01"}, nationalist="S", hands={N: "CN10a"})
    assert fight(shells, N).order(Bombard(("N42",), "K")).roll(1, 1).state.agenda == ()


@pytest.mark.rule("15.CN10")
def test_dice_that_an_order_keeps_are_not_asked_about():
    """Said before the dice, so that no mail is needed to say it after them."""
    position = table({"DD": "N01 N02 R40"}, hands={N: "CN10a"})
    order = Attack(("N01", "N02"), "N01", reroll="never")
    game = fight(position, N).order(order).default().roll(1, 1)
    assert game.event(e.CombatRolled).kept == (1, 1)
    over = table({"CC": "N01", "AA": "R40"}, nationalist="CC", hands={N: "CN10a"})
    moved = fight(over, N).order(Move(("N01",), ("CC", "AA"), reroll="never")).order(Fire())
    assert moved.roll(6, 6).event(e.FireReturned).dice == (6, 6)
    theirs = table({"DD": "N26 R40"}, nationalist="DD", hands={N: "CN10a"})
    assert fight(theirs, R).broken(Attack(("R40",), reroll="never")) == ["15.CN10"]
    storm = Assault(("N01",), ("CC", "AA"), reroll="never")
    stormed = fight(over, N).order(storm)
    assert stormed.asks.stage == "fire" and stormed.order(Fire()).roll(6, 6).asks is None


@pytest.mark.rule("15.CN12", "9.4.1.C6")
def test_moroccan_and_legion_point_units_defend_better():
    there = {"C": "N01 N26 R40"}
    position = table(there, nationalist="C D", hands={N: "CN12a"})
    game = fight(position, R).order(Attack(("R40",)))
    assert game.broken(Defend((), "N26", ("CN12a",))) == ["15.CN12"]
    game.order(Defend((), "N01", ("CN12a",))).roll(3, 3)
    assert game.event(e.CombatRolled).defence == 7 + 1 + 3
    shelled = table({"C": "N01 N26", "L": "R61"}, nationalist="C D", hands={N: "CN12a"})
    named = fight(shelled, R).order(Bombard(("R61",), "C"))
    assert named.broken(Name("N26", ("CN12a",))) == ["15.CN12"]
    assert named.order(Name("N01", ("CN12a",))).roll(1, 1).event(e.Bombarded).defence == 11
    lone = table({"C": "N01", "L": "R61"}, nationalist="C D", hands={N: "CN12a"})
    assert fight(lone, R).order(Bombard(("R61",), "C")).asks.stage == "name"
    aimed = table({"C": "N10 R61"}, nationalist="C D", hands={N: "CN12a"})
    braced = fight(aimed, R).order(Bombard(("R61",), "C", "N10"))
    assert braced.asks.stage == "brace"
    assert braced.order(Brace(("CN12a",))).roll(1, 1, 1).event(e.Bombarded).defence == 10
    army = table({"C": "N26 R61"}, nationalist="C D", hands={N: "CN12a"})
    assert fight(army, R).order(Bombard(("R61",), "C", "N26")).asks is None
    over = table({"CC": "N01", "AA": "R40"}, nationalist="CC", hands={N: "CN12a"})
    fired = fight(over, N).order(Move(("N01",), ("CC", "AA"))).order(Fire())
    assert fired.order(Brace(("CN12a",))).roll(1, 1).event(e.FireReturned).defence == 10
    foot = table({"CC": "N26", "AA": "R40"}, nationalist="CC", hands={N: "CN12a"})
    assert fight(foot, N).order(Move(("N26",), ("CC", "AA"))).order(Fire()).asks is None


# ------------------------------------------------------------------- whole impulses


@pytest.mark.rule("15.CR5", "8.2")
def test_no_pasaran_has_three_uses():
    there = {"AA": "R40s R41s R42s R43 N02s", "C": "R01s",
             "eliminated": "R02 R05 R09 R12 R11 R17 R18"}  # fmt: skip
    position = table(there, hands={R: "CR5a"})
    assert against(position, R, Play("CR5a")) == ["15.CR5"]
    assert against(position, R, Play("CR5a", use="rebuild")) == ["15.CR5"]
    game = fight(position, R).order(Play("CR5a", use="fresh")).roll(2)
    assert game.asks.stage == "pick"
    assert game.broken(Pick(("R40",))) == ["15.CR5"]
    assert game.broken(Pick(("R40", "R40"))) == ["15.CR5"]
    assert game.broken(Pick(("R40", "R02"))) == ["15.CR5"]
    assert game.order(Pick(("R40", "R01"))).where("R40", "R01", "R41") == ["AA", "C", "AAs"]
    wished = fight(position, R).order(Play("CR5a", use="fresh", units=("R42", "R41", "R40")))
    assert wished.roll(2).where("R42", "R41", "R40") == ["AA", "AA", "AAs"]
    every = fight(position, R).order(Play("CR5a", use="fresh")).roll(4)
    assert every.where("R40", "R01") == ["AA", "C"] and every.state.agenda == ()
    cheer = fight(position, R).order(Play("CR5a", use="morale"))
    assert cheer.position.morale_name == "Firm"
    renewals = (Renewal("R02", "AA", "R05"), Renewal("R09", "AA", "R12"))
    order = Play("CR5a", use="rebuild", rebuild=renewals)
    assert fight(position, R).order(order).where("R02", "R09") == ["AA", "AA"]
    third = (*renewals, Renewal("R17", "AA", "R18"))
    assert against(position, R, Play("CR5a", use="rebuild", rebuild=third)) == ["8.2"]
    assert against(position, R, Play("CR5a", use="morale", rebuild=renewals)) == ["15.CR5"]
    nobody = (*renewals, Renewal("CR4a", "AA"))
    assert set(against(position, R, Play("CR5a", use="rebuild", rebuild=nobody))) == {"8.3"}


@pytest.mark.rule("15.CR5", "15.CN5", "15.CN11")
@pytest.mark.parametrize(
    ("side", "order"),
    [
        (R, Play("CR5a", use="fresh")), (N, Play("CN5a", "AA")), (N, Play("CN11a", use="fresh")),
    ],
)  # fmt: skip
def test_the_die_and_the_choice_behind_it_name_the_rule_of_their_chit(side, order):
    there = {"AA": "R40 R41 R42s R43s", "D": "N01s N02s"}
    position = table(there, hands={N: "CN5a CN11a", R: "CR5a"})
    game = fight(position, side).order(order)
    rule = f"15.{order.chit[:-1]}"
    assert kernel.waits_for(game.state).rule == rule
    assert game.roll(1).asks.rule == rule


@pytest.mark.rule("15.CR6", "9.4.3.a")
def test_durruti_makes_anarchists_shock_units():
    position = table({"AA": "R16 R50 R61", "DD": "N26", "D": "N01"}, nationalist="DD D",
                     hands={R: "CR6a"}, turn=5)  # fmt: skip
    order = Assault(("R16", "R50"), ("AA", "DD"), "R16", chits=("CR6a",))
    assert against(position, R, Assault(("R16",), ("AA", "DD"))) == ["9.4.3.a"]
    assert against(position.but(turn=4), R, order) == ["6.8"]
    game = Driven(whole_impulse(position, R)).order(order)
    assert game.position.durruti == 2 and game.position.attack_of("R16") == 1
    assert game.position.type_of("R50") == "shock" and game.position.type_of("R61") == "artillery"
    others = [game.position.type_of(unit) for unit in ("R01", "R31", "N26")]
    assert others == ["line"] * 3 and game.position.attack_of("R01") == 0
    one = begun(position.but(durruti=2, passes=0), NextImpulse(R)).order(Pass())
    assert one.position.durruti == 1 and one.position.type_of("R16") == "shock"
    done = begun(one.position.but(passes=0), NextImpulse(R)).order(Pass())
    enough = begun(done.position.but(passes=0), NextImpulse(R)).order(Pass())
    assert done.position.durruti == 0 and done.position.type_of("R16") == "line"
    assert done.all(e.ImpulseCounted) and enough.all(e.ImpulseCounted) == []
    enemy = begun(position.but(durruti=2), NextImpulse(N)).order(Pass())
    assert enemy.position.durruti == 2


@pytest.mark.rule("15.CR7", "4.3.b", "9.0.2")
@pytest.mark.parametrize(
    ("there", "hand", "asks"),
    [
        ({"D": "N01s", "C": "R01"}, "CR7a CR5a", "over"),
        ({"D": "N01", "C": "R01"}, "CR7a", "impulse"),
        ({"D": "N01", "C": "R01"}, "CR7a CR5a", "again"),
        ({"D": "N01s", "C": "R01", "AA": "R40"}, "CR7a", "again"),
    ],
)
def test_no_chit_is_spent_on_an_impulse_that_does_not_come(there, hand, asks):
    game = begun(table(there, hands={R: hand}), NextImpulse(R)).order(Move(("R01",), ("C", "L")))
    assert (game.asks.stage if game.state.agenda else "over") == asks
    if asks == "again":
        game.order(Again("CR7a"))
        assert (game.asks.stage, game.asks.side) == ("impulse", R)


@pytest.mark.rule("15.CR7")
def test_captured_plans_give_a_second_impulse():
    position = table({"AA": "R40 R41", "D": "N01"}, hands={R: "CR7a"})
    game = begun(position, NextImpulse(R)).order(Move(("R40",), ("AA", "GG")))
    assert (game.asks.side, game.asks.stage) == (R, "again")
    game.order(Again("CR7a"))
    assert (game.asks.side, game.asks.stage) == (R, "impulse")
    no = begun(position, NextImpulse(R)).order(Move(("R40",), ("AA", "GG"))).order(Again())
    assert no.asks.side == N
    assert begun(position, NextImpulse(R)).order(Pass()).asks.side == N
    theirs = begun(position, NextImpulse(N)).order(Move(("N01",), ("D", "C")))
    assert (theirs.asks.side, theirs.asks.stage) == (R, "impulse")


@pytest.mark.rule("15.CN5")
def test_the_fifth_column_spends_republican_units():
    position = table({"AA": "R40 R41 R42 R01s", "D": "N01"}, hands={N: "CN5a"})
    assert against(position, N, Play("CN5a")) == ["15.CN5"]
    assert against(position, N, Play("CN5a", "D")) == ["15.CN5"]
    game = fight(position, N).order(Play("CN5a", "AA")).roll(2)
    assert game.asks.side == N and game.broken(Pick(("R40", "R01"))) == ["15.CN5"]
    assert game.order(Pick(("R40", "R42"))).where("R40", "R41", "R42") == ["AAs", "AA", "AAs"]
    every = fight(position, N).order(Play("CN5a", "AA")).roll(6)
    assert every.where("R40", "R41", "R42") == ["AAs"] * 3


@pytest.mark.rule("15.CN6")
def test_communists_and_anarchists_may_fall_out():
    position = table({"AA": "R16 R40 R01 R50", "D": "N01"}, hands={N: "CN6a"})
    after = fight(position, N).order(Play("CN6a")).position
    assert "strife" in after.facts and after.removed == ("CN6a",)
    order = Move(("R16", "R40", "R01"), ("AA", "GG"), "R16")
    assert strife.may_fall_out(after, R, order)
    assert not strife.may_fall_out(position, R, order)
    assert not strife.may_fall_out(after, R, Move(("R16", "R01"), ("AA", "GG")))
    assert not strife.may_fall_out(after, N, order)
    game = fight(after, R).order(order).roll(4)
    assert game.asks.stage == "keep" and game.broken(Keep("militia")) == ["15.CN6"]
    assert game.broken(Keep("communists", "R16")) == ["15.CN6"]
    assert game.broken(Keep("communists", "R50")) == ["15.CN6"]
    assert game.broken(Keep("communists", "R40")) == []
    assert strife.divided(after, order, "communists", "").point == "R40"
    game.order(Keep("communists"))
    assert game.where("R16", "R40", "R01") == ["AA", "GGs", "GGs"]
    lucky = fight(after, R).order(order).roll(3)
    assert lucky.where("R16", "R40") == ["GGs", "GGs"]


@pytest.mark.rule("15.CN7", "15.CR6")
def test_durrutis_death_removes_the_chit():
    position = table({"D": "N01", "AA": "R16"}, hands={N: "CN7a", R: "CR6a"}, turn=6, durruti=2)
    game = fight(position, N).order(Play("CN7a"))
    assert set(game.position.removed) == {"CN7a", "CR6a"} and game.position.hands[R] == ()
    assert game.position.durruti == 0
    assert against(position.but(turn=5), N, Play("CN7a")) == ["6.8"]
    at_once = fight(position.but(played=("CR6a",), hands={N: ("CN7a",), R: ()}), N)
    assert at_once.order(Play("CN7a")).position.played == ("CN7a",)
    in_cup = table({"D": "N01", "AA": "R16"}, hands={N: "CN7a"}, turn=6)
    assert "CR6a" not in fight(in_cup, N).order(Play("CN7a")).position.cups[R]


@pytest.mark.rule("15.CN9")
def test_the_flight_of_the_government_stops_three_impulses():
    position = table({"L": "N01", "DD": "N26 R40 R61"}, nationalist="D L", hands={
        N: "CN9a", R: "CR1a CR5a"})  # fmt: skip
    far = table({"D": "N01"}, hands={N: "CN9a"})
    assert against(far, N, Play("CN9a")) == ["15.CN9"]
    game = begun(position, NextImpulse(N)).order(Play("CN9a"))
    assert game.position.flight == 3 and game.asks.side == R
    assert game.broken(Attack(("R40",))) == ["15.CN9"]
    assert game.broken(Bombard(("R61",), "DD", "N26")) == ["15.CN9"]
    assert game.broken(Play("CR1a", "DD")) == ["15.CN9"]
    assert game.broken(Play("CR5a", use="morale")) == []
    left = []
    for _ in range(3):
        game = begun(game.position.but(passes=0), NextImpulse(R)).order(Pass())
        left.append(game.position.flight)
    assert left == [2, 1, 0]
    assert against(game.position, R, Attack(("R40",))) == []


@pytest.mark.rule("15.CN11", "8.6", "8.7")
def test_mola_rebuilds_one_unit_or_freshens_some():
    there = {"D": "N26s N27s", "eliminated": "N28 N01 N42"}
    position = table(there, hands={N: "CN11a"})
    one = Play("CN11a", use="rebuild", rebuild=(Renewal("N28", "D"),))
    assert fight(position, N).order(one).where("N28") == ["D"]
    closed = table(there, hands={N: "CN11a"}, nationalist="D EE", facts=())
    in_suburb = Play("CN11a", use="rebuild", rebuild=(Renewal("N28", "EE"),))
    assert RIVERS_OPEN in fight(closed, N).order(in_suburb).position.facts
    for renewals, rule in (
        ((Renewal("N01", "D"),), "8.7"),
        ((Renewal("N42", "D"),), "8.8"),
        ((Renewal("N28", "AA"),), "8.5"),
        ((Renewal("N28", "D", "N01"),), "15.CN11"),
        ((), "15.CN11"),
        ((Renewal("N28", "D"), Renewal("N29", "D")), "15.CN11"),
        ((Renewal("N26", "D"),), "8.3"),
    ):
        order = Play("CN11a", use="rebuild", rebuild=renewals)
        assert against(position, N, order) == [rule], renewals
    assert against(position, N, Play("CN11a", use="morale")) == ["15.CN11"]
    game = fight(position, N).order(Play("CN11a", use="fresh")).roll(3)
    assert game.where("N26", "N27") == ["D", "D"]


@pytest.mark.rule("9.5.f", "15.CN10")
def test_losses_behind_a_second_roll_are_those_of_the_second():
    over = table({"CC": "N01 N02", "AA": "R40"}, nationalist="CC", hands={N: "CN10a"})
    game = fight(over, N).order(Move(("N01", "N02"), ("CC", "AA"), "N01")).order(Fire())
    game.roll(6, 6).order(Reroll("CN10a")).roll(3, 3)
    assert game.event(e.FireReturned).losses == 1
    assert game.order(Lose(("N01",))).where("N01", "N02") == ["AAs", "AAs"]
