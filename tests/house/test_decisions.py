"""A settled choice has its page: what it was about, what else there was, what it costs."""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[2] / "pbem" / "decisions"
PAGES = sorted(FOLDER.glob("[0-9]*.md"))
PARTS = ["Context", "Options", "Choice", "Price"]
LONGEST = 60


def test_the_pages_are_numbered_and_those_that_are_missing_went_into_another() -> None:
    numbers = [int(page.name[:4]) for page in PAGES]
    taken_in = [
        int(number)
        for page in PAGES
        for said in re.findall(r"^This page took in pages (.*?)\.", page.read_text("utf-8"), re.M)
        for number in re.findall(r"\d+", said)
    ]
    assert sorted(numbers + taken_in) == list(range(1, numbers[-1] + 1))


def test_a_page_has_its_four_parts_and_is_one_page() -> None:
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        assert re.match(rf"# {int(page.name[:4])}\. \S", text), page
        assert re.findall(r"^## (.*)$", text, re.M) == PARTS, page
        assert len(text.splitlines()) <= LONGEST, page


def test_the_list_names_every_page() -> None:
    listed = re.findall(r"\]\((\d{4}-[\w-]+\.md)\)", (FOLDER / "README.md").read_text("utf-8"))
    assert listed == [page.name for page in PAGES]
