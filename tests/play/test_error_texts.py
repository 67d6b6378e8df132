"""Mistakes against the rules of Crusade and Revolution, and the exact text a player is shown.

Beside each tests/golden/errors/crusade/<case>.yaml stands <case>.txt. The first line of a case
names the situation it is given in. PBEM_GOLDEN=write rewrites the texts; read the difference aloud.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from pbem.engine import kernel
from pbem.engine.model import Side, Stage, State
from pbem.games.crusade.position import Fort, Position
from pbem.games.crusade.sequence import ActionRound
from pbem.games.crusade.stages.activation import Activation
from pbem.games.crusade.stages.combat.attack import Combats
from pbem.games.crusade.stages.operations import Movement
from pbem.games.crusade.stages.redeployment import Redeployment
from pbem.games.crusade.stages.replacements import Spending
from pbem.games.crusade.stages.round import PlayCard, RoundEnd
from pbem.orders.parse import parse
from pbem.play.prepare import prepare
from pbem.play.systems import opened
from pbem.play.table import Table, open_table
from pbem.problems import Refused
from pbem.text.source import Source, render_all
from tests.games.crusade.board import N, R, table
from tests.games.crusade.fights import Round, attack, field

ERRORS = Path(__file__).parent.parent / "golden" / "errors" / "crusade"
CASES = {path.stem: path for path in ERRORS.glob("*.yaml")}
HANDS = {N: ("N5", "N7", "N16", "N17", "N42"), R: ("R5", "R7", "R13")}


NO_RULE_NEEDED = re.compile(
    r"no [\w ]+ is named|'\w+' cannot be|no [\w -]+ (stands|is) in|there is only|there are only|"
    r"a policy has|"
    r"a line of losses|cancel_retreat must be|is not one of your combat cards|no field|"
    r"is not known yet|"
    r"is not a condition on units|takes no unit of your choice|a slot must be"
)
"""What does not exist, or is no way to write a policy, needs no rule to be refused."""


def asking(position: Position, *stages: Stage[Position]) -> State[Position]:
    return kernel.begin(State(position, stages)).state


def start(**facts: object) -> Position:
    """The Campaign's start, in the second Nationalist round of turn 1."""
    return table(1, hand=HANDS, active=N, round=2, **facts)  # type: ignore[arg-type]


def opening() -> State[Position]:
    options = frozenset({"open_hands", "example_hands"})
    return open_table(opened("crusade").system, "campaign", options, {"A": N, "B": R}).state


def playing(**facts: object) -> State[Position]:
    """A card is to be played; the Republicans follow."""
    return asking(start(**facts), ActionRound(R, 2), RoundEnd(N), PlayCard(N))


def moving() -> State[Position]:
    position = start(forts={"sevilla": Fort("position", N), "zaragoza": Fort("trench", N)})
    hostile = frozenset(position.spaces_of(R))
    marked = ("sevilla", "caceres", "zaragoza", "oviedo")
    return asking(position, Movement(N, marked, ("huelva", "trujillo"), hostile))


def beaten(**facts: object) -> Round:
    """A militia and a division in Zafra, after an attack from Llerena and Jerez that won by two."""
    position = field(
        3, llerena="INF-1 INF-2 AFR-1", jerez_de_los_caballeros="INF-3", zafra="R-MIL-1 RPA-1",
        badajoz="R-MIL-3", madrid="R-MIL-4", hold="sevilla huelva santa_olalla", **facts,
    )  # fmt: skip
    fight = Round(position, N, "llerena")
    return fight.say(attack("zafra", llerena="INF-1 INF-2 AFR-1"))


def bleeding() -> State[Position]:
    return beaten().by_default("combat cards").roll(5, 1).state


def staying() -> State[Position]:
    fight = beaten(forts={"zafra": Fort("trench", R)}).by_default("combat cards").roll(4, 1)
    return fight.by_default("losses").state


def going() -> State[Position]:
    fight = beaten().by_default("combat cards").roll(3, 1)
    return fight.by_default("losses", "cancel retreat").state


def following() -> State[Position]:
    fight = beaten().by_default("combat cards").roll(3, 1)
    return fight.by_default("losses", "cancel retreat", "retreat").state


def spending() -> State[Position]:
    worn = {"caceres": "(INF-14)", "sevilla": "INF-15 N-POL-4", "eliminated": "INF-1 AFR-2"}
    return asking(start(units=worn, rp={"NAT": 2, "AXIS": 1}), PlayCard(R), Spending(N))


SITUATIONS: dict[str, tuple[Side, Callable[[], State[Position]]]] = {
    "opening": (N, opening),
    "card": (N, lambda: playing()),
    "card after a redeployment": (
        N, lambda: playing(actions={N: ("redeployment",)})),
    "event_activation": (
        N, lambda: asking(start(), Activation(N, 3, named=("leon",), free=1))
    ),
    "activation": (N, lambda: asking(start(flags=frozenset({"shortage"})), Activation(N, 2))),
    "activation with a point": (N, lambda: asking(start(), Activation(N, 1))),
    "movement": (N, moving),
    "combat": (N, lambda: asking(start(), Combats(N, ("sevilla", "huelva", "lugo")))),
    "redeployment": (N, lambda: asking(start(), Redeployment(N, 5))),
    "losses": (R, bleeding),
    "cancel retreat": (R, staying),
    "retreat": (R, going),
    "advance": (N, following),
    "replacements": (N, spending),
}  # fmt: skip


@cache
def laid(situation: str) -> tuple[Table, str]:
    side, state = SITUATIONS[situation]
    seats = {"A": N, "B": R}
    return Table(opened("crusade").system, seats, state()), "A" if side == N else "B"


def shown(path: Path) -> str:
    """What the player sees."""
    text = path.read_text(encoding="utf-8")
    told = re.match(r"# situation: (.+)\n", text)
    assert told, f"{path.name} does not say its situation"
    here, player = laid(told[1])
    try:
        prepared = prepare(parse(Source(path.name, text), here.system.verbs), here, player)
    except Refused as refused:
        return render_all(refused.problems) + "\n"
    return f"accepted: {prepared.orders}\n"


@pytest.mark.parametrize("case", sorted(CASES))
def test_the_text_is_exactly_this(case: str):
    text, golden = shown(CASES[case]), ERRORS / f"{case}.txt"
    if os.environ.get("PBEM_GOLDEN") == "write":
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("case", sorted(CASES))
def test_each_has_place_reason_rule_and_way_out(case: str):
    text = shown(CASES[case])
    heads = [line for line in text.splitlines() if line.startswith(f"{case}.yaml:")]
    assert heads and not text.startswith("accepted")
    for head in heads:
        assert re.match(rf"{case}\.yaml:\d+:\d+: ", head)
        assert re.search(r"\[rule [^\]]+\]$", head) or NO_RULE_NEEDED.search(head), head
        assert not head.partition(" [rule")[0].endswith(".")
    assert text.count("^") >= len(heads)


def test_no_text_is_left_without_its_case():
    assert {path.stem for path in ERRORS.glob("*.txt")} == set(CASES)
