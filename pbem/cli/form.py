"""pbem form: an orders file to fill in."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress

from pbem.cli import files, report
from pbem.cli.files import StrPath
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_here
from pbem.cli.orders_files import read_orders, standing_beside
from pbem.cli.report import about
from pbem.cli.request import FILE, KEY, PRINTABLE, OptionRow, Request, declared, is_printed
from pbem.cli.seats import own_key
from pbem.cli.seen import warn_seen
from pbem.gamedata import folders
from pbem.gamedata.where import schema_file
from pbem.messages import say
from pbem.play.forms import form_after, present_form
from pbem.play.game import Game
from pbem.problems import Refused

MOST_FORMS, FORMS_LIMIT = 200, 64 << 10


@declared(
    "form", "game_file", "data", *KEY,
    ("after", OptionRow(
        ("--after",), FILE,
        "Orders you already have: the form begins with them and asks what follows.",
    )),
    ("path", OptionRow(
        ("-o", "--output"), PRINTABLE,
        "The orders file to write; without it, or with -, the form is printed.",
    )),
)  # fmt: skip
def command(request: Request, after: StrPath | None, path: StrPath | None) -> None:
    """Write an orders file (YAML) for your next decision, with the legal values in comments.

    Fill in every "..." before you send it: orders with open choices are refused. A form that is
    written to a file names the schema of orders, so that editors which know YAML complete them.
    With your key it has your last standing orders, unless standing.yaml next to the game has them.

    Example: pbem form game.pbem.json --key ana.key -o orders.yaml
    """
    game = load_game(request.game_file, request)
    key, player = own_key(game, request)
    with about(request.game_file):
        warn_seen(game, player, request, request.game_file)
        beside = standing_beside(request.game_file, game)
        if after is None:
            text = present_form(game, key, beside=beside, full=True, language=language_here())
        else:
            orders = read_orders(after, game)
            text = form_after(game, key, orders, beside=beside, language=language_here())
    if path is None or is_printed(path, as_json=False):
        report.text(text)
    else:
        write_form(path, f"{modeline(game)}{text}".encode())
        report.tell(say("written: {path}", path=os.fspath(path)))


def modeline(game: Game) -> str:
    """The line that tells editors the schema of orders, for completion and checks."""
    path = schema_file(game.opened.system.slug, "orders")
    return f"# yaml-language-server: $schema={path.as_uri()}\n"


def write_form(output: StrPath, content: bytes) -> None:
    """Writes a form, also over an earlier one that was not edited, or that was emptied. Raises
    Refused.
    """
    known = _written_before()
    if is_blank(output) or _digest_of(output) in known:
        os.unlink(output)
    files.write_new(output, content)
    path = folders.cache("forms")
    if path is None:
        return
    kept = [*known, hashlib.sha256(content).hexdigest()][-MOST_FORMS:]
    with suppress(OSError):  # if it cannot be remembered, another name is asked for
        files.replace_own(path, ("\n".join(kept) + "\n").encode())


def is_blank(path: StrPath) -> bool:
    """Whether a file is there with nothing in it, as an editor that went wrong leaves it."""
    try:
        return not files.read_bytes(path, files.ORDERS_LIMIT, "").strip()
    except Refused:
        return False


def _written_before() -> list[str]:
    """The digests of forms written here, latest last."""
    path = folders.cache("forms")
    try:
        return files.read_bytes(path, FORMS_LIMIT, "").decode().split() if path else []
    except (Refused, UnicodeDecodeError):
        return []


def _digest_of(path: StrPath) -> str:
    try:
        return hashlib.sha256(files.read_bytes(path, files.ORDERS_LIMIT, "")).hexdigest()
    except Refused:
        return ""
