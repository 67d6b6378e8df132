"""What a command is asked in the words that many commands share, and the table of those words.

The table is read by two: options.py tells click of it, fast_path.py reads plain words by it. What
either of them reads becomes a request, which is handed down to whatever needs to know.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pbem.cli.files import StrPath
from pbem.value import value

if TYPE_CHECKING:
    from pbem.play.systems import Library

FILE, NEW_FILE, FOLDER, TEXT, NUMBER, FLAG = "file", "new file", "folder", "text", "number", "flag"
"""What an option takes: a file that is read, one that is written, a folder, a text, a number from
0, or nothing."""


@value
class SharedOption:
    """An option, or an argument if no words name it.

    `variable` is the variable of the environment that may say it instead.
    """

    words: tuple[str, ...]
    kind: str
    help: str = ""
    metavar: str | None = None
    variable: str | None = None
    is_repeated: bool = False
    is_needed: bool = False


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
    "game_file": SharedOption((), FILE, metavar="[GAME]"),
    "orders_file": SharedOption((), FILE, metavar="[ORDERS]"),
    "data": SharedOption(
        ("--data",), FOLDER, "A folder of your own data, which replace ours value by value; also "
        "PBEM_DATA. A copy is kept, so you name it only once.", metavar="DIR", variable="PBEM_DATA",
    ),
    "key_file": SharedOption(("--key",), FILE, "Your private key file (OpenSSH format)."),
    "passphrase_fd": SharedOption(
        ("--passphrase-fd",), NUMBER, "Read the passphrase from this file descriptor (for scripts; "
        "PBEM_PASSPHRASE works too).", metavar="N",
    ),
    "secrets": SharedOption(
        ("--secrets",), FILE, "After pbem rotate: the key the game began with, which holds its "
        "secrets. May be repeated.", is_repeated=True,
    ),
    "output": SharedOption(
        ("-o", "--output"), NEW_FILE, "The game file to write; a name is chosen if you give none."
    ),
    "last": SharedOption(
        ("--last",), FILE, "The last file you sent; a game file older than that is refused."
    ),
    "pass_over": SharedOption(
        ("--pass-over",), FLAG, "Ignore the last entries that were written out of turn; this makes "
        "them void.",
    ),
    "no_record": SharedOption(
        ("--no-record",), FLAG, "Sign even if no record of the signature can be kept; by default "
        "that is refused.",
    ),
    "as_json": SharedOption(("--json",), FLAG, "Print JSON."),
    "opponent": SharedOption(
        ("--opponent",), TEXT, "Your opponent: the name of a contact, or a public key file. "
        "Their key is pinned to the name, and any other key is refused.", metavar="NAME",
    ),
    "bot": SharedOption(
        ("--bot",), FLAG, "Let pbem choose your orders, by what your side may know. In a solo game "
        "its reasons are in the log; an opponent is not told them.",
    ),
    "spare": SharedOption(
        ("--spare",), FILE, "Public key of a spare key, which can replace yours if you lose it."
    ),
}  # fmt: skip

KEY = ("key_file", "passphrase_fd", "secrets")
SIGNING = ("data", *KEY, "output", "last", "pass_over", "no_record", "as_json")
"""How the key is named, where the file goes, and what it is held against."""
APPLY = ("game_file", "orders_file", "bot", *SIGNING, "opponent", "spare")


def filled(found: dict[str, Any]) -> Request:
    """The request that was found; what is missing has its default."""
    return Request(**{name: each for name, each in found.items() if each is not None})
