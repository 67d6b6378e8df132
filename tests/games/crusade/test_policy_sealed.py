"""Sealed policies: what is public of them, the slots they name, and the end of a turn by policy."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.choices import every
from pbem.engine.model import Decision, Order, PlayerStage, Side, State
from pbem.engine.policies import answering, help, reading, scopes, sealing
from pbem.gamefile.canonical import check_domain
from pbem.gamefile.in_play import Policy
from pbem.games.crusade import stages
from pbem.games.crusade.hidden import openings
from pbem.games.crusade.orders import (
    CombatCards,
    Deploy,
    Discard,
    Done,
    Guerrilla,
    Losses,
    Rebuild,
    Redraw,
    Remove,
    RemoveMarker,
    Replace,
    Spare,
    Supply,
)
from pbem.games.crusade.policies.table import TABLE
from pbem.games.crusade.policies.table import TABLE as STANDING
from pbem.games.crusade.position import ABROAD, ELIMINATED, Fort, Position
from pbem.games.crusade.rules.ranking import usual_words
from pbem.games.crusade.stages import draw
from pbem.games.crusade.stages.combat.losses import Survivor
from pbem.games.crusade.stages.combat.rally import Rallying
from pbem.games.crusade.stages.end_of_turn import MarkerRemoval
from pbem.games.crusade.stages.guerrilla import GuerrillaCorps, LosingCard
from pbem.games.crusade.stages.initial_losses import InitialLosses
from pbem.games.crusade.stages.replacements import ReturningCorps, Spending
from pbem.games.crusade.stages.war_status import Surplus
from pbem.orders.parse import parse
from pbem.play.table import Table
from pbem.text.source import Source
from tests.contract.playing import system
from tests.games.crusade.agreed import on
from tests.games.crusade.board import N, R, blind, sealed, table
from tests.games.crusade.fights import Round, attack, field

faults = partial(reading.faults, STANDING)
parts = partial(sealing.parts, STANDING)
example = partial(help.example_of, STANDING)
covers = partial(scopes.covers, STANDING)

SEATS = {"A": N, "B": R}


def only_part(position: Position, side: Side, written: dict[str, Any]) -> dict[str, Any]:
    """The one policy of what is written without a fault."""
    assert faults(position, side, written) == ()
    (part,) = parts(position, side, written)
    check_domain(json.loads(json.dumps(part)))
    return dict(part)


def asked_of(state: State[Position]) -> Decision:
    decision = kernel.waits_for(state)
    assert isinstance(decision, Decision)
    return decision


def answer(state: State[Position], doc: Any) -> Order:
    """The answer of a document: the same whoever looks at the table, and legal."""
    seen = answering.answer(STANDING, state, asked_of(state), doc)
    public = replace(state, position=blind(state.position))
    assert answering.answer(STANDING, public, asked_of(public), doc) == seen
    assert kernel.violations(public, seen) == ()
    return seen


def at(position: Position, stage: Any) -> State[Position]:
    """A game that stands before this stage."""
    return kernel.begin(State(position, (stage,))).state


# --- cards of a hidden hand ---------------------------------------------------------------------


def defender(**changes: Any) -> Round:
    """The Republic, its hand hidden, is asked for cards in Riotinto."""
    facts = {"hand": {R: ["R7", "R29", "R3"]}, "played": frozenset({"R2"}), **changes}
    position = sealed(field(3, sevilla="AFR-1 INF-1", riotinto="RPA-1 R-MIL-1", **facts))
    return Round(position, N, "sevilla").say(attack("riotinto", sevilla="AFR-1 INF-1"))


@pytest.mark.rule("8.5.3.1")
def test_a_card_is_sealed_by_its_slot_and_never_by_its_name() -> None:
    written = {
        "combat_card": ["R29"],
        "cards": [{"card": "R7", "when": {"attackers": {"has": "AFR"}}},
                  {"card": "R55", "slot": "table"}],
    }  # fmt: skip
    part = only_part(defender().position, R, written)
    assert part["doc"]["cards"] == [
        {"slot": "r/1/1"},
        {"slot": "r/1/0", "when": {"attackers": {"has": "AFR"}}},
        {"slot": "table", "card": "R55"},
    ]
    assert not {"R7", "R29"} & set(json.dumps(part).split('"'))
    assert (part["slot"], part["scope"], part["until"], part["clear"]) == (
        "standing", None, None, False,
    )  # fmt: skip


@pytest.mark.rule("8.5.3.1")
@pytest.mark.parametrize("cards, opened, played", [
    ([{"slot": "r/1/0"}], ("r/1/0",), ("R7",)),
    ([{"slot": "r/1/1"}, {"slot": "r/1/0"}], ("r/1/1", "r/1/0"), ("R29", "R7")),
    ([{"slot": "r/1/0", "when": {"space": "madrid"}}], (), ()),
    ([{"slot": "r/1/0", "when": {"space": "riotinto"}}], ("r/1/0",), ("R7",)),
    ([{"slot": "r/1/2"}], ("r/1/2",), ()),  # R3 is no combat card: shown, and not played
    ([{"slot": "r/1/9"}], (), ()),  # has left the hand
    ([{"slot": "table", "card": "R29"}], (), ()),
    ([{"card": "R7"}], (), ()),  # by its name nothing hidden is played
    ([], (), ()),
])  # fmt: skip
def test_what_a_document_plays_is_opened_first(
    cards: list[dict[str, Any]], opened: tuple[str, ...], played: tuple[str, ...]
) -> None:
    fought, doc = defender(), {"cards": cards}
    assert answer(fought.state, doc) == CombatCards()  # before anything is open
    for position in (fought.position, blind(fought.position)):
        state = replace(fought.state, position=position)
        assert answering.shows(STANDING, state, asked_of(state), doc) == opened
    secret = {slot: card for slot, card in fought.position.secret.items() if slot in opened}
    state = kernel.learn(fought.state, openings(fought.position, secret)).state
    assert answering.shows(STANDING, state, asked_of(state), doc) == ()
    assert answer(state, doc) == CombatCards(played)


@pytest.mark.rule("8.5.3.1")
def test_a_document_is_asked_and_answers_through_the_table() -> None:
    state = defender().state
    game = Table(system("crusade"), SEATS, replace(state, position=blind(state.position)))
    policy = Policy("B", "standing", None, None, {"cards": [{"slot": "r/1/0"}]})
    assert game.covers("B", "standing", None, None)
    assert not game.covers("A", "standing", None, None)
    assert game.policy_shows(policy) == ("r/1/0",)
    after = game.learn({"r/1/0": "R7"})
    assert after.policy_shows(policy) == ()
    answered = after.policy_answer(policy)
    assert answered is not None and answered.plain == {"combat_card": {"cards": ["R7"]}}


@pytest.mark.rule("8.5.3.1")
def test_with_a_hidden_hand_only_cards_held_can_be_named() -> None:
    position = defender().position
    (fault,) = faults(position, R, {"combat_card": ["R55"]})
    assert (str(fault.message), str(fault.hint)) == (
        "R55 is not in your hand",
        "you hold R7, R29 and R3",
    )
    assert fault.at == ("combat_card", 0)
    assert faults(blind(position), R, {"combat_card": ["R7"]}) != ()  # without the key


@pytest.mark.rule("8.5.3.1")
@pytest.mark.parametrize("doc", [
    [], "none", None, 7, {"cards": [{"slot": 7}]}, {"cards": [{}]}, {"cards": "x"},
    {"cards": [{"slot": "r/1/0"}], "losses": "MIL"}, {"surprise": True},
    {"cards": [{"slot": "r/1/0", "when": {"difference": 1}}]},
    {"cards": [{"slot": "r/1/0", "when": {"my_cf": "9" * 3000}}, {"slot": "table"}]},
])  # fmt: skip
def test_a_malformed_document_is_the_null_policy(doc: Any) -> None:
    state = defender().state
    assert answering.shows(STANDING, state, asked_of(state), doc) == ()
    assert answer(state, doc) == CombatCards()


@pytest.mark.rule("8.5.3.1", "13.3.4/a")
def test_what_is_not_legal_here_is_the_null_answer_of_this_decision() -> None:
    """N14 takes a police unit; the document names one that is none."""
    position = field(3, merida="INF-1", zafra="R-POL-1 R-MIL-1", hand={N: ["N14"]})
    fought = Round(sealed(position), R, "zafra")
    fought.say(attack("merida", zafra="R-POL-1 R-MIL-1"))
    state = kernel.learn(fought.state, openings(fought.position, {"n/1/0": "N14"})).state
    assert answer(state, {"cards": [{"slot": "n/1/0"}]}) == CombatCards(("N14",))
    good, bad = ({"cards": [{"slot": "n/1/0", "target": u}]} for u in ("R-POL-1", "R-MIL-1"))
    assert answer(state, good) == CombatCards(("N14",), "R-POL-1")
    assert answer(state, bad) == CombatCards()


# --- scope, slots, time -------------------------------------------------------------------------


@pytest.mark.rule("8.5.3.1")
@pytest.mark.parametrize("slot, scope, until, speaks", [
    ("standing", None, None, True),
    ("west", {}, None, True),
    ("turn_end", None, None, False),
    ("standing", {"only": ["cards"]}, None, True),
    ("standing", {"only": ["losses", "retreat"]}, None, False),
    ("standing", {"when": [{"space": ["riotinto", "huelva"]}]}, None, True),
    ("standing", {"when": [{"space": "madrid"}, {"att_cf": ">=4"}]}, None, True),
    ("standing", {"when": [{"space": "madrid"}]}, None, False),
    ("standing", {"ask": [{"space": "riotinto"}]}, None, False),
    ("standing", {"ask": [{"space": "madrid"}]}, None, True),
    ("standing", None, "turn 3", True),
    ("standing", None, "turn 4", True),
    ("standing", None, "turn 2", False),
    ("standing", None, "turn 3 round 2", True),
    ("standing", None, "turn 3 round 1", False),
    ("standing", None, "tomorrow", False),
    ("standing", {"only": ["advance"]}, None, False),  # no scope at all
    ("standing", {"else": []}, None, False),
    ("standing", {"when": [{"luck": 1}]}, None, False),
])  # fmt: skip
def test_what_is_public_says_whether_it_speaks(
    slot: str, scope: Any, until: str | None, speaks: bool
) -> None:
    state = defender(round=2).state
    assert covers(state, asked_of(state), slot, scope, until) is speaks


@pytest.mark.rule("8.5.3.1")
def test_a_policy_is_split_by_fronts_to_show_less() -> None:
    written = {
        "losses": ["MIL"],
        "until": "turn 5",
        "slots": {
            "north": {"scope": {"when": {"space": ["bilbao"]}}, "combat_card": "R7"},
            "south": "none",
        },
    }
    position = defender().position
    assert faults(position, R, written) == ()
    general, north, south = parts(position, R, written)
    assert (general["slot"], general["until"], general["doc"]) == (
        "standing", "turn 5", {"losses": ["MIL"]},
    )  # fmt: skip
    assert (north["slot"], north["scope"]) == ("north", {"when": [{"space": ["bilbao"]}]})
    assert north["doc"] == {"cards": [{"slot": "r/1/0"}]}
    assert (south["slot"], south["doc"]) == ("south", None)  # withdrawn
    (named,) = parts(position, R, {"slot": "east", "losses": ["MIL"]})
    assert named["slot"] == "east"
    assert [part["slot"] for part in parts(position, R, {})] == ["standing"]


@pytest.mark.parametrize("written, path", [
    ({"slot": "turn_end"}, ("slot",)),
    ({"slot": "a b"}, ("slot",)),
    ({"slots": []}, ("slots",)),
    ({"slots": {"x/y": {}}}, ("slots", "x/y")),
    ({"slots": {"x": {"slots": {}}}}, ("slots", "x", "slots")),
    ({"slots": {"x": {"losses": "MIL"}}}, ("slots", "x", "losses")),
    ({"until": "turn 2"}, ("until",)),
    ({"until": 5}, ("until",)),
    ({"scope": {"only": ["advance"]}}, ("scope", "only", 0)),
    ({"scope": {"when": [{"difference": 1}]}}, ("scope", "when", 0, "difference")),
    ({"spare": "MIL"}, ("spare",)),
    ({"rally": ["XX"]}, ("rally", 0)),
    ({"forced": {"discard": ["R55"]}}, ("forced", "discard", 0)),
    ({"turn_end": []}, ("turn_end",)),
    ({"turn_end": {"losses": ["MIL"]}}, ("turn_end", "losses")),
    ({"turn_end": {"replacements": {"replace": "MIL"}}}, ("turn_end", "replacements")),
    ({"turn_end": {"replacements": ["MIL"]}}, ("turn_end", "replacements", 0)),
    ({"turn_end": {"replacements": [{"replace": "XX"}]}},
     ("turn_end", "replacements", 0, "replace")),
    ({"turn_end": {"replacements": [{"rebuild": {"steps": 1}}]}},
     ("turn_end", "replacements", 0, "rebuild")),
    ({"turn_end": {"replacements": [{"rebuild": {"unit": "RPA", "steps": 3}}]}},
     ("turn_end", "replacements", 0, "rebuild", "steps")),
    ({"turn_end": {"replacements": [{"rebuild": {"unit": "RPA", "using": "NAT"}}]}},
     ("turn_end", "replacements", 0, "rebuild", "using")),
    ({"turn_end": {"replacements": [{"reclaim": True}]}},
     ("turn_end", "replacements", 0, "reclaim")),
    ({"turn_end": {"markers": ["atlantis"]}}, ("turn_end", "markers")),
    ({"turn_end": {"discard": ["R3"]}}, ("turn_end", "discard", 0)),
    ({"turn_end": {"discard": ["R55"]}}, ("turn_end", "discard", 0)),
    ({"turn_end": {"redraw": "always"}}, ("turn_end", "redraw")),
    ({"turn_end": {"guerrilla": ["dance"]}}, ("turn_end", "guerrilla", 0)),
    ({"turn_end": {"guerrilla": [{"guerrilla": "atlantis"}]}},
     ("turn_end", "guerrilla", 0, "guerrilla")),
])  # fmt: skip
@pytest.mark.rule("8.5.3.1")
def test_faults_have_a_place(written: dict[str, Any], path: tuple[str | int, ...]) -> None:
    position = defender(round=1).position
    assert [fault.at for fault in faults(position, R, written)] == [path]


# --- every reaction -----------------------------------------------------------------------------


@pytest.mark.rule("18.1.9/b")
def test_a_lost_card_by_policy() -> None:
    position = sealed(table(12, hand={N: ["N3", "N8", "N5"]}, **on("18.1.9")))
    state = at(position, LosingCard(N))
    decision = asked_of(state)
    part = only_part(position, N, {"forced": {"discard": ["N8", "N3"]}})
    assert part["doc"] == {"forced": [["discard", ["n/1/1", "n/1/0"]]]}
    least = only_part(position, N, {"forced": {"discard": "lowest_ops"}})["doc"]
    slots = sorted(position.decks[N].hand, key=lambda s: position.card(position.secret[s]).ops)
    assert least["forced"][0][1][0] == slots[0]
    assert answering.shows(STANDING, state, decision, part["doc"]) == ("n/1/1",)
    # the null policy opens the first slot
    assert answering.shows(STANDING, state, decision, {}) == ("n/1/0",)
    unopened = {answering.answer(STANDING, each, asked_of(each), {}) for each in
                (state, replace(state, position=blind(position)))}  # fmt: skip
    assert len(unopened) == 1, "what only one view knows is no part of the answer"
    for doc, card in ((part["doc"], "N8"), ({}, "N3"), ({"forced": 1}, "N3"),
                      ({"forced": {"discard": ["n/1/1"]}}, "N3")):  # fmt: skip
        opened = {
            slot: position.secret[slot] for slot in answering.shows(STANDING, state, decision, doc)
        }
        learned = kernel.learn(state, openings(position, opened)).state
        assert answer(learned, doc) == Discard((card,))


@pytest.mark.rule("18.1.9/b")
def test_of_an_open_hand_the_least_card_is_lost() -> None:
    position = table(12, hand={N: ["N3", "N8", "N5"]})
    state = at(position, LosingCard(N))
    assert answer(state, {}) == asked_of(state).default


@pytest.mark.rule("card R60")
def test_a_step_given_back_by_policy() -> None:
    fought = defender()
    position = fought.position.with_combat(
        worn=("RPA-1", "R-MIL-1"), defender_cards=("R60",), by_attacker=2, by_defender=1
    )
    state = State(position, (Rallying(R),))
    assert answer(state, {"rally": ["MIL"]}) == Replace("R-MIL-1")
    assert answer(state, {"rally": ["RPA", "MIL"]}) == Replace("RPA-1")
    assert answer(state, {}) == asked_of(state).default


@pytest.mark.rule("18.3.1/a")
def test_a_survivor_by_policy() -> None:
    fought = defender(**on("18.3.1"))
    position = fought.position.with_combat(withdrawal=True, by_attacker=9)
    state = State(position, (Survivor(R),))
    assert answer(state, {"spare": ["RPA"]}) == Spare("RPA-1")
    assert answer(state, {"spare": ["MIL"]}) == Spare("R-MIL-1")
    assert answer(state, {}) == asked_of(state).default


@pytest.mark.rule("19.5.5.1/d")
def test_losses_before_the_first_turn_by_policy() -> None:
    position = table(scenario="republican_collapse")
    state = at(position, InitialLosses(N, 5, "19.5.5.1"))
    by_type = answer(state, {"losses": ["corps"]})
    assert isinstance(by_type, Losses) and position.type_of(by_type.steps[0]).is_corps
    assert answer(state, {}) == asked_of(state).default
    assert covers(state, asked_of(state), "standing", {"only": ["losses"]}, None)


@pytest.mark.rule("card N31", "card R47")
def test_what_a_card_takes_is_a_pair_of_the_card_and_words() -> None:
    assert only_part(table(), R, {"forced": {"N31": ["full"]}})["doc"] == {
        "forced": [["N31", ["full"]]]
    }
    both = {"forced": {"discard": ["N8"], "R47": ["reduced"]}}
    position = sealed(table(12, hand={N: ["N8"]}, **on("18.1.9")))
    part = only_part(position, N, both)
    assert [card for card, _ in part["doc"]["forced"]] == ["R47", "discard"]
    check_domain(part["doc"])


@pytest.mark.parametrize(
    "forced, at",
    [
        ({"N31": ["full"]}, ("forced",)),
        ([["N31"]], ("forced", 0)),
        ([["N31", ["full"]], ["N31", ["full"]]], ("forced", 1)),
        ([["R47", ["full"]], ["N31", ["full"]]], ("forced", 1)),
        ([["n31", ["full"]]], ("forced", "n31")),
        ([["N31", [["full"]]]], ("forced", "N31", 0)),
        ([["discard", [1]]], ("forced", "discard", 0)),
    ],
)
def test_what_no_pairs_of_cards_and_words_are_is_no_policy(
    forced: Any, at: tuple[str | int, ...]
) -> None:
    found = [*sealing.document_faults(TABLE, table(), R, {"forced": forced})]
    assert [fault.at for fault in found] == [at]


def test_every_reaction_has_its_answer() -> None:
    named = {"cards", "losses", "cancel_retreat", "retreat", "rally", "withdraw_first", "spare",
             "forced"}  # fmt: skip
    reactions = TABLE.questions("standing")
    assert {*reactions} == named | {"lost_card"}
    assert named <= {part.name for part in TABLE.rows}
    assert [*scopes.scope_faults(TABLE, table(), "standing", {"only": list(reactions)})] == []


BY_POLICY = (
    "Casualties", "DefendersCards", "Discards", "FallBack", "ForcedRemoval", "GuerrillaCorps",
    "InitialLosses", "LateCards", "LosingCard", "MarkerRemoval", "Overflow", "Rallying",
    "Redrawing", "ReturningCorps", "Spending", "StandFast", "Surplus", "Survivor", "Withdrawal",
)  # fmt: skip
OPENED = ("ShowingCards",)
"""The owner has no choice: they open the cards, and that is the answer."""
IN_THEIR_OWN_ROUND = (
    "Activation", "ArmoredCorps", "BonusChoice", "CapturedTank", "Combats", "CorpsReinforcing",
    "Disembarkation", "Fortifying", "KeepingCard", "Landing", "Movement", "PlanP", "PlayCard",
    "Pursuit", "Redeployment", "Reinforcing", "Uprising",
)  # fmt: skip
BEFORE_A_TURN = (
    "ChosenCard", "CorpsShift", "InitialCorps", "ManoeuvreArmies", "Militarization",
    "ReserveCheck", "SetUpUnit", "SetUpWorks",
)  # fmt: skip
"""Both deploy, without dice: a list of orders of each, ahead of its questions, is enough."""


def every_question(kind: type[PlayerStage[Position]] = PlayerStage) -> Iterator[str]:
    for each in kind.__subclasses__():
        if each.__module__.startswith("pbem.games.crusade"):
            below = list(every_question(each))
            yield from below or [each.__name__]


def test_every_question_is_one_of_these() -> None:
    """A new question has to be thought of: would it cost a mail in the enemy's round?"""
    for module in walk_packages(stages.__path__, f"{stages.__name__}."):
        import_module(module.name)
    known = (*BY_POLICY, *OPENED, *IN_THEIR_OWN_ROUND, *BEFORE_A_TURN)
    assert sorted(every_question()) == sorted(known)


# --- the end of a turn --------------------------------------------------------------------------


def turn_end(position: Position, side: Side, **said: Any) -> dict[str, Any]:
    part = only_part(position, side, {"turn_end": said})
    assert part["slot"] == "turn_end"
    return part


@pytest.mark.rule("14.1.2")
@pytest.mark.parametrize("lines, order", [
    ([{"replace": "INF"}], Replace("INF-1")),
    ([{"replace": "INF-2"}, {"replace": "INF"}], Replace("INF-2")),
    ([{"replace": "CAV"}, {"rebuild": "POL"}], Rebuild("N-POL-1", 2)),
    ([{"rebuild": {"unit": "N-POL-1", "steps": 1, "using": "NAT"}}],
     Rebuild("N-POL-1", 1, "NAT")),
    ([{"siege": "alcazar"}], Supply("alcazar")),
    ([{"rebuild": "CAV"}, {"replace": "ITA"}], Done()),
    ([], Done()),
])  # fmt: skip
def test_points_are_spent_from_the_top(lines: list[Any], order: Order) -> None:
    units = {"sevilla": "(INF-1) (INF-2)", ELIMINATED: "N-POL-1"}
    position = table(2, units=units, rp={"NAT": 4}, round=6, sieges={"alcazar": 2})
    doc = turn_end(position, N, replacements=lines)["doc"]
    assert answer(at(position, Spending(N)), doc) == order


@pytest.mark.rule("14.1.2", "8.5.2.4")
@pytest.mark.parametrize(("word", "points", "order"), [
    ("corps", 1, Done()),
    ("corps", 3, Rebuild("N-I", 1, "", "la_coruna")),
    ("corps", 4, Rebuild("N-I", 2, "", "la_coruna")),
    ("POL", 1, Rebuild("N-POL-1", 1)),
    ("POL", 2, Rebuild("N-POL-1", 2)),
])  # fmt: skip
def test_as_many_steps_are_rebuilt_as_can_be_paid(word: str, points: int, order: Order) -> None:
    """A corps for which no space is named is placed in the first that it may come to."""
    position = table(8, units={ELIMINATED: "N-I N-POL-1"}, rp={"NAT": points}, round=6)
    doc = turn_end(position, N, replacements=[{"rebuild": word}])["doc"]
    assert answer(at(position, Spending(N)), doc) == order


@pytest.mark.rule("14.1.2")
def test_a_list_is_gone_through_until_nothing_of_it_can_be_paid() -> None:
    units = {"sevilla": "(INF-1) (INF-2) (INF-3)"}
    position = table(2, units=units, rp={"NAT": 4}, round=6)
    doc = turn_end(position, N, replacements=[{"replace": "INF"}])["doc"]
    state, bought = at(position, Spending(N)), []
    while kernel.waits_for(state) is not None:
        order = answer(state, doc)
        bought.append(order)
        state = kernel.submit(state, order).state
    assert bought[:2] == [Replace("INF-1"), Replace("INF-2")]
    assert len(state.position.rp) == 0 or state.position.rp["NAT"] < 4


@pytest.mark.rule("13.4.3", "10.2.10", "9.1.4")
def test_corps_markers_and_a_space_too_full_by_policy() -> None:
    abroad = table(9, units={ABROAD: "R-V"}, returning={"R-V": 9}, round=6)
    state = at(abroad, ReturningCorps(R))
    ready = [each.order for each in asked_of(state).options[0].examples(every)]  # type: ignore[misc]
    last = ready[-1].to
    assert answer(state, turn_end(abroad, R, returning=[last])["doc"]) == Deploy("R-V", last)
    assert answer(state, {}) == ready[0]

    forts = {"zafra": Fort("position", R), "merida": Fort("trench", R)}
    marked = at(table(3, forts=forts, round=6), MarkerRemoval(R))
    assert answer(marked, {"markers": ["zafra", "lerida"]}) == RemoveMarker("zafra")
    assert answer(marked, {"markers": ["lerida"]}) == answer(marked, {}) == Done()

    units = {"mallorca": "R-MIL-1 R-MIL-2 RPA-1 RPA-2"}
    full = at(table(2, units=units, republican=["mallorca"]), Surplus(N, "mallorca"))
    assert answer(full, {"surplus": ["RPA"]}) == Remove("RPA-1")
    assert covers(full, asked_of(full), "turn_end", None, None)


@pytest.mark.rule("8.5.3.6")
def test_discards_are_named_by_slot_and_opened_first() -> None:
    position = sealed(table(3, hand={N: ["N5", "N3", "N7"]}, round=6, active=N))
    part = turn_end(position, N, discard=["N7", "N5"])
    assert part["doc"] == {"discard": ["n/1/2", "n/1/0"]} and part["clear"] is False
    later = position.but(turn=4, round=0)
    state = at(later, draw.Discards(N))
    assert covers(state, asked_of(state), "turn_end", part["scope"], part["until"])
    assert answering.shows(STANDING, state, asked_of(state), part["doc"]) == ("n/1/2", "n/1/0")
    assert answer(state, part["doc"]) == Done()  # as long as nothing is open
    known = {slot: position.secret[slot] for slot in ("n/1/0", "n/1/2")}
    learned = kernel.learn(state, openings(later, known)).state
    assert answer(learned, part["doc"]) == Discard(("N7", "N5"))
    gone = later.with_deck(N, hand=("n/1/0", "n/1/1")).with_shown(N, "n/1/0", "N5")
    assert answer(at(gone, draw.Discards(N)), part["doc"]) == Discard(("N5",))


@pytest.mark.rule("15.1.2")
def test_a_redraw_is_left_to_the_player_unless_they_say_never() -> None:
    position = sealed(table(6, hand={N: ["N3", "N5"]}, active=R))
    state = at(position, draw.Redraws((N,)))
    silent, never = (turn_end(position.but(turn=5, round=6), N, **said)
                     for said in ({}, {"redraw": "never"}))  # fmt: skip
    assert not covers(state, asked_of(state), "turn_end", silent["scope"], silent["until"])
    assert covers(state, asked_of(state), "turn_end", never["scope"], never["until"])
    assert answer(state, never["doc"]) == Done()


@pytest.mark.rule("4.3.2", "15.1.2")
def test_where_all_see_that_a_hand_must_go_it_goes() -> None:
    hand = {N: ["N3", "N5"]}
    position = table(6, scenario="two_years_of_war", hand=hand, options=frozenset({"open_hands"}))
    assert answer(at(position, draw.Redraws((N,))), {}) == Redraw()


@pytest.mark.rule("18.1.9")
def test_guerrillas_by_policy() -> None:
    position = table(12, active=R, **on("18.1.9"))
    state = at(position, GuerrillaCorps())
    part = turn_end(position.but(turn=11, round=6), R, guerrilla=["intelligence"])
    assert "guerrilla" in part["scope"]["only"]
    assert covers(state, asked_of(state), "turn_end", part["scope"], part["until"])
    assert answer(state, part["doc"]) == Guerrilla("intelligence")
    assert answer(state, {"guerrilla": "none"}) == Done()
    assert answer(state, {"guerrilla": [{"guerrilla": "madrid"}, "sabotage"]}) == Guerrilla(
        "sabotage"
    )


@pytest.mark.rule("6.0.E.1", "6.0.E.2")
def test_it_is_for_one_end_of_a_turn_and_sealed() -> None:
    """Also by whoever moves last: it goes in clear only to an enemy who is bound (page 82)."""
    north = turn_end(table(3, round=6, active=N), N)
    assert (north["until"], north["clear"]) == ("turn 3", False)
    last = turn_end(table(3, round=6, active=R), R)
    assert (last["until"], last["clear"]) == ("turn 3", False)
    assert turn_end(table(3, round=6, active=N), N, until="turn 9")["until"] == "turn 9"
    withdrawn = only_part(table(3), N, {"turn_end": "none"})
    assert (withdrawn["slot"], withdrawn["doc"]) == ("turn_end", None)


@pytest.mark.rule("6.0.A.2")
def test_what_comes_before_the_first_round_belongs_to_the_turn_before() -> None:
    """So that what was said at the end of a turn, in orders or as a policy, still holds."""
    game, drawing = system("crusade"), table(4, active=R)
    assert game.clock(drawing).span == game.clock(table(3, active=R, round=6)).span
    assert game.clock(table(1)).span != game.clock(table(1, round=1)).span
    state = at(drawing.but(known={}), MarkerRemoval(R))
    assert state.agenda == () or asked_of(state)


# --- the form -----------------------------------------------------------------------------------


@pytest.mark.rule("8.5.3.1")
@pytest.mark.parametrize("number", [1, 6])
def test_the_form_offers_a_policy_that_can_be_given(number: int) -> None:
    hand = {R: ["R7", "R3"]}
    position = sealed(table(3, hand=hand, round=number, active=R, **on("18.1.9", "18.3.1")))
    told, *lines = example(position, R)
    assert "costs two mails" in told and "or some of R7, " in lines[1]
    assert all(len(line) <= 98 for line in lines if "#" in line)
    file = parse(Source("form.yaml", "\n".join(lines)), system("crusade").verbs)
    assert file.standing is not None and faults(position, R, file.standing) == ()
    assert ("turn_end" in file.standing) is (number == 6)
    assert [part["slot"] for part in parts(position, R, file.standing)] == [
        "standing", *(["turn_end"] if number == 6 else []), "own",
    ]  # fmt: skip


def test_names_in_standing_orders_are_bound_as_in_orders() -> None:
    """Printed names, short ids and small letters, wherever a policy names something."""
    game = system("crusade")
    options = frozenset({"18.1.9"})
    position = table(3, hand={R: ["R7", "R29"]}, round=6, active=R, options=options)
    names = game.names(State(position, ()), R, None, answering=False)
    said = {
        "losses": ["MIL-7", {"lose_last": ["INT"]}], "combat_card": ["r29"],
        "cards": [{"card": "r7", "when": {"space": ["Cáceres", "Madrid"], "att_cards": "n7"}}],
        "retreat": {"sequence": ["mil-8"], "prefer": [{"toward": "Málaga"}, {"into": "supply"}]},
        "scope": {"ask": [{"from": "Mérida"}]},
        "slots": {"north": {"losses": ["mil-9"]}},
        "turn_end": {"returning": ["Cuenca"], "replacements": [{"replace": {"unit": "mil-7"}}],
                     "guerrilla": ["sabotage", {"guerrilla": "Cádiz"}]},
    }  # fmt: skip
    bound = {
        "losses": ["R-MIL-7", {"lose_last": ["INT"]}], "combat_card": ["R29"],
        "cards": [{"card": "R7", "when": {"space": ["caceres", "madrid"], "att_cards": "N7"}}],
        "retreat": {
            "sequence": ["R-MIL-8"], "prefer": [{"toward": "malaga"}, {"into": "supply"}],
        },
        "scope": {"ask": [{"from": "merida"}]},
        "slots": {"north": {"losses": ["R-MIL-9"]}},
        "turn_end": {"returning": ["cuenca"], "replacements": [{"replace": {"unit": "R-MIL-7"}}],
                     "guerrilla": ["sabotage", {"guerrilla": "cadiz"}]},
    }  # fmt: skip
    assert reading.bound(game.policies, names, said) == bound
    assert faults(position, R, said) != () == faults(position, R, bound)


def test_no_word_of_a_ranking_is_taken_for_the_name_of_a_unit() -> None:
    game = system("crusade")
    for side in (N, R):
        position = table(3)
        names = game.names(State(position, ()), side, None, answering=False)
        words = [*usual_words(position), "flip_before_kill"]
        assert reading.bound(game.policies, names, {"losses": words}) == {"losses": words}
