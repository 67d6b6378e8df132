"""The chances of attacks: the worked examples, and every fall of the dice rolled one by one."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import chain, product
from time import process_time
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, State
from pbem.engine.odds import Chances
from pbem.games.crusade import events as e
from pbem.games.crusade.fire_words import MODIFIERS
from pbem.games.crusade.odds import RULES, CombatOdds
from pbem.games.crusade.orders import Attack, Done
from pbem.games.crusade.position import NO_BOOST, Fort, Position
from pbem.games.crusade.rules.engagement import boost_of
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.tables import SIDES
from pbem.play.odds import AttackOdds, in_short, odds_of, said
from pbem.play.prepare import Prepared, Tried
from pbem.play.series import Case, InSeries, in_series
from pbem.play.table import Table
from pbem.value import replace
from pbem.words import listing
from tests.bots import ScriptedDice
from tests.conftest import FUZZ
from tests.contract.playing import playout, system
from tests.games.crusade.board import N, R, blind, sealed
from tests.games.crusade.fights import Round, attack, field
from tests.games.crusade.test_ch20_examples import badajoz, round_five, teruel
from tests.games.crusade.test_ch24_example import Turn
from tests.house.matrix import plain
from tests.pace import slowness

ODDS = CombatOdds()


def columns(chances: Chances) -> list[tuple[int, str]]:
    """Strength and column of each side's fire, the attacker's first."""
    return [(each.strength, str(each.column)) for each in chances.salvos]


def reasons(factors: Any) -> list[tuple[str, int, str]]:
    return [(str(each.words), each.number, str(each.rule)) for each in factors]


def steps(position: Position, side: str) -> int:
    """All steps of a side's units that are not out of play."""
    gone = {"eliminated", "removed", "pool"}
    return sum(position.steps_left(unit) for unit, counter in position.counters.items()
               if position.side_of(unit) == side and counter.place not in gone)  # fmt: skip


Found = tuple[str, tuple[tuple[str, int], ...]]


def rolled(before: Position, step: kernel.Progress, *faces: int) -> Found:
    """Winner and steps lost in a combat that is begun and carried out whole, with these faces."""
    dice = ScriptedDice(*faces)
    attacker = step.state.position.fought.attacker
    while True:
        for event, after in zip(step.events, step.positions, strict=True):
            if isinstance(event, e.CombatDecided):
                assert dice.left == 0
                sides = (attacker, *(side for side in SIDES if side != attacker))
                lost = tuple((side, steps(before, side) - steps(after, side)) for side in sides)
                return event.winner, lost
        asked = kernel.waits_for(step.state)
        if isinstance(asked, Decision):
            step = kernel.submit(step.state, asked.default)
        else:
            step = kernel.roll(step.state, dice)


def told(chances: Chances) -> Counter[Found]:
    found: Counter[Found] = Counter()
    for branch in chances.branches:
        assert (branch.winner or "", branch.lost) not in found
        found[branch.winner or "", branch.lost] = branch.ways
    return found


def every_fall(state: State[Position], order: Attack) -> Counter[Found]:
    begun = kernel.submit(state, order)
    falls = product(range(1, 7), repeat=2)
    return Counter(rolled(state.position, begun, *dice) for dice in falls)


# --- worked examples ----------------------------------------------------------------------------


@pytest.mark.rule("20.1", "11.2.5", "11.2.6", "11.3.6")
def test_the_attack_on_badajoz() -> None:
    fought = Round(badajoz(), N, "caceres", "zafra")
    order = attack("badajoz", "N10", caceres="INF-1", zafra="INF-2 AFR-1")
    chances = ODDS.of(fought.state, order)
    assert chances.where == "Badajoz" and chances.ways == 36
    attacker, defender = chances.salvos
    assert columns(chances) == [(6, "column 5 of the division table"),
                                (2, "column 2 of the division table")]  # fmt: skip
    assert reasons(attacker.shifts) == [("Position", -1, "11.2.6")]
    assert reasons(attacker.modifiers) == [("García Morato", 1, "card N10")]
    assert defender.shifts == defender.modifiers == ()
    assert reasons(chances.notes) == [("AFR-1 takes the first loss", 0, "11.3.6")]
    assert reasons(chances.supposed) == [("retreat and advance are not counted", 0, "11.2.10")]
    assert chances.ways_where(lambda each: each.winner == N) == 31
    assert chances.spread(N) == {0: 6, 1: 30} and list(chances.spread(R)) == [1, 2, 3]
    assert told(chances) == every_fall(fought.state, order)


@pytest.mark.rule("CC.R45", "card N60", "11.3.6")
@pytest.mark.parametrize("side, units, cards, card, notes", [
    (R, "R-V RPA-1 RPA-2", "", "R45", [("RPA-1 or RPA-2 takes the first loss", 0, "CC.R45")]),
    (R, "RPA-1 RPA-2", "", "R45", []),
    (R, "R-V R-XVIII", "", "R45", []),
    (N, "N-I INF-3 CAV-1", "N60", "N34", [("CAV-1 takes the first loss", 0, "card N60")]),
    (N, "AFR-1 CAV-1", "N60", "N34", [("AFR-1 takes the first loss", 0, "11.3.6")]),
])  # fmt: skip
def test_who_loses_first_is_told_by_the_rule_that_says_so(
    side: str, units: str, cards: str, card: str, notes: list[Any]
) -> None:
    position = field(13, sevilla=units, riotinto="N-V INF-9" if side == R else "R-I RPA-9",
                     hand={side: [cards] if cards else []})  # fmt: skip
    fought = Round(position, side, "sevilla", boost=boost_of(position, card))
    order = attack("riotinto", cards, sevilla=units)
    assert reasons(ODDS.of(fought.state, order).notes) == notes


@pytest.mark.rule("11.2.5", "18.2.1", "17.5.1", "16.5.3", "16.5.2", "8.5.5.2")
@pytest.mark.parametrize("side, turn, target, card, facts, expected", [
    (N, 13, "riotinto", "N34", {}, [("Offensive (Northern Front)", 1, "card N34")]),
    (N, 13, "riotinto", "N27", {}, [("Condor Legion", 1, "card N27")]),
    (R, 13, "sevilla", "R33", {}, [("Strategic Counterattack (Brunete)", 1, "card R33")]),
    (R, 1, "sevilla", "", {}, [("militia, turn 1", -1, "17.5.1")]),
    (R, 1, "sevilla", "", {"options": "18.2.1"}, [("militia, turn 1", -1, "17.5.1")]),
    (R, 3, "sevilla", "", {"options": "18.2.1"}, [("inexperienced militia", -1, "18.2.1")]),
    (R, 11, "teruel", "", {}, [("winter in the mountains", -1, "16.5.2/b")]),
    (R, 11, "teruel", "", {"flags": "severe_winter_11"},
     [("severe winter in the mountains", -2, "16.5.3")]),
])  # fmt: skip
def test_each_modifier_has_the_rule_that_gives_it(
    side: str, turn: int, target: str, card: str, facts: dict[str, str], expected: list[Any]
) -> None:
    start = {"riotinto": "sevilla", "sevilla": "riotinto", "teruel": "ademuz"}[target]
    units, enemy = ("INF-1", "R-MIL-1") if side == N else ("R-MIL-1", "INF-1")
    more = {name: frozenset(words.split()) for name, words in facts.items()}
    position = field(turn, **{start: units, target: enemy}, **more)
    fought = Round(position, side, start, boost=boost_of(position, card) if card else NO_BOOST)
    order = attack(target, **{start: units})
    attacker, _ = ODDS.of(fought.state, order).salvos
    assert reasons(attacker.modifiers) == expected


@pytest.mark.rule("20.2", "8.5.5.2", "11.2.5")
def test_the_counterattack_on_teruel() -> None:
    position = teruel()
    fought = Round(position, R, "barracas", "ademuz", boost=boost_of(position, "R34"))
    order = attack("teruel", "R29", barracas="R-I R-MIL-1", ademuz="R-V R-MIL-2")
    chances = ODDS.of(fought.state, order)
    assert [column for _, column in columns(chances)] == [
        "column 6-8 of the corps table", "column 5 of the corps table"
    ]  # fmt: skip
    assert [rule for _, _, rule in reasons(chances.salvos[0].modifiers)] == ["card R29", "card R34"]
    assert "the defender plays no combat card" in listing(each.words for each in chances.supposed)
    assert told(chances) == every_fall(fought.state, order)


@pytest.mark.rule("24.2", "17.5.1", "11.2.6")
@pytest.mark.parametrize(
    ("order", "fires"),
    [
        (attack("merida", caceres="INF-2 MIL-NAV-1 MIL-NAV-2"), ["5", "1"]),
        (attack("santa_olalla", sevilla="AFR-1 AFR-2", riotinto="CAV-1"), ["7", "2"]),
        (attack("jerez_de_los_caballeros", riotinto="INF-1 N-POL-1"), ["3", "1"]),
    ],
    ids=lambda each: getattr(each, "space", None),
)
def test_the_attacks_of_round_five(order: Attack, fires: list[str]) -> None:
    fought = Round(round_five(), N, "sevilla", "riotinto", "caceres")
    chances = ODDS.of(fought.state, order)
    assert [c for _, c in columns(chances)] == [f"column {c} of the division table" for c in fires]
    assert told(chances) == every_fall(fought.state, order)


class Asking(Turn):
    """Chapter 24, with the chances of each attack before it."""

    def __init__(self) -> None:
        super().__init__()
        self.chances: list[Chances] = []

    def step(self, table: Table) -> Table:
        after = super().step(table)
        assert after.told
        declared = [each for each in after.told.events if isinstance(each, e.AttackDeclared)]
        if declared:
            made = after.state.position.fought
            units: dict[str, tuple[str, ...]] = {}
            for unit, space in made.origins.items():
                units[space] = (*units.get(space, ()), unit)
            order = Attack(made.space, units, made.attacker_cards, armor=made.armor,
                           losses=made.ranking, advance=made.plan)  # fmt: skip
            self.chances.append(ODDS.of(table.state, order))
        return after


@pytest.mark.rule("24.2", "11.2.3", "11.2.5", "11.2.6")
def test_chapter_24_fires_as_it_was_told() -> None:
    turn = Asking()
    turn.play()
    fires = [event for event, _ in turn.of_kind(e.FireResolved)]
    foretold = [salvo for chances in turn.chances for salvo in chances.salvos]
    assert len(fires) == len(foretold) == 12
    for fire, salvo in zip(fires, foretold, strict=True):
        assert isinstance(fire, e.FireResolved)
        assert (fire.side, fire.strength) == (salvo.side, salvo.strength)
        assert str(salvo.column) == f"column {fire.column} of the {fire.table} table"
        assert [number for _, number in fire.shifts] == [each.number for each in salvo.shifts]
        assert [number for _, number in fire.drms] == [each.number for each in salvo.modifiers]
    results = [event for event, _ in turn.of_kind(e.CombatDecided)]
    for result, chances in zip(results, turn.chances, strict=True):
        assert isinstance(result, e.CombatDecided)
        assert any((each.winner or "") == result.winner for each in chances.branches)


# --- one after another ----------------------------------------------------------------------------


def in_a_file(position: Position, marked: str, *orders: Attack, **how: Any) -> list[AttackOdds]:
    state = Round(position, N, *marked.split()).state
    here = Table(system("crusade"), {"A": N, "B": R}, state)
    tried = tuple(Tried(f"o.yaml:{at}", here, each, is_ahead=at > 3, **(how if at > 3 else {}))
                  for at, each in enumerate(orders, 3))  # fmt: skip
    return list(odds_of(Prepared((), (), (), 1, here, tried=tried), whole=True))


PAIR = (
    attack("badajoz", merida="INF-1 INF-2"),
    attack("zafra", jerez_de_los_caballeros="INF-3"),
)


def beaten_into_zafra() -> Position:
    """Nobody stands in Zafra yet, but who is beaten in Badajoz may go there."""
    there = {"merida": "INF-1 INF-2", "badajoz": "R-MIL-1", "jerez_de_los_caballeros": "INF-3"}
    return field(8, **there)


def test_a_second_attack_is_told_as_each_fall_of_the_first_leaves_it() -> None:
    marked = ("merida", "jerez_de_los_caballeros")
    found: Counter[Any] = Counter()
    for dice in product(range(1, 7), repeat=2):
        fought = Round(beaten_into_zafra(), N, *marked)
        fought.say(PAIR[0]).roll(*dice)
        while fought.state.agenda and not isinstance(fought.state.agenda[-1], Combats):
            fought.say(kernel.waits_for(fought.state).default)  # type: ignore[union-attr]
        is_legal = not kernel.violations(fought.state, PAIR[1])
        found[ODDS.of(fought.state, PAIR[1]) if is_legal else None] += 1
    first, second = in_a_file(beaten_into_zafra(), " ".join(marked), *PAIR)
    assert first.series is None and second.series
    told = {each.chances: each.share for each in second.series.cases}
    assert told == {chances: Fraction(ways, 36) for chances, ways in found.items()}
    assert len(told) == 2 and None in told
    lines = [*said((second,), system("crusade").words)]
    assert lines[:3] == [
        "o.yaml:4: attack on Zafra",
        "  67 %: not possible, this is not asked for any more",
        "  33 %:",
    ]
    assert "  in all: wins 19 %, loses a step or more 11 %" in lines
    untold, possible = second.plain()["cases"]
    assert untold["share"] == [2, 3] and possible["share"] == [1, 3]


def test_who_must_have_won_is_told_where_that_tells_the_cases_apart() -> None:
    one, other = (Case(Fraction(share, 3), frozenset({who}), why="because")
                  for share, who in ((2, N), (1, None)))  # fmt: skip
    seen = in_a_file(beaten_into_zafra(), "merida jerez_de_los_caballeros", *PAIR)[1]
    told = AttackOdds(seen.order, ODDS.of(seen.order.table.state, PAIR[0]),
                      series=InSeries((one, other)))  # fmt: skip
    lines = [*said((told,), system("crusade").words)]
    assert lines[1:3] == ["  67 % if Nationalist wins before: not possible, because",
                          "  33 % if no side wins before: not possible, because"]  # fmt: skip


def test_a_series_ends_where_nobody_can_tell_how_it_goes_on() -> None:
    marked = "merida jerez_de_los_caballeros"
    (_, waiting) = in_a_file(beaten_into_zafra(), marked, *PAIR, waits=True)
    assert waiting.series is None
    state = Round(beaten_into_zafra(), N, *marked.split()).state
    here = Table(system("crusade"), {"A": N, "B": R}, state)
    one, done, other = (Tried(f"o.yaml:{at}", here, each, is_ahead=at > 3)
                        for at, each in enumerate((PAIR[0], Done(), PAIR[1]), 3))  # fmt: skip
    odds = here.system.odds
    assert [each.where for each, _ in in_series((one, other), odds)] == ["o.yaml:5"]
    assert [*in_series((one, done, other), odds)] == []
    assert [*in_series((replace(one, is_ahead=True), other), odds)] == []
    assert [*in_series((replace(one, is_passed_over=True), other), odds)] == []
    assert [*in_series((done,), odds)] == [] == [*in_series((one,), odds)]


def test_an_order_that_lapses_leaves_things_as_they_are() -> None:
    """The second attack has no target unless the first brings one; the third finds the same."""
    marked = "merida jerez_de_los_caballeros"
    _, second, third = in_a_file(beaten_into_zafra(), marked, *PAIR, PAIR[1])
    assert second.series and third.series
    assert sum(each.share for each in third.series.cases) == 1


def test_too_many_ends_are_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pbem.play.series.MOST_ENDS", 1)
    there = {"zafra": "R-MIL-2", "merida": "INF-1 INF-2", "badajoz": "R-MIL-1"}
    position = field(8, **there, jerez_de_los_caballeros="INF-3")
    _, second = in_a_file(position, "merida jerez_de_los_caballeros", *PAIR)
    assert second.series and second.series.cases == () and second.chances
    lines = [*said((second,), system("crusade").words)]
    assert lines[1].startswith("  as things are before the earlier attacks, which may end in more")


FIVE = {
    "merida": "INF-1 INF-2", "badajoz": "R-MIL-1", "huelva": "INF-3", "riotinto": "R-MIL-2",
    "ecija": "INF-4", "cordoba": "R-MIL-3", "granada": "INF-5", "guadix": "R-MIL-4",
    "avila": "INF-6", "segovia": "R-MIL-5",
}  # fmt: skip
MOST_SECONDS = 0.1


def test_five_attacks_are_told_in_a_tenth_of_a_second() -> None:
    """The second is the same at each end of the first; behind it the ends are too many."""
    pairs = list(zip([*FIVE][::2], [*FIVE][1::2], strict=True))
    orders = [attack(enemy, **{own: FIVE[own]}) for own, enemy in pairs]
    position, marked, seconds = field(8, **FIVE), " ".join(own for own, _ in pairs), []
    for _ in range(3):
        begun = process_time()
        found = in_a_file(position, marked, *orders)
        seconds.append(process_time() - begun)
    assert [each.series and len(each.series.cases) for each in found] == [None, 1, 0, 0, 0]
    assert all(each.chances for each in found)
    assert min(seconds) < MOST_SECONDS * slowness()


# --- with one card more ----------------------------------------------------------------------


@pytest.mark.rule("8.5.3", "11.2.4")
def test_each_card_of_the_hand_that_fits_is_told_as_every_fall_brings_it() -> None:
    state = Round(badajoz(), N, "caceres", "zafra").state
    plain = attack("badajoz", caceres="INF-1", zafra="INF-2 AFR-1")
    ((name, more),) = ODDS.with_more(state, plain)
    assert str(name) == "García Morato (N10)" and more == replace(plain, cards=("N10",))
    assert told(ODDS.of(state, more)) == every_fall(state, more)
    assert told(ODDS.of(state, plain)) != told(ODDS.of(state, more))
    assert [*ODDS.with_more(state, more)] == [], "nothing is played twice"
    seen = Tried("o.yaml:3", Table(system("crusade"), {"A": N, "B": R}, state), plain)
    (found,) = odds_of(Prepared((), (), (), 1, seen.table, tried=(seen,)), whole=True)
    lines = " ".join(each.strip() for each in said((found,), seen.table.system.words))
    assert lines.endswith(
        "with García Morato (N10): 6 against 2, wins 86 %, loses a step 83 %; Republican: loses a "
        "step or more 100 %"
    )
    assert found.plain()["more"][0]["with"] == str(name)
    assert found.plain()["more"][0]["ways"] == 36
    (short,) = odds_of(Prepared((), (), (), 1, seen.table, tried=(seen,)))
    assert not short.more and "more" not in short.plain()


def test_a_card_may_be_added_to_a_later_attack_too_unless_an_earlier_one_takes_it() -> None:
    there = {"zafra": "R-MIL-2", "merida": "INF-1 INF-2", "badajoz": "R-MIL-1"}
    rest = {"jerez_de_los_caballeros": "INF-3", "huelva": "INF-4", "riotinto": "R-MIL-3"}
    position = field(8, **there, **rest, hand={N: ["N10"]})
    last = attack("riotinto", huelva="INF-4")
    marked = "merida huelva"
    for first, cards in (
        (PAIR[0], ["García Morato (N10)"]),
        (replace(PAIR[0], cards=("N10",)), []),
    ):
        _, second = in_a_file(position, marked, first, last)
        assert [str(card) for card, _ in second.more] == cards
        alone = ODDS.of(Round(position, N, "huelva").state, replace(last, cards=("N10",)))
        assert all(each == alone for _, each in second.more)


def test_only_who_sees_a_hand_is_told_what_its_cards_would_do() -> None:
    order = attack("badajoz", caceres="INF-1", zafra="INF-2 AFR-1")
    own = Round(sealed(badajoz()), N, "caceres", "zafra").state
    assert [more.cards for _, more in ODDS.with_more(own, order)] == [("N10",)]  # type: ignore[attr-defined]
    others = Round(blind(sealed(badajoz())), N, "caceres", "zafra").state
    assert [*ODDS.with_more(others, order)] == []


# --- random attacks -----------------------------------------------------------------------------


def random_attacks(seed: int, most: int) -> Iterator[tuple[State[Position], Attack]]:
    """Attacks of random games, one after another until there are as many."""
    rng = random.Random(f"odds {seed}")
    games = (playout("crusade", "campaign", seed + 1000 * game) for game in range(10))
    for moment in chain.from_iterable(games):
        if isinstance(moment.order, Attack) and rng.random() < 0.5:
            combat = moment.step.state.position.combat
            if combat is None or combat.by_defender is not None:
                continue
            yield moment.state, moment.order
            most -= 1
            if not most:
                return


@pytest.mark.parametrize("seed", range(2, 2 + 2 * FUZZ))
def test_random_attacks_against_every_fall_of_the_dice(seed: int) -> None:
    found = 0
    for state, order in random_attacks(seed, 5):
        chances = ODDS.of(state, order)
        assert told(chances) == every_fall(state, order), order
        found += 1
    assert found == 5


@pytest.mark.rule("18.3.10")
def test_three_dice_a_side_by_a_sample() -> None:
    """46,656 falls are counted by their Loss Numbers; a few hundred rolls stay near to that."""
    position = field(
        8, zafra="INF-1 INF-2 CAV-1", merida="R-MIL-1 R-MIL-2", options=frozenset({"18.3.10"})
    )
    state = Round(position, N, "zafra").state
    order = attack("merida", zafra="INF-1 INF-2 CAV-1", losses="CAV-1 INF-1 INF-2")
    chances = ODDS.of(state, order)
    assert chances.ways == 6**6
    rng = random.Random("three dice")
    begun, falls = kernel.submit(state, order), 400 * FUZZ
    seen = Counter(
        rolled(state.position, begun, *(rng.randint(1, 6) for _ in range(6))) for _ in range(falls)
    )
    whole = told(chances)
    assert set(seen) <= set(whole)
    for result, ways in whole.items():
        share = ways / chances.ways
        spread = (share * (1 - share) / falls) ** 0.5
        assert abs(seen[result] / falls - share) < 5 * spread + 1e-3, result


# --- what is taken for granted ------------------------------------------------------------------


@pytest.mark.rule("11.3.2")
def test_losses_that_nobody_ranked_are_said_to_be_open() -> None:
    position = field(8, zafra="N-I INF-1 MIL-NAV-1", merida="R-I R-MIL-1 R-MIL-2")
    state = Round(position, N, "zafra").state
    order = attack("merida", zafra="N-I INF-1 MIL-NAV-1")
    supposed = listing(each.words for each in ODDS.of(state, order).supposed)
    assert "the attacker chooses the losses that cost least" in supposed
    ranked = attack("merida", zafra="N-I INF-1 MIL-NAV-1", losses="MIL-NAV-1 INF-1 N-I")
    supposed = listing(each.words for each in ODDS.of(state, ranked).supposed)
    assert "the attacker chooses" not in supposed


@pytest.mark.rule("18.3.1")
def test_a_withdrawal_is_said_to_be_open() -> None:
    position = field(8, zafra="N-I", merida="R-MIL-1", options=frozenset({"18.3.1"}))
    chances = ODDS.of(Round(position, N, "zafra").state, attack("merida", zafra="N-I"))
    assert ("the defender does not withdraw", 0, "18.3.1") in reasons(chances.supposed)


@pytest.mark.rule("11.4.6")
def test_who_retreated_this_round_is_counted_when_they_die() -> None:
    position = field(8, zafra="INF-1 INF-2", merida="R-MIL-1 R-MIL-2")
    position = position.but(retreated=frozenset({"R-MIL-2"}))
    state = Round(position, N, "zafra").state
    order = attack("merida", zafra="INF-1 INF-2")
    assert told(ODDS.of(state, order)) == every_fall(state, order)


@pytest.mark.rule("11.2.6")
def test_all_that_shifts_a_column_has_its_rule() -> None:
    position = field(12, zafra="INF-1", merida="R-MIL-1", forts={"merida": Fort("trench", R)})
    (shift,) = ODDS.of(Round(position, N, "zafra").state, attack("merida", zafra="INF-1")) \
        .salvos[0].shifts  # fmt: skip
    assert (str(shift.words), shift.rule) == ("Trench", "11.2.6")
    assert set(RULES) <= set(MODIFIERS)
    rulebook = plain("crusade", "rulebook.yaml")
    assert set(RULES.values()) <= {row["number"] for row in rulebook["rules"]}


def test_nothing_is_changed_by_asking() -> None:
    state = Round(badajoz(), N, "caceres", "zafra").state
    order = attack("badajoz", caceres="INF-1", zafra="INF-2 AFR-1")
    before = repr(state.position)
    assert ODDS.of(state, order) == ODDS.of(state, order)
    assert repr(state.position) == before


def test_what_hangs_on_the_dice_before_it_is_not_told() -> None:
    """Nobody stands in Zafra yet, but the beaten may go there."""
    state = Round(field(8, merida="INF-1", badajoz="R-MIL-1"), N, "merida").state
    seats = {"A": N, "B": R}
    here = Table(system("crusade"), seats, state)
    orders = (attack("badajoz", merida="INF-1"), attack("zafra", merida="INF-1"))
    tried = tuple(Tried(f"o.yaml:{at}", here, each, is_ahead=at > 3)
                  for at, each in enumerate(orders, 3))  # fmt: skip
    first, second = odds_of(Prepared((), (), (), 1, here, tried=tried))
    assert first.chances and second.chances is None
    why = str(second.why)
    assert [*map(str, in_short(second))] == [f"o.yaml:4: the odds are {why}"]
    assert why.startswith("not known before its turn comes: as things are now, ")
    assert why.endswith(" [11.1.3]") and second.plain()["untold"] == why
    (line,) = list(said((second,), here.system.words))[:1]
    assert line.startswith("o.yaml:4: not known before")
