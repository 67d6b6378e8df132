"""Ed25519 keys: OpenSSH key files, checks of public keys, fingerprints, and a game's secrets.

cryptography is imported where a signature is made or checked: a command that signs nothing starts
without it. A key file without a passphrase holds no cryptography at all, so it is read here; one
with a passphrase is left to the library.
"""

from __future__ import annotations

import binascii
import hashlib
import hmac
from functools import lru_cache
from typing import Any

from pbem.gamefile.curve import is_anybodys
from pbem.gamefile.errors import FileRefused
from pbem.messages import say
from pbem.value import field, value

SEED_BYTES = 32
_SMALL_ORDER = frozenset(
    bytes.fromhex(text)
    for text in (
        "00" * 32,
        "01" + "00" * 31,
        "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
        "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
        "ec" + "ff" * 30 + "7f",
        "ed" + "ff" * 30 + "7f",
        "ee" + "ff" * 30 + "7f",
    )
)
SSH_KIND = b"ssh-ed25519"
_SSH_CIPHERS = (b"none", b"aes256-ctr", b"aes256-cbc", b"aes256-gcm@openssh.com")
"""The ciphers of a locked key that cryptography opens."""
_SSH_KDFS = (b"none", b"bcrypt")
_SSH_MAGIC = b"openssh-key-v1\0"
_SSH_BEGIN = "-----BEGIN OPENSSH PRIVATE KEY-----"
_SSH_END = "-----END OPENSSH PRIVATE KEY-----"


class Waymarks:
    """A place that keeps waymarks between commands (see `beacons.chain_value`); this one keeps
    none.

    A key knows its place: whoever looks at a game again and again with that key need not walk a
    chain from its end each time.
    """

    def read(self, name: str) -> bytes | None:
        """What is kept under a name; None if nothing is."""

    def keep(self, name: str, content: bytes) -> None:
        """Keeps the content under a name, if this is a place that keeps anything."""


NO_WAYMARKS = Waymarks()


@value
class KeyPair:
    """One person's key. `seed` is secret (32 bytes) and never printed; `public` is 32 bytes.

    `retired` are keys they had earlier in a game: its secrets may still come from one of them, or
    its audit may need the secrets that do. `waymarks` spare a command most of the way along a
    chain.
    """

    seed: bytes = field(repr=False)
    public: bytes
    retired: tuple[KeyPair, ...] = field(default=(), repr=False)
    waymarks: Waymarks = field(default=NO_WAYMARKS, repr=False, compare=False)

    @classmethod
    def from_seed(cls, seed: bytes) -> KeyPair:
        """The key whose Ed25519 private seed is `seed` (32 bytes)."""
        assert len(seed) == SEED_BYTES
        return cls(seed, _public_of(seed))

    @classmethod
    def fresh(cls) -> KeyPair:
        """A new random key."""
        import secrets

        return cls.from_seed(secrets.token_bytes(SEED_BYTES))

    def in_place_of(self, *retired: KeyPair) -> KeyPair:
        """This key for signing, with retired ones for their secrets."""
        return KeyPair(self.seed, self.public, retired, self.waymarks)

    def seed_of(self, public: bytes) -> bytes | None:
        """The seed of this key or a retired one; None where it is neither."""
        own = (each for each in (self, *self.retired) if each.public == public)
        return next((each.seed for each in own), None)

    def check(self) -> None:
        """Raises FileRefused (E-KEY) where a seed belongs to another public key: damaged files."""
        if any(_public_of(each.seed) != each.public for each in (self, *self.retired)):
            raise damaged()

    def sign(self, message: bytes) -> bytes:
        """The 64-byte Ed25519 signature on `message`.

        Raises FileRefused (E-KEY) as `check` does.
        """
        self.check()
        return _signer(self.seed).sign(message)


def damaged() -> FileRefused:
    """The refusal of a key file whose two halves do not belong together."""
    return FileRefused(
        "E-KEY",
        say("the key file is damaged: its private key belongs to another public key"),
        hint=say("use a copy of it; pbem key restore makes it again from paper"),
    )


@lru_cache(maxsize=4)
def _signer(seed: bytes) -> Any:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    return Ed25519PrivateKey.from_private_bytes(seed)


@lru_cache(maxsize=4)
def _public_of(seed: bytes) -> bytes:
    public: bytes = _signer(seed).public_key().public_bytes_raw()
    return public


@lru_cache(maxsize=8)
def _checker(public: bytes) -> Any:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    return Ed25519PublicKey.from_public_bytes(public)


def signature_holds(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether `public` has signed `message`. The key must have passed `check_public`."""
    from cryptography.exceptions import InvalidSignature

    try:
        _checker(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def check_public(public: bytes) -> None:
    """Refuses a public key with which anything, or nothing in particular, verifies.

    Raises FileRefused (E-KEY): not 32 bytes; y not below p; a point of small order (OpenSSL accepts
    those, and their owner can deny every signature); no point of the curve (nothing would verify);
    or a point without a private key (two programs may judge its signatures differently).
    """
    if len(public) != 32:
        raise FileRefused(
            "E-KEY", say("a public key has 32 bytes, and this one has {number}", number=len(public))
        )
    if public[:31] + bytes([public[31] & 0x7F]) in _SMALL_ORDER:
        raise FileRefused(
            "E-KEY", say("this public key binds nobody: every signature would verify with it")
        )
    if not is_anybodys(public):
        raise FileRefused(
            "E-KEY",
            say("this cannot be a public key: no private key belongs to it"),
            hint=say("pbem keygen makes one"),
        )


# --- key files


def needs_passphrase(text: bytes) -> bool:
    """Whether a private key file is encrypted.

    Raises FileRefused (E-KEY) when it is no private key file.
    """
    if _SSH_BEGIN.encode() in text:
        body = _ssh_body(text)
        try:
            cipher, _ = ssh_text(body, len(_SSH_MAGIC))
        except ValueError:
            raise _no_key() from None
        return cipher != b"none"
    if b"PRIVATE KEY-----" not in text:
        raise _no_key()
    return b"ENCRYPTED" in text


def unknown_lock(text: bytes) -> str:
    """The cipher of a locked OpenSSH key that cannot be opened here, whatever its passphrase; empty
    for all others.
    """
    if _SSH_BEGIN.encode() not in text:
        return ""
    try:
        cipher, at = ssh_text(body := _ssh_body(text), len(_SSH_MAGIC))
        kdf, _ = ssh_text(body, at)
    except ValueError:
        raise _no_key() from None
    odd = next((each for each in (cipher, kdf) if each not in (*_SSH_CIPHERS, *_SSH_KDFS)), b"")
    return odd[:40].decode("ascii", "replace")


def load_private(text: bytes, passphrase: bytes | None = None) -> KeyPair:
    """The key in a private key file: OpenSSH format, or PKCS#8 PEM.

    Whether an open OpenSSH file has the public key of its seed is left to `KeyPair.check`: to load
    what computes it takes a command that only looks at a game a tenth of its time.

    Raises FileRefused (E-KEY) for other files, other kinds of key, and a wrong passphrase.
    """
    if needs_passphrase(text):
        if not passphrase:
            raise FileRefused("E-KEY", say("the key file is locked with a passphrase"))
        return _load_by_library(text, passphrase)
    if _SSH_BEGIN.encode() in text:
        return _load_open(_ssh_body(text))
    return _load_by_library(text, None)


def public_in(text: bytes, passphrase: bytes | None = None) -> bytes:
    """The public key of a private key file. OpenSSH's format shows it even where it is locked.

    Raises FileRefused (E-KEY) as `load_private` does.
    """
    if _SSH_BEGIN.encode() not in text:
        return load_private(text, passphrase).public
    body = _ssh_body(text)
    try:
        at = len(_SSH_MAGIC)
        for _ in range(3):  # cipher, kdf, its options
            _, at = ssh_text(body, at)
        outer, _ = ssh_text(body, at + 4)
        kind, at = ssh_text(outer, 0)
        public, end = ssh_text(outer, at)
    except ValueError:
        raise _no_key() from None
    if kind != SSH_KIND or end != len(outer):
        raise _no_key()
    check_public(public)
    return public


def private_file(key: KeyPair, passphrase: bytes | None = None) -> bytes:
    """A private key file in OpenSSH format, locked with `passphrase` where one is given."""
    from cryptography.hazmat.primitives import serialization

    lock: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        lock = serialization.BestAvailableEncryption(passphrase)
    return _signer(key.seed).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.OpenSSH, lock
    )


def _load_by_library(text: bytes, passphrase: bytes | None) -> KeyPair:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    ssh = _SSH_BEGIN.encode() in text
    load = serialization.load_ssh_private_key if ssh else serialization.load_pem_private_key
    try:
        key = load(text, passphrase)
    except UnsupportedAlgorithm:
        raise FileRefused(
            "E-KEY",
            say("the key file is locked in a way that pbem cannot open"),
            hint=say("ssh-keygen -p -Z aes256-ctr -f FILE locks it anew in a way that it can"),
        ) from None
    except (ValueError, TypeError):
        raise FileRefused(
            "E-KEY", say("the key file does not open: wrong passphrase, or damaged")
        ) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise FileRefused("E-KEY", say("expected an Ed25519 key, and this is another kind of key"))
    return KeyPair.from_seed(key.private_bytes_raw())


def _load_open(body: bytes) -> KeyPair:
    """Reads the unencrypted OpenSSH container: cipher, kdf, count, public part, private part."""
    try:
        at = len(_SSH_MAGIC)
        for _ in range(3):  # "none", "none", ""
            _, at = ssh_text(body, at)
        count = int.from_bytes(body[at : at + 4], "big")
        _, at = ssh_text(body, at + 4)
        inner, end = ssh_text(body, at)
        kind, at = ssh_text(inner, 8)
        public, at = ssh_text(inner, at)
        both, _ = ssh_text(inner, at)
    except ValueError:
        raise _no_key() from None
    if count != 1 or kind != SSH_KIND or inner[:4] != inner[4:8] or end != len(body):
        raise _no_key()
    if len(both) != 64 or both[32:] != public:
        raise _no_key()
    return KeyPair(both[:32], public)


def _ssh_body(text: bytes) -> bytes:
    content = text.decode("ascii", "replace")
    middle = content.partition(_SSH_BEGIN)[2].partition(_SSH_END)[0]
    try:
        body = binascii.a2b_base64("".join(middle.split()).encode("ascii"), strict_mode=True)
    except ValueError:
        raise _no_key() from None
    if not body.startswith(_SSH_MAGIC):
        raise _no_key()
    return body


def ssh_text(body: bytes, at: int) -> tuple[bytes, int]:
    """A text of OpenSSH's formats, and where it ends. Raises ValueError where it is cut off."""
    length = int.from_bytes(body[at : at + 4], "big")
    end = at + 4 + length
    if end > len(body):
        raise ValueError("short")
    return body[at + 4 : end], end


def ssh_pack(part: bytes) -> bytes:
    """A text as OpenSSH's formats have it, behind its length."""
    return len(part).to_bytes(4, "big") + part


def _no_key() -> FileRefused:
    return FileRefused(
        "E-KEY",
        say("this is not an Ed25519 private key file"),
        hint=say(
            "give the file that pbem keygen wrote; if it is lost, pbem key restore makes it again "
            "from paper, and pbem rotate --help tells what else can be done"
        ),
    )


# --- fingerprints


def key_fingerprint(public: bytes) -> str:
    """The fingerprint of a key as ssh-keygen -l prints it."""
    body = ssh_pack(SSH_KIND) + ssh_pack(public)
    coded = binascii.b2a_base64(hashlib.sha256(body).digest(), newline=False)
    return "SHA256:" + coded.decode("ascii").rstrip("=")


def game_fingerprint(game: str) -> str:
    """Twenty digits of a game id (64 hex digits), in groups of four, to be compared aloud."""
    digits = f"{int(game, 16) % 10**20:020d}"
    return " ".join(digits[at : at + 4] for at in range(0, 20, 4))


# --- secrets of one game


def game_secret(seed: bytes, player: str, context: str) -> bytes:
    """gsec: the 32 bytes from which all a player's secrets of one game come.

    `context` is the game id for A and the hex of their nonce for B. HKDF-SHA256 (RFC 5869) with one
    block of output, which is two HMACs.
    """
    extracted = hmac.digest(b"pbem1/game", seed, "sha256")
    return hmac.digest(extracted, f"{player}\n{context}".encode("ascii") + b"\x01", "sha256")


def accept_nonce(proposal_id: str, fresh: bytes) -> str:
    """B's nonce (32 hex digits), from 16 fresh random bytes.

    The proposal is mixed in, so a generator that repeats itself repeats no secret.
    """
    assert len(fresh) == 16
    text = f"pbem1/nonce\n{proposal_id}\n{fresh.hex()}"
    return hashlib.sha256(text.encode("ascii")).hexdigest()[:32]


def solo_key(player: str, text: str) -> KeyPair:
    """The key of a seat in a solo game; everyone who has the file has it."""
    return KeyPair.from_seed(hashlib.sha256(f"pbem1/solo\n{player}\n{text}".encode()).digest())
