"""A wrong call is explained in the reader's language: by click, by ours, and by the system."""

from __future__ import annotations

import json
import re

import pytest

from pbem.cli.click_texts import COUNTED, TEXTS
from pbem.cli.languages import language
from tests.cli.desk import Desk

GAPS = {
    "param_type": "word", "choices": "a, b", "choice": "a", "name": "file", "message": "m",
    "param_hint": "'--to'", "filename": "f", "args": "x y", "value": "v", "nargs": 2,
    "possibility": "'--to'", "possibilities": "'--to'",
}  # fmt: skip
"""What click puts into the gaps of its texts, under its names."""


@pytest.mark.parametrize(
    "words, said",
    [
        (("aply",), "no existe el comando 'aply'; ¿querías decir 'apply'?"),
        (("apply", "-key", "k"), "No existe la opción '-k'; ¿querías decir --key?"),
        (("status", "--nope"), "No existe la opción '--nope'."),
        (("verify", "a", "b"), "Sobra un argumento (b)"),
        (("show", "g.json", "--entry", "z"),
         "Valor no válido para '--entry': escribe un número entero, 0 o más, no 'z'"),
        (("offer", "g.json", "peace"), "una oferta es draw, takeback, adjourn, void,"),
        (("mail", "g.json", "--to", "a@@b"), "hace falta una dirección, como ana@example.org"),
        (("key", "export"), "Falta el argumento 'KEY'."),
        (("check", "g.json", "o.yaml", "--watch", "--json"), "--watch escribe para personas"),
        (("status", ".", "--last", "g0.json"), "--last va con una sola partida"),
    ],
)  # fmt: skip
def test_a_wrong_call_is_explained_in_spanish(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], said: str
) -> None:
    monkeypatch.setenv("PBEM_LANG", "es")
    if "--json" in words:  # what programs read stays in English
        assert said not in json.loads(desk.refused(2, *words))[0]["message"]
        return
    told = desk.refused(2, *words)
    assert said in told.replace("\n", " ")
    assert told.startswith("Uso: pbem")
    assert "Prueba 'pbem" in told


def test_a_file_that_is_not_there_is_told_in_spanish(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_LANG", "es")
    assert "no existe ese archivo o esa carpeta" in desk.refused(2, "status", "away.json")


def test_the_language_of_one_call_is_not_that_of_the_next(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_LANG", "es")
    desk.refused(2, "status", "--nope")
    monkeypatch.delenv("PBEM_LANG")
    assert "No such option" in desk.refused(2, "status", "--nope")
    assert "No existe" in desk.refused(2, "status", "--nope", "--lang", "es")


def test_an_unknown_language_is_refused_with_those_there_are(desk: Desk) -> None:
    told = desk.refused(2, "status", "g2.json", "--lang", "xx")
    assert re.search(r"'xx' is not one of 'en', 'es'", told)


def test_click_can_fill_each_translation_of_its_texts() -> None:
    spanish = language("es")
    for text in TEXTS:
        told = spanish.gettext(text)
        assert told != text
        told.format(**GAPS)
    for one, many in COUNTED:
        for number in (1, 2):
            told = spanish.ngettext(one, many, number)
            assert told not in (one, many)
            told.format(**GAPS)


def test_an_unknown_language_of_the_environment_is_refused_too(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_LANG", "es_ES")
    for words in (("status", "g2.json"), ("show", "g4.json"), ("games",)):
        told = desk.refused(2, *words)
        assert "Invalid value for '--lang': 'es_ES' is not one of 'en', 'es'" in told
    assert "Turno 1" in desk.done("status", "g2.json", "--lang", "es")
    monkeypatch.setenv("PBEM_LANG", "")
    assert "Turn 1" in desk.done("status", "g2.json")
