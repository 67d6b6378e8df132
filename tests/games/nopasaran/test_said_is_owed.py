"""2.6: what was said of counters that still lie face down is named before new secrets are offered:
in battles by mail, by all that their authors' programs have signed.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest

from pbem.engine.tags import is_tag
from pbem.gamefile.journal import FactSaid, Ordered
from pbem.games.nopasaran import events as e
from pbem.games.nopasaran.position import Position
from pbem.games.nopasaran.rules.naming import formation_called
from pbem.messages import words
from pbem.play.debts import debts
from tests.games.nopasaran.by_mail import Seats, practised
from tests.games.nopasaran.face_down import GAME
from tests.games.nopasaran.table import N, R
from tests.games.nopasaran.test_reports import game_of
from tests.play.test_debts import named

Fact = tuple[frozenset[str], str]
"""Counters, and what was said of them."""


def said(line: FactSaid | Ordered) -> Iterator[Fact]:
    """The facts of an order, as it was signed."""
    state = line.before.state  # type: ignore[attr-defined]
    ((verb, order),) = ((verb, each) for verb, each in line.order.items() if verb != "when")
    if not isinstance(order, Mapping):
        return
    if verb == "strength":
        yield frozenset(state.position.stacks[state.agenda[-1].hex]), order["points"]
    if verb == "report":
        for hex, told in order["hexes"]:
            tags = frozenset(state.position.tags_at(hex))
            yield tags, str(told["points"])
            if told["types"]:
                yield tags, " ".join(told["types"])
    for each in order.get("zones", ()):
        yield frozenset(each["units"]), each["zone"]
    for unit, formation in order.get("top", ()):
        yield frozenset([unit]), formation


def still_hidden(seats: Seats, player: str) -> set[Fact]:
    """What a player has said of counters that were neither mixed nor all shown since."""
    position: Position = seats.table.state.position  # type: ignore[assignment]
    found = set()
    for line in seats.fold.told():
        if isinstance(line, FactSaid | Ordered) and line.by == player:
            for tags, what in said(line):
                now = frozenset(map(position.down.present, tags))
                if any(map(is_tag, now)) and now <= position.hexes.keys():
                    found.add((now, what))
    return found


@pytest.mark.rule("2.6")
def test_each_fact_is_named_as_long_as_its_counters_lie_face_down() -> None:
    """What is to be said, what holds, and what held until something changed."""
    seats, seen = Seats("said", is_open=False), set[str]()
    owed = set[str]()
    while seats.fold.phase == "running":
        practised(seats)
        if seats.fold.phase != "running":
            break
        down = seats.table.state.position.down  # type: ignore[attr-defined]
        kept = {(frozenset(each.tags), str(each.said)) for each in (*down.facts, *down.earlier)}
        for player in "AB":
            seen_by_them = {*seats.table.looks_at(player)}
            lists = [each for each in seats.fold.machine.hidden.lists if each.by == player]
            for name in {each.name for each in lists}:  # a take-back learns from here what was told
                assert f"{[one.slot for one in lists if one.name == name][-1]}/1" in seen_by_them
            facts = still_hidden(seats, player)
            assert facts <= kept
            told = {*map(words, debts(seats.game, player))}
            assert sum("what they said" in each for each in told) >= len({so for _, so in facts})
            seen, owed = seen | told, owed | named(seats.game, player)
    assert owed >= {"reveal", "deck_reply", "open", "list_tell", "fact"}
    for end in (
        "what only they can say of counters face down: tell what reconnaissance has found out",
        "said of 2 counters in G12: together more than two troop points, some that can attack",
        "said of 3 counters in G11: their troop points together are 7-9",
        "said of 2 counters in G12: together about 6 troop points",
        "said of 3 counters in Pindoque, orilla este (G13): their types are cavalry, engineers, "
        "infantry",
        "said earlier of counters that now lie in G12 and G11: their troop points together are 7-9",
    ):
        assert any(each.endswith(end) for each in seen), end


@pytest.mark.rule("2.6")
def test_the_formation_of_who_lies_on_top_is_named_too() -> None:
    game, tags = game_of("R-CG-19B R-1/19 R-2/19")
    position = e.FormationSaid(tags["R-2/19"], "R-19B").apply(game.state.position)
    (told,) = GAME.pieces.said(position, R)
    assert (told.places, words(told.what), told.holds) == (
        ("C13",), f"of {words(formation_called(position, 'R-19B'))}", False,
    )  # fmt: skip
    assert GAME.pieces.said(position, N) == ()
