"""What the board does outside: the files it reads and writes, its port, the browser."""

from __future__ import annotations

import hashlib
import os
import secrets
import socket
import threading
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import uvicorn

from pbem import platforms
from pbem.cli import files, kinds, locks, mail, opponents, report
from pbem.cli.game_file import load_game
from pbem.cli.orders_files import orders_beside, standing_beside
from pbem.cli.pages import beside
from pbem.cli.reply import happened, keep, replied
from pbem.cli.request import Request
from pbem.cli.seats import no_key, own_key
from pbem.desk.gate import HOST, Gate
from pbem.desk.server import BoardServer, path_of
from pbem.desk.session import GameAndDraft, Sent, Session
from pbem.gamedata import folders
from pbem.gamefile.keys import KeyPair
from pbem.messages import Language, Said, say
from pbem.play.game import Game
from pbem.play.next_steps import next_lines
from pbem.play.story import story
from pbem.play.viewpoint import viewpoint
from pbem.problems import Problem, Refused, Span, reason
from pbem.render.page_words import page_in
from pbem.text.source import Source, render_all
from pbem.value import replace

PAGE = "board.html"
SCRIPTS = ("say.js", "map.js", "board.js")
STYLES = ("paper.css", "board.css")
PATIENCE = 0.3
OPENS = '<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="0;url={address}">'
"""A page that opens another one."""


class Desk:
    """The files of a board: the game, the draft next to it, and what is finally written."""

    def __init__(self, request: Request, to: Any = None) -> None:
        self.request, self._to = request, to
        self.key: KeyPair | None = None
        self._lock: int | None = None
        self._known: bytes | None = None
        self._stamp: tuple[int, ...] = ()

    @property
    def path(self) -> Path:
        """The game file."""
        return Path(self.request.game_file)

    @property
    def draft(self) -> Path:
        """The orders file next to it."""
        return orders_beside(self.path)

    def open(self) -> GameAndDraft:
        """The game file, verified, and the draft. Raises Refused; a usage error without a key."""
        self._hold()
        stamp = files.stamp(self.path)
        game = load_game(self.path, self.request, whole=True)
        if self.key is None:
            self.key, _ = own_key(game, self.request)
            if self.key is not None:
                self.key.check()  # its passphrase is asked for before the browser opens
        if not game.fold.is_solo and self.key is None:
            no_key(game, self.request, self.path)
        if game.table is None:
            raise Refused(
                Problem(
                    "not-begun",
                    say("the game has not begun, so there is no board yet"),
                    Span(str(self.path), 0, 0),
                    hint=say("pbem apply GAME --key KEY accepts or begins it"),
                )
            )
        self._stamp, self._known, text = stamp, None, None
        if os.path.exists(self.draft):
            self._known = kinds.read_as(
                kinds.ORDERS, self.draft, files.ORDERS_LIMIT, say("the draft")
            )
            text = Source.decode(str(self.draft), self._known).text
        return GameAndDraft(game, str(self.path), str(self.draft), text)

    def save(self, text: str) -> None:
        """Saves the draft, unless another program has written it. Raises Refused."""
        content = text.encode()
        if self._known is None:
            files.write_new(self.draft, content)
        else:
            files.replace_known(self.draft, self._known, content)
        self._known = content

    def put_aside(self) -> str:
        """Gives the draft another name, which is returned. Raises Refused."""
        if self._known is None:
            return ""
        count = 1
        while os.path.exists(aside := self.draft.with_suffix(f".{count}.yaml")):
            count += 1
        files.write_new(aside, self._known)
        with suppress(OSError):
            self.draft.unlink()
        self._known = None
        return str(aside)

    def is_replaced(self) -> bool:
        """Whether the game file is no longer the one that was read."""
        return files.stamp(self.path) != self._stamp

    def send(self, orders: Source | None) -> Sent:
        """Does what `pbem apply` does, and `pbem mail` once the other player must write."""
        request = self.request
        made = replied(request, self.key, orders)
        keep(made.after, made.met, request)
        self.request = replace(self.request, game_file=made.path)
        opened = self.open()
        game = opened.game
        viewer = viewpoint(game, self.key)
        told = story(game, len(made.before.fold.entries), viewer=viewer)
        lines = happened(game, made.player, made.path, told, made.notes)
        written = [str(made.path)]
        if not game.fold.is_solo and (game.fold.pen != made.player or game.fold.phase == "over"):
            try:
                path = _mail(game, self._to)
            except Refused as refused:  # which undoes nothing of what was signed
                language = report.language_of_problems()
                why = render_all(refused.problems, language=language)
                lines.append(report.worded(say("the mail was not written: {why}", why=why)))
            else:
                lines.append(report.worded(say(
                    "written: {path}; open it with your mail program and send it from there",
                    path=str(path),
                )))  # fmt: skip
                written.append(str(path))
        report.tell(*(say("written: {path}", path=path) for path in written))
        return Sent(tuple(lines), tuple(written), opened)

    def standing(self) -> Source | None:
        """The standing orders next to the game. Raises Refused."""
        return standing_beside(self.path)

    def next_lines(self, game: Game) -> Sequence[Said]:
        """Who writes next, and what they owe."""
        return next_lines(game, game.fold.player_of(self.key.public) if self.key else None)

    def _hold(self) -> None:
        """Locks the draft for one board. Raises Refused if another one has it."""
        self.close()
        name = hashlib.sha256(os.fsencode(self.draft.absolute())).hexdigest()[:16]
        try:
            self._lock = locks.held(f"board-{name}", PATIENCE)
        except locks.Busy as busy:
            raise Refused(
                Problem(
                    "busy",
                    say("another board is open on this file ({holder})", holder=busy.holder),
                    Span(str(self.path), 0, 0),
                    hint=say("go on in that one, or close it first"),
                )
            ) from None
        except OSError as error:
            report.warn(
                say(
                    "note: nothing prevents a second board for this file: {reason}",
                    reason=reason(error),
                )
            )

    def close(self) -> None:
        """Releases the lock."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None


# --- the server ---------------------------------------------------------------------------------


def serve(desk: Desk, language: Language, *, is_opened: bool) -> None:
    """Serves the board until its page is closed, or Ctrl-C."""
    session = Session(desk, language)
    with socket.socket() as listening:
        server, gate = server_at(listening, session)
        report.tell(
            say("the board: {address}", address=gate.address),
            say("it ends when you close its page, or with Ctrl-C"),
        )
        with private_page(gate.address) as path:
            if is_opened:
                # Some browsers are waited for until they are closed.
                opening = threading.Thread(target=_open, args=(path,), daemon=True)
                server.once_serving(opening.start)
            server.once_serving(session.view)  # draws the map while the browser starts
            with suppress(KeyboardInterrupt):
                server.run(sockets=[listening])


class Server(uvicorn.Server):
    """A server that does something as soon as it answers: nobody can come before it then."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._first: list[Callable[[], Any]] = []

    def once_serving(self, call: Callable[[], Any]) -> None:
        """Calls this when it has begun to serve, in the order of these calls."""
        self._first.append(call)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begins to serve, and does what waits for that."""
        await super().startup(sockets)
        for call in self._first if self.started else ():
            call()


@contextmanager
def private_page(address: str) -> Iterator[str | None]:
    """The path of a file that opens an address, which no other user can read; None without a
    folder for it. It is gone afterwards.

    A command line, in which a browser is given its address, can be read by everybody.
    """
    port = address.partition("?")[0].rpartition(":")[2].strip("/")
    path = folders.cache("board", f"{port}.html")
    try:
        if path is not None:
            files.replace_own(path, OPENS.format(address=address).encode())
    except OSError:
        path = None
    try:
        yield path
    finally:
        if path is not None:
            with suppress(OSError):
                os.unlink(path)


def server_at(listening: socket.socket, session: Session) -> tuple[Server, Gate]:
    """The server of a board, on its own port of this machine alone, and its gate."""
    board = BoardServer(session, lambda: setattr(server, "should_exit", True))
    parts = {name: beside(name) for name in (*SCRIPTS, *STYLES)}
    page = page_in(beside(PAGE), [parts[name] for name in SCRIPTS], session.language)
    listening.bind((HOST, 0))
    listening.listen()  # a browser that is faster than the server waits for it
    gate = Gate(
        board.app({PAGE: page, **parts}),
        listening.getsockname()[1], secrets.token_urlsafe(32), cookie=secrets.token_urlsafe(32),
        secret=secrets.token_urlsafe(32), files=[path_of(name) for name in (PAGE, *parts)],
        language=session.language,
    )  # fmt: skip
    server = Server(uvicorn.Config(
        gate, lifespan="off", ws="none", interface="asgi3", log_config=None, access_log=False,
        server_header=False, timeout_graceful_shutdown=1, proxy_headers=False,
    ))  # fmt: skip
    return server, gate


def _open(path: str | None) -> None:
    """Opens a file in the browser, if there is one that does not use the terminal."""
    if not platforms.here().is_desktop():
        report.tell(say("no browser was found: open the address above in one on this machine"))
        return
    with suppress(webbrowser.Error):
        if path is not None and webbrowser.open(Path(path).as_uri()):
            report.tell(say("if it stays empty there, open the address above in it"))
            return
    report.tell(say("no browser could be started: open the address above in one on this machine"))


def _mail(game: Game, to: Any) -> Path:
    """Writes the message of a game that was read whole, as `pbem mail` does."""
    made, kept = mail.composed(game, to)
    path = Path(mail.beside(made.name))
    mail.put(path, made)
    opponents.keep(kept)
    return path
