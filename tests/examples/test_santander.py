"""The page of Santander 1937 is played as it stands there: the set-up and two turns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pbem.engine.dice import Roll
from pbem.gamefile.beacons import BeaconDice
from pbem.value import replace
from tests.examples.typed import Page

HERE = Path(__file__).parents[2] / "examples" / "santander"
SET_UPS = {"ana": "nationalist.yaml", "beto": "republican.yaml"}
DICE = {
    2: {"front/50": 2, "front/55": 2, "front/57": 6, "armour": 6},
    3: {"bombardment/1": 2, "combat/1": 1, "morale/1/2010": 6, "bombardment/2": 5, "combat/2": 5,
        "morale/2/1911": 2, "bombardment/3": 3, "combat/3": 4, "morale/3/2305": 3},
    4: {"weather": 2},
    5: {"bombardment/1": 1, "combat/1": 5, "bombardment/2": 6, "combat/2": 3, "morale/1/2205": 2},
    6: {"combat/1": 1, "weather": 4},
}  # fmt: skip
"""Those of the page, by beacon: with them every order is legal, whatever the data of the day."""


def test_the_set_up_and_two_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    rolled = BeaconDice._one

    def one(dice: BeaconDice, draw: Any, label: str) -> Roll:
        roll = rolled(dice, draw, label)
        face = DICE.get(dice.number, {}).get(label, 3 if label.startswith("air/") else roll.face)
        dice.records[-1] = replace(dice.records[-1], face=face)
        return replace(roll, face=face)

    monkeypatch.setattr(BeaconDice, "_one", one)
    page = Page(tmp_path, monkeypatch)
    for player, name in SET_UPS.items():
        page.desks[player].write(name, (HERE / name).read_text(encoding="utf-8"))
    page.play((HERE / "README.md").read_text(encoding="utf-8"))
    assert page.mails == 8  # the ninth is Ana's to write
    told = dict(page.told)
    ahead = told["beto$ pbem check republican.yaml"]
    assert "R-HQ-57: 1407" in ahead and "covered counter" not in ahead, "to their owner"
    assert ", 0 lapsed" in told["ana$ pbem verify"]
    assert told["ana$ pbem summary --turn 2"].count("\nAttack on ") == 3
    whole = [out for words, out in page.told if " check turn" in words]
    assert len(whole) == 4, "each player turn is checked, and is one mail"
    assert all("mails: one for" in out or "first roll (weather)" in out for out in whole)
