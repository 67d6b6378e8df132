"""What check calls unwise: each warning, and what it takes to silence it."""

from __future__ import annotations

import pytest

from pbem.engine.model import Order, State
from pbem.games.crusade.effects.columns import BEACH
from pbem.games.crusade.orders import Activate, Attack, Move, Play, Redeploy
from pbem.games.crusade.position import Position
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.warnings import dangers, unwise
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, field


def said(position: Position, side: str = N) -> list[str]:
    return [f"{each.message} [{each.rule}]" for each in dangers(State(position, ()), side)]  # type: ignore[arg-type]


def of(order: Order, position: Position) -> list[str]:
    return [
        str(each.message) for each in unwise(State(position, (Combats(N, ("sevilla",)),)), order)
    ]


# --- supply ---------------------------------------------------------------------------------------

CUT_OFF = {"units": {"ubeda": "INF-1 INF-2"}, "nationalist": ["ubeda"]}


def test_units_that_attrition_would_take() -> None:
    position = table(8, bare=True, **CUT_OFF)  # type: ignore[arg-type]
    (told,) = said(position)
    assert told == (
        "INF-1 and INF-2 in Úbeda are out of supply, and lost if the turn ends so [13.3.5]"
    )
    assert not any("supply" in each for each in said(position, R))


@pytest.mark.parametrize("round_, pressing", [(5, False), (6, True)])
def test_it_presses_in_the_last_round_of_the_turn(round_: int, pressing: bool) -> None:
    position = table(8, bare=True, round=round_, **CUT_OFF)  # type: ignore[arg-type]
    (danger,) = dangers(State(position, ()), N)
    assert danger.is_pressing == pressing


@pytest.mark.rule("13.3.7", "6.0.C.1", "6.0.C.2")
@pytest.mark.parametrize("side, active, segment, over", [
    (N, N, "", False), (N, R, "", True), (R, N, "", False), (R, R, "", False),
    (N, R, "replacements", True), (R, R, "replacements", True),
])  # fmt: skip
def test_nothing_is_lost_this_turn_once_the_attrition_of_its_side_is_over(
    side: str, active: str, segment: str, over: bool
) -> None:
    cut_off = (
        CUT_OFF if side == N else {"units": {"burgos": "RPA-1 RPA-2"}, "republican": ["burgos"]}
    )
    for round_ in (5, 6):
        position = table(8, bare=True, round=round_, active=active,
                         segment=segment if round_ == 6 else "", **cut_off)  # type: ignore[arg-type]  # fmt: skip
        (danger,) = (each for each in dangers(State(position, ()), side)  # type: ignore[arg-type]
                     if each.rule == "13.3.5")  # fmt: skip
        assert ("if the next turn ends so" in str(danger.message)) is (over and round_ == 6)
        assert danger.is_pressing is (round_ == 6 and not over)


@pytest.mark.rule("18.1.10", "13.3.7")
@pytest.mark.parametrize("options, round_, active, told", [
    ("", 6, N, True), ("", 6, R, False), ("18.1.10", 2, N, False),
])  # fmt: skip
def test_after_the_last_attrition_of_the_war_nothing_is_lost(
    options: str, round_: int, active: str, told: bool
) -> None:
    position = table(18, bare=True, round=round_, active=active,
                     options=frozenset(options.split()), **CUT_OFF)  # type: ignore[arg-type]  # fmt: skip
    assert any("13.3.5" in each for each in said(position)) is told


# --- ground left open -----------------------------------------------------------------------------


def test_a_source_that_the_enemy_next_to_it_can_take() -> None:
    position = table(bare=True, units={"riotinto": "R-MIL-14"})
    assert "Sevilla, a source, has no unit, and the enemy in Riotinto can take it [10.1.9]" in (
        said(position)
    )


def test_a_capital_too_but_no_other_space() -> None:
    position = table(bare=True, units={"riotinto": "R-MIL-14"}, nationalist=["santa_olalla"])
    names = {line.partition(",")[0] for line in said(position)}
    assert "Huelva" in names and "Santa Olalla" not in names


@pytest.mark.parametrize("units", [{"riotinto": "R-MIL-14", "sevilla": "INF-15"}, {}])
def test_a_guard_or_no_enemy_near(units: dict[str, str]) -> None:
    assert not any("Sevilla" in line for line in said(table(bare=True, units=units)))


# --- retreats -------------------------------------------------------------------------------------


def test_a_stack_with_enemies_all_around() -> None:
    near = ("huelva", "riotinto", "santa_olalla", "utrera", "ecija")
    units = {space: f"R-MIL-{number}" for number, space in enumerate(near, 1)}
    position = table(bare=True, units={**units, "sevilla": "INF-15"}, republican=near)
    assert (
        "units in Sevilla cannot retreat: enemy units are in every space next to it [11.4.4]"
    ) in said(position)


def test_a_stack_with_enemy_ground_all_around() -> None:
    near = ("huelva", "riotinto", "santa_olalla", "utrera", "ecija")
    units = {"riotinto": "R-MIL-1", "sevilla": "INF-15"}
    told = "units in Sevilla can retreat over enemy ground only: nothing next to it is yours"
    assert f"{told} [11.4.5/h]" in said(table(bare=True, units=units, republican=near))
    assert not any(told in each for each in said(table(bare=True, units=units)))
    alone = table(bare=True, units={"sevilla": "INF-15"}, republican=near)
    assert not any("retreat" in each for each in said(alone))


# --- a landing ------------------------------------------------------------------------------------


def landing(**facts: object) -> Position:
    where = {"beach_heads": {BEACH: "mallorca"}, "deadlines": {BEACH: 4}, "turn": 4, "round": 6}
    held = {"units": {BEACH: "R-MIL-1"}, "republican": [BEACH], "bare": True}
    return table(**{**held, **where, **facts})  # type: ignore[arg-type]


def test_a_landing_that_is_about_to_fail() -> None:
    (danger,) = [each for each in dangers(State(landing(), ()), R) if each.rule == "8.5.4.4"]
    assert str(danger.message) == "the landing fails when the turn ends unless you control Mallorca"
    assert danger.is_pressing
    (earlier,) = [
        each for each in dangers(State(landing(round=5), ()), R) if each.rule == "8.5.4.4"
    ]
    assert not earlier.is_pressing


@pytest.mark.parametrize(
    ("side", "facts"),
    [
        (N, {}),
        (R, {"turn": 3}),
        (R, {"deadlines": {}}),
        (R, {"republican": [BEACH, "mallorca"]}),
    ],
)
def test_a_landing_that_may_still_come_or_has_won(side: str, facts: dict[str, object]) -> None:
    assert not any("landing" in line for line in said(landing(**facts), side))


# --- cards on the table ---------------------------------------------------------------------------


def last_attack(
    *, round_: int = 6, marked: tuple[str, ...] = ("zafra",), **attack_: object
) -> list[str]:
    """What is said of an attack on Mérida with a card on the table."""
    units = {"zafra": "INF-1", "badajoz": "INF-2", "caceres": "INF-3"}
    enemies = {"merida": "R-MIL-1", "trujillo": "R-MIL-2"}
    position = field(3, round=round_, **units, **enemies)
    position = position.with_deck(N, table=("N10",))
    state = Round(position, N, *marked).state
    order = Attack("merida", {"zafra": ("INF-1",)}, **attack_)  # type: ignore[arg-type]
    return [f"{each.message} [{each.rule}]" for each in unwise(state, order)]


def test_a_card_on_the_table_that_the_last_attack_of_the_turn_leaves_unused() -> None:
    assert last_attack() == [
        "García Morato (N10) could be used here, and is discarded when the turn ends [8.5.3.5]"
    ]
    assert last_attack(round_=5) == []
    assert last_attack(cards=("N10",)) == []
    assert last_attack(marked=("zafra", "caceres")) == [], "it may be meant for Trujillo"


# --- rankings -------------------------------------------------------------------------------------


def attack(*losses: str) -> Attack:
    return Attack(space="riotinto", units={"sevilla": ("INF-15", "AFR-1")}, losses=losses)


def test_a_ranking_that_loses_a_unit_before_another_is_reduced() -> None:
    position = table(bare=True, units={"sevilla": "(INF-15) AFR-1", "riotinto": "R-MIL-14"})
    (told,) = of(attack("INF", "AFR"), position)
    assert told == (
        "losses: INF-15 has one step and is lost before AFR-1 is reduced; flip_before_kill in "
        "front changes that"
    )


@pytest.mark.parametrize("losses", [("AFR", "INF"), ("flip_before_kill", "INF"), ()])
def test_other_rankings_are_no_loss(losses: tuple[str, ...]) -> None:
    position = table(bare=True, units={"sevilla": "(INF-15) AFR-1", "riotinto": "R-MIL-14"})
    assert of(attack(*losses), position) == []


def test_whole_units_may_stand_in_any_order() -> None:
    position = table(bare=True, units={"sevilla": "INF-15 AFR-1", "riotinto": "R-MIL-14"})
    assert of(attack("INF", "AFR"), position) == []


# --- ground that others are supplied through --------------------------------------------------


LINE = {"santa_olalla": "INF-15", "zafra": "INF-1", "riotinto": "R-MIL-14"}
HELD = ("sevilla", "santa_olalla", "zafra")
BACK = Move(("INF-15",), ("santa_olalla", "sevilla"))


def leaving(order: Move, units: dict[str, str], held: tuple[str, ...] = HELD) -> list[str]:
    position = table(bare=True, units=units, nationalist=held, republican=["riotinto"])
    return of(order, position)


def test_a_move_that_leaves_the_line_of_supply_of_others_open() -> None:
    assert leaving(BACK, LINE) == [
        "Santa Olalla is left without a unit, and if the enemy in Riotinto takes it, units in "
        "Zafra are out of supply"
    ]


def test_a_source_has_a_warning_of_its_own() -> None:
    units = {"sevilla": "INF-15", "zafra": "INF-1", "riotinto": "R-MIL-14"}
    assert leaving(Move(("INF-15",), ("sevilla", "utrera")), units) == []


@pytest.mark.parametrize(
    ("order", "units"),
    [
        (BACK, {**LINE, "santa_olalla": "INF-15 INF-2"}),  # somebody stays
        (BACK, {**LINE, "riotinto": ""}),  # nobody can take it
        (BACK, {**LINE, "zafra": ""}),  # nobody needs it
        (Move(("INF-15",), ("santa_olalla", "zafra")), {**LINE, "zafra": ""}),  # only who moves
    ],
)
def test_a_move_that_leaves_nobody_without_supply(order: Move, units: dict[str, str]) -> None:
    assert leaving(order, {place: those for place, those in units.items() if those}) == []


ROUND_ABOUT = ("penarroya", "cordoba", "ecija")


@pytest.mark.parametrize(("end", "open_"), [("llerena", False), ("cazalla", True)])
def test_a_move_that_opens_another_line_of_supply(end: str, open_: bool) -> None:
    """Zafra is supplied by way of Córdoba as soon as somebody takes Llerena."""
    order = Move(("INF-15",), ("santa_olalla", "cazalla", end)[: 2 + (end != "cazalla")])
    assert bool(leaving(order, LINE, (*HELD, *ROUND_ABOUT))) == open_


@pytest.mark.parametrize("cut_off", [True, False])
def test_a_move_that_ends_an_isolation_makes_a_line_of_supply_needed(cut_off: bool) -> None:
    """Loja joins Granada to Córdoba by way of Priego, which is left open to the enemy."""
    units = {"priego_de_cordoba": "INF-16", "granada": "INF-17", "antequera": "R-MIL-14"}
    held = ["sevilla", "ecija", "cordoba", "priego_de_cordoba", "granada"]
    lone = frozenset({"granada"} if cut_off else ())
    position = table(
        bare=True, units=units, nationalist=held, republican=["antequera"], isolated=lone
    )
    (told,) = of(Move(("INF-16",), ("priego_de_cordoba", "loja")), position)
    assert told.endswith("units in Granada are out of supply")


# --- operations points ------------------------------------------------------------------------


@pytest.mark.rule("8.2.4")
@pytest.mark.parametrize("order, points, left", [
    (Activate(move=("sevilla",)), 2, "1 operations point is not used, and could activate another"),
    (Activate(), 3, "3 operations points are not used, and could activate other spaces"),
    (Activate(move=("sevilla",), attack=("huelva",)), 2, ""),
    (Activate(move=("sevilla", "huelva")), 3, ""),  # nothing else can be activated
    (Activate(move=("madrid",)), 2, ""),  # the order is refused
])  # fmt: skip
def test_points_that_lapse_although_they_could_be_used(
    order: Activate, points: int, left: str
) -> None:
    position = table(1, bare=True, units={"sevilla": "INF-15", "huelva": "CAV-7"},
                     nationalist=["sevilla", "huelva"])  # fmt: skip
    state = State(position, (Activation(N, points),))
    told = [str(each.message) for each in unwise(state, order)]
    assert len(told) == bool(left) and all(each.startswith(left) for each in told)


# --- what can no longer bear fruit ----------------------------------------------------------------


@pytest.mark.parametrize("turn, unit, by, told", [
    (17, "N-I", "border", ["N-I would be back on turn 19, and turn 18 is the last: it is lost to "
                           "this game"]),
    (16, "N-I", "border", []), (17, "INF-1", "border", []), (17, "N-I", "land", []),
    (17, "X", "border", []),
])  # fmt: skip
def test_a_corps_over_the_border_that_would_come_back_after_the_war(
    turn: int, unit: str, by: str, told: list[str]
) -> None:
    assert of(Redeploy(unit, by=by), table(turn)) == told


@pytest.mark.rule("13.4.3", "14.1.2")
def test_a_corps_is_not_back_in_a_replacement_phase_that_is_left_out() -> None:
    over = Redeploy("N-I", by="border")
    assert of(over, table(16, bare=True, sieges={})) == [
        "N-I would be back at the end of turn 18, the last, which has no Replacement Phase as "
        "things stand: it is lost to this game"
    ]
    assert of(over, table(15, bare=True, sieges={})) == []


@pytest.mark.parametrize("turn, use, card, late", [
    (17, "event", "R16", True), (16, "event", "R16", False), (17, "operations", "R16", False),
    (17, "event", "R17", False),
])  # fmt: skip
def test_a_severe_winter_when_no_winter_is_left(turn: int, use: str, card: str, late: bool) -> None:
    assert bool(of(Play(card, use), table(turn))) is late
