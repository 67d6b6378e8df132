"""What a day costs in mails, and what can be said ahead in the morning."""

from __future__ import annotations

from functools import cache

import pytest

from pbem.gamefile.journal import Answered, Dropped
from pbem.messages import words
from pbem.orders.parse import parse
from pbem.play.dry_run import DryRun, dry_run
from pbem.problems import Refused
from pbem.text.source import Source
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats

BATTLE = """orders:
  - activate: {division: N-III}
  - bombard: {target: G13, guns: [N-Art105-III]}
  - attack: {hex: G13, from: {G12: [N-1TirIf/5]}, support: none, advance: none}
  - done
standing:
  counterbattery: always
"""

MORNING = "orders:\n  - assign: none\n  - fly: none\n"


def test_a_morning_is_three_mails_and_the_third_needs_no_orders() -> None:
    """One seals, the other seals and tells, the first tells and locks the dice of the morning."""
    seats = Seats("a morning")
    begun = len(seats.fold.entries)
    seats.mail(MORNING)
    orders = "orders:\n  - assign: none\n  - fly: {missions: {N-Ro37: {reco: F14}}}\n"
    file = parse(Source("orders.yaml", orders), seats.table.system.verbs)
    checked = dry_run(seats.game, KEYS[seats.pen], file)
    assert str(checked.stopped) == "then the secret choices of both sides are shown"
    seats.mail(orders)
    assert not seats.orders_wanted
    seats.mail()
    assert [seats.steps(at) for at in range(begun, begun + 3)] == [
        ["seal", "seal"], ["seal", "seal", "tell", "tell"], ["tell", "tell", "reveal"],
    ]  # fmt: skip
    assert seats.orders_wanted, "the dice and the first activation are one mail"


@pytest.mark.parametrize("first_in_two", [False, True])
@pytest.mark.parametrize("second_in_two", [False, True])
def test_all_is_sealed_before_anything_is_told(first_in_two: bool, second_in_two: bool) -> None:
    """In whatever mails it is written."""
    seats = Seats("halves")
    begun = len(seats.fold.entries)
    for in_two in (first_in_two, second_in_two):
        player = seats.pen
        halves = ("orders:\n  - assign: none\n", "orders:\n  - fly: none\n")
        for text in halves if in_two else (MORNING,):
            assert seats.pen == player
            seats.mail(text)
    seats.mail()
    steps = [step for at in range(begun, len(seats.fold.entries)) for step in seats.steps(at)]
    assert steps == ["seal"] * 4 + ["tell"] * 4


def test_what_stands_behind_the_last_secret_order_is_told_to_wait_for_both_sides() -> None:
    seats = Seats("too early")
    early = MORNING + "  - activate: {formation: R-23B}\n  - done\n"
    with pytest.raises(Refused) as refused:
        seats.mail(early)
    (problem,) = refused.value.problems
    assert "first the secret choices of both sides are shown" in str(problem.message)


def test_a_whole_activation_is_one_mail_and_its_attacker_says_the_rest_openly() -> None:
    """The sealed standing orders of the attacker stay sealed: their own part lies open."""
    seats = Seats("an activation")
    for _ in range(2):
        seats.mail(MORNING)
    seats.mail()
    assert seats.pen == "A", "the Nationalists begin, without a die"
    sealed = seats.mail(BATTLE)
    assert seats.steps()[-1] == "reveal"
    seats.mail()
    assert not sealed.fold.given(seats.pen), "nothing of it is left"


def test_a_finish_that_comes_too_late_is_said_to_be_the_turn_of_the_other_side() -> None:
    """The initiative went over with the dice; "not needed" would be no reason."""
    seats = Seats("over")
    for text in (MORNING, MORNING, ""):
        seats.mail(text)
    seats.mail("orders:\n  - activate: {division: N-III}\n  - done\n  - finish\n")
    while not (found := [each for each in seats.fold.told() if isinstance(each, Dropped)]):
        seats.mail()
    assert [each.asked for each in found] == ["B"]


@cache
def activating(*, is_open: bool = True) -> Seats:
    """The Nationalists, about to write their first activation; nobody writes to it any more."""
    seats = Seats("an activation", is_open=is_open)
    for text in (MORNING, MORNING, ""):
        seats.mail(text)
    return seats


ATTACK = "hex: G13, from: {G12: [N-1TirIf/5, N-Zap-III]}, type: prepared, primary: N-1TirIf/5"
NOW, AFTER = "as things are now, ", "after the orders before it, "


@pytest.mark.parametrize("attacks, told", [
    ([f"{ATTACK}, support: none"], []),
    ([ATTACK.replace("G13", "F14", 1)], [("hex", "12.1", NOW + "no enemy is in F14")]),
    ([ATTACK.replace("N-Zap-III", "N-SFrn/6")], [("N-SFrn/6", "12.1", NOW)]),
    ([f"{ATTACK}, support: {{air: [N-Ju52-1]}}"], [("N-Ju52-1", "7.3.2", NOW)]),
    ([f"{ATTACK}, advance: {{units: [N-SFrn/6]}}"], [("N-SFrn/6", "12.3.2", NOW)]),
    ([ATTACK.replace("G12", "H12")], [("N-1TirIf/5", "12.1", NOW), ("N-Zap-III", "12.1", NOW)]),
    ([f"{ATTACK}, support: none, advance: none"] * 2,
     [("N-1TirIf/5", "5.5", AFTER), ("N-Zap-III", "5.5", AFTER)]),
])  # fmt: skip
def test_what_no_dice_can_make_legal_behind_the_first_roll_is_a_warning(
    attacks: list[str], told: list[tuple[str, str, str]]
) -> None:
    """At its place, with its rule and a way out, and in place of the line without odds."""
    seats = activating()
    lines = ["activate: {division: N-III}", "bombard: {target: G13, guns: [N-Art105-III]}",
             *(f"attack: {{{each}}}" for each in attacks), "done"]  # fmt: skip
    text = "orders:\n" + "".join(f"  - {line}\n" for line in lines)
    file = parse(Source("o.yaml", text), seats.table.system.verbs)
    checked = dry_run(seats.game, KEYS[seats.pen], file)
    found = checked.warnings
    assert [each.rule for each in found] == [rule for _, rule, _ in told]
    for warning, (word, _, message) in zip(found, told, strict=True):
        assert warning.code == "may-lapse" and words(warning.hint)
        assert words(warning.message).startswith(message)
        assert warning.span is not None
        assert word in warning.span.excerpt[warning.span.column - 6 :][: len(word) + 6]
    said = [words(each) for each in checked.sentences()]
    assert not any("odds are not known" in each for each in said)
    assert len([each for each in said if each.startswith("      hint: ")]) == len(told)


BEHIND_DONE = """\
orders:
  - activate: {division: N-III}
  - move: {units: [N-2Leg/5], path: [G12]}
  - done
  - activate: {formation: N-CAB}
  - done
"""


def test_behind_done_an_activation_is_said_ahead_and_no_mix() -> None:
    """The program writes who acts, so it does not lapse. What those come to who are mixed it cannot
    write before the dice; a mix is legal in front of them.
    """
    seats = activating(is_open=False)

    def checked(text: str) -> DryRun:
        file = parse(Source("o.yaml", text), seats.table.system.verbs)
        return dry_run(seats.game, KEYS[seats.pen], file)

    assert not checked(BEHIND_DONE).warnings
    for ahead in ("", ", when: {day: 2+}"):
        with pytest.raises(Refused) as refused:
            checked(f"{BEHIND_DONE}  - {{mix: {{at: all}}{ahead}}}\n  - finish\n")
        (found,) = refused.value.problems
        assert found.span is not None and found.span.line == 7 and found.rule == "2.6"
        assert words(found.message).startswith("counters cannot be mixed behind dice")
        assert "write it before the order that needs dice" in words(found.hint)
    mixed = BEHIND_DONE.replace("orders:\n", "orders:\n  - mix: {at: [H09]}\n")
    assert not checked(mixed).warnings
    with pytest.raises(Refused) as refused:
        checked(mixed.replace("[H09]", "all"))
    (found,) = refused.value.problems
    assert found.span is not None and found.span.line == 4 and found.rule == "2.6"
    assert words(found.message) == (
        "II Bandera (N-2Leg/5) was mixed with others today: until the evening nobody knows which "
        "counter it is"
    )
    assert words(found.hint) == "mix after its orders, or in other hexes"


EVENING = "standing:\n  counterbattery: never\n  works: fortification\n"


def test_what_is_built_in_the_evening_is_said_openly_and_costs_no_mail() -> None:
    """From the file of standing orders, too: the sealed word for it stays sealed."""
    seats = Seats("an evening")
    for _ in range(2):
        seats.mail(MORNING + EVENING)
    while seats.table.state.position.day < 2:
        seats.mail("orders:\n  - finish\n" if seats.orders_wanted else "")
    told = [each for each in seats.fold.told() if isinstance(each, Answered)]
    assert [each.slot for each in told] == ["own", "own"]
    assert all(each.read.plain["build"] for each in told)
    position = seats.table.state.position
    assert {*position.works.values()} >= {"fortification"}
    assert not any(kind == "unseal" for at in range(len(seats.fold.entries))
                   for kind in seats.steps(at))  # fmt: skip
