"""A board that is served in this process, for tests and for the bench."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pbem.cli.board_desk import server_at
from pbem.desk.gate import Gate
from pbem.desk.session import Session


@contextmanager
def served(session: Session) -> Iterator[Gate]:
    """The gate of a board. The board must have ended by itself soon after its pages are closed."""
    with socket.socket() as listening:
        server, gate = server_at(listening, session)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield gate
        thread.join(10)
    assert not thread.is_alive(), "it ends when its pages are closed"
