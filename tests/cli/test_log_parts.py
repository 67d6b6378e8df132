"""pbem log of one turn, and without orders and dice; slips of who writes orders in a mail."""

from __future__ import annotations

import json
import re

from tests.cli.desk import Desk


def kinds(desk: Desk, *words: str) -> set[str]:
    told = json.loads(desk.done("log", "g4.json", "--json", *words))
    return {
        line["kind"]
        for chapter in told["chapters"]
        for paragraph in chapter["paragraphs"]
        for line in paragraph["lines"]
    }


def test_a_brief_log_has_the_story_alone(desk: Desk) -> None:
    assert {"order", "roll", "event"} <= kinds(desk)
    brief = kinds(desk, "--brief")
    assert "event" in brief and not {"order", "roll"} & brief


def test_one_turn(desk: Desk) -> None:
    whole, first = desk.done("log", "g4.json"), desk.done("log", "g4.json", "--turn", "1")
    assert "Turn 1, August 1936" in first and "Riotinto" in first and len(first) <= len(whole)
    late = desk.refused(2, "log", "g4.json", "--turn", "2")
    assert "the file has nothing from turn 2\n      hint: it has turn 1\n" in late
    dated = desk.refused(2, "log", "g4.json", "--turn", "1936-08")
    assert "write a whole number, 0 or more, not '1936-08'\n" in dated
    early = desk.refused(2, "log", "g4.json", "--turn", "1", "--to", "1")
    assert "these entries have nothing from turn 1\n" in early


def test_orders_quoted_by_a_mail_program(desk: Desk) -> None:
    desk.write("quoted.yaml", "> orders:\n>   - play: {card: N1, for: event}\n\n")
    err = desk.refused(1, "check", "g2.json", "quoted.yaml")
    assert err == (
        "quoted.yaml:1:1: every line begins with '>', as in the answer to a mail\n"
        "    1 | > orders:\n      | ^\n"
        "      hint: delete the '>' and the space after it in each line\n"
    )


def test_one_quoted_line_is_no_quoted_file(desk: Desk) -> None:
    desk.write("odd.yaml", "> orders:\n  - play: {card: N1, for: event}\n")
    assert "every line" not in desk.refused(1, "check", "g2.json", "odd.yaml")


def test_end_is_done(desk: Desk) -> None:
    err = desk.refused(1, "check", "g2.json", desk.orders("end: {}"))
    assert "no order is named 'end'" in err and "did you mean done?" in err


def test_a_file_of_yaml_is_no_game(desk: Desk) -> None:
    """It has no line that tells what it is, and still is meant for the orders."""
    desk.write("list.yaml", "- play: {card: N1, for: event}\n")
    for name in ("other.json", "solo.json"):
        (desk.folder / name).unlink(missing_ok=True)
    err = desk.refused(1, "check", "list.yaml", "--key", "ana.key")
    assert "list.yaml:1:1: the file begins with a list" in err and "'orders:'" in err


def test_the_brief_story_is_the_story_alone(desk: Desk) -> None:
    """No keys, decks, seals or proofs: they keep the game fair, and tell nothing of it."""
    for words in (("g4.json",), ("solo.json",), ("g4.json", "--lang", "es")):
        told = desk.done("log", *words, "--brief")
        assert not re.search("SHA256|sealed|seals|proven|sella|mazo de robo", told)
    told = desk.done("log", "g4.json", "--brief")
    assert told.splitlines()[2].startswith("terms: 2nd edition; option example_hands;")
    assert told.splitlines()[5].startswith("Turn 1, August 1936")
    assert "proven that their draw pile is complete" in desk.done("log", "g4.json")
