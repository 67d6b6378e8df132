"""What a proposal binds both players to: every member of it in words, before and after it is
accepted.

What is signed is what was shown: a member of the proposal without a text here has no place in the
format (`tests/cli/test_terms.py` compares the two).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pbem.gamefile.cards import MIX_TRIALS
from pbem.gamefile.keys import key_fingerprint
from pbem.gamefile.shapes import OPTIONS_OF_THE_FILE
from pbem.messages import Message, Row, Said, indented, marked, say, say_many
from pbem.platforms import quote
from pbem.play.game import Game, options_of
from pbem.text.wording import quoted


def terms(game: Game) -> tuple[Said, ...]:
    """The terms of a game, in lines; the first is their heading."""
    return (say("terms of the game:"), *map(indented, _lines(game)))


def in_short(game: Game) -> Message:
    """The terms of an accepted game in a line, but for what the notes of a report tell: `pbem log`
    lists all of them.
    """
    step = game.fold.proposal
    noted = {*OPTIONS_OF_THE_FILE, game.opened.system.hidden.open_option}
    chosen = tuple(each for each in step["options"] if each not in noted)
    parts = [_edition(game)]
    if chosen or not step["options"]:
        parts.append(
            say_many("options", "option {options}", "options {options}", options=chosen)
            if chosen
            else say("no options")
        )
    if "match" in step:
        parts.append(say("match {match}", match=quoted(step["match"])))
    parts.append(say("proposed by {player}", player=_player(game, "A")))
    return say("terms: {terms} (pbem log lists all of them)", terms=Row(tuple(parts), "; "))


def to_accept(game: Game, file: str, player: str | None = None) -> tuple[Message, ...]:
    """How to accept or decline a proposal, and what the `player` who made it waits for; empty after
    it was accepted.
    """
    if game.fold.phase != "proposed":
        return ()
    if player == "A":
        return (
            say(
                "you have proposed this game, and {player} has not accepted it yet; if you have "
                "not sent it: pbem mail {file}",
                file=quote(file), player=game.called("B"),
            ),
        )  # fmt: skip
    return (
        say(
            "to accept: pbem turn {file} --key KEY, with the key of {player}; to decline, send "
            "nothing",
            file=quote(file), player=game.called("B"),
        ),
    )  # fmt: skip


def plain(game: Game) -> dict[str, Any]:
    """The terms for programs, every member of the proposal."""
    step = game.fold.proposal
    names = ["scenario", "ruleset", "data", "options", "sides", "chain_len", "m", "decks"]
    return {
        **{name: step[name] for name in names},
        "fixes": step.get("fixes", []),
        "m_mix": step.get("m_mix", MIX_TRIALS),
        "edition": game.opened.system.edition(options_of(step)),
        "keys": {"a": step["pub_a"], "b": step["pub_b"]},
        "spare": {"a": step.get("spare"), "b": _spare_of_b(game)},
        "match": step.get("match"),
        "director": step.get("director"),
        "silence": step.get("silence"),
    }


def _lines(game: Game) -> Iterator[Said]:
    step, system = game.fold.proposal, game.opened.system
    scenario = next(each for each in system.scenarios() if each.id == step["scenario"])
    yield say(
        "{title} ({id}), {edition}; rules {rules}, {data}",
        title=say(scenario.title), id=scenario.id, edition=_edition(game), rules=step["ruleset"],
        data=_data(game),
    )  # fmt: skip
    yield from _fixes(game)
    yield say("proposed by {player}, key {key}", player=_player(game, "A"), key=_key(step["pub_a"]))
    yield say("proposed to {player}, key {key}", player=_player(game, "B"), key=_key(step["pub_b"]))
    yield from _options(game)
    match = say("match: {match}", match=quoted(step["match"])) if "match" in step else NO_MATCH
    director = say("no director")
    if "director" in step:
        director = say("director: key {key}", key=_key(step["director"]))
    if "silence" in step:
        yield say("{match}; {director}", match=match, director=director)
        yield silence(step["silence"])
    else:
        yield say("{match}; {director}; no terms for silence", match=match, director=director)
    if "director" in step:
        yield DIRECTOR_MAY
    for player, spare in (("A", step.get("spare")), ("B", _spare_of_b(game))):
        if spare is not None:
            yield say("spare key of {player}: {key}, can replace a lost key",
                      player=_player(game, player), key=_key(spare))  # fmt: skip
    values = say("{number} values for dice on each player's chain", number=f"{step['chain_len']}")
    yield say("{values}; {decks}", values=values, decks=_trials(step))


NO_MATCH = say("no match named")
DIRECTOR_MAY = say(
    "the director may give more days, give the seat of a silent player to somebody else, and "
    "declare a result; they see no hand and make no move"
)
THEN = {
    "pause": marked("then the game rests, and that is on record"),
    "deputy": marked("then that is on record, and a deputy should go on"),
    "result": marked("then who waits may claim the game; an answer undoes the claim until it is "
                     "accepted"),
}  # fmt: skip
"""What follows a silence."""


def silence(terms: Mapping[str, Any]) -> Message:
    """The terms for silence of a proposal, in words."""
    days = say_many("days", "{days} day", "{days} days", days=terms["days"])
    then = say(THEN[terms["then"]])
    return say("silence: {days} without an answer; {then}", days=days, then=then)


def _edition(game: Game) -> Message:
    return say(game.opened.system.edition(options_of(game.fold.proposal)))


def _fixes(game: Game) -> Iterator[Said]:
    """The fixes that the rules are played by, where there are any."""
    fixes, slug = game.opened.fixes, game.opened.system.slug
    if fixes:
        yield say_many(
            "count", "with fix {fixes} of the rules (pbem rules {slug} --fixes)",
            "with the fixes {fixes} of the rules (pbem rules {slug} --fixes)",
            count=len(fixes), slug=slug, fixes=tuple(f"{number}" for number in fixes),
        )  # fmt: skip
    elif game.opened.system.fixes:
        yield say("with no fix of the rules (pbem rules {slug} --fixes)", slug=slug)


def _data(game: Game) -> Message:
    digest = game.fold.proposal["data"][:16]
    if not game.opened.own:
        return say("data {digest}", digest=digest)
    return say("data {digest} with an owner's files: {files}", digest=digest,
               files=Row(tuple(game.opened.own)))  # fmt: skip


def _options(game: Game) -> Iterator[Message]:
    known = {each.id: each for each in game.opened.system.options()}
    chosen = game.fold.proposal["options"]
    for name, value in chosen.items():
        if name in OPTIONS_OF_THE_FILE:
            told = quoted(value) if isinstance(value, str) else say("on")
            what = say(OPTIONS_OF_THE_FILE[name])
            yield say("option {name}: {value} ({what})", name=name, value=told, what=what)
        else:
            what = say(known[name].title)
            yield say("option {name}: on ({what}) [rule {rule}]", name=name, what=what,
                      rule=known[name].rule)  # fmt: skip
    yield say("no other options") if chosen else say("no options")


def _trials(step: Mapping[str, Any]) -> Message:
    told = say("nothing is sealed at the beginning")
    if step["decks"]:
        told = say_many(
            "number", "{number} sealed layout, proven out of {m} trial layouts",
            "{number} sealed layouts, each proven out of {m} trial layouts",
            number=len(step["decks"]), m=step["m"],
        )  # fmt: skip
    if "m_mix" not in step:
        return told
    return say("{decks}; {m} trial layouts of a mix", decks=told, m=step["m_mix"])


def _player(game: Game, player: str) -> Message:
    return say("the {side} player", side=game.side_told(player))


def _key(public: str) -> str:
    return key_fingerprint(bytes.fromhex(public))


def _spare_of_b(game: Game) -> str | None:
    if len(game.fold.entries) < 2:
        return None
    spare = game.fold.entries[1].steps[0].get("spare")
    return None if spare is None else str(spare)
