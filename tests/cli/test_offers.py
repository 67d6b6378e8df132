"""Offers, answers, resignations, claims and new keys by mail between two folders."""

from __future__ import annotations

import json
import shutil
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    PrivateFormat,
)

from pbem.cli import choices
from pbem.gamefile import format
from pbem.gamefile.chain import Entry, sign_entry
from pbem.gamefile.consent import rules_of
from pbem.gamefile.entry import begin_entry, end_entry, take_step
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import replay
from pbem.gamefile.kept import Owed
from pbem.play.answer import _what_comes_first
from pbem.play.game import opening
from pbem.play.systems import SHIPPED
from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk, begin, lay_keys, player_key

FIRST = CHAPTER24 / "01-nationalist.yaml"


@pytest.fixture
def two(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Desk, Desk]:
    """Ana's folder and Beto's, on machines of their own; what one writes, the other has by mail."""
    desks = []
    for name in ("ana", "beto"):
        folder = tmp_path / name
        folder.mkdir()
        lay_keys(folder)
        for file in ("g2.json", "g3.json", "g4.json", "solo.json"):
            shutil.copy(played / file, folder)
        desks.append(AtHome(folder, monkeypatch))
    return desks[0], desks[1]


class AtHome(Desk):
    """A desk that remembers what it has seen, as its own machine would."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        super().__init__(folder)
        self.patch = patch

    def pbem(self, *words: str | Path, stdin: str = ""):
        at_home(self.folder, self.patch)
        return super().pbem(*words, stdin=stdin)


def mail(sender: Desk, receiver: Desk, name: str) -> str:
    """The file as it is after it went by mail."""
    shutil.copy(sender.folder / name, receiver.folder / name)
    return name


def entries(desk: Desk, name: str) -> list[Entry]:
    return format.read((desk.folder / name).read_bytes())


def kinds(desk: Desk, name: str) -> list[str]:
    return [step["do"] for step in entries(desk, name)[-1].steps]


# --- offers and answers -------------------------------------------------------------------------


def test_a_draw_is_offered_and_agreed(two):
    ana, beto = two
    out = beto.done("offer", "g4.json", "draw", "--key", "beto.key", "-o", "g5.json")
    assert "  ! The Republican player offers a draw.\n" in out
    assert (
        "open offer (entry 5): the Republican player offers a draw; the Nationalist player has not "
        "answered\n"
    ) in out
    assert out.endswith(
        "now send g5.json to your opponent, the Nationalist player: pbem mail g5.json writes the "
        "message\n"
    )
    mail(beto, ana, "g5.json")
    told = ana.done("status", "g5.json", "--key", "ana.key")
    assert "answer with: pbem answer GAME yes|no (it lapses with your next entry)\n" in told
    out = ana.done("answer", "g5.json", "yes", "--key", "ana.key", "-o", "g6.json")
    assert "the game is over: a draw (draw agreed)\n" in out
    assert kinds(ana, "g6.json")[-1] == "answer"
    mail(ana, beto, "g6.json")
    assert "The Nationalist player agrees." in beto.done("log", "g6.json", "--from", "5")
    beto.done("verify", "g6.json", "--last", "g5.json")


def test_the_status_for_machines_names_the_offer(two):
    _, beto = two
    beto.done("offer", "g4.json", "adjourn", "--until", "the first of May", "--key", "beto.key",
              "-o", "g5.json")  # fmt: skip
    (offer,) = json.loads(beto.done("status", "g5.json", "--json"))["offers"]
    assert offer == {
        "by": "B", "what": "adjourn", "entry": 5, "until": "the first of May",
        "id": entries(beto, "g5.json")[-1].id,
    }  # fmt: skip


def test_a_game_ended_without_result(two):
    ana, beto = two
    beto.done("offer", "g4.json", "void", "--key", "beto.key", "-o", "g5.json")
    mail(beto, ana, "g5.json")
    out = ana.done("answer", "g5.json", "yes", "--key", "ana.key", "-o", "g6.json")
    assert "the game is over: no result, by agreement\n" in out
    ana.done("mail", "g6.json", "-o", "over.eml")
    letter = (ana.folder / "over.eml").read_text()
    assert "The game is over: no result, by agreement.\n" in letter


def test_a_take_back_of_orders_whose_dice_hang(two):
    ana, beto = two
    err = ana.refused(1, "offer", "g3.json", "takeback", "--key", "ana.key", "-o", "x.json")
    assert err == (
        "g3.json: dice are about to fall, and your opponent will know them before they answer "
        "[protocol R7]\n"
        "      hint: --known-randomness offers to go back anyway; new dice will be rolled\n"
    )
    ana.done("offer", "g3.json", "takeback", "--known-randomness", "--key", "ana.key",
             "-o", "t4.json")  # fmt: skip
    mail(ana, beto, "t4.json")
    out = beto.done("answer", "t4.json", "yes", "--key", "beto.key", "-o", "t5.json")
    assert kinds(beto, "t5.json")[0] == "reveal" and kinds(beto, "t5.json")[-2:] == [
        "answer", "takeback",
    ]  # fmt: skip
    assert "The game goes back to where it was after entry 2. No beacon is used again." in out
    mail(beto, ana, "t5.json")
    ana.done("apply", "t5.json", FIRST, "--key", "ana.key", "-o", "t6.json")
    mail(ana, beto, "t6.json")
    out = beto.done("apply", "t6.json", "--key", "beto.key", "-o", "t7.json")
    assert "# Beacon 2 gives" in out
    out = beto.done("verify", "t7.json")
    assert "1 take-back, offered by one player and accepted by the other" in out


def test_a_take_back_whose_dice_are_known_says_what_remains_possible(two):
    """The dice stand. What is left: a state since which none are known, or to go back anyway."""
    ana, beto = two
    fell = (
        "dice have fallen since entry 2: both players know them, even if no roll has used them yet"
    )
    anyway = "--known-randomness offers to go back anyway; new dice will be rolled"
    err = ana.refused(1, "offer", "g4.json", "takeback", "--key", "ana.key", "-o", "x.json")
    assert err == f"g4.json: {fell} [protocol R7]\n      hint: {anyway}\n"
    ana.done("apply", "g4.json", "--key", "ana.key", "-o", "g5.json")  # her deck
    mail(ana, beto, "g5.json")
    orders = beto.orders("play: {card: none}", "activate: {}")
    beto.done("apply", "g5.json", orders, "--key", "beto.key", "-o", "g6.json")
    back = ("offer", "g6.json", "takeback", "--to", "2", "--key", "beto.key", "-o", "x.json")
    err = beto.refused(1, *back)
    assert err == (
        f"g6.json: {fell} [protocol R7]\n"
        f"      hint: {anyway}; --to 5 goes back to a state since which no dice are known\n"
    )
    beto.done("offer", "g6.json", "takeback", "--to", "5", "--key", "beto.key", "-o", "to.json")


def test_a_no_goes_with_orders_or_is_left_to_lapse(two):
    ana, beto = two
    beto.done("offer", "g2.json", "draw", "--key", "beto.key", "-o", "n3.json")
    mail(beto, ana, "n3.json")
    err = ana.refused(1, "answer", "n3.json", "no", "--key", "ana.key", "-o", "x.json")
    assert (
        "it is your turn to write, so a no must be sent with your orders [protocol, the pen]" in err
    )
    assert "orders alone let the offer lapse" in err
    out = ana.done("answer", "n3.json", "no", FIRST, "--key", "ana.key", "-o", "n4.json")
    assert "The Nationalist player declines a draw." in out
    mail(ana, beto, "n4.json")
    err = beto.refused(1, "answer", "n4.json", "yes", "--key", "beto.key", "-o", "x.json")
    assert "the Nationalist player has no open offer" in err


def test_an_offer_in_turn_goes_with_orders(two):
    ana, _ = two
    err = ana.refused(1, "offer", "g2.json", "draw", "--key", "ana.key", "-o", "x.json")
    assert (
        "it is your turn to write, so an offer must be sent with your orders [protocol, the pen]"
        in err
    )
    err = ana.refused(1, "offer", "g2.json", "draw", FIRST, "--key", "ana.key", "-o", "x.json")
    assert "the entry comes before a roll, so it cannot contain an offer" in err
    assert "[protocol R10]" in err


@pytest.mark.parametrize("words, said", [
    (("offer", "g4.json", "draw"), "an offer needs your key: --key FILE"),
    (("answer", "g4.json", "yes"), "an answer needs your key: --key FILE"),
    (("resign", "g4.json", "--yes"), "a resignation needs your key: --key FILE"),
    (("claim", "g4.json"), "a claim needs your key: --key FILE"),
    (("rotate", "g4.json", "--key", "ana.key"), "a new key needs --to FILE, the new key"),
    (("offer", "g4.json", "draw", "--to", "2", "--key", "ana.key"),
     "--to and --known-randomness are for a takeback, not for draw"),
    (("offer", "g4.json", "draw", "--until", "May", "--key", "ana.key"),
     "--until is for adjourn, not for draw"),
    (("offer", "g4.json", "peace", "--key", "ana.key"), "or renew, not 'peace'"),
    (("answer", "g4.json", "maybe", "--key", "ana.key"), "yes or no, not 'maybe'"),
    (("resign", "solo.json", "--yes", "--key", "ana.key"), "a solo game has nobody to agree with"),
])  # fmt: skip
def test_wrong_usage(two, words, said):
    assert said in two[0].refused(2, *words)


@pytest.mark.parametrize("words, said", [
    (("offer", "g4.json", "takeback", "--to", "3", "--known-randomness", "--key", "beto.key"),
     "the game cannot go back to entry 3: the Republican player still had to roll"),
    (("offer", "g4.json", "takeback", "--key", "beto.key"),
     "you have made no decision that could be taken back"),
    (("offer", "g4.json", "upgrade", "--key", "beto.key"), "already uses these rules and data"),
    (("answer", "g4.json", "yes", "--key", "beto.key"),
     "the Nationalist player has no open offer"),
    (("claim", "g3.json", "--key", "beto.key"),
     "only the player who is waiting can claim, and it is your turn to write (roll the dice"),
    (("resign", "g4.json", "--yes", "--key", "eve.key"), "this key belongs to neither player"),
])  # fmt: skip
def test_what_is_not_possible_now(two, words, said):
    assert said in two[1].refused(1, *words)


# --- resignation and claim ----------------------------------------------------------------------


def test_a_resignation_in_turn_and_beside_it(two):
    ana, beto = two
    out = ana.done("resign", "g4.json", "--yes", "--key", "ana.key", "-o", "r5.json")
    assert "the game is over: the Republican player wins (resignation)" in out
    assert kinds(ana, "r5.json") == ["resign"]
    mail(ana, beto, "r5.json")
    err = beto.refused(1, "offer", "r5.json", "draw", "--key", "beto.key", "-o", "x.json")
    assert "the game is over" in err


def test_nobody_resigns_by_a_slip(two, monkeypatch):
    """A command typed to see what it does must not end a game. A program says what it means."""
    ana, _ = two
    words = ("resign", "g4.json", "--key", "ana.key")
    asked: list[str] = []
    answers = [False, True]

    def agreed(question, **_):
        asked.append(str(question))
        return answers.pop(0)

    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(choices, "agreed", agreed)
    before = ana.files()
    assert "nothing was signed" in ana.done(*words)
    assert ana.files() == before
    assert asked == ["Resign Crusade and Revolution: Campaign? It cannot be taken back"]
    assert "the game is over" in ana.done(*words, "-o", "r5.json") and not answers
    monkeypatch.setattr(choices, "is_attended", lambda: False)
    for nobody in (words, (*words, "--json")):
        assert "a resignation cannot be taken back; with --yes it is signed" in ana.refused(
            2, *nobody, "-o", "r6.json"
        )
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    assert "with --yes it is signed" in ana.refused(2, *words, "--json"), "nobody reads a question"
    assert "the game is over" in ana.done(*words, "--yes", "-o", "r6.json")


def test_a_resignation_instead_of_the_value_that_is_owed(two):
    _, beto = two
    out = beto.done("resign", "g3.json", "--yes", "--key", "beto.key", "-o", "r4.json")
    assert "the Nationalist player wins" in out and kinds(beto, "r4.json") == ["resign"]


def test_a_claim_stands_until_what_is_owed_has_come(two):
    ana, beto = two
    out = ana.done("claim", "g3.json", "--key", "ana.key", "-o", "c4.json")
    assert (
        "on record: the Nationalist player claims that the Republican player still has to "
        "roll the dice; sending it ends the claim\n"
    ) in out
    log = " ".join(ana.done("log", "c4.json").split())
    assert "puts on record what is owed: roll the dice." in log
    mail(ana, beto, "c4.json")
    out = beto.done("apply", "c4.json", "--key", "beto.key", "-o", "c5.json")
    assert "The Republican player has sent what was claimed." in out
    assert "on record" not in beto.done("status", "c5.json")


def test_a_claim_of_orders_is_told_as_status_tells_it(two):
    _, beto = two
    told = beto.done("claim", "g2.json", "--key", "beto.key", "-o", "c3.json")
    assert "answer action" not in told + beto.done("log", "c3.json")
    asked = next(each for each in told.splitlines() if each.startswith("to write: "))
    assert f"still has to {asked.partition(': ')[2].partition(': ')[2].partition(' [')[0]};" in told
    err = beto.refused(1, "claim", "c3.json", "--key", "beto.key")
    assert "your entry 3 was written out of turn, and your opponent has not answered it yet" in err


def test_what_is_not_possible_before_the_beginning_and_after_the_end(keys: Desk):
    begin(keys)
    shutil.rmtree(keys.folder / ".home")
    for words, said in (
        (("resign", "g0.json", "--yes", "--key", "ana.key"),
         "the game has not begun: there is nothing to resign"),
        (("claim", "g0.json", "--key", "ana.key"), "the game has not begun: nothing is claimed"),
        (("check", "g0.json", FIRST, "--key", "beto.key"),
         "the game has not begun: the Republican player must accept it first"),
    ):  # fmt: skip
        assert said in keys.refused(1, *words)
    keys.done("resign", "g2.json", "--yes", "--key", "beto.key", "-o", "r3.json")
    err = keys.refused(1, "claim", "r3.json", "--key", "ana.key")
    assert "the game is over: nothing is claimed" in err


def test_a_yes_takes_no_orders(two):
    ana, beto = two
    beto.done("offer", "g2.json", "draw", "--key", "beto.key", "-o", "n3.json")
    mail(beto, ana, "n3.json")
    err = ana.refused(1, "answer", "n3.json", "yes", FIRST, "--key", "ana.key")
    assert "a yes cannot be sent with orders: what was agreed on is carried out first" in err


def test_an_offer_is_not_answered_by_the_one_who_makes_it(two):
    _, beto = two
    beto.done("offer", "g4.json", "draw", "--key", "beto.key", "-o", "g5.json")
    err = beto.refused(1, "answer", "g5.json", "yes", "--key", "beto.key")
    assert "the open offer is your own; your opponent must answer it" in err


def test_a_take_back_after_which_it_is_ones_own_turn(two):
    ana, beto = two
    beto.done("offer", "g4.json", "takeback", "--to", "2", "--known-randomness", "--key",
              "beto.key", "-o", "t5.json")  # fmt: skip
    mail(beto, ana, "t5.json")
    out = ana.done("answer", "t5.json", "yes", "--key", "ana.key", "-o", "t6.json")
    assert out.endswith(
        "it is still your turn: pbem form t6.json --key ana.key writes what to fill in\n"
    )
    assert "now send" not in out


def test_an_old_file_is_mailed_with_a_warning(two):
    ana, _ = two
    ana.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "m3.json")
    sent = ana.pbem("mail", "g2.json", "-o", "old.eml")
    assert sent.code == 0 and sent.err == (
        "g2.json: warning: entry 3: you have already seen this game up to entry 3, and this file "
        "ends earlier\n      hint: never answer the same position twice: use the newest "
        "file you have (m3.json, up to entry 3)\n"
    )
    assert "(m3.json, up to entry 3)" in ana.pbem("status", "g2.json", "--key", "ana.key").err
    assert ana.pbem("mail", "m3.json", "-o", "new.eml").err == ""


# --- other data ---------------------------------------------------------------------------------


OWN = Path(__file__).parents[2] / "examples" / "own-data"


def test_the_game_goes_on_with_other_data(two):
    ana, beto = two
    for desk in two:
        shutil.copytree(OWN, desk.folder / "own")
    out = beto.done("offer", "g4.json", "upgrade", "--data", "own", "--key", "beto.key",
                    "-o", "u5.json")  # fmt: skip
    assert "asks to continue with crusade/1 with the data" in " ".join(out.split())
    mail(beto, ana, "u5.json")
    err = ana.pbem("answer", "u5.json", "yes", "--key", "ana.key", "-o", "x.json")
    assert err.code == 3 and "the game is played with the data" in err.err
    assert not (ana.folder / "x.json").exists()
    out = ana.done("answer", "u5.json", "yes", "--data", "own", "--key", "ana.key", "-o", "u6.json")
    assert "From now on the game is played by crusade/1 with the data" in " ".join(out.split())
    found = json.loads(ana.done("status", "u6.json", "--json"))  # a copy of the folder is kept
    assert found["phase"] == "running"
    ana.done("verify", "u6.json")
    mail(ana, beto, "u6.json")
    assert beto.done("log", "u6.json", "--data", "own")


def test_two_stories_with_other_data_are_told_by_who_has_only_the_folder(two):
    ana, beto = two
    director = ana.folder.parent / "director"
    for folder in (ana.folder, beto.folder, director):
        shutil.copytree(OWN, folder / "own")
    beto.done("offer", "g4.json", "upgrade", "--data", "own", "--key", "beto.key", "-o", "u5.json")
    mail(beto, ana, "u5.json")
    twin = AtHome(Path(shutil.copytree(ana.folder, ana.folder.parent / "twin")), ana.patch)
    (director / "season").mkdir()
    for desk, words in (
        (ana, ("answer", "u5.json", "yes", "--data", "own")),
        (twin, ("resign", "u5.json", "--yes")),
    ):
        desk.pbem(*words, "--key", "ana.key", "-o", director / "season" / f"{words[0]}.json")
    judged = AtHome(director, ana.patch).pbem(
        "verify", "--many", "season", "--data", "own", "--jobs", "1"
    )
    assert judged.code == 3 and "player A signed another version of this game" in judged.err


def test_other_data_that_are_not_here_are_named(two):
    ana, beto = two
    shutil.copytree(OWN, beto.folder / "own")
    shutil.copytree(OWN, ana.folder / "own")
    beto.done("offer", "g4.json", "upgrade", "--data", "own", "--key", "beto.key", "-o", "u5.json")
    mail(beto, ana, "u5.json")
    ana.done("answer", "u5.json", "yes", "--data", "own", "--key", "ana.key", "-o", "u6.json")
    stranger = ana.folder.parent / "stranger"
    stranger.mkdir()
    shutil.copy(ana.folder / "u6.json", stranger)
    err = AtHome(stranger, ana.patch).refused(3, "status", "u6.json")
    assert "the game is played with the data" in err and "--data DIR" in err


def offered(desk: Desk, ruleset: str) -> bytes:
    """g2.json with an offer by Beto, out of turn, to go on by other rules."""
    fold = replay(format.read((desk.folder / "g2.json").read_bytes()), opening(SHIPPED))
    old = rules_of(fold.machine)
    step = {"do": "offer", "what": "upgrade", "old": old, "new": {**old, "ruleset": ruleset}}
    post = "0" * 16
    with suppress(FileRefused):
        post = end_entry(take_step(begin_entry(fold.machine, "B"), step)).post()
    payload = {
        "v": 1, "game": fold.game, "seq": len(fold.entries), "prev": fold.head, "by": "B",
        "steps": [step], "post": post, "tool": "pbem 1.9.0",
    }  # fmt: skip
    return format.write([*fold.entries, sign_entry(player_key("beto"), payload)])


def test_an_offer_of_rules_that_are_not_here_says_so(two):
    ana, _ = two
    (ana.folder / "o3.json").write_bytes(offered(ana, "crusade/2"))
    told = ana.done("status", "o3.json", "--key", "ana.key")
    why = "the game is to go on by the rules crusade/2; this pbem has crusade/1"
    assert f"a yes to that is refused by this pbem: {why}\n" in told
    assert "nothing changes" not in told
    found = ana.refused(3, "answer", "o3.json", "yes", "--key", "ana.key", "-o", "x.json")
    assert f"o3.json: {why}" in found
    ana.done("apply", "o3.json", FIRST, "--key", "ana.key", "-o", "a4.json")


def test_an_offer_of_another_game_is_none(two):
    ana, _ = two
    games = ana.folder / "games"
    games.mkdir()
    shutil.copy(ana.folder / "solo.json", games)
    (games / "bad.json").write_bytes(offered(ana, "nogame/1"))
    for command in ("status", "turn", "read", "verify"):
        words = () if command == "verify" else ("--key", "ana.key")
        said = ana.refused(3, command, "games/bad.json", *words)
        assert "nogame/1 is not of the game crusade/1" in said
        assert command == "verify" or "bad.json: entry 3" in said
    listed = ana.pbem("status", "games", "--key", "ana.key")
    assert listed.code == 3 and "\nsolo.json\n" in f"\n{listed.out}"
    assert "cannot be used: entry 3, step 1: a change of the rules keeps the game" in listed.out


# --- new keys -----------------------------------------------------------------------------------


def fresh(desk: Desk, name: str) -> None:
    desk.done("keygen", "--out", name, "--no-passphrase")


def test_a_new_key_signs_and_the_first_has_the_secrets(two):
    ana, beto = two
    fresh(ana, "new.key")
    out = ana.done("rotate", "g2.json", "--key", "ana.key", "--to", "new.key", "-o", "k3.json")
    assert "The Nationalist player signs with a new key from now on." in out
    assert "--key new.key --secrets ana.key\n" in out
    err = ana.refused(1, "apply", "k3.json", FIRST, "--key", "ana.key", "-o", "x.json")
    assert err == (
        "ana.key: this key was replaced by a new one in entry 3 [protocol, keys]\n"
        "      hint: sign with the new one, and give this one for the secrets: "
        "--key NEW --secrets OLD\n"
    )
    err = ana.refused(1, "apply", "k3.json", FIRST, "--key", "new.key", "-o", "x.json")
    assert "hint: give the key the game began with, too: --key NEW --secrets OLD" in err
    both = ("--key", "new.key", "--secrets", "ana.key")
    for words in (("check", "k3.json", FIRST), ("status", "k3.json"),
                  ("form", "k3.json", "-o", "form.yaml")):  # fmt: skip
        ana.done(*words, *both)
    ana.done("apply", "k3.json", FIRST, *both, "-o", "k4.json")
    mail(ana, beto, "k4.json")
    out = beto.done("apply", "k4.json", "--key", "beto.key", "--opponent", "ana.key.pub",
                    "-o", "k5.json")  # fmt: skip
    assert "# Beacon 1 gives" in out  # they are known by the key they began with


def test_a_spare_key_gives_a_new_one(keys: Desk):
    for name in ("spare.key", "new.key"):
        fresh(keys, name)
    keys.done("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
              "--opponent", "beto.key.pub", "--spare", "spare.key.pub",
              "-o", "s0.json")  # fmt: skip
    fresh(keys, "other.key")
    keys.done("apply", "s0.json", "--key", "beto.key", "--spare", "other.key.pub", "-o", "s1.json")
    assert set(entries(keys, "s1.json")[1].steps[0]) >= {"spare"}
    keys.done("apply", "s1.json", "--key", "ana.key", "-o", "s2.json")
    err = keys.refused(1, "apply", "s2.json", "--key", "spare.key", "-o", "x.json")
    assert "this is the spare key of player A: it can only sign a new key" in err
    out = keys.done("rotate", "s2.json", "--key", "spare.key", "--to", "new.key", "-o", "s3.json")
    assert "named by their spare key." in out and "--secrets FIRST.key" in out
    both = ("--key", "new.key", "--secrets", "ana.key")
    keys.done("status", "s3.json", *both)
    err = keys.refused(2, "rotate", "s3.json", "--key", "new.key")
    assert "a new key needs --to FILE" in err


@pytest.mark.parametrize("spare", ["ana.key", "nowhere.pub"])
def test_a_spare_key_is_a_public_key(keys: Desk, spare: str):
    result = keys.pbem(
        "new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key",
        "--opponent", "beto.key.pub", "--spare", spare, "-o", "s0.json",
    )  # fmt: skip
    assert result.code in (1, 2) and spare in result.err
    assert not (keys.folder / "s0.json").exists()


PRICE = (
    "if the old key was not lost after all, your opponent can use it to go back before your "
    "entry and write another one; your record refuses that, but you cannot prove it to anybody, "
    "because the new "
    "key rests on your word alone (a spare key, named at the beginning, has no such cost)\n"
    "      hint: if you have heard their voice and vouch for it, add --on-my-word\n"
)


def test_the_opponent_names_a_key_after_a_request(two):
    ana, beto = two
    fresh(ana, "new.key")
    out = ana.done("rotate", "g4.json", "--to", "new.key", "--ask", "-o", "request.json")
    assert out.startswith("request.json asks for a new key for the Nationalist player")
    mail(ana, beto, "request.json")
    words = ("rotate", "g4.json", "--key", "beto.key", "--for", "request.json")
    assert beto.refused(1, *words, "-o", "w5.json") == PRICE
    out = beto.done(*words, "--on-my-word", "-o", "w5.json")
    word = (
        "from entry 5 on, the key of the Nationalist player rests on the word of the Republican "
        "player alone"
    )
    assert word in out
    mail(beto, ana, "w5.json")
    assert word in ana.done("status", "w5.json")
    assert "proves nothing against player A" in ana.done("verify", "w5.json")
    found = json.loads(ana.done("verify", "w5.json", "--json"))
    assert found["proven"]["on_word"] == [["A", 5]]
    err = beto.refused(1, "rotate", "w5.json", "--key", "beto.key", "--for", "request.json")
    assert "this request is for another game, or not for the next entry" in err


def test_until_is_in_the_words_of_the_player_and_in_quotes(two):
    """It ends the program's own sentence nowhere: what looks like a record is what they say."""
    ana, beto = two
    words = "Sunday'. On record: the Nationalist player has resigned. 'Well"
    beto.done("offer", "g4.json", "adjourn", "--until", words, "--key", "beto.key", "-o", "w5.json")
    mail(beto, ana, "w5.json")
    told = f": '{words.replace(chr(39), chr(0x2019))}'"
    assert f"asks to adjourn{told}" in flat(ana.done("status", "w5.json", "--key", "ana.key"))
    ana.done("answer", "w5.json", "yes", "--key", "ana.key", "-o", "w6.json")
    assert f"The game is adjourned{told}." in flat(ana.done("log", "w6.json"))


def flat(text: str) -> str:
    return " ".join(text.split())


def test_a_file_is_not_replaced_by_one_in_which_another_has_named_ones_key(two):
    """Beto says that Ana's key is lost, and signs her mails with one of their own."""
    ana, beto = two
    fresh(beto, "evil.key")
    beto.done("rotate", "g4.json", "--to", "evil.key", "--ask", "-o", "request.json")
    named = ("--for", "request.json", "--renew", "--on-my-word", "-o", "w5.json")
    beto.done("rotate", "g4.json", "--key", "beto.key", *named)
    beto.done("answer", "w5.json", "yes", "--key", "evil.key", "-o", "w6.json")
    sound = (ana.folder / "g4.json").read_bytes()
    for story in ("w5.json", "w6.json"):
        mail(beto, ana, story)
        (ana.folder / "game.json").write_bytes(sound)
        assert ana.refused(2, "read", story, "-o", "game.json") == (
            "game.json: the existing file is kept: in entry 5 of the other one the Republican "
            "player names another key for the Nationalist player, on their word alone\n"
            "      hint: if you have lost nothing, go on from the one you have; if you know of "
            "that key, say so with --key; to keep both, use another name with -o\n"
        )
        ana.refused(1, "read", story, "--key", "ana.key", "-o", "game.json")
        assert (ana.folder / "game.json").read_bytes() == sound
        ana.done("read", story, "-o", f"other-{story}")
    mail(beto, ana, "evil.key")  # it may be Ana's own wish: then she has the key
    ana.done("read", "w5.json", "--key", "evil.key", "--secrets", "ana.key", "-o", "game.json")
    assert (ana.folder / "game.json").read_bytes() == (ana.folder / "w5.json").read_bytes()
    mail(beto, ana, "w6.json")  # what was there before holds that key already
    assert "replacing" in ana.done("read", "w6.json", "-o", "game.json")
    (beto.folder / "game.json").write_bytes(sound)
    beto.done("read", "w6.json", "--key", "beto.key", "-o", "game.json")
    assert (beto.folder / "game.json").read_bytes() == (beto.folder / "w6.json").read_bytes()


@pytest.mark.parametrize("story", ["w5.json", "w6.json"])
def test_a_key_that_was_named_for_the_reader_takes_no_folder_over(two, story: str):
    """W8: it is reported with the file to go on from, and neither written nor recorded."""
    ana, beto = two
    fresh(beto, "evil.key")
    beto.done("rotate", "g4.json", "--to", "evil.key", "--ask", "-o", "request.json")
    named = ("--for", "request.json", "--renew", "--on-my-word", "-o", "w5.json")
    beto.done("rotate", "g4.json", "--key", "beto.key", *named)
    beto.done("answer", "w5.json", "yes", "--key", "evil.key", "-o", "w6.json")
    (ana.folder / "solo.json").unlink()
    ana.done("init", "--key", "ana.key")
    (ana.folder / "mails").mkdir()
    shutil.copy(beto.folder / story, ana.folder / "mails")
    before = ana.files()
    for words in (("turn",), ("read",)):
        err = ana.refused(1, *words, f"mails/{story}")
        assert "player B replaced your key with another one in entry 5" in err
        assert "if you have lost nothing, go on from entry 4: pbem turn g4.json; if you" in err
        assert ana.files() == before
    assert ana.pbem("turn").code == 0
    shutil.copy(beto.folder / story, ana.folder)  # saved into the folder by hand
    taken = f"{story}: left out: player B replaced your key with another one in entry 5"
    for words in (("turn",), ("status",), ("verify",), ("log",)):
        told = ana.pbem(*words)
        assert told.code == 0 and taken in told.err, (words, told)
    told = ana.pbem("status", ".")
    assert told.out.startswith("g4.json\n") and taken in told.err
    for words in (("turn",), ("board", "--no-open"), ("apply",), ("resign",)):
        err = ana.refused(1, *words, story)
        passes = words in (("apply",), ("resign",)) and story == "w5.json"
        way = "pass that entry over (--pass-over)" if passes else "go on from entry 4: pbem turn g4"
        assert way in err and "--key FILE" not in err, (words, err)


def test_who_asked_for_the_new_key_goes_on_with_it(two):
    ana, beto = two
    fresh(ana, "new.key")
    ana.done("rotate", "g4.json", "--to", "new.key", "--ask", "-o", "request.json")
    mail(ana, beto, "request.json")
    beto.done("rotate", "g4.json", "--key", "beto.key", "--for", "request.json", "--renew",
              "--on-my-word", "-o", "w5.json")  # fmt: skip
    mail(beto, ana, "w5.json")
    (ana.folder / "solo.json").unlink()
    ana.done("init", "--key", "ana.key")
    assert ana.done("status", ".", "--key", "new.key").startswith("w5.json\n")
    told = ana.pbem("status", ".")
    assert "if you asked for the new key, name it with --key" in told.err


def test_a_locked_key_that_hides_its_public_part_is_judged_by_the_pub_beside_it(
    two, monkeypatch: pytest.MonkeyPatch
):
    ana, beto = two
    fresh(beto, "evil.key")
    beto.done("rotate", "g4.json", "--to", "evil.key", "--ask", "-o", "request.json")
    named = ("--for", "request.json", "--renew", "--on-my-word", "-o", "w5.json")
    beto.done("rotate", "g4.json", "--key", "beto.key", *named)
    mail(beto, ana, "w5.json")
    (ana.folder / "solo.json").unlink()
    seed = Ed25519PrivateKey.from_private_bytes(sha256(b"cli ana").digest())
    (ana.folder / "ana.key").write_bytes(seed.private_bytes(
        Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
    ))  # fmt: skip
    (ana.folder / "ana.key").chmod(0o600)
    ana.done("init", "--key", "ana.key")
    assert ana.pbem("status", ".").out.startswith("g4.json\n")
    monkeypatch.setenv("PBEM_PASSPHRASE", "secret")
    (ana.folder / "ana.key.pub").unlink()
    for words in (("turn",), ("read",)):
        err = Desk(ana.folder).refused(1, *words, "w5.json")
        assert "go on from entry 4: pbem turn g4.json; if you" in err, (words, err)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"game": 1}', "x" * 5000, '{"game": "a"'])
def test_a_request_that_is_none(two, text: str):
    _, beto = two
    beto.write("request.json", text)
    result = beto.pbem("rotate", "g4.json", "--key", "beto.key", "--for", "request.json")
    assert result.code in (1, 2, 3) and "request" in result.err


@pytest.mark.parametrize(
    "member, given, told",
    [
        ("new_pub", "x" * 64, "member 'new_pub' of the request is \"xxx"),
        ("new_pub", "01" + "00" * 31, "this public key binds nobody"),
        ("proof", "A" * 12, "member 'proof' of the request is \"AAAAAAAAAAAA\", but it must be"),
        ("proof", "A" * 86 + "==", "the new key has not signed that it replaces the old one"),
    ],
)
def test_what_is_wrong_with_a_request_is_said_of_the_request(two, member, given, told):
    """It came by mail from the other player: the game file has nothing to do with it."""
    ana, beto = two
    fresh(ana, "new.key")
    ana.done("rotate", "g4.json", "--to", "new.key", "--ask", "-o", "request.json")
    asked = json.loads((ana.folder / "request.json").read_text())
    beto.write("request.json", json.dumps({**asked, member: given}))
    words = ("rotate", "g4.json", "--key", "beto.key", "--for", "request.json", "--on-my-word")
    result = beto.pbem(*words, "-o", "w5.json")
    assert result.code in (1, 3) and told in result.err
    assert "request.json" in result.err and "g4.json" not in result.err
    assert not (beto.folder / "w5.json").exists()


# --- nothing is left behind ---------------------------------------------------------------------


def test_a_file_that_is_there_stays(two):
    _, beto = two
    beto.write("there.json", "mine")
    beto.refused(2, "offer", "g4.json", "draw", "--key", "beto.key", "-o", "there.json")


def test_the_same_words_give_the_same_bytes(two):
    _, beto = two
    beto.done("offer", "g4.json", "draw", "--key", "beto.key", "-o", "g5.json")
    shutil.rmtree(beto.folder / ".home")
    beto.done("offer", "g4.json", "draw", "--key", "beto.key", "-o", "again.json")
    assert (beto.folder / "g5.json").read_bytes() == (beto.folder / "again.json").read_bytes()


@pytest.mark.parametrize("code", ["deck_commit", "deck_reply", "answer", "reveal", "anchor"])
def test_who_offers_is_told_of_dice_that_may_come_first(code: str):
    """An offer lapses before dice: nobody waits for an answer that cannot come."""
    words = SimpleNamespace(pile="draw pile", piece="card")
    game: Any = SimpleNamespace(
        fold=SimpleNamespace(owed=(Owed("B", "answer"), Owed("A", code))), table=None,
        opened=SimpleNamespace(system=SimpleNamespace(words=words)),
        called=lambda player: f"player {player}",
    )  # fmt: skip
    told = [str(each) for each in _what_comes_first(game, "B")]
    assert bool(told) == (code in ("deck_commit", "anchor"))
    if code == "deck_commit":
        assert told == [
            "player A must first do this: seal a new draw pile; if dice follow it, your offer "
            "lapses unanswered, and you can make it again"
        ]
