"""What players of Fog on the Ridge do besides ordering, by two keys: terms, boards, practice."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import choices
from pbem.desk.gesture import Gesture
from pbem.desk.session import Session
from pbem.gamefile.keys import KeyPair, load_private, private_file
from pbem.play.snapshot import read_game
from pbem.text.source import Source
from tests.cli.desk import fixed_chance
from tests.desk.conftest import Drawer
from tests.facedown.desks import TAG, UP, Seat, placed, registered
from tests.facedown.here import system


@pytest.fixture(scope="module", autouse=True)
def fog(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with registered(tmp_path_factory.mktemp("registered")):
        yield


@pytest.fixture(scope="module")
def set_up(fog: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two desks at the first march."""
    folder = tmp_path_factory.mktemp("set up")
    placed(folder)
    return folder


@pytest.fixture
def two(set_up: Path, tmp_path: Path) -> Iterator[tuple[Seat, Seat]]:
    """The same two desks, for one test; whatever was shown at them, it was no tag."""
    for side in ("north", "south"):
        shutil.copytree(set_up / side, tmp_path / side, symlinks=True)
    north, south = (Seat(tmp_path / side, side) for side in ("north", "south"))
    yield north, south
    told = [each for each in (*north.shown, *south.shown) if "--json" not in each.words]
    assert {each.words: each.text for each in told if TAG.search(each.text)} == {}


MARCH = ("march: {unit: N-F1, path: [0102]}", "halt: none")


def near(two: tuple[Seat, Seat]) -> tuple[Seat, Seat]:
    """North has marched next to S-F2 and may attack it, and the ambush is behind it."""
    north, south = two
    to_the_hill = "march: {unit: N-F1, path: [0201, 0302]}", "march: {unit: N-G, path: [0302]}"
    north.writes(south, *to_the_hill, "march: {unit: N-S, path: [0302, 0402]}", "halt: none")
    goes_on(north, south)
    return north, south


def test_a_check_tells_what_its_orders_show_and_what_the_rest_costs(two: tuple[Seat, Seat]) -> None:
    """The enemy has to show who is attacked: any counter that fits will do to count the mails."""
    north, _ = near(two)
    north.orders("attack: {hex: 0303, units: [N-S]}")
    told = north.own("check", "game.json", "orders.yaml")
    assert "this mail shows your opponent N-S" in told
    assert "this mail tells your opponent of your lists: 0303" in told, "North lies in wait there"
    assert "next, the South player is asked to show the counters that are attacked" in told
    asked = json.loads(north.own("check", "game.json", "orders.yaml", "--json"))
    assert (asked["shown"], asked["told"]) == (["N-S"], ["0303"])
    odds = north.refused(1, "odds", "game.json", "orders.yaml", "--key", north.key)
    assert "cannot work out odds" in odds


@pytest.mark.parametrize("answers", [False, True])
def test_who_orders_ahead_of_a_question_is_told_that_its_player_reads_these_orders(
    two: tuple[Seat, Seat], answers: bool
) -> None:
    """With them the gun is shown as well: whoever is still to choose a retreat would know of it."""
    north, south = two
    if answers:
        south.write("standing.yaml", "standing:\n  retreat: [0504, 0503]\n")
    near(two)
    attack, read = "attack: {hex: 0303, units: [N-S]}", "they read your later orders"
    north.orders(attack, "fire: {unit: N-G, at: 0304}", "done")
    told = north.own("check", "game.json", "orders.yaml")
    assert "this mail shows your opponent N-G and N-S" in told
    asked = (
        "the South player, asked to retreat from 0303 (they have no standing orders for this); "
        f"{read} before they answer"
    )
    assert (asked in " ".join(told.split())) is not answers
    north.orders(attack, "done")
    assert read not in north.own("check", "game.json", "orders.yaml")


def test_a_counter_that_is_to_be_shown_is_told_by_where_it_lies(two: tuple[Seat, Seat]) -> None:
    north, south = near(two)
    north.writes(south, "attack: {hex: 0303, units: [N-S]}")
    for told in (north.done("status", "game.json"), south.own("status", "game.json")):
        assert ": show a counter in 0303\n" in told
    assert ": mostrar a counter in 0303" in south.own("status", "game.json", "--lang", "es")


def test_what_is_said_openly_is_told_before_it_is_signed(two: tuple[Seat, Seat]) -> None:
    north, _ = two
    north.orders(*MARCH)
    told = north.own("check", "game.json", "orders.yaml")
    assert "said openly with these orders: a zone of control in 0101, 0102" in told
    asked = json.loads(north.own("check", "game.json", "orders.yaml", "--json"))
    assert asked["openly"] == ["a zone of control in 0101, 0102"]
    north.orders("march: {unit: N-F1, path: [0201, 0302]}", "halt: {zones: [0101, 0302]}")
    told = north.own("check", "game.json", "orders.yaml")
    assert "said openly" not in told and "shows your opponent N-F1" in told, "alone on an objective"


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (["march: {unit: N-X, path: [0102]}"], "did you mean N-"),
        (["march: {unit: S-F2, path: [0304]}"], "S-F2 is none of your counters"),
        (["march: {unit: N-G, path: [0102, 0103]}"], "N-G has 2"),
        (["march: {unit: a counter in 0303, path: [0203]}"], "a counter in 0303 is none of your"),
        (["march: {unit: N-F3, path: [0201]}"], "N-F3 is none of your counters on the map"),
        (["arrive: {unit: N-F3, at: 0301}"], "the reserve comes on turn 2"),
        (["mix: {at: [0201]}", "march: {unit: N-G, path: [0301]}"], "N-G has just been mixed"),
        (["halt: {zones: [0201]}"], "can have a zone"),
        (["blow: {unit: N-F2, over: 0402}"], "N-F2 is no sappers"),
    ],
)  # fmt: skip
def test_a_refusal_names_counters_as_players_do(
    two: tuple[Seat, Seat], orders: list[str], said: str
) -> None:
    north, _ = two
    north.orders(*orders)
    assert said in north.refused(1, "check", "game.json", "orders.yaml", "--key", north.key)


def test_without_a_key_counters_go_by_where_they_lie(two: tuple[Seat, Seat]) -> None:
    north, _ = two
    told = north.done("form", "game.json")
    assert "a counter in 0101" in told and "N-F1" not in told
    north.orders("march: {unit: a counter in 0101, path: [0102]}")
    assert "1 order is legal" in north.done("check", "game.json", "orders.yaml")


def test_turn_tells_the_owner_and_mails_the_public_story(two: tuple[Seat, Seat]) -> None:
    north, south = two
    north.orders(*MARCH)
    before = {*north.folder.glob("*.eml")}
    told = north.own("turn", "game.json", "--orders", "orders.yaml", "--yes")
    assert "N-F1 marches to 0102" in told
    (letter,) = {*north.folder.glob("*.eml")} - before
    text = letter.read_text()
    assert "A counter of North in 0101 marches to 0102" in text
    assert not re.search(r"\bN-F1\b", text)
    shutil.copy(letter, south.folder)
    told = south.own("turn", letter.name)
    assert "A counter of North in 0101 marches to 0102" in told and "N-F1" not in told


def test_terms_and_the_end(two: tuple[Seat, Seat]) -> None:
    """What was shown stays known, new secrets put the counters back, and both audits pass."""
    north, south = two
    south.own("offer", "game.json", "takeback", "--to", "4", "-o", "next.json")
    south.sends(north)
    north.own("answer", "game.json", "yes", "-o", "next.json")
    north.sends(south)
    assert "goes back" in north.done("log", "game.json")
    south.writes(north, UP["south"])
    north.writes(south, "ambush: {at: [0302]}")
    south.writes(north, "ambush: {at: [0203]}")
    assert "0101: N-F1" in north.own("status", "game.json")
    old = north.key
    with_new_key(north, south)
    assert "0101: N-F1" in north.own("status", "game.json", "--secrets", old)
    assert "N-F1 is set up in 0101" in north.own("log", "game.json", "--secrets", old)
    assert "--secrets" in north.refused(1, "log", "game.json", "--key", north.key)
    south.own("offer", "game.json", "renew", "-o", "next.json")
    south.sends(north)
    north.own("answer", "game.json", "yes", "-o", "next.json")
    north.sends(south)
    goes_on(north, south)
    for seat in two:
        for command in ("log", "status", "show"):
            seat.own(command, "game.json")
            seat.done(command, "game.json")
    pen, waits = (north, south) if north.fold().pen == "A" else (south, north)
    waits.own("resign", "game.json", "--yes", "-o", "next.json")
    waits.sends(pen)
    while (fold := north.fold()).pen is not None:
        one, other = (north, south) if fold.pen == "A" else (south, north)
        lost = ["--lost"] if one is north else []
        one.own("audit", "game.json", *lost, "-o", "next.json")
        one.sends(other)
    assert "all was in order" in north.done("log", "game.json")
    assert north.done("audit", "game.json")


def lay_new_key(seat: Seat) -> None:
    (seat.folder / "new.key").write_bytes(private_file(KeyPair.from_seed(b"\x55" * 32)))
    (seat.folder / "new.key").chmod(0o600)


def with_new_key(seat: Seat, other: Seat) -> None:
    """The player has another key, by an entry of their own."""
    lay_new_key(seat)
    seat.own("rotate", "game.json", "--to", "new.key", "-o", "next.json")
    seat.sends(other)
    seat.key = "new.key"


LET_OUT = "new secrets let the {} player out of this"


def test_each_debt_is_named_before_new_secrets_are_offered(
    two: tuple[Seat, Seat], monkeypatch: pytest.MonkeyPatch
) -> None:
    """South is attacked, and has sealed orders and a list; whoever offers is asked first."""
    north, south = two
    south.write("standing.yaml", "standing:\n  retreat: [0504, 0503]\n")
    near(two)
    north.writes(south, "attack: {hex: 0303, units: [N-S]}")
    with_new_key(south, north)
    heading = f"{LET_OUT.format('South')}, unless they still have the old ones:\n"
    debts = [
        "their value of beacon 3, and with it the dice that wait for it",
        "show a counter in 0303",
        "their sealed standing orders standing of entry 9, which end",
        "their sealed list of entry 7: the lines that are not shown (2 of 2) count as empty",
        "the truth of what they said of 1 counter in 0303: one of them has a zone of control",
    ]
    told = heading + "".join(f"  {each}\n" for each in debts)
    asked: list[str] = []

    def declines(question: Any, **_: Any) -> bool:
        asked.append(str(question))
        return False

    with monkeypatch.context() as patch:
        patch.setattr(choices, "is_attended", lambda: True)
        patch.setattr(choices, "agreed", declines)
        used = north.pbem("offer", "game.json", "renew", "--key", north.key, "-o", "next.json")
    assert asked == ["Offer new secrets to the South player?"] and used.out == told
    assert used.code == 1 and "nothing was signed: no new secrets were offered" in used.err
    assert not (north.folder / "next.json").exists()
    assert north.own("offer", "game.json", "renew", "-o", "next.json").startswith(told)
    north.sends(south)
    assert told in south.done("status", "game.json")
    (offer,) = json.loads(south.done("status", "game.json", "--json"))["offers"]
    assert offer["lets_out_of"] == debts
    assert south.own("answer", "game.json", "yes", "-o", "next.json").startswith(told)


def test_the_proof_of_a_mix_is_a_debt_before_a_beacon_has_met_it(two: tuple[Seat, Seat]) -> None:
    """Where a request for a new key is granted they are named as well."""
    north, south = two
    north.writes(south, "mix: {at: [0101]}", "halt: none")
    while north.fold().pen != "A":
        south.writes(north, *(["halt: none"] if south.fold().owed[0].code == "answer" else []))
    lay_new_key(north)
    north.done("rotate", "game.json", "--to", "new.key", "--ask", "-o", "asks.json")
    shutil.copy(north.folder / "asks.json", south.folder)
    told = south.own("rotate", "game.json", "--for", "asks.json", "--renew", "--on-my-word",
                     "-o", "next.json")  # fmt: skip
    assert told.startswith(
        f"{LET_OUT.format('North')}, unless they still have the old ones:\n"
        "  their value of beacon 2, and with it the dice that wait for it\n"
        "  the proof that mix n/2 moves no counter to another place\n"
        "  their sealed list of entry 6: the lines that are not shown (2 of 2) count as empty\n"
        "  the truth of what they said of 2 counters in 0101: one of them has a zone of control\n"
        "Fog on the Ridge"
    )


def test_what_was_said_of_counters_is_a_debt_as_long_as_they_lie_face_down(
    two: tuple[Seat, Seat],
) -> None:
    """What is to be said, what was said and holds, and what was said of a stack that has changed:
    whoever offers new secrets, and whoever has them offered, is told each, where they lie now.
    """
    north, south = near(two)
    north.writes(south, "fire: {unit: N-G, at: 0304}")
    with_new_key(south, north)

    def named() -> list[str]:
        offer = north.own("offer", "game.json", "renew", "-o", "next.json")
        north.sends(south)
        told = south.done("status", "game.json", "--json")
        debts: list[str] = json.loads(told)["offers"][0]["lets_out_of"]
        assert offer.startswith(LET_OUT.format("South"))
        for shown in (offer, south.done("status", "game.json")):
            assert " ".join(debts) in " ".join(shown.split())
        return [each for each in debts if " said " in each or " say " in each]

    zone = "one of them has a zone of control"
    truth = "the truth of what they said"
    assert named() == [
        "what only they can say of counters face down: say how many points are in 0304",
        f"{truth} of 1 counter in 0303: {zone}",
    ]
    plays_on(south, north)
    north.writes(south, "done")
    plays_on(south, north)
    assert north.fold().owed[0].what == "march"
    plays_on(south, north, "march: {unit: S-G, path: [0404]}")
    now = named()
    spanish = " ".join(south.done("status", "game.json", "--lang", "es").split())
    assert "la verdad de lo que dijo de 1 ficha en 0303: " in spanish
    assert "la verdad de lo que dijo antes de fichas que ahora están en 0404: " in spanish
    assert now == [
        f"{truth} of 1 counter in 0303: {zone}",
        f"{truth} earlier of counters that now lie in 0404: their points together are 2-",
    ]


def plays_on(seat: Seat, to: Seat, *orders: str) -> None:
    """The player with a new key writes with the secrets of the old one: the offer lapses."""
    given = (seat.orders(*orders),) if orders else ()
    with fixed_chance():
        seat.own("apply", "game.json", *given, "--secrets", "beto.key", "-o", "next.json")
    seat.sends(to)


def goes_on(north: Seat, south: Seat) -> None:
    """Writes what is owed without orders, up to a question that is for a player to answer."""
    while (fold := north.fold()).pen is not None and fold.owed[0].code != "answer":
        one, other = (north, south) if fold.pen == "A" else (south, north)
        one.writes(other)


MORE_LOOKS = (
    ("show", "--json"), ("show", "--side", "north"), ("show", "--side", "south"),
    ("show", "--digest"), ("show", "--entry", "3"), ("status", "--lang", "es"),
    ("log", "--format", "markdown"), ("log", "--format", "bbcode"), ("log", "--format", "journal"),
    ("log", "--format", "fragment"), ("log", "--format", "json"), ("log", "--lang", "es"),
    ("summary", "--format", "markdown"), ("summary", "--format", "journal"), ("summary", "--json"),
    ("luck", "--clock"), ("dice", "--json"), ("verify", "--json"), ("verify", "--without-rules"),
    ("form",), ("form", "--lang", "es"), ("mail", "--armor", "-o", "-"),
)  # fmt: skip
"""Looks beside those of a whole game in test_by_two_keys.py."""
KEYLESS = ("verify", "mail")


def test_every_look_tells_only_their_owner_the_names_of_counters(two: tuple[Seat, Seat]) -> None:
    north, _ = two
    for seat in two:
        for command, *more in MORE_LOOKS:
            if seat is north or command != "form":
                seat.done(command, "game.json", *more)
                if command not in KEYLESS:
                    seat.own(command, "game.json", *more)
        for key in ((), ("--key", seat.key)):
            assert "has no cards" in seat.refused(1, "cards", "game.json", *key)
        for words in (("games", "fog"), ("data", "fog"), ("contacts",), ("verify", "--many", ".")):
            seat.done(*words)
    assert names_told(two) >= {"show", "status", "log", "form"}


def names_told(seats: tuple[Seat, Seat]) -> set[str]:
    """The commands that told the name of a counter that was never shown: to its owner alone."""
    told = set()
    for seat in seats:
        for each in seat.shown:
            hidden = (unit for unit in system().tables.side_of if unit not in each.known)
            for unit in hidden:
                if re.search(rf"\b{unit}\b", each.text):
                    assert unit.startswith(seat.side[0].upper()), (each.words, unit)
                    assert not each.is_public, (each.words, unit)
                    told.add(each.words[0])
    return told


def test_offers_claims_and_sealed_standing_orders(two: tuple[Seat, Seat]) -> None:
    north, south = two
    south.own("offer", "game.json", "draw", "-o", "next.json")
    south.sends(north)
    north.writes(south, *MARCH)
    assert any("N-F1 marches" in each.text for each in north.shown)
    south.write("standing.yaml", "standing:\n  retreat: [0504, 0503]\n")
    goes_on(north, south)
    south.orders("halt: none")
    told = south.own("check", "game.json", "orders.yaml")
    assert "retreat" in told
    south.own("apply", "game.json", "orders.yaml", "-o", "next.json")
    south.sends(north)
    assert "retreat: [0504, 0503]" in south.own("status", "game.json")
    for seat in two:
        text = seat.done("status", "game.json") + seat.done("log", "game.json")
        assert "0504, 0503" not in text, "sealed"
    pen, waits = (north, south) if north.fold().pen == "A" else (south, north)
    waits.own("claim", "game.json", "-o", "next.json")
    assert "the claim" in waits.sends(pen)
    assert "claim" in pen.own("status", "game.json")
    names_told(two)


def test_a_fork_is_proven_without_a_tag(two: tuple[Seat, Seat]) -> None:
    north, south = two
    twin = Seat(shutil.copytree(north.folder, north.folder.parent / "twin", symlinks=True), "north")
    for seat, orders in ((north, MARCH), (twin, ("halt: none",))):
        seat.own("apply", "game.json", seat.orders(*orders), "-o", "next.json")
    shutil.copy(north.folder / "next.json", south.folder / "one.json")
    shutil.copy(twin.folder / "next.json", south.folder / "other.json")
    told = south.done("prove-fork", "one.json", "other.json")
    assert re.search(r"march: \{unit: a counter in 0101( \(2\))?, path: \[0102\]\}", told)
    names_told(two)


def test_the_board_is_served_with_the_names_of_one_side(two: tuple[Seat, Seat]) -> None:
    pytest.importorskip("starlette", reason="the extra `board` is not installed")
    testclient: Any = pytest.importorskip("starlette.testclient", reason="no httpx")
    from pbem.desk.server import BoardServer

    for seat in two:
        board = BoardServer(Session(Sitting(seat)), lambda: None)
        board.tabs.append("one")
        page = testclient.TestClient(board.app({}))

        def ask(what: str, page: Any = page, **given: Any) -> str:
            found = page.post(f"/do/{what}", json={"tab": "one", **given})
            return str(json.dumps(found.json(), ensure_ascii=False))

        text = "orders:\n  - march: {unit: N-F1, path: [0102]}\n"
        seen = [ask(what) for what in ("start", "story", "summary", "form")]
        if seat.side == "north":
            seen += [ask("begin", verb="march"), ask("draft", text=text), ask("check")]
            assert "1 order is legal" in seen[-1]
        theirs, mine = ("S", "N") if seat.side == "north" else ("N", "S")
        for told in seen:
            assert not TAG.search(told)
            assert not re.search(rf"\b{theirs}-(?:F2|F3|G|H|S)\b", told)
        assert f"{mine}-G" in seen[0] + seen[1]


def test_practice_is_open(tmp_path: Path) -> None:
    desk = Seat(tmp_path / "solo", "north")
    desk.done("solo", "fog", "noon", "--seed", "ridge", "--against", "bot", "-o", "g0.json")
    file = "g0.json"
    for at in range(1, 4):
        desk.done("apply", file, "--bot", "-o", f"g{at}.json")
        file = f"g{at}.json"
    assert "N-F1" in desk.done("log", file)


class Sitting(Drawer):
    """A desk of a player with a key."""

    def __init__(self, seat: Seat) -> None:
        super().__init__(read_game((seat.folder / "game.json").read_bytes()))
        self.key: Any = load_private((seat.folder / seat.key).read_bytes())

    def send(self, orders: Source | None) -> Any:
        raise AssertionError("nothing is signed here")


def held(told: dict[str, Any]) -> Gesture:
    return Gesture(*(told[name] for name in ("verb", "said", "slot", "at", "picked")))


def test_at_the_board_own_counters_go_by_their_names(two: tuple[Seat, Seat]) -> None:
    north, south = two
    session = Session(Sitting(north))
    told = session.begin("march")
    units = next(each for each in told["fields"] if each["name"] == "unit")
    assert {"N-F1", "N-G"} <= {chip["value"] for chip in units["chips"]}
    told = session.choose(held(told), "unit", "N-F1")
    told = session.click(held(told), "0102")
    assert told["legal"] and told["line"] == "march: {unit: N-F1, path: [0102]}"
    session.order(held(told))
    assert "march: {unit: N-F1, path: [0102]}" in session.text
    seen = json.dumps([session.view(), session.sheet(), session.story(), *session.summary()])
    assert not TAG.search(seen) and "S-G" not in seen
    other = Session(Sitting(south))
    seen = json.dumps([other.view(), other.sheet(), other.story()])
    assert not TAG.search(seen) and "N-G" not in seen and "S-G" in seen


def test_a_picture_of_a_side_has_its_covered_counters_only_with_a_key_that_was_named(
    two: tuple[Seat, Seat],
) -> None:
    """A picture is passed on: what the folder's own key knows is not in it unasked."""
    north, _ = two
    (north.folder / "pbem.toml").write_text(f'key = "{north.key}"\n')
    for name, words in {
        "all": (),
        "side": ("--side", "north"),
        "own": ("--key", north.key),
    }.items():
        north.done("show", "game.json", *words, "--svg", f"{name}.svg")
    drawn = {name: (north.folder / f"{name}.svg").read_bytes() for name in ("all", "side", "own")}
    assert drawn["side"] == drawn["all"] != drawn["own"]
