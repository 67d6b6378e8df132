"""A key on paper: the 32 bytes of its seed in eight groups, each with check digits.

Copying by hand brings mistakes, so each group shows by itself whether it was copied well. Its
number is part of the check, so a group on the wrong line is found too.
"""

from __future__ import annotations

import re

from pbem.gamefile.chain import digest
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.keys import SEED_BYTES, KeyPair, key_fingerprint
from pbem.messages import Said, say, say_many

GROUPS = 8
_DIGITS = 8
_CHECKS = 4
_LINE = re.compile(r"\s*([1-9])[\s.:)]+(\S.*)")
_PRINT = re.compile(r"\bSHA256:[A-Za-z0-9+/]{43}")
_LIKE = str.maketrans({"o": "0", "i": "1", "l": "1"})
"""Letters that are no hex digits, for the digits they are taken for."""
_ALIKE = say("8 and b, 6 and b, 0 and d, 1 and 7 are easily mixed up")


def groups(seed: bytes) -> tuple[str, ...]:
    """The eight groups of a seed (32 bytes): `0a1b 2c3d  9f0e`, the last four digits check it."""
    assert len(seed) == SEED_BYTES
    text = seed.hex()
    parts = [text[at : at + _DIGITS] for at in range(0, len(text), _DIGITS)]
    return tuple(
        f"{part[:4]} {part[4:]}  {_check(number, part)}" for number, part in enumerate(parts, 1)
    )


def sheet(key: KeyPair, name: str) -> str:
    """The text for the paper; `name` says whose or which key it is."""
    return "\n".join(
        [
            f"pbem key on paper: {name}".rstrip(" :"),
            key_fingerprint(key.public),
            "",
            *(f"{number}  {group}" for number, group in enumerate(groups(key.seed), 1)),
            "",
            "Whoever reads this has the key. pbem key restore asks for the eight groups;",
            "the last four digits of each show whether it was copied correctly.",
            "",
        ]
    )


def group_bytes(number: int, text: str) -> bytes:
    """The four bytes of group `number` (from 1), as copied by hand.

    Blanks, hyphens and capitals do not matter. Raises FileRefused (E-KEY), which names the group.
    """
    digits = "".join(text.lower().replace("-", " ").split()).translate(_LIKE)
    strange = next((char for char in digits if char not in "0123456789abcdef"), None)
    if strange is not None:
        raise _slip(
            number, say("{strange} is not a hex digit (0 to 9, a to f)", strange=ascii(strange))
        )
    if len(digits) != _DIGITS + _CHECKS:
        raise _slip(
            number,
            say_many(
                "number",
                "it has {number} digit, and needs {digits}: {digits_2} for the key and "
                "{checks} to check them",
                "it has {number} digits, and needs {digits}: {digits_2} for the key and "
                "{checks} to check them",
                number=len(digits),
                digits=_DIGITS + _CHECKS,
                digits_2=_DIGITS,
                checks=_CHECKS,
            ),
        )
    part, check = digits[:_DIGITS], digits[_DIGITS:]
    if check != _check(number, part):
        line = next((line for line in range(1, GROUPS + 1) if check == _check(line, part)), None)
        if line is not None:
            raise _slip(number, say("this is group {line}", line=line))
        raise _slip(number, say("it does not match its check digits"), _ALIKE)
    return bytes.fromhex(part)


def seed_on(text: str) -> bytes:
    """The seed on a sheet, in any layout with one numbered group a line.

    A fingerprint on it is compared. Raises FileRefused (E-KEY): a group is wrong, missing or
    doubled, or the groups belong to another key.
    """
    found: dict[int, bytes] = {}
    for line in text.splitlines():
        match = _LINE.fullmatch(line)
        if match is None:
            continue
        number = int(match[1])
        if number > GROUPS or number in found:
            why = say("there are eight groups") if number > GROUPS else say("it is listed twice")
            raise _slip(number, why)
        found[number] = group_bytes(number, match[2])
    for number in range(1, GROUPS + 1):
        if number not in found:
            raise _slip(
                number, say("it is missing"), say("write each group on a line with its number")
            )
    seed = b"".join(found[number] for number in range(1, GROUPS + 1))
    _check_print(text, seed)
    return seed


def _check_print(text: str, seed: bytes) -> None:
    written = _PRINT.search(text)
    made = key_fingerprint(KeyPair.from_seed(seed).public)
    if written is not None and written[0] != made:
        raise FileRefused(
            "E-KEY",
            say(
                "the groups belong to {made}, but the sheet names {written}",
                made=made,
                written=written[0],
            ),
            hint=say("are they from two different sheets?"),
        )


def _check(number: int, part: str) -> str:
    return digest("pbem1/paper", str(number), part).hex()[:_CHECKS]


def _slip(number: int, why: Said, hint: Said = "") -> FileRefused:
    return FileRefused("E-KEY", say("group {number}: {why}", number=number, why=why), hint=hint)
