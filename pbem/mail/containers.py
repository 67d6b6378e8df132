"""What is packed into one file: gzip, zip, winmail.dat, RTF. The bytes say what it is.

A container says nothing true about sizes: each member is unpacked as far as the budget of work
allows, and no further.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pbem.gamefile import format
from pbem.gamefile.errors import FileRefused
from pbem.mail.outlook import of_tnef, text_of_rtf
from pbem.mail.packed import MAX_MEMBERS, PACKED_RTF, RTF, STORED_RTF, TNEF, Packed
from pbem.mail.work import A_PART, MOST, Work
from pbem.messages import Said, marked, say

if TYPE_CHECKING:
    import zipfile

A_BOMB = MOST // 2
"""The cost of what unpacks to more than any file may have: nobody sends many such by mistake."""
GZIP = b"\x1f\x8b"
_ZIP, _ZIP_ENTRY, _EMPTY_ZIP = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
_AT_ONCE = 1 << 20
_STORED, _DEFLATED = 0, 8
_ENCRYPTED = 1

_OTHERS: tuple[tuple[bytes, str], ...] = (
    (b"Rar!\x1a\x07", marked("a RAR archive")), (b"7z\xbc\xaf\x27\x1c", marked("a 7z archive")),
    (b"BZh", marked("a bzip2 file")), (b"\xfd7zXZ\x00", marked("an xz file")),
    (b"\x28\xb5\x2f\xfd", marked("a zstd file")),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
     marked("a message in Outlook's own format (.msg), or another Office document")),
    (b"MZ\x90\x00", marked("a program")),
    (b"%PDF-", marked("a PDF document")),
)  # fmt: skip
_TEXTS: tuple[tuple[bytes, str], ...] = (
    (b"-----BEGIN PGP MESSAGE-----", marked("it is encrypted with PGP")),
    (b"-----BEGIN PKCS7-----", marked("it is an S/MIME message, encrypted or signed")),
    (b"X-Apple-Content-Length:", marked("Apple Mail has stored it without the files attached")),
    (b"=ybegin line=", marked("it is coded in yEnc")),
    (b"(This file must be converted with BinHex", marked("it is coded in BinHex")),
)  # fmt: skip
_KINDS: tuple[tuple[str, str], ...] = (
    ("multipart/encrypted", marked("it is encrypted with PGP")),
    ("application/pgp-encrypted", marked("it is encrypted with PGP")),
    ("application/pkcs7-mime", marked("it is an S/MIME message, encrypted or signed")),
    ("application/x-pkcs7-mime", marked("it is an S/MIME message, encrypted or signed")),
    ("application/ms-tnef", marked("it is in Outlook's own format, and damaged")),
    ("message/partial", marked("it is only a part of a message that was sent in pieces")),
    ("message/external-body", marked("only a link to the content was sent")),
)  # fmt: skip
_ENVELOPED = b"\x2a\x86\x48\x86\xf7\x0d\x01\x07"
"""How the name of each S/MIME content begins in its bytes."""


def is_packed(raw: bytes) -> bool:
    """Whether this is a container whose members can be read."""
    return raw.startswith((GZIP, _ZIP, _EMPTY_ZIP, TNEF)) or is_rtf(raw)


def is_rtf(raw: bytes) -> bool:
    """Whether this is a text in RTF, packed as Outlook does or not."""
    return raw.startswith(RTF) or raw[8:12] in (PACKED_RTF, STORED_RTF)


def members(raw: bytes, work: Work) -> Iterator[Packed | FileRefused]:
    """The files in a container, and why one of them cannot be read.

    Raises FileRefused: E-LIMIT when `work` is spent or there are too many, E-DAMAGED.
    """
    if raw.startswith(GZIP):
        return _of_gzip(raw, work)
    if raw.startswith(TNEF):
        return of_tnef(raw, work)
    if is_rtf(raw):
        return iter((Packed("", text_of_rtf(raw, work)),))
    return _of_zip(raw, work)


def unreadable(raw: bytes, kind: str = "") -> FileRefused | None:
    """The name of what is known and cannot be read, and what would do; None for anything else."""
    head = raw[:4096].lstrip()
    told: Said = next((say(told) for label, told in _KINDS if label == kind), "")
    packed = next((what for begin, what in _OTHERS if head.startswith(begin)), None)
    if packed is not None:
        told = say("it is {what}, which pbem does not open", what=say(packed))
    elif not told and head.startswith(b"\x30") and _ENVELOPED in head:
        told = say("it is an S/MIME message, encrypted or signed")
    elif not told:
        told = next((say(told) for begin, told in _TEXTS if begin in raw), "")
    if not told:
        return None
    return FileRefused(
        "E-TRANSPORT", told,
        hint=say(
            "open it with the program it is for, save the game file (.pbem.json) from it, and use "
            "that; or ask for a plain mail with the file attached"
        ),
    )  # fmt: skip


# --- gzip -----------------------------------------------------------------------------------------


def _of_gzip(raw: bytes, work: Work) -> Iterator[Packed | FileRefused]:
    """Each file that was packed, one behind the other; what else is behind them means nothing."""
    for _ in range(MAX_MEMBERS):
        work.spend(A_PART)
        inflate = zlib.decompressobj(31)
        try:
            content = _inflated(inflate, raw, work)
        except zlib.error:
            raise FileRefused(
                "E-DAMAGED", say("the gzip file is damaged; ask for it again")
            ) from None
        if not inflate.eof:
            raise FileRefused(
                "E-DAMAGED",
                say("the gzip file is cut off or something follows it"),
                hint=say("ask for it again"),
            )
        yield Packed("", content)
        raw = inflate.unused_data
        if not raw.startswith(GZIP):
            return
        work.spend(len(raw))


def head(raw: bytes, size: int) -> bytes:
    """The first `size` bytes of a file, unpacked where it is gzip and sound."""
    if raw.startswith(GZIP):
        try:
            return zlib.decompressobj(31).decompress(raw[: 2 * size], size)
        except zlib.error:
            pass
    return raw[:size]


def _inflated(inflate: zlib._Decompress, raw: bytes, work: Work) -> bytes:
    """Unpacks in parts: a bomb ends early."""
    plain = bytearray()
    most = min(format.MAX_BYTES, work.left)
    while raw and not inflate.eof and len(plain) <= most:
        plain += inflate.decompress(raw, min(_AT_ONCE, most + 1 - len(plain)))
        raw = inflate.unconsumed_tail
    work.spend(len(plain) if len(plain) <= format.MAX_BYTES else A_BOMB)
    _check_size(len(plain))
    return bytes(plain)


def _check_size(size: int) -> None:
    if size > format.MAX_BYTES:
        raise FileRefused(
            "E-LIMIT",
            say("the file is larger than {max_bytes} MiB", max_bytes=format.MAX_BYTES >> 20),
        )


# --- zip ------------------------------------------------------------------------------------------


def _of_zip(raw: bytes, work: Work) -> Iterator[Packed | FileRefused]:
    work.spend(len(raw) // 8)
    count = raw.count(_ZIP_ENTRY)
    if count > MAX_MEMBERS:
        raise FileRefused(
            "E-LIMIT",
            say("the zip archive has more files than are searched ({most})", most=MAX_MEMBERS),
            hint=say("take the game file out of it, and use that"),
        )  # fmt: skip
    import io
    import zipfile

    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as archive:
            listed = archive.infolist()
            for info in listed:
                if info.filename.endswith("/"):
                    continue
                work.spend(A_PART)
                yield _zipped(archive, info, work)
    except FileRefused:
        raise
    except Exception as error:  # whatever a hostile archive provokes is a fault of the archive
        raise FileRefused(
            "E-DAMAGED", say("the zip archive is damaged"), hint=say("ask for it again")
        ) from error


def _zipped(archive: zipfile.ZipFile, info: zipfile.ZipInfo, work: Work) -> Packed | FileRefused:
    if info.flag_bits & _ENCRYPTED:
        return FileRefused(
            "E-TRANSPORT",
            say("the zip archive is locked with a password"),
            hint=say("take the game file out of it, and use that"),
        )
    if info.compress_type not in (_STORED, _DEFLATED):
        return FileRefused(
            "E-TRANSPORT",
            say("in the zip archive it is packed in a way that pbem does not open"),
            hint=say("take the game file out of it, and use that"),
        )
    plain, most = bytearray(), min(format.MAX_BYTES, work.left)
    with archive.open(info) as packed:
        while len(plain) <= most and (part := packed.read(min(_AT_ONCE, most + 1 - len(plain)))):
            plain += part
    work.spend(len(plain) if len(plain) <= format.MAX_BYTES else A_BOMB)
    try:
        _check_size(len(plain))
    except FileRefused as refused:
        return refused
    return Packed(info.filename, bytes(plain))
