"""The page of the board in Chromium: how long until its map is there."""

from __future__ import annotations

from statistics import median
from time import perf_counter

from pbem.desk.session import Session
from tests.browser.conftest import CHROMIUM, QUIET
from tests.browser.serving import served
from tests.desk.conftest import Drawer, begun

TIMES = 5
WHOLE = "#map g[data-layer=label] text"
"""What is drawn last; some names are seen from near only."""


def painted(slug: str) -> float | None:
    """Milliseconds from the address to the map, painted; None without a browser.

    The board has drawn the map once before, as it does while the browser starts.
    """
    if CHROMIUM is None:
        return None
    from playwright.sync_api import sync_playwright

    session = Session(Drawer(begun(slug)))
    session.view()
    with sync_playwright() as playwright, served(session) as gate:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
        page = browser.new_page(viewport={"width": 1400, "height": 900})
        page.goto(gate.address)
        took = []
        for _ in range(TIMES):
            page.wait_for_timeout(300)  # what the last one began is over
            before = perf_counter()
            page.reload(wait_until="commit")
            page.locator(WHOLE).last.wait_for(state="attached")
            page.screenshot(clip={"x": 0, "y": 0, "width": 8, "height": 8})  # a frame is through
            took.append((perf_counter() - before) * 1000)
        browser.close()
    return median(took)
