"""Chapter 24: the first turn of the Campaign, from the opening hands to the end of the turn.

The orders are the files of examples/chapter24, the dice are the printed ones, and so are the
results.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.gamefile.in_play import Asked, DiceWanted, Policy, ReadOrder
from pbem.games.crusade import events as e
from pbem.games.crusade.position import ELIMINATED, RESERVE, Position
from pbem.games.crusade.tables import NATIONALIST as N
from pbem.games.crusade.tables import REPUBLICAN as R
from pbem.orders.parse import parse
from pbem.play.prepare import prepare
from pbem.play.systems import opened
from pbem.play.table import Table, open_table
from pbem.text.source import Source
from tests.bots import ScriptedDice

FILES = sorted((Path(__file__).parents[3] / "examples" / "chapter24").glob("*.yaml"))

DICE = (
    1, 3,  # Riotinto
    4, 1, 5, 1, 6, 6,  # Mérida, Santa Olalla, Jerez
    6, 2,  # Positions at Talavera (fails) and Peñarroya
    3, 4,  # Zafra: 1 to 1
    4, 1,  # Castropol, with Naval Support
)  # fmt: skip


class Turn:
    """Plays the files of both players in turn; each order is taken when it is asked for."""

    def __init__(self) -> None:
        game = opened("crusade")
        options = frozenset({"open_hands", "example_hands"})
        self.table = open_table(game.system, "campaign", options, {"A": N, "B": R})
        self.files = {"A": _files_of("nationalist"), "B": _files_of("republican")}
        self.given: dict[str, list[ReadOrder]] = {"A": [], "B": []}
        self.policies: dict[str, Policy] = {}
        self.dice = ScriptedDice(*DICE)
        self.told: list[tuple[object, Position]] = []

    def play(self) -> None:
        while not (isinstance(self.table.waits(), DiceWanted) and not self.dice.left):
            self.table = self.step(self.table)
            assert self.table.told is not None
            told = self.table.told
            self.told += zip(told.events, told.positions, strict=True)

    def step(self, table: Table) -> Table:
        waits = table.waits()
        if isinstance(waits, DiceWanted):
            return table.roll(self.dice)
        assert isinstance(waits, Asked)
        given = self.given[waits.by]
        policy = self.policies.get(waits.by)
        if policy and table.covers(policy.by, policy.slot, policy.scope, policy.until):
            return table.submit(table.policy_answer(policy))
        if not given:
            path = self.files[waits.by].pop(0)
            file = parse(Source.decode(path.name, path.read_bytes()), table.system.verbs)
            prepared = prepare(file, table, waits.by)
            given += prepared.read
            for each in prepared.policies:
                self.policies[waits.by] = Policy(waits.by, each["slot"], None, None, each["doc"])
        assert table.answers(given[0]), (table.decision, given)
        return table.submit(given.pop(0))

    def of_kind(self, kind: type) -> list[tuple[object, Position]]:
        return [(event, position) for event, position in self.told if isinstance(event, kind)]


def _files_of(side: str) -> list[Path]:
    return [path for path in FILES if side in path.name]


@pytest.fixture(scope="module")
def turn() -> Turn:
    turn = Turn()
    turn.play()
    return turn


@pytest.fixture(scope="module")
def end(turn: Turn) -> Position:
    position: Position = turn.table.state.position
    return position


def standing(position: Position, space: str) -> list[str]:
    """The units of a space by type, reduced ones in brackets."""
    return sorted(
        f"({position.type_of(unit).id})" if position.is_reduced(unit) else position.type_of(unit).id
        for unit in position.units_in(space)
    )


@pytest.mark.rule("24.0", "24.1", "24.2", "24.6")
def test_every_order_of_both_players_was_asked_for(turn: Turn) -> None:
    assert turn.files == {"A": [], "B": []}
    assert turn.given == {"A": [], "B": []}
    assert turn.table.state.position.turn == 2


@pytest.mark.rule("24.2", "11.2.6", "11.2.7")
def test_the_printed_columns_and_loss_numbers(turn: Turn) -> None:
    fires = [event for event, _ in turn.of_kind(e.FireResolved)]
    told = [(f.side, f.column, f.die, f.loss_number) for f in fires]
    assert told == [
        (N, "4", 1, 1), (R, "1", 3, 0),
        (N, "5", 4, 2), (R, "1", 1, 0),
        (N, "7", 5, 3), (R, "2", 1, 0),
        (N, "3", 6, 2), (R, "1", 6, 1),
        (N, "4", 3, 1), (R, "1", 4, 1),
        (N, "2", 4, 1), (R, "1", 1, 0),
    ]  # fmt: skip


@pytest.mark.rule("24.2", "16.3.2")
def test_morale_follows_the_events(turn: Turn) -> None:
    assert [position.rm for _, position in turn.of_kind(e.ScoreChanged)] == [25, 26]


@pytest.mark.rule("24.2", "11.4.2", "11.5.1")
@pytest.mark.parametrize(
    "space, holder, units",
    [
        ("riotinto", N, []),
        ("jerez_de_los_caballeros", N, ["INF", "POL"]),
        ("santa_olalla", N, ["(AFR)", "CAV"]),
        ("sevilla", N, ["AFR"]),
        ("caceres", N, ["INF"]),
        ("merida", N, ["MIL-NAV", "MIL-NAV"]),
        ("mallorca", N, ["AFR", "INF"]),
        ("beach_head_mallorca", R, ["MIL", "MIL", "RPA"]),
        ("zafra", R, ["MIL", "POL"]),
        ("penarroya", R, ["MIL"]),
        ("talavera", R, ["MIL", "POL"]),
        ("castropol", N, ["INF"]),
        ("villalba", N, []),
        ("pto_de_la_espina", R, ["MIL-AST", "MIL-AST", "MIL-AST"]),
        ("bilbao", R, ["POL"]),
        ("huelva", N, []),
        ("beasain", N, ["MIL-NAV"]),
    ],
)
def test_where_everybody_stands(end: Position, space: str, holder: str, units: list[str]) -> None:
    assert (end.control[space], standing(end, space)) == (holder, units)


@pytest.mark.rule("24.5", "14.1.3", "14.1.4")
def test_the_boxes_after_the_replacements(end: Position) -> None:
    assert standing(end, RESERVE) == ["MIL", "MIL", "MIL"]
    assert [end.type_of(unit).id for unit in end.units_in(ELIMINATED)] == ["MIL", "POL"]
    assert not any(end.rp.values())


@pytest.mark.rule("24.2", "8.5.1.3", "8.5.3.2")
def test_where_the_cards_are(end: Position) -> None:
    nationalist, republican = end.decks[N], end.decks[R]
    assert nationalist.removed == ("N1", "N6", "N5")
    assert republican.removed == ("R11", "R15", "R4")
    assert nationalist.discards == ("N16", "N14", "N7", "N17")
    assert republican.discards == ("R3", "R13", "R5")
    assert end.hand_cards(N) == ()
    assert end.hand_cards(R) == ("R1",)


@pytest.mark.rule("24.2", "10.2.2")
def test_the_works_of_the_turn(end: Position) -> None:
    assert end.forts["penarroya"].kind == "position"
    assert end.digging == {"talavera": -1}
    assert (end.forts["bilbao"].kind, end.forts["bilbao"].special) == ("trench", "bilbao")


@pytest.mark.rule("24.3", "24.4", "17.1.1", "16.2.2", "16.7.2")
def test_what_the_turn_leaves_behind(end: Position) -> None:
    assert (end.vp, end.rm) == (7, 26)
    assert end.isolated == {"oviedo", "granada"}
    assert end.has("shortage")
    assert end.has("strait_nationalist")
    assert end.deadlines == {"beach_head_mallorca": 2}
