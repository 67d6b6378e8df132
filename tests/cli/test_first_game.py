"""What a player runs into in a first game by mail: a slip is told as what it is."""

from __future__ import annotations

import json
import shutil

import pytest

from tests.cli.desk import CHAPTER24, Desk, begin

FIRST = CHAPTER24 / "01-nationalist.yaml"
KEY = ("--key", "ana.key")


# --- a file older than one that was written here


@pytest.mark.parametrize(
    "words",
    [
        ("claim", "g3.json"), ("offer", "g3.json", "takeback", "--known-randomness"),
        ("resign", "g3.json", "--yes"), ("rotate", "g3.json", "--to", "eve.key"),
    ],
)  # fmt: skip
def test_nothing_is_laid_beside_an_old_turn(desk: Desk, words: tuple[str, ...]) -> None:
    """Beto has answered on this very machine: what Ana says of the turn before would be untrue."""
    desk.done("apply", "g2.json", FIRST, *KEY, "-o", "g3.json")
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "sent 4.json")
    err = desk.refused(3, *words, *KEY, "-o", "x.json")
    assert err == (
        "g3.json: entry 4: you have already seen this game up to entry 4, and this file "
        "ends earlier\n      hint: never answer the same position twice: use the newest file "
        "you have ('sent 4.json', up to entry 4)\n"
    )


def test_two_answers_to_one_position_name_the_file_to_send(desk: Desk) -> None:
    desk.done("apply", "g2.json", FIRST, *KEY, "-o", "sent 3.json")
    other = desk.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla]}")
    err = desk.refused(3, "apply", "g2.json", other, *KEY, "-o", "x.json")
    assert "you have already signed an answer to this position" in err
    assert "send that file ('sent 3.json', up to entry 3); if it is lost" in err


# --- offers that are not there


@pytest.mark.parametrize("words", [("no",), ("no", FIRST), ("yes",), ("yes", FIRST)])
def test_an_answer_without_an_offer_says_so_at_once(desk: Desk, words: tuple[str, ...]) -> None:
    err = desk.refused(1, "answer", "g2.json", *words, *KEY, "-o", "x.json")
    assert err.startswith("g2.json: the Republican player has no open offer [protocol, offers]\n")
    assert "pbem status" in err


def test_a_take_back_without_a_target_says_why_there_is_none(desk: Desk) -> None:
    """The state before Ana's orders is one nobody could go back to: the decks were to be proven."""
    err = desk.refused(1, "offer", "g4.json", "takeback", "--key", "beto.key", "-o", "x.json")
    assert err == (
        "g4.json: you have made no decision that could be taken back\n      hint: "
        "--to N names another entry, and the game can go back to the state after one of "
        "these: 2\n"
    )


def test_a_first_decision_that_cannot_be_taken_back_is_named(keys: Desk) -> None:
    """The entry that proves a deck holds the orders, too: nothing quiet lies before them."""
    begin(keys)
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")
    orders = keys.orders("play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}",
                         "attack: {space: riotinto, units: {sevilla: [INF-15]}}")  # fmt: skip
    keys.done("apply", "g3.json", orders, *KEY, "-o", "g4.json")
    words = ("offer", "g4.json", "takeback", "--known-randomness", *KEY, "-o", "x.json")
    assert keys.refused(1, *words) == (
        "g4.json: your first decision is in entry 4, and the game cannot go back to the state "
        "before "
        "it: the Nationalist player still had to prove that a draw pile is complete then "
        "[protocol R7]"
        "\n      hint: nothing has been decided yet\n"
    )
    assert "entry 3: the Nationalist player still had to prove" in keys.refused(
        1, *words, "--to", "3"
    )


@pytest.mark.parametrize(
    ("entry", "why"),
    [
        ("0", "the game had not begun then"), ("1", "the game had not begun then"),
        ("3", "the Republican player still had to roll the dice then"),
        ("9", "it is not in the file, which ends with entry 4"),
    ],
)  # fmt: skip
def test_a_take_back_says_which_reason_it_is(desk: Desk, entry: str, why: str) -> None:
    err = desk.refused(
        1, "offer", "g4.json", "takeback", "--to", entry, "--key", "beto.key", "-o", "x.json"
    )
    assert err.splitlines()[0] == (
        f"g4.json: the game cannot go back to entry {entry}: {why} [protocol R7]"
    )
    assert "one of these entries: 2" in err


def test_a_take_back_is_two_words_to_some(desk: Desk) -> None:
    words = ("offer", "g3.json", "take-back", "--known-randomness", *KEY, "-o", "x.json")
    assert "asks to take back everything after entry 2" in desk.done(*words)


# --- entries that are not there


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("dice", "--entry", "99"), "entry 99 is not in the file, which ends with entry 4"),
        (("log", "--from", "99"), "entry 99 is not in the file, which ends with entry 4"),
        (("log", "--entry", "99"), "entry 99 is not in the file, which ends with entry 4"),
        (("log", "--from", "99", "--json"), "entry 99 is not in the file, which ends with entry 4"),
        (("log", "--from", "3", "--to", "1"), "--from 3 is after --to 1"),
    ],
)
def test_an_entry_that_is_not_there(desk: Desk, words: tuple[str, ...], told: str) -> None:
    err = desk.refused(2, words[0], "g4.json", *words[1:])
    assert told in err


def test_an_entry_without_a_roll_is_told_from_a_game_without_one(desk: Desk) -> None:
    assert desk.done("dice", "g4.json", "--entry", "3") == (
        "no roll in entry 3; there are rolls in these entries: 4\n"
    )
    assert desk.done("dice", "g3.json", "--entry", "3") == "nothing has been rolled yet\n"
    told = desk.done("dice", "g3.json")
    assert told.startswith("beacon 1: only one player has shown a value\n")
    assert told.endswith("\nnothing has been rolled yet\n")


# --- the end


def test_orders_after_the_end_are_told_that_it_is_the_end(desk: Desk) -> None:
    desk.done("resign", "g2.json", "--yes", *KEY, "-o", "r3.json")
    err = desk.refused(1, "apply", "r3.json", FIRST, "--key", "beto.key", "-o", "x.json")
    assert err.startswith("r3.json: the game is over, so no more orders can be given\n")
    assert "send what you owe" not in err


# --- blocks of other games


def test_a_block_of_another_game_is_told_from_a_gap(desk: Desk) -> None:
    desk.done("new", "crusade", "campaign", "--side", "nationalist", *KEY,
              "--opponent", "beto.key.pub", "-o", "p0.json")  # fmt: skip
    desk.write("block.txt", desk.done("mail", "g1.json", "--armor"))
    err = desk.refused(3, "read", "block.txt", "--game", "p0.json", "-o", "x.json")
    assert err.startswith("block.txt: the block belongs to another game than p0.json\n")


def test_a_block_goes_on_from_the_file_it_is_to_replace(desk: Desk) -> None:
    desk.write("block.txt", desk.done("mail", "g4.json", "--armor"))
    shutil.copy(desk.folder / "g3.json", desk.folder / "game.json")
    out = desk.done("read", "block.txt", "-o", "game.json")
    assert "found: block.txt: entry 4, added to game.json\n" in out
    assert out.endswith("written: game.json, replacing the one up to entry 3\n")
    assert json.loads((desk.folder / "game.json").read_text()) == json.loads(
        (desk.folder / "g4.json").read_text()
    )


# --- names and commands


def test_an_opponent_who_is_neither_a_file_nor_a_contact(keys: Desk) -> None:
    words = ("new", "crusade", "campaign", "--side", "nationalist", *KEY)
    err = keys.refused(2, *words, "--opponent", "Beto")
    assert "Beto: not one of your contacts, and no such public key file\n" in err
    assert "pbem contacts" in err
    err = keys.refused(1, *words, "--opponent", "ana.key.pub")
    assert err.startswith("ana.key.pub: that is your own key\n")


def test_out_with_one_dash(keys: Desk) -> None:
    err = keys.refused(2, "keygen", "-out", "x.key")
    assert "did you mean --out?" in err


def test_commands_that_are_printed_can_be_pasted(desk: Desk) -> None:
    """A name with a space is one word of the command."""
    (desk.folder / "my ana.key").write_bytes((desk.folder / "ana.key").read_bytes())
    (desk.folder / "my ana.key").chmod(0o600)
    shutil.copy(desk.folder / "g4.json", desk.folder / "my g4.json")
    out = desk.pbem("new", "crusade", "campaign", "--side", "nationalist", *KEY, "--opponent",
                    "beto.key.pub", "-o", "a game.json").out  # fmt: skip
    assert "pbem mail 'a game.json' writes" in out
    assert "pbem turn 'a game.json' --key KEY" in desk.done("status", "a game.json")


def test_what_nobody_asked_for_counts_as_lapsed(desk: Desk) -> None:
    orders = desk.orders(
        "play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}",
        "attack: {space: riotinto, units: {sevilla: [INF, POL], huelva: [CAV]}, losses: [POL], "
        "advance: {units: [INF, POL, CAV], to: riotinto}}",
        "losses: {steps: [N-POL-4]}", "done",
    )  # fmt: skip
    desk.done("apply", "g2.json", orders, *KEY, "-o", "d3.json")
    desk.done("apply", "d3.json", "--key", "beto.key", "-o", "d4.json")
    lapsed = desk.done("log", "d4.json").count("  ~ ")
    assert lapsed > 0
    assert f"orders judged again, {lapsed} lapsed\n" in desk.done("verify", "d4.json")


# --- what standing orders answer


@pytest.fixture
def held(desk: Desk) -> Desk:
    """h3: Ana holds Huelva, and her sealed standing orders answer for her."""
    desk.write(
        "o2.yaml",
        """orders:
  - play: {card: N1, for: event}
  - activate: {move: [sevilla]}
  - move: {units: [POL], path: [sevilla, huelva]}
standing: {combat_card: [N17], losses: [CAV], retreat: toward_supply}
""",
    )
    desk.done("apply", "g2.json", "o2.yaml", *KEY, "-o", "h3.json")
    return desk


@pytest.fixture
def attacked(held: Desk) -> Desk:
    """h4: Huelva is attacked, and Ana's sealed standing orders answer for her; then she plays."""
    orders = held.orders("play: {card: R15, for: operations}", "activate: {attack: [riotinto]}",
                         "attack: {space: huelva, units: {riotinto: [MIL]}, losses: [MIL], "
                         "advance: none}", "done")  # fmt: skip
    held.done("apply", "h3.json", orders, "--key", "beto.key", "-o", "h4.json")
    return held


def test_status_and_form_agree_that_standing_orders_answer(attacked: Desk) -> None:
    told = attacked.done("status", "h4.json", *KEY)
    asked = "choose combat cards to defend Huelva"
    assert "(you): choose where the Army of Africa unit lands [arrive]\n" in told
    assert f"(you): {asked}" not in told
    assert "no standing orders in force" not in told
    assert "\nyour standing orders end with your next mail: without new ones" in told
    first = f"your standing orders answer first ({asked})"
    assert f"\n{first}; or order, in Turn 1, August 1936 (War of the Columns), Nationalist " in told
    assert "you may order:" not in told
    form = attacked.done("form", "h4.json", *KEY)
    assert first in " ".join(form.replace("#", " ").split())
    assert "- arrive: {at:" in form
    alone = attacked.done("apply", "h4.json", *KEY, "-o", "h5.json")
    assert "combat_card: none   (Nationalist standing orders)" in alone
    told = attacked.done("status", "h5.json", *KEY)
    assert "you may order:" in told and "standing orders answer" not in told


def test_no_advance_said_in_the_attack_is_not_asked_after_it(held: Desk) -> None:
    """Who says none has decided; who says nothing is asked when the space is empty."""
    line = "attack: {space: huelva, units: {riotinto: [MIL]}, losses: [MIL]"
    lead = ("play: {card: R15, for: operations}", "activate: {attack: [riotinto]}")
    said = held.orders(*lead, f"{line}, advance: none}}", "done", name="said.yaml")
    silent = held.orders(*lead, f"{line}}}", "done", name="silent.yaml")
    for file, is_asked in ((said, False), (silent, True)):
        told = held.pbem("check", "h3.json", file, "--key", "beto.key").out
        assert ("your advance into" in told) is is_asked


@pytest.mark.parametrize("verb", ["combat_card", "advance", "losses", "cancel_retreat"])
def test_none_is_an_order_where_nothing_may_be_said(desk: Desk, verb: str) -> None:
    """The form of the order is right; whether it is asked for now is for the rules."""
    err = desk.refused(1, "check", "g2.json", desk.orders(f"{verb}: none"), *KEY)
    assert " takes {" not in err and f"'{verb}' cannot be given now" in err


def test_what_is_not_asked_for_is_told_that_before_its_form(desk: Desk) -> None:
    err = desk.refused(1, "check", "g2.json", desk.orders("move: none"), *KEY)
    assert "'move' cannot be given now" in err, "that it is not asked for comes before its form"


def test_a_space_from_which_nothing_can_be_attacked_is_remarked(desk: Desk) -> None:
    orders = desk.orders(
        "play: {card: N1, for: event}",
        "activate: {attack: [valladolid, sevilla]}",
        "attack: {space: riotinto, units: {sevilla: [INF]}, losses: [INF]}",
    )
    told = desk.done("check", "g2.json", orders, *KEY)
    assert (
        "orders.yaml:3:5: from Valladolid nothing can be attacked: no enemy unit is next to it\n"
        in told
    )
    assert "from Sevilla" not in told


def test_a_last_done_that_nobody_asked_for_has_not_lapsed(attacked: Desk) -> None:
    """The only attack was fought, and the round is over: nothing that was said is lost."""
    told = attacked.done("apply", "h4.json", *KEY, "-o", "h5.json")
    assert "The combat in Huelva is drawn, 1 to 1." in told
    assert "lapsed" not in told
    assert ", 0 lapsed\n" in attacked.done("verify", "h5.json")
    assert "advance: none}\n" in attacked.done("log", "h5.json")


def test_a_done_behind_the_end_of_the_round_is_not_needed(desk: Desk) -> None:
    desk.done("apply", "g4.json", *KEY, "-o", "g5.json")
    lines = (
        "play: {card: R3, for: redeployment}",
        "redeploy: {unit: POL, from: barcelona, to: jerez_de_los_caballeros}",
        "done",
    )
    orders = desk.orders(*lines, "done")
    told = desk.done("check", "g5.json", orders, "--key", "beto.key")
    assert "orders.yaml:5:5: 'done' is not needed here and is left out\n" in told
    late = desk.orders(*lines, "done", "move: {units: [POL], path: [barcelona, caspe]}")
    assert "ends before this order" in desk.refused(1, "check", "g5.json", late, "--key",
                                                       "beto.key")  # fmt: skip
    orders = desk.orders(*lines, "done")
    desk.done("apply", "g5.json", orders, "--key", "beto.key", "-o", "g6.json")


# --- what a report shows


def test_the_units_of_both_sides_are_listed(desk: Desk) -> None:
    for key, mine, theirs in (("ana", "N-POL-3", "MIL-BAS-1"), ("beto", "MIL-BAS-1", "N-POL-3")):
        own, _, enemy = desk.done("status", "g4.json", "--key", f"{key}.key").partition(
            "\nenemy units:\n  "
        )
        assert f": {mine}" in own and f": {theirs}" in enemy
        assert theirs not in own and mine not in enemy.partition("\n")[0]


def test_what_is_laid_beside_the_turn_stands_under_its_own_entry(desk: Desk) -> None:
    """Ana has written entry 3, and lays entry 4 on it."""
    desk.done("offer", "g3.json", "takeback", "--known-randomness", *KEY, "-o", "t4.json")
    before, found, behind = desk.done("log", "t4.json").partition("[entry 4, Nationalist]\n")
    assert found and behind.startswith("  ! The Nationalist player asks to take back")
    assert "[entry 3, Nationalist]" in before


@pytest.mark.parametrize(("to", "ends"), [("2", True), ("3", False)])
def test_a_take_back_tells_whose_standing_orders_ended(attacked: Desk, to: str, ends: bool) -> None:
    """Ana gave hers in entry 3, and behind a yes they stay sealed."""
    attacked.done("offer", "h4.json", "takeback", "--to", to, "--known-randomness", "--key",
                  "beto.key", "-o", "t5.json")  # fmt: skip
    told = attacked.done("answer", "t5.json", "yes", *KEY, "-o", "t6.json")
    assert f"The game goes back to where it was after entry {to}." in told
    said = "! Standing orders of the Nationalist player that came after it, or were opened since"
    assert (said in " ".join(told.split())) is ends
    assert "Standing orders of the Republican" not in told
