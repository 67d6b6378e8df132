"""Activations said ahead in standing orders: sealed, one after another, each order once."""

from __future__ import annotations

from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Order, State
from pbem.engine.policies import answering, reading, scopes, sealing
from pbem.gamefile.journal import Answered
from pbem.games.nopasaran import orders as o
from pbem.games.nopasaran.policies.ahead import behind
from pbem.games.nopasaran.policies.facts import FURTHER, NEXT
from pbem.games.nopasaran.policies.table import TABLE
from pbem.games.nopasaran.stages.activation import Acting, Activating
from pbem.messages import words
from pbem.play.answer import answer as answer_with
from pbem.text.source import Source
from pbem.text.yamlsource import read
from pbem.value import replace
from tests.gamefile.players import KEYS
from tests.games.nopasaran.by_mail import Seats
from tests.games.nopasaran.table import SMALL, N, R, start
from tests.games.nopasaran.test_as_written import QUIET, SYSTEM

AHEAD = """activations:
  - - activate: {formation: N-CAB}
    - bombard: {guns: N-Art105-III, target: G13}
    - move: {units: [N-Cab-2], path: [I08, I09]}
    - done
  - - activate: {division: N-III}
      when: {weather: clear}
    - attack: {hex: G13, type: prepared, from: {G12: [N-1TirIf/5, N-Zap-III]}, primary: N-1TirIf/5}
      support: {guns: [N-Art75-III]}
      advance: {units: [N-1TirIf/5]}
    - done
"""


INDENTED = "".join(f"  {line}\n" for line in AHEAD.splitlines())


def parts(text: str, side: Any = N, **facts: Any) -> tuple[State[Any], dict[str, Any]]:
    """The state in which a side activates something, and its policies by their slots."""
    state = kernel.begin(
        State(start(SMALL, **{"active": side, **facts}), (Activating(side),))
    ).state
    names = SYSTEM.names(state, side, None, answering=False)
    written = reading.bound(TABLE, names, read(Source("standing.yaml", text)).value)
    assert reading.faults(TABLE, state.position, side, written) == ()
    return state, {
        each["slot"]: each for each in sealing.parts(TABLE, state.position, side, written)
    }


def answer(state: State[Any], part: Any) -> Order | None:
    asked: Any = kernel.waits_for(state)
    assert scopes.covers(TABLE, state, asked, part["slot"], part["scope"], part["until"])
    return answering.answer(TABLE, state, asked, part["doc"])


def played(state: State[Any], part: Any) -> tuple[State[Any], list[str]]:
    """What a policy orders until it asks, without what needs dice."""
    verbs = []
    while (order := answer(state, part)) is not None:
        verbs.append(order.verb)
        state = kernel.submit(state, order).state
        if not isinstance(next(reversed(state.agenda), None), Acting):
            break
    return state, verbs


def test_a_list_goes_into_a_slot_for_each_activation_and_takes_the_place_of_all_before() -> None:
    _, found = parts(AHEAD)
    assert [*found] == [*reversed(FURTHER), NEXT], "the latest in a file counts first"
    assert found[FURTHER[1]]["doc"] is None, "withdrawn"
    assert [len(found[name]["doc"][name]) for name in (NEXT, FURTHER[0])] == [4, 3]
    assert {each["until"] for each in found.values() if each["doc"]} == {"turn 1"}
    _, alone = parts("activations: [activate: {formation: N-CAB}, done]")
    assert [*alone] == [NEXT], "one activation, without a list around it, leaves the others"


@pytest.mark.rule("5.4.1")
def test_what_is_due_and_legal_is_begun_once() -> None:
    state, found = parts(AHEAD)
    assert answer(state, found[NEXT]) == o.Activate(formation="N-CAB")
    assert answer(state, found[FURTHER[0]]) == o.Activate(division="N-III")
    rain, later = parts(AHEAD, weather="rain")
    assert answer(rain, later[FURTHER[0]]) is None, "its condition does not hold"
    for gone in ("N-CAB", "N-III"):
        again, then = parts(AHEAD, activated=frozenset({gone}))
        assert (answer(again, then[NEXT]) is None) is (gone == "N-CAB")
        assert (answer(again, then[FURTHER[0]]) is None) is (gone == "N-III")
    finished, last = parts("activations: [[finish]]")
    assert answer(finished, last[NEXT]) == o.Finish()
    state, both = parts("activations: [activate: {formation: N-CAB}, finish]")
    ended, verbs = played(state, both[NEXT])
    assert verbs == ["activate", "finish"] and ended.position.finished == {N}


@pytest.mark.rule("5.5")
def test_each_order_counts_once_and_others_end_the_list() -> None:
    """The battery has points for a second shot."""
    state, found = parts(AHEAD)
    state = kernel.submit(state, o.Activate(formation="N-CAB")).state
    shot = o.Bombard("G13", ("N-Art105-III",))
    assert answer(state, found[FURTHER[0]]) is None, "another activation goes on"
    acting: Any = state.agenda[-1]
    fired = State(state.position, (*state.agenda[:-1], Acting(N, (shot,))))
    assert not any(acting.check(state.position, shot))
    assert answer(state, found[NEXT]) == shot
    assert answer(fired, found[NEXT]) == o.Move(("N-Cab-2",), ("I08", "I09"))
    state, verbs = played(fired, found[NEXT])
    assert verbs == ["move", "done"]
    other = o.Move(("N-Cab-1",), ("I08",))
    assert answer(State(fired.position, (Acting(N, (other,)),)), found[NEXT]) is None


def test_what_was_passed_over_is_left_behind() -> None:
    lines = [{"bombard": {"target": hex}} for hex in ("G13", "H12", "I13", "H12")]
    shots = [o.Bombard(hex) for hex in ("G13", "H12", "I13")]
    assert behind(start(SMALL), lines, ()) == lines
    assert behind(start(SMALL), lines, shots[1:2]) == lines[2:]
    assert behind(start(SMALL), lines, (shots[1], shots[1])) == []
    assert behind(start(SMALL), lines, (shots[2], shots[0])) == []


@pytest.mark.parametrize(
    ("text", "told", "at"),
    [
        ("activations: [[done]]", "begins with `activate`", (NEXT, 0, 0)),
        ("activations: [[finish], [activate: {formation: N-R5}, activate: {formation: N-R6}]]",
         "begins another", (NEXT, 1, 1)),
        ("activations: [[finish], [activate: {formation: N-R99}]]", "no formation is named 'N-R99'",
         (NEXT, 1, 0, "activate", "formation")),
        ("activations: [[activate: {formation: N-R5}, done], [activate: {formation: N-R5}, done]]",
         "a list before this one activates N-R5 already, so this is never reached", (NEXT, 1, 0)),
        ("activations: [[finish], [activate: {formation: N-R6}, done]]",
         "a list before this one ends the day, so this is never reached", (NEXT, 1)),
        ("activations: [activate: {formation: N-R5}, finish, done]",
         "'finish' ends the list, so this is never reached", (NEXT, 2)),
        ("activations: [[activate: {formation: N-R5}, done, move: {units: [N-Pz-1], path: [G12]}]]",
         "'done' ends the list, so this is never reached", (NEXT, 0, 2)),
        ("activations: [[finish], [finish], [finish], [finish]]", "at most 3 lists of orders",
         (NEXT, 3)),
        ("activations: finish", "must be a list", (NEXT,)),
        ("activations: [[activate: {formation: N-R5}, done], []]", "an empty list has no effect",
         (NEXT, 1)),
        ("activations: [[activate: {formation: N-R5}, attack: {hex: G13, from: {G99: [N-Pz-1]}}]]",
         "no hex is named 'G99'", (NEXT, 0, 1, "attack", "from", "G99")),
    ],
)  # fmt: skip
def test_mistakes_are_told_at_their_place_in_the_list(text: str, told: str, at: Any) -> None:
    state, _ = parts("activations: [[finish]]")
    names = SYSTEM.names(state, N, None, answering=False)
    written = reading.bound(TABLE, names, read(Source("standing.yaml", text)).value)
    found = [
        (str(each.message), each.at) for each in reading.faults(TABLE, state.position, N, written)
    ]
    assert any(told in message and place == at for message, place in found), found


def test_what_waits_takes_the_place_of_nothing() -> None:
    """Only one of two lists may come to be, and a day may go on behind an end that is left out."""
    parts("""activations:
  - - {activate: {formation: N-R5}, when: {weather: clear}}
    - done
  - - activate: {formation: N-R5}
    - {done: {}, when: {weather: rain}}
    - move: {units: [N-2Leg/5], path: [G10]}
""")
    parts("activations: [[{finish: {}, when: {weather: rain}}], [activate: {formation: N-R5}]]")


def test_the_forms_write_them_as_they_are_read() -> None:
    state, found = parts(AHEAD)
    again = sealing.written(
        TABLE, state.position, N, [each for each in found.values() if each["doc"]]
    )
    rewritten = {each["slot"]: each for each in sealing.parts(TABLE, state.position, N, again)}
    assert all(rewritten[name]["doc"] == found[name]["doc"] for name in (NEXT, FURTHER[0]))


def test_they_are_played_on_the_dice_of_the_mail_that_opens_them_and_only_then() -> None:
    """The Nationalists have the initiative first, without a die. An order of their own for the
    first activation leaves what is sealed for the next one closed while it goes on.
    """
    seats = Seats("1")
    seats.mail(QUIET)
    seats.mail(QUIET + INDENTED)
    seats.mail()
    opened = seats.mail()
    assert seats.steps() == ["reveal", "unseal"]
    told = [each for each in opened.fold.told() if isinstance(each, Answered)]
    assert [next(iter(each.read.plain)) for each in told] == ["activate", "bombard"]

    other = Seats("1")
    for _ in range(2):
        other.mail(QUIET)
    other.mail()
    other.mail("orders:\n  - activate: {formation: N-R6}\n  - bombard: {guns: N-Art75-III, "
               f"target: G13}}\nstanding:\n{INDENTED}")  # fmt: skip
    while not other.orders_wanted or other.pen != "A":
        other.mail()
    assert isinstance(other.table.state.agenda[-1], Acting), "asked, and nothing was opened for it"
    assert not any("unseal" in other.steps(at) for at in range(len(other.fold.entries))
                   if other.fold.entries[at].by == "A")  # fmt: skip


DONE = "orders:\n  - activate: {formation: N-CAB}\n  - done\n"


def sent(seats: Seats, text: str) -> tuple[dict[str, Any], list[str]]:
    """What a mail says of each slot, with its notes."""
    found = answer_with(seats.game, KEYS[seats.pen], Source("orders.yaml", text), fresh=seats.nonce)
    seats.game = found.game
    steps = seats.fold.entries[-1].steps
    said = {each["slot"]: each for each in steps if each["do"] == "policy"}
    return said, [words(note) for note in found.notes]


def test_what_the_orders_of_a_mail_use_up_is_neither_sealed_nor_opened_for_nothing() -> None:
    """The cavalry has acted: a list for it would be opened to learn that nothing is left."""
    seats = Seats("1")
    for _ in range(2):
        seats.mail(QUIET)
    seats.mail()
    said, notes = sent(seats, f"{DONE}standing:\n{INDENTED}")
    assert NEXT not in said and "c" in said[FURTHER[0]]
    assert FURTHER[1] not in said, "nothing was in it that could be withdrawn"
    assert [note for note in notes if "over" in note] == [
        "not sealed with these orders, because it is over: the activation of N-CAB"
    ]
    going = Seats("1")
    for _ in range(2):
        going.mail(QUIET)
    going.mail()
    said, notes = sent(going, "orders:\n  - activate: {formation: N-CAB}\n"
                              "  - bombard: {guns: N-Art105-III, target: G13}\n"
                              f"standing:\n{INDENTED}")  # fmt: skip
    assert "c" in said[NEXT] and not any("over" in note for note in notes)
    while not going.orders_wanted or going.pen != "A":
        going.mail()
    said, notes = sent(going, "orders:\n  - done\n")
    assert said[NEXT]["doc"] is None and FURTHER[0] not in said
    assert [note for note in notes if "over" in note] == [
        "what you had sealed for the activation of N-CAB is withdrawn with these orders: that is "
        "over, and it would be opened for nothing"
    ]


def test_one_list_in_standing_yaml_withdraws_no_others_with_every_mail() -> None:
    seats, said = Seats("1"), list[dict[str, Any]]()
    text = "standing:\n  activations: [[activate: {formation: N-CAB}, done]]"
    kept = Source("standing.yaml", text)
    for _ in range(4):
        found = answer_with(
            seats.game, KEYS[seats.pen],
            Source("orders.yaml", QUIET) if seats.orders_wanted else None, fresh=seats.nonce,
            standing=kept if seats.pen == "A" else None,
        )  # fmt: skip
        seats.game = found.game
        said += [each for each in seats.fold.entries[-1].steps if each["do"] == "policy"]
    slots = {each["slot"] for each in said}
    assert NEXT in slots and not slots & {*FURTHER}


@pytest.mark.rule("5.4.1")
def test_a_list_is_used_up_when_its_activation_is_over_and_not_while_it_goes_on() -> None:
    state, found = parts(AHEAD)
    going = kernel.submit(state, o.Activate(formation="N-CAB")).state
    begins = o.Activate(formation="N-CAB")
    for orders, over in (((), False), ((o.Move(("N-Cab-2",), ("I08",)),), False),
                         ((o.Done(),), True), ((o.Finish(),), True),
                         ((o.Done(), begins), False), ((begins, o.Done()), True),
                         ((o.Done(), o.Activate(formation="N-R5")), True)):  # fmt: skip
        assert bool(answering.used_up(TABLE, going.position, N, found[NEXT], orders)) is over
    others = replace(going.position.cycle, formation="N-R5")
    assert answering.used_up(TABLE, going.position.but(cycle=others), N, found[NEXT], ())
    done = kernel.submit(going, o.Done()).state
    assert answering.used_up(TABLE, done.position, N, found[NEXT], ())
    for slot in (FURTHER[0], FURTHER[1]):
        assert not answering.used_up(TABLE, done.position, N, found[slot], ())
    assert not answering.used_up(TABLE, state.position, N, found[NEXT], (o.Done(),))


@pytest.mark.rule("5.3")
def test_whoever_is_finished_for_the_day_has_used_up_all_lists_of_it() -> None:
    state, found = parts(AHEAD)
    _, last = parts("activations: [[finish]]")
    for part in (found[NEXT], found[FURTHER[0]], last[NEXT]):
        for finished, orders, over in ((set(), (), False), ({R}, (), False), ({N}, (), True),
                                       (set(), (o.Done(), o.Finish()), True)):  # fmt: skip
            position = state.position.but(finished=frozenset(finished))
            assert bool(answering.used_up(TABLE, position, N, part, orders)) is over
    seats = Seats("1")
    for _ in range(2):
        seats.mail(QUIET)
    seats.mail()
    said, notes = sent(seats, f"{DONE.replace('done', 'finish')}standing:\n{INDENTED}")
    assert not {NEXT, *FURTHER} & {*said}
    assert [note for note in notes if "over" in note] == [
        "not sealed with these orders, because it is over: the activation of N-III and the "
        "activation of N-CAB"
    ]


def test_works_are_said_openly_too_and_nothing_else_with_them() -> None:
    _, found = parts("works: fortification\ndisplace: [weakest]")
    assert found["own"]["clear"] and found["own"]["scope"] == {"only": ["works"]}
    assert found["standing"]["doc"] == {"works": "fortification", "displace": ["weakest"]}
    _, own = parts("works: fortification\nown: {works: none, advance: all}")
    assert own["own"]["doc"] == {"works": "none", "advance": "all"}
    assert [*parts("works: ask\nprimary: best")[1]] == ["standing"]
    assert [*parts("works: position\nown: none")[1]] == ["standing", "own"]
