"""The command line. Each command is one module, loaded only when it is the one that is called."""

from __future__ import annotations

import gc
import os
import sys

from pbem import __version__

COMMANDS = {
    "games": "What can be played: systems, scenarios, options",
    "keygen": "Make a key pair",
    "key": "Fingerprint of a key, its copy on paper and back",
    "contacts": "List whose key is pinned",
    "new": "Propose a game to an opponent",
    "solo": "Begin a practice game with both seats on this machine",
    "turn": "Take in a mail, give orders, write the mail that goes back",
    "apply": "Answer what is owed, give orders, write the next game file",
    "offer": "Offer a draw, a take-back, a pause, other rules",
    "answer": "Say yes or no to an offer",
    "resign": "Give up the game",
    "audit": "At the end, show what you kept hidden; see how both audits stand",
    "claim": "Put on record what your opponent owes",
    "rotate": "Replace a key with a new one",
    "check": "Judge orders without sending them",
    "status": "Where the game stands, and who owes what",
    "show": "The board, as far as your side may know it",
    "cards": "What a card does, and whether it can be played now",
    "odds": "What the attacks of your orders may come to",
    "form": "Write an orders file to fill in",
    "log": "The story so far",
    "mail": "Write a message with the game file, for you to send",
    "read": "Get the game out of a message, a mailbox or a paste",
    "verify": "Check every link, signature, die and rule of a game file",
    "prove-fork": "Prove that a player signed two different stories",
    "dice": "Every roll, with the means to recompute it",
    "data": "What is stated, derived and rebuilt; check your own data",
    "rules": "The numbered rules the program enforces, and where",
}
"""Name and one line of help; the module is `pbem.cli.<name>`, with `_` for `-`, its command is
`command`."""


def main(argv: list[str] | None = None) -> None:
    """The entry point of `pbem`. Exits with a code of exits.py; a fault of ours is no traceback."""
    words = sys.argv[1:] if argv is None else argv
    if words == ["--version"]:  # scripts ask it often, and nothing else is needed for it
        print(f"pbem {__version__}")
        return
    # A command is short, and what it makes lives to its end: looking for what could be thrown away
    # is worth it only where very much is made.
    gc.set_threshold(200_000)
    from pbem.cli.group import run

    try:
        run(words)
    except SystemExit as left:
        if argv is not None:
            raise
        # All is written and flushed. To take a hundred thousand objects apart one by one, as Python
        # does when it ends by itself, takes a tenth of the time of the whole command.
        os._exit(left.code if isinstance(left.code, int) else 1)
