"""Every command does what the table of commands says, and prints what a player can use."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from pbem.cli.request import COMMANDS
from pbem.gamefile.keys import load_private
from tests.cli.desk import ANA, BETO, CHAPTER24, Desk, begin

SCHEMAS = Path(__file__).parents[2] / "schemas"
NAME = re.compile(r"crusade_[0-9a-f]{8}-\d\d-\d\d\d-[ab]2[ab]\.pbem\.json")


# --- help and usage -----------------------------------------------------------------------------


def test_the_top_help_lists_every_command(keys: Desk):
    out = keys.done("--help")
    for name, line in COMMANDS.items():
        assert re.search(rf"^  {name} +{re.escape(line)}$", out, re.M)


@pytest.mark.parametrize("name", COMMANDS)
def test_each_help_has_a_line_and_an_example(keys: Desk, name: str):
    out = keys.done(name, "--help")
    assert re.match(rf"Usage: pbem {name} ", out)
    assert f"Example: pbem {name} " in out


def test_new_and_the_readme_count_the_same_mails(keys: Desk):
    said = "The first orders come after four mails"
    assert said in " ".join(keys.done("new", "--help").split())
    assert said in (SCHEMAS.parent / "README.md").read_text()


def test_a_misspelt_command_is_named(keys: Desk):
    err = keys.refused(2, "aply")
    assert "there is no command 'aply'; did you mean 'apply'?" in err
    err = keys.refused(2, "frobnicate", "g2.json")
    assert "there is no command 'frobnicate'; pbem --help lists them all" in err


@pytest.mark.parametrize("words", [(), ("key",)])
def test_nothing_to_do_shows_the_help_once(keys: Desk, words: tuple[str, ...]):
    told = keys.pbem(*words)
    assert told.code == 2 and not told.out
    assert told.err.count("Usage:") == 1 and "Error" not in told.err


def test_wrong_usage_is_json_where_json_is_asked_for(keys: Desk):
    result = keys.pbem("log", "g.json", "--to", "x", "--json")
    assert result.code == 2
    assert [each["code"] for each in result.problems()] == ["usage"]


def test_the_version_is_a_line(keys: Desk):
    assert re.fullmatch(r"pbem \d+\.\d+\.\d+\n", keys.done("--version"))


# --- games --------------------------------------------------------------------------------------


def test_the_package_can_be_run_in_place_of_the_script(tmp_path: Path):
    words = [sys.executable, "-m", "pbem", "--colour"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("Usage: pbem [OPTIONS] COMMAND [ARGS]...\n")


def test_games_keeps_its_contract(keys: Desk):
    found = json.loads(keys.done("games", "--json"))
    game = next(each for each in found if each["id"] == "crusade")
    assert set(game) == {"id", "title", "sides", "scenarios", "options"}
    assert game["title"] == "Crusade and Revolution"
    assert game["sides"] == ["nationalist", "republican"]
    assert {"id": "campaign", "title": "Campaign"} in game["scenarios"]
    assert all(set(each) == {"id", "title"} for each in game["scenarios"])
    assert all(set(each) == {"id", "rule", "title"} for each in game["options"])
    assert json.loads(keys.done("games", "crusade", "--json")) == [game]


def test_games_in_words(keys: Desk):
    out = keys.done("games", "crusade")
    assert out.startswith("crusade: Crusade and Revolution\n  sides: nationalist, republican\n")
    assert "    campaign: Campaign\n" in out
    assert "    republican_collapse: Republican Collapse (not with first_edition)\n" in out


@pytest.mark.parametrize("words, said", [
    (("show",), "there is no game in this folder\n      hint: name the GAME, or go to its folder; "
     "pbem new proposes one\n"),
    (("games", "cruzade"), "there is no game 'cruzade'\n      hint: did you mean crusade?\n"),
    (("solo", "crusade", "champaign", "-o", "s.json"), "there is no scenario 'champaign'"),
    (("solo", "crusade", "campaign", "--option", "open", "-o", "s.json"),
     "there is no option 'open'\n      hint: did you mean open_hands? pbem games crusade lists "),
    (("solo", "crusade", "campaign", "--option", "sealed", "-o", "s.json"),
     "there is no option 'sealed'\n      hint: pbem games crusade lists all "),
    (("new", "crusade", "campaign", "--side", "carlist", "--key", "ana.key", "--opponent",
      "beto.key.pub", "-o", "s.json"), "there is no side 'carlist'"),
])  # fmt: skip
def test_what_is_not_there_is_said(keys: Desk, words: tuple[str, ...], said: str):
    assert said in keys.refused(2, *words)


COLLAPSE = ("crusade", "republican_collapse", "--option", "first_edition", "-o", "s.json")
BETWEEN_TWO = ("--side", "republican", "--key", "ana.key", "--opponent", "beto.key.pub")


@pytest.mark.parametrize("words", [("solo", *COLLAPSE), ("new", *COLLAPSE, *BETWEEN_TWO)])
def test_a_scenario_refuses_the_edition_that_has_it_not(keys: Desk, words: tuple[str, ...]):
    assert keys.refused(2, *words) == (
        "republican_collapse cannot be played with first_edition [rule 19.5]\n"
        "      hint: leave the option out; with it you can play campaign, war_of_the_columns,"
        " two_years_of_war and collapse_of_the_northern_front\n"
    )
    keys.done(*(word for word in words if word not in ("--option", "first_edition")))
    (keys.folder / "s.json").unlink()
    keys.done(*("campaign" if word == "republican_collapse" else word for word in words))


@pytest.mark.parametrize("reading, rule", [
    ("reading_q65", "3.0.coastal"), ("reading_q66", "16.6.2"),
])  # fmt: skip
def test_an_option_that_means_nothing_by_itself_is_refused(keys: Desk, reading: str, rule: str):
    words = ("solo", "crusade", "campaign", "-o", "s.json", "--option", reading)
    assert keys.refused(2, *words) == (
        f"{reading} has no effect without first_edition [rule {rule}]\n"
        "      hint: add --option first_edition, or leave it out\n"
    )
    keys.done(*words, "--option", "first_edition")
    assert re.search(rf"{reading}: .* \(only with first_edition\)\n", keys.done("games"))


def test_options_that_exclude_each_other_are_both_named(keys: Desk):
    err = keys.refused(2, "solo", "crusade", "campaign", "--option", "rule_18_2_15_1",
                       "--option", "rule_18_2_15_2", "-o", "s.json")  # fmt: skip
    assert err == "rule_18_2_15_1 and rule_18_2_15_2 exclude each other [rule 18.2.15]\n"


# --- keygen -------------------------------------------------------------------------------------


def test_a_key_is_private_and_says_whose_it_is(keys: Desk):
    out = keys.done("keygen", "--out", "new.key", "--name", "Ana María", "--no-passphrase")
    private, public = keys.folder / "new.key", keys.folder / "new.key.pub"
    assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert re.fullmatch(r"ssh-ed25519 [A-Za-z0-9+/]{68} Ana María\n", public.read_text("utf-8"))
    print_ = re.search(r"SHA256:\S{43}", out)
    assert print_
    assert out == (
        "new.key is your private key: keep it secret, and keep a copy\n"
        f"new.key.pub is for your opponent; its fingerprint is {print_[0]}\n"
    )
    assert load_private(private.read_bytes()).public


def test_ssh_keygen_agrees(keys: Desk):
    if shutil.which("ssh-keygen") is None:
        pytest.skip("ssh-keygen is not here")
    found = json.loads(keys.done("keygen", "--out", "new.key", "--no-passphrase", "--json"))
    assert found["private"] == "new.key" and found["public"] == "new.key.pub"
    told = subprocess.run(
        ["ssh-keygen", "-l", "-f", "new.key"], cwd=keys.folder, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert found["fingerprint"] in told.stdout


@pytest.mark.parametrize("there", ["ana.key", "ana.key.pub"])
def test_a_key_is_never_overwritten(keys: Desk, there: str):
    kept = keys.folder / there
    for path in keys.folder.glob("ana*"):
        if path != kept:
            path.unlink()
    err = keys.refused(2, "keygen", "--out", "ana.key", "--no-passphrase")
    assert f"{there} already exists; a key is never overwritten" in err


def test_a_passphrase_comes_from_the_environment(keys: Desk, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PBEM_PASSPHRASE", "salamanca")
    keys.done("keygen", "--out", "new.key")
    raw = (keys.folder / "new.key").read_bytes()
    assert load_private(raw, b"salamanca")
    words = ("new", "crusade", "campaign", "--side", "republican", "--key", "new.key",
             "--opponent", "beto.key.pub", "-o", "g.json")  # fmt: skip
    monkeypatch.setenv("PBEM_PASSPHRASE", "burgos")
    err = keys.refused(1, *words)
    assert err == "new.key: the key file does not open: wrong passphrase, or damaged\n"
    monkeypatch.setenv("PBEM_PASSPHRASE", "salamanca")
    assert "you are the Republican player" in keys.done(*words)


def test_a_passphrase_is_asked_for_twice_and_then_once(keys: Desk, monkeypatch):
    asked = []

    def typed(prompt: str = "") -> str:
        asked.append(prompt)
        return "madrid"

    monkeypatch.setattr("pbem.cli.keyfiles.has_terminal", lambda: True)
    monkeypatch.setattr("click.termui.hidden_prompt_func", typed)
    made = keys.pbem("keygen", "--out", "new.key")
    assert made.code == 0 and "madrid" not in made.out + made.err
    assert len(asked) == 2
    used = keys.pbem("new", "crusade", "campaign", "--side", "republican", "--key", "new.key",
                     "--opponent", "beto.key.pub", "-o", "g.json")  # fmt: skip
    assert used.code == 0 and len(asked) == 3


def test_nobody_at_the_keyboard_means_no_key(keys: Desk):
    called = "from pbem.cli import main; main()"
    command = [sys.executable, "-c", called, "keygen", "--out", "new.key"]
    result = subprocess.run(
        command, cwd=keys.folder, input="typed\ntyped\n", text=True, capture_output=True,
        start_new_session=True, check=False,
    )  # fmt: skip
    assert result.returncode == 1 and result.stdout == ""
    assert result.stderr == (
        "a passphrase is needed, and there is no terminal to ask for it\n"
        "      hint: use --passphrase-fd or PBEM_PASSPHRASE; --no-passphrase makes a key that "
        "anybody can use who has the file\n"
    )
    assert not (keys.folder / "new.key").exists()


# --- the three mails that begin a game ----------------------------------------------------------


TERMS = (
    "terms of the game:\n"
    "  Campaign (campaign), 2nd edition; rules crusade/1, data <data>\n"
    f"  proposed by the Nationalist player, key {ANA}\n"
    f"  proposed to the Republican player, key {BETO}\n"
    "  option example_hands: on (The opening hands of the extended example) [rule 24.1]\n"
)
CHAIN = (
    "  no match named; no director; no terms for silence\n"
    "  4096 values for dice on each player's chain; "
)


def constant(text: str) -> str:
    return re.sub(r"data [0-9a-f]{16}\b", "data <data>", text)


def test_three_mails_begin_a_game(keys: Desk):
    begin(keys, "--option", "example_hands", "--option", "open_hands")
    proposed = keys.pbem("status", "g0.json").out  # that the file is old is said beside it
    assert constant(proposed) == (
        "Crusade and Revolution: Campaign\n"
        f"{TERMS}"
        "  option open_hands: on (Both players see both hands) [rule 8.1.4]\n"
        "  no other options\n"
        f"{CHAIN}nothing is sealed at the beginning\n"
        "to accept: pbem turn g0.json --key KEY, with the key of the Republican player; to "
        "decline, send nothing\n"
        "to write: Republican: accept the game\n"
    )
    assert "to write: Nationalist: begin the game\n" in keys.pbem("status", "g1.json").out
    assert "to write: Nationalist: play a card" in keys.done("status", "g2.json")


def test_what_each_of_the_three_commands_says(keys: Desk):
    told = keys.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
                     "--opponent", "beto.key.pub", "--option", "example_hands",
                     "-o", "g0.json")  # fmt: skip
    assert told == (
        "g0.json proposes a game of Crusade and Revolution, Campaign; you are the Nationalist "
        "player\n"
        "send it to your opponent: pbem mail g0.json writes the message, which tells them how to "
        "accept\n"
        f"note: the key of beto is now pinned: {BETO}\n"
    )
    decks = "2 sealed layouts, each proven out of 64 trial layouts\n"
    terms = f"{TERMS}  no other options\n{CHAIN}{decks}"
    told = keys.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
    assert constant(told) == (
        "you accept this game: Crusade and Revolution: Campaign\n"
        f"{terms}"
        f"note: the key of your opponent is now pinned: {ANA} "
        "(--opponent NAME puts their name there)\n"
        "to write: Nationalist: begin the game\n"
        "written: g1.json\n"
        "now send g1.json to your opponent, the Nationalist player: pbem mail g1.json writes the "
        "message\n"
    )
    told = keys.done("apply", "g1.json", "--key", "ana.key", "-o", "g2.json")
    assert constant(told) == (
        "you begin this game: Crusade and Revolution: Campaign\n"
        "to write: Nationalist (you): play a card, or make an automatic operation without one "
        "[play]\n"
        "written: g2.json\n"
        "it is still your turn: pbem form g2.json --key ana.key writes what to fill in\n"
    )


def test_names_come_from_the_chain(keys: Desk):
    told = keys.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
                     "--opponent", "beto.key.pub")  # fmt: skip
    names = [NAME.findall(told)[0]]
    for player in ("beto", "ana", "beto"):
        told = keys.done("apply", names[-1], "--key", f"{player}.key")
        names.append(NAME.findall(told)[0])
    assert [name.partition("-")[2] for name in names] == [
        "00-000-a2b.pbem.json", "00-001-b2a.pbem.json", "01-002-a2b.pbem.json",
        "01-003-b2a.pbem.json",
    ]  # fmt: skip
    assert len({name[:16] for name in names}) == 1
    assert all((keys.folder / name).is_file() for name in names)


def test_solo_needs_no_key_and_is_called_solo_everywhere(keys: Desk):
    out = keys.done("solo", "crusade", "campaign", "--seed", "x", "-o", "s.json")
    label = "solo: one person plays both sides, so the dice prove nothing"
    assert label in out
    orders = keys.orders("play: {card: N1, for: event}")
    keys.done("apply", "s.json", orders, "-o", "t.json")
    for words in (("status", "t.json"), ("log", "t.json"), ("log", "t.json", "--format", "html")):
        assert label in keys.done(*words)
    assert "a solo game" in keys.done("verify", "t.json")
    assert json.loads(keys.done("status", "t.json", "--json"))["solo"] is True


def test_a_seed_fixes_a_solo_game(keys: Desk):
    for name in ("one", "two"):
        keys.done("solo", "crusade", "campaign", "--seed", "x", "-o", f"{name}.json")
    assert (keys.folder / "one.json").read_bytes() == (keys.folder / "two.json").read_bytes()
    keys.done("solo", "crusade", "campaign", "-o", "three.json")
    assert (keys.folder / "one.json").read_bytes() != (keys.folder / "three.json").read_bytes()


# --- apply and check ----------------------------------------------------------------------------

FIRST = CHAPTER24 / "01-nationalist.yaml"


def test_apply_tells_what_happened_and_what_to_do_next(desk: Desk):
    out = desk.pbem("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "n.json").out
    assert out.startswith("Crusade and Revolution: Campaign\n")
    assert "  > play: {card: N1, for: event}\n" in out
    assert out.endswith(
        "note: kept, and checked when its turn comes: done\n"
        "note: this machine has no record of the game, so an old position would not be noticed "
        "(use --last "
        "with the last file you sent)\n"
        "to write: Republican: roll the dice\n"
        "written: n.json\n"
        "now send n.json to your opponent, the Republican player: pbem mail n.json writes the "
        "message\n"
    )


def test_applying_twice_gives_the_same_bytes(desk: Desk):
    words = ("apply", "g2.json", FIRST, "--key", "ana.key")
    desk.done(*words, "-o", "one.json")
    desk.done(*words, "-o", "two.json")
    desk.done(*words, "-o", "two.json")
    one, two = (desk.folder / name for name in ("one.json", "two.json"))
    assert one.read_bytes() == two.read_bytes() == (desk.folder / "g3.json").read_bytes()


def test_apply_as_json(desk: Desk):
    words = ("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "n.json", "--json")
    found = desk.pbem(*words).json()
    assert found["file"] == "n.json" and found["entries"] == 4
    ahead, record = found["notes"]
    assert ahead == "kept, and checked when its turn comes: done"
    assert record.startswith("this machine has no record of the game")
    assert [each["what"].split()[0] for each in found["status"]["owed"]] == ["reveal"]
    assert found["log"]["chapters"]


def test_apply_without_orders_where_orders_are_wanted(desk: Desk):
    err = desk.refused(1, "apply", "g2.json", "--key", "ana.key", "-o", "n.json")
    assert err == (
        "g2.json: you are asked to play a card, or make an automatic operation without one, but "
        "no orders "
        "were given [rule 7.1.3]\n      hint: 'pbem form' writes an orders file to fill in\n"
    )


def test_check_stops_at_the_first_roll(desk: Desk):
    before = desk.files()
    out = desk.done("check", "g2.json", FIRST, "--key", "ana.key")
    assert out == (
        "3 orders are legal; checked up to the first roll (attacker's fire and defender's fire)\n"
        f"{FIRST}:5:5: 4 against 1 in Riotinto: wins 75 %, loses a step 50 %\n"
        "checked when its turn comes: done\n"
        "mails: one for this round, if all goes as written\n"
    )
    assert desk.done("check", "g2.json", FIRST) == out
    assert desk.files() == before


def test_check_says_who_is_asked_next(desk: Desk):
    orders = desk.orders("play: {card: N1, for: event}")
    assert desk.done("check", "g2.json", orders) == (
        "1 order is legal; next, the Nationalist player is asked to activate up to 2 spaces: "
        "Sevilla and 1 more\n"
    )
    told = desk.done("check", "g2.json", orders, "--key", "ana.key")
    assert (
        told
        == "1 order is legal; next, you are asked to activate up to 2 spaces: Sevilla and 1 more\n"
    )


def test_check_of_a_file_without_orders(desk: Desk):
    orders = desk.write("none.yaml", "say: hello\norders: []\n")
    assert desk.done("check", "g2.json", orders, "--key", "ana.key") == (
        "the file has no orders yet; next, you are asked to play a card, or make an automatic "
        "operation "
        "without one\n"
    )


def test_check_as_json(desk: Desk):
    found = json.loads(desk.done("check", "g2.json", FIRST, "--key", "ana.key", "--json"))
    assert [next(iter(order)) for order in found["orders"]] == [
        "play", "activate", "attack", "done",
    ]  # fmt: skip
    assert found["ahead"] == 1


# --- form ---------------------------------------------------------------------------------------


def filled(text: str) -> str:
    """A form in whose open line the first order of its comments was put."""
    first = re.search(r"^  # - (.*)$", text, re.M)
    assert first
    return re.sub(r"^  - .*\.\.\..*$", f"  - {first[1]}", text, flags=re.M)


def test_a_form_is_no_orders_until_it_is_filled_in(desk: Desk):
    out = desk.done("form", "g2.json", "--key", "ana.key", "-o", "form.yaml")
    assert out == "written: form.yaml\n"
    text = (desk.folder / "form.yaml").read_text()
    assert re.fullmatch(
        r"# yaml-language-server: .*\n"
        r"# Crusade and Revolution: Campaign\n"
        r"# Turn 1, August 1936 \(War of the Columns\), Nationalist round 1\n"
        r"# activate up to 2 spaces: Sevilla and 1 more \[rule 8\.2\.1\]\n"
        r"game: '[\d ]{24}'\nentry: 3\norders:\n"
        r"  - play: \{card: N1, for: event\}\n"
        r"  - \.\.\.   # fill in: replace this line with one of the orders below\n"
        r"  # - activate: none   # nothing more\n"
        r"\n"
        r"  # ready attacks: choose one, [^#]*, without their first #, for the open line\n"
        r"((?:  # or:\n)?  # - activate: \{attack: \[.*\]\}\n  # - attack: \{space: .*\}\n"
        r"(?:  #   \w.*\n|  # {9}.*\n)*"
        r"  # #   \d+ against \d+ in .*: wins \d+ %, loses a step.* \d+ %\n){3}"
        r"\n"
        r"  # - activate: \{move: \[lugo\]\}\n  # - activate: \{attack: \[lugo\]\}\n"
        r"  #     move: (.*\n  #   )+ +.*\n  #     attack: (.*\n  #   )+ +.*\n\n"
        r"# an order can wait: write a line 'when: .*' below its verb;\n"
        r"# if the condition .*\n# a when may name any, control, empty, round;\n"
        r"# such .*\n# if it plays .*\n#\n"
        r"# standing orders answer for you in [^#]*\n# standing:\n#   combat_card: none +# .*\n"
        r"#   losses: \[.*\] +# what is lost first\n#   cancel_retreat: never +# .*\n"
        r"#   retreat: toward_supply +# .*\n#   scope: \{ask: \[\]\} +# .*\n#   own: .*\n"
        r"#   # write ask instead of an answer to answer that question yourself, .*\n"
        r"(#   #.* those that lose least go first\n|#   #   .*\n|#   # losses: .*\n)+"
        r"#   # flip_before_kill, first in the list: .*\n#   #   .*\n"
        r"#   # a when may name any, (.*\n#   #  )+.*\n#   # after the dice also .*\n",
        text,
    )
    for words in (("check",), ("apply", "-o", "n.json")):
        err = desk.refused(1, words[0], "g2.json", "form.yaml", "--key", "ana.key", *words[1:])
        line = text[: text.index("  - ...")].count("\n") + 1
        assert err.startswith(
            f"form.yaml:{line}:5: fill in this order: you are asked to activate up to 2 spaces"
        )
    desk.write("filled.yaml", filled(text))
    assert (
        desk.pbem("apply", "g2.json", "filled.yaml", "--key", "ana.key", "-o", "n.json").code == 0
    )


def test_the_attacks_of_a_form_can_be_ordered_as_they_stand(desk: Desk):
    """Each alone, with the open line out of the way; and the odds are those of pbem odds. They
    are shown as alternatives: two of them need more operations than the card has.
    """
    for game, key in (("g2.json", "ana"), ("g4.json", "beto")):
        text = desk.done("form", game, "--key", f"{key}.key")
        before, behind = re.split(r"^  - .*\.\.\..*\n", text, flags=re.M)
        ready = behind.split("for the open line\n")[1].split("\n\n")[0]
        blocks = (ready + "\n").split("  # or:\n")
        found = [(re.sub("^  # ", "  ", block, flags=re.M), re.search("# #   (.*)", block)[1])
                 for block in blocks]  # fmt: skip
        assert len(found) == 3 and ready.count("\n  # or:\n") == 2
        together = before + "".join(orders for orders, _ in found)
        desk.refused(1, "check", game, desk.write("all.yaml", together), "--key", f"{key}.key")
        for orders, odds in found:
            desk.write("ready.yaml", before + orders)
            told = desk.done("check", game, "ready.yaml", "--key", f"{key}.key")
            assert f": {odds}\n" in told
            needed = set(re.search(r"attack: \[(.*)\]\}", orders)[1].split(", "))
            assert needed == set(
                re.findall(r"(\w+): \[", orders.split("units: {")[1].split("}")[0])
            )


def test_a_form_asks_nothing_where_only_one_answer_is_legal(desk: Desk):
    """The game begins with N1 as an event: the form asks what comes after it."""
    before = desk.done("form", "g2.json", "--key", "ana.key").split("\n  - ...")[0]
    assert before.endswith("orders:\n  - play: {card: N1, for: event}")
    written = before + "\n"
    desk.write("alone.yaml", written)
    assert "1 order is legal" in desk.done("check", "g2.json", "alone.yaml", "--key", "ana.key")


def test_a_form_beside_standing_orders_does_not_repeat_their_words(desk: Desk):
    long = desk.done("form", "g2.json", "--key", "ana.key")
    assert "# standing:\n#   combat_card: none" in long
    desk.write("standing.yaml", "standing:\n  combat_card: none\n")
    short = desk.done("form", "g2.json", "--key", "ana.key")
    assert short.endswith("#\n# standing.yaml answers for you when the enemy acts\n")
    assert len(long.splitlines()) - len(short.splitlines()) > 12
    after = desk.write("first.yaml", "orders:\n  - play: {card: N1, for: event}\n")
    assert desk.done("form", "g2.json", "--key", "ana.key", "--after", after) == short
    desk.write("standing.yaml", 'game: "1111 1111 1111 1111 1111"\nstanding: {losses: [INF]}\n')
    assert desk.pbem("form", "g2.json", "--key", "ana.key").out == long


def test_a_verb_of_another_language_is_told_the_verbs_of_now(desk: Desk):
    desk.write("es.yaml", "orders:\n  - jugar: {carta: N1}\n")
    err = desk.refused(1, "check", "g2.json", "es.yaml")
    assert "no order is named 'jugar'" in err and "hint: an order can now begin with play\n" in err


def test_a_form_goes_on_behind_orders_that_are_ready(desk: Desk):
    orders = desk.orders("play: {card: N1, for: event}")
    text = desk.done("form", "g2.json", "--key", "ana.key", "--after", orders)
    assert "\norders:\n  - play: {card: N1, for: event}\n  - ...   # fill in" in text
    assert "\n  # - activate: none   # nothing more\n" in text
    assert "\n  # - activate: {attack: [" in text
    desk.write("more.yaml", text)
    assert "more.yaml:8:5: fill in this order: you are asked to activate up to 2 spaces: " in (
        desk.refused(1, "check", "g2.json", "more.yaml")
    )
    desk.write("more.yaml", filled(text))
    assert desk.done("check", "g2.json", "more.yaml").startswith("2 orders are legal; ")
    more = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}")
    text = desk.done("form", "g2.json", "--after", more)
    assert "  # Riotinto\n  # - attack: {space: riotinto, units: {" in text
    err = desk.refused(1, "form", "g2.json", "--after", FIRST)
    assert err == (
        "g2.json: no more is asked of you after these orders; checked up to the first roll "
        "(attacker's fire and defender's fire)\n      hint: pbem turn or pbem apply sends them\n"
    )


def test_an_open_order_behind_an_optional_part_is_told_by_its_own_question(desk: Desk):
    attack = "attack: {space: riotinto, units: ...}"
    spaces = "activate: {move: [caceres], attack: [sevilla]}"
    for lines, rule in (((spaces, attack), " [rule 11.2.2]"), ((attack,), "")):
        orders = desk.orders("play: {card: N1, for: event}", *lines, "done", "attack: ...")
        err = desk.refused(1, "check", "g2.json", orders, "--key", "ana.key")
        last = 2 + len(lines)
        assert re.findall(r"^orders.yaml:.*$", err, re.M) == [
            f"orders.yaml:{last}:38: fill in units{rule}",
            f"orders.yaml:{last + 2}:13: fill in this order, or leave it out",
        ]


def test_a_form_for_whom_nothing_is_asked(desk: Desk):
    said = "no orders can be given now\n      hint: pbem status shows whose turn it is to write\n"
    assert desk.refused(1, "form", "g2.json", "--key", "beto.key") == f"g2.json: {said}"
    assert desk.refused(1, "form", "g3.json", "--key", "ana.key") == f"g3.json: {said}"


def test_the_form_of_the_one_who_first_owes_a_value(desk: Desk):
    text = desk.done("form", "g3.json", "--key", "beto.key")
    assert "\norders:\n  - " in text
    desk.write("form.yaml", filled(text))
    assert desk.pbem("apply", "g3.json", "form.yaml", "--key", "beto.key", "-o", "n.json").code == 0


def test_the_form_of_a_solo_game(desk: Desk):
    desk.write("open.yaml", desk.done("form", "solo.json"))
    err = desk.refused(1, "apply", "solo.json", "open.yaml", "-o", "n.json")
    assert ": fill in this order: you are asked to activate " in err
    desk.write("form.yaml", filled((desk.folder / "open.yaml").read_text()))
    out = desk.pbem("apply", "solo.json", "form.yaml", "-o", "n.json").out
    assert "written: n.json\n" in out and "opponent" not in out


# --- status -------------------------------------------------------------------------------------


def test_status_with_a_key_shows_hand_units_and_what_may_be_ordered(desk: Desk):
    out = desk.pbem("status", "g2.json", "--key", "ana.key").out
    assert "you are the Nationalist player\nyour hand:\n  N1  Air Bridge (operations 3" in out
    assert "\nyour units:\n" in out and "\n  sevilla: INF-15, N-POL-4, AFR-1\n" in out
    assert "to write: Nationalist (you): play a card" in out
    assert "    - play: {card: N1, for: event}   # Air Bridge: event\n" in out


def test_status_of_the_one_who_waits(desk: Desk):
    out = desk.pbem("status", "g2.json", "--key", "beto.key").out
    assert "you are the Republican player\n" in out
    assert "you may order" not in out
    assert "to write: Nationalist: play a card" in out


def test_status_as_json(desk: Desk):
    found = desk.pbem("status", "g2.json", "--key", "ana.key", "--json").json()
    assert found["system"] == "crusade" and found["scenario"] == "campaign"
    assert found["phase"] == "running" and found["entry"] == 2 and found["pen"] == "A"
    assert found["sides"] == {"A": "nationalist", "B": "republican"}
    assert found["owed"] == [{"by": "A", "what": "answer action"}]
    assert found["asked"]["verbs"] == ["play"] and found["asked"]["rule"] == "7.1.3"
    assert found["you"]["orders_wanted"] is True
    other = desk.pbem("status", "g3.json", "--key", "ana.key", "--json").json()
    assert other["you"]["orders_wanted"] is False
    assert re.fullmatch(r"\d{4}( \d{4}){4}", found["fingerprint"])


# --- log ----------------------------------------------------------------------------------------

STARTS = {
    "text": "Crusade and Revolution: Campaign\n=====", "markdown": "# Crusade and Revolution",
    "html": '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">', "bbcode": "[",
    "json": "{",
    "journal": "Crusade and Revolution: Campaign\n=====",
}  # fmt: skip


@pytest.mark.parametrize("style", STARTS)
def test_the_log_in_every_format(desk: Desk, style: str):
    out = desk.done("log", "g4.json", "--format", style)
    assert out.lower().startswith(STARTS[style].lower())
    assert "Riotinto" in out


def test_parts_of_the_log(desk: Desk):
    whole = desk.done("log", "g4.json")
    assert "play: {card: N1, for: event}" in whole and "fire with strength" in whole
    orders, dice = (desk.done("log", "g4.json", "--from", n, "--to", n) for n in "34")
    assert desk.done("log", "g4.json", "--from", "4", "--entry", "4") == dice, "as status has it"
    assert "play: {card: N1" in orders and "fire with strength" not in orders
    assert "play: {card: N1" not in dice and "fire with strength" in dice
    assert desk.done("log", "g4.json", "--from", "3") == whole
    assert desk.done("log", "g4.json", "--json") == desk.done("log", "g4.json", "--format", "json")


# --- verify and dice ----------------------------------------------------------------------------


def test_verify_says_what_is_proven(desk: Desk):
    found = desk.pbem("status", "g4.json", "--json").json()
    assert len(found["words"].split()) == 6
    assert desk.done("verify", "g4.json") == (
        "5 entries: every one signed by its author, none missing, none changed\n"
        "1 beacon: both players' values match what they were bound to, and no value was shown "
        "before the decisions\n"
        "2 dice and 0 draws recomputed from the beacons\n"
        "4 orders judged again, 0 lapsed\n"
        "1 sealed layout proven by cut-and-choose; 0 slots opened\n"
        f"game {found['fingerprint']}; in words: {found['words']}\n"
    )
    assert f"\nin words: {found['words']}\n" in desk.done("status", "g4.json")
    words = found["words"]
    found = json.loads(desk.done("verify", "g4.json", "--json"))
    assert found["words"] == words
    assert found["good"] is True and found["findings"] == []
    assert found["proven"]["dice"] == 2


def test_verify_against_the_last_file_sent(desk: Desk):
    desk.done("verify", "g4.json", "--last", "g3.json")
    err = desk.refused(3, "verify", "g2.json", "--last", "g3.json")
    assert "you have already seen this game up to entry 3, and this file ends earlier" in err


def test_verify_without_rules_needs_no_data(desk: Desk):
    found = desk.pbem("status", "g4.json", "--json").json()
    assert desk.done("verify", "g4.json", "--without-rules") == (
        "5 entries: every one signed by its author, none missing, none changed\n"
        "1 beacon: both players' values match what they were bound to\n"
        "1 sealed layout proven by cut-and-choose; 0 slots opened\n"
        "1 sealed layout is NOT proven yet\n"
        "NOT checked, because the rules were left out: whose turn it was (and so what was written "
        "out of turn and may be passed over), the orders, the dice they call for, what "
        "was kept hidden, the result\n"
        f"game {found['fingerprint']}; in words: {found['words']}\n"
    )
    told = json.loads(desk.done("verify", "g4.json", "--without-rules", "--json"))
    assert told["good"] is True and told["proven"]["beacons"] == 1
    assert "dice" not in told["proven"]
    text = (desk.folder / "g4.json").read_text()
    desk.write("bad.json", text.replace('"riotinto"', '"merida"', 1))
    assert "entry 3" in desk.refused(3, "verify", "bad.json", "--without-rules")
    err = desk.refused(2, "verify", "g4.json", "--without-rules", "--last", "g3.json")
    assert "--last compares positions, which needs the rules: use only one of the two" in err


def test_a_game_of_data_not_known_here_is_verified_without_rules(desk: Desk):
    toy = json.loads((SCHEMAS / "vectors" / "13-game.json").read_text("ascii"))["file"]
    desk.write("toy.json", json.dumps(toy))
    err = desk.refused(3, "verify", "toy.json")
    assert "there is no game 'toy'" in err
    assert "pbem verify --without-rules checks everything that needs neither rules nor data" in err
    assert "12 entries: every one signed" in desk.done("verify", "toy.json", "--without-rules")


def test_verify_names_the_first_thing_that_is_wrong(desk: Desk):
    text = (desk.folder / "g4.json").read_text()
    desk.write("bad.json", text.replace('"riotinto"', '"merida"', 1))
    result = desk.pbem("verify", "bad.json", "--json")
    assert result.code == 3
    found = result.json()
    assert found["good"] is False and found["proven"] is None
    assert [each["code"] for each in found["findings"]] == ["E-DAMAGED"]
    assert found["findings"][0]["entry"] == 3
    assert "entry 3" in desk.refused(3, "verify", "bad.json")


def test_every_die_can_be_recomputed_with_openssl(desk: Desk):
    if shutil.which("openssl") is None:
        pytest.skip("openssl is not here")
    out = desk.done("dice", "g4.json").splitlines()
    commands = [number for number, line in enumerate(out) if line.startswith("  $ ")]
    assert len(commands) == 5  # the beacon, a link of each player, two dice
    for number in commands:
        done = subprocess.run(
            out[number].removeprefix("  $ "), shell=True, capture_output=True, text=True, check=True
        )
        block = done.stdout.split()[-1]
        before, after = out[number - 1], out[number + 1].strip()
        assert block in (after, before.rpartition(" = ")[2]), out[number]


def test_dice_as_json_say_the_same(desk: Desk):
    found = json.loads(desk.done("dice", "g4.json", "--json"))
    faces = [roll["face"] for roll in found["rolls"]]
    assert len(faces) == 2 and all(1 <= face <= 6 for face in faces)
    (beacon,) = found["beacons"]
    assert beacon["n"] == 1
    for value, entry in zip(beacon["values"], (2, 1), strict=True):
        bound = value["hashes_to"]
        steps = json.loads((desk.folder / "g4.json").read_text())["entries"][entry]["payload"]
        assert bound["entry"] == entry and bound["anchor"] is True
        assert bound["value"] in [step.get("anchor") for step in steps["steps"]]
    for roll in found["rolls"]:
        word = roll["words"][-1]
        assert roll["face"] == 1 + int(word["raw"], 16) % 6
    assert json.loads(desk.done("dice", "g4.json", "--entry", "3", "--json"))["rolls"] == []
    assert desk.done("dice", "g2.json") == "nothing has been rolled yet\n"


# --- the same through a process of its own ------------------------------------------------------


def test_a_process_exits_with_the_code_and_prints_the_same(today: Desk):
    pbem = [sys.executable, "-c", "from pbem.cli import main; main()"]
    for words in (["status", "g2.json"], ["verify", "nothing.json"], ["dice", "g4.json"]):
        inside = today.pbem(*words)
        done = subprocess.run(
            [*pbem, *words], cwd=today.folder, capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == inside


@pytest.mark.parametrize("reader", ["true", "head -c 10"])
def test_a_reader_who_leaves_is_no_fault(today: Desk, reader: str):
    line = f"{sys.executable} -c 'from pbem.cli import main; main()' log g4.json | {reader}"
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], cwd=today.folder, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_the_standard_output_is_told(today: Desk):
    line = f"{sys.executable} -c 'from pbem.cli import main; main()' log g4.json > /dev/full"
    done = subprocess.run(
        ["bash", "-c", line], cwd=today.folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr == (
        "the output could not be written: no space left on device; nothing was written\n"
    )


# --- exit codes ---------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [
    ("games", "chess"), ("data", "chess"), ("rules", "chess"), ("cards", "chess"),
    ("solo", "chess", "campaign"), ("solo", "crusade", "blitz"),
    ("solo", "crusade", "campaign", "--option", "luck"),
    ("solo", "madrid", "campaign", "--option", "open_hands", "--option", "luck"),
    ("new", "crusade", "campaign", "--side", "red", "--key", "ana.key", "--opponent",
     "beto.key.pub"),
    ("new", "crusade", "campaign", "--side", "republican", "--key", "ana.key", "--opponent", "x"),
    ("rules", "crusade", "99.9"), ("cards", "crusade", "N99"), ("cards", "solo.json", "N99"),
    ("show", "solo.json", "atlantis"), ("show", "solo.json", "--side", "red"),
    ("show", "solo.json", "--entry", "99"), ("log", "solo.json", "--from", "99"),
    ("dice", "solo.json", "--entry", "99"), ("contacts", "forget", "nobody"),
    ("dance",), ("status", "nowhere.json"),
])  # fmt: skip
def test_a_name_on_the_command_line_that_nobody_knows_is_wrong_usage(
    desk: Desk, words: tuple[str, ...]
):
    desk.refused(2, *words)


def test_a_name_in_an_orders_file_that_nobody_knows_is_a_problem_of_the_orders(desk: Desk):
    orders = desk.orders("play: {card: N1, for: event}", "activate: {attack: [atlantis]}")
    assert "no space is named 'atlantis'" in desk.refused(1, "check", "solo.json", orders)


def test_each_beacon_is_told_once_before_its_rolls(desk: Desk):
    told = desk.done("dice", "g4.json").splitlines()
    assert told[0].startswith("beacon 1 = ") and told[1].startswith("  $ printf 'pbem1/beacon")
    assert told[2] == (
        "  value 1 of the Nationalist player, shown in entry 3, hashes to the anchor given in "
        "entry 2:"
    )
    assert told[8].startswith("entry 4: attacker's fire (combat/1/att/die/1): ")
    assert sum(line.startswith("beacon") for line in told) == 1
