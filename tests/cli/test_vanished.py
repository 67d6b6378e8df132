"""Terms for silence, deputies and a director, by commands in the folders of five people."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pbem.cli import choices, settings, status
from pbem.gamefile.keys import private_file
from pbem.gamefile.public_keys import public_line
from pbem.messages import Said
from tests.cli.conftest import at_home
from tests.cli.desk import CHAPTER24, Desk, fixed_chance, lay_keys, player_key

FIRST = CHAPTER24 / "01-nationalist.yaml"
NEW = ("new", "crusade", "campaign", "--side", "nationalist", "--key", "ana.key", "--opponent",
       "beto.key.pub", "--option", "example_hands")  # fmt: skip


class Clock:
    """What all machines of the test take for the present minute."""

    now = "2026-03-01T10:00Z"


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A game with terms and a director: at g2 Ana is asked for orders, at g3 Beto owes a value."""
    folder = tmp_path_factory.mktemp("terms")
    with pytest.MonkeyPatch.context() as patch:
        desk = at_home(folder, patch)
        lay_keys(folder)
        for name in ("cara", "dora"):
            key = player_key(name)
            (folder / f"{name}.key").write_bytes(private_file(key))
            (folder / f"{name}.key").chmod(0o600)
            (folder / f"{name}.key.pub").write_text(public_line(key.public, name))
        patch.setattr(settings, "this_minute", lambda: Clock.now)
        with fixed_chance():
            desk.done(*NEW, "--silence", "21:result", "--director", "dora.key.pub", "-o", "g0.json")
            desk.done("apply", "g0.json", "--key", "beto.key", "-o", "g1.json")
        desk.done("apply", "g1.json", "--key", "ana.key", "-o", "g2.json")
        desk.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "g3.json")
    shutil.rmtree(folder / ".home")
    return folder


@pytest.fixture
def desk(begun: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """That game, on a machine that has never seen it, with a clock that can be set."""
    folder = tmp_path / "desk"
    shutil.copytree(begun, folder)
    monkeypatch.setattr(Clock, "now", Clock.now)
    for module in (settings, status):
        monkeypatch.setattr(module, "this_minute", lambda: Clock.now)
    return at_home(folder, monkeypatch)


def told(desk: Desk, file: str, key: str, word: str = "silence") -> list[str]:
    """What the status says of silence, or of something else."""
    lines = desk.done("status", file, "--key", key).splitlines()
    return [line for line in lines if line.startswith(word)]


def test_the_days_are_counted_from_the_first_and_nothing_happens_by_itself(desk: Desk) -> None:
    Clock.now = "2026-03-05T10:00Z"
    count = ("silence: day 5 of 21 for the Republican player, since 2026-03-01T10:00Z (entry 3); "
             "the Nationalist player may claim from 2026-03-22T10:00Z on")  # fmt: skip
    assert told(desk, "g3.json", "ana.key") == told(desk, "g3.json", "beto.key") == [count]
    Clock.now = "2026-03-22T10:00Z"
    over = ("silence: the time of the Republican player since 2026-03-01T10:00Z (entry 3) was "
            "over on 2026-03-22T10:00Z; ")  # fmt: skip
    assert told(desk, "g3.json", "ana.key") == [f"{over}you may claim: pbem claim GAME --silence"]
    assert told(desk, "g3.json", "beto.key") == [
        f"{over}the Nationalist player may claim, and an answer still comes first"
    ]
    found = json.loads(desk.done("status", "g3.json", "--json"))["silence"]
    assert (found["days"], found["may_claim"]) == (21, True)
    Clock.now = "2026-02-27T10:00Z"
    assert "states 2026-03-01T10:00Z, which your clock has not reached" in desk.done(
        "status", "g3.json", "--key", "beto.key"
    )


def test_a_claim_before_its_day_and_one_on_it(desk: Desk) -> None:
    Clock.now = "2026-03-21T10:00Z"
    claim = ("claim", "g3.json", "--silence", "--key", "ana.key", "-o", "c4.json")
    assert desk.refused(1, *claim) == (
        "g3.json: the time agreed on is not over: it began on 2026-03-01T10:00Z (entry 3), and "
        "the claim states 2026-03-21T10:00Z [protocol, silence]\n"
        "      hint: claim it from 2026-03-22T10:00Z on\n"
    )
    Clock.now = "2026-02-01T10:00Z"
    assert "which is before entry 3" in desk.refused(1, *claim)
    Clock.now = "2026-03-22T10:00Z"
    assert "accept the claim, or answer and play on" in desk.done(*claim)
    assert "claims the game by the terms for silence" in desk.done("log", "c4.json") + desk.done(
        "status", "c4.json", "--key", "beto.key"
    )
    assert "claims the game by the terms for silence" in desk.refused(
        1, "apply", "c4.json", "--key", "beto.key"
    )
    late = desk.done("apply", "c4.json", "--key", "beto.key", "--pass-over", "-o", "p4.json")
    assert "passed over, and void: entry 4 of the Nationalist player (a claim)" in late
    read = desk.done("status", "p4.json", "--key", "ana.key")
    assert "your claim in entry 4 crossed entry 4 of the Republican player" in read


def test_a_claim_is_accepted_with_an_audit(desk: Desk) -> None:
    Clock.now = "2026-03-22T10:00Z"
    desk.done("claim", "g3.json", "--silence", "--key", "ana.key", "-o", "c4.json")
    desk.done("audit", "c4.json", "--key", "beto.key", "-o", "c5.json")
    end = desk.done("audit", "c5.json", "--key", "ana.key", "-o", "c6.json")
    assert "the game is over: the Nationalist player wins (silence)" in end
    assert "the result stands" in desk.done("audit", "c6.json")


def test_who_comes_back_to_a_claim_is_never_asked_about_a_resignation(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To accept a claim is to lose, which whoever took it for a resignation did not know."""
    Clock.now = "2026-03-22T10:00Z"
    desk.done("claim", "g3.json", "--silence", "--key", "ana.key", "-o", "c4.json")
    said = desk.done("turn", "c4.json", "--key", "beto.key")
    assert "to accept that you have lost and show what was kept hidden: pbem audit" in said
    assert "to play on instead: pbem apply c4.json ORDERS" in said
    asked: list[str] = []
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(choices, "agreed", lambda question: asked.append(str(question)) or False)
    said += desk.done("turn", "c4.json", "--key", "beto.key")
    assert asked == [
        "Accept that you have lost and write the mail? The game ends, and what you kept hidden is "
        "shown"
    ]
    assert "resignation" not in said
    said = desk.done("turn", "c4.json", "--key", "beto.key", "--lang", "es")
    assert "abandono" not in said + str(asked[-1])


@pytest.mark.parametrize("game", ["g0.json", "g1.json"])
def test_nothing_is_offered_and_nobody_named_before_the_game_has_begun(
    desk: Desk, game: str
) -> None:
    words = (game, "--key", "beto.key" if game == "g1.json" else "ana.key")
    assert desk.refused(1, "offer", game, "draw", *words[1:]).startswith(
        f"{game}: the game has not begun: nothing can be offered yet"
    )
    assert desk.refused(1, "deputy", *words, "--to", "cara.key.pub").startswith(
        f"{game}: the game has not begun: a deputy can be named once it has"
    )


def test_a_key_of_neither_player_is_named(desk: Desk) -> None:
    said = desk.refused(1, "turn", "g3.json", "--key", "cara.key")
    assert said == "cara.key: this key belongs to neither player of this game\n"


def test_a_deputy_goes_on_and_every_report_says_so(desk: Desk) -> None:
    named = desk.done("deputy", "g3.json", "--to", "cara.key.pub", "--key", "beto.key", "-o",
                      "d4.json")  # fmt: skip
    assert "names a deputy who may go on for them" in named
    assert told(desk, "d4.json", "cara.key", "you are") == ["you are the Republican player"]
    went_on = desk.done("apply", "d4.json", "--key", "cara.key", "-o", "d5.json")
    assert "Written by the deputy of the Republican player" in went_on
    assert "player B named a deputy in entry 4" in desk.done("verify", "d5.json")
    alone = desk.done("verify", "d5.json", "--without-rules")
    assert "player B named a deputy in entry 4" in alone


def test_a_deputy_takes_no_keys_and_does_not_resign(desk: Desk) -> None:
    desk.done("deputy", "g3.json", "--to", "cara.key.pub", "--key", "beto.key", "-o", "d4.json")
    assert "unless the player who named them has said so" in desk.refused(
        1, "resign", "d4.json", "--key", "cara.key", "--yes"
    )
    assert "a deputy can change no keys" in desk.refused(
        1, "deputy", "d4.json", "--to", "eve.key.pub", "--key", "cara.key"
    )
    desk.refused(1, "rotate", "d4.json", "--to", "eve.key", "--key", "cara.key")


def test_a_deputy_answers_a_claim_and_does_not_accept_it(desk: Desk) -> None:
    desk.done("deputy", "g3.json", "--to", "cara.key.pub", "--key", "beto.key", "-o", "d4.json")
    Clock.now = "2026-03-22T10:00Z"
    desk.done("claim", "d4.json", "--silence", "--key", "ana.key", "-o", "c5.json")
    shutil.rmtree(desk.folder / ".home")
    said = desk.refused(1, "audit", "c5.json", "--key", "cara.key", "-o", "c6.json")
    assert "a deputy cannot accept a claim of the game" in said
    assert "hint: an answer passes the claim over (pbem apply GAME --pass-over)" in said
    desk.done("apply", "c5.json", "--key", "cara.key", "--pass-over", "-o", "p5.json")
    shutil.rmtree(desk.folder / ".home")
    desk.done("audit", "c5.json", "--key", "beto.key", "-o", "b6.json")


def test_a_new_key_withdraws_the_deputy_and_names_the_command(desk: Desk) -> None:
    desk.done("deputy", "g3.json", "--to", "cara.key.pub", "--key", "beto.key", "-o", "d4.json")
    desk.done("keygen", "--out", "new.key", "--no-passphrase")
    out = desk.done("rotate", "d4.json", "--to", "new.key", "--key", "beto.key", "--yes",
                    "-o", "k5.json")  # fmt: skip
    keys = ("--key", "new.key", "--secrets", "beto.key")
    assert f"pbem deputy GAME --to THEIR.key.pub {' '.join(keys)}" in " ".join(out.split())
    assert "With the old key its deputy is withdrawn." in out
    assert "has a deputy" not in desk.done("status", "k5.json")
    said = desk.refused(1, "apply", "k5.json", "--key", "cara.key", "-o", "x.json")
    assert "this is the key of a deputy of player B who was withdrawn" in said
    desk.done("deputy", "k5.json", "--to", "cara.key.pub", *keys, "-o", "d6.json")
    desk.done("apply", "d6.json", "--key", "cara.key", "-o", "d7.json")


def test_who_is_warned_that_both_have_named_one_deputy(desk: Desk) -> None:
    """Ana's naming, with her secrets, was passed over: the key has both all the same."""
    name = ("deputy", "g3.json", "--to", "cara.key.pub", "--key")
    desk.done(*name, "ana.key", "-o", "a4.json")
    home, anas = desk.folder / ".home", desk.folder / "ana.home"
    home.rename(anas)
    desk.done(*name, "beto.key", "-o", "b4.json")
    shutil.rmtree(home)
    anas.rename(home)
    for command in ("status", "read"):
        out = " ".join(desk.done(command, "b4.json", "--key", "ana.key").split())
        assert "has named the same key: its owner may read what both of you hide" in out
        assert "pbem rotate" in out and "pbem offer GAME renew" in out


@pytest.mark.parametrize(
    ("key", "why"),
    [("beto", "a deputy needs a key of their own"), ("ana", "this is the key of the opponent"),
     ("dora", "this is the key of the director, who sees no hand")],
)  # fmt: skip
def test_who_cannot_be_a_deputy(desk: Desk, key: str, why: str) -> None:
    assert why in desk.refused(
        1, "deputy", "g3.json", "--to", f"{key}.key.pub", "--key", "beto.key"
    )


def test_a_fork_of_a_player_and_their_deputy_shows_both_keys(desk: Desk, tmp_path: Path) -> None:
    desk.done("deputy", "g2.json", "--to", "cara.key.pub", "--key", "ana.key", "-o", "d3.json")
    shutil.rmtree(desk.folder / ".home")
    desk.done("apply", "d3.json", FIRST, "--key", "ana.key", "-o", "one.json")
    shutil.rmtree(desk.folder / ".home")
    desk.done("apply", "d3.json", FIRST, "--key", "cara.key", "-o", "two.json")
    proof = desk.done("prove-fork", "one.json", "two.json", "-o", "proof.json")
    assert "one with the key of the player, the other with that of the deputy" in proof


def test_a_director_rules_and_either_player_brings_it_in(desk: Desk) -> None:
    ruled = desk.done("ruling", "g3.json", "--winner", "nationalist", "--key", "dora.key", "-o",
                      "r.json")  # fmt: skip
    assert "r.json is your ruling for the game after entry 3" in ruled
    for key, name in (("ana", "a4"), ("beto", "b4")):
        shutil.rmtree(desk.folder / ".home", ignore_errors=True)
        end = desk.done("ruling", "g3.json", "--enter", "r.json", "--key", f"{key}.key", "-o",
                        f"{name}.json")  # fmt: skip
        assert "the game is over: the Nationalist player wins (ruling of the director)" in end
    shutil.rmtree(desk.folder / ".home", ignore_errors=True)
    desk.done("audit", "a4.json", "--key", "ana.key", "-o", "a5.json")
    assert "the result stands" in desk.done("audit", "a5.json")


def test_a_result_on_ones_own_claim_counts_against_an_answer_that_crossed_it(desk: Desk) -> None:
    home, of_beto = desk.folder / ".home", desk.folder / "home of Beto"
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "b4.json")
    home.rename(of_beto)
    Clock.now = "2026-03-22T10:00Z"
    desk.done("claim", "g3.json", "--silence", "--key", "ana.key", "-o", "c4.json")
    desk.done("ruling", "c4.json", "--winner", "nationalist", "--key", "dora.key", "-o", "r.json")
    desk.done("ruling", "c4.json", "--enter", "r.json", "--key", "ana.key", "-o", "a5.json")
    old = desk.refused(3, "turn", "b4.json", "--key", "ana.key")
    assert "the director has declared the result in entry 5 that you have seen" in old
    shutil.rmtree(home)
    of_beto.rename(home)
    lost = ("your entry 4 crossed the result that the director has declared, which the Nationalist "
            "player brought in entry 5: the result counts")  # fmt: skip
    accepted = desk.pbem("audit", "a5.json", "--key", "beto.key")
    assert accepted.code == 0 and lost in " ".join((accepted.out + accepted.err).split())


def test_what_is_no_ruling_for_this_game(desk: Desk) -> None:
    words = ("ruling", "g3.json", "--days", "7", "--key")
    assert "this is not the key of the director" in desk.refused(1, *words, "ana.key")
    desk.done(*words, "dora.key", "-o", "r.json")
    enter = ("ruling", "g2.json", "--enter", "r.json", "--key", "ana.key")
    assert "for another state of this one" in desk.refused(1, *enter)
    for text in ("{}", "[", '{"format": "pbem-ruling/1"}'):
        desk.write("odd.json", text)
        desk.refused(1, "ruling", "g3.json", "--enter", "odd.json", "--key", "ana.key")
    desk.write("odd.json", '{"format": "pbem-ruling/2"}')
    newer = desk.refused(3, "ruling", "g3.json", "--enter", "odd.json", "--key", "ana.key")
    assert "this ruling needs a newer pbem" in newer
    step = json.loads((desk.folder / "r.json").read_text())
    step["step"]["days"] = 8
    desk.write("r8.json", json.dumps(step))
    refused = desk.refused(1, "ruling", "g3.json", "--enter", "r8.json", "--key", "ana.key")
    assert "has not signed this ruling" in refused
    for odd in ((), ("--days", "3", "--winner", "nationalist"), ("--winner", "nobody at all"),
                ("--days", "400")):  # fmt: skip
        desk.refused(2, "ruling", "g3.json", *odd, "--key", "dora.key")


def test_the_director_gives_days_and_a_seat(desk: Desk) -> None:
    desk.done("ruling", "g3.json", "--days", "7", "--key", "dora.key", "-o", "r.json")
    desk.done("ruling", "g3.json", "--enter", "r.json", "--key", "ana.key", "-o", "x4.json")
    assert "of 28 for" in told(desk, "x4.json", "ana.key")[0]
    desk.done("rotate", "x4.json", "--ask", "--to", "eve.key", "-o", "ask.json")
    desk.done("ruling", "x4.json", "--seat", "ask.json", "--key", "dora.key", "-o", "s.json")
    sat = desk.done("ruling", "x4.json", "--enter", "s.json", "--key", "ana.key", "-o", "x5.json")
    assert "The director has given the seat of the Republican player to somebody else" in sat
    assert "somebody whom the director named sits in the place of player B" in desk.done(
        "verify", "x5.json"
    )
    shutil.rmtree(desk.folder / ".home")
    assert "replaced your key" in desk.refused(1, "apply", "x5.json", "--key", "beto.key")


def test_usage(desk: Desk) -> None:
    for odd in ("21", "0:result", "21:win", "400:result", ":", "٣:result"):
        said = desk.refused(2, *NEW, "--silence", odd)
        assert "pause, deputy or result, as in 21:result" in said
    desk.refused(2, "deputy", "g3.json", "--key", "beto.key")
    desk.refused(2, "deputy", "g3.json", "--withdraw", "--ends", "--key", "beto.key")
    assert "the director of a game cannot be one of its players" in desk.refused(
        1, *NEW, "--director", "beto.key.pub"
    )


def answering(monkeypatch: pytest.MonkeyPatch, *said: bool) -> list[str]:
    """Somebody at a terminal who gives these answers; the list has what they are asked."""
    asked: list[str] = []
    answers = list(said)

    def agreed(question: Said, **_: Any) -> bool:
        asked.append(str(question))
        return answers.pop(0)

    monkeypatch.setattr(choices, "is_attended", lambda: True)
    monkeypatch.setattr(choices, "agreed", agreed)
    return asked


MAY_HAVE = "your deputy may already have written entry 4; if they have, this is a second story"


def with_deputy(desk: Desk) -> None:
    """d3: Ana has named Cara, and is asked for orders."""
    desk.done("deputy", "g2.json", "--to", "cara.key.pub", "--key", "ana.key", "-o", "d3.json")


@pytest.mark.parametrize(
    "words",
    [("deputy", "--withdraw"), ("deputy", "--to", "eve.key.pub"), ("rotate", "--to", "eve.key")],
)
def test_nobody_takes_the_seat_back_unwarned(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    """A deputy has written on the same file: an entry that withdraws them is a fork."""
    with_deputy(desk)
    command = (words[0], "d3.json", *words[1:], "--key", "ana.key")
    said = desk.refused(2, *command, "-o", "w4.json")
    assert MAY_HAVE in said and "with --yes it is signed" in said
    asked = answering(monkeypatch, False, True)
    before = desk.files()
    assert desk.done(*command, "-o", "w4.json") == "nothing was signed\n"
    assert desk.files() == before and asked[0].startswith(MAY_HAVE)
    desk.done(*command, "-o", "w4.json")
    shutil.rmtree(desk.folder / ".home")
    desk.done(*command, "--yes", "-o", "w4.json")
    assert len(asked) == 2


def test_who_takes_over_from_a_deputy_is_warned_once(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_deputy(desk)
    told = desk.done("status", "d3.json", "--key", "ana.key")
    assert "agree on who writes the next entry" in told
    asked = answering(monkeypatch, False, True)
    apply = ("apply", "d3.json", FIRST, "--key", "ana.key", "-o", "a4.json")
    assert "nothing was signed" in desk.refused(1, *apply)
    desk.done(*apply)
    assert len(asked) == 2 and asked[1].startswith(MAY_HAVE)
    desk.done("apply", "a4.json", "--key", "beto.key", "-o", "a5.json")
    desk.done("apply", "a5.json", "--key", "ana.key", "-o", "a6.json")
    assert len(asked) == 2, "Ana goes on writing"
    shutil.rmtree(desk.folder / ".home")
    desk.done("apply", "d3.json", FIRST, "--key", "cara.key", "-o", "c4.json")
    assert len(asked) == 2, "the deputy is not asked"


def test_where_nobody_can_be_asked_who_takes_over_reads_a_note(desk: Desk) -> None:
    with_deputy(desk)
    orders = desk.write("d3.orders.yaml", FIRST.read_text("utf-8"))
    told = desk.done("turn", "d3.json", "--orders", orders, "--key", "ana.key")
    assert f"note: {MAY_HAVE}" in told and "nothing was signed" in told
    assert f"note: {MAY_HAVE}" in desk.done(
        "apply", "d3.json", FIRST, "--key", "ana.key", "-o", "a4.json"
    )


def test_two_entries_of_player_and_deputy_are_told_as_that(desk: Desk) -> None:
    with_deputy(desk)
    home, away = desk.folder / ".home", desk.folder / ".away"
    shutil.rmtree(home)
    desk.done("apply", "d3.json", FIRST, "--key", "cara.key", "-o", "c4.json")
    shutil.rmtree(home)
    desk.done("deputy", "d3.json", "--withdraw", "--yes", "--key", "ana.key", "-o", "w4.json")
    err = desk.pbem("apply", "c4.json", "--key", "ana.key").err
    assert "you and your deputy have written two different entries 4" in err
    assert "the one that your opponent had first stands" in err
    shutil.move(home, away)
    desk.done("read", "c4.json", "--key", "beto.key")
    err = desk.pbem("apply", "w4.json", "--key", "beto.key").err
    assert "player A and their deputy have written two different entries 4" in err
    assert "go on with the file you have" in err and "the proof is in fork_" in err
    desk.done("apply", "c4.json", "--key", "beto.key", "-o", "b5.json")
    shutil.rmtree(home)
    desk.done("apply", "b5.json", "--key", "cara.key", "-o", "c6.json")


def test_a_deputy_changes_no_keys_and_is_told_so(desk: Desk) -> None:
    with_deputy(desk)
    said = desk.refused(1, "rotate", "d3.json", "--to", "eve.key", "--key", "cara.key")
    assert "a deputy can change no keys" in said and "withdrawn" not in said
    assert "hint: only the player who named them can do that" in said


def test_behind_an_own_note_a_deputy_or_a_key_is_not_named(desk: Desk) -> None:
    desk.done("claim", "g3.json", "--key", "ana.key", "-o", "c4.json")
    for words in (("deputy", "--to", "cara.key.pub"), ("rotate", "--to", "eve.key")):
        said = desk.refused(1, words[0], "c4.json", *words[1:], "--key", "ana.key")
        assert "your entry 4 was written out of turn, and your opponent has not answered" in said


def test_a_new_key_in_a_folder_that_keeps_the_old_one(desk: Desk) -> None:
    desk.done("init", "--key", "ana.key")
    same = desk.refused(1, "rotate", "g2.json", "--to", "ana.key")
    assert "that is the key you use now" in same
    for file in desk.folder.glob("g*.json"):
        if file.name != "g2.json":
            file.unlink()
    told = desk.done("rotate", "g2.json", "--to", "eve.key", "-o", "r3.json")
    assert "pbem mail r3.json writes the message" in told.splitlines()[-1]
    said = desk.refused(1, "turn", "r3.json", "--key", "ana.key")
    assert "ana.key: this key was replaced by a new one in entry 3" in said
    assert "--key NEW --secrets OLD" in said
    assert "your turn: pbem turn r3.json" in desk.done("status", ".")
    words = ("--key", "eve.key", "--secrets", "ana.key")
    told = desk.done("turn", "r3.json", *words)
    assert "then: pbem turn r3.json --key eve.key --secrets ana.key" in told
    assert "add --replace" in desk.refused(2, "init", "--key", "eve.key")
    desk.done("init", "--key", "eve.key", "--replace")
    assert 'key = "eve.key"' in (desk.folder / "pbem.toml").read_text()
    told = desk.done("turn", "r3.json", "--secrets", "ana.key", "--orders", FIRST)
    assert "pbem turn r3.json --secrets ana.key --orders" in told


@pytest.mark.parametrize(
    ("what", "question"),
    [("draw", "Agree to a draw?"), ("void", "Agree to end the game without a result?"),
     ("takeback", "Go back to entry 2?")],
)  # fmt: skip
def test_a_yes_that_ends_the_game_or_takes_it_back_is_asked_for(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, what: str, question: str
) -> None:
    desk.done("apply", "g3.json", "--key", "beto.key", "-o", "g4.json")
    more = ("--to", "2", "--known-randomness") if what == "takeback" else ()
    desk.done("offer", "g4.json", what, *more, "--key", "beto.key", "-o", "o5.json")
    asked = answering(monkeypatch, False, True)
    words = ("answer", "o5.json", "yes", "--key", "ana.key", "-o", "y6.json")
    assert desk.done(*words) == "nothing was signed\n"
    desk.done(*words)
    assert len(asked) == 2 and asked[0].startswith(question)
    shutil.rmtree(desk.folder / ".home")
    desk.done(*words, "--yes")
