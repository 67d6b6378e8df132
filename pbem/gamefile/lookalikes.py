"""What a name looks like: invisible letters, and letters that look like others.

The tables are parts of two files of the Unicode character database, version 15.1: the code points
that are Default_Ignorable_Code_Point in DerivedCoreProperties.txt, and from confusables.txt (UTS
#39) Cyrillic, Greek, Armenian, Lisu and odd Latin letters that look like those of a keyboard.
"""

from __future__ import annotations

import re
import unicodedata

# The ignorable ones; and two signs that are blank on paper, too (of Braille, and a null note).
_UNSEEN = re.compile(
    "[\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\u2800\U0001d159]"
)
_LOOKS_LIKE = {
    "6": "\u0431",
    "a": "\u0251\u0391\u03b1\u0410\u0430",
    "b": "\u0392\u0412\u0432",
    "c": "\u0421\u0441",
    "d": "\u0501",
    "e": "\u212e\uab32\u0395\u0415\u0435",
    "f": "\uab35\ua799\u0584",
    "g": "\u0261\u1d83\u050c\u050d\u0581",
    "h": "\u0397\u041d\u043d\u04bb\u0570",
    "i": "\u0131\u0269\u0399\u03b9\u0406\u0456",
    "j": "\u0408\u0458",
    "k": "\u039a\u03ba\u041a\u043a",
    "l": "\u0196\u01c0\u04cf",
    "m": "\u039c\u041c\u043c",
    "n": "\u039d\u0578",
    "o": "\u1d11\uab3d\u039f\u03bf\u03c3\u041e\u043e\u0555\u0585",
    "p": "\u03a1\u03c1\u0420\u0440",
    "q": "\u051a\u051b\u0566",
    "r": "\uab47\uab48\u0433",
    "s": "\u01bd\u0405\u0455\u054f",
    "t": "\u03a4\u0422\u0442",
    "u": "\u028b\ua79f\uab4e\uab52\u03c5\u054d\u057d",
    "v": "\u03bd",
    "w": "\u026f\u051c\u051d",
    "x": "\u03a7\u03c7\u0425\u0445",
    "y": "\u0263\u1d8c\u1eff\uab5a\u03a5\u03b3\u0423\u0443\u04ae\u04af",
    "z": "\u0396",
}


def _letter_by_letter(signs: str, letters: str) -> dict[int, str]:
    return dict(zip(map(ord, signs), letters, strict=True))


_AS_LATIN = {ord(sign): letter for letter, signs in _LOOKS_LIKE.items() for sign in signs}
_AS_LATIN |= _letter_by_letter(  # of Lisu
    "\ua4ee\ua4d0\ua4da\ua4d3\ua4f0\ua4dd\ua4d6\ua4e7\ua4f2\ua4d9\ua4d7\ua4e1"
    "\ua4df\ua4e0\ua4f3\ua4d1\ua4e3\ua4e2\ua4d4\ua4f4\ua4e6\ua4ea\ua4eb\ua4ec\ua4dc",
    "abcdefghijklmnoprstuvwxyz",
)
_AS_LATIN |= _letter_by_letter(  # small capitals
    "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f"
    "\u1d0d\u0274\u1d0f\u1d18\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22",
    "abcdefghijklmnoprstuvwyz",
)
_AS_ONE = str.maketrans({"i": "l", "1": "l", "|": "l", "0": "o", "m": "rn"})
_EAST_ASIAN = frozenset({"CJK", "HIRAGANA", "KATAKANA", "HANGUL", "BOPOMOFO"})
"""Alphabets that are in one name with each other and with Latin letters."""


def seen(text: str) -> str:
    """The text without its invisible letters."""
    return text if text.isascii() else _UNSEEN.sub("", text)


def folded(text: str) -> str:
    """The common form of all spellings of a name: without case, width and invisible letters."""
    plain = unicodedata.normalize("NFKC", seen(text)).casefold()
    return seen(unicodedata.normalize("NFKC", plain))


def looks(text: str) -> str:
    """The visual form of a name: two names with the same one are easily mistaken for each other.

    Accents, blanks and points are gone, and letters of other alphabets are the Latin ones they look
    like.
    """
    parts = unicodedata.normalize("NFKD", seen(text)).translate(_AS_LATIN)
    plain = unicodedata.normalize("NFKD", parts.casefold()).translate(_AS_LATIN).translate(_AS_ONE)
    return "".join(sign for sign in plain if sign.isalnum())


def alphabets(text: str) -> tuple[str, ...]:
    """The alphabets that a name mixes but no language does; empty where there is only one."""
    found = {
        unicodedata.name(sign, "").split(" ")[0].split("-")[0]
        for sign in unicodedata.normalize("NFKC", seen(text))
        if sign.isalpha()
    } - {"", "MODIFIER"}
    together = found & _EAST_ASIAN
    others = found - together - ({"LATIN"} if together else set())
    if len(others) + bool(together) < 2:
        return ()
    return tuple(sorted(each.capitalize() for each in found))
