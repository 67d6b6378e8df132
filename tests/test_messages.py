"""Messages as values: what fills a gap, plurals, lists, capitals, other languages."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from pbem.cli.languages import language
from pbem.messages import (
    Message,
    Row,
    Said,
    Thing,
    WrittenNumber,
    any_of,
    decimal,
    in_words,
    say,
    say_many,
    sentence,
    words,
)

REDUCED = say("reduced")
SIDE = say("the Reds")


def marched(*units: Thing) -> Message:
    return say_many("units", "{units} marches to {place}", "{units} march to {place}",
                    units=units, place="Zafra")  # fmt: skip


@pytest.mark.parametrize(
    ("told", "text"),
    [
        (say("it rains"), "It rains."),
        (say("{side} wait", side=SIDE), "The Reds wait."),
        (say("{name} waits", name="el Campesino"), "el Campesino waits."),
        (say("{a}: {b}", a=say("{side} wait", side=SIDE), b=SIDE), "The Reds wait: the Reds."),
        (say("on {day} {side} wait", day=3, side=SIDE), "On 3 the Reds wait."),
        ("as it stands", "as it stands"),
        ("", ""),
        (marched(Thing("F-1", "Foot")), "Foot F-1 marches to Zafra."),
        (marched(Thing("F-1", "Foot"), Thing("F-2", "Foot", state=REDUCED)),
         "Foot F-1 and F-2 (reduced) march to Zafra."),
        (marched(Thing("F-1", "Foot"), Thing("H-1", "Horse"), Thing("F-2", "Foot")),
         "Foot F-1, Horse H-1 and Foot F-2 march to Zafra."),
        (marched(Thing("X", "Tenth", True, REDUCED), Thing("Y", "Tenth", True)),
         "Tenth (X, reduced) and Tenth (Y) march to Zafra."),
        (marched(Thing("R33", "Counterattack (Brunete)", True)),
         "Counterattack (Brunete, R33) marches to Zafra."),
        (marched(Thing("3/7Leg"), Thing("4/7Leg", state=REDUCED)),
         "3/7Leg and 4/7Leg (reduced) march to Zafra."),
        (say("{all}", all=Row((SIDE, say("the Blues"), 3), "; ")), "The Reds; the Blues; 3."),
        (say_many("n", "{n} point", "{n} points", n=WrittenNumber("½", 1)), "½ point."),
        (say_many("n", "{n} point", "{n} points", n=WrittenNumber("1½", 2)), "1½ points."),
        (say_many("n", "{n} point", "{n} points", n=0), "0 points."),
        (say_many("x", "{x} point", "{x} points", x=SIDE), "The Reds point."),
        (say("{side} send {corps}", side=SIDE, corps="VIII A.C."), "The Reds send VIII A.C."),
        (say("{side} play {card}", side=SIDE, card="Tanks!"), "The Reds play Tanks!"),
    ],
)  # fmt: skip
def test_a_message_as_a_sentence(told: Said, text: str) -> None:
    assert sentence(told) == text


def test_within_a_sentence_there_is_no_capital_and_no_full_stop() -> None:
    assert str(say("{side} wait", side=SIDE)) == words(say("{side} wait", side=SIDE))
    assert words(say("{side} wait", side=SIDE)) == "the Reds wait"


def test_what_fills_a_gap_has_no_gaps_itself() -> None:
    assert words(say("{a} and {b}", a="{b}", b="{a.__class__}")) == "{b} and {a.__class__}"


@pytest.mark.parametrize("text", ["{nobody} waits", "{side.__class__}", "{", "a { b", "{}"])
def test_a_gap_that_nothing_fills_stays_to_be_seen(text: str) -> None:
    """A catalogue may be wrong; the log is told all the same."""
    assert words(say(text, side="x")).replace("}", "") == text.replace("}", "")


class Latin:
    """A language with another order of words, another plural, and another word for a list."""

    TEXTS: Mapping[str, str] = {
        "and": "et",
        "the Reds": "rubri",
        "{clause}.": "{clause}!",
        "{side} see {units}": "{units} a {side} videntur",
    }

    def gettext(self, message: str) -> str:
        return self.TEXTS.get(message, message)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return "{place} petit {units}" if number == 1 else "{place} petunt {units}"


def test_another_language_orders_the_words_as_it_likes() -> None:
    told = say("{side} see {units}", side=SIDE, units=(Thing("F-1", "Foot"), Thing("F-2", "Foot")))
    assert sentence(told, Latin()) == "Foot F-1 et F-2 a rubri videntur!"
    assert words(marched(Thing("F-1")), Latin()) == "Zafra petit F-1"
    assert words(marched(Thing("F-1"), Thing("F-2")), Latin()) == "Zafra petunt F-1 et F-2"


def test_a_value_is_told_in_words_wherever_a_message_is_in_it() -> None:
    inner = Thing("A", say("rock"))
    found = Row((say("one"), "two"), "/"), {say("key"): (1, (2, 3), inner)}, None, "plain"
    assert in_words(found) == ("one/two", {"key": (1, (2, 3), "rock A")}, None, "plain")
    quiet = ((1, 2), WrittenNumber("½", 1))
    assert in_words(quiet) is quiet


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("Bilbao", "Irún", "Bilbao e Irún"), ("Bilbao", "Hijar", "Bilbao e Hijar"),
        ("agua", "hierro", "agua y hierro"), ("agua", "Iones", "agua y Iones"),
        ("Ana", "Beto", "Ana y Beto"), ("oro", "«Íñigo»", "oro e «Íñigo»"),
        ("Ana", "INF-1", "Ana e INF-1"), ("Ana", "Yuste", "Ana y Yuste"),
        ("I Tabor", "II Tabor", "I Tabor y II Tabor"),
    ],
)  # fmt: skip
def test_in_spanish_and_is_worded_by_the_sound_that_follows(
    one: str, other: str, told: str
) -> None:
    spanish = language("es")
    assert words(say("{both}", both=(one, other)), spanish) == told
    assert words(say("{one} and {other}", one=one, other=other), spanish) == told
    assert words(say("{both}", both=(one, other))) == f"{one} and {other}"


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("Huesca", "Oviedo", "Huesca u Oviedo"), ("mujer", "hombre", "mujer u hombre"),
        ("7", "8", "7 u 8"), ("10", "11", "10 u 11"), ("1", "2", "1 o 2"),
        ("10", "118", "10 o 118"), ("Ana", "Beto", "Ana o Beto"), ("9000", "11000", "9000 u 11000"),
    ],
)  # fmt: skip
def test_in_spanish_or_is_worded_by_the_sound_that_follows(one: str, other: str, told: str) -> None:
    assert words(any_of((one, other)), language("es")) == told
    assert words(any_of((one, other, one), most=2), language("es")) == f"{one}, {other}, {one}"


def test_a_number_with_decimals_has_the_sign_of_the_language() -> None:
    half = decimal(-0.49)
    assert (words(half), words(half, language("es"))) == ("-0.5", "-0,5")
    assert words(decimal(7 / 3, 2)) == "2.33"


@pytest.mark.parametrize(
    ("text", "filled", "told"),
    [
        ("de {x}", "el norte", "del norte"), ("cruza a {x}", "el norte", "cruza al norte"),
        ("De {x}", "el norte", "Del norte"), ("A {x}", "el norte", "Al norte"),
        ("de {x}", "El Escorial", "de El Escorial"), ("a {x}", "ella", "a ella"),
        ("desde {x}", "el norte", "desde el norte"), ("para {x}", "el norte", "para el norte"),
        ("sobre {x}", "el norte", "sobre el norte"), ("{x}", "el norte", "el norte"),
    ],
)  # fmt: skip
def test_in_spanish_the_article_joins_the_word_before_it(text: str, filled: str, told: str) -> None:
    assert words(say(text, x=say(filled)), language("es")) == told
