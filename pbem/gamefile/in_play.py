"""What the protocol asks of a game: one small interface, and the values that pass through it.

The protocol knows no game. It sees a game in play that waits for a player, for dice or for nothing,
takes plain orders and dice, and gives back the game after them. It is a value: a call never changes
the one it is made on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from pbem.engine.dice import Dice
from pbem.problems import Problem, Refused
from pbem.value import value

PLAYERS = ("A", "B")
WHEN = "when"
"""The member of an order next to its verb, with what the order waits for."""


def other(player: str) -> str:
    """The opponent of A or B."""
    return "B" if player == "A" else "A"


@value
class Asked:
    """A decision of player `by`. `what` is a few plain words that name it ("losses in combat 2").

    `kind` is the step an answer to it travels in: `orders` for the player whose round it is,
    `react` for the other player before the dice, `post_choice` for either after them. What is
    `secret` is answered by a `seal` instead; `tells` is the number of a sealed choice, from 1,
    where its author is to tell it, else 0.
    """

    by: str
    what: str
    kind: str = "orders"
    secret: bool = False
    tells: int = 0


@value
class DiceWanted:
    """A roll or draw; `what` names it."""

    what: str


@value
class Finished:
    """The game is over; `result` is plain and says who won and how."""

    result: Mapping[str, Any]


@value
class Laid:
    """An epoch of hidden cards: player `by` must commit to a layout of exactly these.

    `epoch` counts from 1 for each deck; `cards` are sorted by their ASCII bytes.
    """

    deck: str
    by: str
    epoch: int
    cards: tuple[str, ...]


@value
class Policy:
    """Standing orders of player `by`, in clear: `scope` and `until` say when they speak."""

    by: str
    slot: str
    scope: Mapping[str, Any] | None
    until: str | None
    doc: Mapping[str, Any]


def verb_of(order: Mapping[str, Any]) -> str:
    """The verb of a plain order: its one member, next to a `when`."""
    return next((name for name in order if name != WHEN), "")


class OrderRefused(Refused):
    """An order the rules do not allow now; the problems say why. A game may add members to it."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)


class GameInPlay(Protocol):
    """A game as the protocol sees it. Orders are plain mappings with one member, the verb, and
    perhaps a `when` next to it."""

    def waits(self) -> Asked | DiceWanted | Finished:
        """What must come next."""
        ...

    def round(self) -> str:
        """The name of the present round: what a player ordered ahead ends with it, unless it
        `outlives` that."""
        ...

    def outlives(self, before: GameInPlay, order: Mapping[str, Any]) -> bool:
        """Whether an order given ahead waits on though a round has ended: this is the game behind
        that end, `before` the one in front of it."""
        ...

    def holds(self, order: Mapping[str, Any]) -> bool:
        """Whether what an order with a `when` waits for is so now, by what both players know."""
        ...

    def check_form(self, order: Mapping[str, Any]) -> None:
        """Raises OrderRefused for what is no order of this game, whatever is asked.

        A verb it does not have, fields that are not those of the verb, a `when` that no order of
        the game has. What an order of good form means in a position is judged by `submit`, when
        its turn comes.
        """
        ...

    def leads(self, order: Mapping[str, Any]) -> bool:
        """Whether the verb begins something new, rather than answer what follows from an order.

        An answer is never looked for behind the next leading order of a list: the losses given for
        the second attack are not taken for the first.
        """
        ...

    def only_ends(self, order: Mapping[str, Any]) -> bool:
        """Whether the verb only says that nothing further comes: not asked for, it is no loss."""
        ...

    def answers(self, order: Mapping[str, Any]) -> bool:
        """Whether the verb is an answer to the decision now asked; says nothing on legality."""
        ...

    def submit(self, order: Mapping[str, Any]) -> GameInPlay:
        """The game after the order. Raises OrderRefused when it is not legal now."""
        ...

    def allows(self, order: Mapping[str, Any]) -> bool:
        """Whether `submit` takes the order; what comes of it is not computed."""
        ...

    def seal(self) -> GameInPlay:
        """The game after the secret decision now asked was answered under seal.

        It asks for the next one, or for the choice with the highest number to be told.
        """
        ...

    def default(self) -> Mapping[str, Any]:
        """An answer to the decision now asked that is always legal."""
        ...

    def hides(self, order: Mapping[str, Any]) -> bool:
        """Whether the verb answers secret decisions alone, and so may be in no list."""
        ...

    def roll(self, dice: Dice) -> GameInPlay:
        """The game after the chance it now waits for."""
        ...

    def covers(
        self, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None
    ) -> bool:
        """Whether a policy of that public scope speaks on the decision now asked."""
        ...

    def check_policy(
        self, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None,
        doc: Mapping[str, Any] | None,
    ) -> None:  # fmt: skip
        """Raises OrderRefused for a policy that says what no policy of this game says.

        `doc` is None where the document is sealed: then only what is public is judged.
        """
        ...

    def policy_shows(self, policy: Policy) -> tuple[str, ...]:
        """The hidden slots of its author's hand that its answer to the decision now asked uses."""
        ...

    def policy_answer(self, policy: Policy) -> Mapping[str, Any] | None:
        """The policy's answer: an order that is legal now, the null answer at worst.

        None: it says that its author is asked. A malformed document answers as the null policy.
        Where it fails nevertheless, the question is left open to the policy's author.
        """
        ...

    def upgraded(self, terms: Mapping[str, Any]) -> GameInPlay:
        """The same position, judged by the rules and data that `terms` (a proposal) names from now.

        Raises FileRefused (E-RULES) when they are not known here or do not fit the position.
        """
        ...

    # --- hidden cards; slots are `deck/epoch/place`

    def laid(self) -> tuple[Laid, ...]:
        """Every epoch of hidden cards laid so far, in the order laid; none with open hands."""
        ...

    def renumbered(self, used: Mapping[str, int]) -> GameInPlay:
        """The same game, whose decks lay their next epochs behind these numbers."""
        ...

    def renewed(self, player: str) -> GameInPlay:
        """The same game, whose player goes on with other secrets: what they hide is dealt again.

        All their hidden cards are laid as new epochs, and as many as were in their hand are drawn
        before anything else: `waits` is chance then. What is known of their hand stays in it.
        Epochs that nobody can open any more are not among those `laid`. Where they hide nothing it
        is the same.
        """
        ...

    def hand(self, player: str) -> tuple[str, ...]:
        """The slots in a player's hand, by deck, epoch and place."""
        ...

    def looks_at(self, player: str) -> tuple[str, ...]:
        """The slots whose cards a player may look at: their hand, what they have put face down, and
        what they are now to choose from."""
        ...

    def known(self) -> Mapping[str, str]:
        """The slots whose card both players know."""
        ...

    def learn(self, cards: Mapping[str, str]) -> GameInPlay:
        """The game after these slots were opened to both; it may go on by itself then."""
        ...

    def informed(self, cards: Mapping[str, str]) -> GameInPlay:
        """The game as one sees it who also knows these slots.

        It asks the same questions and has the same `public()`; orders are judged by what they know.
        """
        ...

    def shows(self, order: Mapping[str, Any]) -> tuple[str, ...]:
        """The hidden slots that an order of the player now asked needs open.

        Judged by what this game is informed of: card ids the order names are found by it.
        """
        ...

    def worded(self, order: Mapping[str, Any]) -> Mapping[str, Any]:
        """The order as it goes into the file: cards that stay hidden are named by their slots.

        Judged by what this game is informed of, like `shows`. What names none is left as it is.
        """
        ...

    def must_show(self) -> tuple[str, ...]:
        """The hidden slots that the player now asked must open, where they have no other choice."""
        ...

    def public(self) -> Mapping[str, Any]:
        """What both players may know, as plain values of the canonical domain and as parts that
        make such (engine/public.py)."""
        ...
