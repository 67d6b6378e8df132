"""A mail handed to its owner's own program, and who may name that; a passphrase kept for its
owner; where an answer goes.
"""

from __future__ import annotations

import email
import email.policy
import gzip
import json
import mailbox
import os
import re
import shutil
import stat
import sys
from email.message import EmailMessage
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace

import pytest

from pbem.cli import keyrings
from pbem.gamefile import format
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.keys import KeyPair, private_file
from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk, begin, player_key

ORDERS = (CHAPTER24 / "01-nationalist.yaml").read_text(encoding="utf-8")


@pytest.fixture
def asked(keys: Desk) -> Desk:
    """A game, g2.json, that asks Ana for her first orders."""
    begin(keys, "--option", "example_hands")
    return keys


def program(folder: Path, text: str) -> Path:
    """A mail program of the player, outside of the folder of their games."""
    folder.mkdir(exist_ok=True)
    path = folder / "mailer"
    path.write_text(f"#!{sys.executable}\nimport sys\n{text}\n")
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def sent(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where a program named by PBEM_SEND puts what it was given."""
    folder = tmp_path_factory.mktemp("programs")
    got = folder / "got.eml"
    text = """
with open({got!r}, "wb") as mail, open({got!r} + ".words", "w") as words:
    mail.write(sys.stdin.buffer.read())
    words.write(" ".join(sys.argv[1:]))"""
    made = program(folder, text.format(got=str(got)))
    monkeypatch.setenv("PBEM_SEND", f"'{made}' -t")
    return got


def message(path: Path) -> EmailMessage:
    found = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def test_a_turn_ends_with_the_mail_handed_over(asked: Desk, sent: Path) -> None:
    asked.write("g2.orders.yaml", ORDERS)
    told = asked.done("turn", "g2.json", "--key", "ana.key", "--to", "b@example.org", "--send",
                      "--yes")  # fmt: skip
    made = message(sent)
    assert made["To"] == "b@example.org" and made["Date"].datetime.tzinfo is not None
    assert "X-Unsent" not in made and b"\r" not in sent.read_bytes()
    assert sent.with_name("got.eml.words").read_text() == "-t"
    (attached,) = made.iter_attachments()
    assert re.search(r"\nhanded over to '.*mailer' -t: the mail to b@example.org\n"
                     rf"subject: {re.escape(str(made['Subject']))}\nattached: "
                     rf"{attached.get_filename()}, [0-9,]+ bytes\n$", told)  # fmt: skip
    (name,) = re.findall(r"^written: (\S+\.eml)$", told, re.M)
    assert message(asked.folder / name)["X-Unsent"] == "1", "the file stays, to be opened"


def test_what_would_be_typed_again_says_that_it_sends(asked: Desk, sent: Path) -> None:
    words = ("turn", "g2.json", "--key", "ana.key", "--to", "b@example.org", "--send")
    assert asked.done(*words).endswith("pbem turn g2.json --key ana.key --send\n")
    asked.write("g2.orders.yaml", ORDERS)
    assert asked.done(*words).endswith("--to b@example.org --send --yes\n")
    assert not sent.exists()


def test_mail_hands_over_too(asked: Desk, sent: Path) -> None:
    told = asked.done("mail", "g2.json", "--to", "b@example.org", "--send")
    assert "handed over to" in told and message(sent)["To"] == "b@example.org"
    found = json.loads(asked.done("mail", "g2.json", "--to", "b@example.org", "--send", "--json"))
    assert found["sent"].endswith("mailer' -t") and found["to"] == "b@example.org"
    assert json.loads(asked.done("mail", "g2.json", "--json", "-o", "m.eml"))["sent"] is None


def test_a_mail_has_one_date(asked: Desk, sent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """s-nail adds its own to that of the mail it is given."""
    name = sent.parent / "s-nail"
    (sent.parent / "mailer").rename(name)
    monkeypatch.setenv("PBEM_SEND", f"{name} -t")
    asked.done("mail", "g2.json", "--to", "b@example.org", "--send")
    assert "Date" not in message(sent)


def test_a_program_with_windows_gets_the_draft(
    asked: Desk, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = program(sent.parent, f"import shutil; shutil.copy(sys.argv[1], {str(sent)!r})")
    monkeypatch.setenv("PBEM_SEND", f"{made} {{}}")
    told = asked.done("mail", "g2.json", "--to", "b@example.org", "-o", "m.eml", "--send")
    assert told == f"written: m.eml\nopened with {made} {{}}: m.eml\n"
    assert sent.read_bytes() == (asked.folder / "m.eml").read_bytes()
    assert message(sent)["X-Unsent"] == "1"


def test_a_mail_that_was_not_sent_lies_there(
    asked: Desk, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = program(sent.parent, "sys.exit(78)")
    monkeypatch.setenv("PBEM_SEND", str(made))
    result = asked.pbem("mail", "g2.json", "--to", "b@example.org", "-o", "m.eml", "--send")
    assert result.code == 1 and "handed over" not in result.out
    assert (
        f"m.eml: the mail was not sent: {made} ended with 78\n      hint: this file" in result.err
    )
    assert message(asked.folder / "m.eml")["To"] == "b@example.org"


def test_nothing_is_signed_that_could_not_be_sent(
    asked: Desk, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("turn", "g2.json", "--key", "ana.key", "--send", "--yes")
    asked.write("g2.orders.yaml", ORDERS)
    before = asked.files()
    result = asked.pbem(*words)
    assert "nothing can be sent: the mail has no recipient" in result.err
    monkeypatch.setenv("PBEM_SEND", "no-such-program -t")
    result = asked.pbem(*words, "--to", "b@example.org")
    assert "PBEM_SEND: nothing can be sent: there is no program no-such-program" in result.err
    monkeypatch.delenv("PBEM_SEND")
    assert 'pbem init --send "msmtp -t" keeps one' in asked.pbem(*words, "--to", "b@e.org").err
    assert asked.files() == before


# --- who may name a program -----------------------------------------------------------------------


def test_the_player_names_the_program_once(
    asked: Desk, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = os.environ["PBEM_SEND"]
    monkeypatch.delenv("PBEM_SEND")
    told = asked.done("init", "--send", named)
    own = asked.folder / ".home" / "config" / "pbem" / "pbem.toml"
    assert told == f"written: {own}\n" and not (asked.folder / "pbem.toml").exists()
    assert f'send = "{named}"' in own.read_text() and stat.S_IMODE(own.stat().st_mode) == 0o600
    asked.done("mail", "g2.json", "--to", "b@example.org", "--send")
    assert message(sent)["To"] == "b@example.org"
    own.write_text('send = "a" b\n')
    assert f"{own}:1:" in asked.refused(1, "mail", "g2.json", "--to", "b@example.org", "--send")


def test_no_folder_names_a_program(asked: Desk, tmp_path: Path) -> None:
    """It can have come with a mail, with a program in it."""
    mark = asked.folder / "ran"
    evil = program(asked.folder / "x", f"open({str(mark)!r}, 'w')")
    asked.write("pbem.toml", f'key = "ana.key"\nsend = "{evil}"\n')
    for words in (("mail", "g2.json", "--to", "b@e.org", "--send"), ("turn", "--send", "--yes")):
        told = asked.refused(1, *words)
        assert told.startswith("pbem.toml:2:1: send is a setting of yours, not of a folder")
        assert "pbem init writes it" in told
    asked.write("pbem.toml", 'keyring = "yes"\n')
    assert "keyring is a setting of yours" in asked.refused(1, "status", "g2.json")
    assert not mark.exists()


@pytest.mark.parametrize("named", ["./mailer", "x/mailer", "mailer"])
def test_no_program_of_the_folder_is_meant(
    asked: Desk, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    """Not by a relative name, and not where the current folder is on the path."""
    mark = asked.folder / "ran"
    for folder in (asked.folder, asked.folder / "x"):
        program(folder, f"open({str(mark)!r}, 'w')")
    monkeypatch.setenv("PATH", f".{os.pathsep}{asked.folder}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PBEM_SEND", named)
    told = asked.refused(1, "mail", "g2.json", "--to", "b@example.org", "--send")
    assert "nothing can be sent" in told and not mark.exists()


def test_a_command_is_no_line_of_a_shell(
    asked: Desk, sent: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_SEND", f"{os.environ['PBEM_SEND']} ; touch ran $(touch ran)")
    asked.done("mail", "g2.json", "--to", "b@example.org", "--send")
    words = sent.with_name("got.eml.words").read_text()
    assert words == "-t ; touch ran $(touch ran)" and not (asked.folder / "ran").exists()


@pytest.mark.parametrize("named", ["'", "  ", "\u202e"])
def test_what_is_no_command(asked: Desk, monkeypatch: pytest.MonkeyPatch, named: str) -> None:
    monkeypatch.setenv("PBEM_SEND", named)
    assert "nothing can be sent" in asked.refused(1, "mail", "g2.json", "--to", "b@e.org", "--send")


def test_printing_and_sending_are_two_things(asked: Desk, sent: Path) -> None:
    assert "leave --send out" in asked.refused(2, "mail", "g2.json", "-o", "-", "--send")


# --- where an answer goes -------------------------------------------------------------------------


def at_beto(asked: Desk, folder: Path, patch: pytest.MonkeyPatch, *names: str) -> Desk:
    folder.mkdir()
    beto = at_home(folder, patch)
    for name in (*names, "beto.key"):
        shutil.copy(asked.folder / name, beto.folder / name)
    return beto


def test_the_first_answer_goes_to_who_wrote(asked: Desk, tmp_path: Path) -> None:
    asked.write("pbem.toml", 'key = "ana.key"\nmail = "Ana <ana@example.org>"\n')
    asked.pbem("mail", "g0.json", "--to", "beto@example.org", "-o", "proposal.eml")
    with pytest.MonkeyPatch.context() as patch:
        beto = at_beto(asked, tmp_path / "beto", patch, "proposal.eml")
        told = beto.done("turn", "proposal.eml", "--key", "beto.key")
        assert re.search(
            r"to sign: pbem turn \S+ --key beto.key --to ana@example.org --yes\n", told
        )
        told = beto.done("turn", "proposal.eml", "--key", "beto.key", "--yes")
        assert "to: ana@example.org\n" in told
        assert beto.done("contacts").rstrip().endswith("ana@example.org")


@pytest.mark.parametrize("field, kept", [
    ("From: Beto (home) <beto@example.org>", "beto@example.org"),
    ("From: x@example.org\nReply-To: =?utf-8?q?B=C3=A9to?= <beto@example.org>", "beto@example.org"),
    ("From: beto@example.org,\n eve@example.org", "beto@example.org"),
    ("From: a@example.org\nFrom: b@example.org", ""), ("From: nobody", ""), ("Sender: b@e.org", ""),
    ("From: ana@example.org", ""),
    ("From: Beto <beto@example.org\u202e>", ""), (f"From: {'x' * 3000}@e.org", ""),
])  # fmt: skip
def test_the_address_of_a_known_opponent_is_learnt_once(asked: Desk, field: str, kept: str) -> None:
    """A copy of an own mail teaches nothing, and what says two things neither."""
    asked.write("pbem.toml", 'key = "ana.key"\nmail = "Ana <ana@example.org>"\n')
    asked.pbem("mail", "g1.json", "-o", "m.eml")
    text = (asked.folder / "m.eml").read_text()
    asked.write("came.eml", re.sub("(?m)^From: .*$", field, text, count=1))
    told = asked.pbem("read", "came.eml", "-o", "back.json").out
    assert (f"note: your mails to beto go to {kept}, from where this one came" in told) is bool(
        kept
    )
    assert json.loads(asked.done("contacts", "--json"))[0]["mail"] == (kept or None)
    if kept:
        asked.write("eve.eml", re.sub("(?m)^From: .*$", "From: eve@example.org", text, count=1))
        told = asked.pbem("read", "eve.eml", "-o", "back.json").out
        note = f"note: this mail came from eve@example.org, and yours to beto go to {kept}"
        assert note in told
        seen = Path(os.environ["XDG_CONFIG_HOME"], "pbem", "seen")
        for each in (seen, asked.folder / "g2.json"):  # as where it is new
            shutil.rmtree(each) if each.is_dir() else each.unlink()
        assert "".join(asked.pbem("turn", "eve.eml")[1:]).count(note) == 1
        assert json.loads(asked.done("contacts", "--json"))[0]["mail"] == kept


@pytest.mark.parametrize("kind", ["maildir", "mh", "mbox"])
def test_the_address_is_learnt_out_of_a_mail_among_others(
    asked: Desk, tmp_path: Path, kind: str
) -> None:
    asked.write("pbem.toml", 'key = "ana.key"\nmail = "Ana <ana@example.org>"\n')
    mails = []
    for name in ("g0.json", "g1.json"):
        asked.pbem("mail", name, "-o", f"{name}.eml", "--to", "x@example.org")
        made = (asked.folder / f"{name}.eml").read_bytes()
        by = b"ana" if name == "g0.json" else b"beto"
        mails.append(re.sub(rb"(?m)^From: .*$", b"From: %b@example.org" % by, made, count=1))
    mails.append(b"From: eve@example.org\nSubject: [pbem] other\n\nHello.\n")
    (tmp_path / "box").mkdir()
    box = lay(kind, tmp_path / "box", mails)
    for name in ("g1.json", "g2.json"):
        (asked.folder / name).unlink()
    shutil.rmtree(asked.folder / ".home")
    told = asked.done("turn", box, "--key", "ana.key", "--yes")
    assert " --to beto@example.org\n" in told


# --- an attachment is a mail ----------------------------------------------------------------------


def test_an_attachment_saved_elsewhere_is_taken_in_like_its_mail(
    asked: Desk, tmp_path: Path
) -> None:
    """The form, what is sealed and where files are written: two ways in, one result."""
    asked.write("o.yaml", ORDERS)
    asked.done("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "g3.json")
    asked.done("mail", "g3.json", "-o", "m.eml", "--date", "2026-01-02")
    (attached,) = message(asked.folder / "m.eml").iter_attachments()
    results = []
    for way in ("mail", "attachment"):
        with pytest.MonkeyPatch.context() as patch:
            beto = at_beto(asked, tmp_path / way, patch)
            down = tmp_path / f"dl-{way}"
            down.mkdir()
            came = down / ("m.eml" if way == "mail" else str(attached.get_filename()))
            came.write_bytes((asked.folder / "m.eml").read_bytes() if way == "mail"
                             else attached.get_content())  # fmt: skip
            beto.write("standing.yaml", "standing:\n  losses: [MIL, POL]\n")
            first = beto.done("turn", came, "--key", "beto.key", "--no-record")
            form = re.findall(r"^fill in (\S+),", first, re.M)
            if form:
                beto.orders("play: {card: R11, for: event}", name=form[0])
            told = beto.done("turn", "--key", "beto.key", "--yes", "--no-record")
            assert "your standing orders, as standing.yaml has them:" in told
            assert os.listdir(down) == [came.name]
            results.append((form, sorted(beto.files())))
    assert results[0] == results[1]


def test_standing_orders_beside_an_attachment_are_not_meant_and_that_is_said(
    asked: Desk, tmp_path: Path
) -> None:
    down = tmp_path / "dl"
    down.mkdir()
    shutil.copy(asked.folder / "g2.json", down / "x.json")
    (down / "standing.yaml").write_text("standing:\n  losses: [MIL]\n")
    told = asked.pbem("turn", down / "x.json", "--key", "ana.key")
    assert f"{down}/standing.yaml is not used" in told.err and "fill in crusade_" in told.out


# --- a passphrase ---------------------------------------------------------------------------------


@pytest.fixture
def locked(asked: Desk) -> Desk:
    key = KeyPair.from_seed(sha256(b"cli ana").digest())
    (asked.folder / "ana.key").write_bytes(private_file(key, b"bel chite"))
    return asked


def test_no_passphrase_is_asked_for_what_is_public(locked: Desk) -> None:
    """There is no terminal here: a command that asks is refused."""
    locked.pbem("mail", "g1.json", "-o", "m.eml")
    for words in (("read", "m.eml", "-o", "b.json"), ("status",), ("mail", "g2.json"),
                  ("turn", "g0.json")):  # fmt: skip
        extra = ("--key", "ana.key") if words[0] in ("read", "turn") else ()
        assert "passphrase" not in locked.pbem(*words, *extra).err, words


class Ring(SimpleNamespace):
    """A keyring of a system, in memory."""

    def get_password(self, service: str, name: str) -> str | None:
        return self.kept.get((service, name))

    def set_password(self, service: str, name: str, text: str) -> None:
        self.kept[service, name] = text


@pytest.fixture
def ring(monkeypatch: pytest.MonkeyPatch) -> Ring:
    found = Ring(kept={})
    monkeypatch.setitem(sys.modules, "keyring", found)
    return found


def test_the_keyring_is_asked_where_its_owner_wants_that(
    locked: Desk, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    locked.write("o.yaml", ORDERS)
    sign = ("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o")
    assert "no terminal" in locked.refused(1, *sign, "w.json")
    monkeypatch.setenv("PBEM_PASSPHRASE", "bel chite")
    told = locked.done("init", "--keyring", "--key", "ana.key")
    monkeypatch.delenv("PBEM_PASSPHRASE")
    assert "bel chite" not in told and list(ring.kept.values()) == ["bel chite"]
    ((service, name),) = ring.kept
    assert service == "pbem" and name.startswith("SHA256:")
    locked.done(*sign, "w.json")
    ring.kept[service, name] = "another"
    assert "no terminal" in locked.refused(1, *sign, "v.json")


def test_a_passphrase_that_opens_nothing_is_not_kept(
    locked: Desk, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "bilbao")
    assert "wrong passphrase" in locked.refused(1, "init", "--keyring", "--key", "ana.key")
    assert (
        not ring.kept and not (locked.folder / ".home" / "config" / "pbem" / "pbem.toml").exists()
    )
    assert "has no passphrase to keep" in locked.refused(
        2, "init", "--keyring", "--key", "beto.key"
    )
    assert "say which key is yours" in locked.refused(2, "init", "--keyring")


def test_a_keyring_that_fails_is_no_dead_end(
    locked: Desk, ring: Ring, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_PASSPHRASE", "bel chite")
    locked.done("init", "--keyring", "--key", "ana.key")

    def fails(*_: str) -> str:
        raise RuntimeError("the wallet is closed")

    ring.get_password = fails
    locked.write("o.yaml", ORDERS)
    sign = ("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o")
    locked.done(*sign, "w.json")
    monkeypatch.delenv("PBEM_PASSPHRASE")
    told = locked.refused(1, *sign, "v.json")
    assert "note: the keyring gives no passphrase: the wallet is closed" in told
    monkeypatch.setattr(keyrings, "KEYRING", "no_such_library")
    told = locked.refused(1, *sign, "v.json")
    assert "pip install 'pbem[keyring]'" in told and "no terminal" in told


# --- folders of mails -----------------------------------------------------------------------------


@pytest.fixture
def correspondence(asked: Desk, tmp_path: Path) -> tuple[Desk, list[bytes]]:
    """Two games in a folder as Beto last had them, and the mails with what is new in each."""
    asked.write("o.yaml", ORDERS)
    asked.done("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "g3.json")
    asked.done("new", "madrid", "scenario_1", "--side", "republican", "--key", "ana.key",
               "--opponent", "beto.key.pub", "-o", "m0.json")  # fmt: skip
    asked.done("apply", "m0.json", "--key", "beto.key", "-o", "m1.json")
    asked.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
               "--opponent", "beto.key.pub", "-o", "other.json")  # fmt: skip
    mails = []
    for name in ("g2.json", "g3.json", "m0.json", "m1.json", "other.json"):
        asked.pbem("mail", name, "--to", "beto@example.org", "-o", f"{name}.eml")
        mails.append((asked.folder / f"{name}.eml").read_bytes())
    games = {
        name: (asked.folder / name).read_bytes() for name in ("g1.json", "m0.json", "beto.key")
    }
    for name in asked.files():
        if name not in ("ana.key", "beto.key"):
            (asked.folder / name).unlink()
    shutil.rmtree(asked.folder / ".home")
    for name, raw in games.items():
        (asked.folder / name).write_bytes(raw)
    return asked, mails


def lay(kind: str, folder: Path, mails: list[bytes]) -> Path:
    """The mails as a mail program keeps them, the newest first or last."""
    path = folder / kind
    if kind == "maildir":
        box = mailbox.Maildir(path)
        for at, raw in enumerate(reversed(mails)):
            os.utime(path / "new" / box.add(raw), (1_790_000_000 - at, 1_790_000_000 - at))
        box.add(b"Subject: spam\n\nhello\n")
    elif kind == "mh":
        for raw in mails:
            mailbox.MH(path).add(raw)
        (path / "notes").write_text("pbem is a program\n")
    else:
        made = mailbox.mbox(path)
        for raw in mails:
            made.add(raw)
        made.close()
    return path


@pytest.mark.parametrize("kind", ["maildir", "mh", "mbox"])
def test_what_is_new_for_each_known_game_is_taken(
    correspondence: tuple[Desk, list[bytes]], tmp_path: Path, kind: str
) -> None:
    desk, mails = correspondence
    (tmp_path / "box").mkdir()
    box = lay(kind, tmp_path / "box", mails)
    if kind == "mh":
        (box / "round").symlink_to("round")
    told = desk.done("turn", box, "--key", "beto.key")
    if kind == "mh":
        (box / "round").unlink()
    games = [name for name in desk.files() if name.endswith(".pbem.json")]
    assert sorted(name.split("_")[0] for name in games) == ["crusade", "madrid"]
    crusade, madrid = sorted(games)
    assert "-003-" in crusade and "-001-" in madrid, "the newest of each"
    assert "The Nationalists attack Riotinto" in told
    assert "1 more game in" in told and "is not in this folder" in told
    assert f"\n\n{crusade}:\n" in told and f"\n\n{madrid}:\n" in told
    assert desk.done("turn", box, "--key", "beto.key").startswith("1 more game in")
    again = desk.done("turn", box, "--key", "beto.key")
    assert f"nothing in {box} is new for a game of this folder" in again


@pytest.mark.parametrize("kind", ["maildir", "mh", "mbox"])
@pytest.mark.parametrize("what", ["attachment", "block", "coded"])
def test_a_damaged_newest_mail_of_a_folder_is_told(
    correspondence: tuple[Desk, list[bytes]], tmp_path: Path, kind: str, what: str
) -> None:
    """It is an error where nothing else is new: the newest state may be in it."""
    desk, (crusade2, crusade3, madrid0, *_) = correspondence
    (tmp_path / "box").mkdir()
    damaged = spoilt(crusade3, what)
    box = lay(kind, tmp_path / "box", [crusade2, madrid0, damaged])
    before = desk.files()
    told = desk.pbem("turn", box, "--key", "beto.key")
    assert told.code == 0 and "not used" not in told.out, "what is new is taken"
    assert "-002-" in "".join(set(desk.files()) - set(before))
    assert len(re.findall("(?m)^[^ ].*: line ", told.err)) == 1, told
    again = desk.refused(3, "turn", box, "--key", "beto.key")
    assert again == told.err


def spoilt(mail: bytes, what: str) -> bytes:
    """A mail whose game cannot be read: its attachment is cut off, or a line of its block is wrong,
    which may be in base64, too, below other words.
    """
    made = email.message_from_bytes(mail, policy=email.policy.default)
    text, attached = made.iter_parts()
    if what == "attachment":
        bad = EmailMessage()
        bad["Subject"] = made["Subject"]
        bad.add_attachment(attached.get_content()[:-400], maintype="application", subtype="json",
                           filename=attached.get_filename())  # fmt: skip
        return bad.as_bytes()
    words = re.sub("(?m)^e[^ ]", "eX", text.get_content())
    bad = EmailMessage()
    bad["Subject"] = made["Subject"] if what == "block" else "yours"
    bad.set_content(words if what == "block" else words.partition("Save this")[2],
                    cte="8bit" if what == "block" else "base64")  # fmt: skip
    return bad.as_bytes()


def test_a_file_of_one_game_that_does_not_verify_keeps_no_other_from_its_mail(
    correspondence: tuple[Desk, list[bytes]], tmp_path: Path
) -> None:
    desk, mails = correspondence
    there = format.read((desk.folder / "g1.json").read_bytes())
    words = {**there[-1].payload, "seq": 2, "prev": there[-1].id, "game": there[-1].id, "by": "A",
             "steps": [{"do": "say", "text": ["Hello."]}]}  # fmt: skip
    odd = format.write([*there, sign_entry(player_key("ana"), words)])
    (desk.folder / "g1.json").write_bytes(odd)
    told = desk.pbem("turn", lay("mbox", tmp_path, mails), "--key", "beto.key")
    assert told.code == 0 and "g1.json: entry 2, step 1: " in told.err
    (made,) = (name for name in desk.files() if name.endswith(".pbem.json"))
    assert made.startswith("madrid_")


def test_of_each_game_the_newest_counts(
    correspondence: tuple[Desk, list[bytes]], tmp_path: Path
) -> None:
    """A damaged mail is told if nothing newer came of its own game; one of strangers stops none."""
    desk, (crusade2, crusade3, madrid0, madrid1, other) = correspondence
    bad, strange = spoilt(crusade2, "block"), spoilt(other, "block")
    for mails, code in (
        ((crusade2, madrid0), 0), ((bad, crusade3, madrid1), 0), ((crusade3, strange), 0),
        ((crusade2, bad, madrid1), 3), ((bad, madrid1), 3),
    ):  # fmt: skip
        shutil.rmtree(tmp_path / "box", ignore_errors=True)
        (tmp_path / "box").mkdir()
        box = lay("maildir", tmp_path / "box", list(mails))
        desk.pbem("turn", box, "--key", "beto.key")
        result = desk.pbem("turn", box, "--key", "beto.key")
        assert result.code == code, (mails, result)
        is_told = re.search("(?m)^[^ ].*: line ", result.err) is not None
        assert is_told == (code == 3 or strange in mails)


def test_the_folder_above_the_mails_names_those_with_mails(asked: Desk, tmp_path: Path) -> None:
    asked.pbem("mail", "g2.json", "-o", "m.eml")
    (home := tmp_path / "mail" / "empty").mkdir(parents=True)
    box = lay("mh", home := home.parent, [(asked.folder / "m.eml").read_bytes()])
    (home / "context").write_text("Current-Folder: mh\n")
    for command in ("turn", "read"):
        told = asked.refused(2, command, home, "--key", "ana.key")
        assert f"{box}\n" in told and "empty" not in told
        assert "name the one with the mails" in told
    (home / "context").write_text("Current-Folder: pbem\n")
    told = asked.done("turn", home, "--key", "ana.key")
    assert f"what is in its folders was not looked at: {box}\n" in told


@pytest.mark.parametrize("kind", ["maildir", "mh"])
def test_a_folder_of_mails_is_read_like_a_mailbox(
    correspondence: tuple[Desk, list[bytes]], tmp_path: Path, kind: str
) -> None:
    desk, mails = correspondence
    (tmp_path / "box").mkdir()
    box = lay(kind, tmp_path / "box", mails[:2])
    told = desk.done("read", box, "--key", "beto.key", "-o", "n.json")
    assert "1 older file of this game was found too" in told and "written: n.json" in told
    several = lay(kind, tmp_path, mails)
    assert "which one do you mean?" in desk.refused(3, "read", several, "-o", "o.json")
    told = desk.done("read", several, "--game", "m0.json", "-o", "o.json")
    assert "Madrid" in told
    (tmp_path / "none").mkdir()
    assert "there is nothing in it" in desk.refused(2, "read", tmp_path / "none")


def test_a_folder_may_hold_packed_mails_and_mailboxes(
    correspondence: tuple[Desk, list[bytes]], tmp_path: Path
) -> None:
    """As Dovecot packs mails, and as Thunderbird keeps its folders."""
    desk, mails = correspondence
    (tmp_path / "box").mkdir()
    (tmp_path / "box" / "1,S=2").write_bytes(gzip.compress(mails[1]))
    (tmp_path / "box" / "game.json.gz").write_bytes(
        gzip.compress((desk.folder / "m0.json").read_bytes())
    )
    lay("mbox", tmp_path / "box", mails[2:4])
    told = desk.done("turn", tmp_path / "box", "--key", "beto.key")
    assert "-003-" in told and "madrid" in told


def test_a_folder_without_mails_says_so(asked: Desk, tmp_path: Path) -> None:
    assert "nothing in" in asked.done("turn", tmp_path, "--key", "ana.key")
    assert "--game goes with one mail" in asked.refused(
        2, "turn", tmp_path, "--game", "g2.json", "--key", "ana.key"
    )


def test_a_mailbox_with_one_game_is_read_as_before(asked: Desk, tmp_path: Path) -> None:
    asked.pbem("mail", "g2.json", "-o", "m.eml")
    box = lay("mbox", tmp_path, [(asked.folder / "m.eml").read_bytes()] * 2)
    told = asked.done("turn", box, "--key", "ana.key")
    assert "found: " in told and "fill in crusade_" in told
