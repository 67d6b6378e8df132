"""What the board of each game shows: where there is something to choose, and what stands there."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.request import Request
from pbem.engine.tags import is_tag
from pbem.gamefile.format import read, write
from pbem.gamefile.keys import private_file
from pbem.gamefile.prospect import prospect
from tests.browser.waiting import until
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats, practised
from tests.games.nopasaran.table import SMALL

pytest.importorskip("starlette", reason="the extra `board` is not installed")
pytest.importorskip("uvicorn", reason="the extra `board` is not installed")

Open = Callable[..., Any]
MORNING = "orders:\n  - assign: none\n  - fly: none\n"
"""What both sides write at the Jarama before anybody moves."""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.chdir(tmp_path)
    found: Desk = at_home(tmp_path, monkeypatch)
    return found


@pytest.fixture
def show(browser: Any, home: Desk, monkeypatch: pytest.MonkeyPatch) -> Iterator[Open]:
    """Shows the board of a game, in a window of a common size."""
    from pbem.cli import board_desk
    from pbem.desk import server as waits
    from pbem.desk.session import Session
    from tests.browser.serving import served

    monkeypatch.setattr(waits, "GRACE", 0.5)
    left: list[Callable[[], object]] = []
    faults: list[str] = []

    def shown(request: Request, wide: int = 1280) -> Any:
        desk = board_desk.Desk(request)
        serving = served(Session(desk))
        gate = serving.__enter__()
        context = browser.new_context(viewport={"width": wide, "height": 800})
        left.extend((desk.close, lambda: serving.__exit__(None, None, None), context.close))
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{error}"))
        page.goto(gate.address)
        page.wait_for_selector("#verbs button")
        return page

    yield shown
    while left:
        left.pop()()
    assert not faults


@pytest.fixture
def open_board(show: Open, home: Desk) -> Open:
    """Opens the board of a new practice game."""

    def opened(slug: str, scenario: str, *words: str, wide: int = 1280, mails: int = 0) -> Any:
        home.done("solo", slug, scenario, "--seed", "a", "-o", "solo.json", *words)
        for _ in range(mails):
            home.done("apply", "solo.json", home.write("next.yaml", MORNING), "-o", "next.json")
            (home.folder / "next.json").replace(home.folder / "solo.json")
        return show(Request(game_file="solo.json"), wide)

    return opened


def seen(page: Any) -> list[float]:
    """The part of the map that is in view: left, top, width and height."""
    return [float(part) for part in page.get_attribute("#map > svg", "viewBox").split()]


def away(page: Any) -> None:
    """Looks at a corner of the map from near, where nothing is to be chosen."""
    for _ in range(8):
        page.click("#nearer")
    field = page.locator("#map").bounding_box()
    for _ in range(12):
        page.mouse.move(field["x"] + 40, field["y"] + 200)
        page.mouse.down()
        page.mouse.move(field["x"] + field["width"] - 40, field["y"] + field["height"] - 120)
        page.mouse.up()


@pytest.mark.parametrize(
    ("game", "first"),
    [(("madrid", "campaign"), ""),
     (("crusade", "campaign"), "play: {card: N1, for: event}"),
     (("ctv", "santander", "--option", "open_units"), ""),
     (("nopasaran", "jarama_pindoque", "--option", "open_units"),
      "activate: {division: N-III}")],
)  # fmt: skip
def test_the_map_goes_to_what_may_be_chosen_out_of_view(
    open_board: Open, game: tuple[str, ...], first: str
) -> None:
    page = open_board(*game, mails=2 if game[0] == "nopasaran" else 0)
    if first:
        page.fill("#text", f"orders:\n  - {first}\n")
        page.wait_for_selector("#gutter .ok, #gutter .remark")
    verbs = page.locator("#verbs button[title]:not(:has(kbd))").all_inner_texts()
    went = 0
    for verb in verbs:
        away(page)
        before = seen(page)
        page.click(f"#verbs button:text-is('{verb}')")
        page.wait_for_selector("#making:not([hidden])")
        left, top, width, height = after = seen(page)
        assert all(part == part for part in after), f"{verb}: {after}"
        assert (width, height) == pytest.approx(before[2:])
        places = page.locator("#marks .target").all()
        went += after != before and bool(places)
        inside = [
            place for place in places
            if left < _middle(place)[0] < left + width and top < _middle(place)[1] < top + height
        ]  # fmt: skip
        assert inside or not places, verb
        page.keyboard.press("Escape")
    assert went


def _middle(target: Any) -> tuple[float, float]:
    """Where the middle of a marked place is on the map; its first corner is up to the left."""
    x, y = re.match(r"M([\d.-]+) ([\d.-]+)", target.get_attribute("d")).groups()
    return float(x) + 25, float(y) + 11


def test_a_click_tells_what_stands_there_beside_a_refusal_and_at_every_question(
    open_board: Open,
) -> None:
    page = open_board("crusade", "campaign")

    def told(space: str) -> str:
        page.keyboard.press("/")
        page.keyboard.type(space)
        page.keyboard.press("Enter")
        page.wait_for_selector(f"g[data-space={space}] > g:focus")
        page.click(f"g[data-layer=space][data-space={space}]")
        title = page.locator(f"g[data-layer=space][data-space={space}] title").text_content()
        until(page, lambda: page.inner_text("#here h3") == title.split("; ")[0])
        return page.inner_text("#here")

    assert "INF-15" in told("sevilla"), "where a card is asked for"
    page.keyboard.press("Escape")
    assert page.is_hidden("#here")
    page.click("#hands .card:not(.unfit)")
    page.click("#making .likeliest")
    until(page, lambda: "play:" in page.input_value("#text"))
    page.click("#verbs button")
    page.click("#making .name:has-text('attack')")
    page.wait_for_selector("#making .wanted:has-text('attack')")
    assert "INF-15" in told("sevilla"), "as what is chosen"
    told("badajoz")
    page.wait_for_selector("#messages .fault:has-text('rule 8.2.2')")
    assert page.is_visible("#here")
    page.keyboard.press("/")
    page.keyboard.type("riotinto")
    page.keyboard.press("Enter")
    until(page, lambda: page.inner_text("#here").startswith("Riotinto"))
    under = page.locator("g[data-layer=space][data-space=riotinto]").bounding_box()
    shown = page.locator("#here").bounding_box()
    assert shown["x"] + shown["width"] < under["x"] or under["x"] + under["width"] < shown["x"]


def test_ctrl_s_saves_and_never_signs(open_board: Open, tmp_path: Path) -> None:
    page = open_board("crusade", "campaign")
    files = {path.name for path in tmp_path.glob("*.json")}
    page.focus("#text")
    page.keyboard.press("Control+End")
    page.keyboard.type("  - play: {card: N1, for: event}\n")
    page.keyboard.press("Control+s")
    until(page, lambda: "Nothing is signed" in page.inner_text("#messages"))
    assert "play: {card: N1" in (tmp_path / "solo.orders.yaml").read_text()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+s")
    page.wait_for_timeout(200)
    assert page.is_hidden("#sheet"), "not from the map either"
    assert {path.name for path in tmp_path.glob("*.json")} == files

    page.keyboard.press("s")
    page.wait_for_selector("#sheet[open] pre")
    summary = page.inner_text("#sheet-body pre")
    assert "play: {card: N1, for: event}" in summary and "is written. It is final" in summary
    assert "You are still asked" in summary
    page.keyboard.press("Escape")
    page.wait_for_timeout(200)
    assert {path.name for path in tmp_path.glob("*.json")} == files, "a summary signs nothing"
    page.click("#send")
    page.wait_for_selector("#sheet[open] .likeliest:focus")
    page.keyboard.press("Enter")
    until(page, lambda: page.inner_text("#sheet-title") == "Signed and written")
    assert {path.name for path in tmp_path.glob("*.json")} != files


def test_a_counter_face_down_that_lies_below_another_is_sent_on_by_clicks(
    show: Open, home: Desk
) -> None:
    """Its player sees it by name; in the file stands its tag, with what it comes to."""
    seats = Seats("board", SMALL, "secret_set_up", is_open=False)
    stage = ""
    while stage != "activation":
        practised(seats) if stage == "set-up" else seats.mail(MORNING if stage else "")
        stage = seats.table.decision.stage if seats.orders_wanted else ""
    (home.folder / "game.json").write_bytes(write(seats.fold.entries))
    (home.folder / "own.key").write_bytes(private_file(KEYS[seats.pen]))
    (home.folder / "own.key").chmod(0o600)
    page = show(Request(game_file="game.json", key_file="own.key"))
    page.click("#verbs button:text-is('activate')")
    page.click("#making .chips button:has-text('N-III ')")
    page.click("#making .likeliest")
    page.click("#verbs button:text-is('move')")
    page.click("g[data-layer=space][data-space=G11]")
    top, below = "N-ACeu/5", "N-2Leg/5"
    page.wait_for_selector(f"#making code:text-is('move: {{units: [{top}]}}')")
    for unit in (below, top):
        page.click(f"#making .chips button:has-text('{unit}')")
    page.wait_for_selector(f"#making code:text-is('move: {{units: [{below}]}}')")
    page.click("#making .name:text-is('path')")
    page.wait_for_selector("#making .wanted:has-text('path')")
    page.click("g[data-layer=space][data-space=H11]")
    page.wait_for_selector(f"#making code:text-is('move: {{units: [{below}], path: [H11]}}')")
    page.click("#making .likeliest")
    until(page, lambda: f"move: {{units: [{below}], path: [H11]}}" in page.input_value("#text"))
    page.click("#send")
    page.click("#sheet[open] .likeliest")
    until(page, lambda: page.inner_text("#sheet-title") == "Signed and written")
    (made,) = home.folder.glob("nopasaran_*.json")
    (orders,) = (each["list"] for each in read(made.read_bytes())[-1].steps
                 if each["do"] == "orders")  # fmt: skip
    own: Any = prospect(seats.fold, KEYS["A"]).in_play
    position, moved = own.state.position, orders[1]["move"]
    tag = position.down.tag(below, position.hexes)
    assert (moved["units"], moved["path"]) == ([tag], ["H11"]) and is_tag(tag)
    assert moved["zones"][0] == {"units": [tag], "zone": "3 foot"}
