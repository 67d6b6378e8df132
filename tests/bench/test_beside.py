"""What two trees say of themselves is set side by side, row by row."""

from __future__ import annotations

import subprocess
import sys

from tests.bench.beside import Ratio, ratios, rows
from tests.house.test_layers import ROOT

HERE = """
median of 15 runs, Python 3.11.7, 2 cores
pbem apply, cold: a round on 101 entries                      210.50 ms
  against python -c pass                                        9.50 times        <= 8     MISSED
  beyond the replay of the rules                                1.20 ms an entry  <= 1     MISSED
random Campaigns, to the end                                  300.00 orders/s     >= 300   ok
random games of python-chess                                 1000.00 moves/s
diplomacy, cold: load, order, process, save                   220.00 ms
"""
THERE = """
pbem apply, cold: a round on 99 entries                       200.00 ms
  beyond the replay of the rules                                1.00 ms an entry  <= 1     ok
random Campaigns, to the end                                  330.00 orders/s     >= 300   ok
diplomacy, cold: load, order, process, save                   110.00 ms
a row that is no more                                           1.00 ms
"""


def test_rows_are_read_with_what_can_be_compared() -> None:
    assert rows(HERE) == {
        "pbem apply, cold: a round on 101 entries": (210.5, "ms"),
        "beyond the replay of the rules": (1.2, "ms an entry"),
        "random Campaigns, to the end": (300.0, "orders/s"),
        "diplomacy, cold: load, order, process, save": (220.0, "ms"),
    }


def test_a_row_is_dearer_by_time_or_by_what_is_done_in_it() -> None:
    """Numbers in a name may differ; programs of others are told and not judged."""
    found = ratios([rows(HERE)], [rows(THERE)])
    assert [(round(each.times, 3), each.is_missed) for each in found] == [
        (1.052, True), (1.2, True), (1.1, True), (2.0, False),
    ]  # fmt: skip
    assert found[0].line().endswith("ms            1.05 DEARER")


def test_of_two_games_the_orders_are_judged_and_not_the_whole() -> None:
    here = {"verify of 9 entries": (9.0, "ms"), "each order": (2.0, "ms a move")}
    there = {"verify of 8 entries": (1.0, "ms"), "each order": (1.0, "ms a move")}
    whole, each = ratios([here], [there])
    assert not whole.is_missed and whole.line().endswith("9.00 another game")
    assert each.is_missed
    (same,) = ratios([here], [{"verify of 9 entries": (1.0, "ms")}])
    assert same.is_missed


def test_the_rounds_of_two_games_are_not_judged() -> None:
    here = {"verify of 9 entries": (1.0, "ms"), "the rules alone": (2.0, "ms a round")}
    for entries, is_judged in ((8, False), (9, True)):
        there = {
            f"verify of {entries} entries": (1.0, "ms"),
            "the rules alone": (1.0, "ms a round"),
        }
        *_, rounds = ratios([here], [there])
        assert rounds.is_missed == is_judged


def test_of_several_turns_the_median_counts() -> None:
    turns = [{"a": (value, "ms")} for value in (1.0, 9.0, 2.0)]
    assert ratios(turns, [{"a": (2.0, "ms")}]) == [Ratio("a", 2.0, 2.0, "ms")]


def test_the_rows_are_those_that_are_printed() -> None:
    """The bench itself is not loaded: it needs the packages of the peers."""
    bench = (ROOT.parent / "tests" / "bench" / "__main__.py").read_text(encoding="utf-8")
    assert "{self.what:<58} {self.value:>9.2f} {self.unit:<12}" in bench


def test_what_is_measured_is_begun_with_the_data_of_today() -> None:
    """Not under the digests that stay in tests, which a command of its own does not know."""
    told = subprocess.run(
        [sys.executable, "-c", "import tests.conftest\n"
         "from pbem.play import systems\nfrom tests import pinned\n"
         "print(systems._shipped is pinned._shipped)"],
        capture_output=True, text=True, check=True, cwd=ROOT.parent,
    )  # fmt: skip
    assert told.stdout == "True\n"
