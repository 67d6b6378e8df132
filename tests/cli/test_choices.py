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


def test_a_list_of_contacts_with_a_fault_completes_nothing(
    keys: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(keys)
    (keys.folder / ".home" / "config" / "pbem" / "contacts.json").write_text("{")
    monkeypatch.chdir(keys.folder)
    assert completed("new", "crusade", "campaign", "--opponent", "") == []


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


@pytest.mark.parametrize(
    "words, said",
    [
        ((), "Missing argument 'SYSTEM'. It may be crusade or madrid."),
        (("crusade",), "Missing argument 'SCENARIO'"),
        (("crusade", "campaign"),
         "Missing option '--side'. It may be nationalist or republican."),
        (("crusade", "campaign", "--side", "nationalist"),
         "Missing option '--key'. Your private key file."),
        (("crusade", "campaign", "--side", "nationalist", "--key", "ana.key"),
         "Missing option '--opponent'"),
    ],
)  # fmt: skip
def test_where_nobody_can_be_asked_the_word_is_named(
    keys: Desk, words: tuple[str, ...], said: str
) -> None:
    assert said in keys.refused(2, "new", *words)
