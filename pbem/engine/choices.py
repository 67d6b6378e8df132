"""The values a field of an order may take, as a decision offers them.

A choice describes; it does not judge: `check` has the last word on the whole order. Each choice
can list its values for a form and draw one at random for a playout (`rng` is a `random.Random`
the caller brings, so nothing here is a source of chance).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pbem.value import value


class Choice(Protocol):
    def sample(self, rng: Any) -> Any: ...


@value
class OneOf:
    """Exactly one of the values."""

    values: tuple[Any, ...]

    def sample(self, rng: Any) -> Any:
        return rng.choice(self.values) if self.values else ""


@value
class SomeOf:
    """Different ones of the values, in an order the player chooses."""

    values: tuple[Any, ...]
    at_least: int = 0
    at_most: int | None = None

    def sample(self, rng: Any) -> tuple[Any, ...]:
        most = len(self.values) if self.at_most is None else min(self.at_most, len(self.values))
        count = rng.randint(min(self.at_least, most), most)
        return tuple(rng.sample(self.values, count))


@value
class Amount:
    """A whole number from `least` to `most`."""

    least: int
    most: int

    def sample(self, rng: Any) -> int:
        return rng.randint(self.least, self.most)


@value
class Path:
    """A walk over neighbours that begins next to one of `starts`; `links` gives the steps."""

    starts: tuple[str, ...]
    links: Mapping[str, tuple[str, ...]]
    at_most: int

    def sample(self, rng: Any) -> tuple[str, ...]:
        here = rng.choice(self.starts) if self.starts else ""
        walk = [here]
        for _ in range(rng.randint(1, max(1, self.at_most))):
            onward = self.links.get(walk[-1], ())
            if not onward:
                break
            walk.append(rng.choice(onward))
        return tuple(walk)


@value
class Each:
    """A mapping: for some of the keys (or all) a value of the key's own choice."""

    choices: Mapping[str, Choice]
    at_least: int = 0
    at_most: int | None = None

    def sample(self, rng: Any) -> dict[str, Any]:
        keys = SomeOf(tuple(self.choices), self.at_least, self.at_most).sample(rng)
        return {key: self.choices[key].sample(rng) for key in keys}


@value
class Maybe:
    """Left out (None, which reads as the field's default) or one value of the choice."""

    choice: Choice

    def sample(self, rng: Any) -> Any:
        return self.choice.sample(rng) if rng.random() < 0.5 else None


@value
class Ready:
    """Whole answers made ready by the stage; used where fields depend on one another."""

    values: tuple[Any, ...]

    def sample(self, rng: Any) -> Any:
        return rng.choice(self.values) if self.values else None


def _no_offer(_name: str, _given: Mapping[str, Any]) -> tuple[str, ...]:
    return ()


@value
class Composed:
    """Whole orders, put together by the stage because their fields depend on one another.

    `draw` makes one at random (or None); `lines` give a form whole orders as they are written,
    a comment behind some, and are worked out only for a form. `offers` gives the values of one
    field, by the name players write, beside the fields that are filled in (as written); none
    where no short list tells them.
    """

    draw: Callable[[Any], Any]
    lines: Callable[[], tuple[str, ...]] = tuple
    offers: Callable[[str, Mapping[str, Any]], tuple[str, ...]] = _no_offer

    def sample(self, rng: Any) -> Any:
        return self.draw(rng)
