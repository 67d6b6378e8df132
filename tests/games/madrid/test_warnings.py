"""What check calls unwise in Madrid."""

from __future__ import annotations

import pytest

from pbem.cli.languages import language
from pbem.engine.model import State
from pbem.games.madrid.position import Position
from pbem.games.madrid.warnings import dangers
from pbem.messages import words
from tests.games.madrid.table import N, R, table


def said(position: Position, side: object = N) -> list[str]:
    return [f"{each.message} [{each.rule}]" for each in dangers(State(position, ()), side)]  # type: ignore[arg-type]


def test_units_without_a_chain_of_areas_behind_them() -> None:
    position = table({"K": "N01"}, nationalist="")
    told = said(position)
    assert len(told) == 1 and told[0].endswith(" is out of supply [3.3.4]")
    assert said(position, R) == []
    home = table({"K": "N01"}, nationalist=" ".join(position.board.areas))
    assert said(home) == []


def test_units_beside_enemies_that_have_nowhere_to_go() -> None:
    alone = table({"K": "N01 R01"}, nationalist="")
    assert any("cannot retreat: they would be eliminated [9.7.d]" in each for each in said(alone))
    assert said(table({"K": "R01"}, nationalist="")) == [], "the enemy's retreat is no danger"
    near = " ".join(alone.board.graph.neighbours("K"))
    assert not any("retreat" in each for each in said(table({"K": "N01 R01"}, nationalist=near)))
    assert not any("retreat" in each for each in said(table({"K": "N01"}, nationalist="")))


# --- ground left open -----------------------------------------------------------------------------


def held(*republican: str) -> str:
    """Every area but these."""
    return " ".join(area for area in table().board.areas if area not in republican)


def left_open(at: dict[str, str], side: object = R, **how: object) -> list[str]:
    return [each for each in said(table(at, **how), side) if " has no unit" in each]  # type: ignore[arg-type]


def test_madrid_without_a_unit_beside_an_enemy_in_supply() -> None:
    assert left_open({"BB": "N01"}, nationalist=held("AA")) == [
        "Madrid (AA) has no unit, and the enemy in Ciudad Universitaria (BB) can take it: that "
        "would win the game [10.a]"
    ]
    on_their_way = left_open({"CC": "N01"}, nationalist="H T S CC")
    assert "(CC) can take it: that would win the game [10.a]" in on_their_way[1], "with four roads"
    assert left_open({"CC": "N01"}, nationalist="CC")[0] == (
        "Madrid (AA) has no unit, and the enemy in Casa de Campo (CC) can take it: it is a supply "
        "source [3.3.1]"
    ), "out of supply they do not win"


@pytest.mark.parametrize(
    ("at", "how"),
    [
        ({"CC": "N01", "AA": "R01s"}, {}),  # a guard, even a spent one
        ({"CC": "N42"}, {}),  # artillery does not go alone
        ({"CC": "N01", "A": "R01"}, {"nationalist": "D"}),  # from an enemy area to an enemy area
        ({"CC": "N01"}, {"facts": ()}),  # over the river, while that is barred
        ({"CC": "N01"}, {"pause": 2}),
        ({"X": "N01"}, {}),  # not beside it
    ],
)
def test_madrid_is_safe(at: dict[str, str], how: dict[str, object]) -> None:
    told = left_open(at, **{"nationalist": "CC D", **how})
    assert not any(each.startswith("Madrid") for each in told)


VALENCIA = " has no unit, and the enemy in La Marañosa (P) can take it: that would "


def test_a_road_that_would_be_cut_or_opened() -> None:
    assert left_open({"P": "N01"}, nationalist=held("Q", "R", "AA", "GG", "LL", "KK")) == [
        f"Arganda del Rey (Q){VALENCIA}cut the Valencia road [10.c]",
        f"Vaciamadrid (R){VALENCIA}cut the Valencia road [10.c]",
    ]
    (told,) = left_open({"LL": "R01"}, N, nationalist="D E F G Q")
    assert told == (
        "Arganda del Rey (Q) has no unit, and the enemy in Barajas (LL) can take it: that would "
        "open the Valencia road [10.c]"
    )


def test_what_an_area_is_worth_is_told_in_the_readers_language() -> None:
    position = table({"P": "N01"}, nationalist=held("Q", "R", "AA", "GG", "LL", "KK"))
    told = [words(each.message, language("es")) for each in dangers(State(position, ()), R)]
    assert "(P) puede tomarla: eso cortaría la carretera de Valencia" in told[0]


def test_the_last_road_that_would_be_cut() -> None:
    assert left_open({"P": "N01"}, nationalist=held("Q", "R", "AA")) == [
        f"Arganda del Rey (Q){VALENCIA}win the game [10.b]",
        f"Vaciamadrid (R){VALENCIA}win the game [10.b]",
    ]


@pytest.mark.rule("10.a")
def test_the_road_to_madrid_that_would_supply_those_in_it() -> None:
    (told, *_) = left_open({"AA": "N01", "DD": "N02"}, nationalist="D C L DD AA")
    assert told.startswith(table().called("K") + " has no unit")
    assert told.endswith(" can take it: that would win the game [10.a]")


@pytest.mark.rule("10.a", "10.b")
def test_a_game_that_is_won_already_is_not_won_with_another_area() -> None:
    """Nor do the Nationalists lose it by losing ground."""
    at, north = {"AA": "N01", "BB": "N02", "JJ": "R01"}, held("GG", "JJ")
    for side, lost in (
        (N, "that would open the Burgos (Irún) road [10.c]"),
        (R, "it is an urban area [2.5]"),
    ):
        (told,) = left_open(at, side, nationalist=north)
        assert told.endswith(f" can take it: {lost}")


def test_an_area_over_which_others_are_supplied() -> None:
    """Fuenlabrada is reached over Parla alone; it matters where somebody is in Fuenlabrada."""
    at = {"J": "N01", "E": "R01", "D": "N02"}
    (told,) = left_open(at, N, nationalist="D C J")
    assert told.endswith("can take it: units would be out of supply [3.3.4]")
    assert told.startswith(table().called("C") + " has no unit")
    assert left_open({**at, "C": "N03"}, N, nationalist="D C J") == []
    assert left_open({**at, "J": ""}, N, nationalist="D C J") == []


@pytest.mark.rule("12.2.g")
@pytest.mark.parametrize("facts", [(), ("madrid_bombarded",)])
def test_the_garrison_takes_nothing_before_it_is_released(facts: tuple[str, ...]) -> None:
    told = left_open({"AA": "R06"}, N, scenario="scenario_2", nationalist="D CC", facts=facts)
    assert [each.partition(" has")[0] for each in told] == ["Casa de Campo (CC)"] * len(facts)


def test_an_urban_area_counts_and_open_country_does_not() -> None:
    told = left_open({"CC": "N01", "AA": "R01"}, nationalist="CC D")
    assert told[1] == (
        "Carabanchel (DD) has no unit, and the enemy in Casa de Campo (CC) can take it: it is an "
        "urban area [2.5]"
    )
    assert len(told) == 2, "and Ciudad Universitaria; not Húmera, which is open country"
