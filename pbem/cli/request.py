"""The commands and their options: a table of those that many share, and commands declared by rows.

Rows have two readers: options.py gives them to click, fast_path.py reads plain words by them. The
shared options become a request, which is passed to all functions that need it; a command's own
options become its arguments.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pbem.cli import settings
from pbem.cli.files import StrPath
from pbem.gamedata import folders
from pbem.messages import LANGUAGES, Said, say, words
from pbem.play.systems import Library
from pbem.value import value

if TYPE_CHECKING:
    from pbem.cli.exits import Exit
    from pbem.play.systems import Library

FILE, NEW_FILE, FOLDER, TEXT, NUMBER, FLAG = "file", "new file", "folder", "text", "number", "flag"
PRINTABLE, PLACE, CHOICE, HANDLE = "printable", "place", "choice", "handle"
"""What an option takes.

A file to read, a file to write, a folder, a text, a number, or nothing; a file to write or, with -,
standard output; a file or a folder; one of some words; a file descriptor.
"""
DASH = "-"
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
        "ruling": "Rule as a director, or bring a ruling into a game",
    },
    "Keys": {
        "keygen": "Create a key pair",
        "key": "Show the fingerprint of a key; copy a key to paper and back",
        "contacts": "List the keys pinned for your opponents",
        "rotate": "Replace your key with a new one",
        "deputy": "Name somebody who may go on for you",
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


class Misused(Exception):
    """A command was called wrongly: click reports it with the usage (exit code 2)."""

    def __init__(self, said: Said) -> None:
        super().__init__(words(said))
        self.said = said


NEEDS_KEY = say(
    "a game between two needs your key: --key FILE; pbem init --key FILE keeps it for this folder"
)


class BadValue(Misused):
    """The value of an option cannot be read."""

    def __init__(self, word: str, message: Said) -> None:
        super().__init__(
            say(
                "Invalid value for {param_hint}: {message}", param_hint=f"'{word}'", message=message
            )
        )


@value
class OptionRow:
    """An option, or an argument if no words name it.

    `variable` is the environment variable that may replace it, `least` the smallest number,
    `choices` the words of a CHOICE.
    """

    words: tuple[str, ...]
    kind: str
    help: str | None = None
    metavar: str | None = None
    variable: str | None = None
    is_repeated: bool = False
    is_needed: bool = False
    default: Any = None
    least: int = 0
    choices: tuple[str, ...] = ()


@value
class Request:
    """The shared options of a command; each field is a row of the table, or its default.

    `is_key_usual`: the key is that of the folder, since none was named.
    """

    game_file: StrPath = ""
    orders_file: StrPath | None = None
    data: StrPath | None = None
    key_file: StrPath | None = None
    passphrase_fd: int | None = None
    secrets: tuple[StrPath, ...] = ()
    output: StrPath | None = None
    last: StrPath | None = None
    pass_over: bool = False
    no_record: bool = False
    as_json: bool = False
    opponent: str | None = None
    spare: StrPath | None = None
    bot: bool = False
    is_key_usual: bool = False

    @property
    def library(self) -> Library:
        """Where the data of games are searched."""
        return Library(self.data)


OPTIONS = {
    "game_file": OptionRow((), FILE, metavar="[GAME]"),
    "orders_file": OptionRow((), FILE, metavar="[ORDERS]"),
    "data": OptionRow(
        ("--data",), FOLDER, "A folder of your own data, which replace ours value by value; also "
        "PBEM_DATA. A copy is kept, so you name it only once.", metavar="DIR", variable="PBEM_DATA",
    ),
    "key_file": OptionRow(("--key",), FILE, "Your private key file (OpenSSH format)."),
    "passphrase_fd": OptionRow(
        ("--passphrase-fd",), HANDLE, "Read the passphrase from this file descriptor (for scripts; "
        "PBEM_PASSPHRASE works too).", metavar="N",
    ),
    "secrets": OptionRow(
        ("--secrets",), FILE, "After pbem rotate: the key the game began with, which holds its "
        "secrets. May be repeated.", is_repeated=True,
    ),
    "output": OptionRow(
        ("-o", "--output"), NEW_FILE, "The game file to write; a name is chosen if you give none."
    ),
    "last": OptionRow(
        ("--last",), FILE, "The last file you sent; a game file older than that is refused."
    ),
    "pass_over": OptionRow(
        ("--pass-over",), FLAG, "Ignore the last entries that were written out of turn; this makes "
        "them void.",
    ),
    "no_record": OptionRow(
        ("--no-record",), FLAG, "Sign even if no record of the signature can be kept; by default "
        "that is refused.",
    ),
    "as_json": OptionRow(("--json",), FLAG, "Print JSON."),
    "opponent": OptionRow(
        ("--opponent",), TEXT, "Your opponent: the name of a contact, or a public key file. "
        "Their key is pinned to the name, and any other key is refused.", metavar="NAME",
    ),
    "bot": OptionRow(
        ("--bot",), FLAG, "Let pbem choose your orders, by what your side may know. In a solo game "
        "its reasons are in the log; an opponent is not told them.",
    ),
    "spare": OptionRow(
        ("--spare",), FILE, "Public key of a spare key, which can replace yours if you lose it."
    ),
}  # fmt: skip
LANG = OptionRow(
    ("--lang",), CHOICE, "The language of the output; also PBEM_LANG, or lang in pbem.toml.",
    variable="PBEM_LANG", choices=LANGUAGES,
)  # fmt: skip
"""An option of every command: whatever it says, errors among it, is said in this language."""

ORDERS = ("orders", OptionRow((), FILE, metavar="[ORDERS]"))
"""The orders of a command that requires them; by default those that pbem turn asks for."""
CHOSEN = ("chosen", OptionRow(("--orders",), FILE, "The same as ORDERS, as pbem turn takes it."))
"""The orders by the word that other commands have for them."""
KEY = ("key_file", "passphrase_fd", "secrets")
SIGNING = ("data", *KEY, "output", "last", "pass_over", "no_record", "as_json")
"""The key, the output file, and what the game is compared with."""
APPLY = ("game_file", "orders_file", CHOSEN, "bot", *SIGNING, "opponent", "spare")


READ = {
    "secrets": ("key", say("the key file")),
    "last": ("game", say("the game file")),
    "spare": ("public", say("the spare key")),
}
"""The rows of files that many commands take and few need: the kind of kinds.py, and what a player
calls the file.
"""


def check_named(kind: str, path: StrPath, what: Said) -> None:
    """Raises Refused for a named file that is not there, as whatever reads it does."""
    if not os.path.exists(path):
        from pbem.cli import kinds

        kinds.read_as(kind, path, 0, what)


def filled(found: dict[str, Any]) -> Request:
    """The request with what was found; the rest has defaults. Raises Refused for a named file or
    folder that is not there, even where this command would not need it.
    """
    if (data := found.get("data")) is not None:
        folders.check_there(data)
    for name, (kind, what) in READ.items():
        given = found.get(name) or ()
        for path in given if isinstance(given, tuple) else (given,):
            check_named(kind, path, what)
    return Request(**{name: each for name, each in found.items() if each is not None})


@value
class DeclaredCommand:
    """A command that is declared only by rows.

    `run` is called with a Request of the shared rows, and with its own by their names. It may
    return how it ended.
    """

    name: str
    rows: dict[str, OptionRow]
    run: Callable[..., Exit | None]

    def called(self, found: dict[str, Any]) -> Exit | None:
        """Runs it with the values of its rows. Raises Misused."""
        said, usual = {name: found.get(name) for name in self.rows}, dict[str, Any]()
        settings.speak(said.pop("lang"))
        if "key_file" in said and said["key_file"] is None:
            said["key_file"] = settings.here().key
            usual = {"is_key_usual": True}
        own = {
            name: row.default if said[name] is None else said[name]
            for name, row in self.rows.items() if row not in (LANG, OPTIONS.get(name))
        }  # fmt: skip
        shared = {name: said[name] for name in said if name not in own}
        return self.run(filled({**shared, **usual}), **own)


def declared(
    name: str, *shared: str | tuple[str, OptionRow]
) -> Callable[[Callable[..., Exit | None]], DeclaredCommand]:
    """Declares the command `name` by its rows in the order of its help.

    Shared rows are given by name, its own with their definitions.
    """
    rows = dict((each, OPTIONS[each]) if isinstance(each, str) else each for each in shared)
    rows["lang"] = LANG

    def declared_as(run: Callable[..., Exit | None]) -> DeclaredCommand:
        return DeclaredCommand(name, rows, run)

    return declared_as


def only_one(orders: StrPath | None, chosen: StrPath | None) -> StrPath | None:
    """The orders file of a command that takes it with or without --orders. Raises Misused."""
    if orders is not None and chosen is not None:
        raise Misused(say("ORDERS and --orders name the same thing: give one of them"))
    return chosen if orders is None else orders


def is_printed(output: StrPath | None, as_json: bool) -> bool:
    """Whether -o sends a file to standard output. Raises Misused if --json would, too."""
    if output is None or str(output) != DASH:
        return False
    if as_json:
        raise Misused(say("-o - and --json both print to standard output: choose one"))
    return True
