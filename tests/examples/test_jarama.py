"""The page of the bridge of Pindoque is played as it stands there: both days, by two keys, with
counters face down.
"""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.dice import Roll
from pbem.gamefile.beacons import BeaconDice
from pbem.value import replace
from tests.examples.typed import Page

HERE = Path(__file__).parents[2] / "examples" / "jarama"
FAIR = 2
SHOWN = re.compile(r"^```text\n# (.*)\n((?:.*\n)*?)```$", re.M)
"""What the page shows of what a command prints."""


@pytest.fixture(autouse=True)
def digests_of_today() -> None:
    """Its dice are not those of today either."""


def face_of(beacon: int, label: str) -> int:
    """A die that depends on its place alone: every order of the page is legal with these, whatever
    the data of the day. It does not rain, so that aircraft fly.
    """
    if label.startswith("weather"):
        return FAIR
    return sha256(f"{beacon}/{label}".encode()).digest()[0] % 10 + 1


def test_both_days_of_the_bridge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = BeaconDice._one

    def one(dice: BeaconDice, draw: Any, label: str) -> Roll:
        face = face_of(dice.number, label)
        found = rolled(dice, draw, label)
        dice.records[-1] = replace(dice.records[-1], face=face)
        return replace(found, face=face)

    monkeypatch.setattr(BeaconDice, "_one", one)
    page = Page(tmp_path, monkeypatch)
    text = (HERE / "README.md").read_text(encoding="utf-8")
    page.play(text)
    told = dict(page.told)
    assert "The game is over" in told["ana$ pbem summary"]
    assert told["ana$ pbem turn --orders evening.yaml"].count("> build: none") == 2
    assert page.mails == 18, "a new day costs three mails, and its evening none"
    shown = SHOWN.findall(text)
    for command, lines in shown:
        printed = [out for typed, out in page.told if typed == command]
        assert any(lines in out for out in printed), printed[-1]
    assert {command.partition("$")[0] for command, _ in shown} == {"ana", "beto"}, "both sides"
    ahead = told["ana$ pbem check again.yaml"]
    assert "mails: one for this activation" in ahead, "what is told in the head costs none"
    assert "3 for this activation" in told["ana$ pbem check bridge.yaml"]
