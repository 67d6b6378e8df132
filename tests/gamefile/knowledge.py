"""The knowledge checker: was a decision fixed by somebody who could compute a roll it influences?

A decision (an order carried out, a lapsed one, a policy's answer, a document unsealed, a card shown
without having to be) was fixed where it was sent. It influences every roll that comes behind it.
Its author can compute beacon n once the *other* player has revealed n, since their own value they
know always. So for each roll at or behind a decision, the other's reveal must stand in the chain
behind the place where the decision was fixed.

A secret choice was fixed where it was sealed, and nobody may seal one who has heard another; nor
may anybody seal a list who was told a line of the list that it stands against.

The layout of a deck is a decision too, fixed where its owner committed to it. It influences the
challenge and every draw from it, wherever they stand: a draw from a deck bound later is worst. The
layout of mixed counters influences every roll behind it, since they stand on the map.
"""

from __future__ import annotations

from collections.abc import Iterator

from pbem.gamefile.fold import Fold
from pbem.gamefile.in_play import PLAYERS, Asked, other
from pbem.gamefile.journal import (
    Answered,
    Challenged,
    ChoiceSealed,
    ChoiceTold,
    Closed,
    DeckBound,
    JournalLine,
    Lapsed,
    ListSealed,
    ListTold,
    Opened,
    Ordered,
    PolicyFailed,
    Revealed,
    Rolled,
    TakenBack,
    Unsealed,
)
from pbem.gamefile.kept import ChainPlace

Shown = dict[tuple[str, int], ChainPlace]
ALWAYS = ChainPlace(1 << 30, 0)
DECIDED = (Ordered, Answered, ChoiceTold, Lapsed, Unsealed)


def look_aheads(fold: Fold) -> list[str]:
    """Every decision whose author knew a roll behind it, in words; empty when the game was fair."""
    told = list(fold.told())
    shown = {(one.by, one.n): one.place for one in told if isinstance(one, Revealed)}
    openings = dict(fixed_openings(told))
    found = list(suited_decks(told, shown))
    rolls: list[Rolled] = []
    for one in reversed(told):
        if isinstance(one, Rolled):
            rolls.append(one)
        elif isinstance(one, DECIDED) and one.sent is not None:
            found += known_rolls(one.by, one.sent, rolls, shown)
        elif isinstance(one, ListSealed) or (isinstance(one, DeckBound) and one.is_mix):
            found += known_rolls(one.by, one.place, rolls, shown)
        elif id(one) in openings:
            found += known_rolls(one.by, openings[id(one)], rolls, shown)
    return [*found, *early_tellings(told), *early_lines(told)]


def early_tellings(told: list[JournalLine]) -> Iterator[str]:
    """Every secret choice that was told to a player who was still to make the other one."""
    heard: list[ChoiceTold] = []
    for one in told:
        if isinstance(one, ChoiceSealed):
            yield from (f"{one.by} chose knowing what {each.by} chose" for each in heard)
        elif isinstance(one, TakenBack):
            heard = []
        elif isinstance(one, ChoiceTold):
            waits = one.after.waits()
            heard = [*heard, one] if isinstance(waits, Asked) and waits.secret else []


def early_lines(told: list[JournalLine]) -> Iterator[str]:
    """Every list that was written by somebody who had been told a line of the one it stands
    against. These are the lists by which both players answer the same question, one time after
    another; a game that goes back to an entry has the lists sealed up to it.
    """
    sealed: list[ListSealed] = []
    heard: set[tuple[str, str, int]] = set()
    for one in told:
        if isinstance(one, ListSealed):
            sealed.append(one)
            what = _which(one, sealed)
            if (other(one.by), *what) in heard:
                yield f"{one.by} wrote a list knowing what {other(one.by)} wrote"
        elif isinstance(one, TakenBack):
            sealed = [each for each in sealed if each.place.entry <= one.to]
            heard &= {(each.by, *_which(each, sealed)) for each in sealed}
        elif isinstance(one, ListTold) and one.items:
            lists = {slot.rpartition("/")[0] for slot in one.items}
            heard |= {(each.by, *_which(each, sealed)) for each in sealed
                      if f"{_name(each)}/{each.place.entry}" in lists}  # fmt: skip


def _name(one: ListSealed) -> str:
    asked = one.before.waits()
    assert isinstance(asked, Asked) and asked.list is not None
    return asked.list.name


def _which(one: ListSealed, sealed: list[ListSealed]) -> tuple[str, int]:
    """The question that a list answers, and for which time its author does."""
    alike = [each.place for each in sealed if (each.by, each.what) == (one.by, one.what)]
    return one.what, alike.index(one.place)


def known_rolls(by: str, fixed: ChainPlace, rolls: list[Rolled], shown: Shown) -> list[str]:
    return [
        f"{by} decided at {_step(fixed)} knowing beacon {roll.n}"
        for roll in rolls
        if knew(by, roll.n, fixed, shown)
    ]


def knew(player: str, number: int, fixed: ChainPlace, shown: Shown) -> bool:
    return _step(shown[other(player), number]) <= _step(fixed)


def _step(place: ChainPlace) -> tuple[int, int]:
    return place.entry, place.step


def fixed_openings(told: list[JournalLine]) -> Iterator[tuple[int, ChainPlace]]:
    """Where each opening (by its identity) was fixed; one that chance picked was no decision.

    What a policy plays was fixed with the policy, whose answer follows; the rest where it stands.
    """
    follows: JournalLine | None = None
    for one in reversed(told):
        if isinstance(one, (Ordered, Answered, PolicyFailed, Rolled, Closed)):
            follows = one
        elif isinstance(one, Opened) and one.slot not in one.before.must_show():
            by_policy = isinstance(follows, (Answered, PolicyFailed)) and follows.by == one.by
            yield id(one), follows.sent if by_policy else one.place


def suited_decks(told: list[JournalLine], shown: Shown) -> Iterator[str]:
    """Every deck laid by somebody who knew the challenge, or a draw, that it was to meet."""
    bound: dict[tuple[str, int], DeckBound] = {}
    for one in told:
        if isinstance(one, DeckBound):  # again under new secrets, if all of it is open
            bound[one.deck, one.epoch] = one
        elif isinstance(one, Challenged):
            deck = bound[one.epoch.deck, one.epoch.number]
            if knew(deck.by, one.n, deck.place, shown):
                yield f"{deck.by} laid {deck.deck}/{deck.epoch} knowing challenge {one.n}"
        elif isinstance(one, Rolled):
            for player in PLAYERS:
                drawn = set(one.after.hand(player)) - set(one.before.hand(player))
                for epoch in sorted({tuple(slot.split("/")[:2]) for slot in drawn}):
                    if epoch[1] == "0":  # dealt openly: nobody has laid these
                        continue
                    key = epoch[0], int(epoch[1])
                    place = bound[key].place if key in bound else ALWAYS
                    if knew(player, one.n, place, shown):
                        yield f"{player} laid {key} knowing draw {one.n}"
