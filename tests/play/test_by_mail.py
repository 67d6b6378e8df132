"""Chapter 24 by mail: two key holders who share nothing but the file, with dice of beacons.

What the dice make impossible a player leaves out, as people do; what the example did not need they
answer as the form proposes.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.format import read
from pbem.gamefile.prospect import prospect
from pbem.gamefile.verify import examine
from pbem.orders.written import order_line
from pbem.play import snapshot
from pbem.play.answer import answer
from pbem.play.derivation import rolled, rolls
from pbem.play.forms import present_form
from pbem.play.game import Game, table_for
from pbem.play.snapshot import read_game
from pbem.play.story import story, telling
from pbem.play.systems import opened
from pbem.problems import Refused
from pbem.render.formats import rendered
from pbem.text.source import Source
from tests.conftest import FUZZ
from tests.play.by_mail import Mail, side_files

FOLDER = Path(__file__).parents[2] / "examples" / "chapter24"
SEEDS = ("one", "two") if FUZZ == 1 else ("one", "two", "three")
PROGRAM = "the same program"


def test_terms_that_no_honest_player_could_offer_are_refused() -> None:
    with pytest.raises(FileRefused) as refused:
        Mail("x", {}, "first_edition", scenario="republican_collapse")
    assert refused.value.code == "E-RULES"
    assert [(each.code, each.rule) for each in refused.value.causes] == [
        ("excluded-option", "19.5")
    ]


class Played(Mail):
    """A game by mail in which every step is kept: the file before, the orders, the file after."""

    def __init__(self, seed: str) -> None:
        super().__init__(seed, side_files(FOLDER), "example_hands")
        self.steps: list[tuple[bytes, str, Source | None, bytes]] = []
        while any(self.files.values()) and len(self.steps) < 60:
            self.mail()

    def mail(self) -> None:
        game = read_game(self.raw)
        player = game.fold.pen
        assert player is not None
        orders = self.asked(game, player)
        after, sent = self.sent(game, player, orders)
        self.steps.append((self.raw, player, sent, after))
        self.raw = after

    def asked(self, game: Game, player: str) -> str | None:
        """The next orders of the example, if they answer; else the form; nothing if nothing is."""
        if game.fold.phase != "running":
            return None
        ahead = prospect(game.fold, self.keys[player])
        if not ahead.orders_wanted:
            return None
        verbs = {option.order.verb for option in ahead.in_play.decision.options} - {"done"}  # type: ignore[attr-defined]
        if self.files[player]:
            text = Path(self.files[player][0]).read_text(encoding="utf-8")
            if any(f"- {verb}" in text for verb in verbs):
                self.files[player].pop(0)
                return text
        return self.filled(game, player)

    def filled(self, game: Game, player: str) -> str:
        """The form with the default in its open line."""
        form = present_form(game, self.keys[player])
        decision = prospect(game.fold, self.keys[player]).in_play.decision  # type: ignore[attr-defined]
        line = f"  - {order_line(decision.default)}"
        found, count = re.subn(r"^  - .*\.\.\..*$", lambda _: line, form, flags=re.M)
        assert count == 1, form
        return found

    def sent(self, game: Game, player: str, text: str | None) -> tuple[bytes, Source | None]:
        """The file with the orders, those left out that have problems."""
        while True:
            orders = None if text is None else Source("orders.yaml", text)
            try:
                answered = answer(game, self.keys[player], orders, fresh=self.fresh)
            except Refused as refused:
                assert text is not None
                wrong = {problem.span.line for problem in refused.problems if problem.span}
                assert wrong, refused
                left = without(text, wrong)
                text = left if "\n  - " in left else self.filled(game, player)
                continue
            return answered.game.bytes(), orders


def without(text: str, wrong: set[int]) -> str:
    """The orders without those in which a line is wrong."""
    lines = text.splitlines(keepends=True)
    starts = [at for at, line in enumerate(lines, 1) if re.match(r"  - |\S", line)]
    ends = [*starts[1:], len(lines) + 1]
    kept = list(lines)
    for start, end in zip(starts, ends, strict=True):
        if wrong & set(range(start, end)):
            assert lines[start - 1].startswith("  - "), text
            kept[start - 1 : end - 1] = [""] * (end - start)
    return "".join(kept)


@pytest.fixture(scope="module", params=SEEDS[:1] if FUZZ == 1 else SEEDS)
def played(request: pytest.FixtureRequest) -> Played:
    return game_played(request.param)


@cache
def game_played(seed: str) -> Played:
    return Played(seed)


def test_the_turn_is_played_and_verifies(played: Played):
    assert not any(played.files.values())
    report = examine(played.raw, table_for)
    assert report.is_good and report.proven
    assert report.proven.beacons >= 1 and report.proven.dice >= 2
    assert report.fold and report.fold.in_play.state.position.turn >= 1  # type: ignore[union-attr]


def test_both_players_see_the_same_story(played: Played):
    ana, beto = (read_game(played.raw) for _ in range(2))
    assert ana.fold.entries == beto.fold.entries
    assert ana.table and beto.table and ana.table.public() == beto.table.public()
    assert rendered(story(ana)) == rendered(story(beto))


def test_answering_again_gives_the_same_bytes(played: Played):
    for before, player, orders, after in played.steps:
        again = answer(read_game(before), played.keys[player], orders, fresh=played.fresh)
        assert again.game.bytes() == after


def test_a_snapshot_changes_no_byte(played: Played):
    used = 0
    for before, player, orders, after in played.steps:
        content = snapshot.content(before, read_game(before), PROGRAM)
        if content is None:
            continue
        kept = snapshot.Kept(content, PROGRAM)
        game = read_game(before, kept)
        assert snapshot.load(before, kept) is not None
        again = answer(game, played.keys[player], orders, fresh=played.fresh)
        assert again.game.bytes() == after
        used += 1
    assert used > 10


def test_a_snapshot_of_an_older_file_speeds_a_newer_one_and_changes_nothing(played: Played):
    middle = len(played.steps) // 2
    before = played.steps[middle][0]
    content = snapshot.content(before, read_game(before), PROGRAM)
    assert content is not None
    by_way_of_it = read_game(played.raw, snapshot.Kept(content, PROGRAM))
    whole = read_game(played.raw)
    assert by_way_of_it.fold.machine.public_state() == whole.fold.machine.public_state()
    assert by_way_of_it.bytes() == whole.bytes() == played.raw


def test_what_was_told_of_a_beginning_is_told_the_same_with_the_rest(played: Played):
    """Chapters, headings, notes and rolls, wherever the part that was kept ends."""
    whole = read_game(played.raw)
    last, used = len(whole.fold.entries) - 1, set()
    for before, *_ in (played.steps[len(played.steps) // 3], played.steps[-1]):
        known = read_game(before)
        for tell in (telling, rolled):
            content = snapshot.content(before, known, PROGRAM, tell(known))
            if content is None:
                continue
            game = read_game(played.raw, snapshot.Kept(content, PROGRAM))
            assert game.told == tell(known) and not any(game.fold.journal[: game.source[1]])
            assert tell(game) == tell(whole)
            used.add(tell)
            if tell is telling:
                for first, end in ((0, None), (0, 4), (3, last - 1), (last, None)):
                    assert story(game, first, end) == story(whole, first, end)
            else:
                assert rolls(game) == rolls(whole) != ([], {})
    assert used == {telling, rolled}


def test_the_file_alone_carries_the_game(played: Played):
    """Nothing but the bytes passes between the two: each step reads them anew."""
    entries: list[Entry] = list(read(played.raw))
    assert [entry.seq for entry in entries] == list(range(len(entries)))
    assert {entry.by for entry in entries} == {"A", "B"}
    assert entries[0].payload["steps"][0]["data"] == opened("crusade").digest


def test_other_keys_bring_other_dice():
    faces = {
        seed: [
            record.face
            for item in read_game(game_played(seed).raw).fold.told()
            for record in getattr(item, "records", ())
        ]
        for seed in SEEDS[:2]
    }
    assert faces["one"] != faces["two"]
