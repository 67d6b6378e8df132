"""The results of a game's dice, against the expected ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from pbem.engine.clock import Clock
from pbem.engine.model import Side
from pbem.engine.odds import Chances, Waged, percent
from pbem.gamefile.journal import Answered, Ordered, Rolled
from pbem.messages import ENGLISH, Language, Message, Part, Said, decimal, marked, say, words
from pbem.play.game import Game
from pbem.play.table import Table
from pbem.play.turns import Happening, standing_moves
from pbem.value import replace, value
from pbem.words import to_lines


@value
class AttackMade:
    """An attack that was decided: its chances when it was ordered, and what came of it."""

    entry: int
    chances: Chances
    winner: Side | None
    lost: tuple[tuple[Side, int], ...]
    """The losses of each side, the attacker's first."""

    @property
    def attacker(self) -> Side:
        """The side that attacked."""
        return self.lost[0][0]

    @property
    def chance(self) -> tuple[int, int]:
        """In how many results of the dice the attacker wins, and of how many."""
        return self.chances.won_by(self.attacker), self.chances.ways

    def expected(self, side: Side) -> float:
        """The expected losses of a side."""
        spread = self.chances.spread(side)
        return sum(lost * ways for lost, ways in spread.items()) / self.chances.ways

    @property
    def as_good(self) -> int:
        """In how many results of the dice the attacker does at least as well, by both sides'
        losses.
        """
        return self.chances.ways_where(lambda each: self._gain(each.lost) >= self._gain(self.lost))

    @staticmethod
    def _gain(lost: tuple[tuple[Side, int], ...]) -> int:
        (_, ours), (_, theirs) = lost
        return theirs - ours


@value
class Thrown:
    """Dice of one kind: whose span, or in which part of the turn between two of them, what they
    were for, faces of each, the results.
    """

    owner: Side
    part: Said
    purpose: Said
    faces: int
    fallen: tuple[int, ...]

    @property
    def average(self) -> float:
        """The average of the dice rolled."""
        return sum(self.fallen) / len(self.fallen)

    @property
    def expected(self) -> float:
        """The average of a fair die."""
        return (self.faces + 1) / 2


@value
class Luck:
    """All attacks of a game in order, and all dice by kind; none that a take-back undid."""

    attacks: tuple[AttackMade, ...]
    dice: tuple[Thrown, ...]


@value
class KeptLuck:
    """The luck in the first `entries` of a game, with no attack that was still undecided."""

    entries: int
    luck: Luck


def luck(game: Game) -> Luck:
    """The luck in a game, which must have all its journals, or the luck kept in their place."""
    return _read(game)[0]


def telling(game: Game) -> KeptLuck | None:
    """The luck in a game, to be kept; None while an attack is undecided."""
    found, is_settled = _read(game)
    return KeptLuck(len(game.fold.entries), found) if is_settled else None


def _read(game: Game) -> tuple[Luck, bool]:
    """The luck in a game, and whether all its attacks are decided."""
    if "luck" not in game.memo:
        kept = game.told.luck if isinstance(game.told, KeptLuck) else Luck((), ())
        items = standing_moves(game)
        waged = list(_waged_in(game, items))
        odds = game.opened.system.odds
        came = [odds.came(each) for _, each in waged]
        made = (
            AttackMade(entry, odds.of(each.state, each.order, briefly=True), *end)
            for (entry, each), end in zip(waged, came, strict=True)
            if end is not None
        )
        is_settled = all(
            each.is_over or end is not None
            for (_, each), end in zip(waged, came, strict=True)
        )  # fmt: skip
        found = Luck((*kept.attacks, *made), _dice(kept.dice, items))
        game.memo["luck"] = found, is_settled
    read: tuple[Luck, bool] = game.memo["luck"]
    return read


def _waged_in(game: Game, items: list[tuple[int, Any]]) -> Iterator[tuple[int, Waged]]:
    """The attacks ordered in the items, each with its entry."""
    odds = game.opened.system.odds
    for at, (entry, item) in enumerate(items):
        if not isinstance(item, Ordered | Answered) or not isinstance(item.before, Table):
            continue
        order = item.read.meant
        if type(order) in odds.attacks:
            yield entry, _waged(game, order, items, at)


def _waged(game: Game, order: Any, items: list[tuple[int, Any]], at: int) -> Waged:
    """The attack that the item at a place orders, with all that happened from there in its span."""
    clock_of, state = game.opened.system.clock, items[at][1].before.state
    span, found = clock_of(state.position).span, list[Happening]()
    for here in range(at, len(items)):  # a slice would copy the rest of the game for each attack
        _, item = items[here]
        for happening in zip(item.after.told.events, item.after.told.positions, strict=True):
            if clock_of(happening[1]).span != span:
                return Waged(state, order, tuple(found), is_over=True)
            found.append(happening)
    return Waged(state, order, tuple(found), is_over=game.fold.phase == "over")


def _dice(kept: tuple[Thrown, ...], items: list[tuple[int, Any]]) -> tuple[Thrown, ...]:
    found: dict[tuple[Side, Said, Said, int], list[int]] = {
        (each.owner, each.part, each.purpose, each.faces): list(each.fallen) for each in kept
    }
    for _, item in items:
        if isinstance(item, Rolled) and isinstance(item.before, Table):
            for record in item.records:
                if record.faces:
                    when = _when(item.before.clock)
                    kind = *when, _in_general(record.purpose), record.faces
                    found.setdefault(kind, []).append(record.face)
    return tuple(Thrown(*kind, tuple(faces)) for kind, faces in found.items())


def _when(clock: Clock) -> tuple[Side, Said]:
    """Whose span it is, and between two spans what part of the turn."""
    return (NOBODY, clock.heading) if clock.is_between else (clock.owner, "")


NOBODY = Side("")


def _in_general(purpose: Said) -> Said:
    """What dice are for, without the unit or the space of a single roll."""
    if not isinstance(purpose, Message):
        return purpose
    parts = tuple(
        (name, part if name == "side" else say(ANY[name]) if name in ANY else "…")
        for name, part in purpose.parts
    )
    return replace(purpose, parts=parts)


ANY = {"unit": marked("any unit"), "fort": marked("any work"), "space": marked("any space")}
"""What stands for the things of single rolls, by the names of their gaps."""


# --- in words -----------------------------------------------------------------------------------


def lines(game: Game, found: Luck, language: Language = ENGLISH) -> Iterator[str]:
    """The attacks as a table with sums, then the dice; in lines of at most a hundred letters."""
    if found.attacks:
        yield words(say("attacks (in brackets the expected number; last the chance of a result at "
                        "least as good)"), language)  # fmt: skip
        heads = (say("entry"), say("attack"), say("won"), say("chance"), say("lost"), say("enemy"),
                 say("as good"))  # fmt: skip
        yield _columns(*(words(each, language) for each in heads))
        yield from (_row(game, each, language) for each in found.attacks)
        yield from (words(each, language) for each in _sums(game, found))
    if found.dice:
        yield words(say("dice"), language)
        for each in found.dice:
            came = say(
                "number {number}, average {average}",
                number=f"{len(each.fallen):4}",
                average=_beside(decimal(each.average, 2), decimal(each.expected, 2)),
            )
            kind = words(_kind(game, each), language)
            *above, kind = to_lines(kind, 60, "  ", "    ", cut=False)
            yield from above
            yield f"{kind:60}  {words(came, language)}"
    if not found.attacks and not found.dice:
        yield words(say("no dice have been rolled yet"), language)


def _columns(
    entry: str, attack: str, won: str, chance: str, lost: str, enemy: str, good: str
) -> str:
    return f"{entry:>5}  {attack[:36]:36} {won:6}{chance:>10}  {lost:>12}  {enemy:>12}  {good}"


def _row(game: Game, each: AttackMade, language: Language) -> str:
    (ours, lost), (enemy, theirs) = each.lost
    won = {ours: say("yes"), enemy: say("no")}.get(each.winner or Side(""), say("draw"))
    return _columns(
        f"{each.entry}", f"{words(_side(game, each.attacker), language)}: {each.chances.where}",
        words(won, language), words(percent(*each.chance), language),
        words(_against(lost, each.expected(ours)), language),
        words(_against(theirs, each.expected(enemy)), language),
        words(percent(each.as_good, each.chances.ways), language),
    )  # fmt: skip


def _side(game: Game, side: Side) -> Message:
    return say(game.opened.system.words.of_side(side))


def _kind(game: Game, each: Thrown) -> Message:
    if each.part:
        return say("{part}: {purpose}", part=each.part, purpose=each.purpose)
    span = say(game.opened.system.words.span)
    return say("{side} {span}, {purpose}", side=_side(game, each.owner), span=span,
               purpose=each.purpose)  # fmt: skip


def _against(came: int, expected: float) -> Message:
    return _beside(came, decimal(expected))


def _beside(came: Part, expected: Part) -> Message:
    return say("{came} ({expected})", came=came, expected=expected)


def _sums(game: Game, found: Luck) -> Iterator[Message]:
    """For each side the attacks it made, and what it lost in all combats."""
    for side in game.opened.system.sides:
        made = [each for each in found.attacks if each.attacker == side]
        wins = sum(each.winner == side for each in made)
        chances = sum(ways / of for ways, of in (each.chance for each in made))
        lost = sum(dict(each.lost)[side] for each in found.attacks)
        expected = sum(each.expected(side) for each in found.attacks)
        yield say("{side}: attacks {attacks}, won {won}; losses in all combats {lost}",
                  side=_side(game, side), attacks=len(made), won=_against(wins, chances),
                  lost=_against(lost, expected))  # fmt: skip


def plain(found: Luck) -> dict[str, Any]:
    """For programs, in English. A chance is a pair: the number of ways that bring it, and of all
    ways.
    """
    return {
        "attacks": [
            {
                "entry": each.entry,
                "where": each.chances.where,
                "attacker": each.attacker,
                "winner": each.winner,
                "chance": list(each.chance),
                "as_good": [each.as_good, each.chances.ways],
                "lost": [
                    {"side": side, "number": lost, "expected": round(each.expected(side), 3)}
                    for side, lost in each.lost
                ],
            }
            for each in found.attacks
        ],
        "dice": [
            {
                "owner": each.owner, "part": words(each.part), "purpose": words(each.purpose),
                "faces": each.faces,
                "count": len(each.fallen), "average": round(each.average, 3),
                "expected": each.expected,
            }
            for each in found.dice
        ],
    }  # fmt: skip
