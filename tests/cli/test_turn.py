"""pbem turn: a game from mail to mail, one command for each, and every point where it may stop."""

from __future__ import annotations

import io
import os
import re
import shutil
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from pathlib import Path
from typing import Any

import click
import pytest

from pbem.cli import choices, files, turn
from pbem.cli.group import run
from pbem.gamefile.keys import KeyPair, private_file
from pbem.messages import Said
from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk, begin

ORDERS = (CHAPTER24 / "01-nationalist.yaml").read_text(encoding="utf-8")


def written(told: str, ending: str) -> str:
    """The last file with such a name that was written."""
    return re.findall(rf"^written: (\S+{re.escape(ending)})$", told, re.M)[-1]


@pytest.fixture
def asked(keys: Desk) -> Desk:
    """A game, g2.json, that asks Ana for her first orders."""
    begin(keys, "--option", "example_hands")
    return keys


def test_a_new_form_is_compared_with_no_other_name(
    asked: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is misspelt, and the folder of a long game has hundreds of names."""
    monkeypatch.setattr(files, "closest", lambda name, known: pytest.fail(name))
    asked.done("turn", "g2.json", "--key", "ana.key")
    (asked.folder / "g2.orders.yaml").unlink()
    asked.done("turn", "g2.json", "--key", "ana.key")


def test_two_players_go_from_mail_to_mail(asked: Desk, tmp_path: Path) -> None:
    """Ana orders, Beto rolls: each gives what came and their key, and sends what is written."""
    told = asked.done("turn", "g2.json", "--key", "ana.key")
    form = written(told, ".yaml")
    assert form == "g2.orders.yaml" and told.endswith(
        "fill in g2.orders.yaml, then: pbem turn g2.json --key ana.key\n"
    )
    asked.write(form, ORDERS)
    told = asked.done("turn", "g2.json", "--key", "ana.key", "--yes", "--to", "b@example.org")
    mail = written(told, ".eml")
    assert "open it with your mail program" in told

    with pytest.MonkeyPatch.context() as patch:
        (tmp_path / "beto").mkdir()
        beto = at_home(tmp_path / "beto", patch)
        for name in (mail, "beto.key"):
            shutil.copy(asked.folder / name, beto.folder / name)
        told = beto.done("turn", mail, "--key", "beto.key", "--no-record", "--yes")
        again = re.findall(r"then: pbem (.*)$", told, re.M)[-1].split()
        beto.orders("play: {card: R11, for: event}", name=written(told, ".yaml"))
        answer = beto.done(*again, "--no-record", "--yes")
    assert "The Nationalists attack" in told and "Beacon 1 gives" in answer
    ahead = told.partition("What comes before your orders")[2]
    assert "Beacon 1 gives" in ahead and "The Nationalists fire" in ahead, "whoever asks says why"
    assert "\nsubject: " in answer and written(answer, ".eml") != mail


def test_no_mail_is_written_while_it_is_still_the_same_turn(keys: Desk) -> None:
    """Who begins Madrid is to place the units in the very next entry."""
    keys.done("new", "madrid", "scenario_1", "--side", "republican", "--key", "ana.key",
              "--opponent", "beto.key.pub", "-o", "g0.json")  # fmt: skip
    keys.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    told = keys.done("turn", "g1.json", "--key", "ana.key", "--yes", "--to", "b@example.org")
    assert "it is still your turn\n" in told and ".eml" not in told
    assert "pbem turn" in told and "pbem apply" not in told and "pbem form" not in told
    assert re.search(r"then: pbem turn \S+ --key ana.key\n$", told)
    assert "your mails to beto go to b@example.org from now on\n" in told
    assert keys.done("contacts").split("\n")[0].endswith("  b@example.org"), "no mail was written"


def test_nothing_is_signed_before_the_player_says_yes(asked: Desk) -> None:
    """What would be signed is shown: the file may have come with a mail."""
    asked.write("g2.orders.yaml", f"{ORDERS}say: I resign\n")
    before = asked.files()
    told = asked.done("turn", "g2.json", "--key", "ana.key")
    assert "3 orders are legal" in told and "\n  say: I resign\n" in told
    assert told.endswith("nothing was signed; to sign: pbem turn g2.json --key ana.key --yes\n")
    assert asked.files() == before


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        (f"{ORDERS}say: |\n  well played\n  # I resign\n", "  # I resign"),
        ('{say: "well played\n# ", orders: [{play: {card: N1, for: event}}]}\n', '# ", orders: ['),
    ],
)
def test_a_line_of_a_text_that_looks_like_a_comment_is_shown(
    asked: Desk, text: str, hidden: str
) -> None:
    asked.write("g2.orders.yaml", f"# a comment\n{text}")
    told = asked.done("turn", "g2.json", "--key", "ana.key")
    assert f"\n  {hidden}" in told and "well played" in told
    asked.write("g2.orders.yaml", f"# a comment\n{ORDERS}say: well played\n")
    assert "# a comment" not in asked.done("turn", "g2.json", "--key", "ana.key")


def test_an_old_file_that_needs_no_orders_names_the_newer_one_and_leads_no_further(
    asked: Desk,
) -> None:
    """Nothing is told of it, and it ends as `pbem apply` does. If the newer one is lost, the same
    answer is written again.
    """
    told = asked.refused(3, "turn", "g1.json", "--key", "ana.key")
    assert told == (
        "g1.json: entry 2: you have already seen this game up to entry 2, and this file ends "
        "earlier\n      hint: g2.json goes further, to entry 2; go on with: pbem turn g2.json "
        "--key ana.key\n"
    )
    assert asked.pbem("apply", "g0.json", "--key", "ana.key", "-o", "n.json").code == 3
    signed = (asked.folder / "g2.json").read_bytes()
    (asked.folder / "g2.json").unlink()
    lost = asked.pbem("turn", "g1.json", "--key", "ana.key")
    assert lost.err.startswith("g1.json: warning: entry 2: you have already seen this game")
    assert lost.out.endswith("to sign: pbem turn g1.json --key ana.key --yes\n")
    name = written(asked.pbem("turn", "g1.json", "--key", "ana.key", "--yes").out, ".json")
    assert (asked.folder / name).read_bytes() == signed


def test_what_was_answered_before_is_not_asked_again(asked: Desk) -> None:
    """If the file is lost, it is said how it is written again."""
    asked.write("o.yaml", ORDERS)
    asked.done("mail", "g2.json", "--to", "a@example.org", "-o", "old.eml")
    asked.done("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "g3.json")
    again = ("turn", "g2.json", "--key", "ana.key", "--orders", "o.yaml")
    check = ("check", "g2.json", "o.yaml", "--key", "ana.key")
    for words in (("turn", "g2.json", "--key", "ana.key"), again, check,
                  ("turn", "old.eml", "--key", "ana.key")):  # fmt: skip
        told = asked.pbem(*words)
        assert (told.code, told.out) == (3, ""), "neither what is past nor a verdict on orders"
        assert "entry 3: you have already seen this game up to entry 3, and this" in told.err
        assert "hint: g3.json goes further, to entry 3; go on with: pbem turn g3.json" in told.err
    assert not list(asked.folder.glob("*.orders.yaml"))
    signed = (asked.folder / "g3.json").read_bytes()
    (asked.folder / "g3.json").unlink()
    asked.write("slip.yaml", ORDERS.replace("activate", "actuate"))
    for words in (again, check, again[:-2], (*again, "--yes"), (*again[:-1], "slip.yaml"),
                  (*check[:2], "slip.yaml", *check[3:])):  # fmt: skip
        told = asked.pbem(*words)
        assert (told.code, told.out) == (3, "")
        assert told.err.count("you have already seen this game") == 1
        assert "this writes it again: pbem apply g2.json --key ana.key\n" in told.err
    told = asked.pbem("turn", "old.eml", "--key", "ana.key")
    assert (told.code, told.out) == (3, "")
    assert "pbem read old.eml --key ana.key, then pbem apply " in told.err
    assert not list(asked.folder.glob("*.pbem.json")), "a refused mail leaves nothing behind"
    told = asked.pbem("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "same.json")
    assert "note: this is the same answer as before, written again\n" in told.out
    name = written(asked.done("apply", "g2.json", "--key", "ana.key"), ".json")
    for same in (name, "same.json"):
        assert (asked.folder / same).read_bytes() == signed
    told = asked.pbem("apply", "g2.json", "slip.yaml", "--key", "ana.key", "-o", "other.json")
    assert told.code == 3 and "you have already signed an answer to this position" in told.err


@pytest.mark.parametrize(("game", "player"), [("g0", "beto"), ("g1", "ana"), ("g2", "beto"),
                                              ("g2", "ana")])  # fmt: skip
def test_orders_that_nobody_asks_for_are_not_passed_over(keys: Desk, game: str, player: str):
    """Whoever names them thinks that they are sent."""
    begin(keys)
    shutil.rmtree(keys.folder / ".home")  # on a machine that saw no more than this file
    keys.orders("pass", name="o.yaml")
    before = keys.files()
    told = keys.pbem("turn", f"{game}.json", "--orders", "o.yaml", "--key", f"{player}.key",
                     "--yes", "--no-record")  # fmt: skip
    assert told.code == 1 and keys.files() == before
    assert "o.yaml: this file is not used: orders cannot be given now\n" in told.err


@pytest.mark.parametrize(("text", "said"), [
    ("orders: []\n", "the file has no orders yet\n      hint: next, you are asked to play a card"),
    ("say: hello\norders: []\n", "the file has no orders yet"),
    ("standing: {losses: [MIL]}\n", "these are standing orders, and you are asked for orders"),
])  # fmt: skip
def test_a_file_without_an_order_signs_nothing(desk: Desk, text: str, said: str):
    """Beto owes dice, too: they would be shown, and the entry be final."""
    desk.write("o.yaml", text)
    before = desk.files()
    told = desk.pbem("turn", "g3.json", "--orders", "o.yaml", "--key", "beto.key", "--yes",
                     "--no-record")  # fmt: skip
    assert told.code == 1 and desk.files() == before
    assert f"o.yaml: {said}" in told.err and "pbem apply without orders sends only" in told.err


def test_why_no_orders_can_be_given_says_whose_turn_it_is(keys: Desk):
    """Beto rolls, and nothing else: it is Beto who writes now, and then Ana."""
    begin(keys)
    told = keys.refused(1, "check", "g2.json", keys.orders("done"), "--key", "beto.key")
    assert "now: your next mail only has to roll the dice, and then the Nationalist player" in told


def test_who_has_nothing_to_write_is_told_so(asked: Desk) -> None:
    told = asked.done("turn", "g2.json", "--key", "beto.key")
    assert told.endswith("there is nothing for you to write now\n")


def test_whose_entry_is_the_last_is_told_how_it_is_sent(asked: Desk) -> None:
    """pbem apply writes no mail, and a mail can be lost."""
    asked.write("o.yaml", ORDERS)
    asked.done("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "g3.json")
    told = asked.done("turn", "g3.json", "--key", "ana.key", "--to", "b@example.org")
    assert told.endswith(
        "there is nothing for you to write now\n"
        "entry 3 is yours; if you have not sent it: pbem mail g3.json --to b@example.org\n"
    )


def test_an_old_mail_names_the_newer_file_that_is_there(asked: Desk) -> None:
    """Whoever opens the wrong mail owes something else, in another file."""
    asked.write("o.yaml", ORDERS)
    asked.done("mail", "g2.json", "--to", "a@example.org", "-o", "old.eml")
    asked.done("apply", "g2.json", "o.yaml", "--key", "ana.key", "-o", "g3.json")
    further = "g3.json goes further, to entry 3; go on with: pbem turn g3.json --key beto.key\n"
    for words in (("turn", "old.eml"), ("turn", "g2.json"), ("read", "old.eml")):
        told = asked.done(*words, "--key", "beto.key")
        assert told.endswith(further) and "nothing for you" not in told
    assert "further" not in asked.done("read", "old.eml", "--key", "beto.key", "--json")


@pytest.mark.parametrize(
    ("head", "age", "is_noted"),
    [
        ("From: Beto <b@example.org>\nSubject: Game\n", 1, True),
        ("From: Beto <b@example.org>\nSubject: Game\n", -1, False),
        ("From: Ana <a@example.org>\nSubject: Game\n", 1, False),
        ("From: Beto <b@example.org>\nX-Unsent: 1\nSubject: Game\n", 1, False),
        ("Hello Ana,\n", 1, False),
    ],
)
def test_a_mail_that_came_after_the_games_is_named(
    asked: Desk, head: str, age: int, is_noted: bool
) -> None:
    """Whoever saved it and forgot to name it would answer the old state of the game."""
    asked.write("the reply.eml", f"{head}\nHere is my turn.\n")
    asked.done("init", "--key", "ana.key", "--mail", "a@example.org")
    moment = max(each.stat().st_mtime for each in asked.folder.glob("g*.json")) + age
    os.utime(asked.folder / "the reply.eml", (moment, moment))
    for words in (("turn",), ("turn", "g2.json")):
        result = asked.pbem(*words)
        assert result.code in (0, 1)
        said = (
            "note: the reply.eml is newer than every game file here; if you have not read it yet: "
            "pbem turn 'the reply.eml'\n"
        )
        assert (said in result.err) is is_noted, result


def test_an_untouched_form_is_no_order(asked: Desk) -> None:
    asked.done("turn", "g2.json", "--key", "ana.key")
    told = asked.pbem("turn", "g2.json", "--key", "ana.key", "--yes")
    assert told.code == 1 and "g2.orders.yaml:" in told.err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("g2.json",), 2, "a game between two needs your key: --key FILE"),
        (("g2.json", "--key", "eve.key"), 1, "this key belongs to neither player"),
        (("ana.key.pub", "--key", "ana.key"), 2, "this is a public key"),
        (("nowhere.eml", "--key", "ana.key"), 2, "nowhere.eml"),
        (("g2.json", "--key", "ana.key", "--to", "nobody"), 2, "--to"),
    ],
)
def test_what_cannot_be_taken(asked: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    assert said in asked.refused(code, "turn", *words)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_in_a_terminal_an_editor_opens_until_the_orders_are_legal(
    asked: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:

    texts = [ORDERS.replace("riotinto", "riotnto"), ORDERS]
    asked_for: list[str] = []

    def edit(words: list[str], check: bool) -> None:
        """It is started without a shell: the opponent may have named the file."""
        assert words[:-1] == ["ed", "-s"]
        Path(words[-1]).write_text(texts.pop(0), encoding="utf-8")

    def confirm(question: Said, **_: Any) -> bool:
        asked_for.append(str(question))
        return True

    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.setenv("EDITOR", "ed -s")
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(turn.subprocess, "run", edit)
    monkeypatch.setattr(choices, "agreed", confirm)
    told = asked.pbem("turn", "g2.json", "--key", "ana.key")
    assert told.code == 0 and "did you mean riotinto?" in told.err
    assert asked_for[0].startswith("Edit the orders") and "final" in asked_for[1]
    assert written(told.out, ".eml")


def test_a_question_that_is_stopped_ends_its_line(
    asked: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The terminal has shown ^C behind the question."""

    def stopped(*_: Any, **__: Any) -> str:
        raise click.Abort

    asked.write("g2.orders.yaml", ORDERS)
    monkeypatch.chdir(asked.folder)
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(click, "prompt", stopped)
    with (
        redirect_stderr(Terminal()) as shown, redirect_stdout(io.StringIO()),
        pytest.raises(SystemExit),
    ):  # fmt: skip
        run(["turn", "g2.json", "--key", "ana.key"])
    assert shown.getvalue() == "\nstopped; nothing was written\n"


def test_a_form_that_was_emptied_is_written_again(asked: Desk) -> None:
    """As by an editor that went wrong: nothing is lost, and it is no dead end."""
    form = asked.folder / asked.write("g2.orders.yaml", " \n\n")
    told = asked.done("turn", "g2.json", "--key", "ana.key")
    assert "written: g2.orders.yaml" in told and "- play: " in form.read_text()
    form.write_text("")
    asked.done("form", "g2.json", "--key", "ana.key", "-o", "g2.orders.yaml")
    assert "- play: " in form.read_text()
    form.write_text("# mine\n")
    words = ("form", "g2.json", "--key", "ana.key", "-o", "g2.orders.yaml")
    assert "already exists" in asked.refused(2, *words)
    assert form.read_text() == "# mine\n"


def test_a_practice_game_needs_no_key_and_no_mail(asked: Desk) -> None:
    asked.done("solo", "crusade", "campaign", "--seed", "a", "-o", "solo.json")
    told = asked.done("turn", "solo.json")
    assert "written: solo.orders.yaml" in told
    asked.orders("play: {card: N1, for: event}", name="solo.orders.yaml")
    told = asked.done("turn", "solo.json", "--yes")
    assert written(told, ".pbem.json") and ".eml" not in told


def test_a_passphrase_is_read_once(asked: Desk) -> None:
    """A file descriptor gives it once only, and nobody wants to type it at each step."""
    key = KeyPair.from_seed(sha256(b"cli ana").digest())
    (asked.folder / "ana.key").write_bytes(private_file(key, b"bel chite"))
    asked.write("g2.orders.yaml", ORDERS)
    ours, theirs = os.pipe()
    os.write(theirs, b"bel chite")
    os.close(theirs)
    told = asked.done("turn", "g2.json", "--key", "ana.key", "--passphrase-fd", str(ours), "--yes")
    assert written(told, ".eml")


@pytest.mark.parametrize("given", ["g0.json", "proposal.eml"])
def test_the_terms_of_a_proposal_are_shown_once_before_it_is_signed(
    asked: Desk, given: str
) -> None:
    asked.pbem("mail", "g0.json", "-o", "proposal.eml")
    shutil.rmtree(asked.folder / ".home")  # on the machine of the one who accepts
    told = asked.pbem("turn", given, "--key", "beto.key").out
    assert told.count("terms of the game:") == 1 and "nothing was signed" in told
    shutil.rmtree(asked.folder / ".home")
    told = asked.pbem("turn", given, "--key", "beto.key", "--yes").out
    assert told.count("terms of the game:") == 1 and "you accept this game" in told
