"""A cold `pbem apply` loads what it needs and nothing else, whichever way its words are read."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec

import pytest

from pbem.cli import fast_path
from pbem.gamefile.keys import KeyPair, private_file
from tests.cli.desk import CHAPTER24, Desk

NEVER = (
    "click", "yaml", "jsonschema", "dataclasses", "inspect", "ast", "dis", "tokenize", "pathlib",
    "urllib", "ipaddress", "argparse", "gettext", "locale", "datetime", "uuid", "difflib", "copy",
    "weakref", "zlib", "textwrap", "heapq", "logging", "subprocess", "threading", "socket",
    "random", "secrets",
)  # fmt: skip
"""Libraries for which a round of orders has no use."""
OURS = 1325
"""How much of our own source a round may load, in KB. It grows with the rules that a round needs;
what makes it jump is loaded for nothing.
"""
LISTED = """
import sys
from pbem.cli import main
try:
    main(sys.argv[1:])
finally:
    print("modules:", *sys.modules, sep="\\n")
"""


@pytest.fixture
def desk(today: Desk) -> Desk:
    """Every command here has a process of its own."""
    return today


def test_a_round_loads_nothing_that_it_does_not_need(desk: Desk) -> None:
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "mine.json")  # and keeps a snapshot
    desk.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")
    orders = desk.orders("play: {card: none}", "activate: {attack: [madrid]}")
    loaded_by(desk, "games")  # and keeps a copy of the data
    loaded = loaded_by(desk, "apply", "g5.json", str(orders), "--key", "beto.key", "-o", "n.json")
    assert (desk.folder / "n.json").exists()
    assert "pbem.cli.reply" in loaded and "cryptography" in loaded
    assert [name for name in NEVER if name in loaded] == []
    assert kilobytes(loaded) <= OURS


UNUSED = ("yaml", "jsonschema", "dataclasses", "logging", "subprocess", "asyncio", "sqlite3",
          "http.server", "pbem.desk", "pbem.gamedata.check")  # fmt: skip
MODULES = 455
"""How many modules a turn may load, libraries included: it reads a mail, signs and writes one, for
which Python's `email` is most of what a round does without.
"""


def test_a_turn_loads_what_its_mail_and_its_round_need(desk: Desk) -> None:
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "mine.json")  # and keeps a snapshot
    desk.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")
    orders = desk.orders("play: {card: none}", "activate: {attack: [madrid]}")
    desk.done("mail", "g5.json", "-o", "came.eml")
    loaded_by(desk, "games")  # and keeps a copy of the data
    words = ("turn", "came.eml", "--key", "beto.key", "--orders", str(orders), "--yes")
    loaded = loaded_by(desk, *words)
    assert [*desk.folder.glob("crusade_*-006-b2a.eml")]
    found = [name for name in UNUSED if name in loaded]
    assert found == [], " ".join(found)
    assert len(loaded) <= MODULES, len(loaded)


def kilobytes(loaded: set[str]) -> int:
    """The source of those of our modules that were loaded."""
    found = (find_spec(name) for name in loaded if name.partition(".")[0] == "pbem")
    return sum(os.path.getsize(spec.origin) for spec in found if spec and spec.origin) // 1000


@pytest.mark.parametrize(
    "words", [("status",), ("log",), ("show",), ("mail", "-o", "-"), ("luck",), ("verify",)]
)
def test_a_look_at_a_game_does_without_click(desk: Desk, words: tuple[str, ...]) -> None:
    loaded_by(desk, "games")  # and keeps a copy of the data
    loaded = loaded_by(desk, words[0], "g2.json", *words[1:])
    without = ("click", "yaml", "pathlib", "inspect", "textwrap")
    assert [name for name in without if name in loaded] == []


def test_a_form_computes_no_public_key(desk: Desk) -> None:
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "mine.json")
    desk.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")  # and keeps a snapshot
    loaded_by(desk, "games")  # and keeps a copy of the data
    loaded = loaded_by(desk, "form", "g5.json", "--key", "beto.key")
    never = ("cryptography", "click", "pathlib", "pbem.play.story")
    assert [name for name in never if name in loaded] == []


def test_the_odds_of_one_attack_are_told_without_fractions(desk: Desk) -> None:
    loaded_by(desk, "games")  # and keeps a copy of the data
    for command in ("odds", "check"):
        loaded = loaded_by(desk, command, "solo.json", str(CHAPTER24 / "01-nationalist.yaml"))
        assert "pbem.play.odds" in loaded
        assert [name for name in ("fractions", "pbem.play.series") if name in loaded] == []


def loaded_by(desk: Desk, *words: str) -> set[str]:
    """The modules that a command has loaded at its end, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", LISTED, *words], cwd=desk.folder, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    _, _, names = done.stdout.rpartition("modules:\n")  # behind what the command itself says
    return set(names.split())


@pytest.mark.parametrize("name", ("_PBEM_COMPLETE", "PBEM_DATA"))
def test_variables_that_say_more_leave_the_words_to_click(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ["apply", "game.json", "--key", "a.key"]
    for each in ("_PBEM_COMPLETE", "PBEM_DATA"):
        monkeypatch.delenv(each, raising=False)
    assert fast_path.fast_call(words) is not None
    monkeypatch.setenv(name, "something")
    assert fast_path.fast_call(words) is None


def test_a_key_that_nobody_can_open_stops_both_ways(desk: Desk) -> None:
    locked = private_file(KeyPair.from_seed(b"a" * 32), b"secret")
    (desk.folder / "locked.key").write_bytes(locked)
    for words in (("-o", "n.json"), ("--output=n.json",)):
        err = desk.refused(1, "apply", "g2.json", "--key", "locked.key", *words)
        assert "there is no terminal to ask for it\n" in err


def test_both_ways_lead_to_the_same_file(desk: Desk) -> None:
    words = ("apply", "g2.json", CHAPTER24 / "01-nationalist.yaml", "--key", "ana.key")
    desk.done(*words, "-o", "first.json")  # later ones remember it
    plain = desk.done(*words, "-o", "a.json")
    by_click = desk.done(*words, "--output=b.json")
    assert plain.replace("a.json", "b.json") == by_click
    assert (desk.folder / "a.json").read_bytes() == (desk.folder / "b.json").read_bytes()
