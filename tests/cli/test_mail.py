"""pbem mail: a message that its owner sends, or a block to paste."""

from __future__ import annotations

import email.policy
import gzip
import json
import re
from datetime import UTC, datetime
from email.message import EmailMessage
from pathlib import Path

import pytest

from pbem.cli import pictures
from pbem.gamefile import format
from pbem.mail import armour
from tests.cli.desk import Desk, begin
from tests.replays.campaign import facts_of

REPLAYS = Path(__file__).parents[1] / "replays" / "crusade"

NAME = r"crusade_[0-9a-f]{8}-01-003-a2b"


def opened(desk: Desk, name: str) -> EmailMessage:
    raw = (desk.folder / name).read_bytes()
    found = email.message_from_bytes(raw, policy=email.policy.default)
    assert isinstance(found, EmailMessage)
    return found


def body(message: EmailMessage) -> str:
    part = message.get_body(("plain",))
    assert part is not None
    return str(part.get_content()).replace("\r\n", "\n")


def test_a_mail_says_what_happened_and_who_is_to_write(desk: Desk):
    out = desk.done("mail", "g3.json", "--to", "Beto <beto@example.org>", "-o", "m.eml")
    message = opened(desk, "m.eml")
    assert message["To"] == "Beto <beto@example.org>"
    subject = str(message["Subject"])
    assert re.fullmatch(r"\[pbem\] Crusade and Revolution \([0-9a-f]{8}\)", subject)
    assert [message[name] for name in ("From", "Message-ID", "Cc", "Bcc")] == [None] * 4
    text = body(message)
    assert text.startswith("Turn 1, entry 3: Republican to write.\n\nCrusade and Revolution")
    assert "The Nationalists attack Riotinto from Huelva and Sevilla" in text
    assert "\n\nTo write: Republican: roll the dice.\n\nGame " in text
    status = json.loads(desk.done("status", "g3.json", "--json"))
    assert f"\nGame {status['fingerprint']}, entry 3.\n" in text
    words = re.search(r"^in words: (.*)$", desk.done("status", "g3.json"), re.M)
    assert words and f"\nIn words: {words[1]}.\n" in text
    (attached,) = message.iter_attachments()
    assert attached.get_content_type() == "application/octet-stream"
    assert re.fullmatch(NAME + r"\.pbem\.json", attached.get_filename() or "")
    assert attached.get_content() == (desk.folder / "g3.json").read_bytes()
    assert out == (
        f"to: Beto <beto@example.org>\nsubject: {subject}\n"
        f"attached: {attached.get_filename()}\nwritten: m.eml\n"
        "open it with your mail program and send it from there\n"
    )


def test_who_mails_a_game_without_an_answer_is_told(desk: Desk):
    desk.done("init", "--key", "beto.key")
    result = desk.pbem("mail", "g3.json", "-o", "m.eml")
    assert result.code == 0 and result.err == (
        "note: it is your turn to write, and this mail only sends back what came; "
        "pbem turn g3.json writes your answer first\n"
    )
    assert desk.pbem("mail", "g4.json", "-o", "again.eml").err == ""


def test_who_has_written_or_has_no_key_is_told_nothing(desk: Desk):
    assert desk.pbem("mail", "g3.json", "-o", "stranger.eml").err == ""
    desk.done("init", "--key", "ana.key")
    assert desk.pbem("mail", "g3.json", "-o", "m.eml").err == ""
    (desk.folder / "ana.key").unlink()
    assert desk.pbem("mail", "g3.json", "-o", "lost.eml").code == 0


def test_the_same_game_is_the_same_mail(desk: Desk):
    desk.done("mail", "g3.json", "--date", "2026-11-21T18:30", "-o", "one.eml")
    desk.done("mail", "g3.json", "--date", "2026-11-21T18:30", "-o", "two.eml")
    assert (desk.folder / "one.eml").read_bytes() == (desk.folder / "two.eml").read_bytes()
    assert opened(desk, "one.eml")["To"] is None


def test_the_name_comes_from_the_chain(desk: Desk):
    out = desk.done("mail", "g3.json")
    assert out.startswith("to: not filled in yet; your mail program asks for it, or use --to\n")
    assert re.search(rf"^written: {NAME}\.eml$", out, re.M)


def test_a_mail_to_a_mistyped_address_is_written_again(desk: Desk):
    """A file is replaced only if nothing but the recipient and the date differs."""
    desk.done("mail", "g3.json", "--to", "beto@exmaple.org")
    told = desk.done("mail", "g3.json", "--to", "beto@example.org")
    (name,) = [line[9:] for line in told.splitlines() if line.startswith("written: ")]
    assert opened(desk, name)["To"] == "beto@example.org"
    named = ("mail", "g3.json", "-o", "m.eml", "--to")
    desk.done(*named, "Jos\u00e9 Luis Rodr\u00edguez Zapatero, the elder of two (home) <j@x.org>")
    desk.done(*named, "b@x.org", "--date", "2026-01-02")
    assert opened(desk, "m.eml")["To"] == "b@x.org"
    desk.write(name, (desk.folder / name).read_text().replace("Game ", "My dear, game "))
    err = desk.refused(2, "mail", "g3.json", "--to", "beto@example.net")
    assert "already exists, with different content" in err


def test_a_mail_to_oneself_is_noted_and_written(keys: Desk):
    """Two players may share an address; the next mail without --to goes there, too."""
    begin(keys)
    keys.done("init", "--key", "ana.key", "--mail", "ana@example.org")
    for number, words in enumerate((("--to", "ana@example.org"), (), ("--to", "b@example.org"))):
        result = keys.pbem("mail", "g2.json", *words, "-o", f"{number}.eml")
        assert result.code == 0
        noted = "note: ana@example.org is your own address, by pbem.toml" in result.err
        assert noted is (number < 2), result


def test_a_mail_has_a_date(desk: Desk):
    """Without one, some programs show 1970."""
    desk.done("mail", "g3.json", "--date", "2026-11-21T18:30:00+01:00", "-o", "m.eml")
    assert opened(desk, "m.eml")["Date"] == "Sat, 21 Nov 2026 18:30:00 +0100"
    for words in ((), ("--date", "now")):
        desk.done("mail", "g3.json", *words, "-o", "now.eml")
        written = opened(desk, "now.eml")["Date"].datetime
        assert abs((datetime.now(UTC) - written).total_seconds()) < 60


def test_the_mails_of_a_game_are_one_thread(desk: Desk):
    """By what they answer, by the subject where a webmail looks at that, in either language."""
    names = [f"g{number}.json" for number in range(5)]
    for name in names:
        desk.done("mail", name, "-o", f"{name}.eml")
    desk.done("mail", "g3.json", "--lang", "es", "-o", "es.eml")
    mails = [opened(desk, name) for name in (*(f"{name}.eml" for name in names), "es.eml")]
    for field in ("Subject", "In-Reply-To", "References"):
        (one,) = {str(mail[field]) for mail in mails}
        assert one
    assert re.fullmatch(r"<[0-9a-f]{8}\.[0-9a-f]{24}@pbem\.invalid>", mails[0]["References"])
    desk.done("mail", "solo.json", "-o", "other.eml")
    assert opened(desk, "other.eml")["References"] != mails[0]["References"]


@pytest.mark.parametrize("lang", ["en", "es"])
def test_no_line_of_the_text_is_wider_than_mail_programs_keep_it(desk: Desk, lang: str):
    desk.write(
        "said.yaml",
        "say: " + "No pasar\u00e1n " * 30 + "\norders:\n  - play: {card: N1, for: event}\n",
    )
    desk.done("apply", "g2.json", "said.yaml", "--key", "ana.key", "-o", "said.json")
    for name in ("g0.json", "g1.json", "g2.json", "g3.json", "g4.json", "said.json", "solo.json"):
        assert desk.pbem("mail", name, "--lang", lang, "-o", f"{lang}{name}.eml").code == 0
        lines = body(opened(desk, f"{lang}{name}.eml")).split("\n")
        assert max(map(len, lines)) <= 72, [line for line in lines if len(line) > 72]


def test_what_is_piped_into_a_program_is_no_draft(desk: Desk):
    assert "X-Unsent" not in desk.done("mail", "g3.json", "-o", "-")
    desk.done("mail", "g3.json", "-o", "m.eml")
    assert opened(desk, "m.eml")["X-Unsent"] == "1"


def test_json(desk: Desk):
    found = json.loads(
        desk.done("mail", "g3.json", "--to", "b@example.org", "-o", "m.eml", "--json")
    )
    assert found["file"] == "m.eml" and found["to"] == "b@example.org"
    assert found["subject"] == opened(desk, "m.eml")["Subject"]
    found = json.loads(desk.done("mail", "g3.json", "--armor", "--json"))
    assert armour.decode(found["armor"]).last == 3


@pytest.mark.parametrize("name, who", [
    ("g0.json", "Entry 0: Republican to write."), ("g1.json", "Entry 1: Nationalist to write."),
    ("g2.json", "Turn 1, entry 2: Nationalist to write."),
    ("g4.json", "Turn 1, entry 4: Nationalist to write."),
    ("solo.json", "Turn 1, entry 3: Nationalist to write."),
])  # fmt: skip
def test_every_stage_of_a_game_can_be_mailed(desk: Desk, name: str, who: str):
    desk.done("mail", name, "-o", "m.eml")
    message = opened(desk, "m.eml")
    assert body(message).startswith(f"{who}\n\n")
    assert ("solo: one person plays both sides" in body(message)) is (name == "solo.json")
    assert desk.done("read", "m.eml", "-o", "back.json")
    assert (desk.folder / "back.json").read_bytes() == (desk.folder / name).read_bytes()


def test_a_whole_campaign_that_is_over(desk: Desk):
    """It is packed, comes back byte for byte, and each of its entries makes a short block."""
    packed, entries = (REPLAYS / "campaign.pbem.json.gz").read_bytes(), facts_of()["entries"]
    (desk.folder / "whole.json.gz").write_bytes(packed)
    desk.done("mail", "whole.json.gz", "-o", "m.eml")
    message = opened(desk, "m.eml")
    assert f"entry {entries - 1}: the game is over.\n" in body(message)
    winner, _ = facts_of()["result"]
    ends = "a draw" if winner == "draw" else f"the {winner.capitalize()} player wins"
    assert f"\nThe game is over: {ends}.\n" in body(message)
    (attached,) = message.iter_attachments()
    assert (attached.get_filename() or "").endswith(".pbem.json.gz")
    desk.done("read", "m.eml", "-o", "back.json")
    raw = (desk.folder / "back.json").read_bytes()
    assert raw == gzip.decompress(packed)
    sizes = [len(armour.encode([entry])) for entry in format.read(raw)]
    assert len(sizes) == entries and max(sizes) < 2000 and sum(sizes) / len(sizes) < 1000


def test_a_large_game_is_packed(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pbem.mail.outgoing.PLAIN_LIMIT", 1000)
    desk.done("mail", "g3.json", "-o", "m.eml")
    (attached,) = opened(desk, "m.eml").iter_attachments()
    assert (attached.get_filename() or "").endswith(".pbem.json.gz")
    raw = (desk.folder / "g3.json").read_bytes()
    assert gzip.decompress(attached.get_content()) == raw
    desk.done("read", "m.eml", "-o", "back.json")
    assert (desk.folder / "back.json").read_bytes() == raw


def test_words_that_look_like_a_block_are_none(desk: Desk):
    """What a player says cannot pass for an armour in the mail that tells it."""
    said = f"{armour.BEGIN} and {armour.END}"
    desk.write("orders.yaml", f"say: '{said}'\norders:\n  - play: {{card: N1, for: event}}\n")
    desk.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "said.json")
    desk.done("mail", "said.json", "--armor", "-o", "m.eml")
    assert armour.blocks_in(body(opened(desk, "m.eml"))) == 1


# --- armour -------------------------------------------------------------------------------------


def test_the_block_alone_is_printed(desk: Desk):
    out = desk.done("mail", "g3.json", "--armor")
    block = armour.decode(out)
    entries = format.read((desk.folder / "g3.json").read_bytes())
    assert (block.first, block.last) == (2, 3) and list(block.entries) == entries[2:]
    assert out.startswith(armour.BEGIN + "\n") and out.endswith(armour.END + "\n")
    assert armour.decode(desk.done("mail", "g4.json", "--armor")).first == 4
    assert armour.decode(desk.done("mail", "g0.json", "--armor")).first == 0
    assert armour.decode(desk.done("mail", "g4.json", "--armor", "--after", "0")).first == 1
    assert armour.decode(desk.done("mail", "solo.json", "--armor")).first == 3


def test_the_block_stands_below_the_text_of_every_mail(desk: Desk):
    """A forward, a quote, a pipe or a program without attachments still carries the game."""
    for name in ("g0.json", "g1.json", "g3.json", "solo.json"):
        desk.done("mail", name, "-o", f"{name}.eml")
        message = opened(desk, f"{name}.eml")
        assert body(message).endswith("\n\n" + desk.done("mail", name, "--armor"))
        assert len(list(message.iter_attachments())) == 1
    desk.done("mail", "g4.json", "--armor", "--after", "1", "-o", "more.eml")
    assert armour.decode(body(opened(desk, "more.eml"))).first == 2


def test_the_text_alone_carries_the_game(desk: Desk):
    desk.done("mail", "g3.json", "-o", "m.eml")
    text = "".join(f"> {line}\n" for line in body(opened(desk, "m.eml")).split("\n"))
    desk.write("quoted.txt", f"Ana wrote:\n{text}")
    desk.done("read", "quoted.txt", "--game", "g1.json", "-o", "back.json")
    assert (desk.folder / "back.json").read_bytes() == (desk.folder / "g3.json").read_bytes()


def test_a_block_that_would_drown_the_mail_is_left_out(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("pbem.mail.outgoing.LONGEST_BLOCK", 1000)
    desk.done("mail", "g3.json", "-o", "m.eml")
    assert armour.BEGIN not in body(opened(desk, "m.eml"))
    desk.done("read", "m.eml", "-o", "back.json")


def test_the_block_of_an_entry_is_small(desk: Desk):
    """An entry with orders and a reveal, and one that answers: below two kilobytes."""
    for game, after in (("g3.json", "2"), ("g4.json", "3")):
        assert len(desk.done("mail", game, "--armor", "--after", after)) < 2000


# --- what is refused ----------------------------------------------------------------------------


@pytest.mark.parametrize("to", [
    "beto", "a@b, c@d", "a@b\nBcc: eve@example.org", "Beto <a@b>\r\nBcc: e@f", "a@b\0", "",
    "=?utf-8?q?=0ABcc=3A_e=40f?= <a@b>",
])  # fmt: skip
def test_an_address_that_is_none(desk: Desk, to: str):
    err = desk.refused(2, "mail", "g3.json", "--to", to, "-o", "m.eml")
    assert "one address is needed" in err or "cannot be seen" in err or "not closed" in err


def test_wrong_usage(desk: Desk):
    assert "--after can be used only together with --armor" in desk.refused(
        2, "mail", "g3.json", "--after", "1", "-o", "m.eml"
    )
    assert "the last entry is 3" in desk.refused(2, "mail", "g3.json", "--armor", "--after", "3")
    assert "write it as 2026-11-21T18:30, or now" in desk.refused(
        2, "mail", "g3.json", "--date", "soon", "-o", "m.eml"
    )


def test_a_bad_game_is_not_mailed_and_no_file_is_overwritten(desk: Desk):
    raw = (desk.folder / "g3.json").read_bytes()
    (desk.folder / "bad.json").write_bytes(raw.replace(b"riotinto", b"huelva", 1))
    assert "bad.json: entry 3: does not match" in desk.refused(3, "mail", "bad.json", "-o", "m.eml")
    err = desk.refused(2, "mail", "g3.json", "-o", "g2.json")
    assert "this file already exists" in err


def test_a_mail_has_a_picture_of_the_board(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    """What the renderer makes of it; that it makes a PNG, test_show tells."""
    pytest.importorskip("resvg_py")
    png = b"\x89PNG\r\n of the board"
    drawn: list[str] = []
    monkeypatch.setattr("resvg_py.svg_to_bytes", lambda svg_string: drawn.append(svg_string) or png)
    out = desk.done("mail", "g3.json", "--picture", "-o", "m.eml")
    assert "written: m.eml" in out
    [shown] = [
        part for part in opened(desk, "m.eml").walk() if part.get_content_type() == "image/png"
    ]
    assert shown.get_content() == png and drawn[0].startswith("<svg")
    assert shown.get_content_disposition() == "inline"
    assert re.fullmatch(f"{NAME}.png", str(shown.get_filename()))
    desk.done("read", "m.eml", "-o", "back.json")
    assert (desk.folder / "back.json").read_bytes() == (desk.folder / "g3.json").read_bytes()


def test_a_proposal_has_no_board_to_draw(desk: Desk):
    told = desk.refused(1, "mail", "g0.json", "--picture", "-o", "m.eml")
    assert "there is no board yet" in told


def test_a_picture_needs_its_renderer(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(pictures, "RENDERER", "no_such_renderer")
    told = desk.refused(1, "mail", "g3.json", "--picture", "-o", "m.eml")
    assert "pip install 'pbem[picture]'" in told
