"""pbem mail: a message ready for you to send."""

from __future__ import annotations

import os
import re
from datetime import datetime
from typing import TYPE_CHECKING, Any

from pbem import platforms
from pbem.cli import addresses, files, handing, opponents, report, settings
from pbem.cli.files import StrPath
from pbem.cli.game_file import file_name, load_game
from pbem.cli.languages import language_here
from pbem.cli.report import about
from pbem.cli.request import (
    FLAG,
    NUMBER,
    PRINTABLE,
    TEXT,
    BadValue,
    Misused,
    OptionRow,
    Request,
    declared,
    is_printed,
)
from pbem.cli.seats import seat_of
from pbem.cli.seen import warn_seen
from pbem.late import Late
from pbem.mail.eml import written
from pbem.mail.outgoing import letter, newest
from pbem.messages import ENGLISH, say
from pbem.platforms import quote
from pbem.play.next_steps import writes_next
from pbem.problems import Refused

if TYPE_CHECKING:
    from email.headerregistry import Address

    from pbem.cli import handing
    from pbem.cli.handing import Program
    from pbem.gamefile.contacts import Contacts
    from pbem.mail.eml import Letter
    from pbem.play.game import Game

else:  # which few mails need
    handing = Late("pbem.cli.handing")

LONGEST_HEAD = 4096
"""No head of a message that is written here is longer."""

ENDING = ".pbem.json"
_FOLD = re.compile(rb"\n[ \t]+")
_TO_MEND = re.compile(rb"(?m)^(?:To|Date):[^\n]*\n(?:[ \t][^\n]*\n)*")


def _note_own_turn(game: Game, request: Request) -> None:
    """Notes that a mail only sends back what came: its writer has not answered it yet."""
    try:
        player = seat_of(game, settings.here().key)
    except Refused:
        return  # a mail needs no key
    if player and writes_next(game, player) and game.fold.entries[-1].by != player:
        report.warn(
            say(
                "note: it is your turn to write, and this mail only sends back what came; "
                "pbem turn {file} writes your answer first",
                file=quote(str(request.game_file)),
            )
        )


def now() -> datetime:
    """The moment at which a mail is written, as its writer's clock and calendar have it."""
    return datetime.now().astimezone().replace(microsecond=0)


def _date(text: str | None) -> datetime:
    if text in (None, "now"):
        return now()
    try:
        found = datetime.fromisoformat(str(text))
    except ValueError:
        told = say("{text}: write it as 2026-11-21T18:30, or now", text=f"{text!a:.40}")
        raise BadValue("--date", told) from None
    return found if found.tzinfo else found.astimezone()


@declared(
    "mail", "game_file", "data",
    ("to", OptionRow(("--to",), TEXT, "Your opponent's mail address.", metavar="ADDRESS")),
    ("date", OptionRow(("--date",), TEXT, "The date of the e-mail; now, if you give none.",
                       metavar="WHEN")),
    ("armor", OptionRow(
        ("--armor",), FLAG,
        "Print the newest entries as a block to paste, and nothing else.",
    )),
    ("after", OptionRow(
        ("--after",), NUMBER, "The block has the entries after this one.", least=-1
    )),
    ("picture", OptionRow(
        ("--picture",), FLAG, "Add a picture of the board, with arrows for what the mail brings; "
        "needs pbem[picture].",
    )),
    ("path", OptionRow(
        ("-o", "--output"), PRINTABLE,
        "The message to write, - to print it; by default a name is made up.",
    )),
    ("send", OptionRow(
        ("--send",), FLAG, "Hand the message to your own program, which sends it (see pbem init).",
    )),
    "as_json",
)  # fmt: skip
def command(
    request: Request, to: Any, date: str | None, armor: bool, after: int | None, picture: bool,
    path: StrPath | None, send: bool = False,
) -> None:  # fmt: skip
    """Write an e-mail with GAME attached, for you to send.

    With --send it is handed to your own mail program, the one that pbem init --send or PBEM_SEND
    names; pbem itself sends nothing.

    The e-mail names the newest entry, and says who writes next and what. The address you
    give is kept with your contact, so you give it only once. Below the text stand the newest
    entries as a block, in case the attachment is lost on the way; with --armor and no
    -o only the block is printed, to paste into an e-mail of your own. The picture shows what
    both players may see.

    Example: pbem mail game.pbem.json --to beto@example.org -o message.eml
    """
    to, day = addresses.given("--to", to), _date(date)
    if after is not None and not armor:
        raise Misused(say("--after can be used only together with --armor"))
    printed = is_printed(path, request.as_json)
    if printed and send:
        raise Misused(say("-o - prints the message: leave --send out, or -o"))
    sends = handing.program() if send else None
    game = load_game(request.game_file, request, whole=picture, told="mail")
    with about(request.game_file):
        warn_seen(game, None, request, request.game_file)
    if after is not None and not newest(game, after):
        count = len(game.fold.entries)
        raise BadValue(
            "--after", say("{entry}: the last entry is {last}", entry=after, last=count - 1)
        )
    if armor and path is None and not (to or date or picture or send):
        block = _block(newest(game, after))
        if request.as_json:
            report.as_json({"armor": block})
        else:
            report.text(block)
        return
    _note_own_turn(game, request)
    shown = _picture(game, newest(game)[0].seq - 1) if picture else b""
    made, kept = composed(game, to, date=day, after=after, picture=shown)
    if printed:
        report.put(written(made, draft=False))
        return
    _deliver(made, kept, path, sends, as_json=request.as_json)


def written_after(game: Game, request: Request, to: Any, *, send: bool) -> None:
    """Writes the mail of a game that was just signed, as the command does; with `send` it is handed
    over. The game is read again only where it does not have what the mail tells.
    """
    if newest(game)[0].seq < game.source[1]:
        game = load_game(request.game_file, request, told="mail")
    sends = handing.program() if send else None
    _deliver(*composed(game, addresses.given("--to", to)), None, sends, as_json=False)


def _deliver(
    made: Letter, kept: Contacts | None, path: StrPath | None, sends: Program | None, *,
    as_json: bool,
) -> None:  # fmt: skip
    """Writes a mail, hands it to the program that sends it, if there is one, and says so."""

    if sends:
        handing.check_addressed(made.to)
    path = path or beside(made.name)
    put(path, made)
    opponents.keep(kept)
    handed = handing.hand_over(sends, made, path) if sends else ()
    if as_json:
        report.as_json({"file": str(path), "subject": made.subject, "attachment": made.name,
                        "to": str(made.to) if made.to else None,
                        "sent": sends.told if sends else None})  # fmt: skip
        return
    if handed:
        report.tell(say("written: {path}", path=str(path)), *handed)
        return
    report.tell(
        say("to: {address}", address=str(made.to))
        if made.to
        else say("to: not filled in yet; your mail program asks for it, or use --to"),
        say("subject: {subject}", subject=made.subject),
        say("attached: {name}", name=made.name),
        say("written: {path}", path=str(path)),
        say("open it with your mail program and send it from there"),
    )


def composed(
    game: Game, to: Address | None = None, *, date: datetime | None = None,
    after: int | None = None, picture: bytes = b"",
) -> tuple[Letter, Contacts | None]:  # fmt: skip
    """The mail of a game as the settings of the folder want it, and the contacts to keep once it is
    written.

    `to` is what the player gave; the block below the text has the entries `after` one, or those of
    the last author.
    """
    to, kept = addresses.addressed(game, to)
    addresses.note_own(to)
    made = letter(
        game, file_name(game), block=_block(newest(game, after)), to=to, date=date or now(),
        sender=addresses.sender(), picture=picture, language=language_here(),
    )  # fmt: skip
    return made, kept


def put(path: StrPath, made: Letter) -> None:
    """Writes the file of a mail. Raises Refused for an existing file, unless it is this mail with
    another recipient or date: that was to be mended.
    """
    content = platforms.here().lines(written(made))
    if os.path.isfile(path) and not os.path.islink(path):
        there = files.beginning(path, len(content) + LONGEST_HEAD)
        if _to_anyone(there) == _to_anyone(content):
            files.replace_known(path, there, content)
            return
    files.write_new(path, content)


def _to_anyone(message: bytes) -> bytes:
    """A message without recipient and date; how its fields are folded depends on these, too."""
    head, blank, body = message.replace(b"\r\n", b"\n").partition(b"\n\n")
    return _FOLD.sub(b" ", _TO_MEND.sub(b"", head + b"\n") + blank + body)


def _block(entries: Any) -> str:
    from pbem.mail import armour

    return armour.encode(entries)


def _picture(game: Any, since: int) -> bytes:
    """The board as both players may see it, and what has changed since an entry."""
    from pbem.cli.pictures import as_png
    from pbem.play.seen import has_begun_by, seen

    found = seen(game, None, None, since if has_begun_by(game, since) else None)
    return as_png(game, found, ENGLISH)


def beside(name: str) -> str:
    """The path of the message of a game file, from the name of the attachment."""
    return f"{name.removesuffix('.gz').removesuffix(ENDING)}.eml"
