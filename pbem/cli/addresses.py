"""Mail addresses: from the command line, from the contacts, and one's own."""

from __future__ import annotations

from email.headerregistry import Address
from typing import TYPE_CHECKING, Any

from pbem.cli import opponents, report, settings
from pbem.cli.request import BadValue
from pbem.gamedata.folders import SETTINGS_FILE
from pbem.gamefile.in_play import other
from pbem.gamefile.rotation import first_key
from pbem.mail.eml import address, named
from pbem.mail.sender import called_in, written_by
from pbem.messages import Said, say
from pbem.platforms import quote
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


def learnt(game: Game, player: str | None, head: bytes) -> list[Said]:
    """Keeps the address that the other player's mail came from, if their contact has none; says so.
    `head` is the beginning of the mail.

    A mail can name any sender, so an address that is known is never replaced by one.
    """
    if player is None or game.fold.entries[-1].by == player:
        return []
    told = learnt_name(game, player, head)
    them = opponents.all_contacts().owner(first_key(game.fold.machine, other(player)))
    found = not_own(written_by(head))
    if them is None or found is None or (them.mail and _is_same(str(found), them.mail)):
        return told
    name, word = them.name, quote(them.name)
    if them.mail:
        return [
            *told,
            say(
                "this mail came from {address}, and yours to {name} go to {known}; to change that: "
                "pbem contacts mail {word} ADDRESS",
                address=found.addr_spec, name=name, known=them.mail, word=word,
            ),
        ]  # fmt: skip
    opponents.keep(opponents.all_contacts().reached(them, str(found)))
    return [
        *told,
        say(
            "your mails to {name} go to {address}, from where this one came; another address: pbem "
            "contacts mail {word} ADDRESS",
            name=name, address=str(found), word=word,
        ),
    ]  # fmt: skip


def _is_same(one: str, another: str) -> bool:
    """Whether two addresses are the same mailbox, whatever name is beside it."""
    try:
        return address(one).addr_spec.lower() == address(another).addr_spec.lower()
    except ValueError:
        return False  # edited by hand


def keep_given(game: Game, player: str | None, to: Address) -> bool:
    """Keeps the address that a player gave for the other one, and says so where it is new; whether
    there is a contact to keep it with.
    """
    book = opponents.all_contacts()
    them = player and book.owner(first_key(game.fold.machine, other(player)))
    if not them:
        return False
    if str(to) != them.mail:
        opponents.keep(book.reached(them, str(to)))
        report.tell(say("your mails to {name} go to {address} from now on", name=them.name,
                        address=str(to)))  # fmt: skip
        note_short(to)
    return True


def note_short(found: Address) -> None:
    """Notes that an address names no whole domain; within a house that may be right."""
    if "." not in found.domain:
        report.warn(say("note: {address} has no dot behind the @; is it whole?",
                        address=found.addr_spec))  # fmt: skip


def learnt_name(game: Game, player: str, head: bytes) -> list[Said]:
    """Takes the name of the other player from their mail, if their key gave none; says so."""
    key = first_key(game.fold.machine, other(player))
    if not opponents.is_unnamed(key):
        return []
    return [] if not_own(written_by(head)) is None else opponents.called(key, called_in(head))


def not_own(found: Address | None) -> Address | None:
    """An address, unless it is that of the folder's owner: a copy of a mail they sent."""
    own = sender()
    return None if found and own and found.addr_spec == own.addr_spec else found


def note_own(to: Address | None) -> None:
    """Notes that a mail to the opponent goes to its writer: most likely a slip, but two players may
    share an address.
    """
    if to is not None and not_own(to) is None:
        report.warn(
            say(
                "note: {address} is your own address, by {file}, and this mail is for your "
                "opponent; to correct it: --to ADDRESS",
                address=to.addr_spec,
                file=SETTINGS_FILE,
            )
        )


def addressed(game: Game, to: Address | None) -> tuple[Address | None, Contacts | None]:
    """The address for a mail with the game, and the contacts to keep once it is written.

    The recipient is the contact with the key of the player who did not write last. `to` is what the
    player gave; it is kept. Without it, the stored address is used.
    """
    fold = game.fold
    if fold.is_solo:
        return to, None
    reader = other(fold.entries[-1].by)
    if to is None:
        return kept_of(game, reader), None
    book = opponents.all_contacts()
    them = book.owner(first_key(fold.machine, reader))
    if them is None or str(to) == them.mail:
        return to, None
    if them.mail:
        report.warn(say("note: your mails to {name} go to {address} from now on, no longer to "
                        "{before}", name=them.name, address=str(to), before=them.mail))  # fmt: skip
    return to, book.reached(them, str(to))


def kept_of(game: Game, player: str) -> Address | None:
    """The address of a player's contact, if it is known."""
    them = opponents.all_contacts().owner(first_key(game.fold.machine, player))
    try:
        return address(them.mail) if them and them.mail else None
    except ValueError:
        return None  # edited by hand: treated as missing
