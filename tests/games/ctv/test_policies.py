"""Standing orders: what they answer, question after question, and what of them is refused."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.model import Order, State, Violation
from pbem.engine.policies import answering, help, reading, scopes, sealing
from pbem.engine.policies.rows import Clause
from pbem.gamefile.in_play import Policy
from pbem.gamefile.journal import Answered
from pbem.gamefile.kept import ChainPlace
from pbem.games.ctv.advice import COUNSEL
from pbem.games.ctv.orders import (
    NONE,
    Advance,
    Attack,
    Breakthrough,
    Done,
    Losses,
    Remain,
    Retreat,
    Shoot,
    Support,
    Trade,
    UseColumns,
    Withdraw,
)
from pbem.games.ctv.policies.facts import fits, in_order
from pbem.games.ctv.policies.table import PARTS, TABLE
from pbem.games.ctv.position import RAIN, Position
from pbem.games.ctv.rules import combat
from pbem.games.ctv.stages.combat import (
    Advancing,
    BreakingThrough,
    Deciding,
    Ends,
    Losing,
    Retreating,
    ShotDownOf,
    Struck,
    Supporting,
    UsingColumns,
)
from pbem.games.ctv.stages.turn import Leaving, Remaining
from pbem.late import LateName
from pbem.orders.published import orders_schema
from pbem.play.story import story
from pbem.play.table import Table
from pbem.text.source import Source
from pbem.text.yamlsource import read
from pbem.value import replace
from tests.games.ctv.by_mail import Seats
from tests.games.ctv.table import Game, N, R, begun, fighting, joined, system, table

STAGES = Path(__file__).resolve().parents[3] / "pbem" / "games" / "ctv" / "stages"


def bound(game: Game, written: str) -> Any:
    """Standing orders as a player writes them, bound for whoever is asked."""
    assert game.asks is not None
    names = system().names(game.state, game.asks.side, None, answering=True)
    return reading.bound(TABLE, names, read(Source("standing.yaml", written)).value)


def answered(game: Game, written: str) -> Order | None:
    """What a policy says to the question now asked, as written, and sealed or open."""
    asked = game.asks
    assert asked is not None
    said, found = bound(game, written), list[Order | None]()
    assert [
        str(each.message) for each in reading.faults(TABLE, game.position, asked.side, said)
    ] == []
    for one in sealing.parts(TABLE, game.position, asked.side, said):
        where = one["slot"], one["scope"], one["until"]
        assert sealing.misfits(TABLE, game.position, asked.side, *where, one["doc"]) == ()
        if scopes.covers(TABLE, game.state, asked, *where):
            found.append(answering.answer(TABLE, game.state, asked, one["doc"]))
    assert len(found) == 1, "one policy speaks on it"
    assert found[0] is None or game.broken(found[0]) == []
    return found[0]


def is_silent(game: Game, written: str) -> bool:
    """Whether a policy leaves the question now asked to its author, as all can see."""
    assert game.asks is not None
    parts = sealing.parts(TABLE, game.position, game.asks.side, bound(game, written))
    return not any(
        scopes.covers(TABLE, game.state, game.asks, one["slot"], one["scope"], one["until"])
        for one in parts
    )  # fmt: skip


def refused(written: str, side: Any = R) -> tuple[Violation, ...]:
    """What is wrong with standing orders."""
    position = table({"2010": "R-168", "2110": "N-LIT-1"})
    names = system().names(State(position, ()), side, None, answering=True)
    said = reading.bound(TABLE, names, read(Source("standing.yaml", written)).value)
    return tuple(reading.faults(TABLE, position, side, said))


def faults(written: str, side: Any = R) -> list[tuple[Any, str, str]]:
    """Where standing orders are wrong, why, and what would be legal."""
    return [(each.at, str(each.message), str(each.hint)) for each in refused(written, side)]


# ------------------------------------------------------------------- the table


def test_every_question_of_a_stage_has_its_part_and_no_part_is_for_nothing() -> None:
    asked = set()
    for path in STAGES.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.keyword) and node.arg == "policy":
                value = node.value
                ways = [value.body, value.orelse] if isinstance(value, ast.IfExp) else [value]
                assert all(isinstance(way, ast.Constant) for way in ways)
                asked |= {way.value for way in ways if isinstance(way, ast.Constant)}
    assert asked == {question for part in PARTS for question in part.answers}


def test_every_row_names_a_clause_that_answers_its_questions() -> None:
    for part in PARTS:
        assert isinstance(part.clause, LateName)
        clause = part.clause.found()
        assert isinstance(clause, Clause) and set(clause.answers) == set(part.answers), part.name


@pytest.mark.parametrize("side", [N, R])
def test_the_form_shows_standing_orders_that_can_be_given(side: Any) -> None:
    from jsonschema import Draft202012Validator

    position = table()
    text = "\n".join(help.example_of(TABLE, position, side)[1:])
    written = read(Source("form.yaml", text)).value["standing"]
    names = system().names(State(position, ()), side, None, answering=True)
    assert reading.faults(TABLE, position, side, reading.bound(TABLE, names, written)) == ()
    standing, shared = help.schema(TABLE)
    schema = {**standing, "$defs": {**orders_schema("", system().verbs)["$defs"], **shared}}
    assert list(Draft202012Validator(schema).iter_errors(written)) == []


# ------------------------------------------------------------------- support

DEFENDED = {"2010": "R-168 R-HQ-52", "2009": "R-HQ-XV", "1909": "R-SC-1", "1911": "R-HQ-53",
            "2110": "N-LIT-1 N-HQ-LIT", "2111": "N-HQ-CTV N-SC-1"}  # fmt: skip


def supporting(support: str = "N-LK-1 N-HQ-CTV", **facts: Any) -> Game:
    """The Republican is asked what bombards those who attack 2010."""
    position = joined(table(DEFENDED, **facts), "2010", "N-LIT-1", support=support)
    return begun(position, Supporting(R), UsingColumns(R), Ends())


@pytest.mark.rule("9.4.1")
@pytest.mark.parametrize(
    ("said", "air", "hq"),
    [
        ("losses: [reduced]", (), ()),
        ("support: none", (), ()),
        ("support: {hq: nearest}", (), ("R-HQ-52",)),
        ("support: {hq: all}", (), ("R-HQ-52", "R-HQ-53", "R-HQ-XV")),
        ("support: {hq: [R-HQ-XV, R-HQ-48]}", (), ("R-HQ-XV",)),
        ("support: {hq: none, air: 1}", ("R-AIR-1",), ()),
        ("support: {air: all}", ("R-AIR-1", "R-AIR-2"), ()),
        ("support: {air: [R-AIR-2]}", ("R-AIR-2",), ()),
        ("support: {air: 9, hq: nearest}", ("R-AIR-1", "R-AIR-2"), ("R-HQ-52",)),
    ],
)
def test_headquarters_and_air_units_bombard_as_far_as_they_can(
    said: str, air: tuple[str, ...], hq: tuple[str, ...]
) -> None:
    order = answered(supporting(), said)
    assert isinstance(order, Support)
    assert (order.air, set(order.hq)) == (air, set(hq))


@pytest.mark.parametrize(
    ("when", "holds"),
    [
        ("points: 3", True), ("points: 2", False), ("points: 3+", True), ("points: '<3'", False),
        ("hex: 2010", True), ("hex: [2009, 2010]", True), ("hex: 2009", False),
        ("terrain: mountain", False), ("terrain: hill", True), ("trench: no", True),
        ("trench: yes", False), ("odds: 1:2", True), ("odds: '>=1:1'", False),
        ("odds: '<=1:1'", True), ("odds: 1:2+", True), ("turn: 2", True), ("turn: 3+", False),
        ("weather: fair", True), ("weather: rain", False), ("held: {2010: republican}", True),
        ("held: {2010: nationalist}", False), ("held: {2110: nationalist, 2009: republican}", True),
        ("empty: 1908", True), ("empty: [1908, 2110]", False), ("any: true", True),
        ("points: 3, terrain: mountain", False),
    ],
)  # fmt: skip
def test_conditions_ask_for_points_columns_hexes_and_ground(when: str, holds: bool) -> None:
    order = answered(supporting(), f"support: {{hq: nearest, when: {{{when}}}}}")
    assert order == (Support(hq=("R-HQ-52",), columns="none") if holds else Support(columns="none"))


def test_the_first_clause_that_holds_counts() -> None:
    said = "support: [{air: 1, when: {points: 5+}}, {hq: all, when: {hex: 2009}}, {hq: nearest}]"
    assert answered(supporting(), said) == Support(hq=("R-HQ-52",), columns="none")


@pytest.mark.rule("9.3.1")
def test_columns_are_used_beside_headquarters_that_fire() -> None:
    said = "support: {hq: [R-HQ-XV], columns: 1}"
    game = supporting()
    order = answered(game, said)
    assert order == Support(hq=("R-HQ-XV",)), "what columns are used is said later"
    assert order is not None
    game.order(order)
    assert answered(game, said) == UseColumns({"1909": 1})
    assert answered(game, "support: {hq: [R-HQ-XV], columns: 0}") == UseColumns()
    more = "support: {hq: [R-HQ-XV], columns: 1, when: {points: 4+}}"
    assert answered(game, more) == UseColumns(), "the points of this moment count"


@pytest.mark.rule("11.3")
def test_in_rain_no_air_unit_is_named() -> None:
    assert answered(supporting(weather=RAIN), "support: {air: 2, hq: nearest}") == Support(
        hq=("R-HQ-52",), columns="none"
    )


@pytest.mark.rule("9.4")
def test_what_was_used_in_this_turn_is_passed_over_for_the_next() -> None:
    order = answered(supporting(used=frozenset({"R-HQ-52"})), "support: {hq: nearest}")
    assert order == Support(hq=("R-HQ-XV",), columns="none")


@pytest.mark.rule("9.4.1")
def test_what_answers_the_enemy_bombards_in_no_attack_of_ones_own() -> None:
    position = joined(table(DEFENDED), "2010", "N-LIT-1")
    game = begun(position, Supporting(N), UsingColumns(N), Ends())
    assert is_silent(game, "support: {hq: nearest}")
    assert is_silent(game, "own: {losses: [reduced]}")
    said = "own: {bombard: {hq: [N-HQ-CTV], air: 2, columns: 1}}"
    order = answered(game, said)
    assert order == Support(("N-LK-1", "N-LK-2"), ("N-HQ-CTV",))
    assert order is not None
    assert answered(game.order(order), said) == UseColumns({"2111": 1})
    assert answered(begun(position, Supporting(N), Ends()), "own: {bombard: none}") == Support(
        columns="none"
    )


@pytest.mark.rule("9.1")
def test_spanish_air_units_go_first_where_they_may_support_at_all() -> None:
    both = table({"2010": "R-168", "2110": "N-LIT-1 N-NI-1"})
    game = begun(joined(both, "2010", "N-LIT-1", "N-NI-1"), Supporting(N), Ends())
    assert answered(game, "own: {bombard: {air: 1}}") == Support(("N-FAN-1",), columns="none")
    game = begun(joined(both, "2010", "N-LIT-1"), Supporting(N), Ends())
    assert answered(game, "own: {bombard: {air: 1}}") == Support(("N-LK-1",), columns="none")


# ------------------------------------------------------------------- losses


def losing(units: str, steps: int, **facts: Any) -> Game:
    """A stack in 2010 loses steps."""
    position = joined(table({"2010": units, "2110": "N-LIT-1"}, **facts), "2010", "N-LIT-1")
    return begun(position, Losing(R, steps, ()), Ends())


@pytest.mark.rule("10.3")
@pytest.mark.parametrize(
    ("said", "first"),
    [
        ("trade: never", "R-RFT"),
        ("losses: [armour]", "R-RFT"),
        ("losses: [infantry]", "R-157"),
        ("losses: [santander, asturian]", "R-RFT"),
        ("losses: [basque]", "R-157"),
        ("losses: [48]", "R-157"),
        ("losses: [R-183, infantry]", "R-183"),
        ("losses: [strongest]", "R-183"),
        ("losses: [strongest, basque]", "R-157"),
        ("losses: [weakest, asturian]", "R-183"),
    ],
)
def test_losses_go_by_the_list_and_the_weakest_come_first(said: str, first: str) -> None:
    order = answered(losing("R-157 R-183 R-RFT", 1), said)
    assert isinstance(order, Losses) and order.units[0] == first
    assert set(order.units) == {"R-157", "R-183", "R-RFT"}


@pytest.mark.rule("10.3")
def test_words_tell_reduced_full_and_disorganised_units() -> None:
    position = table({"2010": "R-157 R-183"}, lost="R-157", levels={"R-183": 1})
    assert in_order(position, ["reduced"], ["R-183", "R-157"]) == ["R-157", "R-183"]
    assert in_order(position, ["full"], ["R-157", "R-183"]) == ["R-183", "R-157"]
    assert in_order(position, ["disorganised"], ["R-157", "R-183"]) == ["R-183", "R-157"]
    assert in_order(position, ["infantry", "51"], ["R-160", "R-183"]) == ["R-183", "R-160"], (
        "a division is meant by its number more than by its type"
    )
    assert fits(position, "armour", "R-183") == 0 < fits(position, "disorganised", "R-183")
    assert fits(position, "reduced", "R-AIR-1") == 0, "air units have one side"
    assert fits(position, "navarra", "N-NVI-2") == 2 == fits(position, "castile", "N-CII-1")
    divisions = {unit.division for unit in position.board.units.values()}
    from pbem.games.ctv.policies.facts import FORMATIONS

    assert all(divisions.issuperset(those) for those in FORMATIONS.values())


@pytest.mark.rule("15.1")
def test_the_same_list_says_which_air_units_were_shot_down() -> None:
    position = joined(table({"2010": "R-168", "2110": "N-LIT-1"}), "2010", "N-LIT-1",
                      support="N-LK-1 N-AL-1 N-FAN-1")  # fmt: skip
    units = ("N-LK-1", "N-AL-1", "N-FAN-1")
    game = begun(position, ShotDownOf(N, units, 2), Ends())
    assert answered(game, "losses: [spanish, N-AL-1]") == Shoot(("N-FAN-1", "N-AL-1"))
    assert answered(game, "trade: never") == Shoot(("N-LK-1", "N-AL-1"))


# ------------------------------------------------------------------- trades and retreats


def struck(steps: int = 2, result: str = "", at: str = "2205", **facts: Any) -> Game:
    there = {at: "R-179 R-180", "2306": "N-NI-1", **facts.pop("more", {})}
    position = joined(table(there, **facts), at, "N-NI-1")
    assert position.battle is not None
    told = replace(position.battle, column="3:1", result=result or f"0/{steps}")
    return begun(position.but(battle=told), Deciding(R, steps, ()), Ends())


@pytest.mark.rule("10.5")
@pytest.mark.parametrize(
    ("said", "to"),
    [
        ("losses: [reduced]", "none"),
        ("trade: never", "none"),
        ("trade: {to: [2105, 2204]}", "2105"),
        ("trade: {to: 2204}", "2204"),
        ("trade: {to: [1411, 2204]}", "2204"),
        ("trade: {to: [1411]}", "none"),
        ("trade: {when: {own_losses: 2+}, to: [2204]}", "2204"),
        ("trade: {when: {own_losses: 3+}, to: [2204]}", "none"),
        ("trade: {when: {enemy_losses: 1}, to: [2204]}", "none"),
        ("trade: {when: {enemy_losses: 0, odds: 3:1}, to: [2204]}", "2204"),
        ("trade: [{when: {hex: 2010}, to: 2105}, {when: {hex: 2205}, to: 2204}]", "2204"),
        ("{trade: always, retreat: {2205: 2204}}", "2204"),
    ],
)  # fmt: skip
def test_a_step_is_traded_where_a_clause_holds_into_its_best_hex(said: str, to: str) -> None:
    assert answered(struck(), said) == Trade("" if to == "none" else to)


@pytest.mark.rule("10.5", "5.1.1")
def test_no_step_is_traded_for_a_hex_where_the_stack_would_be_destroyed() -> None:
    full = {"2204": "R-154 R-155"}
    assert answered(struck(more=full), "trade: {to: [2204, 2105]}") == Trade("2105")
    assert answered(struck(more=full), "trade: {to: [2204]}") == Trade()


@pytest.mark.rule("10.5", "9.5.1")
@pytest.mark.parametrize(
    ("levels", "said", "to"),
    [
        ({"R-179": 3, "R-180": 3}, "trade: always", ""),
        ({"R-179": 3}, "trade: {to: [2104]}", ""),
        ({"R-179": 2, "R-180": 2}, "trade: {to: [2104]}", "2104"),
    ],
)  # fmt: skip
def test_no_step_is_traded_where_the_level_of_the_retreat_destroys_a_unit(
    levels: Any, said: str, to: str
) -> None:
    assert answered(struck(1, levels=levels), said) == Trade(to)
    cut_off = frozenset({"R-179"})
    assert answered(struck(1, levels={"R-179": 2}, unsupplied=cut_off), said) == Trade()


@pytest.mark.rule("10.6")
def test_a_stack_is_driven_to_the_first_hex_of_its_list_or_else_to_the_safest() -> None:
    position = joined(
        table({"2205": "R-179 R-180", "2306": "N-NI-1", "2104": "R-154 R-155"}), "2205", "N-NI-1"
    )
    game = begun(position, Retreating(R, ("R-179", "R-180"), "2205"), Ends())
    assert game.asks is not None
    ways = game.asks.options[0].fields["to"].values  # type: ignore[attr-defined]
    assert "2204" in ways
    assert answered(game, "retreat: {2205: [2204]}") == Retreat("2204")
    assert answered(game, "retreat: {2010: [1910]}") == Retreat(ways[0])
    assert answered(game, "losses: [reduced]") == Retreat(ways[0]) == game.asks.default


@pytest.mark.rule("10.6", "5.1.1")
def test_of_attackers_only_those_who_are_driven_count_for_the_safest_way() -> None:
    at = {"2106": "R-178 R-179 R-180", "2105": "R-171", "2006": "N-NI-1"}
    position = joined(table(at, turn=3), "2006", "R-178")
    ways = combat.retreats(position, "2106")
    assert combat.by_safety(position, ("R-178",), ways) == combat.by_safety(
        table({**at, "2106": "R-178"}), ("R-178",), ways
    )
    assert not combat.is_ruinous_way(position, ("R-178",), "2105")
    game = begun(position, Retreating(R, ("R-178",), "2106"), Ends())
    assert game.asks is not None
    assert game.asks.default == Retreat(combat.by_safety(position, ("R-178",), ways)[0])


@pytest.mark.rule("10.6", "5.1.1")
def test_the_safest_way_ruins_nobody() -> None:
    at = {"2205": "R-179 R-180", "2306": "N-NI-1"}
    ways = [
        *begun(
            joined(table(at), "2205", "N-NI-1"), Retreating(R, ("R-179", "R-180"), "2205"), Ends()
        )
        .asks.options[0]
        .fields["to"]
        .values
    ]  # type: ignore[union-attr]
    more = {ways[0]: "R-154 R-155"}
    game = begun(joined(table({**at, **more}), "2205", "N-NI-1"),
                 Retreating(R, ("R-179", "R-180"), "2205"), Ends())  # fmt: skip
    assert game.asks is not None and game.asks.default == Retreat(ways[1])


# ------------------------------------------------------------------- one's own attacks


def emptied(result: str, units: str = "N-LIT-1 N-LIT-2 N-ARD", more: str = "") -> Game:
    """2010 is empty, and those who attacked it are asked; `more` of them are in 2011."""
    position = table({"2110": units, "2011": more, "2012": "R-168"}, republican="2010")
    position = joined(position, "2010", *units.split(), *more.split())
    assert position.battle is not None
    told = replace(position.battle, column="3:1", result=result)
    return begun(position.but(battle=told), Advancing(N, result), Ends())


@pytest.mark.rule("10.4")
@pytest.mark.parametrize(
    ("said", "units"),
    [
        ("all", ("N-LIT-1", "N-LIT-2", "N-ARD")),
        ("none", ()),
        ("[N-LIT-2]", ("N-LIT-2",)),
        ("[LIT]", ("N-LIT-1", "N-LIT-2")),
        ("{units: [LIT], when: {enemy_losses: 2}}", ("N-LIT-1", "N-LIT-2")),
        ("{units: all, when: {hex: 2009}}", ()),
        ("{when: {own_losses: 0}}", ("N-LIT-1", "N-LIT-2", "N-ARD")),
    ],
)
def test_attackers_advance_if_their_owner_has_said_so(said: str, units: tuple[str, ...]) -> None:
    order = answered(emptied("0/2"), f"own: {{advance: {said}}}")
    assert isinstance(order, Advance) and set(order.units) == set(units)


def test_who_says_nothing_of_an_advance_is_asked() -> None:
    for said in ("losses: [reduced]", "own: {losses: [reduced]}", "own: {advance: ask}"):
        assert is_silent(emptied("0/2"), said)
        assert is_silent(emptied("B"), said)


@pytest.mark.rule("10.4.1")
@pytest.mark.parametrize(
    ("said", "paths"),
    [
        ("breakthrough: none", {}),
        ("{advance: [N-LIT-1], breakthrough: advance}", {"N-LIT-1": ("2010",)}),
        ("breakthrough: {N-LIT-1: [2010, 1909]}", {"N-LIT-1": ("2010", "1909")}),
        ("breakthrough: {N-LIT-1: [2010, 2011, 2012]}", {"N-LIT-1": ("2010", "2011")}),
        ("breakthrough: {N-LIT-1: [1909]}", {}),
        ("breakthrough: {N-ARD: [2010, 2009], LIT: 2010}",
         {"N-ARD": ("2010", "2009"), "N-LIT-1": ("2010",), "N-LIT-2": ("2010",)}),
    ],
)  # fmt: skip
def test_a_breakthrough_goes_as_far_along_its_ways_as_it_may(
    said: str, paths: dict[str, tuple[str, ...]]
) -> None:
    game = emptied("B")
    assert isinstance(game.state.agenda[-1], BreakingThrough)
    inside = said if said.startswith("{") else f"{{{said}}}"
    assert answered(game, f"own: {inside}") == Breakthrough(paths)


FULL = " goes no farther than 2011: too many units would be in 2010 (5)"


@pytest.mark.rule("10.4", "10.4.1")
@pytest.mark.parametrize(
    ("result", "said", "told"),
    [
        ("B", "breakthrough: {N-LIT-1: [2010, 2011, 2012]}", ["2011: enemy units are in "]),
        ("B", "breakthrough: {N-LIT-1: [2010, 2011], N-LIT-2: [1909]}", []),
        ("B", "breakthrough: {N-LIT-1: 2010, N-LIT-2: 2010, FIN: 2010}", [FULL]),
        ("B", "{advance: [LIT, FIN], breakthrough: advance}", [FULL]),
        ("B", "advance: [LIT, FIN]", [FULL]),
        ("B", "{advance: all, breakthrough: advance}", []),
        ("B", "breakthrough: advance", []),
        ("0/2", "advance: [LIT, FIN]", [FULL]),
        ("0/2", "advance: {units: [LIT, FIN], when: {hex: 2010}}", [FULL]),
        ("0/2", "advance: {units: [LIT, FIN], when: {hex: 2009}}", []),
        ("0/2", "advance: all", []),
        ("0/2", "advance: {when: {hex: 2010}}", []),
    ],
)
def test_what_keeps_attackers_from_ways_that_are_written_is_told(
    result: str, said: str, told: list[str]
) -> None:
    """Of `all` as many go as may, and ways from other hexes are for other attacks."""
    game = emptied(result, "N-LIT-1 N-LIT-2", "" if "2012" in said else "N-FIN-8 N-FIN-10")
    asked = game.asks
    assert asked is not None
    inside = said if said.startswith("{") else f"{{{said}}}"
    (one,) = sealing.parts(TABLE, game.position, N, bound(game, f"own: {inside}"))
    lines = list(map(str, answering.left_out(TABLE, game.state, asked, one["doc"])))
    assert len(lines) == len(told) and all(map(str.__contains__, lines, told)), lines


def test_a_check_of_the_attack_tells_it_too() -> None:
    units = {"2110": ("N-LIT-1", "N-LIT-2"), "2011": ("N-FIN-8", "N-FIN-10")}
    there = {hex: " ".join(those) for hex, those in units.items()}
    game = fighting(table({**there, "2010": "R-168"}), N)
    attack = Attack("2010", units)
    names = system().names(game.state, N, None, answering=False)

    def told(*standing: str, **said: Any) -> list[str]:
        parts = []
        for each in standing:
            written = reading.bound(TABLE, names, read(Source("standing.yaml", each)).value)
            parts += sealing.parts(TABLE, game.position, N, written)
        return [str(each) for each in COUNSEL.behind(game.state, replace(attack, **said), parts)]

    lists, both = "advance: [LIT, FIN]", "advance: [LIT, FIN], breakthrough: advance"
    breaking, advancing = told(f"own: {{{both}}}")
    assert breaking.startswith("if they break through: ") and breaking.endswith(FULL)
    assert advancing.startswith("if they advance: ") and advancing.endswith(FULL)
    assert told("advance: all") == []
    assert told(lists) == told(f"own: {{{lists}}}") == [advancing]
    assert told(f"{{{both}}}", advance=NONE) == [breaking]
    assert told(f"{{{both}}}", advance=NONE, breakthrough=NONE) == []
    for scope, more in (("when: {hex: 2010}", [advancing]), ("when: {hex: 2009}", [])):
        assert told(f"{{{lists}, scope: {{{scope}}}}}") == more
    # The first that is asked counts, and none whose time is over.
    assert told("own: {advance: all}", lists) == []
    assert told("{advance: all, scope: {when: {hex: 2009}}}", lists) == [advancing]
    (part,) = sealing.parts(TABLE, game.position, N, {"advance": ["LIT", "FIN"]})
    assert len(COUNSEL.behind(game.state, attack, [{**part, "until": "turn 2"}])) == 1
    assert COUNSEL.behind(game.state, attack, [{**part, "until": "turn 1"}]) == ()
    assert COUNSEL.behind(game.state, Done(), [part]) == ()


def test_the_log_tells_it_behind_the_answer() -> None:
    game, way = emptied("B"), "{N-ARD: [2010, 2011, 2012]}"
    (one,) = sealing.parts(TABLE, game.position, N, bound(game, f"own: {{breakthrough: {way}}}"))
    policy = Policy("A", one["slot"], one["scope"], one["until"], one["doc"])
    before = Table(system(), {"A": N, "B": R}, game.state, None)
    read, place = before.policy_answer(policy), ChainPlace(1, 0)
    assert read is not None
    item = Answered(place, "A", "own", policy, read, place, before, before.submit(read))
    seats = Seats("one").game
    journal = (*seats.fold.journal, (item,))
    told = story(replace(seats, fold=replace(seats.fold, journal=journal)))
    lines = [str(line.text) for line in told.chapters[-1].paragraphs[-1].lines]
    assert lines[0].startswith("breakthrough: {paths: {N-ARD: [2010, 2011]}}")
    assert "advances through 2010 into 2011" in lines[1]
    assert " goes no farther than 2011: enemy units are in " in lines[-1]


def test_own_orders_speak_on_no_attack_of_the_enemy() -> None:
    assert is_silent(losing("R-157 R-183 R-RFT", 1), "own: {losses: [R-183]}")


def test_what_stands_beside_an_attack_is_said_openly_for_this_turn() -> None:
    position = table({"2010": "R-168", "2110": "N-LIT-1"})
    order = Attack("2010", {"2110": ("N-LIT-1",)})
    said = {"losses": ["reduced"], "advance": "all", "support": {"hq": "nearest"}}
    (part,) = sealing.stated(TABLE, position, N, said, [order])
    assert part["slot"] == "own" and part["clear"] and part["until"] == "turn 2"
    assert set(part["doc"]) == {"losses", "advance"}, "the enemy reads no answer to their attacks"


# ------------------------------------------------------------------- the war elsewhere


def leaving(infantry: int, air: int) -> Game:
    units = "N-NI-1 N-CI-1 N-LIT-1 N-FN-1"
    at = dict(zip(("2110", "2111", "2112", "2113"), units.split(), strict=True))
    return begun(table(at, lost="N-LIT-1", turn=4), Leaving(infantry, air))


@pytest.mark.rule("12.3")
def test_units_leave_by_the_list() -> None:
    order = answered(leaving(2, 2), "withdraw: [castile, reduced, N-FAN-3]")
    assert order == Withdraw(("N-CI-1", "N-LIT-1", "N-FAN-3", "N-LK-1"))
    order = answered(leaving(1, 1), "withdraw: [spanish, N-AL-2]")
    assert isinstance(order, Withdraw) and order.units[0] in ("N-NI-1", "N-CI-1")
    assert order.units[1:] == ("N-FAN-1",)
    assert answered(leaving(2, 2), "losses: [reduced]") is not None


@pytest.mark.rule("13.3")
def test_battalions_go_on_fighting_in_the_first_hexes_of_the_list() -> None:
    hexes = ("1517", "1518", "1616", "1616", "1617", "1618", "1714")
    game = begun(table(), Remaining(hexes))
    order = answered(game, "remain: [1714, 1616]")
    assert order == Remain(("1714", "1616", "1616", "1517", "1518"))
    assert answered(game, "trade: never") == Remain(hexes[:5])


# ------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("written", "side", "at", "why", "hint"),
    [
        ("support: maybe", R, ("support",), "'maybe' is no answer here", "none"),
        ("support: {air: -1}", R, ("support", "air"), "number", "air: 1"),
        ("support: {hq: closest}", R, ("support", "hq"), "nearest, all, none", "nearest"),
        ("support: {hq: [N-HQ-CTV]}", R, ("support", "hq", 0), "none of your headquarters", ""),
        ("support: {hq: [R-168]}", R, ("support", "hq", 0), "none of your headquarters", ""),
        ("support: {air: [R-HQ-XV]}", R, ("support", "air", 0), "none of your air units", "R-AIR"),
        ("support: {columns: 1}", R, ("support",), "support needs hq or air", "hq: nearest"),
        ("support: {air: 1, columns: 1}", R, ("support", "columns"), "beside headquarters",
         "hq: nearest"),
        ("support: [{air: 1}, {hq: nearest}]", R, ("support", 1), "never reached", ""),
        ("support: {air: 1, when: {point: 2}}", R, ("support", "when", "point"), "no condition",
         "points"),
        ("support: {air: 1, when: {own_losses: 1}}", R, ("support", "when", "own_losses"),
         "not known yet", ""),
        ("support: {air: 1, when: {odds: 7:1}}", R, ("support", "when", "odds"),
         "odds is never 7:1", "1:2, 1:1, 3:2"),
        ("support: {air: 1, when: {odds: high}}", R, ("support", "when", "odds"), "3:1", ""),
        ("support: {air: 1, when: {terrain: swamp}}", R, ("support", "when", "terrain"),
         "terrain is never", "mountain"),
        ("support: {air: 1, when: {terrain: city, hex: 2010}}", R, ("support", "when", "hex"),
         "terrain and hex are never true at once", "leave one of them out"),
        ("support: {air: 1, when: {turn: 9}}", R, ("support", "when", "turn"), "turn is never 9",
         "from 2 to 7"),
        ("support: {air: 1, when: {held: {2010: basque}}}", R, ("support", "when", "held", "2010"),
         "a hex and a side", "nationalist or republican"),
        ("trade: {to: [9999]}", R, ("trade", "to", 0), "no hex is named '9999'", "2010"),
        ("trade: perhaps", R, ("trade",), "no answer here", "never"),
        ("trade: no", R, ("trade",), "'no' is no answer", "never"),
        ("losses: [reducd]", R, ("losses", 0), "named 'reducd'", "reduced"),
        ("losses: [N-LIT-1]", R, ("losses", 0), "matches no Republican unit", ""),
        ("losses: ['']", R, ("losses", 0), "named ''", "reduced"),
        ("losses: [castile]", R, ("losses", 0), "matches no Republican unit", ""),
        ("losses: [R-HQ-XV]", R, ("losses", 0), "no steps to lose", "leave it out"),
        ("losses: [armour, weakest]", R, ("losses", 1), "must come first", ""),
        ("losses: [armour, armour]", R, ("losses", 1), "named twice", ""),
        ("retreat: {2009: [1907]}", R, ("retreat", "2009", 0), "1907 is not next to 2009",
         "1908"),
        ("retreat: {2009: [1908, 1907]}", R, ("retreat", "2009", 1), "1907 is not next to 2009",
         "1908"),
        ("retreat: {2009: []}", R, ("retreat", "2009"), "no effect", "leave it out"),
        ("retreat: [2009]", R, ("retreat",), "retreat lists hexes", "{2009:"),
        ("withdraw: [reduced]", R, ("withdraw",), "only Nationalist units", ""),
        ("remain: [1518]", N, ("remain",), "only Republican battalions", ""),
        ("own: {advance: some}", N, ("own", "advance"), "all, none", "advance: all"),
        ("own: {breakthrough: {N-LIT-1: [2010, 1808]}}", N,
         ("own", "breakthrough", "N-LIT-1", 1), "1808 is not next to 2010", "1909"),
        ("own: {breakthrough: {N-LIT-1: [2010, 1909, 1908, 1808]}}", N,
         ("own", "breakthrough", "N-LIT-1", 3), "at most 3 hexes", "sooner"),
        ("own: {withdraw: [reduced]}", N, ("own", "withdraw"), "no field 'withdraw'", "losses"),
        ("suport: none", R, ("suport",), "no field 'suport'", "support"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_its_place_and_what_would_be_legal(
    written: str, side: Any, at: tuple[Any, ...], why: str, hint: str
) -> None:
    found = faults(written, side)
    assert found, "it is refused"
    where, told, helps = found[0]
    # One clause may stand without the brackets of a list.
    where = where[:1] + where[2:] if where[1:2] == (0,) and len(at) < len(where) else where
    assert where == at and why in told and hint in helps, found


@pytest.mark.parametrize(("written", "side", "rules"), [
    ("support: {air: 1, columns: 1}", R, ["9.3.1"]), ("retreat: {2009: [1907]}", R, ["10.5.1"]),
    ("losses: [R-HQ-XV]", R, ["9.2"]), ("support: {air: 1, when: {odds: 7:1}}", R, ["10.2"]),
    ("own: {breakthrough: {N-LIT-1: [2010, 1808]}}", N, ["10.4.1"]),
    ("own: {breakthrough: {N-LIT-1: [2010, 1909, 1908, 1808]}}", N, ["10.4.1"]),
])  # fmt: skip
def test_what_a_rule_forbids_ahead_is_refused_by_its_number(
    written: str, side: Any, rules: list[str]
) -> None:
    assert [each.rule for each in refused(written, side)] == rules


def test_what_does_not_belong_there_is_told_at_its_name_and_not_at_what_it_says() -> None:
    for written, is_key in (
        ("support: {air: 1, columns: 1}", True), ("support: {hq: nearest, columns: 10}", False),
    ):  # fmt: skip
        (fault,) = refused(written, R)
        assert (fault.at[-1], fault.is_key) == ("columns", is_key)


def test_two_thousand_and_ten_is_the_same_hex_with_and_without_quotes() -> None:
    said = "retreat: {2009: [1908]}", "retreat: {'2009': ['1908']}", 'retreat: {"2009": 1908}'
    position: Position = table()
    names = system().names(State(position, ()), R, None, answering=True)
    written = [reading.bound(TABLE, names, read(Source("a.yaml", each)).value) for each in said]
    assert written[0] == written[1] == {"retreat": [["2009", ["1908"]]]}
    assert all(reading.faults(TABLE, position, R, each) == () for each in written)


def test_a_document_that_is_no_policy_answers_as_an_empty_one() -> None:
    game = struck()
    assert game.asks is not None
    for hostile in (
        {"trade": {"when": {"odds": 3}}}, {"trade": [[["x"]]]}, {"losses": {"a": 1}}, {"x": 1},
        {"retreat": [["2009", ["1"]]]}, {"support": {"air": 10**9}}, {"trade": {"to": "9999"}},
    ):  # fmt: skip
        assert answering.answer(TABLE, game.state, game.asks, hostile) == Trade()


def test_who_is_of_the_other_side_is_no_headquarters_without_steps_too() -> None:
    assert len(faults("losses: [N-HQ-CTV]", R)) == 1


def test_a_scope_leaves_the_attack_on_a_hex_to_its_author() -> None:
    for hex, is_left in (("2010", True), ("1911", False)):
        said = f"{{losses: [reduced], scope: {{ask: [{{hex: {hex}}}]}}}}"
        assert is_silent(losing("R-157 R-183", 1), said) is is_left


def test_each_clause_can_be_left_to_its_author() -> None:
    assert is_silent(struck(), "trade: ask")
    assert is_silent(losing("R-157 R-183", 1), "losses: ask")
    assert is_silent(supporting(), "support: ask")


def test_headquarters_alone_are_asked_nothing() -> None:
    position = joined(table({"2010": "R-HQ-XV", "2110": "N-LIT-1"}), "2010", "N-LIT-1")
    game = begun(position, Struck(R, 1, ()), Ends())
    assert game.state.agenda == () and game.position.at("R-HQ-XV") == ""
