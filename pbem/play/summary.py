"""A turn on one page: what it changed on the board, its losses, the cards played.

All of it comes from the events and positions of the turn, as both players know them, through what a
game can say about any position: its clock, picture, cards and narration.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby, starmap
from typing import Any

from pbem.engine.clock import Clock
from pbem.engine.model import Side
from pbem.engine.picture import Board, Scene, Stroke, Unit, Wear
from pbem.gamefile.journal import MOVES
from pbem.gamefile.journal import Said as Spoken
from pbem.gamefile.keys import KeyPair
from pbem.messages import Message, Row, Said, marked, say
from pbem.play.battles import Battle, Holders, TurnFought, changed_hands, fought
from pbem.play.ending import outcome
from pbem.play.game import Game
from pbem.play.now import at_entry, heading, told_ahead
from pbem.play.owing import what_owes
from pbem.play.player_view import own_cards
from pbem.play.seen import Seen, drawing_of
from pbem.play.table import Table
from pbem.play.titles import is_open, notes, there_are, title
from pbem.play.turns import Happening, Stretch, moves_by_turn, turns
from pbem.play.viewpoint import PUBLIC, Viewpoint, has_two_stories
from pbem.problems import Problem, Refused, UnknownName
from pbem.render.log import NO_ENTRY, Chapter, Line, Log, Paragraph
from pbem.value import value

GROUND, LOSSES, PLAYED = marked("Ground"), marked("Losses"), marked("Played")
ARRIVED, WORDS = marked("Replacements and reinforcements"), marked("Words")
TRACKS, POSITION, HAND = marked("Tracks"), marked("Situation"), marked("Hand")
NEXT = marked("Next")
"""The headings of the page."""


@value
class Fate:
    """Units of a side to which the same happened; `what` says it in a word of the board."""

    side: Side
    what: Said
    units: tuple[Said, ...]


@value
class TurnTold:
    """What a turn has brought, as far as it was played: all that is needed of it for its page."""

    entries: tuple[int, int]
    """The first and the last one of its moves."""
    clock: Clock
    """The clock at its last moment."""
    before: Any
    """The position it began with."""
    after: Any
    """The position it ended with, or the present one."""
    lost: tuple[tuple[Side, Said, Said], ...]
    """Side and name of each unit to which something happened, and what, in that order."""
    played: tuple[tuple[str, Said], ...]
    """The cards or chits that were played, each with its line in the log."""
    strokes: tuple[Stroke, ...]
    """Its moves and fights."""
    fought: TurnFought = TurnFought()
    """Its battles, and what arrived."""
    holders: Holders = ()
    """The spaces that changed hands, each with those that took it, one after the other."""


@value
class Remark:
    """What a player, or the bot for a side, said in a turn, in lines."""

    turn: int
    side: Side
    lines: tuple[str, ...]


@value
class KeptTurns:
    """The turns of the first `entries` of a game that a summary is usually about: the present one,
    and the last one before it (0 is no turn)."""

    entries: int
    finished: TurnTold | None = None
    present: TurnTold | None = None
    said: tuple[Remark, ...] = ()
    """What was said in these two."""


@value
class Summary:
    """A turn with what it changed. `viewer` is the side it is seen from; None: as both know it."""

    game: Game
    turn: TurnTold
    is_finished: bool
    viewer: Side | None
    board: Board
    before: Scene
    after: Scene
    fates: tuple[Fate, ...]
    """What happened to units, including those that came back later in the turn."""
    said: tuple[Remark, ...] = ()

    def gained(self, side: Side) -> tuple[Said, ...]:
        """The names of the spaces that a side holds at the end, and did not at the beginning."""
        return tuple(name for name, _, now in self._changed() if now == side)

    def given_up(self, side: Side) -> tuple[Said, ...]:
        """The names of the spaces that a side held at the beginning, and neither at the end."""
        return tuple(name for name, was, now in self._changed() if was == side and now is None)

    def _changed(self) -> Iterator[tuple[Said, Side | None, Side | None]]:
        for spot in self.board.spots:
            was, now = (
                scene.places[spot.id].control if spot.id in scene.places else None
                for scene in (self.before, self.after)
            )
            if was != now:
                yield spot.in_a_sentence, was, now

    def contested(self) -> Iterator[tuple[Said, tuple[Side | None, ...]]]:
        """The names of the spaces that changed hands more than once, with each that took them."""
        for space, holders in self.turn.holders:
            if len(holders) > 1:
                yield self.name_of(space), holders

    def name_of(self, space: str) -> Said:
        """The name of a space by its id."""
        return next((spot.in_a_sentence for spot in self.board.spots if spot.id == space), space)

    def tracks(self) -> Iterator[tuple[Said, int, int]]:
        """The tracks of the table: name, number before the turn, number now."""
        was = {track.name: track.value for track in self.before.tracks}
        for track in self.after.tracks:
            yield track.name, was.get(track.name, track.value), track.value

    def plain(self) -> dict[str, Any]:
        """For machines."""
        sides = [party.side for party in self.board.parties]
        return {
            "title": str(title(self.game)),
            "ahead": self.game.fold.is_ahead,
            "turn": self.turn.clock.turn,
            "heading": str(self.turn.clock.chapter),
            "finished": self.is_finished,
            "entries": list(self.turn.entries),
            "viewer": self.viewer,
            "gained": {side: list(map(str, self.gained(side))) for side in sides},
            "given_up": {side: list(map(str, self.given_up(side))) for side in sides},
            "losses": [
                {"side": each.side, "what": str(each.what), "units": list(map(str, each.units))}
                for each in self.fates
            ],
            "said": [{"side": each.side, "lines": list(each.lines)} for each in self.said],
            "contested": [
                {"space": str(name), "holders": list(holders)} for name, holders in self.contested()
            ],
            "battles": [
                {"space": each.at, "name": str(self.name_of(each.at)),
                 "told": list(map(str, each.told)), "holder": each.holder,
                 "taken": each.is_taken, "over": each.is_over}
                for each in self.turn.fought.battles
            ],
            "changed": list(map(str, self.turn.fought.changed)),
            "arrived": list(map(str, self.turn.fought.arrived)),
            "played": [{"id": card, "text": str(told)} for card, told in self.turn.played],
            "tracks": [
                {"name": str(name), "before": was, "after": now} for name, was, now in self.tracks()
            ],
            "hand": [each.id for camp in self.after.camps if camp.side == self.viewer
                     for each in camp.hand],
            "to_write": [
                {"side": self.game.side_of(each.by), "owes": each.machine}
                for each in self.game.filed.fold.owed
            ],
        }  # fmt: skip


# --- read from a game ---------------------------------------------------------------------------


def summary(
    game: Game, number: int | None = None, side: Side | None = None, key: KeyPair | None = None
) -> Summary:
    """A turn of a game: by default the last finished one, or the present one if none is finished.

    With `side` it is seen from there, and what is hidden must be known: by its player's key, or to
    all. The game must have all its journals; where no turn and no side is named, the turns kept in
    their place do. Raises UnknownName for a turn that is not there, and Refused where no game has
    begun, or the key is not that of the side.
    """
    if game.table is None:
        raise Refused(
            Problem("not-begun", say("the game has not begun: there is no turn to sum up yet"))
        )
    system = game.opened.system
    board = _board(game)
    turn, is_finished = _usual(game) if number is None else _named(game, number)
    remarks = telling(game).said if number is None else _remarks(game)
    before, after = turn.before, turn.after
    if side is not None:
        cards = _known_to(game, side, key, turn)
        if has_two_stories(game) and cards:
            moves = turns(game)[turn.clock.turn].moves
            turn = _told(game, moves, viewer=Viewpoint(side, cards))
        before, after = (system.hidden.informed(each, cards) for each in (before, after))
    scenes = [system.picture.scene(each, side) for each in (before, after)]
    return Summary(
        game, turn, is_finished, side, board, scenes[0], scenes[1], tuple(_fates(turn.lost, board)),
        tuple(each for each in remarks if each.turn == turn.clock.turn),
    )  # fmt: skip


def telling(game: Game) -> KeptTurns:
    """The turns to be kept: with them in `game.told`, later summaries continue from them."""
    if "turns" not in game.memo:
        kept = game.told if isinstance(game.told, KeptTurns) else KeptTurns(0)
        finished, present, found = kept.finished, kept.present, moves_by_turn(game)
        if present and found and found[0][0].clock.turn == present.clock.turn:
            present = _told(game, found.pop(0), present)
        for moves in found[-2:]:
            finished = present if present and present.clock.turn > 0 else finished
            present = _told(game, moves)
        since = kept.present.clock.turn if kept.present else 0
        kept_turns = [each.clock.turn for each in (finished, present) if each]
        said = (*kept.said, *_remarks(game, since))
        game.memo["turns"] = KeptTurns(
            len(game.fold.entries), finished, present,
            tuple(each for each in said if each.turn in kept_turns),
        )  # fmt: skip
    read: KeptTurns = game.memo["turns"]
    return read


def _remarks(game: Game, turn: int = 0) -> Iterator[Remark]:
    """What was said, as far as the journals go, from a turn on. A take-back unsays nothing."""
    for item in chain.from_iterable(game.fold.journal):
        if isinstance(item, MOVES) and isinstance(item.after, Table):
            turn = item.after.clock.turn
        elif isinstance(item, Spoken):
            yield Remark(turn, game.side_of(item.by), item.lines)


def _usual(game: Game) -> tuple[TurnTold, bool]:
    """The last finished turn, or the present one if none is; and whether it is finished."""
    known = telling(game)
    if known.present is None:
        raise _nothing_happened()
    if game.fold.phase == "over" and known.present.clock.turn > 0:
        return known.present, True
    if known.finished is not None:
        return known.finished, True
    return known.present, game.fold.phase == "over"


def _nothing_happened() -> Refused:
    return Refused(
        Problem(
            "no-turn",
            say("nothing has happened in this game yet"),
            hint=say("pbem status shows what it waits for"),
        )
    )


def _named(game: Game, number: int) -> tuple[TurnTold, bool]:
    """A turn by its number, and whether it is finished."""
    found = turns(game)
    if not found:
        raise _nothing_happened()
    if number not in found:
        raise UnknownName(
            Problem(
                "unknown-turn",
                say("the file has nothing from turn {number}", number=number),
                hint=there_are(tuple(found)),
            )
        )
    return _told(game, found[number].moves), found[number].is_finished


def _board(game: Game) -> Board:
    system = game.opened.system
    return system.picture.board(drawing_of(game))


def _told(
    game: Game, moves: Sequence[Stretch], known: TurnTold | None = None, viewer: Viewpoint = PUBLIC
) -> TurnTold:  # fmt: skip
    """What a turn has brought by its moves, after what is known of the moves before these."""
    first, last = moves[0], moves[-1]
    happenings = [each for move in moves for each in move.happenings]
    strokes = game.opened.system.picture.strokes
    if known is None:
        known = TurnTold((first.entry, 0), first.clock, first.before, first.before, (), (), ())
    battles, holders, lost = _changed(game, known, moves, viewer)
    return TurnTold(
        entries=(known.entries[0], last.entry),
        clock=last.clock,
        before=known.before,
        after=last.after,
        lost=lost,
        played=(*known.played, *_played(game, happenings, viewer)),
        strokes=(*known.strokes, *chain.from_iterable(starmap(strokes, happenings))),
        fought=battles,
        holders=holders,
    )


Lost = tuple[Side, Said, Said]
"""A unit that was lost, or a step of it: its side, where it is now or how it is worn, and which."""


def _changed(
    game: Game, known: TurnTold, moves: Sequence[Stretch], viewer: Viewpoint
) -> tuple[TurnFought, Holders, tuple[Lost, ...]]:
    """The battles and arrivals of a turn, the spaces that changed hands, and the units that were
    lost or reduced, after these moves. Each position is drawn once for all of them.
    """
    system, wear = game.opened.system, _board(game).wear
    scene = system.picture.scene

    def seen(position: Any, public: Scene) -> Scene:
        if viewer == PUBLIC:
            return public
        return scene(viewer.position(system, position), viewer.side)

    battles, holders, lost = known.fought, known.holders, dict.fromkeys(known.lost)
    was = scene(known.after, None)
    had = _units(seen(known.after, was))
    for move in moves:
        now = scene(move.after, None)
        has = _units(seen(move.after, now))
        battles = fought(battles, system, was, move.happenings, now, viewer)
        holders = changed_hands(holders, was, now)
        _lose(lost, had, has, wear)
        was, had = now, has
    return battles, holders, tuple(lost)


def _known_to(game: Game, side: Side, key: KeyPair | None, turn: TurnTold) -> Mapping[str, str]:
    """The hidden cards that the player of a side had in hand at the end of a turn."""
    if game.fold.is_solo or is_open(game) or not game.opened.system.hidden.open_option:
        return {}
    if key is None or game.side_of(game.fold.player_of(key.public)) != side:
        owner = game.opened.system.words.of_side(side)
        raise Refused(
            Problem(
                "not-your-side",
                say("what the {owner} player knows is shown only with their key", owner=say(owner)),
                hint=say("leave --side out for what both players know"),
            )
        )
    return own_cards(at_entry(game, turn.entries[1]), key)


def _lose(
    found: dict[Lost, None],
    had: Mapping[str, tuple[Unit, Said]],
    has: Mapping[str, tuple[Unit, Said]],
    wear: Wear,
) -> None:
    """Adds each unit that was eliminated in a move, put out of the game or reduced, and which of
    it.
    """
    for id, (unit, box) in has.items():
        lost = had[id][0].steps - unit.steps if id in had else 0
        if lost > 0 and not unit.steps:
            found.pop((unit.side, wear.worn, unit.id or unit.words), None)
            found[unit.side, box, unit.id or unit.words] = None
        elif lost > 0 and wear.has_steps:
            found[unit.side, wear.worn, unit.id or unit.words] = None


def _fates(lost: Sequence[tuple[Side, Said, Said]], board: Board) -> Iterator[Fate]:
    """The units to which the same happened together, the reduced ones last."""
    for party in board.parties:
        whats = dict.fromkeys(what for side, what, _ in lost if side == party.side)
        for what in sorted(whats, key=lambda each: each == board.wear.worn):
            units = tuple(id for side, this, id in lost if (side, this) == (party.side, what))
            yield Fate(party.side, what, units)


def _units(scene: Scene) -> dict[str, tuple[Unit, Said]]:
    """Each unit that can be followed, with the box it is in; empty for one on the map."""
    found: dict[str, tuple[Unit, Said]] = {
        each.key: (each, "") for place in scene.places.values() for each in place.units
    }
    for camp in scene.camps:
        for box, units in camp.boxes:
            found.update({each.key: (each, box) for each in units})
    found.pop("", None)
    return found


def _played(
    game: Game, happenings: Iterable[Happening], viewer: Viewpoint
) -> Iterator[tuple[str, Said]]:
    system = game.opened.system
    for event, position in happenings:
        told = None
        for card in system.cardbook.played(event):
            told = told or viewer.told(system, event, position)
            if told is not None:
                yield card, told


# --- as a log -----------------------------------------------------------------------------------


def as_log(found: Summary) -> Log:
    """The page as any renderer of logs can show it."""
    sections: list[tuple[Message, Iterable[Said]]] = [
        (say(GROUND), _ground(found)),
        *((_attack(found, each), _battle(found, each)) for each in found.turn.fought.battles),
        (say(LOSSES), _losses(found)),
        (say(PLAYED), (told for _, told in found.turn.played)),
        (say(ARRIVED), found.turn.fought.arrived),
        (say(TRACKS), _tracks(found)),
        (say(POSITION), found.game.opened.system.narration.summary(found.turn.after)),
        (say(HAND), _hand(found)),
        (say(NEXT), _next(found)),
    ]
    told = [(heading, tuple(map(Line, lines))) for heading, lines in sections]
    told.insert(-1, (say(WORDS), tuple(_words(found))))
    chapter = Chapter(
        found.turn.clock.chapter,
        tuple(Paragraph(heading, NO_ENTRY, "", lines) for heading, lines in told if lines),
    )
    return Log(title(found.game), (chapter,), (*notes(found.game), *_scope(found)))


def _words(found: Summary) -> Iterator[Line]:
    for side, remarks in groupby(found.said, lambda each: each.side):
        lines = chain.from_iterable(each.lines for each in remarks)
        yield Line("\n".join(lines), "say", by=say("{side} player", side=_side(found, side)))


def _scope(found: Summary) -> Iterator[Message]:
    """Which part of the game it covers, and for which viewer."""
    yield from told_ahead(found.game)
    first, last = found.turn.entries
    if found.is_finished:
        yield say("this turn is finished: entries {first} to {last}", first=first, last=last)
    elif first == last:
        yield say("this turn is not finished: entry {last} so far", last=last)
    else:
        yield say("this turn is not finished: entries {first} to {last} so far",
                  first=first, last=last)  # fmt: skip
    if found.viewer is not None:
        yield say("with what only the {side} player knows", side=_side(found, found.viewer))


def _side(found: Summary, side: Side) -> Message:
    return say(found.game.opened.system.words.of_side(side))


def _ground(found: Summary) -> Iterator[Message]:
    for party in found.board.parties:
        side = _side(found, party.side)
        if spaces := found.gained(party.side):
            yield say("{side}: gains {spaces}", side=side, spaces=spaces)
        if spaces := found.given_up(party.side):
            yield say("{side}: gives up {spaces}", side=side, spaces=spaces)
    if not found.board.spots:
        return
    for space, holders in found.contested():
        sides = (_side(found, each) if each else say("nobody") for each in holders)
        yield say("{space} changes hands more than once: {sides}", space=space,
                  sides=Row(tuple(sides)))  # fmt: skip
    if not found.turn.holders:
        yield say("no ground has changed hands")
    yield from found.turn.fought.changed


def _attack(found: Summary, battle: Battle) -> Message:
    return say(battle.named, space=found.name_of(battle.at))


def _battle(found: Summary, battle: Battle) -> Iterator[Message]:
    """The battle as the log tells it, and in the end who holds the ground, where it does not."""
    yield from battle.told
    if battle.is_over and battle.holder is not None and not battle.is_taken:
        yield say("the {side} side holds {space}", side=_side(found, battle.holder),
                  space=found.name_of(battle.at))  # fmt: skip


def _losses(found: Summary) -> Iterator[Message]:
    for each in found.fates:
        yield say("{fate} ({side}): {units}", side=_side(found, each.side), fate=each.what,
                  units=each.units)  # fmt: skip
    if found.board.spots and not found.fates:
        yield say("no unit was lost or reduced")


def _tracks(found: Summary) -> Iterator[Message]:
    for name, was, now in found.tracks():
        if was == now:
            yield say("{track}: {now}, unchanged", track=name, now=now)
        else:
            yield say("{track}: {was}, now {now}", track=name, was=was, now=now)


def _hand(found: Summary) -> Iterator[Message]:
    for camp in found.after.camps:
        if camp.side == found.viewer:
            for each in camp.hand:
                yield say("{title} ({id})", title=each.title, id=each.id)


def _next(found: Summary) -> Iterator[Message]:
    """Where the game is now, and who writes next."""
    game, table = found.game, found.game.table
    assert table is not None
    if game.fold.result is not None:
        yield say("the game is over: {outcome}", outcome=outcome(game))
    else:
        yield say("now: {moment}", moment=table.clock.words)
    for player in game.seats:
        owed = what_owes(game, player)
        if owed.items:
            yield say("to write: {side}: {owed}", side=game.side_told(player), owed=owed)


# --- as pictures --------------------------------------------------------------------------------


def pictured(found: Summary) -> tuple[tuple[Message, Seen], ...]:
    """The board before the turn, and after it with arrows for its moves and fights, each with what
    it is. Only for a game that has a board to be seen."""
    system, plain = found.game.opened.system, drawing_of(found.game)

    def seen(moment: Said, heading: Said, scene: Scene, **more: Any) -> Seen:
        return Seen(
            entry=found.turn.entries[1], title=title(found.game), moment=moment, heading=heading,
            viewer=found.viewer, board=found.board, scene=scene, drawing=plain,
            picture=system.picture, **more,
        )  # fmt: skip

    then, now = (system.clock(each).words for each in (found.turn.before, found.turn.after))
    here = now if found.is_finished else heading(found.game, now)
    return (
        (say("before the turn"), seen(then, then, found.before)),
        (say("after the turn") if found.is_finished else say("now"),
         seen(now, here, found.after, before=found.before, strokes=found.turn.strokes)),
    )  # fmt: skip
