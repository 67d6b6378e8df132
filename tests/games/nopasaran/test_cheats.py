"""What a player with a changed program tries in ¡No Pasarán! with counters face down, and where it
comes to light: refused at once with its class, when a counter is shown, or by the audit.

What holds of counters and lists in any game is shown by tests/facedown/test_cheats.py; lists of
this one are in test_papers_by_mail.py.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from typing import Any
from unittest.mock import patch

import pytest

from pbem.cli.status import lines, plain
from pbem.engine.tags import is_tag
from pbem.gamefile.cards import RULE
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold
from pbem.gamefile.secrets import Secrets
from pbem.games.nopasaran.rules import hiding, zones
from pbem.messages import words
from pbem.play.debts import debts
from pbem.play.game import with_fold
from tests.gamefile.cheating import (
    Steps,
    audit,
    changed,
    given,
    head,
    opening,
    refused,
    secrets,
    without,
)
from tests.gamefile.players import KEYS, reveal, tried
from tests.gamefile.stacked import Stacking, stacker
from tests.games.nopasaran.covered import (
    FINISH,
    MIX,
    NEXT,
    Order,
    across_the_river,
    answered,
    blown,
    covered,
    evening,
    honest,
    known,
    over,
    tag,
    until,
    write,
)
from tests.games.nopasaran.face_down import GAME

NONCE = 11
"""With these dice A activates first on both days, and their cavalry finds out the types of G14."""
ACT: Order = {"activate": {"formation": "N-R5", "told": True}}


@cache
def morning() -> Fold:
    return covered(NONCE)


@cache
def tags() -> dict[str, str]:
    """The present tag of each counter face down."""
    found = {}
    for player in "AB":
        position = known(morning(), player)
        found |= {position.face(name): name for name in position.hexes if is_tag(name)}
    return {unit: name for unit, name in found.items() if unit}


def why(found: FileRefused) -> str:
    """What a player reads: why, in words that name no tag."""
    told = words((found.causes[0] if found.causes else found).message)
    assert not any(map(is_tag, told.replace(",", " ").split())), told
    return told


def signed(fold: Fold, player: str, *orders: Order) -> Steps:
    """An entry with just these orders, whatever its author's program would say."""
    return [*head(fold, player), given(*orders)]


def cheated(*orders: Order) -> Fold:
    """A's day with these orders, at the end of which nothing was found."""
    steps, number = signed(morning(), "A", ACT, *orders, FINISH), morning().machine.next_beacon
    try:
        return tried(morning(), "A", steps)
    except FileRefused as refusal:
        assert refusal.code == "E-NOREVEAL", why(refusal)
        return tried(morning(), "A", [*steps, reveal(morning(), "A", number)])


def moves(unit: str, *path: str, **said: Any) -> Order:
    """A move of a counter out of G13, by its tag, with what is said of it and of those that stay:
    the truth, but for what `said` has.
    """
    position = known(morning(), "A")
    stay = [name for name in position.tags_at("G13") if name != tags()[unit]]
    told = {tuple(each["units"]): each for each in said.pop("zones", ())}
    for group in ((tags()[unit],), tuple(stay)):
        so = zones.said_of(position, map(position.face, group))
        told.setdefault(group, {"units": list(group), "zone": so})
    said["zones"] = [*told.values()]
    return {"move": {"units": [tags()[unit]], "path": list(path), **said}}


def come_to(so: str) -> str:
    """What is said of counters, as a player reads it."""
    return words(zones.in_words(so))


def says(so: str, *units: str) -> dict[str, Any]:
    """That units, by their tags, come to this."""
    return {"zones": [{"units": sorted(tags().get(unit, unit) for unit in units), "zone": so}]}


def found_by_audit(fold: Fold, player: str) -> FileRefused:
    """Why the audit of a player is refused, when somebody has resigned."""
    fold = over(fold, player)
    found = refused(fold, player, [audit(fold, player)])
    assert found.code == "E-AUDIT" and found.by in (player, None)
    return found


def attacked(fold: Fold, player: str, *orders: Order) -> Fold:
    """The fold when the enemy attacks: all in that hex have to be shown."""
    other = "B" if player == "A" else "A"
    fold = write(until(fold, other, "activation", NEXT), other, *orders)
    assert fold.locked is not None and fold.pen == player
    return fold


def shown(fold: Fold, player: str) -> Steps:
    """The head of a player who shows all they are asked for."""
    hidden = [owed.what for owed in fold.owed if owed.code == "open"]
    hex = fold.in_play.state.position.at(hidden[0])
    all_there = fold.in_play.state.position.tags_at(hex)
    return [reveal(fold, player, fold.locked), *(opening(fold, player, each) for each in all_there)]


# ------------------------------------------------------------------- orders


def move(*units: str, **more: Any) -> Order:
    return {"move": {"units": list(units), "path": ["F13"], **more}}


def rows() -> Iterator[tuple[str, list[Order], str]]:
    """What is tried, in orders of A after N-R5 is activated, and what it is told."""
    at = tags()
    leg, sappers, tanks = at["N-2Leg/5"], at["N-Zap-III"], at["N-Pz-1"]
    nowhere = "there is no such counter face down"
    yield "invented", [move("n/1/8")], nowhere
    yield "of no epoch", [move("n/7/0")], nowhere
    yield "doubled", [move(leg, leg)], "a counter in Pindoque, orilla este (G13) is named twice"
    yield "in two hexes", [move(leg, at["N-2Alh/6"])], "the units are in different hexes: G13, H12"
    yield "an enemy by tag", [move(at["R-77/12"])], (
        "no unit could do this that a counter in G14 may be"
    )  # fmt: skip
    yield "an enemy by name", [move("R-77/12")], (
        "77 mm battery, XII BI (R-77/12) is Republican, and you are the Nationalist player"
    )  # fmt: skip
    yield "teleported", [{"move": {"units": [leg], "path": ["E13"]}}], (
        "no unit could do this that a counter in Pindoque, orilla este (G13) may be"
    )  # fmt: skip
    yield "fires unseen", [{"bombard": {"target": "G14", "guns": ["n/1/99"]}}], (
        "there is no such counter face down"
    )  # fmt: skip
    others = "this says something of others than your counters face down"
    for what, units in (("of nobody", []), ("of the enemy", [at["R-105V"]]),
                        ("of nothing", ["n/1/9"])):  # fmt: skip
        yield f"a zone {what}", [move(leg, zones=[{"units": units, "zone": "3 foot"}])], others
    for so, units in (("3 vehicles", [leg]), ("2 foot", [leg]), ("3", [leg]), ("1 dragon", [tanks]),
                      ("1 none", [sappers, tanks]), ("a b c", [sappers, tanks])):  # fmt: skip
        yield f"a zone of {so}", [move(leg, zones=[{"units": sorted(units), "zone": so}])], (
            f"these counters cannot come to {come_to(so)}"
        )  # fmt: skip
    twice = [{"units": [sappers, sappers], "zone": "3 foot"}]
    yield "a zone of one twice", [move(leg, zones=twice)], "a counter is named twice"
    whole = [{"units": sorted([leg, sappers, tanks]), "zone": "3 vehicles"}]
    yield "a zone of all that were mixed", [{"move": {"units": ["N-1TirIf/5"], "path": ["F13"],
                                                      "zones": whole}}], (
        f"these counters come to {come_to('3 foot')}, not {come_to('3 vehicles')}"
    )  # fmt: skip
    both = sorted([leg, sappers])
    for other in ([leg], both):
        twice = [{"units": [leg], "zone": "3 foot"}, {"units": other, "zone": "3 foot"}]
        yield "two zones of one", [move(leg, zones=twice)], "of a counter it is said twice"
    for before, so, units, now in (
        ([leg], "3 foot", both, "2 engineers"), (both, "2 engineers", [leg], "3 foot"),
        ([leg], "1 engineers", both, "2 vehicles"),
    ):  # fmt: skip
        first = move("N-1TirIf/5", zones=[{"units": before, "zone": so}])
        then = move(leg, zones=[{"units": units, "zone": now}])
        yield "zones that cannot both be", [first, then], (
            f"{come_to(now)} contradicts {come_to(so)}, which was said of some of these counters "
            "or of more"
        )  # fmt: skip
    yield "the enemy's top", [move(leg, top=[[at["R-105V"], "R-1BB"]])], others
    yield "a top of others", [move(leg, top=[[leg, "N-R6"]])], (
        "a counter in Pindoque, orilla este (G13) cannot be of Regimiento 6 (III Brigada) (N-R6)"
    )  # fmt: skip
    at_once = {"mix": {"at": ["G13"]}}
    yield "a part of a mix", [at_once, move("n/2/0")], (
        "no unit could do this that a counter in Pindoque, orilla este (G13) may be"
    )  # fmt: skip
    away = {"move": {"units": ["N-1TirIf/5"], "path": ["F13"]}}
    part = "of counters that were mixed today only all together can be spoken of"
    for said in ({"zones": [{"units": ["n/2/0", "n/2/1"], "zone": "3 foot"}]},
                 {"top": [["n/2/0", "N-III-NTD"]]}):  # fmt: skip
        yield "said of a part of a mix", [at_once, {"move": {**away["move"], **said}}], part
    yield (
        "a second mix",
        [at_once, {"mix": {"at": ["H12"]}}],
        ("you have mixed counters today, and nobody mixes twice a day"),
    )
    none = "there are no two counters to mix in {}"
    yield "the enemy mixed", [{"mix": {"at": ["G14"]}}], none.format("G14")
    yield "one alone mixed", [{"mix": {"at": ["H13"]}}], none.format("H13")
    yield "headquarters mixed", [{"mix": {"at": ["H09"]}}], none.format("H09")
    lie = [{"units": ["n/2/0", "n/2/1", "n/2/2"], "zone": "3 none"}]
    yield "a mix with a false zone", [{"mix": {"at": ["G13"], "zones": lie}}], (
        f"these counters come to {come_to('3 foot')}, not {come_to('3 none')}"
    )  # fmt: skip
    where = "Pindoque, orilla este (G13)"
    for hex, told in (("G13", f"{where} is in an enemy zone of control"),
                      ("H09", "only headquarters are in H09"),
                      ("G14", "none of your units is in G14")):  # fmt: skip
        yield f"a force marker on {hex}", [{"mask": {"at": [hex]}}], told
    yield "a marker too many", [{"mask": {"at": ["H10"]}}, {"mask": {"at": ["H12"]}}], (
        "that is more force markers than there are: 1"
    )  # fmt: skip


def test_orders_that_no_counters_could_carry_out_are_refused_at_once() -> None:
    """Each is E-ORDER in everybody's view, with words that a player understands."""
    with patch.object(hiding, "markers", lambda position: 1):
        for what, orders, told in rows():
            found = refused(morning(), "A", signed(morning(), "A", ACT, *orders))
            assert (found.code, why(found)) == ("E-ORDER", told), what
            assert f"order {1 + len(orders)} " in words(found.message), what


@pytest.mark.parametrize(
    ("order", "told", "in_time"),
    [
        (partial(moves, "N-Zap-III", "F13"),
         "Sapper company, III Bda (N-Zap-III) is not activated",
         "N-Zap-III cannot have done what this counter did"),
        (lambda: moves("N-2Leg/5", "F13", **says("1 engineers", "N-2Leg/5")),
         f"these counters come to {come_to('3 foot')}, not {come_to('1 engineers')}",
         f"what was said of the counters is not true: together {come_to('1 engineers')}"),
        (lambda: moves("N-2Leg/5", "F13", top=[[tags()["N-2Leg/5"], "N-III-NTD"]]),
         "II Bandera (N-2Leg/5) cannot be of Support troops III Brigada (N-III-NTD)",
         "N-2Leg/5 cannot have done what this counter did"),
        (lambda: moves("N-2Leg/5", "G12", **says("3 foot", "N-Zap-III", "N-Pz-1")),
         f"these counters come to {come_to('2 engineers')}, not {come_to('3 foot')}",
         f"what was said of the counters is not true: together {come_to('3 foot')}"),
    ],
)  # fmt: skip
def test_what_a_counter_could_not_do_or_be_is_found_when_it_is_shown_or_by_the_audit(
    order: Any, told: str, in_time: str
) -> None:
    """Sappers march as if they were of the regiment; a false zone of one and of two; a false
    formation on top.
    """
    fold = cheated(order())
    assert why(found_by_audit(fold, "A")) == told
    target = "F13" if fold.in_play.state.position.at(order()["move"]["units"][0]) == "F13" else (
        "G13"
    )  # fmt: skip
    attack = {"hex": target, "from": [["G14", ["R-AMarty/12"]]], "advance": "none"}
    fold = attacked(fold, "A", {"activate": {"formation": "R-12BI"}}, {"attack": attack})
    found = refused(fold, "A", shown(fold, "A"))
    assert (found.code, why(found)) == ("E-PIECE", in_time)


def test_a_march_leaves_no_zone_unsaid_for_later() -> None:
    """Else its author could put a zone out, and back when an enemy stands in it."""
    silent = move(tags()["N-2Leg/5"])
    found = refused(morning(), "A", signed(morning(), "A", ACT, silent, FINISH))
    assert (found.code, why(found)) == ("E-POLICY", "ends without fact zones")


@pytest.mark.rule("9")
def test_what_is_said_of_a_part_puts_out_no_zone_of_all() -> None:
    """It is as true as what was said of all of them, and less."""
    sappers = [{"units": [tags()["N-Zap-III"]], "zone": "1 engineers"}]
    march = {"move": {"units": ["N-1TirIf/5"], "path": ["F13"], "zones": sappers}}
    fold = cheated(march)
    assert zones.reached(fold.in_play.state.position, "G13")


def test_a_hex_that_holds_too_much_with_counters_face_down_is_found_by_the_audit() -> None:
    """Nobody else could see that it has to be cleared, so its player's program lets none in."""
    told = "H12 would hold too many troop points, some of them face down"
    with pytest.raises(FileRefused) as caught:
        write(morning(), "A", ACT, {"move": {"units": ["N-2Leg/5"], "path": ["H12"]}}, FINISH)
    assert why(caught.value) == told
    assert why(found_by_audit(cheated(moves("N-2Leg/5", "H12")), "A")) == told


# ------------------------------------------------------------------- mixes


@pytest.mark.parametrize("groups", [[6, 2], [3, 5], [8], [2, 3, 3]])
def test_a_mix_over_two_hexes_is_refused(groups: list[int]) -> None:
    """All of three hexes are mixed, each by itself; the commitment says otherwise."""
    steps = honest(evening(NONCE), "A", MIX, FINISH)
    (commit,) = (step for step in steps if step["do"] == "deck_commit")
    assert commit["groups"] == [3, 3, 2]
    wrong = changed(steps, "deck_commit", lambda step: {**step, "groups": groups})
    found = refused(evening(NONCE), "A", wrong)
    assert (found.code, found.rule, why(found)) == ("E-DECK", RULE, "deck n/1 has other cards")


def test_guns_that_have_fired_are_in_no_mix() -> None:
    fire = [{"activate": {"unit": "N-Art75-III"}},
            {"bombard": {"target": "G14", "guns": ["N-Art75-III"]}}, {"done": {}}]  # fmt: skip
    fold = until(write(evening(NONCE), "A", *fire), "A", "activation", NEXT - 1)
    found = refused(fold, "A", signed(fold, "A", {"mix": {"at": ["H10"]}}))
    assert (found.code, why(found)) == ("E-ORDER", "there are no two counters to mix in H10")
    (commit,) = (step for step in honest(fold, "A", MIX, FINISH) if step["do"] == "deck_commit")
    assert "N-Art75-III" not in commit["cards"] and commit["groups"] == [3, 3]


def teleported(cards: tuple[str, ...]) -> tuple[str, ...]:
    """A layout in which two counters of different hexes have changed places."""
    return (cards[3], *cards[1:3], cards[0], *cards[4:])


def doubled(cards: tuple[str, ...]) -> tuple[str, ...]:
    """A layout in which one counter lies twice in its hex."""
    return (cards[1], *cards[1:])


def layer(layout: Any, *trials: int) -> type[Secrets]:
    """The secrets of a program of A whose mixes are laid otherwise in these trials."""

    def change(cards: tuple[str, ...]) -> tuple[str, ...]:
        changed: tuple[str, ...] = layout(cards)
        return changed if cards[0].startswith("N-") else cards

    return stacker(Stacking(frozenset(trials), change))


def next_day(cheat: type[Secrets]) -> Fold:
    """The next morning, if A has mixed with such a program."""
    with (
        patch("pbem.gamefile.draft.Secrets", cheat),
        patch("pbem.gamefile.prospect.Secrets", cheat),
    ):
        return until(evening(NONCE), "A", "activation", NEXT)


@pytest.mark.parametrize("layout", [teleported, doubled])
def test_a_mix_that_moves_a_counter_to_another_hex_or_doubles_it_is_found(layout: Any) -> None:
    """At the reply, but for one trial of 16; else when it is shown, and by the audit."""
    (bound,) = (each for each in morning().machine.hidden.decks if each.name == "n/1")
    assert bound.trial is not None
    with pytest.raises(FileRefused) as caught:
        next_day(layer(layout, (bound.trial + 1) % 16))
    assert (caught.value.code, caught.value.rule) == ("E-DECK", RULE)
    fold = next_day(layer(layout, bound.trial))
    theirs = layer(layout, bound.trial)("A", secrets(fold, "A").game)
    there = [theirs.open(fold.machine.hidden.decks, f"n/1/{place}") for place in (0, 1)]
    found = refused(fold, "A", [*head(fold, "A"), *there])
    assert (found.code, found.rule) == ("E-DECK", RULE)
    assert "is twice in deck n/1, or does not belong in it" in words(found.message)
    assert "deck n/1 was not made from the secret" in words(found_by_audit(fold, "A").message)


# ------------------------------------------------------------------- showings


ATTACK: tuple[Order, ...] = (
    {"activate": {"formation": "N-R5"}},
    {"attack": {"hex": "G14", "from": [["G13", ["N-1TirIf/5"]]], "support": "none",
                "advance": "none"}},
)  # fmt: skip


def test_all_who_are_attacked_are_shown_and_nobody_else() -> None:
    """In the head, each once, those that came; of G15 nobody asks."""
    fold = attacked(morning(), "B", *ATTACK)
    steps = shown(fold, "B")
    first, second, third = steps[1:]
    beside = opening(fold, "B", tags()["R-105V"])
    must = "a counter in G14 must be shown first"
    for wrong, code, told in (
        (steps[:1], "E-CARD", "ends without the showing of a counter in G14"),
        (steps[:3], "E-CARD", "ends without the showing of a counter in G14"),
        ([steps[0], beside], "E-CARD", must),
        ([*steps[:2], first], "E-CARD", must),
        ([*steps[:3], {**third, "pos": second["pos"]}], "E-CARD",
         must),
        ([steps[0], {**first, "card": "R-105V"}], "E-OPEN",
         "what is shown of a counter in G14 is not what was sealed"),
        ([*steps[1:], steps[0]], "E-NOREVEAL", ""),
    ):  # fmt: skip
        found = refused(fold, "B", wrong)
        assert found.code == code and told in words(found.message), words(found.message)


def test_a_counter_that_was_mixed_again_is_not_shown_by_its_older_tag() -> None:
    again = (MIX, FINISH)
    fold = until(morning(), "A", "activation", NEXT + 1, activation=again)
    assert tag(fold, "A", "N-2Leg/5").startswith("n/2/")
    old = opening(fold, "A", tags()["N-2Leg/5"])
    found = refused(fold, "A", [*head(fold, "A"), old])
    assert (found.code, words(found.message)) == (
        "E-CARD",
        "a unit of deck n/1 is not for player A to show: it is not theirs, or is known already",
    )


# ------------------------------------------------------------------- who counts for dice


@pytest.mark.parametrize(
    ("asked", "player", "right", "wrong", "beside", "none"),
    [(partial(answered, NONCE), "A", "N-Art105-III", "N-ACeu/5", "N-2Leg/5", "it is no gun"),
     (partial(blown, NONCE), "B", "R-Zap-1", "R-77/12", "R-105V", "it is no engineer unit")],
)  # fmt: skip
def test_who_counts_for_dice_is_named_among_those_that_may_and_held_to_by_the_audit(
    asked: Any, player: str, right: str, wrong: str, beside: str, none: str
) -> None:
    """Whoever hides guns or engineers is found, at the latest by the audit: they may know the die.
    What stays face down is none from then on, and before new secrets that is named.
    """
    fold, steps = asked(), honest(asked(), player)
    tag_of = partial(tag, across_the_river(NONCE), player)
    assert [step["do"] for step in steps] == ["reveal", "fact", "open"]
    assert steps[1]["order"] == {"say_who": {"units": [tag_of(right)]}}

    def says_and_shows(*units: str, shows: bool = True) -> Steps:
        fact = {**steps[1], "order": {"say_who": {"units": list(units)}}}
        there = [unit for unit in units if shows and is_tag(unit)]
        return [steps[0], fact, *(opening(fold, player, unit) for unit in there)]

    none_of = "is not among those shown here"
    for units, why_not in (
        (("n/1/99",), "there is no such counter face down"),
        ((tag_of(beside),), none_of),
        ((right,), none_of),
        ((tag_of(right), tag_of(right)), none_of),
    ):
        found = refused(fold, player, says_and_shows(*units, shows=False))
        assert found.code == "E-ORDER" and why_not in why(found), units
    hidden = refused(fold, player, says_and_shows(tag_of(right), shows=False))
    assert hidden.code == "E-CARD" and "ends without the showing of" in words(hidden.message)
    unsaid = refused(fold, player, without(steps, "fact", "open"))
    assert (unsaid.code, why(unsaid)) == ("E-POLICY", "ends without fact who")
    other = refused(fold, player, says_and_shows(tag_of(wrong)))
    assert other.code == "E-PIECE" and why(other).startswith(f"{wrong} cannot have done")
    silent = tried(fold, player, says_and_shows())
    told = [words(each) for each in debts(with_fold(silent), player)]
    assert any(each.endswith(none) for each in told)
    state: Any = silent.in_play.state
    assert GAME.pieces.misfit(state, tag_of(right), right), "nor can it be shown any more"
    assert "has to be shown" in why(found_by_audit(silent, player))


# ------------------------------------------------------------------- reports


SCOUT: tuple[Order, ...] = (
    {"activate": {"formation": "N-CAB"}},
    {"scout": {"unit": "N-Cab-1", "hex": "G14"}},
)


@cache
def scouted() -> Fold:
    """A's cavalry has looked into G14: B has to tell the points and the types of three counters."""
    return attacked(morning(), "B", *SCOUT)


@cache
def scouted_later() -> Fold:
    """The same behind a march of B's battery out of G14: of the two counters that stay there, as a
    set, only B knows. The lot shows one of them.
    """
    fold = write(morning(), "A", {"activate": {"unit": "N-Art105-III"}}, {"done": {}})
    march = {"move": {"units": ["R-77/12"], "path": ["G15"]}}
    fold = until(fold, "B", "activation", NEXT)
    fold = write(fold, "B", {"activate": {"formation": "R-12BI"}}, march, {"done": {}})
    return attacked(fold, "B", *SCOUT)


def reported(*told: Any, verb: str = "report", fold: Fold | None = None) -> Steps:
    """B's head, with this report: hexes, each with points and types."""
    hexes = [[hex, {"points": points, "types": list(types)}] for hex, points, *types in told]
    order = {verb: {"hexes": hexes} if verb == "report" else {}}
    return changed(honest(fold or scouted(), "B"), "fact", lambda step: {**step, "order": order})


def test_a_report_tells_of_each_counter_what_it_may_be() -> None:
    steps = honest(scouted(), "B")
    assert steps[-1] == reported(("G14", 6, "artillery", "engineer", "infantry"))[-1]
    each_hex = "a report tells of each hex that was looked at"
    all_types = "the types of all counters face down in G14 are told, or of none"
    strange = "the counters face down in G14 cannot be of these types"
    for told, why_not in (
        ([("G14", 5, "engineer", "infantry")], all_types),
        ([("G14", 6)], all_types),
        ([("G14", 7, "artillery", "engineer", "infantry", "infantry")], all_types),
        ([("G14", 6, "artillery", "headquarters", "infantry")], strange),
        ([("G14", 6, "artillery", "infantry", "tank")], strange),
        ([("G14", 6, "artillery", "artillery", "infantry")], strange),
        ([("G14", 6, "infantry", "engineer", "artillery")],
         "types are told by the alphabet: their order tells nothing"),
        ([("G14", 5, "artillery", "engineer", "infantry")],
         "the troop points of what lies face down in G14 cannot be 5"),
        ([], each_hex),
        ([("G15", 2, "artillery", "tank")], each_hex),
        ([("G14", 6, "artillery", "engineer", "infantry"), ("G15", 2, "artillery", "tank")],
         each_hex),
    ):  # fmt: skip
        found = refused(scouted(), "B", reported(*told))
        assert (found.code, why(found)) == ("E-ORDER", why_not), told
    found = refused(scouted(), "B", without(steps, "fact"))
    assert (found.code, why(found)) == ("E-POLICY", "ends without fact report")
    assert refused(scouted(), "B", reported(verb="show")).code == "E-ORDER"
    found = refused(morning(), "A", [*head(morning(), "A"), steps[-1]])
    assert (found.code, why(found)) == ("E-POLICY", "no fact is owed")


def test_a_report_that_could_be_and_is_not_so_is_found_when_all_are_shown_or_by_the_audit() -> None:
    """B tells of a battery in place of the sappers, so that guns seem to stand there."""
    told = reported(("G14", 2, "artillery"), fold=scouted_later())
    fold = tried(scouted_later(), "B", told)
    assert "G14 cannot be of these types" in why(found_by_audit(fold, "B"))
    fight = {"attack": {"hex": "G14", "from": [["H13", ["N-Cab-1"]]], "advance": "none"}}
    fold = write(fold, "A", fight)
    found = refused(fold, "B", shown(fold, "B"))
    not_so = "E-PIECE", "R-Zap-1 cannot have done what this counter did"
    assert (found.code, why(found)) == not_so
    # Their own program cannot go on, and says what can still be done.
    with pytest.raises(FileRefused) as stuck:
        write(fold, "B")
    assert (stuck.value.code, why(stuck.value)) == not_so
    assert "to offer a take-back" in words(stuck.value.hint)
    game = with_fold(fold)
    (told,) = plain(game, KEYS["B"])["you"]["stuck"]
    assert (told["code"], told["message"]) == not_so and "offer a take-back" in told["hint"]
    assert [*map(words, lines(game, KEYS["B"]))][-2:] == [
        f"your next mail cannot be written: {not_so[1]}", f"  hint: {told['hint']}",
    ]  # fmt: skip
    assert "stuck" not in plain(game, KEYS["A"])["you"]
    assert write(fold, "B", resign=True).phase == "over"
    offer = {"what": "takeback", "to": max(fold.machine.agreements.quiet), "known_randomness": True}
    assert write(write(fold, "A", offer=offer), "B", answer=True).phase == "running"
