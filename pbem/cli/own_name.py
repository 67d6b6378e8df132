"""What the other player calls the owner of a key: asked for once, with the first mail of a game."""

from __future__ import annotations

import os

from pbem.cli import choices, files, keyfiles, report, settings
from pbem.cli.files import StrPath
from pbem.cli.languages import language_here
from pbem.cli.request import Request
from pbem.cli.settings_file import completed, why_not, written
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.gamefile.contacts import proper
from pbem.messages import say


def ask_for_one(key_file: StrPath, request: Request) -> None:
    """Asks the owner of a key without a name for one and keeps it in the settings of the folder;
    where nobody can be asked, says what to type.
    """
    if request.as_json or settings.here().name or keyfiles.name_of(key_file):
        return
    if not choices.is_attended():
        report.tell(
            say(
                "note: your key has no name, so your opponent sees you under one made from the "
                "key; to put yours in your mails: pbem init --name YOU --mail ADDRESS"
            )
        )
        return
    import click

    for _ in range(choices.TRIES):
        asked = click.prompt(
            report.asking(say("What should your opponent call you?")), default="",
            show_default=False,
        )  # fmt: skip
        name = proper(str(asked))
        if not name:
            return
        if not (why := why_not("name", name)):
            _keep(name)
            return
        report.tell(say("{name}: {why}", name=name, why=why))


def _keep(name: str) -> None:
    if os.path.lexists(SETTINGS_FILE):
        files.replace_own(os.path.realpath(SETTINGS_FILE), completed({"name": name}))
    else:
        files.write_new(SETTINGS_FILE, written({"name": name}, language_here()))
    report.tell(say("your name is in {file} now", file=SETTINGS_FILE))
    if settings.here().mail is None:
        report.tell(say("your mails give it once they have your address: pbem init --mail ADDRESS"))
