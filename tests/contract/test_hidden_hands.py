"""Random games with hidden hands, seen by all at once: by both players, by nobody, by the audit.

Whatever a view knows, the same is asked, the same happens and the same is public; and what is legal
for the owner of a hand is legal for everybody once the cards it needs are open.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pytest

from pbem.engine import kernel
from pbem.engine.codec import to_plain
from pbem.engine.facedown import by_tag
from pbem.engine.model import Decision, Order
from pbem.engine.naming import names_in, sorted_names
from pbem.engine.policies import reading, sealing
from pbem.engine.policies.table import NO_POLICIES
from pbem.engine.public import plain
from pbem.engine.tags import is_tag
from pbem.gamefile.canonical import check_domain
from pbem.gamefile.in_play import PLAYERS, Asked, DiceWanted, Finished, Laid, Policy
from pbem.gamefile.lists import text_of_item
from pbem.gamefile.pending import allowed
from pbem.games import GAMES
from pbem.messages import words
from pbem.play.table import Illegal, Table, open_table, spelled
from tests.bots import RandomDice, sample
from tests.conftest import FUZZ
from tests.contract.kits import Hidden, kit
from tests.contract.playing import (
    MOST_MOVES,
    Player,
    every_beginning,
    is_drawn,
    some_options,
    system,
)

NOBODY, AUDIT = "public", "audit"
HIDING = [slug for slug in sorted(GAMES) if kit(slug).hidden]
"""Games in which a player knows what the other does not."""


def hides(slug: str, scenario: str) -> bool:
    """Whether anything is hidden in a scenario: some are played openly."""
    its = kit(slug).hidden
    needs = {each.id: each.needs for each in system(slug).scenarios()}[scenario]
    return its is not None and its.option_off not in needs


TABLES = [each for each in every_beginning() if hides(*each)]
PICTURED = 5
"""How many moves of a game lie between two looks at its picture and at its cards in words."""


@dataclass
class Views:
    """One game as each of them sees it, moved on together."""

    tables: dict[str, Table]
    rng: random.Random
    dice: dict[str, RandomDice]
    secret: dict[str, str] = field(default_factory=dict)
    """What lies in each slot that was ever laid."""
    dealt: int = 0
    agreeing: bool = True
    """Whether they are compared at every move."""

    def all(self, move: Any) -> None:
        """Makes the same move in each view, and looks whether they still agree."""
        self.tables = {name: move(name, table) for name, table in self.tables.items()}
        self.deal()
        if self.agreeing:
            self.agree()

    def deal(self) -> None:
        """A layout for each epoch that has been laid since; its owner and the audit know it."""
        laid = self.public.laid()
        for epoch in laid[self.dealt :]:
            cards: list[str] = []
            for group in grouped(epoch):
                assert group == sorted(group)
                self.rng.shuffle(group)
                cards += group
            layout = {f"{epoch.deck}/{epoch.epoch}/{at}": card for at, card in enumerate(cards)}
            self.inform(epoch.by, layout)
        self.dealt = len(laid)

    def inform(self, player: str, known: dict[str, str]) -> None:
        """A player knows what is in some slots, and so does the audit."""
        self.secret |= known
        for name in (player, AUDIT):
            self.tables[name] = self.tables[name].informed(known)

    def agree(self) -> None:
        seen = self.public.public()
        check_domain(plain(seen))
        for table in self.tables.values():
            assert table.public() == seen
            assert asked(table) == asked(self.public)
            assert table.must_show() == self.public.must_show()
            assert table.laid() == self.public.laid()
            assert table.system.faults(table.state.position) == ()

    def open(self, slots: tuple[str, ...]) -> None:
        """The owner opens these slots of their hand, one after the other, as a file holds them."""
        for slot in slots:
            assert slot not in self.public.known()
            is_of_a_list = slot.partition("/")[0] in hidden_of(self).lists
            assert is_of_a_list or any(slot in self.public.hand(player) for player in PLAYERS)
            self.all(lambda name, table, slot=slot: table.learn({slot: self.secret[slot]}))

    @property
    def public(self) -> Table:
        return self.tables[NOBODY]


def grouped(laid: Laid) -> list[list[str]]:
    """The cards of an epoch: all together, or in the groups in which counters change places."""
    left, found = list(laid.cards), []
    for size in laid.groups or (len(left),):
        found.append(left[:size])
        del left[:size]
    assert not left
    return found


def hidden_things(slug: str) -> Hidden:
    found = kit(slug).hidden
    assert found
    return found


def hidden_of(views: Views) -> Hidden:
    return hidden_things(views.public.system.slug)


def asked(table: Table) -> Any:
    """What is asked, down to the words a player may use, or rolled."""
    decision = table.decision
    if decision is None:
        needed = kernel.waits_for(table.state)
        return table.waits(), getattr(needed, "draws", None)
    verbs = [option.order.verb for option in decision.options]
    same = (decision.prompt, decision.rule, decision.optional, decision.policy)
    return table.waits(), same, sorted(set(verbs)), table.round()


def game_seen_by_all(
    slug: str, scenario: str, seed: int, options: tuple[str, ...] = (), *,
    whole: bool = False, policies: bool = True, agreeing: bool = True,
) -> Iterator[tuple[Views, Decision | None, Order | None]]:  # fmt: skip
    """One random game; gives each decision with its answer before the answer is carried out."""
    game, its = system(slug), kit(slug)
    assert its.hidden
    seats = dict(zip(PLAYERS, game.sides, strict=True))
    table = open_table(game, scenario, frozenset(options) - {its.hidden.option_off}, seats)
    names = (NOBODY, AUDIT, *PLAYERS)
    views = Views(dict.fromkeys(names, table), random.Random(f"cards {seed}"),
                  {name: RandomDice(seed) for name in names}, agreeing=agreeing)  # fmt: skip
    views.deal()
    views.agree()
    player = (its.hidden.player or Player)(seed)
    over = its.is_long_enough if not whole else lambda position: False
    for _ in range(MOST_MOVES):
        waits = views.public.waits()
        if isinstance(waits, Finished) or over(views.public.state.position):
            return
        if isinstance(waits, DiceWanted):
            views.all(lambda name, table: table.roll(views.dice[name]))
            continue
        if must := (views.public.must_show() or owed(views)):
            yield views, views.public.decision, None
            views.open(must[:1])  # it may show an older tag, which is to be opened next
            continue
        mine = views.tables[waits.by]
        assert mine.decision is not None
        order = by_policy(views, waits.by) if policies else None
        order = order or player.order(mine.state, mine.decision)
        yield views, mine.decision, order
        if waits.list or waits.tells_items:
            write_or_tell(views, waits, order)
        else:
            take(views, waits.by, order)
    raise AssertionError(f"no end after {MOST_MOVES} moves")


def owed(views: Views) -> tuple[str, ...]:
    """What a player owes to show although nothing waits for it."""
    found = [views.public.owes(player) for player in PLAYERS]
    assert all([t.owes(player) for player in PLAYERS] == found for t in views.tables.values())
    return next((slots for slots in found if slots), ())


def write_or_tell(views: Views, waits: Asked, order: Order) -> None:
    """A list is sealed, its items known to its author alone; or what of it is due is told."""
    by, entry = waits.by, len(views.secret)
    mine = views.tables[by]
    if waits.secret:
        assert mine.read(spelled(order).plain).hides and not kernel.violations(mine.state, order)
        items = mine.listed(spelled(order))
        assert waits.list is not None and len(items) == waits.list.size
        views.all(lambda name, table: table.seal(entry))
        slots = (f"{waits.list.name}/{entry}/{at}" for at in range(len(items)))
        views.inform(by, dict(zip(slots, map(text_of_item, items), strict=True)))
        return
    order = views.public.default()
    due = mine.shows(by, order)
    assert views.tables[AUDIT].shows(by, order) == due and not views.public.shows(by, order)
    every = {slot: item for slot, item in views.secret.items()
             if slot.startswith(f"{waits.tells_items}/")}  # fmt: skip
    assert views.public.learn(every).waits() == waits, "a changed program tells what it likes"
    for slot in due:
        views.all(lambda name, table, slot=slot: table.learn({slot: views.secret[slot]}))
        assert all(table.waits() == waits for table in views.tables.values())
    views.all(lambda name, table: table.submit(order))


def by_policy(views: Views, by: str) -> Order | None:
    """Now and then the answer of a policy, which is the same in every view, at every moment."""
    mine, decision = views.tables[by], views.tables[by].decision
    assert decision is not None
    if not decision.policy or views.rng.random() < 0.5:
        return None
    for part in policy_of(views, by):
        where = by, part["slot"], part["scope"], part["until"]
        if not mine.covers(*where):
            continue
        assert views.public.covers(*where)
        policy = Policy(*where, part["doc"])
        for _ in range(len(mine.hand(by)) + 1):
            slots = views.public.policy_shows(policy)
            assert all(t.policy_shows(policy) == slots for t in views.tables.values())
            views.open(slots)
            if not slots:
                break
        answer = views.public.policy_answer(policy)
        assert all(table.policy_answer(policy) == answer for table in views.tables.values())
        return None if answer is None else views.public.read(answer.plain).meant
    return None


def policy_of(views: Views, by: str) -> tuple[Mapping[str, Any], ...]:
    """What a player writes who wants to use every card they may."""
    mine, side = views.tables[by], views.public.seats[by]
    position, game = mine.state.position, mine.system
    if game.policies is NO_POLICIES:
        return ()
    its = hidden_of(views)
    written = [
        clause
        for one in its.names(position, side)
        for clause in its.clauses(one)
        if not reading.faults(game.policies, position, side, clause)
    ]
    said = {
        part: words
        for part, words in its.always.items()
        if not reading.faults(game.policies, position, side, {part: words})
    }
    for each in views.rng.sample(written, min(3, len(written))):
        said |= each
    assert reading.faults(game.policies, position, side, said) == ()
    parts = sealing.parts(game.policies, position, side, said)
    assert not set(its.held(position, side)) & set(words_in([part["doc"] for part in parts])), (
        "a hidden card is named"
    )
    return parts


def words_in(plain: Any) -> Iterator[str]:
    if isinstance(plain, str):
        yield plain
    elif isinstance(plain, Mapping):
        yield from words_in(list(plain.values()))
    elif isinstance(plain, list):
        for each in plain:
            yield from words_in(each)


def names_tell_nothing(order: Order, kind: str) -> bool:
    """Whether hidden pieces stand in the order of their tags wherever an order lists several: in
    that of their names it would tell which is which.
    """
    if not any(map(is_tag, names_in(order, kind))):
        return True
    return to_plain(sorted_names(order, kind, by_tag)) == to_plain(order)


def take(views: Views, by: str, order: Order) -> None:
    """The answer of a player, after the cards it needs."""
    written = views.tables[by].worded(by, spelled(order))
    read = views.public.read(written.plain)
    assert views.tables[by].worded(by, read) == read == written
    assert names_tell_nothing(written.meant, views.public.system.words.piece)
    slots = views.tables[by].shows(by, read)
    assert set(slots) == set(views.tables[AUDIT].shows(by, read))
    if slots:
        assert not allowed(views.tables[AUDIT], by, read)
        if not hidden_of(views).audit_alone(views.public.state.position, read.meant):
            with pytest.raises(Illegal):
                views.public.submit(read)
    question = views.public.waits()
    views.open(slots)
    assert views.public.waits() == question
    assert views.public.shows(by, read) == views.tables[by].shows(by, read) == ()
    views.all(lambda name, table: table.submit(read))


@pytest.mark.parametrize("seed", range(1, 1 + FUZZ))
@pytest.mark.parametrize("table", TABLES, ids="-".join)
def test_every_view_goes_through_the_same_game(table: tuple[str, str], seed: int) -> None:
    """Where new decks are laid among hidden cards, until they were: in a long run, to the end."""
    slug, scenario = table
    fills_up = scenario in hidden_things(slug).fills_up
    moves = hidden = 0
    epochs = set()
    for views, decision, order in game_seen_by_all(*table, seed, whole=fills_up):
        if fills_up:
            epochs |= {(laid.deck, laid.epoch) for laid in views.public.laid()}
            if FUZZ == 1 and len(epochs) >= 4 and is_long_enough(views):
                break
        if moves % PICTURED == 0:
            hidden += cards_a_picture_hides(views)
            what_is_held_is_told_to_its_holder_alone(views)
        moves += 1
        the_cards_of_others_decide_no_order(views)
        look_for_leaks(views)
        must_not_cost_a_mail(views, decision, order)
    assert moves > 20, "a game of so few moves shows nothing"
    assert hidden, "nothing was hidden"
    assert len(epochs) >= 4 or not fills_up


def the_cards_of_others_decide_no_order(views: Views) -> None:
    """Who gives an order judges it as the audit does, which knows what the other player holds."""
    waits = views.public.waits()
    if not isinstance(waits, DiceWanted | Finished):
        decision = views.public.decision
        assert decision is not None
        order = sample(views.rng.choice(decision.options), views.rng)
        if order is not None:
            said = spelled(order)
            assert views.tables[waits.by].allows(said) == views.tables[AUDIT].allows(said), said


def is_long_enough(views: Views) -> bool:
    return kit(views.public.system.slug).is_long_enough(views.public.state.position)


@pytest.mark.parametrize("slug", [slug for slug in HIDING if kit(slug).policies])
def test_a_question_in_the_round_of_the_other_is_asked_now_and_then(slug: str) -> None:
    """The test above found that it has its policy; a short game may go by without one."""
    scenario = next(each for game, each in TABLES if game == slug)
    assert any(
        must_not_cost_a_mail(views, decision, order)
        for seed in range(1, 20)
        for views, decision, order in game_seen_by_all(slug, scenario, seed)
    )


@pytest.mark.parametrize("seed", range(FUZZ))
@pytest.mark.parametrize("slug", HIDING)
def test_with_options_too(slug: str, seed: int) -> None:
    rng = random.Random(f"hidden options {seed}")
    scenario = rng.choice([each for game, each in TABLES if game == slug])
    options = some_options(slug, scenario, rng)
    for views, decision, order in game_seen_by_all(slug, scenario, seed, options):
        look_for_leaks(views)
        must_not_cost_a_mail(views, decision, order)


def must_not_cost_a_mail(views: Views, decision: Decision | None, order: Order | None) -> bool:
    """Whether the question goes to a player in the round of the other; it must have its policy."""
    position = views.public.state.position
    if decision is None or not hidden_of(views).is_passive(position):
        return False
    is_fixed = decision.tells_items or decision.only_shows or decision.only_says
    if decision.side == views.public.clock.owner or is_fixed:
        return False
    assert decision.policy or order is None, decision
    return True


def cards_a_picture_hides(views: Views) -> int:
    """Even drawn from the position of the audit, which knows every card, it shows no side more."""
    picture = views.public.system.picture
    positions = {name: each.state.position for name, each in views.tables.items()}
    nobody = picture.scene(positions[NOBODY], None)
    assert picture.scene(positions[AUDIT], None) == nobody
    hidden = 0
    for player, side in views.public.seats.items():
        shown = picture.scene(positions[AUDIT], side)
        assert shown == picture.scene(positions[player], side)
        scene = hidden_of(views).scene
        assert scene.without(shown, side) == scene.without(nobody, side)
        held = hidden_of(views).held(positions[player], side)
        hidden += len(held)
        assert not set(held) & set(scene.names(nobody, side))
        if is_drawn(views.public.system.slug):
            assert scene.unseen(nobody, side) == len(held)
            assert set(held) <= set(scene.names(shown, side))
    return hidden


def what_is_held_is_told_to_its_holder_alone(views: Views) -> None:
    """Where a card lies and what may be done with it: others read what nobody's view tells them,
    even from the position of the audit.
    """
    if not hidden_of(views).in_words:
        return
    book = views.public.system.cardbook
    states = {name: each.state for name, each in views.tables.items()}
    for player, side in views.public.seats.items():
        (other,) = set(views.public.seats) - {player}
        faces = {one: face.id for face in book.faces() for one in (face.id, *face.copies)}
        openly = {faces[one] for one in hidden_of(views).names(states[NOBODY].position, side)}
        for one in hidden_of(views).held(states[player].position, side):
            card = faces[one]
            assert book.uses(states[player], side, card)
            told = words(book.lies(states[player].position, card, side))
            for name in (NOBODY, other):
                viewer = views.public.seats.get(name)
                assert (book.uses(states[name], side, card) != ()) == (card in openly)
                other_told = words(book.lies(states[name].position, card, viewer))
                assert other_told == words(book.lies(states[AUDIT].position, card, viewer))
                assert other_told != told or card in openly


def look_for_leaks(views: Views) -> None:
    """No view knows a card that is not its own, and what is public names no hidden one."""
    decks = {laid.deck: laid.by for laid in views.public.laid()}
    decks |= hidden_of(views).lists
    known = views.public.known()
    assert all(views.secret.get(slot, card) == card for slot, card in known.items())
    for name in (NOBODY, *PLAYERS):
        position = views.tables[name].state.position
        assert all(
            decks[slot.partition("/")[0]] == name for slot in hidden_of(views).secret(position)
        )


@pytest.mark.parametrize("slug", [each for each in HIDING if hidden_things(each).shown_whole])
def test_what_must_be_shown_as_a_whole(slug: str) -> None:
    its = hidden_things(slug)
    assert its.shown_whole
    scenario, verb = its.shown_whole
    for seed in range(40):
        for views, _, order in game_seen_by_all(slug, scenario, seed, policies=False):
            if order is not None and order.verb == verb:
                assert views.public.hand(views.public.waits().by)
                return
            if its.is_passive(views.public.state.position):
                break
    raise AssertionError("nobody had to show everything")
