"""A made-up release 1.1 of Storm over Madrid: it changes a value, a rule, a comment and a text, and
plays the games of 1.0 as 1.0 did."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import fixes as engine
from pbem.engine.fixes import Fix, mended
from pbem.gamedata import check, past, where
from pbem.gamedata.load import load
from pbem.gamefile.errors import FileRefused
from pbem.games.madrid import fixes
from pbem.games.madrid.rules import movement
from pbem.games.madrid.system import StormOverMadrid
from pbem.messages import say, words
from pbem.play import systems
from pbem.play.answer import agreed
from pbem.play.game import Game
from pbem.play.offers import changes_of, upgrade_of
from pbem.play.snapshot import read_game
from tests import pinned
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.pinned import as_they_are
from tests.releases import overlay
from tests.releases.make import GAMES, file_of
from tests.releases.play import Kept, begun, to_its_end

(RUNNING,) = (each for each in GAMES if each.name == "madrid campaign")
(FINISHED,) = (each for each in GAMES if each.name == "madrid scenario 1")
SHIPPED = Path(where.home())


def at_their_side(position: Any, units: Any) -> int:
    """The old reading."""
    return was(position, units)


was = movement.speed


def slower(position: Any, units: Any) -> int:
    """Two or more units that move together have a movement point less."""
    return was(position, units) - (len(units) > 1)


slower.__module__ = movement.__name__


@dataclass
class MadeUp:
    """The tree of the release, and the folder of its data."""

    home: Path
    data: Path

    def edit(self, path: str, old: str, new: str) -> None:
        text = (self.data / path).read_text("utf-8")
        assert old in text, old
        (self.data / path).write_text(text.replace(old, new, 1), "utf-8")
        forget()


def forget() -> None:
    """What this process remembers of the data."""
    systems._OPENED.clear()
    pinned._shipped.cache_clear()  # type: ignore[attr-defined]
    check.shipped.cache_clear()
    engine._old.cache_clear()


@pytest.fixture
def next_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[MadeUp]:
    home = tmp_path / "1.1"
    shutil.copytree(SHIPPED / "data" / "madrid", home / "data" / "madrid")
    (home / "schemas").symlink_to(SHIPPED / "schemas")
    monkeypatch.setattr(where, "SHIPPED", str(home))
    monkeypatch.setattr(movement, "speed", mended(1)(slower))
    every = (
        Fix(1, "2027-01-31", "9.2.c", say("units that move together are slower"), at_their_side),
    )
    monkeypatch.setattr(fixes, "FIXES", every)
    monkeypatch.setattr(StormOverMadrid, "fixes", every)
    made = MadeUp(home, home / "data" / "madrid")
    with as_they_are():
        forget()
        made.edit("tables.yaml", "  river: 1\n", "  river: 2  # dearer than we thought\n")
        made.edit("tables.yaml", "# In movement points.", "# In movement points, as printed.")
        made.edit("chits.yaml", "Reserve Artillery Bombardment", "Guns in reserve")
        (old,) = (each for slug, each in overlay.data_of("1.0").items() if slug == "madrid")
        overlay.write("madrid", "1.0", old["digest"], old["files"])
        yield made
    forget()


def kept(game: Kept) -> Game:
    path = overlay.HERE / "1.0" / file_of(game)
    return read_game(gzip.decompress(path.read_bytes()))


def test_only_the_value_is_in_the_overlay(next_release: MadeUp) -> None:
    folder = next_release.data / "past" / "1.0"
    assert [path.name for path in folder.iterdir()] == ["tables.yaml"]
    assert json.loads((folder / "tables.yaml").read_text()) == {"movement": {"river": 1}}
    (release,) = past.releases("madrid")
    assert (release.name, release.whole, release.without) == ("1.0", (), ())
    assert release.digest != load("madrid").digest


def test_games_of_1_0_are_played_by_its_data_and_rules(next_release: MadeUp) -> None:
    finished, running = kept(FINISHED), kept(RUNNING)
    assert finished.fold.phase == "over"
    for game in (finished, running):
        assert game.opened.fixes == ()
        assert game.opened.digest == game.fold.proposal["data"] != load("madrid").digest
        assert game.opened.plain["tables"]["movement"]["river"] == 1
        chits = game.opened.plain["chits"]["chits"]
        assert chits[0]["title"] == "Guns in reserve", "texts are those of today"
    for after in to_its_end(running, RUNNING):
        running = after
    assert running.fold.phase == "over"


def test_a_new_game_has_the_new_value_and_pins_the_fix(next_release: MadeUp) -> None:
    game = begun(Kept("a new one", "madrid", "scenario_1"))
    assert game.fold.proposal["fixes"] == [1]
    assert game.opened.fixes == (1,)
    assert game.opened.plain["tables"]["movement"]["river"] == 2
    for number, after in enumerate(to_its_end(game, Kept("a new one", "madrid", "scenario_1"))):
        game = after
        if number == 12:
            break
    assert read_game(game.bytes()).fold.phase == "running"


def test_the_old_rule_and_the_new_one_stand_side_by_side(next_release: MadeUp) -> None:
    game = kept(RUNNING)
    assert game.table is not None
    old = game.table.state.position
    new = game.table.upgraded(systems.opened("madrid").pins).state.position
    stacks = (stack for stacks in old.stacks.values() for stack in stacks.values())
    units = next(stack for stack in stacks if len(stack) > 1)
    assert movement.speed(new, units) == movement.speed(old, units) - 1


def test_both_agree_to_go_on_by_what_the_offer_names(next_release: MadeUp) -> None:
    game = kept(RUNNING)
    while game.fold.machine.agreements.offers or game.fold.locked is not None:
        game = next(to_its_end(game, RUNNING))
    asker = "B" if game.fold.pen == "A" else "A"
    terms = upgrade_of(game)
    assert terms["old"] == {name: game.fold.proposal[name] for name in ("ruleset", "data")}
    assert terms["new"]["fixes"] == [1] and terms["new"]["data"] == load("madrid").digest
    assert terms["changes"][:2] == [
        "rule 9.2.c: units that move together are slower (fix 1 of 2027-01-31)",
        "tables movement river: 2; it was 1",
    ]
    asked = agreed(game, RUNNING.key(asker), None, offer=terms).game
    told = [words(line).strip() for line in changes_of(asked)]
    assert told[0] == "with a yes, this changes:" and told[1:] == terms["changes"]
    answered = agreed(asked, RUNNING.key(str(game.fold.pen)), None, reply=True).game
    again = read_game(answered.bytes())
    assert again.opened.fixes == (1,) and again.opened.digest == load("madrid").digest
    for _, after in zip(range(8), to_its_end(again, RUNNING), strict=False):
        again = after
    assert read_game(again.bytes()).fold.phase == "running"


def test_an_offer_that_hides_something_is_told(next_release: MadeUp) -> None:
    game = kept(RUNNING)
    while game.fold.machine.agreements.offers or game.fold.locked is not None:
        game = next(to_its_end(game, RUNNING))
    terms = {**upgrade_of(game), "changes": ["nothing worth a word"]}
    asker = "B" if game.fold.pen == "A" else "A"
    asked = agreed(game, RUNNING.key(asker), None, offer=terms).game
    told = [words(line).strip() for line in changes_of(asked)]
    at = told.index("the offer itself names something else, which you would sign:")
    assert "tables movement river: 2; it was 1" in told[:at]
    assert told[at + 1 :] == ["nothing worth a word"]


def test_what_somebody_changed_in_the_overlay_is_told(next_release: MadeUp) -> None:
    next_release.edit("past/1.0/tables.yaml", '"river": 1', '"river": 3')
    with pytest.raises(FileRefused) as refused:
        kept(RUNNING)
    message = words(refused.value.message)
    assert message.startswith("the data of release 1.0 were changed here: what is in ")
    assert words(refused.value.hint) == "install this version of pbem again"


def test_a_fix_that_nobody_knows_here(next_release: MadeUp, monkeypatch: Any) -> None:
    raw = begun(Kept("a new one", "madrid", "scenario_1")).bytes()
    monkeypatch.setattr(StormOverMadrid, "fixes", ())
    forget()
    with pytest.raises(FileRefused) as refused:
        read_game(raw)
    assert words(refused.value.message) == (
        "the rules of Storm over Madrid 1936 have a fix in this game that this pbem does not know: "
        "1"
    )


def test_the_fixes_are_listed(
    next_release: MadeUp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk: Desk = at_home(tmp_path, monkeypatch)
    line = "1  2027-01-31  rule 9.2.c: units that move together are slower"
    assert desk.done("rules", "madrid", "--fixes") == f"{line}\n"
    assert "nothing was mended in rule 3.1" in desk.done("rules", "madrid", "3.1", "--fixes")
    forced = (Fix(1, "2027-01-31", "9.2.c", say("units that move together are slower")),)
    monkeypatch.setattr(StormOverMadrid, "fixes", forced)
    forget()
    assert desk.done("rules", "madrid", "--fixes") == f"{line} (forced: it holds in every game)\n"
