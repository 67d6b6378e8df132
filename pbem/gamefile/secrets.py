"""What a player can compute with their key: their decks, their sealed orders, the steps that reveal
them.

Nothing secret is stored anywhere. All of it follows from the key and the game file, and is computed
again by every command that needs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from pbem.gamefile import decks
from pbem.gamefile.cards import Bound, SealedDecks, first_decks, slot_parts
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.generations import Generation, context_behind, generations, origin
from pbem.gamefile.in_play import (
    Asked,
    GameInPlay,
    Laid,
    OrderRefused,
    ReadOrder,
)
from pbem.gamefile.kept import Chosen, Deputy, StandingList, StandingPolicy
from pbem.gamefile.keys import KeyPair, game_secret
from pbem.gamefile.machine import Machine
from pbem.gamefile.pending import holds, not_passed_over
from pbem.late import Late
from pbem.messages import Said, say

if TYPE_CHECKING:
    from pbem.gamefile import choices, deputies, lists, policies
else:  # many games have none of them
    choices = Late("pbem.gamefile.choices")
    deputies = Late("pbem.gamefile.deputies")
    lists = Late("pbem.gamefile.lists")
    policies = Late("pbem.gamefile.policies")

Step = dict[str, Any]


class Secrets:
    """The secrets of one player in one game, all of which follow from 32 bytes.

    These come from the seed of a key when they are first needed: until then a key can stay locked.
    """

    def __init__(self, player: str, game: bytes | Callable[[], bytes]) -> None:
        self.player = player
        self._game = game

    @property
    def game(self) -> bytes:
        """The 32 bytes."""
        if not isinstance(self._game, bytes):
            self._game = self._game()
        return self._game

    @classmethod
    def of(cls, key: KeyPair, player: str, context: str) -> Secrets:
        """The secrets of the owner of a key; `context` is the argument of `game_secret`."""
        return cls(player, lambda: game_secret(key.seed, player, context))

    @classmethod
    def in_game(cls, machine: Machine, key: KeyPair, player: str) -> Secrets:
        """Their present secrets in a game that has both players' contexts.

        Raises FileRefused (E-KEY) when the key took the place of another and comes without it.
        """
        public, context = origin(machine, player)
        if machine.keys.deputies and key.public != public:
            deputy = deputies.present(machine, player)
            if deputy is not None and deputy.public == key.public:
                return cls.handed(machine, key, deputy)
        for each in (key, *key.retired):
            if each.public == public:
                return cls.of(each, player, context)
        raise other_secrets(machine, player)

    @classmethod
    def handed(cls, machine: Machine, key: KeyPair, deputy: Deputy) -> Secrets:
        """The secrets that were handed to a player's deputy, who has this key.

        Raises FileRefused (E-KEY) where there are none, or they are older than the present ones.
        """
        player = deputy.of
        if any(each.entry > deputy.entry for each in machine.renewals_of(player)):
            raise other_secrets(machine, player)
        if deputy.box is None:
            raise deputies.nothing_handed()
        place = deputies.place_of(player, origin(machine, player)[1], deputy.entry)
        return cls(player, lambda: deputies.unboxed(key, deputy, place))

    @classmethod
    def anew(cls, machine: Machine, key: KeyPair, player: str) -> Secrets:
        """The secrets they continue with when they take up new ones in the open entry."""
        return cls.of(
            key, player, context_behind(machine.keys.contexts[player], machine.entry.last_id)
        )

    # --- decks

    def first_commitments(self, machine: Machine) -> dict[str, str]:
        """Deck to commitment, for `accept` and `start`."""
        return {
            each.deck: decks.commitment_of(self.game, machine.epoch_to_bind(each))
            for each in first_decks(machine.terms.proposal)
            if each.by == self.player
        }

    def deck_commit(self, machine: Machine, laid: Laid) -> Step:
        """The step that binds the player to their layout of an epoch."""
        commitment = decks.commitment_of(self.game, machine.epoch_to_bind(laid))
        groups = {"groups": list(laid.groups)} if laid.groups else {}
        return {"do": "deck_commit", "deck": laid.deck, "epoch": laid.epoch,
                "cards": list(laid.cards), "c": commitment, **groups}  # fmt: skip

    def deck_reply(self, bound: Bound) -> Step:
        """The step that shows the seeds of all trials but the one the beacon has picked."""
        assert bound.trial is not None
        reply = decks.reply_of(self.game, bound.epoch, bound.trial)
        return {"do": "deck_reply", "deck": bound.epoch.deck, "epoch": bound.epoch.number,
                "t": bound.trial, "siblings": list(reply.siblings),
                "leaves": list(reply.leaves)}  # fmt: skip

    def open(self, sealed: SealedDecks, slot: str) -> Step:
        """The step that opens a slot of theirs. Raises FileRefused (E-KEY) where they cannot."""
        deck, number, place = slot_parts(slot)
        laid = self._layouts(sealed).get((deck, number))
        if laid is None:
            raise FileRefused("E-KEY", say("this key cannot open what is to be shown"))
        return {"do": "open", "deck": deck, "epoch": number, "pos": place,
                "card": laid.cards[place], "nonce": laid.nonces[place]}  # fmt: skip

    def openings(self, machine: Machine, orders: Sequence[ReadOrder]) -> Iterator[Step]:
        """The steps that open the hidden cards these orders play, and tell the items of lists that
        come to light with them, each slot once.
        """
        hand, waits = self.hidden_hand(machine), machine.waits
        if not hand or not isinstance(waits, Asked) or waits.by != self.player:
            return
        table = machine.table
        informed = table.informed(hand)
        # What is kept must be open, for nobody asks for its cards when its turn comes.
        kept = not_passed_over(table, orders)
        shown = (
            (slots for _, slots in _in_turn(informed, self.player, kept, hand))
            if machine.terms.has_counters
            else (informed.shows(self.player, order) for order in kept)
        )
        slots = dict.fromkeys(slot for slots in shown for slot in slots)
        for standing in machine.hidden.lists:
            if due := [slot for slot in slots if slot.rpartition("/")[0] == standing.slot]:
                yield self._tell(standing, due)
                slots = {slot: None for slot in slots if slot not in due}
        for slot in slots:
            yield self.open(machine.hidden.decks, slot)

    def worded(self, machine: Machine, orders: Sequence[ReadOrder]) -> list[ReadOrder]:
        """These orders as they are written to the file: cards that stay hidden are named by
        slots.
        """
        hand = self.hidden_hand(machine)
        informed = machine.table.informed(hand)
        if machine.terms.has_counters:
            return [order for order, _ in _in_turn(informed, self.player, orders, hand)]
        if not hand:
            return list(orders)
        return [informed.worded(self.player, order, orders) for order in orders]

    def hidden_hand(self, machine: Machine) -> dict[str, str]:
        """What only they know, by slot: the cards in their hand and face down, the items of their
        lists.
        """
        known = machine.table.known()
        written = self.written(machine).items()
        found = {slot: item for slot, item in written if slot not in known}
        hidden = [slot for slot in machine.table.looks_at(self.player) if slot not in known]
        layouts = self._layouts(machine.hidden.decks) if hidden else {}
        for slot in hidden:
            deck, number, place = slot_parts(slot)
            if (deck, number) in layouts:
                found[slot] = layouts[deck, number].cards[place]
        return found

    def written(self, machine: Machine) -> dict[str, str]:
        """The items of all their lists, by slot."""
        if not any(each.by == self.player for each in machine.hidden.lists):
            return {}
        return dict(lists.items_known(machine.hidden.lists, self.player, self.game))

    def whole_deck(self, bound: Bound) -> dict[str, str]:
        """Every card of an epoch whose trial is picked: slot to card."""
        assert bound.trial is not None
        laid = _layout(self.game, bound.epoch, bound.trial)
        return {bound.epoch.slot(place): card for place, card in enumerate(laid.cards)}

    def _layouts(self, sealed: SealedDecks) -> dict[tuple[str, int], decks.Layout]:
        return {
            (bound.epoch.deck, bound.epoch.number): _layout(self.game, bound.epoch, bound.trial)
            for bound in sealed
            if bound.epoch.by == self.player and bound.trial is not None
        }

    # --- standing orders

    def seal(self, slot: str, seq: int, doc: Mapping[str, Any]) -> policies.Sealed:
        return policies.seal(self.game, slot, seq, doc)

    def read(self, standing: StandingPolicy) -> dict[str, Any]:
        """The document of their own sealed policy. Raises FileRefused (E-POLICY)."""
        assert standing.box is not None
        return policies.unbox(self.game, standing.slot, standing.sent.entry, standing.box)

    def unseal(self, standing: StandingPolicy) -> Step:
        """The step that shows a sealed document. Raises FileRefused (E-POLICY) as `read` does."""
        doc, seq = self.read(standing), standing.sent.entry
        salt = policies.salt_of(self.game, standing.slot, seq, doc)
        return {"do": "unseal", "slot": standing.slot, "seq": seq, "doc": doc, "salt": salt}

    # --- secret choices

    def choose(self, machine: Machine, waits: Asked, order: Mapping[str, Any], step: int) -> Step:
        """The step that seals an answer to the question, to be at `step` of the open entry."""
        sealed = choices.seal(self.game, machine.entry.seq, step, order, waits.room)
        return {"do": "seal", "c": sealed.c, "box": sealed.box}

    def seal_list(self, machine: Machine, waits: Asked, items: Sequence[Any]) -> Step:
        """The step that seals the items of a list in the open entry. Raises FileRefused
        (E-LIMIT).
        """
        seq = machine.entry.seq
        assert waits.list is not None
        name = waits.list.name
        if waits.list.shuffled:
            items = lists.placed(self.game, name, seq, items)
        sealed = lists.seal(self.game, name, seq, items)
        return {"do": "list_seal", "slot": name, "size": len(items), "c": sealed.c,
                "box": sealed.box}  # fmt: skip

    def tell_items(self, machine: Machine) -> Step:
        """The step that tells the items of a list that are due. Raises FileRefused (E-POLICY)
        where its box cannot be read.
        """
        waits = machine.waits
        assert isinstance(waits, Asked)
        standing = lists.in_force(machine.hidden.lists, self.player, waits.tells_items)
        assert standing is not None
        informed = machine.table.informed(self.hidden_hand(machine))
        return self._tell(standing, informed.shows(self.player, informed.default()))

    def _tell(self, standing: StandingList, slots: Sequence[str]) -> Step:
        """The step that tells these items of a list. Raises FileRefused (E-POLICY) where its box
        cannot be read.
        """
        name, seq = standing.name, standing.sent.entry
        items = lists.unbox(self.game, name, seq, standing.size, standing.box)
        places = sorted(int(slot.split("/")[2]) for slot in slots)
        told = [lists.shown(self.game, name, seq, items, at) for at in places]
        return {"do": "list_tell", "slot": name, "seq": seq, "items": told}

    def fact(self, machine: Machine) -> Step:
        """The step that says what is so of hidden things, as the game asks."""
        informed = machine.table.informed(self.hidden_hand(machine))
        return {"do": "fact", "order": dict(informed.default().plain)}

    def tell(self, chosen: Chosen) -> Step:
        """The step that tells a sealed choice.

        Raises FileRefused (E-POLICY) where its box cannot be read.
        """
        sent = chosen.sent
        order = choices.unbox(self.game, sent.entry, sent.step, chosen.box)
        salt = choices.salt_of(self.game, sent.entry, sent.step, order)
        return {"do": "tell", "order": order, "salt": salt}


def _in_turn(
    table: GameInPlay, player: str, orders: Sequence[ReadOrder], hand: Mapping[str, str]
) -> Iterator[tuple[ReadOrder, tuple[str, ...]]]:
    """Orders about counters as they are written, and the slots that each shows, at the table as it
    is by then; `hand` is what its player alone knows.

    What must be said of counters face down, and which come to be seen, depends on where the orders
    before have put them. Those behind one that is not asked for now are written as the table is
    there.
    """
    left, before = [*orders], list[ReadOrder]()
    for order in orders:
        written = table.worded(player, order, left)
        if table.answers(written) and not holds(table, written):
            yield written, ()  # it is passed over, so nothing need be shown for it
            continue
        slots = table.shows(player, written, before)
        before.append(order)
        yield written, slots
        for slot in slots:
            table = table.learn({slot: hand[slot]})
        if table.answers(written):
            try:
                table = _items_told(table.submit(written), player, hand)
            except OrderRefused:  # as it is again when the entry is judged
                continue
            left.remove(order)
            before.remove(order)


def _items_told(table: GameInPlay, player: str, hand: Mapping[str, str]) -> GameInPlay:
    """The table once the player has told the items of their lists that are due behind an order."""
    while isinstance(waits := table.waits(), Asked) and waits.tells_items and waits.by == player:
        due = table.shows(player, table.default())
        table = table.learn({slot: hand[slot] for slot in due}).submit(table.default())
    return table


def earlier(machine: Machine, key: KeyPair, player: str, *, lost: bool) -> list[str | None]:
    """A player's secrets of earlier generations, in hex, for the audit; None for each that is lost.

    Raises FileRefused (E-KEY) where the key of one is neither given nor declared `lost`.
    """
    missing = not_given(machine, key, player)
    if missing is not None and not lost:
        raise _not_given(missing)
    found: list[str | None] = []
    for generation in generations(machine, player)[:-1]:
        seed = key.seed_of(generation.key)
        found.append(None if seed is None else game_secret(seed, player, generation.context).hex())
    return found


def not_given(machine: Machine, key: KeyPair, player: str) -> Generation | None:
    """The first of the player's earlier generations whose key was not given, if any."""
    earlier = generations(machine, player)[:-1]
    return next((each for each in earlier if key.seed_of(each.key) is None), None)


def _not_given(generation: Generation) -> FileRefused:
    return FileRefused(
        "E-KEY",
        say(
            "what you kept hidden before entry {until} comes from a key that was not given",
            until=generation.until,
        ),
        hint=say(
            "give the key that was yours in entry {since}, too: --secrets OLD, once for each key; "
            "if it is lost for good, say so with pbem audit --lost, and your play until then is "
            "not audited"
            if generation.since
            else "give the key the game began with, too: --secrets OLD, once for each key; if it "
            "is lost for good, say so with pbem audit --lost, and your play until then is not "
            "audited",
            since=generation.since,
        ),
    )


def other_secrets(machine: Machine, player: str) -> FileRefused:
    """The refusal of a key from which the secrets of the game do not follow."""
    renewals = machine.renewals_of(player)
    hint = say("give the key the game began with, too: --key NEW --secrets OLD")
    if renewals:
        hint = say(
            "give the key that was yours in entry {entry}, too: --key NEW --secrets OLD",
            entry=renewals[-1].entry,
        )
    remedy = _remedy(machine, player)
    if remedy:
        hint = say("{hint}; if that is lost, or stolen, {remedy}", hint=hint, remedy=remedy)
    return FileRefused(
        "E-KEY",
        say("this key is not the one whose secrets the game is bound to"),
        hint=hint,
    )


def _remedy(machine: Machine, player: str) -> Said:
    """What a player whose secrets are lost can still do while the game is being played."""
    if machine.terms.phase != "running":
        return ""
    is_offered = any(
        each.what == "renew" and each.by != player for each in machine.agreements.offers
    )
    if is_offered:
        return say("your opponent lets you go on with new secrets: pbem answer GAME yes")
    return say("your opponent can let you go on with new secrets: pbem offer GAME renew")


@lru_cache(maxsize=16)
def _layout(secret: bytes, epoch: decks.Epoch, trial: int) -> decks.Layout:
    return decks.layout_of(secret, epoch, trial)
