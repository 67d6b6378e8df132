"""What `pbem apply` does: the main job. Nothing here needs click (see fast_path.py)."""

from __future__ import annotations

import os
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from pbem.cli import files, opponents, replay_cache, report
from pbem.cli.files import StrPath
from pbem.cli.game_file import keep_data, load_game, name_here
from pbem.cli.keyfiles import load_key, spare_key
from pbem.cli.languages import language_of_problems
from pbem.cli.opponents import NOBODY, Met
from pbem.cli.orders_files import read_source, standing_beside, standing_path
from pbem.cli.report import about
from pbem.cli.request import NEEDS_KEY, Misused, Request
from pbem.cli.seats import key_words, player_with, told_key
from pbem.cli.settings import time_to_write
from pbem.cli.signing import one_at_a_time, recorded, signed
from pbem.late import Late
from pbem.messages import Message, Said, say, words
from pbem.platforms import quote
from pbem.play.answer import answer
from pbem.play.next_steps import next_lines
from pbem.play.viewpoint import viewpoint
from pbem.problems import Problem, Refused, Span
from pbem.value import replace, value

if TYPE_CHECKING:
    from pbem.cli import meant
    from pbem.gamefile.keys import KeyPair
    from pbem.play.answer import AnsweredGame
    from pbem.play.game import Game
    from pbem.text.source import Source
else:  # which only a player has use for who has a deputy
    meant = Late("pbem.cli.meant")


@value
class Replied:
    """The game before and after an entry was signed and written, and notes for its author, whose
    key signed it.
    """

    before: Game
    after: Game
    player: str | None
    path: StrPath
    notes: tuple[Said, ...]
    met: Met = NOBODY
    key: KeyPair | None = None


def reply(
    request: Request, key: KeyPair | None = None, *, goes_on: bool = False,
    game: Game | None = None, accepts_end: bool = False, noted: Collection[Said] = (),
) -> Replied:  # fmt: skip
    """Does what `replied` does, and reports it.

    `goes_on`: the caller has shown the terms of a proposal, and does the next step with the file.
    `noted` are notes that its author has been told before they signed.
    """
    made = replied(request, key, game=game, told=goes_on, accepts_end=accepts_end)
    then = () if goes_on else what_now(made.after, made.player, request)
    notes = tuple(each for each in made.notes if each not in noted)
    tell(made.before, made.after, made.player, made.path, request, notes=notes,
         what_now=then, met=made.met, terms_known=goes_on, key=made.key)  # fmt: skip
    return made


def replied(
    request: Request, key: KeyPair | None = None, orders: Source | None = None,
    game: Game | None = None, *, told: bool = True, accepts_end: bool = False,
) -> Replied:  # fmt: skip
    """Answers what is owed, carries out the orders, writes the next game file.

    `key`, `orders` and `game`: those that the request names, if they were read already. Unless the
    standing orders next to the game were `told` already, they are told before they are signed.
    `accepts_end` is as for `answer`.
    Raises Refused, and Misused.
    """
    game_file, key_file = request.game_file, request.key_file
    game = game or load_game(game_file, request)
    key = key or _key(game, request)
    passed: tuple[Said, ...] = ()
    if key is not None and request.pass_over:
        from pbem.cli.passing import passed_over

        with about(game_file):
            game, passed = passed_over(game, key, request)
    with about(key_file or game_file):
        player = player_with(game, key, request, passes_over=True)
    with about(game_file):
        accepts = game.fold.phase == "proposed" and player == "B"
        met = opponents.introduced(game, player, request.opponent, accepts=accepts)
    signs = told_key(key_file, key) if accepts and not told else ()
    if request.orders_file:
        orders = read_source(request.orders_file)
    standing = standing_beside(game_file, game)
    has_bot = game.fold.bot is not None
    if request.bot or has_bot:
        from pbem.play import practice  # which few games need
    if request.bot:
        orders = practice.written(game, key, language_of_problems(), with_standing=standing is None)

    warned: Said = ""
    if not told and game.fold.machine.keys.deputies:
        warned = meant.taking_over(game, key, player)
    if standing is not None and not told and not request.as_json:
        with about(game_file):
            _agree_on_standing(game, key, player, orders, request)

    def answered() -> AnsweredGame:
        made = warned_of(answer(game, key, orders, fresh=os.urandom(16), spare=spare_key(request),
                      standing=standing, time=None if key is None else time_to_write(game),
                      accepts_end=accepts_end))  # fmt: skip
        return (
            replace(made, game=practice.replied(made.game, language_of_problems()))
            if has_bot
            else made
        )

    def warned_of(made: AnsweredGame) -> AnsweredGame:
        return meant.before_the_deputy(warned, made, request) if warned else made

    with one_at_a_time(game, request):
        made = signed(game, player, answered, request, evidence=True, once_more=orders is None)
        path = put(made.game, player, request)
    if accepts and key_file is not None:
        from pbem.cli import own_name  # which one mail of a game needs

        own_name.ask_for_one(key_file, request)
    notes = (*passed, *signs, *met.notes, *made.notes)
    return Replied(game, made.game, player, path, notes, met, key)


def _agree_on_standing(
    game: Game, key: KeyPair | None, player: str | None, orders: Source | None, request: Request
) -> None:
    """Tells the standing orders that are sealed with an entry, and asks before the first of them in
    a game, where somebody can be asked: the file may be there for another game, or came with one.
    """
    from pbem.cli import choices, told_orders  # which few who apply have use for

    lines = told_orders.standing_told(game, key, orders, request.game_file)
    report.tell(*lines)
    is_first = player is not None and not any(game.fold.machine.in_force(player))
    if not (lines and is_first and choices.is_attended()):
        return
    if not choices.agreed(say("Seal these standing orders?"), default=True):
        raise Refused(
            Problem(
                "not-agreed",
                say("nothing was signed: these standing orders would be sealed with it"),
                Span(standing_path(request.game_file), 0, 0),
                hint=say('move the file away, or name its game in it: game: "{game}" is this one',
                         game=game.fold.fingerprint),
            )
        )  # fmt: skip


def put(after: Game, player: str | None, request: Request) -> StrPath:
    """Records what was signed and writes its file, under the lock; returns the path.

    Raises Refused, with nothing recorded, if the file or the record cannot be written.
    """
    path, content = request.output or name_here(after), after.bytes()
    with files.staged(path, content):
        recorded(after, player, path, request)
    replay_cache.keep(content, after)
    return path


def tell(
    before: Game, after: Game, player: str | None, path: StrPath, request: Request, *,
    notes: Sequence[Said] = (), what_now: Sequence[Message] | None = None, met: Met = NOBODY,
    terms_known: bool = False, key: KeyPair | None = None,
) -> None:  # fmt: skip
    """Reports to the owner of the key, if any, what happened in the game written to `path`, and
    what to do next.

    In `what_now` the gap `file` is the file, and `word` the file as a word of a command; without
    it, the file is to be sent to the opponent. The key of an opponent `met` for the first time is
    kept now.
    """
    from pbem.play.story import story

    keep(after, met, request)
    if not request.as_json:
        report.tell(*_agreed_now(before, player, terms_known=terms_known))
    # A fault here undoes nothing.
    told = story(after, len(before.fold.entries), viewer=viewpoint(after, key))
    if request.as_json:
        plain = _plain(after, path, told, notes, key)
        report.as_json({**plain, "opponent": list(met.notes)})
        return
    report.tell(*happened(after, player, path, told, notes))
    for line in pass_on(after, player) if what_now is None else what_now:
        named = (("file", str(path)), ("word", quote(os.fspath(path))))
        report.tell(replace(line, parts=(*line.parts, *named)))


def keep(after: Game, met: Met, request: Request) -> None:
    """Keeps what came with the game: an owner's data, the key of a new opponent."""
    keep_data(after.opened, request)
    opponents.keep(met.keep)


def happened(
    after: Game, player: str | None, path: StrPath, told: Any, notes: Sequence[Said]
) -> list[str]:
    """The story of what was written, notes, who writes next, and the file."""
    from pbem.render.formats import rendered

    language = language_of_problems()
    text = rendered(told, "text", language).rstrip("\n").split("\n") if told.chapters else []
    found = [*text, *(words(say("note: {note}", note=each), language) for each in notes)]
    after_that = (*next_lines(after, player), say("written: {path}", path=str(path)))
    return [*found, *(words(line, language) for line in after_that)]


def _agreed_now(before: Game, player: str | None, *, terms_known: bool) -> list[Said]:
    """The terms accepted with the entry just written, or begun with it.

    The player who begins a game has proposed it, and knows its terms.
    """
    if before.fold.phase not in ("proposed", "accepted"):
        return []
    from pbem.play.terms import terms
    from pbem.play.titles import title

    if before.fold.phase == "accepted":
        return [say("you begin this game: {title}", title=title(before))]
    told = [] if terms_known else terms(before)
    return [say("you accept this game: {title}", title=title(before)), *told]


def pass_on(game: Game, player: str | None) -> list[Message]:
    """What to do with a file that the other player waits for; the gaps as in `tell`."""
    other = next(seat for seat in game.seats if seat != player)
    return [
        say(
            "now send {file} to your opponent, {player}: pbem mail {word} writes the message",
            player=game.called(other),
        )
    ]


def _key(game: Any, request: Request) -> Any:
    if game.fold.is_solo:
        return None
    if request.key_file is None:
        raise Misused(NEEDS_KEY)
    return load_key(request.key_file, request)


def what_now(game: Game, player: str | None, request: Request) -> list[Message]:
    """What the player does next with the file that was written."""
    fold = game.fold
    if fold.is_solo:
        return []
    if fold.phase != "over" and fold.pen == player:
        key = key_words(request)
        return [say("it is still your turn: pbem form {word}{key} writes what to fill in", key=key)]
    return pass_on(game, player)


def _plain(
    game: Game, path: StrPath, told: Any, notes: Sequence[Said], key: KeyPair | None
) -> dict[str, Any]:
    import json

    from pbem.cli.status import kept, plain
    from pbem.render.formats import rendered

    return {
        "file": str(path),
        "entries": len(game.fold.entries),
        "notes": list(notes),
        "status": {**plain(game, None), **kept(game, key)},
        "log": json.loads(rendered(told, "json")),
    }
