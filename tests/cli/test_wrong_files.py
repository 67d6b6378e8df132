"""What a newcomer gives by mistake is called what it is; an old file is noticed without a key."""

from __future__ import annotations

import gzip
import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk

TOLD: Mapping[str, tuple[str, str]] = {
    "game": ("a game file", "pbem status {file}"),
    "orders": ("an orders file", "pbem turn GAME --orders {file}"),
    "message": ("a message", "pbem read {file}"),
    "block": ("a pasted block of entries", "pbem read {file} --game GAME"),
    "key": ("a private key", "use it with --key"),
    "public": ("a public key", "use it with pbem new --opponent"),
    "paper": ("a private key on paper", "pbem key restore {file}"),
    "contacts": ("a list of contacts", "pbem contacts lists yours"),
    "proof": ("the proof of a fork", "pbem prove-fork {file} checks it"),
    "request": ("a request for a new key", "pbem rotate GAME --key YOUR.key --for {file}"),
    "ruling": ("a ruling", "pbem ruling GAME --enter {file} brings it into the game"),
    "own": ("a file that pbem keeps for itself", "no command takes it"),
}
"""What each kind of file is called, and the command that takes it."""
WRITTEN: Mapping[str, tuple[str, ...]] = {
    "game": ("g0.json", "g4.json", "solo.json", "packed.json.gz", "laid-out-otherwise.json"),
    "orders": ("orders.yaml", "form.yaml", "said.yaml"),
    "message": ("m.eml", "box.mbox", "saved.eml"),
    "block": ("paste.txt",),
    "key": ("ana.key", "locked.key"),
    "public": ("ana.key.pub",),
    "paper": ("sheet.txt",),
    "contacts": ("contacts.json",),
    "proof": ("proof.json", "evidence.json"),
    "request": ("request.json",),
    "ruling": ("ruling.json",),
    "own": ("seen.json", "snapshot", "forms", "lock"),
}
"""Files of each kind: all that a command writes, and what mail makes of them."""
RULING = json.dumps(
    {
        "format": "pbem-ruling/1", "game": "0" * 64, "prev": "0" * 64,
        "step": {"do": "ruling", "what": "extend", "days": 3, "sig": "A" * 86 + "=="},
    }, indent=1,
)  # fmt: skip
"""A ruling for another game."""
PLACES: Mapping[str, tuple[tuple[str, ...], frozenset[str]]] = {
    **{f"GAME of {name}": ((name, "{}", *more), frozenset({"game"})) for name, *more in (
        ("status",), ("verify",), ("log",), ("dice",), ("form",), ("mail",), ("show",),
        ("cards",), ("summary",), ("luck",),
        ("check", "orders.yaml"), ("odds", "orders.yaml"),
        ("resign", "--yes", "--key", "beto.key"), ("offer", "draw", "--key", "beto.key"),
        ("answer", "yes", "--key", "beto.key"), ("claim", "--key", "beto.key"),
        ("audit", "--key", "beto.key"), ("rotate", "--key", "beto.key", "--to", "eve.key"),
    )},
    "GAME of apply": (("apply", "{}", "--key", "beto.key"), frozenset({"game", "orders"})),
    "--last": (("status", "g4.json", "--last", "{}"), frozenset({"game"})),
    "--game": (("read", "paste.txt", "--game", "{}"), frozenset({"game"})),
    "prove-fork FILE1": (("prove-fork", "{}"), frozenset({"game", "proof"})),
    "prove-fork FILE2": (("prove-fork", "g4.json", "{}"), frozenset({"game", "proof"})),
    "ORDERS of check": (("check", "g2.json", "{}"), frozenset({"orders"})),
    "ORDERS of odds": (("odds", "g2.json", "{}"), frozenset({"orders"})),
    "ORDERS of apply": (("apply", "g2.json", "{}", "--key", "ana.key"), frozenset({"orders"})),
    "form --after": (("form", "g2.json", "--after", "{}"), frozenset({"orders"})),
    "--key": (("status", "g4.json", "--key", "{}"), frozenset({"key"})),
    "--secrets": (
        ("status", "g4.json", "--key", "ana.key", "--secrets", "{}"), frozenset({"key"})),
    "rotate --to": (
        ("rotate", "g2.json", "--key", "ana.key", "--to", "{}"), frozenset({"key"})),
    "rotate --for": (
        ("rotate", "g3.json", "--key", "ana.key", "--for", "{}"), frozenset({"request"})),
    "key export": (("key", "export", "--paper", "{}", "-o", "x"), frozenset({"key"})),
    "key show": (("key", "show", "{}"), frozenset({"key", "public"})),
    "key restore": (
        ("key", "restore", "{}", "--out", "x", "--no-passphrase"), frozenset({"paper"})),
    "--opponent": (("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
                    "--opponent", "{}", "-o", "x"), frozenset({"public"})),
    "--spare": (
        ("apply", "g0.json", "--key", "beto.key", "--spare", "{}"), frozenset({"public"})),
    "deputy --to": (
        ("deputy", "g2.json", "--key", "ana.key", "--to", "{}"), frozenset({"public"})),
    "ruling --enter": (
        ("ruling", "g2.json", "--key", "ana.key", "--enter", "{}"), frozenset({"ruling"})),
    "ruling --seat": (
        ("ruling", "g3.json", "--key", "ana.key", "--seat", "{}"), frozenset({"request"})),
    "--director": (("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
                    "--opponent", "beto.key.pub", "--director", "{}", "-o", "x"),
                   frozenset({"public"})),
    "MAIL": (("read", "{}", "-o", "x"), frozenset({"game", "message", "block"})),
}  # fmt: skip
"""Where a file is named: the command, and the kinds that may stand there."""


@pytest.fixture(scope="module")
def laid(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with every file that the commands write."""
    folder = tmp_path_factory.mktemp("kinds") / "desk"
    shutil.copytree(played, folder)
    with pytest.MonkeyPatch.context() as patch:
        desk = at_home(folder, patch)
        write_all(desk)
    shutil.rmtree(folder / ".home")
    return folder


def write_all(desk: Desk) -> None:
    folder, home = desk.folder, desk.folder / ".home"
    desk.orders("play: {card: N1, for: event}")
    desk.write("said.yaml", "# for later\n\nsay: hello\n" + "# and more\n" * 9000)
    desk.done("form", "g2.json", "-o", "form.yaml")
    desk.done("mail", "g4.json", "-o", "m.eml")
    mail = (folder / "m.eml").read_bytes()
    (folder / "box.mbox").write_bytes(b"From a@b\n" + mail)
    (folder / "saved.eml").write_bytes(b"Delivered-To: a\nX-A: b\n  c\n" + mail)
    desk.write("paste.txt", desk.done("mail", "g4.json", "--armor"))
    (folder / "packed.json.gz").write_bytes(gzip.compress((folder / "g4.json").read_bytes()))
    sound = (folder / "g4.json").read_text()
    desk.write("laid-out-otherwise.json", " " + sound.replace('{\n "entries"', '{"entries"', 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PBEM_PASSPHRASE", "secret")
        desk.pbem("keygen", "--out", "locked.key")
    desk.pbem("key", "export", "--paper", "eve.key", "-o", "sheet.txt")
    desk.pbem("rotate", "g3.json", "--to", "eve.key", "--ask", "-o", "request.json")
    desk.write("ruling.json", RULING)
    desk.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
              "--opponent", "beto.key.pub", "-o", "other.json")  # fmt: skip
    two_stories(desk)
    shutil.copy(home / "config/pbem/contacts.json", folder / "contacts.json")
    for where, name in (("config/pbem/seen/*.json", "seen.json"), ("cache/pbem/forms", "forms"),
                        ("cache/pbem/replay/*.snapshot", "snapshot"),
                        ("*/pbem/locks/*.lock", "lock")):  # fmt: skip
        shutil.copy(next(path for path in home.glob(where) if path.stat().st_size), folder / name)


def two_stories(desk: Desk) -> None:
    """Ana writes twice to one position, on machines that remember nothing; Beto finds out."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / "forger"))
        desk.done("apply", "g2.json", CHAPTER24 / "01-nationalist.yaml", "--key", "ana.key",
                  "-o", "one.json")  # fmt: skip
        patch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / "again"))
        desk.done("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "two.json")
    desk.done("prove-fork", "one.json", "two.json", "-o", "proof.json")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(desk.folder / ".home" / "victim"))
        desk.pbem("apply", "one.json", "--key", "beto.key", "-o", "three.json")
        desk.pbem("apply", "two.json", "--key", "beto.key", "-o", "four.json")
    (evidence,) = desk.folder.glob("fork_*.json")
    evidence.rename(desk.folder / "evidence.json")


@pytest.fixture(scope="module")
def at_desk(laid: Path, tmp_path_factory: pytest.TempPathFactory):
    folder = tmp_path_factory.mktemp("given") / "desk"
    shutil.copytree(laid, folder)
    with pytest.MonkeyPatch.context() as patch:
        yield at_home(folder, patch)


@pytest.mark.parametrize("place", PLACES)
def test_every_file_we_write_is_called_what_it_is_wherever_another_is_wanted(
    at_desk: Desk, place: str
) -> None:
    """One file of each kind; over the places all of them in turn."""
    words, taken = PLACES[place]
    turn = list(PLACES).index(place)
    for kind, files in WRITTEN.items():
        for file in [files[turn % len(files)]] if kind not in taken else ():
            told = at_desk.refused(2, *(word.replace("{}", file) for word in words))
            what, takes = TOLD[kind]
            assert told.startswith(f"{file}: this is {what}, not "), (place, told)
            assert told.count("\n      hint: ") == 1
            assert takes.format(file=file) in told, (place, told)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_wanted_is_not_refused_as_another(
    laid: Path, tmp_path: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(laid, tmp_path / "desk")
    desk = at_home(tmp_path / "desk", monkeypatch)
    words, taken = PLACES[place]
    turn = list(PLACES).index(place)  # two files of a kind for each place, all of them in turn
    for kind in taken:
        files = WRITTEN[kind]
        for file in {files[turn % len(files)], files[(turn + 1) % len(files)]}:
            told = desk.pbem(*(word.replace("{}", file) for word in words))
            assert ": this is " not in told.err, (place, told)


def test_standing_orders_in_place_of_a_game_belong_beside_it(at_desk: Desk) -> None:
    at_desk.write("mine.yaml", "# mine\nstanding: {}\n")
    told = at_desk.refused(2, "check", "mine.yaml", "orders.yaml")
    assert "mine.yaml: this is a file of standing orders, not a game file" in told
    assert "as standing.yaml next to it they go with your next mail" in told
    at_desk.write("both.yaml", "standing: {}\norders:\n  - done\n")
    assert "this is an orders file, not a game file" in at_desk.refused(2, "status", "both.yaml")


def test_every_kind_that_is_known_is_in_the_table(at_desk: Desk) -> None:
    from pbem.cli import kinds

    known = {kind for kind, *_ in kinds._KINDS} - {kinds.FOREIGN}  # which no command writes
    assert known == set(TOLD) == set(WRITTEN)


@pytest.mark.parametrize("text", ["# What pbem knows\nkey = 1\n", "\x89PNG", "\ufeff[1]", "hello"])
def test_what_never_was_a_game_is_not_asked_for_again(desk: Desk, text: str) -> None:
    """A settings file or a picture was not cut off by the mail."""
    desk.write("x.txt", text)
    for words in (("show",), ("verify",), ("read", "g2.json", "--game")):
        assert desk.refused(2, *words, "x.txt") == (
            "x.txt: this is not a game file\n      hint: if it came by mail: pbem read x.txt\n"
        )
    cut = (desk.folder / "g2.json").read_text(encoding="utf-8")[:900]
    desk.write("cut.json", cut)
    assert "the file was cut off or changed on the way" in desk.refused(3, "show", "cut.json")


@pytest.mark.parametrize("text", ["oders: []\n", "Orders: []\n", "orderz:\n  - done\n", "to: x\n"])
def test_a_misspelt_orders_file_is_still_one(desk: Desk, text: str) -> None:
    desk.write("o.yaml", text)
    told = desk.refused(1, "check", "g2.json", "o.yaml")
    assert told.startswith("o.yaml:1:1: ")


@pytest.mark.parametrize("words", [("status", "g2.json"), ("read", "g2.json", "-o", "n.json"),
                                   ("form", "g2.json")])  # fmt: skip
def test_an_old_file_is_noticed_without_a_key(desk: Desk, words: tuple[str, ...]) -> None:
    assert "warning" not in desk.pbem(*words).err
    (desk.folder / "n.json").unlink(missing_ok=True)
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "again.json")
    found = desk.pbem(*words)
    assert found.code == 0 and "warning: " in found.err, found


def test_no_form_of_a_finished_game(desk: Desk) -> None:
    desk.done("resign", "g4.json", "--yes", "--key", "ana.key", "-o", "over.json")
    for key in ((), ("--key", "ana.key"), ("--key", "beto.key")):
        told = desk.refused(1, "form", "over.json", *key)
        assert told.startswith("over.json: the game is over, so no more orders can be given")


def test_a_form_takes_the_place_of_an_earlier_one_that_nobody_edited(desk: Desk) -> None:
    form = desk.folder / "form.yaml"
    desk.done("form", "g2.json", "-o", "form.yaml")
    first = form.read_text()
    desk.done("form", "solo.json", "-o", "form.yaml")
    assert form.read_text() != first
    form.write_text(form.read_text() + "# mine\n")
    told = desk.refused(2, "form", "g2.json", "-o", "form.yaml")
    assert "this file already exists, with different content" in told


# --- orders of another game


def test_orders_of_another_game_system_are_called_so_once(keys: Desk) -> None:
    keys.done("solo", "madrid", "scenario_1", "--seed", "a", "-o", "m.json")
    keys.done("solo", "crusade", "campaign", "--seed", "a", "-o", "c.json")
    shutil.copy(CHAPTER24 / "01-nationalist.yaml", keys.folder / "crusade.yaml")
    keys.orders("draw: {chits: 2}", "move: {units: [Columna Burillo], path: [F, E]}",
                name="madrid.yaml")  # fmt: skip
    for game, orders, told in (
        ("m.json", "crusade.yaml", "these orders are for Crusade and Revolution, and this is a "
         "game of Storm over Madrid 1936\n"),
        ("c.json", "madrid.yaml", "these orders are for Storm over Madrid 1936, and this is a "
         "game of Crusade and Revolution\n"),
    ):  # fmt: skip
        for command in (("check", game, orders), ("apply", game, orders, "-o", "n.json"),
                        ("odds", game, orders), ("form", game, "--after", orders)):  # fmt: skip
            err = keys.refused(1, *command)
            assert err.count(orders) == 1 and told in err
            assert err.endswith("hint: is this the right file?\n")
    place = keys.orders("place: {units: {a: b}}", name="place.yaml")
    assert "these orders are for Corpo Truppe Volontarie: Santander 1937 or Storm" in keys.refused(
        1, "check", "c.json", place
    )


def test_a_verb_of_both_games_with_a_field_of_the_other_is_judged_by_its_own(keys: Desk) -> None:
    keys.done("solo", "madrid", "scenario_1", "--seed", "a", "-o", "m.json")
    err = keys.refused(1, "check", "m.json", keys.orders("attack: {space: C, units: {D: [a]}}"))
    assert "'attack' cannot be given now" in err and "orders you can give now: place" in err


def test_orders_that_fit_no_game_are_judged_by_their_own(keys: Desk) -> None:
    keys.done("solo", "madrid", "scenario_1", "--seed", "a", "-o", "m.json")
    err = keys.refused(1, "check", "m.json", keys.orders("dance: {partners: 2}", "pas"))
    assert "no order is named 'dance'" in err and "did you mean pass?" in err


def test_orders_that_name_another_game_are_judged_no_further(desk: Desk) -> None:
    text = "game: '1111 2222 3333 4444 5555'\norders:\n  - dance\n  - sing\n"
    err = desk.refused(1, "check", "g2.json", desk.write("other.yaml", text))
    assert err.startswith("other.yaml:1:7: these orders are for game '1111 2222 3333 4444 5555'")
    assert err.count("other.yaml") == 1
