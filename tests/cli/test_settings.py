"""What a folder knows of its owner, and which game is meant where none is named."""

from __future__ import annotations

import json
import shutil
from email import message_from_string
from time import struct_time
from unittest import mock

import pytest

from pbem.cli import folder
from pbem.gamefile.keys import KeyPair, private_file
from tests.cli.desk import BETO, CHAPTER24, EVE, Desk, begin, fixed_chance


@pytest.fixture
def home(keys: Desk) -> Desk:
    """Ana's folder: g2.json is the newest of the three files of one game."""
    begin(keys, "--option", "example_hands")
    keys.done("init", "--key", "ana.key", "--mail", "ana@example.org")
    return keys


def test_the_language_of_the_folder_is_that_of_the_story(home: Desk) -> None:
    """An option and the environment count for more than the file."""
    settings_file = home.folder / "pbem.toml"
    settings_file.write_text(settings_file.read_text() + 'lang = "es"\n')
    home.done("apply", "g2.json", CHAPTER24 / "01-nationalist.yaml", "-o", "g3.json")
    assert "Turno 1" in home.done("log", "g3.json")
    assert "Turn 1" in home.done("log", "g3.json", "--lang", "en")


# --- pbem.toml ----------------------------------------------------------------------------------


def test_init_keeps_key_name_and_address(home: Desk) -> None:
    told = (home.folder / "pbem.toml").read_text()
    assert told.endswith(
        '\nname = "ana"\nkey = "ana.key"\nmail = "ana@example.org"\n'
        '# lang = "..."   # the language that pbem uses: en or es\n'
        '# dated = "..."   # yes, if your entries should say when you wrote them\n'
    )


def test_the_language_can_be_set_before_there_is_a_key(keys: Desk) -> None:
    told = keys.done("init", "--lang", "es")
    assert 'escribe ahí la línea key = "ARCHIVO"' in told
    assert (keys.folder / "pbem.toml").read_text().splitlines() == [
        "# Lo que pbem sabe de ti en esta carpeta. Cámbialo como quieras.",
        '# name = "..."   # tu nombre, como aparece en tus correos',
        '# key = "..."   # tu clave privada; así puedes omitir --key',
        '# mail = "..."   # tu dirección de correo, el remitente de lo que escribe pbem mail',
        'lang = "es"',
        '# dated = "..."   # yes, si tus entradas han de decir cuándo las escribiste',
    ]
    assert "escenarios:" in keys.done("games")


def test_what_init_leaves_out_stands_there_as_a_comment(keys: Desk) -> None:
    (keys.folder / "ana.key.pub").unlink()
    keys.done("init", "--key", "ana.key")
    assert (keys.folder / "pbem.toml").read_text() == (
        "# What pbem knows about you in this folder. Change it as you like.\n"
        '# name = "..."   # your name, as your mails give it\n'
        'key = "ana.key"\n'
        '# mail = "..."   # your mail address, the sender of what pbem mail writes\n'
        '# lang = "..."   # the language that pbem uses: en or es\n'
        '# dated = "..."   # yes, if your entries should say when you wrote them\n'
    )


@pytest.mark.parametrize(
    "words, code, said",
    [
        ((), 2, "--key FILE; if you have none yet, pbem keygen --out FILE --name YOU makes one"),
        (
            ("--key", "nowhere.key"),
            2,
            "no such file or directory\n      hint: if you have "
            "none yet, pbem keygen --out FILE --name YOU makes one",
        ),
        (("--key", "ana.key.pub"), 2, "this is a public key, not your private key"),
        (("--key", "notes.txt"), 1, "notes.txt: this is not an Ed25519 private key file"),
        (("--key", "cut.key"), 1, "cut.key: this is not an Ed25519 private key file"),
        (("--key", "ana.key", "--mail", "ana"), 2, "one address is needed"),
        (("--key", "ana.key", "--name", "A\u202eB"), 1, "a character that cannot be seen"),
        (("--key", "ana.key", "--name", "x" * 61), 1, "at most 60 characters"),
    ],
)
def test_what_init_refuses(keys: Desk, words: tuple[str, ...], code: int, said: str) -> None:
    keys.write("notes.txt", "remember the milk\n")
    keys.write("cut.key", (keys.folder / "ana.key").read_text(encoding="utf-8")[:90])
    assert said in keys.refused(code, "init", *words)
    assert not (keys.folder / "pbem.toml").exists()


def test_init_takes_a_key_that_is_locked_without_its_passphrase(keys: Desk) -> None:
    locked = private_file(KeyPair.from_seed(bytes(32)), b"a word")
    keys.write("locked.key", locked.decode())
    assert "pbem.toml" in keys.done("init", "--key", "locked.key", "--name", "Ana")


def test_entries_are_dated_for_who_wants_that(keys: Desk) -> None:
    """By the minute and in world time; the opponent's entry has no time."""
    begin(keys, "--option", "example_hands")
    keys.done("init", "--key", "ana.key", "--dated")
    with mock.patch("time.gmtime", lambda: struct_time((2026, 3, 5, 18, 40, 59, 3, 64, 0))):
        keys.done("apply", "g2.json", CHAPTER24 / "01-nationalist.yaml", "-o", "g3.json")
    entries = json.loads((keys.folder / "g3.json").read_text())["entries"]
    assert [each["payload"].get("time") for each in entries] == [*[None] * 3, "2026-03-05T18:40Z"]
    assert keys.done("luck", "g3.json", "--clock").splitlines()[1:] == [
        "times as the players themselves give them: nobody can check them, and how long an answer "
        "took is counted between the times of both",
        "the Nationalist player: 3 entries, 1 with a time",
        "the Republican player: 1 entry, 0 with a time",
        "only one player dates entries, so no answer can be timed: pbem init --dated makes those "
        "of the Republican player say when they were written",
    ]
    (dated,) = keys.pbem("luck", "g3.json", "--clock", "--json").json()["entries"]
    assert dated["entry"] == 3 and dated["answers"] is None
    keys.done("resign", "g3.json", "--yes", "-o", "g4.json")
    assert keys.pbem("luck", "g4.json", "--clock", "--json").json()["entries"][1:]


def test_nobody_is_told_a_time_that_no_entry_has(home: Desk) -> None:
    assert "pbem init --dated makes yours say it" in home.done("luck", "g2.json", "--clock")


def test_init_never_replaces_what_was_edited(home: Desk) -> None:
    told = home.refused(2, "init", "--key", "beto.key", "--mail", "ana@b.org", "--dated")
    assert 'pbem.toml says key = "ana.key" and mail = "ana@example.org", and nothing was' in told
    assert 'write key = "beto.key" and mail = "ana@b.org" there instead' in told
    told = home.refused(2, "init")
    assert told.endswith("pbem.toml is already here; it is a text file that you can edit\n")


def test_init_adds_what_is_not_there_yet(home: Desk) -> None:
    """README: `pbem init --lang es` in a folder does it once and for all."""
    file = home.folder / "pbem.toml"
    file.write_text(f"# mine\n{file.read_text()}# the end")
    before = file.read_text().splitlines()
    told = home.done("init", "--lang", "es")
    assert told == 'escrito: pbem.toml\nnuevo en él: lang = "es"\n'
    told = home.done("init", "--dated", "--key", "ana.key")
    assert 'dated = "yes"' in told and "key =" not in told
    kept = [line for line in before if not line.startswith(("# lang", "# dated"))]
    now = file.read_text().splitlines()
    assert [line for line in now if not line.startswith(("lang", "dated"))] == kept
    assert {'lang = "es"', 'dated = "yes"'} <= set(now)
    assert "ya" in home.done("init", "--lang", "es"), "nothing to do is no fault"
    assert file.read_text().splitlines() == now


def test_init_adds_to_a_file_without_its_comments(keys: Desk) -> None:
    keys.write("pbem.toml", 'name = """Ana\\\n# key = "..."   # a text\n"""')
    said = keys.pbem("init", "--key", "ana.key")
    assert said.code != 0, "a text over several lines is not edited by a guess"
    keys.write("pbem.toml", 'mail = "ana@example.org"')
    keys.done("init", "--key", "ana.key")
    told = (keys.folder / "pbem.toml").read_text()
    assert told.startswith('mail = "ana@example.org"\n') and 'key = "ana.key"\n' in told


@pytest.mark.parametrize(
    "text, said",
    [
        ('key = "ana.key', "pbem.toml:1:1: this text has no quote at its end"),
        ('\nkey = "ana.key"\nmale = "a@b.org"', "pbem.toml:3:1: there is no setting 'male'\n"
         "      hint: did you mean mail?"),
        ("key = 7", "pbem.toml:1:1: key must be a text\n      hint: write key = \"...\""),
        ('[key]\nfile = "a"', "pbem.toml:1:1: key must be a text"),
        ('key = ""', "pbem.toml:1:1: key: 1 to 400 characters are needed"),
        ('mail = "ana"', "pbem.toml:1:1: mail: one address is needed"),
        ('mail = "ana@example.org."', "pbem.toml:1:1: mail: one address is needed"),
        ('lang = "fr"', "pbem.toml:1:1: lang: the languages are en and es"),
        ('dated = "often"', "pbem.toml:1:1: dated: it is yes or no"),
        ("dated = true", "pbem.toml:1:1: dated must be a text"),
        ("name = '\u202e'", "pbem.toml:1:1: name: it has a character that cannot be seen"),
        ('key = "a"\nkey = "b"', "pbem.toml:2:"),
        ("name = ana", "pbem.toml:1:8: invalid value\n"
         "      hint: write it in quotes: name = \"ana\""),
        ("name = 'a'\nmail = ana@example.org # mine", "pbem.toml:2:8: invalid value\n"
         "      hint: write it in quotes: mail = \"ana@example.org\""),
        ("key: ana.key", "hint: write it in quotes: key = \"ana.key\""),
        ('key = "ana.key\nname = "x"', "pbem.toml:1:15: this text has no quote at its end\n"
         "      hint: write it in quotes: key = \"ana.key\""),
        ("name = 'x'\nkey = 'ana.key", "pbem.toml:2:1: this text has no quote at its end\n"
         "      hint: write it in quotes: key = \"ana.key\""),
        ("key ana.key", "pbem.toml:1:5: expected '=' after a key"),
        ("name = \u201cana\u201d", "hint: write it in quotes: name = \"ana\""),
        ("[name]\nb = ana", "hint: write it in quotes: name = \"...\""),
        ('mail = "..."   # as it stands there', "pbem.toml:1:1: mail: one address is needed"),
        ("a = " + "1" * 5000, "pbem.toml:1:1: a number has too many digits"),
        ("a = " + "[" * 9000, "pbem.toml:1:1: it is nested too deep"),
        ("#" * 20_000, "pbem.toml: the settings file has 20,000 bytes"),
    ],
)  # fmt: skip
def test_a_fault_in_the_settings_is_placed(keys: Desk, text: str, said: str) -> None:
    keys.write("pbem.toml", text)
    assert said in keys.refused(1, "status", "g.json")


def test_settings_that_are_no_text_are_placed(keys: Desk) -> None:
    (keys.folder / "pbem.toml").write_bytes(b"\nname = '\xff'\n")
    assert "pbem.toml:2:1: this is not UTF-8 text" in keys.refused(1, "status", "g.json")
    (keys.folder / "pbem.toml").write_bytes(b"\xef\xbb\xbf\n\xff\n")
    assert "pbem.toml:2:1: this is not UTF-8 text" in keys.refused(1, "status", "g.json")
    (keys.folder / "pbem.toml").unlink()
    (keys.folder / "pbem.toml").symlink_to("nowhere")
    assert "pbem.toml: the settings file cannot be read" in keys.refused(2, "status", "g.json")


# --- what may be left out then ------------------------------------------------------------------


def test_key_and_game_can_be_left_out(home: Desk) -> None:
    assert "you are the Nationalist player" in home.done("status")
    assert "- play: {card: N1, for: event}" in home.done("form")
    orders = CHAPTER24 / "01-nationalist.yaml"
    assert "3 orders are legal" in home.done("check", orders)
    assert "wins" in home.done("odds", orders)
    assert "Sevilla" in home.done("show", "sevilla") and "Toledo" in home.done("show")
    assert "N1 " in home.done("cards") and "Air Bridge" in home.done("cards", "N1")
    told = home.done("apply", orders)
    assert "--key" not in told and "now send crusade_" in told


def test_the_key_of_the_folder_counts_only_where_it_has_a_seat(home: Desk) -> None:
    home.done("solo", "crusade", "campaign", "--seed", "a", "-o", "solo.json")
    assert "you are" not in home.done("status", "solo.json")
    home.write("pbem.toml", 'key = "eve.key"\n')
    assert "you are" not in home.done("status", "g2.json")
    assert "eve.key: " in home.refused(1, "apply", "g2.json")
    shutil.copy(home.folder / "eve.key", home.folder / "other.key")
    assert "other.key: " in home.refused(1, "status", "g2.json", "--key", "other.key")


def test_a_key_that_the_folder_names_is_told_where_it_signs(keys: Desk) -> None:
    """The settings may have come with somebody's mail: a game is bound to the key for good."""
    said = f"your key is eve.key, as pbem.toml says: {EVE}\n"
    keys.write("pbem.toml", 'key = "eve.key"\n')
    new = ("new", "crusade", "campaign", "--side", "nationalist", "--opponent", "beto.key.pub")
    assert f"note: {said}" in keys.done(*new, "-o", "0.json")
    assert json.loads(keys.done(*new, "--json", "-o", "1.json"))["key"] == [said.strip()]
    assert "your key" not in keys.done(*new, "--key", "ana.key", "-o", "2.json")
    keys.write("pbem.toml", 'key = "beto.key"\n')
    said = f"your key is beto.key, as pbem.toml says: {BETO}\n"
    assert f"{said}nothing was signed" in keys.done("turn", "0.json")
    assert f"note: {said}" in keys.done("apply", "0.json", "-o", "3.json")
    keys.write("pbem.toml", 'key = "eve.key"\n')
    assert "your key" not in keys.done("apply", "2.json", "--key", "beto.key", "-o", "4.json")


def test_an_audit_is_signed_only_with_a_key_that_is_named(home: Desk) -> None:
    """Without --key the command shows; with it, it reveals."""
    home.done("resign", "g2.json", "--yes", "-o", "over.json")
    before = home.files()
    home.done("audit", "over.json")
    assert home.files() == before


def test_a_first_word_that_is_no_game_is_the_next_one(home: Desk) -> None:
    home.write("mine.yaml", "# mine\norders: []\n")
    assert home.refused(1, "apply", "mine.yaml", "--key", "ana.key").startswith("g2.json: you are")
    for words in (("check",), ("odds", "g2.json")):
        err = home.refused(2, *words)
        assert "there is no g2.orders.yaml, which pbem turn writes" in err
    assert "g9.json: the game file cannot be read" in home.refused(2, "check", "g9.json")
    assert "g9.json: the game file cannot be read" in home.refused(2, "show", "g9.json")


def test_orders_that_are_not_named_are_those_of_turn(home: Desk) -> None:
    home.done("turn", "g2.json")
    assert (home.folder / "g2.orders.yaml").is_file()
    assert "g2.orders.yaml:" in home.refused(1, "check")
    mine = "g2.orders.yaml"
    shutil.copy(CHAPTER24 / "01-nationalist.yaml", home.folder / mine)
    told = f"your orders are those of {mine}\n" + home.done("check", "g2.json", mine)
    assert home.done("check") == home.done("check", "g2.json") == told
    assert home.done("odds") == home.done("odds", "g2.json", mine)


def test_a_word_after_a_game_that_is_left_out_is_known(home: Desk) -> None:
    err = home.refused(1, "answer", "yes")
    assert err.startswith("g2.json: the Republican player has no open offer")
    home.write("mine.yaml", "orders: []\n")
    assert home.refused(1, "answer", "no", "mine.yaml").startswith("g2.json: the Republican")
    assert home.refused(1, "offer", "draw").startswith("g2.json: it is your turn to write")
    assert home.refused(1, "offer", "take-back", "--to", "0").startswith("g2.json: ")
    for words, told in (
        (("answer", "accept"), "an answer is yes or no, not 'accept'\n"),
        (("answer", "g2.json", "accept"), "an answer is yes or no, not 'accept'\n"),
        (("answer",), "an answer is yes or no: write one of these words\n"),
        (("offer", "peace"), "an offer is draw, takeback, adjourn, void, upgrade or renew, not 'p"),
    ):
        assert told in home.refused(2, *words)


def test_one_file_that_is_neither_game_nor_orders_is_called_what_it_is(home: Desk) -> None:
    for command in ("check", "odds"):
        assert home.refused(2, command, "ana.key").startswith(
            "ana.key: this is a private key, not an orders file\n"
        )


# --- the game of a folder -----------------------------------------------------------------------


def test_several_games_are_named(home: Desk) -> None:
    with fixed_chance(b"\x33"):
        home.done("solo", "crusade", "campaign", "--seed", "a", "-o", "solo.json")
    err = home.refused(2, "log")
    assert err == (
        "there are 2 games in this folder: name the GAME\n      hint: one of g2.json, solo.json; "
        "pbem status . lists them\n"
    )


def test_a_folder_without_a_game(keys: Desk) -> None:
    assert keys.refused(2, "log").startswith("there is no game in this folder\n")


def test_files_that_go_different_ways_are_named(home: Desk) -> None:
    for name in ("one", "two"):
        shutil.rmtree(home.folder / ".home")
        home.write(f"{name}.yaml", f"say: {name}\norders:\n  - play: {{card: N1, for: event}}\n")
        home.done("apply", "g2.json", f"{name}.yaml", "--no-record", "-o", f"{name}.json")
    err = home.refused(2, "log")
    assert "diverging versions" in err and "one.json" in err and "two.json" in err


def test_older_files_copies_and_other_layouts_are_one_game(home: Desk) -> None:
    """The newest is what has the most entries, however its file is laid out."""
    import gzip
    import json

    raw = (home.folder / "g2.json").read_bytes()
    (home.folder / "a.pbem.json.gz").write_bytes(gzip.compress(raw))
    (home.folder / "wide.json").write_text(
        json.dumps(json.loads((home.folder / "g1.json").read_bytes()), indent=40)
    )
    found = folder.listing(home.folder)
    (game,) = found.games
    assert game.newest == "a.pbem.json.gz" and game.entries == 3
    assert game.others == {
        folder.SAME: ("g2.json",), folder.OLDER: ("g0.json", "g1.json", "wide.json"),
        folder.FORKED: (), folder.CROSSED: (),
    }  # fmt: skip
    assert not found.strangers and not found.unread


# --- mails --------------------------------------------------------------------------------------


def fields(home: Desk, *words: str) -> tuple[str | None, str | None]:
    """From and To of the message that pbem mail prints."""
    message = message_from_string(home.done("mail", "g2.json", "-o", "-", *words))
    return message["From"], message["To"]


def test_mails_name_the_sender_of_the_settings(home: Desk) -> None:
    assert fields(home) == ("ana <ana@example.org>", None)
    home.write("pbem.toml", 'mail = "Ana B <ana@example.org>"\n')
    assert fields(home)[0] == "Ana B <ana@example.org>"


def test_the_address_of_a_contact_is_kept_and_used(home: Desk) -> None:
    said = home.done("contacts", "mail", "Beto", "beto@example.org")
    assert said == "mails to beto go to beto@example.org\n"
    assert fields(home)[1] == "beto@example.org"
    short = home.pbem("contacts", "mail", "Beto", "beto@example").err
    assert short == "note: beto@example has no dot behind the @; is it whole?\n"
    kept = (home.folder / "pbem.toml").read_text()
    home.write("pbem.toml", 'name = "Ana"\n')
    assert home.pbem("init", "--mail", "ana@example").err.endswith("behind the @; is it whole?\n")
    home.write("pbem.toml", kept)
    home.done("contacts", "mail", "Beto", "beto@example.org")
    made = home.pbem("mail", "g2.json", "--to", "b@example.net", "-o", "m.eml")
    assert made.code == 0 and made.err == (
        "note: your mails to beto go to b@example.net from now on, no longer to beto@example.org\n"
    )
    assert fields(home)[1] == "b@example.net"
    assert home.done("contacts").split("\n")[0].endswith("  b@example.net")
    assert json.loads(home.done("contacts", "--json"))[0]["mail"] == "b@example.net"


def test_an_address_for_nobody_or_none_is_refused(home: Desk) -> None:
    assert "you have no contact 'eve'" in home.refused(2, "contacts", "mail", "eve", "e@e.org")
    assert "one address is needed" in home.refused(2, "contacts", "mail", "beto", "nobody")


def test_an_address_that_was_edited_into_nonsense_is_passed_over(home: Desk) -> None:
    home.done("contacts", "mail", "beto", "beto@example.org")
    path = home.folder / ".home" / "config" / "pbem" / "contacts.json"
    path.write_text(path.read_text().replace("beto@example.org", "beto"))
    assert fields(home)[1] is None
    path.write_text(path.read_text().replace('"mail": "beto"', '"mail": "b\\u202e"'))
    assert "the mail address of 'beto' is not one" in home.refused(1, "contacts")
