"""Whatever is wrong with what a player gives: said with its place and a way out, and no trace.

`refused` also holds that no file appears, none changes, and nobody sees a traceback.
"""

from __future__ import annotations

import errno
import json
import os
import re
from pathlib import Path

import pytest

from tests.cli.desk import CHAPTER24, Desk, begin

FIRST = CHAPTER24 / "01-nationalist.yaml"
PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(range(256)) * 4
APPLY = ("apply", "g2.json", "orders.yaml", "--key", "ana.key", "-o", "new.json")


def send(
    game: str = "g2.json", orders: Path | str = FIRST, key: str = "ana.key"
) -> tuple[str, ...]:
    return ("apply", game, str(orders), "--key", key, "-o", "new.json")


# --- keys and sides -----------------------------------------------------------------------------


@pytest.mark.parametrize("words", [
    send(key="eve.key"), ("status", "g2.json", "--key", "eve.key"),
    ("check", "g2.json", str(FIRST), "--key", "eve.key"), ("form", "g2.json", "--key", "eve.key"),
])  # fmt: skip
def test_the_key_of_a_stranger(desk: Desk, words: tuple[str, ...]):
    err = desk.refused(1, *words)
    assert re.match(r"eve\.key: .*belongs to neither|eve\.key: .* key ", err), err


def test_the_wrong_side_is_told_who_is_to_write(desk: Desk):
    said = (
        "g2.json: it is not your turn: the Nationalist player must write (play a card, or make an "
        "automatic operation without one)\n"
        "      hint: wait for your opponent's file; if you already have it, use that one\n"
    )
    assert desk.refused(1, *send(key="beto.key")) == said
    assert desk.refused(1, "apply", "g2.json", "--key", "beto.key", "-o", "new.json") == said
    assert desk.refused(1, "check", "g2.json", FIRST, "--key", "beto.key") == said


def test_orders_before_a_value_that_the_other_owes(desk: Desk):
    err = desk.refused(1, *send("g3.json"))
    assert err.startswith(
        "g3.json: it is not your turn: the Republican player must write (roll the dice)"
    )


@pytest.mark.parametrize("content", [b"", PNG, b"-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n"])
def test_a_key_file_that_is_none(desk: Desk, content: bytes):
    (desk.folder / "bad.key").write_bytes(content)
    err = desk.refused(1, *send(key="bad.key"))
    assert err == (
        "bad.key: this is not an Ed25519 private key file\n"
        "      hint: give the file that pbem keygen wrote; if it is lost, pbem key restore makes "
        "it again from paper, and pbem rotate --help tells what else can be done\n"
    )


def test_the_public_key_where_the_private_one_is_wanted(desk: Desk):
    assert desk.refused(2, *send(key="ana.key.pub")) == (
        "ana.key.pub: this is a public key, not your private key\n"
        "      hint: use it with pbem new --opponent; the private key is the file without .pub\n"
    )
    words = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
             "--opponent", "beto.key", "-o", "new.json")  # fmt: skip
    assert desk.refused(2, *words) == (
        "beto.key: this is a private key, not a public key\n      "
        "hint: use it with --key and give it to nobody; the file you can give away is the .pub "
        "next "
        "to it\n"
    )


def test_no_key_at_all(desk: Desk):
    err = desk.refused(2, "apply", "g2.json", FIRST, "-o", "new.json")
    assert "a game between two needs your key: --key FILE" in err


def test_one_does_not_play_against_oneself(desk: Desk):
    words = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
             "--opponent", "ana.key.pub", "-o", "new.json")  # fmt: skip
    assert desk.pbem(*words).code in (1, 3)
    assert not (desk.folder / "new.json").exists()
    for command in (("turn", "g0.json", "--yes"), ("apply", "g0.json", "-o", "new.json")):
        told = desk.pbem(*command, "--key", "beto.key", "--opponent", "beto.key.pub")
        assert told.code == 1 and "beto.key.pub is your own key\n" in told.err
        assert "--opponent takes your opponent's name" in told.err
    assert not (desk.folder / "new.json").exists()


# --- files that are no game ---------------------------------------------------------------------

COMMANDS = ("apply", "check", "status", "show", "cards", "odds", "form", "log", "summary", "luck",
            "verify", "dice")  # fmt: skip


NO_GAME = ("png", "text", "list", "nothing", "deep", "number")
"""What no damage makes of a game: the wrong file was named."""


def on(command: str, game: str) -> tuple[str, ...]:
    words = {"apply": (str(FIRST), "--key", "ana.key", "-o", "new.json"), "check": (str(FIRST),),
             "odds": (str(FIRST),)}  # fmt: skip
    return (command, game, *words.get(command, ()))


def damaged(desk: Desk, how: str) -> bytes:
    raw = (desk.folder / "g4.json").read_bytes()
    return {
        "png": PNG, "empty": b"", "half": raw[: len(raw) // 2], "text": b"Hello Ana,\n",
        "json": b"{}", "list": b"[]", "nothing": b"null",
        "nul": raw.replace(b"riotinto", b"rio\0into", 1),
        "deep": b"[" * 200_000, "number": b"9" * 200_000,
        "edited": raw.replace(b'"riotinto"', b'"merida"', 1),
        "other version": raw.replace(b"pbem-game/1", b"pbem-game/2", 1),
    }[how]  # fmt: skip


@pytest.mark.parametrize("how", [
    "png", "empty", "half", "text", "json", "list", "nothing", "nul", "deep", "number",
    "edited", "other version",
])  # fmt: skip
@pytest.mark.parametrize("command", [*COMMANDS, "mail", "read"])
def test_a_file_that_is_no_sound_game(desk: Desk, command: str, how: str):
    (desk.folder / "bad.json").write_bytes(damaged(desk, how))
    wrong = how in NO_GAME or (command == "read" and how in ("empty", "json"))
    err = desk.pbem(*on(command, "bad.json")).err
    assert desk.refused(2 if wrong else 3, *on(command, "bad.json")) == err
    assert err.startswith("bad.json: ") or command == "verify"
    assert len(err) < 1000


def test_an_edited_entry_is_named(desk: Desk):
    (desk.folder / "bad.json").write_bytes(damaged(desk, "edited"))
    err = desk.refused(3, "status", "bad.json")
    assert err.startswith("bad.json: entry 3")
    found = desk.pbem("status", "bad.json", "--json").problems()
    assert [each["code"] for each in found] == ["E-DAMAGED"]
    assert found[0]["file"] == "bad.json" and set(found[0]) == {
        "code", "message", "file", "line", "column", "rule", "hint",
    }  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_a_game_of_two_gigabytes_is_not_read(
    desk: Desk, command: str, monkeypatch: pytest.MonkeyPatch
):
    with (desk.folder / "huge.json").open("wb") as file:
        file.truncate(2 << 30)
    err = desk.refused(3, *on(command, "huge.json"))
    assert err == (
        "huge.json: the game file has 2,147,483,648 bytes, and the limit is 33,554,432\n"
        "      hint: is this the right file?\n"
    )


def test_orders_and_a_key_of_two_gigabytes_are_not_read(desk: Desk):
    for name in ("huge.yaml", "huge.key"):
        with (desk.folder / name).open("wb") as file:
            file.truncate(2 << 30)
    assert "huge.yaml: the orders file has" in desk.refused(1, *send(orders="huge.yaml"))
    assert "huge.key: the key file has" in desk.refused(1, *send(key="huge.key"))


def test_what_is_no_file_at_all(desk: Desk):
    os.mkfifo(desk.folder / "pipe")
    (desk.folder / "folder").mkdir()
    for command in COMMANDS:
        assert desk.refused(2, *on(command, "pipe")) == (
            "pipe: the game file is not a regular file\n"
        )
        assert desk.refused(2, *on(command, "none.json")) == (
            "none.json: the game file cannot be read: no such file or directory\n"
        )
        if command != "status":  # which tells of all games of a folder
            assert "is a directory" in desk.refused(2, *on(command, "folder"))
    assert "pipe: the orders file is not a regular file" in desk.refused(2, *send(orders="pipe"))
    assert "pipe: the key file is not a regular file" in desk.refused(2, *send(key="pipe"))
    err = desk.refused(2, *send(orders="nowhere/none.yaml"))
    assert err.startswith("nowhere/none.yaml: the orders file cannot be read: no such file or dir")


def test_a_file_whose_name_is_misspelt(desk: Desk):
    desk.orders("done")
    for words, near in (
        (("status", "g44.json"), "g4.json"), (("check", "g4.json", "order.yaml"), "orders.yaml"),
        (("show", "solo.jsn", "sevilla"), "solo.json"),
    ):  # fmt: skip
        told = desk.refused(2, *words)
        assert "no such file or directory\n      hint: did you mean " in told and near in told
    assert "hint" not in desk.refused(2, "status", "/nowhere/g4.json")


# --- old files and two stories ------------------------------------------------------------------


def test_an_old_file_is_noticed_on_the_machine_that_saw_more(desk: Desk):
    desk.pbem("apply", "g3.json", "--key", "beto.key", "-o", "seen.json")
    err = desk.refused(3, *send("g2.json", key="beto.key"))
    assert err == (
        "g2.json: entry 4: you have already seen this game up to entry 4, and this file ends "
        "earlier\n      hint: never answer the same position twice: use the newest "
        "file you have (seen.json, up to entry 4)\n"
    )


@pytest.mark.parametrize("words", [
    ("status", "g2.json"), ("form", "g2.json"),
])  # fmt: skip
def test_what_signs_nothing_warns_of_an_old_file_and_goes_on(desk: Desk, words: tuple[str, ...]):
    words = (*words, "--key", "ana.key")
    fresh = desk.pbem(*words)
    desk.pbem("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "seen.json")
    result = desk.pbem(*words)
    assert result.code == 0
    assert result.out == fresh.out.partition("note: this machine has no record")[0]
    assert result.err == (
        "g2.json: warning: entry 3: you have already seen this game up to entry 3, and this file "
        "ends earlier\n      hint: never answer the same position twice: use the newest "
        "file you have (seen.json, up to entry 3)\n"
    )
    if words[0] != "form":
        (told,) = desk.pbem(*words, "--json").problems()
        assert told["code"] == "E-ROLLBACK" and told["file"] == "g2.json"


def test_other_orders_for_a_position_answered_before_are_refused(desk: Desk):
    desk.pbem("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "sent.json")
    other = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla]}")
    err = desk.refused(3, *send(orders=other))
    assert "never answer the same position twice" in err
    desk.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "again.json")


def test_the_last_file_sent_stands_in_for_a_record(desk: Desk):
    words = ("--last", "g3.json")
    assert "up to entry 3" in desk.refused(3, *send("g2.json"), *words)
    assert "no record" not in desk.pbem("apply", "g3.json", "--key", "beto.key", *words, "-o",
                                        "new.json").out  # fmt: skip


def test_a_last_file_of_another_game(desk: Desk, tmp_path: Path):
    (tmp_path / "other").mkdir()
    other = Desk(desk.folder)
    desk.done("new", "crusade", "campaign", "--side", "republican", "--key", "ana.key",
              "--opponent", "beto.key.pub", "-o", "other.json")  # fmt: skip
    err = other.refused(3, "status", "g2.json", "--key", "ana.key", "--last", "other.json")
    assert "the two files are not of the same game" in err


@pytest.mark.parametrize("record", [
    b"", b"{", b"[]", b"null", b"\xff\xfe", b'{"seq": 3, "id": "x"}', b'{"seq": "3"}',
    b"[" * 99_999,
    b'{"seq": 1, "id": "x", "prev": 7, "by": "A", "side": false, "player": "A", "revealed_n": 0, '
    b'"lock_id": null}',
])  # fmt: skip
def test_a_damaged_record_is_as_good_as_none(desk: Desk, record: bytes):
    desk.pbem("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "one.json")
    (path,) = (desk.folder / ".home" / "config" / "pbem" / "seen").iterdir()
    path.write_bytes(record)
    result = desk.pbem("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "two.json")
    assert result.code == 0 and "note: this machine has no record of the game" in result.out
    assert json.loads(path.read_text())["seq"] == 3


@pytest.mark.parametrize("damage", [b"", b"x" * 100, None])
def test_a_damaged_snapshot_changes_nothing(desk: Desk, damage: bytes | None):
    words = ("apply", "g3.json", "--key", "beto.key")
    desk.pbem(*words, "-o", "one.json")
    cache = [path for path in (desk.folder / ".home" / "cache").rglob("*") if path.is_file()]
    assert cache
    for path in cache:
        content = path.read_bytes()
        flipped = content[:-1] + bytes([content[-1] ^ 1])
        path.write_bytes(flipped if damage is None else damage)
    result = desk.pbem("status", "one.json", "--key", "beto.key")
    assert result.code == 0
    desk.done(*words, "-o", "two.json")
    one, two = (desk.folder / name for name in ("one.json", "two.json"))
    assert one.read_bytes() == two.read_bytes()


def test_a_home_that_cannot_be_written(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, "/proc/nowhere")
    err = desk.refused(1, *send())
    assert err == (
        "nothing was signed, because no record of it can be kept in /proc/nowhere/pbem: "
        "no such file or directory\n"
        "      hint: fix that, or add --no-record: then nothing stops you from answering one "
        "position twice, which your opponent could prove\n"
    )
    result = desk.pbem(*send(), "--no-record")
    assert result.code == 0
    assert result.err.startswith("note: the signature could not be recorded\n")
    assert (desk.folder / "new.json").is_file()


# --- orders -------------------------------------------------------------------------------------

YAML = {
    "nested": ("orders: " + "[" * 60 + "]" * 60, "orders.yaml:1:"),
    "anchor": ("orders:\n  - &a done\n  - *a\n", "orders.yaml:2:"),
    "bomb": ("a: &a [x, x]\nb: &b [*a, *a]\norders: [*b, *b]\n", "orders.yaml:1:"),
    "tag": ("orders: !!python/object:os.system [ls]\n", "orders.yaml:1:"),
    "NO": ("orders:\n  - play: {card: NO, for: event}\n", "no card is named 'NO'"),
    "time": ("orders:\n  - play: {card: 12:30, for: event}\n", "'12:30'"),
    "doubled": ("orders:\n  - play: {card: N1, card: N7}\n", "orders.yaml:2:"),
    "two documents": ("orders: []\n---\norders: []\n", "orders.yaml:"),
    "tab": ("orders:\n\t- done\n", "orders.yaml:2:1:"),
    "empty": ("", "the file is empty"),
    "a report": ('{"file": "g2.json", "entry": 2}\n', "the file has no field 'file'"),
}


@pytest.mark.parametrize("case", YAML)
def test_orders_that_are_no_orders(desk: Desk, case: str):
    text, said = YAML[case]
    desk.write("orders.yaml", text)
    err = desk.refused(1, *APPLY)
    assert said in err
    assert desk.refused(1, "check", "g2.json", "orders.yaml", "--key", "ana.key") == err


@pytest.mark.parametrize("content", [PNG, b"orders:\n  - \xff\n", "orders:".encode("utf-16")])
def test_orders_that_are_no_text(desk: Desk, content: bytes):
    (desk.folder / "orders.yaml").write_bytes(content)
    assert "UTF-" in desk.refused(1, *APPLY)


def test_six_orders_of_which_two_are_wrong(desk: Desk):
    desk.orders(
        "play: {card: N1, for: event}",
        "activate: {attack: [sevilla, huelva]}",
        "attack: {space: riotimto, units: {sevilla: [INF]}}",
        "attack: {space: riotinto, units: {huelva: [CAV]}}",
        "advance: {units: [TANK], to: [riotinto]}",
        "done",
    )
    err = desk.refused(1, *APPLY)
    assert err == (
        "orders.yaml:4:21: no space is named 'riotimto'\n"
        "    4 |   - attack: {space: riotimto, units: {sevilla: [INF]}}\n"
        "      |                     ^^^^^^^^\n"
        "      hint: did you mean riotinto?\n"
        "orders.yaml:6:23: no unit is named 'TANK'\n"
        "    6 |   - advance: {units: [TANK], to: [riotinto]}\n"
        "      |                       ^^^^\n"
        "      hint: 'pbem form' lists the possible names\n"
    )
    found = desk.pbem(*APPLY, "--json").problems()
    assert [(each["code"], each["line"], each["column"]) for each in found] == [
        ("unknown-space", 4, 21), ("unknown-unit", 6, 23),
    ]  # fmt: skip


def test_two_orders_against_the_rules_are_both_told(desk: Desk):
    desk.orders(
        "play: {card: N1, for: event}",
        "activate: {move: [sevilla, madrid], attack: [sevilla]}",
    )
    err = desk.refused(1, *APPLY)
    places = re.findall(r"^orders\.yaml:3:\d+: .* \[rule [\d.]+\]$", err, re.M)
    assert len(places) == 2, err
    assert err.count("^") > 2


def test_orders_for_another_game_or_another_entry(desk: Desk):
    text = FIRST.read_text()
    desk.write("orders.yaml", "game: '1234 5678 9012 3456 7890'\nentry: 9\n" + text)
    err = desk.refused(1, *APPLY)
    assert "orders.yaml:1:7: these orders are for game '1234 5678 9012 3456 7890', not '" in err
    assert "orders.yaml:2:8: these orders are for entry 9, but 3 is next" in err
    assert desk.refused(1, "check", "g2.json", "orders.yaml", "--key", "ana.key") == err


def test_what_is_said_cannot_move_a_cursor(desk: Desk):
    desk.write("orders.yaml", FIRST.read_text() + 'say: "\\e[2J\\e]0;gone\\a \\u202Eolleh"\n')
    result = desk.pbem(*APPLY)
    assert result.code == 0 and "    | [2J]0;gone olleh\n" in result.out
    for style in ("text", "markdown", "html", "bbcode", "journal"):
        out = desk.done("log", "new.json", "--format", style)
        assert all(letter.isprintable() or letter == "\n" for letter in out)
        assert "2J" in out and "gone" in out


def test_raw_escapes_in_orders_are_refused(desk: Desk):
    desk.write("orders.yaml", "orders: []\nsay: \x1b[2J\n")
    assert "\\x1b" in desk.refused(1, *APPLY)


# --- what cannot be written ---------------------------------------------------------------------


@pytest.mark.parametrize("output", ["nowhere/new.json", "/proc/new.json"])
def test_a_folder_that_cannot_be_written(desk: Desk, output: str):
    err = desk.refused(1, *send()[:-1], output)
    assert err.startswith(f"{output}: the file cannot be written: ")
    lost = "      hint: there is no folder 'nowhere'; make it first\n"
    assert err.endswith(lost) is output.startswith("nowhere")


def test_a_folder_where_one_may_not_write(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    really = os.open

    def denied(path: Path, flags: int, *rest: int) -> int:
        if flags & os.O_CREAT:
            raise PermissionError(errno.EACCES, "Permission denied")
        return really(path, flags, *rest)

    monkeypatch.setattr("pbem.cli.files.os.open", denied)
    err = desk.refused(1, "form", "g2.json", "-o", "new.yaml")
    assert err == "new.yaml: the file cannot be written: permission denied\n"
    assert "no record of it can be kept in" in desk.refused(1, *send())
    err = desk.refused(1, *send(), "--no-record").removeprefix(UNRECORDED)
    assert err == "new.json: the file cannot be written: permission denied\n"


@pytest.mark.parametrize("words", [
    send(), ("form", "g2.json", "-o", "new.json"),
    ("solo", "crusade", "campaign", "-o", "new.json"),
])  # fmt: skip
def test_another_file_of_that_name_stays(desk: Desk, words: tuple[str, ...]):
    desk.write("new.json", "mine")
    assert desk.refused(2, *words) == (
        "new.json: this file already exists, with different content\n"
        "      hint: use another name, or move the old file away\n"
    )


UNRECORDED = "note: the signature could not be recorded\n"


@pytest.mark.parametrize("call", ["fsync", "replace"])
@pytest.mark.parametrize("words", [
    send(), ("keygen", "--out", "new.key", "--no-passphrase"),
    ("solo", "crusade", "campaign", "-o", "new.json"), ("form", "g2.json", "-o", "new.yaml"),
])  # fmt: skip
def test_a_full_disk_leaves_nothing(
    desk: Desk, words: tuple[str, ...], call: str, monkeypatch: pytest.MonkeyPatch
):
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(f"pbem.cli.files.os.{call}", full)
    err = desk.refused(1, *words)
    if call == "replace" and words == send():  # the record comes first
        assert "no record of it can be kept in" in err and "no space left on device\n" in err
        err = desk.refused(1, *words, "--no-record").removeprefix(UNRECORDED)
    assert re.fullmatch(r"new\.\w+: the file cannot be written: no space left on device\n", err)


def test_half_a_key_pair_is_no_key_pair(desk: Desk, monkeypatch: pytest.MonkeyPatch):
    really = os.replace

    def full(source: str, target: Path) -> None:
        if str(target).endswith(".pub"):
            raise OSError(errno.ENOSPC, "No space left on device")
        really(source, target)

    monkeypatch.setattr("pbem.cli.files.os.replace", full)
    err = desk.refused(1, "keygen", "--out", "new.key", "--no-passphrase")
    assert err == "new.key.pub: the file cannot be written: no space left on device\n"


# --- faults of ours -----------------------------------------------------------------------------


def broken(*_: object, **__: object) -> None:
    raise RuntimeError("a hole in the road")


@pytest.mark.parametrize("words, where", [
    (send(), "pbem.cli.reply.answer"), (send(), "pbem.cli.signing.remember"),
    (("status", "g2.json"), "pbem.cli.status.notes"), (("log", "g2.json"), "pbem.cli.log.story"),
    (("form", "g2.json"), "pbem.cli.form.present_form"),
])  # fmt: skip
def test_a_fault_of_ours_is_told_as_one(
    desk: Desk, words: tuple[str, ...], where: str, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(where, broken)
    err = desk.refused(70, *words)
    assert re.fullmatch(
        r"this is a bug in pbem, not your mistake \(RuntimeError: a hole in the road, "
        r"at test_bad_input\.py:\d+\); nothing was written\n"
        r"      hint: set PBEM_DEBUG=1 to see where, and send that with your two files\n",
        err,
    )
    if words[0] == "apply":
        assert desk.pbem(*words, "--json").problems()[0]["code"] == "fault"


def test_a_fault_behind_the_writing_says_what_was_written(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr("pbem.play.story.story", broken)
    result = desk.pbem(*send())
    assert result.code == 70 and "; already written: new.json\n" in result.err


def test_nothing_of_this_needs_a_begun_game(keys: Desk):
    begin(keys)
    err = keys.refused(1, "form", "g0.json")
    assert err.endswith(
        "g0.json: no orders can be given now\n      hint: pbem turn GAME "
        "accepts the game (the Republican player must do it)\n"
    )


@pytest.mark.parametrize(
    "words",
    [("status",), ("check",), ("turn", "--key", "ana.key"), ("turn", "g2.json", "--key"), ("show",),
     ("read", "g2.json", "-o"), ("keygen", "--no-passphrase", "--out"),
     ("apply", "--key", "ana.key")],
)  # fmt: skip
def test_a_name_that_no_file_can_have(desk: Desk, words: tuple[str, ...]) -> None:
    result = desk.pbem(*words, "x" * 300)
    assert result.code in (1, 2) and "bug in pbem" not in result.err
