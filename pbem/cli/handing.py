"""Handing a mail over to its owner's own program, which sends it: pbem knows no server and no
password of a mail account.

The program is named by PBEM_SEND or by the player's own settings, and by nothing in a folder: a
folder can come with a mail. It is started without a shell.
"""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from pbem import platforms
from pbem.cli import settings
from pbem.mail.eml import written
from pbem.messages import Said, say
from pbem.problems import Problem, Refused, Span, reason
from pbem.value import replace, value

if TYPE_CHECKING:
    from email.headerregistry import Address

    from pbem.cli.files import StrPath
    from pbem.mail.eml import Letter

FILE = "{}"
"""In a command: the file of the mail, which a program with windows opens as a draft. A command
without it gets the mail on its standard input, ready to go.
"""
VARIABLE = "PBEM_SEND"
DATE_THEMSELVES = ("s-nail", "mailx", "nail", "mail")
"""Programs that write the date in any case: a mail with two is refused by some servers."""


@value
class Program:
    """The player's mail program: the words of its call, and how the player wrote them."""

    words: tuple[str, ...]
    told: str

    @property
    def opens_file(self) -> bool:
        """Whether it gets the file to open, rather than the mail to send."""
        return any(FILE in word for word in self.words)


def program() -> Program:
    """The program that a mail is handed to. Raises Refused where none is named or found."""
    settings.here()  # where a folder names one, that is said first
    told, where = os.environ.get(VARIABLE, ""), Span(VARIABLE, 0, 0)
    if not told:
        told, where = settings.own().send or "", Span(settings.own_file() or "", 0, 0)
    if not told:
        raise _unsendable(
            say("no program of yours is named that sends mail"), None,
            say('pbem init --send "msmtp -t" keeps one for you; {variable} names it, too',
                variable=VARIABLE),
        )  # fmt: skip
    try:
        words = platforms.here().words(told)
    except ValueError:
        words = []
    if not words:
        raise _unsendable(say("{told} is no command", told=repr(told[:80])), where)
    return Program((_found(words[0], where), *words[1:]), told)


def _found(name: str, where: Span) -> str:
    """The file of a program. What lies in the folder is never meant: it can come with a mail."""
    whole = os.path.expanduser(name)
    if os.path.dirname(whole) and not os.path.isabs(whole):
        raise _unsendable(
            say("{name} is another program in each folder", name=name), where,
            say("name the program alone, or with its whole path"),
        )  # fmt: skip
    import shutil  # which a mail that is not sent has no use for

    found = shutil.which(whole)
    is_here = found is not None and not os.path.isabs(found)
    if found is None or is_here or (name == whole and _lies_here(found)):
        raise _unsendable(say("there is no program {name} on this machine", name=name), where)
    return found


def _lies_here(found: str) -> bool:
    """Whether the search for a program ended in the current folder, as it does on Windows."""
    return os.path.realpath(os.path.dirname(found)) == os.path.realpath(os.curdir)


def check_addressed(to: Address | None) -> None:
    """Raises Refused for a mail without a recipient, which would go nowhere."""
    if to is None:
        raise _unsendable(
            say("the mail has no recipient"), None,
            say("--to ADDRESS names your opponent's, once; it is kept with your contact"),
        )  # fmt: skip


def hand_over(sends: Program, made: Letter, path: StrPath) -> list[Said]:
    """Hands the mail to the program; reports what it got. Raises Refused if that failed.

    `path` is the file of the mail, which stays: after a failure it can be sent in another way.
    """
    import subprocess

    words = [word.replace(FILE, os.path.abspath(path)) for word in sends.words]
    if os.path.basename(words[0]) in DATE_THEMSELVES:
        made = replace(made, date=None)
    given = None if sends.opens_file else written(made, draft=False)
    try:
        # Its output goes where messages go: that of pbem may be JSON.
        done = subprocess.run(words, input=given, stdout=_messages(), check=False)
    except OSError as error:
        raise _unsent(
            path, say("{told}: {reason}", told=sends.told, reason=reason(error))
        ) from None
    if done.returncode:
        raise _unsent(path, say("{told} ended with {code}", told=sends.told, code=done.returncode))
    if sends.opens_file:
        return [say("opened with {told}: {path}", told=sends.told, path=str(path))]
    size = format(len(made.content), ",")
    return [
        say("handed over to {told}: the mail to {address}", told=sends.told, address=str(made.to)),
        say("subject: {subject}", subject=made.subject),
        say("attached: {name}, {size} bytes", name=made.name, size=size),
    ]


def _messages() -> int | None:
    """The channel of messages, where it is a real one."""
    try:
        return sys.stderr.fileno()
    except (OSError, ValueError, AttributeError):
        from subprocess import DEVNULL

        return DEVNULL


def _unsent(path: StrPath, why: Said) -> Refused:
    return Refused(
        Problem(
            "not-sent",
            say("the mail was not sent: {why}", why=why),
            Span(str(path), 0, 0),
            hint=say("this file is the mail: send it in another way, or try --send again"),
        )
    )


def _unsendable(what: Said, where: Span | None, hint: Said = "") -> Refused:
    return Refused(
        Problem("not-sent", say("nothing can be sent: {what}", what=what), where, hint=hint)
    )
