"""Entries laid beside the turn, at the command line: crossed, passed over, answered and denied."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import choices
from pbem.gamefile import format
from pbem.gamefile.consent import ASK_BY_MAIL
from tests.cli.desk import CHAPTER24, Desk

FIRST = CHAPTER24 / "01-nationalist.yaml"


class Tables:
    """One folder, and machines that remember only what they have seen themselves."""

    def __init__(self, desk: Desk, patch: pytest.MonkeyPatch) -> None:
        self.desk, self.patch = desk, patch

    def at(self, machine: str) -> Desk:
        self.patch.setenv("XDG_CONFIG_HOME", str(self.desk.folder / ".home" / machine))
        return self.desk


@pytest.fixture
def tables(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> Tables:
    """Ana has the pen behind g2, and her g3 stands there; Beto's note crosses it."""
    return Tables(desk, monkeypatch)


def laid(tables: Tables, *words: str | Path) -> None:
    """Beto lays a note on g2 as n3, and remembers it."""
    tables.at("beto").done(*words, "--key", "beto.key", "-o", "n3.json")


WHERE = "in entry 3 crossed entry 3 of the Nationalist player"
CROSSED = {
    "words": (
        ("apply", "g2.json", "words.yaml"),
        f'note: your words {WHERE} and are not in the game; you can say them again: "Hello?"\n',
    ),
    "offer": (
        ("offer", "g2.json", "draw"),
        f"note: your offer (a draw) {WHERE} and was not seen, so it is not open; you can offer it "
        "again\n",
    ),
    "claim": (
        ("claim", "g2.json"),
        f"note: your claim {WHERE}, who had already written; the Nationalist player "
        "owes nothing now, and it is your turn to write\n",
    ),
    "resignation": (
        ("resign", "g2.json", "--yes"),
        f"note: your resignation {WHERE}, and the game goes on; you can resign again, and in your "
        "own "
        "turn that is final\n",
    ),
    "key": (
        ("rotate", "g2.json", "--to", "new.key"),
        f"note: your new key {WHERE} and is not in the game; sign with the old one, or name the "
        "new one again (pbem rotate makes another proof)\n",
    ),
}


@pytest.mark.parametrize("what", CROSSED)
def test_a_note_that_crossed_is_told(tables: Tables, what: str):
    words, told = CROSSED[what]
    tables.desk.write("words.yaml", "say: Hello?\n")
    tables.desk.done("keygen", "--out", "new.key", "--no-passphrase")
    laid(tables, *words)
    beto = tables.at("beto")
    assert told in beto.done("status", "g3.json", "--key", "beto.key")
    assert told in beto.done("apply", "g3.json", "--key", "beto.key", "-o", "x4.json")
    assert told not in beto.done("status", "x4.json", "--key", "beto.key")


def test_the_pen_holder_is_told_what_the_note_held(tables: Tables):
    laid(tables, "offer", "g2.json", "draw")
    ana = tables.at("ana")
    ana.done("apply", "g2.json", FIRST, "--key", "ana.key", "-o", "m3.json")
    assert ana.refused(3, "apply", "n3.json", FIRST, "--key", "ana.key", "-o", "x4.json") == (
        "n3.json: entry 3: two entries 3 crossed, and yours counts\n      hint: send the file "
        "you have again; this one contains only what player B wrote out of turn: an offer (a "
        "draw)\n"
    )


def test_a_note_that_was_seen_is_passed_over(tables: Tables):
    """W2: as if it had not been laid, with the note itself or with the file before it."""
    tables.desk.write("words.yaml", "say: Hello?\n")
    laid(tables, "apply", "g2.json", "words.yaml")
    said = 'note: passed over, and void: entry 3 of the Republican player (the words "Hello?")\n'
    for game, told in (("g2.json", ""), ("n3.json", said)):
        ana = tables.at(f"ana with {game}")
        words = ("apply", game, FIRST, "--key", "ana.key", "-o", f"m-{game}", "--last", "n3.json")
        if game == "g2.json":
            assert "you have already seen this game up to entry 3" in ana.refused(3, *words)
        assert told in ana.done(*words, "--pass-over")
        entries = format.read((ana.folder / f"m-{game}").read_bytes())
        assert [entry.by for entry in entries] == ["A", "B", "A", "A"]
    beto = tables.at("beto")
    out = beto.done("apply", "m-n3.json", "--key", "beto.key", "-o", "x4.json")
    assert CROSSED["words"][1] in out


def test_a_resignation_out_of_turn_waits_for_a_word_of_its_own(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
):
    """No command takes it in passing: `turn` asks, and where nobody answers names both ways."""
    laid(tables, "resign", "g2.json", "--yes")
    ana = tables.at("ana")
    before = ana.files()
    told = ana.pbem("turn", "n3.json", "--yes", "--key", "ana.key").out
    assert told.endswith(
        "nothing was signed; to accept the resignation and show what was kept hidden: pbem audit "
        "n3.json --key ana.key\nto play on instead: pbem apply n3.json ORDERS --key ana.key "
        "--pass-over\n"
    )
    assert "to write: Nationalist (you): accept the resignation, or play on\n" in told
    assert "reveal what was kept hidden" not in told
    assert "you have not accepted it yet" in ana.pbem("apply", "n3.json", "--key", "ana.key").err
    assert ana.files() == before
    monkeypatch.setattr(choices, "is_attended", lambda: True)
    answers = [False, True]
    monkeypatch.setattr(choices, "agreed", lambda *_, **__: answers.pop(0))
    assert "to play on instead" in ana.done("turn", "n3.json", "--key", "ana.key")
    assert ana.files() == before
    told = ana.done("turn", "n3.json", "--key", "ana.key")
    assert "reveals what they kept hidden; all was in order" in told and not answers
    assert list(ana.folder.glob("*.eml"))


def test_only_the_pen_holder_passes_over(tables: Tables):
    laid(tables, "offer", "g2.json", "draw")
    words = ("apply", "n3.json", "--key", "beto.key", "--pass-over", "-o", "x.json")
    assert tables.at("beto").refused(1, *words) == (
        "n3.json: the Nationalist player must write next, so you cannot pass over what was "
        "written out of "
        "turn [protocol T1]\n      hint: what you wrote out of turn yourself counts once they "
        "have followed it\n"
    )


def test_a_hostile_key_is_told_and_passed_over(tables: Tables):
    """W8: Beto names a key for Ana, who has lost nothing."""
    desk = tables.at("beto")
    desk.done("keygen", "--out", "stolen.key", "--no-passphrase")
    desk.done("rotate", "g2.json", "--to", "stolen.key", "--ask", "-o", "request.json")
    laid(tables, "rotate", "g2.json", "--for", "request.json", "--on-my-word")
    ana = tables.at("ana")
    words = ("apply", "n3.json", FIRST, "--key", "ana.key", "-o", "m3.json")
    assert ana.refused(1, *words) == (
        "ana.key: player B replaced your key with another one in entry 3 [protocol, keys]\n"
        "      hint: if you have lost nothing, pass that entry over (--pass-over) and sign with "
        "your key; if you asked for it, sign with the new key\n"
    )
    assert not list((ana.folder / ".home" / "ana").rglob("*-A.json")), "it is never recorded"
    assert "(a new key)" in ana.done(*words, "--pass-over")
    beto = tables.at("beto")
    assert (
        f"note: the new key you named {WHERE}, who has the old key and has used it; discard "
        "the new key\n"
    ) in beto.done("status", "m3.json", "--key", "beto.key")


def test_words_that_were_answered_are_no_way_back(tables: Tables):
    """H2b: Ana writes on the words, Beto reveals, and Ana writes another entry in their place."""
    tables.desk.write("words.yaml", "say: Good luck!\n")
    laid(tables, "apply", "g2.json", "words.yaml")
    ana = tables.at("ana")
    ana.done("apply", "n3.json", FIRST, "--key", "ana.key", "-o", "m4.json")
    beto = tables.at("beto")
    beto.done("apply", "m4.json", "--key", "beto.key", "-o", "m5.json")
    err = beto.pbem("apply", "g3.json", "--key", "beto.key", "-o", "x4.json").err
    assert err.startswith(
        "g3.json: entry 3: player A has written on your entry 3, and denies it elsewhere\n"
        "      hint: answer neither; the proof is in fork_"
    )
    (proof,) = (path.name for path in beto.folder.glob("fork_*.json"))
    told = beto.done("prove-fork", proof)
    assert told == beto.done("prove-fork", "m5.json", "g3.json")
    assert "proven: player A (nationalist) has signed two different versions\n" in told
    assert "  follows entry 3, which the other player wrote out of turn\n" in told


def test_an_offer_in_turn_says_how_it_is_asked(tables: Tables):
    err = tables.at("ana").refused(1, "offer", "g2.json", "draw", "--key", "ana.key")
    assert err == (
        "g2.json: it is your turn to write, so an offer must be sent with your orders [protocol, "
        "the pen]\n"
        f"      hint: name the orders file as well; {ASK_BY_MAIL}\n"
    )
    told = " ".join(tables.desk.done("offer", "--help").split())
    assert (
        "If you want something at the start of your own turn, ask your opponent by mail to make "
        "the offer, and answer it yourself"
    ) in told
