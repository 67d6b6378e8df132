"""pbem status FOLDER: every game of it, whatever else lies there."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections import Counter

import pytest

from pbem.cli import files, folder, overview
from pbem.gamefile import format
from pbem.gamefile.chain import sign_entry, with_sum
from pbem.gamefile.keys import load_private
from pbem.messages import Said
from pbem.play.game import Game
from pbem.problems import Problem, UnknownName
from tests.cli.desk import Desk, begin


@pytest.fixture
def home(keys: Desk) -> Desk:
    """Ana's folder with a game in three files, of which g2.json asks her to play."""
    begin(keys, "--option", "example_hands")
    keys.done("init", "--key", "ana.key")
    for each in keys.folder.glob("g*.json"):
        os.utime(each, (1_790_000_000, 1_790_000_000))
    return keys


def test_a_game_says_whose_turn_it_is_and_which_file_is_next(home: Desk) -> None:
    assert home.done("status", ".") == (
        "g2.json\n"
        "  Crusade and Revolution: Campaign; you are the Nationalist player, against beto\n"
        "  Turn 1, August 1936 (War of the Columns), Nationalist round 1, entry 2 of 2026-09-21\n"
        "  to write: Nationalist (you): play a card, or make an automatic operation "
        "without one [play]\n"
        "  your turn: pbem turn g2.json\n"
        "  2 older files of it\n"
    )
    home.write("notes.txt", "milk, bread")
    for kind in ("svg", "html"):
        home.done("show", f"--{kind}", f"map.{kind}")
    (home.folder / "map.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    assert home.done("status", ".").endswith("2 older files of it\nnot a game file: notes.txt\n")


def test_a_status_is_told_in_the_language_of_its_reader(home: Desk) -> None:
    assert home.done("status", ".", "--lang", "es") == (
        "g2.json\n"
        "  Crusade and Revolution: Campaña; juegas con el bando nacional, contra beto\n"
        "  Turno 1, agosto de 1936 (Guerra de las Columnas), Ronda 1, bando nacional, entrada 2 "
        "del 2026-09-21\n"
        "  debe escribir: nacional (tú): jugar una carta, o hacer una operación automática sin "
        "carta [play]\n"
        "  te toca a ti: pbem turn g2.json\n"
        "  2 archivos anteriores de la misma partida\n"
    )
    told = home.done("status", "g2.json", "--key", "ana.key", "--lang", "es")
    for english in ("game", "terms", "you ", "to write", "order", "Morale"):
        assert f"\n{english}" not in f"\n{told}"
    assert home.done("status", "g2.json", "--json", "--lang", "es") == home.done(
        "status", "g2.json", "--json"
    )


def test_everything_is_named_and_nothing_keeps_the_rest_away(home: Desk) -> None:
    """A copy, a cut file, one that was edited, a stale game and one that forks; a game to come."""
    raw = (home.folder / "g2.json").read_bytes()
    (home.folder / "copy.json").write_bytes(raw)
    (home.folder / "cut.json").write_bytes(raw[:-300])
    home.done("solo", "crusade", "campaign", "--seed", "a", "-o", "solo.json")
    solo = (home.folder / "solo.json").read_text()
    (home.folder / "begun.json").write_text(solo.replace("campaign", "Campaign"))
    before, behind = solo.rsplit('"tool": "', 1)
    (home.folder / "solo.json").write_text(f'{before}"tool": "x{behind}')
    for name in ("one", "two"):
        shutil.rmtree(home.folder / ".home")
        home.write(f"{name}.yaml", f"say: {name}\norders:\n  - play: {{card: N1, for: event}}\n")
        home.done("apply", "g2.json", f"{name}.yaml", "--no-record", "-o", f"{name}.json")
    (home.folder / "games").mkdir()
    (home.folder / "round.json").symlink_to("round.json")
    result = home.pbem("status", ".", "--key", "beto.key")
    assert result.code == 3
    assert "  two.json diverges: pbem prove-fork one.json two.json -o" in result.out
    assert "solo.json\n  cannot be used: " in result.out
    assert re.search(r"  \d older files of it\n", result.out)
    assert "cut.json: line" in result.err
    assert "begun.json: entry 0: does not match its own checksum" in result.err


@pytest.mark.parametrize("into", ["behind", "last", "first"])
def test_what_does_not_fit_its_own_sum_is_never_the_newest(home: Desk, into: str) -> None:
    """An entry behind the newest, one in the place of its last, and one that was changed."""
    document = json.loads((home.folder / "g2.json").read_text())
    entries = document["entries"]
    if into == "first":
        entries[1]["payload"]["tool"] = "x" * 30
    else:
        entries[-1:] = [*entries[-1:] * (into == "behind"), {**entries[-1], "sum": "ab" * 4}]
    (home.folder / "zz.json").write_text(json.dumps(document, indent=9))
    result = home.pbem("status", ".")
    assert result.code == 3 and result.out.startswith("g2.json\n  Crusade and Revolution: ")
    assert "  your turn: pbem turn g2.json\n" in result.out and "diverges" not in result.out
    assert result.err.startswith("zz.json: ")
    assert "left out: entry " in result.err and "does not match its own checksum" in result.err
    told = home.pbem("status")
    assert told.code == 0 and told.err == result.err and "(you): play a card" in told.out
    assert "left out" in home.pbem("status", ".", "--json").out


def test_what_nobody_has_signed_is_never_the_newest(home: Desk) -> None:
    """Whoever has a file, but no key, continues it with an entry whose sum is right."""
    entries = format.read((home.folder / "g2.json").read_bytes())
    last = entries[-1]
    words = {"steps": [{"do": "say", "text": ["x"]}], "by": "A"}
    payload = {**last.payload, **words, "seq": len(entries), "prev": last.id}
    raw = format.write([*entries, with_sum(payload, last.sig)])
    (home.folder / "zz.json").write_bytes(raw)
    result = home.pbem("status", ".")
    assert result.code == 3 and result.out.startswith("g2.json\n  Crusade and Revolution: ")
    assert "left out: entry 3: is intact but was not signed" in result.err
    assert home.pbem("status").code == 0


def test_a_stale_game_is_told(home: Desk) -> None:
    home.write("o.yaml", "orders:\n  - play: {card: N1, for: event}\n")
    (home.folder / "old").mkdir()
    home.done("apply", "g2.json", "o.yaml", "-o", "old/g3.json")
    said = home.done("status", ".")
    assert "  stale or forked: " in said and "g3.json, up to entry 3" in said, said


def test_a_copy_is_told_and_the_turn_of_the_other_side(home: Desk) -> None:
    shutil.copy(home.folder / "g2.json", home.folder / "again.json")
    said = home.done("status", ".", "--key", "beto.key")
    assert "  the same again: g2.json\n" in said and "your turn" not in said


def test_a_copy_with_other_line_ends_is_not_the_newest(home: Desk) -> None:
    """It is longer, and no other program would go on from it."""
    raw = (home.folder / "g2.json").read_bytes()
    for name, end in (("a.json", b"\r\n"), ("z.json", b"\r\n"), ("y.json", b"\n \n")):
        (home.folder / name).write_bytes(raw.replace(b"\n", end))
    said = home.done("status", ".")
    assert said.splitlines()[0].startswith("g2.json"), said
    assert "  the same again: a.json, y.json, z.json\n" in said


def test_a_damaged_copy_is_not_the_same_again(home: Desk) -> None:
    """Its entries have the ids of the others, and a signature that nobody made."""
    whole = (home.folder / "g2.json").read_text(encoding="utf-8")
    at = whole.rindex('"', 0, whole.rindex('"sum"')) - 20
    other = "A" if whole[at] != "A" else "B"
    home.write("copy.json", whole[:at] + other + whole[at + 1 :])
    told = home.pbem("status", ".")
    assert "the same again" not in told.out
    assert told.err.startswith("copy.json: left out: entry 2: does not match its own checksum")


def test_for_programs(home: Desk) -> None:
    (game,) = json.loads(home.done("status", ".", "--json"))["games"]
    assert game["file"] == "g2.json" and game["yours"] and game["to_write"] == "nationalist"
    assert game["older"] == ["g0.json", "g1.json"] and game["problems"] == []


def test_a_folder_without_games_or_that_is_not_there(home: Desk) -> None:
    (home.folder / "empty").mkdir()
    assert "empty: there is no game in this folder\n" in home.refused(2, "status", "empty")
    assert "nowhere: the game file cannot be read" in home.refused(2, "status", "nowhere")
    assert "--last goes with one game" in home.refused(2, "status", ".", "--last", "g1.json")


def forged(home: Desk, count: int = 1, spaces: str = "x") -> bytes:
    """The game, gone on with by Beto as no rule allows: whoever has a key can sign anything."""
    key = load_private((home.folder / "beto.key").read_bytes())
    entries = list(format.read((home.folder / "g2.json").read_bytes()))
    for _ in range(count):
        last = entries[-1]
        payload = {
            **last.payload, "by": "B", "seq": len(entries), "prev": last.id, "tool": spaces,
            "steps": [{"do": "orders", "list": [{"pass": {}}]}],
        }  # fmt: skip
        entries.append(sign_entry(key, payload))
    return format.write(entries)


def test_what_no_rule_allows_is_never_the_newest(home: Desk) -> None:
    """Its author has a key, so only the rules tell; a player's own files are not blocked by it."""
    own = home.done("status")
    (home.folder / "zz.json").write_bytes(forged(home))
    told = home.pbem("status")
    assert told.code == 0 and told.out == own
    assert "zz.json: left out: entry 3" in told.err
    (home.folder / "g2.json").unlink()
    (home.folder / "g1.json").unlink(missing_ok=True)
    assert "zz.json" in home.pbem("status").err


def test_a_game_of_which_nothing_can_be_told_keeps_no_other_away(
    home: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    home.done("solo", "madrid", "scenario_1", "--seed", "a", "-o", "solo.json")
    true = overview.next_lines

    def told(game: Game, player: str | None) -> list[Said]:
        if game.fold.is_solo:
            raise UnknownName(Problem("unknown-game", "there is no game 'nogame'"))
        return true(game, player)

    monkeypatch.setattr(overview, "next_lines", told)
    found = home.pbem("status", ".")
    assert found.code == 3 and "your turn: pbem turn g2.json" in found.out
    assert "solo.json\n  cannot be used: there is no game 'nogame'\n" in found.out
    games = json.loads(home.pbem("status", ".", "--json").out)["games"]
    assert [len(each["problems"]) for each in games] == [0, 1]


def test_any_number_of_unusable_files_is_named_and_left_out(home: Desk) -> None:
    """Those that no rule allows, that are cut, and of which nobody can say what game they are."""
    own = home.done("status")
    raw = (home.folder / "g2.json").read_bytes()
    names = [f"{kind}{at}.json" for kind in ("bad", "cut", "odd") for at in range(5)]
    for at, name in enumerate(names):
        made = {"bad": forged(home, 1 + at), "cut": raw[: -300 - at],
                "odd": raw.replace(b'"v"', b'"w%d"' % at, 1)}[name[:3]]  # fmt: skip
        (home.folder / name).write_bytes(made)
    for command in ("turn", "status"):
        told = home.pbem(command)
        assert told.code == 0, told
        for name in names:
            assert re.search(rf"^{name}:[^\n]*left out: ", told.err, re.M), (name, told.err)
    assert told.out == own
    for name in ("g0.json", "g1.json", "g2.json"):
        (home.folder / name).unlink()
    for name in names[:5]:
        (home.folder / name).unlink()
    told = home.refused(2, "turn")
    assert "it is not clear which game you mean" in told


def test_a_folder_costs_as_much_as_its_files(home: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A long fork is compared with each own file: it is read once, and so are they."""
    (home.folder / "zz.json").write_bytes(forged(home, 200))
    raw = (home.folder / "g2.json").read_bytes()
    names = [f"own{number:02}.json" for number in range(30)]
    for number, name in enumerate(names):
        (home.folder / name).write_bytes(raw.replace(b"\n", b"\n" + b" " * number))
    parsed: Counter[int] = Counter()
    opened: Counter[str] = Counter()

    def read(content: bytes):
        parsed[len(content)] += 1
        return format.read(content)

    def read_bytes(path, *more):
        opened[str(path)] += 1
        return files_read_bytes(path, *more)

    files_read_bytes = files.read_bytes
    monkeypatch.setattr(folder, "read", read)
    monkeypatch.setattr(files, "read_bytes", read_bytes)
    (game,) = folder.listing(home.folder).games
    assert game.newest == "zz.json" and set(names) <= set(game.others[folder.OLDER])
    assert max(opened.values()) == 1
    assert max(parsed.values()) <= 2  # once for its game, if its layout is not ours
