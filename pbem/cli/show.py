"""pbem show: the board, as far as one side may know it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli import files, report
from pbem.cli.files import StrPath
from pbem.cli.game_file import check_there, load_game
from pbem.cli.languages import language_here
from pbem.cli.report import about
from pbem.cli.request import (
    FLAG,
    KEY,
    NEW_FILE,
    NUMBER,
    TEXT,
    Misused,
    OptionRow,
    Request,
    declared,
)
from pbem.cli.shown import ENTRY, Look, look, shown
from pbem.engine.model import Side
from pbem.gamefile.in_play import has_counters
from pbem.messages import ENGLISH, Language, Said, say, words
from pbem.platforms import quote
from pbem.play import seen
from pbem.play.systems import known_side
from pbem.play.viewpoint import has_two_stories
from pbem.text.wording import shown as shown_safely

if TYPE_CHECKING:
    from pbem.play.game import Game

Form = Callable[[Any, Any, Language], bytes]


@declared(
    "show", "game_file", ("space", OptionRow((), TEXT)), "data", *KEY,
    ("side", OptionRow(("--side",), TEXT,
                       "The side whose view is shown; by default that of the key.")),
    ENTRY,
    ("since", OptionRow(("--since",), NUMBER, "Show what has changed since this entry.")),
    ("digest", OptionRow(("--digest",), FLAG,
                         "List the state to compare it with another board, with a short hash.")),
    ("svg", OptionRow(("--svg",), NEW_FILE, "Draw the board into this file.")),
    ("png", OptionRow(("--png",), NEW_FILE, "The same as a PNG; needs pbem[picture].")),
    ("html", OptionRow(("--html",), NEW_FILE,
                       "Write the whole game up to now as one page for a browser.")),
    "as_json",
)  # fmt: skip
def command(
    request: Request, space: str | None, side: str | None, entry: int | None, since: int | None,
    digest: bool, svg: StrPath | None, png: StrPath | None, html: StrPath | None,
) -> None:  # fmt: skip
    """Show the board: every region with its units, or one SPACE with its neighbours.

    With a key your hand is shown too; the folder's key, if it is locked, is opened for your hand
    only if you name it with --key. Hidden cards of the other side never are. If the dice of your
    next mail have fallen, your key shows the board with them, and a line says so; --entry shows it
    without them.
    Where counters lie face down, a picture or page has your own only if you name your key with
    --key: it is for you alone then.
    A picture with --since has arrows for what moved and fought. The page of --html steps and plays
    through every moment of the game, with the story and each die beside the map; it is one file,
    which needs no network and no pbem.

    --digest lists what both players know: who holds each space, the units in it with their
    strength, works, tracks, hands and decks by number. Its hash is the same for both, so you can
    compare your files by one word, and the lines with a printed board or with one in VASSAL.

    Example: pbem show game.pbem.json madrid --key ana.key
    """
    if space is not None and (svg or png or html or since is not None):
        raise Misused(
            say("--since, --svg, --png and --html are for the whole board: leave SPACE out")
        )
    if html and since is not None:
        raise Misused(say("a page shows every moment of the game: leave --since out"))
    if digest and (space is not None or side or since is not None or svg or png or html):
        raise Misused(
            say(
                "a digest covers the whole board and is the same for both players: combine it with "
                "--entry only"
            )
        )
    is_named = os.path.splitext(str(request.game_file))[1] or os.sep in str(request.game_file)
    if space is not None and not is_named and not os.path.lexists(request.game_file):
        both = quote(f"{request.game_file} {space}")
        raise Misused(
            say(
                "there is no game file {file}; a name of two words goes into quotes: pbem show "
                "{name}",
                file=quote(str(request.game_file)), name=shown_safely(both),
            )
        )  # fmt: skip
    game = load_game(request.game_file, request, whole=since is not None or html is not None)
    if side is not None:
        known_side(game.opened, side)
    check_there(game, since or 0)
    is_public = space is not None and (game.table is None or not has_counters(game.table))
    is_for_others = digest or _is_for_others(game, request, svg, png, html)
    as_seen = Look(None, None) if is_for_others else look(
        game, request, entry, is_public=is_public
    )  # fmt: skip
    key = as_seen.key
    if side is None and as_seen.seat:
        side = game.side_of(as_seen.seat)
    now = shown(game, key, entry)
    at = len(now.fold.journal) - 1
    if since is not None and since >= at:
        raise Misused(say("--since {since} is not before entry {at}", since=since, at=at))
    with about(request.key_file or request.game_file):
        found = seen.seen(now, key, None if side is None else Side(side), since)
    language = language_here()
    if digest:
        _digest(found, request.as_json)
    elif svg or png or html:
        _files(now, found, _forms(svg, png, html), language, request.as_json)
    elif since is not None:
        _changes(found, as_seen.told(now), language, request.as_json)
    else:
        _board(found, space, as_seen.told(now), language, request.as_json)


def _is_for_others(game: Game, request: Request, *files: StrPath | None) -> bool:
    """Whether files are written that anybody may see: what lies face down is drawn only for a key
    that was named, and not for a side that was.
    """
    return any(files) and request.is_key_usual and has_two_stories(game)


def _forms(
    svg: StrPath | None, png: StrPath | None, html: StrPath | None
) -> dict[StrPath | None, Form]:
    """The files to write, and the function for each."""
    from pbem.cli.pictures import as_png, as_svg

    found: dict[StrPath | None, Form] = {svg: as_svg, png: as_png}
    if html:
        from pbem.cli.pages import as_page

        found[html] = as_page
    return found


def _files(game: Any, found: Any, wanted: Mapping[StrPath | None, Form], language: Language,
           as_json: bool) -> None:  # fmt: skip
    """Writes the requested files; all are made before any is written."""
    contents = [(path, form(game, found, language)) for path, form in wanted.items() if path]
    for path, content in contents:
        files.write_new(path, content)
    written = [str(path) for path, _ in contents]
    if as_json:
        report.as_json({**found.head(), "written": written})
    else:
        report.tell(*(say("written: {path}", path=str(path)) for path in written))


def _changes(found: Any, ahead: Sequence[Said], language: Language, as_json: bool) -> None:
    from pbem.render.maps.changes import NOTHING, changes, since

    told = [*changes(found.board, found.before, found.scene,
                     ENGLISH if as_json else language)]  # fmt: skip
    if as_json:
        report.as_json({**found.head(), "since": found.since, "changes": told})
        return
    report.tell(": ".join(words(each, language) for each in (found.title, found.moment)),
               *ahead, words(since(found.since), language),
               *(f"  {line}" for line in told or [words(NOTHING, language)]))  # fmt: skip


def _digest(found: Any, as_json: bool) -> None:
    from pbem.render.maps.digest import digest, hashed

    lines = digest(found.board, found.scene, found.title, found.moment)
    if as_json:
        report.as_json({**found.head(), "lines": lines, "digest": hashed(lines)})
    else:
        report.tell(
            *lines,
            say("digest of these {count} lines: {digest}", count=len(lines), digest=hashed(lines)),
        )


def _board(
    found: Any, space: str | None, ahead: Sequence[Said], language: Language, as_json: bool
) -> None:
    from pbem.cli import screen
    from pbem.play.seen import plain, spot_named
    from pbem.render.maps import text
    from pbem.render.maps.sights import Sights

    spot = None if space is None else spot_named(found, space, language)
    sights = Sights(found.board, found.scene, language)
    if as_json:
        report.as_json(plain(found, spot))
        return
    report.tell(*ahead)
    if spot is None:
        screen.show(text.whole(sights, found.title, found.moment))
    else:
        screen.show(text.close(sights, spot, found.title, found.moment))
