"""Which 32 bytes are a public key of Ed25519: RFC 8032, 5.1, in whole numbers alone.

OpenSSL also verifies with points that no private key has. Only public keys are judged here, so it
does not matter that the time depends on the numbers.

Every point is a multiple of the base point with one of eight points of small order added, which are
the multiples of one of them. So a point has none of these added if it is eight times another point,
and only then: if it can be halved three times. That takes a few square roots, and half as long as
to multiply by the order of the base point. Whoever reads a game for the first time judges two keys.
"""

from __future__ import annotations

from functools import lru_cache

PRIME = 2**255 - 19
_D = -121665 * pow(121666, -1, PRIME) % PRIME
_A = 486662
"""Of the same curve in Montgomery's form: v^2 = u^3 + A u^2 + u, with u = (1 + y) / (1 - y)."""
_UNIT = pow(2, (PRIME - 1) // 4, PRIME)
"""A square root of -1."""


@lru_cache(maxsize=256)
def is_anybodys(public: bytes) -> bool:
    """Whether 32 bytes are a point of the base point's group, and not its zero.

    Of the nineteen y that are not below p, which RFC 8032 does not allow, none is of that group.
    """
    whole = int.from_bytes(public, "little")
    y = whole % 2**255
    if not _root((y * y - 1) * pow(_D * y * y + 1, -1, PRIME)):
        return False  # no point has this y (5.1.3); or its x is zero, and so is twice the point
    u: int | None = (1 + y) * pow(1 - y, -1, PRIME) % PRIME
    for _ in range(3):
        u = None if u is None else _halved(u)
    return u is not None


def _halved(u: int) -> int | None:
    """The u of a point that is doubled to one with this u; None where there is no such point.

    That of the doubled is (t^2 - 1)^2 / 4t(t^2 + At + 1). With w = t + 1/t it is u where
    w^2 - 4uw - 4(Au + 1) = 0, and t is a number for one of the two w, if for any. Two points may be
    halves; they differ by the one of order two, which is four times another, so both will do.
    """
    root = _root(u * u + _A * u + 1)
    if root is None:
        return None
    for w in (2 * (u + root), 2 * (u - root)):
        between = _root(w * w - 4)
        if between is not None:
            return (w + between) * _HALF % PRIME
    return None


_HALF = (PRIME + 1) // 2


def _root(square: int) -> int | None:
    """A square root modulo p; None where there is none."""
    square %= PRIME
    found = pow(square, (PRIME + 3) // 8, PRIME)
    if found * found % PRIME != square:
        found = found * _UNIT % PRIME
    return found if found * found % PRIME == square else None
