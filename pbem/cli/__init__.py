"""The command line. Each command is one module, loaded only when it is the one that is called."""

from __future__ import annotations

import gc
import os
import sys

from pbem import __version__

SECTIONS = {
    "Start a game": {
        "init": "Keep your key and mail address for a folder",
        "games": "List the games, scenarios and options",
        "new": "Propose a game to an opponent",
        "solo": "Start a practice game with both sides on this machine",
    },
    "Play": {
        "form": "Write an orders file to fill in",
        "check": "Check orders without sending them",
        "odds": "Show the odds of the attacks in your orders",
        "board": "Play at a board in your browser",
        "turn": "Read what came, give orders and write the mail that goes back",
        "apply": "Send what you owe and your orders: write the next game file",
    },
    "Look at a game": {
        "status": "Show where the game stands and whose turn it is",
        "show": "Show the board, or write a picture or a page of it",
        "cards": "Explain the cards and whether you can play them now",
        "log": "Tell the story so far",
        "summary": "Sum up a turn on one page",
        "luck": "Compare what the dice brought with what was to be expected",
        "rules": "List the rules and how the program enforces each",
    },
    "Mail": {
        "mail": "Write an e-mail with the game file, for you to send",
        "read": "Get the game out of an e-mail, a mailbox or pasted text",
    },
    "Agree, or disagree": {
        "offer": "Offer a draw, a take-back, a pause or other terms",
        "answer": "Accept or decline an offer",
        "resign": "Resign the game",
        "claim": "Record what your opponent owes you",
    },
    "Keys": {
        "keygen": "Create a key pair",
        "key": "Show the fingerprint of a key; copy a key to paper and back",
        "contacts": "List the keys pinned for your opponents",
        "rotate": "Replace your key with a new one",
    },
    "Verify": {
        "verify": "Verify every link, signature, die and rule of a game file",
        "audit": "Reveal at the end what you kept hidden, and show both audits",
        "dice": "List every roll, with the commands to recompute it",
        "prove-fork": "Prove that a player signed two versions of a game",
        "data": "Show where each value comes from; check your own data",
    },
}
"""For each section of the help: name and one line of help of its commands.

The module of a command is `pbem.cli.<name>`, with `_` for `-`; its command is `command`.
"""
COMMANDS = {name: line for section in SECTIONS.values() for name, line in section.items()}


def main(argv: list[str] | None = None) -> None:
    """The entry point of `pbem`. Exits with a code of exits.py; a bug shows no traceback."""
    words = sys.argv[1:] if argv is None else argv
    if words == ["--version"]:  # scripts ask it often, and nothing else is needed for it
        print(f"pbem {__version__}")
        return
    # A command is short, and what it makes lives to its end: garbage collection pays only if very
    # much is made.
    gc.set_threshold(200_000)
    from pbem.cli.here import look_here_first

    look_here_first()
    from pbem.cli.group import run

    try:
        run(words)
    except SystemExit as left:
        if argv is not None:
            raise
        # Everything is written and flushed. Destroying a hundred thousand objects one by one, as
        # Python does at exit, takes a tenth of the time of the whole command.
        os._exit(left.code if isinstance(left.code, int) else 1)
