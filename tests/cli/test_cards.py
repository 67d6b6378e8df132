"""pbem cards: every card in words, the hand with what it is good for now, and nobody else's."""

from __future__ import annotations

import re

import pytest

from pbem.cli.languages import language
from pbem.gamedata.load import load
from pbem.games.crusade.cardbook import StrategyCards
from pbem.messages import in_words
from tests.cli.desk import Desk, begin
from tests.games.crusade.board import TABLES


def test_the_cards_of_a_game_in_a_line_each(keys: Desk) -> None:
    told = keys.done("cards", "crusade").splitlines()
    assert len(told) == 120
    assert told[13] == (
        "N14  Defection  (Nationalist combat card, War of the Columns; operations 3, "
        "redeployment 3 (2 up to turn 2), replacements 2 NAT and 1 AXIS)"
    )


def test_a_card_by_its_id_or_its_title(keys: Desk) -> None:
    told = keys.done("cards", "crusade", "N3")
    assert told == (
        "N3  Red Terror\n"
        "  Nationalist event, War of the Columns; operations 4, redeployment 4 (3 up to turn 2), "
        "replacements\n"
        "  3 NAT and 2 AXIS\n"
        "  Add 1 VP.\n"
        "  Not playable in the War of the Armies Phase.\n"
        "  It leaves the game when its event is used.\n"
        "  (VP: Victory Points, NAT: Nationalist, AXIS: Axis)\n"
    )
    assert (
        keys.done("cards", "crusade", "red terror") == keys.done("cards", "crusade", "n3") == told
    )
    found = keys.pbem("cards", "crusade", "N3", "--json").json()
    assert found[0]["title"] == "Red Terror" and "where" not in found[0]
    assert max(map(len, told.splitlines())) <= 100


def test_a_hand_with_what_it_can_be_played_for(desk: Desk) -> None:
    desk.done("solo", "crusade", "campaign", "--seed", "e", "-o", "dealt.json")  # deals R5
    told = desk.done("cards", "dealt.json")
    assert "  in the Nationalist hand; now:\n    for event\n" in told
    assert (
        "    not for operations, redeployment, replacements or event: N1 (Air Bridge) must be "
        "played as an\n      event now [rule 4.3.1]\n" in told
    )
    assert "  in the Republican hand; if you were asked now:\n" in told
    desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}", "done")
    desk.done("apply", "dealt.json", "orders.yaml", "-o", "next.json")
    assert "  out of the game\n" in desk.done("cards", "next.json", "N1")
    told = desk.done("cards", "next.json", "R5")
    assert (
        "  in the Republican hand; now:\n    for operations, redeployment or replacements\n" in told
    )
    assert "    not for event: R5 is a combat card and is used in a combat [rule 8.5.3.1]\n" in told


def test_a_card_in_spanish(desk: Desk) -> None:
    """By either title; programs read English."""
    told = desk.done("cards", "g4.json", "N3", "--lang", "es")
    assert told == (
        "N3  Terror rojo\n"
        "  Evento nacional, Guerra de las Columnas; operaciones 4, redespliegue 4 "
        "(3 hasta el turno 2),\n"
        "  reemplazos 3 NAT y 2 AXIS\n"
        "  Se suma 1 VP.\n"
        "  No se puede jugar en la fase de la Guerra de los Ejércitos.\n"
        "  Sale de la partida cuando se usa su evento.\n"
        "  (VP: Puntos de Victoria, NAT: nacional, AXIS: Eje)\n"
        "  sin ver\n"
    )
    for title in ("red terror", "TERROR ROJO"):
        assert desk.done("cards", "g4.json", title, "--lang", "es") == told
    plain = ("cards", "g4.json", "N3", "--json")
    assert desk.done(*plain, "--lang", "es") == desk.done(*plain)
    mine = desk.done("cards", "g4.json", "--key", "ana.key", "--lang", "es")
    where = "  en la mano nacional; si tocara jugar ahora:\n"
    assert f"{where}    para operaciones, redespliegue, reemplazos o evento\n" in mine
    assert "\n    no para evento: " in mine and "[regla 8.5.3.1]" in mine


def test_a_text_of_an_owner_stays_as_it_is() -> None:
    """It is in no catalogue; what looks like a gap in it is text, and one of blanks is none."""
    terror = next(card for card in load("crusade").tables["cards"]["cards"] if card["id"] == "N3")
    mine = {**terror, "title": "Mine", "text": " ", "limits": "Not {number} times."}
    (face,) = in_words(StrategyCards({"cards": [mine]}, TABLES).faces(), language("es"))
    assert face.title == "Mine" and face.kind.startswith("Evento nacional, ")
    assert face.text[:2] == ("Not {number} times.", "Sale de la partida cuando se usa su evento.")


def test_only_the_own_hand_is_seen(keys: Desk) -> None:
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    mine = re.findall(r"^(N\d+)  ", keys.done("cards", "g3.json", "--key", "ana.key"), re.M)
    assert len(mine) == 7
    assert re.findall(r"^([NR]\d+)  ", keys.done("cards", "g3.json"), re.M) == ["N1"]
    hidden = next(card for card in mine if card != "N1")
    for words in ((), ("--key", "beto.key")):
        assert keys.done("cards", "g3.json", hidden, *words).endswith("  not seen\n")
    found = keys.pbem("cards", "g3.json", hidden, "--key", "ana.key", "--json").json()
    assert found[0]["where"] == "in the Nationalist hand" and found[0]["asked"] is True
    assert found[0]["uses"]["event"][0]["rule"] == "4.3.1"


def test_status_and_show_mark_combat_cards(desk: Desk) -> None:
    marked = re.compile(r'N17 +Fiat CR 32 "Chirri" \(combat card, operations 2')
    assert marked.search(desk.done("status", "g4.json", "--key", "ana.key"))
    assert marked.search(desk.done("show", "g4.json", "--key", "ana.key"))


def test_before_the_game_begins_nobody_holds_a_card(desk: Desk) -> None:
    for number in (0, 1):
        assert desk.done("cards", f"g{number}.json", "--key", "ana.key") == (
            "the game has not begun: nobody holds a card yet; pbem cards crusade lists them all\n"
        )
    assert desk.pbem("cards", "g0.json", "--json").json() == []
    assert desk.done("cards", "g0.json", "N3").startswith("N3  Red Terror\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("crusade", "N77"), 2, "there is no card 'N77'\n      hint: did you mean N7"),
        (("crusade", ""), 2, "there is no card ''"),
        (("crusade", "\x1b[2J"), 2, "there is no card '\\x1b[2J'"),
        (("crusad", "N1"), 2, "crusad: "),
        (("g4.json", "N1", "--key", "eve.key"), 1, "eve.key: this key belongs to neither player"),
    ],
)
def test_what_is_not_there(desk: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    assert said in desk.refused(code, "cards", *words)
