"""pbem keygen: a key pair."""

from __future__ import annotations

from pathlib import Path

import click

from pbem.cli import choices, keyfiles, report
from pbem.cli.options import NEW_FILE, takes
from pbem.cli.request import Request
from pbem.gamefile.contacts import proper
from pbem.gamefile.keys import KeyPair, key_fingerprint, private_file
from pbem.messages import say


@click.command("keygen")
@takes(
    click.option("--out", type=NEW_FILE, required=True,
                 help="The private key; FILE.pub is the other."),
    click.option("--name", default="", help="Your name, as a comment in the public key."),
    click.option("--no-passphrase", is_flag=True, help="Do not encrypt the private key."),
    "passphrase_fd", "as_json",
)  # fmt: skip
def command(request: Request, out: Path, name: str, no_passphrase: bool) -> None:
    """Create an Ed25519 key pair in OpenSSH format: FILE, and FILE.pub for others.

    Example: pbem keygen --out ana.key --name Ana
    """
    keyfiles.check_free(out)
    if not name and choices.is_attended():
        name = click.prompt(
            report.asking(say("Your name, as your opponent will see it")), default="", err=True,
            show_default=False,
        )  # fmt: skip
    passphrase = None if no_passphrase else keyfiles.new_passphrase(request)
    key = KeyPair.fresh()
    keyfiles.write_pair(out, private_file(key, passphrase), key.public, proper(name))
    public_path = keyfiles.public_path(out)
    print_ = key_fingerprint(key.public)
    if request.as_json:
        report.as_json({"private": str(out), "public": str(public_path), "fingerprint": print_})
    else:
        report.tell(
            say("{out} is your private key: keep it secret, and keep a copy", out=out),
            say(
                "{public_path} is for your opponent; its fingerprint is {print}",
                public_path=public_path,
                print=print_,
            ),
        )
        if not proper(name):
            report.tell(
                say(
                    "note: this key has no name, so your opponents cannot see whose it is; pbem "
                    "keygen --name YOU puts one in, and pbem init --name YOU gives one to your "
                    "mails"
                )
            )
