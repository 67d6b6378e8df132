"""What a player hides is in no byte that others get, in text, in hex or in base64.

Random games by mail with hidden hands. What a key makes for everybody, or from the other side, is
what it would be without the key.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pbem.cli.pages import as_page
from pbem.cli.pictures import as_svg
from pbem.gamefile.beacons import derive_chain
from pbem.gamefile.in_play import PLAYERS, other
from pbem.gamefile.keys import KeyPair, private_file
from pbem.mail.eml import written
from pbem.mail.outgoing import letter
from pbem.messages import ENGLISH
from pbem.play.game import Game, with_fold
from pbem.play.seen import seen
from pbem.play.story import story
from pbem.play.summary import as_log, summary
from pbem.render.formats import FORMATS, rendered
from tests.cli.conftest import at_home
from tests.cli.desk import Desk
from tests.desk.conftest import Drawer
from tests.play.test_sealed_by_mail import Sealed

TABLES = (("crusade", "campaign", 12), ("madrid", "scenario_1", 24), ("ctv", "santander", 12))
"""Games and scenarios, and the mails after which something is hidden and something is known."""


@pytest.fixture(scope="module", params=TABLES, ids=lambda each: each[0])
def played(request: pytest.FixtureRequest) -> Sealed:
    slug, scenario, mails = request.param
    game = Sealed("what is hidden", scenario, slug=slug)
    for _ in range(mails):
        game.mail()
    return game


def hidden_steps(played: Sealed, player: str) -> list[dict[str, Any]]:
    """The steps that would open what a player alone knows, as far as they never gave them."""
    machine, secrets = played.fold.machine, played.secrets(player)
    steps = [secrets.open(machine.hidden.decks, slot) for slot in secrets.hidden_hand(machine)]
    given = [dict(step) for entry in played.fold.entries for step in entry.steps]
    return [step for step in steps if step not in given]


def hidden_values(played: Sealed, player: str) -> Iterator[bytes]:
    """Seeds, nonces of hidden cards, and the next values: what would open what is hidden."""
    machine, secrets = played.fold.machine, played.secrets(player)
    context = machine.keys.contexts[player]
    chain = derive_chain(secrets.game, player, context, machine.chain_length)
    come = machine.beacons.revealed[player] + 1
    yield from (played.keys[player].seed, secrets.game)
    yield from map(bytes.fromhex, chain[come : come + 3])
    yield from (bytes.fromhex(step["nonce"]) for step in hidden_steps(played, player))


def written_as(value: bytes) -> Iterator[bytes]:
    """A value in text, and wherever in a text in base64 it may begin."""
    yield value
    yield value.hex().encode()
    for shift in range(3):
        yield b64encode(bytes(shift) + value)[4:-4]


def public(game: Game, key: KeyPair | None) -> Iterator[bytes]:
    """What the owner of a key makes for everybody; without a key, what anybody would make."""
    own = game.side_of(game.fold.player_of(key.public)) if key else None
    for side in game.opened.system.sides:
        if side != own:
            found = seen(game, key, side)
            yield as_svg(game, found, ENGLISH)
            yield json.dumps(found.scene, default=repr, sort_keys=True).encode()
            yield as_page(game, found, ENGLISH)


def mailed(game: Game) -> Iterator[bytes]:
    """The file, and the mail that carries it."""
    yield game.bytes()
    mail = written(letter(game, "game.pbem.json"))
    yield mail
    yield from (b64decode(each) for each in re.findall(rb"(?:[\w+/]{76}\r?\n){2,}", mail))


def told(game: Game) -> Iterator[bytes]:
    """The story in every form, and what a turn brought."""
    log = story(game)
    yield from (rendered(log, style).encode() for style in FORMATS)
    yield rendered(as_log(summary(game))).encode()


def at_the_board(game: Game, key: KeyPair) -> Iterator[bytes]:
    """All that the page of a board is told."""
    pytest.importorskip("starlette", reason="the extra `board` is not installed")
    from pbem.desk.session import Session

    disk: Any = Drawer(game)
    disk.key = key
    session = Session(disk)
    told = session.sheet(), session.view(), session.story()
    yield json.dumps(told, ensure_ascii=False).encode()


@pytest.fixture(scope="module")
def made(played: Sealed) -> dict[str | None, list[bytes]]:
    """What each key makes for everybody; under None what anybody would make."""
    game = with_fold(played.fold)
    return {name: [*public(game, played.keys.get(name or ""))] for name in (*PLAYERS, None)}


@pytest.fixture(scope="module")
def boards(played: Sealed) -> dict[str, list[bytes]]:
    """What the board of each player is told."""
    game = with_fold(played.fold)
    return {player: [*at_the_board(game, played.keys[player])] for player in PLAYERS}


REPORTS = (
    ("status",), ("status", "--json"), ("show",), ("show", "--json"), ("show", "--digest"),
    ("log",), ("log", "--json"), ("log", "--format", "journal"), ("summary",),
    ("summary", "--json"), ("dice",), ("dice", "--json"), ("luck",), ("luck", "--json"),
    ("verify",), ("verify", "--json"), ("cards",), ("cards", "--json"), ("form",),
    ("read", "--json", "-o", "read.json"),
)  # fmt: skip
"""Commands that report a game, as text and for programs."""
KEYED = ("status", "show", "summary", "cards", "form")
"""Those that show more to the owner of a key."""


NOT_THERE = {"form": "no orders can be given now", "cards": "has no cards"}
"""What a command says that has nothing to report."""


def reported(desk: Desk, key: str | None) -> Iterator[bytes]:
    """What the commands print of game.json, with a key where they take one."""
    for name, *words in REPORTS:
        with_key = ("--key", key) if key and name in KEYED and "--digest" not in words else ()
        found = desk.pbem(name, "game.json", *words, *with_key)
        has_none = NOT_THERE.get(name, "\0") in found.err
        assert not found.code or has_none, (name, words, found.err)
        out = found.out
        if name in ("status", "read") and "--json" in words:
            out = json.dumps(json.loads(out, object_hook=_without_what_all_may_be))
        yield f"{out}{found.err}".encode()


def _without_what_all_may_be(read: dict[str, Any]) -> dict[str, Any]:
    """Without decks, what nobody has seen yet, and what both know that a covered counter may be."""
    lists = ("unseen", "cards", "fields")
    return {name: value for name, value in read.items() if name not in lists}


@pytest.fixture
def reports(
    played: Sealed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str | None, list[bytes]]:
    """What the commands print for each player, and under None without a key."""
    desk = at_home(tmp_path, monkeypatch)
    (tmp_path / "game.json").write_bytes(with_fold(played.fold).bytes())
    for player in PLAYERS:
        file = tmp_path / f"{player}.key"
        file.write_bytes(private_file(played.keys[player]))
        file.chmod(0o600)
    found: dict[str | None, list[bytes]] = {}
    for name in (*PLAYERS, None):
        found[name] = [*reported(desk, f"{name}.key" if name else None)]
        (tmp_path / "read.json").unlink()
    return found


def test_no_command_reports_what_is_hidden(played: Sealed, reports: Any) -> None:
    for player in PLAYERS:
        cards = {step["card"] for step in hidden_steps(played, player)}
        sought = re.compile(rf"\b({'|'.join(map(re.escape, cards))})\b".encode())
        values = [each for value in hidden_values(played, player) for each in written_as(value)]
        assert any(map(sought.search, reports[player])), "its owner sees it"
        for reader in (other(player), None):
            for words, one in zip(REPORTS, reports[reader], strict=True):
                assert not sought.findall(one), words
                assert not [each for each in values if each in one], words


def test_no_secret_is_in_what_is_sent_or_shown(played: Sealed, made: Any, boards: Any) -> None:
    sent = [*mailed(with_fold(played.fold))]
    for player in PLAYERS:
        sought = [each for value in hidden_values(played, player) for each in written_as(value)]
        assert len(sought) > 30
        for one in (*sent, *made[player], *boards[other(player)]):
            assert not [each for each in sought if each in one]


def test_no_hidden_card_is_in_what_is_told_or_shown(played: Sealed, made: Any, boards: Any) -> None:
    story_and_turn = [*told(with_fold(played.fold))]
    for player in PLAYERS:
        cards = {step["card"] for step in hidden_steps(played, player)}
        assert cards
        sought = re.compile(rf"\b({'|'.join(map(re.escape, cards))})\b".encode())
        assert sought.search(boards[player][0]), "its owner sees it"
        for one in (*story_and_turn, *made[player], *boards[other(player)]):
            assert not sought.findall(one)


def test_a_key_shows_the_other_side_what_nobody_hides(made: Any) -> None:
    half = len(made[None]) // 2
    assert made["A"] == made[None][half:] and made["B"] == made[None][:half]
