"""Every game brings a kit to the contract suite, and the suite itself knows no game."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pbem.games import GAMES
from tests.contract.kits import kit
from tests.contract.playing import system

TESTS = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("slug", sorted(GAMES))
def test_every_game_has_a_kit_that_fits_it(slug: str) -> None:
    where = f"tests/games/{slug}/kit.py"
    assert (TESTS / "games" / slug / "kit.py").exists(), (
        f"{where}: missing; the contract suite asks it what tests/contract/kits.py describes"
    )
    game, its = system(slug), kit(slug)
    options = {option.id for option in game.options()}
    scenarios = {scenario.id for scenario in game.scenarios()}
    assert its.options <= options, f"{where}: options: the game has no {its.options - options}"
    assert its.ways, f"{where}: ways: no way to end is named"
    for name, way in its.ways.items():
        assert way.winner in {None, *game.sides}, f"{where}: ways: {name}: {way.winner} is no side"
    if its.hidden:
        named = {*its.hidden.fills_up, *(its.hidden.shown_whole or ())[:1]}
        assert named <= scenarios, f"{where}: hidden: no scenario {named - scenarios}"
        assert its.hidden.option_off in options, f"{where}: hidden: option_off is no option"
        verb = set((its.hidden.shown_whole or ())[1:])
        assert verb <= game.verbs.keys(), f"{where}: hidden: shown_whole has no verb"


@pytest.mark.parametrize("path", sorted((TESTS / "contract").glob("*.py")), ids=lambda p: p.stem)
def test_the_contract_suite_names_no_game(path: Path) -> None:
    words = {word for slug in GAMES for word in (slug, *system(slug).sides)}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = words & set(re.findall(r"[a-z]+", line.casefold()))
        assert not found, f"{path.name}:{number}: {', '.join(found)} belongs in a kit"
