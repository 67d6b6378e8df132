"""Counters face down when secrets are lost, when play is taken back, and when nobody audits."""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.codec import to_plain
from pbem.gamefile.compose import propose
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import write as written
from pbem.gamefile.prospect import prospect
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.verify import examine_without_rules
from tests.contract.playing import Player
from tests.facedown.here import system, table
from tests.facedown.mails import TERMS, answers, begun, known, placed, write
from tests.facedown.test_cheats import HALT, all_known, fight, honest, mixable, refused
from tests.gamefile.players import KEYS, NONCE, TOOL
from tests.gamefile.renewed import NEW, NEWER, renewed, signing

ARMY = ("N-F1", "N-F2", "N-G", "N-S")


def stands(fold: Fold, player: str) -> dict[str, str]:
    """The hex of each counter of A, as a player knows them."""
    position = known(fold, player)
    return {piece: position.places[position.down.tag(piece, position.in_play)] for piece in ARMY}


def asked_to_arrange(fold: Fold) -> Fold:
    """A goes on with new secrets and is asked where their counters go."""
    fold = renewed(fold, "A", NEW)
    with signing(A=NEW):
        while fold.pen != "A" or fold.in_play.decision is None:
            fold = write(fold, str(fold.pen))
    assert fold.in_play.decision.stage == "arrange"
    return fold


def proposed(fold: Fold) -> dict[str, Any]:
    """The order that A's program proposes."""
    decision = prospect(fold, NEW).in_play.decision
    return {"arrange": to_plain(decision.default)}


def test_new_secrets_put_the_counters_back_where_they_stood() -> None:
    before = mixable()
    there, books = stands(before, "A"), before.in_play.state.position
    old = {name for name in books.places if name.startswith("n/")}
    fold = asked_to_arrange(before)
    with signing(A=NEW):
        write(fold, "A", proposed(fold))
        fold = write(fold, "A", {"arrange": {"units": [*map(list, there.items())]}})
        position = fold.in_play.state.position
        now = {name for name in position.places if name.startswith("n/")}
        assert not now & old and len(now) == len(old)
        assert stands(fold, "A") == there, "on the word of their owner"
        for name in now:
            could = {
                piece
                for each in books.at(position.places[name])
                for piece in books.down.may_be(each)
            }
            assert set(position.down.may_be(name)) == could, "no more than the place could hold"
        assert not examine_without_rules(written(fold.entries)).findings
        assert replay(fold.entries, table).machine.post() == fold.machine.post()
        player, rng = Player(5), random.Random(5)
        while fold.in_play.state.position.turn == position.turn:
            fold = write(fold, str(fold.pen), *answers(fold, player, rng))


def test_new_tags_go_nowhere_else_than_the_old_ones_stood() -> None:
    fold = asked_to_arrange(mixable())
    told = [(one.by, one.c is None) for one in fold.machine.hidden.lists]
    assert told == [("A", True), ("B", False)], "lists of the old secrets cannot be told"
    with signing(A=NEW):
        units = dict(proposed(fold)["arrange"]["units"])
        first = next(iter(units))
        for wrong in (
            {**units, first: "0404"},
            {name: hex for name, hex in units.items() if name != first},
            {**units, first: next(hex for hex in units.values() if hex != units[first])},
        ):
            with pytest.raises(FileRefused):
                write(fold, "A", {"arrange": {"units": [[n, h] for n, h in wrong.items()]}})


def test_no_counter_is_shown_before_it_is_said_where_it_stands() -> None:
    fold = asked_to_arrange(mixable())
    with signing(A=NEW):
        sealed, tag = fold.machine.hidden.decks, fold.in_play.state.position.down.newest("n")[0]
        steps = [*honest(fold, "A"), Secrets.in_game(fold.machine, NEW, "A").open(sealed, tag)]
        assert refused(fold, "A", steps).code == "E-PIECE"


def test_secrets_that_are_new_again_are_arranged_once() -> None:
    before = mixable()
    there = stands(before, "A")
    first = asked_to_arrange(before)
    with signing(A=NEW):
        fold = renewed(first, "A", NEWER)
    with signing(A=NEWER):
        while fold.pen != "A" or fold.in_play.decision is None:
            fold = write(fold, str(fold.pen))
        fold = write(fold, "A", {"arrange": {"units": [*map(list, there.items())]}})
        assert stands(fold, "A") == there
        assert fold.in_play.decision.stage != "arrange"


def test_a_showing_that_is_owed_waits_until_new_counters_can_be_shown() -> None:
    """B's sappers march alone onto an objective, and B goes on with new secrets before they are
    shown: the new tag is shown once it was challenged, and B has said where it lies. A's lines are
    lost, so the beacon was locked in the very entry of the march.
    """
    lies = {"S-F1": "0404", "S-F2": "0304", "S-G": "0204", "S-S": "0504"}
    rows = [["N-F1", "0102"], ["N-F2", "0201"], ["N-G", "0101"], ["N-S", "0301"]]
    fold = write(begun(), "A", {"place": {"units": rows}})
    fold = write(fold, "B", {"place": {"units": [*map(list, lies.items())]}})
    for player in "AB":
        fold = write(fold, player, {"ambush": {"at": []}})
    fold = asked_to_arrange(fold)
    with signing(A=NEW):
        fold = write(fold, "A", proposed(fold), HALT)
        while fold.owed[0].what != "march":
            fold = write(fold, str(fold.pen))
        fold = write(fold, "B", {"march": {"unit": "S-S", "path": ["0503"]}}, HALT)
        while (str(fold.pen), fold.owed[0].code) != ("B", "list_seal"):
            orders = ({"ambush": {"at": []}},) if fold.owed[0].code == "list_seal" else ()
            fold = write(fold, str(fold.pen), *orders)
        assert fold.owed[-1].code == "open"
        fold = renewed(fold, "B", NEWER)
    with signing(A=NEW, B=NEWER):
        while fold.pen != "B" or fold.in_play.decision is None:
            assert not [each for each in fold.owed if each.code == "open"]
            fold = write(fold, str(fold.pen))
        assert fold.in_play.decision.stage == "arrange" and fold.in_play.owes("B") == ()
        where = [*map(list, {**lies, "S-S": "0503"}.items())]
        fold = write(fold, "B", {"arrange": {"units": where}}, {"ambush": {"at": []}})
        shown = [step["card"] for step in fold.entries[-1].steps if step["do"] == "open"]
        assert shown == ["S-S"]
        assert replay(fold.entries, table).machine.post() == fold.machine.post()


def test_lines_of_a_list_are_owed_no_more_under_new_secrets() -> None:
    """B's lines are owed, and B has nothing hidden that would be laid again: they count as told."""
    system()
    fold = propose(KEYS["A"], KEYS["B"].public, TERMS, all_known, nonce=NONCE, tool=TOOL).fold
    for player in "BA":
        fold = write(fold, player)
    for player in "AB":
        fold = write(fold, player, {"ambush": {"at": []}})
    fold = write(fold, "A", HALT)
    assert (fold.pen, fold.owed[0].code) == ("B", "list_tell")
    fold = renewed(fold, "B", NEW)
    assert fold.locked is not None and fold.pen == "A", "play has gone on to the next dice"


def test_secrets_that_are_said_to_be_lost_get_nobody_out_of_a_showing() -> None:
    """B has to show who stands in 0303. Without A's offer there are no new secrets."""
    fold = fight()
    found = refused(fold, "B", [{"do": "renew", "anchor": "00" * 32}])
    assert found.code == "E-CONSENT"


def test_what_was_shown_since_is_known_again_after_a_take_back() -> None:
    before = fight()
    fold = write(before, "B")
    shown = {step["card"] for step in fold.entries[-1].steps if step["do"] == "open"}
    assert shown
    target = max(seq for seq in fold.machine.agreements.quiet if seq < before.entries[-1].seq)
    pen = str(fold.pen)
    other = "B" if pen == "A" else "A"
    fold = write(fold, other, offer={"what": "takeback", "to": target, "known_randomness": True})
    fold = write(fold, pen, answer=True)
    position = fold.in_play.state.position
    assert shown <= {*position.places, *position.lost}, "known by name in the earlier state too"
    assert shown.isdisjoint(position.down.hidden)


@pytest.mark.parametrize("shown", ["AB", "BA"])
@pytest.mark.parametrize("drawn", [False, True])
def test_a_result_is_provisional_until_the_winner_and_a_draw_until_both_have_shown(
    shown: str, drawn: bool
) -> None:
    """B wins, or it is a draw. Each of two who drew may be the one who has something to hide."""
    fold = placed()
    if drawn:
        fold = write(write(fold, "B", offer={"what": "draw"}), "A", answer=True)
    else:
        fold = write(fold, "A", resign=True)
    assert fold.phase == "over" and fold.is_provisional
    for player in shown:
        fold = write(fold, player)
        is_last = player == shown[-1]
        assert fold.is_provisional == (not is_last and (drawn or player == "A"))
