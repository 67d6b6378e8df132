"""Lost and stolen keys by mail between two folders: new secrets from the offer to the audit."""

from __future__ import annotations

import json
import shutil

import pytest

from pbem.gamefile.advance import finish
from pbem.gamefile.steps import hidden
from tests.cli.desk import Desk, begin
from tests.cli.test_offers import FIRST, entries, fresh, kinds, mail, two

__all__ = ["two"]

COST = (
    "everything they hide is dealt again, dice that wait for their value are void although they "
    "may know them, and their play until then is audited only if they still have the old secrets"
)


def flat(text: str) -> str:
    return " ".join(text.split())


def lost(two: tuple[Desk, Desk]) -> None:
    """Beto has lost key and secrets; w4: Ana has named the new key, and offers new secrets."""
    ana, beto = two
    (beto.folder / "beto.key").unlink()
    fresh(beto, "new.key")
    out = beto.done("rotate", "g3.json", "--to", "new.key", "--ask", "-o", "request.json")
    assert "if no copy of the lost key is left, you also need new secrets: they add --renew" in out
    mail(beto, ana, "request.json")
    out = ana.done("rotate", "g3.json", "--key", "ana.key",
    "--for", "request.json", "--renew",
                   "--on-my-word", "-o", "w4.json")  # fmt: skip
    assert f"offers new secrets to the other: {COST}" in flat(out)
    mail(ana, beto, "w4.json")


def renewed(two: tuple[Desk, Desk]) -> None:
    """w6: Beto plays with new secrets, and their hand was dealt anew."""
    ana, beto = two
    lost(two)
    beto.done("answer", "w4.json", "yes", "--key", "new.key", "-o", "w5.json")
    mail(beto, ana, "w5.json")
    ana.done("apply", "w5.json", "--key", "ana.key", "-o", "w6.json")
    mail(ana, beto, "w6.json")


def test_a_lost_key_and_its_secrets(two):
    ana, beto = two
    lost(two)
    told = flat(beto.done("status", "w4.json"))
    assert f"the Nationalist player offers new secrets to the other: {COST}" in told
    out = beto.done("answer", "w4.json", "yes", "--key", "new.key", "-o", "w5.json")
    assert kinds(beto, "w5.json") == ["answer", "renew", "deck_commit", "reveal"]
    assert "The Republican player continues with new secrets, made from their present key." in flat(
        out
    )
    assert "Beacon 1 is void: it stays unknown and decides nothing." in flat(out)
    assert "from entry 5 on, the Republican player plays with new secrets\n" in out
    mail(beto, ana, "w5.json")
    out = ana.done("apply", "w5.json", "--key", "ana.key", "-o", "w6.json")
    assert "# Beacon 2 gives" in out and "Beacon 1 gives" not in out
    mail(ana, beto, "w6.json")
    out = beto.done("status", "w6.json", "--key", "new.key")
    assert "you are the Republican player" in out and "(hidden)" not in out
    found = json.loads(beto.done("status", "w6.json", "--json"))
    assert found["renewed"] == [{"player": "B", "entry": 5}] and found["lost"] == []
    told = beto.done("verify", "w6.json", "--last", "g3.json")
    assert "from entry 5 on, player B plays with new secrets, offered by the other\n" in told


def test_the_game_goes_on_to_the_audits(two):
    """Without the old key the audit says so, by a word of its own, and every report does."""
    ana, beto = two
    renewed(two)
    beto.done("apply", "w6.json", "--key", "new.key", "-o", "w7.json")
    mail(beto, ana, "w7.json")
    ana.done("resign", "w7.json", "--yes", "--key", "ana.key", "-o", "w8.json")
    mail(ana, beto, "w8.json")
    err = beto.refused(1, "audit", "w8.json", "--key", "new.key", "-o", "x.json")
    assert err == (
        "w8.json: what you kept hidden before entry 5 comes from a key that was not given\n"
        "      hint: give the key the game began with, too: --secrets OLD, once for each key; if "
        "it is lost for good, say so with pbem audit --lost, and your play until then is not "
        "audited\n"
    )
    err = beto.refused(1, "apply", "w8.json", "--key", "new.key", "-o", "x.json")
    assert "you have not accepted it yet" in err
    out = beto.done("audit", "w8.json", "--key", "new.key", "--lost", "-o", "w9.json")
    words = (
        "the secrets of the Republican player before entry 5 are lost: their play until then is "
        "not audited"
    )
    assert words in out
    mail(beto, ana, "w9.json")
    ana.done("audit", "w9.json", "--key", "ana.key", "-o", "w10.json")
    told = ana.done("audit", "w10.json")
    assert words in told and "the result stands" in told
    assert words in ana.done("status", "w10.json")
    found = json.loads(ana.done("verify", "w10.json", "--json"))
    assert found["proven"]["lost"] == [{"player": "B", "since": 0, "until": 5}]
    assert words.replace("the Republican player", "player B") in ana.done("verify", "w10.json")


def ends_with(entry: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The game ends with the reply for a deck in this entry; no real one ends so early."""
    replies, end = hidden.take_reply, {"winner": None, "how": "draw agreed"}

    def ends(machine, step):
        after, bound = replies(machine, step)
        return (finish(after, end) if machine.entry.seq == entry else after), bound

    monkeypatch.setattr(hidden, "take_reply", ends)


def test_who_lost_an_earlier_key_sends_the_mail_that_ends_the_game(two, monkeypatch):
    """Its audit is left for the next mail: before the end nobody can say that a key is lost."""
    ana, beto = two
    renewed(two)
    ends_with(7, monkeypatch)
    assert "game is not over" in beto.refused(1, "audit", "w6.json", "--key", "new.key", "--lost")
    out = flat(beto.done("apply", "w6.json", "--key", "new.key", "-o", "w7.json"))
    assert kinds(beto, "w7.json") == ["deck_reply"]
    assert (
        "note: this mail ends the game, and does not yet show what you kept hidden: until entry 5 "
        "that comes from a key that was not given; in your next mail: pbem audit GAME --secrets "
        "OLD, with that key, or pbem audit GAME --lost, if it is lost for good"
    ) in out
    mail(beto, ana, "w7.json")
    ana.done("apply", "w7.json", "--key", "ana.key", "-o", "w8.json")
    mail(ana, beto, "w8.json")
    err = beto.refused(1, "apply", "w8.json", "--key", "new.key", "-o", "x.json")
    assert "if it is lost for good, say so with pbem audit --lost" in flat(err)
    beto.done("audit", "w8.json", "--key", "new.key", "--lost", "-o", "w9.json")
    assert kinds(beto, "w9.json") == ["audit", "close"]


def test_who_has_the_earlier_key_shows_all_in_the_mail_that_ends_the_game(two, monkeypatch):
    _, beto = two
    shutil.copy(beto.folder / "beto.key", beto.folder / "old.key")
    renewed(two)
    ends_with(7, monkeypatch)
    both = ("--key", "new.key", "--secrets", "old.key")
    out = beto.done("apply", "w6.json", *both, "-o", "w7.json")
    assert kinds(beto, "w7.json") == ["deck_reply", "audit"] and "does not yet show" not in flat(
        out
    )


def test_a_stolen_key_shows_what_is_owed_and_everything_at_the_end(two):
    ana, beto = two
    fresh(beto, "new.key")
    out = beto.done("rotate", "g3.json", "--key", "beto.key", "--to", "new.key", "-o", "s4.json")
    assert "--key new.key --secrets beto.key\n" in out
    assert "if that key is lost or stolen, ask your opponent to run: pbem offer GAME renew" in out
    mail(beto, ana, "s4.json")
    out = ana.done("offer", "s4.json", "renew", "--key", "ana.key", "-o", "s5.json")
    assert COST in flat(out)
    assert out.startswith(
        "new secrets let the Republican player out of this, unless they still have the old ones:\n"
        "  their value of beacon 1, and with it the dice that wait for it\n"
    )
    mail(ana, beto, "s5.json")
    both = ("--key", "new.key", "--secrets", "beto.key")
    out = beto.done("answer", "s5.json", "yes", *both, "-o", "s6.json")
    assert kinds(beto, "s6.json")[0] == "reveal" and "renew" in kinds(beto, "s6.json")
    assert "# Beacon 1 gives" in out and "burnt" not in out
    mail(beto, ana, "s6.json")
    ana.done("resign", "s6.json", "--yes", "--key", "ana.key", "-o", "s7.json")
    mail(ana, beto, "s7.json")
    beto.done("audit", "s7.json", *both, "-o", "s8.json")
    step = entries(beto, "s8.json")[-1].steps[0]
    assert len(step["earlier"]) == 1 and step["earlier"][0]
    assert "lost" not in beto.done("verify", "s8.json")


def test_a_spare_key_and_new_secrets(keys: Desk):
    for name in ("spare.key", "new.key"):
        fresh(keys, name)
    begin(keys, "--spare", "spare.key.pub")
    keys.done("apply", "g2.json", "--key", "beto.key", "-o", "g3.json")  # the hands are dealt
    keys.done("rotate", "g3.json", "--key", "spare.key", "--to", "new.key", "-o", "s4.json")
    err = keys.refused(1, "status", "s4.json", "--key", "new.key")
    assert "your opponent can let you go on with new secrets: pbem offer GAME renew" in flat(err)
    keys.done("offer", "s4.json", "renew", "--key", "beto.key", "-o", "s5.json")
    keys.done("answer", "s5.json", "yes", "--key", "new.key", "-o", "s6.json")
    keys.done("apply", "s6.json", "--key", "beto.key", "-o", "s7.json")
    keys.done("apply", "s7.json", FIRST, "--key", "new.key", "-o", "s8.json")
    keys.done("verify", "s8.json")
    # A third key signs then: the secrets are those of the second.
    fresh(keys, "third.key")
    keys.done("rotate", "s8.json", "--key", "new.key", "--to", "third.key", "-o", "s9.json")
    err = keys.refused(1, "status", "s9.json", "--key", "third.key")
    assert "give the key that was yours in entry 6, too: --key NEW --secrets OLD" in flat(err)
    keys.done("status", "s9.json", "--key", "third.key", "--secrets", "new.key")
    keys.done("resign", "s9.json", "--yes", "--key", "beto.key", "-o", "s10.json")
    all_keys = ("--key", "third.key", "--secrets", "ana.key", "--secrets", "new.key")
    keys.done("audit", "s10.json", *all_keys, "-o", "s11.json")
    assert "lost" not in keys.done("verify", "s11.json")


@pytest.mark.parametrize("words, said", [
    (("offer", "g3.json", "renew", "--key", "ana.key"),
     "player B has had no new key since the present secrets, and new secrets come from a new key "
     "[protocol, new secrets] hint: replace the lost or stolen one with pbem rotate first"),
    (("offer", "g4.json", "renew", "--key", "beto.key"),
     "player A has had no new key since the present secrets"),
    (("answer", "g4.json", "yes", "--key", "ana.key"),
     "the Republican player has no open offer"),
])  # fmt: skip
def test_what_is_not_possible_now(two, words, said):
    assert said in flat(two[0].refused(1, *words))


@pytest.mark.parametrize("words, said", [
    (("rotate", "g3.json", "--key", "ana.key", "--renew"),
     "--renew needs --for; otherwise use pbem offer GAME renew"),
    (("offer", "g3.json", "renew", "--to", "2", "--key", "ana.key"),
     "--to and --known-randomness are for a takeback, not for renew"),
])  # fmt: skip
def test_wrong_usage(two, words, said):
    assert said in flat(two[0].refused(2, *words))


def test_without_the_old_key_the_way_out_is_named(two):
    _, beto = two
    lost(two)
    for words in (("status", "w4.json"), ("apply", "w4.json", "-o", "x.json")):
        err = flat(beto.refused(1, *words, "--key", "new.key"))
        assert "give the key the game began with, too: --key NEW --secrets OLD" in err
        assert "your opponent lets you go on with new secrets: pbem answer GAME yes" in err


def test_the_mail_tells_what_is_offered(two):
    ana, beto = two
    lost(two)
    ana.done("mail", "w4.json", "-o", "m.eml")
    mail(ana, beto, "m.eml")
    assert f"offers new secrets to the other: {COST}" in flat(
        beto.done("read", "m.eml", "-o", "again.json")
    )
