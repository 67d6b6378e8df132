"""Every rule of Fog on the Ridge that code keeps, in an open game where faces do not matter."""

from __future__ import annotations

import pytest
from pbem.games.fog import events as e
from pbem.games.fog import orders as o
from pbem.games.fog import rules
from pbem.games.fog.position import NORTH, SOUTH
from pbem.games.fog.stages import (
    Advancing,
    Ambushes,
    Ambushing,
    Attacked,
    Clash,
    Counting,
    Fighting,
    Marching,
    NextTurn,
    Placing,
    Retreating,
    Shot,
    Showing,
    Springing,
    opening,
    phase,
    turn,
)

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import State
from tests.bots import ScriptedDice
from tests.facedown.here import system

FOG = system()
NO_ONE = {NORTH: (), SOUTH: ()}


def position(places=None, **changes):
    """An open game in its first turn, with these counters on the map."""
    start = FOG.setup("noon", frozenset({"open_units"})).position
    found = {"turn": 1, "waiting": NO_ONE, **changes}
    return start.but(places=places or {}, **found)


def held_against(stage, order, places=None, **changes):
    """The rules an order breaks when a stage asks for it."""
    state = State(position(places, **changes), (stage,))
    return [each.rule for each in kernel.violations(state, order)]


def after(stage, order, places=None, **changes):
    """The game after an order, with whatever follows by itself."""
    stages = stage if isinstance(stage, tuple) else (stage,)
    return kernel.submit(State(position(places, **changes), stages), order).state


def rolled(stage, dice, places=None, **changes):
    stages = stage if isinstance(stage, tuple) else (stage,)
    return kernel.roll(State(position(places, **changes), stages), ScriptedDice(*dice)).state


@pytest.mark.rule("1.2")
@pytest.mark.parametrize(
    ("here", "there", "points"),
    [
        ("0103", "0104", 1),
        ("0301", "0302", 2),  # a hill
        ("0102", "0103", 2),  # a river
        ("0102", "0202", 3),  # a river and a hill
        ("0203", "0202", 3),  # up a slope
        ("0202", "0203", 1),  # and down
        ("0402", "0302", 1),  # a road up a hill
        ("0402", "0303", 1),  # a bridge with its road
        ("0302", "0303", None),  # a cliff
        ("0101", "0104", None),
    ],
)
def test_what_a_step_costs(here, there, points):
    assert rules.step_cost(position(), here, there) == points


@pytest.mark.rule("1.3")
def test_sappers_blow_up_a_bridge_next_to_them():
    there = {"N-S": "0402", "N-F1": "0402"}
    blow = o.Blow("N-S", "0303")
    assert held_against(Marching(NORTH), blow, there) == []
    assert held_against(Marching(NORTH), o.Blow("N-F1", "0303"), there) == ["1.3"]
    assert held_against(Marching(NORTH), o.Blow("N-S", "0502"), there) == ["1.3"]
    assert held_against(Marching(SOUTH), blow, there) == ["1.3"]
    blown = after(Marching(NORTH), blow, there).position
    assert rules.step_cost(blown, "0402", "0303") == 2 and "N-S" in blown.moved
    assert rules.bridges_at(blown, "0402") == ()


@pytest.mark.rule("1.4")
def test_whoever_is_attacked_is_shown_and_whoever_fights_too():
    dark = FOG.setup("fog", frozenset()).position
    tag, enemy = dark.waiting[NORTH][0], dark.waiting[SOUTH][0]
    dark = dark.but(places={tag: "0202", enemy: "0203"}, waiting=NO_ONE, turn=1)
    state = State(dark, (Fighting(NORTH),))
    assert [each.rule for each in kernel.violations(state, o.Attack("0203", (tag,)))] == ["1.4"]
    assert Showing(SOUTH, "0203").hidden(dark) == (enemy,)
    shown = e.CounterShown(SOUTH, enemy, "S-F1").apply(dark)
    assert Showing(SOUTH, "0203").ask(shown) is None


@pytest.mark.rule("2.2")
def test_a_hex_holds_five_points():
    there = {"N-F1": "0103", "N-F2": "0103", "N-F3": "0104", "N-S": "0104"}
    assert held_against(Marching(NORTH), o.March("N-F3", ("0103",)), there) == ["2.2"]
    assert held_against(Marching(NORTH), o.March("N-S", ("0103",)), there) == []
    full = {"N-F1": "0101", "N-F2": "0101"}
    arrives = o.Arrive("N-F3", "0101")
    assert held_against(Marching(NORTH), arrives, full, turn=2,
                        waiting={NORTH: ("N-F3",), SOUTH: ()}) == ["2.2"]  # fmt: skip


UP = {"N-F1": "0102", "N-F2": "0302", "N-G": "0101", "N-S": "0301"}


@pytest.mark.rule("2.3", "2.2")
@pytest.mark.parametrize(
    ("changed", "broken"),
    [
        ({}, []),
        ({"N-F1": "0103"}, ["2.3"]),  # beyond its half
        ({"N-G": "0102"}, ["2.3"]),  # a gun not at the edge
        ({"N-S": "0302"}, ["2.3"]),
        ({"N-F1": "0909"}, ["2.3"]),
        ({"N-F3": "0102"}, ["2.3"]),  # the reserve, and one too many
        ({"N-F1": "0101", "N-F2": "0101", "N-S": "0201"}, ["2.2"]),
    ],
)
def test_each_side_sets_up_in_its_own_half(changed, broken):
    start = FOG.setup("noon", frozenset({"open_units"}))
    state = State(start.position, (Placing(NORTH),))
    found = [each.rule for each in kernel.violations(state, o.SetUp({**UP, **changed}))]
    assert sorted(set(found)) == broken
    strange = o.SetUp({"S-F1": "0102", "N-F2": "0302", "N-G": "0101", "N-S": "0301"})
    assert "2.3" in {each.rule for each in kernel.violations(state, strange)}


@pytest.mark.rule("2.4")
def test_the_reserve_comes_in_at_the_edge_on_turn_two():
    def judged(unit="N-F3", at="0101", places=None, on=2):
        return held_against(Marching(NORTH), o.Arrive(unit, at), places, turn=on,
                            waiting={NORTH: ("N-F3", "N-F1"), SOUTH: ()})  # fmt: skip

    assert judged() == []
    assert judged(on=1) == ["2.4"]
    assert judged("N-H") == ["2.4"] and judged("N-F1") == ["2.4"]
    assert judged(at="0102") == ["2.4"] and judged(places={"S-F1": "0101"}) == ["2.4"]


@pytest.mark.rule("3.1", "4.1", "4.2", "6.1")
def test_the_order_of_a_turn():
    assert [type(each).__name__ for each in reversed(turn())] == [
        "Ambushing", "Ambushing",
        "Begins", "Marching", "Springing", "Ambushes", "Begins", "Fighting", "Fog",
        "Begins", "Marching", "Springing", "Ambushes", "Begins", "Fighting", "Fog",
        "NextTurn",
    ]  # fmt: skip
    assert phase(NORTH)[2] == Springing(SOUTH) and opening(True)[-1] == Placing(NORTH)
    begun = kernel.begin(State(position(turn=1), (NextTurn(),))).state
    assert begun.position.turn == 2 and begun.agenda[-1] == Ambushing(NORTH)


@pytest.mark.rule("3.2", "3.3")
@pytest.mark.parametrize(
    ("order", "broken"),
    [
        (o.March("N-F1", ("0103", "0104")), []),
        (o.March("N-F1", ("0201", "0301", "0401")), []),
        (o.March("N-F1", ("0201", "0301", "0401", "0501")), ["3.2"]),  # four points
        (o.March("N-F1", ("0103", "0203", "0303")), ["3.2"]),
        (o.March("N-F1", ()), ["3.2"]),
        (o.March("N-F1", ("0104",)), ["3.2"]),
        (o.March("N-F1", ("0909",)), ["3.2"]),
        (o.March("S-F1", ("0403",)), ["3.2"]),
        (o.March("N-G", ("0201",)), ["3.2"]),  # has moved
        (o.March("N-S", ("0201",)), ["3.2"]),  # is shaken
    ],
)
def test_marches(order, broken):
    there = {"N-F1": "0102", "N-G": "0101", "N-S": "0101", "S-F1": "0504"}
    assert held_against(Marching(NORTH), order, there,
                        moved=frozenset({"N-G"}), shaken=frozenset({"N-S"})) == broken  # fmt: skip
    if not broken:
        assert order.path in set(rules.marches_of(position(there), "N-F1"))


@pytest.mark.rule("3.3", "3.2")
def test_a_march_ends_in_an_enemy_zone_and_enters_no_enemy():
    there = {"N-H": "0104", "S-F1": "0303"}
    assert position(there).zone_of(SOUTH) == {"0202", "0203", "0304", "0402"}  # over no river
    assert held_against(Marching(NORTH), o.March("N-H", ("0203",)), there) == []
    assert held_against(Marching(NORTH), o.March("N-H", ("0203", "0204")), there) == ["3.2"]
    assert held_against(Marching(NORTH), o.March("N-H", ("0203", "0303")), there) == ["3.2"]
    ends = {way[-1] for way in rules.marches_of(position(there), "N-H")}
    assert "0203" in ends and "0303" not in ends
    gun = {"N-H": "0104", "S-G": "0303"}
    assert position(gun).zone_of(SOUTH) == frozenset()
    assert held_against(Marching(NORTH), o.March("N-H", ("0203", "0204")), gun) == []


@pytest.mark.rule("3.4")
def test_a_zone_that_was_said_goes_with_the_counters_of_which_it_was_said():
    table, names = dark(n0="0202", n1="0202")
    said = e.ZoneSaid("0202").apply(table)
    shown = said
    for name, unit in (("n0", "N-F1"), ("n1", "N-G")):
        shown = e.CounterShown(NORTH, names[name], unit).apply(shown)
    for gone in (e.CounterLost("N-F1", "0202", "attack"),
                 e.CounterMarched("N-F1", "0202", ("0201",), "retreat")):  # fmt: skip
        assert shown.has_zone("0202") and not gone.apply(shown).has_zone("0202")
    other = shown.but(places={**shown.places, "N-F2": "0202"})
    assert e.CounterLost("N-F2", "0202", "attack").apply(other).down.said("zone 0202") is True


@pytest.mark.rule("3.4")
def test_a_zone_of_what_is_hidden_is_said():
    dark = FOG.setup("fog", frozenset()).position
    tag = dark.waiting[NORTH][0]
    dark = dark.but(places={tag: "0202"}, turn=1)
    assert not dark.has_zone("0202") and dark.zone_of(NORTH) == frozenset()
    state = State(dark, (Marching(NORTH),))
    assert kernel.violations(state, o.Halt(("0202",))) == ()
    assert [each.rule for each in kernel.violations(state, o.Halt(("0303",)))] == ["3.4"]
    said = e.ZoneSaid("0202").apply(dark)
    assert said.has_zone("0202") and "0203" in said.zone_of(NORTH)
    assert set(said.down.may_be(tag)) == {"N-F1", "N-F2", "N-F3", "N-H"}
    assert held_against(Marching(NORTH), o.Halt(("0202",)), {"N-F1": "0202"}) == ["3.4"]


@pytest.mark.rule("4.1")
def test_two_ambushes_at_most():
    def judged(*hexes):
        return held_against(Ambushing(NORTH), o.Ambush(hexes))

    assert judged() == judged("0202") == judged("0202", "0303") == []
    assert judged("0202", "0202") == judged("0101", "0202", "0303") == judged("0909") == ["4.1"]


@pytest.mark.rule("4.2")
@pytest.mark.parametrize(("die", "is_hit"), [(4, False), (5, True)])
def test_an_ambush_shakes_who_marched_into_it(die, is_hit):
    there = {"S-F1": "0202", "S-F2": "0203"}
    lists = {"lists": {NORTH: "ambush_n/1"}, "notes": {"ambush_n/1/0": '"0202"'}}
    assert rules.ambushes_due(position(there, **lists), NORTH) == ("ambush_n/1/0",)
    assert rules.ambushes_due(position({"N-F1": "0202"}, **lists), NORTH) == ()
    told = {"lists": lists["lists"], "told": {"ambush_n/1/0": '"0202"', "ambush_n/1/1": "null"}}
    assert rules.ambushes_due(position(there, **told), NORTH) == ()
    sprung = rolled(Ambushes(NORTH), [die], there, **told).position
    assert (sprung.shaken == {"S-F1"}) is is_hit
    assert rules.sprung(position(there, **told), NORTH) == ("0202",)
    twice = {**told, "told": dict.fromkeys(told["told"], '"0202"')}
    assert rules.sprung(position(there, **twice), NORTH) == ("0202",), "one ambush of two lines"
    for each in (sprung, rolled(Ambushes(NORTH), [die], there, **twice).position):
        assert rules.sprung(each, NORTH) == (), "it springs once"


@pytest.mark.rule("4.3")
def test_an_attack_brings_to_light_who_lies_in_wait_there():
    lists = {"lists": {NORTH: "ambush_n/1"}, "notes": {"ambush_n/1/0": '"0202"'}}
    dark = position({"S-F1": "0202"}, **lists)
    assert rules.ambushes_at(dark, NORTH, "0202") == ("ambush_n/1/0",)
    assert rules.ambushes_at(dark, NORTH, "0203") == ()
    assert rules.ambushes_at(dark.but(told={"ambush_n/1/0": '"0202"'}), NORTH, "0202") == ()
    asked = Attacked(NORTH, "0202").ask(dark)
    assert (asked.tells_items, asked.only_shows) == ("ambush_n/1", True)
    assert Attacked(SOUTH, "0202").ask(dark) is None, "South has written nothing"


@pytest.mark.rule("5.1")
def test_only_stacks_at_rest_are_mixed():
    dark = FOG.setup("fog", frozenset()).position
    one, two, three = dark.waiting[NORTH][:3]
    dark = dark.but(places={one: "0202", two: "0202", three: "0101"}, turn=1)

    def judged(order, table):
        state = State(table, (Marching(NORTH),))
        return [each.rule for each in kernel.violations(state, order)]

    mix = o.Mix(("0202",))
    assert judged(mix, dark) == []
    assert judged(o.Mix(("0101",)), dark) == judged(o.Mix(()), dark) == ["5.1"]
    assert judged(o.Mix(("0202", "0202")), dark) == ["5.1"]
    assert judged(mix, dark.but(moved=frozenset({one}))) == ["5.1"]
    assert judged(mix, dark.but(shaken=frozenset({two}))) == ["5.1"]
    mixed = kernel.submit(State(dark, (Marching(NORTH),)), mix).state.position
    new = mixed.at("0202")
    assert len(new) == 2 and not {one, two} & set(new) and mixed.mixed == set(new)
    assert judged(o.March(new[0], ("0201",)), mixed) == ["5.1"]
    assert judged(mix, mixed)[:1] == ["5.1"]
    assert held_against(Marching(NORTH), mix, {"N-F1": "0202", "N-S": "0202"}) == ["5.1"]


@pytest.mark.rule("6.1")
def test_attacks_at_an_enemy_next_to_them():
    there = {"N-F1": "0202", "N-F2": "0202", "N-S": "0101", "S-F1": "0203"}

    def judged(order, **changes):
        return held_against(Fighting(NORTH), order, there, **changes)

    assert judged(o.Attack("0203", ("N-F1", "N-F2"))) == []
    assert judged(o.Attack("0203", ())) == judged(o.Attack("0203", ("N-F1", "N-F1"))) == ["6.1"]
    assert (
        judged(o.Attack("0203", ("N-F1", "N-S"))) == judged(o.Attack("0303", ("N-F1",))) == ["6.1"]
    )
    assert judged(o.Attack("0203", ("S-F1",))) == ["6.1"]
    fought = frozenset({"N-F1"})
    assert judged(o.Attack("0203", ("N-F1",)), fought=fought) == ["6.1"]
    assert judged(o.Attack("0203", ("N-F1",)), shaken=fought) == ["6.1"]
    assert held_against(Fighting(NORTH), o.Attack("0303", ("N-F1",)),
                        {"N-F1": "0302", "S-F1": "0303", "N-F2": "0202"}) == ["6.1"]  # fmt: skip
    assert rules.able_against(position(there), NORTH, "0203") == ("N-F1", "N-F2")


@pytest.mark.rule("6.2", "7.1")
def test_the_strengths_of_an_attack():
    there = {"N-F1": "0202", "N-S": "0202", "S-F1": "0203"}
    assert rules.strengths(position(there), "0203", ("N-F1", "N-S")) == (6, 4)
    on_hill = {"N-F1": "0201", "S-F1": "0302"}
    assert rules.strengths(position(on_hill), "0302", ("N-F1",)) == (4, 8)
    cut_off = {"N-F1": "0104", "S-F1": "0203", "S-F2": "0103", "S-F3": "0204"}
    assert rules.strengths(position(cut_off), "0203", ("N-F1",)) == (2, 4)


@pytest.mark.rule("6.2", "6.3")
@pytest.mark.parametrize(
    ("die", "lost", "retreats"),
    [(1, ("S-F1",), False), (3, (), False), (4, (), True), (6, ("N-F1",), False)],
)
def test_what_an_attack_at_even_odds_comes_to(die, lost, retreats):
    there = {"S-F1": "0303", "N-F1": "0203"}
    state = rolled(Clash(SOUTH), [die], there, battle=("0203", ("S-F1",), False))
    assert state.position.lost == lost
    asked = bool(state.agenda) and state.agenda[-1] == Retreating(NORTH, "0203")
    assert asked is retreats


@pytest.mark.rule("6.2")
def test_the_weakest_counter_is_lost():
    there = {"S-F1": "0303", "S-F2": "0303", "S-H": "0304", "N-S": "0203", "N-G": "0203"}
    battle = ("0203", ("S-F1", "S-F2", "S-H"), True)
    assert rules.strengths(position(there), *battle[:2]) == (12, 8)
    assert rolled(Clash(SOUTH), [6], there, battle=battle).position.lost == ("N-S",)


@pytest.mark.rule("6.3")
def test_retreats_go_through_no_enemy_and_best_through_no_zone():
    there = {"N-F1": "0203", "S-F1": "0303"}
    ways = rules.retreats(position(there), "0203")
    assert ways and all(len(way) == 2 and "0303" not in way for way in ways)
    zone = position(there).zone_of(SOUTH)
    assert all(not zone.intersection(way) for way in ways)
    assert held_against(Retreating(NORTH, "0203"), o.Retreat(ways[0]), there) == []
    for wrong in (("0303", "0402"), ("0204",), ()):
        assert held_against(Retreating(NORTH, "0203"), o.Retreat(wrong), there) == ["6.3"]
    gone = after(Retreating(NORTH, "0203"), o.Retreat(ways[0]), there,
                 battle=("0203", ("S-F1",), True)).position  # fmt: skip
    assert gone.places["N-F1"] == ways[0][-1]


@pytest.mark.rule("6.4", "6.3")
def test_the_attackers_advance_and_who_cannot_retreat_is_lost():
    empty = {"S-F1": "0303", "N-F2": "0101"}
    for advances, hex in ((True, "0203"), (False, "0303")):
        state = kernel.begin(
            State(position(empty, battle=("0203", ("S-F1",), advances)), (Advancing(SOUTH),))
        ).state
        assert state.position.places["S-F1"] == hex and state.position.battle is None
    walled = {"N-F1": "0104", "S-F1": "0203", "S-F2": "0103", "S-F3": "0204", "N-F2": "0101"}
    beaten = rolled(Clash(SOUTH), [4], walled, battle=("0104", ("S-F1",), True)).position
    assert beaten.lost == ("N-F1",) and beaten.places["S-F1"] == "0104"


@pytest.mark.rule("6.5")
def test_a_gun_fires_at_what_it_sees():
    there = {"N-G": "0204", "N-F1": "0204", "S-F1": "0303", "S-F2": "0302", "S-H": "0401"}

    def judged(order, **changes):
        return held_against(Fighting(NORTH), order, there, **changes)

    assert rules.seen_from(position(there), NORTH, "0204") == ("0303",)  # 0302 is too far
    assert judged(o.Fire("N-G", "0303")) == []
    assert judged(o.Fire("N-G", "0401")) == judged(o.Fire("N-G", "0203")) == ["6.5"]
    assert judged(o.Fire("N-F1", "0303")) == ["6.5"]
    assert set(judged(o.Fire("S-F1", "0303"))) == {"6.5"}
    there["S-S"] = "0304"  # so that others could fight
    tired = frozenset({"N-G"})
    assert judged(o.Fire("N-G", "0303"), fought=tired) == ["6.5"]
    assert judged(o.Fire("N-G", "0303"), shaken=tired) == ["6.5"]
    behind = {"N-G": "0201", "S-F1": "0203"}
    assert rules.seen_from(position(behind), NORTH, "0201") == ()  # the hill 0202 is between
    for die, shaken in ((5, frozenset()), (6, {"S-F1"})):
        hit = rolled(Shot("N-G", "0303"), [die], there).position
        assert hit.shaken == shaken and "N-G" in hit.fought


@pytest.mark.rule("6.6", "6.5")
def test_a_gun_hits_a_heavy_stack_more_easily_and_one_that_nothing_is_said_of():
    """What lies open is counted; of what is hidden its owner says it, or the worst holds."""
    there = {"N-G": "0204", "S-F1": "0303", "S-S": "0303"}
    for die, is_hit in ((4, False), (5, True)):
        assert bool(rolled(Shot("N-G", "0303"), [die], there).position.shaken) == is_hit
    table, names = dark(s0="0303", n0="0104")
    assert table.troops("0303") == "3+" and table.troops("0302") == "2-", "nobody is there"
    alone = names["s0"]
    said = e.PointsSaid("0303", "2-").apply(table)
    assert said.troops("0303") == "2-" and rules.die_to_hit(said, "0303") == 6
    for gone in (
        e.CounterMarched(alone, "0303", ("0304",), "march"),
        e.CounterMarched(names["n0"], "0104", ("0303",), "advance"),
        e.CounterPlaced(names["s1"], "0303", arrives=True),
        e.CounterLost(alone, "0303", "defence"),
    ):
        assert gone.apply(said).down.said("points 0303") is None
    both = {"S-F1": "0303", names["s1"]: "0303"}
    heavy = e.PointsSaid("0303", "2-").apply(table.but(places=both))
    assert heavy.down.may_be(names["s1"]) == (), "no counter has no points"


@pytest.mark.rule("6.6")
def test_the_points_of_hidden_counters_are_said_where_a_gun_fires_at_them():
    """By the program that knows them, once until one enters or leaves, and as they could be."""
    table, names = dark(s0="0303", s1="0303", s2="0404", n0="0104")
    table = table.but(places={**table.places, "N-G": "0204"})
    fired = kernel.submit(State(table, (Fighting(NORTH),)), o.Fire("N-G", "0303")).state
    asked = kernel.waits_for(fired)
    assert (asked.side, asked.only_says, asked.default) == (SOUTH, True, o.Count("3+"))
    for hex, points, broken in (
        ("0303", "2-", []), ("0303", "3+", []), ("0404", "2-", []), ("0404", "3+", ["6.6"]),
        ("0303", "4+", ["6.6"]),
    ):  # fmt: skip
        assert judged(Counting(SOUTH, hex), o.Count(points), table) == broken, points
    known = table.but(down=table.down.known_too({names["s0"]: "S-S", names["s1"]: "S-H"}))
    assert judged(Counting(SOUTH, "0303"), o.Count("3+"), known) == ["6.6"]
    assert kernel.waits_for(State(known, fired.agenda)).default == o.Count("2-")
    said = kernel.submit(fired, o.Count("2-")).state
    assert said.position.troops("0303") == "2-" and isinstance(said.agenda[-1], Shot)
    again = said.position.but(fought=frozenset())
    shot = kernel.submit(State(again, (Fighting(NORTH),)), o.Fire("N-G", "0303")).state
    assert isinstance(shot.agenda[-1], Shot), "it was said before"
    seen = table.but(places={"N-G": "0204", "S-F1": "0303"})
    shot = kernel.submit(State(seen, (Fighting(NORTH),)), o.Fire("N-G", "0303")).state
    assert isinstance(shot.agenda[-1], Shot), "what lies open is counted"


@pytest.mark.rule("3.4")
def test_what_was_said_ahead_lapses_where_it_might_be_false_by_then():
    table, names = dark(s0="0303", s1="0303", s2="0404")
    waits = State(table, (Marching(SOUTH),))

    def doubted(halt):
        return len(FOG.hidden.doubts(waits, halt))

    assert (doubted(o.Halt()), doubted(o.Halt(("0404",)))) == (0, 1)
    foot = e.CounterShown(SOUTH, names["s0"], "S-F1").apply(table)
    down = foot.down.narrowed(names["s1"], lambda piece: piece in ("S-F2", "S-F3"))
    sure = State(foot.but(down=down), (Marching(SOUTH),))
    assert FOG.hidden.doubts(sure, o.Halt(("0303",))) == ()


@pytest.mark.rule("7.1")
def test_supply_is_a_short_line_to_the_own_edge():
    assert rules.is_supplied(position({"N-F1": "0103"}), NORTH, "0103")
    assert rules.is_supplied(position({"N-F1": "0204"}), NORTH, "0204")  # along the road
    walled = {"N-F1": "0104", "S-F1": "0203", "S-F2": "0103", "S-F3": "0204"}
    assert not rules.is_supplied(position(walled), NORTH, "0104")


@pytest.mark.rule("8.1")
@pytest.mark.parametrize(
    ("places", "winner"),
    [
        ({"N-F1": "0302", "S-F1": "0504"}, NORTH),
        ({"N-F1": "0101", "S-F1": "0503"}, SOUTH),
        ({"N-F1": "0302", "S-F1": "0503"}, "draw"),
    ],
)
def test_more_objectives_win_at_the_end(places, winner):
    last = position(places, turn=position().board.turns)
    told = kernel.begin(State(last, (NextTurn(),))).state
    assert told.position.result == (winner, "the last turn is over")


@pytest.mark.rule("8.2")
def test_who_has_no_counter_left_has_lost():
    there = {"S-F1": "0303"}
    state = kernel.begin(
        State(position(there, battle=("0203", ("S-F1",), True)), (Advancing(SOUTH),))
    ).state
    assert state.position.result == (SOUTH, "nobody is left to fight on")
    waits = {NORTH: ("N-F3",), SOUTH: ()}
    later = position(there, battle=("0203", ("S-F1",), True), waiting=waits)
    assert kernel.begin(State(later, (Advancing(SOUTH),))).state.position.result is None


# --- what is told of orders, and what is offered


def told_against(stage, order, places=None, **changes):
    """What is said against an order: message and hint, and whether it points at a key."""
    state = State(position(places, **changes), (stage,))
    return [(str(each.message), str(each.hint), each.is_key)
            for each in kernel.violations(state, order)]  # fmt: skip


def offered(stage, table):
    """The orders that a stage names to a player, by verb; None where it names none itself."""
    asked = stage.ask(table)
    return {
        each.order.verb: each.examples and [one.order for one in each.examples(every)]
        for each in asked.options
    }


def dark(**places):
    """A game of hidden counters in its first turn. `n0="0202"` puts the first of North there."""
    start = FOG.setup("fog", frozenset()).position
    names = {f"{side[0]}{at}": tag for side in (NORTH, SOUTH)
             for at, tag in enumerate(start.waiting[side])}  # fmt: skip
    there = {names[each]: hex for each, hex in places.items()}
    return start.but(places=there, waiting=NO_ONE, turn=1), names


def judged(stage, order, table):
    return [each.rule for each in kernel.violations(State(table, (stage,)), order)]


@pytest.mark.rule("2.3")
def test_a_set_up_names_its_own_counters_and_all_of_them():
    start = FOG.setup("noon", frozenset({"open_units"})).position
    assert judged(Placing(NORTH), o.SetUp({k: UP[k] for k in ("N-F1", "N-F2", "N-G")}), start) == [
        "2.3"
    ]
    foreign = {"S-F1": "0103", "N-F2": "0302", "N-G": "0101", "N-S": "0301"}
    (found,) = kernel.violations(State(start, (Placing(NORTH),)), o.SetUp(foreign))
    assert found.is_key and str(found.message) == "S-F1 is none of your counters"
    assert offered(Placing(NORTH), start) == {"place": [Placing(NORTH).ask(start).default]}


@pytest.mark.rule("2.3", "2.4")
def test_without_a_word_counters_are_set_up_at_the_edge_and_the_reserve_waits():
    table = FOG.setup("noon", frozenset({"open_units"})).position
    given = dict(zip(("N-F1", "N-F2", "N-G", "N-S"), table.board.edge(NORTH)[1], strict=False))
    assert Placing(NORTH).ask(table).default == o.SetUp(given)
    table = FOG.setup("fog", frozenset()).position
    tags, army = table.waiting[NORTH], table.board.army(NORTH)
    assert list(Placing(NORTH).ask(table).default.units) == list(tags[:4]), "whichever they are"
    known = table.but(down=table.down.known_too(dict(zip(tags, reversed(army), strict=True))))
    assert list(Placing(NORTH).ask(known).default.units) == list(tags[2:]), "without N-H and N-F3"
    assert judged(Placing(NORTH), Placing(NORTH).ask(known).default, known) == []


@pytest.mark.rule("3.4", "2.3")
def test_zones_are_said_with_the_set_up_of_what_is_put_there():
    table, names = dark()
    table = table.but(turn=0, waiting=FOG.setup("fog", frozenset()).position.waiting)
    units = {names[f"n{at}"]: hex for at, hex in enumerate(("0101", "0201", "0301", "0401"))}
    assert judged(Placing(NORTH), o.SetUp(units, ("0101",)), table) == []
    assert judged(Placing(NORTH), o.SetUp(units, ("0102",)), table) == ["3.4"]


@pytest.mark.rule("3.4", "5.1")
def test_nothing_is_said_of_enemies_and_they_are_not_mixed():
    table, _ = dark(s0="0303", s1="0303", n0="0202")
    assert judged(Marching(NORTH), o.Halt(("0303",)), table) == ["3.4"]
    assert judged(Marching(NORTH), o.Mix(("0303",)), table) == ["5.1"]


@pytest.mark.rule("2.2", "2.4")
def test_a_refusal_says_what_would_be_legal():
    full = {"N-F1": "0103", "N-F2": "0103", "N-F3": "0104"}
    (found,) = told_against(Marching(NORTH), o.March("N-F3", ("0103",)), full)
    assert found[0] == "0103 would hold more than 5 points"
    waits = {NORTH: ("N-F3",), SOUTH: ()}
    (found,) = told_against(Marching(NORTH), o.Arrive("N-F3", "0101"), {"S-F1": "0101"}, turn=2,
                            waiting=waits)  # fmt: skip
    assert found[1] == "open are 0201, 0301, 0401, 0501"


@pytest.mark.rule("3.2", "5.1")
def test_why_a_counter_cannot_march_is_told():
    there = {"N-F1": "0102", "S-F1": "0504"}

    def told(unit, table=None):
        state = State(table or position(there), (Marching(NORTH),))
        found = kernel.violations(state, o.March(unit, ("0101",)))
        return [(str(each.message), each.is_key) for each in found]

    assert told("S-F1") == [("S-F1 is none of your counters on the map", False)]
    assert told("N-X") == [("no unit N-X", False)]
    table, _ = dark(n0="0101", n1="0101")
    assert told("N-F1", table) == [("N-F1 is none of your counters on the map", False)]
    mixed = kernel.submit(State(table, (Marching(NORTH),)), o.Mix(("0101",))).state.position
    assert "has just been mixed" in told("N-F1", mixed)[0][0]
    (found,) = rules.yours(position(there), NORTH, "N-X", ("units", "N-X"), is_key=True)
    assert found.is_key


@pytest.mark.rule("3.3", "3.2")
def test_who_stands_in_an_enemy_zone_may_leave_it():
    there = {"N-F1": "0203", "S-F1": "0303"}
    assert held_against(Marching(NORTH), o.March("N-F1", ("0103", "0102")), there) == []
    assert ("0103", "0102") in set(rules.marches_of(position(there), "N-F1"))


@pytest.mark.rule("6.1")
def test_who_has_fought_or_is_shaken_attacks_nobody():
    there = {"N-F1": "0202", "N-F2": "0202", "S-F1": "0203", "S-F2": "0504"}
    fresh = position(there)
    assert rules.targets_of(fresh, NORTH) == ("0203",)
    for barred in ("fought", "shaken", "mixed"):
        tired = fresh.but(**{barred: frozenset({"N-F1"})})
        assert rules.able_against(tired, NORTH, "0203") == ("N-F2",)
        out = fresh.but(**{barred: frozenset({"N-F1", "N-F2"})})
        assert rules.targets_of(out, NORTH) == () and Fighting(NORTH).ask(out) is None
    assert offered(Fighting(NORTH), fresh) == {
        "attack": [o.Attack("0203", ("N-F1", "N-F2")), o.Attack("0203", ("N-F1",))], "done": None,
    }  # fmt: skip
    asked = Fighting(NORTH).ask(fresh)
    assert asked.optional and asked.default == o.Done()
    (found,) = told_against(Fighting(NORTH), o.Attack("0303", ("N-F1",)), there)
    assert found[1] == "targets: 0203"
    far = {"N-G": "0201", "N-S": "0101", "S-F1": "0301"}
    tired = {"fought": frozenset({"N-S"}), "shaken": frozenset()}
    (found,) = told_against(Fighting(NORTH), o.Attack("0404", ("N-G",)), far, **tired)
    assert found[1] == "targets: 0301"
    seen = {"N-G": "0202", "S-F1": "0204"}
    (found,) = told_against(Fighting(NORTH), o.Attack("0203", ("N-G",)), seen)
    assert found[1] == "targets: none"


@pytest.mark.rule("6.5")
def test_guns_that_may_fire_are_offered_as_their_owner_knows_them():
    there = {"N-G": "0204", "N-F1": "0204", "S-F1": "0303", "S-F2": "0304"}
    fresh = position(there)
    assert rules.may_be_guns(fresh, NORTH) == ("N-G",)
    for barred in ("fought", "shaken", "mixed"):
        assert rules.may_be_guns(fresh.but(**{barred: frozenset({"N-G"})}), NORTH) == ()
    assert rules.is_a_gun(fresh, "N-G") and not rules.is_a_gun(fresh, "N-F1")
    assert offered(Fighting(NORTH), fresh)["fire"] == [o.Fire("N-G", "0303"), o.Fire("N-G", "0304")]
    table, names = dark(n0="0204", n1="0104", s0="0303")
    one, two = names["n0"], names["n1"]
    assert rules.may_be_guns(table, NORTH) == tuple(sorted((one, two), key=table.places.get))
    known = table.but(down=table.down.known_too({one: "N-G", two: "N-F1"}))
    assert offered(Fighting(NORTH), known)["fire"] == [o.Fire(one, "0303")]
    none = table.but(down=table.down.known_too({one: "N-F2", two: "N-F1"}))
    assert o.Fire(one, "0303") in offered(Fighting(NORTH), none)["fire"], "the question is the same"


@pytest.mark.rule("7.1")
def test_supply_runs_through_an_enemy_zone_only_where_an_own_counter_stands():
    cut = {"N-F1": "0102", "S-F1": "0101", "S-F2": "0103"}
    assert not rules.is_supplied(position(cut), NORTH, "0102")
    assert rules.is_supplied(position({**cut, "N-S": "0201"}), NORTH, "0102")


@pytest.mark.rule("6.4", "6.3")
def test_nobody_advances_into_a_hex_that_is_held_and_only_a_retreat_can_fail():
    held = position({"N-F1": "0203", "S-F1": "0303"}, battle=("0203", ("S-F1",), True))
    after_it = kernel.begin(State(held, (Advancing(SOUTH),))).state.position
    assert after_it.places == held.places
    walled = {"N-F1": "0104", "S-F1": "0203", "S-F2": "0103", "S-F3": "0204"}
    stands = rolled(Clash(SOUTH), [3], walled, battle=("0104", ("S-F1",), True)).position
    assert stands.lost == () and stands.places == walled, "nothing happens"


@pytest.mark.rule("4.1")
def test_ambushes_are_asked_for_in_secret():
    asked = Ambushing(NORTH).ask(position())
    assert asked.secret and (asked.list.name, asked.list.size) == ("ambush_n", 2)
    (orders,) = offered(Ambushing(NORTH), position()).values()
    assert orders[:2] == [o.Ambush(), o.Ambush(("0101",))] and len(orders) == 22


@pytest.mark.rule("3.2", "2.4", "1.3", "5.1")
def test_what_is_offered_for_a_march():
    there = {"N-F1": "0102", "N-S": "0402", "N-G": "0101", "N-H": "0101"}
    waits = {NORTH: ("N-F3",), SOUTH: ()}

    def at(**changes):
        return offered(Marching(NORTH), position(there, **changes))

    free = at()
    assert set(free) == {"march", "blow", "halt"}, "the reserve waits, and nothing is hidden"
    assert {each.unit for each in free["march"]} == set(there)
    assert free["blow"] == [o.Blow("N-S", "0303")] and free["halt"] == [o.Halt()]
    for barred in ("moved", "shaken", "mixed"):
        some = at(**{barred: frozenset({"N-S", "N-F1"})})
        assert "blow" not in some and {each.unit for each in some["march"]} == {"N-G", "N-H"}
    assert "arrive" not in at(waiting=waits) and "arrive" not in at(turn=2)
    assert "arrive" in at(turn=2, waiting=waits)
    assert "march" not in at(moved=frozenset(there))
    table, names = dark(n0="0202", n1="0202", n2="0101", n3="0102", n4="0102")
    moved = table.but(moved=frozenset({names["n3"]}))
    assert offered(Marching(NORTH), moved)["mix"] == [o.Mix(("0202",))]
    assert "mix" not in offered(Marching(NORTH), table.but(mixed=frozenset({names["n0"]})))
    assert "mix" not in offered(Marching(NORTH), dark(n0="0202")[0])


@pytest.mark.rule("3.2", "1.3", "5.1")
def test_after_each_order_but_the_halt_the_march_goes_on():
    there = {"N-F1": "0102", "N-S": "0402"}
    waits = {NORTH: ("N-F3",), SOUTH: ()}
    for order in (o.March("N-F1", ("0101",)), o.Arrive("N-F3", "0101"), o.Blow("N-S", "0303")):
        on = after(Marching(NORTH), order, there, turn=2, waiting=waits)
        assert on.agenda == (Marching(NORTH),)
    order = o.Arrive("N-F3", "0101")
    told = kernel.submit(State(position(turn=2, waiting=waits), (Marching(NORTH),)), order).events
    assert told == (e.CounterPlaced("N-F3", "0101", arrives=True),)
    table, _ = dark(n0="0202", n1="0202")
    mixed = kernel.submit(State(table, (Marching(NORTH),)), o.Mix(("0202",))).state
    assert mixed.agenda == (Marching(NORTH),)
    assert after(Marching(NORTH), o.Halt(), there).agenda == ()


@pytest.mark.rule("6.3")
def test_a_retreat_may_be_answered_ahead():
    table = position({"N-F1": "0203", "S-F1": "0303"})
    asked = Retreating(NORTH, "0203").ask(table)
    ways = [o.Retreat(way) for way in rules.retreats(table, "0203")]
    assert asked.policy == "retreat" and asked.default == ways[0]
    assert offered(Retreating(NORTH, "0203"), table) == {"retreat": ways}


@pytest.mark.rule("1.4")
def test_who_is_attacked_is_asked_only_to_show():
    table, _ = dark(n0="0202", s0="0203")
    asked = Showing(SOUTH, "0203").ask(table)
    assert (asked.side, asked.default, asked.only_shows) == (SOUTH, o.Show(), True)
