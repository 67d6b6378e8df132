"""Chromium, where there is one. PBEM_BROWSER=required makes a missing one a fault, as CI does."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
QUIET = (
    "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
    "--disable-background-networking", "--disable-component-update",
)  # fmt: skip


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        why = "no Chromium is installed here (Debian: apt install chromium)"
        if os.environ.get("PBEM_BROWSER") == "required":
            pytest.fail(why)
        pytest.skip(why)
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET])
        yield chromium
        chromium.close()


@pytest.fixture
def tab(browser: Any) -> Iterator[Any]:
    """A page that fails the test when its script does, or when it asks for anything."""
    tab = browser.new_page(viewport={"width": 1400, "height": 900})
    faults: list[str] = []
    tab.on("pageerror", lambda error: faults.append(f"{error}"))
    tab.on("console", lambda said: faults.append(said.text) if said.type == "error" else None)
    tab.on("request", lambda asked: faults.append(asked.url) if "file:" not in asked.url else None)
    yield tab
    tab.close()
    assert not faults
