"""A sitting at the board: clicks become orders as the engine takes them, and nothing is lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from time import process_time
from typing import Any

import pytest

from pbem.cli.languages import language
from pbem.desk import gesture
from pbem.desk.gesture import Gesture
from pbem.desk.session import Session
from pbem.orders.parse import parse
from pbem.play.answer import answer
from pbem.play.game import Game
from pbem.play.practice import written
from pbem.problems import Refused
from pbem.text.source import Source
from pbem.value import replace
from tests.desk.conftest import Drawer, answered
from tests.gamefile.players import KEYS
from tests.games.ctv.by_mail import Seats

Sit = Callable[..., Session]
PLAY, ACTIVATE = "play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}"
WHOLE_ROUND = """orders:
  - play: {card: N1, for: event}
  - activate: {attack: [sevilla, huelva]}
  - attack: {space: riotinto, units: {huelva: [CAV-7], sevilla: [INF-15, N-POL-4, AFR-1]},
      losses: [CAV, POL, INF, AFR], advance: {units: [CAV-7, INF-15, N-POL-4], to: [riotinto]}}
"""


def held(told: dict[str, Any]) -> Gesture:
    return Gesture(*(told[name] for name in ("verb", "said", "slot", "at", "picked")))


def test_a_round_of_clicks_is_the_round_of_a_file(sit: Sit) -> None:
    session = sit()
    before = session.game
    session.order(held(session.choose(None, "card", "N1")))
    told = session.choose(session_begun(session, "activate"), "attack", "sevilla")
    session.order(held(session.click(held(told), "huelva")))
    told = session.click(None, "riotinto")
    for place in ("huelva", "sevilla"):
        told = session.click(held(told), place)
    for name in ("losses", "advance"):
        (chip,) = next(each["chips"] for each in told["fields"] if each["name"] == name)
        told = session.choose(held(told), name, chip["value"])
    session.order(held(told))
    assert session.view()["problems"] == []
    session.send()
    by_file = answer(before, None, Source("orders", WHOLE_ROUND), fresh=b"\x22" * 16).game
    assert session.game.bytes() == by_file.bytes()


def session_begun(session: Session, verb: str) -> Gesture:
    return held(session.begin(verb))


def test_an_illegal_click_is_answered_with_its_rule_and_changes_nothing(sit: Sit) -> None:
    session = sit("crusade", PLAY)
    told = session.click(session_begun(session, "activate"), "sevilla")
    refused = session.click(held(told), "badajoz")
    (problem,) = refused["problems"]
    assert problem["rule"] and "Badajoz" in problem["message"]
    assert refused["said"] == told["said"] and refused["legal"]


@pytest.mark.parametrize(
    ("slug", "lines", "often"),
    [("crusade", [PLAY], 40), ("crusade", [PLAY, ACTIVATE], 40),
     ("crusade", [PLAY, "activate: {move: [sevilla, huelva]}"], 40), ("madrid", [], 40),
     ("ctv", [], 3)],
)  # fmt: skip
def test_every_refusal_of_a_click_shows_its_rule(
    sit: Sit, slug: str, lines: list[str], often: int
) -> None:
    session = sit(slug, *lines)
    assert refusals(session, random.Random(f"clicks {slug} {lines}"), often) > often / 2


def refusals(session: Session, rng: random.Random, often: int = 40) -> int:
    """How often clicks at random are refused, each time with a rule and a reason."""
    verbs = [each["verb"] for each in session.view()["ask"]["verbs"] if each["fields"]]
    spaces, refused = [*session.sheet()["spots"]], 0
    for _ in range(often):
        told = session.begin(rng.choice(verbs))
        for _ in range(3):
            lit = told["lit"] if rng.random() < 0.4 else []
            told = session.click(held(told), rng.choice(lit or spaces))
            refused += len(told["problems"])
            assert all(each["rule"] and each["message"] for each in told["problems"])
    return refused


def test_an_activation_is_clicked_and_every_refusal_shows_its_rule(sit: Sit) -> None:
    """¡No Pasarán!: after the morning, units move and attack from where they stand."""
    session = sit("nopasaran")
    while session.decision and session.decision.stage != "activation":
        session.write(session.text + f"  - {answered(session)}\n")
        session.send()
    session.write(session.text + "  - activate: {division: N-III}\n")
    told = session.click(held(session.begin("move")), "H10")
    assert told["said"]["units"] and {"H09", "G10"} <= set(told["lit"])
    moved = session.click(held(told), "H09")
    assert moved["legal"] and moved["said"]["path"] == ["H09"]
    told = session.click(held(session.begin("attack")), "G13")
    attacked = session.click(held(told), "G12")
    assert attacked["legal"] and attacked["shares"]["where"].endswith("(G13)")
    assert refusals(session, random.Random("clicks of an activation")) > 20


def test_a_card_is_not_looked_for_on_the_map(sit: Sit) -> None:
    session = sit()
    told = session.begin("play")
    after = session.click(held(told), "sevilla")
    assert after["problems"] == [] and after["said"] == told["said"] == {}


def test_the_chances_of_an_attack_are_told_before_it_is_ordered(sit: Sit) -> None:
    session = sit("crusade", PLAY, ACTIVATE)
    told = session.click(None, "riotinto")
    assert set(told["lit"]) == {"huelva", "sevilla"} and told["missing"] == ["units"]
    told = session.click(held(told), "sevilla")
    assert told["legal"] and told["shares"]["where"] == "Riotinto"
    assert any("11.3.6" in line for line in told["chances"])
    assert session.text.count("attack:") == 1, "nothing is ordered yet"


def test_an_order_that_is_not_whole_or_not_legal_is_not_put_in(sit: Sit) -> None:
    session = sit("crusade", PLAY, ACTIVATE)
    text = session.text
    for said in ({}, {"space": "riotinto"}, {"space": "madrid", "units": {"sevilla": ["AFR-1"]}}):
        with pytest.raises(Refused):
            session.order(Gesture("attack", said))
    assert session.text == text


def test_a_fault_leaves_the_orders_before_it_on_the_map(sit: Sit) -> None:
    session = sit("crusade", PLAY, "activate: {attack: [sevila]}", "done")
    view = session.view()
    (problem,) = view["problems"]
    assert problem["line"] == 5 and "sevilla" in problem["hint"]
    assert [each for each in view["verdicts"] if each["mark"] == "ok"] == [
        {"line": 4, "mark": "ok"}
    ]
    assert view["ask"]["stage"] == "activation"
    with pytest.raises(Refused):
        session.send()


def test_a_remark_stands_at_its_line(sit: Sit) -> None:
    """Nobody is next to Valladolid, which may be activated all the same."""
    view = sit("crusade", PLAY, "activate: {attack: [valladolid]}").view()
    (told,) = (each for each in view["verdicts"] if each["mark"] == "remark")
    assert told["line"] == 5 and told["words"].startswith("from Valladolid nothing can be attacked")


def test_a_draft_of_another_moment_is_kept_and_said_so(sit: Sit) -> None:
    session = sit()
    old = session.text.replace("entry: 4", "entry: 2")
    assert old != session.text
    session.write(old)
    view = session.view()
    assert view["stale"] and view["problems"][0]["code"] == "wrong-entry"
    assert session.anew() == "game.orders.1.yaml"
    assert session.outside.aside == [old] and not session.view()["stale"]  # type: ignore[attr-defined]


def test_what_cannot_be_kept_is_refused_and_a_replaced_game_is_not_signed(sit: Sit) -> None:
    session = sit("crusade", PLAY)
    disk: Any = session.outside
    disk.full = True
    with pytest.raises(Refused, match="cannot be written"):
        session.write(session.text + "  - done\n")
    disk.full, disk.replaced = False, True
    with pytest.raises(Refused, match="is not the file shown here"):
        session.send()


def test_only_what_has_changed_of_the_picture_is_told_again(sit: Sit) -> None:
    session = sit()
    first = session.view()
    session.order(held(session.choose(None, "card", "N1")))
    second = session.view(first["picture"])
    assert len(first["fragments"]) > 300 and len(second["fragments"]) < 5
    assert len(session.view(first["picture"])["fragments"]) > 300, "an old number: all of it"


def test_standing_orders_of_the_form_are_put_in_once(sit: Sit) -> None:
    session = sit("crusade", PLAY)
    session.add_standing()
    assert "\nstanding:\n" in session.text and session.view()["problems"] == []
    with pytest.raises(Refused, match="already"):
        session.add_standing()


def test_areas_are_clicked_as_spaces_are(sit: Sit) -> None:
    """Each unit is given an area by a click; the engine says which areas it may have."""
    session = sit("madrid")
    told = session.begin("place")
    units = [chip["value"] for chip in told["fields"][0]["chips"]]
    assert len(units) == 7 and "N" in told["lit"] and "AA" not in told["lit"]
    refused = session.click(held(told), "AA")
    assert refused["said"] == {} and refused["problems"][0]["rule"]
    for unit in units:
        told = session.choose(held(told), "units", unit)
        assert told["picked"] == unit and told["lit"]
        told = session.click(held(told), told["lit"][0])
    assert told["legal"], told["problems"]
    session.order(held(told))
    assert session.view()["problems"] == [] and not session.view()["ask"]["verbs"]


def test_a_stack_is_taken_as_far_as_it_may_move_together(sit: Sit) -> None:
    """Storm over Madrid: the click takes the units that an example moves, then lights the ways."""
    session = sit("madrid")
    while session.decision and session.decision.stage != "impulse":
        default = answered(session)
        session.write(session.text + f"  - {default}\n")
        session.send()
    told = session.click(None, "D")
    units = told["said"]["units"]
    assert told["missing"] == ["path"] and len(units) > 1 and {"B", "C", "E"} <= set(told["lit"])
    moved = session.click(held(told), "E")
    assert moved["legal"] and moved["said"]["path"] == ["D", "E"]
    far = session.click(held(told), "AA")
    assert far["problems"][0]["rule"] == "rule 9.2.b" and far["said"] == told["said"]
    fewer = session.choose(held(told), "units", units[0])
    assert fewer["said"]["units"] == units[1:]


def test_a_set_up_is_clicked_with_its_other_fields_as_proposed(
    sit: Sit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Santander: a unit may stand where the rest as in the example is legal with it, column and
    all; what is against another hex is said of that unit, not of those still to come. Of some 300
    hexes that are judged for the next unit, one is written into an order that is read.
    """
    read: list[Any] = []
    monkeypatch.setattr(gesture, "parse", lambda *args: read.append(args) or parse(*args))
    session = sit("ctv")
    told = session.begin("place")
    told = session.choose(held(told), "units", "R-157")
    assert {"1517", "2010"} <= set(told["lit"]) and "2111" not in told["lit"]
    refused = session.click(held(told), "2111")
    assert refused["said"] == {} and "not on your side" in refused["problems"][0]["message"]
    there = session.click(held(told), "2010")
    assert there["said"] == {"units": {"R-157": "2010"}}
    assert "31 units are not placed" in there["problems"][0]["message"]
    assert len(read) < 20


def test_counters_are_clicked_on_the_map_though_they_are_what_a_player_holds(sit: Sit) -> None:
    """Santander: the click takes those of a hex that move alike, then lights their ways."""
    session = sit("ctv")
    while session.decision and session.decision.stage != "movement":
        session.write(session.text + f"  - {answered(session)}\n")
        session.send()
    position = session.table.state.position
    hex = position.at("N-LIT-1")
    told = session.click(None, hex)
    assert told["said"]["units"] == ["N-LIT-1"] and told["missing"] == ["path"] and told["lit"]
    moved = session.click(held(told), told["lit"][0])
    assert moved["legal"] and moved["said"]["path"][-1] == told["lit"][0]
    far = session.click(held(told), "1211")
    assert far["problems"][0]["rule"] and far["said"] == told["said"]


def test_what_players_wrote_is_text_in_the_story(sit: Sit) -> None:
    session = sit("crusade", PLAY)
    session.write(session.text + "say: '<img src=x onerror=alert(1)>'\n")
    session.send()
    assert "&lt;img" in session.story() and "<img" not in session.story()


def test_what_ends_the_part_is_said_ahead_of_the_dice(sit: Sit) -> None:
    attack = "attack: {space: riotinto, units: {sevilla: [AFR-1]}}"
    session = sit("crusade", PLAY, ACTIVATE, attack)
    ask = session.view()["ask"]
    assert ask["ahead"] and [each["verb"] for each in ask["verbs"]] == ["done"]
    session.order_ahead("done")
    assert session.text.endswith("  - done\n") and session.view()["problems"] == []
    with pytest.raises(Refused):
        session.order_ahead("done")


def test_a_click_is_answered_at_once(sit: Sit) -> None:
    """In processor time, the best of a few: 50 ms with the engine and the chances."""
    session = sit("crusade", PLAY, ACTIVATE)
    session.view()
    told = session.click(None, "riotinto")
    best = 1.0
    for place in ("sevilla", "huelva") * 3:
        begun = process_time()
        told = session.click(held(told), place)
        best = min(best, process_time() - begun)
    assert best < 0.05


def test_a_gesture_from_outside_may_be_anything(sit: Sit) -> None:
    session = sit("crusade", PLAY)
    for said in ({"attack": 5}, {"attack": {"a": []}}, {"nothing": []}, {"attack": [[]]}):
        with pytest.raises(Refused):
            session.click(Gesture("activate", said), "sevilla")
    with pytest.raises(Refused):
        session.begin("<b>")
    deep: Any = []
    for _ in range(50):
        deep = [deep]
    assert session.choose(Gesture("activate", {}), "attack", deep)["said"] == {}


def test_a_hand_is_told_in_the_language_of_the_reader(games: dict[str, Game]) -> None:
    drawer: Any = Drawer(games["crusade"])
    session = Session(drawer, language("es"))
    hands = {camp["side"]: camp["hand"] for camp in session.view()["camps"]}
    (bridge,) = (card for card in hands["nationalist"] if card["id"] == "N1")
    assert bridge["title"] == "Puente aéreo" and bridge["kind"].startswith("Evento nacional, ")
    assert bridge["figures"].startswith("operaciones 3, redespliegue 3 (2 hasta el turno 2), ")
    assert bridge["text"][0].startswith("Empieza el calendario de llegadas del Ejército de África")
    assert [use["name"] for use in bridge["uses"]] == [
        "operaciones", "redespliegue", "reemplazos", "evento",
    ]  # fmt: skip
    barred = next(card for card in hands["nationalist"] if card["id"] != "N1")
    why = "N1 (Puente aéreo) debe jugarse ahora como evento [regla 4.3.1]"
    assert barred["uses"][0]["why"] == [why]
    fields = session.begin("play")["fields"]
    chips = {each["name"]: [chip["words"] for chip in each["chips"]] for each in fields}
    assert chips["card"] == ["N1 Puente aéreo"] and chips["for"] == ["event"]


def test_the_chances_of_an_attack_are_told_in_the_language_of_the_reader(
    games: dict[str, Game], sit: Sit
) -> None:
    drawer: Any = Drawer(games["crusade"])
    session = Session(drawer, language("es"))
    session.write(sit("crusade", PLAY, ACTIVATE).text)
    told = session.click(held(session.click(None, "riotinto")), "sevilla")
    (note,) = told["shares"]["notes"]
    assert note["rule"] == "11.3.6" and "primera baja" in note["what"]
    assert "columna" in told["shares"]["fire"][0]["column"] or told["shares"]["fire"][0]["column"]


def test_what_is_wrong_is_told_in_the_language_of_the_reader(games: dict[str, Game]) -> None:
    drawer: Any = Drawer(games["crusade"])
    session = Session(drawer, language("es"))
    session.write(f"{session.text}  - play: {{card: N2, for: event}}\n")
    (problem,) = session.view()["problems"]
    assert problem["message"] == "Ayuda militar del Eje (N2) no está en tu mano"
    assert problem["rule"].startswith("regla ")


def test_a_covered_counter_is_ordered_by_its_name() -> None:
    """The engine knows it by its tag; who plays the board does not."""
    seats = Seats("one", covered=True)
    for _ in range(2):
        seats.mail()
    while seats.asked != "movement":
        source = written(seats.game, KEYS[seats.pen])
        seats.mail(source.text if source else "")
    session = Session(Drawer(seats.game, KEYS[seats.pen]))
    told = session.choose(session_begun(session, "move"), "units", "N-NVI-3")
    told = session.click(replace(held(told), slot="path"), "2211")
    assert (told["legal"], told["line"]) == (True, "move: {units: [N-NVI-3], path: [2211]}")
    session.order(held(told))
    assert told["line"] in session.text
