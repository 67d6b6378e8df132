"""A practice game at the board, whose disk is a dictionary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from pbem.desk.session import GameAndDraft, Sent, Session
from pbem.gamefile.compose import Proposal, propose_solo
from pbem.gamefile.keys import KeyPair
from pbem.messages import Said
from pbem.orders.spelling import spelt
from pbem.orders.written import order_line
from pbem.play.answer import answer
from pbem.play.game import Game, opening, tool, with_fold
from pbem.play.next_steps import next_lines
from pbem.play.systems import SHIPPED
from pbem.problems import Problem, Refused
from pbem.text.source import Source

SCENARIOS = {"crusade": "campaign", "madrid": "scenario_1", "ctv": "santander",
             "nopasaran": "jarama_pindoque"}  # fmt: skip


def begun(slug: str) -> Game:
    """A practice game in which all is open, at its first question."""
    opened = SHIPPED.to_begin(slug)
    sides = opened.system.sides
    (played,) = (each for each in opened.system.scenarios() if each.id == SCENARIOS[slug])
    options = dict.fromkeys(filter(None, [opened.system.hidden.open_option, *played.needs]), True)
    proposal = Proposal(
        ruleset=opened.ruleset, data=opened.digest, scenario=SCENARIOS[slug],
        sides={"a": sides[0], "b": sides[1]}, options=options,
    )  # fmt: skip
    return with_fold(propose_solo(proposal, "board", opening(SHIPPED), tool=tool()))


class Drawer:
    """What `pbem board` has on the disk, without one."""

    def __init__(self, game: Game, key: KeyPair | None = None) -> None:
        self.game, self.key, self.text = game, key, None
        self.aside: list[str] = []
        self.full = self.replaced = False

    def open(self) -> GameAndDraft:
        return GameAndDraft(self.game, "game.json", "game.orders.yaml", self.text)

    def save(self, text: str) -> None:
        if self.full:
            raise Refused(Problem("unwritable", "the file cannot be written: no space left"))
        self.text = text

    def put_aside(self) -> str:
        self.aside.append(self.text or "")
        self.text = None
        return "game.orders.1.yaml"

    def is_replaced(self) -> bool:
        return self.replaced

    def send(self, orders: Source | None) -> Sent:
        self.game = answer(self.game, self.key, orders, fresh=b"\x22" * 16).game
        self.text = None
        return Sent(("written: next.json",), ("next.json",), self.open())

    def standing(self) -> None:
        return None

    def next_lines(self, game: Game) -> Sequence[Said]:
        return next_lines(game, self.key)


def answered(session: Session) -> str:
    """The default answer to what is asked, in one line of orders."""
    decision = session.decision
    assert decision is not None
    names = session.table.system.names(session.table.state, decision.side, None, answering=False)
    return order_line(spelt(decision.default, names))


@pytest.fixture(scope="session")
def games() -> dict[str, Game]:
    """All games at their first question."""
    return {slug: begun(slug) for slug in SCENARIOS}


@pytest.fixture
def sit(games: dict[str, Game]) -> Callable[..., Session]:
    """Sits down at a game, with a draft if one is given as lines of orders."""

    def at(slug: str = "crusade", *lines: str) -> Session:
        drawer: Any = Drawer(games[slug])
        session = Session(drawer)
        if lines:
            session.write(session.text + "".join(f"  - {line}\n" for line in lines))
        return session

    return at
