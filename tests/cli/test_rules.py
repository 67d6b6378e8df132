"""pbem rules: the numbered rules, how each is kept, and where that is shown."""

import json
import re

import pytest

from pbem.cli import rules
from pbem.gamedata.where import data_folder

COVERAGE = {
    "title": "Crusade and Revolution",
    "rules": [
        {"number": "11.3", "title": "Losses", "kind": "omitted",
         "why": "a heading; its parts are listed", "code": [], "data": [], "tests": [],
         "readings": []},
        {"number": "11.3.1", "title": "Loss number owed", "kind": "engine", "why": "",
         "code": ["rules.losses.owed"], "data": [], "tests": ["tests/a.py::test_owed"],
         "readings": ["Q1, it is read so."], "audit": True},
        {"number": "11.3.5.2/a", "title": "Who replaces", "kind": "data", "why": "", "code": [],
         "data": ["units.yaml, types"], "tests": [], "readings": []},
        {"number": "11.30", "title": "Another", "kind": "engine", "why": "", "code": [],
         "data": [], "tests": [], "readings": []},
        {"number": "12.9", "title": "Notes", "kind": "omitted", "why": "advice to players",
         "code": [], "data": [], "tests": [], "readings": []},
        {"number": "card N5", "title": "Naval Support", "kind": "card", "why": "",
         "code": ["effects.naval"], "data": [], "tests": [], "readings": []},
    ],
}  # fmt: skip


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(rules, "_coverage", lambda slug: COVERAGE)


def test_all_of_them_are_listed(pbem, few):
    assert pbem("rules", "crusade") == (
        0,
        "Crusade and Revolution: 6 rules\n"
        "11.3        Losses (heading)\n"
        "11.3.1      Loss number owed (enforced, kept at the audit, interpreted)\n"
        "11.3.5.2/a  Who replaces (in the data)\n"
        "11.30       Another (not enforced yet)\n"
        "12.9        Notes (left out)\n"
        "card N5     Naval Support (enforced)\n",
        "",
    )


def test_a_number_lists_its_parts_and_no_other_that_begins_alike(pbem, few):
    assert pbem("rules", "crusade", "11.3") == (
        0,
        "11.3        Losses (heading)\n"
        "11.3.1      Loss number owed (enforced, kept at the audit, interpreted)\n"
        "11.3.5.2/a  Who replaces (in the data)\n",
        "",
    )


def test_one_rule_tells_how_it_is_read_kept_and_shown(pbem, few):
    assert pbem("rules", "crusade", "11.3.1") == (
        0,
        "11.3.1  Loss number owed (enforced, kept at the audit, interpreted)\n"
        "  kept at the audit where counters lie face down: only their owner could see a breach\n"
        "  interpretation: Q1, it is read so.\n"
        "  enforced by rules.losses.owed\n"
        "  tested by 1 test (--code names them)\n",
        "",
    )
    assert pbem("rules", "crusade", "11.3.1", "--code") == (
        0,
        "11.3.1  Loss number owed (enforced, kept at the audit, interpreted)\n"
        "  kept at the audit where counters lie face down: only their owner could see a breach\n"
        "  interpretation: Q1, it is read so.\n"
        "  code: rules.losses.owed\n"
        "  test: tests/a.py::test_owed\n",
        "",
    )


def test_a_rule_that_is_left_out_says_why(pbem, few):
    assert pbem("rules", "crusade", "12.9") == (
        0,
        "12.9  Notes (left out)\n  why: advice to players\n",
        "",
    )


@pytest.mark.parametrize("name", ["N5", "n5", "card N5"])
def test_a_card_is_called_by_its_id(pbem, few, name):
    assert pbem("rules", "crusade", name) == (
        0,
        "card N5  Naval Support (enforced)\n"
        "  enforced by effects.naval\n"
        "  no tests (--code names them)\n",
        "",
    )


def test_a_rule_of_ours_says_what_it_says(pbem):
    code, out, err = pbem("rules", "nopasaran", "J")
    assert (code, err) == (0, "")
    heads, texts = out.splitlines()[::2], out.splitlines()[1::2]
    assert [head.split()[0] for head in heads] == [f"J.{number}" for number in range(1, 11)]
    assert all(re.fullmatch(r"  [A-Z].*[.]", text) for text in texts)
    code, out, err = pbem("rules", "nopasaran", "J.10")
    assert out.splitlines()[:2] == [heads[-1], texts[-1]] and "enforced by" in out
    code, out, err = pbem("rules", "nopasaran", "J.10", "--json")
    assert json.loads(out)["rules"][0]["text"] == texts[-1].strip()
    assert "text" not in json.loads(pbem("rules", "nopasaran", "9", "--json")[1])["rules"][0]


def test_a_chit_is_called_by_its_id_and_tells_how_it_is_read(pbem):
    for name in ("15.CN7", "CN7", "cn7"):
        code, out, err = pbem("rules", "madrid", name)
        assert (code, err) == (0, "") and out.startswith("15.CN7  Durruti's death (enforced, ")
        assert "\n  interpretation: " in out


def test_for_programs(pbem, few):
    code, out, err = pbem("rules", "crusade", "11.3.1", "--json")
    assert (code, err) == (0, "")
    assert json.loads(out) == {
        "system": "crusade",
        "title": "Crusade and Revolution",
        "rules": [COVERAGE["rules"][1]],
    }


def test_an_unknown_number_leads_to_the_nearest(pbem, few):
    assert pbem("rules", "crusade", "11.3.9") == (
        2,
        "",
        "there is no rule '11.3.9'\n"
        "      hint: 11.3 is there, and so are its parts: pbem rules shows them\n",
    )
    assert pbem("rules", "crusade", "12.8") == (
        2,
        "",
        "there is no rule '12.8'\n      hint: did you mean 12.9?\n",
    )
    code, out, err = pbem("rules", "crusade", "12.8", "--json")
    assert (code, out) == (2, "")
    assert json.loads(err)[0]["code"] == "unknown-rule"


def test_a_number_like_no_other_leads_to_all_of_them(pbem):
    told = "there is no rule 'strife'\n      hint: leave the number out to see all of them\n"
    assert pbem("rules", "crusade", "strife") == (2, "", told)


def test_the_committed_list_has_every_rule_and_card(pbem):
    code, out, _ = pbem("rules", "crusade", "--json")
    found = json.loads(out)["rules"]
    assert code == 0
    assert len([rule for rule in found if rule["number"].startswith("card ")]) == 120
    assert {rule["kind"] for rule in found} <= {
        "engine",
        "data",
        "setup",
        "card",
        "umpire",
        "omitted",
    }
    assert (data_folder("crusade") / "coverage.json").is_file()


def test_a_rule_says_what_keeps_it(pbem):
    code, out, _ = pbem("rules", "madrid", "9.0.1")
    assert code == 0
    assert "  enforced by stages.impulse.Impulse: Asks the active player, player A, for " in out


def test_a_rule_without_a_description_is_told_by_the_name_of_its_function(pbem):
    told = pbem("rules", "madrid", "9.4.1.C1")[1]
    assert "attack_has_a_point_unit: attack has a point unit\n" in told
