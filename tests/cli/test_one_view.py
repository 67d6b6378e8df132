"""Every command shows the same game: as far as it is decided for whoever asks, or as the file is.

Each is asked the same questions in 12 positions between mails, four of each game, with sealed
hands where there are any, by both players and by somebody without a key; a long run has three more
of each.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from pbem.desk.session import Session
from pbem.engine.public import plain
from pbem.gamefile.journal import Rolled
from pbem.gamefile.keys import KeyPair, private_file
from pbem.gamefile.prospect import is_decided_by, prospect
from pbem.messages import words
from pbem.play.game import Game
from pbem.play.now import now
from pbem.play.owing import ASKED, owed_words
from pbem.play.practice import written
from pbem.play.seen import last_led, strokes_since
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.conftest import FUZZ
from tests.desk.conftest import Drawer
from tests.play.sealed_pair import between_mails, keys_of, played

ENTRIES = {"crusade": 52, "madrid": 40, "ctv": 15}
POSITIONS = [(slug, at) for slug in ENTRIES for at in range(4 if FUZZ == 1 else 7)]
AHEAD = re.compile(
    r"^(with the dice of your next mail \(entry \d+\), which nobody else knows yet"
    r"|with what your next mail has to show \(entry \d+\))$", re.M,
)  # fmt: skip
"""The line of a report that shows more than the file."""


DATE = re.compile(r"^Date: .*$", re.M)


class Asked:
    """The questions to all commands about one file, for the owner of a key or for anybody."""

    def __init__(self, desk: Desk, game: Game, player: str, *words: str) -> None:
        self.desk, self.game, self.player = desk, game, player
        self.key = keys_of(game.opened.system.slug).get(player)
        self.words = (*(("--key", f"{player}.key") if player else ()), *words)
        self.known: dict[tuple[str, ...], str] = {}

    def json(self, command: str, *more: str) -> Any:
        return json.loads(self.text(command, *more, "--json"))

    def text(self, command: str, *more: str) -> str:
        words = (command, "g.json", *more, *self.words)
        if words not in self.known:
            self.known[words] = self.desk.done(*words)
        return self.known[words]

    def moments(self) -> list[str]:
        """When it is."""
        summary = re.search(r"^    Now: (.*)\.$", self.text("summary"), re.M)
        assert summary is not None
        return [self.json("status")["heading"], self.json("show")["moment"], summary.group(1)]

    def boards(self) -> list[dict[str, Any]]:
        """Who holds each place and what stands there: at once, one by one, and since the start."""
        whole = self.json("show")["scene"]["places"]
        some = [name for name, each in whole.items() if each.get("units")][::9]
        single = {name: self.json("show", name) for name in some}
        members = ("control", "units")
        return [
            {name: {each: whole[name].get(each) for each in members} for name in some},
            {name: {each: single[name].get(each) for each in members} for name in some},
        ]

    def dice(self) -> list[Any]:
        """Which dice have fallen: from each command that tells of them, in its order."""
        listed = self.json("dice")["rolls"]
        log = self.json("log")
        told = [
            (line["label"], line["face"])
            for chapter in log["chapters"] for paragraph in chapter["paragraphs"]
            for line in paragraph["lines"] if line["kind"] == "roll"
        ]  # fmt: skip
        return [
            [(each["label"], _fallen(each)) for each in listed],
            told,
        ]

    def luck(self) -> tuple[int, int]:
        """How many dice there were, as `luck` counts them and as `dice` lists them."""
        counted = sum(each["count"] for each in self.json("luck")["dice"])
        return counted, sum(1 for each in self.json("dice")["rolls"] if each["faces"])

    def hands(self) -> list[list[str]]:
        """What is in the own hand; nothing in a game without cards."""
        if not self.game.opened.system.cardbook.faces():
            return []
        side = self.game.side_of(self.player)
        (camp,) = (each for each in self.json("show")["scene"]["camps"] if each["side"] == side)
        held = [each["id"] for each in self.json("cards") if each["side"] == side and each["uses"]]
        found = [[one["id"] for one in camp.get("hand", ())], held]
        summary = self.json("summary", "--side", side)
        if not summary["finished"]:  # otherwise it is the hand at the end of that turn
            found.append(summary["hand"])
        return [sorted(map(_printed, each)) for each in found]

    def questions(self) -> list[Any]:
        """What the player is asked, as far as they are."""
        status = self.json("status")
        asked = status["you"]["asked"]
        found = [sorted(asked["verbs"]) if asked else []]
        form = self.desk.pbem("form", "g.json", *self.words)
        lines = form.out.partition("\norders:\n")[2].splitlines()
        verbs = [
            match.group(1)
            for line in lines if (match := re.match(r"  (?:# )?- (\w+)(?::|$| )", line))
        ]  # fmt: skip
        found.append(sorted({verb for verb in verbs if verb in found[0]}))
        return found

    def says_so(self) -> set[bool]:
        """Whether a report says that it shows more than the file, one after another."""
        lines = ("status", "show", "log", "luck", "summary", "dice")
        if self.game.opened.system.cardbook.faces():
            lines = (*lines, "cards")
        flags = ("status", "show", "luck", "summary", "dice")
        return {
            *(bool(AHEAD.search(self.text(command))) for command in lines),
            *(self.json(command)["ahead"] for command in flags),
            "next mail" in self.picture(),
        }

    def of_orders(self) -> Iterator[bool]:
        """The same of the commands that judge orders, here those of the player for practice, from
        what they can attack on.
        """
        orders = written(self.game, self.key) if self.key else None
        if orders is None:
            return
        (self.desk.folder / "orders.yaml").write_text(orders.text, encoding="utf-8")
        yield bool(AHEAD.search(self.text("check", "orders.yaml")))
        odds = self.desk.pbem("odds", "g.json", "orders.yaml", *self.words)
        if odds.code == 0:  # otherwise there is no attack in them
            yield bool(AHEAD.search(odds.out))

    def picture(self) -> str:
        path = Path(self.desk.folder / "board.svg")
        path.unlink(missing_ok=True)
        self.desk.done("show", "g.json", "--svg", "board.svg", *self.words)
        return path.read_text(encoding="utf-8")


def _printed(chit: str) -> str:
    """A chit without the letter that tells it from its copies."""
    return chit.rstrip("abcdef")


def _fallen(roll: dict[str, Any]) -> str:
    return str(roll["face"]) if roll["faces"] else ", ".join(str(at + 1) for at in roll["picked"])


@pytest.fixture(scope="module", params=POSITIONS, ids=lambda each: f"{each[0]}-{each[1]}")
def laid(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A position in a folder with both keys, and the game after its next entry."""
    slug, at = request.param
    game = between_mails(slug, ENTRIES[slug])[at]
    folder = tmp_path_factory.mktemp("laid")
    (folder / "g.json").write_bytes(game.bytes())
    for player, key in keys_of(slug).items():
        (folder / f"{player}.key").write_bytes(private_file(key))
        (folder / f"{player}.key").chmod(0o600)
    with pytest.MonkeyPatch.context() as patch:
        yield at_home(folder, patch), game, played(slug, ENTRIES[slug])[len(game.fold.entries)]


def same(answers: list[Any]) -> bool:
    return all(each == answers[0] for each in answers)


def test_every_command_shows_the_author_of_the_next_mail_the_same(laid: Any) -> None:
    desk, game, after = laid
    asked = Asked(desk, game, game.fold.pen)
    decided = now(game, asked.key)
    assert asked.key is not None
    found = prospect(game.fold, asked.key)  # whose passphrase is asked for only if this is so:
    assert is_decided_by(game.fold, asked.player) is (found.fold is not game.fold)
    assert same([*asked.moments(), words(decided.table.clock.words)])
    assert same(asked.boards())
    status = asked.json("status")
    assert status["position"] == plain(decided.table.public())
    assert same(asked.dice())
    assert len(set(asked.luck())) == 1
    assert same(asked.hands())
    assert same(asked.questions())
    assert asked.says_so() == {decided.fold.is_ahead}
    assert {*asked.of_orders()} <= {decided.fold.is_ahead}
    for command in ("status", "summary"):
        due = " ".join(asked.text(command).split()).lower().partition("to write: ")[2]
        for each in {*prompts(game), *prompts(decided)}:
            assert (each.lower() in due) is (each in prompts(decided)), (command, each)
    # The next entry, as it was really written, bears it out.
    rolled = [item for item in after.fold.journal[-1] if isinstance(item, Rolled)]
    foreseen = [item for item in decided.fold.told() if isinstance(item, Rolled)]
    known = [item for item in game.fold.told() if isinstance(item, Rolled)]
    fallen = [each.records for each in foreseen[len(known) :]]
    assert fallen == [each.records for each in rolled[: len(fallen)]]


def prompts(game: Game) -> list[str]:
    """What the players of a running game are asked, in words."""
    owed = game.fold.owed if game.fold.phase == "running" else ()
    return [words(owed_words(each, game)) for each in owed if each.code in ASKED]


def test_the_board_shows_it_too(laid: Any) -> None:
    desk, game, _ = laid
    asked = Asked(desk, game, game.fold.pen)
    drawer = Drawer(game)
    drawer.key = asked.key
    seen = Session(drawer).view()
    decided = now(game, asked.key)
    moment = words(decided.table.clock.words)
    assert seen["moment"].removesuffix(", with the dice of the next mail") == moment
    assert ("next mail" in seen["moment"]) is decided.fold.is_ahead
    side = game.side_of(asked.player)
    (camp,) = (each for each in seen["camps"] if each["side"] == side)
    for held in asked.hands()[:1]:
        assert sorted(_printed(each["id"]) for each in camp["hand"]) == held
    assert sorted(each["verb"] for each in seen["ask"]["verbs"]) == asked.questions()[0]


def test_the_board_draws_what_the_opponent_did(laid: Any) -> None:
    """The fights since the last decision of who looks, with what came of them."""
    desk, game, _ = laid
    asked = Asked(desk, game, game.fold.pen)
    drawer = Drawer(game)
    drawer.key = asked.key
    seen = now(game, asked.key)
    led = last_led(seen, asked.player)
    kinds = {each.kind for each in strokes_since(seen, -1 if led is None else led)}
    drawn = Session(drawer).view()["fragments"]
    assert ("#burst" in drawn["bursts"]) is ("result" in kinds)
    assert ("attack" in drawn["arrows"]) is ("attack" in kinds)


def test_everybody_else_sees_the_file(laid: Any) -> None:
    """In half of the positions this is the other player, in the others somebody without a key."""
    desk, game, _ = laid
    other = "B" if game.fold.pen == "A" else "A"
    asked = Asked(desk, game, other if len(game.fold.entries) % 2 else "")
    assert asked.says_so() == {False}
    assert asked.json("status")["position"] == plain(game.table.public())
    assert same([*asked.moments(), words(game.table.clock.words)])
    fallen = [item for item in game.fold.told() if isinstance(item, Rolled)]
    labels = [record.label for item in fallen for record in item.records]
    assert [label for label, _ in asked.dice()[0]] == labels


def test_who_names_the_last_entry_sees_the_file(laid: Any) -> None:
    desk, game, _ = laid
    last = str(len(game.fold.entries) - 1)
    asked = Asked(desk, game, game.fold.pen)
    cards = ("cards",) if game.opened.system.cardbook.faces() else ()
    for command in ("status", "show", "luck", "summary", *cards, "dice"):
        assert not AHEAD.search(asked.text(command, "--entry", last))
    assert not AHEAD.search(asked.text("log", "--to", last))
    assert asked.json("status", "--entry", last)["position"] == plain(game.table.public())


def test_what_leaves_the_machine_is_from_the_file(laid: Any) -> None:
    """A mail, a digest to compare, and a judgement are the same for whoever makes them."""
    desk, game, _ = laid
    pen = game.fold.pen
    for command, *more in (("mail", "-o", "-"), ("show", "--digest"), ("verify",)):
        key = ("--key", f"{pen}.key") if command == "show" else ()
        told = desk.done(command, "g.json", *more, *key)
        assert "next mail" not in told
        # A mail has the second in which it was made.
        assert DATE.sub("", told) == DATE.sub("", desk.done(command, "g.json", *more))


def test_a_page_has_the_dice_in_its_last_moment_alone(laid: Any) -> None:
    desk, game, _ = laid
    pen = game.fold.pen
    if not now(game, keys_of(game.opened.system.slug)[pen]).fold.is_ahead:
        pytest.skip("nothing is decided ahead here")
    page = desk.folder / "game.html"
    for key, is_ahead in ((("--key", f"{pen}.key"), True), ((), False)):
        page.unlink(missing_ok=True)
        desk.done("show", "g.json", "--html", "game.html", *key)
        text = page.read_text(encoding="utf-8")
        assert ("with the dice of the next mail</p>" in text) is is_ahead
        assert (f"entry {len(game.fold.entries)}" in text) is is_ahead


# --- the turn that a player reads ---------------------------------------------------------------


def test_what_turn_tells_of_a_mail_the_other_commands_show(desk: Desk) -> None:
    """g3: Ana has attacked Riotinto, and Beto's own value opens the dice."""
    key = ("--key", "beto.key")
    told = desk.done("turn", "g3.json", *key)
    won = "The Nationalists take control of Riotinto." in told
    shown = desk.done("show", "g3.json", "riotinto", *key)
    assert shown.startswith(
        "with the dice of your next mail (entry 4), which nobody else knows yet\n"
    )
    assert (" N  Riotinto" in shown) is won
    assert ("R-MIL-14 is eliminated" in told or "then eliminated" in told) is (
        "R-MIL-14" not in shown
    )
    assert " R  Riotinto" in desk.done("show", "g3.json", "riotinto", "--entry", "3", *key)
    assert " R  Riotinto" in desk.done("show", "g3.json", "riotinto")
    changes = desk.done("show", "g3.json", "--since", "3", *key)
    assert "since entry 3:\n" in changes
    assert "is not before entry 3" in desk.refused(2, "show", "g3.json", "--since", "3")


def test_a_key_is_opened_only_where_it_tells_more(desk: Desk) -> None:
    """Nobody is asked for a passphrase to read what everybody may know."""
    for name in ("ana", "beto"):
        key = KeyPair.from_seed(sha256(f"cli {name}".encode()).digest())
        (desk.folder / f"{name}.key").write_bytes(private_file(key, b"secret"))
    for command in ("log", "luck", "dice", "summary"):
        assert not AHEAD.search(desk.done(command, "g3.json", "--key", "ana.key"))
        err = desk.refused(1, command, "g3.json", "--key", "beto.key")
        assert "there is no terminal to ask for it" in err
        last = "--to" if command == "log" else "--entry"
        desk.done(command, "g3.json", "--key", "beto.key", last, "3")
