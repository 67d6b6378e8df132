"""A settled choice has its page: what it was about, what else there was, what it costs."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "pbem" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))
PARTS = ["Context", "Options", "Choice", "Price"]
LONGEST = 60


def test_the_pages_are_numbered_without_a_gap() -> None:
    numbers = [int(page.name[:4]) for page in PAGES]
    assert numbers == list(range(1, len(PAGES) + 1)) and PAGES


def test_a_page_has_its_four_parts_and_is_one_page() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert re.match(rf"# {int(page.name[:4])}\. \S", text), page
        assert re.findall(r"^## (.*)$", text, re.M) == PARTS, page
        assert len(text.splitlines()) <= LONGEST, page


def test_the_list_names_every_page() -> None:
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (FOLDER / "README.md").read_text("utf-8"))
    assert listed == [page.name for page in PAGES]
