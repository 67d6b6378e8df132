"""A player whose key has no name is asked for one with the first mail; the other player sees it."""

from __future__ import annotations

import os
import pty
import select
import subprocess

import pytest

from pbem.gamefile.public_keys import load_public
from pbem.mail.sender import called_in, written_by
from tests.cli.desk import Desk
from tests.cli.test_keys import PBEM

NEW = ("new", "crusade", "campaign", "--side", "republican", "--key", "bare.key",
       "--opponent", "beto.key.pub", "-o", "g.json")  # fmt: skip
NOTE = "note: your key has no name"


@pytest.fixture
def bare(keys: Desk) -> Desk:
    """A folder with a key that has no name."""
    keys.pbem("keygen", "--out", "bare.key", "--no-passphrase")
    assert load_public((keys.folder / "bare.key.pub").read_bytes()).name == ""
    return keys


def typed(desk: Desk, answer: str, *words: str) -> str:
    """What a command shows on a terminal where its question is answered."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*PBEM, *words], cwd=desk.folder, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown, asked = b"", True
    while select.select([ours], [], [], 60)[0]:
        try:
            more = os.read(ours, 4096)
        except OSError:  # the other side is gone
            break
        shown += more
        if asked and b"call you?" in shown:
            os.write(ours, answer.encode() + b"\n")
            asked = False
    os.close(ours)
    assert child.wait(60) == 0, shown
    return shown.decode().replace("\r\n", "\n")


def test_keygen_warns_of_a_key_without_a_name(keys: Desk):
    words = ("keygen", "--no-passphrase", "--out")
    assert "note: this key has no name" in keys.done(*words, "k", "--name", " ")
    assert "no name" not in keys.done(*words, "l", "--name", "Ana")


def test_where_nobody_can_be_asked_a_note_says_what_to_type(bare: Desk):
    told = bare.pbem(*NEW)
    assert told.code == 0 and NOTE in told.out
    assert "pbem init --name YOU --mail ADDRESS" in told.out
    assert not (bare.folder / "pbem.toml").exists()


@pytest.mark.parametrize("has_one", ["key", "settings"])
def test_nobody_with_a_name_is_told(bare: Desk, has_one: str):
    if has_one == "key":
        words = [each.replace("bare", "ana") for each in NEW]
    else:
        bare.done("init", "--name", "Ana")
        words = [*NEW]
    assert NOTE not in bare.pbem(*words).out


@pytest.mark.parametrize("before", ["", 'lang = "en"\n'])
def test_on_a_terminal_the_name_is_asked_for_once_and_kept(bare: Desk, before: str):
    if before:
        (bare.folder / "pbem.toml").write_text(before)
    shown = typed(bare, "Ana  María", *NEW)
    assert "What should your opponent call you?" in shown
    settings = (bare.folder / "pbem.toml").read_text()
    assert settings.startswith(before) and 'name = "Ana María"' in settings
    again = typed(bare, "", *NEW[:-1], "h.json")
    assert "call you" not in again


def test_whoever_gives_no_name_has_none(bare: Desk):
    assert "call you?" in typed(bare, "", *NEW)
    assert not (bare.folder / "pbem.toml").exists() and (bare.folder / "g.json").exists()


def test_the_other_player_sees_the_name_and_not_one_made_from_the_key(bare: Desk):
    bare.done("init", "--name", "Ana María", "--mail", "ana@example.org")
    bare.pbem(*NEW)
    bare.done("mail", "g.json", "-o", "proposal.eml", "--to", "beto@example.org")
    (bare.folder / "pbem.toml").unlink()
    told = bare.done("turn", "proposal.eml", "--key", "beto.key", "--yes")
    assert "your opponent is called Ana María in your contacts now" in told
    assert "player-" not in told
    contacts = bare.done("contacts")
    assert "Ana María" in contacts and "player-" not in contacts


def test_no_name_of_another_contact_is_taken_by_a_mail(bare: Desk):
    bare.done("init", "--name", "Eve", "--mail", "ana@example.org")
    bare.pbem(*NEW)
    bare.done("mail", "g.json", "-o", "proposal.eml", "--to", "beto@example.org")
    (bare.folder / "pbem.toml").unlink()
    bare.done("new", "crusade", "campaign", "--side", "republican", "--key", "beto.key",
              "--opponent", "eve.key.pub", "-o", "e.json")  # fmt: skip
    bare.done("turn", "proposal.eml", "--key", "beto.key", "--yes")
    assert "player-" in bare.done("contacts")


@pytest.mark.parametrize(
    ("field", "name"),
    [("Ana <a@b.org>", "Ana"), ("=?utf-8?q?Jos=C3=A9?= <a@b.org>", "José"), ("a@b.org", ""),
     ("=?no-such?q?x?= <a@b.org>", ""), ("=?utf-8?b?!!?= <a@b.org>", ""), ("(" * 1900, ""),
     ("x" * 990 + " <a@b.org>", "")],
)  # fmt: skip
def test_the_name_in_a_mail(field: str, name: str):
    mail = f"From: {field}\nSubject: x\n\nbody".encode()
    found, where = called_in(mail), written_by(mail)
    assert where is None or where.addr_spec == "a@b.org"
    assert found == name or (not name and len(found) < 2000)
