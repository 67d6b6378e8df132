"""The text of a mail with a game file: what happened, whose move it is, what is owed."""

from __future__ import annotations

import gzip
from collections.abc import Iterator, Sequence
from datetime import datetime
from email.headerregistry import Address

from pbem.gamefile.chain import Entry
from pbem.mail.eml import Letter
from pbem.messages import ENGLISH, Language, Message, Said, say, sentence, words
from pbem.play.ending import outcome
from pbem.play.fingerprint import in_words
from pbem.play.game import Game
from pbem.play.owing import what_owes
from pbem.play.story import KeptStory, story
from pbem.play.story import telling as story_from
from pbem.play.terms import in_short, terms, to_accept
from pbem.play.titles import notes, title
from pbem.render.formats import rendered
from pbem.words import to_lines, visible

PLAIN_LIMIT = 100_000
"""A larger game file is packed."""
WIDTH = 72
"""The columns of a mail's text: many programs break longer lines, and so does who quotes them."""
LONGEST_BLOCK = 20_000
"""A longer block is left out of the text: the attachment has the game, and a mail must not drown
in it.
"""


def letter(
    game: Game, name: str, *, block: str = "", to: Address | None = None,
    date: datetime | None = None, sender: Address | None = None, picture: bytes = b"",
    language: Language = ENGLISH,
) -> Letter:  # fmt: skip
    """The mail of a game; `name` is the file's name, `block` an armour to put below the text,
    unless it is longer than it should be; `picture` a PNG.

    It is written in the language of its sender. The game must have the journals of its newest
    entries, or their kept story.
    """
    content = game.bytes()
    if len(content) > PLAIN_LIMIT:
        name, content = f"{name}.gz", gzip.compress(content, 9, mtime=0)
    below = f"\n{block}" if block and len(block) <= LONGEST_BLOCK else ""
    text = f"{_body(game, name, language)}{below}"
    return Letter(words(subject(game)), text, name, content, to, date, sender, picture,
                  thread(game))  # fmt: skip


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


def subject(game: Game) -> Message:
    """The game, in the same words in all of its mails: the big webmails make a thread of these.

    Both players write them, each in their own language, so it has only what needs none: the title
    of the game as printed, without the scenario.
    """
    return say("[pbem] {title} ({game})", title=game.opened.system.title, game=_short(game))


def thread(game: Game) -> str:
    """The id that the mails of a game answer. It names the proposal, with which all begin."""
    return f"{_short(game)}.{game.fold.entries[0].id[8:32]}@pbem.invalid"


def _short(game: Game) -> str:
    """The digits by which the files of a game are named, too."""
    return game.fold.entries[0].id[:8]


def _news(game: Game) -> Message:
    """Turn, entry, and who must write: what a reader wants to know first."""
    entry = len(game.fold.entries) - 1
    turn = game.table.clock.turn if game.table is not None else 0
    if not turn:
        return say("Entry {entry}: {whose}.", entry=entry, whose=_whose(game))
    return say("Turn {turn}, entry {entry}: {whose}.", turn=turn, entry=entry, whose=_whose(game))


def _whose(game: Game) -> Message:
    pen = game.fold.pen
    if game.fold.phase == "over":
        return say("the game is over")
    return (
        say("{side} to write", side=game.side_told(pen))
        if pen
        else say("neither player has to write")
    )


def _body(game: Game, name: str, language: Language) -> str:
    told = "\n".join(_story(game, language))
    # Nothing that was said can pass for an armour below.
    told = told.replace("-----BEGIN", "- - -BEGIN").replace("-----END", "- - -END")
    lines = (
        "",
        *_owed(game),
        "",
        *_which(game, language),
        say("The game file is attached: {name}", name=name),
        say("Save this message, or only the attachment, and: pbem turn FILE"),
    )
    below = [line for each in lines for line in _lines(each, language)]
    return "\n".join((*_lines(_news(game), language), "", told, *below, ""))


def _lines(said: Said, language: Language) -> list[str]:
    """A sentence in lines of a mail, with its indent. Names of files stay whole."""
    text = visible(words(said, language))
    indent = " " * (len(text) - len(text.lstrip(" ")))
    return to_lines(text.strip(" "), WIDTH, indent, indent, cut=False) or [""]


WHAT_IT_IS = say(
    "This mail is for pbem, a referee for two people who play a board wargame by e-mail: it checks "
    "every order and rolls dice that neither of you can choose."
)
WHERE_IT_IS = say(
    "You need Python 3.11 or newer and the file of pbem, whose name ends with .whl: whoever wrote "
    "this mail can send it to you, and 'pipx install' with the name of that file installs it."
)


def _story(game: Game, language: Language) -> Iterator[str]:
    """What happened since the mail before; of a game that has not begun, its terms."""
    log = story(game, newest(game)[0].seq)
    is_proposed = game.fold.phase == "proposed"
    head = (title(game), *notes(game, beside_terms=is_proposed))
    if is_proposed:
        head = (WHAT_IT_IS, WHERE_IT_IS, "", *head, *terms(game), *to_accept(game, "FILE"))
    elif game.fold.phase == "accepted":
        head = (*head, in_short(game))
    elif log.chapters:
        yield rendered(log, "text", language, WIDTH).rstrip("\n")
        return
    for line in head:
        yield from _lines(line, language)


def _which(game: Game, language: Language) -> list[Said]:
    """The game's fingerprint, in digits and in words, for comparing it by other means than mail."""
    last = len(game.fold.entries) - 1
    if game.fold.game is None:
        return [say("A proposal: entry {entry} of a game that has not begun.", entry=last)]
    return [
        say("Game {fingerprint}, entry {entry}.", fingerprint=game.fold.fingerprint, entry=last),
        *(sentence(each, language) for each in in_words(game)),
    ]


def _owed(game: Game) -> list[Said]:
    """What is to be written, and by whom."""
    if game.fold.phase == "over":
        return [say("The game is over: {outcome}.", outcome=outcome(game))]
    owed = {player: what_owes(game, player) for player in game.seats}
    found: list[Said] = [
        say("To write: {side}: {owed}.", side=game.side_told(player), owed=what)
        for player, what in owed.items()
        if what.items
    ]
    return found or [say("{whose}.", whose=_whose(game))]
