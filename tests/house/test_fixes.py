"""What was mended in the rules of a game since its first release is in one place, and complete."""

from __future__ import annotations

import datetime
import json
import re

import pytest

from pbem.gamedata.where import data_folder
from pbem.games import GAMES
from pbem.messages import words
from pbem.play.systems import opened
from tests.house.source import ROOT

MARKED = re.compile(r"^@mended\(([0-9]+)\)$", re.M)


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_each_fix_has_a_number_a_date_a_rule_a_sentence_and_its_two_functions(slug: str) -> None:
    fixes = opened(slug).system.fixes
    assert [fix.number for fix in fixes] == list(range(1, len(fixes) + 1))
    rules = json.loads((data_folder(slug) / "coverage.json").read_text("utf-8"))["rules"]
    numbers = {rule["number"] for rule in rules}
    for fix in fixes:
        assert datetime.date.fromisoformat(fix.date) and fix.rule in numbers
        assert words(fix.what)
    package = ROOT / "games" / slug
    marked = [int(number) for path in package.rglob("*.py")
              for number in MARKED.findall(path.read_text("utf-8"))]  # fmt: skip
    assert sorted(marked) == [fix.number for fix in fixes if not fix.is_forced]
