"""pbem init: what a folder knows about its owner."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from pbem.cli import files, keyfiles, keyrings, kinds, report, settings
from pbem.cli.addresses import address_of, note_short
from pbem.cli.files import StrPath
from pbem.cli.languages import language, language_here
from pbem.cli.options import GAME, takes
from pbem.cli.report import about
from pbem.cli.request import Misused, Request
from pbem.cli.settings_file import SETTINGS, completed, own_written, quoted, why_not, written
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.gamefile.keys import load_private, needs_passphrase
from pbem.messages import LANGUAGES, say
from pbem.problems import Problem, Refused, Span


@click.command("init")
@takes(
    click.option("--key", "key_file", type=GAME, help="Your private key file."),
    click.option("--name", help="Your name; by default the one in your public key."),
    click.option("--lang", type=click.Choice(LANGUAGES),
                 help="The language of all output in this folder."),
    click.option("--dated", is_flag=True, help="Let your entries say when you wrote them."),
    click.option("--mail", metavar="ADDRESS", callback=address_of, help="Your mail address."),
    click.option("--send", metavar="COMMAND",
                 help="Your own program that sends a mail, such as msmtp -t; for all folders."),
    click.option("--keyring", is_flag=True,
                 help="Keep the passphrase of your key in the system's keyring; for all folders."),
    click.option("--replace", is_flag=True,
                 help="Put this key in the place of the one that the folder has (pbem rotate)."),
    "passphrase_fd", "as_json", usual_lang=False,
)  # fmt: skip
def command(
    request: Request, key_file: Path | None, name: str | None, mail: Any, lang: str | None,
    dated: bool, send: str | None, keyring: bool, replace: bool,
) -> None:  # fmt: skip
    """Keep your key, name, mail address and language for this folder, in a file called pbem.toml.

    Run again with other settings, it adds them and keeps what is there. After pbem rotate,
    --replace puts the new key in the place of the old one; games in which you have not replaced it
    still need --key OLD.

    In this folder you can then leave out --key, and pbem mail names you as the sender. Where
    you propose or accept a game, and before pbem turn signs, you are told which key that is. The
    file is text, for you to edit. GAME can be left out wherever a folder has only one game: its
    newest file is meant.

    With --dated the entries that you sign from this folder say when you wrote them. Both players
    see it in pbem luck --clock, as your word: nobody can check it.

    --send and --keyring are kept in your own settings, for every folder: a folder can come with a
    mail, and must not name a program. The command of --send gets each mail on its standard input;
    where it has {}, the file of the mail instead, to open it. --keyring needs pbem[keyring].

    Example: pbem init --key ana.key --mail ana@example.org
    """
    if send is not None or keyring:
        _keep_own(request, send, key_file or settings.here().key if keyring else None, keyring)
        if not (key_file or name or mail or lang or dated) or os.path.lexists(SETTINGS_FILE):
            return
    is_here = os.path.lexists(SETTINGS_FILE)
    if is_here and not (key_file or name or mail or lang or dated):
        raise Misused(
            say("{name} is already here; it is a text file that you can edit", name=SETTINGS_FILE)
        )
    if key_file is not None:
        raw = keyfiles.read_key(key_file, without=keyfiles.without_here())
        with about(key_file):
            if not needs_passphrase(raw):
                load_private(raw)
        known = settings.here().name if is_here else None
        name = name or known or keyfiles.name_of(key_file)
    elif not (name or mail or lang or dated):
        raise Misused(
            say("say which key is yours: --key FILE; {what_else}", what_else=kinds.NO_KEY)
        )
    given = _given(key_file, name, mail, lang, dated)
    found = {each: text for each, text in given.items() if text}
    _check(found)
    if is_here:
        _add(found, request, replaces=replace)
        if mail is not None:
            note_short(mail)
        return
    files.write_new(SETTINGS_FILE, written(found, language(lang) if lang else language_here()))
    if request.as_json:
        report.as_json({"file": SETTINGS_FILE, **{each: given[each] or None for each in given}})
        return
    report.tell(say("written: {path}", path=SETTINGS_FILE))
    if mail is not None:
        note_short(mail)
    if key_file is not None:
        report.tell(say("in this folder, commands now use {key} without --key", key=str(key_file)))
    else:
        report.tell(
            say(
                'it names no key yet: write the line key = "FILE" there, or name yours each time '
                "with --key"
            )
        )


def _keep_own(
    request: Request, send: str | None, key_file: StrPath | None, keyring: bool
) -> None:  # fmt: skip
    """Writes the user's own settings. Raises Refused, and Misused where they say something else."""
    path, known = settings.own_file(), settings.own()
    if path is None:
        raise Misused(say("you have no home folder, where your own settings could be kept"))
    why = "" if send is None else why_not("send", send)
    if why:
        raise Misused(say("{name}: {why}", name="--send", why=why))
    if keyring:
        if key_file is None:
            raise Misused(
                say("say which key is yours: --key FILE; {what_else}", what_else=kinds.NO_KEY)
            )
        keyrings.library()  # without it nothing need be typed
        raw = keyfiles.read_key(key_file, without=keyfiles.without_here())
        with about(key_file):
            is_locked = needs_passphrase(raw)
        if not is_locked:
            raise Misused(say("{path} has no passphrase to keep", path=str(key_file)))
        keyrings.put(key_file, raw, keyfiles.passphrase_of(key_file, request))
    found = settings.OwnSettings(send or known.send, "yes" if keyring else known.keyring)
    if found != known:
        files.replace_own(path, own_written(vars(found), language_here()))
    report.tell(say("written: {path}", path=path))


def _given(
    key_file: Path | None, name: str | None, mail: Any, lang: str | None, dated: bool
) -> dict[str, str]:
    """What the options say for each setting; an empty text where one says nothing."""
    return {
        "key": str(key_file or ""),
        "name": name or "",
        "mail": str(mail or ""),
        "lang": lang or "",
        "dated": "yes" if dated else "",
    }


def _add(given: Mapping[str, str], request: Request, *, replaces: bool) -> None:
    """Adds settings to the file that is here; whatever stands in it stays, to the letter, but for
    the key that one `replaces`.

    Raises Misused where it says something else: what its owner wrote is not replaced.
    """
    known = settings.here()
    both = [(each, getattr(known, each), given.get(each)) for each in SETTINGS]
    against = [(each, old, new) for each, old, new in both if old and new and old != new]
    changed = {each for each, _, _ in against if replaces and each == "key"}
    against = [each for each in against if each[0] not in changed]
    if [each for each, _, _ in against] == ["key"]:
        raise Misused(
            say(
                "{file} says {old}, and nothing was changed; if you have replaced that key (pbem "
                "rotate), add --replace",
                file=SETTINGS_FILE, old=f"key = {quoted(against[0][1] or '')}",
            )
        )  # fmt: skip
    if against:
        raise Misused(
            say(
                "{file} says {old}, and nothing was changed; to change it, open the file and "
                "write {new} there instead",
                file=SETTINGS_FILE,
                old=tuple(f"{each} = {quoted(old)}" for each, old, _ in against),
                new=tuple(f"{each} = {quoted(new)}" for each, _, new in against),
            )
        )
    fresh = {each: new for each, old, new in both if new and (not old or each in changed)}
    if fresh:
        files.replace_own(os.path.realpath(SETTINGS_FILE), completed(fresh))
    if request.as_json:
        kept = {each: old or new for each, old, new in both}
        report.as_json({"file": SETTINGS_FILE, **kept})
        return
    if not fresh:
        report.tell(say("{file} says so already: nothing was changed", file=SETTINGS_FILE))
        return
    lines = tuple(f"{each} = {quoted(text)}" for each, text in fresh.items())
    report.tell(say("written: {path}", path=SETTINGS_FILE), say("new in it: {lines}", lines=lines))


def _check(found: Mapping[str, str]) -> None:
    """Raises Refused for settings that could not be read again."""
    for each in SETTINGS:
        text = found.get(each)
        why = why_not(each, text) if text is not None else ""
        if why:
            raise Refused(
                Problem(
                    "settings", say("{each}: {why}", each=each, why=why), Span(SETTINGS_FILE, 0, 0)
                )
            )
