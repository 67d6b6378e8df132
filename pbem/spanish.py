"""What Spanish does to small words where a text is put together: e and u by sound, del and al."""

from __future__ import annotations

ROMAN = frozenset("IVXLCDM")
"""A number in these is read as a word of another sound: "I Tabor y II Tabor"."""


def by_sound(word: str, following: str) -> str:
    """The Spanish words for "and" and "or" as they sound before another word; any other as it is.

    "Bilbao e Irún", "e hilo", but "y hierro"; "Huesca u Oviedo", "u hombre", "7 u 8", "u 11000".
    """
    if word not in ("y", "o"):
        return word
    bare = following.lstrip("\"'«“([{¿¡*_")
    first = bare.partition(" ")[0]
    if first and ROMAN.issuperset(first):
        return word
    begins = bare.lower()
    sounds = begins[1:] if begins.startswith("h") else begins
    if word == "y":
        is_vowel = sounds.startswith(("i", "í")) and not sounds[1:].startswith(tuple("aeoáéó"))
        return "e" if is_vowel else word
    number = begins.partition(" ")[0].rstrip(".,;:)")
    is_eleven = number.startswith("11") and number.isdigit() and len(number) % 3 == 2
    return "u" if sounds.startswith(("o", "ó")) or begins.startswith("8") or is_eleven else word


def joined(before: str, filled: str) -> str:
    """A text and what fills the gap behind it, with the small words as Spanish has them there.

    "y" and "o" by the sound that follows; "del" and "al" for "de el" and "a el", unless the article
    is part of a name: "de El Escorial".
    """
    if before.endswith((" y ", " o ")):
        return f"{before[:-2]}{by_sound(before[-2], filled)} {filled}"
    if filled.startswith("el ") and before.endswith(("e ", "a ", "A ")):
        word = before.split()[-1].lower()
        if word == "de":
            return f"{before[:-2]}{filled}"
        if word == "a":
            return f"{before[:-1]}{filled[1:]}"
    return before + filled
