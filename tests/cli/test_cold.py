"""A cold `pbem apply` loads what it needs and nothing else, whichever way its words are read."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pbem.cli import fast_path
from pbem.gamefile.keys import KeyPair, private_file
from tests.cli.desk import CHAPTER24, Desk

NEVER = (
    "click", "yaml", "jsonschema", "dataclasses", "inspect", "ast", "dis", "tokenize", "pathlib",
    "urllib", "ipaddress", "argparse", "gettext", "locale", "datetime", "uuid", "difflib", "copy",
    "weakref", "zlib", "textwrap", "heapq", "logging", "subprocess", "threading", "socket",
    "random", "secrets",
    "pbem.cli.commands", "pbem.cli.options", "pbem.cli.status",
    "pbem.text.yamlwords", "pbem.text.schema", "pbem.gamedata.check", "pbem.gamedata.merge",
    "pbem.orders.template", "pbem.orders.published", "pbem.gamefile.verify", "pbem.play.forms",
    "pbem.render.log_json", "pbem.render.log_html",
    "pbem.engine.policy_rows", "pbem.engine.policy_table", "pbem.engine.shapes",
    "pbem.engine.picture", "pbem.engine.cardbook",
    "pbem.games.crusade.policies.table", "pbem.games.crusade.stages.setup",
    "pbem.games.crusade.stages.random_setup", "pbem.games.crusade.stages.deployment",
    "pbem.games.crusade.stages.end_of_turn", "pbem.games.crusade.stages.war_status",
    "pbem.games.crusade.stages.replacements", "pbem.games.crusade.stages.guerrilla",
    "pbem.games.crusade.rules.deployment", "pbem.games.crusade.rules.replacement",
    "pbem.games.crusade.rules.redeployment", "pbem.games.crusade.effects.armies",
)  # fmt: skip
"""What a round of orders has no use for, and what would be loaded for nothing."""
LISTED = """
import sys
from pbem.cli import main
try:
    main(sys.argv[1:])
finally:
    print(*sys.modules, sep="\\n")
"""


def test_a_round_loads_nothing_that_it_does_not_need(desk: Desk) -> None:
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "mine.json")  # and keeps a snapshot
    desk.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")
    orders = desk.orders("play: {card: none}", "activate: {attack: [madrid]}")
    loaded_by(desk, "games")  # and keeps a copy of the data
    loaded = loaded_by(desk, "apply", "g5.json", str(orders), "--key", "beto.key", "-o", "n.json")
    assert (desk.folder / "n.json").exists()
    assert "pbem.cli.reply" in loaded and "cryptography" in loaded
    assert [name for name in NEVER if name in loaded] == []


@pytest.mark.parametrize("words", [("status",), ("log",), ("mail", "-o", "-"), ("luck",)])
def test_a_look_at_a_game_does_without_click(desk: Desk, words: tuple[str, ...]) -> None:
    loaded_by(desk, "games")  # and keeps a copy of the data
    loaded = loaded_by(desk, words[0], "g2.json", *words[1:])
    assert [name for name in ("click", "yaml", "pathlib", "inspect") if name in loaded] == []


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
    return set(done.stdout.split("\n"))


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
