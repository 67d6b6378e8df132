"""The values the protocol was settled with: whatever else changes, these bytes do not."""

import hashlib
import hmac
import json
from pathlib import Path

import pytest

from pbem.gamefile import beacons, canonical, chain, decks, keys, policies

SETTLED = json.loads(Path(__file__).with_name("settled_values.json").read_text("ascii"))
A = keys.KeyPair.from_seed(bytes.fromhex(SETTLED["keyA"]["seed"]))
B = keys.KeyPair.from_seed(bytes.fromhex(SETTLED["keyB"]["seed"]))
GAME = SETTLED["game"]
NONCE_B = "bb" * 16
SECRETS = {
    "A": keys.game_secret(A.seed, "A", GAME),
    "B": keys.game_secret(B.seed, "B", NONCE_B),
}
R1 = bytes.fromhex(SETTLED["R1"])


def test_keys_and_secrets():
    assert A.public.hex() == SETTLED["keyA"]["pub"]
    assert B.public.hex() == SETTLED["keyB"]["pub"]
    assert hashlib.sha256(b"example game").hexdigest() == GAME
    assert SECRETS["A"].hex() == SETTLED["gsecA"]
    assert SECRETS["B"].hex() == SETTLED["gsecB"]


@pytest.mark.parametrize("player, context", [("A", GAME), ("B", NONCE_B)])
def test_chains(player, context):
    values = beacons.derive_chain(SECRETS[player], player, context, 8)
    settled = SETTLED[f"chain{player}_len8"]
    assert [values[8], values[2], values[1], values[0]] == [
        settled[name] for name in ("x8", "x2", "x1", "anchor")
    ]
    assert beacons.chain_step(player, context, 1, values[1]) == values[0]


def test_long_and_second_chains():
    assert beacons.derive_chain(SECRETS["A"], "A", GAME, 4096)[0] == SETTLED["anchorA_4096"]
    second = beacons.derive_chain(SECRETS["A"], "A", GAME, 8, 1)
    assert second[0] == SETTLED["second_chain_A_len8_anchor"]


def test_beacon():
    value = beacons.beacon_value(
        GAME, 1, SETTLED["chainA_len8"]["x1"], SETTLED["chainB_len8"]["x1"]
    )
    assert value == R1


def test_dice():
    for label, face in SETTLED["dice"].items():
        assert beacons.die(R1, label) == face
    rejected = SETTLED["rejection"]
    word = beacons.uniform(R1, rejected["label"], 6)
    assert word.block.hex() == rejected["block0"]
    assert 1 + word.value == rejected["d6"]


@pytest.mark.parametrize("size, number", SETTLED["uniform"].items())
def test_uniform_numbers(size, number):
    label, _, rest = size.partition(" m=")
    name, size = (label, int(rest)) if rest else (f"u/{label}", int(label))
    assert beacons.uniform(R1, name, size).value == number


def test_sample():
    assert list(beacons.sample(R1, "draw/A/1", 10, 3)[0]) == SETTLED["sample_3_of_10"]


def test_entry():
    settled = SETTLED["entry"]
    payload = canonical.parse(settled["canonical"].encode())
    body = canonical.canonical(payload)
    assert body == settled["canonical"].encode()
    assert hashlib.sha256(body).hexdigest() == settled["canonical_sha256"]
    entry = chain.sign_entry(A, payload)
    assert (entry.id, entry.sig, entry.sum) == (settled["id"], settled["sig"], settled["sum"])


def test_state_digest_and_nonce():
    state = json.loads(SETTLED["post"]["state"])
    assert chain.state_digest(canonical.text_of(state)) == SETTLED["post"]["post"]
    settled = SETTLED["nonce_b"]
    assert (
        keys.accept_nonce(settled["proposal"], bytes.fromhex(settled["fresh"]))
        == (settled["nonce"])
    )


def test_hkdf_agrees_with_the_library():
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    theirs = HKDF(hashes.SHA256(), 32, b"pbem1/game", f"A\n{GAME}".encode()).derive(A.seed)
    assert theirs == SECRETS["A"]


def test_a_die_by_hand():
    """The recipe of the specification, with nothing of ours."""
    block = hmac.digest(R1, b"pbem1/roll\ncombat/1/att/die/1\n0", "sha256")
    first = next(byte for byte in block if byte < 252)
    assert 1 + first % 6 == SETTLED["dice"]["combat/1/att/die/1"] == 3


# --- sealed decks and sealed orders

DECK = SETTLED["deck"]
EPOCH = decks.Epoch("A", "A", 1, tuple(sorted(DECK["cards"])), 1 << DECK["depth"], 1)


def test_a_sealed_deck():
    secret = SECRETS["A"]
    assert decks.root_of(secret, EPOCH).hex() == DECK["rootseed"]
    assert [seed.hex() for seed in decks._below(decks.root_of(secret, EPOCH), EPOCH.depth)] == (
        DECK["seeds"]
    )
    assert decks.commitment_of(secret, EPOCH) == DECK["commit"]
    assert decks.trial_of(R1, EPOCH) == DECK["challenge"]
    reply = decks.reply_of(secret, EPOCH, DECK["challenge"])
    assert list(reply.siblings) == DECK["punct"] and list(reply.leaves) == DECK["leaves_t"]
    decks.check_reply(EPOCH, DECK["commit"], DECK["challenge"], reply)


def test_a_trial_and_an_opening():
    trial, shown = DECK["challenge"], DECK["open2"]
    laid = decks.layout_of(SECRETS["A"], EPOCH, trial)
    assert list(laid.cards) == DECK["perm_t"]
    assert (laid.cards[shown["pos"]], laid.nonces[shown["pos"]]) == (shown["card"], shown["nonce"])
    leaf = decks.leaf_of(EPOCH, trial, shown["pos"], shown["card"], shown["nonce"])
    assert leaf == DECK["leaves_t"][shown["pos"]]
    for number, root in enumerate(DECK["roots"]):
        seed = bytes.fromhex(DECK["seeds"][number])
        leaves = decks._leaves(EPOCH, number, decks.layout(seed, EPOCH.cards))
        assert decks._trial_root(EPOCH, number, leaves).hex() == root


def test_a_later_epoch():
    settled = SETTLED["epoch2"]
    cards = tuple(sorted(settled["cards"]))
    epoch = decks.Epoch("A", "A", 2, cards, 1 << settled["depth"], settled["challenge_beacon"])
    assert hashlib.sha256("\n".join(cards).encode()).hexdigest() == settled["set_sha256"]
    assert decks.root_of(SECRETS["A"], epoch).hex() == settled["rootseed"]
    assert decks.commitment_of(SECRETS["A"], epoch) == settled["commit"]


def test_sealed_orders():
    settled, box = SETTLED["policy"], SETTLED["policy_box"]
    document = json.loads(settled["doc"])
    assert canonical.canonical(document) == settled["doc"].encode()
    sealed = policies.seal(SECRETS["B"], "policy", 1, document)
    assert (sealed.c, sealed.box) == (settled["commit"], box["box"])
    assert policies.salt_of(SECRETS["B"], "policy", 1, document) == settled["salt"]
    assert policies.unbox(SECRETS["B"], "policy", 1, box["box"]) == document


def test_a_box_by_the_library_alone():
    from base64 import b64decode

    from cryptography.hazmat.primitives.ciphers.aead import AESSIV

    box = SETTLED["policy_box"]
    with_it = box["ad"].replace(" LF ", "\n").encode()
    plain = AESSIV(bytes.fromhex(box["key"])).decrypt(b64decode(box["box"]), [with_it])
    assert plain == SETTLED["policy"]["doc"].encode()
