"""What the protocol needs from a game: one small interface, and the values that pass through it.

The protocol knows no game. It sees a game in play that waits for a player, for dice or for nothing,
takes plain orders and dice, and returns the game after them. It is a value: no call changes the
object it is made on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pbem.engine.dice import Dice
from pbem.messages import Said
from pbem.problems import Problem, Refused
from pbem.value import value

PLAYERS = ("A", "B")
WHEN = "when"
"""The member of an order next to its verb, with what the order waits for."""


def other(player: str) -> str:
    """The opponent of A or B."""
    return "B" if player == "A" else "A"


class ListAsked(Protocol):
    """A sealed list that a question asks for: its name and how many places it has; `shuffled` ones
    mean nothing.
    """

    @property
    def name(self) -> str: ...
    @property
    def size(self) -> int: ...
    @property
    def shuffled(self) -> bool: ...


@value
class Asked:
    """A decision of player `by`. `what` is a few plain words that name it ("losses in combat 2").

    `kind` is the step an answer to it travels in: `orders` for the player whose round it is,
    `react` for the other player before the dice, `post_choice` for either after them. What is
    `secret` is answered by a `seal` instead; `tells` is the number of a sealed choice, from 1,
    where its author is to tell it, else 0. No answer to a `secret` question has more bytes than
    its `room`, 0 if the game does not say.

    A secret question with a `list` is answered by that sealed list; one with `tells_items` (the
    list as `name/entry`) by telling the items that are due. What `only_shows` is answered by
    showing what must be shown, and by nothing else; what `only_says` by a fact about hidden things,
    behind what must be shown. For what only `goes_on` no sealed policy is
    opened.
    """

    by: str
    what: str
    kind: str = "orders"
    secret: bool = False
    tells: int = 0
    list: ListAsked | None = None
    tells_items: str = ""
    only_shows: bool = False
    goes_on: bool = False
    room: int = 0
    only_says: bool = False

    @property
    def is_fixed(self) -> bool:
        """Whether its player has nothing left to decide: the answer is sealed already, or it only
        shows or tells what is true of hidden things.
        """
        return bool(self.tells or self.tells_items or self.only_shows or self.only_says)


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

    `epoch` counts from 1 for each deck; `cards` are sorted by their ASCII bytes. In a mix they are
    tags in `groups` of these sizes, each group sorted by itself, the groups by their first tags.
    """

    deck: str
    by: str
    epoch: int
    cards: tuple[str, ...]
    groups: tuple[int, ...] = ()
    is_pieces: bool = False
    """Whether its cards are counters that lie face down in play."""


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
    for name in order:
        if name != WHEN:
            return name
    return ""


class OrderRefused(Refused):
    """An order the rules do not allow now; the problems say why. A game may add members to it."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(*problems)


@value
class ReadOrder:
    """An order as its game has read it, once: whoever has it need not ask whether it is one.

    `leads`: its verb begins something new, rather than answering what follows from an order. An
    answer is never searched for after the next leading order of a list: losses given for the second
    attack are not taken for the first. `only_ends`: it only says "nothing further", so it may be
    dropped if it is not asked for. `hides`: it only answers secret decisions, and so may be in no
    list.
    """

    plain: Mapping[str, Any]
    """As it is signed: one member, the verb, and perhaps a `when` next to it."""
    meant: Any
    """What the game understood, which nobody else looks into."""
    leads: bool
    only_ends: bool = False
    hides: bool = False


class GameInPlay(Protocol):
    """A game as the protocol sees it. It takes plain orders by `read` alone."""

    def waits(self) -> Asked | DiceWanted | Finished:
        """What must come next."""
        ...

    def round(self) -> str:
        """The name of the present round: orders given ahead end with it, unless they `outlive`
        it.
        """
        ...

    def outlives(self, before: GameInPlay, order: ReadOrder) -> bool:
        """Whether an order given ahead is kept although a round has ended: this is the game after
        that end, `before` the one before it.
        """
        ...

    def holds(self, order: ReadOrder) -> bool:
        """Whether the condition of an order with a `when` holds now, by what both players know."""
        ...

    def doubts(self, order: ReadOrder) -> tuple[Problem, ...]:
        """Why an order given ahead lapses now although nobody can see it break a rule: what its
        author hides might make it illegal. The same in every view.
        """
        ...

    def read(self, order: Mapping[str, Any]) -> ReadOrder:
        """A plain order, read. It holds in any later position of the game as well.

        Raises OrderRefused for what can be no order of this game, whatever is asked: a verb it does
        not have, fields that are not those of the verb, or an impossible `when`. What a well-formed
        order means in a position is judged by `submit`, when its turn comes.
        """
        ...

    def answers(self, order: ReadOrder) -> bool:
        """Whether the verb is an answer to the decision now asked; says nothing on legality."""
        ...

    def submit(self, order: ReadOrder) -> GameInPlay:
        """The game after the order. Raises OrderRefused when it is not legal now."""
        ...

    def allows(self, order: ReadOrder) -> bool:
        """Whether `submit` accepts an order that `answers`; its result is not computed."""
        ...

    def seal(self, entry: int) -> GameInPlay:
        """The game after the present secret decision was answered under seal in this entry.

        It asks for the next one, or for the sealed choice with the highest number to be revealed. A
        list is not revealed as a whole: the game asks for its items when they are due.
        """
        ...

    def listed(self, order: ReadOrder) -> tuple[Any, ...]:
        """The items, plain values, that an order puts on the list that is asked for, by place."""
        ...

    def default(self) -> ReadOrder:
        """An answer to the decision now asked that is always legal."""
        ...

    def roll(self, dice: Dice) -> GameInPlay:
        """The game after the chance it now waits for."""
        ...

    def covers(
        self, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None
    ) -> bool:
        """Whether a policy of that public scope answers the present decision."""
        ...

    def check_policy(
        self, by: str, slot: str, scope: Mapping[str, Any] | None, until: str | None,
        doc: Mapping[str, Any] | None,
    ) -> None:  # fmt: skip
        """Raises OrderRefused for a policy that is impossible in this game.

        `doc` is None where the document is sealed: then only the public part is judged.
        """
        ...

    def policy_shows(self, policy: Policy) -> tuple[str, ...]:
        """The hidden slots of its author's hand that its answer to the decision now asked uses."""
        ...

    def policy_answer(self, policy: Policy) -> ReadOrder | None:
        """The policy's answer: a legal order, in the worst case that of an empty policy.

        None: its author is asked. A malformed document answers as an empty one. Where even that
        fails, the question is left to the policy's author.
        """
        ...

    def upgraded(self, terms: Mapping[str, Any]) -> GameInPlay:
        """The same position, judged from now on by the rules and data named in `terms` (a
        proposal).

        Raises FileRefused (E-RULES) when they are not known here or do not fit the position.
        """
        ...

    # --- hidden cards; slots are `deck/epoch/place`

    def laid(self) -> tuple[Laid, ...]:
        """Every epoch of hidden cards laid so far, in the order laid; none with open hands."""
        ...

    def renumbered(self, used: Mapping[str, int]) -> GameInPlay:
        """The same game with its decks numbered so that their next epochs come after these."""
        ...

    def renewed(self, player: str) -> GameInPlay:
        """The same game after a player went on with other secrets: what they hide is dealt again.

        All their hidden cards are laid as new epochs, and as many as were in their hand are drawn
        before anything else: `waits` is chance then. Cards that are known in their hand stay in it.
        Epochs that nobody can open any more are not among those `laid`. Where they hide nothing,
        nothing changes.
        """
        ...

    def hand(self, player: str) -> tuple[str, ...]:
        """The slots in a player's hand, by deck, epoch and place."""
        ...

    def looks_at(self, player: str) -> tuple[str, ...]:
        """The slots whose cards a player may look at: their hand, their cards face down on the
        table, and those they are to choose from.
        """
        ...

    def known(self) -> Mapping[str, str]:
        """The slots whose card both players know."""
        ...

    def learn(self, cards: Mapping[str, str]) -> GameInPlay:
        """The game after these slots were opened to both; it may go on without a player then."""
        ...

    def informed(self, cards: Mapping[str, str]) -> GameInPlay:
        """The game as seen by a player who also knows these slots.

        It asks the same questions and has the same `public()`; orders are judged by what that
        player knows.
        """
        ...

    def shows(self, by: str, order: ReadOrder, before: Sequence[ReadOrder] = ()) -> tuple[str, ...]:
        """The hidden slots that an order of player `by` opens, who is asked now; `before` are the
        orders of the same entry that are still to be carried out before it.

        They are found by the card ids in the order, with the knowledge of this game.
        """
        ...

    def worded(self, by: str, order: ReadOrder, given: Sequence[ReadOrder] = ()) -> ReadOrder:
        """An order of player `by` as it is written to the file, among those of `given`: cards that
        stay hidden are named by their slots, whoever is asked now, or where dice come first.

        Like `shows` it uses the knowledge of this game. An order that names no card is unchanged.
        """
        ...

    def misfit(self, slot: str, card: str) -> Said:
        """Why the card of a slot, which is proven to be in it, cannot be there by the rules; empty
        if it can.
        """
        ...

    def called(self, slot: str) -> Said:
        """What is in a slot, as both players may call it: slots are for files, not for people."""
        ...

    def may_hide_counters(self) -> bool:
        """Whether counters can lie face down in this game at all: in no other one is anything asked
        about them.
        """
        ...

    def owes(self, player: str) -> tuple[str, ...]:
        """The hidden slots that a player must open in their next entry, whatever is asked."""
        ...

    def must_show(self) -> tuple[str, ...]:
        """The hidden slots that the player now asked must open, where they have no other choice."""
        ...

    def public(self) -> Mapping[str, Any]:
        """What both players may know, as plain values of the canonical domain and as parts that
        give such values (engine/public.py).
        """
        ...


def has_counters(game: GameInPlay) -> bool:
    """Whether counters have been laid face down, which their owner knows."""
    return any(laid.is_pieces for laid in game.laid())


def stumbled(error: Exception) -> bool:
    """Never true: an answer for rules that failed on what they were asked.

    Raises the error where it is one of the machine: another may have the memory and the stack for
    the same order, and both must come to the same game.
    """
    if isinstance(error, MemoryError | RecursionError):
        raise error
    return False
