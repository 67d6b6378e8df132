"""The end of a sealed game: both show what they kept hidden, and all is played again with it."""

from dataclasses import dataclass, replace

import pytest

from pbem.gamefile import audit
from pbem.gamefile.audit import play_again, stands
from pbem.gamefile.chain import sign_entry
from pbem.gamefile.entry import fold_steps, named
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import after, replay
from pbem.gamefile.in_play import OrderRefused
from pbem.gamefile.journal import Audited, Challenged, Lapsed, Ordered
from pbem.gamefile.kept import Given
from pbem.gamefile.keys import game_secret
from pbem.gamefile.machine import Machine, World
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.shown import secrets_shown
from pbem.problems import Problem
from tests.gamefile.players import KEYS, SEALED, opened, resigned, reveal, sealed, tried, write
from tests.gamefile.sealed_game import own_hand, sealed_game, sealed_policy, settled, to_orders_of
from tests.gamefile.sealed_toy import open_sealed_toy
from tests.gamefile.toy import Toy

PASS = {"pass": {}}
LAST_ROUND = 8
GO = {"advance": {"go": True}}


def over():
    return write(sealed_game(), sealed_game().pen, resign=True)


def refused(call, *args, **named) -> FileRefused:
    with pytest.raises(FileRefused) as caught:
        call(*args, **named)
    return caught.value


def test_both_owe_it_and_the_result_is_provisional_until_then():
    fold = over()
    assert [(thing.by, thing.code) for thing in fold.owed] == [("B", "audit"), ("A", "audit")]
    assert fold.machine.public_state()["protocol"]["audits"] == {"a": False, "b": False}
    for player in "AB":
        fold = write(fold, player)
        assert any(isinstance(one, Audited) for one in fold.journal[-1])
    assert fold.owed == () and fold.pen is None
    assert replay(fold.entries, open_sealed_toy).head == fold.head


def test_the_order_does_not_matter_and_nobody_audits_twice():
    fold = write(write(over(), "B"), "A")
    assert refused(write, fold, "A").code == "E-TURN"


def test_never_before_the_end():
    fold = sealed_game()
    secret = {"do": "audit", "gsec": "00" * 32}
    entry = resigned(fold.entries[-1], fold.pen, seq=len(fold.entries), prev=fold.head,
                     by=fold.pen, steps=[secret])  # fmt: skip
    found = refused(after, fold, entry)
    assert found.code == "E-TURN" and "only when the game is over" in str(found.message)


def test_a_secret_that_is_not_the_one():
    fold = over()
    entry = write(fold, "A").entries[-1]
    for wrong in ("00" * 32, write(fold, "B").entries[-1].steps[0]["gsec"]):
        changed = {**entry.payload, "steps": [{"do": "audit", "gsec": wrong}]}
        found = refused(after, fold, sign_entry(KEYS["A"], changed))
        assert found.code == "E-AUDIT" and "anchor 0 of player A" in str(found.message)


def test_a_forced_card_withheld_comes_to_light():
    """Who holds a 4 must play it against a force of 9: nobody can see that before the end."""
    fold = sealed()
    while not any(card[1] == "4" for card in own_hand(fold, "B").values()):
        fold = to_orders_of(write(to_orders_of(fold, "B"), "B", {"draw": {}}, PASS), "A")
    fold = write(settled(fold, asked="A"), "A", {"attack": {"force": 9}})
    with pytest.raises(FileRefused) as caught:  # a tool that is sound tells them in time
        write(fold, "B", {"card": {"use": None}})
    assert caught.value.code == "E-ORDER" and "must be played" in str(caught.value)
    none = {"do": "react", "answers": [{"card": {"use": None}}]}
    cheat = fold = tried(fold, "B", [none, reveal(fold, "B", fold.machine.next_beacon)])
    fold = write(write(fold, "A", resign=True), "A")
    found = refused(write, fold, "B")
    assert found.code == "E-AUDIT" and found.by == "B"
    assert found.entry == len(cheat.entries) - 1
    assert "must be played" in str(found)


def in_the_last_round():
    """A, who holds a 4, has left it unplayed ahead; behind the dice B's pass ends the game."""
    fold = sealed()
    while True:
        fold = to_orders_of(fold, player := fold.in_play.active)
        if fold.in_play.number == LAST_ROUND:
            break
        wants = player == "A" and not any(card[1] == "4" for card in own_hand(fold, "A").values())
        fold = write(fold, player, *([{"draw": {}}] if wants else ()), PASS)
    fold = write(to_orders_of(fold, "B"), "B", {"attack": {"force": 1}})
    hold, none = {"stand": {"how": "hold"}}, {"card": {"use": None}}
    ahead = {"do": "react", "answers": [none, none, none, hold, hold, hold]}
    fold = tried(fold, "A", [ahead, reveal(fold, "A", fold.machine.next_beacon)])
    attacks = ({"attack": {"force": force}} for force in (1, 9))
    return write(fold, "B", *attacks, PASS)


def test_the_entry_that_shows_the_cards_is_judged_with_them_too():
    """A game may end, and its secrets be shown, in the very entry that holds the lie."""
    fold = in_the_last_round()
    context = fold.machine.keys.contexts["A"]
    shown = {"do": "audit", "gsec": game_secret(KEYS["A"].seed, "A", context).hex()}
    beacon = reveal(fold, "A", fold.machine.beacons.locked)
    ended = tried(fold, "A", [beacon])
    assert ended.phase == "over" and any(isinstance(one, Ordered) for one in ended.journal[-1])
    assert refused(tried, fold, "A", [beacon, shown]).code == "E-AUDIT"


def test_what_would_have_gone_differently_with_the_cards_known_comes_to_light():
    """Every order of the entry is legal, or lapses: the game only stands elsewhere behind it."""
    fold = in_the_last_round()
    cheat = tried(fold, "A", [reveal(fold, "A", fold.machine.beacons.locked)])
    found = refused(write, cheat, "A")
    assert (found.code, found.entry, found.by, found.rule) == (
        "E-AUDIT",
        len(fold.entries),
        "A",
        "audit",
    )
    assert "the game goes differently" in str(found.message)


def plain_game():
    """Orders and nothing else, a card played among them, and both audits."""
    fold = to_orders_of(write(sealed(), "A", {"attack": {"force": 4}}, GO, PASS), "B")
    fold = write(settled(write(fold, "B", {"draw": {}}, PASS), asked="A"), "A", resign=True)
    return write(write(fold, "B"), "A")


def audits(fold):
    """Each audit: what was told up to its entry, its author and their secrets."""
    for entry in fold.entries:
        for step in entry.steps:
            if step["do"] == "audit":
                yield fold.journal[: entry.seq + 1], entry.by, secrets_shown(step)


def test_what_was_told_of_orders_alone_is_not_played_again(monkeypatch):
    fold = plain_game()
    assert [stands(*each) for each in audits(fold)] == [True, True]
    for told, player, secrets in audits(fold):
        play_again(fold.entries[: len(told)], open_sealed_toy, player, secrets)
    monkeypatch.setattr(audit, "play_again", None)
    assert replay(fold.entries, open_sealed_toy).head == fold.head
    with pytest.raises(FileRefused):  # None cannot be called: what is forgotten is played again
        replay(fold.entries, open_sealed_toy, remember_from=3)


def test_more_than_orders_is_played_again(monkeypatch):
    fold = write(write(over(), "A"), "B")
    assert any(isinstance(one, audit.PolicyMade) for one in fold.told())
    assert [stands(*each) for each in audits(fold)] == [False, False]
    played = []
    monkeypatch.setattr(audit, "play_again", lambda *given: played.append(given[2]))
    replay(fold.entries, open_sealed_toy)
    assert played == ["A", "B"]


@dataclass(frozen=True)
class OneView:
    """A table that takes one order, if it knows a card or if it does not, and opens one for it."""

    takes: bool
    closed: tuple = ()
    doubted: bool = False
    knows: frozenset = frozenset()

    def informed(self, cards):
        return replace(self, knows=frozenset(cards))

    def shows(self, by, order, before=()):
        return self.closed

    def doubts(self, order):
        return ("it might be illegal",) * self.doubted

    def allows(self, order):
        if order.plain == {"stumble": {}}:
            raise ZeroDivisionError
        return self.takes == bool(self.knows)


def given(order, place):
    return Given(Toy().unchecked(order), "orders", place, 0)


@pytest.mark.parametrize(
    ("line", "takes", "order", "expected"),
    [
        (Ordered, True, PASS, True),
        (Ordered, False, PASS, False),
        (Ordered, True, {"stumble": {}}, False),
        (Lapsed, True, PASS, False),
        (Lapsed, False, PASS, True),
        (Lapsed, True, {"stumble": {}}, True),
    ],
)
def test_what_was_legal_must_be_and_what_lapsed_must_not(line, takes, order, expected):
    dealt = next(one for one in sealed().told() if isinstance(one, Challenged))
    player = dealt.epoch.by
    place, table = dealt.place, OneView(takes)

    def told_by(author):
        if line is Ordered:
            return ((dealt,), (Ordered(place, author, given(order, place), table, table),))
        return ((dealt,), (Lapsed(place, author, given(order, place), (), table),))

    told, other = told_by(player), "AB".replace(player, "")
    assert stands(told, player, (bytes(32),)) is expected
    assert stands(told_by(other), player, (bytes(32),)), "the cards of others decide no order"
    assert not stands(told, player, (None,)) and not stands(told, player, (bytes(32),) * 2)
    assert not stands((*told, ()), player, (bytes(32),)), "an entry that is not remembered"
    # The cards of the other player are not known to this audit, nor any before chance met them.
    own = told_by(other)
    for unknown in (stands(own, other, (bytes(32),)), stands(told[::-1], player, (bytes(32),))):
        assert unknown is (expected if order != PASS else not expected)


@pytest.mark.parametrize("table", [OneView(True, closed=("a/1/0",)), OneView(True, doubted=True)])
def test_what_lapsed_because_its_card_was_closed_is_not_legal_for_its_owner_either(table):
    """Nor what lapsed since its author might hide what forbids it; carried out, it is judged."""
    dealt = next(one for one in sealed().told() if isinstance(one, Challenged))
    place, by = dealt.place, dealt.epoch.by
    lapsed = Lapsed(place, by, given(PASS, place), (), table)
    assert stands(((dealt,), (lapsed,)), by, (bytes(32),))
    done = Ordered(place, by, given(PASS, place), replace(table, takes=not table.doubted), table)
    assert not stands(((dealt,), (done,)), by, (bytes(32),))


def test_what_the_rules_refuse_with_all_in_view_is_an_audit_that_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has the class of an audit, where an order is refused that no entry lets lapse."""

    def refuses(machine, entry):
        raise OrderRefused(Problem("not-open", "it plays what is not open"))

    fold = sealed()
    monkeypatch.setattr(audit, "fold_steps", refuses)
    with pytest.raises(FileRefused, match="in view: it plays what is not open") as refused:
        audit._folded_again(fold.machine, fold.entries[-1], "A")
    assert refused.value.code == "E-AUDIT" and refused.value.causes[0].code == "not-open"


def test_orders_sealed_and_never_needed_are_opened():
    fold = sealed()
    guard = sealed_policy(fold, "A", stand="hold")
    fold = write(fold, "A", PASS, policies=(guard,), in_clear=False)
    fold = write(write(fold, "B", resign=True), "A")
    assert not fold.machine.owes_audit("A")
    box = bytearray(guard["doc"]["slot"].encode())
    assert box  # the document itself stands nowhere in the file in clear
    assert guard["doc"]["stand"] not in str(fold.entries[-3].payload["steps"])


@pytest.mark.parametrize("readable", [True, False])
def test_a_box_with_another_document_than_the_commitment(readable):
    fold = sealed()
    honest = write(
        fold, "A", PASS, policies=(sealed_policy(fold, "A", stand="hold"),), in_clear=False
    ).entries[-1]
    other = write(
        fold, "A", PASS, policies=(sealed_policy(fold, "A", stand="fall_back"),), in_clear=False
    ).entries[-1]
    at = next(i for i, step in enumerate(honest.steps) if step["do"] == "policy")
    steps = [dict(step) for step in honest.steps]
    box = other.steps[at]["box"]
    steps[at]["box"] = box if readable else "A" * len(box)
    fold = after(fold, sign_entry(KEYS["A"], {**honest.payload, "steps": steps}))
    fold = write(fold, "B", resign=True)
    found = refused(write, fold, "A")
    assert found.code == "E-AUDIT" and found.entry == honest.seq and "box" in str(found.message)


def test_open_hands_owe_nothing():
    from tests.gamefile.players import opened

    assert write(opened(), "A", resign=True).owed == ()


def test_the_audit_knows_a_hand_as_soon_as_the_dice_that_dealt_it_are_known():
    """Orders given ahead fall behind the deal in the entry of the other, in front of the reply."""
    fold = opened(SEALED, open_sealed_toy)
    assert fold.machine.hidden.decks.unanswered("A")
    auditor = Secrets.in_game(fold.machine, KEYS["A"], "A")
    machine = Machine(World(open_sealed_toy, auditor=auditor))
    for entry in fold.entries:
        machine = fold_steps(machine, entry)
        assert machine.post() == entry.payload["post"]
        machine = named(machine, entry)
    hand = machine.table.hand("A")
    assert hand and set(hand) <= set(machine.table.secret)
    assert {slot: machine.table.secret[slot] for slot in hand} == own_hand(sealed(), "A")
