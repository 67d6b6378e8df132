"""The books of counters that lie face down: tags, ways, faces, fields, and what is said of them.

A counter face down is named by its tag, a slot `deck/epoch/place` of a sealed deck (`tags.py`).
Opening a slot shows the counter, or the tag of an older slot, which then takes its place: so a way
leads from the newest tag to the counter, which goes by its own name from then on. Mixed with others
it gets a new tag.

A **field** is the counters that a tag may be, by what both players saw of it: what set-up allows at
its place, cut down by what its counter has done since. Each counter is taken by itself; nothing is
counted. A mix joins the fields of its group.

A **fact** is what the owner says of hidden counters because the enemy's own play needs it. It holds
until something it rests on may have changed, and is refuted if all its counters are shown and it
was not true. Later only an audit can refute it.

One value holds this for all decks of a game, as a part of its position. It is public but for
`faces`, which is what one view knows in addition.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, TypeVar

from pbem.engine.hidden import Epoch
from pbem.engine.model import Order, Side, Stage
from pbem.engine.naming import names_in, respelt, sorted_names
from pbem.engine.pieces import SaidOf
from pbem.engine.tags import deck_of, is_tag, place_of, slot_under, tag_of, way
from pbem.messages import Said, say, words
from pbem.value import field, replace, value

Given = TypeVar("Given", bound=Order)
Pieces = tuple[str, ...]
NOTHING: Mapping[str, Any] = {}
NOT_ARRANGED = say(
    "it is not said yet where it lies: counters under new secrets are put back before any is shown"
)
MOST_ON_A_WAY = 16
"""Openings from a tag to the counter; a tag with a longer way is not mixed until it is shown."""
MOST_UNSHOWN = 768
"""Openings that show all counters of a deck; where it takes more, no tag of it is mixed. All of
them may be owed in one entry, which has to hold them: those of the last mix, too.
"""


def by_tag(name: str) -> tuple[Any, ...]:
    """The sort key of the counters of an entry: known ones by name, then tags in their order, which
    tells nothing.
    """
    slot = slot_under(tag_of(name)) if is_tag(name) else ""
    return (True, *place_of(slot)) if slot else (False, name)


@value
class Statement:
    """What was said of counters: `about` names the fact and its place, as in `zone 0304`."""

    about: str
    tags: Pieces
    said: bool | int | str


@value
class FaceDown:
    """All counters face down of a game, by slot.

    `shown` is what was opened to both, `faces` what this view knows, both from slots to cards (a
    counter, or the tag of an older slot). `fields` has the counters that each tag may be, also of
    tags that lie under newer ones.
    """

    laid: tuple[Epoch, ...] = ()
    last: Mapping[str, int] = NOTHING
    """The number of the last epoch of each deck, also of those whose secrets are gone."""
    groups: Mapping[str, tuple[int, ...]] = NOTHING
    shown: Mapping[str, str] = NOTHING
    fields: Mapping[str, Pieces] = NOTHING
    facts: tuple[Statement, ...] = ()
    earlier: tuple[Statement, ...] = ()
    """Statements that no longer hold, or held for one order alone, about counters some of which
    still lie face down. After a mix nobody can tell which of its counters a statement was about, so
    it counts as said of all of them.
    """
    instead: Mapping[str, str] = NOTHING
    """Tags of old secrets, each with the new one that lies in its place."""
    hidden: frozenset[str] = frozenset()
    """The counters that lie face down: as a set, both players know them."""
    faces: Mapping[str, str] = field(default_factory=dict, repr=False, compare=False)

    # --- views

    def known_too(self, faces: Mapping[str, str]) -> FaceDown:
        """The books of a view that also knows the cards of these slots."""
        return replace(self, faces={**self.faces, **faces})

    def supposing(self, faces: Mapping[str, str]) -> FaceDown:
        """The books of a view that knows, beside what both do, the cards of these slots alone."""
        return self if faces == self.faces else replace(self, faces=faces)

    def claimed(self, claims: Iterable[tuple[str, str]]) -> FaceDown:
        """The books of a view that takes these tags, also older ones, to be these counters, where
        that is possible.
        """
        found = {self.present(tag): piece for tag, piece in claims}
        return self.supposing({tag: piece for tag, piece in found.items()
                               if is_tag(tag) and piece in self.may_be(tag)})  # fmt: skip

    # --- what is under a tag

    @cached_property
    def cards(self) -> Mapping[str, str]:
        """What this view knows of all slots."""
        return {**self.faces, **self.shown}

    def face(self, name: str) -> str:
        """The counter of a name; empty where this view does not know it."""
        if not is_tag(name):
            return name
        found = [card for _, card in way(self.cards, name)]
        return found[-1] if found and not slot_under(found[-1]) else ""

    def held(self, names: Collection[str]) -> Pieces:
        """The counters that lie under these names together, as far as this view knows them as a
        set; empty where it does not.

        A player who knew a group before it was mixed still knows it as a set, though no longer
        which counter is which. Limits and facts about the whole group are judged by the set.
        """
        found = {name: self.face(name) for name in names}
        pieces = [face for face in found.values() if face]
        left = {name for name, face in found.items() if not face}
        while left:
            group, under = self._group(min(left))
            known = self.held(under) if group.issubset(found) else ()
            if not known:
                return ()
            pieces += set(known).difference(pieces)
            left -= group
        return tuple(sorted(pieces))

    def mixed_with(self, tag: str) -> frozenset[str]:
        """The tags among which a tag was mixed, itself too; none for one that never was."""
        return self._group(tag)[0]

    def _group(self, tag: str) -> tuple[frozenset[str], Pieces]:
        """The tags among which a tag was mixed, and the names of their counters before; none of one
        that never was.
        """
        deck, number, place = place_of(tag)
        first = 0
        for size in self.groups.get(f"{deck}/{number}", ()):
            if place < first + size:
                break
            first += size
        else:
            return frozenset(), ()
        cards = next(each[3] for each in self.laid if (each[0], each[2]) == (deck, number))
        tags = frozenset(f"{deck}/{number}/{at}" for at in range(first, first + size))
        return tags, tuple(slot_under(card) or card for card in cards[first : first + size])

    def present(self, name: str) -> str:
        """The present name of the counter that lies under a tag, as far as it was opened."""
        for _, card in way(self.shown, name):
            name = slot_under(card) or card
        return name

    def way(self, name: str) -> tuple[str, ...]:
        """The slots that are opened, one after another, to show a counter; as far as this view
        knows.
        """
        return tuple(slot for slot, _ in way(self.cards, name)) if is_tag(name) else ()

    def tag(self, piece: str, among: Iterable[str]) -> str:
        """The tag among these names under which a counter lies, as far as this view knows;
        otherwise the name of the counter.
        """
        return next((name for name in among if self.face(name) == piece), piece)

    @cached_property
    def depths(self) -> Mapping[str, int]:
        """How many openings lead from each tag to its counter, at most."""
        found: dict[str, int] = {}
        for deck, _, epoch, cards in self.laid:
            at = 0
            for size in self.groups.get(f"{deck}/{epoch}", (1,) * len(cards)):
                group = [slot_under(card) for card in cards[at : at + size]]
                depth = 1 + max(found.get(older, 0) for older in group)
                found |= {f"{deck}/{epoch}/{place}": depth for place in range(at, at + size)}
                at += size
        return found

    @cached_property
    def unshown(self) -> Mapping[str, int]:
        """How many openings it takes to show all counters of each deck: each slot once."""
        found = Counter[str]()
        for deck, _, _, cards in self.laid:
            found[deck] += len(cards)
        found.subtract(map(deck_of, self.shown))
        return found

    def may_mix(self, name: str) -> bool:
        """Whether the way from a new tag to the counter would still be short enough, and an entry
        could hold all of its deck.
        """
        if name not in self.depths:
            return True
        is_short = self.depths[name] < MOST_ON_A_WAY
        return is_short and self.unshown[deck_of(name)] < MOST_UNSHOWN

    def owner(self, slot: str) -> Side | None:
        """The side whose counters are in the deck of a slot."""
        deck = deck_of(slot)
        return next((side for name, side, _, _ in self.laid if name == deck), None)

    def slots_of(self, side: Side) -> tuple[str, ...]:
        """Every slot of a side's decks: its owner may look at all of them."""
        return tuple(
            f"{deck}/{epoch}/{place}"
            for deck, owner, epoch, cards in self.laid
            if owner == side
            for place in range(len(cards))
        )

    def newest(self, deck: str) -> tuple[str, ...]:
        """The tags of the last epoch of a deck, by their places."""
        found = [(epoch, cards) for name, _, epoch, cards in self.laid if name == deck]
        return tuple(
            f"{deck}/{epoch}/{place}" for epoch, cards in found[-1:] for place in range(len(cards))
        )

    # --- laying and mixing

    def next_epoch(self, deck: str) -> int:
        """The number of the next epoch of a deck."""
        return 1 + self.last.get(deck, 0)

    def renumbered(self, used: Mapping[str, int]) -> FaceDown:
        """The books whose next epochs come after these, which were used and taken back."""
        last = {deck: max(number, self.last.get(deck, 0)) for deck, number in used.items()}
        return replace(self, last={**self.last, **last})

    def lay(self, deck: str, side: Side, epoch: int, pieces: Iterable[str]) -> FaceDown:
        """The books with the first epoch of a deck. Each of its tags may be any of its counters,
        until set-up puts them in their places.
        """
        pieces = tuple(sorted(pieces))
        fields = {f"{deck}/{epoch}/{at}": pieces for at in range(len(pieces))}
        return replace(
            self,
            laid=(*self.laid, (deck, side, epoch, pieces)),
            last={**self.last, deck: epoch},
            fields={**self.fields, **fields},
            hidden=self.hidden.union(pieces),
        )

    def mix(self, deck: str, side: Side, epoch: int, groups: Sequence[Collection[str]]) -> FaceDown:
        """The books after counters were mixed, group by group (`mixed_names` has the new tags).

        A new tag may be whatever one of its group may be. What was said of a whole group, alone or
        with others, is said of its new tags.
        """
        ordered, fresh = in_order(groups), mixed_names(deck, epoch, groups)
        cards = tuple(tag_of(name) for group in ordered for name in group)
        fields, at = dict(self.fields), 0
        for group in ordered:
            may_be = self._joined(group)
            for place in range(at, at + len(group)):
                fields[f"{deck}/{epoch}/{place}"] = may_be
            at += len(group)
        gone = {name for group in ordered for name in group}
        after = [(each, _mixed(each, ordered, fresh)) for each in self.facts]
        no_more = (each for each, mixed in after if mixed is None)
        return replace(
            self,
            laid=(*self.laid, (deck, side, epoch, cards)),
            last={**self.last, deck: epoch},
            groups={**self.groups, f"{deck}/{epoch}": tuple(map(len, ordered))},
            fields=fields,
            facts=tuple(mixed for _, mixed in after if mixed),
            earlier=tuple(_among(each, ordered, fresh) for each in self._with_earlier(no_more)),
            hidden=self.hidden.union(name for name in gone if not is_tag(name)),
        )

    def _joined(self, names: Iterable[str]) -> Pieces:
        return tuple(sorted({piece for name in names for piece in self.may_be(name)}))

    def renewed(self, deck: str, side: Side, epoch: int) -> FaceDown:
        """The books when all hidden counters of a deck are laid again under new secrets.

        Only their owner knows which new tag is which; as a set both know them, and what each place
        may hold is what its counters could be before (`replaced`).
        """
        pieces = tuple(sorted(self.hidden & self.pieces_of(deck)))

        def others(facts: Mapping[str, Any]) -> dict[str, Any]:
            return {name: each for name, each in facts.items() if deck_of(name) != deck}

        def of_others(said: Iterable[Statement]) -> tuple[Statement, ...]:
            return tuple(fact for fact in said if all(deck_of(tag) != deck for tag in fact.tags))

        fields = {f"{deck}/{epoch}/{at}": pieces for at in range(len(pieces))}
        return replace(
            self,
            laid=(*(each for each in self.laid if each[0] != deck), (deck, side, epoch, pieces)),
            last={**self.last, deck: epoch},
            groups=others(self.groups),
            shown=others(self.shown),
            fields={**others(self.fields), **fields},
            facts=of_others(self.facts),
            earlier=of_others(self.earlier),
        )

    def laid_instead(self, names: Mapping[str, str]) -> FaceDown:
        """The books when new tags lie for now where those of old secrets lay."""
        return replace(self, instead={**self.put_instead(names).instead, **names})

    def put_instead(self, names: Mapping[str, str]) -> FaceDown:
        """The books when new tags have changed places, each with what lies there then."""
        found = {old: names.get(new, new) for old, new in self.instead.items()}
        return replace(self, instead=found)

    def now(self, name: str) -> str:
        """The present name of a counter that is still to be shown or hit: under new secrets, of
        what lies in its place.
        """
        return self.present(self.instead.get(name, name))

    def replaced(self, tags: Iterable[str], may_be: Collection[str]) -> FaceDown:
        """The books after new tags were put to a place where counters could be these."""
        allowed = tuple(sorted(may_be))
        return replace(self, fields={**self.fields, **dict.fromkeys(tags, allowed)})

    def pieces_of(self, deck: str) -> frozenset[str]:
        """All counters that were ever face down in a deck."""
        return frozenset(
            card
            for name, _, _, cards in self.laid
            if name == deck
            for card in cards
            if not slot_under(card)
        )

    # --- fields

    def may_be(self, name: str) -> Pieces:
        """What a counter may be as both players know: itself, or the field of its tag."""
        return self.fields.get(name, ()) if is_tag(name) else (name,)

    def could_be(self, name: str) -> Pieces:
        """What a counter may be as this view knows."""
        known = self.face(name)
        return (known,) if known else self.may_be(name)

    def narrowed(self, name: str, fits: Callable[[str], bool]) -> FaceDown:
        """The books after a counter did what only some could do: the others leave its field."""
        if not is_tag(name):
            return self
        left = tuple(piece for piece in self.fields[name] if fits(piece))
        if left == self.fields[name]:
            return self
        return replace(self, fields={**self.fields, name: left})

    def supposed(self, tags: Iterable[str], cards: Iterable[str]) -> dict[str, str]:
        """A guess at the tags that this view does not know: for each of them the first counter that
        it may be and that no other tag is.
        """
        free, found = dict.fromkeys(cards), dict[str, str]()
        for tag in tags:
            if not self.face(tag):
                piece = next((each for each in free if each in self.may_be(tag)), "")
                if piece:
                    found[tag] = piece
                    del free[piece]
        return found

    # --- opening

    def open(self, slot: str, card: str, in_play: Collection[str]) -> FaceDown:
        """The books after a slot was opened; `in_play` are the names of all counters in play.

        The older tag under it may be no more than both allow; a counter leaves all other fields.
        """
        fields, older = dict(self.fields), slot_under(card)
        if older:
            allowed = set(self.fields[slot])
            fields[older] = tuple(piece for piece in self.fields[older] if piece in allowed)
        else:
            side = self.owner(slot)
            mine = {deck_of(name) for name, owner, _, _ in self.laid if owner == side}
            without: dict[Pieces, Pieces] = {}  # many tags have the same field
            for name in in_play:
                if name != slot and deck_of(name) in mine:
                    others = fields[name]
                    if others not in without:
                        without[others] = tuple(piece for piece in others if piece != card)
                    fields[name] = without[others]
        name = older or card
        facts = tuple(_by_name(each, slot, name) for each in self.facts)
        said = (_by_name(each, slot, name) for each in self.earlier)
        return replace(
            self, shown={**self.shown, slot: card}, fields=fields, facts=facts,
            earlier=tuple(fact for fact in said if any(map(is_tag, fact.tags))),
            hidden=self.hidden - {card},
        )  # fmt: skip

    def misfit(
        self, slot: str, card: str, in_play: Collection[str],
        is_true: Callable[[Statement], bool] = lambda fact: True,
        told: Callable[[Statement], Said] = lambda fact: fact.about,
    ) -> Said:  # fmt: skip
        """Why a card, which is proven to be in a slot, cannot be there; empty if it can.

        `is_true` judges a fact about counters that are all known, and `told` words it.
        """
        older = slot_under(card)
        if older and older not in self.fields:
            return say("what it shows is no counter face down")
        after = self.open(slot, card, in_play)
        if older:
            if not after.fields[older]:
                return say("no counter could have done what this one did")
        elif card not in self.hidden:
            return say("{card} does not lie face down", card=card)
        elif card not in self.fields[slot]:
            return say("{card} cannot have done what this counter did", card=card)
        for name in in_play:
            if self.fields.get(name) and not after.fields[name]:
                return say("then nothing would be left that another counter could be")
        for before, fact in zip(self.facts, after.facts, strict=True):
            if fact is not before and not any(map(is_tag, fact.tags)) and not is_true(fact):
                return say("what was said of the counters is not true: {fact}", fact=told(fact))
        return ""

    # --- facts

    def with_fact(self, about: str, tags: Iterable[str], said: bool | int | str) -> FaceDown:
        """The books with a fact; what was said before of the same thing holds no longer."""
        fact = Statement(about, tuple(sorted(tags, key=by_tag)), said)
        others = tuple(each for each in self.facts if each.about != about)
        no_more = (each for each in self.facts if each.about == about)
        earlier = tuple(each for each in self._with_earlier(no_more) if each != fact)
        return replace(self, facts=(*others, fact), earlier=earlier)

    def without_facts(self, about: Collection[str]) -> FaceDown:
        """The books when what was said of these things holds no longer: something has changed
        there.
        """
        left = tuple(fact for fact in self.facts if fact.about not in about)
        if left == self.facts:
            return self
        no_more = (fact for fact in self.facts if fact.about in about)
        return replace(self, facts=left, earlier=self._with_earlier(no_more))

    def noted(self, about: str, tags: Iterable[str], said: bool | int | str) -> FaceDown:
        """The books with something that was said for one order alone."""
        fact = Statement(about, tuple(sorted(tags, key=by_tag)), said)
        return replace(self, earlier=self._with_earlier((fact,)))

    def _with_earlier(self, said: Iterable[Statement]) -> tuple[Statement, ...]:
        """What was said earlier, with more of it, as far as it is of counters face down."""
        more = (fact for fact in said if any(map(is_tag, fact.tags)))
        return tuple(dict.fromkeys((*self.earlier, *more)))

    def said(self, about: str) -> bool | int | str | None:
        """What was said of a thing, if it still holds."""
        return next((fact.said for fact in self.facts if fact.about == about), None)

    def said_of(
        self, deck: str, place: Callable[[str], Said], told: Callable[[Statement], Said]
    ) -> tuple[SaidOf, ...]:
        """What was said of counters of a deck that still lie face down, first what holds. `place`
        tells where a counter lies, and is empty where it has no place; `told` what a fact says.
        """
        return tuple(
            SaidOf(tuple(filter(None, map(place, fact.tags))), told(fact), holds)
            for facts, holds in ((self.facts, True), (self.earlier, False))
            for fact in facts
            if any(deck_of(tag) == deck for tag in fact.tags)
        )

    # --- orders

    def worded(self, order: Given, kind: str, among: Collection[str]) -> Given:
        """An order with tags in place of counters that lie face down, in the order of tags, so
        that the order of names tells nothing; `kind` is the kind of their names, `among` the names
        in play.
        """
        tags = {self.face(name): name for name in among if is_tag(name)}
        found = respelt(order, lambda named, name: tags.get(name, name) if named == kind else name)
        return sorted_names(found, kind, by_tag)

    def meant(self, order: Given, kind: str) -> Given:
        """An order with the present name of each counter in it."""
        if not any(map(is_tag, names_in(order, kind))):
            return order
        return respelt(order, lambda named, name: self.present(name) if named == kind else name)

    def told(self, among: Iterable[str], unknown: Callable[[str], Said]) -> dict[str, Said]:
        """What a message calls the tags among some names: the counter, where this view knows it,
        else what `unknown` says of it, with a number where that is said of several.
        """
        found: dict[Said, str] = {}
        for name in sorted(filter(is_tag, among), key=by_tag):
            first = called = self.face(name) or unknown(name)
            number = 1
            while called in found:
                number += 1
                called = say("{name} ({number})", name=first, number=number)
            found[called] = name
        return {name: called for called, name in found.items()}

    def printed(self, among: Iterable[str], unknown: Callable[[str], Said]) -> dict[str, str]:
        """The same as players write and read it in orders, whatever they speak. A game's `names`
        gives it for these ids.
        """
        return {name: words(called) for name, called in self.told(among, unknown).items()}

    # --- what both know, in plain values

    def public(self, in_play: Iterable[str]) -> dict[str, Any]:
        """The fields and facts for the public state: tags with the same field together, in the
        order of tags.
        """
        found: dict[Pieces, list[str]] = {}
        for name in sorted(filter(is_tag, in_play), key=by_tag):
            found.setdefault(self.fields[name], []).append(name)
        return {
            "fields": [{"pieces": list(pieces), "tags": tags} for pieces, tags in found.items()],
            "facts": [
                {"about": fact.about, "tags": list(fact.tags), "said": fact.said}
                for fact in self.facts
            ],
        }  # fmt: skip


def _mixed(
    fact: Statement, groups: Sequence[Sequence[str]], fresh: Sequence[Sequence[str]]
) -> Statement | None:
    """A fact after a mix of groups with these new tags; None if it rests on a part of a group."""
    tags = set(fact.tags)
    for group, new in zip(groups, fresh, strict=True):
        if tags.isdisjoint(group):
            continue
        if not tags.issuperset(group):
            return None
        tags = tags.difference(group).union(new)
    if tags == set(fact.tags):
        return fact
    return replace(fact, tags=tuple(sorted(tags, key=by_tag)))


def _among(
    fact: Statement, groups: Sequence[Sequence[str]], fresh: Sequence[Sequence[str]]
) -> Statement:
    """What was said earlier, of all that its counters were mixed with."""
    tags = set(fact.tags)
    for group, new in zip(groups, fresh, strict=True):
        if not tags.isdisjoint(group):
            tags = tags.difference(group).union(new)
    return replace(fact, tags=tuple(sorted(tags, key=by_tag)))


def _by_name(fact: Statement, slot: str, name: str) -> Statement:
    """A fact when a slot has another name."""
    if slot not in fact.tags:
        return fact
    return replace(fact, tags=tuple(name if tag == slot else tag for tag in fact.tags))


def in_order(groups: Iterable[Collection[str]]) -> list[list[str]]:
    """The groups of a mix as they are laid: each by its tags as cards, the groups by their first
    ones.
    """
    return sorted((sorted(group, key=tag_of) for group in groups), key=lambda g: tag_of(g[0]))


def mixed_names(deck: str, epoch: int, groups: Sequence[Collection[str]]) -> list[list[str]]:
    """The new tags of a mix, group by group, in the order of `in_order`."""
    found, at = [], 0
    for group in in_order(groups):
        found.append([f"{deck}/{epoch}/{place}" for place in range(at, at + len(group))])
        at += len(group)
    return found


def matched(allowed: Sequence[Pieces], pieces: Sequence[str]) -> list[int]:
    """For each piece a place of its own that allows it; those that are unknown take what is left.

    Augmenting paths; where no arrangement fits all, some get what is left.
    """
    owner: dict[int, int] = {}

    def find(piece: int, seen: set[int]) -> bool:
        for at, fits in enumerate(allowed):
            if at in seen or pieces[piece] not in fits:
                continue
            seen.add(at)
            if at not in owner or find(owner[at], seen):
                owner[at] = piece
                return True
        return False

    for piece in range(len(pieces)):
        if pieces[piece]:
            find(piece, set())
    place = {piece: at for at, piece in owner.items()}
    left = [at for at in range(len(allowed)) if at not in owner]
    return [place[piece] if piece in place else left.pop(0) for piece in range(len(pieces))]


Spot = tuple[str, Pieces]
"""A place where a counter lay face down, empty where none on the map is meant, and what the counter
could be.
"""


def arranged(
    tags: Sequence[str], spots: Sequence[Spot], face: Callable[[str], str]
) -> Iterator[tuple[str, str]]:
    """An arrangement of new tags that fits what each place may hold, as far as `face` knows."""
    taken = matched([pieces for _, pieces in spots], [face(tag) for tag in tags])
    return ((tag, spots[at][0]) for tag, at in zip(tags, taken, strict=True))


def put_back(
    tags: Sequence[str], spots: Sequence[Spot], places: Mapping[str, str]
) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, Pieces], ...]]:
    """What follows when new tags, the i-th of which lies for now at the i-th spot, are put to these
    places, at each as many as lay there: which tag each one takes the place of, and what each may
    be.
    """
    left = list(range(len(spots)))
    names, may_be = list[tuple[str, str]](), list[tuple[str, Pieces]]()
    for tag in tags:
        place = places.get(tag, "")
        at = next(each for each in left if spots[each][0] == place)
        left.remove(at)
        names.append((tags[at], tag))
        there = {piece for where, pieces in spots if where == place for piece in pieces}
        may_be.append((tag, tuple(sorted(there))))
    return tuple(names), tuple(may_be)


def unarranged(
    agenda: tuple[Stage[Any], ...], side: Side, arranging: type[Any], muster: type[Any]
) -> tuple[tuple[Stage[Any], ...], Any | None]:
    """An agenda without what earlier new secrets of a side still had to put back, and without the
    muster on top that waited for it; and that stage, whose places still count. New secrets take the
    place of the ones before.
    """
    pending = [each for each in agenda if isinstance(each, arranging) and each.side == side]
    left = tuple(each for each in agenda if each not in pending)
    if left and isinstance(left[-1], muster):
        left = left[:-1]
    return left, pending[-1] if pending else None
