"""Keys on the command line: what they are, how they come back from paper, who may see them."""

from __future__ import annotations

import json
import os
import pty
import re
import select
import stat
import subprocess
import sys
from pathlib import Path

import click
import pytest

from pbem.cli import keyfiles
from pbem.gamefile.keys import load_private
from pbem.gamefile.paper_key import groups
from tests.cli.desk import ANA, Desk, begin

PBEM = [sys.executable, "-c", "from pbem.cli import main; main()"]
NEW = ("new", "crusade", "campaign", "--side", "republican", "--key", "new.key", "--opponent",
       "beto.key.pub", "-o", "g.json")  # fmt: skip


def seed(desk: Desk, name: str, passphrase: bytes | None = None) -> bytes:
    return load_private((desk.folder / name).read_bytes(), passphrase).seed


def on_terminal(desk: Desk, *words: str) -> str:
    """What a command shows on a terminal of its own."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [*PBEM, *words], cwd=desk.folder, stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    while select.select([ours], [], [], 30)[0]:
        try:
            more = os.read(ours, 4096)
        except OSError:  # the other side is gone
            break
        if not more:
            break
        shown += more
    os.close(ours)
    assert child.wait(30) == 0
    return shown.decode().replace("\r\n", "\n")


# --- key show -----------------------------------------------------------------------------------


def test_the_fingerprint_of_a_key(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    assert keys.done("key", "show", "ana.key.pub") == f"{ANA} ana (public key)\n"
    assert keys.done("key", "show", "ana.key") == f"{ANA} (private key, without passphrase)\n"
    monkeypatch.setenv("PBEM_PASSPHRASE", "salamanca")
    keys.done("keygen", "--out", "locked.key", "--name", "Locked")
    monkeypatch.delenv("PBEM_PASSPHRASE")
    told = keys.done("key", "show", "locked.key")  # and nobody is asked for a passphrase
    assert told.endswith(" (private key, locked with a passphrase)\n")
    assert told.split()[0] in keys.done("key", "show", "locked.key.pub")
    found = json.loads(keys.done("key", "show", "ana.key.pub", "--json"))
    assert found["fingerprint"] == ANA and found["name"] == "ana" and found["contact"] is None


def test_the_fingerprint_of_what_is_no_key(keys: Desk):
    keys.write("note.txt", "Hello\n")
    assert keys.refused(1, "key", "show", "note.txt") == (
        "note.txt: this is not a public key\n      hint: give the .pub file that pbem keygen "
        "wrote\n"
    )
    keys.write("bad.key", "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n")
    assert keys.refused(1, "key", "show", "bad.key").startswith("bad.key: this is not an Ed25519")
    assert "cannot be read" in keys.refused(2, "key", "show", "none.key")


# --- paper --------------------------------------------------------------------------------------


def test_a_key_goes_to_paper_and_comes_back(keys: Desk):
    assert keys.done("key", "export", "--paper", "ana.key", "-o", "paper.txt") == (
        "written: paper.txt (print it, then delete it)\n"
    )
    assert stat.S_IMODE((keys.folder / "paper.txt").stat().st_mode) == 0o600
    text = (keys.folder / "paper.txt").read_text()
    assert (
        ANA in text and len(re.findall(r"^\d  [\da-f]{4} [\da-f]{4}  [\da-f]{4}$", text, re.M)) == 8
    )
    told = keys.done("key", "restore", "paper.txt", "--out", "back.key", "--name", "Ana",
                     "--no-passphrase")  # fmt: skip
    assert told == f"back.key is your private key again; its fingerprint is {ANA}\n"
    assert seed(keys, "back.key") == seed(keys, "ana.key")
    assert stat.S_IMODE((keys.folder / "back.key").stat().st_mode) == 0o600
    assert keys.done("key", "show", "back.key.pub") == f"{ANA} Ana (public key)\n"


def test_only_a_terminal_gets_a_private_key_unasked(keys: Desk):
    err = keys.refused(2, "key", "export", "--paper", "ana.key")
    assert err.endswith(
        "Error: a private key is printed only to a terminal; -o FILE writes it to a file, and "
        "-o - sends it through the pipe\n"
    )
    piped = keys.done("key", "export", "--paper", "ana.key", "-o", "-")
    assert piped == on_terminal(keys, "key", "export", "--paper", "ana.key")
    assert groups(seed(keys, "ana.key"))[0] in piped


def test_the_groups_can_be_typed_in(keys: Desk):
    lines = list(groups(seed(keys, "ana.key")))
    wrong = lines[2].replace(lines[2][0], "0" if lines[2][0] != "0" else "1", 1)
    typed = "\n".join([*lines[:2], wrong, *lines[2:], ""])
    result = keys.pbem("key", "restore", "--out", "back.key", "--no-passphrase", stdin=typed)
    assert result.code == 0 and seed(keys, "back.key") == seed(keys, "ana.key")
    assert result.err.count("Group 3 of 8: it does not match its check digits\n") == 1
    assert "group 3:" not in result.err
    assert result.err.count("Group 3 of 8") == 2 and result.err.count("Group 4 of 8") == 1


def test_a_key_from_paper_can_be_locked(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    keys.done("key", "export", "--paper", "ana.key", "-o", "paper.txt")
    monkeypatch.setenv("PBEM_PASSPHRASE", "teruel")
    keys.done("key", "restore", "paper.txt", "--out", "back.key")
    assert seed(keys, "back.key", b"teruel") == seed(keys, "ana.key")
    keys.done("key", "export", "--paper", "back.key", "-o", "again.txt")
    again = (keys.folder / "again.txt").read_text().replace("back.key", "ana.key")
    assert again == (keys.folder / "paper.txt").read_text()


@pytest.mark.parametrize("before, after, said", [
    ("\n5  ", "\n6  ", "group 6: this is group 5"), ("\n5  ", "\n", "group 5: it is missing"),
    ("\n5  ", "\n5  x", "group 5: 'x' is not a hex digit (0 to 9, a to f)"),
])  # fmt: skip
def test_a_slip_names_its_group(keys: Desk, before: str, after: str, said: str):
    keys.done("key", "export", "--paper", "ana.key", "-o", "paper.txt")
    text = (keys.folder / "paper.txt").read_text()
    (keys.folder / "paper.txt").write_text(text.replace(before, after))
    err = keys.refused(1, "key", "restore", "paper.txt", "--out", "back.key", "--no-passphrase")
    assert err.startswith(f"paper.txt: {said}\n")


def test_paper_that_is_none(keys: Desk):
    (keys.folder / "bad").write_bytes(b"\xff\x00\x1b[2J" * 100)
    words = ("key", "restore", "bad", "--out", "back.key", "--no-passphrase")
    assert "bad: group 1: it is missing" in keys.refused(1, *words)
    (keys.folder / "bad").write_bytes(b"1  " + b"a" * 20_000)
    assert "the limit is" in keys.refused(1, *words)
    result = keys.pbem("key", "restore", "--out", "back.key", "--no-passphrase", stdin="1a\n")
    assert result.code == 1 and result.err.endswith("stopped; nothing was written\n")
    assert not (keys.folder / "back.key").exists()


def test_a_key_in_the_way_stays(keys: Desk):
    keys.done("key", "export", "--paper", "ana.key", "-o", "paper.txt")
    err = keys.refused(2, "key", "restore", "paper.txt", "--out", "beto.key", "--no-passphrase")
    assert "beto.key already exists; a key is never overwritten" in err
    err = keys.refused(2, "key", "export", "--paper", "beto.key", "-o", "paper.txt")
    assert "this file already exists" in err


# --- who can see it -----------------------------------------------------------------------------


@pytest.mark.parametrize("mode, said", [
    (0o644, "note: ana.key can be read by others on this machine (mode 644); chmod 600 ana.key "
     "closes it\n"),
    (0o620, "note: ana.key can be read by others on this machine (mode 620); chmod 600 ana.key "
     "closes it\n"),
    (0o600, ""), (0o400, ""),
])  # fmt: skip
def test_a_key_that_others_can_read_is_told(desk: Desk, mode: int, said: str):
    (desk.folder / "ana.key").chmod(mode)
    for words in (("status", "g2.json", "--key", "ana.key"), ("key", "show", "ana.key")):
        result = desk.pbem(*words)
        assert (result.code, result.err) == (0, said)
    assert desk.pbem("status", "g2.json", "--key", "ana.key", "--json").err == ""


@pytest.mark.parametrize("game", ["game.pbem.json", "game.pbem.json.gz"])
def test_a_private_key_beside_a_game_is_noted_and_written(keys: Desk, game: str):
    """As in the first lines of the README, where all lies in one folder."""
    said = (
        f" is next to a game file ({game}), and such files go to your opponent: check what you "
        "attach, or keep the key in a folder of its own\n"
    )
    keys.done("key", "export", "--paper", "ana.key", "-o", "paper.txt")
    keys.write(game, "{}")
    for name, words in (
        ("1.key", ("keygen", "--out", "1.key", "--no-passphrase")),
        ("2.key", ("key", "restore", "paper.txt", "--out", "2.key", "--no-passphrase")),
        ("3.txt", ("key", "export", "--paper", "ana.key", "-o", "3.txt")),
    ):
        found = keys.pbem(*words)
        assert (found.code, found.err) == (0, f"note: {name}{said}")
        assert (keys.folder / name).is_file()
    (keys.folder / "mine").mkdir()
    keys.done("keygen", "--out", "mine/new.key", "--no-passphrase")


def test_a_note_moves_no_cursor(keys: Desk):
    """The name of a game beside a key may have come with a mail."""
    keys.write("a\x1b[2J\u202e.pbem.json", "{}")
    made = keys.pbem("keygen", "--out", "new\x1b]0;x\x07.key", "--no-passphrase")
    assert made.code == 0 and r"(a\x1b[2J\u202e.pbem.json)" in made.err
    assert all(letter.isprintable() or letter == "\n" for letter in made.out + made.err)


def test_a_key_without_a_file_name_is_refused(keys: Desk):
    """A script whose variable is empty."""
    for words in (("keygen",), ("key", "restore")):
        assert "already exists" in keys.refused(2, *words, "--out", "", "--no-passphrase")


def test_no_game_file_and_no_record_holds_a_seed(keys: Desk):
    begin(keys)
    secret = seed(keys, "ana.key")
    paths = [path for path in keys.folder.rglob("*") if path.is_file()]
    assert len(paths) > 9
    for path in paths:
        raw = path.read_bytes()
        assert secret not in raw and secret.hex().encode() not in raw, path


# --- passphrases --------------------------------------------------------------------------------


def through_pipe(content: bytes) -> str:
    """A file descriptor with something to read."""
    ours, theirs = os.pipe()
    os.write(theirs, content)
    os.close(theirs)
    return str(ours)


def test_a_passphrase_comes_through_a_file_descriptor(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PBEM_PASSPHRASE", "not this one")
    keys.done("keygen", "--out", "new.key", "--passphrase-fd", through_pipe(b"bel chite\r\nmore"))
    assert seed(keys, "new.key", b"bel chite")
    keys.done(*NEW, "--passphrase-fd", through_pipe(b"bel chite"))
    found = keys.pbem("status", "g.json", "--key", "new.key", "--passphrase-fd",
                      through_pipe(b"bel chite\n"), "--json").json()  # fmt: skip
    assert found["you"]["player"] == "A"
    err = keys.refused(1, "status", "g.json", "--key", "new.key", "--passphrase-fd",
                       through_pipe(b"belchite"))  # fmt: skip
    assert err == "new.key: the key file does not open: wrong passphrase, or damaged\n"
    assert keys.refused(1, "status", "g.json", "--key", "new.key") == err


def test_a_passphrase_that_is_typed_wrongly_may_be_typed_again(
    keys: Desk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("PBEM_PASSPHRASE", "bel chite")
    keys.done("keygen", "--out", "new.key")
    monkeypatch.delenv("PBEM_PASSPHRASE")
    monkeypatch.setattr(keyfiles, "has_terminal", lambda: True)
    for typed, code in ((["belchite", "bel chite"], 0), (["x"] * keyfiles.TRIES, 1)):
        monkeypatch.setattr(keyfiles, "_typed", lambda asking, left=typed: left.pop(0).encode())
        told = keys.pbem(*NEW[:-1], f"{code}.json")
        assert told.code == code and "wrong passphrase" in told.err and not typed


@pytest.mark.parametrize("content", [b"", b"\n", b"x" * 1025, b"x" * 5000 + b"\n"])
def test_a_file_descriptor_without_a_passphrase(keys: Desk, content: bytes):
    err = keys.refused(2, "keygen", "--out", "n.key", "--passphrase-fd", through_pipe(content))
    assert "gives no passphrase: expected a line of at most 1024 bytes" in err


def test_a_file_descriptor_that_is_closed(keys: Desk):
    err = keys.refused(2, "keygen", "--out", "n.key", "--passphrase-fd", "971")
    assert "file descriptor 971 cannot be read: bad file descriptor" in err


def test_an_empty_passphrase_is_not_taken_for_none(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    """Nor is it asked for again without a word, when it is typed."""
    monkeypatch.setenv("PBEM_PASSPHRASE", "")
    told = "an empty passphrase protects nothing; use --no-passphrase if you want none"
    assert told in keys.refused(2, "keygen", "--out", "new.key")
    monkeypatch.delenv("PBEM_PASSPHRASE")
    monkeypatch.setattr(keyfiles, "has_terminal", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda *words, default=None, **_: default)
    assert told in keys.refused(2, "keygen", "--out", "new.key")


def test_a_passphrase_that_is_no_utf8(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PBEM_PASSPHRASE", os.fsdecode(b"\xe9bro"))
    keys.done("keygen", "--out", "new.key")
    assert seed(keys, "new.key", b"\xe9bro")


def test_a_locked_key_in_another_format_is_shown_too(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    key = Ed25519PrivateKey.from_private_bytes(seed(keys, "ana.key"))
    raw = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"brunete"),
    )  # fmt: skip
    path = Path(keys.folder / "pkcs8.key")
    path.write_bytes(raw)
    path.chmod(0o600)
    monkeypatch.setenv("PBEM_PASSPHRASE", "brunete")
    assert keys.done("key", "show", "pkcs8.key") == (
        f"{ANA} (private key, locked with a passphrase)\n"
    )


def test_a_name_of_many_lines_stays_one(keys: Desk):
    keys.done("keygen", "--out", "new.key", "--name", "Ana\nssh-ed25519 x", "--no-passphrase")
    assert (keys.folder / "new.key.pub").read_text().count("\n") == 1


def test_a_key_file_without_a_command_is_told_which_one_it_needs(desk: Desk):
    told = desk.refused(2, "key", "ana.key")
    assert "pbem key show ana.key prints its fingerprint" in told
    assert "there is no command 'nothing' here; it may be" in desk.refused(2, "key", "nothing")
