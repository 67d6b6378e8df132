"""pbem mail: a message ready to be sent, by you."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Any

import click

from pbem.cli import addresses, files, opponents, report
from pbem.cli.options import PRINTABLE, is_printed, takes
from pbem.cli.request import Request
from pbem.cli.shared import about, file_name, load_game, warn_seen

ENDING = ".pbem.json"


def _date(context: click.Context, parameter: click.Parameter, text: str | None) -> datetime | None:
    if text is None:
        return None
    if text == "now":
        return datetime.now().astimezone()
    try:
        found = datetime.fromisoformat(text)
    except ValueError:
        raise click.BadParameter(f"{text!a:.40}: write it as 2026-11-21T18:30, or now") from None
    return found if found.tzinfo else found.astimezone()


@click.command("mail")
@takes(
    "game_file", "data",
    click.option("--to", metavar="ADDRESS", callback=addresses.address_of,
                 help="Your opponent's mail address."),
    click.option("--date", metavar="WHEN", callback=_date, help="The date of the e-mail, or now."),
    click.option("--armor", is_flag=True, help="Print the newest entries as a block to paste; with "
                 "-o, put it below the text."),
    click.option("--after", type=click.IntRange(-1),
                 help="The block has the entries after this one."),
    click.option("--picture", is_flag=True, help="Add a picture of the board, with arrows for what "
                 "the mail brings; needs pbem[picture]."),
    click.option("-o", "--output", type=PRINTABLE,
                 help="The message to write, - to print it; by default a name is made up."),
    "as_json",
)  # fmt: skip
def command(
    request: Request, to: Any, date: datetime | None, armor: bool, after: int | None,
    picture: bool, output: Path | None,
) -> None:  # fmt: skip
    """Write an e-mail with GAME attached, for you to send. pbem never sends anything.

    The e-mail tells the newest entry, whose move it is and what each side owes. The address you
    give is kept with your contact, so you give it only once. With --armor and no
    -o only a block of text is printed, to paste into an e-mail of your own. The picture shows what
    both players may see.

    Example: pbem mail game.pbem.json --to beto@example.org -o message.eml
    """
    from pbem.mail import armour
    from pbem.mail.eml import written
    from pbem.mail.outgoing import letter, newest

    if after is not None and not armor:
        raise click.UsageError("--after can be used only together with --armor")
    printed = is_printed(output, request.as_json)
    game = load_game(request.game_file, request, whole=picture, told="log")
    with about(request.game_file):
        warn_seen(game, None, request, request.game_file)
    if after is not None and not newest(game, after):
        count = len(game.fold.entries)
        raise click.BadParameter(f"{after}: the last entry is {count - 1}", param_hint="--after")
    pasted = armour.encode(newest(game, after)) if armor else ""
    if armor and output is None and not (to or date or picture):
        if request.as_json:
            report.as_json({"armor": pasted})
        else:
            click.echo(pasted, nl=False)
        return
    name = file_name(game)
    to, kept = addresses.addressed(game, to)
    shown = _picture(game, newest(game)[0].seq - 1) if picture else b""
    made = letter(
        game, name, block=pasted, to=to, date=date, sender=addresses.sender(), picture=shown
    )
    if printed:
        report.put(written(made))
        return
    path = output or beside(name)
    files.write_new(path, written(made))
    opponents.keep(kept)
    if request.as_json:
        report.as_json({"file": str(path), "subject": made.subject, "attachment": made.name,
                        "to": str(to) if to else None})  # fmt: skip
        return
    report.say(f"subject: {made.subject}", f"attached: {made.name}", f"written: {path}",
               "open it with your mail program and send it from there")  # fmt: skip


def _picture(game: Any, since: int) -> bytes:
    """The board as both players may see it, and what has changed since an entry."""
    from pbem.cli.pictures import as_png
    from pbem.play.seen import has_begun_by, seen

    return as_png(game, seen(game, None, None, since if has_begun_by(game, since) else None))


def beside(name: str) -> Path:
    """The message of a game file, by the name of that."""
    return Path(f"{name.removesuffix(ENDING)}.eml")
