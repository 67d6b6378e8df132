"""Two Hills by mail between two folders, through every command that knows a game."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.cli.desk import Desk, fixed_chance, lay_keys

BOLD = ("plan: {stance: bold}",)
STEADY = ("plan: {stance: steady}",)


class Player(Desk):
    """A player with a machine of their own."""

    def __init__(self, folder: Path, name: str, patch: pytest.MonkeyPatch) -> None:
        folder.mkdir()
        lay_keys(folder)
        super().__init__(folder)
        self.key, self.patch = f"{name}.key", patch

    def pbem(self, *words, stdin=""):
        self.patch.setenv("HOME", str(self.folder / ".home"))
        return super().pbem(*words, stdin=stdin)

    def writes(self, to: Player, *orders: str) -> str:
        """The next game file, with these orders if any, and sent to the other by mail."""
        with fixed_chance():
            given = (self.orders(*orders),) if orders else ()
            self.done("apply", "game.json", *given, "--key", self.key, "-o", "next.json")
        return self.sends(to)

    def sends(self, to: Player) -> str:
        shutil.move(self.folder / "next.json", self.folder / "game.json")
        letter = f"{len(list(self.folder.glob('*.eml')))}-{self.key}.eml"
        self.done("mail", "game.json", "-o", letter)
        shutil.copy(self.folder / letter, to.folder)
        return to.done("read", letter, "-o", "game.json")


@pytest.fixture
def two(tmp_path, monkeypatch):
    ana = Player(tmp_path / "ana", "ana", monkeypatch)
    beto = Player(tmp_path / "beto", "beto", monkeypatch)
    with fixed_chance():
        ana.done("new", "toy", "dusk", "--side", "amber", "--key", ana.key,
                 "--opponent", "beto.key.pub", "-o", "next.json")  # fmt: skip
    ana.sends(beto)
    beto.writes(ana)
    ana.writes(beto)
    ana.writes(beto, *BOLD)
    return ana, beto


def test_a_turn_by_mail(two):
    ana, beto = two
    assert "choose a plan" in beto.done("status", "game.json", "--key", beto.key)
    assert "plan: {stance: ...}" in beto.done("form", "game.json", "--key", beto.key)
    beto.orders(*STEADY)
    assert "1 order is legal" in beto.done("check", "game.json", "orders.yaml", "--key", beto.key)
    beto.writes(ana, *STEADY)
    ana.writes(beto)
    told = beto.done("log", "game.json")
    assert "The plan of Amber is bold." in told and "The chit" in told
    assert "signed by its author" in beto.done("verify", "game.json")
    assert "the chit of the turn" in beto.done("dice", "game.json")


def test_impulses_hexes_and_units_as_they_are_printed(two):
    ana, beto = two
    beto.writes(ana, *STEADY)
    ana.writes(beto)
    ana.writes(beto, "march: {unit: 3/7Leg, path: [2106]}")
    told = beto.done("log", "game.json", "--json")
    assert "3/7Leg marches to 2106." in json.dumps(json.loads(told))
    beto.writes(ana, "volley: {at: {12: 2106}}")
    ana.writes(beto)
    assert "12 fires at 2106" in beto.done("log", "game.json")
    (dice,) = json.loads(beto.done("luck", "game.json", "--json"))["dice"]
    assert dice["owner"] == "violet" and dice["count"] == 1
    state = json.loads(beto.done("status", "game.json", "--json"))["position"]
    assert ["Guardia", "2305"] in state["places"]


PLAN = """orders:
  - march: {unit: 3/7Leg, path: [2106]}
  - march: {unit: 3/7Leg, path: [2105]}
    when: {control: {2106: violet}}
  - march: {unit: 3/7Leg, path: [2105]}
    when: {control: {2106: amber}, empty: [2105]}
"""


def test_impulses_are_said_ahead_and_wait(two):
    ana, beto = two
    beto.writes(ana, *STEADY)
    ana.write("orders.yaml", PLAN.replace("empty", "hidden"))
    told = ana.refused(1, "check", "game.json", "orders.yaml", "--key", ana.key)
    assert "no condition is named 'hidden'" in told
    ana.write("orders.yaml", PLAN)
    told = ana.done("check", "game.json", "orders.yaml", "--key", ana.key)
    assert "when: {control: {2106: amber}, empty: [2105]}" in told
    ana.done("apply", "game.json", "orders.yaml", "--key", ana.key, "-o", "next.json")
    ana.sends(beto)
    told = " ".join(beto.writes(ana, "rest").split())
    assert "when: {control: {2106: violet}} (Amber): its condition is not true." in told
    assert "3/7Leg marches to 2105." in told
    assert "1 lapsed" in ana.done("verify", "game.json")
    assert "signed by its author" in ana.done("verify", "game.json", "--without-rules")
    assert "a when may name control, empty, impulse" in beto.done("form", "game.json")


def test_what_is_wrong_is_said_with_its_rule(two):
    ana, beto = two
    beto.writes(ana, *STEADY)
    ana.writes(beto)
    ana.orders("march: {unit: 3/7Leg, path: [2205]}")
    told = ana.refused(1, "check", "game.json", "orders.yaml")
    assert "the stream is between 2105 and 2205 [rule 1.3]" in told
    ana.orders("march: {unit: 3/7Lag, path: [2106]}")
    assert "did you mean 3/7Leg" in ana.refused(1, "check", "game.json", "orders.yaml")
    ana.write("orders.yaml", "orders: [rest]\nstanding: {losses: [11]}\n")
    assert "no standing orders" in ana.refused(1, "check", "game.json", "orders.yaml")


def test_offers_resignation_and_audit(two):
    ana, beto = two
    ana.done("offer", "game.json", "draw", "--key", ana.key, "-o", "next.json")
    ana.sends(beto)
    beto.orders(*STEADY)
    beto.done("answer", "game.json", "no", "orders.yaml", "--key", beto.key, "-o", "next.json")
    beto.sends(ana)
    told = ana.done("log", "game.json")
    assert "The Violet player declines a draw." in told
    ana.done("resign", "game.json", "--yes", "--key", ana.key, "-o", "next.json")
    ana.sends(beto)
    assert "the Violet player wins (resignation)" in beto.done("status", "game.json")
    assert "nothing was hidden" in beto.done("audit", "game.json")


def test_the_books_of_the_game(tmp_path, monkeypatch):
    desk = Player(tmp_path / "ana", "ana", monkeypatch)
    assert "Two Hills" in desk.done("games")
    assert "rules.stays_on_its_bank" in desk.done("rules", "toy", "1.3", "--code")
    assert "8 rebuilt" in desk.done("data", "toy")
    assert "no option" in desk.refused(2, "new", "toy", "dusk", "--side", "amber", "--key",
                                       "ana.key", "--opponent", "beto.key.pub", "--option",
                                       "open_hands")  # fmt: skip


def test_an_owners_data_are_laid_over_ours(tmp_path, monkeypatch):
    desk = Player(tmp_path / "ana", "ana", monkeypatch)
    own = desk.folder / "own"
    own.mkdir()
    (own / "units.yaml").write_text("units:\n  - {id: Guardia, kind: brigade}\n")
    assert "own" in desk.done("data", "toy", "own")
    (own / "units.yaml").write_text("units:\n  - {id: Guardia, kind: 3}\n")
    assert "units.yaml:2" in desk.pbem("data", "toy", "own").err


def test_a_practice_game(tmp_path, monkeypatch):
    desk = Player(tmp_path / "ana", "ana", monkeypatch)
    desk.done("solo", "toy", "dawn", "--seed", "hills", "-o", "g0.json")
    desk.orders(*BOLD)
    desk.done("apply", "g0.json", "orders.yaml", "-o", "g1.json")
    desk.done("apply", "g1.json", "orders.yaml", "-o", "g2.json")
    desk.orders("march: {unit: I Tabor, path: [2107]}")
    told = desk.done("apply", "g2.json", "orders.yaml", "-o", "g3.json")
    assert "I Tabor marches to 2107." in told
    desk.orders("volley: {at: {4/12Br: 2306}}")
    assert "no enemy in 2306" in desk.refused(1, "check", "g3.json", "orders.yaml")


def test_the_board_is_seen(two):
    ana, beto = two
    told = beto.done("show", "game.json")
    assert "AREA AA" in told and "[1]" in told and "(1)" in told
    beto.writes(ana, *STEADY)
    ana.writes(beto)
    ana.writes(beto, "march: {unit: 3/7Leg, path: [2106]}")
    assert "the plan is bold" in beto.done("show", "game.json", "--side", "violet")
    told = beto.done("show", "game.json", "2106")
    assert "3/7Leg" in told and "(over the stream)" in told
    beto.done("show", "game.json", "--svg", "map.svg", "--since", "4")
    assert "<title>2106: Amber; 3/7Leg</title>" in (beto.folder / "map.svg").read_text()
    assert "3/7Leg: 2105 to 2106" in beto.done("show", "game.json", "--since", "4")
    assert "held by Amber" in beto.done("show", "game.json", "--digest")
    told = beto.done("summary", "game.json")
    assert "this turn is not finished: entries 3 to 6 so far" in told
    assert "Amber: gains " in told and "No unit was lost" in told and "Impulse: 0, now 2." in told
    assert "<figcaption>before the turn" in beto.done("summary", "game.json", "--format", "html")
    assert "Two Hills has no cards" in beto.refused(1, "cards", "game.json")
    assert "no hex on the map is named '2010'" in beto.refused(2, "show", "game.json", "2010")
