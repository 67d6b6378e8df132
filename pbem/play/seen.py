"""What a player sees of a game's table at one moment: board and scene, with words for both."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

from pbem.engine.codec import to_written
from pbem.engine.model import Side
from pbem.engine.picture import (
    Board,
    Drawing,
    Picture,
    Scene,
    Sheet,
    Spot,
    Stroke,
)
from pbem.gamedata.load import drawing
from pbem.gamefile.draft import ANSWER_MEMBER
from pbem.gamefile.in_play import verb_of
from pbem.gamefile.journal import MOVES, Began, JournalLine, TakenBack
from pbem.games.system import GameSystem
from pbem.late import Late
from pbem.messages import ENGLISH, Either, Language, Said, in_words, say, words
from pbem.play.game import Game
from pbem.play.now import at_entry, heading
from pbem.play.player_view import player_view
from pbem.play.titles import title
from pbem.play.viewpoint import PUBLIC, Viewpoint, viewpoint
from pbem.problems import Problem, Refused, UnknownName
from pbem.text.wording import NEAR, quoted
from pbem.value import value
from pbem.words import closest, folded

if TYPE_CHECKING:
    from pbem.gamefile.keys import KeyPair
    from pbem.orders.unknown import own_words
else:
    own_words = Late("pbem.orders.unknown").own_words  # most names are known


@value
class Seen:
    """The table as it is shown: `viewer` is the side that sees it, None for everyone."""

    entry: int
    title: Said
    moment: Said
    """For example "Turn 3, October 1936 (War of the Columns), Nationalist round 2"."""
    heading: Said
    """The moment above a picture or page: it says where that shows more than the file."""
    viewer: Side | None
    board: Board
    scene: Scene
    drawing: Drawing
    picture: Picture
    is_ahead: bool = False
    """Whether it shows what the next entry brings, too."""
    since: int | None = None
    before: Scene | None = None
    """The scene after entry `since`, with the moves and fights from then on."""
    strokes: tuple[Stroke, ...] = ()
    viewpoint: Viewpoint = PUBLIC
    """Who reads the story."""

    @property
    def sheet(self) -> Sheet:
        """Where everything is drawn."""
        return self.picture.sheet(self.drawing)

    def head(self) -> dict[str, Any]:
        """What it is, for machines."""
        return {"title": str(self.title), "entry": self.entry, "ahead": self.is_ahead,
                "moment": str(self.moment), "viewer": self.viewer}  # fmt: skip


def seen(game: Game, key: KeyPair | None, side: Side | None, since: int | None = None) -> Seen:
    """A game seen from a side (None: the side of the key, or what everybody sees), and since an
    entry.

    Hidden things are shown only to the owner of the key, and only from their own side. With `since`
    the game must have the journals of all its entries. Raises Refused where the game had not begun,
    and where it has no picture.
    """
    player = game.fold.player_of(key.public) if key else None
    own = game.side_of(player) if player else None
    viewer = side or own

    def position_of(game: Game) -> Any:
        if game.table is None:
            last = len(game.fold.entries) - 1
            what = say("the game has not begun at entry {last}: there is no board yet", last=last)
            raise Refused(Problem("not-begun", what))
        table = player_view(game, key).table if viewer == own else game.table
        return table.state.position

    system, position = game.opened.system, position_of(game)
    plain = drawing_of(game)
    board = system.picture.board(plain)
    if not board.spots:
        raise Refused(no_picture(system))
    before = None if since is None else position_of(at_entry(game, since))
    clock = system.clock(position)
    return Seen(
        entry=len(game.fold.entries) - 1,
        title=title(game),
        moment=clock.words,
        heading=heading(game, clock.words),
        viewer=viewer,
        board=board,
        scene=system.picture.scene(position, viewer),
        drawing=plain,
        picture=system.picture,
        is_ahead=game.fold.is_ahead,
        since=since,
        before=None if before is None else system.picture.scene(before, viewer),
        strokes=() if since is None else strokes_since(game, since),
        viewpoint=viewpoint(game, key) if viewer == own else PUBLIC,
    )


def drawing_of(game: Game) -> Drawing:
    """What the map of a game is drawn from."""
    return drawing(game.opened.system.slug, game.fold.proposal["scenario"])


def no_picture(system: GameSystem) -> Problem:
    """The problem of a game without a picture."""
    return Problem(
        "no-picture",
        say("{system} has no board to show in this version of pbem", system=system.title),
        hint=say("pbem status shows where the game stands"),
    )


def strokes_since(game: Game, since: int) -> tuple[Stroke, ...]:
    """The moves and fights after an entry, except those undone by a take-back.

    A fight is shown whole: with its result come its arrows, though it was ordered before.
    """
    found: list[tuple[int, Stroke]] = []
    for entry, item, again, new in stroked(game):
        if isinstance(item, TakenBack):
            found = [each for each in found if each[0] <= item.to]
        elif entry > since:
            there = {stroke for _, stroke in found}
            found += [(entry, stroke) for stroke in again if stroke not in there]
            found += [(entry, stroke) for stroke in new]
    return tuple(stroke for _, stroke in found)


Stroked = tuple[int, JournalLine, tuple[Stroke, ...], tuple[Stroke, ...]]
"""A line of the journals with its entry, the arrows of the attacks whose results it has, and the
moves and fights in it."""


def stroked(game: Game) -> Iterator[Stroked]:
    """Every line of the journals with its moves and fights. The dice of an attack may be rolled
    entries after it: its arrows come again with the result.
    """
    attacks: dict[str, list[Stroke]] = {}
    for entry, journal in enumerate(game.fold.journal):
        for item in journal:
            if isinstance(item, TakenBack):  # no fight is open where a game can go back to
                attacks = {}
            again, new = list[Stroke](), tuple(_strokes(game, item))
            for stroke in new:
                target = stroke.path[-1]
                if stroke.kind == "attack":
                    attacks.setdefault(target, []).append(stroke)
                elif stroke.kind == "result":
                    again += attacks.pop(target, ())
            yield entry, item, tuple(again), new


def _strokes(game: Game, item: JournalLine) -> Iterator[Stroke]:
    """The moves and fights in a line of the journal."""
    if isinstance(item, MOVES):
        told: Any = item.after
        for event, position in zip(told.told.events, told.told.positions, strict=True):
            yield from game.opened.system.picture.strokes(event, position)


def last_led(game: Game, player: str | None) -> int | None:
    """The entry of a player's last decision of their own, before the last entry of the file; None
    where there is none.

    What they only answered, in the middle of a fight, is none: they have not seen its end then.
    """
    verbs = game.opened.system.verbs
    for entry in reversed(game.fold.entries[:-1]):
        for step in entry.steps if entry.by == player else ():
            for order in step.get(ANSWER_MEMBER.get(step["do"], ""), ()):
                if verbs[verb_of(order)].role == "lead":
                    return entry.seq
    return None


def table_after(game: Game, entry: int) -> Any:
    """The table after an entry as both players know it; the game must have all its journals."""
    journals = game.fold.journal
    for journal in reversed(journals[: entry + 1]):
        for item in reversed(journal):
            if getattr(item, "after", None) is not None:
                return item.after  # type: ignore[union-attr]
    behind = chain.from_iterable(journals[entry + 1 :])
    first = (item.before for item in behind if getattr(item, "before", None) is not None)  # type: ignore[union-attr]
    return next(first, game.table)


def has_begun_by(game: Game, entry: int) -> bool:
    """Whether the board was set up when an entry was written; the game must have been read
    whole.
    """
    lines = (line for journal in game.fold.journal[: entry + 1] for line in journal)
    return any(isinstance(line, Began) and line.kind == "start" for line in lines)


def spot_named(found: Seen, written: str, language: Language = ENGLISH) -> Spot:
    """The space with this id, or with this name in a language. Raises UnknownName.

    Where a name begins with the id, the rest of it is enough.
    """
    spots = {
        spot: words(spot.name, language).removeprefix(f"{spot.id} ")
        for spot in found.board.spots
        if spot.id in found.scene.places
    }
    wanted, forms = folded(written), dict[str, str]()
    for spot, name in spots.items():
        known = spot.id, name, f"{spot.id} {name}"
        if written == spot.id or (wanted and wanted in map(folded, known)):
            return spot
        whole = name if folded(name) == folded(spot.id) else f"{name} ({spot.id})"
        forms |= dict.fromkeys(known, whole)
    near = tuple(dict.fromkeys(forms[each] for each in closest(written, forms)))
    if not near:
        of_one = own_words(dict(forms))
        near = tuple(dict.fromkeys(of_one[word] for word in closest(written, of_one)))
    kind = found.board.space
    raise UnknownName(
        Problem(
            f"unknown-{kind}",
            say("no {kind} on the map is named {written}", kind=say(kind), written=quoted(written)),
            hint=say(NEAR, near=Either(near))
            if near
            else (_of_a_unit(found, written) or _for_example(spots)),
        )
    )


def _of_a_unit(found: Seen, written: str) -> Said:
    """Where a unit stands that is named in place of a space; nothing for what this view sees
    nowhere.
    """
    for spot in found.board.spots:
        place = found.scene.places.get(spot.id)
        if place and written in [unit.id for unit in place.units if unit.id]:
            return say("{unit} is a unit; pbem show GAME {space} shows where it stands",
                       unit=written, space=spot.id)  # fmt: skip
    return ""


def _for_example(spots: Mapping[Spot, str]) -> Said:
    """How a space may be written: by its id, or by its name if any has one."""
    for spot, name in spots.items():
        if folded(name) != folded(spot.id):
            return say("for example {id} or {name}", id=spot.id, name=name)
    return say("for example {id}", id=next(iter(spots)).id)


def plain(found: Seen, spot: Spot | None) -> dict[str, Any]:
    """The scene for machines; of one space alone, with the ids of those next to it."""
    scene, links = in_words(found.scene), found.board.links
    if spot is None:
        return {**found.head(), "scene": to_written(scene)}
    pairs = [(link.a, link.b) for link in links if spot.id in (link.a, link.b)]
    near = sorted({*sum(pairs, ())} & set(scene.places) - {spot.id})
    place = to_written(scene.places[spot.id])
    return {**found.head(), "space": spot.id, "name": words(spot.name), **place, "next_to": near}
