"""pbem keygen: a key pair."""

from __future__ import annotations

import os
from pathlib import Path

import click

from pbem.cli import files, report
from pbem.cli.shared import GAME, json_option
from pbem.problems import Refused


@click.command("keygen")
@click.option("--out", type=GAME, required=True, help="The private key; FILE.pub is the other.")
@click.option("--name", default="", help="Your name, as a comment in the public key.")
@click.option("--no-passphrase", is_flag=True, help="Leave the private key open.")
@json_option
def command(out: Path, name: str, no_passphrase: bool, as_json: bool) -> None:
    """Make an Ed25519 key pair in OpenSSH format: FILE, and FILE.pub to give away.

    Example: pbem keygen --out ana.key --name Ana
    """
    from pbem.gamefile.keys import KeyPair, key_fingerprint, private_file, public_line

    public_path = out.with_name(out.name + ".pub")
    for path in (out, public_path):
        if path.exists():
            raise click.UsageError(f"{path} is there already; a key is never overwritten")
    passphrase = None if no_passphrase else _new_passphrase()
    key = KeyPair.fresh()
    line = public_line(key.public, name)
    files.write_new(out, private_file(key, passphrase), mode=0o600)
    try:
        files.write_new(public_path, (line.rstrip("\n") + "\n").encode())
    except Refused:
        out.unlink()  # half a pair is of no use, and would be in the way of the next try
        raise
    print_ = key_fingerprint(key.public)
    if as_json:
        report.as_json({"private": str(out), "public": str(public_path), "fingerprint": print_})
    else:
        report.say(
            f"{out} is your private key: keep it, and a copy of it, to yourself",
            f"{public_path} is for your opponent; its fingerprint is {print_}",
        )


def _new_passphrase() -> bytes:
    given = os.environ.get("PBEM_PASSPHRASE")
    if given is None:
        given = click.prompt("New passphrase", hide_input=True, confirmation_prompt=True, err=True)
    return str(given).encode()
