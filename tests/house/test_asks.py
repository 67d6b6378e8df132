"""What a predicate asks of its stage stands in its signature, and the stage has it."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest

from pbem.engine.model import PlayerStage
from pbem.engine.rules import Predicate, checks, predicates_of
from pbem.value import fields
from tests.house.matrix import slugs


def stages(slug: str) -> Iterator[type[PlayerStage[Any]]]:
    """Every stage of a game that judges orders."""
    package = import_module(f"pbem.games.{slug}")
    for module in walk_packages(package.__path__, f"{package.__name__}."):
        for found in vars(import_module(module.name)).values():
            is_own = getattr(found, "__module__", "") == module.name
            if is_own and isinstance(found, type) and issubclass(found, PlayerStage):
                yield found


def asked_by(predicate: Predicate) -> Any:
    """The type of the stage that a predicate judges for."""
    function: Any = inspect.unwrap(predicate)
    first = next(iter(inspect.signature(function).parameters.values()))
    said = first.annotation
    return eval(said, function.__globals__) if isinstance(said, str) else Any


def faults(stage: type[PlayerStage[Any]]) -> Iterator[str]:
    has = {field.name for field in fields(stage)} | set(dir(stage))
    for predicate in predicates_of(stage.check):
        asked, name = asked_by(predicate), getattr(predicate, "__name__", "?")
        if asked is Any:
            yield f"{name} does not say what it asks of {stage.__name__}"
        elif issubclass(asked, PlayerStage):
            if not issubclass(stage, asked):
                yield f"{name} judges for {asked.__name__} and not for {stage.__name__}"
        else:
            wanted = {name for kind in asked.__mro__[:-1] for name in vars(kind)}
            lacking = sorted(name for name in wanted - has if not name.startswith("_"))
            yield from (f"{name} asks for {each}, {stage.__name__} has none" for each in lacking)


@pytest.mark.parametrize("slug", slugs())
def test_each_stage_has_what_its_predicates_ask(slug: str) -> None:
    found = list(stages(slug))
    assert found
    assert [fault for stage in found if "check" in vars(stage) for fault in faults(stage)] == []


class Asked:
    @property
    def hand(self) -> int:
        return 0


def wants_a_hand(stage: Asked, position: Any, order: Any) -> Iterator[Any]:
    yield from ()


def says_nothing(stage: Any, position: Any, order: Any) -> Iterator[Any]:
    yield from ()


class Silent(PlayerStage[Any]):
    check = checks((wants_a_hand, says_nothing, lambda *_: iter(())))


def test_a_stage_without_it_and_a_predicate_that_hides_it_are_named() -> None:
    assert list(faults(Silent)) == [
        "wants_a_hand asks for hand, Silent has none",
        "says_nothing does not say what it asks of Silent",
        "<lambda> does not say what it asks of Silent",
    ]
