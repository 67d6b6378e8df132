"""Key files of other programs, files with several keys, and a key that is gone."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from tests.cli.desk import ANA, BETO, Desk

RSA = "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQC7 ana@work\n"
NEW = ("new", "crusade", "campaign", "--side", "republican", "-o", "new.json")


def public(desk: Desk, name: str) -> str:
    return (desk.folder / f"{name}.key.pub").read_text()


def test_the_only_ed25519_key_of_several_is_taken_and_told(keys: Desk) -> None:
    bare = public(keys, "beto").rsplit(" ", 1)[0]
    (keys.folder / "beto.keys").write_text(f"# as the site gives them\n\n{RSA}{bare}\n")
    told = keys.pbem(*NEW, "--key", "ana.key", "--opponent", "beto.keys")
    assert told.code == 0 and told.err.count("beto.keys has more than one key") == 1
    assert BETO in told.err and "ssh-" not in told.out + told.err
    assert BETO in keys.pbem("key", "show", "beto.keys").out


def test_a_key_behind_a_carriage_return_keeps_its_name(keys: Desk) -> None:
    (keys.folder / "beto.keys").write_bytes(
        (RSA + public(keys, "beto")).replace("\n", "\r\n").encode()
    )
    told = keys.pbem(*NEW, "--key", "ana.key", "--opponent", "beto.keys")
    assert told.code == 0 and "the key of beto is now pinned" in told.err + told.out


def test_two_ed25519_keys_are_asked_about(keys: Desk) -> None:
    (keys.folder / "beto.keys").write_text(public(keys, "beto") + RSA + public(keys, "ana"))
    told = keys.refused(1, *NEW, "--key", "ana.key", "--opponent", "beto.keys")
    assert "there are 2 Ed25519 keys here" in told
    assert f"{BETO} beto; {ANA} ana" in told
    told = keys.refused(1, *NEW, "--key", "ana.key", "--opponent", "beto.key.pub",
                        "--spare", "beto.keys")  # fmt: skip
    assert "there are 2 Ed25519 keys here" in told


def test_the_same_key_twice_is_one(keys: Desk) -> None:
    (keys.folder / "beto.keys").write_text(public(keys, "beto") * 3)
    assert keys.pbem(*NEW, "--key", "ana.key", "--opponent", "beto.keys").code == 0


def test_keys_of_other_kinds_alone_are_named(keys: Desk) -> None:
    (keys.folder / "rsa.keys").write_text(RSA * 2)
    told = keys.refused(1, *NEW, "--key", "ana.key", "--opponent", "rsa.keys")
    assert "expected an ssh-ed25519 key" in told


def test_a_cipher_that_does_not_open_is_named_and_mended(keys: Desk, monkeypatch) -> None:
    ssh_keygen(keys, "-t", "ed25519", "-Z", "chacha20-poly1305@openssh.com", "-N", "salamanca",
               "-f", "cha.key")  # fmt: skip
    told = keys.refused(1, *NEW, "--key", "cha.key", "--opponent", "beto.key.pub")
    assert "locked with chacha20-poly1305@openssh.com" in told and "passphrase" not in told
    line = "ssh-keygen -p -Z aes256-ctr -f cha.key"
    assert line in told
    assert "locked with a passphrase" in keys.done("key", "show", "cha.key")
    ssh_keygen(keys, *line.split()[1:], "-P", "salamanca", "-N", "salamanca")
    monkeypatch.setenv("PBEM_PASSPHRASE", "salamanca")
    assert keys.pbem(*NEW, "--key", "cha.key", "--opponent", "beto.key.pub").code == 0


@pytest.mark.parametrize("cipher", ["aes256-ctr", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_the_ciphers_that_are_said_to_open_do(keys: Desk, cipher: str, monkeypatch) -> None:
    ssh_keygen(keys, "-t", "ed25519", "-Z", cipher, "-N", "salamanca", "-f", "mine.key")
    monkeypatch.setenv("PBEM_PASSPHRASE", "salamanca")
    assert keys.pbem(*NEW, "--key", "mine.key", "--opponent", "beto.key.pub").code == 0


def ssh_keygen(desk: Desk, *words: str) -> None:
    subprocess.run(["ssh-keygen", "-q", *words], cwd=desk.folder, check=True, capture_output=True)


def test_keys_of_putty_are_named_with_their_conversion(keys: Desk) -> None:
    (keys.folder / "my key.ppk").write_text(
        "PuTTY-User-Key-File-3: ssh-ed25519\nEncryption: none\n"
    )
    told = keys.refused(2, *NEW, "--key", "my key.ppk", "--opponent", "beto.key.pub")
    assert "format of PuTTY" in told and "puttygen 'my key.ppk' -O private-openssh" in told
    (keys.folder / "theirs.pub").write_text("---- BEGIN SSH2 PUBLIC KEY ----\nAAAA\n")
    told = keys.refused(2, *NEW, "--key", "ana.key", "--opponent", "theirs.pub")
    assert "ssh-keygen -i -f theirs.pub" in told


def test_a_key_that_is_gone_is_not_answered_with_keygen_alone(desk: Desk) -> None:
    for words in (("apply", "g4.json"), ("status", "g4.json"), ("rotate", "g4.json", "--to", "x")):
        told = desk.refused(2, *words, "--key", "lost")
        for way in ("pbem key restore", "spare key", "pbem rotate GAME --ask", "offer GAME renew"):
            assert way in told, words


def test_without_a_game_a_key_that_is_not_there_was_not_lost(keys: Desk) -> None:
    new = ("new", "crusade", "campaign", "--side", "nationalist", "--opponent", "beto.key.pub")
    for words in (("init",), new):
        told = keys.refused(2, *words, "--key", "lost")
        assert "pbem keygen" in told and "pbem rotate" not in told, words
    keys.write("g1.pbem.json", "")
    assert "pbem rotate" in keys.refused(2, "init", "--key", "lost")


def test_a_misspelt_key_file_is_recognised(desk: Desk) -> None:
    for words in (("apply", "g4.json"), ("show", "g4.json"), ("init",)):
        told = desk.refused(2, *words, "--key", "anna.key")
        assert "did you mean ana.key?" in told, words
    (desk.folder / "ana.key").unlink()
    told = desk.refused(2, "apply", "g4.json", "--key", "ana.key")
    assert "ana.key.pub" not in told and "pbem key restore" in told


def test_what_is_public_needs_no_key(desk: Desk) -> None:
    """The folder names a key that is gone: status and show say so, and show what is public."""
    without = {words: desk.done(*words) for words in LOOKS}
    desk.done("init", "--key", "ana.key")
    (desk.folder / "ana.key").unlink()
    for words, told in without.items():
        now = desk.pbem(*words)
        assert now.code == 0 and now.out == told, words
        assert "note: your key ana.key is not there" in now.err
    told = desk.refused(2, "apply", "g4.json")
    assert "pbem key restore" in told


LOOKS = (("status", "g4.json"), ("show", "g4.json"), ("show", "g4.json", "malaga"),
         ("cards", "g4.json", "N1"))  # fmt: skip


def test_a_hostile_list_of_keys_is_bounded(keys: Desk) -> None:
    for content in (b"ssh-ed25519 " * 5000, b"\n" * 60000 + b"x", b"ssh-ed25519\n" * 5000, b"\xff"):
        Path(keys.folder / "odd.keys").write_bytes(content)
        told = keys.refused(1, *NEW, "--key", "ana.key", "--opponent", "odd.keys")
        assert "not a public key" in told
