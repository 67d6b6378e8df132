"""4 and 15.2: set-up. The sample set-up is changed in one place, and has to be refused for it."""

from dataclasses import replace

import pytest

from pbem.engine import kernel
from pbem.gamedata.load import load
from pbem.games.ctv import events as e
from pbem.games.ctv import open_system
from pbem.games.ctv.orders import SetUp
from pbem.games.ctv.position import ASIDE, ELIMINATED, OUT
from pbem.games.ctv.rules import proposal, setup
from pbem.games.ctv.stages.setup import SettingUp
from pbem.games.ctv.tables import COLUMN
from tests.games.ctv.table import N, R, system
from tests.games.ctv.test_setup_sample import ARMOUR, DICE, begun_by, played


def first(options=""):
    """The Republican front line is asked for: the game, and the sample's order."""
    game, _, republican = begun_by(options)
    return game, next(republican)


def reserve(options=""):
    game, nationalist, republican = begun_by(options)
    game.order(next(republican)).roll(*DICE)
    for _ in range(2):
        game.order(next(republican))
    game.roll(ARMOUR).order(next(nationalist))
    return game, next(republican)


def second(options=""):
    """The Nationalist is asked."""
    game, nationalist, republican = begun_by(options)
    game.order(next(republican)).roll(*DICE)
    for _ in range(2):
        game.order(next(republican))
    return game.roll(ARMOUR), next(nationalist)


def with_units(order, **places):
    """The order with units elsewhere; a unit that goes nowhere is left out."""
    units = {**order.units, **{unit.replace("_", "-"): hex for unit, hex in places.items()}}
    return replace(order, units={unit: hex for unit, hex in units.items() if hex})


# ------------------------------------------------------------------- 4.1: the order of set-up


@pytest.mark.parametrize("dice", [(2, 4, 5), (5, 5, 5), (1, 1, 1)])
def test_no_headquarters_is_proposed_alone(dice):
    """Nor far from its division; and no supply column away from them."""
    game, _ = first()
    game.default().roll(*dice)
    found = 0
    while any(type(each) is SettingUp for each in game.state.agenda):
        if game.asks is None:
            game.roll(ARMOUR)
            continue
        places, columns = game.asks.default.units, game.asks.default.columns
        game.default()
        assert {*columns} <= {hex for unit, hex in places.items() if "HQ" in unit}
        for division in ("50", "55", "57"):
            if gun := places.get(f"R-HQ-{division}"):
                found += 1
                position = game.position
                assert len(position.units_at(gun)) > 1
                near = {*position.board.graph.neighbours(gun), gun}
                own = {
                    hex
                    for unit, hex in places.items()
                    if "HQ" not in unit and position.printed(unit).division == division
                }
                assert near & own
    assert found == 3


def test_who_finds_no_room_in_the_front_is_proposed_behind_it():
    """As in data of one's own, where fewer may stack."""
    tables = load("ctv").tables
    terrain = [{**each, "stacking": 2} for each in tables["tables"]["terrain"]]
    own = open_system({**tables, "tables": {**tables["tables"], "terrain": terrain}})
    position = own.setup("santander", frozenset({"open_units"})).position
    found = proposal.proposed(position, N, setup.FRONT).units
    waiting = setup.waiting(position, N, setup.FRONT)
    assert found.keys() == {unit for unit in waiting if position.printed(unit).type != COLUMN}
    assert {*found.values()} > {*position.board.front[N]}, "the front is full"
    assert {position.board.held[hex] for hex in found.values()} == {N}


@pytest.mark.rule("4.1")
def test_each_unit_is_set_up_in_its_turn():
    game, order = first()
    assert game.broken(order) == []
    assert game.broken(with_units(order, R_168="")) == ["4.1"]
    assert game.why(SetUp({}))[0].startswith("32 units are not placed")
    assert game.why(with_units(order, R_168=""))[0].startswith("1 unit is not placed: CLXVIII")
    (early,) = kernel.violations(game.state, with_units(order, R_178="2205"))
    assert (early.rule, early.at, early.is_key) == ("4.1", ("units", "R-178"), True)
    (other,) = kernel.violations(game.state, second()[1])
    assert (other.rule, other.at) == ("4.1", ("units", "N-23M-A")), "the enemy's order: one fault"
    assert game.broken(with_units(order, R_R1="2205")) == ["4.1"], "it comes with the surrender"
    assert game.broken(with_units(order, N_LIT_1="2205")) == ["4.1"]
    assert game.broken(with_units(order, R_AIR_1="2205")) == ["4.1"]
    assert game.broken(with_units(order, R_168="2110")) == ["4.1"], "beyond the front"
    assert game.broken(with_units(order, R_168="1101")) == ["4.1"], "at sea"
    position = game.position
    front = setup.waiting(position, R, setup.FRONT)
    assert "R-168" in front and "R-HQ-XV" in front and "R-RFT" in front
    assert setup.waiting(position, R, "57") == ("R-183", "R-184", "R-185", "R-HQ-57")
    assert len(setup.waiting(position, R, setup.RESERVE)) == 12


@pytest.mark.rule("4.1")
def test_the_dice_of_the_three_divisions():
    game, order = first()
    game.order(order).roll(4, 5, 1)
    rolled = {each.division: (each.die, each.is_front) for each in game.all(e.FrontRolled)}
    assert rolled == {"50": (4, True), "55": (5, False), "57": (1, True)}
    assert game.position.front == {"50", "57"}
    assert (game.asks.side, game.asks.stage) == (R, "set-up")
    assert set(game.asks.default.units) == {"R-154", "R-155", "R-156", "R-HQ-50"}
    game.default()
    assert set(game.asks.default.units) == {"R-183", "R-184", "R-185", "R-HQ-57"}
    game.default().roll(1)
    assert game.asks.side == N, "the 55th is the reserve"


@pytest.mark.rule("4.1", "4.2")
def test_a_division_of_the_front_line_stands_in_it():
    game, order = first()
    game.order(order).roll(5, 2, 5)
    legal = game.asks.default
    assert game.broken(legal) == []
    assert game.broken(with_units(legal, R_178="1507")) == ["4.2"]
    assert game.broken(with_units(legal, R_178="")) == ["4.1"]


@pytest.mark.rule("4.1")
def test_without_a_reserve_the_republican_is_asked_no_more():
    game, order = first()
    game.order(order).roll(1, 1, 1)
    for _ in range(3):
        game.default()
    game.roll(6)
    game.default()
    assert game.position.turn == 1


@pytest.mark.rule("4.1")
def test_units_of_another_question_are_told_at_once():
    """They may be a file that was sent already, if they are all that is in it."""
    game, _ = first()

    def told(*units):
        order = SetUp(dict.fromkeys(units, "2010"))
        fault = next(setup.sets_up_its_units(game.state.agenda[-1], game.position, order))
        message = str(fault.message).partition("(")[2]
        return message, "is this the file you meant?" in str(fault.hint)

    assert told("R-154") == ("R-154) is not set up now", False)
    two = "R-154) and 1 other unit here are not set up now"
    assert told("R-154", "R-155") == (two, True)
    assert told("R-154", "R-155", "R-168") == (two, False)


# ------------------------------------------------------------------- 4.2: the Republican


@pytest.mark.rule("4.2")
def test_infantry_stands_in_front_hexes_and_headquarters_there_or_beside():
    game, order = first()
    assert game.broken(with_units(order, R_168="2009")) == ["4.2"]
    (far,) = kernel.violations(game.state, with_units(order, R_168="1407"))
    assert str(far.hint).startswith("front hexes: 1903, 1910, 2004, 2010, "), "the nearest first"
    assert game.broken(with_units(order, R_HQ_52="2108", R_BA6="1301")) == []
    assert game.broken(with_units(order, R_HQ_52="1407")) == ["4.2"]
    assert "front hex or next to one" in game.why(with_units(order, R_HQ_52="1407"))[0]
    for unit in ("R_177", "R_DC", "R_TRU"):
        assert game.broken(with_units(order, **{unit: "1407"})) == [], unit


@pytest.mark.rule("4.2")
def test_armour_stands_where_it_likes_though_it_belongs_to_a_division():
    tables = load("ctv").tables
    units = [{**each, "division": "51"} if each["id"] == "R-RFT" else each
             for each in tables["units"]["units"]]  # fmt: skip
    own = open_system({**tables, "units": {**tables["units"], "units": units}})
    position = own.setup("santander", frozenset({"open_units"})).position
    assert position.printed("R-RFT").division == "51"
    stage = SettingUp(R, setup.FRONT)
    assert not list(setup.stands_in_the_front(stage, position, SetUp({"R-RFT": "1407"})))


def basques(order, far, **others):
    """The order with so many Basque brigades west of the limit, the others well within it."""
    brigades = ("R_157", "R_158", "R_163", "R_159", "R_162", "R_165", "R_160", "R_161", "R_164")
    within = ("1415", "1416", "1515", "1516", "1616", "1615", "1517", "1316", "1415")
    places = dict(zip(brigades, within, strict=True))
    places |= dict.fromkeys(brigades[:far], "1407")
    return with_units(order, **(places | others))


@pytest.mark.rule("4.2")
def test_the_basque_limit_and_its_two_exceptions():
    game, order = first()

    def limits(changed):
        return list(setup.keeps_the_basque_limit(game.state.agenda[-1], game.position, changed))

    assert not limits(basques(order, 0)) and not limits(basques(order, 2))
    three = limits(basques(order, 3))
    assert {each.at for each in three} == {
        ("units", unit) for unit in ("R-157", "R-158", "R-163")}  # fmt: skip
    assert {each.rule for each in three} == {"4.2"}
    assert not limits(basques(order, 0, R_157="1421", R_158="1318"))
    for far in (0, 2):
        (gun,) = limits(basques(order, far, R_HQ_48="1414"))
        assert gun.at == ("units", "R-HQ-48"), "only brigades are excepted"
    assert not limits(basques(order, 2, R_HQ_48="1415"))
    assert not limits(with_units(basques(order, 2), R_177="1407"))


@pytest.mark.rule("4.2")
def test_the_fiftieth_counts_with_the_others_in_the_line_and_not_as_a_reserve():
    game, order = first()
    game.order(order).roll(1, 5, 5)
    stage, position = game.state.agenda[-1], game.position
    here = with_units(game.asks.default, R_154="1407")
    brigades = [unit for unit in position.on_map(R) if position.printed(unit).nation == "basque"]
    position = position.with_units(brigades, "1415")
    gone = position.with_units(("R-157", "R-158"), "1407")
    assert [each.at for each in setup.keeps_the_basque_limit(stage, gone, here)] == [
        ("units", "R-154")]  # fmt: skip
    one = position.with_units(("R-157",), "1407")
    assert not list(setup.keeps_the_basque_limit(stage, one, here))
    late, _ = reserve()
    stage = late.state.agenda[-1]
    assert not list(setup.keeps_the_basque_limit(stage, gone, here)) and not list(
        setup.stands_in_the_front(stage, gone, here))  # fmt: skip


@pytest.mark.rule("4.2")
def test_basques_obey_their_own_limit_alone_unless_agreed():
    inside = {"R_157": "1415"}
    for options, broken in (("", []), ("basques_in_front", ["4.2"])):
        game, order = first(options)
        stage, position = game.state.agenda[-1], game.position
        found = setup.stands_in_the_front(stage, position, with_units(order, **inside))
        assert [each.rule for each in found if each.at == ("units", "R-157")] == broken
        far = setup.stands_in_the_front(stage, position, with_units(order, R_157="1407"))
        assert ("units", "R-157") not in [each.at for each in far], "the two exceptions"
        front = setup.stands_in_the_front(stage, position, with_units(order, R_157="1617"))
        assert ("units", "R-157") not in [each.at for each in front]
        guns = setup.stands_in_the_front(stage, position, with_units(order, R_HQ_48="1415"))
        assert ("units", "R-HQ-48") not in [each.at for each in guns]


@pytest.mark.rule("4.2")
def test_front_hexes_are_held_or_in_a_zone():
    game, order = first()
    coast = {unit.replace("-", "_"): "1617" for unit, hex in order.units.items()
             if hex in ("1419", "1518", "1418", "1517")}  # fmt: skip
    found = setup.covers_the_front(game.state.agenda[-1], game.position, with_units(order, **coast))
    assert [(each.rule, each.at) for each in found] == [("4.2", ("units",))]


@pytest.mark.rule("4.2")
def test_trenches():
    game, order = first()
    held = list(dict.fromkeys(order.units.values()))
    assert game.broken(replace(order, trenches=tuple(held[:4]))) == []
    assert game.broken(replace(order, trenches=())) == []
    assert game.broken(replace(order, trenches=tuple(held[:5]))) == ["4.2"]
    assert game.broken(replace(order, trenches=(held[0], held[0]))) == ["4.2"]
    assert game.broken(replace(order, trenches=("1301",))) == ["4.2"], "nobody is there"
    game.order(replace(order, trenches=tuple(held[:4])))
    assert game.position.trenches == set(held[:4])
    other, theirs = second()
    assert other.broken(replace(theirs, trenches=("2110",))) == ["4.2"], "none are theirs"
    late, last = reserve()
    assert late.broken(replace(last, trenches=(next(iter(last.units.values())),))) == ["4.2"]


@pytest.mark.rule("5.2")
def test_who_lies_on_top_is_set_up_and_named_once():
    game, order = first()
    one, two = list(order.units)[:2]
    assert game.broken(replace(order, top=(one, two))) == []
    assert game.broken(replace(order, top=(one, one))) == ["5.2"]
    assert game.broken(replace(order, top=("R-154",))) == ["5.2"], "it comes later"


@pytest.mark.rule("4.2", "4.3")
def test_columns_are_set_up_beside_headquarters():
    game, order = first()
    assert len(order.columns) == 1
    assert game.broken(replace(order, columns=())) == ["4.2"]
    assert game.broken(replace(order, columns=("1301",))) == ["4.2"]
    gun = order.units["R-HQ-XV"]
    game.order(replace(order, columns=(gun,)))
    assert game.where("R-SC-1") == [gun]
    other, theirs = second()
    assert len(theirs.columns) == 4
    columns = theirs.columns
    assert other.broken(replace(theirs, columns=columns[:3])) == ["4.3"]
    assert other.broken(replace(theirs, columns=(*columns[:3], columns[0]))) == ["5"]
    assert other.broken(replace(theirs, columns=(*columns[:3], "2522"))) == ["4.3"]
    alone = with_units(replace(theirs, columns=(*columns[:3], "2522")), N_CEL="2522")
    assert other.broken(alone) == ["4.3"], "beside troops, and no headquarters"
    board = other.position.board
    guns = [hex for unit, hex in theirs.units.items() if unit.startswith("N-HQ")]
    off = next(hex for hex in board.hexes if board.held[hex] == N
               and min(board.distance(hex, gun) for gun in guns) == 2)  # fmt: skip
    assert other.broken(replace(theirs, columns=(*columns[:3], off))) == ["4.3"], "two hexes off"
    enemy = (*columns[:3], "2010")
    assert other.broken(replace(theirs, columns=enemy)) == ["4.3"], "enemy ground"
    other.order(theirs)
    assert tuple(other.where("N-SC-1", "N-SC-2", "N-SC-3", "N-SC-4")) == columns
    assert other.where("N-SC-5") == [ASIDE]
    late, last = reserve()
    assert late.broken(replace(last, columns=("1407",))) == ["4.2"]


# ------------------------------------------------------------------- 4.3: the Nationalist


@pytest.mark.rule("4.3")
@pytest.mark.parametrize(
    "face, units",
    [(1, ["N-3PZ1"]), (2, ["N-3PZ1"]), (3, ["N-3PZ1", "N-4T26"]), (4, ["N-3PZ1", "N-4T26"]),
     (5, ["N-3PZ1", "N-4T26", "N-L335"]), (6, ["N-3PZ1", "N-4T26", "N-L335"])],
)  # fmt: skip
def test_the_armour_that_the_die_gives(face, units):
    game, order = first()
    game.order(order).roll(5, 5, 5).roll(face)
    armour = ("N-3PZ1", "N-4T26", "N-L335")
    assert [unit for unit in armour if game.where(unit) == [ASIDE]] == units
    assert [unit for unit in armour if game.where(unit) == [OUT]] == [
        unit for unit in armour if unit not in units]  # fmt: skip
    assert set(units) <= game.asks.default.units.keys()
    missing = {"N_L335": "2220"}
    broken = game.broken(with_units(game.asks.default, **missing))
    assert broken == ([] if "N-L335" in units else ["4.3"])
    for fault in kernel.violations(game.state, with_units(game.asks.default, **missing)):
        assert fault.at == ("units", "N-L335") and fault.is_key


@pytest.mark.rule("4.3")
def test_the_nationalist_sets_up_where_they_like_but_covers_the_front():
    game, order = second()
    assert game.broken(order) == []
    assert game.broken(with_units(order, N_LIT_1="2522", N_CEL="2422")) == []
    assert game.broken(with_units(order, N_LIT_1="2010")) == ["4.1"]
    everywhere = dict.fromkeys((unit.replace("-", "_") for unit in order.units), "2522")
    changed = with_units(order, **everywhere)
    changed = with_units(changed, N_SC_1="1420")
    (bare,) = setup.covers_the_front(game.state.agenda[-1], game.position, changed)
    assert bare.rule == "4.3" and "1420" in str(bare.message), "a column covers nothing"


@pytest.mark.rule("5", "5.1.1", "4.3")
def test_a_set_up_keeps_the_stacking_limits():
    game, order = second()
    assert game.broken(with_units(order, N_HQ_LIT=order.units["N-HQ-CTV"])) == ["5"]
    four = dict.fromkeys(("N_LIT_1", "N_LIT_2", "N_FIN_8", "N_FIN_10"), "2212")
    assert "5.1.1" in game.broken(with_units(order, **four))


# ------------------------------------------------------------------- 4.3.1: the reserve


@pytest.mark.rule("4.3.1")
def test_the_reserve_stands_where_it_likes_and_may_stay_away():
    game, order = reserve()
    assert order.units.keys() <= {"R-183", "R-184", "R-185", "R-HQ-57"}
    assert game.broken(with_units(order, R_183="1301", R_184="2010", R_HQ_57="1407")) == []
    assert game.broken(with_units(order, R_183="2110")) == ["4.1"]
    game.order(with_units(order, R_183="", R_184="1301", R_185="1301", R_HQ_57=""))
    assert game.where("R-183", "R-HQ-57", "R-184") == [OUT, OUT, "1301"]
    assert game.position.brigades_lost == 0 and game.position.turn == 1
    assert ELIMINATED not in game.where("R-183")
    assert not reserve()[0].order(order).all(e.LeftOut)
    game, _ = reserve()
    *others, last = setup.waiting(game.position, R, setup.RESERVE)
    stage, one = game.state.agenda[-1], game.position.with_units(others, ELIMINATED)
    assert stage.ask(one) and not stage.ask(one.with_units([last], ELIMINATED))


# ------------------------------------------------------------------- 4.3.2 and 15.2


@pytest.mark.rule("4.3.2")
def test_the_war_begins_in_fair_weather_with_everything_in_the_air():
    position = played().position
    assert (position.turn, position.weather, position.marker) == (1, "fair", 0)
    assert len(position.air(N)) == 9 and len(position.air(R)) == 2
    assert position.control == system().tables.held


@pytest.mark.rule("15.2")
def test_the_historical_set_up_has_italians_between_two_columns():
    for options, broken in (("", False), ("historical_set_up", True)):
        game, order = second(options)
        stage, position = game.state.agenda[-1], game.position

        def found(order=order, stage=stage, position=position, **places):
            changed = with_units(order, **places)
            return [each.at[1] for each in
                    setup.sets_up_italians_as_they_stood(stage, position, changed)]  # fmt: skip

        inside = {unit.replace("-", "_"): "2110" for unit in order.units
                  if position.printed(unit).nation == "italian"}  # fmt: skip
        assert found(**inside) == []
        for hex in ("2209", "2216"):
            assert found(**{**inside, "N_LIT_1": hex}) == (["N-LIT-1"] if broken else [])
        assert found(**{**inside, "N_LIT_1": "2210", "N_CEL": "2215"}) == []
        assert found(**{**inside, "N_HQ_CTV": "2216"}) == (["N-HQ-CTV"] if broken else [])
        assert found(**{**inside, "N_FN_1": "2216", "N_NI_1": "2216", "N_3PZ1": "2216"}) == []
