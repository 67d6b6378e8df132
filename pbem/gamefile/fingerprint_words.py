"""The fingerprint of a game in six words that are easy to tell apart on a bad line.

They and the twenty digits are compared together: whoever makes both games could find two that agree
in one of them.

A word is two syllables, each a clear consonant and one of the five Spanish vowels, so speakers of
Spanish and English read it alike: no word pairs b with v or s with z, and none has a silent letter.
"""

from __future__ import annotations

from functools import cache

WORDS = 4096
"""Twelve bits a word: three hex digits of the game id."""
SPOKEN = 6

_ONSETS = ("p", "b", "t", "d", "k", "g", "f", "s", "m", "n", "l", "r", "ch")
_VOWELS = "aeiou"
_UNFIT = """
    chota chupa chupe chupo dago faga fago fuka fuke fuki fuko gili kaga kage kago kike kona kono
    koka kula kulo kuni moro nega nego niga nige nigo peda pede pedo pene picha piche pichi pito
    puke pusa pusi puta pute puti puto rape sado sida suka teta teto
"""
"""What nobody wants to say to a stranger, in either language."""


_SYLLABLES = tuple(onset + vowel for onset in _ONSETS for vowel in _VOWELS)
_SECONDS = len(_SYLLABLES) - 1
"""How many syllables may follow one: doubled, it is half a word to the ear."""


@cache
def _skipped() -> tuple[int, ...]:
    """The places of the unfit words among all pairs of syllables, from below."""
    return tuple(sorted(map(_place_of, _UNFIT.split())))


def _place_of(word: str) -> int:
    cut = 3 if word.startswith("ch") else 2
    first, second = _SYLLABLES.index(word[:cut]), _SYLLABLES.index(word[cut:])
    return first * _SECONDS + second - (second > first)


def word(number: int) -> str:
    """The word with a number below 4096, in the order of consonants and vowels."""
    for place in _skipped():
        number += number >= place
    first, second = divmod(number, _SECONDS)
    return _SYLLABLES[first] + _SYLLABLES[second + (second >= first)]


def game_words(game: str) -> str:
    """Six words for the first 72 bits of a game id (64 hex digits), to be compared aloud."""
    return " ".join(word(int(game[at : at + 3], 16)) for at in range(0, 3 * SPOKEN, 3))
