"""Mail addresses: from the command line, from the contacts, and one's own."""

from __future__ import annotations

from email.headerregistry import Address
from typing import TYPE_CHECKING, Any

from pbem.cli import opponents, report, settings
from pbem.cli.request import BadValue
from pbem.gamefile.in_play import other
from pbem.gamefile.rotation import first_key
from pbem.mail.eml import address, named
from pbem.messages import Said, say
from pbem.play.game import Game

if TYPE_CHECKING:
    import click

    from pbem.gamefile.contacts import Contacts


def address_of(context: click.Context, parameter: click.Parameter, text: str | None) -> Any:
    """A mail address as click reads it. Raises BadParameter for anything else."""
    if text is None:
        return None
    try:
        return address(text)
    except ValueError as error:
        import click

        raise click.BadParameter(report.for_reader(_told(text, error))) from None


def given(word: str, text: str | Address | None) -> Address | None:
    """A mail address given for an option. Raises BadValue for anything else."""
    if not isinstance(text, str):
        return text
    try:
        return address(text)
    except ValueError as error:
        raise BadValue(word, _told(text, error)) from None


def _told(text: str, error: ValueError) -> Said:
    return say("{text}: {why}", text=f"{text!a:.80}", why=error.args[0])


def sender() -> Any:
    """The sender of mails by the settings of the folder, if any."""
    own = settings.here()
    if own.mail is None:
        return None
    return named(address(own.mail), own.name or "")


def addressed(game: Game, to: Address | None) -> tuple[Address | None, Contacts | None]:
    """The address for a mail with the game, and the contacts to keep once it is written.

    The recipient is the contact with the key of the player who did not write last. `to` is what the
    player gave; it is kept. Without it, the stored address is used.
    """
    fold = game.fold
    if fold.is_solo:
        return to, None
    book = opponents.all_contacts()
    them = book.owner(first_key(fold.machine, other(fold.entries[-1].by)))
    if them is None:
        return to, None
    if to is not None:
        is_new = str(to) != them.mail
        return to, book.reached(them, str(to)) if is_new else None
    try:
        return (address(them.mail) if them.mail else None), None
    except ValueError:
        return None, None  # edited by hand: treated as missing
