"""Whatever others wrote, no command prints or writes for people what cannot be seen."""

from __future__ import annotations

import email
import email.policy
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from unicodedata import category

import pytest

from pbem.cli.request import COMMANDS
from pbem.gamefile import format
from pbem.gamefile.compose import Wish, compose
from pbem.gamefile.fold import replay
from pbem.gamefile.keys import load_private
from pbem.play.game import table_for
from pbem.words import UNSEEN
from tests.cli.conftest import at_home
from tests.cli.desk import Desk, lay_keys

NASTY = "x\u202ey\u2066z\u200b\u2028\u2029\ufeff\u00ad\U000e0041w"
"""What a signed entry may hold: it has no control characters, or it is refused as a whole."""
WORSE = f"{NASTY}\x9b31m\x85\x1b[2J"
"""What one may call a command with."""
GAME = "bad.json"
WORDS: dict[str, tuple[tuple[str, ...], ...]] = {
    "log": (("log", GAME), *(("log", GAME, "--format", style)
            for style in ("json", "markdown", "html", "bbcode", "journal"))),
    "luck": (("luck", GAME), ("luck", GAME, "--json")),
    "summary": (("summary", GAME), ("summary", GAME, "--json"), ("summary", GAME, "--side", WORSE),
                ("summary", GAME, "--format", "html")),
    "status": (("status", GAME), ("status", GAME, "--key", "ana.key"),
               ("status", GAME, "--json"), ("status", GAME, "--key", "ana.key", "--json")),
    "show": (("show", GAME), ("show", GAME, "madrid", "--key", "ana.key"), ("show", GAME, WORSE),
             ("show", GAME, "--json"), ("show", GAME, "--side", WORSE),
             ("show", GAME, "--digest")),
    "cards": (("cards", GAME), ("cards", GAME, "N1", "--json"), ("cards", "crusade", WORSE),
              ("cards", WORSE)),
    "verify": (("verify", GAME), ("verify", GAME, "--json"), ("verify", GAME, "--without-rules"),
               ("verify", GAME, "--without-rules", "--json")),
    "mail": (("mail", GAME, "-o", "m.eml"), ("mail", GAME, "--json", "-o", "n.eml"),
             ("mail", GAME, "--armor")),
    "dice": (("dice", GAME), ("dice", GAME, "--json")),
    "form": (("form", GAME), ("form", GAME, "--key", "ana.key"), ("form", GAME, "-o", "f.yaml")),
    "check": (("check", GAME, "o.yaml", "--key", "ana.key"),
              ("check", GAME, "o.yaml", "--json", "--key", "ana.key")),
    "odds": (("odds", GAME, "o.yaml", "--key", "ana.key"),
             ("odds", GAME, "o.yaml", "--json", "--key", "ana.key")),
    "read": (("read", GAME, "-o", "r.json"), ("read", GAME, "-o", "s.json", "--json"),
             ("read", GAME, "--key", "ana.key", "-o", "t.json")),
    "apply": (("apply", GAME, "--key", "beto.key", "-o", "1.json"),
              ("apply", GAME, "--key", "beto.key", "-o", "2.json", "--json"),
              ("apply", GAME, "o.yaml", "--key", "ana.key", "-o", "8.json")),
    "turn": (("turn", GAME, "--key", "ana.key"), ("turn", GAME, "--key", "beto.key", "--yes"),
             ("turn", GAME, "--key", "ana.key", "--orders", WORSE)),
    "answer": (("answer", GAME, "yes", "--key", "ana.key", "-o", "3.json"),
               ("answer", GAME, "no", "--key", "ana.key", "-o", "3.json", "--json")),
    "offer": (("offer", "g3.json", "draw", "--key", "beto.key", "-o", "4.json"),
              ("offer", "g3.json", "adjourn", "--until", WORSE, "--key", "beto.key")),
    "resign": (("resign", "g3.json", "--yes", "--key", "beto.key", "-o", "5.json"),),
    "audit": (("audit", GAME), ("audit", GAME, "--json", "--key", "beto.key")),
    "claim": (("claim", "g3.json", "--key", "beto.key", "-o", "6.json"),
              ("claim", "g3.json", "--key", "beto.key", "-o", "6.json", "--json")),
    "deputy": (("deputy", GAME, "--key", "ana.key", "--to", "named.pub", "-o", "9.json"),),
    "ruling": (("ruling", GAME, "--key", "ana.key", "--winner", WORSE),
               ("ruling", GAME, "--key", "ana.key", "--enter", WORSE)),
    "rotate": (("rotate", GAME, "--key", "ana.key", "--to", "eve.key", "-o", "7.json"),),
    "prove-fork": (("prove-fork", GAME, "fork.json"), ("prove-fork", GAME, "fork.json", "--json"),
                   ("prove-fork", GAME, "fork.json", "-o", "p.json")),
    "new": (("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
             "--opponent", "named.pub", "--match", WORSE, "-o", f"{WORSE}.json"),
            ("new", "crusade", "campaign", "--side", WORSE, "--key", "ana.key", "--opponent",
             "beto.key.pub", "--json"),
            ("new", WORSE, WORSE, "--side", "nationalist", "--key", "ana.key", "--opponent", "x")),
    "solo": (("solo", "crusade", WORSE), ("solo", "crusade", "campaign", "--option", WORSE)),
    "contacts": (("contacts",), ("contacts", "--json"), ("contacts", "forget", WORSE)),
    "key": (("key", "show", "named.pub"), ("key", "show", "named.pub", "--json")),
    "keygen": (("keygen", "--out", "k.key", "--name", WORSE, "--no-passphrase"),),
    "games": (("games", WORSE), ("games", "--json")),
    "data": (("data", WORSE),),
    "init": (("init", "--key", "ana.key", "--name", WORSE), ("init", "--key", WORSE, "--json"),
             ("init", "--key", "named.key"), ("init", "--key", WORSE)),
    "board": (("board", "g3.json", "--key", "ana.key"), ("board", GAME, "--key", "ana.key"),
              ("board", WORSE), ("board", GAME, "--to", WORSE)),
    "rules": (("rules", WORSE), ("rules", "crusade", WORSE)),
}  # fmt: skip
"""For every command how it is called on the game, on its entries, or with such words itself."""


def spoken(desk: Desk, base: str, to: str, by: str = "ana", **wishes: object) -> None:
    """`base` with an entry that a program of its author's own has composed."""
    fold = replay(format.read((desk.folder / base).read_bytes()), table_for)
    key = load_private((desk.folder / f"{by}.key").read_bytes(), None)
    wish = Wish(say=(NASTY, f"*{NASTY}* <b>"), **wishes)  # type: ignore[arg-type]
    made = compose(fold, key, wish, tool="pbem 0")
    (desk.folder / to).write_bytes(format.write(made.fold.entries))


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game whose proposal, words and program names are full of it, and another story of it."""
    folder = tmp_path_factory.mktemp("nasty") / "desk"
    folder.mkdir()
    lay_keys(folder)
    with pytest.MonkeyPatch.context() as patch:
        lay_games(at_home(folder, patch))
    return folder


@pytest.fixture
def nasty(laid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    shutil.copytree(laid, tmp_path / "desk")
    return at_home(tmp_path / "desk", monkeypatch)


def lay_games(desk: Desk) -> None:
    desk.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
              "--opponent", "beto.key.pub", "--match", NASTY, "--option", "example_hands",
              "-o", "g0.json")  # fmt: skip
    desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    spoken(desk, "g1.json", "g2.json")
    offer = {"what": "adjourn", "until": NASTY}
    orders = ({"play": {"card": "N1", "for": "event"}},)
    spoken(desk, "g2.json", "g3.json", orders=orders)
    spoken(desk, "g3.json", GAME, by="beto", offer=offer)
    spoken(desk, "g2.json", "fork.json", resign=True)
    desk.write("o.yaml", "orders:\n  - activate: {attack: [sevilla]}\n")
    line = (desk.folder / "eve.key.pub").read_text()
    desk.write("named.pub", line.replace(" eve", f" {NASTY}\x9b31m"))
    shutil.copy(desk.folder / "eve.key", desk.folder / "named.key")
    desk.write("named.key.pub", line.replace(" eve", f" {NASTY}\x9b31m"))


def unseen(text: str) -> list[str]:
    return [f"{char!a}" for char in text if category(char) in UNSEEN and char != "\n"]


def test_every_command_is_called_here() -> None:
    assert set(WORDS) == set(COMMANDS)


def all_of_the_page(desk: Any, language: Any, *, is_opened: bool) -> None:
    """In the place of a browser: prints what the page is told, and signs."""
    from pbem.desk.session import Session

    session = Session(desk, language)
    print(*texts_of([session.view(), session.sheet(), session.story(), session.form()]))
    session.write(f"{session.text}  - activate: {{attack: [sevilla]}}\n  - done\n")
    print(*texts_of([session.check(), session.view(), session.send().lines, session.view()]))


def texts_of(told: Any) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, list | tuple | dict):
        for each in told.items() if isinstance(told, dict) else told:
            yield from texts_of(each)


@pytest.mark.parametrize("command", COMMANDS)
def test_nothing_unseen_is_printed_or_written(
    nasty: Desk, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if command == "board":
        pytest.importorskip("starlette", reason="the extra `board` is not installed")
        pytest.importorskip("uvicorn", reason="the extra `board` is not installed")
        monkeypatch.setattr("pbem.cli.board_desk.serve", all_of_the_page)
    for words in WORDS[command]:
        before = nasty.files()
        result = nasty.pbem(*words)
        assert result.code != 70, result
        for text in (result.out, result.err):
            assert unseen(text) == [], (words, text)
        if "--json" in words and result.code == 0:
            json.loads(result.out)
        for name in set(nasty.files()) - set(before):
            if name.endswith((".json", ".key")):
                continue  # a game is for programs: signed words stand in it as they were signed
            read_by_people(nasty.folder / name)


def read_by_people(path: Path) -> None:
    text = path.read_bytes().decode("utf-8")
    assert unseen(text.replace("\r\n", "\n")) == [], path
    if path.suffix == ".eml":
        message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        body = message.get_body()
        assert body is not None and unseen(body.get_content().replace("\r\n", "\n")) == []
        assert unseen(str(message["subject"])) == []
