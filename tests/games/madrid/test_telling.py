"""Every event is told in a message, or not at all for a reason; set-ups play on with any option."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.model import Decision, Event
from pbem.games.madrid import events, narration
from pbem.games.madrid.options import OPEN_HANDS
from pbem.messages import sentence
from pbem.value import replace
from tests.bots import RandomDice, legal_samples
from tests.games.madrid import kit
from tests.games.madrid.table import N, R, system, table
from tests.house.catalogue import unmarked


def kinds() -> list[type]:
    return [
        each
        for each in vars(events).values()
        if isinstance(each, type) and issubclass(each, Event) and each.__module__ == events.__name__
        and not each.__subclasses__()
    ]  # fmt: skip


@pytest.mark.parametrize("kind", kinds(), ids=lambda kind: kind.__name__)
def test_every_event_has_a_line_or_is_silent_for_a_reason(kind):
    told, silent = kind in narration.LINES, kind in narration.SILENT
    assert told != silent
    assert not silent or narration.SILENT[kind].strip()


def test_what_is_told_reads_well():
    tell, position = narration.NARRATION.narrate, table({"D": "N01 N02", "C": "R01"})

    def told(event):
        return sentence(tell(event, position))

    assert told(events.UnitsMoved(("N01", "N02"), "D", "C")) == (
        "I Bandera and IV Bandera move from Illescas (D) to Parla (C)."
    )
    assert (
        told(events.UnitsMoved(("N01",), "D", "6")) == "I Bandera moves from Illescas (D) to box 6."
    )
    assert told(events.Passed(N)) == "The Nationalists pass."
    assert told(events.SupportChanged(N, -1, "chits")) == (
        "The Nationalists pay 1 support point for chits and have 10 left."
    )
    assert told(events.CombatRolled(N, "C", (4, 2, 5), (5, 4), 9, 10, 10, 1, 8)) == (
        "The dice are 4, 2 and 5, of which 5 and 4 count: 18 against 10, intensity 10; "
        "the defender loses 8, the attacker 1."
    )
    outnumbered = (("morale", 2), ("outnumbering", -1))
    assert told(events.MoraleTested(3, outnumbered, "R01", "stands")) == (
        "Columna Fernández Cavada tests its morale: die 3, +2 (morale of the Republic), "
        "−1 (more Republicans than Nationalists) = 4, and it holds."
    )
    assert told(events.JuntaRolled(3, ())) == "The Junta is rolled for: die 3."
    assert told(events.JuntaRolled(3, (("road", 1),))) == (
        "The Junta is rolled for: die 3, +1 (roads cut) = 4."
    )
    stays, good = "Republican morale stays at Good.", table(morale="good")
    up = events.morale_changed(good, 1, "areas")
    assert sentence(tell(up, up.apply(good))) == stays
    assert (
        told(events.morale_changed(position, -1, "areas")) == "Republican morale drops to Fragile."
    )
    assert told(events.InitiativeTaken(R, (2, 3))) == (
        "The Republicans have the initiative: 2 Nationalist, 3 Republican."
    )
    assert told(events.UnitEliminated("N01", "D", nowhere=True)) == (
        "I Bandera has no way out and is eliminated."
    )
    assert told(events.Attacked(N, "C", ("N01",), "N01", path=("D", "C"))) == (
        "The Nationalists assault Parla (C) with I Bandera."
    )
    assert told(events.Attacked(N, "C", ("N01", "N02"), "N02", is_prepared=True)) == (
        "The Nationalists attack in Parla (C) with I Bandera and IV Bandera, led by IV Bandera, "
        "well prepared."
    )
    assert told(events.Defended(R, ("R01",), "R01")) == (
        "Columna Fernández Cavada leads the defence and counter-attacks."
    )
    assert told(events.Bombarded(N, "C", (), "R01", (1, 2), (1, 2), 3, 7, 1)) == (
        "The Nationalists bombard Parla (C), point unit Columna Fernández Cavada; the dice are 1 "
        "and 2: 6 against 7, 1 loss point."
    )
    assert told(events.Rerolled((4,))) == "4 is rolled again."
    assert "your chits: none" in str(narration.NARRATION.own(position, N)[-1])
    assert "roads cut: none" in map(str, narration.NARRATION.summary(position))


def test_a_battle_is_told_with_the_steps_it_costs_and_a_bombardment_by_its_name() -> None:
    position = table({"C": "R01"})
    spent = narration.NARRATION.passage(events.UnitsSpent(("R01",)), position)
    assert spent is not None and spent.beat == "goes on"
    bombarded = events.Bombarded(N, "C", (), "R01", (1, 2), (1, 2), 3, 7, 1)
    begins = narration.NARRATION.passage(bombarded, position)
    assert begins is not None and begins.named == "Bombardment of {space}"


def test_the_status_says_how_far_victory_is() -> None:
    def told(scenario: str, **more: Any) -> list[str]:
        start = replace(system().setup(scenario, frozenset()).position, **more)
        return [str(line) for line in narration.NARRATION.summary(start) if "victory" in str(line)]

    roads = "Nationalist victory at the end of a turn: Madrid in supply, or all 4 roads to it cut "
    assert told("scenario_1") == [
        f"{roads}(0 now)",
        "Nationalist victory after turn 6 with 4 points or more (0 now), else Republican",
    ]
    assert told("scenario_2") == [
        f"{roads}(0 now)", "Republican victory after turn 15, if Madrid holds out",
    ]  # fmt: skip
    good = len(system().tables.morale) - 1
    assert told("scenario_1", morale=good)[1] == (
        "Nationalist victory after turn 6 with 4 points or more (-2 now: Republican morale -2), "
        "else Republican"
    )
    assert told("scenario_1", result=(N, "over")) == []


@pytest.mark.parametrize("scenario", ["scenario_1", "scenario_2", "campaign"])
@pytest.mark.parametrize("seed", [1, 2])
def test_random_games_with_random_options_are_sound_to_the_end(scenario, seed):
    """Every default is legal, every account comes out, and all is told by the catalogue."""
    game, rng, dice = system(), random.Random(f"{scenario} {seed}"), RandomDice(seed)
    offered = [option.id for option in game.options() if option.id != OPEN_HANDS]
    options = {OPEN_HANDS, *rng.sample(offered, seed * 3)}
    state = kernel.begin(game.setup(scenario, frozenset(options))).state
    wanted = set()
    for _ in range(8_000):
        asked = kernel.waits_for(state)
        if asked is None:
            break
        before = state.position
        if isinstance(asked, Decision):
            assert kernel.violations(state, asked.default) == ()
            orders = legal_samples(state, rng, 20) if rng.random() < 0.9 else iter([asked.default])
            step = kernel.submit(state, next(orders))
        else:
            step = kernel.roll(state, dice)
        for event, after in zip(step.events, step.positions, strict=True):
            assert list(kit.accounts(event, before, after)) == []
            message = game.narration.narrate(event, after)
            assert message is None or "None" not in sentence(message)
            wanted.update(unmarked(message, "madrid"))
            before = after
        state = step.state
        if rng.random() < 0.1:
            told = (
                game.narration.summary(before),
                *map(partial(game.narration.own, before), (N, R)),
            )
            wanted.update(fault for lines in told for fault in unmarked(lines, "madrid"))
        assert (*game.faults(state.position), *kit.faults(state.position)) == ()
        assert kit.counts(state.position) == kit.due(state.position)
    assert sorted(wanted) == []
    result = game.result(state.position)
    assert result is not None and result.score
    assert any(way.fits(result.winner, result.reason) for way in kit.KIT.ways.values())
