"""Signed orders with hostile values in every field, folded by the other player and told.

An input is JSON: what its author puts into the lists of a real game, `orders` behind the attack
they begin with and `policies` in front of it. It is signed by the author's program, which lets
everything pass. The other player's program must refuse it as one that was foreseen; and were it let
through, the answer must be written and every report of both files be made.
"""

from __future__ import annotations

import dataclasses
import json
import random
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any
from unittest.mock import patch

from pbem.cli import status
from pbem.engine.codec import to_plain
from pbem.gamefile.canonical import check_domain
from pbem.gamefile.compose import Proposal, Wish, compose, propose
from pbem.gamefile.draft import Draft
from pbem.gamefile.errors import FileRefused
from pbem.gamefile.fold import Fold, replay
from pbem.gamefile.prospect import prospect
from pbem.gamefile.verify import proven
from pbem.mail.eml import written
from pbem.mail.outgoing import letter
from pbem.messages import words
from pbem.play.game import Game, table_for, with_fold
from pbem.play.reports import UNTOLD
from pbem.play.story import story
from pbem.play.systems import opened
from pbem.play.table import Table
from pbem.render.formats import FORMATS, rendered
from pbem.render.safe import visible_json
from tests.contract.wild import ODD_NUMBERS, ODD_WORDS, Wild
from tests.gamefile.players import KEYS, TOOL
from tests.play.let_through import read_anything

BEGIN: tuple[dict[str, Any], ...] = (
    {"play": {"card": "N1", "for": "event"}}, {"activate": {"attack": ["huelva", "sevilla"]}},
    {"attack": {"space": "riotinto", "units": [["huelva", ["CAV-7"]], ["sevilla", ["INF-15"]]],
                "losses": ["CAV", "INF"]}},
)  # fmt: skip
HOSTILE: tuple[Any, ...] = (
    None, True, False, *ODD_NUMBERS, *ODD_WORDS, 2**53 - 1, "\u202e", "\u2028", "a\U000e0041",
    "`x`<b>[url]", "=?utf-8?q?=0A?=", "-----BEGIN PBEM ENTRIES-----", [], {}, [[]], [None],
    {"a": 1},    {"a": {"b": ["c"]}}, ["x"] * 60, "y" * 3000,
)  # fmt: skip
MOST_ENTRIES = 8
FAULT = UNTOLD.partition(" here ")[2].partition(":")[0]
"""What a log says of something that it could not tell, as it stands within a sentence."""
NOBODY = patch.multiple(Table, read=read_anything, check_policy=lambda *given: None)


@lru_cache(maxsize=1)
def begun() -> Fold:
    """A Campaign with open hands, to the first card of its first round: A is asked."""
    game = opened("crusade")
    terms = Proposal(
        game.ruleset, game.digest, "campaign", {"a": "nationalist", "b": "republican"},
        {"open_hands": True, "example_hands": True},
    )  # fmt: skip
    fold = propose(
        KEYS["A"], KEYS["B"].public, terms, table_for, nonce=b"\x11" * 16, tool=TOOL
    ).fold
    for player in "BA":
        fold = compose(fold, KEYS[player], Wish(), tool=TOOL, fresh=b"\x22" * 16).fold
    while fold.locked is not None:
        assert fold.pen is not None
        fold = compose(fold, KEYS[fold.pen], Wish(), tool=TOOL).fold
    return fold


def told_game(raw: bytes) -> None:
    """The entry is refused as was foreseen, or is good; and is told in either case."""
    try:
        said = json.loads(raw)
        check_domain(said)
        with NOBODY:
            fold = signed(said)
    except (ValueError, KeyError, TypeError, AttributeError, FileRefused):
        return  # nothing that can be signed: that is for the other readers
    try:
        replay(fold.entries, table_for)
    except FileRefused as refused:
        assert refused.whose == "A" and refused.code in ("E-ORDER", "E-POLICY"), refused
        assert refused.__cause__ is None, f"unforeseen: {refused.__cause__!r}"
    with NOBODY:
        tell(with_fold(fold))
        fold = played_on(fold)
        tell(with_fold(fold))
        tell(with_fold(compose(fold, KEYS["B"], Wish(resign=True), tool=TOOL).fold))


def played_on(fold: Fold) -> Fold:
    """The game until nothing waits of what A has given: it was carried out, lapsed or dropped."""
    for _ in range(MOST_ENTRIES):
        if fold.phase != "running" or not fold.given("A"):
            break
        assert fold.pen is not None
        ahead = prospect(fold, KEYS[fold.pen])
        asked = ahead.in_play.decision if ahead.orders_wanted else None  # type: ignore[union-attr]
        orders = () if asked is None else ({asked.default.verb: to_plain(asked.default)},)
        fold = compose(fold, KEYS[fold.pen], Wish(orders=orders), tool=TOOL).fold
    return fold


def signed(said: Mapping[str, Any]) -> Fold:
    """The game with the entry of A that says all this."""
    fold = begun()
    draft = Draft(fold.machine, "A", KEYS["A"])
    for policy in said.get("policies", ()):
        draft.add({"do": "policy", "slot": "x", "scope": None, "until": None, **policy})
    draft.add({"do": "orders", "list": [*BEGIN, *said["orders"]]})
    draft.pay()
    return replay([*fold.entries, draft.sign(TOOL, None)], table_for)


def tell(game: Game) -> None:
    """Every report of a game."""
    log = story(game)
    for style in FORMATS:
        text = rendered(log, style)
        assert FAULT not in text, text[text.index(FAULT) :][:300]
        assert text.replace("\n", "").isprintable(), style
    written(letter(game, "game.pbem.json", block=""))
    for key in (None, KEYS["A"], KEYS["B"]):
        assert status.lines(game, key)
        json.loads(
            visible_json(json.dumps(status.plain(game, key), ensure_ascii=False, default=words))
        )
    assert proven(game.fold).sentences()


# --- what is put in


def hostile(rng: random.Random, raw: bytes, corpus: list[bytes], words: tuple[bytes, ...]) -> bytes:
    """The input with another order, or with a field of one replaced."""
    said = json.loads(raw)
    if rng.random() < 0.4:  # of good form, and of any content: this is let through, and lapses
        return json.dumps({"orders": [any_order(rng) for _ in range(rng.randint(1, 4))]}).encode()
    if rng.random() < 0.2:
        document = wild(rng).document(
            ("losses", "cards", "when", "only", "ask", "order", "retreat")
        )
        part = rng.choice(["doc", "scope"])
        said["policies"] = [{"doc": {}, part: document if isinstance(document, dict) else {}}]
        return json.dumps(said).encode()
    if rng.random() < 0.3:
        return swept(rng.randrange(len(every_field()) * len(HOSTILE)))
    orders: list[Any] = said["orders"]
    if not orders or rng.random() < 0.5:
        orders.insert(rng.randint(0, len(orders)), any_order(rng))
    order = rng.choice(orders)
    for verb, fields in list(order.items()):
        if rng.random() < 0.15:
            order.clear()
            order[rng.choice(["zzz", "done", "losses", "attack", "__class__"])] = fields
        elif isinstance(fields, dict) and fields and rng.random() < 0.8:
            replaced(rng, fields)
        else:
            order[verb] = rng.choice(HOSTILE)
    del orders[8:]
    return json.dumps(said).encode()


def replaced(rng: random.Random, value: Any) -> None:
    """One value, anywhere inside, becomes a hostile one; or a member is one more, or gone."""
    keys = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = rng.choice(keys)
    if isinstance(value[key], dict | list) and value[key] and rng.random() < 0.6:
        replaced(rng, value[key])
    elif isinstance(value, dict) and rng.random() < 0.2:
        value["foo"] = value.pop(key)
    else:
        value[key] = rng.choice(HOSTILE)


def any_order(rng: random.Random) -> dict[str, Any]:
    """An order of the game, its fields filled with what is of their type."""
    kind = rng.choice(list(opened("crusade").system.verbs.values()))
    return {kind.verb: to_plain(wild(rng).order(kind))}


AT_ONCE = 3
"""Orders of an entry that has hostile fields: the first that is refused hides the rest."""


def swept(number: int) -> bytes:
    """Orders that are sound but for one field each; the numbers go through all fields and values.

    From 0 to len(every_field()) * len(HOSTILE) - 1 each field has each value in each of AT_ONCE.
    """
    rng = random.Random(number)
    orders = []
    for at in range(number, number + AT_ONCE):
        kind, name = every_field()[at % len(every_field())]
        inside = to_plain(wild(rng).order(kind))
        value = HOSTILE[at // len(every_field()) % len(HOSTILE)]
        orders.append({kind.verb: {**inside, name: value}})
    return json.dumps({"orders": orders}).encode()


@lru_cache(maxsize=1)
def every_field() -> tuple[tuple[type[Any], str], ...]:
    """Every field of every order of the game, by the name that an entry has for it."""
    kinds = opened("crusade").system.verbs.values()
    return tuple(
        (kind, each.metadata.get("written", each.name))
        for kind in kinds for each in dataclasses.fields(kind)
    )  # fmt: skip


def wild(rng: random.Random) -> Wild:
    return Wild(rng, tuple(_words()))


@lru_cache(maxsize=1)
def _words() -> tuple[str, ...]:
    return tuple(_ids())


def _ids() -> Iterator[str]:
    tables = opened("crusade").system.tables  # type: ignore[attr-defined]
    yield from (*tables.spaces, *tables.units, *tables.cards)


SEEDS = tuple(
    json.dumps({"orders": given}).encode()
    for given in (
        [{"done": {}}],
        [{"losses": {"order": ["CAV"]}}, {"retreat": {"unit": "R-MIL-14", "path": ["zafra"]}}],
        [{"advance": {"units": ["INF-15"], "to": ["riotinto"]}}, {"done": {}}, {"zzz": {}}],
    )
)
