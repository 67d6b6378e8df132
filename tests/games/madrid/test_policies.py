"""Standing orders: what they answer, impulse after impulse, and what of them is said in vain."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.facedown import FaceDown
from pbem.engine.model import Order, Side, State
from pbem.engine.policies import answering, help, reading, scopes, sealing
from pbem.engine.policies.rows import Clause
from pbem.games.madrid.hidden import openings
from pbem.games.madrid.orders import (
    Again,
    Attack,
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
    PutBack,
    Rebuild,
    Renewal,
    Reroll,
    Retreat,
    Spare,
)
from pbem.games.madrid.policies.facts import in_order
from pbem.games.madrid.policies.table import PARTS, TABLE
from pbem.games.madrid.rules import losses
from pbem.games.madrid.rules.combat import Fight
from pbem.games.madrid.stages.bombard import BracingForShells, Shelling
from pbem.games.madrid.stages.combat import Clash, CombatBegins, Countering, Defending
from pbem.games.madrid.stages.fire import Bracing, Firing, Incoming, Volley
from pbem.games.madrid.stages.impulse import GoingOn, Keeping
from pbem.games.madrid.stages.losses import Losing, Retreating
from pbem.games.madrid.stages.march import Leading
from pbem.games.madrid.stages.play import PickingUnits
from pbem.games.madrid.stages.turn import Arriving, Drawing, Pausing, PuttingBack, Rebuilding
from pbem.games.madrid.tables import DECKS
from pbem.late import LateName
from pbem.orders.published import orders_schema
from pbem.play.standing import printed
from pbem.play.table import Table
from pbem.text.source import Source
from pbem.text.yamlsource import read
from tests.games.madrid.table import Game, N, R, begun, face_down, fight, system, table

STAGES = Path(__file__).resolve().parents[3] / "pbem" / "games" / "madrid" / "stages"


def answered(game: Game, written: Any) -> Order | None:
    """What a policy says to the question now asked, as written and sealed."""
    asked = game.asks
    assert asked is not None
    names = system().names(game.state, asked.side, None, answering=True)
    bound = reading.bound(TABLE, names, written)
    assert reading.faults(TABLE, game.position, asked.side, bound) == ()
    found: list[Order | None] = []
    for one in sealing.parts(TABLE, game.position, asked.side, bound):
        said = one["slot"], one["scope"], one["until"]
        assert sealing.misfits(TABLE, game.position, asked.side, *said, one["doc"]) == ()
        if scopes.covers(TABLE, game.state, asked, *said):
            found.append(answering.answer(TABLE, game.state, asked, one["doc"]))
    assert len(found) == 1, "one policy speaks on it"
    assert found[0] is None or game.broken(found[0]) == []
    return found[0]


def is_silent(game: Game, written: Any) -> bool:
    """Whether a policy leaves the question now asked to its author, as all can see."""
    assert game.asks is not None
    parts = sealing.parts(TABLE, game.position, game.asks.side, written)
    said = [(one["slot"], one["scope"], one["until"]) for one in parts]
    return not any(scopes.covers(TABLE, game.state, game.asks, *each) for each in said)


def faults(written: Any, side: Any = N, **facts: Any) -> list[tuple[Any, str]]:
    found = reading.faults(TABLE, table(**facts), side, written)
    return [(each.at, str(each.message)) for each in found]


# ------------------------------------------------------------------- the table


def test_every_question_of_a_stage_has_its_part_and_no_part_is_for_nothing() -> None:
    asked = set()
    for path in STAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "policy":
                is_handed_on = isinstance(node.value, ast.Name) and node.value.id == "policy"
                assert is_handed_on or isinstance(node.value, ast.Constant)
                if isinstance(node.value, ast.Constant):
                    asked.add(node.value.value)
    assert asked == {question for part in PARTS for question in part.answers}


def test_every_row_names_a_clause_that_answers_its_questions() -> None:
    for part in PARTS:
        assert isinstance(part.clause, LateName)
        clause = part.clause.found()
        assert isinstance(clause, Clause) and set(clause.answers) <= set(part.answers), part.name
        is_answered = clause.order is not None or set(clause.answers) == set(part.answers)
        assert is_answered or not part.is_sealed, part.name


@pytest.mark.parametrize("side", [N, R])
def test_the_form_shows_standing_orders_that_can_be_given(side: Any) -> None:
    from jsonschema import Draft202012Validator

    position = table()
    text = "\n".join(help.example_of(TABLE, position, side)[1:])
    written = read(Source("form.yaml", text)).value["standing"]
    names = system().names(fight(position, side).state, side, None, answering=True)
    told = [
        str(each.message)
        for each in reading.faults(TABLE, position, side, reading.bound(TABLE, names, written))
    ]
    stranger = [each for each in told if each != "'line' matches no Republican unit"]
    assert stranger == []
    standing, shared = help.schema(TABLE)
    schema = {**standing, "$defs": {**orders_schema("", system().verbs)["$defs"], **shared}}
    assert list(Draft202012Validator(schema).iter_errors(written)) == []


# ------------------------------------------------------------------- losses and retreats


@pytest.mark.rule("9.6.a")
def test_losses_hit_the_first_of_the_list_as_far_as_the_point_unit_lets() -> None:
    units = ("N01", "N02", "N03")
    game = begun(table({"C": "N01 N02 N03"}, nationalist="C D"), Losing(N, units, "N01", 2, ""))
    assert answered(game, {"losses": ["N03", "N02"]}) == Lose(("N01", "N03"))
    assert answered(game, {"losses": ["N02", "N03", "N01"]}) == Lose(("N01", "N02"))
    assert answered(game, {"losses": ["N01"]}) == Lose((), {"N01": "D"}) == answered(game, {})
    game = begun(table({"C": "N01 N02 N03s"}, nationalist="C D"), Losing(N, units, "N01", 4, ""))
    order = answered(game, {"losses": ["spent", "N02"], "retreat": {"C": ["B", "D"]}})
    assert order == Lose((), {"N01": "D"}, ("N03",))
    guns = table({"C": "N01 N42"}, nationalist="C D")
    game = begun(guns, Losing(N, ("N01", "N42"), "N01", 3, ""))
    order = answered(game, {"losses": ["artillery"]})
    assert isinstance(order, Lose) and not order.eliminate


def ways_to_lose(position: Any, units: list[str], point: str, points: int) -> list[dict[str, int]]:
    """Every legal way to take the largest sum: points by unit."""
    most = {unit: losses.most_of(position, unit) for unit in units}
    guns = [unit for unit in units if position.is_gun(unit)]
    found: list[dict[str, int]] = []
    for each in product(*(range(most[unit] + 1) for unit in units)):
        taken = dict(zip(units, each, strict=True))
        over = taken[point] < most[point] and max(each) > taken[point]
        gun_dies = any(taken[unit] == most[unit] for unit in guns)
        others_live = any(taken[unit] < most[unit] for unit in units if unit not in guns)
        if sum(each) <= points and not over and not (gun_dies and others_live):
            found.append(taken)
    largest = max(sum(taken.values()) for taken in found)
    return [taken for taken in found if sum(taken.values()) == largest]


@pytest.mark.rule("9.6.e", "9.6.f", "9.6.g")
def test_a_list_for_losses_is_followed_as_far_as_any_legal_order_can() -> None:
    dice = Random(11)
    printed = [unit for unit in table().board.units.values() if unit.side == R]
    guns = [unit.id for unit in printed if unit.type == "artillery"]
    others = [unit.id for unit in printed if unit.type != "artillery"]
    for _ in range(250):
        units = dice.sample(guns, dice.randint(0, 2)) + dice.sample(others, dice.randint(1, 2))
        dice.shuffle(units)
        position = table({"A": " ".join(unit + dice.choice(("", "s")) for unit in units)})
        point, points = dice.choice(units), dice.randint(1, 9)
        best = min(
            ways_to_lose(position, units, point, points),
            key=lambda taken: [taken[unit] for unit in reversed(units)],
        )
        wanted = {unit: taken for unit, taken in best.items() if taken}
        assert losses.by_list(position, units, point, points) == wanted, (units, point, points)


@pytest.mark.rule("9.6.g")
def test_a_gun_that_a_list_names_first_retreats_where_the_point_unit_dies() -> None:
    units = ("R43", "R15", "R62")
    position = table({"A": "R43s R15 R62"})
    game = begun(position, Losing(R, units, "R43", 4, ""))
    order = answered(game, {"losses": ["spent", "artillery", "line"]})
    assert isinstance(order, Lose)
    assert order.eliminate == ("R43",) and [*order.retreat] == ["R62"] and not order.spend


@pytest.mark.rule("9.7.a")
def test_a_retreat_goes_to_the_first_place_of_the_list_within_the_best_class() -> None:
    position = table({"C": "R01 N01"}, nationalist="")
    near = position.board.graph.neighbours("C")
    game = begun(position, Retreating(R, ("R01",)))
    for place in (each for each in near if each in position.board.areas):
        assert answered(game, {"retreat": {"C": [place]}}) == Retreat({"R01": place})
    first = game.asks.default if game.asks else None
    assert answered(game, {"retreat": {"E": ["D"]}}) == first == answered(game, {})
    contested = table({"C": "R01 N01", "D": "N02"}, nationalist="D")
    game = begun(contested, Retreating(R, ("R01",)))
    order = answered(game, {"retreat": {"C": ["D", "L"]}})
    assert order == Retreat({"R01": "L"}), "an enemy area is no place to retreat to"


# ------------------------------------------------------------------- answers to the enemy


def attacked(at: Any, **facts: Any) -> Game:
    attack = Fight(N, "C", ("N01",), "N01")
    return begun(table(at, nationalist="D", **facts), Defending(attack))


@pytest.mark.rule("9.4.1.C3")
def test_those_who_counter_attack_are_named_by_the_first_clause_that_holds() -> None:
    game = attacked({"C": "N01 R03 R06 R07s"})
    shock = tuple(u for u in ("R03", "R06") if game.position.type_of(u) == "shock")
    line = tuple(u for u in ("R03", "R06") if game.position.type_of(u) == "line")
    for written, who in (
        ({"counterattack": "never"}, ()),
        ({}, ()),
        ({"counterattack": {"with": ["R06", "R03"]}}, ("R06", "R03")),
        ({"counterattack": {"with": ["R07"]}}, ()),
        ({"counterattack": {"with": ["shock"]}}, shock),
        ({"counterattack": {"with": ["line"]}}, line),
        ({"counterattack": {"when": {"urban": True}, "with": ["R03"]}}, ()),
        ({"counterattack": {"when": {"urban": False}, "with": ["R03"]}}, ("R03",)),
        ({"counterattack": {"when": {"fresh": 2}, "with": ["R03"]}}, ("R03",)),
        ({"counterattack": {"when": {"fresh": ">=3"}, "with": ["R03"]}}, ()),
        (
            {"counterattack": [{"when": {"area": "D"}, "with": ["R03"]}, {"with": ["R06"]}]},
            ("R06",),
        ),
    ):  # fmt: skip
        order = answered(game, written)
        assert isinstance(order, Defend) and order.counterattack == who, written
        assert order.point in (who or ("R03", "R06"))


@pytest.mark.rule("9.4.1.C6")
def test_the_point_unit_is_the_first_of_the_list_in_its_class() -> None:
    game = attacked({"C": "N01 R03 R06 R07s"})
    for written, point in ((["R06"], "R06"), (["R07", "R06"], "R06"), (["R03"], "R03")):
        order = answered(game, {"point": written})
        assert isinstance(order, Defend) and order.point == point


@pytest.mark.rule("15.CR4", "15.CR3")
def test_chits_go_with_an_answer_where_their_clause_holds_and_they_are_legal() -> None:
    position = table()
    tanks, works = (position.board.of_kind(kind)[0] for kind in ("CR3", "CR4"))
    game = attacked({"C": "N01 R03 R06"}, hands={R: f"{tanks} {works}"})
    said = [{"chit": "CR3"}, {"chit": works, "when": {"urban": False}}]
    order = answered(game, {"chits": said})
    assert isinstance(order, Defend) and order.chits == (works,), "tanks need a counter-attack"
    order = answered(game, {"chits": said, "counterattack": {"with": ["R03"]}})
    assert isinstance(order, Defend) and set(order.chits) == {tanks, works}
    order = answered(game, {"chits": {"chit": "CR4", "when": {"urban": True}}})
    assert isinstance(order, Defend) and order.chits == ()


@pytest.mark.rule("6.5", "6.6", "15.CN10")
def test_a_chit_that_no_window_of_a_policy_serves_is_refused_with_its_place() -> None:
    at, with_it = ("chits", 0, "chit"), "write chits: [...] in that order"
    rolls = "write reroll: always, or with a when"
    whole = "write play: {chit: ...} among your impulses"
    for side, chit, told, hint, rule in (
        (N, "CN3", "Surprise goes with one of your impulses", with_it, "6.6"),
        (N, "CN8", "Stampede goes with one of your impulses", with_it, "6.6"),
        (R, "CR6", "Durruti will save Madrid goes with one of your impulses", with_it, "6.6"),
        (N, "CN5", "5th Column is a whole impulse", whole, "6.5"),
        (N, "CN10", "Teresa of Avila's arm rolls dice again", rolls, "15.CN10"),
    ):
        (found,) = reading.faults(TABLE, table(), side, {"chits": [{"chit": chit}]})
        assert (found.at, str(found.message), str(found.hint), found.rule) == (at, told, hint, rule)
    for side, kinds in ((N, ("CN4", "CN12")), (R, ("CR3", "CR4", "CR7", "CR8"))):
        for chit in kinds:
            assert faults({"chits": [{"chit": chit}]}, side) == []


@pytest.mark.rule("6.9")
def test_what_a_policy_puts_back_lies_in_the_hand_when_it_is_written() -> None:
    one, other = (table().board.of_kind(kind)[0] for kind in ("CN10", "CN5"))
    held = {"hands": {N: one}}
    assert faults({"put_back": [one, "CN10"]}, N, **held) == []
    assert faults({"put_back": ["CN10", "CN5", other]}, N, **held) == [
        (("put_back", 1), "CN5 is not in your hand"),
        (("put_back", 2), f"{other} is not in your hand"),
    ]
    assert faults({"put_back": "all"}, N) == faults({"put_back": "none"}, N) == []


def test_a_form_has_the_last_ones_with_printed_names() -> None:
    """What would not read back the same stays as it is."""
    game = Table(system(), {"A": N, "B": R}, fight(table(), N).state)
    names = system().names(game.state, N, None, answering=False)
    said = {"losses": ["I Bandera", "spent"], "retreat": {"C": ["D", "B"], "K": ["5"]}}
    bound = reading.bound(system().policies, names, said)
    assert bound["losses"] == ["N01", "spent"]
    assert printed(game, "A", bound) == said
    assert printed(game, "A", {"losses": [["N01"]]}) == {"losses": [["N01"]]}


def test_what_is_put_back_is_written_again_by_its_chits() -> None:
    """What lies face down is sealed by its slot."""
    chit, policies = table().board.of_kind("CN10")[0], system().policies
    position, cards = face_down(table(hands={N: chit}))
    mine = position.but(down=position.down.supposing(cards))
    for said in ([chit], "all"):
        (part,) = sealing.parts(policies, mine, N, {"put_back": said})
        assert sealing.written(policies, mine, N, (part,)) == {"put_back": said}
        assert (chit in str(part["doc"])) is False


@pytest.mark.rule("15.CR8")
def test_a_chit_alone_answers_its_question() -> None:
    position = table()
    (miaja,) = position.board.of_kind("CR8")[:1]
    game = begun(
        table({"C": "N01 R02", "D": ""}, hands={R: miaja}, morale="bad"),
        CombatBegins(Fight(N, "C", ("N01",), "N01")),
    )
    assert game.asks and game.asks.policy == "spare"
    assert answered(game, {"chits": {"chit": "CR8"}}) == Spare(miaja)
    assert answered(game, {}) == Spare()


@pytest.mark.rule("15.CN12", "15.CN4", "15.CR7")
@pytest.mark.parametrize(
    ("side", "chit", "stage", "played", "declined"),
    [
        (N, "CN12a", BracingForShells(Shelling(R, "C", point="N10")), Brace(("CN12a",)), Brace()),
        (N, "CN12a", Bracing(Incoming(N, "AA", ("N01",), "N01", "CC")), Brace(("CN12a",)), Brace()),
        (N, "CN4a", Countering(Fight(N, "C", ("N10",), "N10")), Counter("CN4a"), Counter()),
        (R, "CR7a", GoingOn(), Again("CR7a"), Again()),
    ],
)  # fmt: skip
def test_each_chit_that_answers_goes_by_its_clause(
    side: Side, chit: str, stage: Any, played: Order, declined: Order
) -> None:
    position = table({"C": "N10 R61", "AA": "N01 R40"}, nationalist="C D", hands={side: chit})
    game = begun(position, stage)
    assert answered(game, {"chits": {"chit": chit}}) == played
    assert answered(game, {"chits": {"chit": chit, "when": {"turn": 9}}}) == declined


@pytest.mark.rule("15.CN4", "15.CR4")
@pytest.mark.parametrize(
    ("options", "fortified", "against"),
    [
        ((), "terrain", "terrain"),
        (("fortification_doubles_all",), "terrain", ""),
        ((), "units", ""),
        ((), "", ""),
    ],
)
def test_engineers_go_against_what_lowers_the_defence_most(
    options: tuple[str, ...], fortified: str, against: str
) -> None:
    position = table({"DD": "N01 N02 R40"}, hands={N: "CN4a"}, options=options)
    fight = Fight(N, "DD", ("N01", "N02"), "N01", enemy_point="R40", fortified=fortified)
    game = begun(position, Countering(fight))
    assert answered(game, {"chits": {"chit": "CN4"}}) == Counter("CN4a", against)


@pytest.mark.rule("9.5.b")
def test_fire_is_opened_unless_the_policy_says_otherwise() -> None:
    game = begun(table({"AA": "N01 R40 R41"}), Firing(Incoming(N, "AA", ("N01",), "N01", "CC")))
    assert answered(game, {}) == Fire() == answered(game, {"fire": "always"})
    assert answered(game, {"fire": "never"}) == Hold()
    assert answered(game, {"fire": {"when": {"fresh": ">=2"}}}) == Fire()
    assert answered(game, {"fire": {"when": {"fresh": ">=3"}}}) == Hold()


@pytest.mark.rule("9.5.b")
def test_fire_that_is_forced_is_opened_whatever_a_policy_says() -> None:
    at, options = {"AA": "N01 R40 R41"}, {"options": ["forced_fire"]}
    (tanks,) = table().board.of_kind("CR3")[:1]
    position = table(at, hands={R: tanks}, **options)
    game = begun(position, Firing(Incoming(N, "AA", ("N01",), "N01", "CC")))
    assert game.asks is not None
    for said, played in (
        ({"fire": "never"}, ()), ({"fire": {"when": {"fresh": ">=3"}}}, ()),
        ({"fire": "never", "chits": [{"chit": "CR3"}]}, (tanks,)),
    ):  # fmt: skip
        assert answering.answer(TABLE, game.state, game.asks, said) == Fire(played)
    told = [(("fire",), "fire cannot be declined in this game")]
    (forced_to,) = reading.faults(TABLE, table(**options), R, {"fire": "never"})
    assert forced_to.rule == "9.5.b"
    assert faults({"fire": "never"}, R, **options) == told
    assert faults({"fire": {"when": {"urban": True}}}, R, **options) == told
    assert faults({"fire": "always"}, R, **options) == faults({"fire": "ask"}, R, **options) == []
    assert faults({"fire": "never"}, R) == []
    for forced in (True, False):
        lines = help.example_lines(TABLE, table(**options if forced else {}), R)
        assert any(line.startswith("fire") for line, _ in lines) is not forced


@pytest.mark.rule("9.3.d")
def test_the_point_unit_of_a_bombardment_is_named() -> None:
    position = table({"C": "R01 R03 R40", "D": "N42"}, nationalist="D")
    game = fight(position, N).order(Bombard(("N42",), "C"))
    assert game.asks and game.asks.policy == "name"
    assert [position.face(unit).defence for unit in ("R01", "R03", "R40")] == [5, 5, 7]
    assert answered(game, {}) == Name("R40")
    assert answered(game, {"point": ["R03"]}) == Name("R03")


# ------------------------------------------------------------------- behind the dice


@pytest.mark.rule("15.CN10")
@pytest.mark.parametrize(
    ("said", "plays"),
    [
        ("always", True), ("never", False), ({"when": {"own_losses": 0}}, False),
        ({"when": {"own_losses": ">=1"}}, True), ({"when": {"after": {"enemy_losses": 0}}}, True),
    ],
)  # fmt: skip
def test_dice_are_rolled_again_by_what_they_bring(said: Any, plays: bool) -> None:
    position = table({"C": "N01 R01 R02"})
    (arm,) = position.board.of_kind("CN10")[:1]
    attack = Fight(N, "C", ("N01",), "N01", enemy_point="R01", counterattack=("R01", "R02"))
    game = begun(table({"C": "N01 R01 R02"}, hands={N: arm}), Clash(attack)).roll(1, 1)
    assert game.asks and game.asks.policy == "reroll"
    assert answered(game, {"reroll": said}) == Reroll(arm if plays else "")


@pytest.mark.rule("15.CN10")
def test_dice_of_defensive_fire_are_rolled_again_by_what_they_bring() -> None:
    position = table({"AA": "N01 R40 R41"})
    (arm,) = position.board.of_kind("CN10")[:1]
    come = Incoming(N, "AA", ("N01",), "N01", "CC")
    game = begun(table({"AA": "N01 R40 R41"}, hands={N: arm}), Volley(come)).roll(6, 6)
    assert answered(game, {"reroll": {"when": {"own_losses": ">=1"}}}) == Reroll(arm)
    assert answered(game, {"reroll": {"when": {"enemy_losses": ">=1"}}}) == Reroll()


@pytest.mark.rule("9.5.g")
def test_an_assault_goes_on_under_a_new_point_unit_or_stops() -> None:
    attack = Fight(N, "C", ("N01", "N02"), "N03", is_assault=True, left="D")
    game = begun(table({"C": "N01 N02 R01"}), Leading(attack))
    assert answered(game, {}) == Lead() == answered(game, {"new_point": "stop"})
    assert answered(game, {"new_point": ["N02"]}) == Lead("N02")


@pytest.mark.rule("15.CN5", "15.CN6")
def test_whom_a_chit_turns_and_which_group_acts() -> None:
    game = begun(
        table({"C": "R01 R02 R03"}), PickingUnits(N, ("R01", "R02", "R03"), 2, "C", "15.CN5")
    )
    assert answered(game, {"pick": ["R03", "R02"]}) == Pick(("R03", "R02"))
    assert answered(game, {}) == Pick(("R01", "R02"))
    position = table()
    of = {unit.faction: unit.id for unit in position.board.units.values() if unit.side == R}
    both = (of["anarchist"], of["communist"])
    game = begun(table({"C": " ".join(both)}), Keeping(R, Attack(both)))
    assert answered(game, {"strife": "communists"}) == Keep("communists")
    assert is_silent(game, {"losses": ["line"]})


# ------------------------------------------------------------------- between the impulses


@pytest.mark.rule("6.1", "6.9")
def test_chits_are_drawn_and_put_back_only_where_that_was_said() -> None:
    position = table()
    one, other = position.board.of_kind("CN10")[0], position.board.of_kind("CN5")[0]
    game = begun(table(hands={N: f"{one} {other}"}), Drawing(N))
    assert answered(game, {"draw": 2}) == DrawChits(2)
    assert answered(game, {"draw": 5}) == DrawChits(3), "a hand holds five"
    assert game.asks and answering.answer(TABLE, game.state, game.asks, {}) == DrawChits(0)
    assert is_silent(game, {"losses": ["line"]})
    game = begun(table(hands={N: f"{one} {other}"}), PuttingBack(N))
    assert answered(game, {"put_back": "all"}) == PutBack((one, other))
    assert answered(game, {"put_back": ["CN5"]}) == PutBack((other,))
    assert answered(game, {"put_back": "none"}) == PutBack()
    assert is_silent(game, {"draw": 2})


# ------------------------------------------------------------------- chits that lie face down


@pytest.mark.rule("6.9")
def test_of_chits_face_down_a_policy_puts_back_slots() -> None:
    other = f"{DECKS[N]}/1/1"
    fifth, arm = (table().board.of_kind(kind)[0] for kind in ("CN5", "CN10"))
    position, cards = face_down(table(hands={N: f"{fifth} {arm}"}))
    position = position.but(down=position.down.supposing(cards))
    (sealed,) = sealing.parts(TABLE, position, N, {"put_back": ["CN10"]})
    assert sealed["doc"] == {"put_back": [other]}
    game = Game(State(TABLE.public(position), (PuttingBack(N),)))
    assert game.asks and answering.answer(TABLE, game.state, game.asks, sealed["doc"]) == PutBack(
        (other,)
    )


def opened_by(game: Game, document: Any) -> list[str]:
    """The slots that a policy has opened before it answers, one after the other."""
    found = list[str]()
    while game.asks and (slots := answering.shows(TABLE, game.state, game.asks, document)):
        found.append(slots[0])
        learned = openings(game.position, {slots[0]: HAND[slots[0]]})
        game.state = kernel.learn(game.state, learned).state
    return found


HAND = {"r/1/0": "CR3a", "r/1/1": "CR4b", "r/1/2": "CR8a", "r/2/0": "r.1.1"}
"""What lies in the slots of a Republican hand; in one the tag of another."""


def defending(*hand: str, at: str = "N01 R03 R06") -> tuple[Any, Game]:
    """What their author sees of a hand face down, and the attack on them as both see it."""
    fight = Fight(N, "C", ("N01",), "N01")
    position = table({"C": at}, nationalist="D")
    books = FaceDown().lay("r", R, 1, ("CR3a", "CR4b", "CR8a")).mix("r", R, 2, [["r/1/1"]])
    position = position.but(hands={N: (), R: hand}, down=books)
    mine = position.but(down=books.supposing(HAND))
    return mine, Game(State(position, (Defending(fight),)))


@pytest.mark.rule("6.1", "15.CR3", "15.CR4")
def test_a_policy_opens_and_plays_the_chits_it_names_where_it_would_play_them() -> None:
    seen, game = defending("r/1/0", "r/1/2", "r/2/0")
    said = {"chits": [{"chit": "CR3"}, {"chit": "CR4"}], "counterattack": {"with": ["R03"]}}
    assert reading.faults(TABLE, seen, R, said) == ()
    (sealed,) = sealing.parts(TABLE, seen, R, said)
    assert sealed["doc"]["held"] == [["r/1/0", "CR3a"], ["r/2/0", "CR4b"]]
    assert [*sealing.misfits(TABLE, game.position, R, "standing", None, None, sealed["doc"])] == []
    assert opened_by(game, sealed["doc"]) == ["r/1/0", "r/2/0", "r/1/1"]
    assert game.position.hands[R] == ("CR3a", "r/1/2", "CR4b")
    assert game.asks
    order = answering.answer(TABLE, game.state, game.asks, sealed["doc"])
    assert order == Defend(("R03",), "R03", ("CR3a", "CR4b")) and game.broken(order) == []


@pytest.mark.rule("6.1", "15.CR3")
def test_nothing_is_opened_that_would_not_be_played() -> None:
    seen, game = defending("r/1/0", "r/1/2", "r/2/0")
    for said in (
        {"chits": [{"chit": "CR3"}]},
        {"chits": [{"chit": "CR4", "when": {"urban": True}}]},
        {"chits": [{"chit": "CR8"}]},
        {"counterattack": {"with": ["R03"]}},
    ):
        (sealed,) = sealing.parts(TABLE, seen, R, said)
        assert opened_by(game, sealed["doc"]) == [], "tanks without a counter-attack, and so on"
    (sealed,) = sealing.parts(TABLE, seen, R, {"chits": [{"chit": "CR4"}]})
    game.state = State(game.position.but(played=("CR4a",)), game.state.agenda)
    assert opened_by(game, sealed["doc"]) == [], "one of its kind was played in this turn"


@pytest.mark.rule("6.1")
def test_a_policy_that_lies_about_a_slot_plays_nothing_of_it() -> None:
    _, game = defending("r/1/0", "r/1/2")
    lie = {"chits": [{"chit": "CR4"}], "held": [["r/1/0", "CR4a"]]}
    assert opened_by(game, lie) == ["r/1/0"]
    assert game.asks and answering.answer(TABLE, game.state, game.asks, lie) == game.asks.default
    _, game = defending("r/1/0", "r/1/2")
    for strange in ([["r/7/0", "CR4a"]], [["n/1/0", "CR4a"]], [["r/1/0", "CN12a"]]):
        assert opened_by(game, {"chits": [{"chit": "CR4"}], "held": strange}) == []
    for circle in ([["r/1/0", "r.1.0"]], [["r/1/0", "r.1.2"], ["r/1/2", "r.1.0"]]):
        assert opened_by(game, {"chits": [{"chit": "CR4"}], "held": circle}) == []
    for misshapen in ("r/1/0", [["r/1/0"]], [["r/1/0", 3]], [[1, "CR4a"]], {"r/1/0": "CR4a"}):
        found = sealing.misfits(
            TABLE, game.position, R, "standing", None, None, {"held": misshapen}
        )
        assert found, misshapen


@pytest.mark.rule("6.1", "6.5", "15.CN10")
def test_a_policy_names_chits_of_the_hand_alone_where_they_lie_face_down() -> None:
    seen, _ = defending("r/1/0", "r/1/2")
    assert reading.faults(TABLE, seen, R, {"chits": [{"chit": "CR3"}, {"chit": "CR8a"}]}) == ()
    books = FaceDown().lay("n", N, 1, ("CN5a",)).supposing({"n/1/0": "CN5a"})
    mine = table().but(hands={N: ("n/1/0",), R: ()}, down=books)
    play = {"play": {"chit": "CN1a", "target": "C"}}
    move = {"move": {"units": ["N01"], "path": ["D", "C"], "chits": ["CN3a"]}}
    for side, view, written, at, told in (
        (R, seen, {"chits": [{"chit": "CR4"}]}, ("chits", 0, "chit"), "CR4"),
        (N, mine, {"reroll": "always"}, ("reroll",), "CN10"),
        (N, mine, {"reroll": {"chit": "CN10"}}, ("reroll", "chit"), "CN10"),
        (N, mine, {"impulses": ["ask", play][::-1]}, ("impulses", 0), "CN1a"),
        (N, mine, {"impulses": [move]}, ("impulses", 0), "CN3a"),
    ):  # fmt: skip
        (fault,) = reading.faults(TABLE, view, side, written)
        assert (fault.at, str(fault.message)) == (at, f"{told} is not in your hand")
        assert fault.rule == "6.1"
    fifth = {"play": {"chit": "CN5a", "target": "C"}}
    assert reading.faults(TABLE, mine, N, {"impulses": [fifth, "ask"], "reroll": "never"}) == ()
    (sealed,) = sealing.parts(TABLE, mine, N, {"impulses": [fifth]})
    assert sealed["doc"]["held"] == [["n/1/0", "CN5a"]]
    (fault,) = reading.faults(TABLE, table(), N, {"reroll": {"chit": "CN12"}})
    assert str(fault.message) == "Alfereces Provisionales rolls no dice again"
    assert fault.rule == "15.CN10"


@pytest.mark.rule("7.2")
def test_units_arrive_at_the_first_place_of_their_list_that_is_open() -> None:
    unit, other, first, second = "R04", "R15", "B", "I"
    game = begun(table({"track": "R04 R15"}), Arriving(R, (unit, other)))
    assert game.asks
    order = answered(game, {"arrivals": {unit: [second]}})
    assert isinstance(order, PlaceUnits) and order.units[unit] == second
    order = answered(game, {"arrivals": {"line": ["Z", second], "shock": [second], unit: [first]}})
    assert isinstance(order, PlaceUnits) and order.units[unit] == first
    assert answered(game, {}) == game.asks.default


@pytest.mark.rule("7.2", "3.2.1")
def test_each_unit_that_arrives_goes_by_the_word_that_means_it_most() -> None:
    """A kind of others sends it nowhere; its name goes before its kind, wherever either stands."""
    position = table({"track": "R30 R31"})
    game = begun(position, Arriving(R, ("R30", "R31")))
    for written, places in (
        ({"line": ["N"]}, ("M", "N")),
        ({"artillery": ["N"]}, ("M", "M")),
        ({"communist": ["N"], "R31": ["M"]}, ("N", "M")),
        ({"R31": ["M"], "communist": ["N"]}, ("N", "M")),
        ({"communist": ["Z", "N"]}, ("N", "N")),
    ):
        order = answered(game, {"arrivals": written})
        assert order == PlaceUnits(dict(zip(("R30", "R31"), places, strict=True))), written
    nine = " ".join(f"R{number:02}" for number in range(1, 10))
    crowded = begun(table({"track": "R30 R31", "N": nine}), Arriving(R, ("R30", "R31")))
    order = answered(crowded, {"arrivals": {"communist": ["N"]}})
    assert order == PlaceUnits({"R30": "N", "R31": "M"}), "the tenth fills the area"
    last = " ".join(area for area in system().tables.areas if area not in ("M", "N"))
    ten = {"track": "R30 R31", "N": nine, "M": "R11 R12 R13 R14 R15 R16 R17 R18 R19 R20"}
    full = begun(table(ten, nationalist=last), Arriving(R, ("R30", "R31")))
    order = answered(full, {"arrivals": {"communist": ["N"]}})
    assert order == PlaceUnits({"R30": "N", "R31": "nowhere"}), "the other waits"


@pytest.mark.rule("7.2")
def test_wishes_for_an_arrival_that_are_legal_together_come_true() -> None:
    """Those who wait for a home to fill come last; of two that cannot both have their wish, the
    one that is written first has it."""
    nine = " ".join(f"R{number:02}" for number in range(1, 10))
    game = begun(table({"track": "R30 R31", "M": nine}, nationalist="N"),
                 Arriving(R, ("R30", "R31")))  # fmt: skip
    for written, places in (
        ({"R31": ["M"], "R30": ["nowhere"]}, ("nowhere", "M")),
        ({"R30": ["nowhere"], "R31": ["M"]}, ("nowhere", "M")),
        ({"R30": ["nowhere"]}, ("nowhere", "M")),
        ({"R31": ["M"], "R30": ["M", "C"]}, ("C", "M")),
        ({"R30": ["M", "C"], "R31": ["M"]}, ("M", "C")),
        ({"R31": ["F"], "R30": ["F"]}, ("M", "F")),
        ({"R30": ["F"], "R31": ["F"]}, ("F", "M")),
        ({"R30": ["Z", "M"], "R31": ["M", "O"]}, ("M", "O")),
    ):
        order = answered(game, {"arrivals": written})
        assert order == PlaceUnits(dict(zip(("R30", "R31"), places, strict=True))), written
        assert game.broken(order) == []


@pytest.mark.rule("9.6.a")
def test_in_a_list_the_name_of_a_unit_goes_before_its_kinds() -> None:
    position = table({"C": "N01 N26 N27"})
    assert in_order(position, ["line", "N27", "shock"], ("N01", "N26", "N27")) == [
        "N26", "N27", "N01",
    ]  # fmt: skip
    assert in_order(position, ["N27", "fresh"], ("N01", "N27")) == ["N27", "N01"]
    assert in_order(position, ["fresh", "N01"], ("N01", "N27")) == ["N27", "N01"]


@pytest.mark.rule("8.2", "8.3")
def test_units_are_rebuilt_from_the_top_of_a_list_as_many_as_may_be() -> None:
    position = table({"eliminated": "R01 R02 R03 R04 R05 R06 R07 R08"}, nationalist="D")
    game = begun(position, Rebuilding(R))
    order = answered(game, {"rebuild": [{"unit": "line", "to": ["D", "A"]}, {"unit": "line"}]})
    assert isinstance(order, Rebuild) and isinstance(order.units[0], Renewal)
    assert order.units[0].to == "A" and len(order.units) == 2
    assert answered(game, {"rebuild": []}) == Rebuild()
    assert is_silent(game, {})
    nine = " ".join(f"R{number}" for number in (10, 11, 12, 13, 17, 18, 19, 20, 21))
    crowded = begun(table({"eliminated": "R01 R02 R05 R09", "A": nine}), Rebuilding(R))
    lines = [{"unit": unit, "to": ["A", "B"]} for unit in ("line", "R05")]
    order = answered(crowded, {"rebuild": lines})
    assert isinstance(order, Rebuild)
    assert [each.to for each in order.units] == ["A", "B"], "the tenth fills the area"


# ------------------------------------------------------------------- impulses


AHEAD = [
    {"when": {"control": {"E": "nationalist"}}, "move": {"units": ["N01"], "path": ["D", "E"]}},
    {"bombard": {"guns": "N42", "target": "C"}},
    {"move": {"units": ["N02"], "path": ["D", "E"]}},
    "ask",
]


@pytest.mark.rule("9.0.1")
def test_of_the_impulses_said_ahead_the_first_that_holds_and_is_legal_is_played() -> None:
    at = {"D": "N01 N02 N42", "C": "R01"}
    game = fight(table(at, nationalist="D E"), N)
    assert answered(game, {"impulses": AHEAD}) == Move(("N01",), ("D", "E"))
    game = fight(table(at, nationalist="D"), N)
    assert answered(game, {"impulses": AHEAD}) == Bombard(("N42",), "C")
    game = fight(table({"D": "N01s N02 N42s", "C": "R01"}, nationalist="D E"), N)
    assert answered(game, {"impulses": AHEAD}) == Move(("N02",), ("D", "E"))


@pytest.mark.rule("9.0.1")
def test_a_list_of_impulses_ends_by_asking_and_passes_only_where_that_is_ordered() -> None:
    game = fight(table({"D": "N01s N02s N42s", "C": "R01"}), N)
    assert answered(game, {"impulses": AHEAD}) is None
    assert answered(game, {"impulses": AHEAD[:-1]}) is None
    assert answered(game, {"impulses": [*AHEAD[:-1], "pass"]}) == Pass()
    assert answering.answer(TABLE, game.state, game.asks, {}) is None  # type: ignore[arg-type]
    assert is_silent(game, {"losses": ["line"]})


def test_impulses_are_sealed_for_themselves_and_for_this_turn() -> None:
    position = table()
    other, impulses = sealing.parts(TABLE, position, N, {"losses": ["line"], "impulses": ["ask"]})
    assert other["slot"] == "standing" and "impulse" not in other["scope"]["only"]
    assert impulses["slot"] == "impulses" and impulses["scope"] == {"only": ["impulse"]}
    assert impulses["until"] == "turn 7"
    later = fight(table(turn=8), N)
    assert later.asks
    said = impulses["slot"], impulses["scope"], impulses["until"]
    assert not scopes.covers(TABLE, later.state, later.asks, *said)
    (gone,) = sealing.parts(TABLE, position, N, {"impulses": "none"})
    assert gone["doc"] is None and gone["slot"] == "impulses"


@pytest.mark.parametrize(
    ("written", "at", "message"),
    [
        ({"impulses": ["ask", {"pass": {}}]}, ("impulses", 1),
         "ask comes before it, so this is never reached"),
        ({"impulses": [{"pass": {}}, {"pass": {}}]}, ("impulses", 1),
         "a pass comes before it, so this is never reached"),
        ({"impulses": []}, ("impulses",), "an empty list has no effect"),
        ({"impulses": [{"fire": {}}]}, ("impulses", 0),
         "an order here cannot begin with 'fire'"),
        ({"impulses": ["attack"]}, ("impulses", 0), "attack needs more than its name"),
        ({"impulses": [{"move": {"units": ["N01", "R01"], "path": ["D", "E"]}}]},
         ("impulses", 0, "move", "units", 1),
         "Columna Fernández Cavada is Republican, and you are the Nationalist player"),
        ({"counterattack": "sometimes"}, ("counterattack",), "'sometimes' is no answer here"),
        ({"chits": ["CN10"]}, ("chits", 0), "a chit is written with its field"),
        ({"chits": ["CR5"]}, ("chits", 0), "CR5 is a Republican chit"),
        ({"impulses": [{"move": {"units": ["N01"]}}]}, ("impulses", 0, "move"),
         "the field 'path' is missing"),
        ({"impulses": [{"move": {"units": ["N99"], "path": ["D", "E"]}}]},
         ("impulses", 0, "move", "units", 0), "no unit is named 'N99'"),
        ({"impulses": [{"when": {"urbane": True}, "pass": {}}]}, ("impulses", 0, "when", "urbane"),
         "no condition is named 'urbane'"),
        ({"retreat": []}, ("retreat",), "an empty list has no effect"),
        ({"losses": ["R01"]}, ("losses", 0), "'R01' matches no Nationalist unit"),
        ({"pick": ["cavalry"]}, ("pick", 0), "no unit or kind of unit is named 'cavalry'"),
        ({"chits": [{"chit": "CR4"}]}, ("chits", 0, "chit"), "CR4 is a Republican chit"),
        ({"chits": [{"chit": "CN5"}]}, ("chits", 0, "chit"), "5th Column is a whole impulse"),
        ({"counterattack": [{"with": ["line"]}, {"with": ["shock"]}]}, ("counterattack", 1),
         "the clause before it always applies, so this is never reached"),
        ({"retreat": [["C", ["D"]], ["C", ["D"]]]}, ("retreat", "C"), "'C' is named twice"),
        ({"reroll": {"when": {"own_losses": -1}}}, ("reroll", "when", "own_losses"),
         "own_losses is never -1"),
        ({"counterattack": {"when": {"own_losses": 1}, "with": ["line"]}},
         ("counterattack", 0, "when", "own_losses"), "own_losses is not known yet then"),
        ({"draw": 6}, ("draw",), "expected a number of chits from 0 to 5"),
        ({"draw": True}, ("draw",), "expected a number of chits from 0 to 5"),
        ({"until": "turn 7 round 2"}, ("until",), "until must be a turn"),
        ({"scope": {"when": []}}, ("scope", "when"),
         "the scope has no when, so this policy never answers"),
    ],
)  # fmt: skip
def test_what_can_never_do_anything_is_a_fault_with_its_place(
    written: Any, at: Any, message: str
) -> None:
    assert (at, message) in faults(written)


@pytest.mark.parametrize(
    ("written", "hint"),
    [
        ({"losses": "spent"}, "write [spent]"),
        ({"counterattack": "sometimes"},
         "write ask, never or {when: {urban: true}, with: [shock]}"),
        ({"counterattack": "nver"}, "did you mean never?"),
        ({"chits": ["CN10"]}, "write {chit: CN10}"),
        ({"impulses": ["attack"]}, "write {attack: {units: ...}}"),
    ],
)  # fmt: skip
def test_a_bare_word_is_told_how_its_answer_is_written(written: Any, hint: str) -> None:
    assert [str(each.hint) for each in reading.faults(TABLE, table(), N, written)] == [hint]


@pytest.mark.rule("15.CN10", "12.3.d")
def test_what_nobody_asks_a_side_is_a_fault() -> None:
    assert faults({"reroll": "always"}, R) == [(("reroll",), "none of your chits rerolls dice")]
    assert faults({"pause": "keep"}, R) == [(("pause",), "you are never asked for a pause")]


@pytest.mark.rule("12.3.d")
def test_what_becomes_of_the_pause_is_said_beforehand() -> None:
    game = begun(table(turn=8), Pausing())
    assert answered(game, {"pause": "begin"}) == Pause("begin")
    assert is_silent(game, {"losses": ["line"]})
