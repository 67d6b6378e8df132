"""Keys: what ssh-keygen and the library write is read, and keys that bind nobody are refused."""

import base64
import contextlib
import hashlib
import shutil
import subprocess
from random import Random

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import ec

from pbem.gamefile import curve, keys, public_keys
from pbem.gamefile.errors import FileRefused
from pbem.value import replace
from tests.gamefile.mutations import MIXED, NOBODYS, OFF_CURVE
from tests.gamefile.players import KEYS

A = KEYS["A"]


def refused(call, *arguments) -> str:
    with pytest.raises(FileRefused) as caught:
        call(*arguments)
    assert caught.value.code == "E-KEY"
    return str(caught.value.message)


def test_a_key_file_without_passphrase():
    raw = keys.private_file(A)
    assert raw.startswith(b"-----BEGIN OPENSSH PRIVATE KEY-----")
    assert not keys.needs_passphrase(raw)
    assert keys.load_private(raw) == A
    assert keys.load_private(raw.replace(b"\n", b"\r\n")) == A
    library = serialization.load_ssh_private_key(raw, None)
    assert library.private_bytes_raw() == A.seed


def test_a_key_file_with_passphrase():
    raw = keys.private_file(A, b"no pasaran")
    assert keys.needs_passphrase(raw)
    assert keys.load_private(raw, b"no pasaran") == A
    assert "passphrase" in refused(keys.load_private, raw)
    assert "wrong passphrase" in refused(keys.load_private, raw, b"pasaremos")


def test_a_pkcs8_key_is_read():
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

    raw = Ed25519PrivateKey.from_private_bytes(A.seed).private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )
    assert keys.load_private(raw) == A


def test_other_keys_and_other_files_are_refused():
    curve = ec.generate_private_key(ec.SECP256R1())
    for layout in (serialization.PrivateFormat.OpenSSH, serialization.PrivateFormat.PKCS8):
        raw = curve.private_bytes(serialization.Encoding.PEM, layout, serialization.NoEncryption())
        refused(keys.load_private, raw)
    good = keys.private_file(A)
    for raw in (b"", b"hello", b"\xff\xfe", public_keys.public_line(A.public).encode(), good[:150]):
        refused(keys.load_private, raw)
    for at in range(60, len(good) - 40, 7):
        changed = good[:at] + (b"A" if good[at : at + 1] != b"A" else b"B") + good[at + 1 :]
        try:
            assert keys.load_private(changed).public
        except FileRefused as error:
            assert error.code == "E-KEY"


def test_a_damaged_seed_is_told_before_anything_is_signed_or_revealed():
    """A key file is read without computing its public key; whoever uses it looks at that."""
    good = keys.private_file(A).splitlines()
    body = base64.b64decode(b"".join(good[1:-1]))
    spoilt = base64.b64encode(body.replace(A.seed, bytes(32)))
    key = keys.load_private(b"\n".join((good[0], spoilt, good[-1])))
    assert key.public == A.public and key.seed != A.seed
    for each in (key, KEYS["B"].in_place_of(key)):
        assert "damaged" in refused(each.sign, b"message")


def test_a_key_file_that_was_cut_is_refused_by_every_reader():
    """Every beginning of what is inside, in an armour that is whole."""
    lines = keys.private_file(A).decode().splitlines()
    body = base64.b64decode("".join(lines[1:-1]))
    for length in range(len(body)):
        coded = base64.b64encode(body[:length]).decode()
        raw = f"{lines[0]}\n{coded}\n{lines[-1]}\n".encode()
        assert refused(keys.load_private, raw)
        with contextlib.suppress(FileRefused):
            assert not keys.needs_passphrase(raw)


def container(
    magic: bytes = b"openssh-key-v1\0", count: int = 1, checks: bytes = b"abcdabcd",
    kind: bytes = keys.SSH_KIND, public: bytes = A.public, both: bytes = A.seed + A.public,
    more: bytes = b"", among: bytes = b"", outside: bytes = keys.SSH_KIND, behind: bytes = b"",
) -> bytes:  # fmt: skip
    """A key file put together from its parts."""
    outer = keys.ssh_pack(outside) + keys.ssh_pack(public) + behind
    inner = checks + b"".join(map(keys.ssh_pack, (kind, public, both, b"")))
    head = magic + b"".join(map(keys.ssh_pack, (b"none", b"none", b""))) + count.to_bytes(4, "big")
    coded = base64.b64encode(head + keys.ssh_pack(outer) + keys.ssh_pack(inner) + more)
    first, *_, last = keys.private_file(A).splitlines()
    return b"\n".join((first, coded[:8] + among + coded[8:], last))


@pytest.mark.parametrize("wrong", [
    {"magic": b"openssh-key-v2\0"}, {"count": 2}, {"checks": b"abcdabce"},
    {"kind": b"ssh-ed25518"}, {"public": KEYS["B"].public},
    {"public": A.public[:31], "both": A.seed + A.public[:31]}, {"both": A.seed + A.public + b"x"},
    {"more": b"xyz"}, {"among": b"!"},
], ids=str)  # fmt: skip
def test_a_key_file_that_contradicts_itself_is_refused(wrong):
    assert keys.load_private(container()) == A
    message = refused(keys.load_private, container(**wrong))
    assert message == "this is not an Ed25519 private key file"


@pytest.mark.parametrize("wrong", [
    {"magic": b"openssh-key-v2\0"}, {"outside": b"ssh-ed25518"}, {"behind": b"x"}, {"among": b"!"},
    {"public": bytes(32)},
], ids=str)  # fmt: skip
def test_a_key_file_whose_outside_is_no_ed25519_key_has_no_public_key(wrong):
    assert keys.public_in(container()) == A.public
    refused(keys.public_in, container(**wrong))


def test_public_lines():
    line = public_keys.public_line(A.public, "La Pasionaria")
    named = public_keys.PublicKeys(A.public, "La Pasionaria", 0)
    assert public_keys.load_public(line.encode()) == named
    other = public_keys.public_line(KEYS["B"].public, "J").encode()
    assert "2 Ed25519 keys" in refused(public_keys.load_public, line.encode() + other)
    among = b"\n# mine\n\nssh-rsa AAAA x\n" + line.encode()
    assert public_keys.load_public(among) == replace(named, others=1)
    nameless = public_keys.load_public(public_keys.public_line(A.public).encode())
    assert nameless == public_keys.PublicKeys(A.public, "", 0)
    for raw in (
        b"",
        b"ssh-ed25519",
        b"ssh-rsa AAAA x",
        b"ssh-ed25519 !!!! x",
        b"\xff",
        line[:40].encode(),
        line.replace("AAAA", "AAAA!", 1).encode(),
        line.replace("ssh-ed25519", "ssh-ed25518", 1).encode(),
        *(b"ssh-ed25519 " + base64.b64encode(body) for body in (
            keys.ssh_pack(b"ssh-ed25518") + keys.ssh_pack(A.public),
            keys.ssh_pack(keys.SSH_KIND) + keys.ssh_pack(A.public) + b"xyz",
        )),
    ):  # fmt: skip
        refused(public_keys.load_public, raw)


@pytest.mark.skipif(not shutil.which("ssh-keygen"), reason="ssh-keygen is not here")
def test_ssh_keygen_agrees(tmp_path):
    path = tmp_path / "key"
    path.write_bytes(keys.private_file(A))
    path.chmod(0o600)
    shown = subprocess.run(["ssh-keygen", "-y", "-f", path], capture_output=True, check=True)
    assert public_keys.load_public(shown.stdout).key == A.public
    (tmp_path / "key.pub").write_text(public_keys.public_line(A.public, "a"))
    listed = subprocess.run(
        ["ssh-keygen", "-l", "-f", tmp_path / "key.pub"], capture_output=True, check=True
    )
    assert keys.key_fingerprint(A.public) in listed.stdout.decode()


@pytest.mark.parametrize("public", NOBODYS)
def test_keys_of_nobody(public):
    raw = bytes.fromhex(public)
    refused(keys.check_public, raw)
    refused(keys.check_public, raw[:31] + bytes([raw[31] | 0x80]))
    refused(public_keys.load_public, public_keys.public_line(raw).encode())


def test_keys_that_somebody_has():
    for number in range(40):
        keys.check_public(keys.KeyPair.from_seed(bytes([number]) * 32).public)


def plus(p: tuple[int, int], q: tuple[int, int]) -> tuple[int, int]:
    """The sum of two points of the curve (RFC 8032, 5.1.4), as plainly as it can be written."""
    (x, y), (v, w), t = p, q, D * p[0] * p[1] * q[0] * q[1]
    found = (
        (x * w + y * v) * pow(1 + t, -1, curve.PRIME),
        (y * w + x * v) * pow(1 - t, -1, curve.PRIME),
    )
    return found[0] % curve.PRIME, found[1] % curve.PRIME


def times(count: int, point: tuple[int, int]) -> tuple[int, int]:
    found = ZERO
    for bit in f"{count:b}":
        found = plus(found, found)
        found = plus(found, point) if bit == "1" else found
    return found


def point_of(y: int) -> tuple[int, int] | None:
    square = (y * y - 1) * pow(D * y * y + 1, -1, curve.PRIME) % curve.PRIME
    x = curve._root(square)
    return (x, y) if x * x % curve.PRIME == square else None


def bytes_of(point: tuple[int, int]) -> bytes:
    return (point[1] | (point[0] & 1) << 255).to_bytes(32, "little")


ZERO = 0, 1
D = -121665 * pow(121666, -1, curve.PRIME) % curve.PRIME
ORDER = 2**252 + 27742317777372353535851937790883648493
"""Of the base point (RFC 8032, 5.1)."""
BASE = 4 * pow(5, -1, curve.PRIME) % curve.PRIME


def test_squares_are_told_from_other_numbers(fuzz: int) -> None:
    assert pow(curve._UNIT, 2, curve.PRIME) == curve.PRIME - 1
    random = Random(fuzz)
    for number in (1, 2, -1, *(random.randrange(1, curve.PRIME) for _ in range(50 * fuzz))):
        assert curve._is_square(number) == (pow(number, (curve.PRIME - 1) // 2, curve.PRIME) == 1)
        assert curve._is_square(number * number)
        assert curve._root(number * number) in (number % curve.PRIME, -number % curve.PRIME)


def test_the_curve_is_that_of_the_library():
    """A public key is its scalar times the base point (RFC 8032, 5.1.5)."""
    base = point_of(BASE)
    assert base is not None
    base = (base[0] if base[0] % 2 == 0 else curve.PRIME - base[0]), base[1]
    assert times(ORDER, base) == ZERO
    for number in range(1, 6):
        seed = bytes([number]) * 32
        scalar = int.from_bytes(hashlib.sha512(seed).digest()[:32], "little")
        scalar = scalar & ~7 & ~(1 << 255) | 1 << 254
        assert bytes_of(times(scalar, base)) == keys.KeyPair.from_seed(seed).public


def test_why_a_key_is_nobodys():
    assert [point_of(int.from_bytes(bytes.fromhex(each), "little")) for each in OFF_CURVE] == (
        [None] * 4
    )
    for each in MIXED:
        point = point_of(int.from_bytes(bytes.fromhex(each), "little") % 2**255)
        assert point is not None and times(ORDER, point) != ZERO
        assert times(8 * ORDER, point) == ZERO
    assert not curve.is_anybodys((1).to_bytes(32, "little"))
    assert not curve.is_anybodys((1 | 1 << 255).to_bytes(32, "little"))  # minus zero


def test_a_key_is_somebodys_exactly_where_the_order_times_it_is_zero(fuzz: int) -> None:
    """Also with each of the eight points of small order added to it."""
    points = list(filter(None, map(point_of, range(2, 2 + 20 * fuzz))))
    small = [times(ORDER, point) for point in points]
    for point, left in zip(points, small, strict=True):
        assert curve.is_anybodys(bytes_of(point)) == (left == ZERO)
    eighth = next(each for each in small if times(4, each) != ZERO)
    ring = [times(count, eighth) for count in range(8)]
    assert len(set(ring)) == 8 and not any(curve.is_anybodys(bytes_of(each)) for each in ring)
    for point in points:
        sound = times(8, point)
        found = [curve.is_anybodys(bytes_of(plus(sound, each))) for each in ring]
        assert found == [True] + 7 * [False]


def test_keys_of_the_wrong_form():
    for raw in (b"", b"x" * 31, b"x" * 33, (2**255 - 19 + 5).to_bytes(32, "little")):
        refused(keys.check_public, raw)
    keys.check_public(A.public)


@pytest.mark.parametrize("sign", [0, 1])
def test_no_key_has_a_y_that_is_not_below_the_prime(sign):
    for y in range(curve.PRIME, 2**255):
        refused(keys.check_public, (y | sign << 255).to_bytes(32, "little"))


def test_a_key_does_not_print_its_seed():
    assert A.seed.hex() not in repr(A) and str(A.seed) not in repr(A)


def test_the_fingerprint_of_a_game_is_its_last_twenty_digits():
    assert keys.game_fingerprint(f"{10**20 + 5:064x}") == "0000 0000 0000 0000 0005"
    shown = keys.game_fingerprint("fe" * 32)
    assert shown.replace(" ", "") == str(int("fe" * 32, 16))[-20:]


def test_a_fresh_key_is_new():
    assert keys.KeyPair.fresh().seed != keys.KeyPair.fresh().seed
