"""The page of `pbem show --html` in a browser: moments, story, keys and the view of the map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import at_home, played
from tests.cli.desk import Desk

__all__ = ["played"]
FORCE = "#space-riotinto"


@pytest.fixture
def page(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tab: Any) -> Any:
    """The page of a game up to its first combat, opened from a file."""
    desk: Desk = at_home(played, monkeypatch)
    desk.done("show", "g4.json", "--html", tmp_path / "game.html")
    tab.goto((tmp_path / "game.html").as_uri())
    tab.wait_for_selector("#controls:not([hidden])")
    return tab


def test_it_steps_and_plays_through_the_moments(page: Any) -> None:
    moment = page.locator("#moment")
    assert "entry 4" in moment.inner_text() and page.locator(".now h3").count() >= 1
    fought = page.locator("#map svg > g > use[href='#burst']")
    assert fought.count() == 1
    page.keyboard.press("Home")
    assert "entry 2" in moment.inner_text()
    assert fought.count() == 0 and "R-MIL-14" in page.locator(f"{FORCE} title").text_content()
    page.click("#next")
    assert "entry 3" in moment.inner_text() and page.locator("#map .attack0").count() > 1
    assert "entry 3" in page.locator("section.now h3").first.inner_text()
    page.keyboard.press("ArrowLeft")
    page.click("#play")
    assert "Pause" in page.locator("#play").inner_text()
    moment.filter(has_text="entry 4").wait_for()
    assert "Play" in page.locator("#play").inner_text(), "it ends with the last moment"


def test_the_story_leads_to_its_moment_and_shows_its_dice(page: Any) -> None:
    page.locator("section[data-entry='3']").first.locator("h3").click()
    assert "entry 3" in page.locator("#moment").inner_text()
    roll = page.locator("li.roll details").first
    assert not roll.locator("pre").is_visible()
    roll.locator("summary").click()
    assert "openssl" in roll.locator("pre").inner_text()
    assert "entry 3" in page.locator("#moment").inner_text(), "looking at a die leads nowhere"


def test_the_map_is_moved_and_seen_from_near(page: Any) -> None:
    def view() -> list[float]:
        return [float(n) for n in page.locator("#map svg").get_attribute("viewBox").split()]

    whole = view()
    page.mouse.move(300, 400)
    page.mouse.wheel(0, -300)
    page.wait_for_timeout(200)
    near = view()
    page.mouse.down()
    page.mouse.move(400, 450, steps=3)
    page.mouse.up()
    assert view()[0] < near[0] and view()[1] < near[1] and view()[2:] == near[2:]
    page.keyboard.press("0")
    assert view() == whole


def test_from_afar_only_what_can_be_read_is_drawn(page: Any) -> None:
    """Large strengths and main cities; nearer also capitals and where units are; then all names."""
    names = ["Sevilla", "Badajoz", "Riotinto", "Utrera"]

    def seen() -> list[str]:
        return [each for each in names
                if page.locator(f"#map text.label:text-is('{each}')").is_visible()]  # fmt: skip

    counter, sign = page.locator(f"{FORCE} [class^=body]"), page.locator(f"{FORCE} [class^=sign]")
    far = counter.bounding_box()["width"]
    assert seen() == names[:1] and not sign.is_visible()
    page.click("#nearer")
    assert seen() == names[:3] and sign.is_visible()
    anchors = page.locator("#map [data-layer=label] [href='#anchor']")
    for anchor in anchors.all():
        name = anchor.locator("xpath=..").locator("text.label").first
        assert anchor.is_visible() == name.is_visible(), "no badge without its name"
    assert counter.bounding_box()["width"] < far, "it was larger than its place"
    page.click("#nearer")
    page.click("#nearer")
    assert seen() == names
    page.click("#whole")
    assert seen() == names[:1]
    page.set_viewport_size({"width": 3000, "height": 1900})
    page.wait_for_timeout(100)
    assert seen() == names, "a larger window shows more"


def test_what_lies_under_the_pointer_is_named(page: Any) -> None:
    place = page.locator(f"{FORCE} [class^=body]").first.bounding_box()
    middle = [place["x"] + place["width"] / 2, place["y"] + place["height"] / 2]
    page.mouse.move(*middle)
    named = page.evaluate(
        "at => document.elementFromPoint(...at).closest('g[id]').querySelector('title')"
        ".textContent",
        middle,
    )
    assert named.startswith("Riotinto")


def test_on_a_telephone_nothing_lies_outside_or_over_another(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.scrollingElement.scrollWidth") <= 390
    assert page.evaluate("document.scrollingElement.scrollHeight") <= 844, "the story alone scrolls"
    boxes = [each.bounding_box() for each in page.locator("#controls > *, #map svg").all()]
    for at, one in enumerate(boxes):
        assert one["x"] >= 0 and one["x"] + one["width"] <= 390
        for other in boxes[at + 1 :]:
            assert _apart(one, other)
    last = page.locator("#story section").last
    last.scroll_into_view_if_needed()
    assert last.is_visible()


def _apart(one: Any, other: Any) -> bool:
    return any(
        one[at] + one[size] <= other[at] + 0.5 or other[at] + other[size] <= one[at] + 0.5
        for at, size in (("x", "width"), ("y", "height"))
    )
