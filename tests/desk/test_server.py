"""Who may ask the board for anything: the browser that was given its address, and nobody else."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

pytest.importorskip("starlette", reason="the extra `board` is not installed")
testclient: Any = pytest.importorskip("starlette.testclient", reason="httpx is not installed")

from starlette.requests import Request  # noqa: E402

from pbem.desk.gate import MOST_BODY, SECRET, Gate  # noqa: E402
from pbem.desk.server import BoardServer, path_of  # noqa: E402
from pbem.desk.session import Session  # noqa: E402

HERE = "http://127.0.0.1:4711"
FILES = {"board.html": "<!DOCTYPE html>", "board.js": "1"}


@pytest.fixture
def board(sit: Callable[..., Session]) -> BoardServer:
    board = BoardServer(sit(), lambda: None)
    board.tabs.append("one")
    return board


@pytest.fixture
def gate(board: BoardServer) -> Gate:
    paths = [path_of(name) for name in FILES]
    return Gate(board.app(FILES), 4711, "token", cookie="cookie", secret="secret", files=paths)


def client(gate: Gate, *, base: str = HERE, address: str = "127.0.0.1") -> Any:
    return testclient.TestClient(
        gate, base_url=base, client=(address, 50000), follow_redirects=False
    )


@pytest.fixture
def known(gate: Gate) -> Any:
    found = client(gate)
    entered = found.get("/?token=token")
    found.headers[SECRET] = secret_in(entered)
    return found


def secret_in(entered: Any) -> str:
    """What the page that lets a browser in sends it on with."""
    return re.search(r'content="0;url=/#k=(\w+)"', entered.text)[1]


def ask(known: Any, what: str, **given: Any) -> Any:
    return known.post(f"/do/{what}", json={"tab": "one", **given}, headers={"origin": HERE})


def test_the_address_works_once(gate: Gate) -> None:
    first, second = client(gate), client(gate)
    assert first.get("/").status_code == 403
    wrong = first.get("/?token=wrong")
    assert wrong.status_code == 403 and "not the address" in wrong.text
    entered = first.get("/?token=token")
    assert entered.status_code == 200 and secret_in(entered) == "secret"
    assert entered.headers["content-type"].startswith("text/html")
    cookie = entered.headers["set-cookie"]
    assert "HttpOnly" in cookie and "SameSite=Strict" in cookie
    assert first.get("/").status_code == 200
    used = second.get("/?token=token")
    assert used.status_code == 403 and "each address works once" in used.text
    again = first.get("/?token=token")
    assert again.status_code == 303, "whoever has the cookie may come again"
    assert again.headers["location"] == "/", "but is not told the secret again"


def test_it_can_be_entered_from_a_file_of_the_player(gate: Gate) -> None:
    """A file is no page of this host; but it is opened, and not a part of another page."""
    part = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "iframe"}
    assert client(gate).get("/?token=token", headers=part).status_code == 403
    opened = {"sec-fetch-site": "cross-site", "sec-fetch-dest": "document"}
    assert client(gate).get("/", headers=opened).status_code == 403
    assert client(gate).post("/?token=token", headers=opened).status_code == 403
    assert not gate.is_used
    assert client(gate).get("/?token=token", headers=opened).status_code == 200


def test_the_cookie_alone_opens_only_the_page(known: Any) -> None:
    """Any server on this machine may be sent the cookie; nobody is sent the secret."""
    del known.headers[SECRET]
    for path in ("/", "/board.js"):
        assert known.get(path).status_code == 200
    for what in ("start", "view", "story", "send", "nothing"):
        assert ask(known, what).status_code == 403
        wrong = known.post(f"/do/{what}", json={}, headers={"origin": HERE, SECRET: "wrong"})
        assert wrong.status_code == 403 and "not the address" in wrong.text
    for path in ("/alive?tab=x", "/alive?tab=x&key=wrong", "/nowhere"):
        assert known.get(path).status_code == 403
    assert known.get("/alive?key=secret").status_code == 400, "a tab without a name"


def test_the_secret_alone_opens_nothing(known: Any) -> None:
    known.cookies.clear()
    assert ask(known, "start").status_code == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"host": "evil.example:4711"}, 421),
        ({"host": "localhost:4711"}, 421),
        ({"host": "127.0.0.1"}, 421),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec-fetch-site": "cross-site"}, 403),
        ({"cookie": "pbem-board-4711=wrong"}, 403),
    ],
)
def test_nobody_else_is_let_in(known: Any, headers: dict[str, str], status: int) -> None:
    for method in ("GET", "POST"):
        sent = {"origin": HERE, **headers}
        told = known.request(method, "/do/start" if method == "POST" else "/", headers=sent)
        assert told.status_code == status
        assert told.headers["cache-control"] == "no-store"


def test_another_machine_and_a_change_without_origin_are_refused(gate: Gate, known: Any) -> None:
    assert client(gate, address="192.168.1.7").get("/?token=token").status_code == 403
    assert known.post("/do/start", json={}).status_code == 403


def test_a_gigabyte_is_not_read(known: Any) -> None:
    told = known.post("/do/draft", content=b"x", headers={
        "origin": HERE, "content-length": str(1 << 30),
    })  # fmt: skip
    assert told.status_code == 413

    def endless() -> Any:
        for _ in range(MOST_BODY // 1000 + 10):
            yield b"x" * 1000

    assert known.post("/do/draft", content=endless(), headers={"origin": HERE}).status_code == 413


def test_every_answer_forbids_what_the_page_does_not_need(known: Any) -> None:
    for path in ("/", "/board.js", "/nowhere"):
        headers = known.get(path).headers
        assert "default-src 'none'" in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["x-frame-options"] == "DENY"


def test_one_tab_writes_and_another_may_take_over(known: Any, board: BoardServer) -> None:
    board.tabs.append("two")
    text = board.session.text + "  - done\n"
    refused = ask(known, "draft", tab="two", text=text)
    assert refused.status_code == 400 and refused.json()["problems"][0]["code"] == "looks-on"
    assert ask(known, "view", tab="two").json()["looksOn"] is True
    assert ask(known, "take", tab="two").json()["looksOn"] is False
    assert ask(known, "draft", tab="two", text=text).status_code == 200
    assert board.session.text == text


@pytest.mark.parametrize("body", [b"", b"[]", b"{", b"\xff", b'{"text": 1}', b"[" * 5000])
def test_what_is_no_question_is_refused_and_no_fault(known: Any, body: bytes) -> None:
    for what in ("draft", "click", "order", "send", "nothing"):
        told = known.post(f"/do/{what}", content=body, headers={"origin": HERE})
        assert told.status_code == 400 and told.json()["problems"]


@pytest.mark.parametrize("half", [b"\\ud83d", b"\xed\xa0\xbd"])
def test_half_a_character_is_refused_and_no_fault(known: Any, half: bytes) -> None:
    """A browser leaves it behind where half of an emoji was deleted; no file can hold it."""
    for what in ("draft", "click", "choose", "send"):
        body = b'{"tab": "one", "text": "%s", "place": "%s", "name": "%s"}' % (half, half, half)
        told = known.post(f"/do/{what}", content=body, headers={"origin": HERE})
        assert told.status_code == 400
        assert told.json()["problems"][0]["code"] == "not-utf8"


def test_a_draft_is_judged_with_its_line_and_kept(known: Any, board: BoardServer) -> None:
    text = board.session.text + "  - play: {card: N99}\n"
    told = ask(known, "draft", text=text).json()["view"]
    assert told["problems"][0]["line"] == 4
    disk: Any = board.session.outside
    assert disk.text == text


def test_what_is_sent_must_be_what_was_kept(known: Any, board: BoardServer) -> None:
    refused = ask(known, "send", text="orders: []\n")
    assert refused.status_code == 400 and refused.json()["problems"][0]["code"] == "unsaved"


def test_names_and_remarks_are_text(known: Any, board: BoardServer) -> None:
    evil = "<img src=x onerror=alert(1)>"
    text = board.session.text + f"say: '{evil}'\n"
    told = ask(known, "draft", text=text)
    assert json.loads(told.content)["view"]["text"] == text
    assert told.headers["content-type"] == "application/json"


def test_a_page_that_is_loaded_again_and_again_keeps_its_board(board: BoardServer) -> None:
    """The time without a page begins anew with each that is closed."""

    board.tabs.clear()

    async def sit() -> None:
        waiting: list[Any] = []
        for tab in ("two", "three"):
            beats: Any = board._beats(Request({"type": "http"}), tab)
            await anext(beats)
            assert all(each.cancelled() for each in waiting)
            await beats.aclose()
            waiting.append(board._ending)
        assert not board.tabs and not waiting[1].cancelled()

    with ThreadPoolExecutor() as aside:  # a browser that another test drives has the loop here
        aside.submit(asyncio.run, sit()).result()
