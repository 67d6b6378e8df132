"""The gate of the board: it admits only the browser that was given its address, on this machine.

Every page in every tab of a browser can send requests to 127.0.0.1, and anyone can make a name that
leads there. So a request needs the cookie that the address gave once, the right `Host`, and no
foreign `Origin`; and no more is read than a draft can have. Other users of the machine can read
every command line: the browser gets the address in a private file (cli/board_desk.py).

A browser sends a cookie to every server of the same host, whatever its port. So the address also
gives a secret that no browser sends by itself, in the fragment of `/#k=...`. The page sends it
along, and everything except the files of the page itself needs it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping, MutableMapping
from hmac import compare_digest
from typing import Any
from urllib.parse import parse_qs

from starlette.exceptions import HTTPException

from pbem.messages import ENGLISH, Language, marked

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

HOST = "127.0.0.1"
SECRET = "x-pbem-board"
"""The header with the secret of the page; a stream, which can have none, gives it as `key`."""
MOST_BODY = 512 << 10
"""Bytes of a request: a draft of 64 kB may be six times as long as JSON."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
ENTERED = '<!doctype html><meta http-equiv="refresh" content="0;url=/#k={secret}">'
USED = marked(
    "this address has already been opened, and each address works once: pbem board prints a new one"
)
WRONG = marked("this is not the address of the board: use the one that pbem board printed")


class Gate:
    """Protects an application from all other clients.

    `files` are the paths of the page itself, which contain nothing of the game: for these the
    cookie is enough. Everything else needs its `secret` too.
    """

    def __init__(
        self,
        app: App,
        port: int,
        token: str,
        *,
        cookie: str,
        secret: str,
        files: Collection[str],
        language: Language = ENGLISH,
    ) -> None:
        self._app, self._token, self._secret, self._files = app, token, secret, files
        self._cookie_value, self._language = cookie, language
        self._host = f"{HOST}:{port}"
        self._cookie = f"pbem-board-{port}"
        self.is_used = False

    @property
    def address(self) -> str:
        """The address that the browser opens, once."""
        return f"http://{self._host}/?token={self._token}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        headers = _headers(scope)
        asked = parse_qs(scope["query_string"].decode("latin-1"))
        given = asked.get("token")
        enters = bool(given) and scope["path"] == "/" and scope["method"] == "GET"
        refused = self._foreign(scope, headers, enters=enters)
        if refused is None and enters and given:
            await self._enter(headers, given[0], send)
            return
        secret = headers.get(SECRET) or asked.get("key", [""])[0]
        is_free = scope["path"] in self._files or _same(secret, self._secret)
        if refused is None and not (self._is_known(headers) and is_free):
            refused = 403, WRONG
        if refused is None:
            refused = _too_long(headers)
        if refused is not None:
            await _say(send, *refused)
            return
        await self._pass(scope, receive, send)

    def _foreign(
        self, scope: Scope, headers: Mapping[str, str], *, enters: bool
    ) -> tuple[int, str] | None:
        """The reasons to refuse any client: another machine, another name, another page.

        Whoever enters may come from the player's own file with the address, which is no page of
        this host; but only as a page that is opened, never as a part of another.
        """
        client = scope.get("client")
        if not client or client[0] != HOST:
            return 403, "the board answers only this machine"
        if headers.get("host") != self._host:
            return 421, f"the board answers only to {self._host}"
        origin = headers.get("origin")
        is_asking = scope["method"] in ("GET", "HEAD")
        if origin is None and not is_asking:
            return 403, "a request that changes something needs an Origin"
        if origin not in (None, f"http://{self._host}"):
            return 403, "the board accepts nothing from other pages"
        came = headers.get("sec-fetch-site", "same-origin")
        is_opened = headers.get("sec-fetch-dest") == "document"
        if came not in ("same-origin", "none") and not (enters and is_opened):
            return 403, "the board accepts nothing from other pages"
        return None

    def _is_known(self, headers: Mapping[str, str]) -> bool:
        cookies = dict(
            each.strip().partition("=")[::2] for each in headers.get("cookie", "").split(";")
        )
        return _same(cookies.get(self._cookie, ""), self._cookie_value)

    async def _enter(self, headers: Mapping[str, str], given: str, send: Send) -> None:
        """Exchanges the token for the cookie and the secret, once; a client with the cookie may
        pass.
        """
        if not _same(given, self._token):
            await _say(send, 403, self._language.gettext(WRONG))
        elif not self.is_used:
            self.is_used = True
            cookie = f"{self._cookie}={self._cookie_value}; Path=/; HttpOnly; SameSite=Strict"
            # A redirect would go on as what came from elsewhere, and without the strict cookie;
            # a page that opens the board itself is of this host.
            kind = {"content-type": "text/html; charset=utf-8", "set-cookie": cookie}
            await _say(send, 200, ENTERED.format(secret=self._secret), kind)
        elif self._is_known(headers):
            await _say(send, 303, "", {"location": "/"})
        else:
            await _say(send, 403, self._language.gettext(USED))

    async def _pass(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes the request on to the application, which may read only so much."""
        left = MOST_BODY

        async def counted() -> Message:
            nonlocal left
            message = await receive()
            left -= len(message.get("body", b""))
            if left < 0:
                raise HTTPException(*TOO_LONG)
            return message

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *_encoded(HEADERS)]
            await send(message)

        await self._app(scope, counted, guarded)


TOO_LONG = 413, f"this is too much: the board takes {MOST_BODY:,} bytes at most"


def _too_long(headers: Mapping[str, str]) -> tuple[int, str] | None:
    length = headers.get("content-length", "0")
    is_number = length.isascii() and length.isdigit() and len(length) < 16
    return None if is_number and int(length) <= MOST_BODY else TOO_LONG


def _headers(scope: Scope) -> dict[str, str]:
    """The headers by name; one that was sent twice has both values, so that none is valid."""
    found: dict[str, str] = {}
    for name, given in scope["headers"]:
        name, given = name.decode("latin-1").lower(), given.decode("latin-1")
        found[name] = f"{found[name]}; {given}" if name in found else given
    return found


def _same(one: str, other: str) -> bool:
    return compare_digest(one.encode("utf-8", "replace"), other.encode())


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    return [(name.encode(), each.encode()) for name, each in headers.items()]


async def _say(send: Send, status: int, words: str, more: Mapping[str, str] | None = None) -> None:
    """Answers for the gate itself; the connection ends with it, whatever is still to come."""
    told = f"{words}\n".encode() if words else b""
    headers = {
        **HEADERS, "content-type": "text/plain; charset=utf-8", "content-length": str(len(told)),
        **({"connection": "close"} if status >= 400 else {}), **(more or {}),
    }  # fmt: skip
    await send({"type": "http.response.start", "status": status, "headers": _encoded(headers)})
    await send({"type": "http.response.body", "body": told})
