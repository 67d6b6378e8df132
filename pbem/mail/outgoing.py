"""The text of a mail with a game file: what happened, whose move it is, what is owed."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from datetime import datetime
from email.headerregistry import Address

from pbem.gamefile.chain import Entry
from pbem.gamefile.fingerprint_words import game_words
from pbem.mail.eml import Letter
from pbem.play.ending import outcome
from pbem.play.game import Game
from pbem.play.owing import what_owes
from pbem.play.story import KeptStory, story
from pbem.play.story import telling as story_from
from pbem.play.terms import in_short, terms, to_accept
from pbem.play.titles import notes, title
from pbem.render.formats import rendered
from pbem.render.safe import visible

PLAIN_LIMIT = 100_000
"""A larger game file is packed."""


def letter(
    game: Game, name: str, *, block: str = "", to: Address | None = None,
    date: datetime | None = None, sender: Address | None = None, picture: bytes = b"",
) -> Letter:  # fmt: skip
    """The mail of a game; `name` is the file's name, `block` an armour to put below the text,
    `picture` a PNG.

    The game must have the journals of its newest entries, or their kept story.
    """
    content = game.bytes()
    if len(content) > PLAIN_LIMIT:
        name, content = f"{name}.gz", gzip.compress(content, 9, mtime=0)
    below = f"\n{block}" if block else ""
    text = f"{_body(game, name)}{below}"
    return Letter(subject(game), text, name, content, to, date, sender, picture)


def telling(game: Game) -> KeptStory:
    """What a mail of this game says about entries, which a later mail may repeat."""
    return story_from(game, newest(game)[0].seq)


def newest(game: Game, after: int | None = None) -> Sequence[Entry]:
    """The entries after a given one; without one, those the author of the last entry wrote in a
    row.
    """
    entries = game.fold.entries
    if after is None:
        last = entries[-1]
        others = (entry.seq for entry in entries if entry.by != last.by)
        after = last.seq - 1 if game.fold.is_solo else max(others, default=-1)
    return entries[after + 1 :]


def subject(game: Game) -> str:
    """Game, turn, entry, and who must write."""
    found = [f"[pbem] {title(game)}"]
    if game.table is not None:
        found.append(f"turn {game.table.clock.turn}")
    found.append(f"entry {len(game.fold.entries) - 1}")
    return f"{', '.join(found)}: {_whose(game)}"


def _whose(game: Game) -> str:
    pen = game.fold.pen
    if game.fold.phase == "over":
        return "the game is over"
    return f"{game.side_told(pen)} to write" if pen else "nobody has to write"


def _body(game: Game, name: str) -> str:
    first = newest(game)[0].seq
    log = story(game, first)
    told = (
        rendered(log).rstrip("\n")
        if log.chapters
        else "\n".join(map(str, (title(game), *notes(game))))
    )
    if game.fold.phase in ("proposed", "accepted"):
        is_new = game.fold.phase == "proposed"
        bound = (*terms(game), *to_accept(game, "FILE")) if is_new else (in_short(game),)
        told = "\n".join(map(visible, map(str, (title(game), *notes(game), *bound))))
    lines = [
        # Nothing that was said can pass for an armour below.
        told.replace("-----BEGIN", "- - -BEGIN").replace("-----END", "- - -END"),
        "",
        *_owed(game),
        "",
        *_which(game),
        f"The game file is attached: {name}",
        "Save the attachment, or this whole message, and: pbem read FILE -o game.pbem.json",
        "",
    ]  # fmt: skip
    return "\n".join(lines)


def _which(game: Game) -> list[str]:
    """The game's fingerprint, in digits and in words, for comparing it by other means than mail."""
    last = len(game.fold.entries) - 1
    if game.fold.game is None:
        return [f"A proposal: entry {last} of a game that has not begun."]
    return [
        f"Game {game.fold.fingerprint}, entry {last}.",
        f"In words: {game_words(game.fold.game)}.",
    ]


def _owed(game: Game) -> list[str]:
    """Whose move it is, and what each side owes."""
    if game.fold.phase == "over":
        return [f"The game is over: {outcome(game)}."]
    found = [f"{_whose(game)}."]
    for player in game.seats:
        side = game.side_told(player)
        found.append(f"The {side} player owes: {what_owes(game, player) or 'nothing'}.")
    return found
