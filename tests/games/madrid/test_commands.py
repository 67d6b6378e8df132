"""Storm over Madrid by mail between two folders, through every command that knows a game."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.cli.desk import Desk, fixed_chance, lay_keys
from tests.games.madrid.table import N, system

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


def test_chits_lie_face_down_unless_both_agree(desk: Desk) -> None:
    assert "Storm over Madrid" in desk.done(*NEW, "-o", "g0.json")
    assert "open_hands" not in (desk.folder / "g0.json").read_text()
    told = desk.done("solo", "madrid", "scenario_1", "-o", "solo.json")
    assert "Both players see all chits" in told


def test_a_unit_that_is_left_out_of_the_set_up_is_told_where_it_may_stand(desk: Desk) -> None:
    desk.done("solo", "madrid", "scenario_1", "-o", "solo.json")
    told = desk.refused(1, "check", "solo.json", desk.orders(SET_UP.replace("R02: H, ", "")))
    assert "Columna Mangada must be placed too [rule 1.1.9]\n" in told
    assert "hint: Columna Mangada may be set up in Sevilla la Nueva (H) or Brunete (U)\n" in told


def test_cards_before_the_draw_and_a_chit_by_its_own_name(desk: Desk) -> None:
    desk.done("solo", "madrid", "scenario_1", "--option", "open_hands", "-o", "solo.json")
    assert desk.done("cards", "solo.json") == "no player has a chit now\n"
    assert desk.done("cards", "solo.json", "CN2b") == desk.done("cards", "solo.json", "CN2")


@pytest.fixture
def game(desk: Desk) -> Desk:
    """A game in which the first impulse of all is to be played; its chits lie open."""
    return begun(desk, "--option", "open_hands")


@pytest.fixture
def hidden(desk: Desk) -> Desk:
    """The same with chits face down."""
    return begun(desk)


def begun(desk: Desk, *options: str) -> Desk:
    with fixed_chance(b"\x07"):  # Ana draws CN2b and CN9a
        desk.done(*NEW, *options, "-o", "game.json")
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
    game.done("resign", "game.json", "--yes", "--key", status(game)["key"], "-o", "over.json")
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
        assert "hint: write later impulses under `impulses:` in `standing:`, or when" in told
    game.orders(first, "lose: {spend: [I Bandera]}")
    told = game.done("check", "game.json", "orders.yaml", "--key", ANA)
    assert "checked when its turn comes" in told


def test_what_is_wrong_is_said_with_its_rule(game: Desk) -> None:
    game.orders("move: {units: [I Bandera], path: [D, C, J]}")
    assert "[rule 9.2" in game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    game.orders("move: {units: [I Bandra], path: [D, E]}")
    told = game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    assert "did you mean I Bandera?" in told
    game.write("orders.yaml", "orders: [pass]\nstanding: {retreat: {C: [D, 66]}}\n")
    told = game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    assert "orders.yaml:2:29" in told and "no area is named '66'" in told


def test_units_are_shown_by_their_names(game: Desk) -> None:
    """In a form, in what an open choice is filled in with, and in the log; all of it reads back."""
    form = game.done("form", "game.json", "--key", ANA)
    offered = [line[6:].partition("   # ")[0] for line in form.splitlines() if line[:6] == "  # - "]
    assert "assault: {units: [I Bandera, IV Bandera, I Tabor de Melilla" in form
    assert not re.search(r"\b[NR]\d\d\b", form)
    legend = " ".join(line[2:] for line in form.splitlines() if line[:2] == "# ")
    assert " A = Navalcarnero, B = Griñón, C = Parla, D = Illescas," in legend
    assert "AA = Madrid" not in legend, "a letter that no order here has"
    for order in offered:
        game.orders(order)
        assert " is named " not in game.pbem("check", "game.json", "orders.yaml", "--key", ANA).err
    game.orders("assault: {units: [I Bandera, IV Bandera], path: ...}")
    told = game.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    assert "fill in path: " in told
    told = writes(game, "move: {units: [N05], path: ['6', E]}")
    assert "> move: {units: [VII Bandera], path: [6, E]}" in told


def test_every_printed_name_means_its_unit() -> None:
    state = system().setup("campaign", frozenset({"open_hands"}))
    names = system().names(state, N, None, answering=False)
    for unit, printed in names.known("unit").items():
        assert names.spelt("unit", unit) == printed and names.find("unit", printed) == unit
    assert names.spelt("area", "C") == "C"


def test_the_board_and_the_chits_are_seen(game: Desk) -> None:
    told = game.done("show", "game.json")
    assert "MADRID AND ITS SUBURBS" in told and "chits in hand: 2; 13 chits in the cup" in told
    assert "next to it:" in game.done("show", "game.json", "Parla")
    assert "no area on the map is named 'Toledo'" in game.refused(2, "show", "game.json", "Toledo")
    game.done("show", "game.json", "--svg", "map.svg")
    assert "<title>C Parla: Republican, terrain +1;" in (game.folder / "map.svg").read_text()
    assert "Bombards any area" in game.done("cards", "madrid", "CR2")
    assert "if you were asked now:" in game.done("cards", "game.json", "--key", "beto.key")
    told = game.refused(2, "cards", "game.json", "XYZ")
    assert told == "there is no chit 'XYZ'\n      hint: pbem cards madrid lists them all\n"


def test_every_command_shows_a_hand_face_down_to_its_player_alone(hidden: Desk) -> None:
    """CN2b and CN9a, drawn by the dice of this test: Ana sees them, Beto and the file do not."""
    assert "Aerial Bombardment" in hidden.done("cards", "game.json", "--key", ANA)
    assert "2 not seen" in hidden.done("cards", "game.json", "CN2", "--key", "beto.key")
    assert "1 in the cup" in hidden.done("cards", "game.json", "CN2", "--key", ANA)
    form = hidden.done("form", "game.json", "--key", ANA)
    assert "play: {chit: CN2b" in form or "play: {chit: CN2a" in form
    for told in (
        hidden.done("log", "game.json"), hidden.done("show", "game.json"),
        hidden.done("status", "game.json"), hidden.done("show", "game.json", "--key", "beto.key"),
        hidden.done("mail", "game.json"), hidden.done("cards", "game.json"),
        (hidden.folder / "game.json").read_text().split('"decks"')[-1],
    ):  # fmt: skip
        assert "CN9a" not in told and "flees to Valencia" not in told
    assert "chits in hand: 2; 13 chits in the cup" in hidden.done("show", "game.json")
    assert "flees to Valencia" in hidden.done("show", "game.json", "--key", ANA)
    hidden.orders("play: {chit: Aerial Bombardment, target: A, point: R01}")
    assert "legal" in hidden.done("check", "game.json", "orders.yaml", "--key", ANA)
    hidden.orders("play: {chit: CN1a, target: A}")
    told = hidden.refused(1, "check", "game.json", "orders.yaml", "--key", ANA)
    assert "Reserve Artillery Bombardment (CN1a) is not in your hand" in told
    assert "you hold Aerial Bombardment (CN2b) and Republi" in told


def test_secret_cups_to_the_audit(hidden: Desk) -> None:
    order = "play: {chit: Aerial Bombardment, target: A, point: R01}"
    assert "Aerial Bombardment" in writes(hidden, order)
    writes(hidden)
    assert "signed by its author" in hidden.done("verify", "game.json")
    assert "1 slot opened" in hidden.done("verify", "game.json")
    assert "2 sealed layouts" in hidden.done("verify", "game.json", "--without-rules")
    hidden.done("resign", "game.json", "--yes", "--key", status(hidden)["key"], "-o", "over.json")
    for key in KEYS.values():
        hidden.done("audit", "over.json", "--key", key, "-o", "next.json")
        shutil.move(hidden.folder / "next.json", hidden.folder / "over.json")
    told = hidden.done("audit", "over.json")
    assert told.count("has revealed what they kept hidden") == 2


def test_the_books_of_the_game(desk: Desk) -> None:
    assert "rules.victory.madrid_falls" in desk.done("rules", "madrid", "10.a", "--code")
    assert "rebuilt" in desk.done("data", "madrid")
    own = desk.folder / "own"
    own.mkdir()
    (own / "map.yaml").write_text("areas:\n  - {id: K, terrain: 1}\n")
    assert "own" in desk.done("data", "madrid", "own")
    (own / "map.yaml").write_text("areas:\n  - {id: K, terrain: high}\n")
    assert "map.yaml:2" in desk.pbem("data", "madrid", "own").err


def test_long_lists_of_units_are_cut_into_lines(game: Desk) -> None:
    told = game.done("status", "game.json", "--key", ANA).partition("your units:\n")[2]
    units = told.partition("your chits:")[0]
    assert max(map(len, units.splitlines())) <= 100
    assert "\n  on the track: VIII Bandera, " in f"\n{units}"
    assert "\n    " in units


def test_a_game_against_the_bot(desk: Desk) -> None:
    against = ("solo", "madrid", "scenario_1", "--against", "bot", "--seed", "x")
    label = "solo: pbem is the Nationalist player, so the dice prove nothing"
    assert label in desk.done(*against, "--side", "republican", "-o", "0.json")
    for at in range(2):
        told = desk.done("apply", f"{at}.json", "--bot", "-o", f"{at + 1}.json")
        assert label in told and "[entry " in told
    assert "Nationalist player:\n    | assaults Parla (C), 9 against " in told
    assert '"pen": "B"' in desk.done("status", "2.json", "--json")
    assert "a solo game" in desk.done("verify", "2.json")
    assert "pbem is the Republican player" in desk.done(*against, "-o", "first.json")


def test_the_bot_answers_for_a_player_who_is_away(hidden: Desk) -> None:
    """The opponent is not told why."""
    told = hidden.done(
        "apply", "game.json", "--bot", "--key", status(hidden)["key"], "-o", "b.json"
    )
    steps = json.loads((hidden.folder / "b.json").read_text())["entries"][-1]["payload"]["steps"]
    assert "> " in told and "    | " not in told
    assert "say" not in [step["do"] for step in steps]
    assert "CN2b" not in told, "it shows a chit that it did not play"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--side", "republican"), "--side needs --against bot"),
        (("--against", "bot", "--side", "carlist"), "there is no side 'carlist'"),
        (("--against", "me"), "'me' is not 'bot'"),
        (("--option", "bot_a"), "there is no option 'bot_a'"),
    ],
)
def test_what_is_no_game_against_the_bot(desk: Desk, words: tuple[str, ...], said: str) -> None:
    assert said in desk.refused(2, "solo", "madrid", "scenario_1", *words, "-o", "s.json")


def test_orders_are_given_or_left_to_the_bot(hidden: Desk) -> None:
    orders = hidden.orders("pass")
    err = hidden.refused(2, "apply", "game.json", orders, "--bot", "--key", ANA)
    assert "--bot chooses the orders: leave ORDERS out" in err
