"""What a proposal binds both players to: every member of it, in words, before and after it.

What is signed is what was shown: a member of the proposal that is not told here has no place in the
format (`tests/cli/test_terms.py` holds the two together).
"""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamefile.keys import key_fingerprint
from pbem.gamefile.shapes import OPTIONS_OF_THE_FILE
from pbem.play.game import Game, options_of
from pbem.text.wording import counted, quoted

BEHIND = "  "


def terms(game: Game) -> tuple[str, ...]:
    """The terms of a game, in lines; the first is their heading."""
    return ("terms of the game:", *(f"{BEHIND}{line}" for line in _lines(game)))


def in_short(game: Game) -> str:
    """The terms of an accepted game in a line: `pbem log` lists all of them."""
    step = game.fold.proposal
    chosen = ", ".join(step["options"])
    parts = [
        game.opened.system.edition(options_of(step)),
        f"options {chosen}" if chosen else "no options",
        f"match {quoted(step['match'])}" if "match" in step else "no match named",
        f"proposed by {_player(game, 'A')}",
    ]
    return f"terms: {'; '.join(parts)} (pbem log lists all of them)"


def to_accept(game: Game, file: str) -> tuple[str, ...]:
    """How a proposal is accepted, or left alone; nothing after it."""
    if game.fold.phase != "proposed":
        return ()
    return (
        f"to accept: pbem apply {shlex.quote(file)} --key KEY, with the key of "
        f"{game.called('B')}; "
        "to decline, send nothing",
    )


def plain(game: Game) -> dict[str, Any]:
    """The terms for programs, every member of the proposal."""
    step = game.fold.proposal
    names = ["scenario", "ruleset", "data", "options", "sides", "chain_len", "m", "decks"]
    return {
        **{name: step[name] for name in names},
        "edition": game.opened.system.edition(options_of(step)),
        "keys": {"a": step["pub_a"], "b": step["pub_b"]},
        "spare": {"a": step.get("spare"), "b": _spare_of_b(game)},
        "match": step.get("match"),
        "umpire": step.get("umpire"),
    }


def _lines(game: Game) -> Iterator[str]:
    step, system = game.fold.proposal, game.opened.system
    scenario = next(each for each in system.scenarios() if each.id == step["scenario"])
    edition = system.edition(options_of(step))
    yield f"{scenario.title} ({scenario.id}), {edition}; rules {step['ruleset']}, {_data(game)}"
    yield f"proposed by {_player(game, 'A')}, key {_key(step['pub_a'])}"
    yield f"to be accepted by {_player(game, 'B')}, key {_key(step['pub_b'])}"
    yield from _options(game)
    match = f"match: {quoted(step['match'])}" if "match" in step else "no match named"
    umpire = f"umpire: key {_key(step['umpire'])}" if "umpire" in step else "no umpire"
    yield f"{match}; {umpire}"
    for player, spare in (("A", step.get("spare")), ("B", _spare_of_b(game))):
        if spare is not None:
            yield f"spare key of {_player(game, player)}: {_key(spare)}, can replace a lost key"
    yield f"{step['chain_len']:,} values for dice on each player's chain{_trials(step)}"


def _data(game: Game) -> str:
    own = f" with an owner's files: {', '.join(game.opened.own)}" if game.opened.own else ""
    return f"data {game.fold.proposal['data'][:16]}{own}"


def _options(game: Game) -> Iterator[str]:
    known = {each.id: each for each in game.opened.system.options()}
    chosen = game.fold.proposal["options"]
    for name, value in chosen.items():
        if name in OPTIONS_OF_THE_FILE:
            told = quoted(value) if isinstance(value, str) else "on"
            yield f"option {name}: {told} ({OPTIONS_OF_THE_FILE[name]})"
        else:
            yield f"option {name}: on ({known[name].title}) [rule {known[name].rule}]"
    yield "no other options" if chosen else "no options"


def _trials(step: Mapping[str, Any]) -> str:
    if not step["decks"]:
        return "; no sealed decks"
    decks = counted(len(step["decks"]), "sealed deck")
    return f"; {decks}, each proven out of {step['m']} trial layouts"


def _player(game: Game, player: str) -> str:
    return game.called(player)


def _key(public: str) -> str:
    return key_fingerprint(bytes.fromhex(public))


def _spare_of_b(game: Game) -> str | None:
    if len(game.fold.entries) < 2:
        return None
    spare = game.fold.entries[1].steps[0].get("spare")
    return None if spare is None else str(spare)
