"""A game with hidden hands between two who share only the file, from the proposal to the audits.

Both play at random what their own view of the table allows; each mail is read back from its bytes.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from pbem.engine.codec import to_plain
from pbem.gamefile.audit import play_again, stands
from pbem.gamefile.compose import Proposal, Wish, compose, propose
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.format import read, write
from pbem.gamefile.in_play import other
from pbem.gamefile.prospect import prospect
from pbem.gamefile.secrets import Secrets
from pbem.gamefile.shown import secrets_shown
from pbem.gamefile.verify import ProvenWithoutRules, examine_without_rules
from pbem.play.game import table_for, tool, with_fold
from pbem.play.story import story
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.render.log import Log
from tests.bots import legal_samples
from tests.gamefile.audited_cards import unseen
from tests.gamefile.knowledge import look_aheads
from tests.play.by_mail import key_of, nonce_of

MAILS = 70


class Sealed:
    """A game by mail, played at random."""

    def __init__(self, seed: str, scenario: str, *options: str, slug: str = "crusade") -> None:
        self.rng = random.Random(seed)
        self.keys = {"A": key_of(f"ana {seed}"), "B": key_of(f"beto {seed}")}
        game = opened(slug)
        proposal = Proposal(
            ruleset=game.ruleset, data=game.digest, scenario=scenario,
            sides=dict(zip("ab", game.system.sides, strict=True)),
            options=dict.fromkeys(options, True),
        )  # fmt: skip
        self.fold: Fold = propose(
            self.keys["A"], self.keys["B"].public, proposal, table_for,
            nonce=nonce_of(seed), tool=tool(),
        ).fold  # fmt: skip
        self.sizes: list[int] = []

    def mail(self, **wish: object) -> None:
        player = self.fold.pen
        assert player is not None, "somebody owes something until the game is over"
        key = self.keys[player]
        orders: tuple[dict[str, object], ...] = ()
        if self.fold.phase == "running" and not wish:
            ahead = prospect(self.fold, key)
            assert isinstance(ahead.in_play, Table)
            if ahead.orders_wanted:
                order = next(legal_samples(ahead.in_play.state, self.rng))
                orders = ({order.verb: to_plain(order)},)
        wanted = Wish(orders=orders, **wish)  # type: ignore[arg-type]
        composed = compose(self.fold, key, wanted, tool=tool(), fresh=nonce_of("accept"))
        raw = write(composed.fold.entries)
        self.sizes.append(len(raw))
        # What the other has is the bytes and nothing else.
        self.fold = replay(read(raw), table_for) if self.rng.random() < 0.05 else composed.fold

    def secrets(self, player: str) -> Secrets:
        return Secrets.of(self.keys[player], player, self.fold.machine.keys.contexts[player])


def played_to_the_audits(game: Sealed, mails: int) -> Fold:
    """The fold of the file behind both audits; nobody has looked ahead, or at what is hidden."""
    for _ in range(mails):
        if game.fold.phase == "over":
            break
        game.mail()
    assert look_aheads(game.fold) == []
    raw = write(game.fold.entries)
    for player in "AB":
        assert game.secrets(player).game.hex().encode() not in raw
    known = game.fold.in_play.known()
    hidden = [
        slot for player in "AB" for slot in game.secrets(player).hidden_hand(game.fold.machine)
    ]
    assert hidden and not set(hidden) & set(known)
    if game.fold.phase != "over":
        game.mail(resign=True)
    assert game.fold.is_provisional
    while game.fold.owed:
        game.mail()
    assert not game.fold.is_provisional
    again = replay(read(write(game.fold.entries)), table_for)
    assert again.head == game.fold.head
    return again


def test_a_sealed_game_from_proposal_to_audit() -> None:
    again = played_to_the_audits(Sealed("one", "campaign"), MAILS)
    for entry in again.entries[-2:]:
        shown = entry.by, secrets_shown(entry.steps[0])
        assert stands(again.journal[: entry.seq], *shown)
        play_again(again.entries[: entry.seq + 1], table_for, *shown)


def test_an_entry_told_alone_stands_under_the_heading_it_has_in_the_whole() -> None:
    """As `apply` tells it, which has not folded the entries before it anew."""
    game = Sealed("one", "campaign")
    for number in range(1, 15):
        game.mail(**({"say": ("My pile is whole.",)} if number == 4 else {}))
    entries = game.fold.entries
    assert [step["do"] for step in entries[4].steps] == ["deck_reply", "say"]
    known = _places(story(with_fold(game.fold)))
    for number in range(3, len(entries)):
        fold = replay(entries[: number + 1], table_for, remember_from=number)
        found = _places(story(with_fold(fold), number))
        assert found <= known and "Before the game" not in {chapter for chapter, _ in found}


def test_nothing_is_told_under_an_empty_heading() -> None:
    game = Sealed("one", "campaign")
    game.mail(say=("Well met.",))
    for _ in range(8):
        game.mail()
    told = story(with_fold(game.fold)).chapters
    first = [(str(each.title), str(each.paragraphs[0].heading)) for each in told[:2]]
    assert first == [
        ("Before the game", "Proposal and acceptance"),
        ("Turn 1, August 1936 (War of the Columns)", "At the beginning"),
    ]
    assert all(paragraph.heading for chapter in told for paragraph in chapter.paragraphs)


def _places(log: Log) -> set[tuple[str, str]]:
    """Chapters with their headings."""
    return {
        (str(each.title), str(part.heading)) for each in log.chapters for part in each.paragraphs
    }


def test_the_audit_knows_every_card_in_each_position_the_game_goes_on_from() -> None:
    """Behind entry 2 the decks are laid and no beacon has met them: what the audit knows of them
    later is not in that position. A change of the rules makes the position anew."""
    game = Sealed("one", "campaign", "example_hands")
    while not any(bound.trial is not None for bound in game.fold.machine.hidden.decks):
        game.mail()
    assert next(iter(game.fold.machine.agreements.quiet)) == 2
    agreed(game, {"what": "takeback", "to": 2, "known_randomness": True})
    for _ in range(4):
        game.mail()
    rules = {name: game.fold.proposal[name] for name in ("ruleset", "data")}
    agreed(game, {"what": "upgrade", "old": rules, "new": rules})
    for _ in range(2):
        game.mail()
    agreements = game.fold.machine.agreements
    assert agreements.take_backs == 1 and agreements.is_upgraded
    for player in "AB":
        assert unseen(game.fold, player, game.secrets(player).game) == {}


def agreed(game: Sealed, offer: dict[str, Any]) -> None:
    """The offer by the player who has not the pen, and the yes to it; made in a quiet moment."""
    while game.fold.locked is not None:
        game.mail()
    for player, wish in (
        (other(game.fold.pen or ""), Wish(offer=offer)), (game.fold.pen or "", Wish(answer=True)),
    ):  # fmt: skip
        game.fold = compose(game.fold, game.keys[player], wish, tool=tool()).fold


@pytest.mark.parametrize("option", ["rule_18_3_9", "rule_18_5_random"])
def test_decks_that_are_laid_behind_the_first_roll_are_audited_too(option: str) -> None:
    """What is in them is known only then, so that the proposal lists none."""
    again = played_to_the_audits(Sealed("late", "campaign", option), 8)
    assert again.proposal["decks"] == []
    assert [step["do"] for entry in again.entries[-2:] for step in entry.steps] == ["audit"] * 2
    report = examine_without_rules(write(again.entries))
    assert report.is_good, report.findings
    assert isinstance(report.proven, ProvenWithoutRules)
    assert (report.proven.decks, report.proven.unproven, report.proven.audits) == (2, 0, 2)
