"""The test vectors of what is hidden: decks, sealed orders, a sealed game, its audit, orders files.

`make_vectors.py` writes them with the others.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pbem.gamefile import beacons, decks, format, keys, policies
from pbem.gamefile.beacons import mac
from pbem.gamefile.canonical import canonical
from pbem.gamefile.decks import Epoch
from pbem.problems import Refused
from pbem.text import yamlsource
from pbem.text.source import Source
from tests.gamefile.mutations import Case, with_numbers
from tests.gamefile.players import KEYS
from tests.gamefile.sealed_game import sealed_game
from tests.gamefile.sealed_mutations import sealed_cases
from tests.gamefile.stacked import secret_of

GAME = hashlib.sha256(b"example game").hexdigest()
SECRETS = {
    "A": keys.game_secret(b"\x01" * 32, "A", GAME),
    "B": keys.game_secret(b"\x02" * 32, "B", "bb" * 16),
}
ANCHORS = {
    "A": beacons.derive_chain(SECRETS["A"], "A", GAME, 8),
    "B": beacons.derive_chain(SECRETS["B"], "B", "bb" * 16, 8),
}
R1 = beacons.beacon_value(GAME, 1, ANCHORS["A"][1], ANCHORS["B"][1])
AUDITED = frozenset({53, 54, 55, 83})


def sealed_vectors() -> dict[str, Any]:
    """File name to content."""
    every = list(sealed_cases())
    return {
        "10-decks.json": deck_vectors(),
        "11-policies.json": policy_vectors(),
        "13-sealed-game.json": sealed_game_vectors(
            [case for case in every if case.number not in AUDITED]
        ),
        "15-audit.json": audit_vectors([case for case in every if case.number in AUDITED]),
        "17-orders.json": orders_vectors(),
    }


# --- decks


def deck_vectors() -> Any:
    five = ("alpha", "bravo", "charlie", "delta", "echo")
    three = ("alpha", "foxtrot", "golf")
    many = tuple(sorted(f"N{number}" for number in range(1, 111)))
    return {
        "gsec": SECRETS["A"].hex(), "beacon": R1.hex(),
        "decks": [
            deck(Epoch("A", "A", 1, five, 4, 1)),
            deck(Epoch("A", "A", 2, three, 4, 7)),
            deck(Epoch("n", "A", 1, many, 64, 1)),
        ],
        "refused": [refused_reply(what, change) for what, change in REPLIES.items()],
    }  # fmt: skip


def deck(epoch: Epoch) -> Any:
    """All of one epoch: what is hashed, what comes of it, the challenge, the reply, an opening."""
    secret, trial = SECRETS["A"], decks.trial_of(R1, epoch)
    root, reply = decks.root_of(secret, epoch), decks.reply_of(secret, epoch, trial)
    laid = decks.layout_of(secret, epoch, trial)
    seeds = decks._below(root, epoch.depth)
    place = min(2, len(epoch.cards) - 1)
    fields = ["pbem1/card", epoch.deck, str(epoch.number), str(trial), str(place),
              laid.cards[place], laid.nonces[place]]  # fmt: skip
    trials = [
        decks._trial_root(epoch, number, decks._leaves(epoch, number, layout)).hex()
        for number, layout in enumerate(decks.layout(seed, epoch.cards) for seed in seeds)
    ]
    return {
        "deck": epoch.deck, "epoch": epoch.number, "cards": list(epoch.cards),
        "depth": epoch.depth, "challenge_beacon": epoch.challenge,
        "cards_sha256": hashlib.sha256("\n".join(epoch.cards).encode()).hexdigest(),
        "root": root.hex(), "left_child": mac(root, "pbem1/ggm\n0").hex(),
        "seeds": [seed.hex() for seed in seeds], "roots": trials,
        "commitment": decks.commitment_of(secret, epoch),
        "label": epoch.label, "trial": trial,
        "layout": list(laid.cards), "leaves": list(reply.leaves), "siblings": list(reply.siblings),
        "open": {
            "pos": place, "card": laid.cards[place], "nonce": laid.nonces[place],
            "leaf_input_hex": "\n".join(fields).encode().hex(),
        },
    }  # fmt: skip


REPLIES = {
    "a leaf less": lambda reply: {**reply, "leaves": reply["leaves"][:-1]},
    "two leaves changed about": lambda reply: {
        **reply, "leaves": [reply["leaves"][1], reply["leaves"][0], *reply["leaves"][2:]]
    },
    "another trial": lambda reply: {**reply, "t": reply["t"] ^ 1},
    "siblings from below": lambda reply: {**reply, "siblings": reply["siblings"][::-1]},
    "a sibling of something else": lambda reply: {
        **reply, "siblings": ["00" * 32, *reply["siblings"][1:]]
    },
}  # fmt: skip


def refused_reply(what: str, change: Any) -> Any:
    """A reply for the first deck of the list that does not pass."""
    epoch = Epoch("A", "A", 1, ("alpha", "bravo", "charlie", "delta", "echo"), 4, 1)
    trial = decks.trial_of(R1, epoch)
    reply = decks.reply_of(SECRETS["A"], epoch, trial)
    shown = {"t": trial, "leaves": list(reply.leaves), "siblings": list(reply.siblings)}
    return {"what": what, "class": "E-DECK", **change(shown)}


# --- sealed orders


def policy_vectors() -> Any:
    plain = {"default": {"card": None, "losses": "weakest_first", "retreat": "away_from_enemy"},
             "rules": []}  # fmt: skip
    return {
        "gsec": SECRETS["B"].hex(),
        "box_key_hex": b"".join(mac(SECRETS["B"], f"pbem1/box\n{part}") for part in (1, 2)).hex(),
        "sealed": [
            sealed_document(slot, seq, doc)
            for slot, seq, doc in (
                ("policy", 1, plain), ("policy", 2, plain), ("west", 1, plain),
                ("west", 40, {"slot": "n/1/4", "words": "caf\u00e9"}), ("east", 7, {}),
            )
        ],
    }  # fmt: skip


def sealed_document(slot: str, seq: int, doc: dict[str, Any]) -> Any:
    sealed, body = policies.seal(SECRETS["B"], slot, seq, doc), canonical(doc)
    salt, digest = policies.salt_of(SECRETS["B"], slot, seq, doc), hashlib.sha256(body).hexdigest()
    bound = "\n".join(["pbem1/commit", slot, str(seq), salt, digest])
    return {
        "slot": slot, "seq": seq, "doc": doc, "canonical_hex": body.hex(), "doc_sha256": digest,
        "salt": salt, "commit_input_hex": bound.encode().hex(), "c": sealed.c, "box": sealed.box,
        "associated_hex": f"pbem1/box\n{slot}\n{seq}".encode().hex(),
    }  # fmt: skip


# --- a sealed game


def sealed_game_vectors(cases: list[Case]) -> Any:
    fold = sealed_game()
    return {
        "note": "in a mutation a number stands for that entry of the file",
        "rules": rules(),
        "seeds": {player: key.seed.hex() for player, key in KEYS.items()},
        "file": json.loads(format.write(fold.entries)),
        "ids": [entry.id for entry in fold.entries],
        "beacons": [
            {"n": one.n, "value": one.value.hex()}
            for one in fold.told()
            if type(one).__name__ == "Completed"
        ],
        "decks": fold.machine.hidden.decks.plain(),
        "state": fold.machine.public_state(),
        "mutations": [numbered(case) for case in cases],
    }


def rules() -> list[str]:
    texts = (Path(__file__).with_name(name).read_text("utf-8") for name in
             ("toy.py", "sealed_toy.py"))  # fmt: skip
    return [line for text in texts for line in text.split('"""')[1].splitlines()]


def audit_vectors(cases: list[Case]) -> Any:
    fold = sealed_game()
    return {
        "note": "in a file a number stands for that entry of 13-sealed-game.json",
        "gsec": {player: secret_of(key, player, fold).hex() for player, key in KEYS.items()},
        "contexts": dict(fold.machine.keys.contexts),
        "files": [numbered(case) for case in cases],
    }


def numbered(case: Case) -> Any:
    """A case with entries of the sample as numbers."""
    base = json.loads(format.write(sealed_game().entries))["entries"]
    entries = with_numbers(json.loads(case.raw)["entries"], base)
    head = {"case": case.number, "what": case.what, "expected": case.expected}
    return {**head, "entries": entries}


# --- orders files

ACCEPTED = (
    "orders: []\n",
    "orders:\n  - pass\n  - {move: {units: [INF-1], path: [a, b]}}\n",
    "a: NO\nb: on\nc: yes\nd: 12:30\ne: 010\nf: 1_000\ng: 1e3\nh: 2026-11-21\ni: 0x1f\nj: .5\n",
    "a: 7\nb: -7\nc: 0\nd: 999999999\ne: 1000000000\nf: -0\n",
    "a: true\nb: false\nc: null\nd: ~\ne:\nf: True\ng: 'true'\n",
    "a: \"x: y\"\nb: '#no comment'\nc: x # a comment\n",
    "\ufeffa: b\r\nc: d\r\n",
    "1: one\ntrue: word\n",
)
REJECTED = (
    "a: &x b\n",
    "a: *x\n",
    "a: &x [b]\nc: *x\n",
    "a: !!str b\n",
    "a: !!python/object:os.system b\n",
    "a: 1\na: 2\n",
    "a: {b: 1, b: 2}\n",
    "a: {<<: {b: 1}}\n",
    "a:\n\t- b\n",
    "a: b\x00\n",
    "a: b\x1b\n",
    "---\na: b\n---\nc: d\n",
    "%YAML 1.1\n---\na: b\n",
    "a: [b\n",
    "a: 'b\n",
    "a: " + "[" * 20 + "]" * 20 + "\n",
    "a: b: c\n",
    "[a]: b\n",
    "a: \u2028b\n",
)


def orders_vectors() -> Any:
    return {
        "note": "strict YAML: what a text is read as, and the code of the first thing refused",
        "accept": [
            {"text": text, "value": yamlsource.read(source(text)).value} for text in ACCEPTED
        ],
        "reject": [{"text": text, "code": code} for text, code in refused_texts()],
    }


def source(text: str) -> Source:
    return Source.decode("orders.yaml", text.encode())


def refused_texts() -> Iterator[tuple[str, str]]:
    for text in REJECTED:
        try:
            yamlsource.read(source(text))
        except Refused as refused:
            yield text, refused.problems[0].code
        else:
            raise AssertionError(f"{text!r} is accepted")
