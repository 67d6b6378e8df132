"""The charts: what the worked examples read off them, and how they must look."""

from itertools import pairwise

import pytest


def loss(plain, table, strength, shift, die, drm):
    """A Loss Number as the example reads it: base column, net shift, modified die."""
    fire = plain["tables"]["fire"][table]
    base = next(
        i
        for i, (low, high) in enumerate(fire["columns"])
        if low <= strength and (high is None or strength <= high)
    )
    column = min(max(base + shift, 0), len(fire["columns"]) - 1)
    return fire["rows"][min(max(die + drm, 1), 6) - 1][column]


@pytest.mark.rule("11.2.6", "11.2.7", "20.1", "20.2.1", "20.2.2", "20.2.3", "24.2")
@pytest.mark.parametrize(
    "table, strength, shift, die, drm, lost",
    [
        ("division", 6, -1, 2, 1, 2),
        ("division", 2, 0, 4, 0, 1),  # 20.1
        ("corps", 9, -1, 1, 2, 4),
        ("corps", 5, 0, 3, 1, 4),  # 20.2.1
        ("corps", 9, -1, 2, 2, 4),
        ("corps", 5, 0, 2, 1, 3),  # 20.2.2
        ("corps", 9, -1, 4, 2, 5),
        ("corps", 5, 0, 3, 1, 4),  # 20.2.3
        ("division", 4, 0, 1, 0, 1),
        ("division", 1, 0, 3, 0, 0),  # 24.2, Riotinto
        ("division", 6, -1, 4, 0, 2),
        ("division", 1, 0, 1, 0, 0),  # Mérida
        ("division", 7, 0, 5, 0, 3),
        ("division", 2, 0, 1, 0, 0),  # Santa Olalla
        ("division", 3, 0, 6, 0, 2),
        ("division", 1, 0, 6, 0, 1),  # Jerez de los Caballeros
    ],
)
def test_loss_numbers_of_the_examples(plain, table, strength, shift, die, drm, lost):
    assert loss(plain, table, strength, shift, die, drm) == lost


@pytest.mark.rule("11.2.6")
def test_what_the_texts_tell_of_the_tables_as_a_whole(plain):
    def column(table, strength):
        return [loss(plain, table, strength, 0, die, 0) for die in range(1, 7)]

    assert [n > 0 for n in column("division", 2)] == [False] + [True] * 5
    assert max(column("division", 2)) == 1
    assert sum(column("corps", 6)) - sum(column("division", 6)) == 2 * 6
    assert column("corps", 6) == column("corps", 8) != column("corps", 5)


@pytest.mark.parametrize("table", ["division", "corps"])
def test_more_strength_and_a_higher_die_never_hurt_less(plain, table):
    rows = plain["tables"]["fire"][table]["rows"]
    assert all(a <= b for row in rows for a, b in pairwise(row))
    assert all(a <= b for row in zip(*rows, strict=True) for a, b in pairwise(row))


@pytest.mark.rule("5.2.2")
@pytest.mark.parametrize(
    "edition, turn, republican, nationalist",
    [
        ("2e", 5, 28, 16),
        ("2e", 15, 17, 4),
        ("2e", 7, 27, 12),
        ("2e", 8, 26, 11),
        ("1e", 5, 27, 14),
        ("1e", 15, 16, 3),
    ],
)
def test_automatic_victory(plain, edition, turn, republican, nationalist):
    rows = {row["turn"]: row for row in plain["tables"]["automatic_victory"][edition]}
    assert set(rows) == set(range(4, 16))
    assert (rows[turn]["republican"], rows[turn]["nationalist"]) == (republican, nationalist)


@pytest.mark.rule("3.0.war_phase", "16.5.1")
def test_the_turn_track(plain):
    turns = plain["tables"]["turns"]
    assert [row["turn"] for row in turns] == list(range(1, 19))
    assert [row["turn"] for row in turns if row["winter"]] == [5, 11, 17]
    firsts = {phase["id"]: phase["first_turn"] for phase in plain["tables"]["phases"]}
    for phase in ("columns", "mobilization", "armies"):
        assert min(row["turn"] for row in turns if row["phase"] == phase) == firsts[phase]


@pytest.mark.rule("16.1.4", "16.1.7")
def test_the_sieges(plain):
    sieges = plain["tables"]["sieges"]
    assert [(s["id"], s["resistance"], s["vp_if_liberated"]) for s in sieges] == [
        ("simancas", 1, 0),
        ("santa_maria_de_la_cabeza", 2, 0),
        ("alcazar", 3, 1),
    ]


@pytest.mark.rule("17.3.2/a", "17.3.2/b", "17.3.2/c", "17.3.2/d")
def test_the_madrid_objective(plain):
    assert [row["vp"] for row in plain["tables"]["madrid_priority"]["rows"]] == [0, -1, -2, -3]


@pytest.mark.rule("10.2.9")
def test_the_pool_of_markers(plain):
    markers = plain["tables"]["construction"]["markers"]
    assert (markers["nationalist"], markers["republican"]) == (8, 12)
    special = [n for name, n in markers.items() if name.startswith("special_trench")]
    assert sum(special) == 6
