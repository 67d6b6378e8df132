"""The closed shapes of an entry and of each kind of step, declared only here.

A check is a plain function, because a cold command cannot afford a schema library for every mail.
Beside each is what it allows, in words for a refusal and as a JSON Schema; `python -m
tests.gamefile.make_schema` makes `schemas/entry.json` from these.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from operator import lt
from types import MappingProxyType
from typing import Any

from pbem.gamefile.errors import FileRefused
from pbem.gamefile.in_play import WHEN
from pbem.gamefile.limits import CHOICE_SIZES, GROUPS, LIST_SIZES, box_length
from pbem.messages import Said, say

MAX_STEPS = 2048
"""Of an entry. All counters of a player may have to be shown in one, each along its whole way."""
MOST_LINES = 64
"""The most lines of one `say`; an entry may have several."""
SHOWN = 40
"""Characters of a value that a refusal repeats."""
Check = Callable[[Any], bool]


_compiled = cache(re.compile)  # a pattern is compiled when first asked for: no file needs them all


LEGAL: dict[Check, str] = {}
"""What a check allows, in words that follow "it must be"."""
SCHEMAS: dict[Check, Mapping[str, Any]] = {}
"""What a check allows, as a JSON Schema; an inner check is replaced by its own schema."""
_HEX_DIGITS = "0123456789abcdef"
_ONE_LINE: Mapping[str, Any] = {"not": {"pattern": "\\n"}}
"""Some readers allow a line break before the end of a text that a pattern describes."""


def _told(check: Check, legal: str, **schema: Any) -> Check:
    LEGAL[check], SCHEMAS[check] = legal, schema
    return check


def _text(pattern: str, legal: str, **more: str) -> Check:
    """A text in one line that matches the pattern as a whole."""
    return _told(
        lambda value: type(value) is str and _compiled(pattern).fullmatch(value) is not None,
        legal, type="string", pattern=f"^{pattern}$", **_ONE_LINE, **more,
    )  # fmt: skip


def _one_of(*words: Any, legal: str = "", **more: str) -> Check:
    known = [(type(word), word) for word in words]  # true is equal to 1
    return _told(
        lambda value: (type(value), value) in known,
        legal or f"{', '.join(words[:-1])} or {words[-1]}", enum=list(words), **more,
    )  # fmt: skip


def _hex(digits: int, or_more: int = 0, **more: str) -> Check:
    """So many hex digits, or a larger number of them."""
    pattern, sizes, legal = f"[0-9a-f]{{{digits}}}", [digits], f"{digits}"
    if or_more:
        pattern = f"{pattern}([0-9a-f]{{{or_more - digits}}})?"
        sizes, legal = [digits, or_more], f"{digits} or {or_more}"
    return _told(
        lambda value: type(value) is str and len(value) in sizes and not value.strip(_HEX_DIGITS),
        f"{legal} hex digits, in small letters",
        type="string", pattern=f"^{pattern}$", **_ONE_LINE, **more,
    )  # fmt: skip


def _line_of(least: int, most: int, **more: str) -> Check:
    return _told(
        lambda value: type(value) is str and least <= len(value) <= most and "\n" not in value,
        f"a text of {least} to {most} characters in one line",
        type="string", minLength=least, maxLength=most, **_ONE_LINE, **more,
    )  # fmt: skip


def _name_of(most: int) -> Check:
    return _text(
        f"[A-Za-z0-9_.-]{{1,{most}}}",
        f"a name of 1 to {most} letters, digits and the characters _ . -",
    )


def _integer(low: int, high: int) -> Check:
    return _told(
        lambda value: type(value) is int and low <= value <= high,
        f"a number from {low} to {high}", type="integer", minimum=low, maximum=high,
    )  # fmt: skip


def _list(item: Check, low: int, high: int, legal: str = "", **more: Any) -> Check:
    """A list of so many; with `uniqueItems` none of them twice."""
    is_once = more.get("uniqueItems", False)
    return _told(
        lambda value: (
            type(value) is list and low <= len(value) <= high and all(map(item, value))
            and not (is_once and len(set(value)) < len(value))
        ),
        legal or f"a list of {low} to {high}, each of them {LEGAL[item]}",
        type="array", minItems=low, maxItems=high, items=item, **more,
    )  # fmt: skip


def _ascending(most: int, legal: str, **more: Any) -> Check:
    """A list of numbers up to `most`, each higher than the one before: one way to write a set. The
    published schema can say only that none stands there twice.
    """
    each = _integer(1, most)
    numbers = _list(each, 1, most, legal, uniqueItems=True, **more)
    return _told(
        lambda value: numbers(value) and all(map(lt, value, value[1:])),
        legal,
        **SCHEMAS[numbers],
    )


def _either(one: Check, other: Check, legal: str) -> Check:
    return _told(lambda value: one(value) or other(value), legal, oneOf=[one, other])


def _or_null(check: Check) -> Check:
    return _told(
        lambda value: value is None or check(value), f"null or {LEGAL[check]}",
        oneOf=[check, {"type": "null"}],
    )  # fmt: skip


def _members_of(legal: str, **members: Check) -> Check:
    """An object with exactly these members."""
    names = members.keys()

    def check(value: Any) -> bool:
        if type(value) is not dict or value.keys() != names:
            return False
        return all(check(value[name]) for name, check in members.items())

    return _told(check, legal, **closed(members, {}))


def closed(must: Mapping[str, Any], may: Mapping[str, Any]) -> dict[str, Any]:
    """The JSON Schema of an object with its required and optional members, and no others."""
    return {
        "type": "object", "properties": {**must, **may}, "required": list(must),
        "additionalProperties": False,
    }  # fmt: skip


_true = _told(lambda value: value is True, "true, or left out", const=True)
_boolean = _told(lambda value: type(value) is bool, "true or false", type="boolean")
_object = _told(lambda value: type(value) is dict, "an object", type="object")
_one_verb = _told(
    lambda value: type(value) is dict and len(value) == 1 and WHEN not in value,
    "an object with one member, the verb of an order",
    type="object", minProperties=1, maxProperties=1, **{"not": {"required": [WHEN]}},
)  # fmt: skip
_waiting = _told(
    lambda value: type(value) is dict and len(value) == 2 and type(value.get(WHEN)) is dict,
    "an object with the verb of an order and `when`",
    type="object", minProperties=2, maxProperties=2, required=[WHEN],
    properties={WHEN: _object},
)  # fmt: skip
_order = _either(
    _one_verb, _waiting,
    "an object with one member, the verb of an order, and perhaps an object `when` next to it",
)  # fmt: skip
HASH = _hex(64)
NONCE = _hex(32)

_id = _name_of(64)
_until = _told(
    lambda value: type(value) is str and len(value) <= 4096,
    "a text of at most 4096 characters", type="string", maxLength=4096,
)  # fmt: skip
_lines = _list(_line_of(0, 400), 1, MOST_LINES)
_number = _integer(1, 1 << 24)
_seq = _integer(0, 20_000)
_items = _list(_order, 1, 256)
_ruleset = _text("[a-z0-9_.-]{1,64}/[0-9]{1,9}", "a name in small letters, / and a version number")
_slot = _name_of(32)
_card = _text(
    "[A-Za-z0-9_./-]{1,32}", "a name of 1 to 32 letters, digits and the characters _ . / -"
)
_box = _text("[A-Za-z0-9+/]{16,4094}={0,2}", "base64 of 16 to 4096 characters")
_short, _long = map(box_length, CHOICE_SIZES)
_choice_box = _text(
    f"[A-Za-z0-9+/]{{{_short}}}([A-Za-z0-9+/]{{{_long - _short}}})?",
    f"base64 of {_short} or {_long} characters",
)
_sides = _members_of("an object with the names of two sides, a and b", a=_id, b=_id)
FIXES = _ascending(
    4096, "a list of the numbers of fixes, each higher than the one before",
    description="the fixes of the rules that the game is played by, each higher than the one "
    "before; left out where there are none",
)  # fmt: skip
_rules = _members_of(
    "an object with ruleset (name/version) and data (64 hex digits)", ruleset=_ruleset, data=HASH
)
_mended_rules = _members_of(
    "the same with fixes, where the game has any", ruleset=_ruleset, data=HASH, fixes=FIXES
)
RULES = _either(_rules, _mended_rules, f"{LEGAL[_rules]}; or {LEGAL[_mended_rules]}")
_signature = _text("[A-Za-z0-9+/]{86}==", "base64 of 64 bytes, 88 characters")
MOST_DAYS = 365
AFTER_SILENCE = ("pause", "deputy", "result")
"""What may follow a silence, by the terms of a game."""
_audited = _one_of(None, "clean", legal='"clean" or null')
_audits = _members_of('an object with a and b, each "clean" or null', a=_audited, b=_audited)
CARDS = _list(_card, 1, 512, "a list of 1 to 512 names of cards, none twice", uniqueItems=True)
DECK = _text("[a-z][a-z0-9_]{0,31}", "a name of 1 to 32 small letters, digits and _")
_of_cards = _members_of(
    "an object with deck, by (A or B) and cards, none twice",
    deck=DECK, by=_one_of("A", "B"), cards=CARDS,
)  # fmt: skip
_of_pieces = _members_of(
    "the same with pieces: true, where the cards are counters that lie face down",
    deck=_text("[a-z][a-z0-9_]{0,15}", "a name of 1 to 16 small letters, digits and _"),
    by=_one_of("A", "B"),
    cards=_list(_card, 1, 256, "a list of 1 to 256 names of counters, none twice",
                uniqueItems=True),
    pieces=_true,
)  # fmt: skip
_deck_named = _either(_of_cards, _of_pieces, f"{LEGAL[_of_cards]}; or {LEGAL[_of_pieces]}")
COMMITMENTS = _told(
    lambda value: type(value) is dict and all(DECK(key) and HASH(value[key]) for key in value),
    "an object from decks to commitments of 64 hex digits",
    type="object", propertyNames=DECK, additionalProperties=HASH,
    description="deck to commitment, for each deck of the author",
)  # fmt: skip


BOTS: Mapping[str, str] = MappingProxyType({"A": "bot_a", "B": "bot_b"})
"""By seat, the option of a solo game that the program plays it."""
OPTIONS_OF_THE_FILE: Mapping[str, str] = MappingProxyType(
    {
        "solo": "practice: one person plays both sides",
        "seed": "what a practice game is made from",
        **{option: f"practice: pbem plays player {seat}" for seat, option in BOTS.items()},
    }
)
"""Options of the file itself; all others belong to the game's rules."""
MOST_OPTIONS = 128
_option = _text("[A-Za-z0-9_]{1,64}", "letters, digits and _")
_seed = _line_of(1, 200)
_options = _told(
    # Whether each has a name; what they are worth is said one by one (`check_options`).
    lambda value: type(value) is dict and len(value) <= MOST_OPTIONS and all(map(_option, value)),
    f"an object of at most {MOST_OPTIONS} options, named by letters, digits and _",
    type="object", maxProperties=MOST_OPTIONS, propertyNames=_option,
    properties={"seed": _seed}, additionalProperties=_true,
    description="those chosen, each true; the game defines which exist, except solo, seed, bot_a "
    "and bot_b",
)  # fmt: skip


def check_options(options: Mapping[str, Any]) -> None:
    """The only place that decides what an option's value may be. Raises FileRefused (E-SCHEMA)."""
    for name, value in options.items():
        if name == "seed":
            if not _seed(value):
                raise _wrong(say("option seed is a text of 1 to 200 characters in one line"))
        elif value is not True:
            raise _wrong(
                say(
                    "option {name} is {dumps}, but an option is either true or left out",
                    name=name,
                    dumps=format(json.dumps(value), ".40"),
                )
            )


_item = _members_of(
    "an object with at, item, nonce and path",
    at=_integer(0, 63), item=_told(lambda value: True, "any value"), nonce=HASH,
    path=_list(HASH, 1, 6),
)  # fmt: skip


Members = Mapping[str, Check]
STEPS: Mapping[str, tuple[str, Members, Members]] = MappingProxyType(
    {
        "propose": (
            "entry 0, by A: the terms of the game",
            {
                "pub_a": HASH, "pub_b": HASH, "nonce": NONCE, "data": HASH, "scenario": _id,
                "ruleset": _ruleset,
                "options": _options, "sides": _sides,
                "chain_len": _integer(64, 65_536),
                "m": _one_of(1, *LIST_SIZES, legal="a power of two up to 64"),
                "decks": _list(
                    _deck_named, 0, 8,
                    description="the sealed decks of the first epoch, cards sorted; none with "
                    "open hands",
                ),
            },
            {
                "match": _line_of(1, 100, description="a fixture the game is tied to"),
                "m_mix": _one_of(
                    16, 32, 64, legal="16, 32 or 64",
                    description="the trial layouts of a mix; 16 where it is left out",
                ),
                "fixes": FIXES,
                "director": HASH, "spare": HASH,
                "silence": _members_of(
                    "an object with days (1 to 365) and then (pause, deputy or result)",
                    days=_integer(1, MOST_DAYS), then=_one_of(*AFTER_SILENCE),
                ),
            },
        ),
        "accept": (
            "entry 1, by B",
            {
                "proposal": HASH, "pub": HASH, "nonce": NONCE, "anchor": HASH, "data": HASH,
                "decks": COMMITMENTS,
            },
            {"spare": HASH},
        ),
        "start": ("entry 2, by A", {"anchor": HASH, "decks": COMMITMENTS}, {}),
        "anchor": ("the anchor of a further chain", {"q": _number, "anchor": HASH}, {}),
        "reveal": ("a player's n-th value", {"n": _number, "x": HASH}, {"void": _true}),
        "orders": ("orders of the player whose round it is", {"list": _items}, {}),
        "react": ("answers of the other player, before dice", {"answers": _items}, {}),
        "post_choice": ("answers of either player, after dice", {"answers": _items}, {}),
        "policy": (
            "standing orders: in clear with doc (null withdraws the slot), or sealed with c and "
            "box",
            {"slot": _slot, "scope": _or_null(_object), "until": _or_null(_until)},
            {"doc": _or_null(_object), "c": HASH, "box": _box},
        ),
        "unseal": (
            "shows the document sealed in entry seq",
            {"slot": _slot, "seq": _seq, "doc": _object, "salt": HASH},
            {},
        ),
        "seal": (
            "answers a secret question: c binds, box is the author's own copy",
            {"c": HASH, "box": _choice_box},
            {},
        ),
        "tell": ("shows a choice that was sealed", {"order": _one_verb, "salt": HASH}, {}),
        "list_seal": (
            "answers a question for a list: c binds each of its size places, box is the author's "
            "own copy",
            {
                "slot": _slot,
                "size": _one_of(*LIST_SIZES, legal="a power of two from 2 to 64"),
                "c": HASH, "box": _box,
            },
            {},
        ),
        "list_tell": (
            "shows the items of the list sealed in entry seq that are due; path are the nodes "
            "beside the way of an item to the root, from below",
            {"slot": _slot, "seq": _seq, "items": _list(_item, 0, 64)},
            {},
        ),
        "fact": (
            "says what is so of things that its author hides, as the game asks",
            {"order": _one_verb},
            {},
        ),
        "deck_commit": (
            "binds its author to a layout of these cards",
            {"deck": DECK, "epoch": _number, "cards": CARDS, "c": HASH},
            {
                "groups": _list(
                    _integer(2, 256), 1, GROUPS,
                    description="only of a mix: the sizes of the groups of tags that change places",
                )
            },
        ),
        "deck_reply": (
            "answers the challenge of a beacon",
            {
                "deck": DECK, "epoch": _number, "t": _integer(0, 63),
                "siblings": _list(HASH, 0, 6), "leaves": _list(HASH, 1, 512),
            },
            {},
        ),
        "open": (
            "opens a card of its author's hand",
            {
                "deck": DECK, "epoch": _number, "pos": _integer(0, 511), "card": _card,
                "nonce": HASH,
            },
            {},
        ),
        "say": ("free words", {"text": _lines}, {}),
        "offer": (
            "what one player asks the other to agree to",
            {"what": _one_of("draw", "takeback", "upgrade", "adjourn", "void", "renew")},
            {
                "to": _seq, "known_randomness": _true, "old": RULES, "new": RULES,
                "until": _line_of(1, 160),
                "changes": _list(
                    _line_of(1, 400), 1, 128,
                    description="what changes with the new rules and data, in words",
                ),
            },
        ),
        "answer": (
            "to the offer in the entry with that id",
            {"offer": HASH, "yes": _boolean},
            {},
        ),
        "takeback": (
            "the game goes on from the state after entry `to`; directly after the yes",
            {"to": _seq},
            {},
        ),
        "upgrade": (
            "the game goes on by other rules or data; directly after the yes",
            {"old": RULES, "new": RULES},
            {},
        ),
        "renew": (
            "its author goes on with new secrets, bound by this anchor; directly after the yes",
            {"anchor": HASH},
            {},
        ),
        "rotate": (
            "a new key that replaces an old one: the author's own, or, signed by the opponent, "
            "the other player's",
            {
                "new_pub": HASH,
                "proof": _signature,
                "signed_by": _one_of("old", "spare", "opponent", "director"),
            },
            {"sig": _signature},
        ),
        "deputy": (
            "names who may go on in its author's place; with null nobody may any more",
            {"pub": _or_null(HASH)},
            {
                "secrets": _text(
                    "[A-Za-z0-9+/]{64}", "base64 of 48 bytes, 64 characters",
                    description="the author's secrets of this game, for the owner of pub",
                ),
                "ends": _true,
            },
        ),
        "ruling": (
            "what the director has signed: more days, or a result",
            {"what": _one_of("extend", "result"), "sig": _signature},
            {"days": _integer(1, MOST_DAYS), "winner": _or_null(_one_of("A", "B"))},
        ),
        "close": (
            "the result once more, after the end", {"result": _object, "audits": _audits}, {},
        ),
        "resign": ("gives the game up", {}, {}),
        "audit": (
            "shows, after the end, what its author kept hidden",
            {"gsec": HASH},
            {
                "earlier": _list(
                    _or_null(HASH), 1, 8,
                    description="only of a player who took up new secrets: those before, in order; "
                    "null where they are lost",
                )
            },
        ),
        "claim_forfeit": (
            "what the other player owes and has not sent",
            {"since": HASH, "owed": _list(_line_of(1, 160), 1, 64)},
            {"silence": _true},
        ),
    }
)  # fmt: skip
"""Per kind: what it is, the members it must have, and those it may."""

OFFERS: Mapping[str, tuple[frozenset[str], frozenset[str]]] = MappingProxyType(
    {
        "draw": (frozenset(), frozenset()),
        "takeback": (frozenset({"to"}), frozenset({"known_randomness"})),
        "upgrade": (frozenset({"old", "new"}), frozenset({"changes"})),
        "adjourn": (frozenset(), frozenset({"until"})),
        "void": (frozenset(), frozenset()),
        "renew": (frozenset(), frozenset()),
    }
)
"""What an offer of one kind must say, and what it may; of the others it has no member."""
RULINGS: Mapping[str, frozenset[str]] = MappingProxyType(
    {"extend": frozenset({"days"}), "result": frozenset({"winner"})}
)
"""What a ruling of one kind must say; of the others it has no member."""

_prev = _hex(
    16, 64,
    description="the first 16 digits of the id that is signed; all 64 where the entry before is "
    "not in front of it",
)  # fmt: skip
PAYLOAD: Members = MappingProxyType(
    {
        "game": HASH, "seq": _seq, "prev": _prev, "by": _one_of("A", "B"),
        "post": _hex(16), "tool": _text("[ -~]{1,64}", "1 to 64 characters of ASCII"),
    }
)  # fmt: skip
PAYLOAD_MAY: Members = MappingProxyType(
    {
        "as": _one_of(
            "deputy",
            legal="deputy, or left out",
            description="the author is the deputy of this player, and signs with a key of their "
            "own",
        ),
        "time": _text(
            "20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]Z",
            "a minute of UTC, as in 2026-03-05T18:40Z",
            description="when it was written, as its author says: nobody can check it",
        ),
    }
)
"""The members of a payload next to its version and its steps, and those it may have."""
_two_texts = _told(
    lambda value: type(value) is list and len(value) == 2 and all(type(x) is str for x in value),
    "a list of two texts", type="array", minItems=2, maxItems=2, items={"type": "string"},
)  # fmt: skip
ENVELOPE: Members = MappingProxyType(
    {
        "payload": _object,
        "sig": _told(
            lambda value: type(value) is str or _two_texts(value),
            "one text, or two",
            oneOf=[{"type": "string"}, _two_texts],
            description="Ed25519 signature in base64, 88 characters; stored as two texts",
        ),
        "sum": _hex(8),
    }
)


def check_envelope(value: Any) -> None:
    """Refuses what is not payload, sig and sum; the signature's text is judged elsewhere.

    Raises FileRefused: E-SCHEMA.
    """
    if type(value) is not dict:
        raise _wrong(say("an entry is an object with payload, sig and sum"))
    _members(value, ENVELOPE, (), "an entry")
    if not ENVELOPE["sum"](value["sum"]):
        raise FileRefused(
            "E-DAMAGED", say("its checksum was damaged"), hint=say("ask for the file again")
        )
    if not ENVELOPE["sig"](value["sig"]):
        raise _wrong(say("sig is one text, or two"))


def check_payload(payload: Any) -> None:
    """Refuses a payload without the members, and the kinds of steps, of version 1.

    Raises FileRefused: E-SCHEMA, E-VERSION for what a newer program may know, E-LIMIT.
    """
    if type(payload) is not dict:
        raise _wrong(say("payload is not an object"))
    version = payload.get("v")
    if type(version) is int and version != 1:
        raise FileRefused(
            "E-VERSION",
            say("is of version {version} and needs a newer pbem", version=version),
            hint=_who_knows(payload),
        )
    _members(payload, {"v", "steps", *PAYLOAD}, PAYLOAD_MAY, "payload")
    if type(version) is not int:
        raise _wrong(say("member 'v' of payload is not a number"))
    _values(payload, PAYLOAD, PAYLOAD_MAY, "payload")
    steps = payload["steps"]
    if type(steps) is not list or not steps:
        raise _wrong(say("steps is a list of at least one step"))
    if len(steps) > MAX_STEPS:
        raise FileRefused("E-LIMIT", say("has more than {max_steps} steps", max_steps=MAX_STEPS))
    for number, step in enumerate(steps):
        try:
            check_step(step)
        except FileRefused as refused:
            if refused.code == "E-VERSION":
                refused.hint = _who_knows(payload)
            raise refused.placed(step=number) from None


_VERSION = r"pbem [0-9]{1,4}\.[0-9]{1,4}\.[0-9]{1,4}"


def _who_knows(payload: Mapping[str, Any]) -> Said:
    """The version that wrote an entry which this one does not know; empty if it names none."""
    tool = payload.get("tool")
    if type(tool) is not str or not re.fullmatch(_VERSION, tool):
        return ""
    return say("it was written with {tool}: that version knows it", tool=tool)


def check_step(step: Any) -> None:
    """Refuses a step of an unknown kind, or with members other than those of its kind.

    Raises FileRefused: E-SCHEMA, E-VERSION.
    """
    if type(step) is not dict or type(step.get("do")) is not str:
        raise _wrong(say("a step is an object whose member 'do' names its kind"))
    kind = step["do"]
    if kind not in STEPS:
        raise FileRefused(
            "E-VERSION",
            say(
                "step kind {kind} is unknown and needs a newer pbem",
                kind=format(ascii(kind), ".40"),
            ),
        )
    _, must, may = STEPS[kind]
    _members(step, {"do", *must}, may, kind)
    _values(step, must, may, kind)
    if kind == "propose":
        check_options(step["options"])
    if kind == "offer":
        needed, possible = OFFERS[step["what"]]
        _members(step, {"do", "what", *needed}, possible, f"an offer of {step['what']}")
    if kind == "ruling":
        needed = RULINGS[step["what"]]
        _members(step, {"do", "what", "sig", *needed}, (), f"a ruling of {step['what']}")
    if kind == "rotate" and (step["signed_by"] == "director") != ("sig" in step):
        raise _wrong(say("a new key has a member sig if the director signs it, and only then"))


def check_request(request: Mapping[str, Any]) -> None:
    """Refuses a request for a new key with members other than those the entry needs (E-SCHEMA)."""
    entry, step = dict(PAYLOAD), dict(STEPS["rotate"][1])
    must = {name: entry.get(name) or step[name] for name in ("game", "seq", "new_pub", "proof")}
    _members(request, must, (), "the request")
    _values(request, must, {}, "the request")


def _members(value: Mapping[str, Any], must: Any, may: Any, where: str) -> None:
    missing = [name for name in must if name not in value]
    if missing:
        raise _wrong(
            say("{where} has no member {missing}", where=where, missing=repr(min(missing)))
        )
    extra = [name for name in value if name not in must and name not in may]
    if extra:
        raise _wrong(
            say(
                "{where} has a member {extra} that does not belong there",
                where=where,
                extra=format(ascii(min(extra)), ".60"),
            )
        )


def _values(
    value: Mapping[str, Any], must: Mapping[str, Check], may: Mapping[str, Check], where: str
) -> None:
    for name, check in must.items():
        if not check(value[name]):
            raise _ill_formed(name, where, value[name], check)
    for name, check in may.items():
        if name in value and not check(value[name]):
            raise _ill_formed(name, where, value[name], check)


def _ill_formed(name: str, where: str, given: Any, check: Check) -> FileRefused:
    shown = json.dumps(given)
    shown = shown if len(shown) <= SHOWN else f"{shown[:SHOWN]}..."
    return _wrong(
        say(
            "member {name} of {where} is {shown}, but it must be {legal}",
            name=repr(name),
            where=where,
            shown=shown,
            legal=LEGAL[check],
        )
    )


def _wrong(message: Said) -> FileRefused:
    return FileRefused("E-SCHEMA", message)
