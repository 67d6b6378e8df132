"""pbem read: the game out of whatever came by mail, verified, or nothing."""

from __future__ import annotations

import contextlib
import email.policy
import gzip
import importlib.util
import json
import mailbox
import re
import shutil
import smtplib
import socket
import subprocess
import sys
from email.message import EmailMessage, MIMEPart
from pathlib import Path

import pytest

from pbem.cli import files, folder
from pbem.gamefile import format
from pbem.gamefile.keys import load_private
from pbem.mail import armour
from pbem.mail.work import Work
from tests.cli.desk import Desk
from tests.gamefile.resigned import signed_again, signed_falsely
from tests.mail import mail_clients as mail

EXAMPLE = Path(__file__).parents[2] / "examples" / "by-mail" / "run.py"
BLAMES_NOBODY = "damaged in the mail, or edited by hand; this proves nothing against anybody"


def raw(desk: Desk, name: str) -> bytes:
    return (desk.folder / name).read_bytes()


def text(desk: Desk, name: str) -> str:
    return raw(desk, name).decode()


def message(words: str = "Hello Ana\n", subject: str = "your move") -> EmailMessage:
    made = EmailMessage(policy=email.policy.SMTP)
    made["From"], made["Subject"] = "Beto <beto@example.org>", subject
    made.set_content(words)
    return made


def attach(made: EmailMessage, content: bytes, name: str = "game.pbem.json") -> EmailMessage:
    made.add_attachment(content, maintype="application", subtype="octet-stream", filename=name)
    return made


def put(desk: Desk, name: str, content: bytes | str | EmailMessage) -> str:
    if isinstance(content, EmailMessage):
        content = content.as_bytes()
    data = content if isinstance(content, bytes) else content.encode()
    (desk.folder / name).write_bytes(data)
    return name


def is_read(desk: Desk, *words: str, game: str = "g4.json") -> list[str]:
    """What is said of files out of which exactly `game` comes."""
    out = desk.done("read", *words, "-o", "new.json")
    assert raw(desk, "new.json") == raw(desk, game)
    (desk.folder / "new.json").unlink()
    return out.splitlines()


def is_refused(desk: Desk, *words: str) -> str:
    return desk.refused(3, "read", *words, "-o", "new.json")


# --- messages -----------------------------------------------------------------------------------


def test_an_attachment(desk: Desk):
    put(desk, "m.eml", attach(message(), raw(desk, "g4.json")))
    status = json.loads(desk.done("status", "g4.json", "--json"))
    owed = [line for line in desk.done("status", "g4.json").splitlines() if "to write:" in line]
    lines = is_read(desk, "m.eml")
    told = desk.done("log", "g4.json", "--from", "4").splitlines()
    assert lines[:2] == [
        "found: m.eml, attachment game.pbem.json", "Crusade and Revolution: Campaign",
    ]  # fmt: skip
    assert lines[-2 - len(owed) :] == [
        f"game {status['fingerprint']}, entry 4", *owed, "written: new.json",
    ]  # fmt: skip
    story = lines[2 : -2 - len(owed)]
    assert story and story == told[-len(story) :], "what came is told, as apply does"
    assert "fire with strength" in "\n".join(story)
    assert owed


def test_a_packed_attachment_in_a_message_of_our_own(desk: Desk):
    put(desk, "m.eml", attach(message(), gzip.compress(raw(desk, "g4.json")), "g.gz"))
    assert is_read(desk, "m.eml")[0] == "found: m.eml, attachment g.gz"
    desk.done("mail", "g4.json", "-o", "own.eml")
    assert is_read(desk, "own.eml")[0].startswith("found: own.eml, attachment crusade_")


def test_an_attachment_that_a_mail_program_called_text(desk: Desk):
    made = message()
    made.add_attachment(text(desk, "g4.json"), filename="game.txt")
    put(desk, "m.eml", made)
    assert is_read(desk, "m.eml")[0] == "found: m.eml, attachment game.txt"


@pytest.mark.parametrize("coding", ["base64", "quoted-printable", "7bit"])
def test_the_file_pasted_into_the_text(desk: Desk, coding: str):
    made = message()
    made.set_content(mail.around(text(desk, "g4.json")), cte=coding)
    put(desk, "m.eml", made)
    lines = is_read(desk, "m.eml")
    assert lines[:2] == ["found: m.eml, the text", "repaired: text before or after it"]


def test_an_html_mail_and_its_plain_twin(desk: Desk):
    made = message("see the other part\n")
    made.add_alternative(mail.as_html(mail.quoted(text(desk, "g4.json"))), subtype="html")
    put(desk, "m.eml", made)
    assert is_read(desk, "m.eml")[:2] == [
        "found: m.eml, the HTML text",
        "repaired: HTML, no-break spaces, quoted reply, text before or after it",
    ]
    made = message(mail.quoted(text(desk, "g4.json")))
    made.add_alternative(mail.as_html(mail.quoted(text(desk, "g4.json"))), subtype="html")
    put(desk, "twin.eml", made)
    assert is_read(desk, "twin.eml")[:2] == ["found: twin.eml, the text", "repaired: quoted reply"]


def test_a_forwarded_message_and_one_attached_as_a_file(desk: Desk):
    inner = attach(message(subject="the first"), raw(desk, "g4.json"))
    outer = message("see below\n")
    outer.add_attachment(inner)
    put(desk, "m.eml", outer)
    assert is_read(desk, "m.eml")[0] == "found: m.eml, attachment game.pbem.json"
    put(desk, "n.eml", attach(message(), inner.as_bytes(), "first.eml"))
    where = "found: n.eml, attachment first.eml, attachment game.pbem.json"
    assert is_read(desk, "n.eml")[0] == where


def test_parts_within_parts(desk: Desk):
    made = message()
    made.add_alternative("<p>Hello</p>", subtype="html")
    attach(made, b"\x89PNG\r\n\x1a\n", "flag.png")
    attach(made, raw(desk, "g4.json"))
    inner = MIMEPart(policy=email.policy.SMTP)
    inner.set_content("a note")
    made.attach(inner)
    put(desk, "m.eml", made)
    assert is_read(desk, "m.eml")[0] == "found: m.eml, attachment game.pbem.json"


# --- damaged files ------------------------------------------------------------------------------

DAMAGES = {
    "carriage returns": (mail.crlf, None),
    "wrapped at 72": (lambda text: mail.wrapped(text, 72), None),
    "quoted": (mail.quoted, "quoted reply"),
    "a reply": (mail.replied_to, "quoted reply, text before or after it"),
    "quoted-printable": (mail.quoted_printable, "quoted-printable"),
    "HTML": (mail.as_html, "HTML, no-break spaces, text before or after it"),
    "no-break spaces": (mail.no_break_spaces, "no-break spaces"),
    "curly quotes": (mail.curly, "curly quotes"),
    "broken at 60": (lambda text: mail.broken(text, 60), "broken lines"),
    "zeros": (lambda text: text.replace("a", "a\0", 3), "zero bytes"),
    "words around": (mail.around, "text before or after it"),
}


@pytest.mark.parametrize("how", DAMAGES)
@pytest.mark.parametrize("inside", ["file", "mail"])
def test_a_kind_of_damage(desk: Desk, how: str, inside: str):
    change, repaired = DAMAGES[how]
    content = change(text(desk, "g4.json"))
    assert content != text(desk, "g4.json")
    name = put(desk, "d.txt", content) if inside == "file" else put(desk, "d.eml", message(content))
    lines = is_read(desk, name)
    if repaired:
        assert lines[1] == f"repaired: {repaired}"
    elif inside == "file":
        assert not any(line.startswith("repaired") for line in lines)


def test_a_cut_file(desk: Desk):
    put(desk, "cut.json", text(desk, "g4.json")[:3000])
    err = is_refused(desk, "cut.json")
    assert re.fullmatch(
        r"cut\.json: line \d+, column \d+ cannot be read: the file was cut off or "
        r"changed on the way\n"
        r"      hint: ask for it again\n", err
    )  # fmt: skip


def test_a_changed_letter(desk: Desk):
    put(desk, "odd.json", mail.quoted(text(desk, "g4.json").replace("riotinto", "riotinta")))
    assert is_refused(desk, "odd.json") == (
        f"odd.json: entry 3: does not match its own checksum: {BLAMES_NOBODY}\n"
        "      hint: ask for the file again\n"
    )


def test_a_whole_file_of_another_game_is_not_made_of_its_entries(desk: Desk):
    """The digests of each entry fit; the file does not verify, so nothing is written."""
    document = json.loads(text(desk, "g4.json"))
    del document["entries"][3]
    put(desk, "gap.json", mail.quoted(json.dumps(document, indent=1)))
    assert "gap.json: entry 3: an entry is missing" in is_refused(desk, "gap.json")


# --- armour -------------------------------------------------------------------------------------


def block(desk: Desk, name: str = "g4.json") -> str:
    return desk.done("mail", name, "--armor")


def test_a_pasted_block_continues_a_file(desk: Desk):
    put(desk, "p.txt", mail.around(block(desk)))
    first = "found: p.txt: entry 4, added to g3.json"
    assert is_read(desk, "p.txt", "--game", "g3.json")[0] == first
    assert is_read(desk, "p.txt", "g3.json")[:2] == ["found: g3.json", first]
    assert is_read(desk, "g3.json", "p.txt")[:2] == ["found: g3.json", first]
    put(desk, "first.txt", block(desk, "g0.json"))
    assert is_read(desk, "first.txt", game="g0.json")[0] == "found: first.txt: entry 0"
    put(desk, "accept.txt", block(desk, "g1.json"))
    assert is_read(desk, "accept.txt", "g0.json", game="g1.json")


def test_blocks_that_follow_each_other(desk: Desk):
    names = [put(desk, f"p{n}.txt", block(desk, f"g{n}.json")) for n in (4, 3, 1, 0)]
    had, _ = is_read(desk, *names)[:2]
    assert had == (
        "found: p0.txt: entry 0, p1.txt: entry 1 and p3.txt: entries 2 to 3, which the game "
        "already has"
    )
    whole = raw(desk, "g4.json")
    for path in desk.folder.glob("*.json"):
        path.unlink()
    told = desk.done("read", *names, "-o", "new.json").splitlines()
    assert raw(desk, "new.json") == whole
    assert len([line for line in told if line.startswith("found")]) == 4


@pytest.mark.parametrize("how", mail.HARMLESS)
def test_a_block_in_a_mail_that_was_damaged(desk: Desk, how: str):
    put(desk, "m.eml", message(mail.HARMLESS[how](block(desk))))
    assert is_read(desk, "m.eml", "--game", "g3.json")[0].startswith(
        "found: m.eml, the text: entry"
    )


def test_a_block_in_an_html_mail(desk: Desk):
    made = message("see the other part\n")
    made.add_alternative(mail.as_html(mail.quoted(block(desk))), subtype="html")
    put(desk, "m.eml", made)
    assert "repaired: HTML, quoted reply, no-break spaces" in " ".join(
        is_read(desk, "m.eml", "--game", "g3.json")
    )


def test_a_block_beside_the_attachment_is_no_second_candidate(desk: Desk):
    desk.done("mail", "g4.json", "--armor", "-o", "m.eml")
    told = is_read(desk, "m.eml")
    assert told[0].startswith("found: m.eml, attachment ")
    assert not any("the text" in line or "already has" in line for line in told)


def test_several_blocks_that_a_game_already_has_are_told_in_one_line(desk: Desk):
    """A reply that quotes the mail it answers, which quoted another."""
    both = block(desk, "g4.json") + mail.quoted(block(desk, "g3.json"))
    put(desk, "m.eml", message(both))
    found = is_read(desk, "m.eml", "--game", "g4.json")
    told = [line for line in found if "already has" in line]
    (line,) = told
    assert line.startswith("found: m.eml, the text") and line.count("entr") == 2


@pytest.mark.parametrize("quoted", ["g0.json", "g1.json", "g3.json"])
def test_an_old_block_below_does_not_turn_the_game_back(desk: Desk, quoted: str):
    """A reply that quotes what it answers: the attachment goes further."""
    made = attach(message(mail.quoted(block(desk, quoted))), raw(desk, "g4.json"))
    put(desk, "m.eml", made)
    put(desk, "old.json", raw(desk, "g3.json"))
    for words in (("m.eml",), ("m.eml", "--game", "g3.json"), ("old.json", "m.eml"),
                  ("m.eml", "g3.json")):  # fmt: skip
        assert not any("already has" in line for line in is_read(desk, *words))


def test_a_block_that_begins_another_game(desk: Desk):
    desk.done("solo", "crusade", "campaign", "--seed", "c", "-o", "other.json")
    put(desk, "m.eml", attach(message(desk.done("mail", "other.json", "--armor", "--after", "-1")),
                              raw(desk, "g4.json")))  # fmt: skip
    assert "the text: the block belongs to another game than m.eml, attachment" in is_refused(
        desk, "m.eml"
    )


def test_mails_that_crossed(desk: Desk):
    """Ana's side entry and Beto's answer stand for one place: Beto's counts, Ana's is void."""
    desk.write("said.yaml", "say: Are you there?\n")
    side = desk.pbem("apply", "g3.json", "said.yaml", "--key", "ana.key", "-o", "side.json")
    if side.code:
        pytest.skip("nothing can be said beside the turn by this command")
    put(desk, "p.txt", block(desk))
    assert is_read(desk, "p.txt", "--game", "side.json")


def test_a_block_serves_where_the_attachment_was_damaged(desk: Desk):
    made = message(block(desk))
    attach(made, raw(desk, "g4.json")[:2000])
    put(desk, "m.eml", made)
    lines = is_read(desk, "m.eml", "--game", "g3.json")
    assert lines[0] == "found: m.eml, the text: entry 4, added to g3.json"
    assert lines[1].startswith("not used: m.eml, attachment game.pbem.json: line ")


def test_a_block_continues_the_game_in_this_folder(desk: Desk):
    """Nobody has to name the file: its newest is meant, as everywhere."""
    put(desk, "p.txt", mail.around(block(desk)))
    wanted = raw(desk, "g4.json")
    (desk.folder / "g4.json").unlink()
    assert "found: p.txt: entry 4, added to g3.json\n" in desk.done("read", "p.txt", "-o", "n.json")
    assert raw(desk, "n.json") == wanted
    (desk.folder / "n.json").unlink()
    made = put(desk, "m.eml", attach(message(), wanted, "x.json"))
    told = desk.done("read", made, "--lang", "es", "-o", "m.json")
    assert "encontrado: m.eml, adjunto x.json\n" in told
    (desk.folder / "m.json").unlink()
    told = desk.done("turn", "p.txt", "--key", "ana.key")
    assert "found: p.txt: entry 4, added to g3.json\n" in told
    (desk.folder / "g3.json").unlink()
    for path in desk.folder.glob("crusade_*"):
        path.unlink()
    assert "g2.json ends with entry 2; missing: entry 3" in is_refused(desk, "p.txt")


def test_a_pasted_acceptance_continues_the_proposal_in_this_folder(desk: Desk):
    """A proposal has no digits yet; its acceptance names it."""
    put(desk, "p.txt", mail.around(block(desk, "g1.json")))
    wanted = raw(desk, "g1.json")
    for path in (*desk.folder.glob("g[1-9].json"), *desk.folder.glob("crusade_*")):
        path.unlink()
    told = desk.done("read", "p.txt", "-o", "n.json")
    assert "found: p.txt: entry 1, added to g0.json\n" in told and raw(desk, "n.json") == wanted


def test_a_block_does_not_choose_between_files_that_diverge(desk: Desk, monkeypatch):
    put(desk, "p.txt", block(desk))
    (desk.folder / "other.json").write_bytes(other_story(desk, monkeypatch))
    (desk.folder / "g4.json").unlink()
    assert "name your newest file of that game with --game" in is_refused(desk, "p.txt")


def test_what_a_block_lacks_is_said(desk: Desk):
    put(desk, "p.txt", block(desk))
    put(desk, "three.txt", block(desk, "g3.json"))
    for name in ("g0.json", "g1.json", "g3.json", "g4.json"):
        (desk.folder / name).rename(desk.folder / f".{name}")
    (desk.folder / "g2.json").rename(desk.folder / ".g2.json")
    assert is_refused(desk, "p.txt") == (
        "p.txt: the block contains only entry 4, and there is no game file that it continues\n"
        "      hint: name your newest file of that game with --game FILE\n"
    )
    (desk.folder / ".g2.json").rename(desk.folder / "g2.json")
    assert is_refused(desk, "p.txt", "--game", "g2.json") == (
        "p.txt: the block contains only entry 4, and g2.json ends with entry 2; missing: entry 3\n"
        "      hint: ask for the whole file\n"
    )
    err = is_refused(desk, "p.txt", "--game", "solo.json")
    assert err.startswith("p.txt: the block belongs to another game than solo.json\n")
    texts = [raw(desk, name).decode() for name in ("p.txt", "three.txt")]
    put(desk, "two.txt", "".join(texts))
    told = desk.done("read", "two.txt", "--game", "g2.json", "-o", "new.json").splitlines()
    assert told[:2] == [
        "found: two.txt: entries 2 to 3, added to g2.json",
        "found: two.txt: entry 4, added to two.txt",
    ], "each block of a text is read"


def test_a_damaged_line_is_named(desk: Desk):
    put(desk, "p.txt", mail.line_of(block(desk), 7, mail.one_letter))
    assert re.fullmatch(
        r"p\.txt: line 7 of \d+ is damaged\n"
        r"      hint: ask for the attachment, or for the block again\n",
        is_refused(desk, "p.txt", "--game", "g3.json"),
    )


def test_a_second_story_in_a_block_is_a_fork(desk: Desk):
    """Ana's entry 3 written twice: who has the one is not given the other."""
    desk.orders("play: {card: N1, for: event}", name="other.yaml")
    forget(desk)
    desk.done("apply", "g2.json", "other.yaml", "--key", "ana.key", "-o", "other.json")
    put(desk, "p.txt", block(desk, "other.json"))
    err = is_refused(desk, "p.txt", "--game", "g3.json")
    assert "player A has signed two different entries 3" in err
    found = desk.pbem("read", "p.txt", "--game", "g3.json", "-o", "new.json", "--json").problems()
    assert [each["code"] for each in found] == ["E-FORK"]


def forget(desk: Desk) -> None:
    """Ana's machine forgets what it has seen."""
    for path in (desk.folder / ".home").rglob("*.json"):
        path.unlink()


# --- which one was meant ------------------------------------------------------------------------


def test_several_files_of_one_story_are_the_longest(desk: Desk):
    assert is_read(desk, "g2.json", "g4.json", "g3.json")[0] == "found: g4.json"
    made = attach(attach(message(), raw(desk, "g3.json"), "old"), raw(desk, "g4.json"), "new")
    put(desk, "m.eml", made)
    assert is_read(desk, "m.eml")[0] == "found: m.eml, attachment new"


def test_games_that_differ_are_refused_by_name(desk: Desk):
    err = is_refused(desk, "g4.json", "solo.json")
    for part in ("g4.json (game ", ", entry 4)", "solo.json (game ", "which one do you mean?"):
        assert part in err
    put(desk, "m.eml", attach(attach(message(), raw(desk, "g4.json"), "a"),
                              raw(desk, "solo.json"), "b"))  # fmt: skip
    assert "m.eml, attachment a (game" in is_refused(desk, "m.eml")
    assert "E-TRANSPORT" in desk.pbem("read", "m.eml", "--json").err
    assert is_read(desk, "m.eml", "--game", "g2.json")[:2] == [
        "found: m.eml, attachment a",
        "not used: m.eml, attachment b: it is another game",
    ]


def test_the_game_that_is_wanted_is_held_against_it(desk: Desk):
    put(desk, "m.eml", attach(message(), raw(desk, "g3.json")))
    err = is_refused(desk, "m.eml", "--game", "g4.json")
    assert "you have already seen this game up to entry 4" in err
    assert "the two files are not of the same game" in is_refused(
        desk, "m.eml", "--game", "solo.json"
    )
    assert is_read(desk, "m.eml", "--game", "g2.json", game="g3.json")


# --- mailboxes ----------------------------------------------------------------------------------


def mbox(desk: Desk, *messages: EmailMessage) -> str:
    box = mailbox.mbox(desk.folder / "in.mbox")
    for each in messages:
        box.add(mailbox.mboxMessage(each))
    box.close()
    return "in.mbox"


def test_the_newest_message_of_a_mailbox(desk: Desk):
    old = attach(message(subject="my move"), raw(desk, "g3.json"))
    new = attach(message(subject="your\n move".replace("\n", "")), raw(desk, "g4.json"))
    name = mbox(desk, message(), old, new, message("Thank you!\n", "re"))
    assert is_read(desk, name)[0] == (
        "found: in.mbox, message 3 of 4 (your move), attachment game.pbem.json"
    )


def test_a_damaged_newest_message_is_passed_over_and_said(desk: Desk):
    old = attach(message(subject="one"), raw(desk, "g4.json"))
    new = attach(message(subject="two"), raw(desk, "g4.json")[:3000])
    lines = is_read(desk, mbox(desk, old, new))
    assert lines[0].startswith("found: in.mbox, message 1 of 2 (one)")
    assert lines[1].startswith("not used: in.mbox, message 2 of 2 (two), attachment game.pbem.json")


def test_a_mailbox_with_two_games_wants_to_be_told_which(desk: Desk):
    desk.done("solo", "crusade", "campaign", "--seed", "b", "-o", "other.json")
    files = ("g3.json", "g4.json", "other.json")
    name = mbox(desk, *(attach(message(), raw(desk, file)) for file in files))
    err = is_refused(desk, name)
    assert "in.mbox, message 3 of 3" in err and "in.mbox, message 2 of 3" in err
    assert "--game FILE says which game you want" in err
    found = is_read(desk, name, "--game", "g3.json")
    assert found[0].startswith("found: in.mbox, message 2 of 3")
    assert is_read(desk, name, "--game", "other.json", game="other.json")


def test_a_block_in_the_newest_message_continues_the_file_in_an_older_one(desk: Desk):
    whole = attach(message(subject="whole"), raw(desk, "g3.json"))
    lines = is_read(desk, mbox(desk, whole, message(block(desk), "short")))
    assert lines[:2] == [
        "found: in.mbox, message 1 of 2 (whole), attachment game.pbem.json",
        "found: in.mbox, message 2 of 2 (short), the text: entry 4, added to in.mbox, "
        "message 1 of 2 (whole), attachment game.pbem.json",
    ]


JUNK = "-----BEGIN PBEM ENTRIES-----\nGame: 1\n-----END PBEM ENTRIES-----\n"


def test_mails_of_anybody_do_not_hide_the_honest_one_where_the_game_is_named(desk: Desk):
    """What is damaged counts only if it is of the game that is wanted."""
    junk = [message(JUNK, f"junk {at}") for at in range(60)]
    name = mbox(desk, attach(message(), raw(desk, "g4.json")), *junk)
    lines = is_read(desk, name, "--game", "g3.json")
    assert lines[0] == ("found: in.mbox, message 1 of 61 (your move), attachment game.pbem.json")
    assert len(lines) < 60, "not a line for each of them"
    told = "not used: in.mbox: 60 parts of it are damaged, and none of them names the game"
    assert lines[1] == told


def test_damaged_mails_do_not_end_the_search(desk: Desk):
    """Nor are hundreds of them told one by one."""
    digits = re.search("Game: ([0-9]+)", block(desk))
    assert digits is not None
    bad = JUNK.replace("1", digits[1])
    junk = [message(bad, f"junk {at}") for at in range(300)]
    name = mbox(desk, message(), attach(message(), raw(desk, "g4.json")), *junk)
    lines = is_read(desk, name)
    assert lines[0].startswith("found: in.mbox, message 2 of 302 ")
    told = [line for line in lines if line.startswith("not used: ")]
    assert len(told) == 9 and told[-1] == (
        "not used: in.mbox: 292 more things that came are damaged"
    )


def test_what_stops_the_search_is_said_first(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pbem.mail.inbox.Work", lambda: Work(150_000))
    junk = [message(JUNK * 9, f"junk {at}") for at in range(20)]
    name = mbox(desk, attach(message(), raw(desk, "g4.json")), message(), *junk)
    told = is_refused(desk, name)
    assert re.match(
        r"in\.mbox: [0-9]+ messages were left unread, for there is too much to search\n"
        r"      hint: save the message itself, and use that\n", told
    )  # fmt: skip
    found = [each["code"] for each in desk.pbem("read", name, "--json").problems()]
    assert found == ["E-LIMIT"]


@pytest.mark.parametrize("what", ["block", "file"])
def test_what_is_damaged_and_of_the_game_is_told(desk: Desk, what: str):
    bad = attach(message(), raw(desk, "g4.json")[:3000])
    if what == "block":
        bad = message(block(desk).replace("Lines:", "Lines: 9"))
    name = mbox(desk, attach(message(), raw(desk, "g4.json")), *[bad] * 3)
    told = is_read(desk, name, "--game", "g3.json")
    assert len([line for line in told if line.startswith("not used: in.mbox, message ")]) == 3


# --- witness, usage, limits ---------------------------------------------------------------------


def test_what_was_seen_counts(desk: Desk):
    """With a key, the record of that player; with --last, the file they sent last. Nothing is
    signed here, so it is a warning, as `status` has it.
    """
    desk.orders("play: {card: N1, for: event}", name="o.yaml")
    put(desk, "m.eml", attach(message(), raw(desk, "g2.json")))
    assert "note: this machine has no record of the game" in desk.done(
        "read", "m.eml", "--key", "ana.key", "-o", "a.json"
    )
    desk.done("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "sent.json")
    for option, other in (("--key", "ana.key"), ("--last", "g3.json")):
        result = desk.pbem("read", "m.eml", option, other, "-o", f"{other}.new")
        assert result.code == 0 and "written: " in result.out
        assert "m.eml: warning: entry 3: you have already seen this game up to" in result.err
    err = desk.refused(1, "read", "m.eml", "--key", "eve.key", "-o", "new.json")
    assert "this key belongs to neither player" in err


@pytest.mark.parametrize("content, said", [
    (b"", "there is nothing in it"), (b"Hello Ana,\nno file today.\n", "no game and no block"),
    (b"\x89PNG\r\n\x1a\n" * 50, "no game and no block"),
    (b"Subject: x\n\nhello", "no game and no block"), (b"{}", "no game and no block"),
    (b"From a\nSubject: x\n\nhello\n", "no game and no block"),
])  # fmt: skip
def test_where_nothing_is_found(desk: Desk, content: bytes, said: str):
    """The wrong file was named."""
    put(desk, "x", content)
    for command in ("read", "turn"):
        assert said in desk.refused(2, command, "x")


@pytest.mark.parametrize("content, said", [
    (b"\x1f\x8b\x08", "the gzip file is"), (f"x {armour.BEGIN} y".encode(), "the block is cut off"),
])  # fmt: skip
def test_where_something_of_a_game_is_found(desk: Desk, content: bytes, said: str):
    put(desk, "x", content)
    assert said in is_refused(desk, "x")


def test_outlooks_own_packing_is_named(desk: Desk):
    made = message()
    made.add_attachment(b"x", maintype="application", subtype="ms-tnef", filename="winmail.dat")
    put(desk, "m.eml", made)
    assert is_refused(desk, "m.eml") == (
        "m.eml, attachment winmail.dat: it is in Outlook's own format, and damaged\n"
        "      hint: open it with the program it is for, save the game file (.pbem.json) from it, "
        "and use that; or ask for a plain mail with the file attached\n"
    )


def test_usage(desk: Desk):
    assert "Missing argument 'FILE...'" in desk.refused(2, "read")
    assert "the file cannot be read" in desk.refused(2, "read", "nowhere.eml")
    put(desk, "m.eml", attach(message(), raw(desk, "g4.json")))
    err = desk.refused(2, "read", "m.eml", "-o", "solo.json")
    assert "this file already exists, with different content" in err
    written = re.compile(r"^written: (crusade_[0-9a-f]+-01-004-b2a\.pbem\.json)$", re.M)
    (name,) = written.findall(desk.done("read", "m.eml"))
    assert len(name) == len("crusade_-01-004-b2a.pbem.json") + 8


def test_a_game_whose_name_another_one_has_gets_a_longer_one(desk: Desk):
    """Whoever proposes two games can look for such as have the same first digits."""
    put(desk, "m.eml", attach(message(), raw(desk, "g4.json")))
    written = re.compile(r"^(?:written|already there): (crusade_\S+-01-004-b2a\.pbem\.json)$", re.M)
    (name,) = written.findall(desk.done("read", "m.eml"))
    shutil.copy(desk.folder / "solo.json", desk.folder / name)
    for _ in range(2):
        (longer,) = written.findall(desk.done("read", "m.eml"))
        assert longer.startswith(name.partition("-")[0]) and len(longer) == len(name) + 16
    assert raw(desk, name) == raw(desk, "solo.json")


def test_a_name_in_a_message_is_only_shown(desk: Desk):
    put(desk, "m.eml", attach(message(), raw(desk, "g4.json"), "../../\u202egnp.exe"))
    first = is_read(desk, "m.eml")[0]
    assert first.isascii() and "../../\\u202egnp.exe" in first
    assert sorted(path.name for path in desk.folder.parent.iterdir()) == ["desk"]


def test_what_is_typed_or_piped(today: Desk):
    done = subprocess.run(
        [sys.executable, "-c", "from pbem.cli import main; main()", "read", "-", "--game",
         "g3.json", "-o", "new.json"],
        cwd=today.folder, input=mail.quoted(block(today)).encode(), capture_output=True, check=True,
    )  # fmt: skip
    assert done.stdout.startswith(b"found: -: entry 4, added to g3.json\nrepaired: quoted reply\n")
    assert raw(today, "new.json") == raw(today, "g4.json")


def test_a_file_of_two_gigabytes_is_not_read(desk: Desk):
    with (desk.folder / "huge.eml").open("wb") as file:
        file.truncate(2 << 30)
    err = desk.refused(3, "read", "huge.eml")
    assert "huge.eml: the file has 2,147,483,648 bytes, and the limit is 67,108,864" in err


def test_json(desk: Desk):
    put(desk, "m.eml", attach(message(), raw(desk, "g4.json")))
    found = json.loads(desk.done("read", "m.eml", "-o", "new.json", "--json"))
    assert set(found) == {"file", "game", "fingerprint", "entry", "replaced", "report", "terms"}
    assert found["entry"] == 4 and found["report"] == ["found: m.eml, attachment game.pbem.json"]
    assert found["replaced"] is None


# --- the example --------------------------------------------------------------------------------


def test_the_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    """Its commands are called in this process; how they print in one of their own others show."""
    spec = importlib.util.spec_from_file_location("by_mail_example", EXAMPLE)
    example = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)

    def called(command: list[str], *, cwd: Path, env: dict[str, str], **how: bool):
        assert command[: len(example.PBEM)] == example.PBEM
        with monkeypatch.context() as patch:
            for name, value in env.items():
                patch.setenv(name, value)
            code, out, err = Desk(cwd).pbem(*command[len(example.PBEM) :])
        return subprocess.CompletedProcess(command, code, out, err)

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(example.subprocess, "run", called)
    example.main()
    done = capsys.readouterr()
    for said in (
        "found: proposal.eml, attachment crusade_",
        "added to g0.pbem.json\nrepaired: quoted reply",
        "found: begun.eml, the HTML text\nrepaired: HTML, text before or after it",
        "odd.txt: line 3 of ",
    ):  # fmt: skip
        assert said in done.out
    assert done.err == ""


# --- a real mail, over a real server ------------------------------------------------------------


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@pytest.mark.parametrize("kept", ["maildir", "mbox"])
def test_a_mail_over_smtp_on_loopback(desk: Desk, kept: str):
    """Written by us, sent by the standard library, taken by a server, stored in a mailbox, read."""
    from aiosmtpd.controller import Controller
    from aiosmtpd.handlers import Mailbox

    class Mbox:
        async def handle_DATA(self, server, session, envelope):
            box = mailbox.mbox(desk.folder / "in.mbox")
            box.add(envelope.content)
            box.close()
            return "250 OK"

    handler = Mailbox(str(desk.folder / "Maildir")) if kept == "maildir" else Mbox()
    server = Controller(handler, hostname="127.0.0.1", port=free_port())
    server.start()
    try:
        for name in ("g3.json", "g4.json"):
            desk.done("mail", name, "--to", "ana@example.org", "--armor", "-o", f"{name}.eml")
            with smtplib.SMTP("127.0.0.1", server.port, timeout=20) as connection:
                made = email.message_from_bytes(raw(desk, f"{name}.eml"))
                connection.send_message(made, "beto@example.org", ["ana@example.org"])
    finally:
        server.stop()
    if kept == "mbox":
        assert "message 2 of 2 ([pbem] Crusade" in is_read(desk, "in.mbox")[0]
        return
    delivered = sorted((desk.folder / "Maildir" / "new").iterdir())
    assert len(delivered) == 2
    names = [str(Path("Maildir") / "new" / path.name) for path in delivered]
    is_read(desk, *names)
    games = {is_any(desk, name) for name in names}
    assert games == {raw(desk, "g3.json"), raw(desk, "g4.json")}


def is_any(desk: Desk, name: str) -> bytes:
    desk.done("read", name, "-o", "any.json")
    content = raw(desk, "any.json")
    (desk.folder / "any.json").unlink()
    return content


# --- a newer file in the place of an older one ----------------------------------------------------


def test_a_newer_file_of_the_game_takes_the_place_of_the_older_one(desk: Desk):
    for game in ("g0.json", "g1.json", "g4.json"):
        put(desk, "m.eml", attach(message(), raw(desk, game)))
        told = desk.done("read", "m.eml", "-o", "game.pbem.json")
        assert raw(desk, "game.pbem.json") == raw(desk, game)
    assert told.endswith("written: game.pbem.json, replacing the one up to entry 1\n")
    again = desk.done("read", "m.eml", "-o", "game.pbem.json")
    assert again.endswith("already there: game.pbem.json\n"), "the same once more"
    (desk.folder / "game.pbem.json").write_bytes(raw(desk, "g1.json"))
    assert json.loads(desk.done("read", "m.eml", "-o", "game.pbem.json", "--json"))["replaced"] == 1


def test_a_block_goes_on_from_the_file_it_replaces(desk: Desk):
    put(desk, "p.txt", desk.done("mail", "g4.json", "--armor"))
    (desk.folder / "game.pbem.json").write_bytes(raw(desk, "g3.json"))
    desk.done("read", "p.txt", "--game", "game.pbem.json", "-o", "game.pbem.json")
    assert raw(desk, "game.pbem.json") == raw(desk, "g4.json")


def test_a_packed_file_is_continued_too(desk: Desk):
    (desk.folder / "new.json").write_bytes(gzip.compress(raw(desk, "g3.json")))
    desk.done("read", "g4.json", "-o", "new.json")
    assert raw(desk, "new.json") == raw(desk, "g4.json")


def other_story(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> bytes:
    """Up to g2 the same game; then Ana has written something else, on another machine."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / "other"))
    desk.orders("play: {card: N1, for: event}")
    desk.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "other.json")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / "config"))
    return raw(desk, "other.json")


# --- what was read is remembered ------------------------------------------------------------------


@pytest.mark.parametrize("how", ["read", "turn"])
def test_an_entry_that_was_read_is_not_replaced_in_silence(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, how: str
):
    """Beto has read Ana's entry 3 and not answered; then she sends another one in its place."""
    other = other_story(desk, monkeypatch)
    forget(desk)
    put(desk, "first.eml", attach(message(), raw(desk, "g3.json")))
    put(desk, "second.eml", attach(message(), other))
    put(desk, "here.json", raw(desk, "g3.json"))
    given = ("read", "first.eml") if how == "read" else ("turn", "here.json")
    desk.pbem(*given, "--key", "beto.key")
    said = "player A has signed two different entries 3"
    told = desk.pbem("read", "second.eml", "--key", "beto.key", "-o", "second.json")
    assert told.code == 0 and f"second.eml: warning: entry 3: {said}" in told.err
    for words in (("turn", "second.eml"), ("turn", "second.json")):
        result = desk.pbem(*words, "--key", "beto.key")
        assert result.err.count(said) == 1, (words, result)
    old = desk.pbem("read", "g2.json", "--key", "beto.key", "-o", "old.json")
    assert "you have already seen this game up to entry 3" in old.err
    again = desk.pbem("read", "first.eml", "--key", "beto.key", "-o", "again.json")
    assert again.code == 0 and again.err == "", "what was objected to was not recorded"


def test_who_is_no_player_leaves_no_record(desk: Desk):
    forget(desk)
    desk.done("read", "g3.json", "-o", "n.json")
    assert not list((desk.folder / ".home").rglob("seen/*"))


def test_reading_without_a_place_for_a_record_goes_on(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    def full(*given: object) -> int:
        raise OSError("full")

    monkeypatch.setattr("pbem.cli.locks.held", full)
    desk.done("read", "g3.json", "--key", "beto.key", "-o", "n.json")


def test_nothing_else_is_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    sound = raw(desk, "g3.json")
    desk.done("solo", "crusade", "campaign", "--seed", "b", "-o", "another.json")
    for there in (
        b"", b"my notes", sound[:-3], sound.replace(b"seq", b"sqe", 1),
        other_story(desk, monkeypatch), raw(desk, "another.json"), raw(desk, "ana.key"),
    ):  # fmt: skip
        assert there != sound
        (desk.folder / "new.json").write_bytes(there)
        told = desk.refused(2, "read", "g4.json", "-o", "new.json")
        assert told.startswith("new.json: this file already exists, with different content\n")


@pytest.mark.parametrize("how", ["again", "falsely"])
def test_another_signature_makes_no_other_entry(desk: Desk, how: str):
    """Its author can sign it again, and anybody can spoil a signature: the story is the same."""
    true = format.read(raw(desk, "g4.json"))
    key = load_private((desk.folder / "beto.key").read_bytes(), None)
    other = signed_again(key, true[1], 1) if how == "again" else signed_falsely(true[1], 1)
    copies = {count: format.write([true[0], other, *true[2:count]]) for count in (4, 5)}
    for count, copy in copies.items():
        (desk.folder / "new.json").write_bytes(copy)
        told = desk.done("read", "g4.json", "-o", "new.json")
        assert raw(desk, "new.json") == raw(desk, "g4.json")
        assert ("replacing the one up to entry 3" in told) == (count == 4)
        put(desk, "p.txt", armour.encode([true[0], other]))
        found = is_read(desk, "p.txt", "--game", "new.json", game="new.json")
        assert "which the game already has" in found[0]
        (desk.folder / "copy.json").write_bytes(copy)
    for name in ("g3.json", "g4.json", "new.json", "game.pbem.json"):
        (desk.folder / name).unlink(missing_ok=True)
    with contextlib.chdir(desk.folder):
        assert folder.goes_to(true) == "copy.json"


def test_an_older_file_never_takes_the_place_of_a_newer_one(desk: Desk):
    (desk.folder / "new.json").write_bytes(raw(desk, "g4.json"))
    assert desk.refused(2, "read", "g2.json", "-o", "new.json") == (
        "new.json: the existing file goes further: to entry 4; this one goes to entry 2\n"
        "      hint: you already have the newer one; to keep both, use another name with -o\n"
    )


def test_a_file_that_changes_meanwhile_is_not_replaced(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    (desk.folder / "new.json").write_bytes(raw(desk, "g2.json"))
    stage = files._beside

    def meanwhile(*given: object):
        (desk.folder / "new.json").write_bytes(b"mine")
        return stage(*given)

    monkeypatch.setattr(files, "_beside", meanwhile)
    assert desk.pbem("read", "g4.json", "-o", "new.json").code == 2
    assert raw(desk, "new.json") == b"mine"
    assert not list(desk.folder.glob(".new.json.*"))
