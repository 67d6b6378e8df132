"""What a turn costs in mails, counted from the files of games played by commands alone.

Default options, sealed hands, two keys in two folders; each player has a `standing.yaml` and writes
nothing but the orders of their rounds.
"""

from __future__ import annotations

import importlib.util
import re
import shutil
from collections.abc import Iterator
from itertools import groupby, pairwise
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pbem.engine.choices import every
from pbem.engine.model import Order
from pbem.gamefile.format import read
from pbem.gamefile.journal import Answered, DeckBound, Ordered, Rolled
from pbem.gamefile.keys import load_private
from pbem.gamefile.prospect import prospect
from pbem.games.madrid.orders import Assault, Attack, Bombard, DrawChits, Move, Pass
from pbem.games.madrid.stages.impulse import Impulse
from pbem.games.madrid.stages.turn import Drawing
from pbem.games.madrid.tables import SIDES
from pbem.orders.written import orders_text
from pbem.play.game import Game
from pbem.play.snapshot import read_game
from pbem.play.table import Table
from pbem.value import replace
from tests.cli.desk import fixed_chance, lay_keys

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "standing-orders" / "run.py"
QUIET, WITH_SIX_COMBATS, NEW_DECKS = 12, 14, 2
"""The mails of a turn of Crusade, at most with six combats, and more where decks are made anew."""


def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("standing_orders_run", EXAMPLE)
    assert spec and spec.loader
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


RUN = example()


def newest(folder: Path) -> Game:
    """The game with the most entries in a folder."""
    files = (path.read_bytes() for path in folder.glob("*.pbem.json"))
    return read_game(max(files, key=lambda raw: len(read(raw))))


def in_words(game: Game, first: int, last: int) -> str:
    """The entries between two, for a test that fails."""
    lines = []
    for entry in game.fold.entries[first:last]:
        kinds = (step["do"] for step in entry.steps)
        lines.append(f"{entry.by}: {' '.join(kind for kind, _ in groupby(kinds))}")
    return "\n".join(lines)


def mails(game: Game, first: int, last: int) -> int:
    """The mails of these entries: those that one player writes in a row travel together."""
    return sum(1 for _ in groupby(entry.by for entry in game.fold.entries[first:last]))


class Seat(RUN.Player):  # type: ignore[misc, name-defined]
    """A player of the example, with a key that is the same in every run."""

    def pbem(self, *words: str, may_fail: bool = False) -> str:
        if words[0] == "keygen":
            lay_keys(self.folder)
            for end in ("key", "key.pub"):
                shutil.copy(self.folder / f"{self.name}.{end}", self.folder / f"my.{end}")
            return ""
        return str(super().pbem(*words, may_fail=may_fail))


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.setenv("XDG_CONFIG_HOME", "kept as it was")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    with fixed_chance():
        yield tmp_path


def test_pages_for_players_tell_these_figures_and_no_others() -> None:
    """What is left of each page without its row or table counts no mails in digits."""
    row = (
        f"| mails | {QUIET} a quiet turn, {WITH_SIX_COMBATS} at most with six combats, "
        f"{NEW_DECKS} more for new decks | one an impulse, fewer with impulses written ahead "
        "| two a turn | one an activation, three more a day |"
    )
    table = (
        f"| a turn | mails |\n|---|---|\n| quiet | {QUIET} |\n"
        f"| with six combats | at most {WITH_SIX_COMBATS} |\n"
        f"| at whose end one deck or both are made anew | {NEW_DECKS} more |\n"
    )
    told = {"README.md": row, "examples/standing-orders/README.md": table}
    for path in (ROOT / "README.md", *ROOT.glob("examples/**/*.md")):
        name = path.relative_to(ROOT).as_posix()
        text = path.read_text(encoding="utf-8")
        assert told.get(name, "") in text, name
        rest = text.replace(told.get(name, ""), "")
        assert not re.search(r"\b\d+ mails|mails? for \d+|\d+ (a|for \d+) impulse", rest), name


# --- Crusade and Revolution -----------------------------------------------------------------------


def first_rounds(game: Game) -> list[int]:
    """The entries in which a turn begins: the first orders of its first Nationalist round."""
    found: dict[int, int] = {}
    for at, told in enumerate(game.fold.journal):
        for each in told:
            if isinstance(each, Ordered) and each.by == "A" and "play" in each.order:
                turn = each.before.state.position.turn
                found.setdefault(turn, at)
    return [found[turn] for turn in sorted(found)]


def test_a_turn_of_crusade_quiet_with_six_combats_and_with_new_piles(
    root: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With six combats questions come that nobody foresaw, which cost two mails each."""
    ana, beto = Seat(root, "ana"), Seat(root, "beto")
    RUN.play(ana, beto, len(RUN.COMBATS))
    told = capsys.readouterr().out
    game = max(map(newest, (ana.folder, beto.folder)), key=lambda one: len(one.fold.entries))
    begins = first_rounds(game)
    counted = [mails(game, *each) for each in pairwise(begins)]
    fights, piles = [], []
    for first, last in pairwise(begins):
        lines = [line for told in game.fold.journal[first:last] for line in told]
        fights.append(sum(isinstance(each, Rolled) and each.what == "combat" for each in lines))
        piles.append(any(isinstance(each, DeckBound) for each in lines))
    said = [int(each) for each in re.findall(r"^turn \d+: (\d+) mails", told, re.M)]
    assert said[: len(counted)] == counted, "what the example prints is what the file says"
    assert (fights[0], piles[0], counted[0]) == (0, False, QUIET), in_words(game, *begins[:2])
    assert max(fights) >= 6 and any(piles)
    for place, count in enumerate(counted):
        most = (WITH_SIX_COMBATS if fights[place] else QUIET) + NEW_DECKS * piles[place]
        assert count <= most, in_words(game, begins[place], begins[place + 1])


# --- Storm over Madrid ----------------------------------------------------------------------------

MAILS = 31
VERBS = {kind.verb for kind in (Move, Bombard, Attack, Assault, Pass)}
MADRID = """\
standing:
  losses: [spent, line]
  counterattack: {with: [shock, line]}
  chits: []
  own: {losses: [spent, line]}
"""


class General(Seat):
    """A player of Madrid, who draws chits face down and plans impulses, each unit once."""

    def __init__(self, root: Path, name: str, seat: str) -> None:
        super().__init__(root, name)
        self.seat, self.said = seat, set[str]()
        (self.folder / "standing.yaml").write_text(MADRID)

    def _round(self, game: str, path: Path) -> None:
        key = load_private((self.folder / "my.key").read_bytes())
        table = prospect(read_game((self.folder / game).read_bytes()).fold, key).in_play
        assert isinstance(table, Table) and table.decision is not None
        asked = table.state.agenda[-1]
        if isinstance(asked, Drawing):
            order: Order = DrawChits(3)
        elif isinstance(asked, Impulse):
            order = self.impulse(table, asked)
        else:
            order = table.decision.default
        path.write_text(orders_text([order]))

    def impulse(self, table: Table, asked: Impulse) -> Order:
        """An attack with units not used before, else a move, else a pass."""
        position = table.state.position
        offers = (
            replace(each.order, units=units) if "units" in each.others else each.order
            for option in asked.ask(position).options
            if option.examples is not None and option.order.verb in VERBS
            for each in option.examples(every)
            for units in each.others.get("units", ((),))
        )
        for order in sorted(offers, key=lambda one: (isinstance(one, Move), len(units_of(one)))):
            units = {*units_of(order)}
            if not units & self.said and next(asked.check(position, order), None) is None:
                self.said |= units
                return order
        return Pass()


def units_of(order: Any) -> tuple[str, ...]:
    return order.guns if isinstance(order, Bombard) else order.units  # type: ignore[no-any-return]


def impulses_in(game: Game, entry: int) -> int:
    told = game.fold.journal[entry]
    orders = (each.order for each in told if isinstance(each, Ordered | Answered))
    return sum(1 for order in orders if VERBS & order.keys())


def test_an_impulse_of_madrid_is_one_mail_with_hands_that_lie_face_down(root: Path) -> None:
    ana, beto = General(root, "ana", "A"), General(root, "beto", "B")
    shutil.copy(beto.folder / "my.key.pub", ana.folder / "beto.pub")
    ana.pbem("new", "madrid", "scenario_1", "--side", SIDES[0], "--opponent", "beto.pub",
             "-o", "0.pbem.json")  # fmt: skip
    ana.pbem("mail", "0.pbem.json", "--to", RUN.ADDRESS, "-o", "0.eml")
    mail, writer, other = "0.eml", beto, ana
    for _ in range(MAILS):
        shutil.copy(other.folder / mail, writer.folder)
        mail = writer.answers(mail)
        writer, other = other, writer
    game = newest(other.folder)
    played = [impulses_in(game, at) for at in range(len(game.fold.entries))]
    assert sum(played) >= 26
    first = next(at for at, count in enumerate(played) if count)
    hands = game.fold.machine.table.hand("A"), game.fold.machine.table.hand("B")
    assert all(hands), "chits lie face down in both hands"
    lines = [line for told in game.fold.journal[first:] for line in told]
    assert sum(isinstance(each, Rolled) for each in lines) >= 6
    assert mails(game, first, len(played)) == sum(played), in_words(game, first, len(played))
