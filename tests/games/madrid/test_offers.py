"""What a question offers: orders that are legal, and every way there is."""

from __future__ import annotations

import random
from itertools import pairwise

import pytest

from pbem.cli.languages import language
from pbem.engine import kernel
from pbem.engine.choices import Amount, every
from pbem.engine.model import Decision
from pbem.games.madrid.orders import (
    Again,
    Assault,
    Attack,
    Begin,
    Bombard,
    Brace,
    Counter,
    Defend,
    DrawChits,
    Fire,
    Hold,
    Keep,
    Lead,
    Lose,
    Move,
    Name,
    Pass,
    Pause,
    Pick,
    PlaceUnits,
    Play,
    PutBack,
    Rebuild,
    Renewal,
    Reroll,
    Retreat,
    Spare,
)
from pbem.games.madrid.rules import replacements
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.bombard import BracingForShells, Naming, Shelling, shelled
from pbem.games.madrid.stages.combat import Countering, Defending, Sparing
from pbem.games.madrid.stages.fire import Bracing, Firing, Incoming
from pbem.games.madrid.stages.impulse import GoingOn, Impulse, Keeping
from pbem.games.madrid.stages.losses import Losing, Retreating
from pbem.games.madrid.stages.march import Leading
from pbem.games.madrid.stages.play import PickingUnits
from pbem.games.madrid.stages.rerolls import Rerolling
from pbem.games.madrid.stages.setup import Begins, SetUp
from pbem.games.madrid.stages.turn import Arriving, Drawing, Pausing, PuttingBack, Rebuilding
from pbem.messages import words
from pbem.orders.spelling import spelt_decision
from pbem.orders.template import form
from pbem.value import replace
from tests.bots import RandomDice, legal_samples
from tests.conftest import FUZZ
from tests.contract.playing import decisions
from tests.games.madrid.table import N, R, impulse, system, table


def offered(position, stage):
    """The examples of every verb of a question."""
    asked = stage.ask(position)
    assert asked is not None
    return [each.order for option in asked.options if option.examples
            for each in option.examples(every)]  # fmt: skip


HELD = {N: "CN4a CN10a CN12a", R: "CR3a CR7a CR8a"}
THERE = {
    "D": "N01 R01 R02", "AA": "R40 R41 R16 R03", "C": "N10 N26", "CC": "N02 N04",
    "eliminated": "N27 N28 N30", "track": "R30",
}  # fmt: skip
AN_ATTACK = Fight(N, "D", ("N01",), "N01")
FROM_CC = Incoming(N, "AA", ("N02", "N04"), "N02", "CC")
QUESTIONS = (
    (Sparing(AN_ATTACK), [Spare(), Spare("CR8a")]),
    (Countering(AN_ATTACK), [Counter(), Counter("CN4a")]),
    (Countering(AN_ATTACK.but(fortified="units")),
     [Counter(), Counter("CN4a"), Counter("CN4a", "terrain")]),
    (Rerolling((1, 2), GoingOn(), GoingOn()), [Reroll(), Reroll("CN10a")]),
    (GoingOn(), [Again(), Again("CR7a")]),
    (Bracing(FROM_CC), [Brace(), Brace(("CN12a",))]),
    (BracingForShells(Shelling(R, "C", point="N10")), [Brace(), Brace(("CN12a",))]),
    (Firing(FROM_CC), [Fire(), Fire(("CR3a",))]),
    (Naming(Shelling(R, "C")), [Name("N10"), Name("N26"), Name("N10", ("CN12a",))]),
    (Leading(AN_ATTACK.but(attackers=("N02", "N04"))), [Lead("N02"), Lead("N04"), Lead()]),
    (Keeping(R, Move(("R16", "R40"), ("AA", "GG"))), [Keep("anarchists"), Keep("communists")]),
    (PickingUnits(R, ("R40", "R41"), 1, "", "15.CR5"), [Pick(("R40",)), Pick(("R41",))]),
    (PuttingBack(R), [PutBack(), PutBack(("CR3a", "CR7a", "CR8a")),
                      *(PutBack((chit,)) for chit in ("CR3a", "CR7a", "CR8a"))]),
    (Pausing(), [Pause("keep"), Pause("begin")]),
    (Arriving(R, ("R30",)), [PlaceUnits({"R30": "M"}), PlaceUnits({"R30": "N"})]),
    (SetUp(R, ("R30",)), [PlaceUnits({"R30": "M"}), PlaceUnits({"R30": "N"})]),
    (Rebuilding(N), [
        *(Rebuild((Renewal(one, "C", other),)) for one, other in (
            ("N27", "N28"), ("N27", "N30"), ("N28", "N27"), ("N28", "N30"), ("N30", "N27"),
            ("N30", "N28"))),
        Rebuild(),
    ]),
    (Retreating(R, ("R01",)), [Retreat({"R01": "B"}), Retreat({"R01": "E"})]),
    (Losing(R, ("R01", "R02"), "R01", 2, ""),
     [Lose((), {"R01": "B"}), Lose((), {"R01": "B"})][:1]),
    (Defending(AN_ATTACK), [Defend((), "R01")]),
    (Defending(Fight(N, "AA", ("N02",), "N02")), [
        Defend((), "R03"), Defend(("R03", "R40", "R41"), "R03"),
        Defend(("R03",), "R03"), Defend(("R40",), "R40"), Defend(("R41",), "R41"),
    ]),
)  # fmt: skip


@pytest.mark.parametrize(("stage", "orders"), QUESTIONS, ids=lambda each: type(each).__name__)
def test_every_way_to_answer_is_offered(stage, orders):
    position = table(THERE, nationalist="C CC", hands=HELD, turn=3)
    assert offered(position, stage) == orders
    asked = stage.ask(position)
    assert asked.default in orders or isinstance(asked.default, Fire)


@pytest.mark.rule("9.7.a")
def test_every_area_where_a_unit_may_retreat_is_offered_once():
    position = table({"D": "N01 R01 R02"}, nationalist="")
    one = offered(position, Retreating(R, ("R01",)))
    assert one == [Retreat({"R01": place}) for place in ("B", "C", "E")]
    two = offered(position, Retreating(R, ("R01", "R02")))
    assert [tuple(order.to.values()) for order in two] == [
        ("B", "B"), ("C", "B"), ("E", "B"), ("B", "C"), ("B", "E"),
    ]  # fmt: skip


@pytest.mark.rule("9.4.1.C4")
def test_of_each_counterattack_the_intensity_is_told():
    position = table(THERE, nationalist="C CC", turn=3)
    stage = Defending(Fight(N, "AA", ("N02",), "N02"))
    (option,) = stage.ask(position).options
    notes = {each.order.counterattack: str(each.note) for each in option.examples(every)}
    assert (notes[()], notes["R40",]) == ("intensity 6", "intensity 8")


@pytest.mark.rule("9.6.a")
def test_what_the_point_unit_leaves_is_offered_to_each_of_the_first_four():
    position = table({"DD": "R01 R02 R03 R04 R05 R06"})
    orders = offered(position, Losing(R, position.units_at("DD", R), "R06", 4, ""))
    assert orders == [Lose((unit,), {}, ("R06",)) for unit in ("R01", "R02", "R03", "R04")]


@pytest.mark.rule("9.6.e")
@pytest.mark.parametrize("points, asked_for", [(5, 5), (6, 6), (7, 6)])
def test_no_more_points_are_asked_for_than_the_units_can_take(points, asked_for):
    losing = Losing(R, ("R01", "R02"), "R01", points, "")
    asked = losing.ask(table({"DD": "R01 R02"}))
    assert str(asked.prompt).startswith(f"assign {asked_for} loss points")


@pytest.mark.rule("15.CR5", "15.CN5")
def test_units_to_pick_are_offered_from_each_of_the_first_four_on():
    stage = PickingUnits(R, ("R40", "R41", "R42", "R43", "R44"), 2, "", "15.CR5")
    assert [order.units for order in offered(table(), stage)] == [
        ("R40", "R41"), ("R41", "R42"), ("R42", "R43"), ("R43", "R44"),
    ]  # fmt: skip
    assert str(stage.ask(table()).prompt) == "name 2 units that are to turn fresh"
    one = replace(stage, count=1, area="AA")
    assert str(one.ask(table()).prompt) == "name a unit that is to be spent"


@pytest.mark.rule("6.1", "6.2")
def test_to_draw_no_chit_is_offered_too():
    asked = Drawing(N).ask(table(support={N: 3, R: 0}))
    (option,) = asked.options
    assert option.fields == {"chits": Amount(0, 3)} and asked.default == DrawChits(0)


@pytest.mark.rule("6.9", "8.2")
def test_who_says_nothing_more_rebuilds_nothing_and_keeps_every_chit():
    rebuilding = Rebuilding(R).ask(table({"eliminated": "R01 R02"}))
    keeping = PuttingBack(N).ask(table(hands={N: "CN1a"}))
    assert (rebuilding.optional, rebuilding.default) == (True, Rebuild())
    assert (keeping.optional, keeping.default) == (True, PutBack())


def test_turns_to_begin_with_are_offered():
    assert offered(table(scenario="scenario_2"), Begins()) == [Begin(10), Begin(11)]


def test_two_line_units_are_offered_first():
    dead = {"eliminated": "R01 R02 R05 R09 R17 R18"}
    orders = offered(table(dead), Rebuilding(R))
    assert [each.unit for each in orders[0].units] == ["R01", "R05"]
    assert len(orders[0].units) == 2 and orders[-1] == Rebuild()
    shock = offered(table({"eliminated": "R17 R18 R52 R53"}), Rebuilding(R))
    assert all(len(order.units) <= 1 for order in shock)


def test_an_impulse_offers_units_paths_and_chits():
    there = {"D": "N01 N26 N42 R01", "B": "N02", "C": "R02"}
    position = table(there, nationalist="D B", hands={N: "CN3a"})
    asked = Impulse(N).ask(position)
    by_verb = {option.order: list(option.examples(every)) for option in asked.options[:-1]}
    assert asked.options[-1].order is Pass and asked.default == Pass()
    moves = {each.order.units for each in by_verb[Move]}
    assert moves == {("N01", "N26", "N42"), ("N01",), ("N26",), ("N42",), ("N02",)}
    (attack,) = by_verb[Attack]
    assert attack.order == Attack(("N01", "N26", "N42"), "N01")
    assert attack.others["prepared"] == (False, True)
    assert attack.others["chits"] == ((), ("CN3a",))
    assaults = {each.order.units: each.others["path"] for each in by_verb[Assault]}
    assert ("D", "C") in assaults["N01",] and ("B", "D") in assaults["N02",]
    targets = {(each.order.target, each.order.point) for each in by_verb[Bombard]}
    assert targets == {("D", "R01"), ("C", "")}


def test_who_flees_is_offered_no_fight():
    there = {"DD": "N26 R40 R61", "AA": "R41"}
    position = table(there, hands={R: "CR1a CR5a"}, flight=1)
    offered_now = [type(order) for order in offered(position, Impulse(R))]
    assert {*offered_now} == {Move, Play}
    assert all(not order.target for order in offered(position, Impulse(R)) if type(order) is Play)
    assert Attack in [type(order) for order in offered(position.but(flight=0), Impulse(R))]


@pytest.mark.rule("15.CN9", "15.CN6")
@pytest.mark.parametrize(("held", "chits"), [("D", ["CN6a"]), ("D L", ["CN6a", "CN9a"])])
def test_a_chit_with_one_use_is_offered_and_a_flight_where_it_has_a_reason(held, chits):
    position = table(nationalist=held, hands={N: "CN6a CN9a"})
    assert offered(position, Impulse(N)) == [Play(chit) for chit in chits]


@pytest.mark.rule("15.CR5", "15.CN11")
def test_who_may_be_rebuilt_by_a_chit_is_offered_alone_or_by_pairs():
    """One that is never rebuilt is not: a gun, and the Legion while nobody pauses."""
    dead = "N27 N28 N42 N02 R01 R02 R17"
    position = table({"eliminated": dead}, hands={N: "CN11a", R: "CR5a"})
    alone = [order.rebuild for order in offered(position, Impulse(N)) if order.use == "rebuild"]
    assert alone == [(Renewal("N27", "D"),), (Renewal("N28", "D"),)]
    pair = [order.rebuild for order in offered(position, Impulse(R)) if order.use == "rebuild"]
    assert pair == [(Renewal("R01", "A", "R02"),), (Renewal("R02", "A", "R01"),)]


def test_durruti_lets_anarchists_attack_and_assault():
    there = {"AA": "R16", "DD": "N26 R15"}
    position = table(there, nationalist="DD D", hands={R: "CR6a"}, turn=5)
    orders = offered(position, Impulse(R))
    assert Attack(("R15",), "R15", chits=("CR6a",)) in orders
    assert Assault(("R16",), ("AA", "DD"), chits=("CR6a",)) in orders
    none = [type(order) for order in offered(table(there, nationalist="DD D"), Impulse(R))]
    assert Attack not in none and Assault not in none
    idle = Impulse(R).ask(table({"DD": "N26 R15"}, nationalist="DD")).options
    assert [option.order for option in idle] == [Move, Pass]
    spent = Impulse(N).ask(table({"D": "N01s"}, hands={N: "CN6a"})).options
    assert [option.order for option in spent] == [Play, Pass]


def test_nobody_is_asked_where_nothing_can_be_said():
    """Each condition under which a question is left out."""
    africans = table({"C": "N10 R61"}, nationalist="C D", hands={N: "CN12a"})
    aimed = Shelling(R, "C", point="N10")
    assert isinstance(shelled(africans, aimed), BracingForShells)
    assert not isinstance(shelled(table({"C": "N10 R61"}), aimed), BracingForShells)
    army = table({"C": "N26 R61"}, nationalist="C D", hands={N: "CN12a"})
    assert not isinstance(shelled(army, Shelling(R, "C", point="N26")), BracingForShells)
    ours = table({"C": "N10 R61"}, nationalist="C D", hands={N: "CN12a"})
    assert not isinstance(shelled(ours, Shelling(N, "C", point="R61")), BracingForShells)
    assert not Naming(Shelling(R, "C")).is_needed(army)
    assert Naming(Shelling(R, "C")).is_needed(africans)
    militia = {"DD": "N01 R01"}
    assert not Defending(Fight(N, "DD", ("N01",), "N01")).is_needed(table(militia))
    fortified = table(militia, hands={R: "CR4a"})
    assert Defending(Fight(N, "DD", ("N01",), "N01")).is_needed(fortified)
    assert Firing(FROM_CC).ask(table(THERE, options=("forced_fire",), hands={})) is None
    forced = table(THERE, options=("forced_fire",), hands=HELD, turn=3)
    assert Hold not in [option.order for option in Firing(FROM_CC).ask(forced).options]
    assert Rebuilding(R).ask(table({"eliminated": "R01 R04 R16"})) is None
    everywhere = " ".join(table().board.areas)
    assert Rebuilding(R).ask(table({"eliminated": "R01 R02"}, nationalist=everywhere)) is None
    pairs = replacements.pairs(table({"eliminated": "R01 R02 R03 R16"}), R)
    assert pairs == (("R01", "R02"), ("R01", "R03"), ("R02", "R01"), ("R02", "R03"))


@pytest.mark.parametrize("scenario", ["scenario_1", "scenario_2", "campaign"])
def test_what_a_form_shows_is_legal(scenario):
    """Of every example the order as it stands is legal, but for bans a form does not look at."""
    rng, dice = random.Random(scenario), RandomDice(7)
    state = kernel.begin(system().setup(scenario, frozenset({"open_hands"}))).state
    wrong: set[str] = set()
    for _ in range(150 * FUZZ):
        asked = kernel.waits_for(state)
        if asked is None:
            break
        if not isinstance(asked, Decision):
            state = kernel.roll(state, dice).state
            continue
        for option in asked.options:
            for example in option.examples(every) if option.examples else ():
                found = kernel.violations(state, example.order)
                wrong |= {each.rule for each in found}
        state = kernel.submit(state, next(legal_samples(state, rng, 10))).state
    assert wrong == set()


@pytest.mark.rule("12.3.h")
def test_in_the_pause_no_fight_is_offered_but_on_own_ground():
    at = {"C": "N01 R01 N42", "B": "N02 R02 N43", "L": "N03", "K": "R03"}
    for pause, areas in ((0, {"C", "B", "K"}), (2, {"C"})):
        position = table(at, nationalist="C L", pause=pause)
        asked = Impulse(N).ask(position)
        (attacks, assaults, bombards) = (
            [each for option in asked.options if option.order is verb
             for each in option.examples(every)] for verb in (Attack, Assault, Bombard)
        )  # fmt: skip
        assert {position.places[each.order.units[0]] for each in attacks} == areas - {"K"}
        ends = {path[-1] for each in assaults for path in each.others["path"]}
        assert ends == areas and {each.order.target for each in bombards} == areas - {"K"}
    nothing = table({"B": "N02 R02 N43"}, nationalist="D", pause=2)
    verbs = [option.order for option in Impulse(N).ask(nothing).options]
    assert verbs == [Move, Assault, Pass]


@pytest.mark.rule("5.3", "15.CN3", "15.CN8")
def test_what_an_impulse_cannot_pay_or_use_is_not_offered():
    def of(verb, at, **changes):
        options = Impulse(N).ask(table(at, nationalist="CC S", **changes)).options
        (option,) = [each for each in options if each.order is verb]
        return [each.others for each in option.examples(every)]

    at, hands = {"AA": "N01 R01", "CC": "N02", "DD": "R02"}, {N: "CN3a CN8a"}
    for points, prepared in ((0, (False,)), (1, (False, True))):
        assert {each["prepared"] for verb in (Attack, Assault)
                for each in of(verb, at, support={N: points, R: 9})} == {prepared}  # fmt: skip
    surprise, stampede = ("CN3a",), ("CN8a",)
    assert [each["chits"] for each in of(Attack, at, hands=hands)] == [((), surprise)]
    assert {each["chits"] for each in of(Assault, at, hands=hands)} == {((), surprise, stampede)}
    city = {"CC": "N02", "AA": "R01"}
    assert {each["chits"] for each in of(Assault, city, hands=hands)} == {((), surprise)}
    assert [each["chits"] for each in of(Move, city, hands=hands)] == [((), surprise)]
    assert "chits" not in of(Move, {"CC": "N02"}, hands=hands)[0]
    (move, *_) = Impulse(R).ask(table({"AA": "R14"}, hands={R: "CR6a"})).options
    assert [each.others["chits"] for each in move.examples(every)] == [((), ("CR6a",))]


@pytest.mark.rule("9.2.k", "12.1.d", "12.3.g", "3.2.2")
def test_only_paths_that_may_be_taken_are_offered():
    """Guns not into enemy ground; nobody over a river under the ban, into a full area, or in the
    pause into an area of the enemy."""

    there = {"D": "N01 N42", "C": "", "E": "R05"}
    with_guns = table(there)
    assert {"C", "E"} <= reaches(with_guns, "N01") and not {"C", "E"} & reaches(with_guns, "N42")
    assert not reaches(table(there, pause=2), "N01") & {"B", "C", "E"}
    over = table({"CC": "N01"}, nationalist="CC D")
    banned = table({"CC": "N01"}, nationalist="CC D", facts=())
    assert "AA" in reaches(over, "N01") and "AA" not in reaches(banned, "N01")
    full = " ".join(f"N{number:02}" for number in (2, 3, 4, 5, 6, 10, 11, 12, 13, 14))
    assert "B" not in reaches(table({"D": "N01", "B": full}, nationalist="D B"), "N01")


def reaches(position, unit):
    """Where the offers let a unit of the Nationalists go."""
    (moves,) = (each for each in Impulse(N).ask(position).options if each.order is Move)
    return {
        path[-1]
        for each in moves.examples(every)
        if (unit,) in (each.order.units, *each.others.get("units", ()))
        for path in each.others["path"]
    }


def test_units_with_the_same_ways_stand_in_one_line_of_a_form():
    position = table({"D": "N01 N02 N42"})
    (moves,) = (each for each in Impulse(N).ask(position).options if each.order is Move)
    alone = [each for each in moves.examples(every) if len(each.order.units) == 1]
    assert [each.others.get("units") for each in alone] == [(("N01",), ("N02",)), None]
    (two,) = (
        each for each in Impulse(N).ask(table({"D": "N01 N02"})).options if each.order is Move
    )
    assert [each.order.units for each in two.examples(every)] == [("N01", "N02"), ("N01",)]
    for each in moves.examples(every):
        for units in each.others.get("units", (each.order.units,)):
            for path in each.others["path"]:
                order = replace(each.order, units=units, path=path)
                assert kernel.violations(impulse(position, N), order) == ()


def test_a_form_says_where_each_unit_may_be_placed():
    position = table({"track": "R04 R30 R31"}, scenario="scenario_1")
    for stage in (SetUp(R, ("R30", "R31")), Arriving(R, ("R30", "R31"))):
        (option,) = stage.ask(position).options
        assert str(option.note) == (
            "1ª Brigada Mixta (Líster) - I and 1ª Brigada Mixta (Líster) - II: Valdemoro (M) or "
            "Pinto (N)"
        )
        assert words(option.note, language("es")).endswith(
            "- I y 1ª Brigada Mixta (Líster) - II: Valdemoro (M) o Pinto (N)"
        )


NONE = "decline: no chit is played"
GOES_ON = "the attack goes on, with the worst two of three dice"
NOTES = (
    (Sparing(AN_ATTACK), [NONE, "Miaja saves the day"]),
    (Countering(AN_ATTACK), [NONE, "Combat Engineers"]),
    (Countering(AN_ATTACK.but(fortified="units")),
     [NONE, "Combat Engineers", "Combat Engineers, against the terrain"]),
    (Rerolling((1, 2), GoingOn(), GoingOn()), [NONE, "Teresa of Avila's arm"]),
    (GoingOn(), [NONE, "Nationalists' plans captured"]),
    (Bracing(FROM_CC), [NONE, "Alfereces Provisionales"]),
    (BracingForShells(Shelling(R, "C", point="N10")), [NONE, "Alfereces Provisionales"]),
    (Firing(FROM_CC), ["fire, without a chit", "fire, with Tanks!"]),
    (Naming(Shelling(R, "C")), ["defence value 7", "defence value 7",
                                "defence value 10, with Alfereces Provisionales"]),
    (Leading(AN_ATTACK.but(attackers=("N02", "N04"))), [GOES_ON, GOES_ON,
     "the assault ends, and its units are spent"]),
    (Losing(R, ("R01", "R02"), "R01", 2, ""), ["retreating: 1"]),
    (Losing(R, ("R01", "R02"), "R01", 5, ""), ["retreating: 1, eliminated: 1"]),
    (Losing(R, ("R01", "R02"), "R02", 4, ""), ["spent: 1, eliminated: 1"]),
)  # fmt: skip


@pytest.mark.parametrize(("stage", "notes"), NOTES, ids=lambda each: type(each).__name__)
def test_a_form_says_what_each_answer_does(stage, notes):
    position = table(THERE, nationalist="C CC", hands=HELD, turn=3)
    first, *others = stage.ask(position).options
    assert [str(each.note) for each in first.examples(every)] == notes
    assert [str(each.note) for each in others] == (["hold fire"] if first.order is Fire else [])


@pytest.mark.rule("15.CR3", "15.CR4")
def test_a_form_says_which_chits_an_answer_to_an_attack_may_have():
    def told(stage, **hands):
        (option,) = stage.ask(table(THERE, nationalist="C CC", turn=3, hands=hands)).options
        return [str(each.note) for each in option.examples(every)]

    on_the_city = Defending(Fight(N, "AA", ("N02",), "N02"))
    alone, everybody, *_ = told(on_the_city, republican="CR3a CR4a CR7a")
    assert alone == "intensity 6; chits: CR4a (Fortification)"
    assert everybody.endswith(
        "; chits: CR3a (Tanks!), CR4a (Fortification, with fortify: terrain or units)"
    )
    on_a_tabor = Defending(Fight(R, "C", ("R01",), "R01"))
    assert told(on_a_tabor, nationalist="CN12a")[:1] == [
        "intensity 6; chits: CN12a (Alfereces Provisionales)"
    ]


def test_a_form_says_what_an_impulse_costs_or_does_that_leaves_no_choice():
    def told(verb, at, **changes):
        options = Impulse(N).ask(table(at, nationalist="F O S", **changes)).options
        (option,) = [each for each in options if each.order is verb]
        return [str(each.note) for each in option.examples(every)]

    assert told(Move, {"F": "N42"}) == ["it costs 1 of 3 movement points"]
    assert told(Move, {"F": "N29"}) == [""], "the ways are listed"
    assert told(Bombard, {"S": "N42", "X": "R01 R61"}) == ["2D6 + 1 against 6 or 7"]
    assert told(Bombard, {"S": "N42 N43 R01"}) == ["the best two of 3D6 + 3 against 7"]
    assert told(Bombard, {"S": "N42 R01 R02"}) == [""], "the point units are listed"
    assert told(Play, {"S": "N42"}, hands={N: "CN6a"}) == ["Strife within Republican party"]


def test_each_line_of_a_form_is_explained_and_stands_there_once():
    """Beside it, below it, or above the lines of its verb."""
    for scenario in ("campaign", "scenario_2"):
        for moment in decisions("madrid", scenario, 1, 60):
            names = system().names(moment.state, moment.decision.side, None, answering=False)
            for part in form(spelt_decision(moment.decision, names)).split("\n\n"):
                heading, *lines = part.splitlines()
                known = heading.startswith("  #") and not heading.startswith("  # - ")
                orders = []
                for line, below in pairwise([heading, *lines, ""]):
                    if line.startswith("  # - "):
                        orders.append(line.partition("   # ")[0])
                        is_told = known or "   # " in line or below.startswith("  #     ")
                        assert is_told or line.endswith(": none"), part
                assert len(orders) == len(set(orders)), part
