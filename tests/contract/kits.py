"""What the contract suite has to know of a game: one kit for each, in tests/games/<game>/kit.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from typing import Any, Protocol

from pbem.value import replace

Document = Mapping[str, Any]


@dataclass(frozen=True)
class Way:
    """A way a game can end: the rule, the winner (None for a draw) and words of the reason."""

    rule: str
    winner: str | None
    reason: str
    exact: bool = False
    under: tuple[str, ...] = ()
    """Options under which alone it is this way: those of another edition."""
    scenario: str = ""
    """The scenario in which alone it is this way, where several have an end of that name."""
    by: Callable[[Sequence[Document]], bool] | None = None
    """What its orders, as players write them, must have said: a longer way to the same end."""

    @property
    def narrowness(self) -> int:
        """Of two ways that a game fits the narrower one is meant."""
        return len(self.under) + (self.by is not None)

    def fits(self, winner: str | None, reason: str, orders: Sequence[Document] = ()) -> bool:
        """Whether a game that ended like that has gone this way."""
        said = reason == self.reason if self.exact else self.reason in reason
        return winner == self.winner and said and (self.by is None or self.by(orders))


def _hand(scene: Any, side: str) -> tuple[str, ...]:
    return tuple(each.id for each in _camp(scene, side).hand)


def _unseen(scene: Any, side: str) -> int:
    count: int = _camp(scene, side).unseen
    return count


def _without_hand(scene: Any, side: str) -> Any:
    camps = tuple(
        replace(camp, hand=(), unseen=0) if camp.side == side else camp for camp in scene.camps
    )
    return replace(scene, camps=camps)


def _camp(scene: Any, side: str) -> Any:
    return next(camp for camp in scene.camps if camp.side == side)


@dataclass(frozen=True)
class HiddenInScene:
    """What a picture shows of a side's hidden things: as hands of cards have it, or the game's own
    way.
    """

    names: Callable[[Any, str], tuple[str, ...]] = _hand
    """Those it names."""
    unseen: Callable[[Any, str], int] = _unseen
    """How many it shows without a name."""
    without: Callable[[Any, str], Any] = _without_hand
    """The scene without them: the same for everybody."""


@dataclass(frozen=True, kw_only=True)
class Hidden:
    """What one player knows and the other does not, in a game that has such things."""

    option_off: str = ""
    """The option with which nothing is hidden, if the game has one."""
    names: Callable[[Any, str], tuple[str, ...]]
    """From a view's position and a side: the names of all it holds, as far as the view knows."""
    held: Callable[[Any, str], tuple[str, ...]]
    """Those of them that the other player does not know."""
    secret: Callable[[Any], Mapping[str, str]]
    """What a view's position knows beyond what both players know, by slot."""
    fills_up: tuple[str, ...] = ()
    """Scenarios that lay new decks while some of their cards are hidden."""
    scene: HiddenInScene = HiddenInScene()
    """What a picture may show whom."""
    in_words: bool = True
    """Whether the hidden things are cards, which the game explains to who holds them."""
    lists: Mapping[str, str] = field(default_factory=dict)
    """The names of sealed lists, with the player who writes each."""
    player: Callable[[int], Player] | None = None
    """Who plays random games in which enough is hidden, by a seed; None: who plays all others."""
    is_passive: Callable[[Any], bool] = lambda position: False
    """Whether one side has its round, so that a question to the other would cost two mails."""
    clauses: Callable[[str], tuple[Document, ...]] = lambda name: ()
    """Policies that name a hidden thing."""
    always: Document = field(default_factory=dict)
    """What such a policy says beside."""
    audit_alone: Callable[[Any, Any], bool] = lambda position, order: False
    """Orders, in the position as nobody's view has it, that may have to show what only their author
    knows of: everybody else lets them pass without, and a later showing or the audit finds it.
    """
    shown_whole: tuple[str, str] | None = None
    """A scenario, and the order in its first moves for which a player must show everything."""


class Watch(Protocol):
    """Remembers what it has seen of one game, for what no single position shows."""

    def sees(self, moment: Any) -> Iterator[str]:
        """What is wrong with a move, each in a sentence."""


class Player(Protocol):
    """Gives orders in a stored game; what it takes from chance comes from its own seed."""

    def order(self, state: Any, decision: Any) -> Any:
        """A legal order."""


@dataclass(frozen=True)
class Search:
    """Where a game that ends in a certain way is found: seed by seed, with players of that seed."""

    scenario: str
    player: Callable[[int], Player]
    seed: int = 0
    options: tuple[str, ...] = ()


@dataclass(frozen=True)
class Playouts:
    """How many random games `make fuzz` plays, times PBEM_FUZZ; every day it is a third of them."""

    first: int = 15
    """Of the first scenario."""
    further: int = 5
    """Of each further one."""
    whole: int = 1
    """Of each scenario, to the very end."""
    whole_in_fuzz: int = 20


@dataclass(frozen=True, kw_only=True)
class Kit:
    """What one game gives the suite. Positions and decisions are the game's own."""

    options: frozenset[str]
    """Options that are on in the playouts."""
    is_long_enough: Callable[[Any], bool]
    """Whether a playout may end at this position: whole games are too long for every day."""
    faults: Callable[[Any], Iterator[str]]
    """What is in two places, in none or in a wrong one, each in a sentence."""
    accounts: Callable[[Any, Any, Any], Iterator[str]]
    """From an event and the positions before and behind it: what changed without being said."""
    counts: Callable[[Any], Mapping[str, int]]
    """How many things of each kind there are, wherever they lie."""
    due: Callable[[Any], Mapping[str, int]]
    """How many there must be by now; fewer only while some are in play."""
    is_at_rest: Callable[[Any], bool]
    """From a decision: whether none can be in play."""
    policies: tuple[Document, ...]
    """Standing orders as players write them."""
    ways: Mapping[str, Way]
    """Every way the game can end; each wants a stored replay."""
    searches: Callable[[], Mapping[str, Search]]
    """For each way where a game that ends so is found, to be stored."""
    written_out: Callable[[Any, tuple[str, ...]], dict[str, Any] | None]
    """From a position and the options of its game: a scenario of an owner's folder that begins
    there, as far as such a scenario can say it; None where none can begin.
    """
    begins: Callable[[str, frozenset[str]], Any] | None = None
    """From a scenario and options: the first state of a random game in which nothing is hidden, for
    a game that offers its players no option to play so."""
    words: Callable[[Document], Iterator[str]] = lambda tables: iter(())
    """Of the game's data: what a log tells in the language of its reader."""
    playouts: Playouts = Playouts()
    alike: Mapping[str, str] = field(default_factory=dict)
    """Scenarios that begin as another does, and differ from it only behind the end of a playout."""
    editions: tuple[tuple[str, ...], ...] = ()
    """Options that make another edition, which is played as much as the game itself."""
    hidden: Hidden | None = None
    has_only_answers: bool = False
    """Whether some of its questions have one legal answer, which a form then gives."""
    has_works: bool = False
    """Whether its log tells of works, bridges and the like that change outside battles."""
    watch: Callable[[Any], Watch] | None = None
    """From the first position of a game: who looks at every move of it."""


@cache
def kit(slug: str) -> Kit:
    """The kit of a game."""
    found = import_module(f"tests.games.{slug}.kit").KIT
    assert isinstance(found, Kit), f"tests/games/{slug}/kit.py: KIT is no Kit"
    return found
