"""Every game brings a kit to the contract suite, and the suite itself knows no game."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from pbem.engine import kernel
from pbem.games import GAMES
from tests.contract import playing
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
        off = its.hidden.option_off
        assert off in options if off else its.begins, (
            f"{where}: hidden: option_off is no option; without one the kit `begins` random games"
        )
        verb = set((its.hidden.shown_whole or ())[1:])
        assert verb <= game.verbs.keys(), f"{where}: hidden: shown_whole has no verb"


@pytest.mark.parametrize("path", sorted((TESTS / "contract").glob("*.py")), ids=lambda p: p.stem)
def test_the_contract_suite_names_no_game(path: Path) -> None:
    words = {word for slug in GAMES for word in (slug, *system(slug).sides)}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        found = words & set(re.findall(r"[a-z]+", line.casefold()))
        assert not found, f"{path.name}:{number}: {', '.join(found)} belongs in a kit"


def test_random_games_begin_as_the_kit_says(monkeypatch: pytest.MonkeyPatch) -> None:
    """For a game that hides things and offers no option to play openly."""
    slug = sorted(GAMES)[0]
    one, other = (each.id for each in system(slug).scenarios()[:2])
    its = replace(kit(slug), begins=lambda scenario, options: system(slug).setup(other, options))
    monkeypatch.setattr(playing, "kit", lambda slug: its)
    begun = kernel.begin(system(slug).setup(other, its.options))
    assert playing.first_state(slug, one).state == begun.state
