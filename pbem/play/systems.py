"""The game systems with their data, opened once a process."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from pbem.games import GAMES
from pbem.games.system import GameSystem
from pbem.problems import Problem, Refused


@dataclass(frozen=True)
class Opened:
    """A game system over the data that are shipped, and the digest that pins them."""

    system: GameSystem
    digest: str

    @property
    def ruleset(self) -> str:
        """Game and version of the rules, as a genesis names them."""
        return f"{self.system.slug}/{self.system.version}"


@cache
def opened(slug: str) -> Opened:
    """The system of a game. Raises Refused for a game that is not there."""
    from pbem.gamedata.load import load

    if slug not in GAMES:
        from pbem.text.wording import did_you_mean, may_be, quoted

        hint = did_you_mean(slug, GAMES) or may_be(GAMES)
        raise Refused(Problem("unknown-game", f"there is no game {quoted(slug)}", hint=hint))
    data = load(slug)
    return Opened(GAMES[slug](data.tables), data.digest)


def known_scenario(game: Opened, scenario: str) -> None:
    """Raises Refused when the game has no such scenario."""
    names = [each.id for each in game.system.scenarios()]
    if scenario not in names:
        raise Refused(_unknown("scenario", scenario, names))


def known_options(game: Opened, options: tuple[str, ...]) -> None:
    """Raises Refused for options the game does not have, and for two that exclude each other."""
    known = {each.id: each for each in game.system.options()}
    problems = [_unknown("option", name, known) for name in options if name not in known]
    for name in options:
        for other in known[name].excludes if name in known else ():
            if other in options:
                problems.append(
                    Problem("excluded-option", f"{name} and {other} exclude each other",
                            rule=known[name].rule)
                )  # fmt: skip
    if problems:
        raise Refused(*problems)


def known_side(game: Opened, side: str) -> None:
    """Raises Refused when the game has no such side."""
    if side not in game.system.sides:
        raise Refused(_unknown("side", side, game.system.sides))


def _unknown(kind: str, name: str, known: Any) -> Problem:
    from pbem.text.wording import did_you_mean, may_be, quoted

    hint = did_you_mean(name, known) or may_be(known)
    return Problem(f"unknown-{kind}", f"there is no {kind} {quoted(name)}", hint=hint)
