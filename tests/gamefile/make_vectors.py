"""Writes the test vectors of the protocol: `python -m tests.gamefile.make_vectors`.

Each file holds all inputs, the bytes on the way in hex, and the outputs, so that another program
can be held against it without reading ours. A test makes them again and compares.
"""

from __future__ import annotations

import hashlib
import json
import sys
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pbem.gamefile import beacons, chain, fingerprint_words, format, keys, paper_key, public_keys
from pbem.gamefile.beacons import mac
from pbem.gamefile.canonical import MAX_INTEGER, canonical, text_of
from pbem.gamefile.chain import pae
from pbem.mail import armour
from tests.gamefile import facedown_vectors
from tests.gamefile.cup_cases import tag_vectors
from tests.gamefile.forks import pairs, proof
from tests.gamefile.mini_game import mini_game
from tests.gamefile.mutations import (
    NOBODYS,
    Case,
    as_stored,
    cases,
    numbered,
    packed,
    too_large,
    with_numbers,
)
from tests.gamefile.openly_game import openly_vectors
from tests.gamefile.oversized import forged_proposals, practice_games
from tests.gamefile.renewed_vectors import renewed_vectors
from tests.gamefile.sealed_vectors import sealed_vectors
from tests.gamefile.secret_cases import choice_vectors
from tests.gamefile.taken_back_vectors import taken_back_vectors
from tests.gamefile.vanished_vectors import vanished_vectors
from tests.gamefile.waiting_game import waiting_vectors
from tests.mail import mail_clients

FOLDER = Path(__file__).parents[2] / "schemas" / "vectors"
A = keys.KeyPair.from_seed(b"\x01" * 32)
B = keys.KeyPair.from_seed(b"\x02" * 32)
GAME = hashlib.sha256(b"example game").hexdigest()
NONCE_B = "bb" * 16
SECRETS = {
    "A": keys.game_secret(A.seed, "A", GAME),
    "B": keys.game_secret(B.seed, "B", NONCE_B),
}
CONTEXTS = {"A": GAME, "B": NONCE_B}
VALUES = [beacons.derive_chain(SECRETS[player], player, CONTEXTS[player], 8)[1] for player in "AB"]
R1 = beacons.beacon_value(GAME, 1, *VALUES)
ZEROS = "0" * 64


def vectors() -> dict[str, Any]:
    """All files: name to content."""
    return {
        "01-canonical.json": canonical_vectors(),
        "02-pae.json": pae_vectors(),
        "03-keys.json": key_vectors(),
        "04-entry.json": entry_vectors(),
        "05-secrets.json": secret_vectors(),
        "06-chain.json": chain_vectors(),
        "07-beacon.json": beacon_vectors(),
        "08-rolls.json": roll_vectors(),
        "09-sample.json": sample_vectors(),
        "12-state.json": state_vectors(),
        "13-game.json": game_vectors(),
        "14-armour.json": armour_vectors(),
        "16-fork.json": fork_vectors(),
        "18-renewed.json": renewed_vectors(),
        "19-choices.json": choice_vectors(),
        "20-waiting.json": waiting_vectors(),
        "21-tags.json": tag_vectors(),
        "22-proposals.json": proposal_vectors(),
        "23-mixes.json": facedown_vectors.mix_vectors(),
        "24-lists.json": facedown_vectors.list_vectors(),
        "25-facedown.json": facedown_vectors.game_vectors(),
        "26-openly.json": openly_vectors(),
        "27-takeback.json": taken_back_vectors(),
        "28-vanished.json": vanished_vectors(),
        **sealed_vectors(),
    }


def written(content: Any) -> bytes:
    return json.dumps(content, indent=1, ensure_ascii=True, sort_keys=True).encode() + b"\n"


def canonical_vectors() -> Any:
    accepted = [
        {}, [], "", None, True, 0, -1, MAX_INTEGER, -MAX_INTEGER, "a\nb", '"\\/',
        "caf\u00e9 \u2014",
        "\U0001f0cf", "\u00a0\u202e\ufeff", {"b": 1, "a": {"d": [], "c": None}, "a_1": [1, [2]]},
        {"z": "\u0150", "aa": False, "a": "A"},
    ]  # fmt: skip
    return {
        "accept": [
            {"text": json.dumps(value, indent=2), "canonical_hex": canonical(value).hex()}
            for value in accepted
        ],
        "reject": [
            {"text": text, "class": code}
            for text, code in (
                ("1.0", "E-CANON"), ("1e3", "E-CANON"), ("-0", "E-CANON"), ("NaN", "E-CANON"),
                ("9007199254740992", "E-CANON"), ('{"a":1,"a":1}', "E-CANON"),
                ('{"A":1}', "E-CANON"),
                ('{"":1}', "E-CANON"), ('{"a\\n":1}', "E-CANON"), ('{"1a":1}', "E-CANON"),
                ('{"' + "a" * 41 + '":1}', "E-CANON"), ('"\\ud800"', "E-CANON"),
                ('"\\u001b"', "E-CANON"), ('"\\u0000"', "E-CANON"), ('"\\u009b"', "E-CANON"),
                ('"\\t"', "E-CANON"), ('"\\r"', "E-CANON"),
                ("01", "E-DAMAGED"), ("[1,]", "E-DAMAGED"),
                ("'a'", "E-DAMAGED"), ("", "E-DAMAGED"), ("[1", "E-DAMAGED"),
                ("[" * 17 + "]" * 17, "E-LIMIT"), ('"' + "x" * 4097 + '"', "E-LIMIT"),
            )
        ],
    }  # fmt: skip


def pae_vectors() -> Any:
    bodies = [b"", b"{}", canonical({"a": "caf\u00e9"})]
    return {
        "payload_type": chain.PAYLOAD_TYPE,
        "bodies": [{"body_hex": body.hex(), "pae_hex": pae(body).hex()} for body in bodies],
    }


def key_vectors() -> Any:
    return {
        "keys": [
            {
                "seed": key.seed.hex(), "public": key.public.hex(),
                "pub_line": public_keys.public_line(key.public, "example").strip(),
                "fingerprint": keys.key_fingerprint(key.public),
            }
            for key in (A, B)
        ],
        "refused": [*NOBODYS, (2**255 - 19).to_bytes(32, "little").hex()],
        "game_fingerprint": {
            "game": GAME, "digits": keys.game_fingerprint(GAME),
            "words": fingerprint_words.game_words(GAME),
        },
        "paper": [
            {
                "seed": key.seed.hex(), "groups": list(paper_key.groups(key.seed)),
                "check_input_hex": f"pbem1/paper\n1\n{key.seed.hex()[:8]}".encode().hex(),
            }
            for key in (A, B)
        ],
    }  # fmt: skip


def entry_vectors() -> Any:
    payload = {
        "v": 1, "game": ZEROS, "seq": 0, "prev": ZEROS, "by": "A",
        "steps": [
            {"do": "say", "text": ['caf\u00e9 \u2014 "ok"\n'], "n": -5, "t": True, "z": None}
        ],
    }  # fmt: skip
    entry = chain.sign_entry(A, payload)
    body, stored = canonical(payload), canonical({**payload, "prev": ZEROS[:16]})
    return {
        "note": "what is signed and how; this payload has not the shape of a real entry",
        "seed": A.seed.hex(), "public": A.public.hex(), "payload": payload,
        "canonical_hex": body.hex(), "canonical_sha256": hashlib.sha256(body).hexdigest(),
        "pae_hex": pae(body).hex(), "id": entry.id, "sig": entry.sig, "sum": entry.sum,
        "stored_canonical_hex": stored.hex(),
        "sum_input_hex": f"pbem1/sum\n{hashlib.sha256(stored).hexdigest()}\n{entry.sig}"
        .encode().hex(),
    }  # fmt: skip


def secret_vectors() -> Any:
    fresh = bytes.fromhex("cc" * 16)
    return {
        "hkdf_salt_hex": b"pbem1/game".hex(),
        "players": [
            {
                "player": player, "seed": key.seed.hex(), "context": CONTEXTS[player],
                "info_hex": f"{player}\n{CONTEXTS[player]}".encode().hex(),
                "gsec": SECRETS[player].hex(),
            }
            for player, key in (("A", A), ("B", B))
        ],
        "nonce_b": {
            "proposal": ZEROS, "fresh": fresh.hex(), "nonce": keys.accept_nonce(ZEROS, fresh)
        },
        "solo": {
            "text": "practice", "public_a": keys.solo_key("A", "practice").public.hex(),
            "public_b": keys.solo_key("B", "practice").public.hex(),
        },
    }  # fmt: skip


def chain_vectors() -> Any:
    return {
        "chains": [
            {
                "player": player, "gsec": SECRETS[player].hex(), "context": CONTEXTS[player],
                "number": number, "length": length, "anchor": values[0], "first": values[1],
                "second": values[2], "last": values[length],
                "last_input_hex": f"pbem1/chain\n{player}\n{number}".encode().hex(),
                "anchor_input_hex": "\n".join(
                    ["pbem1/step", player, CONTEXTS[player], "1", values[1]]
                ).encode().hex(),
            }
            for player, number, length in (
                ("A", 0, 8), ("B", 0, 8), ("A", 0, 4096), ("B", 0, 4096), ("A", 1, 8)
            )
            for values in [
                beacons.derive_chain(SECRETS[player], player, CONTEXTS[player], length, number)
            ]
        ]
    }  # fmt: skip


def beacon_vectors() -> Any:
    return {
        "game": GAME, "n": 1, "x_a": VALUES[0], "x_b": VALUES[1],
        "message_hex": f"pbem1/beacon\n1\n{VALUES[0]}\n{VALUES[1]}".encode().hex(),
        "value": R1.hex(), "command": beacons.beacon_command(GAME, 1, *VALUES),
    }  # fmt: skip


def roll_vectors() -> Any:
    dice = [f"combat/1/att/die/{count}" for count in range(1, 11)]
    uniform = [(f"u/{size}", size) for size in (2, 10, 20, 52, 110, 256, 257, 1000, 65536, 65537)]
    return {
        "beacon": R1.hex(),
        "dice": [word(label, 6, "face") for label in [*dice, "rej/42"]],
        "uniform": [
            word(label, size, "value") for label, size in [*uniform, ("ctr/1256", 8388609)]
        ],
    }


def word(label: str, size: int, result: str) -> dict[str, Any]:
    found = beacons.uniform(R1, label, size)
    blocks = [mac(R1, f"pbem1/roll\n{label}\n{count}").hex() for count in range(found.counter + 1)]
    return {
        "label": label, "size": size, "blocks": blocks, "word_hex": found.raw.hex(),
        result: found.value + (result == "face"), "command": beacons.block_command(R1, found),
    }  # fmt: skip


def sample_vectors() -> Any:
    return {
        "beacon": R1.hex(),
        "samples": [
            {
                "label": label, "of": of, "take": take, "picked": list(picked),
                "words": [
                    {
                        "label": one.label, "size": one.size, "block": one.block.hex(),
                        "value": one.value,
                    }
                    for one in words
                ],
            }
            for label, of, take in (("draw/A/1", 10, 3), ("draw/A/1", 110, 7), ("draw/B/2", 3, 5))
            for picked, words in [beacons.sample(R1, label, of, take)]
        ],
    }  # fmt: skip


def state_vectors() -> Any:
    tiny = {"beacon": {"a": 0, "b": 0, "locked": 1, "open": None}, "phase": "tiny"}
    machine = mini_game().machine
    return {
        "tag_hex": chain.STATE_TAG.hex(),
        "states": [
            {
                "state": state,
                "canonical_hex": canonical(state).hex(),
                "post": chain.state_digest(text_of(state)),
            }
            for state in (tiny, machine.public_state())
        ],
    }


def game_vectors() -> Any:
    entries = mini_game().entries
    document = json.loads(format.write(entries))
    return {
        "rules": (
            Path(__file__).with_name("toy.py").read_text("utf-8").split('"""')[1]
        ).splitlines(),
        "seeds": {"A": A.seed.hex(), "B": B.seed.hex()},
        "file": document,
        "ids": [entry.id for entry in entries],
        "beacons": [
            {"n": one.n, "value": one.value.hex(), "void": one.void}
            for one in mini_game().told()
            if type(one).__name__ == "Completed"
        ],
        "not_kept": [
            {"case": case.number, "what": case.what, "expected": case.expected}
            for case in [*packed(), *too_large()]
        ],
        "mutations": [mutation(case, document["entries"]) for case in cases()],
    }


def proposal_vectors() -> Any:
    """Files of one entry: what a proposal may ask for."""
    return {
        "note": "each file is judged at entry 0, by the rules of 13-game.json, before any answer",
        "proposals": [
            {
                "what": case.what, "expected": case.expected,
                "file": json.loads(case.raw),
            }
            for case in [*forged_proposals(), *practice_games()]
        ],
    }  # fmt: skip


def armour_vectors() -> Any:
    """Blocks whose zlib data are stored, not compressed: compressors differ, vectors must not."""
    entries = mini_game().entries
    block = stored_block(entries[4:5])
    return {
        "note": "entries are those of 13-game.json, by number; texts are lists of lines",
        "blocks": [
            {
                "entries": [first, last],
                "packed_hex": stored_zlib(entries[first : last + 1]).hex(),
                "text": stored_block(entries[first : last + 1]).split("\n"),
            }
            for first, last in ((0, 0), (1, 1), (4, 4), (10, 11))
        ],
        "checks": [
            {"line": number, "row": row, "check": armour.line_check(number, row)}
            for number, row in ((1, ""), (1, "eNp9"), (10, "A" * 60))
        ],
        "accepted": [
            {"what": what, "entries": [4, 4], "text": change(block).split("\n")}
            for what, change in mail_clients.HARMLESS.items()
        ],
        "refused": [
            {"what": what, "class": "E-TRANSPORT", "text": change(block).split("\n")}
            for what, (change, _) in mail_clients.DAMAGED.items()
        ],
    }


def stored_zlib(entries: Sequence[chain.Entry]) -> bytes:
    return zlib.compress(armour.content(entries), 0)


def stored_block(entries: Sequence[chain.Entry]) -> str:
    return armour.framed(stored_zlib(entries), entries)


def fork_vectors() -> Any:
    base = as_stored(mini_game().entries)
    return {
        "note": "a number stands for that entry of 13-game.json",
        "cases": [
            {
                "what": pair.what, "case": pair.case, "expected": pair.expected,
                "first": numbered(pair.first, base), "second": numbered(pair.second, base),
            }
            for pair in pairs()
        ],
        "proof": proof().plain(),
        "proof_over_a_note": proof("words answered, and denied").plain(),
    }  # fmt: skip


def mutation(case: Case, base: list[Any]) -> dict[str, Any]:
    """A case: entries (a number stands for that entry of the sample), or an edit of its bytes."""
    head = {"case": case.number, "what": case.what, "expected": case.expected}
    try:
        document = json.loads(case.raw)
        same = (
            document["format"] == "pbem-game/1" and format.write(format.read(case.raw)) == case.raw
        )
    except Exception:
        same = False
    if not same and len(case.raw) > 60_000:
        return {**head, "made_of": {"text": case.raw[:1].decode(), "times": len(case.raw)}}
    if not same:
        return {**head, **edit(format.write(mini_game().entries), case.raw)}
    return {**head, "entries": with_numbers(document["entries"], base)}


def rebuilt(found: dict[str, Any], base: list[Any]) -> bytes:
    """The bytes of a case out of its vector."""
    if "made_of" in found:
        return found["made_of"]["text"].encode() * found["made_of"]["times"]
    if "at" in found:
        text = format.write(format.read(as_file(base)))
        return text[: found["at"]] + found["put"].encode() + text[found["at"] + found["cut"] :]
    entries = [base[one] if isinstance(one, int) else one for one in found["entries"]]
    return as_file(entries)


def as_file(entries: list[Any]) -> bytes:
    return json.dumps({"format": "pbem-game/1", "entries": entries}).encode()


def edit(text: bytes, changed: bytes) -> dict[str, Any]:
    """What to do with the stored sample, byte by byte: at this place cut so many, put these."""
    front = common(text, changed)
    back = common(text[front:][::-1], changed[front:][::-1])
    put = changed[front : len(changed) - back].decode("ascii")
    return {"at": front, "cut": len(text) - back - front, "put": put}


def common(left: bytes, right: bytes) -> int:
    """How many bytes two texts begin with in common."""
    pairs = enumerate(zip(left, right, strict=False))
    return next((at for at, (one, two) in pairs if one != two), min(len(left), len(right)))


def main() -> None:
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name, content in vectors().items():
        (FOLDER / name).write_bytes(written(content))
        sys.stdout.write(f"{name}\n")
    (FOLDER.parent / "words.txt").write_text(
        "\n".join([*map(fingerprint_words.word, range(fingerprint_words.WORDS)), ""]), "ascii"
    )


if __name__ == "__main__":
    main()
