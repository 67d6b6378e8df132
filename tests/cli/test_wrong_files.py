"""What a newcomer gives by mistake is called what it is; an old file is noticed without a key."""

from __future__ import annotations

import pytest

from tests.cli.desk import Desk

KINDS = {
    "orders.yaml": ("an orders file", "pbem apply GAME orders.yaml"),
    "form.yaml": ("an orders file", "pbem apply GAME form.yaml"),
    "m.eml": ("a message", "pbem read m.eml"),
    "paste.txt": ("a pasted block of entries", "pbem read paste.txt --game GAME"),
    "ana.key": ("a private key", "--key takes it"),
    "ana.key.pub": ("a public key", "pbem new --opponent takes it"),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("command", ["status", "verify", "apply"])
def test_a_wrong_file_is_called_what_it_is(desk: Desk, name: str, command: str) -> None:
    desk.orders("play: {card: N1, for: event}")
    desk.done("form", "g2.json", "-o", "form.yaml")
    desk.done("mail", "g4.json", "-o", "m.eml")
    desk.write("paste.txt", desk.done("mail", "g4.json", "--armor"))
    what, takes = KINDS[name]
    key = ("--key", "beto.key") if command == "apply" else ()
    told = desk.refused(2, command, name, *key)
    assert told.startswith(f"{name}: this is {what}, and a game file is wanted here\n")
    assert f"hint: {takes}" in told


@pytest.mark.parametrize("words", [("status", "g2.json"), ("read", "g2.json", "-o", "n.json"),
                                   ("form", "g2.json")])  # fmt: skip
def test_an_old_file_is_noticed_without_a_key(desk: Desk, words: tuple[str, ...]) -> None:
    assert "warning" not in desk.pbem(*words).err
    (desk.folder / "n.json").unlink(missing_ok=True)
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "again.json")
    found = desk.pbem(*words)
    assert found.code == 0 and "warning: " in found.err, found


def test_no_form_of_a_finished_game(desk: Desk) -> None:
    desk.done("resign", "g4.json", "--key", "ana.key", "-o", "over.json")
    for key in ((), ("--key", "ana.key"), ("--key", "beto.key")):
        told = desk.refused(1, "form", "over.json", *key)
        assert told.startswith("over.json: the game is over, and no orders are asked for any more")


def test_a_form_takes_the_place_of_an_earlier_one_that_nobody_edited(desk: Desk) -> None:
    form = desk.folder / "form.yaml"
    desk.done("form", "g2.json", "-o", "form.yaml")
    first = form.read_text()
    desk.done("form", "solo.json", "-o", "form.yaml")
    assert form.read_text() != first
    form.write_text(form.read_text() + "# mine\n")
    told = desk.refused(2, "form", "g2.json", "-o", "form.yaml")
    assert "there is such a file already, with other content" in told
