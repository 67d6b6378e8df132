"""Storm over Madrid by mail between two folders, through every command that knows a game."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.desk import Desk, fixed_chance, lay_keys

NEW = ("new", "madrid", "scenario_1", "--side", "nationalist", "--key", "ana.key",
       "--opponent", "beto.key.pub")  # fmt: skip
SET_UP = "place: {units: {R02: H, R04: B, R06: C, R10: U, R14: C, R15: A, R17: M}}"
IMPULSE = ("move", "attack", "assault", "bombard")
ANA = "ana.key"
KEYS = {"A": ANA, "B": "beto.key"}


@pytest.fixture
def desk(tmp_path, monkeypatch) -> Desk:
    monkeypatch.setenv("HOME", str(tmp_path / ".home"))
    lay_keys(tmp_path)
    return Desk(tmp_path)


def test_a_game_says_that_its_chits_lie_open(desk: Desk) -> None:
    told = desk.refused(1, *NEW, "-o", "g0.json")
    assert "scenario_1 cannot be played without open_hands" in told
    assert "add --option open_hands: Both players see all chits; hidden ones are not built" in told
    assert not Path(desk.folder, "g0.json").exists()
    assert "open_hands" in desk.done("solo", "madrid", "scenario_1", "-o", "solo.json")


def test_cards_before_the_draw_and_a_chit_by_its_own_name(desk: Desk) -> None:
    desk.done("solo", "madrid", "scenario_1", "--option", "open_hands", "-o", "solo.json")
    assert desk.done("cards", "solo.json") == "nobody holds a chit now\n"
    assert desk.done("cards", "solo.json", "CN2b") == desk.done("cards", "solo.json", "CN2")


@pytest.fixture
def game(desk: Desk) -> Desk:
    """A game in which the first impulse of all is to be played."""
    with fixed_chance():
        desk.done(*NEW, "--option", "open_hands", "-o", "game.json")
        while asked(desk) not in IMPULSE:
            writes(desk, *{"place": [SET_UP], "draw": ["draw: {chits: 2}"]}.get(asked(desk), []))
    return desk


def asked(desk: Desk) -> str:
    """What whoever is to write is asked; empty where they owe something else."""
    question = status(desk)["you"]["asked"]
    return question["verbs"][0] if question else ""


def status(desk: Desk) -> dict:
    """How the game stands for whoever is to write, with their key."""
    key = KEYS[json.loads(desk.done("status", "game.json", "--json"))["pen"]]
    return {**json.loads(desk.done("status", "game.json", "--key", key, "--json")), "key": key}


def writes(desk: Desk, *orders: str) -> str:
    """The next entry by whoever is to write."""
    given = (desk.orders(*orders),) if orders else ()
    told = desk.done("apply", "game.json", *given, "--key", status(desk)["key"], "-o", "next.json")
    shutil.move(desk.folder / "next.json", desk.folder / "game.json")
    return told


def test_an_attack_by_mail(game: Desk) -> None:
    assert "- assault: {units: [" in game.done("form", "game.json", "--key", ANA)
    game.orders("assault: {units: [I Bandera, IV Bandera, N13], path: [D, C], point: N01}")
    told = game.done("check", "game.json", "orders.yaml", "--key", ANA)
    assert "the attack value is" in told and "movement points" in told
    told = writes(game, "assault: {units: [I Bandera, IV Bandera, N13], path: [D, C], point: N01}")
    assert "The Nationalists assault Parla (C) with I Bandera, IV Bandera and I Tabor" in told
    assert "signed by its author" in game.done("verify", "game.json")
    game.done("resign", "game.json", "--key", status(game)["key"], "-o", "over.json")
    assert "nothing was hidden" in game.done("audit", "over.json")


@pytest.mark.rule("9.0.1")
def test_a_second_impulse_is_refused_before_it_lapses(game: Desk) -> None:
    """Behind dice or a question to the enemy it would be kept, and lapse with the first one."""
    first = "assault: {units: [I Bandera, IV Bandera, N13], path: [D, C], point: N01}"
    game.orders(first, "move: {units: [VII Bandera], path: ['6', E]}")
    for command in (("check",), ("apply", "-o", "n.json")):
        told = game.refused(1, command[0], "game.json", "orders.yaml", "--key", ANA, *command[1:])
        assert told.startswith(
            "orders.yaml:3:5: this is a second impulse, and the first one is still under way "
            "[rule 9.0.1]\n"
        )
        assert "hint: leave it out: give it when you are asked for your next impulse" in told
    game.orders(first, "lose: {spend: [I Bandera]}")
    told = game.done("check", "game.json", "orders.yaml", "--key", ANA)
    assert "judged when its turn comes" in told


def test_what_is_wrong_is_said_with_its_rule(game: Desk) -> None:
    game.orders("move: {units: [I Bandera], path: [D, C, J]}")
    assert "[rule 9.2" in game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    game.orders("move: {units: [I Bandra], path: [D, E]}")
    told = game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    assert "did you mean N01?" in told
    game.write("orders.yaml", "orders: [pass]\nstanding: {retreat: {}}\n")
    told = game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    assert "no standing orders" in told


def test_the_board_and_the_chits_are_seen(game: Desk) -> None:
    told = game.done("show", "game.json")
    assert "MADRID AND ITS SUBURBS" in told and "chits in hand: 2; 13 chits in the cup" in told
    assert "next to it:" in game.done("show", "game.json", "Parla")
    assert "no area on the map is named 'Toledo'" in game.refused(1, "show", "game.json", "Toledo")
    game.done("show", "game.json", "--svg", "map.svg")
    assert "<title>C Parla: Republican, terrain +1;" in (game.folder / "map.svg").read_text()
    assert "Bombards any area" in game.done("cards", "madrid", "CR2")
    assert "if a chit were asked for now" in game.done("cards", "game.json", "--key", "beto.key")
    assert "there is no chit 'X1'" in game.refused(1, "cards", "game.json", "X1")


def test_the_books_of_the_game(desk: Desk) -> None:
    assert "rules.victory.madrid_falls" in desk.done("rules", "madrid", "10.a", "--code")
    assert "rebuilt" in desk.done("data", "madrid")
    own = desk.folder / "own"
    own.mkdir()
    (own / "map.yaml").write_text("areas:\n  - {id: K, terrain: 1}\n")
    assert "own" in desk.done("data", "madrid", "own")
    (own / "map.yaml").write_text("areas:\n  - {id: K, terrain: high}\n")
    assert "map.yaml:2" in desk.pbem("data", "madrid", "own").err
