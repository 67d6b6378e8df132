"""Further games move into a copy of the tree by the steps of pbem/games/README.md, and work."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.growing import GAMES, PARTS, ROOT, grown, run

CAPABILITIES = {"toy": {"waiting.py"}, "fog": {"hidden.py", "pieces.py", "policies.py",
                                               "practice.py"}}  # fmt: skip
"""What each of these games has of those that a game may do without."""


@pytest.mark.parametrize("slug", GAMES)
def test_it_has_the_modules_of_the_guide_and_no_others(slug: str) -> None:
    guide = (ROOT / "pbem/games/README.md").read_text(encoding="utf-8")
    rows = {name for line in guide.splitlines() if line.startswith("| `")
            for name in re.findall(r"`(\w+\.py)`", line.split("|")[1])}  # fmt: skip
    ours = {path.name for path in (ROOT / GAMES[slug] / "game").glob("*.py")}
    assert rows == ours - CAPABILITIES[slug]
    assert all(path in guide for path in PARTS.values())


PUBLISHED = (
    "tests/orders/test_published.py::test_the_published_schema_of_a_game_is_that_of_its_orders"
)


def grown_up(tree: Path, *words: str) -> None:
    """Runs tests of the copy, without what only the games play that were there before."""
    told = run(tree, "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
               "-p", "tests.growing", "--grown", *words)  # fmt: skip
    assert " failed" not in told


def test_they_keep_every_promise_of_the_house(tmp_path: Path) -> None:
    """The house, the contract suite, their own rules, and every command by mail."""
    tree = grown(tmp_path, *GAMES)
    run(tree, "tests.house.matrix")
    grown_up(tree, "tests/house", "tests/contract", *(f"tests/games/{slug}" for slug in GAMES),
             PUBLISHED)  # fmt: skip


BARE = {"toy": """

from pbem.engine.picture import NO_PICTURE
from pbem.engine.waiting import NOTHING_WAITS

TwoHills.picture, TwoHills.waiting = NO_PICTURE, NOTHING_WAITS
""", "fog": """

from pbem.engine.picture import NO_PICTURE
from pbem.engine.policies.table import NO_POLICIES
from pbem.engine.practice import NO_PRACTICE

FogOnTheRidge.picture, FogOnTheRidge.policies = NO_PICTURE, NO_POLICIES
FogOnTheRidge.practice = NO_PRACTICE
"""}  # fmt: skip
"""What each of these games has of the capabilities a game may do without; what Fog on the Ridge
hides it cannot be without.
"""
NO_SAMPLES = """

KIT = KIT.__class__(**{**vars(KIT), "policies": ()})
"""
"""The kit of a game without standing orders has no samples of them."""


def test_what_a_game_may_do_without_no_test_wants(tmp_path: Path) -> None:
    tree = grown(tmp_path, *GAMES)
    for slug in GAMES:
        for name, more in (
            (f"pbem/games/{slug}/system.py", BARE[slug]),
            (f"tests/games/{slug}/kit.py", NO_SAMPLES),
        ):
            with (tree / name).open("a", encoding="utf-8") as file:
                file.write(more)
    grown_up(tree, "-k", " or ".join(GAMES), "tests/contract", "tests/house/test_boundary.py",
             "tests/house/test_catalogue.py")  # fmt: skip
