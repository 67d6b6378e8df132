"""What a command is asked: the table of the words that many commands share, and what it is to
declare a command by such rows.

Rows are read by two: options.py tells click of them, fast_path.py reads plain words by them. What
either of them reads of the shared words becomes a request, which is handed down to whatever needs
to know; what a command has of its own becomes its arguments.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pbem.cli import settings
from pbem.cli.files import StrPath
from pbem.value import value

if TYPE_CHECKING:
    from pbem.cli.exits import Exit
    from pbem.play.systems import Library

FILE, NEW_FILE, FOLDER, TEXT, NUMBER, FLAG = "file", "new file", "folder", "text", "number", "flag"
PRINTABLE, PLACE, CHOICE, HANDLE = "printable", "place", "choice", "handle"
"""What an option takes: a file that is read, one that is written, a folder, a text, a number, or
nothing; a file that is written or, with -, printed; a file or a folder; one of some words; a file
descriptor."""
DASH = "-"


class Misused(Exception):
    """A command was called wrongly: click tells it together with how it is called (exit code 2)."""


class BadValue(Misused):
    """What one option says cannot be read."""

    def __init__(self, word: str, message: str) -> None:
        super().__init__(f"Invalid value for '{word}': {message}")


@value
class OptionRow:
    """An option, or an argument if no words name it.

    `variable` is the variable of the environment that may say it instead, `least` the smallest
    number, `choices` are the words of a CHOICE.
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
    """What the shared words of a command say; each field is a row of the table, or its default."""

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

    @property
    def library(self) -> Library:
        """Where the data of games are looked for."""
        from pbem.play.systems import Library

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

ORDERS = ("orders", OptionRow((), FILE, metavar="ORDERS"))
"""The orders of a command that cannot do without them."""
KEY = ("key_file", "passphrase_fd", "secrets")
SIGNING = ("data", *KEY, "output", "last", "pass_over", "no_record", "as_json")
"""How the key is named, where the file goes, and what it is held against."""
APPLY = ("game_file", "orders_file", "bot", *SIGNING, "opponent", "spare")


def filled(found: dict[str, Any]) -> Request:
    """The request that was found; what is missing has its default."""
    return Request(**{name: each for name, each in found.items() if each is not None})


@value
class DeclaredCommand:
    """A command that is declared by rows alone: `run` is called with a Request of those of the
    table, and with its own ones by their names. It may return how it ended."""

    name: str
    rows: dict[str, OptionRow]
    run: Callable[..., Exit | None]

    def called(self, found: dict[str, Any]) -> Exit | None:
        """Runs it with what was found of its rows. Raises Misused."""
        said = {name: found.get(name) for name in self.rows}
        if "key_file" in said and said["key_file"] is None:
            said["key_file"] = settings.here().key
        own = {
            name: row.default if said[name] is None else said[name]
            for name, row in self.rows.items() if row is not OPTIONS.get(name)
        }  # fmt: skip
        return self.run(filled({name: said[name] for name in said if name not in own}), **own)


def declared(
    name: str, *shared: str | tuple[str, OptionRow]
) -> Callable[[Callable[..., Exit | None]], DeclaredCommand]:
    """Declares the command `name` by its rows in the order of its help: those of the table by their
    names, its own with theirs."""
    rows = dict((each, OPTIONS[each]) if isinstance(each, str) else each for each in shared)

    def declared_as(run: Callable[..., Exit | None]) -> DeclaredCommand:
        return DeclaredCommand(name, rows, run)

    return declared_as


def is_printed(output: StrPath | None, as_json: bool) -> bool:
    """Whether -o sends a file to standard output. Raises Misused where --json would, too."""
    if output is None or str(output) != DASH:
        return False
    if as_json:
        raise Misused("-o - and --json both print to standard output: choose one")
    return True


def orders_needed(orders: StrPath | None) -> StrPath:
    """The orders file that a command cannot do without. Raises Misused."""
    if orders is None:
        raise Misused("Missing argument 'ORDERS'.")
    return orders
