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


CAVALRY = """\
orders:
  - activate: {formation: N-CAB}
  - move: {units: [N-Cab-2], path: [I09, I10]}
  - done
"""
RIDES = "  - move: {units: [N-Cab-1], path: [I08, I09]}\n"


@pytest.mark.rule("5.4.1")
@pytest.mark.parametrize("ahead", ["", "ahead: open\n"])
@pytest.mark.parametrize(("orders", "line", "told", "hint", "rule"), [
    ("  - activate: {formation: N-R5}\n" + RIDES, 6,
     AFTER + "Cavalry regiment 1 (Cebollino) (N-Cab-1) acts with Brigada de Caballería (Cebollino) "
     "(N-CAB), and Regimiento 5 (III Brigada) (N-R5) is activated",
     "Brigada de Caballería (Cebollino) (N-CAB) has been activated today, and acts no more",
     "5.5.p6"),
    ("  - activate: {formation: N-R5}\n  - move: {units: [N-2Mel/6], path: [H10]}\n", 6,
     AFTER + "II Tabor de Melilla (N-2Mel/6) acts with Regimiento 6 (III Brigada) "
     "(N-R6), and Regimiento 5 (III Brigada) (N-R5) is activated",
     "write done, then activate Regimiento 6 (III Brigada) (N-R6) in front of this order", "5.4.1"),
    ("  - activate: {formation: N-R5}\n  - move: {units: [N-1TirIf/5], path: [I08]}\n", 6,
     AFTER + "I08 is not next to G12", "next to G12: F12, G13, H12, H11, G11, F11", "10"),
    (RIDES * 2, 5, AFTER + "nothing is activated; this order waits for a question",
     "write activate before it", "5.4.1"),
])  # fmt: skip
def test_a_warning_behind_done_names_what_bars_the_order_there(
    ahead: str, orders: str, line: int, told: str, hint: str, rule: str
) -> None:
    """Not that its unit is not activated before `done`. Of several in a row without an activation
    the first is told.
    """
    seats = activating(is_open=False)
    text = f"{ahead}{CAVALRY}{orders}  - done\n"
    file = parse(Source("o.yaml", text), seats.table.system.verbs)
    (found,) = dry_run(seats.game, KEYS[seats.pen], file).warnings
    assert found.span is not None and found.span.line == line + bool(ahead)
    assert words(found.message).startswith(told) and words(found.hint) == hint
    assert found.rule == rule


WON = """\
ahead: open
orders:
  - activate: {division: N-III}
  - attack: {hex: G13, type: regular, from: {G12: [N-1TirIf/5]}, primary: N-1TirIf/5}
  - bombard: {target: G13, guns: [N-Art105-III]}
  - done
  - activate: {formation: N-CAB}
  - move: {units: [N-Cab-2], path: [I09, I10]}
  - done
"""


def asked_to_advance(seed: int) -> Seats | None:
    """The Nationalists, asked who goes into the hex that was left, if the dice fall so."""
    seats = Seats(f"answer {seed}")
    quiet = (
        "orders:\n  - assign: none\n  - fly: none\nstanding: {primary: best, own: {works: none}}\n"
    )
    for text in (quiet, quiet, "", WON, ""):
        if text != "" or not seats.orders_wanted:
            seats.mail(text)
    asked = seats.table.decision
    return seats if asked is not None and asked.stage == "advance" and seats.pen == "A" else None


def test_an_answer_tells_what_follows_from_the_orders_behind_it() -> None:
    """The hex is left, so the shot has no target; then the activation is over."""
    seats = next(filter(None, map(asked_to_advance, range(40))))
    file = parse(Source("o.yaml", "orders:\n  - advance: {units: [N-1TirIf/5]}\n"),
                 seats.table.system.verbs)  # fmt: skip
    told = [words(each) for each in dry_run(seats.game, KEYS["A"], file).sentences()]
    assert told[0].startswith("1 order is legal; checked up to the first roll (initiative of")
    assert told[1:6] == [
        "what you ordered before lapses then: bombard: {target: G13, guns: [N-Art105-III]} (no "
        "enemy is in Pindoque, orilla este (G13))",
        "then follows what you ordered before: done",
        *(f"ordered before, and checked when its turn comes: {order}" for order in (
            "activate: {formation: N-CAB}", "move: {units: [N-Cab-2], path: [I09, I10]}", "done")),
    ]  # fmt: skip


def on_the_second_day() -> Seats:
    """Counters face down; two of those that were mixed in the evening act with another formation,
    as was written on the first day.
    """
    seats = Seats("6", "jarama_pindoque", "secret_set_up", is_open=False)
    none = "orders:\n  - assign: none\n  - fly: none\nstanding: {own: {works: none}}\n"
    while True:
        position, asked = seats.table.state.position, seats.table.decision
        text = ""
        if seats.orders_wanted and asked is not None:
            is_first = position.day == 1 and seats.pen == "A"
            if asked.stage == "activation" and position.day == 2 and seats.pen == "A":
                return seats
            text = {
                "set-up": "orders:\n  - set_up: {}\n",
                "assign": none.replace("none", "{N-AT-III: N-R6, N-Pz-1: N-R6}", 1)
                if is_first else none,
                "activation": "orders:\n  - mix: {at: all}\n  - finish\n"
                if is_first else "orders:\n  - finish\n",
            }[asked.stage]  # fmt: skip
        seats.mail(text)


@pytest.mark.rule("2.6")
def test_no_tag_is_told_of_a_list_and_what_a_mail_shows_is_judged_as_shown() -> None:
    """A counter that the same mail shows goes by its own name behind that."""
    seats = on_the_second_day()

    def checked(*lines: str) -> list[str]:
        text = "orders:\n" + "".join(f"  - {line}\n" for line in lines)
        file = parse(Source("o.yaml", text), seats.table.system.verbs)
        return [words(each) for each in dry_run(seats.game, KEYS["A"], file).sentences()]

    told = checked("activate: {formation: N-R6}", "move: {units: [N-Pz-1], path: [G12]}",
                   "scout: {unit: N-Pz-1, hex: G13}", "done")  # fmt: skip
    (lists,) = [each for each in told if each.startswith("this mail tells your opponent of your")]
    assert {*lists.partition("lists: ")[2].split("; ")} == {"N-Pz-1: N-R6", "N-AT-III: N-R6"}
    told = checked(
        "activate: {formation: N-R5}", "attack: {hex: G13, from: {G12: [N-1TirIf/5]}}",
        "bombard: {target: G13, guns: [N-Art105-III]}", "done",
    )  # fmt: skip
    assert any("this mail shows your opponent" in each and "N-Art105-III" in each for each in told)
    assert not any("warning" in each for each in told), told


@pytest.mark.rule("2.6")
def test_who_was_mixed_earlier_today_is_refused_for_that_and_not_for_having_acted() -> None:
    seats = Seats("an activation", is_open=False)
    for text in (MORNING, MORNING, ""):
        seats.mail(text)
    seats.mail("orders:\n  - mix: {at: [G11]}\n  - activate: {formation: N-CAB}\n  - done\n")
    while seats.pen != "A" or not seats.orders_wanted:
        seats.mail("orders:\n  - finish\n" if seats.orders_wanted else "")
    for lines, place, told, rule in (
        ("  - activate: {formation: N-R5}\n  - move: {units: [N-2Leg/5], path: [G10]}\n", 3,
         "II Bandera (N-2Leg/5) was mixed with others today, and does nothing more", "2.6"),
        ("  - activate: {unit: N-AT-III}\n", 2, "Antitank guns 37 mm, III Bda (N-AT-III) was mixed "
         "with others today, and does nothing more", "2.6"),
        ("  - mix: {at: [G11]}\n", 2,
         "you have mixed counters today, and nobody mixes twice a day", "2.6"),
    ):  # fmt: skip
        file = parse(Source("o.yaml", f"orders:\n{lines}"), seats.table.system.verbs)
        with pytest.raises(Refused) as refused:
            dry_run(seats.game, KEYS["A"], file)
        (found,) = refused.value.problems
        assert (words(found.message), found.rule) == (told, rule)
        assert found.span is not None and found.span.line == place and words(found.hint)


@pytest.mark.rule("5.5.p6")
@pytest.mark.parametrize("ahead", ["", "ahead: open\n"])
@pytest.mark.parametrize(("first", "again", "told"), [
    ("{formation: N-CAB}", "{formation: N-CAB}", "Brigada de Caballería (Cebollino) (N-CAB)"),
    ("{unit: N-20}", "{unit: N-20}", "20 mm Flak battery (N-20)"),
])  # fmt: skip
def test_what_has_been_activated_today_is_refused_behind_done_for_that(
    ahead: str, first: str, again: str, told: str
) -> None:
    seats = activating(is_open=False)
    text = f"{ahead}orders:\n  - activate: {first}\n  - done\n  - activate: {again}\n  - done\n"
    file = parse(Source("o.yaml", text), seats.table.system.verbs)
    with pytest.raises(Refused) as refused:
        dry_run(seats.game, KEYS[seats.pen], file)
    (found,) = refused.value.problems
    assert words(found.message) == f"{told} has been activated today" and found.rule == "5.5.p6"
    assert words(found.hint).startswith("it may be ")
    assert found.span is not None and found.span.line == 4 + bool(ahead)


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
