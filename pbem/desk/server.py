"""The board as an application: JSON for the page. The work is done elsewhere.

A refusal has status 400 and lists the problems as `pbem check --json` does. One tab writes; the
others look on.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from pbem.desk.gesture import Gesture
from pbem.desk.session import Session, plain_problem
from pbem.messages import say
from pbem.problems import Problem, Refused

GRACE = 4.0
"""Seconds without any page, as when one is loaded again, before the board ends."""
BEAT = 0.5
MOST_TABS = 50
KINDS = {"html": "text/html", "js": "text/javascript", "css": "text/css"}
FIRST = "board.html"
LOOKS_ON = Problem(
    "looks-on",
    say("another tab is writing the orders: this one can only watch"),
    hint=say("use that tab, or take over here"),
)

TOO_DEEP = Problem("not-json", say("this is nested too deeply"))

Files = Mapping[str, str]
Answer = dict[str, Any]


class BoardServer:
    """A session with its open tabs."""

    def __init__(self, session: Session, ended: Callable[[], None]) -> None:
        self.session, self._ended = session, ended
        self.tabs: list[str] = []
        """Open tabs in the order they came; the first one writes."""
        self._ending: asyncio.TimerHandle | None = None

    def app(self, files: Files) -> Starlette:
        """The application, with the scripts and styles it serves, by name."""
        routes = [
            Route("/alive", self._alive),
            Route("/do/{what}", self._do, methods=["POST"]),
            *(_served(name, content) for name, content in files.items()),
        ]
        return Starlette(routes=routes)

    # --- what a page does -----------------------------------------------------------------------

    async def _do(self, request: Request) -> Response:
        try:
            asked = _asked(await request.body())
            what = request.path_params["what"]
            if what not in DOES:
                raise Refused(Problem("unknown", say("the board has no action of that name")))
            if what == "take":
                self._take(_text(asked, "tab"))
            elif what not in LOOKS and self.tabs[:1] != [asked.get("tab")]:
                raise Refused(LOOKS_ON)
            answer = DOES[what](self.session, asked)
            return JSONResponse({**answer, "looksOn": self.tabs[:1] != [asked.get("tab")]})
        except Refused as refused:
            told = [plain_problem(each, self.session.language) for each in refused.problems]
            return JSONResponse({"problems": told}, 400)
        except RecursionError:
            return JSONResponse({"problems": [plain_problem(TOO_DEEP, self.session.language)]}, 400)

    def _take(self, tab: str) -> None:
        if tab in self.tabs:
            self.tabs.remove(tab)
            self.tabs.insert(0, tab)

    # --- how long a page is there ---------------------------------------------------------------

    async def _alive(self, request: Request) -> Response:
        """A stream that lasts as long as the tab; it reports changes from outside."""
        tab = request.query_params.get("tab", "")[:64]
        if not tab or len(self.tabs) >= MOST_TABS:
            return Response("a tab needs a name", 400)
        return StreamingResponse(self._beats(request, tab), media_type="text/event-stream")

    async def _beats(self, request: Request, tab: str) -> AsyncIterator[str]:
        if self._ending is not None:
            self._ending.cancel()
        if tab not in self.tabs:
            self.tabs.append(tab)
        was: tuple[bool, bool] | None = None
        try:
            yield "retry: 1000\n\n"
            while not await request.is_disconnected():
                now = self.tabs[:1] == [tab], self.session.outside.is_replaced()
                if now != was:
                    told = json.dumps({"writes": now[0], "replaced": now[1]})
                    yield f"data: {told}\n\n"
                    was = now
                await asyncio.sleep(BEAT)
        finally:
            if tab in self.tabs:
                self.tabs.remove(tab)
            if not self.tabs:
                self._ending = asyncio.get_running_loop().call_later(GRACE, self._ended)


# --- one function for each thing that is done ---------------------------------------------------


def _view(session: Session, asked: Answer) -> Answer:
    return {"view": session.view(_number(asked, "picture"))}


def _start(session: Session, asked: Answer) -> Answer:
    return {"sheet": session.sheet(), "view": session.view()}


def _draft(session: Session, asked: Answer) -> Answer:
    session.write(_text(asked, "text"))
    return _view(session, asked)


def _begin(session: Session, asked: Answer) -> Answer:
    return {"gesture": session.begin(_text(asked, "verb"))}


def _click(session: Session, asked: Answer) -> Answer:
    return {"gesture": session.click(_gesture(asked), _text(asked, "place"))}


def _choose(session: Session, asked: Answer) -> Answer:
    return {"gesture": session.choose(_gesture(asked), _text(asked, "name"), asked.get("value"))}


def _order(session: Session, asked: Answer) -> Answer:
    gesture = _gesture(asked)
    if gesture is None:
        raise Refused(Problem("unknown", say("there is no order to add")))
    return {"line": session.order(gesture), **_view(session, asked)}


def _ahead(session: Session, asked: Answer) -> Answer:
    return {"line": session.order_ahead(_text(asked, "verb")), **_view(session, asked)}


def _standing(session: Session, asked: Answer) -> Answer:
    return {"line": session.add_standing(), **_view(session, asked)}


def _check(session: Session, asked: Answer) -> Answer:
    return {"told": session.check()}


def _form(session: Session, asked: Answer) -> Answer:
    return {"told": session.form()}


def _story(session: Session, asked: Answer) -> Answer:
    return {"html": session.story()}


def _anew(session: Session, asked: Answer) -> Answer:
    return {"kept": session.anew(), **_view(session, asked)}


def _reopen(session: Session, asked: Answer) -> Answer:
    session.reopen()
    return _start(session, asked)


def _summary(session: Session, asked: Answer) -> Answer:
    return {"lines": list(session.summary())}


def _send(session: Session, asked: Answer) -> Answer:
    if _text(asked, "text") != session.text:
        raise Refused(
            Problem(
                "unsaved",
                say("the draft on the page is not the one that was saved"),
                hint=say("look at it again before you send anything"),
            )
        )
    sent = session.send()
    return {"lines": list(sent.lines), "files": list(sent.files), **_start(session, asked)}


DOES: Mapping[str, Callable[[Session, Answer], Answer]] = {
    "view": _view, "start": _start, "take": _view, "draft": _draft, "begin": _begin,
    "click": _click, "choose": _choose, "order": _order, "ahead": _ahead, "standing": _standing,
    "check": _check, "form": _form, "story": _story, "anew": _anew, "reopen": _reopen,
    "summary": _summary, "send": _send,
}  # fmt: skip
LOOKS = frozenset({
    "view", "start", "take", "begin", "click", "choose", "check", "form", "story", "summary",
})  # fmt: skip
"""What a tab may do that does not write."""


# --- what was asked, which anybody may have written ---------------------------------------------


def _asked(body: bytes) -> Answer:
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise Refused(Problem("not-json", say("requests to the board must be JSON")))
    _check_whole(found)
    return found


def _check_whole(asked: Answer) -> None:
    """Refuses half a character, which a browser may leave of an emoji: no file can hold it."""
    try:
        json.dumps(asked, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise Refused(
            Problem(
                "not-utf8",
                say("the text has half a character in it"),
                hint=say("delete what the browser shows as a box or a question mark"),
            )
        ) from None


def _text(asked: Answer, name: str) -> str:
    found = asked.get(name)
    if not isinstance(found, str):
        raise Refused(Problem("not-json", say("{name} must be a text", name=name)))
    return found


def _number(asked: Answer, name: str) -> int:
    found = asked.get(name, 0)
    return found if type(found) is int else 0


def _gesture(asked: Answer) -> Gesture | None:
    found = asked.get("gesture")
    if found is None:
        return None
    if not isinstance(found, dict) or not isinstance(found.get("said"), dict):
        raise Refused(Problem("not-json", say("gesture must be an unfinished order")))
    rest = {name: _text(found, name) for name in ("verb", "slot", "at", "picked")}
    return Gesture(said=found["said"], **rest)


def _served(name: str, content: str) -> Route:
    kind = KINDS[name.rpartition(".")[2]]

    async def served(request: Request) -> Response:
        return Response(content, media_type=kind)

    return Route(path_of(name), served)


def path_of(name: str) -> str:
    """The path where a file of the page is served."""
    return "/" if name == FIRST else f"/{name}"
