"""Finds the game in whatever came by mail: verified, or refused with the reason.

If several things contradict each other nothing is chosen: the player says which one they mean.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any

from pbem.gamefile import format, witness
from pbem.gamefile.chain import Entry
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.signers import Signers, check_end_signed, signers_of
from pbem.mail import armour
from pbem.mail.armour import Block
from pbem.mail.salvage import weight
from pbem.mail.search import (
    MAX_FEW,
    Find,
    GivenFile,
    Miss,
    digits_of,
    few,
    look_through,
    missed,
    names_of,
    rank,
    which_one,
)
from pbem.mail.work import A_SIGNATURE, JUDGING, VERIFYING, Work
from pbem.messages import Row, Said, say, say_many
from pbem.play.game import Game
from pbem.problems import Problem
from pbem.value import value

Verify = Callable[[bytes, Sequence[Entry] | None], Game]
"""Verifies a game file. With its entries, if they were read of these very bytes: a file is read
once.
"""
Continues = Callable[[str, str], tuple[str, Game] | None]
"""Finds the game that blocks continue, by the digits they name it with: its file's name, the game.
"""


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
    """The verified game, and notes on how it was found.

    `before` is how many entries its owner had of it already, if they had it; `head` has what the
    newest mail says of its sender.
    """

    game: Game
    report: tuple[Said, ...]
    before: int | None = None
    head: bytes = b""

    def plain(self) -> dict[str, Any]:
        """The same for machines."""
        fold = self.game.fold
        return {"game": fold.game, "fingerprint": fold.fingerprint, "entry": len(fold.entries) - 1,
                "report": list(self.report)}  # fmt: skip


def take_in(
    sheets: Sequence[GivenFile], verify: Verify, base: tuple[str, Game] | None = None,
    continues: Continues | None = None, *, found: AllFound | None = None,
) -> Taken:  # fmt: skip
    """The one game in the sheets; `base` is a game file that was named separately, and its name.

    `found` is what was found in the sheets, if they were searched already. An armour continues a
    game among the sheets, or the base, or else what `continues` knows. Raises FileRefused when
    nothing verifies or when things contradict each other, and whatever `verify` and `continues`
    raise.
    """
    known = HeldGame(Find(base[0]), base[1]) if base else None
    if found is None:
        found = all_in(sheets, names_of(base[1].fold.entries) if base else frozenset())
    finds, blocks, strange = found.meant()
    work = Work()
    games, unverified = _verified(finds, verify, work)
    misses = [*unverified, *found.misses]
    if not games and not blocks:
        raise _nothing(sheets, misses)
    report: list[Said] = []
    held = known
    if games:
        held, others = _meant(games, known, [sheet.name for sheet in sheets], unverified)
        misses += others
        report = _told(held, finds)
    elif held is None and continues is not None and (owner := _continued_by(blocks, continues)):
        held, blocks, others = owner
        misses += others
    onto = held if not games else known
    held, more, unjoined = _with_blocks(
        blocks, held, known if games else None, verify, work, is_one_found=bool(games)
    )
    misses = [miss for miss in (*misses, *unjoined, *strange) if not miss.is_aside]
    before = len(onto.ids) if onto is not None else None
    return Taken(held.game, (*report, *more, *map(_not_used, misses)), before, held.find.head)


# --- everything that came -------------------------------------------------------------------------


@value
class Chain:
    """What came of one game: its files, the longest first, and the blocks that belong to it.

    `first` is the id of its first entry (64 hex digits), empty where only blocks came; `digits` are
    those of the game as blocks name it (`search.digits_of`). Nothing in it is verified.
    """

    first: str
    digits: str
    games: tuple[Find, ...] = ()
    blocks: tuple[Find, ...] = ()

    @property
    def last(self) -> int:
        """The number of its last entry, as far as the files and blocks say."""
        ends = [len(find.entries) - 1 for find in self.games[:1]]
        ends += [find.block.last for find in self.blocks if find.block is not None]
        return max(ends)


class AllFound:
    """Everything with entries in what came, game by game."""

    def __init__(
        self, sheets: Sequence[GivenFile], wanted: Collection[str], finds: Sequence[Find],
        misses: Sequence[Miss],
    ) -> None:  # fmt: skip
        self.sheets = sheets
        self.games = sorted(
            (find for find in finds if find.entries),
            key=lambda find: (-rank(find.entries, wanted), -len(find.entries)),
        )
        self._wanted = wanted
        self.blocks = _in_order([find for find in finds if find.block is not None])
        self.misses = list(misses)

    def meant(self) -> tuple[Sequence[Find], Sequence[Find], list[Miss]]:
        """The games and blocks among which one is meant: those of the only game that is wanted,
        with the others as misses, or else all.
        """
        own = [chain for chain in self.chains if (chain.first or chain.digits) in self._wanted]
        if len(own) != 1:
            return self.games, self.blocks, []
        its = {id(each) for each in (*own[0].games, *own[0].blocks)}
        others = [each for each in (*self.games, *self.blocks) if id(each) not in its]
        return own[0].games, own[0].blocks, _of_others(others)

    @cached_property
    def chains(self) -> list[Chain]:
        """What came, game by game, in the order in which it was found; what is known of no game by
        its first entry comes last.
        """
        chains: dict[str, tuple[list[Find], list[Find]]] = {}
        by_digits: dict[str, str] = {}
        for find in self.games:
            first = find.entries[0].id
            chains.setdefault(first, ([], []))[0].append(find)
            by_digits.setdefault(_proved_digits(find.entries), first)
        for find in self.blocks:
            block = find.block
            assert block is not None
            if first := _first_of_game(block):
                chains.setdefault(first, ([], []))
                by_digits.setdefault(_proved_digits(block.entries, block.first), first)
        by_digits.pop("", None)
        digits = {first: game for game, first in reversed(by_digits.items())}
        rest: dict[str, list[Find]] = {}
        for find in self.blocks:
            block = find.block
            assert block is not None
            first = _first_of_game(block) or by_digits.get(block.game, "")
            (chains[first][1] if first else rest.setdefault(block.game, [])).append(find)
        return [
            *(Chain(first, digits.get(first, digits_of(())), tuple(games), tuple(blocks))
              for first, (games, blocks) in chains.items()),
            *(Chain("", game, (), tuple(blocks)) for game, blocks in rest.items()),
        ]  # fmt: skip

    def taken(self, chain: Chain, verify: Verify, base: tuple[str, Game] | None = None) -> Taken:
        """The longest game that verifies in a chain, with its blocks; `base` is the game as its
        owner has it, which must not be turned back. Each chain has a budget of its own.

        Raises FileRefused as `take_in` does, and whatever `verify` raises.
        """
        known = HeldGame(Find(base[0]), base[1]) if base else None
        work = Work()
        games, misses = _verified(chain.games, verify, work)
        held, report = known, list[Said]()
        if games:
            held, others = _meant(games, known, [], misses)
            misses += others
            report = _told(held, chain.games)
        elif not chain.blocks:
            raise _first_of(misses)
        held, more, unjoined = _with_blocks(
            chain.blocks, held, known, verify, work, is_one_found=bool(games)
        )
        before = len(known.ids) if known is not None else None
        return Taken(
            held.game,
            (*report, *more, *map(_not_used, [*misses, *unjoined])),
            before,
            held.find.head,
        )


def _proved_digits(entries: Sequence[Entry], first: int = 0) -> str:
    """The digits of a game, if its entry 1 is among some from `first` on and names the one before
    it; else empty: anyone can put an entry of one game behind the first of another.
    """
    if first == 0 and len(entries) > 1 and entries[1].payload.get("prev") == entries[0].id:
        return digits_of(entries)
    return digits_of((entries[0], *entries)) if first == 1 else ""


def _of_others(finds: Sequence[Find]) -> list[Miss]:
    """What came of other games than the one that is meant: a few, and how many more."""
    told = FileRefused("E-GAME", say("it is another game"))
    misses = [Miss(each.where, told) for each in finds[:MAX_FEW]]
    if len(finds) > MAX_FEW:
        more = say_many(
            "more", "{more} more thing that came is not of this game",
            "{more} more things that came are not of this game", more=len(finds) - MAX_FEW,
        )  # fmt: skip
        misses.append(Miss(finds[MAX_FEW].where, FileRefused("E-GAME", more)))
    return misses


def all_in(sheets: Sequence[GivenFile], wanted: frozenset[str] = frozenset()) -> AllFound:
    """Every game and every block in the sheets: files, mailboxes, the messages of a folder.

    `wanted` are the names of games (`search.names_of`), if any are: they come first, and damaged
    things of others are only counted then. Never raises: what cannot be read is among the `misses`.
    """
    finds, misses = look_through(sheets, wanted, Work())
    return AllFound(sheets, wanted, finds, misses)


# --- whole games ----------------------------------------------------------------------------------


def _verified(
    finds: Sequence[Find], verify: Verify, work: Work
) -> tuple[list[HeldGame], list[Miss]]:
    """The games that verify, in the order of the finds, without those that are the beginning
    of another; with several, what nobody has signed is not replayed by the rules.
    """
    games: list[HeldGame] = []
    misses: list[Miss] = []
    tried: dict[tuple[int, str], list[tuple[Entry, ...]]] = {}
    paid = _paid(verify, work)
    for find in finds:
        count, last = len(find.entries), find.entries[-1].id
        ends = (held.find.entries[:count] for held in games
                if len(held.find.entries) >= count
                and held.find.entries[count - 1].id == last)  # fmt: skip
        if find.entries in ends or find.entries in tried.get((count, last), ()):
            continue
        try:
            if len(finds) > 1:
                work.spend(JUDGING * find.size)
                check_end_signed(find.entries)
            entries = find.entries if find.were_read else None
            games.append(HeldGame(find, paid(find.content, entries)))
        except FileRefused as refused:
            tried.setdefault((count, last), []).append(find.entries)
            misses.append(missed(find.where, refused))
    return games, misses


def _paid(verify: Verify, work: Work) -> Verify:
    """Verifies like `verify`, but every game after the first uses up the budget.

    The first is free: a game of any size can be read from a mail of its own.
    """
    free = [True]

    def called(raw: bytes, entries: Sequence[Entry] | None) -> Game:
        if not free:
            work.spend(VERIFYING * weight(raw))
        free.clear()
        return verify(raw, entries)

    return called


def _meant(
    games: Sequence[HeldGame], known: HeldGame | None, names: Sequence[str],
    unverified: Sequence[Miss],
) -> tuple[HeldGame, list[Miss]]:  # fmt: skip
    """The longest game that goes on from all others of its story, and what was left aside.

    A known game says which one is meant: others are ignored, and the one taken must continue it.
    Without one a game that was given as a file of its own is meant, not those of a mailbox. Where
    none goes on from it, one of the `unverified` that was only too large is reported.
    """
    firsts = {held.ids[0] for held in games}
    if known is not None:
        firsts &= {known.ids[0]}
    elif len(firsts) > 1:
        own = {held.ids[0] for held in games if held.where in names}
        firsts = own if len(own) == 1 else firsts
    if len(firsts) > 1:
        raise which_one(map(_described, _longest_of_each(games)))
    same = [held for held in games if held.ids[0] in firsts]
    others = [held for held in games if same and held not in same]
    misses = [Miss(held.where, FileRefused("E-GAME", say("it is another game"))) for held in others]
    if known is not None:
        longest, told = _going_on_from(known, same or games, unverified)
        return longest, [*told, *misses]
    return _agreed(same), misses


def _agreed(games: Sequence[HeldGame]) -> HeldGame:
    """The longest game that contradicts none of the others.

    Notes that it passes over are no contradiction. Raises FileRefused: E-FORK, E-ROLLBACK.
    """
    refusals: list[FileRefused] = []
    for held in games:
        try:
            for other in games:
                if other is not held and held.ids[: len(other.ids)] != other.ids:
                    _held_against(other.game, held.game, held.where)
        except FileRefused as refused:
            refusals.append(refused)
        else:
            return held
    raise refusals[0]


def _going_on_from(
    known: HeldGame, games: Sequence[HeldGame], unverified: Sequence[Miss]
) -> tuple[HeldGame, list[Miss]]:
    """The longest game that the known one does not speak against, and those that it does.

    Raises FileRefused if there is none.
    """
    sound: list[HeldGame] = []
    misses: list[Miss] = []
    for held in games:
        try:
            _held_against(known.game, held.game, held.where)
        except FileRefused as refused:
            misses.append(Miss(held.where, refused))
        else:
            sound.append(held)
    if not sound:
        raise _first_of([*(each for each in unverified if _is_unread(each)), *misses])
    longer = {"E-FORK", "E-DOUBLE"}  # an older file beside a newer one is nothing to tell
    return _agreed(sound), [miss for miss in misses if miss.refused.code in longer]


def _longest_of_each(games: Sequence[HeldGame]) -> list[HeldGame]:
    longest: dict[str, HeldGame] = {}
    for held in games:
        longest.setdefault(held.ids[0], held)
    return list(longest.values())


def _told(held: HeldGame, finds: Sequence[Find]) -> list[Said]:
    """Where a game was found, what was repaired, and that older files of it were there too."""
    told: list[Said] = [say("found: {where}", where=held.where), *_repaired(held.find)]
    first, count = held.find.entries[0].id, len(held.find.entries)
    older = [len(find.entries) for find in finds
             if find.entries[0].id == first and len(find.entries) < count]  # fmt: skip
    if older:
        told.append(
            say_many(
                "files",
                "{files} older file of this game was found too, which goes to entry {last}",
                "{files} older files of this game were found too, which go to entry {last} at most",
                files=len(older), last=max(older) - 1,
            )
        )  # fmt: skip
    return told


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


def _with_blocks(
    blocks: Sequence[Find], held: HeldGame | None, known: HeldGame | None,
    verify: Verify, work: Work, *, is_one_found: bool,
) -> tuple[HeldGame, list[Said], list[Miss]]:  # fmt: skip
    """The game that a game and the blocks that continue it make together, with notes, and the
    blocks that cannot be used.

    Raises FileRefused where nothing else was of use: no game file (`is_one_found`) and no
    block; and where a block contradicts or begins another game, unless a `known` game says
    which one is meant.
    """
    paid, report, had = _paid(verify, work), list[Said](), list[Said]()
    misses: list[Miss] = []
    signers: list[Signers] = []
    judge, untried = _Judge(work), list[Find]()
    repeated = 0
    for find in blocks:
        before, block = held, find.block
        assert block is not None
        signers = signers or signers_of(held.game.fold.entries if held is not None else ())
        try:
            held, told = _continued(find, held, signers, paid, judge)
        except FileRefused as refused:
            if known is None and (refused.code in _CONTRADICTS or _begins_another(block, held)):
                raise
            if work.is_spent:
                untried.append(find)
            else:
                misses.append(missed(find.where, refused))
            continue
        if held is not before:
            signers = []
        elif repeated < MAX_FEW:
            entries = _numbers(block.first, block.last)
            had.append(say("{where}: {entries}", where=find.where, entries=entries))
        repeated += held is before
        if held is not before or (repeated <= MAX_FEW and not is_one_found):
            report += told
    is_any_used = is_one_found or len(misses) + len(untried) < len(blocks) or not blocks
    misses = few(misses, blocks[-1].where) if misses else []
    if untried:
        misses.insert(0, missed(untried[0].where, _untried(len(untried))))
    if held is None or not is_any_used:
        raise _first_of(misses)
    if had and not is_one_found:  # a mail of ours has its entries as a block, too
        report.append(say("found: {blocks}, which the game already has", blocks=tuple(had)))
    if repeated > MAX_FEW:
        report.append(
            say_many(
                "blocks",
                "{blocks} more block has nothing that the game lacks",
                "{blocks} more blocks have nothing that the game lacks",
                blocks=repeated - MAX_FEW,
            )
        )
    return held, report, misses


def _untried(count: int) -> FileRefused:
    return FileRefused(
        "E-LIMIT",
        say_many(
            "untried",
            "{untried} block was not tried, for there is too much to verify",
            "{untried} blocks were not tried, for there is too much to verify",
            untried=count,
        ),
        hint=say("save the message itself, and use that"),
    )


def _first_of_game(block: Block) -> str:
    """The id of the first entry of a block's game, as far as the block shows it."""
    entry = block.entries[0]
    named = entry.id if block.first == 0 else entry.payload.get("prev") if block.first == 1 else ""
    return named if isinstance(named, str) else ""


def _in_order(finds: Iterable[Find]) -> list[Find]:
    """Armours in the order of their entries; of those that begin with the same one, the first of
    each mail comes before the second of any: no mail has more than its share.
    """
    placed: list[tuple[int, int, Find]] = []
    turns = Counter[tuple[int, int]]()
    for find in finds:
        first = find.block.first if find.block is not None else 0
        placed.append((first, turns[find.mail, first], find))
        turns[find.mail, first] += 1
    return [find for _, _, find in sorted(placed, key=lambda each: each[:2])]


def _continued_by(
    blocks: Sequence[Find], continues: Continues
) -> tuple[HeldGame, list[Find], list[Miss]] | None:
    """The game that somebody knows among those that blocks continue, its blocks, and the others.

    Raises FileRefused if several of them are known.
    """
    owners: dict[str, HeldGame] = {}
    owned: dict[tuple[str, str], str] = {}
    for find in blocks:
        assert find.block is not None
        name = find.block.game, _first_of_game(find.block)
        if name not in owned and find.block.first:
            known = continues(*name)
            held = HeldGame(Find(known[0]), known[1]) if known is not None else None
            owned[name] = held.ids[0] if held is not None else ""
            if held is not None:
                owners.setdefault(held.ids[0], held)
    if len(owners) > 1:
        raise which_one(map(_described, owners.values()))
    if not owners:
        return None
    ((first, held),) = owners.items()
    its = [find for find in blocks if find.block is not None
           and (owned.get((find.block.game, _first_of_game(find.block))) == first
                or _first_of_game(find.block) == first)]  # fmt: skip
    chosen = set(map(id, its))
    return held, its, _of_others([find for find in blocks if id(find) not in chosen])


_CONTRADICTS = ("E-FORK", "E-DOUBLE")


class _Judge:
    """Judges who signed the entries of blocks, each signature once, in the order of the entries.

    So a block that nobody has signed costs one signature, however long it is: what stands before
    its first false one is known already, or is worth knowing.
    """

    def __init__(self, work: Work) -> None:
        self._work = work
        self._after: dict[tuple[str, str], Signers] = {}
        """Who may sign the next entry, by the id and the signature of one that is signed."""

    def check(self, entries: Iterable[Entry], signers: Signers) -> None:
        """Refuses the first of these entries that is not signed, as `Signers.after`; E-LIMIT when
        the budget is spent.
        """
        for entry in entries:
            known = self._after.get((entry.id, entry.sig))
            if known is None:
                self._work.spend(A_SIGNATURE)
                known = signers.after(entry, judged=True)
                self._after[entry.id, entry.sig] = known
            signers = known


def _continued(
    find: Find, held: HeldGame | None, signers: Sequence[Signers], verify: Verify, judge: _Judge
) -> tuple[HeldGame, list[Said]]:
    """The game that an armour and the one it continues make together, with notes.

    What nobody has signed is not replayed by the rules: anyone can make hundreds of blocks.
    """
    block = find.block
    assert block is not None
    told = say(
        "found: {where}: {entries}", where=find.where, entries=_numbers(block.first, block.last)
    )
    if (held is not None or block.first) and (held is None or not _joins(held, block)):
        raise _at(find.where, _unjoined(block, held))
    entries = held.game.fold.entries if held is not None else ()
    both = zip(entries[block.first :], block.entries, strict=False)
    known = sum(1 for _ in takewhile(lambda pair: pair[0].id == pair[1].id, both))
    if held is not None and known == len(block.entries):
        return held, _repaired(find)
    before, new = block.first + known, block.entries[known:]
    try:
        judge.check(new, signers[before])
        game = verify(format.write((*entries[:before], *new)), None)
    except FileRefused as refused:
        raise _at(find.where, refused) from None
    if held is None:
        return HeldGame(find, game), [told, *_repaired(find)]
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


def _begins_another(block: Block, held: HeldGame | None) -> bool:
    return held is not None and not block.first and not _joins(held, block)


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


class NothingFound(FileRefused):
    """Neither a game nor anything of one is there, not even a damaged one."""


def _nothing(sheets: Sequence[GivenFile], misses: Sequence[Miss]) -> FileRefused:
    if misses:
        return _first_of(misses)
    if not any(sheet.raw.strip() for sheet in sheets):
        return NothingFound(
            "E-TRANSPORT", say("there is nothing in it"), hint=say("save the mail again")
        )
    names = ", ".join(sheet.name for sheet in sheets[1:])
    return NothingFound(
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


def _first_of(misses: Sequence[Miss]) -> FileRefused:
    """The refusal to tell of several: what was left unread may be the one that is missed."""
    told = next(filter(_is_unread, misses), misses[0])
    return _at(told.where, told.refused)


def problems_of(miss: Miss) -> tuple[Problem, ...]:
    """What to tell of something that cannot be used, with its place."""
    return tuple(each.placed_at(str(miss.where)) for each in miss.refused.problems)


def _is_unread(miss: Miss) -> bool:
    """Whether it was too much to read, rather than an entry with more than one may have."""
    return miss.refused.code == "E-LIMIT" and miss.refused.entry is None


def _at(where: Said, refused: FileRefused) -> FileRefused:
    """The refusal with its place."""
    refused.problems = tuple(each.placed_at(str(where)) for each in refused.problems)
    return refused
