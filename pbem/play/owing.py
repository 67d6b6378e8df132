"""What a player owes, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pbem.gamefile.kept import Owed
from pbem.messages import Row, Said, marked, say
from pbem.play.game import Game

TAKE_OR_PLAY_ON = say(
    "pbem audit GAME --key KEY accepts it and closes the game, pbem apply GAME "
    "ORDERS --key KEY --pass-over plays on"
)
"""What the other player may do about a resignation out of turn."""


def has_claimed(game: Game) -> bool:
    """Whether the game ended by a claim under its terms for silence."""
    return game.fold.result is not None and game.fold.result.get("how") == "silence"


MIX_REPLY = "mix_reply"
"""What a `deck_reply` is called here that is owed for a mix."""

SAYS = {
    "accept": marked("accept the game"),
    "start": marked("begin the game"),
    "reveal": marked("roll the dice"),
    "anchor": marked("give a new chain"),
    "deck_commit": marked("seal a new {pile}"),
    "deck_reply": marked("prove that a {pile} is complete"),
    MIX_REPLY: marked("prove that a mix moved no counter to another place"),
    "unseal": marked("show sealed standing orders"),
    "open": marked("show a {piece}"),
    "seal": marked("choose in secret"),
    "tell": marked("show a secret choice"),
    "list_seal": marked("write a sealed list"),
    "list_tell": marked("show what is due of a sealed list"),
    "fact": marked("say what lies face down"),
    "audit": marked("reveal what was kept hidden"),
}


ASKED = ("answer", "seal", "list_seal", "list_tell", "fact")
"""What is owed to the present question, whose prompt says it better."""


def owed_words(thing: Owed, game: Game) -> Said:
    """What a player owes, in the words of their opponent."""
    decision = game.table.decision if game.table is not None else None
    if thing.code in ASKED and decision is not None:
        halt = game.fold.machine.pending.halt
        if halt is None or halt.by != thing.by:
            return decision.prompt
        return say("{prompt} (sealed standing orders answer that)", prompt=decision.prompt)
    if thing.code == "open":
        return showing(thing.what, game)
    return _said(thing.code, thing.machine, game)


def showing(slot: str, game: Game) -> Said:
    """That a slot is to be shown: a counter by what players call it."""
    counter = game.table.counter(slot) if game.table is not None else ""
    return say("show {counter}", counter=counter) if counter else _said("open", slot, game)


def verbs_asked_for(game: Game) -> tuple[str, ...]:
    """The verbs of the orders that answer the question of the game, if it asks one."""
    decision = game.table.decision if game.table is not None else None
    options = decision.options if decision is not None else ()
    return tuple(dict.fromkeys(option.order.verb for option in options))


def owed_now(game: Game) -> Iterator[tuple[Owed, Game]]:
    """All that is owed, each with the game in which it is owed. Where a game goes on behind its
    file, what is asked then stands in place of the questions that are answered on the way.
    """
    filed, goes_on = game.filed, game.fold.is_ahead and game.fold.phase != "over"
    for each in filed.fold.owed:
        if not (goes_on and each.code in ASKED):
            yield each, filed
    if goes_on:
        yield from ((each, game) for each in game.fold.owed if each.code in ASKED)


def what_owes(game: Game, player: str) -> Row:
    """Everything a player owes, each once; empty where it is nothing."""
    owed = (owed_words(each, of) for each, of in owed_now(game) if each.by == player)
    return Row(tuple(dict.fromkeys(owed)), "; ")


def claimed_words(claimed: Iterable[str], game: Game, *, now: bool = False) -> Row:
    """The list in a claim, in words; with `now`, the open question is named too."""
    open_now = {thing.machine: owed_words(thing, game) for thing in game.fold.owed} if now else {}
    told = (open_now.get(each) or _in_general(each, game) for each in claimed)
    return Row(tuple(dict.fromkeys(told)), "; ")


def _in_general(claimed: str, game: Game) -> Said:
    code = claimed.partition(" ")[0]
    return say("answer what the game asks") if code == "answer" else _said(code, claimed, game)


def _said(code: str, otherwise: str, game: Game) -> Said:
    words = game.opened.system.words
    if code == "deck_reply" and otherwise.partition(" ")[2] in _mixes(game):
        code = MIX_REPLY
    named = {"pile": say(words.pile), "piece": say(words.piece)}
    return say(SAYS[code], **named) if code in SAYS else otherwise


def _mixes(game: Game) -> set[str]:
    """The epochs that only lay the counters of some stacks anew."""
    return {each.name for each in game.fold.machine.hidden.decks.ever() if each.epoch.groups}
