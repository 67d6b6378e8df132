"""A hundred megabytes in a small packed file: made once, since packing them takes a while."""

from __future__ import annotations

import zlib
from functools import cache

GZIP, ZLIB = 31, 15
MEGABYTE = b" " * (1 << 20)


@cache
def bomb(begins: bytes = b"", form: int = GZIP) -> bytes:
    """A hundred megabytes of blanks behind what it begins with, packed."""
    packer = zlib.compressobj(6, zlib.DEFLATED, form, 9, zlib.Z_RLE)
    parts = [packer.compress(part) for part in (begins, *[MEGABYTE] * 100)]
    return b"".join([*parts, packer.flush()])
