"""An entry in the making: steps tried one by one on the verifier's machine, then signed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.gamefile import chain
from pbem.gamefile.beacons import chain_step, chain_value, derive_chain
from pbem.gamefile.canonical import check_domain, encoded
from pbem.gamefile.cards import CHOICES, slot_of
from pbem.gamefile.chain import ZEROS, Entry
from pbem.gamefile.entry import begin_entry, end_entry, take_step
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import WHEN, Asked, OrderRefused, ReadOrder
from pbem.gamefile.journal import Dropped, Lapsed, Ordered, PassedOver
from pbem.gamefile.kept import Given, Owed
from pbem.gamefile.keys import KeyPair
from pbem.gamefile.limits import check_content, check_document
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import OrderIllegal, first_answer, judged, read_orders
from pbem.gamefile.secrets import Secrets, earlier, not_given, other_secrets
from pbem.gamefile.shapes import MOST_LINES, check_step
from pbem.gamefile.steps.turn import FIXED_AND_SEALED
from pbem.late import Late
from pbem.messages import Said, say
from pbem.value import twin, value

if TYPE_CHECKING:
    from pbem.gamefile import deputies
else:  # few games have any
    deputies = Late("pbem.gamefile.deputies")

Order = Mapping[str, Any]
ANSWER_MEMBER = {"orders": "list", "react": "answers", "post_choice": "answers"}


class Draft:
    """An entry in the making: the steps so far, and the machine that has folded them."""

    def __init__(self, machine: Machine, player: str, key: KeyPair) -> None:
        as_deputy = bool(machine.keys.deputies) and deputies.seat(machine, key.public) == player
        self.machine = begin_entry(machine, player, deputy=as_deputy)
        self.player, self.key = player, key
        self.lost = False  # the keys of secrets before the present ones, unless they are given
        self.steps: list[dict[str, Any]] = []

    def again(self) -> Draft:
        """A copy of this draft."""
        made = twin(self)
        made.steps = list(self.steps)
        return made

    def add(self, step: dict[str, Any]) -> None:
        """Adds a step, judged as every reader of the file will judge it.

        Raises FileRefused where they would refuse it; the draft is unchanged then.
        """
        check_domain(step)
        check_step(step)
        self.machine = take_step(self.machine, step)
        self.steps.append(step)

    def speak(self, lines: tuple[str, ...]) -> None:
        """Adds free words, in as many `say` steps as they need. Raises FileRefused as `add`
        does.
        """
        for at in range(0, len(lines), MOST_LINES):
            self.add({"do": "say", "text": list(lines[at : at + MOST_LINES])})

    def hand_over(self, orders: Sequence[Order]) -> tuple[int, ...]:
        """Adds the orders, and returns which of them (from 0) nothing asked for."""
        for order in orders:
            check_domain(dict(order))
        self.machine, handed = hand_over(self.machine, self.player, orders, self.secrets)
        for step in handed.steps:
            check_step(step)
        self.steps += handed.steps
        return handed.unused

    def pay(self, *, is_undone: bool = False) -> None:
        """Adds what is owed and leaves no choice: reveals of sealed things, new anchors and new
        decks.

        Where a take-back undoes the question, sealed things stay sealed.
        """
        while (step := self._owed_step()) is not None:
            if is_undone and step["do"] in FIXED_AND_SEALED:
                return
            try:
                self.add(step)
            except FileRefused as refused:
                raise _with_a_way_out(refused) from None

    def _owed_step(self) -> dict[str, Any] | None:
        machine, player = self.machine, self.player
        due = machine.head(player)
        if due is not None:
            return self._reveal(int(due.what)) if due.code == "reveal" else self._head(due)
        if machine.owes_audit(player):
            return self._audit() if machine.entry.past_the_end or self._may_audit() else None
        if machine.terms.phase != "running":
            return None
        if machine.lacks_anchor(player):
            number = len(machine.beacons.anchors[player])
            return {"do": "anchor", "q": number, "anchor": self._values(number)[0]}
        lacking = machine.lacks_decks(player)
        return self.secrets.deck_commit(machine, lacking[0]) if lacking else None

    def _may_audit(self) -> bool:
        """Whether nothing is missing for the audit in the entry that ends the game.

        It is not worth that entry: the audit may come later, and an earlier key be found by then.
        """
        return not_given(self.machine, self.key, self.player) is None

    def _audit(self) -> dict[str, Any]:
        step: dict[str, Any] = {"do": "audit", "gsec": self.secrets.game.hex()}
        if self.machine.renewals_of(self.player):
            step["earlier"] = earlier(self.machine, self.key, self.player, lost=self.lost)
        return step

    def _head(self, due: Owed) -> dict[str, Any]:
        if due.code == "deck_reply":
            return self.secrets.deck_reply(self.machine.hidden.decks.unanswered(self.player)[0])
        if due.code == "unseal":
            assert self.machine.pending.halt is not None
            return self.secrets.unseal(self.machine.pending.halt)
        if due.code == "tell":
            waits = self.machine.waits
            assert isinstance(waits, Asked)
            chosen = self.machine.sealed_choice(waits.tells)
            assert chosen is not None
            return self.secrets.tell(chosen)
        if due.code == "list_tell":
            return self.secrets.tell_items(self.machine)
        if due.code == "fact":
            return self.secrets.fact(self.machine)
        return self.secrets.open(self.machine.hidden.decks, due.what)

    def order_policy(self, policy: Mapping[str, Any], *, in_clear: bool) -> None:
        """Adds standing orders, sealed unless they are given in clear or withdrawn."""
        slot, doc = policy["slot"], policy["doc"]
        step = {"do": "policy", "slot": slot, "scope": policy["scope"], "until": policy["until"]}
        if in_clear or doc is None:
            self.add({**step, "doc": doc})
        else:
            check_document(self.player, policy["scope"], policy["until"], doc)
            sealed = self.secrets.seal(slot, self.machine.entry.seq, doc)
            self.add({**step, "c": sealed.c, "box": sealed.box})

    def open_early(self, slots: Sequence[str]) -> None:
        """Opens cards of the hand that a policy in clear will play, before the orders."""
        hidden = self.secrets.hidden_hand(self.machine)
        for slot in slots:
            if slot in hidden and slot not in self.machine.table.known():
                self.add(self.secrets.open(self.machine.hidden.decks, slot))

    def void(self) -> None:
        """Begins a beacon that decides nothing (R9), for a value that became known too soon."""
        self.add({**self._reveal(self.machine.next_beacon), "void": True})

    def pay_head_if_possible(self, still: Callable[[Machine], bool]) -> None:
        """Adds what is due first, if its secrets are known and `still` remains true."""
        before = self.machine, self.steps
        self.steps = list(self.steps)
        try:
            while self.machine.head(self.player) is not None:
                step = self._owed_step()
                assert step is not None
                self.add(step)
        except FileRefused as refused:
            if refused.code != "E-KEY":
                raise
            self.machine, self.steps = before
        if not still(self.machine):
            self.machine, self.steps = before

    def renew(self) -> None:
        """Adds the new secrets of their present key, and what is owed with them."""
        secrets = Secrets.anew(self.machine, self.key, self.player)
        self.add({"do": "renew", "anchor": self._chain(secrets, 0)[0]})
        self.pay()

    def beginning(self, context: str) -> dict[str, Any]:
        """The anchor and the deck commitments of `accept` and `start`."""
        secrets = Secrets.of(self.key, self.player, context)
        length = self.machine.chain_length
        return {
            "anchor": derive_chain(secrets.game, self.player, context, length)[0],
            "decks": secrets.first_commitments(self.machine),
        }

    @property
    def secrets(self) -> Secrets:
        """What the player can work out with their key, once the game has both players' contexts."""
        return Secrets.in_game(self.machine, self.key, self.player)

    def sign(self, tool: str, time: str | None) -> Entry:
        """The signed entry; `machine` is the one after its steps."""
        machine = self.machine = end_entry(self.machine.put(time=time))
        seq = machine.entry.seq
        payload: dict[str, Any] = {
            "v": chain.VERSION, "game": machine.terms.game if seq > 1 else ZEROS, "seq": seq,
            "prev": machine.entry.last_id, "by": self.player, "steps": self.steps,
            "post": machine.post(), "tool": tool,
        }  # fmt: skip
        if time is not None:
            payload["time"] = time
        if machine.entry.deputy:
            payload["as"] = "deputy"
        return chain.sign_entry(self.key, payload)

    def _reveal(self, number: int) -> dict[str, Any]:
        machine, player = self.machine, self.player
        chain, index = machine.place_in_chain(player, number)
        beacons, context = machine.beacons, machine.keys.contexts[player]
        before = beacons.anchors[player][chain] if index == 1 else beacons.values[player]
        assert before is not None
        value = chain_value(
            self.secrets.game, player, context, machine.chain_length, chain, index, before,
            self.key.waymarks,
        )  # fmt: skip
        if chain_step(player, context, index, value) != before:
            self.key.check()
            raise other_secrets(machine, player)
        return {"do": "reveal", "n": number, "x": value}

    def _values(self, number: int) -> tuple[str, ...]:
        return self._chain(self.secrets, number)

    def _chain(self, secrets: Secrets, number: int) -> tuple[str, ...]:
        context, length = self.machine.keys.contexts[self.player], self.machine.chain_length
        return derive_chain(secrets.game, self.player, context, length, number)


def _with_a_way_out(refused: FileRefused) -> FileRefused:
    """The refusal of what a player's own program would write first, with what they can write in its
    place: a counter that must be shown and cannot be, by what was said of it.
    """
    if refused.code != "E-PIECE":
        return refused
    hint = say(
        "ask your opponent by e-mail to offer a take-back, and answer it with yes: that shows "
        "nothing; or resign"
    )
    return FileRefused(refused.code, refused.message, rule=refused.rule, hint=hint,
                       causes=refused.causes)  # fmt: skip


@value
class Handed:
    """Orders handed to a machine: the steps they took, and which of them no round used."""

    steps: tuple[dict[str, Any], ...]
    unused: tuple[int, ...]


def hand_over(
    machine: Machine, player: str, orders: Sequence[Order], secrets: Secrets
) -> tuple[Machine, Handed]:
    """The machine after the player's orders, in as many steps as they need.

    The hidden cards that they play are opened before them, which takes the player's secrets. Orders
    that the end of a round would drop are kept back for the next question: the loser of a fight can
    name their retreat and go on with their own round in one list. Raises FileRefused; the index of
    an OrderIllegal is that of the whole list.
    """
    if not orders:
        return machine, Handed((), ())
    waits = _question(machine, player)
    if waits is None:
        raise FileRefused("E-TURN", not_now(machine))
    left = list(enumerate(read_orders(machine.table, orders)))
    steps: list[dict[str, Any]] = []
    while waits is not None:
        if waits.secret:
            machine, found, left = _sealed(machine, waits, left, secrets)
        else:
            machine, found, left = _in_clear(machine, waits, left, secrets)
        steps += found
        if first_answer(machine.table, [order for _, order in left]) is None:
            break
        machine, found = _shown(machine, player, secrets)
        steps += found
        waits = _question(machine, player)
    check_content(player, steps, len(encoded(steps)))  # as whoever reads the entry will
    return machine, Handed(tuple(steps), tuple(index for index, _ in left))


Numbered = list[tuple[int, ReadOrder]]
"""Orders with their places in the whole list."""


def _question(machine: Machine, player: str) -> Asked | None:
    """What the player is asked and may answer now."""
    if machine.terms.phase != "running" or machine.beacons.locked is not None:
        return None
    waits = machine.waits
    return waits if isinstance(waits, Asked) and machine.asks_openly(player) else None


def _shown(machine: Machine, player: str, secrets: Secrets) -> tuple[Machine, list[dict[str, Any]]]:
    """The machine after the showings that the orders so far have brought, with their steps: they
    come before anything else.
    """
    steps: list[dict[str, Any]] = []
    while machine.terms.phase == "running" and (slots := machine.to_show(player)):
        steps.append(secrets.open(machine.hidden.decks, slots[0]))
        machine = take_step(machine, steps[-1])
    return machine, steps


def _in_clear(
    machine: Machine, waits: Asked, left: Numbered, secrets: Secrets
) -> tuple[Machine, list[dict[str, Any]], Numbered]:
    """The machine after the orders before the first secret choice, their steps, and what is left:
    the choice is sealed when it is asked for.
    """
    count = len(left)
    if not machine.is_solo:
        count = next((at for at, (_, order) in enumerate(left) if order.hides), count)
    if not count:
        raise FileRefused(
            "E-ORDER",
            say("a secret choice does not answer what is asked now: {what}", what=waits.what),
            rule=CHOICES,
            hint=say("give it when the game asks for it"),
        )
    count = _before_showing(machine, left[:count], secrets)
    trial, steps = _with_step(machine, waits, left[:count], secrets)
    used = _used(trial, waits.by, count)
    if used < count:
        trial, steps = _with_step(machine, waits, left[:used], secrets)
    return trial, steps, left[used:]


def _before_showing(machine: Machine, orders: Numbered, secrets: Secrets) -> int:
    """How many orders are in one step: the answer to the present question alone where none of what
    they show can be shown before it.
    """
    given = [order for _, order in orders]
    first = first_answer(machine.table, given)
    if first is None:
        return len(given)
    is_early = any(
        machine.table.misfit(slot_of(step), step["card"])
        for step in secrets.openings(machine, given)
        if step["do"] == "open"
    )
    return first + 1 if is_early else len(given)


def _sealed(
    machine: Machine, waits: Asked, left: Numbered, secrets: Secrets
) -> tuple[Machine, list[dict[str, Any]], Numbered]:
    """The machine after the secret choice among the orders, its step, and what is left.

    No one else can judge it before it is revealed, so its author's program does.
    """
    at = first_answer(machine.table, [order for _, order in left])
    if at is None:
        raise FileRefused(
            "E-ORDER", say("nothing here answers the question: {what}", what=waits.what), rule="R8"
        )
    index, order = left[at]
    if WHEN in order.plain:
        raise FileRefused(
            "E-ORDER",
            say("a secret choice cannot wait for anything"),
            rule=CHOICES,
            hint=say("leave when out"),
        )
    seen = machine.table.informed(secrets.hidden_hand(machine))
    written = order
    (order,) = secrets.worded(machine, [order])
    try:
        judged(seen, order)
    except OrderRefused as refusal:
        place = machine.place(index)
        raise OrderIllegal(Given(order, "seal", place, 0), refusal) from refusal
    if waits.list:
        step = secrets.seal_list(machine, waits, seen.listed(written))
    else:
        step = secrets.choose(machine, waits, order.plain, len(machine.entry.kinds))
    return take_step(machine, step), [step], [*left[:at], *left[at + 1 :]]


def _with_step(
    machine: Machine, waits: Asked, numbered: Numbered, secrets: Secrets
) -> tuple[Machine, list[dict[str, Any]]]:
    given = [order for _, order in numbered]
    steps = [*secrets.openings(machine, given)]
    plain = [order.plain for order in secrets.worded(machine, given)]
    steps.append(answer_step(waits, plain))
    try:
        trial = _after_steps(machine, steps)
        if hidden := secrets.hidden_hand(machine):
            # What only they can know now the audit will know: they are told before they sign.
            _after_steps(machine.at(machine.table.informed(hidden)), steps)
    except OrderIllegal as illegal:
        illegal.index = numbered[illegal.index][0]
        raise
    return trial, steps


def _after_steps(machine: Machine, steps: Sequence[dict[str, Any]]) -> Machine:
    for step in steps:
        machine = take_step(machine, step)
    return machine


def _used(machine: Machine, player: str, count: int) -> int:
    """How many of the orders in the last step the round could use, or still may."""
    here = machine.entry.seq, len(machine.entry.kinds) - 1
    told = [
        one
        for one in machine.entry.journal
        if isinstance(one, (Ordered, Lapsed, PassedOver, Dropped))
        and (one.sent.entry, one.sent.step) == here
    ]
    used = max(one.sent.index for one in told if not isinstance(one, Dropped)) + 1
    is_cut = any(one.sent.index >= used for one in told)  # what was dropped behind them
    given = machine.pending.given[player]
    waits = any((item.sent.entry, item.sent.step) == here for item in given)
    return count if waits and not is_cut else used


def answer_step(waits: Asked, orders: Any) -> dict[str, Any]:
    """The step that answers the present question with these orders."""
    return {"do": waits.kind, ANSWER_MEMBER[waits.kind]: [dict(order) for order in orders]}


def not_now(machine: Machine) -> Said:
    """Why orders cannot be given now, in words."""
    if machine.terms.phase == "over":
        return say("the game is over")
    if machine.beacons.locked is not None:
        return say(
            "the dice come first: beacon {locked} has not been revealed yet",
            locked=machine.beacons.locked,
        )
    first = machine.owed[0]
    if first.code in ("accept", "start"):
        return say(
            "the game has not begun: {by} must accept it first" if first.code == "accept"
            else "the game has not begun: {by} must begin it first",
            by=called(machine, first.by),
        )  # fmt: skip
    return say("it is {by}'s turn to write", by=called(machine, first.by))


def called(machine: Machine, player: str) -> str:
    """A player by their side, as in "the Republican player"."""
    return f"the {machine.terms.proposal['sides'][player.lower()].capitalize()} player"
