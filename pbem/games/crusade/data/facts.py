"""The facts that a scenario may list under `flags`: those that the rules remember."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pbem.games.crusade.narrative_seldom import FLAGS
from pbem.games.crusade.orders import GUERRILLA
from pbem.games.crusade.rules.options_combat import OUTCLASSED
from pbem.games.crusade.rules.options_decks import LOTS as BY_PHASE
from pbem.messages import Said, say
from pbem.text.wording import did_you_mean, quoted

OF_A_TURN = frozenset({"severe_winter", "morale_for_victory"}) | {
    f"guerrilla_{effect}" for effect in GUERRILLA
}
"""Facts of one turn, whose number they end in."""
LASTING = (FLAGS.keys() - OF_A_TURN) | {OUTCLASSED}
"""Facts that last until something ends them: those that are told when they begin, and one more."""
LOT = "lot_"
LOTS = tuple(lot for sides in BY_PHASE.values() for lot in sides.values())
"""The cards of which one was drawn or chosen: a fact with LOT before the card."""


def odd_fact(flag: str, before: Sequence[str], last_turn: int) -> Iterator[tuple[str, Said, Said]]:
    """The fault of a fact, alone or with those before it: code, message, hint."""
    stem, _, number = flag.rpartition("_")
    lots = [lot for lot in LOTS if flag.removeprefix(LOT) in lot]
    if flag in OF_A_TURN:
        yield (
            "flag-turn",
            say("{flag} belongs to a single turn", flag=flag),
            say("write it with its number: {flag}_11", flag=flag),
        )
    elif stem in OF_A_TURN and number.isdecimal():
        if number not in map(str, range(1, last_turn + 1)):
            yield (
                "flag-turn",
                say("there is no turn {number}", number=number),
                say("the last one is turn {last_turn}", last_turn=last_turn),
            )
    elif flag.startswith(LOT) and lots:
        other = next((each for each in before if each.removeprefix(LOT) in lots[0]), "")
        if other:
            message = say("{other} and {flag} are cards of the same lot", other=other, flag=flag)
            yield (
                "flag-lot",
                message,
                say("only one of {lot} is in the deck", lot=", ".join(lots[0])),
            )
    elif flag not in LASTING:
        known = sorted((*LASTING, *OF_A_TURN, *_lots()))
        message = say("no fact is called {flag}", flag=quoted(flag))
        yield "unknown-flag", message, did_you_mean(flag, known)


def _lots() -> Iterator[str]:
    return (f"{LOT}{card}" for lot in LOTS for card in lot)


def is_fact(flag: str, last_turn: int) -> bool:
    """Whether a scenario may state this fact in a game of so many turns."""
    return not any(odd_fact(flag, (), last_turn))
