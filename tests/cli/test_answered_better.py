"""What players type that is nearly right, and what they are told then."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pbem.cli import choices
from pbem.engine.model import Side
from pbem.orders.bind import unknown_names
from pbem.orders.parse import parse
from pbem.play.systems import opened
from pbem.play.table import open_table
from pbem.text.source import Source
from tests.cli.desk import CHAPTER24, Desk

ORDERS = CHAPTER24 / "01-nationalist.yaml"


@pytest.mark.parametrize("command", ["check", "odds", "apply"])
def test_orders_are_taken_by_the_word_that_turn_has_for_them(desk: Desk, command: str) -> None:
    key = ("--key", "beto.key", "-o", "n.json") if command == "apply" else ("--key", "beto.key")
    told = desk.pbem(command, "solo.json", str(ORDERS), *key)
    (desk.folder / "n.json").unlink(missing_ok=True)
    again = desk.pbem(command, "solo.json", "--orders", str(ORDERS), *key)
    assert told == again
    both = desk.refused(2, command, "solo.json", str(ORDERS), "--orders", str(ORDERS))
    assert "ORDERS and --orders name the same thing" in both


def documents(folder: Path) -> dict[str, str]:
    with zipfile.ZipFile(folder / "orders.docx", "w") as packed:
        packed.writestr("[Content_Types].xml", "<x/>")
        packed.writestr("word/document.xml", "<w/>")
    (folder / "large.docx").write_bytes((folder / "orders.docx").read_bytes() + bytes(70_000))
    (folder / "orders.odt").write_bytes(
        b"PK\3\4" + bytes(22) + b"mimetypeapplication/vnd.oasis.opendocument.text"
    )
    (folder / "orders.doc").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600))
    (folder / "orders.rtf").write_bytes(rb"{\rtf1\ansi orders: }")
    (folder / "orders.pdf").write_bytes(b"%PDF-1.4\n")
    (folder / "orders.html").write_bytes(b"<!DOCTYPE html><p>orders:")
    return {
        "orders.docx": "a Word document", "large.docx": "a Word document",
        "orders.doc": "a Word document", "orders.odt": "an OpenDocument text",
        "orders.rtf": "a document with formats (.rtf)", "orders.pdf": "a PDF",
        "orders.html": "a page for a browser",
    }  # fmt: skip


def test_orders_written_with_a_program_for_letters_are_named(desk: Desk) -> None:
    for name, what in documents(desk.folder).items():
        for command in ("check", "apply"):
            told = desk.refused(2, command, "solo.json", name)
            assert told.startswith(f"{name}: this is {what}, not an orders file\n"), told
            assert "save it as plain text" in told
        for command in (
            "check",
            "odds",
        ):  # the only file that is named, where a game can be left out
            told = desk.refused(2, command, name)
            assert told.startswith(f"{name}: this is {what}, not an orders file\n"), told


def test_standing_orders_under_another_name_are_told_as_unread(desk: Desk) -> None:
    for name in ("standing.yml", "Standing.yaml", "standing.yaml.txt"):
        desk.write(name, "standing: {}\n")
        told = desk.pbem("status", "solo.json")
        assert told.code == 0
        for words in (("check", "g4.json", str(ORDERS)), ("apply", "g4.json", str(ORDERS))):
            err = (
                desk.pbem(*words, "--key", "ana.key", "-o", "new.json").err
                if (words[0] == "apply")
                else desk.pbem(*words, "--key", "ana.key").err
            )
            assert f"note: {name} is not read: the name is standing.yaml" in err, (words, err)
        (desk.folder / name).unlink()


PROSE = (
    "Dear Beto,\nI attack Madrid with everything.\n",
    "orders:\n  - Move INF-4 from Leon to Oviedo\n  - and play the event, please\n",
)


@pytest.mark.parametrize("prose", PROSE)
def test_plain_english_is_answered_with_a_line_that_is_legal(desk: Desk, prose: str) -> None:
    (desk.folder / "orders.yaml").write_text(prose)
    told = desk.refused(1, "check", "solo.json", "orders.yaml")
    assert told.count("such as - ") == 1
    line = told.partition("such as - ")[2].partition("\n")[0]
    (desk.folder / "orders.yaml").write_text(f"orders:\n  - {line}\n")
    desk.done("check", "solo.json", "orders.yaml")


def test_a_sentence_that_begins_with_a_verb_is_answered_with_its_fields(desk: Desk) -> None:
    (desk.folder / "orders.yaml").write_text("orders:\n  - attack Riotinto with everything\n")
    told = desk.refused(1, "check", "solo.json", "orders.yaml")
    lead, line = told.split("; legal now is, for example, - ")
    assert lead.endswith("hint: write it as: - attack: {space: ..., units: ...}")
    (desk.folder / "orders.yaml").write_text(f"orders:\n  - {line}")
    desk.done("check", "solo.json", "orders.yaml")


def test_whoever_does_not_resign_after_all_has_done_nothing_wrong(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(choices, "agreed", lambda question: False)
    before = desk.files()
    told = desk.done("resign", "g4.json", "--key", "ana.key")
    assert told == "nothing was signed: you play on\n"
    assert desk.files() == before


def test_behind_ones_own_claim_a_resignation_is_told_when_it_can_come(desk: Desk) -> None:
    desk.pbem("claim", "g4.json", "--key", "beto.key", "-o", "claim.json")
    told = desk.refused(1, "resign", "claim.json", "--key", "beto.key", "--yes", "-o", "r.json")
    assert "send it, if you have not, and do this when their answer is there" in told


def test_a_claim_against_whoever_has_resigned_is_past(desk: Desk) -> None:
    desk.pbem("claim", "g4.json", "--key", "beto.key", "-o", "claim.json")
    assert "sending it ends the claim" in desk.pbem("status", "claim.json").out
    told = desk.pbem("resign", "claim.json", "--key", "ana.key", "--yes", "-o", "r.json").out
    assert "ends the claim" not in told


@pytest.mark.parametrize(
    "order, hint",
    [
        ("finish", "did you mean done?"), ("pass", "did you mean done?"),
        ("resign", "that is no order but a command: pbem resign"),
        ("draw", "that is no order but a command: pbem offer draw"),
        ("draw: {}", "that is no order but a command: pbem offer draw"),
        ("takeback", "that is no order but a command: pbem offer takeback"),
        ("offer", "that is no order but a command: pbem offer"),
        ("accept", "that is no order but a command: pbem answer"),
        ("decline", "that is no order but a command: pbem answer"),
        ("combat_card: N5",
         "orders you can give now: play, such as - play: {card: N1, for: event}"),
    ],
)  # fmt: skip
def test_a_word_that_is_no_order_has_one_hint(desk: Desk, order: str, hint: str) -> None:
    desk.write("o.yaml", f"orders:\n  - {order}\n")
    told = desk.refused(1, "check", "g2.json", "o.yaml", "--key", "ana.key")
    assert told.endswith(f"      hint: {hint}\n"), told


def test_standing_orders_say_what_may_be_written_and_one_slip_is_one_problem(desk: Desk) -> None:
    desk.write("standing.yaml", "standing:\n  retreat: to Madrid\n  losses: TANK\n")
    told = desk.refused(1, "check", "g2.json", str(ORDERS), "--key", "ana.key")
    assert "hint: it may be toward_supply, toward_<space> or one of in_supply," in told
    assert "hint: write for example losses: [MIL, POL, INF]\n" in told
    desk.write("standing.yaml", "standing:\n  loses: [MIL]\n")
    told = desk.refused(1, "check", "g2.json", str(ORDERS), "--key", "ana.key")
    assert "did you mean losses?" in told and "no line 'game:'" not in told


def test_a_file_is_named_in_a_hint_as_it_was_in_the_command(desk: Desk) -> None:
    (desk.folder / "m").mkdir()
    desk.write("m/00_ok.yaml", "orders:\n  - done\n")
    assert "--orders m/00_ok.yaml" in desk.refused(2, "turn", "m/00_ok.yaml", "--key", "ana.key")


@pytest.mark.parametrize(
    "words, told",
    [
        (("--lang", "es", "status"), "del comando: pbem status --lang es"),
        (("nwe",), "there is no command 'nwe'; did you mean 'new'?"),
        (("key", "fingerprint"), "there is no command 'fingerprint' here; it may be export,"),
        (("show", "Río", "Tinto"), "a name of two words goes into quotes: pbem show 'Río Tinto'\n"),
        (("show", "box", "4"), "a name of two words goes into quotes: pbem show 'box 4'\n"),
        (("odds", "g2.json", "riotinto"), "there is no file riotinto; odds takes a file of ord"),
        (("contacts", "forgt"), "there is no command 'forgt'; did you mean 'forget'?"),
    ],
)
def test_a_call_that_is_nearly_right_is_told_as_it_should_be(
    desk: Desk, words: tuple[str, ...], told: str
) -> None:
    assert told in desk.refused(2, *words)


def test_what_an_order_cannot_name_is_told_for_what_it_is(desk: Desk) -> None:
    desk.done("solo", "madrid", "campaign", "--seed", "a", "-o", "madrid.json")
    desk.write("o.yaml", "orders:\n  - attack: {units: [I], losses: [spent]}\n")
    told = desk.pbem("check", "madrid.json", "o.yaml").err
    assert "'spent' is a kind of unit, and an order names units\n" in told
    assert "kinds go below 'standing:', as in own: {losses: [spent, line]}\n" in told


@pytest.mark.parametrize(
    "side, chit, told",
    [("nationalist", "CR1", "Republican"), ("republican", "cn1", "Nationalist")],
)
def test_a_chit_of_the_enemy_is_told_as_theirs(side: str, chit: str, told: str) -> None:
    system = opened("madrid").system
    state = open_table(
        system, "campaign", frozenset(), {"A": "nationalist", "B": "republican"}
    ).state
    names = system.names(state, Side(side), None, answering=False)
    file = parse(Source("o.yaml", f"orders:\n  - play: {{chit: {chit}}}\n"), system.verbs)
    assert [str(each.message) for each in unknown_names(file, names)] == [
        f"{chit.upper()} is a {told} chit"
    ]


def test_an_event_that_activates_too_little_is_not_said_to_lack_points(desk: Desk) -> None:
    play = "orders:\n  - play: {card: N1, for: event}\n"
    desk.write("o.yaml", f"{play}  - activate: {{move: [sevilla, lugo, leon]}}\n")
    told = desk.pbem("check", "solo.json", "o.yaml").err
    assert "the event activates only Sevilla and 1 more" in told and "points" not in told
