"""What can be chosen: asked in a terminal where it is left out, and completed by a shell."""

from __future__ import annotations

from typing import Any

import click
import pytest
from click.shell_completion import ShellComplete

from pbem.cli import choices
from pbem.cli.commands import pbem
from tests.cli.desk import Desk, begin


def completed(*words: str) -> list[str]:
    """What a shell offers for the last of these words."""
    found = ShellComplete(pbem, {}, "pbem", "_PBEM_COMPLETE").get_completions(
        list(words[:-1]), words[-1]
    )
    return [each.value for each in found]


@pytest.mark.parametrize(
    "words, found",
    [
        (("new", "cr"), ["crusade"]),
        (("solo", "crusade", "two"), ["two_years_of_war"]),
        (("new", "crusade", "campaign", "--side", "n"), ["nationalist"]),
        (("new", "crusade", "campaign", "--option", "first"), ["first_edition"]),
        (("solo", "crusade", "campaign", "--option", "open"), ["open_hands"]),
        (("new", "nothing", "c"), []),
        (("new", "crusade", "campaign", "--opponent", "b"), ["beto"]),
        (("rules", "ma"), ["madrid"]),
        (("data", ""), ["crusade"]),
        (("games", "c"), ["crusade"]),
        (("log", ""), ["g2.json"]),
        (("log", "g"), ["g2.json"]),
    ],
)
def test_a_shell_completes(
    keys: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], found: list[str]
) -> None:
    begin(keys)
    monkeypatch.chdir(keys.folder)
    assert completed(*words)[:1] == found


def test_a_list_of_contacts_with_a_fault_completes_files_alone(
    keys: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(keys)
    (keys.folder / ".home" / "config" / "pbem" / "contacts.json").write_text("{")
    monkeypatch.chdir(keys.folder)
    assert completed("new", "crusade", "campaign", "--opponent", "be") == ["be"]


def test_new_asks_for_what_is_left_out(keys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    questions = {
        "Which game": "crusade", "Which scenario": "campaign", "Your side": "nationalist",
        "Your private key file": "ana.key", "Your opponent": "beto.key.pub",
    }  # fmt: skip

    def prompt(question: str, **_: Any) -> str:
        asked = next(each for each in questions if question.startswith(each))
        return questions.pop(asked)

    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(click, "prompt", prompt)
    said = keys.done("new", "-o", "g.json")
    assert not questions and "campaign  " in said and (keys.folder / "g.json").exists()


def test_a_mistyped_answer_is_asked_for_again(keys: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The answers before it are not lost."""
    typed = ["", "chess", "crusade", "campain", "campaign", "red", "nationalist", "",
             "nobody.key", "ana.key", " ", "nobody", "ana.key.pub",
             "beto.key.pub"]  # fmt: skip
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(click, "prompt", lambda question, **_: typed.pop(0))
    told = keys.pbem("new", "-o", "g.json")
    assert told.code == 0 and not typed and (keys.folder / "g.json").exists()
    assert "did you mean campaign?" in told.err and "nobody.key: " in told.err
    assert "ana.key.pub: that is your own key" in told.err
    assert told.out.count("an answer is needed; Ctrl+C stops") == 3
    assert told.out.count("if you have none yet, pbem keygen") == 1
    typed += ["chess"] * choices.TRIES
    assert keys.pbem("new", "-o", "h.json").code == 2 and not typed


@pytest.mark.parametrize(
    ("typed", "default", "meant"),
    [
        (["y"], False, True), (["sí"], False, True), (["No"], True, False), ([""], True, True),
        ([""], False, False), (["maybe", "YES"], False, True), (["what"] * 3, True, False),
    ],
)  # fmt: skip
def test_yes_and_no_may_be_said_in_both_languages(
    typed: list[str], default: bool, meant: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(click, "prompt", lambda question, **_: typed.pop(0))
    assert choices.agreed("Sign?", default=default) is meant and not typed


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Missing argument 'SYSTEM'. It may be crusade, ctv, madrid or nopasaran."),
        (("crusade",), "Missing argument 'SCENARIO'"),
        (("crusade", "campaign"),
         "Missing option '--side'. It may be nationalist or republican."),
        (("crusade", "campaign", "--side", "nationalist"),
         "Missing option '--key'. Your private key file. If you have none yet, pbem keygen --out "
         "FILE --name YOU makes one."),
        (("crusade", "campaign", "--side", "nationalist", "--key", "ana.key"),
         "Missing option '--opponent'"),
    ],
)  # fmt: skip
def test_where_nobody_can_be_asked_the_word_is_named(
    keys: Desk, words: tuple[str, ...], said: str
) -> None:
    assert said in keys.refused(2, "new", *words)
