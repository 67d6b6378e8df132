"""Activations behind `done` are sealed where counters lie face down, else sent in clear."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pbem.gamefile.journal import Answered, Opened, Ordered, Unsealed
from pbem.messages import words
from pbem.play.answer import answer
from pbem.play.dry_run import dry_run
from pbem.play.judged import parsed
from pbem.play.next_steps import next_lines
from pbem.play.player_view import in_force
from pbem.problems import Refused
from pbem.text.source import Source
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats, practised
from tests.games.nopasaran.mails import STYLES, Writer
from tests.games.nopasaran.table import SMALL

FIRST = """orders:
  - activate: {formation: N-CAB}
  - move: {units: [N-Cab-2], path: [I08, I09]}
  - done
"""
NEXT = """  - activate: {formation: N-R5}
  - move: {units: [N-2Leg/5], path: [G11, G10]}
    when: {day: 1}
  - done
"""
SHOT = "  - bombard: {guns: [N-Art75-III], target: G13}\n"
LAST = """  - activate: {division: N-III}
  - finish
"""
KEPT, LOST = "2", "1"
"""Games in which the Nationalists keep the initiative behind their first activation, and do not."""


def in_the_morning(seed: str = "1", *, is_open: bool = False) -> Seats:
    """The bridge where the Nationalist player activates something for the first time."""
    seats = Seats(seed, is_open=is_open)
    while not (seats.orders_wanted and seats.pen == "A" and asks(seats) == "activation"):
        seats.mail(
            "standing: {primary: [best]}"
            if not seats.orders_wanted
            else "orders:\n  - assign: none\n  - fly: none\n"
        )
    return seats


def laid_out(seed: str) -> Seats:
    """The same with counters face down from the beginning."""
    seats = Seats(seed, SMALL, "secret_set_up", is_open=False)
    while not (seats.orders_wanted and seats.pen == "A" and asks(seats) == "activation"):
        practised(seats)
    return seats


def asks(seats: Seats) -> str:
    decision = seats.table.decision
    return decision.stage if decision else ""


def until_asked_again(seats: Seats) -> None:
    """Mails until the Nationalist player is asked; the enemy finishes their day."""
    while not seats.orders_wanted or seats.pen != "A":
        seats.mail("orders:\n  - finish\n" if seats.orders_wanted else "")


def sent(seats: Seats, text: str) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """The policies of a mail by slot, and its notes."""
    found = answer(seats.game, KEYS[seats.pen], Source("orders.yaml", text), fresh=seats.nonce)
    seats.game = found.game
    policies = [step for step in seats.fold.entries[-1].steps if step["do"] == "policy"]
    return {step["slot"]: step for step in policies}, [words(note) for note in found.notes]


def in_clear(seats: Seats) -> list[str]:
    """The verbs of the orders in the last entry."""
    given = (step["list"] for step in seats.fold.entries[-1].steps if step["do"] == "orders")
    return [verb for orders in given for order in orders for verb in order if verb != "when"]


def test_what_stands_behind_the_first_done_is_sealed_one_activation_in_each_slot() -> None:
    seats = in_the_morning()
    policies, notes = sent(seats, FIRST + NEXT + LAST)
    assert in_clear(seats) == ["activate", "move", "done"]
    assert [*policies] == ["activations_2", "activations"], "the latest counts first"
    assert all("c" in each and each["until"] == "turn 1 initiative 0" for each in policies.values())
    whole = json.dumps([entry.steps for entry in seats.fold.entries])
    assert "N-R5" not in whole.partition('"orders"')[2] and "N-2Leg" not in whole
    assert "sealed, and checked when its turn comes: activate: {formation: N-R5}" in notes


def test_it_is_played_on_the_same_dice_where_the_initiative_is_kept() -> None:
    seats = in_the_morning(KEPT)
    sent(seats, FIRST + NEXT)
    seats.mail()
    assert seats.pen == "A"
    seats.mail("orders:\n  - finish\n")
    lines = [*seats.fold.told()]
    unsealed = next(at for at, line in enumerate(lines) if isinstance(line, Unsealed))
    answered = [line for line in lines[unsealed:] if isinstance(line, Answered)]
    assert [next(iter(line.read.plain)) for line in answered] == ["activate", "move", "done"]
    assert seats.fold.entries[-1].steps[0]["do"] == "unseal", "by the mail that goes on"


def test_it_lapses_unread_where_the_enemy_activates_first() -> None:
    seats = in_the_morning(LOST)
    sent(seats, FIRST + NEXT)
    seats.mail("orders:\n  - activate: {formation: R-12BI}\n  - done\n")
    until_asked_again(seats)
    assert asks(seats) == "activation"
    assert not any(step["do"] == "unseal" and step["slot"] == "activations"
                   for entry in seats.fold.entries for step in entry.steps)  # fmt: skip
    seats.mail("orders:\n  - finish\n")
    assert "N-R5" not in seats.table.state.position.activated


def test_a_file_may_say_that_they_are_sent_in_clear_and_with_open_units_they_are() -> None:
    for seats, line in ((in_the_morning(), "ahead: open\n"), (in_the_morning(is_open=True), "")):
        policies, _ = sent(seats, line + FIRST + NEXT)
        assert not policies
        assert in_clear(seats) == ["activate", "move", "done", "activate", "move", "done"]


@pytest.mark.parametrize("line", ["", "ahead: sealed\n"])
def test_what_names_nobody_is_sent_in_clear(line: str) -> None:
    """An end of the day behind the first activation costs no mail to open."""
    seats = in_the_morning()
    policies, _ = sent(seats, line + FIRST + "  - finish\n")
    assert not policies and in_clear(seats) == ["activate", "move", "done", "finish"]


@pytest.mark.rule("5.3")
def test_when_the_enemy_is_finished_nobody_comes_between() -> None:
    seats = in_the_morning(LOST)
    sent(seats, FIRST)
    seats.mail("orders:\n  - finish\n")
    while not seats.orders_wanted or seats.pen != "A":
        seats.mail()
    bombs = "  - bombard: {guns: [N-Art75-III], target: G13}\n  - done\n"
    policies, _ = sent(seats, "orders:\n  - activate: {division: N-III}\n" + bombs + NEXT)
    assert not {*policies} & {"activations"}
    assert in_clear(seats)[-3:] == ["activate", "move", "done"]


def test_check_tells_what_is_sealed_and_judges_it_like_what_is_sent() -> None:
    seats = in_the_morning()
    file = parsed(Source("orders.yaml", FIRST + NEXT.replace("G10", "G19")), seats.game)
    found = dry_run(seats.game, KEYS["A"], file)
    told = [words(line) for line in found.sentences()]
    assert any(line.startswith("sealed, and checked") and "N-R5" in line for line in told)
    assert found.plain()["sealed"][0] == {"activate": {"formation": "N-R5"}}
    assert any("orders.yaml:6" in line and "lapses unless" in line for line in told), told


@pytest.mark.parametrize(
    ("text", "told", "line"),
    [
        (FIRST + NEXT * 4, "no more than 3 of these can be sealed ahead", 17),
        (FIRST + NEXT + "standing:\n  activations: [[finish]]\n",
         "`activations` is in your standing orders, too", 5),
        (FIRST + NEXT.replace("  - done\n", "  - mask: {at: [G11]}\n"),
         "cannot begin with 'mask'", 8),
        (FIRST + NEXT.replace("  - done\n", SHOT * 30),
         "at most 20 orders", 5),
    ],
)  # fmt: skip
def test_what_cannot_be_sealed_is_told_at_its_place(text: str, told: str, line: int) -> None:
    seats = in_the_morning()
    with pytest.raises(Refused) as refused:
        sent(seats, text)
    (problem,) = refused.value.problems
    assert told in words(problem.message) and problem.span is not None
    assert problem.span.line == line


def test_they_take_the_place_of_all_that_standing_yaml_says_ahead() -> None:
    seats = in_the_morning()
    kept = Source(
        "standing.yaml",
        "standing:\n  primary: best\n  activations: [[activate: {formation: N-R6}], [finish]]\n",
    )
    found = answer(seats.game, KEYS["A"], Source("orders.yaml", FIRST + NEXT),
                   fresh=seats.nonce, standing=kept)  # fmt: skip
    seats.game = found.game
    assert any(
        words(note) == "of standing.yaml these are left out of this mail, since you order other "
        "things ahead: activations and activations_2" for note in found.notes
    )  # fmt: skip
    said = [step["slot"] for step in seats.fold.entries[-1].steps if step["do"] == "policy"]
    assert sorted(said) == ["activations", "standing"]


def test_what_was_sealed_ahead_before_is_withdrawn_with_the_next() -> None:
    """It was meant behind other orders."""
    seats = in_the_morning(KEPT)
    later = "standing:\n  activations: [[activate: {formation: N-R6}, done], [finish]]\n"
    sent(seats, "orders:\n  - activate: {formation: N-CAB}\n"
                f"{SHOT.replace('N-Art75-III', 'N-Art105-III')}{later}")  # fmt: skip
    while not seats.orders_wanted or seats.pen != "A":
        seats.mail()
    policies, _ = sent(seats, "orders:\n  - done\n" + NEXT)
    assert "c" in policies["activations"] and policies["activations_2"]["doc"] is None


def test_nothing_is_said_ahead_behind_the_end_of_the_day() -> None:
    seats = in_the_morning()
    last = "  - activate: {division: N-III}\n  - finish\n"
    with pytest.raises(Refused, match="would be over before its turn comes") as refused:
        sent(seats, FIRST + last + NEXT)
    (problem,) = refused.value.problems
    assert problem.span is not None and problem.span.line == 7


def test_what_has_lapsed_is_not_told_to_be_in_force() -> None:
    seats = in_the_morning(LOST)
    sent(seats, FIRST + NEXT)
    assert [each.slot for each in in_force(seats.game, "A")] == ["activations"]
    seats.mail("orders:\n  - activate: {formation: R-12BI}\n  - done\n")
    until_asked_again(seats)
    assert [each.slot for each in seats.fold.policies("A")] == ["activations"]
    assert not in_force(seats.game, "A")


def test_whoever_sealed_ahead_is_told_that_it_lapsed_unopened() -> None:
    told = "the orders that you sealed ahead in entry {} have lapsed unopened: their time is over"
    for seed, enemy in ((LOST, True), (KEPT, False)):
        seats = in_the_morning(seed)
        sent(seats, FIRST + NEXT)
        line = told.format(len(seats.fold.entries) - 1)
        assert line not in map(words, next_lines(seats.game, "A")), "as long as they may be played"
        seats.mail("orders:\n  - activate: {formation: R-12BI}\n  - done\n" if enemy else "")
        assert (line in map(words, next_lines(seats.game, "A"))) is enemy
        assert line not in map(words, next_lines(seats.game, "B"))


def test_another_game_has_no_such_line() -> None:
    from tests.games.ctv.by_mail import Seats as Santander

    seats = Santander("1")
    with pytest.raises(Refused, match="nothing that is ordered ahead is sealed"):
        seats.mail("ahead: sealed\norders:\n  - done\n")
    with pytest.raises(Refused, match="must be open or sealed"):
        in_the_morning().mail("ahead: no\n" + FIRST)


def test_whoever_seals_the_same_again_with_each_mail_is_asked_all_the_same() -> None:
    """A document that leaves a question to its author was opened, and the one sealed behind it a
    mail later, and so on for ever: on the second day, units of the Nationalists had to retreat.
    """
    seats = Seats("bridge 2", is_open=False)
    writer = Writer(seats, STYLES[1])
    while seats.fold.phase == "running" and seats.mails < 40:
        writer.mail()
    assert seats.fold.phase == "over"


@pytest.mark.rule("2.6")
@pytest.mark.parametrize(
    ("begins", "acts", "shown"),
    [
        ("{formation: N-R5}", "attack: {hex: G13, type: regular, from: {G12: [N-1TirIf/5]}, "
         "support: none, advance: none}", "N-1TirIf/5"),
        ("{division: N-III}", "bombard: {guns: [N-Art75-III], target: G13}", "N-Art75-III"),
    ],
)  # fmt: skip
def test_counters_face_down_are_shown_when_the_list_comes_to_them(
    begins: str, acts: str, shown: str
) -> None:
    """Not with the mail, as in clear: an order that lapses shows nobody."""
    seats = laid_out("6")
    sent(seats, "orders:\n  - activate: {formation: N-CAB}\n  - done\n"
                f"  - activate: {begins}\n  - {acts}\n  - done\n")  # fmt: skip
    before = len(seats.fold.entries)
    assert not any(isinstance(line, Opened) for line in seats.fold.journal[-1])
    while not seats.orders_wanted:
        seats.mail()
    assert seats.pen == "A"
    seats.mail("orders:\n  - finish\n")
    lines = [line for entry in seats.fold.journal[before:] for line in entry]
    own = [line for line in lines if isinstance(line, Answered) and line.by == "A"]
    verbs = [next(iter(line.read.plain)) for line in own]
    assert verbs == ["activate", acts.partition(":")[0], "done"]
    opened = [line.card for line in lines if isinstance(line, Opened) and line.by == "A"]
    assert opened == [shown]


@pytest.mark.rule("5.4.1.1")
def test_what_was_ordered_before_is_refused_and_does_not_vanish() -> None:
    """A division that only bombards may be activated again; a sealed plan is played once."""
    seats = in_the_morning()
    again = f"  - activate: {{division: N-III}}\n{SHOT}  - done\n"
    for text, line in (("orders:\n" + again * 2, 5), (FIRST + again * 2, 8)):
        with pytest.raises(Refused, match="carried out once") as refused:
            sent(seats, text)
        (problem,) = refused.value.problems
        assert problem.span is not None and problem.span.line == line
        assert "ahead: open" in words(problem.hint)
    sent(seats, "ahead: open\norders:\n" + again * 2)
    assert in_clear(seats) == ["activate", "bombard", "done"] * 2


@pytest.mark.rule("5.4.1")
@pytest.mark.parametrize("line", ["", "ahead: open\n"])
def test_nobody_is_said_to_act_who_acts_in_the_activation_before(line: str) -> None:
    """It would lapse for a unit that has acted by then."""
    seats = laid_out("9")
    attack = "attack: {hex: G13, type: regular, from: {G12: [N-1TirIf/5]}, support: none}"
    sent(seats, f"{line}orders:\n  - activate: {{formation: N-R5}}\n  - {attack}\n  - done\n"
                "  - activate: {division: N-III}\n  - done\n")  # fmt: skip
    while not seats.orders_wanted:
        seats.mail()
    seats.mail("orders:\n  - finish\n")
    done = [each.order if isinstance(each, Ordered) else each.read.plain
            for each in seats.fold.told() if isinstance(each, Answered | Ordered)]  # fmt: skip
    (acts,) = (each["activate"].get("acts") for each in done
               if each.get("activate", {}).get("division") == "N-III")  # fmt: skip
    assert acts == "N-AT-III"
