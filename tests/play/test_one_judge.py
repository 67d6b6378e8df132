"""`pbem check` and `pbem apply` judge alike, over random and oversized files."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from pbem.gamefile.keys import KeyPair, load_private
from pbem.play.answer import answer
from pbem.play.dry_run import dry_run
from pbem.play.game import Game
from pbem.play.judged import parsed
from pbem.play.snapshot import read_game
from pbem.problems import Problem, Refused
from pbem.text.source import Source
from tests.cli.conftest import played  # noqa: F401  (a fixture)
from tests.conftest import FUZZ

MAP = Path(__file__).parents[2] / "data" / "crusade" / "map.yaml"
ROUND = ["play: {card: N1, for: event}", "activate: {attack: [sevilla, huelva]}", "done"]
FACE = "\U0001f600"
UNITS = ["MIL", "POL", "INF", "CAV", "AFR"]
SPACES = [each["id"] for each in yaml.safe_load(MAP.read_text("utf-8"))["spaces"]]


@pytest.fixture(scope="module")
def asked(played: Path) -> tuple[Game, KeyPair]:  # noqa: F811
    """A game with hidden cards that asks Ana for her first round."""
    return (
        read_game((played / "g2.json").read_bytes()),
        load_private((played / "ana.key").read_bytes()),
    )


def orders(*lines: str, say: str = "", standing: object = None) -> str:
    text = "orders:\n" + "".join(f"  - {line}\n" for line in lines or ROUND)
    if say:
        text += f"say: {json.dumps(say, ensure_ascii=False)}\n"
    return text + (f"standing: {json.dumps(standing)}\n" if standing is not None else "")


def conditional(count: int) -> str:
    """An order that waits for a lot."""
    held = ", ".join(f"{space}: republican" for space in SPACES[:count])
    return f"activate: {{attack: [sevilla]}}\n    when: {{control: {{{held}}}}}"


def oversized() -> Iterator[tuple[str, str, str]]:
    """What, an orders file, and a standing.yaml beside it."""
    for size in (3500, 3700, 4080, 4090, 4095, 4200):
        yield f"say of {size}", orders(say="x" * size), ""
    for size in (300, 340, 400, 1000):
        yield f"say of {size} faces", orders(say=FACE * size), ""
    for count in (1, 10, 20, 38, 60):
        yield f"a when of {count}", orders(*ROUND, conditional(count)), ""
    for count in (3, 16, 17, 32, 33, 50, 70):
        for what, standing in (
            ("slots", {"slots": {f"s{at}": {"losses": UNITS} for at in range(count)}}),
            ("scope", {"losses": UNITS, "scope": {"ask": [
                {"space": SPACES[at % 20], "difference": at} for at in range(count)]}}),
            ("clauses", {"cancel_retreat": [
                {"when": {"difference": at}, "from": ["MIL"]} for at in range(count)]}),
            ("ranks", {"retreat": {"prefer": [{"toward": each} for each in SPACES[:count]]}}),
            ("own", {"own": {"losses": UNITS, "scope": {"ask": [
                {"space": SPACES[at % 20], "difference": at} for at in range(count)]}}}),
        ):  # fmt: skip
            yield f"{count} {what}", orders(standing=standing), ""
            yield f"{count} {what} beside it", orders(), json.dumps({"standing": standing}) + "\n"
    for count in (20, 199, 201):
        yield f"{count} orders", orders(*ROUND[:2], *["done"] * count), ""


def mutated(seed: int) -> tuple[str, str, str]:
    """A file in which pieces are doubled, lost or put elsewhere."""
    dice = random.Random(seed)
    whole = orders(say="Hola", standing={"losses": UNITS, "turn_end": {"discard": ["N4"]}})
    lines = whole.splitlines()
    for _ in range(dice.randint(1, 3)):
        at, other = dice.randrange(len(lines)), dice.randrange(len(lines))
        match dice.randrange(4):
            case 0:
                lines[at] = lines[other]
            case 1:
                lines[at] = lines[at].replace(dice.choice(["N1", "huelva", "MIL", "attack"]), "N4")
            case 2:
                lines.insert(at, lines[other] * dice.choice([1, 2, 300]))
            case 3:
                lines.pop(at)
                lines = lines or ["orders:"]
    return f"seed {seed}", "\n".join(lines) + "\n", ""


def problems(call) -> tuple[Problem, ...]:
    try:
        call()
    except Refused as refused:
        return refused.problems
    return ()


CASES = [*oversized(), *map(mutated, range(40 * FUZZ))]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case[0])
def test_both_say_the_same(asked: tuple[Game, KeyPair], case: tuple[str, str, str]) -> None:
    game, key = asked
    _, text, beside = case
    source = Source("orders.yaml", text)
    standing = Source("standing.yaml", beside) if beside else None
    checked = problems(lambda: dry_run(game, key, parsed(source, game), standing))
    applied = problems(lambda: answer(game, key, source, fresh=b"\0" * 16, standing=standing))
    assert bool(checked) == bool(applied), (checked, applied)
    for each in checked + applied:
        if each.code == "E-LIMIT":
            assert each.span is not None and each.span.line > 0, each
            assert each.span.file == ("standing.yaml" if beside else "orders.yaml")


def test_the_cases_reach_what_is_bounded(asked: tuple[Game, KeyPair]) -> None:
    """They are no rubbish that something else refuses: most bounds are met from both sides."""
    game, key = asked
    found = {
        what: {each.code for each in problems(
            lambda text=text, beside=beside: dry_run(
                game, key, parsed(Source("orders.yaml", text), game),
                Source("standing.yaml", beside) if beside else None))}
        for what, text, beside in oversized()
    }  # fmt: skip
    assert sum("E-LIMIT" in codes for codes in found.values()) >= 8, found
    assert sum(not codes for codes in found.values()) >= 8, found
