"""The pages for those who work on the code name only what is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.policies.rows import ANY_SLOT
from pbem.engine.policies.table import NO_POLICIES
from pbem.games import GAMES
from pbem.play.systems import opened
from tests.house import matrix as gather

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("CONTRIBUTING.md", "pbem/README.md", "pbem/games/README.md")
STANDING = "examples/standing-orders/README.md"
LONGEST_README = 18_000
"""Characters: what only some readers need stands on a page of its own."""


def text_of(page: str) -> str:
    return (ROOT / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_every_path_is_there(page: str) -> None:
    here = (ROOT / page).parent
    named = re.findall(r"`([\w./<>…*-]+/[\w./<>…*-]*|\w+\.py)`|\]\(([\w./-]+)\)", text_of(page))
    for one, other in named:
        path = re.sub(r"<\w+>", "crusade", one or other)
        if "…" in path or path.startswith((".", "build/", "dist/")):  # made when it is wanted
            continue
        places = (ROOT / path, here / path, ROOT / "pbem" / path, ROOT / "pbem/engine" / path,
                  ROOT / "pbem/gamefile" / path, ROOT / "pbem/games/crusade" / path,
                  ROOT / "tests/toygame/game" / path, ROOT / "data/crusade" / path,
                  ROOT / "tests/games/crusade" / path)  # fmt: skip
        assert any(place.exists() for place in places), f"{page}: there is no {path}"


@pytest.mark.parametrize("slug", GAMES)
def test_their_page_has_every_word_of_standing_orders(slug: str) -> None:
    """Each with what it is for, and what it comes to where it is left out.

    A game may have a page of its own beside the one that its readers begin with.
    """
    own = f"examples/standing-orders/{slug}.md"
    page = text_of(own) if (ROOT / own).exists() else text_of(STANDING)
    table: Any = opened(slug).system.policies
    for row in table.rows if table is not NO_POLICIES else ():
        if row.more_of:
            continue
        word = f"{row.slot}: {row.name}" if row.slot not in (ANY_SLOT, row.name) else row.name
        line = f"| `{word}` | {row.told} | {row.otherwise or 'you are asked'} |"
        assert line in page, line


def test_the_readme_is_short_and_its_links_lead_somewhere() -> None:
    """Those of the pages it links to do, too."""
    readme = text_of("README.md")
    assert len(readme) <= LONGEST_README and f"]({STANDING})" in readme
    pages = {"README.md", *re.findall(r"\]\((examples/[\w/-]+/README\.md)\)", readme)}
    assert len(pages) > 5
    for page in pages:
        for link in re.findall(r"\]\(([^)#]+)", text_of(page)):
            assert ((ROOT / page).parent / link).exists(), f"{page}: there is no {link}"


READINGS: dict[str, Any] = {
    "crusade": lambda option: option.id.startswith("reading_"),
    "madrid": lambda option: option.id != "open_hands",
    "ctv": lambda option: option.id != "open_units" and not option.rule.startswith("15."),
    "nopasaran": lambda option: option.id not in {"open_units", "secret_set_up"},
}
"""By game, which of its options are other readings: the rest are rules, and how hands lie."""


@pytest.mark.parametrize("at, slug", [*enumerate(READINGS, 2)])
def test_the_readme_counts_rules_and_readings_as_they_are(at: int, slug: str) -> None:
    rows = [line.split("|") for line in text_of("README.md").splitlines() if line.startswith("| ")]
    told = {cells[1].strip(): cells[at] for cells in rows if len(cells) == 7}
    found = gather.matrix(slug)
    kept = sum(row.is_kept and row.rule.kind != "omitted" for row in found.rows)
    assert re.findall(r"\d+", told["rules kept"])[:2] == [str(kept), str(len(found.rows))]
    count = sum(map(READINGS[slug], opened(slug).system.options()))
    assert re.findall(r"(\d+) readings", told["options"]) == [str(count)]


@pytest.mark.parametrize("page", PAGES)
def test_every_make_target_is_there(page: str) -> None:
    makefile = text_of("Makefile")
    for target in re.findall(r"make (\w+)", text_of(page)):
        if f"\n{target}:" not in makefile:
            assert target in {"a", "it"}, f"{page}: make has no {target}"
