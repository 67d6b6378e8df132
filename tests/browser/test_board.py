"""The board in a browser: orders by clicks and by keys, a second tab, words that hold HTML."""

from __future__ import annotations

import http.server
import os
import re
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.languages import language
from pbem.cli.request import Request
from tests.browser.structure import structure
from tests.browser.waiting import until
from tests.cli.conftest import at_home, played
from tests.cli.desk import Desk

pytest.importorskip("starlette", reason="the extra `board` is not installed")
pytest.importorskip("uvicorn", reason="the extra `board` is not installed")

__all__ = ["played"]
GOLDEN = Path(__file__).parents[1] / "golden"
ROUND = (
    "play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}",
    "attack: {space: riotinto, units: {sevilla: [INF-15, N-POL-4, AFR-1], huelva: [CAV-7]}}",
    "done",
)  # fmt: skip
EVIL = "<img src=x onerror=document.title=1>"


@pytest.fixture
def home(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A practice game in a folder of its own, where the board writes."""
    (tmp_path / "solo.json").write_bytes((played / "solo.json").read_bytes())
    monkeypatch.chdir(tmp_path)
    return at_home(tmp_path, monkeypatch)


@pytest.fixture
def board(
    home: Desk, browser: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Any]:
    """The page of a board; its context has the cookie. The board must end with its pages."""
    from pbem.cli import board_desk
    from pbem.cli.board_desk import private_page
    from pbem.desk import server as waits
    from pbem.desk.session import Session
    from tests.browser.serving import served

    monkeypatch.setattr(waits, "GRACE", 0.5)
    desk = board_desk.Desk(Request(game_file="solo.json"))
    code = getattr(request, "param", "en")
    faults: list[str] = []
    with served(Session(desk, language(code))) as gate, private_page(gate.address) as file:
        context = browser.new_context(viewport={"width": 1400, "height": 900})
        page = context.new_page()
        page.on("pageerror", lambda error: faults.append(f"{error}"))
        page.goto(Path(str(file)).as_uri())  # as `pbem board` opens it
        page.wait_for_selector("#map g[data-space='sevilla']", state="attached")
        page.wait_for_selector("#verbs button")
        yield page
        context.close()
    desk.close()
    assert not faults


def has_chosen(page: Any, count: int) -> None:
    until(page, lambda: page.locator("#marks .chosen").count() == count)


def has_word(page: Any, word: str, *, there: bool = True) -> None:
    until(page, lambda: (word in page.input_value("#text")) is there)


def click(page: Any, space: str, chosen: int) -> None:
    page.click(f"g[data-layer=space][data-space={space}]")
    has_chosen(page, chosen)


def put_in(page: Any, button: str, word: str) -> None:
    page.click(button)
    has_word(page, word)


def is_as_by_file(page: Any, home: Desk) -> None:
    """What the board wrote is what `pbem apply` writes of an orders file."""
    until(page, lambda: page.inner_text("#sheet-title") == "Signed and written")
    (made,) = home.folder.glob("crusade_*.json")
    home.done("apply", "solo.json", home.orders(*ROUND), "-o", "by-file.json")
    assert made.read_bytes() == (home.folder / "by-file.json").read_bytes()


def is_as_it_was_approved(page: Any, golden: Path) -> None:
    """The elements of the board in use, with their names and states, and its words.

    PBEM_GOLDEN=write writes the golden file anew.
    """
    told = re.sub(r"\d{4}( \d{4}){4}", "0000 0000 0000 0000 0000", structure(page.content()))
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(told, encoding="utf-8")
    assert told == golden.read_text(encoding="utf-8")


def test_a_round_by_clicks_is_the_round_of_a_file(board: Any, home: Desk) -> None:
    board.click("#hands .card:not(.unfit)")
    put_in(board, "#making .likeliest", "play:")
    board.click("#verbs button")
    board.click("#making .name:has-text('attack')")
    board.wait_for_selector("#making .wanted:has-text('attack')")
    click(board, "sevilla", 1)
    click(board, "huelva", 2)
    board.click("g[data-layer=space][data-space=badajoz]")
    board.wait_for_selector("#messages .fault:has-text('rule 8.2.2')")
    put_in(board, "#making .likeliest", "activate:")
    click(board, "riotinto", 1)
    click(board, "sevilla", 2)
    click(board, "huelva", 3)
    assert "win 9" in board.inner_text("#tip")
    is_as_it_was_approved(board, GOLDEN / "board.txt")
    put_in(board, "#making .likeliest", "attack: {space")
    put_in(board, "#verbs button", "- done")
    assert board.locator("#gutter .bad").count() == 0
    assert not list(home.folder.glob("crusade_*.json")), "nothing is written before"
    board.click("#send")
    board.wait_for_selector("#sheet[open] pre")
    assert not list(home.folder.glob("crusade_*.json")), "it asks first"
    board.click("#sheet .likeliest")
    is_as_by_file(board, home)


def test_a_round_by_keys_alone(board: Any, home: Desk) -> None:
    def find(space: str, chosen: int) -> None:
        board.keyboard.press("/")
        board.keyboard.type(space)
        board.keyboard.press("Enter")
        board.wait_for_selector(f"g[data-space={space}] > g:focus")
        board.keyboard.press("Enter")
        has_chosen(board, chosen)

    def ordered(word: str) -> None:
        board.wait_for_selector("#making .likeliest:not([disabled])")
        board.keyboard.press("o")
        has_word(board, word)

    board.focus("#verbs button")
    board.keyboard.press("Enter")
    board.wait_for_selector("#making .chips button")
    board.keyboard.press("1")
    ordered("play:")
    board.focus("#verbs button")
    board.keyboard.press("Enter")
    board.wait_for_selector("#making .row")
    board.keyboard.press("]")
    board.wait_for_selector("#making .wanted:has-text('attack')")
    find("sevilla", 1)
    find("huelva", 2)
    ordered("activate:")
    find("riotinto", 1)
    find("sevilla", 2)
    find("huelva", 3)
    ordered("attack: {space")
    board.keyboard.press("d")
    has_word(board, "- done")
    board.keyboard.press("Control+z")
    has_word(board, "- done", there=False)
    board.keyboard.press("Control+Shift+z")
    has_word(board, "- done")
    board.keyboard.press("s")
    board.wait_for_selector("#sheet[open] .likeliest:focus")
    board.keyboard.press("Enter")
    is_as_by_file(board, home)


def test_a_space_marks_its_lines_and_orders_behind_the_dice_are_judged(board: Any) -> None:
    """All of it is typed; what comes behind the dice has a die beside it, or its fault."""
    board.fill("#text", "orders:\n" + "".join(f"  - {each}\n" for each in ROUND))
    until(board, lambda: board.locator("#gutter .ahead").all_inner_texts() == ["⚄ 5"])
    board.click("g[data-layer=space][data-space=sevilla]")
    until(board, lambda: board.locator("#gutter .here").all_inner_texts() == ["✓ 3", "✓ 4"])
    board.keyboard.press("/")
    board.keyboard.type("riotinto")
    board.keyboard.press("Enter")
    until(board, lambda: board.locator("#gutter .here").all_inner_texts() == ["✓ 4"])
    board.keyboard.press("e")  # the caret is at the line that is marked
    board.keyboard.press("Control+End")
    board.keyboard.type("  - play: {card: N5, for: operations}")
    until(board, lambda: board.locator("#gutter .bad").all_inner_texts() == ["✗ 6"])
    board.click("g[data-layer=space][data-space=sevilla]")
    until(board, lambda: "nothing on the map" in board.inner_text("#messages"))
    assert "comes too late" in board.inner_text("#messages"), "the fault stays in sight"


def test_the_cookie_that_another_port_is_sent_does_nothing(board: Any) -> None:
    """Another server on this machine: the browser gives it the cookie, but never the secret."""
    sent: list[str] = []

    class Neighbour(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            sent.append(self.headers["cookie"] or "")
            self.send_response(204)
            self.end_headers()

        def log_message(self, *words: Any) -> None:
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Neighbour) as neighbour:
        thread = threading.Thread(target=neighbour.handle_request)
        thread.start()
        other = board.context.new_page()
        with suppress(Exception):  # an answer without a page is a failure to Playwright
            other.goto(f"http://127.0.0.1:{neighbour.server_port}/")
        thread.join(10)
    assert "pbem-board-" in sent[0]
    forged = urllib.request.Request(f"{board.url}do/start", b"{}", {
        "cookie": sent[0], "origin": board.url.rstrip("/"), "sec-fetch-site": "same-origin",
    })  # fmt: skip
    with pytest.raises(urllib.error.HTTPError, match="403") as refused:
        urllib.request.urlopen(forged, timeout=10)
    refused.value.close()
    other.goto(board.url)
    other.wait_for_selector("#verbs button")
    other.reload()
    other.wait_for_selector("#verbs button")
    assert "#" not in board.url


def test_the_draft_is_kept_and_a_second_tab_looks_on(board: Any, home: Desk) -> None:
    text = board.input_value("#text") + f"say: '{EVIL}'\n  - rubbish\n"
    board.fill("#text", text)
    board.wait_for_selector("#gutter .bad")
    assert (home.folder / "solo.orders.yaml").read_text() == text
    assert board.is_disabled("#send")
    other = board.context.new_page()
    other.goto(board.url)
    other.wait_for_selector("#banner:not([hidden])")
    assert "Another tab" in other.inner_text("#banner") and other.input_value("#text") == text
    assert other.get_attribute("#text", "readonly") is not None
    assert board.locator("img").count() == other.locator("img").count() == 0
    other.click("#banner button")
    until(other, lambda: other.get_attribute("#text", "readonly") is None)
    board.wait_for_selector("#banner:has-text('Another tab')")


@pytest.mark.parametrize("board", ["es"], indirect=True)
def test_a_board_in_spanish(board: Any) -> None:
    board.set_viewport_size({"width": 1600, "height": 900})
    board.click("#hands .card:not(.unfit)")
    put_in(board, "#making .likeliest", "play:")
    board.click("#verbs button")
    assert "Intro la ordena" in board.inner_text("#mode") or "Esc la deja" in board.inner_text(
        "#mode"
    )
    assert "Nada se tira ni se firma" in board.inner_text("#state")
    assert "Faltas" not in board.inner_text("#state")
    assert board.get_attribute("html", "lang") == "es"
    assert board.inner_text("#moment").startswith("Turno 1, agosto de 1936")
    assert "Puntos de Victoria" in board.inner_text("#tracks")
    for button in board.locator("button:visible:not(.card)").all():
        wide, holds = (
            int(button.evaluate(f"each => each.{size}Width")) for size in ("scroll", "client")
        )
        assert wide <= holds + 1, button.inner_text()
    board.keyboard.press("?")
    assert "el espacio más cercano" in board.inner_text("#sheet-body")


def test_on_a_telephone_every_button_is_reached(board: Any) -> None:
    board.set_viewport_size({"width": 390, "height": 844})
    assert int(board.locator("html").evaluate("each => each.scrollWidth")) <= 390
    for button in board.locator("button:visible").all():
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390, button.inner_text()
    board.locator("#hands .card:not(.unfit)").first.click()
    put_in(board, "#making .likeliest", "play:")
