"""pbem contacts: whose key is pinned."""

from __future__ import annotations

from typing import Any

import click

from pbem.cli import files, opponents, report
from pbem.cli.addresses import address_of, note_short
from pbem.cli.options import Group, takes
from pbem.cli.request import Request
from pbem.gamefile import contacts
from pbem.messages import say
from pbem.problems import Problem, Refused, Span, reason


@click.group("contacts", cls=Group, invoke_without_command=True)
@click.pass_context
@takes("as_json")
def command(context: click.Context, request: Request) -> None:
    """List your opponents, each with the key they used the first time and their mail address.

    If a contact suddenly has another key, it is refused, and both fingerprints are shown.

    Example: pbem contacts --json
    """
    if context.invoked_subcommand is not None:
        return
    found = opponents.all_contacts().all
    if request.as_json:
        report.as_json(
            [
                {
                    "name": each.name,
                    "fingerprint": each.fingerprint,
                    "key": each.key.hex(),
                    "mail": each.mail or None,
                }
                for each in found
            ]
        )
        return
    if not found:
        report.tell(say("no contacts yet: the first is pinned by pbem new --opponent THEM.pub"))
    wide = max((len(each.name) for each in found), default=0)
    report.tell(
        *(f"{each.name:{wide}}  {each.fingerprint}  {each.mail}".rstrip() for each in found)
    )


@command.command("forget")
@click.argument("name")
def forget(name: str) -> None:
    """Forget the key of NAME, so that the next one they use is pinned.

    Example: pbem contacts forget Beto
    """
    book = opponents.all_contacts()
    left = book.without(name)
    gone = next(each for each in book.all if each not in left.all)
    _write(left)
    report.tell(
        say("forgotten: {name}, {fingerprint}", name=gone.name, fingerprint=gone.fingerprint)
    )


@command.command("mail")
@click.argument("name")
@click.argument("address", metavar="ADDRESS", callback=address_of)
def mail(name: str, address: Any) -> None:
    """Keep the mail address of NAME: pbem mail and pbem turn write to it.

    Example: pbem contacts mail Beto beto@example.org
    """
    book = opponents.all_contacts()
    known = book.wanted(name)
    _write(book.reached(known, str(address)))
    report.tell(say("mails to {name} go to {address}", name=known.name, address=address))
    note_short(address)


def _write(book: contacts.Contacts) -> None:
    path = opponents.contacts_file() or ""  # there is one, for there was a contact
    try:
        files.replace_own(path, contacts.written(book))
    except OSError as error:
        raise Refused(
            Problem(
                "unwritable",
                say("your contacts cannot be written: {reason}", reason=reason(error)),
                Span(str(path), 0, 0),
            )
        ) from None
