"""Sealed decks: the owner commits to a secret layout, chance picks places, an opening proves a
card.

The owner of a deck commits to many trial layouts of the same cards at once. A beacon that they
cannot know then picks one of them. The seeds of all others are shown, so anyone can rebuild these
and see that they had the right cards; the one picked becomes the deck. Each of its cards stays
hidden behind a digest until the owner opens its place. Only SHA-256 is used, and everything follows
from the game secret: the owner can compute what they know of their deck with their key at any time.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from pbem.gamefile.beacons import mac, macs, uniform
from pbem.gamefile.chain import digest
from pbem.gamefile.errors import FileRefused
from pbem.messages import say
from pbem.value import value


@value
class Epoch:
    """The public part of one epoch of a deck: its owner, and its cards, sorted in each group.

    `trials` is a power of two, `challenge` the number of the beacon that picks one of them.
    """

    deck: str
    by: str
    number: int
    cards: tuple[str, ...]
    trials: int
    challenge: int
    groups: tuple[int, ...] = ()
    """The sizes of the groups in which the cards change places, in order; none if all do."""

    @property
    def depth(self) -> int:
        """The number of levels of the tree of seeds below its root."""
        return self.trials.bit_length() - 1

    @property
    def label(self) -> str:
        """The label of the number that picks the trial."""
        return f"deck/{self.deck}/{self.number}/challenge"

    def among(self, place: int) -> tuple[str, ...]:
        """The cards of which one is in a place: those of its group, if there are groups."""
        end = 0
        for size in self.groups:
            end += size
            if place < end:
                return self.cards[end - size : end]
        return self.cards

    def slot(self, place: int) -> str:
        """The name of a place (from 0) of its layout, for the file and the rules."""
        return f"{self.deck}/{self.number}/{place}"


@value
class Reply:
    """The answer to a challenge: the digests of the picked trial's places, and the seeds beside
    the way to it (from the root downwards), both in hex."""

    leaves: tuple[str, ...]
    siblings: tuple[str, ...]


@value
class Layout:
    """A trial laid out: the card of each place, and the nonce (hex) that hides it."""

    cards: tuple[str, ...]
    nonces: tuple[str, ...]


# --- what the owner works out


def root_of(secret: bytes, epoch: Epoch) -> bytes:
    """The root of the tree of seeds (32 bytes) from the owner's game secret.

    Later epochs mix in the challenge and the cards: two commitments with one number, one of them
    made for an old position, would otherwise reveal each other's seeds.
    """
    text = f"pbem1/deckseed\n{epoch.deck}\n{epoch.number}"
    if epoch.number > 1 or epoch.groups:
        cards = hashlib.sha256("\n".join(epoch.cards).encode("ascii")).hexdigest()
        text += f"\n{epoch.challenge}\n{cards}"
    if epoch.groups:
        text += f"\n{','.join(map(str, epoch.groups))}"
    return mac(secret, text)


def commitment_of(secret: bytes, epoch: Epoch) -> str:
    """The digest over all trials (64 hex digits)."""
    seeds = _below(root_of(secret, epoch), epoch.depth)
    return _over_trials(_laid_root(epoch, trial, seed) for trial, seed in enumerate(seeds))


def reply_of(secret: bytes, epoch: Epoch, trial: int) -> Reply:
    """The owner's reply when the beacon has picked `trial`."""
    seed, siblings = root_of(secret, epoch), []
    for level in range(epoch.depth - 1, -1, -1):
        bit = trial >> level & 1
        siblings.append(_child(seed, 1 - bit).hex())
        seed = _child(seed, bit)
    leaves = _leaves(epoch, trial, layout(seed, epoch.cards, epoch.groups))
    return Reply(tuple(leaf.hex() for leaf in leaves), tuple(siblings))


def layout_of(secret: bytes, epoch: Epoch, trial: int) -> Layout:
    """The deck as its owner knows it."""
    seed = root_of(secret, epoch)
    for level in range(epoch.depth - 1, -1, -1):
        seed = _child(seed, trial >> level & 1)
    return layout(seed, epoch.cards, epoch.groups)


# --- what everybody checks


def trial_of(value: bytes, epoch: Epoch) -> int:
    """The trial that a beacon's value (32 bytes) picks."""
    return uniform(value, epoch.label, epoch.trials).value


def check_reply(epoch: Epoch, commitment: str, trial: int, reply: Reply) -> None:
    """Rebuilds all other trials and compares them, with the leaves given, with the commitment.

    Raises FileRefused (E-DECK).
    """
    if len(reply.leaves) != len(epoch.cards) or len(reply.siblings) != epoch.depth:
        raise FileRefused(
            "E-DECK",
            say(
                "the reply for deck {deck} has {number} leaves and {reply_siblings} seeds; "
                "it needs {epoch_cards} and {depth}",
                deck=epoch.deck,
                number=len(reply.leaves),
                reply_siblings=len(reply.siblings),
                epoch_cards=len(epoch.cards),
                depth=epoch.depth,
            ),
            rule="sealed decks",
        )
    seeds = _others(epoch, trial, reply.siblings)
    given = [bytes.fromhex(leaf) for leaf in reply.leaves]
    roots = (
        _trial_root(epoch, each, given) if each == trial else _laid_root(epoch, each, seeds[each])
        for each in range(epoch.trials)
    )
    if _over_trials(roots) != commitment:
        raise FileRefused(
            "E-DECK",
            say(
                "deck {deck} is not what its owner is bound to: the layouts they show were "
                "made differently, or of other cards",
                deck=epoch.deck,
            ),
            rule="sealed decks",
        )


def leaf_of(epoch: Epoch, trial: int, place: int, card: str, nonce: str) -> str:
    """The digest that binds a place to its card (64 hex digits)."""
    number, where = str(epoch.number), str(place)
    return digest("pbem1/card", epoch.deck, number, str(trial), where, card, nonce).hex()


def layout(seed: bytes, cards: Sequence[str], groups: tuple[int, ...] = ()) -> Layout:
    """The layout a trial's seed gives: the cards, shuffled by Fisher and Yates.

    All of them are sorted and shuffled together; with `groups` each group is by itself, and stays
    where it stands.
    """
    order = list(cards) if groups else sorted(cards)
    swaps = _swaps(len(order), groups)
    blocks = macs(seed, _texts_of_layout(len(order), groups))
    for (label, start, size, fair, place), block in zip(swaps, blocks, strict=False):
        first = block[0]
        # `uniform`, which takes the first byte wherever that favours no place: nearly always.
        other = start + (first % size if first < fair else uniform(seed, label, size).value)
        order[place], order[other] = order[other], order[place]
    return Layout(tuple(order), tuple([block.hex() for block in blocks[len(swaps) :]]))


@lru_cache(maxsize=64)
def _swaps(count: int, groups: tuple[int, ...]) -> tuple[tuple[str, int, int, int, int], ...]:
    """The swaps of a layout in order: the label of each, where its group begins, how many places
    from there on it chooses among, below which number a byte favours none of them, and the last of
    them, which changes with the chosen one.
    """
    found, start = [], 0
    for number, size in enumerate(groups or (count,)):
        for last in range(size - 1, 0, -1):
            label, many = f"perm/{number}/{last}" if groups else f"perm/{last}", last + 1
            found.append((label, start, many, 256 - 256 % many, start + last))
        start += size
    return tuple(found)


@lru_cache(maxsize=64)
def _texts_of_layout(count: int, groups: tuple[int, ...]) -> tuple[bytes, ...]:
    """What is hashed under a seed to lay out that many cards: for each place that is shuffled the
    first block of its number, then the nonces.
    """
    shuffled = [f"pbem1/roll\n{label}\n0" for label, *_ in _swaps(count, groups)]
    nonces = [f"pbem1/nonce\n{place}" for place in range(count)]
    return tuple([text.encode("ascii") for text in (*shuffled, *nonces)])


# --- the tree of seeds


def _child(seed: bytes, bit: int) -> bytes:
    return mac(seed, f"pbem1/ggm\n{bit}")


def _below(seed: bytes, depth: int) -> list[bytes]:
    """All seeds `depth` levels below one, from the left."""
    level = [seed]
    for _ in range(depth):
        level = [_child(each, bit) for each in level for bit in (0, 1)]
    return level


def _others(epoch: Epoch, trial: int, siblings: Sequence[str]) -> Mapping[int, bytes]:
    """The seeds of all trials but one, by the trial's number."""
    found: dict[int, bytes] = {}
    for level, sibling in zip(range(epoch.depth - 1, -1, -1), siblings, strict=True):
        first = ((trial >> level) ^ 1) << level
        for place, seed in enumerate(_below(bytes.fromhex(sibling), level)):
            found[first + place] = seed
    return found


def _leaves(epoch: Epoch, trial: int, laid: Layout) -> list[bytes]:
    """The digests of `leaf_of`, for a whole trial."""
    head = f"pbem1/card\n{epoch.deck}\n{epoch.number}\n{trial}"
    return [
        hashlib.sha256(f"{head}\n{place}\n{card}\n{nonce}".encode("ascii")).digest()
        for place, (card, nonce) in enumerate(zip(laid.cards, laid.nonces, strict=True))
    ]


@lru_cache(maxsize=2048)  # an audit asks again for the trials that a reply has opened
def _laid_root(epoch: Epoch, trial: int, seed: bytes) -> bytes:
    """The digest of the trial (32 bytes) that a seed lays out."""
    return _trial_root(epoch, trial, _leaves(epoch, trial, layout(seed, epoch.cards, epoch.groups)))


def _trial_root(epoch: Epoch, trial: int, leaves: Sequence[bytes]) -> bytes:
    head = f"pbem1/deck\n{epoch.deck}\n{epoch.number}\n{trial}\n".encode("ascii")
    return hashlib.sha256(head + b"".join(leaves)).digest()


def _over_trials(roots: Iterable[bytes]) -> str:
    return hashlib.sha256(b"pbem1/roots\n" + b"".join(roots)).hexdigest()
