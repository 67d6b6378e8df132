"""Finds the game in whatever came by mail: verified, or refused with the reason.

If several things contradict each other nothing is chosen: the player says which one they mean.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from pbem.gamefile import format, witness
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.mail import armour, mime
from pbem.mail.armour import Block
from pbem.mail.salvage import weight
from pbem.mail.search import (
    Find,
    GivenFile,
    Miss,
    digits_of,
    look_through,
    missed,
    names_of,
    which_one,
)
from pbem.mail.work import VERIFYING, Work
from pbem.messages import Row, Said, say
from pbem.play.game import Game
from pbem.value import value

Verify = Callable[[bytes], Game]


@value
class HeldGame:
    """A verified game, and where it was found."""

    find: Find
    game: Game

    @property
    def where(self) -> Said:
        """Where it was found: a file, or a part of one."""
        return self.find.where

    @property
    def ids(self) -> list[str]:
        """The ids of its entries (64 hex digits), in order."""
        return [entry.id for entry in self.game.fold.entries]


@value
class Taken:
    """The verified game, and notes on how it was found."""

    game: Game
    report: tuple[Said, ...]

    def plain(self) -> dict[str, Any]:
        """The same for machines."""
        fold = self.game.fold
        return {"game": fold.game, "fingerprint": fold.fingerprint, "entry": len(fold.entries) - 1,
                "report": list(self.report)}  # fmt: skip


def take_in(
    sheets: Sequence[GivenFile], verify: Verify, base: tuple[str, Game] | None = None
) -> Taken:
    """The one game in the sheets; `base` is a game file that was named separately, and its name.

    An armour continues a game among the sheets, or the base. Raises FileRefused when nothing
    verifies or when things contradict each other, and whatever `verify` raises.
    """
    known = HeldGame(Find(base[0]), base[1]) if base else None
    work = Work()
    finds, misses = _all_finds(sheets, known, work)
    games, unverified = _verified(finds, _paid(verify, work))
    blocks = _different(finds)
    misses = [*unverified, *misses]
    if not games and not blocks:
        raise _nothing(sheets, misses)
    report: list[Said] = []
    held = known
    if games:
        held, others = _meant(games, known)
        misses += others
        report = [say("found: {where}", where=held.where), *_repaired(held.find)]
    verify = _paid(verify, work)
    for find in blocks:
        held, told = _continued(find, held, verify)
        report += told
    assert held is not None
    return Taken(held.game, (*report, *(_not_used(miss) for miss in misses)))


def _all_finds(
    sheets: Sequence[GivenFile], known: HeldGame | None, work: Work
) -> tuple[list[Find], list[Miss]]:
    """Everything found in the sheets; mailboxes come last, because the others say which game is
    meant.
    """
    finds: list[Find] = []
    misses: list[Miss] = []
    for sheet in sorted(sheets, key=lambda sheet: mime.is_mailbox(sheet.raw)):
        entries = [find.entries for find in finds if find.entries]
        entries += [known.game.fold.entries] if known else []
        found, more = look_through(sheet, frozenset().union(*map(names_of, entries)), work)
        finds += found
        misses += more
    return finds, misses


# --- whole games ----------------------------------------------------------------------------------


def _paid(verify: Verify, work: Work) -> Verify:
    """Verifies like `verify`, but every game after the first uses up the budget.

    The first is free: a game of any size can be read from a mail of its own.
    """
    free = [True]

    def called(raw: bytes) -> Game:
        if not free:
            work.spend(VERIFYING * weight(raw))
        free.clear()
        return verify(raw)

    return called


def _verified(finds: Sequence[Find], verify: Verify) -> tuple[list[HeldGame], list[Miss]]:
    """The games that verify, the longest first, without those that are the beginning of another."""
    games: list[HeldGame] = []
    misses: list[Miss] = []
    tried: list[Sequence[Entry]] = []
    for find in sorted(finds, key=lambda find: -len(find.entries)):
        known = [*(held.game.fold.entries[: len(find.entries)] for held in games), *tried]
        if not find.entries or any(tuple(each) == find.entries for each in known):
            continue
        tried.append(find.entries)
        try:
            games.append(HeldGame(find, verify(find.content)))
        except FileRefused as refused:
            misses.append(missed(find.where, refused))
    return games, misses


def _meant(games: Sequence[HeldGame], known: HeldGame | None) -> tuple[HeldGame, list[Miss]]:
    """The longest game, if all others are beginnings of it, and what was left aside.

    A known game says which one is meant: others are ignored, and the one taken must continue it.
    """
    same = [held for held in games if known is None or held.ids[0] == known.ids[0]]
    longest = max(same or games, key=lambda held: len(held.ids))
    if any(longest.ids[: len(held.ids)] != held.ids for held in same or games):
        raise which_one(map(_described, same or games))
    if known:
        _held_against(known.game, longest.game, longest.where)
    others = [held for held in games if same and held not in same]
    return longest, [
        Miss(held.where, FileRefused("E-GAME", say("it is another game"))) for held in others
    ]


def _described(held: HeldGame) -> Said:
    if held.game.fold.fingerprint:
        return say(
            "{where} (game {game}, entry {entry})",
            where=held.where, game=held.game.fold.fingerprint, entry=len(held.ids) - 1,
        )  # fmt: skip
    return say(
        "{where} (proposal {proposal}, entry {entry})",
        where=held.where, proposal=held.ids[0][:8], entry=len(held.ids) - 1,
    )  # fmt: skip


def _held_against(known: Game, game: Game, where: Said) -> None:
    """Refuses a game that does not continue a known one: older, another game, or another story."""
    try:
        witness.compare_files(known.fold, game.fold)
    except FileRefused as refused:
        raise _at(where, refused) from None


# --- armour ---------------------------------------------------------------------------------------


def _different(finds: Sequence[Find]) -> list[Find]:
    """The armours, each once, in the order of their entries."""
    found: dict[tuple[str, ...], tuple[int, Find]] = {}
    for find in finds:
        if find.block:
            ids = tuple(entry.id for entry in find.block.entries)
            found.setdefault(ids, (find.block.first, find))
    return [find for _, find in sorted(found.values(), key=lambda each: each[0])]


def _continued(find: Find, held: HeldGame | None, verify: Verify) -> tuple[HeldGame, list[Said]]:
    """The game that an armour and the one it continues make together, with notes."""
    block = find.block
    assert block is not None
    told = say(
        "found: {where}: {entries}", where=find.where, entries=_numbers(block.first, block.last)
    )
    if held is None and block.first == 0:
        return HeldGame(find, verify(format.write(block.entries))), [told, *_repaired(find)]
    if held is None or not _joins(held, block):
        raise _at(find.where, _unjoined(block, held))
    entries = held.game.fold.entries
    if entries[block.first : block.last + 1] == block.entries:
        return held, [say("{told}, which the game already has", told=told), *_repaired(find)]
    try:
        game = verify(format.write((*entries[: block.first], *block.entries)))
    except FileRefused as refused:
        raise _at(find.where, refused) from None
    _held_against(held.game, game, find.where)
    return HeldGame(find, game), [
        say("{told}, added to {where}", told=told, where=held.where),
        *_repaired(find),
    ]


def _joins(held: HeldGame, block: Block) -> bool:
    """Whether the game has the entry that the block's first entry names as the one before it."""
    if block.first == 0:
        return held.ids[0] == block.entries[0].id
    before = block.entries[0].payload.get("prev")
    return len(held.ids) >= block.first and held.ids[block.first - 1] == before


def _unjoined(block: Block, held: HeldGame | None) -> FileRefused:
    """Why an armour cannot be joined to a game."""
    holds = say("the block contains only {numbers}", numbers=_numbers(block.first, block.last))
    if held is None:
        return FileRefused(
            "E-TRANSPORT",
            say("{holds}, and there is no game file that it continues", holds=holds),
            hint=say("name your newest file of that game with --game FILE"),
        )
    last = len(held.ids) - 1
    # A proposal has no number yet; what was accepted on it names it.
    is_other = digits_of(held.game.fold.entries) != block.game if last else block.first == 1
    if is_other:
        return FileRefused(
            "E-GAME",
            say("the block belongs to another game than {where}", where=held.where),
            hint=say("it is of the game {grouped}", grouped=_grouped(block.game)),
        )
    if last < block.first - 1:
        missing = _numbers(last + 1, block.first - 1)
        what = say(
            "{holds}, and {where} ends with entry {last}; missing: {missing}",
            holds=holds,
            where=held.where,
            last=last,
            missing=missing,
        )
        return FileRefused("E-CHAIN", what, hint=say("ask for the whole file"))
    what = say(
        "{holds}, which does not follow entry {first} of {where}",
        holds=holds,
        first=block.first - 1,
        where=held.where,
    )
    return FileRefused("E-CHAIN", what, hint=say("ask for the whole file"))


# --- words ----------------------------------------------------------------------------------------


def _grouped(digits: str) -> str:
    return " ".join(digits[at : at + 4] for at in range(0, len(digits), 4))


def _numbers(first: int, last: int) -> Said:
    return (
        say("entry {first}", first=first)
        if first == last
        else say("entries {first} to {last}", first=first, last=last)
    )


def _repaired(find: Find) -> list[Said]:
    if not find.repairs:
        return []
    return [say("repaired: {repairs}", repairs=Row(tuple(say(name) for name in find.repairs)))]


def _not_used(miss: Miss) -> Said:
    why = miss.refused.problems[0].message
    return say("not used: {where}: {why}", where=miss.where, why=why)


def _nothing(sheets: Sequence[GivenFile], misses: Sequence[Miss]) -> FileRefused:
    if misses:
        return _at(misses[0].where, misses[0].refused)
    if not any(sheet.raw.strip() for sheet in sheets):
        return FileRefused(
            "E-TRANSPORT", say("there is nothing in it"), hint=say("save the mail again")
        )
    names = ", ".join(sheet.name for sheet in sheets[1:])
    return FileRefused(
        "E-TRANSPORT",
        say("no game and no block of entries was found in it, nor in {names}", names=names)
        if names
        else say("no game and no block of entries was found in it"),
        hint=say(
            "save the whole mail, with its attachment (.pbem.json); if that was lost on the way, "
            "ask for it again, or for a block (pbem mail --armor), which begins with {begin}",
            begin=armour.BEGIN,
        ),
    )


def _at(where: Said, refused: FileRefused) -> FileRefused:
    """The refusal with its place."""
    refused.problems = tuple(each.placed_at(str(where)) for each in refused.problems)
    return refused
