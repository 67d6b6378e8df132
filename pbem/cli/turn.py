"""pbem turn: one command per mail, from what came to what goes back."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from pbem import platforms
from pbem.cli import (
    addresses,
    choices,
    files,
    folder,
    handing,
    kinds,
    mail,
    mailboxes,
    read,
    report,
    unread,
)
from pbem.cli.addresses import address_of
from pbem.cli.form import is_blank, modeline, write_form
from pbem.cli.game_file import load_game
from pbem.cli.languages import language_here
from pbem.cli.old_files import refuse_old
from pbem.cli.options import GAME, takes
from pbem.cli.orders_files import (
    orders_beside,
    read_orders,
    read_source,
    standing_beside,
    standing_path,
)
from pbem.cli.reply import reply
from pbem.cli.report import about
from pbem.cli.request import KEY, Misused, Request, check_named
from pbem.cli.seats import key_words, no_key, own_key, own_seat, told_key
from pbem.cli.seen import (
    against_it,
    remember_read,
    warn_of,
    warn_seen,
)
from pbem.cli.told_orders import standing_told, written_lines
from pbem.gamefile.in_play import Asked, other
from pbem.gamefile.keys import KeyPair
from pbem.late import Late
from pbem.mail.sender import written_by
from pbem.messages import Said, say
from pbem.platforms import as_typed, quote
from pbem.play.dry_run import DryRun, dry_run
from pbem.play.forms import asked_table, asks_nothing, present_form
from pbem.play.game import Game
from pbem.play.next_steps import may_accept, next_lines, writes_next
from pbem.play.now import now
from pbem.play.owing import has_claimed
from pbem.play.story import story, story_ahead
from pbem.play.terms import terms
from pbem.play.titles import title
from pbem.play.viewpoint import has_two_stories, viewpoint
from pbem.problems import Problem, Refused, Span, reason
from pbem.render.formats import rendered
from pbem.value import replace

if TYPE_CHECKING:
    import subprocess

    from pbem.cli import meant
    from pbem.orders.parse import OrdersFile
else:  # which only an editor takes, and a player who has a deputy
    subprocess = Late("subprocess")
    meant = Late("pbem.cli.meant")


@click.command("turn")
@takes(
    click.argument("given", metavar="[FILE]", type=read.MAILS, required=False),
    click.option("--game", "base", type=GAME,
                 help="Your file of the game, which a pasted block continues."),
    click.option("--orders", "chosen", type=GAME,
                 help="Your orders; by default a file next to the game, named after it."),
    click.option("--to", metavar="ADDRESS", callback=address_of,
                 help="Your opponent's mail address."),
    click.option("--yes", is_flag=True, help="Sign without asking."),
    click.option("--send", is_flag=True,
                 help="Hand the mail to your own program, which sends it (see pbem init)."),
    "data", *KEY, "last", "no_record", "opponent", "spare",
)  # fmt: skip
def command(
    request: Request, given: Path | None, base: Path | None, chosen: Path | None, to: Any,
    yes: bool, send: bool,
) -> None:  # fmt: skip
    """Take in a mail, give your orders and write the mail that goes back, in one command.

    FILE is the mail that came, as for pbem read (.eml, .emlx, .zip, winmail.dat, pasted text), or a
    game file. It may be a folder of mails
    (Maildir, MH) or a mailbox with several games: what is new for each game of this folder is
    taken, one after the other. You see what happened; if you are asked for orders, a form is
    written beside the game. Fill it in and run the command again: it checks your orders and shows
    them, and what standing.yaml seals with them. Once you say yes, it signs them and writes the
    next game file and a message with it attached. Nothing is signed before that, so you can stop at
    any point. With --send your own mail program gets the message, ready to go.

    Example: pbem turn reply.eml --key ana.key --to beto@example.org
    """
    if send:
        handing.program()  # a missing one is told before anything is signed
    if chosen is not None and not is_blank(chosen):
        # A missing file, or one without orders, is refused before anything else is said.
        read_source(chosen)
    if base is not None:
        check_named(kinds.GAME, base, say("the game file"))
    given = given or Path(folder.only_game(request.key_file))
    if given != read.PASTED and not os.path.isdir(given) and _is_game(given) and _lies_here(given):
        unread.note_unread()
    several = mailboxes.take_new(request, given) if _may_hold_several(given, base) else None
    if not isinstance(several, list):
        path, game, head = _taken(request, given, base) if several is None else (
            read.take(request, (given,), base, found=several, goes_on=True)
        )  # fmt: skip
        _go_on(request, path, game, given, chosen, to, head, yes=yes, send=send)
        return
    if (to or chosen) and len(several) > 1:
        raise Misused(say("--to and --orders are for one game: go on with each by its file"))
    key = None
    for path, game, head in several:
        report.tell("", say("{path}:", path=str(path)))
        key = _go_on(request, path, game, path, chosen, to, head, yes=yes, send=send, key=key,
                     is_told=True)  # fmt: skip


def _may_hold_several(given: Path, base: Path | None) -> bool:
    """Whether the argument may be more than one mail, of more than one game."""
    if os.path.isdir(given):
        if base is not None:
            raise Misused(say("--game goes with one mail: a folder of mails needs none"))
        return True
    return base is None and given != read.PASTED and not _is_game(given)


def _go_on(
    request: Request, path: Path, game: Game, given: Path, chosen: Path | None, to: Any,
    head: bytes, *, yes: bool, send: bool, key: KeyPair | None = None, is_told: bool = False,
) -> KeyPair | None:  # fmt: skip
    """Does what is to be done in a game, as far as it can be done now; returns the key, if it was
    opened.

    `is_told`: what happened was reported when it was read.
    """
    player, opened = own_seat(game, request)
    is_told = is_told or path != given
    first = _first_unseen(game, player)
    writes = writes_next(game, player)
    is_own = not is_told and writes and has_two_stories(game)
    here = replace(request, game_file=path)
    against = against_it(game, player, here)[1] if writes else None
    if against is not None:
        key = key or opened or own_key(game, request)[0]
        refuse_old(against, game, player, here, key=key)
    if not is_told and game.source[1] > first:  # it is told what was verified here before
        game = load_game(given, request, whole=is_own, told="" if is_own else "log")
    if not game.fold.is_solo and player is None:
        no_key(game, request, path)
    named, to = to, to or _answered(game, player, head)
    if not is_told:
        note = remember_read(game, player, request, path)
        if is_own:
            key = key or opened or own_key(game, request)[0]
        _tell(game, player, first, key)
        report.tell(*([say("note: {note}", note=note)] if note else []))
    accepts = False
    if not writes:
        if not is_told:
            with about(path):
                warn_seen(game, player, request, path)
        accepts = (
            chosen is None and may_accept(game, player) and _accepts_end(game, yes=yes, send=send)
        )
        if not accepts:
            _tell_nothing(game, player, request, path, to)
            _refuse_unasked(chosen)
            return key
    key = key or opened or own_key(game, request)[0]
    if against is not None:
        warn_of(against, here, path)  # what was signed is signed again, as it was
    if send and player and not game.fold.is_solo:
        handing.check_addressed(to or addresses.kept_of(game, other(player)))
    while True:
        request = replace(request, game_file=path, orders_file=None)
        noted: tuple[Said, ...] = ()
        if asked_table(game, key) is not None:
            _tell_ahead(game, key)
            orders = chosen or orders_beside(path)
            told_now = _ready(game, key, orders, request)
            if told_now is None:
                if named and addresses.keep_given(game, player, named):
                    to = None
                report.tell(
                    say(
                        "fill in {orders}, then: {command}",
                        orders=str(orders),
                        command=_again(request, to, chosen, send=send),
                    )
                )
                return key
            request, noted = replace(request, orders_file=orders), told_now
        else:
            _refuse_unasked(chosen)
        with about(path):
            own = read_source(request.orders_file) if request.orders_file else None
            report.tell(*standing_told(game, key, own, path))
        report.tell(*told_key(request.key_file, key))
        if game.fold.machine.keys.deputies and (over := meant.taking_over(game, key, player)):
            report.tell(say("note: {note}", note=over))
        if not (yes or accepts or _agreed(game, send=send)):
            again = f"{_again(request, to, chosen, send=send)} --yes"
            report.tell(say("nothing was signed; to sign: {command}", command=again))
            return key
        accepted = game.fold.phase == "proposed" and player is not None
        made = reply(request, key, goes_on=True, game=game, accepts_end=accepts, noted=noted)
        if accepted and player and not game.fold.is_solo:
            report.tell(*addresses.learnt_name(game, player, head))
        path, game = Path(made.path), made.after
        if game.fold.is_solo:
            return key
        if not writes_next(game, player):
            break
        report.tell(say("it is still your turn"))
        chosen = None  # the next question has its own orders
    mail.written_after(game, replace(request, game_file=path), to, send=send)
    return key


def _tell_nothing(game: Game, player: str | None, request: Request, path: Path, to: Any) -> None:
    """Reports that there is nothing to write, and what there is to do: no dead end."""
    further = folder.further_than(path, game.filed.fold.entries, key_words(request))
    if not further and may_accept(game, player):
        named, key = quote(str(path)), key_words(request)
        to_accept = f"pbem audit {named}{key}"
        report.tell(
            say("nothing was signed; to accept that you have lost and show what was kept hidden: "
                "{command}", command=to_accept)
            if has_claimed(game)
            else say("nothing was signed; to accept the resignation and show what was kept hidden: "
                     "{command}", command=to_accept),
            say("to play on instead: {command}",
                command=f"pbem apply {named} ORDERS{key} --pass-over"),
        )  # fmt: skip
        return
    report.tell(*further or [say("there is nothing for you to write now")])
    last = game.fold.entries[-1]
    if not further and last.by == player and not game.fold.is_solo:
        words = ["pbem", "mail", str(path), *(["--to", str(to)] if to else [])]
        report.tell(
            say(
                "entry {entry} is yours; if you have not sent it: {command}",
                entry=last.seq, command=as_typed(words),
            )
        )  # fmt: skip


def _refuse_unasked(chosen: Path | None) -> None:
    """Raises Refused for orders that were named where none are asked for: nothing is signed that
    the player thinks is something else.
    """
    if chosen is not None:
        raise Refused(
            Problem(
                "E-TURN",
                say("this file is not used: orders cannot be given now"),
                Span(str(chosen), 0, 0),
                hint=say("nothing was signed; the same command without --orders shows what is to "
                         "be done now"),
            )
        )  # fmt: skip


def _taken(request: Request, given: Path, base: Path | None) -> tuple[Path, Game, bytes]:
    """The file of the game in this folder, the game, and what the mail says of its sender: the one
    named, or what came by mail.

    An attachment that was saved elsewhere came by mail, too: it goes on here, where the form and
    the standing orders are.
    """
    if _is_game(given):
        game = load_game(given, request)
        if game.fold.is_solo or _lies_here(given):
            return given, game, b""
        if os.path.exists(beside := standing_path(given)):
            report.warn(
                say(
                    "note: this goes on in the folder you are in, and {file} is not used; to go on "
                    "there, change to that folder",
                    file=str(beside),
                )
            )
    return read.take(request, (given,), base, goes_on=True)


def _lies_here(given: Path) -> bool:
    return os.path.realpath(given.parent) == os.path.realpath(os.curdir)


def _answered(game: Game, player: str | None, head: bytes) -> Any:
    """Who wrote the mail that is answered, where no address of the opponent is known."""
    if player is None or game.fold.entries[-1].by == player:
        return None
    if addresses.kept_of(game, other(player)):
        return None
    return addresses.not_own(written_by(head))


def _is_game(given: Path) -> bool:
    """Whether the argument is a game file, rather than a mail."""
    if given == read.PASTED:
        return False
    head = files.beginning(given, kinds.MOST_LOOKED_AT)
    return kinds.kind_of(head, given.name)[0] == kinds.GAME


def _first_unseen(game: Game, player: str | None) -> int:
    """The entry after the last one of this player: from there on they are told what happened."""
    own = (entry.seq for entry in reversed(game.fold.entries) if entry.by == player)
    return next(own, -1) + 1


def _tell(game: Game, player: str | None, first: int, key: KeyPair | None) -> None:
    """Reports what happened from an entry on, as the key's owner knows it, and what is owed."""
    told = story(game, first, viewer=viewpoint(game, key))
    if game.fold.phase == "proposed":  # the terms are shown before they are signed
        report.tell(title(game), *terms(game))
    if told.chapters:
        report.tell(*rendered(told, "text", language_here()).rstrip("\n").split("\n"))
    report.tell(*next_lines(game, player))


def _tell_ahead(game: Game, key: KeyPair | None) -> None:
    """Reports the dice that this player's own value opens: their orders answer them."""
    told = story_ahead(now(game, key), viewpoint(game, key))
    if told is not None:
        report.tell(*rendered(told, "text", language_here()).rstrip("\n").split("\n"))


def _ready(game: Game, key: Any, orders: Path, request: Request) -> tuple[Said, ...] | None:
    """The notes that were told of orders that can be signed; None if they cannot be yet. Writes the
    form, and opens an editor where there is one.

    Raises Refused with what is wrong with them, where no editor can fix it.
    """
    is_new = not os.path.exists(orders) or is_blank(orders)
    if is_new:
        beside = standing_beside(request.game_file, game)
        form = present_form(game, key, beside=beside, full=True, language=language_here())
        write_form(orders, f"{modeline(game)}{form}".encode())
        report.tell(say("written: {path}", path=str(orders)))
        if not asks_nothing(form):
            if not _has_editor():
                return None
            _edit(orders)
    while True:
        try:
            with about(request.game_file):
                standing = standing_beside(request.game_file, game)
                file = read_orders(orders, game)
                found = dry_run(game, key, file, standing)
                _refuse_without_orders(file, found)
        except Refused as refused:
            if not _has_editor():
                raise
            report.problems(refused.problems, as_json=False)
            if not choices.agreed(say("Edit the orders again?"), default=True):
                return None
            _edit(orders)
        else:
            report.tell(
                say("your orders, as {file} has them:", file=str(orders)), *written_lines(orders)
            )
            report.tell(*found.sentences())
            return found.prepared.notes


def _refuse_without_orders(file: OrdersFile, found: DryRun) -> None:
    """Raises Refused for a file in which the question that is asked has no answer: what it would
    sign is only the dice, which its author can see before without it.
    """
    if file.orders or not isinstance(found.prepared.table.waits(), Asked):
        return
    only_standing = file.standing is not None and not file.say
    raise Refused(
        Problem(
            "no-orders",
            say("these are standing orders, and you are asked for orders")
            if only_standing
            else say("the file has no orders yet"),
            file.document.source.whole(),
            hint=say("{stopped}; pbem apply without orders sends only what you owe",
                     stopped=found.stopped),
        )
    )  # fmt: skip


def _has_editor() -> bool:
    return choices.is_attended() and bool(os.environ.get("VISUAL") or os.environ.get("EDITOR"))


def _edit(orders: Path) -> None:
    """Opens the file in the player's editor: as one word, for its name came with a mail."""
    editor = platforms.here().words(os.environ.get("VISUAL") or os.environ["EDITOR"])
    try:
        subprocess.run([*editor, str(orders.absolute())], check=False)
    except OSError as error:
        report.warn(
            say(
                "the editor {editor} cannot be started: {reason}",
                editor=editor[0],
                reason=reason(error),
            ),
        )


def _accepts_end(game: Game, *, yes: bool, send: bool) -> bool:
    """Whether the player accepts the other one's resignation, or a claim of the game: --yes alone
    chooses neither way.
    """
    if yes or not choices.is_attended():
        return False
    if has_claimed(game):
        return choices.agreed(
            say("Accept that you have lost and send the mail? The game ends, and what you kept "
                "hidden is shown")
            if send
            else say("Accept that you have lost and write the mail? The game ends, and what you "
                     "kept hidden is shown")
        )  # fmt: skip
    return choices.agreed(
        say("Accept the resignation and send the mail? The game ends, and what you kept hidden "
            "is shown")
        if send
        else say("Accept the resignation and write the mail? The game ends, and what you kept "
                 "hidden is shown")
    )  # fmt: skip


def _agreed(game: Game, *, send: bool) -> bool:
    """Whether the player says that it is to be signed; nobody does where nobody can be asked."""
    return choices.is_attended() and choices.agreed(
        say("Carry this out?")
        if game.fold.is_solo
        else say("Sign and send the mail? What you send is final")
        if send
        else say("Sign and write the mail? What you send is final")
    )


def _again(request: Request, to: Any, chosen: Path | None, *, send: bool = False) -> str:
    """The same command for the game file, as it may be typed."""
    given = {"--to": to, "--orders": chosen}
    options = [word for name, said in given.items() if said for word in (name, str(said))]
    key = key_words(request)
    return " ".join(
        [f"pbem turn {quote(str(request.game_file))}{key}", *map(quote, options),
         *(["--send"] if send else [])]
    )  # fmt: skip
