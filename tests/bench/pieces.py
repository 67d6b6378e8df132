"""What counters face down cost: a mix of many stacks, and a march that shows a whole stack."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import process_time

from pbem.engine.facedown import FaceDown
from pbem.engine.model import Side
from pbem.gamefile import decks
from pbem.gamefile.cards import SealedDecks
from pbem.gamefile.decks import Epoch
from pbem.value import replace

STACKS, HIGH, SHOWN = 12, 3, 6
TIMES = 15
SECRET, TRIAL = bytes(32), 5


def rows() -> dict[str, float]:
    """Milliseconds: to make and check a mix of 36 counters, and to check and book six openings."""
    return {
        "a mix of 36 counters, made and checked": _milliseconds(_mixed),
        "showing six counters": _milliseconds(_showing()),
    }


def _mixed() -> None:
    cards = tuple(f"n.1.{at:02}" for at in range(STACKS * HIGH))
    epoch = Epoch("n", "A", 2, cards, 16, 5, (HIGH,) * STACKS)
    commitment = decks.commitment_of(SECRET, epoch)
    reply = decks.reply_of(SECRET, epoch, TRIAL)
    decks._laid_root.cache_clear()  # the opponent has not computed it yet
    decks.check_reply(epoch, commitment, TRIAL, reply)
    decks._laid_root.cache_clear()


def _showing() -> Callable[[], None]:
    pieces = tuple(sorted(f"unit{at:02}" for at in range(STACKS * HIGH)))
    epoch = Epoch("n", "A", 1, pieces, 64, 1)
    laid = decks.layout_of(SECRET, epoch, TRIAL)
    reply = decks.reply_of(SECRET, epoch, TRIAL)
    sealed = SealedDecks().bind(epoch, decks.commitment_of(SECRET, epoch))
    (bound,) = sealed.bound
    sealed = sealed._with({bound.name: replace(bound, trial=TRIAL, leaves=reply.leaves)})
    books = FaceDown().lay("n", Side("north"), 1, pieces)
    tags = books.newest("n")

    def shown() -> None:
        now, opened = books, sealed
        for place in range(SHOWN):
            slot, card = tags[place], laid.cards[place]
            opened = opened.open(slot, card, laid.nonces[place], "A")
            assert not now.misfit(slot, card, tags[place:])
            now = now.open(slot, card, tags[place:])

    return shown


def _milliseconds(work: Callable[[], None]) -> float:
    times = []
    for _ in range(TIMES):
        started = process_time()
        work()
        times.append((process_time() - started) * 1000)
    return median(times)
