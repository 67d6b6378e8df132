"""Wording: hints, and text safe to print."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from pbem.messages import Either, Said, marked, say
from pbem.words import LONGEST_NAME, closest, visible

FEW = 12


def shown(text: str, longest: int = 0) -> str:
    """The text with everything escaped that could move, hide or reverse the display of a
    terminal.
    """
    if longest and len(text) > longest:
        text = text[:longest] + "…"
    return visible(text)


def quoted(text: str) -> str:
    """A name as the player wrote it, in quotes, safe to print and not too long."""
    return f"'{shown(text, LONGEST_NAME)}'"


def kind_of(value: object) -> Said:
    """What a plain value is, as a player would call it: "a list", "the number 3"."""
    if value is None:
        return say("nothing")
    if isinstance(value, bool):
        return say("the truth value {true}", true="true" if value else "false")
    if isinstance(value, int):
        return say("the number {value}", value=value)
    if isinstance(value, str):
        return say("the text {value}", value=quoted(value))
    return say("a list") if isinstance(value, list | tuple) else say("pairs such as {a: b}")


def did_you_mean(name: str, known: Sequence[str] | Iterable[str]) -> Said:
    """A hint: the nearest names, or all of them where they are few, or nothing."""
    names = list(known)
    near = closest(name, names)
    if near:
        return say(NEAR, near=Either(tuple(map(shown, near))))
    return may_be(names) if len(names) <= FEW else ""


NEAR = marked("did you mean {near}?")


def is_meant(hint: Said) -> bool:
    """Whether a hint is the question for what is meant, and nothing else."""
    return getattr(hint, "text", "") == NEAR


AS_LINE = marked("write it as: {text}")


def is_line(hint: Said) -> bool:
    """Whether a hint says how to write the line that is shown."""
    return getattr(hint, "text", "") == AS_LINE


def has_meant(hint: Said) -> bool:
    """Whether such a question is in a hint."""
    parts = getattr(hint, "parts", ())
    return is_meant(hint) or any(has_meant(part) for _, part in parts)


def may_be(known: Iterable[str]) -> Said:
    """A hint that lists everything that would do."""
    names = [shown(name) for name in known]
    return say("it may be {names}", names=Either(tuple(names))) if names else ""
