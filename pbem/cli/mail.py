"""pbem mail: a message ready for you to send."""

from __future__ import annotations

import os
from datetime import datetime
from shlex import quote
from typing import TYPE_CHECKING, Any

from pbem.cli import addresses, files, opponents, report, settings
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
from pbem.mail.eml import written
from pbem.messages import ENGLISH, say
from pbem.play.next_steps import writes_next
from pbem.problems import Refused

if TYPE_CHECKING:
    from pbem.play.game import Game

LONGEST_HEAD = 4096
"""No head of a message that is written here is longer."""

ENDING = ".pbem.json"


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


def _date(text: str | None) -> datetime | None:
    if text is None:
        return None
    if text == "now":
        return datetime.now().astimezone()
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        told = say("{text}: write it as 2026-11-21T18:30, or now", text=f"{text!a:.40}")
        raise BadValue("--date", told) from None
    return found if found.tzinfo else found.astimezone()


@declared(
    "mail", "game_file", "data",
    ("to", OptionRow(("--to",), TEXT, "Your opponent's mail address.", metavar="ADDRESS")),
    ("date", OptionRow(("--date",), TEXT, "The date of the e-mail, or now.", metavar="WHEN")),
    ("armor", OptionRow(
        ("--armor",), FLAG,
        "Print the newest entries as a block to paste; with -o, put it below the text.",
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
    "as_json",
)  # fmt: skip
def command(
    request: Request, to: Any, date: str | None, armor: bool, after: int | None, picture: bool,
    path: StrPath | None,
) -> None:  # fmt: skip
    """Write an e-mail with GAME attached, for you to send. pbem never sends anything.

    The e-mail names the newest entry, whose move it is and what each side owes. The address you
    give is kept with your contact, so you give it only once. With --armor and no
    -o only a block of text is printed, to paste into an e-mail of your own. The picture shows what
    both players may see.

    Example: pbem mail game.pbem.json --to beto@example.org -o message.eml
    """
    from pbem.mail.outgoing import letter, newest

    to, day = addresses.given("--to", to), _date(date)
    if after is not None and not armor:
        raise Misused(say("--after can be used only together with --armor"))
    printed = is_printed(path, request.as_json)
    game = load_game(request.game_file, request, whole=picture, told="mail")
    with about(request.game_file):
        warn_seen(game, None, request, request.game_file)
    if after is not None and not newest(game, after):
        count = len(game.fold.entries)
        raise BadValue(
            "--after", say("{entry}: the last entry is {last}", entry=after, last=count - 1)
        )
    pasted = _block(newest(game, after)) if armor else ""
    if armor and path is None and not (to or day or picture):
        if request.as_json:
            report.as_json({"armor": pasted})
        else:
            report.text(pasted)
        return
    _note_own_turn(game, request)
    name = file_name(game)
    to, kept = addresses.addressed(game, to)
    shown = _picture(game, newest(game)[0].seq - 1) if picture else b""
    made = letter(
        game, name, block=pasted, to=to, date=day, sender=addresses.sender(), picture=shown,
        language=language_here(),
    )  # fmt: skip
    if printed:
        report.put(written(made))
        return
    if path is None:
        path = beside(name)
        _make_way(path, written(made))
    files.write_new(path, written(made))
    opponents.keep(kept)
    if request.as_json:
        report.as_json({"file": str(path), "subject": made.subject, "attachment": made.name,
                        "to": str(to) if to else None})  # fmt: skip
        return
    report.tell(
        say("to: {address}", address=str(to))
        if to
        else say("to: not filled in yet; your mail program asks for it, or use --to"),
        say("subject: {subject}", subject=made.subject),
        say("attached: {name}", name=made.name),
        say("written: {path}", path=str(path)),
        say("open it with your mail program and send it from there"),
    )


def _make_way(path: StrPath, content: bytes) -> None:
    """Removes a message written before that differs only in its recipient: it was to be mended."""
    if os.path.isfile(path) and not os.path.islink(path):
        there = files.beginning(path, len(content) + LONGEST_HEAD)
        if there != content and _to_anyone(there) == _to_anyone(content):
            os.remove(path)


def _to_anyone(message: bytes) -> bytes:
    """A message without the line of its recipient."""
    head, blank, body = message.replace(b"\r\n", b"\n").partition(b"\n\n")
    lines = [line for line in head.split(b"\n") if not line.startswith(b"To: ")]
    return b"\n".join(lines) + blank + body


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
    """The path of the message of a game file, from its name."""
    return f"{name.removesuffix(ENDING)}.eml"
