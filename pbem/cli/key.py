"""pbem key: what a key is, and its copy on paper."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

import click

from pbem.cli import files, keyfiles, kinds, opponents, report
from pbem.cli.keyfiles import load_key
from pbem.cli.options import GAME, NEW_FILE, Group, takes
from pbem.cli.report import about
from pbem.cli.request import Misused, Request
from pbem.messages import Message, Said, say
from pbem.platforms import quote

PAPER_LIMIT = 16 << 10
TO_PIPE = "-"


class _WithKeys(Group):
    """Says what a key file without a command may be meant for."""

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if not args or not os.path.exists(args[0]):
                raise
            told = say(
                "a command comes before the file: pbem key show {file} prints its fingerprint",
                file=quote(args[0]),
            )
            raise click.UsageError(report.for_reader(told), error.ctx) from None


@click.group("key", cls=_WithKeys)
def command() -> None:
    """Show the fingerprint of a key; copy a private key to paper, and back.

    Example: pbem key show ana.key.pub
    """


@command.command("show", short_help="Print the fingerprint of a key.")
@takes(click.argument("file", metavar="FILE", type=GAME), "passphrase_fd", "as_json")
def show(request: Request, file: Path) -> None:
    """Print the fingerprint of FILE, a private key or a .pub; nothing secret is shown.

    Example: pbem key show ana.key
    """
    from pbem.gamefile.keys import key_fingerprint

    kind, public, name = _looked_at(file, request)
    contact = opponents.all_contacts().owner(public)
    if request.as_json:
        report.as_json(
            {"file": str(file), "kind": kind, "name": name or None, "key": public.hex(),
             "fingerprint": key_fingerprint(public), "contact": contact.name if contact else None}
        )  # fmt: skip
        return
    what = say("{kind}, pinned as {name}", kind=kind, name=contact.name) if contact else kind
    print_ = f"{key_fingerprint(public)} {name}".rstrip()
    report.tell(say("{fingerprint} ({what})", fingerprint=print_, what=what))


def _looked_at(path: Path, request: Request) -> tuple[Said, bytes, str]:
    """Kind, public key and name of a key file."""
    from pbem.gamefile.contacts import proper
    from pbem.gamefile.keys import needs_passphrase, public_in

    raw = kinds.read_as(kinds.KEY, path, files.KEY_LIMIT, say("the key file"), kinds.PUBLIC)
    name, kind = "", say("public key")
    with about(path):
        if b"PRIVATE KEY" in raw:
            locked = needs_passphrase(raw)
            kind = say(
                "private key, locked with a passphrase"
                if locked
                else "private key, without passphrase"
            )
            in_clear = b"OPENSSH PRIVATE KEY" in raw
            wanted = locked and not in_clear
            public = public_in(raw, keyfiles.passphrase_of(path, request) if wanted else None)
            keyfiles.note_readable(path)
        else:
            public, name = keyfiles.public_in_file(path, raw)
    return kind, public, proper(name)


@command.command("export", short_help="Print a private key to copy it to paper.")
@takes(
    click.argument("key", metavar="KEY", type=GAME),
    click.option("--paper", is_flag=True, required=True,
                 help="Eight groups of digits, to be copied."),
    click.option("-o", "--output", metavar="FILE", help="Write them to a file that only you can "
                 "read; - is standard output, for a printer."),
    "passphrase_fd",
)  # fmt: skip
def export(request: Request, key: Path, paper: bool, output: str | None) -> None:
    """Print the private KEY as eight groups of hex digits, each with digits that check it.

    Without -o only a terminal gets them: whoever reads them has the key.

    Example: pbem key export --paper ana.key
    """
    from pbem.gamefile.paper_key import sheet

    if output is None and not sys.stdout.isatty():
        raise Misused(
            say(
                "a private key is printed only to a terminal; -o FILE writes it to a file, "
                "and -o - sends it through the pipe"
            )
        )
    if output not in (None, TO_PIPE):
        keyfiles.note_beside_games(Path(str(output)))
    text = sheet(load_key(key, request), key.name)
    if output in (None, TO_PIPE):
        report.text(text)
        return
    files.write_new(Path(str(output)), text.encode(), mode=0o600)
    report.tell(say("written: {output} (print it, then delete it)", output=output))


@command.command("restore", short_help="Restore a key's files from paper.")
@takes(
    click.argument("paper_file", metavar="[PAPER]", type=GAME, required=False),
    click.option("--out", type=NEW_FILE, required=True,
                 help="The private key; FILE.pub is the other."),
    click.option("--name", default="", help="Your name, as a comment in the public key."),
    click.option("--no-passphrase", is_flag=True, help="Do not encrypt the private key."),
    "passphrase_fd", "as_json",
)  # fmt: skip
def restore(
    request: Request, paper_file: Path | None, out: Path, name: str, no_passphrase: bool
) -> None:
    """Make the key files again out of the eight groups on paper, typed in or in the file PAPER.

    A copying mistake is reported with the number of its group.

    Example: pbem key restore --out ana.key --name Ana
    """
    from pbem.gamefile.contacts import proper
    from pbem.gamefile.keys import KeyPair, key_fingerprint, private_file

    keyfiles.check_free(out)
    key = KeyPair.from_seed(_seed_in(paper_file) if paper_file else _seed_typed())
    passphrase = None if no_passphrase else keyfiles.new_passphrase(request)
    keyfiles.write_pair(out, private_file(key, passphrase), key.public, proper(name))
    print_ = key_fingerprint(key.public)
    if request.as_json:
        public = keyfiles.public_path(out)
        report.as_json({"private": str(out), "public": str(public), "fingerprint": print_})
    else:
        report.tell(
            say(
                "{out} is your private key again; its fingerprint is {print}", out=out, print=print_
            )
        )


def _seed_in(path: Path) -> bytes:
    from pbem.gamefile.paper_key import seed_on

    raw = kinds.read_as(kinds.PAPER, path, PAPER_LIMIT, say("the paper"))
    with about(path):
        return seed_on(raw.decode("utf-8", "replace"))


def _seed_typed() -> bytes:
    from pbem.gamefile.errors import FileRefused
    from pbem.gamefile.paper_key import GROUPS, group_bytes
    from pbem.value import replace

    found = b""
    while len(found) < 4 * GROUPS:
        number = len(found) // 4 + 1
        typed = click.prompt(
            report.asking(say("Group {number} of {groups}", number=number, groups=GROUPS)), err=True
        )
        try:
            found += group_bytes(number, typed)
        except FileRefused as refused:
            # The prompt on the same line has named the group.
            for one in refused.problems:
                told = one.message
                told = dict(told.parts)["why"] if isinstance(told, Message) else told
                report.problems((replace(one, message=told),), as_json=False)
    return found
