"""pbem rotate: replaces a key by a new one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from pbem.cli import files, kinds, meant, new_secrets, report
from pbem.cli.files import StrPath
from pbem.cli.keyfiles import load_key
from pbem.cli.options import GAME, takes
from pbem.cli.passing import passed_over
from pbem.cli.reply import pass_on, tell
from pbem.cli.report import about
from pbem.cli.request import SIGNING, Misused, Request
from pbem.cli.sending import game_for_two, signed_beside
from pbem.gamefile.deputies import changes_no_keys, present, seat
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import other
from pbem.messages import Message, Said, say
from pbem.platforms import quote
from pbem.play.answer import AnsweredGame, not_on_own_note
from pbem.problems import Problem, Refused, Span

REQUEST_LIMIT = 4096


@click.command("rotate")
@takes(
    "game_file",
    click.option("--to", "new_file", type=GAME,
                 help="The new private key (pbem keygen makes one)."),
    click.option("--ask", is_flag=True, help="Your key is lost: write a request to your opponent."),
    click.option("--for", "asked", type=GAME, help="Your opponent's request: name their new key."),
    click.option("--on-my-word", is_flag=True, help="With --for: you know what it may cost."),
    click.option("--renew", is_flag=True,
                 help="With --for: offer them new secrets, too (pbem offer)."),
    click.option("--yes", is_flag=True,
                 help="Sign without asking, although the deputy you have may have written."),
    *SIGNING,
)  # fmt: skip
def command(
    request: Request, new_file: Path | None, ask: bool, asked: Path | None, renew: bool,
    on_my_word: bool, yes: bool,
) -> None:  # fmt: skip
    """Replace your key with a new one, in an entry of its own, in your turn or beside it.

    The entry is signed with the old key, or with the spare key named at the beginning. From then on
    every command takes the new key to sign and the first one for the secrets: --key NEW --secrets
    OLD.

    If the key is lost and there is no spare, --ask writes a request with the new key. Your opponent
    answers it with --for, once they have heard your voice. This works only while the player with
    the lost key must write next, and it rests on the opponent's word alone: they are told first
    what that may cost, and sign with --on-my-word. If no copy of the lost key is left, --renew also
    offers new secrets; pbem offer --help tells what that costs.

    In your turn the new key counts at once. Beside the turn it counts once your opponent has
    written on that entry. Keep the old key until then: you need it if the entry is passed over.

    A new key withdraws the deputy of its player, whom a thief of the old one may have named. Name
    yours again with pbem deputy.

    Example: pbem rotate game.pbem.json --key ana.key --to new.key
    """
    if on_my_word and asked is None:
        raise Misused(say("--on-my-word needs --for"))
    if renew and asked is None:
        raise Misused(say("--renew needs --for; otherwise use pbem offer GAME renew"))
    game = game_for_two(request)
    if ask:
        _ask(game, _named(new_file, say("--to FILE, the new key")), request)
        return
    key = load_key(_named(request.key_file, say("--key FILE, the key that signs")), request)
    with about(request.game_file):
        game, passed = passed_over(game, key, request)
        _check_no_deputy(game, key)
        player = _player(game, key)

    def rotated() -> AnsweredGame:
        if asked is not None:
            made = _for_other(game, key, player, asked, renew, on_my_word)
            if renew:
                new_secrets.agreed_to(game, other(player), request)
            return AnsweredGame(made)
        new = _named(new_file, say("--to FILE, the new key"))
        not_on_own_note(game, player)
        made = AnsweredGame(_own(game, key, new, request))
        meant.check_deputy_gone(meant.second_story(game, key, player), request, yes=yes)
        return made

    if (done := signed_beside(game, player, rotated, request)) is None:
        return
    made, path = done
    words = f"--key {quote(str(new_file))}"
    secrets = f"--secrets {_origin(game, player, key, request.key_file)}"
    now = [] if asked else [
        say(
            "from now on, sign with the new key, and give the key that the game's secrets come "
            "from: {words}",
            words=f"{words} {secrets}",
        ),
        say("if that key is lost or stolen, ask your opponent to run: pbem offer GAME renew"),
        *_deputy_gone(game, player, f"{words} {secrets}"),
        *_not_yet(made.game),
        *pass_on(made.game, player),
    ]  # fmt: skip
    tell(game, made.game, player, path, request, notes=(*passed, *made.notes),
         what_now=now or None)  # fmt: skip


def _deputy_gone(game: Any, player: str, keys: str) -> list[Message]:
    """That the deputy goes with the key, and how the player names them again."""
    if present(game.fold.machine, player) is None:
        return []
    return [
        say(
            "the new key withdraws your deputy; once it counts, you can name them again: {command}",
            command=f"pbem deputy GAME --to THEIR.key.pub {keys}",
        )
    ]


def _not_yet(game: Any) -> list[Message]:
    """T8: a key replaced out of turn counts once the other player has written on the note."""
    if not game.fold.machine.entry.side:
        return []
    return [
        say(
            "keep the old key: the new one counts once your opponent has followed this entry; if "
            "they pass it over, sign with the old one"
        )
    ]


def _named(path: StrPath | None, what: Said) -> StrPath:
    if path is None:
        raise Misused(say("a new key needs {what}", what=what))
    return path


def _check_no_deputy(game: Any, key: Any) -> None:
    """Raises FileRefused (E-TURN) for the key of a deputy: only the player changes keys."""
    machine = game.fold.machine
    if machine.keys.deputies and seat(machine, key.public) is not None:
        raise changes_no_keys()


def _player(game: Any, key: Any) -> str:
    """The seat of a key, also of a spare one."""
    for player, public in game.fold.machine.keys.spares.items():
        if public == key.public:
            return str(player)
    return str(game.fold.player_of(key.public))


def _origin(game: Any, player: str, key: Any, key_file: StrPath | None) -> str:
    """The key file from which the player's secrets come, if it is the one named now."""
    from pbem.gamefile.generations import origin

    public, _ = origin(game.fold.machine, player)
    return quote(str(key_file)) if public == key.public else "FIRST.key"


def _own(game: Any, key: Any, new_file: StrPath, request: Request) -> Any:
    from pbem.gamefile.negotiation import own_new_key
    from pbem.play.game import tool

    new = load_key(new_file, request)
    if new.public == key.public:
        raise FileRefused(
            "E-KEY",
            say("that is the key you use now"),
            rule="keys",
            hint=say("--to names a new one: pbem keygen makes it"),
        )
    return game.after(own_new_key(game.fold, key, new, tool=tool()))


# --- by the opponent


def _ask(game: Any, new_file: StrPath, request: Request) -> None:
    """Writes the request of a player whose key is lost: the proof of their new one."""
    from pbem.gamefile.negotiation import proof_for

    fold = game.fold
    if fold.phase != "running" or fold.pen is None:
        raise Misused(say("a key can be replaced only while the game is being played"))
    new = load_key(new_file, request)
    content = {
        "game": fold.game, "seq": len(fold.entries), "new_pub": new.public.hex(),
        "proof": proof_for(fold, fold.pen, new),
    }  # fmt: skip
    path = Path(request.output or f"new-key-{fold.entries[0].id[:8]}-{len(fold.entries)}.json")
    files.write_new(path, (json.dumps(content, indent=1) + "\n").encode())
    side = game.side_of(fold.pen)
    if request.as_json:
        report.as_json({"file": str(path), "side": side})
        return
    report.tell(
        say(
            "{path} asks for a new key for {player}, who must write next",
            path=str(path),
            player=game.called(fold.pen),
        ),
        say(
            "send it to your opponent and talk to them; they answer with: {command}",
            command=f"pbem rotate GAME --key THEIR.key --for {quote(path.name)}",
        ),
        say("if no copy of the lost key is left, you also need new secrets: they add --renew"),
    )


def _for_other(game: Any, key: Any, player: str, path: Path, renew: bool, on_my_word: bool) -> Any:
    from pbem.gamefile.negotiation import new_key
    from pbem.gamefile.new_keys import check_claim
    from pbem.play.game import tool
    from pbem.play.offers import name_the_price

    asked = request_for_a_key(game, path)
    fold = game.fold
    with about(path):  # it came by mail: its faults are not the game file's
        check_claim(
            fold.machine, other(player), asked["seq"], bytes.fromhex(asked["new_pub"]),
            asked["proof"],
        )  # fmt: skip
    name_the_price(game, player, on_my_word=on_my_word, naming=True)
    after = new_key(
        fold, key, asked["new_pub"], asked["proof"], tool=tool(), signed_by="opponent", renew=renew
    )
    return game.after(after)


def request_for_a_key(game: Any, path: Path) -> dict[str, Any]:
    """The request of somebody who wants the seat of the player who must write. Raises Refused."""
    asked = _request(path)
    fold = game.fold
    if (asked["game"], asked["seq"]) != (fold.game, len(fold.entries)):
        raise Refused(
            Problem(
                "E-KEY",
                say("this request is for another game, or not for the next entry"),
                Span(str(path), 0, 0),
                hint=say("they must make a new one from the current file"),
            )
        )
    return asked


def _request(path: Path) -> dict[str, Any]:
    from pbem.gamefile.canonical import parse
    from pbem.gamefile.shapes import check_request

    raw = kinds.read_as(kinds.REQUEST, path, REQUEST_LIMIT, say("the request"))
    try:
        found = parse(raw)
    except FileRefused:
        found = None
    if not isinstance(found, dict) or "new_pub" not in found:
        raise Refused(
            Problem(
                "request",
                say("this is not a request for a new key"),
                Span(str(path), 0, 0),
                hint=say("pbem rotate GAME --to NEW.key --ask writes one"),
            )
        )
    with about(path):
        check_request(found)
    return found
