"""Two keys at one game of ¡No Pasarán!."""

from __future__ import annotations

from functools import cache
from itertools import groupby

from pbem.gamefile.compose import Proposal, propose
from pbem.games.nopasaran.system import NoPasaran
from pbem.games.system import Scenario
from pbem.play.answer import answer
from pbem.play.game import TOOL, Game, opening, with_fold
from pbem.play.systems import Library, OpenedGame, opened
from pbem.text.source import Source
from pbem.value import replace
from tests.gamefile.players import KEYS
from tests.games.nopasaran.table import SMALL, N, R
from tests.play.by_mail import nonce_of
from tests.play.correspondence import Correspondence


class FaceDown(NoPasaran):
    """The game as it will be: no scenario needs the option for open counters."""

    def scenarios(self) -> tuple[Scenario, ...]:
        return tuple(replace(each, needs=()) for each in super().scenarios())


@cache
def _system() -> FaceDown:
    """The system over the data of the game, with what it has computed of them."""
    known, made = opened("nopasaran").system, FaceDown({})
    made.__dict__.update(known.__dict__)
    return made


class OfTheTests(Library):
    """A library with the game as it will be."""

    def opened(self, slug: str, digest: str) -> OpenedGame:
        known = opened(slug)
        return replace(known, system=_system())


LIBRARY = OfTheTests()


class Seats(Correspondence):
    """A game between two; the Nationalist player proposes it."""

    keys = KEYS

    def __init__(
        self, seed: str, scenario: str = SMALL, *options: str, is_open: bool = True
    ) -> None:
        known = opened("nopasaran")
        proposal = Proposal(
            ruleset=known.ruleset, data=known.digest, scenario=scenario,
            sides={"a": N, "b": R}, chain_length=512,
            options=dict.fromkeys((*options, *(["open_units"] if is_open else [])), True),
        )  # fmt: skip
        self.nonce = nonce_of(seed)
        self.game: Game = with_fold(
            propose(KEYS["A"], KEYS["B"].public, proposal, opening(LIBRARY), nonce=self.nonce,
                    tool=TOOL).fold,
            library=LIBRARY,
        )  # fmt: skip
        for _ in range(2):
            self.mail()

    @property
    def mails(self) -> int:
        """Entries that one player writes in a row travel in one mail."""
        return sum(1 for _ in groupby(entry.by for entry in self.fold.entries))

    def mail(self, text: str = "") -> Game:
        """The next entry, with these orders."""
        orders = Source("orders.yaml", text) if text else None
        self.game = answer(self.game, KEYS[self.pen], orders, fresh=self.nonce).game
        return self.game
