"""A battle by mail with counters face down in which a key is lost, something is taken back, or all
is hidden at once: nobody is stuck, and the game goes on to its end.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from pbem.engine.choices import every
from pbem.gamefile.journal import Audited, FactSaid
from pbem.gamefile.prospect import prospect
from pbem.games.nopasaran.orders import ALL, PutBack
from pbem.games.nopasaran.rules import hiding
from pbem.games.nopasaran.stages.cover import PuttingBack
from pbem.messages import words
from pbem.play.debts import debts
from pbem.play.game import with_fold
from tests.gamefile.players import KEYS, write
from tests.gamefile.renewed import NEW, renewed, signing
from tests.games.debts import told_before_an_offer
from tests.games.nopasaran import covered
from tests.games.nopasaran.by_mail import IN_CLEAR, Seats, practised
from tests.games.nopasaran.table import N, table


def mixed() -> Seats:
    """The second day, Ana to activate, with counters face down on both sides."""
    return copy(_mixed())


@cache
def _mixed() -> Seats:
    seats = Seats("desks", is_open=False)
    while True:
        practised(seats, IN_CLEAR)
        asked = seats.table.decision if seats.orders_wanted and seats.pen == "A" else None
        if asked and asked.stage == "activation" and lying(seats):
            return seats


def lying(seats: Seats) -> dict[str, str]:
    """The Nationalist counters that lie face down and where, as their player knows."""
    table: Any = prospect(seats.fold, KEYS["A"]).in_play
    position = table.state.position
    return {position.face(tag): position.at(tag) for tag in position.tags_of(N)}


def is_proven(seats: Seats, audited: str) -> bool:
    """Whether the game comes to its end, and the audits of these players find all in order."""
    while seats.fold.phase != "over" or any(map(seats.fold.machine.owes_audit, audited)):
        practised(seats, IN_CLEAR)
    return {*audited} == {each.by for each in seats.fold.told() if isinstance(each, Audited)}


@pytest.mark.rule("2.6")
def test_new_secrets_put_counters_back_where_they_lay() -> None:
    seats = mixed()
    there = lying(seats)
    fold = renewed(seats.fold, "A", NEW)
    with signing(A=NEW):
        while fold.pen != "A" or fold.in_play.decision is None:
            fold = write(fold, str(fold.pen))
        assert fold.in_play.decision.stage == "put back"
        seats.game = with_fold(fold)
        practised(seats, IN_CLEAR)
        assert len(there) > 2 and lying(seats)
        assert lying(seats).items() <= there.items(), "one of them was seen since"
        assert is_proven(seats, "B"), "what the lost key hid is left out"


@pytest.mark.rule("2.6")
def test_lines_that_new_secrets_made_void_count_for_nobody() -> None:
    """In the audit, neither: their author, who still has the old key, knows what they were."""
    seats, new = Seats("desks", is_open=False), NEW.in_place_of(KEYS["B"])
    while not all(any(untold(seats, by)) for by in "AB") or seats.pen != "B":
        practised(seats, IN_CLEAR)
    fold = renewed(seats.fold, "B", new)
    with signing(B=new):
        seats.keys, seats.game = dict(KEYS), with_fold(fold)
        assert not any(untold(seats, "B")) and is_proven(seats, "AB")


def untold(seats: Seats, by: str) -> Iterator[str]:
    """What a player has sealed on lists and can still tell."""
    yield from (one.slot for one in seats.fold.machine.hidden.lists if one.by == by and one.c)


@pytest.mark.rule("2.6", "11.4")
def test_what_was_still_to_be_said_when_a_key_was_lost_is_said_of_what_is_put_back() -> None:
    """In a mail more of each player: a beacon challenges the new layout before its owner says what
    is where. Nobody is asked for what dice need.
    """
    fold = covered.covered()
    fold = covered.write(fold, "A", {"activate": {"unit": "N-Art105-III"}}, {"done": {}})
    fold = covered.until(fold, "B", "activation", covered.NEXT)
    fire = {"bombard": {"target": "G13", "guns": ["R-105V"]}}
    fold = covered.write(fold, "B", {"activate": {"unit": "R-105V"}}, fire)
    in_time, begun = covered.write(fold, "A"), len(fold.entries)
    assert [step["do"] for step in in_time.entries[-1].steps] == ["reveal", "list_tell", "fact"]
    own = covered.known(fold, "A")
    lay = sorted([own.face(tag), own.at(tag)] for tag in own.tags_of(N))
    fold = renewed(fold, "A", NEW)
    with signing(A=NEW):
        fold = covered.write(covered.write(fold, "B"), "A", {"put_back": {"units": lay}})
    assert [[step["do"] for step in entry.steps] for entry in fold.entries[begun + 2 :]] == [
        ["answer", "renew", "deck_commit", "reveal"], ["reveal"],
        ["deck_reply", "orders", "fact", "reveal"],
    ]  # fmt: skip
    said, again = ([each.order for each in one.told() if isinstance(each, FactSaid)]
                   for one in (in_time, fold))  # fmt: skip
    assert again == said == [{"strength": {"points": "7-9"}}]


@pytest.mark.rule("2.6")
def test_what_was_said_of_counters_is_told_before_new_secrets_are_offered(tmp_path: Path) -> None:
    """And the lists, each to who offers, in their language."""
    seats, told = mixed(), dict[str, list[str]]()
    while told.keys() != {"A", "B"}:
        practised(seats, IN_CLEAR)
        fold = seats.fold
        pen = str(fold.pen)
        lines = debts(seats.game, pen) if pen not in told and fold.phase == "running" else ()
        if sum("counters face down" in words(each) or "said of" in words(each) for each in lines):
            told[pen] = told_before_an_offer(tmp_path / pen, fold, pen)
    assert told["B"][0].startswith("new secrets let the Republican player out of this")
    assert told["B"][-1] == (
        "  the truth of what they said of 2 counters in H12: together more than two troop points, "
        "some that can attack"
    )
    assert told["A"][0].startswith("los secretos nuevos libran de esto al bando nacional")
    assert {
        "  su lista sellada de la entrada 16: las líneas que no se muestran (1 de 4) cuentan como "
        "vacías",
        "  la verdad de lo que dijo de 2 fichas en G12 y 1 ficha en Pindoque, orilla este (G13): "
        "sus puntos de tropa en total son 10+",
    } <= {*told["A"]}


@pytest.mark.rule("2.6")
def test_counters_that_were_shown_are_known_after_it_is_taken_back() -> None:
    """Nobody unsees them; what lay face down goes on lying there, and nobody is stuck."""
    seats = mixed()
    there, back = lying(seats), len(seats.fold.entries) - 1
    while len(lying(seats)) == len(there):
        practised(seats, IN_CLEAR)
    left = lying(seats)
    while seats.fold.pen != "B" or not seats.orders_wanted:
        practised(seats, IN_CLEAR)
    fold = write(seats.fold, "A", offer={"what": "takeback", "to": back, "known_randomness": True})
    seats.game = with_fold(write(fold, "B", answer=True))
    assert lying(seats).items() >= left.items() and seats.fold.phase == "running"
    assert is_proven(seats, "AB")


@pytest.mark.rule("2.6.1", "18")
def test_a_force_marker_and_a_mix_below_it_go_in_one_mail() -> None:
    """What is said of the mix is said of the stack under the marker, where the top hides too."""
    seats, hexes = Seats("desks", is_open=False), list[str]()
    while not hexes:
        practised(seats, IN_CLEAR)
        asked, position = seats.table.decision, seats.table.state.position
        if seats.orders_wanted and asked and asked.stage == "activation":
            able = hiding.groups(position.veiled(None), asked.side, ALL)
            hexes = [hex for hex in hiding.maskable(position, asked.side) if hex in able]
    there = position.stacks[hexes[0]]
    seats.mail(f"orders:\n  - mask: {{at: [{hexes[0]}]}}\n  - mix: {{at: all}}\n  - finish\n")
    table: Any = seats.game.table
    assert len(table.state.position.tags_at(hexes[0])) == len(there)
    assert table.state.position.down.facts, "and it is said what they come to"
    told = map(words, table.system.narration.summary(table.state.position))
    assert any("force markers" in each for each in told)


@pytest.mark.rule("2.6")
def test_who_puts_counters_back_is_offered_where_they_lay_by_name() -> None:
    """By the new tags in a view that does not know which are which."""
    both = table({"G05": "N-2Leg/5 N-1TirIf/5 N-Zap-III", "G06": "N-2Alh/6 N-Pz-1"})
    spots = (("G05", ("N-Zap-III", "N-1TirIf/5")), ("G06", ("N-Pz-1", "N-2Alh/6")))
    stage = PuttingBack(N, ("n/1/0", "n/1/1"), spots)
    faces = {"n/1/0": "N-Pz-1", "n/1/1": "N-Zap-III"}
    known = both.but(down=both.down.supposing(faces))
    for position, there in (
        (known, {"N-Pz-1": "G06", "N-Zap-III": "G05"}), (both, {"n/1/0": "G05", "n/1/1": "G06"}),
    ):  # fmt: skip
        asked = stage.ask(position)
        assert asked.default == PutBack(there)
        assert [each.order for each in asked.options[0].examples(every)] == [asked.default]


@pytest.mark.rule("2.6")
def test_new_tags_are_put_where_counters_lay_that_they_may_be() -> None:
    """A changed program puts them elsewhere; and what a view does not know it does not judge."""
    both = table({"G05": "N-2Leg/5 N-1TirIf/5 N-Zap-III", "G06": "N-2Alh/6 N-Pz-1"})
    position = both.but(down=both.down.supposing({"n/1/0": "N-Zap-III", "n/1/1": "N-Pz-1"}))
    spots = (("G05", ("N-Zap-III", "N-1TirIf/5")), ("G06", ("N-Pz-1", "N-2Alh/6")))
    stage = PuttingBack(N, ("n/1/0", "n/1/1"), spots)

    def why(**hexes: str) -> list[str]:
        order = PutBack({tag.replace("_", "/"): hex for tag, hex in hexes.items()})
        return [str(each.message) for each in stage.check(position, order)]

    assert why(n_1_0="G05", n_1_1="G06") == []
    many = "each hex needs as many counters face down as lay there"
    assert many in why(n_1_0="G05", n_1_1="G05") and many in why(n_1_0="G05")
    assert why(n_1_0="G05", n_1_1="G06", n_1_2="G06") == [many]
    swapped = why(n_1_0="G06", n_1_1="G05")
    assert len(swapped) == 2 and swapped[0].endswith("cannot have lain in G06")
